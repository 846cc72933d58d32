//! Routes by their definition: all simple paths of all small graphs, sorted.

mod common;

use common::pairs;
use std::collections::BTreeSet;
use tiebreak::instance::{Decimal, Graph, Weight};
use tiebreak::random::Rng;
use tiebreak::solve::Tolerance;
use tiebreak::solve::routes::{RouteCount, RouteError, RouteGraph, RouteRequest, find_many, verify_route};

type Listed = (Weight, usize, Vec<usize>);

/// All simple paths, as (length, edges, vertices), sorted.
fn every_route(graph: &Graph, from: usize, to: usize) -> Vec<Listed> {
    let mut found = vec![];
    let mut unfinished = vec![(0, vec![from])];
    while let Some((length, path)) = unfinished.pop() {
        let last = path[path.len() - 1];
        if last == to {
            found.push((length, path.len() - 1, path));
            continue;
        }
        for (tail, head, weight) in graph.weighted_arcs().filter(|&(tail, ..)| tail == last) {
            assert_eq!(tail, last);
            if !path.contains(&head) {
                unfinished.push((length + weight, [&path[..], &[head]].concat()));
            }
        }
    }
    found.sort();
    found
}

fn listed(routes: impl Iterator<Item = tiebreak::solve::routes::Route>) -> Vec<Listed> {
    routes.map(|route| (route.length, route.path.len() - 1, route.path)).collect()
}

/// Every prefix of the list, because fewer wanted routes are found in another way; and partly grown trees give the same.
fn agrees_with_all_paths(graph: &Graph) {
    let prepared = RouteGraph::new(graph).unwrap();
    for to in 0..graph.n() {
        let target = prepared.target(to).unwrap();
        target.prove().unwrap();
        for from in 0..graph.n() {
            let all = every_route(graph, from, to);
            assert_eq!(target.distance(from), all.first().map(|route| route.0));
            for wanted in [1, 2, 3, 5, usize::MAX] {
                let expected = &all[..all.len().min(wanted)];
                assert_eq!(listed(target.in_order(from, wanted, None)), expected, "{from} {to} {wanted} {graph:?}");
                let request = RouteRequest { k: wanted, ..RouteRequest::default() };
                let found = prepared.find(from, to, &request).unwrap();
                assert_eq!(listed(found.routes.into_iter()), expected, "{from} {to} {wanted} {graph:?}");
            }
            if let Some(&(best, ..)) = all.first() {
                let most = best + 1;
                let expected: Vec<Listed> = all.iter().filter(|route| route.0 <= most).cloned().collect();
                assert_eq!(listed(target.in_order(from, usize::MAX, Some(most))), expected, "{from} {to} {graph:?}");
            }
        }
    }
}

/// Each choice of a weight, or of no edge, for each of the pairs.
fn every_graph(n: usize, pairs: &[(usize, usize)], weights: &[i64], undirected: bool, check: impl Fn(&Graph)) {
    let choices = weights.len() + 1;
    for code in 0..choices.pow(pairs.len() as u32) {
        let mut rest = code;
        let mut edges = vec![];
        for &(tail, head) in pairs {
            if let Some(&weight) = weights.get((rest % choices).wrapping_sub(1)) {
                edges.push((tail, head, Decimal::whole(weight)));
            }
            rest /= choices;
        }
        let graph = match undirected {
            true => Graph::weighted_undirected(n, edges),
            false => Graph::weighted(n, edges),
        };
        check(&graph.unwrap());
    }
}

#[test]
fn routes_are_all_simple_paths_in_order_on_every_small_graph() {
    every_graph(3, &pairs(3, false), &[0, 1, 2], false, agrees_with_all_paths);
    every_graph(3, &pairs(3, true), &[1], false, agrees_with_all_paths);
    every_graph(4, &pairs(4, false), &[1], false, agrees_with_all_paths);
    let each_once: Vec<(usize, usize)> = pairs(4, false).into_iter().filter(|(one, two)| one < two).collect();
    every_graph(4, &each_once, &[0, 1, 2], true, agrees_with_all_paths);
    let each_once: Vec<(usize, usize)> = pairs(5, false).into_iter().filter(|(one, two)| one < two).collect();
    every_graph(5, &each_once, &[1], true, agrees_with_all_paths);
}

