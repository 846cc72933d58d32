//! Candidate sources × draws: from graphs to plain rows of metrics.
//!
//! For each graph a [`CandidateSource`] gives drawers; each draws candidates, the exact verifier (and, beside it, the paper's weak
//! check where there is one) judges them, and the metrics are averaged over graphs.

use crate::answers::{Candidate, Marginals};
use crate::cancel;
pub use crate::pipeline::draw::Predictor;

use crate::instance::{GraphSettings, Instance, Preset};
use crate::neural::executor::Executor;
use crate::pipeline::draw::{Drawer, Execution, Extraction, MarginalsOf, Origin, Runs, UniformDraws};
use crate::pipeline::generate::{self, Made, Recipe, Source};
use crate::pipeline::metrics::{self, Trial, mean};
use crate::problems::extract::Extractor;
use crate::problems::ties::TiePolicy;
use crate::problems::{Algorithm, Allowed, Intractable, Prepared, Space};
use crate::random::Rng;
use num_bigint::BigUint;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Where the candidates of an evaluation come from.
pub enum CandidateSource<'a> {
    /// Marginals and extractors.
    Marginals(&'a dyn Predictor, &'a [&'a dyn Extractor]),
    /// An executor.
    Executor(&'a Executor),
    /// The algorithm's own runs.
    Runs(TiePolicy),
    /// Uniform draws from all solutions.
    Uniform,
}

impl CandidateSource<'_> {
    /// The origins of what it draws, in order.
    pub fn origins(&self) -> Vec<Origin> {
        match self {
            CandidateSource::Marginals(predictor, extractors) => {
                let origin = |extractor: &&dyn Extractor| Origin::Extracted {
                    from: predictor.of(),
                    extractor: extractor.name(),
                };
                extractors.iter().map(origin).collect()
            }
            CandidateSource::Executor(_) => vec![Origin::Executor],
            CandidateSource::Runs(_) => vec![Origin::Run],
            CandidateSource::Uniform => vec![Origin::UniformDraw],
        }
    }

    /// Calls `use_drawer` with each drawer for one instance; `rng` is for what they have in common.
    pub(crate) fn with_drawers(
        &self,
        algorithm: &dyn Algorithm,
        prepared: &dyn Prepared,
        settings: &GraphSettings,
        rng: &mut Rng,
        use_drawer: &mut dyn FnMut(&mut dyn Drawer) -> Result<(), Intractable>,
    ) -> Result<(), Intractable> {
        let instance = prepared.instance();
        match self {
            CandidateSource::Marginals(predictor, extractors) => {
                let marginals = &predictor.predict(algorithm, prepared, rng)?;
                let from = predictor.of();
                let mut each = extractors.iter();
                each.try_for_each(|&extractor| use_drawer(&mut Extraction { instance, marginals, from, extractor }))
            }
            CandidateSource::Executor(executor) => use_drawer(&mut Execution::new(executor, instance)),
            CandidateSource::Runs(policy) => {
                let first = algorithm.first_in_order(settings.preset);
                use_drawer(&mut Runs { prepared, policy: *policy, first })
            }
            CandidateSource::Uniform => {
                use_drawer(&mut UniformDraws(prepared.space().within(&Allowed::default(), COUNT_EFFORT)?))
            }
        }
    }
}

/// What to evaluate.
#[derive(Clone, Copy, Debug)]
pub struct EvaluateSettings {
    /// Which random graphs.
    pub graph: GraphSettings,
    /// How many of them.
    pub graphs: usize,
    /// How many candidates are drawn from each distribution.
    pub draws: usize,
    /// The seed of graphs, runs and draws.
    pub seed: u64,
    /// How the ties of the runs hang together to whose law the draws are compared; none where nobody asks.
    pub law: Option<TiePolicy>,
}

/// Metrics of one (size, distribution, extractor); each is a mean over graphs, defined in [`crate::pipeline::metrics`].
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
    /// The share of draws that pass the weak check of the paper's tables, where there is one.
    pub weak_valid: Option<f64>,
    /// Distinct draws, as a share of all.
    pub unique: f64,
    /// Distinct valid draws, as a share of all draws.
    pub unique_valid: f64,
    /// The share of graphs whose first draw is valid.
    pub accuracy: f64,
    /// The share of graphs whose first draw passes the weak check.
    #[serde(default)]
    pub weak_accuracy: Option<f64>,
    /// Distinct valid draws, as a share of all solutions, over the graphs whose solutions were counted.
    pub coverage: Option<f64>,
    /// The mean share of edges that two draws have in common.
    pub edge_reuse: Option<f64>,
    /// How far the marginals of [`LAW_DRAWS`] draws are from the law of the algorithm's runs, where that was asked for.
    #[serde(default)]
    pub law_distance: Option<f64>,
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

impl Row {
    /// Whether its graphs were drawn with the probability p.
    pub fn uses_p(&self) -> bool {
        Preset::ALL.iter().all(|preset| preset.name() != self.preset || preset.uses_p())
    }
}

/// The metrics of draws for several graphs; each is a mean over graphs, defined in [`crate::pipeline::metrics`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metrics {
    /// The number of graphs.
    pub graphs: usize,
    /// The share of valid draws.
    pub valid: f64,
    /// The share of draws that pass the weak check of the paper's tables, where there is one.
    pub weak_valid: Option<f64>,
    /// Distinct draws, as a share of all.
    pub unique: f64,
    /// Distinct valid draws, as a share of all draws.
    pub unique_valid: f64,
    /// The share of graphs whose first draw is valid.
    pub accuracy: f64,
    /// The share of graphs whose first draw passes the weak check.
    pub weak_accuracy: Option<f64>,
    /// Distinct valid draws, as a share of all solutions, over the graphs whose solutions were counted.
    pub coverage: Option<f64>,
    /// The mean share of edges that two draws have in common.
    pub edge_reuse: Option<f64>,
    /// How far the marginals of [`LAW_DRAWS`] draws are from the law of the algorithm's runs, where that was asked for.
    pub law_distance: Option<f64>,
    /// The number of graphs whose solutions were counted.
    pub counted: usize,
}

