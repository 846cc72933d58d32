//! Which tensor plays which role, with dm-clrs' names.
//!
//! haiku numbers the linear layers of a processor in the order of their creation, so the numbers close up
//! where a processor has no triplets or no gate.

use crate::neural::nn::params::{Layout, TensorId};
use crate::neural::nn::{Params, Scalar, init};

use super::settings::NetworkSettings;
use super::spec::{OutputKind, Spec};

/// A linear layer `x · w + b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linear {
    pub w: TensorId,
    pub b: TensorId,
    pub outputs: usize,
}

/// The layers of triplet messages: of the three vertices, of the three edges, of the graph, and the output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triplets {
    pub vertices: [Linear; 3],
    pub edges: [Linear; 3],
    pub graph: Linear,
    pub output: Linear,
}

/// The layers of the gate: of state, of messages, and after their ReLU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub state: Linear,
    pub message: Linear,
    pub last: Linear,
}

/// The layers of an output's decoder.
#[derive(Clone, Copy, Debug)]
pub(super) enum OutputLayers {
    /// Of the child, of the parent, of the edge, and of the maximum.
    Pointer([Linear; 4]),
    /// Of the first vertex, of the second, and of the edge.
    EdgeFlag([Linear; 3]),
    NodeFlag([Linear; 1]),
    OneHotNode([Linear; 1]),
}

impl OutputLayers {
    /// Those that read vertices.
    pub fn of_vertices(&self) -> &[Linear] {
        match self {
            OutputLayers::Pointer(layers) => &layers[..2],
            OutputLayers::EdgeFlag(layers) => &layers[..2],
            OutputLayers::NodeFlag(layers) | OutputLayers::OneHotNode(layers) => layers,
        }
    }

    /// The one that reads edges, if the output is one of pairs.
    pub fn of_edges(&self) -> Option<Linear> {
        match self {
            OutputLayers::Pointer(layers) => Some(layers[2]),
            OutputLayers::EdgeFlag(layers) => Some(layers[2]),
            OutputLayers::NodeFlag(_) | OutputLayers::OneHotNode(_) => None,
        }
    }
}

/// Every tensor of a network by its role.
#[derive(Clone, Debug)]
pub(super) struct Tensors {
    pub node_encoders: Vec<Linear>,
    pub edge_encoders: Vec<Linear>,
    /// m_1: the receiver's part of a message.
    pub receiver: Linear,
    /// m_2: the sender's part of a message.
    pub sender: Linear,
    /// m_e: the edge's part of a message.
    pub edge: Linear,
    /// m_g: the graph's part of a message. Without graph inputs only its bias acts.
    pub graph: Linear,
    /// o1: the state's part of the new state.
    pub out_state: Linear,
    /// o2: the messages' part of the new state.
    pub out_message: Linear,
    /// Only if an output reads them: an edge's triplets go nowhere but to the decoders of pairs.
    pub triplets: Option<Triplets>,
    pub gate: Option<Gate>,
    /// The message MLP after the first ReLU.
    pub mlp: [Linear; 2],
    pub norm_scale: TensorId,
    pub norm_offset: TensorId,
    /// In the order of the spec.
    pub outputs: Vec<OutputLayers>,
}

const PROCESSOR: &str = "net/mpnn_aggr_clrs_processor";
const CODERS: &str = "net/~_construct_encoders_decoders/algo_0";

