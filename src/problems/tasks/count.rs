//! How many largest sets a pool has, and uniform draws of them.
//!
//! Tasks are taken group by group ([`Pool::groups`]): f(k) is the number of ways to have k tasks of the groups so far, and taking j of the next c
//! tasks multiplies it by c over j, as long as no more than allowed are due by the group's point. With a single group any tasks will do.

use super::Pool;
use crate::problems::Intractable;
use crate::random::Rng;
use num_bigint::BigUint;

/// The counts of one pool.
pub(super) struct Table {
    count: BigUint,
    groups: Vec<(usize, usize)>,
    /// For each group but the last, f(k) after it.
    ways: Vec<Vec<BigUint>>,
}

impl Table {
    /// Counts; `effort` bounds the products that are formed.
    pub fn new(pool: &Pool, effort: usize) -> Result<Self, Intractable> {
        let groups = pool.groups();
        let (size, tasks) = (pool.size(), groups.iter().map(|&(_, count)| count).sum::<usize>());
        if let [(_, count)] = groups[..] {
            if count > 10 * effort {
                return Err(Intractable(format!("the number of ways to choose {size} of {count} tasks is too long")));
            }
            return Ok(Table { count: binomial(count, size), groups, ways: vec![] });
        }
        // Each group has a product for each number of tasks so far and of the group, of numbers as long as the pool has tasks.
        let work = (size as u128) * (tasks as u128) * (1 + tasks as u128 / 64);
        if work > 50 * effort as u128 {
            return Err(Intractable(format!(
                "{size} of {tasks} equally heavy tasks with {} deadlines can be chosen in too many ways to be counted",
                groups.len()
            )));
        }
        let mut ways = vec![vec![BigUint::from(1u32)]];
        for &(most, count) in &groups {
            let before = &ways[ways.len() - 1];
            let mut after = vec![BigUint::ZERO; most.min(before.len() - 1 + count) + 1];
            for (chosen, times) in row(count).take(most + 1).enumerate() {
                for (sum, before) in after[chosen..].iter_mut().zip(before) {
                    *sum += &times * before;
                }
            }
            ways.push(after);
        }
        let count = ways.pop().and_then(|last| last.into_iter().nth(size)).unwrap_or_default();
        ways.remove(0);
        Ok(Table { count, groups, ways })
    }

    pub fn count(&self) -> &BigUint {
        &self.count
    }

    /// A largest set, each equally likely.
    pub fn draw(&self, pool: &Pool, rng: &mut Rng) -> Vec<usize> {
        let tasks: Vec<usize> = pool.tasks().collect();
        let (mut end, mut left) = (tasks.len(), pool.size());
        let one = [BigUint::from(1u32)];
        let mut set = Vec::with_capacity(left);
        for (place, &(_, count)) in self.groups.iter().enumerate().rev() {
            let before = if place == 0 { &one[..] } else { &self.ways[place - 1][..] };
            let chosen = if place == 0 { left } else { draw_share(before, count, left, rng) };
            let mut group = tasks[end - count..end].to_vec();
            // The first steps of a shuffle.
            for first in 0..chosen {
                group.swap(first, first + rng.below(count - first));
            }
            set.extend_from_slice(&group[..chosen]);
            (end, left) = (end - count, left - chosen);
        }
        set
    }
}

/// How many of a group's tasks are taken when so many are left to take, each set equally likely.
fn draw_share(before: &[BigUint], count: usize, left: usize, rng: &mut Rng) -> usize {
    let shares = row(count).take(left + 1).enumerate().filter(|(chosen, _)| left - chosen < before.len());
    let shares: Vec<(usize, BigUint)> =
        shares.map(|(chosen, times)| (chosen, times * &before[left - chosen])).collect();
    let mut place = rng.below_large(&shares.iter().map(|(_, share)| share).sum());
    for (chosen, share) in shares {
        if place < share {
            return chosen;
        }
        place -= share;
    }
    unreachable!("the place is below the sum of the shares")
}

/// c over 0, 1, …, c.
fn row(count: usize) -> impl Iterator<Item = BigUint> {
    let next = move |(chosen, times): &(usize, BigUint)| {
        (*chosen < count).then(|| (chosen + 1, times * (count - chosen) / (chosen + 1)))
    };
    std::iter::successors(Some((0, BigUint::from(1u32))), next).map(|(_, times)| times)
}

/// The number of sets of `chosen` among `count`: a product of primes, which keeps all factors short until the end.
fn binomial(count: usize, chosen: usize) -> BigUint {
    let mut is_prime = vec![true; count + 1];
    let mut factors: Vec<BigUint> = vec![];
    for prime in 2..=count {
        if !is_prime[prime] {
            continue;
        }
        (prime * prime..=count).step_by(prime).for_each(|multiple| is_prime[multiple] = false);
        // By Kummer the exponent is the number of carries when the two parts are added in base `prime`.
        let (mut one, mut other, mut carry) = (chosen, count - chosen, 0);
        while one > 0 || other > 0 {
            carry = usize::from(one % prime + other % prime + carry >= prime);
            if carry == 1 {
                factors.push(BigUint::from(prime));
            }
            (one, other) = (one / prime, other / prime);
        }
    }
    while factors.len() > 1 {
        factors = factors.chunks(2).map(|pair| pair.iter().product()).collect();
    }
    factors.pop().unwrap_or(BigUint::from(1u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_agree_with_their_rows() {
        for count in 0..60 {
            assert!(row(count).enumerate().all(|(chosen, times)| binomial(count, chosen) == times));
        }
    }
}
