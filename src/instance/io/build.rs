//! The graph of a file: which column has the weights, which edges are the same edge, and what to say about both.

use super::columns::{EdgeColumn, Numbers, Values};
use super::error::EdgeName;
use super::file::{GraphFile, Reading};
use super::text::{closest, counted, listed};
use super::{Format, Parallel, Place, Problem, ReadError, ReadOptions};
use crate::instance::{Decimal, Graph, GraphError};
use std::borrow::Cow;

impl GraphFile {
    /// The graph that `options` make of this file.
    pub fn choose(self, options: &ReadOptions) -> Result<Reading, ReadError> {
        let label = self.label.clone();
        self.choose_in_file(options).map_err(|error| error.in_file(&label))
    }

    fn choose_in_file(mut self, options: &ReadOptions) -> Result<Reading, ReadError> {
        if u32::try_from(self.edges.len()).is_err() {
            return Err(ReadError::new(Place::File, format!("more than {} edges", u32::MAX)));
        }
        let directed = self.direction(options);
        let mut weight = self.weight_column(options)?;
        if !options.weights_matter && options.weight.is_none() && weight.is_some_and(|column| !self.is_complete(column))
        {
            weight = None;
        }
        let weights = match weight {
            Some(column) => Some(self.weights(column, directed, options)?),
            None => None,
        };
        let choice = Choice { file: &self, weights: weights.as_ref(), directed, options };
        let mut notes = vec![];
        let (graph, rows) = choice.graph(&mut notes)?;
        notes.extend(weights.as_ref().and_then(|weights| digits_note(&self, weights, options)));
        if let (Some(step), Some(weights)) = (options.round, &weights) {
            notes.push(rounding_note(step, weights));
        }
        notes.extend(other_columns_note(&self.columns, weight));
        self.notes.extend(notes);
        Ok(Reading { graph, directed, weight, rows, file: self })
    }

    /// Whether the graph is directed: what the file says, unless a person says otherwise.
    fn direction(&mut self, options: &ReadOptions) -> bool {
        if options.undirected && self.directed == Some(true) && self.format != Format::Dimacs {
            self.notes.push("the file says that its edges are directed; --undirected takes them both ways".to_owned());
        }
        !options.undirected && self.directed.unwrap_or(true)
    }

    fn weight_column(&self, options: &ReadOptions) -> Result<Option<usize>, ReadError> {
        let whole_file = |problem| Err(ReadError::new(Place::File, problem));
        match (&options.weight, options.unweighted) {
            (Some(name), true) => {
                return whole_file(format!("--weight {name} and --unweighted exclude each other").into());
            }
            (None, true) => return Ok(None),
            (Some(name), false) => {
                return match self.column(name) {
                    Some(column) => self.check_only(column, |other| other == name).map(|()| Some(column)),
                    None => whole_file(self.unknown_column(name)),
                };
            }
            (None, false) => (),
        }
        if let Some(column) = self.weight {
            return Ok(Some(column));
        }
        let is_weight = |name: &str| name.eq_ignore_ascii_case("weight");
        if let Some(column) = self.columns.iter().position(|column| is_weight(&column.name)) {
            if options.weights_matter {
                self.check_only(column, is_weight)?;
            }
            return Ok(Some(column));
        }
        let candidates: Vec<String> =
            self.columns.iter().filter(|column| may_be_weights(column)).map(described).collect();
        match options.weights_matter && !candidates.is_empty() {
            true => whole_file(Problem::ChooseWeights { candidates }),
            false => Ok(None),
        }
    }

    /// Refuses a column that was found by its name, if others have that name, too.
    fn check_only(&self, column: usize, is_meant: impl Fn(&str) -> bool) -> Result<(), ReadError> {
        let meant: Vec<&EdgeColumn> = self.columns.iter().filter(|column| is_meant(&column.name)).collect();
        if meant.len() < 2 || !is_meant(&self.columns[column].name) {
            return Ok(());
        }
        let name = &self.columns[column].name;
        let numbers: Vec<usize> = meant.iter().filter_map(|column| column.number).collect();
        Err(ReadError::new(Place::File, several_columns(name, meant.len(), &numbers, "--weight")))
    }

