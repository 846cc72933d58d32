//! `tiebreak reproduce`: the paper's tables and figures; all at once, or piece by piece on other people's machines.

use super::reproduce_summary::summary;
use super::screen::{self, say};
use super::{Outcome, stop_on_request};
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tiebreak::cancel;
use tiebreak::report::table;
use tiebreak::reproduce::collect::{Collected, Remarks, collect};
use tiebreak::reproduce::work::{Event, run, run_all};
use tiebreak::reproduce::{BUILT_IN, Experiment, Plan, Request};

/// Make the paper's tables and figures: train, measure, lay out beside the paper's values
///
/// What is complete is skipped, and what was stopped goes on. The work is cut into independent pieces: `plan` lists them, `run`
/// runs one, `collect` makes tables of what there is and names what is missing.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
    tiebreak reproduce --quick\n  \
    tiebreak reproduce unique accuracy --seeds 3 --out results\n  \
    tiebreak reproduce plan all\n  \
    tiebreak reproduce run all --index 7\n  \
    tiebreak reproduce collect all"
)]
pub struct Reproduce {
    #[command(subcommand)]
    part: Option<Part>,
    #[command(flatten)]
    choice: Choice,
}

#[derive(Subcommand)]
enum Part {
    /// List the pieces of work, one JSON object a line
    Plan(Choice),
    /// Run one piece
    Run {
        #[command(flatten)]
        choice: Choice,
        /// The number of the piece [default: from SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX]
        #[arg(long)]
        index: Option<usize>,
    },
    /// Make tables and figures of what has been measured, and name what is missing
    Collect(Choice),
}

/// Which experiments, and where.
#[derive(Args)]
struct Choice {
    /// Experiments by name, `all`, or files that end in .toml [default: all]
    names: Vec<String>,
    /// Everything small, training included: a few minutes
    #[arg(long)]
    quick: bool,
    /// Seeds, each with its own training, graphs and draws [default: 5, or 2 with --quick]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// The directory of the reproduction [default: reproduction, or reproduction-quick with --quick]
    #[arg(long, short)]
    out: Option<PathBuf>,
    /// Train nothing: measure the models in OUT/runs that are fully trained
    #[arg(long)]
    trained_only: bool,
    /// What the trainings ran on and what else it was doing, for the notes of `times`
    #[arg(long)]
    machine: Option<String>,
    /// Number of threads (results do not depend on it) [default: all cores]
    #[arg(long, value_parser = super::threads)]
    threads: Option<usize>,
    /// Write results for machines: one JSON object a line
    #[arg(long)]
    json: bool,
}

impl Reproduce {
    pub fn run(self) -> Result<Outcome> {
        match self.part {
            None => self.choice.all(),
            Some(Part::Plan(choice)) => choice.plan_only(),
            Some(Part::Run { choice, index }) => choice.one(index),
            Some(Part::Collect(choice)) => choice.collect_only(),
        }
    }
}

