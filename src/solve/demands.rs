//! Edges that solutions must or must not have, and the proof where no solution can.

use crate::allowed::{Allowed, PossibleParents};

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
    /// The tree edges that it speaks of, as (parent, child).
    fn edges(self) -> impl Iterator<Item = (usize, usize)> {
        let backwards = self.either_way.then_some((self.head, self.tail));
        std::iter::once((self.tail, self.head)).chain(backwards)
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

    /// The demands as rules about parents. A solution that meets the demands is allowed by exactly one of the alternatives,
    /// because a tree has an edge in one direction only. What is refuted by possible parents alone is left out.
    pub fn alternatives(&self, possible: &PossibleParents) -> Result<Vec<Allowed>, Impossible> {
        let can_be = |&(parent, child): &(usize, usize)| possible.of(child).contains(&parent);
        let must_be = |(parent, child): (usize, usize)| possible.of(child) == [parent];
        if let Some(&none) = self.require.iter().find(|demand| !demand.edges().any(|edge| can_be(&edge))) {
            return Err(Impossible::NoSolutionHas(none));
        }
        if let Some(&every) = self.avoid.iter().find(|demand| demand.edges().any(must_be)) {
            return Err(Impossible::EverySolutionHas(every));
        }
        let mut base = Allowed::default();
        self.avoid.iter().flat_map(|demand| demand.edges()).for_each(|(parent, child)| base.forbid(parent, child));
        let mut alternatives = vec![base];
        for demand in &self.require {
            let directions: Vec<(usize, usize)> = demand.edges().filter(can_be).collect();
            alternatives = alternatives.iter().flat_map(|allowed| extended(allowed, &directions)).collect();
            if alternatives.len() > MAX_ALTERNATIVES {
                return Err(Impossible::TooMany);
            }
        }
        alternatives.retain(|allowed| has_a_parent_each(allowed, possible));
        if alternatives.is_empty() { Err(Impossible::Together) } else { Ok(alternatives) }
    }
}

fn extended(allowed: &Allowed, directions: &[(usize, usize)]) -> Vec<Allowed> {
    let with = |&(parent, child): &(usize, usize)| {
        let mut extended = allowed.clone();
        (extended.require(parent, child) && extended.permits(parent, child)).then_some(extended)
    };
    directions.iter().filter_map(with).collect()
}

fn has_a_parent_each(allowed: &Allowed, possible: &PossibleParents) -> bool {
    let can_have = |child: &usize| possible.of(*child).iter().any(|&parent| allowed.permits(parent, *child));
    allowed.children().iter().all(can_have)
}
