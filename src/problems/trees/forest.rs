//! Whether a set of edges is a minimum spanning forest, with a proof if it is not; and forests with a root.

use super::BadVertex;
use super::by_weight::by_weight;
use super::classes::{check_ends, check_vertex};
use super::sets::Sets;
use crate::problems::grouped::Grouped;

/// Why a set of edges is no minimum spanning forest. Edges go by id, their index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForestFault {
    /// An edge of the graph has an end that is no vertex: the graph is wrong, not the choice.
    #[error(transparent)]
    NoSuchVertex(#[from] BadVertex),
    /// There is no such edge.
    #[error("edge {edge}, but there are {edges}")]
    NoSuchEdge {
        /// The edge.
        edge: usize,
        /// The number of edges.
        edges: usize,
    },
    /// The edge is chosen twice.
    #[error("edge {edge} is chosen twice")]
    Twice {
        /// The edge.
        edge: usize,
    },
    /// The edge is not in the component in question.
    #[error("edge {edge} is in another component")]
    Elsewhere {
        /// The edge.
        edge: usize,
    },
    /// Chosen edges form a cycle.
    #[error("the chosen edges form a cycle of {} vertices", .vertices.len())]
    Cycle {
        /// The vertices of the cycle, in order.
        vertices: Vec<usize>,
        /// The edges from each of them to the next, the last one's back to the first.
        edges: Vec<usize>,
    },
    /// An edge of the graph connects two vertices that the chosen ones do not.
    #[error("edge {edge} connects {} and {}, but the chosen edges do not", .ends.0, .ends.1)]
    Apart {
        /// The edge.
        edge: usize,
        /// The two vertices.
        ends: (usize, usize),
    },
    /// A lighter edge can replace a heavier one.
    #[error("edge {lighter} is lighter than the chosen edge {heavier} on the cycle that it closes")]
    Exchange {
        /// An edge that is not chosen.
        lighter: usize,
        /// The heaviest chosen edge on its cycle.
        heavier: usize,
    },
}

/// Accepts `chosen` exactly when it is a minimum spanning forest of the graph. O(m log m).
pub fn verify_forest(n: usize, edges: &[(usize, usize, i128)], chosen: &[usize]) -> Result<(), ForestFault> {
    Candidate::new(n, edges, chosen)?.verify(&by_weight(edges))
}

/// As [`verify_forest`], with the edges from the lightest on as [`by_weight`] has them. Near-linear.
pub fn verify_sorted(
    n: usize,
    edges: &[(usize, usize, i128)],
    order: &[u32],
    chosen: &[usize],
) -> Result<(), ForestFault> {
    Candidate::new(n, edges, chosen)?.verify(order)
}

/// Accepts `chosen` exactly when it is a minimum spanning tree of the component that `vertex` is in. O(m log m).
pub fn verify_component(
    n: usize,
    edges: &[(usize, usize, i128)],
    chosen: &[usize],
    vertex: usize,
) -> Result<(), ForestFault> {
    let candidate = Candidate::new(n, edges, chosen)?;
    check_vertex(n, vertex)?;
    let mut sets = Sets::new(n);
    for &(a, b, _) in edges {
        sets.join(a, b);
    }
    if let Some(&edge) = chosen.iter().find(|&&edge| !sets.joined(edges[edge].0, vertex)) {
        return Err(ForestFault::Elsewhere { edge });
    }
    let mut order = by_weight(edges);
    order.retain(|&edge| sets.joined(edges[edge as usize].0, vertex));
    candidate.verify(&order)
}

/// The tree of `root` in a forest, as parents; the root and all vertices in other trees are their own.
pub fn rooted(
    n: usize,
    edges: &[(usize, usize, i128)],
    forest: &[usize],
    root: usize,
) -> Result<Vec<usize>, ForestFault> {
    Candidate::new(n, edges, forest)?;
    check_vertex(n, root)?;
    let at = at_vertices(n, edges, forest);
    let mut parents: Vec<usize> = (0..n).collect();
    let mut waiting = vec![root];
    while let Some(vertex) = waiting.pop() {
        for &edge in at.of(vertex) {
            let other = other_end(edges, edge as usize, vertex);
            if other != root && parents[other] == other {
                parents[other] = vertex;
                waiting.push(other);
            }
        }
    }
    Ok(parents)
}

pub(super) fn other_end(edges: &[(usize, usize, i128)], edge: usize, end: usize) -> usize {
    let (a, b, _) = edges[edge];
    if a == end { b } else { a }
}

pub(super) fn at_vertices(n: usize, edges: &[(usize, usize, i128)], chosen: &[usize]) -> Grouped<u32> {
    let ends = |&edge: &usize| [(edges[edge].0, edge as u32), (edges[edge].1, edge as u32)];
    Grouped::new(n, chosen.iter().flat_map(ends))
}

struct Candidate<'a> {
    n: usize,
    edges: &'a [(usize, usize, i128)],
    chosen: &'a [usize],
    is_chosen: Vec<bool>,
}

