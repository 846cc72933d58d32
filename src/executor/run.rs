//! Execution that looks only at what changed.
//!
//! A step of [`super::dense`] examines every pair. Here a pair is examined again only when its class, its numbers or its
//! part in the selection changed; tests hold the two to the same result, with any tables. Where one pair is selected for
//! the whole graph, a heap holds the pairs that can be selected, with entries that lapse when their score changes;
//! where each receiver selects, only receivers that have news select again.
//!
//! A depth-first search changes four states a vertex, each seen by its pairs: O(m log m) for a draw.

use super::frame::{PairClass, Part, Selection, Status};
use super::hints::Priorities;
use super::pairs::{Numbers, Pairs};
use super::tables::{Score, Tables, tie_key};
use super::{Ending, Execution};
use crate::graph::Weight;
use crate::parents::ParentArray;
use std::collections::BinaryHeap;

const NONE: usize = usize::MAX;

/// Runs tables on a graph until nothing changes, or for the most steps that a right execution takes.
pub(super) fn run(tables: &Tables, pairs: &Pairs, start: Vec<u8>, priorities: &Priorities, seed: u64) -> Execution {
    let mut run = Run::new(tables, pairs, start, priorities, seed);
    let most = (tables.frame.steps)(pairs.n());
    let mut ending = Ending::OutOfSteps;
    while run.step < most {
        let changed = run.one_step();
        run.step += 1;
        if !changed {
            ending = Ending::Settled;
            break;
        }
    }
    run.result(ending)
}

struct Run<'a> {
    tables: &'a Tables,
    pairs: &'a Pairs,
    numbers: Numbers<'a>,
    seed: u64,
    step: usize,
    states: Vec<u8>,
    pointers: Vec<bool>,
    registers: Vec<Weight>,
    /// The selected pair of each group: one group for the graph, or one for each receiver.
    chosen: Vec<usize>,
    /// Pairs that can be selected, where one is selected for the graph. An entry counts while its score is still right.
    heap: BinaryHeap<(Score, usize)>,
    /// Receivers that have to select again, vertices and pairs that have to be examined.
    groups: Worklist,
    vertices: Worklist,
    news: Worklist,
}

/// A list in which nothing stands twice.
struct Worklist {
    items: Vec<usize>,
    listed: Vec<bool>,
}

impl Worklist {
    fn new(size: usize) -> Self {
        Worklist { items: vec![], listed: vec![false; size] }
    }

    fn add(&mut self, item: usize) {
        if !std::mem::replace(&mut self.listed[item], true) {
            self.items.push(item);
        }
    }

    fn take(&mut self) -> Vec<usize> {
        self.items.iter().for_each(|&item| self.listed[item] = false);
        std::mem::take(&mut self.items)
    }
}

impl<'a> Run<'a> {
    fn new(tables: &'a Tables, pairs: &'a Pairs, start: Vec<u8>, priorities: &'a Priorities, seed: u64) -> Self {
        let (n, count) = (pairs.n(), pairs.all.len());
        let groups = match tables.frame.selection {
            Selection::OnePair => 1,
            Selection::SenderForEachReceiver => n,
        };
        let mut run = Run {
            tables,
            pairs,
            numbers: Numbers { frame: tables.frame, pairs, priorities },
            seed,
            step: 0,
            states: start,
            pointers: vec![false; count],
            registers: vec![0; n],
            chosen: vec![NONE; groups],
            heap: BinaryHeap::new(),
            groups: Worklist::new(groups),
            vertices: Worklist::new(n),
            news: Worklist::new(count),
        };
        (0..n).for_each(|vertex| run.vertices.add(vertex));
        (0..count).for_each(|pair| run.refresh(pair));
        run
    }

    /// True when it changed something.
    fn one_step(&mut self) -> bool {
        match self.tables.frame.selection {
            Selection::OnePair => {
                let best = self.best_of_graph();
                self.choose(0, best);
            }
            Selection::SenderForEachReceiver => {
                for receiver in self.groups.take() {
                    let best = self.best_sender(receiver);
                    self.choose(receiver, best);
                }
            }
        }
        let vertices: Vec<_> = self.vertices.take().into_iter().filter_map(|vertex| self.next_of(vertex)).collect();
        let pairs: Vec<_> = self.news.take().into_iter().filter(|&pair| self.pointer_turns(pair)).collect();
        for &(vertex, state, register) in &vertices {
            (self.states[vertex], self.registers[vertex]) = (state, register);
        }
        pairs.iter().for_each(|&pair| self.pointers[pair] ^= true);
        vertices.iter().for_each(|&(vertex, ..)| self.tell_neighbours(vertex));
        for &pair in &pairs {
            self.refresh(pair);
            self.refresh(self.pairs.mate(pair));
        }
        !(vertices.is_empty() && pairs.is_empty())
    }

    fn class(&self, pair: usize) -> usize {
        let (sender, receiver) = (self.pairs.sender(pair), self.pairs.receiver(pair));
        self.tables.frame.pair_index(PairClass {
            sender: self.states[sender],
            receiver: self.states[receiver],
            relation: self.pairs.all[pair].relation,
            pointer: self.pointers[pair],
            back: self.pointers[self.pairs.mate(pair)],
        })
    }

    fn score(&self, pair: usize) -> Option<Score> {
        let scalar = |scalar| self.numbers.get(scalar, pair, &self.registers, self.tables);
        self.tables.score(self.class(pair), scalar)
    }

    fn group(&self, pair: usize) -> usize {
        match self.tables.frame.selection {
            Selection::OnePair => 0,
            Selection::SenderForEachReceiver => self.pairs.receiver(pair),
        }
    }

