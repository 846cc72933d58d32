//! Samples in one safetensors file.
//!
//! Sample i is stored as the tensors `i/edges` (u32, m x 2), `i/distribution` (f64, n x n, row = child) and, where it
//! has them, `i/weights` (i64, m) with `i/decimals` (u32, 1: the weight is the number divided by 10^decimals) and
//! `i/source` (u32, 1). The metadata have one key, `samples`, a JSON object that names the algorithm and how the
//! distributions were made; one key, because several would stand in an order that changes from run to run. (The other
//! format, JSON Lines, is [`crate::cases`].)

use super::Sample;
use crate::graph::{Decimal, Graph, GraphError, Instance, Weight};
use crate::parents::{NotADistribution, ParentDistribution};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
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
    count: usize,
    origin: BTreeMap<String, String>,
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
    /// The matrix is not a distribution.
    #[error("sample {index}: {error}")]
    Distribution {
        /// Which sample.
        index: usize,
        /// What is wrong.
        error: NotADistribution,
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
    /// A weight beyond 64 bits, which this format cannot hold.
    #[error("sample {0}: a weight does not fit 64 bits; JSON Lines can hold it")]
    WeightTooLarge(usize),
}

/// The samples as the bytes of a safetensors file.
pub fn samples_to_bytes(file: &SampleFile) -> Result<Vec<u8>, SampleError> {
    let mut tensors: Vec<(String, Dtype, Vec<usize>, Vec<u8>)> = vec![];
    for (index, Sample { instance, distribution }) in file.samples.iter().enumerate() {
        let graph = &instance.graph;
        let (n, m) = (graph.n(), graph.edge_count());
        let mut add = |name: &str, dtype, shape, bytes| tensors.push((format!("{index}/{name}"), dtype, shape, bytes));
        let ends = graph.edges().flat_map(|(tail, head)| [tail as u32, head as u32]);
        add("edges", Dtype::U32, vec![m, 2], ends.flat_map(u32::to_le_bytes).collect());
        let rows = distribution.as_slice().iter().flat_map(|share| share.to_le_bytes());
        add("distribution", Dtype::F64, vec![n, n], rows.collect());
        if graph.is_weighted() {
            let weights = graph.weighted_edges().map(|(.., weight)| i64::try_from(weight));
            let weights: Vec<i64> =
                weights.collect::<Result<_, _>>().map_err(|_| SampleError::WeightTooLarge(index))?;
            add("weights", Dtype::I64, vec![m], weights.into_iter().flat_map(i64::to_le_bytes).collect());
            add("decimals", Dtype::U32, vec![1], graph.decimals().to_le_bytes().to_vec());
        }
        if let Some(source) = instance.source {
            add("source", Dtype::U32, vec![1], (source as u32).to_le_bytes().to_vec());
        }
    }
    let views = tensors.iter().map(|(name, dtype, shape, bytes)| {
        let view = TensorView::new(*dtype, shape.clone(), bytes).expect("the bytes were made to fit the shape");
        (name.clone(), view)
    });
    let about = About { algorithm: file.algorithm.clone(), count: file.samples.len(), origin: file.origin.clone() };
    let about = serde_json::to_string(&about).expect("texts and numbers are always JSON");
    let metadata = HashMap::from([(ABOUT.to_owned(), about)]);
    Ok(serialize(views, Some(metadata)).expect("names and shapes are well-formed"))
}

/// Reads the bytes of a safetensors file of samples.
pub fn samples_from_bytes(bytes: &[u8]) -> Result<SampleFile, SampleError> {
    let not_safetensors = |error: safetensors::SafeTensorError| SampleError::NotSafetensors(error.to_string());
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(not_safetensors)?;
    let tensors = SafeTensors::deserialize(bytes).map_err(not_safetensors)?;
    let not_samples = |reason: String| SampleError::NotSamples(reason);
    let about = header.metadata().as_ref().and_then(|metadata| metadata.get(ABOUT));
    let about = about.ok_or_else(|| not_samples(format!("the metadata have no '{ABOUT}'")))?;
    let about: About = serde_json::from_str(about).map_err(|error| not_samples(error.to_string()))?;
    let About { algorithm, count, origin } = about;
    let samples = (0..count).map(|index| read_sample(&tensors, index)).collect::<Result<_, _>>()?;
    Ok(SampleFile { algorithm, origin, samples })
}

