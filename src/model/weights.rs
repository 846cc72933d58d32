//! The parameters of a network packed for the products of one batch. Layers a network does not have stay empty.

use crate::nn::kernels::{Buffer, Kernels, Matrix, Packed};
use crate::nn::{Params, Scalar};

use super::fold::{Columns, Folded};
use super::tensors::{Linear, Tensors};

/// Right factors for running the network.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights<S> {
    pub folded: Folded<S>,
    /// Folded vertex rows, `[node scalars + 1] -> columns.node`.
    pub node: Packed<S>,
    /// State to `[receiver | sender | out | gate]`.
    pub step: Packed<S>,
    /// The message MLP.
    pub mlp: [Packed<S>; 2],
    /// Message to `[out | gate]`.
    pub message: Packed<S>,
    /// The gate's last layer.
    pub gate: Packed<S>,
    /// State before and after the last round to `[child | parent]`.
    pub decoder: [Packed<S>; 2],
    /// For triplets: state to the three vertices' parts; triplet maxima to edge features; edge features to the decoder.
    pub triplets: [Packed<S>; 3],
}

/// Right factors for the way back: the transposes.
#[derive(Clone, Debug, Default)]
pub(super) struct Transposed<S> {
    /// From `[receiver | sender | out | gate]` to state, one for each.
    pub step: Vec<Packed<S>>,
    /// The first layer of the message MLP.
    pub mlp: Packed<S>,
    /// The second one, as plain rows: row c holds what channel c of a message takes from each channel before.
    pub mlp_rows: Buffer<S>,
    /// From `[out | gate]` to message, one for each.
    pub message: Vec<Packed<S>>,
    /// The gate's last layer.
    pub gate: Packed<S>,
    /// `[before, after] x [child, parent]` to state.
    pub decoder: [[Packed<S>; 2]; 2],
    /// The three vertices' parts of a triplet to state.
    pub triplet_vertices: [Packed<S>; 3],
    /// Edge features to triplet maxima.
    pub triplet_output: Packed<S>,
    /// The decoder to edge features.
    pub triplet_decode: Packed<S>,
}

/// Rows `part * hidden ..` of a weight whose input is several states side by side.
pub(super) fn part<S: Scalar>(params: &Params<S>, layer: Linear, part: usize, hidden: usize) -> Matrix<'_, S> {
    let weight = params.tensor(layer.w);
    Matrix::block(&weight[part * hidden * layer.outputs..], hidden, layer.outputs, layer.outputs)
}

fn whole<S: Scalar>(params: &Params<S>, layer: Linear) -> Matrix<'_, S> {
    Matrix::new(params.tensor(layer.w), layer.outputs)
}

/// The layers of a step that read the state, in the order of the columns.
pub(super) fn step_layers(tensors: &Tensors) -> Vec<Linear> {
    let mut layers = vec![tensors.receiver, tensors.sender, tensors.out_state];
    layers.extend(tensors.gate.map(|gate| gate.state));
    layers
}

/// The layers of a step that read messages.
pub(super) fn message_layers(tensors: &Tensors) -> Vec<Linear> {
    let mut layers = vec![tensors.out_message];
    layers.extend(tensors.gate.map(|gate| gate.message));
    layers
}

impl<S: Scalar> Weights<S> {
    /// Packs other parameters, into the memory that is there.
    pub fn refill(&mut self, kernels: Kernels, params: &Params<S>, tensors: &Tensors, columns: &Columns) {
        let parts = |layers: &[Linear], index: usize| -> Vec<_> {
            layers.iter().map(|&layer| part(params, layer, index, columns.hidden)).collect()
        };
        self.folded = Folded::new(kernels, params, tensors, columns);
        self.node.refill(&[Matrix::new(&self.folded.node, columns.node)]);
        self.step.refill(&parts(&step_layers(tensors), 1));
        for (packed, layer) in self.mlp.iter_mut().zip(tensors.mlp) {
            packed.refill(&[whole(params, layer)]);
        }
        self.message.refill(&parts(&message_layers(tensors), 0));
        if let Some(gate) = tensors.gate {
            self.gate.refill(&[whole(params, gate.last)]);
        }
        for (index, packed) in (1..).zip(&mut self.decoder) {
            packed.refill(&parts(&tensors.decoder[..2], index));
        }
        if let Some(layers) = tensors.triplets {
            let [vertices, output, decode] = &mut self.triplets;
            vertices.refill(&parts(&layers.vertices, 1));
            output.refill(&[whole(params, layers.output)]);
            decode.refill(&parts(&[tensors.decoder[2]], 1));
        }
    }
}

impl<S: Scalar> Transposed<S> {
    /// Packs other parameters, into the memory that is there.
    pub fn refill(&mut self, params: &Params<S>, tensors: &Tensors, hidden: usize) {
        let back = |packed: &mut Packed<S>, layer: Linear, index: usize| {
            packed.refill(&[part(params, layer, index, hidden).transposed()]);
        };
        let all = |packed: &mut Packed<S>, layer: Linear| packed.refill(&[whole(params, layer).transposed()]);
        let layers = step_layers(tensors);
        self.step.resize_with(layers.len(), Packed::default);
        self.step.iter_mut().zip(layers).for_each(|(packed, layer)| back(packed, layer, 1));
        all(&mut self.mlp, tensors.mlp[0]);
        let mlp_weight = params.tensor(tensors.mlp[1].w);
        for (c, row) in self.mlp_rows.at_least(hidden * hidden).chunks_exact_mut(hidden).enumerate() {
            row.iter_mut().zip(mlp_weight[c..].iter().step_by(hidden)).for_each(|(x, &weight)| *x = weight);
        }
        let layers = message_layers(tensors);
        self.message.resize_with(layers.len(), Packed::default);
        self.message.iter_mut().zip(layers).for_each(|(packed, layer)| all(packed, layer));
        if let Some(gate) = tensors.gate {
            all(&mut self.gate, gate.last);
        }
        for (index, ends) in (1..).zip(&mut self.decoder) {
            ends.iter_mut().zip(tensors.decoder).for_each(|(packed, layer)| back(packed, layer, index));
        }
        if let Some(layers) = tensors.triplets {
            self.triplet_vertices.iter_mut().zip(layers.vertices).for_each(|(packed, layer)| back(packed, layer, 1));
            all(&mut self.triplet_output, layers.output);
            back(&mut self.triplet_decode, tensors.decoder[2], 1);
        }
    }
}
