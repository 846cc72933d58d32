//! Messages: `message_ij = MLP(relu(r_j + s_i + e_ij))`, then for each receiver j and channel the maximum over senders i.
//!
//! `r` and `s` are the receiver's and sender's columns of the projections, `e` is linear in the pair's scalars. Receivers are
//! taken in blocks that fit a cache; in a block a row is a pair.

use std::ops::Range;

use rayon::prelude::*;

use crate::neural::nn::kernels::dispatch::kernel;
use crate::neural::nn::kernels::{Buffer, Kernels, Matrix, Start, multiply, rows};
use crate::neural::nn::{Params, Scalar};

use super::fold::Columns;
use super::stack::Stack;
use super::tensors::Tensors;
use super::weights::Weights;

/// Pairs in a block: three matrices of this many rows should fit a second-level cache.
pub(super) const BLOCK: usize = 128;

/// What one step's messages need.
#[derive(Clone, Copy)]
pub(super) struct Messages<'a, S> {
    pub kernels: Kernels,
    pub stack: &'a Stack<'a, S>,
    pub params: &'a Params<S>,
    pub weights: &'a Weights<S>,
    pub tensors: &'a Tensors,
    pub columns: &'a Columns,
    /// Whether blocks may go to several threads.
    pub spread: bool,
}

/// What the step's messages give. All are indexed by receiver but `second`, by pair.
pub(super) struct Received<'a, S> {
    /// `[receiver][hidden]`: maxima.
    pub messages: &'a mut [S],
    /// `[receiver][hidden]`: the pair that gave each maximum; the first of equals.
    pub winners: &'a mut [u32],
    /// `[pair][hidden]`: the activation before the MLP's second layer, if it is to be kept.
    pub second: Option<&'a mut [S]>,
}

/// Memory for a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch<S> {
    first: Buffer<S>,
    second: Buffer<S>,
    values: Buffer<S>,
}

struct Block<'a, S> {
    receivers: Range<usize>,
    received: Received<'a, S>,
}

impl<S: Scalar> Messages<'_, S> {
    /// Computes the messages to the first `nodes` vertices.
    pub fn forward(&self, nodes: usize, projections: &[S], received: Received<'_, S>, scratch: &mut Scratch<S>) {
        let blocks = self.split(nodes, received);
        if self.spread && blocks.len() > 1 {
            blocks
                .into_par_iter()
                .for_each_init(Scratch::default, |scratch, block| self.block(projections, block, scratch));
        } else {
            blocks.into_iter().for_each(|block| self.block(projections, block, scratch));
        }
    }

    fn split<'r>(&self, nodes: usize, received: Received<'r, S>) -> Vec<Block<'r, S>> {
        let Received { mut messages, mut winners, mut second } = received;
        let h = self.columns.hidden;
        let cut = |receivers: Range<usize>| {
            let pairs = self.pairs(&receivers).len();
            let received = Received {
                messages: messages.split_off_mut(..receivers.len() * h).expect("a row for each receiver"),
                winners: winners.split_off_mut(..receivers.len() * h).expect("a row for each receiver"),
                second: second.as_mut().map(|rows| rows.split_off_mut(..pairs * h).expect("a row for each pair")),
            };
            Block { receivers, received }
        };
        self.stack.blocks(nodes, BLOCK).into_iter().map(cut).collect()
    }

    fn pairs(&self, receivers: &Range<usize>) -> Range<usize> {
        self.stack.first_pair[receivers.start]..self.stack.first_pair[receivers.end]
    }

    fn block(&self, projections: &[S], block: Block<'_, S>, scratch: &mut Scratch<S>) {
        let h = self.columns.hidden;
        let pairs = self.pairs(&block.receivers);
        let Scratch { first, second, values } = scratch;
        let [first, values] = [first, values].map(|rows| rows.at_least(pairs.len() * h));
        let second = block.received.second.unwrap_or_else(|| second.at_least(pairs.len() * h));
        self.first_activation(projections, &self.stack.pairs[pairs.clone()], first);
        let bias = self.tensors.mlp.map(|layer| self.params.tensor(layer.b));
        multiply(
            self.kernels,
            second,
            h,
            Matrix::new(first, h),
            &self.weights.mlp[0].forward,
            Start::Bias(bias[0]),
            true,
        );
        multiply(self.kernels, values, h, Matrix::new(second, h), &self.weights.mlp[1].forward, Start::Zero, false);
        let starts = &self.stack.first_pair[block.receivers.start..=block.receivers.end];
        // The same bias for all senders: it can wait until after the maximum.
        maxima(self.kernels, block.received.messages, block.received.winners, values, starts, bias[1]);
    }

    /// `relu(r_j + s_i + e_ij)` for each of `pairs`.
    pub fn first_activation(&self, projections: &[S], pairs: &[u32], out: &mut [S]) {
        let layout = FirstLayer {
            hidden: self.columns.hidden,
            projections,
            step_columns: self.columns.step,
            senders: &self.stack.senders,
            receivers: &self.stack.receivers,
            pair_scalars: &self.stack.pair_scalars,
            edge_rows: &self.weights.folded.edge,
            edge_columns: self.columns.edge,
        };
        first_activation(self.kernels, out, pairs, layout);
    }
}

