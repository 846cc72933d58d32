//! The names of vertices, numbered in the order in which they first appear.
//!
//! Reading a large edge list is mostly looking up names, and that is mostly waiting for memory. So names stand in one
//! text, whole numbers below four million find their vertex without hashing, the hash table has eight bytes a slot,
//! and [`Names::intern_all`] looks up many names at once, so that one waits while the others are on their way. (The
//! hash is seeded anew in each process; nothing depends on it.)

use super::eight_bytes::short_number;
use super::{Problem, ReadOptions};
use crate::instance::MAX_VERTICES;
use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hasher};

/// The names of vertices in the order in which they came.
pub(super) struct Names {
    /// All names, one after the other, and where each starts; the last entry is where the next one will.
    text: Vec<u8>,
    starts: Vec<usize>,
    /// For the whole number i the vertex of that name plus one, or 0.
    numbers: Vec<u32>,
    others: Table,
    hasher: RandomState,
    limit: usize,
    /// What [`Names::intern_all`] keeps of each name between its steps.
    found: Vec<Found>,
}

/// Names that are whole numbers below this stand in a plain table, which then takes 16 MB at the most.
const PLAIN_NUMBERS: usize = 1 << 22;

/// A name that is being looked up.
#[derive(Clone, Copy)]
enum Found {
    /// A number of the plain table.
    Number(u32),
    /// The hash of another name, and the slot that it leads to.
    Word { hash: u64, slot: u64 },
}

impl Names {
    pub fn new(options: &ReadOptions) -> Self {
        Names {
            text: vec![],
            starts: vec![0],
            numbers: vec![],
            others: Table::default(),
            hasher: RandomState::default(),
            limit: options.vertex_limit(),
            found: vec![],
        }
    }

    /// The index of `name`, a new one if it was never seen.
    pub fn intern(&mut self, name: &str) -> Result<u32, Problem> {
        match self.get(name) {
            Some(index) => Ok(index),
            None => self.add(name),
        }
    }

    /// As [`Names::intern`] for the parts of a text, in their order; adds the indices to `indices`.
    pub fn intern_all(&mut self, text: &str, parts: &[(u32, u32)], indices: &mut Vec<u32>) -> Result<(), Problem> {
        let name = |&(start, end): &(u32, u32)| &text[start as usize..end as usize];
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        // Each of these loops asks memory for something that does not depend on the answer before.
        found.extend(parts.iter().map(|part| self.begin_finding(text, part)));
        let mut touched = 0;
        for found in &found {
            if let Some(index) = found.candidate() {
                touched ^= self.text[self.starts[index as usize]];
            }
        }
        std::hint::black_box(touched);
        for (part, found) in parts.iter().zip(&found) {
            let name = name(part);
            let known = match *found {
                Found::Number(number) => self.numbered(number as usize),
                Found::Word { hash, .. } => self.word(hash, name.as_bytes()),
            };
            indices.push(match known {
                Some(index) => index,
                None => self.add(name)?,
            });
        }
        self.found = found;
        Ok(())
    }

    #[inline]
    fn begin_finding(&self, text: &str, &(start, end): &(u32, u32)) -> Found {
        let (start, end) = (start as usize, end as usize);
        let name = &text.as_bytes()[start..end];
        let number = match short_number(text.as_bytes(), start, end) {
            Some(number) => Some(number as usize).filter(|&number| is_plain(number, name)),
            None => plain_number(name),
        };
        if let Some(number) = number {
            return Found::Number(number as u32);
        }
        let hash = hash(&self.hasher, name);
        Found::Word { hash, slot: self.others.first_slot(hash) }
    }

    #[inline]
    fn numbered(&self, number: usize) -> Option<u32> {
        self.numbers.get(number).and_then(|&index| index.checked_sub(1))
    }

    /// The index of a new vertex; one of that name must not exist.
    pub fn declare(&mut self, name: &str) -> Result<u32, Problem> {
        match self.get(name) {
            Some(_) => Err(Problem::RepeatedVertex { name: name.to_owned() }),
            None => self.add(name),
        }
    }

    /// The index of a vertex that must exist.
    pub fn find(&self, name: &str) -> Result<u32, Problem> {
        self.get(name).ok_or_else(|| Problem::UnknownVertex { name: name.to_owned() })
    }

    #[inline]
    pub fn get(&self, name: &str) -> Option<u32> {
        if let Some(number) = plain_number(name.as_bytes()) {
            return self.numbered(number);
        }
        self.word(hash(&self.hasher, name.as_bytes()), name.as_bytes())
    }

