//! Parameters that fit observations: the minimum of a loss and a penalty on terms.

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
    /// The penalty on the square of a vertex's term; without it there are no such terms.
    pub vertex_penalty: Option<f64>,
    /// The penalty on the square of an edge's term; without it there are no such terms.
    pub edge_penalty: Option<f64>,
}

/// The penalty on the squares of what all arcs share: little, so that few observations do not run away.
const SHARED_PENALTY: f64 = 0.1;
/// The same for what a context changes: there are as many of these for every column of the context, and few observations explain them all too well.
const CONTEXT_PENALTY: f64 = 2.0;
/// The same for the constant, by its distance from where it starts.
const BIAS_PENALTY: f64 = 0.01;

impl Recipe {
    /// Nothing but a linear map of the columns.
    pub fn plain(loss: Loss) -> Self {
        Recipe { loss, predictor: Predictor::Linear, vertex_penalty: None, edge_penalty: None }
    }

    /// The parameters that it has on some data.
    pub fn shape(&self, data: &ObservedData) -> Shape {
        Shape {
            predictor: self.predictor,
            width: data.design.width,
            contexts: data.context_width(),
            vertices: self.vertex_penalty.map_or(0, |_| data.design.vertices),
            edges: self.edge_penalty.map_or(0, |_| data.design.edges),
        }
    }

    fn penalties(&self, shape: &Shape) -> Vec<f64> {
        let mut penalties = vec![SHARED_PENALTY; shape.shared()];
        if shape.predictor == Predictor::Linear {
            penalties[shape.width + 1..].fill(CONTEXT_PENALTY);
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
    pub fn fit(
        &self,
        data: &ObservedData,
        sample: &Sample,
        start: Option<&[f64]>,
        patience: Patience,
    ) -> Option<Minimum> {
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
        minimise(objective, start, &curvature, patience)
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
    for (place, curvature) in curvature[..shape.shared()].iter_mut().enumerate() {
        let column = match shape.predictor {
            Predictor::Linear => place % (shape.width + 1),
            Predictor::Mlp(_) => 0,
        };
        *curvature += match column {
            0 => 0.5 * all,
            column => (0..used.len())
                .map(|arc| 0.5 * used[arc] * design.columns[arc * shape.width + column - 1].powi(2))
                .sum(),
        };
    }
    curvature
}

/// Patience that is enough for a choice among recipes, and for the last fit.
pub fn patience(sample: &Sample, thorough: bool) -> Patience {
    let least_gain = sample.weight * if thorough { 1e-6 } else { 5e-5 };
    Patience { steps: if thorough { 500 } else { 200 }, least_gain }
}

/// The mean loss of a sample, infinite where it does not exist.
pub fn mean_loss(sample: &Sample, shape: &Shape, params: &[f64]) -> f64 {
    sample.loss(shape, params).map_or(f64::INFINITY, |(value, _)| value / sample.weight)
}

/// Fits `recipe` to the observations of all folds but one and measures it on that one: the parameters and the mean loss.
pub fn fit_fold(data: &ObservedData, recipe: &Recipe, folds: &[u8], fold: u8) -> Option<(Vec<f64>, f64)> {
    let factors = |inside: bool| -> Vec<f64> { folds.iter().map(|&of| f64::from((of == fold) != inside)).collect() };
    let (training, held_out) = (data.sample(recipe.loss, &factors(true)), data.sample(recipe.loss, &factors(false)));
    let fitted = recipe.fit(data, &training, None, patience(&training, false))?;
    let loss = mean_loss(&held_out, &recipe.shape(data), &fitted.point);
    Some((fitted.point, loss))
}
