//! `tiebreak solve --to` and `--queries` as a person uses them.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn run(arguments: &[&str], folder: &Path, columns: Option<&str>) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tiebreak").unwrap();
    command.args(arguments).current_dir(folder).env_remove("COLUMNS");
    if let Some(columns) = columns {
        command.env("COLUMNS", columns);
    }
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn tiebreak(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    run(arguments, folder, None)
}

fn json(arguments: &[&str], folder: &Path) -> Value {
    let (_, output, error) = tiebreak(&[arguments, &["--json"]].concat(), folder);
    serde_json::from_str(&output).unwrap_or_else(|_| panic!("{output}{error}"))
}

/// Roads around a harbour, both ways; Lighthouse is on an island.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let roads = "from,to,km\nHarbour,Mill,1.5\nMill,Station,2\nHarbour,Quay,2.05\nQuay,Station,1.5\nStation,Museum,0.5\n\
                 Mill,Museum,2.75\nQuay,\"Old Town, North\",4\n\"Old Town, North\",Museum,4\nLighthouse,Pier,1\n";
    fs::write(folder.path().join("roads.csv"), roads).unwrap();
    folder
}

const ROUTES: &[&str] =
    &["solve", "roads.csv", "--undirected", "--weight", "km", "-a", "dijkstra", "--source", "Harbour"];

fn routes(more: &[&str]) -> Vec<&'static str> {
    let more: Vec<&'static str> =
        more.iter().map(|word| -> &'static str { Box::leak((*word).to_owned().into_boxed_str()) }).collect();
    [ROUTES, &more].concat()
}

#[test]
fn routes_come_in_order_of_length_with_their_gaps() {
    let folder = folder();
    let answer = json(&routes(&["--to", "Museum", "-k", "3"]), folder.path());
    let expected = json!([
        {"path": ["Harbour", "Mill", "Station", "Museum"], "length": "4", "gap": 0.0},
        {"path": ["Harbour", "Quay", "Station", "Museum"], "length": "4.05", "gap": 0.0125},
        {"path": ["Harbour", "Mill", "Museum"], "length": "4.25", "gap": 0.0625},
    ]);
    assert_eq!(answer["routes"], expected);
    assert_eq!(
        (&answer["from"], &answer["to"], &answer["answer"]),
        (&json!("Harbour"), &json!("Museum"), &json!("found"))
    );
    assert_eq!(answer["distance"], "4");
    let (code, text, _) = tiebreak(&routes(&["--to", "Museum", "-k", "3"]), folder.path());
    assert_eq!(code, 0);
    assert!(text.starts_with("the shortest 3 routes from Harbour to Museum, each verified:\n"), "{text}");
    assert!(text.contains("1. length    4           Harbour -> Mill -> Station -> Museum\n"), "{text}");
    assert!(text.contains("3. length 4.25  +6.25 %  Harbour -> Mill -> Museum\n"), "{text}");
}

#[test]
fn all_routes_within_a_tolerance_are_counted() {
    let folder = folder();
    for (within, count, text) in [
        ("5%", "2", "both routes within 5 % of the shortest from Harbour to Museum"),
        ("0.0625", "3", "all 3 routes within 6.25 % of the shortest"),
        ("6.2499%", "2", "both routes within 6.2499 %"),
        ("0", "1", "the only route within 0 % of the shortest"),
    ] {
        let arguments = routes(&["--to", "Museum", "--within", within]);
        assert_eq!(json(&arguments, folder.path())["count"], count, "{within}");
        let (code, output, error) = tiebreak(&arguments, folder.path());
        assert_eq!(code, 0, "{error}");
        assert!(output.contains(text), "{output}");
    }
    let (_, output, _) = tiebreak(&routes(&["--to", "Museum", "--within", "0"]), folder.path());
    assert!(output.contains("--within") && output.contains("--round"), "both ways out: {output}");
    let (_, output, _) = tiebreak(&routes(&["--to", "Museum", "--within", "7%", "-k", "1"]), folder.path());
    assert!(output.starts_with("the shortest route of all 3 within 7 %"), "{output}");
}

