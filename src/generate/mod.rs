//! Stage 1: random instances and the parent distribution of repeated runs.
//!
//! ```
//! use tiebreak::algorithms::dfs;
//! use tiebreak::generate::{Recipe, sample};
//! let recipe = Recipe { runs: 20, ..Recipe::default() };
//! let sample = sample(&dfs::ORDERED, &recipe, 0, 0).unwrap();
//! assert_eq!(sample.distribution.len(), recipe.graph.n);
//! ```

mod files;

pub use files::{SampleError, SampleFile, samples_from_bytes, samples_to_bytes};

use crate::algorithms::{Algorithm, Intractable, check_distribution_size};
use crate::graph::{GraphSettings, Instance};
use crate::parents::{ParentArray, ParentDistribution};
use crate::random::Rng;
use crate::ties::{TiePolicy, with_random_ties};
use serde::{Deserialize, Serialize};

/// How a parent distribution is made from an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The share of a number of runs.
    Empirical,
    /// What infinitely many runs would give.
    Exact,
}

impl Source {
    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Source::Empirical => "empirical",
            Source::Exact => "exact",
        }
    }
}

/// What to generate.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Which random graphs.
    pub graph: GraphSettings,
    /// Repeated runs or the exact distribution.
    pub source: Source,
    /// The number of runs behind an empirical distribution.
    pub runs: usize,
    /// How the ties of a run hang together.
    pub ties: TiePolicy,
}

impl Default for Recipe {
    fn default() -> Self {
        Recipe { graph: GraphSettings::default(), source: Source::Empirical, runs: 20, ties: TiePolicy::OneOrder }
    }
}

/// An instance and the parent distribution of its solutions.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The graph and its source.
    pub instance: Instance,
    /// How often each vertex is the parent of each other.
    pub distribution: ParentDistribution,
}

/// The `index`-th instance of a recipe under `seed`, whatever else is generated and on however many threads.
pub fn instance(algorithm: &dyn Algorithm, settings: &GraphSettings, seed: u64, index: u64) -> Instance {
    algorithm.instance(settings, &mut stream(algorithm, settings, "graph", seed, index))
}

/// The `index`-th instance of a recipe with its distribution.
pub fn sample(algorithm: &dyn Algorithm, recipe: &Recipe, seed: u64, index: u64) -> Result<Sample, Intractable> {
    let instance = instance(algorithm, &recipe.graph, seed, index);
    let mut rng = stream(algorithm, &recipe.graph, "runs", seed, index);
    let distribution = distribution(algorithm, &instance, recipe, &mut rng)?;
    Ok(Sample { instance, distribution })
}

/// The distribution of a given instance; only `recipe.graph.preset` is used of the graph settings.
pub fn distribution(
    algorithm: &dyn Algorithm,
    instance: &Instance,
    recipe: &Recipe,
    rng: &mut Rng,
) -> Result<ParentDistribution, Intractable> {
    let first = algorithm.first_in_order(recipe.graph.preset);
    match recipe.source {
        Source::Exact => algorithm.exact_distribution(instance, recipe.ties, first),
        Source::Empirical => {
            check_distribution_size(instance.n())?;
            Ok(ParentDistribution::from_runs(&runs(algorithm, instance, recipe.ties, first, recipe.runs, rng)))
        }
    }
}

/// Repeated runs with random ties.
pub fn runs(
    algorithm: &dyn Algorithm,
    instance: &Instance,
    ties: TiePolicy,
    first: Option<usize>,
    runs: usize,
    rng: &mut Rng,
) -> Vec<ParentArray> {
    let run = |_| with_random_ties(ties, instance.n(), first, rng, |ties| algorithm.solve(instance, ties));
    (0..runs).map(run).collect()
}

/// The random stream of one purpose for one instance: its own for every algorithm, size, density and preset.
pub fn stream(algorithm: &dyn Algorithm, settings: &GraphSettings, purpose: &str, seed: u64, index: u64) -> Rng {
    let GraphSettings { n, p, preset } = settings;
    Rng::stream(seed, &format!("{purpose} {} n={n} p={p} {}", algorithm.name(), preset.name()), index)
}
