//! The depth-first forests that a person's demands allow, exactly, where counting can be done.

use super::Restarts;
use super::count::Counter;
use super::reach::trees;
use crate::answers::Candidate;
use crate::instance::Graph;
use crate::problems::demands::Allowed;
use crate::problems::{Intractable, SolutionSet};
use crate::random::Rng;
use num_bigint::BigUint;

/// The number of all forests, or why it cannot be had. Nothing is remembered from tree to tree.
pub(super) fn count(graph: &Graph, restarts: Restarts, effort: usize) -> Result<BigUint, Intractable> {
    let trees = trees(graph, restarts, &Allowed::default())?.into_iter();
    let mut left = effort;
    trees.map(|tree| Counter::new(tree, effort).count_within(&mut left)).product()
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
    let mut left = effort;
    for tree in trees(graph, restarts, allowed)? {
        if !tree.root_is_virtual() && !allowed.permits(tree.vertices[tree.root], tree.vertices[tree.root]) {
            count = BigUint::ZERO;
        }
        let mut counter = Counter::new(tree, effort);
        count *= counter.count_within(&mut left)?;
        counters.push(counter);
    }
    Ok(Box::new(Forests { n: graph.n(), trees: counters, count }))
}

impl SolutionSet for Forests {
    fn count(&self) -> &BigUint {
        &self.count
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Option<Candidate>, Intractable> {
        if self.count == BigUint::ZERO {
            return Ok(None);
        }
        let mut parents = Candidate::all_roots(self.n);
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

#[cfg(test)]
mod tests {
    use super::super::enumerate;
    use super::*;

    /// Draws of equally likely outcomes fail this once in a hundred thousand times (Wilson and Hilferty's approximation
    /// of the chi-square distribution); seeds are fixed.
    fn is_uniform(counts: &[usize]) -> bool {
        let expected = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
        let chi: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
        let freedom = (counts.len() - 1).max(1) as f64;
        let spread = 2.0 / (9.0 * freedom);
        chi <= freedom * (1.0 - spread + 4.26 * spread.sqrt()).powi(3)
    }

    fn random_demands(n: usize, edges: &[(usize, usize)], rng: &mut Rng) -> Allowed {
        let mut allowed = Allowed::default();
        edges.iter().filter(|_| rng.chance(0.15)).for_each(|&(parent, child)| allowed.forbid(child, parent));
        if let Some(&(parent, child)) = edges.iter().find(|_| rng.chance(0.1)) {
            allowed.require(child, parent);
        }
        if rng.chance(0.2) {
            let root = rng.below(n);
            allowed.forbid(root, root);
        }
        allowed
    }

    #[test]
    fn draws_are_uniform_with_and_without_demands() {
        let mut tested = 0;
        for index in 0..160 {
            let mut rng = Rng::stream(0, "uniform forests", index);
            let n = 3 + rng.below(4);
            let density = [0.25, 0.4, 0.6][rng.below(3)];
            let pairs = (0..n * n).map(|pair| (pair / n, pair % n)).filter(|(tail, head)| tail != head);
            let edges: Vec<(usize, usize)> = pairs.filter(|_| rng.chance(density)).collect();
            let graph = Graph::from_edges(n, edges.iter().copied()).expect("ends are vertices");
            let restarts = if rng.chance(0.5) { Restarts::Ordered } else { Restarts::Any };
            let allowed = if rng.chance(0.5) { Allowed::default() } else { random_demands(n, &edges, &mut rng) };
            let mut all: Vec<Candidate> = enumerate::Enumeration::new(&graph, restarts).collect();
            all.retain(|forest| allowed.permits_all(forest));
            all.sort_by_key(|forest| forest.to_string());
            let mut forests = allowed_forests(&graph, restarts, &allowed, 100_000).expect("small");
            assert_eq!(*forests.count(), BigUint::from(all.len()));
            if all.len() > 300 {
                continue;
            }
            let mut counts = vec![0; all.len()];
            for _ in 0..60 * all.len() {
                let drawn = forests.draw(&mut rng).expect("small").expect("there are some").to_string();
                counts[all.binary_search_by_key(&drawn, |forest| forest.to_string()).expect("an allowed forest")] += 1;
            }
            assert!(counts.is_empty() || is_uniform(&counts), "{edges:?}, {allowed:?}: {counts:?}");
            tested += usize::from(all.len() > 3);
        }
        assert!(tested > 60, "only {tested} graphs had several forests");
    }
}
