//! Instances that show what a trained network does: random graphs, what it predicts, what is drawn from that.

use super::Exhibit;
use crate::answers::Marginals;
use crate::instance::GraphSettings;
use crate::neural::executor::Executor;
use crate::neural::predict::Model;
use crate::neural::train::TrainSettings;
use crate::pipeline::evaluate::Predictor;
use crate::pipeline::generate::{self, Recipe, Source};
use crate::problems::{Algorithm, Prepared};
use crate::random::Rng;

/// The sizes of the graphs, and how many there are of each.
const SIZES: [(usize, u64); 3] = [(5, 2), (8, 2), (16, 1)];

/// Candidates from each distribution by each extractor that is random.
const DRAWS: u64 = 3;

/// Executions of each instance.
const EXECUTIONS: u64 = 2;

/// Exact distributions with one order for a run go through all n! orders; free ties take exponential time, too.
const LARGEST_EXACT: usize = 8;

/// Enough to count the solutions up to about n = 12 at p = 1/2, in a moment.
const COUNT_EFFORT: usize = 100_000;

/// Random graphs with what each model makes of them; models of one algorithm and one preset are shown on the same graphs.
///
/// A model whose file does not say how it was trained is left out.
pub fn showcase(models: &[(String, Model)], seed: u64) -> Vec<Exhibit> {
    let mut kinds: Vec<(&'static dyn Algorithm, &TrainSettings)> = vec![];
    for (algorithm, settings) in models.iter().filter_map(|(_, model)| kind(model)) {
        if !kinds.iter().any(|(known, of)| known.name() == algorithm.name() && of.preset == settings.preset) {
            kinds.push((algorithm, settings));
        }
    }
    let mut exhibits = vec![];
    for (algorithm, settings) in kinds {
        let same = |model: &&(String, Model)| {
            kind(&model.1).is_some_and(|(other, of)| other.name() == algorithm.name() && of.preset == settings.preset)
        };
        let models: Vec<&(String, Model)> = models.iter().filter(same).collect();
        for (n, count) in SIZES {
            exhibits.extend((0..count).map(|index| exhibit(algorithm, settings, &models, n, seed, index)));
        }
    }
    Exhibit::sort(&mut exhibits);
    exhibits
}

fn kind(model: &Model) -> Option<(&'static dyn Algorithm, &TrainSettings)> {
    Some((model.algorithm(), &model.card()?.settings))
}

fn exhibit(
    algorithm: &'static dyn Algorithm,
    settings: &TrainSettings,
    models: &[&(String, Model)],
    n: usize,
    seed: u64,
    index: u64,
) -> Exhibit {
    let graph = GraphSettings { n, preset: settings.preset, ..GraphSettings::default() };
    let instance = generate::instance(algorithm, &graph, seed, index);
    let stream = |purpose: &str| generate::stream(algorithm, &graph, purpose, seed, index);
    let mut exhibit = Exhibit::of_instance(format!("n = {n}, graph {}", index + 1), algorithm, &instance);
    let prepared = &*generate::prepared(algorithm, &instance);
    exhibit.count_solutions(prepared.space(), COUNT_EFFORT);
    exhibit.show_structure(prepared.space());
    for (name, marginals) in all_marginals(algorithm, settings, models, &graph, prepared, &stream) {
        exhibit.show_marginals(&name, &marginals);
        for extractor in algorithm.problem().extractors {
            let mut rng = stream(&format!("draws {}", extractor.name()));
            // The same candidate again, as argmax always gives, is nothing to look at.
            let mut drawn: Vec<_> = (0..DRAWS).map(|_| extractor.extract(&instance, &marginals, &mut rng)).collect();
            drawn.dedup();
            for candidate in drawn {
                exhibit.add_draw(prepared, &name, Some(extractor.name()), &candidate);
            }
        }
    }
    if let Ok(executor) = Executor::built_in(algorithm) {
        let mut rng = stream("draws priorities");
        (0..EXECUTIONS).for_each(|_| exhibit.add_execution(prepared, &executor, &mut rng));
    }
    exhibit
}

fn all_marginals(
    algorithm: &dyn Algorithm,
    settings: &TrainSettings,
    models: &[&(String, Model)],
    graph: &GraphSettings,
    prepared: &dyn Prepared,
    stream: &dyn Fn(&str) -> Rng,
) -> Vec<(String, Marginals)> {
    let recipe = Recipe { graph: *graph, source: Source::Empirical, runs: settings.runs, ties: settings.ties };
    let sources = [Source::Empirical, Source::Exact];
    let wanted = sources.into_iter().filter(|&source| source == Source::Empirical || graph.n <= LARGEST_EXACT);
    let mut found: Vec<(String, Marginals)> = wanted
        .filter_map(|source| {
            let recipe = Recipe { source, ..recipe };
            let marginals = generate::marginals(algorithm, prepared, &recipe, &mut stream("runs")).ok()?;
            Some((source.name().to_owned(), marginals))
        })
        .collect();
    for (name, model) in models {
        let name = if models.len() > 1 { format!("predicted by {name}") } else { "predicted".to_owned() };
        let predicted = model.for_preset(graph.preset).predict(algorithm, prepared, &mut stream("runs"));
        found.extend(predicted.ok().map(|marginals| (name, marginals)));
    }
    found
}
