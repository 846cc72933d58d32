//! `tiebreak solve` as a person uses it: outputs that other commands accept, refusals with their reason, large graphs.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tiebreak::answers::Form;
use tiebreak::neural::executor::Executor;
use tiebreak::problems::{ALGORITHMS, Direction};
use tiebreak::random::Rng;

fn tiebreak(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output = Command::cargo_bin("tiebreak").unwrap().args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A folder with a small directed graph for each algorithm.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("d.csv"), "a,b\na,c\nb,c\nc,b\nc,d\nb,d\nd,b\n").unwrap();
    fs::write(folder.path().join("w.csv"), "a,b,0.1\nb,c,0.2\na,c,0.3\nc,d,1\nb,d,1.2\nd,e,2\n").unwrap();
    folder
}

const DFS: &[&str] = &["solve", "d.csv", "-a", "dfs"];
const ANY: &[&str] = &["solve", "d.csv", "-a", "dfs", "--restarts", "any"];
const PATHS: &[&str] = &["solve", "w.csv", "-a", "bellman-ford", "--source", "a"];

fn answer(folder: &Path, arguments: &[&str], more: &[&str]) -> Value {
    let (_, output, error) = tiebreak(&[arguments, more, &["--json"]].concat(), folder);
    serde_json::from_str(&output).unwrap_or_else(|_| panic!("{output}{error}"))
}

#[test]
fn the_answer_for_programs_has_the_promised_keys_in_their_order() {
    let folder = folder();
    let (code, output, error) = tiebreak(&[PATHS, &["--json"]].concat(), folder.path());
    assert_eq!(code, 0, "{error}");
    let places: Vec<usize> = ["\"algorithm\"", "\"graph\"", "\"count\"", "\"solutions\""]
        .iter()
        .map(|key| output.find(key).unwrap())
        .collect();
    assert!(places.is_sorted(), "{output}");
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&answer["algorithm"], &answer["graph"]), (&json!("bellman-ford"), &json!("w.csv")));
    assert_eq!(answer["names"], json!(["a", "b", "c", "d", "e"]));
    assert_eq!((&answer["source"], &answer["edges"], &answer["directed"]), (&json!(0), &json!(6), &json!(true)));
    // c by a or b (0.1 + 0.2 = 0.3), d by b or c (0.1 + 1.2 = 0.3 + 1).
    assert_eq!((&answer["count"], &answer["answer"]), (&json!("4"), &json!("found")));
    let solutions = answer["solutions"].as_array().unwrap();
    assert_eq!(solutions.len(), 4);
    for solution in solutions {
        assert_eq!(solution["origin"], "executor");
        assert_eq!(solution["distances"], json!(["0", "0.1", "0.3", "1.3", "3.3"]));
        for (parent, name) in
            solution["parents"].as_array().unwrap().iter().zip(solution["parent_names"].as_array().unwrap())
        {
            assert_eq!(answer["names"][parent.as_u64().unwrap() as usize], *name);
        }
    }
    assert_eq!(answer["shared_edges"], json!([[0, 1], [3, 4]]));
    assert_eq!(answer["varying_edges"], json!([[0, 2], [1, 2], [1, 3], [2, 3]]));
}

#[test]
fn what_is_written_is_accepted_by_verify() {
    let folder = folder();
    for (solve, algorithm) in [(DFS, &["dfs"][..]), (ANY, &["dfs", "--restarts", "any"]), (PATHS, &["bellman-ford"])] {
        let (code, _, error) = tiebreak(&[solve, &["--jsonl", "out.jsonl"]].concat(), folder.path());
        assert_eq!(code, 0, "{error}");
        let verify = [&["verify", "out.jsonl", "-a"], algorithm].concat();
        let (code, verdicts, error) = tiebreak(&verify, folder.path());
        assert_eq!(code, 0, "{verdicts}{error}");
        assert!(verdicts.lines().count() >= 2, "{verdicts}");
        let (_, lines, _) = tiebreak(&[solve, &["--jsonl", "-"]].concat(), folder.path());
        assert_eq!(lines, fs::read_to_string(folder.path().join("out.jsonl")).unwrap());
        for line in lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            assert!(line["origin"].is_string() && line["from"].is_null(), "{line}");
        }
    }
    // Shortest paths without weights count edges, and the lines say so.
    let unweighted = ["solve", "d.csv", "-a", "bellman-ford", "--source", "a", "--jsonl", "out.jsonl"];
    assert_eq!(tiebreak(&unweighted, folder.path()).0, 0);
    assert_eq!(tiebreak(&["verify", "out.jsonl", "-a", "bellman-ford"], folder.path()).0, 0);
}

