//! Takes activities one by one, likely ones first, for as long as no two overlap.

use crate::answers::{Candidate, Form, Marginals};
use crate::instance::{Instance, Weight};
use crate::problems::extract::{Extractor, perturbed_order};
use crate::random::Rng;
use std::collections::BTreeMap;

/// Activities by perturbed log-odds, for as long as no two overlap. That none overlap and no activity could be added is built in; that there
/// are as many as possible is not.
#[derive(Clone, Copy, Debug)]
pub struct Apart;

impl Extractor for Apart {
    fn name(&self) -> &'static str {
        "apart"
    }

    fn extract(&self, instance: &Instance, marginals: &Marginals, rng: &mut Rng) -> Candidate {
        let n = instance.n();
        let Some(items) = &instance.items else { return Candidate::from_choices(Form::Items, n, |_| 0) };
        let (starts, finishes) = (items.column(0), items.column(1));
        // The finish of each chosen activity, by its start.
        let mut chosen: BTreeMap<Weight, Weight> = BTreeMap::new();
        let mut fits = |&activity: &usize| {
            let (start, finish) = (starts[activity], finishes[activity]);
            let overlaps = chosen.range(..finish).next_back().is_some_and(|(_, &before)| before > start);
            if !overlaps {
                chosen.insert(start, finish);
            }
            !overlaps
        };
        let set: Vec<usize> = perturbed_order(marginals, rng).into_iter().filter(|activity| fits(activity)).collect();
        Candidate::from_set(Form::Items, n, set).expect("activities are numbered")
    }
}
