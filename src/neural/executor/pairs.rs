//! The ordered pairs of a graph that an execution looks at, as adjacency lists.
//!
//! Each vertex has one list, sorted by the other end: itself, and every vertex that it shares an edge with. An entry is
//! the pair (vertex, other); its mate is the same pair in the other order, so the pairs *into* a vertex are the mates of
//! its list. O(n + m) to build.

use super::frame::{Frame, PairScalar, PriorityOf, Relation};
use super::hints::Priorities;
use super::tables::Tables;
use crate::instance::{Instance, Weight};
use std::ops::Range;

/// One ordered pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// The receiver.
    pub receiver: u32,
    /// The pair in the other order.
    pub mate: u32,
    /// The edge that joins them, forward if there is one; `NO_EDGE` for a vertex with itself.
    pub edge: u32,
    pub relation: Relation,
}

const NO_EDGE: u32 = u32::MAX;

/// All pairs of a graph, with the weights of its edges.
#[derive(Clone, Debug)]
pub struct Pairs {
    first: Vec<usize>,
    pub(super) all: Vec<Pair>,
    weights: Vec<Weight>,
}

impl Pairs {
    /// The pairs of an instance's graph.
    pub fn new(instance: &Instance) -> Self {
        let n = instance.n();
        let incoming = Incoming::new(instance);
        let weights = instance.graph.weighted_arcs().map(|(.., weight)| weight).collect();
        let mut pairs = Pairs { first: Vec::with_capacity(n + 1), all: vec![], weights };
        let mut next_edge = 0;
        for vertex in 0..n {
            pairs.first.push(pairs.all.len());
            let heads = instance.graph.out_neighbours(vertex);
            pairs.push_list(vertex, heads, next_edge, incoming.of(vertex));
            next_edge += heads.len() as u32;
        }
        pairs.first.push(pairs.all.len());
        pairs.join_mates();
        pairs
    }

    /// Merges the sorted lists of heads and tails, with the vertex itself in its place.
    fn push_list(&mut self, vertex: usize, heads: &[u32], first_edge: u32, tails: &[(u32, u32)]) {
        let itself = vertex as u32;
        let out = heads.iter().enumerate().map(|(place, &head)| (head, first_edge + place as u32));
        let mut out = out.filter(|&(head, _)| head != itself).peekable();
        let mut into = tails.iter().copied().filter(|&(tail, _)| tail != itself).peekable();
        let mut self_is_due = true;
        loop {
            let next = match (out.peek(), into.peek()) {
                (None, None) => None,
                (head, tail) => head.into_iter().chain(tail).map(|&(other, _)| other).min(),
            };
            if self_is_due && next.is_none_or(|other| other > itself) {
                self.all.push(Pair { receiver: itself, mate: 0, edge: NO_EDGE, relation: Relation::Itself });
                self_is_due = false;
            }
            let Some(receiver) = next else { return };
            let forward = out.next_if(|&(head, _)| head == receiver);
            let backward = into.next_if(|&(tail, _)| tail == receiver);
            let (relation, edge) = match (forward, backward) {
                (Some((_, edge)), None) => (Relation::Forward, edge),
                (Some((_, edge)), Some(_)) => (Relation::Both, edge),
                (None, Some((_, edge))) => (Relation::Backward, edge),
                (None, None) => unreachable!("the receiver is the head or the tail that comes next"),
            };
            self.all.push(Pair { receiver, mate: 0, edge, relation });
        }
    }

    /// Lists are sorted, so going through all senders in order meets the entries of each receiver's list in order.
    fn join_mates(&mut self) {
        let mut next = self.first.clone();
        for pair in 0..self.all.len() {
            let receiver = self.all[pair].receiver as usize;
            self.all[pair].mate = next[receiver] as u32;
            next[receiver] += 1;
        }
    }

    /// The number of vertices.
    pub fn n(&self) -> usize {
        self.first.len() - 1
    }

    /// The pairs out of a vertex.
    pub(super) fn of(&self, sender: usize) -> Range<usize> {
        self.first[sender]..self.first[sender + 1]
    }

    /// The pair in the other order.
    pub(super) fn mate(&self, pair: usize) -> usize {
        self.all[pair].mate as usize
    }

    pub(super) fn receiver(&self, pair: usize) -> usize {
        self.all[pair].receiver as usize
    }

    pub(super) fn sender(&self, pair: usize) -> usize {
        self.receiver(self.mate(pair))
    }

    pub(super) fn weight(&self, pair: usize) -> Weight {
        match self.all[pair].edge {
            NO_EDGE => 0,
            edge => self.weights[edge as usize],
        }
    }
}

/// The edges into each vertex, as (tail, edge) sorted by tail.
struct Incoming {
    first: Vec<usize>,
    edges: Vec<(u32, u32)>,
}

impl Incoming {
    fn new(instance: &Instance) -> Self {
        let graph = &instance.graph;
        let mut first = vec![0; graph.n() + 1];
        graph.arcs().for_each(|(_, head)| first[head + 1] += 1);
        for vertex in 0..graph.n() {
            first[vertex + 1] += first[vertex];
        }
        let mut next = first.clone();
        let mut edges = vec![(0, 0); graph.arc_count()];
        for (edge, (tail, head)) in graph.arcs().enumerate() {
            edges[next[head]] = (tail as u32, edge as u32);
            next[head] += 1;
        }
        Incoming { first, edges }
    }

    fn of(&self, vertex: usize) -> &[(u32, u32)] {
        &self.edges[self.first[vertex]..self.first[vertex + 1]]
    }
}

/// The numbers of a pair.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub frame: &'static Frame,
    pub pairs: &'a Pairs,
    pub priorities: &'a Priorities,
}

impl Numbers<'_> {
    /// One scalar of a pair.
    pub fn get(&self, scalar: PairScalar, pair: usize, registers: &[Weight], tables: &Tables) -> Weight {
        let (sender, receiver) = (self.pairs.sender(pair), self.pairs.receiver(pair));
        match scalar {
            PairScalar::SenderPriority => self.vertex_priority(sender),
            PairScalar::ReceiverPriority => self.vertex_priority(receiver),
            PairScalar::EdgePriority => self.edge_priority(pair),
            PairScalar::SenderPosition => sender as Weight,
            PairScalar::ReceiverPosition => receiver as Weight,
            PairScalar::Weight => self.pairs.weight(pair),
            PairScalar::SenderRegister => registers[sender],
            PairScalar::ReceiverRegister => registers[receiver],
            PairScalar::Proposal => tables.proposal(registers[sender], self.pairs.weight(pair), registers[receiver]),
        }
    }

    fn vertex_priority(&self, vertex: usize) -> Weight {
        match self.frame.priorities {
            PriorityOf::Vertices => Weight::from(self.priorities.0[vertex]),
            PriorityOf::Edges => 0,
        }
    }

    fn edge_priority(&self, pair: usize) -> Weight {
        match (self.frame.priorities, self.pairs.all[pair].edge) {
            (PriorityOf::Edges, edge) if edge != NO_EDGE => Weight::from(self.priorities.0[edge as usize]),
            _ => 0,
        }
    }
}
