//! Hints: a run of an algorithm, recorded step by step in the executor's terms.

use super::certificate::Certificate;
use super::frame::{Frame, PriorityOf};
use super::tables::Tables;
use crate::answers::Candidate;
use crate::instance::{GraphSettings, Instance, Weight};
use crate::random::Rng;
use thiserror::Error;

/// What an algorithm's folder gives so that the executor can learn it.
pub trait Steps: Sync {
    /// The algorithm's name.
    fn algorithm(&self) -> &'static str;

    /// States, scalars and who selects.
    fn frame(&self) -> &'static Frame;

    /// A random instance to learn from.
    fn training_instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance;

    /// The states before the first step.
    fn start(&self, instance: &Instance) -> Vec<u8>;

    /// A run whose ties the priorities decide, recorded step by step.
    fn record(&self, instance: &Instance, priorities: &Priorities) -> Trajectory;

    /// The same run by the classical algorithm itself, for comparison.
    fn solve_by(&self, instance: &Instance, priorities: &Priorities) -> Candidate;

    /// Checks learnt maps, entry by entry, on everything that can occur.
    fn certify(&self, tables: &Tables) -> Certificate;

    /// Refuses an instance that the theorem behind the certificate does not cover, with the reason. The algorithm itself
    /// may well solve it, so a caller can fall back and say why.
    fn accepts(&self, _instance: &Instance) -> Result<(), NotCovered> {
        Ok(())
    }
}

/// Why an executor's certificate says nothing about an instance.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct NotCovered(pub String);

/// The random numbers of one run: the smaller goes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priorities(pub Vec<u64>);

impl Priorities {
    /// One for each vertex or each edge (in the graph's order of edges).
    pub fn draw(frame: &Frame, instance: &Instance, rng: &mut Rng) -> Self {
        let count = match frame.priorities {
            PriorityOf::Vertices => instance.n(),
            PriorityOf::Edges => instance.graph.arc_count(),
        };
        Priorities((0..count).map(|_| rng.next_u64()).collect())
    }

    /// The vertices (or edges) from the first to the last.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|&item| self.0[item]);
        order
    }
}

/// Everything an execution knows between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The state of each vertex.
    pub states: Vec<u8>,
    /// The pointer bits, `sender * n + receiver`: the sender is the receiver's parent.
    pub pointers: Vec<bool>,
    /// The number that each vertex carries.
    pub registers: Vec<Weight>,
}

impl Snapshot {
    /// Before the first step: no pointers, and every register zero.
    pub fn start(states: Vec<u8>) -> Self {
        let n = states.len();
        Snapshot { states, pointers: vec![false; n * n], registers: vec![0; n] }
    }

    /// The parents that the pointers give, and whether no vertex has more than one (if one has, the first counts).
    pub fn parents(&self) -> (Candidate, bool) {
        let n = self.states.len();
        let mut parents = Candidate::all_roots(n);
        let mut given = vec![false; n];
        let mut clear = true;
        for pair in (0..n * n).filter(|&pair| self.pointers[pair]) {
            let (parent, child) = (pair / n, pair % n);
            if std::mem::replace(&mut given[child], true) {
                clear = false;
            } else {
                parents.set(child, parent);
            }
        }
        (parents, clear)
    }
}

/// A run step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trajectory {
    /// Before each step and, at the end, after the last.
    pub snapshots: Vec<Snapshot>,
    /// The pairs (sender, receiver) that each step selected.
    pub selected: Vec<Vec<(usize, usize)>>,
}

impl Trajectory {
    /// A run that has not taken a step.
    pub fn start(states: Vec<u8>) -> Self {
        Trajectory { snapshots: vec![Snapshot::start(states)], selected: vec![] }
    }

    /// The latest snapshot.
    pub fn last(&self) -> &Snapshot {
        self.snapshots.last().expect("there is always the start")
    }

    /// Adds a step; true when it changed something.
    pub fn push(&mut self, selected: Vec<(usize, usize)>, after: Snapshot) -> bool {
        let changed = *self.last() != after;
        self.selected.push(selected);
        self.snapshots.push(after);
        changed
    }
}
