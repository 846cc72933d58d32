//! An experiment is data: what to measure, on what, and how to lay it out beside the paper's values. One TOML file each.
//!
//! The files of the folder `experiments/` are built in. A key that does not exist is refused. What stands under `[quick]`
//! takes the place of what stands above it when everything is to run small.

use super::ReproduceError;
use super::figures::FigureLayout;
use super::findings::Finding;
use super::paper_values::{self, PaperTable, PaperValue};
use super::parameters::Parameter;
use super::tables::TableLayout;
use crate::files;
use crate::instance::Preset;
use crate::neural::train;
use crate::problems::ties::TiePolicy;
use crate::problems::{Algorithm, by_name};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The experiments of the paper, in the order of the paper, and ours among them.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("unique", include_str!("../../experiments/unique.toml")),
    ("accuracy", include_str!("../../experiments/accuracy.toml")),
    ("permute", include_str!("../../experiments/permute.toml")),
    ("reruns", include_str!("../../experiments/reruns.toml")),
    ("coverage", include_str!("../../experiments/coverage.toml")),
    ("edge-reuse", include_str!("../../experiments/edge-reuse.toml")),
    ("breadth", include_str!("../../experiments/breadth.toml")),
    ("grid", include_str!("../../experiments/grid.toml")),
    ("settings", include_str!("../../experiments/settings.toml")),
    ("times", include_str!("../../experiments/times.toml")),
    ("vanilla", include_str!("../../experiments/vanilla.toml")),
    ("permute-all", include_str!("../../experiments/permute-all.toml")),
    ("permute-pos", include_str!("../../experiments/permute-pos.toml")),
    ("vanilla-pos", include_str!("../../experiments/vanilla-pos.toml")),
];

/// The training settings that all experiments share, so that they share models.
const TRAINING: &str = include_str!("../../experiments/training.toml");

/// An experiment.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Its name; from the name of its file.
    #[serde(default)]
    pub name: String,
    /// What it asks, in a sentence or two.
    pub about: String,
    /// What is measured.
    pub measure: Measure,
    /// Numbers of vertices.
    #[serde(default)]
    pub sizes: Vec<usize>,
    /// Random graphs for each size.
    #[serde(default = "one")]
    pub graphs: usize,
    /// The probability of an edge.
    #[serde(default = "half")]
    pub p: f64,
    /// Candidates (or permutations) for each graph.
    #[serde(default = "one")]
    pub draws: usize,
    /// Runs behind an empirical distribution; several where they are compared.
    #[serde(default = "twenty")]
    pub runs: Vec<usize>,
    /// How the ties of a run hang together.
    #[serde(default)]
    pub ties: TiePolicy,
    /// At most so many seeds, where more would not say more.
    #[serde(default)]
    pub seeds: Option<u64>,
    /// The metrics to keep; all where nothing is said.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// Sizes of graphs to look at.
    #[serde(default)]
    pub exhibits: Vec<usize>,
    /// What takes the place of the above when everything is to run small; empty once it has.
    #[serde(default, skip_serializing)]
    pub quick: toml::Table,
    /// Changes to the training settings that all experiments share.
    #[serde(default)]
    pub training: toml::Table,
    /// On which graphs, with which models.
    #[serde(default)]
    pub entries: Vec<Entry>,
    /// What it found, in sentences.
    #[serde(default)]
    pub found: Vec<Finding>,
    /// How to lay out tables.
    #[serde(default)]
    pub tables: Vec<TableLayout>,
    /// How to draw figures.
    #[serde(default)]
    pub figures: Vec<FigureLayout>,
    /// The paper's values.
    #[serde(default)]
    pub paper_values: Vec<PaperTable>,
    /// Settings to set beside the paper's.
    #[serde(default)]
    pub parameters: Vec<Parameter>,
}

fn one() -> usize {
    1
}

fn half() -> f64 {
    0.5
}

fn twenty() -> Vec<usize> {
    vec![20]
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Distributions × extractors × draws, averaged over graphs.
    Draws,
    /// What grows with the number of draws, and the algorithm's own runs beside it.
    Curve,
    /// The executor and the algorithm's own runs on large graphs: right answers, distinct ones, time.
    Grid,
    /// The network's answer when all its inputs are relabelled.
    PermuteAll,
    /// The network's answer when only `pos` is permuted.
    PermutePos,
    /// The network's answer against the one solution it was taught.
    Labels,
    /// Distributions of different numbers of runs.
    Reruns,
    /// The time that training took.
    Times,
    /// The training settings.
    Settings,
}

