//! Candidate sources × draws, averaged over graphs: the metrics of `tiebreak evaluate`.

use super::Subject;
use crate::pipeline::draw::UniformRows;
use crate::pipeline::evaluate::{CandidateSource, EvaluateSettings, Row, evaluate};
use crate::reproduce::ReproduceError;
use crate::reproduce::rows::Measured;

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let (model, executor) = (subject.model()?, subject.executor());
    let mut rows = vec![];
    for &size in &subject.experiment.sizes {
        let graph = subject.graph(size);
        let (graphs, draws, seed) = (subject.experiment.graphs, subject.experiment.draws, subject.seed);
        let law = asks_for_the_law(subject).then_some(subject.experiment.ties);
        let settings = EvaluateSettings { graph, graphs, draws, seed, law };
        let mut add = |source: &CandidateSource| {
            let of_source = evaluate(subject.algorithm, source, &settings, &|| {})?;
            rows.extend(of_source.iter().flat_map(|row| metrics(subject, row)));
            Ok(())
        };
        subject.with_sources(size, model.as_ref(), executor.as_ref(), &mut add)?;
        if law.is_some() {
            // What an extractor does without a model, and what is left to noise.
            add(&CandidateSource::Marginals(&UniformRows, &subject.extractors()))?;
            add(&CandidateSource::Runs(subject.experiment.ties))?;
        }
    }
    Ok(rows)
}

/// The distance from the law takes twenty times as many draws, so it is measured only where it is named.
fn asks_for_the_law(subject: &Subject) -> bool {
    subject.experiment.metrics.iter().any(|metric| metric == "law-distance")
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
        ("law-distance", row.law_distance),
    ];
    let measured = |(metric, value): (&str, Option<f64>)| {
        Some(subject.row(row.size, &row.distribution, &row.extractor, metric, value?))
    };
    all.into_iter().filter_map(measured).collect()
}
