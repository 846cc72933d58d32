//! What grows with the number of draws: distinct solutions, their share of all, edges in common; methods beside the
//! algorithm's own runs.

use super::Subject;
use crate::pipeline::draw::Origin;
use crate::pipeline::evaluate::{COUNT_EFFORT, CandidateSource, draw_trials};
use crate::pipeline::generate;
use crate::pipeline::metrics::{self, Trial};
use crate::reproduce::ReproduceError;
use crate::reproduce::rows::Measured;
use num_bigint::BigUint;
use rayon::prelude::*;

/// All draws of one origin, for one graph.
struct Drawn {
    origin: Origin,
    trials: Vec<Trial>,
}

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let (model, executor) = (subject.model()?, subject.executor());
    let mut rows = vec![];
    for &size in &subject.experiment.sizes {
        let indices = 0..subject.experiment.graphs as u64;
        let mut by_graph: Vec<(Option<BigUint>, Vec<Drawn>)> =
            indices.clone().into_par_iter().map(|index| (count(subject, size, index), vec![])).collect();
        let mut add = |source: &CandidateSource| {
            let of_graph = |index| of_graph(subject, size, source, index);
            let drawn: Vec<Vec<Drawn>> = indices.clone().into_par_iter().map(of_graph).collect::<Result<_, _>>()?;
            by_graph.iter_mut().zip(drawn).for_each(|((_, all), drawn)| all.extend(drawn));
            Ok(())
        };
        subject.with_sources(size, model.as_ref(), executor.as_ref(), &mut add)?;
        add(&CandidateSource::Runs(subject.experiment.ties))?;
        rows.extend(curves(subject, size, &by_graph));
    }
    Ok(rows)
}

fn count(subject: &Subject, size: usize, index: u64) -> Option<BigUint> {
    let instance = generate::instance(subject.algorithm, &subject.graph(size), subject.seed, index);
    generate::prepared(subject.algorithm, &instance).space().count(COUNT_EFFORT).ok()
}

fn of_graph(
    subject: &Subject,
    size: usize,
    source: &CandidateSource,
    index: u64,
) -> Result<Vec<Drawn>, ReproduceError> {
    let (algorithm, graph, draws) = (subject.algorithm, subject.graph(size), subject.experiment.draws);
    let stream = |purpose: &str| generate::stream(algorithm, &graph, purpose, subject.seed, index);
    let instance = generate::instance(algorithm, &graph, subject.seed, index);
    let prepared = generate::prepared(algorithm, &instance);
    let mut all = vec![];
    source.with_drawers(algorithm, &*prepared, &graph, &mut stream("runs"), &mut |drawer| {
        let origin = drawer.origin();
        let trials = draw_trials(prepared.space(), drawer, draws, &mut stream(&origin.stream()))?;
        all.push(Drawn { origin, trials });
        Ok(())
    })?;
    Ok(all)
}

/// The mean curve of each origin over graphs.
fn curves(subject: &Subject, size: usize, by_graph: &[(Option<BigUint>, Vec<Drawn>)]) -> Vec<Measured> {
    let mut rows = vec![];
    let origins = by_graph.first().map_or(0, |(_, drawn)| drawn.len());
    for place in 0..origins {
        let (source, method) = by_graph[0].1[place].origin.columns();
        for draws in 1..=subject.experiment.draws {
            let first = |drawn: &[Drawn]| drawn[place].trials[..draws].to_vec();
            let distinct: Vec<f64> =
                by_graph.iter().map(|(_, drawn)| metrics::distinct_valid(&first(drawn)) as f64).collect();
            let covered: Vec<f64> = by_graph
                .iter()
                .filter_map(|(count, drawn)| Some(metrics::coverage(&first(drawn), count.as_ref()?)))
                .collect();
            let reuse: Vec<f64> = by_graph.iter().filter_map(|(_, drawn)| metrics::edge_reuse(&first(drawn))).collect();
            let curves = [("distinct-valid", distinct), ("coverage", covered), ("edge-reuse", reuse)];
            let of_metric = |(metric, values): (&str, Vec<f64>)| {
                let row = subject.mean_row(size, source, method, metric, &values)?;
                Some(Measured { draw: Some(draws as u64), ..row })
            };
            rows.extend(curves.into_iter().filter_map(of_metric));
        }
    }
    rows
}
