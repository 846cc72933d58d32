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

use crate::answers::{Candidate, Form, Marginals};
use crate::cancel;
pub use crate::instance::Made;
use crate::pipeline::draw::{MarginalsOf, Predictor};

use crate::instance::{GraphSettings, Instance};
use crate::problems::ties::{TiePolicy, with_random_ties};
use crate::problems::{Algorithm, Intractable, ManyRuns, Prepared, check_marginals_size};
use crate::random::{Rng, Streams};
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

impl Recipe {
    fn many_runs(&self, algorithm: &dyn Algorithm) -> ManyRuns {
        ManyRuns { policy: self.ties, first: algorithm.first_in_order(self.graph.preset), runs: self.runs }
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
    Samples::new(algorithm, recipe, seed).get(index)
}

/// All samples of a recipe under a seed.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    algorithm: &'a dyn Algorithm,
    recipe: Recipe,
    graphs: Streams,
    runs: Streams,
}

impl<'a> Samples<'a> {
    /// Works out what they share.
    pub fn new(algorithm: &'a dyn Algorithm, recipe: &Recipe, seed: u64) -> Self {
        let [graphs, runs] = ["graph", "runs"].map(|purpose| streams(algorithm, &recipe.graph, purpose, seed));
        Samples { algorithm, recipe: *recipe, graphs, runs }
    }

    /// The `index`-th.
    pub fn get(&self, index: u64) -> Result<Sample, Intractable> {
        let instance = self.instance(index);
        let prepared = prepared(self.algorithm, &instance);
        let marginals = marginals(self.algorithm, &*prepared, &self.recipe, &mut self.runs.of(index))?;
        drop(prepared);
        Ok(Sample { instance, marginals, made: Some(self.made(index)) })
    }

    /// The `index`-th instance; its marginals go to memory of the shape of [`dense`] that is zero so far, of edges and items the probability of one option.
    pub fn get_dense(&self, index: u64, option: usize, out: &mut [f64]) -> Result<(Instance, Made), Intractable> {
        let Samples { algorithm, recipe, .. } = self;
        let instance = self.instance(index);
        let prepared = prepared(*algorithm, &instance);
        let mut rng = self.runs.of(index);
        // Parents and orders are dense as they are.
        let is_dense = matches!(algorithm.problem().form, Form::Parents | Form::Order);
        let is_written = is_dense
            && recipe.source == Source::Empirical
            && prepared.write_shares(&recipe.many_runs(*algorithm), &mut rng, out);
        if !is_written {
            let marginals = marginals(*algorithm, &*prepared, recipe, &mut rng)?;
            dense::write_marginals(&instance, &marginals, option, out);
        }
        drop(prepared);
        Ok((instance, self.made(index)))
    }

    fn instance(&self, index: u64) -> Instance {
        // One also before the first run: where the others of a batch were left, this one need not begin.
        cancel::point();
        self.algorithm.instance(&self.recipe.graph, &mut self.graphs.of(index))
    }

    fn made(&self, index: u64) -> Made {
        Made { p: self.recipe.graph.p, preset: self.recipe.graph.preset, index }
    }
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
            let slots = prepared.instance().slots(form);
            let mut rows = vec![0.0; slots * form.options(slots)];
            if prepared.write_shares(&recipe.many_runs(algorithm), rng, &mut rows) {
                return Ok(Marginals::from_weights(form, slots, rows).expect("shares are not negative"));
            }
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
    streams(algorithm, settings, purpose, seed).of(index)
}

fn streams(algorithm: &dyn Algorithm, settings: &GraphSettings, purpose: &str, seed: u64) -> Streams {
    let GraphSettings { n, p, preset } = settings;
    Streams::new(seed, &format!("{purpose} {} n={n} p={p} {}", algorithm.name(), preset.name()))
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
