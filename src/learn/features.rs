//! Columns of edges and of contexts as numbers that a predictor takes.
//!
//! - A column of numbers is standardised: less its mean, divided by its standard deviation. A missing number counts as the mean, and a column of its own
//!   says that it was missing.
//! - A column of words gets one column of zeros and ones for each word but the most frequent, which is what the others are compared with. Words of fewer than
//!   [`RARE`] rows are pooled, and a missing word is a word of its own.
//! - Whole numbers of at most [`CODES`] different values, each in [`RARE`] rows on average, are codes more often than quantities (a class, a kind of turn): they
//!   count as words, which loses nothing but a few parameters.
//! - A column with one value says nothing and is left out.

use crate::instance::io::{EdgeColumn, Values};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Words of fewer rows than this are pooled.
pub const RARE: usize = 5;
/// Whole numbers of at most so many different values count as words.
pub const CODES: usize = 10;
/// Words of one column that are told apart at the most.
const MOST_WORDS: usize = 50;
const POOLED: &str = "(other)";
const MISSING: &str = "(missing)";

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A number.
    Number(f64),
    /// A text.
    Word(String),
    /// Nothing.
    Missing,
}

/// A column: its name and its values, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name.
    pub name: String,
    /// The values.
    pub cells: Vec<Cell>,
}

impl Column {
    /// An attribute of some rows of a graph file.
    pub fn of_edges(column: &EdgeColumn, rows: &[u32]) -> Self {
        let cell = |&row: &u32| match &column.values {
            Values::Numbers(numbers) => numbers.get(row as usize).map_or(Cell::Missing, |x| Cell::Number(x.to_f64())),
            Values::Words(words) => words.get(row as usize).map_or(Cell::Missing, |word| {
                let word = word.trim();
                if word.is_empty() { Cell::Missing } else { Cell::Word(word.to_owned()) }
            }),
        };
        Column { name: column.name.clone(), cells: rows.iter().map(cell).collect() }
    }

    /// The numbers, if it has nothing else and none is missing.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let number = |cell: &Cell| if let Cell::Number(number) = cell { Some(*number) } else { None };
        self.cells.iter().map(number).collect()
    }
}

/// How one column becomes numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnEncoding {
    /// The column.
    pub name: String,
    /// What it holds.
    pub kind: EncodedKind,
}

/// What a column holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EncodedKind {
    /// Quantities.
    Number {
        /// Their mean.
        mean: f64,
        /// Their standard deviation.
        deviation: f64,
        /// Whether some were missing.
        missing: bool,
    },
    /// Categories.
    Words {
        /// The most frequent one, with which the others are compared.
        reference: String,
        /// The others.
        words: Vec<String>,
    },
}

/// How a table becomes numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Encoding {
    /// The columns that say something.
    pub columns: Vec<ColumnEncoding>,
}

impl Encoding {
    /// The encoding that fits these columns, with notes on what a person should know.
    pub fn fit(columns: &[Column], notes: &mut Vec<String>) -> Self {
        let mut fitted = vec![];
        for column in columns {
            match kind_of(column, notes) {
                Some(kind) => fitted.push(ColumnEncoding { name: column.name.clone(), kind }),
                None => notes.push(format!("`{}` has one value only, so it says nothing and is left out", column.name)),
            }
        }
        Encoding { columns: fitted }
    }

    /// The number of columns that a predictor sees.
    pub fn width(&self) -> usize {
        self.columns.iter().map(|column| column.kind.width()).sum()
    }

    /// For each of them, the columns that stem from the same one.
    pub fn groups(&self) -> Vec<std::ops::Range<usize>> {
        let mut groups = vec![];
        for column in &self.columns {
            let group = groups.len()..groups.len() + column.kind.width();
            groups.extend(std::iter::repeat_n(group.clone(), group.len()));
        }
        groups
    }

    /// Whether it is a quantity, and not a zero or a one.
    pub fn is_quantity(&self, place: usize) -> bool {
        let mut first = 0;
        for column in &self.columns {
            if place < first + column.kind.width() {
                return place == first && matches!(column.kind, EncodedKind::Number { .. });
            }
            first += column.kind.width();
        }
        false
    }

