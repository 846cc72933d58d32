//! What can be wrong with a graph file, where, and with which value.

use super::text::{counted, listed, shortened};
use super::{Format, UnknownExtension};
use crate::instance::{Decimal, DecimalError};
use std::fmt;
use thiserror::Error;

/// A file that could not be read as a graph.
#[derive(Debug, Error)]
#[error("{file}{place}: {problem}")]
pub struct ReadError {
    /// The file, or what stands for it (`standard input`).
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// What is wrong there.
    pub problem: Box<Problem>,
}

impl ReadError {
    pub(super) fn new(place: Place, problem: impl Into<Problem>) -> Self {
        ReadError { file: String::new(), place, problem: Box::new(problem.into()) }
    }

    pub(super) fn in_file(self, file: &str) -> Self {
        ReadError { file: file.to_owned(), ..self }
    }
}

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular.
    File,
    /// A line, counted from 1.
    Line(u64),
    /// A character of a line, both counted from 1.
    Character {
        /// The line.
        line: u64,
        /// The character within it.
        column: u64,
    },
    /// An entry of a matrix, both counted from 0 as in numpy.
    Entry {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
}

impl Place {
    /// The line and character at which byte `offset` of `text` stands.
    pub(super) fn at(text: &str, offset: usize) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count() as u64;
        Place::Character { line, column: 1 + before[line_start..].chars().count() as u64 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Line(line) => write!(f, ", line {line}"),
            Place::Character { line, column } => write!(f, ", line {line}, column {column}"),
            Place::Entry { row, column } => write!(f, ", row {row}, column {column}"),
        }
    }
}

/// How a compressed file is read all the same.
pub(super) const GUNZIP: &str =
    "unpack it first (gunzip -k FILE), or pipe it in (gunzip -c FILE | tiebreak … - --format FORMAT)";

/// What is wrong with a graph file.
#[derive(Debug, Error)]
pub enum Problem {
    /// The file could not be opened or read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The path is a directory.
    #[error("this is a directory, not a file")]
    Directory,
    /// The extension tells no format.
    #[error("{0}; name one with --format")]
    Extension(#[from] UnknownExtension),
    /// A format that can only be written.
    #[error("{0} files are only written, never read")]
    WriteOnly(Format),
    /// Nothing in it.
    #[error("the file holds no graph: it is empty")]
    Empty,
    /// A file that is compressed as a whole.
    #[error("this is a compressed file: {GUNZIP}")]
    Compressed,
    /// Text that is not UTF-8.
    #[error("this is not UTF-8 text")]
    NotText,
    /// Text of two bytes a character, as spreadsheets save "Unicode text".
    #[error("this is UTF-16 text: save it as UTF-8")]
    Utf16,
    /// More data than the reader was allowed to take in.
    #[error("more than {limit} bytes, which is the limit set")]
    TooManyBytes {
        /// [`ReadOptions::max_bytes`](super::ReadOptions::max_bytes).
        limit: u64,
    },
    /// More vertices than the reader was allowed to take in.
    #[error("{vertices} vertices are more than the limit of {limit}")]
    TooManyVertices {
        /// How many there are, or how many the header claims.
        vertices: u64,
        /// [`ReadOptions::max_vertices`](super::ReadOptions::max_vertices).
        limit: usize,
    },
    /// A header that claims far more vertices than so short a file can describe.
    #[error("the header claims {vertices} vertices, which is not believable in a file of {bytes} bytes")]
    Unbelievable {
        /// What the header claims.
        vertices: u64,
        /// The length of the file.
        bytes: u64,
    },
    /// A line with an impossible number of columns.
    #[error("{}, but {expected}", counted(*.found, "column"))]
    Columns {
        /// The columns of this line.
        found: usize,
        /// What it should have.
        expected: String,
    },
    /// A weight that is not an exact decimal number.
    #[error("the weight {0}")]
    Weight(#[from] DecimalError),
    /// An edge without a weight among edges that have one.
    #[error("{edge} has no weight: its `{}` is missing", shortened(.column))]
    MissingWeight {
        /// The first edge without one.
        edge: Box<EdgeName>,
        /// The attribute with the weights.
        column: String,
    },
    /// Several attributes could be the weight, and nothing says which is.
    #[error(
        "which numbers are the weights? The edges have {} and none is called `weight`: choose with --weight NAME, or \
         count every edge as 1 with --unweighted", .candidates.join(", ")
    )]
    ChooseWeights {
        /// The attributes that are numbers, each with what is missing.
        candidates: Vec<String>,
    },
    /// An attribute or a column that the file does not have.
    #[error("there is no `{}`{}; the file has {}", shortened(.name), did_you_mean(.suggestion), listed(.known.iter().map(String::as_str)))]
    UnknownColumn {
        /// What was asked for.
        name: String,
        /// What was probably meant.
        suggestion: Option<String>,
        /// What there is.
        known: Vec<String>,
    },
    /// An option for tables, with a file that is none.
    #[error("{option} is for tables (csv, tsv, edges), and this is a {format} file")]
    NotATable {
        /// The option.
        option: &'static str,
        /// The format of the file.
        format: Format,
    },
    /// A line without end.
    #[error("this line is longer than {limit} bytes, the most that a line may have")]
    LineTooLong {
        /// How long a line may be.
        limit: usize,
    },
    /// An array with more entries than the reader was allowed to take in.
    #[error(
        "an array of shape {shape:?} has more than {limit} entries, the limit for arrays with all their zeros; save a \
         sparse matrix (scipy.sparse.save_npz) or a list of edges"
    )]
    ArrayTooLarge {
        /// The length of each dimension.
        shape: Vec<usize>,
        /// [`ReadOptions::max_entries`](super::ReadOptions::max_entries).
        limit: usize,
    },
    /// The number of a vertex that does not exist.
    #[error("vertex {vertex}, but the vertices are {first} to {last}")]
    VertexOutOfRange {
        /// The number as it stands there.
        vertex: u64,
        /// The first number of a vertex.
        first: u64,
        /// The last.
        last: u64,
    },
    /// An edge to a vertex that the file does not declare.
    #[error("there is no vertex '{}'", shortened(.name))]
    UnknownVertex {
        /// The name.
        name: String,
    },
    /// The same vertex declared twice.
    #[error("the vertex '{}' is declared twice", shortened(.name))]
    RepeatedVertex {
        /// The name.
        name: String,
    },
    /// Not as many edges as the header says.
    #[error("the header promises {}, but there {} {found}", counted(*.promised as usize, "edge"), if *.found == 1 { "is" } else { "are" })]
    EdgeCount {
        /// What the header says.
        promised: u64,
        /// How many are there, as far as they were read.
        found: u64,
    },
    /// The same edge twice.
    #[error("{edge} is given twice (first{first}); --parallel min keeps one of them")]
    Duplicate {
        /// The edge.
        edge: Box<EdgeName>,
        /// Where it stands first.
        first: Place,
    },
    /// The same edge twice, with different weights.
    #[error(
        "{edge} is given twice, with weights {} (first{first}) and {}; --parallel min keeps the smaller",
        .weights[0], .weights[1]
    )]
    Contradiction {
        /// The edge.
        edge: Box<EdgeName>,
        /// Where it stands first.
        first: Place,
        /// Both weights.
        weights: [Decimal; 2],
    },
    /// An edge of a graph that is to be undirected, with different weights in its two directions.
    #[error(
        "{edge} is listed in both directions, with weights {} (first{first}) and {}: leave --undirected out, or keep \
         the smaller with --parallel min", .weights[0], .weights[1]
    )]
    BothWays {
        /// The edge.
        edge: Box<EdgeName>,
        /// Where it stands first.
        first: Place,
        /// Both weights.
        weights: [Decimal; 2],
    },
    /// A weight so large, beside others so fine, that path lengths could not be exact.
    #[error("{edge}: with {decimals} decimals (needed elsewhere) the weight {weight} is too large for exact lengths")]
    WeightTooLarge {
        /// The edge.
        edge: Box<EdgeName>,
        /// Its weight.
        weight: Decimal,
        /// The decimals that the graph needs.
        decimals: u32,
    },
    /// Anything else against the rules of the format, in words.
    #[error("{0}")]
    Malformed(String),
}

