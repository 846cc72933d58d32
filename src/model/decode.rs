//! The pointer decoder, once for each graph: `logit(child c, parent p) = d3 · max(d0_c, d1_p + d2_pc)`.
//!
//! `d0` and `d1` read a vertex's inputs and its states before and after the last round, `d2` the pair's inputs and its triplet
//! feature. A block of children goes through all of it at once, on the way back too, since a row of logits is all its loss needs.

use std::ops::Range;

use crate::nn::Scalar;
use crate::nn::kernels::dispatch::kernel;
use crate::nn::kernels::{Buffer, Matrix, Packed, Start, multiply, rows};

use super::features::{Features, Target};
use super::loss::row_loss;
use super::messages::BLOCK;
use super::process::{History, Process};
use super::process_back::{Backwards, Gradient};
use super::stack::Placed;
use super::triplets::{Maxima, Parts};
use super::weights::Weights;

/// Memory of the decoder.
#[derive(Clone, Debug, Default)]
pub(super) struct Decoder<S> {
    /// `[vertex][2 hidden]`: child's and parent's parts, and their gradients.
    ends: Buffer<S>,
    ends_gradient: Buffer<S>,
    /// `[vertex][3 t]`: triplet parts, and their gradients.
    triplets: Buffer<S>,
    triplets_gradient: Buffer<S>,
    maxima: Maxima<S>,
    block: DecoderBlock<S>,
}

/// Rows (child, parent) of some children.
#[derive(Clone, Debug, Default)]
struct DecoderBlock<S> {
    triplets: Buffer<S>,
    triplets_gradient: Buffer<S>,
    feature: Buffer<S>,
    feature_gradient: Buffer<S>,
    /// d1 + d2, then its gradient.
    edge: Buffer<S>,
    logits: Vec<S>,
    packed: Packed<S>,
}

/// What learning adds to decoding.
pub(super) struct Learning<'a, S> {
    pub targets: &'a [Target],
    pub back: &'a mut Backwards<S>,
    pub gradient: &'a mut Gradient<S>,
    /// Weight of one graph in the loss of the batch.
    pub weight: f64,
}

