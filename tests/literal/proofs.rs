//! Rejections proved again: from what a violation names, and from the definitions alone.

use crate::common::literal;
use std::collections::BTreeSet;
use tiebreak::answers::{Candidate, Form, Parents, Part};
use tiebreak::instance::{Instance, Weight};
use tiebreak::problems::Algorithm;
use tiebreak::problems::verify::{Rule, Violation};

/// The vertex, the rule, the edges and the path of a violation prove that the candidate is no solution.
pub fn assert_proved(algorithm: &dyn Algorithm, instance: &Instance, candidate: &Candidate, violation: &Violation) {
    let Violation { vertex, rule, ref edges, ref path, .. } = *violation;
    let what = format!("{violation} of {candidate} on {instance:?}");
    if rule == Rule::OneChoiceEach {
        return assert_ne!(candidate.slots(), instance.slots(algorithm.problem().form), "{what}");
    }
    match algorithm.problem().form {
        Form::Parents => {}
        Form::Edges => return assert!(is_wrong_set(instance, candidate, violation), "{what}"),
        Form::Order => return assert!(is_wrong_order(instance, candidate, violation), "{what}"),
        Form::Items => return assert!(is_wrong_choice(instance, candidate, violation), "{what}"),
    }
    let vertex = vertex.unwrap_or_else(|| panic!("no vertex: {what}"));
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
        _ => panic!("no rule of parents: {what}"),
    };
    let shows_a_path = matches!(rule, Rule::ReachableHasParent | Rule::EdgeIsTight);
    assert!(proved && (shows_a_path || path.is_empty()), "{what}");
}

/// Items that prove that a set of items is no solution.
fn is_wrong_choice(instance: &Instance, candidate: &Candidate, violation: &Violation) -> bool {
    let chosen = literal::members(candidate);
    let are_chosen = violation.items.iter().all(|item| chosen.contains(item));
    match violation.rule {
        // One task more than there are units of time up to the last of their deadlines.
        Rule::InTime => {
            let due = violation.items.iter().map(|&task| literal::item_number(instance, 0, task)).max();
            let unit = 10i128.pow(instance.items.as_ref().expect("items").decimals());
            let tasks: BTreeSet<usize> = violation.items.iter().copied().collect();
            are_chosen && due.is_some_and(|due| tasks.len() as Weight > due / unit)
        }
        Rule::GreatestWeight => {
            let Some((Part::Item(put_in), take_out)) =
                violation.exchange.as_deref().map(|exchange| (exchange.put_in, exchange.take_out))
            else {
                return false;
            };
            let mut better = chosen.clone();
            if let Some(Part::Item(out)) = take_out {
                better.retain(|&task| task != out);
            }
            better.push(put_in);
            let is_heavier = literal::total_weight(instance, &better) > literal::total_weight(instance, &chosen);
            !chosen.contains(&put_in) && literal::can_be_done(instance, &better) && is_heavier
        }
        Rule::NoOverlap => {
            let [one, other] = violation.items[..] else { return false };
            are_chosen && one != other && !literal::are_apart(instance, &[one, other])
        }
        Rule::MostActivities => {
            let better: BTreeSet<usize> = violation.better.iter().copied().collect();
            let better: Vec<usize> = better.into_iter().collect();
            better.len() > chosen.len() && literal::are_apart(instance, &better)
        }
        _ => false,
    }
}

