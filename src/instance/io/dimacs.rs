//! The `.gr` files of the ninth DIMACS challenge: `p sp vertices arcs`, then `a tail head weight`, counted from 1.
//!
//! Arcs are directed, and an undirected graph is written as two arcs an edge, as the challenge's road networks are.
//! Each arc has a weight; the arcs of a graph without weights are written with weight 1. The format asks for whole
//! weights, so only those are written; decimals are read all the same.

use super::columns::Numbers;
use super::file::{EdgeLines, GraphFile, Places};
use super::lines::Lines;
use super::names::{believable, numbers};
use super::text::shortened;
use super::{Format, NamedGraph, Place, Problem, ReadError, ReadOptions, WriteError};
use crate::instance::Decimal;
use std::fmt::Write;
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    let mut lines = Lines::new(reader, options);
    let mut header: Option<Header> = None;
    let (mut edges, mut weights, mut numbered) = (vec![], Numbers::default(), EdgeLines::default());
    while let Some(line) = lines.next()? {
        let arc = take_line(line, &mut header, edges.len(), options);
        if let Some((tail, head, weight)) = arc.map_err(|problem| lines.error(problem))? {
            edges.push((tail, head));
            weights.push(Some(weight));
            numbered.push(lines.number());
        }
    }
    let whole_file = |problem| ReadError::new(Place::File, problem);
    let header = match header {
        Some(header) => header,
        None if lines.bytes() == 0 => return Err(whole_file(Problem::Empty)),
        None => return Err(whole_file("there is no line 'p sp vertices arcs'".into())),
    };
    if (edges.len() as u64) < header.arcs {
        return Err(whole_file(Problem::EdgeCount { promised: header.arcs, found: edges.len() as u64 }));
    }
    let n = believable(header.vertices, lines.bytes(), options).map_err(whole_file)?;
    let file = GraphFile::new(Format::Dimacs, numbers(1, n), edges, Places::Lines(numbered));
    Ok(GraphFile { directed: Some(true), ..file.with_weights(weights) })
}

#[derive(Clone, Copy)]
struct Header {
    vertices: u64,
    arcs: u64,
}

type Arc = (u32, u32, Decimal);

fn take_line(
    line: &str,
    header: &mut Option<Header>,
    arcs_before: usize,
    options: &ReadOptions,
) -> Result<Option<Arc>, Problem> {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        None => Ok(None),
        Some("p") => {
            if header.is_some() {
                return Err("a second line 'p'".into());
            }
            *header = Some(parse_header(words, options)?);
            Ok(None)
        }
        Some("a") => {
            let header = header.ok_or_else(|| Problem::from("an arc before the line 'p sp vertices arcs'"))?;
            if arcs_before as u64 == header.arcs {
                return Err(Problem::EdgeCount { promised: header.arcs, found: header.arcs + 1 });
            }
            parse_arc(words, header.vertices).map(Some)
        }
        // A comment, often written as `c----` without a space.
        Some(word) if word.starts_with('c') => Ok(None),
        Some(word) => Err(format!("a line starts with 'c', 'p' or 'a', not with '{}'", shortened(word)).into()),
    }
}

fn parse_header<'a>(mut words: impl Iterator<Item = &'a str>, options: &ReadOptions) -> Result<Header, Problem> {
    match words.next() {
        Some("sp") => (),
        other => {
            let other = shortened(other.unwrap_or(""));
            return Err(format!("the problem is '{other}', not the shortest-path problem 'sp'").into());
        }
    }
    let (Some(vertices), Some(arcs), None) = (words.next(), words.next(), words.next()) else {
        return Err("the header must be 'p sp vertices arcs'".into());
    };
    let header = Header { vertices: count(vertices)?, arcs: count(arcs)? };
    believable(header.vertices, u64::MAX, options)?;
    Ok(header)
}

fn parse_arc<'a>(mut words: impl Iterator<Item = &'a str>, vertices: u64) -> Result<Arc, Problem> {
    let (Some(tail), Some(head), Some(weight), None) = (words.next(), words.next(), words.next(), words.next()) else {
        return Err("an arc must be 'a tail head weight'".into());
    };
    Ok((vertex(tail, vertices)?, vertex(head, vertices)?, weight.parse()?))
}

/// A number of things.
pub(super) fn count(word: &str) -> Result<u64, Problem> {
    word.parse().map_err(|_| format!("'{}' is not a whole number from 0 to {}", shortened(word), u64::MAX).into())
}

/// The index of a vertex that the file counts from 1.
pub(super) fn vertex(word: &str, vertices: u64) -> Result<u32, Problem> {
    let number = count(word)?;
    if number == 0 || number > vertices {
        return Err(Problem::VertexOutOfRange { vertex: number, first: 1, last: vertices });
    }
    Ok((number - 1) as u32)
}

pub(super) fn write(graph: &NamedGraph) -> Result<Vec<u8>, WriteError> {
    let plain = &graph.graph;
    let mut out = format!("p sp {} {}\n", plain.n(), plain.arc_count());
    for (tail, head, weight) in plain.weighted_arcs() {
        let weight = plain.decimal(weight);
        if weight.decimals() > 0 {
            let (edge, why) = (graph.edge_name(tail, head), "it takes whole weights only");
            return Err(WriteError::Weight { format: Format::Dimacs, edge, weight, why });
        }
        writeln!(out, "a {} {} {weight}", tail + 1, head + 1).expect("strings take everything");
    }
    Ok(out.into_bytes())
}
