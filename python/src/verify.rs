//! Verdicts on candidates.

use crate::batch::{Case, Failure, NativeBatch};
use crate::choices;
use crate::forms;
use numpy::PyReadonlyArrayDyn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tiebreak::answers::Candidate;
use tiebreak::cancel;
use tiebreak::problems::Space;
use tiebreak::problems::verify::{Rule, Violation};

/// A broken rule: the vertex, the rule's name and words, the edges that prove it, a path that proves it.
type Broken = (usize, String, &'static str, Vec<(usize, usize)>, Vec<usize>);

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
    let read = |(index, (case, array)): (usize, (&Case, &PyReadonlyArrayDyn<'_, i64>))| {
        let candidates = forms::read_candidates(array, algorithm.problem().form, &case.instance);
        candidates.map_err(|words| batch.error(py, index, &Failure::Words(words)))
    };
    let read = batch.cases.iter().zip(&candidates).enumerate().map(read);
    let read: Vec<Vec<Candidate>> = read.collect::<PyResult<_>>()?;
    batch.each(py, algorithm, |place, _, prepared| {
        let judged: Option<Vec<Option<Broken>>> =
            read[place].iter().map(|candidate| judge(prepared.space(), candidate, weakly)).collect();
        judged.ok_or_else(|| Failure::Words(format!("the paper has no weaker check of {}", algorithm.name())))
    })
}

/// What is wrong with a candidate; `None` where there is no such check.
fn judge(space: &dyn Space, candidate: &Candidate, weakly: bool) -> Option<Option<Broken>> {
    cancel::point();
    let verdict = match weakly {
        true => space.verify_weakly(candidate)?,
        false => space.verify(candidate),
    };
    let broken = |Violation { vertex, rule, edges, path, .. }| {
        (vertex.unwrap_or_default(), name(rule), rule.words(), edges, path)
    };
    Some(verdict.err().map(broken))
}

/// The rule's name as in files.
pub fn name(rule: Rule) -> String {
    let name = serde_json::to_value(rule).ok();
    name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().to_owned()
}
