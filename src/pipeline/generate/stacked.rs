//! Samples of one size as stacked arrays, which numpy reads in five lines.
//!
//! | tensor | type and shape | what |
//! |---|---|---|
//! | `adjacency` | bool [count, n, n] | row = tail, column = head; an undirected edge both ways |
//! | `weights`, `decimals` | i64 [count, n, n], u32 [count] | a weight is the number divided by 10^decimals; where edges have weights |
//! | `items`, `decimals` | i64 [count, numbers of an item, n], u32 [count] | where an instance is a table of items |
//! | `source` | i64 [count] | where there is one |
//! | `marginals` | f64 [count, …] | in the shapes of [`super::dense`] |
//! | `marginals_out` | the same | for sets of edges and items: the probability that one is left out (the complement, to the bit) |
//!
//! The metadata are those of [`super::files`], with `"layout":"stacked"`.

use super::Sample;
use super::dense::{marginals_shape, on_places, write_marginals};
use super::files::{SampleError, numbers};
use crate::answers::{Form, IN, Marginals, OUT};
use crate::instance::{Decimal, Graph, Instance, ItemKind, Items, Weight};
use crate::problems::Problem;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

/// A tensor to be written: name, type, shape, bytes.
pub(super) type Tensor = (String, Dtype, Vec<usize>, Vec<u8>);

/// Whether samples can be stacked: all of one size and kind, and at least one of them.
pub(super) fn fits(samples: &[Sample]) -> bool {
    let kind = |sample: &Sample| {
        let Instance { graph, source, items } = &sample.instance;
        let (undirected, weighted) = (graph.is_undirected(), graph.is_weighted());
        (graph.n(), undirected, weighted, source.is_some(), items.is_some(), sample.marginals.form())
    };
    let first = samples.first().map(kind);
    first.is_some_and(|(n, ..)| n > 0) && samples.iter().all(|sample| Some(kind(sample)) == first)
}

/// The tensors of samples that fit.
pub(super) fn tensors(samples: &[Sample]) -> Result<Vec<Tensor>, SampleError> {
    let first = &samples[0];
    let (count, n, form) = (samples.len(), first.instance.n(), first.marginals.form());
    let mut tensors: Vec<Tensor> = vec![];
    let mut add = |name: &str, dtype, shape: &[usize], bytes| {
        tensors.push((name.to_owned(), dtype, [&[count], shape].concat(), bytes));
    };
    add("adjacency", Dtype::BOOL, &[n, n], samples.iter().flat_map(adjacency).collect());
    if first.instance.graph.is_weighted() {
        let mut weights = vec![];
        for (index, sample) in samples.iter().enumerate() {
            weights.extend(weight_bytes(sample).ok_or(SampleError::WeightTooLarge(index))?);
        }
        add("weights", Dtype::I64, &[n, n], weights);
        let decimals = samples.iter().flat_map(|sample| sample.instance.graph.decimals().to_le_bytes());
        add("decimals", Dtype::U32, &[], decimals.collect());
    }
    if let Some(items) = &first.instance.items {
        let mut values = vec![];
        for (index, sample) in samples.iter().enumerate() {
            values.extend(item_bytes(sample).ok_or(SampleError::WeightTooLarge(index))?);
        }
        add("items", Dtype::I64, &[items.kind().columns.len(), n], values);
        let decimals = samples.iter().filter_map(|sample| sample.instance.items.as_ref());
        add("decimals", Dtype::U32, &[], decimals.flat_map(|items| items.decimals().to_le_bytes()).collect());
    }
    if first.instance.source.is_some() {
        let sources = samples.iter().filter_map(|sample| sample.instance.source);
        add("source", Dtype::I64, &[], sources.flat_map(|source| (source as i64).to_le_bytes()).collect());
    }
    let shape = marginals_shape(form, n);
    let shares = |option: usize| samples.iter().flat_map(move |sample| share_bytes(sample, option)).collect();
    add("marginals", Dtype::F64, &shape, shares(IN));
    if matches!(form, Form::Edges | Form::Items) {
        add("marginals_out", Dtype::F64, &shape, shares(OUT));
    }
    Ok(tensors)
}

