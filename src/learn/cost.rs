//! A learnt cost: what a graph's columns cost, as exact whole numbers, and how it is kept in a file.
//!
//! Terms of vertices and edges belong to names, so a cost also serves a graph in which some edges came or went: what it never saw costs what its columns say.

use super::data::Scale;
use super::features::{Cell, Column, Encoding};
use super::model::{Design, Predictor, Rows, Shape, softplus};
use crate::instance::io::{NamedItems, Reading};
use crate::instance::{Decimal, Graph, GraphError, Instance, ItemTooLarge, Items, Weight};
use crate::neural::nn::card::{read_card, write_sealed};
use crate::problems::Algorithm;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A graph with the columns of its edges.
#[derive(Clone, Debug)]
pub struct EdgeTable {
    /// The graph, without weights.
    pub graph: Graph,
    /// The names of its vertices.
    pub names: Vec<String>,
    /// The columns, a row for each edge.
    pub columns: Vec<Column>,
    /// The ends of each edge, as the file lists them.
    pub ends: Vec<(u32, u32)>,
    /// Where the vertices lie, if somebody said so: x to the right, y up.
    pub positions: Option<Vec<(f64, f64)>>,
    /// Items in place of a graph: each is a vertex with an edge to itself.
    pub items: Option<ItemsToSelect>,
}

/// Items, and the algorithm that selects among them.
#[derive(Clone)]
pub struct ItemsToSelect {
    /// The items.
    pub instance: Instance,
    /// Which sets of them are possible, and which the heaviest.
    pub algorithm: &'static dyn Algorithm,
}

impl ItemsToSelect {
    /// The items with these weights.
    pub fn weighted(&self, weights: &[Weight]) -> Result<Instance, ItemTooLarge> {
        let items = self.instance.items.as_ref().expect("an instance of items");
        items.with_weights(weights).map(Instance::of_items)
    }
}

impl std::fmt::Debug for ItemsToSelect {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "{} items of {}", self.instance.n(), self.algorithm.name())
    }
}

impl EdgeTable {
    /// Everything that a file says of its edges.
    pub fn of(reading: &Reading) -> Self {
        let columns = reading.file.columns.iter().map(|column| Column::of_edges(column, &reading.rows)).collect();
        let ends = reading.rows.iter().map(|&row| reading.file.edges[row as usize]).collect();
        let graph = reading.graph.clone().without_weights();
        EdgeTable {
            graph,
            names: reading.file.names.clone(),
            columns,
            ends,
            positions: reading.file.positions.clone(),
            items: None,
        }
    }

    /// Everything that a file says of items, as [`EdgeTable::of_items`] takes it.
    pub fn of_read_items(read: NamedItems, algorithm: &'static dyn Algorithm) -> Result<Self, String> {
        let rows: Vec<u32> = (0..read.items.len() as u32).collect();
        let columns = read.columns.iter().map(|column| Column::of_edges(column, &rows)).collect();
        EdgeTable::of_items(read.items, read.names, columns, algorithm)
    }

    /// Items with their names and columns. The error is why nothing can be learnt for the algorithm, or what is wrong with the items.
    pub fn of_items(
        items: Items,
        names: Vec<String>,
        columns: Vec<Column>,
        algorithm: &'static dyn Algorithm,
    ) -> Result<Self, String> {
        let n = items.len();
        let instance = Instance::of_items(items);
        let name = |item: usize| format!("'{}'", names[item]);
        let prepared = algorithm.prepare(&instance).map_err(|error| error.describe(name))?;
        let weightless = |reason| format!("{}: {reason}", algorithm.name());
        prepared.space().heaviest(&vec![1.0; n]).map_err(weightless)?;
        drop(prepared);
        Ok(EdgeTable {
            graph: Graph::from_edges(n, (0..n).map(|item| (item, item))).expect("items are numbered"),
            names,
            columns,
            ends: (0..n as u32).map(|item| (item, item)).collect(),
            positions: None,
            items: Some(ItemsToSelect { instance, algorithm }),
        })
    }

    /// The design of a predictor with this encoding, and how many words of the columns are unknown to it.
    pub fn design(&self, encoding: &Encoding) -> Result<(Design, usize), String> {
        let (rows, unknown) = encoding.encode(&self.columns, self.ends.len())?;
        let (width, edge) = (encoding.width(), self.edge_of_arcs());
        let mut columns = Rows::new(width);
        edge.iter().for_each(|&edge| columns.push(&rows[edge as usize * width..(edge as usize + 1) * width]));
        let undirected = self.graph.is_undirected();
        let both = |(tail, head): (usize, usize)| [if undirected { tail } else { head } as u32, head as u32];
        let design = Design {
            rows: columns,
            vertices: self.graph.n(),
            edges: self.ends.len(),
            ends: self.graph.arcs().map(both).collect(),
            edge,
        };
        Ok((design, unknown))
    }

