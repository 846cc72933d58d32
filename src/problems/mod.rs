//! Problems and algorithms: one folder a problem, one file an algorithm, one entry in [`ALGORITHMS`].
//!
//! A *problem* says what is right: the form of an answer, the exact verifier, the [`Space`] of right answers, the extractors that
//! know the form. An *algorithm* says how one is found: runs driven by a tie breaker, the law of its draws, what a network sees of an
//! instance, the steps of an executor. Several algorithms share a problem, and the verifier is written once.
//!
//! An instance is prepared once ([`Algorithm::prepare`]), and everything that needs distances, weight classes and the like takes
//! them from there. The tests in `tests/laws.rs` loop over [`ALGORITHMS`], so a new entry is held to all laws without a new test.

pub mod demands;
pub mod forests;
mod growth;

pub mod paths;
pub mod spanning;

pub use crate::grouped::Grouped;
pub use demands::{Allowed, Possible};

use crate::answers::{Candidate, Form, Marginals};
use crate::executor::{Priorities, Steps};
use crate::extract::Extractor;
use crate::graph::{Decimal, Graph, GraphSettings, Instance, Preset};
use crate::model::{Features, Spec};
use crate::random::Rng;
use crate::ties::{EveryTie, OneOrder, TieBreaker, TiePolicy};
use crate::verify::Violation;
use num_bigint::BigUint;
use std::fmt;
use thiserror::Error;

/// What is right: plain facts that a command line, a reader or a page must know.
#[derive(Debug)]
pub struct Problem {
    /// What the solutions are, in the plural: "shortest-path trees".
    pub name: &'static str,
    /// What a solution looks like.
    pub form: Form,
    /// True when it is the lengths of paths from the source that matter.
    pub measures_paths: bool,
    /// The ways to draw candidates from marginals.
    pub extractors: &'static [&'static dyn Extractor],
}

/// What an algorithm needs of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// A source.
    pub source: bool,
    /// Which weights it can work with.
    pub weights: Weights,
    /// Which directions of edges.
    pub direction: Direction,
    /// No directed cycle.
    pub acyclic: bool,
}

/// The weights that an algorithm can work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// It does not look at them.
    Ignored,
    /// Zero and above.
    NotNegative,
    /// Any, as long as nothing else forbids them.
    AnySign,
}

impl Weights {
    /// True when the algorithm looks at weights.
    pub fn are_used(self) -> bool {
        self != Weights::Ignored
    }
}

/// The directions that the edges of an instance may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Directed or undirected.
    Either,
    /// Directed only.
    Directed,
    /// Undirected only.
    Undirected,
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

/// An instance with what was computed of it, at most once.
pub trait Prepared: Sync {
    /// The instance.
    fn instance(&self) -> &Instance;

    /// What is right for it.
    fn space(&self) -> &dyn Space;

    /// One run.
    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate;

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

/// The right answers of one instance: which they are, how many, and draws of them.
pub trait Space: Sync {
    /// Accepts a candidate exactly when it is right.
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation>;

    /// The weaker check behind the "valid" columns of the paper, where it had one: it accepts every solution and more.
    fn verify_weakly(&self, _candidate: &Candidate) -> Option<Result<(), Violation>> {
        None
    }

    /// The number of solutions. `effort` bounds the states that may be remembered where counting is hard;
    /// [`COUNT_EFFORT`] is what a patient person allows.
    fn count(&self, effort: usize) -> Result<BigUint, Intractable> {
        Ok(self.within(&Allowed::default(), effort)?.count().clone())
    }

    /// All solutions, each once, in an order fixed by the instance. Memory does not grow with their number.
    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        Err(Intractable("there is no way to list its solutions".to_owned()))
    }

    /// Which options of which slots occur in some allowed solution.
    fn possible(&self, _allowed: &Allowed) -> Result<Possible, Intractable> {
        Err(Intractable("which choices are possible is not known".to_owned()))
    }

