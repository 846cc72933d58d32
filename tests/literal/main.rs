//! The fast verifiers against slow, literal ones (`common/literal.rs`), on random instances up to 64 vertices with weights of every sign that
//! an algorithm takes; and each rejection is proved again from the vertex, the rule, the edges and the path that it names.
//!
//! The seed is fixed, so a failure here is a failure everywhere; proptest shrinks it to a small case.

#[path = "../common/mod.rs"]
mod common;
mod proofs;

use common::{array, graph, literal, random_instance, random_run, weighted_graph};
use proofs::assert_proved;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use tiebreak::answers::{Candidate, Form};
use tiebreak::instance::{Decimal, Graph, Instance, Preset, Weight};
use tiebreak::problems::forests::dfs;
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::problems::ties::TiePolicy;
use tiebreak::problems::verify::Rule;
use tiebreak::problems::{ALGORITHMS, Algorithm, Direction, Prepared, Weights};
use tiebreak::random::Rng;

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

/// What becomes of an instance's weights.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Nothing,
    /// Some become zero.
    Zeros,
    /// Some become zero, some negative.
    Signs,
    /// Every vertex has a height, and going up costs what going down brings back: any sign, and cycles stay as long as they were. One direction
    /// of an edge differs from the other then.
    Heights,
}

const CHANGES: [Change; 4] = [Change::Nothing, Change::Zeros, Change::Signs, Change::Heights];

#[derive(Clone, Debug)]
struct Case {
    n: usize,
    p: f64,
    preset: Preset,
    one_way: bool,
    change: Change,
    seed: u64,
    origin: Origin,
}

fn cases() -> impl Strategy<Value = Case> {
    let density = prop::sample::select(vec![0.02, 0.05, 0.1, 0.3, 0.5, 0.9]);
    let (preset, origin) = (prop::sample::select(Preset::ALL.to_vec()), prop::sample::select(ORIGINS.to_vec()));
    let change = prop::sample::select(CHANGES.to_vec());
    (1usize..=64, density, preset, any::<bool>(), change, any::<u64>(), origin)
        .prop_map(|(n, p, preset, one_way, change, seed, origin)| Case { n, p, preset, one_way, change, seed, origin })
}

fn draw_case(algorithm: &dyn Algorithm, case: &Case) -> (Instance, Candidate) {
    let mut rng = Rng::stream(case.seed, "literal", 0);
    let mut instance = random_instance(algorithm, case.n, case.p, case.preset, &mut rng);
    let may_be_directed = algorithm.needs().direction != Direction::Undirected;
    if case.one_way && instance.graph.is_undirected() && may_be_directed {
        instance.graph = without_some_arcs(&instance.graph, &mut rng);
    }
    let changed =
        Instance { graph: reweighted(&instance.graph, case.change, may_be_directed, &mut rng), ..instance.clone() };
    // What the algorithm refuses (a negative cycle, a negative weight) keeps its weights.
    if instance.graph.is_weighted() && algorithm.prepare(&changed).is_ok() {
        instance = changed;
    }
    let candidate =
        draw_candidate(&*algorithm.prepare(&instance).unwrap(), algorithm.problem().form, case.origin, &mut rng);
    (instance, candidate)
}

/// Shortest paths are drawn on undirected graphs; the verifier must not rely on it.
fn without_some_arcs(graph: &Graph, rng: &mut Rng) -> Graph {
    let kept: Vec<_> = graph.weighted_arcs().filter(|_| rng.chance(0.6)).collect();
    match graph.is_weighted() {
        true => Graph::weighted(graph.n(), kept.into_iter().map(|(tail, head, w)| (tail, head, graph.decimal(w)))),
        false => Graph::from_edges(graph.n(), kept.into_iter().map(|(tail, head, _)| (tail, head))),
    }
    .expect("a part of a graph")
}

