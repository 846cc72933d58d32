//! The depth-first forests that a person's demands allow: exactly, where counting can be done; and a lower bound of their
//! number everywhere.

use super::Restarts;
use super::count::Counter;
use super::forest::Forest;
use super::reach::{Set, below_root, trees};
use crate::algorithms::{Intractable, SolutionSet};
use crate::allowed::Allowed;
use crate::graph::Graph;
use crate::parents::ParentArray;
use crate::random::Rng;
use num_bigint::{BigInt, BigUint};

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

/// Sets up to this size are counted exactly.
const SMALL: u32 = 11;
/// Enough for "more than 10^9".
const PLENTY: u64 = 1_000_000_001;

/// A number that the allowed forests are not fewer than.
///
/// In a run that gives `forest`, a vertex explores exactly its subtree; exploring one in another way leaves the rest as it is.
/// So the numbers of ways to explore subtrees that do not contain each other can be multiplied.
pub(super) fn at_least(graph: &Graph, allowed: &Allowed, forest: &ParentArray, effort: usize) -> BigUint {
    let mut product = BigUint::from(1u32);
    let Ok(walk) = Forest::new(forest) else { return product };
    let mut left = effort;
    let mut position = 1;
    while position < walk.len() as u32 && left > 0 {
        let subtree = walk.subtree(position);
        if subtree.len() > Set::BITS as usize {
            position += 1;
            continue;
        }
        position = subtree.end;
        let root = walk.vertex(subtree.start);
        let mut vertices: Vec<usize> = subtree.map(|place| walk.vertex(place)).collect();
        vertices.sort_unstable();
        let Ok(tree) = below_root(graph, root, vertices, allowed) else { continue };
        let mut bound = Bound { counter: Counter::new(tree, left), work: 0 };
        let (root, all) = (bound.counter.tree.root, bound.counter.tree.all());
        product *= bound.at_least(root, all).to_biguint().unwrap_or_default().max(BigUint::from(1u32));
        left = left.saturating_sub(bound.work);
    }
    product
}

struct Bound {
    counter: Counter,
    work: usize,
}

impl Bound {
    /// A lower bound of N(vertex, unvisited) that stops growing at [`PLENTY`].
    ///
    /// Forests in which `vertex` has one child, which visits everything, differ when that child does: their numbers add up.
    /// Where there is no such child, the forests in which one given child can come first are a product.
    fn at_least(&mut self, vertex: usize, unvisited: Set) -> BigInt {
        self.work += 1;
        if unvisited.count_ones() <= SMALL {
            return self.counter.forests(vertex, unvisited).unwrap_or_default();
        }
        let children: Vec<(usize, Set)> =
            self.counter.tree.independent_groups(vertex, unvisited).into_iter().flatten().collect();
        let mut sum = BigInt::ZERO;
        for &(child, visits) in children.iter().filter(|&&(_, visits)| visits == unvisited) {
            sum += self.at_least(child, visits & !(1 << child));
            if sum >= BigInt::from(PLENTY) || self.work > self.counter.effort() {
                return sum;
            }
        }
        if sum > BigInt::ZERO {
            return sum;
        }
        let Some(&(child, visits)) = children.iter().max_by_key(|(_, visits)| visits.count_ones()) else {
            return BigInt::ZERO;
        };
        let after = self.counter.tree.reached(vertex, unvisited & !visits);
        self.at_least(child, visits & !(1 << child)) * self.at_least(vertex, after)
    }
}
