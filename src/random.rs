//! One portable random generator, and one stream for each (seed, purpose, index).
//!
//! A stream is a ChaCha generator whose key *is* the triple, so no two purposes share numbers, work can be
//! split over threads in any way, and a resumed run needs no stored generator state: it asks for the stream of
//! its step again. Sampling on top of the raw words is written here and pinned by a test, because the sampling
//! code of general libraries changes between versions and a figure made today must be made again tomorrow.

use num_bigint::BigUint;
use rand_chacha::ChaCha8Core;
use rand_chacha::rand_core::SeedableRng;
use rand_chacha::rand_core::block::Generator;

/// As many words as the generator makes at once.
const AT_ONCE: usize = 32;
/// Where the words that were made ahead end.
const END: usize = AT_ONCE + 1;

/// A stream of random numbers that is the same on every machine.
///
/// ```
/// use tiebreak::random::Rng;
/// let mut first = Rng::stream(7, "example", 0);
/// let mut again = Rng::stream(7, "example", 0);
/// assert_eq!(first.next_u64(), again.next_u64());
/// ```
#[derive(Clone, Debug)]
pub struct Rng {
    core: ChaCha8Core,
    /// Words made ahead, of which those from `next` on are not taken yet. The first place is for one that is left when the others are made anew.
    words: [u64; END],
    next: usize,
}

/// The streams of one purpose under a seed, one for each index: what they share is worked out once.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    key: [u8; 32],
}

impl Streams {
    /// Those of `purpose` under `seed`.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&fingerprint(purpose.as_bytes()).to_le_bytes());
        key[24..].copy_from_slice(b"tiebreak");
        Streams { key }
    }

    /// The stream that belongs to `index`.
    pub fn of(mut self, index: u64) -> Rng {
        self.key[16..24].copy_from_slice(&index.to_le_bytes());
        Rng { core: ChaCha8Core::from_seed(self.key), words: [0; END], next: END }
    }
}

impl Rng {
    /// The stream that belongs to `index` (of a graph, a step, a draw) within `purpose` under `seed`.
    pub fn stream(seed: u64, purpose: &str, index: u64) -> Self {
        Streams::new(seed, purpose).of(index)
    }

    /// A new stream, independent of what this one gives next.
    pub fn split(&mut self, purpose: &str) -> Self {
        Rng::stream(self.next_u64(), purpose, 0)
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let next = self.ensured(self.next, 1);
        self.next = next + 1;
        self.words[next]
    }

    /// Where the next words are, the one or two that are wanted: they are made where they are not there yet.
    #[inline]
    fn ensured(&mut self, next: usize, wanted: usize) -> usize {
        if next + wanted <= END { next } else { self.refill(next) }
    }

    /// Makes new words where none or one is left.
    #[cold]
    #[inline(never)]
    fn refill(&mut self, next: usize) -> usize {
        let mut halves = [0u32; 2 * AT_ONCE];
        self.core.generate(&mut halves);
        self.words[0] = self.words[AT_ONCE];
        let words = halves.chunks_exact(2).map(|halves| u64::from(halves[0]) | u64::from(halves[1]) << 32);
        self.words[1..].iter_mut().zip(words).for_each(|(word, new)| *word = new);
        next - AT_ONCE
    }

