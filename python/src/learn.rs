//! Costs that are learnt from observed answers, over tables of edges that Python has.

use crate::interrupt::{self, Threads};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tiebreak::instance::io::items_of_texts;
use tiebreak::instance::{Graph, Weight};
use tiebreak::learn::{
    Account, Cell, Column, EdgeTable, Freedom, HIDDEN, LearnRequest, LearntCost, Loss, ObservationOptions, Predictor,
    learn as learn_cost, read_observations,
};
use tiebreak::problems::by_name;
use tiebreak::problems::tolerance::Tolerance;
use tiebreak::solve::routes::{RouteGraph, RouteRequest, find_many};

/// A value of a column.
#[derive(FromPyObject)]
pub enum Value {
    Number(f64),
    Word(String),
}

/// A column with its name; some of its values may be missing.
type NamedColumn = (String, Vec<Option<Value>>);

/// A graph whose edges have columns, or items that have them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Table {
    names: Vec<String>,
    ends: Vec<(u32, u32)>,
    columns: Vec<NamedColumn>,
    directed: bool,
    /// Where items are selected and no edges: the algorithm, and their numbers as texts, column by column.
    items: Option<(String, Vec<Vec<String>>)>,
}

/// What may be chosen, and how observations are read.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    features: Vec<String>,
    contexts: Vec<String>,
    gaps: bool,
    likelihood: Option<bool>,
    perceptron: Option<bool>,
    per_edge: Option<bool>,
    true_cost: Option<String>,
    bootstrap: usize,
    seed: u64,
    threads: Option<usize>,
    table_columns: Vec<String>,
}

/// A route: its vertices, its length in whole-number units, and how much dearer than the cheapest it is.
type RouteTuple = (Vec<usize>, Weight, f64);

/// A learnt cost.
#[pyclass(frozen, name = "NativeCost", module = "tiebreak._native")]
pub struct NativeCost {
    cost: LearntCost,
}

/// Learns a cost from observations, one JSON object a line; with its account as JSON.
#[pyfunction]
pub fn learn(py: Python<'_>, table: Table, observed: &str, options: Options) -> PyResult<(NativeCost, String)> {
    let table = table.read()?;
    let prepared = table.items.as_ref().map(|items| items.algorithm.prepare(&items.instance));
    let prepared = prepared.transpose().map_err(value_error)?;
    let sets = prepared.as_ref().map(|prepared| prepared.space());
    let reading = ObservationOptions { contexts: &options.contexts, gaps: options.gaps, sets };
    let observed = read_observations(observed.as_bytes(), "observed", &table.graph, &table.names, &reading);
    let observed = observed.map_err(value_error)?;
    let loss = |likelihood| if likelihood { Loss::Likelihood } else { Loss::FenchelYoung };
    let predictor = |perceptron| if perceptron { Predictor::Mlp(HIDDEN) } else { Predictor::Linear };
    let request = LearnRequest {
        features: options.features,
        freedom: Freedom {
            loss: options.likelihood.map(loss),
            predictor: options.perceptron.map(predictor),
            per_edge: options.per_edge,
        },
        fit_only: false,
        true_cost: options.true_cost,
        bootstrap: options.bootstrap,
        seed: options.seed,
        table_columns: options.table_columns,
    };
    let work = || learn_cost(&table, &observed, &request, vec![], &mut |_| ());
    let learnt = interrupt::run(py, Threads::wanted(options.threads), work)?.map_err(value_error)?;
    Ok((NativeCost { cost: learnt.cost }, as_json(&learnt.account)?))
}

fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn as_json(account: &Account) -> PyResult<String> {
    serde_json::to_string(account).map_err(value_error)
}

