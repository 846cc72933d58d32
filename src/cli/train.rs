//! `tiebreak train`: a run of the network or of the executor, its progress, and a clean stop.

use super::choices::names;
use super::screen::{JobLines, say};
use super::{Common, Outcome, stop_on_request};
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;
use tiebreak::files::{self, WriteFileError};
use tiebreak::memory;
use tiebreak::neural::events::EventFile;
use tiebreak::neural::executor::{self, ExecutorRun, Steps};
use tiebreak::neural::train::{DataFile, LogLine, Report, RunDirectory, TrainSettings, check_data, train};
use tiebreak::problems::by_name;

const EXAMPLES: &str = "Examples:\n  \
    tiebreak train --algorithm bellman-ford --out runs/bellman-ford\n  \
    tiebreak train --algorithm dfs --out runs/small --set steps=200 --set model.hidden=32\n  \
    tiebreak train --resume runs/small\n  \
    tiebreak train --model executor --algorithm dfs --out runs/executor";

/// Train the network to predict marginals (parent distributions), or an executor to run the algorithm
///
/// A run is a directory: settings.toml, log.jsonl, best.safetensors (the model) and last.safetensors (the checkpoint).
/// Ctrl-C and SIGTERM save and stop; --resume goes on, and ends to the bit where an uninterrupted run ends.
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = settings_help())]
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
    /// Change one setting, as key=value (may be repeated); --help lists them with their defaults
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
    /// Write the log as event files of TensorBoard into this directory, too
    #[arg(long, value_name = "DIR")]
    tensorboard: Option<PathBuf>,
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
    Network(RunDirectory, TrainSettings),
    Executor(ExecutorRun, executor::ExecutorSettings),
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

    fn train_network(&self, run: &RunDirectory, settings: &TrainSettings, stop: &Arc<AtomicBool>) -> Result<Outcome> {
        let before = if self.resume.is_some() { run.log()? } else { vec![] };
        let mut display = Display::new(settings.steps, self.common.json).going_on(before.iter().map(|line| line.loss));
        let mut events = self.events()?;
        let ended = self.common.until_stopped(stop, || {
            let mut observe = |report: Report| {
                display.show(&report);
                report.logged.into_iter().for_each(|line| events.add(line));
            };
            let ended = train(run, settings, stop, &mut observe);
            display.bar.finish_and_clear();
            ended
        })?;
        let Ok(ended) = ended else { return stopped() };
        let ended = ended?;
        events.finish()?;
        let lines = display.lines;
        let best = ended.best.map_or(String::new(), |(score, step)| format!("; best at step {step}, score {score:.6}"));
        let how = if ended.complete { "complete" } else { "stopped, can be resumed" };
        say!("step {} of {}: {how}{best}; model: {}", ended.step, settings.steps, run.best_path().display());
        lines.finish()?;
        Ok(Outcome::Good)
    }

    fn train_executor(
        &self,
        run: &ExecutorRun,
        settings: &executor::ExecutorSettings,
        stop: &Arc<AtomicBool>,
    ) -> Result<Outcome> {
        let steps = steps_of(&settings.algorithm)?;
        let before = if self.resume.is_some() { run.log()? } else { vec![] };
        let mut display = Display::new(settings.steps, self.common.json).going_on(before.iter().map(executor_loss));
        let mut events = self.events()?;
        let complete = self.common.until_stopped(stop, || {
            let mut observe = |line: &executor::ExecutorLogLine| {
                display.show_execution(line);
                events.add(line);
            };
            let complete = run.train(steps, settings, stop, &mut observe);
            display.bar.finish_and_clear();
            complete
        })?;
        let Ok(complete) = complete else { return stopped() };
        let complete = complete?;
        events.finish()?;
        let lines = display.lines;
        if !complete {
            stopped()?;
        } else {
            let (certificate, model) = (run.executor(steps)?.certificate(), run.best_path());
            say!("complete; {certificate}; model: {}", model.display());
        }
        lines.finish()?;
        Ok(Outcome::Good)
    }

    fn events(&self) -> Result<Events> {
        let open = |folder: &PathBuf| EventFile::create(folder, now());
        Ok(Events { file: self.tensorboard.as_ref().map(open).transpose()?, failed: None })
    }

    fn new_run(&self) -> Result<Run> {
        let text = match &self.config {
            Some(path) => files::read_text(path).with_context(|| format!("cannot read {}", path.display()))?,
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
                let mut settings = TrainSettings::from_toml(&text, &changes).with_context(whose)?;
                if let Some(data) = &self.data {
                    settings.data = Some(DataFile::of(data)?);
                }
                check_memory(&settings)?;
                // A file that cannot be learnt from is refused before a directory is made.
                check_data(&settings)?;
                let path = directory(format!("{}-{}", settings.algorithm, settings.seed));
                Ok(Run::Network(RunDirectory::create(&path, &settings)?, settings))
            }
            Family::Executor => {
                ensure!(self.data.is_none(), "--data: an executor learns from recorded runs, not from distributions");
                let settings = executor::ExecutorSettings::from_toml(&text, &changes).with_context(whose)?;
                steps_of(&settings.algorithm)?;
                check_executor_memory(&settings)?;
                let path = directory(format!("executor-{}-{}", settings.algorithm, settings.seed));
                Ok(Run::Executor(ExecutorRun::create(&path, &settings)?, settings))
            }
        }
    }
}

/// It was asked to stop; the directory holds what a resumed run goes on from.
fn stopped() -> Result<Outcome> {
    say!("stopped, can be resumed");
    Ok(Outcome::Good)
}

