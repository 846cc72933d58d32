//! The answers about minimum spanning forests: how many, one at random, and how often each edge occurs.

use super::blocks::Block;
use super::classes::{Classes, Place};
use super::core::Core;
use super::count::{Product, TreeCount, Weight};
use super::series::{Join, Reduction};
use super::spanning::Forests;
use super::wilson::RandomSteps;
use super::{Limits, Refusal, Use};
use crate::random::Rng;

/// A block without its series and parallel parts, ready to be drawn from.
pub(super) struct Reduced {
    reduction: Reduction,
    core: Core,
}

impl Reduced {
    fn new(block: &Block) -> Self {
        let reduction = Reduction::new(block);
        let ends: Vec<[u32; 2]> = reduction.core.iter().map(|&(ends, _)| ends).collect();
        let weights = reduction.core.iter().map(|&(_, part)| reduction.weights[part as usize]).collect();
        let core = Core::new(reduction.core_size, &ends, weights);
        Reduced { reduction, core }
    }

    fn count(&self, product: &mut Product, limits: &Limits) -> Result<(), Refusal> {
        let Some((mut weights, forced)) = self.reduction.exact(limits.exact) else {
            return self.count_rounded(product, limits);
        };
        forced.into_iter().for_each(|factor| product.times(factor));
        if weights.is_empty() {
            return Ok(());
        }
        weights.push(Weight::Whole(0));
        product.times_trees(&self.core.network(), &weights, limits)
    }

    fn count_rounded(&self, product: &mut Product, limits: &Limits) -> Result<(), Refusal> {
        // A new part has an error of at most three roundings, and a tree has it once or not at all; a factor has two
        // more.
        let roundings = 5.0 * self.reduction.joins.len() as f64;
        product.times_rounded(self.reduction.rounded(), roundings, self.reduction.links);
        if self.reduction.core.is_empty() {
            return Ok(());
        }
        let parts = self.reduction.core.iter();
        let weights: Vec<f64> = parts.map(|&(_, part)| self.reduction.weights[part as usize]).chain([0.0]).collect();
        product.times_rounded_trees(&self.core.network(), &weights, limits)
    }

    /// For each link whether a random tree has it.
    fn draw(&self, rng: &mut Rng, steps: &mut RandomSteps) -> Result<Vec<bool>, Refusal> {
        let Reduction { links, joins, forced, core, .. } = &self.reduction;
        let mut connects = vec![false; links + joins.len()];
        forced.iter().for_each(|&part| connects[part as usize] = true);
        if !core.is_empty() {
            self.core.draw(rng, steps)?.into_iter().for_each(|edge| connects[core[edge].1 as usize] = true);
        }
        for (index, &join) in joins.iter().enumerate().rev() {
            let (Join::Parallel(a, b) | Join::Series(a, b)) = join;
            let (one, other) = match (join, connects[links + index]) {
                (Join::Series(..), true) => (true, true),
                (Join::Parallel(..), false) => (false, false),
                _ => {
                    let first = rng.chance(self.reduction.share(a, b));
                    (first, !first)
                }
            };
            (connects[a as usize], connects[b as usize]) = (one, other);
        }
        connects.truncate(*links);
        Ok(connects)
    }

    /// The share of the trees that have each link.
    fn marginals(&self, limits: &Limits) -> Result<Vec<f64>, Refusal> {
        let Reduction { links, joins, forced, core, .. } = &self.reduction;
        let mut connects = vec![0.0; links + joins.len()];
        forced.iter().for_each(|&part| connects[part as usize] = 1.0);
        if !core.is_empty() {
            let marginals = self.core.marginals(limits)?;
            core.iter().zip(marginals).for_each(|(&(_, part), share)| connects[part as usize] = share);
        }
        for (index, &join) in joins.iter().enumerate().rev() {
            let (Join::Parallel(a, b) | Join::Series(a, b)) = join;
            let both = connects[links + index];
            for (own, other) in [(a, b), (b, a)] {
                let share = self.reduction.share(own, other);
                connects[own as usize] = match join {
                    Join::Parallel(..) => both * share,
                    Join::Series(..) => both + (1.0 - both) * share,
                };
            }
        }
        connects.truncate(*links);
        Ok(connects)
    }
}

