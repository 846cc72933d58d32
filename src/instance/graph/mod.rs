//! Graphs with exact weights.
//!
//! A [`Graph`] stores its arcs (directed edges) sorted by tail and head, so the out-neighbours of a vertex are a slice and an arc
//! is found by binary search. An undirected graph knows that it is one: an edge is then two arcs, but counts once. Weights are
//! whole numbers at one common decimal scale (see [`Decimal`]).

mod making;

use super::arcs::Weights;
use super::{Decimal, Weight};
use crate::answers::Form;
use std::sync::Arc as Shared;
use thiserror::Error;

/// A directed or undirected graph; self-loops are allowed.
///
/// ```
/// use tiebreak::instance::Graph;
/// let graph = Graph::from_edges(3, [(0, 1), (0, 2), (1, 2)]).unwrap();
/// assert_eq!(graph.out_neighbours(0), [1, 2]);
/// assert!(graph.has_edge(1, 2) && !graph.has_edge(2, 1));
/// let roads = Graph::undirected(3, [(0, 1), (0, 2), (1, 2)]).unwrap();
/// assert!(roads.has_edge(2, 1));
/// assert_eq!((roads.edge_count(), roads.arc_count()), (3, 6));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    // A graph never changes, so that its copies share what is large.
    first_edge: Shared<Vec<usize>>,
    heads: Shared<Vec<u32>>,
    weights: Option<Shared<Weights>>,
    /// How many arcs lead from a vertex to itself.
    loops: usize,
    decimals: u32,
    undirected: bool,
    has_negative: bool,
    /// The largest weight, where there are weights.
    largest: Option<Weight>,
}

/// Why a list of edges is not a graph.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GraphError {
    /// An end of an edge is not a vertex.
    #[error("edge {tail} -> {head}: there are only {n} vertices")]
    VertexOutOfRange {
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
        /// The number of vertices.
        n: usize,
    },
    /// The same edge twice.
    #[error("edge {tail} -> {head} is given twice")]
    Duplicate {
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
    },
    /// The same edge twice, with different weights.
    #[error("edge {tail} -> {head} is given twice, with weights {first} and {second}")]
    Contradiction {
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
        /// One of its weights.
        first: Decimal,
        /// The other.
        second: Decimal,
    },
    /// More vertices than can be numbered.
    #[error("{0} vertices are more than can be numbered (at most {MAX_VERTICES})")]
    TooManyVertices(usize),
    /// Weights so large and so fine at once that path lengths could not be exact.
    #[error(
        "edge {tail} -> {head}: with {decimals} decimals (needed elsewhere in the graph) the weight {weight} is too \
         large for exact path lengths"
    )]
    WeightTooLarge {
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
        /// Its weight.
        weight: Decimal,
        /// The number of decimals of the whole graph.
        decimals: u32,
    },
}

/// The largest number of vertices: their indices are stored in 32 bits.
pub const MAX_VERTICES: usize = u32::MAX as usize;

impl Graph {
    /// The number of vertices.
    pub fn n(&self) -> usize {
        self.first_edge.len() - 1
    }

    /// The number of slots that a candidate of this form has.
    pub fn slots(&self, form: Form) -> usize {
        match form {
            Form::Parents | Form::Items => self.n(),
            Form::Edges => self.edge_count(),
            // An order of nothing has no head.
            Form::Order if self.n() == 0 => 0,
            Form::Order => self.n() + 1,
        }
    }

    /// True when edges have no direction.
    pub fn is_undirected(&self) -> bool {
        self.undirected
    }

    /// The number of edges: an undirected one counts once.
    pub fn edge_count(&self) -> usize {
        match self.undirected {
            false => self.heads.len(),
            true => (self.heads.len() + self.loops) / 2,
        }
    }

    /// The number of arcs: an undirected edge is two, unless it is a self-loop.
    pub fn arc_count(&self) -> usize {
        self.heads.len()
    }

    /// The vertices that an edge from `vertex` leads to, in ascending order.
    pub fn out_neighbours(&self, vertex: usize) -> &[u32] {
        &self.heads[self.first_edge[vertex]..self.first_edge[vertex + 1]]
    }

    /// The head of each arc, in order.
    pub(crate) fn heads(&self) -> &[u32] {
        &self.heads
    }

