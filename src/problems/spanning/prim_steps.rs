//! Prim's algorithm, one edge a step: every minimum spanning tree of the source's component, for weights of any sign.
//!
//! A step takes, of all edges that leave the tree, the lightest, equal ones by the smaller priority. An edge is on offer
//! in one direction only, so that its two directions have priorities of their own changes nothing: the draws follow the
//! law of *one* random order of the undirected edges that decides between equal weights, which is also Kruskal's law.
//! Each tree has a chance, but not the same one.

use super::prim::Prim;
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
    scalars: &[PairScalar::EdgePriority, PairScalar::Weight, PairScalar::SenderPosition, PairScalar::ReceiverPosition],
    register: false,
    // One vertex a step, and a step that changes nothing.
    steps: |n| n.max(1),
};

fn lightness(_carried: Weight, weight: Weight) -> Weight {
    weight
}

impl Steps for Prim {
    fn algorithm(&self) -> &'static str {
        "prim"
    }

    fn frame(&self) -> &'static Frame {
        &FRAME
    }

    fn training_instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        random_instance(settings, false, -1..=2, rng)
    }

    fn start(&self, instance: &Instance) -> Vec<u8> {
        start(instance)
    }

    fn record(&self, instance: &Instance, priorities: &Priorities) -> Trajectory {
        record_growth(instance, priorities, lightness, false)
    }

    /// O(m log m).
    fn solve_by(&self, instance: &Instance, priorities: &Priorities) -> Candidate {
        grow(instance, priorities, lightness)
    }

    fn certify(&self, tables: &Tables) -> Certificate {
        certify_growth(tables, &Rule { least: Some(PairScalar::Weight), undirected: true })
    }

    fn accepts(&self, instance: &Instance) -> Result<(), NotCovered> {
        check_source(self.algorithm(), instance)?;
        let graph = &instance.graph;
        match graph.weighted_arcs().find(|&(tail, head, weight)| graph.weight(head, tail) != Some(weight)) {
            Some((tail, head, _)) => Err(NotCovered(format!(
                "edge {tail} -> {head} has no reverse of the same weight, but a spanning tree needs an undirected graph"
            ))),
            None => Ok(()),
        }
    }
}
