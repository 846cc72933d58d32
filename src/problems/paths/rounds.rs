//! Rounds of relaxations, for the executor: states, hints and what a right model has to do.
//!
//! A vertex is unreached, reached, or the source. In a round each receiver, the source excepted, selects among the
//! senders that are reached (or the source) and have an edge to it the one with the least distance + weight, equal ones
//! by the smaller priority of the edge; it carries that sum from then on, and points back at nobody else. So after k
//! rounds it carries the length of the shortest walk with at most k edges, and in the end each vertex has one of *all*
//! its tight edges, each equally likely, independently of the others: the draws are uniform over all shortest-path trees
//! (the tie policy `free`). Weights may have any sign as long as every cycle that the source reaches is longer than zero.

use super::Distances;
use crate::answers::Candidate;
use crate::instance::Instance;
use crate::neural::executor::{
    Certificate, Check, Frame, PairClass, PairScalar, Part, Priorities, PriorityOf, Relation, Selection, Snapshot,
    Status, Tables, Trajectory,
};
use crate::problems::growth::source;

const UNREACHED: u8 = 0;
pub(super) const REACHED: u8 = 1;
pub(super) const SOURCE: u8 = 2;

pub(super) static FRAME: Frame = Frame {
    states: &["unreached", "reached", "source"],
    selection: Selection::SenderForEachReceiver,
    priorities: PriorityOf::Edges,
    scalars: &[
        PairScalar::EdgePriority,
        PairScalar::Weight,
        PairScalar::SenderRegister,
        PairScalar::ReceiverRegister,
        PairScalar::Proposal,
    ],
    register: true,
    // n - 1 rounds for the distances, one for the pointers, one that changes nothing.
    steps: |n| n + 1,
};

/// The states before the first round.
pub(super) fn start(instance: &Instance) -> Vec<u8> {
    let state = |vertex| if vertex == source(instance) { SOURCE } else { UNREACHED };
    (0..instance.n()).map(state).collect()
}

/// A run until nothing changes.
pub(super) fn record(instance: &Instance, priorities: &Priorities) -> Trajectory {
    let mut run = Trajectory::start(start(instance));
    loop {
        let (selected, after) = round(instance, priorities, run.last());
        if !run.push(selected, after) {
            return run;
        }
    }
}

/// The tree in which each vertex has the tight edge of the smallest priority, given the distances.
pub(super) fn first_tight(instance: &Instance, priorities: &Priorities, distances: &Distances) -> Candidate {
    let mut first: Vec<Option<(u64, usize)>> = vec![None; instance.n()];
    for ((tail, head, weight), &priority) in instance.graph.weighted_arcs().zip(&priorities.0) {
        // No edge into the source counts: every cycle is longer than zero.
        if tail != head
            && distances.is_tight(tail, head, weight)
            && first[head].is_none_or(|known| (priority, tail) < known)
        {
            first[head] = Some((priority, tail));
        }
    }
    Candidate::from_each_vertex(instance.n(), |vertex| first[vertex].map_or(vertex, |(_, parent)| parent))
}

/// One round: the selected pairs and what follows from them.
fn round(instance: &Instance, priorities: &Priorities, now: &Snapshot) -> (Vec<(usize, usize)>, Snapshot) {
    let n = instance.n();
    let mut best = vec![None; n];
    for ((tail, head, weight), &priority) in instance.graph.weighted_arcs().zip(&priorities.0) {
        if tail == head || now.states[tail] == UNREACHED || now.states[head] == SOURCE {
            continue;
        }
        let offer = (now.registers[tail] + weight, priority, tail);
        if best[head].is_none_or(|known| offer < known) {
            best[head] = Some(offer);
        }
    }
    let mut after = now.clone();
    let mut selected = vec![];
    after.pointers.fill(false);
    for (receiver, best) in best.into_iter().enumerate() {
        if let Some((length, _, sender)) = best {
            selected.push((sender, receiver));
            after.states[receiver] = REACHED;
            after.registers[receiver] = length;
            after.pointers[sender * n + receiver] = true;
        }
    }
    (selected, after)
}

/// True when a pair of this class can occur between two rounds: there is one source; a pointer follows an edge to a
/// reached vertex, from one that is reached or the source; two vertices never point at each other, because cycles are
/// longer than zero.
pub(super) fn occurs(class: PairClass) -> bool {
    let PairClass { sender, receiver, relation, pointer, back } = class;
    if relation == Relation::Itself {
        return sender == receiver && !pointer && !back;
    }
    let is_parent = |parent: u8, child: u8, forward: bool| forward && parent != UNREACHED && child == REACHED;
    (sender, receiver) != (SOURCE, SOURCE)
        && !(pointer && back)
        && (!pointer || is_parent(sender, receiver, relation.is_forward()))
        && (!back || is_parent(receiver, sender, relation.reversed().is_forward()))
}