/// One kind of graphs, and a model for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The algorithm's name.
    pub algorithm: String,
    /// Which random graphs.
    #[serde(default)]
    pub preset: Preset,
    /// Whether the paper's values stand beside it.
    #[serde(default)]
    pub paper: bool,
    /// What the model was taught; none where no model is needed.
    pub model: Option<Taught>,
    /// At most so many steps of training, where more would take long and add little.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u64>,
    /// At most so many seeds, where a training takes too long for more. What a seed measures does not depend on it.
    #[serde(default, skip_serializing)]
    pub seeds: Option<u64>,
    /// The extractors' names.
    #[serde(default)]
    pub extractors: Vec<String>,
    /// Whether the executor draws, too.
    #[serde(default)]
    pub executor: bool,
    /// An algorithm with a laxer verifier, to judge by as well.
    pub relaxed: Option<String>,
}

/// What a model was taught.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Taught {
    /// Parent distributions, by KL divergence.
    Kl,
    /// One solution, ties towards the lowest index.
    Index,
    /// One solution, ties towards the lowest `pos`.
    Pos,
}

impl Experiment {
    /// A built-in experiment, or the one in a file (a name with the ending `.toml`).
    pub fn find(name: &str, quick: bool) -> Result<Self, ReproduceError> {
        if let Some(stem) = name.strip_suffix(".toml") {
            let text =
                files::read_text(name.as_ref()).map_err(|source| ReproduceError::File { path: name.into(), source })?;
            let stem = Path::new(stem).file_name().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            return Experiment::parse(&stem, &text, quick).map_err(|reason| bad(name, reason));
        }
        let known = BUILT_IN.iter().find(|(known, _)| *known == name);
        let (_, text) = known.ok_or_else(|| ReproduceError::Unknown(name.to_owned()))?;
        Experiment::parse(name, text, quick).map_err(|reason| bad(&format!("experiments/{name}.toml"), reason))
    }

    /// Reads an experiment; `quick` puts its small version in place of the full one.
    pub fn parse(name: &str, text: &str, quick: bool) -> Result<Self, String> {
        // From the text itself, so that an error has its line.
        let mut experiment: Experiment = toml::from_str(text).map_err(|error| said(&error))?;
        if quick {
            experiment = with_quick(text, true)?.try_into().map_err(|error: toml::de::Error| said(&error))?;
        }
        experiment.quick.clear();
        experiment.name = name.to_owned();
        experiment.training = with_training(&experiment.training, quick)?;
        experiment.check()?;
        Ok(experiment)
    }

    /// All values of the paper that belong to it.
    pub fn paper_values(&self) -> Vec<PaperValue> {
        let parsed = self.paper_values.iter().flat_map(|table| paper_values::parse(&table.table));
        parsed.flatten().collect()
    }

    /// The settings of the training of an entry's model.
    pub fn training_settings(&self, entry: &Entry, seed: u64) -> Result<Option<train::TrainSettings>, String> {
        let Some(taught) = entry.model else { return Ok(None) };
        let (objective, labels) = match taught {
            Taught::Kl => ("kl", "index"),
            Taught::Index => ("cross-entropy", "index"),
            Taught::Pos => ("cross-entropy", "pos"),
        };
        let preset = entry.preset.name();
        let changes = [
            format!("algorithm={}", entry.algorithm),
            format!("preset={preset}"),
            format!("objective={objective}"),
            format!("labels={labels}"),
            format!("seed={seed}"),
        ];
        let mut settings =
            train::TrainSettings::from_toml(&self.training.to_string(), &changes).map_err(|error| error.to_string())?;
        settings.steps = entry.max_steps.map_or(settings.steps, |most| settings.steps.min(most));
        Ok(Some(settings))
    }

    fn check(&self) -> Result<(), String> {
        let name_is_plain = |name: &str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        };
        let names = [&self.name].into_iter().chain(self.tables.iter().map(|table| &table.name));
        for name in names.chain(self.figures.iter().map(|figure| &figure.name)) {
            if !name_is_plain(name) {
                return Err(format!("'{name}' is not a name: letters, digits and dashes"));
            }
        }
        if !(0.0..=1.0).contains(&self.p) {
            return Err(format!("p = {}: not a probability", self.p));
        }
        if self.graphs == 0 || self.draws == 0 || self.runs.is_empty() || self.runs.contains(&0) {
            return Err("graphs, draws and runs are at least 1".to_owned());
        }
        if let Some(size) = self.sizes.iter().chain(&self.exhibits).find(|&&size| size == 0 || size > MAX_SIZE) {
            return Err(format!("size {size}: experiments have 1 to {MAX_SIZE} vertices"));
        }
        self.found.iter().try_for_each(Finding::check)?;
        self.paper_values.iter().try_for_each(|table| paper_values::parse(&table.table).map(drop))?;
        self.entries.iter().enumerate().try_for_each(|(place, entry)| {
            let twin = self.entries[..place].iter().any(|other| other.label() == entry.label());
            if twin { Err(format!("two entries are {}", entry.label())) } else { self.check_entry(entry) }
        })
    }

    fn check_entry(&self, entry: &Entry) -> Result<(), String> {
        let algorithm = entry.algorithm()?;
        for name in &entry.extractors {
            if !algorithm.problem().extractors.iter().any(|extractor| extractor.name() == name) {
                return Err(format!("'{name}' is not an extractor of {}", entry.algorithm));
            }
        }
        if entry.relaxed.as_ref().is_some_and(|name| by_name(name).is_none()) {
            return Err(format!("there is no algorithm '{}'", entry.relaxed.as_deref().unwrap_or_default()));
        }
        if entry.model.is_none() && self.measure.needs_model() {
            return Err(format!("{}: this is measured on a model, so the entry needs one", entry.label()));
        }
        self.training_settings(entry, 0).map(drop)
    }
}

