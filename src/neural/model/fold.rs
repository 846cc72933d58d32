//! Encoders folded into the linear layers that follow them.
//!
//! An encoding is linear in the scalars of its vertex or pair: `x = Σ_f s_f w_f + b`. A linear layer on it is therefore
//! `Σ_f s_f (w_f · W) + (b · W)`: one row for each scalar and one constant row. The rows are computed once for a batch, the
//! encodings of pairs, n² vectors, are never stored, and gradients of the rows are pushed back to encoder and layer once.
//!
//! Constant rows of edge layers are added to the constant row of the vertex layer that meets them in the same sum, so pairs have none.

use crate::neural::nn::kernels::dispatch::kernel;
use crate::neural::nn::kernels::{Buffer, Kernels, rows};
use crate::neural::nn::params::TensorId;
use crate::neural::nn::{Params, Scalar};

use super::tensors::{Linear, Tensors};

/// Where each vertex layer's columns lie: first those of every step, `[receiver | sender | out | gate]`, then those of the decoder,
/// `[outputs | triplet vertices]`.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub hidden: usize,
    pub triplet: usize,
    /// Columns needed at every step.
    pub step: usize,
    /// All columns of vertex layers.
    pub node: usize,
    /// All columns of edge layers: `[message | outputs | triplet edges]`.
    pub edge: usize,
    /// Columns of the outputs' vertex layers.
    pub ends: usize,
    pub outputs: Vec<OutputColumns>,
    /// Where the triplets' columns begin among those of edge layers.
    pub triplet_edges: usize,
    node_layers: Vec<(Linear, usize)>,
    /// Edge layer, its column, and the column of the vertex layer that takes its constant row.
    edge_layers: Vec<(Linear, usize, usize)>,
    /// Biases that act alone, and the column of the vertex layer that takes them.
    lone_biases: Vec<(Linear, usize)>,
}

/// Where an output's columns begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputColumns {
    /// Among those of all outputs' vertex layers.
    pub ends: usize,
    /// Among those of edge layers, if it has one.
    pub edge: usize,
}

impl Columns {
    /// How many numbers at the start of a tensor are weights of encodings: all their gradient comes from folded rows.
    pub fn folded(&self, id: TensorId) -> usize {
        let nodes = self.node_layers.iter().map(|(layer, _)| layer);
        let mut layers = nodes.chain(self.edge_layers.iter().map(|(layer, ..)| layer));
        layers.find(|layer| layer.w == id).map_or(0, |layer| self.hidden * layer.outputs)
    }

    pub fn new(tensors: &Tensors, hidden: usize) -> Self {
        let mut layers = vec![tensors.receiver, tensors.sender, tensors.out_state];
        layers.extend(tensors.gate.map(|gate| gate.state));
        let step = layers.len() * hidden;
        layers.extend(tensors.output_vertex_layers());
        layers.extend(tensors.triplets.iter().flat_map(|triplets| triplets.vertices));
        let (node_layers, node) = side_by_side(&layers);

        // Each edge layer with the column of the vertex layer that takes its constant row: the second, where there are two.
        let mut edges = vec![(tensors.edge, 0)];
        let (mut outputs, mut ends, mut edge) = (Vec::new(), 0, hidden);
        for output in &tensors.outputs {
            outputs.push(OutputColumns { ends, edge });
            if let Some(layer) = output.of_edges() {
                edges.push((layer, step + ends + output.of_vertices()[0].outputs));
                edge += layer.outputs;
            }
            ends += output.of_vertices().iter().map(|layer| layer.outputs).sum::<usize>();
        }
        let (first_triplet, triplet_edges) = (step + ends, edge);
        edges.extend(tensors.triplets.iter().flat_map(|triplets| triplets.edges.map(|layer| (layer, first_triplet))));
        let (placed, edge) = side_by_side(&edges.iter().map(|&(layer, _)| layer).collect::<Vec<_>>());
        let edge_layers = placed.into_iter().zip(&edges).map(|((layer, column), &(_, host))| (layer, column, host));
        let edge_layers = edge_layers.collect();

        let mut lone_biases = vec![(tensors.graph, 0), (tensors.out_message, 2 * hidden)];
        lone_biases.extend(tensors.gate.map(|gate| (gate.message, 3 * hidden)));
        lone_biases.extend(tensors.triplets.map(|triplets| (triplets.graph, first_triplet)));
        let triplet = tensors.triplets.map_or(0, |triplets| triplets.graph.outputs);
        Columns {
            hidden,
            triplet,
            step,
            node,
            edge,
            ends,
            outputs,
            triplet_edges,
            node_layers,
            edge_layers,
            lone_biases,
        }
    }
}

