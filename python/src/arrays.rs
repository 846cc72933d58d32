//! numpy arrays in and out: matrices of any real type and layout, parent arrays.

use numpy::ndarray::{ArrayView2, Axis};
use numpy::{Element, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tiebreak::answers::{Candidate, Form, Marginals};
use tiebreak::graph::{Decimal, DecimalError};

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

/// How a model's numbers are to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Weights that are not negative; each row is divided by its sum.
    Probabilities,
    /// Any numbers; each row goes through a softmax.
    Logits,
}

impl Scale {
    /// Whether a number can stand on this scale.
    fn has(self, value: f64) -> bool {
        match self {
            Scale::Probabilities => value.is_finite() && value >= 0.0,
            Scale::Logits => !value.is_nan() && value < f64::INFINITY,
        }
    }
}

/// Reads a model's matrix for a graph of `n` vertices: row = child, column = parent.
pub fn marginals(matrix: &Bound<'_, PyUntypedArray>, scale: Scale, n: usize) -> Result<Marginals, String> {
    let shape = matrix.shape();
    if shape != [n, n] {
        return Err(format!("the matrix has shape {shape:?}, but the graph has {n} vertices"));
    }
    let values: Vec<f64> = if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, f32>>() {
        array.as_array().iter().map(|&value| f64::from(value)).collect()
    } else if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, f64>>() {
        array.as_array().iter().copied().collect()
    } else {
        return Err(format!("a matrix of {} is neither float32 nor float64", matrix.dtype()));
    };
    let place = values.iter().position(|&value| !scale.has(value)).map(|place| (place / n, place % n, values[place]));
    let marginals = match scale {
        Scale::Probabilities => Marginals::from_weights(Form::Parents, n, values),
        Scale::Logits => Marginals::from_logits(Form::Parents, n, values),
    };
    marginals.map_err(|error| match place {
        Some((child, parent, value)) => format!("entry [{child}, {parent}] is {value}: {error}"),
        None => error.to_string(),
    })
}

/// Reads candidates, one a row, for a graph of `n` vertices.
pub fn candidates(parents: &PyReadonlyArray2<'_, i64>, n: usize) -> PyResult<Vec<Candidate>> {
    let parents = parents.as_array();
    if parents.ncols() != n {
        let message = format!("there are {} parents, but the graph has {n} vertices", parents.ncols());
        return Err(PyValueError::new_err(message));
    }
    let read = |(row, parents): (usize, numpy::ndarray::ArrayView1<'_, i64>)| {
        let wrong = |(vertex, &parent): (usize, &i64)| {
            let of = if row == 0 { String::new() } else { format!("candidate {row}: ") };
            PyValueError::new_err(format!(
                "{of}the parent of vertex {vertex} is {parent}, but there are {n} vertices (a root is its own parent)"
            ))
        };
        let in_range = |&parent: &i64| usize::try_from(parent).ok().filter(|&parent| parent < n);
        let checked = parents.iter().enumerate().map(|entry| in_range(entry.1).ok_or_else(|| wrong(entry)));
        let checked: PyResult<Vec<usize>> = checked.collect();
        Ok(Candidate::from_parents(checked?).expect("each parent is in range"))
    };
    parents.axis_iter(Axis(0)).enumerate().map(read).collect()
}

/// Candidates as the rows of an array.
pub fn to_rows<'py>(py: Python<'py>, candidates: &[Candidate], n: usize) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let parents = candidates.iter().flat_map(|candidate| candidate.choices()).map(|&parent| i64::from(parent));
    numpy::PyArray1::from_vec(py, parents.collect()).reshape([candidates.len(), n])
}
