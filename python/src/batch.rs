//! Instances in batches: random ones with their marginals as stacked arrays, and those that somebody brings.

use crate::graph::NativeGraph;
use crate::interrupt::{self, Threads};
use crate::{Intractable, choices, forms};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use tiebreak::answers::IN;
use tiebreak::cancel;
use tiebreak::instance::{GraphSettings, Instance, Items, MAX_RANDOM_SIZE, Made};
use tiebreak::pipeline::generate::{Recipe, Samples, Source, instance as random_instance};
use tiebreak::problems::{self, Algorithm, BadInstance, Prepared, View};

/// One instance of a batch.
pub struct Case {
    pub instance: Instance,
    /// How it was made, if it is a random one of ours.
    pub made: Option<Made>,
}

/// Instances, and the graphs that they come from, which know the names of their vertices.
#[pyclass(frozen, name = "NativeBatch", module = "tiebreak._native")]
pub struct NativeBatch {
    pub cases: Vec<Case>,
    owners: Vec<Py<NativeGraph>>,
    /// Whether messages say which of the instances they are about.
    single: bool,
}

/// Why nothing came of an instance.
pub enum Failure {
    /// The algorithm cannot be run on it.
    Bad(BadInstance),
    /// What was asked for is out of reach.
    Intractable(problems::Intractable),
    /// Something else is wrong with it, in words.
    Words(String),
}

impl From<problems::Intractable> for Failure {
    fn from(error: problems::Intractable) -> Self {
        Failure::Intractable(error)
    }
}

#[pymethods]
impl NativeBatch {
    /// The instances of graphs, each with its source.
    #[new]
    fn new(py: Python<'_>, graphs: Vec<Py<NativeGraph>>, sources: Vec<Option<usize>>, single: bool) -> PyResult<Self> {
        if graphs.len() != sources.len() {
            return Err(PyValueError::new_err(format!("{} graphs, but {} sources", graphs.len(), sources.len())));
        }
        let case = |(graph, source): (&Py<NativeGraph>, Option<usize>)| Case {
            instance: graph.borrow(py).instance(source),
            made: None,
        };
        let cases = graphs.iter().zip(sources).map(case).collect();
        Ok(NativeBatch { cases, owners: graphs, single })
    }

    /// The random instances of a recipe, without their marginals.
    #[staticmethod]
    fn random(py: Python<'_>, wanted: Wanted) -> PyResult<Self> {
        let (algorithm, recipe) = wanted.recipe()?;
        let case = |place| wanted.case(algorithm, &recipe, place);
        Ok(NativeBatch { cases: wanted.each(py, (0..wanted.batch).collect(), case)?, owners: vec![], single: false })
    }

    /// For how many rounds a network may think about each instance, as in training.
    fn rounds(&self, py: Python<'_>, algorithm: &str) -> PyResult<Vec<usize>> {
        let algorithm = choices::algorithm(algorithm)?;
        let none = |reason| PyValueError::new_err(format!("there is no network of {}: {reason}", algorithm.name()));
        algorithm.network().map_err(none)?;
        self.each(py, algorithm, |_, case, prepared| {
            Ok(prepared.features(&View::evenly_spaced(case.instance.n(), 1.0)).rounds())
        })
    }

    fn __len__(&self) -> usize {
        self.cases.len()
    }
}

impl NativeBatch {
    /// Does work on each prepared instance, on all cores.
    pub fn each<T: Send>(
        &self,
        py: Python<'_>,
        algorithm: &'static dyn Algorithm,
        work: impl Fn(usize, &Case, &dyn Prepared) -> Result<T, Failure> + Sync,
    ) -> PyResult<Vec<T>> {
        self.each_of(py, algorithm, None, work)
    }

    /// As [`NativeBatch::each`]. Where the work on an instance is so many runs of the algorithm, short work is not given to others.
    pub fn each_of<T: Send>(
        &self,
        py: Python<'_>,
        algorithm: &'static dyn Algorithm,
        runs: Option<usize>,
        work: impl Fn(usize, &Case, &dyn Prepared) -> Result<T, Failure> + Sync,
    ) -> PyResult<Vec<T>> {
        let one = |(index, case): (usize, &Case)| {
            cancel::point();
            let prepared = algorithm.prepare(&case.instance).map_err(Failure::Bad)?;
            work(index, case, &*prepared)
        };
        let cases: Vec<(usize, &Case)> = self.cases.iter().enumerate().collect();
        let pairs = |runs| self.cases.iter().map(move |case| pairs_of_runs(case.instance.n(), runs));
        let short = runs.filter(|&runs| pairs(runs).all(|pairs| pairs <= PAIRS_OF_SHORT_WORK));
        let done: Vec<Result<T, Failure>> = match short {
            Some(runs) => {
                let threads = (pairs(runs).fold(0, usize::saturating_add) / PAIRS_OF_A_THREAD).min(cases.len());
                interrupt::share(py, Threads::up_to(threads), cases, one)?
            }
            None => interrupt::run(py, Threads::up_to(cases.len()), || interrupt::for_each(cases, one))?,
        };
        self.results(py, done)
    }

