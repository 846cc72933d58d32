//! What a reproduction ends with: ten lines that a stranger understands. Wide tables are in its files.

use super::output::{counted, table};
use tiebreak::report::{Cell, Number, Results, Table};
use tiebreak::reproduce::Plan;
use tiebreak::reproduce::collect::Collected;

/// Rows that the small table has at the most.
const ROWS: usize = 5;
/// Columns with numbers that it has at the most.
const NUMBERS: usize = 3;

/// What was trained, some figures beside the paper's, where the page is.
pub fn summary(plan: &Plan, collected: &Collected) -> String {
    let out = &plan.request.out;
    let trained = plan.pieces.iter().filter(|piece| piece.training.is_some()).count();
    let mut text = format!(
        "{} trained, {} measured; every candidate was checked by the exact verifier.\n",
        counted(trained, "model"),
        counted(collected.results.len(), "experiment")
    );
    if let Some((results, with_paper)) = collected.results.iter().find_map(|results| Some((results, beside(results)?)))
    {
        text += &format!("\n{}, ours (the paper's):\n{with_paper}\n", results.name);
    }
    text += &format!(
        "\nOpen {} in a browser to look around;\nall tables and figures: {}\n",
        out.join("report.html").display(),
        out.join("README.md").display()
    );
    text
}

/// A few rows of an experiment's first table with figures of the paper.
fn beside(results: &Results) -> Option<comfy_table::Table> {
    results.tables.iter().find_map(small)
}

fn small(whole: &Table) -> Option<comfy_table::Table> {
    let paper = |cell: &Cell| matches!(cell, Cell::Number(Number { ours: Some(_), paper: Some(_), .. }));
    let rows: Vec<&Vec<Cell>> = whole.rows.iter().filter(|row| row.iter().any(paper)).collect();
    // The largest instances come last, and tell most.
    let rows = &rows[rows.len().saturating_sub(ROWS)..];
    let is_text = |column: usize| rows.iter().all(|row| matches!(row.get(column), Some(Cell::Text(_))));
    let has_paper = |column: &usize| rows.iter().any(|row| row.get(*column).is_some_and(paper));
    let numbers: Vec<usize> = (0..whole.columns.len()).filter(has_paper).collect();
    let chosen: Vec<usize> = (0..whole.columns.len())
        .filter(|&column| is_text(column))
        .chain(numbers.iter().rev().take(NUMBERS).rev().copied())
        .collect();
    if rows.is_empty() || numbers.is_empty() {
        return None;
    }
    let header: Vec<&str> = chosen.iter().map(|&column| whole.columns[column].as_str()).collect();
    let cells = rows.iter().map(|row| chosen.iter().map(|&column| in_words(&row[column])).collect());
    Some(table(&header, cells))
}

fn in_words(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(Number { ours: None, .. }) => "–".to_owned(),
        Cell::Number(Number { ours: Some(ours), paper, decimals, .. }) => {
            let paper = paper.map_or(String::new(), |paper| format!(" ({paper:.decimals$})"));
            format!("{ours:.decimals$}{paper}")
        }
    }
}
