//! Neural algorithmic reasoning with *many* correct answers.
//!
//! A classical algorithm with ties has many right answers: every depth-first forest of a graph, every shortest-path tree, every
//! minimum spanning tree. This crate runs such algorithms with ties broken at random ([`problems::ties`]), collects how often each choice is made
//! ([`pipeline::generate`]), draws candidates from such marginals ([`problems::extract`]), decides exactly which of them are right ([`problems`]) and
//! reports metrics ([`pipeline::evaluate`]).
//!
//! The whole pipeline:
//!
//! ```
//! use tiebreak::problems::extract::Extractor;
//! use tiebreak::pipeline::generate::{Recipe, sample};
//! use tiebreak::instance::GraphSettings;
//! use tiebreak::problems::Algorithm;
//! use tiebreak::problems::forests::{AltUpwards, dfs};
//! use tiebreak::random::Rng;
//!
//! // 1. A random graph of five vertices, and the marginals of 20 randomised depth-first searches: its parent distribution.
//! let recipe = Recipe { graph: GraphSettings { n: 5, ..GraphSettings::default() }, ..Recipe::default() };
//! let sample = sample(&dfs::ORDERED, &recipe, 0, 0)?;
//!
//! // 3. Draw a candidate from them (here from those of the runs; from a model's it is the same).
//! let mut rng = Rng::stream(0, "example", 0);
//! let candidate = AltUpwards.extract(&sample.instance, &sample.marginals, &mut rng);
//!
//! // 4. Is it a forest that some depth-first search produces? If not, which rule does it break, and where?
//! let prepared = dfs::ORDERED.prepare(&sample.instance)?;
//! match prepared.space().verify(&candidate) {
//!     Ok(()) => println!("{candidate} is one of {} solutions", prepared.space().count(1000)?),
//!     Err(violation) => println!("{candidate} is not a solution: {violation}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

pub mod answers;
pub mod cancel;
pub mod files;
pub mod instance;
pub mod learn;
pub mod memory;
pub mod neural;
pub mod pipeline;
pub mod problems;
pub mod random;
pub mod report;
pub mod reproduce;
pub mod solve;
