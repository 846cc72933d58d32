//! The law of free runs: a unit of probability flows through ideals and their last vertices; what happens next depends on nothing else.

use super::ideals::{Relation, Set, empty, with};
use crate::answers::{Form, Marginals};
use crate::instance::Graph;
use crate::problems::{Intractable, check_marginals_size};
use std::collections::BTreeMap;

/// States that the law may remember at once.
const MAX_STATES: usize = 200_000;

pub(super) fn of_free_runs(graph: &Graph) -> Result<Marginals, Intractable> {
    let (n, slots) = (graph.n(), graph.slots(Form::Order));
    check_marginals_size(Form::Order, slots)?;
    let arcs: Vec<(usize, usize)> = graph.arcs().collect();
    let relation = Relation::new(n, &arcs);
    let mut shares = vec![0.0; slots * n];
    // The head's slot is the last one, so it stands for the vertex before the first. Ordered maps: sums of floats must not depend on
    // the order of a hash table.
    let mut level: BTreeMap<(Set, usize), f64> = BTreeMap::from([((empty(n), n), 1.0)]);
    for _ in 0..n {
        let mut larger: BTreeMap<(Set, usize), f64> = BTreeMap::new();
        for ((ideal, last), mass) in level {
            let ready: Vec<usize> = relation.next(&ideal).collect();
            let share = mass / ready.len() as f64;
            for vertex in ready {
                shares[last * n + vertex] += share;
                *larger.entry((with(&ideal, vertex), vertex)).or_insert(0.0) += share;
                if larger.len() * (1 + n / 256) > MAX_STATES {
                    return Err(Intractable(format!(
                        "the law of free runs needs more than {MAX_STATES} states at once"
                    )));
                }
            }
        }
        level = larger;
    }
    level.into_iter().filter(|_| n > 0).for_each(|((_, last), mass)| shares[last * n + last] += mass);
    Ok(Marginals::from_weights(Form::Order, slots, shares).expect("probabilities are not negative"))
}
