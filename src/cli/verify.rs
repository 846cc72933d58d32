//! `tiebreak verify`: which candidates are solutions, and why the others are not.

use super::choices::AlgorithmChoice;
use super::output::{open_input, spinner};
use super::{Common, Outcome};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use tiebreak::cases::{Case, Cases};
use tiebreak::graph::Instance;
use tiebreak::problems::Algorithm;
use tiebreak::verify::{Rule, Violation};

/// Decide exactly which candidates are solutions
///
/// Reads one case a line, {"n":3,"edges":[[0,1],[0,2],[1,2]],"parents":[0,0,1]}; where the algorithm uses weights, edges are
/// [tail, head, weight]; where it starts somewhere, there is a "source"; "undirected":true makes each edge go both ways. Prints one verdict a line and a summary on standard error. Memory does
/// not grow with the file.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    echo '{\"n\":3,\"edges\":[[0,1],[0,2],[1,2]],\"parents\":[0,0,0]}' | tiebreak verify --algorithm dfs -")]
pub struct Verify {
    #[command(flatten)]
    algorithm: AlgorithmChoice,
    /// JSON Lines of cases; - for standard input
    file: PathBuf,
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
    vertex: usize,
    rule: Rule,
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<(usize, usize)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edges: Vec<(usize, usize)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<usize>,
    reason: String,
}

impl From<Violation> for ExplainedViolation {
    fn from(violation: Violation) -> ExplainedViolation {
        let reason = violation.to_string();
        let Violation { vertex, rule, edges, path } = violation;
        ExplainedViolation { vertex, rule, edge: edges.first().copied(), edges, path, reason }
    }
}

#[derive(Default, Serialize)]
struct Summary {
    cases: u64,
    valid: u64,
}

impl Verify {
    pub fn run(self) -> Result<Outcome> {
        let algorithm = self.algorithm.get()?;
        let file = self.file.display().to_string();
        let mut cases = Cases::new(open_input(&self.file)?);
        let mut output = io::BufWriter::new(io::stdout().lock());
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
                    return Err(anyhow!("{file}: {error:#}"));
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
        self.report(&summary)?;
        Ok(if summary.valid == summary.cases { Outcome::Good } else { Outcome::NotValid })
    }

    fn report(&self, summary: &Summary) -> Result<()> {
        let Summary { cases, valid } = summary;
        match self.common.json {
            true => eprintln!("{}", serde_json::to_string(summary)?),
            false => eprintln!("{valid} of {cases} valid"),
        }
        Ok(())
    }
}

/// A case as the algorithm can take it, or why not.
pub fn checked_instance(algorithm: &dyn Algorithm, instance: Instance) -> Result<Instance> {
    let Instance { graph, source } = instance;
    let weights = algorithm.needs().weights;
    if weights.are_used() && graph.arc_count() > 0 && !graph.is_weighted() {
        bail!("{} needs edges with a weight, [tail, head, weight]", algorithm.name());
    }
    let graph = if weights.are_used() { graph } else { graph.without_weights() };
    Ok(Instance { graph, source })
}

fn judge(algorithm: &dyn Algorithm, case: Case) -> Result<Result<(), Violation>> {
    let Case { instance, candidate, .. } = case;
    let candidate = candidate.ok_or_else(|| anyhow!("there are no \"parents\" to verify"))?;
    let instance = checked_instance(algorithm, instance)?;
    Ok(algorithm.prepare(&instance)?.space().verify(&candidate))
}
