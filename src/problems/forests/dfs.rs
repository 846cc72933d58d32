//! Randomised depth-first search.
//!
//! A run starts at the lowest unvisited vertex (ordered restarts) or at any, goes from a vertex to an unvisited out-neighbour of
//! the tie breaker's choice, and returns when there is none. With free choices and with one order for a run it reaches every
//! forest, with different probabilities from four vertices on.

use super::{ANY_FORESTS, Forests, ORDERED_FORESTS, Restarts, distribution};
use crate::answers::{Candidate, Marginals};
use crate::instance::{Graph, GraphSettings, Instance, random_directed};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Intractable, Missing, Needs, NetworkSpec, Prepared, Problem, Space, View,
    adjacency, edge_matrix, over_all_orders,
};
use crate::random::Rng;

/// Depth-first search with a rule for its restarts.
#[derive(Clone, Copy, Debug)]
pub struct Dfs {
    pub(super) restarts: Restarts,
}

/// Depth-first search with ordered restarts (the paper's RDFSO, verifier H).
pub const ORDERED: Dfs = Dfs { restarts: Restarts::Ordered };

/// Depth-first search with restarts in any order (the paper's verifier J).
pub const ANY_RESTART: Dfs = Dfs { restarts: Restarts::Any };

impl Algorithm for Dfs {
    fn name(&self) -> &'static str {
        match self.restarts {
            Restarts::Ordered => "dfs",
            Restarts::Any => "dfs-any-restart",
        }
    }

    fn problem(&self) -> &'static Problem {
        match self.restarts {
            Restarts::Ordered => &ORDERED_FORESTS,
            Restarts::Any => &ANY_FORESTS,
        }
    }

    fn needs(&self) -> Needs {
        Needs::ANY_GRAPH
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        Instance::new(random_directed(settings, rng))
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        Ok(Box::new(Search { instance, restarts: self.restarts, space: Forests::new(&instance.graph, self.restarts) }))
    }

    fn with_any_restart(&self) -> Option<&'static dyn Algorithm> {
        Some(&ANY_RESTART)
    }

    /// One network, whatever the restarts.
    fn network(&self) -> Result<NetworkSpec, Missing> {
        Ok(NetworkSpec { name: "dfs", spec: Spec::new(&["pos"], &["A", "adj"], &[("pi", OutputKind::Pointer)]) })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        match self.restarts {
            Restarts::Ordered => Ok(&ORDERED),
            Restarts::Any => Ok(&ANY_RESTART),
        }
    }

    fn models(&self) -> BuiltIn {
        let executor: &[u8] = match self.restarts {
            Restarts::Ordered => include_bytes!("../../../models/executor-dfs.safetensors"),
            Restarts::Any => include_bytes!("../../../models/executor-dfs-any-restart.safetensors"),
        };
        BuiltIn { network: Some(include_bytes!("../../../models/network-dfs.safetensors")), executor: Some(executor) }
    }
}

/// Depth-first search of one graph.
struct Search<'a> {
    instance: &'a Instance,
    restarts: Restarts,
    space: Forests<'a>,
}

impl Prepared for Search<'_> {
    fn instance(&self) -> &Instance {
        self.instance
    }

    fn space(&self) -> &dyn Space {
        &self.space
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        run(&self.instance.graph, self.restarts, ties)
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        match policy {
            TiePolicy::Free => distribution::with_free_choices(&self.instance.graph, self.restarts),
            TiePolicy::OneOrder => over_all_orders(self, first),
        }
    }

    /// CLRS' depth-first search takes 3n probes: each vertex is met, entered and left.
    fn features(&self, view: &View) -> Features {
        let n = self.instance.n();
        let edge = vec![edge_matrix(&self.instance.graph), adjacency(&self.instance.graph)];
        let seen = Features::new(n, vec![view.pos.clone()], edge, 3 * n - 1);
        seen.expect("an instance has vertices, and a position for each")
    }
}

/// The most vertices whose sets fit a machine word.
const WORD: usize = 64;

/// One run. O(n + m), or O(n + m log n) with one order; no recursion.
pub(super) fn run(graph: &Graph, restarts: Restarts, ties: &mut dyn TieBreaker) -> Candidate {
    if let Some(rank) = ties.ranks().filter(|_| graph.n() <= WORD) {
        return run_by_rank(graph, restarts, rank);
    }
    let n = graph.n();
    let mut parents = Candidate::all_roots(n);
    let mut visited = vec![false; n];
    // The vertices still to be tried, those of the vertex on top of the path last and its next one at the end.
    let mut untried: Vec<usize> = (0..n).collect();
    if restarts == Restarts::Any {
        ties.arrange(&mut untried);
    }
    untried.reverse();
    // The path from the root: each vertex with the place in `untried` where its own options start.
    let mut path: Vec<(usize, usize)> = vec![];
    loop {
        let own = path.last().map_or(0, |&(_, own)| own);
        if untried.len() == own {
            if path.pop().is_none() {
                return parents;
            }
            continue;
        }
        let next = untried.pop().expect("it is longer than where the vertex's own options start");
        if std::mem::replace(&mut visited[next], true) {
            continue;
        }
        if let Some(&(current, _)) = path.last() {
            parents.set(next, current);
        }
        path.push((next, untried.len()));
        let neighbours = graph.out_neighbours(next).iter().map(|&head| head as usize);
        untried.extend(neighbours.filter(|&head| !visited[head]));
        let own = path.last().map_or(0, |&(_, own)| own);
        // Options that are visited in the meantime are skipped, so arranging once equals choosing at each step.
        ties.arrange(&mut untried[own..]);
        untried[own..].reverse();
    }
}

/// The run of one order on at most 64 vertices: vertices are called by their rank, so that the first of a set is its lowest bit.
fn run_by_rank(graph: &Graph, restarts: Restarts, rank: &[usize]) -> Candidate {
    let n = graph.n();
    let (mut vertex_at, mut out) = ([0usize; WORD], [0u64; WORD]);
    for vertex in 0..n {
        vertex_at[rank[vertex]] = vertex;
        let heads = graph.out_neighbours(vertex).iter();
        out[rank[vertex]] = heads.fold(0, |heads, &head| heads | 1 << rank[head as usize]);
    }
    let mut parent_of = [0usize; WORD];
    let mut path = [0usize; WORD];
    let mut unvisited = if n == WORD { u64::MAX } else { (1 << n) - 1 };
    for (turn, &rank) in rank.iter().enumerate() {
        let root = match restarts {
            Restarts::Ordered => rank,
            Restarts::Any => turn,
        };
        if unvisited & 1 << root == 0 {
            continue;
        }
        unvisited &= !(1 << root);
        parent_of[vertex_at[root]] = vertex_at[root];
        path[0] = root;
        let mut depth = 1;
        while depth > 0 {
            let top = path[depth - 1];
            match out[top] & unvisited {
                0 => depth -= 1,
                open => {
                    let child = open.trailing_zeros() as usize;
                    unvisited &= !(1 << child);
                    parent_of[vertex_at[child]] = vertex_at[top];
                    path[depth] = child;
                    depth += 1;
                }
            }
        }
    }
    Candidate::from_each_vertex(n, |vertex| parent_of[vertex])
}