#[derive(Clone, Copy)]
struct FirstLayer<'a, S> {
    hidden: usize,
    projections: &'a [S],
    step_columns: usize,
    senders: &'a [u32],
    receivers: &'a [u32],
    pair_scalars: &'a [S],
    edge_rows: &'a [S],
    edge_columns: usize,
}

kernel! {
    fn first_activation<S, HARDWARE>(out: &mut [S], pairs: &[u32], layer: FirstLayer<'_, S>) {
        let h = layer.hidden;
        let scalars = layer.edge_rows.len() / layer.edge_columns;
        for (out, &pair) in out.chunks_exact_mut(h).zip(pairs) {
            let pair = pair as usize;
            let receiver = layer.receivers[pair] as usize * layer.step_columns;
            let sender = layer.senders[pair] as usize * layer.step_columns + h;
            let (receiver, sender) = (&layer.projections[receiver..][..h], &layer.projections[sender..][..h]);
            let scalars = &layer.pair_scalars[pair * scalars..][..scalars];
            match *scalars {
                [a, b] => {
                    let (row_a, row_b) = (&layer.edge_rows[..h], &layer.edge_rows[layer.edge_columns..][..h]);
                    for c in 0..h {
                        let x = b.fma::<HARDWARE>(row_b[c], a.fma::<HARDWARE>(row_a[c], receiver[c] + sender[c]));
                        out[c] = x.relu();
                    }
                }
                _ => {
                    out.copy_from_slice(receiver);
                    rows::add(out, sender);
                    for (&scalar, row) in scalars.iter().zip(layer.edge_rows.chunks_exact(layer.edge_columns)) {
                        rows::add_scaled::<S, HARDWARE>(out, scalar, &row[..h]);
                    }
                    out.iter_mut().for_each(|x| *x = x.relu());
                }
            }
        }
    }
}

kernel! {
    /// For each receiver the maximum over its rows of `values`, plus `bias`; `starts` has each receiver's first pair and one more.
    fn maxima<S, HARDWARE>(messages: &mut [S], winners: &mut [u32], values: &[S], starts: &[usize], bias: &[S]) {
        let h = bias.len();
        let outputs = messages.chunks_exact_mut(h).zip(winners.chunks_exact_mut(h));
        for (pairs, (best, winner)) in starts.windows(2).zip(outputs) {
            let rows = &values[(pairs[0] - starts[0]) * h..(pairs[1] - starts[0]) * h];
            best.copy_from_slice(&rows[..h]);
            winner.fill(pairs[0] as u32);
            for (row, pair) in rows[h..].chunks_exact(h).zip(pairs[0] as u32 + 1..) {
                for c in 0..h {
                    let better = row[c] > best[c];
                    best[c] = if better { row[c] } else { best[c] };
                    winner[c] = if better { pair } else { winner[c] };
                }
            }
            rows::add(best, bias);
        }
    }
}
