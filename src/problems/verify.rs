//! Stage 4: what a verifier says of a candidate that is not a solution.
//!
//! A wrong candidate is an answer, not an error: a [`Violation`] names the [`Rule`] that it breaks and what proves that: a vertex and
//! edges, a path, items, an exchange that improves the candidate, a larger set. Each problem has one exact verifier, the [`crate::problems::Space::verify`] of its prepared instances.

use crate::answers::{Candidate, Form, Parents, Part};
use crate::instance::{Graph, Instance};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A rule that every solution keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The candidate has one parent for each vertex of the graph.
    OneParentEach,
    /// A parent other than the vertex itself has an edge to it.
    ParentIsNeighbour,
    /// Following parents ends at a root.
    NoCycle,
    /// With ordered restarts, a root is the least vertex of its tree.
    RootIsLeast,
    /// With ordered restarts, an edge between two trees leads to the tree with the lesser root.
    TreesInOrder,
    /// A vertex hangs below the least vertex that reaches it.
    RootReachesFirst,
    /// Siblings can be put in an order in which no edge leads from a subtree into a later one.
    SiblingOrder,
    /// The source is its own parent.
    SourceIsRoot,
    /// A vertex that the source does not reach is its own parent.
    UnreachableIsRoot,
    /// A vertex that the source reaches has another vertex as its parent.
    ReachableHasParent,
    /// A vertex that the source is not connected to is its own parent.
    UnconnectedIsRoot,
    /// A vertex that the source is connected to hangs below it.
    ConnectedHasParent,
    /// No edge outside the tree is lighter than a tree edge on the cycle that it closes.
    NoLighterEdge,
    /// No chosen edges form a cycle.
    ChosenFormNoCycle,
    /// Chosen edges connect what edges of the graph connect.
    ChosenConnect,
    /// Every edge leads from an earlier vertex of an order to a later one.
    EdgesGoForward,
    /// A vertex has at most one chosen edge.
    OneChosenEdgeEach,
    /// No path between two vertices without a chosen edge alternates between edges that are not chosen and edges that are.
    NoAugmentingPath,
    /// The parent lies on a shortest path: its distance plus the edge's weight is the vertex's distance.
    EdgeIsTight,
    /// The answer is worse than the best by no more than the tolerance.
    WithinTolerance,
    /// At most t of the chosen tasks are due by t.
    InTime,
    /// No other set of tasks that can be done in time is heavier.
    GreatestWeight,
    /// No two chosen activities overlap.
    NoOverlap,
    /// No set of activities without overlaps has more of them.
    MostActivities,
    /// There is one choice for each slot of the form.
    OneChoiceEach,
    /// A list of chosen edges or items names each once.
    ChosenOnce,
    /// What is chosen are edges of the graph.
    ChosenIsEdge,
    /// An order has every vertex exactly once.
    EveryVertexOnce,
}

impl Rule {
    /// The rule in words.
    pub fn words(self) -> &'static str {
        match self {
            Rule::OneParentEach => "there is one parent for each vertex",
            Rule::ParentIsNeighbour => "there is an edge from a vertex's parent to it",
            Rule::NoCycle => "parents lead to a root, never round in a circle",
            Rule::RootIsLeast => "a root is the least vertex of its tree, because restarts come in ascending order",
            Rule::TreesInOrder => "no edge leads from an earlier tree to a later one: its head would have been visited",
            Rule::RootReachesFirst => "a vertex hangs below the least vertex that reaches it",
            Rule::SiblingOrder => "siblings can be visited in an order in which no edge leads into a later subtree",
            Rule::SourceIsRoot => "the source is its own parent",
            Rule::UnreachableIsRoot => "a vertex that the source does not reach is its own parent",
            Rule::ReachableHasParent => "a vertex that the source reaches has another vertex as its parent",
            Rule::UnconnectedIsRoot => "a vertex that the source is not connected to is its own parent",
            Rule::ConnectedHasParent => "every vertex that the source is connected to hangs below it",
            Rule::NoLighterEdge => "no other edge is lighter than a tree edge on the cycle that it closes",
            Rule::ChosenFormNoCycle => "the chosen edges form no cycle",
            Rule::ChosenConnect => "the chosen edges connect any two vertices that the graph connects",
            Rule::EdgesGoForward => "every edge goes forward",
            Rule::OneChosenEdgeEach => "a vertex has at most one chosen edge",
            Rule::NoAugmentingPath => "no exchange along a path makes the matching larger",
            Rule::EdgeIsTight => "the edge from the parent ends a shortest path",
            Rule::WithinTolerance => "the answer is worse than the best by no more than the tolerance",
            Rule::InTime => "for each t at most t of the chosen tasks are due by t",
            Rule::GreatestWeight => "no other tasks that can all be done in time weigh more",
            Rule::NoOverlap => "no two chosen activities overlap",
            Rule::MostActivities => "no more activities can be chosen without an overlap",
            Rule::OneChoiceEach => "there is one choice for each edge, item or place",
            Rule::ChosenOnce => "nothing is chosen twice",
            Rule::ChosenIsEdge => "only edges of the graph are chosen",
            Rule::EveryVertexOnce => "every vertex stands in the order exactly once",
        }
    }
}

