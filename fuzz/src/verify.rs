//! Bytes become a graph and a candidate; the exact verifiers say what the literal ones say, and nothing panics.
//!
//! The first byte is the number of vertices, the second the source, then one parent for each vertex, then the edges:
//! a tail, a head and a weight (from -2 to 3) each. Half of the graphs are undirected; an algorithm that refuses one is left out. Up to 7 vertices the literal verifiers judge too.

#[path = "../../tests/common/literal.rs"]
mod literal;

use std::collections::BTreeMap;
use tiebreak::answers::{Candidate, Form};
use tiebreak::instance::{Decimal, Graph, Instance};
use tiebreak::problems::ALGORITHMS;

const MAX_LITERAL: usize = 7;

fn read(bytes: &[u8]) -> Option<(Instance, Candidate)> {
    let [n, source, rest @ ..] = bytes else { return None };
    // Mostly small: every byte below 128 is taken modulo 8.
    let n = usize::from(if *n < 128 { n % 8 } else { n - 128 });
    let (parents, edges) = rest.split_at_checked(n)?;
    let parents = parents.iter().map(|&parent| usize::from(parent) % n);
    // Every other source byte makes edges go both ways.
    let undirected = source & 1 == 1;
    let mut weights = BTreeMap::new();
    for edge in edges.chunks_exact(3).filter(|_| n > 0) {
        let (tail, head) = (usize::from(edge[0]) % n, usize::from(edge[1]) % n);
        let ends = if undirected { (tail.min(head), tail.max(head)) } else { (tail, head) };
        weights.insert(ends, i64::from(edge[2] % 6) - 2);
    }
    let weighted = weights.into_iter().map(|((tail, head), weight)| (tail, head, Decimal::whole(weight)));
    let graph = if undirected { Graph::weighted_undirected(n, weighted) } else { Graph::weighted(n, weighted) };
    let graph = graph.expect("each pair once, in range");
    let candidate = Candidate::from_parents(parents).expect("parents in range");
    Some((Instance::with_source(graph, usize::from(*source / 2) % n.max(1)), candidate))
}

pub fn verify(bytes: &[u8]) {
    let Some((instance, candidate)) = read(bytes) else { return };
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.problem().form == Form::Parents) {
        let Ok(prepared) = algorithm.prepare(&instance) else { continue };
        let exact = prepared.space().verify(&candidate).is_ok();
        let weak = prepared.space().verify_weakly(&candidate);
        assert!(
            weak.is_none_or(|weak| weak.is_ok()) || !exact,
            "{algorithm:?}: only the exact check accepts {candidate} on {instance:?}"
        );
        if instance.n() <= MAX_LITERAL {
            let literal = literal::accepts(*algorithm, &instance, &candidate);
            assert_eq!(exact, literal, "{algorithm:?}: {candidate} on {instance:?}");
        }
    }
}