    /// The edge of each arc.
    pub fn edge_of_arcs(&self) -> Vec<u32> {
        let mut edge_of = vec![0; self.graph.arc_count()];
        for (edge, &(tail, head)) in self.ends.iter().enumerate() {
            let (tail, head) = (tail as usize, head as usize);
            let back = self.graph.is_undirected().then(|| self.graph.arc(head, tail)).flatten();
            self.graph.arc(tail, head).into_iter().chain(back).for_each(|arc| edge_of[arc] = edge as u32);
        }
        edge_of
    }

    /// The graph with these weights of its arcs.
    pub fn weighted(&self, weights: &[Weight]) -> Result<Graph, GraphError> {
        let edges = self.ends.iter().map(|&(tail, head)| {
            let arc = self.graph.arc(tail as usize, head as usize).expect("an arc for each edge");
            (tail as usize, head as usize, Decimal::scaled(weights[arc], 0))
        });
        match self.graph.is_undirected() {
            true => Graph::weighted_undirected(self.graph.n(), edges),
            false => Graph::weighted(self.graph.n(), edges),
        }
    }
}

/// What a cost says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostCard {
    /// Of files of this kind.
    pub version: u32,
    /// The predictor.
    pub predictor: Predictor,
    /// How columns of edges become numbers.
    pub columns: Encoding,
    /// How the context becomes numbers.
    pub contexts: Encoding,
    /// Whole-number units for a cost of one.
    pub scale: Scale,
    /// An observed answer is within this share of the cheapest with probability .9, if that could be calibrated.
    pub tau: Option<f64>,
    /// The names of the vertices, in the order of their terms.
    pub vertices: Vec<String>,
    /// Where edges start and end in the table that was learnt from, if that was said.
    pub table_columns: Vec<String>,
}

/// The only version there is.
pub const VERSION: u32 = 1;

/// A learnt cost.
#[derive(Clone, Debug, PartialEq)]
pub struct LearntCost {
    /// What it says of itself.
    pub card: CostCard,
    /// What all arcs share.
    pub shared: Vec<f64>,
    /// A term for each vertex, or none.
    pub vertex_terms: Vec<f64>,
    /// A term for each edge, or none.
    pub edge_terms: Vec<f64>,
    /// The ends of the edges that have terms.
    pub edge_ends: Vec<(u32, u32)>,
}

/// Costs of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// For each arc, as whole numbers.
    pub weights: Vec<Weight>,
    /// What a person should know.
    pub notes: Vec<String>,
}

impl LearntCost {
    /// The costs of a graph in a context, whose cells are in the order of the card's; without one, that of the mean.
    pub fn costs(&self, table: &EdgeTable, context: &[Column]) -> Result<Costs, String> {
        let (design, unknown) = table.design(&self.card.columns)?;
        let mut notes = vec![];
        if unknown > 0 {
            notes.push(format!("{unknown} values of columns were never seen when the cost was learnt"));
        }
        let context = self.context(context)?;
        let (params, strangers) = self.params_on(table);
        if strangers > 0 {
            notes.push(format!(
                "{strangers} vertices or edges are new since the cost was learnt: they cost what their columns say"
            ));
        }
        let shape = Shape {
            predictor: self.card.predictor,
            width: design.rows.width,
            contexts: self.card.contexts.width(),
            vertices: design.vertices,
            edges: design.edges,
        };
        let scores = design.scores(&shape, &params, &context);
        let weights = scores.into_iter().map(|score| self.card.scale.quantise(softplus(score))).collect();
        Ok(Costs { weights, notes })
    }

    /// The columns of the context that it depends on.
    pub fn context_names(&self) -> Vec<&str> {
        self.card.contexts.columns.iter().map(|column| column.name.as_str()).collect()
    }

    fn context(&self, given: &[Column]) -> Result<Vec<f64>, String> {
        if given.is_empty() {
            return Ok(vec![0.0; self.card.contexts.width()]);
        }
        let whole: Vec<Column> = self
            .card
            .contexts
            .columns
            .iter()
            .map(|wanted| {
                let known = given.iter().find(|column| column.name == wanted.name).cloned();
                known.unwrap_or_else(|| Column { name: wanted.name.clone(), cells: vec![Cell::Missing] })
            })
            .collect();
        Ok(self.card.contexts.encode(&whole, 1)?.0)
    }

