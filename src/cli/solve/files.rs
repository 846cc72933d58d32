//! The answer in files: JSON Lines, Graphviz drawings, a page.

use super::shown::Shown;
use crate::cli::output::{joined, write_output};
use anyhow::{Context, Result};
use serde_json::json;
use std::path::Path;
use tiebreak::algorithms::Algorithm;
use tiebreak::cases::Case;
use tiebreak::files::write_atomically;
use tiebreak::graph::io::{Format, write_graph};
use tiebreak::graph::{Decimal, Graph, Instance};
use tiebreak::parents::{ParentArray, ParentDistribution};
use tiebreak::report::{Exhibit, Page, Results, html};
use tiebreak::solve::Count;

/// Vertices of a distribution that is shown on a page.
const MAX_DISTRIBUTION: usize = 200;

/// One case a line, as `tiebreak verify` reads them.
pub fn write_lines(shown: &Shown, path: &Path) -> Result<()> {
    let algorithm = Some(shown.algorithm.name().to_owned());
    let instance = with_weights(shown.algorithm, shown.instance)?;
    let mut lines = String::new();
    for solution in &shown.solved.solutions {
        let parents = Some(solution.parents.clone());
        let case = Case { instance: instance.clone(), parents, distribution: None, algorithm: algorithm.clone() };
        lines.push_str(&joined(&case.to_line(), &json!({"from": solution.source}).to_string()));
        lines.push('\n');
    }
    write_output(Some(path), lines.as_bytes())
}

/// Shortest paths in a graph without weights count edges; a line says so by weights of one.
fn with_weights(algorithm: &dyn Algorithm, instance: &Instance) -> Result<Instance> {
    if !algorithm.needs_source() || instance.graph.is_weighted() {
        return Ok(instance.clone());
    }
    let edges = instance.graph.edges().map(|(tail, head)| (tail, head, Decimal::whole(1)));
    let graph = Graph::weighted(instance.n(), edges.collect::<Vec<_>>())?;
    Ok(Instance { graph, source: instance.source })
}

/// One drawing for each solution in a directory, or the first one in a file.
pub fn write_dot(shown: &Shown, path: &Path) -> Result<()> {
    let draw = |parents: &ParentArray| write_graph(shown.named, Format::Dot, Some(parents));
    if path.extension().is_some_and(|extension| extension == "dot" || extension == "gv") {
        if let Some(first) = shown.solved.solutions.first() {
            write_atomically(path, &draw(&first.parents)?)?;
        }
        return Ok(());
    }
    std::fs::create_dir_all(path).with_context(|| format!("cannot make the directory {}", path.display()))?;
    for (place, solution) in shown.solved.solutions.iter().enumerate() {
        write_atomically(&path.join(format!("solution-{}.dot", place + 1)), &draw(&solution.parents)?)?;
    }
    Ok(())
}

/// One page with all solutions.
pub fn write_html(shown: &Shown, path: &Path, command: &str) -> Result<()> {
    // A title has no room for folders.
    let file =
        Path::new(&shown.label).file_name().map_or(shown.label.clone(), |name| name.to_string_lossy().into_owned());
    let named = Exhibit::new(file.clone(), shown.algorithm, shown.named, shown.instance);
    let mut exhibit = Exhibit { draws: shown.exhibit_of(0..shown.solved.solutions.len()).draws, ..named };
    exhibit.solutions = (shown.solved.count != Count::Unknown).then(|| shown.solved.count.to_string());
    let found: Vec<ParentArray> = shown.solved.solutions.iter().map(|solution| solution.parents.clone()).collect();
    if !found.is_empty() && shown.instance.n() <= MAX_DISTRIBUTION {
        exhibit.show_distribution("share of the solutions shown", &ParentDistribution::from_runs(&found));
    }
    let about = shown.refusal().unwrap_or_else(|| format!("{}, each accepted by the exact verifier", shown.how_many()));
    let results = Results {
        name: "solve".to_owned(),
        about: about.clone(),
        command: command.to_owned(),
        exhibits: vec![exhibit],
        ..Results::default()
    };
    let title = format!("{} of {file}", shown.algorithm.name());
    let page = Page { title, about, results: vec![results], ..Page::default() };
    Ok(write_atomically(path, html(&page).as_bytes())?)
}
