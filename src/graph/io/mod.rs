//! Graphs in files: reading and writing the formats that other tools use.
//!
//! | format | extension | names | says directed | weights |
//! |---|---|---|---|---|
//! | `csv`, `tsv`, `edges` | `.csv` `.tsv` `.edges` | yes | no: [`ReadOptions::undirected`] | a third column |
//! | `node-link` | `.json` | yes | yes | `weight` of each edge |
//! | `npy`, `npz` | `.npy` `.npz` | no, from 0 | no: [`ReadOptions::undirected`] | entries, unless boolean |
//! | `dimacs` | `.gr` | no, from 1 | always directed | always, 1 where there were none |
//! | `matrix-market` | `.mtx` | no, from 1 | `symmetric` is not | entries, unless `pattern` |
//! | `graphml` | `.graphml` | yes | yes | data with the key `weight` |
//! | `dot` | `.dot` `.gv` | yes | yes | labels; written only |
//!
//! What is written and read again is the same graph, with the same names, directions and weights, as far as the
//! table says that the format holds them. (In `node-link` and `graphml`, weights show on edges only: a weighted graph
//! without any edge comes back as one without weights.) What a format cannot hold exactly is refused, not rounded.
//!
//! Weights are exact decimals. They may be zero or negative here; an algorithm that needs positive ones says so.
//!
//! A reader never trusts a header: memory grows with the bytes that are there, not with those that are promised, and
//! [`ReadOptions`] bounds both. Every error names the file, the place in it and the value that is wrong.

mod build;
mod dimacs;
mod dot;
mod edge_list;
mod error;
mod format;
mod graphml;
mod lines;
mod matrix_market;
mod node_link;
mod npy;
mod npy_header;
mod npz;
mod record;

pub use error::{EdgeName, Place, Problem, ReadError, WriteError};
pub use format::{Format, UnknownExtension, UnknownFormat};
pub use npy::{NumericArray, read_array};

use crate::answers::Candidate;
use crate::graph::{Decimal, Graph};
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A graph whose vertices have names.
///
/// ```
/// use tiebreak::graph::io::{Format, NamedGraph, ReadOptions, read_from, write_graph};
/// let text = "source,target,weight\nhome,shop,0.1\nshop,work,0.2\n";
/// let roads = read_from(text.as_bytes(), Format::Csv, "roads", &ReadOptions::default()).unwrap();
/// assert_eq!(roads.names, ["home", "shop", "work"]);
/// assert_eq!(roads.index_of("work"), Some(2));
/// assert_eq!(write_graph(&roads, Format::Csv, None).unwrap(), text.as_bytes());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedGraph {
    /// The graph. An undirected edge stands in it as two directed ones.
    pub graph: Graph,
    /// The name of each vertex, in the order in which the file has them.
    pub names: Vec<String>,
    /// False when each edge goes both ways and is written once.
    pub directed: bool,
}

impl NamedGraph {
    /// A graph whose vertices are named "0", "1" and so on.
    pub fn numbered(graph: Graph, directed: bool) -> Self {
        let names = build::numbers(0, graph.n());
        NamedGraph { graph, names, directed }
    }

    /// The vertex of that name. Looks through all of them.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The edges as a file lists them: an undirected one once, from the smaller index.
    fn listed_edges(&self) -> impl Iterator<Item = (usize, usize, Option<Decimal>)> + '_ {
        let weighted = self.graph.is_weighted();
        let listed = self.graph.weighted_arcs().filter(|&(tail, head, _)| self.directed || tail <= head);
        listed.map(move |(tail, head, weight)| (tail, head, weighted.then(|| self.graph.decimal(weight))))
    }

    fn edge_name(&self, tail: usize, head: usize) -> Box<EdgeName> {
        build::edge_name(&self.names, tail, head, self.directed)
    }
}

