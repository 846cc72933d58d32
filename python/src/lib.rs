//! The extension module `tiebreak._native`: the library over numpy arrays.
//!
//! What a person calls is written in Python (`python/tiebreak/`), with types and documentation; here is only what has to be
//! fast. Arrays are read where they lie, in any layout; everything that is read is owned before the interpreter is
//! released, so no other Python thread can change it under the work.

mod arrays;
mod batch;
mod choices;
mod draws;
mod forms;
mod graph;
mod interrupt;
mod learn;
mod models;
mod score;
mod solve;
mod verify;

use pyo3::create_exception;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

create_exception!(tiebreak, Intractable, PyRuntimeError, "The exact figure is out of reach; the message says why.");

/// The library over numpy arrays, behind the package `tiebreak`.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::Intractable;
    #[pymodule_export]
    use super::batch::{NativeBatch, generate};
    #[pymodule_export]
    use super::choices::algorithms;
    #[pymodule_export]
    use super::draws::{count, distribution, draw, extract, runs};
    #[pymodule_export]
    use super::graph::NativeGraph;
    #[pymodule_export]
    use super::learn::{NativeCost, learn};
    #[pymodule_export]
    use super::models::{NativeExecutor, NativeModel, evaluate_rows, read_log, train_run};
    #[pymodule_export]
    use super::score::score;
    #[pymodule_export]
    use super::solve::solve;
    #[pymodule_export]
    use super::verify::{verify, verify_written};

    /// The version of the library, which is that of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const version: &str = env!("CARGO_PKG_VERSION");
}
