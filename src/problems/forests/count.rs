//! The exact number of depth-first forests, of all of them or of those that a person's demands allow.
//!
//! With r the current vertex, Y the unvisited vertices it reaches and R_Y(c) what child c would visit,
//!
//! ```text
//! N(r, {}) = 1
//! N(r, Y)  = sum over non-empty sets S of children with pairwise disjoint R_Y(c):
//!            (-1)^(|S|+1) * prod_{c in S} N(c, R_Y(c) - c) * N(r, Y - union of the R_Y(c))
//! ```
//! which is inclusion and exclusion over the children that can come first. Children that would visit the same are one term: S has at most one of
//! them. Children whose sets do not overlap, even
//! indirectly, are counted apart and multiplied. The count of a graph is the product over its trees. Where only some
//! children are allowed, S runs over those, and what no allowed child visits leaves no forest.
//!
//! States are remembered; their number grows as 2^n on dense graphs, so there is a bound on states and on work.

use super::known::{Block, Known, Slot};
use super::number::Exact;
use super::reach::{Set, Tree, members};
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
    /// The same for states at a virtual root, which is in no set.
    known_at_root: Known,
    effort: usize,
    terms: usize,
}

/// Children that visit the same vertices, whichever of them comes first: a set S has at most one of them.
struct Class {
    visits: Set,
    /// In how many ways one of them and what is below it can be visited.
    ways: Exact,
}

impl Counter {
    pub fn new(tree: Tree, effort: usize) -> Self {
        Counter { tree, known: Known::default(), known_at_root: Known::default(), effort, terms: 0 }
    }

    /// The number of forests of the whole tree, as part of a graph for which so many states are left.
    pub fn count_within(&mut self, left: &mut usize) -> Result<BigUint, Intractable> {
        let effort = std::mem::replace(&mut self.effort, *left);
        let too_many = |_| Intractable(format!("counting needs more than {effort} states"));
        let count = self.count().map_err(too_many);
        self.effort = effort;
        *left = left.saturating_sub(self.states().max(self.terms / TERMS_PER_STATE));
        count
    }

    /// The number of forests of the whole tree.
    pub fn count(&mut self) -> Result<BigUint, Intractable> {
        let forests = self.forests(self.tree.root, self.tree.all())?;
        Ok(forests.big().to_biguint().expect("a count is not negative"))
    }

    fn states(&self) -> usize {
        self.known.len() + self.known_at_root.len()
    }

    fn too_many_states(&self) -> Intractable {
        Intractable(format!("counting needs more than {} states", self.effort))
    }

    /// N(vertex, unvisited), of a vertex that reaches all of these. The depth of the recursion is at most the size of the set, so at most 64.
    pub fn forests(&mut self, vertex: usize, unvisited: Set) -> Result<Exact, Intractable> {
        if unvisited == 0 {
            return Ok(Exact::ONE);
        }
        if vertex == self.tree.vertices.len() {
            let block = self.known_at_root.block(unvisited, || 1).ok_or_else(|| self.too_many_states())?;
            let slot = block.slot(0);
            return match self.known_at_root.get(slot) {
                Some(known) => Ok(known),
                None => {
                    let forests = self.count_state(vertex, unvisited)?;
                    self.known_at_root.insert(slot, &forests);
                    Ok(forests)
                }
            };
        }
        let set = unvisited | 1 << vertex;
        let block = self.block(vertex, set)?;
        self.state(vertex, unvisited, block.slot(vertex))
    }

    /// The states of a set, all of which a vertex reaches.
    fn block(&mut self, vertex: usize, set: Set) -> Result<Block, Intractable> {
        let Counter { known, tree, .. } = self;
        known.block(set, || tree.reaching(vertex, set)).ok_or_else(|| self.too_many_states())
    }

    /// As [`Counter::forests`] where it is known where its number stands.
    fn state(&mut self, vertex: usize, unvisited: Set, slot: Slot) -> Result<Exact, Intractable> {
        if let Some(known) = self.known.get(slot) {
            return Ok(known);
        }
        // What visits nothing is a state, too, where it has a slot, but none that is remembered.
        if unvisited == 0 {
            return Ok(Exact::ONE);
        }
        let forests = self.count_state(vertex, unvisited)?;
        self.known.insert(slot, &forests);
        Ok(forests)
    }

