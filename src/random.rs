//! One portable random generator, and one stream for each (seed, purpose, index).
//!
//! A stream is a ChaCha generator whose key *is* the triple, so no two purposes share numbers, work can be
//! split over threads in any way, and a resumed run needs no stored generator state: it asks for the stream of
//! its step again. Sampling on top of the raw words is written here and pinned by a test, because the sampling
//! code of general libraries changes between versions and a figure made today must be made again tomorrow.

use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};

/// A stream of random numbers that is the same on every machine.
///
/// ```
/// use tiebreak::random::Rng;
/// let mut first = Rng::stream(7, "example", 0);
/// let mut again = Rng::stream(7, "example", 0);
/// assert_eq!(first.next_u64(), again.next_u64());
/// ```
#[derive(Clone, Debug)]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// The stream that belongs to `index` (of a graph, a step, a draw) within `purpose` under `seed`.
    pub fn stream(seed: u64, purpose: &str, index: u64) -> Self {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&fingerprint(purpose.as_bytes()).to_le_bytes());
        key[16..24].copy_from_slice(&index.to_le_bytes());
        key[24..].copy_from_slice(b"tiebreak");
        Rng(ChaCha8Rng::from_seed(key))
    }

    /// A new stream, independent of what this one gives next.
    pub fn split(&mut self, purpose: &str) -> Self {
        Rng::stream(self.next_u64(), purpose, 0)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number in `0..bound`, each equally likely.
    ///
    /// # Panics
    /// If `bound` is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "a choice among nothing");
        let bound = bound as u64;
        // Lemire's method: the high word of a product, with the few biased low words drawn again. Most are known to be fine without the division.
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            if product as u64 >= bound || product as u64 >= bound.wrapping_neg() % bound {
                return (product >> 64) as usize;
            }
        }
    }

    /// A whole number of any size below a bound, each equally likely.
    ///
    /// # Panics
    /// If `bound` is zero.
    pub fn below_large(&mut self, bound: &BigUint) -> BigUint {
        assert!(*bound > BigUint::ZERO, "a choice among nothing");
        let bits = bound.bits();
        loop {
            let words: Vec<u32> = (0..bits.div_ceil(32)).map(|_| self.next_u64() as u32).collect();
            let number = BigUint::new(words) >> (bits.div_ceil(32) * 32 - bits);
            if number < *bound {
                return number;
            }
        }
    }

    /// A number in [0, 1), with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Puts the items in a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// An index drawn with the given weights; `None` when all of them are zero.
pub fn draw(weights: impl Iterator<Item = f64> + Clone, rng: &mut Rng) -> Option<usize> {
    let total: f64 = weights.clone().sum();
    let mut left = rng.unit() * total;
    let mut last_possible = None;
    for (index, weight) in weights.enumerate() {
        if weight > 0.0 {
            if left < weight {
                return Some(index);
            }
            last_possible = Some(index);
        }
        left -= weight;
    }
    // Rounding may leave a crumb behind the last weight.
    last_possible
}

/// FNV-1a: turns a purpose into eight bytes of the key.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_pinned() {
        let mut rng = Rng::stream(0, "graph", 0);
        let words: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        let small: Vec<usize> = (0..8).map(|_| rng.below(10)).collect();
        let mut order: Vec<usize> = (0..6).collect();
        rng.shuffle(&mut order);
        assert_eq!(words, [2372598622520163688, 2279641078865089874, 18302809944974634071]);
        assert_eq!(small, [8, 2, 5, 9, 3, 1, 1, 1]);
        assert_eq!(order, [0, 2, 1, 4, 5, 3]);
    }

    #[test]
    fn purposes_and_indices_do_not_share_numbers() {
        let mut seen = std::collections::HashSet::new();
        for purpose in ["graph", "runs", "draw"] {
            for index in 0..100 {
                assert!(seen.insert(Rng::stream(0, purpose, index).next_u64()));
            }
        }
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::stream(1, "uniform", 0);
        let mut counts = [0usize; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        let chi: f64 = counts.iter().map(|&c| (c as f64 - 1e4).powi(2) / 1e4).sum();
        assert!(chi < 22.5, "chi-square {chi} with 6 degrees of freedom"); // p = .001
    }

    #[test]
    fn draws_follow_the_weights_and_never_take_a_zero() {
        let mut rng = Rng::stream(0, "draws", 0);
        let weights = [0.0, 1.0, 0.0, 3.0, 0.0];
        let mut counts = [0; 5];
        for _ in 0..40_000 {
            counts[draw(weights.iter().copied(), &mut rng).unwrap()] += 1;
        }
        assert_eq!((counts[0], counts[2], counts[4]), (0, 0, 0));
        assert!((counts[1] as f64 - 10_000.0).abs() < 400.0, "{counts:?}");
        assert_eq!(draw([0.0, 0.0].into_iter(), &mut rng), None);
    }
}
