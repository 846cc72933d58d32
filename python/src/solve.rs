//! Several distinct, verified solutions of one graph.

use crate::graph::NativeGraph;
use crate::interrupt::{self, Threads};
use crate::models::{bad_executor, bad_network};
use crate::verify::{name, numbers};
use crate::{choices, forms};
use numpy::PyArrayDyn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::{Path, PathBuf};
use tiebreak::answers::{Candidate, Form, Part};
use tiebreak::instance::Instance;
use tiebreak::neural::executor::Executor;
use tiebreak::neural::predict::Model;
use tiebreak::problems::{Algorithm, Missing};
use tiebreak::solve::{
    Answer, Basis, Count, Demand, Demands, Impossible, Rejection, Request, SolveBy, Solved, Tally, solve_prepared,
};

/// What is wanted.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted {
    k: usize,
    seed: u64,
    /// A file, or the name of what is built in.
    model: PathBuf,
    only_model: bool,
    exact: bool,
    diverse: bool,
    /// Each the ends of an edge, or an item.
    avoid: Vec<Vec<usize>>,
    require: Vec<Vec<usize>>,
    before: Vec<(usize, usize)>,
}

/// Solutions with their sources, and all that is known about the rest.
#[pyfunction]
pub fn solve<'py>(
    py: Python<'py>,
    graph: &NativeGraph,
    algorithm: &str,
    source: Option<usize>,
    wanted: Wanted,
) -> PyResult<Bound<'py, PyDict>> {
    let (algorithm, instance) = (choices::algorithm(algorithm)?, graph.instance(source));
    let chosen = Chosen::load(&wanted.model, algorithm)?;
    let by = match &chosen {
        Chosen::BuiltInExecutor => SolveBy::Executor,
        Chosen::Classical => SolveBy::Classical,
        Chosen::Executor(executor) => SolveBy::TrainedExecutor(executor),
        Chosen::Network(model) => SolveBy::Network(model),
    };
    let either_way = graph.either_way(algorithm);
    let demand = |numbers: &Vec<usize>| match numbers[..] {
        [item] => Ok(Demand::Item(item)),
        [tail, head] => Ok(Demand::Edge { tail, head, either_way }),
        _ => Err(PyValueError::new_err("a demand is an edge or an item")),
    };
    let demands = Demands {
        avoid: wanted.avoid.iter().map(demand).collect::<PyResult<_>>()?,
        require: wanted.require.iter().map(demand).collect::<PyResult<_>>()?,
        before: wanted.before.clone(),
    };
    let request = Request {
        k: wanted.k,
        seed: wanted.seed,
        by,
        only_model: wanted.only_model,
        exact: wanted.exact,
        diverse: wanted.diverse,
        demands,
        ..Request::default()
    };
    // A network multiplies on all cores; everything else here is done by one.
    let threads = if matches!(request.by, SolveBy::Network(_)) { Threads::All } else { Threads::One };
    let work = || algorithm.prepare(&instance).map(|prepared| solve_prepared(algorithm, &*prepared, &request));
    let solved = interrupt::run(py, threads, work)?;
    let solved = solved.map_err(|error| PyValueError::new_err(graph.explain(&error)))?;
    to_dict(py, graph, &instance, &solved)
}

/// Where candidates come from first.
enum Chosen {
    BuiltInExecutor,
    Classical,
    Executor(Box<Executor>),
    Network(Box<Model>),
}

impl Chosen {
    fn load(path: &Path, algorithm: &'static dyn Algorithm) -> PyResult<Self> {
        let none = |what: &str| PyValueError::new_err(format!("there is no built-in {what} of {}", algorithm.name()));
        match path.to_str() {
            Some("executor") => return Ok(Chosen::BuiltInExecutor),
            Some("classical") => return Ok(Chosen::Classical),
            Some("network") => {
                let network = Model::built_in(algorithm).ok_or_else(|| none("network"))?;
                return Ok(Chosen::Network(Box::new(network)));
            }
            _ => (),
        }
        if Executor::algorithm_of(path).is_none() {
            return Model::load(path, Some(algorithm))
                .map(|model| Chosen::Network(Box::new(model)))
                .map_err(bad_network);
        }
        let no_steps =
            |reason: Missing| PyValueError::new_err(format!("there is no executor of {}: {reason}", algorithm.name()));
        let steps = algorithm.steps().map_err(no_steps)?;
        Executor::load(steps, path).map(|executor| Chosen::Executor(Box::new(executor))).map_err(bad_executor)
    }
}

