//! A person's own graph as an argument: the file, its format, the source by name.

use super::screen::{in_line, say};
use super::what_was_read::ReadGraph;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use tiebreak::instance::io::{
    Delimiter, Format, HeaderLine, NamedGraph, Parallel, ReadOptions, Reading, closest, containing, read_file,
    read_stream,
};
use tiebreak::instance::{Decimal, Instance};
use tiebreak::problems::{Algorithm, BadInstance, Prepared};

/// A graph file.
#[derive(Args)]
pub struct GraphInput {
    /// Graph file: .csv, .tsv, .edges, .edgelist, .txt, .json (node-link), .npy, .npz, .gr (DIMACS), .mtx (Matrix Market),
    /// .graphml, .gml, .gexf, .net (Pajek), .adjlist; for items a table (.csv, .tsv) or a case (.jsonl); - for standard input
    graph: PathBuf,
    /// Format of the graph file, if its name does not tell
    #[arg(long, help_heading = READING)]
    format: Option<Format>,
    /// Take each edge in both directions
    #[arg(long, help_heading = READING)]
    undirected: bool,
    /// Column or attribute with the weights, by name or, in a table, by number from 1 [default: the one called `weight`, or
    /// the third of three columns]
    #[arg(long, value_name = "NAME", conflicts_with = "unweighted", help_heading = READING)]
    weight: Option<String>,
    /// Count every edge as 1, whatever numbers the file has
    #[arg(long, help_heading = READING)]
    unweighted: bool,
    /// Columns of a table, by name or by number from 1: where edges start, where they end, and perhaps the weight
    #[arg(long, value_delimiter = ',', value_name = "FROM,TO[,WEIGHT]", help_heading = READING)]
    columns: Vec<String>,
    /// What separates the columns of a table: one character, or tab, comma, semicolon, space [default: found out]
    #[arg(long, value_name = "CHARACTER", help_heading = READING)]
    delimiter: Option<Delimiter>,
    /// Whether the first line of a table names its columns: yes, no or auto
    #[arg(long, default_value = "auto", value_name = "WHETHER", help_heading = READING)]
    header: HeaderLine,
    /// Several edges between the same vertices: `min` keeps the one of smallest weight, `error` refuses them
    #[arg(long, default_value = "error", value_name = "WHAT", help_heading = READING)]
    parallel: Parallel,
    /// Round weights to the nearest multiple of this, such as 1 or 0.01 (halfway: to the even multiple)
    #[arg(long, value_name = "STEP", value_parser = positive, help_heading = READING)]
    round: Option<Decimal>,
}

/// Where help lists how a graph is read.
pub const READING: &str = "Reading the graph";

fn positive(text: &str) -> Result<Decimal, String> {
    let step: Decimal = text.parse().map_err(|error: tiebreak::instance::DecimalError| error.to_string())?;
    if step.digits() > 0 { Ok(step) } else { Err("it must be positive".to_owned()) }
}

/// True when an algorithm's answers depend on weights.
pub fn uses_weights(algorithm: &dyn Algorithm) -> bool {
    algorithm.needs().weights.are_used()
}

impl GraphInput {
    /// Reads the graph, and says on standard error what a person should know about how it was read.
    pub fn read(&self) -> Result<NamedGraph> {
        Ok(self.read_with_notes(true)?.into_named())
    }

    /// Reads the graph for an algorithm, with what its file says beside it.
    pub fn read_for(&self, algorithm: &dyn Algorithm) -> Result<(NamedGraph, ReadGraph)> {
        let reading = self.read_with_notes(uses_weights(algorithm))?;
        let summary = if uses_weights(algorithm) { reading.summary() } else { reading.size() };
        let read = ReadGraph { summary, positions: reading.file.positions.clone() };
        Ok((reading.into_named(), read))
    }

    fn read_with_notes(&self, weights_matter: bool) -> Result<Reading> {
        let reading = self.reading(weights_matter)?;
        for note in &reading.file.notes {
            say!("{}: {note}", self.label());
        }
        Ok(reading)
    }

