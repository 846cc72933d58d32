//! Maximum matchings against all sets of edges of small graphs, and searches against each other on larger ones.

use super::augment::{complete, complete_by_layers};
use super::*;
use crate::instance::Graph;
use crate::problems::COUNT_EFFORT;
use std::collections::BTreeSet;

/// A random graph of two sides whose vertices are in no order; at most so many edges.
fn random_graph(n: usize, edges: usize, rng: &mut Rng) -> Graph {
    let share = 1 + rng.below(3);
    let is_left: Vec<bool> = (0..n).map(|_| rng.below(4) < share).collect();
    let pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
    let mut pairs: Vec<(usize, usize)> = pairs.filter(|&(one, other)| is_left[one] != is_left[other]).collect();
    rng.shuffle(&mut pairs);
    pairs.truncate(rng.below(edges + 1));
    Graph::undirected(n, pairs).unwrap()
}

/// The largest sets of edges without a common end, of those that are allowed.
fn largest(graph: &Graph, is_allowed: impl Fn(&BTreeSet<usize>) -> bool) -> BTreeSet<BTreeSet<usize>> {
    let edges: Vec<(usize, usize)> = graph.edges().collect();
    let sets = (0..1usize << edges.len()).map(|bits| (0..edges.len()).filter(|slot| bits >> slot & 1 == 1).collect());
    let is_matching = |set: &BTreeSet<usize>| {
        let ends: BTreeSet<usize> = set.iter().flat_map(|&slot| [edges[slot].0, edges[slot].1]).collect();
        ends.len() == 2 * set.len()
    };
    let matchings: Vec<BTreeSet<usize>> = sets.filter(is_matching).collect();
    let most = matchings.iter().map(BTreeSet::len).max().unwrap_or(0);
    matchings.into_iter().filter(|matching| matching.len() == most && is_allowed(matching)).collect()
}

fn on_small_graphs(purpose: &str, law: impl Fn(&Matchings, &mut Rng)) {
    for index in 0..200 {
        let mut rng = Rng::stream(0, purpose, index);
        let n = 1 + rng.below(12);
        let instance = Instance::new(random_graph(n, 11, &mut rng));
        law(&Matchings::new("matching", &instance).unwrap(), &mut rng);
    }
}

fn chosen(sides: &Sides, mates: &Mates) -> BTreeSet<usize> {
    sides.slots(mates, |_| true).collect()
}

#[test]
fn any_matching_is_completed_to_a_largest_set_of_edges_without_a_common_end() {
    on_small_graphs("completed", |matchings, rng| {
        let sides = &matchings.sides;
        let right = largest(&sides.graph, |_| true);
        let mut lefts: Vec<usize> = sides.lefts().collect();
        rng.shuffle(&mut lefts);
        for turns in 0..=lefts.len() {
            let mut mates = Mates::none(sides.n());
            for &left in &lefts[..turns] {
                let neighbours = sides.graph.out_neighbours(left).iter().map(|&right| right as usize);
                let free: Vec<usize> = neighbours.filter(|&right| mates.is_free(right)).collect();
                free.first().into_iter().for_each(|&right| mates.join(left, right));
            }
            for phases in [0, 1, usize::MAX] {
                let mut by_layers = mates.clone();
                complete_by_layers(&sides.graph, &lefts, &mut by_layers, phases);
                assert!(right.contains(&chosen(sides, &by_layers)));
            }
            complete(sides, &sides.graph, &lefts, &mut mates);
            assert!(right.contains(&chosen(sides, &mates)));
        }
    });
}

