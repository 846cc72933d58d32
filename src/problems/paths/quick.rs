//! The check for shortcuts where lengths fit one word, as they nearly always do: it waits for memory and for little else.
//!
//! Ten arcs a vertex mean ten random accesses for each, which nothing avoids, to the length at the arc's head; all that is done once a vertex
//! (finding the edge from its parent, adding up lengths) is kept to a few.

use super::{Length, Paths};
use crate::answers::Parents;
use crate::instance::Graph;
use crate::problems::verify::each_parent_edge;

/// The length of a vertex that is its own parent, longer than any path.
pub(in crate::problems) const UNREACHED: u64 = 1 << 62;
/// Marks what is not yet the length of a path, but only that of its last edge.
pub(in crate::problems) const OPEN: u64 = 1 << 63;

/// True for a solution: no edge is a shortcut past the paths that the candidate itself gives. No weight may be negative.
pub(super) fn has_no_shortcut(paths: &Paths, candidate: Parents<'_>) -> bool {
    let graph = &paths.instance.graph;
    if paths.length == Length::Hops && candidate.n() < FEW_HOPS as usize {
        return Hops::new(paths.source, candidate).is_some_and(|hops| hops.have_no_shortcut(graph));
    }
    let Some(lengths) = tree_lengths(paths, candidate) else { return false };
    (0..candidate.n()).filter(|&tail| lengths[tail] != UNREACHED).all(|tail| {
        let (before, mut is_shortcut) = (lengths[tail], false);
        let mut look_at = |head: usize, length: u64| is_shortcut |= lengths[head] > before + length;
        graph.each_out_edge(tail, |head, weight| look_at(head, paths.length.of(weight) as u64));
        !is_shortcut
    })
}

/// Where all edges are equally long, lengths follow from the parents alone, and the one pass over the arcs finds the edges of parents, too: what is asked of
/// a head stands side by side.
struct Hops {
    /// For each vertex its parent ([`NOBODY`] for a root) and the hops to it from the source.
    of: Vec<[u32; 2]>,
    /// How many vertices have a parent.
    children: usize,
}

/// More than any path has.
const FEW_HOPS: u32 = u32::MAX - 2;
/// The hops to a root that is not the source.
const NEVER: u32 = u32::MAX - 1;
/// Hops that are not known yet.
const NOT_YET: u32 = u32::MAX;
/// The parent of a root.
const NOBODY: u32 = u32::MAX;

impl Hops {
    /// `None` when parents run in a circle, or end at a root that is not the source.
    fn new(source: usize, candidate: Parents<'_>) -> Option<Self> {
        let entry = |vertex: usize| match candidate.of(vertex) {
            parent if parent == vertex => [NOBODY, NEVER],
            parent => [parent as u32, NOT_YET],
        };
        let mut of: Vec<[u32; 2]> = (0..candidate.n()).map(entry).collect();
        let children = of.iter().filter(|&&[parent, _]| parent != NOBODY).count();
        if of[source][0] != NOBODY {
            return None;
        }
        of[source][1] = 0;
        let mut path: Vec<u32> = vec![];
        for start in 0..candidate.n() {
            let (mut vertex, [mut parent, mut hops]) = (start, of[start]);
            while hops == NOT_YET {
                // Whoever has walked so far walks in a circle.
                if path.len() == candidate.n() {
                    return None;
                }
                path.push(vertex as u32);
                vertex = parent as usize;
                [parent, hops] = of[vertex];
            }
            if hops == NEVER && !path.is_empty() {
                return None;
            }
            while let Some(below) = path.pop() {
                hops += 1;
                of[below as usize][1] = hops;
            }
        }
        Some(Hops { of, children })
    }

    fn have_no_shortcut(&self, graph: &Graph) -> bool {
        let (mut children, mut has_shortcut) = (0, false);
        for (tail, &[_, before]) in self.of.iter().enumerate().filter(|(_, at)| at[1] != NEVER) {
            for &head in graph.out_neighbours(tail) {
                let [parent, hops] = self.of[head as usize];
                has_shortcut |= hops > before + 1;
                children += usize::from(parent == tail as u32);
            }
            if has_shortcut {
                return false;
            }
        }
        // No arc is there twice, so each parent has its edge when there are as many.
        children == self.children
    }
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
