//! `out = activation(start + A · B)`: the one matrix product.
//!
//! Each element of the result is a chain of fused multiply-adds over 128 steps of the inner dimension, in order, to which the start
//! is added last; a longer inner dimension is a sum of such chains. (Chains from zero, then the start, lose less
//! to rounding than chains that begin at the start.) The size of the register tile does not matter, so the instruction set,
//! the number of rows computed together and the number of threads cannot change a bit.

use super::dispatch::{Kernels, kernel};
use super::matrix::{Matrix, PANEL, Right};
use crate::cancel;
use crate::neural::nn::Scalar;

/// What a product is added to.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a, S> {
    /// Nothing.
    Zero,
    /// What the output holds.
    Out,
    /// A row, the same for every row of the output.
    Bias(&'a [S]),
    /// Rows of other memory, so far apart.
    Rows(&'a [S], usize),
}

/// Steps of the inner dimension between two visits of the output: 128 rows of a panel fill most of
/// a first-level cache.
const INNER: usize = 128;

/// The width of tiles for results no wider than this.
const NARROW: usize = 16;

/// The stride of nearly all factors, the default hidden size. Known when compiling, it saves the innermost loop a register
/// for each row of its tile, which would otherwise be fetched from the stack at every step.
const COMMON: usize = 128;

/// `out = start + A · B`, or its ReLU; rows of `out` lie `out_stride` apart.
#[inline]
pub fn multiply<'b, S: Scalar>(
    kernels: Kernels,
    out: &mut [S],
    out_stride: usize,
    a: Matrix<'_, S>,
    b: impl Into<Right<'b, S>>,
    start: Start<'_, S>,
    relu: bool,
) {
    product(kernels, out, out_stride, a, b.into(), start, relu);
}

kernel! {
    fn product<S, HARDWARE, [TILE: 4, 6, 6], [WIDTH: 16, 16, 64]>(
        out: &mut [S],
        out_stride: usize,
        a: Matrix<'_, S>,
        b: Right<'_, S>,
        start: Start<'_, S>,
        relu: bool,
    ) {
        assert_eq!(a.columns, b.rows, "inner dimensions of a product");
        for inner in (0..a.columns).step_by(INNER) {
            cancel::point();
            let depth = INNER.min(a.columns - inner);
            let start = if inner == 0 { start } else { Start::Out };
            let relu = relu && inner + depth == a.columns;
            let step = Step { a, b, inner, depth, start, relu, out_stride };
            match (a.row_stride, a.column_stride, b.row_stride) {
                (_, 1, PANEL) if b.columns <= NARROW => step.run::<HARDWARE, TILE, NARROW, 0, false, PANEL>(out),
                (1, _, PANEL) if b.columns <= NARROW => step.run::<HARDWARE, TILE, NARROW, 0, true, PANEL>(out),
                (COMMON, 1, PANEL) => step.run::<HARDWARE, TILE, WIDTH, COMMON, false, PANEL>(out),
                (1, COMMON, COMMON) => step.run::<HARDWARE, TILE, WIDTH, COMMON, true, COMMON>(out),
                (_, 1, _) => step.run::<HARDWARE, TILE, WIDTH, 0, false, 0>(out),
                (1, _, _) => step.run::<HARDWARE, TILE, WIDTH, 0, true, 0>(out),
                _ => panic!("a left factor has contiguous rows or contiguous columns"),
            }
        }
    }
}

/// One block of the inner dimension.
struct Step<'a, S> {
    a: Matrix<'a, S>,
    b: Right<'a, S>,
    inner: usize,
    depth: usize,
    start: Start<'a, S>,
    relu: bool,
    out_stride: usize,
}

