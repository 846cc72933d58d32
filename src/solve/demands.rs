//! Edges that solutions must or must not have, and the proof where no solution can.

use crate::problems::demands::{Allowed, Possible};

/// A demand on one edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The parent.
    pub tail: usize,
    /// The child.
    pub head: usize,
    /// True in an undirected graph, where either end may be the parent.
    pub either_way: bool,
}

impl Demand {
    /// The choices that it speaks of, as (slot, option): the parent of one end is the other.
    fn choices(self) -> impl Iterator<Item = (usize, usize)> {
        let backwards = self.either_way.then_some((self.tail, self.head));
        std::iter::once((self.head, self.tail)).chain(backwards)
    }
}

/// What solutions must look like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// Edges that no solution may have.
    pub avoid: Vec<Demand>,
    /// Edges that every solution must have.
    pub require: Vec<Demand>,
}

/// Why no solution meets the demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// A required edge is in no solution.
    NoSolutionHas(Demand),
    /// An edge to be avoided is in every solution.
    EverySolutionHas(Demand),
    /// Each demand can be met, all of them together cannot.
    Together,
    /// More combinations of directions than are gone through.
    TooMany,
}

/// The most combinations of directions of required undirected edges.
const MAX_ALTERNATIVES: usize = 4_096;

impl Demands {
    /// True when anything goes.
    pub fn is_empty(&self) -> bool {
        self.avoid.is_empty() && self.require.is_empty()
    }

    /// The demands as rules about choices. A solution that meets the demands is allowed by exactly one of the alternatives,
    /// because a tree has an edge in one direction only. What is refuted by possible choices alone is left out.
    pub fn alternatives(&self, possible: &Possible, counts_either: bool) -> Result<Vec<Allowed>, Impossible> {
        let can_be = |&(slot, option): &(usize, usize)| possible.of(slot).contains(&option);
        let must_be = |(slot, option): (usize, usize)| possible.of(slot) == [option];
        if let Some(&none) = self.require.iter().find(|demand| !demand.choices().any(|choice| can_be(&choice))) {
            return Err(Impossible::NoSolutionHas(none));
        }
        if let Some(&every) = self.avoid.iter().find(|demand| demand.choices().any(must_be)) {
            return Err(Impossible::EverySolutionHas(every));
        }
        let mut base = Allowed::default();
        self.avoid.iter().flat_map(|demand| demand.choices()).for_each(|(slot, option)| base.forbid(slot, option));
        let mut alternatives = vec![base];
        for demand in &self.require {
            let directions: Vec<(usize, usize)> = demand.choices().filter(can_be).collect();
            if counts_either && demand.either_way {
                let choices = [(demand.head, demand.tail), (demand.tail, demand.head)];
                alternatives.iter_mut().for_each(|allowed| allowed.require_either(choices));
                continue;
            }
            alternatives = alternatives.iter().flat_map(|allowed| extended(allowed, &directions)).collect();
            if alternatives.len() > MAX_ALTERNATIVES {
                return Err(Impossible::TooMany);
            }
        }
        alternatives.retain(|allowed| has_an_option_each(allowed, possible));
        if alternatives.is_empty() { Err(Impossible::Together) } else { Ok(alternatives) }
    }
}

fn extended(allowed: &Allowed, directions: &[(usize, usize)]) -> Vec<Allowed> {
    let with = |&(slot, option): &(usize, usize)| {
        let mut extended = allowed.clone();
        (extended.require(slot, option) && extended.permits(slot, option)).then_some(extended)
    };
    directions.iter().filter_map(with).collect()
}

fn has_an_option_each(allowed: &Allowed, possible: &Possible) -> bool {
    let can_have = |slot: &usize| possible.of(*slot).iter().any(|&option| allowed.permits(*slot, option));
    allowed.slots().iter().all(can_have)
}
