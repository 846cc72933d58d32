//! The answer for programs: one JSON object.

use super::presentation::{Presentation, route_to};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tiebreak::solve::{Answer, Basis, Count, Rejection, Solved, Tally};

impl Presentation<'_> {
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
            edges: self.instance.graph.edge_count(),
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
            parents: solution.candidate.choices(),
            parent_names: solution.candidate.choices().iter().map(|&parent| self.name(parent as usize)).collect(),
            origin: solution.origin.to_string(),
            distances: self.distances(place),
            route: self.to.map(|to| route_to(solution.candidate.parents(), to).iter().map(name).collect()),
        }
    }
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
    parents: &'a [u32],
    parent_names: Vec<&'a str>,
    origin: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    distances: Option<Vec<Option<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route: Option<Vec<&'a str>>,
}

fn json_tally(tally: &Tally) -> Value {
    let rejected = tally.rejected.iter().map(|(reason, times)| (reason_name(*reason), json!(times)));
    json!({
        "origin": tally.origin.to_string(), "draws": tally.draws, "kept": tally.kept, "repeated": tally.repeated,
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
