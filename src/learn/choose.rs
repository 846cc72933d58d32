//! Which recipe explains observations that it did not see: a walk over penalties by the likelihood of held-out folds.
//!
//! Folds depend on the observations and the seed, not on their order in a file. Every trial (a recipe on a fold) is independent of the others, so they run side by
//! side, and a finished one never runs again: whoever keeps [`Trial`]s can go on where a run was stopped.

use super::data::{Loss, ObservedData};
use super::fit::{Recipe, fit_fold};
use super::model::Predictor;
use crate::random::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Folds, where there are observations enough.
pub const FOLDS: usize = 5;
/// Penalties on squares of terms, from nearly free to nearly nothing.
const PENALTIES: [f64; 8] = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0];
/// Where the walk begins.
const MIDDLE: usize = 3;
/// Hidden units of a perceptron.
pub const HIDDEN: usize = 8;

/// A recipe measured on a fold that it did not see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The recipe.
    pub recipe: Recipe,
    /// The fold.
    pub fold: u8,
    /// The mean loss there; `None` where it does not exist.
    pub loss: Option<f64>,
    /// The parameters.
    pub params: Vec<f64>,
}

/// What may be chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freedom {
    /// The loss, if it is given.
    pub loss: Option<Loss>,
    /// The predictor, if it is given.
    pub predictor: Option<Predictor>,
    /// Whether there are terms of vertices and edges, if that is given.
    pub per_edge: Option<bool>,
}

/// Observations in an order of their own, which does not depend on that of a file.
pub struct Folds {
    /// The fold of each observation.
    pub of: Vec<u8>,
    /// The place of each observation in a random order.
    pub rank: Vec<u32>,
}

impl Folds {
    /// Sorts observations by what they are, then shuffles them.
    pub fn new(data: &ObservedData, names: &[String], seed: u64) -> Self {
        let ends: Vec<(usize, usize)> = data.graph.arcs().collect();
        let mut texts: Vec<Vec<(&str, &str)>> = vec![vec![]; data.observations()];
        for (route, &observation) in data.routes.iter().zip(&data.observation) {
            let arcs = route.arcs.iter().map(|&arc| ends[arc as usize]);
            texts[observation as usize].extend(arcs.map(|(tail, head)| (&*names[tail], &*names[head])));
        }
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by(|&one, &other| texts[one].cmp(&texts[other]));
        Rng::stream(seed, "learning folds", 0).shuffle(&mut order);
        let mut folds = Folds { of: vec![0; order.len()], rank: vec![0; order.len()] };
        for (rank, &observation) in order.iter().enumerate() {
            folds.of[observation] = (rank % FOLDS) as u8;
            folds.rank[observation] = rank as u32;
        }
        folds
    }
}

/// Trials that were done, and a place to put those that are done next.
pub struct Trials<'a> {
    data: &'a ObservedData<'a>,
    folds: &'a Folds,
    /// All trials so far.
    pub done: Vec<Trial>,
    /// Called with every new trial.
    tell: &'a mut (dyn FnMut(&Trial) + Send),
}

impl<'a> Trials<'a> {
    /// With trials of an earlier run.
    pub fn new(
        data: &'a ObservedData<'a>,
        folds: &'a Folds,
        done: Vec<Trial>,
        tell: &'a mut (dyn FnMut(&Trial) + Send),
    ) -> Self {
        Trials { data, folds, done, tell }
    }

    fn known(&self, recipe: &Recipe, fold: u8) -> Option<&Trial> {
        self.done.iter().find(|trial| trial.recipe == *recipe && trial.fold == fold)
    }

    /// A recipe on the first `folds` folds; those that were not done are done now.
    pub fn of(&mut self, recipe: &Recipe, folds: usize) -> Vec<Trial> {
        let missing: Vec<u8> = (0..folds as u8).filter(|&fold| self.known(recipe, fold).is_none()).collect();
        let fit = |fold: u8| {
            let fitted = fit_fold(self.data, recipe, self.folds, fold);
            let (params, loss) = fitted.unwrap_or((vec![], f64::INFINITY));
            Trial { recipe: *recipe, fold, loss: loss.is_finite().then_some(loss), params }
        };
        let new: Vec<Trial> = missing.into_par_iter().map(fit).collect();
        for trial in new {
            (self.tell)(&trial);
            self.done.push(trial);
        }
        (0..folds as u8).filter_map(|fold| self.known(recipe, fold)).cloned().collect()
    }

