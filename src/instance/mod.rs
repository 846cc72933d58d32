//! The instances that algorithms solve: graphs with exact weights and items with exact numbers, random ones, and those that people have
//! in files.

mod arcs;
mod decimal;
mod families;
mod graph;
pub mod io;
mod items;
mod random;

pub use arcs::Weight;
pub use decimal::{Decimal, DecimalError};
pub use graph::{Graph, GraphError, MAX_VERTICES};
pub use items::{ItemColumn, ItemKind, ItemTooLarge, Items};
pub use random::{
    GraphSettings, MAX_RANDOM_SIZE, Made, Preset, random_acyclic, random_bipartite, random_directed, random_undirected,
};

use crate::answers::Form;

/// What an algorithm solves: a graph and, where the algorithm has one, a source; or items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The graph. Items are vertices without edges, as in CLRS.
    pub graph: Graph,
    /// Where paths start; `None` for algorithms without a source.
    pub source: Option<usize>,
    /// The numbers of items, where the vertices are items.
    pub items: Option<Items>,
}

impl Instance {
    /// A graph without a source.
    pub fn new(graph: Graph) -> Self {
        Instance::of_graph(graph, None)
    }

    /// A graph with a source.
    pub fn with_source(graph: Graph, source: usize) -> Self {
        Instance::of_graph(graph, Some(source))
    }

    /// A graph and, where the algorithm has one, a source.
    pub fn of_graph(graph: Graph, source: Option<usize>) -> Self {
        Instance { graph, source, items: None }
    }

    /// Items.
    pub fn of_items(items: Items) -> Self {
        let graph = Graph::from_edges(items.len(), []).expect("items can be numbered");
        Instance { graph, source: None, items: Some(items) }
    }

    /// The number of vertices or items.
    pub fn n(&self) -> usize {
        self.graph.n()
    }

    /// The number of slots that a candidate of this form has.
    pub fn slots(&self, form: Form) -> usize {
        self.graph.slots(form)
    }

    /// The same instance under other labels: vertex v is called `label[v]`.
    ///
    /// # Panics
    /// If `label` is not a permutation of the vertices.
    pub fn relabelled(&self, label: &[usize]) -> Self {
        Instance {
            graph: self.graph.relabelled(label),
            source: self.source.map(|vertex| label[vertex]),
            items: self.items.as_ref().map(|items| items.relabelled(label)),
        }
    }
}
