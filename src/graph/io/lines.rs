//! Lines of a text file, numbered, and no more of them than allowed.

use super::{Place, Problem, ReadError, ReadOptions};
use std::io::{BufRead, Read, Take};

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
        let read = self.reader.read_until(b'\n', &mut self.line).map_err(|error| self.error(error))?;
        self.bytes += read as u64;
        if self.bytes > self.limit {
            return Err(self.error(Problem::TooManyBytes { limit: self.limit }));
        }
        if read == 0 {
            return Ok(None);
        }
        match std::str::from_utf8(&self.line) {
            Ok(line) if self.number == 1 => Ok(Some(without_mark(line))),
            Ok(line) => Ok(Some(line)),
            Err(_) => Err(ReadError::new(Place::Line(self.number), Problem::NotText)),
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

/// All bytes of a file that is not read line by line.
pub(super) fn read_all(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<Vec<u8>, ReadError> {
    let limit = options.max_bytes;
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
            Err(ReadError::new(Place::at(&valid, valid.len()), Problem::NotText))
        }
    }
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
