//! The network as its users see it: parameters and graphs in, predictions or a loss and its gradient out.
//!
//! Threads go over groups of graphs. How graphs are grouped depends only on the graphs, and sums over groups run in a fixed
//! order, so every result is the same to the bit on any number of threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use crate::cancel;
use crate::neural::nn::kernels::{Kernels, rows};
use crate::neural::nn::{Layout, Params, Scalar};

use super::decode::{Decoder, Learning};
use super::features::{Features, Target};
use super::fold::{Columns, Folded};
use super::loss::{sigmoids, softmax};
use super::process::{History, Process};
use super::process_back::{Backwards, Gradient};
use super::settings::NetworkSettings;
use super::spec::{OutputKind, Spec};
use super::stack::Stack;
use super::tensors::Tensors;
use super::weights::Weights;

/// A network of given settings, inputs and outputs. Holds no parameters, only their layout and memory to work in.
///
/// ```
/// use tiebreak::neural::model::{Features, Network, OutputKind, NetworkSettings, Spec, Target};
///
/// let spec = Spec::new(&["pos"], &["A", "adj"], &[("pi", OutputKind::Pointer)]);
/// let network: Network = Network::new(NetworkSettings { hidden: 16, ..NetworkSettings::default() }, spec);
/// let mut state = 1_u64;
/// let params = network.initialise(&mut || { state = state.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ (state >> 33); state });
/// let edges = vec![1.0, 1.0, 1.0, 1.0];
/// let graph = Features::new(2, vec![vec![0.0, 0.5]], vec![edges.clone(), edges], 5).unwrap();
///
/// let parents = network.predict(&params, &graph).remove(0);
/// assert!((parents[0] + parents[1] - 1.0).abs() < 1e-6);
/// let target = Target::Distribution(vec![1.0, 0.0, 1.0, 0.0]);
/// let (loss, gradient) = network.loss_and_gradient(&params, &[graph], &[vec![target]]);
/// assert!(loss > 0.0 && gradient.values().len() == params.values().len());
/// ```
#[derive(Debug)]
pub struct Network<S: Scalar = f32> {
    settings: NetworkSettings,
    spec: Spec,
    kernels: Kernels,
    tensors: Tensors,
    columns: Columns,
    layout: Arc<Layout>,
    weights: Mutex<Vec<Weights<S>>>,
    memory: Mutex<Vec<Memory<S>>>,
    gradients: Mutex<Vec<Params<S>>>,
    flops: AtomicU64,
}

/// Memory for one group of graphs, used again for the next.
#[derive(Debug, Default)]
struct Memory<S> {
    history: History<S>,
    back: Backwards<S>,
    decoder: Decoder<S>,
}

/// Work, in products of a pair's row with a weight, that makes a group worth a thread: in learning some milliseconds, beside which
/// clearing and adding a group's gradient is little.
const LEARNING_GROUP: usize = 1 << 14;
const PREDICTING_GROUP: usize = 1 << 12;
/// More groups of learning than this cost more memory and additions than threads can win back.
const MOST_GROUPS: usize = 16;

impl<S: Scalar> Network<S> {
    /// A network that runs on the fastest kernels of this processor.
    pub fn new(settings: NetworkSettings, spec: Spec) -> Self {
        Self::with_kernels(settings, spec, Kernels::detect())
    }

    /// A network that runs on given kernels; the results are the same.
    pub fn with_kernels(settings: NetworkSettings, spec: Spec, kernels: Kernels) -> Self {
        assert!(
            settings.hidden > 0 && settings.triplet_features > 0 && settings.steps_per_round > 0,
            "sizes must be positive: {settings:?}"
        );
        let (tensors, layout) = Tensors::new(&settings, &spec);
        let columns = Columns::new(&tensors, settings.hidden);
        let layout = Arc::new(layout);
        Network {
            settings,
            spec,
            kernels,
            tensors,
            columns,
            layout,
            weights: Mutex::default(),
            memory: Mutex::default(),
            gradients: Mutex::default(),
            flops: AtomicU64::new(0),
        }
    }

    /// Its settings.
    pub fn settings(&self) -> &NetworkSettings {
        &self.settings
    }

    /// Its inputs and outputs.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The kernels it runs on.
    pub fn kernels(&self) -> Kernels {
        self.kernels
    }

    /// Names, shapes and places of its parameters.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Fresh parameters, haiku's defaults; `random` gives uniform 64-bit numbers.
    pub fn initialise(&self, random: &mut impl FnMut() -> u64) -> Params<S> {
        let mut params = Params::zeros(self.layout.clone());
        self.tensors.initialise(&mut params, random);
        params
    }

