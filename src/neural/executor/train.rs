//! Training: recorded runs on small graphs, teacher forcing, Adam. Seconds on one core.
//!
//! First the linear map of the registers, by least squares; then everything else at once. In the course of training
//! selections become sharper and levels are drawn harder to whole numbers, so that rounding at the end changes nothing.
//! Everything random comes from streams keyed by the seed, so the result is the same on any number of threads.

use super::examples::{Examples, Group, Recorded, RegisterExample, record, register_examples};
use super::hints::Steps;
use super::loss::{self, Scale, SelectionGradient, Shares};
use super::network::{ExecutorNetwork, Selector};
use super::settings::ExecutorSettings;
use super::unsupervised;
use crate::cancel;
use crate::neural::nn::adam::{clip_scale, norm};
use crate::neural::nn::{Adam, Kernels, Params};
use crate::neural::runs::Logged;
use crate::random::Rng;
use serde::{Deserialize, Serialize};

/// One line of the log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExecutorLogLine {
    /// Steps done.
    pub step: u64,
    /// Cross-entropy of the selections in the batch.
    pub selection: f32,
    /// Cross-entropy of the next states.
    pub states: f32,
    /// Cross-entropy of the next pointer bits.
    pub pointers: f32,
    /// The penalty on levels that are not whole.
    pub penalty: f32,
    /// The penalty on high levels of what is never selected.
    pub disuse: f32,
    /// Entries of the learnt maps that a certificate would refuse now.
    pub refused: usize,
}

impl Logged for ExecutorLogLine {
    fn step(&self) -> u64 {
        self.step
    }
}

/// What the steps of a training have in common: the recorded runs and what is to be learnt from them.
pub(super) struct Training<'a> {
    steps: &'a dyn Steps,
    network: &'a ExecutorNetwork,
    settings: &'a ExecutorSettings,
    recorded: Vec<Recorded>,
    examples: Examples,
}

impl<'a> Training<'a> {
    /// Records the runs; also gives the parameters to start from, in which the map of the registers is learnt already.
    pub fn begin(
        steps: &'a dyn Steps,
        network: &'a ExecutorNetwork,
        settings: &'a ExecutorSettings,
    ) -> (Self, Params<f32>) {
        let mut params = network.initialise(&mut Rng::stream(settings.seed, "executor parameters", 0));
        let recorded = record(steps, settings);
        if network.frame.register {
            fit_register(network, &mut params, &register_examples(network.frame, &recorded));
        }
        let examples = Examples::new(&recorded, &network.tables(&params), !settings.show_priorities);
        (Training { steps, network, settings, recorded, examples }, params)
    }

    /// The gradient of a step, counted from zero, and the losses there. This is the long part of a step, which may be cancelled.
    pub fn gradient(&self, step: u64, params: &Params<f32>) -> (Params<f32>, ExecutorLogLine) {
        let Training { network, settings, recorded, examples, .. } = self;
        let mut line = ExecutorLogLine { step: step + 1, ..ExecutorLogLine::default() };
        let gradient = gradient(network, params, (recorded, examples), settings, self.progress(step), &mut line);
        (gradient, line)
    }

    fn progress(&self, step: u64) -> f64 {
        step as f64 / self.settings.steps as f64
    }

    /// Takes the step of that gradient; every so many steps there is a line for the log.
    pub fn take(
        &self,
        (mut gradient, mut line): (Params<f32>, ExecutorLogLine),
        params: &mut Params<f32>,
        adam: &mut Adam<f32>,
    ) -> Option<ExecutorLogLine> {
        let Training { steps, network, settings, .. } = self;
        let progress = self.progress(line.step - 1);
        adam.rate = settings.learning_rate * 0.5 * (1.0 + (std::f64::consts::PI * progress).cos());
        let scale = clip_scale(norm(Kernels::detect(), gradient.values()), 1.0);
        gradient.tensor_mut(network.register).fill(0.0);
        adam.step(Kernels::detect(), params.values_mut(), gradient.values(), scale);
        if !line.step.is_multiple_of(LOG_EVERY) && line.step != settings.steps {
            return None;
        }
        line.refused = steps.certify(&network.tables(params)).invalid.len();
        Some(line)
    }
}

/// Trains the parameters; `observe` sees a line of the log every so many steps.
pub(super) fn train(
    steps: &dyn Steps,
    network: &ExecutorNetwork,
    settings: &ExecutorSettings,
    observe: &mut dyn FnMut(&ExecutorLogLine),
) -> Params<f32> {
    let (training, mut params) = Training::begin(steps, network, settings);
    let mut adam = Adam::new(settings.learning_rate, params.values().len());
    for step in 0..settings.steps {
        let gradient = training.gradient(step, &params);
        training.take(gradient, &mut params, &mut adam).iter().for_each(&mut *observe);
    }
    params
}

/// How far levels are shifted at random in the first half of training.
const LEVEL_NOISE: f64 = 0.25;

/// Recorded steps in a batch where selections are not learnt from.
const STEPS_UNSUPERVISED: usize = 16;

/// Steps between two lines of the log.
const LOG_EVERY: u64 = 250;

