//! The depth-first forests that a person's demands allow, exactly, where counting can be done.

use super::Restarts;
use super::count::Counter;
use super::reach::trees;
use crate::algorithms::{Intractable, SolutionSet};
use crate::allowed::Allowed;
use crate::graph::Graph;
use crate::parents::ParentArray;
use crate::random::Rng;
use num_bigint::BigUint;

/// The number of all forests, or why it cannot be had. Nothing is remembered from tree to tree.
pub(super) fn count(graph: &Graph, restarts: Restarts, effort: usize) -> Result<BigUint, Intractable> {
    let trees = trees(graph, restarts, &Allowed::default())?.into_iter();
    trees.map(|tree| Counter::new(tree, effort).count()).product()
}

/// All allowed forests, as one counter for each tree.
struct Forests {
    n: usize,
    trees: Vec<Counter>,
    count: BigUint,
}

/// The allowed forests, or why they cannot be counted.
pub(super) fn allowed_forests(
    graph: &Graph,
    restarts: Restarts,
    allowed: &Allowed,
    effort: usize,
) -> Result<Box<dyn SolutionSet>, Intractable> {
    let mut count = BigUint::from(1u32);
    let mut counters = vec![];
    for tree in trees(graph, restarts, allowed)? {
        if !tree.root_is_virtual() && !allowed.permits(tree.vertices[tree.root], tree.vertices[tree.root]) {
            count = BigUint::ZERO;
        }
        let mut counter = Counter::new(tree, effort);
        count *= counter.count()?;
        counters.push(counter);
    }
    Ok(Box::new(Forests { n: graph.n(), trees: counters, count }))
}

impl SolutionSet for Forests {
    fn count(&self) -> &BigUint {
        &self.count
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Option<ParentArray>, Intractable> {
        if self.count == BigUint::ZERO {
            return Ok(None);
        }
        let mut parents = ParentArray::all_roots(self.n);
        for counter in &mut self.trees {
            let (vertices, root) = (counter.tree.vertices.clone(), counter.tree.root);
            // A virtual root comes after all vertices; below it each vertex stays its own parent.
            counter.draw(rng, |child, parent| {
                if parent != root || root < vertices.len() {
                    parents.set(vertices[child], vertices[parent]);
                }
            })?;
        }
        Ok(Some(parents))
    }
}
