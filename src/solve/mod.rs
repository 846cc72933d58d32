//! Several distinct, verified solutions of one instance, from a model where one can be used.
//!
//! Candidates come from the executor or from a network with its extractors, then, unless only the model is wanted, from
//! randomised runs of the classical algorithm and at last from exact draws and enumeration. Each goes through the exact
//! verifier. Drawing ends when there are enough, when the exact number of solutions is reached, or after so many draws
//! without anything new (fewer on large graphs) that more are not worth it.
//!
//! ```
//! use tiebreak::problems::forests::dfs;
//! use tiebreak::instance::{Graph, Instance};
//! use tiebreak::solve::{Request, solve};
//!
//! let instance = Instance::new(Graph::from_edges(3, [(0, 1), (0, 2), (1, 2), (2, 1)])?);
//! let solved = solve(&dfs::ORDERED, &instance, &Request { k: 10, ..Request::default() })?;
//! assert_eq!(solved.solutions.len(), 2); // 2 of 2
//! assert_eq!(solved.count.to_string(), "2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collect;
mod count;
mod demands;
mod diverse;
mod memory;
mod near;
mod parts;
pub mod routes;
mod stages;

pub use collect::{Rejection, Tally};
pub use count::Count;
pub use demands::{Demand, Demands, Impossible};
pub use diverse::Diversity;
pub use memory::{executor_memory, executor_work};
pub use parts::{Basis, PartUse};

use crate::answers::Candidate;
use crate::instance::Instance;
use crate::neural::executor::Executor;
use crate::neural::predict::Model;
use crate::pipeline::draw::Origin;
pub use crate::problems::tolerance::{BadTolerance, Gap, Tolerance, relative_gap};
use crate::problems::{Algorithm, Allowed, BadInstance, Optimality, Possible, Prepared};
use collect::Collector;
use stages::Stages;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// How many solutions.
    pub k: usize,
    /// The seed of all draws.
    pub seed: u64,
    /// Who draws candidates first.
    pub by: SolveBy<'a>,
    /// Never fall back to the classical algorithm.
    pub only_model: bool,
    /// Enumerate instead of drawing.
    pub exact: bool,
    /// Choose solutions that share few parts.
    pub diverse: bool,
    /// What the solutions must or must not have.
    pub demands: Demands,
    /// Solutions that are worse than the best by no more than this; it goes neither with demands nor with a model.
    pub within: Option<Tolerance>,
    /// States that exact counting may remember.
    pub effort: usize,
    /// Bytes that a model may take, and all solutions together. Part of the request, not what happens to be free: the same request has the same
    /// answer.
    pub memory: u64,
}

impl Request<'_> {
    /// Bytes that the solutions of an instance may come to: those that are wanted, but no more than the request allows.
    pub fn solutions_memory(&self, algorithm: &dyn Algorithm, instance: &Instance) -> u64 {
        let slots = instance.slots(algorithm.problem().form);
        memory::of_solution(slots).saturating_mul(self.k.min(memory::room(self, slots)) as u64)
    }
}

impl Default for Request<'_> {
    fn default() -> Self {
        Request {
            k: 10,
            seed: 0,
            by: SolveBy::Executor,
            only_model: false,
            exact: false,
            diverse: false,
            demands: Demands::default(),
            within: None,
            effort: EFFORT,
            memory: MEMORY,
        }
    }
}

/// States that counting may remember here: a few seconds, about thirty megabytes.
pub const EFFORT: usize = 200_000;

/// Bytes that a model, and all solutions, may take where nobody says otherwise.
pub const MEMORY: u64 = 2 << 30;

