//! The table of ideals for parts of at most 64 vertices without demands on neighbours: an ideal is a word, and a number of ways 128 bits.

use super::ideals::Effort;
use crate::problems::Intractable;
use crate::random::Rng;
use foldhash::fast::RandomState;
use num_bigint::BigUint;
use std::collections::HashMap;

/// The most vertices.
pub(super) const MAX_NARROW: usize = 64;

/// For each ideal, by its size, the number of ways to go on.
pub(super) struct NarrowTable {
    n: usize,
    /// The predecessors of each vertex.
    before: Vec<u64>,
    levels: Vec<HashMap<u64, u128, RandomState>>,
}

impl NarrowTable {
    /// `None` where 128 bits do not hold the number of orders.
    pub fn new(n: usize, arcs: &[(usize, usize)], effort: &mut Effort) -> Result<Option<Self>, Intractable> {
        let mut table = NarrowTable { n, before: predecessors(n, arcs), levels: vec![HashMap::from_iter([(0, 0)])] };
        for size in 0..n {
            let mut larger = HashMap::default();
            for &ideal in table.levels[size].keys() {
                larger.extend(table.next(ideal).map(|vertex| (ideal | 1 << vertex, 0)));
                effort.check(n, larger.len())?;
            }
            effort.left -= larger.len();
            table.levels.push(larger);
        }
        Ok(table.fill().then_some(table))
    }

    /// The vertices that can come next after an ideal, ascending.
    fn next(&self, ideal: u64) -> impl Iterator<Item = usize> + '_ {
        next(&self.before, ideal)
    }

    /// False where a number does not fit.
    fn fill(&mut self) -> bool {
        self.levels[self.n].values_mut().for_each(|ways| *ways = 1);
        for size in (0..self.n).rev() {
            let mut level = std::mem::take(&mut self.levels[size]);
            for (&ideal, ways) in &mut level {
                let mut after = self.next(ideal).map(|vertex| self.levels[size + 1][&(ideal | 1 << vertex)]);
                match after.try_fold(0u128, u128::checked_add) {
                    Some(sum) => *ways = sum,
                    None => return false,
                }
            }
            self.levels[size] = level;
        }
        true
    }

    pub fn count(&self) -> BigUint {
        BigUint::from(self.levels[0][&0])
    }

    /// An order, each equally likely.
    pub fn draw(&self, rng: &mut Rng) -> Vec<usize> {
        let mut ideal = 0;
        let mut order = Vec::with_capacity(self.n);
        for size in 0..self.n {
            let place = rng.below_large(&BigUint::from(self.levels[size][&ideal]));
            let mut place = u128::try_from(place).expect("it is below a number of 128 bits");
            let is_it = |&vertex: &usize| {
                let ways = self.levels[size + 1][&(ideal | 1 << vertex)];
                let is_here = place < ways;
                place = place.wrapping_sub(ways);
                is_here
            };
            let next = self.next(ideal).find(is_it).expect("the place is below the sum");
            order.push(next);
            ideal |= 1 << next;
        }
        order
    }
}

/// The predecessors of each vertex.
fn predecessors(n: usize, arcs: &[(usize, usize)]) -> Vec<u64> {
    let mut before = vec![0; n];
    arcs.iter().for_each(|&(tail, head)| before[head] |= 1 << tail);
    before
}

fn next(before: &[u64], ideal: u64) -> impl Iterator<Item = usize> + '_ {
    (0..before.len()).filter(move |&vertex| ideal >> vertex & 1 == 0 && before[vertex] & !ideal == 0)
}

/// The number of orders alone, by the ways that lead to each ideal: only ideals of one size and of the next are held, and each is looked for once.
/// `None` where 128 bits do not hold it.
pub(super) fn count(n: usize, arcs: &[(usize, usize)], effort: &mut Effort) -> Result<Option<u128>, Intractable> {
    let before = predecessors(n, arcs);
    let mut level: HashMap<u64, u128, RandomState> = HashMap::from_iter([(0, 1)]);
    for _ in 0..n {
        let mut larger: HashMap<u64, u128, RandomState> = HashMap::default();
        for (&ideal, &ways) in &level {
            for vertex in next(&before, ideal) {
                let sum = larger.entry(ideal | 1 << vertex).or_insert(0);
                match sum.checked_add(ways) {
                    Some(more) => *sum = more,
                    None => return Ok(None),
                }
            }
            effort.check(n, larger.len())?;
        }
        effort.left -= larger.len();
        level = larger;
    }
    Ok(level.values().next().copied())
}
