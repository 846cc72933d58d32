//! `tiebreak generate`: random instances with their parent distributions, in one file.

use super::choices::{AlgorithmChoice, GraphChoice, SourceChoice, instance_memory};
use super::output::{product, progress, write_output};
use super::{Common, Outcome};
use anyhow::{Context, Result, bail};
use clap::Args;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tiebreak::memory;
use tiebreak::pipeline::cases::Case;
use tiebreak::pipeline::generate::{Recipe, Sample, SampleFile, sample, samples_to_bytes};
use tiebreak::problems::Algorithm;

/// Generate random instances with their parent distributions
///
/// Writes JSON Lines, or safetensors where the file's name ends so. A distribution is the share of runs in which u is the
/// parent of v, or with `--distribution exact` what infinitely many runs would give.
#[derive(Args)]
#[command(after_help = "Example:\n  tiebreak generate --algorithm dfs --size 16 --graphs 100 --out train.safetensors")]
pub struct Generate {
    #[command(flatten)]
    algorithm: AlgorithmChoice,
    #[command(flatten)]
    graphs: GraphChoice,
    /// Repeated runs, or the exact distribution
    #[arg(long, value_enum, default_value_t = SourceChoice::Empirical)]
    distribution: SourceChoice,
    /// File to write; .safetensors or JSON Lines [default: JSON Lines to standard output]
    #[arg(long, short)]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Generate {
    pub fn run(self) -> Result<Outcome> {
        let algorithm = self.algorithm.get()?;
        is_safetensors(self.out.as_deref())?;
        let source = self.distribution.into();
        let recipes: Vec<Recipe> =
            self.graphs.recipes(&[algorithm])?.into_iter().map(|recipe| Recipe { source, ..recipe }).collect();
        let of_size = |recipe: &Recipe| instance_memory(recipe).saturating_mul(self.graphs.graphs as u64);
        let needs = recipes.iter().map(of_size).fold(0, u64::saturating_add);
        memory::check("so many graphs with their distributions", needs, "ask for fewer --graphs or smaller sizes")?;
        let samples = self.common.on_threads(|| self.samples(algorithm, &recipes))??;
        write_samples(self.out.as_deref(), algorithm, self.origin(&recipes), samples)?;
        Ok(Outcome::Good)
    }

    fn samples(&self, algorithm: &dyn Algorithm, recipes: &[Recipe]) -> Result<Vec<Sample>> {
        let bar = progress(product([recipes.len(), self.graphs.graphs]), "generating");
        let mut samples = vec![];
        for recipe in recipes {
            let one = |index| {
                let sample = sample(algorithm, recipe, self.common.seed, index);
                bar.inc(1);
                sample.with_context(|| format!("no {} distribution at n = {}", recipe.source.name(), recipe.graph.n))
            };
            let of_recipe: Vec<Sample> =
                (0..self.graphs.graphs as u64).into_par_iter().map(one).collect::<Result<_>>()?;
            samples.extend(of_recipe);
        }
        bar.finish_and_clear();
        Ok(samples)
    }

    fn origin(&self, recipes: &[Recipe]) -> BTreeMap<String, String> {
        let recipe = recipes.first().copied().unwrap_or_default();
        let mut origin = BTreeMap::from([
            ("distribution".to_owned(), recipe.source.name().to_owned()),
            ("ties".to_owned(), recipe.ties.name().to_owned()),
            ("seed".to_owned(), self.common.seed.to_string()),
        ]);
        if self.distribution == SourceChoice::Empirical {
            origin.insert("runs".to_owned(), recipe.runs.to_string());
        }
        origin
    }
}

/// Writes samples with their origin as safetensors where the file's name ends so, else as JSON Lines.
pub fn write_samples(
    out: Option<&Path>,
    algorithm: &dyn Algorithm,
    origin: BTreeMap<String, String>,
    samples: Vec<Sample>,
) -> Result<()> {
    let bytes = match is_safetensors(out)? {
        true => samples_to_bytes(&SampleFile { algorithm: algorithm.name().to_owned(), origin, samples })?,
        false => as_lines(algorithm, samples),
    };
    write_output(out, &bytes)
}

/// Whether the file's name ends in `.safetensors`. Other names must not promise another format.
pub fn is_safetensors(out: Option<&Path>) -> Result<bool> {
    let extension = out.and_then(Path::extension).map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("safetensors") => Ok(true),
        None | Some("jsonl" | "json" | "ndjson" | "txt") => Ok(false),
        Some(_) if out.is_some_and(|path| path.starts_with("/dev")) => Ok(false),
        Some(other) => bail!(
            "{}: instances are written as JSON Lines (.jsonl) or .safetensors, not as .{other}",
            out.unwrap_or(Path::new("")).display()
        ),
    }
}

fn as_lines(algorithm: &dyn Algorithm, samples: Vec<Sample>) -> Vec<u8> {
    let mut bytes = vec![];
    for Sample { instance, marginals, made } in samples {
        let algorithm = Some(algorithm.name().to_owned());
        let case = Case { instance, candidate: None, marginals: Some(marginals), algorithm, made };
        bytes.extend_from_slice(case.to_line().as_bytes());
        bytes.push(b'\n');
    }
    bytes
}
