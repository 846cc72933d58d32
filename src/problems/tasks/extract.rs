//! Takes tasks one by one, likely ones first, for as long as all of them can be done in time.

use super::slots::Slots;
use crate::answers::{Candidate, Form, Marginals};
use crate::instance::Instance;
use crate::problems::extract::{Extractor, perturbed_order};
use crate::random::Rng;

/// Tasks by perturbed log-odds, for as long as all can be done in time. That the set is early and no task could be added is built in;
/// that it is heaviest is not: weights are not looked at.
#[derive(Clone, Copy, Debug)]
pub struct InTime;

impl Extractor for InTime {
    fn name(&self) -> &'static str {
        "in-time"
    }

    fn extract(&self, instance: &Instance, marginals: &Marginals, rng: &mut Rng) -> Candidate {
        let n = instance.n();
        let Some(items) = &instance.items else { return Candidate::from_choices(Form::Items, n, |_| 0) };
        let unit = 10i128.pow(items.decimals());
        let deadline = |task: usize| (items.column(0)[task] / unit).clamp(0, n as i128) as usize;
        let mut slots = Slots::new(n);
        let order = perturbed_order(marginals, rng);
        let set: Vec<usize> = order.into_iter().filter(|&task| slots.take_latest(deadline(task))).collect();
        Candidate::from_set(Form::Items, n, set).expect("tasks are numbered")
    }
}
