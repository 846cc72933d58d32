//! Adjacency matrices of any real type and layout.

use numpy::ndarray::ArrayView2;
use numpy::{Element, PyArray2, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tiebreak::instance::{Decimal, DecimalError};

/// An entry of an adjacency matrix.
pub trait Entry: Element + Copy {
    /// Booleans say only that there is an edge.
    const HAS_WEIGHTS: bool = true;
    /// Zero means that there is no edge.
    fn is_zero(self) -> bool;
    /// The weight, exactly; for a float the shortest decimal that reads back as it.
    fn decimal(self) -> Result<Decimal, DecimalError>;
}

impl Entry for bool {
    const HAS_WEIGHTS: bool = false;
    fn is_zero(self) -> bool {
        !self
    }
    fn decimal(self) -> Result<Decimal, DecimalError> {
        Ok(Decimal::whole(i64::from(self)))
    }
}

macro_rules! entries {
    ($($number:ty, $zero:literal, $decimal:expr;)*) => {$(
        impl Entry for $number {
            fn is_zero(self) -> bool {
                self == $zero
            }
            fn decimal(self) -> Result<Decimal, DecimalError> {
                $decimal(self)
            }
        }
    )*};
}

entries! {
    i8, 0, |value| Ok(Decimal::scaled(i128::from(value), 0));
    i16, 0, |value| Ok(Decimal::scaled(i128::from(value), 0));
    i32, 0, |value| Ok(Decimal::scaled(i128::from(value), 0));
    i64, 0, |value| Ok(Decimal::scaled(i128::from(value), 0));
    u8, 0, |value| Ok(Decimal::scaled(i128::from(value), 0));
    u16, 0, |value| Ok(Decimal::scaled(i128::from(value), 0));
    u32, 0, |value| Ok(Decimal::scaled(i128::from(value), 0));
    u64, 0, |value| Ok(Decimal::scaled(i128::from(value), 0));
    f32, 0.0, Decimal::from_f32;
    f64, 0.0, Decimal::from_f64;
}

/// The edges of an adjacency matrix, row = tail, with their weights.
pub struct Adjacency {
    pub n: usize,
    pub edges: Vec<(usize, usize, Decimal)>,
    pub has_weights: bool,
}

/// Reads an adjacency matrix of any real type.
pub fn adjacency(matrix: &Bound<'_, PyUntypedArray>) -> PyResult<Adjacency> {
    macro_rules! first_that_fits {
        ($($number:ty),*) => {$(
            if let Ok(array) = matrix.cast::<PyArray2<$number>>() {
                return read_edges(array.try_readonly()?.as_array());
            }
        )*};
    }
    first_that_fits!(bool, f32, f64, i64, i32, i16, i8, u8, u16, u32, u64);
    let (shape, dtype) = (matrix.shape(), matrix.dtype());
    Err(PyValueError::new_err(format!("an array of {dtype} with shape {shape:?} is not an adjacency matrix")))
}

fn read_edges<T: Entry>(matrix: ArrayView2<'_, T>) -> PyResult<Adjacency> {
    let n = square(&matrix)?;
    let mut edges = vec![];
    for ((tail, head), &entry) in matrix.indexed_iter().filter(|(_, entry)| !entry.is_zero()) {
        let at = |error: DecimalError| {
            PyValueError::new_err(format!("entry [{tail}, {head}]: {error}; 0 means that there is no edge"))
        };
        let weight = entry.decimal().map_err(at)?;
        // CLRS marks a vertex's edge to itself in its adjacency; it has no weight and plays no part.
        if tail != head {
            edges.push((tail, head, weight));
        }
    }
    Ok(Adjacency { n, edges, has_weights: T::HAS_WEIGHTS })
}

fn square<T>(matrix: &ArrayView2<'_, T>) -> PyResult<usize> {
    match matrix.dim() {
        (rows, columns) if rows == columns => Ok(rows),
        shape => Err(PyValueError::new_err(format!("a matrix of shape {shape:?} is not square"))),
    }
}
