//! The processor: all message-passing steps of a stack of graphs, forward.
//!
//! Without hints a vertex's inputs do not change over the steps, so their part of every projection is computed once
//! (`node_terms`). What the decoder needs of a graph is set aside when that graph reaches it.

use crate::neural::nn::kernels::{Buffer, Kernels, Matrix, Start, multiply, rows};
use crate::neural::nn::{Params, Scalar};

use super::fold::Columns;
use super::messages::{Messages, Received, Scratch};
use super::settings::NetworkSettings;
use super::stack::Stack;
use super::tensors::Tensors;
use super::update::{self, Norm, STATS};
use super::weights::Weights;

/// What stays the same while a stack is processed.
#[derive(Clone, Copy)]
pub(super) struct Process<'a, S> {
    pub kernels: Kernels,
    pub settings: &'a NetworkSettings,
    pub stack: &'a Stack<'a, S>,
    pub params: &'a Params<S>,
    pub weights: &'a Weights<S>,
    pub tensors: &'a Tensors,
    pub columns: &'a Columns,
    pub spread: bool,
}

/// Memory of the forward pass. With `keep` it has a place for each step, otherwise all steps share one.
#[derive(Clone, Debug, Default)]
pub(super) struct History<S> {
    pub keep: bool,
    /// `[vertex][columns.node]`: the inputs' part of every projection.
    pub node_terms: Buffer<S>,
    /// States before each step, and after the last.
    pub states: Buffer<S>,
    /// `[vertex][columns.step]` for each step; in the backward pass it turns into its own gradient.
    pub projections: Buffer<S>,
    pub messages: Buffer<S>,
    pub winners: Vec<u32>,
    /// `[pair][hidden]`.
    pub second: Buffer<S>,
    pub relu: Buffer<S>,
    pub stats: Buffer<S>,
    pub gate_relu: Buffer<S>,
    pub gate: Buffer<S>,
    /// States of each vertex before its graph's last round, before its last step, and after it.
    pub before_round: Buffer<S>,
    pub before_step: Buffer<S>,
    pub after: Buffer<S>,
    pub scratch: Scratch<S>,
}

/// Where a step's rows lie in a [`History`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// First vertex row.
    pub row: usize,
    /// First pair row.
    pub pair: usize,
    /// Vertices that take part.
    pub nodes: usize,
    /// Pairs that take part.
    pub pairs: usize,
}

