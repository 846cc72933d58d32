//! Runs pieces, several at a time; skips what is complete, goes on where something was cut off.

use super::plan::{Piece, Plan, Training, training_cost};
use super::{ReproduceError, measure};
use crate::cancel;
use crate::files::{Lock, make_directory};
use crate::neural::train::{RunDirectory, TrainSettings, train};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What an observer is told.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A piece begins.
    Began(&'a Piece),
    /// A step of its training was done.
    Step(&'a Piece, u64, u64),
    /// A measurement of that name begins.
    Measuring(&'a Piece, &'a str),
    /// So much of the work is done, in the units of [`Plan::cost`].
    Done(f64),
    /// A piece is complete.
    Ended(&'a Piece),
}

/// Runs one piece on the current threads; false when it was asked to stop before the end, or to train nothing. Threads that watch the flag
/// ([`cancel::pool`]) stop in the middle of a step or a measurement.
pub fn run(
    plan: &Plan,
    piece: &Piece,
    stop: &AtomicBool,
    observe: &(dyn Fn(Event) + Sync),
) -> Result<bool, ReproduceError> {
    let _lock = plan.lock(piece)?;
    observe(Event::Began(piece));
    let needs_model = !plan.is_complete(piece);
    if let Some(training) = &piece.training {
        let cost = training_cost(&training.settings);
        if needs_model && !run_training(plan, piece, training, stop, observe)? {
            return Ok(false);
        }
        if !needs_model {
            observe(Event::Done(cost));
        }
    }
    for measurement in &piece.measurements {
        if !plan.is_measured(measurement) {
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            observe(Event::Measuring(piece, &plan.name_of(measurement)));
            let Ok(measured) = cancel::catch(|| measure::measure(plan, measurement)) else { return Ok(false) };
            let (rows, exhibits) = measured?;
            plan.store(measurement, rows, exhibits)?;
        }
        observe(Event::Done(plan.measurement_cost(measurement)));
    }
    observe(Event::Ended(piece));
    Ok(true)
}

/// Trains a model, or goes on with its training; false when it was asked to stop before the end.
fn run_training(
    plan: &Plan,
    piece: &Piece,
    training: &Training,
    stop: &AtomicBool,
    observe: &(dyn Fn(Event) + Sync),
) -> Result<bool, ReproduceError> {
    let path = plan.run_path(&training.name);
    let steps = training.settings.steps;
    let cost_of_step = training_cost(&training.settings) / steps as f64;
    let exists = path.join("settings.toml").exists();
    if !exists && !plan.request.train {
        return Ok(false);
    }
    let run = if exists {
        let (run, settings) = RunDirectory::open(&path)?;
        if settings != training.settings {
            let difference = difference(&settings, &training.settings);
            return Err(ReproduceError::OtherTraining { path, difference });
        }
        run
    } else {
        make_directory(&plan.request.out.join("runs"))?;
        RunDirectory::create(&path, &training.settings)?
    };
    if run.is_complete(&training.settings)? {
        // A kill while the last checkpoint was being written left half of it.
        Lock::directory(&path)?;
        observe(Event::Done(cost_of_step * steps as f64));
        return Ok(true);
    }
    if !plan.request.train {
        return Ok(false);
    }
    let mut before = 0;
    let ended = train(&run, &training.settings, stop, &mut |report| {
        observe(Event::Done(cost_of_step * (report.step - before) as f64));
        before = report.step;
        observe(Event::Step(piece, report.step, steps));
    })?;
    Ok(ended.complete)
}

/// The first setting that differs.
fn difference(found: &TrainSettings, wanted: &TrainSettings) -> String {
    let (found, wanted) = (found.to_toml(), wanted.to_toml());
    let mut lines = found.lines().zip(wanted.lines());
    let differing = lines.find(|(found, wanted)| found != wanted);
    differing.map_or("unknown".to_owned(), |(found, wanted)| format!("{found}, wanted {wanted}"))
}

/// Runs all pieces that are not complete, as many at a time as there are threads, the longest first. False when it was
/// asked to stop before the end.
///
/// A piece has its share of the threads for itself: several trainings side by side are faster than one on all cores, and
/// their results do not depend on it.
pub fn run_all(
    plan: &Plan,
    threads: usize,
    stop: &Arc<AtomicBool>,
    observe: &(dyn Fn(Event) + Sync),
) -> Result<bool, ReproduceError> {
    let mut open: Vec<(&Piece, f64)> = vec![];
    for piece in &plan.pieces {
        match plan.is_complete(piece) {
            true => observe(Event::Done(plan.cost(piece))),
            false => open.push((piece, plan.cost(piece))),
        }
    }
    open.sort_by(|one, other| other.1.total_cmp(&one.1));
    let jobs = threads.clamp(1, open.len().max(1));
    let (next, complete, failed) = (AtomicUsize::new(0), AtomicBool::new(true), Mutex::new(None));
    let worker = |job: usize| {
        let own = threads / jobs + usize::from(job < threads % jobs);
        let pool = cancel::pool(own.max(1), stop).expect("a few threads can always be started");
        while let Some((piece, _)) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            match cancel::catch(|| pool.install(|| run(plan, piece, stop, observe))).unwrap_or(Ok(false)) {
                Ok(true) => {}
                Ok(false) => complete.store(false, Ordering::Relaxed),
                Err(error) => {
                    failed.lock().expect("nobody panics with the lock").get_or_insert(error);
                    stop.store(true, Ordering::Relaxed);
                }
            }
            if stop.load(Ordering::Relaxed) {
                complete.store(false, Ordering::Relaxed);
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for job in 0..jobs {
            let worker = &worker;
            scope.spawn(move || worker(job));
        }
    });
    match failed.into_inner().expect("nobody panics with the lock") {
        Some(error) => Err(error),
        None => Ok(complete.into_inner()),
    }
}
