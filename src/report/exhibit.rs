//! An instance to look at: the graph, its parent distributions, candidates drawn from them, executions step by step.

use serde::{Deserialize, Serialize};

/// One instance with all there is to see of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Exhibit {
    /// What the list of instances says.
    pub name: String,
    /// The algorithm's name.
    pub algorithm: String,
    /// The vertices' names, by index.
    pub vertices: Vec<String>,
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
    /// The tree edges, as (parent, child), that some solutions have and others have not.
    pub varying: Vec<(usize, usize)>,
}

/// A route between two vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownRoute {
    /// Its vertices, from the first to the last.
    pub path: Vec<usize>,
    /// Its length as the exact decimal it is.
    pub length: String,
    /// How much longer than the shortest it is: 0.05 for 5 %.
    pub gap: Option<f64>,
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

/// A parent distribution under its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownDistribution {
    /// Where it comes from: "empirical", "exact", "predicted".
    pub name: String,
    /// One row for each child; a row sums to one.
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
    /// The candidate.
    pub parents: Vec<usize>,
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
