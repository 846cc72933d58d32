//! The learnt maps as tables: all that execution reads, and all that a certificate has to check.

use super::frame::{Frame, PairClass, PairScalar, Part, Status};
use crate::instance::Weight;

/// One table for each learnt map.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The domains.
    pub frame: &'static Frame,
    /// For each pair class how strongly it is preferred; a pair below 1 is never selected.
    pub level: Vec<i32>,
    /// For each pair class the scalar that decides within a level.
    pub first: Vec<Choice>,
    /// For each pair class the scalar that decides when the first is equal.
    pub second: Vec<Choice>,
    /// The node map.
    pub next_state: Vec<u8>,
    /// The pointer map.
    pub next_pointer: Vec<bool>,
    /// The new register as a multiple of the sender's, of the weight, and of the receiver's own.
    pub register: [i64; 3],
}

/// A scalar, and whether the largest or the smallest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its place among the frame's scalars.
    pub scalar: u8,
    /// True when the largest wins.
    pub largest: bool,
}

/// What decides between pairs: the largest wins, one part after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairScore {
    /// The level.
    pub level: i32,
    /// The first scalar, negated where the smallest wins.
    pub first: Weight,
    /// The second scalar, likewise.
    pub second: Weight,
}

impl Tables {
    /// The score of a pair, or `None` when it cannot be selected. `scalar` gives the pair's numbers.
    pub fn score(&self, class: usize, scalar: impl Fn(PairScalar) -> Weight) -> Option<PairScore> {
        let level = self.level[class];
        if level < 1 {
            return None;
        }
        let signed = |choice: Choice| match (scalar(self.frame.scalars[usize::from(choice.scalar)]), choice.largest) {
            (value, true) => value,
            (value, false) => value.saturating_neg(),
        };
        Some(PairScore { level, first: signed(self.first[class]), second: signed(self.second[class]) })
    }

    /// The next state of a vertex.
    pub fn next_state(&self, own: u8, part: Part) -> u8 {
        self.next_state[self.frame.node_index(own, part)]
    }

    /// The next pointer bit of a pair; `class` is the number of its class.
    pub fn next_pointer(&self, class: usize, status: Status) -> bool {
        self.next_pointer[self.frame.pointer_index(class, status)]
    }

    /// What a receiver carries after it selected a sender. Exact; a wrong map's numbers stop at the ends of their range.
    pub fn proposal(&self, sender: Weight, weight: Weight, receiver: Weight) -> Weight {
        let terms = [sender, weight, receiver].into_iter().zip(self.register);
        terms.fold(0, |sum: Weight, (value, factor)| sum.saturating_add(value.saturating_mul(Weight::from(factor))))
    }

    /// The level of a class.
    pub fn level_of(&self, class: PairClass) -> i32 {
        self.level[self.frame.pair_index(class)]
    }

    /// The scalar of a choice, and whether the largest wins.
    pub fn meaning(&self, choice: Choice) -> (PairScalar, bool) {
        (self.frame.scalars[usize::from(choice.scalar)], choice.largest)
    }
}

/// A number that looks random, for ties between equal scores: it depends on the run, the step and the pair.
pub(super) fn tie_key(seed: u64, step: usize, pair: usize) -> u64 {
    // SplitMix64's finaliser, twice, so that neighbouring steps and pairs are unrelated.
    let mix = |mut x: u64| {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    mix(mix(seed.wrapping_add(step as u64 + 1)).wrapping_add(pair as u64 + 1))
}