    /// True when every edge has a number in that column.
    fn is_complete(&self, column: usize) -> bool {
        self.columns[column].numbers().is_some_and(|numbers| numbers.first_missing().is_none())
    }

    fn unknown_column(&self, name: &str) -> Problem {
        let known: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let suggestion = closest(name, known.iter().map(String::as_str)).map(str::to_owned);
        Problem::UnknownColumn { name: name.to_owned(), suggestion, known }
    }

    /// The weight of every edge, rounded if that was asked for.
    fn weights(&self, column: usize, directed: bool, options: &ReadOptions) -> Result<Weights<'_>, ReadError> {
        let column = &self.columns[column];
        let numbers = match &column.values {
            Values::Numbers(numbers) => numbers,
            Values::Words(words) => return Err(self.not_a_number(words)),
        };
        if let Some(row) = numbers.first_missing() {
            let (tail, head) = self.edges[row];
            let edge = edge_name(&self.names, tail as usize, head as usize, directed);
            let problem = Problem::MissingWeight { edge, column: column.name.clone() };
            return Err(ReadError::new(self.place(row), problem));
        }
        let Some(step) = options.round else {
            return Ok(Weights { numbers: Cow::Borrowed(numbers), changed: 0, zeros: 0 });
        };
        let (mut list, mut changed, mut zeros) = (Numbers::default(), 0, 0);
        for (row, weight) in numbers.iter().flatten().enumerate() {
            let rounded = weight.rounded_to(step).ok_or_else(|| {
                ReadError::new(self.place(row), format!("the weight {weight} cannot be rounded to multiples of {step}"))
            })?;
            changed += usize::from(rounded != weight);
            zeros += usize::from(rounded != weight && rounded == Decimal::whole(0));
            list.push(Some(rounded));
        }
        Ok(Weights { numbers: Cow::Owned(list), changed, zeros })
    }

    /// The first value of a column of weights that is no number.
    fn not_a_number(&self, words: &super::Words) -> ReadError {
        for (row, word) in words.iter().enumerate() {
            if let Some(Err(error)) = word.map(str::parse::<Decimal>) {
                return ReadError::new(self.place(row), error);
            }
        }
        let first = words.iter().enumerate().find_map(|(row, word)| Some((row, word?)));
        let (row, word) = first.unwrap_or((0, ""));
        ReadError::new(self.place(row), format!("the weight \"{word}\" is not a number: it stands in quotes"))
    }
}

/// True for numbers that tell edges apart, which nobody means as lengths.
pub(super) fn is_identifier(name: &str) -> bool {
    ["id", "key", "osmid"].iter().any(|identifier| name.eq_ignore_ascii_case(identifier))
}

/// What is said where a name that was to choose a column is the name of several.
pub(super) fn several_columns(name: &str, count: usize, numbers: &[usize], option: &str) -> Problem {
    let remedy = match numbers {
        [first, ..] => format!(": choose one by its number, such as {option} {first}"),
        [] => String::new(),
    };
    let numbers = match numbers {
        [] => String::new(),
        numbers => format!(" ({})", numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    };
    format!("{count} columns are called {}{numbers}{remedy}", listed([name])).into()
}

fn may_be_weights(column: &EdgeColumn) -> bool {
    let has_numbers = column.numbers().is_some_and(|numbers| numbers.iter().any(|number| number.is_some()));
    has_numbers && !is_identifier(&column.name)
}

/// A column by its name, with what is in the way of its being the weight.
fn described(column: &EdgeColumn) -> String {
    let missing = column.numbers().map_or(0, |numbers| numbers.iter().filter(Option::is_none).count());
    match missing {
        0 => format!("`{}`", column.name),
        _ => format!("`{}` (missing on {})", column.name, counted(missing, "edge")),
    }
}

/// The weights of all edges of a file.
struct Weights<'a> {
    numbers: Cow<'a, Numbers>,
    /// How many rounding changed, and how many of those to zero.
    changed: usize,
    zeros: usize,
}

impl Weights<'_> {
    fn of(&self, row: u32) -> Decimal {
        self.numbers.get(row as usize).unwrap_or(Decimal::whole(0))
    }
}

