//! Instances from any file: ours, somebody else's arrays, or a graph.

use super::graph_input::{instance, uses_weights};
use super::item_input::item_instance;
use super::output::open_input;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::io::BufRead;
use std::path::Path;
use tiebreak::answers::{Form, Marginals};
use tiebreak::files;
use tiebreak::instance::io::{
    Format, NumericArray, ReadError, ReadOptions, SparseArray, array_entries, array_names, read_array, read_graph,
    read_sparse_array,
};
use tiebreak::instance::{Decimal, Graph, Instance};
use tiebreak::memory;
use tiebreak::pipeline::cases::Cases;
use tiebreak::pipeline::generate::{Made, samples_from_bytes};
use tiebreak::problems::Algorithm;

/// An instance and, where the file has them, its marginals and how it was made.
pub struct Item {
    pub instance: Instance,
    pub marginals: Option<Marginals>,
    pub made: Option<Made>,
}

/// Names under which a model's probabilities may stand in an `.npz` file.
const PROBABILITIES: &[&str] = &["probabilities", "distribution", "predictions", "P", "pi"];
const ADJACENCY: &[&str] = &["adjacency", "adj", "A"];
const SOURCE: &[&str] = &["source", "sources", "s"];

/// Reads a file of ours (`.safetensors`, `.jsonl`), arrays (`.npz`, or `.npy` with the adjacency in a file of its own),
/// or, for one instance without a distribution, a graph file.
pub fn read_items(
    algorithm: &dyn Algorithm,
    path: &Path,
    adjacency: Option<&Path>,
    source: Option<&str>,
) -> Result<Vec<Item>> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("jsonl");
    let items = match extension {
        "jsonl" => from_lines(algorithm, path)?,
        "safetensors" => from_samples(algorithm, path)?,
        "npy" | "npz" if adjacency.is_some() || holds_probabilities(path) => {
            from_arrays(algorithm, path, adjacency, source)?
        }
        _ => vec![from_graph(algorithm, path, source)?],
    };
    ensure!(!items.is_empty(), "{}: there is no instance in it", path.display());
    for (index, item) in items.iter().enumerate() {
        algorithm.prepare(&item.instance).with_context(|| format!("{}: instance {index}", path.display()))?;
    }
    Ok(items)
}

fn from_lines(algorithm: &dyn Algorithm, path: &Path) -> Result<Vec<Item>> {
    let mut cases = Cases::new(open_input(path)?, algorithm.problem());
    let mut items = vec![];
    while let Some(case) = cases.read().with_context(|| format!("cannot read {}", path.display()))? {
        let (_, case) = case.with_context(|| path.display().to_string())?;
        items.push(Item { instance: case.instance, marginals: case.marginals, made: case.made });
    }
    Ok(items)
}

fn from_samples(algorithm: &dyn Algorithm, path: &Path) -> Result<Vec<Item>> {
    let bytes = files::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = samples_from_bytes(&bytes, algorithm.problem()).with_context(|| path.display().to_string())?;
    let item = |sample: tiebreak::pipeline::generate::Sample| Item {
        instance: sample.instance,
        marginals: Some(sample.marginals),
        made: sample.made,
    };
    Ok(file.samples.into_iter().map(item).collect())
}

fn from_graph(algorithm: &dyn Algorithm, path: &Path, source: Option<&str>) -> Result<Item> {
    if let Some(kind) = algorithm.problem().items {
        let (_, instance, _) = item_instance(algorithm, kind, path, None, &ReadOptions::default())?;
        return Ok(Item { instance, marginals: None, made: None });
    }
    let options = ReadOptions { weights_matter: uses_weights(algorithm), ..ReadOptions::default() };
    let named = read_graph(path, None, &options)?;
    Ok(Item {
        instance: instance(algorithm, &named, source).with_context(|| path.display().to_string())?,
        marginals: None,
        made: None,
    })
}

/// True when an `.npz` file has an array that is called like probabilities. Nothing is unpacked to find out.
fn holds_probabilities(path: &Path) -> bool {
    let is_archive = path.extension().is_some_and(|extension| extension == "npz");
    let names = || array_names(open_input(path).ok()?, &path.display().to_string(), &ReadOptions::default()).ok();
    is_archive && names().is_some_and(|names| names.iter().any(|name| PROBABILITIES.contains(&name.as_str())))
}

fn array(path: &Path, names: &[&str]) -> Result<NumericArray> {
    let entries = each_array(path, names, array_entries)?;
    // As they are read, by matrix, and with rows that sum to one.
    let needs = (entries as u64).saturating_mul(3 * 8);
    let what = format!("{}: an array of {entries} numbers", path.display());
    memory::check(what, needs, "split the file into several with fewer matrices")?;
    each_array(path, names, read_array)
}

/// Calls one of the readers of arrays.
fn each_array<T>(
    path: &Path,
    names: &[&str],
    read: impl FnOnce(Box<dyn BufRead>, Format, &[&str], &str, &ReadOptions) -> Result<T, ReadError>,
) -> Result<T> {
    let format = Format::of_path(path)?;
    Ok(read(open_input(path)?, format, names, &path.display().to_string(), &ReadOptions::default())?)
}

