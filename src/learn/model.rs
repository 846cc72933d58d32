//! The cost of an arc as a positive function of its columns, of the context, and of terms of its own.
//!
//! ```text
//! cost = softplus(score),  score = predictor(columns, context) + terms of the arc's ends + term of its edge
//! ```
//! The linear predictor is b + w·x, for each column of the context once more, times that column. The perceptron has one hidden layer over columns and
//! context side by side. Terms start at zero and are held there by a penalty, so an edge that nobody used costs what its columns say. In a
//! directed graph an arc has the term of its head (where vertices are roads and arcs are turns, that is the road's own); in an undirected
//! one, half of each end's, so that both directions cost the same.

use super::minimise::{add, dot};
use serde::{Deserialize, Serialize};

/// What the predictor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Predictor {
    /// A linear map.
    Linear,
    /// A perceptron with so many hidden units.
    Mlp(usize),
}

/// What is known of the arcs of a graph before anything is learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// The columns of the arcs.
    pub rows: Rows,
    /// The number of vertices.
    pub vertices: usize,
    /// The number of edges.
    pub edges: usize,
    /// For each arc the two vertices whose terms it has half of: in a directed graph twice the head.
    pub ends: Vec<[u32; 2]>,
    /// The edge of each arc.
    pub edge: Vec<u32>,
}

/// Rows of numbers, of which those that are not zero are kept: words became columns of which a row has one.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// The length of a row.
    pub width: usize,
    first: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl Rows {
    /// Without a row.
    pub fn new(width: usize) -> Self {
        Rows { width, first: vec![0], entries: vec![] }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[f64]) {
        let filled = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
        self.entries.extend(filled.map(|(column, &value)| (column as u32, value)));
        self.first.push(self.entries.len());
    }

    /// The numbers of a row that are not zero, with their columns.
    pub fn of(&self, row: usize) -> &[(u32, f64)] {
        &self.entries[self.first[row]..self.first[row + 1]]
    }

    /// The same rows, each changed.
    pub fn changed(&self, change: impl Fn(&mut [f64])) -> Self {
        let mut rows = Rows::new(self.width);
        for row in 0..self.first.len() - 1 {
            let mut values = vec![0.0; self.width];
            self.of(row).iter().for_each(|&(column, value)| values[column as usize] = value);
            change(&mut values);
            rows.push(&values);
        }
        rows
    }

    fn dot(&self, row: usize, weights: &[f64]) -> f64 {
        self.of(row).iter().map(|&(column, value)| weights[column as usize] * value).sum()
    }

    /// Adds a multiple of a row.
    fn add_to(&self, row: usize, factor: f64, sums: &mut [f64]) {
        self.of(row).iter().for_each(|&(column, value)| sums[column as usize] += factor * value);
    }
}

/// The parameters of a model, in the order in which they stand in one list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The predictor.
    pub predictor: Predictor,
    /// Columns of an arc.
    pub width: usize,
    /// Columns of the context.
    pub contexts: usize,
    /// Terms of vertices: their number, or zero.
    pub vertices: usize,
    /// Terms of edges: their number, or zero.
    pub edges: usize,
}

impl Shape {
    /// Parameters that all arcs share.
    pub fn shared(&self) -> usize {
        match self.predictor {
            Predictor::Linear => (self.width + 1) * (self.contexts + 1),
            Predictor::Mlp(hidden) => hidden * (self.inputs() + 2) + 1,
        }
    }

    /// All parameters.
    pub fn total(&self) -> usize {
        self.shared() + self.vertices + self.edges
    }

    fn inputs(&self) -> usize {
        self.width + self.contexts
    }

    /// Where the constant of the score stands.
    pub fn bias(&self) -> usize {
        match self.predictor {
            Predictor::Linear => 0,
            Predictor::Mlp(_) => self.shared() - 1,
        }
    }
}

/// ln(1 + e^x), exact at both ends.
pub fn softplus(score: f64) -> f64 {
    score.max(0.0) + (-score.abs()).exp().ln_1p()
}

/// The score whose softplus is a cost.
pub fn inverse_softplus(cost: f64) -> f64 {
    cost + (-(-cost).exp_m1()).ln()
}

/// [`softplus`] and its derivative, by one exponential function.
pub fn softplus_and_slope(score: f64) -> (f64, f64) {
    let small = (-score.abs()).exp();
    let slope = if score < 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) };
    (score.max(0.0) + small.ln_1p(), slope)
}

impl Design {
    /// The number of arcs.
    pub fn arcs(&self) -> usize {
        self.edge.len()
    }

    /// The score of each arc in a context.
    pub fn scores(&self, shape: &Shape, params: &[f64], context: &[f64]) -> Vec<f64> {
        let (shared, terms) = params.split_at(shape.shared());
        let mut scores: Vec<f64> = match shape.predictor {
            Predictor::Linear => {
                let weights = in_context(shape.width + 1, shared, context);
                (0..self.arcs()).map(|arc| weights[0] + self.rows.dot(arc, &weights[1..])).collect()
            }
            Predictor::Mlp(hidden) => {
                let mut units = vec![0.0; hidden];
                let unit_scores = |arc: usize| {
                    self.hidden_units(shape, shared, context, arc, &mut units);
                    dot(&shared[hidden * (shape.inputs() + 1)..][..hidden], &units) + shared[shape.bias()]
                };
                (0..self.arcs()).map(unit_scores).collect()
            }
        };
        let (vertices, edges) = terms.split_at(shape.vertices);
        for (arc, score) in scores.iter_mut().enumerate() {
            if !vertices.is_empty() {
                *score += self.ends[arc].iter().map(|&end| 0.5 * vertices[end as usize]).sum::<f64>();
            }
            if !edges.is_empty() {
                *score += edges[self.edge[arc] as usize];
            }
        }
        scores
    }

