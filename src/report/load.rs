//! From directories to a page: training runs, learnt costs, and reproductions with their experiments.

use super::learnt::results_of;
use super::{Exhibit, Page, Results, Table, TrainingRun, showcase, side_by_side};
use crate::answers::{Form, Part};
use crate::files;
use crate::neural::predict::{Model, ModelError};
use crate::neural::train::{RunDirectory, TrainError};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What a directory holds.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Experiments, by the names of their directories.
    pub results: Vec<Results>,
    /// Training runs, by the names of their directories.
    pub runs: Vec<TrainingRun>,
    /// The model of the directory itself, if it is a training run that has one.
    model: Option<Model>,
}

/// Why a directory cannot be shown.
#[derive(Debug, Error)]
pub enum LoadError {
    /// A file or directory could not be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Nothing there can be shown.
    #[error("{} holds neither a training run (settings.toml), nor a learnt cost (account.json), nor results of an experiment (results.json)", .0.display())]
    Nothing(PathBuf),
    /// A file is not what its name says.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A training run cannot be read.
    #[error(transparent)]
    Run(#[from] TrainError),
    /// A model cannot be read.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// What a learnt cost says of itself.
const ACCOUNT: &str = "account.json";

/// How deep experiments and training runs may lie in a reproduction.
const DEEPEST: usize = 4;

/// Reads a training run, an experiment, or a reproduction that holds both.
pub fn load(path: &Path) -> Result<Loaded, LoadError> {
    let mut loaded = Loaded::default();
    collect(path, DEEPEST, &mut loaded)?;
    if loaded.results.is_empty() && loaded.runs.is_empty() {
        return Err(LoadError::Nothing(path.to_owned()));
    }
    if is_run(path) && path.join("best.safetensors").exists() {
        loaded.model = Some(Model::load(path, None)?);
    }
    Ok(loaded)
}

fn is_run(path: &Path) -> bool {
    path.join("settings.toml").is_file() && !is_cost(path)
}

fn is_cost(path: &Path) -> bool {
    path.join(ACCOUNT).is_file()
}

fn collect(path: &Path, depth: usize, loaded: &mut Loaded) -> Result<(), LoadError> {
    if is_run(path) {
        let (run, settings) = RunDirectory::open(path)?;
        loaded.runs.push(TrainingRun { name: name_of(path), settings, log: run.log()? });
        return Ok(());
    }
    if is_cost(path) {
        loaded.results.push(read_account(path)?);
        return Ok(());
    }
    let results = path.join("results.json");
    if results.is_file() {
        loaded.results.push(read_results(&results)?);
    }
    if depth == 0 {
        return Ok(());
    }
    let unreadable = |source| LoadError::File { path: path.to_owned(), source };
    let mut inner = vec![];
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !hidden && entry.file_type().map_err(unreadable)?.is_dir() {
            inner.push(entry.path());
        }
    }
    inner.sort();
    inner.iter().try_for_each(|directory| collect(directory, depth - 1, loaded))
}

/// The last part of a path that has a name; `.` is asked for its real one.
fn name_of(path: &Path) -> String {
    let named = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let real = || fs::canonicalize(path).ok().and_then(|path| named(&path));
    named(path).or_else(real).unwrap_or_else(|| path.display().to_string())
}

fn read_results(path: &Path) -> Result<Results, LoadError> {
    let damaged = |reason: String| LoadError::Damaged { path: path.to_owned(), reason };
    let text = files::read_text(path).map_err(|source| LoadError::File { path: path.to_owned(), source })?;
    let results: Results = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
    results.tables.iter().try_for_each(check_table).map_err(damaged)?;
    results.exhibits.iter().try_for_each(check_exhibit).map_err(damaged)?;
    Ok(results)
}

fn read_account(directory: &Path) -> Result<Results, LoadError> {
    let path = directory.join(ACCOUNT);
    let text = files::read_text(&path).map_err(|source| LoadError::File { path: path.clone(), source })?;
    let account = serde_json::from_str(&text);
    let account = account.map_err(|error| LoadError::Damaged { path, reason: error.to_string() })?;
    Ok(results_of(&account, name_of(directory)))
}

fn check_table(table: &Table) -> Result<(), String> {
    let columns = table.columns.len();
    match table.rows.iter().position(|row| row.len() != columns) {
        Some(row) => Err(format!(
            "table '{}', row {}: {} cells for {columns} columns",
            table.name,
            row + 1,
            table.rows[row].len()
        )),
        None => Ok(()),
    }
}

/// The page relies on vertices being there.
fn check_exhibit(exhibit: &Exhibit) -> Result<(), String> {
    let n = exhibit.vertices.len();
    let refuse = |what: String| Err(format!("instance '{}': {what}, but there are {n} vertices", exhibit.name));
    if let Some(edge) = exhibit.edges.iter().find(|edge| edge.tail >= n || edge.head >= n) {
        return refuse(format!("edge {} -> {}", edge.tail, edge.head));
    }
    if let Some(source) = exhibit.source.filter(|&source| source >= n) {
        return refuse(format!("source {source}"));
    }
    let numbers = exhibit.items.iter().flat_map(|items| &items.numbers);
    if numbers.clone().any(|column| column.len() != n) || exhibit.is_left.as_ref().is_some_and(|left| left.len() != n) {
        return refuse("what is said of each".to_owned());
    }
    let slots = match exhibit.form {
        Form::Parents | Form::Items => n,
        Form::Edges => exhibit.edges.len(),
        Form::Order => n + usize::from(n > 0),
    };
    for distribution in &exhibit.distributions {
        let options = exhibit.form.options(slots);
        if distribution.rows.len() != slots || distribution.rows.iter().any(|row| row.len() != options) {
            return refuse(format!("distribution '{}' has other rows or columns", distribution.name));
        }
    }
    for draw in &exhibit.draws {
        let whole = draw.parents.len() == if exhibit.form == Form::Parents { n } else { 0 };
        let known = draw.parents.iter().chain(&draw.order).all(|&vertex| vertex < n);
        if !whole || !known || draw.chosen.iter().any(|&slot| slot >= slots) {
            return refuse(format!("candidate {:?}", [&draw.parents, &draw.chosen, &draw.order]));
        }
        if let Some(broken) = &draw.broken {
            let edges = broken.edges.iter().flat_map(|&(tail, head)| [tail, head]);
            let lists = [&broken.path, &broken.items, &broken.better].into_iter().flatten().copied();
            let exchanged = broken.exchange.iter().flat_map(|exchange| [Some(exchange.put_in), exchange.take_out]);
            let mut proof = edges.chain(lists).chain(exchanged.flatten().flat_map(Part::numbers));
            if let Some(number) = proof.find(|&number| number >= n) {
                return refuse(format!("{number} in the proof of a broken rule"));
            }
        }
    }
    for execution in &exhibit.executions {
        let fits = |step: &super::Step| {
            step.states.len() == n
                && step.parents.len() == n
                && step.states.iter().all(|&state| usize::from(state) < execution.states.len())
                && step.parents.iter().flatten().all(|&parent| parent < n)
                && step.selected.iter().all(|&(sender, receiver)| sender < n && receiver < n)
                && step.registers.as_ref().is_none_or(|registers| registers.len() == n)
        };
        let ranked = execution.ranks_are_of_edges || execution.ranks.len() == n;
        if execution.steps.is_empty() || !ranked || !execution.steps.iter().all(fits) {
            return refuse("an execution does not fit".to_owned());
        }
    }
    Ok(())
}

/// The page of one or several directories; several are compared. Models of training runs are shown on random graphs of
/// that seed.
pub fn page_of(paths: &[PathBuf], seed: u64) -> Result<Page, LoadError> {
    let labels = labels(paths);
    let (mut found, mut runs, mut models) = (vec![], vec![], vec![]);
    for (path, label) in paths.iter().zip(&labels) {
        let loaded = load(path)?;
        let alone = is_run(path);
        for run in loaded.runs {
            let name = match (alone, paths.len()) {
                (true, _) => label.clone(),
                (false, 1) => run.name,
                (false, _) => format!("{label}/{}", run.name),
            };
            runs.push(TrainingRun { name, ..run });
        }
        models.extend(loaded.model.map(|model| (label.clone(), model)));
        if !loaded.results.is_empty() {
            found.push((label.clone(), loaded.results));
        }
    }
    let mut results = side_by_side(found);
    let exhibits = showcase(&models, seed);
    if !exhibits.is_empty() {
        let name = if models.len() > 1 { "models on the same random graphs" } else { "the model on random graphs" };
        results.push(Results { name: name.to_owned(), exhibits, ..Results::default() });
    }
    Ok(Page { title: labels.join(" and "), about: String::new(), results, runs })
}

/// The names of the directories, or the paths where names are the same.
fn labels(paths: &[PathBuf]) -> Vec<String> {
    let names: Vec<String> = paths.iter().map(|path| name_of(path)).collect();
    let unique = names.iter().enumerate().all(|(index, name)| !names[..index].contains(name));
    if unique { names } else { paths.iter().map(|path| path.display().to_string()).collect() }
}
