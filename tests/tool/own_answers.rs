//! Answers to a graph of one's own, by names, in files that other people's programs wrote.

use super::tiebreak;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const ROADS: &str = "from,to,minutes\nhome,shop,2\nhome,park,1\npark,shop,1\nshop,work,3\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn verify(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    tiebreak(&[&["verify"], arguments].concat(), folder, b"")
}

#[test]
fn trees_of_networkx_and_pandas_are_judged_by_name() {
    let folder = folder(&[
        ("roads.csv", ROADS),
        // write_edgelist, write_weighted_edgelist, node_link_data, write_gml of an undirected tree.
        ("dicts.edgelist", "home park {}\npark shop {}\nshop work {}\n"),
        ("weights.edgelist", "home shop 2\nhome park 1\nshop work 3\n"),
        (
            "links.json",
            r#"{"directed": true, "multigraph": false, "graph": {}, "nodes": [{"id": "home"}, {"id": "park"}, {"id": "shop"}, {"id": "work"}],
            "links": [{"source": "home", "target": "park"}, {"source": "park", "target": "shop"}, {"source": "shop", "target": "work"}]}"#,
        ),
        (
            "undirected.gml",
            "graph [\n node [\n id 0\n label \"work\"\n ]\n node [\n id 1\n label \"shop\"\n ]\n node [\n id 2\n label \"park\"\n ]\n node [\n id 3\n \
             label \"home\"\n ]\n edge [\n source 0\n target 1\n ]\n edge [\n source 1\n target 2\n ]\n edge [\n source 2\n target 3\n ]\n]\n",
        ),
        // to_csv; a root may be its own parent.
        ("detour.csv", "parent,child\nhome,home\nhome,park\nhome,work\npark,shop\n"),
        ("twice.csv", "parent,child\nhome,park\npark,shop\nhome,shop\nshop,work\n"),
        ("short.csv", "parent,child\nhome,park\npark,shop\n"),
    ]);
    let right = ["dicts.edgelist", "weights.edgelist", "links.json", "undirected.gml"];
    let wrong = [
        ("detour.csv", "work breaks the rule that there is an edge from a vertex's parent to it (see home -> work)"),
        ("twice.csv", "shop breaks the rule that there is one parent for each vertex (see home -> shop, park -> shop)"),
        ("short.csv", "work breaks the rule that a vertex that the source reaches has another vertex as its parent"),
    ];
    let mut arguments = vec!["-a", "dijkstra", "--source", "home", "roads.csv"];
    let named = right.iter().chain(wrong.iter().map(|(file, _)| file)).flat_map(|file| ["--answer", file]);
    arguments.extend(named);
    let (code, output, said) = verify(folder.path(), &arguments);
    let expected = right.iter().map(|file| format!("{file}: valid\n"));
    let rejected = wrong.iter().map(|(file, reason)| format!("{file}: not valid: {reason}"));
    assert_eq!(code, 1, "{said}");
    for (line, expected) in output.lines().zip(expected.chain(rejected)) {
        assert!(line.starts_with(expected.trim_end()), "{line}\n{expected}");
    }
    assert_eq!(output.lines().count(), 7);
    let expected = "4 vertices, 4 directed edges, weights from `minutes`, source home\n\
                    weights.edgelist: other attributes of the edges: `column 3`\n4 of 7 valid\n";
    assert_eq!(said, expected);
    arguments.push("--json");
    let (_, output, _) = verify(folder.path(), &arguments);
    let lines: Vec<serde_json::Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], serde_json::json!({"answer": "dicts.edgelist", "valid": true}));
    assert_eq!(lines[4]["rule"], "parent-is-neighbour");
}

#[test]
fn what_solve_finds_is_right_by_its_names_and_stops_being_so() {
    let files = [
        ("roads.csv", ROADS),
        ("steps.csv", "from,to\nwash,dry\ndry,fold\ncook,eat\n"),
        ("pairs.csv", "from,to\nAnn,cook\nAnn,drive\nBob,cook\n"),
        ("tasks.csv", "task,deadline,weight\nwash,1,3\ncook,1,2\nread,2,5\n"),
    ];
    // An answer that is not right, in the file's words, and why.
    let cases = [
        ("dfs", "roads.csv", &[][..], "parent,child\nhome,park\npark,shop\npark,work\n", "see park -> work"),
        (
            "prim",
            "roads.csv",
            &["--undirected", "--source", "home"],
            "u,v\nhome,shop\nhome,park\nshop,work\n",
            "see shop -> park, home -> shop",
        ),
        (
            "kruskal",
            "roads.csv",
            &["--undirected"],
            "u,v\nhome,shop\nhome,park\nwork,park\n",
            "only edges of the graph",
        ),
        ("topological-sort", "steps.csv", &[], "wash\nfold\ndry\ncook\neat\n", "dry -> fold"),
        ("matching", "pairs.csv", &["--undirected"], "person,job\nAnn,cook\n", "Bob -> cook -> Ann -> drive"),
        ("task-scheduling", "tasks.csv", &[], "cook\nread\n", "wash instead of cook is better"),
    ];
    let folder = folder(&files);
    for (algorithm, file, options, wrong, reason) in cases {
        let solve = [&["solve", "-a", algorithm, "-k", "3", "--json", file], options].concat();
        let (code, output, error) = tiebreak(&solve, folder.path(), b"");
        assert_eq!(code, 0, "{algorithm}: {error}");
        let found: serde_json::Value = serde_json::from_str(&output).unwrap();
        let names =
            |key: &str| found["solutions"].as_array().unwrap().iter().map(|solution| solution[key].clone()).collect();
        let answers: Vec<serde_json::Value> = match algorithm {
            "dfs" | "prim" => names("parent_names"),
            "topological-sort" => names("order_names"),
            "task-scheduling" => names("selected_names"),
            _ => names("chosen_names"),
        };
        let name = |name: &serde_json::Value| name.as_str().unwrap().to_owned();
        for (place, answer) in answers.iter().enumerate() {
            let list = answer.as_array().unwrap();
            let lines: Vec<String> = match algorithm {
                "dfs" | "prim" => {
                    let children = found["names"].as_array().unwrap();
                    let pairs = list.iter().zip(children).filter(|(parent, child)| parent != child);
                    pairs.map(|(parent, child)| format!("{},{}", name(parent), name(child))).collect()
                }
                "topological-sort" | "task-scheduling" => list.iter().map(name).collect(),
                // A chosen edge may be written from either end.
                _ => list.iter().map(|ends| format!("{},{}", name(&ends[1]), name(&ends[0]))).collect(),
            };
            fs::write(folder.path().join("right.csv"), lines.join("\n")).unwrap();
            let arguments = [&["-a", algorithm, file, "--answer", "right.csv"], options].concat();
            let (code, output, error) = verify(folder.path(), &arguments);
            assert_eq!((code, output.as_str()), (0, "right.csv: valid\n"), "{algorithm}, {place}: {lines:?} {error}");
        }
        fs::write(folder.path().join("wrong.csv"), wrong).unwrap();
        let (code, output, error) =
            verify(folder.path(), &[&["-a", algorithm, file, "--answer", "wrong.csv"], options].concat());
        assert!(code == 1 && output.contains(reason), "{algorithm}: {output}{error}");
    }
}

