//! Verdicts on candidates.

use crate::batch::{Failure, NativeBatch};
use crate::graph::NativeGraph;
use crate::interrupt::{self, Threads};
use crate::{choices, forms};
use numpy::PyReadonlyArrayDyn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tiebreak::answers::{Candidate, Form, Part};
use tiebreak::pipeline::written::Written;
use tiebreak::problems::verify::{Rule, Violation};

/// A broken rule, and what proves that it is.
#[derive(IntoPyObject)]
pub struct Broken {
    vertex: Option<usize>,
    rule: String,
    words: &'static str,
    edges: Vec<(usize, usize)>,
    path: Vec<usize>,
    /// What the path is.
    path_words: &'static str,
    items: Vec<usize>,
    /// What is put in and what is taken out, each the ends of an edge or an item, to make the candidate better.
    exchange: Option<(Vec<usize>, Option<Vec<usize>>)>,
    better: Vec<usize>,
}

impl From<Violation> for Broken {
    fn from(violation: Violation) -> Self {
        let Violation { vertex, rule, edges, path, items, exchange, better } = violation;
        let exchange = exchange.map(|one| (numbers(one.put_in), one.take_out.map(numbers)));
        let (words, path_words) = (rule.words(), rule.path_words());
        Broken { vertex, rule: name(rule), words, edges, path, path_words, items, exchange, better: better.into_vec() }
    }
}

/// The ends of an edge, or an item.
pub fn numbers(part: Part) -> Vec<usize> {
    match part {
        Part::Edge(one, other) => vec![one, other],
        Part::Item(item) => vec![item],
    }
}

/// For each instance what is wrong with each of its candidates; nothing is wrong with a solution.
#[pyfunction]
pub fn verify(
    py: Python<'_>,
    batch: &NativeBatch,
    algorithm: &str,
    candidates: Vec<PyReadonlyArrayDyn<'_, i64>>,
    weakly: bool,
) -> PyResult<Vec<Vec<Option<Broken>>>> {
    let algorithm = choices::algorithm(algorithm)?;
    if candidates.len() != batch.cases.len() {
        let message = format!("there are {} graphs, but candidates for {}", batch.cases.len(), candidates.len());
        return Err(PyValueError::new_err(message));
    }
    let arrays: Vec<_> = candidates.iter().map(PyReadonlyArrayDyn::as_array).collect();
    batch.each(py, algorithm, |place, case, prepared| {
        let judge = |candidate: &Candidate| {
            let verdict = match weakly {
                true => prepared.space().verify_weakly(candidate),
                false => Some(prepared.space().verify(candidate)),
            };
            let verdict = verdict.ok_or_else(|| format!("the paper has no weaker check of {}", algorithm.name()))?;
            Ok(verdict.err().map(Broken::from))
        };
        let judged = forms::read_candidates(&arrays[place], algorithm.problem().form, &case.instance, judge);
        judged.map_err(Failure::Words)
    })
}

/// What is wrong with an answer as people write it: each a vertex, an item, or the ends of a chosen edge.
#[pyfunction]
pub fn verify_written(
    py: Python<'_>,
    graph: &NativeGraph,
    algorithm: &str,
    source: Option<usize>,
    answer: Vec<Vec<usize>>,
) -> PyResult<Option<Broken>> {
    let (algorithm, instance) = (choices::algorithm(algorithm)?, graph.instance(source));
    let pair = |one: &Vec<usize>| one.first().copied().zip(one.get(1).copied());
    let each = || answer.iter().flatten().copied().collect();
    let written = match algorithm.problem().form {
        Form::Parents => Written::Parents(each()),
        Form::Order => Written::Order(each()),
        Form::Items => Written::Selected(each()),
        Form::Edges => Written::Chosen(answer.iter().filter_map(pair).collect()),
    };
    let work = || {
        let prepared = algorithm.prepare(&instance).map_err(|error| graph.explain(&error))?;
        let candidate = written.candidate(&instance).map_err(|error| error.to_string())?;
        Ok(candidate.and_then(|candidate| prepared.space().verify(&candidate)).err())
    };
    let verdict: Result<_, String> = interrupt::run(py, Threads::One, work)?;
    Ok(verdict.map_err(PyValueError::new_err)?.map(Broken::from))
}

/// The rule's name as in files.
pub fn name(rule: Rule) -> String {
    let name = serde_json::to_value(rule).ok();
    name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().to_owned()
}
