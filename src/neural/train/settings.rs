//! Everything that can be set about a training run, with the defaults of the paper; one TOML file.

use crate::files;
use crate::instance::Preset;
use crate::neural::model::{self, BadWidth};
use crate::neural::settings::{self, SettingsError};
use crate::pipeline::generate::{SampleError, SampleFile, Source, samples_from_any_bytes};
use crate::problems::ties::TiePolicy;
use crate::problems::{ALGORITHMS, Problem};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The settings of a run. A file may leave out any of them; a key that does not exist is refused.
///
/// ```
/// use tiebreak::neural::train::TrainSettings;
/// let settings = TrainSettings::from_toml("steps = 100\n[model]\nhidden = 32\n", &["batch=8".to_owned()]).unwrap();
/// assert_eq!((settings.steps, settings.batch, settings.model.hidden), (100, 8, 32));
/// assert!(TrainSettings::from_toml("stpes = 100", &[]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainSettings {
    /// The algorithm's name.
    pub algorithm: String,
    /// The seed of parameters, graphs and runs.
    pub seed: u64,
    /// Training steps.
    pub steps: u64,
    /// Graphs in a step, all of one size.
    pub batch: usize,
    /// The sizes, one after the other from step to step.
    pub sizes: Vec<usize>,
    /// Edge probabilities; each graph draws one of them.
    pub p: Vec<f64>,
    /// Random graphs of the paper's text or of the code behind its tables.
    pub preset: Preset,
    /// Fresh graphs at every step (0), or so many graphs of each size, again and again.
    pub training_set: usize,
    /// What the network learns.
    pub objective: Objective,
    /// Whether a distribution is that of repeated runs or exact.
    pub distribution: Source,
    /// Runs behind an empirical distribution.
    pub runs: usize,
    /// How the ties of a run hang together.
    pub ties: TiePolicy,
    /// How the ties of the one solution are broken, for the objective `cross-entropy`.
    pub labels: Labels,
    /// The step size of Adam.
    pub learning_rate: f64,
    /// The gradient's norm is clipped to this.
    pub clip: f64,
    /// StepCount between validations; each writes a checkpoint.
    pub validate_every: u64,
    /// The size of the validation graphs.
    pub validation_size: usize,
    /// How many validation graphs there are.
    pub validation_graphs: usize,
    /// What makes parameters the best.
    pub keep_best_by: ValidationScore,
    /// The network.
    pub model: model::NetworkSettings,
    /// Samples from a file instead of fresh graphs; sizes, densities, runs and ties are then those of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<DataFile>,
}

/// A file of samples to learn from, as `tiebreak generate` writes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// Where it is.
    pub path: PathBuf,
    /// The checksum of its bytes, so that a run never goes on with another file.
    pub checksum: String,
}

impl DataFile {
    /// The file at a path, as it is now.
    pub fn of(path: &Path) -> Result<Self, SampleError> {
        Ok(DataFile { path: path.to_owned(), checksum: checksum(&read(path)?) })
    }

    /// Its samples, if it is still the same file.
    pub(super) fn samples(&self, problem: &'static Problem) -> Result<SampleFile, SampleError> {
        let bytes = read(&self.path)?;
        if checksum(&bytes) != self.checksum {
            return Err(SampleError::Changed(self.path.clone()));
        }
        samples_from_any_bytes(&bytes, problem)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, SampleError> {
    files::read(path).map_err(|error| SampleError::File { path: path.to_owned(), reason: error.to_string() })
}

/// 64 bits of FNV-1a, which is enough to tell two files of a person apart.
fn checksum(bytes: &[u8]) -> String {
    format!("{:016x}", crate::random::fingerprint(bytes))
}

/// What the network learns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The parent distribution, by KL divergence: the paper.
    #[default]
    Kl,
    /// One solution, by cross-entropy: ordinary CLRS training.
    CrossEntropy,
}

/// How the ties of the one solution are broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Labels {
    /// Towards the lowest index; the input `pos` ascends with the index.
    #[default]
    Index,
    /// Towards the lowest `pos`, which is in random order.
    Pos,
}

