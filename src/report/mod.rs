//! Stage 5: what a reader sees. Tables, figures, training curves and instances with their candidates, as plain data.
//!
//! Whoever has something to show fills these types ([`Results`], [`Page`]); whoever draws them knows nothing of
//! experiments or algorithms. An experiment's directory holds its [`Results`] as `results.json`.

mod compare;
mod exhibit;
mod learnt;
mod load;
mod making;
mod page;
pub mod plot;
mod showcase;
pub mod table;

pub use compare::side_by_side;
pub use exhibit::{
    Broken, Draw, Execution, Exhibit, ExhibitEdge, SecondsOf, ShownDistribution, ShownItems, ShownRoute, Step,
};
pub use load::{LoadError, Loaded, load, page_of};
pub use making::path_lengths_in_words;
pub use page::html;
pub use showcase::showcase;

use crate::neural::train::{LogLine, TrainSettings};
use serde::{Deserialize, Serialize};

/// All that one experiment found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Results {
    /// The experiment's name, as on the command line.
    pub name: String,
    /// What it asks, in a sentence or two.
    pub about: String,
    /// What it found, in a sentence or two.
    pub found: String,
    /// The command that made it.
    pub command: String,
    /// Its tables.
    pub tables: Vec<Table>,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Instances to look at.
    pub exhibits: Vec<Exhibit>,
}

/// A table: text in the first columns, then numbers beside the paper's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Table {
    /// Unique within a page; also a file name.
    pub name: String,
    /// The caption.
    pub title: String,
    /// The label of the paper's table.
    pub paper_label: Option<String>,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The rows, each with as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
    /// Counts, seeds, definitions, and why ours differs from the paper's.
    pub notes: Vec<String>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A name, a size, a remark; empty where there is nothing to say.
    Text(String),
    /// A measured figure.
    Number(Number),
}

/// A measured figure, and the paper's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Number {
    /// Ours: a mean over seeds, where there are several. None: not measured.
    pub ours: Option<f64>,
    /// The standard deviation over seeds.
    pub deviation: Option<f64>,
    /// The paper's figure.
    pub paper: Option<f64>,
    /// Decimals to show.
    pub decimals: usize,
}

/// A figure of one or several panels.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Figure {
    /// Unique within a page; also a file name.
    pub name: String,
    /// The caption.
    pub title: String,
    /// The label of the paper's figure.
    pub paper_label: Option<String>,
    /// The panels, side by side.
    pub panels: Vec<Panel>,
    /// Counts, seeds, definitions, and why ours differs from the paper's.
    pub notes: Vec<String>,
}

/// One pair of axes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: String,
    /// The vertical axis.
    pub y: String,
    /// Names of the places 0, 1, … on the horizontal axis, where it has names instead of numbers: then bars are drawn.
    pub categories: Vec<String>,
    /// The curves, or the bars of one colour.
    pub series: Vec<Series>,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Series {
    /// What the legend says.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Point {
    /// The horizontal place.
    pub x: f64,
    /// The vertical place.
    pub y: f64,
    /// The standard deviation of `y`.
    pub deviation: Option<f64>,
    /// An interval about `y`, where it is not as far above as below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
}

/// A training run: its settings and its log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingRun {
    /// The name of its directory.
    pub name: String,
    /// What it was trained with.
    pub settings: TrainSettings,
    /// What was logged.
    pub log: Vec<LogLine>,
}

/// Everything on one page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Page {
    /// The headline.
    pub title: String,
    /// What it is and how it was made.
    pub about: String,
    /// Experiments, in reading order.
    pub results: Vec<Results>,
    /// Training runs, to be compared.
    pub runs: Vec<TrainingRun>,
}
