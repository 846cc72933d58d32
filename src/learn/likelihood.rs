//! The exact likelihood of observed routes under a recursive logit, and its gradient.
//!
//! A traveller at u who wants to reach d takes the arc (u, v) with probability m(u, v) z(v) / z(u), where m = exp(-cost) and z(v) is the total weight of all
//! walks from v that end when they first reach d. So a route has probability exp(-its cost) / z(origin), and the cheapest route is the likeliest.
//! With G of [`super::walks`], z(v) = G(v, d) / G(d, d): one factorisation serves every destination, and each destination costs two
//! sparse solves, one for z and one for the gradient: d log z(o) / d cost = -(expected use of each arc).
//!
//! Destinations are taken in fixed blocks, and blocks are summed in their order, so the result does not depend on threads.

use super::walks::{LANES, Lanes, WalkOrder, WalkSums};
use crate::cancel;
use crate::instance::Graph;
use rayon::prelude::*;

/// An observed route.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedRoute {
    /// Where it starts.
    pub origin: u32,
    /// Where it ends.
    pub destination: u32,
    /// The arcs between, by their place among all arcs.
    pub arcs: Vec<u32>,
    /// How much it counts.
    pub weight: f64,
}

/// A loss of costs: its value and its derivative with respect to the cost of each arc.
#[derive(Clone, Debug, PartialEq)]
pub struct LossAtCosts {
    /// The loss.
    pub value: f64,
    /// One entry for each arc.
    pub slope: Vec<f64>,
}

/// Routes that share a cost of arcs, sorted by where they end.
pub struct RouteLikelihood<'a> {
    order: &'a WalkOrder,
    /// How often each arc was used.
    used: Vec<f64>,
    destinations: Vec<Destination>,
}

struct Destination {
    place: usize,
    /// Places of origins with the weight of the routes from there.
    origins: Vec<(usize, f64)>,
}

