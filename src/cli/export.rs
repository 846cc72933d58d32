//! `tiebreak export`: a trained model as others expect to find one.

use super::choices::{AlgorithmChoice, GraphChoice, extractors};
use super::output::{product, progress, share};
use super::predict::check_prediction;
use super::screen::say;
use super::{Common, Outcome};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use tiebreak::files::{self, make_directory, write_atomically};
use tiebreak::neural::executor::Executor;
use tiebreak::neural::nn::model_file;
use tiebreak::neural::predict::Model;
use tiebreak::pipeline::evaluate::{CandidateSource, EvaluateSettings, Row, evaluate};
use tiebreak::problems::Algorithm;

/// Write a model as a directory that Hugging Face would take: model.safetensors, config.json and a model card with its metrics
///
/// The metrics are measured here, on random graphs, and the card says how. Nothing is uploaded. `--model DIR` of the other commands, and `tiebreak.load`
/// in Python, read such a directory.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tiebreak export --algorithm dfs --hf exported\n  tiebreak export --algorithm dfs --model runs/dfs-0 --hf exported"
)]
pub struct Export {
    #[command(flatten)]
    algorithm: AlgorithmChoice,
    /// A run's directory or a model file; `network` or `executor`, the built-in ones
    #[arg(long, default_value = "network")]
    model: PathBuf,
    /// Directory to write
    #[arg(long, value_name = "DIR")]
    hf: PathBuf,
    #[command(flatten)]
    graphs: GraphChoice,
    /// Candidates drawn from each distribution, for the metrics
    #[arg(long, default_value_t = 5)]
    draws: usize,
    #[command(flatten)]
    common: Common,
}

/// A model of either kind.
enum Exported {
    Network(Box<Model>),
    Executor(Box<Executor>),
}

impl Export {
    pub fn run(self) -> Result<Outcome> {
        let algorithm = self.algorithm.get()?;
        if self.hf.join("model.safetensors").exists() {
            bail!("{} already holds a model", self.hf.display());
        }
        let (bytes, model) = self.load(algorithm)?;
        let rows = self.common.on_threads(|| self.rows(algorithm, &model))??;
        let config = serde_json::to_string_pretty(&config(algorithm, &model))? + "\n";
        make_directory(&self.hf)?;
        write_atomically(&self.hf.join("README.md"), self.card(algorithm, &model, &rows).as_bytes())?;
        write_atomically(&self.hf.join("config.json"), config.as_bytes())?;
        write_atomically(&self.hf.join("model.safetensors"), &bytes)?;
        say!("{}: model.safetensors, config.json, README.md", self.hf.display());
        Ok(Outcome::Good)
    }

    fn load(&self, algorithm: &'static dyn Algorithm) -> Result<(Vec<u8>, Exported)> {
        let built_in = algorithm.models();
        let no_executor = |reason| anyhow!("there is no executor of {}: {reason}", algorithm.name());
        let (bytes, is_executor) = match self.model.to_str() {
            Some("network") => (built_in.network.map(<[u8]>::to_vec), false),
            Some("executor") => (built_in.executor.map(<[u8]>::to_vec), true),
            _ => {
                let file = model_file(&self.model);
                let bytes = files::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
                (Some(bytes), Executor::algorithm_of(&self.model).is_some())
            }
        };
        let missing = || format!("there is no built-in {} of {}", self.model.display(), algorithm.name());
        let bytes = bytes.with_context(missing)?;
        let model = match is_executor {
            true => {
                let steps = algorithm.steps().map_err(no_executor)?;
                Exported::Executor(Box::new(Executor::from_bytes(steps, &bytes)?))
            }
            false => Exported::Network(Box::new(Model::from_bytes(&bytes, &self.model, Some(algorithm))?)),
        };
        Ok((bytes, model))
    }

    fn rows(&self, algorithm: &'static dyn Algorithm, model: &Exported) -> Result<Vec<Row>> {
        let recipes = self.graphs.recipes(&[algorithm])?;
        self.graphs.check_memory(&[algorithm], &recipes, self.draws)?;
        if let Exported::Network(model) = model {
            recipes.iter().try_for_each(|recipe| check_prediction(model, recipe.graph.n))?;
        }
        let bar = progress(product([recipes.len(), self.graphs.graphs]), "evaluating");
        let extractors = extractors(algorithm, &[]);
        let mut rows = vec![];
        for recipe in recipes {
            let (graphs, draws, seed) = (self.graphs.graphs, self.draws, self.common.seed);
            let settings = EvaluateSettings { graph: recipe.graph, graphs, draws, seed, law: None };
            let done = || bar.inc(1);
            rows.extend(match model {
                Exported::Network(model) => {
                    let model = model.for_preset(recipe.graph.preset);
                    evaluate(algorithm, &CandidateSource::Marginals(&model, &extractors), &settings, &done)?
                }
                Exported::Executor(executor) => {
                    evaluate(algorithm, &CandidateSource::Executor(executor), &settings, &done)?
                }
            });
        }
        bar.finish_and_clear();
        Ok(rows)
    }