    /// What each of them means: `length (per 132.5)`, `turn = left (against straight)`.
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().flat_map(ColumnEncoding::names).collect()
    }

    /// The numbers of a table, row by row, and how many words of it are unknown. Columns are found by name.
    pub fn encode(&self, columns: &[Column], rows: usize) -> Result<(Vec<f64>, usize), String> {
        let found: Result<Vec<&Column>, String> =
            self.columns.iter().map(|wanted| find(columns, &wanted.name)).collect();
        let found = found?;
        let (mut values, mut unknown) = (Vec::with_capacity(rows * self.width()), 0);
        for row in 0..rows {
            for (encoding, column) in self.columns.iter().zip(&found) {
                unknown += usize::from(!encoding.kind.push(&column.cells[row], &mut values));
            }
        }
        Ok((values, unknown))
    }
}

fn find<'a>(columns: &'a [Column], name: &str) -> Result<&'a Column, String> {
    columns
        .iter()
        .find(|column| column.name == name)
        .ok_or_else(|| format!("there is no column `{name}`, which the cost needs"))
}

impl ColumnEncoding {
    fn names(&self) -> Vec<String> {
        let name = &self.name;
        match &self.kind {
            EncodedKind::Number { deviation, missing, .. } => {
                let missing = missing.then(|| format!("{name} {MISSING}"));
                std::iter::once(format!("{name} (per {})", short(*deviation))).chain(missing).collect()
            }
            EncodedKind::Words { reference, words } => {
                words.iter().map(|word| format!("{name} = {word} (against {reference})")).collect()
            }
        }
    }
}

/// A number with four digits, as people read it.
fn short(value: f64) -> String {
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

impl EncodedKind {
    fn width(&self) -> usize {
        match self {
            EncodedKind::Number { missing, .. } => 1 + usize::from(*missing),
            EncodedKind::Words { words, .. } => words.len(),
        }
    }

    /// Adds the numbers of a cell; false when nothing like it was seen before.
    fn push(&self, cell: &Cell, values: &mut Vec<f64>) -> bool {
        match self {
            EncodedKind::Number { mean, deviation, missing } => {
                let number = if let Cell::Number(number) = cell { Some(number) } else { None };
                values.push(number.map_or(0.0, |number| (number - mean) / deviation));
                if *missing {
                    values.push(f64::from(number.is_none()));
                }
                number.is_some() || (*missing && *cell == Cell::Missing)
            }
            EncodedKind::Words { reference, words } => {
                let word = word_of(cell);
                let place = |wanted: &str| words.iter().position(|known| known == wanted);
                let at = place(&word);
                let known = at.is_some() || word == *reference;
                let at = if known { at } else { place(POOLED) };
                values.extend((0..words.len()).map(|index| f64::from(Some(index) == at)));
                known || at.is_some()
            }
        }
    }
}

fn word_of(cell: &Cell) -> String {
    match cell {
        Cell::Number(number) => number.to_string(),
        Cell::Word(word) => word.clone(),
        Cell::Missing => MISSING.to_owned(),
    }
}

/// What a column holds; `None` when all rows have the same value.
fn kind_of(column: &Column, notes: &mut Vec<String>) -> Option<EncodedKind> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    column.cells.iter().for_each(|cell| *counts.entry(word_of(cell)).or_default() += 1);
    if counts.len() < 2 {
        return None;
    }
    let missing = counts.get(MISSING).copied().unwrap_or(0);
    let has_words = column.cells.iter().any(|cell| matches!(cell, Cell::Word(_)));
    let is_whole = |cell: &Cell| !matches!(cell, Cell::Number(number) if number.fract() != 0.0);
    let different = counts.len() - usize::from(missing > 0);
    let are_few = different <= CODES && RARE * different <= column.cells.len() - missing;
    let are_codes = are_few && column.cells.iter().all(is_whole);
    if missing > 0 {
        let what = if has_words || are_codes {
            "count as a word of their own"
        } else {
            "count as the mean, with a term of their own"
        };
        notes.push(format!("`{}` is missing in {missing} of {} rows, which {what}", column.name, column.cells.len()));
    }
    match has_words || are_codes {
        true => Some(words_of(column, counts, notes)),
        false => Some(number_of(column, missing > 0)),
    }
}