    fn is_chosen(&self, pair: usize) -> bool {
        self.chosen[self.group(pair)] == pair
    }

    fn status(&self, pair: usize) -> Status {
        if self.is_chosen(pair) {
            Status::Selected
        } else if self.is_chosen(self.pairs.mate(pair)) {
            Status::Reverse
        } else {
            Status::Unselected
        }
    }

    fn pointer_turns(&self, pair: usize) -> bool {
        self.tables.next_pointer(self.class(pair), self.status(pair)) != self.pointers[pair]
    }

    /// The best pair of the graph by the heap; equal scores by their tie keys.
    fn best_of_graph(&mut self) -> usize {
        let mut best: Vec<(Score, usize)> = vec![];
        while let Some(&(score, pair)) = self.heap.peek() {
            if best.first().is_some_and(|&(highest, _)| highest != score) {
                break;
            }
            self.heap.pop();
            // Equal entries stand next to each other; one of them is enough.
            if self.score(pair) == Some(score) && best.last() != Some(&(score, pair)) {
                best.push((score, pair));
            }
        }
        self.heap.extend(best.iter().copied());
        self.of_equals(best.into_iter().map(|(_, pair)| pair))
    }

    fn best_sender(&mut self, receiver: usize) -> usize {
        let into = self.pairs.of(receiver).map(|pair| self.pairs.mate(pair));
        let scored: Vec<_> = into.filter_map(|pair| Some((self.score(pair)?, pair))).collect();
        let Some(&(highest, _)) = scored.iter().max() else { return NONE };
        let best: Vec<usize> =
            scored.into_iter().filter(|&(score, _)| score == highest).map(|(_, pair)| pair).collect();
        if best.len() > 1 {
            // A tie is broken anew at each step.
            self.groups.add(receiver);
        }
        self.of_equals(best.into_iter())
    }

    fn of_equals(&self, pairs: impl Iterator<Item = usize>) -> usize {
        let key = |&pair: &usize| {
            let place = self.pairs.sender(pair) * self.pairs.n() + self.pairs.receiver(pair);
            tie_key(self.seed, self.step, place)
        };
        pairs.min_by_key(key).unwrap_or(NONE)
    }

    /// Selects a pair for a group. What the change of mind touches is examined in this step.
    fn choose(&mut self, group: usize, pair: usize) {
        let before = std::mem::replace(&mut self.chosen[group], pair);
        if before == pair {
            return;
        }
        for pair in [before, pair].into_iter().filter(|&pair| pair != NONE) {
            self.news.add(pair);
            self.news.add(self.pairs.mate(pair));
            self.vertices.add(self.pairs.sender(pair));
            self.vertices.add(self.pairs.receiver(pair));
        }
    }

    fn part(&self, vertex: usize) -> Part {
        let one_pair = self.tables.frame.selection == Selection::OnePair;
        let pair = self.chosen[if one_pair { 0 } else { vertex }];
        if pair == NONE {
            return Part::Nobody;
        }
        match (self.pairs.sender(pair), self.pairs.receiver(pair)) {
            (sender, receiver) if sender == vertex && receiver == vertex => Part::Itself,
            (sender, receiver) if sender == vertex => Part::Sender(self.states[receiver]),
            (sender, receiver) if receiver == vertex => Part::Receiver(self.states[sender]),
            _ => Part::Nobody,
        }
    }

    /// The next state and register of a vertex, if they differ from what they are.
    fn next_of(&self, vertex: usize) -> Option<(usize, u8, Weight)> {
        let part = self.part(vertex);
        let state = self.tables.next_state(self.states[vertex], part);
        let register = match part {
            Part::Receiver(_) | Part::Itself if self.tables.frame.register => {
                let pair = self.chosen[if self.chosen.len() == 1 { 0 } else { vertex }];
                let sender = self.pairs.sender(pair);
                self.tables.proposal(self.registers[sender], self.pairs.weight(pair), self.registers[vertex])
            }
            _ => self.registers[vertex],
        };
        ((state, register) != (self.states[vertex], self.registers[vertex])).then_some((vertex, state, register))
    }

    fn tell_neighbours(&mut self, vertex: usize) {
        self.vertices.add(vertex);
        for pair in self.pairs.of(vertex) {
            self.refresh(pair);
            self.refresh(self.pairs.mate(pair));
        }
    }

    /// Looks at a pair after a change: may it be selected now, and has it to be examined in the next step?
    fn refresh(&mut self, pair: usize) {
        match self.tables.frame.selection {
            Selection::OnePair => {
                if let Some(score) = self.score(pair) {
                    self.heap.push((score, pair));
                }
            }
            Selection::SenderForEachReceiver => self.groups.add(self.pairs.receiver(pair)),
        }
        if self.pointer_turns(pair) {
            self.news.add(pair);
        }
        if self.is_chosen(pair) {
            self.vertices.add(self.pairs.sender(pair));
            self.vertices.add(self.pairs.receiver(pair));
        }
    }

    fn result(self, mut ending: Ending) -> Execution {
        let mut parents = ParentArray::all_roots(self.pairs.n());
        let mut given = vec![false; self.pairs.n()];
        for sender in 0..self.pairs.n() {
            for pair in self.pairs.of(sender).filter(|&pair| self.pointers[pair]) {
                let child = self.pairs.receiver(pair);
                if std::mem::replace(&mut given[child], true) {
                    ending = Ending::SeveralParents;
                } else {
                    parents.set(child, sender);
                }
            }
        }
        Execution { parents, steps: self.step, ending }
    }
}
