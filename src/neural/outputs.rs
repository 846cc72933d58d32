//! What a network's outputs mean: marginals or a solution as targets, and outputs as marginals.
//!
//! | form | outputs |
//! |---|---|
//! | parents | a pointer for each vertex: its parent |
//! | order | a pointer for each vertex: the next one; a one-hot vertex: the head |
//! | edges | a flag for each pair: both directions of a chosen edge, so that the mean of the two is the edge's probability |
//! | items | a flag for each vertex |
//!
//! A network may see more vertices than the instance has, after the instance's own (the source and the sink of a flow network): so many `nodes`. Nothing is
//! chosen between those.

use crate::answers::{Candidate, Form, IN, Marginals, NotMarginals};
use crate::instance::Instance;
use crate::neural::model::Target;

/// Marginals as targets, one for each output.
pub fn targets(instance: &Instance, nodes: usize, marginals: &Marginals) -> Vec<Target> {
    let shares = |rows: &[f64]| Target::Distribution(rows.iter().map(|&share| share as f32).collect());
    let chosen = |slot: usize| marginals.row(slot)[IN] as f32;
    match marginals.form() {
        Form::Parents => vec![shares(marginals.as_slice())],
        Form::Order => {
            let (successors, head) = marginals.as_slice().split_at(instance.n() * instance.n());
            vec![shares(successors), shares(head)]
        }
        Form::Items => vec![Target::Distribution((0..marginals.slots()).map(chosen).collect())],
        Form::Edges => vec![Target::Distribution(on_pairs(instance, nodes, chosen))],
    }
}

/// One solution as targets, one for each output.
pub fn labels(instance: &Instance, nodes: usize, solution: &Candidate) -> Vec<Target> {
    let choices = solution.choices();
    match solution.form() {
        Form::Parents | Form::Items => vec![Target::Labels(choices.to_vec())],
        Form::Order => {
            let (successors, head) = choices.split_at(instance.n());
            vec![Target::Labels(successors.to_vec()), Target::Labels(head.to_vec())]
        }
        Form::Edges => vec![Target::Labels(on_pairs(instance, nodes, |slot| choices[slot]))],
    }
}

/// Predicted outputs as marginals. Those of damaged or huge parameters may be no numbers, and then no marginals either.
pub fn marginals(
    instance: &Instance,
    nodes: usize,
    form: Form,
    outputs: &[Vec<f32>],
) -> Result<Marginals, NotMarginals> {
    let flags = |flags: &mut dyn Iterator<Item = f64>| flags.flat_map(|chosen| [1.0 - chosen, chosen]).collect();
    let rows: Vec<f64> = match form {
        Form::Parents | Form::Order => outputs.concat().into_iter().map(f64::from).collect(),
        Form::Items => flags(&mut outputs[0].iter().map(|&chosen| f64::from(chosen))),
        Form::Edges => {
            let mean = |(one, other): (usize, usize)| {
                (f64::from(outputs[0][one * nodes + other]) + f64::from(outputs[0][other * nodes + one])) / 2.0
            };
            flags(&mut instance.graph.edges().map(mean))
        }
    };
    Marginals::from_weights(form, instance.slots(form), rows)
}

/// A value for each pair of vertices: that of the edge between them, both ways, and nothing where there is none.
fn on_pairs<T: Copy + Default>(instance: &Instance, nodes: usize, of_edge: impl Fn(usize) -> T) -> Vec<T> {
    let mut pairs = vec![T::default(); nodes * nodes];
    for (slot, (one, other)) in instance.graph.edges().enumerate() {
        pairs[one * nodes + other] = of_edge(slot);
        pairs[other * nodes + one] = of_edge(slot);
    }
    pairs
}
