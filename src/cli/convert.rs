//! `tiebreak convert`: from one graph format to another, a solution drawn in where the format can show it.

use super::graph_input::GraphInput;
use super::output::write_output;
use super::screen::in_line;
use super::{Common, Outcome};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::path::{Path, PathBuf};
use tiebreak::answers::Candidate;
use tiebreak::instance::io::{Format, NamedGraph, write_graph};

/// Convert a graph file, or draw a solution into it
///
/// Formats are told by the files' names. Graphviz DOT is for output only, and shows the solution given with --parents.
#[derive(Args)]
#[command(after_help = "Example:\n  tiebreak convert roads.csv roads.dot --parents a,a,b")]
pub struct Convert {
    #[command(flatten)]
    graph: GraphInput,
    /// File to write; - for standard output
    out: PathBuf,
    /// Format to write, if the name of the file does not tell
    #[arg(long)]
    to: Option<Format>,
    /// A solution to draw in: the name of every vertex's parent, in the file's order (a root's is its own)
    #[arg(long, value_delimiter = ',')]
    parents: Vec<String>,
    // Converting is not random and has nothing to say; the common options are there for uniformity.
    #[command(flatten)]
    _common: Common,
}

impl Convert {
    pub fn run(self) -> Result<Outcome> {
        let named = self.graph.read()?;
        let to = match self.to {
            Some(format) => format,
            None if self.out == Path::new("-") => bail!("standard output needs --to"),
            None => Format::of_path(&self.out)?,
        };
        let solution = match self.parents.is_empty() {
            true => None,
            false => Some(self.solution(&named)?),
        };
        let bytes = write_graph(&named, to, solution.as_ref())?;
        write_output(Some(&self.out), &bytes)?;
        Ok(Outcome::Good)
    }

    fn solution(&self, named: &NamedGraph) -> Result<Candidate> {
        if self.parents.len() != named.names.len() {
            bail!("--parents has {} names, but the graph has {} vertices", self.parents.len(), named.names.len());
        }
        let index = |name: &String| {
            named.index_of(name).ok_or_else(|| anyhow!("--parents: there is no vertex '{}'", in_line(name)))
        };
        let parents = self.parents.iter().map(index).collect::<Result<Vec<usize>>>()?;
        Candidate::from_parents(parents).context("--parents")
    }
}
