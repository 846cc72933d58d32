//! Graphs in files: reading and writing the formats that other tools use.
//!
//! | format | extension | names | says directed | weights |
//! |---|---|---|---|---|
//! | `csv`, `tsv`, `edges` | `.csv` `.tsv` `.edges` `.edgelist` `.txt` | yes | no | a third column, or `weight` |
//! | `node-link` | `.json` | yes | yes | an attribute of each edge |
//! | `npy`, `npz` | `.npy` `.npz` | no, from 0 | no | entries, unless boolean |
//! | `dimacs` | `.gr` | no, from 1 | always directed | always, 1 where there were none |
//! | `matrix-market` | `.mtx` | no, from 1 | `symmetric` is not | entries, unless `pattern` |
//! | `graphml` | `.graphml` | yes | yes | an attribute of each edge |
//! | `gml`, `gexf` | `.gml` `.gexf` | yes | yes | an attribute of each edge; read only |
//! | `pajek` | `.net` | yes | yes | a third column; read only |
//! | `adjlist` | `.adjlist` | yes | no | none; read only |
//! | `dot` | `.dot` `.gv` | yes | yes | labels; written only |
//!
//! Reading has two steps. A reader takes everything from a file, all attributes of its edges included, and makes a
//! [`GraphFile`]; [`GraphFile::choose`] makes the graph of it that [`ReadOptions`] ask for, and says what it did
//! ([`Reading::summary`] and the notes). The weight is the attribute that is asked for, or the one called `weight`,
//! or the third of three columns; where a file has other numbers, the reader does not guess. Several edges between
//! the same vertices are an error unless [`Parallel`] says what to do. What edges are said to be beside the file
//! ([`ReadOptions::undirected`]) wins over what the file says, and a note says so.
//!
//! What is written and read again is the same graph, with the same names, directions and weights, as far as the
//! table says that the format holds them. (In `node-link` and `graphml`, weights show on edges only: a weighted graph
//! without any edge comes back as one without weights.) What a format cannot hold exactly is refused, not rounded.
//!
//! Weights are exact decimals. They may be zero or negative here; an algorithm that needs positive ones says so.
//!
//! A reader never trusts a header: memory grows with the bytes that are there, not with those that are promised. A line
//! has at most 64 MiB, a file that has to be in memory as a whole (XML, JSON, GML, archives) at most 1 GiB, an array
//! at most [`ReadOptions::max_entries`]. Every error names the file, the place in it and the value that is wrong.

// An error ends the reading, so its size does not matter, and boxes would only be in the way.
#![allow(clippy::result_large_err)]

mod adjacency_list;
mod build;
mod columns;
mod dimacs;
mod dot;
mod eight_bytes;
mod error;
mod file;
mod format;
mod gexf;
mod gml;
mod graphml;
mod items;
mod lines;
mod matrix_market;
mod moment;
mod names;
mod node_link;
mod npy;
mod npy_header;
mod npz;
mod options;
mod pajek;
mod sparse;
mod table;
mod text;
mod vertices;
mod xml;

pub use columns::{EdgeColumn, Numbers, Values, Words};
pub use error::{EdgeName, Place, Problem, ReadError, WriteError};
pub use file::{GraphFile, Reading};
pub use format::{Format, UnknownExtension, UnknownFormat};
pub use items::{NamedItems, items_of_texts, read_item_lines, read_items};
pub use moment::MomentKind;
pub use npy::{NumericArray, SparseArray, array_entries, read_array, read_sparse_array};
pub use npz::array_names;
pub use options::{Delimiter, HeaderLine, Parallel, ReadOptions, UnknownChoice, UnknownDelimiter};
pub use text::{closest, containing};

use crate::answers::Candidate;
use crate::files;
use crate::instance::{Decimal, Graph};
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A graph whose vertices have names.
///
/// ```
/// use tiebreak::instance::io::{Format, NamedGraph, ReadOptions, read_from, write_graph};
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
        let names = names::numbers(0, graph.n());
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

/// Reads a graph from a file; without `format`, the extension tells it.
pub fn read_graph(path: &Path, format: Option<Format>, options: &ReadOptions) -> Result<NamedGraph, ReadError> {
    read_file(path, format, options).map(Reading::into_named)
}

/// Reads a graph from anything that gives bytes, such as standard input; errors call it `label`.
pub fn read_from(
    reader: impl BufRead,
    format: Format,
    label: &str,
    options: &ReadOptions,
) -> Result<NamedGraph, ReadError> {
    read_stream(reader, format, label, options).map(Reading::into_named)
}