/// Everything that a graph is made of.
struct Choice<'a> {
    file: &'a GraphFile,
    weights: Option<&'a Weights<'a>>,
    directed: bool,
    options: &'a ReadOptions,
}

impl Choice<'_> {
    fn graph(&self, notes: &mut Vec<String>) -> Result<(Graph, Vec<u32>), ReadError> {
        let all: Vec<u32> = (0..self.file.edges.len() as u32).collect();
        if let Some(graph) = self.make_of_table() {
            return Ok((graph, all));
        }
        match self.make(&all) {
            Ok(graph) => Ok((graph, all)),
            Err(GraphError::Duplicate { .. } | GraphError::Contradiction { .. }) => {
                let merged = self.merge(all)?;
                notes.extend(merged.note());
                let graph = self.make(&merged.rows).map_err(|error| self.explain(error))?;
                Ok((graph, merged.rows))
            }
            Err(error) => Err(self.explain(error)),
        }
    }

    /// The graph of all edges where that is simple: none occurs twice, and 64 bits hold each weight.
    fn make_of_table(&self) -> Option<Graph> {
        let scaled = match self.weights {
            Some(weights) => Some(weights.numbers.at_one_scale()?),
            None => None,
        };
        let weights = scaled.as_ref().map(|(weights, decimals)| (&weights[..], *decimals));
        Graph::of_table(self.file.n(), &self.file.edges, weights, !self.directed)
    }

    /// Any other file.
    fn make(&self, rows: &[u32]) -> Result<Graph, GraphError> {
        let n = self.file.n();
        let ends = |&row: &u32| {
            let (tail, head) = self.file.edges[row as usize];
            (row, tail as usize, head as usize)
        };
        let edges = rows.iter().map(ends);
        match (self.weights, self.directed) {
            (Some(weights), directed) => {
                let weighted = edges.map(|(row, tail, head)| (tail, head, weights.of(row)));
                if directed { Graph::weighted(n, weighted) } else { Graph::weighted_undirected(n, weighted) }
            }
            (None, true) => Graph::from_edges(n, edges.map(|(_, tail, head)| (tail, head))),
            (None, false) => Graph::undirected(n, edges.map(|(_, tail, head)| (tail, head))),
        }
    }

    /// One edge for all that join the same vertices, as far as that was asked for.
    fn merge(&self, mut rows: Vec<u32>) -> Result<Merged, ReadError> {
        let key = |&row: &u32| {
            let (tail, head) = self.file.edges[row as usize];
            if self.directed { (tail, head) } else { (tail.min(head), tail.max(head)) }
        };
        rows.sort_by_key(key);
        let mut merged = Merged { rows: vec![], parallel: 0, reversed: 0 };
        for group in rows.chunk_by(|one, other| key(one) == key(other)) {
            let mut kept = group[0];
            for &row in &group[1..] {
                match self.is_reverse(kept, row) {
                    true => merged.reversed += 1,
                    false if self.options.parallel == Parallel::Min => merged.parallel += 1,
                    false => return Err(self.twice(kept, row)),
                }
                if self.weight_order(row, kept).is_lt() {
                    kept = row;
                }
            }
            merged.rows.push(kept);
        }
        merged.rows.sort_unstable();
        Ok(merged)
    }

    /// True when a person asked for an undirected graph and the file lists this edge once in each direction.
    fn is_reverse(&self, kept: u32, row: u32) -> bool {
        let asked = self.options.undirected && self.file.directed != Some(false);
        let [one, other] = [kept, row].map(|row| self.file.edges[row as usize]);
        asked && one == (other.1, other.0) && one != other && self.weight_order(kept, row).is_eq()
    }

    fn weight_order(&self, one: u32, other: u32) -> std::cmp::Ordering {
        let Some(weights) = self.weights else { return std::cmp::Ordering::Equal };
        let [one, other] = [one, other].map(|row| weights.of(row));
        let scale = one.decimals().max(other.decimals());
        // Weights that do not fit one scale are refused when the graph is made, so their order does not matter.
        one.at_scale(scale).cmp(&other.at_scale(scale))
    }

    /// The error for two edges that join the same vertices.
    fn twice(&self, kept: u32, row: u32) -> ReadError {
        let (tail, head) = self.file.edges[kept as usize];
        let edge = edge_name(&self.file.names, tail as usize, head as usize, self.directed);
        let first = self.file.place(kept as usize);
        let opposite = self.file.edges[row as usize] != (tail, head) && self.file.directed != Some(false);
        let problem = match self.weights.map(|weights| [weights.of(kept), weights.of(row)]) {
            Some(weights) if weights[0] != weights[1] => match opposite {
                true => Problem::BothWays { edge, first, weights },
                false => Problem::Contradiction { edge, first, weights },
            },
            _ => Problem::Duplicate { edge, first },
        };
        ReadError::new(self.file.place(row as usize), problem)
    }

    /// The error of [`Graph`] with names for numbers, and with places.
    fn explain(&self, error: GraphError) -> ReadError {
        let GraphError::WeightTooLarge { tail, head, weight, decimals } = error else {
            return ReadError::new(Place::File, error.to_string());
        };
        let is_it = |&(one, other): &(u32, u32)| {
            let ends = (one as usize, other as usize);
            ends == (tail, head) || (!self.directed && ends == (head, tail))
        };
        let row = self.file.edges.iter().position(is_it);
        let place = row.map_or(Place::File, |row| self.file.place(row));
        let edge = edge_name(&self.file.names, tail, head, self.directed);
        ReadError::new(place, Problem::WeightTooLarge { edge, weight, decimals })
    }
}

