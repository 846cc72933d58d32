//! A person's own graph as an argument: the file, its format, the source by name.

use anyhow::{Result, anyhow, bail};
use clap::Args;
use std::path::{Path, PathBuf};
use tiebreak::algorithms::{Algorithm, BadInstance};
use tiebreak::graph::Instance;
use tiebreak::graph::io::{Format, NamedGraph, ReadOptions, read_from, read_graph};

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

    /// How the file is called in messages.
    pub fn label(&self) -> String {
        self.graph.display().to_string()
    }
}

/// The instance of an algorithm on a named graph; errors speak of vertices by name.
pub fn instance(algorithm: &dyn Algorithm, named: &NamedGraph, source: Option<&str>) -> Result<Instance> {
    let source = match (algorithm.needs_source(), source) {
        (true, Some(name)) => {
            Some(named.index_of(name).ok_or_else(|| anyhow!("there is no vertex '{name}' to be the source"))?)
        }
        (true, None) => bail!("{} needs --source", algorithm.name()),
        (false, Some(_)) => bail!("{} has no source", algorithm.name()),
        (false, None) => None,
    };
    let instance = Instance { graph: named.graph.clone(), source };
    match algorithm.check(&instance) {
        Ok(()) => Ok(instance),
        Err(BadInstance::NotPositive { tail, head, weight }) => bail!(
            "edge {} -> {} has weight {weight}, but shortest paths need positive weights",
            named.names[tail],
            named.names[head]
        ),
        Err(error) => Err(error.into()),
    }
}
