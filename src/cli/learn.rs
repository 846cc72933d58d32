//! `tiebreak learn`: a cost from observed answers, as a directory with an account of it.

use super::choices::names;
use super::graph_input::GraphInput;
use super::output::{open_input, spinner, table};
use super::{Common, Outcome, screen};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tiebreak::files::{
    self, Lock, WriteFileError, append_to_log, log_line, make_directory, read_log, read_text_if_there, remove_if_empty,
    write_atomically,
};
use tiebreak::learn::{
    Account, AccountWords, EdgeTable, FitScore, Freedom, HIDDEN, LEVEL, LearnRequest, Learnt, LearntCost, Loss,
    ObservationOptions, ObservedPath, Predictor, Trial, learn, read_observations,
};
use tiebreak::problems::by_name;

/// Learn what edges cost from answers that people chose
///
/// Reads a graph whose edges have several columns, and observed answers, one JSON object a line: {"path":["A","C","B"]}. Finds positive costs under which they are likely:
/// a function of the columns and, held back as far as held-out observations ask for it, terms of vertices and edges of their own. The result is a directory for
/// `tiebreak solve --cost`, with an account: what each column does, how well observations that were held out are explained, and tau, the share within which an
/// observed answer lies of the cheapest with probability .9.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    tiebreak learn roads.csv --columns from,to --features length,class,oneway,turn --observed trips.jsonl --out cost\n  \
    tiebreak solve roads.csv --cost cost --source A --to B -k 5 --within auto --html routes.html")]
pub struct Learn {
    #[command(flatten)]
    graph: GraphInput,
    /// Where items are selected and no edges: the algorithm that selects them by weights that are learnt
    #[arg(long, short, value_parser = names())]
    algorithm: Option<String>,
    /// Columns of edges that the cost may depend on [default: all but those that tell edges apart]
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    features: Vec<String>,
    /// Observed answers, one JSON object a line: {"path":["A","C","B"]}; "?" in a path is a gap; - for standard input
    #[arg(long, value_name = "FILE")]
    observed: PathBuf,
    /// Keys of the observations that are their context, such as hour; they interact with the columns of edges
    #[arg(long, value_delimiter = ',', value_name = "KEY,…")]
    context: Vec<String>,
    /// Fill steps that are no edges with the cheapest way, as between points of a GPS track
    #[arg(long)]
    gaps: bool,
    /// What is made small: the likelihood of a recursive logit (routes only), or a perturbed Fenchel-Young loss [default: whichever is better on
    /// held-out observations]
    #[arg(long, value_enum)]
    loss: Option<LossKind>,
    /// What columns go through: a linear map or a small perceptron [default: whichever is better on held-out observations]
    #[arg(long, value_enum)]
    model: Option<ModelKind>,
    /// Whether vertices and edges have terms of their own [default: if that is better on held-out observations]
    #[arg(long, value_name = "YES|NO", num_args = 0..=1, default_missing_value = "yes", value_parser = yes_or_no)]
    per_edge: Option<bool>,
    /// One quick fit of the columns, without terms, calibration and held-out figures; nothing is chosen but the penalty on a context
    #[arg(long, conflicts_with = "per_edge")]
    fit_only: bool,
    /// A column of what edges truly cost: nothing is learnt from it, but answers are measured by it (regret)
    #[arg(long, value_name = "COLUMN")]
    true_cost: Option<String>,
    /// Bootstrap samples for the intervals of effects
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u16).range(..=10_000))]
    bootstrap: u16,
    /// Directory for the cost
    #[arg(long, short)]
    out: PathBuf,
    /// Go on with a run of the same command that was stopped
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, ValueEnum)]
enum LossKind {
    Likelihood,
    FenchelYoung,
}

#[derive(Clone, Copy, ValueEnum)]
enum ModelKind {
    Linear,
    Mlp,
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        _ => Err("it takes yes or no".to_owned()),
    }
}

