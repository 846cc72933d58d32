//! Decoders of pairs of vertices, for a block of children at a time:
//!
//! | output | logit |
//! |---|---|
//! | pointer of child c to parent p | `d3 · max(d0_c, d1_p + d2_pc)` |
//! | flag of the edge from p to c | `l0_p + l1_c + l2_pc` |
//!
//! `d0`, `d1`, `l0`, `l1` are columns of `ends`; `d2` and `l2` read the pair's inputs and its triplet feature. All outputs share the
//! triplet features of a block, and a row of logits is all a loss needs, so a block goes forward and backward before the next.

use std::ops::Range;

use crate::neural::nn::Scalar;
use crate::neural::nn::kernels::dispatch::kernel;
use crate::neural::nn::kernels::{Buffer, Matrix, Packed, Start, multiply, rows};

use super::decode::{Decoder, Learning};
use super::features::Features;
use super::process::Process;
use super::process_back::Gradient;
use super::stack::Placed;
use super::tensors::{Linear, OutputLayers};
use super::triplets::Parts;

/// Rows (child, parent) of some children.
#[derive(Clone, Debug, Default)]
pub(super) struct PairBlock<S> {
    triplets: Buffer<S>,
    triplets_gradient: Buffer<S>,
    feature: Buffer<S>,
    feature_gradient: Buffer<S>,
    /// A pointer's d1 + d2, then its gradient.
    edge: Buffer<S>,
    /// Logits of one output, then their gradients.
    pub logits: Vec<S>,
    packed: Packed<S>,
}

