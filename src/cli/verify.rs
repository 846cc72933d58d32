//! `tiebreak verify`: which candidates are solutions, and why the others are not.

use super::answer_input::Named;
use super::choices::AlgorithmChoice;
use super::graph_input::{GraphInput, READING, prepare};
use super::item_input::OwnInstance;
use super::output::{open_input, spinner};
use super::screen::{self, in_line, say};
use super::what_was_read::what_was_read;
use super::{Common, Outcome};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use tiebreak::instance::Instance;
use tiebreak::pipeline::cases::{Case, Cases};
use tiebreak::pipeline::written::Written;
use tiebreak::problems::Algorithm;
use tiebreak::problems::verify::{Exchange, Rule, Violation};

/// Decide exactly which candidates are solutions
///
/// Reads one case a line, {"n":3,"edges":[[0,1],[0,2],[1,2]],"parents":[0,0,1]}; where the algorithm uses weights, edges are
/// [tail, head, weight]; where it starts somewhere, there is a "source"; "undirected":true makes each edge go both ways. Sets of edges
/// stand as "chosen":[[0,1]], orders as "order":[2,0,1]; items as {"tasks":[[1,2],[1,0.5]],"selected":[0]}, each [deadline, weight], or as "activities", each
/// [start, finish]. Prints one verdict a line and a summary on standard error. Memory does
/// not grow with the file.
///
/// With --answer the file is a graph of one's own, or a table of items, as `tiebreak solve` takes it, and answers speak of its vertices by name. A tree or a set
/// of edges is a graph file, too, of any format: each of its edges leads from a parent to its child, or is chosen; weights in it do not matter. An order or
/// selected items are a list with one name a line.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  \
    echo '{\"n\":3,\"edges\":[[0,1],[0,2],[1,2]],\"parents\":[0,0,0]}' | tiebreak verify --algorithm dfs -\n  \
    tiebreak verify --algorithm dijkstra --source home roads.csv --answer tree.csv",
    mut_arg("graph", |graph| graph.help("JSON Lines of cases; with --answer a graph file, or a table of items; - for standard input")),
    mut_args(|argument| match argument.get_help_heading() {
        Some(READING) => argument.requires("answer"),
        _ => argument,
    })
)]
pub struct Verify {
    #[command(flatten)]
    algorithm: AlgorithmChoice,
    #[command(flatten)]
    graph: GraphInput,
    /// An answer to verify, by the names of the graph; may be given several times
    #[arg(long, value_name = "FILE")]
    answer: Vec<PathBuf>,
    /// Name of the source, for algorithms that start somewhere
    #[arg(long, requires = "answer")]
    source: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// One line of output.
#[derive(Serialize)]
struct Verdict {
    line: u64,
    valid: bool,
    #[serde(flatten)]
    violation: Option<ExplainedViolation>,
}

/// A violation, with the rule in words as well.
#[derive(Serialize)]
struct ExplainedViolation {
    #[serde(skip_serializing_if = "Option::is_none")]
    vertex: Option<usize>,
    rule: Rule,
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<(usize, usize)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edges: Vec<(usize, usize)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exchange: Option<Box<Exchange>>,
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    better: Box<[usize]>,
    reason: String,
}

impl From<Violation> for ExplainedViolation {
    fn from(violation: Violation) -> ExplainedViolation {
        let reason = violation.to_string();
        let Violation { vertex, rule, edges, path, items, exchange, better } = violation;
        ExplainedViolation { vertex, rule, edge: edges.first().copied(), edges, path, items, exchange, better, reason }
    }
}

/// The verdict on an answer to a person's own graph; everything in it is a name.
#[derive(Serialize)]
struct OwnVerdict {
    answer: String,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Rule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Default, Serialize)]
struct Summary {
    cases: u64,
    valid: u64,
}

impl Verify {
    pub fn run(self) -> Result<Outcome> {
        let summary = match self.answer.is_empty() {
            true => self.verify_cases()?,
            false => self.verify_answers()?,
        };
        self.report(&summary)?;
        Ok(if summary.valid == summary.cases { Outcome::Good } else { Outcome::NotValid })
    }

