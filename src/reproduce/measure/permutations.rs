//! The network's answer under permutations of its input: are there other solutions, and are they right?
//!
//! *All*: the graph is relabelled and `pos` goes along. The network cannot tell vertices apart but by its inputs, so it gives
//! the same answer under other names: distinctness is one of all permutations, but for rounding. *Pos*: the graph is
//! relabelled and `pos` stays in ascending order, which to the network is the same graph with another `pos`.

use super::Subject;
use crate::answers::Candidate;
use crate::instance::Instance;
use crate::neural::predict::Model;
use crate::pipeline::evaluate::trial;
use crate::pipeline::generate;
use crate::pipeline::metrics::{self, Trial, mean};
use crate::problems::extract::{Argmax, Extractor};
use crate::problems::{Intractable, View, by_name};
use crate::random::Rng;
use crate::reproduce::rows::Measured;
use crate::reproduce::{Measure, ReproduceError};
use rayon::prelude::*;

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let model = subject.needed_model()?;
    let mut rows = vec![];
    for &size in &subject.experiment.sizes {
        let of_graph = |index| metrics_of(subject, &model, size, index);
        let by_graph: Vec<Metrics> =
            (0..subject.experiment.graphs as u64).into_par_iter().map(of_graph).collect::<Result<_, _>>()?;
        for (place, &(metric, _)) in by_graph.first().map_or(&[][..], |metrics| metrics).iter().enumerate() {
            let values: Vec<f64> = by_graph.iter().filter_map(|metrics| metrics[place].1).collect();
            rows.extend(subject.mean_row(size, "predicted", "argmax", metric, &values));
        }
    }
    Ok(rows)
}

/// A prediction on a relabelled graph.
struct Answer {
    is_right_there: bool,
    given: Candidate,
    back: Candidate,
}

type Metrics = Vec<(&'static str, Option<f64>)>;

fn metrics_of(subject: &Subject, model: &Model, size: usize, index: u64) -> Result<Metrics, Intractable> {
    let (algorithm, graph) = (subject.algorithm, subject.graph(size));
    let instance = generate::instance(algorithm, &graph, subject.seed, index);
    let prepared = generate::prepared(algorithm, &instance);
    let space = prepared.space();
    let mut rng = generate::stream(algorithm, &graph, "permutations", subject.seed, index);
    let unit = graph.preset.weight_unit();
    let answers = (0..subject.experiment.draws).map(|_| answer(subject, model, &instance, unit, &mut rng));
    let answers: Vec<Answer> = answers.collect::<Result<_, _>>()?;
    let back: Vec<Trial> = answers.iter().map(|answer| trial(space, answer.back.clone())).collect();
    let unmapped: Vec<Trial> = answers.iter().map(|answer| trial(space, answer.given.clone())).collect();
    let there = answers.iter().map(|answer| f64::from(answer.is_right_there));
    let mut found = vec![
        ("valid-back", Some(metrics::valid(&back))),
        ("valid-there", mean(there)),
        ("valid-unmapped", Some(metrics::valid(&unmapped))),
        ("diversity", Some(metrics::unique(&unmapped))),
        ("distinctness", Some(metrics::unique(&back))),
        ("distinct-among-valid", metrics::distinct_among_valid(&back)),
    ];
    if let Some(relaxed) = subject.entry.relaxed.as_deref().and_then(by_name) {
        let relaxed = generate::prepared(relaxed, &instance);
        let share = |candidates: &mut dyn Iterator<Item = &Candidate>| {
            mean(candidates.map(|candidate| f64::from(relaxed.space().verify(candidate).is_ok())))
        };
        found.push(("relaxed-unmapped", share(&mut answers.iter().map(|answer| &answer.given))));
        found.push(("relaxed-back", share(&mut answers.iter().map(|answer| &answer.back))));
    }
    Ok(found)
}

fn answer(
    subject: &Subject,
    model: &Model,
    instance: &Instance,
    unit: f64,
    rng: &mut Rng,
) -> Result<Answer, Intractable> {
    let n = instance.n();
    let mut label: Vec<usize> = (0..n).collect();
    rng.shuffle(&mut label);
    let mut original = vec![0; n];
    label.iter().enumerate().for_each(|(vertex, &label)| original[label] = vertex);
    let there = instance.relabelled(&label);
    let mut view = View::evenly_spaced(n, unit);
    if subject.experiment.measure == Measure::PermuteAll {
        let ascending = view.pos.clone();
        view.pos = original.iter().map(|&vertex| ascending[vertex]).collect();
    }
    let prepared = generate::prepared(subject.algorithm, &there);
    let given = Argmax.extract(&there, &model.marginals_in(&*prepared, &view)?, rng);
    let back = given.parents().relabelled(&original);
    Ok(Answer { is_right_there: prepared.space().verify(&given).is_ok(), given, back })
}
