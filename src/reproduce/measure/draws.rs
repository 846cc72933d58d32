//! Candidate sources × draws, averaged over graphs: the metrics of `tiebreak evaluate`.

use super::Subject;
use crate::pipeline::evaluate::{EvaluateSettings, Row, evaluate};
use crate::reproduce::ReproduceError;
use crate::reproduce::rows::Measured;

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let (model, executor) = (subject.model()?, subject.executor());
    let mut rows = vec![];
    for &size in &subject.experiment.sizes {
        let graph = subject.graph(size);
        let (graphs, draws, seed) = (subject.experiment.graphs, subject.experiment.draws, subject.seed);
        let settings = EvaluateSettings { graph, graphs, draws, seed };
        subject.with_sources(size, model.as_ref(), executor.as_ref(), &mut |source| {
            let of_source = evaluate(subject.algorithm, source, &settings, &|| {})?;
            rows.extend(of_source.iter().flat_map(|row| metrics(subject, row)));
            Ok(())
        })?;
    }
    Ok(rows)
}

fn metrics(subject: &Subject, row: &Row) -> Vec<Measured> {
    let all = [
        ("unique", Some(row.unique)),
        ("valid", Some(row.valid)),
        ("weak-valid", row.weak_valid),
        ("unique-valid", Some(row.unique_valid)),
        ("accuracy", Some(row.accuracy)),
        ("weak-accuracy", row.weak_accuracy),
        ("coverage", row.coverage),
        ("edge-reuse", row.edge_reuse),
    ];
    let measured = |(metric, value): (&str, Option<f64>)| {
        Some(subject.row(row.size, &row.distribution, &row.extractor, metric, value?))
    };
    all.into_iter().filter_map(measured).collect()
}