impl<S: Scalar> Step<'_, S> {
    #[inline(always)]
    fn run<
        const HARDWARE: bool,
        const TILE: usize,
        const WIDTH: usize,
        const STRIDE: usize,
        const TRANSPOSED: bool,
        const RIGHT: usize,
    >(
        &self,
        out: &mut [S],
    ) {
        for column in (0..self.b.columns).step_by(WIDTH) {
            let mut row = 0;
            // Not 6 + 2 at the end but 4 + 4: a tile of two rows does not keep the multipliers busy.
            while row + TILE <= self.a.rows && row + TILE + 2 != self.a.rows {
                self.tile::<HARDWARE, TILE, WIDTH, STRIDE, TRANSPOSED, RIGHT>(out, row, column);
                row += TILE;
            }
            while row + 4 <= self.a.rows {
                self.tile::<HARDWARE, 4, WIDTH, STRIDE, TRANSPOSED, RIGHT>(out, row, column);
                row += 4;
            }
            while row + 2 <= self.a.rows {
                self.tile::<HARDWARE, 2, WIDTH, STRIDE, TRANSPOSED, RIGHT>(out, row, column);
                row += 2;
            }
            if row < self.a.rows {
                self.tile::<HARDWARE, 1, WIDTH, STRIDE, TRANSPOSED, RIGHT>(out, row, column);
            }
        }
    }

    /// `TILE` x `WIDTH` results, held in registers while the inner dimension passes by.
    #[inline(always)]
    fn tile<
        const HARDWARE: bool,
        const TILE: usize,
        const WIDTH: usize,
        const STRIDE: usize,
        const TRANSPOSED: bool,
        const RIGHT: usize,
    >(
        &self,
        out: &mut [S],
        row: usize,
        column: usize,
    ) {
        let width = WIDTH.min(self.b.columns - column);
        let Right { data, row_stride, panel_stride, .. } = self.b;
        let b = &data[column / PANEL * panel_stride + self.inner * row_stride + column % PANEL..];
        let a = Strip::<S, STRIDE, TRANSPOSED>::new(self.a, row, self.inner);
        let mut sums = [[S::ZERO; WIDTH]; TILE];
        multiply_add::<S, HARDWARE, TILE, WIDTH, STRIDE, TRANSPOSED, RIGHT>(&mut sums, a, (b, row_stride), self.depth);
        for (i, sums) in sums.iter().enumerate() {
            let out = &mut out[(row + i) * self.out_stride + column..];
            if width == WIDTH {
                self.finish(out.first_chunk_mut().expect("within the output"), sums, row + i, column);
            } else {
                self.finish_part(&mut out[..width], sums, row + i, column);
            }
        }
    }

    /// A whole row of a tile: adds the start, takes the ReLU, stores.
    #[inline(always)]
    fn finish<const WIDTH: usize>(&self, out: &mut [S; WIDTH], sums: &[S; WIDTH], row: usize, column: usize) {
        let mut results = match self.start {
            Start::Zero => *sums,
            Start::Out => std::array::from_fn(|j| sums[j] + out[j]),
            Start::Bias(bias) => {
                let bias: &[S; WIDTH] = bias[column..].first_chunk().expect("as wide as the output");
                std::array::from_fn(|j| sums[j] + bias[j])
            }
            Start::Rows(rows, stride) => {
                let start: &[S; WIDTH] = rows[row * stride + column..].first_chunk().expect("as wide as the output");
                std::array::from_fn(|j| sums[j] + start[j])
            }
        };
        if self.relu {
            results.iter_mut().for_each(|x| *x = x.relu());
        }
        *out = results;
    }

    /// The same where the matrix ends within the tile.
    #[cold]
    fn finish_part(&self, out: &mut [S], sums: &[S], row: usize, column: usize) {
        for (j, (out, &sum)) in out.iter_mut().zip(sums).enumerate() {
            let start = match self.start {
                Start::Zero => S::ZERO,
                Start::Out => *out,
                Start::Bias(bias) => bias[column + j],
                Start::Rows(rows, stride) => rows[row * stride + column + j],
            };
            *out = if self.relu { (sum + start).relu() } else { sum + start };
        }
    }
}

/// Rows of a left factor from some column on; `STRIDE` is the distance of its rows (of its columns, when transposed), or 0
/// where that is known at run time only.
#[derive(Clone, Copy)]
struct Strip<'a, S, const STRIDE: usize, const TRANSPOSED: bool> {
    data: &'a [S],
    stride: usize,
}

impl<'a, S: Scalar, const STRIDE: usize, const TRANSPOSED: bool> Strip<'a, S, STRIDE, TRANSPOSED> {
    #[inline(always)]
    fn new(a: Matrix<'a, S>, row: usize, column: usize) -> Self {
        let data = &a.data[row * a.row_stride + column * a.column_stride..];
        Strip { data, stride: if TRANSPOSED { a.column_stride } else { a.row_stride } }
    }

    #[inline(always)]
    fn place(&self, row: usize, column: usize) -> usize {
        let stride = if STRIDE > 0 { STRIDE } else { self.stride };
        if TRANSPOSED { column * stride + row } else { row * stride + column }
    }
}

/// The innermost loop: `sums[i][j] = Σ_p a[i][p] * b[p][j]`, where rows of `b` lie `RIGHT` apart, or `stride` if that is 0. It sums in a variable of its own, to which nothing else refers:
/// otherwise the compiler does not keep it in registers.
#[expect(clippy::needless_range_loop, reason = "written over indices, the sums stay in registers")]
#[inline(always)]
fn multiply_add<
    S: Scalar,
    const HARDWARE: bool,
    const TILE: usize,
    const WIDTH: usize,
    const STRIDE: usize,
    const TRANSPOSED: bool,
    const RIGHT: usize,
