//! Graphviz drawings, with a solution drawn in.
//!
//! Colour never carries the meaning alone: tree edges and chosen ones are bold and the rest dashed, roots have a double circle, vertices of an
//! order their place, and a parent to which the graph has no edge is dotted and labelled as what it is.

use super::NamedGraph;
use crate::answers::{Candidate, Form, IN};
use std::collections::HashSet;
use std::fmt::Write;

const TREE: &str = "style=bold, color=\"#0057b7\", penwidth=2";
const REST: &str = "style=dashed, color=\"#767676\"";
const MISSING: &str = "style=dotted, color=\"#b00020\", penwidth=2, label=\"not an edge\"";

pub(super) fn write(graph: &NamedGraph, solution: Option<&Candidate>) -> Vec<u8> {
    let mut out = String::from(if graph.directed { "digraph {\n" } else { "graph {\n" });
    out.push_str("  node [shape=circle];\n");
    let solution = solution.map(|solution| Drawn::new(graph, solution));
    for (vertex, name) in graph.names.iter().enumerate() {
        let place = solution.as_ref().and_then(|solution| solution.places.get(vertex).copied().flatten());
        let text = place.map_or(name.clone(), |place| format!("{}. {name}", place + 1));
        let mut attributes = vec![];
        if label(&text) != id(name) {
            attributes.push(format!("label={}", label(&text)));
        }
        attributes.extend(solution.as_ref().and_then(|solution| solution.style(vertex)).map(str::to_owned));
        statement(&mut out, &id(name), &attributes);
    }
    for edge in edges(graph, solution.as_ref()) {
        let arrow = if graph.directed { "->" } else { "--" };
        let ends = format!("{} {arrow} {}", id(&graph.names[edge.tail]), id(&graph.names[edge.head]));
        statement(&mut out, &ends, &edge.attributes);
    }
    out.push_str("}\n");
    out.into_bytes()
}

/// What there is to draw of a solution.
struct Drawn<'a> {
    solution: &'a Candidate,
    /// Bold edges, as (parent, child) or as the graph has them.
    edges: HashSet<(usize, usize)>,
    /// The place of each vertex in an order.
    places: Vec<Option<usize>>,
}

impl<'a> Drawn<'a> {
    fn new(graph: &NamedGraph, solution: &'a Candidate) -> Self {
        let (mut edges, mut places) = (HashSet::new(), vec![]);
        match solution.form() {
            Form::Parents => edges.extend(solution.parents().edges()),
            Form::Edges => {
                let slots = graph.graph.edges().enumerate();
                edges.extend(slots.filter(|&(slot, _)| solution.choice(slot) == IN).map(|(_, edge)| edge));
            }
            Form::Order => {
                places = vec![None; graph.graph.n()];
                solution.order().into_iter().enumerate().for_each(|(place, vertex)| places[vertex] = Some(place));
            }
            Form::Items => (),
        }
        Drawn { solution, edges, places }
    }

    /// How a vertex stands out.
    fn style(&self, vertex: usize) -> Option<&'static str> {
        match self.solution.form() {
            Form::Parents if self.solution.parents().is_root(vertex) => Some("shape=doublecircle"),
            Form::Items => Some(if self.solution.choice(vertex) == IN { TREE } else { REST }),
            _ => None,
        }
    }
}

struct DrawnEdge {
    tail: usize,
    head: usize,
    attributes: Vec<String>,
}

/// The edges of the graph, then those that only the solution believes in.
fn edges(graph: &NamedGraph, solution: Option<&Drawn>) -> Vec<DrawnEdge> {
    let is_bold = |tail: usize, head: usize| solution.is_some_and(|solution| solution.edges.contains(&(tail, head)));
    let form = solution.map(|drawn| drawn.solution.form());
    let draw = |(mut tail, mut head, weight): (usize, usize, Option<_>)| {
        let backwards = !graph.directed && is_bold(head, tail);
        if backwards && !is_bold(tail, head) {
            (tail, head) = (head, tail);
        }
        let mut attributes: Vec<String> = weight.map(|weight| format!("label=\"{weight}\"")).into_iter().collect();
        match (form, is_bold(tail, head)) {
            (None | Some(Form::Order), _) => (),
            (Some(_), false) => attributes.push(REST.to_owned()),
            (Some(_), true) => attributes.push(TREE.to_owned()),
        }
        if form == Some(Form::Parents) && !graph.directed && is_bold(tail, head) {
            // An arrow from parent to child; both ways where a candidate has each as the other's parent.
            attributes.push(if backwards && is_bold(head, tail) { "dir=both" } else { "dir=forward" }.to_owned());
        }
        DrawnEdge { tail, head, attributes }
    };
    let parents = solution.map(|drawn| drawn.solution).filter(|solution| solution.form() == Form::Parents);
    let missing = parents
        .into_iter()
        .flat_map(|solution| solution.parents().edges())
        .filter(|&(tail, head)| !graph.graph.has_edge(tail, head));
    let missing = missing.map(|(tail, head)| {
        let direction = if graph.directed { "" } else { ", dir=forward" };
        DrawnEdge { tail, head, attributes: vec![format!("{MISSING}{direction}")] }
    });
    graph.listed_edges().map(draw).chain(missing).collect()
}

