//! One line that says what was read: how much, with which weights, from where, and what cannot be reached from there.

use tiebreak::instance::{Graph, Instance};

/// Vertices that are called by name before the rest is only counted.
const NAMED: usize = 5;

/// "46 vertices, 73 undirected edges, weights from `length`, source Harbour; 5 vertices cannot be reached: …".
pub fn what_was_read(summary: &str, names: &[String], instance: &Instance) -> String {
    let Some(source) = instance.source else { return summary.to_owned() };
    let said = format!("{summary}, source {}", names[source]);
    let reached = reached(&instance.graph, source, false);
    let unreached: Vec<&str> =
        (0..instance.n()).filter(|&vertex| !reached[vertex]).map(|vertex| names[vertex].as_str()).collect();
    if unreached.is_empty() {
        return said;
    }
    let vertices = if unreached.len() == 1 { "vertex" } else { "vertices" };
    let more = match unreached.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let listed = unreached[..unreached.len().min(NAMED)].join(", ");
    format!(
        "{said}; {} {vertices} cannot be reached: {listed}{more}{}",
        unreached.len(),
        remedy(&instance.graph, source, unreached.len())
    )
}

/// What to try, where edges in both directions would reach more.
fn remedy(graph: &Graph, source: usize, unreached: usize) -> String {
    if graph.is_undirected() {
        return String::new();
    }
    let still = reached(graph, source, true).iter().filter(|&&reached| !reached).count();
    match (unreached - still, still) {
        (0, _) => String::new(),
        (_, 0) => " (all of them with --undirected, if edges go both ways)".to_owned(),
        (more, _) => format!(" ({more} of them can be with --undirected, if edges go both ways)"),
    }
}

/// Which vertices a source reaches.
fn reached(graph: &Graph, source: usize, both_ways: bool) -> Vec<bool> {
    let mut back = vec![vec![]; if both_ways { graph.n() } else { 0 }];
    if both_ways {
        graph.arcs().for_each(|(tail, head)| back[head].push(tail as u32));
    }
    let mut reached = vec![false; graph.n()];
    reached[source] = true;
    let mut unfinished = vec![source as u32];
    while let Some(vertex) = unfinished.pop() {
        let backwards = back.get(vertex as usize).map_or(&[][..], Vec::as_slice);
        for &next in graph.out_neighbours(vertex as usize).iter().chain(backwards) {
            if !std::mem::replace(&mut reached[next as usize], true) {
                unfinished.push(next);
            }
        }
    }
    reached
}

/// What a file says beside its graph, as far as answers show it.
pub struct ReadGraph {
    /// How much was read, with which weights.
    pub summary: String,
    /// Where the vertices lie, if the file says so.
    pub positions: Option<Vec<(f64, f64)>>,
}
