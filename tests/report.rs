//! `tiebreak report` as a person uses it: runs and reproductions become one page, several are compared, bad input is told.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tiebreak::report::{Cell, Exhibit, ExhibitEdge, Number, Results, Table};

fn tiebreak(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output = Command::cargo_bin("tiebreak").unwrap().args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// What the page's scripts read.
fn data_of(page: &Path) -> Value {
    let text = fs::read_to_string(page).unwrap();
    assert!(text.len() < 5_000_000);
    let (_, rest) = text.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn train(name: &str, algorithm: &str, seed: &str, folder: &Path) {
    let small = ["steps=4", "batch=2", "model.hidden=8", "validate_every=2", "validation_graphs=2"];
    let mut arguments = vec!["train", "--algorithm", algorithm, "--out", name, "--seed", seed];
    small.iter().for_each(|change| arguments.extend(["--set", change]));
    let (code, _, errors) = tiebreak(&arguments, folder);
    assert_eq!(code, 0, "{errors}");
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

#[test]
fn a_run_becomes_a_page_with_its_curve_and_what_its_model_does() {
    let folder = TempDir::new().unwrap();
    train("one", "dfs", "0", folder.path());
    let (code, output, errors) = tiebreak(&["report", "one"], folder.path());
    assert_eq!(code, 0, "{errors}");
    assert!(output.starts_with("one/report.html"), "{output}");
    let data = data_of(&folder.path().join("one/report.html"));
    assert_eq!(data["runs"][0]["columns"]["step"], serde_json::json!([2.0, 4.0]));
    let exhibits = data["results"][0]["exhibits"].as_array().unwrap();
    let sizes: Vec<usize> = exhibits.iter().map(|one| one["vertices"].as_array().unwrap().len()).collect();
    assert!([5, 8, 16].iter().all(|size| sizes.contains(size)), "{sizes:?}");
    for exhibit in exhibits {
        let distributions = names(&exhibit["distributions"]);
        assert!(distributions.contains(&"empirical") && distributions.contains(&"predicted"), "{distributions:?}");
        let of =
            |key: &str| exhibit["draws"].as_array().unwrap().iter().map(|draw| draw[key].clone()).collect::<Vec<_>>();
        for extractor in ["argmax", "random", "upwards", "alt-upwards"] {
            assert!(of("extractor").contains(&extractor.into()), "{extractor} in {:?}", of("extractor"));
        }
        assert!(of("from").contains(&"executor".into()));
        assert!(!exhibit["executions"].as_array().unwrap().is_empty());
    }
    assert!(names(&exhibits[0]["distributions"]).contains(&"exact"), "five vertices are few enough");
    let again = fs::read(folder.path().join("one/report.html")).unwrap();
    tiebreak(&["report", "one", "--threads", "1", "-o", "again.html"], folder.path());
    assert_eq!(fs::read(folder.path().join("again.html")).unwrap(), again, "the same page on any number of threads");
}

#[test]
fn two_runs_are_compared_on_the_same_graphs() {
    let folder = TempDir::new().unwrap();
    train("one", "bellman-ford", "0", folder.path());
    train("two", "bellman-ford", "1", folder.path());
    let (code, _, errors) = tiebreak(&["report", "one", "two", "-o", "both.html", "--title", "Both"], folder.path());
    assert_eq!(code, 0, "{errors}");
    let data = data_of(&folder.path().join("both.html"));
    assert_eq!((data["title"].as_str(), names(&data["runs"])), (Some("Both"), vec!["one", "two"]));
    let distributions = names(&data["results"][0]["exhibits"][0]["distributions"]);
    assert!(distributions.contains(&"predicted by one") && distributions.contains(&"predicted by two"));
}

fn results(valid: f64) -> Results {
    let number = Cell::Number(Number { ours: Some(valid), decimals: 2, ..Number::default() });
    let table = Table {
        name: "unique".to_owned(),
        columns: vec!["method".to_owned(), "valid".to_owned()],
        rows: vec![vec![Cell::Text("beam".to_owned()), number]],
        ..Table::default()
    };
    Results { name: "unique".to_owned(), tables: vec![table], ..Results::default() }
}

fn write_results(folder: &Path, results: &Results) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("results.json"), serde_json::to_string(results).unwrap()).unwrap();
}

#[test]
fn reproductions_are_found_in_their_folders_and_stand_side_by_side() {
    let folder = TempDir::new().unwrap();
    train("old/runs/dfs-0", "dfs", "0", folder.path());
    write_results(&folder.path().join("old/unique"), &results(0.25));
    write_results(&folder.path().join("new/unique"), &results(0.5));
    let (code, _, errors) = tiebreak(&["report", "old", "new", "-o", "page.html"], folder.path());
    assert_eq!(code, 0, "{errors}");
    let data = data_of(&folder.path().join("page.html"));
    assert_eq!(names(&data["runs"]), ["old/dfs-0"]);
    let table = &data["results"][0]["tables"][0];
    assert_eq!(table["columns"], serde_json::json!(["method", "valid · old", "valid · new"]));
    assert_eq!((&table["rows"][0][1]["ours"], &table["rows"][0][2]["ours"]), (&0.25.into(), &0.5.into()));
}

#[test]
fn what_cannot_be_shown_is_named_and_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::create_dir_all(place("empty")).unwrap();
    for (name, text) in [("cut", "{\"name\":"), ("other", "{\"nome\":\"x\"}")] {
        fs::create_dir_all(place(name)).unwrap();
        fs::write(place(name).join("results.json"), text).unwrap();
    }
    let mut ragged = results(0.5);
    ragged.tables[0].rows[0].pop();
    write_results(&place("ragged"), &ragged);
    let edges = vec![ExhibitEdge { tail: 0, head: 7, weight: None }];
    let exhibit = Exhibit { name: "x".to_owned(), vertices: vec!["a".to_owned()], edges, ..Exhibit::default() };
    write_results(&place("outside"), &Results { exhibits: vec![exhibit], ..Results::default() });
    train("spoilt", "dfs", "0", folder.path());
    fs::write(place("spoilt/best.safetensors"), b"no model").unwrap();
    for (name, message) in [
        ("nowhere", "cannot read nowhere"),
        ("empty", "holds neither a training run"),
        ("cut", "cut/results.json"),
        ("other", "unknown field `nome`"),
        ("ragged", "row 1: 1 cells for 2 columns"),
        ("outside", "edge 0 -> 7"),
        ("spoilt", "best.safetensors"),
    ] {
        let (code, output, errors) = tiebreak(&["report", name], folder.path());
        assert_eq!((code, output.as_str()), (2, ""), "{name}: {errors}");
        assert!(errors.contains(message) && !errors.contains("panicked"), "{name}: {errors}");
        assert!(!place(name).join("report.html").exists(), "{name}");
    }
}