#[test]
fn routes_are_all_simple_paths_in_order_on_random_graphs() {
    for index in 0..400 {
        let mut rng = Rng::stream(1, "routes", index);
        let n = 6 + rng.below(3);
        let (largest, p) = ([1, 3, 50][rng.below(3)], [3, 5][rng.below(2)]);
        let undirected = rng.below(2) == 0;
        let mut edges = vec![];
        for (tail, head) in pairs(n, false) {
            if (!undirected || tail < head) && rng.below(10) < p {
                edges.push((tail, head, Decimal::whole(rng.below(largest + 1) as i64)));
            }
        }
        let graph = if undirected { Graph::weighted_undirected(n, edges) } else { Graph::weighted(n, edges) }.unwrap();
        let prepared = RouteGraph::new(&graph).unwrap();
        for _ in 0..6 {
            let (from, to) = (rng.below(n), rng.below(n));
            let all = every_route(&graph, from, to);
            for wanted in [1, 4, 20, usize::MAX] {
                let request = RouteRequest { k: wanted, ..RouteRequest::default() };
                let found = prepared.find(from, to, &request).unwrap();
                assert_eq!(listed(found.routes.into_iter()), all[..all.len().min(wanted)], "{from} {to} {graph:?}");
            }
        }
    }
}

/// Negative lengths are taken as long as no cycle is negative; then that is said.
#[test]
fn negative_lengths_are_taken_and_negative_cycles_refused() {
    let negative_cycle = |graph: &Graph| {
        let starts = 0..graph.n();
        let closed = |start: usize| {
            let back = |(tail, head, weight): (usize, usize, Weight)| (head == start).then_some((tail, weight));
            let mut cycles = graph.weighted_arcs().filter_map(back).flat_map(|(tail, weight)| {
                every_route(graph, start, tail).into_iter().map(move |(length, ..)| length + weight)
            });
            cycles.any(|length| length < 0)
        };
        starts.into_iter().any(closed)
    };
    every_graph(3, &pairs(3, false), &[-1, 0, 2], false, |graph| {
        let prepared = RouteGraph::new(graph).unwrap();
        if !negative_cycle(graph) {
            return agrees_with_all_paths(graph);
        }
        for target in 0..graph.n() {
            if let Err(reason) = prepared.target(target) {
                assert!(matches!(reason, RouteError::NegativeCycle { .. }));
                return;
            }
        }
        // Every vertex of the cycle leads to itself.
        panic!("a negative cycle was not seen: {graph:?}");
    });
}

#[test]
fn counts_within_a_tolerance_are_exact_or_say_where_they_stopped() {
    let mut exact = 0;
    for index in 0..60 {
        let mut rng = Rng::stream(2, "within", index);
        let n = 8;
        let edges = pairs(n, false).into_iter().filter(|_| rng.below(10) < 4).collect::<Vec<_>>();
        let weight =
            |&(tail, head): &(usize, usize)| (tail, head, Decimal::whole(100 + ((tail * 37 + head * 91) % 60) as i64));
        let graph = Graph::weighted(n, edges.iter().map(weight)).unwrap();
        let prepared = RouteGraph::new(&graph).unwrap();
        let all = every_route(&graph, 0, n - 1);
        let Some(&(best, ..)) = all.first() else { continue };
        for percent in [0, 7, 50, 300] {
            let within: Tolerance = format!("{percent}%").parse().unwrap();
            let expected = all.iter().filter(|route| 100 * route.0 <= (100 + percent) * best).count();
            for count_to in [3, 1_000] {
                let request = RouteRequest { k: 2, within: Some(within), count_to, ..RouteRequest::default() };
                let found = prepared.find(0, n - 1, &request).unwrap();
                let count = match expected > count_to {
                    true => RouteCount::AtLeast(count_to + 1),
                    false => RouteCount::Exactly(expected),
                };
                assert_eq!(found.count, count);
                assert_eq!(found.routes.len(), expected.min(2));
                let gap = found.gap(found.routes.last().unwrap()).unwrap();
                assert!((0.0..=percent as f64 / 100.0).contains(&gap), "{gap}");
                exact += usize::from(count == RouteCount::Exactly(expected));
            }
        }
    }
    assert!(exact > 100, "{exact}");
}

/// The length that two routes have in common, from their edges.
fn common_length(graph: &Graph, one: &[usize], other: &[usize]) -> Weight {
    let edge = |pair: &[usize]| match graph.is_undirected() {
        true => (pair[0].min(pair[1]), pair[0].max(pair[1])),
        false => (pair[0], pair[1]),
    };
    let edges: BTreeSet<(usize, usize)> = one.windows(2).map(edge).collect();
    let shared = other.windows(2).map(edge).filter(|edge| edges.contains(edge));
    shared.map(|(tail, head)| graph.weight(tail, head).unwrap()).sum()
}

