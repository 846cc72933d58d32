//! The exact number of depth-first forests, of all of them or of those that a person's demands allow.
//!
//! With r the current vertex, Y the unvisited vertices it reaches and R_Y(c) what child c would visit,
//!
//! ```text
//! N(r, {}) = 1
//! N(r, Y)  = sum over non-empty sets S of children with pairwise disjoint R_Y(c):
//!            (-1)^(|S|+1) * prod_{c in S} N(c, R_Y(c) - c) * N(r, Y - union of the R_Y(c))
//! ```
//! which is inclusion and exclusion over the children that can come first. Children whose sets do not overlap, even
//! indirectly, are counted apart and multiplied. The count of a graph is the product over its trees. Where only some
//! children are allowed, S runs over those, and what no allowed child visits leaves no forest.
//!
//! States are remembered; their number grows as 2^n on dense graphs, so there is a bound on states and on work.

use super::number::{Exact, Known};
use super::reach::{Set, Tree};
use crate::cancel;
use crate::problems::Intractable;
use crate::random::Rng;
use num_bigint::{BigInt, BigUint};

/// Terms of the sum, for each state that may be remembered.
const TERMS_PER_STATE: usize = 30;

/// Counts the forests of one tree, and remembers what it counted.
pub(super) struct Counter {
    pub tree: Tree,
    known: Known,
    effort: usize,
    terms: usize,
}

impl Counter {
    pub fn new(tree: Tree, effort: usize) -> Self {
        Counter { tree, known: Known::default(), effort, terms: 0 }
    }

    /// The number of forests of the whole tree, as part of a graph for which so many states are left.
    pub fn count_within(&mut self, left: &mut usize) -> Result<BigUint, Intractable> {
        let effort = std::mem::replace(&mut self.effort, *left);
        let too_many = |_| Intractable(format!("counting needs more than {effort} states"));
        let count = self.count().map_err(too_many);
        self.effort = effort;
        *left = left.saturating_sub(self.known.len().max(self.terms / TERMS_PER_STATE));
        count
    }

    /// The number of forests of the whole tree.
    pub fn count(&mut self) -> Result<BigUint, Intractable> {
        let forests = self.forests(self.tree.root, self.tree.all())?;
        Ok(forests.big().to_biguint().expect("a count is not negative"))
    }

    /// N(vertex, unvisited). The depth of the recursion is at most the size of the set, so at most 64.
    pub fn forests(&mut self, vertex: usize, unvisited: Set) -> Result<Exact, Intractable> {
        if unvisited == 0 {
            return Ok(Exact::ONE);
        }
        if let Some(known) = self.known.get(vertex, unvisited) {
            return Ok(known);
        }
        cancel::point();
        let (mut product, mut visited) = (Exact::ONE, 0);
        for group in self.tree.independent_groups(vertex, unvisited) {
            let within = group.iter().fold(0, |union, &(_, visits)| union | visits);
            product = product.times(&self.disjoint_sets(vertex, within, &group, 0, &Exact::Small(-1))?);
            visited |= within;
        }
        if visited != unvisited {
            product = Exact::ZERO;
        }
        if self.known.len() >= self.effort {
            return Err(Intractable(format!("counting needs more than {} states", self.effort)));
        }
        self.known.insert(vertex, unvisited, &product);
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
        signed: &Exact,
    ) -> Result<Exact, Intractable> {
        let mut sum = Exact::ZERO;
        for (index, &(child, visits)) in children.iter().enumerate() {
            if taken & visits != 0 {
                continue;
            }
            self.terms += 1;
            cancel::point();
            if self.terms / TERMS_PER_STATE > self.effort {
                return Err(Intractable(format!("counting needs more than {} terms", self.terms)));
            }
            let below_child = self.forests(child, visits & !(1 << child))?;
            if below_child == Exact::ZERO {
                continue;
            }
            let extended = signed.times(&below_child).negated();
            let rest = self.tree.reached(vertex, within & !(taken | visits));
            sum = sum.plus(&extended.times(&self.forests(vertex, rest)?));
            let others = self.disjoint_sets(vertex, within, &children[index + 1..], taken | visits, &extended)?;
            sum = sum.plus(&others);
        }
        Ok(sum)
    }

    /// One allowed forest, each equally likely; `give(child, parent)` sees its edges, by index within the tree. There
    /// must be a forest.
    ///
    /// A forest's children that could come first are settled from the least on: child c is the least of them in a
    /// number of forests that inclusion and exclusion over lesser children gives. Having taken c, the lesser ones that
    /// do not touch it are *banned*: they may not turn out to be children that could have come first.
    pub fn draw(&mut self, rng: &mut Rng, mut give: impl FnMut(usize, usize)) -> Result<(), Intractable> {
        self.terms = 0;
        let mut waiting = vec![(self.tree.root, self.tree.all(), 0)];
        while let Some((vertex, unvisited, banned)) = waiting.pop() {
            for group in self.tree.independent_groups(vertex, unvisited) {
                let within = group.iter().fold(0, |union, &(_, visits)| union | visits);
                let shares = self.least_first(vertex, within, group, banned)?;
                let Some(Share { child, visits, banned, .. }) = pick(&shares, rng) else {
                    unreachable!("only states with a forest are entered");
                };
                give(*child, vertex);
                waiting.push((*child, visits & !(1 << child), 0));
                waiting.push((vertex, self.tree.reached(vertex, within & !visits), *banned));
            }
        }
        Ok(())
    }

    /// For each child of a group that is not banned the number of forests in which it is the least child that could
    /// come first, and no banned one could.
    fn least_first(
        &mut self,
        vertex: usize,
        within: Set,
        mut group: Vec<(usize, Set)>,
        banned: Set,
    ) -> Result<Vec<Share>, Intractable> {
        group.sort_unstable();
        let mut shares = vec![];
        for &(child, visits) in group.iter().filter(|&&(child, _)| banned >> child & 1 == 0) {
            let may_not = |other: usize| other < child || banned >> other & 1 == 1;
            let apart = group.iter().filter(|&&(other, seen)| may_not(other) && seen & visits == 0);
            let apart: Vec<(usize, Set)> = apart.copied().collect();
            let below_child = self.forests(child, visits & !(1 << child))?;
            let rest = self.forests(vertex, self.tree.reached(vertex, within & !visits))?;
            let others = self.disjoint_sets(vertex, within, &apart, visits, &below_child)?;
            let forests = below_child.times(&rest).plus(&others).big();
            let banned = apart.iter().fold(0, |set, &(other, _)| set | 1 << other);
            shares.push(Share { child, visits, banned, forests });
        }
        Ok(shares)
    }
}

/// A child, what it visits, who is banned once it is taken, and in how many forests that is so.
struct Share {
    child: usize,
    visits: Set,
    banned: Set,
    forests: BigInt,
}

/// One of the shares, as likely as its number of forests says; `None` when all are zero.
fn pick<'a>(shares: &'a [Share], rng: &mut Rng) -> Option<&'a Share> {
    let all =
        shares.iter().map(|share| &share.forests).sum::<BigInt>().to_biguint().filter(|all| *all > BigUint::ZERO)?;
    let mut place = BigInt::from(rng.below_large(&all));
    shares.iter().find(|share| {
        place -= &share.forests;
        place < BigInt::ZERO
    })
}
