//! Accepts a maximum matching with nothing but the mate of each vertex: no list of edges, no places of edges at vertices.

use crate::answers::{Candidate, IN};
use crate::instance::Graph;
use fixedbitset::FixedBitSet;

const NOBODY: u32 = u32::MAX;

/// True exactly for a maximum matching. O(n + m).
pub(super) fn is_maximum(graph: &Graph, is_left: &[bool], candidate: &Candidate) -> bool {
    mates(graph, candidate).is_some_and(|mate| !can_grow(graph, is_left, &mate))
}

/// Whom each vertex is matched to; `None` where one has two chosen edges.
fn mates(graph: &Graph, candidate: &Candidate) -> Option<Vec<u32>> {
    let mut mate = vec![NOBODY; graph.n()];
    for ((one, other), _) in graph.edges().zip(candidate.choices()).filter(|&(_, &choice)| choice as usize == IN) {
        if mate[one] != NOBODY || mate[other] != NOBODY {
            return None;
        }
        (mate[one], mate[other]) = (other as u32, one as u32);
    }
    Some(mate)
}

/// True when an alternating path leads from a free vertex on the left to a free one on the right.
fn can_grow(graph: &Graph, is_left: &[bool], mate: &[u32]) -> bool {
    let mut is_met = FixedBitSet::with_capacity(graph.n());
    let is_start = |&vertex: &u32| is_left[vertex as usize] && mate[vertex as usize] == NOBODY;
    let mut queue: Vec<u32> = (0..graph.n() as u32).filter(is_start).collect();
    let mut next = 0;
    while let Some(&left) = queue.get(next) {
        next += 1;
        for &right in graph.out_neighbours(left as usize) {
            if mate[left as usize] == right || is_met.put(right as usize) {
                continue;
            }
            match mate[right as usize] {
                NOBODY => return true,
                beyond => queue.push(beyond),
            }
        }
    }
    false
}
