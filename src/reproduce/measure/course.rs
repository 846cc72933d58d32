//! What grows with the number of draws: distinct solutions, their share of all, edges in common; methods beside the
//! algorithm's own runs.

use super::{COUNT_EFFORT, Subject};
use crate::evaluate::{Predictor, draw_trials, trial};
use crate::executor::Pairs;
use crate::generate;
use crate::metrics::{self, Trial};
use crate::reproduce::ReproduceError;
use crate::reproduce::rows::Measured;
use num_bigint::BigUint;
use rayon::prelude::*;

/// All draws of one way to draw, for one graph.
struct Drawn {
    source: String,
    method: String,
    trials: Vec<Trial>,
}

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let model = subject.model()?;
    let predicted = model.as_ref().map(|model| model.for_preset(subject.entry.preset));
    let mut rows = vec![];
    for &size in &subject.experiment.sizes {
        let recipe = subject.recipe(size);
        let mut predictors: Vec<&dyn Predictor> = vec![&recipe];
        predictors.extend(predicted.iter().map(|model| model as &dyn Predictor));
        let of_graph = |index| of_graph(subject, size, &predictors, index);
        let by_graph: Vec<(Option<BigUint>, Vec<Drawn>)> =
            (0..subject.experiment.graphs as u64).into_par_iter().map(of_graph).collect::<Result<_, _>>()?;
        rows.extend(courses(subject, size, &by_graph));
    }
    Ok(rows)
}

fn of_graph(
    subject: &Subject,
    size: usize,
    predictors: &[&dyn Predictor],
    index: u64,
) -> Result<(Option<BigUint>, Vec<Drawn>), ReproduceError> {
    let (algorithm, graph, draws) = (subject.algorithm, subject.graph(size), subject.experiment.draws);
    let stream = |purpose: &str| generate::stream(algorithm, &graph, purpose, subject.seed, index);
    let instance = generate::instance(algorithm, &graph, subject.seed, index);
    let mut all = vec![];
    for predictor in predictors {
        let distribution = predictor.predict(algorithm, &instance, &mut stream("runs"))?;
        for extractor in subject.extractors() {
            let mut rng = stream(&format!("draws {}", extractor.name()));
            let trials = draw_trials(algorithm, &instance, &distribution, extractor, draws, &mut rng);
            all.push(Drawn { source: predictor.name(), method: extractor.name().to_owned(), trials });
        }
    }
    if let Some(executor) = subject.executor() {
        let (pairs, mut rng) = (Pairs::new(&instance), stream("draws priorities"));
        let draw = |_| trial(algorithm, &instance, executor.draw_on(&instance, &pairs, &mut rng).parents);
        all.push(Drawn {
            source: "executor".to_owned(),
            method: "priorities".to_owned(),
            trials: (0..draws).map(draw).collect(),
        });
    }
    let first = algorithm.first_in_order(graph.preset);
    let ties = subject.experiment.ties;
    let runs = generate::runs(algorithm, &instance, ties, first, draws, &mut stream("own runs"));
    let trials = runs.into_iter().map(|run| trial(algorithm, &instance, run)).collect();
    all.push(Drawn { source: "algorithm".to_owned(), method: "runs".to_owned(), trials });
    Ok((algorithm.count(&instance, COUNT_EFFORT).ok(), all))
}

/// The mean course of each way to draw over graphs.
fn courses(subject: &Subject, size: usize, by_graph: &[(Option<BigUint>, Vec<Drawn>)]) -> Vec<Measured> {
    let mut rows = vec![];
    let ways = by_graph.first().map_or(0, |(_, drawn)| drawn.len());
    for way in 0..ways {
        let Drawn { source, method, .. } = &by_graph[0].1[way];
        for draws in 1..=subject.experiment.draws {
            let first = |drawn: &[Drawn]| drawn[way].trials[..draws].to_vec();
            let distinct: Vec<f64> =
                by_graph.iter().map(|(_, drawn)| metrics::distinct_valid(&first(drawn)) as f64).collect();
            let covered: Vec<f64> = by_graph
                .iter()
                .filter_map(|(count, drawn)| Some(metrics::coverage(&first(drawn), count.as_ref()?)))
                .collect();
            let reuse: Vec<f64> = by_graph.iter().filter_map(|(_, drawn)| metrics::edge_reuse(&first(drawn))).collect();
            let figures = [("distinct-valid", distinct), ("coverage", covered), ("edge-reuse", reuse)];
            let of_figure = |(metric, values): (&str, Vec<f64>)| {
                let row = subject.mean_row(size, source, method, metric, &values)?;
                Some(Measured { draw: Some(draws as u64), ..row })
            };
            rows.extend(figures.into_iter().filter_map(of_figure));
        }
    }
    rows
}