#[test]
fn no_augmenting_path_is_left_on_larger_graphs() {
    for index in 0..60 {
        let mut rng = Rng::stream(0, "larger", index);
        let n = 200 + rng.below(400);
        let edges = [n / 2, n, 2 * n][rng.below(3)];
        let graph = random_graph(n, 2 * edges, &mut rng);
        let sides = Sides::new(&graph).unwrap();
        let lefts: Vec<usize> = sides.lefts().collect();
        let rights = |left: usize| graph.out_neighbours(left).iter().map(|&right| right as usize);
        let assert_maximum = |mates: &Mates| {
            assert_eq!(mates.augmenting_path(&sides, rights), None);
            assert!((0..n).all(|vertex| mates.of(vertex).is_none_or(|mate| mates.of(mate) == Some(vertex))));
        };
        let mut mates = Mates::none(n);
        complete(&sides, &graph, &lefts, &mut mates);
        assert_maximum(&mates);
        for phases in [0, 1, usize::MAX] {
            let mut by_layers = Mates::none(n);
            complete_by_layers(&graph, &lefts, &mut by_layers, phases);
            assert_maximum(&by_layers);
            assert_eq!(mates.size(), by_layers.size());
        }
    }
}

/// A path that only one phase after the other makes longer: each left vertex took what the one before it needs.
#[test]
fn a_long_path_is_turned_over() {
    let n = 100_000;
    let graph = Graph::undirected(n, (1..n).map(|vertex| (vertex - 1, vertex))).unwrap();
    let sides = Sides::new(&graph).unwrap();
    let lefts: Vec<usize> = sides.lefts().collect();
    let mut mates = Mates::none(n);
    (2..n).step_by(2).for_each(|left| mates.join(left, left - 1));
    let mut by_layers = mates.clone();
    complete(&sides, &graph, &lefts, &mut mates);
    complete_by_layers(&graph, &lefts, &mut by_layers, 0);
    assert_eq!((mates.size(), by_layers.size()), (n / 2, n / 2));
}

#[test]
fn options_counts_and_components_are_those_of_all_largest_sets() {
    on_small_graphs("structure", |matchings, _| {
        let right = largest(&matchings.sides.graph, |_| true);
        assert_options(matchings.structure(), &matchings.sides, &right);
        assert_eq!(matchings.count(COUNT_EFFORT), Ok(BigUint::from(right.len())));
        let bound = matchings.at_least(&matchings.candidate([]));
        assert!(bound <= BigUint::from(right.len()), "{bound} of {}", right.len());
        let components = matchings.structure().components(&matchings.sides).iter();
        let possible: BTreeSet<usize> = right.iter().flatten().copied().collect();
        assert_eq!(components.map(|component| component.edges).sum::<usize>(), possible.len());
    });
}

fn assert_options(found: &Structure, sides: &Sides, right: &BTreeSet<BTreeSet<usize>>) {
    for (slot, &option) in found.options(sides).iter().enumerate() {
        let can_be = [false, true].map(|inside| right.iter().any(|matching| matching.contains(&slot) == inside));
        assert_eq!([option & CAN_BE_OUT != 0, option & CAN_BE_IN != 0], can_be, "slot {slot} of {:?}", sides.graph);
    }
    assert!(found.fixed(sides).eq(right.iter().cloned().reduce(|all, own| &all & &own).into_iter().flatten()));
}

#[test]
fn demands_leave_what_they_allow_of_all_largest_sets() {
    on_small_graphs("demands", |matchings, rng| {
        let edges = matchings.sides.graph.edge_count();
        let mut allowed = Allowed::default();
        (0..rng.below(3).min(edges)).for_each(|_| _ = allowed.require(rng.below(edges), IN));
        (0..rng.below(3).min(edges)).for_each(|_| allowed.forbid(rng.below(edges), IN));
        let is_allowed = |set: &BTreeSet<usize>| {
            (0..edges).all(|slot| allowed.permits(slot, if set.contains(&slot) { IN } else { OUT }))
        };
        let right = largest(&matchings.sides.graph, is_allowed);
        match matchings.demanded(&allowed) {
            Some(found) => assert_options(&found, &matchings.sides, &right),
            None => assert!(right.is_empty()),
        }
        let set = matchings.within(&allowed, COUNT_EFFORT).unwrap();
        assert_eq!(set.count(), &BigUint::from(right.len()));
        let found = matchings.find(&allowed, rng);
        assert_eq!(found.is_some(), !right.is_empty());
        assert!(found.is_none_or(|found| right.contains(&found.chosen().collect::<BTreeSet<_>>())));
    });
}
