//! Text as a reader needs it: line by line, in blocks of whole lines, or all at once; never more than allowed.

use super::{Place, Problem, ReadError, ReadOptions};
use std::io::{BufRead, Read, Take};

/// The longest line of a file, and the longest record whose quotes go over several lines. A file without end, such as
/// `/dev/zero`, is refused after so many bytes.
pub(super) const LONGEST_LINE: usize = 64 << 20;

/// The largest file of a format that has to be in memory as a whole: XML, JSON, GML, archives.
const LARGEST_DOCUMENT: u64 = 1 << 30;

/// Reads one line after the other into one buffer.
pub(super) struct Lines<'a> {
    reader: Take<&'a mut dyn BufRead>,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
    limit: u64,
}

impl<'a> Lines<'a> {
    pub fn new(reader: &'a mut dyn BufRead, options: &ReadOptions) -> Self {
        let limit = options.max_bytes;
        // One byte more than allowed, to notice that there are more.
        Lines { reader: reader.take(limit.saturating_add(1)), line: vec![], number: 0, bytes: 0, limit }
    }

    /// The next line with its line break, or `None` at the end of the file.
    pub fn next(&mut self) -> Result<Option<&str>, ReadError> {
        self.line.clear();
        self.number += 1;
        let mut bounded = (&mut self.reader).take(LONGEST_LINE as u64 + 1);
        let read = bounded.read_until(b'\n', &mut self.line).map_err(|error| self.error(error))?;
        self.bytes += read as u64;
        if self.bytes > self.limit {
            return Err(self.error(Problem::TooManyBytes { limit: self.limit }));
        }
        if read > LONGEST_LINE {
            return Err(self.error(Problem::LineTooLong { limit: LONGEST_LINE }));
        }
        if read == 0 {
            return Ok(None);
        }
        match std::str::from_utf8(&self.line) {
            Ok(line) if self.number == 1 => check_line_ends(line).map(|()| Some(without_mark(line))),
            Ok(line) => Ok(Some(line)),
            Err(_) => Err(ReadError::new(Place::Line(self.number), not_text(&self.line, self.number == 1))),
        }
    }

    /// The number of the line read last, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// How many bytes were read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// `problem`, on the line read last.
    pub fn error(&self, problem: impl Into<Problem>) -> ReadError {
        ReadError::new(Place::Line(self.number), problem)
    }
}

/// Reads many lines at once.
pub(super) struct Blocks<'a> {
    reader: Take<&'a mut dyn BufRead>,
    /// Whole lines.
    text: String,
    /// What was read of the line after them.
    rest: Vec<u8>,
    /// Memory that is used again.
    spare: Vec<Vec<u8>>,
    /// The line on which the text starts, from 1.
    line: u64,
    bytes: u64,
    limit: u64,
    size: usize,
    at_end: bool,
}

const BLOCK: usize = 1 << 20;

impl<'a> Blocks<'a> {
    pub fn new(reader: &'a mut dyn BufRead, options: &ReadOptions) -> Self {
        Blocks::of_size(reader, options, BLOCK)
    }

    /// Blocks of about so many bytes.
    pub fn of_size(reader: &'a mut dyn BufRead, options: &ReadOptions, size: usize) -> Self {
        let limit = options.max_bytes;
        let reader = reader.take(limit.saturating_add(1));
        let (text, rest, spare) = (String::new(), vec![], vec![]);
        Blocks { reader, text, rest, spare, line: 1, bytes: 0, limit, size, at_end: false }
    }

    /// The whole lines that were read and not yet dropped; the last one may lack its break only at the end of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line on which [`Blocks::text`] starts.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Reads about so many bytes at once from now on.
    pub fn set_size(&mut self, size: usize) {
        self.size = size;
    }

    /// About how many bytes are read at once.
    pub fn size(&self) -> usize {
        self.size
    }

    pub fn is_at_end(&self) -> bool {
        self.at_end
    }

    /// Forgets the first bytes of the text, which have so many lines.
    pub fn drop_first(&mut self, bytes: usize, lines: u64) {
        self.text.drain(..bytes);
        self.line += lines;
    }

    /// The first bytes of the text, which have so many lines; the others stay.
    pub fn take_first(&mut self, bytes: usize, lines: u64) -> String {
        let others = self.text.split_off(bytes);
        self.line += lines;
        std::mem::replace(&mut self.text, others)
    }

    /// Takes back memory that is no longer needed.
    pub fn give_back(&mut self, text: String) {
        self.spare.push(text.into_bytes());
    }

