//! Clipping by the global norm, then Adam; both as optax defines them.
//!
//! `m = b1 m + (1 - b1) g`, `v = b2 v + (1 - b2) g²`, step `-rate · (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps)`.

use super::Scalar;
use super::kernels::dispatch::kernel;
use super::kernels::{Buffer, Kernels};
use rayon::prelude::*;

/// Parameters that are worth handing to a thread.
const PIECE: usize = 1 << 15;

/// The optimiser's settings and its memory of earlier gradients.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam<S> {
    /// Size of a step.
    pub rate: f64,
    /// Decay of the mean gradient.
    pub b1: f64,
    /// Decay of the mean square.
    pub b2: f64,
    /// Keeps the division finite.
    pub epsilon: f64,
    /// Steps taken so far.
    pub steps: u64,
    /// Running mean of gradients.
    pub mean: Buffer<S>,
    /// Running mean of squared gradients.
    pub square: Buffer<S>,
}

impl<S: Scalar> Adam<S> {
    /// A fresh optimiser for `size` parameters with the usual decays.
    pub fn new(rate: f64, size: usize) -> Self {
        Adam {
            rate,
            b1: 0.9,
            b2: 0.999,
            epsilon: 1e-8,
            steps: 0,
            mean: Buffer::zeros(size),
            square: Buffer::zeros(size),
        }
    }

    /// One step against `scale * gradient`.
    pub fn step(&mut self, kernels: Kernels, params: &mut [S], gradient: &[S], scale: f64) {
        assert_eq!(params.len(), gradient.len());
        self.steps += 1;
        let power = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let step = Step {
            rate: S::of(self.rate / (1.0 - self.b1.powi(power))),
            square: S::of(1.0 / (1.0 - self.b2.powi(power))),
            decays: (S::of(self.b1), S::of(self.b2)),
            epsilon: S::of(self.epsilon),
            scale: S::of(scale),
        };
        let memory = self.mean.par_chunks_mut(PIECE).zip(self.square.par_chunks_mut(PIECE));
        let pieces = params.par_chunks_mut(PIECE).zip(gradient.par_chunks(PIECE)).zip(memory);
        pieces.for_each(|((params, gradient), (mean, square))| update(kernels, params, gradient, mean, square, step));
    }
}

/// What a gradient of this norm is to be multiplied with, to be no longer than `most`.
pub fn clip_scale(norm: f64, most: f64) -> f64 {
    if norm >= most { most / norm } else { 1.0 }
}

/// Euclidean norm, summed in `f64` in a fixed order.
pub fn norm<S: Scalar>(kernels: Kernels, values: &[S]) -> f64 {
    let pieces: Vec<f64> = values.par_chunks(PIECE).map(|piece| squares(kernels, piece)).collect();
    pieces.iter().sum::<f64>().sqrt()
}

kernel! {
    /// `Σ x²` in `f64`.
    fn squares<S, HARDWARE>(values: &[S]) -> f64 {
        let mut sums = [0.0; 16];
        for chunk in values.chunks(16) {
            for (sum, x) in sums.iter_mut().zip(chunk) {
                *sum += x.as_f64() * x.as_f64();
            }
        }
        sums.iter().sum()
    }
}

#[derive(Clone, Copy)]
struct Step<S> {
    /// The rate, corrected for a mean that began at zero.
    rate: S,
    /// The same correction for the mean square.
    square: S,
    decays: (S, S),
    epsilon: S,
    /// Of the gradient.
    scale: S,
}

kernel! {
    fn update<S, HARDWARE>(params: &mut [S], gradient: &[S], mean: &mut [S], square: &mut [S], step: Step<S>) {
        let Step { rate, square: correction, decays: (b1, b2), epsilon, scale } = step;
        let memory = mean.iter_mut().zip(square);
        for ((x, &g), (m, v)) in params.iter_mut().zip(gradient).zip(memory) {
            let g = scale * g;
            *m = (S::ONE - b1).fma::<HARDWARE>(g, b1 * *m);
            *v = (S::ONE - b2).fma::<HARDWARE>(g * g, b2 * *v);
            *x -= rate * *m / ((*v * correction).sqrt() + epsilon);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_step_has_the_size_of_the_rate() {
        // After one step m / (1 - b1) = g and v / (1 - b2) = g², so the step is rate · sign(g).
        let mut params = vec![1.0_f64, 1.0, 1.0];
        Adam::new(0.1, 3).step(Kernels::detect(), &mut params, &[5.0, -0.01, 0.0], 1.0);
        for (x, expected) in params.iter().zip([0.9, 1.1, 1.0]) {
            assert!((x - expected).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn long_gradients_are_scaled_and_short_ones_left_alone() {
        let norm = |gradient: &[f32]| norm(Kernels::detect(), gradient);
        assert_eq!(norm(&[3.0, 4.0]), 5.0);
        assert_eq!(clip_scale(5.0, 1.0), 0.2);
        assert_eq!(clip_scale(norm(&[0.3, 0.4]), 1.0), 1.0);
        let step = |gradient: [f32; 2], scale| {
            let (mut params, mut adam) = ([1.0, 1.0], Adam::new(0.1, 2));
            adam.step(Kernels::detect(), &mut params, &gradient, scale);
            (params, adam)
        };
        assert_eq!(step([3.0, 4.0], 0.5), step([1.5, 2.0], 1.0));
    }

    #[test]
    fn every_instruction_set_takes_the_same_step() {
        let gradient: Vec<f32> = (0..37).map(|i| (i as f32).cos()).collect();
        let run = |kernels| {
            let (mut params, mut adam) = (gradient.clone(), Adam::new(1e-3, 37));
            (0..3).for_each(|_| adam.step(kernels, &mut params, &gradient, 0.7));
            (params, adam)
        };
        for kernels in Kernels::available() {
            assert_eq!(run(kernels), run(Kernels::portable()));
        }
    }
}
