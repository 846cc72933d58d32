//! `tiebreak extract`: candidates from parent distributions, each with its verdict.

use super::choices::{AlgorithmChoice, check_extractors, extractors};
use super::inputs::{Item, read_items};
use super::output::{joined, write_output};
use super::screen::say;
use super::{Common, Outcome};
use anyhow::{Result, anyhow};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use tiebreak::pipeline::cases::Case;
use tiebreak::pipeline::draw::{Extraction, MarginalsOf};
use tiebreak::pipeline::evaluate::{draw_trials, extraction_stream};
use tiebreak::pipeline::metrics::Trial;

/// Draw candidate solutions from parent distributions
///
/// Reads our files (.safetensors, .jsonl) or anybody's arrays: an .npz with `probabilities` and `adjacency` (and `source`), or
/// two .npy files, of shape [n, n] or [graphs, n, n]; row = child, column = parent; the adjacency's row = tail. A row that does not
/// sum to one is divided by its sum; a row of zeros makes every vertex equally likely. Writes one candidate a line, as `tiebreak
/// verify` reads them, with the exact verdict.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    tiebreak generate -a dfs -n 5 --graphs 3 -o small.jsonl && tiebreak extract -a dfs small.jsonl --draws 2\n  \
    tiebreak extract -a bellman-ford predictions.npz --extractor beam")]
pub struct Extract {
    #[command(flatten)]
    algorithm: AlgorithmChoice,
    /// Distributions: .safetensors, .jsonl, .npz or .npy; - for JSON Lines from standard input
    file: PathBuf,
    /// Adjacency matrices (.npy), where the probabilities stand alone
    #[arg(long)]
    adjacency: Option<PathBuf>,
    /// Vertex where shortest paths start, for arrays that do not say
    #[arg(long)]
    source: Option<String>,
    /// Extractor (may be repeated) [default: all of the algorithm's]
    #[arg(long = "extractor")]
    extractors: Vec<String>,
    /// Candidates from each distribution and extractor
    #[arg(long, default_value_t = 5)]
    draws: usize,
    /// File to write [default: standard output]
    #[arg(long, short)]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Extract {
    pub fn run(self) -> Result<Outcome> {
        let algorithm = self.algorithm.get()?;
        check_extractors(&[algorithm], &self.extractors)?;
        let items = read_items(algorithm, &self.file, self.adjacency.as_deref(), self.source.as_deref())?;
        let (mut lines, mut drawn, mut valid) = (String::new(), 0, 0);
        for (index, Item { instance, marginals, made }) in items.into_iter().enumerate() {
            let missing = || anyhow!("{}: instance {index} has no distribution", self.file.display());
            let marginals = &marginals.ok_or_else(missing)?;
            let prepared = algorithm.prepare(&instance)?;
            for extractor in extractors(algorithm, &self.extractors) {
                let stream = (self.common.seed, index as u64);
                let mut rng = extraction_stream(algorithm, extractor, &instance, made.as_ref(), stream);
                let mut drawer = Extraction { instance: &instance, marginals, from: MarginalsOf::Given, extractor };
                let trials = draw_trials(prepared.space(), &mut drawer, self.draws, &mut rng)?;
                for (draw, Trial { candidate, valid: is_valid, .. }) in trials.into_iter().enumerate() {
                    drawn += 1;
                    valid += usize::from(is_valid);
                    let algorithm = Some(algorithm.name().to_owned());
                    let (instance, candidate) = (instance.clone(), Some(Ok(candidate)));
                    let case = Case { instance, candidate, marginals: None, algorithm, made };
                    let about =
                        json!({"sample": index, "extractor": extractor.name(), "draw": draw, "valid": is_valid});
                    lines.push_str(&joined(&case.to_line(), &about.to_string()));
                    lines.push('\n');
                }
            }
        }
        write_output(self.out.as_deref(), lines.as_bytes())?;
        match self.common.json {
            true => say!("{}", json!({"drawn": drawn, "valid": valid})),
            false => say!("{valid} of {drawn} candidates valid"),
        }
        Ok(Outcome::Good)
    }
}
