//! One JSON object a line: an instance and, as the case may be, a candidate or marginals.
//!
//! ```text
//! {"n":3,"edges":[[0,1],[0,2],[1,2]],"parents":[0,0,1]}
//! {"n":2,"edges":[[0,1,0.5]],"undirected":true,"source":0,"distribution":[[1,0],[1,0]]}
//! {"n":3,"edges":[[0,1,1],[1,2,1]],"chosen":[[0,1],[2,1]]}
//! {"tasks":[[1,2],[1,0.5]],"selected":[0]}
//! ```
//! Edges are pairs, with a weight as a third member where there are weights; weights are read as exact decimals. They are directed unless
//! `undirected` is true, or answers are sets of edges: then each stands once, in either direction. Items stand as lists of their numbers,
//! under their name. An answer stands under the key of its form ([`Written`]), so the problem says what a line holds. Other keys are ignored. What a line claims (`n`) is held against what it brings before anything of that
//! size is made, and a reader holds one line at a time.

mod raw;

use crate::answers::{Candidate, Marginals, NotACandidate, NotMarginals};
use crate::files::next_line;
use crate::instance::{DecimalError, GraphError, Instance, ItemTooLarge, Items, Made};
use crate::pipeline::written::Written;
use crate::problems::Problem;
use crate::problems::verify::Violation;
use raw::{Keys, items, marginals};
use serde::de::DeserializeSeed;
use std::fmt::Write as _;
use std::io::{self, BufRead};
use thiserror::Error;

