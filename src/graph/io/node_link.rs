//! The JSON of networkx' `node_link_data`: nodes with an `id`, and edges under `edges` or `links`.
//!
//! networkx wrote `links` up to version 3.3 and writes `edges` since; whoever looks for the wrong one silently loads
//! no edges, so a file with neither is an error here. `directed` is false where it is missing, as in networkx. Ids
//! are strings or numbers, and a number is named as it is written. Numbers never pass through floats: 0.1 is 0.1.

use super::build::{Edges, Kind, Names};
use super::error::shortened;
use super::lines::{as_text, read_all};
use super::{NamedGraph, Place, Problem, ReadError, ReadOptions};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::Write;
use std::io::BufRead;

#[derive(Deserialize)]
#[serde(expecting = "an object with 'nodes' and 'edges'")]
struct File<'a> {
    #[serde(default)]
    directed: bool,
    #[serde(default)]
    multigraph: bool,
    #[serde(borrow)]
    nodes: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    edges: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    links: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
#[serde(expecting = "a node such as {\"id\": 1}")]
struct Node<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(expecting = "an edge such as {\"source\": 1, \"target\": 2}")]
struct Edge<'a> {
    #[serde(borrow)]
    source: &'a RawValue,
    #[serde(borrow)]
    target: &'a RawValue,
    #[serde(borrow)]
    weight: Option<&'a RawValue>,
}

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<NamedGraph, ReadError> {
    let bytes = read_all(reader, options)?;
    let text = as_text(&bytes)?;
    let file: File = serde_json::from_str(text).map_err(|error| syntax_error(text, &error))?;
    let whole_file = |problem: &str| ReadError::new(Place::File, problem);
    let nodes = file.nodes.ok_or_else(|| whole_file("there is no list of 'nodes'"))?;
    let listed = match (file.edges, file.links) {
        (Some(edges), None) => edges,
        (None, Some(links)) => links,
        (None, None) => return Err(whole_file("there is neither a list of 'edges' nor of 'links'")),
        (Some(_), Some(_)) => return Err(whole_file("there are both 'edges' and 'links'; which are meant?")),
    };
    let mut names = Names::new(options);
    for node in nodes {
        take_node(node, &mut names).map_err(|problem| ReadError::new(place_of(text, node), problem))?;
    }
    let mut edges = Edges::default();
    for edge in listed {
        let mark = offset_of(text, edge) as u64;
        take_edge(edge, mark, &names, &mut edges).map_err(|problem| ReadError::new(place_of(text, edge), problem))?;
    }
    let kind = Kind { directed: file.directed, weighted: false };
    let graph = edges.finish(names.into_list(), kind, |mark| Place::at(text, mark as usize));
    graph.map_err(|error| if file.multigraph { explain_multigraph(error) } else { error })
}

fn take_node(node: &RawValue, names: &mut Names) -> Result<(), Problem> {
    let node: Node = parse(node)?;
    names.declare(&name(node.id)?).map(|_| ())
}

fn take_edge(edge: &RawValue, mark: u64, names: &Names, edges: &mut Edges) -> Result<(), Problem> {
    let edge: Edge = parse(edge)?;
    let tail = names.find(&name(edge.source)?)?;
    let head = names.find(&name(edge.target)?)?;
    let weight = match edge.weight.map(RawValue::get) {
        Some(number) if is_number(number) => Some(number.parse()?),
        Some(other) => return Err(format!("the weight {} is not a number", shortened(other)).into()),
        None => None,
    };
    edges.push(tail, head, weight, mark);
    Ok(())
}

/// Reads a part of the file whose syntax is known to be right, so that only its meaning can be wrong.
fn parse<'a, T: Deserialize<'a>>(part: &'a RawValue) -> Result<T, Problem> {
    serde_json::from_str(part.get()).map_err(|error| without_position(&error).into())
}

/// The name that an id stands for.
fn name(id: &RawValue) -> Result<Cow<'_, str>, Problem> {
    let text = id.get();
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(plain) if !plain.contains('\\') => Ok(Cow::Borrowed(plain)),
        Some(_) => parse::<String>(id).map(Cow::Owned),
        None if is_number(text) => Ok(Cow::Borrowed(text)),
        None => Err(format!("the id {} is neither a string nor a number", shortened(text)).into()),
    }
}

fn is_number(json: &str) -> bool {
    json.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

fn offset_of(text: &str, part: &RawValue) -> usize {
    (part.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn place_of(text: &str, part: &RawValue) -> Place {
    Place::at(text, offset_of(text, part))
}

fn explain_multigraph(error: ReadError) -> ReadError {
    if !matches!(*error.problem, Problem::Duplicate { .. } | Problem::Contradiction { .. }) {
        return error;
    }
    let why = format!("{}: a multigraph can be read only if no edge occurs twice", error.problem);
    ReadError::new(error.place, why)
}

/// What is wrong with the JSON itself, with the text at which it shows.
fn syntax_error(text: &str, error: &serde_json::Error) -> ReadError {
    let (line, column) = (error.line(), error.column());
    if error.is_eof() {
        return ReadError::new(Place::Line(line as u64), "the JSON ends too early: the file seems to be cut off");
    }
    let line_text = text.split('\n').nth(line.saturating_sub(1)).unwrap_or("");
    let mut start = column.saturating_sub(1).min(line_text.len());
    while !line_text.is_char_boundary(start) {
        start -= 1;
    }
    let found: String = line_text[start..].chars().take(10).collect();
    let place = Place::Character { line: line as u64, column: column as u64 };
    ReadError::new(place, format!("{}, at '{}'", without_position(error), shortened(&found)))
}

/// The message without its own idea of the position, which counts from the part that was being read.
fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rfind(" at line ").map_or(message.clone(), |position| message[..position].to_owned())
}

pub(super) fn write(graph: &NamedGraph) -> Vec<u8> {
    let ids = ids(&graph.names);
    let mut out = format!("{{\"directed\": {}, \"multigraph\": false, \"graph\": {{}}, \"nodes\": [", graph.directed);
    let mut separator = "\n";
    for id in &ids {
        write!(out, "{separator}{{\"id\": {id}}}").expect("strings take everything");
        separator = ",\n";
    }
    out.push_str("\n], \"edges\": [");
    separator = "\n";
    for (tail, head, weight) in graph.listed_edges() {
        let (tail, head) = (&ids[tail], &ids[head]);
        let weight = weight.map_or(String::new(), |weight| format!(", \"weight\": {weight}"));
        write!(out, "{separator}{{\"source\": {tail}, \"target\": {head}{weight}}}").expect("strings take everything");
        separator = ",\n";
    }
    out.push_str("\n]}\n");
    out.into_bytes()
}

/// Numbers if all names are whole numbers as JSON writes them, strings otherwise: as networkx most likely had them.
fn ids(names: &[String]) -> Vec<String> {
    let is_whole = |name: &String| name.parse::<i64>().is_ok_and(|number| number.to_string() == *name);
    if names.iter().all(is_whole) {
        return names.to_vec();
    }
    names.iter().map(|name| serde_json::Value::from(name.as_str()).to_string()).collect()
}
