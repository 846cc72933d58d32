//! Logits, loss and every gradient agree with dm-clrs, on every reference file of a folder: `CLRS_PARITY_DIR`, else `tests/data/clrs`.
//!
//! A file says which processor, sizes and outputs it was made with, and its inputs are those of the network: `[batch, n]` at vertices,
//! `[batch, n, n]` at edges. `benches/clrs/make_parity.py` makes more.

use std::path::{Path, PathBuf};

use safetensors::SafeTensors;
use tiebreak::neural::model::{Features, Network, NetworkSettings, OutputKind, Processor, Spec, Target};
use tiebreak::neural::nn::params::Layout;
use tiebreak::neural::nn::{Params, Scalar};

const LOGITS: f64 = 1e-5;
const LOSS: f64 = 1e-5;
const GRADIENT: f64 = 1e-3;
/// Where the reference gradient vanishes, ours may not be larger than this.
const NOTHING: f64 = 1e-7;
/// A gradient that jumped because a maximum went to another sender is still this near.
const FLIPPED: f64 = 0.2;

struct Reference<'a> {
    tensors: SafeTensors<'a>,
    settings: NetworkSettings,
    spec: Spec,
}

/// An output as dm-clrs writes it down: `name:location:type`.
fn output(text: &str) -> (&str, OutputKind) {
    let kind = match text.split_once(':') {
        Some((_, "node:pointer")) => OutputKind::Pointer,
        Some((_, "node:mask")) => OutputKind::NodeFlag,
        Some((_, "edge:mask")) => OutputKind::EdgeFlag,
        Some((_, "node:mask_one")) => OutputKind::OneHotNode,
        _ => panic!("no network has an output `{text}`"),
    };
    (text.split(':').next().unwrap(), kind)
}

impl<'a> Reference<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let (_, header) = SafeTensors::read_metadata(bytes).unwrap();
        let metadata = header.metadata().clone().unwrap();
        let tensors = SafeTensors::deserialize(bytes).unwrap();
        let processor: Processor = metadata["processor"].parse().unwrap();
        let hidden = metadata["hidden"].parse().unwrap();
        let steps_per_round = metadata.get("steps_per_round").map_or(1, |steps| steps.parse().unwrap());
        let first_triplet = tensors.tensor("param/net/mpnn_aggr_clrs_processor/linear_6/w");
        let triplet_features = match processor.has_triplets() {
            true => first_triplet.unwrap().shape()[1],
            false => 8,
        };
        let outputs = metadata.get("outputs").map_or("pi:node:pointer", |outputs| outputs);
        let spec = spec(&tensors, &outputs.split_whitespace().map(output).collect::<Vec<_>>());
        Reference { tensors, settings: NetworkSettings { processor, hidden, triplet_features, steps_per_round }, spec }
    }

    fn numbers(&self, name: &str) -> Vec<f32> {
        let tensor = self.tensors.tensor(name).unwrap_or_else(|_| panic!("no {name}"));
        tensor.data().chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
    }

    /// An output's numbers: under its name, or, where the parents are the only output, under the name that files have always had.
    fn of_output(&self, folder: &str, name: &str, only: &str) -> Vec<f32> {
        let path = format!("{folder}/{name}");
        self.numbers(if self.tensors.tensor(&path).is_ok() { &path } else { only })
    }

    /// For each output the logits of all graphs.
    fn logits(&self) -> Vec<Vec<f64>> {
        let outputs = self.spec.outputs.iter();
        let logits = outputs.map(|output| self.of_output("output/logits", &output.name, "output/logits"));
        logits.map(|logits| logits.into_iter().map(f64::from).collect()).collect()
    }

    fn batch(&self) -> (Vec<Features>, Vec<Vec<Target>>) {
        let n = self.tensors.tensor(&format!("input/{}", self.spec.node[0])).unwrap().shape()[1];
        let cut = |numbers: &[f32], size: usize, b: usize| numbers[b * size..(b + 1) * size].to_vec();
        let rows = |names: &[String], size: usize, b: usize| -> Vec<Vec<f32>> {
            names.iter().map(|name| cut(&self.numbers(&format!("input/{name}")), size, b)).collect()
        };
        let graph = |(b, length): (usize, &f32)| {
            let rounds = (*length as usize).saturating_sub(1).max(1);
            let features =
                Features::new(n, rows(&self.spec.node, n, b), rows(&self.spec.edge, n * n, b), rounds).unwrap();
            let targets = self.spec.outputs.iter().map(|output| {
                let all = self.of_output("target", &output.name, "target/parent_distribution");
                Target::Distribution(cut(&all, output.kind.entries(n), b))
            });
            (features, targets.collect())
        };
        self.numbers("input/lengths").iter().enumerate().map(graph).unzip()
    }

    fn params(&self, layout: &std::sync::Arc<Layout>, kind: &str) -> Params<f32> {
        Params::from_tensors(layout.clone(), &self.tensors, &format!("{kind}/")).unwrap()
    }
}

