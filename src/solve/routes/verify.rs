//! What a route must be, checked from the graph alone.

use super::network::RouteGraph;
use crate::instance::Weight;
use std::collections::HashSet;
use thiserror::Error;

/// Why a list of vertices is no route.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BadRoute {
    /// It does not start or end where it should.
    #[error("it does not lead from {from} to {to}")]
    Ends {
        /// Where it should start.
        from: usize,
        /// Where it should end.
        to: usize,
    },
    /// Two vertices in a row that no edge joins.
    #[error("there is no edge {tail} -> {head}")]
    NoEdge {
        /// The first of them.
        tail: usize,
        /// The second.
        head: usize,
    },
    /// A vertex that it passes twice.
    #[error("it passes {vertex} twice")]
    Twice {
        /// That vertex.
        vertex: usize,
    },
}

/// The length of a route, if it is one: from one vertex to another along edges, no vertex twice.
pub fn verify_route(graph: &RouteGraph, from: usize, to: usize, path: &[usize]) -> Result<Weight, BadRoute> {
    if path.first() != Some(&from) || path.last() != Some(&to) {
        return Err(BadRoute::Ends { from, to });
    }
    let mut passed = HashSet::with_capacity(path.len());
    if let Some(&vertex) = path.iter().find(|&&vertex| !passed.insert(vertex)) {
        return Err(BadRoute::Twice { vertex });
    }
    let length = |pair: &[usize]| graph.length(pair[0], pair[1]).ok_or((pair[0], pair[1]));
    let lengths: Result<Vec<Weight>, (usize, usize)> = path.windows(2).map(length).collect();
    lengths.map(|lengths| lengths.iter().sum()).map_err(|(tail, head)| BadRoute::NoEdge { tail, head })
}