impl Choice {
    fn plan(&self) -> Result<Plan> {
        let mut names: Vec<String> = vec![];
        let asked = if self.names.is_empty() { vec!["all".to_owned()] } else { self.names.clone() };
        for name in asked {
            match &name[..] {
                "all" => names.extend(BUILT_IN.iter().map(|(name, _)| (*name).to_owned())),
                _ => names.push(name),
            }
        }
        let mut experiments: Vec<Experiment> = vec![];
        for name in names {
            let experiment = Experiment::find(&name, self.quick)?;
            match experiments.iter().find(|known| known.name == experiment.name) {
                Some(_) if name.ends_with(".toml") => {
                    bail!("{name}: there is already an experiment {}", experiment.name)
                }
                Some(_) => {}
                None => experiments.push(experiment),
            }
        }
        let default = if self.quick { "reproduction-quick" } else { "reproduction" };
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from(default));
        let seeds = self.seeds.unwrap_or(if self.quick { 2 } else { 5 });
        Ok(Plan::new(Request { experiments, seeds, out, train: !self.trained_only })?)
    }

    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
        self.threads.filter(|&threads| threads > 0).unwrap_or_else(cores)
    }

    /// The command as somebody else would type it.
    fn remarks(&self) -> Remarks {
        let names = if self.names.is_empty() { "all".to_owned() } else { self.names.join(" ") };
        let quick = if self.quick { " --quick" } else { "" };
        let seeds = self.seeds.map_or(String::new(), |seeds| format!(" --seeds {seeds}"));
        Remarks { command: format!("tiebreak reproduce {names}{quick}{seeds}"), machine: self.machine.clone() }
    }

    fn all(&self) -> Result<Outcome> {
        let plan = self.plan()?;
        let stop = stop_on_request()?;
        let display = Display::new(&plan);
        let complete = run_all(&plan, self.threads(), &stop, &|event| display.show(event))?;
        display.bar.finish_and_clear();
        if !complete && stop.load(Ordering::Relaxed) {
            say!("stopped; the same command goes on from here");
            return Ok(Outcome::NotValid);
        }
        self.show(&plan, &collect(&plan, &self.remarks())?)
    }

    fn plan_only(&self) -> Result<Outcome> {
        let plan = self.plan()?;
        let mut output = screen::stdout();
        for index in 0..plan.pieces.len() {
            writeln!(output, "{}", plan.describe(index))?;
        }
        output.flush()?;
        Ok(Outcome::Good)
    }

    fn one(&self, index: Option<usize>) -> Result<Outcome> {
        let plan = self.plan()?;
        let index = match index {
            Some(index) => index,
            None => index_from_environment()?,
        };
        let pieces = plan.pieces.len();
        let piece = plan.pieces.get(index).ok_or(tiebreak::reproduce::ReproduceError::NoPiece { index, pieces })?;
        let stop = stop_on_request()?;
        let display = Display::of(plan.cost(piece), 1);
        let pool = cancel::pool(self.threads(), &stop)?;
        let work = || run(&plan, piece, &stop, &|event| display.show(event));
        let complete = cancel::catch(|| pool.install(work)).unwrap_or(Ok(false))?;
        display.bar.finish_and_clear();
        if complete {
            return Ok(Outcome::Good);
        }
        say!("stopped; the same command goes on from here");
        Ok(Outcome::NotValid)
    }

    fn collect_only(&self) -> Result<Outcome> {
        let plan = self.plan()?;
        self.show(&plan, &collect(&plan, &self.remarks())?)
    }

    fn show(&self, plan: &Plan, collected: &Collected) -> Result<Outcome> {
        let out = &plan.request.out;
        let mut output = screen::stdout();
        if self.json {
            for results in &collected.results {
                writeln!(output, "{}", serde_json::to_string(results)?)?;
            }
        } else {
            // One or two experiments are read here, several in the files.
            if collected.results.len() <= 2 {
                for table in collected.results.iter().flat_map(|results| &results.tables) {
                    writeln!(output, "{}", table::text(table))?;
                }
                for results in &collected.results {
                    writeln!(output, "{}", out.join(&results.name).join("table.md").display())?;
                }
                writeln!(output, "{}\n{}", out.join("README.md").display(), out.join("report.html").display())?;
            } else {
                write!(output, "{}", summary(plan, collected, self.quick))?;
            }
        }
        output.flush()?;
        if collected.missing.is_empty() {
            return Ok(Outcome::Good);
        }
        say!("missing: {}", collected.missing.join(", "));
        Ok(Outcome::NotValid)
    }
}

fn index_from_environment() -> Result<usize> {
    for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
        if let Ok(value) = std::env::var(name) {
            return value.parse().with_context(|| format!("{name} is '{value}', not the number of a piece"));
        }
    }
    bail!("run needs --index (or SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX in the environment)")
}

/// A bar where there is a terminal, a line for each piece where there is none; both with the time left.
struct Display {
    bar: ProgressBar,
    total: f64,
    pieces: usize,
    begun: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Work done, and how much of it was there before we began.
    done: f64,
    found: f64,
    pieces: usize,
    working: bool,
}

impl Display {
    fn new(plan: &Plan) -> Self {
        let open = plan.pieces.iter().filter(|piece| !plan.is_complete(piece)).count();
        Display::of(plan.pieces.iter().map(|piece| plan.cost(piece)).sum(), open)
    }

    fn of(total: f64, pieces: usize) -> Self {
        let bar = ProgressBar::new(1000);
        let style = ProgressStyle::with_template("{wide_bar} {percent} %  {msg}");
        bar.set_style(style.expect("the template is well-formed"));
        Display { bar, total: total.max(1.0), pieces, begun: Instant::now(), state: Mutex::default() }
    }

    fn show(&self, event: Event) {
        let mut state = self.state.lock().expect("nobody panics with the lock");
        match event {
            Event::Began(_) => state.working = true,
            Event::Done(work) => {
                state.done += work;
                if !state.working {
                    state.found += work;
                }
                self.bar.set_position((1000.0 * state.done / self.total) as u64);
            }
            Event::Step(piece, step, steps) => {
                if step % 10 == 0 || step == steps {
                    self.bar.set_message(format!("{} step {step} of {steps}, {}", piece.name, self.left(&state)));
                }
            }
            Event::Measuring(_, name) => self.bar.set_message(format!("{name}, {}", self.left(&state))),
            Event::Ended(piece) => {
                state.pieces += 1;
                if !std::io::stderr().is_terminal() {
                    say!("{} of {}: {} is complete, {}", state.pieces, self.pieces, piece.name, self.left(&state));
                }
            }
        }
    }

    fn left(&self, state: &State) -> String {
        let (own, elapsed) = (state.done - state.found, self.begun.elapsed().as_secs_f64());
        if own <= 0.0 || elapsed < 1.0 {
            return "estimating the time left".to_owned();
        }
        let seconds = elapsed * (self.total - state.done).max(0.0) / own;
        format!("about {} left", indicatif::HumanDuration(Duration::from_secs_f64(seconds.min(1e8))))
    }
}
