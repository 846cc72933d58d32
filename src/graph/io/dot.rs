//! Graphviz drawings, with a solution drawn in.
//!
//! Colour never carries the meaning alone: tree edges are bold and the rest dashed, roots have a double circle, and a
//! parent to which the graph has no edge is dotted and labelled as what it is.

use super::NamedGraph;
use crate::answers::Candidate;
use std::fmt::Write;

const TREE: &str = "style=bold, color=\"#0057b7\", penwidth=2";
const REST: &str = "style=dashed, color=\"#767676\"";
const MISSING: &str = "style=dotted, color=\"#b00020\", penwidth=2, label=\"not an edge\"";

pub(super) fn write(graph: &NamedGraph, solution: Option<&Candidate>) -> Vec<u8> {
    let mut out = String::from(if graph.directed { "digraph {\n" } else { "graph {\n" });
    out.push_str("  node [shape=circle];\n");
    for (vertex, name) in graph.names.iter().enumerate() {
        let mut attributes = vec![];
        if label(name) != id(name) {
            attributes.push(format!("label={}", label(name)));
        }
        if solution.is_some_and(|solution| solution.parents().is_root(vertex)) {
            attributes.push("shape=doublecircle".to_owned());
        }
        statement(&mut out, &id(name), &attributes);
    }
    for edge in edges(graph, solution) {
        let arrow = if graph.directed { "->" } else { "--" };
        let ends = format!("{} {arrow} {}", id(&graph.names[edge.tail]), id(&graph.names[edge.head]));
        statement(&mut out, &ends, &edge.attributes);
    }
    out.push_str("}\n");
    out.into_bytes()
}

struct DrawnEdge {
    tail: usize,
    head: usize,
    attributes: Vec<String>,
}

/// The edges of the graph, then those that only the solution believes in.
fn edges(graph: &NamedGraph, solution: Option<&Candidate>) -> Vec<DrawnEdge> {
    let in_tree =
        |tail: usize, head: usize| solution.is_some_and(|tree| tree.parents().of(head) == tail && tail != head);
    let draw = |(mut tail, mut head, weight): (usize, usize, Option<_>)| {
        let backwards = !graph.directed && in_tree(head, tail);
        if backwards && !in_tree(tail, head) {
            (tail, head) = (head, tail);
        }
        let mut attributes: Vec<String> = weight.map(|weight| format!("label=\"{weight}\"")).into_iter().collect();
        match (solution, in_tree(tail, head)) {
            (None, _) => (),
            (Some(_), false) => attributes.push(REST.to_owned()),
            (Some(_), true) => attributes.push(TREE.to_owned()),
        }
        if !graph.directed && in_tree(tail, head) {
            // An arrow from parent to child; both ways where a candidate has each as the other's parent.
            attributes.push(if backwards && in_tree(head, tail) { "dir=both" } else { "dir=forward" }.to_owned());
        }
        DrawnEdge { tail, head, attributes }
    };
    let missing = solution
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
    use crate::graph::{Decimal, Graph};

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
