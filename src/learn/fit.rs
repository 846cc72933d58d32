//! Parameters that fit observations: the minimum of a loss and a penalty on terms.

use super::choose::{FOLDS, Folds};
use super::data::{Loss, ObservedData, Sample};
use super::minimise::{Minimum, Patience, minimise};
use super::model::{Predictor, Shape, inverse_softplus};
use crate::random::Rng;
use serde::{Deserialize, Serialize};

/// What is learnt, and how much terms are held back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// What is made small.
    pub loss: Loss,
    /// The predictor.
    pub predictor: Predictor,
    /// The penalty on the squares of what a context changes: there are as many of these for every column of the context, and few observations explain them
    /// all too well. Without it there is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_penalty: Option<f64>,
    /// The penalty on the square of a vertex's term; without it there are no such terms.
    pub vertex_penalty: Option<f64>,
    /// The penalty on the square of an edge's term; without it there are no such terms.
    pub edge_penalty: Option<f64>,
}

/// The penalty on the squares of what all arcs share: little, so that few observations do not run away.
const SHARED_PENALTY: f64 = 0.1;
/// The same for what a context changes, where none is chosen.
const CONTEXT_PENALTY: f64 = 2.0;
/// The same for the constant, by its distance from where it starts.
const BIAS_PENALTY: f64 = 0.01;

impl Recipe {
    /// Nothing but a linear map of the columns.
    pub fn plain(loss: Loss) -> Self {
        Recipe { loss, predictor: Predictor::Linear, context_penalty: None, vertex_penalty: None, edge_penalty: None }
    }

    /// The parameters that it has on some data.
    pub fn shape(&self, data: &ObservedData) -> Shape {
        Shape {
            predictor: self.predictor,
            width: data.design.rows.width,
            contexts: data.context_width(),
            vertices: self.vertex_penalty.map_or(0, |_| data.design.vertices),
            edges: self.edge_penalty.map_or(0, |_| data.design.edges),
        }
    }

    fn penalties(&self, shape: &Shape) -> Vec<f64> {
        let mut penalties = vec![SHARED_PENALTY; shape.shared()];
        if shape.predictor == Predictor::Linear {
            penalties[shape.width + 1..].fill(self.context_penalty.unwrap_or(CONTEXT_PENALTY));
        }
        penalties[shape.bias()] = BIAS_PENALTY;
        penalties.extend(std::iter::repeat_n(self.vertex_penalty.unwrap_or(0.0), shape.vertices));
        penalties.extend(std::iter::repeat_n(self.edge_penalty.unwrap_or(0.0), shape.edges));
        penalties
    }

    /// Where a search begins: every arc costs so much that walks converge; a perceptron's units differ.
    pub fn start(&self, shape: &Shape, data: &ObservedData) -> Vec<f64> {
        let mut params = vec![0.0; shape.total()];
        let degree = (0..data.graph.n()).map(|vertex| data.graph.out_neighbours(vertex).len()).max().unwrap_or(1);
        if let Predictor::Mlp(hidden) = shape.predictor {
            let mut rng = Rng::stream(0, "cost model", 0);
            let reach = (3.0 / (shape.width + shape.contexts + 1) as f64).sqrt();
            let weights = shape.shared() - 1 - hidden;
            params[..weights].iter_mut().for_each(|weight| *weight = reach * (2.0 * rng.unit() - 1.0));
        }
        params[shape.bias()] = inverse_softplus((degree.max(1) as f64).ln() + 0.7);
        params
    }

    /// The best parameters for a sample, from `start` or from where a search begins.
    pub fn fit(&self, data: &ObservedData, sample: &Sample, start: Option<&[f64]>, care: Care) -> Option<Minimum> {
        let shape = self.shape(data);
        let penalties = self.penalties(&shape);
        let centre = self.start(&shape, data);
        let curvature = curvature(&shape, data, sample, &penalties);
        let objective = |params: &[f64]| {
            let (mut value, mut slope) = sample.loss(&shape, params)?;
            for (place, penalty) in penalties.iter().enumerate() {
                let away = if place == shape.bias() { params[place] - centre[place] } else { params[place] };
                value += 0.5 * penalty * away * away;
                slope[place] += penalty * away;
            }
            Some((value, slope))
        };
        let start = start.map_or_else(|| centre.clone(), <[f64]>::to_vec);
        minimise(objective, start, &curvature, care.patience(sample))
    }
}

/// How often an arc was used tells how much its loss bends.
fn curvature(shape: &Shape, data: &ObservedData, sample: &Sample, penalties: &[f64]) -> Vec<f64> {
    let (used, mut curvature) = (sample.used(), penalties.to_vec());
    let design = data.design;
    for (arc, used) in used.iter().enumerate() {
        if shape.vertices > 0 {
            design.ends[arc].iter().for_each(|&end| curvature[shape.shared() + end as usize] += 0.25 * used);
        }
        if shape.edges > 0 {
            curvature[shape.shared() + shape.vertices + design.edge[arc] as usize] += 0.5 * used;
        }
    }
    let all: f64 = used.iter().sum();
    let mut of_columns = vec![0.0; shape.width];
    for (arc, used) in used.iter().enumerate() {
        design
            .rows
            .of(arc)
            .iter()
            .for_each(|&(column, value)| of_columns[column as usize] += 0.5 * used * value.powi(2));
    }
    for (place, curvature) in curvature[..shape.shared()].iter_mut().enumerate() {
        let column = match shape.predictor {
            Predictor::Linear => place % (shape.width + 1),
            Predictor::Mlp(_) => 0,
        };
        *curvature += if column == 0 { 0.5 * all } else { of_columns[column - 1] };
    }
    curvature
}