fn read_sample(tensors: &SafeTensors, index: usize) -> Result<Sample, SampleError> {
    let distribution = tensor(
        tensors,
        index,
        "distribution",
        Dtype::F64,
        "a square matrix of f64",
        |shape| matches!(shape, [rows, columns] if rows == columns),
    )?;
    let n = distribution.shape()[0];
    let rows = numbers(distribution.data(), f64::from_le_bytes);
    let distribution =
        ParentDistribution::from_weights(n, rows).map_err(|error| SampleError::Distribution { index, error })?;
    let source = match optional(tensors, index, "source") {
        false => None,
        true => Some(single(tensors, index, "source")? as usize),
    };
    if let Some(from) = source.filter(|&from| from >= n) {
        return Err(SampleError::Source { index, from, n });
    }
    let graph = read_graph(tensors, index, n)?;
    Ok(Sample { instance: Instance { graph, source }, distribution })
}

fn read_graph(tensors: &SafeTensors, index: usize, n: usize) -> Result<Graph, SampleError> {
    let ends = tensor(tensors, index, "edges", Dtype::U32, "m x 2 of u32", |shape| matches!(shape, [_, 2]))?;
    let ends = numbers(ends.data(), u32::from_le_bytes);
    let edges = ends.chunks_exact(2).map(|ends| (ends[0] as usize, ends[1] as usize));
    let in_sample = |error| SampleError::Graph { index, error };
    if !optional(tensors, index, "weights") {
        return Graph::from_edges(n, edges).map_err(in_sample);
    }
    let decimals = single(tensors, index, "decimals")?;
    let m = ends.len() / 2;
    let weights =
        tensor(tensors, index, "weights", Dtype::I64, "as many i64 as there are edges", |shape| shape == [m])?;
    let weights = numbers(weights.data(), i64::from_le_bytes);
    let decimal = |weight: i64| Decimal::scaled(Weight::from(weight), decimals);
    Graph::weighted(n, edges.zip(weights).map(|((tail, head), weight)| (tail, head, decimal(weight))))
        .map_err(in_sample)
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
    if tensor.dtype() != dtype || !shape_fits(tensor.shape()) {
        let (dtype, shape) = (format!("{:?}", tensor.dtype()), tensor.shape().to_vec());
        return Err(SampleError::Shape { name, dtype, shape, expected });
    }
    Ok(tensor)
}

fn numbers<T, const N: usize>(bytes: &[u8], from_le_bytes: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.chunks_exact(N).map(|chunk| from_le_bytes(chunk.try_into().expect("chunks of N bytes"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::ALGORITHMS;
    use crate::generate::{Recipe, sample};

    #[test]
    fn samples_come_back_to_the_bit() {
        for algorithm in ALGORITHMS {
            let samples = (0..5).map(|index| sample(*algorithm, &Recipe::default(), 0, index).unwrap()).collect();
            let origin = BTreeMap::from([("seed".to_owned(), "0".to_owned())]);
            let file = SampleFile { algorithm: algorithm.name().to_owned(), origin, samples };
            let bytes = samples_to_bytes(&file).unwrap();
            assert_eq!(samples_from_bytes(&bytes).unwrap(), file);
            assert_eq!(samples_to_bytes(&file.clone()).unwrap(), bytes, "the same samples make the same file");
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let samples = vec![sample(ALGORITHMS[0], &Recipe::default(), 0, 0).unwrap()];
        let file = SampleFile { algorithm: "dfs".into(), origin: BTreeMap::new(), samples };
        let bytes = samples_to_bytes(&file).unwrap();
        for end in [0, 1, 8, 100, bytes.len() - 1] {
            assert!(samples_from_bytes(&bytes[..end]).is_err());
        }
        let mut rng = crate::random::Rng::stream(0, "damage", 0);
        for _ in 0..2_000 {
            let mut damaged = bytes.clone();
            for _ in 0..4 {
                let place = rng.below(damaged.len().min(400));
                damaged[place] = rng.below(256) as u8;
            }
            let _ = samples_from_bytes(&damaged);
        }
    }
}