    /// The out-neighbours of `vertex`, each with the weight of its edge (1 in a graph without weights).
    pub fn out_edges(&self, vertex: usize) -> impl Iterator<Item = (usize, Weight)> + '_ {
        let range = self.first_edge[vertex]..self.first_edge[vertex + 1];
        range.map(|edge| (self.heads[edge] as usize, self.weights.as_ref().map_or(1, |weights| weights.of(edge))))
    }

    /// Calls `visit(head, weight)` for each of [`Graph::out_edges`]: how weights are stored is asked once, not at each edge.
    #[inline]
    pub fn each_out_edge(&self, vertex: usize, mut visit: impl FnMut(usize, Weight)) {
        self.each_edge_of(self.first_edge[vertex]..self.first_edge[vertex + 1], &mut visit);
    }

    /// Calls `look(tail, known of heads)` for the arcs of each vertex, the many of some in parts. What is known is read for many arcs at a time, by a loop that does
    /// nothing else: where it is far from the processor, that takes half the time.
    pub(crate) fn each_read_ahead<T: Copy>(&self, known: &[T], mut look: impl FnMut(usize, &[T])) {
        const ARCS: usize = 1024;
        let (mut read, mut tail) = (Vec::with_capacity(ARCS), 0);
        for (part, heads) in self.heads.chunks(ARCS).enumerate() {
            read.clear();
            read.extend(heads.iter().map(|&head| known[head as usize]));
            let (start, mut from) = (part * ARCS, 0);
            while from < heads.len() {
                while self.first_edge[tail + 1] <= start + from {
                    tail += 1;
                }
                let to = heads.len().min(self.first_edge[tail + 1] - start);
                look(tail, &read[from..to]);
                from = to;
            }
        }
    }

    /// As [`Graph::each_out_edge`], to higher vertices only, the highest first: each undirected edge at one of its ends, but for self-loops.
    #[inline]
    pub(crate) fn each_edge_upward(&self, vertex: usize, mut visit: impl FnMut(usize, Weight)) {
        let own = self.first_edge[vertex]..self.first_edge[vertex + 1];
        // Where to stop is seen on the way: to look for it first takes as long again.
        let heads = self.heads[own.clone()].iter().rev().map(|&head| head as usize).take_while(|&head| head > vertex);
        match self.weights.as_deref() {
            None => heads.for_each(|head| visit(head, 1)),
            Some(Weights::Narrow(weights)) => {
                heads.zip(weights[own].iter().rev()).for_each(|(head, &weight)| visit(head, Weight::from(weight)));
            }
            Some(Weights::Wide(weights)) => {
                heads.zip(weights[own].iter().rev()).for_each(|(head, &weight)| visit(head, weight));
            }
        }
    }

    #[inline]
    fn each_edge_of(&self, range: std::ops::Range<usize>, visit: &mut impl FnMut(usize, Weight)) {
        let heads = self.heads[range.clone()].iter().map(|&head| head as usize);
        match self.weights.as_deref() {
            None => heads.for_each(|head| visit(head, 1)),
            Some(Weights::Narrow(weights)) => {
                heads.zip(&weights[range]).for_each(|(head, &weight)| visit(head, Weight::from(weight)));
            }
            Some(Weights::Wide(weights)) => heads.zip(&weights[range]).for_each(|(head, &weight)| visit(head, weight)),
        }
    }

    /// Writes the weight of each arc (1 in a graph without weights), as a float, to a matrix: row = tail, column = head.
    pub fn write_weights(&self, matrix: &mut [f64]) {
        // Powers of ten up to 10^22 are floats, so that one division rounds as reading the decimal would.
        let unit = 10f64.powi(self.decimals as i32);
        match self.weights.as_deref() {
            None => self.write(matrix, |_| 1.0),
            Some(Weights::Narrow(weights)) if self.decimals == 0 => self.write(matrix, |arc| weights[arc] as f64),
            Some(Weights::Narrow(weights)) => self.write(matrix, |arc| weights[arc] as f64 / unit),
            Some(Weights::Wide(weights)) => self.write(matrix, |arc| weights[arc] as f64 / unit),
        }
    }

    /// Writes `true` for each arc to a matrix: row = tail, column = head.
    pub fn write_arcs(&self, matrix: &mut [bool]) {
        self.write(matrix, |_| true);
    }

    #[inline]
    fn write<T>(&self, matrix: &mut [T], of_arc: impl Fn(usize) -> T) {
        for (row, own) in matrix.chunks_exact_mut(self.n().max(1)).zip(self.first_edge.windows(2)) {
            let heads = &self.heads[own[0]..own[1]];
            heads.iter().zip(own[0]..).for_each(|(&head, arc)| row[head as usize] = of_arc(arc));
        }
    }

    /// The largest weight of an edge (1 in a graph without weights); none where there is no edge.
    pub fn largest_weight(&self) -> Option<Weight> {
        match self.is_weighted() {
            true => self.largest,
            false => (!self.heads.is_empty()).then_some(1),
        }
    }

    /// The smallest weight of an edge (1 in a graph without weights); none where there is no edge.
    pub fn smallest_weight(&self) -> Option<Weight> {
        match &self.weights {
            Some(weights) => weights.smallest(),
            None => (!self.heads.is_empty()).then_some(1),
        }
    }

    /// The bits of the largest weight; `None` where one is negative or takes more than 8 bytes.
    pub(crate) fn bits_of_weights(&self) -> Option<u32> {
        self.weights.as_ref().map_or(Some(1), |weights| weights.bits())
    }

    /// All edges as (tail, head), in ascending order; an undirected one once, its lower end first.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.arcs().filter(|&(tail, head)| !self.undirected || tail <= head)
    }

    /// All edges as (tail, head, weight), in ascending order; an undirected one once, its lower end first.
    pub fn weighted_edges(&self) -> impl Iterator<Item = (usize, usize, Weight)> + '_ {
        self.weighted_arcs().filter(|&(tail, head, _)| !self.undirected || tail <= head)
    }

    /// All arcs as (tail, head), in ascending order.
    pub fn arcs(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        (0..self.n()).flat_map(|tail| self.out_neighbours(tail).iter().map(move |&head| (tail, head as usize)))
    }

    /// All arcs as (tail, head, weight), in ascending order.
    pub fn weighted_arcs(&self) -> impl Iterator<Item = (usize, usize, Weight)> + '_ {
        (0..self.n()).flat_map(|tail| self.out_edges(tail).map(move |(head, weight)| (tail, head, weight)))
    }

    /// True when there is an edge from `tail` to `head`.
    pub fn has_edge(&self, tail: usize, head: usize) -> bool {
        self.arc(tail, head).is_some()
    }

    /// The place of a vertex's first arc among all arcs; its others follow.
    pub fn first_arc(&self, tail: usize) -> usize {
        self.first_edge[tail]
    }

    /// The place of the arc from `tail` to `head` among all arcs, if there is one.
    pub fn arc(&self, tail: usize, head: usize) -> Option<usize> {
        Some(self.first_edge[tail] + place_of(self.out_neighbours(tail), head as u32)?)
    }

    /// The number of each arc's edge: its place in [`Graph::edges`]. Both arcs of an undirected edge have the same.
    pub fn edge_numbers(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = Vec::with_capacity(self.arc_count());
        let mut next = 0;
        for (tail, head) in self.arcs() {
            let there = self.arc(head, tail).filter(|_| self.undirected && head < tail);
            numbers.push(there.map_or(next, |arc| numbers[arc]));
            next += u32::from(there.is_none());
        }
        numbers
    }

    /// The weight of the edge from `tail` to `head`, if there is one (1 in a graph without weights).
    pub fn weight(&self, tail: usize, head: usize) -> Option<Weight> {
        Some(self.weight_of(self.arc(tail, head)?))
    }

    /// The weight of the arc at a place among all arcs (1 in a graph without weights).
    pub fn weight_of(&self, arc: usize) -> Weight {
        self.weights.as_ref().map_or(1, |weights| weights.of(arc))
    }

    /// The same graph with those arcs only that `wanted(tail, head)` keeps; for an undirected graph it must not depend on direction.
    pub fn filtered(&self, wanted: impl Fn(usize, usize) -> bool) -> Self {
        let kept: Vec<bool> = self.arcs().map(|(tail, head)| wanted(tail, head)).collect();
        let before: Vec<usize> = std::iter::once(0)
            .chain(kept.iter().scan(0, |count, &kept| {
                *count += usize::from(kept);
                Some(*count)
            }))
            .collect();
        let of = |arc: usize| kept[arc];
        let weights = self.weights.as_ref().map(|weights| {
            let left = weights.iter().enumerate().filter(|&(arc, _)| of(arc));
            Weights::new(left.map(|(_, weight)| weight).collect())
        });
        let first_edge = self.first_edge.iter().map(|&first| before[first]).collect();
        let heads = self.heads.iter().enumerate().filter(|&(arc, _)| of(arc)).map(|(_, &head)| head).collect();
        Graph { undirected: self.undirected, ..Graph::of_arcs(first_edge, heads, weights, self.decimals) }
    }

    /// The same graph without weights.
    pub fn without_weights(self) -> Self {
        Graph { weights: None, decimals: 0, has_negative: false, largest: None, ..self }
    }

    /// True when the edges have weights of their own.
    pub fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// True when some weight is negative.
    pub fn has_negative_weight(&self) -> bool {
        self.has_negative
    }

    /// How many digits after the point the weights have at the most.
    pub fn decimals(&self) -> u32 {
        self.decimals
    }

    /// A weight or path length of this graph as the decimal that it stands for.
    pub fn decimal(&self, weight: Weight) -> Decimal {
        Decimal::scaled(weight, self.decimals)
    }

    /// True when each edge has its reverse, with the same weight.
    pub fn is_symmetric(&self) -> bool {
        self.weighted_arcs().all(|(tail, head, weight)| self.weight(head, tail) == Some(weight))
    }

    /// The same graph under other labels: vertex v is called `label[v]`.
    pub(super) fn relabelled(&self, label: &[usize]) -> Self {
        assert_eq!(label.len(), self.n(), "a label for each vertex");
        let renamed = match self.is_weighted() {
            false => Graph::from_edges(self.n(), self.arcs().map(|(tail, head)| (label[tail], label[head]))),
            true => {
                let rename = |(tail, head, weight)| (label[tail], label[head], self.decimal(weight));
                Graph::weighted(self.n(), self.weighted_arcs().map(rename))
            }
        };
        Graph { undirected: self.undirected, ..renamed.expect("a permutation keeps edges apart") }
    }
}

