//! An instance to look at: the graph or the items, its distributions, candidates drawn from them, executions step by step.

use crate::answers::{Form, Part};
use crate::problems::Optimality;
use crate::problems::verify::Exchange;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::HashSet;

/// One instance with all there is to see of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Exhibit {
    /// What the list of instances says.
    pub name: String,
    /// The algorithm's name.
    pub algorithm: String,
    /// What its answers look like.
    pub form: Form,
    /// The names of the vertices or items, by index.
    pub vertices: Vec<String>,
    /// The numbers of the items, where the vertices are items.
    pub items: Option<ShownItems>,
    /// For each vertex whether it is on the left, where edges join two sides.
    pub is_left: Option<Vec<bool>>,
    /// Why nothing better than the solutions exists, where a few vertices show it.
    pub optimality: Option<Optimality>,
    /// Whether the edges are arrows. An undirected edge is listed once.
    pub directed: bool,
    /// The edges.
    pub edges: Vec<ExhibitEdge>,
    /// The source, where the algorithm has one.
    pub source: Option<usize>,
    /// Whether a solution is about the lengths of paths from the source.
    pub measures_paths: bool,
    /// The number of all solutions in words ("3", "more than 10^9"), where it is known.
    pub solutions: Option<String>,
    /// Distributions of the same instance, to be looked at and compared.
    pub distributions: Vec<ShownDistribution>,
    /// Candidates, in the order of drawing.
    pub draws: Vec<Draw>,
    /// Executions, step by step.
    pub executions: Vec<Execution>,
    /// Where the vertices lie, if somebody said so: x to the right, y up.
    pub positions: Option<Vec<(f64, f64)>>,
    /// Routes between two vertices, the best first.
    pub routes: Vec<ShownRoute>,
    /// The parts that some solutions have and others have not.
    pub varying: Vec<Part>,
    /// Whether the weights of edges are a learnt cost, which is shown by colour.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub learnt: bool,
}

/// The numbers of items.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShownItems {
    /// What they are: "tasks".
    pub name: String,
    /// What the numbers are: "deadline", "weight".
    pub columns: Vec<String>,
    /// Each column's numbers as the exact decimals they are, item by item.
    pub numbers: Vec<Vec<String>>,
    /// Whether the numbers are the two ends of a span of time.
    pub are_spans: bool,
    /// Of what the numbers are seconds, where people wrote dates or times.
    pub seconds_of: Option<SecondsOf>,
}

/// What seconds are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SecondsOf {
    /// The beginning of 1970.
    Dates,
    /// Midnight.
    Day,
}

impl Exhibit {
    /// Puts first what is worth looking at first: small enough to take in at a glance, with many different solutions.
    pub fn sort(exhibits: &mut [Exhibit]) {
        exhibits.sort_by_cached_key(|exhibit| {
            let solutions = exhibit.draws.iter().filter(|draw| draw.broken.is_none());
            let solutions = solutions.map(|draw| (&draw.parents, &draw.chosen, &draw.order));
            let variety = solutions.collect::<HashSet<_>>().len();
            (exhibit.vertices.len() > AT_A_GLANCE, Reverse(variety))
        });
    }
}

/// Vertices that one takes in at a glance.
const AT_A_GLANCE: usize = 10;

/// A route between two vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownRoute {
    /// Its vertices, from the first to the last.
    pub path: Vec<usize>,
    /// Its length as the exact decimal it is.
    pub length: String,
    /// How much longer than the shortest it is: 0.05 for 5 %.
    pub gap: Option<f64>,
    /// What it is, where that is more than a number says, such as "observed".
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Whether somebody took it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub observed: bool,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExhibitEdge {
    /// Where it starts.
    pub tail: usize,
    /// Where it ends.
    pub head: usize,
    /// Its weight as the exact decimal it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
}

/// A distribution under its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownDistribution {
    /// Where it comes from: "empirical", "exact", "predicted".
    pub name: String,
    /// One row for each slot of the form (a child, an edge, an item, a place in an order); a row sums to one.
    pub rows: Vec<Vec<f64>>,
}

/// A candidate and what the exact verifier says of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Draw {
    /// Where it came from: the name of a distribution, "executor", "randomised run", "enumeration".
    pub from: String,
    /// The extractor, where there was one.
    pub extractor: Option<String>,
    /// The parent of each vertex, of a candidate that is a tree or a forest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<usize>,
    /// The places of the chosen edges or items, of a candidate that is a set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<usize>,
    /// The vertices from the first on, of a candidate that is an order; those that it does not reach are missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<usize>,
    /// The rule it breaks; none when it is a solution.
    pub broken: Option<Broken>,
    /// The length of the path from the source to each vertex by this candidate's parents, as exact decimals, for
    /// algorithms with a source; none for a vertex that its parents do not lead to the source.
    pub distances: Option<Vec<Option<String>>>,
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Broken {
    /// The vertex at which it is broken, if it is one vertex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertex: Option<usize>,
    /// The rule's name.
    pub rule: String,
    /// The rule in words.
    pub words: String,
    /// The edges that prove it; some may not be in the graph.
    pub edges: Vec<(usize, usize)>,
    /// The vertices of a path along which a matching grows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<usize>,
    /// Items that cannot be chosen together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<usize>,
    /// An exchange that makes the candidate better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
    /// The items of a better set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub better: Vec<usize>,
}

/// One execution by the executor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    /// The names of the states, by number.
    pub states: Vec<String>,
    /// The priority of each vertex or edge as its rank from 0, the first to go.
    pub ranks: Vec<usize>,
    /// Whether `ranks` are of edges (in the order of the graph's directed edges) and not of vertices.
    pub ranks_are_of_edges: bool,
    /// Before each step and after the last.
    pub steps: Vec<Step>,
}

/// The moment before a step, and what the step selects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The state of each vertex.
    pub states: Vec<u8>,
    /// The parent of each vertex that has one so far.
    pub parents: Vec<Option<usize>>,
    /// The number that each vertex carries (a distance), where the algorithm has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registers: Option<Vec<String>>,
    /// The pairs (sender, receiver) that the step selects; empty after the last.
    pub selected: Vec<(usize, usize)>,
}
