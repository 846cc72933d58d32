//! `tiebreak train`: a run of the network or of the executor, its progress, and a clean stop.

use super::choices::names;
use super::{Common, Outcome, stop_on_request};
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tiebreak::executor::{self, ExecutorRun, Steps};
use tiebreak::problems::by_name;
use tiebreak::train::{DataFile, LogLine, Report, RunDirectory, Settings, check_data, train};

/// Train the network to predict marginals (parent distributions), or an executor to run the algorithm
///
/// A run is a directory: settings.toml, log.jsonl, best.safetensors (the model) and last.safetensors (the checkpoint).
/// Ctrl-C and SIGTERM save and stop; --resume goes on, and ends to the bit where an uninterrupted run ends.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    tiebreak train --algorithm bellman-ford --out runs/bellman-ford\n  \
    tiebreak train --algorithm dfs --out runs/small --set steps=200 --set model.hidden=32\n  \
    tiebreak train --resume runs/small\n  \
    tiebreak train --model executor --algorithm dfs --out runs/executor")]
pub struct Train {
    /// The algorithm to learn
    #[arg(long, short, value_parser = names())]
    algorithm: Option<String>,
    /// The kind of model: the CLRS network that the paper uses, or the executor, which learns from recorded runs
    #[arg(long, value_enum, default_value_t = Family::Network)]
    model: Family,
    /// Settings in TOML; what is left out has its default
    #[arg(long)]
    config: Option<PathBuf>,
    /// Change one setting, as key=value (may be repeated)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    changes: Vec<String>,
    /// Learn from this file of `tiebreak generate` (.safetensors or JSON Lines) instead of fresh graphs
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Directory of the new run [default: runs/ALGORITHM-SEED, or runs/executor-ALGORITHM-SEED]
    #[arg(long, short)]
    out: Option<PathBuf>,
    /// Go on with the run in this directory
    #[arg(long, conflicts_with_all = ["algorithm", "model", "config", "changes", "data", "out"])]
    resume: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Family {
    Network,
    Executor,
}

/// A run to begin or to go on with.
enum Run {
    Network(RunDirectory, Settings),
    Executor(ExecutorRun, executor::Settings),
}

impl Train {
    pub fn run(self) -> Result<Outcome> {
        let run = match &self.resume {
            Some(path) => old_run(path)?,
            None => self.new_run()?,
        };
        let stop = stop_on_request()?;
        match run {
            Run::Network(run, settings) => self.train_network(&run, &settings, &stop),
            Run::Executor(run, settings) => self.train_executor(&run, &settings, &stop),
        }
    }

    fn train_network(&self, run: &RunDirectory, settings: &Settings, stop: &AtomicBool) -> Result<Outcome> {
        let display = Display::new(settings.steps, self.common.json);
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

    fn train_executor(&self, run: &ExecutorRun, settings: &executor::Settings, stop: &AtomicBool) -> Result<Outcome> {
        let steps = steps_of(&settings.algorithm)?;
        let display = Display::new(settings.steps, self.common.json);
        let complete = self.common.on_threads(|| {
            let mut display = display;
            let complete = run.train(steps, settings, stop, &mut |line| display.show_execution(line));
            display.bar.finish_and_clear();
            complete
        })??;
        if complete {
            let (certificate, model) = (run.executor(steps)?.certificate(), run.best_path());
            eprintln!("complete; {certificate}; model: {}", model.display());
        } else {
            eprintln!("stopped, can be resumed");
        }
        Ok(Outcome::Good)
    }

    fn new_run(&self) -> Result<Run> {
        let text = match &self.config {
            Some(path) => std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?,
            None => String::new(),
        };
        let mut changes = self.changes.clone();
        let known = self.algorithm.as_deref().and_then(by_name);
        changes.extend(known.map(|algorithm| format!("algorithm={}", algorithm.name())));
        if self.config.is_none() && !changes.iter().any(|change| change.starts_with("algorithm=")) {
            bail!("train needs --algorithm (or a --config that names one)");
        }
        if self.common.seed != 0 || (self.config.is_none() && !changes.iter().any(|change| change.starts_with("seed=")))
        {
            changes.push(format!("seed={}", self.common.seed));
        }
        let whose = || match &self.config {
            Some(path) => format!("{}", path.display()),
            None => "settings".to_owned(),
        };
        let directory = |default: String| self.out.clone().unwrap_or_else(|| Path::new("runs").join(default));
        match self.model {
            Family::Network => {
                let mut settings = Settings::from_toml(&text, &changes).with_context(whose)?;
                if let Some(data) = &self.data {
                    settings.data = Some(DataFile::of(data)?);
                }
                // A file that cannot be learnt from is refused before a directory is made.
                check_data(&settings)?;
                let path = directory(format!("{}-{}", settings.algorithm, settings.seed));
                Ok(Run::Network(RunDirectory::create(&path, &settings)?, settings))
            }
            Family::Executor => {
                ensure!(self.data.is_none(), "--data: an executor learns from recorded runs, not from distributions");
                let settings = executor::Settings::from_toml(&text, &changes).with_context(whose)?;
                steps_of(&settings.algorithm)?;
                let path = directory(format!("executor-{}-{}", settings.algorithm, settings.seed));
                Ok(Run::Executor(ExecutorRun::create(&path, &settings)?, settings))
            }
        }
    }
}

fn old_run(path: &Path) -> Result<Run> {
    if let Some((run, settings)) = ExecutorRun::open(path)? {
        return Ok(Run::Executor(run, settings));
    }
    let (run, settings) = RunDirectory::open(path)?;
    Ok(Run::Network(run, settings))
}

/// The algorithm as the executor sees it.
fn steps_of(algorithm: &str) -> Result<&'static dyn Steps> {
    let known = by_name(algorithm).with_context(|| format!("algorithm = {algorithm}: there is no such algorithm"))?;
    known.steps().map_err(|reason| anyhow!("there is no executor of {algorithm}: {reason}"))
}

/// A bar with the curve of the loss where there is a terminal, the log's lines where there is none.
struct Display {
    bar: ProgressBar,
    steps: u64,
    json: bool,
    losses: Vec<f64>,
}

impl Display {
    fn new(steps: u64, json: bool) -> Self {
        let bar = ProgressBar::new(steps);
        let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} {eta} left\n{msg}");
        bar.set_style(style.expect("the template is well-formed"));
        Display { bar, steps, json, losses: vec![] }
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

    fn show_execution(&mut self, line: &executor::LogLine) {
        self.bar.set_position(line.step);
        let (step, refused) = (line.step, line.refused);
        let loss = line.selection + line.states + line.pointers;
        self.losses.push(f64::from(loss));
        let text = format!("step {step}: loss {loss:.6}, {refused} entries that a certificate would refuse");
        self.bar.set_message(format!("{text}\n{}", sparkline(&self.losses, 60)));
        if self.json {
            println!("{}", serde_json::to_string(line).expect("numbers are always JSON"));
        } else if !std::io::stderr().is_terminal() {
            eprintln!("{text}");
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

/// A curve in one line of text: at most `width` means over equal stretches.
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
