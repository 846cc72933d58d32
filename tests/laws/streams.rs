//! Verifiers that see edges go by accept exactly what is right by the definition, on every small instance and every candidate of the form.

use super::common::{every_small_candidate, every_small_instance, literal};
use tiebreak::answers::Candidate;
use tiebreak::instance::{Instance, Weight};
use tiebreak::problems::by_name;
use tiebreak::problems::stream::{is_minimum_spanning_tree, is_shortest_path_tree, is_topological_order};

/// As a file might have them: those of the graph from the last to the first.
fn going_by(edges: impl Iterator<Item = (usize, usize, Weight)>) -> Vec<(u32, u32, i64)> {
    let mut all: Vec<(u32, u32, i64)> =
        edges.map(|(tail, head, weight)| (tail as u32, head as u32, weight as i64)).collect();
    all.reverse();
    all
}

fn assert_streamed(name: &str, streamed: impl Fn(&Instance, &Candidate) -> bool) {
    let algorithm = by_name(name).expect("an algorithm of the crate");
    let candidates = every_small_candidate(algorithm);
    let (mut right, mut wrong) = (0, 0);
    for instance in every_small_instance(algorithm) {
        let is_right = literal::judge(algorithm, &instance);
        for candidate in &candidates[instance.slots(algorithm.problem().form)] {
            assert_eq!(streamed(&instance, candidate), is_right(candidate), "{name} {instance:?} {candidate:?}");
            *if is_right(candidate) { &mut right } else { &mut wrong } += 1;
        }
    }
    assert!(right > 100 && wrong > 100, "{name}: {right} right, {wrong} wrong");
}

#[test]
fn shortest_path_trees_are_known_while_edges_go_by() {
    assert_streamed("dijkstra", |instance, candidate| {
        let edges = going_by(instance.graph.weighted_arcs());
        let source = instance.source.expect("it starts somewhere");
        is_shortest_path_tree(source, candidate.parents(), || edges.iter().copied()).expect("small weights")
    });
}

#[test]
fn minimum_spanning_trees_are_known_while_edges_go_by() {
    assert_streamed("prim", |instance, candidate| {
        let edges = going_by(instance.graph.weighted_edges());
        let source = instance.source.expect("it starts somewhere");
        is_minimum_spanning_tree(source, candidate.parents(), || edges.iter().copied()).expect("small weights")
    });
}

#[test]
fn orders_are_known_while_edges_go_by() {
    assert_streamed("topological-sort", |instance, candidate| {
        let edges = going_by(instance.graph.weighted_arcs());
        is_topological_order(candidate, || edges.iter().copied())
    });
}
