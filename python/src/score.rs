//! Scores for the matrices of somebody's own model.

use crate::arrays::{Scale, marginals};
use crate::choices;
use crate::graph::NativeGraph;
use numpy::PyUntypedArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tiebreak::answers::Marginals;
use tiebreak::evaluate;
use tiebreak::graph::Instance;
use tiebreak::problems::Prepared;

/// A graph, its source and the model's matrix for it.
type Case<'py> = (PyRef<'py, NativeGraph>, Option<usize>, Bound<'py, PyUntypedArray>);

/// The metrics of draws from many matrices, each beside its graph.
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
    let at = |index: usize, message: String| PyValueError::new_err(format!("graph {index}: {message}"));
    let instances: Vec<Instance> = cases.iter().map(|(graph, source, _)| graph.instance(*source)).collect();
    let mut read: Vec<(Box<dyn Prepared + '_>, Marginals)> = vec![];
    for (index, ((graph, _, matrix), instance)) in cases.iter().zip(&instances).enumerate() {
        let prepared = algorithm.prepare(instance).map_err(|error| at(index, graph.explain(&error)))?;
        let marginals = marginals(matrix, scale, instance.n()).map_err(|message| at(index, message))?;
        read.push((prepared, marginals));
    }
    let work = || evaluate::score(algorithm, &read, extractor, (draws, seed), coverage);
    let threads = choices::own_threads()?;
    let metrics = py.detach(|| threads.install(work));
    let result = PyDict::new(py);
    result.set_item("extractor", extractor.name())?;
    result.set_item("graphs", metrics.graphs)?;
    result.set_item("valid", metrics.valid)?;
    result.set_item("weak_valid", metrics.weak_valid)?;
    result.set_item("unique", metrics.unique)?;
    result.set_item("unique_valid", metrics.unique_valid)?;
    result.set_item("accuracy", metrics.accuracy)?;
    result.set_item("coverage", metrics.coverage)?;
    result.set_item("edge_reuse", metrics.edge_reuse)?;
    result.set_item("counted", metrics.counted)?;
    Ok(result)
}
