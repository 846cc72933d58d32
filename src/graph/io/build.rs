//! What the readers share: names, edges with the place where each stands, and the graph made of both.

use super::error::EdgeName;
use super::{NamedGraph, Place, Problem, ReadError, ReadOptions};
use crate::graph::{Decimal, Graph, GraphError, MAX_VERTICES};
use std::collections::HashMap;

/// The names of vertices in the order in which they came.
pub(super) struct Names {
    list: Vec<String>,
    index: HashMap<String, u32>,
    limit: usize,
}

impl Names {
    pub fn new(options: &ReadOptions) -> Self {
        Names { list: vec![], index: HashMap::new(), limit: options.vertex_limit() }
    }

    /// The index of `name`, a new one if it was never seen.
    pub fn intern(&mut self, name: &str) -> Result<u32, Problem> {
        match self.index.get(name) {
            Some(&index) => Ok(index),
            None => self.add(name),
        }
    }

    /// The index of a new vertex; one of that name must not exist.
    pub fn declare(&mut self, name: &str) -> Result<u32, Problem> {
        match self.index.contains_key(name) {
            true => Err(Problem::RepeatedVertex { name: name.to_owned() }),
            false => self.add(name),
        }
    }

    /// The index of a vertex that must exist.
    pub fn find(&self, name: &str) -> Result<u32, Problem> {
        self.index.get(name).copied().ok_or_else(|| Problem::UnknownVertex { name: name.to_owned() })
    }

    fn add(&mut self, name: &str) -> Result<u32, Problem> {
        if self.list.len() >= self.limit {
            return Err(Problem::TooManyVertices { vertices: self.limit as u64 + 1, limit: self.limit });
        }
        let index = self.list.len() as u32;
        self.list.push(name.to_owned());
        self.index.insert(name.to_owned(), index);
        Ok(index)
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }

    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// The names of vertices that a file only numbers.
pub(super) fn numbers(first: usize, n: usize) -> Vec<String> {
    (first..first + n).map(|number| number.to_string()).collect()
}

/// The number of vertices that a header claims, if a file of so many bytes may claim it.
///
/// A hundred vertices a byte (and a hundred thousand for free) is more than any honest file has, and little enough
/// that a lie of a few bytes cannot claim the memory of the machine.
pub(super) fn believable(vertices: u64, bytes: u64, options: &ReadOptions) -> Result<usize, Problem> {
    let limit = options.vertex_limit();
    if vertices > limit as u64 {
        return Err(Problem::TooManyVertices { vertices, limit });
    }
    if vertices > bytes.saturating_mul(100).saturating_add(100_000) {
        return Err(Problem::Unbelievable { vertices, bytes });
    }
    Ok(vertices as usize)
}

impl ReadOptions {
    pub(super) fn vertex_limit(&self) -> usize {
        self.max_vertices.min(MAX_VERTICES)
    }
}

/// The edges of a file, each with a number that tells its reader where it stood.
#[derive(Default)]
pub(super) struct Edges {
    ends: Vec<(u32, u32)>,
    weights: Vec<Decimal>,
    marks: Vec<u64>,
    /// The first edge that is unlike those before it, and whether it is the one with a weight.
    unlike: Option<(usize, bool)>,
}

/// What a file says of its graph beside vertices and edges.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub directed: bool,
    /// The edges have weights, even if there is no edge to show it.
    pub weighted: bool,
}

impl Edges {
    pub fn push(&mut self, tail: u32, head: u32, weight: Option<Decimal>, mark: u64) {
        if self.unlike.is_none() && !self.ends.is_empty() && weight.is_some() == self.weights.is_empty() {
            self.unlike = Some((self.ends.len(), weight.is_some()));
        }
        self.ends.push((tail, head));
        self.weights.extend(weight);
        self.marks.push(mark);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Makes the graph; `place` turns the mark of an edge into the place where it stands.
    pub fn finish(self, names: Vec<String>, kind: Kind, place: impl Fn(u64) -> Place) -> Result<NamedGraph, ReadError> {
        if let Some((unlike, has_weight)) = self.unlike {
            let (tail, head) = self.ends[unlike];
            let edge = edge_name(&names, tail as usize, head as usize, kind.directed);
            return Err(ReadError::new(place(self.marks[unlike]), Problem::MixedWeights { edge, has_weight }));
        }
        let n = names.len();
        let ends = self.ends.iter().map(|&(tail, head)| (tail as usize, head as usize));
        let graph = if kind.weighted || !self.weights.is_empty() {
            let weighted = ends.zip(&self.weights).map(|((tail, head), &weight)| (tail, head, weight));
            if kind.directed { Graph::weighted(n, weighted) } else { Graph::weighted_undirected(n, weighted) }
        } else if kind.directed {
            Graph::from_edges(n, ends)
        } else {
            Graph::undirected(n, ends)
        };
        match graph {
            Ok(graph) => Ok(NamedGraph { graph, names, directed: kind.directed }),
            Err(error) => Err(self.explain(error, &names, kind.directed, place)),
        }
    }

    /// The error of [`Graph`] with names for numbers, and with places.
    fn explain(&self, error: GraphError, names: &[String], directed: bool, place: impl Fn(u64) -> Place) -> ReadError {
        let find = |tail: usize, head: usize| {
            let is_it = move |&(one, other): &(u32, u32)| {
                let ends = (one as usize, other as usize);
                ends == (tail, head) || (!directed && ends == (head, tail))
            };
            let mut found = self.ends.iter().zip(&self.marks).filter(move |(ends, _)| is_it(ends));
            let mut next = || found.next().map_or(Place::File, |(_, &mark)| place(mark));
            (edge_name(names, tail, head, directed), next(), next())
        };
        match error {
            GraphError::Duplicate { tail, head } => {
                let (edge, first, second) = find(tail, head);
                ReadError::new(second, Problem::Duplicate { edge, first })
            }
            GraphError::Contradiction { tail, head, first: one, second: other } => {
                let (edge, first, second) = find(tail, head);
                ReadError::new(second, Problem::Contradiction { edge, first, weights: [one, other] })
            }
            GraphError::WeightTooLarge { tail, head, weight, decimals } => {
                let (edge, at, _) = find(tail, head);
                ReadError::new(at, Problem::WeightTooLarge { edge, weight, decimals })
            }
            GraphError::TooManyVertices(_) | GraphError::VertexOutOfRange { .. } => {
                ReadError::new(Place::File, error.to_string())
            }
        }
    }
}

pub(super) fn edge_name(names: &[String], tail: usize, head: usize, directed: bool) -> Box<EdgeName> {
    Box::new(EdgeName { tail: names[tail].clone(), head: names[head].clone(), directed })
}
