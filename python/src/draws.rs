//! Candidates, runs and distributions of instances, and the numbers of their solutions.

use crate::batch::{Case, Failure, NativeBatch};
use crate::choices;
use crate::forms::{self, Scale};
use numpy::PyUntypedArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tiebreak::answers::{Candidate, Marginals};
use tiebreak::cancel;
use tiebreak::neural::executor::Executor;
use tiebreak::pipeline::draw::{Drawer, Execution};
use tiebreak::pipeline::evaluate::extraction_stream;
use tiebreak::pipeline::generate::{self, Recipe, Source};
use tiebreak::problems::{Algorithm, COUNT_EFFORT};
use tiebreak::random::Rng;

/// The marginals that a caller gives, one array for each instance.
pub fn read_all(
    py: Python<'_>,
    batch: &NativeBatch,
    algorithm: &dyn Algorithm,
    arrays: &[Bound<'_, PyUntypedArray>],
    logits: bool,
) -> PyResult<Vec<Marginals>> {
    let (form, scale) = (algorithm.problem().form, Scale::new(logits));
    if arrays.len() != batch.cases.len() {
        let message = format!("there are {} graphs, but {} matrices", batch.cases.len(), arrays.len());
        return Err(PyValueError::new_err(message));
    }
    let read = |(index, (case, array)): (usize, (&Case, &Bound<'_, PyUntypedArray>))| {
        py.check_signals()?;
        let marginals = forms::read_marginals(array, scale, form, &case.instance);
        marginals.map_err(|words| batch.error(py, index, &Failure::Words(words)))
    };
    batch.cases.iter().zip(arrays).enumerate().map(read).collect()
}

/// The candidates of each instance, as one array or a list of them.
pub fn rows<'py>(py: Python<'py>, batch: &NativeBatch, drawn: Vec<Vec<Candidate>>) -> PyResult<Bound<'py, PyAny>> {
    let array = |(case, candidates): (&Case, Vec<Candidate>)| {
        let form = candidates.first().map_or(tiebreak::answers::Form::Parents, Candidate::form);
        let one = forms::candidate_shape(form, case.instance.n());
        let size = one.iter().product::<usize>();
        let mut values = vec![0i64; candidates.len() * size];
        for (candidate, out) in candidates.iter().zip(values.chunks_exact_mut(size.max(1))) {
            forms::write_candidate(&case.instance, candidate, out);
        }
        ([vec![candidates.len()], one].concat(), values)
    };
    forms::stacked(py, batch.cases.iter().zip(drawn).map(array).collect())
}

/// Candidates from a model's arrays; `index` is the place of the first within a larger batch.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // The caller is Python code that names each of them.
pub fn extract<'py>(
    py: Python<'py>,
    batch: &NativeBatch,
    algorithm: &str,
    arrays: Vec<Bound<'py, PyUntypedArray>>,
    logits: bool,
    extractor: &str,
    draws: usize,
    seed: u64,
    index: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let algorithm = choices::algorithm(algorithm)?;
    let extractor = choices::extractor(algorithm, extractor)?;
    let marginals = read_all(py, batch, algorithm, &arrays, logits)?;
    let drawn = batch.each(py, algorithm, |place, case, _| {
        let at = index.wrapping_add(place as u64);
        let mut rng = extraction_stream(algorithm, extractor, &case.instance, case.made.as_ref(), (seed, at));
        let draw = |_| {
            cancel::point();
            extractor.extract(&case.instance, &marginals[place], &mut rng)
        };
        Ok((0..draws).map(draw).collect())
    })?;
    rows(py, batch, drawn)
}

