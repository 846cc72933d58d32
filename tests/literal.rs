//! The fast verifiers against slow, literal ones (`common/literal.rs`), on random instances up to 64 vertices; and each
//! rejection is proved again from the vertex, the rule and the edges that it names.
//!
//! The seed is fixed, so a failure here is a failure everywhere; proptest shrinks it to a small case.

mod common;

use common::{array, graph, literal, random_instance, random_run, weighted};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeMap;
use tiebreak::algorithms::bellman_ford::BellmanFord;
use tiebreak::algorithms::{ALGORITHMS, Algorithm, dfs};
use tiebreak::graph::{Graph, Instance, Preset};
use tiebreak::parents::ParentArray;
use tiebreak::random::Rng;
use tiebreak::ties::TiePolicy;
use tiebreak::verify::{Rule, Violation};

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Origin {
    Run,
    /// A run in which this many vertices take another in-neighbour as their parent.
    Changed(usize),
    /// Each parent from one of two runs.
    Crossover,
    /// Each parent a random in-neighbour, or now and then the vertex itself.
    RandomEdges,
    Anything,
}

const ORIGINS: [Origin; 6] =
    [Origin::Run, Origin::Changed(1), Origin::Changed(2), Origin::Crossover, Origin::RandomEdges, Origin::Anything];

#[derive(Clone, Debug)]
struct Case {
    n: usize,
    p: f64,
    preset: Preset,
    one_way: bool,
    seed: u64,
    origin: Origin,
}

fn cases() -> impl Strategy<Value = Case> {
    let density = prop::sample::select(vec![0.02, 0.05, 0.1, 0.3, 0.5, 0.9]);
    let (preset, origin) = (prop::sample::select(Preset::ALL.to_vec()), prop::sample::select(ORIGINS.to_vec()));
    (1usize..=64, density, preset, any::<bool>(), any::<u64>(), origin)
        .prop_map(|(n, p, preset, one_way, seed, origin)| Case { n, p, preset, one_way, seed, origin })
}

fn draw_case(algorithm: &dyn Algorithm, case: &Case) -> (Instance, ParentArray) {
    let mut rng = Rng::stream(case.seed, "literal", 0);
    let mut instance = random_instance(algorithm, case.n, case.p, case.preset, &mut rng);
    if case.one_way && instance.graph.is_weighted() {
        instance.graph = without_some_edges(&instance.graph, &mut rng);
    }
    let candidate = draw_candidate(algorithm, &instance, case.origin, &mut rng);
    (instance, candidate)
}

/// Shortest paths are drawn on symmetric graphs; the verifier must not rely on it.
fn without_some_edges(graph: &Graph, rng: &mut Rng) -> Graph {
    let kept = graph.weighted_edges().filter(|_| rng.chance(0.6));
    let edges = kept.map(|(tail, head, weight)| (tail, head, graph.decimal(weight)));
    Graph::weighted(graph.n(), edges.collect::<Vec<_>>()).expect("a part of a graph")
}

fn draw_candidate(algorithm: &dyn Algorithm, instance: &Instance, origin: Origin, rng: &mut Rng) -> ParentArray {
    let n = instance.n();
    let mut candidate = random_run(algorithm, instance, TiePolicy::Free, rng);
    match origin {
        Origin::Run => {}
        Origin::Changed(times) => {
            for _ in 0..times {
                let vertex = rng.below(n);
                let others: Vec<usize> =
                    in_neighbours(instance, vertex).filter(|&tail| tail != candidate.parent_of(vertex)).collect();
                if !others.is_empty() {
                    candidate.set(vertex, others[rng.below(others.len())]);
                }
            }
        }
        Origin::Crossover => {
            let other = random_run(algorithm, instance, TiePolicy::Free, rng);
            let from_other = (0..n).filter(|_| rng.chance(0.5)).collect::<Vec<_>>();
            from_other.into_iter().for_each(|vertex| candidate.set(vertex, other.parent_of(vertex)));
        }
        Origin::RandomEdges => {
            for vertex in 0..n {
                let tails: Vec<usize> = in_neighbours(instance, vertex).collect();
                let stays_root = tails.is_empty() || rng.chance(0.1);
                candidate.set(vertex, if stays_root { vertex } else { tails[rng.below(tails.len())] });
            }
        }
        Origin::Anything => (0..n).for_each(|vertex| candidate.set(vertex, rng.below(n))),
    }
    candidate
}

