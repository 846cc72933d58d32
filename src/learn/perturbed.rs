//! The perturbed Fenchel-Young loss: it needs nothing of a problem but that it can be solved (Berthet et al., 2020).
//!
//! With normal noise Z on the cost of every arc, F(c) = E min over answers y of <c + Z, y> is smooth and concave, and its slope is the expected use of each arc. The
//! loss of an observed answer is <c, y> - F(c); its slope is the answer's use less the expected one. The expectation is a mean over draws that are fixed by the
//! seed, the observation and the draw, so the loss is one function, the same on any number of threads.
//!
//! Items are selected for their weight, and much of it is good: there the costs are weights, F(w) = E max, and the loss is F(w) - <w, y>.
//!
//! Where a graph has cycles, a search for routes needs positive costs, so it takes one that noise brings below a thousandth for that; the value and the slope keep the noise
//! as it is. (If they were cut off, too, small costs would gain by it, and all costs would shrink to nothing.) Costs of a fit are mostly well above the noise.

use super::city::normals;
use super::likelihood::{LossAtCosts, ObservedRoute};
use super::search::{Search, TopologicalOrder, cheapest_forest};
use crate::cancel;
use crate::instance::Graph;
use crate::problems::Space;
use crate::random::Rng;
use rayon::prelude::*;

/// Draws for each observation, at the least and at the most: few observations get more, lest their noise be learnt.
const DRAWS: std::ops::RangeInclusive<usize> = 4..=40;
/// Perturbed costs of all draws together, below which there are more draws.
const ENOUGH: usize = 400_000;
/// Perturbed costs of all draws together that are kept, at the most; others are drawn again whenever they are needed.
const KEPT: usize = 4_000_000;
/// Observations that are summed before others are added: the sum does not depend on threads.
const BLOCK: usize = 32;

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

/// How costs are perturbed, in the same way for every sample of the observations.
pub struct Perturbation {
    ends: Vec<(u32, u32)>,
    topological: Option<TopologicalOrder>,
    seed: u64,
    draws: usize,
    /// The noise of every arc, for all draws of all observations, or nothing where that is too much.
    kept: Vec<f64>,
}

impl Perturbation {
    /// For so many observed answers.
    pub fn new(graph: &Graph, question: Question, answers: usize, seed: u64) -> Self {
        let numbers = answers * graph.arc_count();
        let draws = (ENOUGH / numbers.max(1)).clamp(*DRAWS.start(), *DRAWS.end());
        let ends = graph.arcs().map(|(tail, head)| (tail as u32, head as u32)).collect();
        let topological = question.is_route().then(|| TopologicalOrder::new(graph)).flatten();
        let mut new = Perturbation { ends, topological, seed, draws, kept: vec![] };
        if numbers * draws <= KEPT {
            let mut kept = vec![0.0; numbers * draws];
            let rows = kept.chunks_mut(graph.arc_count().max(1)).enumerate();
            rows.for_each(|(draw, row)| new.draw(draw as u64, row));
            new.kept = kept;
        }
        new
    }

    fn draw(&self, draw: u64, noise: &mut [f64]) {
        normals(&mut Rng::stream(self.seed, "perturbed costs", draw), noise);
    }

    /// The costs of one of all draws.
    fn perturb(&self, draw: usize, costs: &[f64], noisy: &mut [f64]) {
        if self.kept.is_empty() {
            self.draw(draw as u64, noisy);
            noisy.iter_mut().zip(costs).for_each(|(noisy, cost)| *noisy += cost);
        } else {
            let noise = &self.kept[draw * costs.len()..][..costs.len()];
            noisy.iter_mut().zip(noise.iter().zip(costs)).for_each(|(noisy, (noise, cost))| *noisy = noise + cost);
        }
    }
}

/// Observed answers that share a cost of arcs.
pub struct PerturbedLoss<'a> {
    graph: &'a Graph,
    question: Question<'a>,
    perturbation: &'a Perturbation,
    /// Each with its index among all observations, which keys its noise.
    observed: Vec<(u64, ObservedRoute)>,
    used: Vec<f64>,
}

impl<'a> PerturbedLoss<'a> {
    /// Of these observations.
    pub fn new(
        graph: &'a Graph,
        question: Question<'a>,
        perturbation: &'a Perturbation,
        observed: Vec<(u64, ObservedRoute)>,
    ) -> Self {
        let mut used = vec![0.0; graph.arc_count()];
        for (_, answer) in &observed {
            answer.arcs.iter().for_each(|&arc| used[arc as usize] += answer.weight);
        }
        PerturbedLoss { graph, question, perturbation, observed, used }
    }