/// As [`read_graph`], with everything else that the file says.
///
/// ```no_run
/// use tiebreak::instance::io::{ReadOptions, read_file};
/// let options = ReadOptions { weight: Some("length".to_owned()), undirected: true, ..ReadOptions::default() };
/// let roads = read_file("city.graphml".as_ref(), None, &options).unwrap();
/// println!("{}", roads.summary()); // 46 vertices, 73 undirected edges, weights from `length`
/// ```
pub fn read_file(path: &Path, format: Option<Format>, options: &ReadOptions) -> Result<Reading, ReadError> {
    let file = path.display().to_string();
    let error = |problem| ReadError::new(Place::File, problem).in_file(&file);
    if path.is_dir() {
        return Err(error(Problem::Directory));
    }
    let open = files::open(path).map_err(|problem| error(Problem::Io(problem)))?;
    if format.is_none() && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        return Err(error(Problem::Compressed));
    }
    let format = match format {
        Some(format) => format,
        None => Format::of_path(path).map_err(|problem| error(Problem::Extension(problem)))?,
    };
    read_stream(BufReader::with_capacity(1 << 16, open), format, &file, options)
}

/// As [`read_from`], with everything else that the file says.
pub fn read_stream(
    reader: impl BufRead,
    format: Format,
    label: &str,
    options: &ReadOptions,
) -> Result<Reading, ReadError> {
    GraphFile::read(reader, format, label, options)?.choose(options)
}

impl GraphFile {
    /// Reads everything that a file says; of `options`, only those matter that say how it is laid out and how large it
    /// may be. Errors call it `label`.
    pub fn read(
        mut reader: impl BufRead,
        format: Format,
        label: &str,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        match read_everything(&mut reader, format, options) {
            Ok(file) => Ok(GraphFile { label: label.to_owned(), ..file }),
            Err(error) => Err(error.in_file(label)),
        }
    }

    /// The vertex of that name or, where labels became names, of that id.
    pub fn vertex(&self, name: &str) -> Option<usize> {
        let find = |list: &[String]| list.iter().position(|known| known == name);
        find(&self.names).or_else(|| find(self.ids.as_deref()?))
    }
}

fn read_everything(reader: &mut dyn BufRead, format: Format, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    for_tables_only(format, options).map_err(|problem| ReadError::new(Place::File, problem))?;
    check_compression(reader)?;
    match format {
        Format::Csv | Format::Tsv | Format::Edges => table::read(reader, format, options),
        Format::NodeLink => node_link::read(reader, options),
        Format::Npy => npy::read(reader, options),
        Format::Npz => npz::read(reader, options),
        Format::Dimacs => dimacs::read(reader, options),
        Format::MatrixMarket => matrix_market::read(reader, options),
        Format::GraphMl => graphml::read(reader, options),
        Format::AdjacencyList => adjacency_list::read(reader, options),
        Format::Gml => gml::read(reader, options),
        Format::Gexf => gexf::read(reader, options),
        Format::Pajek => pajek::read(reader, options),
        Format::Dot => Err(ReadError::new(Place::File, Problem::WriteOnly(format))),
    }
}

/// No format begins as files of gzip do.
fn check_compression(reader: &mut dyn BufRead) -> Result<(), ReadError> {
    let start = reader.fill_buf().map_err(|error| ReadError::new(Place::File, error))?;
    match start.starts_with(b"\x1f\x8b") {
        true => Err(ReadError::new(Place::File, Problem::Compressed)),
        false => Ok(()),
    }
}

/// An option that has no meaning for a file was meant for another one.
fn for_tables_only(format: Format, options: &ReadOptions) -> Result<(), Problem> {
    let has_delimiter = format.is_table() || format == Format::AdjacencyList;
    let option = match format.is_table() {
        false if !options.columns.is_empty() => "--columns",
        false if options.header != HeaderLine::Auto => "--header",
        _ if options.delimiter.is_some() && !has_delimiter => "--delimiter",
        _ => return Ok(()),
    };
    Err(Problem::NotATable { option, format })
}

/// The file that holds a graph; in a drawing ([`Format::Dot`]) with a solution, if there is one.
pub fn write_graph(graph: &NamedGraph, format: Format, solution: Option<&Candidate>) -> Result<Vec<u8>, WriteError> {
    check_writable(graph, format)?;
    if let Some(solution) = solution {
        if format != Format::Dot {
            return Err(WriteError::SolutionFormat(format));
        }
        let slots = graph.graph.slots(solution.form());
        if solution.slots() != slots {
            return Err(WriteError::SolutionSize { solution: solution.slots(), graph: slots });
        }
    }
    match format {
        Format::Csv | Format::Tsv | Format::Edges => table::write(graph, format),
        Format::NodeLink => Ok(node_link::write(graph)),
        Format::Npy => npy::write(graph),
        Format::Npz => npz::write(graph),
        Format::Dimacs => dimacs::write(graph),
        Format::MatrixMarket => Ok(matrix_market::write(graph)),
        Format::GraphMl => graphml::write(graph),
        Format::Dot => Ok(dot::write(graph, solution)),
        Format::AdjacencyList | Format::Gml | Format::Gexf | Format::Pajek => Err(WriteError::ReadOnly(format)),
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