/// Least squares by Adam: the factors of the sender's register, the weight and the receiver's own register.
fn fit_register(network: &ExecutorNetwork, params: &mut Params<f32>, examples: &[RegisterExample]) {
    const STEPS: u64 = 2_000;
    // Every so many-th example is enough for three numbers, and each kind of round is among them.
    let examples: Vec<&RegisterExample> = examples.iter().step_by(examples.len().div_ceil(2_000).max(1)).collect();
    let mut adam = Adam::new(0.05, 3);
    for step in 0..STEPS {
        cancel::point();
        let factors = params.tensor_mut(network.register);
        let mut gradient = [0.0; 3];
        for (inputs, expected) in &examples {
            let predicted: f32 = inputs.iter().zip(&*factors).map(|(x, factor)| x * factor).sum();
            let error = 2.0 * (predicted - expected) / examples.len() as f32;
            gradient.iter_mut().zip(inputs).for_each(|(sum, x)| *sum += error * x);
        }
        adam.rate = 0.05 * 0.5 * (1.0 + (std::f64::consts::PI * step as f64 / STEPS as f64).cos());
        adam.step(Kernels::detect(), factors, &gradient, 1.0);
    }
}

/// The gradient of all losses on the batch of a step.
fn gradient(
    network: &ExecutorNetwork,
    params: &Params<f32>,
    (recorded, examples): (&[Recorded], &Examples),
    settings: &ExecutorSettings,
    progress: f64,
    line: &mut ExecutorLogLine,
) -> Params<f32> {
    let mut gradient = Params::zeros(network.layout.clone());
    let (classes, states) = (network.frame.pair_classes(), network.frame.states.len());
    let select = Selector::new(network, network.select.evaluate(params));
    let scale = Scale::at(progress, network.frame.selection);
    let shares = Shares::new(&select, classes, scale);
    let mut d_select = SelectionGradient::new(classes, 2 * network.frame.scalars.len());
    let at_state = network.state.evaluate(params);
    let at_pointer = network.pointer.evaluate(params);
    let (mut d_state, mut d_pointer) = (vec![0.0; at_state.out.len()], vec![0.0; at_pointer.out.len()]);
    if settings.supervise_selection {
        if settings.quantise {
            line.disuse = d_select.add_disuse(&select, &examples.unused);
        }
        let mut rng = Rng::stream(settings.seed, "executor batch", line.step);
        let batch = batch(examples, settings, &mut rng);
        let factor = 1.0 / batch.len() as f32;
        let mut select = Selector::new(network, network.select.evaluate(params));
        if settings.quantise && progress < 0.5 {
            select.shift_levels(LEVEL_NOISE, &mut rng);
        }
        for group in batch {
            cancel::point();
            let logits = loss::logits(&select, &shares, group, scale);
            let (loss, d_logits) = loss::selection(logits, group.target, factor);
            line.selection += loss;
            d_select.add(group, &d_logits, scale);
        }
        (line.states, d_state) = loss::states(&at_state.out, examples, states);
        (line.pointers, d_pointer) = loss::pointers(&at_pointer.out, examples);
    } else {
        let tables = &network.tables(params);
        let (states, pointers) = (&at_state.out[..], &at_pointer.out[..]);
        let model = unsupervised::Outputs { tables, select: &select, shares: &shares, states, pointers, scale };
        let (states, pointers) = (&mut d_state[..], &mut d_pointer[..]);
        let mut d = unsupervised::Gradients { select: &mut d_select, states, pointers };
        let mut rng = Rng::stream(settings.seed, "executor batch", line.step);
        for _ in 0..STEPS_UNSUPERVISED {
            cancel::point();
            let run = &recorded[rng.below(recorded.len())];
            let step = rng.below(run.run.selected.len());
            line.states += unsupervised::step_loss(&model, run, step, 1.0 / STEPS_UNSUPERVISED as f32, &mut d);
        }
    }
    if settings.quantise {
        line.penalty = d_select.add_penalty(&select, &examples.seen, penalty(progress));
    }
    network.select.push_back(params, &select.at, &d_select.to_outputs(&shares), &mut gradient);
    network.state.push_back(params, &at_state, &d_state, &mut gradient);
    network.pointer.push_back(params, &at_pointer, &d_pointer, &mut gradient);
    gradient
}

/// Selections with so many pairs together, drawn at random: every second one after the class that was selected, so
/// that what is rarely selected is learnt, too.
fn batch<'a>(examples: &'a Examples, settings: &ExecutorSettings, rng: &mut Rng) -> Vec<&'a Group> {
    let (mut groups, mut pairs) = (vec![], 0);
    while pairs < settings.batch || groups.is_empty() {
        cancel::point();
        let index = match groups.len() % 2 {
            0 => rng.below(examples.groups.len()),
            _ => {
                let alike = &examples.by_target[rng.below(examples.by_target.len())];
                alike[rng.below(alike.len())]
            }
        };
        let group = &examples.groups[index];
        pairs += group.classes.len() + 1;
        groups.push(group);
    }
    groups
}

/// Levels are free at first and end at whole numbers.
fn penalty(progress: f64) -> f32 {
    (0.05 * (progress - 0.3).max(0.0)) as f32
}