    /// The model card: what it is, its metrics, how they were measured, how it is used.
    fn card(&self, algorithm: &dyn Algorithm, model: &Exported, rows: &[Row]) -> String {
        let (name, kind) = (algorithm.name(), model.kind());
        let mut card = format!(
            "---\nlibrary_name: tiebreak\nlicense: other\ntags:\n- neural-algorithmic-reasoning\n- clrs\n- {name}\n---\n\n\
             # {name}: {kind}\n\n{}\n\n## Metrics\n\n",
            model.words(algorithm)
        );
        card += "| n | p | preset | extractor | valid | unique and valid | accuracy | coverage |\n|---|---|---|---|---|---|---|---|\n";
        for row in rows {
            let Row { size, p, preset, extractor, .. } = row;
            let shares = [Some(row.valid), Some(row.unique_valid), Some(row.accuracy), row.coverage].map(share);
            let _ = writeln!(card, "| {size} | {p} | {preset} | {extractor} | {} |", shares.join(" | "));
        }
        let (graphs, draws, seed) = (self.graphs.graphs, self.draws, self.common.seed);
        let choices = graph_choices(rows);
        let _ = write!(
            card,
            "\nMeans over {graphs} random graphs a row, {draws} draws a graph, seed {seed}, by tiebreak {}: `tiebreak evaluate --algorithm {name} \
             --model DIR{choices} --graphs {graphs} --draws {draws} --seed {seed}`, where DIR is this directory. *valid* is the share of draws that an exact verifier accepts as \
             solutions, *accuracy* the share of graphs whose first draw is one, *coverage* distinct solutions drawn as a share of all, over graphs whose solutions \
             could be counted.\n\n## Use\n\n```python\nimport tiebreak\nmodel = tiebreak.load(\"DIR\")\n{}\n```\n",
            env!("CARGO_PKG_VERSION"),
            model.usage()
        );
        card
    }
}

impl Exported {
    fn kind(&self) -> &'static str {
        match self {
            Exported::Network(_) => "network",
            Exported::Executor(_) => "executor",
        }
    }

    fn words(&self, algorithm: &dyn Algorithm) -> String {
        let solutions = algorithm.problem().name;
        match self {
            Exported::Network(model) => format!(
                "A CLRS network (hidden size {}) that predicts the marginals of {solutions}, for graphs with many correct answers.",
                model.hidden()
            ),
            Exported::Executor(executor) => format!(
                "A learnt execution that is given its ties as random priorities and draws {solutions}. Certificate: {}.",
                executor.certificate()
            ),
        }
    }

    fn usage(&self) -> &'static str {
        match self {
            Exported::Network(_) => "model.predict(graphs)    # marginals; row = child, column = parent",
            Exported::Executor(_) => "model.draw(graphs, 5)    # solutions",
        }
    }
}

/// The sizes, densities and presets of rows, as arguments.
fn graph_choices(rows: &[Row]) -> String {
    let mut choices: Vec<String> = vec![];
    let listed = |row: &Row| match row.uses_p() {
        true => vec![format!("--size {}", row.size), format!("--p {}", row.p), format!("--preset {}", row.preset)],
        false => vec![format!("--size {}", row.size), format!("--family {}", row.preset)],
    };
    for choice in rows.iter().flat_map(listed) {
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    choices.iter().map(|choice| format!(" {choice}")).collect()
}

fn config(algorithm: &dyn Algorithm, model: &Exported) -> Value {
    let settings = match model {
        Exported::Network(model) => json!(model.card().map(|card| &card.settings)),
        Exported::Executor(executor) => json!(executor.settings()),
    };
    json!({
        "library_name": "tiebreak",
        "model_type": format!("tiebreak-{}", model.kind()),
        "algorithm": algorithm.name(),
        "version": env!("CARGO_PKG_VERSION"),
        "settings": settings,
    })
}
