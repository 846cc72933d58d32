//! What there is to show of an answer, in words that all outputs share.

use tiebreak::algorithms::Algorithm;
use tiebreak::graph::Instance;
use tiebreak::graph::io::NamedGraph;
use tiebreak::parents::ParentArray;
use tiebreak::report::Exhibit;
use tiebreak::solve::{Answer, Count, Demand, Impossible, Solved};

/// All there is to show.
pub struct Shown<'a> {
    pub algorithm: &'a dyn Algorithm,
    pub label: String,
    pub named: &'a NamedGraph,
    pub instance: &'a Instance,
    pub solved: &'a Solved,
    /// The vertex whose ways are wanted.
    pub to: Option<usize>,
    /// Whether the model was on its own.
    pub only_model: bool,
}

impl Shown<'_> {
    pub fn name(&self, vertex: usize) -> &str {
        &self.named.names[vertex]
    }

    pub fn edge(&self, (parent, child): (usize, usize)) -> String {
        format!("{} -> {}", self.name(parent), self.name(child))
    }

    pub fn demand(&self, demand: &Demand) -> String {
        let arrow = if demand.either_way { "-" } else { "->" };
        format!("{} {arrow} {}", self.name(demand.tail), self.name(demand.head))
    }

    /// "10 of 58,212 solutions".
    pub fn how_many(&self) -> String {
        let found = self.solved.solutions.len();
        match &self.solved.count {
            Count::Unknown => format!("{found} of an unknown number of solutions"),
            count if *count == Count::Exactly(1u32.into()) => format!("{found} of {count} solution"),
            count => format!("{found} of {count} solutions"),
        }
    }

    /// Why there is no solution, in a sentence.
    pub fn refusal(&self) -> Option<String> {
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
            Answer::Impossible(Impossible::TooMany) => Some("too many required edges without a direction".to_owned()),
            Answer::NotFound if self.only_model => Some(format!("the model alone found none in {tries} draws")),
            Answer::NotFound => Some(format!("found none in {tries} tries; not proved impossible")),
        }
    }

    pub fn listed_edges(&self) -> usize {
        let edges = self.instance.graph.edges();
        edges.filter(|(tail, head)| self.named.directed || tail <= head).count()
    }

    /// The length of the way to each vertex by a solution's parents, where there is a source.
    pub fn distances(&self, place: usize) -> Option<Vec<Option<String>>> {
        self.exhibit_of([place]).draws.pop()?.distances
    }

    /// Some of the solutions as things to look at.
    pub fn exhibit_of(&self, places: impl IntoIterator<Item = usize>) -> Exhibit {
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
pub fn way_to(parents: &ParentArray, to: usize) -> Vec<usize> {
    let mut way = vec![to];
    while let Some(&vertex) = way.last().filter(|&&vertex| !parents.is_root(vertex)) {
        way.push(parents.parent_of(vertex));
    }
    way.reverse();
    way
}