#[test]
fn diverse_routes_share_little() {
    let folder = folder();
    let answer = json(&routes(&["--to", "Museum", "-k", "3", "--diverse"]), folder.path());
    let paths: Vec<&Value> = answer["routes"].as_array().unwrap().iter().map(|route| &route["path"]).collect();
    assert_eq!(paths[0], &json!(["Harbour", "Mill", "Station", "Museum"]));
    assert_eq!(paths[1], &json!(["Harbour", "Quay", "Station", "Museum"]), "0.5 of 4 km are shared");
    let none = json(&routes(&["--to", "Museum", "-k", "3", "--diverse", "--share", "0"]), folder.path());
    let second = &none["routes"][1]["path"];
    assert_eq!(second, &json!(["Harbour", "Quay", "Old Town, North", "Museum"]));
}

#[test]
fn what_cannot_be_reached_is_said() {
    let folder = folder();
    let (code, output, error) = tiebreak(&routes(&["--to", "Lighthouse"]), folder.path());
    assert_eq!((code, output.as_str()), (1, "Lighthouse cannot be reached from Harbour\n"), "{error}");
    assert!(error.contains("8 vertices, 9 undirected edges, weights from `km`, source Harbour; 2 vertices cannot be reached: Lighthouse, Pier"), "{error}");
    let answer = json(&routes(&["--to", "Lighthouse"]), folder.path());
    assert_eq!((&answer["answer"], &answer["routes"]), (&json!("impossible"), &json!([])));
    assert_eq!(answer["reason"], "Lighthouse cannot be reached from Harbour");
    // The file says nothing of directions; read as one-way roads, less is reached, and the remedy is named.
    let one_way = ["solve", "roads.csv", "--weight", "km", "-a", "dijkstra", "--source", "Museum", "-k", "1"];
    let (code, _, error) = tiebreak(&one_way, folder.path());
    assert_eq!(code, 0);
    assert!(error.contains("7 vertices cannot be reached: Harbour, Mill, Station, Quay, Old Town, North and 2 more (5 of them can be with --undirected"), "{error}");
}

#[test]
fn demands_hold_for_routes() {
    let folder = folder();
    let paths = |more: &[&str]| {
        let answer = json(&routes(&[&["--to", "Museum"], more].concat()), folder.path());
        answer["routes"].as_array().unwrap().iter().map(|route| route["path"].to_string()).collect::<Vec<_>>()
    };
    let all = paths(&[]);
    let has = |path: &String, one: &str, other: &str| {
        path.contains(&format!("\"{one}\",\"{other}\"")) || path.contains(&format!("\"{other}\",\"{one}\""))
    };
    let avoiding: Vec<String> = all.iter().filter(|path| !has(path, "Mill", "Station")).cloned().collect();
    assert_eq!(paths(&["--avoid", "Station,Mill"]), avoiding);
    let requiring: Vec<String> = all.iter().filter(|path| has(path, "Quay", "Old Town, North")).cloned().collect();
    assert!(!requiring.is_empty() && requiring.len() < all.len());
    // Quotes as in CSV, for a name with a comma.
    assert_eq!(paths(&["--require", "Quay,\"Old Town, North\""]), requiring);
    assert_eq!(paths(&["--require", "\"Old Town, North\", Quay"]), requiring);
    let all_ways = ["--avoid", "Station,Museum", "--avoid", "Mill,Museum", "--avoid", "\"Old Town, North\",Museum"];
    let (code, output, _) = tiebreak(&routes(&[&["--to", "Museum"], &all_ways[..]].concat()), folder.path());
    assert_eq!(code, 1);
    assert!(output.starts_with("no route from Harbour to Museum avoids Station - Museum, Mill - Museum"), "{output}");
    let (code, output, _) = tiebreak(&routes(&["--to", "Museum", "--require", "Lighthouse,Pier"]), folder.path());
    assert_eq!((code, output.as_str()), (1, "no route from Harbour to Museum has Lighthouse - Pier\n"));
}