    /// A whole number in `0..bound`, each equally likely.
    ///
    /// # Panics
    /// If `bound` is zero.
    #[inline]
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
        self.exchanges(items.len(), |last, other| items.swap(last, other));
    }

    /// The exchanges that put so many items in a uniformly random order: each from the last to the second changes places with itself or an earlier one.
    #[inline]
    pub(crate) fn exchanges(&mut self, items: usize, mut exchange: impl FnMut(usize, usize)) {
        // A copy of `self.next`, here and below, because it can stay in a register.
        let mut next = self.next;
        for last in (1..items).rev() {
            next = self.ensured(next, 1);
            let product = u128::from(self.words[next]) * (last as u128 + 1);
            let mut other = (product >> 64) as usize;
            next += 1;
            // Nearly never: the word may have to be drawn again.
            if product as u64 <= last as u64 {
                self.next = next - 1;
                other = self.below(last + 1);
                next = self.next;
            }
            exchange(last, other);
        }
        self.next = next;
    }

    /// Tosses so many coins, each true with probability `p`, and draws a number below `bound` after each that is true: [`Rng::chance`] and [`Rng::below`] in
    /// turn. The number beside a coin that is false says nothing. No branch depends on a coin, which no processor could guess.
    #[inline]
    pub(crate) fn coins_with_numbers(&mut self, coins: usize, p: f64, bound: usize, mut give: impl FnMut(bool, usize)) {
        let (limit, mut next) = (coin_limit(p), self.next);
        for _ in 0..coins {
            next = self.ensured(next, 2);
            let is_true = self.words[next] >> 11 < limit;
            let product = u128::from(self.words[next + 1]) * bound as u128;
            let mut number = (product >> 64) as usize;
            next += 1 + usize::from(is_true);
            // Nearly never, and asked before the coin: the word may have to be drawn again.
            if (product as u64) < bound as u64 {
                (number, next) = self.again(is_true, bound, next);
            }
            give(is_true, number);
        }
        self.next = next;
    }

    /// The number beside a coin, drawn with care, and where the next words are.
    #[cold]
    #[inline(never)]
    fn again(&mut self, is_true: bool, bound: usize, next: usize) -> (usize, usize) {
        if !is_true {
            return (0, next);
        }
        self.next = next - 1;
        (self.below(bound), self.next)
    }

    /// The next words.
    pub(crate) fn fill(&mut self, mut words: &mut [u64]) {
        while !words.is_empty() {
            let next = self.ensured(self.next, 1);
            let count = words.len().min(END - next);
            let (now, later) = words.split_at_mut(count);
            now.copy_from_slice(&self.words[next..next + count]);
            (words, self.next) = (later, next + count);
        }
    }

    /// Draws what [`Rng::shuffle`] draws for so many items: for whoever needs no order, but the same numbers afterwards.
    pub fn skip_shuffle(&mut self, items: usize) {
        self.exchanges(items, |_, _| {});
    }

    /// Tosses so many coins, each true with probability `p`: [`Rng::chance`] for each.
    #[inline]
    pub(crate) fn coins(&mut self, coins: usize, p: f64, mut give: impl FnMut(bool)) {
        let (limit, mut next) = (coin_limit(p), self.next);
        for _ in 0..coins {
            next = self.ensured(next, 1);
            give(self.words[next] >> 11 < limit);
            next += 1;
        }
        self.next = next;
    }
}

/// The whole numbers below it are those that, divided by 2^53, are below `p`. Multiplying by a power of two is exact.
fn coin_limit(p: f64) -> u64 {
    (p * (1u64 << 53) as f64).ceil() as u64
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
    fn a_shuffle_that_nobody_needs_draws_the_same_numbers() {
        for items in 0..40 {
            let [mut shuffled, mut skipped] = [(); 2].map(|()| Rng::stream(3, "shuffles", items));
            shuffled.shuffle(&mut (0..items).collect::<Vec<_>>());
            skipped.skip_shuffle(items as usize);
            assert_eq!(shuffled.next_u64(), skipped.next_u64());
        }
    }

    #[test]
    fn words_are_those_of_the_generator_one_by_one_however_they_are_taken() {
        use rand_chacha::rand_core::Rng as _;
        for p in [0.0, 1e-300, 0.1, 0.5, 0.73, 1.0 - f64::EPSILON / 2.0, 1.0] {
            for coins in [0, 1, 15, 16, 17, 31, 32, 33, 200] {
                let mut rng = Rng::stream(coins, "coins", 0);
                let mut one_by_one = rng.clone();
                rng.coins_with_numbers(coins as usize, p, 3, |is_true, number| {
                    assert_eq!(one_by_one.chance(p), is_true);
                    assert!(!is_true || one_by_one.below(3) == number);
                });
                rng.coins(coins as usize, p, |is_true| assert_eq!(one_by_one.chance(p), is_true));
                let mut words = vec![0; coins as usize];
                rng.fill(&mut words);
                assert!(words.iter().all(|&word| word == one_by_one.next_u64()));
                assert_eq!(rng.next_u64(), one_by_one.next_u64());
            }
        }
        // Words of zero have to be drawn again.
        for zeros in 0..40 {
            let mut rng = Rng::stream(0, "again", zeros);
            rng.next_u64();
            rng.words[8..].iter_mut().take(zeros as usize).for_each(|word| *word = 0);
            let mut one_by_one = rng.clone();
            rng.exchanges(50, |last, other| assert_eq!(one_by_one.below(last + 1), other));
            rng.coins_with_numbers(50, 1.0, 3, |_, number| {
                assert!(one_by_one.chance(1.0));
                assert_eq!(one_by_one.below(3), number);
            });
        }
        let mut rng = Streams::new(3, "words").of(5);
        let mut generator = rand_chacha::ChaCha8Rng::from(rng.core.clone());
        assert!((0..200).all(|_| rng.next_u64() == generator.next_u64()));
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