/// The most vertices of an experiment: a network's work grows with their square, and depth-first search's with their cube.
const MAX_SIZE: usize = 2_000;

impl Measure {
    fn needs_model(self) -> bool {
        matches!(self, Measure::PermuteAll | Measure::PermutePos | Measure::Labels | Measure::Times | Measure::Settings)
    }
}

impl Entry {
    /// The algorithm itself.
    pub fn algorithm(&self) -> Result<&'static dyn Algorithm, String> {
        by_name(&self.algorithm).ok_or_else(|| format!("there is no algorithm '{}'", self.algorithm))
    }

    /// The name of the entry and of its training, apart from the seed.
    pub fn label(&self) -> String {
        let base = format!("{}-{}", self.algorithm, self.preset.name());
        match self.model {
            None | Some(Taught::Kl) => base,
            Some(Taught::Index) => base + "-index",
            Some(Taught::Pos) => base + "-pos",
        }
    }
}

fn bad(file: &str, reason: String) -> ReproduceError {
    ReproduceError::Experiment { file: file.to_owned(), reason }
}

fn said(error: &toml::de::Error) -> String {
    error.to_string().trim_end().to_owned()
}

/// The file's table without its part `[quick]`, which is laid over the rest if asked for.
fn with_quick(text: &str, quick: bool) -> Result<toml::Table, String> {
    let mut table: toml::Table = text.parse().map_err(|error| said(&error))?;
    match table.remove("quick") {
        Some(toml::Value::Table(small)) if quick => lay_over(&mut table, small),
        Some(toml::Value::Table(_)) | None => {}
        Some(other) => return Err(format!("quick = {other}: it is a table")),
    }
    Ok(table)
}

fn with_training(changes: &toml::Table, quick: bool) -> Result<toml::Table, String> {
    let mut training = with_quick(TRAINING, quick)?;
    lay_over(&mut training, changes.clone());
    Ok(training)
}

fn lay_over(table: &mut toml::Table, over: toml::Table) {
    for (key, value) in over {
        match (table.get_mut(&key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(value)) => lay_over(inner, value),
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_experiment_is_well_formed_in_full_and_small() {
        for (name, text) in BUILT_IN {
            for quick in [false, true] {
                let experiment =
                    Experiment::parse(name, text, quick).unwrap_or_else(|reason| panic!("{name}: {reason}"));
                for entry in &experiment.entries {
                    experiment.training_settings(entry, 3).unwrap();
                }
            }
        }
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        let base = "about = ''\nmeasure = 'draws'\n";
        for (text, message) in [
            ("grahps = 3", "unknown field `grahps`"),
            ("measure = 'all'", "duplicate key"),
            ("graphs = 0", "at least 1"),
            ("sizes = [5, 0]", "size 0"),
            ("p = 2.0", "not a probability"),
            ("[[entries]]\nalgorithm = 'quicksort'", "there is no algorithm 'quicksort'"),
            ("[[entries]]\nalgorithm = 'dfs'\nextractors = ['beam']", "'beam' is not an extractor of dfs"),
            ("[[entries]]\nalgorithm = 'dfs'\n[[entries]]\nalgorithm = 'dfs'", "two entries are dfs-text"),
            ("[training]\nstpes = 3\n[[entries]]\nalgorithm = 'dfs'\nmodel = 'kl'", "unknown field `stpes`"),
            ("[[paper_values]]\nlabel = ''\ntable = 'n valid\n5'", "'5' has 1 columns"),
            ("quick = 3", "invalid type"),
        ] {
            let text = text.replace("'n valid\n5'", "'''n valid\n5'''");
            let error = Experiment::parse("test", &format!("{base}{text}"), false).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
        assert!(Experiment::parse("../test", base, false).unwrap_err().contains("is not a name"));
    }

    #[test]
    fn the_small_version_takes_the_place_of_the_full_one() {
        let text = "about = ''\nmeasure = 'draws'\ngraphs = 32\ndraws = 5\n[quick]\ngraphs = 4\n";
        let of = |quick| Experiment::parse("test", text, quick).unwrap();
        assert_eq!((of(false).graphs, of(true).graphs, of(true).draws), (32, 4, 5));
        let steps = |quick| of(quick).training.get("steps").cloned();
        assert_ne!(steps(false), steps(true));
    }
}
