//! Unit-time tasks with deadlines: sets of tasks that can all be done in time, of the greatest total weight.
//!
//! Each task takes one unit of time. A set is *early* exactly when for each t at most t of its tasks are due by t; early sets form a
//! matroid. So a set is best exactly when, weight by weight from the heaviest on, it has as many tasks as the greedy rule takes. What the
//! heavier tasks leave of the time does not depend on which of them were taken: a class of equal weights chooses alone, among the units
//! that are still free. There each task is due by the number of free units before its deadline, and a class splits ([`Split`]) into tasks that are
//! too late, tasks that every best set has, and a [`Pool`] that fills all the free units up to some point.

mod count;
mod extract;
mod law;
mod near;
mod pool;
pub mod scheduling;
mod slots;
mod verify;

pub use extract::InTime;
pub use pool::{Pool, Split};

use super::{Allowed, BadInstance, Intractable, Possible, Problem, SolutionSet, Space};
use crate::answers::{Candidate, Form, IN, OUT};
use crate::instance::{Instance, ItemColumn, ItemKind, Weight};
use crate::problems::extract::{Argmax, Random};
use crate::problems::tolerance::{Gap, Tolerance};
use crate::problems::verify::Violation;
use crate::random::Rng;
use num_bigint::BigUint;
use slots::Slots;
use std::sync::OnceLock;

/// Tasks.
pub static TASK: ItemKind = ItemKind {
    one: "task",
    many: "tasks",
    columns: &[
        ItemColumn { name: "deadline", also: &["due", "d", "latest"] },
        ItemColumn { name: "weight", also: &["w", "value", "penalty", "profit", "priority"] },
    ],
    times: false,
};

/// Sets of tasks that can be done in time, of the greatest weight.
pub static BEST_EARLY_SETS: Problem = Problem {
    name: "sets of tasks done in time",
    form: Form::Items,
    items: Some(&TASK),
    measures_paths: false,
    extractors: &[&Argmax, &Random, &InTime],
};

/// The best early sets of an instance.
pub struct Tasks<'a> {
    instance: &'a Instance,
    /// The last unit of time in which each task is in time; there are no more units than tasks.
    deadlines: Vec<u32>,
    weights: &'a [Weight],
    classes: OnceLock<Vec<Split>>,
}

impl<'a> Tasks<'a> {
    /// Checks that deadlines are whole numbers from 1 and weights positive.
    pub fn new(algorithm: &'static str, instance: &'a Instance) -> Result<Self, BadInstance> {
        let items = super::checked_items(algorithm, instance, &TASK)?;
        let (due, weights) = (items.column(0), items.column(1));
        let unit: Weight = 10i128.pow(items.decimals());
        let mut deadlines = Vec::with_capacity(items.len());
        for (item, (&due, &weight)) in due.iter().zip(weights).enumerate() {
            let wrong = |reason: String| BadInstance::Item { kind: TASK.one, item, reason };
            if due < unit || due % unit != 0 {
                let value = items.decimal(0, item);
                return Err(wrong(format!("the deadline {value} is not a whole number of at least 1")));
            }
            if weight <= 0 {
                return Err(wrong(format!("the weight {} is not positive", items.decimal(1, item))));
            }
            deadlines.push((due / unit).min(items.len() as Weight) as u32);
        }
        Ok(Tasks { instance, deadlines, weights, classes: OnceLock::new() })
    }

    /// The instance.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// The classes of equal weight, heaviest first, each with what heavier ones leave. O(n log n).
    pub(super) fn classes(&self) -> &[Split] {
        self.classes.get_or_init(|| {
            let mut by_weight: Vec<usize> = (0..self.weights.len()).collect();
            by_weight.sort_by_key(|&task| std::cmp::Reverse(self.weights[task]));
            let mut slots = Slots::new(self.weights.len());
            let classes = by_weight.chunk_by(|&one, &other| self.weights[one] == self.weights[other]);
            classes.map(|class| self.split(class, &mut slots)).collect()
        })
    }

