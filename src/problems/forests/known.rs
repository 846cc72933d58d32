//! The numbers that a count has found, by state: a vertex at which the search stands, and the set of all that it still has to visit.
//!
//! Such a vertex reaches the whole set, and any other vertex that reaches all of the same vertices, itself included, may stand in its place. The
//! numbers of all of them stand side by side, 8 bytes for each: one search for a set of vertices finds the states of many.
//!
//! ```text
//! words   -  {0 1 2}  {0 1}  7  ?  {1 2}  {1}  3       vertices 0 and 1 reach all of {0, 1, 2}: 7 forests from 0, from 1 not yet known
//! ```

use super::number::Exact;
use super::reach::Set;
use foldhash::fast::RandomState;
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Known {
    /// For each set, one after the other: the set, those who reach all of it, and a number for each of these. The first word is no set's.
    words: Vec<u64>,
    /// Where sets begin in `words`, by their hash; 0 where none does. At most half of them are taken.
    begins: Vec<u32>,
    sets: usize,
    numbers: usize,
    /// What does not fit a word.
    large: HashMap<usize, Exact, RandomState>,
}

/// The word of a number that is not known yet, and of one that stands among the large ones.
const UNKNOWN: i64 = i64::MIN;
const LARGE: i64 = i64::MIN + 1;

/// Where the numbers of a set stand.
#[derive(Clone, Copy)]
pub(super) struct Block(usize);

/// Where a number stands.
#[derive(Clone, Copy)]
pub(super) struct Slot(usize);

impl Known {
    /// How many numbers are known.
    pub fn len(&self) -> usize {
        self.numbers
    }

    /// The numbers of a set; `who` says who reaches all of it, where it is new. `None` where there is no place for more.
    pub fn block(&mut self, set: Set, who: impl FnOnce() -> Set) -> Option<Block> {
        if 2 * (self.sets + 1) > self.begins.len() {
            self.make_room();
        }
        let mut place = self.first_place(set);
        loop {
            match self.begins[place] as usize {
                0 => break,
                begin if self.words[begin] == set => return Some(Block(begin)),
                _ => place = (place + 1) & (self.begins.len() - 1),
            }
        }
        let begin = self.words.len();
        self.begins[place] = u32::try_from(begin).ok()?;
        self.sets += 1;
        let who = who();
        let grown = begin + 2 + who.count_ones() as usize;
        if grown > self.words.capacity() {
            // Less than twice as much: half of it would mostly stay empty.
            self.words.reserve_exact(grown.max(begin + begin / 4) - begin);
        }
        self.words.extend([set, who]);
        self.words.resize(grown, UNKNOWN as u64);
        Some(Block(begin))
    }

    /// Those who reach all of the set.
    pub fn starts(&self, Block(begin): Block) -> Set {
        self.words[begin + 1]
    }

    /// The place of the number of one of those.
    pub fn slot(&self, Block(begin): Block, vertex: usize) -> Slot {
        let before = self.words[begin + 1] & ((1 << vertex) - 1);
        Slot(begin + 2 + before.count_ones() as usize)
    }

    pub fn get(&self, Slot(slot): Slot) -> Option<Exact> {
        match self.words[slot] as i64 {
            UNKNOWN => None,
            LARGE => self.large.get(&slot).cloned(),
            small => Some(Exact::Small(small.into())),
        }
    }

    /// As [`Known::get`] for what fits a word.
    pub fn small(&self, Slot(slot): Slot) -> Option<i64> {
        Some(self.words[slot] as i64).filter(|&number| number != UNKNOWN && number != LARGE)
    }

    pub fn insert(&mut self, Slot(slot): Slot, number: &Exact) {
        let small = match number {
            Exact::Small(number) => i64::try_from(*number).ok().filter(|&small| small > LARGE),
            Exact::Large(_) => None,
        };
        if small.is_none() {
            self.large.insert(slot, number.clone());
        }
        self.numbers += 1;
        self.words[slot] = small.unwrap_or(LARGE) as u64;
    }

    /// Twice as many places, and all sets dealt anew.
    fn make_room(&mut self) {
        if self.words.is_empty() {
            self.words.push(0);
        }
        self.begins = vec![];
        self.begins = vec![0; (2 * (self.sets + 2)).next_power_of_two().max(64)];
        let mut begin = 1;
        while begin < self.words.len() {
            let mut place = self.first_place(self.words[begin]);
            while self.begins[place] != 0 {
                place = (place + 1) & (self.begins.len() - 1);
            }
            self.begins[place] = begin as u32;
            begin += 2 + self.words[begin + 1].count_ones() as usize;
        }
    }

    /// Both halves of a product, twice: sets that differ in few vertices, as most do, must not stand close to each other.
    fn first_place(&self, set: Set) -> usize {
        let folded = |one: u64, other: u64| {
            let product = u128::from(one) * u128::from(other);
            product as u64 ^ (product >> 64) as u64
        };
        let mixed = folded(folded(set ^ 0x2545_f491_4f6c_dd1d, 0x9e37_79b9_7f4a_7c15), 0xd6e8_feb8_6659_fd93);
        mixed as usize & (self.begins.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    #[test]
    fn what_is_known_comes_back_whatever_its_size_and_however_many_sets_there_are() {
        let mut known = Known::default();
        let huge = Exact::of(BigInt::from(7).pow(100));
        let small = [0, 1, -5, i128::from(i64::MAX), i128::from(i64::MIN), i128::from(i64::MIN) + 1, i128::MAX];
        let numbers: Vec<Exact> = small.into_iter().map(Exact::Small).chain([huge]).collect();
        let who = 1 << 63 | 0b101;
        for set in 0..1000u64 {
            let block = known.block(set << 40 | who, || who).unwrap();
            for (place, vertex) in [0, 2, 63].into_iter().enumerate() {
                let slot = known.slot(block, vertex);
                assert_eq!(known.get(slot), None);
                known.insert(slot, &numbers[(set as usize + place) % numbers.len()]);
            }
        }
        for set in 0..1000u64 {
            let block = known.block(set << 40 | who, || unreachable!("it is known")).unwrap();
            assert_eq!(known.starts(block), who);
            for (place, vertex) in [0, 2, 63].into_iter().enumerate() {
                let number = &numbers[(set as usize + place) % numbers.len()];
                assert_eq!(known.get(known.slot(block, vertex)).as_ref(), Some(number));
            }
        }
        assert_eq!(known.len(), 3000);
    }
}
