//! Accepts minimum spanning trees and forests: an edge of the graph is no lighter than the path that it closes.
//!
//! How heavy paths are is known from one number for each vertex ([`Middle`]), so that most edges are seen to be in order by one look. Those of the forest itself
//! may be lighter than the numbers of both ends; that they are so many as the forest has is counted, in blocks of vertices, without a branch that a
//! processor could guess wrong. Only where a block has more are its edges looked at one by one.
//! Nothing is held for edges that are not chosen, and those are not sorted.

use super::middle::{BLOCK, Middle, TOP};
use crate::answers::{Candidate, IN, Parents};
use crate::cancel;
use crate::instance::{Graph, Weight};

/// True for a minimum spanning forest, given as chosen edges in the graph's order, and for hardly anything that is not refused elsewhere.
pub(super) fn is_minimum_forest(graph: &Graph, candidate: &Candidate) -> bool {
    if !are_words(graph) {
        return false;
    }
    let Some(chosen) = chosen_edges(graph, candidate) else { return false };
    let forest = Middle::new(graph.n(), chosen.into_iter());
    forest.is_some_and(|mut forest| has_no_lighter_edge(graph, &mut forest, Middle::admits))
}

/// True for a minimum spanning tree of the source's component, given as parents.
pub(super) fn is_minimum_tree(graph: &Graph, source: usize, candidate: Parents<'_>) -> bool {
    let Some(weights) = parent_weights(graph, candidate).filter(|_| are_words(graph)) else { return false };
    let tree = SourceTree::new(source, candidate, weights);
    tree.is_some_and(|SourceTree { ends, mut tree }| {
        has_no_lighter_edge(graph, &mut tree, |tree, one, other, weight| ends.admit(tree, one, other, weight))
    })
}

/// True when every weight is a word, and less than [`TOP`].
fn are_words(graph: &Graph) -> bool {
    let is_least = || graph.smallest_weight().is_none_or(|weight| weight >= i64::MIN.into());
    graph.largest_weight().is_none_or(|weight| weight < TOP.into()) && (!graph.has_negative_weight() || is_least())
}

/// Of a graph whose weights are words; `None` where they are too many for a forest.
fn chosen_edges(graph: &Graph, candidate: &Candidate) -> Option<Vec<(u32, u32, i64)>> {
    let n = graph.n();
    let (mut chosen, mut count) = (vec![(0, 0, 0); n + 1], 0);
    let mut choices = candidate.choices().iter();
    for tail in 0..n {
        graph.each_out_edge(tail, |head, weight| {
            if head < tail {
                return;
            }
            // Every edge is written, and the next one over it if it is not chosen: whether it is, a processor would often guess wrong.
            chosen[count] = (tail as u32, head as u32, weight as i64);
            let is_chosen = choices.next().is_some_and(|&choice| choice as usize == IN);
            count = (count + usize::from(is_chosen)).min(n);
        });
    }
    chosen.truncate(count);
    (count < n.max(1)).then_some(chosen)
}

/// The weight of each vertex's edge to its parent, any for a root; `None` where one has no such edge.
///
/// An edge goes both ways, so that the child's own neighbours have it, which stand where the last child's ended.
fn parent_weights(graph: &Graph, candidate: Parents<'_>) -> Option<Vec<i64>> {
    let of = |child: usize| match candidate.of(child) {
        parent if parent == child => Some(0),
        parent => i64::try_from(graph.weight_of(graph.arc(child, parent)?)).ok(),
    };
    (0..graph.n()).map(of).collect()
}

/// A tree of chosen edges that hangs below the source, all other vertices being their own parents.
pub(in crate::problems) struct SourceTree<'a> {
    ends: Ends<'a>,
    tree: Middle,
}

/// Which vertices a candidate puts below the source.
#[derive(Clone, Copy)]
struct Ends<'a> {
    source: usize,
    candidate: Parents<'a>,
}

impl Ends<'_> {
    fn are_inside(self, vertex: usize) -> bool {
        vertex == self.source || !self.candidate.is_root(vertex)
    }

    /// True when the tree would not be lighter with an edge of the graph, or larger.
    fn admit(self, tree: &mut Middle, one: usize, other: usize, weight: i64) -> bool {
        match self.are_inside(one) {
            true => tree.admits(one, other, weight),
            false => !self.are_inside(other),
        }
    }
}

impl<'a> SourceTree<'a> {
    /// From the weights of the edges between parents and children, by child, all less than the largest word; `None` where they do not form such a tree.
    pub(in crate::problems) fn new(source: usize, candidate: Parents<'a>, weights: Vec<i64>) -> Option<Self> {
        let edges = candidate.edges().map(|(parent, child)| (parent as u32, child as u32, weights[child]));
        let tree = Middle::new(candidate.n(), edges)?;
        let mut inside = candidate.edges().map(|(_, child)| child).peekable();
        let holds_source = inside.peek().is_none() || tree.holds(source);
        let is_tree = candidate.is_root(source) && holds_source && inside.all(|child| tree.holds(child));
        is_tree.then_some(SourceTree { ends: Ends { source, candidate }, tree })
    }

    /// True when the tree would not be lighter with an edge of the graph, whose weight is less than the largest word, or larger.
    pub(in crate::problems) fn admits(&mut self, one: usize, other: usize, weight: i64) -> bool {
        self.ends.admit(&mut self.tree, one, other, weight)
    }
}

/// True when a forest, all of whose edges are the graph's, admits each edge; self-loops are left out.
fn has_no_lighter_edge(
    graph: &Graph,
    forest: &mut Middle,
    mut admits: impl FnMut(&mut Middle, usize, usize, i64) -> bool,
) -> bool {
    (0..graph.n().div_ceil(BLOCK)).all(|block| {
        cancel::point();
        let vertices = block * BLOCK..graph.n().min((block + 1) * BLOCK);
        // Where names have taken their place, there are no numbers.
        let numbers = forest.numbers();
        if !numbers.is_empty() && count_lighter(graph, numbers, vertices.clone()) == forest.lighter_in(block) {
            return true;
        }
        vertices.into_iter().all(|tail| {
            let mut arcs = higher_arcs(graph, tail);
            arcs.all(|(head, weight)| admits(forest, tail, head, weight as i64))
        })
    })
}

/// How many edges, by their lower end, are lighter than the number of one of their ends.
fn count_lighter(graph: &Graph, numbers: &[i64], vertices: std::ops::Range<usize>) -> usize {
    let mut count = 0;
    for tail in vertices {
        let own = numbers[tail];
        for (head, weight) in higher_arcs(graph, tail) {
            count += usize::from(weight < Weight::from(own.max(numbers[head])));
        }
    }
    count
}

/// The arcs to higher vertices, with their weights: each edge once, but for self-loops.
#[inline]
fn higher_arcs(graph: &Graph, tail: usize) -> impl Iterator<Item = (usize, Weight)> + '_ {
    let heads = graph.out_neighbours(tail);
    let first = heads.partition_point(|&head| head as usize <= tail);
    let start = graph.first_arc(tail) + first;
    heads[first..].iter().zip(start..).map(|(&head, arc)| (head as usize, graph.weight_of(arc)))
}
