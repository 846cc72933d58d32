//! The decoders of all outputs, once for each graph.
//!
//! Every decoder begins with linear layers of a vertex: of its inputs and its states before and after the last round. Those of all
//! outputs are one product (`ends`). A flag of a vertex and a one-hot vertex are done with that; outputs of pairs go on in
//! [`decode_pairs`](super::decode_pairs), a block of children at a time, forward and backward.

use std::ops::Range;

use crate::neural::nn::Scalar;
use crate::neural::nn::kernels::{Buffer, Matrix, Start, multiply};

use super::decode_pairs::PairBlock;
use super::features::{Features, Target};
use super::loss::{RowPlace, flag_loss, row_loss};
use super::messages::BLOCK;
use super::process::{History, Process};
use super::process_back::{Backwards, Gradient};
use super::stack::Placed;
use super::tensors::OutputLayers;
use super::triplets::Maxima;

/// Memory of the decoders.
#[derive(Clone, Debug, Default)]
pub(super) struct Decoder<S> {
    /// `[vertex][columns.ends]`: what the outputs' layers make of a vertex, and its gradients.
    pub ends: Buffer<S>,
    pub ends_gradient: Buffer<S>,
    /// `[vertex][3 t]`: triplet parts, and their gradients.
    pub triplets: Buffer<S>,
    pub triplets_gradient: Buffer<S>,
    pub maxima: Maxima<S>,
    pub block: PairBlock<S>,
    /// Logits of an output of vertices.
    row: Vec<S>,
}

/// What learning adds to decoding.
pub(super) struct Learning<'a, S> {
    /// For each graph of the batch, for each output.
    pub targets: &'a [Vec<Target>],
    pub back: &'a mut Backwards<S>,
    pub gradient: &'a mut Gradient<S>,
    /// Weight of one graph in the loss of the batch.
    pub weight: f64,
}