fn in_neighbours(instance: &Instance, vertex: usize) -> impl Iterator<Item = usize> + '_ {
    (0..instance.n()).filter(move |&tail| tail != vertex && instance.graph.has_edge(tail, vertex))
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(0),
        ..Config::default()
    })
}

#[test]
fn verifiers_agree_with_the_literal_ones_and_rejections_prove_themselves() {
    for &algorithm in ALGORITHMS {
        // How often each origin gave a valid and an invalid candidate.
        let seen: RefCell<BTreeMap<String, [usize; 2]>> = RefCell::default();
        let outcome = runner(10_000).run(&cases(), |case| {
            let (instance, candidate) = draw_case(algorithm, &case);
            let outcome = algorithm.verify(&instance, &candidate);
            seen.borrow_mut().entry(format!("{:?}", case.origin)).or_default()[usize::from(outcome.is_err())] += 1;
            prop_assert_eq!(outcome.is_ok(), literal::accepts(algorithm.name(), &instance, &candidate));
            if let Err(violation) = outcome {
                assert_proved(&instance, &candidate, &violation);
            }
            if let Err(violation) = algorithm.verify_weakly(&instance, &candidate) {
                assert_proved(&instance, &candidate, &violation);
            }
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{algorithm:?}: {failure}"));
        assert_both_kinds_were_seen(algorithm, &seen.into_inner());
    }
}

fn assert_both_kinds_were_seen(algorithm: &dyn Algorithm, seen: &BTreeMap<String, [usize; 2]>) {
    println!("{algorithm:?}: [valid, invalid] {seen:?}");
    let total = |kind: usize| seen.values().map(|counts| counts[kind]).sum::<usize>();
    assert!(total(0) >= 2_500 && total(1) >= 2_500, "{algorithm:?}: {seen:?}");
    // The hard cases are close to a run on either side; sparse graphs make most single changes harmless.
    let near =
        |kind: usize| ["Changed(1)", "Changed(2)", "Crossover"].map(|origin| seen[origin][kind]).iter().sum::<usize>();
    assert!(near(0) >= 500 && near(1) >= 500, "{algorithm:?}: {seen:?}");
    assert_eq!(seen["Run"][1], 0, "{algorithm:?}: a run was rejected");
}

/// Every rule of depth-first search and of shortest paths comes up, so that each kind of proof is tested.
#[test]
fn every_rule_is_broken_by_some_candidate() {
    let mut broken = std::collections::HashSet::new();
    for (index, &algorithm) in ALGORITHMS.iter().enumerate() {
        for seed in 0..300 {
            let origin = ORIGINS[seed as usize % ORIGINS.len()];
            let case = Case { n: 1 + seed as usize % 9, p: 0.3, preset: Preset::Text, one_way: true, seed, origin };
            let (instance, candidate) = draw_case(algorithm, &case);
            broken.extend(algorithm.verify(&instance, &candidate).err().map(|violation| (index, violation.rule)));
            broken
                .extend(algorithm.verify_weakly(&instance, &candidate).err().map(|violation| (index, violation.rule)));
        }
    }
    use Rule::*;
    for rule in [ParentIsNeighbour, NoCycle, RootIsLeast, TreesInOrder, RootReachesFirst, SiblingOrder] {
        assert!(broken.contains(&(0, rule)), "{rule:?}");
    }
    for rule in [ParentIsNeighbour, NoCycle, SiblingOrder] {
        assert!(broken.contains(&(1, rule)), "{rule:?}");
    }
    for rule in [SourceIsRoot, UnreachableIsRoot, ReachableHasParent, ParentIsNeighbour, EdgeIsTight] {
        assert!(broken.contains(&(2, rule)), "{rule:?}");
    }
}

#[test]
fn a_candidate_of_another_size_is_rejected() {
    for &algorithm in ALGORITHMS {
        let instance = Instance { source: Some(0), graph: graph(3, &[(0, 1), (1, 2)]) };
        for candidate in [array(&[]), array(&[0, 0]), array(&[0, 0, 1, 3])] {
            for outcome in [algorithm.verify(&instance, &candidate), algorithm.verify_weakly(&instance, &candidate)] {
                assert_proved(&instance, &candidate, &outcome.unwrap_err());
            }
        }
    }
}

/// The candidates that the paper's H, as printed, accepts: see `common/literal.rs`.
#[test]
fn the_three_slips_of_the_printed_verifier_stay_mended() {
    let diamond = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)];
    for (instance, candidate) in [
        (graph(2, &[]), array(&[1, 1])),
        (graph(2, &[(1, 0)]), array(&[1, 1])),
        (graph(4, &diamond), array(&[0, 0, 0, 1])),
    ] {
        let instance = Instance::new(instance);
        assert!(!literal::ordered_restarts(&instance.graph, &candidate));
        let violation = dfs::ORDERED.verify(&instance, &candidate).unwrap_err();
        assert_proved(&instance, &candidate, &violation);
    }
}

