//! Distributions × extractors × draws, averaged over graphs: the figures of `tiebreak evaluate`.

use super::Subject;
use crate::evaluate::{Row, Settings, evaluate, evaluate_executor};
use crate::reproduce::ReproduceError;
use crate::reproduce::rows::Measured;

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let (extractors, model, executor) = (subject.extractors(), subject.model()?, subject.executor());
    let mut rows = vec![];
    for &size in &subject.experiment.sizes {
        let graph = subject.graph(size);
        let (graphs, draws, seed) = (subject.experiment.graphs, subject.experiment.draws, subject.seed);
        let settings = Settings { graph, graphs, draws, seed };
        let mut of_size = evaluate(subject.algorithm, &subject.recipe(size), &extractors, &settings, &|| {})?;
        if let Some(model) = &model {
            let predictor = model.for_preset(subject.entry.preset);
            of_size.extend(evaluate(subject.algorithm, &predictor, &extractors, &settings, &|| {})?);
        }
        of_size
            .extend(executor.iter().map(|executor| evaluate_executor(subject.algorithm, executor, &settings, &|| {})));
        rows.extend(of_size.iter().flat_map(|row| figures(subject, row)));
    }
    Ok(rows)
}

fn figures(subject: &Subject, row: &Row) -> Vec<Measured> {
    let all = [
        ("unique", Some(row.unique)),
        ("valid", Some(row.valid)),
        ("weak-valid", Some(row.weak_valid)),
        ("unique-valid", Some(row.unique_valid)),
        ("accuracy", Some(row.accuracy)),
        ("weak-accuracy", Some(row.weak_accuracy)),
        ("coverage", row.coverage),
        ("edge-reuse", row.edge_reuse),
    ];
    let figure = |(metric, value): (&str, Option<f64>)| {
        Some(subject.row(row.size, &row.distribution, &row.extractor, metric, value?))
    };
    all.into_iter().filter_map(figure).collect()
}
