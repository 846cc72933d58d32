//! `tiebreak learn` and `tiebreak solve --cost` as a person uses them.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tiebreak::learn::city::{City, CitySettings};

fn tiebreak(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output = Command::cargo_bin("tiebreak").unwrap().args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A folder with a small city and sixty trips.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let city = City::new(&CitySettings { columns: 5, rows: 5, ..CitySettings::default() });
    fs::write(folder.path().join("roads.csv"), city.table()).unwrap();
    fs::write(folder.path().join("trips.jsonl"), city.lines(&city.trips(60, 0))).unwrap();
    folder
}

const LEARN: &[&str] = &[
    "learn",
    "roads.csv",
    "--columns",
    "from,to",
    "--features",
    "length,class,oneway,turn",
    "--observed",
    "trips.jsonl",
    "--bootstrap",
    "10",
    "--out",
];

#[test]
fn a_cost_is_learnt_told_used_and_resumed_to_the_bit() {
    let folder = folder();
    let (code, output, error) = tiebreak(&[LEARN, &["cost"]].concat(), folder.path());
    assert_eq!(code, 0, "{error}");
    for fragment in [
        "A cost learnt from 60 observations",
        "length (per",
        "`length` alone",
        "Under the learnt cost an observed route is within",
    ] {
        assert!(output.contains(fragment), "{fragment}: {output}");
    }
    let account: Value = serde_json::from_slice(&fs::read(folder.path().join("cost/account.json")).unwrap()).unwrap();
    assert!(
        account["held_out"]["exact"].as_f64().unwrap()
            >= account["baselines"][0]["fit"]["exact"].as_f64().unwrap() - 0.1
    );
    // A run that was killed after some trials, in the middle of a line.
    let log = fs::read_to_string(folder.path().join("cost/log.jsonl")).unwrap();
    fs::create_dir(folder.path().join("killed")).unwrap();
    fs::copy(folder.path().join("cost/settings.toml"), folder.path().join("killed/settings.toml")).unwrap();
    fs::write(folder.path().join("killed/log.jsonl"), &log[..log.len() / 3]).unwrap();
    let (code, _, error) = tiebreak(&[LEARN, &["killed"]].concat(), folder.path());
    assert!(code == 2 && error.contains("already holds a cost"), "{error}");
    let (code, again, error) = tiebreak(&[LEARN, &["killed", "--resume", "--threads", "1"]].concat(), folder.path());
    assert_eq!(code, 0, "{error}");
    assert_eq!(again.replace("killed", "cost"), output);
    for file in ["cost.safetensors", "log.jsonl", "account.json"] {
        let read = |run: &str| fs::read(folder.path().join(run).join(file)).unwrap();
        assert_eq!(read("cost"), read("killed"), "{file}");
    }
    // Routes, without a word about columns, weights or an algorithm.
    let path = serde_json::from_str::<Value>(
        fs::read_to_string(folder.path().join("trips.jsonl")).unwrap().lines().next().unwrap(),
    )
    .unwrap();
    let path_of_trip = path["path"].as_array().unwrap();
    let (from, to) = (path_of_trip[0].as_str().unwrap(), path_of_trip[path_of_trip.len() - 1].as_str().unwrap());
    let solve =
        ["solve", "roads.csv", "--cost", "cost", "--source", from, "--to", to, "-k", "5", "--within", "auto", "--json"];
    let (code, output, error) = tiebreak(&solve, folder.path());
    assert_eq!(code, 0, "{error}");
    assert!(error.contains("under the learnt cost") && error.contains("weights from the learnt cost cost"), "{error}");
    let answer: Value = serde_json::from_str(&output).unwrap();
    let tau = account["calibration"]["tau"].as_f64().unwrap();
    assert!((answer["within"].as_f64().unwrap() - tau).abs() <= 1.1e-4, "{answer}");
    fs::write(folder.path().join("queries.jsonl"), format!("{{\"from\":\"{from}\",\"to\":\"{to}\"}}\n")).unwrap();
    let queries =
        ["solve", "roads.csv", "--cost", "cost", "--queries", "queries.jsonl", "-k", "5", "--jsonl", "routes.jsonl"];
    let (code, _, error) = tiebreak(&queries, folder.path());
    assert_eq!(code, 0, "{error}");
    let routes: Value = serde_json::from_slice(&fs::read(folder.path().join("routes.jsonl")).unwrap()).unwrap();
    assert_eq!(routes["routes"][0]["path"], answer["routes"][0]["path"]);
    assert_eq!(routes["routes"].as_array().unwrap().len(), 5);
    let (code, _, error) = tiebreak(&[&solve[..], &["--context", "hour=3"]].concat(), folder.path());
    assert!(code == 2 && error.contains("learnt with no context"), "{error}");
    let (code, _, error) = tiebreak(
        &["solve", "roads.csv", "--weight", "length", "-a", "dijkstra", "--source", from, "--within", "auto"],
        folder.path(),
    );
    assert!(code == 2 && error.contains("--within auto needs a learnt --cost"), "{error}");
    // The page has the routes that were found, and beside them the one that was observed.
    let (code, _, error) = tiebreak(&[&solve[..], &["--html", "routes.html"]].concat(), folder.path());
    assert_eq!(code, 0, "{error}");
    let exhibit = &data_of(&folder.path().join("routes.html"))["results"][0]["exhibits"][0];
    assert_eq!(exhibit["learnt"], true);
    let names = exhibit["vertices"].as_array().unwrap();
    let is_observed = |route: &&Value| {
        let path = route["path"].as_array().unwrap().iter().map(|at| names[at.as_u64().unwrap() as usize].clone());
        route["observed"] == true && path.eq(path_of_trip.iter().cloned())
    };
    assert_eq!(exhibit["routes"].as_array().unwrap().iter().filter(is_observed).count(), 1, "{}", exhibit["routes"]);
}

