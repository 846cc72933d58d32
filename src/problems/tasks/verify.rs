//! Accepts a set of tasks exactly when it is early and no other early set is heavier.

use super::Tasks;
use crate::answers::{Candidate, Form, Part};
use crate::problems::tolerance::{Gap, Tolerance};
use crate::problems::verify::{Rule, Violation, check_slots};

pub(super) fn verify(tasks: &Tasks, candidate: &Candidate) -> Result<(), Violation> {
    check_slots(tasks.instance, Form::Items, candidate)?;
    check_early(tasks, candidate)?;
    let (mut chosen, mut best) = (0, 0);
    for class in tasks.classes() {
        let members = class.late.iter().copied().chain(class.forced.iter().copied()).chain(class.pool.tasks());
        chosen += members.filter(|&task| is_in(candidate, task)).count();
        best += class.forced.len() + class.pool.size();
        if chosen < best {
            let weight = class.late.iter().chain(&class.forced).copied().chain(class.pool.tasks()).next();
            return Err(exchange(tasks, candidate, weight.expect("a class has a task")));
        }
    }
    Ok(())
}

/// Accepts a set exactly when it is early and lighter than the heaviest by no more than the tolerance. O(n log n).
pub(super) fn verify_within(tasks: &Tasks, candidate: &Candidate, tolerance: Tolerance) -> Result<Gap, Violation> {
    check_slots(tasks.instance, Form::Items, candidate)?;
    check_early(tasks, candidate)?;
    let (measure, best) = (tasks.weight_of(candidate), tasks.greatest());
    match measure >= tolerance.least(best) {
        true => Ok(Gap { measure, best, vertex: None }),
        false => Err(Violation::of(Rule::WithinTolerance)),
    }
}

fn is_in(candidate: &Candidate, task: usize) -> bool {
    candidate.choice(task) != 0
}

/// For each t the number of chosen tasks that are due by t, of those that count.
fn due_by(tasks: &Tasks, candidate: &Candidate, counts: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut due = vec![0; tasks.deadlines.len() + 1];
    candidate.chosen().filter(|&task| counts(task)).for_each(|task| due[tasks.deadlines[task] as usize] += 1);
    (1..due.len()).for_each(|t| due[t] += due[t - 1]);
    due
}

/// At most t tasks are due by t; otherwise t + 1 of those that are.
fn check_early(tasks: &Tasks, candidate: &Candidate) -> Result<(), Violation> {
    let due = due_by(tasks, candidate, |_| true);
    match due.iter().enumerate().find(|&(t, &due)| due > t) {
        None => Ok(()),
        Some((t, _)) => {
            let too_many = candidate.chosen().filter(|&task| tasks.deadlines[task] as usize <= t).take(t + 1);
            Err(Violation { items: too_many.collect(), ..Violation::of(Rule::InTime) })
        }
    }
}

/// An exchange that gains weight, for an early set that has too few tasks as heavy as `like`.
///
/// Some task as heavy as that goes with all chosen tasks that are as heavy: it is due after the last t by which t of those are due. If it goes
/// with all chosen tasks, nobody has to leave. Otherwise somebody due by the first t that is full from its deadline on has to, and one of those is lighter.
fn exchange(tasks: &Tasks, candidate: &Candidate, like: usize) -> Violation {
    let is_heavy = |task: usize| tasks.weights[task] >= tasks.weights[like];
    let full_up_to = |due: &[usize]| (0..due.len()).rev().find(|&t| due[t] == t).unwrap_or(0);
    let heavy_full = full_up_to(&due_by(tasks, candidate, is_heavy));
    let fits = |&task: &usize| is_heavy(task) && !is_in(candidate, task) && tasks.deadlines[task] as usize > heavy_full;
    let put_in = (0..tasks.deadlines.len()).filter(fits).max_by_key(|&task| tasks.weights[task]);
    let put_in = put_in.expect("a smaller early set of heavy tasks can be extended");
    let due = due_by(tasks, candidate, |_| true);
    let full = (tasks.deadlines[put_in] as usize..due.len()).find(|&t| due[t] == t);
    let leaves = full.and_then(|full| {
        let due_by_then = candidate.chosen().filter(|&task| tasks.deadlines[task] as usize <= full);
        due_by_then.min_by_key(|&task| tasks.weights[task])
    });
    Violation::with_exchange(Rule::GreatestWeight, Part::Item(put_in), leaves.map(Part::Item))
}
