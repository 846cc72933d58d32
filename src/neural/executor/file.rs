//! A trained executor as a safetensors file: parameters, and in one key of the metadata the settings and the log.

use super::Executor;
use super::hints::Steps;
use super::network::ExecutorNetwork;
use super::settings::{ExecutorSettings, MAX_HIDDEN};
use super::train::ExecutorLogLine;
use crate::files;
use crate::neural::nn::card::read_card;
use crate::neural::nn::{Params, model_file};
use crate::problems::{Algorithm, Missing};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What a file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExecutorCard {
    /// The settings it was trained with.
    pub executor: ExecutorSettings,
    /// The log of its training.
    pub log: Vec<ExecutorLogLine>,
}

/// Why a file is not an executor.
#[derive(Debug, Error)]
pub enum ExecutorError {
    /// The file could not be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The bytes are not an executor of this algorithm.
    #[error("not an executor of {algorithm}: {reason}")]
    Damaged {
        /// The algorithm it should be for.
        algorithm: String,
        /// What is wrong.
        reason: String,
    },
}

impl Executor {
    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let card = ExecutorCard { executor: self.settings.clone(), log: self.log.clone() };
        self.params.to_safetensors(&card)
    }

    /// Reads an executor of an algorithm.
    pub fn from_bytes(steps: &'static dyn Steps, bytes: &[u8]) -> Result<Self, ExecutorError> {
        let damaged = |reason: String| ExecutorError::Damaged { algorithm: steps.algorithm().to_owned(), reason };
        let ExecutorCard { executor: settings, log } = read_card(bytes).map_err(|error| damaged(error.to_string()))?;
        if settings.algorithm != steps.algorithm() {
            return Err(damaged(format!("it was trained for {}", settings.algorithm)));
        }
        if settings.hidden > MAX_HIDDEN {
            return Err(damaged(format!("{} hidden units are more than {MAX_HIDDEN}", settings.hidden)));
        }
        let network = ExecutorNetwork::new(steps.frame(), settings.hidden);
        let params = Params::from_safetensors(network.layout.clone(), bytes, "");
        let params = params.map_err(|error| damaged(error.to_string()))?;
        Ok(Executor::new(steps, network, params, settings, log))
    }

    /// Reads a file, or the best parameters of a run's directory.
    pub fn load(steps: &'static dyn Steps, path: &Path) -> Result<Self, ExecutorError> {
        let path = model_file(path);
        let bytes = files::read(&path).map_err(|source| ExecutorError::File { path, source })?;
        Executor::from_bytes(steps, &bytes)
    }

    /// The algorithm that a file's executor was trained for; `None` when the file holds something else.
    pub fn algorithm_of(path: &Path) -> Option<String> {
        let path = model_file(path);
        let card: ExecutorCard = read_card(&files::read(&path).ok()?).ok()?;
        Some(card.executor.algorithm)
    }

    /// The trained executor that comes with the crate, for an algorithm that has one; why there is none otherwise.
    pub fn built_in(algorithm: &dyn Algorithm) -> Result<Self, Missing> {
        let steps = algorithm.steps()?;
        let bytes = algorithm.models().executor.ok_or(Missing("none has been trained for the crate"))?;
        Ok(Executor::from_bytes(steps, bytes).expect("the crate's own models are whole"))
    }
}
