//! Execution as it is defined: every step looks at every pair. O(n²) a step; for tests, and to step through a run.

use super::frame::{Frame, PairClass, PairScalar, Part, PriorityOf, Relation, Selection, Status};
use super::hints::{Priorities, Snapshot, Trajectory};
use super::tables::{Tables, tie_key};
use super::{Ending, Execution};
use crate::instance::{Instance, Weight};

/// What the executor sees of an instance, as matrices `sender * n + receiver`.
pub(super) struct Matrices {
    pub n: usize,
    /// `None` for two vertices without an edge.
    pub relation: Vec<Option<Relation>>,
    weight: Vec<Weight>,
    edge_priority: Vec<Weight>,
    vertex_priority: Vec<Weight>,
}

impl Matrices {
    pub fn new(instance: &Instance, priorities: &Priorities, owners: PriorityOf) -> Self {
        let n = instance.n();
        let mut matrices = Matrices {
            n,
            relation: vec![None; n * n],
            weight: vec![0; n * n],
            edge_priority: vec![0; n * n],
            vertex_priority: vec![0; n],
        };
        (0..n).for_each(|vertex| matrices.relation[vertex * n + vertex] = Some(Relation::Itself));
        let edges = || instance.graph.weighted_arcs().enumerate().filter(|(_, (tail, head, _))| tail != head);
        let priority = |index: usize| Weight::from(priorities.0[index]);
        // Backward pairs first: where edges run both ways a pair has the numbers of its forward edge.
        for (_, (tail, head, _)) in edges() {
            matrices.relation[head * n + tail] = Some(Relation::Backward);
        }
        for (edge, (tail, head, weight)) in edges() {
            let (pair, mate) = (tail * n + head, head * n + tail);
            let both = matrices.relation[pair].is_some();
            matrices.relation[pair] = Some(if both { Relation::Both } else { Relation::Forward });
            for place in if both { vec![pair] } else { vec![pair, mate] } {
                matrices.weight[place] = weight;
                if owners == PriorityOf::Edges {
                    matrices.edge_priority[place] = priority(edge);
                }
            }
        }
        if owners == PriorityOf::Vertices {
            matrices.vertex_priority = (0..n).map(priority).collect();
        }
        matrices
    }

    pub fn class(&self, now: &Snapshot, pair: usize) -> Option<PairClass> {
        let (sender, receiver) = (pair / self.n, pair % self.n);
        Some(PairClass {
            sender: now.states[sender],
            receiver: now.states[receiver],
            relation: self.relation[pair]?,
            pointer: now.pointers[pair],
            back: now.pointers[receiver * self.n + sender],
        })
    }

    pub fn proposal(&self, tables: &Tables, now: &Snapshot, pair: usize) -> Weight {
        tables.proposal(now.registers[pair / self.n], self.weight[pair], now.registers[pair % self.n])
    }

    pub fn weight(&self, pair: usize) -> Weight {
        self.weight[pair]
    }

    pub fn scalar(&self, scalar: PairScalar, tables: &Tables, now: &Snapshot, pair: usize) -> Weight {
        let (sender, receiver) = (pair / self.n, pair % self.n);
        match scalar {
            PairScalar::SenderPriority => self.vertex_priority[sender],
            PairScalar::ReceiverPriority => self.vertex_priority[receiver],
            PairScalar::EdgePriority => self.edge_priority[pair],
            PairScalar::SenderPosition => sender as Weight,
            PairScalar::ReceiverPosition => receiver as Weight,
            PairScalar::Weight => self.weight[pair],
            PairScalar::SenderRegister => now.registers[sender],
            PairScalar::ReceiverRegister => now.registers[receiver],
            PairScalar::Proposal => self.proposal(tables, now, pair),
        }
    }

    /// The groups that select: all pairs, or for each receiver the pairs into it.
    pub fn groups(&self, selection: Selection) -> Vec<Vec<usize>> {
        let joined = |pair: &usize| self.relation[*pair].is_some();
        match selection {
            Selection::OnePair => vec![(0..self.n * self.n).filter(joined).collect()],
            Selection::SenderForEachReceiver => {
                let into = |receiver| (0..self.n).map(move |sender| sender * self.n + receiver).filter(joined);
                (0..self.n).map(|receiver| into(receiver).collect()).collect()
            }
        }
    }