#[test]
fn a_question_may_have_its_own_context() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("roads.csv", "from,to,kind,length\nA,B,x,1.5\nB,D,x,1.5\nA,C,y,1.25\nC,D,y,1.5\n");
    let both = "{\"path\":[\"A\",\"B\",\"D\"],\"hour\":8.5}\n{\"path\":[\"A\",\"C\",\"D\"],\"hour\":17.5}\n";
    write("trips.jsonl", &both.repeat(20));
    let learn = ["learn", "roads.csv", "--context", "hour", "--observed", "trips.jsonl", "--bootstrap", "0"];
    let quick = ["--model", "linear", "--per-edge", "no", "--out", "cost"];
    let (code, _, error) = tiebreak(&[&learn[..], &quick].concat(), folder.path());
    assert_eq!(code, 0, "{error}");
    let ends = "\"from\":\"A\",\"to\":\"D\"";
    write(
        "queries.jsonl",
        &format!("{{{ends},\"hour\":8.5}}\n{{{ends},\"hour\":17.5}}\n{{{ends}}}\n{{{ends},\"hour\":8.5}}\n"),
    );
    let (code, output, error) =
        tiebreak(&["solve", "roads.csv", "--cost", "cost", "--queries", "queries.jsonl", "-k", "1"], folder.path());
    assert_eq!(code, 0, "{error}");
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let through = |place: usize| answers[place]["routes"][0]["path"][1].as_str().unwrap();
    assert_eq!((answers.len(), through(0), through(1), through(3)), (4, "B", "C", "B"));
    assert_eq!(answers[1]["hour"], 17.5);
    write("queries.jsonl", &format!("{{{ends},\"hour\":[1]}}\n"));
    let (code, _, error) =
        tiebreak(&["solve", "roads.csv", "--cost", "cost", "--queries", "queries.jsonl", "-k", "1"], folder.path());
    assert!(code == 2 && error.contains("neither a number nor a word"), "{error}");
}