impl Rule {
    /// What the path of a violation of this rule is.
    pub fn path_words(self) -> &'static str {
        match self {
            Rule::NoAugmentingPath => "chosen and other edges change places along",
            _ => "a shorter path",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// Why a candidate is not a solution: the rule that it breaks, and what proves that. Whatever plays no part is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The vertex at which the rule is broken, if it is one vertex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertex: Option<usize>,
    /// The rule.
    pub rule: Rule,
    /// Edges (tail, head): the missing or wrong edge, the edges of a cycle, or, for siblings, the edges each of which forces
    /// one sibling before another so that none can come first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<(usize, usize)>,
    /// The vertices of a path: one that is shorter than the candidate's, or one along which a matching grows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<usize>,
    /// Items that cannot be chosen together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<usize>,
    /// An exchange that makes the candidate better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Box<Exchange>>,
    /// The items of a set that is better and keeps all other rules.
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    pub better: Box<[usize]>,
}

/// What is put in, and what has to leave for it, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// What is put in.
    #[serde(rename = "in")]
    pub put_in: Part,
    /// What is taken out.
    #[serde(rename = "out", default, skip_serializing_if = "Option::is_none")]
    pub take_out: Option<Part>,
}

impl Violation {
    /// A broken rule, without anything to show for it yet.
    pub fn of(rule: Rule) -> Self {
        let (edges, path, items) = (vec![], vec![], vec![]);
        Violation { vertex: None, rule, edges, path, items, exchange: None, better: Box::default() }
    }

    /// A broken rule, and an exchange that makes the candidate better.
    pub fn with_exchange(rule: Rule, put_in: Part, take_out: Option<Part>) -> Self {
        Violation { exchange: Some(Box::new(Exchange { put_in, take_out })), ..Violation::of(rule) }
    }

    /// A rule broken at a vertex, without an edge to show for it.
    pub fn at(vertex: usize, rule: Rule) -> Self {
        Violation { vertex: Some(vertex), ..Violation::of(rule) }
    }

    /// A rule broken at a vertex, and the edges that prove it.
    pub fn with_edges(vertex: usize, rule: Rule, edges: Vec<(usize, usize)>) -> Self {
        Violation { edges, ..Violation::at(vertex, rule) }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vertex = |vertex: usize| format!("vertex {vertex}");
        f.write_str(&self.in_words(vertex, |number| number.to_string()))
    }
}

impl Violation {
    /// In words, with vertices and items by name.
    pub fn describe(&self, name: impl Fn(usize) -> String) -> String {
        self.in_words(&name, &name)
    }

    /// `subject` is how the vertex is called that breaks a rule.
    fn in_words(&self, subject: impl Fn(usize) -> String, name: impl Fn(usize) -> String) -> String {
        let listed = |numbers: &[usize], between: &str| {
            numbers.iter().map(|&number| name(number)).collect::<Vec<_>>().join(between)
        };
        let part = |part: Part| part.numbers().map(&name).collect::<Vec<_>>().join(" - ");
        let mut words = match self.vertex {
            Some(vertex) => format!("{} breaks the rule that {}", subject(vertex), self.rule),
            None => format!("it breaks the rule that {}", self.rule),
        };
        if !self.edges.is_empty() {
            let edges = self.edges.iter().map(|&(tail, head)| listed(&[tail, head], " -> "));
            words += &format!(" (see {})", edges.collect::<Vec<_>>().join(", "));
        }
        if !self.path.is_empty() {
            words += &format!("; {}: {}", self.rule.path_words(), listed(&self.path, " -> "));
        }
        if !self.items.is_empty() {
            words += &format!(" (see {})", listed(&self.items, ", "));
        }
        match self.exchange.as_deref() {
            Some(&Exchange { put_in, take_out: Some(out) }) => {
                words += &format!("; {} instead of {} is better", part(put_in), part(out));
            }
            Some(&Exchange { put_in, take_out: None }) => words += &format!("; with {} it is better", part(put_in)),
            None => (),
        }
        if !self.better.is_empty() {
            words += &format!("; better: {}", listed(&self.better, ", "));
        }
        words
    }
}

impl std::error::Error for Violation {}

/// The candidate has this form, and as many choices as the instance has slots for it.
pub fn check_slots(instance: &Instance, form: Form, candidate: &Candidate) -> Result<(), Violation> {
    if candidate.form() == form && candidate.slots() == instance.slots(form) {
        return Ok(());
    }
    Err(Violation::of(Rule::OneChoiceEach))
}

/// The candidate has as many parents as the graph has vertices.
pub fn check_length(graph: &Graph, candidate: Parents<'_>) -> Result<(), Violation> {
    if candidate.n() == graph.n() {
        return Ok(());
    }
    Err(Violation::at(candidate.n().min(graph.n()), Rule::OneParentEach))
}

/// Every parent other than the vertex itself has an edge to it.
pub fn check_edges(graph: &Graph, candidate: Parents<'_>) -> Result<(), Violation> {
    match candidate.edges().find(|&(parent, child)| !graph.has_edge(parent, child)) {
        Some((parent, child)) => Err(Violation::with_edges(child, Rule::ParentIsNeighbour, vec![(parent, child)])),
        None => Ok(()),
    }
}

/// A cycle of parents, from child to parent, its least vertex first.
pub fn parent_cycle(candidate: Parents<'_>) -> Option<Vec<usize>> {
    // The walk on which each vertex was first met.
    let mut walk_of = vec![usize::MAX; candidate.n()];
    for start in 0..candidate.n() {
        let mut vertex = start;
        while walk_of[vertex] == usize::MAX && !candidate.is_root(vertex) {
            walk_of[vertex] = start;
            vertex = candidate.of(vertex);
        }
        if !candidate.is_root(vertex) && walk_of[vertex] == start {
            let around = std::iter::successors(Some(candidate.of(vertex)), |&at| Some(candidate.of(at)));
            let mut cycle: Vec<usize> = std::iter::once(vertex).chain(around.take_while(|&at| at != vertex)).collect();
            let least = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
            cycle.rotate_left(least);
            return Some(cycle);
        }
    }
    None
}
