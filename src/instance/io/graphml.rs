//! GraphML: nodes with an `id`, edges with `source` and `target`, attributes in `data`.
//!
//! Every attribute of an edge is kept, whatever type its key has: many programs call them all strings. Labels and
//! positions of nodes are kept as well, also where yEd hides them in its drawing data. What a graph of this crate
//! cannot be is refused by name: nested graphs, a second graph, hyperedges, ports, and edges directed unlike the rest.
//! So is a document type, because it can define entities that pull in other files.

use super::columns::Cell;
use super::file::{GraphFile, places_in};
use super::lines::{as_text, read_all};
use super::text::shortened;
use super::vertices::Declared;
use super::xml::{self, attribute, required};
use super::{Format, NamedGraph, Place, Problem, ReadError, ReadOptions, WriteError};
use quick_xml::events::BytesStart;
use std::collections::HashMap;
use std::fmt::Write;
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    let bytes = read_all(reader, options)?;
    let text = as_text(&bytes)?;
    let mut parser = Parser {
        path: vec![],
        directed: None,
        keys: HashMap::new(),
        last_key: None,
        defaults: vec![],
        graph: Declared::new(options),
        reading: None,
        arrows: [0; 2],
    };
    xml::read(text, &mut parser)?;
    let directed = parser.directed.ok_or_else(|| ReadError::new(Place::File, "there is no <graph> in the file"))?;
    if directed && parser.arrows == [parser.graph.edge_count(), 0] && parser.graph.edge_count() > 0 {
        let note = "the edges are drawn without arrows, but the file says that they are directed; --undirected takes them both ways";
        parser.graph.notes.push(note.to_owned());
    }
    parser.graph.finish(Format::GraphMl, Some(directed), |offsets| places_in(text, offsets))
}

/// An element, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    GraphMl,
    Key,
    Default,
    Graph,
    Node,
    Edge,
    Data,
    /// A text of yEd's within the data of a node or an edge.
    Label,
    /// Passed over, with everything in it.
    Other,
}

/// What the key of a `data` element stands for.
#[derive(Clone)]
struct Key {
    name: String,
    of_nodes: bool,
    of_edges: bool,
}

/// The text that is being read.
struct Piece {
    name: String,
    text: String,
}

struct Parser {
    /// The elements that are open.
    path: Vec<Tag>,
    directed: Option<bool>,
    keys: HashMap<String, Key>,
    last_key: Option<Key>,
    /// Values that edges have if they say nothing else.
    defaults: Vec<(String, String)>,
    graph: Declared,
    reading: Option<Piece>,
    /// Edges that yEd draws without arrows, and with.
    arrows: [usize; 2],
}

impl xml::Handler for Parser {
    fn open(&mut self, element: &BytesStart, position: u64) -> Result<(), Problem> {
        let local = element.local_name();
        let name: &str = local.as_ref();
        let tag = match (self.path.last(), name) {
            (Some(Tag::Other | Tag::Data | Tag::Label), _) => self.open_within_data(element, name)?,
            (None, "graphml") => Tag::GraphMl,
            (None, _) => return Err(format!("the file starts with <{}>, not with <graphml>", shortened(name)).into()),
            (Some(Tag::GraphMl), "key") => self.open_key(element)?,
            (Some(Tag::Key), "default") => self.open_default(),
            (Some(Tag::GraphMl), "graph") => self.open_graph(element)?,
            (Some(Tag::Graph), "node") => {
                self.graph.vertex(&required(element, "id")?)?;
                Tag::Node
            }
            (Some(Tag::Graph), "edge") => self.open_edge(element, position)?,
            (Some(Tag::Edge), "data") => self.open_edge_data(element)?,
            (Some(Tag::Node), "data") => self.open_node_data(element)?,
            (_, "data") => Tag::Data,
            (_, "graph") => return Err("a graph within a graph cannot be read".into()),
            (_, "hyperedge") => return Err("an edge between more than two nodes (<hyperedge>) cannot be read".into()),
            (_, "port") => return Err("a node with ports (<port>) cannot be read".into()),
            (_, "node" | "edge") => return Err(format!("<{name}> stands outside of the graph").into()),
            _ => Tag::Other,
        };
        self.path.push(tag);
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        let closed = self.path.pop();
        match closed {
            Some(Tag::Data | Tag::Default | Tag::Label) => self.close_text(closed),
            Some(Tag::Edge) => self.add_defaults(),
            _ => Ok(()),
        }
    }

    fn text(&mut self, text: &str) {
        if let (Some(piece), Some(Tag::Data | Tag::Default | Tag::Label)) = (&mut self.reading, self.path.last()) {
            piece.text.push_str(text);
        }
    }
}

impl Parser {
    fn open_key(&mut self, element: &BytesStart) -> Result<Tag, Problem> {
        let target = attribute(element, "for")?;
        let key = Key {
            // yEd's drawing data have no name.
            name: attribute(element, "attr.name")?.unwrap_or_default(),
            of_nodes: matches!(target.as_deref(), None | Some("node" | "all")),
            of_edges: matches!(target.as_deref(), None | Some("edge" | "all")),
        };
        self.keys.insert(required(element, "id")?, key.clone());
        self.last_key = Some(key);
        Ok(Tag::Key)
    }

    fn open_default(&mut self) -> Tag {
        let key = self.last_key.as_ref().filter(|key| key.of_edges && !key.name.is_empty());
        self.reading = key.map(|key| Piece { name: key.name.clone(), text: String::new() });
        Tag::Default
    }

