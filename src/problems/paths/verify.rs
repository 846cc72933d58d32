//! Accepts parents exactly when they are a shortest-path tree.
//!
//! If each vertex's path in the candidate is no longer than any of its neighbours' paths plus the edge between them, then by induction along
//! a shortest path none of them is longer than the shortest. This holds for weights of any sign and needs no search of its own: O(n + m).
//! Where distances are known already, it is enough that each parent's edge is tight and that no parents run in a circle: O(n log m), or,
//! where the tight edges have been listed, O(n) and their number.

use super::{Length, Paths, quick};
use crate::answers::Parents;
use crate::instance::Weight;
use crate::problems::trees::Arborescences;
use crate::problems::verify::{Rule, Violation, check_length, parent_cycle};

pub(super) fn verify(paths: &Paths, candidate: Parents<'_>) -> Result<(), Violation> {
    check_length(&paths.instance.graph, candidate)?;
    let is_right = match (paths.trees.get(), paths.distances.get()) {
        (Some(trees), _) => is_one_of(trees, candidate),
        (None, None) => match fits_a_word(paths) {
            true => quick::has_no_shortcut(paths, candidate),
            false => has_no_shortcut(paths, candidate),
        },
        (None, Some(_)) => false,
    };
    if is_right {
        return Ok(());
    }
    (0..candidate.n()).try_for_each(|vertex| check_vertex(paths, candidate, vertex))?;
    // Tight edges form a cycle only if its length is zero.
    check_no_cycle(candidate)
}

/// The check behind the paper's "valid" column for shortest paths: it compares path lengths, and so looks neither at the parent
/// of the source nor at a parent that is itself unreachable.
pub(super) fn verify_weakly(paths: &Paths, candidate: Parents<'_>) -> Result<(), Violation> {
    check_length(&paths.instance.graph, candidate)?;
    let is_reached = |vertex: usize| paths.distances().to(vertex).is_some();
    let unexamined =
        |vertex: usize| vertex == paths.source || (!is_reached(vertex) && !is_reached(candidate.of(vertex)));
    let mut examined = (0..candidate.n()).filter(|&vertex| !unexamined(vertex));
    examined.try_for_each(|vertex| check_vertex(paths, candidate, vertex))
}

/// True for a solution: no edge is a shortcut past the paths that the candidate itself gives.
pub(super) fn has_no_shortcut(paths: &Paths, candidate: Parents<'_>) -> bool {
    let Some(lengths) = tree_lengths(paths, candidate) else {
        return false;
    };
    paths.arcs().all(|(tail, head, length)| match (lengths[tail], lengths[head]) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(before), Some(after)) => after <= before + length,
    })
}

/// True when no path can be so long that a word, less two bits, does not hold it.
fn fits_a_word(paths: &Paths) -> bool {
    longest_edge(paths).checked_mul(paths.instance.n() as Weight).is_some_and(|all| all < 1 << 62)
}

/// The length of the longest edge, 0 where there is none.
pub(super) fn longest_edge(paths: &Paths) -> Weight {
    match paths.length {
        Length::Hops => 1,
        Length::Weights => paths.instance.graph.largest_weight().unwrap_or(0),
    }
}

/// True when each vertex has one of its tight parents, and no parents run in a circle.
fn is_one_of(trees: &Arborescences, candidate: Parents<'_>) -> bool {
    let is_possible = |vertex: usize| match trees.parents_of(vertex) {
        [] => candidate.is_root(vertex),
        parents => parents.contains(&(candidate.of(vertex) as u32)),
    };
    (0..candidate.n()).all(is_possible) && (trees.is_acyclic() || parent_cycle(candidate).is_none())
}

/// The length of the candidate's own path from the source to each vertex, none for a root of its own; `None` when
/// parents run in a circle, use what is no edge, or end at a root that is not the source.
pub(super) fn tree_lengths(paths: &Paths, candidate: Parents<'_>) -> Option<Vec<Option<Weight>>> {
    let (n, source) = (candidate.n(), paths.source);
    let mut lengths: Vec<Option<Weight>> = vec![None; n];
    lengths[source] = candidate.is_root(source).then_some(0);
    lengths[source]?;
    let mut path = vec![];
    for start in 0..n {
        let mut vertex = start;
        while lengths[vertex].is_none() && !candidate.is_root(vertex) {
            path.push(vertex);
            if path.len() > n {
                return None;
            }
            vertex = candidate.of(vertex);
        }
        let mut length = lengths[vertex];
        while let Some(below) = path.pop() {
            let weight = paths.instance.graph.weight(candidate.of(below), below)?;
            length = Some(length? + paths.length.of(weight));
            lengths[below] = length;
        }
    }
    Some(lengths)
}

pub(super) fn check_no_cycle(candidate: Parents<'_>) -> Result<(), Violation> {
    match parent_cycle(candidate) {
        None => Ok(()),
        Some(cycle) => {
            let above = cycle.iter().skip(1).chain(cycle.first());
            let edges = cycle.iter().zip(above).map(|(&child, &parent)| (parent, child)).collect();
            Err(Violation::with_edges(cycle[0], Rule::NoCycle, edges))
        }
    }
}

fn check_vertex(paths: &Paths, candidate: Parents<'_>, vertex: usize) -> Result<(), Violation> {
    let parent = candidate.of(vertex);
    match check_parent(paths, candidate, vertex)? {
        Some(length) if !paths.distances().is_tight(parent, vertex, length) => {
            let path = shortest_path(paths, vertex);
            Err(Violation { path, ..Violation::with_edges(vertex, Rule::EdgeIsTight, vec![(parent, vertex)]) })
        }
        _ => Ok(()),
    }
}

/// The length of the edge from a parent; `None` for a vertex that has to be a root, and is.
pub(super) fn check_parent(paths: &Paths, candidate: Parents<'_>, vertex: usize) -> Result<Option<Weight>, Violation> {
    let parent = candidate.of(vertex);
    let broken = |rule| Err(Violation::with_edges(vertex, rule, vec![(parent, vertex)]));
    if vertex == paths.source {
        return if parent == vertex { Ok(None) } else { broken(Rule::SourceIsRoot) };
    }
    if paths.distances().to(vertex).is_none() {
        return if parent == vertex { Ok(None) } else { broken(Rule::UnreachableIsRoot) };
    }
    if parent == vertex {
        let path = shortest_path(paths, vertex);
        return Err(Violation { path, ..Violation::at(vertex, Rule::ReachableHasParent) });
    }
    match paths.instance.graph.weight(parent, vertex) {
        None => broken(Rule::ParentIsNeighbour),
        Some(weight) => Ok(Some(paths.length.of(weight))),
    }
}

/// The vertices of a shortest path from the source, one with the fewest edges: the proof that something shorter exists.
pub(super) fn shortest_path(paths: &Paths, target: usize) -> Vec<usize> {
    let distances = paths.distances();
    let fewest = paths.tight_parents(|tail, head| distances.is_fewest_hops(tail, head));
    let mut path = vec![target];
    let mut vertex = target;
    while let Some(&parent) = fewest.of(vertex).first() {
        path.push(parent);
        vertex = parent;
    }
    path.reverse();
    path
}
