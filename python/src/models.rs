//! Trained models: networks and executors, their training and their evaluation.

use crate::batch::NativeBatch;
use crate::interrupt::{self, Threads};
use crate::{Intractable, choices, draws, forms};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::SystemTime;
use tiebreak::instance::GraphSettings;
use tiebreak::neural::events::EventFile;
use tiebreak::neural::executor::{Executor, ExecutorError, ExecutorLogLine, ExecutorRun, ExecutorSettings, Steps};
use tiebreak::neural::predict::{Model, ModelError};
use tiebreak::neural::runs::RunError;
use tiebreak::neural::train::{self, DataFile, RunDirectory, TrainError, TrainSettings};
use tiebreak::pipeline::evaluate::{CandidateSource, EvaluateSettings, evaluate};
use tiebreak::pipeline::generate::{Recipe, Source};
use tiebreak::problems::extract::Extractor;
use tiebreak::problems::{Algorithm, by_name};

/// A trained network.
#[pyclass(frozen, name = "NativeModel", module = "tiebreak._native")]
pub struct NativeModel(Model);

#[pymethods]
impl NativeModel {
    /// The network that comes with the package.
    #[staticmethod]
    fn built_in(algorithm: &str) -> PyResult<Self> {
        let algorithm = choices::algorithm(algorithm)?;
        let none = || PyValueError::new_err(format!("there is no built-in network of {}", algorithm.name()));
        Model::built_in(algorithm).map(NativeModel).ok_or_else(none)
    }

    /// A network from the bytes of its file, which messages call `path`.
    #[staticmethod]
    fn from_bytes(bytes: &[u8], path: PathBuf, algorithm: Option<&str>) -> PyResult<Self> {
        let algorithm = algorithm.map(choices::algorithm).transpose()?;
        Model::from_bytes(bytes, &path, algorithm).map(NativeModel).map_err(bad_network)
    }

    /// The algorithm that it is for.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.0.algorithm().name()
    }

    /// What its file says of its training, as JSON.
    #[getter]
    fn card(&self) -> Option<String> {
        self.0.card().and_then(|card| serde_json::to_string(card).ok())
    }

    /// The size of the state that it keeps for each vertex.
    #[getter]
    fn hidden(&self) -> usize {
        self.0.hidden()
    }

    /// The marginals that it predicts.
    fn predict<'py>(&self, py: Python<'py>, batch: &NativeBatch) -> PyResult<Bound<'py, PyAny>> {
        let algorithm = self.0.algorithm();
        if let Some(index) = batch.cases.iter().position(|case| case.instance.n() == 0) {
            return Err(PyValueError::new_err(format!("graph {index}: a network needs at least one vertex")));
        }
        let arrays = batch.one_by_one(py, algorithm, |case, prepared| {
            let marginals = self.0.marginals(prepared, case.made.as_ref())?;
            let shape = forms::marginals_shape(marginals.form(), case.instance.n());
            let mut values = vec![0.0; shape.iter().product()];
            forms::write_marginals(&case.instance, &marginals, &mut values);
            Ok((shape, values))
        })?;
        forms::stacked(py, arrays)
    }
}

/// A trained executor.
#[pyclass(frozen, name = "NativeExecutor", module = "tiebreak._native")]
pub struct NativeExecutor(Executor);

#[pymethods]
impl NativeExecutor {
    /// The executor that comes with the package.
    #[staticmethod]
    fn built_in(algorithm: &str) -> PyResult<Self> {
        let algorithm = choices::algorithm(algorithm)?;
        let none =
            |reason| PyValueError::new_err(format!("there is no built-in executor of {}: {reason}", algorithm.name()));
        Executor::built_in(algorithm).map(NativeExecutor).map_err(none)
    }

    /// An executor from the bytes of its file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8], algorithm: &str) -> PyResult<Self> {
        Executor::from_bytes(steps_of(algorithm)?, bytes).map(NativeExecutor).map_err(bad_executor)
    }

    /// The algorithm of a file or a run's directory that holds an executor.
    #[staticmethod]
    fn algorithm_of(path: PathBuf) -> Option<String> {
        Executor::algorithm_of(&path)
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// The algorithm that it is for.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.0.steps().algorithm()
    }

    /// What it promises for every graph, in words.
    #[getter]
    fn certificate(&self) -> String {
        self.0.certificate().to_string()
    }

    /// The log of its training, as JSON.
    #[getter]
    fn log(&self) -> Option<String> {
        serde_json::to_string(self.0.log()).ok()
    }

    /// Candidates, with priorities drawn for each.
    fn draw<'py>(&self, py: Python<'py>, batch: &NativeBatch, k: usize, seed: u64) -> PyResult<Bound<'py, PyAny>> {
        draws::draw_by(py, batch, choices::algorithm(self.algorithm())?, &self.0, k, seed)
    }
}

