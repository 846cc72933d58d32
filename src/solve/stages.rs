//! Who draws candidates, one after the other: the model, the classical algorithm, uniform draws, enumeration.

use super::collect::{Collector, Judged};
use super::count::Sets;
use super::memory::gigabytes;
use super::{Request, SolveBy, executor_memory, executor_work};
use crate::answers::Candidate;
use crate::cancel;
use crate::instance::Instance;
use crate::neural::executor::{Executor, Priorities};
use crate::neural::predict::Model;
use crate::pipeline::draw::{Drawer, Execution, Extraction, MarginalsOf, Origin, Runs, UniformDraws};
use crate::problems::extract::{Argmax, Extractor, Random};
use crate::problems::ties::TiePolicy;
use crate::problems::{Algorithm, Allowed, Intractable, Possible, Prepared};
use crate::random::Rng;
use rayon::prelude::*;

/// What all stages look at.
pub(super) struct Stages<'a> {
    pub algorithm: &'a dyn Algorithm,
    pub prepared: &'a dyn Prepared,
    pub request: &'a Request<'a>,
    pub possible: Option<&'a Possible>,
    pub alternatives: &'a [Allowed],
}

/// Pairs and queue entries beyond which the executor is not used, even alone: a draw then takes ten seconds and more.
const MAX_EXECUTOR_WORK: u64 = 4_000_000;
/// Seconds that an execution takes for a pair or queue entry, measured on grids and sparse graphs of ten to a hundred thousand vertices.
const EXECUTOR_SECONDS: f64 = 2.5e-6;
/// Seconds for all draws beyond which the classical algorithm, which takes a tenth, answers instead.
const PATIENCE_SECONDS: f64 = 5.0;
/// Multiplications of a network's prediction beyond which it is not used: it would take minutes.
const MAX_NETWORK_WORK: u64 = 10_000_000_000_000;
/// Solutions that enumeration looks at, and the most vertices on which it is tried.
const MAX_ENUMERATED: usize = 1_000_000;
const MAX_ENUMERATED_SIZE: usize = 20_000;

/// Vertices and arcs up to which a run is over before another thread has begun.
const SMALL: usize = 10_000;

