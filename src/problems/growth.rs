//! Algorithms that grow one tree from the source, step by step, for the executor: what they share.
//!
//! A vertex is outside the tree or inside; an *offer* is a pair of a vertex inside and one outside with an edge
//! from the first to the second. The vertex outside that selects (or is selected with) an offer comes inside, and the
//! vertex that offered is its parent. Algorithms differ in which offer wins:
//!
//! ```text
//! bfs        each vertex outside takes one of its offers in each round     smallest priority
//! dijkstra   one offer of the graph a step     least distance + weight, then smallest priority
//! prim       one offer of the graph a step     least weight, then smallest priority
//! ```
//! The proofs are in `docs/executor.md`.

use crate::answers::Candidate;
use crate::instance::{Decimal, Graph, GraphSettings, Instance, Weight};
use crate::neural::executor::{
    Certificate, Check, Frame, NotCovered, PairClass, PairScalar, Part, Priorities, Relation, Selection, Status,
    Tables, Trajectory,
};
use crate::random::Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

pub(super) const OUTSIDE: u8 = 0;
pub(super) const INSIDE: u8 = 1;

/// The states of an algorithm that grows a tree.
pub(super) const GROWING: &[&str] = &["outside", "inside"];

pub(super) fn source(instance: &Instance) -> usize {
    instance.source.expect("the instance was checked")
}

/// Refuses an instance without a source among its vertices.
pub(super) fn check_source(name: &str, instance: &Instance) -> Result<(), NotCovered> {
    match instance.source {
        None => Err(NotCovered(format!("the executor of {name} needs a source"))),
        Some(source) if source >= instance.n() => {
            Err(NotCovered(format!("the source is {source}, but there are {} vertices", instance.n())))
        }
        Some(_) => Ok(()),
    }
}

/// The source is inside, everything else outside.
pub(super) fn start(instance: &Instance) -> Vec<u8> {
    (0..instance.n()).map(|vertex| if vertex == source(instance) { INSIDE } else { OUTSIDE }).collect()
}

/// A directed or undirected G(n, p) with whole weights and a source, each at random.
pub(super) fn random_instance(
    settings: &GraphSettings,
    directed: bool,
    weights: RangeInclusive<i64>,
    rng: &mut Rng,
) -> Instance {
    let n = settings.n;
    let mut edges = vec![];
    for (one, other) in (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other))) {
        let there = rng.chance(settings.p).then(|| random_weight(&weights, rng));
        let back = directed.then(|| rng.chance(settings.p).then(|| random_weight(&weights, rng))).flatten();
        edges.extend(there.map(|weight| (one, other, weight)));
        edges.extend(back.map(|weight| (other, one, weight)));
    }
    let graph = if directed { Graph::weighted(n, edges) } else { Graph::weighted_undirected(n, edges) };
    Instance::with_source(graph.expect("each pair is drawn once"), rng.below(n.max(1)))
}

fn random_weight(weights: &RangeInclusive<i64>, rng: &mut Rng) -> Decimal {
    Decimal::whole(weights.start() + rng.below((weights.end() - weights.start() + 1) as usize) as i64)
}

/// What an offer is worth, the least first, given the number that its sender carries and the weight of the edge.
pub(super) type Worth = fn(Weight, Weight) -> Weight;

/// Records a tree that takes one offer of the graph a step: the least worth, then the smallest priority. With a
/// register, a vertex carries the worth of the offer that it took.
pub(super) fn record_growth(instance: &Instance, priorities: &Priorities, worth: Worth, register: bool) -> Trajectory {
    let mut run = Trajectory::start(start(instance));
    loop {
        let now = run.last();
        let offers = instance.graph.weighted_arcs().zip(&priorities.0);
        let offers = offers.filter(|((tail, head, _), _)| now.states[*tail] == INSIDE && now.states[*head] == OUTSIDE);
        let valued = offers
            .map(|((tail, head, weight), &priority)| (worth(now.registers[tail], weight), priority, (tail, head)));
        let best = valued.min();
        let mut after = now.clone();
        if let Some((value, _, (tail, head))) = best {
            after.states[head] = INSIDE;
            after.pointers[tail * instance.n() + head] = true;
            after.registers[head] = if register { value } else { 0 };
        }
        if !run.push(best.map(|(.., pair)| pair).into_iter().collect(), after) {
            return run;
        }
    }
}