    /// Adds to `slope` the derivative by the parameters, given that by the scores.
    pub fn add_slope(&self, shape: &Shape, params: &[f64], context: &[f64], by_score: &[f64], slope: &mut [f64]) {
        let shared = shape.shared();
        match shape.predictor {
            Predictor::Linear => {
                let mut weights = vec![0.0; shape.width + 1];
                for (arc, &by_score) in by_score.iter().enumerate() {
                    weights[0] += by_score;
                    self.rows.add_to(arc, by_score, &mut weights[1..]);
                }
                for (block, factor) in std::iter::once(&1.0).chain(context).enumerate() {
                    add(&mut slope[block * (shape.width + 1)..][..shape.width + 1], *factor, &weights);
                }
            }
            Predictor::Mlp(hidden) => self.add_slope_of_units(shape, hidden, params, context, by_score, slope),
        }
        for (arc, &by_score) in by_score.iter().enumerate() {
            if shape.vertices > 0 {
                self.ends[arc].iter().for_each(|&end| slope[shared + end as usize] += 0.5 * by_score);
            }
            if shape.edges > 0 {
                slope[shared + shape.vertices + self.edge[arc] as usize] += by_score;
            }
        }
    }

    /// The hidden units of an arc: tanh of a linear map of columns and context.
    fn hidden_units(&self, shape: &Shape, shared: &[f64], context: &[f64], arc: usize, units: &mut [f64]) {
        let row = shape.inputs() + 1;
        for (unit, weights) in units.iter_mut().zip(shared.chunks_exact(row)) {
            let (of_columns, of_context) = weights[1..].split_at(shape.width);
            *unit = (weights[0] + self.rows.dot(arc, of_columns) + dot(of_context, context)).tanh();
        }
    }

    fn add_slope_of_units(
        &self,
        shape: &Shape,
        hidden: usize,
        params: &[f64],
        context: &[f64],
        by_score: &[f64],
        slope: &mut [f64],
    ) {
        let row = shape.inputs() + 1;
        let mut units = vec![0.0; hidden];
        for (arc, &by_score) in by_score.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
            self.hidden_units(shape, params, context, arc, &mut units);
            slope[shape.bias()] += by_score;
            for (unit, &value) in units.iter().enumerate() {
                slope[hidden * row + unit] += by_score * value;
                let inner = by_score * params[hidden * row + unit] * (1.0 - value * value);
                let weights = &mut slope[unit * row..(unit + 1) * row];
                weights[0] += inner;
                self.rows.add_to(arc, inner, &mut weights[1..=shape.width]);
                add(&mut weights[1 + shape.width..], inner, context);
            }
        }
    }
}

/// The weights of a linear predictor in a context: those of the constant, and those of each column of the context times its value.
fn in_context(row: usize, shared: &[f64], context: &[f64]) -> Vec<f64> {
    let mut weights = shared[..row].to_vec();
    for (block, &value) in shared.chunks_exact(row).skip(1).zip(context) {
        add(&mut weights, value, block);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn slopes_are_central_differences() {
        let mut rng = Rng::stream(0, "cost model", 0);
        let mut rows = Rows::new(3);
        (0..4).for_each(|arc| rows.push(&[rng.unit(), if arc == 1 { 0.0 } else { rng.unit() }, rng.unit()]));
        let design =
            Design { rows, vertices: 3, edges: 2, ends: vec![[0, 1], [1, 0], [2, 2], [1, 1]], edge: vec![0, 0, 1, 1] };
        for predictor in [Predictor::Linear, Predictor::Mlp(4)] {
            let shape = Shape { predictor, width: 3, contexts: 2, vertices: 3, edges: 2 };
            let params: Vec<f64> = (0..shape.total()).map(|_| rng.unit() - 0.5).collect();
            let (context, by_score) = ([0.3, -0.8], [0.2, -0.7, 1.1, 0.4]);
            let value = |params: &[f64]| dot(&design.scores(&shape, params, &context), &by_score);
            let mut slope = vec![0.0; shape.total()];
            design.add_slope(&shape, &params, &context, &by_score, &mut slope);
            for (place, slope) in slope.iter().enumerate() {
                let moved = |by: f64| {
                    let mut params = params.clone();
                    params[place] += by;
                    value(&params)
                };
                let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((slope - difference).abs() < 1e-8, "{predictor:?} {place}: {slope} {difference}");
            }
        }
    }

    #[test]
    fn softplus_has_its_inverse_and_its_slope() {
        for score in [-30.0, -2.0, 0.0, 3.0, 40.0] {
            let (cost, slope) = softplus_and_slope(score);
            assert_eq!(cost, softplus(score));
            let difference = (softplus(score + 1e-5) - softplus(score - 1e-5)) / 2e-5;
            assert!((slope - difference).abs() < 1e-8, "{score}: {slope} {difference}");
            assert!((inverse_softplus(softplus(score)) - score).abs() < 1e-9 * (1.0 + f64::abs(score)));
        }
    }
}
