//! `tiebreak count`: how many solutions a graph has, and what the first ones are.

use super::choices::AlgorithmChoice;
use super::graph_input::{GraphInput, prepare};
use super::item_input::OwnInstance;
use super::output::{open_input, spinner};
use super::verify::checked_instance;
use super::{Common, Outcome, screen};
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;
use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;
use tiebreak::answers::{Candidate, Form};
use tiebreak::instance::Instance;
use tiebreak::instance::io::NamedGraph;
use tiebreak::pipeline::cases::Cases;
use tiebreak::pipeline::metrics::count_in_words;
use tiebreak::pipeline::written::{Names, Written};
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
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<usize>,
    /// As a text, because it may be larger than any JSON number.
    count: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<List<'a>>,
}

/// The solutions of a list, which are written as they are found: nobody knows beforehand how many that are.
struct List<'a> {
    instance: &'a Instance,
    named: &'a NamedGraph,
    found: RefCell<Box<dyn Iterator<Item = Candidate> + 'a>>,
}

impl<'a> List<'a> {
    fn next(&self) -> Option<Solution<'a>> {
        let answer = Written::of(self.instance, &self.found.borrow_mut().next()?);
        Some(Solution { names: answer.named(&self.named.names), answer })
    }
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(std::iter::from_fn(|| self.next()))
    }
}

#[derive(Serialize)]
struct Solution<'a> {
    #[serde(flatten)]
    answer: Written,
    names: Names<'a>,
}

impl Count {
    pub fn run(self) -> Result<Outcome> {
        let algorithm = self.algorithm.get()?;
        if self.cases {
            return count_cases(algorithm, self.graph.path());
        }
        let OwnInstance { named, instance, .. } = self.graph.read_instance(algorithm, self.source.as_deref())?;
        let prepared = prepare(algorithm, &named, &instance).with_context(|| self.graph.label())?;
        let alive = spinner("counting");
        let count = prepared.space().count(COUNT_EFFORT);
        let list = || {
            let unlisted = |reason| anyhow!("{}: the solutions cannot be listed: {reason}", self.graph.label());
            let found = prepared.space().solutions().map_err(unlisted)?.take(self.list);
            Ok::<_, anyhow::Error>(List { instance: &instance, named: &named, found: RefCell::new(Box::new(found)) })
        };
        let counted = Counted {
            algorithm: algorithm.name(),
            vertices: instance.n(),
            edges: algorithm.problem().items.is_none().then(|| instance.graph.edge_count()),
            count: count.as_ref().ok().map(ToString::to_string),
            reason: count.err().map(|error| error.to_string()),
            solutions: if self.list > 0 { Some(list()?) } else { None },
        };
        if let (Some(reason), 0) = (&counted.reason, self.list) {
            bail!("{}: the solutions cannot be counted: {reason}", self.graph.label());
        }
        match self.common.json {
            true => {
                alive.finish_and_clear();
                let mut output = screen::stdout();
                serde_json::to_writer(&mut output, &counted).map_err(io::Error::from)?;
                writeln!(output)?;
                output.flush()?;
            }
            false => self.print(&counted, alive)?,
        }
        Ok(Outcome::Good)
    }

    fn print(&self, counted: &Counted, alive: ProgressBar) -> Result<()> {
        let mut output = screen::stdout();
        let Counted { algorithm, vertices, edges, .. } = counted;
        let size = match (self.algorithm.get()?.problem().items, edges) {
            (Some(kind), _) => format!("{vertices} {}", kind.many),
            (None, edges) => format!("{vertices} vertices, {} edges", edges.unwrap_or_default()),
        };
        let (first, list) = counted.first();
        alive.finish_and_clear();
        match (&counted.count, &counted.reason) {
            (Some(count), _) => {
                let solutions = if count == "1" { "solution" } else { "solutions" };
                let count = count_in_words(count);
                writeln!(output, "{count} {solutions} ({algorithm}, {size})")?
            }
            (None, reason) => {
                let (seen, reason) = (first.len(), reason.as_deref().unwrap_or_default());
                let solutions = if seen == 1 { "solution" } else { "solutions" };
                writeln!(output, "at least {seen} {solutions} ({algorithm}; not counted: {reason})")?;
            }
        }
        let is_empty = first.is_empty();
        for solution in first.into_iter().chain(list) {
            let words: Vec<String> =
                solution.names.words().iter().map(|word| screen::in_line(word).into_owned()).collect();
            writeln!(output, "{}", words.join(" "))?;
        }
        if !is_empty {
            writeln!(output, "(each line: {})", line_words(self.algorithm.get()?.problem().form))?;
        }
        Ok(output.flush()?)
    }
}

/// Solutions that are found before the first line is written, which says that there are so many.
const BEFORE_THE_FIRST_LINE: usize = 1_000;

impl<'a> Counted<'a> {
    /// The first solutions of the list, and the others.
    fn first(&self) -> (Vec<Solution<'a>>, impl Iterator<Item = Solution<'a>> + '_) {
        let mut list = std::iter::from_fn(|| self.solutions.as_ref()?.next());
        (list.by_ref().take(BEFORE_THE_FIRST_LINE).collect(), list)
    }
}

/// What each line of a list says.
fn line_words(form: Form) -> &'static str {
    match form {
        Form::Parents => "the parent of every vertex, in the file's order; a root is its own",
        Form::Edges => "the chosen edges",
        Form::Order => "the vertices, first to last",
        Form::Items => "what is selected, in the file's order",
    }
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
    let mut cases = Cases::new(open_input(path)?, algorithm.problem());
    let mut output = screen::stdout();
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
