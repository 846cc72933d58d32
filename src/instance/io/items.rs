//! Items one a line: tables such as `task,deadline,weight`, or JSON objects with the same words.
//!
//! Columns are found by the words above them, in any order and beside any others; without such words by their place: the numbers are the last columns, the
//! name stands before them. The column that only numbers the lines (pandas' index) is the name where there is no other. Numbers are exact decimals;
//! where they are points in time they may be dates and times as well ([`super::moment`]). Where weights do not matter, because they are still to be learnt,
//! none need be there: every item weighs 1, and all columns are kept as they are.

use super::columns::{Cell, EdgeColumn, parse_with_comma};
use super::lines::{Blocks, Lines, check_line_ends};
use super::moment::{MomentKind, parse_moment};
use super::names::check_unquoted;
use super::options::{Delimiter, HeaderLine};
use super::table::{Record, Rows, Wrong, find_delimiter, for_each_line};
use super::text::{listed, shortened};
use super::{Format, Place, Problem, ReadError, ReadOptions, check_compression};
use crate::instance::{Decimal, ItemKind, Items};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;

/// Items with their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedItems {
    /// The items.
    pub items: Items,
    /// The name of each, in the order in which the file has them.
    pub names: Vec<String>,
    /// The line of each.
    pub lines: Vec<u64>,
    /// Everything that the file says of them beside their names, where their weights are not what matters.
    pub columns: Vec<EdgeColumn>,
    /// How their numbers are written.
    pub written: MomentKind,
    /// What a person should know about how the file was read.
    pub notes: Vec<String>,
}

/// Reads a table of items; errors call it `label`.
pub fn read_items(
    reader: &mut dyn BufRead,
    kind: &'static ItemKind,
    format: Format,
    label: &str,
    options: &ReadOptions,
) -> Result<NamedItems, ReadError> {
    read(reader, kind, format, options).map_err(|error| error.in_file(label))
}

fn read(
    reader: &mut dyn BufRead,
    kind: &'static ItemKind,
    format: Format,
    options: &ReadOptions,
) -> Result<NamedItems, ReadError> {
    if !format.is_table() {
        let why =
            format!("{} are read from tables (.csv, .tsv) and from .jsonl files, not from {format} files", kind.many);
        return Err(ReadError::new(Place::File, why));
    }
    check_compression(reader)?;
    let mut blocks = Blocks::new(reader, options);
    blocks.read_more()?;
    check_line_ends(blocks.text())?;
    let mut notes = vec![];
    let delimiter = options.delimiter.unwrap_or_else(|| find_delimiter(blocks.text(), format, &mut notes));
    let mut table = ItemTable::new(kind, options, delimiter != Delimiter::Byte(b','));
    table.notes = notes;
    for_each_line(&mut blocks, delimiter, &mut table)?;
    table.finish()
}

/// Reads items that are a JSON object a line, such as `{"task":"A","deadline":2,"weight":1.5}`; errors call the file `label`. `None` where the first line has
/// a whole list of them instead.
pub fn read_item_lines(
    reader: &mut dyn BufRead,
    kind: &'static ItemKind,
    label: &str,
    options: &ReadOptions,
) -> Result<Option<NamedItems>, ReadError> {
    read_objects(reader, kind, options).map_err(|error| error.in_file(label))
}

fn read_objects(
    reader: &mut dyn BufRead,
    kind: &'static ItemKind,
    options: &ReadOptions,
) -> Result<Option<NamedItems>, ReadError> {
    let mut table = ItemTable::new(kind, options, false);
    let mut keys: Vec<String> = vec![];
    let mut lines = Lines::new(reader, options);
    while let Some(text) = lines.next()? {
        if text.trim().is_empty() {
            continue;
        }
        let object: BTreeMap<String, Box<RawValue>> =
            serde_json::from_str(text).map_err(|error| lines.error(format!("no JSON object: {error}")))?;
        if keys.is_empty() {
            if object.contains_key(kind.many) {
                return Ok(None);
            }
            keys = object.keys().cloned().collect();
            let words: Vec<&str> = keys.iter().map(String::as_str).collect();
            table.set_layout(&words, true).map_err(|problem| lines.error(problem))?;
        }
        let field = |key: &String| object.get(key).map_or(Ok(String::new()), |value| as_field(key, value));
        let fields = keys.iter().map(field).collect::<Result<Vec<String>, Problem>>();
        let fields = fields.map_err(|problem| lines.error(problem))?;
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        table.take_item(lines.number(), &fields).map_err(|(_, problem)| lines.error(problem))?;
    }
    table.finish().map(Some)
}

