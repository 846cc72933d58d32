//! Samples in one safetensors file.
//!
//! Samples of one size are stacked arrays ([`super::stacked`]). Where sizes differ, sample i is stored as the tensors `i/edges` (u32, m x 2; an undirected edge once), `i/distribution` (f64, a row for each slot and a column for
//! each option: for parents n x n, row = child), `i/n` (u32, 1) and, where it has them, `i/weights` (i64, m) with `i/decimals` (u32,
//! 1: the weight is the number divided by 10^decimals), `i/source` (u32, 1) and `i/undirected` (u32, 1). Items have no edges but `i/items`
//! (i64, numbers of an item x items) with `i/decimals`. The metadata have one key,
//! `samples`, a JSON object that names the algorithm, the form and how everything was made; one key, because several would stand
//! in an order that changes from run to run. (The other format, JSON Lines, is [`crate::pipeline::cases`].)

use super::stacked::{self, Tensor};
use super::{Made, Sample};
use crate::answers::{Form, Marginals, NotMarginals};
use crate::instance::{Decimal, Graph, GraphError, Instance, ItemKind, ItemTooLarge, Items, Weight};
use crate::pipeline::cases::{Cases, LineError};
use crate::problems::Problem;
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use thiserror::Error;

/// Samples and how they were made.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleFile {
    /// The algorithm's name.
    pub algorithm: String,
    /// How the distributions were made: `runs`, `ties`, `seed` and so on, as texts.
    pub origin: BTreeMap<String, String>,
    /// The samples, in order.
    pub samples: Vec<Sample>,
}

/// What the metadata say.
#[derive(Serialize, Deserialize)]
struct About {
    algorithm: String,
    /// None where there is no sample. Where nothing is said, the file is one of the first edition.
    #[serde(default = "parents")]
    form: Option<Form>,
    count: usize,
    origin: BTreeMap<String, String>,
    /// Set where the samples are stacked arrays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stacked: Option<Stacked>,
    /// How the instances were made, if all of them were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made: Option<Vec<Made>>,
}

/// What stacked arrays do not say themselves.
#[derive(Serialize, Deserialize)]
struct Stacked {
    undirected: bool,
}

/// The form of files that do not name it.
fn parents() -> Option<Form> {
    Some(Form::Parents)
}

/// The only key of the metadata.
const ABOUT: &str = "samples";

/// Why bytes are not a file of samples.
#[derive(Debug, Error)]
pub enum SampleError {
    /// Not a safetensors file.
    #[error("not a safetensors file: {0}")]
    NotSafetensors(String),
    /// A safetensors file of something else.
    #[error("not a file of samples: {0}")]
    NotSamples(String),
    /// A tensor that is not there.
    #[error("tensor '{0}' is missing")]
    Missing(String),
    /// A tensor of another type or shape than its name demands.
    #[error("tensor '{name}' is {dtype} of shape {shape:?}, expected {expected}")]
    Shape {
        /// The tensor.
        name: String,
        /// Its type.
        dtype: String,
        /// Its shape.
        shape: Vec<usize>,
        /// What it should be.
        expected: &'static str,
    },
    /// The edges are not a graph.
    #[error("sample {index}: {error}")]
    Graph {
        /// Which sample.
        index: usize,
        /// What is wrong.
        error: GraphError,
    },
    /// The numbers of items are not exact.
    #[error("sample {index}: {error}")]
    Items {
        /// Which sample.
        index: usize,
        /// What is wrong.
        error: ItemTooLarge,
    },
    /// The matrix is not a distribution.
    #[error("sample {index}: {error}")]
    Distribution {
        /// Which sample.
        index: usize,
        /// What is wrong.
        error: NotMarginals,
    },
    /// The source is no vertex.
    #[error("sample {index}: the source is {from}, but there are {n} vertices")]
    Source {
        /// Which sample.
        index: usize,
        /// The alleged source.
        from: usize,
        /// The number of vertices.
        n: usize,
    },
    /// Rows that do not belong to the instance.
    #[error("sample {index}: {slots} rows of probabilities do not fit an instance of {n} vertices")]
    Slots {
        /// Which sample.
        index: usize,
        /// The number of vertices.
        n: usize,
        /// The number of rows.
        slots: usize,
    },
    /// The file could not be read.
    #[error("cannot read {}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        reason: String,
    },
    /// The file is not the one that a training began with.
    #[error("{} has changed since the training began", .0.display())]
    Changed(PathBuf),
    /// A line of a file of cases.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A case without what there is to learn.
    #[error("line {0}: there is no \"distribution\" to learn")]
    NoMarginals(u64),
    /// A weight beyond 64 bits, which this format cannot hold.
    #[error("sample {0}: a weight does not fit 64 bits; JSON Lines can hold it")]
    WeightTooLarge(usize),
}

