//! The backward pass through messages.
//!
//! A maximum has one winner for each receiver and channel, so the gradient of the MLP's second layer is sparse: each
//! (receiver, channel) touches one pair, and pairs that won nothing are skipped everywhere. (Of equal maxima the first
//! takes all; dm-clrs shares between them.) The first activation is computed again rather than kept.

use std::ops::Range;

use crate::neural::nn::Scalar;
use crate::neural::nn::kernels::dispatch::kernel;
use crate::neural::nn::kernels::{Buffer, Matrix, Packed, Start, multiply, rows};

use super::messages::{BLOCK, Messages};

/// What the forward pass left behind, and the gradient that arrives.
#[derive(Clone, Copy)]
pub(super) struct Arriving<'a, S> {
    pub projections: &'a [S],
    pub winners: &'a [u32],
    pub second: &'a [S],
    /// `[receiver][hidden]`: gradient of the maxima.
    pub gradient: &'a [S],
}

/// Where gradients go; all are added to.
pub(super) struct Leaving<'a, S> {
    /// `[vertex][2 hidden]`: of its receiver and its sender columns.
    pub projections: &'a mut [S],
    /// The MLP's first layer: weight and bias.
    pub first: (&'a mut [S], &'a mut [S]),
    /// The MLP's second layer: transposed weight and bias.
    pub second: (&'a mut [S], &'a mut [S]),
    /// Folded edge rows.
    pub edge: &'a mut [S],
}

/// Memory for a block.
#[derive(Clone, Debug, Default)]
pub(super) struct BackScratch<S> {
    won: Won,
    first: Buffer<S>,
    first_gradient: Buffer<S>,
    second_gradient: Buffer<S>,
    packed: Packed<S>,
    /// Pairs that won a channel, counted over all blocks.
    pub rows_won: usize,
}

/// The pairs of a block that won a channel, and which channels.
#[derive(Clone, Debug, Default)]
struct Won {
    pairs: Vec<u32>,
    /// Channels of `pairs[i]` are `channels[ends[i - 1]..ends[i]]`.
    ends: Vec<u32>,
    channels: Vec<u32>,
    cursor: Vec<u32>,
}

impl Won {
    /// Sorts the channels of all receivers by winner; `winners` are theirs, `pairs` all pairs of the block.
    fn collect(&mut self, winners: &[u32], hidden: usize, pairs: Range<usize>) {
        self.pairs.clear();
        self.ends.clear();
        self.cursor.clear();
        self.cursor.resize(pairs.len(), 0);
        for &winner in winners {
            self.cursor[winner as usize - pairs.start] += 1;
        }
        let mut end = 0;
        for (pair, cursor) in pairs.clone().zip(&mut self.cursor) {
            let count = *cursor;
            *cursor = end;
            end += count;
            if count > 0 {
                self.pairs.push(pair as u32);
                self.ends.push(end);
            }
        }
        self.channels.resize(winners.len(), 0);
        for winners in winners.chunks_exact(hidden) {
            for (channel, &winner) in (0..).zip(winners) {
                let cursor = &mut self.cursor[winner as usize - pairs.start];
                self.channels[*cursor as usize] = channel;
                *cursor += 1;
            }
        }
    }
}

impl<S: Scalar> Messages<'_, S> {
    /// Pushes gradients of the maxima of the first `nodes` vertices back.
    pub fn backward(
        &self,
        nodes: usize,
        arriving: Arriving<'_, S>,
        leaving: &mut Leaving<'_, S>,
        scratch: &mut BackScratch<S>,
    ) {
        let h = self.columns.hidden;
        rows::add_rows(self.kernels, leaving.second.1, arriving.gradient, h);
        for receivers in self.stack.blocks(nodes, BLOCK) {
            self.block_back(receivers, arriving, leaving, scratch);
        }
    }

    fn block_back(
        &self,
        receivers: Range<usize>,
        arriving: Arriving<'_, S>,
        leaving: &mut Leaving<'_, S>,
        scratch: &mut BackScratch<S>,
    ) {
        let h = self.columns.hidden;
        let BackScratch { won, first, first_gradient, second_gradient, packed, rows_won } = scratch;
        let pairs = self.stack.first_pair[receivers.start]..self.stack.first_pair[receivers.end];
        won.collect(&arriving.winners[receivers.start * h..receivers.end * h], h, pairs);
        *rows_won += won.pairs.len();
        let size = won.pairs.len() * h;
        let [first, first_gradient, second_gradient] =
            [first, first_gradient, second_gradient].map(|rows| rows.at_least(size));

        second_layer_back(self.kernels, second_gradient, won, &self.stack.receivers, &self.weights.mlp_rows, &arriving);
        // After the pass above has brought the block's rows of `second` into the cache, in order.
        second_weight_back(self.kernels, leaving.second.0, h, receivers, &arriving);
        self.first_activation(arriving.projections, &won.pairs, first);
        let gradient = packed.once(Matrix::new(second_gradient, h));
        multiply(self.kernels, leaving.first.0, h, Matrix::new(first, h).transposed(), gradient, Start::Out, false);
        rows::add_rows(self.kernels, leaving.first.1, second_gradient, h);
        multiply(
            self.kernels,
            first_gradient,
            h,
            Matrix::new(second_gradient, h),
            &self.weights.mlp[0].back[0],
            Start::Zero,
            false,
        );

        let scatter = Scatter {
            hidden: h,
            pairs: &won.pairs,
            senders: &self.stack.senders,
            receivers: &self.stack.receivers,
            pair_scalars: &self.stack.pair_scalars,
            edge_columns: self.columns.edge,
        };
        first_layer_back(self.kernels, leaving.projections, leaving.edge, first_gradient, first, scatter);
    }
}

