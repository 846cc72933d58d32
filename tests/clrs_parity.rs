//! Logits, loss and every gradient agree with dm-clrs, on every reference file of a folder: `CLRS_PARITY_DIR`, else `tests/data/clrs`.
//!
//! A file says which processor and sizes it was made with; `benches/clrs/make_parity.py` makes more.

use std::path::{Path, PathBuf};

use safetensors::SafeTensors;
use tiebreak::model::{Features, Network, Processor, Settings, Spec, Target};
use tiebreak::nn::Params;
use tiebreak::nn::params::Layout;

const LOGITS: f64 = 1e-5;
const LOSS: f64 = 1e-5;
const GRADIENT: f64 = 1e-3;
/// Where the reference gradient vanishes, ours may not be larger than this.
const NOTHING: f64 = 1e-7;

struct Reference<'a> {
    tensors: SafeTensors<'a>,
    settings: Settings,
    spec: Spec,
}

impl<'a> Reference<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let (_, header) = SafeTensors::read_metadata(bytes).unwrap();
        let metadata = header.metadata().clone().unwrap();
        let tensors = SafeTensors::deserialize(bytes).unwrap();
        let processor: Processor = metadata["processor"].parse().unwrap();
        let hidden = metadata["hidden"].parse().unwrap();
        let steps_per_round = metadata.get("steps_per_round").map_or(1, |steps| steps.parse().unwrap());
        let gated_or_not = tensors.tensor("param/net/mpnn_aggr_clrs_processor/linear_6/w");
        let triplet_features = match processor.has_triplets() {
            true => gated_or_not.unwrap().shape()[1],
            false => 8,
        };
        let source = tensors.tensor("input/s").is_ok();
        let spec = Spec::new(if source { &["pos", "s"] } else { &["pos"] }, &["A", "adj"]);
        Reference { tensors, settings: Settings { processor, hidden, triplet_features, steps_per_round }, spec }
    }

    fn numbers(&self, name: &str) -> Vec<f32> {
        let tensor = self.tensors.tensor(name).unwrap_or_else(|_| panic!("no {name}"));
        tensor.data().chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
    }

    fn batch(&self) -> (Vec<Features>, Vec<Target>) {
        let n = self.tensors.tensor("input/pos").unwrap().shape()[1];
        let rows = |names: &[String], size: usize, b: usize| -> Vec<Vec<f32>> {
            names.iter().map(|name| self.numbers(&format!("input/{name}"))[b * size..(b + 1) * size].to_vec()).collect()
        };
        let target = self.numbers("target/parent_distribution");
        let graph = |(b, length): (usize, &f32)| {
            let rounds = (*length as usize).saturating_sub(1).max(1);
            let features =
                Features::new(n, rows(&self.spec.node, n, b), rows(&self.spec.edge, n * n, b), rounds).unwrap();
            (features, Target::Distribution(target[b * n * n..(b + 1) * n * n].to_vec()))
        };
        self.numbers("input/lengths").iter().enumerate().map(graph).unzip()
    }

    fn params(&self, layout: &std::sync::Arc<Layout>, kind: &str) -> Params<f32> {
        Params::from_tensors(layout.clone(), &self.tensors, &format!("{kind}/")).unwrap()
    }
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|x| x * x).sum::<f64>().sqrt()
}

/// Largest error of logits, error of the loss, largest error of a gradient, each relative.
fn errors(path: &Path) -> (f64, f64, f64) {
    let bytes = std::fs::read(path).unwrap();
    let reference = Reference::new(&bytes);
    let network: Network = Network::new(reference.settings.clone(), reference.spec.clone());
    let count = reference.tensors.names().iter().filter(|name| name.starts_with("param/")).count();
    assert_eq!(network.layout().tensors().len(), count, "{}: number of tensors", path.display());
    let params = reference.params(network.layout(), "param");
    let (batch, targets) = reference.batch();

    let logits = network.logits(&params, &batch).concat();
    let expected = reference.numbers("output/logits");
    let largest = expected.iter().fold(0_f64, |most, &x| most.max(f64::from(x).abs()));
    let error = logits.iter().zip(&expected).fold(0_f64, |most, (a, b)| most.max(f64::from(a - b).abs()));

    let (loss, gradient) = network.loss_and_gradient(&params, &batch, &targets);
    let expected_loss = f64::from(reference.numbers("output/loss")[0]);
    let expected = reference.params(network.layout(), "grad");
    let mut worst = 0_f64;
    for (id, tensor) in network.layout().tensors().iter().enumerate() {
        let pairs = gradient.tensor(id).iter().zip(expected.tensor(id));
        let difference = norm(pairs.map(|(a, b)| f64::from(a - b)));
        let size = norm(expected.tensor(id).iter().map(|&x| f64::from(x)));
        let error = if size < NOTHING && difference < NOTHING { 0.0 } else { difference / size };
        assert!(
            error <= GRADIENT,
            "{}: gradient of {} differs by {error:.2e} of {size:.2e}",
            path.display(),
            tensor.name
        );
        worst = worst.max(error);
    }
    (error / largest, (loss - expected_loss).abs() / expected_loss, worst)
}

#[test]
fn clrs_parity() {
    let folder = std::env::var_os("CLRS_PARITY_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/clrs"), PathBuf::from);
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "safetensors"));
    files.sort();
    assert!(!files.is_empty(), "no reference files in {}", folder.display());
    for path in files {
        let (logits, loss, gradient) = errors(&path);
        println!("{}: logits {logits:.1e}, loss {loss:.1e}, worst gradient {gradient:.1e}", path.display());
        assert!(logits <= LOGITS, "{}: logits differ by {logits:.2e}", path.display());
        assert!(loss <= LOSS, "{}: loss differs by {loss:.2e}", path.display());
    }
}
