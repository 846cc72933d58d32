//! The laws that every algorithm keeps, tested by loops over `ALGORITHMS`: a new entry is held to them without a new
//! test. What is right comes from the definitions (`common/literal.rs`), tried on every candidate of the form; never from tables that the
//! library computes. On small instances laws are tested without exception, on larger ones at random.

mod common;

use common::{
    array, empirical, every_candidate, every_digraph, every_free_run, every_one_order_run, every_small_candidate,
    every_small_instance, every_solution, everything, graph, has_bounded_runs, literal, over_every_tie,
    random_instance, random_run, run_step_by_step, weighted_graph,
};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tiebreak::answers::{Candidate, Form, Marginals};
use tiebreak::instance::{Decimal, Graph, GraphSettings, Instance, Preset, random_directed};
use tiebreak::neural::model::OutputKind;
use tiebreak::neural::outputs;
use tiebreak::problems::forests::dfs;
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::problems::ties::{OneOrder, TiePolicy};
use tiebreak::problems::{ALGORITHMS, Algorithm, Allowed, COUNT_EFFORT, Prepared, View, by_name};
use tiebreak::random::Rng;

const DENSITIES: [f64; 4] = [0.05, 0.3, 0.5, 0.9];

/// Calls `law` with random instances of every size from 1 to 64, every density and both presets.
fn on_random_instances(purpose: &str, law: impl Fn(&dyn Algorithm, &dyn Prepared, Preset, &mut Rng) + Sync) {
    (1..=64u64).into_par_iter().for_each(|n| {
        let mut rng = Rng::stream(0, purpose, n);
        for &algorithm in ALGORITHMS {
            for p in DENSITIES {
                for preset in Preset::ALL {
                    let instance = random_instance(algorithm, n as usize, p, preset, &mut rng);
                    law(algorithm, &*algorithm.prepare(&instance).unwrap(), preset, &mut rng);
                }
            }
        }
    });
}

/// Calls `law` with every small instance of every algorithm.
fn on_every_small_instance(law: impl Fn(&dyn Algorithm, &dyn Prepared) + Sync) {
    for &algorithm in ALGORITHMS {
        let instances = every_small_instance(algorithm);
        assert!(instances.len() > 500, "{algorithm:?} has only {} small instances", instances.len());
        instances.par_iter().for_each(|instance| law(algorithm, &*algorithm.prepare(instance).unwrap()));
    }
}

#[test]
fn every_run_verifies() {
    on_random_instances("runs", |algorithm, prepared, preset, rng| {
        for policy in TiePolicy::ALL {
            let run = random_run(prepared, policy, rng);
            assert_eq!(prepared.space().verify(&run), Ok(()), "{algorithm:?} {policy:?} {preset:?} {run}");
            let weak = prepared.space().verify_weakly(&run);
            assert!(weak.is_none_or(|verdict| verdict.is_ok()), "{algorithm:?} {policy:?} {preset:?} {run}");
        }
    });
}

/// The verifier, the count, the list and the possible choices, each against all candidates that the definition accepts.
#[test]
fn the_space_of_solutions_is_what_the_definition_says() {
    for &algorithm in ALGORITHMS {
        let candidates = every_small_candidate(algorithm);
        every_small_instance(algorithm).par_iter().for_each(|instance| {
            let prepared = algorithm.prepare(instance).unwrap();
            let slots = instance.slots(algorithm.problem().form);
            let right = every_solution(algorithm, instance, &candidates[slots]);
            for candidate in &candidates[slots] {
                let verdict = prepared.space().verify(candidate);
                assert_eq!(verdict.is_ok(), right.contains(candidate), "{algorithm:?} {candidate} on {instance:?}");
            }
            assert_solutions(algorithm, &*prepared, &right);
            assert_possible(algorithm, &*prepared, &right);
        });
    }
}

fn assert_solutions(algorithm: &dyn Algorithm, prepared: &dyn Prepared, right: &BTreeSet<Candidate>) {
    let what = || format!("{algorithm:?} on {:?}", prepared.instance());
    let listed: Vec<Candidate> = prepared.space().solutions().unwrap().collect();
    let distinct: BTreeSet<Candidate> = listed.iter().cloned().collect();
    assert_eq!(distinct.len(), listed.len(), "{} lists a solution twice", what());
    assert_eq!(&distinct, right, "{}", what());
    assert_eq!(prepared.space().count(COUNT_EFFORT), Ok(BigUint::from(right.len())), "{}", what());
}