/// The samples as the bytes of a safetensors file.
pub fn samples_to_bytes(file: &SampleFile) -> Result<Vec<u8>, SampleError> {
    let stacked = stacked::fits(&file.samples);
    let tensors = if stacked { stacked::tensors(&file.samples)? } else { one_by_one(&file.samples)? };
    let views = tensors.iter().map(|(name, dtype, shape, bytes)| {
        let view = TensorView::new(*dtype, shape.clone(), bytes).expect("the bytes were made to fit the shape");
        (name.clone(), view)
    });
    let about = About {
        algorithm: file.algorithm.clone(),
        form: file.samples.first().map(|sample| sample.marginals.form()),
        count: file.samples.len(),
        origin: file.origin.clone(),
        stacked: stacked.then(|| Stacked { undirected: file.samples[0].instance.graph.is_undirected() }),
        made: file.samples.iter().map(|sample| sample.made).collect(),
    };
    let about = serde_json::to_string(&about).expect("texts and numbers are always JSON");
    let metadata = HashMap::from([(ABOUT.to_owned(), about)]);
    Ok(serialize(views, Some(metadata)).expect("names and shapes are well-formed"))
}

/// The tensors of samples whose sizes differ.
fn one_by_one(samples: &[Sample]) -> Result<Vec<Tensor>, SampleError> {
    let mut tensors: Vec<Tensor> = vec![];
    for (index, sample) in samples.iter().enumerate() {
        let Sample { instance, marginals, .. } = sample;
        let graph = &instance.graph;
        let m = graph.edge_count();
        let mut add = |name: &str, dtype, shape, bytes| tensors.push((format!("{index}/{name}"), dtype, shape, bytes));
        let ends = graph.edges().flat_map(|(tail, head)| [tail as u32, head as u32]);
        add("edges", Dtype::U32, vec![m, 2], ends.flat_map(u32::to_le_bytes).collect());
        let rows = marginals.as_slice().iter().flat_map(|share| share.to_le_bytes());
        add("distribution", Dtype::F64, vec![marginals.slots(), marginals.options()], rows.collect());
        add("n", Dtype::U32, vec![1], (graph.n() as u32).to_le_bytes().to_vec());
        if graph.is_undirected() {
            add("undirected", Dtype::U32, vec![1], 1u32.to_le_bytes().to_vec());
        }
        if graph.is_weighted() {
            let weights = graph.weighted_edges().map(|(.., weight)| i64::try_from(weight));
            let weights: Vec<i64> =
                weights.collect::<Result<_, _>>().map_err(|_| SampleError::WeightTooLarge(index))?;
            add("weights", Dtype::I64, vec![m], weights.into_iter().flat_map(i64::to_le_bytes).collect());
            add("decimals", Dtype::U32, vec![1], graph.decimals().to_le_bytes().to_vec());
        }
        if let Some(items) = &instance.items {
            let bytes = stacked::item_bytes(sample).ok_or(SampleError::WeightTooLarge(index))?;
            add("items", Dtype::I64, vec![items.kind().columns.len(), items.len()], bytes);
            add("decimals", Dtype::U32, vec![1], items.decimals().to_le_bytes().to_vec());
        }
        if let Some(source) = instance.source {
            add("source", Dtype::U32, vec![1], (source as u32).to_le_bytes().to_vec());
        }
    }
    Ok(tensors)
}

/// Reads the bytes of a safetensors file of samples.
pub fn samples_from_bytes(bytes: &[u8], problem: &Problem) -> Result<SampleFile, SampleError> {
    let not_safetensors = |error: safetensors::SafeTensorError| SampleError::NotSafetensors(error.to_string());
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(not_safetensors)?;
    let tensors = SafeTensors::deserialize(bytes).map_err(not_safetensors)?;
    let not_samples = |reason: String| SampleError::NotSamples(reason);
    let about = header.metadata().as_ref().and_then(|metadata| metadata.get(ABOUT));
    let about = about.ok_or_else(|| not_samples(format!("the metadata have no '{ABOUT}'")))?;
    let about: About = serde_json::from_str(about).map_err(|error| not_samples(error.to_string()))?;
    let About { algorithm, form, count, origin, stacked, made } = about;
    if let Some(form) = form.filter(|&form| form != problem.form) {
        return Err(not_samples(format!("it is about {form:?}, not about {}", problem.name)));
    }
    let mut samples: Vec<Sample> = match stacked {
        Some(Stacked { undirected }) => stacked::read(&tensors, problem, undirected, count)?,
        None => (0..count).map(|index| read_sample(&tensors, problem, index)).collect::<Result<_, SampleError>>()?,
    };
    for (sample, made) in samples.iter_mut().zip(made.unwrap_or_default()) {
        sample.made = Some(made);
    }
    Ok(SampleFile { algorithm, origin, samples })
}