    /// For each output its probabilities, in the order that [`OutputKind`] says.
    pub fn predict(&self, params: &Params<S>, graph: &Features) -> Vec<Vec<S>> {
        self.predict_all(params, std::slice::from_ref(graph)).remove(0)
    }

    /// [`Network::predict`] for many graphs, of any sizes. A graph's result does not depend on the others.
    pub fn predict_all(&self, params: &Params<S>, batch: &[Features]) -> Vec<Vec<Vec<S>>> {
        let mut all = self.logits(params, batch);
        for (outputs, graph) in all.iter_mut().zip(batch) {
            for (logits, output) in outputs.iter_mut().zip(&self.spec.outputs) {
                match output.kind {
                    OutputKind::NodeFlag | OutputKind::EdgeFlag => sigmoids(self.kernels, logits),
                    OutputKind::Pointer | OutputKind::OneHotNode => {
                        logits.chunks_exact_mut(graph.nodes()).for_each(|row| {
                            softmax(self.kernels, row);
                        });
                    }
                }
            }
        }
        all
    }

    /// For each graph and each output its logits.
    pub fn logits(&self, params: &Params<S>, batch: &[Features]) -> Vec<Vec<Vec<S>>> {
        self.check(params, batch);
        let mut weights = take(&self.weights);
        weights.refill(self.kernels, params, &self.tensors, &self.columns, false);
        let groups = self.group(batch, PREDICTING_GROUP, batch.len());
        let spread = groups.len() < rayon::current_num_threads();
        let run = |group: &Vec<usize>| {
            // Before its memory is asked for, which takes time of its own.
            cancel::point();
            let stack = Stack::new(batch, group, &self.settings, &self.spec);
            let process = self.process(&stack, params, &weights, spread);
            let mut memory = take(&self.memory);
            memory.history.keep = false;
            process.forward(&mut memory.history);
            let mut results = Vec::with_capacity(group.len());
            process.predict(&memory.history, &mut memory.decoder, |index, logits| results.push((index, logits)));
            self.flops.fetch_add(process.forward_flops(), Ordering::Relaxed);
            give_back(&self.memory, memory);
            results
        };
        let results: Vec<_> = groups.par_iter().with_max_len(1).flat_map_iter(run).collect();
        let mut all = vec![Vec::new(); batch.len()];
        results.into_iter().for_each(|(index, logits)| all[index] = logits);
        give_back(&self.weights, weights);
        all
    }

    /// The mean loss of a batch and its gradient. Graphs may have different sizes and numbers of rounds; a graph has a target for
    /// each output, and its loss is the sum of theirs.
    ///
    /// # Panics
    /// If the batch is empty, or a graph, a target or the parameters do not fit the network.
    pub fn loss_and_gradient(
        &self,
        params: &Params<S>,
        batch: &[Features],
        targets: &[Vec<Target>],
    ) -> (f64, Params<S>) {
        self.check(params, batch);
        self.check_targets(batch, targets);
        let mut weights = take(&self.weights);
        weights.refill(self.kernels, params, &self.tensors, &self.columns, true);
        let groups = self.group(batch, LEARNING_GROUP, MOST_GROUPS);
        let spread = groups.len() < rayon::current_num_threads();
        let run = |group: &Vec<usize>| {
            // Before its memory is asked for, which takes time of its own.
            cancel::point();
            let stack = Stack::new(batch, group, &self.settings, &self.spec);
            let process = self.process(&stack, params, &weights, spread);
            let (mut memory, mut gradient) = (take(&self.memory), self.take_gradient());
            let Memory { history, back, decoder } = &mut memory;
            history.keep = true;
            process.forward(history);
            let mut learning = Learning { targets, back, gradient: &mut gradient, weight: 1.0 / batch.len() as f64 };
            let loss = process.decode_and_learn(history, decoder, &mut learning);
            process.backward(history, back, &mut gradient);
            let flops = process.forward_flops() + process.backward_flops(std::mem::take(&mut back.scratch.rows_won));
            self.flops.fetch_add(flops, Ordering::Relaxed);
            give_back(&self.memory, memory);
            (loss, gradient)
        };
        let results: Vec<_> = groups.par_iter().with_max_len(1).map(run).collect();
        give_back(&self.weights, weights);
        let loss = results.iter().map(|(loss, _)| loss).sum();
        (loss, self.total(params, results.into_iter().map(|(_, gradient)| gradient).collect()))
    }

    /// Takes a gradient back whose memory the next may use; fresh memory costs small batches some per cent of their time.
    pub fn reuse(&self, gradient: Params<S>) {
        give_back(&self.gradients, gradient);
    }

    /// Floating-point operations since this was last asked: twice the multiply-adds of products, dense and sparse, as
    /// executed. For benches.
    pub fn take_flops(&self) -> u64 {
        self.flops.swap(0, Ordering::Relaxed)
    }