fn statement(out: &mut String, subject: &str, attributes: &[String]) {
    let written = match attributes {
        [] => writeln!(out, "  {subject};"),
        _ => writeln!(out, "  {subject} [{}];", attributes.join(", ")),
    };
    written.expect("strings take everything");
}

/// A name as an identifier. Graphviz keeps the backslashes, but they must not be able to end the string, and
/// different names must stay different.
fn id(name: &str) -> String {
    let escaped = name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
    format!("\"{}\"", escaped.replace('\0', "\\0"))
}

/// A name as text to show, where Graphviz would replace `&amp;` and its like.
fn label(name: &str) -> String {
    id(&name.replace('&', "&amp;"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{Decimal, Graph};

    fn drawn(graph: &NamedGraph, parents: Vec<usize>) -> String {
        String::from_utf8(write(graph, Some(&Candidate::from_parents(parents).unwrap()))).unwrap()
    }

    #[test]
    fn tree_edges_and_roots_stand_out_without_colour() {
        let graph = NamedGraph::numbered(Graph::from_edges(3, [(0, 1), (0, 2), (1, 2)]).unwrap(), true);
        let text = drawn(&graph, vec![0, 0, 1]);
        assert!(text.starts_with("digraph {"));
        assert!(text.contains("\"0\" [shape=doublecircle]") && !text.contains("\"1\" [shape=doublecircle]"));
        assert!(
            text.contains(&format!("\"1\" -> \"2\" [{TREE}]")) && text.contains(&format!("\"0\" -> \"2\" [{REST}]"))
        );
    }

    #[test]
    fn chosen_edges_are_bold_and_an_order_numbers_the_vertices() {
        let graph = NamedGraph::numbered(Graph::undirected(3, [(0, 1), (1, 2)]).unwrap(), false);
        let draw = |solution: Candidate| String::from_utf8(write(&graph, Some(&solution))).unwrap();
        let chosen = draw(Candidate::from_set(Form::Edges, 2, [1]).unwrap());
        assert!(chosen.contains(&format!("\"1\" -- \"2\" [{TREE}]")) && chosen.contains(REST), "{chosen}");
        assert!(draw(Candidate::from_order(&[2, 0, 1]).unwrap()).contains("\"0\" [label=\"2. 0\"]"));
        let items = draw(Candidate::from_set(Form::Items, 3, [0]).unwrap());
        assert!(items.contains(&format!("\"0\" [{TREE}]")) && items.contains(&format!("\"2\" [{REST}]")));
    }

    #[test]
    fn what_is_not_an_edge_is_labelled_so() {
        let graph = NamedGraph::numbered(Graph::from_edges(3, [(0, 1)]).unwrap(), true);
        assert!(drawn(&graph, vec![0, 0, 1]).contains(&format!("\"1\" -> \"2\" [{MISSING}]")));
    }

    #[test]
    fn undirected_tree_edges_point_to_the_child() {
        let weight = Decimal::scaled(5, 1);
        let graph = Graph::weighted(2, [(0, 1, weight), (1, 0, weight)]).unwrap();
        let text = drawn(&NamedGraph::numbered(graph, false), vec![1, 1]);
        assert!(text.contains(&format!("\"1\" -- \"0\" [label=\"0.5\", {TREE}, dir=forward]")), "{text}");
    }

    #[test]
    fn names_cannot_leave_their_quotes() {
        assert_eq!(id("a\"b\\\n"), "\"a\\\"b\\\\\\n\"");
        assert_ne!(id("a\r\n"), id("a\n"));
        assert_eq!(label("a&lt;"), "\"a&amp;lt;\"");
    }
}
