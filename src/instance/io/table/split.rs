//! One line of a table, split into fields.
//!
//! Quotes as in RFC 4180: a quoted field may hold separators and line breaks, and a doubled quote is a quote. Fields
//! without quotes lose the spaces around them, quoted ones keep theirs: `a, b` means b, `a," b"` does not. Fields
//! without quotes are not copied.

use super::super::eight_bytes::{field_end, short_number};
use super::super::options::Delimiter;
use super::super::text::shortened;

/// The fields of one line, or of several if a quoted field goes over line breaks.
#[derive(Default)]
pub(in super::super) struct Record {
    fields: Vec<Field>,
    /// What stands between quotes, with doubled quotes undone.
    quoted: String,
}

/// A part of the text, or of `Record::quoted`.
#[derive(Clone, Copy)]
struct Field {
    start: usize,
    end: usize,
    has_quotes: bool,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Kind {
    Fields,
    Blank,
    Comment,
}

/// A line that was split.
pub(in super::super) struct Line {
    pub kind: Kind,
    /// Where the next one starts.
    pub next: usize,
    /// How many lines of the file it has.
    pub lines: u64,
}

/// Why a line could not be split.
pub(in super::super) enum Unsplit {
    /// A quote is open where the text ends.
    OpenQuote,
    /// Something is wrong, so many lines after the first.
    Wrong(u64, String),
}

impl Record {
    /// Splits the line of `text` that starts at byte `at`.
    #[inline]
    pub fn split(&mut self, text: &str, at: usize, delimiter: Delimiter) -> Result<Line, Unsplit> {
        self.fields.clear();
        self.quoted.clear();
        let bytes = text.as_bytes();
        if let Delimiter::Byte(byte) = delimiter
            && let Some(next) = self.split_plainly(bytes, at, byte)
        {
            return Ok(self.line(next, 1));
        }
        self.fields.clear();
        let first = skip_blanks(bytes, at, delimiter);
        if is_comment(&bytes[first..]) {
            return Ok(Line { kind: Kind::Comment, next: line_end(bytes, first), lines: 1 });
        }
        let (next, lines) = match delimiter {
            Delimiter::Space => (self.split_at_spaces(bytes, at), 1),
            Delimiter::Byte(byte) => self.split_at(text, at, byte)?,
        };
        Ok(self.line(next, lines))
    }

    /// Splits the comment of `text` that starts at byte `at` as if it were none; how many fields it has, empty ones at its end included. `None` where that is not
    /// the one line of a comment.
    pub fn split_comment(&mut self, text: &str, at: usize, delimiter: Delimiter) -> Option<usize> {
        let Delimiter::Byte(byte) = delimiter else { return None };
        self.fields.clear();
        self.quoted.clear();
        let comment = &text[..line_end(text.as_bytes(), at)];
        let fields = self.split_at(comment, at, byte).is_ok().then_some(self.fields.len());
        self.drop_empty_end();
        fields
    }

    #[inline]
    fn line(&mut self, next: usize, lines: u64) -> Line {
        self.drop_empty_end();
        let kind = if self.fields.is_empty() { Kind::Blank } else { Kind::Fields };
        Line { kind, next, lines }
    }

    /// Splits a line that has neither quotes nor spaces around fields, as most have; `None` for any other.
    #[inline]
    fn split_plainly(&mut self, bytes: &[u8], mut at: usize, delimiter: u8) -> Option<usize> {
        if is_comment(&bytes[at..]) {
            return None;
        }
        loop {
            let (start, end) = (at, field_end(bytes, at, delimiter)?);
            let is_last = bytes[end] == b'\n';
            let field = &bytes[start..end];
            let field = if is_last { field.strip_suffix(b"\r").unwrap_or(field) } else { field };
            // Other alphabets have spaces of their own.
            let is_plain = |end: Option<&u8>| end.is_none_or(|byte| byte.is_ascii_graphic());
            if field.first() == Some(&b'"') || !is_plain(field.first()) || !is_plain(field.last()) {
                return None;
            }
            self.fields.push(Field { start, end: start + field.len(), has_quotes: false });
            at = end + 1;
            if is_last {
                return Some(at);
            }
        }
    }

    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// A field of the line that was split last, which stands in `text`.
    #[inline]
    pub fn get<'a>(&'a self, text: &'a str, index: usize) -> &'a str {
        let field = self.fields[index];
        if field.has_quotes { &self.quoted[field.start..field.end] } else { &text[field.start..field.end] }
    }

