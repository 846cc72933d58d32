//! The JSON of networkx' `node_link_data`: nodes with an `id`, and edges under `edges` or `links`.
//!
//! networkx wrote `links` up to version 3.3 and writes `edges` since; whoever looks for the wrong one silently loads
//! no edges, so a file with neither is an error here. `directed` is false where it is missing, as in networkx. Ids
//! are strings or numbers, and a number is named as it is written. Numbers never pass through floats: 0.1 is 0.1.
//! Every attribute of an edge is kept; of nodes, what they are called and where they lie.

use super::columns::Cell;
use super::file::{GraphFile, places_in};
use super::lines::{as_text, read_all};
use super::text::shortened;
use super::vertices::Declared;
use super::{Format, NamedGraph, Place, Problem, ReadError, ReadOptions};
use crate::instance::Decimal;
use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::{self, Write};
use std::io::BufRead;

#[derive(Deserialize)]
#[serde(expecting = "an object with 'nodes' and 'edges'")]
struct File<'a> {
    #[serde(default)]
    directed: bool,
    #[serde(borrow)]
    nodes: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    edges: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    links: Option<Vec<&'a RawValue>>,
}

/// A node or an edge: its keys and values, in the order of the file.
struct Object<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Object<'a> {
    fn parse(part: &'a RawValue, example: &'static str) -> Result<Self, Problem> {
        let mut reader = serde_json::Deserializer::from_str(part.get());
        let object = serde::Deserializer::deserialize_map(&mut reader, Entries { example });
        object.map_err(|error| without_position(&error).into())
    }

    fn required(&self, wanted: &str) -> Result<&'a RawValue, Problem> {
        let found = self.0.iter().find(|(key, _)| key == wanted);
        found.map(|(_, value)| *value).ok_or_else(|| format!("missing field `{wanted}`").into())
    }
}

struct Entries {
    example: &'static str,
}

impl<'de> Visitor<'de> for Entries {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.example)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let mut entries = vec![];
        while let Some((Key(key), value)) = map.next_entry::<Key, &RawValue>()? {
            entries.push((key, value));
        }
        Ok(Object(entries))
    }
}

/// Copied only where it has escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
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
    let mut graph = Declared::new(options);
    for node in nodes {
        take_node(node, &mut graph).map_err(|problem| ReadError::new(place_of(text, node), problem))?;
    }
    for edge in listed {
        let offset = offset_of(text, edge) as u64;
        take_edge(edge, offset, &mut graph).map_err(|problem| ReadError::new(place_of(text, edge), problem))?;
    }
    graph.finish(Format::NodeLink, Some(file.directed), |offsets| places_in(text, offsets))
}

fn take_node(node: &RawValue, graph: &mut Declared) -> Result<(), Problem> {
    let node = Object::parse(node, "a node such as {\"id\": 1}")?;
    graph.vertex(&name(node.required("id")?)?)?;
    for (key, value) in node.0.iter().filter(|(key, _)| key != "id") {
        match name(value) {
            Ok(text) => graph.say(key, &text),
            // A position may be a list.
            Err(_) => graph.say(key, value.get()),
        }
    }
    Ok(())
}

fn take_edge(edge: &RawValue, offset: u64, graph: &mut Declared) -> Result<(), Problem> {
    let edge = Object::parse(edge, "an edge such as {\"source\": 1, \"target\": 2}")?;
    let (source, target) = (name(edge.required("source")?)?, name(edge.required("target")?)?);
    graph.edge(source.into_owned(), target.into_owned(), offset);
    for (key, value) in edge.0.iter().filter(|(key, _)| key != "source" && key != "target") {
        let text = value.get();
        match text.parse::<Decimal>() {
            _ if text == "null" => (),
            Ok(number) if is_number(text) => graph.attribute(key, Cell::Number(number))?,
            Err(_) if is_number(text) => graph.attribute(key, Cell::Word(text))?,
            _ => graph.attribute(key, Cell::Word(&name(value).unwrap_or(Cow::Borrowed(text))))?,
        }
    }
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
