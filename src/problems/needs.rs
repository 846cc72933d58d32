//! What an algorithm needs of an instance, and what is said where an instance does not have it.

use crate::instance::{Decimal, Graph, Instance, ItemKind, Items};
use std::fmt;

/// What an algorithm needs of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// A source.
    pub source: bool,
    /// Which weights it can work with.
    pub weights: Weights,
    /// Which directions of edges.
    pub direction: Direction,
    /// No directed cycle.
    pub acyclic: bool,
    /// No cycle of odd length.
    pub bipartite: bool,
}

impl Needs {
    /// A graph, and nothing of it.
    pub const ANY_GRAPH: Needs = Needs {
        source: false,
        weights: Weights::Ignored,
        direction: Direction::Either,
        acyclic: false,
        bipartite: false,
    };
}

/// The weights that an algorithm can work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// It does not look at them.
    Ignored,
    /// Zero and above.
    NotNegative,
    /// Any, as long as nothing else forbids them.
    AnySign,
}

impl Weights {
    /// True when the algorithm looks at weights.
    pub fn are_used(self) -> bool {
        self != Weights::Ignored
    }
}

/// The directions that the edges of an instance may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Directed or undirected.
    Either,
    /// Directed only.
    Directed,
    /// Undirected only.
    Undirected,
}

/// Why an algorithm cannot be run on an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadInstance {
    /// The algorithm starts somewhere, but the instance does not say where.
    NoSource(&'static str),
    /// The source is not a vertex.
    SourceOutOfRange {
        /// The alleged source.
        source_vertex: usize,
        /// The number of vertices.
        n: usize,
    },
    /// A negative weight.
    Negative {
        /// The algorithm.
        algorithm: &'static str,
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
        /// Its weight.
        weight: Decimal,
    },
    /// A cycle of negative length that the source reaches.
    NegativeCycle {
        /// Its vertices, in the direction of its edges.
        cycle: Vec<usize>,
        /// Its length.
        length: Decimal,
    },
    /// A directed cycle.
    Cycle {
        /// The algorithm.
        algorithm: &'static str,
        /// Its vertices, in the direction of its edges.
        cycle: Vec<usize>,
    },
    /// An edge without an equal one back.
    NotUndirected {
        /// The algorithm.
        algorithm: &'static str,
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
    },
    /// An edge with a direction, where edges are chosen without one.
    Directed {
        /// The algorithm.
        algorithm: &'static str,
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
    },
    /// No items, or items of another kind.
    NoItems {
        /// The algorithm.
        algorithm: &'static str,
        /// What it takes.
        many: &'static str,
    },
    /// An item whose numbers make no sense.
    Item {
        /// What the items are.
        kind: &'static str,
        /// Which of them.
        item: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A cycle of odd length.
    OddCycle {
        /// The algorithm.
        algorithm: &'static str,
        /// Its vertices, in order.
        cycle: Vec<usize>,
    },
}

impl BadInstance {
    /// In words, vertices called by `name`.
    pub fn describe(&self, name: impl Fn(usize) -> String) -> String {
        let circle = |cycle: &[usize]| {
            let ends = cycle.iter().chain(cycle.first());
            ends.map(|&vertex| name(vertex)).collect::<Vec<_>>().join(" -> ")
        };
        match self {
            BadInstance::NoSource(algorithm) => format!("{algorithm} needs a source"),
            BadInstance::SourceOutOfRange { source_vertex, n } => {
                format!("the source is {source_vertex}, but there are {n} vertices")
            }
            BadInstance::Negative { algorithm, tail, head, weight } => format!(
                "edge {} -> {} has weight {weight}, but {algorithm} needs weights that are not negative",
                name(*tail),
                name(*head)
            ),
            BadInstance::NegativeCycle { cycle, length } => format!(
                "the cycle {} has length {length}: with a negative cycle within reach no path is the shortest",
                circle(cycle)
            ),
            BadInstance::Cycle { algorithm, cycle } => {
                format!("{algorithm} needs a graph without cycles, but here is one: {}", circle(cycle))
            }
            BadInstance::NotUndirected { algorithm, tail, head } => format!(
                "{algorithm} needs an undirected graph, but edge {} -> {} has no equal edge back",
                name(*tail),
                name(*head)
            ),
            BadInstance::Directed { algorithm, tail, head } => format!(
                "{algorithm} needs an undirected graph, but edge {} -> {} has a direction",
                name(*tail),
                name(*head)
            ),
            BadInstance::NoItems { algorithm, many } => format!("{algorithm} takes {many}, not a graph"),
            BadInstance::Item { kind, item, reason } => format!("{kind} {}: {reason}", name(*item)),
            BadInstance::OddCycle { algorithm, cycle } => format!(
                "{algorithm} needs a bipartite graph, but here is a cycle of odd length: {}",
                circle(cycle).replace(" -> ", " - ")
            ),
        }
    }
}

impl fmt::Display for BadInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(|vertex| vertex.to_string()))
    }
}