/// The distributions of repeated runs, or of infinitely many.
#[pyfunction]
pub fn distribution<'py>(
    py: Python<'py>,
    batch: &NativeBatch,
    algorithm: &str,
    exact: bool,
    runs: usize,
    ties: &str,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let algorithm = choices::algorithm(algorithm)?;
    let source = if exact { Source::Exact } else { Source::Empirical };
    let recipe = Recipe { source, runs, ties: choices::ties(ties)?, ..Recipe::default() };
    let arrays = batch.each_of(py, algorithm, (!exact).then_some(runs), |place, case, prepared| {
        let mut recipe = recipe;
        recipe.graph = case.made.map_or(recipe.graph, |made| made.settings(case.instance.n()));
        let mut rng = run_stream(algorithm, case, seed, place);
        let marginals = generate::marginals(algorithm, prepared, &recipe, &mut rng)?;
        let shape = forms::marginals_shape(marginals.form(), case.instance.n());
        let mut values = vec![0.0; shape.iter().product()];
        forms::write_marginals(&case.instance, &marginals, &mut values);
        Ok((shape, values))
    })?;
    forms::stacked(py, arrays)
}

/// Solutions of repeated runs with random ties.
#[pyfunction]
pub fn runs<'py>(
    py: Python<'py>,
    batch: &NativeBatch,
    algorithm: &str,
    k: usize,
    ties: &str,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let algorithm = choices::algorithm(algorithm)?;
    let ties = choices::ties(ties)?;
    let drawn = batch.each(py, algorithm, |place, case, prepared| {
        let first = case.made.and_then(|made| algorithm.first_in_order(made.preset));
        Ok(generate::runs(prepared, ties, first, k, &mut run_stream(algorithm, case, seed, place)))
    })?;
    rows(py, batch, drawn)
}

/// The same runs make `runs`, `distribution` and, for a random instance of ours, `generate`.
fn run_stream(algorithm: &dyn Algorithm, case: &Case, seed: u64, place: usize) -> Rng {
    match &case.made {
        Some(made) => generate::stream(algorithm, &made.settings(case.instance.n()), "runs", seed, made.index),
        None => Rng::stream(seed, &format!("runs {}", algorithm.name()), place as u64),
    }
}

/// Candidates of the built-in executor, with priorities drawn for each.
#[pyfunction]
pub fn draw<'py>(
    py: Python<'py>,
    batch: &NativeBatch,
    algorithm: &str,
    k: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let algorithm = choices::algorithm(algorithm)?;
    let none =
        |reason| PyValueError::new_err(format!("there is no built-in executor of {}: {reason}", algorithm.name()));
    draw_by(py, batch, algorithm, &Executor::built_in(algorithm).map_err(none)?, k, seed)
}

/// Candidates of an executor.
pub fn draw_by<'py>(
    py: Python<'py>,
    batch: &NativeBatch,
    algorithm: &'static dyn Algorithm,
    executor: &Executor,
    k: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let drawn = batch.each(py, algorithm, |place, case, _| {
        let uncovered = |reason| Failure::Words(format!("the executor promises nothing here: {reason}"));
        executor.accepts(&case.instance).map_err(uncovered)?;
        let mut drawer = Execution::new(executor, &case.instance);
        let mut rng = Rng::stream(seed, &format!("executor {}", algorithm.name()), place as u64);
        (0..k).map(|_| Ok(drawer.draw(&mut rng)?)).collect()
    })?;
    rows(py, batch, drawn)
}

/// The numbers of solutions, as the little-endian bytes of whole numbers; where one is out of reach, the reason.
#[pyfunction]
pub fn count<'py>(
    py: Python<'py>,
    batch: &NativeBatch,
    algorithm: &str,
) -> PyResult<Vec<(Option<Bound<'py, PyBytes>>, String)>> {
    let algorithm = choices::algorithm(algorithm)?;
    let counts = batch.each(py, algorithm, |_, _, prepared| Ok(prepared.space().count(COUNT_EFFORT)))?;
    let bytes = |count: num_bigint::BigUint| PyBytes::new(py, &count.to_bytes_le());
    let told = |count: Result<_, tiebreak::problems::Intractable>| match count {
        Ok(count) => (Some(bytes(count)), String::new()),
        Err(reason) => (None, reason.to_string()),
    };
    Ok(counts.into_iter().map(told).collect())
}