    /// Reads the graph with everything that the file says. Where weights matter, a file must say which they are.
    pub fn reading(&self, weights_matter: bool) -> Result<Reading> {
        self.reading_with(&self.options(weights_matter))
    }

    /// As [`GraphInput::reading`] where weights come from elsewhere; `columns` are those of a table where none were named.
    pub fn reading_of_columns(&self, columns: &[String]) -> Result<Reading> {
        self.reading_with(&self.options_of_columns(columns))
    }

    /// How a file is read whose weights do not matter, with these columns where the command line names none.
    pub fn options_of_columns(&self, columns: &[String]) -> ReadOptions {
        let mut options = self.options(false);
        if options.columns.is_empty() {
            options.columns = columns.to_vec();
        }
        options
    }

    fn reading_with(&self, options: &ReadOptions) -> Result<Reading> {
        if self.graph != Path::new("-") {
            return Ok(read_file(&self.graph, self.format, options)?);
        }
        let Some(format) = self.format else {
            bail!("a graph from standard input needs --format");
        };
        Ok(read_stream(std::io::stdin().lock(), format, "standard input", options)?)
    }

    /// The format, where a person names it.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// What a person says about the file.
    pub fn options(&self, weights_matter: bool) -> ReadOptions {
        ReadOptions {
            undirected: self.undirected,
            weight: self.weight.clone(),
            unweighted: self.unweighted,
            weights_matter,
            columns: self.columns.clone(),
            delimiter: self.delimiter,
            header: self.header,
            parallel: self.parallel,
            round: self.round,
            ..ReadOptions::default()
        }
    }

    /// Whether anything was said about the weights of edges.
    pub fn names_weights(&self) -> bool {
        self.weight.is_some() || self.unweighted
    }

    /// The columns of a table that were named.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The file itself.
    pub fn path(&self) -> &Path {
        &self.graph
    }

    /// How the file is called in messages.
    pub fn label(&self) -> String {
        self.graph.display().to_string()
    }
}

/// The instance of an algorithm on a named graph; errors speak of vertices by name.
pub fn instance(algorithm: &dyn Algorithm, named: &NamedGraph, source: Option<&str>) -> Result<Instance> {
    let source = match (algorithm.needs().source, source) {
        (true, Some(name)) => Some(named.existing(name).with_context(|| format!("--source {}", in_line(name)))?),
        (true, None) => bail!("{} needs --source; {}", algorithm.name(), some_names(named)),
        (false, Some(_)) => bail!("{} has no source", algorithm.name()),
        (false, None) => None,
    };
    let mut graph = named.graph.clone();
    if !algorithm.needs().weights.are_used() {
        graph = graph.without_weights();
    }
    Ok(Instance::of_graph(graph, source))
}

/// The instance made ready; errors speak of vertices by name.
pub fn prepare<'a>(
    algorithm: &dyn Algorithm,
    named: &NamedGraph,
    instance: &'a Instance,
) -> Result<Box<dyn Prepared + 'a>> {
    algorithm.prepare(instance).map_err(|error| {
        let remedy = match error {
            BadInstance::Directed { .. } | BadInstance::NotUndirected { .. } => {
                " (--undirected, if edges go both ways)"
            }
            _ => "",
        };
        anyhow!("{}{remedy}", error.describe(|vertex| in_line(&named.names[vertex]).into_owned()))
    })
}

/// Names that a message gives as examples.
const EXAMPLES: usize = 5;

/// Some of the vertices, for messages.
pub fn some_names(named: &NamedGraph) -> String {
    let names: Vec<String> = named.names.iter().take(EXAMPLES).map(|name| format!("'{}'", in_line(name))).collect();
    match named.names.len().saturating_sub(EXAMPLES) {
        _ if names.is_empty() => "the graph has no vertices".to_owned(),
        0 => format!("the vertices are {}", names.join(", ")),
        1 => format!("there are {} and 1 more vertex", names.join(", ")),
        more => format!("there are {} and {more} more vertices", names.join(", ")),
    }
}

