//! A graph made ready for questions about routes: who leads to each vertex, and how long each arc is.

use super::RouteError;
use crate::instance::{Graph, Weight};
use std::sync::Arc;

/// The length of a way and the number of its edges, in this order: of two ways of the same length the one with fewer edges is less.
///
/// Every edge makes a cost larger, also one of length zero, so the cheapest walk is always a simple path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    pub length: Weight,
    pub edges: u32,
}

impl Cost {
    pub const ZERO: Cost = Cost { length: 0, edges: 0 };
    /// No way at all.
    pub const INFINITE: Cost = Cost { length: Weight::MAX, edges: u32::MAX };

    /// The cost of a way and one more edge.
    #[inline]
    pub fn and_edge(self, length: Weight) -> Cost {
        Cost { length: self.length + length, edges: self.edges + 1 }
    }

    /// The cost of two ways one after the other, neither of them infinite.
    #[inline]
    pub fn and(self, other: Cost) -> Cost {
        Cost { length: self.length + other.length, edges: self.edges.saturating_add(other.edges) }
    }
}

/// A graph made ready for questions about routes.
///
/// Preparing takes O(n + m). The same structure serves other lengths of the same arcs ([`RouteGraph::with_lengths`]).
#[derive(Clone, Debug)]
pub struct RouteGraph<'a> {
    graph: &'a Graph,
    incoming: Arc<Incoming>,
    /// By arc of the graph.
    lengths: Vec<Weight>,
    /// The same, by incoming arc.
    incoming_lengths: Vec<Weight>,
    has_negative: bool,
}

/// The arcs sorted by head.
#[derive(Debug)]
struct Incoming {
    first: Vec<usize>,
    tails: Vec<u32>,
    /// The place of each of them among the arcs of the graph.
    arcs: Vec<usize>,
}

impl<'a> RouteGraph<'a> {
    /// With the graph's own weights (1 for each edge where it has none).
    pub fn new(graph: &'a Graph) -> Result<Self, RouteError> {
        let lengths = graph.weighted_arcs().map(|(.., weight)| weight).collect();
        Self::build(graph, Arc::new(Incoming::new(graph)), lengths)
    }

    /// Counting edges, whatever their weights.
    pub fn counting_edges(graph: &'a Graph) -> Result<Self, RouteError> {
        Self::build(graph, Arc::new(Incoming::new(graph)), vec![1; graph.arc_count()])
    }

    /// The same arcs with other lengths, in the order of [`Graph::arcs`]: what was prepared is shared.
    ///
    /// # Panics
    /// If there is not one length for each arc.
    pub fn with_lengths(&self, lengths: Vec<Weight>) -> Result<Self, RouteError> {
        assert_eq!(lengths.len(), self.graph.arc_count(), "a length for each arc");
        Self::build(self.graph, self.incoming.clone(), lengths)
    }

    fn build(graph: &'a Graph, incoming: Arc<Incoming>, lengths: Vec<Weight>) -> Result<Self, RouteError> {
        // A search adds the length of a way to a bound of the rest: at the most two paths of n - 1 edges, and one edge.
        let most = Weight::MAX.unsigned_abs() / (2 * graph.n() as u128 + 2);
        if let Some(arc) = lengths.iter().position(|length| length.unsigned_abs() > most) {
            let (tail, head) = graph.arcs().nth(arc).expect("an arc for each length");
            return Err(RouteError::TooLong { tail, head });
        }
        let incoming_lengths = incoming.arcs.iter().map(|&arc| lengths[arc]).collect();
        let has_negative = lengths.iter().any(|&length| length < 0);
        Ok(RouteGraph { graph, incoming, lengths, incoming_lengths, has_negative })
    }

    /// The graph itself.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// The number of vertices.
    pub fn n(&self) -> usize {
        self.graph.n()
    }

    /// True when some arc has a negative length.
    pub fn has_negative(&self) -> bool {
        self.has_negative
    }

    /// The length of the arc from `tail` to `head`, if there is one.
    pub fn length(&self, tail: usize, head: usize) -> Option<Weight> {
        self.graph.arc(tail, head).map(|arc| self.lengths[arc])
    }

    /// The arcs that leave a vertex, as (head, length), by head ascending.
    #[inline]
    pub(super) fn leaving(&self, tail: u32) -> impl Iterator<Item = (u32, Weight)> + '_ {
        let first = self.graph.first_arc(tail as usize);
        let heads = self.graph.out_neighbours(tail as usize);
        heads.iter().copied().zip(self.lengths[first..first + heads.len()].iter().copied())
    }

    /// The arcs that enter a vertex, as (tail, length), by tail ascending.
    #[inline]
    pub(super) fn entering(&self, head: u32) -> impl Iterator<Item = (u32, Weight)> + '_ {
        let range = self.incoming.first[head as usize]..self.incoming.first[head as usize + 1];
        self.incoming.tails[range.clone()].iter().copied().zip(self.incoming_lengths[range].iter().copied())
    }
}

impl Incoming {
    fn new(graph: &Graph) -> Self {
        let mut first = vec![0; graph.n() + 1];
        graph.arcs().for_each(|(_, head)| first[head + 1] += 1);
        for vertex in 0..graph.n() {
            first[vertex + 1] += first[vertex];
        }
        let mut next = first.clone();
        let (mut tails, mut arcs) = (vec![0; graph.arc_count()], vec![0; graph.arc_count()]);
        for (arc, (tail, head)) in graph.arcs().enumerate() {
            (tails[next[head]], arcs[next[head]]) = (tail as u32, arc);
            next[head] += 1;
        }
        Incoming { first, tails, arcs }
    }
}
