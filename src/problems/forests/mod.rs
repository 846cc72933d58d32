//! Depth-first forests: what some order of exploration produces.
//!
//! A root is its own parent. Self-loops never matter. Restarts may be ordered (the paper's RDFSO, verifier H) or free (its verifier J);
//! with free restarts the search runs below a virtual root, so one verifier, one count and one enumeration serve both.

mod bound;
mod count;
mod demanded;
pub mod dfs;
mod distribution;
mod enumerate;
mod extract;
mod forest;
mod known;
mod number;
mod possible;
mod preorder;
mod quick;
mod reach;
mod steer;
mod steps;
mod verify;

pub use extract::{AltUpwards, Upwards, Walk};

use super::{Allowed, Intractable, Possible, Problem, SolutionSet, Space};
use crate::answers::{Candidate, Form};
use crate::instance::Graph;
use crate::neural::executor::Priorities;
use crate::problems::extract::{Argmax, Random};
use crate::problems::verify::Violation;
use crate::random::Rng;
use num_bigint::BigUint;

/// Where the search goes on when a tree is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restarts {
    /// At the unvisited vertex with the lowest index.
    Ordered,
    /// At any unvisited vertex.
    Any,
}

/// Depth-first forests, each root the lowest vertex that was unvisited.
pub static ORDERED_FORESTS: Problem = Problem {
    name: "depth-first forests",
    form: Form::Parents,
    items: None,
    measures_paths: false,
    extractors: &[&Argmax, &Random, &Upwards, &AltUpwards, &Walk(Restarts::Ordered)],
};

/// Depth-first forests whose roots may come in any order.
pub static ANY_FORESTS: Problem = Problem {
    name: "depth-first forests with any restarts",
    extractors: &[&Argmax, &Random, &Upwards, &AltUpwards, &Walk(Restarts::Any)],
    ..ORDERED_FORESTS
};

/// The depth-first forests of a graph.
#[derive(Clone, Copy, Debug)]
pub struct Forests<'a> {
    graph: &'a Graph,
    restarts: Restarts,
}

impl<'a> Forests<'a> {
    /// Those of one kind of restarts.
    pub fn new(graph: &'a Graph, restarts: Restarts) -> Self {
        Forests { graph, restarts }
    }
}

impl Space for Forests<'_> {
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation> {
        verify::verify(self.graph, candidate.parents(), self.restarts)
    }

    fn verify_weakly(&self, candidate: &Candidate) -> Option<Result<(), Violation>> {
        Some(verify::verify_weakly(self.graph, candidate.parents(), self.restarts))
    }

    fn count(&self, effort: usize) -> Result<BigUint, Intractable> {
        demanded::count(self.graph, self.restarts, effort)
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        if self.graph.n() > MAX_ENUMERATED {
            return Err(Intractable(format!(
                "listing forests keeps sets of vertices for each open choice, which stops at {MAX_ENUMERATED} vertices"
            )));
        }
        Ok(Box::new(enumerate::Enumeration::new(self.graph, self.restarts)))
    }

    /// In closed form from the dominators: O(m log n).
    fn possible(&self, allowed: &Allowed) -> Result<Possible, Intractable> {
        if !allowed.is_everything() {
            return Err(Intractable(
                "which edges are in some forest is known in closed form only without demands".to_owned(),
            ));
        }
        Ok(possible::possible_parents(self.graph, self.restarts))
    }

    fn within(&self, allowed: &Allowed, effort: usize) -> Result<Box<dyn SolutionSet + '_>, Intractable> {
        demanded::allowed_forests(self.graph, self.restarts, allowed, effort)
    }

    fn steer(&self, possible: &Possible, allowed: &Allowed, rng: &mut Rng) -> Option<Priorities> {
        Some(steer::steer(self.graph, self.restarts, possible, allowed, rng))
    }

    /// A forest with ordered restarts is one with any, so what bounds their number serves here as well; where components are
    /// many, it is the better bound, because trees multiply.
    fn at_least(&self, solution: &Candidate) -> BigUint {
        let bound = |restarts| bound::at_least(self.graph, restarts, solution.parents());
        match self.restarts {
            Restarts::Ordered => bound(Restarts::Ordered),
            Restarts::Any => {
                let counted = demanded::count(self.graph, Restarts::Ordered, ORDERED_EFFORT).unwrap_or_default();
                bound(Restarts::Any).max(bound(Restarts::Ordered)).max(counted)
            }
        }
    }
}

/// States that may be remembered for a bound by the forests with ordered restarts.
const ORDERED_EFFORT: usize = 200_000;

/// The most vertices whose forests are listed: open choices take quadratic memory.
const MAX_ENUMERATED: usize = 20_000;

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
