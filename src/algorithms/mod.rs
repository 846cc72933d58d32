//! The algorithms: one folder each, one entry in [`ALGORITHMS`].
//!
//! Everything the pipeline asks of an algorithm is in the trait [`Algorithm`]. The tests in `tests/laws.rs` loop over
//! [`ALGORITHMS`], so a new entry is held to all laws without a new test.

pub mod bellman_ford;
pub mod dfs;

use crate::extract::Extractor;
use crate::graph::{GraphSettings, Instance, Preset};
use crate::parents::{ParentArray, ParentDistribution};
use crate::random::Rng;
use crate::ties::{TieBreaker, TiePolicy};
use crate::verify::Violation;
use num_bigint::BigUint;
use std::fmt;
use thiserror::Error;

/// A classical algorithm whose ties can be broken in many ways, each giving a solution.
pub trait Algorithm: Sync {
    /// The name used on the command line and in files.
    fn name(&self) -> &'static str;

    /// True when an instance needs a source.
    fn needs_source(&self) -> bool;

    /// A random instance.
    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance;

    /// Refuses an instance that the algorithm cannot be run on, by name.
    fn check(&self, instance: &Instance) -> Result<(), BadInstance>;

    /// One run. The instance has passed [`Algorithm::check`].
    fn solve(&self, instance: &Instance, ties: &mut dyn TieBreaker) -> ParentArray;

    /// The vertex that stands first in every order of vertices, if the preset has one.
    fn first_in_order(&self, _preset: Preset) -> Option<usize> {
        None
    }

    /// Accepts a candidate exactly when some run with free choices produces it.
    fn verify(&self, instance: &Instance, candidate: &ParentArray) -> Result<(), Violation>;

    /// The weaker check behind the paper's "valid" columns; it accepts every solution and more.
    fn verify_weakly(&self, instance: &Instance, candidate: &ParentArray) -> Result<(), Violation>;

    /// The ways to draw candidates from a parent distribution.
    fn extractors(&self) -> &'static [&'static dyn Extractor];

    /// The number of solutions.
    fn count(&self, instance: &Instance) -> Result<BigUint, Intractable>;

    /// All solutions, each once, in an order fixed by the instance. Memory does not grow with their number.
    fn solutions<'a>(&self, instance: &'a Instance) -> Box<dyn Iterator<Item = ParentArray> + 'a>;

    /// The distribution that infinitely many runs would give; `first` stands first in every order.
    fn exact_distribution(
        &self,
        instance: &Instance,
        policy: TiePolicy,
        first: Option<usize>,
    ) -> Result<ParentDistribution, Intractable>;
}

impl fmt::Debug for dyn Algorithm + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Every algorithm there is.
pub const ALGORITHMS: &[&dyn Algorithm] = &[&dfs::ORDERED, &dfs::ANY_RESTART, &bellman_ford::BellmanFord];

/// The algorithm of that name.
pub fn by_name(name: &str) -> Option<&'static dyn Algorithm> {
    ALGORITHMS.iter().copied().find(|algorithm| algorithm.name() == name)
}

/// Why an algorithm cannot be run on an instance.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BadInstance {
    /// The algorithm starts somewhere, but the instance does not say where.
    #[error("{0} needs a source")]
    NoSource(&'static str),
    /// The source is not a vertex.
    #[error("the source is {source_vertex}, but there are {n} vertices")]
    SourceOutOfRange {
        /// The alleged source.
        source_vertex: usize,
        /// The number of vertices.
        n: usize,
    },
    /// A weight that is zero or negative.
    #[error("edge {tail} -> {head} has weight {weight}, but shortest paths need positive weights")]
    NotPositive {
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
        /// Its weight.
        weight: crate::graph::Decimal,
    },
}

/// Why an exact figure is not to be had.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Intractable(pub String);

/// The most vertices whose n x n probabilities are written out: two gigabytes of them.
const MAX_DISTRIBUTION: usize = 16_384;

/// Refuses a distribution that would not fit the memory, before anything is allocated for it.
fn check_distribution_size(n: usize) -> Result<(), Intractable> {
    if n <= MAX_DISTRIBUTION {
        return Ok(());
    }
    let reason = format!("a distribution has n x n probabilities, which stops at n = {MAX_DISTRIBUTION} (here {n})");
    Err(Intractable(reason))
}