/// Where a vertex stands in an ascending list.
#[inline]
fn place_of(vertices: &[u32], vertex: u32) -> Option<usize> {
    let place = count_below(vertices, vertex);
    (vertices.get(place) == Some(&vertex)).then_some(place)
}

/// How many in an ascending list are below a vertex.
///
/// Most lists are short; there always the same steps are taken, none of which a processor has to guess.
#[inline]
fn count_below(vertices: &[u32], vertex: u32) -> usize {
    const SHORT: usize = 15;
    if vertices.is_empty() || vertices.len() > SHORT {
        return vertices.partition_point(|&other| other < vertex);
    }
    let step = |count: usize, step: usize| {
        let more = count + step;
        let is_more = (more <= vertices.len()) & (vertices[(more - 1).min(vertices.len() - 1)] < vertex);
        if is_more { more } else { count }
    };
    [8, 4, 2, 1].into_iter().fold(0, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Instance;

    #[test]
    fn edges_come_back_sorted() {
        let graph = Graph::from_edges(3, [(2, 0), (0, 2), (0, 1), (1, 1)]).unwrap();
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 1), (2, 0)]);
        let both = Graph::undirected(3, [(2, 0), (0, 1), (1, 1)]).unwrap();
        assert_eq!(both.edges().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 1)]);
        assert_eq!((both.edge_count(), both.arc_count()), (3, 5));
        assert_eq!(both.edge_numbers(), [0, 1, 0, 2, 1]);
        assert_eq!(graph.edge_numbers(), [0, 1, 2, 3]);
        assert!(Graph::undirected(2, [(0, 1), (1, 0)]).is_err());
        assert_eq!(graph.weight(0, 2), Some(1));
        assert_eq!(graph.weight(2, 1), None);
        assert!(Graph::from_edges(0, []).unwrap().edges().next().is_none());
    }

    /// Lists of arcs that fill parts exactly, go over them, take several, or are empty.
    #[test]
    fn reading_ahead_shows_each_arc_once() {
        let degrees = [0, 3, 1021, 1, 1023, 0, 2500, 2048, 7, 0, 0, 1];
        let arcs = degrees.iter().enumerate().flat_map(|(tail, &degree)| (0..degree).map(move |head| (tail, head)));
        let graph = Graph::from_edges(2500, arcs).unwrap();
        let known: Vec<u64> = (0..2500).map(|head| head * head).collect();
        let mut seen = vec![];
        graph.each_read_ahead(&known, |tail, heads| seen.extend(heads.iter().map(|&known| (tail, known))));
        assert_eq!(seen, graph.edges().map(|(tail, head)| (tail, known[head])).collect::<Vec<_>>());
        Graph::from_edges(2, []).unwrap().each_read_ahead(&known, |_, _| panic!("there are no arcs"));
    }

    #[test]
    fn relabelling_back_gives_the_instance_back() {
        let weight = |text: &str| text.parse::<Decimal>().unwrap();
        let graph = Graph::weighted(3, [(0, 1, weight("0.5")), (1, 2, weight("0.25"))]).unwrap();
        let instance = Instance::with_source(graph, 0);
        let there = instance.relabelled(&[2, 0, 1]);
        assert_eq!((there.source, there.graph.weight(2, 0), there.graph.weight(0, 1)), (Some(2), Some(50), Some(25)));
        assert_eq!(there.relabelled(&[1, 2, 0]), instance);
    }

    #[test]
    fn a_filtered_graph_has_the_arcs_that_are_wanted() {
        let weight = |weight: i64| Decimal::whole(weight);
        let graph =
            Graph::weighted(3, [(0, 1, weight(-1)), (0, 2, weight(5)), (1, 2, weight(2)), (2, 0, weight(3))]).unwrap();
        let left = graph.filtered(|tail, head| (tail, head) != (0, 1));
        assert_eq!(left, Graph::weighted(3, [(0, 2, weight(5)), (1, 2, weight(2)), (2, 0, weight(3))]).unwrap());
        assert_eq!(graph.filtered(|_, _| true), graph);
        let roads = Graph::undirected(3, [(0, 1), (1, 2)]).unwrap();
        let left = roads.filtered(|tail, head| tail + head != 1);
        assert_eq!(left, Graph::undirected(3, [(1, 2)]).unwrap());
    }
}
