//! `tiebreak report`: one self-contained page from training runs, learnt costs and reproductions.

use super::output::spinner;
use super::{Common, Outcome, screen};
use anyhow::Result;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use tiebreak::files::write_atomically;
use tiebreak::report::{html, page_of};
use tiebreak::reproduce::BUILT_IN;

/// Make one HTML page of a training run, a learnt cost or a reproduction, or compare several
///
/// The page has tables and figures beside the paper's, training curves, and instances to step through: distributions, candidates
/// with the rules they break, executions. It needs no network and no server: open it in a browser.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    tiebreak report results\n  \
    tiebreak report runs/dfs-0 runs/dfs-1 --out compared.html\n  \
    tiebreak report cost --out cost.html")]
pub struct Report {
    /// Directory of a training run (settings.toml), of a learnt cost (account.json) or of a reproduction (results.json in its folders)
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// File to write [default: report.html in the first directory]
    #[arg(long, short)]
    out: Option<PathBuf>,
    /// The headline [default: the names of the directories]
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    common: Common,
}

impl Report {
    pub fn run(self) -> Result<Outcome> {
        let alive = spinner("reading");
        let mut page = self.common.on_threads(|| page_of(&self.directories, self.common.seed))??;
        alive.finish_and_clear();
        // In the order of the paper; what is not from there comes last.
        page.results.sort_by_key(|results| {
            BUILT_IN.iter().position(|(name, _)| *name == results.name).unwrap_or(BUILT_IN.len())
        });
        if let Some(title) = self.title {
            page.title = title;
        }
        let path = self.out.unwrap_or_else(|| self.directories[0].join("report.html"));
        let text = html(&page);
        write_atomically(&path, text.as_bytes())?;
        let mut output = screen::stdout();
        match self.common.json {
            true => writeln!(output, "{}", serde_json::json!({ "file": path, "bytes": text.len() }))?,
            false => writeln!(output, "{} ({:.1} MB)", path.display(), text.len() as f64 / 1e6)?,
        }
        output.flush()?;
        Ok(Outcome::Good)
    }
}