/// States that the exact count of one graph may take here: enough up to about n = 12 at p = 1/2.
pub(crate) const COUNT_EFFORT: usize = 100_000;

/// Draws whose marginals are compared to the law of the runs: five would be mostly noise.
pub const LAW_DRAWS: usize = 100;

/// Runs that stand for infinitely many where their law cannot be computed.
pub const LAW_RUNS: usize = 1_000;

/// Evaluates all that a candidate source draws, on the same graphs; `done` is called once for each graph.
///
/// The rows depend on the settings alone, not on the number of threads.
pub fn evaluate(
    algorithm: &dyn Algorithm,
    source: &CandidateSource,
    settings: &EvaluateSettings,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Row>, Intractable> {
    let of_graph = |index| {
        let outcome = metrics_of_graph(algorithm, source, settings, index);
        done();
        outcome
    };
    let by_graph: Vec<Vec<GraphMetrics>> =
        (0..settings.graphs as u64).into_par_iter().map(of_graph).collect::<Result<_, _>>()?;
    let rows = source.origins().into_iter().enumerate().map(|(place, origin)| {
        let graphs: Vec<GraphMetrics> = by_graph.iter().map(|origins| origins[place]).collect();
        row(algorithm, origin, settings, &means(&graphs))
    });
    Ok(rows.collect())
}

/// The metrics of each origin's draws on one graph.
fn metrics_of_graph(
    algorithm: &dyn Algorithm,
    source: &CandidateSource,
    settings: &EvaluateSettings,
    index: u64,
) -> Result<Vec<GraphMetrics>, Intractable> {
    cancel::point();
    let stream = |purpose: &str| generate::stream(algorithm, &settings.graph, purpose, settings.seed, index);
    let instance = generate::instance(algorithm, &settings.graph, settings.seed, index);
    let prepared = generate::prepared(algorithm, &instance);
    let count = prepared.space().count(COUNT_EFFORT).ok();
    let law = settings.law.map(|ties| law(algorithm, &*prepared, &settings.graph, ties, &mut stream("law")));
    let law = law.transpose()?;
    let mut metrics = vec![];
    source.with_drawers(algorithm, &*prepared, &settings.graph, &mut stream("runs"), &mut |drawer| {
        let mut rng = stream(&drawer.origin().stream());
        let trials = draw_trials(prepared.space(), drawer, settings.draws, &mut rng)?;
        let distance = law.as_ref().map(|law| law_distance(law, &trials, drawer, &mut rng)).transpose()?;
        metrics.push(GraphMetrics { law_distance: distance, ..GraphMetrics::of(count.as_ref(), &trials) });
        Ok(())
    })?;
    Ok(metrics)
}

/// The marginals of infinitely many runs; of [`LAW_RUNS`], where those are not to be had.
fn law(
    algorithm: &dyn Algorithm,
    prepared: &dyn Prepared,
    graph: &GraphSettings,
    ties: TiePolicy,
    rng: &mut Rng,
) -> Result<Marginals, Intractable> {
    let exact = Recipe { graph: *graph, source: Source::Exact, runs: LAW_RUNS, ties };
    generate::marginals(algorithm, prepared, &exact, rng)
        .or_else(|_| generate::marginals(algorithm, prepared, &Recipe { source: Source::Empirical, ..exact }, rng))
}

/// How far the marginals of what was drawn, and of as many further draws as are missing, are from a law.
fn law_distance(law: &Marginals, trials: &[Trial], drawer: &mut dyn Drawer, rng: &mut Rng) -> Result<f64, Intractable> {
    let mut drawn: Vec<Candidate> = trials.iter().map(|trial| trial.candidate.clone()).collect();
    while drawn.len() < LAW_DRAWS {
        cancel::point();
        drawn.push(drawer.draw(rng)?);
    }
    Ok(metrics::total_variation(law, &Marginals::from_runs(&drawn)))
}

/// Draws candidates and verifies each.
pub fn draw_trials(
    space: &dyn Space,
    drawer: &mut dyn Drawer,
    draws: usize,
    rng: &mut Rng,
) -> Result<Vec<Trial>, Intractable> {
    let draw = |_| {
        cancel::point();
        Ok(trial(space, drawer.draw(rng)?))
    };
    (0..draws).map(draw).collect()
}

/// The random stream from which an extractor draws for the `index`-th instance of a file: for an instance of our own making that of its
/// evaluation, so that files and one process give the same draws.
pub fn extraction_stream(
    algorithm: &dyn Algorithm,
    extractor: &dyn Extractor,
    instance: &Instance,
    made: Option<&Made>,
    (seed, index): (u64, u64),
) -> Rng {
    match made {
        Some(made) => {
            let origin = Origin::Extracted { from: MarginalsOf::Given, extractor: extractor.name() };
            generate::stream(algorithm, &made.settings(instance.n()), &origin.stream(), seed, made.index)
        }
        None => Rng::stream(seed, &format!("extract {}", extractor.name()), index),
    }
}

/// Somebody's own marginals, with the prepared instance that they are for and how it was made, if it is one of ours.
pub type ScoredCase<'a> = (Box<dyn Prepared + 'a>, Marginals, Option<Made>);

