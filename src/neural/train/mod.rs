//! Stage 2: the network learns parent distributions. The loop is a loop.
//!
//! A step draws a batch of graphs of one size, computes loss and gradient, clips, and takes a step of Adam. Every so
//! many steps the parameters are compared on fixed validation graphs, and a checkpoint is written. Everything random in
//! a step comes from streams keyed by the seed and the step, so a run that was killed and resumed ends, to the bit,
//! where the uninterrupted one ends, on any number of threads.

mod checkpoint;
mod data;
mod memory;
mod settings;

pub use crate::neural::settings::SettingsError;
pub use checkpoint::{LogLine, ModelCard, RunDirectory};
pub use settings::{DataFile, Labels, Objective, TrainSettings, ValidationScore};

use crate::cancel;
use crate::neural::model::Network;
use crate::neural::nn::{Adam, Params, adam};
use crate::neural::runs::RunError;
use crate::problems::{Algorithm, Intractable, by_name};
use crate::random::Rng;
use checkpoint::{Progress, State};
use data::{Batch, Batches};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use thiserror::Error;

/// Why a run stopped before its end.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The run's directory cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The loss is infinite or not a number.
    #[error(
        "the loss at step {step} is {loss} (the batch is that of seed {seed}, step {step}); the last good checkpoint \
         is that of step {good} in {}", checkpoint.display()
    )]
    NotFinite {
        /// The step.
        step: u64,
        /// Its loss.
        loss: f64,
        /// The run's seed, which with the step gives the batch.
        seed: u64,
        /// The step of the last checkpoint.
        good: u64,
        /// Where that checkpoint is.
        checkpoint: PathBuf,
    },
    /// The file of samples cannot be learnt from.
    #[error("{}: {reason}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The exact distribution of a training graph cannot be had.
    #[error(transparent)]
    Intractable(#[from] Intractable),
}

/// What an observer is told after each step.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// StepCount done, of all steps.
    pub step: u64,
    /// The loss of this step.
    pub loss: f64,
    /// The line just written to the log, after a validation.
    pub logged: Option<&'a LogLine>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    /// StepCount done.
    pub step: u64,
    /// The best validation score and its step.
    pub best: Option<(f64, u64)>,
    /// False when it was asked to stop before the end.
    pub complete: bool,
}

/// Trains until the last step, or until `stop` is set; goes on from the directory's latest checkpoint if it has one.
pub fn train(
    run: &RunDirectory,
    settings: &TrainSettings,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(Report),
) -> Result<Ended, TrainError> {
    train_on(by_name(&settings.algorithm).expect("settings are checked"), run, settings, stop, observe)
}

/// As [`train`], for an algorithm that need not be in the slice.
///
/// # Panics
/// If the algorithm has no network.
pub fn train_on(
    algorithm: &dyn Algorithm,
    run: &RunDirectory,
    settings: &TrainSettings,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(Report),
) -> Result<Ended, TrainError> {
    let spec = algorithm.network().expect("an algorithm with a network").spec;
    let network = Network::new(settings.model.clone(), spec);
    let batches = Batches::new(algorithm, settings)?;
    let _lock = run.0.lock()?;
    let mut state = match run.0.load_last(network.layout(), settings.learning_rate)? {
        Some(state) => state,
        None => {
            let state = fresh(&network, settings);
            run.0.save_last(&state)?;
            state
        }
    };
    run.0.cut_log::<LogLine>(state.progress.step)?;
    let Ok(validation) = cancel::catch(|| batches.validation()) else { return stopped(run, &state) };
    let validation = validation?;
    let mut clock = (Instant::now(), state.progress.step);
    let mut saved = state.progress.step;
    let mut loss = state.progress.losses.0 / state.progress.losses.1.max(1) as f64;
    while state.progress.step < settings.steps || is_validation_due(&state, settings) {
        if stop.load(Ordering::Relaxed) {
            return stopped(run, &state);
        }
        // Both leave the state as it was when they are cancelled, so that it can be saved and gone on from.
        if !is_validation_due(&state, settings) {
            let Ok(done) = cancel::catch(|| step(&batches, &network, settings, &mut state)) else {
                return stopped(run, &state);
            };
            loss = done?;
        }
        let done = state.progress.step;
        if !loss.is_finite() {
            let (seed, checkpoint) = (settings.seed, run.last_path());
            return Err(TrainError::NotFinite { step: done, loss, seed, good: saved, checkpoint });
        }
        let mut logged = None;
        if is_validation_due(&state, settings) {
            let graphs = (done - clock.1) as f64 * settings.batch as f64;
            let graphs_per_second = graphs / clock.0.elapsed().as_secs_f64();
            let validated =
                cancel::catch(|| validate(run, &network, settings, &validation, &mut state, graphs_per_second));
            let Ok(line) = validated else { return stopped(run, &state) };
            logged = Some(line?);
            run.0.save_last(&state)?;
            saved = done;
            clock = (Instant::now(), done);
        }
        observe(Report { step: done, loss, logged: logged.as_ref() });
    }
    Ok(Ended { step: state.progress.step, best: state.progress.best, complete: true })
}