    fn open_graph(&mut self, element: &BytesStart) -> Result<Tag, Problem> {
        if self.directed.is_some() {
            return Err("a second graph: only files with one can be read".into());
        }
        self.directed = Some(match required(element, "edgedefault")?.as_str() {
            "directed" => true,
            "undirected" => false,
            other => return Err(format!("edgedefault is '{}'", shortened(other)).into()),
        });
        Ok(Tag::Graph)
    }

    fn open_edge(&mut self, element: &BytesStart, position: u64) -> Result<Tag, Problem> {
        if attribute(element, "sourceport")?.is_some() || attribute(element, "targetport")?.is_some() {
            return Err("an edge between ports cannot be read".into());
        }
        let directed = match attribute(element, "directed")?.as_deref() {
            None => self.directed,
            Some("true") => Some(true),
            Some("false") => Some(false),
            Some(other) => return Err(format!("directed is '{}'", shortened(other)).into()),
        };
        if directed != self.directed {
            return Err("an edge whose direction is unlike edgedefault: mixed graphs cannot be read".into());
        }
        self.graph.edge(required(element, "source")?, required(element, "target")?, position);
        Ok(Tag::Edge)
    }

    fn open_edge_data(&mut self, element: &BytesStart) -> Result<Tag, Problem> {
        let id = required(element, "key")?;
        let key = self.keys.get(&id).ok_or_else(|| format!("the key '{}' is not declared", shortened(&id)))?;
        let named = (key.of_edges && !key.name.is_empty()).then(|| key.name.clone());
        self.reading = named.map(|name| Piece { name, text: String::new() });
        Ok(Tag::Data)
    }

    fn open_node_data(&mut self, element: &BytesStart) -> Result<Tag, Problem> {
        let id = required(element, "key")?;
        let key = self.keys.get(&id).filter(|key| key.of_nodes && !key.name.is_empty());
        self.reading = key.map(|key| Piece { name: key.name.clone(), text: String::new() });
        Ok(Tag::Data)
    }

    /// What yEd draws: the label of a node or an edge, the place of a node, the arrows of an edge.
    fn open_within_data(&mut self, element: &BytesStart, name: &str) -> Result<Tag, Problem> {
        let of_edge = self.path.contains(&Tag::Edge);
        match (name, of_edge) {
            ("NodeLabel", false) | ("EdgeLabel", true) if self.path.contains(&Tag::Data) => {
                self.reading = Some(Piece { name: "label".to_owned(), text: String::new() });
                return Ok(Tag::Label);
            }
            ("Geometry", false) => {
                let coordinate =
                    |name| Ok::<_, Problem>(attribute(element, name)?.and_then(|text| text.parse::<f64>().ok()));
                if let (Some(x), Some(y)) = (coordinate("x")?, coordinate("y")?) {
                    // On a screen, y grows downwards.
                    self.graph.place(x, -y);
                }
            }
            ("Arrows", true) => {
                let none = |name| Ok::<_, Problem>(attribute(element, name)?.as_deref() == Some("none"));
                let plain = none("source")? && none("target")?;
                self.arrows[usize::from(!plain)] += 1;
            }
            _ => (),
        }
        Ok(Tag::Other)
    }

    fn close_text(&mut self, closed: Option<Tag>) -> Result<(), Problem> {
        let Some(Piece { name, text }) = self.reading.take() else { return Ok(()) };
        let text = text.trim();
        match (closed, self.path.contains(&Tag::Edge)) {
            (Some(Tag::Default), _) => self.defaults.push((name, text.to_owned())),
            (Some(Tag::Label), false) => self.graph.label(text),
            (_, false) => self.graph.say(&name, text),
            // An edge may have several labels; the first is its title.
            (Some(Tag::Label), true) if self.graph.has_attribute(&name) => (),
            (_, true) if text.is_empty() => (),
            (_, true) => return self.graph.attribute(&name, Cell::Text(text)),
        }
        Ok(())
    }

    fn add_defaults(&mut self) -> Result<(), Problem> {
        for (name, text) in &self.defaults {
            if !self.graph.has_attribute(name) {
                self.graph.attribute(name, Cell::Text(text))?;
            }
        }
        Ok(())
    }
}

pub(super) fn write(graph: &NamedGraph) -> Result<Vec<u8>, WriteError> {
    let ids: Vec<String> = graph.names.iter().map(|name| escaped(name)).collect::<Result<_, _>>()?;
    let mut out = String::from(concat!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    ));
    if graph.graph.is_weighted() {
        let kind = if graph.graph.decimals() == 0 { "long" } else { "double" };
        let key = format!("<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"{kind}\"/>");
        out.push_str(&format!("  {key}\n"));
    }
    let default = if graph.directed { "directed" } else { "undirected" };
    out.push_str(&format!("  <graph edgedefault=\"{default}\">\n"));
    for id in &ids {
        writeln!(out, "    <node id=\"{id}\"/>").expect("strings take everything");
    }
    for (tail, head, weight) in graph.listed_edges() {
        let edge = format!("<edge source=\"{}\" target=\"{}\"", ids[tail], ids[head]);
        match weight {
            Some(weight) => writeln!(out, "    {edge}><data key=\"weight\">{weight}</data></edge>"),
            None => writeln!(out, "    {edge}/>"),
        }
        .expect("strings take everything");
    }
    out.push_str("  </graph>\n</graphml>\n");
    Ok(out.into_bytes())
}

/// A name as the value of an attribute; line breaks and tabs would become spaces if they stood there as they are.
fn escaped(name: &str) -> Result<String, WriteError> {
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", character as u32)),
            '\0'..'\x20' | '\u{fffe}' | '\u{ffff}' => {
                let why = "XML has no way to write one of its characters";
                return Err(WriteError::Name { format: Format::GraphMl, name: name.to_owned(), why });
            }
            _ => out.push(character),
        }
    }
    Ok(out)
}
