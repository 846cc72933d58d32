//! Randomised depth-first search: every forest that some order of exploration produces.
//!
//! A run starts at the lowest unvisited vertex (ordered restarts, the paper's RDFSO) or at any (the paper's J), goes
//! from a vertex to an unvisited out-neighbour of the tie breaker's choice, and returns when there is none.
//! A root is its own parent. Self-loops never matter.

mod bound;
mod count;
mod demanded;
mod distribution;
mod dominators;
mod enumerate;
mod extract;
mod forest;
mod reach;
mod steer;
mod steps;
mod verify;

pub use extract::{AltUpwards, Upwards};

use super::{Algorithm, BadInstance, Intractable, SolutionSet, View, adjacency};
use crate::allowed::{Allowed, PossibleParents};
use crate::executor::{Priorities, Steps};
use crate::extract::{Argmax, Extractor, Random};
use crate::graph::{Graph, GraphSettings, Instance, random_directed};
use crate::model::{Features, Spec};
use crate::parents::{ParentArray, ParentDistribution};
use crate::random::Rng;
use crate::ties::{TieBreaker, TiePolicy};
use crate::verify::Violation;
use num_bigint::BigUint;

/// Where the search goes on when a tree is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restarts {
    /// At the unvisited vertex with the lowest index.
    Ordered,
    /// At any unvisited vertex.
    Any,
}

/// Depth-first search with a rule for its restarts.
#[derive(Clone, Copy, Debug)]
pub struct Dfs {
    restarts: Restarts,
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

    fn needs_source(&self) -> bool {
        false
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        Instance::new(random_directed(settings, rng))
    }

    fn check(&self, _instance: &Instance) -> Result<(), BadInstance> {
        Ok(())
    }

    /// O(n + m), or O(n + m log n) with one order; no recursion.
    fn solve(&self, instance: &Instance, ties: &mut dyn TieBreaker) -> ParentArray {
        let graph = &instance.graph;
        let n = graph.n();
        let mut parents = ParentArray::all_roots(n);
        let mut visited = vec![false; n];
        // The vertices still to be tried, those of the vertex on top of the path last and its next one at the end.
        let mut untried: Vec<usize> = (0..n).collect();
        if self.restarts == Restarts::Any {
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

    fn verify(&self, instance: &Instance, candidate: &ParentArray) -> Result<(), Violation> {
        verify::verify(&instance.graph, candidate, self.restarts)
    }

    fn verify_weakly(&self, instance: &Instance, candidate: &ParentArray) -> Result<(), Violation> {
        verify::verify_weakly(&instance.graph, candidate, self.restarts)
    }

    fn extractors(&self) -> &'static [&'static dyn Extractor] {
        &[&Argmax, &Random, &Upwards, &AltUpwards]
    }

    fn spec(&self) -> Spec {
        Spec::new(&["pos"], &["A", "adj"])
    }

    /// CLRS' depth-first search takes 3n probes: each vertex is met, entered and left.
    fn features(&self, instance: &Instance, view: &View) -> Features {
        let n = instance.n();
        let mut edges = vec![0.0; n * n];
        instance.graph.edges().for_each(|(tail, head)| edges[tail * n + head] = 1.0);
        let shown = Features::new(n, vec![view.pos.clone()], vec![edges, adjacency(&instance.graph)], 3 * n - 1);
        shown.expect("an instance has vertices, and a position for each")
    }

    fn steps(&self) -> Option<&'static dyn Steps> {
        match self.restarts {
            Restarts::Ordered => Some(&ORDERED),
            Restarts::Any => Some(&ANY_RESTART),
        }
    }

    fn count(&self, instance: &Instance, effort: usize) -> Result<BigUint, Intractable> {
        demanded::count(&instance.graph, self.restarts, effort)
    }

    /// In closed form from the dominators: O(m log n).
    fn possible_parents(&self, instance: &Instance, allowed: &Allowed) -> Result<PossibleParents, Intractable> {
        if !allowed.is_everything() {
            return Err(Intractable(
                "which edges are in some forest is known in closed form without demands".to_owned(),
            ));
        }
        Ok(dominators::possible_parents(&instance.graph, self.restarts))
    }

    fn allowed_solutions(
        &self,
        instance: &Instance,
        allowed: &Allowed,
        effort: usize,
    ) -> Result<Box<dyn SolutionSet>, Intractable> {
        demanded::allowed_forests(&instance.graph, self.restarts, allowed, effort)
    }

    fn steer(
        &self,
        instance: &Instance,
        possible: &PossibleParents,
        allowed: &Allowed,
        rng: &mut Rng,
    ) -> Option<Priorities> {
        Some(steer::steer(&instance.graph, self.restarts, possible, allowed, rng))
    }

    fn at_least(&self, instance: &Instance, solution: &ParentArray) -> BigUint {
        bound::at_least(&instance.graph, self.restarts, solution)
    }

    fn solutions<'a>(&self, instance: &'a Instance) -> Box<dyn Iterator<Item = ParentArray> + 'a> {
        Box::new(enumerate::Forests::new(&instance.graph, self.restarts))
    }

    fn exact_distribution(
        &self,
        instance: &Instance,
        policy: TiePolicy,
        first: Option<usize>,
    ) -> Result<ParentDistribution, Intractable> {
        distribution::exact(self, instance, policy, first)
    }
}

/// The least vertex that reaches each vertex: its root in every forest with ordered restarts.
fn least_reaching(graph: &Graph) -> Vec<usize> {
    let mut least = vec![usize::MAX; graph.n()];
    let mut waiting = vec![];
    for root in 0..graph.n() {
        if least[root] != usize::MAX {
            continue;
        }
        least[root] = root;
        waiting.push(root);
        while let Some(vertex) = waiting.pop() {
            for &head in graph.out_neighbours(vertex) {
                if least[head as usize] == usize::MAX {
                    least[head as usize] = root;
                    waiting.push(head as usize);
                }
            }
        }
    }
    least
}
