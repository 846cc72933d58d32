//! Exact distances from the source, and the edges that end a shortest path.

use crate::graph::{Graph, Weight};
use crate::grouped::Grouped;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How far each vertex is from the source; `None` where the source does not reach.
pub(super) struct Distances(Vec<Option<Distance>>);

/// The length of the shortest paths to a vertex, and the fewest edges that one of them has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Distance {
    pub length: Weight,
    pub hops: usize,
}

impl Distances {
    /// Dijkstra's algorithm on (length, hops): weights are positive, so it gives what Bellman-Ford's rounds give, in
    /// O(m log n) instead of O(n m).
    pub fn from(graph: &Graph, source: usize) -> Self {
        let mut best: Vec<Option<Distance>> = vec![None; graph.n()];
        let start = Distance { length: 0, hops: 0 };
        best[source] = Some(start);
        let mut waiting = BinaryHeap::from([Reverse((start, source))]);
        while let Some(Reverse((distance, vertex))) = waiting.pop() {
            if best[vertex] != Some(distance) {
                continue;
            }
            for (head, weight) in graph.out_edges(vertex) {
                let through = Distance { length: distance.length + weight, hops: distance.hops + 1 };
                if best[head].is_none_or(|known| through < known) {
                    best[head] = Some(through);
                    waiting.push(Reverse((through, head)));
                }
            }
        }
        Distances(best)
    }

    pub fn to(&self, vertex: usize) -> Option<Distance> {
        self.0[vertex]
    }

    /// True when an edge of this weight ends a shortest path to `head`.
    pub fn is_tight(&self, tail: usize, head: usize, weight: Weight) -> bool {
        match (self.0[tail], self.0[head]) {
            (Some(before), Some(after)) => before.length + weight == after.length,
            _ => false,
        }
    }

    /// True when, besides, no shortest path to `head` has fewer edges than one through `tail`.
    pub fn is_fewest_hops(&self, tail: usize, head: usize) -> bool {
        match (self.0[tail], self.0[head]) {
            (Some(before), Some(after)) => before.hops + 1 == after.hops,
            _ => false,
        }
    }
}

/// For each vertex the possible parents on shortest paths, ascending; none for the source and what it does not reach.
///
/// All tight edges count, or only those on shortest paths with the fewest edges.
pub(super) fn tight_parents(graph: &Graph, distances: &Distances, fewest_hops_only: bool) -> Grouped<usize> {
    let wanted = |&(tail, head, weight): &(usize, usize, Weight)| {
        distances.is_tight(tail, head, weight) && (!fewest_hops_only || distances.is_fewest_hops(tail, head))
    };
    let tight: Vec<(usize, usize)> =
        graph.weighted_edges().filter(wanted).map(|(tail, head, _)| (head, tail)).collect();
    Grouped::new(graph.n(), tight.iter().copied())
}
