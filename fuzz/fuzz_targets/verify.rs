//! Bytes become a graph and a candidate; the exact verifiers say what the literal ones say, and nothing panics.
//!
//! `cargo +nightly fuzz run verify`
//!
//! The first byte is the number of vertices, the second the source, then one parent for each vertex, then the edges:
//! a tail, a head and a weight each. Up to 7 vertices the literal verifiers judge too.

#![no_main]

#[path = "../../tests/common/literal.rs"]
mod literal;

use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use tiebreak::algorithms::ALGORITHMS;
use tiebreak::graph::{Decimal, Graph, Instance};
use tiebreak::parents::ParentArray;

const MAX_LITERAL: usize = 7;

fn read(bytes: &[u8]) -> Option<(Instance, ParentArray)> {
    let [n, source, rest @ ..] = bytes else { return None };
    // Mostly small: every byte below 128 is taken modulo 8.
    let n = usize::from(if *n < 128 { n % 8 } else { n - 128 });
    let (parents, edges) = rest.split_at_checked(n)?;
    let parents = parents.iter().map(|&parent| usize::from(parent) % n).collect();
    let mut weights = BTreeMap::new();
    for edge in edges.chunks_exact(3).filter(|_| n > 0) {
        weights.insert((usize::from(edge[0]) % n, usize::from(edge[1]) % n), 1 + i64::from(edge[2] % 4));
    }
    let weighted = weights.into_iter().map(|((tail, head), weight)| (tail, head, Decimal::whole(weight)));
    let graph = Graph::weighted(n, weighted).expect("each pair once, in range");
    let candidate = ParentArray::new(parents).expect("parents in range");
    Some((Instance::with_source(graph, usize::from(*source) % n.max(1)), candidate))
}

fuzz_target!(|bytes: &[u8]| {
    let Some((instance, candidate)) = read(bytes) else { return };
    for algorithm in ALGORITHMS {
        if algorithm.check(&instance).is_err() {
            continue;
        }
        let exact = algorithm.verify(&instance, &candidate).is_ok();
        let weak = algorithm.verify_weakly(&instance, &candidate).is_ok();
        assert!(weak || !exact, "{algorithm:?}: only the exact check accepts {candidate} on {instance:?}");
        if instance.n() <= MAX_LITERAL {
            let literal = literal::accepts(algorithm.name(), &instance, &candidate);
            assert_eq!(exact, literal, "{algorithm:?}: {candidate} on {instance:?}");
        }
    }
});
