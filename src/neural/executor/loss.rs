//! The losses and their gradients, by hand.
//!
//! A pair i of class c in a group has the logit
//!
//! `z_i = sharpness · (64 level_c + Σ_o softmax(decided · first_c)_o f_o(i) + second · Σ_o softmax(second_c)_o g_o(i))`
//!
//! where option o is a scalar and a sign: `f_o` is minus the rank by that scalar, scaled so that all ranks together
//! span at most 24, and `g_o` minus the rank scaled to less than one step of `f`. "No pair" has the logit
//! `sharpness · 32`. So a level outweighs the first scalar, which outweighs the second, as in execution. Levels are drawn
//! to whole numbers by a penalty `sin²(π level)`.

use super::examples::{Examples, Group};
use super::frame::Selection;
use super::network::Selector;

/// What one level is worth.
pub(super) const LEVEL: f32 = 64.0;
/// What the first scalar is worth at the most.
const FIRST: f32 = 24.0;

/// How logits are scaled at a stage of training.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    /// All of them.
    pub sharpness: f32,
    /// What the second scalar adds. It has nothing to learn while the first is undecided, and would learn to repeat it.
    pub second: f32,
    /// What the outputs for the first scalar are multiplied by. While a share of another scalar is left in the first, it
    /// decides ties, and the second has no need to.
    pub decided: f32,
}

impl Scale {
    /// Soft at the start.
    pub const SHARPNESS: (f32, f32) = (0.05, 4.0);
    /// How much sharper the choice of the first scalar is in the second half, where one pair of the graph is selected.
    const DECIDED: f32 = 8.0;

    /// Where training ends.
    pub fn last(selection: Selection) -> Self {
        Scale::at(1.0, selection)
    }

    /// Selections are soft at first and become sharp in the first half; then the second scalar comes in.
    ///
    /// The pairs into one receiver are few, and their scalars far enough apart for the first one to be decided by then.
    /// Those of a whole graph are not.
    pub fn at(progress: f64, selection: Selection) -> Self {
        let (start, end) = Scale::SHARPNESS;
        let sharpness = start * (end / start).powf((2.0 * progress).min(1.0) as f32);
        let (second, decided) = match (progress < 0.5, selection) {
            (true, _) => (0.0, 1.0),
            (false, Selection::OnePair) => (1.0, Scale::DECIDED),
            (false, Selection::SenderForEachReceiver) => (1.0, 1.0),
        };
        Scale { sharpness, second, decided }
    }
}

/// The softmax of each class's options: first, then second.
pub(super) struct Shares {
    first: Vec<Vec<f32>>,
    second: Vec<Vec<f32>>,
    decided: f32,
}

impl Shares {
    pub fn new(select: &Selector, classes: usize, scale: Scale) -> Self {
        let of = |second, factor: f32| {
            let scaled = |class| select.options(class, second).iter().map(|output| factor * output).collect();
            (0..classes).map(|class| softmax(scaled(class))).collect()
        };
        Shares { first: of(false, scale.decided), second: of(true, 1.0), decided: scale.decided }
    }
}

pub(super) fn softmax(mut logits: Vec<f32>) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|x| *x = (*x - most).exp());
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|x| *x /= sum);
    logits
}

/// The worth of each option for a pair of a group: `f` and `g` above, interleaved as in [`Selector`].
struct Worth {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Worth {
    fn new(group: &Group, pair: usize) -> Self {
        let scalars = group.distinct.len();
        let most = group.distinct.iter().copied().max().unwrap_or(1);
        let unit = FIRST / f32::from(most.max(2) - 1);
        let (mut first, mut second) = (Vec::with_capacity(2 * scalars), Vec::with_capacity(2 * scalars));
        for (place, &distinct) in group.distinct.iter().enumerate() {
            let from_smallest = f32::from(group.ranks[pair * scalars + place]);
            let from_largest = f32::from(distinct - 1) - from_smallest;
            let fine = 0.8 * unit / f32::from(distinct.max(2) - 1);
            first.extend([-unit * from_smallest, -unit * from_largest]);
            second.extend([-fine * from_smallest, -fine * from_largest]);
        }
        Worth { first, second }
    }
}

/// The logits of a group's pairs and, last, of "no pair".
pub(super) fn logits(select: &Selector, shares: &Shares, group: &Group, scale: Scale) -> Vec<f32> {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let of_pair = |(pair, &class): (usize, &u16)| {
        let (class, worth) = (usize::from(class), Worth::new(group, pair));
        let (first, second) = (dot(&shares.first[class], &worth.first), dot(&shares.second[class], &worth.second));
        scale.sharpness * (LEVEL * select.level(class) + first + scale.second * second)
    };
    group.classes.iter().enumerate().map(of_pair).chain([scale.sharpness * LEVEL * 0.5]).collect()
}

/// Gradients with respect to levels and to the shares of options, by class.
pub(super) struct SelectionGradient {
    level: Vec<f32>,
    first: Vec<Vec<f32>>,
    second: Vec<Vec<f32>>,
}

impl SelectionGradient {
    pub fn new(classes: usize, options: usize) -> Self {
        let zeros = || vec![vec![0.0; options]; classes];
        SelectionGradient { level: vec![0.0; classes], first: zeros(), second: zeros() }
    }

