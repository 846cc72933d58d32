//! All topological orders, each once, in lexicographic order.
//!
//! Every beginning of an order can be completed, so backtracking never comes to a dead end: O(n + m) between two orders, memory O(n).

use super::{open_predecessors, place};
use crate::answers::Candidate;
use crate::instance::Graph;
use std::collections::BTreeSet;

pub(super) struct Enumeration<'a> {
    graph: &'a Graph,
    order: Vec<usize>,
    /// Vertices that may come next.
    ready: BTreeSet<usize>,
    /// Predecessors of each vertex that have not been placed.
    open: Vec<u32>,
    /// The order was given out.
    given: bool,
}

impl<'a> Enumeration<'a> {
    pub fn new(graph: &'a Graph) -> Self {
        let open = open_predecessors(graph);
        let ready = (0..graph.n()).filter(|&vertex| open[vertex] == 0).collect();
        Enumeration { graph, order: vec![], ready, open, given: false }
    }

    fn place(&mut self, vertex: usize) {
        self.ready.remove(&vertex);
        self.order.push(vertex);
        place(self.graph, vertex, &mut self.open, |head| {
            self.ready.insert(head);
        });
    }

    fn take_back(&mut self) -> Option<usize> {
        let vertex = self.order.pop()?;
        for &head in self.graph.out_neighbours(vertex) {
            if self.open[head as usize] == 0 {
                self.ready.remove(&(head as usize));
            }
            self.open[head as usize] += 1;
        }
        self.ready.insert(vertex);
        Some(vertex)
    }

    /// Moves on to the next order; false when there is none.
    fn advance(&mut self) -> bool {
        if std::mem::replace(&mut self.given, true) {
            loop {
                let Some(vertex) = self.take_back() else { return false };
                if let Some(&later) = self.ready.range(vertex + 1..).next() {
                    self.place(later);
                    break;
                }
            }
        }
        while let Some(&first) = self.ready.first() {
            self.place(first);
        }
        true
    }
}

impl Iterator for Enumeration<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        self.advance().then(|| Candidate::from_order(&self.order).expect("vertices of the graph"))
    }
}
