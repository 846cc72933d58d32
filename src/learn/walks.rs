//! Sums over all walks of a graph, by one sparse factorisation.
//!
//! Let an arc weigh m(u, v) = exp(-cost), and a walk the product of its arcs. The total weight of all walks from u to v is the entry (u, v) of
//! G = (I - M)^-1 = I + M + M² + …, which exists exactly when the spectral radius of M is below one. I - M is then an M-matrix: elimination needs no
//! pivoting, every pivot is positive, and nothing cancels, because numbers that are not negative are only added and multiplied. A pivot that is
//! not positive is the proof that the sum diverges.
//!
//! The order of elimination (vertices of least degree first) and the arcs that arise by it depend on the graph alone and are found once.

use crate::instance::Graph;
use crate::problems::grouped::Grouped;
use crate::problems::trees::{Conductances, Elimination};

/// Right-hand sides that are solved side by side.
pub const LANES: usize = 8;

/// One number for each right-hand side.
pub type Lanes = [f64; LANES];

/// A pivot that is not larger than this counts as zero.
const LEAST_PIVOT: f64 = 1e-10;

/// The order in which the vertices of a graph are eliminated.
pub struct WalkOrder {
    elimination: Elimination,
    later: Grouped<u32>,
    /// For each place the arcs that leave its vertex: the place of the head, and the arc.
    rows: Grouped<(u32, u32)>,
}

/// Factors of I - M; their entries off the diagonal have the opposite sign.
pub struct WalkSums<'a> {
    order: &'a WalkOrder,
    inverse_pivots: Vec<f64>,
    /// As `later` of the order.
    upper: Vec<f64>,
    /// As `earlier` of the elimination.
    lower: Vec<f64>,
}

impl WalkOrder {
    /// The order for a graph; `None` when a factorisation takes more than `limit` multiplications.
    pub fn new(graph: &Graph, limit: u64) -> Option<Self> {
        let n = graph.n();
        let row = |vertex: usize| graph.out_neighbours(vertex).iter().map(|&head| (head, ())).collect();
        let elimination = Elimination::new(&Conductances::new((0..n).map(|vertex| (row(vertex), ()))), limit)?;
        let later = elimination.later.iter().enumerate();
        let later: Vec<(usize, u32)> = later.flat_map(|(at, list)| list.iter().map(move |&to| (at, to))).collect();
        let later = Grouped::new(n, later.iter().copied());
        let place = |vertex: usize| elimination.place[vertex];
        let arcs = graph.arcs().enumerate().filter(|(_, (tail, head))| tail != head);
        let arcs: Vec<_> = arcs.map(|(arc, (tail, head))| (place(tail) as usize, (place(head), arc as u32))).collect();
        let rows = Grouped::new(n, arcs.iter().copied());
        Some(WalkOrder { elimination, later, rows })
    }

    /// The place of a vertex in the order: solutions stand in that order.
    pub fn place(&self, vertex: usize) -> usize {
        self.elimination.place[vertex] as usize
    }

    /// The arcs that leave the vertex of a place: the place of the head, and the arc. Loops are no part of any route.
    pub fn arcs_of(&self, place: usize) -> &[(u32, u32)] {
        self.rows.of(place)
    }

    /// The number of vertices.
    pub fn size(&self) -> usize {
        self.elimination.order.len()
    }

    /// Factors I - M, where `weights` has an entry of M for each arc; `None` when the sum over walks diverges.
    pub fn sums(&self, weights: &[f64]) -> Option<WalkSums<'_>> {
        let n = self.size();
        let mut sums = WalkSums {
            order: self,
            inverse_pivots: Vec::with_capacity(n),
            upper: Vec::with_capacity(self.later.len()),
            lower: Vec::with_capacity(self.later.len()),
        };
        let mut first = Vec::with_capacity(n);
        let mut row = vec![0.0; n];
        for at in 0..n {
            for &(head, arc) in self.rows.of(at) {
                row[head as usize] += weights[arc as usize];
            }
            // What walks that come back to this vertex through earlier ones weigh.
            let mut returning = 0.0;
            for &through in self.elimination.earlier.of(at) {
                let through = through as usize;
                let share = std::mem::take(&mut row[through]) * sums.inverse_pivots[through];
                sums.lower.push(share);
                let places = self.later.of(through);
                let entries = &sums.upper[first[through]..first[through] + places.len()];
                for (&place, &entry) in places.iter().zip(entries) {
                    row[place as usize] += share * entry;
                }
            }
            returning += std::mem::take(&mut row[at]);
            let pivot = 1.0 - returning;
            // NaN counts as no.
            if pivot.is_nan() || pivot <= LEAST_PIVOT {
                return None;
            }
            sums.inverse_pivots.push(1.0 / pivot);
            first.push(sums.upper.len());
            sums.upper.extend(self.later.of(at).iter().map(|&to| std::mem::take(&mut row[to as usize])));
        }
        Some(sums)
    }
}

