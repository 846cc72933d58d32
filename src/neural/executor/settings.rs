//! Everything that can be set about the training of an executor.

use crate::neural::settings::{self, SettingsError};
use crate::problems::ALGORITHMS;
use serde::{Deserialize, Serialize};

/// The settings of a training; a key that does not exist is refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExecutorSettings {
    /// The algorithm's name.
    pub algorithm: String,
    /// The seed of parameters, graphs, priorities and batches.
    pub seed: u64,
    /// Training steps.
    pub steps: u64,
    /// Recorded runs to learn from.
    pub graphs: usize,
    /// Their sizes, in turn.
    pub sizes: Vec<usize>,
    /// Their edge probabilities; each graph draws one of them.
    pub p: Vec<f64>,
    /// Pairs in the selections of a step, about.
    pub batch: usize,
    /// Hidden units of each perceptron.
    pub hidden: usize,
    /// The step size of Adam at the start; it falls to zero along a cosine.
    pub learning_rate: f64,
    /// Levels are kept apart and drawn towards whole numbers: noise, the penalty, and what is never selected drawn down.
    pub quantise: bool,
    /// The recorded selections are learnt; otherwise only the states and pointers that follow from them.
    pub supervise_selection: bool,
    /// The priorities that decided the recorded ties are shown; otherwise selections look random.
    pub show_priorities: bool,
}

impl Default for ExecutorSettings {
    fn default() -> Self {
        ExecutorSettings {
            algorithm: ALGORITHMS[0].name().to_owned(),
            seed: 0,
            steps: 3_000,
            graphs: 1_000,
            sizes: vec![4, 7, 11, 13, 16],
            p: vec![0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
            batch: 6_000,
            hidden: 32,
            learning_rate: 3e-3,
            quantise: true,
            supervise_selection: true,
            show_priorities: true,
        }
    }
}

impl ExecutorSettings {
    /// The defaults for an algorithm and a seed.
    pub fn of(algorithm: &str, seed: u64) -> Self {
        ExecutorSettings { algorithm: algorithm.to_owned(), seed, ..ExecutorSettings::default() }
    }

    /// Reads a TOML text with a table `executor`, then applies changes of the form `key=value`.
    ///
    /// ```
    /// use tiebreak::neural::executor::ExecutorSettings;
    /// let settings = ExecutorSettings::from_toml("executor.seed = 3", &["hidden=16".to_owned()]).unwrap();
    /// assert_eq!((settings.seed, settings.hidden, settings.steps), (3, 16, 3_000));
    /// assert!(ExecutorSettings::from_toml("executor.hiden = 16", &[]).is_err());
    /// ```
    pub fn from_toml(text: &str, changes: &[String]) -> Result<Self, SettingsError> {
        let changes: Vec<String> = changes.iter().map(|change| format!("executor.{change}")).collect();
        let file: SettingsFile = settings::read(text, &changes)?;
        file.executor.checked()
    }

    /// The settings as a TOML text that [`ExecutorSettings::from_toml`] reads back.
    pub fn to_toml(&self) -> String {
        toml::to_string(&SettingsFile { executor: self.clone() }).expect("settings are always TOML")
    }

    /// Bytes that a training takes, about: each step of a recorded run keeps the pairs that it selected from, and there are as many steps as vertices; a
    /// batch is a list of such selections.
    pub fn memory(&self) -> u64 {
        const BYTES_PER_PAIR: u64 = 16;
        let of_run = |&n: &usize| (n as u64).saturating_pow(3).saturating_mul(BYTES_PER_PAIR).saturating_add(1_000);
        let round = self.sizes.iter().map(of_run).fold(0, u64::saturating_add);
        let runs = round.saturating_mul((self.graphs / self.sizes.len().max(1) + 1) as u64);
        runs.saturating_add((self.batch as u64).saturating_mul(8))
    }

    fn checked(self) -> Result<Self, SettingsError> {
        let refuse = |key, value, reason| Err(SettingsError::Value { key, value, reason });
        let positive = [("steps", self.steps as usize), ("graphs", self.graphs), ("batch", self.batch)];
        if let Some((key, _)) = positive.into_iter().find(|&(_, value)| value == 0) {
            return refuse(key, "0".to_owned(), "must be at least 1");
        }
        if self.hidden == 0 || self.hidden > MAX_HIDDEN {
            return refuse("hidden", self.hidden.to_string(), "must be between 1 and 4096");
        }
        if self.sizes.is_empty() || self.sizes.contains(&0) {
            return refuse("sizes", format!("{:?}", self.sizes), "a list of sizes of at least 1");
        }
        if self.p.is_empty() || self.p.iter().any(|p| !(0.0..=1.0).contains(p)) {
            return refuse("p", format!("{:?}", self.p), "a list of probabilities");
        }
        if !(self.learning_rate.is_finite() && self.learning_rate > 0.0) {
            return refuse("learning_rate", self.learning_rate.to_string(), "must be positive");
        }
        Ok(self)
    }
}

/// The most hidden units that a file may ask for.
pub(super) const MAX_HIDDEN: usize = 4_096;

/// The settings in a run's directory. The table's name tells them from those of the network.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SettingsFile {
    executor: ExecutorSettings,
}
