//! Solutions that are nearly as good as the best: drawn as the best for weights raised at random, verified exactly.

use super::{Answer, Count, Request, Solution, Solved, Tally, collect, diverse, parts};
use crate::pipeline::draw::Origin;
use crate::problems::ties::{TiePolicy, with_random_ties};
use crate::problems::tolerance::Tolerance;
use crate::problems::{Algorithm, Intractable, Prepared};
use crate::random::Rng;
use std::collections::HashSet;

/// Draws in a row without anything new, after which no more are made.
fn patience(prepared: &dyn Prepared) -> usize {
    let instance = prepared.instance();
    (20_000_000 / (instance.n() + instance.graph.arc_count()).max(1)).clamp(15, 300)
}

/// Distinct solutions within the tolerance, the best first, each with its gap. Demands are not looked at.
pub(super) fn solve_within(
    algorithm: &dyn Algorithm,
    prepared: &dyn Prepared,
    request: &Request,
    tolerance: Tolerance,
) -> Result<Solved, Intractable> {
    let (space, n) = (prepared.space(), prepared.instance().n());
    let wanted = if request.diverse { diverse::pool_size(request.k, n) } else { request.k };
    let (mut solutions, mut tallies, mut seen) = (vec![], vec![], HashSet::new());
    let mut misses = 0;
    for index in 0.. {
        if solutions.len() >= wanted || misses >= patience(prepared) {
            break;
        }
        let mut rng = Rng::stream(request.seed, "solve within", index);
        // A best one is always among them.
        let (origin, candidate) = match index {
            0 => (Origin::Run, with_random_ties(TiePolicy::Free, n, None, &mut rng, |ties| prepared.run(ties))),
            _ => (Origin::RaisedWeights, space.draw_within(tolerance, &mut rng)?),
        };
        let verdict = space.verify_within(&candidate, tolerance)?;
        let tally: &mut Tally = collect::tally_of(&mut tallies, origin);
        tally.draws += 1;
        misses += 1;
        match verdict {
            Err(violation) => tally.reject(collect::Rejection::Rule(violation.rule)),
            Ok(_) if !seen.insert(candidate.clone()) => tally.repeated += 1,
            Ok(gap) => {
                tally.kept += 1;
                misses = 0;
                solutions.push(Solution { candidate, origin, gap: Some(gap) });
            }
        }
    }
    let mut notes = vec![];
    if solutions.len() < wanted && misses > 0 {
        notes.push(format!("nothing new in {misses} draws within {tolerance}"));
    }
    let diversity = request.diverse.then(|| diverse::choose(&mut solutions, request.k)).flatten();
    solutions.sort_by(|one, other| match (&one.gap, &other.gap) {
        (Some(one), Some(other)) if one.best >= 0 && other.best >= 0 => one.compare(other),
        (Some(one), Some(other)) => one.measure.cmp(&other.measure),
        _ => std::cmp::Ordering::Equal,
    });
    let (instance, form) = (prepared.instance(), algorithm.problem().form);
    let parts = parts::part_use(instance, form, space, &[], &solutions, &Count::Unknown);
    let (answer, count) = (Answer::Found, Count::Unknown);
    Ok(Solved { solutions, answer, tallies, count, optimality: None, parts, diversity, notes })
}
