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

/// Numbers that a pool may hold, and comparisons of numbers that choosing from more than are wanted may take.
const POOL_NUMBERS: usize = 20_000_000;
const COMPARISONS: usize = 2_000_000_000;
/// The most comparisons where nobody could ask for fewer, and the most pairs of which it is known what they share.
const MOST_COMPARISONS: usize = 10 * COMPARISONS;
const MOST_PAIRS: usize = 50_000_000;
/// Rounds of exchanges.
const ROUNDS: usize = 10;

/// How many solutions to choose k from.
pub(super) fn pool_size(k: usize, n: usize) -> usize {
    let n = n.max(1);
    let affordable = (POOL_NUMBERS / n).min(COMPARISONS / n / k.max(1) / (ROUNDS + 1)).min(MOST_PAIRS / k.max(1));
    k.saturating_mul(20).max(500).min(affordable).max(k)
}

/// Whether so many solutions can be compared with each other.
fn can_compare(k: usize, n: usize) -> bool {
    let pairs = k.saturating_mul(k);
    pairs <= MOST_PAIRS && pairs.saturating_mul(n * (ROUNDS + 1)) <= MOST_COMPARISONS
}

/// Leaves k solutions of the pool, each with so many slots, and says how little they share; a note where they are too many for that, and then they are
/// the first ones.
pub(super) fn chosen(pool: &mut Vec<Solution>, k: usize, n: usize, notes: &mut Vec<String>) -> Option<Diversity> {
    let size = pool.len().min(k);
    if can_compare(size, n) {
        return choose(pool, k);
    }
    pool.truncate(k);
    notes.push(format!("not chosen for what they share: {size} solutions are too many to compare all with each other"));
    None
}

/// Leaves k solutions of the pool; `None` when there is no pair to compare.
fn choose(pool: &mut Vec<Solution>, k: usize) -> Option<Diversity> {
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
    let mut is_chosen = are_among(pool.len(), &chosen);
    while chosen.len() < k {
        cancel::point();
        let newest = shared_with_each(pool, chosen[chosen.len() - 1]);
        total.iter_mut().zip(newest).for_each(|(total, shared)| *total += shared);
        let free = (0..pool.len()).filter(|&place| !is_chosen[place]);
        let Some(next) = free.min_by(|&one, &two| total[one].total_cmp(&total[two])) else { break };
        is_chosen[next] = true;
        chosen.push(next);
    }
    chosen
}

/// Exchanges a chosen solution for another while the chosen ones share less by it.
fn exchange(pool: &[Solution], chosen: &mut [usize]) {
    let mut with: Vec<Vec<f64>> = chosen.iter().map(|&one| shared_with_each(pool, one)).collect();
    let mut total = vec![0.0; pool.len()];
    with.iter().for_each(|own| total.iter_mut().zip(own).for_each(|(total, shared)| *total += shared));
    let mut is_chosen = are_among(pool.len(), chosen);
    for _ in 0..ROUNDS {
        let mut improved = false;
        for place in 0..chosen.len() {
            cancel::point();
            let with_others = |other: usize| total[other] - with[place][other];
            let free = (0..pool.len()).filter(|&other| !is_chosen[other]);
            let best = free.map(|other| (with_others(other), other)).min_by(|one, two| one.0.total_cmp(&two.0));
            if let Some((_, other)) = best.filter(|&(shared, _)| shared + 1e-9 < with_others(chosen[place])) {
                (is_chosen[chosen[place]], is_chosen[other]) = (false, true);
                chosen[place] = other;
                let own = shared_with_each(pool, other);
                let before = std::mem::replace(&mut with[place], own);
                let change = with[place].iter().zip(before).map(|(now, before)| now - before);
                total.iter_mut().zip(change).for_each(|(total, change)| *total += change);
                improved = true;
            }
        }
        if !improved {
            return;
        }
    }
}

fn are_among(size: usize, some: &[usize]) -> Vec<bool> {
    let mut are = vec![false; size];
    some.iter().for_each(|&place| are[place] = true);
    are
}