/// What one line holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The graph and, where given, the source; or the items.
    pub instance: Instance,
    /// A candidate, or why what stands there is none.
    pub candidate: Option<Result<Candidate, Violation>>,
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
    /// A number of an item is not an exact decimal, or there are too many or too few of them.
    #[error("{kind} {item}: {reason}")]
    Item {
        /// What the items are.
        kind: &'static str,
        /// Which of them.
        item: usize,
        /// What is wrong.
        reason: String,
    },
    /// Numbers that cannot be held together.
    #[error(transparent)]
    Items(#[from] ItemTooLarge),
    /// An answer that speaks of what is not there.
    #[error(transparent)]
    Candidate(#[from] NotACandidate),
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
    /// The number of rows is not that of the slots.
    #[error("{rows} rows of the distribution, but there are {slots} of what is chosen from")]
    Rows {
        /// How many there are.
        rows: usize,
        /// How many there should be.
        slots: usize,
    },
    /// A row with more or fewer probabilities than there are options.
    #[error("{columns} columns of the distribution, but there are {options} options")]
    Columns {
        /// How many there are.
        columns: usize,
        /// How many there should be.
        options: usize,
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
    pub fn parse(line: &str, problem: &Problem) -> Result<Self, CaseError> {
        let mut reader = serde_json::Deserializer::from_str(line);
        let raw = Keys(problem).deserialize(&mut reader).and_then(|raw| reader.end().map(|()| raw));
        let raw = raw.map_err(|error| {
            let reason = error.to_string();
            let end = reason.rfind(" at line ").unwrap_or(reason.len());
            CaseError::Json { column: error.column(), reason: reason[..end].to_owned() }
        })?;
        let instance = match problem.items {
            Some(kind) => Instance::of_items(items(kind, &raw.items)?),
            None => raw.graph(problem.form)?,
        };
        let marginals = raw.distribution.map(|rows| marginals(&instance, problem.form, rows)).transpose()?;
        let candidate = raw.answer.map(|answer| answer.candidate(&instance)).transpose()?;
        Ok(Case { instance, candidate, marginals, algorithm: raw.algorithm, made: raw.made })
    }

    /// The case as one line, without the line break.
    pub fn to_line(&self) -> String {
        let mut line = String::from("{");
        if let Some(algorithm) = &self.algorithm {
            let _ = write!(line, "\"algorithm\":{},", serde_json::Value::from(algorithm.as_str()));
        }
        match &self.instance.items {
            Some(items) => write_items(&mut line, items),
            None => write_graph(&mut line, &self.instance),
        }
        if let Some(made) = &self.made {
            let _ = write!(line, ",\"made\":{}", as_json(made));
        }
        if let Some(Ok(candidate)) = &self.candidate {
            let answer = as_json(&Written::of(&self.instance, candidate));
            let _ = write!(line, ",{}", &answer[1..answer.len() - 1]);
        }
        if let Some(marginals) = &self.marginals {
            let rows: Vec<&[f64]> = (0..marginals.slots()).map(|slot| marginals.row(slot)).collect();
            let _ = write!(line, ",\"distribution\":{}", as_json(&rows));
        }
        line.push('}');
        line
    }
}

fn write_items(line: &mut String, items: &Items) {
    let _ = write!(line, "\"{}\":[", items.kind().many);
    for item in 0..items.len() {
        line.push_str(if item == 0 { "[" } else { ",[" });
        for column in 0..items.kind().columns.len() {
            let comma = if column == 0 { "" } else { "," };
            let _ = write!(line, "{comma}{}", items.decimal(column, item));
        }
        line.push(']');
    }
    line.push(']');
}

fn write_graph(line: &mut String, instance: &Instance) {
    let graph = &instance.graph;
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
    if let Some(source) = instance.source {
        let _ = write!(line, ",\"source\":{source}");
    }
}

fn as_json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("numbers are always JSON")
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

/// Reads cases of a problem line by line; empty lines are passed over.
pub struct Cases<R> {
    reader: R,
    problem: &'static Problem,
    line: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> Cases<R> {
    /// Cases from anything that gives lines.
    pub fn new(reader: R, problem: &'static Problem) -> Self {
        Cases { reader, problem, line: 0, buffer: vec![] }
    }

    /// The next case with the number of its line; `None` at the end.
    pub fn read(&mut self) -> io::Result<Option<Result<(u64, Case), LineError>>> {
        loop {
            if !next_line(&mut self.reader, &mut self.buffer)? {
                return Ok(None);
            }
            self.line += 1;
            let line = self.line;
            let text = std::str::from_utf8(&self.buffer).map_err(|_| CaseError::NotText);
            let case = match text.map(str::trim) {
                Ok("") => continue,
                Ok(text) => Case::parse(text, self.problem),
                Err(error) => Err(error),
            };
            return Ok(Some(case.map(|case| (line, case)).map_err(|error| LineError { line, error })));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::forests::ORDERED_FORESTS;

    fn parse(line: &str) -> Result<Case, CaseError> {
        Case::parse(line, &ORDERED_FORESTS)
    }

    #[test]
    fn a_case_comes_back_as_it_was() {
        for line in [
            r#"{"n":0,"edges":[]}"#,
            r#"{"n":3,"edges":[[0,1],[0,2],[1,2]],"parents":[0,0,1]}"#,
            r#"{"n":3,"edges":[[0,1,2],[1,2,3]],"undirected":true,"made":{"p":0.5,"preset":"text","index":7}}"#,
            r#"{"algorithm":"bellman-ford","n":2,"edges":[[0,1,0.5],[1,0,12]],"source":1,"distribution":[[0.0,1.0],[0.25,0.75]]}"#,
        ] {
            assert_eq!(parse(line).unwrap().to_line(), line);
        }
    }

    #[test]
    fn every_form_comes_back_with_its_instance() {
        use crate::pipeline::generate::{Recipe, prepared, sample};
        use crate::problems::ties::OneOrder;
        for &algorithm in crate::problems::ALGORITHMS {
            for index in 0..20 {
                let graph = crate::instance::GraphSettings { n: 1 + index % 9, ..Default::default() };
                let sample = sample(algorithm, &Recipe { graph, ..Recipe::default() }, 0, index as u64).unwrap();
                let run = prepared(algorithm, &sample.instance).run(&mut OneOrder::by_index(graph.n));
                let (candidate, marginals) = (Some(Ok(run)), Some(sample.marginals));
                let algorithm_name = Some(algorithm.name().to_owned());
                let case = Case {
                    instance: sample.instance,
                    candidate,
                    marginals,
                    algorithm: algorithm_name,
                    made: sample.made,
                };
                // A graph without edges does not show whether they would have weights.
                if case.instance.items.is_some() || case.instance.graph.arc_count() > 0 {
                    assert_eq!(Case::parse(&case.to_line(), algorithm.problem()).unwrap(), case, "{algorithm:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_written_well_but_is_no_candidate_is_a_verdict() {
        let verdict = |algorithm: &str, line: &str| {
            let problem = crate::problems::by_name(algorithm).unwrap().problem();
            Case::parse(line, problem).map(|case| case.candidate.unwrap().map_err(|violation| violation.to_string()))
        };
        for (algorithm, line, said) in [
            (
                "kruskal",
                r#"{"n":3,"edges":[[0,1,1]],"chosen":[[0,2]]}"#,
                "only edges of the graph are chosen (see 0 -> 2)",
            ),
            ("kruskal", r#"{"n":3,"edges":[[0,1,1]],"chosen":[[0,1],[1,0]]}"#, "nothing is chosen twice (see 1 -> 0)"),
            ("topological-sort", r#"{"n":2,"edges":[],"order":[1]}"#, "vertex 0 breaks the rule that every vertex"),
            ("topological-sort", r#"{"n":2,"edges":[],"order":[0,1,0]}"#, "vertex 0 breaks the rule that every vertex"),
        ] {
            let violation = verdict(algorithm, line).unwrap().unwrap_err();
            assert!(violation.contains(said), "{line}: {violation}");
        }
        for (algorithm, line, said) in [
            (
                "matching",
                r#"{"n":2,"edges":[[0,1]],"chosen":[[0,2]]}"#,
                "edge 0 - 2 is chosen, but there are 2 vertices",
            ),
            ("matching", r#"{"n":2,"edges":[[0,1]],"chosen":[[0,1]],"distribution":[]}"#, "0 rows of the distribution"),
            ("topological-sort", r#"{"n":2,"edges":[],"order":[0,2]}"#, "vertex 2 stands in the order"),
            (
                "topological-sort",
                r#"{"n":2,"edges":[],"distribution":[[1,0],[0,1]]}"#,
                "1 rows of the distribution but one",
            ),
        ] {
            let error = verdict(algorithm, line).unwrap_err().to_string();
            assert!(error.contains(said), "{line}: {error}");
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
            if let Ok(case) = parse(text) {
                assert_eq!(parse(&case.to_line()).unwrap(), case);
                readable += 1;
            }
        }
        assert!(readable > 1_000, "{readable}");
    }

    #[test]
    fn a_broken_case_says_what_is_broken() {
        for (line, message) in [
            ("", "EOF while parsing"),
            ("[]", "invalid type: sequence"),
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
            let error = parse(line).unwrap_err().to_string();
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