fn from_arrays(
    algorithm: &dyn Algorithm,
    path: &Path,
    adjacency: Option<&Path>,
    source: Option<&str>,
) -> Result<Vec<Item>> {
    ensure!(
        algorithm.problem().form == Form::Parents,
        "{}: arrays hold the parents of vertices; what {} are is read from .jsonl and .safetensors files",
        path.display(),
        algorithm.problem().name
    );
    let probabilities = matrices(array(path, PROBABILITIES)?).with_context(|| path.display().to_string())?;
    let adjacency_path = adjacency.unwrap_or(path);
    let adjacency = each_array(adjacency_path, ADJACENCY, read_sparse_array)?;
    let graphs = adjacency_matrices(adjacency).with_context(|| adjacency_path.display().to_string())?;
    ensure!(
        probabilities.len() == graphs.len(),
        "{} matrices of probabilities, but {} of adjacency",
        probabilities.len(),
        graphs.len()
    );
    let sources = match algorithm.needs().source {
        true => sources(path, source, graphs.len())?.into_iter().map(Some).collect(),
        false => vec![None; graphs.len()],
    };
    let mut items = vec![];
    for (index, ((rows, edges), source)) in probabilities.into_iter().zip(graphs).zip(sources).enumerate() {
        let at = || format!("{}: matrix {index}", path.display());
        ensure!(rows.n == edges.n, "{}: {} vertices in one file and {} in the other", at(), rows.n, edges.n);
        let graph = edges.graph(algorithm.needs().weights.are_used()).with_context(at)?;
        let marginals = Marginals::from_weights(Form::Parents, rows.n, rows.values).with_context(at)?;
        items.push(Item { instance: Instance::of_graph(graph, source), marginals: Some(marginals), made: None });
    }
    Ok(items)
}

/// A square matrix.
struct Matrix {
    n: usize,
    values: Vec<f64>,
}

/// A square matrix of which only what is not zero is held: row = tail, column = head.
struct Adjacency {
    n: usize,
    edges: Vec<(usize, usize, Decimal)>,
}

impl Adjacency {
    /// Entries are weights where the algorithm uses them.
    fn graph(self, weighted: bool) -> Result<Graph> {
        match weighted {
            // CLRS marks a vertex's edge to itself in its adjacency; it has no weight and plays no part.
            true => Ok(Graph::weighted(self.n, self.edges.into_iter().filter(|(tail, head, _)| tail != head))?),
            false => Ok(Graph::from_edges(self.n, self.edges.into_iter().map(|(tail, head, _)| (tail, head)))?),
        }
    }
}

/// The number of rows of the square matrices that an array of shape [n, n] or [graphs, n, n] holds, and how many they are.
fn squares(shape: &[usize]) -> Result<(usize, usize)> {
    match *shape {
        [rows, columns] if rows == columns && rows > 0 => Ok((rows, 1)),
        [graphs, rows, columns] if rows == columns && rows > 0 => Ok((rows, graphs)),
        _ => bail!("an array of shape {shape:?} is neither [n, n] nor [graphs, n, n]"),
    }
}

fn matrices(mut array: NumericArray) -> Result<Vec<Matrix>> {
    let (n, graphs) = squares(&array.shape)?;
    // From the last one on, so that what was taken off is no longer held.
    let mut take = |graph: usize| {
        let values = if graph == 0 { std::mem::take(&mut array.values) } else { array.values.split_off(graph * n * n) };
        Matrix { n, values }
    };
    let mut matrices: Vec<Matrix> = (0..graphs).rev().map(&mut take).collect();
    matrices.reverse();
    Ok(matrices)
}

fn adjacency_matrices(array: SparseArray) -> Result<Vec<Adjacency>> {
    let (n, graphs) = squares(&array.shape)?;
    let mut matrices: Vec<Adjacency> = (0..graphs).map(|_| Adjacency { n, edges: vec![] }).collect();
    for (place, number) in array.entries {
        let (row, column) = (place / n % n, place % n);
        matrices[place / (n * n)].edges.push((row, column, number));
    }
    Ok(matrices)
}

/// The source of each graph: given, or from the file as indices or as one-hot rows.
fn sources(path: &Path, given: Option<&str>, graphs: usize) -> Result<Vec<usize>> {
    if let Some(text) = given {
        let source = text.parse().map_err(|_| anyhow!("--source {text}: vertices of an array are numbers from 0"))?;
        return Ok(vec![source; graphs]);
    }
    let missing = || format!("{}: there is no source; give --source", path.display());
    ensure!(path.extension().is_some_and(|extension| extension == "npz"), missing());
    let array = array(path, SOURCE).with_context(missing)?;
    let index = |value: f64| (value >= 0.0 && value.fract() == 0.0).then_some(value as usize);
    let sources: Option<Vec<usize>> = match array.shape[..] {
        [] => index(array.values[0]).map(|source| vec![source; graphs]),
        [count] if count == graphs => array.values.iter().map(|&value| index(value)).collect(),
        [count, n] if count == graphs && n > 0 => {
            array.values.chunks(n).map(|row| row.iter().position(|&value| value == 1.0)).collect()
        }
        _ => None,
    };
    sources.ok_or_else(|| {
        anyhow!("{}: the array of sources has shape {:?} for {graphs} graphs", path.display(), array.shape)
    })
}
