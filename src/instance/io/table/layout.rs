//! How a table is laid out: what stands between its columns, whether the first line names them, and which are which.
//!
//! All of it is decided from the first lines, before anything is read, and whatever was guessed is said in a note.

use super::super::build::{is_identifier, several_columns};
use super::super::columns::parse_with_comma;
use super::super::options::{Delimiter, HeaderLine, ReadOptions};
use super::super::text::{closest, listed, shortened};
use super::super::{Format, Problem};
use super::split::{Kind, Record};
use super::words::{Ends, ends};
use crate::instance::DecimalError;

/// The lines that are looked at.
const SAMPLE: usize = 200;

/// What the columns of a table mean.
#[derive(Debug)]
pub(super) struct Layout {
    pub delimiter: Delimiter,
    /// The names of all columns, if the first line has them.
    pub header: Option<Vec<String>>,
    pub tail: usize,
    pub head: usize,
    /// The columns that are attributes of edges.
    pub attributes: Vec<usize>,
    /// The column with the weights, where the layout tells.
    pub weight: Option<usize>,
    /// The number of columns; the longest line that is right.
    pub width: usize,
    /// The third column is a Python dictionary, as networkx writes it.
    pub dictionaries: bool,
    pub notes: Vec<String>,
}

/// One of the first lines.
type Row = Vec<String>;

impl Layout {
    /// Finds the layout of a table that starts with `text`.
    pub fn find(text: &str, format: Format, options: &ReadOptions) -> Result<Self, Problem> {
        let mut notes = vec![];
        let delimiter = options.delimiter.unwrap_or_else(|| find_delimiter(text, format, &mut notes));
        let rows = sample(text, delimiter);
        let header = header(&rows, options, &mut notes);
        let (names, rows) = match (header, rows.split_first()) {
            (true, Some((first, rest))) => (Some(first.clone()), rest),
            _ => (None, &rows[..]),
        };
        let mut layout = Layout {
            delimiter,
            width: names.as_ref().map_or_else(|| first_width(rows), Vec::len),
            header: names,
            tail: 0,
            head: 1,
            attributes: vec![],
            weight: None,
            dictionaries: false,
            notes,
        };
        let index = layout.index_column(rows);
        layout.choose_ends(options, index)?;
        let is_attribute = |column: &usize| ![layout.tail, layout.head].contains(column) && Some(*column) != index;
        layout.attributes = (0..layout.width).filter(is_attribute).collect();
        layout.dictionaries = layout.has_dictionaries(rows);
        if layout.weight.is_none() && !layout.dictionaries {
            layout.weight = layout.only_attribute(rows);
        }
        Ok(layout)
    }

    /// The name of a column.
    pub fn name(&self, column: usize) -> String {
        let named = self.header.as_ref().and_then(|names| names.get(column)).filter(|name| !name.is_empty());
        named.cloned().unwrap_or_else(|| format!("column {}", column + 1))
    }

    /// The delimiter, where lines are `from,to` or `from,to,attribute`.
    pub fn plain_delimiter(&self) -> Option<u8> {
        let is_plain = (self.tail, self.head) == (0, 1) && !self.dictionaries;
        match (self.delimiter, &self.attributes[..]) {
            (Delimiter::Byte(byte), [] | [2]) if is_plain => Some(byte),
            _ => None,
        }
    }

    /// The column that only numbers the lines: pandas leaves its name empty, R leaves even the name's place out.
    fn index_column(&mut self, rows: &[Row]) -> Option<usize> {
        let names = self.header.as_mut()?;
        let unnamed = names.first().is_some_and(|first| first.is_empty() || first == "Unnamed: 0");
        let numbered = |row: &Row, index: usize, first: usize| row[0].parse() == Ok(index + first);
        let counts = |first| rows.iter().enumerate().all(|(index, row)| numbered(row, index, first));
        let one_longer = rows.len() > 1 && rows.iter().all(|row| row.len() == names.len() + 1);
        let left_out = !unnamed && one_longer && (counts(0) || counts(1));
        if left_out {
            names.insert(0, String::new());
            self.width += 1;
        }
        if !(unnamed || left_out) || self.width < 3 {
            return None;
        }
        self.notes.push("the first column has no name and is left out: it numbers the lines".to_owned());
        Some(0)
    }

