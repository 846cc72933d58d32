//! Some lines of a table as far as they can be understood without the lines before them, so that several threads can do it.
//!
//! What is left for whoever takes the pieces, in the order of the file, is to look names up. A line such as `12,7,3`, without quotes or spaces, goes
//! straight from its bytes to numbers; any other is split into a [`Record`] first.

use super::super::Problem;
use super::super::columns::{Cell, EdgeColumn};
use super::super::eight_bytes::plain_field;
use super::super::file::EdgeLines;
use super::super::names::{Spot, Spotter};
use super::super::options::Delimiter;
use super::super::text::shortened;
use super::Wrong;
use super::layout::Layout;
use super::split::{Kind, Record, Unsplit, is_comment};
use std::ops::Range;

/// What some lines of a block of the file say.
#[derive(Default)]
pub(super) struct Piece {
    /// The names in their order: two for each edge, one for a line with a single name.
    pub names: Vec<Spot>,
    /// Names that stood in quotes, one after the other; spots count them on from the end of the block.
    pub quoted: String,
    /// Lines with a single name: how many names come before it, and the line.
    pub single: Vec<(usize, u64)>,
    /// The line of each edge.
    pub lines: EdgeLines,
    /// The attributes, in the order of `layout.attributes`.
    pub columns: Vec<EdgeColumn>,
    /// For each attribute, whether numbers with a decimal comma and with a decimal point occurred.
    pub marks: Vec<(bool, bool)>,
    /// The edges that have a dictionary of attributes, and where it stands in the block.
    pub dictionaries: Vec<(usize, Range<usize>)>,
    pub comments: usize,
    /// The attributes that were known to have words.
    has_words: Vec<bool>,
    /// What is wrong with the line after those.
    pub wrong: Option<Wrong>,
}

/// Where a piece stands: its bytes in the block, and its first line in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub bytes: Range<usize>,
    pub line: u64,
}

/// What all pieces of a table have in common.
pub(super) struct Manner<'a> {
    pub layout: &'a Layout,
    pub spotter: Spotter,
    /// The attributes in which a word has occurred: numbers after it are kept as they were written.
    pub has_words: Vec<bool>,
}

impl Piece {
    /// Reads the lines at `place` of a block; whatever the piece held before is gone.
    pub fn read(&mut self, block: &str, place: &Place, manner: &Manner) {
        self.clear(manner);
        let text = &block[..place.bytes.end];
        let (mut at, mut line) = (place.bytes.start, place.line);
        let plain = manner.layout.plain_delimiter();
        let mut record = Record::default();
        while at < text.len() {
            if let Some(next) = plain.and_then(|delimiter| self.take_plain(text, at, line, delimiter, manner)) {
                (at, line) = (next, line + 1);
                continue;
            }
            let split = match record.split(text, at, manner.layout.delimiter) {
                Ok(split) => split,
                Err(unsplit) => return self.wrong = Some(unsplit.on(line)),
            };
            match split.kind {
                Kind::Blank => (),
                Kind::Comment if is_doubtful(&mut record, text, at, manner.layout) => {
                    return self.wrong = Some((line, doubtful_comment(&text[at..split.next])));
                }
                Kind::Comment => self.comments += 1,
                Kind::Fields => {
                    if let Err(problem) = self.take_record(block, text, line, &record, manner) {
                        return self.wrong = Some((line, problem));
                    }
                }
            }
            (at, line) = (split.next, line + split.lines);
        }
    }

    fn clear(&mut self, manner: &Manner) {
        let layout = manner.layout;
        self.names.clear();
        self.quoted.clear();
        self.single.clear();
        self.lines = EdgeLines::default();
        self.columns.resize_with(layout.attributes.len(), || EdgeColumn::new(String::new(), None));
        self.columns.iter_mut().zip(&manner.has_words).for_each(|(column, &has_words)| column.clear(has_words));
        self.marks.clear();
        self.marks.resize(layout.attributes.len(), (false, false));
        self.dictionaries.clear();
        self.has_words.clone_from(&manner.has_words);
        (self.comments, self.wrong) = (0, None);
    }

    /// True where one of `columns`, which come before, has words that were not known of when the piece was read.
    pub fn was_read_without_words(&self, columns: &[EdgeColumn]) -> bool {
        columns.iter().zip(&self.has_words).any(|(column, &known)| column.has_words() && !known)
    }

    /// Takes a line `a,b` or `a,b,7`, as most are; `None`, and nothing taken, for any other.
    #[inline]
    fn take_plain(&mut self, text: &str, at: usize, line: u64, delimiter: u8, manner: &Manner) -> Option<usize> {
        let bytes = text.as_bytes();
        let tail = plain_field(bytes, at, delimiter).filter(|tail| !tail.is_last)?;
        if tail.number.is_none() && is_comment(&bytes[at..]) {
            return None;
        }
        let head = plain_field(bytes, tail.next, delimiter)?;
        let mut next = head.next;
        match &mut self.columns[..] {
            [] if head.is_last => (),
            [column] if !head.is_last => {
                let value = plain_field(bytes, head.next, delimiter).filter(|value| value.is_last)?;
                next = value.next;
                match value.number {
                    Some(number) if column.push_whole(number) => (),
                    _ if delimiter == b',' => column.push(Cell::Text(&text[value.start..value.end])),
                    _ => return None,
                }
            }
            _ => return None,
        }
        for end in [tail, head] {
            self.names.push(manner.spotter.spot(&bytes[end.start..end.end], end.start, end.number));
        }
        self.lines.push(line);
        Some(next)
    }

