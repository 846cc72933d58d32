//! Reading what may have no end: `/dev/zero`, a pipe that somebody keeps filling.

use super::faults::{self, Operation};
use crate::memory;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// The largest file that is read as a whole: a model, a log, settings.
const LARGEST: u64 = 4 << 30;

/// The longest line of a file of JSON Lines.
const LONGEST_LINE: u64 = 1 << 30;

/// A line that is read without asking whether there is room for it.
const USUAL_LINE: u64 = 1 << 24;

/// A file that is open for reading.
#[derive(Debug)]
pub struct Input(File);

/// Opens a file for reading.
pub fn open(path: &Path) -> io::Result<Input> {
    faults::point(Operation::Open)?;
    Ok(Input(File::open(path)?))
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        faults::point(Operation::Read)?;
        self.0.read(buffer)
    }
}

/// All bytes of a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut input = open(path)?;
    // A buffer that grows is twice as large at times.
    let most = memory::free().map_or(LARGEST, |free| (free / 2).min(LARGEST));
    let mut bytes = vec![];
    bytes.try_reserve(usize::try_from(input.0.metadata()?.len().min(most)).unwrap_or(usize::MAX))?;
    input.by_ref().take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_much(format!("it has more than {} MB, the most that is read at once here", most / 1_000_000))),
        false => Ok(bytes),
    }
}

/// All of a file of text.
pub fn read_text(path: &Path) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text");
    String::from_utf8(read(path)?).map_err(not_text)
}

/// As [`read_text`]; `None` where there is no such file.
pub fn read_text_if_there(path: &Path) -> io::Result<Option<String>> {
    match read_text(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the next line, with its line break, into a buffer that it clears first; false at the end.
pub fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut most = USUAL_LINE;
    loop {
        reader.take(most - line.len() as u64).read_until(b'\n', line)?;
        if line.ends_with(b"\n") || (line.len() as u64) < most {
            return Ok(!line.is_empty());
        }
        // A buffer that grows is twice as large at times, and what is read of the line takes its place, too.
        if most == LONGEST_LINE || memory::free().is_some_and(|free| free < 4 * most) {
            return Err(too_much(format!("a line has more than {} MiB, the most that is read here", most >> 20)));
        }
        most *= 2;
    }
}

fn too_much(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_after_the_other_and_one_without_end_is_refused() {
        let (mut reader, mut line) = (&b"one\n\ntwo"[..], vec![]);
        let mut lines = vec![];
        while next_line(&mut reader, &mut line).unwrap() {
            lines.push(String::from_utf8(line.clone()).unwrap());
        }
        assert_eq!(lines, ["one\n", "\n", "two"]);
        let mut endless = io::BufReader::with_capacity(1 << 20, io::repeat(0));
        let error = next_line(&mut endless, &mut line).unwrap_err().to_string();
        assert!(error.starts_with("a line has more than"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_there_is_none_and_one_that_is_no_text_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        assert_eq!(read_text_if_there(&path).unwrap(), None);
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read_text_if_there(&path).unwrap_err().to_string().contains("UTF-8"));
        std::fs::write(&path, "é").unwrap();
        assert_eq!(read_text(&path).unwrap(), "é");
    }
}
