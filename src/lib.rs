//! Neural algorithmic reasoning with many correct answers.

pub mod files;
pub mod graph;
pub mod parents;
pub mod random;
pub mod ties;