/// Scores somebody's own marginals: candidates are drawn and verified.
///
/// Each row of marginals belongs to a slot of its instance. Solutions are counted, for the coverage, only if `count` says so. The
/// metrics do not depend on the number of threads; [`means`] sums them up.
pub fn score(
    algorithm: &dyn Algorithm,
    cases: &[ScoredCase],
    extractor: &dyn Extractor,
    (draws, seed): (usize, u64),
    count: bool,
) -> Vec<GraphMetrics> {
    let of_case = |(index, (prepared, marginals, made)): (usize, &ScoredCase)| {
        let (instance, space) = (prepared.instance(), prepared.space());
        let mut rng = extraction_stream(algorithm, extractor, instance, made.as_ref(), (seed, index as u64));
        let mut drawer = Extraction { instance, marginals, from: MarginalsOf::Given, extractor };
        let trials = draw_trials(space, &mut drawer, draws, &mut rng).expect("extractors always draw");
        let solutions = count.then(|| space.count(COUNT_EFFORT).ok()).flatten();
        GraphMetrics::of(solutions.as_ref(), &trials)
    };
    cases.par_iter().enumerate().map(of_case).collect()
}

/// A candidate with its verdicts.
pub fn trial(space: &dyn Space, candidate: Candidate) -> Trial {
    let valid = space.verify(&candidate).is_ok();
    let weakly_valid = space.verify_weakly(&candidate).map(|verdict| verdict.is_ok());
    Trial { candidate, valid, weakly_valid }
}