impl std::error::Error for BadInstance {}

/// The source of an instance, checked.
pub(crate) fn checked_source(algorithm: &'static str, instance: &Instance) -> Result<usize, BadInstance> {
    let source_vertex = instance.source.ok_or(BadInstance::NoSource(algorithm))?;
    if source_vertex >= instance.n() {
        return Err(BadInstance::SourceOutOfRange { source_vertex, n: instance.n() });
    }
    Ok(source_vertex)
}

/// The items of an instance, which must be of this kind.
pub(crate) fn checked_items<'a>(
    algorithm: &'static str,
    instance: &'a Instance,
    kind: &'static ItemKind,
) -> Result<&'a Items, BadInstance> {
    let items = instance.items.as_ref().filter(|items| *items.kind() == *kind);
    items.ok_or(BadInstance::NoItems { algorithm, many: kind.many })
}

/// Refuses a graph whose edges have directions.
pub(crate) fn check_undirected(algorithm: &'static str, graph: &Graph) -> Result<(), BadInstance> {
    match graph.arcs().next().filter(|_| !graph.is_undirected()) {
        Some((tail, head)) => Err(BadInstance::Directed { algorithm, tail, head }),
        None => Ok(()),
    }
}

/// A directed cycle of the graph, vertex by vertex in the direction of its edges, self-loops included; `None` when there is none.
pub(crate) fn directed_cycle(graph: &Graph) -> Option<Vec<usize>> {
    // Vertices without open predecessors are taken away one after the other; what remains has a predecessor each that remains.
    let mut open = vec![0u32; graph.n()];
    graph.arcs().for_each(|(_, head)| open[head] += 1);
    // First come, first taken: then memory is asked for the next vertices before it has answered for this one.
    let mut ready: Vec<u32> = (0..graph.n() as u32).filter(|&vertex| open[vertex as usize] == 0).collect();
    let mut next = 0;
    while let Some(&vertex) = ready.get(next) {
        next += 1;
        for &head in graph.out_neighbours(vertex as usize) {
            open[head as usize] -= 1;
            if open[head as usize] == 0 {
                ready.push(head);
            }
        }
    }
    let start = open.iter().position(|&left| left > 0)?;
    let mut before = vec![usize::MAX; graph.n()];
    let remaining = graph.arcs().filter(|&(tail, head)| open[tail] > 0 && open[head] > 0);
    remaining.for_each(|(tail, head)| before[head] = tail);
    let mut vertex = start;
    for _ in 0..graph.n() {
        vertex = before[vertex];
    }
    let around = std::iter::successors(Some(before[vertex]), |&at| Some(before[at]));
    let mut cycle: Vec<usize> = std::iter::once(vertex).chain(around.take_while(|&at| at != vertex)).collect();
    cycle.reverse();
    let least = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
    cycle.rotate_left(least);
    Some(cycle)
}
