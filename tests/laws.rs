//! The laws that every algorithm keeps, tested by loops over `ALGORITHMS`: a new entry is held to them without a new
//! test. On small instances they are tested without exception, on larger ones at random.

mod common;

use common::{
    array, empirical, every_digraph, every_free_run, every_one_order_run, every_parent_array, every_small_instance,
    everything, graph, literal, over_every_tie, random_instance, random_run, run_step_by_step, weighted,
};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::BTreeSet;
use tiebreak::algorithms::bellman_ford::BellmanFord;
use tiebreak::algorithms::{ALGORITHMS, Algorithm, COUNT_EFFORT, dfs};
use tiebreak::graph::{Decimal, Graph, Instance, Preset, random_directed};
use tiebreak::parents::{ParentArray, ParentDistribution};
use tiebreak::random::Rng;
use tiebreak::ties::{OneOrder, TiePolicy};

const DENSITIES: [f64; 4] = [0.05, 0.3, 0.5, 0.9];

/// Calls `law` with random instances of every size from 1 to 64, every density and both presets.
fn on_random_instances(purpose: &str, law: impl Fn(&dyn Algorithm, &Instance, Preset, &mut Rng) + Sync) {
    (1..=64u64).into_par_iter().for_each(|n| {
        let mut rng = Rng::stream(0, purpose, n);
        for &algorithm in ALGORITHMS {
            for p in DENSITIES {
                for preset in Preset::ALL {
                    let instance = random_instance(algorithm, n as usize, p, preset, &mut rng);
                    law(algorithm, &instance, preset, &mut rng);
                }
            }
        }
    });
}

/// Calls `law` with every small instance of every algorithm.
fn on_every_small_instance(law: impl Fn(&dyn Algorithm, &Instance) + Sync) {
    for &algorithm in ALGORITHMS {
        every_small_instance(algorithm).par_iter().for_each(|instance| law(algorithm, instance));
    }
}

#[test]
fn every_run_verifies() {
    on_random_instances("runs", |algorithm, instance, preset, rng| {
        for policy in TiePolicy::ALL {
            let run = random_run(algorithm, instance, policy, rng);
            assert_eq!(algorithm.verify(instance, &run), Ok(()), "{algorithm:?} {policy:?} {preset:?} {run}");
            assert_eq!(algorithm.verify_weakly(instance, &run), Ok(()), "{algorithm:?} {policy:?} {preset:?} {run}");
        }
    });
}

#[test]
fn the_verifier_accepts_exactly_what_free_runs_produce() {
    let arrays: Vec<Vec<ParentArray>> = (0..=4).map(every_parent_array).collect();
    on_every_small_instance(|algorithm, instance| {
        let produced = every_free_run(algorithm, instance);
        let mut accepted = 0;
        for candidate in &arrays[instance.n()] {
            if algorithm.verify(instance, candidate).is_ok() {
                assert!(produced.contains(candidate), "{algorithm:?} accepts {candidate} on {instance:?}");
                accepted += 1;
            }
        }
        assert_eq!(accepted, produced.len(), "{algorithm:?} rejects a run on {instance:?}");
    });
}

#[test]
fn the_weak_check_accepts_what_the_exact_one_accepts_and_more() {
    let arrays: Vec<Vec<ParentArray>> = (0..=3).map(every_parent_array).collect();
    for &algorithm in ALGORITHMS {
        let small = every_small_instance(algorithm).into_iter().filter(|instance| instance.n() <= 3);
        let mut more = 0;
        for instance in small {
            for candidate in &arrays[instance.n()] {
                let exact = algorithm.verify(&instance, candidate).is_ok();
                let weak = algorithm.verify_weakly(&instance, candidate).is_ok();
                assert!(weak || !exact, "{algorithm:?} {candidate} on {instance:?}");
                more += usize::from(weak && !exact);
            }
        }
        assert!(more > 0, "the weak check of {algorithm:?} is not weaker");
    }
}

