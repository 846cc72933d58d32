//! Elimination of the vertices of a component, one after the other, without a subtraction.
//!
//! Let vertex v take parent u with weight a(v, u), or a parent outside the component with weight a(v, out). Removing k
//! leaves the same trees, weighed together, if whoever went to k goes on at once to where k would go:
//!
//! ```text
//! d(k)     = sum over the remaining u of a(k, u), outside included
//! a(v, u) += a(v, k) * a(k, u) / d(k)
//! ```
//! The total weight of all trees (each the product of its arcs) is the product of all d(k). This is Gaussian
//! elimination of the Laplacian, its diagonal recomputed as a sum (Grassmann, Taksar and Heyman, 1985): over residues
//! it is exact, and over floating-point numbers nothing cancels, which gives the bound on rounding below.
//!
//! Vertices of least degree go first, so a sparse component fills in little.

use crate::cancel;
use crate::problems::grouped::Grouped;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The possible parents of each vertex of a component, with weights.
pub(crate) struct Conductances<W> {
    first: Vec<usize>,
    parents: Vec<u32>,
    weights: Vec<W>,
    /// The weight of the parents outside, of each vertex.
    outside: Vec<W>,
}

impl<W: Copy> Conductances<W> {
    pub fn new(rows: impl Iterator<Item = (Vec<(u32, W)>, W)>) -> Self {
        let mut network = Conductances { first: vec![0], parents: vec![], weights: vec![], outside: vec![] };
        for (row, outside) in rows {
            for (parent, weight) in row {
                network.parents.push(parent);
                network.weights.push(weight);
            }
            network.first.push(network.parents.len());
            network.outside.push(outside);
        }
        network
    }

    /// The number of vertices.
    pub fn size(&self) -> usize {
        self.outside.len()
    }

    /// The parents of a vertex within the component.
    pub fn row(&self, vertex: usize) -> impl Iterator<Item = (usize, W)> {
        let range = self.first[vertex]..self.first[vertex + 1];
        self.parents[range.clone()].iter().zip(&self.weights[range]).map(|(&parent, &weight)| (parent as usize, weight))
    }

    pub fn outside(&self, vertex: usize) -> W {
        self.outside[vertex]
    }

    /// The number of arcs within the component.
    pub fn arcs(&self) -> usize {
        self.parents.len()
    }

    /// The same parents with other weights.
    pub fn map<V>(&self, other: impl Fn(W) -> V) -> Conductances<V> {
        Conductances {
            first: self.first.clone(),
            parents: self.parents.clone(),
            weights: self.weights.iter().map(|&weight| other(weight)).collect(),
            outside: self.outside.iter().map(|&weight| other(weight)).collect(),
        }
    }
}

/// Numbers that can be added, multiplied and, mostly, inverted.
pub(super) trait Arithmetic {
    type Value: Copy;
    fn zero(&self) -> Self::Value;
    fn add(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn mul(&self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `None` for what counts as zero.
    fn invert(&self, a: Self::Value) -> Option<Self::Value>;
}

/// Floating-point numbers.
pub(super) struct Floats;

impl Arithmetic for Floats {
    type Value = f64;
    fn zero(&self) -> f64 {
        0.0
    }
    fn add(&self, a: f64, b: f64) -> f64 {
        a + b
    }
    fn mul(&self, a: f64, b: f64) -> f64 {
        a * b
    }
    fn invert(&self, a: f64) -> Option<f64> {
        (a.is_normal() && (1.0 / a).is_normal()).then(|| 1.0 / a)
    }
}

/// In which order vertices go, and which arcs arise by it.
pub(crate) struct Elimination {
    /// The vertex at each place of the order, and the other way round.
    pub order: Vec<u32>,
    pub place: Vec<u32>,
    /// The places of the neighbours that remain when a place goes, ascending.
    pub later: Vec<Vec<u32>>,
    /// The places that go before and have this one as a neighbour, ascending.
    pub earlier: Grouped<u32>,
    /// Multiplications.
    pub work: u64,
}

impl Elimination {
    /// The order for a network; `None` when it takes more than `limit` multiplications.
    pub fn new<W: Copy>(network: &Conductances<W>, limit: u64) -> Option<Self> {
        let mut graph = Remaining::new(network);
        let mut heap: BinaryHeap<_> =
            (0..network.size()).map(|vertex| Reverse((graph.degree(vertex), vertex))).collect();
        let (mut order, mut later, mut work) = (vec![], vec![], 0u64);
        while let Some(Reverse((degree, vertex))) = heap.pop() {
            cancel::point();
            if graph.gone[vertex] || graph.degree(vertex) != degree {
                continue;
            }
            let remaining = network.size() - order.len();
            // Where the rest is dense, it fills up anyway.
            if 3 * degree >= remaining - 1 {
                work = work.saturating_add((remaining as u64).saturating_pow(3) / 3);
                if work > limit {
                    return None;
                }
                graph.rest_in_any_order(&mut order, &mut later);
                break;
            }
            work += (degree * degree) as u64;
            if work > limit {
                return None;
            }
            let neighbours = graph.remove(vertex);
            heap.extend(neighbours.iter().map(|&other| Reverse((graph.degree(other as usize), other as usize))));
            order.push(vertex as u32);
            later.push(neighbours);
        }
        Some(Self::placed(order, later, work))
    }

    fn placed(order: Vec<u32>, mut later: Vec<Vec<u32>>, work: u64) -> Self {
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &vertex)| place[vertex as usize] = at as u32);
        for neighbours in &mut later {
            neighbours.iter_mut().for_each(|vertex| *vertex = place[*vertex as usize]);
            neighbours.sort_unstable();
        }
        let pairs =
            later.iter().enumerate().flat_map(|(at, later)| later.iter().map(move |&to| (to as usize, at as u32)));
        let earlier = Grouped::new(order.len(), pairs);
        Elimination { order, place, later, earlier, work }
    }