/// The same tree with a queue of offers. O(m log m).
pub(super) fn grow(instance: &Instance, priorities: &Priorities, worth: Worth) -> Candidate {
    let graph = &instance.graph;
    let mut parents = Candidate::all_roots(instance.n());
    let mut inside = vec![false; instance.n()];
    let mut offers = BinaryHeap::new();
    let mut entered = Some((source(instance), 0));
    while let Some((tail, carried)) = entered {
        inside[tail] = true;
        for ((head, weight), arc) in graph.out_edges(tail).zip(graph.first_arc(tail)..) {
            if !inside[head] {
                offers.push(Reverse((worth(carried, weight), priorities.0[arc], tail, head)));
            }
        }
        entered = None;
        while let Some(Reverse((value, _, parent, child))) = offers.pop() {
            if !inside[child] {
                parents.set(child, parent);
                entered = Some((child, value));
                break;
            }
        }
    }
    parents
}

/// True when a pair of this class can occur while a tree grows: pointers follow edges between vertices inside, and no
/// two vertices are each other's parent. In an undirected graph an edge has its reverse.
fn occurs(class: PairClass, undirected: bool) -> bool {
    let PairClass { sender, receiver, relation, pointer, back } = class;
    if relation == Relation::Itself {
        return sender == receiver && !pointer && !back;
    }
    (!undirected || relation == Relation::Both)
        && !(pointer && back)
        && (!(pointer || back) || (sender, receiver) == (INSIDE, INSIDE))
        && (!pointer || relation.is_forward())
        && (!back || relation.reversed().is_forward())
}

fn is_offer(class: PairClass) -> bool {
    (class.sender, class.receiver) == (INSIDE, OUTSIDE) && class.relation.is_forward()
}

/// Which offer wins.
pub(super) struct Rule {
    /// Validity needs the least of this scalar to win; `None` where any offer may.
    pub least: Option<PairScalar>,
    /// Only undirected graphs are asked for.
    pub undirected: bool,
}

/// Checks maps that grow a tree: what each offer and everything else has to do, and which offer wins.
pub(super) fn certify_growth(tables: &Tables, rule: &Rule) -> Certificate {
    let frame: &'static Frame = tables.frame;
    let mut check = Check::new(tables);
    let classes: Vec<PairClass> = (0..frame.pair_classes())
        .map(|index| frame.pair_class(index))
        .filter(|&class| occurs(class, rule.undirected))
        .collect();
    let offers = classes.iter().filter(|&&class| is_offer(class));
    let highest = offers.map(|&class| tables.level_of(class)).max().expect("there are offers");
    for &class in &classes {
        check.next_pointer(class, Status::Unselected, class.pointer);
        if is_offer(class.reversed()) {
            check.next_pointer(class, Status::Reverse, false);
        }
        match is_offer(class) {
            true => {
                check_offer(&mut check, tables, class, rule, highest);
                check.next_pointer(class, Status::Selected, true);
            }
            false => check.never_selected(class),
        }
    }
    check.next_state(OUTSIDE, Part::Receiver(INSIDE), INSIDE);
    check.next_state(OUTSIDE, Part::Nobody, OUTSIDE);
    check.next_state(INSIDE, Part::Nobody, INSIDE);
    if frame.selection == Selection::OnePair {
        check.next_state(INSIDE, Part::Sender(OUTSIDE), INSIDE);
    }
    if frame.register {
        check.register([1, 1, 0]);
    }
    check.finish()
}

fn check_offer(check: &mut Check<'_>, tables: &Tables, class: PairClass, rule: &Rule, highest: i32) {
    let frame = tables.frame;
    let level = tables.level_of(class);
    let smallest = |choice| match tables.meaning(choice) {
        (scalar, false) => Some(scalar),
        (_, true) => None,
    };
    let index = frame.pair_index(class);
    let (first, second) = (smallest(tables.first[index]), smallest(tables.second[index]));
    match rule.least {
        None => {
            check.needs(level >= 1, class, "an offer must be taken");
            let follows = level == highest && first == Some(PairScalar::EdgePriority);
            check.needs_for_exactness(follows, class, "the smallest priority must win");
        }
        Some(scalar) => {
            let least = level >= 1 && level == highest && first == Some(scalar);
            check.needs(least, class, &format!("the least {} must win", scalar.name()));
            let follows = second == Some(PairScalar::EdgePriority);
            check.needs_for_exactness(follows, class, "of equal offers the smallest priority must win");
        }
    }
}