    /// The snapshot after a step that selected these pairs.
    pub fn after(&self, tables: &Tables, now: &Snapshot, selected: &[(usize, usize)]) -> Snapshot {
        let mut next = now.clone();
        for vertex in 0..self.n {
            next.states[vertex] = tables.next_state(now.states[vertex], part(tables.frame, now, selected, vertex));
        }
        let status = statuses(self.n, selected);
        for (pair, &status) in status.iter().enumerate() {
            if let Some(class) = self.class(now, pair) {
                next.pointers[pair] = tables.next_pointer(tables.frame.pair_index(class), status);
            }
        }
        if tables.frame.register {
            for &(sender, receiver) in selected {
                next.registers[receiver] = self.proposal(tables, now, sender * self.n + receiver);
            }
        }
        next
    }
}

/// What the selection makes of each pair.
pub(super) fn statuses(n: usize, selected: &[(usize, usize)]) -> Vec<Status> {
    let mut statuses = vec![Status::Unselected; n * n];
    selected.iter().for_each(|&(sender, receiver)| statuses[receiver * n + sender] = Status::Reverse);
    selected.iter().for_each(|&(sender, receiver)| statuses[sender * n + receiver] = Status::Selected);
    statuses
}

/// A vertex's part in the selection.
pub(super) fn part(frame: &Frame, now: &Snapshot, selected: &[(usize, usize)], vertex: usize) -> Part {
    let one_pair = frame.selection == Selection::OnePair;
    let concerns = |&&(sender, receiver): &&(usize, usize)| receiver == vertex || (one_pair && sender == vertex);
    match selected.iter().find(concerns) {
        None => Part::Nobody,
        Some(&(sender, receiver)) if sender == receiver => Part::Itself,
        Some(&(sender, receiver)) if receiver == vertex => Part::Receiver(now.states[sender]),
        Some(&(_, receiver)) => Part::Sender(now.states[receiver]),
    }
}

/// Runs tables step by step, and keeps everything.
pub(super) fn trace(
    tables: &Tables,
    instance: &Instance,
    start: Vec<u8>,
    priorities: &Priorities,
    seed: u64,
) -> (Trajectory, Execution) {
    let matrices = Matrices::new(instance, priorities, tables.frame.priorities);
    let groups = matrices.groups(tables.frame.selection);
    let select = |now: &Snapshot, step: usize| {
        let best = |group: &Vec<usize>| best(tables, &matrices, now, group, |pair| tie_key(seed, step, pair));
        groups.iter().filter_map(best).collect::<Vec<_>>()
    };
    trace_with(tables, &matrices, start, select)
}

/// As [`trace`], with any way to select.
pub(super) fn trace_with(
    tables: &Tables,
    matrices: &Matrices,
    start: Vec<u8>,
    mut select: impl FnMut(&Snapshot, usize) -> Vec<usize>,
) -> (Trajectory, Execution) {
    let n = matrices.n;
    let mut run = Trajectory::start(start);
    let mut ending = Ending::OutOfSteps;
    for step in 0..(tables.frame.steps)(n) {
        let selected: Vec<(usize, usize)> =
            select(run.last(), step).into_iter().map(|pair| (pair / n, pair % n)).collect();
        let after = matrices.after(tables, run.last(), &selected);
        if !run.push(selected, after) {
            ending = Ending::Settled;
            break;
        }
    }
    let (parents, clear) = run.last().parents();
    let ending = if clear { ending } else { Ending::SeveralParents };
    let execution = Execution { parents, steps: run.selected.len(), ending };
    (run, execution)
}

/// The pair of a group with the highest score, the one with the lowest key where several have it.
fn best(
    tables: &Tables,
    matrices: &Matrices,
    now: &Snapshot,
    group: &[usize],
    key: impl Fn(usize) -> u64,
) -> Option<usize> {
    let score = |pair: usize| {
        let class = tables.frame.pair_index(matrices.class(now, pair)?);
        tables.score(class, |scalar| matrices.scalar(scalar, tables, now, pair))
    };
    let scored: Vec<_> = group.iter().filter_map(|&pair| Some((score(pair)?, pair))).collect();
    let highest = scored.iter().map(|&(score, _)| score).max()?;
    scored.into_iter().filter(|&(score, _)| score == highest).map(|(_, pair)| pair).min_by_key(|&pair| key(pair))
}