/// Who draws candidates first.
#[derive(Clone, Copy, Debug, Default)]
pub enum SolveBy<'a> {
    /// The executor that comes with the crate.
    #[default]
    Executor,
    /// An executor that somebody trained.
    TrainedExecutor(&'a Executor),
    /// A network's marginals and the problem's extractors.
    Network(&'a Model),
    /// Randomised runs of the classical algorithm.
    Classical,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// Distinct solutions, each accepted by the exact verifier and meeting all demands.
    pub solutions: Vec<Solution>,
    /// Whether there are any.
    pub answer: Answer,
    /// What was drawn, by origin, and what became of it.
    pub tallies: Vec<Tally>,
    /// How many solutions there are, of those that meet the demands.
    pub count: Count,
    /// Why nothing better exists, where that can be shown.
    pub optimality: Option<Optimality>,
    /// The parts that all of them share, and those that vary.
    pub parts: PartUse,
    /// How little the chosen ones share, where that was asked for.
    pub diversity: Option<Diversity>,
    /// What a person should know: why a model was not used, why there are fewer than wanted.
    pub notes: Vec<String>,
}

/// One solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// What it is.
    pub candidate: Candidate,
    /// Where it came from.
    pub origin: Origin,
    /// How far it is from the best, where a tolerance was given.
    pub gap: Option<Gap>,
}

/// Whether there are solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Some were found.
    Found,
    /// It is proved that none meets the demands.
    Impossible(Impossible),
    /// None was found, and it is not proved that there is none (without demands there always is one).
    NotFound,
}

/// Draws, verifies and counts. The result depends on the arguments alone.
pub fn solve(algorithm: &dyn Algorithm, instance: &Instance, request: &Request) -> Result<Solved, BadInstance> {
    let prepared = algorithm.prepare(instance)?;
    Ok(solve_prepared(algorithm, &*prepared, request))
}

/// As [`solve`], on an instance that is prepared already.
pub fn solve_prepared(algorithm: &dyn Algorithm, prepared: &dyn Prepared, request: &Request) -> Solved {
    if let Some(tolerance) = request.within {
        return near::solve_within(algorithm, prepared, request, tolerance).unwrap_or_else(|reason| Solved {
            answer: Answer::NotFound,
            notes: vec![format!("{}: {reason}", algorithm.name())],
            ..refuse(Impossible::Together)
        });
    }
    let (space, form) = (prepared.space(), algorithm.problem().form);
    let possible = space.possible(&Allowed::default()).ok();
    match request.demands.alternatives(prepared.instance(), form, space, possible.as_ref()) {
        Ok(alternatives) => meet(algorithm, prepared, request, possible.as_ref(), &alternatives),
        Err(impossible) => refuse(impossible),
    }
}

fn refuse(impossible: Impossible) -> Solved {
    Solved {
        solutions: vec![],
        answer: Answer::Impossible(impossible),
        tallies: vec![],
        count: Count::none(),
        optimality: None,
        parts: PartUse::default(),
        diversity: None,
        notes: vec![],
    }
}

/// Solutions that meet one of `alternatives`, each of which may be possible.
fn meet(
    algorithm: &dyn Algorithm,
    prepared: &dyn Prepared,
    request: &Request,
    possible: Option<&Possible>,
    alternatives: &[Allowed],
) -> Solved {
    let (instance, space, form) = (prepared.instance(), prepared.space(), algorithm.problem().form);
    let slots = instance.slots(form);
    let (mut count, sets) = count::count(space, alternatives, request.effort);
    if count == Count::none() {
        return refuse(Impossible::Together);
    }
    let wanted = if request.diverse { diverse::pool_size(request.k, slots) } else { request.k };
    let (wanted, room) = (count.limit(wanted), memory::room(request, slots));
    let mut collector = Collector::new(space, alternatives, wanted.min(room));
    let mut notes = Stages { algorithm, prepared, request, possible, alternatives }.run(&mut collector, sets);
    let (mut solutions, tallies) = collector.finish();
    if solutions.len() == room && room < wanted {
        notes.push(memory::no_more_room(room, request.memory));
    }
    if count == Count::Unknown && request.demands.is_empty() {
        count = count::at_least(space, &solutions);
    }
    let restricted;
    let possible = match alternatives {
        [allowed] if allowed.is_everything() => possible,
        [allowed] => {
            restricted = space.possible(allowed).ok();
            restricted.as_ref()
        }
        _ => None,
    };
    let parts = parts::part_use(instance, form, possible, &solutions, &count);
    let diversity = request.diverse.then(|| diverse::chosen(&mut solutions, request.k, slots, &mut notes)).flatten();
    let answer = if solutions.is_empty() && request.k > 0 { Answer::NotFound } else { Answer::Found };
    Solved { solutions, answer, tallies, count, optimality: space.optimality(), parts, diversity, notes }
}