kernel! {
    /// `dW[c] += Σ_j gradient[j][c] · second[winner[j][c]]`, rows of the transposed weight, over some receivers j.
    fn second_weight_back<S, HARDWARE>(weight: &mut [S], h: usize, receivers: Range<usize>, arriving: &Arriving<'_, S>) {
        let winners = &arriving.winners[receivers.start * h..receivers.end * h];
        let gradients = &arriving.gradient[receivers.start * h..receivers.end * h];
        for (channel, weight) in weight.chunks_exact_mut(h).enumerate() {
            let terms = winners[channel..].iter().step_by(h).zip(gradients[channel..].iter().step_by(h));
            let terms = terms.map(|(&winner, &gradient)| (gradient, &arriving.second[winner as usize * h..][..h]));
            rows::add_all_scaled::<S, HARDWARE>(weight, terms);
        }
    }
}

kernel! {
    /// Gradient before the second activation's ReLU, for each pair that won: a sum over the channels it won.
    fn second_layer_back<S, HARDWARE>(out: &mut [S], won: &Won, receivers: &[u32], mlp_rows: &[S], arriving: &Arriving<'_, S>) {
        let h = out.len() / won.pairs.len();
        let mut start = 0;
        for ((out, &pair), &end) in out.chunks_exact_mut(h).zip(&won.pairs).zip(&won.ends) {
            let gradient = &arriving.gradient[receivers[pair as usize] as usize * h..][..h];
            out.fill(S::ZERO);
            let channels = won.channels[start as usize..end as usize].iter().map(|&channel| channel as usize);
            let terms = channels.map(|channel| (gradient[channel], &mlp_rows[channel * h..][..h]));
            rows::add_all_scaled::<S, HARDWARE>(out, terms);
            for (out, &second) in out.iter_mut().zip(&arriving.second[pair as usize * h..][..h]) {
                *out = if second > S::ZERO { *out } else { S::ZERO };
            }
            start = end;
        }
    }
}

#[derive(Clone, Copy)]
struct Scatter<'a, S> {
    hidden: usize,
    pairs: &'a [u32],
    senders: &'a [u32],
    receivers: &'a [u32],
    pair_scalars: &'a [S],
    edge_columns: usize,
}

kernel! {
    /// Through the first ReLU to the receiver, the sender and the edge rows.
    fn first_layer_back<S, HARDWARE>(projections: &mut [S], edge: &mut [S], gradients: &mut [S], first: &[S], scatter: Scatter<'_, S>) {
        let h = scatter.hidden;
        let scalars = edge.len() / scatter.edge_columns;
        for ((gradient, first), &pair) in gradients.chunks_exact_mut(h).zip(first.chunks_exact(h)).zip(scatter.pairs) {
            let pair = pair as usize;
            for (gradient, &first) in gradient.iter_mut().zip(first) {
                *gradient = if first > S::ZERO { *gradient } else { S::ZERO };
            }
            let (receiver, sender) = (scatter.receivers[pair] as usize, scatter.senders[pair] as usize);
            rows::add(&mut projections[receiver * 2 * h..][..h], gradient);
            rows::add(&mut projections[sender * 2 * h + h..][..h], gradient);
            let scalars = &scatter.pair_scalars[pair * scalars..][..scalars];
            for (&scalar, edge) in scalars.iter().zip(edge.chunks_exact_mut(scatter.edge_columns)) {
                rows::add_scaled::<S, HARDWARE>(&mut edge[..h], scalar, gradient);
            }
        }
    }
}
