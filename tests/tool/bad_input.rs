//! Files that are not what they should be: exit code 2, a message that names the file and what is wrong, and nothing left behind.

use crate::tiebreak;
use std::fs;
use tempfile::TempDir;

/// What is wrong, the arguments (FILE stands for the file), the file's name and bytes, and what the message must say.
type BadInput = (&'static str, &'static [&'static str], &'static str, &'static [u8], &'static str);

const DFS: &[&str] = &["verify", "--algorithm", "dfs", "FILE"];
const PATHS: &[&str] = &["verify", "--algorithm", "bellman-ford", "FILE"];
const DIJKSTRA: &[&str] = &["verify", "--algorithm", "dijkstra", "FILE"];
const DAG: &[&str] = &["verify", "--algorithm", "dag-shortest-paths", "FILE"];
const PRIM: &[&str] = &["verify", "--algorithm", "prim", "FILE"];
const CASES: &[&str] = &["count", "--algorithm", "dfs", "--cases", "FILE"];
const COUNT: &[&str] = &["count", "--algorithm", "dfs", "FILE"];
const COUNT_PATHS: &[&str] = &["count", "--algorithm", "bellman-ford", "--source", "a", "FILE"];
const COUNT_DIJKSTRA: &[&str] = &["count", "--algorithm", "dijkstra", "--source", "a", "FILE"];
const COUNT_PRIM: &[&str] = &["count", "--algorithm", "prim", "--source", "a", "FILE"];
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
    (
        "a negative weight",
        DIJKSTRA,
        "x.jsonl",
        br#"{"n":2,"edges":[[0,1,-1]],"source":0,"parents":[0,0]}"#,
        "edge 0 -> 1 has weight -1",
    ),
    (
        "a negative cycle",
        PATHS,
        "x.jsonl",
        br#"{"n":3,"edges":[[0,1,1],[1,2,-0.5],[2,1,0.25]],"source":0,"parents":[0,0,1]}"#,
        "line 1: the cycle 1 -> 2 -> 1 has length -0.25",
    ),
    (
        "an undirected edge of negative weight",
        PATHS,
        "x.jsonl",
        br#"{"n":2,"edges":[[0,1,-1]],"undirected":true,"source":0,"parents":[0,0]}"#,
        "the cycle 0 -> 1 -> 0 has length -2",
    ),
    (
        "a cycle where there must be none",
        DAG,
        "x.jsonl",
        br#"{"n":3,"edges":[[0,1,1],[1,2,1],[2,0,1]],"source":0,"parents":[0,0,1]}"#,
        "0 -> 1 -> 2 -> 0",
    ),
    (
        "an edge in one direction only",
        PRIM,
        "x.jsonl",
        br#"{"n":3,"edges":[[0,1,1],[1,0,1],[1,2,1]],"source":0,"parents":[0,0,1]}"#,
        "edge 1 -> 2 has no equal edge back",
    ),
    (
        "an undirected edge in both directions",
        PRIM,
        "x.jsonl",
        br#"{"n":2,"edges":[[0,1,1],[1,0,1]],"undirected":true,"source":0,"parents":[0,0]}"#,
        "given twice",
    ),
    ("no truth value", DFS, "x.jsonl", br#"{"n":1,"edges":[],"undirected":"yes","parents":[0]}"#, "line 1"),
    ("counts of nothing", CASES, "x.jsonl", b"", "there is no case"),
    ("counts of what is no case", CASES, "x.jsonl", b"{\"n\":1,\"edges\":[]}\n{}\n", "line 2"),
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
    ("a weight below zero", COUNT_DIJKSTRA, "x.csv", b"a,b,1\nb,c,-0.5\n", "b -> c has weight -0.5"),
    (
        "a graph with a negative cycle",
        COUNT_PATHS,
        "x.csv",
        b"a,b,1\nb,c,-2\nc,b,1.5\n",
        "the cycle b -> c -> b has length -0.5",
    ),
    ("a directed graph for prim", COUNT_PRIM, "x.csv", b"a,b,1\n", "edge a -> b has no equal edge back"),
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
