//! Bellman-Ford for the executor: what it learns from, and which instances its theorem covers.

use super::bellman_ford::BellmanFord;
use super::{Distances, Length, Paths, rounds};
use crate::answers::Candidate;
use crate::instance::{Decimal, Graph, GraphSettings, Instance, random_directed, random_undirected};
use crate::neural::executor::{Certificate, Frame, NotCovered, Priorities, Steps, Tables, Trajectory};
use crate::problems::Algorithm;
use crate::problems::growth::source;
use crate::random::Rng;

impl Steps for BellmanFord {
    fn algorithm(&self) -> &'static str {
        self.name()
    }

    fn frame(&self) -> &'static Frame {
        &rounds::FRAME
    }

    /// Half of the graphs are directed: a person's graph may be, and then pairs occur that undirected ones never have.
    fn training_instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let graph = match rng.chance(0.5) {
            true => random_undirected(settings, rng),
            false => with_weights(&random_directed(settings, rng), rng),
        };
        let source = rng.below(settings.n.max(1));
        Instance::with_source(graph, source)
    }

    fn start(&self, instance: &Instance) -> Vec<u8> {
        rounds::start(instance)
    }

    fn record(&self, instance: &Instance, priorities: &Priorities) -> Trajectory {
        rounds::record(instance, priorities)
    }

    fn solve_by(&self, instance: &Instance, priorities: &Priorities) -> Candidate {
        let found = Distances::new(&instance.graph, source(instance), Length::Weights);
        rounds::first_tight(instance, priorities, &found.expect("no cycle that the source reaches is negative"))
    }

    fn certify(&self, tables: &Tables) -> Certificate {
        rounds::certify(tables, rounds::occurs)
    }

    /// Weights may have any sign, but each cycle that the source reaches has to be longer than zero. Weights that are
    /// all positive are seen in O(m).
    fn accepts(&self, instance: &Instance) -> Result<(), NotCovered> {
        let paths = Paths::new(self.name(), instance, Length::Weights);
        let paths = paths.map_err(|error| NotCovered(error.to_string()))?;
        if instance.graph.weighted_arcs().all(|(.., weight)| weight > 0) || paths.trees().is_acyclic() {
            return Ok(());
        }
        Err(NotCovered(
            "a cycle of length zero lies on shortest paths, and parents that are chosen one by one could run around it"
                .to_owned(),
        ))
    }
}

fn with_weights(graph: &Graph, rng: &mut Rng) -> Graph {
    let weighted = graph.arcs().map(|(tail, head)| (tail, head, Decimal::whole(1 + rng.below(3) as i64)));
    Graph::weighted(graph.n(), weighted.collect::<Vec<_>>()).expect("the edges are those of a graph")
}