/// What a reader may assume and how much it may take in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Edges go both ways, in formats that do not say: edge lists and adjacency matrices. An edge list must then
    /// give each edge once. An entry of a matrix stands for its mirror image too; a symmetric matrix stays as it is.
    pub undirected: bool,
    /// The most vertices of a graph; a file with more is refused.
    pub max_vertices: usize,
    /// The most bytes taken from a file, and the most unpacked from a compressed array.
    pub max_bytes: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { undirected: false, max_vertices: 100_000_000, max_bytes: 4 << 30 }
    }
}

/// Reads a graph from a file; without `format`, the extension tells it.
pub fn read_graph(path: &Path, format: Option<Format>, options: &ReadOptions) -> Result<NamedGraph, ReadError> {
    let file = path.display().to_string();
    let error = |problem| ReadError::new(Place::File, problem).in_file(&file);
    let open = std::fs::File::open(path).map_err(|problem| error(Problem::Io(problem)))?;
    if open.metadata().is_ok_and(|about| about.is_dir()) {
        return Err(error(Problem::Directory));
    }
    let format = match format {
        Some(format) => format,
        None => Format::of_path(path).map_err(|problem| error(Problem::Extension(problem)))?,
    };
    read_from(BufReader::with_capacity(1 << 16, open), format, &file, options)
}

/// Reads a graph from anything that gives bytes, such as standard input; errors call it `label`.
pub fn read_from(
    mut reader: impl BufRead,
    format: Format,
    label: &str,
    options: &ReadOptions,
) -> Result<NamedGraph, ReadError> {
    let reader: &mut dyn BufRead = &mut reader;
    let graph = match format {
        Format::Csv | Format::Tsv | Format::Edges => edge_list::read(reader, format, options),
        Format::NodeLink => node_link::read(reader, options),
        Format::Npy => npy::read(reader, options),
        Format::Npz => npz::read(reader, options),
        Format::Dimacs => dimacs::read(reader, options),
        Format::MatrixMarket => matrix_market::read(reader, options),
        Format::GraphMl => graphml::read(reader, options),
        Format::Dot => Err(ReadError::new(Place::File, Problem::WriteOnly(format))),
    };
    graph.map_err(|error| error.in_file(label))
}

/// The file that holds a graph; in a drawing ([`Format::Dot`]) with a solution, if there is one.
pub fn write_graph(graph: &NamedGraph, format: Format, solution: Option<&Candidate>) -> Result<Vec<u8>, WriteError> {
    check_writable(graph, format)?;
    if let Some(solution) = solution {
        if format != Format::Dot {
            return Err(WriteError::SolutionFormat(format));
        }
        if solution.slots() != graph.graph.n() {
            return Err(WriteError::SolutionSize { solution: solution.slots(), graph: graph.graph.n() });
        }
    }
    match format {
        Format::Csv | Format::Tsv | Format::Edges => edge_list::write(graph, format),
        Format::NodeLink => Ok(node_link::write(graph)),
        Format::Npy => npy::write(graph),
        Format::Npz => npz::write(graph),
        Format::Dimacs => dimacs::write(graph),
        Format::MatrixMarket => Ok(matrix_market::write(graph)),
        Format::GraphMl => graphml::write(graph),
        Format::Dot => Ok(dot::write(graph, solution)),
    }
}

/// The fields of [`NamedGraph`] are public, so that they fit together is checked before anything is written.
fn check_writable(graph: &NamedGraph, format: Format) -> Result<(), WriteError> {
    let n = graph.graph.n();
    if graph.names.len() != n {
        return Err(WriteError::NameCount { names: graph.names.len(), vertices: n });
    }
    if format.keeps_names() {
        let mut seen = HashSet::with_capacity(n);
        if let Some(twice) = graph.names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(WriteError::RepeatedName(twice.clone()));
        }
    }
    if !graph.directed {
        let mut edges = graph.graph.weighted_arcs();
        if let Some((tail, head, _)) =
            edges.find(|&(tail, head, weight)| graph.graph.weight(head, tail) != Some(weight))
        {
            return Err(WriteError::NotSymmetric(graph.edge_name(tail, head)));
        }
    }
    Ok(())
}