impl<'a> Candidate<'a> {
    fn new(n: usize, edges: &'a [(usize, usize, i128)], chosen: &'a [usize]) -> Result<Self, ForestFault> {
        check_ends(n, edges)?;
        let mut is_chosen = vec![false; edges.len()];
        for &edge in chosen {
            let mark = is_chosen.get_mut(edge).ok_or(ForestFault::NoSuchEdge { edge, edges: edges.len() })?;
            if std::mem::replace(mark, true) {
                return Err(ForestFault::Twice { edge });
            }
        }
        Ok(Candidate { n, edges, chosen, is_chosen })
    }

    /// Against the edges that count, from the lightest on.
    fn verify(&self, order: &[u32]) -> Result<(), ForestFault> {
        let mut connected = Sets::new(self.n);
        for (place, &edge) in self.chosen.iter().enumerate() {
            let (a, b, _) = self.edges[edge];
            if !connected.join(a, b) {
                return Err(self.cycle(edge, place));
            }
        }
        // Of those that are apart, the first in the graph's order is named.
        let tree = connected.names();
        let ends = |edge: u32| (self.edges[edge as usize].0, self.edges[edge as usize].1);
        let is_apart = |edge: &u32| tree[ends(*edge).0] != tree[ends(*edge).1];
        if let Some(edge) = order.iter().copied().filter(is_apart).min() {
            return Err(ForestFault::Apart { edge: edge as usize, ends: ends(edge) });
        }
        self.find_exchange(order).map_or(Ok(()), Err)
    }

    /// Chosen edges first among those of equal weight: then an edge is needless exactly when its ends are connected already.
    fn find_exchange(&self, order: &[u32]) -> Option<ForestFault> {
        let mut connected = Sets::new(self.n);
        let mut left = self.chosen.len();
        for class in order.chunk_by(|&a, &b| self.edges[a as usize].2 == self.edges[b as usize].2) {
            let is_chosen = |edge: &&u32| self.is_chosen[**edge as usize];
            for &edge in class.iter().filter(is_chosen) {
                let (a, b, _) = self.edges[edge as usize];
                left -= usize::from(connected.join(a, b));
            }
            // What all chosen edges connect was looked at before.
            if left == 0 {
                return None;
            }
            for &lighter in class.iter().filter(|edge| !is_chosen(edge)) {
                let (a, b, _) = self.edges[lighter as usize];
                if !connected.joined(a, b) {
                    let path = self.path(a, b, self.chosen).into_iter().map(|(_, edge)| edge);
                    let heavier = path.max_by_key(|&edge| self.edges[edge].2);
                    let heavier = heavier.expect("the chosen edges connect a and b");
                    return Some(ForestFault::Exchange { lighter: lighter as usize, heavier });
                }
            }
        }
        None
    }

    /// The cycle that the chosen edge at `place` closes with those before it.
    fn cycle(&self, edge: usize, place: usize) -> ForestFault {
        let (a, b, _) = self.edges[edge];
        let mut path = self.path(a, b, &self.chosen[..place]);
        path.push((b, edge));
        let (vertices, edges) = path.into_iter().unzip();
        ForestFault::Cycle { vertices, edges }
    }

    /// The vertices from `start` up to, and without, `end` along the edges of a forest, each with the edge that leads
    /// on.
    fn path(&self, start: usize, end: usize, forest: &[usize]) -> Vec<(usize, usize)> {
        let at = at_vertices(self.n, self.edges, forest);
        let mut toward: Vec<Option<usize>> = vec![None; self.n];
        let mut waiting = vec![end];
        while let Some(vertex) = waiting.pop() {
            if vertex == start {
                break;
            }
            let from = toward[vertex];
            for &edge in at.of(vertex).iter().filter(|&&edge| from != Some(edge as usize)) {
                let other = other_end(self.edges, edge as usize, vertex);
                toward[other] = Some(edge as usize);
                waiting.push(other);
            }
        }
        let mut path = vec![];
        let mut vertex = start;
        while let Some(edge) = toward[vertex].filter(|_| vertex != end) {
            path.push((vertex, edge));
            vertex = other_end(self.edges, edge, vertex);
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn edges_come_from_the_lightest_on_whatever_their_weights_are() {
        let mut rng = Rng::stream(0, "by weight", 0);
        for range in [1, 5, 1 << 20, 1 << 40, 1 << 60] {
            let edges: Vec<(usize, usize, i128)> =
                (0..500).map(|_| (0, 0, rng.below(range) as i128 * (1 << 20) - 77)).collect();
            let narrow: Vec<(usize, usize, i128)> = edges.iter().map(|&(a, b, w)| (a, b, w >> 20)).collect();
            for edges in [edges, narrow] {
                let mut expected: Vec<u32> = (0..500).collect();
                expected.sort_by_key(|&edge| edges[edge as usize].2);
                assert_eq!(by_weight(&edges), expected);
            }
        }
        assert!(by_weight(&[]).is_empty());
        assert_eq!(by_weight(&[(0, 0, i128::MAX), (0, 0, i128::MIN)]), [1, 0]);
    }
}
