//! Accepts parents exactly when they are a minimum spanning tree of the source's component, rooted at the source.
//!
//! A rejection is proved by an edge that is none, a cycle of parents, two neighbours that the tree does not connect, or an exchange: a lighter
//! edge and the heaviest tree edge on the cycle that it closes.

use super::quick::is_minimum_tree;
use super::{RootedTrees, weight_of};
use crate::answers::Parents;
use crate::problems::tolerance::{Gap, Tolerance};
use crate::problems::trees::{ForestFault, verify_component};
use crate::problems::verify::{Rule, Violation, check_edges, check_length, parent_cycle};

/// Accepts parents exactly when they are a spanning tree of the source's component whose weight is within the tolerance.
pub(super) fn verify_within(
    trees: &RootedTrees,
    candidate: Parents<'_>,
    tolerance: Tolerance,
) -> Result<Gap, Violation> {
    match verify(trees, candidate) {
        // An exchange is what only minimum ones have not.
        Ok(()) | Err(Violation { rule: Rule::NoLighterEdge, .. }) => (),
        Err(violation) => return Err(violation),
    }
    let (measure, best) = (weight_of(trees.edges(), &trees.chosen(candidate)), trees.least());
    match measure <= tolerance.most(best) {
        true => Ok(Gap { measure, best, vertex: None }),
        false => Err(Violation::at(trees.source, Rule::WithinTolerance)),
    }
}

pub(super) fn verify(trees: &RootedTrees, candidate: Parents<'_>) -> Result<(), Violation> {
    let graph = trees.graph();
    check_length(graph, candidate)?;
    let source = trees.source;
    let is_right = match trees.classes.get() {
        None => is_minimum_tree(graph, source, candidate),
        // Live edges without a cycle that are as many of each block as its trees have are a tree.
        Some(classes) => {
            candidate.is_root(source)
                && parent_cycle(candidate).is_none()
                && trees.live_edges_of(candidate).is_some_and(|chosen| classes.includes(&chosen))
        }
    };
    if is_right {
        return Ok(());
    }
    if !candidate.is_root(source) {
        return Err(Violation::with_edges(source, Rule::SourceIsRoot, vec![(candidate.of(source), source)]));
    }
    let chosen = match trees.edges_of(candidate) {
        Some(chosen) => chosen,
        None => {
            check_edges(graph, candidate)?;
            trees.chosen(candidate)
        }
    };
    if let Some(cycle) = parent_cycle(candidate) {
        let above = cycle.iter().skip(1).chain(cycle.first());
        let edges = cycle.iter().zip(above).map(|(&child, &parent)| (parent, child)).collect();
        return Err(Violation::with_edges(cycle[0], Rule::NoCycle, edges));
    }
    let ends = |edge: usize| (trees.edges()[edge].0, trees.edges()[edge].1);
    match verify_component(graph.n(), trees.edges(), &chosen, source) {
        Ok(()) => Ok(()),
        Err(ForestFault::Elsewhere { edge }) => {
            let (one, other) = ends(edge);
            let (parent, child) = if candidate.of(other) == one { (one, other) } else { (other, one) };
            Err(Violation::with_edges(child, Rule::UnconnectedIsRoot, vec![(parent, child)]))
        }
        Err(ForestFault::Apart { ends: (one, other), .. }) => {
            let root_of = |vertex| {
                std::iter::successors(Some(vertex), |&at| Some(candidate.of(at)).filter(|&above| above != at)).last()
            };
            let astray = if root_of(one) == Some(source) { other } else { one };
            let root = root_of(astray).unwrap_or(astray);
            Err(Violation::with_edges(root, Rule::ConnectedHasParent, vec![(one, other)]))
        }
        Err(ForestFault::Exchange { lighter, heavier }) => {
            let (one, other) = ends(heavier);
            let child = if candidate.of(other) == one { other } else { one };
            Err(Violation::with_edges(child, Rule::NoLighterEdge, vec![ends(lighter), ends(heavier)]))
        }
        Err(fault) => unreachable!("parents without a cycle are a forest of edges, each chosen once: {fault}"),
    }
}