/// What the earlier check for shortest paths did not look at, and the weak check still does not.
#[test]
fn the_weak_check_of_shortest_paths_has_the_blind_spots_of_the_earlier_code() {
    let unreachable = Instance::with_source(weighted(3, &[(1, 0, 1), (1, 2, 1), (2, 1, 1)]), 0);
    for candidate in [array(&[1, 1, 2]), array(&[0, 2, 1])] {
        assert!(BellmanFord.verify_weakly(&unreachable, &candidate).is_ok());
        assert!(BellmanFord.verify(&unreachable, &candidate).is_err());
    }
}

#[test]
fn one_order_reaches_all_forests_but_not_all_shortest_path_trees() {
    for &algorithm in ALGORITHMS {
        let instances = every_small_instance(algorithm);
        let missed = instances.par_iter().map(|instance| {
            let (free, one) = (every_free_run(algorithm, instance), every_one_order_run(algorithm, instance));
            assert!(one.is_subset(&free), "{algorithm:?} {instance:?}");
            free.len() - one.len()
        });
        let missed: usize = missed.sum();
        assert_eq!(missed > 0, algorithm.needs_source(), "{algorithm:?} misses {missed}");
    }
}

#[test]
fn one_order_misses_the_longer_of_two_shortest_paths() {
    let instance = Instance::with_source(weighted(3, &[(2, 0, 1), (0, 1, 1), (2, 1, 2)]), 2);
    let both = BTreeSet::from([array(&[2, 0, 2]), array(&[2, 2, 2])]);
    assert_eq!(every_free_run(&BellmanFord, &instance), both);
    assert_eq!(every_one_order_run(&BellmanFord, &instance), BTreeSet::from([array(&[2, 2, 2])]));
}

#[test]
fn the_tie_policies_of_dfs_differ_from_four_vertices_on() {
    let exact = |n, edges: &[(usize, usize)], policy| {
        let instance = Instance::new(graph(n, edges));
        dfs::ORDERED.exact_distribution(&instance, policy, None).unwrap()
    };
    for n in 0..=3 {
        for edges in every_digraph(n, true) {
            let [one, free] = TiePolicy::ALL.map(|policy| exact(n, &edges, policy));
            assert_close(&one, &free, &format!("{edges:?}"));
        }
    }
    let edges = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)];
    let [one, free] = TiePolicy::ALL.map(|policy| exact(4, &edges, policy));
    assert!((one.of(3)[1] - 1.0 / 3.0).abs() < 1e-12, "1 first, then 3 before 2: two of six orders");
    assert!((free.of(3)[1] - 1.0 / 4.0).abs() < 1e-12, "1 before 2, then 3 before 2: two coins");
}

#[test]
fn counts_and_solutions_are_what_free_runs_produce() {
    on_every_small_instance(|algorithm, instance| {
        assert_solutions(algorithm, instance, &every_free_run(algorithm, instance));
    });
}

#[test]
fn counts_and_solutions_are_what_free_runs_produce_on_random_instances() {
    (0..120u64).into_par_iter().for_each(|index| {
        let mut rng = Rng::stream(0, "solutions", index);
        for &algorithm in ALGORITHMS {
            let (n, p) = (5 + rng.below(3), DENSITIES[rng.below(4)]);
            let instance = random_instance(algorithm, n, p, Preset::Text, &mut rng);
            let produced = everything(|ties| run_step_by_step(algorithm, &instance, ties));
            assert_solutions(algorithm, &instance, &produced);
        }
    });
}

fn assert_solutions(algorithm: &dyn Algorithm, instance: &Instance, produced: &BTreeSet<ParentArray>) {
    let listed: Vec<ParentArray> = algorithm.solutions(instance).collect();
    let distinct: BTreeSet<ParentArray> = listed.iter().cloned().collect();
    assert_eq!(distinct.len(), listed.len(), "{algorithm:?} lists a solution twice on {instance:?}");
    assert_eq!(&distinct, produced, "{algorithm:?} on {instance:?}");
    assert_eq!(
        algorithm.count(instance, COUNT_EFFORT),
        Ok(BigUint::from(produced.len())),
        "{algorithm:?} on {instance:?}"
    );
}