/// What makes parameters the best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValidationScore {
    /// The least loss on the validation graphs.
    #[default]
    Loss,
    /// The least mean absolute difference of probabilities, as the code behind the paper's tables did.
    Difference,
}

impl Default for TrainSettings {
    fn default() -> Self {
        TrainSettings {
            algorithm: ALGORITHMS[0].name().to_owned(),
            seed: 0,
            steps: 10_000,
            batch: 32,
            sizes: vec![4, 7, 11, 13, 16],
            p: vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
            preset: Preset::Text,
            training_set: 0,
            objective: Objective::Kl,
            distribution: Source::Empirical,
            runs: 20,
            ties: TiePolicy::OneOrder,
            labels: Labels::Index,
            learning_rate: 1e-3,
            clip: 1.0,
            validate_every: 50,
            validation_size: 16,
            validation_graphs: 32,
            keep_best_by: ValidationScore::Loss,
            model: model::NetworkSettings::default(),
            data: None,
        }
    }
}

impl TrainSettings {
    /// Reads a TOML text, then applies changes of the form `key=value` (`model.hidden=32` for a nested key).
    pub fn from_toml(text: &str, changes: &[String]) -> Result<Self, SettingsError> {
        let settings: TrainSettings = settings::read(text, changes)?;
        settings.checked()
    }

    /// The settings as a TOML text that [`TrainSettings::from_toml`] reads back.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("settings are always TOML")
    }

    fn checked(self) -> Result<Self, SettingsError> {
        let positive = [
            ("steps", self.steps as usize),
            ("batch", self.batch),
            ("runs", self.runs),
            ("validate_every", self.validate_every as usize),
            ("validation_size", self.validation_size),
            ("validation_graphs", self.validation_graphs),
        ];
        let refuse = |key, value, reason| Err(SettingsError::Value { key, value, reason });
        if let Err(BadWidth { key, width, reason }) = self.model.check_widths() {
            return refuse(key, width.to_string(), reason);
        }
        if let Some((key, _)) = positive.into_iter().find(|&(_, value)| value == 0) {
            return refuse(key, "0".to_owned(), "must be at least 1");
        }
        if self.sizes.is_empty() || self.sizes.contains(&0) {
            return refuse("sizes", format!("{:?}", self.sizes), "a list of sizes of at least 1");
        }
        if self.p.is_empty() || self.p.iter().any(|p| !(0.0..=1.0).contains(p)) {
            return refuse("p", format!("{:?}", self.p), "a list of probabilities");
        }
        for (key, value) in [("learning_rate", self.learning_rate), ("clip", self.clip)] {
            if !(value.is_finite() && value > 0.0) {
                return refuse(key, value.to_string(), "must be positive");
            }
        }
        match crate::problems::by_name(&self.algorithm).map(|algorithm| algorithm.network()) {
            None => return refuse("algorithm", self.algorithm, "there is no such algorithm"),
            Some(Err(missing)) => return refuse("algorithm", self.algorithm, missing.0),
            Some(Ok(_)) => {}
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_from_their_file() {
        let settings = TrainSettings { learning_rate: 3e-4, preset: Preset::Authors, ..TrainSettings::default() };
        assert_eq!(TrainSettings::from_toml(&settings.to_toml(), &[]).unwrap(), settings);
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        for (text, change, message) in [
            ("stpes = 1", "", "unknown field `stpes`"),
            ("steps = 'many'", "", "invalid type"),
            ("", "batch=0", "batch = 0: must be at least 1"),
            ("", "p=[0.5, 2]", "a list of probabilities"),
            ("", "learning_rate=nan", "learning_rate = NaN"),
            ("", "algorithm=quicksort", "there is no such algorithm"),
            ("", "model.hiden=3", "unknown field `hiden`"),
            ("", "batch", "'batch' is not key=value"),
            ("", "preset=other", "unknown variant `other`"),
        ] {
            let changes: Vec<String> = [change].iter().filter(|c| !c.is_empty()).map(|c| (*c).to_owned()).collect();
            let error = TrainSettings::from_toml(text, &changes).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