/// A value as it would stand in a table.
fn as_field(key: &str, value: &RawValue) -> Result<String, Problem> {
    match value.get().as_bytes()[0] {
        b'"' => serde_json::from_str(value.get()).map_err(|error| format!("`{key}`: {error}").into()),
        b'n' => Ok(String::new()),
        b'[' | b'{' => Err(format!("`{key}` is neither a number nor a text").into()),
        _ => Ok(value.get().to_owned()),
    }
}

/// Which column is which.
struct ItemLayout {
    name: Option<usize>,
    /// Where each number stands; a weight that does not matter stands nowhere.
    numbers: Vec<Option<usize>>,
    width: usize,
    /// Whether the first line names the columns.
    has_header: bool,
}

struct ItemTable<'a> {
    kind: &'static ItemKind,
    options: &'a ReadOptions,
    layout: Option<ItemLayout>,
    names: Vec<String>,
    lines: Vec<u64>,
    columns: Vec<Vec<Decimal>>,
    /// All columns but the name, by their place, where they are kept.
    kept: Vec<(usize, EdgeColumn)>,
    numbers: ItemNumbers,
    notes: Vec<String>,
}

impl Rows for ItemTable<'_> {
    fn take(&mut self, line: u64, text: &str, record: &Record) -> Result<(), Wrong> {
        let here = |problem: Problem| (line, problem);
        let fields: Vec<&str> = (0..record.len()).map(|column| record.get(text, column)).collect();
        if self.layout.is_none() {
            let is_header = self.is_header(&fields);
            self.set_layout(&fields, is_header).map_err(here)?;
            if is_header {
                return Ok(());
            }
        }
        let name = self.layout.as_ref().and_then(|layout| layout.name).filter(|&name| name < record.len());
        if let Some(name) = name.filter(|&name| record.start(name).is_some()) {
            check_unquoted(fields[name]).map_err(here)?;
        }
        self.take_item(line, &fields)
    }

    fn is_doubtful(&self, record: &Record, fields: usize) -> bool {
        let is_given = |layout: &ItemLayout| !layout.numbers.iter().flatten().any(|&column| record.is_missing(column));
        self.layout.as_ref().is_some_and(|layout| layout.has_header && fields == layout.width && is_given(layout))
    }
}

impl<'a> ItemTable<'a> {
    fn new(kind: &'static ItemKind, options: &'a ReadOptions, with_comma: bool) -> Self {
        ItemTable {
            kind,
            options,
            layout: None,
            names: vec![],
            lines: vec![],
            columns: vec![vec![]; kind.columns.len()],
            kept: vec![],
            numbers: ItemNumbers { kind, with_comma, written: None },
            notes: vec![],
        }
    }

    /// An item, once it is known which field is which.
    fn take_item(&mut self, line: u64, fields: &[&str]) -> Result<(), Wrong> {
        let here = |problem: Problem| (line, problem);
        let layout = self.layout.as_ref().expect("the first line has said which field is which");
        if fields.len() > layout.width {
            let expected = format!("the first line has {}", layout.width);
            return Err(here(Problem::Columns { found: fields.len(), expected }));
        }
        let name = layout.name.map_or_else(
            || self.names.len().to_string(),
            |column| fields.get(column).copied().unwrap_or("").to_owned(),
        );
        for (place, column) in layout.numbers.iter().enumerate() {
            let value = match column {
                None => Decimal::whole(1),
                Some(column) => {
                    let field = fields.get(*column).copied().unwrap_or("");
                    self.numbers.read(place, field, || format!("on line {line}")).map_err(here)?
                }
            };
            self.columns[place].push(value);
        }
        for (column, kept) in &mut self.kept {
            let field = fields.get(*column).copied().unwrap_or("");
            match (field.is_empty(), self.numbers.with_comma) {
                (true, _) => kept.pad(self.names.len() + 1),
                (false, true) => kept.push(Cell::CommaText(field)),
                (false, false) => kept.push(Cell::Text(field)),
            }
        }
        self.names.push(name);
        self.lines.push(line);
        if self.names.len() > self.options.max_vertices {
            let limit = self.options.max_vertices;
            return Err(here(Problem::TooManyVertices { vertices: self.names.len() as u64, limit }));
        }
        Ok(())
    }
}

/// Words over the column of names, beside the kind itself.
const NAMES: [&str; 6] = ["name", "id", "title", "label", "description", "what"];

/// A word without case, and with one sign between its parts.
fn plain(word: &str) -> String {
    word.trim().to_lowercase().replace([' ', '-'], "_")
}