/// Every algorithm gives what `verify` accepts: with an executor or without, on an undirected graph where that is what it needs.
#[test]
fn every_algorithm_solves_a_graph_of_its_kind() {
    let folder = folder();
    fs::write(folder.path().join("u.csv"), "a,b,1\nb,c,1\nc,d,1\na,d,1\na,c,2\n").unwrap();
    fs::write(folder.path().join("b.csv"), "a,b,1\nb,c,1\nc,d,1\na,d,1\na,e,2\n").unwrap();
    fs::write(folder.path().join("tasks.csv"), "task,deadline,weight\na,1,2\nb,1,2\nc,3,0.5\nd,2,2\n").unwrap();
    fs::write(
        folder.path().join("activities.csv"),
        "activity,start,finish\na,9:00,10:00\nb,9:30,10:30\nc,10:30,12:00\n",
    )
    .unwrap();
    for algorithm in ALGORITHMS {
        let needs = algorithm.needs();
        let items = algorithm.problem().items.map(|kind| format!("{}.csv", kind.many));
        let file = match (&items, needs.acyclic, needs.bipartite) {
            (Some(table), ..) => table,
            (_, true, _) => "w.csv",
            (.., true) => "b.csv",
            _ => "u.csv",
        };
        let mut solve = vec!["solve", file, "-a", algorithm.name()];
        if needs.direction == Direction::Undirected {
            solve.push("--undirected");
        }
        if needs.source {
            solve.extend(["--source", "a"]);
        }
        // To a vertex, shortest paths have routes; other parents show the way to it in each solution.
        let has_routes = algorithm.problem().form == Form::Parents && !algorithm.problem().measures_paths;
        let more: &[&str] = if has_routes { &["-k", "50", "--to", "d"] } else { &["-k", "50"] };
        let answer = answer(folder.path(), &solve, more);
        let edges = if items.is_some() {
            0
        } else if needs.acyclic {
            6
        } else {
            5
        };
        assert_eq!(answer["edges"], edges, "{answer}");
        let solutions = answer["solutions"].as_array().unwrap();
        assert_eq!(answer["count"], solutions.len().to_string(), "{answer}");
        let has_executor = Executor::built_in(*algorithm).is_ok();
        for solution in solutions {
            assert_eq!(solution["origin"] == "executor", has_executor, "{answer}");
            if has_routes {
                let route = solution["route"].as_array().unwrap();
                assert_eq!(route.last(), Some(&json!("d")), "{answer}");
            }
            assert_eq!(solution["distances"].is_array(), algorithm.problem().measures_paths, "{answer}");
        }
        let missing =
            answer["notes"].as_array().unwrap().iter().any(|note| {
                note.as_str().unwrap().starts_with(&format!("there is no executor of {}: ", algorithm.name()))
            });
        assert_eq!(missing, !has_executor, "{answer}");
        let (code, _, error) = tiebreak(&[&solve[..], &["--jsonl", "out.jsonl"]].concat(), folder.path());
        assert_eq!(code, 0, "{error}");
        let (code, verdicts, error) = tiebreak(&["verify", "out.jsonl", "-a", algorithm.name()], folder.path());
        assert_eq!(code, 0, "{algorithm:?}: {verdicts}{error}");
    }
}