fn adjacency(sample: &Sample) -> Vec<u8> {
    let (graph, n) = (&sample.instance.graph, sample.instance.n());
    let mut matrix = vec![0; n * n];
    graph.arcs().for_each(|(tail, head)| matrix[tail * n + head] = 1);
    matrix
}

fn weight_bytes(sample: &Sample) -> Option<Vec<u8>> {
    let (graph, n) = (&sample.instance.graph, sample.instance.n());
    let mut matrix = vec![0i64; n * n];
    for (tail, head, weight) in graph.weighted_arcs() {
        matrix[tail * n + head] = i64::try_from(weight).ok()?;
    }
    Some(matrix.into_iter().flat_map(i64::to_le_bytes).collect())
}

/// The numbers of the items, column by column.
pub(super) fn item_bytes(sample: &Sample) -> Option<Vec<u8>> {
    let items = sample.instance.items.as_ref()?;
    let columns = (0..items.kind().columns.len()).flat_map(|column| items.column(column));
    let numbers: Option<Vec<i64>> = columns.map(|&number| i64::try_from(number).ok()).collect();
    Some(numbers?.into_iter().flat_map(i64::to_le_bytes).collect())
}

/// Items from their numbers, column by column.
pub(super) fn items(
    kind: &'static ItemKind,
    numbers: &[i64],
    decimals: u32,
    index: usize,
) -> Result<Items, SampleError> {
    let count = numbers.len() / kind.columns.len();
    let decimal = |&number: &i64| Decimal::scaled(Weight::from(number), decimals);
    let column = |column: usize| numbers[column * count..(column + 1) * count].iter().map(decimal).collect();
    let columns = (0..kind.columns.len()).map(column).collect();
    Items::new(kind, columns).map_err(|error| SampleError::Items { index, error })
}

fn share_bytes(sample: &Sample, option: usize) -> Vec<u8> {
    let shape = marginals_shape(sample.marginals.form(), sample.instance.n());
    let mut shares = vec![0.0; shape.iter().product()];
    write_marginals(&sample.instance, &sample.marginals, option, &mut shares);
    shares.into_iter().flat_map(f64::to_le_bytes).collect()
}

