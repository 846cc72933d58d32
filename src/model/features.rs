//! What a network sees of one graph, and what it should answer.

use super::settings::{Senders, Spec};

/// One graph as the network sees it: plain scalars, in the order of its [`Spec`].
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    nodes: usize,
    node: Vec<Vec<f32>>,
    edge: Vec<Vec<f32>>,
    rounds: usize,
}

/// Why numbers do not describe a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeaturesError {
    /// No vertices, or no rounds.
    #[error("a graph needs at least one vertex and one round, not {nodes} and {rounds}")]
    Empty {
        /// Vertices.
        nodes: usize,
        /// Rounds.
        rounds: usize,
    },
    /// A scalar has too few or too many values.
    #[error("{what} {index} has {found} values, but {nodes} vertices need {expected}")]
    Length {
        /// `node scalar` or `edge scalar`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// How many values there are.
        found: usize,
        /// How many there should be.
        expected: usize,
        /// Vertices of the graph.
        nodes: usize,
    },
}

impl Features {
    /// `node[f]` has a value for each vertex, `edge[f]` one for each pair (from, to), row by row; the processor runs for
    /// `rounds` rounds.
    pub fn new(nodes: usize, node: Vec<Vec<f32>>, edge: Vec<Vec<f32>>, rounds: usize) -> Result<Self, FeaturesError> {
        if nodes == 0 || rounds == 0 {
            return Err(FeaturesError::Empty { nodes, rounds });
        }
        let check = |what, scalars: &[Vec<f32>], expected| match scalars.iter().position(|x| x.len() != expected) {
            Some(index) => Err(FeaturesError::Length { what, index, found: scalars[index].len(), expected, nodes }),
            None => Ok(()),
        };
        check("node scalar", &node, nodes)?;
        check("edge scalar", &edge, nodes * nodes)?;
        Ok(Features { nodes, node, edge, rounds })
    }

    /// Vertices.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Rounds the processor runs for.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Scalars at vertices: `[scalar][vertex]`.
    pub fn node(&self) -> &[Vec<f32>] {
        &self.node
    }

    /// Scalars at pairs: `[scalar][from * nodes + to]`.
    pub fn edge(&self) -> &[Vec<f32>] {
        &self.edge
    }

    /// Whether the network of this `spec` can read this graph.
    pub fn fits(&self, spec: &Spec) -> bool {
        self.node.len() == spec.node.len() && self.edge.len() == spec.edge.len()
    }

    /// Whether `sender`'s messages reach `receiver`.
    ///
    /// dm-clrs computes all messages and gives the masked ones the value -1e6 before the maximum; a vertex always hears
    /// itself, so leaving them out is the same.
    pub(super) fn hears(&self, senders: Senders, mask: usize, sender: usize, receiver: usize) -> bool {
        let edge = |from: usize, to: usize| self.edge[mask][from * self.nodes + to];
        match senders {
            Senders::Everyone => true,
            Senders::Itself => sender == receiver,
            Senders::Neighbours => sender == receiver || edge(sender, receiver) + edge(receiver, sender) > 0.0,
        }
    }
}

/// The right answer for one graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// For each vertex (row) the probability of each parent (column): Kullback-Leibler loss.
    Distribution(Vec<f32>),
    /// One parent for each vertex: cross-entropy loss.
    Parents(Vec<u32>),
}
