//! Neural algorithmic reasoning with many correct answers.

pub mod algorithms;
pub mod cases;
pub mod evaluate;
pub mod extract;
pub mod files;
pub mod generate;
pub mod graph;
pub mod metrics;
pub mod model;
pub mod nn;
pub mod parents;
pub mod random;
pub mod ties;
pub mod verify;
