//! Losses of one child's row of logits, with their gradients.
//!
//! With `s = softmax(logits)`:
//!
//! | target | loss of an entry or row | mean over | gradient of a logit |
//! |---|---|---|---|
//! | distribution p | `p ln(p / q) - p + q`, `q = s + 1e-8` | n² entries | `s (d - Σ s d)`, `d = 1 - p / q` |
//! | parent | `-ln s[parent]` | n rows | `s - [parent]` |
//!
//! The loss of a batch is the mean over its graphs, which for graphs of one size is dm-clrs' mean over all entries.

use crate::nn::Scalar;
use crate::nn::kernels::Kernels;
use crate::nn::kernels::dispatch::kernel;
use crate::nn::kernels::rows;

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

/// The loss of one child's row. `row` holds logits and then their gradient, times `weight`.
pub(super) fn row_loss<S: Scalar>(kernels: Kernels, row: &mut [S], target: &Target, child: usize, weight: S) -> f64 {
    let n = row.len();
    match target {
        Target::Distribution(all) => {
            softmax(kernels, row);
            divergence(row, &all[child * n..(child + 1) * n], weight / S::of(n as f64 * n as f64))
        }
        Target::Parents(parents) => cross_entropy(kernels, row, parents[child] as usize, weight / S::of(n as f64)),
    }
}

fn divergence<S: Scalar>(row: &mut [S], target: &[f32], weight: S) -> f64 {
    let mut loss = 0.0;
    let mut common = S::ZERO;
    for (&s, &p) in row.iter().zip(target) {
        let (p, q) = (S::of(f64::from(p)), s + S::of(1e-8));
        if p > S::ZERO {
            loss += (p * (p / q).ln() - p + q).as_f64();
        } else {
            loss += q.as_f64();
        }
        common += s * (S::ONE - p / q);
    }
    for (s, &p) in row.iter_mut().zip(target) {
        let (p, q) = (S::of(f64::from(p)), *s + S::of(1e-8));
        *s = (weight * *s * (S::ONE - p / q - common)).without_dust();
    }
    loss * weight.as_f64()
}

fn cross_entropy<S: Scalar>(kernels: Kernels, row: &mut [S], parent: usize, weight: S) -> f64 {
    // From the logit, not the probability: stays finite where the probability underflows.
    let chosen = row[parent];
    let normaliser = softmax(kernels, row);
    row[parent] -= S::ONE;
    row.iter_mut().for_each(|x| *x = (*x * weight).without_dust());
    ((normaliser - chosen) * weight).as_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_is_sure_of_itself_gets_no_subnormal_gradients() {
        let target = Target::Distribution(vec![1.0, 0.0, 0.0, 0.0]);
        for other in [Target::Parents(vec![0; 4]), target] {
            for doubt in 0..110 {
                let mut row = [0.0_f32, -0.5 * doubt as f32, -doubt as f32, -100.0];
                row_loss(Kernels::detect(), &mut row, &other, 0, 1.0 / 32.0);
                assert!(row.iter().all(|&x| x == 0.0 || x.abs() >= 1e-18), "{row:?}");
            }
        }
    }
}