/// What a run depends on; it is not resumed with anything else.
#[derive(Serialize, Deserialize, PartialEq)]
struct RunSettings {
    graph: String,
    observed: String,
    vertices: usize,
    edges: usize,
    observations: usize,
    features: Vec<String>,
    context: Vec<String>,
    gaps: bool,
    loss: String,
    model: String,
    per_edge: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    fit_only: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    true_cost: Option<String>,
    bootstrap: usize,
    seed: u64,
}

impl Learn {
    pub fn run(self) -> Result<Outcome> {
        let algorithm = self.algorithm.as_deref().map(|name| by_name(name).expect("the parser knows the algorithms"));
        let roads = self.graph.table_to_learn(algorithm, &[])?.table;
        let prepared = roads.items.as_ref().map(|items| items.algorithm.prepare(&items.instance)).transpose()?;
        let sets = prepared.as_ref().map(|prepared| prepared.space());
        let options = ObservationOptions { contexts: &self.context, gaps: self.gaps, sets };
        let label = self.observed.display().to_string();
        let observed = read_observations(open_input(&self.observed)?, &label, &roads.graph, &roads.names, &options)?;
        let settings = self.settings(&roads, observed.answers.len());
        let (mut directory, earlier) = CostDirectory::take(&self.out, &settings, self.resume)?;
        let request = LearnRequest {
            features: self.features.clone(),
            freedom: Freedom {
                loss: self.loss.map(LossKind::loss),
                predictor: self.model.map(ModelKind::predictor),
                per_edge: self.per_edge,
            },
            fit_only: self.fit_only,
            true_cost: self.true_cost.clone(),
            bootstrap: self.bootstrap.into(),
            seed: self.common.seed,
            table_columns: self.graph.columns().to_vec(),
        };
        let alive = spinner("trials of recipes:");
        let mut tell = |trial: &Trial| {
            alive.inc(1);
            directory.add(trial);
        };
        let learnt = self.common.on_threads(|| learn(&roads, &observed, &request, earlier, &mut tell))?;
        alive.finish_and_clear();
        let learnt = learnt.with_context(|| label.clone())?;
        directory.finish()?;
        self.write(&learnt)?;
        Ok(Outcome::Good)
    }

    fn settings(&self, roads: &EdgeTable, observations: usize) -> RunSettings {
        let chosen = |value: Option<String>| value.unwrap_or_else(|| "chosen on held-out observations".to_owned());
        RunSettings {
            graph: self.graph.label(),
            observed: self.observed.display().to_string(),
            vertices: roads.graph.n(),
            edges: roads.ends.len(),
            observations,
            features: self.features.clone(),
            context: self.context.clone(),
            gaps: self.gaps,
            loss: chosen(self.loss.map(|loss| format!("{:?}", loss.loss()))),
            model: chosen(self.model.map(|model| format!("{:?}", model.predictor()))),
            per_edge: chosen(self.per_edge.map(|own| own.to_string())),
            fit_only: self.fit_only,
            true_cost: self.true_cost.clone(),
            bootstrap: self.bootstrap.into(),
            seed: self.common.seed,
        }
    }

    fn write(&self, learnt: &Learnt) -> Result<()> {
        let text = account_text(&learnt.account, &learnt.cost);
        write_atomically(
            &self.out.join("account.json"),
            format!("{}\n", serde_json::to_string_pretty(&learnt.account)?).as_bytes(),
        )?;
        write_atomically(&self.out.join("account.txt"), text.as_bytes())?;
        if !learnt.observed.is_empty() {
            let lines: String = learnt.observed.iter().map(log_line).collect();
            write_atomically(&self.out.join(OBSERVED), lines.as_bytes())?;
        }
        write_atomically(&self.out.join(COST), &learnt.cost.to_bytes())?;
        let mut output = screen::stdout();
        match self.common.json {
            true => writeln!(output, "{}", serde_json::to_string(&learnt.account)?)?,
            false => write!(output, "{text}\ncost: {}\n", self.out.display())?,
        }
        Ok(output.flush()?)
    }
}