/// Reads the bytes of either kind of file that `tiebreak generate` writes: safetensors or JSON Lines.
pub fn samples_from_any_bytes(bytes: &[u8], problem: &'static Problem) -> Result<SampleFile, SampleError> {
    // A safetensors file begins with eight bytes of length; no line of JSON has a zero byte.
    if bytes.get(..8).is_some_and(|start| start.contains(&0)) {
        return samples_from_bytes(bytes, problem);
    }
    let mut cases = Cases::new(bytes, problem);
    let mut file = SampleFile { algorithm: String::new(), origin: BTreeMap::new(), samples: vec![] };
    while let Some(case) = cases.read().map_err(|error| SampleError::NotSamples(error.to_string()))? {
        let (line, case) = case?;
        let marginals = case.marginals.ok_or(SampleError::NoMarginals(line))?;
        file.algorithm = case.algorithm.unwrap_or_default();
        file.samples.push(Sample { instance: case.instance, marginals, made: case.made });
    }
    Ok(file)
}

fn read_sample(tensors: &SafeTensors, problem: &Problem, index: usize) -> Result<Sample, SampleError> {
    let form = problem.form;
    let rows = tensor(
        tensors,
        index,
        "distribution",
        Dtype::F64,
        "a matrix of f64 that fits the form",
        |shape| matches!(shape, [rows, columns] if form.options(*rows) == *columns),
    )?;
    let slots = rows.shape()[0];
    let n = match optional(tensors, index, "n") {
        true => single(tensors, index, "n")? as usize,
        false => slots,
    };
    let rows = numbers(rows.data(), f64::from_le_bytes);
    let marginals =
        Marginals::from_weights(form, slots, rows).map_err(|error| SampleError::Distribution { index, error })?;
    let source = match optional(tensors, index, "source") {
        false => None,
        true => Some(single(tensors, index, "source")? as usize),
    };
    if let Some(from) = source.filter(|&from| from >= n) {
        return Err(SampleError::Source { index, from, n });
    }
    // A vertex is borne out by a row, or by an end of an edge; more than a few isolated ones beside them are a lie.
    let ends = tensor(tensors, index, "edges", Dtype::U32, "m x 2 of u32", |shape| matches!(shape, [_, 2]))?;
    if n > slots.max(ends.shape()[0]).saturating_mul(100).saturating_add(100_000) {
        return Err(SampleError::Slots { index, n, slots });
    }
    let instance = match problem.items {
        Some(kind) => Instance::of_items(read_items(tensors, kind, index)?),
        None => Instance::of_graph(read_graph(tensors, index, n)?, source),
    };
    if instance.slots(form) != slots {
        return Err(SampleError::Slots { index, n, slots });
    }
    Ok(Sample { instance, marginals, made: None })
}

fn read_graph(tensors: &SafeTensors, index: usize, n: usize) -> Result<Graph, SampleError> {
    let ends = tensor(tensors, index, "edges", Dtype::U32, "m x 2 of u32", |shape| matches!(shape, [_, 2]))?;
    let ends = numbers(ends.data(), u32::from_le_bytes);
    let edges = ends.chunks_exact(2).map(|ends| (ends[0] as usize, ends[1] as usize));
    let undirected = optional(tensors, index, "undirected");
    let in_sample = |error| SampleError::Graph { index, error };
    if !optional(tensors, index, "weights") {
        let graph = if undirected { Graph::undirected(n, edges) } else { Graph::from_edges(n, edges) };
        return graph.map_err(in_sample);
    }
    let decimals = single(tensors, index, "decimals")?;
    let m = ends.len() / 2;
    let weights =
        tensor(tensors, index, "weights", Dtype::I64, "as many i64 as there are edges", |shape| shape == [m])?;
    let weights = numbers(weights.data(), i64::from_le_bytes);
    let decimal = |weight: i64| Decimal::scaled(Weight::from(weight), decimals);
    let weighted = edges.zip(weights).map(|((tail, head), weight)| (tail, head, decimal(weight)));
    let graph = if undirected { Graph::weighted_undirected(n, weighted) } else { Graph::weighted(n, weighted) };
    graph.map_err(in_sample)
}

fn read_items(tensors: &SafeTensors, kind: &'static ItemKind, index: usize) -> Result<Items, SampleError> {
    let columns = kind.columns.len();
    let fits = |shape: &[usize]| matches!(shape, [found, _] if *found == columns);
    let tensor = tensor(tensors, index, "items", Dtype::I64, "an i64 for each number of each item", fits)?;
    let numbers = numbers(tensor.data(), i64::from_le_bytes);
    stacked::items(kind, &numbers, single(tensors, index, "decimals")?, index)
}