#[test]
fn solutions_come_in_a_fixed_order() {
    let instance = Instance::new(graph(4, &[(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]));
    let listed: Vec<ParentArray> = dfs::ORDERED.solutions(&instance).collect();
    assert_eq!(listed, [array(&[0, 0, 1, 2]), array(&[0, 0, 1, 1]), array(&[0, 0, 0, 2])]);
    let instance = Instance::with_source(weighted(3, &[(2, 0, 1), (0, 1, 1), (2, 1, 2)]), 2);
    let listed: Vec<ParentArray> = BellmanFord.solutions(&instance).collect();
    assert_eq!(listed, [array(&[2, 0, 2]), array(&[2, 2, 2])]);
}

#[test]
fn the_first_solutions_of_a_large_instance_are_distinct_and_verify() {
    for &algorithm in ALGORITHMS {
        let instance = random_instance(algorithm, 64, 0.5, Preset::Text, &mut Rng::stream(0, "first solutions", 0));
        let listed: Vec<ParentArray> = algorithm.solutions(&instance).take(300).collect();
        assert_eq!(listed.len(), 300);
        assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), 300, "{algorithm:?}");
        assert!(listed.iter().all(|solution| algorithm.verify(&instance, solution).is_ok()), "{algorithm:?}");
        assert!(algorithm.solutions(&instance).take(300).eq(listed), "{algorithm:?} gives another order");
    }
}

/// The distribution that all sequences of choices give, each with its chance.
fn by_enumeration(
    instance: &Instance,
    run: impl FnMut(&mut tiebreak::ties::EveryTie) -> ParentArray,
) -> ParentDistribution {
    let n = instance.n();
    let mut shares = vec![0.0; n * n];
    over_every_tie(run, |solution, chance| {
        solution.as_slice().iter().enumerate().for_each(|(vertex, parent)| shares[vertex * n + parent] += chance);
    });
    ParentDistribution::from_weights(n, shares).expect("chances")
}

