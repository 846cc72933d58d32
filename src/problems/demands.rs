//! Which options slots may have (a person's demands), and which they can have at all.
//!
//! For parents, "the edge u -> v must be in the tree" leaves the slot v one option, u; "it must not" takes one away. For sets,
//! the slot is the edge or item, and its options are out and in. In an order, one vertex may have to come before another.

use crate::answers::{Candidate, IN, OUT};
use crate::problems::grouped::Grouped;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Which options slots may have: any, except where something was required or forbidden.
///
/// ```
/// use tiebreak::problems::demands::Allowed;
/// let mut allowed = Allowed::default();
/// allowed.forbid(2, 0);
/// assert!(allowed.require(3, 1) && !allowed.require(3, 0), "slot 3 has one choice");
/// assert!(!allowed.permits(2, 0) && allowed.permits(2, 1) && !allowed.permits(3, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// The one option of a slot.
    only: BTreeMap<usize, usize>,
    /// Pairs (slot, option).
    never: BTreeSet<(usize, usize)>,
    /// Two choices of which one has to be made: an undirected edge, whichever end is the parent.
    either: Vec<[(usize, usize); 2]>,
    /// Pairs (earlier, later) of vertices of an order.
    before: BTreeSet<(usize, usize)>,
}

impl Allowed {
    /// Forbids an option of a slot.
    pub fn forbid(&mut self, slot: usize, option: usize) {
        self.never.insert((slot, option));
    }

    /// Requires an option of a slot; false when the slot has to have another one already.
    pub fn require(&mut self, slot: usize, option: usize) -> bool {
        *self.only.entry(slot).or_insert(option) == option
    }

    /// Requires one of two choices.
    pub fn require_either(&mut self, choices: [(usize, usize); 2]) {
        self.either.push(choices);
    }

    /// The choices of which one each has to be made.
    pub fn either(&self) -> &[[(usize, usize); 2]] {
        &self.either
    }

    /// Requires that one vertex comes somewhere before another in an order.
    pub fn put_before(&mut self, earlier: usize, later: usize) {
        self.before.insert((earlier, later));
    }

    /// The pairs (earlier, later) of vertices that have to come in this order.
    pub fn precedences(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.before.iter().copied()
    }

    /// The required choices.
    pub fn required(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.only.iter().map(|(&slot, &option)| (slot, option))
    }

    /// The forbidden choices.
    pub fn forbidden(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.never.iter().copied()
    }

    /// True when the slot may have the option.
    pub fn permits(&self, slot: usize, option: usize) -> bool {
        self.only.get(&slot).is_none_or(|&only| only == option) && !self.never.contains(&(slot, option))
    }

    /// True when every choice of a candidate is permitted.
    pub fn permits_all(&self, candidate: &Candidate) -> bool {
        let is_made = |&(slot, option): &(usize, usize)| candidate.choice(slot) == option;
        self.slots().iter().all(|&slot| self.permits(slot, candidate.choice(slot)))
            && self.either.iter().all(|choices| choices.iter().any(is_made))
            && (self.before.is_empty() || self.permits_order(&candidate.order()))
    }

    fn permits_order(&self, order: &[usize]) -> bool {
        let place: HashMap<usize, usize> = order.iter().enumerate().map(|(place, &vertex)| (vertex, place)).collect();
        let in_order = |(earlier, later)| place.get(earlier).zip(place.get(later)).is_some_and(|(one, two)| one < two);
        self.before.iter().all(|(earlier, later)| in_order((earlier, later)))
    }

    /// The slots whose choices are not free.
    pub fn slots(&self) -> BTreeSet<usize> {
        self.only.keys().copied().chain(self.never.iter().map(|&(slot, _)| slot)).collect()
    }

    /// The slots of a set that have to be in, or out: required so, or the other option forbidden.
    pub fn fixed(&self, option: usize) -> impl Iterator<Item = usize> + '_ {
        let other = if option == IN { OUT } else { IN };
        self.slots().into_iter().filter(move |&slot| !self.permits(slot, other))
    }

    /// True when nothing is required or forbidden.
    pub fn is_everything(&self) -> bool {
        self.only.is_empty() && self.never.is_empty() && self.either.is_empty() && self.before.is_empty()
    }
}

/// For each slot the options that it has in some solution.
pub struct Possible(Options);

enum Options {
    Lists(Grouped<usize>),
    /// Of slots that are in a set or not: a list for each would take sixteen times as much memory.
    Set(Vec<u8>),
}

/// The lists of options of a slot of a set, by whether it can be out (1) and in (2).
const OF_SET: [&[usize]; 4] = [&[], &[OUT], &[IN], &[OUT, IN]];

impl Possible {
    /// From pairs (slot, option).
    pub fn new(slots: usize, pairs: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        Possible(Options::Lists(Grouped::new(slots, pairs)))
    }

    /// For each slot its options.
    pub fn of_options(options: &[&[usize]]) -> Self {
        Possible(Options::Lists(Grouped::of_each(options.iter().copied())))
    }

    /// For each edge or item whether it can be out, and whether it can be in.
    pub fn of_set(can_be: impl Iterator<Item = (bool, bool)>) -> Self {
        Possible(Options::Set(can_be.map(|(out, chosen)| u8::from(out) | u8::from(chosen) << 1).collect()))
    }

    /// No option for any slot.
    pub fn nothing(slots: usize) -> Self {
        Possible::new(slots, std::iter::empty())
    }

    /// The possible options of a slot; empty where demands leave it none.
    pub fn of(&self, slot: usize) -> &[usize] {
        match &self.0 {
            Options::Lists(lists) => lists.of(slot),
            Options::Set(can_be) => OF_SET[usize::from(can_be[slot] & 3)],
        }
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        match &self.0 {
            Options::Lists(lists) => lists.groups(),
            Options::Set(can_be) => can_be.len(),
        }
    }
}

impl std::fmt::Debug for Possible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Possible")
    }
}
