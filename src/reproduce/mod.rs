//! The paper's evaluation, table by table, from training to figures.
//!
//! An [`Experiment`] is a file of data. A [`Plan`] cuts the experiments into [`Piece`]s that depend on no other piece: a model
//! is trained, then everything that is measured on it is measured. [`work`] runs pieces, here or each on another machine;
//! what is complete is skipped, what was cut off goes on. [`collect`] turns the raw rows into tables and figures.
//!
//! ```text
//! OUT/runs/<training>/                    settings, log and parameters of a model
//! OUT/pieces/<experiment>/<name>.json     the raw rows of one measurement
//! OUT/<experiment>/                       rows.csv, table.txt .md .tex, figure.svg .png, results.json
//! OUT/README.md, OUT/report.html          all of it, to be read
//! ```

pub mod collect;
mod experiment;
mod figures;
mod findings;
mod measure;
mod paper_values;
mod parameters;
mod plan;
mod rows;
mod tables;
pub mod work;

pub use experiment::{BUILT_IN, Entry, Experiment, Measure, Taught};
pub use figures::{FigureLayout, PanelLayout};
pub use paper_values::{PaperTable, PaperValue};
pub use parameters::Parameter;
pub use plan::{Measurement, Piece, Plan, Request, Training};
pub use rows::{Key, Measured, Pick, Summary};
pub use tables::{Column, TableLayout};

use crate::files::{LockError, WriteFileError};
use crate::neural::predict::ModelError;
use crate::neural::train::TrainError;
use crate::problems::Intractable;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a reproduction stopped.
#[derive(Debug, Error)]
pub enum ReproduceError {
    /// There is no such experiment.
    #[error("there is no experiment '{0}'; there are {known}, or give a file that ends in .toml", known = known())]
    Unknown(String),
    /// An experiment's file does not make sense.
    #[error("{file}: {reason}")]
    Experiment {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Two experiments want different trainings under one name.
    #[error("{one} and {other} want different trainings of {training}; reproduce them into different directories")]
    Contradiction {
        /// The training.
        training: String,
        /// An experiment.
        one: String,
        /// Another.
        other: String,
    },
    /// The directory holds a training with other settings.
    #[error("{} was trained with other settings ({difference}); choose another --out", path.display())]
    OtherTraining {
        /// The directory of the run.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// There is no piece of that number.
    #[error("there is no piece {index}: there are {pieces}, from 0")]
    NoPiece {
        /// The number asked for.
        index: usize,
        /// How many there are.
        pieces: usize,
    },
    /// A file could not be read or made.
    #[error("cannot use {}", path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteFileError),
    /// Another process works on the same piece.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A training stopped.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A model could not be read.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A distribution could not be had.
    #[error(transparent)]
    Intractable(#[from] Intractable),
    /// A figure could not be drawn.
    #[error("cannot draw {name}: {reason}")]
    Drawing {
        /// The figure.
        name: String,
        /// Why not.
        reason: String,
    },
}

fn known() -> String {
    BUILT_IN.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}
