//! A run's directory: settings, log, the best and the latest parameters. Every file appears whole or not at all.
//!
//! ```text
//! settings.toml       what was asked for, with every default filled in
//! log.jsonl           a line every so many steps
//! best.safetensors    the parameters that did best: a model
//! last.safetensors    parameters, optimiser, progress: what a resumed run starts from
//! ```
//! Random streams need no place in a checkpoint: those of a step are keyed by the step. What settings, log lines and
//! progress are is up to whoever trains ([`crate::neural::train`], [`crate::neural::executor`]).

use crate::files::{
    self, Lock, LockError, LogError, WriteFileError, append_to_log, log_line, make_directory, read_log,
    write_atomically,
};
use crate::neural::nn::card::{read_card, write_sealed};
use crate::neural::nn::{Adam, Layout, Params};
use safetensors::tensor::SafeTensors;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// The directory of a run.
#[derive(Clone, Debug)]
pub struct Directory(PathBuf);

/// Why a run's directory cannot be used. Earlier files are untouched.
#[derive(Debug, Error)]
pub enum RunError {
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteFileError),
    /// Another process trains there.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A file could not be read or made.
    #[error("cannot use {}", path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A file of the run does not hold what it should.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The directory already holds a run.
    #[error("{} already holds a run; resume it, or choose another directory", .0.display())]
    Occupied(PathBuf),
}

impl RunError {
    fn file(path: &Path, source: io::Error) -> Self {
        RunError::File { path: path.to_owned(), source }
    }

    /// The settings' file says something else than it should.
    pub(crate) fn in_settings(run: &Directory, reason: String) -> Self {
        RunError::Damaged { path: run.settings_path(), reason }
    }
}

/// A line of a log.
pub(crate) trait Logged: Serialize + DeserializeOwned {
    /// StepCount done when it was written.
    fn step(&self) -> u64;
}

/// Where a run stands.
pub(crate) struct Checkpoint<P> {
    pub params: Params<f32>,
    pub adam: Adam<f32>,
    /// What is not made of parameters.
    pub progress: P,
}

/// The steps that a progress has seen, which are also the optimiser's.
pub(crate) trait StepCount {
    /// StepCount done.
    fn steps(&self) -> u64;
}

impl Directory {
    /// A new run: makes the directory and stores the settings. Refuses a directory that already holds a run.
    pub fn create(path: &Path, settings: &str) -> Result<Self, RunError> {
        let run = Directory(path.to_owned());
        make_directory(path)?;
        // Of two processes that begin at once, one sees the other's settings.
        let _lock = run.lock()?;
        if run.settings_path().exists() {
            return Err(RunError::Occupied(path.to_owned()));
        }
        write_atomically(&run.settings_path(), settings.as_bytes())?;
        Ok(run)
    }

    /// An existing run with the text of its settings.
    pub fn open(path: &Path) -> Result<(Self, String), RunError> {
        let run = Directory(path.to_owned());
        let settings_path = run.settings_path();
        let text = files::read_text(&settings_path).map_err(|source| RunError::file(&settings_path, source))?;
        Ok((run, text))
    }

    /// Keeps every other process from training here, for as long as the lock lives.
    pub(crate) fn lock(&self) -> Result<Lock, RunError> {
        Ok(Lock::directory(&self.0)?)
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
    pub(crate) fn log<L: Logged>(&self) -> Result<Vec<L>, RunError> {
        read_log(&self.log_path()).map_err(|error| match error {
            LogError::File { path, source } => RunError::File { path, source },
            LogError::Damaged { path, reason } => RunError::Damaged { path, reason },
        })
    }

    /// A checkpoint of the line's step follows; the log must not be behind it after a power cut.
    pub(crate) fn append(&self, line: &impl Logged) -> Result<(), RunError> {
        Ok(append_to_log(&self.log_path(), line)?)
    }

    /// Drops what the log says of steps after the checkpoint: the resumed run says it again.
    pub(crate) fn cut_log<L: Logged>(&self, step: u64) -> Result<(), RunError> {
        let kept = self.log::<L>()?.into_iter().filter(|line| line.step() <= step);
        let text: String = kept.map(|line| log_line(&line)).collect();
        Ok(write_atomically(&self.log_path(), text.as_bytes())?)
    }

    pub(crate) fn save_best(&self, params: &Params<f32>, card: &impl Serialize) -> Result<(), RunError> {
        Ok(write_atomically(&self.best_path(), &params.to_safetensors(card))?)
    }

    pub(crate) fn save_last<P: Serialize>(&self, state: &Checkpoint<P>) -> Result<(), RunError> {
        let parts = [
            ("param", state.params.values()),
            ("adam/mean", &state.adam.mean[..]),
            ("adam/square", &state.adam.square[..]),
        ];
        let parts: Vec<(&str, Vec<u8>)> =
            parts.map(|(name, values)| (name, values.iter().flat_map(|x| x.to_le_bytes()).collect())).into();
        let layout = state.params.layout();
        let views = parts.iter().flat_map(|(part, bytes)| layout.views(bytes, &format!("{part}/")));
        let bytes = write_sealed(views, &state.progress);
        Ok(write_atomically(&self.last_path(), &bytes)?)
    }

    /// The latest checkpoint; `None` when the run was stopped before its first.
    pub(crate) fn load_last<P: DeserializeOwned + StepCount>(
        &self,
        layout: &Arc<Layout>,
        rate: f64,
    ) -> Result<Option<Checkpoint<P>>, RunError> {
        let path = self.last_path();
        let bytes = match files::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(RunError::file(&path, source)),
        };
        let damaged = |reason: String| RunError::Damaged { path: path.clone(), reason };
        let progress: P = read_card(&bytes).map_err(|error| damaged(error.to_string()))?;
        let tensors = SafeTensors::deserialize(&bytes).map_err(|error| damaged(error.to_string()))?;
        let part = |name: &str| {
            Params::from_tensors(layout.clone(), &tensors, name).map_err(|error| damaged(error.to_string()))
        };
        let mut adam = Adam::new(rate, layout.extent());
        adam.steps = progress.steps();
        adam.mean.copy_from_slice(part("adam/mean/")?.values());
        adam.square.copy_from_slice(part("adam/square/")?.values());
        Ok(Some(Checkpoint { params: part("param/")?, adam, progress }))
    }
}