fn assert_possible(algorithm: &dyn Algorithm, prepared: &dyn Prepared, right: &BTreeSet<Candidate>) {
    let possible = prepared.space().possible(&Allowed::default()).unwrap();
    for slot in 0..possible.slots() {
        let known: BTreeSet<usize> = possible.of(slot).iter().copied().collect();
        let chosen: BTreeSet<usize> = right.iter().map(|solution| solution.choice(slot)).collect();
        assert_eq!(known, chosen, "{algorithm:?}, slot {slot} on {:?}", prepared.instance());
    }
}

/// König's theorem: as many vertices as a maximum matching has edges cover all edges.
#[test]
fn a_matching_is_proved_a_maximum_one_by_a_vertex_cover() {
    let matching = by_name("matching").unwrap();
    let check = |instance: &Instance| {
        let prepared = matching.prepare(instance).unwrap();
        let cover: BTreeSet<usize> = prepared.space().optimality().unwrap().vertices.into_iter().collect();
        assert!(instance.graph.edges().all(|(one, other)| cover.contains(&one) || cover.contains(&other)));
        assert_eq!(cover.len(), literal::maximum_matching_size(instance), "{instance:?}");
    };
    every_small_instance(matching).par_iter().for_each(check);
    (0..100).into_par_iter().for_each(|index| {
        let mut rng = Rng::stream(0, "covers", index);
        check(&random_instance(matching, 1 + rng.below(60), DENSITIES[rng.below(4)], Preset::Text, &mut rng));
    });
}

#[test]
fn free_runs_reach_every_solution_and_nothing_else() {
    for &algorithm in ALGORITHMS {
        let candidates = every_small_candidate(algorithm);
        let bounded = |instance: &&Instance| has_bounded_runs(algorithm, instance);
        every_small_instance(algorithm).par_iter().filter(bounded).for_each(|instance| {
            let prepared = algorithm.prepare(instance).unwrap();
            let right = every_solution(algorithm, instance, &candidates[instance.slots(algorithm.problem().form)]);
            assert_eq!(every_free_run(&*prepared), right, "{algorithm:?} on {instance:?}");
        });
    }
}

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
fn counts_and_solutions_are_what_free_runs_produce_on_random_instances() {
    (0..120u64).into_par_iter().for_each(|index| {
        let mut rng = Rng::stream(0, "solutions", index);
        for &algorithm in ALGORITHMS {
            let (n, p) = (5 + rng.below(3), DENSITIES[rng.below(4)]);
            let instance = random_instance(algorithm, n, p, Preset::Text, &mut rng);
            let prepared = algorithm.prepare(&instance).unwrap();
            let produced = everything(|ties| run_step_by_step(algorithm, &*prepared, ties));
            assert!(produced.iter().all(|solution| literal::accepts(algorithm, &instance, solution)));
            assert_solutions(algorithm, &*prepared, &produced);
            assert_possible(algorithm, &*prepared, &produced);
        }
    });
}

#[test]
fn solutions_come_in_a_fixed_order() {
    let instance = Instance::new(graph(4, &[(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]));
    let listed = |algorithm: &dyn Algorithm, instance: &Instance| -> Vec<Candidate> {
        algorithm.prepare(instance).unwrap().space().solutions().unwrap().collect()
    };
    let forests = [array(&[0, 0, 1, 2]), array(&[0, 0, 1, 1]), array(&[0, 0, 0, 2])];
    assert_eq!(listed(&dfs::ORDERED, &instance), forests);
    let instance = Instance::with_source(weighted_graph(3, &[(2, 0, 1), (0, 1, 1), (2, 1, 2)]), 2);
    assert_eq!(listed(&BellmanFord, &instance), [array(&[2, 0, 2]), array(&[2, 2, 2])]);
}

#[test]
fn the_first_solutions_of_a_large_instance_are_distinct_and_verify() {
    for &algorithm in ALGORITHMS {
        let instance = random_instance(algorithm, 64, 0.5, Preset::Text, &mut Rng::stream(0, "first solutions", 0));
        let prepared = algorithm.prepare(&instance).unwrap();
        let first = || prepared.space().solutions().unwrap().take(300);
        let listed: Vec<Candidate> = first().collect();
        // A few activities are more easily the most than few trees are the shortest.
        let count = prepared.space().count(100_000).map_or(300, |count| usize::try_from(count).unwrap_or(300).min(300));
        assert!(count > 10, "{algorithm:?}");
        assert_eq!(listed.len(), count, "{algorithm:?}");
        assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), count, "{algorithm:?}");
        assert!(listed.iter().all(|solution| literal::accepts(algorithm, &instance, solution)), "{algorithm:?}");
        assert!(first().eq(listed), "{algorithm:?} gives another order");
    }
}

