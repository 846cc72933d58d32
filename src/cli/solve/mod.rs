//! `tiebreak solve`: several verified solutions of a person's own graph.

mod cost;
mod files;
mod json;
mod near;
mod presentation;
mod queries;
mod routes;
mod text;

use super::choices::{AlgorithmChoice, built_in_network};
use super::graph_input::{ByName, GraphInput, edge_by_names, prepare};
use super::item_input::OwnInstance;
use super::output::{folded, spinner, terminal_width, write_output};
use super::screen::say;
use super::what_was_read::what_was_read;
use super::{Common, Outcome, screen};
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use cost::{CostChoice, Within};
use files::{write_dot, write_html, write_lines, write_svg};
use presentation::Presentation;
use routes::{RouteAnswer, find_routes, tolerance, without_avoided};
use std::io::Write;
use std::path::{Path, PathBuf, absolute};
use tiebreak::answers::Form;
use tiebreak::instance::Instance;
use tiebreak::instance::io::{MomentKind, NamedGraph};
use tiebreak::memory;
use tiebreak::neural::executor::Executor;
use tiebreak::neural::predict::Model;
use tiebreak::problems::Algorithm;
use tiebreak::report::{SecondsOf, plot};
use tiebreak::solve::Tolerance;
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
    tiebreak solve roads.csv --undirected --algorithm bellman-ford --source Harbour --avoid Mill,Station --diverse\n  \
    printf 'task,deadline,weight\\nwash,1,3\\ncook,1,3\\n' | tiebreak solve --algorithm task-scheduling --format csv -\n  \
    tiebreak solve roads.csv --undirected --algorithm dijkstra --source Harbour --to Museum -k 5\n  \
    tiebreak solve roads.csv --undirected --algorithm dijkstra --source Harbour --to Museum --within 5%\n  \
    tiebreak solve roads.csv --undirected --algorithm dijkstra --queries pairs.jsonl --jsonl routes.jsonl")]
pub struct Solve {
    #[command(flatten)]
    algorithm: AlgorithmChoice,
    #[command(flatten)]
    graph: GraphInput,
    #[command(flatten)]
    cost: CostChoice,
    /// Name of the source, for algorithms that start somewhere; a depth-first search with ordered restarts may be given one
    #[arg(long)]
    source: Option<String>,
    /// For shortest paths: find the k shortest routes to this vertex, not trees. Otherwise: show the way to it in each solution
    #[arg(long)]
    to: Option<String>,
    /// Answers that are worse than the best by at most this share, such as 5%: all routes that are, or trees. With --cost, `auto`: as
    /// much as makes room for nine of ten observed answers
    #[arg(long, value_name = "SHARE", value_parser = Within::parse, allow_hyphen_values = true)]
    within: Option<Within>,
    /// What `within` comes to.
    #[arg(skip)]
    tolerance: Option<Tolerance>,
    /// What two routes may have in common with --diverse, as a share of the shorter one's length [default: 50%]
    #[arg(long, value_name = "SHARE", value_parser = tolerance, requires = "diverse")]
    share: Option<Tolerance>,
    /// Routes for many pairs: a file with a line {"from":"A","to":"B"} for each; the answers go to --jsonl, or to standard output
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
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
    /// Only solutions without this edge, PARENT,CHILD (in an undirected graph: in neither direction), or this item (may be repeated)
    #[arg(long, value_name = "U,V|ITEM")]
    avoid: Vec<String>,
    /// Only solutions with this edge, PARENT,CHILD (in an undirected graph: in either direction), or this item (may be repeated)
    #[arg(long, value_name = "U,V|ITEM")]
    require: Vec<String>,
    /// Only orders in which U comes somewhere before V (may be repeated)
    #[arg(long, value_name = "U,V")]
    before: Vec<String>,
    /// States that exact counting may remember
    #[arg(long, default_value_t = EFFORT)]
    effort: usize,
    /// Gigabytes that a model may take, and all answers together: where a model would take more, the classical algorithm
    /// answers; where the answers would, it stops at fewer than asked for
    #[arg(long, value_name = "GB", default_value_t = MEMORY >> 30)]
    memory: u64,
    /// Write the solutions as JSON Lines that `tiebreak verify` reads; - for standard output instead of the table
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Draw the solutions with Graphviz: one file each in this directory, or the first one to a file that ends in .dot
    #[arg(long, value_name = "DIR|FILE")]
    dot: Option<PathBuf>,
    /// Draw the solutions side by side in one image, for graphs of up to 60 vertices
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
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
    fn memory_bytes(&self) -> u64 {
        self.memory.saturating_mul(1 << 30)
    }