/// Of all routes, the best first, each is taken that shares little with those before.
#[test]
fn alternatives_share_no_more_than_they_may() {
    for index in 0..40 {
        let mut rng = Rng::stream(3, "alternatives", index);
        let (n, undirected) = (9, index % 2 == 0);
        let edges: Vec<(usize, usize, Decimal)> = pairs(n, false)
            .into_iter()
            .filter(|(tail, head)| !undirected || tail < head)
            .filter(|_| rng.below(10) < 4)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|(tail, head)| (tail, head, Decimal::whole(10 + rng.below(9) as i64)))
            .collect();
        let graph = if undirected { Graph::weighted_undirected(n, edges) } else { Graph::weighted(n, edges) }.unwrap();
        let prepared = RouteGraph::new(&graph).unwrap();
        let all = every_route(&graph, 0, n - 1);
        for (share, percent) in [("50%", 50), ("0", 0), ("80%", 80)] {
            let may = |one: &Listed, other: &Listed| {
                100 * common_length(&graph, &one.2, &other.2) <= percent * one.0.min(other.0) && one != other
            };
            let mut expected: Vec<Listed> = vec![];
            for route in &all {
                if expected.len() < 4 && expected.iter().all(|taken| may(taken, route)) {
                    expected.push(route.clone());
                }
            }
            let share = Some(share.parse().unwrap());
            let request = RouteRequest { k: 4, share, count_to: 100_000, ..RouteRequest::default() };
            assert_eq!(listed(prepared.find(0, n - 1, &request).unwrap().routes.into_iter()), expected);
            // Where the list is not the whole of it, routes via a vertex help; they keep to the same limit.
            let request = RouteRequest { k: 4, share, count_to: 0, ..RouteRequest::default() };
            let found = listed(prepared.find(0, n - 1, &request).unwrap().routes.into_iter());
            assert_eq!(found.first(), expected.first());
            for (place, route) in found.iter().enumerate() {
                assert!(found[..place].iter().all(|taken| may(taken, route)), "{found:?}");
            }
        }
    }
}

/// A grid of streets: far too many routes to list, and still three that share little.
#[test]
fn a_grid_has_alternatives_beyond_the_first_thousand_routes() {
    let side = 40;
    let at = |row: usize, column: usize| row * side + column;
    let mut rng = Rng::stream(4, "grid", 0);
    let mut edges = vec![];
    for row in 0..side {
        for column in 0..side {
            let mut length = || Decimal::whole(90 + rng.below(21) as i64);
            if column + 1 < side {
                edges.push((at(row, column), at(row, column + 1), length()));
            }
            if row + 1 < side {
                edges.push((at(row, column), at(row + 1, column), length()));
            }
        }
    }
    let graph = Graph::weighted_undirected(side * side, edges).unwrap();
    let prepared = RouteGraph::new(&graph).unwrap();
    let request = RouteRequest { k: 3, share: Some("50%".parse().unwrap()), ..RouteRequest::default() };
    let found = prepared.find(0, side * side - 1, &request).unwrap();
    assert_eq!((found.routes.len(), found.count), (3, RouteCount::AtLeast(1_001)));
    for (place, route) in found.routes.iter().enumerate() {
        for taken in &found.routes[..place] {
            assert!(2 * common_length(&graph, &taken.path, &route.path) <= taken.length.min(route.length));
        }
    }
}

/// A thousand vertices: too many paths to list, but every list is in order, without repetition, and each route verifies.
#[test]
fn long_lists_on_larger_graphs_are_ordered_and_distinct() {
    for (largest, index) in [(1, 0), (9, 1), (1_000, 2)] {
        let mut rng = Rng::stream(5, "larger", index);
        let n = 1_000;
        let mut edges = BTreeSet::new();
        while edges.len() < 3 * n {
            let (one, two) = (rng.below(n), rng.below(n));
            if one != two {
                edges.insert((one.min(two), one.max(two)));
            }
        }
        let weighted = edges.into_iter().map(|(one, two)| (one, two, Decimal::whole(rng.below(largest) as i64)));
        let graph = Graph::weighted_undirected(n, weighted.collect::<Vec<_>>()).unwrap();
        let prepared = RouteGraph::new(&graph).unwrap();
        let found = prepared.find(3, 800, &RouteRequest { k: 2_000, ..RouteRequest::default() }).unwrap();
        let routes = listed(found.routes.into_iter());
        assert_eq!(routes.len(), 2_000);
        assert!(routes.is_sorted_by(|one, two| one < two), "in order, none twice");
        for (length, _, path) in &routes {
            assert_eq!(verify_route(&prepared, 3, 800, path), Ok(*length));
        }
        let fewer = prepared.find(3, 800, &RouteRequest { k: 77, ..RouteRequest::default() }).unwrap();
        assert_eq!(listed(fewer.routes.into_iter()), routes[..77], "what is wanted does not change what comes first");
    }
}

