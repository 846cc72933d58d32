//! Depth-first search step by step, for the executor: states, hints and what a right model has to do.
//!
//! A vertex is unvisited, on the stack, on top of it, or done. A step goes from the top to its unvisited out-neighbour of
//! the smallest priority; else, if the top has a parent, back to it; else on to the next root. The selected pairs:
//!
//! ```text
//! explore    (top, unvisited)   joined by an edge forward     level 3   smallest priority of the receiver
//! backtrack  (top, stack)       the receiver is the parent    level 2   there is only one
//! restart    (unvisited)        with itself                   level 1   lowest position (any restart: priority)
//! ```
//! The levels are examples; only their order matters.

use super::Restarts;
use super::dfs::{Dfs, run};
use crate::answers::Candidate;
use crate::instance::{GraphSettings, Instance, random_directed};
use crate::neural::executor::{
    Certificate, Check, Frame, PairClass, PairScalar, Part, Priorities, PriorityOf, Relation, Selection, Snapshot,
    Status, Steps, Tables, Trajectory,
};
use crate::problems::Algorithm;
use crate::problems::ties::OneOrder;
use crate::random::Rng;

const UNVISITED: u8 = 0;
const STACK: u8 = 1;
const TOP: u8 = 2;
const DONE: u8 = 3;

static FRAME: Frame = Frame {
    states: &["unvisited", "on the stack", "top", "done"],
    selection: Selection::OnePair,
    priorities: PriorityOf::Vertices,
    scalars: &[
        PairScalar::SenderPriority,
        PairScalar::ReceiverPriority,
        PairScalar::SenderPosition,
        PairScalar::ReceiverPosition,
    ],
    register: false,
    // Each vertex is entered once and left once; then the last root is done, and a step that changes nothing.
    steps: |n| 2 * n + 2,
};

impl Steps for Dfs {
    fn algorithm(&self) -> &'static str {
        self.name()
    }

    fn frame(&self) -> &'static Frame {
        &FRAME
    }

    fn training_instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        Instance::new(random_directed(settings, rng))
    }

    fn start(&self, instance: &Instance) -> Vec<u8> {
        vec![UNVISITED; instance.n()]
    }

    fn record(&self, instance: &Instance, priorities: &Priorities) -> Trajectory {
        let mut run = Trajectory::start(self.start(instance));
        let mut path = vec![];
        while let Some((selected, after)) = self.next(instance, priorities, run.last(), &mut path) {
            run.push(vec![selected], after);
        }
        // Nothing is left to select: the last root is done, and then nothing changes any more.
        let mut after = run.last().clone();
        path.iter().for_each(|&root: &usize| after.states[root] = DONE);
        run.push(vec![], after.clone());
        run.push(vec![], after);
        run
    }

    fn solve_by(&self, instance: &Instance, priorities: &Priorities) -> Candidate {
        run(&instance.graph, self.restarts, &mut OneOrder::given(&priorities.order()))
    }

    fn certify(&self, tables: &Tables) -> Certificate {
        certify(tables, self.restarts)
    }
}

impl Dfs {
    /// The next selected pair and what follows from it; `path` leads from the root to the top.
    fn next(
        &self,
        instance: &Instance,
        priorities: &Priorities,
        now: &Snapshot,
        path: &mut Vec<usize>,
    ) -> Option<((usize, usize), Snapshot)> {
        let n = instance.n();
        let unvisited = |vertex: &usize| now.states[*vertex] == UNVISITED;
        let mut after = now.clone();
        if let Some(&top) = path.last() {
            let heads = instance.graph.out_neighbours(top).iter().map(|&head| head as usize).filter(unvisited);
            if let Some(child) = heads.min_by_key(|&head| priorities.0[head]) {
                path.push(child);
                (after.states[top], after.states[child]) = (STACK, TOP);
                after.pointers[top * n + child] = true;
                return Some(((top, child), after));
            }
            if let [.., parent, _] = path[..] {
                path.pop();
                (after.states[top], after.states[parent]) = (DONE, TOP);
                return Some(((top, parent), after));
            }
        }
        let roots = (0..n).filter(unvisited);
        let root = match self.restarts {
            Restarts::Ordered => roots.min()?,
            Restarts::Any => roots.min_by_key(|&root| priorities.0[root])?,
        };
        path.drain(..).for_each(|last: usize| after.states[last] = DONE);
        path.push(root);
        after.states[root] = TOP;
        Some(((root, root), after))
    }
}

