//! Standard output and standard error, which may be closed, full, or a terminal that obeys what it reads.
//!
//! Names in people's files may hold control characters, which a terminal would obey, or characters that turn the direction of
//! writing. They are shown as `\u001b`, which in JSON means the same character; files get them as they are.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};

/// Says something on standard error. That nobody can read it is no reason to stop working.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::screen::say_line(format_args!($($text)*)) };
}
pub(crate) use say;

/// As the macro does.
pub fn say_line(text: fmt::Arguments) {
    let _ = writeln!(Safe(io::stderr().lock()), "{text}");
}

/// Standard output, buffered; what is harmful is escaped. Flush it: only then it is known whether everything was written.
pub fn stdout() -> Safe<BufWriter<io::StdoutLock<'static>>> {
    Safe(BufWriter::new(io::stdout().lock()))
}

/// Standard output for a file's bytes: as they are, but on a terminal escaped.
pub fn write_data(bytes: &[u8]) -> io::Result<()> {
    match io::stdout().is_terminal() {
        true => Safe(io::stdout().lock()).write_all(bytes),
        false => io::stdout().lock().write_all(bytes).map_err(of_standard_output),
    }
}

/// Lines of a long job on standard output: a reader who goes away ends the lines, not the job, and any other failure is kept for the end.
#[derive(Debug, Default)]
pub struct JobLines {
    failed: Option<io::Error>,
}

impl JobLines {
    /// Writes a line, unless writing has failed before.
    pub fn line(&mut self, text: &str) {
        if self.failed.is_none() {
            self.failed = writeln!(Safe(io::stdout().lock()), "{text}").err();
        }
    }

    /// What went wrong, if it is something that the person should know.
    pub fn finish(self) -> io::Result<()> {
        match self.failed {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }
}

/// Says where a failure was. (Those of standard error are told nobody.)
pub fn of_standard_output(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("standard output: {error}"))
}

/// Escapes what a terminal would obey.
pub struct Safe<W>(W);

impl<W: Write> Write for Safe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) if text.contains(is_harmful) => self.0.write_all(escaped(text).as_bytes()),
            _ => self.0.write_all(bytes),
        }
        .map_err(of_standard_output)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(of_standard_output)
    }
}

/// Text with harmful characters escaped; line ends and tabs stay.
pub fn escaped(text: &str) -> String {
    escaped_where(text, is_harmful)
}

fn escaped_where(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match is_escaped(character) {
            true if matches!(character, '\n' | '\t') => safe.extend(character.escape_default()),
            true => safe.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => safe.push(character),
        }
    }
    safe
}

/// A name, or anything else that others wrote, as it stands within a line: its line breaks and tabs are escaped, too, so that it forges neither lines nor columns.
pub fn in_line(text: &str) -> Cow<'_, str> {
    let breaks = |character| is_harmful(character) || matches!(character, '\n' | '\t' | '\u{2028}' | '\u{2029}');
    match text.contains(breaks) {
        true => Cow::Owned(escaped_where(text, breaks)),
        false => Cow::Borrowed(text),
    }
}

/// Control characters, and those that change the direction of writing.
fn is_harmful(character: char) -> bool {
    let turns =
        matches!(character, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (character.is_control() && !matches!(character, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped_and_json_keeps_its_meaning() {
        let name = "a\u{1b}[31m\u{9b}2J\u{202e}é\tb\n";
        let mut safe = Safe(vec![]);
        write!(safe, "{name}").unwrap();
        assert_eq!(String::from_utf8(safe.0).unwrap(), "a\\u001b[31m\\u009b2J\\u202eé\tb\n");
        let mut safe = Safe(vec![]);
        serde_json::to_writer(&mut safe, name).unwrap();
        assert_eq!(serde_json::from_slice::<String>(&safe.0).unwrap(), name);
        assert!(!safe.0.contains(&0x9b));
    }

    #[test]
    fn what_stands_within_a_line_ends_none() {
        assert_eq!(in_line("c\nnew\tcolumn\u{1b}\u{2028}é"), "c\\nnew\\tcolumn\\u001b\\u2028é");
        assert!(matches!(in_line("Saint-Denis, \\n"), Cow::Borrowed(_)));
    }
}