/// Whether the step just done is one after which parameters are compared, and they were not yet: then there are losses since the last line.
fn is_validation_due(state: &State, settings: &TrainSettings) -> bool {
    let Progress { step, losses, .. } = &state.progress;
    losses.1 > 0 && (step % settings.validate_every == 0 || *step == settings.steps)
}

/// Saves what a resumed run goes on from.
fn stopped(run: &RunDirectory, state: &State) -> Result<Ended, TrainError> {
    run.0.save_last(state)?;
    Ok(Ended { step: state.progress.step, best: state.progress.best, complete: false })
}

/// Reads the file of samples that the settings name, if any, and refuses one that cannot be learnt from.
pub fn check_data(settings: &TrainSettings) -> Result<(), TrainError> {
    let algorithm = by_name(&settings.algorithm).expect("settings are checked");
    Batches::new(algorithm, settings).map(drop)
}

fn fresh(network: &Network, settings: &TrainSettings) -> State {
    let mut rng = Rng::stream(settings.seed, "parameters", 0);
    let params = network.initialise(&mut || rng.next_u64());
    let adam = Adam::new(settings.learning_rate, params.values().len());
    State { params, adam, progress: Progress::default() }
}

/// One step; its loss. Leaves the parameters alone when the loss or the gradient is not finite.
fn step(batches: &Batches, network: &Network, settings: &TrainSettings, state: &mut State) -> Result<f64, TrainError> {
    let batch = batches.training(state.progress.step)?;
    let (loss, gradient) = network.loss_and_gradient(&state.params, &batch.features, &batch.targets);
    state.progress.step += 1;
    state.progress.losses.0 += loss;
    state.progress.losses.1 += 1;
    let norm = adam::norm(network.kernels(), gradient.values());
    if !(loss + norm).is_finite() {
        return Ok(loss + norm);
    }
    let scale = adam::clip_scale(norm, settings.clip);
    state.adam.step(network.kernels(), state.params.values_mut(), gradient.values(), scale);
    network.reuse(gradient);
    Ok(loss)
}

/// Scores the parameters, keeps them if they are the best so far, and writes a line to the log.
fn validate(
    run: &RunDirectory,
    network: &Network,
    settings: &TrainSettings,
    validation: &Batch,
    state: &mut State,
    graphs_per_second: f64,
) -> Result<LogLine, TrainError> {
    let (loss, difference) = scores(network, &state.params, validation);
    let score = match settings.keep_best_by {
        ValidationScore::Loss => loss,
        ValidationScore::Difference => difference,
    };
    let step = state.progress.step;
    let best = state.progress.best.is_none_or(|(least, _)| score < least);
    if best {
        state.progress.best = Some((score, step));
        run.0.save_best(&state.params, &ModelCard { settings: settings.clone(), step, score })?;
    }
    let (sum, count) = std::mem::take(&mut state.progress.losses);
    let mean = sum / count.max(1) as f64;
    let line = LogLine { step, loss: mean, validation: loss, difference, best, graphs_per_second };
    run.0.append(&line)?;
    Ok(line)
}

/// The loss on the validation graphs, and the mean absolute difference of probabilities.
fn scores(network: &Network, params: &Params<f32>, validation: &Batch) -> (f64, f64) {
    let predictions = network.predict_all(params, &validation.features);
    let (mut loss, mut difference) = (0.0, 0.0);
    for ((predicted, targets), graph) in predictions.iter().zip(&validation.targets).zip(&validation.features) {
        let (mut differences, mut entries) = (0.0, 0);
        for ((predicted, target), output) in predicted.iter().zip(targets).zip(&network.spec().outputs) {
            let wanted = target.probabilities(output.kind, graph.nodes());
            let mut divergence = 0.0;
            for (&q, &p) in predicted.iter().zip(&wanted) {
                let (p, q) = (f64::from(p), f64::from(q));
                divergence += kl_term(p, q);
                if output.kind.is_flag() {
                    divergence += kl_term(1.0 - p, 1.0 - q);
                }
                differences += (p - q).abs();
            }
            loss += divergence / wanted.len() as f64;
            entries += wanted.len();
        }
        difference += differences / entries as f64;
    }
    let graphs = predictions.len() as f64;
    (loss / graphs, difference / graphs)
}

/// One outcome's part of a divergence, as in the loss.
fn kl_term(p: f64, q: f64) -> f64 {
    let smoothed = q + 1e-8;
    (if p > 0.0 { p * (p / smoothed).ln() } else { 0.0 }) - p + smoothed
}
