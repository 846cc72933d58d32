//! The law of greedy runs with random ties: how likely each task of a pool is to be chosen.
//!
//! A random order is a random priority u for each task, and the greedy set is the best one by priority. By deadlines it comes about so: of the tasks
//! due by the first point as many as fit, the best ones; of those and the next group again the best ones, and so on. The number of survivors that are
//! better than u after a group is thus min(cap, number before + binomial), a Markov chain for given u, and a task with priority u
//! survives a group exactly when fewer than the cap are better. The chance given u is a polynomial of u, which
//! Gauss-Legendre quadrature integrates exactly.

use super::Pool;
use crate::problems::Intractable;

/// Steps of all chains together that are affordable: some seconds.
const MAX_STEPS: u128 = 3_000_000_000;

/// The chance of each task to be chosen, in the order of the pool.
pub(super) fn chances(pool: &Pool) -> Result<Vec<f64>, Intractable> {
    let groups = pool.groups();
    let tasks: usize = groups.iter().map(|&(_, count)| count).sum();
    if let [(_, count)] = groups[..] {
        return Ok(vec![pool.size() as f64 / count as f64; count]);
    }
    if (tasks as u128).pow(2) * pool.size() as u128 > MAX_STEPS {
        return Err(Intractable(format!("the law of ties among {tasks} equally heavy tasks takes too long")));
    }
    let mut of_group = vec![0.0; groups.len()];
    for (node, weight) in legendre(tasks.div_ceil(2)) {
        let chances = given_priority(&groups, (1.0 + node) / 2.0);
        of_group.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += weight / 2.0 * chance);
    }
    Ok(groups.iter().zip(of_group).flat_map(|(&(_, count), chance)| vec![chance.clamp(0.0, 1.0); count]).collect())
}

/// The chance that a task of each group survives when others are better than it with chance `better`.
fn given_priority(groups: &[(usize, usize)], better: f64) -> Vec<f64> {
    // From the last group back: the chance to survive all groups after one, by the number of better survivors of that one.
    let mut after = vec![vec![1.0; groups.last().map_or(1, |group| group.0)]];
    for (place, &(cap, count)) in groups.iter().enumerate().skip(1).rev() {
        let (chances, next) = (binomial(count, better), &after[after.len() - 1]);
        let survives =
            |met: usize| chances.iter().zip(&next[met.min(next.len())..]).map(|(chance, rest)| chance * rest).sum();
        let most = groups[place - 1].0.min(cap);
        after.push((0..most).map(survives).collect());
    }
    after.reverse();
    let mut before = vec![1.0];
    let mut survival = vec![];
    for (&(cap, count), after) in groups.iter().zip(&after) {
        let others = binomial(count - 1, better);
        let meets = |met: usize| {
            others.iter().zip(&after[met.min(after.len())..]).map(|(chance, rest)| chance * rest).sum::<f64>()
        };
        survival.push(before.iter().enumerate().map(|(met, chance)| chance * meets(met)).sum());
        let mut next = vec![0.0; cap + 1];
        for (met, chance) in before.iter().enumerate() {
            for (more, share) in binomial(count, better).iter().enumerate() {
                next[(met + more).min(cap)] += chance * share;
            }
        }
        before = next;
    }
    survival
}

/// The chances of 0, 1, …, `count` successes.
fn binomial(count: usize, chance: f64) -> Vec<f64> {
    let mut shares = vec![1.0];
    for _ in 0..count {
        let mut next = vec![0.0; shares.len() + 1];
        for (successes, share) in shares.iter().enumerate() {
            next[successes] += share * (1.0 - chance);
            next[successes + 1] += share * chance;
        }
        shares = next;
    }
    shares
}

/// The nodes and weights of Gauss-Legendre quadrature on [-1, 1], by Newton's method.
fn legendre(count: usize) -> Vec<(f64, f64)> {
    let at = |x: f64| {
        let (mut before, mut now) = (1.0, x);
        for degree in 2..=count {
            let k = degree as f64;
            (before, now) = (now, ((2.0 * k - 1.0) * x * now - (k - 1.0) * before) / k);
        }
        (now, count as f64 * (x * now - before) / (x * x - 1.0))
    };
    let node = |place: usize| {
        let mut x = (std::f64::consts::PI * (place as f64 + 0.75) / (count as f64 + 0.5)).cos();
        for _ in 0..100 {
            let (value, slope) = at(x);
            x -= value / slope;
            if (value / slope).abs() < 1e-15 {
                break;
            }
        }
        let slope = at(x).1;
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).map(node).collect()
}
