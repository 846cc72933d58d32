//! Several graphs as one block-diagonal graph, so that small graphs share one large product.
//!
//! Vertices are numbered through all graphs. The graphs that run longest come first, so those still running at a step are always
//! a prefix: graphs of different sizes and numbers of steps need no padding.

use std::ops::Range;

use crate::neural::nn::Scalar;

use super::features::Features;
use super::settings::NetworkSettings;
use super::spec::Spec;

/// A graph of a stack.
#[derive(Clone, Debug)]
pub(super) struct Placed<'a> {
    /// Its place in the batch.
    pub index: usize,
    pub features: &'a Features,
    /// Its vertices' numbers in the stack.
    pub nodes: Range<usize>,
    /// Message-passing steps it runs for.
    pub steps: usize,
}

/// Graphs on top of each other, and the pairs of vertices between which messages pass.
#[derive(Clone, Debug)]
pub(super) struct Stack<'a, S> {
    pub graphs: Vec<Placed<'a>>,
    /// `[vertex][node scalars + 1]`, ending in a one for the constant row.
    pub node_scalars: Vec<S>,
    /// The pairs with receiver v are `first_pair[v]..first_pair[v + 1]`.
    pub first_pair: Vec<usize>,
    pub senders: Vec<u32>,
    pub receivers: Vec<u32>,
    /// `[pair][edge scalars]`.
    pub pair_scalars: Vec<S>,
    /// 0, 1, 2, …: all pairs, as a list.
    pub pairs: Vec<u32>,
}

impl<'a, S: Scalar> Stack<'a, S> {
    pub fn new(batch: &'a [Features], members: &[usize], settings: &NetworkSettings, spec: &Spec) -> Self {
        let mut order = members.to_vec();
        order.sort_by_key(|&index| std::cmp::Reverse(batch[index].rounds()));
        let mut stack = Stack {
            graphs: Vec::new(),
            node_scalars: Vec::new(),
            first_pair: vec![0],
            senders: Vec::new(),
            receivers: Vec::new(),
            pair_scalars: Vec::new(),
            pairs: Vec::new(),
        };
        for index in order {
            let features = &batch[index];
            let first = stack.nodes();
            let steps = features.rounds() * settings.steps_per_round;
            stack.graphs.push(Placed { index, features, nodes: first..first + features.nodes(), steps });
            stack.place_nodes(features);
            stack.place_pairs(features, first, settings, spec);
        }
        stack.pairs = (0..stack.senders.len() as u32).collect();
        stack
    }

    fn place_nodes(&mut self, features: &Features) {
        for v in 0..features.nodes() {
            self.node_scalars.extend(features.node().iter().map(|scalar| S::of(f64::from(scalar[v]))));
            self.node_scalars.push(S::ONE);
        }
    }

    fn place_pairs(&mut self, features: &Features, first: usize, settings: &NetworkSettings, spec: &Spec) {
        let n = features.nodes();
        let heard_from = settings.processor.senders();
        for receiver in 0..n {
            for sender in (0..n).filter(|&sender| features.hears(heard_from, spec.mask, sender, receiver)) {
                self.senders.push((first + sender) as u32);
                self.receivers.push((first + receiver) as u32);
                self.pair_scalars
                    .extend(features.edge().iter().map(|scalar| S::of(f64::from(scalar[sender * n + receiver]))));
            }
            self.first_pair.push(self.senders.len());
        }
    }

    /// Vertices of all graphs.
    pub fn nodes(&self) -> usize {
        self.graphs.last().map_or(0, |graph| graph.nodes.end)
    }

    /// Vertices of the graphs that run at `step`: numbers below this.
    pub fn active(&self, step: usize) -> usize {
        let running = self.graphs.partition_point(|graph| graph.steps > step);
        running.checked_sub(1).map_or(0, |last| self.graphs[last].nodes.end)
    }

    /// Steps of the longest run.
    pub fn steps(&self) -> usize {
        self.graphs[0].steps
    }

    /// Receivers below `nodes` in groups with at most `pairs` pairs each, unless one alone has more.
    pub fn blocks(&self, nodes: usize, pairs: usize) -> Vec<Range<usize>> {
        let mut blocks = Vec::new();
        let mut start = 0;
        for end in 1..=nodes {
            if end == nodes || self.first_pair[end + 1] - self.first_pair[start] > pairs {
                blocks.push(start..end);
                start = end;
            }
        }
        blocks
    }
}
