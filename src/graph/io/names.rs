//! The names of vertices, numbered in the order in which they first appear.
//!
//! Reading a large edge list is mostly looking up names, so they stand in one text, whole numbers below four million
//! find their vertex without hashing, and the hash is a fast one (seeded anew in each process; nothing depends on it).

use super::{Problem, ReadOptions};
use crate::graph::MAX_VERTICES;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// The names of vertices in the order in which they came.
pub(super) struct Names {
    text: String,
    /// Where each name ends in `text`.
    ends: Vec<usize>,
    /// For the whole number i the vertex of that name plus one, or 0.
    numbers: Vec<u32>,
    others: HashTable<u32>,
    hasher: DefaultHashBuilder,
    limit: usize,
}

/// Names that are whole numbers below this stand in a plain table, which then takes 16 MB at the most.
const PLAIN_NUMBERS: usize = 1 << 22;

impl Names {
    pub fn new(options: &ReadOptions) -> Self {
        Names {
            text: String::new(),
            ends: vec![],
            numbers: vec![],
            others: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            limit: options.vertex_limit(),
        }
    }

    /// The index of `name`, a new one if it was never seen.
    pub fn intern(&mut self, name: &str) -> Result<u32, Problem> {
        match self.get(name) {
            Some(index) => Ok(index),
            None => self.add(name),
        }
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
            return self.numbers.get(number).and_then(|&index| index.checked_sub(1));
        }
        let is_it = |&index: &u32| self.name(index as usize) == name;
        self.others.find(self.hasher.hash_one(name.as_bytes()), is_it).copied()
    }

    fn add(&mut self, name: &str) -> Result<u32, Problem> {
        if self.ends.len() >= self.limit {
            return Err(Problem::TooManyVertices { vertices: self.limit as u64 + 1, limit: self.limit });
        }
        let index = self.ends.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len());
        match plain_number(name.as_bytes()) {
            Some(number) => {
                if number >= self.numbers.len() {
                    self.numbers.resize((number + 1).next_power_of_two(), 0);
                }
                self.numbers[number] = index + 1;
            }
            None => {
                let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
                let rehash = |&other: &u32| hasher.hash_one(slice(text, ends, other as usize).as_bytes());
                self.others.insert_unique(hasher.hash_one(name.as_bytes()), index, rehash);
            }
        }
        Ok(index)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn name(&self, index: usize) -> &str {
        slice(&self.text, &self.ends, index)
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.name(index))
    }

    pub fn into_list(self) -> Vec<String> {
        self.iter().map(str::to_owned).collect()
    }
}

#[inline]
fn slice<'a>(text: &'a str, ends: &[usize], index: usize) -> &'a str {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &text[start..ends[index]]
}

/// The whole number that a name is, if it is written in the one usual way and is small.
#[inline]
fn plain_number(name: &[u8]) -> Option<usize> {
    let (&first, rest) = name.split_first()?;
    if name.len() > 7 || !first.is_ascii_digit() || (first == b'0' && !rest.is_empty()) {
        return None;
    }
    let mut number = 0;
    for &byte in name {
        if !byte.is_ascii_digit() {
            return None;
        }
        number = number * 10 + usize::from(byte - b'0');
    }
    (number < PLAIN_NUMBERS).then_some(number)
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
pub(super) fn prefer_labels(ids: Vec<String>, labels: Vec<Option<String>>) -> (Vec<String>, Option<Vec<String>>, Option<String>) {
    let given: Vec<&str> = labels.iter().flatten().map(String::as_str).filter(|label| !label.trim().is_empty()).collect();
    if given.is_empty() || (given.len() == ids.len() && given.iter().zip(&ids).all(|(label, id)| label == id)) {
        return (ids, None, None);
    }
    if given.len() < ids.len() {
        let note = format!("vertices are called by their ids: {} of {} have a label", given.len(), ids.len());
        return (ids, None, Some(note));
    }
    let mut seen = std::collections::HashSet::with_capacity(ids.len());
    if let Some(twice) = given.iter().find(|label| !seen.insert(**label)) {
        let note = format!("vertices are called by their ids: '{}' is the label of several", super::text::shortened(twice));
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
    fn labels_are_names_only_if_they_tell_vertices_apart() {
        let texts = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let labels = |list: &[&str]| list.iter().map(|&text| (!text.is_empty()).then(|| text.to_owned())).collect();
        let (names, ids, note) = prefer_labels(texts(&["n0", "n1"]), labels(&["Ann", "Ben"]));
        assert_eq!((names, ids, note), (texts(&["Ann", "Ben"]), Some(texts(&["n0", "n1"])), None));
        for (given, fragment) in [(["Ann", "Ann"], "'Ann' is the label of several"), (["Ann", ""], "1 of 2 have a label")] {
            let (names, ids, note) = prefer_labels(texts(&["n0", "n1"]), labels(&given));
            assert_eq!((names, ids), (texts(&["n0", "n1"]), None));
            assert!(note.unwrap().contains(fragment));
        }
        assert_eq!(prefer_labels(texts(&["a"]), labels(&["a"])), (texts(&["a"]), None, None));
    }
}