/// What to evaluate: random graphs, and who gives the candidates.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct WantedRows {
    algorithm: String,
    n: usize,
    p: f64,
    preset: String,
    exact: bool,
    runs: usize,
    ties: String,
    graphs: usize,
    draws: usize,
    seed: u64,
    extractors: Vec<String>,
    threads: Option<usize>,
}

/// Rows of metrics, each as JSON; `tell(graphs done)` is called now and then.
#[pyfunction]
#[pyo3(signature = (wanted, network, executor, tell))]
pub fn evaluate_rows(
    py: Python<'_>,
    wanted: WantedRows,
    network: Option<&NativeModel>,
    executor: Option<&NativeExecutor>,
    tell: Py<PyAny>,
) -> PyResult<Vec<String>> {
    let algorithm = choices::algorithm(&wanted.algorithm)?;
    let graph = GraphSettings { n: wanted.n, p: wanted.p, preset: choices::preset(&wanted.preset)? };
    let WantedRows { graphs, draws, seed, .. } = wanted;
    let settings = EvaluateSettings { graph, graphs, draws, seed, law: None };
    let source = if wanted.exact { Source::Exact } else { Source::Empirical };
    let recipe = Recipe { graph, source, runs: wanted.runs, ties: choices::ties(&wanted.ties)? };
    let mut extractors: Vec<&dyn Extractor> = algorithm.problem().extractors.to_vec();
    if !wanted.extractors.is_empty() {
        let named = wanted.extractors.iter().map(|name| choices::extractor(algorithm, name));
        let named: Vec<_> = named.collect::<PyResult<_>>()?;
        extractors.retain(|known| named.iter().any(|wanted| wanted.name() == known.name()));
    }
    let model = network.map(|network| network.0.for_preset(graph.preset));
    let source = match (&model, executor) {
        (Some(model), _) => CandidateSource::Marginals(model, &extractors),
        (None, Some(executor)) => CandidateSource::Executor(&executor.0),
        (None, None) => CandidateSource::Marginals(&recipe, &extractors),
    };
    let done = AtomicUsize::new(0);
    let count = || {
        done.fetch_add(1, Ordering::Relaxed);
    };
    let work = |_: &AtomicBool| evaluate(algorithm, &source, &settings, &count);
    let show = |py: Python<'_>| tell.call1(py, (done.load(Ordering::Relaxed),)).map(drop);
    let rows = interrupt::run_and_tell(py, Threads::wanted(wanted.threads), work, show)?;
    let rows = rows.map_err(|error| Intractable::new_err(error.to_string()))?;
    Ok(rows.iter().map(|row| serde_json::to_string(row).unwrap_or_default()).collect())
}

/// A training to begin, or to go on with.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct WantedTraining {
    /// Of an executor; otherwise of a network.
    executor: bool,
    /// Settings in TOML, and changes of the form key=value.
    config: String,
    changes: Vec<String>,
    data: Option<PathBuf>,
    /// The run's directory; without it that of the command line.
    out: Option<PathBuf>,
    resume: bool,
    /// A directory for event files of TensorBoard.
    tensorboard: Option<PathBuf>,
    threads: Option<usize>,
}

