//! What a person may say about a file: which column has the weights, what stands between columns, how much to take in.

use super::text::shortened;
use crate::instance::Decimal;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// What a reader may assume and how much it may take in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Edges go both ways. An edge that the file lists in both directions, with the same weight, counts once.
    pub undirected: bool,
    /// The column or attribute with the weights. Without it: the one called `weight`, or the third of three columns.
    pub weight: Option<String>,
    /// Every edge counts 1, whatever numbers the file has.
    pub unweighted: bool,
    /// Whoever reads needs weights: a file with numbers, none of which is known to be the weight, is then refused
    /// with a list of them. Otherwise its edges are read without weights.
    pub weights_matter: bool,
    /// The columns of a table, by name or by number from 1: where edges start, where they end, and perhaps the weight.
    pub columns: Vec<String>,
    /// What stands between the columns of a table; found out where it is not given.
    pub delimiter: Option<Delimiter>,
    /// Whether the first line of a table names its columns.
    pub header: HeaderLine,
    /// What becomes of several edges between the same vertices.
    pub parallel: Parallel,
    /// Weights are rounded to the nearest multiple of this.
    pub round: Option<Decimal>,
    /// The most vertices of a graph; a file with more is refused.
    pub max_vertices: usize,
    /// The most bytes taken from a file, and the most unpacked from a compressed array.
    pub max_bytes: u64,
    /// The most entries of an array, zeros included: a few bytes of an archive can unpack to billions of them.
    pub max_entries: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            undirected: false,
            weight: None,
            unweighted: false,
            weights_matter: true,
            columns: vec![],
            delimiter: None,
            header: HeaderLine::Auto,
            parallel: Parallel::Error,
            round: None,
            max_vertices: 100_000_000,
            max_bytes: 4 << 30,
            max_entries: 100_000_000,
        }
    }
}

/// What stands between the columns of a table.
///
/// ```
/// use tiebreak::instance::io::Delimiter;
/// assert_eq!("tab".parse(), Ok(Delimiter::Byte(b'\t')));
/// assert_eq!(";".parse(), Ok(Delimiter::Byte(b';')));
/// assert!("ab".parse::<Delimiter>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// One ASCII character.
    Byte(u8),
    /// Any white space; there are no quotes then.
    Space,
}

impl FromStr for Delimiter {
    type Err = UnknownDelimiter;

    fn from_str(text: &str) -> Result<Self, UnknownDelimiter> {
        match text {
            "tab" | "\\t" => Ok(Delimiter::Byte(b'\t')),
            "comma" => Ok(Delimiter::Byte(b',')),
            "semicolon" => Ok(Delimiter::Byte(b';')),
            "space" | " " => Ok(Delimiter::Space),
            _ => match text.as_bytes() {
                &[byte] if is_delimiter(byte) => Ok(Delimiter::Byte(byte)),
                _ => Err(UnknownDelimiter { text: text.to_owned() }),
            },
        }
    }
}

/// Letters, digits, quotes and what numbers are written with would make every file unreadable.
fn is_delimiter(byte: u8) -> bool {
    byte == b'\t' || (byte.is_ascii_punctuation() && !b"\"'.-+#%".contains(&byte))
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Delimiter::Space => f.write_str("white space"),
            Delimiter::Byte(b'\t') => f.write_str("tabs"),
            Delimiter::Byte(b',') => f.write_str("commas"),
            Delimiter::Byte(byte) => write!(f, "'{}'", char::from(*byte)),
        }
    }
}

/// A text that cannot stand between columns.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{}' is no delimiter: it takes one character such as ; or | or one of the words tab, comma, semicolon, space", shortened(.text))]
pub struct UnknownDelimiter {
    /// What was given.
    pub text: String,
}

/// Whether the first line of a table names its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeaderLine {
    /// The file shows it: a known pair such as `from,to`, or words above numbers.
    #[default]
    Auto,
    /// It does.
    Yes,
    /// It is an edge like the others.
    No,
}

/// What becomes of several edges between the same vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parallel {
    /// They are an error.
    #[default]
    Error,
    /// The one of the smallest weight stays.
    Min,
}

/// A word that none of the choices has.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{}' is not one of {choices}", shortened(.text))]
pub struct UnknownChoice {
    /// What was given.
    pub text: String,
    /// What there is.
    pub choices: &'static str,
}

impl FromStr for HeaderLine {
    type Err = UnknownChoice;

    fn from_str(text: &str) -> Result<Self, UnknownChoice> {
        match text {
            "auto" => Ok(HeaderLine::Auto),
            "yes" => Ok(HeaderLine::Yes),
            "no" => Ok(HeaderLine::No),
            _ => Err(UnknownChoice { text: text.to_owned(), choices: "yes, no, auto" }),
        }
    }
}

impl FromStr for Parallel {
    type Err = UnknownChoice;

    fn from_str(text: &str) -> Result<Self, UnknownChoice> {
        match text {
            "error" => Ok(Parallel::Error),
            "min" => Ok(Parallel::Min),
            _ => Err(UnknownChoice { text: text.to_owned(), choices: "min, error" }),
        }
    }
}
