//! Sets of tasks that are nearly as heavy as the heaviest.

use super::Tasks;
use super::slots::Slots;
use crate::answers::{Candidate, Form, IN, OUT};
use crate::problems::Intractable;
use crate::problems::tolerance::{Raising, Tolerance, too_large};
use crate::random::Rng;
use std::cmp::Reverse;

/// The heaviest set when weights are raised at random by up to the tolerance, ties in random order.
pub(super) fn draw(tasks: &Tasks, tolerance: Tolerance, rng: &mut Rng) -> Result<Candidate, Intractable> {
    let n = tasks.weights.len();
    let mut order: Vec<usize> = (0..n).collect();
    rng.shuffle(&mut order);
    let mut raising = Raising::new(tolerance, rng);
    let raised: Option<Vec<_>> = tasks.weights.iter().map(|&weight| raising.raise(weight)).collect();
    let raised = raised.ok_or_else(too_large)?;
    order.sort_by_key(|&task| Reverse(raised[task]));
    let mut slots = Slots::new(n);
    let set: Vec<usize> = order.into_iter().filter(|&task| slots.take_latest(tasks.deadlines[task] as usize)).collect();
    Ok(Candidate::from_set(Form::Items, n, set).expect("tasks are numbered"))
}

/// The sets with one task more, one less, or one for another, that lose no more weight than the tolerance leaves. Not all of them can be done in time.
pub(super) fn exchanges<'a>(
    tasks: &'a Tasks,
    candidate: &'a Candidate,
    tolerance: Tolerance,
) -> impl Iterator<Item = Candidate> + 'a {
    let room = tasks.weight_of(candidate) - tolerance.least(tasks.greatest());
    let or_none = move |flag| {
        (0..tasks.weights.len()).filter(move |&task| candidate.choice(task) == flag).map(Some).chain([None])
    };
    let weight = |task: Option<usize>| task.map_or(0, |task| tasks.weights[task]);
    let pairs = or_none(OUT).flat_map(move |put_in| or_none(IN).map(move |out| (put_in, out)));
    pairs.filter(move |&(put_in, out)| (put_in, out) != (None, None) && weight(out) - weight(put_in) <= room).map(
        |(put_in, out)| {
            let mut other = candidate.clone();
            put_in.into_iter().for_each(|task| other.set(task, IN));
            out.into_iter().for_each(|task| other.set(task, OUT));
            other
        },
    )
}
