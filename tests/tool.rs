//! The tool as a person uses it: verdicts and exit codes, files that appear whole, bad input told clearly, seeds that hold.

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

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

/// What is wrong, the arguments (FILE stands for the file), the file's name and bytes, and what the message must say.
type BadInput = (&'static str, &'static [&'static str], &'static str, &'static [u8], &'static str);

const DFS: &[&str] = &["verify", "--algorithm", "dfs", "FILE"];
const PATHS: &[&str] = &["verify", "--algorithm", "bellman-ford", "FILE"];
const COUNT: &[&str] = &["count", "--algorithm", "dfs", "FILE"];
const COUNT_PATHS: &[&str] = &["count", "--algorithm", "bellman-ford", "--source", "a", "FILE"];
const EXTRACT: &[&str] = &["extract", "--algorithm", "dfs", "FILE", "--out", "out.jsonl"];

const BAD_INPUTS: &[BadInput] = &[
    ("an empty file", DFS, "x.jsonl", b"", "there is no case"),
    ("not JSON", DFS, "x.jsonl", b"hello\n", "line 1"),
    ("binary noise", DFS, "x.jsonl", b"\xff\xfe\x00\x80\n", "not UTF-8"),
    ("cut off", DFS, "x.jsonl", br#"{"n":2,"edges":[[0,1]"#, "line 1"),
    ("not an object", DFS, "x.jsonl", b"[1,2,3]\n", "line 1"),
    ("no parents", DFS, "x.jsonl", br#"{"n":2,"edges":[]}"#, "no \"parents\""),
    ("no edges", DFS, "x.jsonl", br#"{"n":2,"parents":[0,1]}"#, "edges"),
    ("a text for n", DFS, "x.jsonl", br#"{"n":"2","edges":[],"parents":[0,1]}"#, "column"),
    ("a negative n", DFS, "x.jsonl", br#"{"n":-2,"edges":[],"parents":[]}"#, "-2"),
    ("a fractional vertex", DFS, "x.jsonl", br#"{"n":2,"edges":[[0,0.5]],"parents":[0,1]}"#, "0.5"),
    ("an edge of one end", DFS, "x.jsonl", br#"{"n":2,"edges":[[0]],"parents":[0,1]}"#, "[tail, head]"),
    ("an edge of four", DFS, "x.jsonl", br#"{"n":2,"edges":[[0,1,1,1]],"parents":[0,1]}"#, "[tail, head]"),
    ("a vertex out of range", DFS, "x.jsonl", br#"{"n":2,"edges":[[0,7]],"parents":[0,1]}"#, "0 -> 7"),
    ("a negative vertex", DFS, "x.jsonl", br#"{"n":2,"edges":[[-1,0]],"parents":[0,1]}"#, "-1"),
    ("a parent out of range", DFS, "x.jsonl", br#"{"n":2,"edges":[],"parents":[0,9]}"#, "9"),
    ("too few parents", DFS, "x.jsonl", br#"{"n":3,"edges":[],"parents":[0,1]}"#, "2 parents, but n is 3"),
    ("2^63 vertices", DFS, "x.jsonl", br#"{"n":9223372036854775808,"edges":[],"parents":[0]}"#, "9223372036854775808"),
    ("an n beyond 64 bits", DFS, "x.jsonl", br#"{"n":99999999999999999999999,"edges":[],"parents":[0]}"#, "line 1"),
    ("an edge twice", DFS, "x.jsonl", br#"{"n":2,"edges":[[0,1],[0,1]],"parents":[0,0]}"#, "given twice"),
    ("the second line", DFS, "x.jsonl", b"{\"n\":1,\"edges\":[],\"parents\":[0]}\n{}\n", "line 2"),
    ("no source", PATHS, "x.jsonl", br#"{"n":2,"edges":[[0,1,1]],"parents":[0,0]}"#, "needs a source"),
    (
        "a source out of range",
        PATHS,
        "x.jsonl",
        br#"{"n":2,"edges":[[0,1,1]],"source":5,"parents":[0,0]}"#,
        "source is 5",
    ),
    ("no weights", PATHS, "x.jsonl", br#"{"n":2,"edges":[[0,1]],"source":0,"parents":[0,0]}"#, "weight"),
    ("a missing weight", PATHS, "x.jsonl", br#"{"n":2,"edges":[[0,1,1],[1,0]],"source":0,"parents":[0,0]}"#, "1 -> 0"),
    ("a negative weight", PATHS, "x.jsonl", br#"{"n":2,"edges":[[0,1,-1]],"source":0,"parents":[0,0]}"#, "weight -1"),
    ("a zero weight", PATHS, "x.jsonl", br#"{"n":2,"edges":[[0,1,0.0]],"source":0,"parents":[0,0]}"#, "weight 0"),
    ("NaN", PATHS, "x.jsonl", br#"{"n":2,"edges":[[0,1,NaN]],"source":0,"parents":[0,0]}"#, "line 1"),
    ("an infinite weight", PATHS, "x.jsonl", br#"{"n":2,"edges":[[0,1,1e999]],"source":0,"parents":[0,0]}"#, "1e999"),
    ("a text as weight", PATHS, "x.jsonl", br#"{"n":2,"edges":[[0,1,"1"]],"source":0,"parents":[0,0]}"#, "0 -> 1"),
    (
        "contradictory weights",
        PATHS,
        "x.jsonl",
        br#"{"n":2,"edges":[[0,1,1],[0,1,2]],"source":0,"parents":[0,0]}"#,
        "weights 1 and 2",
    ),
    (
        "weights too far apart",
        PATHS,
        "x.jsonl",
        br#"{"n":3,"edges":[[0,1,1e-28],[0,2,1e28]],"source":0,"parents":[0,0,0]}"#,
        "too large for exact path lengths",
    ),
    ("an unknown extension", COUNT, "x.xyz", b"a,b\n", ".csv"),
    ("node-link without edges", COUNT, "x.json", br#"{"nodes":[{"id":1}],"directed":true}"#, "edges"),
    ("an empty graph file", COUNT, "x.csv", b"", "x.csv"),
    ("an unknown weight", COUNT_PATHS, "x.csv", b"a,b,heavy\n", "heavy"),
    ("a weight that is not positive", COUNT_PATHS, "x.csv", b"a,b,1\nb,c,0\n", "b -> c has weight 0"),
    ("an edge list with an edge twice", COUNT, "x.csv", b"a,b\na,b\n", "a"),
    ("DIMACS with 2^63 vertices", COUNT, "x.gr", b"p sp 9223372036854775808 1\na 1 2 3\n", "9223372036854775808"),
    (
        "Matrix Market that promises too much",
        COUNT,
        "x.mtx",
        b"%%MatrixMarket matrix coordinate pattern general\n9 9 99\n1 2\n",
        "99",
    ),
    ("GraphML cut off", COUNT, "x.graphml", b"<graphml><graph edgedefault=\"directed\"><node id=\"a\"/>", "x.graphml"),
    ("a truncated .npz", COUNT, "x.npz", b"PK\x03\x04\x14\x00\x00\x00", "x.npz"),
    ("a .npy that is none", COUNT, "x.npy", b"not numpy at all", "x.npy"),
    ("DOT, which is for output", COUNT, "x.dot", b"digraph {}", "dot"),
    ("samples that are none", EXTRACT, "x.safetensors", b"\x08\x00\x00\x00\x00\x00\x00\x00{}      ", "samples"),
    ("a header that claims 2^60 bytes", EXTRACT, "x.safetensors", b"\x00\x00\x00\x00\x00\x00\x00\x10{}", "safetensors"),
    ("a distribution with NaN", EXTRACT, "x.jsonl", br#"{"n":1,"edges":[],"distribution":[[NaN]]}"#, "line 1"),
    ("a negative probability", EXTRACT, "x.jsonl", br#"{"n":1,"edges":[],"distribution":[[-1]]}"#, "-1"),
    (
        "a distribution of the wrong shape",
        EXTRACT,
        "x.jsonl",
        br#"{"n":2,"edges":[],"distribution":[[1,0]]}"#,
        "1 rows",
    ),
    ("no distribution", EXTRACT, "x.jsonl", br#"{"n":1,"edges":[]}"#, "no distribution"),
    ("probabilities without adjacency", EXTRACT, "x.npy", b"junk", "x.npy"),
];

#[test]
fn bad_input_gets_a_clear_message_and_leaves_nothing_behind() {
    assert!(BAD_INPUTS.len() >= 30);
    for (what, arguments, name, bytes, message) in BAD_INPUTS {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(name), bytes).unwrap();
        let arguments: Vec<&str> = arguments.iter().map(|&word| if word == "FILE" { *name } else { word }).collect();
        let (code, _, error) = tiebreak(&arguments, folder.path(), b"");
        assert_eq!(code, 2, "{what}: {error}");
        assert!(error.contains(message), "{what}: {error}");
        assert!(error.contains(name), "{what}: the file is not named: {error}");
        assert!(!error.contains("panicked"), "{what}: {error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{what}: something was left behind");
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
        (&["verify", "--algorithm", "bellman-ford", "--restarts", "any", "-"], "--restarts is for dfs"),
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
    assert_eq!((code, output.lines().count()), (0, 4));
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
        assert_eq!(candidates.lines().count(), 4 * 4 * 3);
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
