//! `tiebreak count`: how many solutions a graph has, and what the first ones are.

use super::choices::AlgorithmChoice;
use super::graph_input::{GraphInput, instance, prepare};
use super::output::{open_input, spinner};
use super::verify::checked_instance;
use super::{Common, Outcome};
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use num_bigint::BigUint;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use tiebreak::answers::Candidate;
use tiebreak::cases::Cases;
use tiebreak::graph::Instance;
use tiebreak::graph::io::NamedGraph;
use tiebreak::metrics::count_in_words;
use tiebreak::problems::{Algorithm, COUNT_EFFORT, Intractable};

/// Count the solutions of a graph exactly, and list the first of them
///
/// Trees are counted by closed forms and determinants; depth-first forests where their number of states allows. Listing works
/// for all of them, in an order fixed by the graph. With --cases it takes JSON Lines and prints {"line":1,"count":"12"} a line.
#[derive(Args)]
#[command(
    after_help = "Example:\n  printf 'a,b\\na,c\\nb,c\\n' | tiebreak count --algorithm dfs --format csv --list 5 -"
)]
pub struct Count {
    #[command(flatten)]
    algorithm: AlgorithmChoice,
    #[command(flatten)]
    graph: GraphInput,
    /// The file has a case a line, as `tiebreak verify` reads them; prints a count a line
    #[arg(long, conflicts_with_all = ["format", "undirected", "source", "list"])]
    cases: bool,
    /// Name of the source, for algorithms that start somewhere
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

impl Count {
    pub fn run(self) -> Result<Outcome> {
        let algorithm = self.algorithm.get()?;
        if self.cases {
            return count_cases(algorithm, self.graph.path());
        }
        let named = self.graph.read()?;
        let instance = instance(algorithm, &named, self.source.as_deref()).with_context(|| self.graph.label())?;
        let prepared = prepare(algorithm, &named, &instance).with_context(|| self.graph.label())?;
        let alive = spinner("counting");
        let count = prepared.space().count(COUNT_EFFORT);
        let mut listed: Vec<Candidate> = vec![];
        if self.list > 0 {
            let unlisted = |reason| anyhow!("{}: the solutions cannot be listed: {reason}", self.graph.label());
            let solutions = prepared.space().solutions().map_err(unlisted)?.take(self.list);
            listed.extend(solutions.inspect(|_| alive.inc(1)));
        }
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

fn by_name<'a>(named: &'a NamedGraph, solution: &Candidate) -> Solution<'a> {
    let parents: Vec<usize> = solution.choices().iter().map(|&parent| parent as usize).collect();
    let names = parents.iter().map(|&parent| named.names[parent].as_str()).collect();
    Solution { parents, names }
}

/// One line of output for a case.
#[derive(Serialize)]
struct CountedCase {
    line: u64,
    count: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

fn count_cases(algorithm: &dyn Algorithm, path: &Path) -> Result<Outcome> {
    let file = path.display();
    let mut cases = Cases::new(open_input(path)?);
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut any = false;
    while let Some(next) = cases.read().with_context(|| format!("cannot read {file}"))? {
        let counted = next.map_err(anyhow::Error::from).and_then(|(line, case)| {
            let count = count_case(algorithm, case.instance).with_context(|| format!("line {line}"))?;
            let (count, reason) = match count {
                Ok(count) => (Some(count.to_string()), None),
                Err(reason) => (None, Some(reason.to_string())),
            };
            Ok(CountedCase { line, count, reason })
        });
        match counted {
            Ok(counted) => writeln!(output, "{}", serde_json::to_string(&counted)?)?,
            Err(error) => {
                output.flush()?;
                return Err(anyhow!("{file}: {error:#}"));
            }
        }
        any = true;
    }
    output.flush()?;
    ensure!(any, "{file}: there is no case in it");
    Ok(Outcome::Good)
}

fn count_case(algorithm: &dyn Algorithm, instance: Instance) -> Result<Result<BigUint, Intractable>> {
    let instance = checked_instance(algorithm, instance)?;
    Ok(algorithm.prepare(&instance)?.space().count(COUNT_EFFORT))
}
