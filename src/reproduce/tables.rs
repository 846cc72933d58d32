//! From raw rows to tables: ours with its deviation over seeds, the paper's beside it.

use super::experiment::Experiment;
use super::paper_values::PaperValue;
use super::rows::{Key, Measured, Pick, Summary};
use crate::pipeline::metrics;
use crate::report::{Cell, Number, Table};
use serde::{Deserialize, Serialize};

/// How to lay out a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableLayout {
    /// A file name.
    pub name: String,
    /// The caption.
    pub title: String,
    /// The label of the paper's table.
    pub paper: Option<String>,
    /// Which rows it shows.
    #[serde(default)]
    pub of: Pick,
    /// Of those only the ones on graphs that the paper has values for.
    #[serde(default)]
    pub as_in_paper: bool,
    /// What tells its lines apart.
    #[serde(default)]
    pub rows: Vec<Key>,
    /// Its columns of numbers.
    #[serde(default)]
    pub columns: Vec<Column>,
    /// What a reader should know; why ours differs.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A column of numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Its head.
    pub head: String,
    /// What it shows.
    pub of: Pick,
    /// The metric of the paper's figure beside it; its own where nothing is said.
    pub beside: Option<String>,
    /// Decimals to show.
    #[serde(default = "two")]
    pub decimals: usize,
}

fn two() -> usize {
    2
}

/// Lays out a table; none where nothing was measured.
pub fn table(layout: &TableLayout, experiment: &Experiment, rows: &[Measured]) -> Option<Table> {
    let is_shown = |row: &&Measured| layout.of.matches(row) && (!layout.as_in_paper || beside_paper(experiment, row));
    let rows: Vec<&Measured> = rows.iter().filter(is_shown).collect();
    let shown = |row: &&&Measured| layout.columns.iter().any(|column| column.of.matches(row));
    let lines = distinct_lines(rows.iter().filter(shown).copied(), &layout.rows);
    let paper_values = experiment.paper_values();
    let of_line = |line: &Line| {
        let texts = line.values.iter().map(|value| Cell::Text(value.clone()));
        let own: Vec<&Measured> = rows.iter().copied().filter(|row| values(row, &layout.rows) == line.values).collect();
        let paper_values: &[PaperValue] = if beside_paper(experiment, line.first) { &paper_values } else { &[] };
        let numbers = layout
            .columns
            .iter()
            .map(|column| Cell::Number(number(column, &own, &line.as_row(&layout.rows), paper_values)));
        texts.chain(numbers).collect()
    };
    let table = Table {
        name: layout.name.clone(),
        title: layout.title.clone(),
        paper_label: layout.paper.clone(),
        columns: heads(layout),
        rows: lines.iter().map(of_line).collect(),
        notes: vec![],
    };
    let notes = notes(layout, experiment, &rows, &table);
    (!lines.is_empty()).then_some(Table { notes, ..table })
}

/// What tells a line of a table from the others, and the first row that it is made of.
struct Line<'a> {
    values: Vec<String>,
    first: &'a Measured,
}

impl Line<'_> {
    /// A row that says only what tells the line apart.
    fn as_row(&self, keys: &[Key]) -> Measured {
        let mut row = Measured { algorithm: self.first.algorithm.clone(), ..Measured::default() };
        for key in keys {
            match key {
                Key::Algorithm => (), // Every line has its own.
                Key::Preset => row.preset = self.first.preset.clone(),
                Key::Size => row.size = self.first.size,
                Key::Source => row.source = self.first.source.clone(),
                Key::Method => row.method = self.first.method.clone(),
                Key::Draw => row.draw = self.first.draw,
            }
        }
        row
    }
}

fn distinct_lines<'a>(rows: impl Iterator<Item = &'a Measured>, keys: &[Key]) -> Vec<Line<'a>> {
    let mut lines: Vec<Line> = vec![];
    for row in rows {
        let values = values(row, keys);
        if !lines.iter().any(|line| line.values == values) {
            lines.push(Line { values, first: row });
        }
    }
    lines
}

/// What stands in those columns of a row.
pub(super) fn values(row: &Measured, keys: &[Key]) -> Vec<String> {
    keys.iter().map(|key| key.of(row)).collect()
}

/// Whether the paper's values are of the same graphs as this row.
pub(super) fn beside_paper(experiment: &Experiment, row: &Measured) -> bool {
    let of_row = |entry: &&super::Entry| entry.algorithm == row.algorithm && entry.preset.name() == row.preset;
    experiment.entries.iter().filter(of_row).any(|entry| entry.paper)
}

fn number(column: &Column, own: &[&Measured], line: &Measured, paper_values: &[PaperValue]) -> Number {
    let summary = Summary::of(own.iter().copied().filter(|row| column.of.matches(row)));
    let metric = column.beside.as_ref().or(column.of.metric.as_ref());
    let paper =
        metric.and_then(|metric| paper_values.iter().find_map(|value| value.value_for(line, &column.of, metric)));
    Number {
        ours: summary.map(|summary| summary.mean),
        deviation: summary.and_then(|summary| summary.over_seeds),
        paper,
        decimals: column.decimals,
    }
}

fn heads(layout: &TableLayout) -> Vec<String> {
    let keys = layout.rows.iter().map(|key| key.head().to_owned());
    keys.chain(layout.columns.iter().map(|column| column.head.clone())).collect()
}

/// Counts, seeds and definitions; where ours and the paper's disagree; then what the experiment's file says.
fn notes(layout: &TableLayout, experiment: &Experiment, rows: &[&Measured], table: &Table) -> Vec<String> {
    let mut notes = vec![counts(experiment, rows, compared(table).count() > 0)];
    notes.extend(seeds(rows));
    notes.extend(definitions(layout));
    notes.extend(disagreements(layout, table));
    notes.extend(layout.notes.iter().cloned());
    notes
}

