//! One line of an edge list, split into fields.
//!
//! Quotes as in RFC 4180: a quoted field may hold separators and line breaks, and a doubled quote is a quote. Fields
//! without quotes lose the spaces around them, quoted ones keep theirs: `a, b` means b, `a," b"` does not. (The usual
//! reader of such files does not tell whether a field had quotes, so it can only trim both or neither.)

use super::error::shortened;
use super::lines::Lines;
use super::{Format, ReadError};

/// What stands between two fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Character(char),
    /// Any white space, no quotes, and comments after `#` or `%`.
    Space,
}

impl Separator {
    pub fn of(format: Format) -> Self {
        match format {
            Format::Csv => Separator::Character(','),
            Format::Tsv => Separator::Character('\t'),
            _ => Separator::Space,
        }
    }

    /// The character to write.
    pub fn character(self) -> char {
        match self {
            Separator::Character(separator) => separator,
            Separator::Space => ' ',
        }
    }
}

/// The fields of one line, or of several if a quoted field goes over line breaks.
#[derive(Default)]
pub(super) struct Record {
    text: String,
    /// Where each field ends in `text`, and whether it had quotes.
    fields: Vec<(usize, bool)>,
    line: u64,
}

impl Record {
    /// Reads the next line that is not empty; false at the end of the file.
    pub fn read(&mut self, lines: &mut Lines, separator: Separator) -> Result<bool, ReadError> {
        loop {
            self.text.clear();
            self.fields.clear();
            let Some(line) = lines.next()? else { return Ok(false) };
            match separator {
                Separator::Space => self.split_at_spaces(line),
                Separator::Character(separator) if !line.contains('"') => {
                    line.split(separator).for_each(|field| self.push(field.trim()))
                }
                Separator::Character(separator) => {
                    let start = line.to_owned();
                    self.line = lines.number();
                    self.split_quoted(&start, lines, separator)?;
                    self.drop_empty_end();
                    return Ok(true);
                }
            }
            self.drop_empty_end();
            if !self.fields.is_empty() {
                self.line = lines.number();
                return Ok(true);
            }
        }
    }

    pub fn len(&self) -> usize {
        self.fields.len()
    }

    pub fn get(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.fields[index - 1].0 };
        &self.text[start..self.fields[index].0]
    }

    /// True for a field with nothing in it, not even quotes.
    pub fn is_missing(&self, index: usize) -> bool {
        self.get(index).is_empty() && !self.fields[index].1
    }

    /// The line on which the record starts.
    pub fn line(&self) -> u64 {
        self.line
    }

    fn push(&mut self, field: &str) {
        self.text.push_str(field);
        self.fields.push((self.text.len(), false));
    }

    fn split_at_spaces(&mut self, line: &str) {
        if !line.trim_start().starts_with(['#', '%']) {
            line.split_whitespace().for_each(|field| self.push(field));
        }
    }

    /// Spreadsheets fill short lines up with separators.
    fn drop_empty_end(&mut self) {
        while !self.fields.is_empty() && self.is_missing(self.fields.len() - 1) {
            self.fields.pop();
        }
    }

    fn split_quoted(&mut self, start: &str, lines: &mut Lines, separator: char) -> Result<(), ReadError> {
        let first_line = lines.number();
        let mut state = self.split_part(start, State::Start, separator).map_err(|problem| lines.error(problem))?;
        while state == State::Quoted {
            // The text is copied because the error needs the line's number.
            let Some(more) = lines.next()?.map(str::to_owned) else {
                let never = format!("the quote opened in the record of line {first_line} is never closed");
                return Err(lines.error(never));
            };
            state = self.split_part(&more, state, separator).map_err(|problem| lines.error(problem))?;
        }
        self.end_field(state);
        Ok(())
    }

    fn split_part(&mut self, part: &str, mut state: State, separator: char) -> Result<State, String> {
        for character in part.chars() {
            state = match (state, character) {
                (State::Quoted, '"') => State::AfterQuote,
                (State::Quoted, _) => {
                    self.text.push(character);
                    State::Quoted
                }
                (State::AfterQuote, '"') => {
                    self.text.push('"');
                    State::Quoted
                }
                (_, _) if character == separator => {
                    self.end_field(state);
                    State::Start
                }
                (State::Start, '"') => State::Quoted,
                (State::Start | State::Closed, _) if character.is_whitespace() => state,
                (State::AfterQuote, _) if character.is_whitespace() => State::Closed,
                (State::AfterQuote | State::Closed, _) => {
                    return Err(format!("'{}' follows a closing quote", shortened(&character.to_string())));
                }
                (State::Start | State::Plain, _) => {
                    self.text.push(character);
                    State::Plain
                }
            };
        }
        Ok(state)
    }

    fn end_field(&mut self, state: State) {
        if state == State::Plain {
            self.text.truncate(self.text.trim_end().len());
        }
        self.fields.push((self.text.len(), matches!(state, State::AfterQuote | State::Closed)));
    }
}

/// Where in a field the splitting stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before anything but spaces.
    Start,
    /// In a field without quotes.
    Plain,
    /// Between quotes.
    Quoted,
    /// After a quote that closes the field unless another follows.
    AfterQuote,
    /// After a closing quote and a space.
    Closed,
}

/// A name as a field that reads back as that name; between spaces there are no quotes.
pub(super) fn push_field(out: &mut String, name: &str, separator: Separator) {
    let between = separator.character();
    let is_plain = !name.is_empty() && name.trim() == name && !name.contains([between, '"', '\n', '\r']);
    if is_plain || separator == Separator::Space {
        out.push_str(name);
    } else {
        out.push('"');
        out.push_str(&name.replace('"', "\"\""));
        out.push('"');
    }
}
