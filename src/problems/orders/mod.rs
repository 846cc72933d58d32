//! Topological orders: every edge goes forward.
//!
//! A candidate says for each vertex which one comes next (the last one's is itself), and which comes first. Counts, uniform draws and demands go by
//! *ideals*, the sets of vertices that can stand before all others (`ideals`); the number of ideals is small in dense graphs and exponential in
//! sparse ones, so effort is bounded.

mod enumerate;
mod extract;
mod ideals;
mod law;
mod narrow;
pub(super) mod places;
pub mod topological_sort;

pub use extract::Place;

use super::{Allowed, BadInstance, Intractable, Possible, Problem, SolutionSet, Space, directed_cycle};
use crate::answers::{Candidate, Form};
use crate::instance::{Graph, Instance};
use crate::problems::extract::{Argmax, Random};
use crate::problems::ties::Free;
use crate::problems::verify::{Rule, Violation, check_slots};
use crate::random::Rng;
use fixedbitset::FixedBitSet;
use num_bigint::BigUint;
use places::places;

/// Topological orders.
pub static TOPOLOGICAL_ORDERS: Problem = Problem {
    name: "topological orders",
    form: Form::Order,
    items: None,
    measures_paths: false,
    extractors: &[&Argmax, &Random, &Place],
};

/// The topological orders of a graph without cycles.
#[derive(Clone, Copy, Debug)]
pub struct Orders<'a> {
    instance: &'a Instance,
}

impl<'a> Orders<'a> {
    /// Refuses a graph with a cycle and names it.
    pub fn new(algorithm: &'static str, instance: &'a Instance) -> Result<Self, BadInstance> {
        match directed_cycle(&instance.graph) {
            Some(cycle) => Err(BadInstance::Cycle { algorithm, cycle }),
            None => Ok(Orders { instance }),
        }
    }

    /// The instance.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    fn graph(&self) -> &'a Graph {
        &self.instance.graph
    }

    /// The graph with an edge for each precedence; `None` where that closes a cycle.
    fn with_precedences(&self, allowed: &Allowed) -> Option<Graph> {
        let mut arcs: Vec<(usize, usize)> = self.graph().arcs().chain(allowed.precedences()).collect();
        arcs.sort_unstable();
        arcs.dedup();
        let graph = Graph::from_edges(self.instance.n(), arcs).expect("vertices of the graph, each pair once");
        directed_cycle(&graph).is_none().then_some(graph)
    }
}

impl Space for Orders<'_> {
    /// O(n + m).
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation> {
        check_slots(self.instance, Form::Order, candidate)?;
        let n = self.instance.n();
        if places(candidate, n).is_some_and(|place| goes_forward(self.graph(), &place)) {
            return Ok(());
        }
        let order = candidate.order();
        let mut place = vec![usize::MAX; n];
        order.iter().enumerate().for_each(|(at, &vertex)| place[vertex] = at);
        let missing = place.iter().position(|&place| place == usize::MAX);
        let doubled = order.last().map(|&last| (last, candidate.choice(last))).filter(|(last, next)| last != next);
        if let Some(vertex) = missing.or(doubled.map(|(_, next)| next)) {
            return Err(Violation::at(vertex, Rule::EveryVertexOnce));
        }
        match self.graph().arcs().find(|&(tail, head)| place[tail] > place[head]) {
            Some((tail, head)) => Err(Violation::with_edges(head, Rule::EdgesGoForward, vec![(tail, head)])),
            None => Ok(()),
        }
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        Ok(Box::new(enumerate::Enumeration::new(self.graph())))
    }

    /// Two vertices can be neighbours in an order exactly when the second is not before the first and nothing lies between them.
    fn possible(&self, allowed: &Allowed) -> Result<Possible, Intractable> {
        let n = self.instance.n();
        if !allowed.is_everything() {
            return Err(Intractable(
                "which vertex can follow which is known in closed form only without demands".into(),
            ));
        }
        if n > MAX_RELATED {
            return Err(Intractable(format!(
                "which of {n} vertices can follow which is asked up to {MAX_RELATED} only"
            )));
        }
        let pairs = possible_neighbours(self.graph());
        Ok(Possible::new(self.instance.slots(Form::Order), pairs.iter().copied()))
    }

    fn count(&self, effort: usize) -> Result<BigUint, Intractable> {
        ideals::count(self.graph(), effort)
    }

    fn within(&self, allowed: &Allowed, effort: usize) -> Result<Box<dyn SolutionSet + '_>, Intractable> {
        ideals::allowed_orders(self.graph(), allowed, effort)
    }

    /// Precedences that contradict the edges or each other. O(n + m).
    fn refutes(&self, allowed: &Allowed) -> bool {
        allowed.precedences().next().is_some() && self.with_precedences(allowed).is_none()
    }

    /// A run over the edges and the precedences.
    fn find(&self, allowed: &Allowed, rng: &mut Rng) -> Option<Candidate> {
        let graph = self.with_precedences(allowed).filter(|_| allowed.slots().is_empty())?;
        Some(topological_sort::run(&graph, &mut Free(rng)))
    }

    /// Vertices of one level, the length of the longest path to them, may stand in any order.
    fn at_least(&self, _solution: &Candidate) -> BigUint {
        let mut product = BigUint::from(1u32);
        for size in level_sizes(self.graph()) {
            for factor in 2..=size {
                // A bound of a thousand digits is as good as one of a million, and can be read.
                if product.bits() > MAX_BITS {
                    return product;
                }
                product *= factor;
            }
        }
        product
    }
}

