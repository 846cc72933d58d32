//! The answer for programs: one JSON object.

use super::presentation::{Presentation, route_to};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use tiebreak::answers::{Form, Part};
use tiebreak::pipeline::written::{Names, Written};
use tiebreak::problems::Optimality;
use tiebreak::solve::{Answer, Basis, Count, PartUse, Rejection, Solved, Tally};

impl Presentation<'_> {
    /// For programs.
    pub fn json(&self) -> JsonAnswer<'_> {
        let Solved { tallies, count, parts, diversity, notes, .. } = self.solved;
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
            optimality: self.solved.optimality.as_ref().map(|proof| JsonOptimality {
                proof,
                vertex_names: proof.vertices.iter().map(|&vertex| self.exact_name(vertex)).collect(),
            }),
            parts: JsonParts::of(self.algorithm.problem().form, parts),
            diversity: diversity.map(
                |diversity| json!({"shared": diversity.shared, "as_drawn": diversity.as_drawn, "pool": diversity.pool}),
            ),
            draws: tallies.iter().map(json_tally).collect(),
            notes,
        }
    }

    fn json_solution(&self, place: usize) -> JsonSolution<'_> {
        let solution = &self.solved.solutions[place];
        let name = |&vertex: &usize| self.exact_name(vertex);
        let answer = Written::of(self.instance, &solution.candidate);
        JsonSolution {
            names: BTreeMap::from([(Written::names_key(solution.candidate.form()), answer.named(&self.named.names))]),
            answer,
            origin: solution.origin.to_string(),
            distances: self.distances(place),
            gap: solution.gap.and_then(|gap| gap.relative()),
            gap_proof: solution.gap.map(|gap| self.gap_proof(&gap)),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    optimality: Option<JsonOptimality<'a>>,
    #[serde(flatten)]
    parts: JsonParts<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diversity: Option<Value>,
    draws: Vec<Value>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct JsonSolution<'a> {
    #[serde(flatten)]
    answer: Written,
    #[serde(flatten)]
    names: BTreeMap<&'static str, Names<'a>>,
    origin: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    distances: Option<Vec<Option<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route: Option<Vec<&'a str>>,
    /// With a tolerance: how much worse than the best, as a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<f64>,
    /// The two numbers that prove it.
    #[serde(skip_serializing_if = "Option::is_none")]
    gap_proof: Option<Value>,
}

/// Why nothing better exists.
#[derive(Serialize)]
struct JsonOptimality<'a> {
    #[serde(flatten)]
    proof: &'a Optimality,
    vertex_names: Vec<&'a str>,
}

/// What all solutions share and what varies, under the name of what it is.
#[derive(Serialize)]
#[serde(untagged)]
enum JsonParts<'a> {
    Edges { shared_edges: &'a [Part], varying_edges: &'a [Part], edges_are_of: &'static str },
    Items { shared_items: &'a [Part], varying_items: &'a [Part], items_are_of: &'static str },
}

impl<'a> JsonParts<'a> {
    fn of(form: Form, parts: &'a PartUse) -> Self {
        let (shared, varying) = (&parts.shared, &parts.varying);
        let of = match parts.basis {
            Basis::Every => "every solution",
            Basis::Found => "the solutions found",
        };
        match form {
            Form::Items => JsonParts::Items { shared_items: shared, varying_items: varying, items_are_of: of },
            _ => JsonParts::Edges { shared_edges: shared, varying_edges: varying, edges_are_of: of },
        }
    }
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