fn counts(experiment: &Experiment, rows: &[&Measured], beside_paper: bool) -> String {
    let paper = if beside_paper { " (the paper's; ours minus the paper's)" } else { "" };
    let form = format!("A cell: ours ± sample standard deviation over seeds, where there are several{paper}.");
    let most = rows.iter().map(|row| row.graphs).max().unwrap_or(0);
    if most == 0 {
        return form;
    }
    let draws = if experiment.draws > 1 { format!(", {} draws a graph", experiment.draws) } else { String::new() };
    let own = match experiment.entries.iter().any(|entry| entry.model.is_some()) {
        true => "its own training, graphs and draws",
        false => "its own graphs and runs",
    };
    format!("{form} {most} graphs a size and seed{draws}, p = {}; each seed has {own}.", experiment.p)
}

/// Which seeds there are, for each kind of graphs.
fn seeds(rows: &[&Measured]) -> Option<String> {
    let mut of_graphs: Vec<(String, Vec<u64>)> = vec![];
    for row in rows {
        let name = format!("{} ({})", row.algorithm, row.preset);
        let place = of_graphs.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            of_graphs.push((name, vec![]));
            of_graphs.len() - 1
        });
        if !of_graphs[place].1.contains(&row.seed) {
            of_graphs[place].1.push(row.seed);
        }
    }
    let one = |(name, seeds): &(String, Vec<u64>)| {
        let list: Vec<String> = seeds.iter().map(u64::to_string).collect();
        format!("{name} {} ({})", seeds.len(), list.join(", "))
    };
    let all: Vec<String> = of_graphs.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("Seeds: {}.", all.join("; ")))
}

fn definitions(layout: &TableLayout) -> Option<String> {
    let mut metrics: Vec<&String> = vec![];
    for metric in layout.columns.iter().filter_map(|column| column.of.metric.as_ref()) {
        if !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    let told: Vec<String> = metrics
        .into_iter()
        .filter_map(|metric| metrics::definition(metric).map(|words| format!("{metric}: {words}")))
        .collect();
    (!told.is_empty()).then(|| format!("Definitions. {}.", told.join("; ")))
}

/// A difference is worth a word when it is more than rounding and more than the seeds explain.
fn disagrees(number: &Number) -> bool {
    let (Some(ours), Some(paper)) = (number.ours, number.paper) else { return false };
    let (difference, spread) = ((ours - paper).abs(), number.deviation.unwrap_or(0.0));
    difference > 0.05 * paper.abs().max(1.0) && difference > 2.0 * spread
}

/// The values that have the paper's beside them.
fn compared(table: &Table) -> impl Iterator<Item = &Number> {
    table.rows.iter().flatten().filter_map(|cell| match cell {
        Cell::Number(number) if number.ours.is_some() && number.paper.is_some() => Some(number),
        _ => None,
    })
}

fn disagreements(layout: &TableLayout, table: &Table) -> Option<String> {
    let all = compared(table).count();
    if all == 0 {
        return None;
    }
    let mut places = vec![];
    for row in &table.rows {
        let texts: Vec<&str> =
            row.iter().filter_map(|cell| if let Cell::Text(text) = cell { Some(&text[..]) } else { None }).collect();
        let numbers = row.iter().filter_map(|cell| if let Cell::Number(number) = cell { Some(number) } else { None });
        for (column, _) in layout.columns.iter().zip(numbers).filter(|(_, number)| disagrees(number)) {
            places.push(format!("{} [{}]", column.head, texts.join(", ")));
        }
    }
    Some(match places.len() {
        0 => format!("All {all} values that the paper has agree with it to .05 or two deviations."),
        count => format!(
            "{count} of the {all} values that the paper has differ from it by more than .05 and two deviations: {}.",
            places.join("; ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::super::BUILT_IN;
    use super::*;

    /// A row for each figure of the paper that stands in a column, measured as the paper has it.
    fn as_in_the_paper(experiment: &Experiment, column: &Column) -> Vec<Measured> {
        let beside = column.beside.as_ref().or(column.of.metric.as_ref());
        let allowed = |wanted: &[String], said: &String| wanted.is_empty() || said.is_empty() || wanted.contains(said);
        let mut rows = vec![];
        for value in experiment.paper_values() {
            let value = value.row();
            let presets = experiment.entries.iter().filter(|entry| entry.paper && entry.algorithm == value.algorithm);
            let preset = presets.map(|entry| entry.preset.name()).next().expect("paper_values are about an entry");
            let wanted = allowed(&column.of.source, &value.source) && allowed(&column.of.method, &value.method);
            if beside == Some(&value.metric) && wanted {
                let metric = column.of.metric.clone().unwrap_or_default();
                rows.push(Measured { preset: preset.to_owned(), metric, ..value.clone() });
            }
        }
        rows
    }

    #[test]
    fn every_figure_of_the_paper_stands_beside_ours() {
        for (name, text) in BUILT_IN {
            let experiment = Experiment::parse(name, text, false).unwrap();
            let mut shown = 0;
            for layout in &experiment.tables {
                for column in &layout.columns {
                    let alone = TableLayout { columns: vec![column.clone()], ..layout.clone() };
                    let made = table(&alone, &experiment, &as_in_the_paper(&experiment, column));
                    for number in made.iter().flat_map(compared) {
                        assert_eq!(number.ours, number.paper, "{name}: a figure stands beside another one's");
                        shown += 1;
                    }
                }
            }
            let paper_values = experiment.paper_values().len();
            assert!(shown >= paper_values, "{name}: {shown} of {paper_values} values are shown");
        }
    }
}
