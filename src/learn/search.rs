//! Cheapest routes and spanning forests for costs that are floats, as fast as a loss that asks for thousands of them needs.

use crate::instance::Graph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A cost of an arc on a route, at least, where the graph has cycles.
const LEAST: f64 = 1e-3;

/// The arcs of a graph without cycles, each before those that leave its head.
pub struct TopologicalOrder {
    /// (tail, head, arc).
    arcs: Vec<(u32, u32, u32)>,
    /// For each vertex where its arcs begin.
    first: Vec<u32>,
}

impl TopologicalOrder {
    /// `None` for a graph with a cycle.
    pub fn new(graph: &Graph) -> Option<Self> {
        let n = graph.n();
        let mut waits_for = vec![0u32; n];
        graph.arcs().for_each(|(_, head)| waits_for[head] += 1);
        let mut ready: Vec<u32> = (0..n as u32).filter(|&vertex| waits_for[vertex as usize] == 0).collect();
        let (mut arcs, mut first, mut at) = (Vec::with_capacity(graph.arc_count()), vec![0; n], 0);
        while let Some(&tail) = ready.get(at) {
            first[tail as usize] = arcs.len() as u32;
            for (arc, &head) in (graph.first_arc(tail as usize)..).zip(graph.out_neighbours(tail as usize)) {
                arcs.push((tail, head, arc as u32));
                waits_for[head as usize] -= 1;
                if waits_for[head as usize] == 0 {
                    ready.push(head);
                }
            }
            at += 1;
        }
        (ready.len() == n).then_some(TopologicalOrder { arcs, first })
    }
}

/// Shortest routes on floats, with memory that is kept from one to the next.
pub struct Search {
    best: Vec<f64>,
    /// The place in `steps` of the last step to a vertex.
    step_to: Vec<u32>,
    /// Steps that made a vertex cheaper: an arc and its tail.
    steps: Vec<(usize, u32)>,
    touched: Vec<u32>,
    waiting: BinaryHeap<Reverse<(OrderedCost, u32)>>,
    route: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq)]
struct OrderedCost(f64);

impl Eq for OrderedCost {}
impl PartialOrd for OrderedCost {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for OrderedCost {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Search {
    /// For a graph of so many vertices.
    pub fn new(n: usize) -> Self {
        Search {
            best: vec![f64::INFINITY; n],
            step_to: vec![0; n],
            steps: vec![],
            touched: vec![],
            waiting: BinaryHeap::new(),
            route: vec![],
        }
    }

    fn start(&mut self, from: u32) {
        self.touched.drain(..).for_each(|vertex| self.best[vertex as usize] = f64::INFINITY);
        self.steps.clear();
        self.best[from as usize] = 0.0;
        self.touched.push(from);
    }

    /// Whether a vertex is reached for less than before.
    fn is_step(&mut self, cost: f64, arc: usize, tail: u32, head: u32) -> bool {
        let best = &mut self.best[head as usize];
        if cost >= *best {
            return false;
        }
        if best.is_infinite() {
            self.touched.push(head);
        }
        *best = cost;
        self.step_to[head as usize] = self.steps.len() as u32;
        self.steps.push((arc, tail));
        true
    }

    /// By Dijkstra's algorithm: the arcs of a cheapest route, last first; none where there is no route.
    pub fn route(&mut self, graph: &Graph, costs: &[f64], from: u32, to: u32) -> &[usize] {
        self.start(from);
        self.waiting.clear();
        self.waiting.push(Reverse((OrderedCost(0.0), from)));
        while let Some(Reverse((OrderedCost(cost), vertex))) = self.waiting.pop() {
            if vertex == to {
                break;
            }
            if cost > self.best[vertex as usize] {
                continue;
            }
            let first = graph.first_arc(vertex as usize);
            for (arc, &head) in (first..).zip(graph.out_neighbours(vertex as usize)) {
                let reached = cost + costs[arc].max(LEAST);
                if self.is_step(reached, arc, vertex, head) {
                    self.waiting.push(Reverse((OrderedCost(reached), head)));
                }
            }
        }
        self.route.clear();
        let mut at = to;
        while at != from && self.best[at as usize].is_finite() {
            let (arc, tail) = self.steps[self.step_to[at as usize] as usize];
            self.route.push(arc);
            at = tail;
        }
        &self.route
    }