/// The data that the scripts of a page read.
fn data_of(page: &Path) -> Value {
    let text = fs::read_to_string(page).unwrap();
    let (_, rest) = text.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_shows_effects_calibration_and_routes_beside_the_observed_ones() {
    let folder = folder();
    let (code, _, error) = tiebreak(&[LEARN, &["cost"]].concat(), folder.path());
    assert_eq!(code, 0, "{error}");
    let (code, output, error) = tiebreak(&["report", "cost"], folder.path());
    assert!(code == 0 && output.starts_with("cost/report.html"), "{error}");
    let results = &data_of(&folder.path().join("cost/report.html"))["results"][0];
    let account: Value = serde_json::from_slice(&fs::read(folder.path().join("cost/account.json")).unwrap()).unwrap();
    let effects = account["effects"].as_array().unwrap();
    assert_eq!(results["tables"][0]["rows"].as_array().unwrap().len(), effects.len());
    assert_eq!(results["tables"][0]["rows"][0][1]["ours"], effects[0]["percent"]);
    let curve = results["figures"][1]["panels"][0]["series"][0]["points"].as_array().unwrap();
    assert!(
        curve.len() >= 8 && curve.windows(2).all(|pair| pair[0]["y"].as_f64() <= pair[1]["y"].as_f64()),
        "{curve:?}"
    );
    let exhibits = results["exhibits"].as_array().unwrap();
    assert_eq!(exhibits.len(), 8);
    let lines = fs::read_to_string(folder.path().join("trips.jsonl")).unwrap();
    for exhibit in exhibits {
        let names = exhibit["vertices"].as_array().unwrap();
        let routes = exhibit["routes"].as_array().unwrap();
        let path = |route: &Value| -> Vec<Value> {
            route["path"].as_array().unwrap().iter().map(|at| names[at.as_u64().unwrap() as usize].clone()).collect()
        };
        assert!(lines.contains(&serde_json::json!({"path": path(&routes[0])}).to_string()), "it was observed");
        let length = |route: &Value| route["length"].as_str().unwrap().parse::<f64>().unwrap();
        for route in routes {
            let gap = length(route) / length(&routes[1]) - 1.0;
            assert!((gap - route["gap"].as_f64().unwrap()).abs() < 1e-9, "{route}");
        }
    }
}

#[test]
fn bad_input_is_refused_with_file_line_and_reason() {
    let folder = folder();
    let lines = fs::read_to_string(folder.path().join("trips.jsonl")).unwrap();
    let cases = [
        (format!("{lines}{{\"path\":[\"L0\",\"L0x\"]}}\n"), "bad.jsonl: line 61: there is no vertex 'L0x'"),
        (format!("{lines}\n{{\"path\":[\"L0\""), "bad.jsonl: line 62: not a JSON object"),
        ("{\"path\":[\"L0\",\"L40\"]}".to_owned(), "line 1: the step 'L0' -> 'L40' is not in the graph"),
        (String::new(), "there is no observation in it"),
    ];
    for (text, fragment) in cases {
        fs::write(folder.path().join("bad.jsonl"), text).unwrap();
        let arguments = ["learn", "roads.csv", "--observed", "bad.jsonl", "--out", "bad"];
        let (code, output, error) = tiebreak(&arguments, folder.path());
        assert!(code == 2 && error.contains(fragment) && output.is_empty(), "{fragment}: {error}");
        assert!(!folder.path().join("bad").exists(), "nothing is left behind");
    }
    let (code, _, error) = tiebreak(
        &["learn", "roads.csv", "--features", "lenght", "--observed", "trips.jsonl", "--out", "x"],
        folder.path(),
    );
    assert!(code == 2 && error.contains("there is no column `lenght`") && !folder.path().join("x").exists(), "{error}");
    let (code, _, error) =
        tiebreak(&["solve", "roads.csv", "--cost", "nowhere", "--source", "L0", "--to", "L1"], folder.path());
    assert!(code == 2 && error.contains("no directory of `tiebreak learn`"), "{error}");
}

#[test]
fn held_out_trips_are_shown_where_their_vertices_lie() {
    let folder = TempDir::new().unwrap();
    let name = |x: usize, y: usize| format!("{x}-{y}");
    let places = || (0..16).map(|place| (place % 4, place / 4));
    let nodes: Vec<Value> = places()
        .map(|(x, y)| serde_json::json!({"id": name(x, y), "x": 10.0 * x as f64, "y": 5.0 + y as f64}))
        .collect();
    let right = places().filter(|&(x, _)| x < 3).map(|(x, y)| (name(x, y), name(x + 1, y), 1.0 + y as f64));
    let up = places().filter(|&(_, y)| y < 3).map(|(x, y)| (name(x, y), name(x, y + 1), 1.5));
    let links: Vec<Value> = right
        .chain(up)
        .map(|(tail, head, length)| serde_json::json!({"source": tail, "target": head, "length": length}))
        .collect();
    let graph = serde_json::json!({"directed": true, "multigraph": false, "graph": {}, "nodes": nodes, "links": links});
    fs::write(folder.path().join("roads.json"), graph.to_string()).unwrap();
    let trip = "{\"path\":[\"0-0\",\"1-0\",\"2-0\",\"2-1\",\"2-2\"]}\n";
    fs::write(folder.path().join("trips.jsonl"), trip.repeat(20)).unwrap();
    let learn = ["learn", "roads.json", "--observed", "trips.jsonl", "--bootstrap", "0", "--features", "length"];
    let (code, _, error) = tiebreak(&[&learn[..], &["--true-cost", "length", "--out", "cost"]].concat(), folder.path());
    assert!(code == 2 && error.contains("`length` is the true cost"), "{error}");
    assert!(!folder.path().join("cost/account.json").exists());
    let (code, _, error) = tiebreak(&[&learn[..], &["--out", "cost"]].concat(), folder.path());
    assert_eq!(code, 0, "{error}");
    let (code, _, error) = tiebreak(&["report", "cost"], folder.path());
    assert_eq!(code, 0, "{error}");
    let exhibit = &data_of(&folder.path().join("cost/report.html"))["results"][0]["exhibits"][0];
    let (names, positions) = (exhibit["vertices"].as_array().unwrap(), exhibit["positions"].as_array().unwrap());
    assert!(names.len() >= 5 && names.len() == positions.len());
    for (name, position) in names.iter().zip(positions) {
        let (x, y) = name.as_str().unwrap().split_once('-').unwrap();
        let [x, y] = [x, y].map(|text| text.parse::<f64>().unwrap());
        assert_eq!(*position, serde_json::json!([10.0 * x, 5.0 + y]), "{name}");
    }
}