impl<S: Scalar> Process<'_, S> {
    /// Where each step's rows lie.
    pub fn places(&self, keep: bool) -> Vec<Place> {
        let (mut row, mut pair) = (0, 0);
        let mut places = Vec::with_capacity(self.stack.steps());
        for step in 0..self.stack.steps() {
            let nodes = self.stack.active(step);
            let pairs = self.stack.first_pair[nodes];
            places.push(Place { row, pair, nodes, pairs });
            if keep {
                row += nodes;
                pair += pairs;
            }
        }
        places
    }

    pub fn messages(&self) -> Messages<'_, S> {
        Messages {
            kernels: self.kernels,
            stack: self.stack,
            params: self.params,
            weights: self.weights,
            tensors: self.tensors,
            columns: self.columns,
            spread: self.spread,
        }
    }

    pub fn norm(&self) -> Norm<'_, S> {
        let [scale, offset] = [self.tensors.norm_scale, self.tensors.norm_offset].map(|id| self.params.tensor(id));
        Norm { scale, offset }
    }

    /// Runs every graph for its own number of steps.
    pub fn forward(&self, history: &mut History<S>) {
        let places = self.places(history.keep);
        self.prepare(history, &places);
        for (step, place) in places.iter().enumerate() {
            self.step(step, *place, history);
        }
    }

    fn prepare(&self, history: &mut History<S>, places: &[Place]) {
        let (h, nodes) = (self.columns.hidden, self.stack.nodes());
        let rows = places.iter().map(|place| place.row + place.nodes).max().unwrap_or(0);
        let pairs = places.iter().map(|place| place.pair + place.pairs).max().unwrap_or(0);
        history.projections.at_least(rows * self.columns.step);
        history.states.at_least((rows + nodes) * h)[..nodes * h].fill(S::ZERO);
        history.stats.at_least(rows * STATS);
        for memory in [&mut history.messages, &mut history.relu, &mut history.gate_relu, &mut history.gate] {
            memory.at_least(rows * h);
        }
        if history.winners.len() < rows * h {
            history.winners.resize(rows * h, 0);
        }
        if history.keep {
            history.second.at_least_or_cancelled(pairs * h);
        }
        for memory in [&mut history.before_round, &mut history.before_step, &mut history.after] {
            memory.at_least(nodes * h);
        }
        let terms = history.node_terms.at_least(nodes * self.columns.node);
        let scalars = Matrix::new(&self.stack.node_scalars, self.tensors.node_encoders.len() + 1);
        multiply(self.kernels, terms, self.columns.node, scalars, &self.weights.node, Start::Zero, false);
    }

    fn step(&self, step: usize, place: Place, history: &mut History<S>) {
        let (h, width) = (self.columns.hidden, self.columns.step);
        let Place { row, nodes, .. } = place;
        let rows = row * h..(row + nodes) * h;
        // The step works on a copy of the states it keeps, or on the states themselves.
        let output = if history.keep { rows.end } else { rows.start };
        history.states.copy_within(rows.clone(), output);
        let state = &mut history.states[output..output + nodes * h];
        self.set_aside(step, h, state, &mut history.before_round, self.settings.steps_per_round);
        self.set_aside(step, h, state, &mut history.before_step, 1);

        let projections = &mut history.projections[row * width..(row + nodes) * width];
        if step == 0 {
            rows::copy_columns(projections, width, &history.node_terms, self.columns.node);
        } else {
            let inputs = Start::Rows(&history.node_terms, self.columns.node);
            multiply(
                self.kernels,
                projections,
                width,
                Matrix::new(state, h),
                &self.weights.step.forward,
                inputs,
                false,
            );
        }
        let messages = &mut history.messages[rows.clone()];
        let received = Received {
            messages,
            winners: &mut history.winners[rows.clone()],
            second: history.keep.then(|| &mut history.second[place.pair * h..(place.pair + place.pairs) * h]),
        };
        self.messages().forward(nodes, projections, received, &mut history.scratch);
        let outputs = &mut projections[2 * h..];
        multiply(
            self.kernels,
            outputs,
            width,
            Matrix::new(messages, h),
            &self.weights.message.forward,
            Start::Out,
            false,
        );

        let relu = &mut history.relu[rows.clone()];
        let stats = &mut history.stats[row * STATS..(row + nodes) * STATS];
        update::relu_columns(self.kernels, relu, projections, 2 * h, width, h);
        update::statistics(self.kernels, stats, relu, h);
        match self.tensors.gate {
            Some(layers) => {
                let (gate_relu, gate) = (&mut history.gate_relu[rows.clone()], &mut history.gate[rows]);
                update::relu_columns(self.kernels, gate_relu, projections, 3 * h, width, h);
                let bias = Start::Bias(self.params.tensor(layers.last.b));
                multiply(self.kernels, gate, h, Matrix::new(gate_relu, h), &self.weights.gate.forward, bias, false);
                update::blend(self.kernels, state, gate, relu, stats, self.norm());
            }
            None => update::replace(self.kernels, state, relu, stats, self.norm()),
        }
        self.set_aside(step + 1, h, state, &mut history.after, 0);
    }

    /// Copies the states of graphs that have `left` steps to go.
    fn set_aside(&self, step: usize, h: usize, states: &[S], out: &mut [S], left: usize) {
        for graph in self.stack.graphs.iter().filter(|graph| graph.steps == step + left) {
            let rows = graph.nodes.start * h..graph.nodes.end * h;
            out[rows.clone()].copy_from_slice(&states[rows]);
        }
    }
}
