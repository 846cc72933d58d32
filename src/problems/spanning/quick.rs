//! Accepts minimum spanning trees and forests: an edge of the graph is no lighter than the path that it closes.
//!
//! How heavy paths are is known from one number for each vertex ([`Middle`]), so that most edges are seen to be in order by one look. Those of the forest itself
//! may be lighter than the numbers of both ends; that they are so many as the forest has is counted, in blocks of vertices, without a branch that a
//! processor could guess wrong. Only where a block has more are its edges looked at one by one.
//! Nothing is held for edges that are not chosen, and those are not sorted.

use super::middle::{BLOCK, Middle};
use crate::answers::{Candidate, IN, Parents};
use crate::cancel;
use crate::instance::{Graph, Weight};
use crate::problems::links::Word;

/// True for a minimum spanning forest, given as chosen edges in the graph's order, and for hardly anything that is not refused elsewhere.
pub(super) fn is_minimum_forest(graph: &Graph, candidate: &Candidate) -> bool {
    match Range::of(graph) {
        Some(range) if range.fits::<u16>() => is_minimum_forest_in::<u16>(graph, candidate, range),
        Some(range) if range.fits::<u32>() => is_minimum_forest_in::<u32>(graph, candidate, range),
        Some(range) => is_minimum_forest_in::<u64>(graph, candidate, range),
        None => false,
    }
}

fn is_minimum_forest_in<W: Word>(graph: &Graph, candidate: &Candidate, range: Range) -> bool {
    let forest = chosen_edges(graph, candidate).and_then(|chosen| {
        let edge = |(tail, index): (u32, u32)| {
            let arc = graph.first_arc(tail as usize) + index as usize;
            (tail, graph.heads()[arc], range.word(graph.weight_of(arc)))
        };
        Middle::<W>::new(graph.n(), chosen.into_iter().map(edge))
    });
    forest.is_some_and(|mut forest| has_no_lighter_edge(graph, range, &mut forest, Middle::admits))
}

/// True for a minimum spanning tree of the source's component, given as parents.
pub(super) fn is_minimum_tree(graph: &Graph, source: usize, candidate: Parents<'_>) -> bool {
    match Range::of(graph) {
        Some(range) if range.fits::<u16>() => is_minimum_tree_in::<u16>(graph, source, candidate, range),
        Some(range) if range.fits::<u32>() => is_minimum_tree_in::<u32>(graph, source, candidate, range),
        Some(range) => is_minimum_tree_in::<u64>(graph, source, candidate, range),
        None => false,
    }
}

fn is_minimum_tree_in<W: Word>(graph: &Graph, source: usize, candidate: Parents<'_>, range: Range) -> bool {
    // An edge goes both ways: the child's own arcs stand where those of the last child ended.
    let of_edge = |parent, child| graph.arc(child, parent).map(|arc| range.word(graph.weight_of(arc)));
    let tree = SourceTree::<W>::new(source, candidate, of_edge);
    tree.is_some_and(|SourceTree { ends, mut tree }| {
        let admits = |tree: &mut Middle<W>, one, other, weight| ends.admit(tree, one, other, weight);
        has_no_lighter_edge(graph, range, &mut tree, admits)
    })
}

/// From the smallest to the largest weight: what is compared is how far weights are above the smallest. Where none is negative, that is taken to be 0,
/// because looking for it takes a pass over the arcs.
#[derive(Clone, Copy)]
struct Range {
    smallest: Weight,
    size: u64,
}

impl Range {
    /// `None` where it is more than a word holds.
    fn of(graph: &Graph) -> Option<Self> {
        let smallest = if graph.has_negative_weight() { graph.smallest_weight()? } else { 0 };
        let size = u64::try_from(graph.largest_weight().unwrap_or(0) - smallest).ok()?;
        (size < u64::MAX).then_some(Range { smallest, size })
    }

    /// True when such a word holds all, and one that is larger.
    fn fits<W: Word>(self) -> bool {
        self.size < W::most().into()
    }

    fn word<W: Word>(self, weight: Weight) -> W {
        W::try_from((weight - self.smallest) as u64).unwrap_or(W::most())
    }
}

/// The lower end of each chosen edge, and which of its arcs it is, the last ones first; `None` where they are too many for a forest.
fn chosen_edges(graph: &Graph, candidate: &Candidate) -> Option<Vec<(u32, u32)>> {
    let n = graph.n();
    let (mut chosen, mut count, mut choices) = (vec![(0, 0); n], 0, candidate.choices().iter().rev());
    for tail in (0..n).rev() {
        let heads = graph.out_neighbours(tail);
        if chosen.len() < count + heads.len() {
            chosen.resize(count + heads.len(), (0, 0));
        }
        let upward = heads.iter().enumerate().rev().take_while(|&(_, &head)| head as usize >= tail);
        for ((index, _), &choice) in upward.zip(&mut choices) {
            // Each edge is written, and the next one over it if it is not chosen: whether it is, a processor would often guess wrong.
            chosen[count] = (tail as u32, index as u32);
            count += usize::from(choice as usize == IN);
        }
        if count >= n {
            return None;
        }
    }
    chosen.truncate(count);
    Some(chosen)
}

/// A tree of chosen edges that hangs below the source, all other vertices being their own parents.
pub(in crate::problems) struct SourceTree<'a, W> {
    ends: Ends<'a>,
    tree: Middle<W>,
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
    fn admit<W: Word>(self, tree: &mut Middle<W>, one: usize, other: usize, weight: W) -> bool {
        match self.are_inside(one) {
            true => tree.admits(one, other, weight),
            false => !self.are_inside(other),
        }
    }
}

