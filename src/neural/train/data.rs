//! From settings and an index to what the network reads and should answer.

use super::TrainError;
use super::settings::{Labels, Objective, TrainSettings};
use crate::instance::GraphSettings;
use crate::neural::model::{Features, Target};
use crate::neural::outputs;
use crate::pipeline::generate::{self, Recipe, Sample};
use crate::problems::ties::OneOrder;
use crate::problems::{Algorithm, Intractable, Prepared, View};
use crate::random::Rng;
use rayon::prelude::*;

/// Graphs with their right answers.
pub(super) struct Batch {
    pub features: Vec<Features>,
    /// For each graph, for each output.
    pub targets: Vec<Vec<Target>>,
}

/// Where the graphs of a run come from.
pub(super) struct Batches<'a> {
    algorithm: &'a dyn Algorithm,
    settings: &'a TrainSettings,
    /// The samples of a file, by size; none where graphs are fresh.
    samples: Vec<(usize, Vec<Sample>)>,
}

impl<'a> Batches<'a> {
    /// Reads the file of samples, if the settings name one.
    pub fn new(algorithm: &'a dyn Algorithm, settings: &'a TrainSettings) -> Result<Self, TrainError> {
        let mut samples: Vec<(usize, Vec<Sample>)> = vec![];
        if let Some(data) = &settings.data {
            let in_file = |reason: String| TrainError::Data { path: data.path.clone(), reason };
            let file = data.samples(algorithm.problem()).map_err(|error| in_file(error.to_string()))?;
            for (index, sample) in file.samples.into_iter().enumerate() {
                check(algorithm, &sample).map_err(|reason| in_file(format!("sample {index}: {reason}")))?;
                let n = sample.instance.n();
                match samples.iter_mut().find(|(size, _)| *size == n) {
                    Some((_, of_size)) => of_size.push(sample),
                    None => samples.push((n, vec![sample])),
                }
            }
            if samples.is_empty() {
                return Err(in_file("there is no sample in it".to_owned()));
            }
        }
        Ok(Batches { algorithm, settings, samples })
    }

    /// The batch of a step.
    pub fn training(&self, step: u64) -> Result<Batch, Intractable> {
        let settings = self.settings;
        if !self.samples.is_empty() {
            return self.next_samples(step);
        }
        let size = settings.sizes[(step % settings.sizes.len() as u64) as usize];
        let first = step * settings.batch as u64;
        let index = |place: u64| match settings.training_set as u64 {
            0 => first + place,
            // Each size has graphs of its own and comes round only every so many steps.
            set => (step / settings.sizes.len() as u64 * settings.batch as u64 + place) % set,
        };
        self.batch("train", size, (0..settings.batch as u64).map(index).collect())
    }

    /// The graphs on which parameters are compared: always fresh ones.
    pub fn validation(&self) -> Result<Batch, Intractable> {
        let indices = (0..self.settings.validation_graphs as u64).collect();
        self.batch("validation", self.settings.validation_size, indices)
    }

    fn batch(&self, purpose: &str, size: usize, indices: Vec<u64>) -> Result<Batch, Intractable> {
        let purpose = format!("{purpose} {} n={size}", self.algorithm.name());
        let example = |index: u64| {
            let mut rng = Rng::stream(self.settings.seed, &purpose, index);
            fresh_example(self.algorithm, self.settings, size, &mut rng)
        };
        let examples: Vec<(Features, Vec<Target>)> = indices.into_par_iter().map(example).collect::<Result<_, _>>()?;
        let (features, targets) = examples.into_iter().unzip();
        Ok(Batch { features, targets })
    }

    /// Sizes take turns, and each goes through its samples in order, again and again; positions are drawn afresh.
    fn next_samples(&self, step: u64) -> Result<Batch, Intractable> {
        let (turn, batch) = (self.samples.len() as u64, self.settings.batch as u64);
        let (size, samples) = &self.samples[(step % turn) as usize];
        let purpose = format!("train {} n={size}", self.algorithm.name());
        let example = |place: u64| {
            let sample = &samples[((step / turn * batch + place) % samples.len() as u64) as usize];
            let mut rng = Rng::stream(self.settings.seed, &purpose, step * batch + place);
            let pos = positions(self.settings, *size, &mut rng);
            let prepared = generate::prepared(self.algorithm, &sample.instance);
            let preset = sample.made.map_or(self.settings.preset, |made| made.preset);
            let view = View { pos, weight_unit: preset.weight_unit() };
            let features = prepared.features(&view);
            let targets = match self.settings.objective {
                Objective::Kl => outputs::targets(&sample.instance, features.nodes(), &sample.marginals),
                Objective::CrossEntropy => label(&*prepared, features.nodes(), &view.pos),
            };
            (features, targets)
        };
        let (features, targets) = (0..batch).into_par_iter().map(example).unzip();
        Ok(Batch { features, targets })
    }
}

/// Why a sample is nothing that the algorithm's network can learn.
fn check(algorithm: &dyn Algorithm, sample: &Sample) -> Result<(), String> {
    let (instance, form) = (&sample.instance, algorithm.problem().form);
    if instance.n() == 0 {
        return Err("it has no vertices".to_owned());
    }
    if sample.marginals.form() != form || sample.marginals.slots() != instance.slots(form) {
        return Err(format!("its distribution does not fit {}", algorithm.problem().name));
    }
    algorithm.prepare(instance).map(drop).map_err(|error| error.to_string())
}

/// The input `pos`: ascending, unless the labels follow it.
fn positions(settings: &TrainSettings, size: usize, rng: &mut Rng) -> Vec<f32> {
    let mut pos: Vec<f32> = (0..size).map(|_| rng.unit() as f32).collect();
    if !(settings.objective == Objective::CrossEntropy && settings.labels == Labels::Pos) {
        pos.sort_by(f32::total_cmp);
    }
    pos
}

fn fresh_example(
    algorithm: &dyn Algorithm,
    settings: &TrainSettings,
    size: usize,
    rng: &mut Rng,
) -> Result<(Features, Vec<Target>), Intractable> {
    let p = settings.p[rng.below(settings.p.len())];
    let graph = GraphSettings { n: size, p, preset: settings.preset };
    let instance = algorithm.instance(&graph, rng);
    let pos = positions(settings, size, rng);
    let prepared = generate::prepared(algorithm, &instance);
    let view = View { pos, weight_unit: settings.preset.weight_unit() };
    let features = prepared.features(&view);
    let targets = match settings.objective {
        Objective::Kl => {
            let recipe = Recipe { graph, source: settings.distribution, runs: settings.runs, ties: settings.ties };
            let marginals = generate::marginals(algorithm, &*prepared, &recipe, rng)?;
            outputs::targets(&instance, features.nodes(), &marginals)
        }
        Objective::CrossEntropy => label(&*prepared, features.nodes(), &view.pos),
    };
    Ok((features, targets))
}

/// The one solution whose ties follow the order of `pos`. In index order `pos` ascends with the index, so both kinds of label are this.
fn label(prepared: &dyn Prepared, nodes: usize, pos: &[f32]) -> Vec<Target> {
    let priorities: Vec<f64> = pos.iter().map(|&pos| f64::from(pos)).collect();
    outputs::labels(prepared.instance(), nodes, &prepared.run(&mut OneOrder::from_priorities(&priorities)))
}
