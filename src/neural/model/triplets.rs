//! Triplet messages at a graph's last step, for the decoder's edge feature of (parent p, child c):
//!
//! `max_i (t1_i + a_ip + b_ic) + t2_p + t3_c + e_pc`, with `a`, `b`, `e` linear in the scalars of their pairs.
//!
//! For each feature the maximum is a (max, +) product of two n x n matrices, `first[i][p] = t1_i + a_ip` and `second[i][c] = b_ic`.

use crate::cancel;
use std::ops::Range;

use crate::neural::nn::Scalar;
use crate::neural::nn::kernels::dispatch::kernel;
use crate::neural::nn::kernels::{Buffer, Kernels, rows};

use super::features::Features;

/// One graph's triplets and what they are made of.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a, S> {
    pub features: &'a Features,
    /// `[vertex][3 t]`: parts of the first, second and third vertex.
    pub vertices: &'a [S],
    /// Folded edge rows `[scalar][columns]` and where the triplets' `3 t` columns start in them.
    pub edge_rows: &'a [S],
    pub edge_columns: usize,
    pub first_column: usize,
    /// Features of a triplet, t.
    pub size: usize,
}

/// The maxima of one graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Maxima<S> {
    first: Buffer<S>,
    second: Buffer<S>,
    /// `[feature][child][parent]`.
    values: Buffer<S>,
    /// The vertex i of each maximum; the first of equals.
    winners: Vec<u32>,
}

impl<S: Scalar> Parts<'_, S> {
    /// The columns of an edge scalar's row for the first (0), second (1) or third (2) edge part.
    fn coefficients(&self, scalar: usize, part: usize) -> Range<usize> {
        let start = scalar * self.edge_columns + self.first_column + part * self.size;
        start..start + self.size
    }

    fn scalar(&self, s: usize, pair: usize) -> S {
        S::of(f64::from(self.features.edge()[s][pair]))
    }

    /// The three maxima's parts that do not depend on i, and the maximum, as rows `[child][parent][feature]` of some children.
    pub fn rows(&self, maxima: &Maxima<S>, children: Range<usize>, out: &mut [S]) {
        let (n, t) = (self.features.nodes(), self.size);
        for (row, out) in out.chunks_exact_mut(t).enumerate() {
            let (child, parent) = (children.start + row / n, row % n);
            let [second, third] = [parent * 3 + 1, child * 3 + 2].map(|part| &self.vertices[part * t..][..t]);
            let values = maxima.values[child * n + parent..].iter().step_by(n * n);
            for ((out, &value), (&second, &third)) in out.iter_mut().zip(values).zip(second.iter().zip(third)) {
                *out = value + (second + third);
            }
            for s in 0..self.features.edge().len() {
                let x = self.scalar(s, parent * n + child);
                let coefficients = &self.edge_rows[self.coefficients(s, 2)];
                out.iter_mut().zip(coefficients).for_each(|(out, &coefficient)| *out += x * coefficient);
            }
        }
    }

    /// Pushes the gradients of [`Parts::rows`] back, adding to those of the vertices' parts and of the edge rows.
    pub fn rows_back(
        &self,
        maxima: &Maxima<S>,
        children: Range<usize>,
        gradient: &[S],
        vertices: &mut [S],
        edge_rows: &mut [S],
    ) {
        let (n, t) = (self.features.nodes(), self.size);
        for (row, gradient) in gradient.chunks_exact(t).enumerate() {
            let (child, parent) = (children.start + row / n, row % n);
            for part in [parent * 3 + 1, child * 3 + 2] {
                rows::add(&mut vertices[part * t..][..t], gradient);
            }
            let winners = || maxima.winners[child * n + parent..].iter().step_by(n * n).zip(gradient);
            for (f, (&i, &d)) in winners().enumerate() {
                vertices[i as usize * 3 * t + f] += d;
            }
            for s in 0..self.features.edge().len() {
                let x = self.scalar(s, parent * n + child);
                let row = &mut edge_rows[self.coefficients(s, 2)];
                row.iter_mut().zip(gradient).for_each(|(out, &d)| *out += x * d);
                for (part, end) in [parent, child].into_iter().enumerate() {
                    let row = edge_rows[self.coefficients(s, part)].iter_mut();
                    row.zip(winners()).for_each(|(out, (&i, &d))| *out += self.scalar(s, i as usize * n + end) * d);
                }
            }
        }
    }

    /// Takes the maxima over i.
    pub fn maximise(&self, kernels: Kernels, maxima: &mut Maxima<S>) {
        let (n, t) = (self.features.nodes(), self.size);
        let Maxima { first, second, values, winners } = maxima;
        let [first, second, values] = [first, second, values].map(|plane| plane.at_least(t * n * n));
        winners.resize((t * n * n).max(winners.len()), 0);
        for f in 0..t {
            cancel::point();
            let plane = f * n * n..(f + 1) * n * n;
            let (first, second) = (&mut first[plane.clone()], &mut second[plane.clone()]);
            second.fill(S::ZERO);
            for (i, row) in first.chunks_exact_mut(n).enumerate() {
                row.fill(self.vertices[i * 3 * t + f]);
            }
            for (s, scalar) in self.features.edge().iter().enumerate() {
                let [a, b] = [0, 1].map(|part| self.edge_rows[self.coefficients(s, part)][f]);
                for ((first, second), &x) in first.iter_mut().zip(second.iter_mut()).zip(scalar) {
                    *first += S::of(f64::from(x)) * a;
                    *second += S::of(f64::from(x)) * b;
                }
            }
            max_plus(kernels, &mut values[plane.clone()], &mut winners[plane], first, second, n);
        }
    }
}

kernel! {
    /// `values[c][p] = max_i (first[i][p] + second[i][c])`, and the first i that reaches it.
    fn max_plus<S, HARDWARE>(values: &mut [S], winners: &mut [u32], first: &[S], second: &[S], n: usize) {
        for (c, (best, winner)) in values.chunks_exact_mut(n).zip(winners.chunks_exact_mut(n)).enumerate() {
            best.iter_mut().zip(first).for_each(|(best, &x)| *best = x + second[c]);
            winner.fill(0);
            for i in 1..n {
                let (row, shift) = (&first[i * n..(i + 1) * n], second[i * n + c]);
                for p in 0..n {
                    let x = row[p] + shift;
                    let better = x > best[p];
                    best[p] = if better { x } else { best[p] };
                    winner[p] = if better { i as u32 } else { winner[p] };
                }
            }
        }
    }
}
