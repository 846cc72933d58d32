//! Rejections proved again: from what a violation names, and from the definitions alone.

use crate::common::literal;
use std::collections::BTreeSet;
use tiebreak::answers::{Candidate, Parents};
use tiebreak::graph::{Instance, Weight};
use tiebreak::problems::Algorithm;
use tiebreak::verify::{Rule, Violation};

/// The vertex, the rule, the edges and the path of a violation prove that the candidate is no solution.
pub fn assert_proved(algorithm: &dyn Algorithm, instance: &Instance, candidate: &Candidate, violation: &Violation) {
    let Violation { vertex, rule, ref edges, ref path } = *violation;
    let what = format!("{violation} of {candidate} on {instance:?}");
    if rule == Rule::OneParentEach {
        return assert!(candidate.slots() != instance.n() && edges.is_empty() && path.is_empty(), "{what}");
    }
    let candidate = candidate.parents();
    let parent = candidate.of(vertex);
    let names_the_parent = *edges == [(parent, vertex)];
    let weighted = algorithm.needs().weights.are_used();
    let distance = |vertex: usize| literal::distances(instance, weighted)[vertex];
    let proved = match rule {
        Rule::OneParentEach => unreachable!("looked at above"),
        Rule::ParentIsNeighbour => names_the_parent && parent != vertex && !has_edge(instance, edges[0]),
        // Depth-first forests name the vertex, the others the whole circle.
        Rule::NoCycle if !algorithm.needs().source => edges.is_empty() && is_on_cycle(candidate, vertex),
        Rule::NoCycle => is_on_cycle(candidate, vertex) && is_circle_of_parents(candidate, vertex, edges),
        Rule::RootIsLeast => {
            edges.is_empty()
                && parent == vertex
                && (0..vertex).any(|below| literal::root_of(candidate, below) == vertex)
        }
        Rule::TreesInOrder => {
            let [(tail, head)] = edges[..] else { panic!("{what}") };
            let [from, to] = [tail, head].map(|end| literal::root_of(candidate, end));
            has_edge(instance, (tail, head)) && head == vertex && from < to && candidate.is_root(from)
        }
        Rule::RootReachesFirst => {
            edges.is_empty() && literal::root_of(candidate, vertex) != literal::least_reaching(&instance.graph, vertex)
        }
        Rule::SiblingOrder => is_circle_of_siblings(instance, candidate, vertex, edges),
        Rule::SourceIsRoot => names_the_parent && instance.source == Some(vertex) && parent != vertex,
        Rule::UnreachableIsRoot => names_the_parent && parent != vertex && distance(vertex).is_none(),
        Rule::ReachableHasParent => {
            let is_told = edges.is_empty() && parent == vertex && instance.source != Some(vertex);
            is_told && distance(vertex).is_some() && path_length(instance, path, vertex, weighted) == distance(vertex)
        }
        Rule::EdgeIsTight => {
            let weight = instance.graph.weight(parent, vertex).unwrap_or_else(|| panic!("{what}"));
            let through = distance(parent).map(|before| before + if weighted { weight } else { 1 });
            let shown = path_length(instance, path, vertex, weighted);
            // Shorter than any path by the parent's edge, so than the candidate's own.
            let is_shorter = through.is_none_or(|through| shown.is_some_and(|shown| shown < through));
            names_the_parent && shown.is_some() && shown == distance(vertex) && is_shorter
        }
        Rule::UnconnectedIsRoot => names_the_parent && parent != vertex && !is_connected(instance, vertex),
        Rule::ConnectedHasParent => {
            let [(one, other)] = edges[..] else { panic!("{what}") };
            let roots = [one, other].map(|end| literal::root_of(candidate, end));
            let leads_out = has_edge(instance, (one, other)) && roots[0] != roots[1] && roots.contains(&vertex);
            leads_out && parent == vertex && instance.source != Some(vertex) && is_connected(instance, vertex)
        }
        Rule::NoLighterEdge => is_exchange(instance, candidate, vertex, edges),
    };
    let shows_a_path = matches!(rule, Rule::ReachableHasParent | Rule::EdgeIsTight);
    assert!(proved && (shows_a_path || path.is_empty()), "{what}");
}

/// The length of a path of the graph from the source to a vertex; `None` when it is no such path.
fn path_length(instance: &Instance, path: &[usize], vertex: usize, weighted: bool) -> Option<Weight> {
    let is_simple = path.iter().collect::<BTreeSet<_>>().len() == path.len();
    if !is_simple || path.first().copied() != instance.source || path.last() != Some(&vertex) {
        return None;
    }
    let length = |pair: &[usize]| {
        let weight = instance.graph.weight(pair[0], pair[1])?;
        Some(if weighted { weight } else { 1 })
    };
    path.windows(2).map(length).sum()
}

