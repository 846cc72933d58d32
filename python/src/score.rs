//! Scores for the matrices of somebody's own model.

use crate::arrays::{Scale, parent_distribution};
use crate::choices;
use crate::graph::NativeGraph;
use numpy::PyUntypedArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tiebreak::evaluate;
use tiebreak::graph::Instance;
use tiebreak::parents::ParentDistribution;

/// A graph, its source and the model's matrix for it.
type Case<'py> = (PyRef<'py, NativeGraph>, Option<usize>, Bound<'py, PyUntypedArray>);

/// The figures of draws from many matrices, each beside its graph.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // The caller is Python code that names each of them.
pub fn score<'py>(
    py: Python<'py>,
    cases: Vec<Case<'py>>,
    algorithm: &str,
    logits: bool,
    extractor: &str,
    draws: usize,
    seed: u64,
    coverage: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let algorithm = choices::algorithm(algorithm)?;
    let extractor = choices::extractor(algorithm, extractor)?;
    let scale = if logits { Scale::Logits } else { Scale::Probabilities };
    let mut read: Vec<(Instance, ParentDistribution)> = vec![];
    for (index, (graph, source, matrix)) in cases.iter().enumerate() {
        let at = |message: String| PyValueError::new_err(format!("graph {index}: {message}"));
        let instance = graph.instance(algorithm, *source).map_err(|error| at(error.value(py).to_string()))?;
        let distribution = parent_distribution(matrix, scale, instance.n()).map_err(at)?;
        read.push((instance, distribution));
    }
    let work = || evaluate::score(algorithm, &read, extractor, (draws, seed), coverage);
    let threads = choices::own_threads()?;
    let figures = py.detach(|| threads.install(work));
    let result = PyDict::new(py);
    result.set_item("extractor", extractor.name())?;
    result.set_item("graphs", figures.graphs)?;
    result.set_item("valid", figures.valid)?;
    result.set_item("weak_valid", figures.weak_valid)?;
    result.set_item("unique", figures.unique)?;
    result.set_item("unique_valid", figures.unique_valid)?;
    result.set_item("accuracy", figures.accuracy)?;
    result.set_item("coverage", figures.coverage)?;
    result.set_item("edge_reuse", figures.edge_reuse)?;
    result.set_item("counted", figures.counted)?;
    Ok(result)
}
