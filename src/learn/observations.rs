//! What people did, one JSON object a line: `{"path":["A","C","B"]}`, `{"parents":["A","A","C"]}`, `{"chosen":[["A","B"],["B","C"]]}`, or of items
//! `{"selected":["wash","cook"]}`.
//!
//! `"?"` in a path is a gap: it is filled with the cheapest way between its neighbours. Other keys of a line may be named as its context. A line that cannot be
//! used ends the reading with its number and the reason; nothing is skipped in silence.

use super::features::{Cell, Column};
use crate::files::next_line;
use crate::instance::Graph;
use crate::instance::io::closest;
use crate::problems::Space;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io::BufRead;
use thiserror::Error;

/// The keys under which answers stand.
const FORMS: [&str; 4] = ["path", "parents", "chosen", "selected"];
const GAP: &str = "?";

/// A line that cannot be used.
#[derive(Debug, Error)]
#[error("{file}: line {line}: {reason}")]
pub struct BadObservation {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// One observed answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObservedAnswer {
    /// Stretches of a route; a way between two of them is not known.
    Path(Vec<Vec<u32>>),
    /// The parent of each vertex of a tree; a root is its own.
    Parents(Vec<u32>),
    /// Edges, by any of their arcs.
    Chosen(Vec<u32>),
    /// Items.
    Selected(Vec<u32>),
}

impl ObservedAnswer {
    /// The key under which it stands in a line.
    pub fn form(&self) -> &'static str {
        match self {
            ObservedAnswer::Path(_) => FORMS[0],
            ObservedAnswer::Parents(_) => FORMS[1],
            ObservedAnswer::Chosen(_) => FORMS[2],
            ObservedAnswer::Selected(_) => FORMS[3],
        }
    }
}

/// All observations: at least one, all of one form.
#[derive(Clone, Debug, PartialEq)]
pub struct Observations {
    /// The answers, in the order of the file.
    pub answers: Vec<ObservedAnswer>,
    /// The columns of the context, a row for each answer.
    pub contexts: Vec<Column>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// How lines are read.
#[derive(Clone, Copy, Default)]
pub struct ObservationOptions<'a> {
    /// Keys that are the context.
    pub contexts: &'a [String],
    /// Steps that are no edges are gaps.
    pub gaps: bool,
    /// Items are selected, and these are the sets that are possible.
    pub sets: Option<&'a dyn Space>,
}

/// Reads all lines; `names` are those of the graph's vertices.
pub fn read_observations(
    mut reader: impl BufRead,
    file: &str,
    graph: &Graph,
    names: &[String],
    options: &ObservationOptions,
) -> Result<Observations, BadObservation> {
    let index: HashMap<&str, u32> =
        names.iter().enumerate().map(|(vertex, name)| (name.as_str(), vertex as u32)).collect();
    let known = Vertices { graph, names, index, options };
    let mut read = Observations {
        answers: vec![],
        contexts: options.contexts.iter().map(|name| Column { name: name.clone(), cells: vec![] }).collect(),
        notes: vec![],
    };
    let mut others: Vec<String> = vec![];
    let mut line = vec![];
    for number in 1.. {
        let bad = |reason: String| BadObservation { file: file.to_owned(), line: number, reason };
        if !next_line(&mut reader, &mut line).map_err(|error| bad(error.to_string()))? {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let object: Map<String, Value> =
            serde_json::from_slice(&line).map_err(|error| bad(format!("not a JSON object: {error}")))?;
        let answer = known.answer(&object).map_err(bad)?;
        if let Some(first) = read.answers.first().filter(|first| first.form() != answer.form()) {
            return Err(bad(format!("a `{}` among observations that are a `{}`", answer.form(), first.form())));
        }
        read.answers.push(answer);
        for column in &mut read.contexts {
            column.cells.push(context_cell(&object, &column.name).map_err(bad)?);
        }
        let is_other = |key: &&String| !FORMS.contains(&key.as_str()) && !options.contexts.contains(key);
        for key in object
            .keys()
            .filter(is_other)
            .filter(|key| others.len() < 8 && !others.contains(key))
            .cloned()
            .collect::<Vec<_>>()
        {
            others.push(key);
        }
    }
    if read.answers.is_empty() {
        return Err(BadObservation {
            file: file.to_owned(),
            line: 1,
            reason: "there is no observation in it".to_owned(),
        });
    }
    if !others.is_empty() {
        read.notes.push(format!(
            "lines also have `{}`, which is not used; --context names what should be",
            others.join("`, `")
        ));
    }
    Ok(read)
}

/// What a line says of a column of the context.
pub fn context_cell(object: &Map<String, Value>, name: &str) -> Result<Cell, String> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(Cell::Missing),
        Some(Value::Number(number)) => Ok(number.as_f64().map_or(Cell::Missing, Cell::Number)),
        Some(Value::String(word)) => Ok(Cell::Word(word.clone())),
        Some(Value::Bool(flag)) => Ok(Cell::Word(flag.to_string())),
        Some(_) => Err(format!("`{name}` is neither a number nor a word")),
    }
}