    fn split(&self, class: &[usize], slots: &mut Slots) -> Split {
        let deadline = |task: usize| self.deadlines[task] as usize;
        let split = Split::new(class.iter().map(|&task| (task, slots.free_up_to(deadline(task)))).collect());
        slots.take_first(split.pool.size());
        for &task in &split.forced {
            slots.take_latest(deadline(task));
        }
        split
    }

    fn weight_of(&self, candidate: &Candidate) -> Weight {
        candidate.chosen().map(|task| self.weights[task]).sum()
    }

    /// The weight of the best sets.
    fn greatest(&self) -> Weight {
        let of_class = |class: &Split| -> Weight {
            let weight =
                class.forced.iter().copied().chain(class.pool.tasks()).next().map_or(0, |task| self.weights[task]);
            weight * (class.forced.len() + class.pool.size()) as Weight
        };
        self.classes().iter().map(of_class).sum()
    }

    /// The tasks that every allowed solution has, and the pools of which it takes some; `None` when nothing is allowed.
    fn reduced(&self, allowed: &Allowed) -> Option<Reduced> {
        let n = self.instance.n();
        let flags = |option: usize| {
            let mut flags = vec![false; n];
            allowed.fixed(option).for_each(|task| flags[task] = true);
            flags
        };
        let (required, forbidden) = (flags(IN), flags(OUT));
        if required.iter().zip(&forbidden).any(|(&required, &forbidden)| required && forbidden) {
            return None;
        }
        let mut reduced = Reduced { tasks: n, chosen: vec![], pools: vec![] };
        for class in self.classes() {
            if class.late.iter().any(|&task| required[task]) || class.forced.iter().any(|&task| forbidden[task]) {
                return None;
            }
            let split = class.pool.demanding(&required, &forbidden)?;
            reduced.chosen.extend(class.forced.iter().chain(&split.forced));
            reduced.pools.extend(Some(split.pool).filter(|pool| pool.size() > 0));
        }
        Some(reduced)
    }
}

/// What demands leave of the best sets.
struct Reduced {
    tasks: usize,
    chosen: Vec<usize>,
    pools: Vec<Pool>,
}

impl Reduced {
    fn candidate(&self, from_pools: impl Iterator<Item = usize>) -> Candidate {
        let set = self.chosen.iter().copied().chain(from_pools);
        Candidate::from_set(Form::Items, self.tasks, set).expect("tasks are numbered")
    }
}