/// Where only edges count, a length is their number.
#[test]
fn an_algorithm_without_weights_counts_edges() {
    let folder = folder();
    let arguments =
        ["solve", "roads.csv", "--undirected", "-a", "bfs", "--source", "Harbour", "--to", "Museum", "-k", "2"];
    let answer = json(&arguments, folder.path());
    assert_eq!(answer["routes"][0], json!({"path": ["Harbour", "Mill", "Museum"], "length": "2", "gap": 0.0}));
    assert_eq!((&answer["routes"][1]["length"], &answer["routes"][1]["gap"]), (&json!("3"), &json!(0.5)));
}

#[test]
fn many_questions_are_answered_in_their_order() {
    let folder = folder();
    let questions = "{\"from\":\"Harbour\",\"to\":\"Museum\"}\n\n{\"to\":\"Pier\",\"from\":\"Mill\"}\n{\"from\":\"Mill\",\"to\":\"Mill\"}\n";
    fs::write(folder.path().join("pairs.jsonl"), questions).unwrap();
    let arguments = [
        "solve",
        "roads.csv",
        "--undirected",
        "--weight",
        "km",
        "-a",
        "dijkstra",
        "--queries",
        "pairs.jsonl",
        "-k",
        "2",
    ];
    let (code, _, error) = tiebreak(&[&arguments[..], &["--jsonl", "out.jsonl"]].concat(), folder.path());
    assert_eq!(code, 0, "{error}");
    assert!(error.contains("3 questions answered, 1 of them without a route; written to out.jsonl"), "{error}");
    let lines = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    let answers: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let alone = json(&routes(&["--to", "Museum", "-k", "2"]), folder.path());
    assert_eq!(answers[0], json!({"from": "Harbour", "to": "Museum", "routes": alone["routes"]}));
    assert_eq!(
        answers[1],
        json!({"from": "Mill", "to": "Pier", "routes": [], "reason": "Pier cannot be reached from Mill"})
    );
    assert_eq!(answers[2]["routes"], json!([{"path": ["Mill"], "length": "0", "gap": 0.0}]));
    for threads in ["1", "4"] {
        let (_, output, _) = tiebreak(&[&arguments[..], &["--threads", threads]].concat(), folder.path());
        assert_eq!(output, lines, "without --jsonl they go to standard output");
    }
}

/// The line, what is wrong with it, and nothing written.
#[test]
fn broken_questions_are_named_by_file_and_line() {
    let folder = folder();
    for (line, reason) in [
        ("{\"from\":\"Harbour\"", "not JSON"),
        ("[1,2]", "not an object"),
        ("{\"from\":\"Harbour\"}", "`to` is missing"),
        ("{\"from\":\"Harbour\",\"to\":null}", "`to` is null"),
        ("{\"from\":\"Harbor\",\"to\":\"Mill\"}", "there is no vertex 'Harbor'; did you mean 'Harbour'?"),
    ] {
        fs::write(folder.path().join("pairs.jsonl"), format!("{{\"from\":\"Mill\",\"to\":\"Quay\"}}\n{line}\n"))
            .unwrap();
        let arguments = [
            "solve",
            "roads.csv",
            "--undirected",
            "--weight",
            "km",
            "-a",
            "dijkstra",
            "--queries",
            "pairs.jsonl",
            "--jsonl",
            "out.jsonl",
        ];
        let (code, output, error) = tiebreak(&arguments, folder.path());
        assert_eq!((code, output.as_str()), (2, ""), "{error}");
        assert!(error.contains("pairs.jsonl, line 2") && error.contains(reason), "{error}");
        assert!(!folder.path().join("out.jsonl").exists());
    }
}

#[test]
fn routes_keep_to_the_width_of_a_terminal_and_break_at_names() {
    let folder = folder();
    let (_, output, _) = run(&routes(&["--to", "Museum", "-k", "9"]), folder.path(), Some("60"));
    assert!(output.lines().all(|line| line.chars().count() <= 60), "{output}");
    assert!(output.contains("->\n"), "{output}");
    assert!(!output.lines().any(|line| line.ends_with("Old Town,")), "a name is not broken: {output}");
    // Trees: a table in blocks, no line too long.
    let roads = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/data/roads.csv");
    let trees =
        ["solve", roads.to_str().unwrap(), "--undirected", "-a", "bellman-ford", "--source", "Harbour", "-k", "10"];
    let (code, output, error) = run(&trees, folder.path(), Some("80"));
    assert_eq!(code, 0, "{error}");
    assert!(output.lines().all(|line| line.chars().count() <= 80), "{output}");
    assert!(output.lines().filter(|line| line.starts_with("| vertex")).count() > 1, "{output}");
}