    /// Adds at least one line to the text, unless the file ends.
    pub fn read_more(&mut self) -> Result<(), ReadError> {
        let mut complete = 0;
        while complete == 0 && !self.at_end {
            let before = self.rest.len();
            if self.text.len() + before > LONGEST_LINE {
                return Err(self.error(0, 0, Problem::LineTooLong { limit: LONGEST_LINE }));
            }
            // Doubling, so that a long line is looked at twice and not a hundred times.
            let wanted = self.size.max(self.text.len() + before) as u64;
            let read = (&mut self.reader).take(wanted).read_to_end(&mut self.rest);
            let read = read.map_err(|error| self.error(self.text.len(), 0, error))?;
            self.bytes += read as u64;
            if self.bytes > self.limit {
                let problem = Problem::TooManyBytes { limit: self.limit };
                return Err(self.error(self.text.len(), self.rest.len(), problem));
            }
            self.at_end = (read as u64) < wanted;
            let newline = self.rest[before..].iter().rposition(|&byte| byte == b'\n');
            complete = match newline {
                _ if self.at_end => self.rest.len(),
                newline => newline.map_or(0, |newline| before + newline + 1),
            };
        }
        self.add_text(complete)
    }

    /// Moves so many bytes of the rest to the text, if they are text.
    fn add_text(&mut self, bytes: usize) -> Result<(), ReadError> {
        let is_start = self.text.is_empty() && self.bytes == self.rest.len() as u64;
        let mut others = self.spare.pop().unwrap_or_default();
        others.clear();
        others.extend_from_slice(&self.rest[bytes..]);
        self.rest.truncate(bytes);
        let new = match String::from_utf8(std::mem::replace(&mut self.rest, others)) {
            Ok(new) => new,
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                self.rest = error.into_bytes();
                return Err(self.error(self.text.len(), valid, not_text(&self.rest, is_start)));
            }
        };
        match self.text.is_empty() {
            true => self.text = new,
            false => self.text.push_str(&new),
        }
        if is_start && self.text.as_bytes().starts_with(MARK) {
            self.drop_first(MARK.len(), 0);
        }
        Ok(())
    }

    /// `problem`, on the line after so many bytes of the text and of the rest.
    fn error(&self, text: usize, rest: usize, problem: impl Into<Problem>) -> ReadError {
        let bytes = self.text.as_bytes()[..text].iter().chain(&self.rest[..rest]);
        let lines = bytes.filter(|&&byte| byte == b'\n').count();
        ReadError::new(Place::Line(self.line + lines as u64), problem)
    }
}

/// All bytes of a file that is not read line by line.
pub(super) fn read_all(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<Vec<u8>, ReadError> {
    let limit = options.max_bytes.min(LARGEST_DOCUMENT);
    let start = reader.fill_buf().map_err(|error| ReadError::new(Place::File, error))?;
    if start.starts_with(&[0; 8]) {
        return Err(ReadError::new(
            Place::File,
            "the file starts with zero bytes: this is neither text nor an archive",
        ));
    }
    let mut bytes = vec![];
    let read = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| ReadError::new(Place::File, error))?;
    match bytes.len() as u64 {
        0 => Err(ReadError::new(Place::File, Problem::Empty)),
        length if length > limit => Err(ReadError::new(Place::File, Problem::TooManyBytes { limit })),
        _ => Ok(bytes),
    }
}

/// The bytes as text, without the byte order mark that some editors put first.
pub(super) fn as_text(bytes: &[u8]) -> Result<&str, ReadError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(without_mark(text)),
        Err(error) => {
            let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            Err(ReadError::new(Place::at(&valid, valid.len()), not_text(bytes, true)))
        }
    }
}

/// Refuses text whose first line ends where no line does: at a carriage return that is alone, as in files of old programs. In quotes it is text.
pub(super) fn check_line_ends(text: &str) -> Result<(), ReadError> {
    let first = text.lines().next().unwrap_or("").trim_end_matches('\r');
    let unquoted = first.split('"').next().unwrap_or("");
    match unquoted.contains('\r') {
        true => Err(ReadError::new(
            Place::Line(1),
            "lines end in carriage returns alone: save the file with usual line ends (tr '\\r' '\\n' < FILE does it)",
        )),
        false => Ok(()),
    }
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn not_text(bytes: &[u8], is_start: bool) -> Problem {
    let is_utf16 = is_start && (bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff"));
    if is_utf16 { Problem::Utf16 } else { Problem::NotText }
}
