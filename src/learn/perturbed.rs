//! The perturbed Fenchel-Young loss: it needs nothing of a problem but that it can be solved (Berthet et al., 2020).
//!
//! With normal noise Z on the cost of every arc, F(c) = E min over answers y of <c + Z, y> is smooth and concave, and its slope is the expected use of each arc. The
//! loss of an observed answer is <c, y> - F(c); its slope is the answer's use less the expected one. The expectation is a mean over draws that are fixed by the
//! seed, the observation and the draw, so the loss is one function, the same on any number of threads.
//!
//! Items are selected for their weight, and much of it is good: there the costs are weights, F(w) = E max, and the loss is F(w) - <w, y>.
//!
//! A search for routes needs positive costs, so it takes one that noise brings below [`LEAST`] for that; the value and the slope keep the noise as it is. (If
//! they were cut off, too, small costs would gain by it, and all costs would shrink to nothing.) Costs of a fit are mostly well above the noise.

use super::city::normal;
use super::likelihood::{LossAtCosts, ObservedRoute};
use crate::cancel;
use crate::instance::Graph;
use crate::problems::Space;
use crate::random::Rng;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Draws for each observation.
const DRAWS: usize = 4;
/// Observations that are summed before others are added: the sum does not depend on threads.
const BLOCK: usize = 32;
/// A perturbed cost of an arc on a route, at least.
const LEAST: f64 = 1e-3;

/// What an observation answers.
#[derive(Clone, Copy)]
pub enum Question<'a> {
    /// A cheapest route between its ends.
    Route,
    /// A cheapest spanning forest of the whole graph.
    Spanning,
    /// A heaviest set of items that these sets allow; arc i is item i.
    Selection(&'a dyn Space),
}

impl Question<'_> {
    /// Whether routes are observed, or sets.
    pub fn is_route(self) -> bool {
        matches!(self, Question::Route)
    }

    /// Whether items are selected: much is good.
    pub fn is_selection(self) -> bool {
        matches!(self, Question::Selection(_))
    }

    /// The arcs of the best set; none where routes are asked for.
    pub fn best_set(self, n: usize, ends: &[(u32, u32)], costs: &[f64]) -> Vec<usize> {
        match self {
            Question::Route => vec![],
            Question::Spanning => cheapest_forest(n, ends, costs),
            Question::Selection(sets) => sets.heaviest(costs).expect("who has no weights is refused before"),
        }
    }
}

/// Observed answers that share a cost of arcs.
pub struct PerturbedLoss<'a> {
    graph: &'a Graph,
    question: Question<'a>,
    /// Each with its index among all observations, which keys its noise.
    observed: Vec<(u64, ObservedRoute)>,
    used: Vec<f64>,
    ends: Vec<(u32, u32)>,
    seed: u64,
}

impl<'a> PerturbedLoss<'a> {
    /// Of these observations.
    pub fn new(graph: &'a Graph, question: Question<'a>, observed: Vec<(u64, ObservedRoute)>, seed: u64) -> Self {
        let mut used = vec![0.0; graph.arc_count()];
        for (_, answer) in &observed {
            answer.arcs.iter().for_each(|&arc| used[arc as usize] += answer.weight);
        }
        let ends = graph.arcs().map(|(tail, head)| (tail as u32, head as u32)).collect();
        PerturbedLoss { graph, question, observed, used, ends, seed }
    }

    /// How often each arc was used.
    pub fn used(&self) -> &[f64] {
        &self.used
    }

    /// The loss at these costs.
    pub fn loss(&self, costs: &[f64]) -> LossAtCosts {
        let blocks: Vec<(f64, Vec<f64>)> =
            self.observed.par_chunks(BLOCK).map(|block| self.block(costs, block)).collect();
        let mut value: f64 = self.used.iter().zip(costs).map(|(used, cost)| used * cost).sum();
        let mut slope = self.used.clone();
        for (best, expected) in blocks {
            value -= best;
            slope.iter_mut().zip(expected).for_each(|(slope, expected)| *slope -= expected);
        }
        if self.question.is_selection() {
            value = -value;
            slope.iter_mut().for_each(|slope| *slope = -*slope);
        }
        LossAtCosts { value, slope }
    }

    fn block(&self, costs: &[f64], block: &[(u64, ObservedRoute)]) -> (f64, Vec<f64>) {
        let (mut best, mut expected) = (0.0, vec![0.0; costs.len()]);
        let mut search = Search::new(self.graph.n());
        for (index, observed) in block {
            let share = observed.weight / DRAWS as f64;
            for draw in 0..DRAWS as u64 {
                cancel::point();
                let mut rng = Rng::stream(self.seed, "perturbed costs", index * DRAWS as u64 + draw);
                let noisy: Vec<f64> = costs.iter().map(|cost| cost + normal(&mut rng)).collect();
                let answer = match self.question {
                    Question::Route => search.route(self.graph, &noisy, observed.origin, observed.destination),
                    set => set.best_set(self.graph.n(), &self.ends, &noisy),
                };
                for arc in answer {
                    best += share * noisy[arc];
                    expected[arc] += share;
                }
            }
        }
        (best, expected)
    }
}

