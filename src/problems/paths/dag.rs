//! Randomised shortest paths in directed graphs without cycles, for weights of any sign.
//!
//! With one order for a run, as in CLRS: a depth-first search from the source, which prefers what stands first in the order, sorts the vertices
//! topologically; they are relaxed in that order, and a vertex keeps the first parent that gave it its final distance. Not every
//! solution occurs. With free choices each solution is equally likely.

use super::{Length, Paths, SHORTEST_PATH_TREES};
use crate::answers::{Candidate, Marginals};
use crate::instance::{Graph, GraphSettings, Instance, random_acyclic};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Direction, Intractable, Missing, Needs, NetworkSpec, Prepared, Problem, Space,
    View, Weights, directed_cycle, over_all_orders,
};
use crate::random::Rng;

/// Shortest paths in topological order.
#[derive(Clone, Copy, Debug)]
pub struct DagShortestPaths;

impl Algorithm for DagShortestPaths {
    fn name(&self) -> &'static str {
        "dag-shortest-paths"
    }

    fn clrs_name(&self) -> Option<&'static str> {
        Some("dag_shortest_paths")
    }

    fn problem(&self) -> &'static Problem {
        &SHORTEST_PATH_TREES
    }

    fn needs(&self) -> Needs {
        Needs {
            source: true,
            weights: Weights::AnySign,
            direction: Direction::Directed,
            acyclic: true,
            ..Needs::ANY_GRAPH
        }
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let graph = random_acyclic(settings, rng);
        let source = rng.below(settings.n.max(1));
        Instance::with_source(graph, source)
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        if let Some(cycle) = directed_cycle(&instance.graph) {
            return Err(BadInstance::Cycle { algorithm: self.name(), cycle });
        }
        Ok(Box::new(InTopologicalOrder(Paths::new(self.name(), instance, Length::Weights)?)))
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        Ok(NetworkSpec {
            name: self.name(),
            spec: Spec::new(&["pos", "s"], &["A", "adj"], &[("pi", OutputKind::Pointer)]),
        })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Ok(&DagShortestPaths)
    }

    fn models(&self) -> BuiltIn {
        BuiltIn {
            network: Some(include_bytes!("../../../models/network-dag-shortest-paths.safetensors")),
            executor: Some(include_bytes!("../../../models/executor-dag-shortest-paths.safetensors")),
        }
    }
}

struct InTopologicalOrder<'a>(Paths<'a>);

impl Prepared for InTopologicalOrder<'_> {
    fn instance(&self) -> &Instance {
        self.0.instance()
    }

    fn space(&self) -> &dyn Space {
        &self.0
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        match ties.policy() {
            TiePolicy::OneOrder => relax(&self.0, &topological_order(&self.instance().graph, self.0.source(), ties)),
            TiePolicy::Free => self.0.free_run(ties),
        }
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        match policy {
            TiePolicy::Free => self.0.free_law(),
            TiePolicy::OneOrder => over_all_orders(self, first),
        }
    }

    /// As in CLRS: each vertex that is reached is met, left, and relaxed.
    fn features(&self, view: &View) -> Features {
        self.0.features(view, 3 * self.0.reached())
    }
}

/// What the source reaches, in topological order: a depth-first search, last left first.
fn topological_order(graph: &Graph, source: usize, ties: &mut dyn TieBreaker) -> Vec<usize> {
    let mut met = vec![false; graph.n()];
    let mut order = vec![];
    // A vertex is put back with its mark set, to be met again when all below it have been.
    let mut waiting = vec![(source, false)];
    while let Some((vertex, left)) = waiting.pop() {
        if left {
            order.push(vertex);
            continue;
        }
        if std::mem::replace(&mut met[vertex], true) {
            continue;
        }
        waiting.push((vertex, true));
        let heads = graph.out_neighbours(vertex).iter().map(|&head| head as usize);
        let mut heads: Vec<usize> = heads.filter(|&head| !met[head]).collect();
        ties.arrange(&mut heads);
        waiting.extend(heads.into_iter().rev().map(|head| (head, false)));
    }
    order.reverse();
    order
}

fn relax(paths: &Paths, order: &[usize]) -> Candidate {
    let graph = &paths.instance().graph;
    let mut parents = Candidate::all_roots(graph.n());
    let mut best = vec![None; graph.n()];
    best[paths.source()] = Some(0);
    for &vertex in order {
        let length = best[vertex].expect("it comes after a vertex that leads to it");
        for (head, weight) in graph.out_edges(vertex) {
            if best[head].is_none_or(|known| length + weight < known) {
                best[head] = Some(length + weight);
                parents.set(head, vertex);
            }
        }
    }
    parents
}
