//! What a run of the network keeps in its directory ([`crate::neural::runs`]).

use super::TrainError;
use super::settings::TrainSettings;
use crate::neural::runs::{Checkpoint, Directory, Logged, RunError, StepCount};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The directory of a run.
#[derive(Clone, Debug)]
pub struct RunDirectory(pub(super) Directory);

/// Where a run stands.
pub(super) type State = Checkpoint<Progress>;

/// The part of the state that is not made of parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// StepCount done.
    pub step: u64,
    /// The best validation score and its step.
    pub best: Option<(f64, u64)>,
    /// Sum and number of the losses since the last line of the log.
    pub losses: (f64, u64),
}

impl StepCount for Progress {
    fn steps(&self) -> u64 {
        self.step
    }
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    /// StepCount done.
    pub step: u64,
    /// The mean training loss since the last line.
    pub loss: f64,
    /// The loss on the validation graphs.
    pub validation: f64,
    /// The mean absolute difference of probabilities on the validation graphs.
    pub difference: f64,
    /// Whether these were the best parameters so far.
    pub best: bool,
    /// Graphs a second since the last line.
    pub graphs_per_second: f64,
}

impl Logged for LogLine {
    fn step(&self) -> u64 {
        self.step
    }
}

/// What a model file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCard {
    /// The settings it was trained with.
    pub settings: TrainSettings,
    /// The step at which it was best.
    pub step: u64,
    /// Its validation score there.
    pub score: f64,
}

impl RunDirectory {
    /// A new run: makes the directory and stores the settings. Refuses a directory that already holds a run.
    pub fn create(path: &Path, settings: &TrainSettings) -> Result<Self, TrainError> {
        Ok(RunDirectory(Directory::create(path, &settings.to_toml())?))
    }

    /// An existing run with its settings.
    pub fn open(path: &Path) -> Result<(Self, TrainSettings), TrainError> {
        let (run, text) = Directory::open(path)?;
        let settings =
            TrainSettings::from_toml(&text, &[]).map_err(|error| RunError::in_settings(&run, error.to_string()))?;
        Ok((RunDirectory(run), settings))
    }

    /// The best parameters: a model.
    pub fn best_path(&self) -> PathBuf {
        self.0.best_path()
    }

    /// The latest checkpoint.
    pub fn last_path(&self) -> PathBuf {
        self.0.last_path()
    }

    /// The lines of the log.
    pub fn log(&self) -> Result<Vec<LogLine>, TrainError> {
        Ok(self.0.log()?)
    }

    /// Whether the run has done all of its steps, so that its best parameters are final.
    pub fn is_complete(&self, settings: &TrainSettings) -> Result<bool, TrainError> {
        // The best parameters of a step are written before its line of the log.
        let done = self.log()?.last().is_some_and(|line| line.step >= settings.steps);
        Ok(done && self.best_path().exists())
    }
}
