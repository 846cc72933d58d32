//! A graph or a table of items from Python: numbers exact, vertices and items called by the names that their owner gave them.

use crate::arrays::{self, Adjacency, Entry};
use crate::{choices, forms};
use numpy::{PyArrayDyn, PyReadonlyArray1, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyList;
use tiebreak::instance::io::items_of_texts;
use tiebreak::instance::{Decimal, DecimalError, Graph, GraphError, Instance, Items, Weight};
use tiebreak::problems::{Algorithm, BadInstance, Direction};

/// A graph, and the names of its vertices for messages. Items are vertices without edges.
#[pyclass(frozen, name = "NativeGraph", module = "tiebreak._native")]
pub struct NativeGraph {
    pub graph: Graph,
    items: Option<Items>,
    /// False when each edge goes both ways.
    pub directed: bool,
    pub names: Names,
}

/// The weights of edges from Python: the numbers of an array, or texts of exact decimals.
#[derive(FromPyObject)]
enum Weights<'py> {
    Whole(PyReadonlyArray1<'py, i64>),
    Real(PyReadonlyArray1<'py, f64>),
    Texts(Vec<PyBackedStr>),
}

impl Weights<'_> {
    /// The weight of an edge, exactly; `None` beyond the last.
    fn get(&self, index: usize) -> Option<Result<Decimal, DecimalError>> {
        match self {
            Weights::Whole(numbers) => numbers.as_array().get(index).map(|&number| number.decimal()),
            Weights::Real(numbers) => numbers.as_array().get(index).map(|&number| number.decimal()),
            Weights::Texts(texts) => texts.get(index).map(|text| text.parse()),
        }
    }
}

/// Ends of edges, [m, 2], and their exact weights as texts, if they have any.
type EdgeArrays<'py> = (Bound<'py, PyArrayDyn<i64>>, Option<Vec<String>>);

#[pymethods]
impl NativeGraph {
    /// A graph of edges, each with its weight if there are weights; undirected edges are taken both ways.
    #[staticmethod]
    #[pyo3(signature = (n, tails, heads, weights, directed, names))]
    fn from_edges(
        n: usize,
        tails: PyReadonlyArray1<'_, i64>,
        heads: PyReadonlyArray1<'_, i64>,
        weights: Option<Weights<'_>>,
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
                Some(Some(weight)) => weight.map_err(|error| {
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

    /// The items of an algorithm, from the texts of their numbers, column by column.
    #[staticmethod]
    fn from_items(algorithm: &str, columns: Vec<Vec<PyBackedStr>>, names: Option<Py<PyList>>) -> PyResult<Self> {
        let (algorithm, names) = (choices::algorithm(algorithm)?, Names(names));
        let no_items = || PyValueError::new_err(format!("{} is about graphs, not about items", algorithm.name()));
        let kind = algorithm.problem().items.ok_or_else(no_items)?;
        let lengths: Vec<usize> = columns.iter().map(Vec::len).collect();
        if lengths.len() != kind.columns.len() || lengths.iter().any(|&length| length != lengths[0]) {
            return Err(PyValueError::new_err(format!(
                "columns of {lengths:?} numbers are not those of {}",
                kind.many
            )));
        }
        let items = items_of_texts(kind, &columns, |item| names.vertex(item)).map_err(PyValueError::new_err)?;
        let graph = Instance::of_items(items.clone()).graph;
        Ok(NativeGraph { graph, items: Some(items), directed: true, names })
    }

    /// The numbers of items, exact, as texts, column by column; `None` for a graph.
    fn columns(&self) -> Option<Vec<(&'static str, Vec<String>)>> {
        let items = self.items.as_ref()?;
        let texts = |place| (0..items.len()).map(|item| items.decimal(place, item).to_string()).collect();
        Some(items.kind().columns.iter().enumerate().map(|(place, column)| (column.name, texts(place))).collect())
    }

    /// The same graph with each pair of opposite edges as one edge without direction, for an algorithm that has no use for directions.
    fn undirected(&self, py: Python<'_>, algorithm: &str) -> PyResult<Self> {
        let one_way = |&(tail, head, weight): &(usize, usize, Weight)| self.graph.weight(head, tail) != Some(weight);
        if let Some((tail, head, _)) = self.graph.weighted_arcs().find(one_way) {
            let edge = self.names.edge(tail, head);
            let message = format!("{algorithm} needs an undirected graph, but edge {edge} has no equal edge back");
            return Err(PyValueError::new_err(message));
        }
        let once = self.graph.weighted_arcs().filter(|(tail, head, _)| tail <= head);
        let edges = once.map(|(tail, head, weight)| (tail, head, self.graph.decimal(weight))).collect();
        let names = Names(self.names.0.as_ref().map(|names| names.clone_ref(py)));
        Self::new(self.graph.n(), edges, self.graph.is_weighted(), false, names)
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
            Ok(graph) => Ok(NativeGraph { graph, items: None, directed, names }),
            Err(error) => Err(names.explain(&error)),
        }
    }

    /// The graph with a source, or the items.
    pub fn instance(&self, source: Option<usize>) -> Instance {
        Instance { graph: self.graph.clone(), source, items: self.items.clone() }
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