    fn count_state(&mut self, vertex: usize, unvisited: Set) -> Result<Exact, Intractable> {
        cancel::point();
        let forests = self.product_of_groups(vertex, unvisited)?;
        match self.states() >= self.effort {
            true => Err(self.too_many_states()),
            false => Ok(forests),
        }
    }

    fn product_of_groups(&mut self, vertex: usize, unvisited: Set) -> Result<Exact, Intractable> {
        let (mut classes, mut visited) = (vec![], 0);
        let mut children = self.tree.next_children(vertex, unvisited);
        while children != 0 {
            let (class, members) = self.class(children, unvisited)?;
            children &= !members;
            visited |= class.visits;
            // Mostly all children visit all of it.
            if class.visits == unvisited && children == 0 && classes.is_empty() {
                return Ok(class.ways);
            }
            classes.push(class);
        }
        let mut product = if visited == unvisited { Exact::ONE } else { Exact::ZERO };
        while let Some(class) = classes.pop() {
            let (mut within, mut group) = (class.visits, vec![class]);
            while let Some(place) = classes.iter().position(|other| other.visits & within != 0) {
                let class = classes.swap_remove(place);
                within |= class.visits;
                group.push(class);
            }
            product = product.times(&self.disjoint_sets(vertex, within, &group, 0, &Exact::Small(-1))?);
        }
        Ok(product)
    }

    /// The class of the least of some children, and those of them who are in it.
    fn class(&mut self, children: Set, unvisited: Set) -> Result<(Class, Set), Intractable> {
        let child = children.trailing_zeros() as usize;
        let visits = 1 << child | self.tree.reached(child, unvisited);
        let block = self.block(child, visits)?;
        let starts = block.starts & children;
        self.add_terms(starts.count_ones() as usize)?;
        let (mut sum, mut large) = (0, Exact::ZERO);
        for start in members(starts) {
            let slot = block.slot(start);
            match self.known.small(slot) {
                // At most 64 of 64 bits.
                Some(small) => sum += i128::from(small),
                None => large = large.plus(&self.state(start, visits & !(1 << start), slot)?),
            }
        }
        Ok((Class { visits, ways: large.plus(&Exact::Small(sum)) }, starts))
    }

    fn add_terms(&mut self, terms: usize) -> Result<(), Intractable> {
        self.terms += terms;
        match self.terms / TERMS_PER_STATE > self.effort {
            true => Err(Intractable(format!("counting needs more than {} terms", self.terms))),
            false => Ok(()),
        }
    }

    /// The sum over sets S that extend the chosen one by some of `classes`; `signed` is -(-1)^|S| times the product
    /// over what was chosen, `taken` what it visits.
    fn disjoint_sets(
        &mut self,
        vertex: usize,
        within: Set,
        classes: &[Class],
        taken: Set,
        signed: &Exact,
    ) -> Result<Exact, Intractable> {
        let mut sum = Exact::ZERO;
        for (index, Class { visits, ways }) in classes.iter().enumerate() {
            if taken & visits != 0 || *ways == Exact::ZERO {
                continue;
            }
            self.add_terms(1)?;
            cancel::point();
            let extended = signed.times(ways).negated();
            let rest = self.tree.reached(vertex, within & !(taken | visits));
            sum = sum.plus(&extended.times(&self.forests(vertex, rest)?));
            let others = self.disjoint_sets(vertex, within, &classes[index + 1..], taken | visits, &extended)?;
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
            let classes = apart.iter().map(|&(other, visits)| {
                let ways = self.forests(other, visits & !(1 << other))?;
                Ok(Class { visits, ways })
            });
            let classes = classes.collect::<Result<Vec<Class>, Intractable>>()?;
            let others = self.disjoint_sets(vertex, within, &classes, visits, &below_child)?;
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
