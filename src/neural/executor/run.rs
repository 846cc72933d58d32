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
use super::pairs::{Numbers, Pair, Pairs};
use super::tables::{PairScore, Tables, tie_key};
use super::{Ending, Execution};
use crate::answers::Candidate;
use crate::cancel;
use crate::instance::Weight;
use std::collections::BinaryHeap;

const NONE: usize = usize::MAX;

/// A step may take a tenth of a microsecond, a look at the flag a hundredth.
const STEPS_BETWEEN_POINTS: usize = 64;

/// Runs tables on a graph until nothing changes, or for the most steps that a right execution takes.
pub(super) fn run(tables: &Tables, pairs: &Pairs, start: Vec<u8>, priorities: &Priorities, seed: u64) -> Execution {
    let mut run = Run::new(tables, pairs, start, priorities, seed);
    let most = (tables.frame.steps)(pairs.n());
    let mut ending = Ending::OutOfSteps;
    while run.step < most {
        if run.step.is_multiple_of(STEPS_BETWEEN_POINTS) {
            cancel::point();
        }
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
    /// What each class can do, so that most pairs need no second look.
    flags: Vec<Flags>,
    /// The selected pair of each group: one group for the graph, or one for each receiver.
    chosen: Vec<usize>,
    /// Pairs that can be selected, where one is selected for the graph. An entry counts while its score is still right.
    heap: BinaryHeap<(PairScore, usize)>,
    /// Receivers that have to select again, vertices and pairs that have to be examined.
    groups: Worklist,
    vertices: Worklist,
    news: Worklist,
}

/// What a pair of some class can do.
#[derive(Clone, Copy)]
struct Flags {
    selectable: bool,
    /// Whether its pointer turns, by status.
    turns: [bool; 3],
}

fn flags(tables: &Tables) -> Vec<Flags> {
    let of_class = |class: usize| Flags {
        selectable: tables.level[class] >= 1,
        turns: Status::ALL.map(|status| tables.next_pointer(class, status) != tables.frame.pair_class(class).pointer),
    };
    (0..tables.frame.pair_classes()).map(of_class).collect()
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
            flags: flags(tables),
            chosen: vec![NONE; groups],
            heap: BinaryHeap::new(),
            groups: Worklist::new(groups),
            vertices: Worklist::new(n),
            news: Worklist::new(count),
        };
        (0..n).for_each(|vertex| run.tell_neighbours(vertex));
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
        pairs.iter().for_each(|&pair| self.refresh_both(self.pairs.sender(pair), pair));
        !(vertices.is_empty() && pairs.is_empty())
    }

    /// The class of a pair out of `sender`, and that of its mate.
    fn classes(&self, sender: usize, pair: usize) -> [usize; 2] {
        let Pair { receiver, mate, relation, .. } = self.pairs.all[pair];
        let class = PairClass {
            sender: self.states[sender],
            receiver: self.states[receiver as usize],
            relation,
            pointer: self.pointers[pair],
            back: self.pointers[mate as usize],
        };
        [class, class.reversed()].map(|class| self.tables.frame.pair_index(class))
    }

    fn class(&self, pair: usize) -> usize {
        self.classes(self.pairs.sender(pair), pair)[0]
    }

    fn score(&self, pair: usize, class: usize) -> Option<PairScore> {
        let scalar = |scalar| self.numbers.get(scalar, pair, &self.registers, self.tables);
        self.tables.score(class, scalar)
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
        self.flags[self.class(pair)].turns[self.status(pair) as usize]
    }

    /// The best pair of the graph by the heap; equal scores by their tie keys.
    fn best_of_graph(&mut self) -> usize {
        let mut best: Vec<(PairScore, usize)> = vec![];
        while let Some(&(score, pair)) = self.heap.peek() {
            if best.first().is_some_and(|&(highest, _)| highest != score) {
                break;
            }
            self.heap.pop();
            // Equal entries stand next to each other; one of them is enough.
            if self.score(pair, self.class(pair)) == Some(score) && best.last() != Some(&(score, pair)) {
                best.push((score, pair));
            }
        }
        self.heap.extend(best.iter().copied());
        self.of_equals(best.into_iter().map(|(_, pair)| pair))
    }

    fn best_sender(&mut self, receiver: usize) -> usize {
        let mut highest = None;
        let mut best: Vec<usize> = vec![];
        for pair in self.pairs.of(receiver) {
            let ([_, class], into) = (self.classes(receiver, pair), self.pairs.mate(pair));
            if !self.flags[class].selectable {
                continue;
            }
            let score = self.score(into, class);
            if score > highest {
                highest = score;
                best.clear();
            }
            if score == highest {
                best.push(into);
            }
        }
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
            self.refresh_both(vertex, pair);
        }
    }

    /// Looks at a pair out of `sender`, and at its mate, after a change.
    fn refresh_both(&mut self, sender: usize, pair: usize) {
        let (receiver, mate) = (self.pairs.receiver(pair), self.pairs.mate(pair));
        let [class, mates_class] = self.classes(sender, pair);
        let one_pair = self.tables.frame.selection == Selection::OnePair;
        let (group, mates_group) = if one_pair { (0, 0) } else { (receiver, sender) };
        let (chosen, mate_chosen) = (self.chosen[group] == pair, self.chosen[mates_group] == mate);
        self.refresh((pair, group), class, chosen, mate_chosen);
        if mate != pair {
            self.refresh((mate, mates_group), mates_class, mate_chosen, chosen);
        }
        if chosen || mate_chosen {
            self.vertices.add(sender);
            self.vertices.add(receiver);
        }
    }

    /// May the pair be selected now, and has it to be examined in the next step?
    fn refresh(&mut self, (pair, group): (usize, usize), class: usize, chosen: bool, mate_chosen: bool) {
        let flags = self.flags[class];
        match self.tables.frame.selection {
            Selection::OnePair if flags.selectable => {
                let score = self.score(pair, class).expect("its class can be selected");
                self.heap.push((score, pair));
            }
            Selection::SenderForEachReceiver if flags.selectable || chosen => self.groups.add(group),
            _ => {}
        }
        let status = match (chosen, mate_chosen) {
            (true, _) => Status::Selected,
            (false, true) => Status::Reverse,
            (false, false) => Status::Unselected,
        };
        if flags.turns[status as usize] {
            self.news.add(pair);
        }
    }

    fn result(self, mut ending: Ending) -> Execution {
        let mut parents = Candidate::all_roots(self.pairs.n());
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