impl<'a, W: Word> SourceTree<'a, W> {
    /// With the weights that `of_edge(parent, child)` knows, all less than [`Word::most`]; `None` where it does not, and where parents do not form such a tree.
    pub(in crate::problems) fn new(
        source: usize,
        candidate: Parents<'a>,
        of_edge: impl Fn(usize, usize) -> Option<W>,
    ) -> Option<Self> {
        // All of them first: who looks up nothing in between has more vertices on the way from memory at a time.
        let of = |child: usize| match candidate.of(child) {
            parent if parent == child => Some(W::default()),
            parent => of_edge(parent, child),
        };
        let weights: Vec<W> = (0..candidate.n()).map(of).collect::<Option<_>>()?;
        let edges = candidate.edges().map(|(parent, child)| (parent as u32, child as u32, weights[child]));
        let tree = Middle::new(candidate.n(), edges)?;
        let ends = Ends { source, candidate };
        // Where there is no edge, any vertex may be the middle.
        let is_one = || (0..candidate.n()).all(|vertex| !ends.are_inside(vertex) || tree.holds(vertex));
        let is_tree = candidate.is_root(source) && (candidate.edges().next().is_none() || is_one());
        is_tree.then_some(SourceTree { ends, tree })
    }

    /// True when the tree would not be lighter with an edge of the graph, whose weight is less than [`Word::most`], or larger.
    pub(in crate::problems) fn admits(&mut self, one: usize, other: usize, weight: W) -> bool {
        self.ends.admit(&mut self.tree, one, other, weight)
    }
}

/// True when a forest, all of whose edges are the graph's, admits each edge; self-loops are left out.
fn has_no_lighter_edge<W: Word>(
    graph: &Graph,
    range: Range,
    forest: &mut Middle<W>,
    mut admits: impl FnMut(&mut Middle<W>, usize, usize, W) -> bool,
) -> bool {
    (0..graph.n().div_ceil(BLOCK)).all(|block| {
        cancel::point();
        let vertices = block * BLOCK..graph.n().min((block + 1) * BLOCK);
        // Where names have taken their place, there are no numbers.
        let numbers = forest.numbers();
        if !numbers.is_empty() && count_lighter(graph, range, numbers, vertices.clone()) == forest.lighter_in(block) {
            return true;
        }
        vertices.into_iter().all(|tail| {
            let mut are_admitted = true;
            graph.each_edge_upward(tail, |head, weight| {
                are_admitted = are_admitted && admits(forest, tail, head, range.word(weight));
            });
            are_admitted
        })
    })
}

/// How many edges, by their lower end, are lighter than the number of one of their ends.
fn count_lighter<W: Word>(graph: &Graph, range: Range, numbers: &[W], vertices: std::ops::Range<usize>) -> usize {
    let mut count = 0;
    for tail in vertices {
        let own = numbers[tail];
        graph.each_edge_upward(tail, |head, weight| {
            count += usize::from(((weight - range.smallest) as u64) < own.max(numbers[head]).into());
        });
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{Decimal, Instance};
    use crate::problems::by_name;
    use crate::problems::ties::Free;
    use crate::random::Rng;

    /// Which weights are larger is all that counts, in however many bytes they are kept.
    #[test]
    fn what_is_least_stays_so_if_weights_are_scaled_and_shifted() {
        for name in ["kruskal", "prim"] {
            let mut accepted = 0;
            for index in 0..3000 {
                let mut rng = Rng::stream(0, name, index);
                let n = 2 + rng.below(6);
                let pairs = (0..n * n).map(|pair| (pair / n, pair % n)).filter(|(one, other)| one < other);
                let mut edges: Vec<(usize, usize, i64)> =
                    pairs.map(|(one, other)| (one, other, rng.below(4) as i64)).collect();
                edges.retain(|_| rng.chance(0.6));
                let instance = |scale: i64, shift: i64| {
                    let weighted =
                        edges.iter().map(|&(one, other, weight)| (one, other, Decimal::whole(scale * weight + shift)));
                    Instance::of_graph(Graph::weighted_undirected(n, weighted).unwrap(), (name == "prim").then_some(0))
                };
                let plain = instance(1, 0);
                let algorithm = by_name(name).unwrap();
                let mut candidate = algorithm.prepare(&plain).unwrap().run(&mut Free(&mut rng));
                if rng.chance(0.5) && candidate.slots() > 0 {
                    let (slots, form) = (candidate.slots(), candidate.form());
                    candidate.set(rng.below(slots), rng.below(form.options(slots)));
                }
                let (scale, shift) =
                    ([21_844, 21_845, 1 << 30, 1_431_655_765, 1 << 60][rng.below(5)], -(rng.below(3) as i64));
                let scaled = instance(scale, shift * scale);
                let accepts = |instance: &Instance| match name {
                    "prim" => is_minimum_tree(&instance.graph, 0, candidate.parents()),
                    _ => is_minimum_forest(&instance.graph, &candidate),
                };
                let is_right = algorithm.prepare(&plain).unwrap().space().verify(&candidate).is_ok();
                assert_eq!(
                    (accepts(&plain), accepts(&scaled)),
                    (is_right, is_right),
                    "{plain:?} {candidate:?} {scale}"
                );
                accepted += usize::from(is_right);
            }
            assert!((1200..2700).contains(&accepted), "{name}: {accepted} were right");
        }
    }
}
