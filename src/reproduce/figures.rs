//! From raw rows to figures: curves over sizes or draws, or bars, with bands of one standard deviation.

use super::experiment::Experiment;
use super::rows::{Key, Measured, Pick, Summary};
use crate::report::{Figure, Panel, Point, Series};
use serde::{Deserialize, Serialize};

/// How to draw a figure.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureLayout {
    /// A file name.
    pub name: String,
    /// The caption.
    pub title: String,
    /// The label of the paper's figure.
    pub paper: Option<String>,
    /// What runs along the horizontal axis: a size or a number of draws.
    pub x: Option<Key>,
    /// What names the bars, for a figure of bars.
    #[serde(default)]
    pub bars: Vec<Key>,
    /// What tells curves (or colours of bars) apart.
    pub series: Vec<Key>,
    /// The panels.
    pub panels: Vec<PanelLayout>,
    /// What a reader should know.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// One pair of axes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelLayout {
    /// What it shows.
    pub title: String,
    /// The vertical axis.
    pub y: String,
    /// Which rows it shows.
    pub of: Pick,
    /// The metric of the paper's values to be drawn beside ours.
    pub beside: Option<String>,
}

/// Draws a figure; none where nothing was measured.
pub fn figure(layout: &FigureLayout, experiment: &Experiment, rows: &[Measured]) -> Option<Figure> {
    let panels: Vec<Panel> =
        layout.panels.iter().filter_map(|panel| of_panel(layout, panel, experiment, rows)).collect();
    let figure = Figure {
        name: layout.name.clone(),
        title: layout.title.clone(),
        paper_label: layout.paper.clone(),
        panels,
        notes: layout.notes.clone(),
    };
    (!figure.panels.is_empty()).then_some(figure)
}

fn of_panel(layout: &FigureLayout, panel: &PanelLayout, experiment: &Experiment, rows: &[Measured]) -> Option<Panel> {
    let rows: Vec<&Measured> = rows.iter().filter(|row| panel.of.matches(row)).collect();
    let categories = if layout.bars.is_empty() { vec![] } else { distinct(&rows, &layout.bars) };
    let place = |row: &Measured| match layout.x {
        Some(Key::Size) if layout.bars.is_empty() => Some(row.size as f64),
        Some(_) if layout.bars.is_empty() => row.draw.map(|draw| draw as f64),
        _ => categories.iter().position(|category| *category == label(row, &layout.bars)).map(|place| place as f64),
    };
    let mut series: Vec<Series> = vec![];
    for name in distinct(&rows, &layout.series) {
        let own: Vec<&Measured> = rows.iter().copied().filter(|row| label(row, &layout.series) == name).collect();
        series.push(Series { points: points(&own, &place, !categories.is_empty()), name });
    }
    series.extend(papers(layout, panel, experiment, &rows, &place));
    let axis = layout.x.map_or(String::new(), |key| match key {
        Key::Size => "number of vertices n".to_owned(),
        key => format!("number of {}", key.head()),
    });
    let panel = Panel { title: panel.title.clone(), x: axis, y: panel.y.clone(), categories, series };
    (!rows.is_empty()).then_some(panel)
}

/// One point for each place, from left to right. A bar's whisker is the spread over seeds, as in a table; a curve's band that over
/// graphs.
fn points(rows: &[&Measured], place: &dyn Fn(&Measured) -> Option<f64>, bars: bool) -> Vec<Point> {
    let mut places: Vec<f64> = rows.iter().filter_map(|row| place(row)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let point = |x: &f64| {
        let summary = Summary::of(rows.iter().copied().filter(|row| place(row) == Some(*x)))?;
        Some(Point {
            x: *x,
            y: summary.mean,
            deviation: if bars { summary.over_seeds } else { summary.over_graphs.or(summary.over_seeds) },
            interval: None,
        })
    };
    places.iter().filter_map(point).collect()
}

/// The paper's values as series of their own, in the places of ours.
fn papers(
    layout: &FigureLayout,
    panel: &PanelLayout,
    experiment: &Experiment,
    rows: &[&Measured],
    place: &dyn Fn(&Measured) -> Option<f64>,
) -> Vec<Series> {
    let Some(metric) = &panel.beside else { return vec![] };
    let paper_values = experiment.paper_values();
    let without_preset: Vec<Key> = layout.series.iter().copied().filter(|key| *key != Key::Preset).collect();
    let mut series: Vec<Series> = vec![];
    for row in rows.iter().filter(|row| super::tables::beside_paper(experiment, row)) {
        let value = paper_values.iter().find_map(|value| value.value_for(row, &Pick::default(), metric));
        let (Some(y), Some(x)) = (value, place(row)) else { continue };
        let name = match &label(row, &without_preset)[..] {
            "" => "the paper".to_owned(),
            label => format!("the paper: {label}"),
        };
        let at = series.iter().position(|known| known.name == name).unwrap_or_else(|| {
            series.push(Series { name, points: vec![] });
            series.len() - 1
        });
        if series[at].points.iter().all(|point| point.x != x) {
            series[at].points.push(Point { x, y, ..Point::default() });
        }
    }
    series
}

fn distinct(rows: &[&Measured], keys: &[Key]) -> Vec<String> {
    let mut labels: Vec<String> = vec![];
    for row in rows {
        let label = label(row, keys);
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

fn label(row: &Measured, keys: &[Key]) -> String {
    let words = keys.iter().map(|key| match key {
        Key::Size => format!("n = {}", row.size),
        key => key.of(row),
    });
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
}
