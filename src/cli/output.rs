//! Where results go: a file that appears whole, or standard output; and the progress bar.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use tiebreak::files::write_atomically;

/// Opens a file, or standard input for `-`.
pub fn open_input(path: &Path) -> Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

/// Writes everything at once, to a file or to standard output for `-` and for no path.
pub fn write_output(path: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match path {
        Some(path) if path != Path::new("-") => Ok(write_atomically(path, bytes)?),
        _ => Ok(io::stdout().lock().write_all(bytes)?),
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