/// What a sender may be to a receiver.
#[derive(Clone, Copy, PartialEq)]
enum Offer {
    /// It can be the best one to a reached receiver.
    Again,
    /// It can be the best one to an unreached receiver.
    New,
    /// The source to its unreached neighbour, which has no other offer: no other vertex is reached yet.
    Only,
    /// It may be selected, but never is the best one: either the receiver is its parent, or it is the source and was
    /// given up before for a better one.
    Hopeless,
}

fn offer_of(class: PairClass) -> Option<Offer> {
    match (class.sender, class.receiver) {
        _ if !class.relation.is_forward() => None,
        (UNREACHED, _) | (_, SOURCE) => None,
        (SOURCE, UNREACHED) => Some(Offer::Only),
        (_, UNREACHED) => Some(Offer::New),
        _ if class.back || (class.sender == SOURCE && !class.pointer) => Some(Offer::Hopeless),
        _ => Some(Offer::Again),
    }
}

/// Checks maps on the classes that can occur. The proof of what this implies is in `docs/executor.md`.
pub(super) fn certify(tables: &Tables, occurs: impl Fn(PairClass) -> bool) -> Certificate {
    let mut check = Check::new(tables);
    let classes: Vec<PairClass> =
        (0..FRAME.pair_classes()).map(|index| FRAME.pair_class(index)).filter(|&class| occurs(class)).collect();
    let level = |wanted: Offer| {
        let levels = classes.iter().filter(|&&class| offer_of(class) == Some(wanted));
        levels.map(|&class| tables.level_of(class)).max().expect("each kind of offer has a class")
    };
    let (again, new) = (level(Offer::Again), level(Offer::New));
    for &class in &classes {
        let own = tables.level_of(class);
        let least_sum = follows(tables, class, true, PairScalar::Proposal);
        let priority = follows(tables, class, false, PairScalar::EdgePriority);
        match offer_of(class) {
            Some(Offer::Again) => {
                check.needs(own >= 1 && own == again && least_sum, class, "the least proposal must win");
                check.needs_for_exactness(priority, class, "of equal proposals the smaller priority must win");
            }
            Some(Offer::New) => {
                check.needs(own >= 1 && own == new && least_sum, class, "the least proposal must win");
            }
            Some(Offer::Only) => check.needs(own >= 1, class, "the only offer must be taken"),
            Some(Offer::Hopeless) => {
                check.needs(own < again || (own == again && least_sum), class, "it must not beat a better offer");
                check.needs_for_exactness(own < again || priority, class, "it must not beat a smaller priority");
            }
            // A reached vertex always has its parent's offer.
            None if class.receiver == REACHED => check.needs(own < again, class, "it must not beat an offer"),
            None => check.never_selected(class),
        }
        let reversed = class.reversed();
        let selectable = |class: PairClass| match offer_of(class) {
            Some(Offer::Again | Offer::New | Offer::Only) => true,
            // The source may come back when it ties and no scalar decides.
            Some(Offer::Hopeless) => class.sender == SOURCE && tables.level_of(class) == again,
            None => false,
        };
        check.next_pointer(class, Status::Unselected, false);
        if selectable(class) {
            check.next_pointer(class, Status::Selected, true);
        }
        // A parent never selects its child, so a pair with a pointer is never the reverse of a selected one.
        if !class.pointer && selectable(reversed) {
            check.next_pointer(class, Status::Reverse, false);
        }
    }
    check_states(&mut check);
    check.register([1, 1, 0]);
    check.finish()
}

fn check_states(check: &mut Check<'_>) {
    for sender in [REACHED, SOURCE] {
        check.next_state(UNREACHED, Part::Receiver(sender), REACHED);
        check.next_state(REACHED, Part::Receiver(sender), REACHED);
    }
    check.next_state(UNREACHED, Part::Nobody, UNREACHED);
    check.next_state(SOURCE, Part::Nobody, SOURCE);
}

/// True when the smallest of this scalar decides, first or second.
fn follows(tables: &Tables, class: PairClass, first: bool, wanted: PairScalar) -> bool {
    let choices = if first { &tables.first } else { &tables.second };
    tables.meaning(choices[FRAME.pair_index(class)]) == (wanted, false)
}
