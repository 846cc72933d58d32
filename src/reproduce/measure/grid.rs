//! The test grid of others: graphs and vertices answered rightly, distinct answers and time, for the executor and for the algorithm's own runs.
//!
//! Graphs come one after another, so that a draw has one thread for itself and its time means something. It is the only metric here that
//! depends on the machine.

use super::Subject;
use crate::pipeline::draw::Drawer;
use crate::pipeline::evaluate::{CandidateSource, trial};
use crate::pipeline::metrics::{self, Trial};
use crate::pipeline::{draw::Origin, generate};
use crate::problems::{Allowed, Intractable, Possible, Space};
use crate::random::Rng;
use crate::reproduce::ReproduceError;
use crate::reproduce::rows::Measured;
use std::time::{Duration, Instant};

/// The draws of one origin on one graph.
struct Drawn {
    origin: Origin,
    trials: Vec<Trial>,
    right_choices: Option<f64>,
    time: Duration,
}

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let executor = subject.executor();
    let runs = CandidateSource::Runs(subject.experiment.ties);
    let sources: Vec<CandidateSource> = executor.iter().map(CandidateSource::Executor).chain([runs]).collect();
    let mut rows = vec![];
    for &size in &subject.experiment.sizes {
        for source in &sources {
            let graphs = 0..subject.experiment.graphs as u64;
            let drawn: Vec<Drawn> =
                graphs.map(|index| of_graph(subject, size, source, index)).collect::<Result<_, _>>()?;
            rows.extend(means(subject, size, &drawn));
        }
    }
    Ok(rows)
}

fn of_graph(subject: &Subject, size: usize, source: &CandidateSource, index: u64) -> Result<Drawn, ReproduceError> {
    let (algorithm, graph, draws) = (subject.algorithm, subject.graph(size), subject.experiment.draws);
    let stream = |purpose: &str| generate::stream(algorithm, &graph, purpose, subject.seed, index);
    let instance = generate::instance(algorithm, &graph, subject.seed, index);
    let prepared = generate::prepared(algorithm, &instance);
    let mut drawn = None;
    source.with_drawers(algorithm, &*prepared, &graph, &mut stream("runs"), &mut |drawer| {
        let mut rng = stream(&drawer.origin().stream());
        drawn = Some(draw(prepared.space(), drawer, draws, &mut rng)?);
        Ok(())
    })?;
    Ok(drawn.expect("an executor, and runs, are one drawer"))
}

fn draw(space: &dyn Space, drawer: &mut dyn Drawer, draws: usize, rng: &mut Rng) -> Result<Drawn, Intractable> {
    let begun = Instant::now();
    let candidates = (0..draws).map(|_| drawer.draw(rng)).collect::<Result<Vec<_>, _>>()?;
    let time = begun.elapsed();
    let trials: Vec<Trial> = candidates.into_iter().map(|candidate| trial(space, candidate)).collect();
    let possible = space.possible(&Allowed::default()).ok();
    let right_choices = possible.and_then(|possible| right_choices(&possible, &trials));
    Ok(Drawn { origin: drawer.origin(), trials, right_choices, time })
}

/// The share of all choices that occur in some solution.
fn right_choices(possible: &Possible, trials: &[Trial]) -> Option<f64> {
    let all = trials.iter().flat_map(|trial| trial.candidate.choices().iter().enumerate());
    let is_right = |(slot, &option): (usize, &u32)| f64::from(possible.of(slot).contains(&(option as usize)));
    metrics::mean(all.map(is_right))
}

fn means(subject: &Subject, size: usize, drawn: &[Drawn]) -> Vec<Measured> {
    let Some(first) = drawn.first() else { return vec![] };
    let (source, method) = first.origin.columns();
    let row = |metric: &str, value: &dyn Fn(&Drawn) -> Option<f64>| {
        let values: Vec<f64> = drawn.iter().filter_map(value).collect();
        subject.mean_row(size, source, method, metric, &values)
    };
    let milliseconds = |drawn: &Drawn| 1e3 * drawn.time.as_secs_f64() / drawn.trials.len().max(1) as f64;
    let rows = [
        row("accuracy", &|drawn| Some(metrics::accuracy(&drawn.trials))),
        row("valid", &|drawn| Some(metrics::valid(&drawn.trials))),
        row("right-choices", &|drawn| drawn.right_choices),
        row("unique", &|drawn| Some(metrics::unique(&drawn.trials))),
        row("milliseconds", &|drawn| Some(milliseconds(drawn))),
    ];
    rows.into_iter().flatten().collect()
}
