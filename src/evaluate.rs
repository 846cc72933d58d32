//! Distributions × extractors × draws: from graphs to plain rows of figures.
//!
//! For each graph a [`Predictor`] gives a parent distribution, each extractor draws candidates from it, the exact
//! verifier (and, beside it, the paper's weak check) judges them, and the metrics are averaged over graphs.

use crate::algorithms::{Algorithm, Intractable};
use crate::executor::{Executor, Pairs};
use crate::extract::Extractor;
use crate::generate::{self, Recipe};
use crate::graph::{GraphSettings, Instance};
use crate::metrics::{self, Trial, mean};
use crate::parents::{ParentArray, ParentDistribution};
use crate::random::Rng;
use num_bigint::BigUint;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Whoever gives a parent distribution for an instance: repeated runs, the exact computation, a model.
pub trait Predictor: Sync {
    /// What stands in the column `distribution` of a row.
    fn name(&self) -> String;

    /// The distribution, or why there is none.
    fn predict(
        &self,
        algorithm: &dyn Algorithm,
        instance: &Instance,
        rng: &mut Rng,
    ) -> Result<ParentDistribution, Intractable>;
}

impl Predictor for Recipe {
    fn name(&self) -> String {
        self.source.name().to_owned()
    }

    fn predict(
        &self,
        algorithm: &dyn Algorithm,
        instance: &Instance,
        rng: &mut Rng,
    ) -> Result<ParentDistribution, Intractable> {
        generate::distribution(algorithm, instance, self, rng)
    }
}

/// What to evaluate.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which random graphs.
    pub graph: GraphSettings,
    /// How many of them.
    pub graphs: usize,
    /// How many candidates are drawn from each distribution.
    pub draws: usize,
    /// The seed of graphs, runs and draws.
    pub seed: u64,
}

/// Figures of one (size, extractor, distribution); each is a mean over graphs, defined in [`crate::metrics`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The algorithm's name.
    pub algorithm: String,
    /// The number of vertices.
    pub size: usize,
    /// The edge probability.
    pub p: f64,
    /// The number of graphs.
    pub graphs: usize,
    /// The number of draws from each distribution.
    pub draws: usize,
    /// Where the distribution comes from.
    pub distribution: String,
    /// The extractor's name.
    pub extractor: String,
    /// The share of valid draws.
    pub valid: f64,
    /// The share of draws that pass the weak check of the paper's tables.
    pub weak_valid: f64,
    /// Distinct draws, as a share of all.
    pub unique: f64,
    /// Distinct valid draws, as a share of all draws.
    pub unique_valid: f64,
    /// The share of graphs whose first draw is valid.
    pub accuracy: f64,
    /// The share of graphs whose first draw passes the weak check.
    #[serde(default)]
    pub weak_accuracy: f64,
    /// Distinct valid draws, as a share of all solutions, over the graphs whose solutions were counted.
    pub coverage: Option<f64>,
    /// The mean share of edges that two draws have in common.
    pub edge_reuse: Option<f64>,
    /// The number of graphs whose solutions were counted.
    pub counted: usize,
    /// The model file behind a predicted distribution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The preset of the random graphs.
    pub preset: String,
    /// The seed.
    pub seed: u64,
}

/// The figures of draws for several graphs; each is a mean over graphs, defined in [`crate::metrics`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The number of graphs.
    pub graphs: usize,
    /// The share of valid draws.
    pub valid: f64,
    /// The share of draws that pass the weak check of the paper's tables.
    pub weak_valid: f64,
    /// Distinct draws, as a share of all.
    pub unique: f64,
    /// Distinct valid draws, as a share of all draws.
    pub unique_valid: f64,
    /// The share of graphs whose first draw is valid.
    pub accuracy: f64,
    /// The share of graphs whose first draw passes the weak check.
    pub weak_accuracy: f64,
    /// Distinct valid draws, as a share of all solutions, over the graphs whose solutions were counted.
    pub coverage: Option<f64>,
    /// The mean share of edges that two draws have in common.
    pub edge_reuse: Option<f64>,
    /// The number of graphs whose solutions were counted.
    pub counted: usize,
}

/// States that the exact count of one graph may take here: enough up to about n = 12 at p = 1/2.
const COUNT_EFFORT: usize = 100_000;

/// All draws from one distribution for one graph.
type Trials = Vec<Trial>;