fn optional(tensors: &SafeTensors, index: usize, name: &str) -> bool {
    tensors.tensor(&format!("{index}/{name}")).is_ok()
}

fn single(tensors: &SafeTensors, index: usize, name: &str) -> Result<u32, SampleError> {
    let tensor = tensor(tensors, index, name, Dtype::U32, "one u32", |shape| shape == [1])?;
    Ok(numbers(tensor.data(), u32::from_le_bytes)[0])
}

fn tensor<'a>(
    tensors: &SafeTensors<'a>,
    index: usize,
    name: &str,
    dtype: Dtype,
    expected: &'static str,
    shape_fits: impl Fn(&[usize]) -> bool,
) -> Result<TensorView<'a>, SampleError> {
    let name = format!("{index}/{name}");
    let tensor = tensors.tensor(&name).map_err(|_| SampleError::Missing(name.clone()))?;
    checked(tensor, &name, dtype, expected, shape_fits)
}

/// A tensor, if it has that type and a shape that fits.
pub(super) fn checked<'a>(
    tensor: TensorView<'a>,
    name: &str,
    dtype: Dtype,
    expected: &'static str,
    shape_fits: impl Fn(&[usize]) -> bool,
) -> Result<TensorView<'a>, SampleError> {
    if tensor.dtype() != dtype || !shape_fits(tensor.shape()) {
        let (name, dtype, shape) = (name.to_owned(), format!("{:?}", tensor.dtype()), tensor.shape().to_vec());
        return Err(SampleError::Shape { name, dtype, shape, expected });
    }
    Ok(tensor)
}

pub(super) fn numbers<T, const N: usize>(bytes: &[u8], from_le_bytes: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.chunks_exact(N).map(|chunk| from_le_bytes(chunk.try_into().expect("chunks of N bytes"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::GraphSettings;
    use crate::pipeline::generate::{Recipe, sample};
    use crate::problems::ALGORITHMS;

    /// Files of version 0.1.0 had no stacked arrays: `generate --algorithm bellman-ford --size 5 --graphs 2 --seed 3`.
    #[test]
    fn files_of_the_first_version_are_read() {
        let bellman_ford = crate::problems::by_name("bellman-ford").unwrap().problem();
        let bytes = include_bytes!("../../../tests/data/samples-0.1.0.safetensors");
        let old = samples_from_bytes(bytes, bellman_ford).unwrap();
        let recipe = Recipe { graph: GraphSettings { n: 5, ..GraphSettings::default() }, ..Recipe::default() };
        let algorithm = crate::problems::by_name(&old.algorithm).unwrap();
        let samples: Vec<Sample> = (0..2).map(|index| sample(algorithm, &recipe, 3, index).unwrap()).collect();
        assert_eq!(old.samples, samples);
    }

    #[test]
    fn samples_come_back_to_the_bit() {
        for algorithm in ALGORITHMS {
            let of_size = |n: usize, index| {
                let graph = GraphSettings { n, ..GraphSettings::default() };
                sample(*algorithm, &Recipe { graph, ..Recipe::default() }, 0, index).unwrap()
            };
            for sizes in [&[7, 7, 7][..], &[7, 5, 7], &[]] {
                let samples = sizes.iter().zip(0..).map(|(&n, index)| of_size(n, index)).collect();
                let origin = BTreeMap::from([("seed".to_owned(), "0".to_owned())]);
                let file = SampleFile { algorithm: algorithm.name().to_owned(), origin, samples };
                let bytes = samples_to_bytes(&file).unwrap();
                assert_eq!(samples_from_bytes(&bytes, algorithm.problem()).unwrap(), file);
                assert_eq!(samples_to_bytes(&file.clone()).unwrap(), bytes, "the same samples make the same file");
            }
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let samples = vec![sample(ALGORITHMS[0], &Recipe::default(), 0, 0).unwrap()];
        let file = SampleFile { algorithm: "dfs".into(), origin: BTreeMap::new(), samples };
        let bytes = samples_to_bytes(&file).unwrap();
        for end in [0, 1, 8, 100, bytes.len() - 1] {
            assert!(samples_from_bytes(&bytes[..end], ALGORITHMS[0].problem()).is_err());
        }
        let mut rng = crate::random::Rng::stream(0, "damage", 0);
        for _ in 0..2_000 {
            let mut damaged = bytes.clone();
            for _ in 0..4 {
                let place = rng.below(damaged.len().min(400));
                damaged[place] = rng.below(256) as u8;
            }
            let _ = samples_from_bytes(&damaged, ALGORITHMS[0].problem());
        }
    }
}
