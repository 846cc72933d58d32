//! What there is to show of an answer, in words that all outputs share.

use crate::cli::output::counted;
use crate::cli::screen::in_line;
use std::borrow::Cow;
use tiebreak::answers::{Form, Parents, Part};
use tiebreak::instance::Instance;
use tiebreak::instance::io::NamedGraph;
use tiebreak::pipeline::draw::Origin;
use tiebreak::problems::{Algorithm, Prepared};
use tiebreak::report::{Exhibit, SecondsOf, path_lengths_in_words};
use tiebreak::solve::{Answer, Count, Demand, Impossible, Solution, Solved, Tolerance};

/// All there is to show.
pub struct Presentation<'a> {
    pub algorithm: &'a dyn Algorithm,
    pub label: String,
    pub named: &'a NamedGraph,
    pub instance: &'a Instance,
    pub prepared: &'a dyn Prepared,
    pub solved: &'a Solved,
    /// Of what the numbers of items are seconds, where they were written as dates or times.
    pub seconds_of: Option<SecondsOf>,
    /// The vertex whose routes are wanted.
    pub to: Option<usize>,
    /// How much worse than the best they may be.
    pub within: Option<Tolerance>,
    /// Whether the model was on its own.
    pub only_model: bool,
    /// Whether something was to be had or to be avoided.
    pub has_demands: bool,
    /// Whether the weights were learnt.
    pub learnt: bool,
}

impl Presentation<'_> {
    /// As people read it, within a line.
    pub fn name(&self, vertex: usize) -> Cow<'_, str> {
        in_line(&self.named.names[vertex])
    }

    /// For programs.
    pub fn exact_name(&self, vertex: usize) -> &str {
        &self.named.names[vertex]
    }

    pub fn part(&self, part: Part) -> String {
        let arrow = if self.algorithm.problem().form == Form::Edges { "-" } else { "->" };
        match part {
            Part::Edge(tail, head) => {
                let (one, other) = self.left_first(tail, head);
                format!("{} {arrow} {}", self.name(one), self.name(other))
            }
            Part::Item(item) => self.name(item).into_owned(),
        }
    }

    /// Where edges join two sides, the left one stands first: "Ann - tables", whichever the file mentions first.
    fn left_first(&self, one: usize, other: usize) -> (usize, usize) {
        match self.prepared.space().sides() {
            Some(is_left) if !is_left[one] => (other, one),
            _ => (one, other),
        }
    }

    /// "9 vertices, 12 edges" or "9 tasks".
    pub fn size_in_words(&self) -> String {
        let n = self.instance.n();
        match self.algorithm.problem().items {
            Some(kind) => format!("{n} {}", if n == 1 { kind.one } else { kind.many }),
            None => {
                let vertices = if n == 1 { "vertex" } else { "vertices" };
                format!("{n} {vertices}, {}", counted(self.instance.graph.edge_count(), "edge"))
            }
        }
    }

    /// What so many parts of a solution are called.
    pub fn parts_words(&self, count: usize) -> &'static str {
        let problem = self.algorithm.problem();
        let (one, many) = match (problem.form, problem.items) {
            (Form::Parents, _) => ("tree edge", "tree edges"),
            (Form::Order, _) => ("step from one to the next", "steps from one to the next"),
            (_, Some(kind)) => (kind.one, kind.many),
            (_, None) => ("edge", "edges"),
        };
        if count == 1 { one } else { many }
    }

    pub fn demand(&self, demand: &Demand) -> String {
        match *demand {
            Demand::Edge { tail, head, either_way } => {
                let arrow = if either_way { "-" } else { "->" };
                format!("{} {arrow} {}", self.name(tail), self.name(head))
            }
            Demand::Item(item) => self.name(item).into_owned(),
        }
    }

    /// True when a demand speaks of an edge that the graph does not have.
    fn is_of_no_edge(&self, demand: &Demand) -> bool {
        let is_edge = |tail, head| self.instance.graph.has_edge(tail, head);
        match *demand {
            Demand::Edge { tail, head, either_way } => !(is_edge(tail, head) || either_way && is_edge(head, tail)),
            Demand::Item(_) => false,
        }
    }

    /// "10 of 58,212 solutions".
    pub fn how_many(&self) -> String {
        let found = self.solved.solutions.len();
        let within = self.within.map_or(String::new(), |within| format!(" within {within}"));
        match &self.solved.count {
            Count::Unknown => format!("{found} of an unknown number of solutions{within}"),
            count if *count == Count::Exactly(1u32.into()) => format!("{found} of {count} solution{within}"),
            count => format!("{found} of {count} solutions{within}"),
        }
    }

    /// That the solutions shown are right, behind a comma.
    pub fn verified(&self) -> &'static str {
        if self.solved.solutions.len() == 1 {
            "accepted by the exact verifier"
        } else {
            "each accepted by the exact verifier"
        }
    }

    /// Why there is no solution, in a sentence.
    pub fn refusal(&self) -> Option<String> {
        let tries: usize = self.solved.tallies.iter().map(|tally| tally.draws).sum();
        match &self.solved.answer {
            Answer::Found => None,
            Answer::Impossible(Impossible::NoSolutionHas(demand)) => {
                let why = if self.is_of_no_edge(demand) { ": it is not an edge of the graph" } else { "" };
                Some(format!("no solution has {}{why}", self.demand(demand)))
            }
            Answer::Impossible(Impossible::EverySolutionHas(demand)) => {
                Some(format!("no solution avoids {}: every solution has it", self.demand(demand)))
            }
            Answer::Impossible(Impossible::NeverBefore(earlier, later)) => {
                Some(format!("no solution has {} before {}", self.name(*earlier), self.name(*later)))
            }
            Answer::Impossible(Impossible::Together) => Some("no solution meets all demands together".to_owned()),
            Answer::Impossible(Impossible::TooMany) => Some("too many required edges without a direction".to_owned()),
            Answer::NotFound if self.only_model => Some(format!("the model alone found none in {tries} draws")),
            Answer::NotFound => Some(format!("found none in {tries} tries; not proved impossible")),
        }
    }

    /// The length of the path to each vertex by a solution's parents, where that is what matters.
    pub fn distances(&self, place: usize) -> Option<Vec<Option<String>>> {
        let solution = self.solved.solutions.get(place).filter(|_| self.algorithm.problem().measures_paths)?;
        path_lengths_in_words(self.instance, &solution.candidate)
    }

    /// All solutions as things to look at.
    pub fn add_draws(&self, exhibit: &mut Exhibit) {
        for Solution { candidate, origin, .. } in &self.solved.solutions {
            match origin {
                Origin::Extracted { extractor, .. } => {
                    exhibit.add_draw(self.prepared, "network", Some(extractor), candidate)
                }
                other => exhibit.add_draw(self.prepared, other.to_string(), None, candidate),
            }
        }
    }
}

/// The vertices from the root to `to`.
pub fn route_to(parents: Parents<'_>, to: usize) -> Vec<usize> {
    let mut route = vec![to];
    while let Some(&vertex) = route.last().filter(|&&vertex| !parents.is_root(vertex)) {
        route.push(parents.of(vertex));
    }
    route.reverse();
    route
}