fn reweighted(graph: &Graph, change: Change, may_be_directed: bool, rng: &mut Rng) -> Graph {
    if change == Change::Heights && may_be_directed {
        let unit = 10i128.pow(graph.decimals());
        let heights: Vec<Weight> = (0..graph.n()).map(|_| unit * rng.below(5) as Weight).collect();
        // With lengths of zero here and there: cycles of length zero, then, along edges of either sign.
        let arcs = graph.weighted_arcs().map(|(tail, head, weight)| {
            let length = if rng.chance(0.3) { 0 } else { weight };
            (tail, head, graph.decimal(length + heights[head] - heights[tail]))
        });
        return Graph::weighted(graph.n(), arcs.collect::<Vec<_>>()).expect("the same arcs");
    }
    let edges = graph.weighted_edges().map(|(tail, head, weight)| {
        let weight = match change {
            Change::Zeros | Change::Signs if rng.chance(0.2) => 0,
            Change::Signs if rng.chance(0.2) => -weight,
            _ => weight,
        };
        (tail, head, graph.decimal(weight))
    });
    let edges: Vec<(usize, usize, Decimal)> = edges.collect();
    match graph.is_undirected() {
        true => Graph::weighted_undirected(graph.n(), edges),
        false => Graph::weighted(graph.n(), edges),
    }
    .expect("the same edges")
}

fn draw_candidate(prepared: &dyn Prepared, form: Form, origin: Origin, rng: &mut Rng) -> Candidate {
    match form {
        Form::Parents => draw_parents(prepared, origin, rng),
        Form::Edges | Form::Items => draw_set(prepared, origin, rng),
        Form::Order => draw_order(prepared, origin, rng),
    }
}

/// For sets, a change is an exchange: something leaves, and something else comes in its place.
fn draw_set(prepared: &dyn Prepared, origin: Origin, rng: &mut Rng) -> Candidate {
    let mut candidate = random_run(prepared, TiePolicy::Free, rng);
    let slots = candidate.slots();
    let members = |candidate: &Candidate, option: usize| -> Vec<usize> {
        (0..slots).filter(|&slot| candidate.choice(slot) == option).collect()
    };
    match origin {
        Origin::Run => {}
        Origin::Changed(times) => {
            for _ in 0..times {
                let [out, chosen] = [0, 1].map(|option| members(&candidate, option));
                if !out.is_empty() && !chosen.is_empty() {
                    candidate.set(chosen[rng.below(chosen.len())], 0);
                    candidate.set(out[rng.below(out.len())], 1);
                }
            }
        }
        Origin::Crossover => {
            let other = random_run(prepared, TiePolicy::Free, rng);
            let from_other = (0..slots).filter(|_| rng.chance(0.5)).collect::<Vec<_>>();
            from_other.into_iter().for_each(|slot| candidate.set(slot, other.choice(slot)));
        }
        // One more or one fewer.
        Origin::RandomEdges if slots > 0 => {
            let slot = rng.below(slots);
            candidate.set(slot, 1 - candidate.choice(slot));
        }
        Origin::RandomEdges => {}
        Origin::Anything => (0..slots).for_each(|slot| candidate.set(slot, rng.below(2))),
    }
    candidate
}

/// For orders, a change lets two neighbours change places.
fn draw_order(prepared: &dyn Prepared, origin: Origin, rng: &mut Rng) -> Candidate {
    let n = prepared.instance().n();
    let mut order = random_run(prepared, TiePolicy::Free, rng).order();
    match origin {
        Origin::Run => {}
        Origin::Changed(times) => {
            for _ in 0..times.min(n - 1) {
                let place = rng.below(n - 1);
                order.swap(place, place + 1);
            }
        }
        // The first ones of one order, and then the others as they come in another.
        Origin::Crossover => {
            order.truncate(rng.below(n + 1));
            let other = random_run(prepared, TiePolicy::Free, rng).order();
            let rest: Vec<usize> = other.into_iter().filter(|vertex| !order.contains(vertex)).collect();
            order.extend(rest);
        }
        Origin::RandomEdges => rng.shuffle(&mut order),
        Origin::Anything => return Candidate::from_choices(Form::Order, n + 1, |_| rng.below(n)),
    }
    Candidate::from_order(&order).unwrap()
}

