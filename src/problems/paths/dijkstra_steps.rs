//! Dijkstra's algorithm, one settled vertex a step: every shortest-path tree, for weights that are not negative.
//!
//! A step takes, of all edges from a settled vertex to one that is not, the one with the least distance + weight, equal
//! ones by the smaller priority. With positive weights all tight edges into a vertex are on offer before it is settled,
//! so it takes the one with the smallest priority: each shortest-path tree is equally likely. Edges of weight zero come
//! on offer while others of the same length are being taken; then each tree still has a chance, but not the same one.

use super::dijkstra::Dijkstra;
use crate::answers::Candidate;
use crate::instance::{GraphSettings, Instance, Weight};
use crate::neural::executor::{
    Certificate, Frame, NotCovered, PairScalar, Priorities, PriorityOf, Selection, Steps, Tables, Trajectory,
};
use crate::problems::growth::{
    GROWING, Rule, certify_growth, check_source, grow, random_instance, record_growth, start,
};
use crate::random::Rng;

static FRAME: Frame = Frame {
    states: GROWING,
    selection: Selection::OnePair,
    priorities: PriorityOf::Edges,
    scalars: &[PairScalar::EdgePriority, PairScalar::Weight, PairScalar::SenderRegister, PairScalar::Proposal],
    register: true,
    // One vertex a step, and a step that changes nothing.
    steps: |n| n.max(1),
};

fn length(carried: Weight, weight: Weight) -> Weight {
    carried + weight
}

impl Steps for Dijkstra {
    fn algorithm(&self) -> &'static str {
        "dijkstra"
    }

    fn frame(&self) -> &'static Frame {
        &FRAME
    }

    fn training_instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let directed = rng.chance(0.5);
        random_instance(settings, directed, 0..=3, rng)
    }

    fn start(&self, instance: &Instance) -> Vec<u8> {
        start(instance)
    }

    fn record(&self, instance: &Instance, priorities: &Priorities) -> Trajectory {
        record_growth(instance, priorities, length, true)
    }

    /// O(m log m).
    fn solve_by(&self, instance: &Instance, priorities: &Priorities) -> Candidate {
        grow(instance, priorities, length)
    }

    fn certify(&self, tables: &Tables) -> Certificate {
        certify_growth(tables, &Rule { least: Some(PairScalar::Proposal), undirected: false })
    }

    fn accepts(&self, instance: &Instance) -> Result<(), NotCovered> {
        check_source(self.algorithm(), instance)?;
        match instance.graph.weighted_arcs().find(|&(.., weight)| weight < 0) {
            Some((tail, head, weight)) => Err(NotCovered(format!(
                "edge {tail} -> {head} has weight {}, but a vertex is settled for good only where no weight is negative",
                instance.graph.decimal(weight)
            ))),
            None => Ok(()),
        }
    }
}
