//! Neural algorithmic reasoning with many correct answers.

pub mod model;
pub mod nn;
