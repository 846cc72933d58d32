//! The core of a block, as a network below one of its vertices.

use super::elimination::Conductances;
use super::wilson::{RandomSteps, Walks, wilson};
use super::{Limits, Refusal, hitting};
use crate::problems::grouped::Grouped;
use crate::random::Rng;

/// A connected graph without loops and parallel edges, with a weight for each edge.
pub(super) struct Core {
    /// The neighbours of each vertex, each with the index of the edge; the vertex with most of them is the last, and
    /// the root.
    around: Grouped<(u32, u32)>,
    size: usize,
    weights: Vec<f64>,
    /// For each vertex the sums of the weights of its edges, up to each of them; empty where all weigh the same.
    sums: Vec<Vec<f64>>,
}

impl Core {
    pub fn new(size: usize, edges: &[[u32; 2]], weights: Vec<f64>) -> Self {
        let mut degree = vec![0u32; size];
        edges.iter().flatten().for_each(|&end| degree[end as usize] += 1);
        let root = (0..size).max_by_key(|&vertex| degree[vertex]).unwrap_or(0);
        let named = |vertex: u32| match vertex as usize {
            vertex if vertex == root => size - 1,
            vertex if vertex == size - 1 => root,
            vertex => vertex,
        };
        let pairs = edges.iter().enumerate().flat_map(|(edge, &[a, b])| {
            let (a, b) = (named(a), named(b));
            [(a, (b as u32, edge as u32)), (b, (a as u32, edge as u32))]
        });
        let around = Grouped::new(size, pairs);
        let sums = (0..size).map(|vertex| cumulative(around.of(vertex), &weights)).collect();
        Core { around, size, weights, sums }
    }

    /// The edges as indices: possible parents of all vertices but the root, which is outside. The index of a weight of
    /// zero comes after all edges.
    pub fn network(&self) -> Conductances<u32> {
        let root = self.root();
        let none = self.weights.len() as u32;
        Conductances::new((0..root).map(|vertex| {
            let around = self.around.of(vertex).iter();
            let outside = around.clone().find(|&&(other, _)| other as usize == root).map_or(none, |&(_, edge)| edge);
            (around.filter(|&&(other, _)| other as usize != root).copied().collect(), outside)
        }))
    }

    fn root(&self) -> usize {
        self.size.saturating_sub(1)
    }

    /// The edges of a tree, drawn in proportion to the product of its weights.
    pub fn draw(&self, rng: &mut Rng, steps: &mut RandomSteps) -> Result<Vec<usize>, Refusal> {
        let root = self.root() as u32;
        let members: Vec<u32> = (0..root).collect();
        let mut walks = Walks::new(self.size);
        wilson(&members, steps, &mut walks, |vertex| {
            let (around, sums) = (self.around.of(vertex), &self.sums[vertex]);
            let place = match sums.last() {
                None => rng.below(around.len()),
                Some(all) => {
                    let point = rng.unit() * all;
                    sums.partition_point(|&sum| sum <= point).min(around.len() - 1)
                }
            };
            let (other, edge) = around[place];
            (edge, (other != root).then_some(other))
        })?;
        Ok(members.iter().map(|&vertex| walks.choice(vertex as usize)).collect())
    }

    /// The probability of each edge to be in such a tree: of either end to be the other's parent.
    pub fn marginals(&self, limits: &Limits) -> Result<Vec<f64>, Refusal> {
        let vertices = self.root();
        if hitting::work(vertices) > limits.rounded {
            return Err(Refusal::Marginals { vertices, limit: limits.rounded });
        }
        let network = self.network();
        let weight = |edge: u32| self.weights.get(edge as usize).copied().unwrap_or(0.0);
        let parents = hitting::parents(&network.map(weight)).ok_or(Refusal::Underflow { vertices })?;
        let mut marginals = vec![0.0; self.weights.len()];
        let mut inside = parents.inside.iter();
        for (vertex, outside) in parents.outside.iter().enumerate() {
            for (_, edge) in network.row(vertex) {
                marginals[edge as usize] += inside.next().expect("one for each arc");
            }
            if let Some(marginal) = marginals.get_mut(network.outside(vertex) as usize) {
                *marginal += outside;
            }
        }
        Ok(marginals)
    }
}

fn cumulative(around: &[(u32, u32)], weights: &[f64]) -> Vec<f64> {
    let own: Vec<f64> = around.iter().map(|&(_, edge)| weights[edge as usize]).collect();
    if own.windows(2).all(|pair| pair[0] == pair[1]) {
        return vec![];
    }
    let mut sum = 0.0;
    own.iter()
        .map(|weight| {
            sum += weight;
            sum
        })
        .collect()
}