impl<S: Scalar> Process<'_, S> {
    pub fn triplet_parts<'a>(&'a self, graph: &'a Placed<'_>, vertices: &'a [S]) -> Parts<'a, S> {
        let size = self.columns.triplet;
        Parts {
            features: graph.features,
            vertices: &vertices[graph.nodes.start * 3 * size..graph.nodes.end * 3 * size],
            edge_rows: &self.weights.folded.edge,
            edge_columns: self.columns.edge,
            first_column: self.columns.triplet_edges,
            size,
        }
    }

    /// The triplet features of some children's pairs, for all outputs.
    pub fn edge_features(&self, graph: &Placed<'_>, children: Range<usize>, decoder: &mut Decoder<S>) {
        let Some(layers) = self.tensors.triplets else { return };
        let (h, t) = (self.columns.hidden, self.columns.triplet);
        let count = children.len() * graph.nodes.len();
        let PairBlock { triplets, feature, .. } = &mut decoder.block;
        let (triplets, feature) = (triplets.at_least(count * t), feature.at_least(count * h));
        self.triplet_parts(graph, &decoder.triplets).rows(&decoder.maxima, children, triplets);
        let bias = Start::Bias(self.params.tensor(layers.output.b));
        multiply(self.kernels, feature, h, Matrix::new(triplets, t), &self.weights.triplet_output.forward, bias, true);
    }

    /// An output's logits of some children, leaving in the block what the backward pass needs.
    pub fn pair_logits(&self, output: usize, graph: &Placed<'_>, children: Range<usize>, decoder: &mut Decoder<S>) {
        let h = self.columns.hidden;
        let count = children.len() * graph.nodes.len();
        let PairBlock { feature, edge, logits, .. } = &mut decoder.block;
        logits.resize(count, S::ZERO);
        let head = self.head(output, graph, children, &decoder.ends);
        match self.tensors.outputs[output] {
            OutputLayers::Pointer(_) => {
                let edge = edge.at_least(count * h);
                if self.tensors.triplets.is_some() {
                    let (feature, weight) = (&feature[..count * h], &self.weights.triplet_decode[output].forward);
                    multiply(self.kernels, edge, h, Matrix::new(feature, h), weight, Start::Zero, false);
                } else {
                    edge.fill(S::ZERO);
                }
                pointer_logits(self.kernels, logits, edge, &head);
            }
            _ => edge_flag_logits(self.kernels, logits, feature, &head),
        }
    }

    fn head<'a>(&'a self, output: usize, graph: &'a Placed<'_>, children: Range<usize>, ends: &'a [S]) -> Head<'a, S> {
        let width = self.columns.ends;
        let columns = self.columns.outputs[output];
        let (weight, bias) = match self.tensors.outputs[output] {
            OutputLayers::Pointer([.., last]) => (self.params.tensor(last.w), self.params.tensor(last.b)[0]),
            OutputLayers::EdgeFlag([.., edge]) => (&self.params.tensor(edge.w)[self.columns.hidden..], S::ZERO),
            OutputLayers::NodeFlag(_) | OutputLayers::OneHotNode(_) => (&[][..], S::ZERO),
        };
        Head {
            hidden: self.columns.hidden,
            features: graph.features,
            children,
            ends: &ends[graph.nodes.start * width..graph.nodes.end * width],
            ends_columns: width,
            ends_column: columns.ends,
            edge_rows: &self.weights.folded.edge,
            edge_columns: self.columns.edge,
            edge_column: columns.edge,
            weight,
            bias,
        }
    }

    /// Back through an output of a block whose `logits` now hold their gradients. The `first` output of a block sets the gradient of
    /// the triplet features, others add to it.
    pub fn pair_logits_back(
        &self,
        output: usize,
        graph: &Placed<'_>,
        children: Range<usize>,
        decoder: &mut Decoder<S>,
        learning: &mut Learning<'_, S>,
        first: bool,
    ) {
        let h = self.columns.hidden;
        let count = children.len() * graph.nodes.len();
        let Gradient { params, folded } = &mut *learning.gradient;
        let ends =
            &mut decoder.ends_gradient[graph.nodes.start * self.columns.ends..graph.nodes.end * self.columns.ends];
        let head = self.head(output, graph, children, &decoder.ends);
        let PairBlock { feature, feature_gradient, edge, logits, .. } = &mut decoder.block;
        match self.tensors.outputs[output] {
            OutputLayers::Pointer([.., layer, last]) => {
                let [weight, bias] = params.tensors_mut([last.w, last.b]);
                bias[0] += logits.iter().copied().sum::<S>();
                let edge = &mut edge[..count * h];
                pointer_logits_back(self.kernels, edge, logits, ends, weight, &mut folded.edge, &head);
                self.pointer_features_back(output, layer, count, &mut decoder.block, learning, first);
            }
            OutputLayers::EdgeFlag([.., layer]) => {
                edge_flag_logits_back(self.kernels, logits, ends, &mut folded.edge, &head);
                if self.tensors.triplets.is_some() {
                    let feature_gradient = feature_gradient.at_least(count * h);
                    if first {
                        feature_gradient.fill(S::ZERO);
                    }
                    let weight = &mut params.tensor_mut(layer.w)[h..];
                    edge_flag_features_back(self.kernels, logits, feature, feature_gradient, weight, &head);
                }
            }
            OutputLayers::NodeFlag(_) | OutputLayers::OneHotNode(_) => {}
        }
    }

    /// From the gradients of a pointer's d2 to those of its weight and of the triplet features.
    fn pointer_features_back(
        &self,
        output: usize,
        layer: Linear,
        count: usize,
        block: &mut PairBlock<S>,
        learning: &mut Learning<'_, S>,
        first: bool,
    ) {
        if self.tensors.triplets.is_none() {
            return;
        }
        let h = self.columns.hidden;
        let PairBlock { feature, feature_gradient, edge, packed, .. } = block;
        let (feature, edge) = (&feature[..count * h], &edge[..count * h]);
        let feature_gradient = feature_gradient.at_least(count * h);
        let gradient = packed.once(Matrix::new(edge, h));
        let weight = &mut learning.gradient.params.tensor_mut(layer.w)[h * h..];
        multiply(self.kernels, weight, h, Matrix::new(feature, h).transposed(), gradient, Start::Out, false);
        let start = if first { Start::Zero } else { Start::Out };
        let weight = &self.weights.triplet_decode[output].back[0];
        multiply(self.kernels, feature_gradient, h, Matrix::new(edge, h), weight, start, false);
    }

    /// From the gradients of the triplet features to those of the triplets' parts.
    pub fn edge_features_back(
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
        let PairBlock { triplets, triplets_gradient, feature, feature_gradient, packed, .. } = &mut decoder.block;
        let (triplets, feature) = (&triplets[..count * t], &feature[..count * h]);
        let (triplets_gradient, feature_gradient) =
            (triplets_gradient.at_least(count * t), feature_gradient.at_least(count * h));

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
}

/// What the last layers of a pairs' decoder read.
struct Head<'a, S> {
    hidden: usize,
    features: &'a Features,
    children: Range<usize>,
    /// Rows of vertices, and where this output's columns begin in them.
    ends: &'a [S],
    ends_columns: usize,
    ends_column: usize,
    /// Rows of edge scalars, and where this output's columns begin in them.
    edge_rows: &'a [S],
    edge_columns: usize,
    edge_column: usize,
    /// A pointer's d3; a flag's weight of triplet features, empty without triplets.
    weight: &'a [S],
    bias: S,
}

