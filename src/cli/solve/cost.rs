//! `solve --cost`: weights that were learnt in place of those of the file.

use super::routes::tolerance;
use crate::cli::graph_input::GraphInput;
use crate::cli::learn::load_cost;
use crate::cli::screen::say;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::path::PathBuf;
use tiebreak::instance::io::NamedGraph;
use tiebreak::learn::{Cell, Column, EdgeTable, LearntCost};
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
    /// The graph.
    pub named: NamedGraph,
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

impl CostChoice {
    /// Whether there is one.
    pub fn is_given(&self) -> bool {
        self.cost.is_some()
    }

    /// The graph with learnt weights, if there is a cost; says what a person should know about it.
    pub fn read(&self, input: &GraphInput) -> Result<Option<CostedGraph>> {
        let Some(directory) = &self.cost else { return Ok(None) };
        let cost = load_cost(directory)?;
        let reading = input.reading_of_columns(&cost.card.table_columns)?;
        let table = EdgeTable::of(&reading);
        let context = self.context(&cost)?;
        let costs = cost.costs(&table, &context).map_err(|reason| anyhow!("{}: {reason}", input.label()))?;
        let graph = table.weighted(&costs.weights).with_context(|| input.label())?;
        let unit = format!("lengths are under the learnt cost, in units of 1/{} of it", cost.card.scale.0);
        let tau = cost.card.tau.map(|tau| {
            format!("an observed answer is within {:.1} % of the cheapest with probability .9, if new ones are like those learnt from", 100.0 * tau)
        });
        let notes = [unit].into_iter().chain(tau).chain(costs.notes);
        notes.for_each(|note| say!("{}: {note}", input.label()));
        let summary = format!("{}, weights from the learnt cost {}", reading.size(), directory.display());
        let positions = reading.file.positions.clone();
        let named = NamedGraph { graph, names: table.names, directed: reading.directed };
        Ok(Some(CostedGraph { named, summary, positions, tau: cost.card.tau }))
    }

    fn context(&self, cost: &LearntCost) -> Result<Vec<Column>> {
        let known: Vec<&str> = cost.card.contexts.columns.iter().map(|column| column.name.as_str()).collect();
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