    /// Sums the groups' gradients in order and unfolds the encoders'.
    fn total(&self, params: &Params<S>, mut gradients: Vec<Gradient<S>>) -> Params<S> {
        let (first, others) = gradients.split_first_mut().expect("at least one group");
        let Gradient { params: total, folded } = first;
        for other in &*others {
            rows::add(&mut folded.node, &other.folded.node);
            rows::add(&mut folded.edge, &other.folded.edge);
        }
        let unfold = folded.unfold(self.kernels, params, &self.tensors, &self.columns);
        let sum = |(id, tensor): (usize, &mut [S])| {
            let summed = &mut tensor[self.columns.folded(id)..];
            for other in &*others {
                let other = &other.params.tensor(id)[self.columns.folded(id)..];
                rows::add_rows(self.kernels, summed, other, other.len().max(1));
            }
            unfold.weight(id, tensor)
        };
        let arriving: Vec<_> = total.all_tensors_mut().into_par_iter().with_max_len(1).enumerate().map(sum).collect();
        unfold.shared(&arriving, total);
        let mut gradients = gradients.into_iter().map(|gradient| gradient.params);
        let total = gradients.next().expect("at least one group");
        self.gradients.lock().expect("no panic while held").extend(gradients);
        total
    }

    /// Distributes graphs over groups of about equal work, largest first.
    fn group(&self, batch: &[Features], least: usize, most: usize) -> Vec<Vec<usize>> {
        // A pair takes part in two products at each step and in one at the end, and in twice as many in the backward pass.
        let work = |index: &usize| {
            let steps = batch[*index].rounds() * self.settings.steps_per_round;
            batch[*index].nodes().pow(2) * (4 * steps + 3)
        };
        let mut order: Vec<usize> = (0..batch.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(work(index)));
        let total: usize = order.iter().map(work).sum();
        let most = most.min(batch.len());
        let count = (total / least).clamp(most.min(2), most);
        let count = 1 << count.ilog2(); // a power of two divides evenly over the usual numbers of threads
        let mut groups = vec![(0, Vec::new()); count];
        for index in order {
            let (load, members) = groups.iter_mut().min_by_key(|(load, _)| *load).expect("at least one group");
            *load += work(&index);
            members.push(index);
        }
        groups.into_iter().map(|(_, members)| members).collect()
    }

    fn process<'a>(
        &'a self,
        stack: &'a Stack<'a, S>,
        params: &'a Params<S>,
        weights: &'a Weights<S>,
        spread: bool,
    ) -> Process<'a, S> {
        Process {
            params,
            kernels: self.kernels,
            settings: &self.settings,
            stack,
            weights,
            tensors: &self.tensors,
            columns: &self.columns,
            spread,
        }
    }

    fn take_gradient(&self) -> Gradient<S> {
        let used = self.gradients.lock().expect("no panic while held").pop();
        let params = used.map_or_else(
            || Params::zeros(self.layout.clone()),
            |mut params| {
                for (id, tensor) in params.all_tensors_mut().into_iter().enumerate() {
                    tensor[self.columns.folded(id)..].fill(S::ZERO);
                }
                params
            },
        );
        Gradient { params, folded: Folded::zeros(&self.columns, self.spec.node.len(), self.spec.edge.len()) }
    }

    fn check(&self, params: &Params<S>, batch: &[Features]) {
        assert_eq!(params.values().len(), self.layout.extent(), "parameters of another network");
        assert!(!batch.is_empty(), "an empty batch");
        for (i, graph) in batch.iter().enumerate() {
            assert!(graph.fits(&self.spec), "graph {i} has other inputs than the network, which reads {:?}", self.spec);
        }
    }

    fn check_targets(&self, batch: &[Features], targets: &[Vec<Target>]) {
        assert_eq!(batch.len(), targets.len(), "targets for each graph");
        for (i, (graph, targets)) in batch.iter().zip(targets).enumerate() {
            assert_eq!(targets.len(), self.spec.outputs.len(), "a target for each output, for graph {i}");
            for (target, output) in targets.iter().zip(&self.spec.outputs) {
                let (n, name) = (graph.nodes(), &output.name);
                assert!(target.fits(output.kind, n), "target `{name}` of graph {i}, which has {n} vertices");
            }
        }
    }
}

/// Memory that was given back, or new memory.
fn take<M: Default>(kept: &Mutex<Vec<M>>) -> M {
    kept.lock().expect("no panic while held").pop().unwrap_or_default()
}

fn give_back<M>(kept: &Mutex<Vec<M>>, memory: M) {
    kept.lock().expect("no panic while held").push(memory);
}
