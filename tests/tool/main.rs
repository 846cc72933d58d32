//! The tool as a person uses it: verdicts and exit codes, files that appear whole, bad input told clearly, seeds that hold.

mod bad_input;
mod own_answers;

use assert_cmd::Command;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tiebreak::problems::{ALGORITHMS, by_name};

fn tiebreak(arguments: &[&str], folder: &Path, input: &[u8]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tiebreak").unwrap();
    let output = command.args(arguments).current_dir(folder).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn verdicts_name_the_vertex_the_rule_and_the_edge() {
    let folder = TempDir::new().unwrap();
    let cases = r#"{"n":3,"edges":[[0,1],[0,2],[1,2]],"parents":[0,0,1],"note":"other keys are ignored"}

{"n":3,"edges":[[0,1],[0,2],[1,2]],"parents":[0,0,0]}
{"n":4,"edges":[[0,1],[0,2],[1,2],[1,3],[2,3]],"parents":[0,0,0,1]}
"#;
    let (code, output, summary) = tiebreak(&["verify", "--algorithm", "dfs", "-"], folder.path(), cases.as_bytes());
    assert_eq!(code, 1);
    let lines: Vec<serde_json::Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], serde_json::json!({"line": 1, "valid": true}));
    assert_eq!((&lines[1]["line"], &lines[1]["valid"]), (&3.into(), &true.into()), "{output}");
    assert_eq!((&lines[2]["vertex"], &lines[2]["rule"]), (&1.into(), &"sibling-order".into()));
    assert_eq!(lines[2]["edge"], serde_json::json!([1, 2]));
    assert_eq!(summary.trim(), "2 of 3 valid");
}

#[test]
fn restarts_and_sources_are_honoured() {
    let folder = TempDir::new().unwrap();
    let any = br#"{"n":2,"edges":[[1,0]],"parents":[1,1]}"#;
    assert_eq!(tiebreak(&["verify", "-a", "dfs", "-"], folder.path(), any).0, 1);
    assert_eq!(tiebreak(&["verify", "-a", "dfs", "--restarts", "any", "-"], folder.path(), any).0, 0);
    let paths = br#"{"n":3,"edges":[[0,1,0.1],[1,2,0.2],[0,2,0.3]],"source":0,"parents":[0,0,0]}"#;
    assert_eq!(tiebreak(&["verify", "-a", "bellman-ford", "-"], folder.path(), paths).0, 0);
}

/// The square with one diagonal: each edge stands once and goes both ways.
const SQUARE: &str = r#"{"n":4,"edges":[[0,1,1],[1,2,1],[2,3,1],[0,3,1],[0,2,2]],"undirected":true,"source":0"#;

#[test]
fn an_undirected_edge_stands_once_and_goes_both_ways() {
    let folder = TempDir::new().unwrap();
    let case = |parents: &str| format!("{SQUARE},\"parents\":{parents}}}\n");
    let cases = [case("[0,0,1,0]"), case("[0,2,3,0]"), case("[0,0,0,0]"), case("[0,0,1,1]")].concat();
    let valid = |algorithm: &str| {
        let (_, output, error) = tiebreak(&["verify", "-a", algorithm, "-"], folder.path(), cases.as_bytes());
        let verdict = |line| serde_json::from_str::<serde_json::Value>(line).unwrap()["valid"].as_bool().unwrap();
        assert_eq!(output.lines().count(), 4, "{error}");
        output.lines().map(verdict).collect::<Vec<bool>>()
    };
    assert_eq!(valid("prim"), [true, true, false, false]);
    assert_eq!(valid("bellman-ford"), [true, false, true, false]);
    assert_eq!(valid("bfs"), [false, false, true, false]);
}

#[test]
fn cases_are_counted_line_by_line() {
    let folder = TempDir::new().unwrap();
    let cases = format!("{SQUARE}}}\n\n{{\"n\":2,\"edges\":[],\"source\":1,\"parents\":[1,1]}}\n");
    let count =
        |algorithm: &str| tiebreak(&["count", "-a", algorithm, "--cases", "-"], folder.path(), cases.as_bytes());
    for (algorithm, square) in [("prim", 4), ("bellman-ford", 3), ("dijkstra", 3), ("bfs", 1), ("dfs", 3)] {
        let (code, output, error) = count(algorithm);
        let expected = format!("{{\"line\":1,\"count\":\"{square}\"}}\n{{\"line\":3,\"count\":\"1\"}}\n");
        assert_eq!((code, output), (0, expected), "{algorithm}: {error}");
    }
}

