//! What a network sees of one graph, and what it should answer.

use super::settings::Senders;
use super::spec::{OutputKind, Spec};

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
    pub(super) fn hears(&self, senders: Senders, mask: Option<usize>, sender: usize, receiver: usize) -> bool {
        match (senders, mask) {
            (Senders::Everyone, _) => true,
            (Senders::Itself, _) | (Senders::Neighbours, None) => sender == receiver,
            (Senders::Neighbours, Some(mask)) => {
                let edge = |from: usize, to: usize| self.edge[mask][from * self.nodes + to];
                sender == receiver || edge(sender, receiver) + edge(receiver, sender) > 0.0
            }
        }
    }
}

/// The right answer of one output for one graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A probability for each entry of the output, in its order (see [`OutputKind`]): Kullback-Leibler loss.
    Distribution(Vec<f32>),
    /// One solution, a label for each choice of the output: cross-entropy loss. A pointer has a vertex for each vertex, a one-hot
    /// vertex just one; flags are 0 or 1.
    Labels(Vec<u32>),
}

impl Target {
    /// Whether it is one for an output of this kind and a graph of so many vertices.
    pub fn fits(&self, kind: OutputKind, nodes: usize) -> bool {
        match self {
            Target::Distribution(probabilities) => probabilities.len() == kind.entries(nodes),
            Target::Labels(labels) => {
                let (count, options) = kind.labels(nodes);
                labels.len() == count && labels.iter().all(|&label| (label as usize) < options)
            }
        }
    }

    /// A probability for each entry of the output; labels give ones and zeros.
    pub fn probabilities(&self, kind: OutputKind, nodes: usize) -> Vec<f32> {
        match self {
            Target::Distribution(probabilities) => probabilities.clone(),
            Target::Labels(labels) if kind.is_flag() => labels.iter().map(|&label| label as f32).collect(),
            Target::Labels(labels) => {
                let mut rows = vec![0.0; kind.entries(nodes)];
                labels.iter().enumerate().for_each(|(row, &label)| rows[row * nodes + label as usize] = 1.0);
                rows
            }
        }
    }
}
