//! What the weak check lets through, and which solutions each way of breaking ties reaches.

use crate::common::{
    array, every_digraph, every_free_run, every_one_order_run, every_small_candidate, every_small_instance,
    every_solution, graph, literal, weighted_graph,
};
use crate::distributions::assert_close;
use crate::on_random_instances;
use rayon::prelude::*;
use std::collections::BTreeSet;
use tiebreak::instance::Instance;
use tiebreak::problems::forests::dfs;
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::problems::ties::{OneOrder, TiePolicy};
use tiebreak::problems::{ALGORITHMS, Algorithm, by_name};

#[test]
fn the_weak_check_accepts_what_the_exact_one_accepts_and_more() {
    let mut have_one = 0;
    for &algorithm in ALGORITHMS {
        let candidates = every_small_candidate(algorithm);
        let (mut more, mut has_one) = (0, false);
        for instance in every_small_instance(algorithm).into_iter().filter(|instance| instance.n() <= 3) {
            let prepared = algorithm.prepare(&instance).unwrap();
            for candidate in &candidates[instance.slots(algorithm.problem().form)] {
                let exact = prepared.space().verify(candidate).is_ok();
                let Some(weak) = prepared.space().verify_weakly(candidate) else { continue };
                has_one = true;
                assert!(weak.is_ok() || !exact, "{algorithm:?} {candidate} on {instance:?}");
                more += usize::from(weak.is_ok() && !exact);
            }
        }
        assert_eq!(more > 0, has_one, "the weak check of {algorithm:?} is not weaker");
        have_one += usize::from(has_one);
    }
    assert!(have_one >= 3, "the paper's algorithms have one");
}

/// What the earlier check for shortest paths did not look at, and the weak check still does not.
#[test]
fn the_weak_check_of_shortest_paths_has_the_blind_spots_of_the_earlier_code() {
    let unreachable = Instance::with_source(weighted_graph(3, &[(1, 0, 1), (1, 2, 1), (2, 1, 1)]), 0);
    let prepared = BellmanFord.prepare(&unreachable).unwrap();
    for candidate in [array(&[1, 1, 2]), array(&[0, 2, 1])] {
        assert_eq!(prepared.space().verify_weakly(&candidate), Some(Ok(())));
        assert!(prepared.space().verify(&candidate).is_err());
    }
}

/// The reach that the documentation states: one order reaches all depth-first forests, orders and matchings, and loses trees.
#[test]
fn one_order_reaches_what_is_said_of_it() {
    for &algorithm in ALGORITHMS {
        let candidates = every_small_candidate(algorithm);
        let instances = every_small_instance(algorithm);
        let missed = instances.par_iter().map(|instance| {
            let prepared = algorithm.prepare(instance).unwrap();
            let right = every_solution(algorithm, instance, &candidates[instance.slots(algorithm.problem().form)]);
            let one = every_one_order_run(&*prepared);
            assert!(one.is_subset(&right), "{algorithm:?} {instance:?}");
            right.len() - one.len()
        });
        let missed: usize = missed.sum();
        // Levels couple the choices of two vertices only from five vertices on: the next law.
        let reaches_all =
            ["dfs", "dfs-any-restart", "bfs", "topological-sort", "matching", "task-scheduling", "activity-selection"];
        assert_eq!(missed == 0, reaches_all.contains(&algorithm.name()), "{algorithm:?} misses {missed}");
    }
}

/// Two vertices between the source and two more: one order gives both of these the same parent.
#[test]
fn one_order_couples_the_choices_of_breadth_first_search() {
    let edges = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 3), (2, 4)];
    let instance = Instance::with_source(graph(5, &edges), 0);
    let prepared = by_name("bfs").unwrap().prepare(&instance).unwrap();
    assert_eq!(every_free_run(&*prepared).len(), 4);
    let same = [array(&[0, 0, 0, 1, 1]), array(&[0, 0, 0, 2, 2])];
    assert_eq!(every_one_order_run(&*prepared), BTreeSet::from(same));
}

#[test]
fn one_order_misses_the_longer_of_two_shortest_paths() {
    let instance = Instance::with_source(weighted_graph(3, &[(2, 0, 1), (0, 1, 1), (2, 1, 2)]), 2);
    let prepared = BellmanFord.prepare(&instance).unwrap();
    let both = BTreeSet::from([array(&[2, 0, 2]), array(&[2, 2, 2])]);
    assert_eq!(every_free_run(&*prepared), both);
    assert_eq!(every_one_order_run(&*prepared), BTreeSet::from([array(&[2, 2, 2])]));
}

#[test]
fn the_tie_policies_of_dfs_differ_from_four_vertices_on() {
    let exact = |n, edges: &[(usize, usize)], policy| {
        let instance = Instance::new(graph(n, edges));
        dfs::ORDERED.prepare(&instance).unwrap().law(policy, None).unwrap()
    };
    for n in 0..=3 {
        for edges in every_digraph(n, true) {
            let [one, free] = TiePolicy::ALL.map(|policy| exact(n, &edges, policy));
            assert_close(&one, &free, &format!("{edges:?}"));
        }
    }
    let edges = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)];
    let [one, free] = TiePolicy::ALL.map(|policy| exact(4, &edges, policy));
    assert!((one.row(3)[1] - 1.0 / 3.0).abs() < 1e-12, "1 first, then 3 before 2: two of six orders");
    assert!((free.row(3)[1] - 1.0 / 4.0).abs() < 1e-12, "1 before 2, then 3 before 2: two coins");
}

#[test]
fn a_run_with_a_given_order_is_the_synchronous_bellman_ford_of_clrs() {
    on_random_instances("synchronous", |algorithm, prepared, preset, rng| {
        if algorithm.name() != BellmanFord.name() {
            return;
        }
        let mut order: Vec<usize> = (0..prepared.instance().n()).collect();
        rng.shuffle(&mut order);
        let run = prepared.run(&mut OneOrder::given(&order));
        assert_eq!(run, literal::synchronous_bellman_ford(prepared.instance(), &order), "{preset:?} {order:?}");
    });
}
