//! Execution by the logits of training, for comparison: what happens without quantisation, and what happens when ties
//! are sampled from a softmax instead of being given as priorities.

use super::dense::{Matrices, trace_with};
use super::examples::{Group, competing, hidden};
use super::hints::{Priorities, Snapshot};
use super::loss::{Scale, Shares, logits, softmax};
use super::network::Selector;
use super::{Execution, Executor};
use crate::instance::Instance;
use crate::problems::extract::draw;
use crate::random::Rng;

/// How a pair is chosen from its logits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Softly {
    /// The largest logit, without rounding levels or scalars; equal ones at random. The model sees priorities.
    Largest,
    /// At random by the softmax. The model sees no priorities.
    Sampled,
}

impl Executor {
    /// Executes by unrounded logits. O(n² log n) a step.
    pub fn draw_softly(&self, instance: &Instance, how: Softly, rng: &mut Rng) -> Execution {
        let drawn = Priorities::draw(self.steps.frame(), instance, rng);
        let priorities = if how == Softly::Sampled { hidden(&drawn) } else { drawn };
        let matrices = Matrices::new(instance, &priorities, self.steps.frame().priorities);
        let groups = matrices.groups(self.steps.frame().selection);
        let scale = Scale::last(self.steps.frame().selection);
        let select = Selector::new(&self.network, self.network.select.evaluate(&self.params));
        let shares = Shares::new(&select, self.steps.frame().pair_classes(), scale);
        let competes = competing(self.steps.frame(), self.tables.level.iter().map(|&level| level >= 1));
        let choose = |now: &Snapshot, group: &Vec<usize>, rng: &mut Rng| {
            let seen = Group::new(&self.tables, &matrices, now, (group, &[]), &competes);
            let logits = logits(&select, &shares, &seen, scale);
            let place = match how {
                Softly::Largest => largest(&logits, rng),
                Softly::Sampled => draw(softmax(logits).into_iter().map(f64::from), rng),
            };
            // The last place is that of "no pair".
            place.and_then(|place| group.get(place).copied())
        };
        let selected = |now: &Snapshot, _| groups.iter().filter_map(|group| choose(now, group, rng)).collect();
        trace_with(&self.tables, &matrices, self.steps.start(instance), selected).1
    }
}

/// The place of the largest value, one of them where several are equal.
fn largest(values: &[f32], rng: &mut Rng) -> Option<usize> {
    let most = values.iter().copied().reduce(f32::max)?;
    let equal: Vec<usize> = (0..values.len()).filter(|&place| values[place] == most).collect();
    (!equal.is_empty()).then(|| equal[rng.below(equal.len())])
}
