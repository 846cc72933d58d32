//! Breadth-first search in rounds: every shortest-hop tree, each equally likely.
//!
//! In a round each vertex outside the tree that has an in-neighbour inside takes the one whose edge has the smallest
//! priority. The in-neighbours inside are then exactly its predecessors of the previous level: had an earlier one been
//! inside, the vertex would be, too. So each vertex chooses uniformly, and independently of the others, among *all* its
//! predecessors of the previous level. Weights are ignored.

use super::bfs::Bfs;
use crate::answers::Candidate;
use crate::instance::{GraphSettings, Instance};
use crate::neural::executor::{
    Certificate, Frame, NotCovered, PairScalar, Priorities, PriorityOf, Selection, Snapshot, Steps, Tables, Trajectory,
};
use crate::problems::growth::{
    GROWING, INSIDE, OUTSIDE, Rule, certify_growth, check_source, random_instance, source, start,
};
use crate::random::Rng;

static FRAME: Frame = Frame {
    states: GROWING,
    selection: Selection::SenderForEachReceiver,
    priorities: PriorityOf::Edges,
    // The weight is among them so that ignoring it is learnt.
    scalars: &[PairScalar::EdgePriority, PairScalar::Weight, PairScalar::SenderPosition],
    register: false,
    // A level a round, at most n - 1 of them, and a round that changes nothing.
    steps: |n| n.max(1),
};

impl Steps for Bfs {
    fn algorithm(&self) -> &'static str {
        "bfs"
    }

    fn frame(&self) -> &'static Frame {
        &FRAME
    }

    fn training_instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let directed = rng.chance(0.5);
        random_instance(settings, directed, 1..=3, rng)
    }

    fn start(&self, instance: &Instance) -> Vec<u8> {
        start(instance)
    }

    fn record(&self, instance: &Instance, priorities: &Priorities) -> Trajectory {
        let mut run = Trajectory::start(start(instance));
        loop {
            let (selected, after) = round(instance, priorities, run.last());
            if !run.push(selected, after) {
                return run;
            }
        }
    }

    /// O(n + m).
    fn solve_by(&self, instance: &Instance, priorities: &Priorities) -> Candidate {
        let levels = levels(instance);
        let mut first: Vec<Option<(u64, usize)>> = vec![None; instance.n()];
        for ((tail, head), &priority) in instance.graph.arcs().zip(&priorities.0) {
            let follows = levels[tail].is_some_and(|level| levels[head] == Some(level + 1));
            if follows && first[head].is_none_or(|known| (priority, tail) < known) {
                first[head] = Some((priority, tail));
            }
        }
        let mut parents = Candidate::all_roots(instance.n());
        for (child, first) in first.into_iter().enumerate() {
            first.into_iter().for_each(|(_, parent)| parents.set(child, parent));
        }
        parents
    }

    fn certify(&self, tables: &Tables) -> Certificate {
        certify_growth(tables, &Rule { least: None, undirected: false })
    }

    fn accepts(&self, instance: &Instance) -> Result<(), NotCovered> {
        check_source(self.algorithm(), instance)
    }
}

/// The number of edges on the shortest paths to each vertex.
fn levels(instance: &Instance) -> Vec<Option<usize>> {
    let mut levels = vec![None; instance.n()];
    levels[source(instance)] = Some(0);
    let (mut level, mut depth) = (vec![source(instance)], 0);
    while !level.is_empty() {
        depth += 1;
        let mut next = vec![];
        for &head in level.iter().flat_map(|&tail| instance.graph.out_neighbours(tail)) {
            if levels[head as usize].is_none() {
                levels[head as usize] = Some(depth);
                next.push(head as usize);
            }
        }
        level = next;
    }
    levels
}

/// One round: the selected pairs and what follows from them.
fn round(instance: &Instance, priorities: &Priorities, now: &Snapshot) -> (Vec<(usize, usize)>, Snapshot) {
    let mut best = vec![None; instance.n()];
    for ((tail, head), &priority) in instance.graph.arcs().zip(&priorities.0) {
        let offers = now.states[tail] == INSIDE && now.states[head] == OUTSIDE;
        if offers && best[head].is_none_or(|known| (priority, tail) < known) {
            best[head] = Some((priority, tail));
        }
    }
    let mut after = now.clone();
    let mut selected = vec![];
    for (head, (_, tail)) in best.into_iter().enumerate().filter_map(|(head, best)| Some((head, best?))) {
        selected.push((tail, head));
        after.states[head] = INSIDE;
        after.pointers[tail * instance.n() + head] = true;
    }
    (selected, after)
}
