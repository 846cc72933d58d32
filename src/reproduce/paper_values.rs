//! The paper's values, as data: tables of words and numbers in the experiments' files.
//!
//! ```text
//! algorithm     n   source     method   unique      valid
//! bellman-ford  5   empirical  greedy   0.20±0.0    1.00±0.0
//! ```
//! The columns `algorithm`, `n`, `source` and `method` say what a line is about (each may be left out); any other column is a
//! metric. A dash stands for a figure that the paper does not give.

use super::rows::{Measured, Pick};
use serde::{Deserialize, Serialize};

/// Figures of the paper.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperTable {
    /// The label in the paper.
    pub label: String,
    /// The values; the module says how they are written.
    pub table: String,
}

/// One figure of the paper: a row without preset and seed; its deviation is the paper's.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperValue(Measured);

impl PaperValue {
    /// Its value, if it is the figure of a cell: of a table's line (what that leaves empty may be anything), a column and a
    /// metric.
    pub fn value_for(&self, line: &Measured, pick: &Pick, metric: &str) -> Option<f64> {
        let PaperValue(value) = self;
        let agree = |said: &str, wanted: &str| said.is_empty() || wanted.is_empty() || said == wanted;
        let about_it = value.metric == metric
            && agree(&value.algorithm, &line.algorithm)
            && (value.size == 0 || line.size == 0 || value.size == line.size)
            && agree(&value.source, &line.source)
            && agree(&value.method, &line.method);
        let picked =
            |wanted: &[String], said: &str| wanted.is_empty() || said.is_empty() || wanted.iter().any(|w| w == said);
        (about_it && picked(&pick.source, &value.source) && picked(&pick.method, &value.method)).then_some(value.value)
    }

    /// The figure as a row.
    pub fn row(&self) -> &Measured {
        &self.0
    }
}

/// Reads a table.
pub fn parse(table: &str) -> Result<Vec<PaperValue>, String> {
    let mut lines = table.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let heads: Vec<&str> =
        lines.next().ok_or("a table of paper values needs a line of heads")?.split_whitespace().collect();
    let mut paper_values = vec![];
    for line in lines {
        let cells: Vec<&str> = line.split_whitespace().collect();
        if cells.len() != heads.len() {
            return Err(format!("'{line}' has {} columns, but there are {} heads", cells.len(), heads.len()));
        }
        paper_values.extend(of_line(&heads, &cells)?);
    }
    Ok(paper_values)
}

fn of_line(heads: &[&str], cells: &[&str]) -> Result<Vec<PaperValue>, String> {
    let mut about = Measured::default();
    let mut paper_values = vec![];
    for (&head, &cell) in heads.iter().zip(cells) {
        match head {
            "algorithm" => about.algorithm = cell.to_owned(),
            "source" => about.source = cell.to_owned(),
            "method" => about.method = cell.to_owned(),
            "n" => about.size = cell.parse().map_err(|_| format!("'{cell}' is not a number of vertices"))?,
            _ if cell == "-" => {}
            metric => {
                let (value, deviation) = figure(cell)?;
                paper_values.push((metric.to_owned(), value, deviation));
            }
        }
    }
    let value = |(metric, value, deviation)| PaperValue(Measured { metric, value, deviation, ..about.clone() });
    Ok(paper_values.into_iter().map(value).collect())
}

/// `0.20`, or `0.20±0.1`.
fn figure(text: &str) -> Result<(f64, Option<f64>), String> {
    let number = |text: &str| match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("'{text}' is not a number")),
    };
    match text.split_once('±') {
        Some((value, deviation)) => Ok((number(value)?, Some(number(deviation)?))),
        None => Ok((number(text)?, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_and_found_again() {
        let paper_values =
            parse("algorithm n source unique valid\n dfs 5 empirical 0.73±0.1 -\n dfs 16 predicted 1 0.01").unwrap();
        assert_eq!(paper_values.len(), 3);
        let asked = Measured { algorithm: "dfs".into(), size: 5, source: "empirical".into(), ..Measured::default() };
        let found = |metric| paper_values.iter().find_map(|value| value.value_for(&asked, &Pick::default(), metric));
        assert_eq!((found("unique"), found("valid")), (Some(0.73), None));
        assert_eq!(paper_values[0].row().deviation, Some(0.1));
    }

    #[test]
    fn what_is_not_a_table_of_facts_is_named() {
        for (text, message) in [
            ("", "needs a line of heads"),
            ("n unique\n5", "'5' has 1 columns"),
            ("n unique\nfive 1", "'five' is not a number of vertices"),
            ("n unique\n5 1±x", "'x' is not a number"),
        ] {
            assert!(parse(text).unwrap_err().contains(message), "{text}");
        }
    }
}
