//! Many questions about routes on one graph: a file with one pair of vertices a line, an answer a line.

use super::Solve;
use super::routes::{RouteMap, unreachable};
use crate::cli::Outcome;
use crate::cli::graph_input::some_names;
use crate::cli::output::{counted, open_input, progress, write_output};
use crate::cli::screen::{in_line, say};
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use tiebreak::files::next_line;
use tiebreak::instance::io::{NamedGraph, closest};
use tiebreak::learn::{Column, EdgeTable, LearntCost, context_cell};
use tiebreak::problems::Algorithm;
use tiebreak::solve::routes::{FoundRoutes, RouteGraph, RouteRequest, find_many};

/// A question, with its ends as they were written.
struct Question {
    from: Value,
    to: Value,
    pair: (usize, usize),
    /// What it says of the context of a learnt cost.
    context: Map<String, Value>,
}

impl Solve {
    /// Answers every question of the file, on all cores, in the order of the file.
    pub(super) fn answer_queries(
        &self,
        algorithm: &dyn Algorithm,
        named: &NamedGraph,
        in_contexts: Option<&(LearntCost, EdgeTable)>,
        file: &Path,
    ) -> Result<Outcome> {
        let problem = algorithm.problem();
        ensure!(problem.measures_paths, "--queries asks for routes, but {} has none", algorithm.name());
        ensure!(self.avoid.is_empty() && self.require.is_empty(), "--queries takes no --avoid and no --require");
        ensure!(self.source.is_none() && self.to.is_none(), "--queries has its own ends; leave out --source and --to");
        let contexts = in_contexts.map_or(vec![], |(cost, _)| cost.context_names());
        let questions = read_questions(named, &contexts, file)?;
        let map = RouteMap::new(algorithm, named, &named.graph).with_context(|| self.graph.label())?;
        // Counting beyond what is shown is for one answer that somebody reads.
        let request = RouteRequest { count_to: self.k, ..self.route_request() };
        let bar = progress(questions.len() as u64, "routes");
        let mut answers: Vec<Option<FoundRoutes>> = vec![None; questions.len()];
        for places in by_context(&questions) {
            let pairs: Vec<(usize, usize)> = places.iter().map(|&place| questions[place].pair).collect();
            let graph = in_context(&map, in_contexts, &questions[places[0]].context)?;
            let found = self.common.on_threads(|| find_many(&graph, &pairs, &request, || bar.inc(1)))?;
            let found = found.map_err(|error| map.in_words(&error)).with_context(|| self.graph.label())?;
            places.into_iter().zip(found).for_each(|(place, found)| answers[place] = Some(found));
        }
        bar.finish_and_clear();
        let (mut lines, mut without) = (String::new(), 0);
        for (question, found) in questions.iter().zip(answers.into_iter().flatten()) {
            let mut line = json!({"from": question.from, "to": question.to, "routes": map.json(&found)});
            line.as_object_mut().expect("it is one").extend(question.context.clone());
            if found.routes.is_empty() {
                let (from, to) = question.pair;
                line["reason"] = json!(unreachable(&named.names[from], &named.names[to]));
                without += 1;
            }
            lines.push_str(&line.to_string());
            lines.push('\n');
        }
        write_output(self.jsonl.as_deref(), lines.as_bytes())?;
        let told = match without {
            0 => format!("{} answered", counted(questions.len(), "question")),
            _ => format!("{} answered, {without} of them without a route", counted(questions.len(), "question")),
        };
        match self.jsonl.as_deref().filter(|path| *path != Path::new("-")) {
            Some(path) => say!("{told}; written to {}", path.display()),
            None => say!("{told}"),
        }
        Ok(Outcome::Good)
    }
}

/// The lengths that a cost gives in the context of a question; those of the map for a question that says nothing of it.
fn in_context<'a>(
    map: &'a RouteMap,
    in_contexts: Option<&(LearntCost, EdgeTable)>,
    context: &Map<String, Value>,
) -> Result<Cow<'a, RouteGraph<'a>>> {
    let Some((cost, table)) = in_contexts.filter(|_| !context.is_empty()) else { return Ok(Cow::Borrowed(&map.graph)) };
    let cell = |name: &&str| {
        let cell = context_cell(context, name).map_err(|reason| anyhow!(reason))?;
        Ok(Column { name: (*name).to_owned(), cells: vec![cell] })
    };
    let columns = cost.context_names().iter().map(cell).collect::<Result<Vec<_>>>()?;
    let costs = cost.costs(table, &columns).map_err(|reason| anyhow!(reason))?;
    let graph = map.graph.with_lengths(costs.weights).map_err(|error| map.in_words(&error))?;
    Ok(Cow::Owned(graph))
}

/// The places of the questions of each different context, in the order of the first.
fn by_context(questions: &[Question]) -> Vec<Vec<usize>> {
    let mut group_of: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<Vec<usize>> = vec![];
    for (place, question) in questions.iter().enumerate() {
        let group = *group_of.entry(Value::from(question.context.clone()).to_string()).or_insert(groups.len());
        if group == groups.len() {
            groups.push(vec![]);
        }
        groups[group].push(place);
    }
    groups
}

fn read_questions(named: &NamedGraph, contexts: &[&str], file: &Path) -> Result<Vec<Question>> {
    let by_name: HashMap<&str, usize> =
        named.names.iter().enumerate().map(|(vertex, name)| (name.as_str(), vertex)).collect();
    let mut questions = vec![];
    let (mut input, mut line) = (open_input(file)?, vec![]);
    for number in 1.. {
        let at = || format!("{}, line {number}", file.display());
        if !next_line(&mut input, &mut line).with_context(at)? {
            break;
        }
        if !line.trim_ascii().is_empty() {
            questions.push(read_question(named, &by_name, contexts, &line).with_context(at)?);
        }
    }
    Ok(questions)
}

fn read_question(
    named: &NamedGraph,
    by_name: &HashMap<&str, usize>,
    contexts: &[&str],
    line: &[u8],
) -> Result<Question> {
    let example = r#"a question looks like {"from":"A","to":"B"}"#;
    let value: Value = serde_json::from_slice(line).map_err(|error| anyhow!("not JSON ({error}); {example}"))?;
    let Value::Object(question) = value else { bail!("not an object; {example}") };
    let (from, to) = (end(&question, "from", example)?, end(&question, "to", example)?);
    let vertex = |key: &str, end: &Value| {
        let name = end.as_str().map_or_else(|| end.to_string(), str::to_owned);
        by_name.get(name.as_str()).copied().ok_or_else(|| {
            match closest(&name, named.names.iter().map(String::as_str)) {
                Some(meant) => {
                    anyhow!("`{key}`: there is no vertex '{}'; did you mean '{}'?", in_line(&name), in_line(meant))
                }
                None => anyhow!("`{key}`: there is no vertex '{}'; {}", in_line(&name), some_names(named)),
            }
        })
    };
    let pair = (vertex("from", &from)?, vertex("to", &to)?);
    let context = question.into_iter().filter(|(key, _)| contexts.contains(&key.as_str())).collect();
    Ok(Question { from, to, pair, context })
}

/// The name of a vertex; one that is a number may be written as a number.
fn end(question: &Map<String, Value>, key: &str, example: &str) -> Result<Value> {
    match question.get(key) {
        Some(end @ (Value::String(_) | Value::Number(_))) => Ok(end.clone()),
        Some(other) => bail!("`{key}` is {other}, not the name of a vertex; {example}"),
        None => bail!("`{key}` is missing; {example}"),
    }
}