fn number_of(column: &Column, missing: bool) -> EncodedKind {
    let numbers = column.cells.iter().filter_map(|cell| if let Cell::Number(x) = cell { Some(*x) } else { None });
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    let variance = numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / count;
    let deviation = if variance > 0.0 { variance.sqrt() } else { 1.0 };
    EncodedKind::Number { mean, deviation, missing }
}

fn words_of(column: &Column, counts: BTreeMap<String, usize>, notes: &mut Vec<String>) -> EncodedKind {
    let mut frequent: Vec<(String, usize)> = counts.into_iter().collect();
    frequent.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let total = frequent.len();
    let rare = frequent.iter().position(|&(_, rows)| rows < RARE).unwrap_or(total).clamp(1, MOST_WORDS);
    // A single rare word stays itself; pooling it would hide its name.
    let kept = if rare + 1 == total { total } else { rare };
    let mut words: Vec<String> = frequent.drain(..kept).map(|(word, _)| word).collect();
    if kept < total {
        notes.push(format!("{} rare words of `{}` are pooled as {POOLED}", total - kept, column.name));
        words.push(POOLED.to_owned());
    }
    let reference = words.remove(0);
    EncodedKind::Words { reference, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(name: &str, values: &[f64]) -> Column {
        Column { name: name.to_owned(), cells: values.iter().map(|&x| Cell::Number(x)).collect() }
    }

    fn words(name: &str, values: &[&str]) -> Column {
        let cell = |word: &&str| if word.is_empty() { Cell::Missing } else { Cell::Word((*word).to_owned()) };
        Column { name: name.to_owned(), cells: values.iter().map(cell).collect() }
    }

    #[test]
    fn numbers_are_standardised_and_words_compared_with_the_most_frequent() {
        let columns = [numbers("length", &[1.5, 2.5, 3.5, 4.5]), words("turn", &["left", "ahead", "ahead", "ahead"])];
        let mut notes = vec![];
        let encoding = Encoding::fit(&columns, &mut notes);
        assert_eq!(encoding.names(), ["length (per 1.118)", "turn = left (against ahead)"]);
        let (values, unknown) = encoding.encode(&columns, 4).unwrap();
        let expected = [-1.5, -0.5, 0.5, 1.5].map(|x: f64| x / 1.25f64.sqrt());
        assert!(values.iter().step_by(2).zip(expected).all(|(value, expected)| (value - expected).abs() < 1e-12));
        assert_eq!((values[1], values[3], unknown), (1.0, 0.0, 0));
        assert!(notes.is_empty());
    }

    #[test]
    fn codes_missing_values_rare_words_and_constants_are_handled_as_stated() {
        let lanes: Vec<f64> = (0..20).map(|row| f64::from(row % 3)).collect();
        let mut speed: Vec<f64> = (0..20).map(|row| f64::from(row) + 0.5).collect();
        speed[19] = 100.5;
        let mut gaps = numbers("speed", &speed);
        gaps.cells[3] = Cell::Missing;
        let names: Vec<&str> =
            (0..20).map(|row| ["a", "b", "c", "d", "e"][if row < 16 { row % 2 } else { row - 15 }]).collect();
        let columns = [numbers("lanes", &lanes), gaps, words("name", &names), numbers("one", &[7.0; 20])];
        let mut notes = vec![];
        let encoding = Encoding::fit(&columns, &mut notes);
        assert_eq!(notes.len(), 3, "{notes:?}");
        assert!(
            notes[0].contains("missing in 1 of 20")
                && notes[1].contains("3 rare words")
                && notes[2].contains("one value")
        );
        assert_eq!(encoding.width(), 2 + 2 + 2);
        let (values, _) = encoding.encode(&columns, 20).unwrap();
        assert_eq!(values[3 * 6 + 2..3 * 6 + 4], [0.0, 1.0]);
        let unknown = [numbers("lanes", &[9.0]), numbers("speed", &[1.0]), words("name", &["z"])];
        let (values, unknown) = encoding.encode(&unknown, 1).unwrap();
        assert_eq!((values[..2].to_vec(), unknown, values[5]), (vec![0.0, 0.0], 1, 1.0));
        assert!(encoding.encode(&columns[1..], 20).unwrap_err().contains("`lanes`"));
    }
}