impl<S: Scalar> Process<'_, S> {
    /// Gives the logits of each graph of the stack, for each output, to `sink`.
    pub fn predict(&self, history: &History<S>, decoder: &mut Decoder<S>, mut sink: impl FnMut(usize, Vec<Vec<S>>)) {
        self.decoder_inputs(history, decoder);
        for graph in &self.stack.graphs {
            let layers = &self.tensors.outputs;
            let mut all: Vec<_> = layers.iter().map(|output| empty(output, graph.nodes.len())).collect();
            for output in (0..layers.len()).filter(|&output| layers[output].of_edges().is_none()) {
                all[output].extend(self.ends_column(output, graph, &decoder.ends));
            }
            for children in self.blocks_of_children(graph, decoder) {
                self.edge_features(graph, children.clone(), decoder);
                for output in self.pair_outputs() {
                    self.pair_logits(output, graph, children.clone(), decoder);
                    match layers[output] {
                        OutputLayers::EdgeFlag(_) => {
                            place_columns(&mut all[output], children.clone(), &decoder.block.logits);
                        }
                        _ => all[output].extend_from_slice(&decoder.block.logits),
                    }
                }
            }
            sink(graph.index, all);
        }
    }

    /// The loss of all graphs of the stack; leaves the gradients that enter the processor in `learning.back`.
    pub fn decode_and_learn(
        &self,
        history: &History<S>,
        decoder: &mut Decoder<S>,
        learning: &mut Learning<'_, S>,
    ) -> f64 {
        self.decoder_inputs(history, decoder);
        decoder.ends_gradient.at_least(self.stack.nodes() * self.columns.ends).fill(S::ZERO);
        decoder.triplets_gradient.at_least(self.stack.nodes() * 3 * self.columns.triplet).fill(S::ZERO);
        let mut loss = 0.0;
        for graph in &self.stack.graphs {
            loss += self.learn_vertices(graph, decoder, learning);
            for children in self.blocks_of_children(graph, decoder) {
                self.edge_features(graph, children.clone(), decoder);
                for (i, output) in self.pair_outputs().enumerate() {
                    self.pair_logits(output, graph, children.clone(), decoder);
                    self.pair_losses(output, graph, children.clone(), decoder, learning, &mut loss);
                    self.pair_logits_back(output, graph, children.clone(), decoder, learning, i == 0);
                }
                self.edge_features_back(graph, children, decoder, learning);
            }
        }
        self.decoder_inputs_back(history, decoder, learning);
        loss
    }

    /// What each vertex of a graph has in an output's first column.
    fn ends_column<'e>(
        &self,
        output: usize,
        graph: &Placed<'_>,
        ends: &'e [S],
    ) -> impl Iterator<Item = S> + use<'e, S> {
        let width = self.columns.ends;
        let rows = ends[graph.nodes.start * width..graph.nodes.end * width].iter();
        rows.skip(self.columns.outputs[output].ends).step_by(width).copied()
    }

    /// The loss of a graph's outputs of vertices, whose gradients go to their columns.
    fn learn_vertices(&self, graph: &Placed<'_>, decoder: &mut Decoder<S>, learning: &Learning<'_, S>) -> f64 {
        let (weight, place, mut loss) = (S::of(learning.weight), RowPlace { row: 0, rows: 1 }, 0.0);
        for (output, layers) in self.tensors.outputs.iter().enumerate() {
            let loss_of = match layers {
                OutputLayers::OneHotNode(_) => row_loss,
                OutputLayers::NodeFlag(_) => flag_loss,
                OutputLayers::Pointer(_) | OutputLayers::EdgeFlag(_) => continue,
            };
            let Decoder { ends, ends_gradient, row, .. } = &mut *decoder;
            row.clear();
            row.extend(self.ends_column(output, graph, ends));
            loss += loss_of(self.kernels, row, &learning.targets[graph.index][output], place, weight);
            let (width, column) = (self.columns.ends, self.columns.outputs[output].ends);
            let gradients = ends_gradient.chunks_exact_mut(width).skip(graph.nodes.start);
            gradients.zip(row).for_each(|(gradients, &mut d)| gradients[column] = d);
        }
        loss
    }

    /// The outputs that read pairs.
    fn pair_outputs(&self) -> impl Iterator<Item = usize> {
        (0..self.tensors.outputs.len()).filter(|&output| self.tensors.outputs[output].of_edges().is_some())
    }

    /// Turns an output's logits of some children into their gradients and adds their losses, row by row.
    fn pair_losses(
        &self,
        output: usize,
        graph: &Placed<'_>,
        children: Range<usize>,
        decoder: &mut Decoder<S>,
        learning: &Learning<'_, S>,
        loss: &mut f64,
    ) {
        let (n, weight) = (graph.nodes.len(), S::of(learning.weight));
        let target = &learning.targets[graph.index][output];
        for (child, row) in children.zip(decoder.block.logits.chunks_exact_mut(n)) {
            let place = RowPlace { row: child, rows: n };
            *loss += match self.tensors.outputs[output] {
                OutputLayers::EdgeFlag(_) => flag_loss(self.kernels, row, target, place, weight),
                _ => row_loss(self.kernels, row, target, place, weight),
            };
        }
    }

    fn decoder_inputs(&self, history: &History<S>, decoder: &mut Decoder<S>) {
        let (h, nodes, width) = (self.columns.hidden, self.stack.nodes(), self.columns.ends);
        let ends = decoder.ends.at_least(nodes * width);
        let inputs = |column: usize| Start::Rows(&history.node_terms[column..], self.columns.node);
        let states = |states| Matrix::block(states, nodes, h, h);
        let [before, after] = self.weights.decoder.each_ref().map(|layers| &layers.forward);
        multiply(self.kernels, ends, width, states(&history.before_round), before, inputs(self.columns.step), false);
        multiply(self.kernels, ends, width, states(&history.after), after, Start::Out, false);
        if self.tensors.triplets.is_some() {
            let parts = decoder.triplets.at_least(nodes * 3 * self.columns.triplet);
            let inputs = inputs(self.columns.step + width);
            multiply(
                self.kernels,
                parts,
                3 * self.columns.triplet,
                states(&history.before_step),
                &self.weights.triplet_vertices.forward,
                inputs,
                false,
            );
        }
    }

    /// Blocks of children to decode, none if no output reads pairs; makes the graph's triplets ready.
    fn blocks_of_children(
        &self,
        graph: &Placed<'_>,
        decoder: &mut Decoder<S>,
    ) -> impl Iterator<Item = Range<usize>> + use<S> {
        if self.tensors.triplets.is_some() {
            self.triplet_parts(graph, &decoder.triplets).maximise(self.kernels, &mut decoder.maxima);
        }
        self.tensors.decodes_pairs().then(|| child_blocks(graph.features)).into_iter().flatten()
    }

    /// From the vertices' parts to states, weights and the inputs' part.
    fn decoder_inputs_back(&self, history: &History<S>, decoder: &Decoder<S>, learning: &mut Learning<'_, S>) {
        let (h, nodes, width) = (self.columns.hidden, self.stack.nodes(), 3 * self.columns.triplet);
        let step = self.columns.step;
        let of_outputs = self.columns.ends;
        let Learning { back, gradient, .. } = learning;
        let (ends, triplets) =
            (&decoder.ends_gradient[..nodes * of_outputs], &decoder.triplets_gradient[..nodes * width]);
        let terms = back.node_terms.at_least(nodes * self.columns.node);
        for (v, terms) in terms.chunks_exact_mut(self.columns.node).enumerate() {
            terms[..step].fill(S::ZERO);
            terms[step..][..of_outputs].copy_from_slice(&ends[v * of_outputs..(v + 1) * of_outputs]);
            terms[step + of_outputs..].copy_from_slice(&triplets[v * width..(v + 1) * width]);
        }
        for (i, states) in [&history.before_round, &history.after].into_iter().enumerate() {
            let states = Matrix::block(states, nodes, h, h);
            let mut first = 0;
            for (end, layer) in self.tensors.output_vertex_layers().into_iter().enumerate() {
                let column = Matrix::block(&ends[first..], nodes, layer.outputs, of_outputs);
                self.add_weight(layer, 1 + i, states, column, back, gradient);
                let start = if end == 0 { Start::Zero } else { Start::Out };
                let out = (if i == 0 { &mut back.before_round } else { &mut back.after }).at_least(nodes * h);
                multiply(self.kernels, out, h, column, &self.weights.decoder[i].back[end], start, false);
                first += layer.outputs;
            }
        }
        back.before_step.at_least(nodes * h).fill(S::ZERO);
        let Some(layers) = self.tensors.triplets else { return };
        let states = Matrix::block(&history.before_step, nodes, h, h);
        for (i, layer) in layers.vertices.iter().enumerate() {
            let column = Matrix::block(&triplets[i * width / 3..], nodes, width / 3, width);
            self.add_weight(*layer, 1, states, column, back, gradient);
            multiply(
                self.kernels,
                &mut back.before_step[..nodes * h],
                h,
                column,
                &self.weights.triplet_vertices.back[i],
                Start::Out,
                false,
            );
        }
    }
}

