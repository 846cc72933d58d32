//! What a reproduction ends with: ten lines that a stranger understands. Wide tables are in its files.

use super::output::{counted, table, terminal_width, wrapped};
use tiebreak::report::{Cell, Number, Table};
use tiebreak::reproduce::Plan;
use tiebreak::reproduce::collect::Collected;

/// Rows that the small table has at the most.
const ROWS: usize = 4;
/// Columns with numbers that it has at the most: more would not fit a terminal.
const NUMBERS: usize = 4;

/// What was trained, some figures beside the paper's, where the page is.
pub fn summary(plan: &Plan, collected: &Collected, quick: bool) -> String {
    let out = &plan.request.out;
    let mut text = format!(
        "{}; {} measured. Every answer was checked by an exact verifier.\n",
        trained(plan),
        counted(collected.results.len(), "experiment")
    );
    let tables = collected.results.iter().flat_map(|results| &results.tables);
    if let Some((title, small)) = { tables }.find_map(|table| Some((&table.title, small(table)?))) {
        text += &format!("\n{title}; in brackets the paper's:\n{small}\n");
    }
    if quick {
        text += "--quick trains for a minute where the paper trained for hours; without it the figures come close.\n";
    }
    text += &format!(
        "\nTo look around, open {} in a browser.\nAll tables and figures: {}\n",
        out.join("report.html").display(),
        out.join("README.md").display()
    );
    text.lines().map(in_width).collect()
}

/// Words break at spaces; tables stay as they are.
fn in_width(line: &str) -> String {
    match line.starts_with('|') {
        true => format!("{line}\n"),
        false => wrapped("", &line.split(' ').collect::<Vec<_>>(), "", terminal_width()) + "\n",
    }
}

/// "6 networks trained (bellman-ford, dfs)".
fn trained(plan: &Plan) -> String {
    let trainings: Vec<_> = plan.pieces.iter().filter_map(|piece| piece.training.as_ref()).collect();
    let mut algorithms: Vec<&str> = trainings.iter().map(|training| training.settings.algorithm.as_str()).collect();
    algorithms.sort_unstable();
    algorithms.dedup();
    match trainings.len() {
        0 => "Nothing trained".to_owned(),
        count if algorithms.len() > 3 => {
            format!("{} trained, for {} algorithms", counted(count, "network"), algorithms.len())
        }
        count => format!("{} trained ({})", counted(count, "network"), algorithms.join(", ")),
    }
}

/// A few rows of a table with figures of the paper.
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
        .chain(numbers.iter().copied().take(NUMBERS))
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