/// Finding vertices by the names that a person typed.
pub trait ByName {
    /// The vertex of that name, or an error that says which there are.
    fn existing(&self, name: &str) -> Result<usize>;
}

impl ByName for NamedGraph {
    fn existing(&self, name: &str) -> Result<usize> {
        let names = || self.names.iter().map(String::as_str);
        let meant = || closest(name, names()).or_else(|| containing(name, names()));
        self.index_of(name).ok_or_else(|| match meant() {
            Some(meant) => anyhow!("there is no vertex '{}'; did you mean '{}'?", in_line(name), in_line(meant)),
            None => anyhow!("there is no vertex '{}'; {}", in_line(name), some_names(self)),
        })
    }
}

/// The graph with the vertex first where a search is to start; the others keep their order, so that it goes on in theirs.
pub fn starting_at(named: NamedGraph, positions: Option<&mut Vec<(f64, f64)>>, start: &str) -> Result<NamedGraph> {
    let start = named.existing(start).with_context(|| format!("--source {}", in_line(start)))?;
    let label = |vertex: usize| match vertex.cmp(&start) {
        Ordering::Less => vertex + 1,
        Ordering::Equal => 0,
        Ordering::Greater => vertex,
    };
    let labels: Vec<usize> = (0..named.names.len()).map(label).collect();
    let NamedGraph { graph, mut names, directed } = named;
    names[..=start].rotate_right(1);
    if let Some(positions) = positions {
        positions[..=start].rotate_right(1);
    }
    Ok(NamedGraph { graph: Instance::new(graph).relabelled(&labels).graph, names, directed })
}

/// Two fields of CSV, of which at least one is quoted; a quote within quotes is doubled.
fn quoted_pair(text: &str) -> Option<(String, String)> {
    let mut fields = vec![String::new()];
    let (mut is_quoted, mut signs) = (false, text.trim().chars().peekable());
    while let Some(sign) = signs.next() {
        let field = fields.last_mut()?;
        match sign {
            '"' if is_quoted && signs.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if is_quoted || field.trim().is_empty() => {
                is_quoted = !is_quoted;
                if is_quoted {
                    field.clear();
                }
            }
            ',' if !is_quoted => fields.push(String::new()),
            _ => field.push(sign),
        }
    }
    let [tail, head] = <[String; 2]>::try_from(fields).ok().filter(|_| !is_quoted)?;
    Some((tail.trim().to_owned(), head.trim().to_owned()))
}

/// Two vertices as `u,v`. Names with commas may be quoted as in CSV; without quotes, one reading has to fit.
pub fn edge_by_names(named: &NamedGraph, text: &str) -> Result<(usize, usize)> {
    if let Some((tail, head)) = Some(text).filter(|text| text.contains('"')).and_then(quoted_pair) {
        let edge = (named.existing(&tail)?, named.existing(&head)?);
        return if edge.0 == edge.1 { bail!("an edge joins two different vertices") } else { Ok(edge) };
    }
    let commas = text.char_indices().filter(|&(_, sign)| sign == ',').map(|(place, _)| place);
    let splits: Vec<(&str, &str)> = commas.map(|place| (text[..place].trim(), text[place + 1..].trim())).collect();
    let vertices = |&(tail, head): &(&str, &str)| Some((named.index_of(tail)?, named.index_of(head)?));
    let found: Vec<(usize, usize)> = splits.iter().filter_map(vertices).collect();
    match (&found[..], &splits[..]) {
        ([(tail, head)], _) if tail == head => bail!("an edge joins two different vertices"),
        ([edge], _) => Ok(*edge),
        ([], [(tail, head)]) => Ok((named.existing(tail)?, named.existing(head)?)),
        ([], _) => bail!("not two vertices joined by a comma; {}", some_names(named)),
        _ => bail!("it can be read in several ways, because names have commas; quote them as in CSV: '\"A, B\",C'"),
    }
}