    /// All parameters as this graph's vertices and edges need them, and how many of those have none.
    fn params_on(&self, table: &EdgeTable) -> (Vec<f64>, usize) {
        let index: HashMap<&str, u32> =
            self.card.vertices.iter().enumerate().map(|(at, name)| (name.as_str(), at as u32)).collect();
        let place: Vec<Option<u32>> = table.names.iter().map(|name| index.get(name.as_str()).copied()).collect();
        let undirected = table.graph.is_undirected();
        let key = |(tail, head): (u32, u32)| if undirected { (tail.min(head), tail.max(head)) } else { (tail, head) };
        let terms: HashMap<(u32, u32), f64> =
            self.edge_ends.iter().zip(&self.edge_terms).map(|(&ends, &term)| (key(ends), term)).collect();
        let (mut params, mut strangers) = (self.shared.clone(), 0);
        for place in &place {
            let term = place.and_then(|place| self.vertex_terms.get(place as usize).copied());
            strangers += usize::from(term.is_none() && !self.vertex_terms.is_empty());
            params.push(term.unwrap_or(0.0));
        }
        for &(tail, head) in &table.ends {
            let ends = place[tail as usize].zip(place[head as usize]);
            let term = ends.and_then(|ends| terms.get(&key(ends)).copied());
            strangers += usize::from(term.is_none() && !self.edge_terms.is_empty());
            params.push(term.unwrap_or(0.0));
        }
        (params, strangers)
    }

    /// As a safetensors file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let floats = |values: &[f64]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };
        let ends: Vec<u8> =
            self.edge_ends.iter().flat_map(|&(tail, head)| [tail, head]).flat_map(u32::to_le_bytes).collect();
        let parts = [
            ("shared", floats(&self.shared)),
            ("vertices", floats(&self.vertex_terms)),
            ("edges", floats(&self.edge_terms)),
        ];
        let view =
            |kind: Dtype, shape: Vec<usize>, bytes| TensorView::new(kind, shape, bytes).expect("bytes fit the shape");
        let mut views: Vec<(String, TensorView)> = vec![];
        for (name, bytes) in &parts {
            views.push(((*name).to_owned(), view(Dtype::F64, vec![bytes.len() / 8], bytes)));
        }
        views.push(("edge_ends".to_owned(), view(Dtype::U32, vec![self.edge_ends.len(), 2], &ends)));
        write_sealed(views, &self.card)
    }

    /// From a safetensors file, or why it is none of ours.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let card: CostCard = read_card(bytes).map_err(|error| error.to_string())?;
        if card.version != VERSION {
            return Err(format!("version {} of a learnt cost; this program knows {VERSION}", card.version));
        }
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let part = |name: &str, kind: Dtype| -> Result<Vec<u8>, String> {
            let tensor = tensors.tensor(name).map_err(|error| error.to_string())?;
            if tensor.dtype() != kind { Err(format!("`{name}` has another type")) } else { Ok(tensor.data().to_vec()) }
        };
        let floats = |name: &str| -> Result<Vec<f64>, String> {
            let values: Vec<f64> = part(name, Dtype::F64)?
                .chunks_exact(8)
                .map(|x| f64::from_le_bytes(x.try_into().expect("8 bytes")))
                .collect();
            if values.iter().all(|value| value.is_finite()) {
                Ok(values)
            } else {
                Err(format!("`{name}` has numbers that are not finite"))
            }
        };
        let numbers: Vec<u32> = part("edge_ends", Dtype::U32)?
            .chunks_exact(4)
            .map(|x| u32::from_le_bytes(x.try_into().expect("4 bytes")))
            .collect();
        let edge_ends = numbers.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect();
        let cost = LearntCost {
            shared: floats("shared")?,
            vertex_terms: floats("vertices")?,
            edge_terms: floats("edges")?,
            edge_ends,
            card,
        };
        cost.check()?;
        Ok(cost)
    }

    fn check(&self) -> Result<(), String> {
        let (predictor, width, contexts) = (self.card.predictor, self.card.columns.width(), self.card.contexts.width());
        let shape = Shape { predictor, width, contexts, vertices: 0, edges: 0 };
        let fits = self.shared.len() == shape.shared()
            && [0, self.card.vertices.len()].contains(&self.vertex_terms.len())
            && self.edge_terms.len() == self.edge_ends.len()
            && self.card.scale.0.is_finite()
            && self.card.scale.0 > 0.0;
        if fits { Ok(()) } else { Err("its tensors do not fit together".to_owned()) }
    }
}
