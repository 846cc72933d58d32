//! What a network's outputs mean: marginals or a solution as targets, and outputs as marginals.
//!
//! | form | outputs |
//! |---|---|
//! | parents | a pointer for each vertex: its parent |
//! | order | a pointer for each vertex: the next one; a one-hot vertex: the head |
//! | edges | a flag for each pair: both directions of a chosen edge, so that the mean of the two is the edge's probability |
//! | items | a flag for each vertex |

use crate::answers::{Candidate, Form, IN, Marginals};
use crate::graph::Instance;
use crate::model::Target;

/// Marginals as targets, one for each output.
pub fn targets(instance: &Instance, marginals: &Marginals) -> Vec<Target> {
    let shares = |rows: &[f64]| Target::Distribution(rows.iter().map(|&share| share as f32).collect());
    let chosen = |slot: usize| marginals.row(slot)[IN] as f32;
    match marginals.form() {
        Form::Parents => vec![shares(marginals.as_slice())],
        Form::Order => {
            let (successors, head) = marginals.as_slice().split_at(instance.n() * instance.n());
            vec![shares(successors), shares(head)]
        }
        Form::Items => vec![Target::Distribution((0..marginals.slots()).map(chosen).collect())],
        Form::Edges => vec![Target::Distribution(on_pairs(instance, chosen))],
    }
}

/// One solution as targets, one for each output.
pub fn labels(instance: &Instance, solution: &Candidate) -> Vec<Target> {
    let choices = solution.choices();
    match solution.form() {
        Form::Parents | Form::Items => vec![Target::Labels(choices.to_vec())],
        Form::Order => {
            let (successors, head) = choices.split_at(instance.n());
            vec![Target::Labels(successors.to_vec()), Target::Labels(head.to_vec())]
        }
        Form::Edges => vec![Target::Labels(on_pairs(instance, |slot| choices[slot]))],
    }
}

/// Predicted outputs as marginals.
pub fn marginals(instance: &Instance, form: Form, outputs: &[Vec<f32>]) -> Marginals {
    let flags = |flags: &mut dyn Iterator<Item = f64>| flags.flat_map(|chosen| [1.0 - chosen, chosen]).collect();
    let n = instance.n();
    let rows: Vec<f64> = match form {
        Form::Parents | Form::Order => outputs.concat().into_iter().map(f64::from).collect(),
        Form::Items => flags(&mut outputs[0].iter().map(|&chosen| f64::from(chosen))),
        Form::Edges => {
            let mean = |(one, other): (usize, usize)| {
                (f64::from(outputs[0][one * n + other]) + f64::from(outputs[0][other * n + one])) / 2.0
            };
            flags(&mut instance.graph.edges().map(mean))
        }
    };
    Marginals::from_weights(form, instance.slots(form), rows).expect("outputs are probabilities")
}

/// A value for each pair of vertices: that of the edge between them, both ways, and nothing where there is none.
fn on_pairs<T: Copy + Default>(instance: &Instance, of_edge: impl Fn(usize) -> T) -> Vec<T> {
    let n = instance.n();
    let mut pairs = vec![T::default(); n * n];
    for (slot, (one, other)) in instance.graph.edges().enumerate() {
        pairs[one * n + other] = of_edge(slot);
        pairs[other * n + one] = of_edge(slot);
    }
    pairs
}
