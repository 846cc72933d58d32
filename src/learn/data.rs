//! What a cost is learnt from: the arcs of a graph with their columns, and what was observed on it.

use super::likelihood::{LossAtCosts, ObservedRoute, RouteLikelihood};
use super::minimise::add;
use super::model::{Design, Shape, softplus_and_slope};
use super::perturbed::{Perturbation, PerturbedLoss, Question};
use super::walks::WalkOrder;
use crate::cancel;
use crate::instance::{Graph, Weight};
use crate::problems::grouped::Grouped;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// Multiplications of a factorisation, at the most, for which the likelihood is used.
const MOST_WORK: u64 = 2_000_000_000;

/// Contexts that are summed before others are added: the sum does not depend on threads.
const BLOCK: usize = 32;

/// What is made small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// The negative log-likelihood of a recursive logit, for routes.
    Likelihood,
    /// The perturbed Fenchel-Young loss, for everything that can be solved.
    FenchelYoung,
}

/// Observed answers on a graph.
pub struct ObservedData<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// What is known of its arcs.
    pub design: &'a Design,
    /// What the answers answer.
    pub question: Question<'a>,
    /// How sums over walks are found; `None` where that takes too long.
    order: Option<WalkOrder>,
    perturbation: OnceLock<Perturbation>,
    /// The answers as arcs: a route, a forest, or one of the routes of a tree.
    pub routes: Vec<ObservedRoute>,
    /// The observation that each route is of; they are numbered from 0.
    pub observation: Vec<u32>,
    /// The context of each route, as a row of `contexts`.
    pub context: Vec<u32>,
    /// The different contexts, encoded.
    pub contexts: Vec<Vec<f64>>,
}

impl<'a> ObservedData<'a> {
    /// With the observation and the encoded context of each route: equal contexts are told apart once.
    pub fn new(
        graph: &'a Graph,
        design: &'a Design,
        question: Question<'a>,
        routes: Vec<ObservedRoute>,
        observation: Vec<u32>,
        contexts: Vec<Vec<f64>>,
    ) -> Self {
        let order = |one: &Vec<f64>, other: &Vec<f64>| {
            let pairs = one.iter().zip(other).map(|(one, other)| one.total_cmp(other));
            pairs.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        };
        let mut different = contexts.clone();
        different.sort_by(order);
        different.dedup();
        let place = |context: &Vec<f64>| different.binary_search_by(|known| order(known, context)).unwrap_or(0) as u32;
        let context = contexts.iter().map(place).collect();
        let order = question.is_route().then(|| WalkOrder::new(graph, MOST_WORK)).flatten();
        let perturbation = OnceLock::new();
        ObservedData { graph, design, question, order, perturbation, routes, observation, context, contexts: different }
    }

    /// Columns of the context.
    pub fn context_width(&self) -> usize {
        self.contexts.first().map_or(0, Vec::len)
    }

    /// The number of observations.
    pub fn observations(&self) -> usize {
        self.observation.iter().max().map_or(0, |&last| last as usize + 1)
    }

    /// The loss that is tried first.
    pub fn usual_loss(&self) -> Loss {
        if self.order.is_some() { Loss::Likelihood } else { Loss::FenchelYoung }
    }

    fn perturbation(&self) -> &Perturbation {
        self.perturbation.get_or_init(|| Perturbation::new(self.graph, self.question, self.routes.len(), 0))
    }

