//! How graphs are made: from edges in any order, from a table, from rows that are sorted already.

use super::{Graph, GraphError, MAX_VERTICES};
use crate::instance::arcs::{Arc, SLAB, SortedArcs, Weights};
use crate::instance::{Decimal, Weight};
use std::sync::Arc as Shared;

impl Graph {
    /// A directed graph without weights.
    pub fn from_edges(n: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Result<Self, GraphError> {
        let arcs = checked(n, edges.into_iter().map(|(tail, head)| (tail, head, ())))?;
        let arcs = SortedArcs::new(n, vec![arcs.iter().copied()]);
        match arcs.first_duplicate() {
            Some((tail, head, ..)) => Err(GraphError::Duplicate { tail, head }),
            None => Ok(Graph::of_arcs(arcs.first, arcs.heads, None, 0)),
        }
    }

    /// An undirected graph without weights; each edge is given once, in either direction.
    pub fn undirected(n: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Result<Self, GraphError> {
        let arcs = edges.into_iter().flat_map(|(one, other)| both_ways((one, other, ())));
        Ok(Graph { undirected: true, ..Graph::from_edges(n, arcs.map(|(tail, head, ())| (tail, head)))? })
    }

    /// An undirected graph with a weight for each edge; each edge is given once, in either direction.
    pub fn weighted_undirected(
        n: usize,
        edges: impl IntoIterator<Item = (usize, usize, Decimal)>,
    ) -> Result<Self, GraphError> {
        Ok(Graph { undirected: true, ..Graph::weighted(n, edges.into_iter().flat_map(both_ways))? })
    }

    /// A directed graph with a weight for each edge.
    pub fn weighted(n: usize, edges: impl IntoIterator<Item = (usize, usize, Decimal)>) -> Result<Self, GraphError> {
        let arcs = checked(n, edges)?;
        let decimals = arcs.iter().map(|&(.., weight)| weight.decimals()).max().unwrap_or(0);
        let arcs = SortedArcs::new(n, vec![arcs.iter().copied()]);
        if let Some((tail, head, first, second)) = arcs.first_duplicate() {
            return Err(if first == second {
                GraphError::Duplicate { tail, head }
            } else {
                GraphError::Contradiction { tail, head, first, second }
            });
        }
        let largest = Weight::MAX / (n as Weight + 1);
        let scaled = arcs.iter().map(|(tail, head, weight)| {
            let scaled = weight.at_scale(decimals).filter(|scaled| scaled.unsigned_abs() <= largest.unsigned_abs());
            scaled.ok_or(GraphError::WeightTooLarge { tail, head, weight, decimals })
        });
        let weights = Weights::new(scaled.collect::<Result<_, _>>()?);
        Ok(Graph::of_arcs(arcs.first, arcs.heads, Some(weights), decimals))
    }

    /// The graph of a table: `edges` between vertices below n, and perhaps a weight for each, as a number of units of `10^-decimals`
    /// of which not all are multiples of ten. `None` where an edge occurs twice.
    pub(in crate::instance) fn of_table(
        n: usize,
        edges: &[(u32, u32)],
        weights: Option<(&[i64], u32)>,
        undirected: bool,
    ) -> Option<Self> {
        let (graph, is_simple) = match weights {
            Some((weights, decimals)) => {
                let arcs = sorted_table(n, edges, weights, undirected);
                let is_simple = arcs.is_simple;
                (Graph::of_arcs(arcs.first, arcs.heads, Some(Weights::Narrow(arcs.labels)), decimals), is_simple)
            }
            None => {
                let arcs = sorted_table(n, edges, &vec![(); edges.len()], undirected);
                let is_simple = arcs.is_simple;
                (Graph::of_arcs(arcs.first, arcs.heads, None, 0), is_simple)
            }
        };
        is_simple.then_some(Graph { undirected, ..graph })
    }

    /// The directed graph of the heads of each vertex's edges, ascending, itself not among them; those of vertex v end at `first_edge[v + 1]`.
    pub(in crate::instance) fn of_rows(first_edge: Vec<usize>, heads: Vec<u32>) -> Self {
        let (first_edge, heads) = (Shared::new(first_edge), Shared::new(heads));
        let (weights, has_negative, largest) = (None, false, None);
        Graph { first_edge, heads, weights, loops: 0, decimals: 0, undirected: false, has_negative, largest }
    }

    /// The undirected graph of each vertex's edges to higher ones, ascending, with their weights as numbers of units of `10^-decimals` of which not all are
    /// multiples of ten; those of vertex v end at `first[v + 1]`.
    pub(in crate::instance) fn of_higher_neighbours(
        first: &[usize],
        higher: &[u32],
        units: &[i64],
        decimals: u32,
    ) -> Self {
        let n = first.len() - 1;
        // The arcs to lower vertices come before those to higher ones. While arcs are written, `next` is where each vertex's next lower one goes.
        let mut next = vec![0; n];
        higher.iter().for_each(|&head| next[head as usize] += 1);
        let (mut first_edge, mut arcs) = (Vec::with_capacity(n + 1), 0);
        first_edge.push(0);
        for (lower, own) in next.iter_mut().zip(first.windows(2)) {
            arcs += std::mem::replace(lower, arcs) + own[1] - own[0];
            first_edge.push(arcs);
        }
        let (mut heads, mut weights) = (vec![0; arcs], vec![0; arcs]);
        for (vertex, own) in first.windows(2).enumerate() {
            let edges = higher[own[0]..own[1]].iter().zip(&units[own[0]..own[1]]);
            for (place, (&head, &weight)) in (next[vertex]..).zip(edges) {
                (heads[place], weights[place]) = (head, weight);
                let back = &mut next[head as usize];
                (heads[*back], weights[*back]) = (vertex as u32, weight);
                *back += 1;
            }
        }
        let has_negative = units.iter().any(|&weight| weight < 0);
        // Compared without branches, unlike by `max` of an iterator.
        let largest = units.iter().copied().reduce(i64::max).map(Weight::from);
        let (first_edge, heads, weights) =
            (Shared::new(first_edge), Shared::new(heads), Some(Shared::new(Weights::Narrow(weights))));
        Graph { first_edge, heads, weights, loops: 0, decimals, undirected: true, has_negative, largest }
    }

    pub(super) fn of_arcs(first_edge: Vec<usize>, heads: Vec<u32>, weights: Option<Weights>, decimals: u32) -> Self {
        let has_negative = weights.as_ref().is_some_and(Weights::has_negative);
        let largest = weights.as_ref().and_then(Weights::largest);
        let own = |vertex: &usize| &heads[first_edge[*vertex]..first_edge[vertex + 1]];
        let is_loop = |vertex: &usize| own(vertex).binary_search(&(*vertex as u32)).is_ok();
        let loops = (0..first_edge.len() - 1).filter(is_loop).count();
        let (first_edge, heads, weights) = (Shared::new(first_edge), Shared::new(heads), weights.map(Shared::new));
        Graph { first_edge, heads, weights, loops, decimals, undirected: false, has_negative, largest }
    }
}

/// The arcs of a table's edges, each with its label.
fn sorted_table<T: Copy + Default + Send + Sync>(
    n: usize,
    edges: &[(u32, u32)],
    labels: &[T],
    undirected: bool,
) -> SortedArcs<T> {
    let slabs = edges.chunks(SLAB).zip(labels.chunks(SLAB));
    let slabs =
        slabs.map(|(edges, labels)| edges.iter().zip(labels).map(|(&(tail, head), &label)| (tail, head, label)));
    match undirected {
        false => SortedArcs::new(n, slabs.collect()),
        true => SortedArcs::new(n, slabs.map(|arcs| arcs.flat_map(both_ways)).collect()),
    }
}

/// Both arcs of an undirected edge; a self-loop is one.
fn both_ways<V: Copy + PartialEq, T: Copy>((one, other, label): (V, V, T)) -> impl Iterator<Item = (V, V, T)> + Clone {
    let ways = if one == other { 1 } else { 2 };
    [(one, other, label), (other, one, label)].into_iter().take(ways)
}

fn checked<T>(n: usize, arcs: impl IntoIterator<Item = (usize, usize, T)>) -> Result<Vec<Arc<T>>, GraphError> {
    if n > MAX_VERTICES {
        return Err(GraphError::TooManyVertices(n));
    }
    let within = |(tail, head, label)| match tail < n && head < n {
        true => Ok((tail as u32, head as u32, label)),
        false => Err(GraphError::VertexOutOfRange { tail, head, n }),
    };
    arcs.into_iter().map(within).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_share_one_scale() {
        let weight = |text: &str| text.parse::<Decimal>().unwrap();
        let graph = Graph::weighted(3, [(0, 1, weight("0.1")), (1, 2, weight("0.25")), (0, 2, weight("3"))]).unwrap();
        let weights: Vec<Weight> = graph.weighted_arcs().map(|(.., weight)| weight).collect();
        assert_eq!(weights, [10, 300, 25]);
        assert_eq!(graph.decimal(35).to_string(), "0.35");
    }

    #[test]
    fn impossible_edges_are_named() {
        assert_eq!(Graph::from_edges(2, [(0, 2)]).unwrap_err().to_string(), "edge 0 -> 2: there are only 2 vertices");
        assert_eq!(Graph::from_edges(2, [(0, 1), (0, 1)]).unwrap_err().to_string(), "edge 0 -> 1 is given twice");
        let [one, two] = [1, 2].map(Decimal::whole);
        assert_eq!(
            Graph::weighted(2, [(0, 1, one), (0, 1, two)]).unwrap_err().to_string(),
            "edge 0 -> 1 is given twice, with weights 1 and 2"
        );
        let (fine, huge) = ("1e-30".parse().unwrap(), "1e29".parse().unwrap());
        assert!(matches!(
            Graph::weighted(2, [(0, 1, fine), (1, 0, huge)]).unwrap_err(),
            GraphError::WeightTooLarge { tail: 1, head: 0, .. }
        ));
    }
}
