//! Matrix Market, coordinate layout: a banner, the size, then `row column [value]`, counted from 1.
//!
//! `general` is a directed graph, `symmetric` an undirected one (each edge once, in either triangle). `pattern` has
//! no weights. An entry that is written down is an edge, even if its value is zero.

use super::columns::Numbers;
use super::dimacs::{count, vertex};
use super::file::{EdgeLines, GraphFile, Places};
use super::lines::Lines;
use super::names::{believable, numbers};
use super::text::shortened;
use super::{Format, NamedGraph, Place, Problem, ReadError, ReadOptions};
use crate::instance::Decimal;
use std::fmt::Write;
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    let mut lines = Lines::new(reader, options);
    let banner = match lines.next()? {
        Some(line) => Banner::parse(line).map_err(|problem| lines.error(problem))?,
        None => return Err(ReadError::new(Place::File, Problem::Empty)),
    };
    let mut size: Option<Size> = None;
    let (mut edges, mut weights, mut numbered) = (vec![], Numbers::default(), EdgeLines::default());
    while let Some(line) = lines.next()? {
        if line.starts_with('%') || line.trim().is_empty() {
            continue;
        }
        let Some(size) = size else {
            size = Some(Size::parse(line, options).map_err(|problem| lines.error(problem))?);
            continue;
        };
        let entry = banner.entry(line, size, edges.len()).map_err(|problem| lines.error(problem))?;
        let (tail, head, weight) = entry;
        edges.push((tail, head));
        weights.push(weight);
        numbered.push(lines.number());
    }
    let whole_file = |problem| ReadError::new(Place::File, problem);
    let size = size.ok_or_else(|| whole_file("there is no line with the size of the matrix".into()))?;
    if (edges.len() as u64) < size.entries {
        return Err(whole_file(Problem::EdgeCount { promised: size.entries, found: edges.len() as u64 }));
    }
    let n = believable(size.vertices, lines.bytes(), options).map_err(whole_file)?;
    let file = GraphFile::new(Format::MatrixMarket, numbers(1, n), edges, Places::Lines(numbered));
    let file = GraphFile { directed: Some(!banner.symmetric), ..file };
    Ok(if banner.field == Field::Pattern { file } else { file.with_weights(weights) })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Pattern,
    Integer,
    Real,
}

/// The first line: `%%MatrixMarket matrix coordinate real general`.
struct Banner {
    field: Field,
    symmetric: bool,
}

impl Banner {
    fn parse(line: &str) -> Result<Self, Problem> {
        let words: Vec<String> = line.split_ascii_whitespace().take(6).map(str::to_ascii_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ["%%matrixmarket", object, layout, field, symmetry] = words[..] else {
            return Err("the first line must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'".into());
        };
        let refuse = |what: &str, found: &str, known: &str| -> Result<Self, Problem> {
            Err(format!("the {what} '{}' cannot be read as a graph, only {known}", shortened(found)).into())
        };
        if object != "matrix" {
            return refuse("object", object, "'matrix'");
        }
        if layout != "coordinate" {
            return refuse("layout", layout, "'coordinate'");
        }
        let field = match field {
            "pattern" => Field::Pattern,
            "integer" => Field::Integer,
            "real" | "double" => Field::Real,
            _ => return refuse("field", field, "'pattern', 'integer' and 'real'"),
        };
        match symmetry {
            "general" => Ok(Banner { field, symmetric: false }),
            "symmetric" => Ok(Banner { field, symmetric: true }),
            _ => refuse("symmetry", symmetry, "'general' and 'symmetric'"),
        }
    }

    fn entry(&self, line: &str, size: Size, before: usize) -> Result<(u32, u32, Option<Decimal>), Problem> {
        if before as u64 == size.entries {
            return Err(Problem::EdgeCount { promised: size.entries, found: size.entries + 1 });
        }
        let words: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
        let (tail, head, weight) = match (self.field, &words[..]) {
            (Field::Pattern, &[tail, head]) => (tail, head, None),
            (Field::Integer | Field::Real, &[tail, head, weight]) => (tail, head, Some(weight.parse::<Decimal>()?)),
            (Field::Pattern, words) => {
                return Err(Problem::Columns {
                    found: words.len(),
                    expected: "an entry of a pattern has 2".to_owned(),
                });
            }
            (_, words) => return Err(Problem::Columns { found: words.len(), expected: "an entry has 3".to_owned() }),
        };
        if let (Field::Integer, Some(weight)) = (self.field, weight.filter(|weight| weight.decimals() > 0)) {
            return Err(format!("the weight {weight} is not whole in a matrix of the field 'integer'").into());
        }
        Ok((vertex(tail, size.vertices)?, vertex(head, size.vertices)?, weight))
    }
}

/// The line after the comments: `rows columns entries`.
#[derive(Clone, Copy)]
struct Size {
    vertices: u64,
    entries: u64,
}

impl Size {
    fn parse(line: &str, options: &ReadOptions) -> Result<Self, Problem> {
        let words: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
        let &[rows, columns, entries] = &words[..] else {
            return Err("the size must be 'rows columns entries'".into());
        };
        let (rows, columns, entries) = (count(rows)?, count(columns)?, count(entries)?);
        if rows != columns {
            return Err(format!("a matrix of {rows} x {columns} is not square, so it is not a graph").into());
        }
        believable(rows, u64::MAX, options)?;
        Ok(Size { vertices: rows, entries })
    }
}

pub(super) fn write(graph: &NamedGraph) -> Vec<u8> {
    let plain = &graph.graph;
    let field = match (plain.is_weighted(), plain.decimals()) {
        (false, _) => "pattern",
        (true, 0) => "integer",
        (true, _) => "real",
    };
    let symmetry = if graph.directed { "general" } else { "symmetric" };
    let entries = graph.listed_edges().count();
    let mut out =
        format!("%%MatrixMarket matrix coordinate {field} {symmetry}\n{} {} {entries}\n", plain.n(), plain.n());
    for (tail, head, weight) in graph.listed_edges() {
        // The lower triangle is the one that a symmetric file keeps.
        let (row, column) = if graph.directed { (tail + 1, head + 1) } else { (head + 1, tail + 1) };
        let weight = weight.map_or(String::new(), |weight| format!(" {weight}"));
        writeln!(out, "{row} {column}{weight}").expect("strings take everything");
    }
    out.into_bytes()
}