    /// Which columns are the ends of edges, and perhaps which is the weight.
    fn choose_ends(&mut self, options: &ReadOptions, index: Option<usize>) -> Result<(), Problem> {
        match &options.columns[..] {
            [] => (),
            [tail, head] => {
                (self.tail, self.head) = (self.find_column(tail)?, self.find_column(head)?);
                return self.check_ends();
            }
            [tail, head, weight] => {
                (self.tail, self.head) = (self.find_column(tail)?, self.find_column(head)?);
                self.weight = Some(self.find_column(weight)?);
                return self.check_ends();
            }
            other => {
                return Err(
                    format!("--columns takes 2 or 3 columns (from,to or from,to,weight), not {}", other.len()).into()
                );
            }
        }
        let first = index.map_or(0, |index| index + 1);
        let by_name = self.header.as_ref().and_then(|names| ends(names.iter().map(String::as_str)));
        (self.tail, self.head) = by_name.map_or((first, first + 1), |Ends { tail, head, .. }| (tail, head));
        if by_name.is_some() {
            self.check_only(&self.name(self.tail))?;
            self.check_only(&self.name(self.head))?;
        }
        if (self.tail, self.head) != (first, first + 1) {
            let names = [self.name(self.tail), self.name(self.head)];
            self.notes.push(format!("edges go from {} to {}", listed([&names[0][..]]), listed([&names[1][..]])));
        }
        Ok(())
    }

    fn check_ends(&self) -> Result<(), Problem> {
        let chosen = [Some(self.tail), Some(self.head), self.weight];
        let twice = |index: usize| chosen[index].is_some() && chosen[index + 1..].contains(&chosen[index]);
        match (0..2).find(|&index| twice(index)) {
            Some(index) => {
                let name = chosen[index].map(|column| self.name(column)).unwrap_or_default();
                Err(format!("--columns names {} twice", listed([&name[..]])).into())
            }
            None => Ok(()),
        }
    }

    /// A column by its name or its number.
    fn find_column(&self, wanted: &str) -> Result<usize, Problem> {
        let none = vec![];
        let names = self.header.as_ref().unwrap_or(&none);
        self.check_only(wanted)?;
        let exact = || names.iter().position(|name| name == wanted);
        let any_case = || names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
        let number = || wanted.parse::<usize>().ok()?.checked_sub(1).filter(|&column| column < self.width);
        exact().or_else(any_case).or_else(number).ok_or_else(|| Problem::UnknownColumn {
            name: wanted.to_owned(),
            suggestion: closest(wanted, names.iter().map(String::as_str)).map(str::to_owned),
            known: (0..self.width).map(|column| self.name(column)).collect(),
        })
    }

    /// Refuses a name that several columns have.
    fn check_only(&self, name: &str) -> Result<(), Problem> {
        let named = self.header.iter().flatten().enumerate().filter(|(_, other)| *other == name && !name.is_empty());
        let numbers: Vec<usize> = named.map(|(column, _)| column + 1).collect();
        match numbers.len() {
            0 | 1 => Ok(()),
            several => Err(several_columns(name, several, &numbers, "--columns")),
        }
    }

    fn has_dictionaries(&self, rows: &[Row]) -> bool {
        let at = self.tail.max(self.head) + 1;
        rows.iter().find(|row| row.len() >= 2).and_then(|row| row.get(at)).is_some_and(|field| field.starts_with('{'))
    }

    /// The third of three columns is the weight, unless a header calls it something else and words stand in it.
    fn only_attribute(&self, rows: &[Row]) -> Option<usize> {
        let &[only] = &self.attributes[..] else { return None };
        if is_identifier(&self.name(only)) {
            return None;
        }
        let starts_like_number =
            |field: &String| field.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first));
        let values = || rows.iter().filter_map(|row| row.get(only)).filter(|field| !field.is_empty());
        let is_weight = self.header.is_none()
            || self.name(only).eq_ignore_ascii_case("weight")
            || values().next().is_none()
            || values().any(starts_like_number);
        is_weight.then_some(only)
    }
}

/// The columns of the first edge.
fn first_width(rows: &[Row]) -> usize {
    rows.iter().map(Vec::len).find(|&length| length >= 2).unwrap_or(2)
}

/// The first lines, without comments and blank lines.
fn sample(text: &str, delimiter: Delimiter) -> Vec<Row> {
    let mut record = Record::default();
    let mut rows = vec![];
    let mut at = 0;
    while at < text.len() && rows.len() < SAMPLE {
        let Ok(line) = record.split(text, at, delimiter) else { break };
        if line.kind == Kind::Fields {
            rows.push((0..record.len()).map(|index| record.get(text, index).to_owned()).collect());
        }
        at = line.next;
    }
    rows
}

/// What a format has between its columns.
pub(super) fn usual_delimiter(format: Format) -> Delimiter {
    match format {
        Format::Csv => Delimiter::Byte(b','),
        Format::Tsv => Delimiter::Byte(b'\t'),
        _ => Delimiter::Space,
    }
}

