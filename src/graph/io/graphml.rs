//! GraphML: nodes with an `id`, edges with `source` and `target`, weights in `data` whose key is named `weight`.
//!
//! What a graph of this crate cannot be is refused by name: nested graphs, a second graph, hyperedges, ports, and
//! edges directed unlike the rest. So is a document type, because it can define entities that pull in other files.
//! Everything else that GraphML may hold (labels, colours, the extensions of drawing tools) is passed over.

use super::build::{Edges, Kind, Names};
use super::error::shortened;
use super::lines::{as_text, read_all};
use super::{Format, NamedGraph, Place, Problem, ReadError, ReadOptions, WriteError};
use crate::graph::Decimal;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;
use std::collections::HashMap;
use std::fmt::Write;
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<NamedGraph, ReadError> {
    let bytes = read_all(reader, options)?;
    let text = as_text(&bytes)?;
    let mut xml = Reader::from_str(text);
    let mut parser = Parser::new(options);
    loop {
        let position = xml.buffer_position();
        let at = |position: u64| Place::at(text, position as usize);
        let event = xml.read_event().map_err(|error| {
            ReadError::new(at(xml.error_position()), format!("this is not well-formed XML: {error}"))
        })?;
        if event == Event::Eof {
            break;
        }
        parser.take(event, position).map_err(|problem| ReadError::new(at(position), problem))?;
    }
    parser.finish(text)
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
    /// Passed over, with everything in it.
    Other,
}

/// One end of an edge; nodes may be declared after the edges that use them.
enum End {
    Known(u32),
    Later(String),
}

struct PendingEdge {
    ends: [End; 2],
    weight: Option<Decimal>,
    position: u64,
}

struct Parser {
    /// The elements that are open.
    path: Vec<Tag>,
    directed: Option<bool>,
    /// For each declared key, whether it is a weight.
    keys: HashMap<String, bool>,
    default_weight: Option<Decimal>,
    names: Names,
    edges: Vec<PendingEdge>,
    /// The text of the weight that is being read.
    weight_text: Option<String>,
    last_key_is_weight: bool,
}

impl Parser {
    fn new(options: &ReadOptions) -> Self {
        Parser {
            path: vec![],
            directed: None,
            keys: HashMap::new(),
            default_weight: None,
            names: Names::new(options),
            edges: vec![],
            weight_text: None,
            last_key_is_weight: false,
        }
    }

    fn take(&mut self, event: Event, position: u64) -> Result<(), Problem> {
        match event {
            Event::Start(element) => self.open(&element, position),
            Event::Empty(element) => {
                self.open(&element, position)?;
                self.close()
            }
            Event::End(_) => self.close(),
            Event::Text(text) => self.text(&text),
            Event::CData(text) => self.text(&text),
            Event::GeneralRef(reference) => self.text(&resolve(&reference)?),
            Event::DocType(_) => Err("a document type (DTD) is refused: it could pull in other files".into()),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::Eof => Ok(()),
        }
    }