/// Reads samples.
pub(super) fn read(
    tensors: &SafeTensors,
    problem: &Problem,
    undirected: bool,
    count: usize,
) -> Result<Vec<Sample>, SampleError> {
    let form = problem.form;
    let adjacency = tensor(
        tensors,
        "adjacency",
        Dtype::BOOL,
        "bool [count, n, n]",
        |shape| matches!(shape, [found, rows, columns] if *found == count && rows == columns),
    )?;
    let n = adjacency.shape()[1];
    let whole = |shape: &[usize]| [&[count], shape].concat();
    let optional = |name: &str, dtype, expected, shape: &[usize]| match tensors.tensor(name) {
        Ok(_) => tensor(tensors, name, dtype, expected, |found| found == whole(shape)).map(Some),
        Err(_) => Ok(None),
    };
    let weights = optional("weights", Dtype::I64, "i64 [count, n, n]", &[n, n])?;
    let decimals = optional("decimals", Dtype::U32, "u32 [count]", &[])?;
    let sources = optional("source", Dtype::I64, "i64 [count]", &[])?;
    let numbers_of_items = match problem.items {
        None => None,
        Some(kind) => {
            let wanted = whole(&[kind.columns.len(), n]);
            let expected = "i64 [count, numbers of an item, n]";
            let found = tensor(tensors, "items", Dtype::I64, expected, |found| found == wanted)?;
            Some((kind, numbers(found.data(), i64::from_le_bytes)))
        }
    };
    let shape = marginals_shape(form, n);
    let shares = |name: &str| {
        let found = tensor(tensors, name, Dtype::F64, "f64 that fits the form", |found| found == whole(&shape))?;
        Ok::<_, SampleError>(numbers(found.data(), f64::from_le_bytes))
    };
    let is_set = matches!(form, Form::Edges | Form::Items);
    let (chosen, left_out) = (shares("marginals")?, if is_set { shares("marginals_out")? } else { vec![] });
    let weights = weights.map(|weights| numbers(weights.data(), i64::from_le_bytes));
    let decimals = decimals.map(|decimals| numbers(decimals.data(), u32::from_le_bytes));
    let sources = sources.map(|sources| numbers(sources.data(), i64::from_le_bytes));
    let one = |index: usize| {
        let cells = index * n * n..(index + 1) * n * n;
        let scale = decimals.as_ref().map(|decimals| decimals[index]);
        let weights = weights.as_ref().map(|weights| (&weights[cells.clone()], scale.unwrap_or(0)));
        let graph = graph(n, &adjacency.data()[cells], weights, undirected);
        let graph = graph.map_err(|error| SampleError::Graph { index, error })?;
        let source = sources.as_ref().map(|sources| source(index, sources[index], n)).transpose()?;
        let instance = match &numbers_of_items {
            None => Instance::of_graph(graph, source),
            Some((kind, numbers)) => {
                let size = kind.columns.len() * n;
                Instance::of_items(items(kind, &numbers[index * size..(index + 1) * size], scale.unwrap_or(0), index)?)
            }
        };
        let size: usize = shape.iter().product();
        let span = index * size..(index + 1) * size;
        let rows = match is_set {
            false => chosen[span].to_vec(),
            true => pairs(&instance, form, &left_out[span.clone()], &chosen[span]),
        };
        let marginals = Marginals::from_weights(form, instance.slots(form), rows);
        let marginals = marginals.map_err(|error| SampleError::Distribution { index, error })?;
        Ok(Sample { instance, marginals, made: None })
    };
    (0..count).map(one).collect()
}

fn source(index: usize, source: i64, n: usize) -> Result<usize, SampleError> {
    let from = usize::try_from(source).unwrap_or(usize::MAX);
    if from < n { Ok(from) } else { Err(SampleError::Source { index, from, n }) }
}

/// The rows of a set's marginals from their places.
fn pairs(instance: &Instance, form: Form, left_out: &[f64], chosen: &[f64]) -> Vec<f64> {
    let mut rows = vec![0.0; 2 * instance.slots(form)];
    on_places(instance, form, |slot, place| {
        (rows[2 * slot + OUT], rows[2 * slot + IN]) = (left_out[place], chosen[place]);
    });
    rows
}

fn graph(
    n: usize,
    adjacency: &[u8],
    weights: Option<(&[i64], u32)>,
    undirected: bool,
) -> Result<Graph, crate::instance::GraphError> {
    let is_edge = |&(place, cell): &(usize, &u8)| *cell != 0 && !(undirected && place / n > place % n);
    let places = adjacency.iter().enumerate().filter(is_edge).map(|(place, _)| place);
    let ends = |place: usize| (place / n, place % n);
    match weights {
        None if undirected => Graph::undirected(n, places.map(ends)),
        None => Graph::from_edges(n, places.map(ends)),
        Some((weights, decimals)) => {
            let edges = places.map(|place| {
                let weight = Decimal::scaled(Weight::from(weights[place]), decimals);
                (place / n, place % n, weight)
            });
            if undirected { Graph::weighted_undirected(n, edges) } else { Graph::weighted(n, edges) }
        }
    }
}

fn tensor<'a>(
    tensors: &SafeTensors<'a>,
    name: &str,
    dtype: Dtype,
    expected: &'static str,
    fits: impl Fn(&[usize]) -> bool,
) -> Result<TensorView<'a>, SampleError> {
    let tensor = tensors.tensor(name).map_err(|_| SampleError::Missing(name.to_owned()))?;
    super::files::checked(tensor, name, dtype, expected, fits)
}