    /// The solutions all of whose choices are allowed: their exact number, and uniform draws. `effort` as for a count.
    fn within(&self, _allowed: &Allowed, _effort: usize) -> Result<Box<dyn SolutionSet + '_>, Intractable> {
        Err(Intractable("there is no way to count its solutions".to_owned()))
    }

    /// True when [`Space::within`] takes demands for an edge in either direction ([`Allowed::require_either`]); otherwise whoever
    /// asks has to ask for each direction.
    fn counts_either(&self) -> bool {
        false
    }

    /// Random priorities of a run ([`Steps::solve_by`], or an executor's) that is likely to have allowed choices; `possible` are
    /// the possible ones without demands. Where one choice is required or forbidden, and a solution has it so, some draw
    /// finds one. `None` when there are no priorities.
    fn steer(&self, _possible: &Possible, _allowed: &Allowed, _rng: &mut Rng) -> Option<Priorities> {
        None
    }

    /// A number that the solutions are not fewer than, given one of them, where they are too many to be counted.
    fn at_least(&self, _solution: &Candidate) -> BigUint {
        BigUint::from(1u32)
    }
}

/// All solutions of some kind: how many there are, and draws of them.
pub trait SolutionSet {
    /// Their number.
    fn count(&self) -> &BigUint;

    /// One of them, each equally likely; `None` when there is none.
    fn draw(&mut self, rng: &mut Rng) -> Result<Option<Candidate>, Intractable>;
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
    let n = graph.n();
    let mut matrix = vec![0.0; n * n];
    graph.arcs().for_each(|(tail, head)| matrix[tail * n + head] = 1.0);
    (0..n).for_each(|vertex| matrix[vertex * n + vertex] = 1.0);
    matrix
}

/// Every algorithm there is.
pub const ALGORITHMS: &[&dyn Algorithm] = &[
    &forests::dfs::ORDERED,
    &forests::dfs::ANY_RESTART,
    &paths::bellman_ford::BellmanFord,
    &paths::bfs::Bfs,
    &paths::dijkstra::Dijkstra,
    &paths::dag::DagShortestPaths,
    &spanning::prim::Prim,
];

/// States that an exact count may remember: about half a gigabyte, and a minute at the most.
pub const COUNT_EFFORT: usize = 3_000_000;

/// The algorithm of that name, in our spelling or in that of dm-clrs.
pub fn by_name(name: &str) -> Option<&'static dyn Algorithm> {
    let is_called = |algorithm: &&dyn Algorithm| {
        algorithm.name() == name
            || algorithm.clrs_name() == Some(name)
            || (name.contains('_') && algorithm.name() == name.replace('_', "-"))
    };
    ALGORITHMS.iter().copied().find(is_called)
}

/// Why an algorithm cannot be run on an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadInstance {
    /// The algorithm starts somewhere, but the instance does not say where.
    NoSource(&'static str),
    /// The source is not a vertex.
    SourceOutOfRange {
        /// The alleged source.
        source_vertex: usize,
        /// The number of vertices.
        n: usize,
    },
    /// A negative weight.
    Negative {
        /// The algorithm.
        algorithm: &'static str,
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
        /// Its weight.
        weight: Decimal,
    },
    /// A cycle of negative length that the source reaches.
    NegativeCycle {
        /// Its vertices, in the direction of its edges.
        cycle: Vec<usize>,
        /// Its length.
        length: Decimal,
    },
    /// A directed cycle.
    Cycle {
        /// The algorithm.
        algorithm: &'static str,
        /// Its vertices, in the direction of its edges.
        cycle: Vec<usize>,
    },
    /// An edge without an equal one back.
    NotUndirected {
        /// The algorithm.
        algorithm: &'static str,
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
    },
}

impl BadInstance {
    /// In words, vertices called by `name`.
    pub fn describe(&self, name: impl Fn(usize) -> String) -> String {
        let circle = |cycle: &[usize]| {
            let ends = cycle.iter().chain(cycle.first());
            ends.map(|&vertex| name(vertex)).collect::<Vec<_>>().join(" -> ")
        };
        match self {
            BadInstance::NoSource(algorithm) => format!("{algorithm} needs a source"),
            BadInstance::SourceOutOfRange { source_vertex, n } => {
                format!("the source is {source_vertex}, but there are {n} vertices")
            }
            BadInstance::Negative { algorithm, tail, head, weight } => format!(
                "edge {} -> {} has weight {weight}, but {algorithm} needs weights that are not negative",
                name(*tail),
                name(*head)
            ),
            BadInstance::NegativeCycle { cycle, length } => format!(
                "the cycle {} has length {length}: with a negative cycle within reach no path is the shortest",
                circle(cycle)
            ),
            BadInstance::Cycle { algorithm, cycle } => {
                format!("{algorithm} needs a graph without cycles, but here is one: {}", circle(cycle))
            }
            BadInstance::NotUndirected { algorithm, tail, head } => format!(
                "{algorithm} needs an undirected graph, but edge {} -> {} has no equal edge back",
                name(*tail),
                name(*head)
            ),
        }
    }
}

