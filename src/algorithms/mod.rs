//! The algorithms: one folder each, one entry in [`ALGORITHMS`].
//!
//! Everything the pipeline asks of an algorithm is in the trait [`Algorithm`]. The tests in `tests/laws.rs` loop over
//! [`ALGORITHMS`], so a new entry is held to all laws without a new test.

pub mod bellman_ford;
pub mod dfs;

use crate::allowed::{Allowed, PossibleParents};
use crate::executor::{Priorities, Steps};
use crate::extract::Extractor;
use crate::graph::{Graph, GraphSettings, Instance, Preset};
use crate::model::{Features, Spec};
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

    /// The scalars that a network sees of an instance: names for each vertex, names for each pair.
    fn spec(&self) -> Spec;

    /// What a network sees of an instance, and for how many rounds it may think about it.
    fn features(&self, instance: &Instance, view: &View) -> Features;

    /// The algorithm step by step, for the executor; `None` when it cannot be executed in that way.
    fn steps(&self) -> Option<&'static dyn Steps> {
        None
    }

    /// The number of solutions. `effort` bounds the states that may be remembered where counting is hard;
    /// [`COUNT_EFFORT`] is what a patient person allows.
    fn count(&self, instance: &Instance, effort: usize) -> Result<BigUint, Intractable>;

    /// All solutions, each once, in an order fixed by the instance. Memory does not grow with their number.
    fn solutions<'a>(&self, instance: &'a Instance) -> Box<dyn Iterator<Item = ParentArray> + 'a>;

    /// Which vertices are the parent of which in some solution with allowed parents, itself where it can be a root.
    fn possible_parents(&self, instance: &Instance, allowed: &Allowed) -> Result<PossibleParents, Intractable>;

    /// The solutions all of whose parents are allowed: their exact number, and draws. `effort` as for a count.
    fn allowed_solutions(
        &self,
        instance: &Instance,
        allowed: &Allowed,
        effort: usize,
    ) -> Result<Box<dyn SolutionSet>, Intractable>;

    /// Random priorities of a run ([`Steps::solve_by`], or an executor's) that is likely to have allowed parents; `possible`
    /// are the possible ones without demands. Where one parent is required or forbidden, and a solution has it so, some
    /// draw finds one. `None` when the algorithm has no priorities.
    fn steer(
        &self,
        _instance: &Instance,
        _possible: &PossibleParents,
        _allowed: &Allowed,
        _rng: &mut Rng,
    ) -> Option<Priorities> {
        None
    }

    /// A number that the solutions are not fewer than, given one of them, where they are too many to be counted.
    fn at_least(&self, _instance: &Instance, _solution: &ParentArray) -> BigUint {
        BigUint::from(1u32)
    }

    /// The distribution that infinitely many runs would give; `first` stands first in every order.
    fn exact_distribution(
        &self,
        instance: &Instance,
        policy: TiePolicy,
        first: Option<usize>,
    ) -> Result<ParentDistribution, Intractable>;
}

/// All solutions of some kind: how many there are, and draws of them.
pub trait SolutionSet {
    /// Their number.
    fn count(&self) -> &BigUint;

    /// One of them, each having a chance; `None` when there is none.
    fn draw(&mut self, rng: &mut Rng) -> Result<Option<ParentArray>, Intractable>;
}

impl fmt::Debug for dyn Algorithm + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How an instance is shown to a network, apart from the instance itself.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The input `pos`: a number for each vertex, which tells vertices apart and gives them an order.
    pub pos: Vec<f32>,
    /// Weights are shown as multiples of this.
    pub weight_unit: f64,
}

impl View {
    /// As a trained network is shown an instance: positions i/n, as in CLRS' test sets.
    pub fn evenly_spaced(n: usize, weight_unit: f64) -> Self {
        View { pos: (0..n).map(|vertex| vertex as f32 / n as f32).collect(), weight_unit }
    }
}

/// The edges as CLRS shows them: 1 for each edge and on the diagonal, row = tail.
pub(crate) fn adjacency(graph: &Graph) -> Vec<f32> {
    let n = graph.n();
    let mut matrix = vec![0.0; n * n];
    graph.edges().for_each(|(tail, head)| matrix[tail * n + head] = 1.0);
    (0..n).for_each(|vertex| matrix[vertex * n + vertex] = 1.0);
    matrix
}

/// Every algorithm there is.
pub const ALGORITHMS: &[&dyn Algorithm] = &[&dfs::ORDERED, &dfs::ANY_RESTART, &bellman_ford::BellmanFord];

/// States that an exact count may remember: about half a gigabyte, and a minute at the most.
pub const COUNT_EFFORT: usize = 3_000_000;

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
pub(crate) fn check_distribution_size(n: usize) -> Result<(), Intractable> {
    if n <= MAX_DISTRIBUTION {
        return Ok(());
    }
    let reason = format!("a distribution has n x n probabilities, which stops at n = {MAX_DISTRIBUTION} (here {n})");
    Err(Intractable(reason))
}