/// What the earlier check of shortest paths let pass, and a tie that floats would miss.
#[test]
fn the_blind_spots_of_the_earlier_check_stay_mended() {
    let instance = Instance::with_source(weighted(4, &[(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1)]), 0);
    for (parents, rule) in [
        ([1, 0, 2, 3], Rule::SourceIsRoot),
        ([0, 0, 3, 3], Rule::UnreachableIsRoot),
        ([0, 0, 3, 2], Rule::UnreachableIsRoot),
        ([0, 1, 2, 3], Rule::ReachableHasParent),
    ] {
        let violation = BellmanFord.verify(&instance, &array(&parents)).unwrap_err();
        assert_eq!(violation.rule, rule);
        assert_proved(&instance, &array(&parents), &violation);
    }
    let tenths = |text: &str| text.parse().unwrap();
    let edges = [(0, 1, tenths("0.1")), (1, 2, tenths("0.2")), (0, 2, tenths("0.3"))];
    let instance = Instance::with_source(Graph::weighted(3, edges).unwrap(), 0);
    assert_eq!(BellmanFord.verify(&instance, &array(&[0, 0, 1])), Ok(()));
    assert_eq!(BellmanFord.verify(&instance, &array(&[0, 0, 0])), Ok(()));
}

/// The vertex, the rule and the edges of a violation prove that the candidate is no solution.
fn assert_proved(instance: &Instance, candidate: &ParentArray, violation: &Violation) {
    let Violation { vertex, rule, ref edges } = *violation;
    let what = format!("{violation} of {candidate} on {instance:?}");
    if rule == Rule::OneParentEach {
        return assert!(candidate.len() != instance.n() && edges.is_empty(), "{what}");
    }
    let parent = candidate.parent_of(vertex);
    let names_the_parent = *edges == [(parent, vertex)];
    let distance = |vertex: usize| literal::distances(instance)[vertex];
    let proved = match rule {
        Rule::OneParentEach => unreachable!("looked at above"),
        Rule::ParentIsNeighbour => names_the_parent && parent != vertex && !has_edge(instance, edges[0]),
        Rule::NoCycle => edges.is_empty() && is_on_cycle(candidate, vertex),
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
            edges.is_empty() && parent == vertex && instance.source != Some(vertex) && distance(vertex).is_some()
        }
        Rule::EdgeIsTight => {
            let weight = instance.graph.weight(parent, vertex).unwrap_or_else(|| panic!("{what}"));
            let through = distance(parent).map(|before| before + weight);
            names_the_parent && distance(vertex).is_some() && through != distance(vertex)
        }
    };
    assert!(proved, "{what}");
}

fn has_edge(instance: &Instance, edge: (usize, usize)) -> bool {
    instance.graph.edges().any(|other| other == edge)
}

fn is_on_cycle(candidate: &ParentArray, vertex: usize) -> bool {
    let mut upwards = (0..candidate.len()).scan(vertex, |above, _| {
        *above = candidate.parent_of(*above);
        Some(*above)
    });
    !candidate.is_root(vertex) && upwards.any(|above| above == vertex)
}

/// Each edge leads from the subtree of one sibling into that of another, which therefore comes before it; followed
/// from the named vertex, each waits for the next, and the last for the first.
fn is_circle_of_siblings(
    instance: &Instance,
    candidate: &ParentArray,
    vertex: usize,
    edges: &[(usize, usize)],
) -> bool {
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
fn siblings_above(candidate: &ParentArray, tail: usize, head: usize) -> (usize, usize) {
    let [from, to] = [tail, head].map(|vertex| {
        let mut path = vec![vertex];
        while !candidate.is_root(path[path.len() - 1]) {
            path.push(candidate.parent_of(path[path.len() - 1]));
        }
        path.reverse();
        path
    });
    let apart = (0..).find(|&depth| from[depth] != to[depth]).expect("neither is above the other");
    (from[apart], to[apart])
}
