//! The backward pass through all steps of a stack.
//!
//! Gradients of the weights that read states or messages are one product over all steps at the end; each step's projections turn into their own
//! gradients, in place, to be ready for it.

use crate::neural::nn::kernels::dispatch::kernel;
use crate::neural::nn::kernels::{Buffer, Matrix, Packed, Start, multiply, rows};
use crate::neural::nn::{Params, Scalar};

use super::fold::Folded;
use super::messages_back::{Arriving, BackScratch, Leaving};
use super::process::{History, Place, Process};
use super::tensors::Linear;
use super::update::{self, STATS};
use super::weights::{message_layers, step_layers};

/// Memory of the backward pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Backwards<S> {
    /// `[vertex][hidden]`: gradients of the states a graph's decoder reads: before its last round, before its last step, after it.
    pub before_round: Buffer<S>,
    pub before_step: Buffer<S>,
    pub after: Buffer<S>,
    /// `[vertex][columns.node]`: gradients of the inputs' part of the projections.
    pub node_terms: Buffer<S>,
    state: Buffer<S>,
    normalised: Buffer<S>,
    message: Buffer<S>,
    ends: Buffer<S>,
    second_weight: Buffer<S>,
    pub scratch: BackScratch<S>,
    pub packed: Packed<S>,
}

/// Where a stack's gradients go; all are added to.
#[derive(Clone, Debug)]
pub(super) struct Gradient<S> {
    pub params: Params<S>,
    pub folded: Folded<S>,
}

