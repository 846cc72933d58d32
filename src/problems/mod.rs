//! Problems and algorithms: one folder a problem, one file an algorithm, one entry in [`ALGORITHMS`].
//!
//! A *problem* says what is right: the form of an answer, the exact verifier, the [`Space`] of right answers, the extractors that
//! know the form. An *algorithm* says how one is found: runs driven by a tie breaker, the law of its draws, what a network sees of an
//! instance, the steps of an executor. Several algorithms share a problem, and the verifier is written once.
//!
//! An instance is prepared once ([`Algorithm::prepare`]), and everything that needs distances, weight classes and the like takes
//! them from there. The tests in `tests/laws` loop over [`ALGORITHMS`], so a new entry is held to all laws without a new test.

pub mod activities;
pub mod demands;
pub mod extract;
pub mod forests;
pub(crate) mod grouped;
mod growth;
mod links;
pub mod matchings;
mod needs;
pub mod orders;
pub mod paths;
mod space;
pub mod spanning;
pub mod stream;
pub mod tasks;
pub mod ties;
pub mod tolerance;
pub mod trees;
pub mod verify;

pub use demands::{Allowed, Possible};
pub use grouped::Grouped;
pub use needs::{BadInstance, Direction, Needs, Weights};
pub(crate) use needs::{check_undirected, checked_items, checked_source, directed_cycle};
pub use space::{COUNT_EFFORT, Intractable, Optimality, SolutionSet, Space};
pub(crate) use space::{check_marginals_size, over_all_orders};

use crate::answers::{Candidate, Form, Marginals};
use crate::instance::{Graph, GraphSettings, Instance, ItemKind, Preset};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, Spec};
use crate::problems::extract::Extractor;
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::random::Rng;
use std::fmt;
use thiserror::Error;

/// What is right: plain facts that a command line, a reader or a page must know.
#[derive(Debug)]
pub struct Problem {
    /// What the solutions are, in the plural: "shortest-path trees".
    pub name: &'static str,
    /// What a solution looks like.
    pub form: Form,
    /// What the items of an instance are; `None` where an instance is a graph.
    pub items: Option<&'static ItemKind>,
    /// True when it is the lengths of paths from the source that matter.
    pub measures_paths: bool,
    /// The ways to draw candidates from marginals.
    pub extractors: &'static [&'static dyn Extractor],
}

/// A classical algorithm whose ties can be broken in many ways, each giving a solution.
pub trait Algorithm: Sync {
    /// The name used on the command line and in files.
    fn name(&self) -> &'static str;

    /// The name that dm-clrs has for it, where it has one.
    fn clrs_name(&self) -> Option<&'static str> {
        None
    }

    /// What it solves.
    fn problem(&self) -> &'static Problem;

    /// What it needs of an instance.
    fn needs(&self) -> Needs;

    /// A random instance.
    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance;

    /// An instance made ready for everything that can be asked of it, or why the algorithm cannot be run on it.
    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance>;

    /// The same search with restarts in any order, where it restarts.
    fn with_any_restart(&self) -> Option<&'static dyn Algorithm> {
        None
    }

    /// True for a search that starts at the lowest vertex and goes on at the lowest that it has not visited: with another vertex first it
    /// starts there.
    fn restarts_in_order(&self) -> bool {
        self.with_any_restart().is_some_and(|any| any.name() != self.name())
    }

    /// The vertex that stands first in every order of vertices, if the preset has one.
    fn first_in_order(&self, _preset: Preset) -> Option<usize> {
        None
    }

    /// What a network reads and answers, and under which name networks are trained: algorithms of one name share them.
    fn network(&self) -> Result<NetworkSpec, Missing> {
        Err(Missing("nobody has said what a network should see of it"))
    }

    /// The algorithm step by step, for the executor.
    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Err(Missing("nobody has written it as steps over local states"))
    }

    /// The trained models that come with the crate.
    fn models(&self) -> BuiltIn {
        BuiltIn::default()
    }
}

/// What a network reads and answers.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkSpec {
    /// The name under which networks are trained.
    pub name: &'static str,
    /// Its inputs and outputs.
    pub spec: Spec,
}

/// The bytes of trained models.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn {
    /// A network.
    pub network: Option<&'static [u8]>,
    /// An executor.
    pub executor: Option<&'static [u8]>,
}

