//! What a network reads and what it answers, by name. The names are those of its encoders and decoders in files.

/// The inputs and outputs of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Scalars at a vertex.
    pub node: Vec<String>,
    /// Scalars at an ordered pair of vertices. A task without a graph has none.
    pub edge: Vec<String>,
    /// Which of `edge` says where edges are: non-zero means an edge. Read by [`Senders::Neighbours`](super::Senders);
    /// without it a vertex's only neighbour is itself.
    pub mask: Option<usize>,
    /// What is answered. The loss of several outputs is the sum of theirs.
    pub outputs: Vec<Output>,
}

/// One output of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name, as in dm-clrs.
    pub name: String,
    /// What it says.
    pub kind: OutputKind,
}

/// What an output says, and so how it is decoded.
///
/// | kind | numbers for n vertices | probabilities | labels |
/// |---|---|---|---|
/// | `Pointer` | `[vertex][option]`, n² | softmax of each row | n: an option for each vertex |
/// | `NodeFlag` | `[vertex]`, n | sigmoids | n: 0 or 1 |
/// | `EdgeFlag` | `[from][to]`, n² | sigmoids | n²: 0 or 1 |
/// | `OneHotNode` | `[vertex]`, n | one softmax | 1: the vertex |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// For each vertex one of all vertices, such as its parent.
    Pointer,
    /// For each vertex yes or no.
    NodeFlag,
    /// For each ordered pair of vertices yes or no.
    EdgeFlag,
    /// One of the vertices.
    OneHotNode,
}

impl Spec {
    /// Inputs and outputs by name; the last of `edge`, if there is one, is the mask, as `adj` is in dm-clrs.
    ///
    /// ```
    /// use tiebreak::neural::model::{OutputKind, Spec};
    /// let bellman_ford = Spec::new(&["pos", "s"], &["A", "adj"], &[("pi", OutputKind::Pointer)]);
    /// assert_eq!(bellman_ford.mask, Some(1));
    /// let task_scheduling = Spec::new(&["pos", "d", "w"], &[], &[("selected", OutputKind::NodeFlag)]);
    /// assert_eq!(task_scheduling.mask, None);
    /// ```
    ///
    /// # Panics
    /// Without a node scalar or an output: such a network has nothing to read or nothing to say.
    pub fn new(node: &[&str], edge: &[&str], outputs: &[(&str, OutputKind)]) -> Self {
        assert!(!node.is_empty(), "a network reads at least one scalar of each vertex");
        assert!(!outputs.is_empty(), "a network has at least one output");
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let output = |&(name, kind): &(&str, OutputKind)| Output { name: name.to_owned(), kind };
        Spec {
            node: owned(node),
            edge: owned(edge),
            mask: edge.len().checked_sub(1),
            outputs: outputs.iter().map(output).collect(),
        }
    }
}

impl OutputKind {
    /// How many logits, or probabilities, it has for a graph of so many vertices.
    pub fn entries(self, nodes: usize) -> usize {
        match self {
            OutputKind::Pointer | OutputKind::EdgeFlag => nodes * nodes,
            OutputKind::NodeFlag | OutputKind::OneHotNode => nodes,
        }
    }

    /// How many labels one solution has, and below which number each of them lies.
    pub fn labels(self, nodes: usize) -> (usize, usize) {
        match self {
            OutputKind::Pointer => (nodes, nodes),
            OutputKind::NodeFlag => (nodes, 2),
            OutputKind::EdgeFlag => (nodes * nodes, 2),
            OutputKind::OneHotNode => (1, nodes),
        }
    }

    /// Whether each entry is a yes or no of its own; otherwise rows of n entries are distributions.
    pub fn is_flag(self) -> bool {
        matches!(self, OutputKind::NodeFlag | OutputKind::EdgeFlag)
    }
}