    /// True for a field with nothing in it, not even quotes, and for one beyond the last.
    #[inline]
    pub fn is_missing(&self, index: usize) -> bool {
        self.fields.get(index).is_none_or(|field| field.start == field.end && !field.has_quotes)
    }

    /// The whole number that a field is, if it has a few digits and nothing else.
    #[inline]
    pub fn short_number(&self, text: &str, index: usize) -> Option<u32> {
        let Field { start, end, has_quotes } = self.fields[index];
        if has_quotes { None } else { short_number(text.as_bytes(), start, end) }
    }

    /// Where a field starts in the text, unless it has quotes.
    #[inline]
    pub fn start(&self, index: usize) -> Option<usize> {
        let Field { start, has_quotes, .. } = self.fields[index];
        (!has_quotes).then_some(start)
    }

    fn split_at_spaces(&mut self, bytes: &[u8], mut at: usize) -> usize {
        loop {
            while at < bytes.len() && is_blank(bytes[at]) {
                at += 1;
            }
            if at == bytes.len() || bytes[at] == b'\n' {
                return (at + 1).min(bytes.len());
            }
            let start = at;
            while at < bytes.len() && !is_blank(bytes[at]) && bytes[at] != b'\n' {
                at += 1;
            }
            self.fields.push(Field { start, end: at, has_quotes: false });
        }
    }

    #[inline]
    fn split_at(&mut self, text: &str, mut at: usize, delimiter: u8) -> Result<(usize, u64), Unsplit> {
        let bytes = text.as_bytes();
        let mut lines = 1;
        loop {
            let start = skip_blanks(bytes, at, Delimiter::Byte(delimiter));
            if bytes.get(start) == Some(&b'"') {
                at = self.quoted_field(text, start + 1, delimiter, &mut lines)?;
            } else {
                at = start;
                while at < bytes.len() && bytes[at] != delimiter && bytes[at] != b'\n' {
                    at += 1;
                }
                self.plain_field(text, start, at);
            }
            match bytes.get(at) {
                Some(b'\n') => return Ok((at + 1, lines)),
                Some(_) => at += 1,
                None => return Ok((at, lines)),
            }
        }
    }

    #[inline]
    fn plain_field(&mut self, text: &str, mut start: usize, mut end: usize) {
        let bytes = text.as_bytes();
        while end > start && is_blank(bytes[end - 1]) {
            end -= 1;
        }
        // Other alphabets have spaces of their own.
        if end > start && (bytes[start] >= 0x80 || bytes[end - 1] >= 0x80) {
            let trimmed = text[start..end].trim_start();
            start = end - trimmed.len();
            end = start + trimmed.trim_end().len();
        }
        self.fields.push(Field { start, end, has_quotes: false });
    }

    /// Reads a field after its first quote, and returns where its delimiter stands.
    fn quoted_field(&mut self, text: &str, mut at: usize, delimiter: u8, lines: &mut u64) -> Result<usize, Unsplit> {
        let bytes = text.as_bytes();
        let start = self.quoted.len();
        loop {
            let Some(length) = bytes[at..].iter().position(|&byte| byte == b'"') else {
                return Err(Unsplit::OpenQuote);
            };
            let part = &text[at..at + length];
            *lines += part.bytes().filter(|&byte| byte == b'\n').count() as u64;
            self.quoted.push_str(part);
            at += length + 1;
            if bytes.get(at) != Some(&b'"') {
                break;
            }
            self.quoted.push('"');
            at += 1;
        }
        self.fields.push(Field { start, end: self.quoted.len(), has_quotes: true });
        at = skip_blanks(bytes, at, Delimiter::Byte(delimiter));
        match text[at..].chars().next() {
            Some(other) if other != '\n' && other != char::from(delimiter) => {
                let why = format!("'{}' follows a closing quote", shortened(&other.to_string()));
                Err(Unsplit::Wrong(*lines - 1, why))
            }
            _ => Ok(at),
        }
    }

    /// Spreadsheets fill short lines up with separators.
    fn drop_empty_end(&mut self) {
        while !self.fields.is_empty() && self.is_missing(self.fields.len() - 1) {
            self.fields.pop();
        }
    }
}

#[inline]
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c')
}

