//! Training in a run's directory ([`crate::neural::runs`]): checkpoints, a log, and going on after a stop or a kill.
//!
//! `best.safetensors` has the parameters with the fewest entries that a certificate would refuse, the latest of equals.

use super::file::ExecutorCard;
use super::hints::Steps;
use super::network::ExecutorNetwork;
use super::settings::ExecutorSettings;
use super::train::{ExecutorLogLine, Training};
use super::{Executor, ExecutorError};
use crate::cancel::{self, Cancelled};
use crate::neural::nn::Adam;
use crate::neural::runs::{self, Checkpoint, Directory, RunError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The directory of a run.
#[derive(Clone, Debug)]
pub struct ExecutorRun(Directory);

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Progress {
    /// Steps done.
    step: u64,
    /// The fewest entries that a certificate would refuse, among the steps that were logged.
    fewest_refused: Option<usize>,
}

impl runs::StepCount for Progress {
    fn steps(&self) -> u64 {
        self.step
    }
}

impl ExecutorRun {
    /// A new run: makes the directory and stores the settings. Refuses a directory that already holds a run.
    pub fn create(path: &Path, settings: &ExecutorSettings) -> Result<Self, RunError> {
        Ok(ExecutorRun(Directory::create(path, &settings.to_toml())?))
    }

    /// An existing run with its settings; `None` when the run is one of another kind of model.
    pub fn open(path: &Path) -> Result<Option<(Self, ExecutorSettings)>, RunError> {
        let (run, text) = Directory::open(path)?;
        if !text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("executor")) {
            return Ok(None);
        }
        let settings =
            ExecutorSettings::from_toml(&text, &[]).map_err(|error| RunError::in_settings(&run, error.to_string()))?;
        Ok(Some((ExecutorRun(run), settings)))
    }

    /// The best parameters: a model.
    pub fn best_path(&self) -> PathBuf {
        self.0.best_path()
    }

    /// The lines of the log.
    pub fn log(&self) -> Result<Vec<ExecutorLogLine>, RunError> {
        self.0.log()
    }

    /// Trains until the last step, or until `stop` is set; goes on from the latest checkpoint if there is one. True when
    /// the training is complete.
    pub fn train(
        &self,
        steps: &dyn Steps,
        settings: &ExecutorSettings,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&ExecutorLogLine),
    ) -> Result<bool, RunError> {
        let _lock = self.0.lock()?;
        let network = ExecutorNetwork::new(steps.frame(), settings.hidden);
        let Ok((training, fresh)) = cancel::catch(|| Training::begin(steps, &network, settings)) else {
            return Ok(false);
        };
        let mut state = match self.0.load_last::<Progress>(&network.layout, settings.learning_rate)? {
            Some(state) => state,
            None => {
                let adam = Adam::new(settings.learning_rate, fresh.values().len());
                Checkpoint { params: fresh, adam, progress: Progress::default() }
            }
        };
        self.0.cut_log::<ExecutorLogLine>(state.progress.step)?;
        while state.progress.step < settings.steps {
            let gradient = match stop.load(Ordering::Relaxed) {
                true => Err(Cancelled),
                false => cancel::catch(|| training.gradient(state.progress.step, &state.params)),
            };
            let Ok(gradient) = gradient else {
                self.0.save_last(&state)?;
                return Ok(false);
            };
            let logged = training.take(gradient, &mut state.params, &mut state.adam);
            state.progress.step += 1;
            if let Some(line) = logged {
                self.keep(&line, settings, &mut state)?;
                observe(&line);
            }
        }
        Ok(true)
    }

    fn keep(
        &self,
        line: &ExecutorLogLine,
        settings: &ExecutorSettings,
        state: &mut Checkpoint<Progress>,
    ) -> Result<(), RunError> {
        self.0.append(line)?;
        let fewest = &mut state.progress.fewest_refused;
        if fewest.is_none_or(|fewest| line.refused <= fewest) {
            *fewest = Some(line.refused);
            self.0.save_best(&state.params, &ExecutorCard { executor: settings.clone(), log: self.log()? })?;
        }
        self.0.save_last(state)
    }

    /// The trained executor.
    pub fn executor(&self, steps: &'static dyn Steps) -> Result<Executor, ExecutorError> {
        Executor::load(steps, &self.best_path())
    }
}
