//! Shortest paths in acyclic graphs, weights of any sign: every shortest-path tree, each equally likely.
//!
//! The classical algorithm relaxes vertices in topological order. "All predecessors are done" is no class of a pair, so
//! the executor does not follow that order; it does Bellman-Ford's rounds, whose theorem needs no more than that every
//! cycle is longer than zero. Here there is none, and no two vertices are joined by edges both ways, so fewer classes
//! can occur.

use super::dag::DagShortestPaths;
use super::{Distances, Length, rounds};
use crate::answers::Candidate;
use crate::instance::{Graph, GraphSettings, Instance};
use crate::neural::executor::{
    Certificate, Frame, NotCovered, PairClass, Priorities, Relation, Steps, Tables, Trajectory,
};
use crate::problems::directed_cycle;
use crate::problems::growth::{check_source, random_instance, source};
use crate::random::Rng;

impl Steps for DagShortestPaths {
    fn algorithm(&self) -> &'static str {
        "dag-shortest-paths"
    }

    fn frame(&self) -> &'static Frame {
        &rounds::FRAME
    }

    /// An undirected graph whose edges are directed along a random order of the vertices.
    fn training_instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let Instance { graph, source, .. } = random_instance(settings, false, -3..=3, rng);
        let mut place: Vec<usize> = (0..graph.n()).collect();
        rng.shuffle(&mut place);
        let forward = graph.weighted_arcs().filter(|&(tail, head, _)| place[tail] < place[head]);
        let edges: Vec<_> = forward.map(|(tail, head, weight)| (tail, head, graph.decimal(weight))).collect();
        Instance::of_graph(Graph::weighted(graph.n(), edges).expect("the edges are those of a graph"), source)
    }

    fn start(&self, instance: &Instance) -> Vec<u8> {
        rounds::start(instance)
    }

    fn record(&self, instance: &Instance, priorities: &Priorities) -> Trajectory {
        rounds::record(instance, priorities)
    }

    fn solve_by(&self, instance: &Instance, priorities: &Priorities) -> Candidate {
        let found = Distances::new(&instance.graph, source(instance), Length::Weights);
        rounds::first_tight(instance, priorities, &found.expect("there is no cycle at all"))
    }

    fn certify(&self, tables: &Tables) -> Certificate {
        rounds::certify(tables, occurs)
    }

    fn accepts(&self, instance: &Instance) -> Result<(), NotCovered> {
        check_source(self.algorithm(), instance)?;
        match directed_cycle(&instance.graph) {
            None => Ok(()),
            Some(cycle) => {
                let edges = if cycle.len() == 1 { "edge" } else { "edges" };
                Err(NotCovered(format!("the graph has a cycle of {} {edges}", cycle.len())))
            }
        }
    }
}

/// As in Bellman-Ford's rounds, but edges never run both ways, and none runs from what the source reaches back to it.
fn occurs(class: PairClass) -> bool {
    let back_to_source = |class: PairClass| {
        (class.sender, class.receiver) == (rounds::REACHED, rounds::SOURCE) && class.relation.is_forward()
    };
    rounds::occurs(class)
        && class.relation != Relation::Both
        && !back_to_source(class)
        && !back_to_source(class.reversed())
}
