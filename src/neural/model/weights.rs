//! The parameters of a network packed for the products of one batch. Layers a network does not have stay empty.

use crate::neural::nn::kernels::{Buffer, Kernels, Matrix, Packed};
use crate::neural::nn::{Params, Scalar};

use super::fold::{Columns, Folded};
use super::tensors::{Linear, OutputLayers, Tensors};

/// Right factors of all products.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights<S> {
    pub folded: Folded<S>,
    /// Folded vertex rows, `[node scalars + 1] -> columns.node`.
    pub node: Packed<S>,
    /// State to `[receiver | sender | out | gate]`.
    pub step: Layers<S>,
    /// The message MLP.
    pub mlp: [Layers<S>; 2],
    /// Its second layer for the backward pass, as plain rows: row c holds what channel c of a message takes from each channel before.
    pub mlp_rows: Buffer<S>,
    /// Message to `[out | gate]`.
    pub message: Layers<S>,
    /// The gate's last layer.
    pub gate: Layers<S>,
    /// State before and after the last round to the columns of all outputs.
    pub decoder: [Layers<S>; 2],
    /// State to the three vertices' parts of a triplet.
    pub triplet_vertices: Layers<S>,
    /// Triplet maxima to edge features.
    pub triplet_output: Layers<S>,
    /// Edge features to the decoder of each output; empty where that is no product.
    pub triplet_decode: Vec<Layers<S>>,
}

/// Layers that read the same input: side by side, and the transpose of each for the backward pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Layers<S> {
    pub forward: Packed<S>,
    pub back: Vec<Packed<S>>,
}

impl<S: Scalar> Layers<S> {
    fn refill(&mut self, weights: &[Matrix<'_, S>], learning: bool) {
        self.forward.refill(weights);
        if learning {
            self.back.resize_with(weights.len(), Packed::default);
            self.back.iter_mut().zip(weights).for_each(|(packed, weight)| packed.refill(&[weight.transposed()]));
        }
    }
}

/// Rows `part * hidden ..` of a weight whose input is several states side by side.
fn part<S: Scalar>(params: &Params<S>, layer: Linear, part: usize, hidden: usize) -> Matrix<'_, S> {
    let weight = params.tensor(layer.w);
    Matrix::block(&weight[part * hidden * layer.outputs..], hidden, layer.outputs, layer.outputs)
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
    /// Packs parameters, into the memory that is there; what only the backward pass reads, if `learning`.
    ///
    /// One thread packs a layer for both ways: most of the time goes into fetching what Adam wrote on another.
    pub fn refill(
        &mut self,
        kernels: Kernels,
        params: &Params<S>,
        tensors: &Tensors,
        columns: &Columns,
        learning: bool,
    ) {
        let hidden = columns.hidden;
        let parts = |layers: &[Linear], index: usize| -> Vec<_> {
            layers.iter().map(|&layer| part(params, layer, index, hidden)).collect()
        };
        let whole = |layer: Linear| [Matrix::new(params.tensor(layer.w), layer.outputs)];
        let parts = &parts;
        let Weights { folded, node, step, mlp, mlp_rows, message, gate, decoder, .. } = self;
        let (vertices, output, decode) =
            (&mut self.triplet_vertices, &mut self.triplet_output, &mut self.triplet_decode);
        rayon::scope(|scope| {
            scope.spawn(|_| {
                *folded = Folded::new(kernels, params, tensors, columns);
                node.refill(&[Matrix::new(&folded.node, columns.node)]);
            });
            scope.spawn(|_| step.refill(&parts(&step_layers(tensors), 1), learning));
            for (index, layers) in (1..).zip(decoder) {
                scope.spawn(move |_| layers.refill(&parts(&tensors.output_vertex_layers(), index), learning));
            }
            scope.spawn(|_| {
                let layers: Vec<_> = message_layers(tensors).into_iter().flat_map(whole).collect();
                message.refill(&layers, learning);
            });
            scope.spawn(|_| {
                let [first, second] = mlp;
                first.refill(&whole(tensors.mlp[0]), learning);
                second.refill(&whole(tensors.mlp[1]), false);
                if learning {
                    transpose(mlp_rows.at_least(hidden * hidden), params.tensor(tensors.mlp[1].w), hidden);
                }
            });
            if let Some(layers) = tensors.gate {
                scope.spawn(move |_| gate.refill(&whole(layers.last), learning));
            }
            if let Some(layers) = tensors.triplets {
                scope.spawn(move |_| {
                    vertices.refill(&parts(&layers.vertices, 1), learning);
                    output.refill(&whole(layers.output), learning);
                    decode.resize_with(tensors.outputs.len(), Layers::default);
                    for (decode, output) in decode.iter_mut().zip(&tensors.outputs) {
                        if let OutputLayers::Pointer([.., edge, _]) = *output {
                            decode.refill(&parts(&[edge], 1), learning);
                        }
                    }
                });
            }
        });
    }
}

fn transpose<S: Copy>(out: &mut [S], from: &[S], size: usize) {
    for (c, row) in out.chunks_exact_mut(size).enumerate() {
        row.iter_mut().zip(from[c..].iter().step_by(size)).for_each(|(x, &weight)| *x = weight);
    }
}