    /// How often each arc was used.
    pub fn used(&self) -> &[f64] {
        &self.used
    }

    /// The loss at these costs.
    pub fn loss(&self, costs: &[f64]) -> LossAtCosts {
        let blocks: Vec<(f64, Vec<f64>)> = match self.observed.len() {
            // Many contexts have one observation each: they are what runs side by side.
            ..=BLOCK => vec![self.block(costs, &self.observed)],
            _ => self.observed.par_chunks(BLOCK).map(|block| self.block(costs, block)).collect(),
        };
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
        let Perturbation { ends, topological, draws, .. } = self.perturbation;
        let (mut best, mut expected) = (0.0, vec![0.0; costs.len()]);
        let mut search = Search::new(self.graph.n());
        let mut noisy = vec![0.0; costs.len()];
        for (index, observed) in block {
            let share = observed.weight / *draws as f64;
            for draw in 0..*draws {
                cancel::point();
                self.perturbation.perturb(*index as usize * draws + draw, costs, &mut noisy);
                let (from, to) = (observed.origin, observed.destination);
                let set;
                let answer = match (self.question, topological) {
                    (Question::Route, Some(order)) => search.route_in_order(order, &noisy, from, to),
                    (Question::Route, None) => search.route(self.graph, &noisy, from, to),
                    (question, _) => {
                        set = question.best_set(self.graph.n(), ends, &noisy);
                        &set
                    }
                };
                for &arc in answer {
                    best += share * noisy[arc];
                    expected[arc] += share;
                }
            }
        }
        (best, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{Decimal, Instance, Items};
    use crate::problems::tasks::{TASK, Tasks};

    #[test]
    fn slopes_of_the_smoothed_loss_are_central_differences() {
        let directed = Graph::from_edges(5, [(0, 1), (0, 2), (1, 3), (2, 3), (1, 2), (3, 4), (2, 4)]).unwrap();
        let cyclic = Graph::from_edges(5, [(0, 1), (0, 2), (1, 3), (2, 3), (1, 2), (3, 4), (2, 4), (3, 0)]).unwrap();
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
        for (graph, question, observed) in [
            (&directed, Question::Route, routes.clone()),
            (&cyclic, Question::Route, routes),
            (&undirected, Question::Spanning, trees),
            (&loops, Question::Selection(&tasks), sets),
        ] {
            let perturbation = Perturbation::new(graph, question, 60, 0);
            let loss = PerturbedLoss::new(graph, question, &perturbation, observed);
            let costs: Vec<f64> = (0..graph.arc_count()).map(|arc| 2.0 + 0.3 * (arc % 4) as f64).collect();
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
    fn noise_that_is_not_kept_is_the_same() {
        let graph = Graph::from_edges(4, [(0, 1), (0, 2), (1, 3), (2, 3), (1, 2)]).unwrap();
        let kept = Perturbation::new(&graph, Question::Route, 9, 3);
        assert_eq!(kept.kept.len(), 9 * 40 * 5);
        let mut again = Perturbation::new(&graph, Question::Route, 9, 3);
        again.kept.clear();
        let (costs, mut one, mut other) = ([1.0, 2.0, 3.0, 4.0, 5.0], [0.0; 5], [0.0; 5]);
        for draw in [0, 7, 359] {
            kept.perturb(draw, &costs, &mut one);
            again.perturb(draw, &costs, &mut other);
            assert_eq!(one, other);
        }
    }

    #[test]
    fn the_result_does_not_depend_on_threads() {
        let graph = Graph::from_edges(4, [(0, 1), (0, 2), (1, 3), (2, 3), (1, 2)]).unwrap();
        let route = ObservedRoute { origin: 0, destination: 3, arcs: vec![0, 2], weight: 1.0 };
        let perturbation = Perturbation::new(&graph, Question::Route, 200, 3);
        let observed = (0..200).map(|index| (index, route.clone())).collect();
        let loss = PerturbedLoss::new(&graph, Question::Route, &perturbation, observed);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| loss.loss(&[1.1, 1.0, 1.2, 0.9, 0.8]))
        };
        assert_eq!(on(1), on(3));
    }
}
