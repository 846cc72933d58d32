//! The laws that every algorithm keeps, tested by loops over `ALGORITHMS`: a new entry is held to them without a new
//! test. What is right comes from the definitions (`common/literal.rs`), tried on every candidate of the form; never from tables that the
//! library computes. On small instances laws are tested without exception, on larger ones at random.

#[path = "../common/mod.rs"]
mod common;
mod distributions;
mod draws;
mod limits;
mod reach;
mod streams;

use common::{
    array, every_free_run, every_small_candidate, every_small_instance, every_solution, graph, has_bounded_runs,
    literal, random_instance, random_run, weighted_graph,
};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::BTreeSet;
use tiebreak::answers::{Candidate, Marginals};
use tiebreak::instance::{Graph, Instance, Preset};
use tiebreak::neural::model::OutputKind;
use tiebreak::neural::outputs;
use tiebreak::problems::forests::dfs;
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::problems::ties::TiePolicy;
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
            let verdicts: Vec<_> =
                candidates[slots].iter().map(|candidate| prepared.space().verify(candidate)).collect();
            for (candidate, verdict) in candidates[slots].iter().zip(&verdicts) {
                assert_eq!(verdict.is_ok(), right.contains(candidate), "{algorithm:?} {candidate} on {instance:?}");
            }
            assert_solutions(algorithm, &*prepared, &right);
            assert_possible(algorithm, &*prepared, &right);
            // What a prepared instance has computed in the meantime may make its verifier faster, and changes nothing else.
            for (candidate, verdict) in candidates[slots].iter().zip(&verdicts) {
                assert_eq!(&prepared.space().verify(candidate), verdict, "{algorithm:?} {candidate} on {instance:?}");
            }
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
                let read = outputs::marginals(&instance, nodes, algorithm.problem().form, &answers).unwrap();
                assert_eq!(read, certain, "{algorithm:?} on {instance:?}");
            }
        }
    }
}
