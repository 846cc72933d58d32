//! Tables as text: for a terminal, as Markdown, as LaTeX with booktabs.
//!
//! A number is written `ours ± deviation (the paper's; difference)`, and each part only where there is one.

use super::{Cell, Number, Table};
use std::fmt::Write;

/// For a terminal; the notes below, wrapped.
pub fn text(table: &Table) -> String {
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(comfy_table::presets::UTF8_FULL_CONDENSED).set_header(&table.columns);
    drawn.add_rows(table.rows.iter().map(|row| row.iter().map(plain)));
    for (place, column) in drawn.column_iter_mut().enumerate() {
        if table.rows.iter().any(|row| matches!(row.get(place), Some(Cell::Number(_)))) {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    let mut text = format!("{}\n{drawn}\n", title(table));
    for note in &table.notes {
        text += &wrapped(note, 116);
    }
    text
}

/// As Markdown.
pub fn markdown(table: &Table) -> String {
    let escaped = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let mut text = format!("**{}**\n\n", escaped(&title(table)));
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    text += &line(table.columns.iter().map(|head| escaped(head)).collect());
    let numeric = |place: usize| table.rows.iter().any(|row| matches!(row.get(place), Some(Cell::Number(_))));
    text +=
        &line((0..table.columns.len()).map(|place| if numeric(place) { "--:" } else { "---" }.to_owned()).collect());
    for row in &table.rows {
        text += &line(row.iter().map(|cell| escaped(&plain(cell))).collect());
    }
    text.push('\n');
    for note in &table.notes {
        let _ = writeln!(text, "- {}", escaped(note));
    }
    text
}

/// As LaTeX; needs the packages booktabs and threeparttable.
pub fn latex(table: &Table) -> String {
    let numeric = |place: usize| table.rows.iter().any(|row| matches!(row.get(place), Some(Cell::Number(_))));
    let columns: String = (0..table.columns.len()).map(|place| if numeric(place) { 'r' } else { 'l' }).collect();
    let line = |cells: Vec<String>| format!("    {} \\\\\n", cells.join(" & "));
    let mut text = format!(
        "% \\usepackage{{booktabs, threeparttable}}\n\\begin{{table}}\n  \\centering\n  \\begin{{threeparttable}}\n  \\caption{{{}}}\n",
        tex(&table.title)
    );
    let _ = writeln!(text, "  \\label{{tab:{}}}\n  \\begin{{tabular}}{{{columns}}}\n    \\toprule", table.name);
    text += &line(table.columns.iter().map(|head| tex(head)).collect());
    text += "    \\midrule\n";
    for row in &table.rows {
        text += &line(row.iter().map(tex_cell).collect());
    }
    text += "    \\bottomrule\n  \\end{tabular}\n";
    if !table.notes.is_empty() {
        text += "  \\begin{tablenotes}\\footnotesize\n";
        for note in &table.notes {
            let _ = writeln!(text, "    \\item {}", tex(note));
        }
        text += "  \\end{tablenotes}\n";
    }
    text + "  \\end{threeparttable}\n\\end{table}\n"
}

fn title(table: &Table) -> String {
    match &table.paper_label {
        Some(label) => format!("{} (the paper's {label})", table.title),
        None => table.title.clone(),
    }
}

fn plain(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(number) => written(number, "±", "−"),
    }
}

fn tex_cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => tex(text),
        Cell::Number(Number { ours: None, paper: None, .. }) => "--".to_owned(),
        Cell::Number(number) => {
            let text = written(number, "\\pm", "-").replace('–', "\\mbox{--}");
            format!("${}$", text.replace(" (", "\\ (").replace("; ", ";\\ "))
        }
    }
}

fn written(number: &Number, plus_minus: &str, minus: &str) -> String {
    let decimals = number.decimals;
    let shown = |value: f64| {
        let text = format!("{value:.decimals$}");
        // No minus before a zero.
        let zero = text.trim_start_matches('-').chars().all(|digit| digit == '0' || digit == '.');
        if zero { text.trim_start_matches('-').to_owned() } else { text.replace('-', minus) }
    };
    let ours = match (number.ours, number.deviation) {
        (None, _) => "–".to_owned(),
        (Some(ours), None) => shown(ours),
        (Some(ours), Some(deviation)) => format!("{} {plus_minus} {}", shown(ours), shown(deviation)),
    };
    match (number.ours, number.paper) {
        (_, None) => ours,
        (None, Some(paper)) => format!("{ours} ({})", shown(paper)),
        (Some(value), Some(paper)) => {
            let difference = shown(value - paper);
            let sign = if difference.starts_with(minus) { "" } else { "+" };
            format!("{ours} ({}; {sign}{difference})", shown(paper))
        }
    }
}

/// The characters that mean something to LaTeX, and those that its fonts lack.
fn tex(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\\' => escaped += "\\textbackslash{}",
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '±' => escaped += "$\\pm$",
            '×' => escaped += "$\\times$",
            '−' => escaped += "$-$",
            '∩' => escaped += "$\\cap$",
            'Σ' => escaped += "$\\Sigma$",
            'π' => escaped += "$\\pi$",
            '≥' => escaped += "$\\geq$",
            '≤' => escaped += "$\\leq$",
            '⁻' => escaped += "$^{-}$",
            '⁸' => escaped += "$^{8}$",
            '|' => escaped += "$|$",
            '<' => escaped += "$<$",
            '>' => escaped += "$>$",
            other => escaped.push(other),
        }
    }
    escaped
}

/// A note as lines of at most so many characters, the first with a dash.
fn wrapped(note: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in note.split_whitespace() {
        let last = lines.last_mut().expect("there is always a line");
        if !last.is_empty() && last.chars().count() + word.chars().count() + 1 > width {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    let line = |(place, line): (usize, &String)| format!("{} {line}\n", if place == 0 { "-" } else { " " });
    lines.iter().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(ours: Option<f64>, deviation: Option<f64>, paper: Option<f64>) -> Number {
        Number { ours, deviation, paper, decimals: 2 }
    }

    #[test]
    fn a_number_shows_each_part_that_it_has() {
        for (number, expected) in [
            (number(None, None, None), "–"),
            (number(Some(0.5), None, None), "0.50"),
            (number(Some(0.5), Some(0.014), Some(0.75)), "0.50 ± 0.01 (0.75; −0.25)"),
            (number(Some(0.5), None, Some(0.501)), "0.50 (0.50; +0.00)"),
            (number(None, None, Some(0.2)), "– (0.20)"),
        ] {
            assert_eq!(plain(&Cell::Number(number)), expected);
        }
        let cell = Cell::Number(number(Some(0.5), Some(0.01), Some(0.75)));
        assert_eq!(tex_cell(&cell), "$0.50 \\pm 0.01\\ (0.75;\\ -0.25)$");
    }

    #[test]
    fn words_cannot_break_out_of_a_table() {
        let table = Table {
            name: "test".into(),
            title: "50 % | $x_1$".into(),
            columns: vec!["a|b".into()],
            rows: vec![vec![Cell::Text("x & y \\ {z}\nw".into())]],
            notes: vec!["a#b".into()],
            ..Table::default()
        };
        let markdown = markdown(&table);
        assert!(markdown.contains("| a\\|b |\n| --- |\n| x & y \\ {z} w |\n"), "{markdown}");
        let latex = latex(&table);
        assert!(
            latex.contains("50 \\% $|$ \\$x\\_1\\$") && latex.contains("x \\& y \\textbackslash{} \\{z\\}"),
            "{latex}"
        );
        assert!(latex.contains("\\item a\\#b"));
        assert!(text(&table).contains("- a#b"));
    }
}