struct Vertices<'a> {
    graph: &'a Graph,
    names: &'a [String],
    index: HashMap<&'a str, u32>,
    options: &'a ObservationOptions<'a>,
}

impl Vertices<'_> {
    fn answer(&self, object: &Map<String, Value>) -> Result<ObservedAnswer, String> {
        let given: Vec<&str> = FORMS.into_iter().filter(|form| object.contains_key(*form)).collect();
        let [form] = given[..] else {
            return Err(match given.len() {
                0 if self.options.sets.is_some() => "it has no `selected`".to_owned(),
                0 => "it has none of `path`, `parents`, `chosen`".to_owned(),
                _ => format!("it has both `{}` and `{}`", given[0], given[1]),
            });
        };
        let list = object[form].as_array().ok_or_else(|| format!("`{form}` is not a list"))?;
        match (form, self.options.sets) {
            ("selected", Some(sets)) => self.selected(list, sets),
            ("selected", None) => {
                Err("`selected` chooses among items, and a graph has none; --algorithm names what selects them"
                    .to_owned())
            }
            (_, Some(_)) => Err(format!("`{form}` is of a graph, and these are items, which are `selected`")),
            ("path", _) => self.path(list),
            ("parents", _) => self.parents(list),
            _ => self.chosen(list),
        }
    }

    fn vertex(&self, value: &Value) -> Result<u32, String> {
        let name = match value {
            Value::String(name) => name.clone(),
            Value::Number(number) => number.to_string(),
            other => return Err(format!("{other} is not the name of a known {}", self.what())),
        };
        self.index.get(name.as_str()).copied().ok_or_else(|| {
            match closest(&name, self.names.iter().map(String::as_str)) {
                Some(meant) => format!("there is no {} '{name}'; did you mean '{meant}'?", self.what()),
                None => format!("there is no {} '{name}'", self.what()),
            }
        })
    }

    fn what(&self) -> &'static str {
        if self.options.sets.is_some() { "item" } else { "vertex" }
    }

    fn name(&self, vertex: u32) -> &str {
        &self.names[vertex as usize]
    }

    fn path(&self, list: &[Value]) -> Result<ObservedAnswer, String> {
        let mut stretches: Vec<Vec<u32>> = vec![];
        let mut is_gap = true;
        for value in list {
            if value.as_str() == Some(GAP) && !self.index.contains_key(GAP) {
                is_gap = true;
                continue;
            }
            let vertex = self.vertex(value)?;
            match stretches.last_mut() {
                Some(stretch) if !is_gap => {
                    let before = *stretch.last().expect("a stretch begins with a vertex");
                    // GPS points repeat where a vehicle stands.
                    let stays = vertex == before;
                    if !stays && self.graph.has_edge(before as usize, vertex as usize) {
                        stretch.push(vertex);
                    } else if !stays && self.options.gaps {
                        stretches.push(vec![vertex]);
                    } else if !stays {
                        let (from, to) = (self.name(before), self.name(vertex));
                        return Err(format!(
                            "the step '{from}' -> '{to}' is not in the graph (--gaps fills such steps with the cheapest way)"
                        ));
                    }
                }
                _ => stretches.push(vec![vertex]),
            }
            is_gap = false;
        }
        let ends_open =
            list.first().and_then(Value::as_str) == Some(GAP) || list.last().and_then(Value::as_str) == Some(GAP);
        match (stretches.iter().map(Vec::len).sum::<usize>(), ends_open && !self.index.contains_key(GAP)) {
            (_, true) => Err("a path begins and ends at known vertices, not at \"?\"".to_owned()),
            (0 | 1, _) => Err("a path has at least two different vertices".to_owned()),
            _ => Ok(ObservedAnswer::Path(stretches)),
        }
    }

    fn parents(&self, list: &[Value]) -> Result<ObservedAnswer, String> {
        let n = self.names.len();
        if list.len() != n {
            return Err(format!("`parents` has {} entries, and the graph {n} vertices", list.len()));
        }
        let parent = |(vertex, value): (usize, &Value)| {
            let parent = if value.is_null() { vertex as u32 } else { self.vertex(value)? };
            match parent as usize == vertex || self.graph.has_edge(parent as usize, vertex) {
                true => Ok(parent),
                false => {
                    Err(format!("the step '{}' -> '{}' is not in the graph", self.name(parent), self.names[vertex]))
                }
            }
        };
        let parents: Vec<u32> = list.iter().enumerate().map(parent).collect::<Result<_, String>>()?;
        if let Some(vertex) = (0..n as u32).find(|&vertex| !ends_at_a_root(&parents, vertex)) {
            return Err(format!("the parents of '{}' lead round in a circle", self.name(vertex)));
        }
        Ok(ObservedAnswer::Parents(parents))
    }

    fn chosen(&self, list: &[Value]) -> Result<ObservedAnswer, String> {
        let edge = |value: &Value| {
            let ends = value
                .as_array()
                .filter(|ends| ends.len() == 2)
                .ok_or_else(|| format!("{value} is not a pair of vertices"))?;
            let (one, other) = (self.vertex(&ends[0])?, self.vertex(&ends[1])?);
            let arc = self.graph.arc(one as usize, other as usize);
            arc.map(|arc| arc as u32)
                .ok_or_else(|| format!("there is no edge '{}' -> '{}'", self.name(one), self.name(other)))
        };
        list.iter().map(edge).collect::<Result<_, String>>().map(ObservedAnswer::Chosen)
    }

    /// Items that go together: if the first weighs most, the next a little less and so on, and all others nothing, the heaviest set has them all.
    fn selected(&self, list: &[Value], sets: &dyn Space) -> Result<ObservedAnswer, String> {
        let items: Vec<u32> = list.iter().map(|value| self.vertex(value)).collect::<Result<_, String>>()?;
        let mut weights = vec![0.0; self.names.len()];
        for (place, &item) in items.iter().enumerate() {
            if weights[item as usize] > 0.0 {
                return Err(format!("'{}' is selected twice", self.name(item)));
            }
            weights[item as usize] = (items.len() - place) as f64;
        }
        let heaviest = sets.heaviest(&weights).map_err(|error| error.to_string())?;
        match items.iter().find(|&&item| !heaviest.contains(&(item as usize))) {
            Some(&item) => Err(format!("'{}' does not go with the items before it", self.name(item))),
            None => Ok(ObservedAnswer::Selected(items)),
        }
    }
}

