//! Candidates in, distinct verified solutions out, with a tally of what was refused and why.

use super::Solution;
use crate::answers::Candidate;
use crate::pipeline::draw::Origin;
use crate::problems::verify::Rule;
use crate::problems::{Allowed, Space};
use std::collections::HashSet;

/// What became of the draws of one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Where they came from.
    pub origin: Origin,
    /// How many candidates were drawn.
    pub draws: usize,
    /// How many of them were new solutions.
    pub kept: usize,
    /// How many were solutions that had been found already.
    pub repeated: usize,
    /// How many were refused, by reason, in the order in which the reasons came up.
    pub rejected: Vec<(Rejection, usize)>,
}

/// Why a candidate was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The exact verifier says that it breaks this rule.
    Rule(Rule),
    /// It is a solution, but does not meet the demands.
    Demand,
}

impl Rejection {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Rejection::Rule(rule) => rule.words(),
            Rejection::Demand => "what is required is there, and nothing that is to be avoided",
        }
    }
}

/// The solutions found so far.
pub(super) struct Collector<'a> {
    space: &'a dyn Space,
    alternatives: &'a [Allowed],
    wanted: usize,
    seen: HashSet<Candidate>,
    solutions: Vec<Solution>,
    tallies: Vec<Tally>,
}

impl<'a> Collector<'a> {
    pub fn new(space: &'a dyn Space, alternatives: &'a [Allowed], wanted: usize) -> Self {
        let (seen, solutions, tallies) = (HashSet::new(), vec![], vec![]);
        Collector { space, alternatives, wanted, seen, solutions, tallies }
    }

    /// How many solutions are wanted.
    pub fn wanted(&self) -> usize {
        self.wanted
    }

    /// True when no more solutions are wanted.
    pub fn is_full(&self) -> bool {
        self.solutions.len() >= self.wanted
    }

    /// Verifies a candidate and keeps it if it is a new solution; true then.
    pub fn offer(&mut self, origin: Origin, candidate: Candidate) -> bool {
        let verdict = match self.space.verify(&candidate) {
            Err(violation) => Err(Rejection::Rule(violation.rule)),
            Ok(()) if !self.alternatives.iter().any(|allowed| allowed.permits_all(&candidate)) => {
                Err(Rejection::Demand)
            }
            Ok(()) => Ok(self.seen.insert(candidate.clone())),
        };
        let tally = tally_of(&mut self.tallies, origin);
        tally.draws += 1;
        match verdict {
            Ok(true) => {
                tally.kept += 1;
                self.solutions.push(Solution { candidate, origin, gap: None });
            }
            Ok(false) => tally.repeated += 1,
            Err(reason) => tally.reject(reason),
        }
        verdict == Ok(true)
    }

    /// The solutions, and what became of the draws of each origin.
    pub fn finish(self) -> (Vec<Solution>, Vec<Tally>) {
        (self.solutions, self.tallies)
    }
}

impl Tally {
    /// Counts a refusal.
    pub(super) fn reject(&mut self, reason: Rejection) {
        match self.rejected.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, times)) => *times += 1,
            None => self.rejected.push((reason, 1)),
        }
    }
}

pub(super) fn tally_of(tallies: &mut Vec<Tally>, origin: Origin) -> &mut Tally {
    let place = tallies.iter().position(|tally| tally.origin == origin).unwrap_or_else(|| {
        tallies.push(Tally { origin, draws: 0, kept: 0, repeated: 0, rejected: vec![] });
        tallies.len() - 1
    });
    &mut tallies[place]
}
