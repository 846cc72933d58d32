//! A graph from Python: edges and weights exact, vertices called by the names that their owner gave them.

use crate::arrays::{self, Adjacency};
use crate::forms;
use numpy::{PyArrayDyn, PyReadonlyArray1, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyList;
use tiebreak::instance::{Decimal, DecimalError, Graph, GraphError, Instance};
use tiebreak::problems::{Algorithm, BadInstance, Direction};

/// A graph, and the names of its vertices for messages.
#[pyclass(frozen, name = "NativeGraph", module = "tiebreak._native")]
pub struct NativeGraph {
    pub graph: Graph,
    /// False when each edge goes both ways.
    pub directed: bool,
    pub names: Names,
}

/// Ends of edges, [m, 2], and their exact weights as texts, if they have any.
type EdgeArrays<'py> = (Bound<'py, PyArrayDyn<i64>>, Option<Vec<String>>);

#[pymethods]
impl NativeGraph {
    /// A graph of edges, each with the text of its weight if there are weights; undirected edges are taken both ways.
    #[staticmethod]
    #[pyo3(signature = (n, tails, heads, weights, directed, names))]
    fn from_edges(
        n: usize,
        tails: PyReadonlyArray1<'_, i64>,
        heads: PyReadonlyArray1<'_, i64>,
        weights: Option<Vec<PyBackedStr>>,
        directed: bool,
        names: Option<Py<PyList>>,
    ) -> PyResult<Self> {
        let names = Names(names);
        let (tails, heads) = (tails.as_array(), heads.as_array());
        let vertex = |&end: &i64| usize::try_from(end).ok().filter(|&end| end < n);
        let mut edges = vec![];
        for (index, (tail, head)) in tails.iter().zip(heads).enumerate() {
            let (Some(tail), Some(head)) = (vertex(tail), vertex(head)) else {
                let message = format!("edge {index} is {tail} -> {head}, but there are {n} vertices");
                return Err(PyValueError::new_err(message));
            };
            let weight = match weights.as_ref().map(|weights| weights.get(index)) {
                None => Decimal::whole(1),
                Some(None) => return Err(PyValueError::new_err("there are fewer weights than edges")),
                Some(Some(text)) => text.parse().map_err(|error: DecimalError| {
                    PyValueError::new_err(format!("edge {}: the weight {error}", names.edge(tail, head)))
                })?,
            };
            edges.push((tail, head, weight));
        }
        Self::new(n, edges, weights.is_some(), directed, names)
    }

    /// The graph of an adjacency matrix: row = tail, 0 = no edge, entries are weights if `weighted` says so.
    #[staticmethod]
    fn from_adjacency(matrix: &Bound<'_, PyUntypedArray>, weighted: bool) -> PyResult<Self> {
        let Adjacency { n, edges, has_weights } = arrays::adjacency(matrix)?;
        Self::new(n, edges, weighted && has_weights, true, Names(None))
    }

    /// The number of vertices.
    #[getter]
    fn n(&self) -> usize {
        self.graph.n()
    }

    /// The number of directed edges.
    #[getter]
    fn edge_count(&self) -> usize {
        self.graph.arc_count()
    }

    /// Whether the edges have weights of their own.
    #[getter]
    fn is_weighted(&self) -> bool {
        self.graph.is_weighted()
    }

    /// Whether an edge goes one way only.
    #[getter]
    fn is_directed(&self) -> bool {
        self.directed
    }

    /// Ends of all edges, [m, 2] with an undirected one once, and their exact weights as texts, if they have any.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<EdgeArrays<'py>> {
        let ends: Vec<i64> = self.graph.edges().flat_map(|(tail, head)| [tail as i64, head as i64]).collect();
        let text = |(_, _, weight)| self.graph.decimal(weight).to_string();
        let weights = self.graph.is_weighted().then(|| self.graph.weighted_edges().map(text).collect());
        let edges = ends.len() / 2;
        Ok((forms::shaped(py, ends, vec![edges, 2])?, weights))
    }
}

impl NativeGraph {
    fn new(
        n: usize,
        edges: Vec<(usize, usize, Decimal)>,
        weighted: bool,
        directed: bool,
        names: Names,
    ) -> PyResult<Self> {
        let ends = |edges: Vec<(usize, usize, Decimal)>| edges.into_iter().map(|(tail, head, _)| (tail, head));
        let graph = match (weighted, directed) {
            (true, true) => Graph::weighted(n, edges),
            (true, false) => Graph::weighted_undirected(n, edges),
            (false, true) => Graph::from_edges(n, ends(edges)),
            (false, false) => Graph::undirected(n, ends(edges)),
        };
        match graph {
            Ok(graph) => Ok(NativeGraph { graph, directed, names }),
            Err(error) => Err(names.explain(&error)),
        }
    }

    /// The graph with a source.
    pub fn instance(&self, source: Option<usize>) -> Instance {
        Instance::of_graph(self.graph.clone(), source)
    }

    /// Why an algorithm cannot be run on the graph, in the words of its owner.
    pub fn explain(&self, error: &BadInstance) -> String {
        error.describe(|vertex| self.names.vertex(vertex))
    }

    /// Whether an edge is meant in either direction: the graph is undirected, or the algorithm takes it so.
    pub fn either_way(&self, algorithm: &dyn Algorithm) -> bool {
        !self.directed || algorithm.needs().direction == Direction::Undirected
    }
}

/// The nodes that vertices stand for; without them vertices are numbers.
pub struct Names(Option<Py<PyList>>);

impl Names {
    /// A vertex in words.
    pub fn vertex(&self, vertex: usize) -> String {
        let Some(names) = &self.0 else { return vertex.to_string() };
        Python::attach(|py| {
            let name = names.bind(py).get_item(vertex).and_then(|name| name.repr());
            name.map_or_else(|_| vertex.to_string(), |name| name.to_string())
        })
    }

    /// An edge in words.
    pub fn edge(&self, tail: usize, head: usize) -> String {
        format!("{} -> {}", self.vertex(tail), self.vertex(head))
    }

    fn explain(&self, error: &GraphError) -> PyErr {
        let message = match error {
            GraphError::Duplicate { tail, head } | GraphError::Contradiction { tail, head, .. } => {
                format!("edge {} is given twice", self.edge(*tail, *head))
            }
            GraphError::WeightTooLarge { tail, head, weight, decimals } => format!(
                "edge {}: with {decimals} decimals (needed elsewhere in the graph) the weight {weight} is too large \
                 for exact path lengths",
                self.edge(*tail, *head)
            ),
            GraphError::VertexOutOfRange { .. } | GraphError::TooManyVertices(_) => error.to_string(),
        };
        PyValueError::new_err(message)
    }
}