fn ends_at_a_root(parents: &[u32], mut vertex: u32) -> bool {
    for _ in 0..parents.len() {
        let parent = parents[vertex as usize];
        if parent == vertex {
            return true;
        }
        vertex = parent;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, gaps: bool) -> Result<Observations, String> {
        let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 2)]).unwrap();
        let names: Vec<String> = ["A", "B", "C", "7"].map(str::to_owned).to_vec();
        let contexts = ["hour".to_owned()];
        let options = ObservationOptions { contexts: &contexts, gaps, sets: None };
        read_observations(text.as_bytes(), "trips", &graph, &names, &options).map_err(|error| error.to_string())
    }

    #[test]
    fn the_forms_are_read() {
        let read = read(
            "{\"path\":[\"A\",\"B\",\"B\",\"C\",7],\"hour\":3}\n\n{\"path\":[\"A\",\"?\",7],\"note\":\"x\"}",
            false,
        )
        .unwrap();
        assert_eq!(read.answers[0], ObservedAnswer::Path(vec![vec![0, 1, 2, 3]]));
        assert_eq!(read.answers[1], ObservedAnswer::Path(vec![vec![0], vec![3]]));
        assert_eq!(read.contexts[0].cells, [Cell::Number(3.0), Cell::Missing]);
        assert!(read.notes[0].contains("`note`"));
    }

    #[test]
    fn trees_and_sets_are_read_and_gaps_are_allowed_if_asked_for() {
        let answer = |text: &str| read(text, true).unwrap().answers.remove(0);
        assert_eq!(answer("{\"parents\":[null,\"A\",\"A\",\"C\"]}"), ObservedAnswer::Parents(vec![0, 0, 0, 2]));
        assert_eq!(answer("{\"chosen\":[[\"A\",\"B\"],[\"C\",7]]}"), ObservedAnswer::Chosen(vec![0, 3]));
        assert_eq!(answer("{\"path\":[\"A\",7]}"), ObservedAnswer::Path(vec![vec![0], vec![3]]));
    }

    #[test]
    fn every_broken_line_is_named_with_its_reason() {
        let cases = [
            ("{\"path\":[\"A\",\"B\"]}\n{", "trips: line 2: not a JSON object"),
            ("{\"path\":[\"A\",\"B\",7]}", "line 1: the step 'B' -> '7' is not in the graph"),
            ("{\"path\":[\"A\",\"D\"]}", "there is no vertex 'D'"),
            ("{\"path\":[\"A\"]}", "at least two"),
            ("{\"path\":[\"A\",\"?\"]}", "begins and ends at known vertices"),
            ("{\"path\":\"A\"}", "is not a list"),
            ("{\"way\":[]}", "none of `path`"),
            ("{\"path\":[],\"chosen\":[]}", "both `path` and `chosen`"),
            ("{\"path\":[\"A\",\"B\"]}\n{\"chosen\":[]}", "line 2: a `chosen` among"),
            ("{\"parents\":[null]}", "has 1 entries"),
            ("{\"parents\":[null,\"7\",null,null]}", "'7' -> 'B' is not in the graph"),
            ("{\"chosen\":[[\"A\"]]}", "not a pair"),
            ("{\"selected\":[1]}", "a graph has none"),
            ("{\"path\":[\"A\",\"B\"],\"hour\":[1]}", "neither a number nor a word"),
            ("", "no observation"),
        ];
        for (text, fragment) in cases {
            let error = read(text, false).unwrap_err();
            assert!(error.contains(fragment), "{text}: {error}");
        }
    }
}
