//! Trees whose paths are nearly as short as the shortest.

use super::Paths;
use super::verify::{check_no_cycle, check_parent, shortest_path, tree_lengths};
use crate::answers::{Candidate, Parents};
use crate::instance::Weight;
use crate::problems::tolerance::{Gap, Tolerance};
use crate::problems::verify::{Rule, Violation, check_length};

/// Accepts parents exactly when each vertex's path is longer than its distance by no more than the tolerance; the gap where that is most.
/// O(n + m) beside the distances.
pub(super) fn verify_within(paths: &Paths, candidate: Parents<'_>, tolerance: Tolerance) -> Result<Gap, Violation> {
    check_length(&paths.instance.graph, candidate)?;
    (0..candidate.n()).try_for_each(|vertex| check_parent(paths, candidate, vertex).map(|_| ()))?;
    check_no_cycle(candidate)?;
    // A parent that the source does not reach has no path to go on from, however long.
    let is_astray = |&vertex: &usize| {
        let parent = candidate.of(vertex);
        parent != vertex && paths.distances().to(parent).is_none()
    };
    if let Some(vertex) = (0..candidate.n()).find(is_astray) {
        let (path, edges) = (shortest_path(paths, vertex), vec![(candidate.of(vertex), vertex)]);
        return Err(Violation { path, ..Violation::with_edges(vertex, Rule::WithinTolerance, edges) });
    }
    let lengths = tree_lengths(paths, candidate).expect("parents along edges lead to the source");
    let mut worst = Gap { measure: 0, best: 0, vertex: Some(paths.source) };
    for (vertex, &length) in lengths.iter().enumerate() {
        let (Some(measure), Some(best)) = (length, paths.distances().to(vertex)) else { continue };
        if measure > tolerance.most(best) {
            let path = shortest_path(paths, vertex);
            return Err(Violation { path, ..Violation::at(vertex, Rule::WithinTolerance) });
        }
        let gap = Gap { measure, best, vertex: Some(vertex) };
        if measure > best && gap.compare(&worst).is_gt() {
            worst = gap;
        }
    }
    Ok(worst)
}

/// The trees in which one vertex has another parent, and its own path is within the tolerance.
pub(super) fn exchanges<'a>(
    paths: &'a Paths,
    candidate: &'a Candidate,
    tolerance: Tolerance,
) -> impl Iterator<Item = Candidate> + 'a {
    let parents = candidate.parents();
    let lengths = tree_lengths(paths, parents).unwrap_or_else(|| vec![None; parents.n()]);
    let may_hang = move |&(tail, head, length): &(usize, usize, Weight)| {
        let most = paths.distances().to(head).map(|best| tolerance.most(best));
        let is_other = head != paths.source && tail != head && parents.of(head) != tail;
        is_other && lengths[tail].is_some_and(|before| Some(before + length) <= most)
    };
    paths.arcs().filter(may_hang).map(|(tail, head, _)| {
        let mut other = candidate.clone();
        other.set(head, tail);
        other
    })
}