impl Stages<'_> {
    /// Fills the collector; returns what a person should know.
    pub fn run(&self, collector: &mut Collector, sets: Sets) -> Vec<String> {
        let mut notes = vec![];
        if self.request.exact {
            self.enumerate(collector, &mut notes);
            return notes;
        }
        match self.request.by {
            SolveBy::Executor => match Executor::built_in(self.algorithm) {
                Ok(executor) => self.executor(&executor, collector, &mut notes),
                Err(reason) => notes.push(format!("there is no executor of {}: {reason}", self.algorithm.name())),
            },
            SolveBy::TrainedExecutor(executor) => self.executor(executor, collector, &mut notes),
            SolveBy::Network(model) => self.network(model, collector, &mut notes),
            SolveBy::Classical => self.classical(collector, &mut notes),
        }
        if collector.is_full() || self.request.only_model {
            return notes;
        }
        if !matches!(self.request.by, SolveBy::Classical) {
            self.classical(collector, &mut notes);
        }
        let all_counted = sets.iter().all(Option::is_some);
        if !collector.is_full() {
            self.uniform_draws(sets, collector);
        }
        if !collector.is_full() && self.instance().n() <= MAX_ENUMERATED_SIZE && all_counted {
            self.enumerate(collector, &mut notes);
        }
        notes
    }

    fn instance(&self) -> &Instance {
        self.prepared.instance()
    }

    /// Draws in a row without anything new, after which a drawer is left: fewer where a draw takes longer.
    fn patience(&self) -> usize {
        let size = self.instance().n() + self.instance().graph.arc_count();
        (20_000_000 / size.max(1)).clamp(15, 300)
    }

    /// Offers what the drawers give, in turns, until there is enough, or nothing new for too long; the number of misses in a row at
    /// the end.
    fn draw(&self, purpose: &str, collector: &mut Collector, drawers: &mut [&mut dyn Drawer]) -> usize {
        let (mut misses, count) = (0, drawers.len());
        for index in 0.. {
            cancel::point();
            if collector.is_full() || misses >= self.patience() {
                break;
            }
            let mut rng = Rng::stream(self.request.seed, &format!("solve {purpose}"), index);
            let drawer = &mut drawers[index as usize % count];
            let Ok(candidate) = drawer.draw(&mut rng) else { break };
            misses = if collector.offer(drawer.origin(), candidate) { 0 } else { misses + 1 };
        }
        misses
    }

    fn note_misses(&self, purpose: &str, misses: usize, notes: &mut Vec<String>) {
        if misses >= self.patience() {
            notes.push(format!("{purpose}: nothing new in {misses} draws"));
        }
    }

    /// Priorities of a run that has allowed choices, if a way is known; `None` also where anything is allowed.
    fn steer(&self, rng: &mut Rng) -> Option<Priorities> {
        if self.request.demands.is_empty() {
            return None;
        }
        let allowed = &self.alternatives[rng.below(self.alternatives.len())];
        self.prepared.space().steer(self.possible?, allowed, rng)
    }

    /// A solution with allowed choices, if a way to it is known; `None` also where anything is allowed.
    fn find(&self, rng: &mut Rng) -> Option<Candidate> {
        if self.request.demands.is_empty() {
            return None;
        }
        // The stream moves on only where something is found: what else is drawn from it stays the same.
        let mut ahead = rng.clone();
        let allowed = &self.alternatives[ahead.below(self.alternatives.len())];
        let found = self.prepared.space().find(allowed, &mut ahead)?;
        *rng = ahead;
        Some(found)
    }

    fn executor(&self, executor: &Executor, collector: &mut Collector, notes: &mut Vec<String>) {
        let (pairs, entries) = executor_work(self.instance());
        if pairs.saturating_add(entries) > MAX_EXECUTOR_WORK {
            notes.push(format!(
                "the executor was not used: a draw may look at {pairs} pairs and {entries} queue entries, more than \
                 {MAX_EXECUTOR_WORK} together; the classical algorithm is faster there"
            ));
            return;
        }
        let seconds = pairs.saturating_add(entries) as f64 * EXECUTOR_SECONDS * collector.wanted() as f64;
        if seconds > PATIENCE_SECONDS && !self.request.only_model {
            notes.push(format!(
                "the executor was not used: {} draws on a graph of this size would take it about {seconds:.0} seconds; the \
                 classical algorithm is faster there",
                collector.wanted()
            ));
            return;
        }
        if let Err(reason) = executor.steps().accepts(self.instance()) {
            notes.push(format!("the executor was not used: {reason}"));
            return;
        }
        if !self.fits("the executor", executor_memory(self.instance()), notes) {
            return;
        }
        let mut drawer = Execution::new(executor, self.instance()).steered(Box::new(|rng| self.steer(rng)));
        let misses = self.draw("executor", collector, &mut [&mut drawer]);
        self.note_misses("executor", misses, notes);
    }

    fn network(&self, model: &Model, collector: &mut Collector, notes: &mut Vec<String>) {
        let n = self.instance().n();
        if n == 0 || !self.fits("the network", model.memory(n), notes) {
            return;
        }
        let work = model.work(self.prepared);
        if work > MAX_NETWORK_WORK {
            notes.push(format!(
                "the network was not used: messages between any two of {n} vertices take {:.1e} multiplications, more \
                 than {:.0e}",
                work as f64, MAX_NETWORK_WORK as f64
            ));
            return;
        }
        let marginals = match model.marginals(self.prepared, None) {
            Ok(marginals) => marginals,
            Err(reason) => return notes.push(format!("the network was not used: {reason}")),
        };
        let drawer_of = |extractor: &'static dyn Extractor| Extraction {
            instance: self.instance(),
            marginals: &marginals,
            from: MarginalsOf::Predicted,
            extractor,
        };
        let mut extractors: Vec<&'static dyn Extractor> = self.algorithm.problem().extractors.to_vec();
        extractors.retain(|extractor| extractor.name() != Random.name());
        // The likeliest choices are always the same: drawn once, first.
        if let Some(place) = extractors.iter().position(|extractor| extractor.name() == Argmax.name()) {
            let mut argmax = drawer_of(extractors.remove(place));
            if let Ok(candidate) = argmax.draw(&mut Rng::stream(self.request.seed, "solve argmax", 0)) {
                collector.offer(argmax.origin(), candidate);
            }
        }
        let mut drawers: Vec<Extraction> = extractors.into_iter().map(drawer_of).collect();
        let mut drawers: Vec<&mut dyn Drawer> = drawers.iter_mut().map(|one| one as &mut dyn Drawer).collect();
        if !drawers.is_empty() {
            let misses = self.draw("network", collector, &mut drawers);
            self.note_misses("network", misses, notes);
        }
    }

    fn classical(&self, collector: &mut Collector, notes: &mut Vec<String>) {
        let misses = self.runs(collector);
        self.note_misses("classical", misses, notes);
    }

    /// As [`Stages::draw`] for runs, each of which has its own stream of random numbers: on a large graph there are several at once.
    fn runs(&self, collector: &mut Collector) -> usize {
        let is_large = self.instance().n() + self.instance().graph.arc_count() > SMALL;
        let at_once = if is_large { rayon::current_num_threads() } else { 1 };
        let (mut misses, mut index) = (0, 0);
        while !collector.is_full() && misses < self.patience() {
            cancel::point();
            let next = index + collector.missing().min(at_once) as u64;
            let run = |index| {
                let mut rng = Rng::stream(self.request.seed, "solve classical", index);
                SteeredRuns { stages: self }.draw(&mut rng).map(|candidate| collector.judge(candidate))
            };
            let judged: Vec<Result<Judged, Intractable>> = match next - index {
                1 => vec![run(index)],
                _ => (index..next).into_par_iter().map(run).collect(),
            };
            index = next;
            for judged in judged {
                let Ok(judged) = judged else { return misses };
                if !collector.is_full() && misses < self.patience() {
                    misses = if collector.keep(Origin::Run, judged) { 0 } else { misses + 1 };
                }
            }
        }
        misses
    }

    /// Draws from the counted solutions, which finds some where demands leave few.
    fn uniform_draws(&self, sets: Sets, collector: &mut Collector) {
        for (place, set) in sets.into_iter().enumerate() {
            let Some(set) = set else { continue };
            let mut drawer = UniformDraws(set);
            self.draw(&format!("exact {place}"), collector, &mut [&mut drawer]);
        }
    }

    fn enumerate(&self, collector: &mut Collector, notes: &mut Vec<String>) {
        let n = self.instance().n();
        if n > MAX_ENUMERATED_SIZE {
            notes.push(format!("not enumerated: {n} vertices are more than {MAX_ENUMERATED_SIZE}"));
            return;
        }
        let solutions = match self.prepared.space().solutions() {
            Ok(solutions) => solutions,
            Err(reason) => return notes.push(format!("not enumerated: {reason}")),
        };
        for (place, solution) in solutions.enumerate() {
            cancel::point();
            if collector.is_full() {
                return;
            }
            if place >= MAX_ENUMERATED {
                notes.push(format!("enumeration stopped after {MAX_ENUMERATED} solutions"));
                return;
            }
            collector.offer(Origin::Enumeration, solution);
        }
    }

    /// Whether a model's needs fit; says so if not.
    fn fits(&self, what: &str, needs: u64, notes: &mut Vec<String>) -> bool {
        if needs <= self.request.memory {
            return true;
        }
        notes.push(format!(
            "{what} was not used: it would take about {:.1} GB, and the request allows {:.1} GB",
            gigabytes(needs),
            gigabytes(self.request.memory)
        ));
        false
    }
}

/// Runs of the classical algorithm, steered towards demands where that is possible.
struct SteeredRuns<'a> {
    stages: &'a Stages<'a>,
}

impl Drawer for SteeredRuns<'_> {
    fn origin(&self) -> Origin {
        Origin::Run
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Candidate, Intractable> {
        let stages = self.stages;
        if let Some(found) = stages.find(rng) {
            return Ok(found);
        }
        match (stages.algorithm.steps(), stages.steer(rng)) {
            (Ok(steps), Some(priorities)) => Ok(steps.solve_by(stages.instance(), &priorities)),
            _ => Runs { prepared: stages.prepared, policy: TiePolicy::Free, first: None }.draw(rng),
        }
    }
}
