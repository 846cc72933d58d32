//! Which options slots may have (a person's demands), and which they can have at all.
//!
//! For parents, "the edge u -> v must be in the tree" leaves the slot v one option, u; "it must not" takes one away. For sets,
//! the slot is the edge or item, and its options are out and in.

use crate::answers::Candidate;
use crate::grouped::Grouped;
use std::collections::{BTreeMap, BTreeSet};

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
    }

    /// The slots whose choices are not free.
    pub fn slots(&self) -> BTreeSet<usize> {
        self.only.keys().copied().chain(self.never.iter().map(|&(slot, _)| slot)).collect()
    }

    /// True when nothing is required or forbidden.
    pub fn is_everything(&self) -> bool {
        self.only.is_empty() && self.never.is_empty() && self.either.is_empty()
    }
}

/// For each slot the options that it has in some solution.
pub struct Possible(Grouped<usize>);

impl Possible {
    /// From pairs (slot, option).
    pub fn new(slots: usize, pairs: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        Possible(Grouped::new(slots, pairs))
    }

    /// The possible options of a slot; empty where demands leave it none.
    pub fn of(&self, slot: usize) -> &[usize] {
        self.0.of(slot)
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.0.groups()
    }
}

impl std::fmt::Debug for Possible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Possible")
    }
}
