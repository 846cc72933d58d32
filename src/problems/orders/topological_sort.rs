//! Kahn's algorithm: one vertex after the other whose predecessors are all placed.
//!
//! - *free*: the next vertex is any of them, each equally likely. This reaches every order, not all equally often.
//! - *one order*: the next vertex is the one of them that stands first in the order of the run. This reaches every order, too: its own, if it is one.

use super::{Orders, TOPOLOGICAL_ORDERS, law, open_predecessors, place};
use crate::answers::{Candidate, Marginals};
use crate::instance::{Graph, GraphSettings, Instance, random_acyclic};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Direction, Intractable, Missing, Needs, NetworkSpec, Prepared, Problem, Space,
    View, adjacency, edge_matrix, over_all_orders,
};
use crate::random::Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Topological orders by Kahn's algorithm.
#[derive(Clone, Copy, Debug)]
pub struct TopologicalSort;

impl Algorithm for TopologicalSort {
    fn name(&self) -> &'static str {
        "topological-sort"
    }

    fn problem(&self) -> &'static Problem {
        &TOPOLOGICAL_ORDERS
    }

    fn needs(&self) -> Needs {
        Needs { direction: Direction::Directed, acyclic: true, ..Needs::ANY_GRAPH }
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        Instance::new(random_acyclic(settings, rng).without_weights())
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        Ok(Box::new(Placing(Orders::new(self.name(), instance)?)))
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        let outputs = [("topo", OutputKind::Pointer), ("topo_head", OutputKind::OneHotNode)];
        Ok(NetworkSpec { name: self.name(), spec: Spec::new(&["pos"], &["A", "adj"], &outputs) })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Err(Missing(
            "a vertex may come next when all of its predecessors are placed, and an executor's choices look at one pair of vertices at a time",
        ))
    }

    fn models(&self) -> BuiltIn {
        BuiltIn {
            network: Some(include_bytes!("../../../models/network-topological-sort.safetensors")),
            executor: None,
        }
    }
}

struct Placing<'a>(Orders<'a>);

impl Prepared for Placing<'_> {
    fn instance(&self) -> &Instance {
        self.0.instance()
    }

    fn space(&self) -> &dyn Space {
        &self.0
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        run(&self.instance().graph, ties)
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        match policy {
            TiePolicy::Free => law::of_free_runs(&self.instance().graph),
            TiePolicy::OneOrder => over_all_orders(self, first),
        }
    }

    /// As in CLRS, whose search enters and leaves each vertex and meets each root once more.
    fn features(&self, view: &View) -> Features {
        let graph = &self.instance().graph;
        let rounds = 2 * graph.n() + depth_first_roots(graph) - 1;
        let edge = vec![edge_matrix(graph), adjacency(graph)];
        let seen = Features::new(graph.n(), vec![view.pos.clone()], edge, rounds);
        seen.expect("an instance has vertices, and a position for each")
    }
}

/// O(n + m), with one order O(n log n + m).
pub(super) fn run(graph: &Graph, ties: &mut dyn TieBreaker) -> Candidate {
    let mut open = open_predecessors(graph);
    let sources = (0..graph.n()).filter(|&vertex| open[vertex] == 0);
    let mut ready = match ties.ranks() {
        Some(rank) => {
            Ready::Ranked { rank: rank.to_vec(), heap: sources.map(|vertex| Reverse((rank[vertex], vertex))).collect() }
        }
        None => Ready::Any(sources.collect()),
    };
    let mut order = Vec::with_capacity(graph.n());
    while let Some(next) = ready.take(ties) {
        order.push(next);
        place(graph, next, &mut open, |head| ready.add(head));
    }
    Candidate::from_order(&order).expect("vertices of the graph")
}

/// The vertices that may come next.
enum Ready {
    /// The one of least rank first.
    Ranked { rank: Vec<usize>, heap: BinaryHeap<Reverse<(usize, usize)>> },
    /// In the order of the tie breaker's choice.
    Any(Vec<usize>),
}

impl Ready {
    fn add(&mut self, vertex: usize) {
        match self {
            Ready::Ranked { rank, heap } => heap.push(Reverse((rank[vertex], vertex))),
            Ready::Any(vertices) => vertices.push(vertex),
        }
    }

    fn take(&mut self, ties: &mut dyn TieBreaker) -> Option<usize> {
        match self {
            Ready::Ranked { heap, .. } => heap.pop().map(|Reverse((_, vertex))| vertex),
            Ready::Any(vertices) if vertices.is_empty() => None,
            Ready::Any(vertices) => Some(vertices.swap_remove(ties.pick_of(vertices.len()))),
        }
    }
}

/// The number of trees of a depth-first search that restarts at the lowest unvisited vertex.
fn depth_first_roots(graph: &Graph) -> usize {
    let mut met = vec![false; graph.n()];
    let mut roots = 0;
    for root in 0..graph.n() {
        if std::mem::replace(&mut met[root], true) {
            continue;
        }
        roots += 1;
        let mut waiting = vec![root];
        while let Some(vertex) = waiting.pop() {
            for &head in graph.out_neighbours(vertex) {
                if !std::mem::replace(&mut met[head as usize], true) {
                    waiting.push(head as usize);
                }
            }
        }
    }
    roots
}
