//! Where results go: a file that appears whole, or standard output; and the progress bar.

use super::screen;
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use tiebreak::files::{self, write_atomically};
use tiebreak::pipeline::metrics::count_in_words;

/// Opens a file, or standard input for `-`.
pub fn open_input(path: &Path) -> Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = files::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

/// Writes everything at once, to a file or to standard output for `-` and for no path.
pub fn write_output(path: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match path {
        Some(path) if path != Path::new("-") => Ok(write_atomically(path, bytes)?),
        _ => Ok(screen::write_data(bytes)?),
    }
}

/// A bar on standard error; it hides itself where that is not a terminal.
pub fn progress(total: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} {eta}");
    ProgressBar::new(total).with_message(what).with_style(style.expect("the template is well-formed"))
}

/// A sign of life on standard error for work whose end is not known; it counts what was done, if anything is counted.
pub fn spinner(what: &'static str) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(what).with_finish(indicatif::ProgressFinish::AndClear);
    let style = ProgressStyle::with_template("{spinner} {msg} {human_pos} {elapsed}");
    spinner.set_style(style.expect("the template is well-formed"));
    spinner.enable_steady_tick(std::time::Duration::from_millis(200));
    spinner
}

/// A product that stays at the largest number where it would be larger: for estimates.
pub fn product<const N: usize>(factors: [usize; N]) -> u64 {
    factors.into_iter().fold(1, |product: u64, factor| product.saturating_mul(factor as u64))
}

/// `1 route`, `2 routes`.
pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", count_in_words(count))
}

/// Columns of the terminal: what `COLUMNS` says, or the terminal itself; without end where output goes to a file or a program.
pub fn terminal_width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    told.or_else(seen).map_or(usize::MAX, |width: usize| width.max(30))
}

/// The text with its long lines broken at commas or spaces; tables stay as they are.
pub fn folded(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let indent = line.chars().take_while(|sign| *sign == ' ').count() + 2;
        let mut rest = line.to_owned();
        while !line.starts_with('|') && rest.chars().count() > width {
            let end = rest.char_indices().nth(width).map_or(rest.len(), |(place, _)| place);
            let start = rest.len() - rest.trim_start().len();
            let spaces = |sign: &str| rest[start..end].rfind(sign).map(|place| start + place + sign.len() - 1);
            let Some(place) = spaces(", ").or_else(|| spaces(" ")).filter(|&place| place > indent) else { break };
            out.push_str(rest[..place].trim_end());
            out.push('\n');
            rest = " ".repeat(indent) + rest[place..].trim_start();
        }
        out.push_str(&rest);
        out.push('\n');
    }
    out
}

/// A table whose columns after the first `fixed` ones are laid out in blocks, as many to a block as the width has room for.
pub fn table_in_blocks(header: &[&str], rows: &[Vec<String>], fixed: usize, width: usize) -> String {
    let width_of = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0) + 3
    };
    let room = width.saturating_sub(1 + (0..fixed).map(width_of).sum::<usize>());
    let mut blocks: Vec<Vec<usize>> = vec![];
    let mut left = 0;
    for column in fixed..header.len() {
        match blocks.last_mut().filter(|_| width_of(column) <= left) {
            Some(block) => block.push(column),
            None => {
                blocks.push(vec![column]);
                left = room;
            }
        }
        left = left.saturating_sub(width_of(column));
    }
    let block = |columns: Vec<usize>| {
        let columns: Vec<usize> = (0..fixed).chain(columns).collect();
        let pick = |row: &Vec<String>| columns.iter().map(|&column| row[column].clone()).collect::<Vec<_>>();
        let header: Vec<&str> = columns.iter().map(|&column| header[column]).collect();
        table(&header, rows.iter().map(pick)).to_string()
    };
    blocks.into_iter().map(block).collect::<Vec<_>>().join("\n\n")
}

/// The parts after the start, each but the last followed by the sign, in lines of at most this width that break after a sign.
pub fn wrapped(start: &str, parts: &[impl AsRef<str>], sign: &str, width: usize) -> String {
    let mut text = start.to_owned();
    let indent = start.chars().count().min(width / 2);
    let mut column = start.chars().count();
    for (place, part) in parts.iter().map(AsRef::as_ref).enumerate() {
        let sign = if place + 1 < parts.len() { sign } else { "" };
        let length = part.chars().count() + sign.chars().count();
        if place > 0 && column + 1 + length > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if place > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(part);
        text.push_str(sign);
        column += length;
    }
    text
}

/// A share with two decimals, as in the paper; a dash where there is none.
pub fn share(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value != 0.0 && value.abs() < 0.005 => format!("{value:.1e}"),
        Some(value) => format!("{value:.2}"),
    }
}

/// A table that is readable in a terminal and can be pasted into Markdown as it is.
pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::ASCII_MARKDOWN).set_header(header.iter().copied());
    table.add_rows(rows);
    table
}

/// Two JSON objects as one.
pub fn joined(one: &str, other: &str) -> String {
    format!("{},{}", &one[..one.len() - 1], &other[1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_and_tables_have_blocks() {
        let text =
            "ten of them, each accepted by the exact verifier\n| a table | stays |\n  vary: a -> b, c -> d, e -> f\n";
        assert_eq!(
            folded(text, 24),
            "ten of them,\n  each accepted by the\n  exact verifier\n| a table | stays |\n  vary: a -> b, c -> d,\n    e -> f\n"
        );
        assert_eq!(folded(text, usize::MAX), text);
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows = [row(["a", "Mill", "Quay", "Mill"]), row(["b", "a", "a", "a"])];
        let table = table_in_blocks(&["vertex", "1", "2", "3"], &rows, 1, 25);
        assert!(table.lines().all(|line| line.chars().count() <= 25), "{table}");
        assert_eq!(table.lines().filter(|line| line.starts_with("| vertex")).count(), 2, "{table}");
        assert_eq!(table.matches("Mill").count(), 2, "{table}");
        let one = table_in_blocks(&["vertex", "1", "2", "3"], &rows, 1, usize::MAX);
        assert_eq!(one.lines().filter(|line| line.starts_with("| vertex")).count(), 1, "{one}");
    }

    #[test]
    fn lines_break_after_a_sign_and_keep_to_the_width() {
        let text = wrapped("1. ", &["Harbour", "Old Mill", "Museum", "End"], " ->", 22);
        assert_eq!(text, "1. Harbour ->\n   Old Mill ->\n   Museum -> End");
        assert_eq!(wrapped("1. ", &["a", "b"], " ->", 80), "1. a -> b");
        assert_eq!(wrapped("1. ", &["a-name-wider-than-the-line"], " ->", 10), "1. a-name-wider-than-the-line");
    }
}
