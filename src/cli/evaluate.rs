//! `tiebreak evaluate`: graphs × extractors × draws, as a table or as rows.

use super::choices::{AlgorithmsChoice, GraphChoice, built_in_network, check_extractors, extractors};
use super::output::{product, progress, share, table};
use super::predict::check_prediction;
use super::{Common, Outcome, screen};
use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};
use tiebreak::neural::executor::Executor;
use tiebreak::neural::predict::{Model, ModelError};
use tiebreak::pipeline::draw::UniformRows;
use tiebreak::pipeline::evaluate::{CandidateSource, EvaluateSettings, LAW_DRAWS, LAW_RUNS, Row, evaluate};
use tiebreak::pipeline::generate::{Recipe, Source};
use tiebreak::problems::Algorithm;
use tiebreak::problems::extract::Extractor;

/// Draw candidates from parent distributions, verify each, and report
///
/// Distributions come from repeated runs (empirical), from the exact computation, or from a trained model (predicted). Every
/// figure is a mean over graphs. `valid` is the exact verifier's verdict, `weak` the check behind the paper's tables.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    tiebreak evaluate --algorithm bellman-ford --size 16 --preset authors --draws 5\n  \
    tiebreak evaluate --model runs/dfs-0\n  \
    tiebreak evaluate --model network --model executor --size 64")]
pub struct Evaluate {
    #[command(flatten)]
    algorithms: AlgorithmsChoice,
    #[command(flatten)]
    graphs: GraphChoice,
    /// Where distributions come from (may be repeated) [default: empirical]
    #[arg(long = "distribution", value_enum)]
    distributions: Vec<DistributionChoice>,
    /// A run's directory or a model file, to evaluate beside the distributions; `network`, the built-in one; or
    /// `executor`, the built-in model that is given its ties (may be repeated)
    #[arg(long = "model")]
    models: Vec<PathBuf>,
    /// Extractor (may be repeated) [default: all of the algorithm's]
    #[arg(long = "extractor")]
    extractors: Vec<String>,
    /// Candidates drawn from each distribution
    #[arg(long, default_value_t = 5)]
    draws: usize,
    /// Also say how far draws are from the law of the algorithm's own runs: what a model adds to an extractor shows beside
    /// `--distribution uniform-rows`, and what is left to noise beside `--distribution runs`
    #[arg(long)]
    law: bool,
    #[command(flatten)]
    common: Common,
}

/// Where a distribution comes from.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DistributionChoice {
    /// The share of repeated runs
    Empirical,
    /// What infinitely many runs would give
    Exact,
    /// Rows in which every option is equally likely: what an extractor does without a model
    UniformRows,
    /// No distribution: the algorithm's own runs, one for each draw
    Runs,
}

/// Whoever gives the distributions of one table.
enum Evaluated {
    Distribution(DistributionChoice),
    Model(PathBuf, Box<Model>),
    Executor(Option<PathBuf>, Box<Executor>),
}