impl fmt::Display for BadInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(|vertex| vertex.to_string()))
    }
}

impl std::error::Error for BadInstance {}

/// The source of an instance, checked.
pub(crate) fn checked_source(algorithm: &'static str, instance: &Instance) -> Result<usize, BadInstance> {
    let source_vertex = instance.source.ok_or(BadInstance::NoSource(algorithm))?;
    if source_vertex >= instance.n() {
        return Err(BadInstance::SourceOutOfRange { source_vertex, n: instance.n() });
    }
    Ok(source_vertex)
}

/// Why an exact figure is not to be had.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Intractable(pub String);

/// The most probabilities that are written out: two gigabytes of them.
const MAX_PROBABILITIES: usize = 16_384 * 16_384;

/// Refuses marginals that would not fit the memory, before anything is allocated for them.
pub(crate) fn check_marginals_size(form: Form, slots: usize) -> Result<(), Intractable> {
    let options = form.options(slots);
    if slots.checked_mul(options).is_some_and(|values| values <= MAX_PROBABILITIES) {
        return Ok(());
    }
    let reason = format!(
        "{slots} rows of {options} probabilities are more than {MAX_PROBABILITIES} (for parents that is n = 16384)"
    );
    Err(Intractable(reason))
}

/// 8! = 40,320 orders take a moment, 9! take ten of them.
const MAX_ORDERED: usize = 8;

/// The law of runs with one order each, where nothing better is known: all n! orders are gone through, for small n.
pub(crate) fn over_all_orders(prepared: &dyn Prepared, first: Option<usize>) -> Result<Marginals, Intractable> {
    let n = prepared.instance().n();
    if n > MAX_ORDERED {
        return Err(Intractable(format!(
            "with one order for a run, all n! orders have to be tried, which stops at n = {MAX_ORDERED} (here {n}); \
             with free choices there is a faster way"
        )));
    }
    let mut ties = EveryTie::default();
    let mut shares: Option<(Form, usize, Vec<f64>)> = None;
    while ties.next_run() {
        let run = prepared.run(&mut OneOrder::draw(n, first, &mut ties));
        let options = run.form().options(run.slots());
        let empty = || (run.form(), run.slots(), vec![0.0; run.slots() * options]);
        let (.., shares) = shares.get_or_insert_with(empty);
        for (slot, &choice) in run.choices().iter().enumerate() {
            shares[slot * options + choice as usize] += ties.probability();
        }
    }
    let (form, slots, shares) = shares.expect("there is at least one order");
    Ok(Marginals::from_weights(form, slots, shares).expect("probabilities are not negative"))
}

/// A directed cycle of the graph, vertex by vertex in the direction of its edges, self-loops included; `None` when there is none.
pub(crate) fn directed_cycle(graph: &Graph) -> Option<Vec<usize>> {
    // Vertices without open predecessors are taken away one after the other; what remains has a predecessor each that remains.
    let mut open = vec![0u32; graph.n()];
    graph.arcs().for_each(|(_, head)| open[head] += 1);
    let mut ready: Vec<usize> = (0..graph.n()).filter(|&vertex| open[vertex] == 0).collect();
    while let Some(vertex) = ready.pop() {
        for &head in graph.out_neighbours(vertex) {
            open[head as usize] -= 1;
            if open[head as usize] == 0 {
                ready.push(head as usize);
            }
        }
    }
    let start = open.iter().position(|&left| left > 0)?;
    let mut before = vec![usize::MAX; graph.n()];
    let remaining = graph.arcs().filter(|&(tail, head)| open[tail] > 0 && open[head] > 0);
    remaining.for_each(|(tail, head)| before[head] = tail);
    let mut vertex = start;
    for _ in 0..graph.n() {
        vertex = before[vertex];
    }
    let around = std::iter::successors(Some(before[vertex]), |&at| Some(before[at]));
    let mut cycle: Vec<usize> = std::iter::once(vertex).chain(around.take_while(|&at| at != vertex)).collect();
    cycle.reverse();
    let least = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
    cycle.rotate_left(least);
    Some(cycle)
}