impl ItemTable<'_> {
    /// Whether the first line names the columns: it says so by a word, or has no number where others have one.
    fn is_header(&self, fields: &[&str]) -> bool {
        match self.options.header {
            HeaderLine::Yes => true,
            HeaderLine::No => false,
            HeaderLine::Auto => {
                let known =
                    fields.iter().any(|field| (0..self.kind.columns.len()).any(|place| self.is_called(place, field)));
                known || !fields.iter().any(|field| self.numbers.parse(field).is_some())
            }
        }
    }

    fn is_called(&self, place: usize, field: &str) -> bool {
        let (column, field) = (&self.kind.columns[place], plain(field));
        let is_word = |word: &str| field == word || field == format!("{}_{word}", self.kind.one);
        is_word(column.name) || column.also.iter().any(|word| is_word(word))
    }

    /// The numbers that have to be there.
    fn needed(&self) -> impl Iterator<Item = usize> + Clone {
        let unneeded = if self.options.weights_matter { None } else { self.kind.weight() };
        (0..self.kind.columns.len()).filter(move |&place| Some(place) != unneeded)
    }

    fn layout(&self, name: Option<usize>, needed: &[usize], width: usize) -> ItemLayout {
        let mut numbers = vec![None; self.kind.columns.len()];
        self.needed().zip(needed).for_each(|(place, &column)| numbers[place] = Some(column));
        ItemLayout { name, numbers, width, has_header: false }
    }

    /// Settles by the first line which field is which, and which columns are kept.
    fn set_layout(&mut self, fields: &[&str], has_header: bool) -> Result<(), Problem> {
        let layout = ItemLayout { has_header, ..self.find_layout(fields, has_header)? };
        if !self.options.weights_matter {
            let called =
                |column: usize| if has_header { fields[column].to_owned() } else { format!("column {}", column + 1) };
            let kept = (0..fields.len()).filter(|&column| Some(column) != layout.name);
            self.kept = kept.map(|column| (column, EdgeColumn::new(called(column), Some(column + 1)))).collect();
        }
        self.layout = Some(layout);
        Ok(())
    }

    fn find_layout(&self, fields: &[&str], has_header: bool) -> Result<ItemLayout, Problem> {
        let (width, count) = (fields.len(), self.needed().count());
        let header: &[&str] = if has_header { fields } else { &[] };
        let wanted = &self.options.columns;
        if !wanted.is_empty() {
            let places = wanted.iter().map(|name| column_of(header, width, name)).collect::<Result<Vec<_>, _>>()?;
            return match places.len().checked_sub(count) {
                Some(0) => Ok(self.layout(None, &places, width)),
                Some(1) => Ok(self.layout(Some(places[0]), &places[1..], width)),
                _ => Err(format!("--columns takes the name and {}", self.column_words()).into()),
            };
        }
        let called = |place: usize| header.iter().position(|field| self.is_called(place, field));
        let by_word: Option<Vec<usize>> = self.needed().map(called).collect();
        let unnamed = header.first().is_some_and(|first| first.is_empty() || *first == "Unnamed: 0");
        let numbers = match by_word {
            Some(places) => places,
            // By place, where nothing else can be meant.
            None if width == count || width == count + 1 || (unnamed && width == count + 2) => {
                (width - count..width).collect()
            }
            None => {
                let what = if has_header { listed(header.iter().copied()) } else { format!("{width} columns") };
                return Err(
                    format!("which columns are {}? There are {what}; say --columns", self.column_words()).into()
                );
            }
        };
        let others: Vec<usize> = (0..width).filter(|column| !numbers.contains(column)).collect();
        let is_name = |&&column: &&usize| {
            let word = header.get(column).map(|field| plain(field)).unwrap_or_default();
            word == self.kind.one || NAMES.contains(&word.as_str()) || word == format!("{}_name", self.kind.one)
        };
        let named = |&&column: &&usize| !(unnamed && column == 0);
        let name = others.iter().find(is_name).or_else(|| others.iter().find(named)).or(others.first()).copied();
        Ok(self.layout(name, &numbers, width))
    }

    fn column_words(&self) -> String {
        listed(self.needed().map(|place| self.kind.columns[place].name))
    }

    /// Rounds the weights, if that was asked for.
    fn round(&mut self) -> Result<(), Wrong> {
        let Some(step) = self.options.round else { return Ok(()) };
        let Some(place) = self.kind.weight() else {
            let none = format!("--round rounds weights, and {} have none", self.kind.many);
            return Err((self.lines[0], none.into()));
        };
        let mut changed = 0;
        for (weight, &line) in self.columns[place].iter_mut().zip(&self.lines) {
            let rounded = weight.rounded_to(step).ok_or_else(|| {
                (line, Problem::from(format!("the weight {weight} cannot be rounded to multiples of {step}")))
            })?;
            changed += usize::from(rounded != *weight);
            *weight = rounded;
        }
        self.notes.push(format!("weights rounded to multiples of {step}: {changed} of {} changed", self.lines.len()));
        Ok(())
    }

    fn finish(mut self) -> Result<NamedItems, ReadError> {
        let whole_file = |problem: Problem| ReadError::new(Place::File, problem);
        if self.names.is_empty() {
            return Err(whole_file(format!("there are no {} in the file", self.kind.many).into()));
        }
        self.round().map_err(|(line, problem)| ReadError::new(Place::Line(line), problem))?;
        let lines = self.lines;
        let items = Items::new(self.kind, self.columns)
            .map_err(|error| ReadError::new(Place::Line(lines[error.item]), error.to_string()))?;
        if let Some(note) = tell_apart(&mut self.names) {
            self.notes.push(note);
        }
        let written = self.numbers.written.as_ref().map_or(MomentKind::Number, |(kind, _)| *kind);
        let columns = self.kept.into_iter().map(|(_, column)| column).collect();
        Ok(NamedItems { items, names: self.names, lines, columns, written, notes: self.notes })
    }
}

