//! `tiebreak solve`: several verified solutions of a person's own graph.

mod files;
mod json;
mod presentation;
mod text;

use super::choices::{AlgorithmChoice, built_in_network};
use super::graph_input::{ByName, GraphInput, edge_by_names, instance, prepare};
use super::output::spinner;
use super::{Common, Outcome};
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use files::{write_dot, write_html, write_lines};
use presentation::Presentation;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tiebreak::executor::Executor;
use tiebreak::graph::Instance;
use tiebreak::graph::io::NamedGraph;
use tiebreak::predict::Model;
use tiebreak::problems::Algorithm;
use tiebreak::solve::{Answer, Demand, Demands, EFFORT, Impossible, MEMORY, Request, SolveBy, Solved, solve_prepared};

/// Find several distinct, verified solutions of a graph
///
/// Candidates come from the built-in executor (or another model) and, where that is not enough, from the classical randomised
/// algorithm; each is checked by the exact verifier before it is shown. Says how many solutions there are where that can be
/// counted, and which edges all of them share. Exit code 1 when no solution meets the demands.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    printf 'a,b\\na,c\\nb,c\\nc,b\\n' | tiebreak solve --algorithm dfs --format csv -\n  \
    tiebreak solve roads.csv --undirected --algorithm bellman-ford --source Harbour -k 10 --html routes.html\n  \
    tiebreak solve roads.csv --undirected --algorithm bellman-ford --source Harbour --avoid Mill,Station --diverse")]
pub struct Solve {
    #[command(flatten)]
    algorithm: AlgorithmChoice,
    #[command(flatten)]
    graph: GraphInput,
    /// Name of the source, for algorithms that start somewhere
    #[arg(long)]
    source: Option<String>,
    /// Show the route to this vertex in each solution
    #[arg(long)]
    to: Option<String>,
    /// Number of solutions
    #[arg(short, long = "solutions", default_value_t = 10)]
    k: usize,
    /// Where candidates come from: `executor` or `network` (built in), `classical`, or a model file or run directory of either
    #[arg(long, default_value = "executor")]
    model: PathBuf,
    /// Never fall back to the classical algorithm
    #[arg(long)]
    only_model: bool,
    /// Enumerate solutions instead of drawing them
    #[arg(long, conflicts_with_all = ["model", "only_model"])]
    exact: bool,
    /// Choose solutions that share few edges: the mean over pairs of 2 |E ∩ F| / (|E| + |F|), made small greedily over a pool
    /// of 20 times as many or more
    #[arg(long)]
    diverse: bool,
    /// Only solutions without this tree edge, PARENT,CHILD (in an undirected graph: in neither direction; may be repeated)
    #[arg(long, value_name = "U,V")]
    avoid: Vec<String>,
    /// Only solutions with this tree edge, PARENT,CHILD (in an undirected graph: in either direction; may be repeated)
    #[arg(long, value_name = "U,V")]
    require: Vec<String>,
    /// States that exact counting may remember
    #[arg(long, default_value_t = EFFORT)]
    effort: usize,
    /// Gigabytes that a model may take; where it would take more, the classical algorithm answers
    #[arg(long, value_name = "GB", default_value_t = MEMORY >> 30)]
    memory: u64,
    /// Write the solutions as JSON Lines that `tiebreak verify` reads; - for standard output instead of the table
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Draw the solutions with Graphviz: one file each in this directory, or the first one to a file that ends in .dot
    #[arg(long, value_name = "DIR|FILE")]
    dot: Option<PathBuf>,
    /// Write one HTML page on which the solutions can be looked at
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// What `--model` stands for.
enum ModelChoice {
    BuiltInExecutor,
    Classical,
    Executor(Box<Executor>),
    Network(Box<Model>),
}

impl ModelChoice {
    fn load(path: &Path, algorithm: &'static dyn Algorithm) -> Result<Self> {
        match path.to_str() {
            Some("executor") => return Ok(ModelChoice::BuiltInExecutor),
            Some("classical") => return Ok(ModelChoice::Classical),
            Some("network") => return Ok(ModelChoice::Network(Box::new(built_in_network(algorithm)?))),
            _ => (),
        }
        if Executor::algorithm_of(path).is_none() {
            return Ok(ModelChoice::Network(Box::new(Model::load(path, Some(algorithm))?)));
        }
        let steps =
            algorithm.steps().map_err(|reason| anyhow!("there is no executor of {}: {reason}", algorithm.name()))?;
        Ok(ModelChoice::Executor(Box::new(Executor::load(steps, path)?)))
    }

