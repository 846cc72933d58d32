//! The tool on a person's own files: what it asks, what it says, and how it ends.

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use std::process::Output;

fn real(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/real").join(name)
}

fn run(arguments: &[&str], file: &Path) -> Output {
    let mut command = Command::cargo_bin("tiebreak").unwrap();
    command.args(arguments).arg(file).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs the tool on a file that it must refuse, and returns what it says.
fn refused(arguments: &[&str], file: &Path) -> String {
    let output = run(arguments, file);
    assert_eq!(output.status.code(), Some(2), "{arguments:?} {file:?}: {output:?}");
    text(&output.stderr)
}

const SHORTEST: [&str; 5] = ["count", "-a", "bellman-ford", "--source", "101"];

#[test]
fn numbers_that_may_be_weights_have_to_be_chosen() {
    let said = refused(&SHORTEST, &real("osmnx.graphml"));
    assert!(said.contains("The edges have `length` and none is called `weight`"), "{said}");
    assert!(said.contains("--weight NAME") && said.contains("--unweighted"), "{said}");
    let said = refused(&[&SHORTEST[..], &["--weight", "lenght"]].concat(), &real("osmnx.graphml"));
    assert!(said.contains("did you mean `length`?"), "{said}");
    for choice in [&["--weight", "length"][..], &["--unweighted"]] {
        let output = run(&[&SHORTEST[..], choice].concat(), &real("osmnx.graphml"));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

#[test]
fn notes_stand_on_standard_error() {
    let arguments = ["count", "-a", "bellman-ford", "--source", "Harbour", "--undirected"];
    let output = run(&arguments, &real("nx_weighted.edgelist"));
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stderr);
    assert!(said.contains("1 of 4 weights has more than 12 digits") && said.contains("--round 0.01"), "{said}");
    // Nobody's weights tie in a search that has none.
    let without = run(&["count", "-a", "bfs", "--source", "Harbour", "--undirected"], &real("nx_weighted.edgelist"));
    assert!(without.status.success() && !text(&without.stderr).contains("digits"), "{without:?}");
    let rounded = run(&[&arguments[..], &["--round", "0.01"]].concat(), &real("nx_weighted.edgelist"));
    assert!(text(&rounded.stderr).contains("weights rounded to multiples of 0.01: 1 of 4 weights changed"));
    // With 0.1 + 0.2 = 0.3 there are two shortest ways to Zoë.
    assert!(text(&output.stdout).starts_with("1 solution"), "{output:?}");
    assert!(text(&rounded.stdout).starts_with("2 solutions"), "{rounded:?}");
}

#[test]
fn a_misspelt_vertex_is_recognised() {
    let said = refused(&["count", "-a", "bellman-ford", "--source", "Harbor"], &real("pandas_plain.csv"));
    assert!(said.contains("there is no vertex 'Harbor'; did you mean 'Harbour'?"), "{said}");
}

#[test]
fn options_that_cannot_be_are_refused() {
    for (arguments, why) in [
        (&["--round", "0"][..], "it must be positive"),
        (&["--round", "x"], "'x' is not a finite decimal number"),
        (&["--header", "maybe"], "'maybe' is not one of yes, no, auto"),
        (&["--parallel", "max"], "'max' is not one of min, error"),
        (&["--delimiter", "ab"], "'ab' is no delimiter"),
        (&["--weight", "km", "--unweighted"], "cannot be used with"),
        (&["--columns", "a_node"], "--columns takes 2 or 3 columns"),
    ] {
        let said = refused(&[&["count", "-a", "dfs"], arguments].concat(), &real("pandas_plain.csv"));
        assert!(said.contains(why), "{arguments:?}: {said}");
    }
}

#[test]
fn files_that_hold_no_table_of_edges_are_refused_by_their_own_words() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    // An algorithm that ignores weights does not mind what stands there.
    let said = refused(&["count", "-a", "dijkstra", "--source", "a"], &write("a.csv", b"a,b,1\nb,c,x\n"));
    assert!(said.contains("a.csv, line 2: the weight 'x' is not a finite decimal number"), "{said}");
    let said = refused(&["count", "-a", "dfs"], &write("b.gml", b"graph ["));
    assert!(said.contains("b.gml, line 1, column 8: the file ends within a bracket"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_refused() {
    for format in ["csv", "graphml", "node-link", "npz", "dimacs", "gml"] {
        let said = refused(&["count", "-a", "dfs", "--format", format], Path::new("/dev/zero"));
        assert!(said.starts_with("tiebreak: /dev/zero"), "{said}");
    }
}