impl WalkSums<'_> {
    /// Solves (I - M) x = b for several b at once, in place. Cells stand by place.
    pub fn solve(&self, cells: &mut [Lanes]) {
        let (order, mut entry) = (self.order, 0);
        for at in 0..order.size() {
            let mut sum = cells[at];
            for &through in order.elimination.earlier.of(at) {
                add_multiple(&mut sum, self.lower[entry], &cells[through as usize]);
                entry += 1;
            }
            cells[at] = sum;
        }
        let mut end = self.upper.len();
        for at in (0..order.size()).rev() {
            let places = order.later.of(at);
            let mut sum = cells[at];
            for (&to, &weight) in places.iter().zip(&self.upper[end - places.len()..end]) {
                add_multiple(&mut sum, weight, &cells[to as usize]);
            }
            end -= places.len();
            sum.iter_mut().for_each(|value| *value *= self.inverse_pivots[at]);
            cells[at] = sum;
        }
    }

    /// Solves (I - M)ᵀ x = b for several b at once, in place.
    pub fn solve_transposed(&self, cells: &mut [Lanes]) {
        let (order, mut start) = (self.order, 0);
        for at in 0..order.size() {
            let mut own = cells[at];
            own.iter_mut().for_each(|value| *value *= self.inverse_pivots[at]);
            cells[at] = own;
            let places = order.later.of(at);
            for (&to, &weight) in places.iter().zip(&self.upper[start..]) {
                add_multiple(&mut cells[to as usize], weight, &own);
            }
            start += places.len();
        }
        let mut end = self.lower.len();
        for at in (0..order.size()).rev() {
            let own = cells[at];
            let places = order.elimination.earlier.of(at);
            for (&through, &weight) in places.iter().zip(&self.lower[end - places.len()..end]) {
                add_multiple(&mut cells[through as usize], weight, &own);
            }
            end -= places.len();
        }
    }
}

fn add_multiple(sum: &mut Lanes, factor: f64, values: &Lanes) {
    for lane in 0..LANES {
        sum[lane] += factor * values[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    fn random(n: usize, rng: &mut Rng) -> (Graph, Vec<f64>) {
        let pairs = (0..n * n).map(|pair| (pair / n, pair % n)).filter(|(tail, head)| tail != head);
        let graph = Graph::from_edges(n, pairs.filter(|_| rng.chance(0.4)).collect::<Vec<_>>()).unwrap();
        let weights = (0..graph.arc_count()).map(|_| rng.unit() / n as f64).collect();
        (graph, weights)
    }

    /// (I - M) x, and (I - M)ᵀ x.
    fn product(graph: &Graph, weights: &[f64], x: &[f64], transposed: bool) -> Vec<f64> {
        let mut result = x.to_vec();
        for (arc, (tail, head)) in graph.arcs().enumerate() {
            let (row, column) = if transposed { (head, tail) } else { (tail, head) };
            result[row] -= weights[arc] * x[column];
        }
        result
    }

    #[test]
    fn solutions_solve_both_systems() {
        let mut rng = Rng::stream(0, "walk sums", 0);
        for n in [1, 2, 5, 9, 14] {
            let (graph, weights) = random(n, &mut rng);
            let order = WalkOrder::new(&graph, u64::MAX).unwrap();
            let sums = order.sums(&weights).unwrap();
            for transposed in [false, true] {
                let right: Vec<Lanes> = (0..n).map(|_| std::array::from_fn(|_| rng.unit())).collect();
                let mut cells = right.clone();
                if transposed {
                    sums.solve_transposed(&mut cells)
                } else {
                    sums.solve(&mut cells)
                }
                for lane in 0..LANES {
                    let x: Vec<f64> = (0..n).map(|vertex| cells[order.place(vertex)][lane]).collect();
                    for (vertex, value) in product(&graph, &weights, &x, transposed).into_iter().enumerate() {
                        assert!((value - right[order.place(vertex)][lane]).abs() < 1e-12);
                    }
                }
            }
        }
    }

    #[test]
    fn a_sum_that_diverges_is_refused() {
        let cycle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
        let order = WalkOrder::new(&cycle, u64::MAX).unwrap();
        assert!(order.sums(&[0.99, 1.0, 1.0]).is_some());
        assert!(order.sums(&[1.0, 1.0, 1.0]).is_none());
        assert!(order.sums(&[2.0, 1.0, 1.0]).is_none());
        assert!(order.sums(&[f64::NAN, 1.0, 1.0]).is_none());
    }
}
