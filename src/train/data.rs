//! From settings and an index to what the network reads and should answer.

use super::settings::{Labels, Objective, Settings};
use crate::algorithms::{Algorithm, Intractable, View};
use crate::generate::{self, Recipe};
use crate::graph::{GraphSettings, Instance};
use crate::model::{Features, Target};
use crate::random::Rng;
use crate::ties::OneOrder;
use rayon::prelude::*;

/// Graphs with their right answers.
pub(super) struct Batch {
    pub features: Vec<Features>,
    pub targets: Vec<Target>,
}

/// The batch of a step.
pub(super) fn training_batch(algorithm: &dyn Algorithm, settings: &Settings, step: u64) -> Result<Batch, Intractable> {
    let size = settings.sizes[(step % settings.sizes.len() as u64) as usize];
    let first = step * settings.batch as u64;
    let index = |place: u64| match settings.training_set as u64 {
        0 => first + place,
        // Each size has graphs of its own and comes round only every so many steps.
        set => (step / settings.sizes.len() as u64 * settings.batch as u64 + place) % set,
    };
    batch(algorithm, settings, "train", size, (0..settings.batch as u64).map(index).collect())
}

/// The graphs on which parameters are compared.
pub(super) fn validation_batch(algorithm: &dyn Algorithm, settings: &Settings) -> Result<Batch, Intractable> {
    let indices = (0..settings.validation_graphs as u64).collect();
    batch(algorithm, settings, "validation", settings.validation_size, indices)
}

fn batch(
    algorithm: &dyn Algorithm,
    settings: &Settings,
    purpose: &str,
    size: usize,
    indices: Vec<u64>,
) -> Result<Batch, Intractable> {
    let purpose = format!("{purpose} {} n={size}", algorithm.name());
    let example = |index: u64| {
        let mut rng = Rng::stream(settings.seed, &purpose, index);
        example(algorithm, settings, size, &mut rng)
    };
    let examples: Vec<(Features, Target)> = indices.into_par_iter().map(example).collect::<Result<_, _>>()?;
    let (features, targets) = examples.into_iter().unzip();
    Ok(Batch { features, targets })
}

fn example(
    algorithm: &dyn Algorithm,
    settings: &Settings,
    size: usize,
    rng: &mut Rng,
) -> Result<(Features, Target), Intractable> {
    let p = settings.p[rng.below(settings.p.len())];
    let graph = GraphSettings { n: size, p, preset: settings.preset };
    let instance = algorithm.instance(&graph, rng);
    let mut pos: Vec<f32> = (0..size).map(|_| rng.unit() as f32).collect();
    if !(settings.objective == Objective::CrossEntropy && settings.labels == Labels::Pos) {
        pos.sort_by(f32::total_cmp);
    }
    let target = target(algorithm, settings, graph, &instance, &pos, rng)?;
    let view = View { pos, weight_unit: settings.preset.weight_unit() };
    Ok((algorithm.features(&instance, &view), target))
}

fn target(
    algorithm: &dyn Algorithm,
    settings: &Settings,
    graph: GraphSettings,
    instance: &Instance,
    pos: &[f32],
    rng: &mut Rng,
) -> Result<Target, Intractable> {
    if settings.objective == Objective::Kl {
        let recipe = Recipe { graph, source: settings.distribution, runs: settings.runs, ties: settings.ties };
        let distribution = generate::distribution(algorithm, instance, &recipe, rng)?;
        return Ok(Target::Distribution(distribution.as_slice().iter().map(|&share| share as f32).collect()));
    }
    // In index order `pos` ascends with the index, so both kinds of label are the order of `pos`.
    let priorities: Vec<f64> = pos.iter().map(|&pos| f64::from(pos)).collect();
    let solution = algorithm.solve(instance, &mut OneOrder::from_priorities(&priorities));
    Ok(Target::Parents(solution.as_slice().iter().map(|&parent| parent as u32).collect()))
}
