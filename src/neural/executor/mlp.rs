//! A perceptron with one hidden layer over a finite domain: it is evaluated once for each row of the domain.
//!
//! `hidden = max(0, b1 + Σ_i W1[i])` over the features i that a row has, `out = b2 + hidden W2`. Features are present or
//! absent, so a row is the list of those it has.

use crate::neural::nn::init::truncated_normal;
use crate::neural::nn::params::TensorId;
use crate::neural::nn::{Layout, Params};
use crate::random::Rng;

/// The places of a perceptron's parameters, and its domain.
#[derive(Clone, Debug)]
pub(super) struct Mlp {
    weights: [TensorId; 2],
    biases: [TensorId; 2],
    hidden: usize,
    outputs: usize,
    features: usize,
    /// For each row of the domain the features it has.
    rows: Vec<Vec<usize>>,
}

/// What a forward pass leaves for the backward pass.
pub(super) struct Evaluated {
    hidden: Vec<f32>,
    /// The outputs, row by row.
    pub out: Vec<f32>,
}

impl Mlp {
    /// Adds the parameters to a layout. `rows` lists, for each row, one value out of so many for each of `parts`.
    pub fn new(layout: &mut Layout, name: &str, parts: &[usize], rows: &[Vec<usize>], sizes: (usize, usize)) -> Self {
        let (hidden, outputs) = sizes;
        let features = parts.iter().sum();
        let offsets: Vec<usize> =
            parts.iter().scan(0, |sum, &part| Some(std::mem::replace(sum, *sum + part))).collect();
        let one_hot = |row: &Vec<usize>| row.iter().zip(&offsets).map(|(value, offset)| value + offset).collect();
        Mlp {
            weights: [
                layout.push(format!("{name}/hidden/w"), vec![features, hidden]),
                layout.push(format!("{name}/out/w"), vec![hidden, outputs]),
            ],
            biases: [
                layout.push(format!("{name}/hidden/b"), vec![hidden]),
                layout.push(format!("{name}/out/b"), vec![outputs]),
            ],
            hidden,
            outputs,
            features,
            rows: rows.iter().map(one_hot).collect(),
        }
    }

    /// Random weights, biases zero.
    pub fn initialise(&self, params: &mut Params<f32>, rng: &mut Rng) {
        let mut random = || rng.next_u64();
        // A row has few features, so the scale is that of their number, not of the width of the layer.
        let present = self.rows.first().map_or(self.features, Vec::len).max(1);
        truncated_normal(params.tensor_mut(self.weights[0]), present, &mut random);
        truncated_normal(params.tensor_mut(self.weights[1]), self.hidden, &mut random);
    }

    /// The outputs for every row of the domain.
    pub fn evaluate(&self, params: &Params<f32>) -> Evaluated {
        let [w1, w2] = self.weights.map(|id| params.tensor(id));
        let [b1, b2] = self.biases.map(|id| params.tensor(id));
        let mut hidden = Vec::with_capacity(self.rows.len() * self.hidden);
        let mut out = Vec::with_capacity(self.rows.len() * self.outputs);
        for row in &self.rows {
            let start = hidden.len();
            hidden.extend_from_slice(b1);
            for &feature in row {
                add(&mut hidden[start..], &w1[feature * self.hidden..][..self.hidden], 1.0);
            }
            hidden[start..].iter_mut().for_each(|x| *x = x.max(0.0));
            let first = out.len();
            out.extend_from_slice(b2);
            for (unit, &x) in hidden[start..].iter().enumerate().filter(|&(_, &x)| x > 0.0) {
                add(&mut out[first..], &w2[unit * self.outputs..][..self.outputs], x);
            }
        }
        Evaluated { hidden, out }
    }

    /// Adds the gradient of the parameters, given that of the outputs; rows without any are skipped.
    pub fn push_back(&self, params: &Params<f32>, at: &Evaluated, d_out: &[f32], gradient: &mut Params<f32>) {
        let w2 = params.tensor(self.weights[1]);
        let ids = [self.weights[0], self.weights[1], self.biases[0], self.biases[1]];
        let [d_w1, d_w2, d_b1, d_b2] = gradient.tensors_mut(ids);
        let mut d_hidden = vec![0.0; self.hidden];
        for (index, row) in self.rows.iter().enumerate() {
            let d_out = &d_out[index * self.outputs..][..self.outputs];
            if d_out.iter().all(|&d| d == 0.0) {
                continue;
            }
            let hidden = &at.hidden[index * self.hidden..][..self.hidden];
            add(d_b2, d_out, 1.0);
            for (unit, &x) in hidden.iter().enumerate() {
                d_hidden[unit] = 0.0;
                if x > 0.0 {
                    let weights = &w2[unit * self.outputs..][..self.outputs];
                    d_hidden[unit] = weights.iter().zip(d_out).map(|(w, d)| w * d).sum();
                    add(&mut d_w2[unit * self.outputs..][..self.outputs], d_out, x);
                }
            }
            add(d_b1, &d_hidden, 1.0);
            for &feature in row {
                add(&mut d_w1[feature * self.hidden..][..self.hidden], &d_hidden, 1.0);
            }
        }
    }
}

/// `sum += factor · values`
fn add(sum: &mut [f32], values: &[f32], factor: f32) {
    sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn gradients_match_finite_differences() {
        let mut layout = Layout::default();
        let rows: Vec<Vec<usize>> = (0..6).map(|row| vec![row / 2, row % 2]).collect();
        let mlp = Mlp::new(&mut layout, "test", &[3, 2], &rows, (7, 2));
        let mut params = Params::zeros(Arc::new(layout));
        mlp.initialise(&mut params, &mut Rng::stream(0, "test", 0));
        // loss = Σ c_i out_i, so the gradient of the outputs is c.
        let factors: Vec<f32> = (0..12).map(|place| (place as f32).cos()).collect();
        let loss = |params: &Params<f32>| {
            mlp.evaluate(params).out.iter().zip(&factors).map(|(out, c)| f64::from(out * c)).sum::<f64>()
        };
        let mut gradient = Params::zeros(params.layout().clone());
        mlp.push_back(&params, &mlp.evaluate(&params), &factors, &mut gradient);
        for place in 0..params.values().len() {
            let mut shifted = [params.clone(), params.clone()];
            shifted[0].values_mut()[place] += 1e-3;
            shifted[1].values_mut()[place] -= 1e-3;
            let slope = (loss(&shifted[0]) - loss(&shifted[1])) / 2e-3;
            let exact = f64::from(gradient.values()[place]);
            assert!((slope - exact).abs() < 2e-2 * (1.0 + exact.abs()), "{place}: {slope} and {exact}");
        }
    }
}
