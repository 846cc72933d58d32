//! Raw rows: what was measured, one figure a row, and how rows become one number.

use serde::{Deserialize, Serialize};

/// One figure: a mean over graphs, for one training seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Measured {
    /// The algorithm's name.
    pub algorithm: String,
    /// The preset of the random graphs.
    pub preset: String,
    /// The seed of the training, of the graphs and of the draws.
    pub seed: u64,
    /// The number of vertices; 0 where there is no graph.
    pub size: usize,
    /// Where candidates come from: `empirical`, `predicted`, `executor`, `algorithm`.
    pub source: String,
    /// The extractor, or what else tells two metrics of one source apart.
    pub method: String,
    /// How many draws the figure is of, where it has a course over draws.
    pub draw: Option<u64>,
    /// What was measured; [`crate::pipeline::metrics::DEFINITIONS`] says how.
    pub metric: String,
    /// The figure.
    pub value: f64,
    /// Its standard deviation over graphs, where it was kept.
    pub deviation: Option<f64>,
    /// The number of graphs behind it.
    pub graphs: usize,
}

/// A column of the raw rows by which tables and figures are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Key {
    /// The algorithm.
    Algorithm,
    /// The preset.
    Preset,
    /// The number of vertices.
    Size,
    /// Where candidates come from.
    Source,
    /// The extractor.
    Method,
    /// The number of draws.
    Draw,
}

impl Key {
    /// The head of a column.
    pub fn head(self) -> &'static str {
        match self {
            Key::Algorithm => "algorithm",
            Key::Preset => "graphs of",
            Key::Size => "n",
            Key::Source => "from",
            Key::Method => "method",
            Key::Draw => "draws",
        }
    }

    /// What stands in the column.
    pub fn of(self, row: &Measured) -> String {
        match self {
            Key::Algorithm => row.algorithm.clone(),
            Key::Preset => row.preset.clone(),
            Key::Size => row.size.to_string(),
            Key::Source => row.source.clone(),
            Key::Method => row.method.clone(),
            Key::Draw => row.draw.map_or(String::new(), |draw| draw.to_string()),
        }
    }
}

/// Which rows are meant; what is left out matches everything.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pick {
    /// The algorithm's name.
    pub algorithm: Option<String>,
    /// The preset's name.
    pub preset: Option<String>,
    /// Sizes.
    pub size: Vec<usize>,
    /// Sources.
    pub source: Vec<String>,
    /// Methods.
    pub method: Vec<String>,
    /// The number of draws.
    pub draw: Option<u64>,
    /// The metric.
    pub metric: Option<String>,
}

impl Pick {
    /// Whether a row is meant, whatever its metric.
    pub fn matches_but_metric(&self, row: &Measured) -> bool {
        let is = |wanted: &Option<String>, value: &String| wanted.as_ref().is_none_or(|wanted| wanted == value);
        let one_of = |wanted: &[String], value: &String| wanted.is_empty() || wanted.contains(value);
        is(&self.algorithm, &row.algorithm)
            && is(&self.preset, &row.preset)
            && (self.size.is_empty() || self.size.contains(&row.size))
            && one_of(&self.source, &row.source)
            && one_of(&self.method, &row.method)
            && (self.draw.is_none() || self.draw == row.draw)
    }

    /// Whether a row is meant.
    pub fn matches(&self, row: &Measured) -> bool {
        self.matches_but_metric(row) && self.metric.as_ref().is_none_or(|metric| *metric == row.metric)
    }
}

/// Several rows as one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The mean over seeds.
    pub mean: f64,
    /// The sample standard deviation over seeds, from two on.
    pub over_seeds: Option<f64>,
    /// The standard deviation over all graphs of all seeds, where each row kept its own.
    pub over_graphs: Option<f64>,
}

impl Summary {
    /// The rows of one cell, one for each seed; none of nothing.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Measured>) -> Option<Self> {
        let rows: Vec<&Measured> = rows.into_iter().collect();
        let mean = crate::pipeline::metrics::mean(rows.iter().map(|row| row.value))?;
        let squares = || rows.iter().map(|row| (row.value - mean).powi(2));
        let over_seeds = (rows.len() > 1).then(|| (squares().sum::<f64>() / (rows.len() - 1) as f64).sqrt());
        let within: Option<Vec<f64>> = rows.iter().map(|row| row.deviation).collect();
        let over_graphs = within.map(|within| {
            let variance: f64 = within.iter().zip(squares()).map(|(own, between)| own * own + between).sum();
            (variance / rows.len() as f64).sqrt()
        });
        Some(Summary { mean, over_seeds, over_graphs })
    }
}

/// Mean, deviation and number of one figure over graphs; none of nothing.
pub fn over_graphs(values: &[f64]) -> Option<(f64, f64, usize)> {
    let mean = crate::pipeline::metrics::mean(values.iter().copied())?;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
    Some((mean, variance.sqrt(), values.len()))
}

/// The rows as a CSV text.
pub fn to_csv(rows: &[Measured]) -> String {
    let mut text = "algorithm,preset,seed,size,source,method,draw,metric,value,deviation,graphs\n".to_owned();
    for row in rows {
        let draw = row.draw.map_or(String::new(), |draw| draw.to_string());
        let deviation = row.deviation.map_or(String::new(), |deviation| deviation.to_string());
        let Measured { algorithm, preset, seed, size, source, method, metric, value, graphs, .. } = row;
        let (source, method) = (quoted(source), quoted(method));
        text += &format!(
            "{algorithm},{preset},{seed},{size},{source},{method},{draw},{metric},{value},{deviation},{graphs}\n"
        );
    }
    text
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seed: u64, value: f64, deviation: f64) -> Measured {
        Measured { seed, value, deviation: Some(deviation), graphs: 2, ..Measured::default() }
    }

    #[test]
    fn the_spread_of_all_graphs_is_that_within_and_between_seeds() {
        // Two seeds of two graphs each: 0, 2 and 4, 6.
        let of_seeds = [[0.0, 2.0], [4.0, 6.0]].map(|values| over_graphs(&values).unwrap());
        let rows = [row(0, of_seeds[0].0, of_seeds[0].1), row(1, of_seeds[1].0, of_seeds[1].1)];
        let summary = Summary::of(&rows).unwrap();
        let all = over_graphs(&[0.0, 2.0, 4.0, 6.0]).unwrap();
        assert_eq!((summary.mean, summary.over_graphs), (all.0, Some(all.1)));
        assert_eq!(summary.over_seeds, Some(8f64.sqrt()));
        assert_eq!(Summary::of(&rows[..1]).unwrap().over_seeds, None);
        assert_eq!(Summary::of([]), None);
    }

    #[test]
    fn a_comma_in_a_name_stays_in_its_column() {
        let text = to_csv(&[Measured { method: "20, \"50\"".to_owned(), ..Measured::default() }]);
        assert!(text.lines().nth(1).unwrap().contains(",\"20, \"\"50\"\"\","), "{text}");
    }
}