/// A ladder of unit steps: every rung ties with every other, on routes of thousands of vertices.
#[test]
fn thousands_of_equal_routes_come_in_order_of_vertices() {
    let steps = 3_000;
    let rails = (0..2).flat_map(|rail| (1..steps).map(move |step| (2 * step - 2 + rail, 2 * step + rail)));
    let rungs = (0..steps).map(|step| (2 * step, 2 * step + 1));
    let graph = Graph::undirected(2 * steps, rails.chain(rungs)).unwrap();
    let prepared = RouteGraph::new(&graph).unwrap();
    let request = RouteRequest { k: 20, ..RouteRequest::default() };
    let routes = listed(prepared.find(0, 2 * steps - 1, &request).unwrap().routes.into_iter());
    // The first crosses by the rung at the start: 0 1 3 …; the next goes on to 2 first, and crosses last of all.
    assert!(routes.iter().all(|route| route.0 == steps as Weight), "each crosses once");
    assert_eq!(routes[0].2[..3], [0, 1, 3]);
    assert_eq!((routes[1].2[1], routes[1].2[2]), (2, 3));
    assert!(routes.is_sorted_by(|one, two| one < two));
}

#[test]
fn many_questions_have_the_answers_of_single_ones_whatever_the_threads() {
    let mut rng = Rng::stream(6, "many", 0);
    let n = 60;
    let edges = pairs(n, false).into_iter().filter(|_| rng.below(100) < 6).collect::<Vec<_>>();
    let edges: Vec<_> =
        edges.into_iter().map(|(tail, head)| (tail, head, Decimal::whole(rng.below(20) as i64))).collect();
    let graph = Graph::weighted(n, edges).unwrap();
    let prepared = RouteGraph::new(&graph).unwrap();
    let questions: Vec<(usize, usize)> = (0..200).map(|_| (rng.below(n), rng.below(n))).collect();
    for share in [None, Some("60%".parse().unwrap())] {
        let request = RouteRequest { k: 5, share, ..RouteRequest::default() };
        let alone: Vec<_> = questions.iter().map(|&(from, to)| prepared.find(from, to, &request).unwrap()).collect();
        for threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let ticks = std::sync::atomic::AtomicUsize::new(0);
            let tick = || _ = ticks.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let together = pool.install(|| find_many(&prepared, &questions, &request, tick)).unwrap();
            assert_eq!((together, ticks.into_inner()), (alone.clone(), questions.len()));
        }
    }
}

/// Other lengths of the same graph: what learns costs asks again and again.
#[test]
fn other_lengths_serve_the_same_arcs() {
    let graph = Graph::from_edges(4, [(0, 1), (0, 2), (1, 3), (2, 3)]).unwrap();
    let hops = RouteGraph::new(&graph).unwrap();
    let first = |prepared: &RouteGraph| prepared.target(3).unwrap().shortest(0).unwrap();
    assert_eq!((first(&hops).path, first(&hops).length), (vec![0, 1, 3], 2));
    let other = hops.with_lengths(vec![5, 1, 1, 1]).unwrap();
    assert_eq!((first(&other).path, first(&other).length), (vec![0, 2, 3], 2));
    let weighted = Graph::weighted(2, [(0, 1, Decimal::whole(7))]).unwrap();
    assert_eq!(RouteGraph::counting_edges(&weighted).unwrap().target(1).unwrap().distance(0), Some(1));
    let huge = Weight::MAX / 4;
    assert_eq!(hops.with_lengths(vec![1, huge, 1, 1]).unwrap_err(), RouteError::TooLong { tail: 0, head: 2 });
}

#[test]
fn a_route_that_is_none_is_refused_with_the_reason() {
    let graph =
        Graph::weighted(4, [(0, 1, 1), (1, 2, 2), (2, 0, 3), (2, 3, 4)].map(|(u, v, w)| (u, v, Decimal::whole(w))));
    let graph = graph.unwrap();
    let prepared = RouteGraph::new(&graph).unwrap();
    let words = |path: &[usize]| verify_route(&prepared, 0, 3, path).map_err(|reason| reason.to_string());
    assert_eq!(words(&[0, 1, 2, 3]), Ok(7));
    assert_eq!(words(&[0, 1, 2]), Err("it does not lead from 0 to 3".to_owned()));
    assert_eq!(words(&[0, 1, 3]), Err("there is no edge 1 -> 3".to_owned()));
    assert_eq!(words(&[0, 1, 2, 0, 1, 2, 3]), Err("it passes 0 twice".to_owned()));
    assert_eq!(words(&[]), Err("it does not lead from 0 to 3".to_owned()));
}

#[test]
fn as_many_routes_as_there_are_numbers_stop_at_what_the_request_has_room_for() {
    let complete = Graph::from_edges(12, pairs(12, false)).unwrap();
    let graph = RouteGraph::new(&complete).unwrap();
    let request = RouteRequest { k: usize::MAX, memory: 0, ..RouteRequest::default() };
    let found = graph.find(0, 11, &request).unwrap();
    assert_eq!((found.routes.len(), found.count), (10_001, RouteCount::AtLeast(10_001)));
}
