//! One line that says what was read: how much, with which weights, from where, and what cannot be reached from there.

use super::screen::in_line;
use std::collections::HashMap;
use tiebreak::instance::{Graph, Instance};

/// Vertices that are called by name before the rest is only counted.
const NAMED: usize = 5;

/// "46 vertices, 73 undirected edges, weights from `length`, source Harbour; 5 vertices cannot be reached: …".
pub fn what_was_read(summary: &str, names: &[String], instance: &Instance) -> String {
    let Some(source) = instance.source else { return summary.to_owned() };
    let said = format!("{summary}, source {}", in_line(&names[source]));
    let reached = reached(&instance.graph, source);
    let unreached: Vec<usize> = (0..instance.n()).filter(|&vertex| !reached[vertex]).collect();
    if unreached.is_empty() {
        return said;
    }
    let vertices = if unreached.len() == 1 { "vertex" } else { "vertices" };
    let more = match unreached.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let listed: Vec<_> = unreached.iter().take(NAMED).map(|&vertex| in_line(&names[vertex])).collect();
    let listed = listed.join(", ");
    format!(
        "{said}; {} {vertices} cannot be reached: {listed}{more}{}",
        unreached.len(),
        remedy(&instance.graph, reached, unreached.len())
    )
}

/// What to try, where edges in both directions would reach more than `reached`.
fn remedy(graph: &Graph, reached: Vec<bool>, unreached: usize) -> String {
    if graph.is_undirected() {
        return String::new();
    }
    match reached_backwards(graph, reached) {
        0 => String::new(),
        more if more == unreached => " (all of them with --undirected, if edges go both ways)".to_owned(),
        more => format!(" ({more} of them can be with --undirected, if edges go both ways)"),
    }
}

/// Which vertices a source reaches.
fn reached(graph: &Graph, source: usize) -> Vec<bool> {
    if let Some(reached) = reached_in_sweeps(graph, source) {
        return reached;
    }
    let mut reached = vec![false; graph.n()];
    reached[source] = true;
    let mut unfinished = vec![source as u32];
    while let Some(vertex) = unfinished.pop() {
        for &next in graph.out_neighbours(vertex as usize) {
            if !std::mem::replace(&mut reached[next as usize], true) {
                unfinished.push(next);
            }
        }
    }
    reached
}

/// Sweeps over an undirected graph that are tried: each is much faster than a search, because it reads the graph from front to back.
const SWEEPS: usize = 4;

/// The same by a few sweeps, in which a vertex is reached as soon as one of its neighbours is; `None` where edges have a direction, or something that has an
/// edge is not reached by then.
fn reached_in_sweeps(graph: &Graph, source: usize) -> Option<Vec<bool>> {
    if !graph.is_undirected() {
        return None;
    }
    let mut reached = vec![false; graph.n()];
    reached[source] = true;
    let mut left: Vec<usize> = (0..graph.n()).filter(|&vertex| !reached[vertex]).collect();
    for _ in 0..SWEEPS {
        left.retain(|&vertex| {
            let neighbours = graph.out_neighbours(vertex);
            reached[vertex] = neighbours.iter().any(|&other| reached[other as usize]);
            !reached[vertex] && !neighbours.is_empty()
        });
    }
    left.is_empty().then_some(reached)
}

/// How many more vertices are reached when edges may be taken in both directions. No edge leads from what is reached to what is not, so
/// only the edges of the others matter, which are mostly few.
fn reached_backwards(graph: &Graph, mut reached: Vec<bool>) -> usize {
    let others: Vec<usize> = (0..graph.n()).filter(|&vertex| !reached[vertex]).collect();
    let mut back: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut unfinished = vec![];
    for &tail in &others {
        for &head in graph.out_neighbours(tail) {
            match reached[head as usize] {
                true => unfinished.push(tail as u32),
                false => back.entry(head).or_default().push(tail as u32),
            }
        }
    }
    let mut more = 0;
    while let Some(vertex) = unfinished.pop() {
        if std::mem::replace(&mut reached[vertex as usize], true) {
            continue;
        }
        more += 1;
        let backwards = back.get(&vertex).map_or(&[][..], Vec::as_slice);
        unfinished.extend(graph.out_neighbours(vertex as usize).iter().chain(backwards));
    }
    more
}

/// What a file says beside its graph, as far as answers show it.
pub struct ReadGraph {
    /// How much was read, with which weights.
    pub summary: String,
    /// Where the vertices lie, if the file says so.
    pub positions: Option<Vec<(f64, f64)>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By going along all edges until nothing is new.
    fn literal(graph: &Graph, source: usize) -> Vec<bool> {
        let mut reached = vec![false; graph.n()];
        reached[source] = true;
        for _ in 0..graph.n() {
            graph.arcs().for_each(|(tail, head)| reached[head] |= reached[tail]);
        }
        reached
    }

    #[test]
    fn sweeps_and_searches_reach_what_edges_lead_to() {
        // A path that a sweep goes against, two parts, a vertex without an edge, a star.
        let path = Graph::undirected(9, (0..8).map(|vertex| (vertex, vertex + 1))).unwrap();
        let parts = Graph::undirected(6, [(0, 3), (3, 1), (2, 4)]).unwrap();
        let star = Graph::undirected(6, (0..4).map(|leaf| (leaf, 5))).unwrap();
        let directed = Graph::from_edges(5, [(0, 1), (1, 2), (4, 0)]).unwrap();
        for graph in [path, parts, star, directed] {
            for source in 0..graph.n() {
                assert_eq!(reached(&graph, source), literal(&graph, source), "{graph:?} from {source}");
            }
        }
    }
}
