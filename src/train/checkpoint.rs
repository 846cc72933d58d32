//! A run's directory: settings, log, the best and the latest parameters. Every file appears whole or not at all.
//!
//! ```text
//! settings.toml       what was asked for, with every default filled in
//! log.jsonl           a line for each validation
//! best.safetensors    the parameters that validated best: a model
//! last.safetensors    parameters, optimiser, step: what a resumed run starts from
//! ```
//! Random streams need no place in a checkpoint: those of a step are keyed by the step.

use super::TrainError;
use super::settings::Settings;
use crate::files::write_atomically;
use crate::nn::card::{metadata_of, read_card};
use crate::nn::{Adam, Layout, Params};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The directory of a run.
#[derive(Clone, Debug)]
pub struct RunDirectory(PathBuf);

/// Where a run stands.
pub(super) struct State {
    pub params: Params<f32>,
    pub adam: Adam<f32>,
    pub progress: Progress,
}

/// The part of the state that is not made of parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// Steps done.
    pub step: u64,
    /// The best validation score and its step.
    pub best: Option<(f64, u64)>,
    /// Sum and number of the losses since the last line of the log.
    pub losses: (f64, u64),
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    /// Steps done.
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

/// What a model file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCard {
    /// The settings it was trained with.
    pub settings: Settings,
    /// The step at which it was best.
    pub step: u64,
    /// Its validation score there.
    pub score: f64,
}

impl RunDirectory {
    /// A new run: makes the directory and stores the settings. Refuses a directory that already holds a run.
    pub fn create(path: &Path, settings: &Settings) -> Result<Self, TrainError> {
        let run = RunDirectory(path.to_owned());
        fs::create_dir_all(path).map_err(|source| TrainError::file(path, source))?;
        if run.settings_path().exists() {
            return Err(TrainError::Occupied(path.to_owned()));
        }
        write_atomically(&run.settings_path(), settings.to_toml().as_bytes())?;
        Ok(run)
    }

    /// An existing run with its settings.
    pub fn open(path: &Path) -> Result<(Self, Settings), TrainError> {
        let run = RunDirectory(path.to_owned());
        let settings_path = run.settings_path();
        let text = fs::read_to_string(&settings_path).map_err(|source| TrainError::file(&settings_path, source))?;
        let settings = Settings::from_toml(&text, &[])
            .map_err(|error| TrainError::Damaged { path: settings_path, reason: error.to_string() })?;
        Ok((run, settings))
    }

    /// The best parameters: a model.
    pub fn best_path(&self) -> PathBuf {
        self.0.join("best.safetensors")
    }

    /// The latest checkpoint.
    pub fn last_path(&self) -> PathBuf {
        self.0.join("last.safetensors")
    }

    fn settings_path(&self) -> PathBuf {
        self.0.join("settings.toml")
    }

    fn log_path(&self) -> PathBuf {
        self.0.join("log.jsonl")
    }

    /// The lines of the log.
    pub fn log(&self) -> Result<Vec<LogLine>, TrainError> {
        let path = self.log_path();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
            Err(source) => return Err(TrainError::file(&path, source)),
        };
        // A line that was cut off by a kill is the last one, and is written again by the resumed run.
        Ok(text.lines().map_while(|line| serde_json::from_str(line).ok()).collect())
    }

    /// Whether the run has done all of its steps, so that its best parameters are final.
    pub fn is_complete(&self, settings: &Settings) -> Result<bool, TrainError> {
        // The best parameters of a step are written before its line of the log.
        let done = self.log()?.last().is_some_and(|line| line.step >= settings.steps);
        Ok(done && self.best_path().exists())
    }

    pub(super) fn append(&self, line: &LogLine) -> Result<(), TrainError> {
        let path = self.log_path();
        let failed = |source| TrainError::file(&path, source);
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let text = serde_json::to_string(line).expect("numbers are always JSON");
        writeln!(file, "{text}").map_err(failed)
    }

    /// Drops what the log says of steps after the checkpoint: the resumed run says it again.
    pub(super) fn cut_log(&self, step: u64) -> Result<(), TrainError> {
        let kept = self.log()?.into_iter().filter(|line| line.step <= step);
        let text: String =
            kept.map(|line| serde_json::to_string(&line).expect("numbers are always JSON") + "\n").collect();
        Ok(write_atomically(&self.log_path(), text.as_bytes())?)
    }

    pub(super) fn save_best(&self, params: &Params<f32>, card: &ModelCard) -> Result<(), TrainError> {
        let bytes = params.to_safetensors(Some(metadata_of(card))).expect("parameters fit their layout");
        Ok(write_atomically(&self.best_path(), &bytes)?)
    }

    pub(super) fn save_last(&self, state: &State) -> Result<(), TrainError> {
        let parts = [
            ("param", state.params.values()),
            ("adam/mean", &state.adam.mean[..]),
            ("adam/square", &state.adam.square[..]),
        ];
        let parts: Vec<(&str, Vec<u8>)> =
            parts.map(|(name, values)| (name, values.iter().flat_map(|x| x.to_le_bytes()).collect())).into();
        let mut views = vec![];
        for (part, bytes) in &parts {
            for tensor in state.params.layout().tensors() {
                let data = &bytes[4 * tensor.range.start..4 * tensor.range.end];
                let view = TensorView::new(Dtype::F32, tensor.shape.clone(), data).expect("the layout fits");
                views.push((format!("{part}/{}", tensor.name), view));
            }
        }
        let bytes = safetensors::serialize(views, Some(metadata_of(&state.progress)))
            .expect("names and shapes are well-formed");
        Ok(write_atomically(&self.last_path(), &bytes)?)
    }

    /// The latest checkpoint; `None` when the run was stopped before its first.
    pub(super) fn load_last(&self, layout: &Arc<Layout>, rate: f64) -> Result<Option<State>, TrainError> {
        let path = self.last_path();
        if !path.exists() {
            return Ok(None);
        }
        let bytes = fs::read(&path).map_err(|source| TrainError::file(&path, source))?;
        let damaged = |reason: String| TrainError::Damaged { path: path.clone(), reason };
        let progress: Progress = read_card(&bytes).map_err(damaged)?;
        let tensors = SafeTensors::deserialize(&bytes).map_err(|error| damaged(error.to_string()))?;
        let part = |name: &str| {
            Params::from_tensors(layout.clone(), &tensors, name).map_err(|error| damaged(error.to_string()))
        };
        let mut adam = Adam::new(rate, layout.size());
        adam.steps = progress.step;
        adam.mean = part("adam/mean/")?.values().to_vec();
        adam.square = part("adam/square/")?.values().to_vec();
        Ok(Some(State { params: part("param/")?, adam, progress }))
    }
}