/// What equally likely outcomes exceed once in a hundred thousand times (Wilson and Hilferty's approximation); seeds are fixed.
fn chi_square_limit(degrees: usize) -> f64 {
    let (degrees, part) = (degrees as f64, 2.0 / (9.0 * degrees as f64));
    degrees * (1.0 - part + 4.26 * part.sqrt()).powi(3)
}

#[test]
fn uniform_draws_are_uniform() {
    for &algorithm in ALGORITHMS {
        let mut tested = 0;
        for index in 0..400 {
            if tested == 12 {
                break;
            }
            let mut rng = Rng::stream(0, "uniform draws", index);
            let instance = random_instance(algorithm, 5 + rng.below(2), 0.6, Preset::Text, &mut rng);
            let prepared = algorithm.prepare(&instance).unwrap();
            let solutions: Vec<Candidate> = prepared.space().solutions().unwrap().take(61).collect();
            if !(2..=60).contains(&solutions.len()) {
                continue;
            }
            tested += 1;
            let draws = 200 * solutions.len();
            let mut set = prepared.space().within(&Allowed::default(), COUNT_EFFORT).unwrap();
            let mut times: BTreeMap<Candidate, usize> = BTreeMap::new();
            for _ in 0..draws {
                *times.entry(set.draw(&mut rng).unwrap().unwrap()).or_default() += 1;
            }
            assert!(times.keys().all(|drawn| solutions.contains(drawn)), "{algorithm:?}");
            let expected = draws as f64 / solutions.len() as f64;
            let apart = |solution| (times.get(solution).copied().unwrap_or(0) as f64 - expected).powi(2) / expected;
            let chi: f64 = solutions.iter().map(apart).sum();
            assert!(chi < chi_square_limit(solutions.len() - 1), "{algorithm:?} {index}: chi-square {chi}");
        }
        assert_eq!(tested, 12, "{algorithm:?} has too few instances with several solutions");
    }
}

/// Draws where tight edges form cycles of length zero, which no run of random instances has.
#[test]
fn shortest_path_trees_with_zero_cycles_are_drawn_uniformly() {
    let edges = [(0, 1, 0), (1, 0, 0), (1, 2, 0), (2, 1, 0), (0, 2, 0), (2, 0, 0), (2, 3, 1), (1, 3, 1)];
    let instance = Instance::with_source(weighted_graph(4, &edges), 0);
    let prepared = BellmanFord.prepare(&instance).unwrap();
    let right = every_solution(&BellmanFord, &instance, &every_candidate(Form::Parents, 4));
    assert_eq!(right.len(), 6);
    let mut times: BTreeMap<Candidate, usize> = BTreeMap::new();
    let mut rng = Rng::stream(0, "zero cycles", 0);
    for _ in 0..6_000 {
        *times.entry(random_run(&*prepared, TiePolicy::Free, &mut rng)).or_default() += 1;
    }
    let chi: f64 = right.iter().map(|tree| (times[tree] as f64 - 1_000.0).powi(2) / 1_000.0).sum();
    assert!(chi < chi_square_limit(5), "{times:?}");
}