/// Room for an output's logits; those of edges come in columns and need their places from the start.
fn empty<S: Scalar>(output: &OutputLayers, n: usize) -> Vec<S> {
    match output {
        OutputLayers::EdgeFlag(_) => vec![S::ZERO; n * n],
        OutputLayers::Pointer(_) => Vec::with_capacity(n * n),
        OutputLayers::NodeFlag(_) | OutputLayers::OneHotNode(_) => Vec::with_capacity(n),
    }
}

/// Rows (second vertex, first vertex) become columns of `[first][second]`.
fn place_columns<S: Copy>(all: &mut [S], seconds: Range<usize>, rows: &[S]) {
    let n = rows.len() / seconds.len();
    for (second, row) in seconds.zip(rows.chunks_exact(n)) {
        all[second..].iter_mut().step_by(n).zip(row).for_each(|(logit, &x)| *logit = x);
    }
}

/// Children in groups of about equal size with at most [`BLOCK`] rows, unless one alone has more.
fn child_blocks(features: &Features) -> impl Iterator<Item = Range<usize>> + use<> {
    let n = features.nodes();
    let most = (BLOCK / n).max(1);
    let size = n.div_ceil(n.div_ceil(most));
    (0..n).step_by(size).map(move |start| start..(start + size).min(n))
}
