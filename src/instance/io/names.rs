//! The names of vertices, numbered in the order in which they first appear.
//!
//! Reading a large edge list is mostly looking up names, and that is mostly waiting for memory. So names stand in one
//! text, whole numbers below four million find their vertex without hashing, the hash table has eight bytes a slot,
//! and [`Names::look_up`] looks up many names at once, so that one waits while the others are on their way. What can be
//! done before, on any thread, a [`Spotter`] does. (The hash is seeded anew in each process; nothing depends on it.)

use super::text::shortened;
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
    /// The slots that the hashes of names lead to, while [`Names::look_up`] has them.
    slots: Vec<u64>,
}

/// Names that are whole numbers below this stand in a plain table, which then takes 16 MB at the most.
const PLAIN_NUMBERS: usize = 1 << 22;

/// As many names are looked up at once.
const AT_ONCE: usize = 256;

/// A name in a text, ready to be looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    start: u32,
    /// Zero for a number of the plain table, which then stands in place of the start.
    end: u32,
    hash: u64,
}

impl Spot {
    #[inline]
    fn number(&self) -> Option<usize> {
        (self.end == 0).then_some(self.start as usize)
    }
}

/// Finds the numbers among names, and hashes the others.
#[derive(Clone)]
pub(super) struct Spotter(RandomState);

impl Spotter {
    /// A name that stands at byte `at` of a text, which is not the first if there is nothing in the name; `number` is the number that it was found to be, if
    /// somebody looked. Texts are shorter than 4 GB.
    #[inline(always)]
    pub fn spot(&self, name: &[u8], at: usize, number: Option<u32>) -> Spot {
        let number = match number {
            Some(number) => Some(number as usize).filter(|&number| is_plain(number, name)),
            None => plain_number(name),
        };
        match number {
            Some(number) => Spot { start: number as u32, end: 0, hash: 0 },
            None => Spot { start: at as u32, end: (at + name.len()) as u32, hash: hash(&self.0, name) },
        }
    }
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
            slots: vec![],
        }
    }

    /// The index of `name`, a new one if it was never seen.
    pub fn intern(&mut self, name: &str) -> Result<u32, Problem> {
        match self.get(name) {
            Some(index) => Ok(index),
            None => self.add(name),
        }
    }

    /// Whoever prepares names for [`Names::look_up`].
    pub fn spotter(&self) -> Spotter {
        Spotter(self.hasher.clone())
    }

    /// As [`Names::intern`] for names that were spotted in `text`, or, counting on from its end, in `more`, in their order; adds the indices to `indices`.
    pub fn look_up(&mut self, [text, more]: [&str; 2], spots: &[Spot], indices: &mut Vec<u32>) -> Result<(), Problem> {
        for spots in spots.chunks(AT_ONCE) {
            self.ask_ahead(spots);
            for spot in spots {
                let known = match spot.number() {
                    Some(number) => self.numbered(number),
                    None => self.word(spot.hash, part(text, more, spot).as_bytes()),
                };
                let index = match (known, spot.number()) {
                    (Some(index), _) => index,
                    (None, Some(number)) => self.add(&number.to_string())?,
                    (None, None) => {
                        let name = part(text, more, spot);
                        if (spot.start as usize) < text.len() {
                            check_unquoted(name)?;
                        }
                        self.add(name)?
                    }
                };
                indices.push(index);
            }
        }
        Ok(())
    }

    /// Has memory bring what looking these names up will need. Each of its loops asks for something that does not depend on the answer before.
    fn ask_ahead(&mut self, spots: &[Spot]) {
        if spots.iter().all(|spot| spot.number().is_some()) {
            return;
        }
        let mut slots = std::mem::take(&mut self.slots);
        slots.clear();
        slots.extend(spots.iter().map(|spot| if spot.end == 0 { 0 } else { self.others.first_slot(spot.hash) }));
        let mut touched = 0;
        for (&slot, spot) in slots.iter().zip(spots) {
            if let Some(index) = candidate(slot, spot.hash) {
                // An empty name may stand at the end.
                touched ^= self.text.get(self.starts[index as usize]).copied().unwrap_or(0);
            }
        }
        std::hint::black_box(touched);
        self.slots = slots;
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

/// The name that a spot means.
#[inline]
fn part<'a>(text: &'a str, more: &'a str, spot: &Spot) -> &'a str {
    let (start, end) = (spot.start as usize, spot.end as usize);
    if start < text.len() { &text[start..end] } else { &more[start - text.len()..end - text.len()] }
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

/// What stands in a name by an accident of the file, unless it is in quotes. (Escape characters are none: a terminal's colours may have been copied.)
pub(super) fn accident(name: &str) -> Option<&'static str> {
    if name.starts_with('\u{feff}') {
        return Some("starts with a byte order mark, as where files were joined");
    }
    name.bytes().find_map(|byte| match byte {
        0 => Some("has a zero byte in it"),
        b'\r' => Some("has a carriage return in it, which ends no line"),
        b'\t' | b'\n' | 0x1b => None,
        byte if byte.is_ascii_control() => Some("has a control character in it"),
        _ => None,
    })
}

/// A name that stands in a text without quotes.
pub(super) fn check_unquoted(name: &str) -> Result<(), Problem> {
    let Some(accident) = accident(name) else { return Ok(()) };
    let shown = shortened(name).replace('\u{feff}', "\\u{feff}");
    Err(format!(
        "the name '{shown}' {accident}: remove it, or, in a .csv or .tsv file, put a name in quotes that is so"
    )
    .into())
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
        let note = format!("vertices are called by their ids: '{}' is the label of several", shortened(twice));
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
            // The first byte of a text belongs to no empty name.
            let (mut text, mut more, mut spots, mut expected) = (" ".to_owned(), String::new(), vec![], vec![]);
            let names: Vec<String> = (0..rng.below(if round < 20 { 3 } else { 400 }))
                .map(|_| {
                    let signs = ["0", "1", "7", "42", "a", "é", "-"];
                    (0..rng.below(6)).map(|_| signs[rng.below(if round < 100 { 4 } else { 7 })]).collect()
                })
                .collect();
            let in_text: Vec<bool> = names.iter().map(|_| rng.below(3) > 0).collect();
            let length =
                1 + names.iter().zip(&in_text).map(|(name, &inside)| name.len() * usize::from(inside)).sum::<usize>();
            for (name, inside) in names.iter().zip(in_text) {
                let (home, before) = if inside { (&mut text, 0) } else { (&mut more, length) };
                spots.push(together.spotter().spot(name.as_bytes(), before + home.len(), None));
                home.push_str(name);
                expected.push(single.intern(name).unwrap());
            }
            let mut indices = vec![];
            together.look_up([&text, &more], &spots, &mut indices).unwrap();
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
