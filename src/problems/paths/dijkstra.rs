//! Randomised Dijkstra, for weights that are not negative.
//!
//! With one order for a run the nearest open vertex is settled next, among equals the one that stands first in the order, and a vertex keeps the
//! first parent that gave it its final distance, as in CLRS. Where weights are positive that is one of its nearest tight
//! parents, so not every solution occurs. With free choices each solution is equally likely.

use super::{Length, Paths, SHORTEST_PATH_TREES, first_in_order, shares};
use crate::answers::{Candidate, Marginals};
use crate::instance::{GraphSettings, Instance, random_undirected};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Grouped, Intractable, ManyRuns, Missing, Needs, NetworkSpec, Prepared, Problem,
    Space, View, Weights, over_all_orders,
};
use crate::random::Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

/// Shortest paths, nearest vertex first.
#[derive(Clone, Copy, Debug)]
pub struct Dijkstra;

impl Algorithm for Dijkstra {
    fn name(&self) -> &'static str {
        "dijkstra"
    }

    fn problem(&self) -> &'static Problem {
        &SHORTEST_PATH_TREES
    }

    fn needs(&self) -> Needs {
        Needs { source: true, weights: Weights::NotNegative, ..Needs::ANY_GRAPH }
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let graph = random_undirected(settings, rng);
        let source = rng.below(settings.n.max(1));
        Instance::with_source(graph, source)
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        let graph = &instance.graph;
        let negative = || graph.weighted_edges().find(|&(.., weight)| weight < 0);
        if let Some((tail, head, weight)) = graph.has_negative_weight().then(negative).flatten() {
            let weight = graph.decimal(weight);
            return Err(BadInstance::Negative { algorithm: self.name(), tail, head, weight });
        }
        let paths = Paths::new(self.name(), instance, Length::Weights)?;
        Ok(Box::new(NearestFirst { paths, nearest: OnceLock::new() }))
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        Ok(NetworkSpec {
            name: self.name(),
            spec: Spec::new(&["pos", "s"], &["A", "adj"], &[("pi", OutputKind::Pointer)]),
        })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Ok(&Dijkstra)
    }

    fn models(&self) -> BuiltIn {
        BuiltIn {
            network: Some(include_bytes!("../../../models/network-dijkstra.safetensors")),
            executor: Some(include_bytes!("../../../models/executor-dijkstra.safetensors")),
        }
    }
}

struct NearestFirst<'a> {
    paths: Paths<'a>,
    /// The tight parents that are settled first; `None` where an edge of weight zero makes that depend on the order.
    nearest: OnceLock<Option<Grouped<usize>>>,
}

impl NearestFirst<'_> {
    fn nearest(&self) -> Option<&Grouped<usize>> {
        let find = || {
            let graph = &self.paths.instance().graph;
            if graph.weighted_arcs().any(|(.., weight)| weight == 0) {
                return None;
            }
            let distance = |vertex: usize| self.paths.distances().to(vertex);
            let tight = self.paths.tight_parents(|_, _| true);
            let pairs = (0..graph.n()).flat_map(|child| {
                let least = tight.of(child).iter().map(|&parent| distance(parent)).min();
                let nearest = tight.of(child).iter().filter(move |&&parent| Some(distance(parent)) == least);
                nearest.map(move |&parent| (child, parent))
            });
            let pairs: Vec<(usize, usize)> = pairs.collect();
            Some(Grouped::new(graph.n(), pairs.iter().copied()))
        };
        self.nearest.get_or_init(find).as_ref()
    }
}

impl Prepared for NearestFirst<'_> {
    fn instance(&self) -> &Instance {
        self.paths.instance()
    }

    fn space(&self) -> &dyn Space {
        &self.paths
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        let Some(rank) = ties.ranks() else { return self.paths.free_run(ties) };
        match self.nearest() {
            Some(nearest) => first_in_order(nearest, ties),
            None => literally(self.paths.instance(), self.paths.source(), rank),
        }
    }

    fn write_shares(&self, runs: &ManyRuns, rng: &mut Rng, rows: &mut [f64]) -> bool {
        let nearest = self.nearest().filter(|_| runs.policy == TiePolicy::OneOrder);
        nearest.is_some_and(|nearest| shares::of_first(nearest, runs, rng, rows))
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        match (policy, self.nearest()) {
            (TiePolicy::Free, _) => self.paths.free_law(),
            (TiePolicy::OneOrder, Some(nearest)) => self.paths.first_of(nearest, first),
            (TiePolicy::OneOrder, None) => over_all_orders(self, first),
        }
    }

    /// As in CLRS: one round for each vertex that is settled.
    fn features(&self, view: &View) -> Features {
        self.paths.features(view, self.paths.reached())
    }
}

/// Dijkstra's algorithm as it stands in books, ties between open vertices broken by rank.
fn literally(instance: &Instance, source: usize, rank: &[usize]) -> Candidate {
    let graph = &instance.graph;
    let mut parents = Candidate::all_roots(graph.n());
    let (mut best, mut settled) = (vec![None; graph.n()], vec![false; graph.n()]);
    best[source] = Some(0);
    let mut open = BinaryHeap::from([Reverse((0, rank[source], source))]);
    while let Some(Reverse((length, _, vertex))) = open.pop() {
        if std::mem::replace(&mut settled[vertex], true) {
            continue;
        }
        for (head, weight) in graph.out_edges(vertex) {
            if !settled[head] && best[head].is_none_or(|known| length + weight < known) {
                best[head] = Some(length + weight);
                parents.set(head, vertex);
                open.push(Reverse((length + weight, rank[head], head)));
            }
        }
    }
    parents
}
