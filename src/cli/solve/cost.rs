//! `solve --cost`: weights that were learnt in place of those of the file.

use super::routes::tolerance;
use crate::cli::graph_input::{GraphInput, instance as graph_instance};
use crate::cli::item_input::{OwnInstance, TableToLearn};
use crate::cli::learn::{load_cost, load_observed};
use crate::cli::screen::say;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::path::PathBuf;
use tiebreak::instance::Instance;
use tiebreak::instance::io::{MomentKind, NamedGraph};
use tiebreak::learn::{Cell, Column, EdgeTable, LearntCost, ObservedPath};
use tiebreak::problems::Algorithm;
use tiebreak::solve::Tolerance;

/// A learnt cost.
#[derive(Args)]
pub struct CostChoice {
    /// Weights from a cost that `tiebreak learn` made; what is then called optimal is so under the learnt cost
    #[arg(long, value_name = "DIR", conflicts_with_all = ["weight", "unweighted", "round"])]
    cost: Option<PathBuf>,
    /// The context of a cost that was learnt with one, such as hour=17 [default: the mean]
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',', requires = "cost")]
    context: Vec<String>,
}

/// A graph whose weights were learnt.
pub struct CostedGraph {
    /// The graph, or the names of items.
    pub named: NamedGraph,
    /// The items, where there is no graph.
    items: Option<Instance>,
    /// The cost and what it was asked about, where it depends on a context that a question may have of its own.
    pub in_contexts: Option<(LearntCost, EdgeTable)>,
    /// How much was read, in words.
    pub summary: String,
    /// Where the vertices lie, if the file says so.
    pub positions: Option<Vec<(f64, f64)>>,
    /// Within which share of the cheapest nine of ten observed answers are, where enough were observed to tell.
    tau: Option<f64>,
}

/// How much worse than the best an answer may be.
#[derive(Clone, Copy, Debug)]
pub enum Within {
    /// By at most this share.
    Share(Tolerance),
    /// By as much as makes room for nine of ten observed answers.
    Auto,
}

impl Within {
    /// A share, or `auto`.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "auto" { Ok(Within::Auto) } else { tolerance(text).map(Within::Share) }
    }

    /// The share that is meant.
    pub fn tolerance(self, costed: Option<&CostedGraph>) -> Result<Tolerance> {
        match (self, costed) {
            (Within::Share(share), _) => Ok(share),
            (Within::Auto, None) => bail!("--within auto needs a learnt --cost; give a share, such as 5%"),
            (Within::Auto, Some(CostedGraph { tau: None, .. })) => {
                bail!(
                    "--within auto: too few observations were held out to say how far answers stray; give a share, such as 5%"
                )
            }
            // Rounded up, so that the statement still holds.
            (Within::Auto, Some(CostedGraph { tau: Some(tau), .. })) => {
                let text = format!("{:.4}", (tau * 1e4).ceil() / 1e4);
                tolerance(&text).map_err(|error| anyhow!("--within auto: {error}"))
            }
        }
    }
}

impl CostedGraph {
    /// What the algorithm takes.
    pub fn instance(self, algorithm: &dyn Algorithm, source: Option<&str>) -> Result<OwnInstance> {
        let CostedGraph { named, items, summary, positions, .. } = self;
        let instance = items.map_or_else(|| graph_instance(algorithm, &named, source), Ok)?;
        Ok(OwnInstance { named, instance, summary, positions, written: MomentKind::Number })
    }
}

impl CostChoice {
    /// Whether there is one.
    pub fn is_given(&self) -> bool {
        self.cost.is_some()
    }

    /// The graph or the items with learnt weights, if there is a cost; says what a person should know about it.
    pub fn read(&self, input: &GraphInput, algorithm: &'static dyn Algorithm) -> Result<Option<CostedGraph>> {
        let Some(directory) = &self.cost else { return Ok(None) };
        let cost = load_cost(directory)?;
        let TableToLearn { table, size, directed } = input.table_to_learn(Some(algorithm), &cost.card.table_columns)?;
        let context = self.context(&cost)?;
        let costs = cost.costs(&table, &context).map_err(|reason| anyhow!("{}: {reason}", input.label()))?;
        let items = match &table.items {
            Some(items) => Some(items.weighted(&costs.weights).with_context(|| input.label())?),
            None => None,
        };
        let graph = match &items {
            Some(items) => items.graph.clone(),
            None => table.weighted(&costs.weights).with_context(|| input.label())?,
        };
        let what = if items.is_some() { "weights are learnt" } else { "lengths are under the learnt cost" };
        let unit =
            format!("{what}, in units of 1/{} of {}", cost.card.scale.0, if items.is_some() { "one" } else { "it" });
        let tau = cost.card.tau.map(|tau| {
            format!("an observed answer is within {:.1} % of the best with probability .9, if new ones are like those learnt from", 100.0 * tau)
        });
        let notes = [unit].into_iter().chain(tau).chain(costs.notes);
        notes.for_each(|note| say!("{}: {note}", input.label()));
        let summary = format!("{size}, weights from the learnt cost {}", directory.display());
        let named = NamedGraph { graph, names: table.names.clone(), directed };
        let (tau, positions) = (cost.card.tau, table.positions.clone());
        let in_contexts = (!cost.card.contexts.columns.is_empty()).then_some((cost, table));
        Ok(Some(CostedGraph { named, items, in_contexts, summary, positions, tau }))
    }

    /// The routes that the cost was learnt from.
    pub fn observed(&self) -> Result<Vec<ObservedPath>> {
        self.cost.as_deref().map_or(Ok(vec![]), load_observed)
    }

    fn context(&self, cost: &LearntCost) -> Result<Vec<Column>> {
        let known = cost.context_names();
        let column = |text: &String| {
            let (name, value) =
                text.split_once('=').with_context(|| format!("--context {text}: it takes key=value"))?;
            if !known.contains(&name) {
                let learnt =
                    if known.is_empty() { "no context".to_owned() } else { format!("`{}`", known.join("`, `")) };
                bail!("--context {text}: the cost was learnt with {learnt}");
            }
            let cell = value.parse().map_or_else(|_| Cell::Word(value.to_owned()), Cell::Number);
            Ok(Column { name: name.to_owned(), cells: vec![cell] })
        };
        self.context.iter().map(column).collect()
    }
}
