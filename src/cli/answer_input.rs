//! A person's own answer as an argument, by names: a tree or a set of edges as a graph file, an order or selected items as a list.

use super::graph_input::ByName;
use super::output::open_input;
use super::screen::{in_line, say};
use anyhow::{Context, Result, anyhow};
use std::collections::HashMap;
use std::path::Path;
use tiebreak::answers::{Candidate, Form};
use tiebreak::files::next_line;
use tiebreak::instance::Instance;
use tiebreak::instance::io::{Format, HeaderLine, NamedGraph, ReadOptions, Reading, read_file};
use tiebreak::pipeline::written::Written;
use tiebreak::problems::verify::{Rule, Violation};

/// Whom answers are about.
pub struct Named<'a> {
    graph: &'a NamedGraph,
    instance: &'a Instance,
    index: HashMap<&'a str, usize>,
}

impl<'a> Named<'a> {
    pub fn new(graph: &'a NamedGraph, instance: &'a Instance) -> Self {
        let index = graph.names.iter().enumerate().map(|(vertex, name)| (name.as_str(), vertex)).collect();
        Named { graph, instance, index }
    }

    /// The answer of a file. One that is written well, but is none, such as a tree in which a vertex has two parents, is a wrong one.
    pub fn answer(&self, form: Form, path: &Path) -> Result<Result<Candidate, Violation>> {
        let file = path.display();
        let written = match form {
            Form::Parents => match self.parents(self.edges(path)?).with_context(|| file.to_string())? {
                Ok(parents) => Written::Parents(parents),
                Err(violation) => return Ok(Err(violation)),
            },
            Form::Edges => Written::Chosen(self.edges(path)?.pairs),
            Form::Order => Written::Order(self.list(path)?),
            Form::Items => Written::Selected(self.list(path)?),
        };
        written.candidate(self.instance).map_err(|error| anyhow!("{file}: {error}"))
    }

    fn existing(&self, name: &str) -> Result<usize> {
        match (self.index.get(name), &self.instance.items) {
            (Some(&vertex), _) => Ok(vertex),
            (None, None) => self.graph.existing(name),
            (None, Some(items)) => Err(anyhow!("there is no {} '{}'", items.kind().one, in_line(name))),
        }
    }

    /// The edges of a graph file, whatever else it says of them. A first line of a table that names strangers, as nothing else does, is a title.
    fn edges(&self, path: &Path) -> Result<Edges> {
        let file = path.display();
        let format = Format::of_path(path).map_err(|_| {
            anyhow!("{file}: what format an answer has is told by its name, such as tree.csv or tree.graphml")
        })?;
        let options = |header| ReadOptions { unweighted: true, header, ..ReadOptions::default() };
        let read = |header| read_file(path, Some(format), &options(header));
        let reading = read(HeaderLine::Auto)?;
        let seeming = self.edges_of(&reading);
        if seeming.is_err()
            && matches!(format, Format::Csv | Format::Tsv)
            && let Ok(Ok(edges)) = read(HeaderLine::Yes).map(|titled| self.edges_of(&titled))
        {
            say!("{file}: its first line is taken as a title");
            return Ok(edges);
        }
        reading.file.notes.iter().for_each(|note| say!("{file}: {note}"));
        seeming.with_context(|| file.to_string())
    }

    fn edges_of(&self, reading: &Reading) -> Result<Edges> {
        let vertices = reading.file.names.iter().map(|name| self.existing(name)).collect::<Result<Vec<usize>>>()?;
        let pairs = reading.graph.edges().map(|(tail, head)| (vertices[tail], vertices[head]));
        // Where the format does not say: a tree of an undirected graph, written by whoever knows no parents, has its edges in either direction.
        let seems_directed = self.instance.source.is_none() || !self.instance.graph.is_undirected();
        Ok(Edges { pairs: pairs.collect(), directed: reading.file.directed.unwrap_or(seems_directed) })
    }

    /// The parent of each vertex, its own where no edge leads to it. Edges without a direction lead away from the source.
    fn parents(&self, edges: Edges) -> Result<Result<Vec<usize>, Violation>> {
        let mut parents: Vec<usize> = (0..self.instance.n()).collect();
        let edges = match edges.directed {
            true => edges.pairs,
            false => {
                let source = self.instance.source.ok_or_else(|| {
                    anyhow!("its edges have no direction; those of a forest lead from a parent to its child")
                })?;
                away_from(source, self.instance.n(), &edges.pairs)
            }
        };
        // A root may be said to be its own parent.
        for (parent, child) in edges.into_iter().filter(|(parent, child)| parent != child) {
            if parents[child] != child {
                let both = vec![(parents[child], child), (parent, child)];
                return Ok(Err(Violation::with_edges(child, Rule::OneParentEach, both)));
            }
            parents[child] = parent;
        }
        Ok(Ok(parents))
    }

    /// The names of a list, one a line; the first line of a table may be a title.
    fn list(&self, path: &Path) -> Result<Vec<usize>> {
        let file = path.display();
        let is_table = path.extension().is_some_and(|extension| extension == "csv" || extension == "tsv");
        let (mut reader, mut line, mut listed) = (open_input(path)?, vec![], vec![]);
        for number in 1.. {
            if !next_line(&mut reader, &mut line).with_context(|| format!("{file}, line {number}"))? {
                break;
            }
            let text = std::str::from_utf8(&line).with_context(|| format!("{file}, line {number}: not UTF-8"))?;
            let text = text.trim_start_matches('\u{feff}').trim();
            if text.is_empty() {
                continue;
            }
            match self.existing(&unquoted(text)) {
                Ok(vertex) => listed.push(vertex),
                Err(_) if number == 1 && is_table => {
                    say!("{file}: its first line, `{}`, is taken as a title", in_line(text))
                }
                Err(error) => return Err(error.context(format!("{file}, line {number}"))),
            }
        }
        Ok(listed)
    }
}

struct Edges {
    pairs: Vec<(usize, usize)>,
    directed: bool,
}

/// Edges between n vertices, each from the end that is met first on the way from the source; those that are not met stay as they are, after the others.
fn away_from(source: usize, n: usize, edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut at = vec![vec![]; n];
    for (number, &(one, other)) in edges.iter().enumerate() {
        at[one].push(number);
        at[other].push(number);
    }
    let (mut is_taken, mut directed) = (vec![false; edges.len()], vec![]);
    let (mut is_met, mut waiting) = (vec![false; n], vec![source]);
    is_met[source] = true;
    while let Some(vertex) = waiting.pop() {
        for &number in &at[vertex] {
            if !std::mem::replace(&mut is_taken[number], true) {
                let (one, other) = edges[number];
                let next = if one == vertex { other } else { one };
                directed.push((vertex, next));
                if !std::mem::replace(&mut is_met[next], true) {
                    waiting.push(next);
                }
            }
        }
    }
    let rest = edges.iter().zip(is_taken).filter(|(_, is_taken)| !is_taken).map(|(&edge, _)| edge);
    directed.into_iter().chain(rest).collect()
}

/// A name without the quotes of CSV.
fn unquoted(text: &str) -> String {
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(quoted) => quoted.replace("\"\"", "\""),
        None => text.to_owned(),
    }
}