fn to_dict<'py>(
    py: Python<'py>,
    graph: &NativeGraph,
    instance: &Instance,
    solved: &Solved,
) -> PyResult<Bound<'py, PyDict>> {
    let answers = solved.solutions.iter().map(|solution| answer(py, instance, &solution.candidate));
    let answers: Vec<_> = answers.collect::<PyResult<_>>()?;
    let sources: Vec<String> = solved.solutions.iter().map(|solution| solution.origin.to_string()).collect();
    let impossible = match &solved.answer {
        Answer::Impossible(why) => Some(in_words(graph, why)?),
        Answer::Found | Answer::NotFound => None,
    };
    let (exactly, at_least) = match &solved.count {
        Count::Exactly(count) => (Some(count), None),
        Count::AtLeast(count) => (None, Some(count)),
        Count::Unknown => (None, None),
    };
    let bytes = |count: &num_bigint::BigUint| PyBytes::new(py, &count.to_bytes_le());
    let result = PyDict::new(py);
    result.set_item("answers", answers)?;
    result.set_item("sources", sources)?;
    result.set_item("impossible", impossible)?;
    result.set_item("count", exactly.map(bytes))?;
    result.set_item("at_least", at_least.map(bytes))?;
    result.set_item("count_words", solved.count.to_string())?;
    let listed = |parts: &[Part]| parts.iter().map(|&part| numbers(part)).collect::<Vec<_>>();
    result.set_item("shared", listed(&solved.parts.shared))?;
    result.set_item("varying", listed(&solved.parts.varying))?;
    result.set_item("about_every", solved.parts.basis == Basis::Every)?;
    result.set_item("tallies", solved.tallies.iter().map(tally).collect::<Vec<_>>())?;
    result
        .set_item("diversity", solved.diversity.map(|measured| (measured.shared, measured.as_drawn, measured.pool)))?;
    result.set_item("notes", &solved.notes)?;
    Ok(result)
}

/// A solution as numbers: parents or an order, one for each vertex; the numbers of chosen items; for chosen edges [m, 2] their ends.
fn answer<'py>(py: Python<'py>, instance: &Instance, solution: &Candidate) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
    if solution.form() == Form::Edges {
        let ends: Vec<(usize, usize)> = instance.graph.edges().collect();
        let chosen = solution.chosen().flat_map(|slot| [ends[slot].0 as i64, ends[slot].1 as i64]);
        let chosen: Vec<i64> = chosen.collect();
        let edges = chosen.len() / 2;
        return forms::shaped(py, chosen, vec![edges, 2]);
    }
    let mut values = vec![0; instance.n()];
    forms::write_candidate(instance, solution, &mut values);
    forms::shaped(py, values, vec![instance.n()])
}

/// A source with its draws, what was kept and repeated, and the reasons of refusals with how often each came up.
type TallyTuple = (String, usize, usize, usize, Vec<(String, &'static str, usize)>);

fn tally(tally: &Tally) -> TallyTuple {
    let reason = |&(reason, times): &(Rejection, usize)| match reason {
        Rejection::Rule(rule) => (name(rule), reason.words(), times),
        Rejection::Demand => ("demand".to_owned(), reason.words(), times),
    };
    let rejected = tally.rejected.iter().map(reason).collect();
    (tally.origin.to_string(), tally.draws, tally.kept, tally.repeated, rejected)
}

fn in_words(graph: &NativeGraph, why: &Impossible) -> PyResult<String> {
    let name = |demand: &Demand| match *demand {
        Demand::Edge { tail, head, .. } => graph.names.edge(tail, head),
        Demand::Item(item) => graph.names.vertex(item),
    };
    match why {
        Impossible::NoSolutionHas(demand) => {
            let is_edge = |tail, head| graph.graph.has_edge(tail, head);
            let is_missing = |demand: &Demand| match *demand {
                Demand::Edge { tail, head, either_way } => !(is_edge(tail, head) || either_way && is_edge(head, tail)),
                Demand::Item(_) => false,
            };
            let why = if is_missing(demand) { ": it is not an edge of the graph" } else { "" };
            Ok(format!("no solution has {}{why}", name(demand)))
        }
        Impossible::EverySolutionHas(demand) => {
            Ok(format!("no solution avoids {}: every solution has it", name(demand)))
        }
        Impossible::NeverBefore(earlier, later) => {
            Ok(format!("no solution has {} before {}", graph.names.vertex(*earlier), graph.names.vertex(*later)))
        }
        Impossible::Together => Ok("no solution meets all demands together".to_owned()),
        Impossible::TooMany => Err(PyValueError::new_err("there are too many required edges without a direction")),
    }
}