    /// Adds what follows from the gradient of a group's logits.
    pub fn add(&mut self, group: &Group, d_logits: &[f32], scale: Scale) {
        for (pair, &class) in group.classes.iter().enumerate() {
            let d = scale.sharpness * d_logits[pair];
            if d.abs() < 1e-9 {
                continue;
            }
            let (class, worth) = (usize::from(class), Worth::new(group, pair));
            self.level[class] += LEVEL * d;
            self.first[class].iter_mut().zip(&worth.first).for_each(|(sum, worth)| *sum += d * worth);
            self.second[class].iter_mut().zip(&worth.second).for_each(|(sum, worth)| *sum += scale.second * d * worth);
        }
    }

    /// Adds the penalty on levels that are not whole, over the classes that occur; returns it.
    pub fn add_penalty(&mut self, select: &Selector, seen: &[bool], factor: f32) -> f32 {
        let mut penalty = 0.0;
        for class in (0..seen.len()).filter(|&class| seen[class]) {
            let angle = std::f32::consts::PI * select.level(class);
            penalty += factor * angle.sin().powi(2);
            self.level[class] += factor * std::f32::consts::PI * (2.0 * angle).sin();
        }
        penalty
    }

    /// Draws classes that were seen but never selected below the level of "no pair"; returns the loss. Otherwise such a
    /// class may keep a high level and lose by a scalar, which holds on the graphs at hand and on no others.
    pub fn add_disuse(&mut self, select: &Selector, unused: &[bool]) -> f32 {
        const FACTOR: f32 = 0.05;
        let mut loss = 0.0;
        for class in (0..unused.len()).filter(|&class| unused[class] && select.level(class) > -0.5) {
            loss += FACTOR * (select.level(class) + 0.5);
            self.level[class] += FACTOR;
        }
        loss
    }

    /// The gradient of the perceptron's outputs.
    pub fn to_outputs(&self, shares: &Shares) -> Vec<f32> {
        let mut out = vec![];
        for class in 0..self.level.len() {
            out.push(self.level[class]);
            let first = (&shares.first[class], &self.first[class], shares.decided);
            let second = (&shares.second[class], &self.second[class], 1.0);
            for (shares, d_shares, factor) in [first, second] {
                let mean: f32 = shares.iter().zip(d_shares).map(|(share, d)| share * d).sum();
                out.extend(shares.iter().zip(d_shares).map(|(share, d)| factor * share * (d - mean)));
            }
        }
        out
    }
}

/// Cross-entropy of a selection; the gradient of the logits, both times `factor`.
pub(super) fn selection(logits: Vec<f32>, target: Option<usize>, factor: f32) -> (f32, Vec<f32>) {
    let target = target.unwrap_or(logits.len() - 1);
    let mut shares = softmax(logits);
    let loss = -shares[target].max(1e-30).ln() * factor;
    shares[target] -= 1.0;
    shares.iter_mut().for_each(|d| *d *= factor);
    (loss, shares)
}

/// How much an entry of a transition map counts that was seen so often: rare ones have to be learnt, too.
fn weight(count: f32) -> f32 {
    count.ln_1p()
}

/// Cross-entropy of the next states over all entries that were seen, and the gradient of the logits.
pub(super) fn states(logits: &[f32], examples: &Examples, states: usize) -> (f32, Vec<f32>) {
    let mut gradient = vec![0.0; logits.len()];
    let mut loss = 0.0;
    let total: f32 = examples.states.iter().map(|&count| weight(count)).sum();
    for entry in 0..logits.len() / states {
        let range = entry * states..(entry + 1) * states;
        let counts = &examples.states[range.clone()];
        let shares = softmax(logits[range.clone()].to_vec());
        for (next, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0.0) {
            let weight = weight(count) / total;
            loss -= weight * shares[next].max(1e-30).ln();
            for (other, d) in gradient[range.clone()].iter_mut().enumerate() {
                *d += weight * (shares[other] - f32::from(u8::from(other == next)));
            }
        }
    }
    (loss, gradient)
}

/// Cross-entropy of the next pointer bits over all entries that were seen, and the gradient of the logits.
pub(super) fn pointers(logits: &[f32], examples: &Examples) -> (f32, Vec<f32>) {
    let total: f32 = examples.pointers.iter().flatten().map(|&count| weight(count)).sum();
    let mut loss = 0.0;
    let of_entry = |(&logit, counts): (&f32, &[f32; 2])| {
        let one = 1.0 / (1.0 + (-logit).exp());
        let [zero_weight, one_weight] = counts.map(|count| weight(count) / total);
        loss -= zero_weight * (1.0 - one).max(1e-30).ln() + one_weight * one.max(1e-30).ln();
        zero_weight * one - one_weight * (1.0 - one)
    };
    let gradient = logits.iter().zip(&examples.pointers).map(of_entry).collect();
    (loss, gradient)
}