#[test]
fn the_names_of_dm_clrs_are_understood() {
    let folder = TempDir::new().unwrap();
    for (theirs, ours) in [
        ("bellman_ford", "bellman-ford"),
        ("mst_prim", "prim"),
        ("dag_shortest_paths", "dag-shortest-paths"),
        ("dfs_any_restart", "dfs-any-restart"),
    ] {
        let rows = |name: &str| {
            let arguments = ["evaluate", "-a", name, "--json", "-n", "5", "--graphs", "2"];
            let (code, output, error) = tiebreak(&arguments, folder.path(), b"");
            assert_eq!(code, 0, "{error}");
            output
        };
        assert!(rows(theirs).contains(&format!("\"algorithm\":\"{ours}\"")));
        assert_eq!(rows(theirs), rows(ours));
    }
}

#[test]
fn wrong_usage_is_told_as_such() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("directory.csv")).unwrap();
    for (arguments, message) in [
        (&["verify", "--algorithm", "dfs", "missing.jsonl"][..], "missing.jsonl"),
        (&["verify", "--algorithm", "dfs", "."], "irectory"),
        (&["count", "--algorithm", "dfs", "directory.csv"], "irectory"),
        (&["verify", "--algorithm", "quicksort", "-"], "quicksort"),
        (&["verify", "--algorithm", "bellman-ford", "--restarts", "any", "-"], "bellman-ford has no restarts"),
        (&["evaluate", "--p", "1.5"], "a probability"),
        (&["evaluate", "--size", "0"], "--size 0"),
        (&["evaluate", "--extractor", "magic"], "'magic' is not an extractor"),
        (&["evaluate", "-a", "dfs", "--size", "9", "--distribution", "exact"], "n = 8"),
        (&["generate", "-a", "dfs", "-n", "3", "--graphs", "1", "--out", "no/such/folder/x.jsonl"], "no/such/folder"),
        (&["train", "--algorithm", "dfs", "--set", "stpes=1"], "stpes"),
        (&["train", "--resume", "nowhere"], "nowhere"),
        (&["bogus"], "bogus"),
    ] {
        let (code, output, error) = tiebreak(arguments, folder.path(), b"");
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
        assert_eq!(output, "", "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secret.jsonl");
    fs::write(&path, b"{}").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return; // Whoever may read everything cannot be refused.
    }
    let (code, _, error) = tiebreak(&["verify", "-a", "dfs", "secret.jsonl"], folder.path(), b"");
    assert!(code == 2 && error.contains("secret.jsonl"), "{error}");
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_one_thread_and_on_two() {
    let folder = TempDir::new().unwrap();
    for command in [
        &["evaluate", "--json", "-n", "5", "-n", "12", "--graphs", "8"][..],
        &["evaluate", "--json", "-n", "6", "--graphs", "8", "--distribution", "exact", "--ties", "free"],
        &["generate", "-a", "bellman-ford", "-n", "9", "--graphs", "8", "--preset", "authors"],
    ] {
        let on = |threads: &str, seed: &str| {
            let arguments: Vec<&str> = command.iter().copied().chain(["--threads", threads, "--seed", seed]).collect();
            tiebreak(&arguments, folder.path(), b"")
        };
        let (one, two, other) = (on("1", "7"), on("2", "7"), on("2", "8"));
        assert_eq!(one.0, 0, "{}", one.2);
        assert_eq!(one.1, two.1);
        assert_ne!(one.1, other.1);
    }
}

#[test]
fn rows_for_machines_have_the_promised_keys() {
    let folder = TempDir::new().unwrap();
    let (code, output, _) =
        tiebreak(&["evaluate", "-a", "dfs", "--json", "-n", "5", "--graphs", "4", "--draws", "3"], folder.path(), b"");
    assert_eq!((code, output.lines().count()), (0, 5));
    for line in output.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        for key in [
            "algorithm",
            "size",
            "p",
            "graphs",
            "draws",
            "distribution",
            "extractor",
            "valid",
            "weak_valid",
            "unique",
            "unique_valid",
            "accuracy",
            "coverage",
            "edge_reuse",
        ] {
            assert!(!row[key].is_null(), "{key} in {line}");
        }
    }
}

/// The paper had a weaker check for its own algorithms; a row of another has nothing to say there.
#[test]
fn a_row_without_a_weak_check_says_so() {
    let folder = TempDir::new().unwrap();
    let (_, output, error) = tiebreak(&["evaluate", "--json", "-n", "4", "--graphs", "2"], folder.path(), b"");
    let rows: Vec<serde_json::Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let algorithms: BTreeSet<&str> = rows.iter().map(|row| row["algorithm"].as_str().unwrap()).collect();
    assert_eq!(algorithms, ALGORITHMS.iter().map(|algorithm| algorithm.name()).collect(), "{error}");
    for row in &rows {
        let has_one = ["dfs", "dfs-any-restart", "bellman-ford"].contains(&row["algorithm"].as_str().unwrap());
        assert_eq!((row["weak_valid"].is_null(), row["weak_accuracy"].is_null()), (!has_one, !has_one), "{row}");
    }
}

