//! A choice of solutions that share few edges.
//!
//! The measure is the mean over pairs of [`shared_parts`], 2 |E ∩ F| / (|E| + |F|) for the tree edges of two solutions.
//! Choosing the best k of a pool is hard in general; here solutions are added one by one, each the one that shares
//! least with those already chosen, and then exchanged one at a time for as long as that helps. Of choices with the same
//! mean the more even one is better: two solutions that are nearly the same are little use.

use super::Solution;
use crate::cancel;
use crate::pipeline::metrics::shared_parts;

/// How little the chosen solutions share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diversity {
    /// The mean over pairs of chosen solutions of the share of common edges.
    pub shared: f64,
    /// The same for as many solutions as they were drawn.
    pub as_drawn: f64,
    /// The number of solutions that were chosen from.
    pub pool: usize,
}

/// Numbers that a pool may hold, and comparisons of numbers that choosing may take.
const POOL_NUMBERS: usize = 20_000_000;
const COMPARISONS: usize = 2_000_000_000;
/// Rounds of exchanges.
const ROUNDS: usize = 10;

/// How many solutions to choose k from.
pub(super) fn pool_size(k: usize, n: usize) -> usize {
    let n = n.max(1);
    let affordable = (POOL_NUMBERS / n).min(COMPARISONS / n / k.max(1) / (ROUNDS + 1));
    (20 * k).max(500).min(affordable).max(k)
}

/// Leaves k solutions of the pool; `None` when there is no pair to compare.
pub(super) fn choose(pool: &mut Vec<Solution>, k: usize) -> Option<Diversity> {
    let size = pool.len();
    let as_drawn = mean_shared(pool.iter().take(k));
    let mut chosen = grow(pool, k.min(size));
    exchange(pool, &mut chosen);
    chosen.sort_unstable();
    if mean_shared(chosen.iter().map(|&place| &pool[place])) > as_drawn {
        chosen = (0..k.min(size)).collect();
    }
    let mut place = 0;
    pool.retain(|_| {
        place += 1;
        chosen.binary_search(&(place - 1)).is_ok()
    });
    Some(Diversity { shared: mean_shared(pool.iter())?, as_drawn: as_drawn?, pool: size })
}

fn mean_shared<'a>(solutions: impl Iterator<Item = &'a Solution> + Clone) -> Option<f64> {
    let pairs = solutions.clone().enumerate().flat_map(|(place, one)| {
        let before = solutions.clone().take(place);
        before.map(move |two| shared_parts(&one.candidate, &two.candidate))
    });
    crate::pipeline::metrics::mean(pairs)
}

/// What one solution shares with each, a little more where it is much: that makes choices even.
fn shared_with_each(pool: &[Solution], one: usize) -> Vec<f64> {
    let shared = pool.iter().map(|other| shared_parts(&pool[one].candidate, &other.candidate));
    shared.map(|shared| shared + shared * shared / 100.0).collect()
}

/// Adds, from the first solution on, the one that shares least with those already chosen.
fn grow(pool: &[Solution], k: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..k.min(1)).collect();
    let mut total = vec![0.0; pool.len()];
    while chosen.len() < k {
        cancel::point();
        let newest = shared_with_each(pool, chosen[chosen.len() - 1]);
        total.iter_mut().zip(newest).for_each(|(total, shared)| *total += shared);
        let free = (0..pool.len()).filter(|place| !chosen.contains(place));
        chosen.extend(free.min_by(|&one, &two| total[one].total_cmp(&total[two])));
    }
    chosen
}

/// Exchanges a chosen solution for another while the chosen ones share less by it.
fn exchange(pool: &[Solution], chosen: &mut [usize]) {
    let mut with: Vec<Vec<f64>> = chosen.iter().map(|&one| shared_with_each(pool, one)).collect();
    for _ in 0..ROUNDS {
        let mut improved = false;
        for place in 0..chosen.len() {
            cancel::point();
            let with_others = |other: usize| {
                let others = (0..chosen.len()).filter(|&third| third != place);
                others.map(|third| with[third][other]).sum::<f64>()
            };
            let free = (0..pool.len()).filter(|other| !chosen.contains(other));
            let best = free.map(|other| (with_others(other), other)).min_by(|one, two| one.0.total_cmp(&two.0));
            if let Some((_, other)) = best.filter(|&(shared, _)| shared + 1e-9 < with_others(chosen[place])) {
                chosen[place] = other;
                with[place] = shared_with_each(pool, other);
                improved = true;
            }
        }
        if !improved {
            return;
        }
    }
}