>(
    out: &mut [[S; WIDTH]; TILE],
    a: Strip<'_, S, STRIDE, TRANSPOSED>,
    (b, stride): (&[S], usize),
    depth: usize,
) {
    let stride = if RIGHT > 0 { RIGHT } else { stride };
    let mut sums = [[S::ZERO; WIDTH]; TILE];
    assert!(depth > 0 && a.data.len() > a.place(TILE - 1, depth - 1) && b.len() >= (depth - 1) * stride + WIDTH);
    for p in 0..depth {
        // SAFETY: `p < depth` and `i < TILE`, places grow with both, and the assertion above holds for the last of them.
        // Checks in here cost several per cent of a training step.
        let b: &[S; WIDTH] = unsafe { &*b.as_ptr().add(p * stride).cast() };
        for i in 0..TILE {
            // SAFETY: as above.
            let a = unsafe { *a.data.get_unchecked(a.place(i, p)) };
            for j in 0..WIDTH {
                sums[i][j] = a.fma::<HARDWARE>(b[j], sums[i][j]);
            }
        }
    }
    *out = sums;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neural::nn::kernels::Packed;

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7919 + seed * 104_729) % 2003) as f32 / 1001.0 - 1.0).collect()
    }

    fn plain(a: Matrix<'_, f32>, b: Matrix<'_, f32>, bias: &[f32]) -> Vec<f32> {
        let at = |m: Matrix<'_, f32>, r: usize, c: usize| m.data[r * m.row_stride + c * m.column_stride];
        let mut out = Vec::new();
        for r in 0..a.rows {
            for (c, &bias) in bias.iter().enumerate() {
                let chain = |start: usize| {
                    (start..a.columns.min(start + INNER)).fold(0.0, |sum, p| at(a, r, p).mul_add(at(b, p, c), sum))
                };
                out.push((0..a.columns).step_by(INNER).fold(bias, |sum, start| chain(start) + sum).max(0.0));
            }
        }
        out
    }

    #[test]
    fn products_equal_the_definition_to_the_bit_for_every_instruction_set() {
        for (rows, inner, columns) in
            [(1, 1, 1), (5, 8, 24), (7, 130, 65), (8, 3, 64), (13, 128, 128), (20, 9, 70), (4, 300, 8)]
        {
            let (a, b, bias) = (numbers(rows * inner, 1), numbers(inner * columns, 2), numbers(columns, 3));
            let (a, b) = (Matrix::new(&a, inner), Matrix::new(&b, columns));
            let expected = plain(a, b, &bias);
            for kernels in Kernels::available() {
                let mut out = vec![0.0; rows * columns];
                multiply(kernels, &mut out, columns, a, &Packed::new(b), Start::Bias(&bias), true);
                assert_eq!(out, expected, "{rows}x{inner}x{columns} {kernels:?}");
            }
        }
    }

    #[test]
    fn transposed_factors_and_accumulation() {
        let (rows, inner, columns) = (9, 140, 70);
        let (a, b) = (numbers(inner * rows, 1), numbers(columns * inner, 2));
        let (a, b) = (Matrix::new(&a, rows).transposed(), Matrix::new(&b, inner).transposed());
        let start = vec![4.0; columns];
        for kernels in Kernels::available() {
            let mut out = vec![4.0; rows * columns];
            multiply(kernels, &mut out, columns, a, &Packed::new(b), Start::Out, true);
            assert_eq!(out, plain(a, b, &start));
        }
    }
    #[test]
    fn factors_and_starts_where_they_lie_give_what_copies_of_them_give() {
        let (rows, inner, columns, stride) = (10, 140, 128, 150);
        let (a, b, start) = (numbers(inner * rows, 1), numbers(inner * stride, 2), numbers(rows * stride, 3));
        let b = Matrix::block(&b, inner, columns, stride);
        let run = |kernels, right: Right<'_, f32>, start: Start<'_, f32>, out: &mut Vec<f32>| {
            multiply(kernels, out, columns, Matrix::new(&a, rows).transposed(), right, start, false);
        };
        for kernels in Kernels::available() {
            let mut copied: Vec<f32> = start.chunks(stride).flat_map(|row| &row[..columns]).copied().collect();
            run(kernels, (&Packed::new(b)).into(), Start::Out, &mut copied);
            let (mut scratch, mut in_place) = (Packed::default(), vec![0.0; rows * columns]);
            run(kernels, scratch.once(b), Start::Rows(&start, stride), &mut in_place);
            assert_eq!(in_place, copied, "{kernels:?}");
        }
    }
}