fn side_by_side(layers: &[Linear]) -> (Vec<(Linear, usize)>, usize) {
    let mut column = 0;
    let placed = layers.iter().map(|&layer| {
        column += layer.outputs;
        (layer, column - layer.outputs)
    });
    (placed.collect(), column)
}

/// The folded rows, or their gradients.
#[derive(Clone, Debug, Default)]
pub(super) struct Folded<S> {
    /// `[node scalars + 1][columns.node]`, the constant row last.
    pub node: Buffer<S>,
    /// `[edge scalars][columns.edge]`.
    pub edge: Buffer<S>,
}

impl<S: Scalar> Folded<S> {
    pub fn zeros(columns: &Columns, node_scalars: usize, edge_scalars: usize) -> Self {
        Folded {
            node: Buffer::zeros((node_scalars + 1) * columns.node),
            edge: Buffer::zeros(edge_scalars * columns.edge),
        }
    }

    /// Folds the encoders of `params`.
    pub fn new(kernels: Kernels, params: &Params<S>, tensors: &Tensors, columns: &Columns) -> Self {
        let (node_scalars, edge_scalars) = (tensors.node_encoders.len(), tensors.edge_encoders.len());
        let mut folded = Folded::zeros(columns, node_scalars, edge_scalars);
        let encoder = Encoder::new(params, &tensors.node_encoders, columns.hidden);
        let (scalars, constant) = folded.node.split_at_mut(node_scalars * columns.node);
        for &(layer, column) in &columns.node_layers {
            let cell = column..column + layer.outputs;
            let weight = &params.tensor(layer.w)[..columns.hidden * layer.outputs];
            for (row, encoding) in scalars.chunks_exact_mut(columns.node).zip(&encoder.scalars) {
                add_row_times_matrix(kernels, &mut row[cell.clone()], encoding, weight);
            }
            add_row_times_matrix(kernels, &mut constant[cell.clone()], &encoder.constant, weight);
            rows::add(&mut constant[cell], params.tensor(layer.b));
        }
        let encoder = Encoder::new(params, &tensors.edge_encoders, columns.hidden);
        for &(layer, column, host) in &columns.edge_layers {
            let (cell, host) = (column..column + layer.outputs, host..host + layer.outputs);
            let weight = &params.tensor(layer.w)[..columns.hidden * layer.outputs];
            for (row, encoding) in folded.edge.chunks_exact_mut(columns.edge).zip(&encoder.scalars) {
                add_row_times_matrix(kernels, &mut row[cell.clone()], encoding, weight);
            }
            add_row_times_matrix(kernels, &mut constant[host.clone()], &encoder.constant, weight);
            rows::add(&mut constant[host], params.tensor(layer.b));
        }
        for &(layer, host) in &columns.lone_biases {
            rows::add(&mut constant[host..host + layer.outputs], params.tensor(layer.b));
        }
        folded
    }

    /// Makes ready to push the gradients `self` of folded rows back to encoders and layers.
    pub fn unfold<'a>(
        &'a self,
        kernels: Kernels,
        params: &'a Params<S>,
        tensors: &'a Tensors,
        columns: &'a Columns,
    ) -> Unfold<'a, S> {
        let (scalars, constant) = self.node.split_at(tensors.node_encoders.len() * columns.node);
        let encoders = &tensors.node_encoders[..];
        let nodes = columns.node_layers.iter().map(|&(layer, column)| {
            let cell = column..column + layer.outputs;
            let rows = scalars.chunks_exact(columns.node).map(|row| &row[cell.clone()]).collect();
            Unfolded { layer, encoders, rows, constant: &constant[cell] }
        });
        let encoders = &tensors.edge_encoders[..];
        let edges = columns.edge_layers.iter().map(|&(layer, column, host)| {
            let rows = self.edge.chunks_exact(columns.edge).map(|row| &row[column..column + layer.outputs]).collect();
            Unfolded { layer, encoders, rows, constant: &constant[host..host + layer.outputs] }
        });
        let lone = columns.lone_biases.iter().map(|&(layer, host)| (layer, &constant[host..host + layer.outputs]));
        Unfold { kernels, params, hidden: columns.hidden, layers: nodes.chain(edges).collect(), lone: lone.collect() }
    }
}