    fn by(&self) -> SolveBy<'_> {
        match self {
            ModelChoice::BuiltInExecutor => SolveBy::Executor,
            ModelChoice::Classical => SolveBy::Classical,
            ModelChoice::Executor(executor) => SolveBy::TrainedExecutor(executor),
            ModelChoice::Network(model) => SolveBy::Network(model),
        }
    }
}

/// The most vertices and edges that a page can show.
const MAX_PAGE: usize = 20_000;

impl Solve {
    pub fn run(self) -> Result<Outcome> {
        let algorithm = self.algorithm.get()?;
        ensure!(self.k > 0, "-k 0: there is nothing to find");
        let named = self.graph.read()?;
        let file = || self.graph.label();
        let instance = instance(algorithm, &named, self.source.as_deref()).with_context(file)?;
        let prepared = prepare(algorithm, &named, &instance).with_context(file)?;
        let demands = self.demands(&named).with_context(file)?;
        let to = self.to.as_deref().map(|name| named.existing(name)).transpose().with_context(file)?;
        self.check_outputs(&instance)?;
        let model = ModelChoice::load(&self.model, algorithm)?;
        let request = Request {
            k: self.k,
            seed: self.common.seed,
            by: model.by(),
            only_model: self.only_model,
            exact: self.exact,
            diverse: self.diverse,
            demands,
            effort: self.effort,
            memory: self.memory.saturating_mul(1 << 30),
        };
        let alive = spinner("solving");
        let solved = self.common.on_threads(|| solve_prepared(algorithm, &*prepared, &request))?;
        alive.finish_and_clear();
        if solved.answer == Answer::Impossible(Impossible::TooMany) {
            bail!("--require: the edges may lie in too many combinations of directions; give fewer");
        }
        let (label, only_model) = (file(), self.only_model);
        let (named, instance, prepared, solved) = (&named, &instance, &*prepared, &solved);
        let shown = Presentation { algorithm, label, named, instance, prepared, solved, to, only_model };
        self.write(&shown)?;
        Ok(outcome(solved, self.only_model))
    }

    fn demands(&self, named: &NamedGraph) -> Result<Demands> {
        let demand = |option: &'static str| {
            move |text: &String| {
                let (tail, head) = edge_by_names(named, text).with_context(|| format!("{option} {text}"))?;
                Ok(Demand { tail, head, either_way: !named.directed })
            }
        };
        Ok(Demands {
            avoid: self.avoid.iter().map(demand("--avoid")).collect::<Result<_>>()?,
            require: self.require.iter().map(demand("--require")).collect::<Result<_>>()?,
        })
    }

    /// What cannot be written is said before anything is drawn.
    fn check_outputs(&self, instance: &Instance) -> Result<()> {
        let size = instance.n() + instance.graph.arc_count();
        if self.html.is_some() && size > MAX_PAGE {
            bail!("--html: {size} vertices and edges are more than the {MAX_PAGE} that a page can show");
        }
        Ok(())
    }

    fn write(&self, shown: &Presentation) -> Result<()> {
        if let Some(path) = &self.jsonl {
            write_lines(shown, path)?;
        }
        if let Some(path) = &self.dot {
            write_dot(shown, path)?;
        }
        if let Some(path) = &self.html {
            write_html(shown, path, &self.command_line())?;
        }
        let mut output = io::stdout().lock();
        match (self.common.json, self.jsonl.as_deref() == Some(Path::new("-"))) {
            (true, _) => writeln!(output, "{}", serde_json::to_string(&shown.json())?)?,
            (false, true) => (),
            (false, false) => write!(output, "{}", shown.text())?,
        }
        Ok(())
    }

    /// The command as it can be typed again.
    fn command_line(&self) -> String {
        let plain = |word: &str| word.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_./,=".contains(sign));
        let quoted = |word: String| if plain(&word) { word } else { format!("'{}'", word.replace('\'', r"'\''")) };
        let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
        format!("tiebreak {}", words.collect::<Vec<_>>().join(" "))
    }
}

/// A model that was to find something on its own and did not is no proof of anything; everything else is an answer.
fn outcome(solved: &Solved, only_model: bool) -> Outcome {
    match solved.answer {
        Answer::Found => Outcome::Good,
        Answer::NotFound if only_model => Outcome::Good,
        Answer::NotFound | Answer::Impossible(_) => Outcome::NotValid,
    }
}
