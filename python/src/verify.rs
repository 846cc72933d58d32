//! Verdicts on candidates.

use crate::arrays::candidates;
use crate::graph::NativeGraph;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tiebreak::answers::Candidate;
use tiebreak::problems::Space;
use tiebreak::verify::{Rule, Violation};

/// A broken rule: the vertex, the rule's name and words, the edges that prove it, a path that proves it.
type Broken = (usize, String, &'static str, Vec<(usize, usize)>, Vec<usize>);

/// What is wrong with each candidate, one a row; nothing is wrong with a solution.
#[pyfunction]
pub fn verify(
    py: Python<'_>,
    graph: &NativeGraph,
    algorithm: &str,
    source: Option<usize>,
    parents: PyReadonlyArray2<'_, i64>,
    weakly: bool,
) -> PyResult<Vec<Option<Broken>>> {
    let (algorithm, instance) = graph.case(algorithm, source)?;
    let candidates = candidates(&parents, instance.n())?;
    let judged: Option<Vec<Option<Broken>>> = graph.work_on(py, algorithm, &instance, |prepared| {
        candidates.iter().map(|candidate| judge(prepared.space(), candidate, weakly)).collect()
    })?;
    judged.ok_or_else(|| PyValueError::new_err(format!("the paper has no weaker check of {}", algorithm.name())))
}

/// What is wrong with a candidate; `None` where there is no such check.
fn judge(space: &dyn Space, candidate: &Candidate, weakly: bool) -> Option<Option<Broken>> {
    let verdict = match weakly {
        true => space.verify_weakly(candidate)?,
        false => space.verify(candidate),
    };
    let broken = |Violation { vertex, rule, edges, path }| (vertex, name(rule), rule.words(), edges, path);
    Some(verdict.err().map(broken))
}

/// The rule's name as in files.
pub fn name(rule: Rule) -> String {
    let name = serde_json::to_value(rule).ok();
    name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().to_owned()
}