/// The directory of a run, which nobody else writes to meanwhile. Its log, a line for each trial, is also its checkpoint.
struct CostDirectory<'a> {
    path: &'a Path,
    settings: String,
    begun: bool,
    failed: Option<WriteFileError>,
    lock: Option<Lock>,
    is_new: bool,
}

impl<'a> CostDirectory<'a> {
    /// Locks the directory; also gives the trials of a run that was stopped. Nothing is written before there is something to keep.
    fn take(path: &'a Path, settings: &RunSettings, resume: bool) -> Result<(Self, Vec<Trial>)> {
        let is_new = !path.exists();
        make_directory(path)?;
        let lock = Some(Lock::directory(path)?);
        let settings = toml::to_string(settings)?;
        let mut directory = CostDirectory { path, settings, begun: false, failed: None, lock, is_new };
        let (about, log) = (path.join(SETTINGS), path.join(LOG));
        let old = read_text_if_there(&about).with_context(|| format!("cannot read {}", about.display()))?;
        let Some(old) = old else { return Ok((directory, vec![])) };
        ensure!(
            resume,
            "{} already holds a cost; --resume goes on with it, or choose another directory",
            path.display()
        );
        ensure!(old == directory.settings, "--resume: {} is of another command or of other data", about.display());
        directory.begun = true;
        let trials: Vec<Trial> = read_log(&log)?;
        // A line that a kill cut off is written again.
        write_atomically(&log, trials.iter().map(log_line).collect::<String>().as_bytes())?;
        Ok((directory, trials))
    }

    /// Keeps a trial. A failure is told at the end: what was learnt so far is not lost.
    fn add(&mut self, trial: &Trial) {
        if self.failed.is_none() {
            self.failed = self.begin().and_then(|()| append_to_log(&self.path.join(LOG), trial)).err();
        }
    }

    fn begin(&mut self) -> Result<(), WriteFileError> {
        if !self.begun {
            write_atomically(&self.path.join(SETTINGS), self.settings.as_bytes())?;
            self.begun = true;
        }
        Ok(())
    }

    /// The settings are there, even if there was no trial, and everything was written.
    fn finish(&mut self) -> Result<(), WriteFileError> {
        self.failed.take().map_or(Ok(()), Err)?;
        self.begin()
    }
}

impl Drop for CostDirectory<'_> {
    /// A directory that was made for nothing goes.
    fn drop(&mut self) {
        self.lock = None;
        if self.is_new {
            remove_if_empty(self.path);
        }
    }
}

const SETTINGS: &str = "settings.toml";
const LOG: &str = "log.jsonl";
const COST: &str = "cost.safetensors";
const OBSERVED: &str = "observed.jsonl";

/// The routes that a cost was learnt from, as far as they were kept.
pub fn load_observed(directory: &Path) -> Result<Vec<ObservedPath>> {
    Ok(read_log(&directory.join(OBSERVED))?)
}

/// Reads the cost of a directory of `tiebreak learn`.
pub fn load_cost(directory: &Path) -> Result<LearntCost> {
    let path = directory.join(COST);
    let bytes = files::read(&path).with_context(|| match directory.join(SETTINGS).exists() {
        true => format!(
            "--cost {}: its training did not end; `tiebreak learn --resume` goes on with it",
            directory.display()
        ),
        false => format!("--cost {}: it is no directory of `tiebreak learn`", directory.display()),
    })?;
    LearntCost::from_bytes(&bytes).map_err(|reason| anyhow::anyhow!("{} is damaged: {reason}", path.display()))
}

impl LossKind {
    fn loss(self) -> Loss {
        match self {
            LossKind::Likelihood => Loss::Likelihood,
            LossKind::FenchelYoung => Loss::FenchelYoung,
        }
    }
}

impl ModelKind {
    fn predictor(self) -> Predictor {
        match self {
            ModelKind::Linear => Predictor::Linear,
            ModelKind::Mlp => Predictor::Mlp(HIDDEN),
        }
    }
}

