//! `tiebreak evaluate`: graphs × extractors × draws, as a table or as rows.

use super::choices::{AlgorithmsChoice, GraphChoice, SourceChoice, check_extractors, extractors};
use super::output::{progress, share, table};
use super::{Common, Outcome};
use anyhow::{Context, Result};
use clap::Args;
use tiebreak::algorithms::Algorithm;
use tiebreak::evaluate::{Row, Settings, evaluate, evaluate_executor};
use tiebreak::executor::Executor;
use tiebreak::generate::{Recipe, Source};

/// Draw candidates from parent distributions, verify each, and report
///
/// Every figure is a mean over graphs. `valid` is the exact verifier's verdict, `weak` the check behind the paper's tables.
#[derive(Args)]
#[command(after_help = "Example:\n  tiebreak evaluate --algorithm bellman-ford --size 16 --preset authors --draws 5")]
pub struct Evaluate {
    #[command(flatten)]
    algorithms: AlgorithmsChoice,
    #[command(flatten)]
    graphs: GraphChoice,
    /// Where distributions come from (may be repeated)
    #[arg(long = "distribution", value_enum, default_values_t = [SourceChoice::Empirical])]
    distributions: Vec<SourceChoice>,
    /// Evaluate a model that comes with the tool instead of distributions: the executor, which is given its ties
    #[arg(long, value_parser = ["executor"], conflicts_with_all = ["distributions", "extractors"])]
    model: Option<String>,
    /// Extractor (may be repeated) [default: all of the algorithm's]
    #[arg(long = "extractor")]
    extractors: Vec<String>,
    /// Candidates drawn from each distribution
    #[arg(long, default_value_t = 5)]
    draws: usize,
    #[command(flatten)]
    common: Common,
}

impl Evaluate {
    pub fn run(self) -> Result<Outcome> {
        let algorithms = self.algorithms.get()?;
        check_extractors(&algorithms, &self.extractors)?;
        let rows = self.common.on_threads(|| match self.model {
            Some(_) => self.executor_rows(&algorithms),
            None => self.rows(&algorithms),
        })??;
        if self.common.json {
            for row in &rows {
                println!("{}", serde_json::to_string(row)?);
            }
        } else {
            self.print(&rows);
        }
        Ok(Outcome::Good)
    }

    fn rows(&self, algorithms: &[&dyn Algorithm]) -> Result<Vec<Row>> {
        let mut recipes: Vec<Recipe> = vec![];
        for &distribution in &self.distributions {
            recipes.extend(self.graphs.recipes(distribution.into())?);
        }
        let bar = progress((algorithms.len() * recipes.len() * self.graphs.graphs) as u64, "evaluating");
        let mut rows = vec![];
        for &algorithm in algorithms {
            for recipe in &recipes {
                let extractors = extractors(algorithm, &self.extractors);
                let Recipe { graph, source, .. } = *recipe;
                let (graphs, draws, seed) = (self.graphs.graphs, self.draws, self.common.seed);
                let settings = Settings { graph, graphs, draws, seed };
                let evaluated = evaluate(algorithm, recipe, &extractors, &settings, &|| bar.inc(1));
                let what = || format!("{}: no {} distribution at n = {}", algorithm.name(), source.name(), graph.n);
                rows.extend(evaluated.with_context(what)?);
            }
        }
        bar.finish_and_clear();
        Ok(rows)
    }

    fn executor_rows(&self, algorithms: &[&dyn Algorithm]) -> Result<Vec<Row>> {
        let recipes = self.graphs.recipes(Source::Empirical)?;
        let bar = progress((algorithms.len() * recipes.len() * self.graphs.graphs) as u64, "evaluating");
        let mut rows = vec![];
        for &algorithm in algorithms {
            let executor = algorithm.steps().and_then(Executor::built_in);
            let executor = executor.with_context(|| format!("there is no executor of {}", algorithm.name()))?;
            for Recipe { graph, .. } in &recipes {
                let (graphs, draws, seed) = (self.graphs.graphs, self.draws, self.common.seed);
                let settings = Settings { graph: *graph, graphs, draws, seed };
                rows.push(evaluate_executor(algorithm, &executor, &settings, &|| bar.inc(1)));
            }
        }
        bar.finish_and_clear();
        Ok(rows)
    }

    fn print(&self, rows: &[Row]) {
        let header = [
            "algorithm",
            "n",
            "p",
            "preset",
            "distribution",
            "extractor",
            "valid",
            "weak",
            "unique",
            "uniq+valid",
            "accuracy",
            "coverage",
            "edge reuse",
        ];
        let cells = rows.iter().map(|row| {
            let mut cells = vec![row.algorithm.clone(), row.size.to_string(), row.p.to_string(), row.preset.clone()];
            cells.extend([row.distribution.clone(), row.extractor.clone()]);
            let shares = [row.valid, row.weak_valid, row.unique, row.unique_valid, row.accuracy].map(Some);
            cells.extend(shares.into_iter().chain([row.coverage, row.edge_reuse]).map(share));
            cells
        });
        println!("{}", table(&header, cells));
        let how = match self.model.is_none() && self.distributions.contains(&SourceChoice::Empirical) {
            true => self.graphs.how_runs_are_made(),
            false => String::new(),
        };
        println!("{} graphs a row, {} draws a graph, seed {}{how}", self.graphs.graphs, self.draws, self.common.seed);
        println!("coverage: over the graphs whose solutions could be counted; a dash where none could");
    }
}
