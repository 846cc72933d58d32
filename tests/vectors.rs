//! All 8,024 known answers agree: small graphs with a candidate each, and what other code, with brute force behind it,
//! found each to be (`rdfso` and `rdfs_any_restart` for depth-first search, `valid` for the others) and how many solutions there are (`count`).

mod common;

use common::array;
use serde::Deserialize;
use serde_json::value::RawValue;
use tiebreak::instance::{Decimal, Graph, Instance};
use tiebreak::pipeline::cases::Case;
use tiebreak::problems::forests::dfs;
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::problems::{Algorithm, COUNT_EFFORT, by_name};

#[derive(Deserialize)]
struct Forest {
    n: usize,
    edges: Vec<(usize, usize)>,
    parents: Vec<usize>,
    rdfso: bool,
    rdfs_any_restart: bool,
}

#[derive(Deserialize)]
struct ShortestPaths {
    n: usize,
    edges: Vec<(usize, usize, Box<RawValue>)>,
    source: usize,
    parents: Vec<usize>,
    valid: bool,
}

#[test]
fn all_depth_first_vectors_agree() {
    let text = include_str!("data/vectors/dfs_vectors.jsonl");
    assert_eq!(text.lines().count(), 3_024);
    for (index, line) in text.lines().enumerate() {
        let case: Forest = serde_json::from_str(line).unwrap();
        let instance = Instance::new(Graph::from_edges(case.n, case.edges).unwrap());
        let candidate = array(&case.parents);
        let line = index + 1;
        let accepts = |search: dfs::Dfs| search.prepare(&instance).unwrap().space().verify(&candidate).is_ok();
        assert_eq!(accepts(dfs::ORDERED), case.rdfso, "line {line}");
        assert_eq!(accepts(dfs::ANY_RESTART), case.rdfs_any_restart, "line {line}");
    }
}

#[test]
fn all_shortest_path_vectors_agree() {
    let text = include_str!("data/vectors/bf_vectors.jsonl");
    assert_eq!(text.lines().count(), 1_000);
    for (index, line) in text.lines().enumerate() {
        let case: ShortestPaths = serde_json::from_str(line).unwrap();
        // The text of a weight, not a float: 0.1 + 0.2 has to tie with 0.3.
        let exact = |(tail, head, weight): &(usize, usize, Box<RawValue>)| -> (usize, usize, Decimal) {
            (*tail, *head, weight.get().parse().unwrap())
        };
        let instance =
            Instance::with_source(Graph::weighted(case.n, case.edges.iter().map(exact)).unwrap(), case.source);
        let outcome = BellmanFord.prepare(&instance).unwrap().space().verify(&array(&case.parents));
        assert_eq!(outcome.is_ok(), case.valid, "line {}: {outcome:?}", index + 1);
    }
}

/// What stands beside the case itself.
#[derive(Deserialize)]
struct Known {
    valid: bool,
    count: String,
}

/// A file of verdicts and counts for an algorithm.
const COUNTED: [(&str, &str); 10] = [
    ("bellman-ford", include_str!("data/vectors/bellman-ford-any-sign.jsonl")),
    ("bfs", include_str!("data/vectors/bfs.jsonl")),
    ("dijkstra", include_str!("data/vectors/dijkstra.jsonl")),
    ("dag-shortest-paths", include_str!("data/vectors/dag-shortest-paths.jsonl")),
    ("prim", include_str!("data/vectors/prim.jsonl")),
    ("kruskal", include_str!("data/vectors/kruskal.jsonl")),
    ("topological-sort", include_str!("data/vectors/topological-sort.jsonl")),
    ("matching", include_str!("data/vectors/matching.jsonl")),
    ("task-scheduling", include_str!("data/vectors/task-scheduling.jsonl")),
    ("activity-selection", include_str!("data/vectors/activity-selection.jsonl")),
];

#[test]
fn all_verdicts_and_counts_agree() {
    for (algorithm, text) in COUNTED {
        assert_eq!(text.lines().count(), 400, "{algorithm}");
        for (index, line) in text.lines().enumerate() {
            let place = format!("{algorithm}, line {}", index + 1);
            let algorithm = by_name(algorithm).unwrap();
            let case = Case::parse(line, algorithm.problem()).unwrap();
            let known = serde_json::from_str::<Known>(line).unwrap();
            let prepared = algorithm.prepare(&case.instance);
            let prepared = prepared.unwrap_or_else(|error| panic!("{place}: {error}"));
            let outcome = case.candidate.unwrap().and_then(|candidate| prepared.space().verify(&candidate));
            assert_eq!(outcome.is_ok(), known.valid, "{place}: {outcome:?}");
            assert_eq!(prepared.space().count(COUNT_EFFORT).unwrap().to_string(), known.count, "{place}");
            assert_eq!(prepared.space().solutions().unwrap().count().to_string(), known.count, "{place}");
        }
    }
}