/// Why an algorithm cannot do something, in one sentence after "because".
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Missing(pub &'static str);

/// Runs with random ties.
#[derive(Clone, Copy, Debug)]
pub struct ManyRuns {
    /// How the ties of a run hang together.
    pub policy: TiePolicy,
    /// The vertex that stands first in every order.
    pub first: Option<usize>,
    /// How many.
    pub runs: usize,
}

/// An instance with what was computed of it, at most once.
pub trait Prepared: Sync {
    /// The instance.
    fn instance(&self) -> &Instance;

    /// What is right for it.
    fn space(&self) -> &dyn Space;

    /// One run.
    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate;

    /// Writes the shares of runs, where all of them at once are quicker than one after the other, to rows of marginals that are zero so far: the same runs, from the
    /// same random numbers, as with [`ties::with_random_ties`]. False where they are not, and then nothing was written or drawn.
    fn write_shares(&self, _runs: &ManyRuns, _rng: &mut Rng, _rows: &mut [f64]) -> bool {
        false
    }

    /// The marginals that infinitely many runs would give; `first` stands first in every order.
    fn law(&self, _policy: TiePolicy, _first: Option<usize>) -> Result<Marginals, Intractable> {
        Err(Intractable("the law of its runs is not known".to_owned()))
    }

    /// What a network sees of the instance, and for how many rounds it may think about it.
    ///
    /// # Panics
    /// If the algorithm has no network.
    fn features(&self, _view: &View) -> Features {
        panic!("an algorithm with a network says what it sees")
    }
}

impl fmt::Debug for dyn Algorithm + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for dyn Prepared + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Prepared").field(self.instance()).finish()
    }
}

/// How an instance is shown to a network, apart from the instance itself.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The input `pos`: a number for each vertex, which tells vertices apart and gives them an order.
    pub pos: Vec<f32>,
    /// Weights are shown as multiples of this.
    pub weight_unit: f64,
}

impl View {
    /// As a trained network is shown an instance: positions i/n, as in CLRS' test sets.
    pub fn evenly_spaced(n: usize, weight_unit: f64) -> Self {
        View { pos: (0..n).map(|vertex| vertex as f32 / n as f32).collect(), weight_unit }
    }
}

/// The edges as CLRS shows them: 1 for each edge and on the diagonal, row = tail.
pub(crate) fn adjacency(graph: &Graph) -> Vec<f32> {
    let (n, mut matrix) = (graph.n(), edge_matrix(graph));
    (0..n).for_each(|vertex| matrix[vertex * n + vertex] = 1.0);
    matrix
}

/// The edges without the diagonal: 1 for each, row = tail.
pub(crate) fn edge_matrix(graph: &Graph) -> Vec<f32> {
    let mut matrix = vec![0.0; graph.n() * graph.n()];
    graph.arcs().for_each(|(tail, head)| matrix[tail * graph.n() + head] = 1.0);
    matrix
}

/// The weights as CLRS shows them: as multiples of a unit, row = tail, 0 where there is no edge.
pub(crate) fn weight_matrix(graph: &Graph, unit: f64) -> Vec<f32> {
    let (n, unit) = (graph.n(), 10f64.powi(graph.decimals() as i32) * unit);
    let mut matrix = vec![0.0; n * n];
    for (tail, head, weight) in graph.weighted_arcs() {
        matrix[tail * n + head] = (weight as f64 / unit) as f32;
    }
    matrix
}

/// Every algorithm there is.
pub static ALGORITHMS: &[&dyn Algorithm] = &[
    &forests::dfs::ORDERED,
    &forests::dfs::ANY_RESTART,
    &paths::bellman_ford::BellmanFord,
    &paths::bfs::Bfs,
    &paths::dijkstra::Dijkstra,
    &paths::dag::DagShortestPaths,
    &spanning::prim::Prim,
    &spanning::kruskal::Kruskal,
    &orders::topological_sort::TopologicalSort,
    &matchings::matching::Matching,
    &tasks::scheduling::TaskScheduling,
    &activities::selection::ActivitySelection,
];

/// The algorithm of that name, in our spelling or in that of dm-clrs.
pub fn by_name(name: &str) -> Option<&'static dyn Algorithm> {
    let is_called = |algorithm: &&dyn Algorithm| {
        algorithm.name() == name
            || algorithm.clrs_name() == Some(name)
            || (name.contains('_') && algorithm.name() == name.replace('_', "-"))
    };
    ALGORITHMS.iter().copied().find(is_called)
}
