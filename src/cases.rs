//! One JSON object a line: an instance and, as the case may be, a candidate or marginals.
//!
//! ```text
//! {"n":3,"edges":[[0,1],[0,2],[1,2]],"parents":[0,0,1]}
//! {"n":2,"edges":[[0,1,0.5]],"undirected":true,"source":0,"distribution":[[1,0],[1,0]]}
//! ```
//! Edges are pairs, with a weight as a third member where there are weights; weights are read as exact decimals. They are directed unless
//! `undirected` is true: then each stands once, in either direction. Other keys are ignored. What a line claims (`n`) is held against what it brings before anything of that
//! size is made, and a reader holds one line at a time.

use crate::answers::{Candidate, Form, Marginals, NotACandidate, NotMarginals};
use crate::graph::{Decimal, DecimalError, Graph, GraphError, Instance, Made};
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt::{self, Write as _};
use std::io::{self, BufRead};
use thiserror::Error;

/// What one line holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The graph and, where given, the source.
    pub instance: Instance,
    /// A candidate.
    pub candidate: Option<Candidate>,
    /// Marginals.
    pub marginals: Option<Marginals>,
    /// The algorithm it was made for.
    pub algorithm: Option<String>,
    /// How the instance was made, if it is a random one of ours.
    pub made: Option<Made>,
}

/// Why a line is not a case.
#[derive(Debug, Error)]
pub enum CaseError {
    /// Not JSON, or not of the right types.
    #[error("column {column}: {reason}")]
    Json {
        /// Where in the line.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// Not text.
    #[error("not UTF-8 text")]
    NotText,
    /// The list of edges is not a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A weight is not an exact decimal.
    #[error("edge {tail} -> {head}: weight {error}")]
    Weight {
        /// Where the edge starts.
        tail: u64,
        /// Where it ends.
        head: u64,
        /// What is wrong with its weight.
        error: DecimalError,
    },
    /// Some edges have a weight and some have not.
    #[error("edge {tail} -> {head} has no weight, but others have")]
    MissingWeight {
        /// Where the edge starts.
        tail: u64,
        /// Where it ends.
        head: u64,
    },
    /// A parent that is no vertex.
    #[error(transparent)]
    Parent(#[from] NotACandidate),
    /// A matrix that cannot be read as probabilities.
    #[error(transparent)]
    Distribution(#[from] NotMarginals),
    /// The number of parents or rows is not the number of vertices.
    #[error("{count} {what}, but n is {n}")]
    Count {
        /// Parents or rows.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// What n says.
        n: u64,
    },
    /// A graph with nothing that bears out its size.
    #[error("n is {n}, but a graph without parents or distribution may have at most {MAX_BARE_VERTICES} vertices")]
    TooLarge {
        /// What n says.
        n: u64,
    },
    /// The source is no vertex.
    #[error("the source is {from}, but n is {n}")]
    Source {
        /// The alleged source.
        from: u64,
        /// What n says.
        n: u64,
    },
}

/// The most vertices of a graph that comes with neither parents nor distribution.
pub const MAX_BARE_VERTICES: u64 = 10_000_000;

impl Case {
    /// Reads one line.
    pub fn parse(line: &str) -> Result<Self, CaseError> {
        let raw: RawCase = serde_json::from_str(line).map_err(|error| {
            let reason = error.to_string();
            let end = reason.rfind(" at line ").unwrap_or(reason.len());
            CaseError::Json { column: error.column(), reason: reason[..end].to_owned() }
        })?;
        let n = raw.checked_size()?;
        let source = match raw.source {
            Some(from) if from >= raw.n => return Err(CaseError::Source { from, n: raw.n }),
            source => source.map(|source| source as usize),
        };
        let graph = graph(n, &raw.edges, raw.undirected.unwrap_or(false))?;
        let marginals = raw.distribution.map(|rows| marginals(n, rows)).transpose()?;
        let candidate = raw.parents.map(|parents| Candidate::from_parents(parents.into_iter().map(as_index)));
        Ok(Case {
            instance: Instance { graph, source },
            candidate: candidate.transpose()?,
            marginals,
            algorithm: raw.algorithm,
            made: raw.made,
        })
    }

    /// The case as one line, without the line break.
    pub fn to_line(&self) -> String {
        let graph = &self.instance.graph;
        let mut line = String::from("{");
        if let Some(algorithm) = &self.algorithm {
            let _ = write!(line, "\"algorithm\":{},", serde_json::Value::from(algorithm.as_str()));
        }
        let _ = write!(line, "\"n\":{},\"edges\":[", graph.n());
        for (place, (tail, head, weight)) in graph.weighted_edges().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            let _ = match graph.is_weighted() {
                true => write!(line, "{comma}[{tail},{head},{}]", graph.decimal(weight)),
                false => write!(line, "{comma}[{tail},{head}]"),
            };
        }
        line.push(']');
        if graph.is_undirected() {
            line.push_str(",\"undirected\":true");
        }
        if let Some(source) = self.instance.source {
            let _ = write!(line, ",\"source\":{source}");
        }
        if let Some(made) = &self.made {
            let _ = write!(line, ",\"made\":{}", as_json(made));
        }
        if let Some(candidate) = &self.candidate {
            let _ = write!(line, ",\"parents\":{}", as_json(candidate.choices()));
        }
        if let Some(marginals) = &self.marginals {
            let rows: Vec<&[f64]> = (0..marginals.slots()).map(|slot| marginals.row(slot)).collect();
            let _ = write!(line, ",\"distribution\":{}", as_json(&rows));
        }
        line.push('}');
        line
    }
}

fn as_json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("numbers are always JSON")
}

/// Indices too large for this machine become ones that are out of every range.
fn as_index(index: u64) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

#[derive(Deserialize)]
struct RawCase<'a> {
    n: u64,
    #[serde(borrow)]
    edges: Vec<RawEdge<'a>>,
    undirected: Option<bool>,
    source: Option<u64>,
    made: Option<Made>,
    parents: Option<Vec<u64>>,
    distribution: Option<Vec<Vec<f64>>>,
    algorithm: Option<String>,
}