fn old_run(path: &Path) -> Result<Run> {
    if let Some((run, settings)) = ExecutorRun::open(path)? {
        check_executor_memory(&settings)?;
        return Ok(Run::Executor(run, settings));
    }
    let (run, settings) = RunDirectory::open(path)?;
    check_memory(&settings)?;
    Ok(Run::Network(run, settings))
}

fn check_memory(settings: &TrainSettings) -> Result<()> {
    let remedy = "make sizes, batch, model.hidden or validation_size smaller";
    Ok(memory::check("a step of training", settings.memory(), remedy)?)
}

fn check_executor_memory(settings: &executor::ExecutorSettings) -> Result<()> {
    Ok(memory::check("the training", settings.memory(), "make sizes, graphs or batch smaller")?)
}

/// The algorithm as the executor sees it.
fn steps_of(algorithm: &str) -> Result<&'static dyn Steps> {
    let known = by_name(algorithm).with_context(|| format!("algorithm = {algorithm}: there is no such algorithm"))?;
    known.steps().map_err(|reason| anyhow!("there is no executor of {algorithm}: {reason}"))
}

/// The event file, if one is wanted. A training does not end because its log cannot be copied; it says so at the end.
struct Events {
    file: Option<EventFile>,
    failed: Option<WriteFileError>,
}

impl Events {
    fn add(&mut self, line: &impl serde::Serialize) {
        if let Some(file) = &self.file {
            self.failed = file.add(line, now()).err().or(self.failed.take());
        }
    }

    fn finish(self) -> Result<()> {
        self.failed.map_or(Ok(()), |error| Err(error).context("the events are not complete"))
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// A bar with the curve of the loss where there is a terminal, the log's lines where there is none.
struct Display {
    bar: ProgressBar,
    steps: u64,
    json: bool,
    losses: Vec<f64>,
    lines: JobLines,
}

impl Display {
    fn new(steps: u64, json: bool) -> Self {
        let bar = ProgressBar::new(steps);
        let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} {eta} left\n{msg}");
        bar.set_style(style.expect("the template is well-formed"));
        Display { bar, steps, json, losses: vec![], lines: JobLines::default() }
    }

    /// With the curve of what was logged before.
    fn going_on(self, losses: impl Iterator<Item = f64>) -> Self {
        Display { losses: losses.collect(), ..self }
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
            self.lines.line(&serde_json::to_string(line).expect("numbers are always JSON"));
        } else if !std::io::stderr().is_terminal() {
            say!("{}", self.describe(line));
        }
    }

    fn show_execution(&mut self, line: &executor::ExecutorLogLine) {
        self.bar.set_position(line.step);
        let (step, refused) = (line.step, line.refused);
        let loss = executor_loss(line);
        self.losses.push(loss);
        let text = format!("step {step}: loss {loss:.6}, {refused} entries that a certificate would refuse");
        self.bar.set_message(format!("{text}\n{}", sparkline(&self.losses, 60)));
        if self.json {
            self.lines.line(&serde_json::to_string(line).expect("numbers are always JSON"));
        } else if !std::io::stderr().is_terminal() {
            say!("{text}");
        }
    }

    fn describe(&self, line: &LogLine) -> String {
        let LogLine { step, loss, validation, graphs_per_second, .. } = line;
        let star = if line.best { " *" } else { "" };
        let done = 100.0 * *step as f64 / self.steps as f64;
        format!(
            "step {step}: loss {loss:.6}, validation {validation:.6}{star}, {graphs_per_second:.0} graphs/s, {done:.0} % done"
        )
    }
}

fn executor_loss(line: &executor::ExecutorLogLine) -> f64 {
    f64::from(line.selection + line.states + line.pointers)
}

/// What `--set` takes, from the settings themselves.
fn settings_help() -> String {
    let listed = |title: &str, text: String| {
        let table: toml::Table = text.parse().expect("settings are always TOML");
        let mut lines = vec![];
        for (key, value) in &table {
            match value {
                toml::Value::Table(inner) if key == "executor" => {
                    lines.extend(inner.iter().map(|(key, value)| format!("  {key}={value}")));
                }
                toml::Value::Table(inner) => {
                    lines.extend(inner.iter().map(|(name, value)| format!("  {key}.{name}={value}")));
                }
                value => lines.push(format!("  {key}={value}")),
            }
        }
        format!("{title}\n{}", lines.join("\n"))
    };
    format!(
        "{EXAMPLES}\n\n{}\n\n{}",
        listed(
            "Settings of the network, for --set and --config, with their defaults:",
            TrainSettings::default().to_toml()
        ),
        listed("Settings of the executor:", executor::ExecutorSettings::default().to_toml())
    )
}

/// A curve in one line of text, on a logarithmic scale: at most `width` means over equal stretches.
fn sparkline(values: &[f64], width: usize) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let stretch = values.len().div_ceil(width).max(1);
    // Losses fall by orders of magnitude, and what happens at the end matters as much.
    let height = |mean: f64| mean.max(f64::MIN_POSITIVE).ln();
    let means: Vec<f64> =
        values.chunks(stretch).map(|chunk| height(chunk.iter().sum::<f64>() / chunk.len() as f64)).collect();
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    let most = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let level = |value: &f64| {
        let height = (value - least) / (most - least).max(f64::MIN_POSITIVE);
        LEVELS[((height * 7.0).round() as usize).min(7)]
    };
    means.iter().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_falls_by_orders_of_magnitude_and_help_lists_every_setting() {
        assert_eq!(sparkline(&[1000.0, 100.0, 10.0, 1.0], 60), "█▆▃▁");
        assert_eq!(sparkline(&[], 60), "");
        let help = settings_help();
        for key in ["  steps=", "  batch=", "  model.hidden=", "  learning_rate="] {
            assert!(help.contains(key), "{help}");
        }
    }
}