    pub fn run(mut self) -> Result<Outcome> {
        let algorithm = if self.cost.is_given() { self.algorithm.get_or_routes()? } else { self.algorithm.get()? };
        ensure!(self.k > 0, "-k 0: there is nothing to find");
        self.check_distinct_outputs()?;
        let costed = self.cost.read(&self.graph, algorithm)?;
        self.tolerance = self.within.map(|within| within.tolerance(costed.as_ref())).transpose()?;
        if let Some(queries) = &self.queries {
            let (named, summary, in_contexts) = match costed {
                Some(costed) => (costed.named, costed.summary, costed.in_contexts),
                None => {
                    let (named, read) = self.graph.read_for(algorithm)?;
                    (named, read.summary, None)
                }
            };
            say!("{summary}");
            return self.answer_queries(algorithm, &named, in_contexts.as_ref(), queries);
        }
        let file = || self.graph.label();
        let OwnInstance { named, instance, summary, positions, written } = match costed {
            Some(costed) => costed.instance(algorithm, self.source.as_deref()).with_context(file)?,
            None => self.graph.read_instance(algorithm, self.source.as_deref())?,
        };
        let prepared = prepare(algorithm, &named, &instance).with_context(file)?;
        let demands = self.demands(algorithm.problem().form, &named).with_context(file)?;
        let to = self.to.as_deref().map(|name| named.existing(name)).transpose().with_context(file)?;
        ensure!(to.is_none() || algorithm.problem().form == Form::Parents, "--to: only parents lead to a vertex");
        self.check_outputs(algorithm, &instance)?;
        let read = what_was_read(&summary, &named.names, &instance);
        say!("{read}");
        let allowed = without_avoided(&instance.graph, &demands);
        let find = |to| find_routes(algorithm, &named, &instance, &allowed, to, self.route_request(), &demands);
        let mut routes = match to.filter(|_| algorithm.problem().measures_paths) {
            Some(to) => Some(self.common.on_threads(|| find(to))?.with_context(file)?),
            None => None,
        };
        if let Some(routes) = routes.as_mut().filter(|_| self.html.is_some()) {
            routes.add_observed(&self.cost.observed()?);
        }
        if let Some(routes) =
            routes.as_ref().filter(|_| self.html.is_none() && self.dot.is_none() && self.svg.is_none())
        {
            return self.write_routes(routes, &read);
        }
        let within = self.tolerance.filter(|_| routes.is_none());
        if within.is_some() {
            let why = |reason| anyhow!("--within has no meaning for {}: {reason}", algorithm.name());
            prepared.space().takes_tolerance().map_err(why)?;
            ensure!(demands.is_empty(), "--within takes no --avoid and no --require, except for routes (--to)");
        }
        let model = ModelChoice::load(&self.model, algorithm)?;
        let request = Request {
            k: self.k,
            seed: self.common.seed,
            by: model.by(),
            only_model: self.only_model,
            exact: self.exact,
            diverse: self.diverse,
            demands: demands.clone(),
            within,
            effort: self.effort,
            memory: self.memory_bytes(),
        };
        memory::check(
            "so many solutions",
            request.solutions_memory(algorithm, &instance),
            "ask for fewer with -k, or allow less with --memory",
        )?;
        let alive = spinner("solving");
        let solved = self.common.on_threads(|| solve_prepared(algorithm, &*prepared, &request))?;
        alive.finish_and_clear();
        if solved.answer == Answer::Impossible(Impossible::TooMany) {
            bail!("--require: the edges may lie in too many combinations of directions; give fewer");
        }
        let (label, only_model, has_demands) = (file(), self.only_model, !demands.is_empty());
        let (named, instance, prepared, solved) = (&named, &instance, &*prepared, &solved);
        let (seconds_of, learnt) = (seconds_of(written), self.cost.is_given());
        let shown = Presentation {
            algorithm,
            label,
            named,
            instance,
            prepared,
            solved,
            seconds_of,
            to,
            within,
            only_model,
            has_demands,
            learnt,
        };
        self.write_files(&shown, routes.as_ref(), positions)?;
        if let Some(routes) = &routes {
            return self.write_routes(routes, &read);
        }
        self.write(&shown)?;
        Ok(outcome(solved, self.only_model))
    }

    fn write_routes(&self, answer: &RouteAnswer, read: &str) -> Result<Outcome> {
        if let Some(path) = &self.jsonl {
            write_output(Some(path), format!("{}\n", answer.line()).as_bytes())?;
            say_written(path);
        }
        let mut output = screen::stdout();
        match (self.common.json, self.jsonl.as_deref() == Some(Path::new("-"))) {
            (true, _) => writeln!(output, "{}", answer.json(&self.graph.label(), read))?,
            (false, true) => (),
            (false, false) => write!(output, "{}", answer.text())?,
        }
        output.flush()?;
        Ok(if answer.found.routes.is_empty() { Outcome::NotValid } else { Outcome::Good })
    }

