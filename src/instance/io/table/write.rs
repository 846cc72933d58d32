//! A graph as a table that reads back as that graph.

use super::super::names::accident;
use super::super::options::Delimiter;
use super::super::{Format, NamedGraph, WriteError};
use super::layout::{looks_like_header, usual_delimiter};
use super::split::starts_like_comment;
use crate::instance::Decimal;
use std::fmt::Write;

pub(in super::super) fn write(graph: &NamedGraph, format: Format) -> Result<Vec<u8>, WriteError> {
    let between = match usual_delimiter(format) {
        Delimiter::Byte(byte) => char::from(byte),
        Delimiter::Space => {
            graph.names.iter().try_for_each(|name| check_plain(name))?;
            ' '
        }
    };
    let mut body = Body { graph, between, quotes: format != Format::Edges, text: String::new(), introduced: 0 };
    for (tail, head, weight) in in_order_of_appearance(graph) {
        body.edge(tail, head, weight);
    }
    body.lone_vertices(graph.graph.n());
    // Other tools expect no header in `.edges`, so it is there only where the file would be misread without one.
    let needs_header =
        format != Format::Edges || graph.graph.edge_count() == 0 || looks_like_header(&body.text, format);
    let header = if needs_header { header(graph, between) } else { String::new() };
    Ok((header + &body.text).into_bytes())
}

/// Why a name cannot stand between spaces, where there are no quotes.
fn check_plain(name: &str) -> Result<(), WriteError> {
    let why = if name.is_empty() {
        "it is empty"
    } else if name.contains(char::is_whitespace) {
        "it has white space in it"
    } else if starts_like_comment(name) {
        "it starts like a comment"
    } else if accident(name).is_some() {
        "it has a character that is read in quotes only"
    } else {
        return Ok(());
    };
    Err(WriteError::Name { format: Format::Edges, name: name.to_owned(), why })
}

fn header(graph: &NamedGraph, separator: char) -> String {
    let weight = if graph.graph.is_weighted() { format!("{separator}weight") } else { String::new() };
    format!("source{separator}target{weight}\n")
}

/// The edges sorted by their larger end, so that most vertices appear in order by themselves.
fn in_order_of_appearance(graph: &NamedGraph) -> Vec<(usize, usize, Option<Decimal>)> {
    let mut edges: Vec<_> = graph.listed_edges().collect();
    edges.sort_by_key(|&(tail, head, _)| (tail.max(head), tail.min(head), tail > head));
    edges
}

/// The lines after the header; vertices `0..introduced` have appeared in them.
struct Body<'a> {
    graph: &'a NamedGraph,
    between: char,
    quotes: bool,
    text: String,
    introduced: usize,
}

impl Body<'_> {
    fn edge(&mut self, tail: usize, head: usize, weight: Option<Decimal>) {
        let last = tail.max(head);
        let brings_two_in_order = tail == self.introduced && head == tail + 1;
        if !brings_two_in_order {
            self.lone_vertices(last);
        }
        self.introduced = self.introduced.max(last + 1);
        self.name(tail);
        self.text.push(self.between);
        self.name(head);
        if let Some(weight) = weight {
            write!(self.text, "{}{weight}", self.between).expect("strings take everything");
        }
        self.text.push('\n');
    }

    /// A line for each vertex before `end` that has not appeared.
    fn lone_vertices(&mut self, end: usize) {
        for vertex in self.introduced..end {
            self.name(vertex);
            self.text.push('\n');
        }
        self.introduced = self.introduced.max(end);
    }

    /// A name as a field that reads back as that name; between spaces there are no quotes.
    fn name(&mut self, vertex: usize) {
        let name = self.graph.names[vertex].as_str();
        let is_plain = !name.is_empty()
            && name.trim() == name
            && !starts_like_comment(name)
            && accident(name).is_none()
            && !name.contains([self.between, '"', '\n', '\r', '\u{feff}']);
        if is_plain || !self.quotes {
            self.text.push_str(name);
        } else {
            self.text.push('"');
            self.text.push_str(&name.replace('"', "\"\""));
            self.text.push('"');
        }
    }
}
