//! `tiebreak train`: a run, its progress, and a clean stop.

use super::{Common, Outcome};
use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tiebreak::train::{LogLine, Report, RunDirectory, Settings, train};

/// Train the network to predict parent distributions
///
/// A run is a directory: settings.toml, log.jsonl, best.safetensors (the model) and last.safetensors (the checkpoint).
/// Ctrl-C and SIGTERM save and stop; --resume goes on, and ends to the bit where an uninterrupted run ends.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    tiebreak train --algorithm bellman-ford --out runs/bellman-ford\n  \
    tiebreak train --algorithm dfs --out runs/small --set steps=200 --set model.hidden=32\n  \
    tiebreak train --resume runs/small")]
pub struct Train {
    /// The algorithm to learn
    #[arg(long, short, value_parser = ["dfs", "bellman-ford"])]
    algorithm: Option<String>,
    /// Settings in TOML; what is left out has its default
    #[arg(long)]
    config: Option<PathBuf>,
    /// Change one setting, as key=value (may be repeated)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    changes: Vec<String>,
    /// Directory of the new run [default: runs/ALGORITHM-SEED]
    #[arg(long, short)]
    out: Option<PathBuf>,
    /// Go on with the run in this directory
    #[arg(long, conflicts_with_all = ["algorithm", "config", "changes", "out"])]
    resume: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Train {
    pub fn run(self) -> Result<Outcome> {
        let (run, settings) = match &self.resume {
            Some(path) => RunDirectory::open(path)?,
            None => self.new_run()?,
        };
        let stop = Arc::new(AtomicBool::new(false));
        let asked = stop.clone();
        ctrlc::set_handler(move || {
            // A second request does not wait for the step to end.
            if asked.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        })?;
        let display = Display::new(&settings, self.common.json);
        let (run, settings, stop) = (&run, &settings, &*stop);
        let ended = self.common.on_threads(|| {
            let mut display = display;
            let ended = train(run, settings, stop, &mut |report| display.show(&report));
            display.bar.finish_and_clear();
            ended
        })??;
        let best = ended.best.map_or(String::new(), |(score, step)| format!("; best at step {step}, score {score:.6}"));
        let how = if ended.complete { "complete" } else { "stopped, can be resumed" };
        eprintln!("step {} of {}: {how}{best}; model: {}", ended.step, settings.steps, run.best_path().display());
        Ok(Outcome::Good)
    }

    fn new_run(&self) -> Result<(RunDirectory, Settings)> {
        let text = match &self.config {
            Some(path) => std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?,
            None => String::new(),
        };
        let mut changes = self.changes.clone();
        changes.extend(self.algorithm.iter().map(|algorithm| format!("algorithm={algorithm}")));
        if self.config.is_none() && !changes.iter().any(|change| change.starts_with("algorithm=")) {
            bail!("train needs --algorithm (or a --config that names one)");
        }
        if self.common.seed != 0 || (self.config.is_none() && !changes.iter().any(|change| change.starts_with("seed=")))
        {
            changes.push(format!("seed={}", self.common.seed));
        }
        let settings = Settings::from_toml(&text, &changes).with_context(|| match &self.config {
            Some(path) => format!("{}", path.display()),
            None => "settings".to_owned(),
        })?;
        let default = || PathBuf::from(format!("runs/{}-{}", settings.algorithm, settings.seed));
        let run = RunDirectory::create(&self.out.clone().unwrap_or_else(default), &settings)?;
        Ok((run, settings))
    }
}

/// A bar with the course of the loss where there is a terminal, the log's lines where there is none.
struct Display {
    bar: ProgressBar,
    steps: u64,
    json: bool,
    losses: Vec<f64>,
}

impl Display {
    fn new(settings: &Settings, json: bool) -> Self {
        let bar = ProgressBar::new(settings.steps);
        let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} {eta} left\n{msg}");
        bar.set_style(style.expect("the template is well-formed"));
        Display { bar, steps: settings.steps, json, losses: vec![] }
    }

    fn show(&mut self, report: &Report) {
        if self.bar.position() == 0 {
            // A resumed run starts in the middle, and its speed is that of the steps from there on.
            self.bar.set_position(report.step - 1);
            self.bar.reset_eta();
        }
        self.bar.set_position(report.step);
        let Some(line) = report.logged else { return };
        self.losses.push(line.loss);
        self.bar.set_message(format!("{}\n{}", self.describe(line), sparkline(&self.losses, 60)));
        if self.json {
            println!("{}", serde_json::to_string(line).expect("numbers are always JSON"));
        } else if !std::io::stderr().is_terminal() {
            eprintln!("{}", self.describe(line));
        }
    }

    fn describe(&self, line: &LogLine) -> String {
        let LogLine { step, loss, validation, graphs_per_second, .. } = line;
        let star = if line.best { " *" } else { "" };
        let left = (self.steps - step) as f64 / self.steps as f64;
        format!(
            "step {step}: loss {loss:.6}, validation {validation:.6}{star}, {graphs_per_second:.0} graphs/s, {:.0} % left",
            100.0 * left
        )
    }
}

/// The course of a figure in one line of text: at most `width` means over equal stretches.
fn sparkline(values: &[f64], width: usize) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let stretch = values.len().div_ceil(width).max(1);
    let means: Vec<f64> = values.chunks(stretch).map(|chunk| chunk.iter().sum::<f64>() / chunk.len() as f64).collect();
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    let most = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let level = |value: &f64| {
        let height = (value - least) / (most - least).max(f64::MIN_POSITIVE);
        LEVELS[((height * 7.0).round() as usize).min(7)]
    };
    means.iter().map(level).collect()
}
