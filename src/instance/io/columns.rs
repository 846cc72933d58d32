//! The attributes of edges: one column for each name, one value for each edge that a file lists.
//!
//! A file may have a million edges, so values stand side by side: 9 bytes a number, no allocation for each word.

use super::Problem;
use super::text::shortened;
use crate::instance::{Decimal, DecimalError};
use std::borrow::Cow;
use std::collections::HashMap;

/// One attribute of all edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeColumn {
    /// What the file calls it; a column of a table without a header is called `column 3`, counted from 1.
    pub name: String,
    /// The values, in the order of the file's edges.
    pub values: Values,
    /// Which column of a table it is, from 1.
    pub(super) number: Option<usize>,
}

/// Numbers if all values are numbers, words otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Exact decimals.
    Numbers(Numbers),
    /// Texts; numbers among them are written in their shortest form.
    Words(Words),
}

/// A list of exact decimals, some of which may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// The digits of a number, or its index in `wide`.
    digits: Vec<i64>,
    decimals: Vec<u8>,
    wide: Vec<Decimal>,
}

/// In place of decimals: there is no value.
const MISSING: u8 = 255;
/// In place of decimals: the number has more digits than 64 bits hold.
const WIDE: u8 = 254;

impl Numbers {
    /// How many values there are, missing ones included.
    pub fn len(&self) -> usize {
        self.decimals.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.decimals.is_empty()
    }

    /// The value of an edge.
    pub fn get(&self, row: usize) -> Option<Decimal> {
        match self.decimals[row] {
            MISSING => None,
            WIDE => Some(self.wide[self.digits[row] as usize]),
            decimals => Some(Decimal::from_shortest(i128::from(self.digits[row]), u32::from(decimals))),
        }
    }

    /// All values.
    pub fn iter(&self) -> impl Iterator<Item = Option<Decimal>> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    /// The first edge without a value.
    pub fn first_missing(&self) -> Option<usize> {
        self.decimals.iter().position(|&decimals| decimals == MISSING)
    }

    /// All values as whole numbers of units of `10^-decimals`, and those decimals; `None` where 64 bits do not hold one, or there is none.
    pub(super) fn at_one_scale(&self) -> Option<(Cow<'_, [i64]>, u32)> {
        let most = self.decimals.iter().copied().max().filter(|&most| most < WIDE)?;
        if self.decimals.iter().all(|&decimals| decimals == most) {
            return Some((Cow::Borrowed(&self.digits), most.into()));
        }
        let powers: Vec<Option<i64>> = (0..=most).map(|power| 10i64.checked_pow(power.into())).collect();
        let scaled = |(&digits, &decimals): (&i64, &u8)| digits.checked_mul(powers[usize::from(most - decimals)]?);
        let scaled = self.digits.iter().zip(&self.decimals).map(scaled).collect::<Option<Vec<i64>>>()?;
        Some((Cow::Owned(scaled), most.into()))
    }

    /// True when no number has digits, read as a whole number, of that size.
    pub(super) fn all_below(&self, least: i64) -> bool {
        let is_below =
            |(&digits, &decimals): (&i64, &u8)| decimals != WIDE && digits.abs_diff(0) < least.unsigned_abs();
        self.digits.iter().zip(&self.decimals).all(is_below)
    }

    /// Adds the value of the next edge.
    pub fn push(&mut self, value: Option<Decimal>) {
        let (digits, decimals) = match value {
            None => (0, MISSING),
            Some(number) => match (i64::try_from(number.digits()), u8::try_from(number.decimals())) {
                (Ok(digits), Ok(decimals)) if decimals < WIDE => (digits, decimals),
                _ => {
                    self.wide.push(number);
                    (self.wide.len() as i64 - 1, WIDE)
                }
            },
        };
        self.digits.push(digits);
        self.decimals.push(decimals);
    }

    fn push_whole(&mut self, value: u32) {
        self.digits.push(value.into());
        self.decimals.push(0);
    }

    fn pad(&mut self, rows: usize) {
        self.digits.resize(rows, 0);
        self.decimals.resize(rows, MISSING);
    }

    fn append(&mut self, more: &Numbers) {
        let first = self.digits.len();
        self.digits.extend_from_slice(&more.digits);
        self.decimals.extend_from_slice(&more.decimals);
        if !more.wide.is_empty() {
            let wide = self.digits[first..].iter_mut().zip(&more.decimals).filter(|(_, decimals)| **decimals == WIDE);
            wide.for_each(|(place, _)| *place += self.wide.len() as i64);
            self.wide.extend_from_slice(&more.wide);
        }
    }

    fn clear(&mut self) {
        self.digits.clear();
        self.decimals.clear();
        self.wide.clear();
    }
}

/// A list of texts, some of which may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    text: String,
    /// Where each text ends, and whether there is one.
    ends: Vec<(usize, bool)>,
}