/// The marginals that all sequences of choices give, each with its chance.
fn by_enumeration(
    prepared: &dyn Prepared,
    run: impl FnMut(&mut tiebreak::problems::ties::EveryTie) -> Candidate,
) -> Marginals {
    let n = prepared.instance().n();
    let mut shares: Option<(Candidate, Vec<f64>)> = None;
    over_every_tie(run, |solution, chance| {
        let options = solution.form().options(solution.slots());
        let (_, shares) = shares.get_or_insert_with(|| (solution.clone(), vec![0.0; solution.slots() * options]));
        for (slot, &choice) in solution.choices().iter().enumerate() {
            shares[slot * options + choice as usize] += chance;
        }
    });
    let (like, shares) = shares.unwrap_or_else(|| panic!("no run on {n} vertices"));
    Marginals::from_weights(like.form(), like.slots(), shares).expect("chances")
}

fn assert_close(one: &Marginals, other: &Marginals, what: &str) {
    let apart = one.as_slice().iter().zip(other.as_slice()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(one.slots() == other.slots() && apart < 1e-9, "{what}: {apart} apart");
}

fn assert_laws(algorithm: &dyn Algorithm, prepared: &dyn Prepared) {
    let what = format!("{algorithm:?} on {:?}", prepared.instance());
    let n = prepared.instance().n();
    if has_bounded_runs(algorithm, prepared.instance()) {
        let free = by_enumeration(prepared, |ties| run_step_by_step(algorithm, prepared, ties));
        assert_close(&prepared.law(TiePolicy::Free, None).unwrap(), &free, &what);
    } else {
        // Then free runs are uniform draws.
        let listed: Vec<Candidate> = prepared.space().solutions().unwrap().collect();
        assert_close(&prepared.law(TiePolicy::Free, None).unwrap(), &Marginals::from_runs(&listed), &what);
    }
    let firsts = [None, Some(0), Some(n / 2)];
    for first in firsts.into_iter().filter(|first| first.is_none_or(|vertex| vertex < n)) {
        let one = by_enumeration(prepared, |ties| prepared.run(&mut OneOrder::draw(n, first, ties)));
        assert_close(&prepared.law(TiePolicy::OneOrder, first).unwrap(), &one, &what);
    }
}

#[test]
fn laws_are_those_of_all_runs() {
    on_every_small_instance(|algorithm, prepared| {
        let graph = &prepared.instance().graph;
        // Self-loops change nothing; leaving most of them out at four vertices saves nine tenths of the time. Six vertices have 720 orders.
        if graph.n() == 6 {
            return;
        }
        if graph.n() < 4 || !graph.has_edge(0, 0) && !graph.has_edge(1, 1) && !graph.has_edge(2, 2) {
            assert_laws(algorithm, prepared);
        }
    });
}

#[test]
fn laws_are_those_of_all_runs_on_random_instances() {
    (0..24u64).into_par_iter().for_each(|index| {
        let mut rng = Rng::stream(0, "exact distributions", index);
        for &algorithm in ALGORITHMS {
            let (n, p) = (5 + rng.below(3), DENSITIES[rng.below(4)]);
            let instance = random_instance(algorithm, n, p, Preset::ALL[rng.below(2)], &mut rng);
            assert_laws(algorithm, &*algorithm.prepare(&instance).unwrap());
        }
    });
}

#[test]
fn the_marginals_of_many_runs_approach_the_law() {
    for &algorithm in ALGORITHMS {
        for preset in Preset::ALL {
            let mut rng = Rng::stream(0, "many runs", 0);
            let instance = random_instance(algorithm, 7, 0.5, preset, &mut rng);
            let prepared = algorithm.prepare(&instance).unwrap();
            let exact = prepared.law(TiePolicy::OneOrder, algorithm.first_in_order(preset)).unwrap();
            let mut mean = vec![0.0; exact.as_slice().len()];
            for _ in 0..1000 {
                let twenty = empirical(algorithm, &*prepared, preset, &mut rng);
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
        let prepared = algorithm.prepare(&dense).unwrap();
        let reason = prepared.space().count(COUNT_EFFORT).unwrap_err().to_string();
        assert!(reason.contains("200") && reason.contains("64"), "{reason}");
        for policy in TiePolicy::ALL {
            let reason = prepared.law(policy, None).unwrap_err().to_string();
            assert!(reason.contains("200"), "{reason}");
        }
    }
    let settings = GraphSettings { n: 64, p: 0.5, preset: Preset::Text };
    let medium = Instance::new(random_directed(&settings, &mut Rng::stream(0, "medium", 0)));
    let prepared = dfs::ORDERED.prepare(&medium).unwrap();
    let reason = prepared.space().count(COUNT_EFFORT).unwrap_err().to_string();
    assert!(reason.contains("more than"), "{reason}");
    let reason = prepared.law(TiePolicy::Free, None).unwrap_err().to_string();
    assert!(reason.contains("more than"), "{reason}");
}

/// The centre first, so that all hang below it, and last, so that all are roots before it.
fn stars(leaves: usize, undirected: bool) -> [Graph; 2] {
    [0, leaves].map(|centre| {
        let others = (0..=leaves).filter(|&vertex| vertex != centre);
        let edges = others.map(|leaf| (centre, leaf, Decimal::whole(1)));
        if undirected { Graph::weighted_undirected(leaves + 1, edges) } else { Graph::weighted(leaves + 1, edges) }
            .unwrap()
    })
}

#[test]
fn a_star_with_a_hundred_thousand_leaves_is_no_work() {
    for &algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.problem().items.is_none()) {
        for star in stars(100_000, algorithm.needs().direction == tiebreak::problems::Direction::Undirected) {
            let instance = Instance::with_source(star, 0);
            let prepared = algorithm.prepare(&instance).unwrap();
            let run = random_run(&*prepared, TiePolicy::Free, &mut Rng::stream(0, "star", 0));
            assert_eq!(prepared.space().verify(&run), Ok(()), "{algorithm:?}");
            if let Ok(count) = prepared.space().count(COUNT_EFFORT) {
                // One leaf is matched, and it may be any.
                let expected = if algorithm.needs().bipartite { 100_000u32 } else { 1 };
                assert_eq!(count, BigUint::from(expected), "{algorithm:?}");
            }
            for policy in TiePolicy::ALL {
                // A set of edges has few options, and its law may be known.
                if let Err(reason) = prepared.law(policy, None) {
                    assert!(reason.to_string().contains("0000"), "{algorithm:?} {reason}");
                } else {
                    assert_eq!(algorithm.problem().form, Form::Edges, "{algorithm:?}");
                }
            }
        }
    }
}

#[test]
fn a_million_items_are_no_work() {
    for &algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.problem().items.is_some()) {
        let mut rng = Rng::stream(0, "many items", 0);
        let instance = random_instance(algorithm, 1_000_000, 0.5, Preset::Text, &mut rng);
        let prepared = algorithm.prepare(&instance).unwrap();
        for policy in TiePolicy::ALL {
            let mut run = random_run(&*prepared, policy, &mut rng);
            assert_eq!(prepared.space().verify(&run), Ok(()), "{algorithm:?}");
            let first = run.chosen().next().unwrap();
            run.set(first, 0);
            assert!(prepared.space().verify(&run).is_err(), "{algorithm:?}");
        }
        assert_eq!(prepared.space().possible(&Allowed::default()).unwrap().slots(), 1_000_000);
        let _ = prepared.space().count(1_000);
    }
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

#[test]
fn the_same_stream_gives_the_same_instance_and_the_same_run() {
    on_random_instances("twice", |algorithm, prepared, preset, _| {
        let n = prepared.instance().n();
        let twice = [0, 1].map(|_| {
            let mut rng = Rng::stream(0, "once", n as u64);
            let instance = random_instance(algorithm, n, 0.5, preset, &mut rng);
            let run = random_run(&*algorithm.prepare(&instance).unwrap(), TiePolicy::OneOrder, &mut rng);
            (instance, run)
        });
        assert_eq!(twice[0], twice[1]);
    });
}

#[test]
fn every_name_is_known_in_our_spelling_and_in_that_of_clrs() {
    let mut names = BTreeSet::new();
    for &algorithm in ALGORITHMS {
        assert!(names.insert(algorithm.name()), "{algorithm:?} stands twice");
        assert_eq!(by_name(algorithm.name()).unwrap().name(), algorithm.name());
        assert_eq!(by_name(&algorithm.name().replace('-', "_")).unwrap().name(), algorithm.name());
        if let Some(clrs) = algorithm.clrs_name() {
            assert_eq!(by_name(clrs).unwrap().name(), algorithm.name());
        }
    }
    assert!(by_name("quicksort").is_none());
}

#[test]
fn what_an_instance_lacks_is_named() {
    let refused =
        |algorithm: &dyn Algorithm, instance: Instance| algorithm.prepare(&instance).err().unwrap().to_string();
    let by = |name: &str| by_name(name).unwrap();
    let cycle = weighted_graph(4, &[(0, 1, 1), (1, 2, -3), (2, 1, 2), (2, 3, 1)]);
    assert!(refused(by("bellman-ford"), Instance::with_source(cycle.clone(), 0)).contains("1 -> 2 -> 1 has length -1"));
    assert!(by("bellman-ford").prepare(&Instance::with_source(cycle.clone(), 3)).is_ok(), "3 does not reach the cycle");
    assert!(refused(by("dijkstra"), Instance::with_source(cycle.clone(), 3)).contains("edge 1 -> 2 has weight -3"));
    assert!(refused(by("dag-shortest-paths"), Instance::with_source(cycle.clone(), 0)).contains("1 -> 2 -> 1"));
    assert!(
        refused(by("prim"), Instance::with_source(cycle.clone(), 0)).contains("edge 0 -> 1 has no equal edge back")
    );
    assert!(refused(by("topological-sort"), Instance::new(cycle.clone())).contains("here is one: 1 -> 2 -> 1"));
    for name in ["kruskal", "matching"] {
        assert!(refused(by(name), Instance::new(cycle.clone())).contains("edge 0 -> 1 has a direction"));
    }
    let pentagon = Graph::undirected(7, [(6, 0), (6, 2), (2, 3), (3, 4), (4, 5), (5, 6), (4, 1)]).unwrap();
    let reason = refused(by("matching"), Instance::new(pentagon));
    assert!(reason.contains("odd length: 2 - 3 - 4 - 5 - 6 - 2"), "{reason}");
    let own_neighbour = Graph::undirected(2, [(0, 1), (1, 1)]).unwrap();
    assert!(refused(by("matching"), Instance::new(own_neighbour)).contains("odd length: 1 - 1"));
    for &algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.needs().source) {
        assert!(refused(algorithm, Instance::new(graph(2, &[]))).contains("needs a source"));
        assert!(refused(algorithm, Instance::with_source(graph(2, &[]), 2)).contains("the source is 2"));
    }
}

/// What an algorithm shows fits what its network reads, and a solution shown as targets comes back from outputs that are exactly those.
#[test]
fn networks_read_and_answer_every_form() {
    for &algorithm in ALGORITHMS {
        let Ok(network) = algorithm.network() else { continue };
        for n in 1..=12 {
            let mut rng = Rng::stream(0, "networks", n as u64);
            let instance = random_instance(algorithm, n, 0.5, Preset::Text, &mut rng);
            let prepared = algorithm.prepare(&instance).unwrap();
            let features = prepared.features(&View::evenly_spaced(n, 1.0));
            assert!(features.fits(&network.spec) && features.rounds() >= 1, "{algorithm:?}");
            let run = random_run(&*prepared, TiePolicy::Free, &mut rng);
            let certain = Marginals::from_runs(std::slice::from_ref(&run));
            let nodes = features.nodes();
            let both = [outputs::labels(&instance, nodes, &run), outputs::targets(&instance, nodes, &certain)];
            for targets in both {
                let kinds: Vec<OutputKind> = network.spec.outputs.iter().map(|output| output.kind).collect();
                assert_eq!(targets.len(), kinds.len(), "{algorithm:?}");
                assert!(targets.iter().zip(&kinds).all(|(target, &kind)| target.fits(kind, nodes)), "{algorithm:?}");
                let answers: Vec<Vec<f32>> =
                    targets.iter().zip(&kinds).map(|(target, &kind)| target.probabilities(kind, nodes)).collect();
                let read = outputs::marginals(&instance, nodes, algorithm.problem().form, &answers);
                assert_eq!(read, certain, "{algorithm:?} on {instance:?}");
            }
        }
    }
}