/// True when no arc leads to an earlier place.
fn goes_forward(graph: &Graph, place: &[u32]) -> bool {
    (0..graph.n()).all(|tail| {
        let own = place[tail];
        graph.out_neighbours(tail).iter().fold(true, |all, &head| all & (own <= place[head as usize]))
    })
}

/// The most vertices for which all pairs are gone through.
const MAX_RELATED: usize = 256;
/// Bits of a lower bound.
const MAX_BITS: u64 = 4_096;

/// How many predecessors each vertex has.
fn open_predecessors(graph: &Graph) -> Vec<u32> {
    let mut open = vec![0; graph.n()];
    graph.arcs().for_each(|(_, head)| open[head] += 1);
    open
}

/// Places a vertex: calls `ready` with each of its successors that has no open predecessor left.
fn place(graph: &Graph, vertex: usize, open: &mut [u32], mut ready: impl FnMut(usize)) {
    for head in graph.out_neighbours(vertex).iter().map(|&head| head as usize) {
        open[head] -= 1;
        if open[head] == 0 {
            ready(head);
        }
    }
}

/// Some topological order.
fn some_order(graph: &Graph) -> Vec<usize> {
    let mut open = open_predecessors(graph);
    let mut order: Vec<usize> = (0..graph.n()).filter(|&vertex| open[vertex] == 0).collect();
    let mut next = 0;
    while let Some(&vertex) = order.get(next) {
        place(graph, vertex, &mut open, |head| order.push(head));
        next += 1;
    }
    order
}

fn level_sizes(graph: &Graph) -> Vec<usize> {
    let mut level = vec![0usize; graph.n()];
    let mut sizes = vec![];
    for vertex in some_order(graph) {
        for &head in graph.out_neighbours(vertex) {
            level[head as usize] = level[head as usize].max(level[vertex] + 1);
        }
        sizes.resize(sizes.len().max(level[vertex] + 1), 0);
        sizes[level[vertex]] += 1;
    }
    sizes
}

/// Pairs (slot, option) of all orders, ascending: which vertex can come right after which, last, and first. O(n m).
fn possible_neighbours(graph: &Graph) -> Vec<(usize, usize)> {
    let n = graph.n();
    // What each vertex reaches, and what it reaches by two edges or more.
    let (mut after, mut beyond) = (vec![FixedBitSet::with_capacity(n); n], vec![FixedBitSet::with_capacity(n); n]);
    for &vertex in some_order(graph).iter().rev() {
        for &head in graph.out_neighbours(vertex) {
            let reached = after[head as usize].clone();
            beyond[vertex].union_with(&reached);
            after[vertex].union_with(&reached);
            after[vertex].insert(head as usize);
        }
    }
    let follows = |vertex: usize, next: usize| match vertex == next {
        true => after[vertex].is_clear(),
        false => !after[next].contains(vertex) && !beyond[vertex].contains(next),
    };
    let open = open_predecessors(graph);
    let neighbours =
        (0..n).flat_map(|vertex| (0..n).filter(move |&next| follows(vertex, next)).map(move |next| (vertex, next)));
    neighbours.chain((0..n).filter(|&vertex| open[vertex] == 0).map(|vertex| (n, vertex))).collect()
}
