//! Neural algorithmic reasoning with many correct answers.

pub mod algorithms;
pub mod extract;
pub mod graph;
pub mod parents;
pub mod random;
pub mod ties;
pub mod verify;
