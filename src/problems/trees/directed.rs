//! The answers about arborescences: how many, one at random, all of them, and how often each arc occurs.

use super::arborescences::{Arborescences, NONE};
use super::count::{Product, TreeCount, Weight};
use super::elimination::Conductances;
use super::parent_arrays::ParentArrays;
use super::wilson::{RandomSteps, Walks, wilson};
use super::{Dominators, Limits, Refusal, Use, hitting};
use crate::random::Rng;
use num_bigint::BigUint;

impl Arborescences {
    /// The number of trees: the product of the numbers of parents of vertices that choose freely, and of a determinant
    /// for each other component (the directed matrix-tree theorem).
    ///
    /// Exact within [`Limits::exact`], which covers components of 300 vertices; beyond, rounded; beyond
    /// [`Limits::rounded`], refused.
    pub fn count(&self, limits: &Limits) -> Result<TreeCount, Refusal> {
        let mut product = Product::new();
        if !self.any() {
            product.times(BigUint::ZERO);
            return product.finish();
        }
        for vertex in (0..self.n()).filter(|&vertex| self.is_free(vertex)) {
            product.times(BigUint::from(self.parents_of(vertex).len()));
        }
        let mut local = vec![0; self.n()];
        for knot in self.knots() {
            let rows = self.rows(knot, &mut local);
            // The weights are the numbers of parents outside, by vertex, and then the one of every arc inside.
            let outside = rows.iter().map(|&(_, outside)| Weight::Whole(outside as u64));
            let weights: Vec<Weight> = outside.chain([Weight::Whole(1)]).collect();
            let ones = |inside: Vec<u32>| inside.into_iter().map(|parent| (parent, knot.len() as u32)).collect();
            let rows = rows.into_iter().enumerate().map(|(own, (inside, _))| (ones(inside), own as u32));
            let network = Conductances::new(rows);
            product.times_trees(&network, &weights, limits)?;
        }
        product.finish()
    }

    /// A tree as a parent array, each equally likely; the root and vertices that are not wanted are their own parents.
    /// `None` when there is no tree.
    ///
    /// Without components of several vertices it takes O(n) steps; see [`Limits::steps`] for those with.
    pub fn draw(&self, rng: &mut Rng, limits: &Limits) -> Result<Option<Vec<usize>>, Refusal> {
        self.draw_by(&mut |parents| rng.below(parents.len()), limits)
    }

    /// As [`Self::draw`], where `pick` chooses among possible parents: the place of one of them, uniformly if the draw is to be.
    pub fn draw_by(
        &self,
        pick: &mut dyn FnMut(&[u32]) -> usize,
        limits: &Limits,
    ) -> Result<Option<Vec<usize>>, Refusal> {
        if !self.any() {
            return Ok(None);
        }
        let mut steps = RandomSteps::new(limits.steps);
        let mut walks = Walks::new(self.n());
        for component in 0..self.components {
            wilson(self.members.of(component), &mut steps, &mut walks, |vertex| {
                let parents = self.parents_of(vertex);
                let parent = parents[pick(parents)];
                (parent, (self.component[parent as usize] == component as u32).then_some(parent))
            })?;
        }
        let parent = |vertex| if self.component[vertex] == NONE { vertex } else { walks.choice(vertex) };
        Ok(Some((0..self.n()).map(parent).collect()))
    }

    /// How many of the trees use each arc, in the order of [`Self::arcs`], in time O(m log n).
    ///
    /// An arc is in some tree exactly when the root reaches its tail without passing its head, and in all trees exactly
    /// when it is the only such arc into its head.
    pub fn uses(&self) -> Vec<Use> {
        if !self.any() {
            return vec![Use::Never; self.parents.len()];
        }
        let knotted = self.knots().next().is_some();
        let dominators = knotted.then(|| Dominators::new(self.n(), self.root, self.arcs()));
        let possible = |parent: u32, child: usize| {
            self.component[parent as usize] != self.component[child]
                || dominators.as_ref().is_none_or(|dominators| !dominators.dominates(child, parent as usize))
        };
        let mut uses = Vec::with_capacity(self.parents.len());
        for child in 0..self.n() {
            let first = uses.len();
            let use_of = |&parent| if possible(parent, child) { Use::Sometimes } else { Use::Never };
            uses.extend(self.parents_of(child).iter().map(use_of));
            let mut used = uses[first..].iter_mut().filter(|used| **used == Use::Sometimes);
            if let (Some(only), None) = (used.next(), used.next()) {
                *only = Use::Always;
            }
        }
        uses
    }

    /// The share of the trees that use each arc, in the order of [`Self::arcs`]; all zero when there is no tree.
    pub fn marginals(&self, limits: &Limits) -> Result<Vec<f64>, Refusal> {
        if !self.any() {
            return Ok(vec![0.0; self.parents.len()]);
        }
        let mut marginals = Vec::with_capacity(self.parents.len());
        for vertex in 0..self.n() {
            let own = self.parents_of(vertex).len();
            marginals.extend(std::iter::repeat_n(1.0 / own as f64, own));
        }
        let mut local = vec![0; self.n()];
        for knot in self.knots() {
            let vertices = knot.len();
            if hitting::work(vertices) > limits.rounded {
                return Err(Refusal::Marginals { vertices, limit: limits.rounded });
            }
            let rows = self.rows(knot, &mut local).into_iter();
            let ones = |inside: Vec<u32>| inside.into_iter().map(|parent| (parent, 1.0)).collect();
            let network = Conductances::new(rows.map(|(inside, outside)| (ones(inside), outside as f64)));
            let parents = hitting::parents(&network).ok_or(Refusal::Underflow { vertices })?;
            let mut inside = parents.inside.into_iter();
            for (&vertex, outside) in knot.iter().zip(parents.outside) {
                let vertex = vertex as usize;
                let is_inside = |&parent: &u32| self.component[parent as usize] == self.component[vertex];
                let others = self.parents_of(vertex).iter().filter(|parent| !is_inside(parent)).count();
                for (place, parent) in self.parents_of(vertex).iter().enumerate() {
                    let share = if is_inside(parent) { inside.next() } else { Some(outside / others as f64) };
                    marginals[self.first[vertex] + place] = share.expect("one for each arc inside");
                }
            }
        }
        Ok(marginals)
    }

    /// All trees as parent arrays, in lexicographic order; memory O(n + m), time O(n + km) for each, k the size of the
    /// largest component and m the arcs in it.
    pub fn iter(&self) -> ParentArrays<'_> {
        ParentArrays::new(self)
    }

    /// For each vertex of a component its parents in it, by place in the component, and the number of others.
    fn rows(&self, knot: &[u32], local: &mut [u32]) -> Vec<(Vec<u32>, usize)> {
        knot.iter().enumerate().for_each(|(place, &vertex)| local[vertex as usize] = place as u32);
        let row = |&vertex: &u32| {
            let parents = self.parents_of(vertex as usize).iter();
            let inside = parents.filter(|&&parent| self.component[parent as usize] == self.component[vertex as usize]);
            let inside: Vec<u32> = inside.map(|&parent| local[parent as usize]).collect();
            let outside = self.parents_of(vertex as usize).len() - inside.len();
            (inside, outside)
        };
        knot.iter().map(row).collect()
    }
}
