//! A strided view of a matrix, and a copy of it reordered for products.

use super::buffer::Buffer;
use crate::neural::nn::Scalar;

/// A matrix somewhere in a slice: element (r, c) is at `r * row_stride + c * column_stride`.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a, S> {
    pub(crate) data: &'a [S],
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) row_stride: usize,
    pub(crate) column_stride: usize,
}

impl<'a, S> Matrix<'a, S> {
    /// All of `data` as rows of `columns` numbers.
    pub fn new(data: &'a [S], columns: usize) -> Self {
        Self::block(data, data.len() / columns, columns, columns)
    }

    /// The first `columns` numbers of each of `rows` rows that lie `row_stride` apart.
    pub fn block(data: &'a [S], rows: usize, columns: usize, row_stride: usize) -> Self {
        let needed = if rows == 0 { 0 } else { (rows - 1) * row_stride + columns };
        assert!(
            data.len() >= needed,
            "{rows} rows of {columns}, {row_stride} apart, need {needed} numbers, not {}",
            data.len()
        );
        Matrix { data, rows, columns, row_stride, column_stride: 1 }
    }

    /// The transpose: the same numbers, rows and columns exchanged.
    pub fn transposed(self) -> Self {
        Matrix {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }
}

/// Columns in a panel of a right factor.
pub const PANEL: usize = 64;

/// The right factor of a product, in whole panels of [`PANEL`] columns: a packed copy, or a matrix where it lies.
#[derive(Clone, Copy, Debug)]
pub struct Right<'a, S> {
    pub(crate) data: &'a [S],
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) row_stride: usize,
    pub(crate) panel_stride: usize,
}

impl<'a, S> From<&'a Packed<S>> for Right<'a, S> {
    fn from(packed: &'a Packed<S>) -> Self {
        let Packed { rows, columns, ref panels } = *packed;
        Right { data: panels, rows, columns, row_stride: PANEL, panel_stride: PANEL * rows }
    }
}

/// A copy in panels of [`PANEL`] columns, so that the kernel reads it in order: `[columns / 64][rows][64]`, the last panel filled
/// up with zeros.
#[derive(Clone, Debug, Default)]
pub struct Packed<S> {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) panels: Buffer<S>,
}

impl<S: Scalar> Packed<S> {
    /// Packs one matrix.
    pub fn new(matrix: Matrix<'_, S>) -> Self {
        Self::side_by_side(&[matrix])
    }

    /// Packs matrices of equal height as one, left to right.
    pub fn side_by_side(matrices: &[Matrix<'_, S>]) -> Self {
        let mut packed = Packed { rows: 0, columns: 0, panels: Buffer::default() };
        packed.refill(matrices);
        packed
    }

    /// As [`Packed::side_by_side`], into memory that is already there.
    pub fn refill(&mut self, matrices: &[Matrix<'_, S>]) {
        self.rows = matrices[0].rows;
        self.columns = matrices.iter().map(|matrix| matrix.columns).sum();
        let size = self.columns.next_multiple_of(PANEL) * self.rows;
        self.panels.at_least(size);
        self.clear_filling();
        let mut first = 0;
        for matrix in matrices {
            assert_eq!(matrix.rows, self.rows, "matrices side by side must be equally high");
            self.place(matrix, first);
            first += matrix.columns;
        }
    }

    /// A factor that is used once: where it lies, if its rows are whole panels, since a copy would cost a twelfth of the product; else
    /// packed, into memory that is already there.
    pub fn once<'a>(&'a mut self, matrix: Matrix<'a, S>) -> Right<'a, S> {
        if matrix.column_stride == 1 && matrix.columns.is_multiple_of(PANEL) {
            let Matrix { data, rows, columns, row_stride, .. } = matrix;
            return Right { data, rows, columns, row_stride, panel_stride: PANEL };
        }
        self.refill(&[matrix]);
        Right::from(&*self)
    }

    fn clear_filling(&mut self) {
        let used = self.columns % PANEL;
        if used == 0 {
            return;
        }
        let last = self.columns / PANEL * PANEL * self.rows;
        for row in self.panels[last..last + PANEL * self.rows].chunks_exact_mut(PANEL) {
            row[used..].fill(S::ZERO);
        }
    }

    fn place(&mut self, matrix: &Matrix<'_, S>, first: usize) {
        let mut column = 0;
        while column < matrix.columns {
            let (panel, offset) = ((first + column) / PANEL, (first + column) % PANEL);
            let width = (PANEL - offset).min(matrix.columns - column);
            let start = panel * PANEL * self.rows;
            let rows = self.panels[start..start + PANEL * self.rows].chunks_exact_mut(PANEL);
            for (r, row) in rows.enumerate() {
                let from = r * matrix.row_stride + column * matrix.column_stride;
                copy_strided(&mut row[offset..offset + width], &matrix.data[from..], matrix.column_stride);
            }
            column += width;
        }
    }
}

#[inline(always)]
fn copy_strided<S: Copy>(out: &mut [S], from: &[S], stride: usize) {
    if stride == 1 {
        out.copy_from_slice(&from[..out.len()]);
    } else {
        for (out, from) in out.iter_mut().zip(from.iter().step_by(stride)) {
            *out = *from;
        }
    }
}