impl<S: Scalar> Head<'_, S> {
    /// Where a vertex's columns begin.
    #[inline(always)]
    fn end(&self, vertex: usize) -> usize {
        vertex * self.ends_columns + self.ends_column
    }

    #[inline(always)]
    fn child(&self, child: usize) -> &[S] {
        &self.ends[self.end(child)..][..self.hidden]
    }

    #[inline(always)]
    fn parent(&self, parent: usize) -> &[S] {
        &self.ends[self.end(parent) + self.hidden..][..self.hidden]
    }

    #[inline(always)]
    fn scalar(&self, s: usize, parent: usize, child: usize) -> S {
        S::of(f64::from(self.features.edge()[s][parent * self.features.nodes() + child]))
    }

    /// Where an edge scalar's columns begin.
    #[inline(always)]
    fn edge(&self, s: usize) -> usize {
        s * self.edge_columns + self.edge_column
    }

    /// The child and the parent of a row of the block.
    #[inline(always)]
    fn pair(&self, row: usize) -> (usize, usize) {
        let n = self.features.nodes();
        (self.children.start + row / n, row % n)
    }
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
        let h = head.hidden;
        for (row, (logit, edge)) in logits.iter_mut().zip(edge.chunks_exact_mut(h)).enumerate() {
            let (child, parent) = head.pair(row);
            rows::add(edge, head.parent(parent));
            for s in 0..head.features.edge().len() {
                rows::add_scaled::<S, HARDWARE>(edge, head.scalar(s, parent, child), &head.edge_rows[head.edge(s)..][..h]);
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
        let h = head.hidden;
        for (row, (&d, edge)) in logits.iter().zip(edge.chunks_exact_mut(h)).enumerate() {
            let (child, parent) = head.pair(row);
            let values = head.child(child);
            let out = &mut ends[head.end(child)..][..h];
            for c in 0..h {
                let (wins, arriving) = (edge[c] > values[c], d * head.weight[c]);
                weight[c] = d.fma::<HARDWARE>(if wins { edge[c] } else { values[c] }, weight[c]);
                out[c] += if wins { S::ZERO } else { arriving };
                edge[c] = if wins { arriving } else { S::ZERO };
            }
            rows::add(&mut ends[head.end(parent) + h..][..h], edge);
            for s in 0..head.features.edge().len() {
                let row = &mut edge_rows[head.edge(s)..][..h];
                rows::add_scaled::<S, HARDWARE>(row, head.scalar(s, parent, child), edge);
            }
        }
    }
}

kernel! {
    /// `l0_p + l1_c + l2_pc`; without triplets there are no features and no weight of them.
    fn edge_flag_logits<S, HARDWARE>(logits: &mut [S], features: &[S], head: &Head<'_, S>) {
        for (row, logit) in logits.iter_mut().enumerate() {
            let (child, parent) = head.pair(row);
            let mut sum = head.ends[head.end(parent)] + head.ends[head.end(child) + 1];
            for s in 0..head.features.edge().len() {
                sum = head.scalar(s, parent, child).fma::<HARDWARE>(head.edge_rows[head.edge(s)], sum);
            }
            if !head.weight.is_empty() {
                sum += rows::dot::<S, HARDWARE>(&features[row * head.hidden..][..head.hidden], head.weight);
            }
            *logit = sum;
        }
    }
}

kernel! {
    /// From the gradients of a flag's logits to those of both vertices' columns and of the edge rows.
    fn edge_flag_logits_back<S, HARDWARE>(logits: &[S], ends: &mut [S], edge_rows: &mut [S], head: &Head<'_, S>) {
        for (row, &d) in logits.iter().enumerate() {
            let (child, parent) = head.pair(row);
            ends[head.end(parent)] += d;
            ends[head.end(child) + 1] += d;
            for s in 0..head.features.edge().len() {
                let cell = &mut edge_rows[head.edge(s)];
                *cell = head.scalar(s, parent, child).fma::<HARDWARE>(d, *cell);
            }
        }
    }
}

kernel! {
    /// From the gradients of a flag's logits to those of the triplet features and of their weight.
    fn edge_flag_features_back<S, HARDWARE>(
        logits: &[S],
        features: &[S],
        gradients: &mut [S],
        weight: &mut [S],
        head: &Head<'_, S>,
    ) {
        let rows = features.chunks_exact(head.hidden).zip(gradients.chunks_exact_mut(head.hidden));
        for (&d, (feature, gradient)) in logits.iter().zip(rows) {
            rows::add_scaled::<S, HARDWARE>(gradient, d, head.weight);
            rows::add_scaled::<S, HARDWARE>(weight, d, feature);
        }
    }
}
