//! The parameters of a network packed for the products of one batch.

use crate::nn::kernels::{Buffer, Kernels, Matrix, Packed};
use crate::nn::{Params, Scalar};

use super::fold::{Columns, Folded};
use super::tensors::{Linear, Tensors};

/// Right factors for running the network.
#[derive(Debug)]
pub(super) struct Weights<'a, S> {
    pub params: &'a Params<S>,
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
    pub gate: Option<Packed<S>>,
    /// State before and after the last round to `[child | parent]`.
    pub decoder: [Packed<S>; 2],
    /// For triplets: state to the three vertices' parts; triplet maxima to edge features; edge features to the decoder.
    pub triplets: Option<[Packed<S>; 3]>,
}

/// Right factors for the way back: the transposes.
#[derive(Debug)]
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
    pub gate: Option<Packed<S>>,
    /// `[before, after] x [child, parent]` to state.
    pub decoder: [[Packed<S>; 2]; 2],
    pub triplets: Option<TransposedTriplets<S>>,
}

/// The part of [`Transposed`] for triplets.
#[derive(Debug)]
pub(super) struct TransposedTriplets<S> {
    /// The three vertices' parts to state.
    pub vertices: [Packed<S>; 3],
    /// Edge features to triplet maxima.
    pub output: Packed<S>,
    /// The decoder to edge features.
    pub decode: Packed<S>,
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

impl<'a, S: Scalar> Weights<'a, S> {
    pub fn new(kernels: Kernels, params: &'a Params<S>, tensors: &Tensors, columns: &Columns) -> Self {
        let h = columns.hidden;
        let folded = Folded::new(kernels, params, tensors, columns);
        let join = |layers: &[Linear], index: usize| {
            let parts: Vec<_> = layers.iter().map(|&layer| part(params, layer, index, h)).collect();
            Packed::side_by_side(&parts)
        };
        let all = |layer: Linear| Packed::new(whole(params, layer));
        Weights {
            params,
            node: Packed::new(Matrix::new(&folded.node, columns.node)),
            step: join(&step_layers(tensors), 1),
            mlp: tensors.mlp.map(all),
            message: join(&message_layers(tensors), 0),
            gate: tensors.gate.map(|gate| all(gate.last)),
            decoder: [1, 2].map(|index| join(&tensors.decoder[..2], index)),
            triplets: tensors.triplets.map(|triplets| {
                [join(&triplets.vertices, 1), all(triplets.output), Packed::new(part(params, tensors.decoder[2], 1, h))]
            }),
            folded,
        }
    }
}

impl<S: Scalar> Transposed<S> {
    pub fn new(params: &Params<S>, tensors: &Tensors, hidden: usize) -> Self {
        let back = |layer: Linear, index: usize| Packed::new(part(params, layer, index, hidden).transposed());
        let all = |layer: Linear| Packed::new(whole(params, layer).transposed());
        let mlp_weight = params.tensor(tensors.mlp[1].w);
        Transposed {
            step: step_layers(tensors).into_iter().map(|layer| back(layer, 1)).collect(),
            mlp: all(tensors.mlp[0]),
            mlp_rows: (0..hidden).flat_map(|c| mlp_weight[c..].iter().step_by(hidden).copied()).collect(),
            message: message_layers(tensors).into_iter().map(all).collect(),
            gate: tensors.gate.map(|gate| all(gate.last)),
            decoder: [1, 2].map(|index| [back(tensors.decoder[0], index), back(tensors.decoder[1], index)]),
            triplets: tensors.triplets.map(|triplets| TransposedTriplets {
                vertices: triplets.vertices.map(|layer| back(layer, 1)),
                output: all(triplets.output),
                decode: back(tensors.decoder[2], 1),
            }),
        }
    }
}