    /// The mean loss of a recipe on held-out folds.
    pub fn loss(&mut self, recipe: &Recipe) -> f64 {
        let trials = self.of(recipe, FOLDS);
        trials.iter().map(|trial| trial.loss.unwrap_or(f64::INFINITY)).sum::<f64>() / trials.len() as f64
    }

    /// Whether a recipe is better on average and on all folds but one: what has many more parameters should not win by chance.
    fn is_surely_better(&mut self, recipe: &Recipe, than: &Recipe) -> bool {
        let losses = |trials: Vec<Trial>| trials.into_iter().map(|trial| trial.loss.unwrap_or(f64::INFINITY));
        let pairs = losses(self.of(recipe, FOLDS)).zip(losses(self.of(than, FOLDS)));
        let wins = pairs.filter(|(one, other)| one < other).count();
        wins + 1 >= FOLDS && self.loss(recipe) < self.loss(than)
    }

    /// The recipe of the least loss that a walk finds: the penalty on terms of vertices, then on terms of edges, then the first once more; then
    /// whether no terms are better still, and whether a perceptron surely is.
    pub fn choose(&mut self, freedom: Freedom) -> Recipe {
        let predictor = freedom.predictor.unwrap_or(Predictor::Linear);
        let loss = freedom.loss.unwrap_or_else(|| self.data.usual_loss());
        let mut plain = Recipe { predictor, ..Recipe::plain(loss) };
        if self.data.context_width() > 0 && predictor == Predictor::Linear {
            plain.context_penalty = Some(PENALTIES[MIDDLE]);
            plain = self.walk(plain, |recipe| &mut recipe.context_penalty);
        }
        let mut best = plain;
        if freedom.per_edge != Some(false) {
            best = self
                .walk(Recipe { vertex_penalty: Some(PENALTIES[MIDDLE]), ..plain }, |recipe| &mut recipe.vertex_penalty);
            // An item is a vertex and an edge at once.
            if !self.data.question.is_selection() {
                best = self.with_edges(best);
            }
            if freedom.per_edge.is_none() && self.loss(&plain) < self.loss(&best) {
                best = plain;
            }
        }
        if freedom.predictor.is_none() {
            let perceptron = Recipe { predictor: Predictor::Mlp(HIDDEN), ..best };
            if self.is_surely_better(&perceptron, &best) {
                best = perceptron;
            }
        }
        best
    }

    /// The recipe with terms of edges, if that is better.
    fn with_edges(&mut self, best: Recipe) -> Recipe {
        let start = Recipe { edge_penalty: Some(PENALTIES[MIDDLE + 1]), ..best };
        let with_edges = self.walk(start, |recipe| &mut recipe.edge_penalty);
        match self.loss(&with_edges) < self.loss(&best) {
            true => self.walk(with_edges, |recipe| &mut recipe.vertex_penalty),
            false => best,
        }
    }

    /// Goes from penalty to penalty as long as the loss falls.
    fn walk(&mut self, start: Recipe, penalty: fn(&mut Recipe) -> &mut Option<f64>) -> Recipe {
        let with = |place: usize| {
            let mut recipe = start;
            *penalty(&mut recipe) = Some(PENALTIES[place]);
            recipe
        };
        let mut start_copy = start;
        let begin = *penalty(&mut start_copy);
        let mut at = PENALTIES.iter().position(|&known| Some(known) == begin).unwrap_or(MIDDLE);
        let mut least = self.loss(&with(at));
        for step in [1i32, -1] {
            let before = at;
            while let Some(next) = at.checked_add_signed(step as isize).filter(|&next| next < PENALTIES.len()) {
                let loss = self.loss(&with(next));
                if loss >= least {
                    break;
                }
                (at, least) = (next, loss);
            }
            if at != before {
                break;
            }
        }
        with(at)
    }
}
