//! All 4,024 known answers agree: small graphs with a candidate each, and what other code, with brute force behind it,
//! found each to be (`rdfso` and `rdfs_any_restart` for depth-first search, `valid` for shortest paths).

mod common;

use common::array;
use serde::Deserialize;
use serde_json::value::RawValue;
use tiebreak::algorithms::bellman_ford::BellmanFord;
use tiebreak::algorithms::{Algorithm, dfs};
use tiebreak::graph::{Decimal, Graph, Instance};

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
        assert_eq!(dfs::ORDERED.verify(&instance, &candidate).is_ok(), case.rdfso, "line {line}");
        assert_eq!(dfs::ANY_RESTART.verify(&instance, &candidate).is_ok(), case.rdfs_any_restart, "line {line}");
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
        assert_eq!(BellmanFord.check(&instance), Ok(()));
        let outcome = BellmanFord.verify(&instance, &array(&case.parents));
        assert_eq!(outcome.is_ok(), case.valid, "line {}: {outcome:?}", index + 1);
    }
}