    /// Some of the observations, by a factor for each: 0 leaves one out, and a bootstrap counts some twice.
    pub fn sample(&self, loss: Loss, factors: &[f64]) -> Sample<'_> {
        let factor = |route: usize| factors[self.observation[route] as usize];
        let by_context = self.context.iter().enumerate().map(|(route, &context)| (context as usize, route));
        let by_context = Grouped::new(self.contexts.len(), by_context);
        let part = |context: usize| {
            let weighed = |&route: &usize| {
                let weight = self.routes[route].weight * factor(route);
                (weight > 0.0).then(|| (route as u64, ObservedRoute { weight, ..self.routes[route].clone() }))
            };
            let routes: Vec<(u64, ObservedRoute)> = by_context.of(context).iter().filter_map(weighed).collect();
            let part = match (loss, &self.order) {
                _ if routes.is_empty() => return None,
                (Loss::Likelihood, Some(order)) => {
                    Part::Likelihood(RouteLikelihood::new(self.graph, order, routes.iter().map(|(_, route)| route)))
                }
                _ => Part::Perturbed(PerturbedLoss::new(self.graph, self.question, self.perturbation(), routes)),
            };
            Some((context, part))
        };
        let parts = (0..self.contexts.len()).filter_map(part).collect();
        let weight = (0..self.routes.len()).map(|route| self.routes[route].weight * factor(route)).sum();
        Sample { data: self, parts, weight }
    }
}

enum Part<'a> {
    Likelihood(RouteLikelihood<'a>),
    Perturbed(PerturbedLoss<'a>),
}

impl Part<'_> {
    fn loss(&self, costs: &[f64]) -> Option<LossAtCosts> {
        match self {
            Part::Likelihood(likelihood) => likelihood.loss(costs),
            Part::Perturbed(perturbed) => Some(perturbed.loss(costs)),
        }
    }

    fn used(&self) -> &[f64] {
        match self {
            Part::Likelihood(likelihood) => likelihood.used(),
            Part::Perturbed(perturbed) => perturbed.used(),
        }
    }
}

/// Some of the routes, by context.
pub struct Sample<'a> {
    data: &'a ObservedData<'a>,
    parts: Vec<(usize, Part<'a>)>,
    /// How much they count together.
    pub weight: f64,
}

impl Sample<'_> {
    /// The loss of parameters, and its slope; `None` where it does not exist.
    pub fn loss(&self, shape: &Shape, params: &[f64]) -> Option<(f64, Vec<f64>)> {
        let blocks: Vec<Option<(f64, Vec<f64>)>> =
            self.parts.par_chunks(BLOCK).map(|block| self.loss_of(block, shape, params)).collect();
        let (mut value, mut slope) = (0.0, vec![0.0; params.len()]);
        for block in blocks {
            let (part, of_block) = block?;
            value += part;
            add(&mut slope, 1.0, &of_block);
        }
        Some((value, slope))
    }

    fn loss_of(&self, block: &[(usize, Part)], shape: &Shape, params: &[f64]) -> Option<(f64, Vec<f64>)> {
        let (mut value, mut slope) = (0.0, vec![0.0; params.len()]);
        for (context, observed) in block {
            cancel::point();
            let context = &self.data.contexts[*context];
            let scores = self.data.design.scores(shape, params, context);
            let (costs, by_score): (Vec<f64>, Vec<f64>) = scores.into_iter().map(softplus_and_slope).unzip();
            let LossAtCosts { value: part, slope: by_cost } = observed.loss(&costs)?;
            value += part;
            let by_score: Vec<f64> = by_cost.iter().zip(&by_score).map(|(slope, by_score)| slope * by_score).collect();
            self.data.design.add_slope(shape, params, context, &by_score, &mut slope);
        }
        Some((value, slope))
    }

    /// How much each arc was used.
    pub fn used(&self) -> Vec<f64> {
        let mut used = vec![0.0; self.data.graph.arc_count()];
        for (_, part) in &self.parts {
            used.iter_mut().zip(part.used()).for_each(|(sum, used)| *sum += used);
        }
        used
    }
}

/// Costs as positive whole numbers: so many units are a cost of one.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Scale(pub f64);

/// Units that a typical cost has.
const TYPICAL: f64 = 1e5;

impl Scale {
    /// A power of ten, such that typical costs have about six digits.
    pub fn of(costs: &[f64]) -> Self {
        let mut sorted = costs.to_vec();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().filter(|cost| cost.is_normal()).unwrap_or(1.0);
        Scale(10f64.powi((TYPICAL / median).log10().round() as i32))
    }

    /// The nearest positive whole number.
    pub fn quantise(self, cost: f64) -> Weight {
        ((cost * self.0).round() as Weight).max(1)
    }
}
