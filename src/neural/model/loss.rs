//! Losses of one row of logits, with their gradients.
//!
//! A row of options, of which one is right, with `s = softmax(logits)`:
//!
//! | target | loss of an entry or row | mean over | gradient of a logit |
//! |---|---|---|---|
//! | distribution p | `p ln(p / q) - p + q`, `q = s + 1e-8` | all entries | `s (d - Σ s d)`, `d = 1 - p / q` |
//! | label | `-ln s[label]` | rows | `s - [label]` |
//!
//! A row of flags, with `s = sigmoid(logit)` and `r = sigmoid(-logit)`, its complement without a cancellation:
//!
//! | target | loss of an entry, mean over all | gradient of a logit |
//! |---|---|---|
//! | probability p | `p ln(p / (s + 1e-8)) + (1 - p) ln((1 - p) / (r + 1e-8)) + 2e-8` | `(1 - p) s · r / (r + 1e-8) - p r · s / (s + 1e-8)` |
//! | label | `-ln` of the label's probability | `s` or `-r` |
//!
//! The first is the sum of `p ln(p / q) - p + q` over both outcomes; every factor of its gradient lies between 0 and 1, so it stays finite
//! where the sigmoid saturates.
//!
//! The loss of a batch is the mean over its graphs, which for graphs of one size is dm-clrs' mean over all entries.

use crate::neural::nn::Scalar;
use crate::neural::nn::kernels::Kernels;
use crate::neural::nn::kernels::dispatch::kernel;
use crate::neural::nn::kernels::rows;

use super::features::Target;

kernel! {
    /// Turns logits into probabilities. Returns the logarithm of the sum of exponentials.
    pub(super) fn softmax<S, HARDWARE>(logits: &mut [S]) -> S {
        let most = logits.iter().copied().fold(logits[0], S::or_larger);
        logits.iter_mut().for_each(|x| *x = (*x - most).exp::<HARDWARE>());
        let sum = rows::sum(logits);
        logits.iter_mut().for_each(|x| *x = *x / sum);
        most + sum.ln()
    }
}

kernel! {
    /// Turns the logits of flags into probabilities.
    pub(super) fn sigmoids<S, HARDWARE>(logits: &mut [S]) {
        logits.iter_mut().for_each(|x| *x = x.sigmoid::<HARDWARE>());
    }
}

/// Added to every probability under a logarithm, as in dm-clrs' losses of distributions.
const TINY: f64 = 1e-8;

/// Which row of an output, and how many the output has. Targets of options lie row by row, `[row][entry]`, those of flags
/// column by column, `[entry][row]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowPlace {
    pub row: usize,
    pub rows: usize,
}

/// The loss of one row of options. `row` holds logits and then their gradient, times `weight`.
pub(super) fn row_loss<S: Scalar>(kernels: Kernels, row: &mut [S], target: &Target, place: RowPlace, weight: S) -> f64 {
    let (n, rows) = (row.len(), place.rows as f64);
    match target {
        Target::Distribution(all) => {
            softmax(kernels, row);
            divergence(row, &all[place.row * n..(place.row + 1) * n], weight / S::of(n as f64 * rows))
        }
        Target::Labels(labels) => cross_entropy(kernels, row, labels[place.row] as usize, weight / S::of(rows)),
    }
}

/// The loss of one row of flags. `row` holds logits and then their gradient, times `weight`.
pub(super) fn flag_loss<S: Scalar>(
    kernels: Kernels,
    row: &mut [S],
    target: &Target,
    place: RowPlace,
    weight: S,
) -> f64 {
    let weight = weight / S::of(row.len() as f64 * place.rows as f64);
    match target {
        Target::Distribution(all) => flag_divergence(kernels, row, &all[place.row..], place.rows, weight),
        Target::Labels(labels) => flag_cross_entropy(kernels, row, &labels[place.row..], place.rows, weight),
    }
}

fn divergence<S: Scalar>(row: &mut [S], target: &[f32], weight: S) -> f64 {
    let mut loss = 0.0;
    let mut common = S::ZERO;
    for (&s, &p) in row.iter().zip(target) {
        let (p, q) = (S::of(f64::from(p)), s + S::of(TINY));
        if p > S::ZERO {
            loss += (p * (p / q).ln() - p + q).as_f64();
        } else {
            loss += q.as_f64();
        }
        common += s * (S::ONE - p / q);
    }
    for (s, &p) in row.iter_mut().zip(target) {
        let (p, q) = (S::of(f64::from(p)), *s + S::of(TINY));
        *s = (weight * *s * (S::ONE - p / q - common)).flushed();
    }
    loss * weight.as_f64()
}

fn cross_entropy<S: Scalar>(kernels: Kernels, row: &mut [S], label: usize, weight: S) -> f64 {
    // From the logit, not the probability: stays finite where the probability underflows.
    let chosen = row[label];
    let normaliser = softmax(kernels, row);
    row[label] -= S::ONE;
    row.iter_mut().for_each(|x| *x = (*x * weight).flushed());
    ((normaliser - chosen) * weight).as_f64()
}