/// The account for people.
fn account_text(account: &Account, cost: &LearntCost) -> String {
    let mut out = String::new();
    let predictor = match account.recipe.predictor {
        Predictor::Linear => "a linear map of the columns".to_owned(),
        Predictor::Mlp(hidden) => format!("a perceptron of {hidden} units over the columns"),
    };
    let loss = match account.recipe.loss {
        Loss::Likelihood => "the likelihood of a recursive logit",
        Loss::FenchelYoung => "a perturbed Fenchel-Young loss",
    };
    let term =
        |what: &str, penalty: Option<f64>| penalty.map(|penalty| format!("a term for each {what} (penalty {penalty})"));
    let terms: Vec<String> = [term("vertex", account.recipe.vertex_penalty), term("edge", account.recipe.edge_penalty)]
        .into_iter()
        .flatten()
        .collect();
    let terms = if terms.is_empty() { String::new() } else { format!(", {}", terms.join(", ")) };
    let (observations, learnt) = (account.observations, account.words().learnt);
    let _ = writeln!(out, "A {learnt} learnt from {observations} observations: {predictor}{terms}; by {loss}.");
    let _ = writeln!(out, "A {learnt} of 1 is {} whole-number units.\n", cost.card.scale.0);
    add_effects(&mut out, account);
    add_fit(&mut out, account);
    add_calibration(&mut out, account);
    for note in &account.notes {
        let _ = writeln!(out, "note: {note}");
    }
    out
}

fn add_effects(out: &mut String, account: &Account) {
    let rows = account.effects.iter().map(|effect| {
        let interval = effect.interval.map_or("–".to_owned(), |(low, high)| format!("{low:+.1} to {high:+.1}"));
        vec![effect.name.clone(), format!("{:+.1}", effect.percent), interval]
    });
    let of_mean = format!("% of the mean {}", account.words().learnt);
    let _ = writeln!(out, "{}", table(&["column", &of_mean, "90 % of bootstrap samples"], rows));
    let _ = writeln!(
        out,
        "(per one standard deviation more of a number, or for a word in place of the most frequent one)\n"
    );
}

fn add_fit(out: &mut String, account: &Account) {
    let learnt = account.words().learnt;
    let row = |name: String, fit: &FitScore| {
        let figures = account.fit_figures(fit).into_iter().map(|figure| format!("{figure:.3}"));
        [name].into_iter().chain(figures).collect()
    };
    let held_out = account.held_out.iter().map(|fit| row(format!("learnt {learnt} (held-out observations)"), fit));
    let baselines = account.baselines.iter().map(|baseline| row(format!("`{}` alone", baseline.column), &baseline.fit));
    let header: Vec<String> = [learnt.to_owned()].into_iter().chain(account.fit_columns()).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let _ = writeln!(out, "{}\n", table(&header, held_out.chain(baselines)));
}

fn add_calibration(out: &mut String, account: &Account) {
    let Some(calibration) = &account.calibration else { return };
    let AccountWords { learnt, answer, best, .. } = account.words();
    let (percent, level) = (100.0 * calibration.tau, 100.0 * LEVEL);
    let _ = writeln!(
        out,
        "Under the learnt {learnt} an observed {answer} is within {percent:.1} % of the {best} with probability {level:.0} % (tau), if new ones are like these."
    );
    if let Some(fresh) = calibration.fresh_coverage() {
        let list: Vec<String> = calibration.fresh.iter().map(|share| format!("{:.0} %", 100.0 * share)).collect();
        let verdict = match fresh - LEVEL {
            more if more > 0.03 => "which is more than promised",
            less if less < -0.03 => "which does not agree: be careful with it",
            _ => "which agrees",
        };
        let _ = writeln!(
            out,
            "Fresh folds, each against the tau of the others: {} ({:.1} % in all), {verdict}.",
            list.join(", "),
            100.0 * fresh
        );
    }
}
