//! Accepts a maximum matching with nothing but the mate of each vertex: no list of edges, no places of edges at vertices.

use super::mates::NOBODY;
use super::sides::Sides;
use crate::answers::{Candidate, IN};
use crate::instance::Graph;
use fixedbitset::FixedBitSet;

/// True exactly for a maximum matching. O(n + m).
pub(super) fn is_maximum(sides: &Sides, candidate: &Candidate) -> bool {
    mates(sides, candidate).is_some_and(|mate| !can_grow(&sides.graph, &sides.is_left, &mate))
}

/// Whom each vertex is matched to; `None` where one has two chosen edges.
fn mates(sides: &Sides, candidate: &Candidate) -> Option<Vec<u32>> {
    let mut mate = vec![NOBODY; sides.n()];
    let mut choices = candidate.choices();
    for one in 0..sides.n() {
        let others = sides.higher(one);
        let (own, rest) = choices.split_at(others.len());
        choices = rest;
        for (&other, _) in others.iter().zip(own).filter(|&(_, &choice)| choice as usize == IN) {
            if mate[one] != NOBODY || mate[other as usize] != NOBODY {
                return None;
            }
            (mate[one], mate[other as usize]) = (other, one as u32);
        }
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