/// How far a search for the best parameters goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Care {
    /// As far as answers change visibly.
    Quick,
    /// Far enough for a choice among recipes.
    Choice,
    /// To the end.
    Thorough,
}

impl Care {
    fn patience(self, sample: &Sample) -> Patience {
        let (steps, gain) = match self {
            Care::Quick => (200, 5e-3),
            Care::Choice => (200, 5e-5),
            Care::Thorough => (500, 1e-6),
        };
        Patience { steps, least_gain: sample.weight * gain }
    }
}

/// The mean loss of a sample, infinite where it does not exist.
pub fn mean_loss(sample: &Sample, shape: &Shape, params: &[f64]) -> f64 {
    sample.loss(shape, params).map_or(f64::INFINITY, |(value, _)| value / sample.weight)
}

/// Observations that a first fit to some of them has, at the least.
const SOME: usize = 250;
/// Observations by which a quick fit chooses its penalty, at the most.
const ENOUGH_TO_CHOOSE: u32 = 400;
/// Penalties that a quick fit tries, each from where the one before ended.
const QUICK_PENALTIES: [f64; 3] = [6.0, 2.0, 0.6];
/// The share of observations that a fit goes on from has, of those that it has itself: one of so many.
const SHARE: u32 = 4;

impl Recipe {
    /// The best parameters for observations with these factors, found on some of them first: most of the way is the same for all. `rank` is a random order
    /// of the observations.
    pub fn fit_in_stages(&self, data: &ObservedData, factors: &[f64], rank: &[u32], care: Care) -> Option<Minimum> {
        let chosen = factors.iter().filter(|factor| **factor > 0.0).count();
        let stages = (chosen / SOME).max(1).ilog(SHARE as usize);
        let mut start: Option<Vec<f64>> = None;
        for stage in (1..=stages).rev() {
            let one_of = SHARE.pow(stage);
            let is_in = |rank: u32| if (rank / FOLDS as u32).is_multiple_of(one_of) { f64::from(one_of) } else { 0.0 };
            let some: Vec<f64> = factors.iter().zip(rank).map(|(factor, &rank)| factor * is_in(rank)).collect();
            let sample = data.sample(self.loss, &some);
            start = self.fit(data, &sample, start.as_deref(), care.min(Care::Choice)).map(|minimum| minimum.point);
        }
        let sample = data.sample(self.loss, factors);
        // Parameters of some observations may be where the loss of all does not exist.
        let from_some = start.and_then(|start| self.fit(data, &sample, Some(&start), care));
        from_some.or_else(|| self.fit(data, &sample, None, care))
    }

    /// The recipe whose penalty on what a context changes explains two fifths of some observations best that it did not see. Nothing else is chosen, and nothing
    /// where there are observations enough for any penalty.
    pub fn with_quick_penalty(self, data: &ObservedData, folds: &Folds) -> Self {
        let shape = self.shape(data);
        if shape.contexts == 0 || self.predictor != Predictor::Linear || data.observations() >= 5 * shape.shared() {
            return self;
        }
        let is_in = |(&fold, &rank): (&u8, &u32), seen: bool| rank < ENOUGH_TO_CHOOSE && (fold < 3) == seen;
        let factors =
            |seen| -> Vec<f64> { folds.of.iter().zip(&folds.rank).map(|of| f64::from(is_in(of, seen))).collect() };
        let (training, held_out) = (data.sample(self.loss, &factors(true)), data.sample(self.loss, &factors(false)));
        let (mut best, mut least, mut start) = (self, f64::INFINITY, None);
        for penalty in QUICK_PENALTIES {
            let recipe = Recipe { context_penalty: Some(penalty), ..self };
            let Some(fitted) = recipe.fit(data, &training, start.as_deref(), Care::Quick) else { continue };
            let loss = mean_loss(&held_out, &shape, &fitted.point);
            if loss < least {
                (best, least) = (recipe, loss);
            }
            start = Some(fitted.point);
        }
        best
    }
}

/// Fits `recipe` to the observations of all folds but one and measures it on that one: the parameters and the mean loss.
pub fn fit_fold(data: &ObservedData, recipe: &Recipe, folds: &Folds, fold: u8) -> Option<(Vec<f64>, f64)> {
    let factors = |inside: bool| -> Vec<f64> { folds.of.iter().map(|&of| f64::from((of == fold) != inside)).collect() };
    let fitted = recipe.fit_in_stages(data, &factors(true), &folds.rank, Care::Choice)?;
    let loss = mean_loss(&data.sample(recipe.loss, &factors(false)), &recipe.shape(data), &fitted.point);
    Some((fitted.point, loss))
}
