//! The answer in files: JSON Lines, Graphviz drawings, a page.

use super::presentation::Presentation;
use super::routes::RouteAnswer;
use crate::cli::output::{joined, write_output};
use anyhow::Result;
use serde_json::json;
use std::path::Path;
use tiebreak::answers::{Candidate, Marginals};
use tiebreak::files::{make_directory, write_atomically};
use tiebreak::instance::io::{Format, write_graph};
use tiebreak::instance::{Decimal, Graph, Instance};
use tiebreak::pipeline::cases::Case;
use tiebreak::problems::Algorithm;
use tiebreak::report::{Exhibit, Page, Results, html, plot};
use tiebreak::solve::Count;

/// Vertices of a distribution that is shown on a page.
const MAX_DISTRIBUTION: usize = 200;
/// Choices that a page shows, of all solutions together.
const MAX_CHOICES: usize = 60_000;

/// One case a line, as `tiebreak verify` reads them.
pub fn write_lines(shown: &Presentation, path: &Path) -> Result<()> {
    let algorithm = Some(shown.algorithm.name().to_owned());
    let instance = with_weights(shown.algorithm, shown.instance)?;
    let mut lines = String::new();
    for solution in &shown.solved.solutions {
        let (instance, candidate) = (instance.clone(), Some(Ok(solution.candidate.clone())));
        let case = Case { instance, candidate, marginals: None, algorithm: algorithm.clone(), made: None };
        lines.push_str(&joined(&case.to_line(), &json!({"origin": solution.origin.to_string()}).to_string()));
        lines.push('\n');
    }
    write_output(Some(path), lines.as_bytes())
}

/// Where weights are used and there are none, each edge counts as one; a line says so.
fn with_weights(algorithm: &dyn Algorithm, instance: &Instance) -> Result<Instance> {
    let graph = &instance.graph;
    if !algorithm.needs().weights.are_used() || graph.is_weighted() {
        return Ok(instance.clone());
    }
    let edges = graph.edges().map(|(tail, head)| (tail, head, Decimal::whole(1)));
    let weighted = match graph.is_undirected() {
        true => Graph::weighted_undirected(instance.n(), edges)?,
        false => Graph::weighted(instance.n(), edges)?,
    };
    Ok(Instance::of_graph(weighted, instance.source))
}

/// One drawing for each solution in a directory, or the first one in a file.
pub fn write_dot(shown: &Presentation, path: &Path) -> Result<()> {
    let draw = |parents: &Candidate| write_graph(shown.named, Format::Dot, Some(parents));
    if path.extension().is_some_and(|extension| extension == "dot" || extension == "gv") {
        if let Some(first) = shown.solved.solutions.first() {
            write_atomically(path, &draw(&first.candidate)?)?;
        }
        return Ok(());
    }
    make_directory(path)?;
    for (place, solution) in shown.solved.solutions.iter().enumerate() {
        write_atomically(&path.join(format!("solution-{}.dot", place + 1)), &draw(&solution.candidate)?)?;
    }
    Ok(())
}

/// One image with the solutions side by side.
pub fn write_svg(shown: &Presentation, positions: Option<&[(f64, f64)]>, path: &Path) -> Result<()> {
    Ok(write_atomically(path, plot::solutions_svg(&exhibit(shown, positions)).as_bytes())?)
}

/// The solutions as something to look at.
fn exhibit(shown: &Presentation, positions: Option<&[(f64, f64)]>) -> Exhibit {
    // A title has no room for folders.
    let file =
        Path::new(&shown.label).file_name().map_or(shown.label.clone(), |name| name.to_string_lossy().into_owned());
    let mut exhibit = Exhibit::new(file, shown.algorithm, shown.named, shown.instance);
    shown.add_draws(&mut exhibit);
    exhibit.draws.truncate((MAX_CHOICES / shown.instance.n().max(1)).max(1));
    exhibit.varying = shown.solved.parts.varying.clone();
    exhibit.show_structure(shown.prepared.space());
    if let Some(items) = &mut exhibit.items {
        items.seconds_of = shown.seconds_of;
    }
    exhibit.learnt = shown.learnt;
    exhibit.positions = positions.map(<[_]>::to_vec);
    exhibit.solutions = (shown.solved.count != Count::Unknown).then(|| shown.solved.count.to_string());
    exhibit
}

/// One page with all solutions.
pub fn write_html(
    shown: &Presentation,
    routes: Option<&RouteAnswer>,
    positions: Option<&[(f64, f64)]>,
    path: &Path,
    command: &str,
) -> Result<()> {
    let mut exhibit = exhibit(shown, positions);
    exhibit.routes = routes.map(RouteAnswer::shown).unwrap_or_default();
    let found: Vec<Candidate> = shown.solved.solutions.iter().map(|solution| solution.candidate.clone()).collect();
    if !found.is_empty() && shown.instance.n() <= MAX_DISTRIBUTION {
        exhibit.show_marginals("share of the solutions shown", &Marginals::from_runs(&found));
    }
    let trees = || shown.refusal().unwrap_or_else(|| format!("{}, {}", shown.how_many(), shown.verified()));
    let mut about = routes.map_or_else(trees, RouteAnswer::about);
    if shown.learnt {
        about.push_str(", under the learnt cost");
    }
    let title = format!("{} of {}", shown.algorithm.name(), exhibit.name);
    let results = Results {
        name: "solve".to_owned(),
        about: about.clone(),
        command: command.to_owned(),
        exhibits: vec![exhibit],
        ..Results::default()
    };
    let page = Page { title, about, results: vec![results], ..Page::default() };
    Ok(write_atomically(path, html(&page).as_bytes())?)
}
