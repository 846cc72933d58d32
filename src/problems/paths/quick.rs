//! The check for shortcuts where lengths fit one word, as they nearly always do: it waits for memory and for little else.
//!
//! Ten arcs a vertex mean ten random accesses for each, which nothing avoids, to the length at the arc's head; all that is done once a vertex
//! (finding the edge from its parent, adding up lengths) is kept to a few.

use super::{Length, Paths};
use crate::answers::Parents;
use crate::problems::verify::each_parent_edge;

/// The length of a vertex that is its own parent, longer than any path.
pub(in crate::problems) const UNREACHED: u64 = 1 << 62;
/// Marks what is not yet the length of a path, but only that of its last edge.
pub(in crate::problems) const OPEN: u64 = 1 << 63;

/// True for a solution: no edge is a shortcut past the paths that the candidate itself gives. No weight may be negative.
pub(super) fn has_no_shortcut(paths: &Paths, candidate: Parents<'_>) -> bool {
    let graph = &paths.instance.graph;
    let Some(lengths) = tree_lengths(paths, candidate) else { return false };
    (0..candidate.n()).filter(|&tail| lengths[tail] != UNREACHED).all(|tail| {
        let (before, mut is_shortcut) = (lengths[tail], false);
        match paths.length {
            Length::Hops => {
                graph.out_neighbours(tail).iter().for_each(|&head| is_shortcut |= lengths[head as usize] > before + 1);
            }
            Length::Weights => {
                graph.each_out_edge(tail, |head, weight| is_shortcut |= lengths[head] > before + weight as u64);
            }
        }
        !is_shortcut
    })
}

/// The length of the candidate's own path from the source to each vertex, [`UNREACHED`] for a root of its own; `None` when
/// parents run in a circle, use what is no edge, or end at a root that is not the source.
fn tree_lengths(paths: &Paths, candidate: Parents<'_>) -> Option<Vec<u64>> {
    if !candidate.is_root(paths.source) {
        return None;
    }
    let mut lengths = vec![UNREACHED; candidate.n()];
    let add = |child: usize, weight| lengths[child] = OPEN | paths.length.of(weight) as u64;
    if !each_parent_edge(&paths.instance.graph, candidate, add) {
        return None;
    }
    add_up(&mut lengths, paths.source, candidate).then_some(lengths)
}

/// Makes lengths of last edges ([`OPEN`]) those of paths from the source; false when parents run in a circle, or end at a root that is not the source.
pub(in crate::problems) fn add_up(lengths: &mut [u64], source: usize, candidate: Parents<'_>) -> bool {
    lengths[source] = 0;
    let mut path: Vec<u32> = vec![];
    for start in 0..candidate.n() {
        let mut vertex = start;
        while lengths[vertex] & OPEN != 0 {
            // Whoever has walked so far walks in a circle.
            if path.len() == candidate.n() {
                return false;
            }
            path.push(vertex as u32);
            vertex = candidate.of(vertex);
        }
        let mut length = lengths[vertex];
        if length == UNREACHED && !path.is_empty() {
            return false;
        }
        while let Some(below) = path.pop() {
            length += lengths[below as usize] & !OPEN;
            lengths[below as usize] = length;
        }
    }
    true
}
