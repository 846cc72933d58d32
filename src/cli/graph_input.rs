//! A person's own graph as an argument: the file, its format, the source by name.

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::path::{Path, PathBuf};
use tiebreak::graph::Instance;
use tiebreak::graph::io::{Format, NamedGraph, ReadOptions, read_from, read_graph};
use tiebreak::problems::{Algorithm, Prepared};

/// A graph file.
#[derive(Args)]
pub struct GraphInput {
    /// Graph file: .csv, .tsv, .edges, .json (node-link), .npy, .npz, .gr (DIMACS), .mtx (Matrix Market), .graphml;
    /// - for standard input
    graph: PathBuf,
    /// Format of the graph file, if its name does not tell
    #[arg(long)]
    format: Option<Format>,
    /// Take each line of an edge list in both directions
    #[arg(long)]
    undirected: bool,
}

impl GraphInput {
    /// Reads the graph.
    pub fn read(&self) -> Result<NamedGraph> {
        let options = ReadOptions { undirected: self.undirected, ..ReadOptions::default() };
        if self.graph != Path::new("-") {
            return Ok(read_graph(&self.graph, self.format, &options)?);
        }
        let Some(format) = self.format else {
            bail!("a graph from standard input needs --format");
        };
        Ok(read_from(std::io::stdin().lock(), format, "standard input", &options)?)
    }

    /// The file itself.
    pub fn path(&self) -> &Path {
        &self.graph
    }

    /// How the file is called in messages.
    pub fn label(&self) -> String {
        self.graph.display().to_string()
    }
}

/// The instance of an algorithm on a named graph; errors speak of vertices by name.
pub fn instance(algorithm: &dyn Algorithm, named: &NamedGraph, source: Option<&str>) -> Result<Instance> {
    let source = match (algorithm.needs().source, source) {
        (true, Some(name)) => Some(named.existing(name).with_context(|| format!("--source {name}"))?),
        (true, None) => bail!("{} needs --source; {}", algorithm.name(), some_names(named)),
        (false, Some(_)) => bail!("{} has no source", algorithm.name()),
        (false, None) => None,
    };
    let mut graph = named.graph.clone();
    if !algorithm.needs().weights.are_used() {
        graph = graph.without_weights();
    }
    Ok(Instance { graph, source })
}

/// The instance made ready; errors speak of vertices by name.
pub fn prepare<'a>(
    algorithm: &dyn Algorithm,
    named: &NamedGraph,
    instance: &'a Instance,
) -> Result<Box<dyn Prepared + 'a>> {
    algorithm.prepare(instance).map_err(|error| anyhow!(error.describe(|vertex| named.names[vertex].clone())))
}

/// Names that a message gives as examples.
const EXAMPLES: usize = 5;

/// Some of the vertices, for messages.
fn some_names(named: &NamedGraph) -> String {
    let names: Vec<String> = named.names.iter().take(EXAMPLES).map(|name| format!("'{name}'")).collect();
    match named.names.len().saturating_sub(EXAMPLES) {
        0 => format!("the vertices are {}", names.join(", ")),
        more => format!("there are {} and {more} more vertices", names.join(", ")),
    }
}

/// Finding vertices by the names that a person typed.
pub trait ByName {
    /// The vertex of that name, or an error that says which there are.
    fn existing(&self, name: &str) -> Result<usize>;
}

impl ByName for NamedGraph {
    fn existing(&self, name: &str) -> Result<usize> {
        self.index_of(name).ok_or_else(|| anyhow!("there is no vertex '{name}'; {}", some_names(self)))
    }
}

/// Two vertices as `u,v`. Names may have commas of their own, as long as one reading fits.
pub fn edge_by_names(named: &NamedGraph, text: &str) -> Result<(usize, usize)> {
    let commas = text.char_indices().filter(|&(_, sign)| sign == ',').map(|(place, _)| place);
    let splits: Vec<(&str, &str)> = commas.map(|place| (text[..place].trim(), text[place + 1..].trim())).collect();
    let vertices = |&(tail, head): &(&str, &str)| Some((named.index_of(tail)?, named.index_of(head)?));
    let found: Vec<(usize, usize)> = splits.iter().filter_map(vertices).collect();
    match (&found[..], &splits[..]) {
        ([(tail, head)], _) if tail == head => bail!("an edge joins two different vertices"),
        ([edge], _) => Ok(*edge),
        ([], [(tail, head)]) => Ok((named.existing(tail)?, named.existing(head)?)),
        ([], _) => bail!("not two vertices joined by a comma; {}", some_names(named)),
        _ => bail!("it can be read in several ways, because names have commas"),
    }
}