/// The model that a name or a path stands for. Where there are several algorithms, one that the model is not for may
/// go without.
fn load(path: &Path, algorithm: &'static dyn Algorithm, may_be_for_another: bool) -> Result<Option<Evaluated>> {
    if path == Path::new("network") {
        return match built_in_network(algorithm) {
            Ok(model) => Ok(Some(Evaluated::Model("network".into(), Box::new(model)))),
            Err(_) if may_be_for_another => Ok(None),
            Err(error) => Err(error),
        };
    }
    let no_executor = |reason| anyhow!("there is no executor of {}: {reason}", algorithm.name());
    if path == Path::new("executor") {
        return match Executor::built_in(algorithm) {
            Ok(executor) => Ok(Some(Evaluated::Executor(None, Box::new(executor)))),
            Err(_) if may_be_for_another => Ok(None),
            Err(reason) => Err(no_executor(reason)),
        };
    }
    if let Some(trained) = Executor::algorithm_of(path) {
        if trained != algorithm.name() && may_be_for_another {
            return Ok(None);
        }
        let executor = Executor::load(algorithm.steps().map_err(no_executor)?, path)?;
        return Ok(Some(Evaluated::Executor(Some(path.to_owned()), Box::new(executor))));
    }
    match Model::load(path, Some(algorithm)) {
        Ok(model) => Ok(Some(Evaluated::Model(path.to_owned(), Box::new(model)))),
        Err(ModelError::OtherAlgorithm { .. }) if may_be_for_another => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl Evaluate {
    pub fn run(mut self) -> Result<Outcome> {
        if self.distributions.is_empty() {
            self.distributions.push(DistributionChoice::Empirical);
        }
        let algorithms = self.algorithms.get()?;
        check_extractors(&algorithms, &self.extractors)?;
        let tables = self.tables(&algorithms)?;
        let rows = self.common.on_threads(|| self.rows(&tables))??;
        if self.common.json {
            let mut output = screen::stdout();
            for row in &rows {
                writeln!(output, "{}", serde_json::to_string(row)?)?;
            }
            output.flush()?;
        } else {
            self.print(&rows)?;
        }
        Ok(Outcome::Good)
    }

    /// For each algorithm what gives its distributions. A model is for one algorithm; where several are asked for, it
    /// speaks for its own.
    fn tables(&self, algorithms: &[&'static dyn Algorithm]) -> Result<Vec<(&'static dyn Algorithm, Vec<Evaluated>)>> {
        let mut tables: Vec<(&'static dyn Algorithm, Vec<Evaluated>)> = vec![];
        for &algorithm in algorithms {
            tables.push((algorithm, self.distributions.iter().copied().map(Evaluated::Distribution).collect()));
        }
        for path in &self.models {
            let mut fits = false;
            for (algorithm, chosen) in &mut tables {
                if let Some(model) = load(path, *algorithm, algorithms.len() > 1)? {
                    chosen.push(model);
                    fits = true;
                }
            }
            ensure!(fits, "{} is for none of the algorithms", path.display());
        }
        if !self.models.is_empty() && algorithms.len() > 1 {
            let has_model = |chosen: &[Evaluated]| chosen.iter().any(|one| !matches!(one, Evaluated::Distribution(_)));
            tables.retain(|(_, chosen)| has_model(chosen));
        }
        Ok(tables)
    }

    fn rows(&self, tables: &[(&'static dyn Algorithm, Vec<Evaluated>)]) -> Result<Vec<Row>> {
        let algorithms: Vec<&dyn Algorithm> =
            tables.iter().map(|(algorithm, _)| *algorithm as &dyn Algorithm).collect();
        let recipes = self.graphs.recipes(&algorithms)?;
        let largest = recipes.iter().map(|recipe| recipe.graph.n).max().unwrap_or(0);
        for one in tables.iter().flat_map(|(_, chosen)| chosen) {
            if let Evaluated::Model(_, model) = one {
                check_prediction(model, largest)?;
            }
        }
        self.graphs.check_memory(&algorithms, &recipes, self.draws)?;
        let predictors: usize = tables.iter().map(|(_, chosen)| chosen.len()).sum();
        let bar = progress(product([predictors, recipes.len(), self.graphs.graphs]), "evaluating");
        let mut rows = vec![];
        for (algorithm, chosen) in tables {
            for recipe in &recipes {
                for one in chosen {
                    rows.extend(self.rows_of(*algorithm, recipe, one, &|| bar.inc(1))?);
                }
            }
        }
        bar.finish_and_clear();
        Ok(rows)
    }

    fn rows_of(
        &self,
        algorithm: &'static dyn Algorithm,
        recipe: &Recipe,
        chosen: &Evaluated,
        done: &(dyn Fn() + Sync),
    ) -> Result<Vec<Row>> {
        let (graphs, draws, seed) = (self.graphs.graphs, self.draws, self.common.seed);
        let law = self.law.then_some(recipe.ties);
        let settings = EvaluateSettings { graph: recipe.graph, graphs, draws, seed, law };
        let extractors: Vec<&dyn Extractor> = extractors(algorithm, &self.extractors);
        match chosen {
            Evaluated::Distribution(choice) => {
                let [empirical, exact] = [Source::Empirical, Source::Exact].map(|source| Recipe { source, ..*recipe });
                let (name, source) = match choice {
                    DistributionChoice::Empirical => ("empirical", CandidateSource::Marginals(&empirical, &extractors)),
                    DistributionChoice::Exact => ("exact", CandidateSource::Marginals(&exact, &extractors)),
                    DistributionChoice::UniformRows => {
                        ("uniform", CandidateSource::Marginals(&UniformRows, &extractors))
                    }
                    DistributionChoice::Runs => ("runs'", CandidateSource::Runs(recipe.ties)),
                };
                let what = || format!("{}: no {name} distribution at n = {}", algorithm.name(), recipe.graph.n);
                evaluate(algorithm, &source, &settings, done).with_context(what)
            }
            Evaluated::Model(path, model) => {
                let model = model.for_preset(recipe.graph.preset);
                let source = CandidateSource::Marginals(&model, &extractors);
                let mut rows = evaluate(algorithm, &source, &settings, done)?;
                rows.iter_mut().for_each(|row| row.model = Some(path.display().to_string()));
                Ok(rows)
            }
            Evaluated::Executor(path, executor) => {
                let mut rows = evaluate(algorithm, &CandidateSource::Executor(executor), &settings, done)?;
                rows.iter_mut().for_each(|row| row.model = path.as_ref().map(|path| path.display().to_string()));
                Ok(rows)
            }
        }
    }

    fn print(&self, rows: &[Row]) -> Result<()> {
        let mut header = vec![
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
        if self.law {
            header.push("from law");
        }
        let cells = rows.iter().map(|row| {
            let p = if row.uses_p() { row.p.to_string() } else { "–".to_owned() };
            let mut cells = vec![row.algorithm.clone(), row.size.to_string(), p, row.preset.clone()];
            cells.extend([row.model.clone().unwrap_or_else(|| row.distribution.clone()), row.extractor.clone()]);
            let shares =
                [Some(row.valid), row.weak_valid, Some(row.unique), Some(row.unique_valid), Some(row.accuracy)];
            cells.extend(shares.into_iter().chain([row.coverage, row.edge_reuse]).map(share));
            if self.law {
                cells.push(share(row.law_distance));
            }
            cells
        });
        let mut output = screen::stdout();
        writeln!(output, "{}", table(&header, cells))?;
        let how = match self.distributions.contains(&DistributionChoice::Empirical) {
            true => self.graphs.how_runs_are_made(),
            false => String::new(),
        };
        let Common { seed, .. } = self.common;
        writeln!(output, "{} graphs a row, {} draws a graph, seed {seed}{how}", self.graphs.graphs, self.draws)?;
        writeln!(output, "coverage: over the graphs whose solutions could be counted; a dash where none could")?;
        if self.law {
            let draws = self.draws.max(LAW_DRAWS);
            writeln!(
                output,
                "from law: how far the marginals of {draws} draws are from those of the algorithm's runs (exact, or of {LAW_RUNS} \
                 runs): 0 for the same, 1 for nothing in common"
            )?;
        }
        Ok(output.flush()?)
    }
}