impl Words {
    /// How many values there are, missing ones included.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The value of an edge.
    pub fn get(&self, row: usize) -> Option<&str> {
        let start = if row == 0 { 0 } else { self.ends[row - 1].0 };
        let (end, present) = self.ends[row];
        present.then(|| &self.text[start..end])
    }

    /// All values.
    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    /// Adds the value of the next edge.
    pub fn push(&mut self, value: Option<&str>) {
        self.text.push_str(value.unwrap_or(""));
        self.ends.push((self.text.len(), value.is_some()));
    }

    fn pad(&mut self, rows: usize) {
        self.ends.resize(rows, (self.text.len(), false));
    }

    fn append(&mut self, more: &Words) {
        let before = self.text.len();
        self.text.push_str(&more.text);
        self.ends.extend(more.ends.iter().map(|&(end, present)| (before + end, present)));
    }
}

/// A value as a file has it.
#[derive(Clone, Copy)]
pub(super) enum Cell<'a> {
    /// A text that may be a number: files often write all attributes as texts.
    Text(&'a str),
    /// As [`Cell::Text`], where numbers may have a decimal comma.
    CommaText(&'a str),
    /// A text, even if it has only digits.
    Word(&'a str),
    Number(Decimal),
}

impl EdgeColumn {
    pub(super) fn new(name: String, number: Option<usize>) -> Self {
        EdgeColumn { name, values: Values::Numbers(Numbers::default()), number }
    }

    /// The numbers, if it has no words.
    pub fn numbers(&self) -> Option<&Numbers> {
        match &self.values {
            Values::Numbers(numbers) => Some(numbers),
            Values::Words(_) => None,
        }
    }

    /// How many values there are so far.
    pub(super) fn len(&self) -> usize {
        match &self.values {
            Values::Numbers(numbers) => numbers.len(),
            Values::Words(words) => words.len(),
        }
    }

    /// Adds the value of the next edge.
    pub(super) fn push(&mut self, cell: Cell) {
        match &mut self.values {
            Values::Words(words) => push_word(words, cell),
            Values::Numbers(numbers) => match number(cell) {
                Some(number) => numbers.push(Some(number)),
                None => {
                    let mut words = as_words(numbers);
                    push_word(&mut words, cell);
                    self.values = Values::Words(words);
                }
            },
        }
    }

    /// As [`EdgeColumn::push`] for a number that was read already; false, and nothing added, where the column has words.
    #[inline]
    pub(super) fn push_whole(&mut self, value: u32) -> bool {
        let Values::Numbers(numbers) = &mut self.values else { return false };
        numbers.push_whole(value);
        true
    }

    /// True when a word has occurred.
    pub(super) fn has_words(&self) -> bool {
        matches!(self.values, Values::Words(_))
    }

    /// Forgets all values; `as_words` if what comes follows a word.
    pub(super) fn clear(&mut self, as_words: bool) {
        match &mut self.values {
            Values::Numbers(numbers) if !as_words => numbers.clear(),
            values => {
                *values = if as_words { Values::Words(Words::default()) } else { Values::Numbers(Numbers::default()) };
            }
        }
    }

    /// Adds the values of edges that come after these.
    pub(super) fn append(&mut self, more: &EdgeColumn) {
        if let (Values::Numbers(numbers), Values::Words(_)) = (&self.values, &more.values) {
            self.values = Values::Words(as_words(numbers));
        }
        match (&mut self.values, &more.values) {
            (Values::Numbers(numbers), Values::Numbers(more)) => numbers.append(more),
            (Values::Words(words), Values::Words(more)) => words.append(more),
            (Values::Words(words), Values::Numbers(more)) => words.append(&as_words(more)),
            (Values::Numbers(_), Values::Words(_)) => unreachable!("they have become words"),
        }
    }

    /// Gives every edge without a number this one.
    pub(super) fn fill_missing(&mut self, value: Decimal) {
        if let Values::Numbers(numbers) = &mut self.values {
            *numbers = numbers.iter().fold(Numbers::default(), |mut filled, number| {
                filled.push(number.or(Some(value)));
                filled
            });
        }
    }

    /// Adds missing values up to so many edges.
    pub(super) fn pad(&mut self, rows: usize) {
        match &mut self.values {
            Values::Numbers(numbers) => numbers.pad(rows),
            Values::Words(words) => words.pad(rows),
        }
    }
}

fn number(cell: Cell) -> Option<Decimal> {
    match cell {
        Cell::Number(number) => Some(number),
        Cell::Text(text) => text.parse().ok(),
        Cell::CommaText(text) => parse_with_comma(text).ok(),
        Cell::Word(_) => None,
    }
}

fn push_word(words: &mut Words, cell: Cell) {
    match cell {
        Cell::Text(text) | Cell::CommaText(text) | Cell::Word(text) => words.push(Some(text)),
        Cell::Number(number) => words.push(Some(&number.to_string())),
    }
}

fn as_words(numbers: &Numbers) -> Words {
    let mut words = Words::default();
    for number in numbers.iter() {
        words.push(number.map(|number| number.to_string()).as_deref());
    }
    words
}

/// A number that may have a decimal comma in place of the point.
pub(super) fn parse_with_comma(text: &str) -> Result<Decimal, DecimalError> {
    match text.contains(',') && !text.contains('.') {
        true => text.replacen(',', ".", 1).parse().map_err(|_| DecimalError::NotANumber(shortened(text))),
        false => text.parse(),
    }
}

/// The columns of a file whose edges name their attributes one by one.
#[derive(Default)]
pub(super) struct Columns {
    list: Vec<EdgeColumn>,
    index: HashMap<String, usize>,
}

impl Columns {
    /// Sets the attribute `name` of edge `row`; rows come in order.
    pub fn set(&mut self, row: usize, name: &str, cell: Cell) -> Result<(), Problem> {
        let column = match self.index.get(name) {
            Some(&column) => column,
            None => {
                self.list.push(EdgeColumn::new(name.to_owned(), None));
                self.index.insert(name.to_owned(), self.list.len() - 1);
                self.list.len() - 1
            }
        };
        let column = &mut self.list[column];
        if column.len() > row {
            return Err(format!("a second `{}` of the same edge", shortened(name)).into());
        }
        column.pad(row);
        column.push(cell);
        Ok(())
    }

    /// True when edge `row` has the attribute `name`.
    pub fn is_set(&self, row: usize, name: &str) -> bool {
        self.index.get(name).is_some_and(|&column| self.list[column].len() > row)
    }

    /// All columns, each with a value or a gap for every edge.
    pub fn finish(mut self, rows: usize) -> Vec<EdgeColumn> {
        self.list.iter_mut().for_each(|column| column.pad(rows));
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_however_long_they_are() {
        let mut numbers = Numbers::default();
        let texts = [Some("0.1"), None, Some("123456789012345678901234567890"), Some("-7"), Some("1e-30")];
        let values: Vec<Option<Decimal>> = texts.map(|text| text.map(|text| text.parse().unwrap())).to_vec();
        values.iter().for_each(|&value| numbers.push(value));
        assert_eq!(numbers.iter().collect::<Vec<_>>(), values);
        assert_eq!((numbers.len(), numbers.first_missing()), (5, Some(1)));
    }

    #[test]
    fn a_word_makes_all_values_words() {
        let mut column = EdgeColumn::new("lanes".into(), None);
        column.push(Cell::Text("2"));
        column.pad(2);
        column.push(Cell::Text("['2', '3']"));
        column.push(Cell::Number(Decimal::whole(4)));
        let Values::Words(words) = &column.values else { panic!("{column:?}") };
        assert_eq!(words.iter().collect::<Vec<_>>(), [Some("2"), None, Some("['2', '3']"), Some("4")]);
    }

    #[test]
    fn columns_go_on_where_others_end() {
        let cells = ["7", "", "123456789012345678901234567890", "0.5", "word", "", "x", "99999999999999999999"];
        for (length, cut) in (0..=cells.len()).flat_map(|length| (0..=length).map(move |cut| (length, cut))) {
            let fill = |column: &mut EdgeColumn, cells: &[&str]| {
                cells.iter().enumerate().for_each(|(row, cell)| match cell {
                    &"" => column.pad(row + 1),
                    cell => column.push(Cell::Text(cell)),
                });
            };
            let [mut whole, mut first, mut second] = [(); 3].map(|()| EdgeColumn::new("c".into(), None));
            fill(&mut whole, &cells[..length]);
            fill(&mut first, &cells[..cut]);
            second.clear(first.has_words());
            fill(&mut second, &cells[cut..length]);
            first.append(&second);
            assert_eq!(first, whole, "{length} cells cut at {cut}");
        }
    }

    #[test]
    fn attributes_have_gaps_where_edges_lack_them() {
        let mut columns = Columns::default();
        columns.set(1, "length", Cell::Text("2.5")).unwrap();
        columns.set(2, "name", Cell::Word("7")).unwrap();
        assert!(columns.set(2, "name", Cell::Word("8")).is_err());
        let columns = columns.finish(4);
        assert_eq!(columns[0].numbers().unwrap().iter().filter(Option::is_none).count(), 3);
        assert!(columns[1].numbers().is_none() && columns[1].len() == 4);
    }

    #[test]
    fn decimal_commas_are_not_thousands() {
        assert_eq!(parse_with_comma("1,5"), "1.5".parse());
        assert_eq!(parse_with_comma("1.5"), "1.5".parse());
        assert!(parse_with_comma("1.234,5").is_err() && parse_with_comma("1,234,5").is_err());
    }
}
