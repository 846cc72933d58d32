//! Candidates in, distinct verified solutions out, with a tally of what was refused and why.

use super::Solution;
use crate::answers::Candidate;
use crate::pipeline::draw::Origin;
use crate::problems::verify::Rule;
use crate::problems::{Allowed, Space};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::hash::BuildHasher;

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
    /// The solutions by their hash: a candidate of a million slots is kept once.
    seen: HashMap<u64, Vec<usize>>,
    hasher: RandomState,
    solutions: Vec<Solution>,
    tallies: Vec<Tally>,
}

/// A candidate with what the verifier and the demands say of it.
pub(super) struct Judged {
    candidate: Candidate,
    verdict: Result<(), Rejection>,
    hash: u64,
}

impl<'a> Collector<'a> {
    pub fn new(space: &'a dyn Space, alternatives: &'a [Allowed], wanted: usize) -> Self {
        let (seen, hasher) = (HashMap::new(), RandomState::default());
        Collector { space, alternatives, wanted, seen, hasher, solutions: vec![], tallies: vec![] }
    }

    /// How many solutions are wanted.
    pub fn wanted(&self) -> usize {
        self.wanted
    }

    /// How many solutions are missing.
    pub fn missing(&self) -> usize {
        self.wanted.saturating_sub(self.solutions.len())
    }

    /// True when no more solutions are wanted.
    pub fn is_full(&self) -> bool {
        self.solutions.len() >= self.wanted
    }

    /// Verifies a candidate and keeps it if it is a new solution; true then.
    pub fn offer(&mut self, origin: Origin, candidate: Candidate) -> bool {
        let judged = self.judge(candidate);
        self.keep(origin, judged)
    }

    /// Verifies a candidate.
    pub fn judge(&self, candidate: Candidate) -> Judged {
        let verdict = match self.space.verify(&candidate) {
            Err(violation) => Err(Rejection::Rule(violation.rule)),
            Ok(()) if !self.alternatives.iter().any(|allowed| allowed.permits_all(&candidate)) => {
                Err(Rejection::Demand)
            }
            Ok(()) => Ok(()),
        };
        let hash = if verdict.is_ok() { self.hasher.hash_one(&candidate) } else { 0 };
        Judged { candidate, verdict, hash }
    }

    /// Keeps a candidate if it is a new solution; true then.
    pub fn keep(&mut self, origin: Origin, Judged { candidate, verdict, hash }: Judged) -> bool {
        let tally = tally_of(&mut self.tallies, origin);
        tally.draws += 1;
        if let Err(reason) = verdict {
            tally.reject(reason);
            return false;
        }
        let same = self.seen.entry(hash).or_default();
        if same.iter().any(|&place| self.solutions[place].candidate == candidate) {
            tally.repeated += 1;
            return false;
        }
        tally.kept += 1;
        same.push(self.solutions.len());
        self.solutions.push(Solution { candidate, origin, gap: None });
        true
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
