//! How much do distributions of 20, 50 and 100 runs differ, from each other and from the exact one?

use super::Subject;
use crate::answers::Marginals;
use crate::pipeline::generate::{self, Recipe, Source};
use crate::pipeline::metrics::kl_divergence;
use crate::reproduce::ReproduceError;
use crate::reproduce::rows::Measured;
use rayon::prelude::*;

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let mut rows = vec![];
    for &size in &subject.experiment.sizes {
        let of_graph = |index| divergences(subject, size, index);
        let by_graph: Vec<Vec<(String, String, f64)>> =
            (0..subject.experiment.graphs as u64).into_par_iter().map(of_graph).collect::<Result<_, _>>()?;
        // A graph whose exact distribution could not be had leaves the exact one out for its whole size.
        let fewest = by_graph.iter().map(Vec::len).min().unwrap_or(0);
        for place in 0..fewest {
            let (source, method, _) = &by_graph[0][place];
            let values: Vec<f64> = by_graph.iter().map(|divergences| divergences[place].2).collect();
            rows.extend(subject.mean_row(size, source, method, "kl", &values));
        }
    }
    Ok(rows)
}

/// Every pair of distributions, the one of fewer runs first; those against the exact one last.
fn divergences(subject: &Subject, size: usize, index: u64) -> Result<Vec<(String, String, f64)>, ReproduceError> {
    let (algorithm, graph) = (subject.algorithm, subject.graph(size));
    let instance = generate::instance(algorithm, &graph, subject.seed, index);
    let prepared = generate::prepared(algorithm, &instance);
    let made = |recipe: Recipe| {
        let purpose = format!("{} runs", recipe.runs);
        generate::marginals(
            algorithm,
            &*prepared,
            &recipe,
            &mut generate::stream(algorithm, &graph, &purpose, subject.seed, index),
        )
    };
    let runs = &subject.experiment.runs;
    let base = subject.recipe(size);
    let empirical: Vec<Marginals> = runs.iter().map(|&runs| made(Recipe { runs, ..base })).collect::<Result<_, _>>()?;
    let name = |place: usize| format!("{} runs", runs[place]);
    let mut found = vec![];
    for one in 0..runs.len() {
        for other in one + 1..runs.len() {
            found.push((name(one), name(other), kl_divergence(&empirical[one], &empirical[other])));
        }
    }
    if let Ok(exact) = made(Recipe { source: Source::Exact, ..base }) {
        let against = |(place, distribution)| (name(place), "exact".to_owned(), kl_divergence(distribution, &exact));
        found.extend(empirical.iter().enumerate().map(against));
    }
    Ok(found)
}