#[test]
fn one_answer_names_both_ways_out_and_a_tolerance_finds_more() {
    let folder = folder();
    let (_, output, _) = tiebreak(ROUTES, folder.path());
    assert!(output.starts_with("1 of 1 solution"), "{output}");
    assert!(
        output.contains("exactly one answer is right")
            && output.contains("--within 5%")
            && output.contains("--round 1"),
        "{output}"
    );
    fs::write(folder.path().join("tied.csv"), "a,b,1\nb,c,1\na,c,2\n").unwrap();
    let tied = ["solve", "tied.csv", "-a", "dijkstra", "--source", "a", "--avoid", "a,c"];
    let (_, output, _) = tiebreak(&tied, folder.path());
    assert!(output.starts_with("1 of 1 solution") && !output.contains("exactly one"), "another is right: {output}");
    for (algorithm, more) in [("dijkstra", 2), ("prim", 2), ("bellman_ford", 2)] {
        let arguments = [
            "solve",
            "roads.csv",
            "--undirected",
            "--weight",
            "km",
            "-a",
            algorithm,
            "--source",
            "Harbour",
            "--within",
            "30%",
            "-k",
            "4",
        ];
        let answer = json(&arguments, folder.path());
        let solutions = answer["solutions"].as_array().unwrap();
        assert!(solutions.len() >= more, "{answer}");
        let gaps: Vec<f64> = solutions.iter().map(|solution| solution["gap"].as_f64().unwrap()).collect();
        assert!(gaps[0] == 0.0 && gaps.is_sorted() && gaps.iter().all(|&gap| gap <= 0.3), "{gaps:?}");
        assert!(solutions[1]["gap_proof"]["measure"].is_string(), "{answer}");
        let (_, output, _) = tiebreak(&arguments, folder.path());
        assert!(output.contains("how much worse than the best each is: 1: best; 2: "), "{output}");
    }
    // Rounded to whole kilometres, 1.5 + 2 ties with 2.05 + 1.5.
    let rounded = json(&routes(&["--round", "1"]), folder.path());
    assert_ne!(rounded["count"], "1", "{rounded}");
}

#[test]
fn bad_combinations_are_refused() {
    let folder = folder();
    fs::write(folder.path().join("pairs.jsonl"), "").unwrap();
    for (more, reason) in [
        (&["--within", "x"][..], "'x' is no share"),
        (&["--within", "-5%"], "is no share"),
        (&["--share", "5%"], "--diverse"),
        (&["--within", "5%", "--avoid", "Mill,Quay"], "--within takes no --avoid"),
        (&["--queries", "pairs.jsonl"], "leave out --source"),
        (&["--queries", "missing.jsonl", "--to", "Mill"], "--to"),
        (&["--to", "Museum", "--diverse", "--require", "Mill,Station"], "cannot be used together"),
        (&["--to", "Musuem"], "did you mean 'Museum'?"),
    ] {
        let (code, _, error) = tiebreak(&routes(more), folder.path());
        assert_eq!(code, 2, "{more:?}: {error}");
        assert!(error.contains(reason), "{more:?}: {error}");
    }
    for (algorithm, reason) in [("dfs", "nothing is nearly right"), ("matching", "a smaller one is not right")] {
        let arguments = ["solve", "pairs.csv", "--undirected", "--unweighted", "-a", algorithm, "--within", "5%"];
        fs::write(folder.path().join("pairs.csv"), "a,b\nc,d\n").unwrap();
        let (code, output, error) = tiebreak(&arguments, folder.path());
        assert_eq!((code, output.as_str()), (2, ""), "{error}");
        assert!(
            error.contains(&format!("--within has no meaning for {algorithm}")) && error.contains(reason),
            "{error}"
        );
    }
}