impl Tensors {
    /// Lays out the tensors of a network.
    pub fn new(settings: &NetworkSettings, spec: &Spec) -> (Self, Layout) {
        let mut namer = Namer { layout: Layout::default(), numbered: 0 };
        let (h, t) = (settings.hidden, settings.triplet_features);
        let processor = settings.processor;
        let mut encoders = |names: &[String]| -> Vec<Linear> {
            names.iter().map(|name| namer.linear(format!("{CODERS}_{name}_enc_linear"), 1, h)).collect()
        };
        let (node_encoders, edge_encoders) = (encoders(&spec.node), encoders(&spec.edge));
        let [receiver, sender] = [(); 2].map(|()| namer.next(2 * h, h));
        let [edge, graph] = [(); 2].map(|()| namer.next(h, h));
        let (out_state, out_message) = (namer.next(2 * h, h), namer.next(h, h));
        let triplets = processor.has_triplets().then(|| Triplets {
            vertices: [(); 3].map(|()| namer.next(2 * h, t)),
            edges: [(); 3].map(|()| namer.next(h, t)),
            graph: namer.next(h, t),
            output: namer.next(t, h),
        });
        let gate = processor.is_gated().then(|| Gate {
            state: namer.next(2 * h, h),
            message: namer.next(h, h),
            last: namer.next(h, h),
        });
        let mlp = [0, 1].map(|i| namer.linear(format!("{PROCESSOR}/mlp/~/linear_{i}"), h, h));
        let norm_scale = namer.layout.push(format!("{PROCESSOR}/layer_norm/scale"), vec![h]);
        let norm_offset = namer.layout.push(format!("{PROCESSOR}/layer_norm/offset"), vec![h]);
        let edge_parts = if processor.has_triplets() { 2 } else { 1 };
        let outputs: Vec<_> =
            spec.outputs.iter().map(|output| namer.output(&output.name, output.kind, h, edge_parts)).collect();
        let mut tensors = Tensors {
            node_encoders,
            edge_encoders,
            receiver,
            sender,
            edge,
            graph,
            out_state,
            out_message,
            triplets,
            gate,
            mlp,
            norm_scale,
            norm_offset,
            outputs,
        };
        if !tensors.decodes_pairs() {
            tensors.triplets = None;
        }
        (tensors, namer.layout)
    }

    /// The vertex layers of all outputs, side by side.
    pub fn output_vertex_layers(&self) -> Vec<Linear> {
        self.outputs.iter().flat_map(|output| output.of_vertices()).copied().collect()
    }

    /// Whether an output reads pairs of vertices.
    pub fn decodes_pairs(&self) -> bool {
        self.outputs.iter().any(|output| output.of_edges().is_some())
    }

    /// haiku's defaults: weights by [`init::truncated_normal`], biases 0 but -3 at the end of the gate, layer norm the identity.
    pub fn initialise<S: Scalar>(&self, params: &mut Params<S>, random: &mut impl FnMut() -> u64) {
        let layout = params.layout().clone();
        for (id, tensor) in layout.tensors().iter().enumerate() {
            if tensor.name.ends_with("/w") {
                init::truncated_normal(params.tensor_mut(id), tensor.shape[0], random);
            }
        }
        params.tensor_mut(self.norm_scale).fill(S::ONE);
        if let Some(gate) = self.gate {
            params.tensor_mut(gate.last.b).fill(S::of(-3.0));
        }
    }
}

struct Namer {
    layout: Layout,
    numbered: usize,
}

impl Namer {
    fn linear(&mut self, name: String, inputs: usize, outputs: usize) -> Linear {
        let w = self.layout.push(format!("{name}/w"), vec![inputs, outputs]);
        let b = self.layout.push(format!("{name}/b"), vec![outputs]);
        Linear { w, b, outputs }
    }

    /// The processor's next linear layer: `linear`, `linear_1`, `linear_2`, …
    fn next(&mut self, inputs: usize, outputs: usize) -> Linear {
        let suffix = if self.numbered == 0 { String::new() } else { format!("_{}", self.numbered) };
        self.numbered += 1;
        self.linear(format!("{PROCESSOR}/linear{suffix}"), inputs, outputs)
    }

    /// The layers of an output, one after another, for states of `h` numbers and edges of `edge_parts * h`.
    fn output(&mut self, name: &str, kind: OutputKind, h: usize, edge_parts: usize) -> OutputLayers {
        let mut layer = |suffix: &str, inputs: usize, outputs: usize| {
            self.linear(format!("{CODERS}_{name}_dec_linear{suffix}"), inputs, outputs)
        };
        let (vertex, edge) = (3 * h, edge_parts * h);
        match kind {
            OutputKind::Pointer => OutputLayers::Pointer([
                layer("", vertex, h),
                layer("_1", vertex, h),
                layer("_2", edge, h),
                layer("_3", h, 1),
            ]),
            OutputKind::EdgeFlag => {
                OutputLayers::EdgeFlag([layer("", vertex, 1), layer("_1", vertex, 1), layer("_2", edge, 1)])
            }
            OutputKind::NodeFlag => OutputLayers::NodeFlag([layer("", vertex, 1)]),
            OutputKind::OneHotNode => OutputLayers::OneHotNode([layer("", vertex, 1)]),
        }
    }
}
