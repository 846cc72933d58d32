//! `tiebreak predict`: parent distributions from a trained model.

use super::choices::{AlgorithmChoice, built_in_network};
use super::generate::write_samples;
use super::inputs::read_items;
use super::output::progress;
use super::{Common, Outcome};
use anyhow::Result;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tiebreak::memory;
use tiebreak::neural::predict::Model;
use tiebreak::pipeline::generate::Sample;
use tiebreak::problems::Intractable;

/// Predict parent distributions with a trained model
///
/// Reads our files (.safetensors, .jsonl: their graphs are used), arrays (.npz) or a graph file; sizes may be mixed. Writes JSON
/// Lines, or safetensors where the file's name ends so. Weights of a person's own graph are shown to the network as multiples of the largest one, those of
/// generated graphs as in training.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tiebreak predict --algorithm dfs roads.csv\n  tiebreak predict --algorithm dfs --model runs/dfs-0 roads.csv"
)]
pub struct Predict {
    #[command(flatten)]
    algorithm: AlgorithmChoice,
    /// Graphs
    file: PathBuf,
    /// A run's directory or a model file (ours, or dm-clrs' parameters as safetensors) [default: the built-in network]
    #[arg(long)]
    model: Option<PathBuf>,
    /// Vertex where shortest paths start, for files that do not say
    #[arg(long)]
    source: Option<String>,
    /// File to write; .safetensors or JSON Lines [default: JSON Lines to standard output]
    #[arg(long, short)]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Refuses a graph for which a network would take more memory than there is.
pub fn check_prediction(model: &Model, n: usize) -> Result<()> {
    let what = format!("a prediction for {n} vertices, any two of which exchange messages,");
    Ok(memory::check(what, model.memory(n), "`tiebreak solve` answers for graphs of any size without a network")?)
}

impl Predict {
    pub fn run(self) -> Result<Outcome> {
        let algorithm = self.algorithm.get()?;
        let model = match &self.model {
            Some(path) => Model::load(path, Some(algorithm))?,
            None => built_in_network(algorithm)?,
        };
        let items = read_items(algorithm, &self.file, None, self.source.as_deref())?;
        for item in &items {
            check_prediction(&model, item.instance.n())?;
        }
        let bar = progress(items.len() as u64, "predicting");
        let samples: Result<Vec<Sample>, Intractable> = self.common.on_threads(|| {
            let predicted = items.into_iter().map(|item| {
                let prepared = algorithm.prepare(&item.instance).expect("it was checked when it was read");
                let marginals = model.marginals(&*prepared, item.made.as_ref())?;
                drop(prepared);
                bar.inc(1);
                Ok(Sample { instance: item.instance, marginals, made: item.made })
            });
            predicted.collect()
        })?;
        bar.finish_and_clear();
        let origin = BTreeMap::from([("distribution".to_owned(), "predicted".to_owned())]);
        write_samples(self.out.as_deref(), algorithm, origin, samples?)?;
        Ok(Outcome::Good)
    }
}
