//! Solutions for people and programs: a table, JSON, JSON Lines, Graphviz drawings, a page.

use super::output::{joined, table, write_output};
use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use tiebreak::algorithms::Algorithm;
use tiebreak::cases::Case;
use tiebreak::files::write_atomically;
use tiebreak::graph::io::{Format, NamedGraph, write_graph};
use tiebreak::graph::{Decimal, Graph, Instance};
use tiebreak::parents::{ParentArray, ParentDistribution};
use tiebreak::report::{Exhibit, Page, Results, html};
use tiebreak::solve::{Answer, Basis, Count, Demand, Impossible, Rejection, Solved, Tally};

/// All there is to show.
pub struct Shown<'a> {
    pub algorithm: &'a dyn Algorithm,
    pub label: String,
    pub named: &'a NamedGraph,
    pub instance: &'a Instance,
    pub solved: &'a Solved,
    /// The vertex whose ways are wanted.
    pub to: Option<usize>,
}

/// Vertices and columns of a table that a person still reads.
const MAX_ROWS: usize = 100;
const MAX_COLUMNS: usize = 12;
/// Edges that are listed by name.
const MAX_EDGES: usize = 30;
/// Vertices of a distribution that is shown on a page.
const MAX_DISTRIBUTION: usize = 200;

impl Shown<'_> {
    fn name(&self, vertex: usize) -> &str {
        &self.named.names[vertex]
    }

    fn edge(&self, (parent, child): (usize, usize)) -> String {
        format!("{} -> {}", self.name(parent), self.name(child))
    }

    fn demand(&self, demand: &Demand) -> String {
        let arrow = if demand.either_way { "-" } else { "->" };
        format!("{} {arrow} {}", self.name(demand.tail), self.name(demand.head))
    }

    /// "10 of 58,212 solutions".
    fn how_many(&self) -> String {
        let found = self.solved.solutions.len();
        match &self.solved.count {
            Count::Unknown => format!("{found} of an unknown number of solutions"),
            count if *count == Count::Exactly(1u32.into()) => format!("{found} of {count} solution"),
            count => format!("{found} of {count} solutions"),
        }
    }

    /// Why there is no solution, in a sentence.
    fn refusal(&self) -> Option<String> {
        let tries: usize = self.solved.tallies.iter().map(|tally| tally.draws).sum();
        match &self.solved.answer {
            Answer::Found => None,
            Answer::Impossible(Impossible::NoSolutionHas(demand)) => {
                let is_edge = |tail, head| self.instance.graph.has_edge(tail, head);
                let exists =
                    is_edge(demand.tail, demand.head) || (demand.either_way && is_edge(demand.head, demand.tail));
                let why = if exists { "" } else { ": it is not an edge of the graph" };
                Some(format!("no solution has {}{why}", self.demand(demand)))
            }
            Answer::Impossible(Impossible::EverySolutionHas(demand)) => {
                Some(format!("no solution avoids {}: every solution has it", self.demand(demand)))
            }
            Answer::Impossible(Impossible::Together) => Some("no solution meets all demands together".to_owned()),
            Answer::Impossible(Impossible::TooMany) => {
                Some("not answered: too many required edges without a direction".to_owned())
            }
            Answer::NotFound => Some(format!("found none in {tries} tries; not proved impossible")),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if let Some(refusal) = self.refusal() {
            let _ = writeln!(out, "{refusal}");
            self.add_notes(&mut out);
            return out;
        }
        let (n, m) = (self.instance.n(), self.listed_edges());
        let from = self.instance.source.map_or(String::new(), |source| format!(" from {}", self.name(source)));
        let algorithm = self.algorithm.name();
        let _ = writeln!(
            out,
            "{} ({algorithm}{from}, {n} vertices, {m} edges), each accepted by the exact verifier",
            self.how_many()
        );
        self.add_table(&mut out);
        self.add_ways(&mut out);
        self.add_edges(&mut out);
        self.add_sources(&mut out);
        self.add_notes(&mut out);
        out
    }

    fn listed_edges(&self) -> usize {
        let edges = self.instance.graph.edges();
        edges.filter(|(tail, head)| self.named.directed || tail <= head).count()
    }

    /// The parent of each vertex, a column for each solution; rows in which all are the same are left out.
    fn add_table(&self, out: &mut String) {
        let solutions = &self.solved.solutions;
        let parent = |vertex: usize, place: usize| self.name(solutions[place].parents.parent_of(vertex));
        let differs = |&vertex: &usize| {
            let first = solutions[0].parents.parent_of(vertex);
            solutions.iter().any(|solution| solution.parents.parent_of(vertex) != first)
        };
        let all_rows = solutions.len() == 1;
        let rows: Vec<usize> = (0..self.instance.n()).filter(|vertex| all_rows || differs(vertex)).collect();
        if rows.is_empty() {
            return;
        }
        if rows.len() > MAX_ROWS {
            let _ = writeln!(out, "(too many vertices for a table: see --json, --jsonl, --dot)");
            return;
        }
        let distances = self.distances(0);
        let columns = solutions.len().min(MAX_COLUMNS);
        let mut header = vec!["vertex".to_owned()];
        header.extend(distances.iter().map(|_| "distance".to_owned()));
        header.extend((1..=columns).map(|place| if all_rows { "parent".to_owned() } else { place.to_string() }));
        let cells = rows.iter().map(|&vertex| {
            let mut cells = vec![self.name(vertex).to_owned()];
            cells.extend(distances.iter().map(|distances| distances[vertex].clone().unwrap_or_else(|| "–".to_owned())));
            cells.extend((0..columns).map(|place| parent(vertex, place).to_owned()));
            cells
        });
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let _ = writeln!(out, "\n{}", table(&header, cells));
        let left_out = self.instance.n() - rows.len();
        let same = if left_out > 0 { format!("; {left_out} vertices have the same in all") } else { String::new() };
        let more = solutions.len() - columns;
        let more = if more > 0 { format!("; {more} more solutions with --json") } else { String::new() };
        let _ = writeln!(out, "(the parent of each vertex{same}; a root is its own{more})\n");
    }

    /// The length of the way to each vertex by a solution's parents, where there is a source.
    fn distances(&self, place: usize) -> Option<Vec<Option<String>>> {
        self.exhibit_of([place]).draws.pop()?.distances
    }

    fn add_ways(&self, out: &mut String) {
        let Some(to) = self.to else { return };
        let mut ways: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for (place, solution) in self.solved.solutions.iter().enumerate() {
            ways.entry(way_to(&solution.parents, to)).or_default().push(place + 1);
        }
        let length = self.distances(0).and_then(|distances| distances[to].clone());
        let length = length.map_or(String::new(), |length| format!(" (length {length})"));
        let _ = writeln!(out, "ways to {}{length}:", self.name(to));
        for (way, places) in ways {
            let names: Vec<&str> = way.iter().map(|&vertex| self.name(vertex)).collect();
            let places: Vec<String> = places.iter().map(ToString::to_string).collect();
            let _ = writeln!(out, "  {}   (in {})", names.join(" -> "), places.join(", "));
        }
    }

    fn add_edges(&self, out: &mut String) {
        let edges = &self.solved.edges;
        let whose = match edges.basis {
            Basis::Every => "all solutions",
            Basis::Found => "the solutions found",
        };
        let _ = writeln!(out, "{whose} share {} tree edges; {} vary", edges.shared.len(), edges.varying.len());
        for (what, list) in [("shared", &edges.shared), ("vary", &edges.varying)] {
            if (1..=MAX_EDGES).contains(&list.len()) {
                let names: Vec<String> = list.iter().map(|&edge| self.edge(edge)).collect();
                let _ = writeln!(out, "  {what}: {}", names.join(", "));
            }
        }
        if let Some(diversity) = self.solved.diversity {
            let _ = writeln!(
                out,
                "two of them have {:.3} of their edges in common on average; chosen from {}, the first ones of which \
                 have {:.3}",
                diversity.shared, diversity.pool, diversity.as_drawn
            );
        }
    }

    fn add_sources(&self, out: &mut String) {
        for tally in &self.solved.tallies {
            let rejected: usize = tally.rejected.iter().map(|(_, times)| times).sum();
            let _ = writeln!(
                out,
                "{}: {} draws, {} new, {} repeated, {rejected} rejected",
                tally.source, tally.draws, tally.kept, tally.repeated
            );
            for (reason, times) in &tally.rejected {
                let _ = writeln!(out, "  {times} broke the rule that {}", reason.words());
            }
        }
    }

    fn add_notes(&self, out: &mut String) {
        for note in &self.solved.notes {
            let _ = writeln!(out, "note: {note}");
        }
    }

    /// For programs.
    pub fn json(&self) -> JsonAnswer<'_> {
        let Solved { tallies, count, edges, diversity, notes, .. } = self.solved;
        JsonAnswer {
            algorithm: self.algorithm.name(),
            graph: &self.label,
            count: count.exactly().map(ToString::to_string),
            count_in_words: count.to_string(),
            count_at_least: match count {
                Count::AtLeast(bound) => Some(bound.to_string()),
                _ => None,
            },
            answer: match self.solved.answer {
                Answer::Found => "found",
                Answer::Impossible(_) => "impossible",
                Answer::NotFound => "not found",
            },
            reason: self.refusal(),
            vertices: self.instance.n(),
            edges: self.listed_edges(),
            directed: self.named.directed,
            names: &self.named.names,
            source: self.instance.source,
            solutions: (0..self.solved.solutions.len()).map(|place| self.json_solution(place)).collect(),
            shared_edges: &edges.shared,
            varying_edges: &edges.varying,
            edges_are_of: match edges.basis {
                Basis::Every => "every solution",
                Basis::Found => "the solutions found",
            },
            diversity: diversity.map(
                |diversity| json!({"shared": diversity.shared, "as_drawn": diversity.as_drawn, "pool": diversity.pool}),
            ),
            draws: tallies.iter().map(json_tally).collect(),
            notes,
        }
    }

    fn json_solution(&self, place: usize) -> JsonSolution<'_> {
        let solution = &self.solved.solutions[place];
        let name = |&vertex: &usize| self.name(vertex);
        JsonSolution {
            parents: solution.parents.as_slice(),
            parent_names: solution.parents.as_slice().iter().map(name).collect(),
            source: &solution.source,
            distances: self.distances(place),
            way: self.to.map(|to| way_to(&solution.parents, to).iter().map(name).collect()),
        }
    }

    /// Some of the solutions as things to look at.
    fn exhibit_of(&self, places: impl IntoIterator<Item = usize>) -> Exhibit {
        let mut exhibit = Exhibit::default();
        for solution in places.into_iter().filter_map(|place| self.solved.solutions.get(place)) {
            let (from, extractor) = match solution.source.split_once(", ") {
                Some((from, extractor)) => (from, Some(extractor)),
                None => (solution.source.as_str(), None),
            };
            exhibit.add_draw(self.algorithm, self.instance, from, extractor, &solution.parents);
        }
        exhibit
    }
}

