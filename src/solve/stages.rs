//! Where candidates come from: the model, the classical algorithm, exact draws, enumeration.

use super::collect::Collector;
use super::count::Sets;
use super::{Request, Way, executor_memory, executor_work, network_memory};
use crate::algorithms::Algorithm;
use crate::allowed::{Allowed, PossibleParents};
use crate::executor::{Executor, Pairs, Priorities};
use crate::extract::{Argmax, Extractor, Random};
use crate::graph::Instance;
use crate::parents::ParentArray;
use crate::predict::Model;
use crate::random::Rng;
use crate::ties::Free;

/// What all stages look at.
pub(super) struct Stages<'a> {
    pub algorithm: &'a dyn Algorithm,
    pub instance: &'a Instance,
    pub request: &'a Request<'a>,
    pub possible: &'a PossibleParents,
    pub alternatives: &'a [Allowed],
}

/// Pairs and queue entries beyond which the executor is not used: a draw then takes more than a second or two, where a
/// randomised run takes a tenth of that.
const MAX_EXECUTOR_WORK: u64 = 4_000_000;
/// Multiplications of a network's prediction beyond which it is not used: it would take minutes.
const MAX_NETWORK_WORK: u64 = 10_000_000_000_000;
/// Solutions that enumeration looks at, and the most vertices on which it is tried.
const MAX_ENUMERATED: usize = 1_000_000;
const MAX_ENUMERATED_SIZE: usize = 20_000;

