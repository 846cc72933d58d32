//! Operations on one row, to be inlined into kernels (see [`dispatch`](super::dispatch)), and kernels on all rows of a matrix.
//!
//! Sums along a row run in sixteen lanes that are added in a fixed order, so they vectorise and still do not depend
//! on the instruction set.

use super::dispatch::kernel;
use crate::neural::nn::Scalar;

const LANES: usize = 16;

/// Columns whose sums fit into registers.
const STRIP: usize = 128;

/// `out += x`.
#[inline(always)]
pub(crate) fn add<S: Scalar>(out: &mut [S], x: &[S]) {
    for (out, &x) in out.iter_mut().zip(x) {
        *out += x;
    }
}

/// Copies the first `width` numbers of rows that lie `stride` apart.
pub(crate) fn copy_columns<S: Copy>(out: &mut [S], width: usize, from: &[S], stride: usize) {
    for (out, from) in out.chunks_exact_mut(width).zip(from.chunks_exact(stride)) {
        out.copy_from_slice(&from[..width]);
    }
}

/// `out += scale * x`.
#[inline(always)]
pub(crate) fn add_scaled<S: Scalar, const HARDWARE: bool>(out: &mut [S], scale: S, x: &[S]) {
    for (out, &x) in out.iter_mut().zip(x) {
        *out = scale.fma::<HARDWARE>(x, *out);
    }
}

/// `out += Σ scale · row` over `terms`, a strip of columns at a time so that the sums stay in registers.
#[inline(always)]
pub(crate) fn add_all_scaled<'a, S: Scalar, const HARDWARE: bool>(
    out: &mut [S],
    terms: impl Iterator<Item = (S, &'a [S])> + Clone,
) {
    let (strips, rest) = out.as_chunks_mut::<STRIP>();
    let whole = strips.len() * STRIP;
    for (i, strip) in strips.iter_mut().enumerate() {
        let mut sums = *strip;
        for (scale, row) in terms.clone() {
            let row: &[S; STRIP] = row[i * STRIP..].first_chunk().expect("as wide as the output");
            for c in 0..STRIP {
                sums[c] = scale.fma::<HARDWARE>(row[c], sums[c]);
            }
        }
        *strip = sums;
    }
    if !rest.is_empty() {
        for (scale, row) in terms {
            add_scaled::<S, HARDWARE>(rest, scale, &row[whole..]);
        }
    }
}

/// `Σ a · b`.
#[inline(always)]
pub(crate) fn dot<S: Scalar, const HARDWARE: bool>(a: &[S], b: &[S]) -> S {
    let mut lanes = [S::ZERO; LANES];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a.iter().zip(b) {
        for i in 0..LANES {
            lanes[i] = a[i].fma::<HARDWARE>(b[i], lanes[i]);
        }
    }
    for (lane, (&a, &b)) in lanes.iter_mut().zip(a_rest.iter().zip(b_rest)) {
        *lane = a.fma::<HARDWARE>(b, *lane);
    }
    add_lanes(lanes)
}

/// `Σ x`.
#[inline(always)]
pub(crate) fn sum<S: Scalar>(x: &[S]) -> S {
    let mut lanes = [S::ZERO; LANES];
    let (chunks, rest) = x.as_chunks::<LANES>();
    for chunk in chunks {
        for i in 0..LANES {
            lanes[i] += chunk[i];
        }
    }
    for (lane, &x) in lanes.iter_mut().zip(rest) {
        *lane += x;
    }
    add_lanes(lanes)
}

#[inline(always)]
fn add_lanes<S: Scalar>(mut lanes: [S; LANES]) -> S {
    let mut half = LANES / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] += lanes[i + half];
        }
        half /= 2;
    }
    lanes[0]
}

kernel! {
    /// `out += Σ rows`, in order, a strip of columns at a time so that the sums stay in registers.
    pub fn add_rows<S, HARDWARE>(out: &mut [S], rows: &[S], stride: usize) {
        let (strips, rest) = out.as_chunks_mut::<STRIP>();
        let whole = strips.len() * STRIP;
        for (i, strip) in strips.iter_mut().enumerate() {
            let mut sums = *strip;
            for row in rows.chunks(stride) {
                let row: &[S; STRIP] = row[i * STRIP..].first_chunk().expect("as wide as the output");
                for c in 0..STRIP {
                    sums[c] += row[c];
                }
            }
            *strip = sums;
        }
        if !rest.is_empty() {
            for row in rows.chunks(stride) {
                add(rest, &row[whole..]);
            }
        }
    }
}

kernel! {
    /// `out += W · d`, for a column `d` and `W` as rows.
    pub fn add_matrix_times_column<S, HARDWARE>(out: &mut [S], w: &[S], d: &[S]) {
        for (out, w) in out.iter_mut().zip(w.chunks_exact(d.len())) {
            *out += dot::<S, HARDWARE>(w, d);
        }
    }
}

kernel! {
    /// `W += x · d`, the outer product of a column and a row.
    pub fn add_outer<S, HARDWARE>(w: &mut [S], x: &[S], d: &[S]) {
        for (w, &x) in w.chunks_exact_mut(d.len()).zip(x) {
            add_scaled::<S, HARDWARE>(w, x, d);
        }
    }
}
