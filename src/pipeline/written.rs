//! Answers as people write them: by vertices, edges and items instead of slots.
//!
//! | form | key | what stands there |
//! |---|---|---|
//! | parents | `parents` | the parent of each vertex |
//! | edges | `chosen` | the ends of each chosen edge, in either order |
//! | order | `order` | the vertices, first to last |
//! | items | `selected` | the selected items |

use crate::answers::{Candidate, Form, NotACandidate};
use crate::instance::{Graph, Instance};
use crate::problems::verify::{Rule, Violation};
use serde::Serialize;

/// An answer as it stands in JSON, under its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Written {
    /// The parent of each vertex.
    Parents(Vec<usize>),
    /// The ends of each chosen edge.
    Chosen(Vec<(usize, usize)>),
    /// The vertices, first to last.
    Order(Vec<usize>),
    /// The selected items.
    Selected(Vec<usize>),
}

/// The names of what an answer consists of, in the order in which it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Names<'a> {
    /// Vertices or items.
    Each(Vec<&'a str>),
    /// The ends of edges.
    Pairs(Vec<(&'a str, &'a str)>),
}

impl Names<'_> {
    /// As words of a line.
    pub fn words(&self) -> Vec<String> {
        match self {
            Names::Each(names) => names.iter().map(|&name| name.to_owned()).collect(),
            Names::Pairs(pairs) => pairs.iter().map(|(one, other)| format!("{one}-{other}")).collect(),
        }
    }
}

impl Written {
    /// The key under which answers of a form stand.
    pub fn key(form: Form) -> &'static str {
        match form {
            Form::Parents => "parents",
            Form::Edges => "chosen",
            Form::Order => "order",
            Form::Items => "selected",
        }
    }

    /// The key under which names stand beside.
    pub fn names_key(form: Form) -> &'static str {
        match form {
            Form::Parents => "parent_names",
            Form::Edges => "chosen_names",
            Form::Order => "order_names",
            Form::Items => "selected_names",
        }
    }

    /// A candidate as people write it. What is no order is written as far as it is one.
    pub fn of(instance: &Instance, candidate: &Candidate) -> Self {
        match candidate.form() {
            Form::Parents => Written::Parents(candidate.choices().iter().map(|&parent| parent as usize).collect()),
            Form::Edges => {
                let slots = instance.graph.edges().zip(candidate.choices());
                Written::Chosen(slots.filter(|&(_, &choice)| choice != 0).map(|(edge, _)| edge).collect())
            }
            Form::Order => Written::Order(candidate.order()),
            Form::Items => Written::Selected(candidate.chosen().collect()),
        }
    }

    /// The same by name.
    pub fn named<'a>(&self, names: &'a [String]) -> Names<'a> {
        let name = |&vertex: &usize| names[vertex].as_str();
        match self {
            Written::Parents(list) | Written::Order(list) | Written::Selected(list) => {
                Names::Each(list.iter().map(name).collect())
            }
            Written::Chosen(edges) => Names::Pairs(edges.iter().map(|(one, other)| (name(one), name(other))).collect()),
        }
    }

    /// The candidate that is meant. What is written well but is no candidate, because an edge is none, something is chosen twice or an order
    /// has not each vertex once, is an answer, too: a wrong one.
    pub fn candidate(self, instance: &Instance) -> Result<Result<Candidate, Violation>, NotACandidate> {
        match self {
            Written::Parents(parents) => Candidate::from_parents(parents).map(Ok),
            Written::Chosen(edges) => chosen_edges(&instance.graph, &edges),
            Written::Order(order) => whole_order(instance.n(), &order),
            Written::Selected(items) => selected_items(instance.n(), &items),
        }
    }
}

fn chosen_edges(graph: &Graph, chosen: &[(usize, usize)]) -> Result<Result<Candidate, Violation>, NotACandidate> {
    let n = graph.n();
    if let Some(&(one, other)) = chosen.iter().find(|(one, other)| *one.max(other) >= n) {
        return Err(NotACandidate::End { one, other, n });
    }
    let numbers = graph.edge_numbers();
    let mut set = vec![];
    let mut is_in = vec![false; graph.edge_count()];
    for &(one, other) in chosen {
        let broken = |rule| Violation { edges: vec![(one, other)], ..Violation::of(rule) };
        let Some(arc) = graph.arc(one, other).or_else(|| graph.arc(other, one)) else {
            return Ok(Err(broken(Rule::ChosenIsEdge)));
        };
        let slot = numbers[arc] as usize;
        if std::mem::replace(&mut is_in[slot], true) {
            return Ok(Err(broken(Rule::ChosenOnce)));
        }
        set.push(slot);
    }
    Candidate::from_set(Form::Edges, is_in.len(), set).map(Ok)
}

fn whole_order(n: usize, order: &[usize]) -> Result<Result<Candidate, Violation>, NotACandidate> {
    if let Some(&vertex) = order.iter().find(|&&vertex| vertex >= n) {
        return Err(NotACandidate::Member { vertex, n });
    }
    let mut met = vec![false; n];
    let twice = order.iter().copied().find(|&vertex| std::mem::replace(&mut met[vertex], true));
    match twice.or_else(|| met.iter().position(|met| !met)) {
        Some(vertex) => Ok(Err(Violation::at(vertex, Rule::EveryVertexOnce))),
        None => Candidate::from_order(order).map(Ok),
    }
}

fn selected_items(count: usize, selected: &[usize]) -> Result<Result<Candidate, Violation>, NotACandidate> {
    let candidate = Candidate::from_set(Form::Items, count, selected.iter().copied())?;
    let mut met = vec![false; count];
    match selected.iter().copied().find(|&item| std::mem::replace(&mut met[item], true)) {
        Some(twice) => Ok(Err(Violation { items: vec![twice], ..Violation::of(Rule::ChosenOnce) })),
        None => Ok(Ok(candidate)),
    }
}