#[test]
fn trees_of_undirected_graphs_may_be_written_from_either_end() {
    // minimum_spanning_tree, by write_weighted_edgelist: "c b" where b is nearer to the source than c.
    let tree = "a d 1\nc b 1\nb a 2\n";
    let folder = folder(&[
        ("grid.edgelist", "a b 2\nc b 1\na d 1\nd c 3\n"),
        ("tree.edgelist", tree),
        ("cycle.edgelist", "a b\nc b\na d\nd c\n"),
    ]);
    let arguments = ["-a", "prim", "--source", "a", "--undirected", "grid.edgelist", "--answer"];
    let (code, output, said) = verify(folder.path(), &[&arguments[..], &["tree.edgelist"]].concat());
    assert_eq!((code, output.as_str()), (0, "tree.edgelist: valid\n"), "{said}");
    let (code, output, _) = verify(folder.path(), &[&arguments[..], &["cycle.edgelist"]].concat());
    assert!(code == 1 && output.contains("there is one parent for each vertex"), "{output}");
}

#[test]
fn answers_that_cannot_be_read_are_named() {
    let folder = folder(&[
        ("roads.csv", ROADS),
        ("steps.csv", "wash,dry\ndry,fold\n"),
        ("tasks.csv", "task,deadline,weight\nwash,1,3\ncook,1,2\n"),
        ("typo.csv", "home,park\nparc,shop\n"),
        ("order.txt", "wash\ndri\nfold\n"),
        ("titled.csv", "step\nwash\ndry\nfold\n"),
        ("titled_tree.csv", "boss,worker\nhome,park\npark,shop\nshop,work\n"),
        ("items.txt", "wash\ndry\n"),
        (
            "undirected.graphml",
            r#"<graphml><graph edgedefault="undirected"><node id="home"/><node id="shop"/><edge source="home" target="shop"/></graph></graphml>"#,
        ),
    ]);
    let cases = [
        (
            &["-a", "dfs", "roads.csv", "--answer", "typo.csv"][..],
            "typo.csv: there is no vertex 'parc'; did you mean 'park'?",
        ),
        (&["-a", "dfs", "roads.csv", "--answer", "absent.csv"], "absent.csv: No such file"),
        (
            &["-a", "dfs", "roads.csv", "--answer", "undirected.graphml"],
            "undirected.graphml: its edges have no direction",
        ),
        (
            &["-a", "topological-sort", "steps.csv", "--answer", "order.txt"],
            "order.txt, line 2: there is no vertex 'dri'; did you mean 'dry'?",
        ),
        (&["-a", "task-scheduling", "tasks.csv", "--answer", "items.txt"], "items.txt, line 2: there is no task 'dry'"),
        (&["-a", "dfs", "roads.csv", "--answer", "typo"], "told by its name"),
        (&["-a", "dijkstra", "roads.csv", "--answer", "typo.csv"], "needs --source"),
        (&["-a", "dfs", "roads.csv"], "name the answer to it with --answer"),
        (&["-a", "dfs", "roads.csv", "--undirected"], "--answer"),
    ];
    for (arguments, message) in cases {
        let (code, output, error) = verify(folder.path(), arguments);
        assert!(code == 2 && output.is_empty() && error.contains(message), "{arguments:?}: {code} {output}{error}");
    }
    let (code, _, said) = verify(folder.path(), &["-a", "topological-sort", "steps.csv", "--answer", "titled.csv"]);
    assert!(code == 0 && said.contains("titled.csv: its first line, `step`, is taken as a title"), "{said}");
    let (code, _, said) = verify(folder.path(), &["-a", "dfs", "roads.csv", "--answer", "titled_tree.csv"]);
    assert!(code == 0 && said.contains("titled_tree.csv: its first line is taken as a title"), "{said}");
}