    #[inline]
    fn word(&self, hash: u64, name: &[u8]) -> Option<u32> {
        self.others.find(hash, |index| self.bytes(index as usize) == name)
    }

    fn add(&mut self, name: &str) -> Result<u32, Problem> {
        if self.len() >= self.limit {
            return Err(Problem::TooManyVertices { vertices: self.limit as u64 + 1, limit: self.limit });
        }
        let index = self.len() as u32;
        self.text.extend_from_slice(name.as_bytes());
        self.starts.push(self.text.len());
        match plain_number(name.as_bytes()) {
            Some(number) => {
                if number >= self.numbers.len() {
                    self.numbers.resize((number + 1).next_power_of_two(), 0);
                }
                self.numbers[number] = index + 1;
            }
            None => {
                let (text, starts, hasher) = (&self.text, &self.starts, &self.hasher);
                let rehash = |other: u32| hash(hasher, &text[starts[other as usize]..starts[other as usize + 1]]);
                self.others.insert(hash(hasher, name.as_bytes()), index, rehash);
            }
        }
        Ok(index)
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    fn bytes(&self, index: usize) -> &[u8] {
        &self.text[self.starts[index]..self.starts[index + 1]]
    }

    pub fn name(&self, index: usize) -> &str {
        // It was a text when it came.
        std::str::from_utf8(self.bytes(index)).unwrap_or("")
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.name(index))
    }

    pub fn into_list(self) -> Vec<String> {
        self.iter().map(str::to_owned).collect()
    }
}

impl Found {
    /// The vertex that it may be.
    #[inline]
    fn candidate(&self) -> Option<u32> {
        match *self {
            Found::Number(_) => None,
            Found::Word { hash, slot } => candidate(slot, hash),
        }
    }
}

/// Open addressing: a slot has half of a hash and an index plus one, or zero.
#[derive(Default)]
struct Table {
    slots: Vec<u64>,
    used: usize,
}

/// The index in a slot, if it may be the one with that hash.
#[inline]
fn candidate(slot: u64, hash: u64) -> Option<u32> {
    (slot != 0 && slot >> 32 == hash >> 32).then(|| slot as u32 - 1)
}

impl Table {
    #[inline]
    fn first_slot(&self, hash: u64) -> u64 {
        if self.slots.is_empty() { 0 } else { self.slots[hash as usize & (self.slots.len() - 1)] }
    }