/// An undirected edge may be required or avoided whichever end is the parent, and the count says how many trees remain.
#[test]
fn spanning_trees_meet_demands_on_undirected_edges() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("u.csv"), "a,b,1\nb,c,1\nc,d,1\na,d,1\na,c,2\n").unwrap();
    let prim: &[&str] = &["solve", "u.csv", "-a", "mst_prim", "--undirected", "--source", "a"];
    for (demands, count, code) in [
        (&[][..], "4", 0),
        (&["--require", "c,b"], "3", 0),
        (&["--avoid", "b,c"], "1", 0),
        (&["--require", "c,b", "--require", "c,d", "--require", "a,b"], "1", 0),
        (&["--require", "a,c"], "0", 1),
        (&["--avoid", "c,b", "--avoid", "c,d"], "0", 1),
    ] {
        assert_eq!(answer(folder.path(), prim, demands)["count"], count, "{demands:?}");
        assert_eq!(tiebreak(&[prim, demands].concat(), folder.path()).0, code, "{demands:?}");
    }
}

#[test]
fn drawings_and_pages_are_written_whole() {
    let folder = folder();
    let files = ["--dot", "drawings", "--html", "page.html", "--to", "d"];
    let (code, output, error) = tiebreak(&[PATHS, &files].concat(), folder.path());
    assert_eq!(code, 0, "{error}");
    assert!(output.contains("all 3 routes from a to d") && output.contains("a -> b -> d"), "{output}");
    assert!(error.contains("written: drawings") && error.contains("written: page.html"), "{error}");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("all 3 routes from a to d") && page.contains("</html>"));
    assert!(page.contains(r#""path":[0,1,3],"length":"1.3""#));
    for place in 1..=4 {
        let drawing = fs::read_to_string(folder.path().join(format!("drawings/solution-{place}.dot"))).unwrap();
        assert!(drawing.starts_with("digraph"), "{drawing}");
    }
    assert_eq!(tiebreak(&[DFS, &["--dot", "one.dot"]].concat(), folder.path()).0, 0);
    assert!(folder.path().join("one.dot").is_file());
}

/// Every form has its page: the answers, what they look like, and what is known of the instance besides.
#[test]
fn answers_that_are_no_trees_have_pages_of_their_own() {
    let tasks = "task,deadline,weight\nwash,1,3\ncook,1,3\n";
    let hours = "a,2026-03-01T09:00,2026-03-01T10:00\nb,2026-03-01T09:30,2026-03-01T10:00\n";
    for (algorithm, text, wanted) in [
        ("kruskal", "a,b,1\nb,c,1\na,c,1\n", r#""form":"edges""#),
        ("matching", "Ann,tables\nBen,tables\n", r#""is_left":[true,false,true]"#),
        ("topological-sort", "a,b\na,c\n", r#""form":"order""#),
        ("task-scheduling", tasks, r#""numbers":[["1","1"],["3","3"]]"#),
        ("activity-selection", hours, r#""seconds_of":"dates""#),
    ] {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("x.csv"), text).unwrap();
        let mut arguments = vec!["solve", "x.csv", "-a", algorithm, "--html", "page.html"];
        if matches!(algorithm, "kruskal" | "matching") {
            arguments.push("--undirected");
        }
        let (code, output, error) = tiebreak(&arguments, folder.path());
        assert_eq!(code, 0, "{output}{error}");
        let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
        assert!(page.contains(wanted), "{algorithm}: {wanted}");
        let found = output.split(' ').next().unwrap().parse::<usize>().unwrap();
        assert!(found > 1 && page.matches(r#""from":"randomised run""#).count() == found, "{algorithm}: {output}");
    }
}

/// The arguments, what the answer says, and its exit code.
const REFUSALS: &[(&[&str], &[&str], &str, i32)] = &[
    (DFS, &["--require", "d,a"], "no solution has d -> a: it is not an edge of the graph", 1),
    (DFS, &["--require", "a,b", "--require", "c,b"], "no solution meets all demands together", 1),
    (PATHS, &["--avoid", "d,e"], "no solution avoids d -> e: every solution has it", 1),
    (PATHS, &["--require", "b,d", "--avoid", "a,b"], "no solution avoids a -> b", 1),
    (ANY, &["--require", "d,b", "--avoid", "a,b"], "solutions", 0),
    (PATHS, &["--only-model", "-k", "4", "--model", "classical"], "4 of 4 solutions", 0),
    (DFS, &["--exact"], "enumeration", 0),
];

#[test]
fn impossible_demands_are_refused_with_their_reason() {
    let folder = folder();
    for (solve, more, message, expected) in REFUSALS {
        let (code, output, error) = tiebreak(&[*solve, *more].concat(), folder.path());
        assert_eq!(code, *expected, "{more:?}: {output}{error}");
        assert!(output.contains(message), "{more:?}: {output}");
        let answer = answer(folder.path(), solve, more);
        assert_eq!(answer["answer"], if *expected == 0 { "found" } else { "impossible" });
        assert_eq!(answer["reason"].is_null(), *expected == 0);
    }
}

#[test]
fn bad_input_is_told_clearly() {
    let folder = folder();
    for (arguments, message) in [
        (&["solve", "w.csv", "-a", "bellman-ford"][..], "needs --source; the vertices are 'a', 'b', 'c', 'd', 'e'"),
        (&["solve", "w.csv", "-a", "bellman-ford", "--source", "x"], "there is no vertex 'x'"),
        (&["solve", "d.csv", "-a", "dfs", "--avoid", "a"], "not two vertices"),
        (&["solve", "d.csv", "-a", "dfs", "--avoid", "a,x"], "there is no vertex 'x'"),
        (&["solve", "d.csv", "-a", "dfs", "--require", "a,a"], "two different vertices"),
        (&["solve", "d.csv", "-a", "dfs", "--to", "x"], "there is no vertex 'x'"),
        (&["solve", "d.csv", "-a", "dfs", "-k", "0"], "nothing to find"),
        (&["solve", "d.csv", "-a", "dfs", "--model", "nowhere"], "nowhere"),
        (&["solve", "d.csv", "-a", "dfs", "--exact", "--only-model"], "cannot be used with"),
        (&["solve", "missing.csv", "-a", "dfs"], "missing.csv"),
    ] {
        let (code, output, error) = tiebreak(arguments, folder.path());
        assert_eq!((code, output.as_str()), (2, ""), "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
}

/// A trained network draws through its extractors; what it gets wrong is tallied by the rule it breaks.
#[test]
fn a_network_says_what_was_rejected_and_why() {
    let folder = folder();
    let train =
        ["train", "-a", "dfs", "--set", "steps=2", "--set", "batch=2", "--set", "model.hidden=8", "--out", "run"];
    let (code, _, error) = tiebreak(&train, folder.path());
    assert_eq!(code, 0, "{error}");
    let alone = answer(folder.path(), DFS, &["--model", "network", "--only-model"]);
    let found = alone["solutions"].as_array().unwrap().len();
    let draws: Vec<&Value> = alone["draws"].as_array().unwrap().iter().collect();
    assert!(draws.iter().all(|tally| tally["origin"].as_str().unwrap().starts_with("network, ")), "{alone}");
    let sum = |key: &str| draws.iter().map(|tally| tally[key].as_u64().unwrap()).sum::<u64>();
    let rejected = |tally: &&Value| {
        tally["rejected"].as_object().unwrap().values().map(|times| times.as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(sum("kept") as usize, found);
    assert_eq!(sum("draws"), sum("kept") + sum("repeated") + draws.iter().map(rejected).sum::<u64>());
    let helped = answer(folder.path(), DFS, &["--model", "run"]);
    assert_eq!(helped["solutions"].as_array().unwrap().len().to_string(), helped["count"].as_str().unwrap());
}

#[test]
fn a_hundred_thousand_vertices_and_a_million_edges_are_answered_without_the_model() {
    let folder = TempDir::new().unwrap();
    let (n, edges) = (100_000, 1_000_000);
    let mut rng = Rng::stream(0, "large", 0);
    let mut pairs = std::collections::HashSet::new();
    let mut text = String::from("from,to,weight\n");
    while pairs.len() < edges {
        let (tail, head) = (rng.below(n), rng.below(n));
        if tail != head && pairs.insert((tail, head)) {
            writeln!(text, "v{tail},v{head},{}.5", rng.below(4)).unwrap();
        }
    }
    fs::write(folder.path().join("large.csv"), text).unwrap();
    for algorithm in [&["-a", "dfs"][..], &["-a", "bellman-ford", "--source", "v7"]] {
        let arguments = [&["solve", "large.csv", "-k", "3"], algorithm].concat();
        let (code, output, error) = tiebreak(&arguments, folder.path());
        assert_eq!(code, 0, "{error}");
        assert!(output.contains("randomised run: 3 draws, 3 new, 0 repeated, 0 rejected"), "{output}");
        assert!(output.contains("the executor was not used"), "{output}");
        assert!(output.starts_with("3 of about") || output.starts_with("3 of more than 10^"), "{output}");
    }
    let alone = ["solve", "large.csv", "-a", "dfs", "--only-model"];
    let (code, output, _) = tiebreak(&alone, folder.path());
    assert_eq!(code, 0);
    assert!(output.contains("found none") && output.contains("the executor was not used"), "{output}");
}

#[test]
fn outputs_of_one_name_are_refused_before_anything_is_read() {
    let folder = folder();
    for [one, other] in [["--jsonl", "--svg"], ["--svg", "--html"], ["--dot", "--html"]] {
        let arguments = ["solve", "no-such-file.csv", "-a", "dfs", one, "x.dot", other, "./x.dot"];
        let (code, output, error) = tiebreak(&arguments, folder.path());
        assert_eq!((code, output.as_str()), (2, ""), "{error}");
        assert!(error.contains(&format!("{one} and {other} both name ./x.dot")), "{error}");
        assert!(!folder.path().join("x.dot").exists());
    }
}

/// A name with a line break, one with a tab, and one with an escape character.
const FORGING: &str = "\"a\nnew 1 2\",\"b\tx\",1\n\"b\tx\",d\u{1b}[2J,1\n\"a\nnew 1 2\",d\u{1b}[2J,2\n";

#[test]
fn names_with_line_breaks_forge_no_lines() {
    let folder = folder();
    fs::write(folder.path().join("f.csv"), FORGING).unwrap();
    let start = "a\nnew 1 2";
    for (arguments, code) in [
        (&["solve", "f.csv", "-a", "dijkstra", "--source", start][..], 0),
        (&["solve", "f.csv", "-a", "dijkstra", "--source", start, "--to", "b\tx", "--within", "50%"], 0),
        (&["solve", "f.csv", "-a", "dijkstra", "--source", "b\tx", "--to", start], 1),
        (&["solve", "f.csv", "-a", "dijkstra", "--source", "nobody\nat all"], 2),
        (&["solve", "f.csv", "-a", "dijkstra"], 2),
        (&["solve", "f.csv", "-a", "prim", "--source", start, "--undirected"], 0),
        (&["count", "f.csv", "-a", "dfs", "--list", "9"], 0),
        (&["count", "f.csv", "-a", "kruskal", "--undirected", "--list", "9"], 0),
        (&["count", "f.csv", "-a", "prim", "--source", start], 2),
    ] {
        let (found, output, error) = tiebreak(arguments, folder.path());
        assert_eq!(found, code, "{arguments:?}: {output}{error}");
        for text in [&output, &error] {
            assert!(!text.lines().any(|line| line.starts_with("new") || line.starts_with("at all")), "{text}");
            assert!(!text.contains(['\t', '\u{1b}']), "{text}");
        }
        let shown = [r"a\nnew 1 2", r"b\tx", r"d\u001b[2J"];
        assert!(shown.iter().any(|name| [&output, &error].iter().any(|text| text.contains(name))), "{output}{error}");
    }
    // Programs get names as they are.
    let trees = answer(folder.path(), &["solve", "f.csv", "-a", "dijkstra", "--source", start], &[]);
    assert_eq!(trees["names"], json!([start, "b\tx", "d\u{1b}[2J"]));
    assert!(trees["solutions"][0]["parent_names"].as_array().unwrap().contains(&json!(start)));
    let routes = answer(folder.path(), &["solve", "f.csv", "-a", "dijkstra", "--source", start], &["--to", "b\tx"]);
    assert_eq!((&routes["from"], &routes["routes"][0]["path"]), (&json!(start), &json!([start, "b\tx"])));
}

#[test]
fn a_graph_without_vertices_has_no_source_to_choose() {
    let folder = folder();
    fs::write(folder.path().join("empty.csv"), "from,to\n").unwrap();
    let (code, _, error) = tiebreak(&["solve", "empty.csv", "-a", "dijkstra"], folder.path());
    assert_eq!((code, error.trim()), (2, "tiebreak: empty.csv: dijkstra needs --source; the graph has no vertices"));
}
