//! The measurements: from a model (where there is one) to raw rows. Each is a loop over sizes and graphs.
//!
//! A seed has a training, test graphs and draws of its own, and streams are keyed by it, so `tiebreak evaluate --model RUN
//! --seed SEED` shows the same metrics.

mod curves;
mod draws;
mod exhibits;
mod grid;
mod labels;
mod permutations;
mod reruns;
mod times;

use super::experiment::{Entry, Experiment, Measure};
use super::plan::{Measurement, Plan};
use super::rows::{Measured, over_graphs};
use super::{ReproduceError, Taught};
use crate::instance::GraphSettings;
use crate::neural::executor::Executor;
use crate::neural::predict::Model;
use crate::pipeline::evaluate::CandidateSource;
use crate::pipeline::generate::{Recipe, Source};
use crate::problems::Algorithm;
use crate::problems::extract::Extractor;
use crate::report::Exhibit;
use std::path::PathBuf;

/// What is measured, and with what.
struct Subject<'a> {
    experiment: &'a Experiment,
    entry: &'a Entry,
    algorithm: &'static dyn Algorithm,
    seed: u64,
    run: Option<PathBuf>,
}

/// Makes one measurement; its model has been trained.
pub(super) fn measure(plan: &Plan, measurement: &Measurement) -> Result<(Vec<Measured>, Vec<Exhibit>), ReproduceError> {
    let (experiment, entry) = plan.subject(measurement);
    let algorithm =
        entry.algorithm().map_err(|reason| ReproduceError::Experiment { file: experiment.name.clone(), reason })?;
    let run = entry.model.map(|_| plan.run_path(&format!("{}-{}", entry.label(), measurement.seed)));
    let subject = Subject { experiment, entry, algorithm, seed: measurement.seed, run };
    let mut rows = match experiment.measure {
        Measure::Draws => draws::measure(&subject)?,
        Measure::Curve => curves::measure(&subject)?,
        Measure::Grid => grid::measure(&subject)?,
        Measure::PermuteAll | Measure::PermutePos => permutations::measure(&subject)?,
        Measure::Labels => labels::measure(&subject)?,
        Measure::Reruns => reruns::measure(&subject)?,
        Measure::Times => times::measure(&subject)?,
        Measure::Settings => vec![],
    };
    let kept = &experiment.metrics;
    rows.retain(|row| kept.is_empty() || kept.contains(&row.metric));
    // One seed has enough to look at.
    let exhibits = if measurement.seed == 0 { exhibits::make(&subject)? } else { vec![] };
    Ok((rows, exhibits))
}

impl Subject<'_> {
    fn graph(&self, n: usize) -> GraphSettings {
        GraphSettings { n, p: self.experiment.p, preset: self.entry.preset }
    }

    /// How empirical distributions are made.
    fn recipe(&self, n: usize) -> Recipe {
        let Experiment { runs, ties, .. } = self.experiment;
        Recipe { graph: self.graph(n), source: Source::Empirical, runs: runs[0], ties: *ties }
    }

    fn model(&self) -> Result<Option<Model>, ReproduceError> {
        self.run.as_ref().map(|run| Ok(Model::load(run, Some(self.algorithm))?)).transpose()
    }

    /// The model of a measurement that cannot be without one.
    fn needed_model(&self) -> Result<Model, ReproduceError> {
        let missing = || ReproduceError::Experiment {
            file: self.experiment.name.clone(),
            reason: format!("{} needs a model", self.entry.label()),
        };
        self.model()?.ok_or_else(missing)
    }

    fn executor(&self) -> Option<Executor> {
        Some(self.algorithm).filter(|_| self.entry.executor).and_then(|algorithm| Executor::built_in(algorithm).ok())
    }

    /// Calls `measure` with each source of candidates: repeated runs, the model, the executor.
    fn with_sources(
        &self,
        size: usize,
        model: Option<&Model>,
        executor: Option<&Executor>,
        measure: &mut dyn FnMut(&CandidateSource) -> Result<(), ReproduceError>,
    ) -> Result<(), ReproduceError> {
        let extractors: Vec<&dyn Extractor> = self.extractors();
        measure(&CandidateSource::Marginals(&self.recipe(size), &extractors))?;
        if let Some(model) = model {
            measure(&CandidateSource::Marginals(&model.for_preset(self.entry.preset), &extractors))?;
        }
        executor.map_or(Ok(()), |executor| measure(&CandidateSource::Executor(executor)))
    }

    /// The entry's extractors, in its order.
    fn extractors(&self) -> Vec<&dyn Extractor> {
        let named = |name: &String| -> Option<&dyn Extractor> {
            let all = self.algorithm.problem().extractors.iter();
            all.copied().find(|one| one.name() == name)
        };
        self.entry.extractors.iter().filter_map(named).collect()
    }

    /// A row of this subject.
    fn row(&self, size: usize, source: &str, method: &str, metric: &str, value: f64) -> Measured {
        Measured {
            algorithm: self.entry.algorithm.clone(),
            preset: self.entry.preset.name().to_owned(),
            seed: self.seed,
            size,
            source: source.to_owned(),
            method: method.to_owned(),
            draw: None,
            metric: metric.to_owned(),
            value,
            deviation: None,
            graphs: self.experiment.graphs,
        }
    }

    /// The mean of a figure over graphs as a row; none where no graph has it.
    fn mean_row(&self, size: usize, source: &str, method: &str, metric: &str, values: &[f64]) -> Option<Measured> {
        let (mean, deviation, graphs) = over_graphs(values)?;
        let row = self.row(size, source, method, metric, mean);
        Some(Measured { deviation: Some(deviation), graphs, ..row })
    }

    /// The name of what the model was taught.
    fn taught(&self) -> &'static str {
        match self.entry.model {
            Some(Taught::Kl) => "kl",
            Some(Taught::Index) => "index",
            Some(Taught::Pos) => "pos",
            None => "",
        }
    }
}
