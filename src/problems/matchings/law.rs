//! The law of free runs: a unit of probability flows through what vertices on the left have had their turn and whom they chose.

use super::matching::completed;
use super::mates::Mates;
use super::sides::Sides;
use crate::answers::{Form, Marginals};
use crate::problems::Intractable;
use std::collections::BTreeMap;

/// States that the law may remember at once, and the most vertices: a state knows the mate of each.
const MAX_STATES: usize = 20_000;
const MAX_VERTICES: usize = 64;

/// Vertices on the left that wait for their turn, and who is matched so far.
type State = (Vec<usize>, Mates);

pub(super) fn of_free_runs(sides: &Sides) -> Result<Marginals, Intractable> {
    let slots = sides.graph.edge_count();
    if sides.n() > MAX_VERTICES {
        return Err(Intractable(format!(
            "the law of free runs goes through matchings edge by edge, which stops at {MAX_VERTICES} vertices (here {})",
            sides.n()
        )));
    }
    let lefts: Vec<usize> = sides.lefts().collect();
    // Ordered maps: sums of floats must not depend on the order of a hash table.
    let mut level: BTreeMap<State, f64> = BTreeMap::from([((lefts.clone(), Mates::none(sides.n())), 1.0)]);
    for _ in &lefts {
        let mut after: BTreeMap<State, f64> = BTreeMap::new();
        for ((waiting, mates), mass) in level {
            let share = mass / waiting.len() as f64;
            for place in 0..waiting.len() {
                let mut rest = waiting.clone();
                let left = rest.remove(place);
                let outcomes = with_a_choice(sides, &mates, left);
                let share = share / outcomes.len() as f64;
                for mates in outcomes {
                    *after.entry((rest.clone(), mates)).or_insert(0.0) += share;
                }
                if after.len() > MAX_STATES {
                    return Err(Intractable(format!(
                        "the law of free runs needs more than {MAX_STATES} states at once"
                    )));
                }
            }
        }
        level = after;
    }
    let mut shares = vec![0.0; slots];
    for ((_, mates), mass) in level {
        let mates = completed(sides, &sides.graph, mates);
        sides.slots(&mates, |_| true).for_each(|slot| shares[slot] += mass);
    }
    let rows = shares.into_iter().flat_map(|chosen| [f64::max(1.0 - chosen, 0.0), chosen]).collect();
    Ok(Marginals::from_weights(Form::Edges, slots, rows).expect("probabilities are not negative"))
}

/// What a vertex on the left may do: take one of its free neighbours, or nothing where there is none.
fn with_a_choice(sides: &Sides, mates: &Mates, left: usize) -> Vec<Mates> {
    let rights = sides.graph.out_neighbours(left).iter().map(|&right| right as usize);
    let joined = |right: usize| {
        let mut joined = mates.clone();
        joined.join(left, right);
        joined
    };
    let outcomes: Vec<Mates> = rights.filter(|&right| mates.is_free(right)).map(joined).collect();
    if outcomes.is_empty() { vec![mates.clone()] } else { outcomes }
}