fn row(algorithm: &dyn Algorithm, origin: Origin, settings: &EvaluateSettings, metrics: &Metrics) -> Row {
    let (distribution, extractor) = origin.columns();
    Row {
        algorithm: algorithm.name().to_owned(),
        size: settings.graph.n,
        p: settings.graph.p,
        graphs: settings.graphs,
        draws: settings.draws,
        distribution: distribution.to_owned(),
        extractor: extractor.to_owned(),
        valid: metrics.valid,
        weak_valid: metrics.weak_valid,
        unique: metrics.unique,
        unique_valid: metrics.unique_valid,
        accuracy: metrics.accuracy,
        weak_accuracy: metrics.weak_accuracy,
        coverage: metrics.coverage,
        edge_reuse: metrics.edge_reuse,
        law_distance: metrics.law_distance,
        counted: metrics.counted,
        model: None,
        preset: settings.graph.preset.name().to_owned(),
        seed: settings.seed,
    }
}

/// The metrics of one graph's draws, defined in [`crate::pipeline::metrics`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphMetrics {
    /// The share of valid draws.
    pub valid: f64,
    /// The share of draws that pass the weak check, where there is one.
    pub weak_valid: Option<f64>,
    /// Distinct draws, as a share of all.
    pub unique: f64,
    /// Distinct valid draws, as a share of all draws.
    pub unique_valid: f64,
    /// 1 if the first draw is valid.
    pub accuracy: f64,
    /// 1 if the first draw passes the weak check.
    pub weak_accuracy: Option<f64>,
    /// Distinct valid draws, as a share of all solutions, if these were counted.
    pub coverage: Option<f64>,
    /// The mean share of edges that two draws have in common.
    pub edge_reuse: Option<f64>,
    /// How far the marginals of [`LAW_DRAWS`] draws are from the law of the algorithm's runs, where that was asked for.
    pub law_distance: Option<f64>,
}

impl GraphMetrics {
    fn of(count: Option<&BigUint>, trials: &[Trial]) -> Self {
        GraphMetrics {
            valid: metrics::valid(trials),
            weak_valid: metrics::weakly_valid(trials),
            unique: metrics::unique(trials),
            unique_valid: metrics::unique_and_valid(trials),
            accuracy: metrics::accuracy(trials),
            weak_accuracy: metrics::weak_accuracy(trials),
            coverage: count.map(|count| metrics::coverage(trials, count)),
            edge_reuse: metrics::edge_reuse(trials),
            law_distance: None,
        }
    }
}

/// The means over graphs.
pub fn means(graphs: &[GraphMetrics]) -> Metrics {
    let average = |metric: fn(&GraphMetrics) -> f64| mean(graphs.iter().map(metric)).unwrap_or(0.0);
    let known = |metric: fn(&GraphMetrics) -> Option<f64>| mean(graphs.iter().filter_map(metric));
    Metrics {
        graphs: graphs.len(),
        valid: average(|graph| graph.valid),
        weak_valid: known(|graph| graph.weak_valid),
        unique: average(|graph| graph.unique),
        unique_valid: average(|graph| graph.unique_valid),
        accuracy: average(|graph| graph.accuracy),
        weak_accuracy: known(|graph| graph.weak_accuracy),
        coverage: known(|graph| graph.coverage),
        edge_reuse: known(|graph| graph.edge_reuse),
        law_distance: known(|graph| graph.law_distance),
        counted: graphs.iter().filter(|graph| graph.coverage.is_some()).count(),
    }
}