    fn demands(&self, form: Form, named: &NamedGraph) -> Result<Demands> {
        let demand = |option: &'static str| {
            move |text: &String| {
                demand_by_name(form, named, text).with_context(|| format!("{option} {}", screen::in_line(text)))
            }
        };
        let before = |text: &String| {
            ensure!(
                form == Form::Order,
                "--before {}: only orders have earlier and later vertices",
                screen::in_line(text)
            );
            edge_by_names(named, text).with_context(|| format!("--before {}", screen::in_line(text)))
        };
        Ok(Demands {
            avoid: self.avoid.iter().map(demand("--avoid")).collect::<Result<_>>()?,
            require: self.require.iter().map(demand("--require")).collect::<Result<_>>()?,
            before: self.before.iter().map(before).collect::<Result<_>>()?,
        })
    }

    /// Of two outputs with one name, the second would take the place of the first.
    fn check_distinct_outputs(&self) -> Result<()> {
        let outputs = [("--jsonl", &self.jsonl), ("--dot", &self.dot), ("--svg", &self.svg), ("--html", &self.html)];
        let mut seen: Vec<(&str, PathBuf)> = vec![];
        for (option, path) in outputs.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?))) {
            // `./x` is `x`; a path that cannot be resolved is taken as it is.
            let whole = absolute(path).unwrap_or_else(|_| path.clone());
            if let Some((other, _)) = seen.iter().find(|(_, known)| *known == whole) {
                bail!("{other} and {option} both name {}: give each its own file", path.display());
            }
            seen.push((option, whole));
        }
        Ok(())
    }

    /// What cannot be written is said before anything is drawn.
    fn check_outputs(&self, algorithm: &dyn Algorithm, instance: &Instance) -> Result<()> {
        if self.svg.is_some() {
            let (name, n, most) = (algorithm.problem().name, instance.n(), plot::MOST_VERTICES);
            ensure!(algorithm.problem().form == Form::Parents, "--svg draws trees; {name} go to --dot and --html");
            ensure!(n <= most, "--svg: {n} vertices are more than the {most} of a readable image; see --html");
        }
        let size = instance.n() + instance.graph.arc_count();
        if self.html.is_some() && size > MAX_PAGE {
            let what = if instance.items.is_some() { "items" } else { "vertices and edges" };
            bail!("--html: {size} {what} are more than the {MAX_PAGE} that a page can show");
        }
        Ok(())
    }

    /// Drawings and the page; says what was written.
    fn write_files(
        &self,
        shown: &Presentation,
        routes: Option<&RouteAnswer>,
        positions: Option<Vec<(f64, f64)>>,
    ) -> Result<()> {
        if let Some(path) = &self.dot {
            write_dot(shown, path)?;
            say!("written: {}", path.display());
        }
        if let Some(path) = &self.svg {
            write_svg(shown, positions.as_deref(), path)?;
            say!("written: {}", path.display());
        }
        if let Some(path) = &self.html {
            write_html(shown, routes, positions.as_deref(), path, &self.command_line())?;
            say!("written: {} (open it in a browser)", path.display());
        }
        Ok(())
    }

    fn write(&self, shown: &Presentation) -> Result<()> {
        if let Some(path) = &self.jsonl {
            write_lines(shown, path)?;
            say_written(path);
        }
        let mut output = screen::stdout();
        match (self.common.json, self.jsonl.as_deref() == Some(Path::new("-"))) {
            (true, _) => writeln!(output, "{}", serde_json::to_string(&shown.json())?)?,
            (false, true) => (),
            (false, false) => {
                write!(output, "{}{}", folded(&shown.text(), terminal_width()), shown.near_ties())?;
            }
        }
        Ok(output.flush()?)
    }

    /// The command as it can be typed again.
    fn command_line(&self) -> String {
        let plain = |word: &str| word.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_./,=".contains(sign));
        let quoted = |word: String| if plain(&word) { word } else { format!("'{}'", word.replace('\'', r"'\''")) };
        let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
        format!("tiebreak {}", words.collect::<Vec<_>>().join(" "))
    }
}

/// What the seconds are counted from that stand for dates and times.
fn seconds_of(written: MomentKind) -> Option<SecondsOf> {
    match written {
        MomentKind::Number => None,
        MomentKind::Local | MomentKind::Zoned => Some(SecondsOf::Dates),
        MomentKind::Clock => Some(SecondsOf::Day),
    }
}

/// What a person asks for or against: an edge or an item.
fn demand_by_name(form: Form, named: &NamedGraph, text: &str) -> Result<Demand> {
    match form {
        Form::Items => Ok(Demand::Item(named.existing(text)?)),
        Form::Order => bail!("an order has no edges of its own; ask with --before U,V"),
        Form::Parents | Form::Edges => {
            let (tail, head) = edge_by_names(named, text)?;
            Ok(Demand::Edge { tail, head, either_way: !named.directed })
        }
    }
}

fn say_written(path: &Path) {
    if path != Path::new("-") {
        say!("written: {}", path.display());
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
