//! Edge lists: one edge a line as `source,target` or `source,target,weight`.
//!
//! Vertices are numbered in the order in which their names first appear. A line with a single name is a vertex
//! without edges (so far); the writer uses such lines wherever the order of vertices would not come out otherwise,
//! because ordered restarts depend on it. A first line such as `source,target`, `u,v,w` or `from,to,weight` is a
//! header, whatever follows in its third column, unless that is a number.

use super::build::{Edges, Kind, Names};
use super::lines::Lines;
use super::record::{Record, Separator, push_field};
use super::{Format, NamedGraph, Place, Problem, ReadError, ReadOptions, WriteError};
use crate::graph::{Decimal, DecimalError};
use std::fmt::Write;
use std::io::BufRead;

const HEADERS: [(&str, &str); 5] = [("source", "target"), ("u", "v"), ("from", "to"), ("tail", "head"), ("src", "dst")];

pub(super) fn read(reader: &mut dyn BufRead, format: Format, options: &ReadOptions) -> Result<NamedGraph, ReadError> {
    let separator = Separator::of(format);
    let mut lines = Lines::new(reader, options);
    let mut record = Record::default();
    let mut list = EdgeList { names: Names::new(options), edges: Edges::default(), columns: None, header: false };
    while record.read(&mut lines, separator)? {
        list.take(&record).map_err(|problem| ReadError::new(Place::Line(record.line()), problem))?;
    }
    list.finish(separator, options)
}

struct EdgeList {
    names: Names,
    edges: Edges,
    /// The columns of all edges, once one was seen.
    columns: Option<usize>,
    header: bool,
}

impl EdgeList {
    fn take(&mut self, record: &Record) -> Result<(), Problem> {
        let is_first = self.names.is_empty() && !self.header;
        if is_first && is_header(record) {
            self.header = true;
            self.columns = Some(record.len());
            return Ok(());
        }
        if (0..record.len().min(2)).any(|field| record.is_missing(field)) {
            return Err("the name of a vertex is missing".into());
        }
        match record.len() {
            1 => self.names.intern(record.get(0)).map(|_| ()),
            2 | 3 => self.take_edge(record),
            found => Err(Problem::Columns { found, expected: "an edge has 2 or 3" }),
        }
    }

    fn take_edge(&mut self, record: &Record) -> Result<(), Problem> {
        let found = record.len();
        match (self.columns, found) {
            (Some(2), 3) => return Err(Problem::Columns { found, expected: "2 on the lines before" }),
            (Some(3), 2) => return Err(Problem::Columns { found, expected: "3 on the lines before" }),
            _ => self.columns = Some(found),
        }
        let weight = if found == 3 { Some(parse_weight(record.get(2))?) } else { None };
        let tail = self.names.intern(record.get(0))?;
        let head = self.names.intern(record.get(1))?;
        self.edges.push(tail, head, weight, record.line());
        Ok(())
    }

    fn finish(self, separator: Separator, options: &ReadOptions) -> Result<NamedGraph, ReadError> {
        let whole_file = |problem: Problem| Err(ReadError::new(Place::File, problem));
        if self.names.is_empty() && !self.header {
            return whole_file(Problem::Empty);
        }
        if !self.header && self.edges.len() == 0 && self.names.iter().any(|name| name.contains(OTHER_SEPARATORS)) {
            let between = match separator {
                Separator::Character(',') => "commas",
                Separator::Character(_) => "tabs",
                Separator::Space => "white space",
            };
            return whole_file(format!("no line has two columns; they must be separated by {between}").into());
        }
        let kind = Kind { directed: !options.undirected, weighted: self.columns == Some(3) };
        self.edges.finish(self.names.into_list(), kind, Place::Line)
    }
}

/// What the columns of a file may be separated by that was taken for another format.
const OTHER_SEPARATORS: [char; 5] = [',', ';', '\t', ' ', '|'];

fn parse_weight(text: &str) -> Result<Decimal, Problem> {
    text.parse().map_err(|error: DecimalError| {
        if text.starts_with('{') {
            return format!("the weight {error}; networkx writes plain weights with data=['weight']").into();
        }
        Problem::Weight(error)
    })
}

fn is_header(record: &Record) -> bool {
    (2..=3).contains(&record.len())
        && names_columns(record.get(0), record.get(1))
        && (record.len() == 2 || record.get(2).parse::<Decimal>().is_err())
}

fn names_columns(tail: &str, head: &str) -> bool {
    HEADERS.iter().any(|(source, target)| tail.eq_ignore_ascii_case(source) && head.eq_ignore_ascii_case(target))
}

pub(super) fn write(graph: &NamedGraph, format: Format) -> Result<Vec<u8>, WriteError> {
    let separator = Separator::of(format);
    if separator == Separator::Space {
        graph.names.iter().try_for_each(|name| check_plain(name))?;
    }
    let mut body = Body { graph, separator, text: String::new(), introduced: 0 };
    for (tail, head, weight) in in_order_of_appearance(graph) {
        body.edge(tail, head, weight);
    }
    body.lone_vertices(graph.graph.n());
    let header =
        if needs_header(graph, format, &body.text) { header(graph, separator.character()) } else { String::new() };
    Ok((header + &body.text).into_bytes())
}

/// Why a name cannot stand between spaces, where there are no quotes.
fn check_plain(name: &str) -> Result<(), WriteError> {
    let why = if name.is_empty() {
        "it is empty"
    } else if name.contains(char::is_whitespace) {
        "it has white space in it"
    } else if name.starts_with(['#', '%']) {
        "it starts like a comment"
    } else if name.starts_with('\u{feff}') {
        "it starts with a byte order mark"
    } else {
        return Ok(());
    };
    Err(WriteError::Name { format: Format::Edges, name: name.to_owned(), why })
}

/// Other tools expect no header in `.edges`, so it is there only where the file would be misread without one.
fn needs_header(graph: &NamedGraph, format: Format, body: &str) -> bool {
    let mut fields = body.lines().next().unwrap_or("").split(' ');
    let like_header = names_columns(fields.next().unwrap_or(""), fields.next().unwrap_or(""));
    format != Format::Edges || graph.graph.arc_count() == 0 || like_header
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
    separator: Separator,
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
        push_field(&mut self.text, &self.graph.names[tail], self.separator);
        self.text.push(self.separator.character());
        push_field(&mut self.text, &self.graph.names[head], self.separator);
        if let Some(weight) = weight {
            write!(self.text, "{}{weight}", self.separator.character()).expect("strings take everything");
        }
        self.text.push('\n');
    }

    /// A line for each vertex before `end` that has not appeared.
    fn lone_vertices(&mut self, end: usize) {
        for vertex in self.introduced..end {
            push_field(&mut self.text, &self.graph.names[vertex], self.separator);
            self.text.push('\n');
        }
        self.introduced = self.introduced.max(end);
    }
}