impl From<String> for Problem {
    fn from(text: String) -> Self {
        Problem::Malformed(text)
    }
}

impl From<&str> for Problem {
    fn from(text: &str) -> Self {
        Problem::Malformed(text.to_owned())
    }
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or(String::new(), |meant| format!(" (did you mean `{}`?)", shortened(meant)))
}

/// An edge by the names of its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeName {
    /// Where it starts.
    pub tail: String,
    /// Where it ends.
    pub head: String,
    /// Whether that makes a difference.
    pub directed: bool,
}

impl fmt::Display for EdgeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = if self.directed { "->" } else { "--" };
        write!(f, "edge '{}' {arrow} '{}'", shortened(&self.tail), shortened(&self.head))
    }
}

/// A graph that a format cannot hold.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WriteError {
    /// A format that can only be read.
    #[error("{0} files are only read, never written")]
    ReadOnly(Format),
    /// A solution of a graph of another size.
    #[error("the solution has {solution} choices, but for this graph it needs {graph}")]
    SolutionSize {
        /// The choices of the solution.
        solution: usize,
        /// How many there are to make.
        graph: usize,
    },
    /// Only drawings show solutions.
    #[error("a solution can be drawn into dot files only, not into {0}")]
    SolutionFormat(Format),
    /// Not one name for each vertex.
    #[error("{} for {}", counted(*.names, "name"), counted(*.vertices, "vertex"))]
    NameCount {
        /// How many names there are.
        names: usize,
        /// How many vertices.
        vertices: usize,
    },
    /// Two vertices of one name.
    #[error("two vertices are named '{}'", shortened(.0))]
    RepeatedName(String),
    /// A graph that is said to be undirected but is not.
    #[error("the graph is marked as undirected, but {0} has no reverse of the same weight")]
    NotSymmetric(Box<EdgeName>),
    /// A name that the format cannot write down.
    #[error("{format} cannot hold the name '{}': {why}", shortened(.name))]
    Name {
        /// The format.
        format: Format,
        /// The name.
        name: String,
        /// What is in the way.
        why: &'static str,
    },
    /// A weight that the format cannot write down exactly.
    #[error("{format} cannot hold {edge} with weight {weight}: {why}")]
    Weight {
        /// The format.
        format: Format,
        /// The edge.
        edge: Box<EdgeName>,
        /// Its weight.
        weight: Decimal,
        /// What is in the way.
        why: &'static str,
    },
    /// A matrix that would not fit.
    #[error("an adjacency matrix of {0} vertices is too large to write; use a format that lists edges")]
    MatrixTooLarge(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let text = "ä\nböc";
        assert_eq!(Place::at(text, 0), Place::Character { line: 1, column: 1 });
        assert_eq!(Place::at(text, 6), Place::Character { line: 2, column: 3 });
        assert_eq!(Place::at(text, 1), Place::Character { line: 1, column: 1 });
        assert_eq!(Place::at(text, 99), Place::Character { line: 2, column: 4 });
    }
}