    fn take_record(
        &mut self,
        block: &str,
        text: &str,
        line: u64,
        record: &Record,
        manner: &Manner,
    ) -> Result<(), Problem> {
        let layout = manner.layout;
        let Layout { tail, head, .. } = *layout;
        if record.is_missing(tail) || record.is_missing(head) {
            let others = layout.attributes.iter().any(|&column| !record.is_missing(column));
            if record.is_missing(tail) || others {
                return Err("the name of a vertex is missing".into());
            }
            self.single.push((self.names.len(), line));
            self.take_name(block, text, record, tail, manner);
            return Ok(());
        }
        if record.len() > layout.width && !layout.dictionaries {
            return Err(too_wide(layout, record.len()));
        }
        match layout.dictionaries {
            true => self.take_dictionary(text, record, layout)?,
            false => self.take_attributes(text, record, layout),
        }
        self.take_name(block, text, record, tail, manner);
        self.take_name(block, text, record, head, manner);
        self.lines.push(line);
        Ok(())
    }

    fn take_name(&mut self, block: &str, text: &str, record: &Record, index: usize, manner: &Manner) {
        let name = record.get(text, index);
        let at = match record.start(index) {
            Some(start) => start,
            None => {
                self.quoted.push_str(name);
                block.len() + self.quoted.len() - name.len()
            }
        };
        self.names.push(manner.spotter.spot(name.as_bytes(), at, None));
    }

    fn take_attributes(&mut self, text: &str, record: &Record, layout: &Layout) {
        let row = self.lines.len();
        for (index, &column) in layout.attributes.iter().enumerate() {
            if record.is_missing(column) {
                self.columns[index].pad(row + 1);
                continue;
            }
            if let Some(number) = record.short_number(text, column)
                && self.columns[index].push_whole(number)
            {
                continue;
            }
            let field = record.get(text, column);
            if layout.delimiter == Delimiter::Byte(b',') {
                self.columns[index].push(Cell::Text(field));
            } else {
                let marks = &mut self.marks[index];
                *marks = (marks.0 || field.contains(','), marks.1 || field.contains('.'));
                self.columns[index].push(Cell::CommaText(field));
            }
        }
    }

    /// The attributes of a line of networkx: `0 1 {'weight': 3}`.
    fn take_dictionary(&mut self, text: &str, record: &Record, layout: &Layout) -> Result<(), Problem> {
        let third = layout.tail.max(layout.head) + 1;
        if record.len() <= third {
            return Ok(());
        }
        let Some(start) = record.start(third) else { return Err(no_dictionary(record.get(text, third))) };
        let length = text[start..].find('\n').unwrap_or(text.len() - start);
        self.dictionaries.push((self.lines.len(), start..start + length));
        Ok(())
    }

    /// The line on which one of the names stands.
    pub fn line_of_name(&self, name: usize) -> u64 {
        let before = self.single.partition_point(|&(single, _)| single < name);
        match self.single.get(before) {
            Some(&(single, line)) if single == name => line,
            _ => self.lines.of((name - before) / 2),
        }
    }
}

impl Unsplit {
    /// What is wrong with the record that starts on `line`.
    pub fn on(self, line: u64) -> Wrong {
        match self {
            Unsplit::OpenQuote => {
                (line, format!("the quote opened in the record of line {line} is never closed").into())
            }
            Unsplit::Wrong(later, why) => (line + later, why.into()),
        }
    }
}

/// True for a comment that may as well be an edge, because it has all columns that the header names: `#c,b,1`. (Where spaces are between columns, any sentence
/// may have so many words.)
fn is_doubtful(record: &mut Record, text: &str, at: usize, layout: &Layout) -> bool {
    layout.header.is_some()
        && record.split_comment(text, at, layout.delimiter) == Some(layout.width)
        && ![layout.tail, layout.head].iter().any(|&end| record.is_missing(end))
}

/// What is said of a comment that may as well be data. Guessing either way would change what is read without a word.
pub(super) fn doubtful_comment(line: &str) -> Problem {
    let line = shortened(line.trim());
    format!(
        "'{line}' starts like a comment but has every column of the header: put its first name in quotes if it is \
         data, remove the line if it is not"
    )
    .into()
}

fn too_wide(layout: &Layout, found: usize) -> Problem {
    let before = if layout.header.is_some() { "the header has" } else { "the first edge has" };
    Problem::Columns { found, expected: format!("{before} {}", layout.width) }
}

/// What is said of a text that is no dictionary.
pub(super) fn no_dictionary(text: &str) -> Problem {
    format!("'{}' is not a dictionary of attributes", shortened(text)).into()
}