/// The delimiter that the first lines show: that of the format, unless another one explains them and it does not.
pub(in super::super) fn find_delimiter(text: &str, format: Format, notes: &mut Vec<String>) -> Delimiter {
    let usual = usual_delimiter(format);
    let rows = sample(text, usual);
    let others = || [b';', b'\t', b'|', b','].map(Delimiter::Byte).into_iter();
    let found = match (usual, ends_fields(&rows)) {
        (Delimiter::Byte(b','), _) if rows.iter().any(|row| row.len() >= 2) => {
            // A first line without any comma tells that commas further down stand within names.
            let has_none = rows.first().is_some_and(|first| first.len() == 1);
            let explains =
                |&other: &Delimiter| leaves_decimal_commas(text, other) || has_none && separates(text, other);
            others().take(3).find(explains)
        }
        (Delimiter::Space, Some(byte)) => Some(Delimiter::Byte(byte)),
        _ if rows.iter().any(|row| row.len() >= 2) => None,
        _ => others().find(|&other| separates(text, other)),
    };
    if let Some(delimiter) = found.filter(|&delimiter| delimiter != usual) {
        notes.push(format!("columns are separated by {delimiter}"));
    }
    found.unwrap_or(usual)
}

fn separates(text: &str, delimiter: Delimiter) -> bool {
    let rows = sample(text, delimiter);
    rows.first().is_some_and(|first| first.len() >= 2 && rows.iter().all(|row| row.len() == first.len()))
}

/// True when every line has the delimiter, and commas stand only within numbers: `a;b;1,5`.
fn leaves_decimal_commas(text: &str, delimiter: Delimiter) -> bool {
    let rows = sample(text, delimiter);
    let fine = |field: &String| !field.contains(',') || is_number(field);
    !rows.is_empty() && rows.iter().all(|row| row.len() >= 2 && row.iter().all(fine))
}

/// The sign at which the first field of every line ends where lines were split at spaces: `a, b, 1`.
fn ends_fields(rows: &[Row]) -> Option<u8> {
    let last = |row: &Row| row.first()?.bytes().last().filter(|byte| [b',', b';'].contains(byte));
    let first = last(rows.first()?)?;
    rows.iter().all(|row| row.len() >= 2 && last(row) == Some(first)).then_some(first)
}

/// Whether the first line names the columns.
fn header(rows: &[Row], options: &ReadOptions, notes: &mut Vec<String>) -> bool {
    match options.header {
        HeaderLine::Yes => return !rows.is_empty(),
        HeaderLine::No => return false,
        HeaderLine::Auto => (),
    }
    let Some((first, rest)) = rows.split_first().filter(|(first, _)| first.len() >= 2) else { return false };
    let by_name = |column: &String| column.parse::<usize>().is_err() && first.contains(column);
    // No edge starts at a vertex without a name.
    if (first[0].is_empty() && first.len() >= 3) || options.columns.iter().any(by_name) {
        return true;
    }
    if first.iter().any(|field| is_number(field)) {
        return false;
    }
    let recurs = |field: &String| rest.iter().any(|row| row.iter().take(2).any(|other| other == field));
    match ends(first.iter().map(String::as_str)) {
        Some(known) if known.certain => return true,
        Some(known) if !recurs(&first[known.tail]) && !recurs(&first[known.head]) => return true,
        _ => (),
    }
    let edges = || rest.iter().filter(|row| row.len() >= 2);
    let has_numbers = |column: usize| edges().all(|row| row.get(column).is_some_and(|field| is_number(field)));
    let heads_numbers = edges().next().is_some() && (0..first.len()).any(has_numbers);
    if heads_numbers {
        notes.push(format!(
            "line 1 names the columns: {} (--header no reads it as an edge)",
            listed(first.iter().map(String::as_str))
        ));
        return true;
    }
    if edges().next().is_some() && !recurs(&first[0]) && !recurs(&first[1]) {
        let [one, other] = [&first[0], &first[1]].map(|field| shortened(field));
        notes.push(format!(
            "the first line is read as an edge from '{one}' to '{other}' (--header yes if it names the columns)"
        ));
    }
    false
}

/// True for what is meant as a number, even one that no weight can be: 1e400, NaN, 1.234,5.
fn is_number(field: &str) -> bool {
    match parse_with_comma(field) {
        Ok(_) | Err(DecimalError::TooLong(_)) => true,
        Err(DecimalError::NotANumber(_)) => {
            let word = field.trim_start_matches(['-', '+']).to_ascii_lowercase();
            let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
            let has_letter = word.bytes().any(|byte| !byte.is_ascii_digit() && !b".,".contains(&byte));
            ["nan", "inf", "infinity"].contains(&word.as_str()) || (has_digit && !has_letter)
        }
    }
}

/// True when a table without a header would be read as if it had one.
pub(super) fn looks_like_header(body: &str, format: Format) -> bool {
    let rows = sample(body, usual_delimiter(format));
    header(&rows, &ReadOptions::default(), &mut vec![])
        || find_delimiter(body, format, &mut vec![]) != usual_delimiter(format)
}