fn assert_close(one: &ParentDistribution, other: &ParentDistribution, what: &str) {
    let apart = one.as_slice().iter().zip(other.as_slice()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(one.len() == other.len() && apart < 1e-12, "{what}: {apart} apart");
}

fn assert_exact_distributions(algorithm: &dyn Algorithm, instance: &Instance) {
    let what = format!("{algorithm:?} on {instance:?}");
    let free = by_enumeration(instance, |ties| run_step_by_step(algorithm, instance, ties));
    assert_close(&algorithm.exact_distribution(instance, TiePolicy::Free, None).unwrap(), &free, &what);
    let firsts = [None, Some(0), Some(instance.n() / 2)];
    for first in firsts.into_iter().filter(|first| first.is_none_or(|vertex| vertex < instance.n())) {
        let one =
            by_enumeration(instance, |ties| algorithm.solve(instance, &mut OneOrder::draw(instance.n(), first, ties)));
        assert_close(&algorithm.exact_distribution(instance, TiePolicy::OneOrder, first).unwrap(), &one, &what);
    }
}

#[test]
fn exact_distributions_are_those_of_all_runs() {
    on_every_small_instance(|algorithm, instance| {
        // Self-loops change nothing; leaving most of them out at four vertices saves nine tenths of the time.
        if instance.n() < 4
            || !instance.graph.has_edge(0, 0) && !instance.graph.has_edge(1, 1) && !instance.graph.has_edge(2, 2)
        {
            assert_exact_distributions(algorithm, instance);
        }
    });
}

#[test]
fn exact_distributions_are_those_of_all_runs_on_random_instances() {
    (0..24u64).into_par_iter().for_each(|index| {
        let mut rng = Rng::stream(0, "exact distributions", index);
        for &algorithm in ALGORITHMS {
            let (n, p) = (5 + rng.below(3), DENSITIES[rng.below(4)]);
            let instance = random_instance(algorithm, n, p, Preset::ALL[rng.below(2)], &mut rng);
            assert_exact_distributions(algorithm, &instance);
        }
    });
}

#[test]
fn the_distribution_of_many_runs_approaches_the_exact_one() {
    for &algorithm in ALGORITHMS {
        for preset in Preset::ALL {
            let mut rng = Rng::stream(0, "many runs", 0);
            let instance = random_instance(algorithm, 7, 0.5, preset, &mut rng);
            let first = algorithm.first_in_order(preset);
            let exact = algorithm.exact_distribution(&instance, TiePolicy::OneOrder, first).unwrap();
            let mut mean = vec![0.0; exact.as_slice().len()];
            for _ in 0..1000 {
                let twenty = empirical(algorithm, &instance, preset, &mut rng);
                mean.iter_mut().zip(twenty.as_slice()).for_each(|(sum, share)| *sum += share / 1000.0);
            }
            // 20,000 runs: the standard error of a share is at most .0036.
            let apart = mean.iter().zip(exact.as_slice()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 0.016, "{algorithm:?} {preset:?}: {apart}");
        }
    }
}

#[test]
fn what_is_intractable_is_refused_with_the_reason() {
    let dense = Instance::new(Graph::from_edges(200, common::pairs(200, false)).unwrap());
    for algorithm in [dfs::ORDERED, dfs::ANY_RESTART] {
        let reason = algorithm.count(&dense, COUNT_EFFORT).unwrap_err().to_string();
        assert!(reason.contains("200") && reason.contains("64"), "{reason}");
        for policy in TiePolicy::ALL {
            let reason = algorithm.exact_distribution(&dense, policy, None).unwrap_err().to_string();
            assert!(reason.contains("200"), "{reason}");
        }
    }
    let settings = tiebreak::graph::GraphSettings { n: 64, p: 0.5, preset: Preset::Text };
    let medium = Instance::new(random_directed(&settings, &mut Rng::stream(0, "medium", 0)));
    let reason = dfs::ORDERED.count(&medium, COUNT_EFFORT).unwrap_err().to_string();
    assert!(reason.contains("more than"), "{reason}");
    let reason = dfs::ORDERED.exact_distribution(&medium, TiePolicy::Free, None).unwrap_err().to_string();
    assert!(reason.contains("more than"), "{reason}");
}

/// The centre first, so that all hang below it, and last, so that all are roots before it.
fn stars(leaves: usize) -> [Graph; 2] {
    [0, leaves].map(|centre| {
        let others = (0..=leaves).filter(|&vertex| vertex != centre);
        Graph::weighted(leaves + 1, others.map(|leaf| (centre, leaf, Decimal::whole(1)))).unwrap()
    })
}

#[test]
fn a_star_with_a_hundred_thousand_leaves_is_no_work() {
    for star in stars(100_000) {
        for &algorithm in ALGORITHMS {
            let instance = Instance { source: Some(0), graph: star.clone() };
            let run = random_run(algorithm, &instance, TiePolicy::Free, &mut Rng::stream(0, "star", 0));
            assert_eq!(algorithm.verify(&instance, &run), Ok(()), "{algorithm:?}");
            if let Ok(count) = algorithm.count(&instance, COUNT_EFFORT) {
                assert_eq!(count, BigUint::from(1u32), "{algorithm:?}");
            }
            for policy in TiePolicy::ALL {
                let reason = algorithm.exact_distribution(&instance, policy, None).unwrap_err().to_string();
                assert!(reason.contains("10000"), "{algorithm:?} {reason}");
            }
        }
    }
}

#[test]
fn a_solve_with_a_given_order_is_the_synchronous_bellman_ford_of_clrs() {
    on_random_instances("synchronous", |algorithm, instance, preset, rng| {
        if algorithm.name() != "bellman-ford" {
            return;
        }
        let mut order: Vec<usize> = (0..instance.n()).collect();
        rng.shuffle(&mut order);
        let run = algorithm.solve(instance, &mut OneOrder::given(&order));
        assert_eq!(run, literal::synchronous_bellman_ford(instance, &order), "{preset:?} {order:?}");
    });
}

#[test]
fn the_same_stream_gives_the_same_instance_and_the_same_run() {
    on_random_instances("twice", |algorithm, instance, preset, _| {
        let twice = [0, 1].map(|_| {
            let mut rng = Rng::stream(0, "once", instance.n() as u64);
            let instance = random_instance(algorithm, instance.n(), 0.5, preset, &mut rng);
            let run = random_run(algorithm, &instance, TiePolicy::OneOrder, &mut rng);
            (instance, run)
        });
        assert_eq!(twice[0], twice[1]);
    });
}
