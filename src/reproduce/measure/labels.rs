//! A network that was taught one solution: how much of that solution it finds, and how often a solution at all.

use super::Subject;
use crate::neural::predict::Model;
use crate::pipeline::evaluate::trial;
use crate::pipeline::generate;
use crate::pipeline::metrics;
use crate::problems::extract::{Argmax, Extractor};
use crate::problems::ties::OneOrder;
use crate::problems::{Intractable, View};
use crate::random::Rng;
use crate::reproduce::rows::Measured;
use crate::reproduce::{ReproduceError, Taught};
use rayon::prelude::*;

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let model = subject.needed_model()?;
    let mut rows = vec![];
    for &size in &subject.experiment.sizes {
        let of_graph = |index| metrics_of(subject, &model, size, index);
        let by_graph: Vec<[Option<f64>; 4]> =
            (0..subject.experiment.graphs as u64).into_par_iter().map(of_graph).collect::<Result<_, _>>()?;
        for (place, metric) in METRICS.iter().enumerate() {
            let values: Vec<f64> = by_graph.iter().filter_map(|metrics| metrics[place]).collect();
            rows.extend(subject.mean_row(size, "predicted", "argmax", metric, &values));
        }
    }
    Ok(rows)
}

const METRICS: [&str; 4] = ["node-accuracy", "label-accuracy", "graph-accuracy", "weak-graph-accuracy"];

fn metrics_of(subject: &Subject, model: &Model, size: usize, index: u64) -> Result<[Option<f64>; 4], Intractable> {
    let (algorithm, graph) = (subject.algorithm, subject.graph(size));
    let instance = generate::instance(algorithm, &graph, subject.seed, index);
    let mut rng = generate::stream(algorithm, &graph, "pos", subject.seed, index);
    let view = view(subject.entry.model, size, graph.preset.weight_unit(), &mut rng);
    let priorities: Vec<f64> = view.pos.iter().map(|&pos| f64::from(pos)).collect();
    let prepared = generate::prepared(algorithm, &instance);
    let label = prepared.run(&mut OneOrder::from_priorities(&priorities));
    let predicted = Argmax.extract(&instance, &model.marginals_in(&*prepared, &view)?, &mut rng);
    let same = f64::from(predicted == label);
    let node = metrics::node_accuracy(&predicted, &label);
    let trial = trial(prepared.space(), predicted);
    Ok([Some(node), Some(same), Some(f64::from(trial.valid)), trial.weakly_valid.map(f64::from)])
}

/// Positions i/n, in random order for a network whose labels follow `pos`.
fn view(taught: Option<Taught>, n: usize, weight_unit: f64, rng: &mut Rng) -> View {
    let mut view = View::evenly_spaced(n, weight_unit);
    if taught == Some(Taught::Pos) {
        rng.shuffle(&mut view.pos);
    }
    view
}