impl<'a> RouteLikelihood<'a> {
    /// Of these routes; those without an arc say nothing.
    pub fn new<'r>(graph: &Graph, order: &'a WalkOrder, routes: impl IntoIterator<Item = &'r ObservedRoute>) -> Self {
        let mut used = vec![0.0; graph.arc_count()];
        let mut ends: Vec<(usize, usize, f64)> = vec![];
        for route in routes.into_iter().filter(|route| !route.arcs.is_empty()) {
            route.arcs.iter().for_each(|&arc| used[arc as usize] += route.weight);
            let [destination, origin] = [route.destination, route.origin].map(|vertex| order.place(vertex as usize));
            ends.push((destination, origin, route.weight));
        }
        ends.sort_by_key(|&(destination, origin, _)| (destination, origin));
        let destinations = ends.chunk_by(|one, other| one.0 == other.0).map(|group| {
            let origins = group.chunk_by(|one, other| one.1 == other.1);
            let origins = origins.map(|same| (same[0].1, same.iter().map(|&(.., weight)| weight).sum()));
            Destination { place: group[0].0, origins: origins.collect() }
        });
        RouteLikelihood { order, used, destinations: destinations.collect() }
    }

    /// How often each arc was used.
    pub fn used(&self) -> &[f64] {
        &self.used
    }

    /// The negative logarithm of the likelihood; `None` where it does not exist, because the sum over walks diverges or a
    /// destination is too far to be represented.
    pub fn loss(&self, costs: &[f64]) -> Option<LossAtCosts> {
        let weights: Vec<f64> = costs.iter().map(|cost| (-cost).exp()).collect();
        let sums = self.order.sums(&weights)?;
        let blocks: Option<Vec<(f64, Vec<f64>)>> =
            self.destinations.par_chunks(LANES).map(|block| self.block(&sums, block)).collect();
        let mut value: f64 = self.used.iter().zip(costs).map(|(used, cost)| used * cost).sum();
        let mut slope = self.used.clone();
        for (log_sums, flow) in blocks? {
            value += log_sums;
            // The flow of a block lacks the weight of the arc, which is the same in all of them.
            slope.iter_mut().zip(flow.iter().zip(&weights)).for_each(|(slope, (flow, weight))| *slope -= flow * weight);
        }
        Some(LossAtCosts { value, slope })
    }

    /// The sum of log z over the origins of some destinations, and the sum of a(u) z(v) for each arc (u, v), where a(u) is the
    /// weight of walks from the origins to u that avoid the destination, each divided by z(origin).
    fn block(&self, sums: &WalkSums, block: &[Destination]) -> Option<(f64, Vec<f64>)> {
        cancel::point();
        let n = self.order.size();
        let mut reach: Vec<Lanes> = vec![[0.0; LANES]; n];
        block.iter().enumerate().for_each(|(lane, destination)| reach[destination.place][lane] = 1.0);
        sums.solve(&mut reach);
        let mut log_sums = 0.0;
        let mut avoiding: Vec<Lanes> = vec![[0.0; LANES]; n];
        for (lane, destination) in block.iter().enumerate() {
            let own = reach[destination.place][lane];
            reach.iter_mut().for_each(|cells| cells[lane] /= own);
            let mut through = 0.0;
            for &(origin, weight) in &destination.origins {
                let sum = reach[origin][lane];
                if !sum.is_normal() {
                    return None;
                }
                log_sums += weight * sum.ln();
                avoiding[origin][lane] += weight / sum;
                through += weight;
            }
            // Walks that pass the destination are taken off: they would leave it again from there.
            avoiding[destination.place][lane] -= through;
        }
        sums.solve_transposed(&mut avoiding);
        for (lane, destination) in block.iter().enumerate() {
            avoiding[destination.place][lane] = 0.0;
        }
        let mut flow = vec![0.0; self.used.len()];
        for (place, tail) in avoiding.iter().enumerate() {
            for &(head, arc) in self.order.arcs_of(place) {
                let head = &reach[head as usize];
                flow[arc as usize] += tail.iter().zip(head).map(|(tail, head)| tail * head).sum::<f64>();
            }
        }
        Some((log_sums, flow))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diamond() -> Graph {
        Graph::from_edges(5, [(0, 1), (0, 2), (1, 3), (2, 3), (1, 2), (3, 0), (3, 4), (4, 0)]).unwrap()
    }

    fn route(graph: &Graph, vertices: &[u32]) -> ObservedRoute {
        let arcs = vertices.windows(2).map(|pair| graph.arc(pair[0] as usize, pair[1] as usize).unwrap() as u32);
        ObservedRoute { origin: vertices[0], destination: *vertices.last().unwrap(), arcs: arcs.collect(), weight: 1.0 }
    }

    /// By the definition: walks that end at their first visit, listed one by one until their weight is nothing.
    fn log_sum_by_walks(graph: &Graph, costs: &[f64], origin: usize, destination: usize) -> f64 {
        let (mut at, mut total) = (vec![0.0; graph.n()], 0.0);
        at[origin] = 1.0;
        for _ in 0..2000 {
            let mut next = vec![0.0; graph.n()];
            for (arc, (tail, head)) in graph.arcs().enumerate() {
                next[head] += at[tail] * (-costs[arc]).exp();
            }
            total += std::mem::take(&mut next[destination]);
            at = next;
        }
        total.ln()
    }

    #[test]
    fn the_likelihood_is_that_of_all_walks_and_the_slope_its_derivative() {
        let graph = diamond();
        let order = WalkOrder::new(&graph, u64::MAX).unwrap();
        let routes = [&[0, 1, 3][..], &[0, 2, 3], &[1, 2, 3, 0], &[3, 4], &[0, 1, 3, 4], &[2, 3, 0]];
        let routes: Vec<ObservedRoute> = routes.iter().map(|vertices| route(&graph, vertices)).collect();
        let likelihood = RouteLikelihood::new(&graph, &order, &routes);
        let costs = [0.7, 0.9, 1.1, 0.5, 0.4, 1.0, 0.8, 0.6];
        let found = likelihood.loss(&costs).unwrap();
        let by_walks = |costs: &[f64]| -> f64 {
            let cost = |route: &ObservedRoute| route.arcs.iter().map(|&arc| costs[arc as usize]).sum::<f64>();
            let sum = |route: &ObservedRoute| {
                log_sum_by_walks(&graph, costs, route.origin as usize, route.destination as usize)
            };
            routes.iter().map(|route| cost(route) + sum(route)).sum()
        };
        assert!((found.value - by_walks(&costs)).abs() < 1e-9);
        for arc in 0..graph.arc_count() {
            let moved = |by: f64| {
                let mut costs = costs;
                costs[arc] += by;
                by_walks(&costs)
            };
            let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((found.slope[arc] - difference).abs() < 1e-6, "{arc}: {} {difference}", found.slope[arc]);
        }
    }

    #[test]
    fn costs_for_which_walks_diverge_have_no_likelihood() {
        let graph = Graph::from_edges(3, [(0, 1), (1, 0), (1, 2)]).unwrap();
        let order = WalkOrder::new(&graph, u64::MAX).unwrap();
        let routes = [route(&graph, &[0, 1, 2])];
        let likelihood = RouteLikelihood::new(&graph, &order, &routes);
        assert!(likelihood.loss(&[0.1, 0.1, 0.1]).is_some());
        assert!(likelihood.loss(&[0.0, 0.0, 0.1]).is_none());
        assert!(likelihood.loss(&[400.0, 0.1, 400.0]).is_none());
    }
}