impl Classes {
    /// The number of forests: a product of one number for each block (the matrix-tree theorem).
    ///
    /// Series and parallel parts are taken off first; for what is left the count is exact within [`Limits::exact`],
    /// which covers blocks of 300 vertices; beyond, rounded; beyond [`Limits::rounded`], refused.
    pub fn count(&self, limits: &Limits) -> Result<TreeCount, Refusal> {
        let mut product = Product::new();
        self.reduced().iter().try_for_each(|block| block.count(&mut product, limits))?;
        product.finish()
    }

    /// The edges of a forest, ascending; each forest is equally likely.
    ///
    /// Where series and parallel parts were taken off, probabilities are rounded to 53 bits.
    pub fn draw(&self, rng: &mut Rng, limits: &Limits) -> Result<Vec<usize>, Refusal> {
        let mut steps = RandomSteps::new(limits.steps);
        let taken = self.reduced().iter().map(|block| block.draw(rng, &mut steps));
        Ok(self.forest(taken.collect::<Result<Vec<_>, _>>()?.iter()))
    }

    /// The edges of the forest that Kruskal's algorithm gives when it takes edges of equal weight by rank, the least
    /// first, and edges of equal rank by id. Every forest is given by some ranks.
    pub fn by_order<K: Ord>(&self, rank: impl Fn(usize) -> K) -> Vec<usize> {
        let mut edges = self.in_any_order(rank);
        edges.sort_unstable();
        edges
    }

    /// As [`Classes::by_order`], the edges in no particular order.
    pub(crate) fn in_any_order<K: Ord>(&self, rank: impl Fn(usize) -> K) -> Vec<usize> {
        let taken = self.blocks.iter().map(|block| {
            let mut order: Vec<usize> = (0..block.links.len()).collect();
            order.sort_by_key(|&link| rank(block.links[link].id as usize));
            block.greedy(order.into_iter())
        });
        self.taken(taken.collect::<Vec<_>>().iter())
    }

    /// How many of the forests use each edge.
    pub fn uses(&self) -> Vec<Use> {
        let of = |place: &Place| match place {
            Place::Nowhere => Use::Never,
            Place::Everywhere => Use::Always,
            Place::Block(_) => Use::Sometimes,
        };
        self.place.iter().map(of).collect()
    }

    /// The share of the forests that use each edge: its effective resistance within its block.
    pub fn marginals(&self, limits: &Limits) -> Result<Vec<f64>, Refusal> {
        let mut marginals = vec![0.0; self.place.len()];
        self.fixed.iter().for_each(|&edge| marginals[edge as usize] = 1.0);
        for (block, reduced) in self.blocks.iter().zip(self.reduced()) {
            for (link, share) in block.links.iter().zip(reduced.marginals(limits)?) {
                marginals[link.id as usize] = share;
            }
        }
        Ok(marginals)
    }

    /// All forests as ascending lists of edges, in a fixed order; memory O(n + m), time O(n log n + m) for each.
    pub fn iter(&self) -> Forests<'_> {
        Forests::new(self)
    }

    fn reduced(&self) -> &[Reduced] {
        self.reduced.get_or_init(|| self.blocks.iter().map(Reduced::new).collect())
    }

    /// The fixed edges and those that are taken, for each link of each block, ascending.
    pub(super) fn forest<'a>(&self, taken: impl Iterator<Item = &'a Vec<bool>>) -> Vec<usize> {
        let mut edges = self.taken(taken);
        edges.sort_unstable();
        edges
    }

    fn taken<'a>(&self, taken: impl Iterator<Item = &'a Vec<bool>>) -> Vec<usize> {
        let mut edges: Vec<usize> = self.fixed.iter().map(|&edge| edge as usize).collect();
        for (block, taken) in self.blocks.iter().zip(taken) {
            edges.extend(block.links.iter().zip(taken).filter(|(_, taken)| **taken).map(|(link, _)| link.id as usize));
        }
        edges
    }
}

impl<'a> IntoIterator for &'a Classes {
    type Item = Vec<usize>;
    type IntoIter = Forests<'a>;
    fn into_iter(self) -> Forests<'a> {
        self.iter()
    }
}
