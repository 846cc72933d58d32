//! Instances to look at: a graph with its distributions, draws from each, and an execution.

use super::Subject;
use crate::pipeline::evaluate::{COUNT_EFFORT, Predictor};
use crate::pipeline::generate::{self, Recipe, Source};
use crate::report::Exhibit;
use crate::reproduce::ReproduceError;

/// Draws by each extractor from each distribution.
const DRAWS: usize = 5;

/// One instance of each size: the first test graph that the tables are about.
pub(super) fn make(subject: &Subject) -> Result<Vec<Exhibit>, ReproduceError> {
    let model = subject.model()?;
    let predicted = model.as_ref().map(|model| model.for_preset(subject.entry.preset));
    let mut exhibits = vec![];
    for &size in &subject.experiment.exhibits {
        let recipe = subject.recipe(size);
        let exact = Recipe { source: Source::Exact, ..recipe };
        let mut predictors: Vec<&dyn Predictor> = vec![&recipe, &exact];
        predictors.extend(predicted.iter().map(|model| model as &dyn Predictor));
        exhibits.push(exhibit(subject, size, &predictors));
    }
    Ok(exhibits)
}

fn exhibit(subject: &Subject, size: usize, predictors: &[&dyn Predictor]) -> Exhibit {
    let (algorithm, graph) = (subject.algorithm, subject.graph(size));
    let stream = |purpose: &str| generate::stream(algorithm, &graph, purpose, subject.seed, 0);
    let instance = generate::instance(algorithm, &graph, subject.seed, 0);
    let name = format!("{}, {} graphs, n = {size}", algorithm.name(), graph.preset.name());
    let mut exhibit = Exhibit::of_instance(name, algorithm, &instance);
    let prepared = &*generate::prepared(algorithm, &instance);
    exhibit.count_solutions(prepared.space(), COUNT_EFFORT);
    exhibit.show_structure(prepared.space());
    for predictor in predictors {
        let Ok(marginals) = predictor.predict(algorithm, prepared, &mut stream("runs")) else {
            // The exact law is not to be had for every size.
            continue;
        };
        let name = predictor.of().name();
        exhibit.show_marginals(name, &marginals);
        for extractor in algorithm.problem().extractors {
            let mut rng = stream(&format!("draws {}", extractor.name()));
            for _ in 0..DRAWS {
                let candidate = extractor.extract(&instance, &marginals, &mut rng);
                exhibit.add_draw(prepared, name, Some(extractor.name()), &candidate);
            }
        }
    }
    if let Some(executor) = subject.executor() {
        exhibit.add_execution(prepared, &executor, &mut stream("draws priorities"));
    }
    exhibit
}