    /// d(k) for each vertex, in the order in which they go; `None` when one of them counts as zero.
    pub(super) fn pivots<A: Arithmetic>(
        &self,
        arithmetic: &A,
        network: &Conductances<A::Value>,
    ) -> Option<Vec<A::Value>> {
        let size = self.order.len();
        let mut rows: Vec<Vec<A::Value>> = Vec::with_capacity(size);
        let mut outside: Vec<A::Value> = Vec::with_capacity(size);
        let (mut pivots, mut inverse) = (Vec::with_capacity(size), Vec::with_capacity(size));
        // The row at hand, by place; all zero between rows.
        let mut row = vec![arithmetic.zero(); size];
        for at in 0..size {
            cancel::point();
            let vertex = self.order[at] as usize;
            for (parent, weight) in network.row(vertex) {
                let place = self.place[parent] as usize;
                row[place] = arithmetic.add(row[place], weight);
            }
            let mut out = network.outside(vertex);
            for &through in self.earlier.of(at) {
                let through = through as usize;
                let share = arithmetic.mul(std::mem::replace(&mut row[through], arithmetic.zero()), inverse[through]);
                add_multiple(arithmetic, &mut row, &self.later[through], share, &rows[through]);
                out = arithmetic.add(out, arithmetic.mul(share, outside[through]));
            }
            row[at] = arithmetic.zero();
            let take = |&to: &u32| std::mem::replace(&mut row[to as usize], arithmetic.zero());
            let own: Vec<A::Value> = self.later[at].iter().map(take).collect();
            let pivot = own.iter().fold(out, |sum, &weight| arithmetic.add(sum, weight));
            inverse.push(arithmetic.invert(pivot)?);
            pivots.push(pivot);
            rows.push(own);
            outside.push(out);
        }
        Some(pivots)
    }

    /// The relative error of the product of floating-point pivots, in units of 2^-53, at most, when the weights are
    /// right.
    ///
    /// A step with d neighbours gives the weights in their d rows an error of at most d + 4 roundings each, and a tree
    /// has one arc of each row. Later steps treat what they find as right.
    pub fn roundings(&self) -> f64 {
        let degrees = self.later.iter().map(|later| later.len() as f64);
        degrees.map(|degree| degree * (degree + 4.0) + degree + 2.0).sum()
    }
}

/// Adds `share` times `weights` to the cells of a row at `places`, which ascend.
fn add_multiple<A: Arithmetic>(
    arithmetic: &A,
    row: &mut [A::Value],
    places: &[u32],
    share: A::Value,
    weights: &[A::Value],
) {
    let add = |cell: &mut A::Value, weight: A::Value| *cell = arithmetic.add(*cell, arithmetic.mul(share, weight));
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else { return };
    // Where the rest is dense there are no gaps, and the loop runs over neighbours in memory.
    if (last - first) as usize + 1 == places.len() {
        row[first as usize..=last as usize].iter_mut().zip(weights).for_each(|(cell, &weight)| add(cell, weight));
    } else {
        places.iter().zip(weights).for_each(|(&place, &weight)| add(&mut row[place as usize], weight));
    }
}

/// The neighbours of the vertices that remain, each way; ascending.
struct Remaining {
    neighbours: Vec<Vec<u32>>,
    gone: Vec<bool>,
}

impl Remaining {
    fn new<W: Copy>(network: &Conductances<W>) -> Self {
        let mut neighbours = vec![vec![]; network.size()];
        for vertex in 0..network.size() {
            for (parent, _) in network.row(vertex).filter(|&(parent, _)| parent != vertex) {
                neighbours[vertex].push(parent as u32);
                neighbours[parent].push(vertex as u32);
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Remaining { neighbours, gone: vec![false; network.size()] }
    }

    fn degree(&self, vertex: usize) -> usize {
        self.neighbours[vertex].len()
    }

    /// Takes a vertex out, joins its neighbours to each other, and gives them.
    fn remove(&mut self, vertex: usize) -> Vec<u32> {
        self.gone[vertex] = true;
        let joined = std::mem::take(&mut self.neighbours[vertex]);
        for &other in &joined {
            let own = std::mem::take(&mut self.neighbours[other as usize]);
            self.neighbours[other as usize] =
                union(&own, &joined, |&member| member != other && member as usize != vertex);
        }
        joined
    }

    /// The rest as if every two of them were neighbours.
    fn rest_in_any_order(&self, order: &mut Vec<u32>, later: &mut Vec<Vec<u32>>) {
        let rest: Vec<u32> = (0..self.gone.len() as u32).filter(|&vertex| !self.gone[vertex as usize]).collect();
        for (at, &vertex) in rest.iter().enumerate() {
            order.push(vertex);
            later.push(rest[at + 1..].to_vec());
        }
    }
}

/// The union of two ascending lists, as far as `keep` likes it.
fn union(a: &[u32], b: &[u32], keep: impl Fn(&u32) -> bool) -> Vec<u32> {
    let mut union = Vec::with_capacity(a.len() + b.len());
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (left.peek(), right.peek()) {
            (Some(&&x), Some(&&y)) => x.min(y),
            (Some(&&x), None) => x,
            (None, Some(&&y)) => y,
            (None, None) => return union,
        };
        left.next_if(|&&member| member == next);
        right.next_if(|&&member| member == next);
        if keep(&next) {
            union.push(next);
        }
    }
}