fn draw_parents(prepared: &dyn Prepared, origin: Origin, rng: &mut Rng) -> Candidate {
    let (instance, n) = (prepared.instance(), prepared.instance().n());
    let mut candidate = random_run(prepared, TiePolicy::Free, rng);
    match origin {
        Origin::Run => {}
        Origin::Changed(times) => {
            for _ in 0..times {
                let vertex = rng.below(n);
                let others: Vec<usize> =
                    in_neighbours(instance, vertex).filter(|&tail| tail != candidate.choice(vertex)).collect();
                if !others.is_empty() {
                    candidate.set(vertex, others[rng.below(others.len())]);
                }
            }
        }
        Origin::Crossover => {
            let other = random_run(prepared, TiePolicy::Free, rng);
            let from_other = (0..n).filter(|_| rng.chance(0.5)).collect::<Vec<_>>();
            from_other.into_iter().for_each(|vertex| candidate.set(vertex, other.choice(vertex)));
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
        // How often each origin gave a valid and an invalid candidate, and how often there were weights of each sign.
        let seen: RefCell<BTreeMap<String, [usize; 2]>> = RefCell::default();
        let signs: RefCell<[usize; 2]> = RefCell::default();
        let outcome = runner(11_000).run(&cases(), |case| {
            let (instance, candidate) = draw_case(algorithm, &case);
            let has = |wanted: fn(Weight) -> bool| instance.graph.weighted_arcs().any(|(.., weight)| wanted(weight));
            signs.borrow_mut()[0] += usize::from(has(|weight| weight == 0));
            signs.borrow_mut()[1] += usize::from(has(|weight| weight < 0));
            let prepared = algorithm.prepare(&instance).unwrap();
            let outcome = prepared.space().verify(&candidate);
            seen.borrow_mut().entry(format!("{:?}", case.origin)).or_default()[usize::from(outcome.is_err())] += 1;
            prop_assert_eq!(outcome.is_ok(), literal::accepts(algorithm, &instance, &candidate));
            let weak = prepared.space().verify_weakly(&candidate).unwrap_or(Ok(()));
            for violation in outcome.err().into_iter().chain(weak.err()) {
                assert_proved(algorithm, &instance, &candidate, &violation);
            }
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{algorithm:?}: {failure}"));
        assert_both_kinds_were_seen(algorithm, &seen.into_inner());
        assert_signs_were_seen(algorithm, signs.into_inner());
    }
}

/// Weights that an algorithm takes were taken in more than a few cases.
fn assert_signs_were_seen(algorithm: &dyn Algorithm, [zero, negative]: [usize; 2]) {
    println!("{algorithm:?}: {zero} instances with a weight of zero, {negative} with a negative one");
    let weights = algorithm.needs().weights;
    assert_eq!(zero > 1_000, weights.are_used(), "{algorithm:?}: {zero}");
    assert_eq!(negative > 1_000, weights == Weights::AnySign, "{algorithm:?}: {negative}");
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

/// The rules that candidates of an algorithm can break, by either check.
fn rules(algorithm: &dyn Algorithm) -> BTreeSet<String> {
    use Rule::*;
    let paths = [SourceIsRoot, UnreachableIsRoot, ReachableHasParent, ParentIsNeighbour, EdgeIsTight];
    let rules = match algorithm.name() {
        "dfs" => vec![ParentIsNeighbour, NoCycle, RootIsLeast, TreesInOrder, RootReachesFirst, SiblingOrder],
        "dfs-any-restart" => vec![ParentIsNeighbour, NoCycle, SiblingOrder],
        // Edges that end shortest paths form cycles where some have length zero.
        "bellman-ford" | "dijkstra" => [&paths[..], &[NoCycle]].concat(),
        "bfs" | "dag-shortest-paths" => paths.to_vec(),
        "prim" => {
            vec![SourceIsRoot, ParentIsNeighbour, NoCycle, UnconnectedIsRoot, ConnectedHasParent, NoLighterEdge]
        }
        "kruskal" => vec![ChosenFormNoCycle, ChosenConnect, NoLighterEdge],
        "topological-sort" => vec![EveryVertexOnce, EdgesGoForward],
        "matching" => vec![OneChosenEdgeEach, NoAugmentingPath],
        "task-scheduling" => vec![InTime, GreatestWeight],
        "activity-selection" => vec![NoOverlap, MostActivities],
        name => panic!("which rules can candidates of {name} break?"),
    };
    rules.iter().map(|rule| format!("{rule:?}")).collect()
}

/// Every rule comes up, so that each kind of proof is tested, and no other.
#[test]
fn every_rule_is_broken_by_some_candidate() {
    for &algorithm in ALGORITHMS {
        let mut broken = BTreeSet::new();
        for seed in 0..1_500 {
            let (origin, change) = (ORIGINS[seed as usize % ORIGINS.len()], CHANGES[seed as usize / 7 % CHANGES.len()]);
            let (n, p, one_way) = (1 + seed as usize % 9, [0.3, 0.7][seed as usize / 31 % 2], seed % 5 > 1);
            let case = Case { n, p, preset: Preset::Text, one_way, change, seed, origin };
            let (instance, candidate) = draw_case(algorithm, &case);
            let prepared = algorithm.prepare(&instance).unwrap();
            let weak = prepared.space().verify_weakly(&candidate).unwrap_or(Ok(()));
            let found = prepared.space().verify(&candidate).err().into_iter().chain(weak.err());
            broken.extend(found.map(|violation| format!("{:?}", violation.rule)));
        }
        assert_eq!(broken, rules(algorithm), "{algorithm:?}");
    }
}

#[test]
fn a_candidate_of_another_size_is_rejected() {
    for &algorithm in ALGORITHMS {
        let edges = [(0, 1), (1, 2)];
        let path = match algorithm.needs().direction {
            Direction::Undirected => Graph::undirected(3, edges).unwrap(),
            Direction::Either | Direction::Directed => graph(3, &edges),
        };
        let instance = match algorithm.problem().items {
            None => Instance::with_source(path, 0),
            Some(_) => random_instance(algorithm, 3, 0.5, Preset::Text, &mut Rng::stream(0, "another size", 0)),
        };
        let prepared = algorithm.prepare(&instance).unwrap();
        let form = algorithm.problem().form;
        let slots = instance.slots(form);
        for other in [0, slots - 1, slots + 1] {
            let candidate = Candidate::from_choices(form, other, |_| 0);
            assert_proved(algorithm, &instance, &candidate, &prepared.space().verify(&candidate).unwrap_err());
            if let Some(weak) = prepared.space().verify_weakly(&candidate) {
                assert_proved(algorithm, &instance, &candidate, &weak.unwrap_err());
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
        assert!(!literal::ordered_restarts(&instance.graph, candidate.parents()));
        let violation = dfs::ORDERED.prepare(&instance).unwrap().space().verify(&candidate).unwrap_err();
        assert_proved(&dfs::ORDERED, &instance, &candidate, &violation);
    }
}

/// What the earlier check of shortest paths let pass, and a tie that floats would miss.
#[test]
fn the_blind_spots_of_the_earlier_check_stay_mended() {
    let instance = Instance::with_source(weighted_graph(4, &[(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1)]), 0);
    for (parents, rule) in [
        ([1, 0, 2, 3], Rule::SourceIsRoot),
        ([0, 0, 3, 3], Rule::UnreachableIsRoot),
        ([0, 0, 3, 2], Rule::UnreachableIsRoot),
        ([0, 1, 2, 3], Rule::ReachableHasParent),
    ] {
        let violation = BellmanFord.prepare(&instance).unwrap().space().verify(&array(&parents)).unwrap_err();
        assert_eq!(violation.rule, rule);
        assert_proved(&BellmanFord, &instance, &array(&parents), &violation);
    }
    let tenths = |text: &str| text.parse().unwrap();
    let edges = [(0, 1, tenths("0.1")), (1, 2, tenths("0.2")), (0, 2, tenths("0.3"))];
    let instance = Instance::with_source(Graph::weighted(3, edges).unwrap(), 0);
    let prepared = BellmanFord.prepare(&instance).unwrap();
    assert_eq!(prepared.space().verify(&array(&[0, 0, 1])), Ok(()));
    assert_eq!(prepared.space().verify(&array(&[0, 0, 0])), Ok(()));
}
