//! Candidates, runs and distributions of one graph, and the number of its solutions.

use crate::arrays::{Scale, marginals, to_rows};
use crate::graph::NativeGraph;
use crate::{Intractable, choices};
use numpy::{PyArray2, PyArrayMethods, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tiebreak::answers::Candidate;
use tiebreak::evaluate::extraction_stream;
use tiebreak::executor::{Executor, Pairs};
use tiebreak::generate::{self, Recipe, Source};
use tiebreak::problems::{self, Algorithm, COUNT_EFFORT, Prepared};
use tiebreak::random::Rng;

/// Candidates from a model's matrix; `index` tells the matrices of a batch apart.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // The caller is Python code that names each of them.
pub fn extract<'py>(
    py: Python<'py>,
    graph: &NativeGraph,
    algorithm: &str,
    source: Option<usize>,
    matrix: &Bound<'py, PyUntypedArray>,
    logits: bool,
    extractor: &str,
    draws: usize,
    seed: u64,
    index: u64,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let (algorithm, instance) = graph.case(algorithm, source)?;
    let extractor = choices::extractor(algorithm, extractor)?;
    let scale = if logits { Scale::Logits } else { Scale::Probabilities };
    let marginals = marginals(matrix, scale, instance.n()).map_err(PyValueError::new_err)?;
    let candidates: Vec<Candidate> = graph.work_on(py, algorithm, &instance, |_| {
        let mut rng = extraction_stream(algorithm, extractor, &instance, None, (seed, index));
        (0..draws).map(|_| extractor.extract(&instance, &marginals, &mut rng)).collect()
    })?;
    to_rows(py, &candidates, instance.n())
}

/// The distribution of repeated runs, or of infinitely many.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // The caller is Python code that names each of them.
pub fn distribution<'py>(
    py: Python<'py>,
    graph: &NativeGraph,
    algorithm: &str,
    source: Option<usize>,
    exact: bool,
    runs: usize,
    ties: &str,
    seed: u64,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (algorithm, instance) = graph.case(algorithm, source)?;
    let source = if exact { Source::Exact } else { Source::Empirical };
    let recipe = Recipe { source, runs, ties: choices::ties(ties)?, ..Recipe::default() };
    let mut rng = run_stream(algorithm, seed);
    let work = |prepared: &dyn Prepared| generate::marginals(algorithm, prepared, &recipe, &mut rng);
    let rows = graph.work_on(py, algorithm, &instance, work)?.map_err(intractable)?.into_vec();
    numpy::PyArray1::from_vec(py, rows).reshape([instance.n(), instance.n()])
}

/// Solutions of repeated runs with random ties.
#[pyfunction]
pub fn runs<'py>(
    py: Python<'py>,
    graph: &NativeGraph,
    algorithm: &str,
    source: Option<usize>,
    k: usize,
    ties: &str,
    seed: u64,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let (algorithm, instance) = graph.case(algorithm, source)?;
    let ties = choices::ties(ties)?;
    let mut rng = run_stream(algorithm, seed);
    let work = |prepared: &dyn Prepared| generate::runs(prepared, ties, None, k, &mut rng);
    let runs = graph.work_on(py, algorithm, &instance, work)?;
    to_rows(py, &runs, instance.n())
}

/// The same runs make `runs` and `distribution`.
fn run_stream(algorithm: &dyn Algorithm, seed: u64) -> Rng {
    Rng::stream(seed, &format!("runs {}", algorithm.name()), 0)
}

/// Candidates of the built-in executor, with priorities drawn for each.
#[pyfunction]
pub fn draw<'py>(
    py: Python<'py>,
    graph: &NativeGraph,
    algorithm: &str,
    source: Option<usize>,
    k: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let (algorithm, instance) = graph.case(algorithm, source)?;
    let none =
        |reason| PyValueError::new_err(format!("there is no built-in executor of {}: {reason}", algorithm.name()));
    let executor = Executor::built_in(algorithm).map_err(none)?;
    let uncovered = |reason| PyValueError::new_err(format!("the executor promises nothing here: {reason}"));
    executor.steps().accepts(&instance).map_err(uncovered)?;
    let drawn: Vec<Candidate> = graph.work_on(py, algorithm, &instance, |_| {
        let pairs = Pairs::new(&instance);
        let mut rng = Rng::stream(seed, &format!("executor {}", algorithm.name()), 0);
        (0..k).map(|_| executor.draw_on(&instance, &pairs, &mut rng).parents).collect()
    })?;
    to_rows(py, &drawn, instance.n())
}

/// The number of solutions, as the little-endian bytes of a whole number.
#[pyfunction]
pub fn count<'py>(
    py: Python<'py>,
    graph: &NativeGraph,
    algorithm: &str,
    source: Option<usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (algorithm, instance) = graph.case(algorithm, source)?;
    let count = graph.work_on(py, algorithm, &instance, |prepared| prepared.space().count(COUNT_EFFORT))?;
    let count = count.map_err(intractable)?;
    Ok(PyBytes::new(py, &count.to_bytes_le()))
}

fn intractable(error: problems::Intractable) -> PyErr {
    Intractable::new_err(error.to_string())
}
