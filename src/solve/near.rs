//! Solutions that are nearly as good as the best, each verified exactly: all of them where they are few, otherwise the best for weights raised at
//! random.

use super::{Answer, Count, Request, Solution, Solved, Tally, collect, diverse, memory, parts};
use crate::answers::Candidate;
use crate::cancel;
use crate::pipeline::draw::Origin;
use crate::problems::ties::{TiePolicy, with_random_ties};
use crate::problems::tolerance::Tolerance;
use crate::problems::{Algorithm, Intractable, Prepared, Space};
use crate::random::Rng;
use std::cmp::Ordering;
use std::collections::HashSet;

/// Solutions up to which all of them are looked for.
const FEW: usize = 1_000;

/// Candidates that can be verified in about a second.
fn affordable(prepared: &dyn Prepared) -> usize {
    let instance = prepared.instance();
    20_000_000 / (instance.n() + instance.graph.arc_count()).max(1)
}

/// Distinct solutions within the tolerance, the best first, each with its gap. Demands are not looked at.
pub(super) fn solve_within(
    algorithm: &dyn Algorithm,
    prepared: &dyn Prepared,
    request: &Request,
    tolerance: Tolerance,
) -> Result<Solved, Intractable> {
    let (instance, form, space) = (prepared.instance(), algorithm.problem().form, prepared.space());
    let mut found = Found { space, tolerance, solutions: vec![], tallies: vec![], seen: HashSet::new() };
    // A best one is always among them.
    let mut rng = Rng::stream(request.seed, "solve within", 0);
    let best = with_random_ties(TiePolicy::Free, instance.n(), None, &mut rng, |ties| prepared.run(ties));
    found.take(Origin::Run, best)?;
    let afford = affordable(prepared);
    let is_all = afford >= FEW && found.follow_exchanges(FEW + 1, 10 * afford)?;
    let count = match (is_all, found.solutions.len()) {
        (true, all) => Count::Exactly(all.into()),
        (false, 1) => Count::Unknown,
        (false, some) => Count::AtLeast(some.into()),
    };
    let mut notes = vec![];
    if !is_all {
        let wanted = if request.diverse { diverse::pool_size(request.k, instance.n()) } else { request.k };
        // Each is held twice: as a solution, and to know it again.
        let room = memory::room(request, 2 * instance.slots(form));
        notes.extend(found.draw(wanted.min(room), afford.clamp(15, 300), request.seed)?);
        if found.solutions.len() == room && room < wanted {
            notes.push(memory::no_more_room(room, request.memory));
        }
    }
    found.solutions.sort_by(by_gap);
    let Found { mut solutions, tallies, .. } = found;
    let parts = parts::part_use(instance, form, None, &solutions, &count);
    let diversity =
        request.diverse.then(|| diverse::chosen(&mut solutions, request.k, instance.slots(form), &mut notes)).flatten();
    solutions.truncate(request.k);
    solutions.sort_by(by_gap);
    Ok(Solved { solutions, answer: Answer::Found, tallies, count, optimality: None, parts, diversity, notes })
}

fn by_gap(one: &Solution, other: &Solution) -> Ordering {
    match (&one.gap, &other.gap) {
        (Some(one), Some(other)) if one.best >= 0 && other.best >= 0 => one.compare(other),
        (Some(one), Some(other)) => one.measure.cmp(&other.measure),
        _ => Ordering::Equal,
    }
}

/// What was found so far.
struct Found<'a> {
    space: &'a dyn Space,
    tolerance: Tolerance,
    solutions: Vec<Solution>,
    tallies: Vec<Tally>,
    seen: HashSet<Candidate>,
}

impl Found<'_> {
    /// Verifies a candidate; true when it is a new solution.
    fn take(&mut self, origin: Origin, candidate: Candidate) -> Result<bool, Intractable> {
        cancel::point();
        let tally = collect::tally_of(&mut self.tallies, origin);
        tally.draws += 1;
        if self.seen.contains(&candidate) {
            tally.repeated += 1;
            return Ok(false);
        }
        match self.space.verify_within(&candidate, self.tolerance)? {
            Err(violation) => tally.reject(collect::Rejection::Rule(violation.rule)),
            Ok(gap) => {
                tally.kept += 1;
                self.seen.insert(candidate.clone());
                self.solutions.push(Solution { candidate, origin, gap: Some(gap) });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes from each solution to those that are one exchange away, up to so many solutions and so many candidates; true when that were all.
    fn follow_exchanges(&mut self, most: usize, candidates: usize) -> Result<bool, Intractable> {
        let (space, tolerance) = (self.space, self.tolerance);
        let (mut tried, mut place) = (0, 0);
        while let Some(solution) = self.solutions.get(place) {
            let from = solution.candidate.clone();
            for candidate in space.exchanges(&from, tolerance) {
                self.take(Origin::Exchange, candidate)?;
                tried += 1;
                if self.solutions.len() >= most || tried >= candidates {
                    return Ok(false);
                }
            }
            place += 1;
        }
        Ok(true)
    }

    /// Draws until there are `wanted` solutions, beside those that exchanges gave and that fill up what is missing; a note where so many draws in a row gave
    /// nothing new.
    fn draw(&mut self, wanted: usize, patience: usize, seed: u64) -> Result<Option<String>, Intractable> {
        // The first of a long list differ in one place or two; draws differ everywhere.
        let from_exchanges = self.solutions.split_off(1);
        self.seen.retain(|candidate| *candidate == self.solutions[0].candidate);
        let (mut misses, mut index) = (0, 1);
        while self.solutions.len() < wanted && misses < patience {
            let mut rng = Rng::stream(seed, "solve within", index);
            let drawn = self.space.draw_within(self.tolerance, &mut rng)?;
            let is_new = self.take(Origin::RaisedWeights, drawn)?;
            misses = if is_new { 0 } else { misses + 1 };
            index += 1;
        }
        let seen = &self.seen;
        let others = from_exchanges.into_iter().filter(|solution| !seen.contains(&solution.candidate));
        let missing = wanted.saturating_sub(self.solutions.len());
        self.solutions.extend(others.take(missing));
        let is_short = self.solutions.len() < wanted;
        Ok(is_short.then(|| format!("nothing new in {misses} draws within {}", self.tolerance)))
    }
}
