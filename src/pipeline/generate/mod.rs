//! Stage 1: random instances and the parent distribution of repeated runs.
//!
//! ```
//! use tiebreak::problems::forests::dfs;
//! use tiebreak::pipeline::generate::{Recipe, sample};
//! let recipe = Recipe { runs: 20, ..Recipe::default() };
//! let sample = sample(&dfs::ORDERED, &recipe, 0, 0).unwrap();
//! assert_eq!(sample.marginals.slots(), recipe.graph.n);
//! ```

pub mod dense;
mod files;
mod stacked;

pub use files::{SampleError, SampleFile, samples_from_any_bytes, samples_from_bytes, samples_to_bytes};

use crate::answers::{Candidate, Marginals};
use crate::cancel;
pub use crate::instance::Made;
use crate::pipeline::draw::{MarginalsOf, Predictor};

use crate::instance::{GraphSettings, Instance};
use crate::problems::ties::{TiePolicy, with_random_ties};
use crate::problems::{Algorithm, Intractable, Prepared, check_marginals_size};
use crate::random::Rng;
use serde::{Deserialize, Serialize};

/// How marginals are made from an instance.
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
        MarginalsOf::from(self).name()
    }
}

impl From<Source> for MarginalsOf {
    fn from(source: Source) -> MarginalsOf {
        match source {
            Source::Empirical => MarginalsOf::Empirical,
            Source::Exact => MarginalsOf::Exact,
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

/// An instance and the marginals of its solutions.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The instance.
    pub instance: Instance,
    /// How often each slot has each option.
    pub marginals: Marginals,
    /// How the instance was made, if it is a random one of ours.
    pub made: Option<Made>,
}

/// The `index`-th instance of a recipe under `seed`, whatever else is generated and on however many threads.
pub fn instance(algorithm: &dyn Algorithm, settings: &GraphSettings, seed: u64, index: u64) -> Instance {
    algorithm.instance(settings, &mut stream(algorithm, settings, "graph", seed, index))
}

/// An instance of the algorithm's own making, prepared.
pub fn prepared<'a>(algorithm: &dyn Algorithm, instance: &'a Instance) -> Box<dyn Prepared + 'a> {
    algorithm.prepare(instance).expect("an algorithm can be run on its own random instances")
}

/// The `index`-th instance of a recipe with its marginals.
pub fn sample(algorithm: &dyn Algorithm, recipe: &Recipe, seed: u64, index: u64) -> Result<Sample, Intractable> {
    // One also before the first run: where the others of a batch were left, this one need not begin.
    cancel::point();
    let instance = instance(algorithm, &recipe.graph, seed, index);
    let mut rng = stream(algorithm, &recipe.graph, "runs", seed, index);
    let marginals = marginals(algorithm, &*prepared(algorithm, &instance), recipe, &mut rng)?;
    let made = Some(Made { p: recipe.graph.p, preset: recipe.graph.preset, index });
    Ok(Sample { instance, marginals, made })
}

/// The marginals of a given instance; only `recipe.graph.preset` is used of the graph settings.
pub fn marginals(
    algorithm: &dyn Algorithm,
    prepared: &dyn Prepared,
    recipe: &Recipe,
    rng: &mut Rng,
) -> Result<Marginals, Intractable> {
    let first = algorithm.first_in_order(recipe.graph.preset);
    match recipe.source {
        Source::Exact => prepared.law(recipe.ties, first),
        Source::Empirical => {
            let form = algorithm.problem().form;
            check_marginals_size(form, prepared.instance().slots(form))?;
            Ok(Marginals::from_runs(&runs(prepared, recipe.ties, first, recipe.runs, rng)))
        }
    }
}

/// Repeated runs with random ties.
pub fn runs(
    prepared: &dyn Prepared,
    ties: TiePolicy,
    first: Option<usize>,
    runs: usize,
    rng: &mut Rng,
) -> Vec<Candidate> {
    let n = prepared.instance().n();
    let run = |_| {
        cancel::point();
        with_random_ties(ties, n, first, rng, |ties| prepared.run(ties))
    };
    (0..runs).map(run).collect()
}

/// The random stream of one purpose for one instance: its own for every algorithm, size, density and preset.
pub fn stream(algorithm: &dyn Algorithm, settings: &GraphSettings, purpose: &str, seed: u64, index: u64) -> Rng {
    let GraphSettings { n, p, preset } = settings;
    Rng::stream(seed, &format!("{purpose} {} n={n} p={p} {}", algorithm.name(), preset.name()), index)
}

impl Predictor for Recipe {
    fn of(&self) -> MarginalsOf {
        self.source.into()
    }

    fn predict(
        &self,
        algorithm: &dyn Algorithm,
        prepared: &dyn Prepared,
        rng: &mut Rng,
    ) -> Result<Marginals, Intractable> {
        marginals(algorithm, prepared, self, rng)
    }
}
