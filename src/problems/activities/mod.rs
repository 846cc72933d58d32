//! Activities: the most of them no two of which overlap. One may start when another finishes.
//!
//! The place of an activity in any best set is the length of the longest chain that ends with it, so best sets are the paths through *layers*: the activities
//! of each place that have a longest chain before and after them ([`Layers`]). An activity of the next layer follows when it does not start before this
//! one finishes: sorted by start, those are the last ones of the layer.

mod count;
mod extract;
mod layers;
pub mod selection;

pub use extract::Apart;
pub use layers::Layers;

use super::{Allowed, BadInstance, Intractable, Possible, Problem, SolutionSet, Space};
use crate::answers::{Candidate, Form, IN, OUT};
use crate::instance::{Instance, ItemColumn, ItemKind, Weight};
use crate::problems::extract::{Argmax, Random};
use crate::problems::ties::Free;
use crate::problems::verify::{Rule, Violation, check_slots};
use crate::random::Rng;
use num_bigint::BigUint;
use std::sync::OnceLock;

/// Activities.
pub static ACTIVITY: ItemKind = ItemKind {
    one: "activity",
    many: "activities",
    columns: &[
        ItemColumn { name: "start", also: &["s", "begin", "from", "starts", "start_time", "begins"] },
        ItemColumn { name: "finish", also: &["f", "end", "to", "ends", "finishes", "end_time", "finish_time", "stop"] },
    ],
    times: true,
};

/// Largest sets of activities without overlaps.
pub static LARGEST_APART: Problem = Problem {
    name: "largest sets of activities without overlaps",
    form: Form::Items,
    items: Some(&ACTIVITY),
    measures_paths: false,
    extractors: &[&Argmax, &Random, &Apart],
};

/// The largest sets of an instance.
pub struct Activities<'a> {
    instance: &'a Instance,
    starts: &'a [Weight],
    finishes: &'a [Weight],
    layers: OnceLock<Layers>,
}

impl<'a> Activities<'a> {
    /// Checks that each activity starts before it finishes.
    pub fn new(algorithm: &'static str, instance: &'a Instance) -> Result<Self, BadInstance> {
        let items = super::checked_items(algorithm, instance, &ACTIVITY)?;
        let (starts, finishes) = (items.column(0), items.column(1));
        if let Some(item) = (0..items.len()).find(|&item| starts[item] >= finishes[item]) {
            let (start, finish) = (items.decimal(0, item), items.decimal(1, item));
            let reason = format!("it starts at {start} and finishes at {finish}, which is not later");
            return Err(BadInstance::Item { kind: ACTIVITY.one, item, reason });
        }
        Ok(Activities { instance, starts, finishes, layers: OnceLock::new() })
    }

    /// The instance.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// The layers of all best sets. O(n log n).
    pub(super) fn layers(&self) -> &Layers {
        self.layers.get_or_init(|| Layers::new(self.starts, self.finishes))
    }

    /// The layers of the allowed best sets; `None` when there is none.
    fn reduced(&self, allowed: &Allowed) -> Option<Layers> {
        let takes_part = |activity: usize| allowed.permits(activity, IN);
        let must: Vec<usize> = allowed.fixed(IN).collect();
        self.layers().demanding(self.starts, self.finishes, takes_part, &must)
    }

    fn candidate(&self, set: impl IntoIterator<Item = usize>) -> Candidate {
        Candidate::from_set(Form::Items, self.instance.n(), set).expect("activities are numbered")
    }
}

impl Space for Activities<'_> {
    fn takes_tolerance(&self) -> Result<(), Intractable> {
        Err(Intractable("its right answers are all equally large, and a smaller one is not right".to_owned()))
    }

    /// O(n log n).
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation> {
        check_slots(self.instance, Form::Items, candidate)?;
        let mut chosen: Vec<usize> = candidate.chosen().collect();
        chosen.sort_by_key(|&activity| self.starts[activity]);
        if let Some(pair) = chosen.windows(2).find(|pair| self.finishes[pair[0]] > self.starts[pair[1]]) {
            return Err(Violation { items: pair.to_vec(), ..Violation::of(Rule::NoOverlap) });
        }
        if chosen.len() < self.layers().len() {
            let better = self.layers().earliest(self.starts, self.finishes);
            return Err(Violation { better: better.into(), ..Violation::of(Rule::MostActivities) });
        }
        Ok(())
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        Ok(Box::new(self.layers().chains(self.starts, self.finishes).map(|chain| self.candidate(chain))))
    }

    /// Near-linear, under any demands.
    fn possible(&self, allowed: &Allowed) -> Result<Possible, Intractable> {
        let n = self.instance.n();
        let mut options: Vec<&[usize]> = vec![&[OUT]; n];
        match self.reduced(allowed) {
            None => options.fill(&[]),
            Some(layers) => {
                for layer in layers.iter() {
                    let both: &[usize] = if layer.len() == 1 { &[IN] } else { &[OUT, IN] };
                    layer.iter().for_each(|&activity| options[activity] = both);
                }
            }
        }
        Ok(Possible::of_options(&options))
    }

    fn refutes(&self, allowed: &Allowed) -> bool {
        self.reduced(allowed).is_none()
    }

    fn within(&self, allowed: &Allowed, effort: usize) -> Result<Box<dyn SolutionSet + '_>, Intractable> {
        match self.reduced(allowed) {
            None => Ok(Box::new(count::Chains::none(self))),
            Some(layers) => Ok(Box::new(count::Chains::new(self, layers, effort)?)),
        }
    }

    /// A walk through the layers that the demands leave.
    fn find(&self, allowed: &Allowed, rng: &mut Rng) -> Option<Candidate> {
        let layers = self.reduced(allowed)?;
        Some(self.candidate(layers.walk(self.starts, self.finishes, &mut Free(rng))))
    }

    /// Each activity of a layer is in some best set; and where every other activity of a solution stays, each of those between may be any of its layer
    /// that fits there.
    fn at_least(&self, solution: &Candidate) -> BigUint {
        let mut chain: Vec<usize> = solution.chosen().collect();
        chain.sort_by_key(|&activity| self.starts[activity]);
        let fitting = |(place, layer): (usize, &[usize])| {
            let earliest = place.checked_sub(1).map_or(Weight::MIN, |before| self.finishes[chain[before]]);
            let latest = chain.get(place + 1).map_or(Weight::MAX, |&after| self.starts[after]);
            let fits = |activity: &&usize| self.starts[**activity] >= earliest && self.finishes[**activity] <= latest;
            layer.iter().filter(fits).count()
        };
        let products = [0, 1].map(|first| {
            let mut product = BigUint::from(1u32);
            for factor in self.layers().iter().enumerate().skip(first).step_by(2).map(fitting) {
                // A bound of a thousand digits is as good as one of a million, and can be read.
                if product.bits() > MAX_BITS {
                    break;
                }
                product *= factor;
            }
            product
        });
        let widest = BigUint::from(self.layers().iter().map(<[usize]>::len).max().unwrap_or(1));
        products.into_iter().max().unwrap_or_default().max(widest)
    }
}

/// Bits of a lower bound.
const MAX_BITS: u64 = 4_096;