    /// As [`NativeBatch::each`], for work that itself uses all cores.
    pub fn one_by_one<T: Send>(
        &self,
        py: Python<'_>,
        algorithm: &'static dyn Algorithm,
        work: impl Fn(&Case, &dyn Prepared) -> Result<T, Failure> + Sync,
    ) -> PyResult<Vec<T>> {
        let one = |case: &Case| {
            cancel::point();
            let prepared = algorithm.prepare(&case.instance).map_err(Failure::Bad)?;
            work(case, &*prepared)
        };
        let done: Vec<Result<T, Failure>> = interrupt::run(py, Threads::All, || self.cases.iter().map(one).collect())?;
        self.results(py, done)
    }

    /// The results, or what is wrong with the first instance that has none.
    fn results<T>(&self, py: Python<'_>, done: Vec<Result<T, Failure>>) -> PyResult<Vec<T>> {
        let named =
            |(index, done): (usize, Result<T, Failure>)| done.map_err(|failure| self.error(py, index, &failure));
        done.into_iter().enumerate().map(named).collect()
    }

    /// What is wrong with an instance, in the words of its owner.
    pub fn error(&self, py: Python<'_>, index: usize, failure: &Failure) -> PyErr {
        let of = if self.single { String::new() } else { format!("graph {index}: ") };
        match failure {
            Failure::Bad(error) => {
                let words = match self.owners.get(index) {
                    Some(owner) => owner.borrow(py).explain(error),
                    None => error.to_string(),
                };
                PyValueError::new_err(format!("{of}{words}"))
            }
            Failure::Intractable(error) => Intractable::new_err(format!("{of}{error}")),
            Failure::Words(words) => PyValueError::new_err(format!("{of}{words}")),
        }
    }
}

/// Which random instances are wanted.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted {
    algorithm: String,
    n: usize,
    p: f64,
    preset: String,
    exact: bool,
    runs: usize,
    ties: String,
    seed: u64,
    /// The index of the first.
    start: u64,
    batch: usize,
    threads: Option<usize>,
}

/// Numbers that the arrays of a batch may hold: 16 GB of probabilities.
const MAX_NUMBERS: usize = 1 << 31;

/// Pairs of vertices, with twenty runs each, for which a thread of its own is worth while.
const PAIRS_OF_A_THREAD: usize = 1 << 15;

/// With as many, an instance takes no more than some milliseconds.
const PAIRS_OF_SHORT_WORK: usize = 1 << 15;

/// A measure of the work that the runs of an instance are: pairs of vertices, counted once for every twenty runs.
fn pairs_of_runs(n: usize, runs: usize) -> usize {
    (n * n).saturating_mul(runs.max(20) / 20)
}

impl Wanted {
    fn recipe(&self) -> PyResult<(&'static dyn Algorithm, Recipe)> {
        let algorithm = choices::algorithm(&self.algorithm)?;
        let refuse = |message: String| Err(PyValueError::new_err(message));
        if self.n == 0 || self.n > MAX_RANDOM_SIZE {
            return refuse(format!("n is {}: random graphs have 1 to {MAX_RANDOM_SIZE} vertices", self.n));
        }
        if !(0.0..=1.0).contains(&self.p) {
            return refuse(format!("p is {}, but a probability is a number from 0 to 1", self.p));
        }
        if self.runs == 0 {
            return refuse("runs is 0, but a distribution needs at least one".to_owned());
        }
        let numbers = self.batch.checked_mul(self.n + 1).and_then(|rows| rows.checked_mul(self.n));
        if numbers.is_none_or(|numbers| numbers > MAX_NUMBERS) {
            return refuse(format!("{} graphs of {} vertices do not fit arrays of 2**31 numbers", self.batch, self.n));
        }
        if self.start.checked_add(self.batch as u64).is_none() {
            return refuse(format!("there is no graph after number {}", self.start));
        }
        let graph = GraphSettings { n: self.n, p: self.p, preset: choices::preset(&self.preset)? };
        let source = if self.exact { Source::Exact } else { Source::Empirical };
        Ok((algorithm, Recipe { graph, source, runs: self.runs, ties: choices::ties(&self.ties)? }))
    }

    /// No more than there is work for. Exact marginals may take any time.
    fn threads(&self) -> Threads {
        let pairs = self.batch.saturating_mul(pairs_of_runs(self.n, self.runs));
        Threads::up_to((pairs / PAIRS_OF_A_THREAD).min(self.batch).min(self.threads.unwrap_or(usize::MAX)))
    }

    /// Does work for each instance. The caller's thread takes part where none takes long.
    fn each<I: Send, T: Send>(
        &self,
        py: Python<'_>,
        items: Vec<I>,
        work: impl Fn(I) -> T + Sync + Send,
    ) -> PyResult<Vec<T>> {
        match pairs_of_runs(self.n, self.runs) <= PAIRS_OF_SHORT_WORK && !self.exact {
            true => interrupt::share(py, self.threads(), items, work),
            false => interrupt::run(py, self.threads(), || interrupt::for_each(items, work)),
        }
    }