impl RawCase<'_> {
    /// The number of vertices, once something of that size is really there.
    fn checked_size(&self) -> Result<usize, CaseError> {
        let parents = self.parents.as_ref().map(|parents| ("parents", parents.len()));
        let rows = self.distribution.as_ref().map(|rows| ("rows of the distribution", rows.len()));
        for (what, count) in parents.into_iter().chain(rows) {
            if count as u64 != self.n {
                return Err(CaseError::Count { what, count, n: self.n });
            }
        }
        if parents.is_none() && rows.is_none() && self.n > MAX_BARE_VERTICES {
            return Err(CaseError::TooLarge { n: self.n });
        }
        Ok(self.n as usize)
    }
}

fn graph(n: usize, edges: &[RawEdge], undirected: bool) -> Result<Graph, CaseError> {
    if edges.iter().all(|edge| edge.weight.is_none()) {
        let plain = edges.iter().map(|edge| (as_index(edge.tail), as_index(edge.head)));
        return Ok(if undirected { Graph::undirected(n, plain)? } else { Graph::from_edges(n, plain)? });
    }
    let weighted = edges.iter().map(|edge| {
        let RawEdge { tail, head, weight } = *edge;
        let text = weight.ok_or(CaseError::MissingWeight { tail, head })?.get();
        let weight: Decimal = text.parse().map_err(|error| CaseError::Weight { tail, head, error })?;
        Ok((as_index(tail), as_index(head), weight))
    });
    let weighted: Vec<_> = weighted.collect::<Result<_, CaseError>>()?;
    Ok(if undirected { Graph::weighted_undirected(n, weighted)? } else { Graph::weighted(n, weighted)? })
}

fn marginals(n: usize, rows: Vec<Vec<f64>>) -> Result<Marginals, CaseError> {
    if let Some(row) = rows.iter().find(|row| row.len() != n) {
        return Err(CaseError::Count { what: "columns of the distribution", count: row.len(), n: n as u64 });
    }
    Ok(Marginals::from_weights(Form::Parents, n, rows.concat())?)
}

/// `[tail, head]` or `[tail, head, weight]`, the weight as it is written.
struct RawEdge<'a> {
    tail: u64,
    head: u64,
    weight: Option<&'a RawValue>,
}

impl<'de: 'a, 'a> Deserialize<'de> for RawEdge<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Edge;
        impl<'de> Visitor<'de> for Edge {
            type Value = RawEdge<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an edge [tail, head] or [tail, head, weight]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut members: A) -> Result<RawEdge<'de>, A::Error> {
                let tail = members.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self))?;
                let head = members.next_element()?.ok_or_else(|| de::Error::invalid_length(1, &self))?;
                let weight = members.next_element()?;
                if members.next_element::<de::IgnoredAny>()?.is_some() {
                    return Err(de::Error::invalid_length(4, &self));
                }
                Ok(RawEdge { tail, head, weight })
            }
        }
        deserializer.deserialize_seq(Edge)
    }
}

/// A broken line, with its number.
#[derive(Debug, Error)]
#[error("line {line}: {error}")]
pub struct LineError {
    /// The number of the line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub error: CaseError,
}