kernel! {
    fn flag_divergence<S, HARDWARE>(row: &mut [S], target: &[f32], stride: usize, weight: S) -> f64 {
        let tiny = S::of(TINY);
        let mut loss = 0.0;
        for (x, &p) in row.iter_mut().zip(target.iter().step_by(stride)) {
            let (p, not_p) = (S::of(f64::from(p)), S::ONE - S::of(f64::from(p)));
            // Flushed before they are multiplied: far from zero a sigmoid is itself subnormal.
            let (yes, no) = (x.sigmoid::<HARDWARE>().flushed(), (-*x).sigmoid::<HARDWARE>().flushed());
            for (p, q) in [(p, yes + tiny), (not_p, no + tiny)] {
                if p > S::ZERO {
                    loss += (p * (p / q).ln()).as_f64();
                }
            }
            loss += 2.0 * TINY;
            let (down, up) = (not_p * yes * (no / (no + tiny)), p * no * (yes / (yes + tiny)));
            *x = (weight * (down - up)).flushed();
        }
        loss * weight.as_f64()
    }
}

kernel! {
    fn flag_cross_entropy<S, HARDWARE>(row: &mut [S], labels: &[u32], stride: usize, weight: S) -> f64 {
        let mut loss = 0.0;
        for (x, &label) in row.iter_mut().zip(labels.iter().step_by(stride)) {
            // The logit of the wrong answer; from it, not from a probability, so that the loss neither overflows nor vanishes.
            let wrong = if label == 1 { -*x } else { *x };
            let z = wrong.as_f64();
            loss += z.max(0.0) + (-z.abs()).exp().ln_1p();
            let chance = wrong.sigmoid::<HARDWARE>().flushed() * weight;
            *x = (if label == 1 { -chance } else { chance }).flushed();
        }
        loss * weight.as_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: RowPlace = RowPlace { row: 0, rows: 4 };

    #[test]
    fn a_network_that_is_sure_of_itself_gets_no_subnormal_gradients() {
        let target = Target::Distribution(vec![1.0, 0.0, 0.0, 0.0]);
        for other in [Target::Labels(vec![0; 4]), target] {
            for doubt in 0..110 {
                let mut row = [0.0_f32, -0.5 * doubt as f32, -doubt as f32, -100.0];
                row_loss(Kernels::detect(), &mut row, &other, FIRST, 1.0 / 32.0);
                assert!(row.iter().all(|&x| x == 0.0 || x.abs() >= 1e-18), "{row:?}");
            }
        }
    }

    #[test]
    fn saturated_flags_have_finite_losses_and_gradients_that_pull_the_right_way() {
        let chances = Target::Distribution([0.0, 0.3, 1.0].repeat(4));
        for target in [chances, Target::Labels([0, 1, 1].repeat(4))] {
            for size in [0.0_f32, 1.0, 17.0, 45.0, 87.0, 88.5, 1e4, f32::MAX] {
                for logit in [size, -size] {
                    let mut row = [logit; 3];
                    let place = RowPlace { row: 0, rows: 1 };
                    let loss = flag_loss(Kernels::detect(), &mut row, &target, place, 1.0 / 32.0);
                    assert!(loss.is_finite() && loss >= 0.0, "{logit}: {loss}");
                    assert!(row.iter().all(|&x| x == 0.0 || x.abs() >= 1e-18), "{logit}: {row:?}");
                    assert!(row[0] >= 0.0 && row[2] <= 0.0, "{logit}: {row:?}");
                }
            }
        }
    }

    #[test]
    fn losses_of_flags_are_their_definitions() {
        let kl = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() - p + q } else { q };
        for logit in [-9.0_f64, -2.5, 0.0, 0.7, 6.0] {
            let q = 1.0 / (1.0 + (-logit).exp());
            for p in [0.0_f32, 0.25, 1.0] {
                let place = RowPlace { row: 1, rows: 2 };
                let both = Target::Distribution(vec![0.5, p]);
                let loss = flag_loss(Kernels::detect(), &mut [logit], &both, place, 3.0);
                let p = f64::from(p);
                let expected = 3.0 / 2.0 * (kl(p, q + 1e-8) + kl(1.0 - p, 1.0 - q + 1e-8));
                assert!((loss - expected).abs() < 1e-12, "{logit} {p}: {loss} {expected}");
            }
            for label in [0, 1] {
                let place = RowPlace { row: 0, rows: 1 };
                let loss = flag_loss(Kernels::detect(), &mut [logit], &Target::Labels(vec![label]), place, 3.0);
                let expected = -3.0 * (if label == 1 { q } else { 1.0 - q }).ln();
                assert!((loss - expected).abs() < 1e-12, "{logit} {label}: {loss} {expected}");
            }
        }
    }
}