    fn case(&self, algorithm: &dyn Algorithm, recipe: &Recipe, place: usize) -> Case {
        cancel::point();
        let index = self.start + place as u64;
        let instance = random_instance(algorithm, &recipe.graph, self.seed, index);
        Case { instance, made: Some(Made { p: self.p, preset: recipe.graph.preset, index }) }
    }
}

/// Where the numbers of one instance go.
struct Places<'a> {
    adjacency: &'a mut [bool],
    weights: Option<&'a mut [f64]>,
    marginals: &'a mut [f64],
    source: &'a mut i64,
}

/// Random instances as stacked arrays, with the marginals of their solutions.
#[pyfunction]
pub fn generate<'py>(py: Python<'py>, wanted: Wanted) -> PyResult<(NativeBatch, Bound<'py, PyDict>)> {
    let (algorithm, recipe) = wanted.recipe()?;
    let (batch, n) = (wanted.batch, wanted.n);
    let (form, needs) = (algorithm.problem().form, algorithm.needs());
    let shape = forms::marginals_shape(form, n);
    let size: usize = shape.iter().product();
    keep_memory(batch * (n * n * (1 + 8) + size * 8));
    let mut adjacency = vec![false; batch * n * n];
    let mut weights = needs.weights.are_used().then(|| vec![0.0; batch * n * n]);
    let mut marginals = vec![0.0; batch * size];
    let mut sources = vec![0; batch];
    let mut each_weights = weights.as_mut().map(|weights| weights.chunks_exact_mut(n * n));
    let places: Vec<(usize, Places)> = adjacency
        .chunks_exact_mut(n * n)
        .zip(marginals.chunks_exact_mut(size))
        .zip(&mut sources)
        .map(|((adjacency, marginals), source)| {
            let weights = each_weights.as_mut().and_then(Iterator::next);
            Places { adjacency, weights, marginals, source }
        })
        .enumerate()
        .collect();
    let samples = Samples::new(algorithm, &recipe, wanted.seed);
    let one = |(place, mut places): (usize, Places)| -> Result<Case, Failure> {
        let (instance, made) = samples.get_dense(wanted.start + place as u64, IN, places.marginals)?;
        write_graph(&instance, &mut places);
        Ok(Case { instance, made: Some(made) })
    };
    let done: Vec<Result<Case, Failure>> = wanted.each(py, places, one)?;
    let mut generated = NativeBatch { cases: vec![], owners: vec![], single: false };
    for (index, case) in done.into_iter().enumerate() {
        generated.cases.push(case.map_err(|failure| generated.error(py, index, &failure))?);
    }
    let arrays = PyDict::new(py);
    arrays.set_item("adjacency", forms::shaped(py, adjacency, vec![batch, n, n])?)?;
    arrays.set_item("marginals", forms::shaped(py, marginals, [vec![batch], shape].concat())?)?;
    let weights = weights.map(|weights| forms::shaped(py, weights, vec![batch, n, n])).transpose()?;
    arrays.set_item("weights", weights)?;
    arrays.set_item("items", item_columns(py, &generated.cases, n)?)?;
    arrays.set_item("source", needs.source.then(|| PyArray1::from_vec(py, sources)))?;
    Ok((generated, arrays))
}

/// Has the allocator keep the memory of a batch for the next one. glibc returns to the system what is larger than anything that was freed before, and getting a
/// batch's pages again takes as long as generating the batch. So as much, with the instances', is taken and freed at once, untouched; other allocators do not mind.
fn keep_memory(bytes: usize) {
    static LARGEST: AtomicUsize = AtomicUsize::new(0);
    if bytes > LARGEST.fetch_max(bytes, Ordering::Relaxed) && bytes <= MAX_KEPT {
        drop(black_box(Vec::<u8>::with_capacity(2 * bytes)));
    }
}

/// More is not kept, by glibc neither.
const MAX_KEPT: usize = 1 << 24;

/// The numbers of items, where instances are tables of items: an array [batch, n] for each column.
fn item_columns<'py>(py: Python<'py>, cases: &[Case], n: usize) -> PyResult<Option<Bound<'py, PyDict>>> {
    let tables: Vec<&Items> = cases.iter().filter_map(|case| case.instance.items.as_ref()).collect();
    let Some(first) = tables.first() else { return Ok(None) };
    let columns = PyDict::new(py);
    for (place, column) in first.kind().columns.iter().enumerate() {
        let numbers = tables.iter().flat_map(|items| {
            let unit = 10f64.powi(items.decimals() as i32);
            items.column(place).iter().map(move |&number| number as f64 / unit)
        });
        columns.set_item(column.name, forms::shaped(py, numbers.collect(), vec![tables.len(), n])?)?;
    }
    Ok(Some(columns))
}

fn write_graph(instance: &Instance, places: &mut Places) {
    instance.graph.write_arcs(places.adjacency);
    if let Some(weights) = &mut places.weights {
        instance.graph.write_weights(weights);
    }
    *places.source = instance.source.map_or(0, |source| source as i64);
}