/// Dijkstra's algorithm on floats, its memory kept from one route to the next.
struct Search {
    best: Vec<f64>,
    arc_to: Vec<u32>,
    touched: Vec<u32>,
    waiting: BinaryHeap<Reverse<(OrderedCost, u32)>>,
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
    fn new(n: usize) -> Self {
        Search { best: vec![f64::INFINITY; n], arc_to: vec![0; n], touched: vec![], waiting: BinaryHeap::new() }
    }

    /// The arcs of a cheapest route, last first; none where there is no route.
    fn route(&mut self, graph: &Graph, costs: &[f64], from: u32, to: u32) -> Vec<usize> {
        self.touched.drain(..).for_each(|vertex| self.best[vertex as usize] = f64::INFINITY);
        self.waiting.clear();
        self.best[from as usize] = 0.0;
        self.touched.push(from);
        self.waiting.push(Reverse((OrderedCost(0.0), from)));
        let mut tails = vec![];
        while let Some(Reverse((OrderedCost(cost), vertex))) = self.waiting.pop() {
            if vertex == to {
                break;
            }
            if cost > self.best[vertex as usize] {
                continue;
            }
            let first = graph.first_arc(vertex as usize);
            for (place, &head) in graph.out_neighbours(vertex as usize).iter().enumerate() {
                let reached = cost + costs[first + place].max(LEAST);
                if reached < self.best[head as usize] {
                    self.best[head as usize] = reached;
                    self.arc_to[head as usize] = tails.len() as u32;
                    tails.push((first + place, vertex));
                    self.touched.push(head);
                    self.waiting.push(Reverse((OrderedCost(reached), head)));
                }
            }
        }
        let (mut route, mut at) = (vec![], to);
        while at != from && self.best[at as usize].is_finite() {
            let (arc, tail) = tails[self.arc_to[at as usize] as usize];
            route.push(arc);
            at = tail;
        }
        route
    }
}

/// The arcs (each edge's from its lower end) of a cheapest spanning forest, by Kruskal's algorithm.
fn cheapest_forest(n: usize, ends: &[(u32, u32)], costs: &[f64]) -> Vec<usize> {
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
    use crate::instance::{Decimal, Instance, Items};
    use crate::problems::tasks::{TASK, Tasks};

    #[test]
    fn slopes_of_the_smoothed_loss_are_central_differences() {
        let directed = Graph::from_edges(5, [(0, 1), (0, 2), (1, 3), (2, 3), (1, 2), (3, 4), (2, 4)]).unwrap();
        let undirected = Graph::undirected(4, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]).unwrap();
        let answer =
            |origin, destination, arcs: &[u32]| ObservedRoute { origin, destination, arcs: arcs.to_vec(), weight: 1.0 };
        let routes: Vec<(u64, ObservedRoute)> = (0..60).map(|index| (index, answer(0, 4, &[0, 2, 6]))).collect();
        let trees: Vec<(u64, ObservedRoute)> = (0..60).map(|index| (index, answer(0, 0, &[0, 1, 2]))).collect();
        let due = [1, 1, 2, 3, 3].map(Decimal::whole).to_vec();
        let items = Items::new(&TASK, vec![due, vec![Decimal::whole(1); 5]]).unwrap();
        let instance = Instance::of_items(items);
        let tasks = Tasks::new("tasks", &instance).unwrap();
        let loops = Graph::from_edges(5, (0..5).map(|task| (task, task))).unwrap();
        let sets: Vec<(u64, ObservedRoute)> = (0..60).map(|index| (index, answer(0, 0, &[1, 2, 4]))).collect();
        for loss in [
            PerturbedLoss::new(&directed, Question::Route, routes, 0),
            PerturbedLoss::new(&undirected, Question::Spanning, trees, 0),
            PerturbedLoss::new(&loops, Question::Selection(&tasks), sets, 0),
        ] {
            let costs: Vec<f64> = (0..loss.graph.arc_count()).map(|arc| 2.0 + 0.3 * (arc % 4) as f64).collect();
            let found = loss.loss(&costs);
            for arc in 0..costs.len() {
                let moved = |by: f64| {
                    let mut costs = costs.clone();
                    costs[arc] += by;
                    loss.loss(&costs).value
                };
                // The mean over draws is piecewise linear: a step so small that hardly any draw changes its answer.
                let difference = (moved(1e-7) - moved(-1e-7)) / 2e-7;
                assert!((found.slope[arc] - difference).abs() < 1e-4, "{arc}: {} {difference}", found.slope[arc]);
            }
        }
    }

    #[test]
    fn the_result_does_not_depend_on_threads() {
        let graph = Graph::from_edges(4, [(0, 1), (0, 2), (1, 3), (2, 3), (1, 2)]).unwrap();
        let route = ObservedRoute { origin: 0, destination: 3, arcs: vec![0, 2], weight: 1.0 };
        let loss =
            PerturbedLoss::new(&graph, Question::Route, (0..200).map(|index| (index, route.clone())).collect(), 3);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| loss.loss(&[1.1, 1.0, 1.2, 0.9, 0.8]))
        };
        assert_eq!(on(1), on(3));
    }
}