#[pymethods]
impl NativeCost {
    /// From the bytes of a safetensors file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        LearntCost::from_bytes(bytes).map(|cost| NativeCost { cost }).map_err(value_error)
    }

    /// As a safetensors file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.cost.to_bytes())
    }

    /// An observed answer is within this share of the cheapest with probability .9, if that could be calibrated.
    #[getter]
    fn tau(&self) -> Option<f64> {
        self.cost.card.tau
    }

    /// Whole-number units for a cost of one.
    #[getter]
    fn scale(&self) -> f64 {
        self.cost.card.scale.0
    }

    /// What the context is made of.
    #[getter]
    fn contexts(&self) -> Vec<String> {
        self.cost.card.contexts.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// The cost of each edge of a table, in whole-number units, and what a person should know of them.
    fn costs(&self, table: Table, context: Vec<NamedColumn>) -> PyResult<(Vec<Weight>, Vec<String>)> {
        let table = table.read()?;
        let (weights, notes) = self.weights(&table, context)?;
        let arc = |&(tail, head): &(u32, u32)| table.graph.arc(tail as usize, head as usize);
        Ok((table.ends.iter().filter_map(arc).map(|arc| weights[arc]).collect(), notes))
    }

    /// For each pair of vertices up to `k` routes, the cheapest first; none that is dearer than `within` says.
    fn routes(
        &self,
        py: Python<'_>,
        table: Table,
        context: Vec<NamedColumn>,
        pairs: Vec<(usize, usize)>,
        k: usize,
        within: Option<&str>,
    ) -> PyResult<Vec<Vec<RouteTuple>>> {
        let table = table.read()?;
        let (weights, _) = self.weights(&table, context)?;
        let within = within.map(str::parse::<Tolerance>).transpose().map_err(value_error)?;
        let request = RouteRequest { k, within, ..RouteRequest::default() };
        let work = || {
            let roads = RouteGraph::counting_edges(&table.graph)?.with_lengths(weights)?;
            find_many(&roads, &pairs, &request, || ())
        };
        let found = interrupt::run(py, Threads::All, work)?.map_err(value_error)?;
        let tuples = |found: &tiebreak::solve::routes::FoundRoutes| {
            let routes = found.routes.iter();
            routes.map(|route| (route.path.clone(), route.length, found.gap(route).unwrap_or(0.0))).collect()
        };
        Ok(found.iter().map(tuples).collect())
    }
}

impl NativeCost {
    fn weights(&self, table: &EdgeTable, context: Vec<NamedColumn>) -> PyResult<(Vec<Weight>, Vec<String>)> {
        let context: Vec<Column> = context.into_iter().map(column).collect();
        let costs = self.cost.costs(table, &context).map_err(PyValueError::new_err)?;
        Ok((costs.weights, costs.notes))
    }
}

fn column((name, values): NamedColumn) -> Column {
    let cell = |value| match value {
        None => Cell::Missing,
        Some(Value::Number(number)) => Cell::Number(number),
        Some(Value::Word(word)) => Cell::Word(word),
    };
    Column { name, cells: values.into_iter().map(cell).collect() }
}

impl Table {
    fn read(self) -> PyResult<EdgeTable> {
        let n = self.names.len();
        let columns = self.columns.into_iter().map(column).collect();
        if let Some((algorithm, texts)) = self.items {
            let algorithm =
                by_name(&algorithm).ok_or_else(|| value_error(format!("no algorithm is called {algorithm}")))?;
            let about_graphs = || value_error(format!("{} is about graphs, not about items", algorithm.name()));
            let kind = algorithm.problem().items.ok_or_else(about_graphs)?;
            let items = items_of_texts(kind, &texts, |item| format!("'{}'", self.names[item])).map_err(value_error)?;
            return EdgeTable::of_items(items, self.names, columns, algorithm).map_err(value_error);
        }
        let ends = self.ends.iter().map(|&(tail, head)| (tail as usize, head as usize));
        let graph = if self.directed { Graph::from_edges(n, ends) } else { Graph::undirected(n, ends) };
        Ok(EdgeTable {
            graph: graph.map_err(value_error)?,
            names: self.names,
            columns,
            ends: self.ends,
            positions: None,
            items: None,
        })
    }
}