/// True when a pair of this class can occur between two steps of some depth-first search.
///
/// There is one top at most; pointers follow edges, from a vertex that is not done to any that was entered after it, or
/// between done vertices; a vertex that is done has no unvisited out-neighbour.
fn occurs(class: PairClass) -> bool {
    let PairClass { sender, receiver, relation, pointer, back } = class;
    if relation == Relation::Itself {
        return sender == receiver && !pointer && !back;
    }
    let is_parent = |parent: u8, child: u8, forward: bool| {
        forward && matches!((parent, child), (STACK, STACK | TOP | DONE) | (TOP | DONE, DONE))
    };
    let finished_before = |sender: u8, receiver: u8, forward: bool| forward && sender == DONE && receiver == UNVISITED;
    let (forward, backward) = (relation.is_forward(), relation.reversed().is_forward());
    (sender, receiver) != (TOP, TOP)
        && !(pointer && back)
        && (!pointer || is_parent(sender, receiver, forward))
        && (!back || is_parent(receiver, sender, backward))
        && !finished_before(sender, receiver, forward)
        && !finished_before(receiver, sender, backward)
}

/// What a pair is selected for.
#[derive(Clone, Copy, PartialEq)]
enum Move {
    Explore,
    Backtrack,
    Restart,
}

fn move_of(class: PairClass) -> Option<Move> {
    match (class.sender, class.receiver) {
        (TOP, UNVISITED) if class.relation.is_forward() => Some(Move::Explore),
        (TOP, STACK) if class.back => Some(Move::Backtrack),
        (UNVISITED, _) if class.relation == Relation::Itself => Some(Move::Restart),
        _ => None,
    }
}

/// The proof of what this implies is in `docs/executor.md`.
fn certify(tables: &Tables, restarts: Restarts) -> Certificate {
    let mut check = Check::new(tables);
    let classes: Vec<PairClass> =
        (0..FRAME.pair_classes()).map(|index| FRAME.pair_class(index)).filter(|&class| occurs(class)).collect();
    let of = |wanted: Move| classes.iter().copied().filter(move |&class| move_of(class) == Some(wanted));
    let least = |wanted: Move| of(wanted).map(|class| tables.level_of(class)).min().expect("each move has a class");
    let most = |wanted: Move| of(wanted).map(|class| tables.level_of(class)).max().expect("each move has a class");
    for &class in &classes {
        let level = tables.level_of(class);
        match move_of(class) {
            Some(Move::Explore) => {
                check.needs(level > most(Move::Backtrack), class, "exploring must beat backtracking")
            }
            Some(Move::Backtrack) => check.needs(level > most(Move::Restart), class, "backtracking must beat restarts"),
            Some(Move::Restart) => check.needs(level >= 1, class, "it must be selected when nothing else is left"),
            // A pair that must not be selected may have any level below a move that is always possible beside it.
            None if [class.sender, class.receiver].contains(&STACK) => {
                check.needs(level < least(Move::Backtrack), class, "it must not beat backtracking");
            }
            None if [class.sender, class.receiver].contains(&UNVISITED) => {
                check.needs(level < least(Move::Restart).max(1), class, "it must not beat a restart");
            }
            None => check.never_selected(class),
        }
        let back_move = move_of(class.reversed()).is_some();
        match move_of(class) {
            Some(this) => check.next_pointer(class, Status::Selected, this == Move::Explore || class.pointer),
            None if back_move => check.next_pointer(class, Status::Reverse, class.pointer),
            None => {}
        }
        check.next_pointer(class, Status::Unselected, class.pointer);
    }
    for class in of(Move::Explore) {
        check.needs_for_exactness(
            tables.level_of(class) == least(Move::Explore) && follows(tables, class, &[PairScalar::ReceiverPriority]),
            class,
            "the smallest priority of the receiver must win",
        );
    }
    for class in of(Move::Restart) {
        match restarts {
            Restarts::Ordered => check.needs(
                follows(tables, class, &[PairScalar::SenderPosition, PairScalar::ReceiverPosition]),
                class,
                "the lowest position must win",
            ),
            Restarts::Any => check.needs_for_exactness(
                follows(tables, class, &[PairScalar::SenderPriority, PairScalar::ReceiverPriority]),
                class,
                "the smallest priority must win",
            ),
        }
    }
    check_states(&mut check);
    check.finish()
}

fn check_states(check: &mut Check<'_>) {
    check.next_state(TOP, Part::Sender(UNVISITED), STACK);
    check.next_state(UNVISITED, Part::Receiver(TOP), TOP);
    check.next_state(TOP, Part::Sender(STACK), DONE);
    check.next_state(STACK, Part::Receiver(TOP), TOP);
    check.next_state(UNVISITED, Part::Itself, TOP);
    for (own, next) in [(UNVISITED, UNVISITED), (STACK, STACK), (DONE, DONE), (TOP, DONE)] {
        check.next_state(own, Part::Nobody, next);
    }
}

/// True when the smallest of one of these scalars decides first.
fn follows(tables: &Tables, class: PairClass, scalars: &[PairScalar]) -> bool {
    let (scalar, largest) = tables.meaning(tables.first[FRAME.pair_index(class)]);
    !largest && scalars.contains(&scalar)
}