    /// The same in a graph without cycles, for costs of any sign.
    pub fn route_in_order(&mut self, order: &TopologicalOrder, costs: &[f64], from: u32, to: u32) -> &[usize] {
        self.best.fill(f64::INFINITY);
        self.best[from as usize] = 0.0;
        let [first, last] = [from, to].map(|vertex| order.first[vertex as usize] as usize);
        for (place, &(tail, head, arc)) in order.arcs.iter().enumerate().take(last).skip(first) {
            let reached = self.best[tail as usize] + costs[arc as usize];
            if reached < self.best[head as usize] {
                self.best[head as usize] = reached;
                self.step_to[head as usize] = place as u32;
            }
        }
        self.route.clear();
        let mut at = to;
        while at != from && self.best[at as usize].is_finite() {
            let (tail, _, arc) = order.arcs[self.step_to[at as usize] as usize];
            self.route.push(arc as usize);
            at = tail;
        }
        &self.route
    }
}

/// The arcs (each edge's from its lower end) of a cheapest spanning forest, by Kruskal's algorithm.
pub fn cheapest_forest(n: usize, ends: &[(u32, u32)], costs: &[f64]) -> Vec<usize> {
    let mut arcs: Vec<usize> = (0..ends.len()).filter(|&arc| ends[arc].0 < ends[arc].1).collect();
    arcs.sort_by(|&one, &other| costs[one].total_cmp(&costs[other]));
    let mut leader: Vec<u32> = (0..n as u32).collect();
    arcs.retain(|&arc| {
        let [one, other] = [ends[arc].0, ends[arc].1].map(|vertex| leader_of(&mut leader, vertex));
        leader[one as usize] = other;
        one != other
    });
    arcs
}

fn leader_of(leader: &mut [u32], mut vertex: u32) -> u32 {
    while leader[vertex as usize] != vertex {
        leader[vertex as usize] = leader[leader[vertex as usize] as usize];
        vertex = leader[vertex as usize];
    }
    vertex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn routes_in_topological_order_are_the_cheapest_of_all() {
        let mut rng = Rng::stream(0, "routes in order", 0);
        let n = 7;
        for _ in 0..200 {
            let pairs = (0..n).flat_map(|tail| (tail + 1..n).map(move |head| (head, tail)));
            let graph = Graph::from_edges(n, pairs.filter(|_| rng.chance(0.5)).collect::<Vec<_>>()).unwrap();
            let costs: Vec<f64> = (0..graph.arc_count()).map(|_| rng.unit() - 0.3).collect();
            let order = TopologicalOrder::new(&graph).unwrap();
            let mut search = Search::new(n);
            for (from, to) in [(6, 0), (5, 1), (6, 2), (0, 6), (3, 3)] {
                let route = search.route_in_order(&order, &costs, from, to).to_vec();
                let all = all_routes(&graph, from as usize, to as usize);
                let cost = |route: &[usize]| route.iter().map(|&arc| costs[arc]).sum::<f64>();
                let least = all.iter().map(|route| cost(route)).fold(f64::INFINITY, f64::min);
                match all.is_empty() {
                    true => assert!(route.is_empty()),
                    false => assert!((cost(&route) - least).abs() < 1e-12),
                }
            }
        }
        assert!(TopologicalOrder::new(&Graph::from_edges(2, [(0, 1), (1, 0)]).unwrap()).is_none());
    }

    /// The arcs of every route, by the definition.
    fn all_routes(graph: &Graph, from: usize, to: usize) -> Vec<Vec<usize>> {
        if from == to {
            return vec![vec![]];
        }
        let first = graph.first_arc(from);
        let arcs = (first..).zip(graph.out_neighbours(from));
        let rest = |(arc, &head): (usize, &u32)| {
            let routes = all_routes(graph, head as usize, to).into_iter();
            routes.map(move |mut route| {
                route.push(arc);
                route
            })
        };
        arcs.flat_map(rest).collect()
    }
}
