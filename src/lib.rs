//! Neural algorithmic reasoning with *many* correct answers.
//!
//! A classical algorithm with ties has many right answers: every depth-first forest of a graph, every shortest-path
//! tree. This crate runs such algorithms with ties broken at random ([`ties`]), collects how often each vertex is the
//! parent of each other ([`generate`]), draws candidates from such a distribution ([`extract`]), decides exactly which
//! of them are right ([`verify`]) and reports figures ([`evaluate`], [`metrics`]).
//!
//! The whole pipeline:
//!
//! ```
//! use tiebreak::algorithms::{Algorithm, dfs};
//! use tiebreak::extract::Extractor;
//! use tiebreak::generate::{Recipe, sample};
//! use tiebreak::graph::GraphSettings;
//! use tiebreak::random::Rng;
//!
//! // 1. A random graph of five vertices, and the parent distribution of 20 randomised depth-first searches.
//! let recipe = Recipe { graph: GraphSettings { n: 5, ..GraphSettings::default() }, ..Recipe::default() };
//! let sample = sample(&dfs::ORDERED, &recipe, 0, 0)?;
//!
//! // 3. Draw a candidate from the distribution (here the runs' own; a model's is drawn from in the same way).
//! let mut rng = Rng::stream(0, "example", 0);
//! let candidate = dfs::AltUpwards.extract(&sample.instance, &sample.distribution, &mut rng);
//!
//! // 4. Is it a forest that some depth-first search produces? If not, which rule does it break, and where?
//! match dfs::ORDERED.verify(&sample.instance, &candidate) {
//!     Ok(()) => println!("{candidate} is one of {} solutions", dfs::ORDERED.count(&sample.instance, 1000)?),
//!     Err(violation) => println!("{candidate} is not a solution: {violation}"),
//! }
//! # Ok::<(), tiebreak::algorithms::Intractable>(())
//! ```

pub mod algorithms;
pub mod allowed;
pub mod cases;
pub mod evaluate;
pub mod executor;
pub mod extract;
pub mod files;
pub mod generate;
pub mod graph;
mod grouped;
pub mod metrics;
pub mod model;
pub mod nn;
pub mod parents;
pub mod predict;
pub mod random;
pub mod report;
pub mod reproduce;
pub mod runs;
pub mod settings;
pub mod solve;
pub mod ties;
pub mod train;
pub mod verify;
