//! Algorithms, extractors and tie policies by the names that the library gives them.

use crate::forms;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tiebreak::instance::{ItemKind, Preset};
use tiebreak::problems::extract::Extractor;
use tiebreak::problems::ties::TiePolicy;
use tiebreak::problems::{ALGORITHMS, Algorithm, Direction, by_name};

/// The numbers of items, by name, with other words for each.
type Columns = Vec<(&'static str, &'static [&'static str])>;

/// What Python code must know of an algorithm.
#[derive(IntoPyObject)]
pub struct Facts {
    name: &'static str,
    /// Other spellings of it, dm-clrs' first.
    others: Vec<String>,
    needs_source: bool,
    uses_weights: bool,
    /// Whether it takes undirected graphs only.
    undirected: bool,
    extractors: Vec<&'static str>,
    /// The form of its answers.
    form: &'static str,
    /// Where it is about items, what one of them is called, and their numbers.
    items: Option<(&'static str, Columns)>,
}

/// What Python code must know of every algorithm.
#[pyfunction]
pub fn algorithms() -> Vec<Facts> {
    let facts = |algorithm: &&dyn Algorithm| {
        let (name, needs) = (algorithm.name(), algorithm.needs());
        let clrs = algorithm.clrs_name().map(str::to_owned);
        let mut others: Vec<String> = clrs.into_iter().chain([name.replace('-', "_")]).collect();
        others.dedup();
        others.retain(|other| other != name);
        let problem = algorithm.problem();
        let columns = |kind: &ItemKind| kind.columns.iter().map(|column| (column.name, column.also)).collect();
        Facts {
            name,
            others,
            needs_source: needs.source,
            uses_weights: needs.weights.are_used(),
            undirected: needs.direction == Direction::Undirected,
            extractors: problem.extractors.iter().map(|one| one.name()).collect(),
            form: forms::name(problem.form),
            items: problem.items.map(|kind| (kind.one, columns(kind))),
        }
    };
    ALGORITHMS.iter().map(facts).collect()
}

/// The algorithm of that name.
pub fn algorithm(name: &str) -> PyResult<&'static dyn Algorithm> {
    let names = || ALGORITHMS.iter().map(|algorithm| algorithm.name());
    by_name(name).ok_or_else(|| unknown("an algorithm", name, names()))
}

/// The extractor of that name, written as in the paper (`AltUpwards`) or as in the library (`alt-upwards`).
pub fn extractor(algorithm: &dyn Algorithm, name: &str) -> PyResult<&'static dyn Extractor> {
    let plain = |name: &str| name.replace(['-', '_'], "").to_lowercase();
    let found = algorithm.problem().extractors.iter().copied().find(|extractor| plain(extractor.name()) == plain(name));
    let names = || algorithm.problem().extractors.iter().map(|extractor| extractor.name());
    found.ok_or_else(|| unknown(&format!("an extractor of {}", algorithm.name()), name, names()))
}

/// The policy of that name.
pub fn ties(name: &str) -> PyResult<TiePolicy> {
    let names = || TiePolicy::ALL.iter().map(|policy| policy.name());
    let found = TiePolicy::ALL.into_iter().find(|policy| policy.name() == name);
    found.ok_or_else(|| unknown("a way to break ties", name, names()))
}

/// The preset of that name.
pub fn preset(name: &str) -> PyResult<Preset> {
    let names = || Preset::ALL.iter().map(|preset| preset.name());
    let found = Preset::ALL.into_iter().find(|preset| preset.name() == name);
    found.ok_or_else(|| unknown("a preset", name, names()))
}

fn unknown(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> PyErr {
    let known: Vec<String> = known.map(|name| format!("'{name}'")).collect();
    PyValueError::new_err(format!("'{name}' is not {what}; there are {}", known.join(", ")))
}