#[test]
fn the_pipeline_runs_from_file_to_file() {
    let folder = TempDir::new().unwrap();
    for (algorithm, file) in [("dfs", "d.safetensors"), ("bellman-ford", "b.jsonl")] {
        let run = |arguments: &[&str]| tiebreak(arguments, folder.path(), b"");
        let made = run(&["generate", "-a", algorithm, "-n", "5", "--graphs", "4", "--out", file]);
        assert_eq!(made.0, 0, "{}", made.2);
        let drawn = run(&["extract", "-a", algorithm, file, "--draws", "3", "--out", "candidates.jsonl"]);
        assert_eq!(drawn.0, 0, "{}", drawn.2);
        let (_, verdicts, _) = run(&["verify", "-a", algorithm, "candidates.jsonl"]);
        let candidates = fs::read_to_string(folder.path().join("candidates.jsonl")).unwrap();
        let extractors = by_name(algorithm).unwrap().problem().extractors.len();
        assert_eq!(candidates.lines().count(), 4 * extractors * 3);
        for (candidate, verdict) in candidates.lines().zip(verdicts.lines()) {
            let parse = |line| serde_json::from_str::<serde_json::Value>(line).unwrap();
            assert_eq!(parse(candidate)["valid"], parse(verdict)["valid"]);
        }
    }
}

/// Arrays as somebody else's program saves them; a matrix of probabilities is written as if it were a graph's weights.
#[test]
fn candidates_are_drawn_from_arrays() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| tiebreak(arguments, folder.path(), b"");
    fs::write(folder.path().join("edges.csv"), "a,b,1\nb,c,2\na,c,3\n").unwrap();
    fs::write(folder.path().join("rows.csv"), "a,a,1\nb,a,1\nc,a,0.25\nc,b,0.75\n").unwrap();
    assert_eq!(run(&["convert", "edges.csv", "adjacency.npy"]).0, 0);
    assert_eq!(run(&["convert", "rows.csv", "probabilities.npy"]).0, 0);
    let arrays = ["extract", "probabilities.npy", "--adjacency", "adjacency.npy", "--draws", "20"];
    let (code, output, error) = run(&[&arrays[..], &["-a", "bellman-ford", "--source", "0"]].concat());
    assert_eq!((code, output.lines().count()), (0, 80), "{error}");
    for line in output.lines().filter(|line| !line.contains(r#""extractor":"random""#)) {
        assert!(line.contains(r#""valid":true"#), "{line}");
    }
    let (code, _, error) = run(&[&arrays[..], &["-a", "bellman-ford"]].concat());
    assert!(code == 2 && error.contains("give --source"), "{error}");
    let (code, output, error) = run(&[&arrays[..], &["-a", "dfs", "--extractor", "argmax"]].concat());
    assert_eq!((code, output.lines().count()), (0, 20), "{error}");
}

#[test]
fn counting_listing_and_drawing_a_graph_of_ones_own() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("roads.csv"), "from,to,km\nhome,shop,0.1\nshop,work,0.2\nhome,work,0.3\n").unwrap();
    let run = |arguments: &[&str]| tiebreak(arguments, folder.path(), b"");
    let (code, output, error) =
        run(&["count", "-a", "bellman-ford", "--source", "home", "--list", "5", "--json", "roads.csv"]);
    assert_eq!(code, 0, "{error}");
    let counted: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(counted["count"], "2", "0.1 + 0.2 ties with 0.3");
    assert_eq!(counted["solutions"][1]["names"], serde_json::json!(["home", "home", "shop"]));
    let (code, _, error) = run(&["convert", "roads.csv", "roads.dot", "--parents", "home,home,shop"]);
    assert_eq!(code, 0, "{error}");
    assert!(fs::read_to_string(folder.path().join("roads.dot")).unwrap().contains("work"));
    for (format, source) in [
        ("tsv", "home"),
        ("edges", "home"),
        ("json", "home"),
        ("graphml", "home"),
        ("mtx", "1"),
        ("npy", "0"),
        ("npz", "0"),
    ] {
        let file = format!("roads.{format}");
        assert_eq!(run(&["convert", "roads.csv", &file]).0, 0, "{format}");
        let (_, output, error) = run(&["count", "-a", "bellman-ford", "--source", source, "--json", &file]);
        assert!(output.contains("\"count\":\"2\""), "{format}: {output}{error}");
    }
    // DIMACS has whole numbers only.
    let (code, _, error) = run(&["convert", "roads.csv", "roads.gr"]);
    assert!(code == 2 && error.contains("0.1"), "{error}");
}

#[test]
fn every_command_has_help_with_an_example() {
    let folder = TempDir::new().unwrap();
    for command in ["solve", "generate", "extract", "verify", "train", "predict", "evaluate", "count", "convert"] {
        let (code, help, _) = tiebreak(&[command, "--help"], folder.path(), b"");
        assert_eq!(code, 0);
        assert!(help.contains("Example") && help.contains("--seed") && help.contains("--json"), "{command}: {help}");
    }
}
