//! Randomised Bellman-Ford, for weights of any sign.
//!
//! What a run does depends on the tie policy, and so does what it can reach:
//! - *one order* (the paper): rounds of relaxations, the senders of a round in one order for the whole run; a vertex
//!   keeps the first parent that gave it its final distance. That parent lies on a shortest path with the fewest edges,
//!   and the one order couples the choices, so not every solution occurs.
//! - *free*: each solution is equally likely.

use super::{Length, Paths, SHORTEST_PATH_TREES, first_in_order, shares};
use crate::answers::{Candidate, Marginals};
use crate::instance::{GraphSettings, Instance, Preset, random_undirected};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Grouped, Intractable, ManyRuns, Missing, Needs, NetworkSpec, Prepared, Problem,
    Space, View, Weights,
};
use crate::random::Rng;
use std::sync::OnceLock;

/// Shortest paths round by round.
#[derive(Clone, Copy, Debug)]
pub struct BellmanFord;

impl Algorithm for BellmanFord {
    fn name(&self) -> &'static str {
        "bellman-ford"
    }

    fn clrs_name(&self) -> Option<&'static str> {
        Some("bellman_ford")
    }

    fn problem(&self) -> &'static Problem {
        &SHORTEST_PATH_TREES
    }

    fn needs(&self) -> Needs {
        Needs { source: true, weights: Weights::AnySign, ..Needs::ANY_GRAPH }
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let graph = random_undirected(settings, rng);
        let source = rng.below(settings.n.max(1));
        Instance::with_source(graph, source)
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        Ok(Box::new(RoundByRound::new(Paths::new(self.name(), instance, Length::Weights)?.with_weak_check())))
    }

    fn first_in_order(&self, preset: Preset) -> Option<usize> {
        match preset {
            Preset::Authors => Some(0),
            _ => None,
        }
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        Ok(NetworkSpec {
            name: self.name(),
            spec: Spec::new(&["pos", "s"], &["A", "adj"], &[("pi", OutputKind::Pointer)]),
        })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Ok(&BellmanFord)
    }

    fn models(&self) -> BuiltIn {
        BuiltIn {
            network: Some(include_bytes!("../../../models/network-bellman-ford.safetensors")),
            executor: Some(include_bytes!("../../../models/executor-bellman-ford.safetensors")),
        }
    }
}

/// Rounds of relaxations on one instance: also breadth-first search, whose rounds are levels.
pub(super) struct RoundByRound<'a> {
    paths: Paths<'a>,
    /// The tight parents on shortest paths with the fewest edges.
    earliest: OnceLock<Grouped<usize>>,
}

impl<'a> RoundByRound<'a> {
    pub fn new(paths: Paths<'a>) -> Self {
        RoundByRound { paths, earliest: OnceLock::new() }
    }

    fn earliest(&self) -> &Grouped<usize> {
        let distances = self.paths.distances();
        self.earliest.get_or_init(|| self.paths.tight_parents(|tail, head| distances.is_fewest_hops(tail, head)))
    }
}

impl Prepared for RoundByRound<'_> {
    fn instance(&self) -> &Instance {
        self.paths.instance()
    }

    fn space(&self) -> &dyn Space {
        &self.paths
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        match ties.policy() {
            TiePolicy::OneOrder => first_in_order(self.earliest(), ties),
            TiePolicy::Free => self.paths.free_run(ties),
        }
    }

    fn write_shares(&self, runs: &ManyRuns, rng: &mut Rng, rows: &mut [f64]) -> bool {
        runs.policy == TiePolicy::OneOrder
            && (shares::of_earliest(self.paths.arguments(), runs, rng, rows)
                || shares::of_first(self.earliest(), runs, rng, rows))
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        match policy {
            TiePolicy::OneOrder => self.paths.first_of(self.earliest(), first),
            TiePolicy::Free => self.paths.free_law(),
        }
    }

    /// The rounds until nothing changes are those of the instance's own run, as in CLRS: the network is told how far
    /// the farthest vertex is.
    fn features(&self, view: &View) -> Features {
        let n = self.paths.instance().n();
        let farthest = (0..n).filter_map(|vertex| self.paths.distances().hops(vertex)).max().unwrap_or(0);
        self.paths.features(view, farthest)
    }
}