/// A run's directory with its settings.
enum Run {
    Network(RunDirectory, TrainSettings),
    Executor(ExecutorRun, ExecutorSettings, &'static dyn Steps),
}

/// Trains in a run's directory; `tell(step, steps, line of the log or None)` is called now and then. Returns the directory, whether the
/// training is complete, the steps done.
#[pyfunction]
pub fn train_run(py: Python<'_>, wanted: WantedTraining, tell: Py<PyAny>) -> PyResult<(PathBuf, bool, u64)> {
    let (path, run) = if wanted.resume { old_run(&wanted)? } else { new_run(&wanted)? };
    let steps = match &run {
        Run::Network(_, settings) => settings.steps,
        Run::Executor(_, settings, _) => settings.steps,
    };
    let events = wanted.tensorboard.as_ref().map(|folder| EventFile::create(folder, now())).transpose();
    let events = events.map_err(|error| bad_run(error.into()))?;
    let news = Mutex::new((0, vec![]));
    let report = |step: u64, line: Option<Value>| {
        if let (Some(events), Some(line)) = (&events, &line) {
            // A training does not end because its log cannot be copied.
            let _ = events.add(line, now());
        }
        let mut news = news.lock().expect("no panic while held");
        news.0 = step;
        news.1.extend(line.map(|line| line.to_string()));
    };
    let work = |stop: &AtomicBool| match &run {
        Run::Network(run, settings) => {
            let mut observe = |seen: train::Report| {
                report(seen.step, seen.logged.and_then(|line| serde_json::to_value(line).ok()));
            };
            let ended = train::train(run, settings, stop, &mut observe).map_err(bad_training)?;
            Ok((ended.complete, ended.step))
        }
        Run::Executor(run, settings, steps) => {
            let mut observe = |line: &ExecutorLogLine| report(line.step, serde_json::to_value(line).ok());
            let complete = run.train(*steps, settings, stop, &mut observe).map_err(bad_run)?;
            Ok((complete, settings.steps))
        }
    };
    let show = |py: Python<'_>| {
        let (step, lines) = std::mem::take(&mut *news.lock().expect("no panic while held"));
        for line in lines {
            tell.call1(py, (step, steps, Some(line)))?;
        }
        if step > 0 { tell.call1(py, (step, steps, None::<String>)).map(drop) } else { Ok(()) }
    };
    let ended: PyResult<(bool, u64)> = interrupt::run_and_tell(py, Threads::wanted(wanted.threads), work, show)?;
    ended.map(|(complete, step)| (path, complete, step))
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

fn new_run(wanted: &WantedTraining) -> PyResult<(PathBuf, Run)> {
    let value = |error: tiebreak::neural::train::SettingsError| PyValueError::new_err(error.to_string());
    let directory = |default: String| wanted.out.clone().unwrap_or_else(|| Path::new("runs").join(default));
    if wanted.executor {
        let settings = ExecutorSettings::from_toml(&wanted.config, &wanted.changes).map_err(value)?;
        let steps = steps_of(&settings.algorithm)?;
        let path = directory(format!("executor-{}-{}", settings.algorithm, settings.seed));
        let run = ExecutorRun::create(&path, &settings).map_err(bad_run)?;
        return Ok((path, Run::Executor(run, settings, steps)));
    }
    let mut settings = TrainSettings::from_toml(&wanted.config, &wanted.changes).map_err(value)?;
    if let Some(data) = &wanted.data {
        settings.data = Some(DataFile::of(data).map_err(|error| PyValueError::new_err(error.to_string()))?);
    }
    // A file that cannot be learnt from is refused before a directory is made.
    train::check_data(&settings).map_err(bad_training)?;
    let path = directory(format!("{}-{}", settings.algorithm, settings.seed));
    let run = RunDirectory::create(&path, &settings).map_err(bad_training)?;
    Ok((path, Run::Network(run, settings)))
}

fn old_run(wanted: &WantedTraining) -> PyResult<(PathBuf, Run)> {
    let path = wanted.out.clone().unwrap_or_default();
    if let Some((run, settings)) = ExecutorRun::open(&path).map_err(bad_run)? {
        let steps = steps_of(&settings.algorithm)?;
        return Ok((path, Run::Executor(run, settings, steps)));
    }
    let (run, settings) = RunDirectory::open(&path).map_err(bad_training)?;
    Ok((path, Run::Network(run, settings)))
}

/// The log of a run's directory, as JSON.
#[pyfunction]
pub fn read_log(path: PathBuf) -> PyResult<String> {
    if let Some((run, _)) = ExecutorRun::open(&path).map_err(bad_run)? {
        return Ok(serde_json::to_string(&run.log().map_err(bad_run)?).unwrap_or_default());
    }
    let (run, _) = RunDirectory::open(&path).map_err(bad_training)?;
    Ok(serde_json::to_string(&run.log().map_err(bad_training)?).unwrap_or_default())
}

fn steps_of(algorithm: &str) -> PyResult<&'static dyn Steps> {
    let known: Option<&'static dyn Algorithm> = by_name(algorithm);
    let known = known.ok_or_else(|| PyValueError::new_err(format!("there is no algorithm {algorithm}")))?;
    let none = |reason| PyValueError::new_err(format!("there is no executor of {}: {reason}", known.name()));
    known.steps().map_err(none)
}

fn with_source(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

fn bad_run(error: RunError) -> PyErr {
    match &error {
        RunError::File { .. } | RunError::Write(_) => PyOSError::new_err(with_source(&error)),
        other => PyValueError::new_err(other.to_string()),
    }
}

fn bad_training(error: TrainError) -> PyErr {
    match error {
        TrainError::Run(error) => bad_run(error),
        TrainError::Intractable(error) => Intractable::new_err(error.to_string()),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// The error of a network's file.
pub fn bad_network(error: ModelError) -> PyErr {
    match &error {
        ModelError::File { .. } => PyOSError::new_err(with_source(&error)),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// The error of an executor's file.
pub fn bad_executor(error: ExecutorError) -> PyErr {
    match &error {
        ExecutorError::File { .. } => PyOSError::new_err(with_source(&error)),
        other => PyValueError::new_err(other.to_string()),
    }
}