pub(super) fn edge_name(names: &[String], tail: usize, head: usize, directed: bool) -> Box<EdgeName> {
    Box::new(EdgeName { tail: names[tail].clone(), head: names[head].clone(), directed })
}

/// What is left when each edge occurs once.
struct Merged {
    rows: Vec<u32>,
    parallel: usize,
    reversed: usize,
}

impl Merged {
    fn note(&self) -> Option<String> {
        let reversed = format!("{} listed in both directions counted once", counted(self.reversed, "edge"));
        let parallel = format!("{} left out (--parallel min)", counted(self.parallel, "parallel edge"));
        match (self.reversed, self.parallel) {
            (0, 0) => None,
            (_, 0) => Some(reversed),
            (0, _) => Some(parallel),
            _ => Some(format!("{reversed}; {parallel}")),
        }
    }
}

/// More digits than people write: the number went through a float.
const MANY_DIGITS: u32 = 12;

fn digits_note(file: &GraphFile, weights: &Weights, options: &ReadOptions) -> Option<String> {
    // Nearly all weights are short, and comparing is faster than counting.
    if !options.weights_matter || options.round.is_some() || weights.numbers.all_below(10i64.pow(MANY_DIGITS)) {
        return None;
    }
    let has_many = |weight: &Decimal| weight.significant_digits() > MANY_DIGITS;
    let many = weights.numbers.iter().flatten().filter(has_many).count();
    let (row, example) = weights.numbers.iter().flatten().enumerate().find(|(_, weight)| has_many(weight))?;
    Some(format!(
        "{} of {} {} more than {MANY_DIGITS} digits, as floats have ({example}{}): lengths that should tie may differ; --round \
         0.01 rounds weights to multiples of 0.01",
        many,
        counted(weights.numbers.len(), "weight"),
        if many == 1 { "has" } else { "have" },
        file.place(row)
    ))
}

fn rounding_note(step: Decimal, weights: &Weights) -> String {
    let zeros = match weights.zeros {
        0 => String::new(),
        zeros => format!(", {zeros} of them to 0"),
    };
    let all = counted(weights.numbers.len(), "weight");
    format!("weights rounded to multiples of {step}: {} of {all} changed{zeros}", weights.changed)
}

fn other_columns_note(columns: &[EdgeColumn], weight: Option<usize>) -> Option<String> {
    let others = columns.iter().enumerate().filter(|&(index, _)| Some(index) != weight);
    let names: Vec<&str> = others.map(|(_, column)| column.name.as_str()).collect();
    (!names.is_empty()).then(|| format!("other attributes of the edges: {}", listed(names)))
}