/// True when the source and the vertex are in one component.
fn is_connected(instance: &Instance, vertex: usize) -> bool {
    literal::least_spanning_weight(instance).1[vertex]
}

/// Each edge leads from a parent to its child; from the named vertex upwards, each child is the parent of the one before, and the last
/// parent is the vertex again.
fn is_circle_of_parents(candidate: Parents<'_>, vertex: usize, edges: &[(usize, usize)]) -> bool {
    let closes = (0..edges.len()).all(|place| edges[place].0 == edges[(place + 1) % edges.len()].1);
    let are_parents = edges.iter().all(|&(parent, child)| parent != child && candidate.of(child) == parent);
    let children: BTreeSet<usize> = edges.iter().map(|&(_, child)| child).collect();
    let begins_with_the_least = edges.first().map(|edge| edge.1) == Some(vertex) && children.first() == Some(&vertex);
    are_parents && closes && begins_with_the_least && children.len() == edges.len()
}

/// An edge outside the tree, and a heavier tree edge on the cycle that it closes: below the heavier one's child lies exactly one end of the
/// lighter one.
fn is_exchange(instance: &Instance, candidate: Parents<'_>, vertex: usize, edges: &[(usize, usize)]) -> bool {
    let [lighter, heavier] = edges[..] else { return false };
    let weight = |(one, other)| instance.graph.weight(one, other);
    let is_in_tree = |(one, other): (usize, usize)| candidate.of(one) == other || candidate.of(other) == one;
    let parent = candidate.of(vertex);
    let is_below = |mut end: usize| {
        for _ in 0..candidate.n() {
            if end == vertex {
                return true;
            }
            end = candidate.of(end);
        }
        false
    };
    let in_one_tree = literal::root_of(candidate, lighter.0) == literal::root_of(candidate, lighter.1);
    [(parent, vertex), (vertex, parent)].contains(&heavier)
        && weight(lighter).is_some_and(|lighter| weight(heavier).is_some_and(|heavier| lighter < heavier))
        && !is_in_tree(lighter)
        && in_one_tree
        && !literal::has_cycle(candidate)
        && is_below(lighter.0) != is_below(lighter.1)
}

fn has_edge(instance: &Instance, edge: (usize, usize)) -> bool {
    instance.graph.arcs().any(|other| other == edge)
}

fn is_on_cycle(candidate: Parents<'_>, vertex: usize) -> bool {
    let mut upwards = (0..candidate.n()).scan(vertex, |above, _| {
        *above = candidate.of(*above);
        Some(*above)
    });
    !candidate.is_root(vertex) && upwards.any(|above| above == vertex)
}

/// Each edge leads from the subtree of one sibling into that of another, which therefore comes before it; followed
/// from the named vertex, each waits for the next, and the last for the first.
fn is_circle_of_siblings(instance: &Instance, candidate: Parents<'_>, vertex: usize, edges: &[(usize, usize)]) -> bool {
    let demands: Vec<(usize, usize)> =
        edges.iter().map(|&(tail, head)| siblings_above(candidate, tail, head)).collect();
    let mut waiting: Vec<usize> = demands.iter().map(|&(later, _)| later).collect();
    let closes = (0..demands.len()).all(|index| demands[index].1 == demands[(index + 1) % demands.len()].0);
    let begins_with_the_least = waiting.first() == Some(&vertex) && waiting.iter().min() == Some(&vertex);
    waiting.sort_unstable();
    waiting.dedup();
    edges.iter().all(|&edge| has_edge(instance, edge))
        && closes
        && begins_with_the_least
        && waiting.len() == edges.len()
        && edges.len() >= 2
}

/// The children of the lowest common ancestor (or the roots) that `tail` and `head` lie below.
fn siblings_above(candidate: Parents<'_>, tail: usize, head: usize) -> (usize, usize) {
    let [from, to] = [tail, head].map(|vertex| {
        let mut path = vec![vertex];
        while !candidate.is_root(path[path.len() - 1]) {
            path.push(candidate.of(path[path.len() - 1]));
        }
        path.reverse();
        path
    });
    let apart = (0..).find(|&depth| from[depth] != to[depth]).expect("neither is above the other");
    (from[apart], to[apart])
}