/// The numbers of items as people write them.
struct ItemNumbers {
    kind: &'static ItemKind,
    /// Whether a comma may stand for the decimal point.
    with_comma: bool,
    /// How the first point in time was written, and where.
    written: Option<(MomentKind, String)>,
}

impl ItemNumbers {
    fn parse(&self, field: &str) -> Option<(MomentKind, Decimal)> {
        let number = if self.with_comma { parse_with_comma(field).ok() } else { field.parse().ok() };
        let number = number.map(|number| (MomentKind::Number, number));
        number.or_else(|| parse_moment(field).filter(|_| self.kind.times))
    }

    /// A number of the column at `place`; `here` says where it stands.
    fn read(&mut self, place: usize, field: &str, here: impl Fn() -> String) -> Result<Decimal, Problem> {
        let column = self.kind.columns[place].name;
        if field.is_empty() {
            return Err(format!("the {column} is missing").into());
        }
        let Some((kind, value)) = self.parse(field) else {
            let what = if self.kind.times { "a number, a date or a time" } else { "a number" };
            return Err(format!("the {column} '{}' is not {what}", shortened(field)).into());
        };
        let (before, first) = self.written.get_or_insert_with(|| (kind, here()));
        if *before != kind {
            let field = shortened(field);
            return Err(format!("the {column} '{field}' is {kind}, but {first} there is {before}").into());
        }
        Ok(value)
    }
}

/// Items from columns of texts, each number written as files may have it. What is wrong is said of an item by its number and `name`.
pub fn items_of_texts<T: AsRef<str>>(
    kind: &'static ItemKind,
    columns: &[Vec<T>],
    name: impl Fn(usize) -> String,
) -> Result<Items, String> {
    let mut numbers = ItemNumbers { kind, with_comma: false, written: None };
    let called = |item: usize| format!("{} {}", kind.one, name(item));
    let mut read = |place: usize, (item, text): (usize, &T)| {
        let number = numbers.read(place, text.as_ref(), || format!("for {}", called(item)));
        number.map_err(|problem| format!("{}: {problem}", called(item)))
    };
    let column = |(place, texts): (usize, &Vec<T>)| texts.iter().enumerate().map(|text| read(place, text)).collect();
    let columns = columns.iter().enumerate().map(column).collect::<Result<Vec<Vec<Decimal>>, String>>()?;
    Items::new(kind, columns).map_err(|error| error.to_string())
}

/// A column by its name or its number from 1.
fn column_of(header: &[&str], width: usize, wanted: &str) -> Result<usize, Problem> {
    let by_name = header.iter().position(|name| *name == wanted || name.eq_ignore_ascii_case(wanted));
    let by_number = || wanted.parse::<usize>().ok()?.checked_sub(1).filter(|&column| column < width);
    by_name.or_else(by_number).ok_or_else(|| Problem::UnknownColumn {
        name: wanted.to_owned(),
        suggestion: None,
        known: header.iter().map(|&name| name.to_owned()).collect(),
    })
}

/// Gives a number to names that others have already; says so.
fn tell_apart(names: &mut [String]) -> Option<String> {
    let mut times: HashMap<String, usize> = names.iter().map(|name| (name.clone(), 0)).collect();
    let mut example = None;
    for name in names {
        let met = times.get_mut(name).expect("every name was counted");
        *met += 1;
        if *met == 1 {
            continue;
        }
        let mut number = *met;
        let apart = loop {
            let apart = format!("{} ({number})", name);
            if !times.contains_key(&apart) {
                break apart;
            }
            number += 1;
        };
        times.insert(name.clone(), number);
        times.insert(apart.clone(), 1);
        example.get_or_insert_with(|| {
            format!("'{}' stands several times; the second is called '{}'", shortened(name), shortened(&apart))
        });
        *name = apart;
    }
    example
}