#[test]
fn sets_of_edges_and_of_tasks_have_near_ties_too() {
    let folder = folder();
    let roads = ["solve", "roads.csv", "--undirected", "--weight", "km", "-a", "kruskal", "--within", "10%"];
    let answer = json(&roads, folder.path());
    let solutions = answer["solutions"].as_array().unwrap();
    assert_eq!(answer["count"], solutions.len().to_string(), "few, so all of them: {answer}");
    assert!(solutions.len() > 1 && solutions[0]["gap"] == 0.0, "{answer}");
    fs::write(folder.path().join("tasks.csv"), "task;deadline;weight\nwash;1;3,1\ncook;1;3,2\niron;2;5,05\n").unwrap();
    let tasks = |more: &[&'static str]| [&["solve", "tasks.csv", "-a", "task-scheduling"][..], more].concat();
    let (_, output, _) = tiebreak(&tasks(&[]), folder.path());
    assert!(output.contains("exactly one answer is right") && output.contains("--round 1"), "{output}");
    let (_, output, _) = tiebreak(&tasks(&["--within", "5%"]), folder.path());
    assert!(output.starts_with("2 of 2 solutions within 5 %"), "{output}");
    assert!(output.contains("1: best; 2: −1.21 % (8.15 for 8.25)"), "{output}");
    assert_eq!(json(&tasks(&["--round", "1"]), folder.path())["count"], "2", "3.1 and 3.2 tie");
    let (code, _, error) = tiebreak(&tasks(&["--weight", "deadline"]), folder.path());
    assert_eq!(code, 2);
    assert!(error.contains("--columns"), "{error}");
}

/// A depth-first search may be told where to start; then it goes on in the order of the file.
#[test]
fn a_depth_first_search_starts_where_it_is_told() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("d.csv"), "a,b\nb,c\nc,b\nd,a\n").unwrap();
    let answer = json(&["solve", "d.csv", "-a", "dfs", "--source", "c"], folder.path());
    assert_eq!(answer["names"], json!(["c", "a", "b", "d"]));
    // From c: b; then a, which is next in the file's order, finds nothing new; then d.
    assert_eq!(answer["count"], "1");
    assert_eq!(answer["solutions"][0]["parent_names"], json!(["c", "a", "c", "d"]));
    let (code, _, error) =
        tiebreak(&["solve", "d.csv", "-a", "dfs", "--restarts", "any", "--source", "c"], folder.path());
    assert_eq!(code, 2);
    assert!(error.contains("has no source"), "{error}");
    let (code, _, error) = tiebreak(&["solve", "d.csv", "-a", "dfs", "--source", "x"], folder.path());
    assert_eq!(code, 2);
    assert!(error.contains("there is no vertex 'x'"), "{error}");
}

#[test]
fn a_name_that_promises_another_format_is_refused() {
    let folder = TempDir::new().unwrap();
    for (out, code) in [("x.npz", 2), ("x.csv", 2), ("x.jsonl", 0), ("x.safetensors", 0)] {
        let arguments = ["generate", "-a", "dfs", "-n", "3", "--graphs", "1", "--out", out];
        let (ended, _, error) = tiebreak(&arguments, folder.path());
        assert_eq!(ended, code, "{error}");
        assert_eq!(folder.path().join(out).exists(), code == 0);
        assert_eq!(error.contains("JSON Lines (.jsonl) or .safetensors"), code == 2, "{error}");
    }
}

/// A forest with ordered restarts is one with any: bounds must not say that there are fewer.
#[test]
fn any_restart_never_counts_fewer_than_ordered_ones() {
    let folder = TempDir::new().unwrap();
    // Fifty pairs of triangles, each of its own component: exactly counted with ordered restarts, too many states with any.
    let edges: String = (0..50)
        .flat_map(|at| {
            [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]
                .map(move |(tail, head)| format!("v{at}x{tail},v{at}x{head}\nv{at}x{head},v{at}x{tail}\n"))
        })
        .collect();
    fs::write(folder.path().join("many.csv"), edges).unwrap();
    let number = |more: &[&str]| {
        let answer = json(&[&["solve", "many.csv", "-a", "dfs", "-k", "1"], more].concat(), folder.path());
        let count = answer["count"].as_str().or(answer["count_at_least"].as_str()).unwrap().to_owned();
        (count.len(), count)
    };
    assert!(number(&["--restarts", "any"]) >= number(&[]));
}