    fn open(&mut self, element: &BytesStart, position: u64) -> Result<(), Problem> {
        let local = element.local_name();
        let name: &str = local.as_ref();
        let tag = match (self.path.last(), name) {
            (Some(Tag::Other | Tag::Data), _) => Tag::Other,
            (None, "graphml") => Tag::GraphMl,
            (None, _) => return Err(format!("the file starts with <{}>, not with <graphml>", shortened(name)).into()),
            (Some(Tag::GraphMl), "key") => self.open_key(element)?,
            (Some(Tag::Key), "default") => self.open_weight(Tag::Default, self.last_key_is_weight),
            (Some(Tag::GraphMl), "graph") => self.open_graph(element)?,
            (Some(Tag::Graph), "node") => {
                self.names.declare(&required(element, "id")?)?;
                Tag::Node
            }
            (Some(Tag::Graph), "edge") => self.open_edge(element, position)?,
            (Some(Tag::Edge), "data") => self.open_edge_data(element)?,
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

    fn open_key(&mut self, element: &BytesStart) -> Result<Tag, Problem> {
        let of_edges = matches!(attribute(element, "for")?.as_deref(), None | Some("edge" | "all"));
        let is_weight = of_edges && attribute(element, "attr.name")?.as_deref() == Some("weight");
        self.keys.insert(required(element, "id")?, is_weight);
        self.last_key_is_weight = is_weight;
        Ok(Tag::Key)
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
        let source = self.end(required(element, "source")?);
        let target = self.end(required(element, "target")?);
        self.edges.push(PendingEdge { ends: [source, target], weight: None, position });
        Ok(Tag::Edge)
    }

    fn end(&self, name: String) -> End {
        self.names.find(&name).map_or(End::Later(name), End::Known)
    }

    fn open_edge_data(&mut self, element: &BytesStart) -> Result<Tag, Problem> {
        let key = required(element, "key")?;
        match self.keys.get(&key) {
            Some(&is_weight) => Ok(self.open_weight(Tag::Data, is_weight)),
            None => Err(format!("the key '{}' is not declared", shortened(&key)).into()),
        }
    }

    fn open_weight(&mut self, tag: Tag, is_weight: bool) -> Tag {
        self.weight_text = is_weight.then(String::new);
        tag
    }

    fn text(&mut self, text: &str) -> Result<(), Problem> {
        if let (Some(weight), Some(Tag::Data | Tag::Default)) = (&mut self.weight_text, self.path.last()) {
            weight.push_str(text);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        let closed = self.path.pop();
        if !matches!(closed, Some(Tag::Data | Tag::Default)) {
            return Ok(());
        }
        let Some(text) = self.weight_text.take() else { return Ok(()) };
        let weight = text.trim().parse()?;
        let before = match (closed, self.edges.last_mut()) {
            (Some(Tag::Data), Some(edge)) => edge.weight.replace(weight),
            _ => self.default_weight.replace(weight),
        };
        match before {
            Some(before) => Err(format!("a second weight: {before} and {weight}").into()),
            None => Ok(()),
        }
    }

    fn finish(self, text: &str) -> Result<NamedGraph, ReadError> {
        if !self.path.is_empty() {
            let why = "the XML ends too early: the file seems to be cut off";
            return Err(ReadError::new(Place::at(text, text.len()), why));
        }
        let directed = self.directed.ok_or_else(|| ReadError::new(Place::File, "there is no <graph> in the file"))?;
        let mut edges = Edges::default();
        for PendingEdge { ends, weight, position } in self.edges {
            let find = |end| match end {
                End::Known(vertex) => Ok(vertex),
                End::Later(name) => self.names.find(&name),
            };
            let [source, target] = ends.map(find);
            let at = |problem| ReadError::new(Place::at(text, position as usize), problem);
            edges.push(source.map_err(at)?, target.map_err(at)?, weight.or(self.default_weight), position);
        }
        let kind = Kind { directed, weighted: false };
        edges.finish(self.names.into_list(), kind, |position| Place::at(text, position as usize))
    }
}

fn attribute(element: &BytesStart, name: &str) -> Result<Option<String>, Problem> {
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| format!("this is not well-formed XML: {error}"))?;
        let key: &str = attribute.key.as_ref();
        if key == name {
            let value = attribute.normalized_value(XmlVersion::Explicit1_0);
            let value = value.map_err(|error| format!("the attribute '{name}' cannot be read: {error}"))?;
            return Ok(Some(value.into_owned()));
        }
    }
    Ok(None)
}

fn required(element: &BytesStart, name: &str) -> Result<String, Problem> {
    let local = element.local_name();
    let tag: &str = local.as_ref();
    attribute(element, name)?.ok_or_else(|| format!("<{}> has no attribute '{name}'", shortened(tag)).into())
}

/// The text of `&lt;` or `&#60;`.
fn resolve(reference: &BytesRef) -> Result<String, Problem> {
    let name: &str = reference;
    let unknown = || Problem::from(format!("the entity '&{};' is not known", shortened(name)));
    if let Some(character) = reference.resolve_char_ref().map_err(|_| unknown())? {
        return Ok(character.to_string());
    }
    resolve_predefined_entity(name).map(str::to_owned).ok_or_else(unknown)
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
