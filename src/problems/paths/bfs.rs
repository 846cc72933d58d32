//! Randomised breadth-first search: every tree of paths with the fewest edges; weights are ignored.
//!
//! With one order for a run each vertex takes, among its neighbours of the level before, the one that stands first in the order: CLRS'
//! level-by-level search with shuffled vertices. The one order couples the choices of different vertices, so not every tree
//! occurs. (A search with a queue reaches fewer still: there the order within a level follows from the level before.) With free choices
//! each tree is equally likely.

use super::bellman_ford::RoundByRound;
use super::{Length, Paths, SHORTEST_PATH_TREES};
use crate::instance::{GraphSettings, Instance, random_undirected};
use crate::neural::executor::Steps;
use crate::neural::model::{OutputKind, Spec};
use crate::problems::{Algorithm, BadInstance, BuiltIn, Missing, Needs, NetworkSpec, Prepared, Problem};
use crate::random::Rng;

/// Breadth-first search.
#[derive(Clone, Copy, Debug)]
pub struct Bfs;

impl Algorithm for Bfs {
    fn name(&self) -> &'static str {
        "bfs"
    }

    fn problem(&self) -> &'static Problem {
        &SHORTEST_PATH_TREES
    }

    fn needs(&self) -> Needs {
        Needs { source: true, ..Needs::ANY_GRAPH }
    }

    /// Undirected, as in CLRS, and without weights.
    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let graph = random_undirected(settings, rng).without_weights();
        let source = rng.below(settings.n.max(1));
        Instance::with_source(graph, source)
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        Ok(Box::new(RoundByRound::new(Paths::new(self.name(), instance, Length::Hops)?)))
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        Ok(NetworkSpec {
            name: self.name(),
            spec: Spec::new(&["pos", "s"], &["A", "adj"], &[("pi", OutputKind::Pointer)]),
        })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Ok(&Bfs)
    }

    fn models(&self) -> BuiltIn {
        BuiltIn {
            network: Some(include_bytes!("../../../models/network-bfs.safetensors")),
            executor: Some(include_bytes!("../../../models/executor-bfs.safetensors")),
        }
    }
}
