//! `tiebreak count`: how many solutions a graph has, and what the first ones are.

use super::choices::AlgorithmChoice;
use super::graph_input::{GraphInput, instance};
use super::output::spinner;
use super::{Common, Outcome};
use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};
use tiebreak::algorithms::COUNT_EFFORT;
use tiebreak::graph::io::NamedGraph;
use tiebreak::metrics::count_in_words;
use tiebreak::parents::ParentArray;

/// Count the solutions of a graph exactly, and list the first of them
///
/// Shortest-path trees can always be counted; depth-first forests where their number of states allows. Listing works
/// for both, in an order fixed by the graph.
#[derive(Args)]
#[command(
    after_help = "Example:\n  printf 'a,b\\na,c\\nb,c\\n' | tiebreak count --algorithm dfs --format csv --list 5 -"
)]
pub struct Count {
    #[command(flatten)]
    algorithm: AlgorithmChoice,
    #[command(flatten)]
    graph: GraphInput,
    /// Name of the vertex where shortest paths start
    #[arg(long)]
    source: Option<String>,
    /// List this many solutions
    #[arg(long, default_value_t = 0)]
    list: usize,
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct Counted<'a> {
    algorithm: &'a str,
    vertices: usize,
    edges: usize,
    /// As a text, because it may be larger than any JSON number.
    count: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    solutions: Vec<Solution<'a>>,
}

#[derive(Serialize)]
struct Solution<'a> {
    parents: Vec<usize>,
    names: Vec<&'a str>,
}

/// Enumerating depth-first forests keeps sets of vertices for each open choice: quadratic in their number.
const MAX_LISTED_SIZE: usize = 20_000;

impl Count {
    pub fn run(self) -> Result<Outcome> {
        let algorithm = self.algorithm.get()?;
        let named = self.graph.read()?;
        let instance = instance(algorithm, &named, self.source.as_deref()).with_context(|| self.graph.label())?;
        if self.list > 0 && !algorithm.needs_source() && instance.n() > MAX_LISTED_SIZE {
            bail!("{}: listing forests stops at {MAX_LISTED_SIZE} vertices", self.graph.label());
        }
        let alive = spinner("counting");
        let count = algorithm.count(&instance, COUNT_EFFORT);
        let solutions = algorithm.solutions(&instance).take(self.list);
        let listed: Vec<ParentArray> = solutions.inspect(|_| alive.inc(1)).collect();
        alive.finish_and_clear();
        let counted = Counted {
            algorithm: algorithm.name(),
            vertices: instance.n(),
            edges: instance.graph.edge_count(),
            count: count.as_ref().ok().map(ToString::to_string),
            reason: count.err().map(|error| error.to_string()),
            solutions: listed.iter().map(|solution| by_name(&named, solution)).collect(),
        };
        if let (Some(reason), 0) = (&counted.reason, self.list) {
            bail!("{}: the solutions cannot be counted: {reason}", self.graph.label());
        }
        match self.common.json {
            true => writeln!(io::stdout(), "{}", serde_json::to_string(&counted)?)?,
            false => self.print(&counted)?,
        }
        Ok(Outcome::Good)
    }

    fn print(&self, counted: &Counted) -> Result<()> {
        let mut output = io::stdout().lock();
        let Counted { algorithm, vertices, edges, .. } = counted;
        match (&counted.count, &counted.reason) {
            (Some(count), _) => {
                let count = count_in_words(count);
                writeln!(output, "{count} solutions ({algorithm}, {vertices} vertices, {edges} edges)")?
            }
            (None, reason) => {
                let reason = reason.as_deref().unwrap_or_default();
                writeln!(
                    output,
                    "at least {} solutions ({algorithm}; not counted: {reason})",
                    counted.solutions.len()
                )?;
            }
        }
        for solution in &counted.solutions {
            writeln!(output, "{}", solution.names.join(" "))?;
        }
        if !counted.solutions.is_empty() {
            writeln!(output, "(each line: the parent of every vertex, in the file's order; a root is its own)")?;
        }
        Ok(())
    }
}

fn by_name<'a>(named: &'a NamedGraph, solution: &ParentArray) -> Solution<'a> {
    let names = solution.as_slice().iter().map(|&parent| named.names[parent].as_str()).collect();
    Solution { parents: solution.as_slice().to_vec(), names }
}