/// The inputs in a file, at vertices or at edges by their shapes; `adj` says where edges are.
fn spec(tensors: &SafeTensors<'_>, outputs: &[(&str, OutputKind)]) -> Spec {
    let (mut node, mut edge) = (Vec::new(), Vec::new());
    let mut names: Vec<_> = tensors.names().into_iter().filter_map(|name| name.strip_prefix("input/")).collect();
    names.sort_unstable();
    for name in names.into_iter().filter(|&name| name != "lengths") {
        match tensors.tensor(&format!("input/{name}")).unwrap().shape() {
            [_, _] => node.push(name),
            [_, rows, columns] if rows == columns => edge.push(name),
            shape => panic!("input `{name}` of shape {shape:?} is no scalar of vertices or edges"),
        }
    }
    let mask = edge.iter().position(|&name| name == "adj");
    Spec { mask, ..Spec::new(&node, &edge, outputs) }
}

/// How far a run of ours is from the reference, relative: logits (largest), loss, gradients (the worst tensor, in norm).
#[derive(Debug)]
struct Errors {
    logits: f64,
    loss: f64,
    gradient: f64,
    worst: String,
}

impl Errors {
    fn are_small(&self) -> bool {
        self.logits <= LOGITS && self.loss <= LOSS && self.gradient <= GRADIENT
    }
}

impl std::fmt::Display for Errors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "logits {:.1e}, loss {:.1e}, worst gradient {:.1e}", self.logits, self.loss, self.gradient)
    }
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|x| x * x).sum::<f64>().sqrt()
}

/// Largest difference in each output, relative to the largest of `expected`; the largest of all outputs.
fn distance(values: &[Vec<f64>], expected: &[Vec<f64>]) -> f64 {
    let of_output = |(values, expected): (&Vec<f64>, &Vec<f64>)| {
        assert_eq!(values.len(), expected.len(), "number of logits");
        let largest = expected.iter().fold(0_f64, |most, x| most.max(x.abs()));
        values.iter().zip(expected).fold(0_f64, |most, (a, b)| most.max((a - b).abs())) / largest
    };
    values.iter().zip(expected).map(of_output).fold(0.0, f64::max)
}

/// Runs the network in precision `S`; its logits and how far it is from the reference.
fn compare<S: Scalar>(reference: &Reference<'_>) -> (Vec<Vec<f64>>, Errors) {
    let network: Network<S> = Network::new(reference.settings.clone(), reference.spec.clone());
    let count = reference.tensors.names().iter().filter(|name| name.starts_with("param/")).count();
    assert_eq!(network.layout().tensors().len(), count, "number of tensors");
    let params = reference.params(network.layout(), "param").convert::<S>();
    let (batch, targets) = reference.batch();
    let mut logits = vec![Vec::new(); reference.spec.outputs.len()];
    for graph in network.logits(&params, &batch) {
        for (all, output) in logits.iter_mut().zip(graph) {
            all.extend(output.into_iter().map(|x| x.as_f64()));
        }
    }
    let (loss, gradient) = network.loss_and_gradient(&params, &batch, &targets);
    let expected_loss = f64::from(reference.numbers("output/loss")[0]);
    let expected = reference.params(network.layout(), "grad");
    let mut errors = Errors {
        logits: distance(&logits, &reference.logits()),
        loss: (loss - expected_loss).abs() / expected_loss,
        gradient: 0.0,
        worst: String::new(),
    };
    for (id, tensor) in network.layout().tensors().iter().enumerate() {
        let pairs = gradient.tensor(id).iter().zip(expected.tensor(id));
        let difference = norm(pairs.map(|(a, &b)| a.as_f64() - f64::from(b)));
        let size = norm(expected.tensor(id).iter().map(|&x| f64::from(x)));
        let error = if size < NOTHING && difference < NOTHING { 0.0 } else { difference / size };
        if error > errors.gradient {
            (errors.gradient, errors.worst) = (error, tensor.name.clone());
        }
    }
    (logits, errors)
}

/// Checks one file: the `f32` network must agree with dm-clrs, or else the `f64` one must, and the `f32` one be about as exact as dm-clrs.
///
/// The second case is for rounding. Where two senders are equal to the last digits, or a network without a gate amplifies errors from
/// step to step, two `f32` programs can give a maximum to different senders, and its gradient jumps. The `f64` run of the same code
/// tells that from a wrong formula.
fn check(path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let reference = Reference::new(&bytes);
    let name = path.file_name().unwrap().to_string_lossy();
    let (exact, in_f64) = compare::<f64>(&reference);
    let (ours, in_f32) = compare::<f32>(&reference);
    println!("{name}: {in_f32}; in f64: {in_f64}");
    if !in_f32.are_small() {
        let (our_rounding, their_rounding) = (distance(&ours, &exact), distance(&reference.logits(), &exact));
        println!("    rounding of logits: ours {our_rounding:.1e}, dm-clrs {their_rounding:.1e}");
        // The reference is an `f32` program, too: it cannot be nearer to the exact logits than such programs come.
        let explained = in_f64.logits <= 4.0 * our_rounding && in_f64.loss <= 4.0 * LOSS && in_f64.gradient <= GRADIENT;
        assert!(in_f64.are_small() || explained, "{name}: {in_f32}, in f64: {in_f64}, worst {}", in_f64.worst);
        assert!(our_rounding <= LOGITS.max(4.0 * their_rounding), "{name}: our rounding {our_rounding:.1e}");
        assert!(in_f32.gradient < FLIPPED, "{name}: {in_f32}, worst {}", in_f32.worst);
    }
}

#[test]
fn clrs_parity() {
    let folder = std::env::var_os("CLRS_PARITY_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/clrs"), PathBuf::from);
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "safetensors"));
    files.sort();
    assert!(!files.is_empty(), "no reference files in {}", folder.display());
    files.iter().for_each(|path| check(path));
}