impl Space for Tasks<'_> {
    /// O(n log n).
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation> {
        verify::verify(self, candidate)
    }

    fn takes_tolerance(&self) -> Result<(), Intractable> {
        Ok(())
    }

    /// O(n log n).
    fn verify_within(
        &self,
        candidate: &Candidate,
        tolerance: Tolerance,
    ) -> Result<Result<Gap, Violation>, Intractable> {
        Ok(verify::verify_within(self, candidate, tolerance))
    }

    /// Always within the tolerance: of weights raised by up to x the best set has at least the best weight of all, so without them at least
    /// 1 / (1 + x) of it. O(n log n).
    fn draw_within(&self, tolerance: Tolerance, rng: &mut Rng) -> Result<Candidate, Intractable> {
        near::draw(self, tolerance, rng)
    }

    /// One task put in, taken out, or both: any early set becomes any best one so, and never lighter (a matroid's).
    fn exchanges<'s>(
        &'s self,
        candidate: &'s Candidate,
        tolerance: Tolerance,
    ) -> Box<dyn Iterator<Item = Candidate> + 's> {
        Box::new(near::exchanges(self, candidate, tolerance))
    }

    /// The greedy rule, as early sets form a matroid. O(n log n).
    fn heaviest(&self, weights: &[f64]) -> Result<Vec<usize>, Intractable> {
        let mut tasks: Vec<usize> = (0..weights.len()).collect();
        tasks.sort_by(|&one, &other| weights[other].total_cmp(&weights[one]));
        let mut slots = Slots::new(weights.len());
        tasks.retain(|&task| slots.take_latest(self.deadlines[task] as usize));
        Ok(tasks)
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        let reduced = self.reduced(&Allowed::default()).expect("without demands there is a best set");
        let mut sets: Vec<Vec<bool>> = reduced.pools.iter().map(Pool::first).collect();
        let mut is_over = false;
        Ok(Box::new(std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            let solution = reduced.candidate(reduced.pools.iter().zip(&sets).flat_map(|(pool, set)| pool.members(set)));
            // An odometer: the last pool moves on, and when it is through it starts again and the one before moves on.
            is_over = !reduced.pools.iter().zip(&mut sets).rev().any(|(pool, set)| {
                let more = pool.advance(set);
                if !more {
                    *set = pool.first();
                }
                more
            });
            Some(solution)
        })))
    }

    /// Near-linear, under any demands.
    fn possible(&self, allowed: &Allowed) -> Result<Possible, Intractable> {
        let n = self.instance.n();
        let mut options: Vec<&[usize]> = vec![&[OUT]; n];
        match self.reduced(allowed) {
            None => options.fill(&[]),
            Some(reduced) => {
                reduced.chosen.iter().for_each(|&task| options[task] = &[IN]);
                reduced.pools.iter().flat_map(Pool::tasks).for_each(|task| options[task] = &[OUT, IN]);
            }
        }
        Ok(Possible::of_options(&options))
    }

    fn refutes(&self, allowed: &Allowed) -> bool {
        self.reduced(allowed).is_none()
    }

    fn within(&self, allowed: &Allowed, effort: usize) -> Result<Box<dyn SolutionSet + '_>, Intractable> {
        let Some(reduced) = self.reduced(allowed) else {
            let nothing = Reduced { tasks: 0, chosen: vec![], pools: vec![] };
            return Ok(Box::new(BestSets { reduced: nothing, tables: vec![], count: BigUint::ZERO }));
        };
        let tables = reduced.pools.iter().map(|pool| count::Table::new(pool, effort)).collect::<Result<Vec<_>, _>>()?;
        let count = tables.iter().map(count::Table::count).product();
        Ok(Box::new(BestSets { reduced, tables, count }))
    }

    /// A greedy run over what the demands leave.
    fn find(&self, allowed: &Allowed, rng: &mut Rng) -> Option<Candidate> {
        let reduced = self.reduced(allowed)?;
        let mut drawn: Vec<usize> = vec![];
        for pool in &reduced.pools {
            let mut order: Vec<usize> = (0..pool.tasks().count()).collect();
            rng.shuffle(&mut order);
            drawn.extend(pool.greedy(order.into_iter()));
        }
        Some(reduced.candidate(drawn.into_iter()))
    }

    /// Each task of a pool that is not chosen could be, in exchange for another one: that many sets more, for each pool.
    fn at_least(&self, _solution: &Candidate) -> BigUint {
        let spare = |class: &Split| class.pool.tasks().count() - class.pool.size();
        self.classes().iter().map(|class| BigUint::from(1 + spare(class))).product()
    }
}

/// Best sets that meet demands.
struct BestSets {
    reduced: Reduced,
    tables: Vec<count::Table>,
    count: BigUint,
}

impl SolutionSet for BestSets {
    fn count(&self) -> &BigUint {
        &self.count
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Option<Candidate>, Intractable> {
        if self.count == BigUint::ZERO {
            return Ok(None);
        }
        let drawn: Vec<usize> =
            self.reduced.pools.iter().zip(&self.tables).flat_map(|(pool, table)| table.draw(pool, rng)).collect();
        Ok(Some(self.reduced.candidate(drawn.into_iter())))
    }
}
