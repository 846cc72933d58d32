//! Edges or items that solutions must or must not have, precedences that orders must keep, and the proof where no solution can.

use crate::answers::{Form, IN};
use crate::instance::Instance;
use crate::problems::Space;
use crate::problems::demands::{Allowed, Possible};

/// A demand on one edge or one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// An edge.
    Edge {
        /// The parent, or one end.
        tail: usize,
        /// The child, or the other end.
        head: usize,
        /// True in an undirected graph, where either end may be the parent.
        either_way: bool,
    },
    /// An item.
    Item(usize),
}

impl Demand {
    /// The choices that it speaks of, as (slot, option): the parent of one end is the other; the edge or the item is chosen. Of an
    /// edge that is none there is no such choice in a set of edges.
    fn choices(self, instance: &Instance, form: Form) -> Vec<(usize, usize)> {
        match self {
            Demand::Item(item) => vec![(item, IN)],
            Demand::Edge { tail, head, .. } if form == Form::Edges => {
                let joins = |edge: (usize, usize)| edge == (tail, head) || edge == (head, tail);
                instance.graph.edges().position(joins).map(|slot| (slot, IN)).into_iter().collect()
            }
            Demand::Edge { tail, head, either_way: true } => vec![(head, tail), (tail, head)],
            Demand::Edge { tail, head, either_way: false } => vec![(head, tail)],
        }
    }
}

/// What solutions must look like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// What no solution may have.
    pub avoid: Vec<Demand>,
    /// What every solution must have.
    pub require: Vec<Demand>,
    /// Pairs (earlier, later) of vertices of which the first has to come somewhere before the second in an order.
    pub before: Vec<(usize, usize)>,
}

/// Why no solution meets the demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// What is required is in no solution.
    NoSolutionHas(Demand),
    /// What is to be avoided is in every solution.
    EverySolutionHas(Demand),
    /// In no solution does the first vertex come before the second.
    NeverBefore(usize, usize),
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
        self.avoid.is_empty() && self.require.is_empty() && self.before.is_empty()
    }

    /// The demands as rules about choices. A solution that meets the demands is allowed by exactly one of the alternatives,
    /// because a tree has an edge in one direction only. What is refuted without counting is left out; `possible` are the
    /// possible choices without demands, where they are known.
    pub fn alternatives(
        &self,
        instance: &Instance,
        form: Form,
        space: &dyn Space,
        possible: Option<&Possible>,
    ) -> Result<Vec<Allowed>, Impossible> {
        // Where nothing is known, nothing is refuted.
        let can_be = |&(slot, option): &(usize, usize)| possible.is_none_or(|known| known.of(slot).contains(&option));
        let must_be = |(slot, option): (usize, usize)| possible.is_some_and(|known| known.of(slot) == [option]);
        let choices = |demand: &Demand| demand.choices(instance, form);
        if let Some(&none) = self.require.iter().find(|demand| !choices(demand).iter().any(can_be)) {
            return Err(Impossible::NoSolutionHas(none));
        }
        if let Some(&every) = self.avoid.iter().find(|demand| choices(demand).into_iter().any(must_be)) {
            return Err(Impossible::EverySolutionHas(every));
        }
        let mut base = Allowed::default();
        self.avoid.iter().flat_map(choices).for_each(|(slot, option)| base.forbid(slot, option));
        self.add_precedences(space, &mut base)?;
        let mut alternatives = vec![base];
        for demand in &self.require {
            match &choices(demand)[..] {
                &[one, other] if space.counts_either() => {
                    alternatives.iter_mut().for_each(|allowed| allowed.require_either([one, other]));
                }
                directions => {
                    let directions: Vec<(usize, usize)> = directions.iter().copied().filter(can_be).collect();
                    alternatives = alternatives.iter().flat_map(|allowed| extended(allowed, &directions)).collect();
                }
            }
            if alternatives.len() > MAX_ALTERNATIVES {
                return Err(Impossible::TooMany);
            }
        }
        let is_open = |allowed: &Allowed| possible.is_none_or(|possible| has_an_option_each(allowed, possible));
        alternatives.retain(|allowed| is_open(allowed) && !space.refutes(allowed));
        if alternatives.is_empty() { Err(Impossible::Together) } else { Ok(alternatives) }
    }

    /// Each precedence on its own first, so that the one that cannot be met is named.
    fn add_precedences(&self, space: &dyn Space, base: &mut Allowed) -> Result<(), Impossible> {
        for &(earlier, later) in &self.before {
            let mut alone = Allowed::default();
            alone.put_before(earlier, later);
            if earlier == later || space.refutes(&alone) {
                return Err(Impossible::NeverBefore(earlier, later));
            }
            base.put_before(earlier, later);
        }
        Ok(())
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