/// Edges that prove that a set of edges is no solution.
fn is_wrong_set(instance: &Instance, candidate: &Candidate, violation: &Violation) -> bool {
    let chosen = literal::chosen_edges(instance, candidate);
    let edges = &violation.edges;
    let are_chosen = edges.iter().all(|edge| chosen.contains(&ordered(*edge)));
    match violation.rule {
        // As many vertices as edges, each with two of them, and all connected: one cycle. A self-loop is one, too.
        Rule::ChosenFormNoCycle => {
            let ends: Vec<usize> = edges.iter().flat_map(|&(one, other)| [one, other]).collect();
            let vertices: BTreeSet<usize> = ends.iter().copied().collect();
            let twice = |vertex: &usize| ends.iter().filter(|end| *end == vertex).count() == 2;
            let in_one = vertices.iter().all(|&vertex| literal::connects(instance.n(), edges, ends[0], vertex));
            are_chosen && vertices.len() == edges.len() && vertices.iter().all(twice) && in_one
        }
        Rule::ChosenConnect => {
            let [(one, other)] = edges[..] else { return false };
            has_edge(instance, (one, other)) && !literal::connects(instance.n(), &chosen, one, other)
        }
        Rule::NoLighterEdge => is_better_exchange(instance, &chosen, violation),
        Rule::OneChosenEdgeEach => {
            let [one, other] = edges[..] else { return false };
            let at = |(a, b): (usize, usize)| violation.vertex == Some(a) || violation.vertex == Some(b);
            are_chosen && ordered(one) != ordered(other) && at(one) && at(other)
        }
        Rule::NoAugmentingPath => is_augmenting_path(instance, &chosen, &violation.path),
        _ => false,
    }
}

/// The lighter edge joins the two parts that the heavier one leaves.
fn is_better_exchange(instance: &Instance, chosen: &[(usize, usize)], violation: &Violation) -> bool {
    let Some(exchange) = violation.exchange.as_deref() else { return false };
    let (Some(lighter), Some(heavier)) = (exchange.put_in.edge(), exchange.take_out.and_then(Part::edge)) else {
        return false;
    };
    let rest: Vec<(usize, usize)> = chosen.iter().copied().filter(|&edge| edge != ordered(heavier)).collect();
    let is_cut = |(one, other): (usize, usize)| !literal::connects(instance.n(), &rest, one, other);
    let weight = |(one, other)| instance.graph.weight(one, other);
    rest.len() + 1 == chosen.len()
        && !chosen.contains(&ordered(lighter))
        && is_cut(heavier)
        && is_cut(lighter)
        && literal::connects(instance.n(), chosen, lighter.0, lighter.1)
        && weight(lighter).is_some_and(|light| weight(heavier).is_some_and(|heavy| light < heavy))
}

/// Its edges are not chosen, chosen, …, not chosen, and its ends have no chosen edge.
fn is_augmenting_path(instance: &Instance, chosen: &[(usize, usize)], path: &[usize]) -> bool {
    let is_simple = path.iter().collect::<BTreeSet<_>>().len() == path.len();
    let is_free = |vertex: Option<&usize>| {
        vertex.is_some_and(|&vertex| chosen.iter().all(|&(one, other)| one != vertex && other != vertex))
    };
    let alternates = path.windows(2).enumerate().all(|(place, pair)| {
        let edge = (pair[0], pair[1]);
        has_edge(instance, edge) && chosen.contains(&ordered(edge)) == (place % 2 == 1)
    });
    path.len().is_multiple_of(2) && is_simple && alternates && is_free(path.first()) && is_free(path.last())
}

fn ordered((one, other): (usize, usize)) -> (usize, usize) {
    (one.min(other), one.max(other))
}

/// A vertex that an order leaves out or has twice, or an edge that goes backward.
fn is_wrong_order(instance: &Instance, candidate: &Candidate, violation: &Violation) -> bool {
    let order = literal::spelled_order(instance.n(), candidate);
    let Some(vertex) = violation.vertex else { return false };
    match violation.rule {
        Rule::EveryVertexOnce => {
            // After all of them comes the last one's choice: itself, or a vertex that has been there.
            let comes_again = order.last().is_some_and(|&last| last != vertex && candidate.choice(last) == vertex);
            violation.edges.is_empty() && (!order.contains(&vertex) || comes_again)
        }
        Rule::EdgesGoForward => {
            let [(tail, head)] = violation.edges[..] else { return false };
            let place = |vertex: usize| order.iter().position(|&other| other == vertex);
            vertex == head && has_edge(instance, (tail, head)) && place(tail) > place(head)
        }
        _ => false,
    }
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
