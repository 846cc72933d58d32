//! A vertex's new state: `y = norm(relu(o1 + o2))`, gated `g y + (1 - g) state` with `g = sigmoid(G · relu(g1 + g2) + b)`.
//!
//! Layer norm: `norm(x) = scale (x - mean) / sqrt(variance + 1e-5) + offset`. Its backward, with `z` the normalised value, `d` the
//! gradient times scale and means along the row: `(d - mean(d) - z mean(d z)) / sqrt(variance + 1e-5)`.

use crate::neural::nn::Scalar;
use crate::neural::nn::kernels::dispatch::kernel;
use crate::neural::nn::kernels::rows;

const EPSILON: f64 = 1e-5;

/// Mean and inverse deviation of a row.
pub(super) const STATS: usize = 2;

/// Layer norm's parameters.
#[derive(Clone, Copy)]
pub(super) struct Norm<'a, S> {
    pub scale: &'a [S],
    pub offset: &'a [S],
}

kernel! {
    /// Takes the ReLU of a column block `[row][h]` of `projections` (from `column` on, rows `stride` apart).
    pub(super) fn relu_columns<S, HARDWARE>(out: &mut [S], projections: &[S], column: usize, stride: usize, h: usize) {
        for (out, row) in out.chunks_exact_mut(h).zip(projections.chunks_exact(stride)) {
            for (out, x) in out.iter_mut().zip(&row[column..column + h]) {
                *out = x.relu();
            }
        }
    }
}

kernel! {
    /// Mean and inverse deviation of each row.
    pub(super) fn statistics<S, HARDWARE>(stats: &mut [S], values: &[S], h: usize) {
        let size = h as f64;
        for (stats, row) in stats.chunks_exact_mut(STATS).zip(values.chunks_exact(h)) {
            let mean = sum_in_f64(row, |x| x) / size;
            let variance = sum_in_f64(row, |x| (x - mean) * (x - mean)) / size;
            stats[0] = S::of(mean);
            stats[1] = S::of(1.0 / (variance + EPSILON).sqrt());
        }
    }
}

/// `Σ f(x)` in eight lanes of `f64`: an error of the mean would shift the whole row, at every step.
#[inline(always)]
fn sum_in_f64<S: Scalar>(row: &[S], f: impl Fn(f64) -> f64) -> f64 {
    let mut lanes = [0.0; 8];
    for chunk in row.chunks(8) {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += f(x.as_f64());
        }
    }
    lanes.iter().sum()
}

kernel! {
    /// The new state from the normalised one, without a gate.
    pub(super) fn replace<S, HARDWARE>(state: &mut [S], relu: &[S], stats: &[S], norm: Norm<'_, S>) {
        let h = norm.scale.len();
        for ((state, relu), stats) in state.chunks_exact_mut(h).zip(relu.chunks_exact(h)).zip(stats.chunks_exact(STATS)) {
            for c in 0..h {
                state[c] = ((relu[c] - stats[0]) * stats[1]).fma::<HARDWARE>(norm.scale[c], norm.offset[c]);
            }
        }
    }
}

kernel! {
    /// The new state, gated; `gate` holds the sigmoid's argument and then its value.
    pub(super) fn blend<S, HARDWARE>(state: &mut [S], gate: &mut [S], relu: &[S], stats: &[S], norm: Norm<'_, S>) {
        let h = norm.scale.len();
        let rows = state.chunks_exact_mut(h).zip(gate.chunks_exact_mut(h));
        for ((state, gate), (relu, stats)) in rows.zip(relu.chunks_exact(h).zip(stats.chunks_exact(STATS))) {
            for c in 0..h {
                let g = gate[c].sigmoid::<HARDWARE>().flushed();
                let y = ((relu[c] - stats[0]) * stats[1]).fma::<HARDWARE>(norm.scale[c], norm.offset[c]);
                gate[c] = g;
                state[c] = y.fma::<HARDWARE>(g, state[c] * (S::ONE - g)).flushed();
            }
        }
    }
}

kernel! {
    /// Backward of [`blend`]: `gradient` turns from that of the new state into the gated part of that of the old one, `gate` from the
    /// sigmoid's value into the gradient of its argument; `normalised` gets the gradient of layer norm's output.
    pub(super) fn blend_back<S, HARDWARE>(
        gradient: &mut [S],
        gate: &mut [S],
        normalised: &mut [S],
        state: &[S],
        relu: &[S],
        stats: &[S],
        norm: Norm<'_, S>,
    ) {
        let h = norm.scale.len();
        let outputs = gradient.chunks_exact_mut(h).zip(gate.chunks_exact_mut(h)).zip(normalised.chunks_exact_mut(h));
        let inputs = state.chunks_exact(h).zip(relu.chunks_exact(h)).zip(stats.chunks_exact(STATS));
        for (((gradient, gate), normalised), ((state, relu), stats)) in outputs.zip(inputs) {
            for c in 0..h {
                let y = ((relu[c] - stats[0]) * stats[1]).fma::<HARDWARE>(norm.scale[c], norm.offset[c]);
                let (g, d) = (gate[c], gradient[c]);
                gate[c] = (d * (y - state[c]) * g * (S::ONE - g)).flushed();
                normalised[c] = (d * g).flushed();
                gradient[c] = (d * (S::ONE - g)).flushed();
            }
        }
    }
}

kernel! {
    /// Backward of layer norm and the ReLU before it, into a column block of `projections`; adds to the gradients of scale and offset.
    pub(super) fn norm_back<S, HARDWARE>(
        projections: &mut [S],
        column: usize,
        stride: usize,
        normalised: &mut [S],
        relu: &[S],
        stats: &[S],
        norm: Norm<'_, S>,
        scale_gradient: &mut [S],
        offset_gradient: &mut [S],
    ) {
        let h = norm.scale.len();
        let size = S::of(h as f64);
        let inputs = normalised.chunks_exact_mut(h).zip(relu.chunks_exact(h)).zip(stats.chunks_exact(STATS));
        for (out, ((d, relu), stats)) in projections.chunks_exact_mut(stride).zip(inputs) {
            let out = &mut out[column..column + h];
            for c in 0..h {
                out[c] = (relu[c] - stats[0]) * stats[1];
                offset_gradient[c] += d[c];
                scale_gradient[c] = d[c].fma::<HARDWARE>(out[c], scale_gradient[c]);
                d[c] *= norm.scale[c];
            }
            let mean = rows::sum(d) / size;
            let mean_with = rows::dot::<S, HARDWARE>(d, out) / size;
            for c in 0..h {
                let x = (d[c] - mean - out[c] * mean_with) * stats[1];
                out[c] = if relu[c] > S::ZERO { x } else { S::ZERO };
            }
        }
    }
}

kernel! {
    /// Zeroes a column block of `projections` where `relu` did not pass.
    pub(super) fn mask_columns<S, HARDWARE>(projections: &mut [S], column: usize, stride: usize, relu: &[S], h: usize) {
        for (row, relu) in projections.chunks_exact_mut(stride).zip(relu.chunks_exact(h)) {
            for (x, &relu) in row[column..column + h].iter_mut().zip(relu) {
                *x = if relu > S::ZERO { *x } else { S::ZERO };
            }
        }
    }
}
