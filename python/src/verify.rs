//! Verdicts on candidates.

use crate::arrays::candidates;
use crate::graph::NativeGraph;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use tiebreak::algorithms::Algorithm;
use tiebreak::graph::Instance;
use tiebreak::parents::ParentArray;
use tiebreak::verify::{Rule, Violation};

/// A broken rule: the vertex, the rule's name and words, the edges that prove it.
type Broken = (usize, String, &'static str, Vec<(usize, usize)>);

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
    Ok(py.detach(|| candidates.iter().map(|candidate| judge(algorithm, &instance, candidate, weakly)).collect()))
}

fn judge(algorithm: &dyn Algorithm, instance: &Instance, candidate: &ParentArray, weakly: bool) -> Option<Broken> {
    let verdict = match weakly {
        true => algorithm.verify_weakly(instance, candidate),
        false => algorithm.verify(instance, candidate),
    };
    let Violation { vertex, rule, edges } = verdict.err()?;
    Some((vertex, name(rule), rule.words(), edges))
}

/// The rule's name as in files.
pub fn name(rule: Rule) -> String {
    let name = serde_json::to_value(rule).ok();
    name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().to_owned()
}
