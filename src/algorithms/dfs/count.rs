//! The exact number of depth-first forests.
//!
//! With r the current vertex, Y the unvisited vertices it reaches and R_Y(c) what child c would visit,
//!
//! ```text
//! N(r, {}) = 1
//! N(r, Y)  = sum over non-empty sets S of children with pairwise disjoint R_Y(c):
//!            (-1)^(|S|+1) * prod_{c in S} N(c, R_Y(c) - c) * N(r, Y - union of the R_Y(c))
//! ```
//! which is inclusion and exclusion over the children that can come first. Children whose sets do not overlap, even
//! indirectly, are counted apart and multiplied. The count of a graph is the product over its trees.
//!
//! States are remembered; their number grows as 2^n on dense graphs, so there is a bound on states and on work.

use super::Restarts;
use super::reach::{Set, Tree, trees};
use crate::algorithms::Intractable;
use crate::graph::Graph;
use num_bigint::{BigInt, BigUint};
use std::collections::HashMap;

/// Terms of the sum, for each state that may be remembered.
const TERMS_PER_STATE: usize = 30;

/// The number of forests, or why it cannot be had.
pub(super) fn count(graph: &Graph, restarts: Restarts, effort: usize) -> Result<BigUint, Intractable> {
    let mut product = BigUint::from(1u32);
    for tree in trees(graph, restarts)? {
        let mut counter = Counter { tree: &tree, known: HashMap::new(), effort, terms: 0 };
        let forests = counter.forests(tree.root, tree.all())?;
        product *= forests.to_biguint().expect("a count is not negative");
    }
    Ok(product)
}

struct Counter<'a> {
    tree: &'a Tree,
    known: HashMap<(usize, Set), BigInt>,
    effort: usize,
    terms: usize,
}

impl Counter<'_> {
    /// N(vertex, unvisited). The depth of the recursion is at most the size of the set, so at most 64.
    fn forests(&mut self, vertex: usize, unvisited: Set) -> Result<BigInt, Intractable> {
        if unvisited == 0 {
            return Ok(BigInt::from(1));
        }
        if let Some(known) = self.known.get(&(vertex, unvisited)) {
            return Ok(known.clone());
        }
        let mut product = BigInt::from(1);
        for group in self.tree.independent_groups(vertex, unvisited) {
            let within = group.iter().fold(0, |union, &(_, visits)| union | visits);
            product *= self.disjoint_sets(vertex, within, &group, 0, &BigInt::from(-1))?;
        }
        if self.known.len() >= self.effort {
            return Err(Intractable(format!("counting needs more than {} states", self.effort)));
        }
        self.known.insert((vertex, unvisited), product.clone());
        Ok(product)
    }

    /// The sum over sets S that extend the chosen one by some of `children`; `signed` is -(-1)^|S| times the product
    /// over what was chosen, `taken` what it visits.
    fn disjoint_sets(
        &mut self,
        vertex: usize,
        within: Set,
        children: &[(usize, Set)],
        taken: Set,
        signed: &BigInt,
    ) -> Result<BigInt, Intractable> {
        let mut sum = BigInt::ZERO;
        for (index, &(child, visits)) in children.iter().enumerate() {
            if taken & visits != 0 {
                continue;
            }
            self.terms += 1;
            if self.terms / TERMS_PER_STATE > self.effort {
                return Err(Intractable(format!("counting needs more than {} terms", self.terms)));
            }
            let below_child = self.forests(child, visits & !(1 << child))?;
            let extended = -(signed * below_child);
            let rest = self.tree.reached(vertex, within & !(taken | visits));
            sum += &extended * self.forests(vertex, rest)?;
            sum += self.disjoint_sets(vertex, within, &children[index + 1..], taken | visits, &extended)?;
        }
        Ok(sum)
    }
}