    #[inline]
    fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            if let Some(index) = candidate(self.slots[at], hash).filter(|&index| is_it(index)) {
                return Some(index);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Adds an index that is not there; `rehash` tells the hash of one that is.
    fn insert(&mut self, hash: u64, index: u32, rehash: impl Fn(u32) -> u64) {
        // At most half full, so that searches end soon.
        if 2 * (self.used + 1) > self.slots.len() {
            let larger = vec![0; (2 * self.slots.len()).max(64)];
            let smaller = std::mem::replace(&mut self.slots, larger);
            for slot in smaller.into_iter().filter(|&slot| slot != 0) {
                self.put(rehash(slot as u32 - 1), slot as u32 - 1);
            }
        }
        self.put(hash, index);
        self.used += 1;
    }

    fn put(&mut self, hash: u64, index: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = (hash >> 32 << 32) | u64::from(index + 1);
    }
}

#[inline]
fn hash(hasher: &RandomState, name: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(name);
    state.finish()
}

/// The whole number that a name is, if it is written in the one usual way and is small.
#[inline]
fn plain_number(name: &[u8]) -> Option<usize> {
    if name.is_empty() || name.len() > 7 {
        return None;
    }
    let mut number = 0;
    for &byte in name {
        if !byte.is_ascii_digit() {
            return None;
        }
        number = number * 10 + usize::from(byte - b'0');
    }
    is_plain(number, name).then_some(number)
}

/// Of the numbers that are written with digits only, those that have a place in the plain table: `7`, but not `07`.
#[inline]
fn is_plain(number: usize, name: &[u8]) -> bool {
    number < PLAIN_NUMBERS && (name.len() == 1 || name[0] != b'0')
}

/// The names of vertices that a file only numbers.
pub(super) fn numbers(first: usize, n: usize) -> Vec<String> {
    (first..first + n).map(|number| number.to_string()).collect()
}

/// The number of vertices that a header claims, if a file of so many bytes may claim it.
///
/// A hundred vertices a byte (and a hundred thousand for free) is more than any honest file has, and little enough
/// that a lie of a few bytes cannot claim the memory of the machine.
pub(super) fn believable(vertices: u64, bytes: u64, options: &ReadOptions) -> Result<usize, Problem> {
    let limit = options.vertex_limit();
    if vertices > limit as u64 {
        return Err(Problem::TooManyVertices { vertices, limit });
    }
    if vertices > bytes.saturating_mul(100).saturating_add(100_000) {
        return Err(Problem::Unbelievable { vertices, bytes });
    }
    Ok(vertices as usize)
}

impl ReadOptions {
    pub(super) fn vertex_limit(&self) -> usize {
        self.max_vertices.min(MAX_VERTICES)
    }
}

/// Takes what other programs call a vertex as its name, if every vertex has one and no two share it.
///
/// Returns the names, the ids where the labels replace them, and a note where labels could not be used.
pub(super) fn prefer_labels(
    ids: Vec<String>,
    labels: Vec<Option<String>>,
) -> (Vec<String>, Option<Vec<String>>, Option<String>) {
    let given: Vec<&str> =
        labels.iter().flatten().map(String::as_str).filter(|label| !label.trim().is_empty()).collect();
    if given.is_empty() || (given.len() == ids.len() && given.iter().zip(&ids).all(|(label, id)| label == id)) {
        return (ids, None, None);
    }
    if given.len() < ids.len() {
        let note = format!("vertices are called by their ids: {} of {} have a label", given.len(), ids.len());
        return (ids, None, Some(note));
    }
    let mut seen = std::collections::HashSet::with_capacity(ids.len());
    if let Some(twice) = given.iter().find(|label| !seen.insert(**label)) {
        let note =
            format!("vertices are called by their ids: '{}' is the label of several", super::text::shortened(twice));
        return (ids, None, Some(note));
    }
    (labels.into_iter().flatten().collect(), Some(ids), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_index_however_it_is_stored() {
        let mut names = Names::new(&ReadOptions::default());
        let list = ["7", "07", "", "a", "4194303", "4194304", "0", "00", "é", "-1", "12345678901", "1 "];
        for (index, name) in list.iter().enumerate() {
            assert_eq!(names.intern(name).unwrap() as usize, index);
        }
        for (index, name) in list.iter().enumerate() {
            assert_eq!(names.find(name).unwrap() as usize, index);
            assert!(names.declare(name).is_err());
        }
        assert!(names.find("8").is_err() && names.find("b").is_err());
        assert_eq!(names.into_list(), list);
    }

    #[test]
    fn many_names_at_once_are_numbered_as_one_by_one() {
        let (mut together, mut single) = (Names::new(&ReadOptions::default()), Names::new(&ReadOptions::default()));
        for round in 0..300 {
            let mut rng = crate::random::Rng::stream(0, "many names", round);
            let (mut text, mut parts, mut expected) = (String::new(), vec![], vec![]);
            for _ in 0..rng.below(40) {
                let signs = ["0", "1", "7", "42", "a", "é", "-"];
                let name: String =
                    (0..rng.below(6)).map(|_| signs[rng.below(if round < 100 { 4 } else { 7 })]).collect();
                parts.push((text.len() as u32, (text.len() + name.len()) as u32));
                text.push_str(&name);
                expected.push(single.intern(&name).unwrap());
            }
            let mut indices = vec![];
            together.intern_all(&text, &parts, &mut indices).unwrap();
            assert_eq!(indices, expected);
        }
        assert_eq!(together.into_list(), single.into_list());
    }

    #[test]
    fn labels_are_names_only_if_they_tell_vertices_apart() {
        let texts = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let labels = |list: &[&str]| list.iter().map(|&text| (!text.is_empty()).then(|| text.to_owned())).collect();
        let (names, ids, note) = prefer_labels(texts(&["n0", "n1"]), labels(&["Ann", "Ben"]));
        assert_eq!((names, ids, note), (texts(&["Ann", "Ben"]), Some(texts(&["n0", "n1"])), None));
        for (given, fragment) in
            [(["Ann", "Ann"], "'Ann' is the label of several"), (["Ann", ""], "1 of 2 have a label")]
        {
            let (names, ids, note) = prefer_labels(texts(&["n0", "n1"]), labels(&given));
            assert_eq!((names, ids), (texts(&["n0", "n1"]), None));
            assert!(note.unwrap().contains(fragment));
        }
        assert_eq!(prefer_labels(texts(&["a"]), labels(&["a"])), (texts(&["a"]), None, None));
    }
}
