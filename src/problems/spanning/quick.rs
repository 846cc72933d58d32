//! Accepts minimum spanning trees and forests by what connects their vertices, lightest edges first.
//!
//! The chosen edges, of which there are fewer than vertices, are sorted, and join sets of vertices one by one; the name of the smaller set is hung below that
//! of the larger, with the weight of the edge that joined them. So names hang no deeper than log n, or than there are weights (what hangs by equal weights is
//! hung below the same name in the end), and weights do not fall on the way up. Any other edge is
//! no lighter than the path that it closes exactly when chosen edges up to its own weight lead both of its ends to the same name. Nothing is held
//! for edges that are not chosen, and those are not sorted.

use crate::answers::{Candidate, IN, Parents};
use crate::instance::{Graph, Weight};
use crate::problems::trees::{Sets, by_weight};
use crate::problems::verify::each_parent_edge;

pub(in crate::problems) type Edge = (usize, usize, Weight);

/// Names of sets, each hung below another, and the weight of the edge that did it.
struct Names(Vec<(u32, i64)>);

/// What hangs below nothing; no weight of an edge is as large.
const TOP: i64 = i64::MAX;

impl Names {
    /// `None` where chosen edges form a cycle, or have weights that are too large for this.
    fn new(n: usize, chosen: &[Edge]) -> Option<Self> {
        let mut names: Vec<(u32, i64)> = (0..n as u32).map(|vertex| (vertex, TOP)).collect();
        let (mut sets, mut size, mut name) = (Sets::new(n), vec![1u32; n], (0..n as u32).collect::<Vec<_>>());
        let mut hung = Vec::with_capacity(chosen.len());
        for edge in by_weight(chosen) {
            let (one, other, weight) = chosen[edge as usize];
            let weight = i64::try_from(weight).ok().filter(|&weight| weight < TOP)?;
            let (one, other) = (sets.find(one), sets.find(other));
            if !sets.join(one, other) {
                return None;
            }
            let (small, large) = if size[one] < size[other] { (one, other) } else { (other, one) };
            names[name[small] as usize] = (name[large], weight);
            hung.push(name[small]);
            let joined = sets.find(one);
            (size[joined], name[joined]) = (size[one] + size[other], name[large]);
        }
        // Whatever a name hangs below was hung later, so that it is done already.
        for name in hung.into_iter().rev() {
            let (above, weight) = names[name as usize];
            if names[above as usize].1 == weight {
                names[name as usize].0 = names[above as usize].0;
            }
        }
        Some(Names(names))
    }

    /// The name that edges up to a weight lead to.
    fn of(&self, vertex: usize, weight: Weight) -> usize {
        let mut at = vertex;
        loop {
            let (above, by) = self.0[at];
            if Weight::from(by) > weight || by == TOP {
                return at;
            }
            at = above as usize;
        }
    }

    fn join(&self, one: usize, other: usize, weight: Weight) -> bool {
        self.of(one, weight) == self.of(other, weight)
    }
}

/// True for a minimum spanning forest, given as chosen edges in the graph's order, and for hardly anything that is not refused elsewhere.
pub(super) fn is_minimum_forest(graph: &Graph, candidate: &Candidate) -> bool {
    let slots = graph.weighted_edges().zip(candidate.choices());
    let chosen: Vec<Edge> = slots.filter(|&(_, &choice)| choice as usize == IN).map(|(edge, _)| edge).collect();
    let Some(names) = Names::new(graph.n(), &chosen) else { return false };
    all_higher_arcs(graph, |tail, head, weight| names.join(tail, head, weight))
}

/// True for a minimum spanning tree of the source's component, given as parents.
pub(super) fn is_minimum_tree(graph: &Graph, source: usize, candidate: Parents<'_>) -> bool {
    let mut chosen: Vec<Edge> = Vec::with_capacity(graph.n());
    let are_edges =
        each_parent_edge(graph, candidate, |child, weight| chosen.push((candidate.of(child), child, weight)));
    let tree = are_edges.then(|| SourceTree::new(source, candidate, &chosen)).flatten();
    tree.is_some_and(|tree| all_higher_arcs(graph, |tail, head, weight| tree.admits(tail, head, weight)))
}

/// A tree of chosen edges that hangs below the source, all other vertices being their own parents.
pub(in crate::problems) struct SourceTree<'a> {
    source: usize,
    candidate: Parents<'a>,
    names: Names,
}

impl<'a> SourceTree<'a> {
    /// From the edges between parents and children, which must all be there; `None` where they do not form such a tree.
    pub(in crate::problems) fn new(source: usize, candidate: Parents<'a>, chosen: &[Edge]) -> Option<Self> {
        let names = Names::new(candidate.n(), chosen)?;
        let all = names.of(source, TOP.into());
        let hangs = |vertex: usize| candidate.is_root(vertex) || names.of(vertex, TOP.into()) == all;
        let is_tree = candidate.is_root(source) && (0..candidate.n()).all(hangs);
        is_tree.then_some(SourceTree { source, candidate, names })
    }

    /// True when the tree would not be lighter with an edge of the graph, or larger.
    pub(in crate::problems) fn admits(&self, tail: usize, head: usize, weight: Weight) -> bool {
        let is_inside = |vertex: usize| vertex == self.source || !self.candidate.is_root(vertex);
        match is_inside(tail) {
            true => self.names.join(tail, head, weight),
            false => !is_inside(head),
        }
    }
}

/// True when something holds for each arc that leads to a higher vertex: each edge once, but for self-loops.
fn all_higher_arcs(graph: &Graph, holds: impl Fn(usize, usize, Weight) -> bool) -> bool {
    (0..graph.n()).all(|tail| {
        let mut all = true;
        graph.each_out_edge(tail, |head, weight| all &= head <= tail || holds(tail, head, weight));
        all
    })
}