/// Evaluates every extractor on the same graphs and distributions; `done` is called once for each graph.
///
/// The rows depend on the settings alone, not on the number of threads.
pub fn evaluate(
    algorithm: &dyn Algorithm,
    predictor: &dyn Predictor,
    extractors: &[&dyn Extractor],
    settings: &Settings,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Row>, Intractable> {
    let of_graph = |index| {
        let outcome = trials(algorithm, predictor, extractors, settings, index);
        done();
        outcome
    };
    let by_graph: Vec<(Option<BigUint>, Vec<Trials>)> =
        (0..settings.graphs as u64).into_par_iter().map(of_graph).collect::<Result<_, _>>()?;
    let rows = extractors.iter().enumerate().map(|(place, extractor)| {
        let graphs: Vec<_> = by_graph.iter().map(|(count, trials)| (count.as_ref(), &trials[place][..])).collect();
        row(algorithm, (&predictor.name(), extractor.name()), settings, &graphs)
    });
    Ok(rows.collect())
}

fn trials(
    algorithm: &dyn Algorithm,
    predictor: &dyn Predictor,
    extractors: &[&dyn Extractor],
    settings: &Settings,
    index: u64,
) -> Result<(Option<BigUint>, Vec<Trials>), Intractable> {
    let stream = |purpose: &str| generate::stream(algorithm, &settings.graph, purpose, settings.seed, index);
    let instance = generate::instance(algorithm, &settings.graph, settings.seed, index);
    let distribution = predictor.predict(algorithm, &instance, &mut stream("runs"))?;
    let draws = extractors.iter().map(|extractor| {
        let mut rng = stream(&format!("draws {}", extractor.name()));
        draw_trials(algorithm, &instance, &distribution, *extractor, settings.draws, &mut rng)
    });
    Ok((algorithm.count(&instance, COUNT_EFFORT).ok(), draws.collect()))
}

/// Draws candidates from a distribution and verifies each.
pub fn draw_trials(
    algorithm: &dyn Algorithm,
    instance: &Instance,
    distribution: &ParentDistribution,
    extractor: &dyn Extractor,
    draws: usize,
    rng: &mut Rng,
) -> Vec<Trial> {
    let draw = |_| trial(algorithm, instance, extractor.extract(instance, distribution, rng));
    (0..draws).map(draw).collect()
}

/// The random stream from which an extractor draws for the `index`-th of somebody's own distributions.
pub fn extraction_stream(extractor: &dyn Extractor, seed: u64, index: u64) -> Rng {
    Rng::stream(seed, &format!("extract {}", extractor.name()), index)
}

/// Scores somebody's own distributions, each beside its instance: candidates are drawn and verified.
///
/// Each distribution has as many rows as its instance has vertices, and each instance has passed the algorithm's check.
/// Solutions are counted, for the coverage, only if `count` says so. The figures do not depend on the number of threads.
pub fn score(
    algorithm: &dyn Algorithm,
    cases: &[(Instance, ParentDistribution)],
    extractor: &dyn Extractor,
    (draws, seed): (usize, u64),
    count: bool,
) -> Figures {
    let of_case = |(index, (instance, distribution)): (usize, &(Instance, ParentDistribution))| {
        let mut rng = extraction_stream(extractor, seed, index as u64);
        let trials = draw_trials(algorithm, instance, distribution, extractor, draws, &mut rng);
        (count.then(|| algorithm.count(instance, COUNT_EFFORT).ok()).flatten(), trials)
    };
    let by_case: Vec<(Option<BigUint>, Trials)> = cases.par_iter().enumerate().map(of_case).collect();
    let graphs: Vec<_> = by_case.iter().map(|(count, trials)| (count.as_ref(), &trials[..])).collect();
    figures(&graphs)
}

/// A candidate with its verdicts.
pub fn trial(algorithm: &dyn Algorithm, instance: &Instance, candidate: ParentArray) -> Trial {
    let valid = algorithm.verify(instance, &candidate).is_ok();
    let weakly_valid = algorithm.verify_weakly(instance, &candidate).is_ok();
    Trial { candidate, valid, weakly_valid }
}

/// Evaluates an executor on the same graphs: a draw has priorities of its own instead of a distribution.
pub fn evaluate_executor(
    algorithm: &dyn Algorithm,
    executor: &Executor,
    settings: &Settings,
    done: &(dyn Fn() + Sync),
) -> Row {
    let of_graph = |index| {
        let instance = generate::instance(algorithm, &settings.graph, settings.seed, index);
        let pairs = Pairs::new(&instance);
        let mut rng = generate::stream(algorithm, &settings.graph, "draws priorities", settings.seed, index);
        let draw = |_| trial(algorithm, &instance, executor.draw_on(&instance, &pairs, &mut rng).parents);
        let trials: Trials = (0..settings.draws).map(draw).collect();
        done();
        (algorithm.count(&instance, COUNT_EFFORT).ok(), trials)
    };
    let by_graph: Vec<(Option<BigUint>, Trials)> = (0..settings.graphs as u64).into_par_iter().map(of_graph).collect();
    let graphs: Vec<_> = by_graph.iter().map(|(count, trials)| (count.as_ref(), &trials[..])).collect();
    row(algorithm, ("executor", "priorities"), settings, &graphs)
}

fn row(
    algorithm: &dyn Algorithm,
    (distribution, extractor): (&str, &str),
    settings: &Settings,
    graphs: &[(Option<&BigUint>, &[Trial])],
) -> Row {
    let figures = figures(graphs);
    Row {
        algorithm: algorithm.name().to_owned(),
        size: settings.graph.n,
        p: settings.graph.p,
        graphs: settings.graphs,
        draws: settings.draws,
        distribution: distribution.to_owned(),
        extractor: extractor.to_owned(),
        valid: figures.valid,
        weak_valid: figures.weak_valid,
        unique: figures.unique,
        unique_valid: figures.unique_valid,
        accuracy: figures.accuracy,
        weak_accuracy: figures.weak_accuracy,
        coverage: figures.coverage,
        edge_reuse: figures.edge_reuse,
        counted: figures.counted,
        model: None,
        preset: settings.graph.preset.name().to_owned(),
        seed: settings.seed,
    }
}

fn figures(graphs: &[(Option<&BigUint>, &[Trial])]) -> Figures {
    let average = |metric: fn(&[Trial]) -> f64| mean(graphs.iter().map(|(_, trials)| metric(trials))).unwrap_or(0.0);
    let coverages = graphs.iter().filter_map(|(count, trials)| Some(metrics::coverage(trials, (*count)?)));
    Figures {
        graphs: graphs.len(),
        valid: average(metrics::valid),
        weak_valid: average(metrics::weakly_valid),
        unique: average(metrics::unique),
        unique_valid: average(metrics::unique_and_valid),
        accuracy: average(metrics::accuracy),
        weak_accuracy: average(metrics::weak_accuracy),
        coverage: mean(coverages),
        edge_reuse: mean(graphs.iter().filter_map(|(_, trials)| metrics::edge_reuse(trials))),
        counted: graphs.iter().filter(|(count, _)| count.is_some()).count(),
    }
}