impl<S: Scalar> Process<'_, S> {
    /// Gives the logits of each graph of the stack to `sink`.
    pub fn predict(&self, history: &History<S>, decoder: &mut Decoder<S>, mut sink: impl FnMut(usize, Vec<S>)) {
        self.decoder_inputs(history, decoder);
        for graph in &self.stack.graphs {
            self.maximise(graph, decoder);
            let mut logits = Vec::with_capacity(graph.nodes.len() * graph.nodes.len());
            for children in child_blocks(graph.features) {
                self.decode_block(graph, children, decoder);
                logits.extend_from_slice(&decoder.block.logits);
            }
            sink(graph.index, logits);
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
        decoder.ends_gradient.at_least(self.stack.nodes() * 2 * self.columns.hidden).fill(S::ZERO);
        decoder.triplets_gradient.at_least(self.stack.nodes() * 3 * self.columns.triplet).fill(S::ZERO);
        let mut loss = 0.0;
        for graph in &self.stack.graphs {
            self.maximise(graph, decoder);
            for children in child_blocks(graph.features) {
                self.decode_block(graph, children.clone(), decoder);
                let rows = decoder.block.logits.chunks_exact_mut(graph.nodes.len());
                for (child, row) in children.clone().zip(rows) {
                    loss += row_loss(self.kernels, row, &learning.targets[graph.index], child, S::of(learning.weight));
                }
                self.decode_block_back(graph, children, decoder, learning);
            }
        }
        self.decoder_inputs_back(history, decoder, learning);
        loss
    }

    fn decoder_inputs(&self, history: &History<S>, decoder: &mut Decoder<S>) {
        let (h, nodes) = (self.columns.hidden, self.stack.nodes());
        let ends = decoder.ends.at_least(nodes * 2 * h);
        let inputs = |column: usize| Start::Rows(&history.node_terms[column..], self.columns.node);
        let states = |states| Matrix::block(states, nodes, h, h);
        let [before, after] = self.weights.decoder.each_ref().map(|layers| &layers.forward);
        multiply(self.kernels, ends, 2 * h, states(&history.before_round), before, inputs(self.columns.step), false);
        multiply(self.kernels, ends, 2 * h, states(&history.after), after, Start::Out, false);
        if self.tensors.triplets.is_some() {
            let width = 3 * self.columns.triplet;
            let parts = decoder.triplets.at_least(nodes * width);
            let inputs = inputs(self.columns.step + 2 * h);
            multiply(
                self.kernels,
                parts,
                width,
                states(&history.before_step),
                &self.weights.triplet_vertices.forward,
                inputs,
                false,
            );
        }
    }

    fn triplet_parts<'a>(&'a self, graph: &'a Placed<'_>, vertices: &'a [S]) -> Parts<'a, S> {
        let size = self.columns.triplet;
        Parts {
            features: graph.features,
            vertices: &vertices[graph.nodes.start * 3 * size..graph.nodes.end * 3 * size],
            edge_rows: &self.weights.folded.edge,
            edge_columns: self.columns.edge,
            first_column: 2 * self.columns.hidden,
            size,
        }
    }

    fn maximise(&self, graph: &Placed<'_>, decoder: &mut Decoder<S>) {
        if self.tensors.triplets.is_some() {
            self.triplet_parts(graph, &decoder.triplets).maximise(self.kernels, &mut decoder.maxima);
        }
    }

    /// Logits of some children, leaving in the block what the way back needs.
    fn decode_block(&self, graph: &Placed<'_>, children: Range<usize>, decoder: &mut Decoder<S>) {
        let (h, t) = (self.columns.hidden, self.columns.triplet);
        let count = children.len() * graph.nodes.len();
        let DecoderBlock { triplets, feature, edge, logits, .. } = &mut decoder.block;
        let edge = edge.at_least(count * h);
        if let Some(layers) = self.tensors.triplets {
            let Weights { triplet_output, triplet_decode, .. } = self.weights;
            let (triplets, feature) = (triplets.at_least(count * t), feature.at_least(count * h));
            self.triplet_parts(graph, &decoder.triplets).rows(&decoder.maxima, children.clone(), triplets);
            let bias = Start::Bias(self.params.tensor(layers.output.b));
            multiply(self.kernels, feature, h, Matrix::new(triplets, t), &triplet_output.forward, bias, true);
            multiply(self.kernels, edge, h, Matrix::new(feature, h), &triplet_decode.forward, Start::Zero, false);
        } else {
            edge.fill(S::ZERO);
        }
        logits.resize(count, S::ZERO);
        let head = self.head(graph, children, &decoder.ends);
        pointer_logits(self.kernels, logits, edge, &head);
    }

    fn head<'a>(&'a self, graph: &'a Placed<'_>, children: Range<usize>, ends: &'a [S]) -> Head<'a, S> {
        let h = self.columns.hidden;
        let last = self.tensors.decoder[3];
        Head {
            hidden: h,
            features: graph.features,
            children,
            ends: &ends[graph.nodes.start * 2 * h..graph.nodes.end * 2 * h],
            edge_rows: &self.weights.folded.edge,
            edge_columns: self.columns.edge,
            weight: self.params.tensor(last.w),
            bias: self.params.tensor(last.b)[0],
        }
    }

    /// Back through a block whose `logits` now hold their gradients.
    fn decode_block_back(
        &self,
        graph: &Placed<'_>,
        children: Range<usize>,
        decoder: &mut Decoder<S>,
        learning: &mut Learning<'_, S>,
    ) {
        let h = self.columns.hidden;
        let count = children.len() * graph.nodes.len();
        let Gradient { params, folded } = &mut *learning.gradient;
        let edge = &mut decoder.block.edge[..count * h];
        let ends = &mut decoder.ends_gradient[graph.nodes.start * 2 * h..graph.nodes.end * 2 * h];
        let last = self.tensors.decoder[3];
        let head = self.head(graph, children.clone(), &decoder.ends);
        let [weight, bias] = params.tensors_mut([last.w, last.b]);
        bias[0] += decoder.block.logits.iter().copied().sum::<S>();
        pointer_logits_back(self.kernels, edge, &decoder.block.logits, ends, weight, &mut folded.edge, &head);
        self.triplets_back(graph, children, decoder, learning);
    }

    fn triplets_back(
        &self,
        graph: &Placed<'_>,
        children: Range<usize>,
        decoder: &mut Decoder<S>,
        learning: &mut Learning<'_, S>,
    ) {
        let Some(layers) = self.tensors.triplets else { return };
        let (h, t) = (self.columns.hidden, self.columns.triplet);
        let count = children.len() * graph.nodes.len();
        let Gradient { params, folded } = &mut *learning.gradient;
        let DecoderBlock { triplets, triplets_gradient, feature, feature_gradient, edge, packed, .. } =
            &mut decoder.block;
        let (triplets, feature, edge) = (&triplets[..count * t], &feature[..count * h], &edge[..count * h]);
        let (triplets_gradient, feature_gradient) =
            (triplets_gradient.at_least(count * t), feature_gradient.at_least(count * h));

        let gradient = packed.once(Matrix::new(edge, h));
        let weight = &mut params.tensor_mut(self.tensors.decoder[2].w)[h * h..];
        multiply(self.kernels, weight, h, Matrix::new(feature, h).transposed(), gradient, Start::Out, false);
        multiply(
            self.kernels,
            feature_gradient,
            h,
            Matrix::new(edge, h),
            &self.weights.triplet_decode.back[0],
            Start::Zero,
            false,
        );
        mask(self.kernels, feature_gradient, feature);
        rows::add_rows(self.kernels, params.tensor_mut(layers.output.b), feature_gradient, h);
        let gradient = packed.once(Matrix::new(feature_gradient, h));
        let weight = params.tensor_mut(layers.output.w);
        multiply(self.kernels, weight, h, Matrix::new(triplets, t).transposed(), gradient, Start::Out, false);
        multiply(
            self.kernels,
            triplets_gradient,
            t,
            Matrix::new(feature_gradient, h),
            &self.weights.triplet_output.back[0],
            Start::Zero,
            false,
        );

        let vertices = &mut decoder.triplets_gradient[graph.nodes.start * 3 * t..graph.nodes.end * 3 * t];
        let parts = self.triplet_parts(graph, &decoder.triplets);
        parts.rows_back(&decoder.maxima, children, triplets_gradient, vertices, &mut folded.edge);
    }

    /// From the vertices' parts to states, weights and the inputs' part.
    fn decoder_inputs_back(&self, history: &History<S>, decoder: &Decoder<S>, learning: &mut Learning<'_, S>) {
        let (h, nodes, width) = (self.columns.hidden, self.stack.nodes(), 3 * self.columns.triplet);
        let Learning { back, gradient, .. } = learning;
        let (ends, triplets) = (&decoder.ends_gradient[..nodes * 2 * h], &decoder.triplets_gradient[..nodes * width]);
        let terms = back.node_terms.at_least(nodes * self.columns.node);
        for (v, terms) in terms.chunks_exact_mut(self.columns.node).enumerate() {
            terms[..self.columns.step].fill(S::ZERO);
            terms[self.columns.step..][..2 * h].copy_from_slice(&ends[v * 2 * h..(v + 1) * 2 * h]);
            terms[self.columns.step + 2 * h..].copy_from_slice(&triplets[v * width..(v + 1) * width]);
        }
        for (i, states) in [&history.before_round, &history.after].into_iter().enumerate() {
            let states = Matrix::block(states, nodes, h, h);
            for (end, layer) in self.tensors.decoder[..2].iter().enumerate() {
                let column = Matrix::block(&ends[end * h..], nodes, h, 2 * h);
                self.add_weight(*layer, 1 + i, states, column, back, gradient);
                let start = if end == 0 { Start::Zero } else { Start::Out };
                let out = (if i == 0 { &mut back.before_round } else { &mut back.after }).at_least(nodes * h);
                multiply(self.kernels, out, h, column, &self.weights.decoder[i].back[end], start, false);
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

/// Children in groups of about equal size with at most [`BLOCK`] rows, unless one alone has more.
fn child_blocks(features: &Features) -> impl Iterator<Item = Range<usize>> + use<> {
    let n = features.nodes();
    let most = (BLOCK / n).max(1);
    let size = n.div_ceil(n.div_ceil(most));
    (0..n).step_by(size).map(move |start| start..(start + size).min(n))
}

/// What the last layers of the decoder read.
struct Head<'a, S> {
    hidden: usize,
    features: &'a Features,
    children: Range<usize>,
    ends: &'a [S],
    edge_rows: &'a [S],
    edge_columns: usize,
    weight: &'a [S],
    bias: S,
}

impl<S: Scalar> Head<'_, S> {
    fn child(&self, child: usize) -> &[S] {
        &self.ends[child * 2 * self.hidden..][..self.hidden]
    }

    fn parent(&self, parent: usize) -> &[S] {
        &self.ends[(child_and_parent(parent)) * self.hidden..][..self.hidden]
    }

    fn scalar(&self, s: usize, parent: usize, child: usize) -> S {
        S::of(f64::from(self.features.edge()[s][parent * self.features.nodes() + child]))
    }

    /// An edge row's columns of the decoder.
    fn edge_row(&self, s: usize) -> &[S] {
        &self.edge_rows[s * self.edge_columns + self.hidden..][..self.hidden]
    }
}

/// Where the parent's half of a vertex's row starts, in units of the hidden size.
fn child_and_parent(vertex: usize) -> usize {
    2 * vertex + 1
}

kernel! {
    fn mask<S, HARDWARE>(gradient: &mut [S], relu: &[S]) {
        for (gradient, &relu) in gradient.iter_mut().zip(relu) {
            *gradient = if relu > S::ZERO { *gradient } else { S::ZERO };
        }
    }
}

kernel! {
    /// Completes `edge` from the triplets' part to d1 + d2, and takes the logits.
    fn pointer_logits<S, HARDWARE>(logits: &mut [S], edge: &mut [S], head: &Head<'_, S>) {
        let (h, n) = (head.hidden, head.features.nodes());
        for (row, (logit, edge)) in logits.iter_mut().zip(edge.chunks_exact_mut(h)).enumerate() {
            let (child, parent) = (head.children.start + row / n, row % n);
            rows::add(edge, head.parent(parent));
            for s in 0..head.features.edge().len() {
                rows::add_scaled::<S, HARDWARE>(edge, head.scalar(s, parent, child), head.edge_row(s));
            }
            let mut lanes = [S::ZERO; 16];
            let parts = edge.chunks(16).zip(head.child(child).chunks(16)).zip(head.weight.chunks(16));
            for ((edge, child), weight) in parts {
                for (lane, ((&edge, &child), &weight)) in lanes.iter_mut().zip(edge.iter().zip(child).zip(weight)) {
                    *lane = edge.or_larger(child).fma::<HARDWARE>(weight, *lane);
                }
            }
            *logit = rows::sum(&lanes) + head.bias;
        }
    }
}

kernel! {
    /// Back through the maximum (the child's part takes ties); `edge` turns into its own gradient.
    fn pointer_logits_back<S, HARDWARE>(
        edge: &mut [S],
        logits: &[S],
        ends: &mut [S],
        weight: &mut [S],
        edge_rows: &mut [S],
        head: &Head<'_, S>,
    ) {
        let (h, n) = (head.hidden, head.features.nodes());
        for (row, (&d, edge)) in logits.iter().zip(edge.chunks_exact_mut(h)).enumerate() {
            let (child, parent) = (head.children.start + row / n, row % n);
            let values = head.child(child);
            let out = &mut ends[child * 2 * h..][..h];
            for c in 0..h {
                let (wins, arriving) = (edge[c] > values[c], d * head.weight[c]);
                weight[c] = d.fma::<HARDWARE>(if wins { edge[c] } else { values[c] }, weight[c]);
                out[c] += if wins { S::ZERO } else { arriving };
                edge[c] = if wins { arriving } else { S::ZERO };
            }
            rows::add(&mut ends[child_and_parent(parent) * h..][..h], edge);
            for s in 0..head.features.edge().len() {
                let row = &mut edge_rows[s * head.edge_columns + h..][..h];
                rows::add_scaled::<S, HARDWARE>(row, head.scalar(s, parent, child), edge);
            }
        }
    }
}
