//! GEXF as Gephi and networkx write it: nodes with a label and a position, edges with a weight and other attributes.
//!
//! The format says that an edge without a weight has weight 1, and Gephi leaves that weight out, so where some edges
//! have one, the others have weight 1. Nested nodes and edges directed unlike the rest are refused.

use super::columns::Cell;
use super::file::{GraphFile, places_in};
use super::lines::{as_text, read_all};
use super::text::shortened;
use super::vertices::Declared;
use super::xml::{self, attribute, required};
use super::{Format, Place, Problem, ReadError, ReadOptions};
use crate::instance::Decimal;
use quick_xml::events::BytesStart;
use std::collections::HashMap;
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    let bytes = read_all(reader, options)?;
    let text = as_text(&bytes)?;
    let mut parser = Parser {
        path: vec![],
        directed: None,
        titles: HashMap::new(),
        last_title: None,
        default_text: String::new(),
        defaults: vec![],
        graph: Declared::new(options),
    };
    xml::read(text, &mut parser)?;
    let directed = parser.directed.ok_or_else(|| ReadError::new(Place::File, "there is no <graph> in the file"))?;
    let mut file = parser.graph.finish(Format::Gexf, Some(directed), |offsets| places_in(text, offsets))?;
    if let Some(weights) = file.columns.iter_mut().find(|column| column.name == "weight") {
        weights.fill_missing(Decimal::whole(1));
    }
    Ok(file)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Gexf,
    Graph,
    /// Declarations of attributes, of edges or of nodes.
    Attributes {
        of_edges: bool,
    },
    Attribute,
    Default,
    Nodes,
    Node,
    Edges,
    Edge,
    Values,
    Other,
}

struct Parser {
    path: Vec<Tag>,
    directed: Option<bool>,
    /// What attributes are called, by whether they are of edges and by their id.
    titles: HashMap<(bool, String), String>,
    last_title: Option<String>,
    default_text: String,
    /// Values that edges have if they say nothing else.
    defaults: Vec<(String, String)>,
    graph: Declared,
}

impl xml::Handler for Parser {
    fn open(&mut self, element: &BytesStart, position: u64) -> Result<(), Problem> {
        let local = element.local_name();
        let name: &str = local.as_ref();
        let tag = match (self.path.last(), name) {
            (None, "gexf") => Tag::Gexf,
            (None, _) => return Err(format!("the file starts with <{}>, not with <gexf>", shortened(name)).into()),
            (Some(Tag::Gexf), "graph") => self.open_graph(element)?,
            (Some(Tag::Graph), "attributes") => {
                Tag::Attributes { of_edges: attribute(element, "class")?.as_deref() == Some("edge") }
            }
            (Some(&Tag::Attributes { of_edges }), "attribute") => self.open_attribute(element, of_edges)?,
            (Some(Tag::Attribute), "default") => Tag::Default,
            (Some(Tag::Graph), "nodes") => Tag::Nodes,
            (Some(Tag::Graph), "edges") => Tag::Edges,
            (Some(Tag::Nodes), "node") => self.open_node(element)?,
            (Some(Tag::Node), "nodes") => return Err("nodes within a node cannot be read".into()),
            (Some(Tag::Edges), "edge") => self.open_edge(element, position)?,
            (Some(Tag::Node | Tag::Edge), "attvalues") => Tag::Values,
            (Some(Tag::Values), "attvalue") => self.open_value(element)?,
            (Some(Tag::Node), "position") => self.open_position(element)?,
            _ => Tag::Other,
        };
        self.path.push(tag);
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        match self.path.pop() {
            Some(Tag::Default) => {
                let text = std::mem::take(&mut self.default_text);
                self.defaults.extend(self.last_title.clone().map(|title| (title, text.trim().to_owned())));
            }
            Some(Tag::Edge) => {
                for (title, text) in &self.defaults {
                    if !self.graph.has_attribute(title) {
                        self.graph.attribute(title, Cell::Text(text))?;
                    }
                }
            }
            _ => (),
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if self.path.last() == Some(&Tag::Default) {
            self.default_text.push_str(text);
        }
    }
}

impl Parser {
    fn open_graph(&mut self, element: &BytesStart) -> Result<Tag, Problem> {
        if self.directed.is_some() {
            return Err("a second graph: only files with one can be read".into());
        }
        self.directed = Some(match attribute(element, "defaultedgetype")?.as_deref() {
            None | Some("undirected") => false,
            Some("directed") => true,
            Some(other) => return Err(format!("defaultedgetype is '{}'", shortened(other)).into()),
        });
        Ok(Tag::Graph)
    }

    fn open_attribute(&mut self, element: &BytesStart, of_edges: bool) -> Result<Tag, Problem> {
        let id = required(element, "id")?;
        let title = attribute(element, "title")?.unwrap_or_else(|| id.clone());
        self.last_title = of_edges.then(|| title.clone());
        self.titles.insert((of_edges, id), title);
        Ok(Tag::Attribute)
    }

    fn open_node(&mut self, element: &BytesStart) -> Result<Tag, Problem> {
        self.graph.vertex(&required(element, "id")?)?;
        if let Some(label) = attribute(element, "label")? {
            self.graph.label(&label);
        }
        Ok(Tag::Node)
    }

    fn open_edge(&mut self, element: &BytesStart, position: u64) -> Result<Tag, Problem> {
        let directed = match attribute(element, "type")?.as_deref() {
            None => self.directed,
            Some("directed") => Some(true),
            Some("undirected") => Some(false),
            Some(other) => return Err(format!("an edge of the type '{}' cannot be read", shortened(other)).into()),
        };
        if directed != self.directed {
            return Err("an edge whose direction is unlike defaultedgetype: mixed graphs cannot be read".into());
        }
        self.graph.edge(required(element, "source")?, required(element, "target")?, position);
        for name in ["weight", "label"] {
            if let Some(value) = attribute(element, name)?.filter(|value| !value.is_empty()) {
                self.graph.attribute(name, Cell::Text(&value))?;
            }
        }
        Ok(Tag::Edge)
    }

    fn open_value(&mut self, element: &BytesStart) -> Result<Tag, Problem> {
        let of_edges = self.path.contains(&Tag::Edge);
        // Older files say `id` for `for`.
        let id = match attribute(element, "for")? {
            Some(id) => id,
            None => required(element, "id")?,
        };
        let title = self.titles.get(&(of_edges, id.clone()));
        let title = title.ok_or_else(|| format!("the attribute '{}' is not declared", shortened(&id)))?;
        let value = required(element, "value")?;
        match of_edges {
            false => self.graph.say(title, &value),
            // A value may be given for several times; the first one counts.
            true if value.is_empty() || self.graph.has_attribute(title) => (),
            true => self.graph.attribute(title, Cell::Text(&value))?,
        }
        Ok(Tag::Other)
    }

    fn open_position(&mut self, element: &BytesStart) -> Result<Tag, Problem> {
        let coordinate = |name| Ok::<_, Problem>(attribute(element, name)?.and_then(|text| text.parse().ok()));
        if let (Some(x), Some(y)) = (coordinate("x")?, coordinate("y")?) {
            self.graph.place(x, y);
        }
        Ok(Tag::Other)
    }
}
