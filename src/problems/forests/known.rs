//! The numbers that a count has found, by state: a vertex at which the search stands, and the set of all that it still has to visit.
//!
//! Such a vertex reaches the whole set, and any other vertex that reaches all of the same vertices, itself included, may stand in its place. The
//! numbers of all of them stand side by side, 4 bytes for each: one search for a set of vertices finds the states of many. On sparse graphs most sets have
//! one vertex that reaches all of it; such a set takes 16 bytes.
//!
//! ```text
//! words   -  {0 1 2}  many  {0 1}  7  ?  {1 2}  1  3       vertices 0 and 1 reach all of {0, 1, 2}: 7 forests from 0, from 1 not yet known;
//!                                                          only 1 reaches all of {1, 2}: 3 forests
//! ```

use super::number::Exact;
use super::reach::Set;
use foldhash::fast::RandomState;
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Known {
    /// For each set, one after the other: the set, in two words; the vertex that reaches all of it, or [`MANY`] and a set of these; and a number for each of
    /// these. The first word is no set's.
    words: Pile<u32>,
    /// Where sets begin in `words`, by their hash; 0 where none does. Bits that no such place needs hold some of the hash: words are far away, and are
    /// looked at only where these agree.
    begins: Vec<u32>,
    /// The bits of `begins` that say where.
    place_bits: u32,
    sets: usize,
    numbers: usize,
    /// What does not fit a word, but two.
    wide: Pile<i64>,
    /// What does not fit these either.
    large: HashMap<usize, Exact, RandomState>,
}

/// The word of a number that is not known yet, and of one that stands among the large ones.
const UNKNOWN: u32 = u32::MAX;
const LARGE: u32 = u32::MAX - 1;
/// Marks the place of a wide number.
const WIDE: u32 = 1 << 31;
/// In place of a vertex.
const MANY: u32 = 64;

/// The numbers of a set.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// Those who reach all of the set: each has a number.
    pub starts: Set,
    /// Where the first of these stands.
    first: usize,
}

impl Block {
    /// The place of the number of one of those who reach all of the set.
    pub fn slot(&self, vertex: usize) -> Slot {
        Slot(self.first + (self.starts & ((1 << vertex) - 1)).count_ones() as usize)
    }
}

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
        let begin = self.words.end_with_room(LONGEST);
        // Four fifths of the places are taken at most.
        if 5 * (self.sets + 1) > 4 * self.begins.len() || begin >> self.place_bits != 0 {
            self.make_room()?;
        }
        let hash = hash(set);
        let mut place = self.first_place(hash);
        let of_hash = u32::MAX.checked_shl(self.place_bits).unwrap_or(0);
        loop {
            let taken = self.begins[place];
            if taken == 0 {
                break;
            }
            let begin = (taken & !of_hash) as usize;
            if (taken ^ hash as u32) & of_hash == 0 {
                let words = self.words.from(begin);
                if set_of(words) == set {
                    let (starts, head) = starts(words);
                    return Some(Block { starts, first: begin + head });
                }
            }
            place = if place + 1 == self.begins.len() { 0 } else { place + 1 };
        }
        let starts = who();
        let (begin, first) = self.put(set, starts);
        self.begins[place] = begin as u32 | (hash as u32 & of_hash);
        self.sets += 1;
        Some(Block { starts, first })
    }

    /// Puts a set behind all others, with numbers that are not known yet; says where it begins, and its numbers.
    fn put(&mut self, set: Set, who: Set) -> (usize, usize) {
        let (words, begin) = self.words.room(LONGEST);
        let before = words.len();
        words.extend([set as u32, (set >> 32) as u32]);
        match who.count_ones() {
            1 => words.push(who.trailing_zeros()),
            _ => words.extend([MANY, who as u32, (who >> 32) as u32]),
        }
        let head = words.len() - before;
        words.extend(std::iter::repeat_n(UNKNOWN, who.count_ones() as usize));
        (begin, begin + head)
    }

    pub fn get(&self, slot: Slot) -> Option<Exact> {
        match self.small(slot) {
            Some(small) => Some(Exact::Small(small.into())),
            None => self.large.get(&slot.0).cloned(),
        }
    }

    /// As [`Known::get`] for what fits two words.
    pub fn small(&self, Slot(slot): Slot) -> Option<i64> {
        match self.words.from(slot)[0] {
            UNKNOWN | LARGE => None,
            word if word & WIDE != 0 => Some(self.wide.from((word & !WIDE) as usize)[0]),
            word => Some(word.into()),
        }
    }

    pub fn insert(&mut self, Slot(slot): Slot, number: &Exact) {
        self.numbers += 1;
        let small = match number {
            Exact::Small(number) => i64::try_from(*number).ok(),
            Exact::Large(_) => None,
        };
        let word = match small {
            Some(small) if (0..i64::from(WIDE)).contains(&small) => small as u32,
            Some(small) if self.wide.end_with_room(1) < (LARGE & !WIDE) as usize => {
                let (wide, place) = self.wide.room(1);
                wide.push(small);
                WIDE | place as u32
            }
            _ => {
                self.large.insert(slot, number.clone());
                LARGE
            }
        };
        self.words.set(slot, word);
    }

    /// More places, and all sets dealt anew; `None` where 32 bits do not say where a set begins.
    fn make_room(&mut self) -> Option<()> {
        if self.words.end_with_room(LONGEST) == 0 {
            self.words.room(1).0.push(0);
        }
        let end = self.words.end_with_room(LONGEST);
        u32::try_from(end).ok()?;
        // One bit more than now, so that there can be twice as many words.
        self.place_bits = (usize::BITS - end.leading_zeros() + 1).min(32);
        self.begins = vec![];
        self.begins = vec![0; (2 * (self.sets + 1)).max(64)];
        let of_hash = u32::MAX.checked_shl(self.place_bits).unwrap_or(0);
        for (first, chunk) in self.words.chunks() {
            let mut at = usize::from(first == 0);
            while at < chunk.len() {
                let hash = hash(set_of(&chunk[at..]));
                let mut place = self.first_place(hash);
                while self.begins[place] != 0 {
                    place = if place + 1 == self.begins.len() { 0 } else { place + 1 };
                }
                self.begins[place] = (first + at) as u32 | (hash as u32 & of_hash);
                let (starts, head) = starts(&chunk[at..]);
                at += head + starts.count_ones() as usize;
            }
        }
        Some(())
    }

    /// The place at which a search for a set begins: the upper bits say it, so that the lower ones are free to tell sets apart that begin there.
    fn first_place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.begins.len() as u128) >> 64) as usize
    }
}