/// The vertices from the root to `to`.
fn way_to(parents: &ParentArray, to: usize) -> Vec<usize> {
    let mut way = vec![to];
    while let Some(&vertex) = way.last().filter(|&&vertex| !parents.is_root(vertex)) {
        way.push(parents.parent_of(vertex));
    }
    way.reverse();
    way
}

/// The answer as one JSON object.
#[derive(Serialize)]
pub struct JsonAnswer<'a> {
    algorithm: &'a str,
    graph: &'a str,
    /// As a text, because it may be larger than any JSON number; null where it is not known.
    count: Option<String>,
    count_in_words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    count_at_least: Option<String>,
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    vertices: usize,
    edges: usize,
    directed: bool,
    names: &'a [String],
    source: Option<usize>,
    solutions: Vec<JsonSolution<'a>>,
    shared_edges: &'a [(usize, usize)],
    varying_edges: &'a [(usize, usize)],
    edges_are_of: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    diversity: Option<Value>,
    draws: Vec<Value>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct JsonSolution<'a> {
    parents: &'a [usize],
    parent_names: Vec<&'a str>,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    distances: Option<Vec<Option<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    way: Option<Vec<&'a str>>,
}

fn json_tally(tally: &Tally) -> Value {
    let rejected = tally.rejected.iter().map(|(reason, times)| (reason_name(*reason), json!(times)));
    json!({
        "source": tally.source, "draws": tally.draws, "kept": tally.kept, "repeated": tally.repeated,
        "rejected": rejected.collect::<Map<_, _>>(),
    })
}

fn reason_name(reason: Rejection) -> String {
    match reason {
        Rejection::Demand => "demand".to_owned(),
        Rejection::Rule(rule) => {
            serde_json::to_value(rule).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
        }
    }
}

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
    let named = Exhibit::new(shown.label.clone(), shown.algorithm, shown.named, shown.instance);
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
    let title = format!("{} of {}", shown.algorithm.name(), shown.label);
    let page = Page { title, about, results: vec![results], ..Page::default() };
    Ok(write_atomically(path, html(&page).as_bytes())?)
}