impl Stages<'_> {
    /// Fills the collector; returns what a person should know.
    pub fn run(&self, collector: &mut Collector, sets: &mut Sets) -> Vec<String> {
        let mut notes = vec![];
        if self.request.exact {
            self.enumerate(collector, &mut notes);
            return notes;
        }
        match self.request.way {
            Way::Executor => match self.algorithm.steps().and_then(Executor::built_in) {
                Some(executor) => self.executor(&executor, collector, &mut notes),
                None => notes.push(format!("there is no executor of {}", self.algorithm.name())),
            },
            Way::TrainedExecutor(executor) => self.executor(executor, collector, &mut notes),
            Way::Network(model) => self.network(model, collector, &mut notes),
            Way::Classical => self.classical(collector, &mut notes),
        }
        if collector.is_full() || self.request.only_model {
            return notes;
        }
        if !matches!(self.request.way, Way::Classical) {
            self.classical(collector, &mut notes);
        }
        if !collector.is_full() {
            self.exact_draws(sets, collector);
        }
        if !collector.is_full() && self.is_small_enough_to_enumerate() && sets.iter().all(Option::is_some) {
            self.enumerate(collector, &mut notes);
        }
        notes
    }

    /// Draws in a row without anything new, after which a source is left: fewer where a draw takes longer.
    fn patience(&self) -> usize {
        let size = self.instance.n() + self.instance.graph.edge_count();
        (20_000_000 / size.max(1)).clamp(15, 300)
    }

    /// Offers what `draw` gives until there is enough, or nothing new for too long.
    fn draw(
        &self,
        purpose: &str,
        collector: &mut Collector,
        notes: &mut Vec<String>,
        mut draw: impl FnMut(u64, &mut Rng) -> (String, ParentArray),
    ) {
        let mut in_vain = 0;
        for index in 0.. {
            if collector.is_full() {
                return;
            }
            if in_vain >= self.patience() {
                notes.push(format!("{purpose}: nothing new in {in_vain} draws"));
                return;
            }
            let mut rng = Rng::stream(self.request.seed, &format!("solve {purpose}"), index);
            let (source, candidate) = draw(index, &mut rng);
            in_vain = if collector.offer(&source, candidate) { 0 } else { in_vain + 1 };
        }
    }

    /// Priorities of a run that has allowed parents, if a way is known; `None` also where anything is allowed.
    fn steer(&self, rng: &mut Rng) -> Option<Priorities> {
        if self.request.demands.is_empty() {
            return None;
        }
        let allowed = &self.alternatives[rng.below(self.alternatives.len())];
        self.algorithm.steer(self.instance, self.possible, allowed, rng)
    }

    fn executor(&self, executor: &Executor, collector: &mut Collector, notes: &mut Vec<String>) {
        let (pairs, entries) = executor_work(self.instance);
        if pairs.saturating_add(entries) > MAX_EXECUTOR_WORK {
            notes.push(format!(
                "the executor was not used: a draw may look at {pairs} pairs and {entries} queue entries, more than \
                 {MAX_EXECUTOR_WORK} together; the classical algorithm is faster there"
            ));
            return;
        }
        if !self.fits("the executor", executor_memory(self.instance), notes) {
            return;
        }
        let pairs = Pairs::new(self.instance);
        self.draw("executor", collector, notes, |_, rng| {
            let execution = match self.steer(rng) {
                Some(priorities) => executor.execute(self.instance, &pairs, &priorities, rng.next_u64()),
                None => executor.draw_on(self.instance, &pairs, rng),
            };
            ("executor".to_owned(), execution.parents)
        });
    }

    fn network(&self, model: &Model, collector: &mut Collector, notes: &mut Vec<String>) {
        let n = self.instance.n();
        if n == 0 || !self.fits("the network", network_memory(n, model.hidden()), notes) {
            return;
        }
        let work = model.work(self.instance);
        if work > MAX_NETWORK_WORK {
            notes.push(format!(
                "the network was not used: messages between any two of {n} vertices take {:.1e} multiplications, more \
                 than {:.0e}",
                work as f64, MAX_NETWORK_WORK as f64
            ));
            return;
        }
        let distribution = model.distribution(self.instance);
        let is_random = |extractor: &&&dyn Extractor| extractor.name() == Random.name();
        let mut extractors: Vec<&dyn Extractor> =
            self.algorithm.extractors().iter().filter(|extractor| !is_random(extractor)).copied().collect();
        // The likeliest parents are always the same: drawn once, first.
        if let Some(place) = extractors.iter().position(|extractor| extractor.name() == Argmax.name()) {
            let argmax = extractors.remove(place);
            let mut rng = Rng::stream(self.request.seed, "solve argmax", 0);
            collector.offer(&source_of(argmax), argmax.extract(self.instance, &distribution, &mut rng));
        }
        if extractors.is_empty() {
            return;
        }
        self.draw("network", collector, notes, |index, rng| {
            let extractor = extractors[index as usize % extractors.len()];
            (source_of(extractor), extractor.extract(self.instance, &distribution, rng))
        });
    }

    fn classical(&self, collector: &mut Collector, notes: &mut Vec<String>) {
        self.draw("classical", collector, notes, |_, rng| {
            let run = match (self.algorithm.steps(), self.steer(rng)) {
                (Some(steps), Some(priorities)) => steps.solve_by(self.instance, &priorities),
                _ => self.algorithm.solve(self.instance, &mut Free(rng)),
            };
            ("randomised run".to_owned(), run)
        });
    }

    /// Draws from the counted solutions, which finds some where demands leave few.
    fn exact_draws(&self, sets: &mut Sets, collector: &mut Collector) {
        let patience = self.patience();
        for (place, set) in sets.iter_mut().enumerate() {
            let Some(set) = set else { continue };
            let mut in_vain = 0;
            for index in 0.. {
                if collector.is_full() || in_vain >= patience {
                    break;
                }
                let mut rng = Rng::stream(self.request.seed, &format!("solve exact {place}"), index);
                let Ok(Some(solution)) = set.draw(&mut rng) else { break };
                in_vain = if collector.offer("exact draw", solution) { 0 } else { in_vain + 1 };
            }
        }
    }

    fn is_small_enough_to_enumerate(&self) -> bool {
        self.instance.n() <= MAX_ENUMERATED_SIZE
    }

    fn enumerate(&self, collector: &mut Collector, notes: &mut Vec<String>) {
        if !self.is_small_enough_to_enumerate() {
            notes.push(format!(
                "not enumerated: {} vertices are more than {MAX_ENUMERATED_SIZE}, and open choices take quadratic memory",
                self.instance.n()
            ));
            return;
        }
        for (place, solution) in self.algorithm.solutions(self.instance).enumerate() {
            if collector.is_full() {
                return;
            }
            if place >= MAX_ENUMERATED {
                notes.push(format!("enumeration stopped after {MAX_ENUMERATED} solutions"));
                return;
            }
            collector.offer("enumeration", solution);
        }
    }

    /// Whether a model's needs fit; says so if not.
    fn fits(&self, what: &str, needs: u64, notes: &mut Vec<String>) -> bool {
        if needs <= self.request.memory {
            return true;
        }
        let gigabytes = |bytes: u64| bytes as f64 / f64::from(1 << 30);
        notes.push(format!(
            "{what} was not used: it would take about {:.1} GB, and {:.1} GB may be used",
            gigabytes(needs),
            gigabytes(self.request.memory)
        ));
        false
    }
}

fn source_of(extractor: &dyn Extractor) -> String {
    format!("network, {}", extractor.name())
}
