//! Many questions about routes on one graph: a file with one pair of vertices a line, an answer a line.

use super::Solve;
use super::routes::{RouteMap, unreachable};
use crate::cli::Outcome;
use crate::cli::graph_input::some_names;
use crate::cli::output::{counted, open_input, progress, write_output};
use crate::cli::screen::say;
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;
use tiebreak::files::next_line;
use tiebreak::instance::io::{NamedGraph, closest};
use tiebreak::problems::Algorithm;
use tiebreak::solve::routes::{RouteRequest, find_many};

/// A question, with its ends as they were written.
struct Question {
    from: Value,
    to: Value,
    pair: (usize, usize),
}

impl Solve {
    /// Answers every question of the file, on all cores, in the order of the file.
    pub(super) fn answer_queries(&self, algorithm: &dyn Algorithm, named: &NamedGraph, file: &Path) -> Result<Outcome> {
        let problem = algorithm.problem();
        ensure!(problem.measures_paths, "--queries asks for routes, but {} has none", algorithm.name());
        ensure!(self.avoid.is_empty() && self.require.is_empty(), "--queries takes no --avoid and no --require");
        ensure!(self.source.is_none() && self.to.is_none(), "--queries has its own ends; leave out --source and --to");
        let questions = read_questions(named, file)?;
        let map = RouteMap::new(algorithm, named, &named.graph).with_context(|| self.graph.label())?;
        // Counting beyond what is shown is for one answer that somebody reads.
        let request = RouteRequest { count_to: self.k, ..self.route_request() };
        let pairs: Vec<(usize, usize)> = questions.iter().map(|question| question.pair).collect();
        let bar = progress(pairs.len() as u64, "routes");
        let answers = self.common.on_threads(|| find_many(&map.graph, &pairs, &request, || bar.inc(1)))?;
        bar.finish_and_clear();
        let answers = answers.map_err(|error| map.in_words(&error)).with_context(|| self.graph.label())?;
        let (mut lines, mut without) = (String::new(), 0);
        for (question, found) in questions.iter().zip(&answers) {
            let mut line = json!({"from": question.from, "to": question.to, "routes": map.json(found)});
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

fn read_questions(named: &NamedGraph, file: &Path) -> Result<Vec<Question>> {
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
            questions.push(read_question(named, &by_name, &line).with_context(at)?);
        }
    }
    Ok(questions)
}

fn read_question(named: &NamedGraph, by_name: &HashMap<&str, usize>, line: &[u8]) -> Result<Question> {
    let example = r#"a question looks like {"from":"A","to":"B"}"#;
    let value: Value = serde_json::from_slice(line).map_err(|error| anyhow!("not JSON ({error}); {example}"))?;
    let Value::Object(question) = value else { bail!("not an object; {example}") };
    let (from, to) = (end(&question, "from", example)?, end(&question, "to", example)?);
    let vertex = |key: &str, end: &Value| {
        let name = end.as_str().map_or_else(|| end.to_string(), str::to_owned);
        by_name.get(name.as_str()).copied().ok_or_else(|| {
            match closest(&name, named.names.iter().map(String::as_str)) {
                Some(meant) => anyhow!("`{key}`: there is no vertex '{name}'; did you mean '{meant}'?"),
                None => anyhow!("`{key}`: there is no vertex '{name}'; {}", some_names(named)),
            }
        })
    };
    let pair = (vertex("from", &from)?, vertex("to", &to)?);
    Ok(Question { from, to, pair })
}

/// The name of a vertex; one that is a number may be written as a number.
fn end(question: &Map<String, Value>, key: &str, example: &str) -> Result<Value> {
    match question.get(key) {
        Some(end @ (Value::String(_) | Value::Number(_))) => Ok(end.clone()),
        Some(other) => bail!("`{key}` is {other}, not the name of a vertex; {example}"),
        None => bail!("`{key}` is missing; {example}"),
    }
}