    fn verify_answers(&self) -> Result<Summary> {
        let algorithm = self.algorithm.get()?;
        let OwnInstance { named, instance, summary, .. } =
            self.graph.read_instance(algorithm, self.source.as_deref())?;
        say!("{}", what_was_read(&summary, &named.names, &instance));
        let prepared = prepare(algorithm, &named, &instance).with_context(|| self.graph.label())?;
        let answers = Named::new(&named, &instance);
        let read = |path: &PathBuf| answers.answer(algorithm.problem().form, path);
        // All are read before the first is judged: a file that is none leaves nothing half-written.
        let candidates = self.answer.iter().map(read).collect::<Result<Vec<_>>>()?;
        let mut output = screen::stdout();
        let mut summary = Summary::default();
        for (path, candidate) in self.answer.iter().zip(candidates) {
            let outcome = candidate.and_then(|candidate| prepared.space().verify(&candidate));
            let (answer, valid) = (path.display().to_string(), outcome.is_ok());
            let reason =
                |violation: &Violation| violation.describe(|vertex| in_line(&named.names[vertex]).into_owned());
            let (rule, reason) = (outcome.as_ref().err().map(|broken| broken.rule), outcome.as_ref().err().map(reason));
            summary.cases += 1;
            summary.valid += u64::from(valid);
            match (self.common.json, &reason) {
                (true, _) => {
                    serde_json::to_writer(&mut output, &OwnVerdict { answer, valid, rule, reason })?;
                    writeln!(output)?;
                }
                (false, None) => writeln!(output, "{answer}: valid")?,
                (false, Some(reason)) => writeln!(output, "{answer}: not valid: {reason}")?,
            }
        }
        output.flush()?;
        Ok(summary)
    }

    fn verify_cases(&self) -> Result<Summary> {
        let algorithm = self.algorithm.get()?;
        let file = self.graph.label();
        let mut cases = Cases::new(open_input(self.graph.path())?, algorithm.problem());
        let mut output = screen::stdout();
        let mut summary = Summary::default();
        // Verdicts that scroll by are sign enough.
        let alive = (!io::stdout().is_terminal()).then(|| spinner("verifying"));
        while let Some(next) = cases.read().with_context(|| format!("cannot read {file}"))? {
            let judged = next.map_err(anyhow::Error::from).and_then(|(line, case)| {
                let outcome = judge(algorithm, case).with_context(|| format!("line {line}"))?;
                Ok(Verdict { line, valid: outcome.is_ok(), violation: outcome.err().map(ExplainedViolation::from) })
            });
            let verdict = match judged {
                Ok(verdict) => verdict,
                Err(error) => {
                    output.flush()?;
                    let is_graph = self.graph.path().extension().is_some_and(|extension| extension != "jsonl");
                    let remedy = match is_graph && summary.cases == 0 {
                        true => " (if it is a graph, name the answer to it with --answer)",
                        false => "",
                    };
                    return Err(anyhow!("{file}: {error:#}{remedy}"));
                }
            };
            alive.iter().for_each(|alive| alive.inc(1));
            summary.cases += 1;
            summary.valid += u64::from(verdict.valid);
            serde_json::to_writer(&mut output, &verdict)?;
            output.write_all(b"\n")?;
        }
        output.flush()?;
        drop(alive);
        if summary.cases == 0 {
            bail!("{file}: there is no case in it");
        }
        Ok(summary)
    }

    fn report(&self, summary: &Summary) -> Result<()> {
        let Summary { cases, valid } = summary;
        match self.common.json {
            true => say!("{}", serde_json::to_string(summary)?),
            false => say!("{valid} of {cases} valid"),
        }
        Ok(())
    }
}

/// A case as the algorithm can take it, or why not.
pub fn checked_instance(algorithm: &dyn Algorithm, instance: Instance) -> Result<Instance> {
    let weights = algorithm.needs().weights;
    if weights.are_used() && instance.graph.arc_count() > 0 && !instance.graph.is_weighted() {
        bail!("{} needs edges with a weight, [tail, head, weight]", algorithm.name());
    }
    if weights.are_used() {
        return Ok(instance);
    }
    Ok(Instance { graph: instance.graph.without_weights(), ..instance })
}

fn judge(algorithm: &dyn Algorithm, case: Case) -> Result<Result<(), Violation>> {
    let Case { instance, candidate, .. } = case;
    let key = Written::key(algorithm.problem().form);
    let candidate = candidate.ok_or_else(|| anyhow!("there is no \"{key}\" to verify"))?;
    let instance = checked_instance(algorithm, instance)?;
    let prepared = algorithm.prepare(&instance)?;
    Ok(candidate.and_then(|candidate| prepared.space().verify(&candidate)))
}