kernel! {
    /// `out += x · W`, summed in `f64`: a folded row stands for every vertex and every step, so its error would too.
    fn add_row_times_matrix<S, HARDWARE>(out: &mut [S], x: &[S], w: &[S]) {
        let mut sums: Vec<f64> = out.iter().map(|x| x.as_f64()).collect();
        for (x, w) in x.iter().zip(w.chunks_exact(out.len())) {
            for (sum, w) in sums.iter_mut().zip(w) {
                *sum += x.as_f64() * w.as_f64();
            }
        }
        for (out, sum) in out.iter_mut().zip(sums) {
            *out = S::of(sum);
        }
    }
}

/// The encoders of one kind of scalars: a direction for each scalar and the sum of all biases. Without scalars every encoding is
/// zero.
struct Encoder<'a, S> {
    scalars: Vec<&'a [S]>,
    constant: Vec<S>,
}

impl<'a, S: Scalar> Encoder<'a, S> {
    fn new(params: &'a Params<S>, encoders: &[Linear], hidden: usize) -> Self {
        let mut constant = vec![S::ZERO; hidden];
        for encoder in encoders {
            rows::add(&mut constant, params.tensor(encoder.b));
        }
        Encoder { scalars: encoders.iter().map(|encoder| params.tensor(encoder.w)).collect(), constant }
    }
}

/// The backward pass from gradients of folded rows: first each layer's weight for itself, then what layers share.
pub(super) struct Unfold<'a, S> {
    kernels: Kernels,
    params: &'a Params<S>,
    hidden: usize,
    layers: Vec<Unfolded<'a, S>>,
    lone: Vec<(Linear, &'a [S])>,
}

/// A layer that reads encodings, and the gradients of its folded rows.
struct Unfolded<'a, S> {
    layer: Linear,
    encoders: &'a [Linear],
    rows: Vec<&'a [S]>,
    constant: &'a [S],
}

impl<S: Scalar> Unfold<'_, S> {
    /// Fills in the gradient of a layer's weight of encodings, if the tensor has one. Returns the gradients of the encodings the
    /// layer reads, that of the constant one last.
    pub fn weight(&self, id: TensorId, gradient: &mut [S]) -> Vec<Vec<S>> {
        let Some(Unfolded { layer, encoders, rows, constant }) = self.layers.iter().find(|part| part.layer.w == id)
        else {
            return Vec::new();
        };
        let size = self.hidden * layer.outputs;
        let (weight, gradient) = (&self.params.tensor(id)[..size], &mut gradient[..size]);
        gradient.fill(S::ZERO);
        let encoder = Encoder::new(self.params, encoders, self.hidden);
        let encodings = encoder.scalars.iter().copied().chain([&encoder.constant[..]]);
        let terms = encodings.zip(rows.iter().chain([constant]));
        let push = |(encoding, row): (&[S], &&[S])| {
            rows::add_outer(self.kernels, gradient, encoding, row);
            let mut arriving = vec![S::ZERO; self.hidden];
            rows::add_matrix_times_column(self.kernels, &mut arriving, weight, row);
            arriving
        };
        terms.map(push).collect()
    }

    /// Adds to the gradients of biases and, from what [`Unfold::weight`] returned for each tensor, of encoders.
    pub fn shared(&self, arriving: &[Vec<Vec<S>>], out: &mut Params<S>) {
        for Unfolded { layer, encoders, constant, .. } in &self.layers {
            let (of_constant, of_scalars) = arriving[layer.w].split_last().expect("the weight of a layer");
            for (encoder, of_scalar) in encoders.iter().zip(of_scalars) {
                rows::add(out.tensor_mut(encoder.w), of_scalar);
                rows::add(out.tensor_mut(encoder.b), of_constant);
            }
            rows::add(out.tensor_mut(layer.b), constant);
        }
        for &(layer, constant) in &self.lone {
            rows::add(out.tensor_mut(layer.b), constant);
        }
    }
}