/// A set, by its words.
fn set_of(words: &[u32]) -> Set {
    Set::from(words[0]) | Set::from(words[1]) << 32
}

/// Those who reach all of a set, by its words, and the number of words before the first number.
fn starts(words: &[u32]) -> (Set, usize) {
    match words[2] {
        MANY => (Set::from(words[3]) | Set::from(words[4]) << 32, 5),
        vertex => (1 << vertex, 3),
    }
}

/// Both halves of a product, twice: sets that differ in few vertices, as most do, must not stand close to each other.
fn hash(set: Set) -> u64 {
    let folded = |one: u64, other: u64| {
        let product = u128::from(one) * u128::from(other);
        product as u64 ^ (product >> 64) as u64
    };
    folded(folded(set ^ 0x2545_f491_4f6c_dd1d, 0x9e37_79b9_7f4a_7c15), 0xd6e8_feb8_6659_fd93)
}

/// A long list in chunks: it grows without being copied, and without room for as much again.
struct Pile<T>(Vec<Vec<T>>);

/// The items of a chunk, at most.
const CHUNK: usize = 1 << 16;
/// The most words that a set takes.
const LONGEST: usize = 5 + 64;

impl<T> Default for Pile<T> {
    fn default() -> Self {
        Pile(vec![])
    }
}

impl<T: Copy> Pile<T> {
    /// The item at a place, and those after it in its chunk.
    fn from(&self, place: usize) -> &[T] {
        &self.0[place / CHUNK][place % CHUNK..]
    }

    fn set(&mut self, place: usize, item: T) {
        self.0[place / CHUNK][place % CHUNK] = item;
    }

    /// Where the next items go, of which there are at most so many.
    fn end_with_room(&self, items: usize) -> usize {
        match self.0.last() {
            Some(last) if last.len() + items <= CHUNK => (self.0.len() - 1) * CHUNK + last.len(),
            _ => self.0.len() * CHUNK,
        }
    }

    /// The chunk that so many items can be put to, and the place of the first of them.
    fn room(&mut self, items: usize) -> (&mut Vec<T>, usize) {
        let end = self.end_with_room(items);
        if end == self.0.len() * CHUNK {
            // The first may stay small.
            self.0.push(if end == 0 { vec![] } else { Vec::with_capacity(CHUNK) });
        }
        let last = self.0.len() - 1;
        (&mut self.0[last], end)
    }

    /// Each chunk, and the place of its first item.
    fn chunks(&self) -> impl Iterator<Item = (usize, &[T])> {
        self.0.iter().enumerate().map(|(index, chunk)| (index * CHUNK, &chunk[..]))
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
                let slot = block.slot(vertex);
                assert_eq!(known.get(slot), None);
                known.insert(slot, &numbers[(set as usize + place) % numbers.len()]);
            }
        }
        for set in 0..1000u64 {
            let block = known.block(set << 40 | who, || unreachable!("it is known")).unwrap();
            assert_eq!(block.starts, who);
            for (place, vertex) in [0, 2, 63].into_iter().enumerate() {
                let number = &numbers[(set as usize + place) % numbers.len()];
                assert_eq!(known.get(block.slot(vertex)).as_ref(), Some(number));
            }
        }
        assert_eq!(known.len(), 3000);
    }
}