impl<S: Scalar> Process<'_, S> {
    /// Pushes the decoder's gradients in `back` through all steps.
    pub fn backward(&self, history: &mut History<S>, back: &mut Backwards<S>, gradient: &mut Gradient<S>) {
        let h = self.columns.hidden;
        back.state.at_least(self.stack.nodes() * h).fill(S::ZERO);
        back.second_weight.at_least(h * h).fill(S::ZERO);
        let places = self.places(true);
        for (step, place) in places.iter().enumerate().rev() {
            self.receive(step + 1, 0, &mut back.state, &back.after);
            self.step_back(step, *place, history, back, gradient);
            self.receive(step, 1, &mut back.state, &back.before_step);
            self.receive(step, self.settings.steps_per_round, &mut back.state, &back.before_round);
        }
        self.weights_back(&places, history, back, gradient);
        let scalars = Matrix::new(&self.stack.node_scalars, self.tensors.node_encoders.len() + 1);
        let terms = Matrix::new(&back.node_terms[..self.stack.nodes() * self.columns.node], self.columns.node);
        let terms = back.packed.once(terms);
        multiply(
            self.kernels,
            &mut gradient.folded.node,
            self.columns.node,
            scalars.transposed(),
            terms,
            Start::Out,
            false,
        );
    }

    /// Adds the decoder's gradients of the states of graphs that have `left` steps to go.
    fn receive(&self, step: usize, left: usize, state: &mut [S], arriving: &[S]) {
        let h = self.columns.hidden;
        for graph in self.stack.graphs.iter().filter(|graph| graph.steps == step + left) {
            let rows = graph.nodes.start * h..graph.nodes.end * h;
            rows::add(&mut state[rows.clone()], &arriving[rows]);
        }
    }

    fn step_back(
        &self,
        step: usize,
        place: Place,
        history: &mut History<S>,
        back: &mut Backwards<S>,
        gradient: &mut Gradient<S>,
    ) {
        let (h, width) = (self.columns.hidden, self.columns.step);
        let Place { row, nodes, .. } = place;
        self.update_back(place, history, back, gradient);
        let projections = &mut history.projections[row * width..(row + nodes) * width];
        let message = back.message.at_least(nodes * h);
        for (i, weight) in self.weights.message.back.iter().enumerate() {
            let start = if i == 0 { Start::Zero } else { Start::Out };
            let column = Matrix::block(&projections[(2 + i) * h..], nodes, h, width);
            multiply(self.kernels, message, h, column, weight, start, false);
        }
        let ends = back.ends.at_least(nodes * 2 * h);
        ends.fill(S::ZERO);
        let [first, first_bias, second_bias] =
            gradient.params.tensors_mut([self.tensors.mlp[0].w, self.tensors.mlp[0].b, self.tensors.mlp[1].b]);
        let arriving = Arriving {
            projections,
            winners: &history.winners[row * h..(row + nodes) * h],
            second: &history.second[place.pair * h..(place.pair + place.pairs) * h],
            gradient: message,
        };
        let mut leaving = Leaving {
            projections: ends,
            first: (first, first_bias),
            second: (&mut back.second_weight[..h * h], second_bias),
            edge: &mut gradient.folded.edge,
        };
        self.messages().backward(nodes, arriving, &mut leaving, &mut back.scratch);
        self.projections_back(step, projections, back);
    }

    /// From the gradients of the new states to those of the outputs' and the gate's projections.
    fn update_back(&self, place: Place, history: &mut History<S>, back: &mut Backwards<S>, gradient: &mut Gradient<S>) {
        let (h, width) = (self.columns.hidden, self.columns.step);
        let Place { row, nodes, .. } = place;
        let cells = row * h..(row + nodes) * h;
        let projections = &mut history.projections[row * width..(row + nodes) * width];
        let (relu, stats) = (&history.relu[cells.clone()], &history.stats[row * STATS..(row + nodes) * STATS]);
        let state = &mut back.state[..nodes * h];
        let normalised = back.normalised.at_least(nodes * h);
        if self.tensors.gate.is_some() {
            let (gate, gate_relu) = (&mut history.gate[cells.clone()], &history.gate_relu[cells.clone()]);
            update::blend_back(self.kernels, state, gate, normalised, &history.states[cells], relu, stats, self.norm());
            multiply(
                self.kernels,
                &mut projections[3 * h..],
                width,
                Matrix::new(gate, h),
                &self.weights.gate.back[0],
                Start::Zero,
                false,
            );
            update::mask_columns(self.kernels, projections, 3 * h, width, gate_relu, h);
        } else {
            normalised.copy_from_slice(state);
            state.fill(S::ZERO);
        }
        let [scale, offset] = gradient.params.tensors_mut([self.tensors.norm_scale, self.tensors.norm_offset]);
        update::norm_back(self.kernels, projections, 2 * h, width, normalised, relu, stats, self.norm(), scale, offset);
    }

    /// From the gradients of projections to those of the states before the step and of the inputs' part.
    fn projections_back(&self, step: usize, projections: &mut [S], back: &mut Backwards<S>) {
        let (h, width) = (self.columns.hidden, self.columns.step);
        let nodes = projections.len() / width;
        for (row, ends) in projections.chunks_exact_mut(width).zip(back.ends.chunks_exact(2 * h)) {
            row[..2 * h].copy_from_slice(ends);
        }
        add_columns(self.kernels, &mut back.node_terms, self.columns.node, projections, width);
        if step > 0 {
            for (i, weight) in self.weights.step.back.iter().enumerate() {
                let column = Matrix::block(&projections[i * h..], nodes, h, width);
                multiply(self.kernels, &mut back.state[..nodes * h], h, column, weight, Start::Out, false);
            }
        }
    }

    /// Gradients of weights, over all steps at once.
    fn weights_back(
        &self,
        places: &[Place],
        history: &History<S>,
        back: &mut Backwards<S>,
        gradient: &mut Gradient<S>,
    ) {
        let (h, width) = (self.columns.hidden, self.columns.step);
        let total = places.last().map_or(0, |place| place.row + place.nodes);
        let after_first = places[0].nodes; // before the first step all states are zero
        let projections = |from: usize, column: usize| {
            let skipped = (from * width + column * h).min(history.projections.len());
            Matrix::block(&history.projections[skipped..], total - from, h, width)
        };
        let states = Matrix::block(&history.states[after_first * h..], total - after_first, h, h);
        for (column, layer) in step_layers(self.tensors).into_iter().enumerate() {
            self.add_weight(layer, 1, states, projections(after_first, column), back, gradient);
        }
        let messages = Matrix::block(&history.messages, total, h, h);
        for (i, layer) in message_layers(self.tensors).into_iter().enumerate() {
            self.add_weight(layer, 0, messages, projections(0, 2 + i), back, gradient);
        }
        if let Some(gate) = self.tensors.gate {
            let (relu, argument) = (Matrix::block(&history.gate_relu, total, h, h), &history.gate[..total * h]);
            self.add_weight(gate.last, 0, relu, Matrix::new(argument, h), back, gradient);
            rows::add_rows(self.kernels, gradient.params.tensor_mut(gate.last.b), argument, h);
        }
        let second = gradient.params.tensor_mut(self.tensors.mlp[1].w);
        for (row, weights) in second.chunks_exact_mut(h).enumerate() {
            for (x, column) in weights.iter_mut().zip(back.second_weight.chunks_exact(h)) {
                *x += column[row];
            }
        }
    }

    /// Adds `inputs' · outputs` to the rows `part * hidden ..` of a layer's weight.
    pub fn add_weight(
        &self,
        layer: Linear,
        part: usize,
        inputs: Matrix<'_, S>,
        outputs: Matrix<'_, S>,
        back: &mut Backwards<S>,
        gradient: &mut Gradient<S>,
    ) {
        if inputs.rows == 0 {
            return;
        }
        let outputs = back.packed.once(outputs);
        let weight = &mut gradient.params.tensor_mut(layer.w)[part * self.columns.hidden * layer.outputs..];
        multiply(self.kernels, weight, layer.outputs, inputs.transposed(), outputs, Start::Out, false);
    }
}

kernel! {
    /// Adds rows of `width` numbers to the first `width` columns of rows that lie `stride` apart.
    fn add_columns<S, HARDWARE>(out: &mut [S], stride: usize, from: &[S], width: usize) {
        for (out, from) in out.chunks_exact_mut(stride).zip(from.chunks_exact(width)) {
            rows::add(&mut out[..width], from);
        }
    }
}
