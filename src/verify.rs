//! Stage 4: what a verifier says of a candidate that is not a solution.
//!
//! A wrong candidate is an answer, not an error: a [`Violation`] names the vertex, the [`Rule`] it breaks and the
//! edges that prove it. Each problem has one exact verifier, the [`crate::problems::Space::verify`] of its prepared instances.

use crate::answers::Parents;
use crate::graph::Graph;
use serde::Serialize;
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
    /// The parent lies on a shortest path: its distance plus the edge's weight is the vertex's distance.
    EdgeIsTight,
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
            Rule::EdgeIsTight => "the edge from the parent ends a shortest path",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// Why a candidate is not a solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The vertex at which the rule is broken.
    pub vertex: usize,
    /// The rule.
    pub rule: Rule,
    /// Edges (tail, head) that prove it: the missing or wrong edge, or, for siblings, the edges each of which forces
    /// one sibling before another so that none can come first. Empty where no edge is involved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<(usize, usize)>,
    /// The vertices of a path that proves it: one that is shorter than the candidate's. Empty where no path is involved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<usize>,
}

impl Violation {
    /// A broken rule without an edge to show for it.
    pub fn at(vertex: usize, rule: Rule) -> Self {
        Violation { vertex, rule, edges: vec![], path: vec![] }
    }

    /// A broken rule and the edges that prove it.
    pub fn with_edges(vertex: usize, rule: Rule, edges: Vec<(usize, usize)>) -> Self {
        Violation { vertex, rule, edges, path: vec![] }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "vertex {} breaks the rule that {}", self.vertex, self.rule)?;
        if !self.edges.is_empty() {
            let edges: Vec<String> = self.edges.iter().map(|(tail, head)| format!("{tail} -> {head}")).collect();
            write!(f, " (see {})", edges.join(", "))?;
        }
        if !self.path.is_empty() {
            let path: Vec<String> = self.path.iter().map(ToString::to_string).collect();
            write!(f, "; a shorter path: {}", path.join(" -> "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Violation {}

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