#[inline]
fn skip_blanks(bytes: &[u8], mut at: usize, delimiter: Delimiter) -> usize {
    while at < bytes.len() && is_blank(bytes[at]) && delimiter != Delimiter::Byte(bytes[at]) {
        at += 1;
    }
    at
}

/// True for a line that starts as a comment does.
#[inline]
pub(super) fn is_comment(line: &[u8]) -> bool {
    matches!(line, [b'#' | b'%', ..] | [b'/', b'/', ..])
}

/// True for a name that would start a comment if it came first on its line.
pub(in super::super) fn starts_like_comment(name: &str) -> bool {
    is_comment(name.as_bytes())
}

/// Where the line after the one at byte `at` starts.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| at + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &str, delimiter: Delimiter) -> Vec<String> {
        let mut record = Record::default();
        assert!(
            record.split(line, 0, delimiter).is_ok_and(|split| split.kind == Kind::Fields && split.next == line.len())
        );
        (0..record.len()).map(|index| record.get(line, index).to_owned()).collect()
    }

    #[test]
    fn quotes_keep_spaces_separators_and_breaks() {
        let comma = Delimiter::Byte(b',');
        assert_eq!(fields("a , b,,\" c\"\r\n", comma), ["a", "b", "", " c"]);
        assert_eq!(fields("\"x,\"\"y\"\"\nz\" ,5\n", comma), ["x,\"y\"\nz", "5"]);
        assert_eq!(fields("a\"b,\u{a0}c\u{a0}", comma), ["a\"b", "c"]);
        assert_eq!(fields("\ta\t\tb \n", Delimiter::Space), ["a", "b"]);
        assert_eq!(fields(" a\t\tb ", Delimiter::Byte(b'\t')), ["a", "", "b"]);
        assert_eq!(fields("a,b,,,\n", comma), ["a", "b"]);
    }

    #[test]
    fn plain_lines_are_split_as_any_others() {
        let signs = ["a", "b1", ",", ",", " ", "\t", "\r", "\"", "#", "/", "%", "é", "\u{a0}"];
        for index in 0..20_000 {
            let mut rng = crate::random::Rng::stream(0, "plain lines", index);
            let kinds = if rng.below(2) == 0 { 4 } else { signs.len() };
            let mut line: String = (0..rng.below(9)).map(|_| signs[rng.below(kinds)]).collect();
            // The text of the first splitting ends too soon for eight bytes at a time.
            line.push_str(if rng.below(2) == 0 { ",c\n" } else { ",c\r\n" });
            let longer = format!("{line}another,line,that,follows\n");
            let (mut slow, mut fast) = (Record::default(), Record::default());
            let comma = Delimiter::Byte(b',');
            let (Ok(one), Ok(two)) = (slow.split(&line, 0, comma), fast.split(&longer, 0, comma)) else { continue };
            assert_eq!((one.kind, one.next, one.lines), (two.kind, two.next, two.lines), "{line:?}");
            assert_eq!(slow.len(), fast.len(), "{line:?}");
            assert!((0..slow.len()).all(|field| slow.get(&line, field) == fast.get(&longer, field)), "{line:?}");
        }
    }

    #[test]
    fn comments_have_fields_too() {
        let (mut record, comma) = (Record::default(), Delimiter::Byte(b','));
        let text = "x,y\n#c, b,\nnext,line\n";
        assert_eq!(record.split_comment(text, 4, comma), Some(3));
        assert_eq!((record.get(text, 0), record.get(text, 1), record.len()), ("#c", "b", 2));
        assert_eq!(record.split_comment("# a, \"open\nb\",c\n", 0, comma), None);
        assert_eq!(record.split_comment("# a b", 0, Delimiter::Space), None);
    }

    #[test]
    fn comments_and_blank_lines_are_neither() {
        let mut record = Record::default();
        for (line, kind) in [("# x,y\n", Kind::Comment), ("  // x", Kind::Comment), (" ,,\r\n", Kind::Blank)] {
            let split = record.split(line, 0, Delimiter::Byte(b','));
            assert!(split.is_ok_and(|split| split.kind == kind && split.next == line.len()), "{line}");
        }
        assert!(matches!(record.split("a,\"b\n", 0, Delimiter::Byte(b',')), Err(Unsplit::OpenQuote)));
        assert!(matches!(record.split("a,\"b\n\"c", 0, Delimiter::Byte(b',')), Err(Unsplit::Wrong(1, _))));
    }
}