/// Reads cases line by line; empty lines are passed over.
pub struct Cases<R> {
    reader: R,
    line: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> Cases<R> {
    /// Cases from anything that gives lines.
    pub fn new(reader: R) -> Self {
        Cases { reader, line: 0, buffer: vec![] }
    }

    /// The next case with the number of its line; `None` at the end.
    pub fn read(&mut self) -> io::Result<Option<Result<(u64, Case), LineError>>> {
        loop {
            self.buffer.clear();
            if self.reader.read_until(b'\n', &mut self.buffer)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            let line = self.line;
            let text = std::str::from_utf8(&self.buffer).map_err(|_| CaseError::NotText);
            let case = match text.map(str::trim) {
                Ok("") => continue,
                Ok(text) => Case::parse(text),
                Err(error) => Err(error),
            };
            return Ok(Some(case.map(|case| (line, case)).map_err(|error| LineError { line, error })));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_comes_back_as_it_was() {
        for line in [
            r#"{"n":0,"edges":[]}"#,
            r#"{"n":3,"edges":[[0,1],[0,2],[1,2]],"parents":[0,0,1]}"#,
            r#"{"n":3,"edges":[[0,1,2],[1,2,3]],"undirected":true,"made":{"p":0.5,"preset":"text","index":7}}"#,
            r#"{"algorithm":"bellman-ford","n":2,"edges":[[0,1,0.5],[1,0,12]],"source":1,"distribution":[[0.0,1.0],[0.25,0.75]]}"#,
        ] {
            assert_eq!(Case::parse(line).unwrap().to_line(), line);
        }
    }

    #[test]
    fn damaged_lines_never_panic_and_what_still_reads_comes_back() {
        let line = r#"{"algorithm":"x","n":3,"edges":[[0,1,0.5],[1,0,12],[2,1,3]],"source":1,"parents":[0,1,1]}"#;
        let mut rng = crate::random::Rng::stream(0, "damage", 0);
        let mut readable = 0;
        for _ in 0..20_000 {
            let mut bytes = line.as_bytes().to_vec();
            for _ in 0..1 + rng.below(3) {
                let (place, signs) = (rng.below(bytes.len()), b"0123456789[]{},.\"-eE ");
                match rng.below(3) {
                    0 => bytes[place] = signs[rng.below(signs.len())],
                    1 => drop(bytes.remove(place)),
                    _ => bytes.insert(place, b"0123456789"[rng.below(10)]),
                }
            }
            let Ok(text) = std::str::from_utf8(&bytes) else { continue };
            if let Ok(case) = Case::parse(text) {
                assert_eq!(Case::parse(&case.to_line()).unwrap(), case);
                readable += 1;
            }
        }
        assert!(readable > 1_000, "{readable}");
    }

    #[test]
    fn a_broken_case_says_what_is_broken() {
        for (line, message) in [
            ("", "EOF while parsing"),
            ("[]", "invalid length 0"),
            (r#"{"n":2}"#, "missing field `edges`"),
            (r#"{"n":-1,"edges":[]}"#, "expected u64"),
            (r#"{"n":2,"edges":[[0]]}"#, "an edge [tail, head] or [tail, head, weight]"),
            (r#"{"n":2,"edges":[[0,1,1,1]]}"#, "an edge [tail, head]"),
            (r#"{"n":2,"edges":[[0,1.5]]}"#, "expected u64"),
            (r#"{"n":2,"edges":[[0,2]]}"#, "edge 0 -> 2: there are only 2 vertices"),
            (r#"{"n":2,"edges":[[0,1,"x"]]}"#, "edge 0 -> 1: weight '\"x\"' is not a finite decimal"),
            (r#"{"n":2,"edges":[[0,1,1],[1,0]]}"#, "edge 1 -> 0 has no weight"),
            (r#"{"n":2,"edges":[],"parents":[0]}"#, "1 parents, but n is 2"),
            (r#"{"n":2,"edges":[],"parents":[0,2]}"#, "the parent of vertex 1 is 2"),
            (r#"{"n":2,"edges":[],"distribution":[[1,0]]}"#, "1 rows of the distribution, but n is 2"),
            (r#"{"n":2,"edges":[],"distribution":[[1,0],[1]]}"#, "1 columns of the distribution"),
            (r#"{"n":2,"edges":[],"source":2}"#, "the source is 2"),
            (r#"{"n":9223372036854775808,"edges":[]}"#, "at most 10000000 vertices"),
            (r#"{"n":9223372036854775808,"edges":[],"parents":[0]}"#, "1 parents, but n is 9223372036854775808"),
        ] {
            let error = Case::parse(line).unwrap_err().to_string();
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
