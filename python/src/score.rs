//! Scores for the matrices of somebody's own model.

use crate::batch::{Failure, NativeBatch};
use crate::choices;
use crate::draws::read_all;
use crate::interrupt::{self, Threads};
use numpy::{PyArray1, PyUntypedArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tiebreak::pipeline::evaluate::{self, GraphMetrics, ScoredCase};

/// The metrics of draws from many matrices, each beside its graph: their means, and under `by_graph` those of each graph.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // The caller is Python code that names each of them.
pub fn score<'py>(
    py: Python<'py>,
    batch: &NativeBatch,
    algorithm: &str,
    arrays: Vec<Bound<'py, PyUntypedArray>>,
    logits: bool,
    extractor: &str,
    draws: usize,
    seed: u64,
    coverage: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let algorithm = choices::algorithm(algorithm)?;
    let extractor = choices::extractor(algorithm, extractor)?;
    let marginals = read_all(py, batch, algorithm, &arrays, logits)?;
    let mut cases: Vec<ScoredCase> = vec![];
    for (index, (case, marginals)) in batch.cases.iter().zip(marginals).enumerate() {
        let prepared = algorithm.prepare(&case.instance);
        let prepared = prepared.map_err(|error| batch.error(py, index, &Failure::Bad(error)))?;
        cases.push((prepared, marginals, case.made));
    }
    let work = || evaluate::score(algorithm, &cases, extractor, (draws, seed), coverage);
    let by_graph = interrupt::run(py, Threads::UpTo(cases.len().max(1)), work)?;
    let metrics = evaluate::means(&by_graph);
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
    result.set_item("by_graph", columns(py, &by_graph)?)?;
    Ok(result)
}

/// A column for each metric; what a graph does not have is not a number.
fn columns<'py>(py: Python<'py>, graphs: &[GraphMetrics]) -> PyResult<Bound<'py, PyDict>> {
    type Metric = fn(&GraphMetrics) -> Option<f64>;
    let metrics: [(&str, Metric); 7] = [
        ("valid", |graph| Some(graph.valid)),
        ("weak_valid", |graph| graph.weak_valid),
        ("unique", |graph| Some(graph.unique)),
        ("unique_valid", |graph| Some(graph.unique_valid)),
        ("accuracy", |graph| Some(graph.accuracy)),
        ("coverage", |graph| graph.coverage),
        ("edge_reuse", |graph| graph.edge_reuse),
    ];
    let columns = PyDict::new(py);
    for (name, metric) in metrics {
        let values = graphs.iter().map(|graph| metric(graph).unwrap_or(f64::NAN));
        columns.set_item(name, PyArray1::from_vec(py, values.collect()))?;
    }
    Ok(columns)
}
