//! The laws of `solve`: what it finds, what it proves impossible and what it counts equal brute force on every small graph.

mod common;

use common::{
    every_candidate, every_digraph, every_small_instance, every_solution, graph, literal, pairs, random_instance,
    weighted_graph,
};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::BTreeSet;
use tiebreak::answers::Candidate;
use tiebreak::draw::Origin;
use tiebreak::executor::Executor;
use tiebreak::graph::{Graph, Instance, Preset, Weight};
use tiebreak::problems::demands::{Allowed, Possible};
use tiebreak::problems::forests::dfs;
use tiebreak::problems::{ALGORITHMS, Algorithm, Direction};
use tiebreak::random::Rng;
use tiebreak::solve::{
    Answer, Basis, Count, Demand, Demands, Impossible, Request, SolveBy, Solved, solve, solve_prepared,
};

fn has(solution: &Candidate, demand: &Demand) -> bool {
    let is_edge = |tail: usize, head: usize| tail != head && solution.parents().of(head) == tail;
    is_edge(demand.tail, demand.head) || (demand.either_way && is_edge(demand.head, demand.tail))
}

fn meets(solution: &Candidate, demands: &Demands) -> bool {
    demands.require.iter().all(|demand| has(solution, demand))
        && !demands.avoid.iter().any(|demand| has(solution, demand))
}

/// Whether a demand on an edge is for either direction: always where edges have none.
fn either_way(algorithm: &dyn Algorithm, otherwise: bool) -> bool {
    algorithm.needs().direction == Direction::Undirected || otherwise
}

/// Every candidate, by the number of vertices.
fn candidates(algorithm: &dyn Algorithm) -> Vec<Vec<Candidate>> {
    (0..=4).map(|slots| every_candidate(algorithm.problem().form, slots)).collect()
}

/// All solutions of up to three vertices, two of larger ones (drawing all of them takes long).
fn classical<'a>(n: usize, demands: Demands) -> Request<'a> {
    Request { k: if n <= 3 { 1_000 } else { 2 }, by: SolveBy::Classical, demands, ..Request::default() }
}

/// What `solve` gives is what brute force gives: solutions, their number, and "impossible" where there is none.
fn check_against_brute_force(
    algorithm: &dyn Algorithm,
    instance: &Instance,
    all: &BTreeSet<Candidate>,
    demands: &Demands,
) {
    let expected: BTreeSet<&Candidate> = all.iter().filter(|solution| meets(solution, demands)).collect();
    let request = classical(instance.n(), demands.clone());
    let solved = solve(algorithm, instance, &request).unwrap();
    let found: BTreeSet<&Candidate> = solved.solutions.iter().map(|solution| &solution.candidate).collect();
    let context = || format!("{algorithm:?} {instance:?} {demands:?}");
    assert!(found.is_subset(&expected), "{}", context());
    assert_eq!(found.len(), expected.len().min(request.k), "{}", context());
    assert_eq!(found.len(), solved.solutions.len(), "a solution twice: {}", context());
    assert_eq!(solved.count, Count::Exactly(BigUint::from(expected.len())), "{}", context());
    assert_eq!(matches!(solved.answer, Answer::Impossible(_)), expected.is_empty(), "{}", context());
    if !expected.is_empty() && (demands == &Demands::default() || found.len() == expected.len()) {
        check_edges(&solved, &expected);
    }
}

fn check_edges(solved: &Solved, all: &BTreeSet<&Candidate>) {
    assert_eq!(solved.edges.basis, Basis::Every);
    let uses = |edge: &(usize, usize)| all.iter().filter(|tree| tree.parents().edges().any(|own| own == *edge)).count();
    let used: BTreeSet<(usize, usize)> = all.iter().flat_map(|tree| tree.parents().edges()).collect();
    let by_child = |&(parent, child): &(usize, usize)| (child, parent);
    let sorted = |share: fn(usize, usize) -> bool| {
        let mut edges: Vec<_> = used.iter().copied().filter(|edge| share(uses(edge), all.len())).collect();
        edges.sort_by_key(by_child);
        edges
    };
    assert_eq!(solved.edges.shared, sorted(|uses, all| uses == all));
    assert_eq!(solved.edges.varying, sorted(|uses, all| uses < all));
}

#[test]
fn possible_parents_are_those_of_some_solution() {
    for &algorithm in ALGORITHMS {
        let candidates = candidates(algorithm);
        every_small_instance(algorithm).par_iter().for_each(|instance| {
            let prepared = algorithm.prepare(instance).unwrap();
            let possible = prepared.space().possible(&Allowed::default()).unwrap();
            let mut expected = vec![BTreeSet::new(); instance.n()];
            for solution in every_solution(algorithm, instance, &candidates[instance.n()]) {
                expected.iter_mut().enumerate().for_each(|(child, set)| {
                    set.insert(solution.parents().of(child));
                });
            }
            for (child, expected) in expected.iter().enumerate() {
                let known: BTreeSet<usize> = possible.of(child).iter().copied().collect();
                assert_eq!(known, *expected, "{algorithm:?} {instance:?}: parents of {child}");
                assert_eq!(known.len(), possible.of(child).len());
            }
        });
    }
}

/// Instances of up to four vertices without self-loops (which change nothing); with four vertices one source for each.
fn small(algorithm: &dyn Algorithm) -> Vec<Instance> {
    let has_loop = |instance: &Instance| (0..instance.n()).any(|vertex| instance.graph.has_edge(vertex, vertex));
    let is_wanted = |instance: &Instance| {
        let one_source = (instance.graph.arc_count() + instance.n()) % 4;
        !has_loop(instance) && (instance.n() < 4 || instance.source.is_none_or(|source| source == one_source))
    };
    let all: Vec<Instance> = every_small_instance(algorithm).into_iter().filter(is_wanted).collect();
    // Weights multiply the graphs; an even choice of them keeps the time of each algorithm alike.
    let step = all.len().div_ceil(MOST_SMALL);
    all.into_iter().step_by(step.max(1)).collect()
}

/// The most small instances of an algorithm on which all demands are tried.
const MOST_SMALL: usize = 4_500;

#[test]
fn every_avoided_and_every_required_edge_is_answered_as_by_brute_force() {
    for &algorithm in ALGORITHMS {
        let candidates = candidates(algorithm);
        small(algorithm).par_iter().for_each(|instance| {
            let all = every_solution(algorithm, instance, &candidates[instance.n()]);
            check_against_brute_force(algorithm, instance, &all, &Demands::default());
            for (tail, head) in pairs(instance.n(), false) {
                let demand = vec![Demand { tail, head, either_way: either_way(algorithm, false) }];
                let avoid = Demands { avoid: demand.clone(), ..Demands::default() };
                let require = Demands { require: demand, ..Demands::default() };
                check_against_brute_force(algorithm, instance, &all, &avoid);
                check_against_brute_force(algorithm, instance, &all, &require);
            }
        });
    }
}

#[test]
fn several_demands_at_once_are_answered_as_by_brute_force() {
    for &algorithm in ALGORITHMS {
        let candidates = candidates(algorithm);
        small(algorithm).par_iter().enumerate().for_each(|(index, instance)| {
            if instance.n() < 2 {
                return;
            }
            let mut rng = Rng::stream(0, "demands", index as u64);
            let all = every_solution(algorithm, instance, &candidates[instance.n()]);
            for _ in 0..3 {
                let mut demands = Demands::default();
                for _ in 0..1 + rng.below(4) {
                    let (tail, head) = (rng.below(instance.n()), rng.below(instance.n()));
                    let demand = Demand { tail, head, either_way: either_way(algorithm, rng.chance(0.5)) };
                    let list = if rng.chance(0.5) { &mut demands.avoid } else { &mut demands.require };
                    list.push(demand);
                }
                demands.avoid.retain(|demand| demand.tail != demand.head);
                demands.require.retain(|demand| demand.tail != demand.head);
                check_against_brute_force(algorithm, instance, &all, &demands);
            }
        });
    }
}

/// Whether some solution has, or has not, the edge of a demand.
fn can_be_met(instance: &Instance, possible: &Possible, demand: &Demand, require: bool) -> bool {
    let Demand { tail, head, either_way } = *demand;
    match (require, either_way) {
        (true, false) => possible.of(head).contains(&tail),
        (false, false) => possible.of(head) != [tail],
        (true, true) => possible.of(head).contains(&tail) || possible.of(tail).contains(&head),
        // An edge may be in every solution, in some of them upside down. A spanning tree can do without it exactly when the graph can.
        (false, true) => {
            let is_other = |&(one, other, _): &(usize, usize, Weight)| (one, other) != (tail.min(head), tail.max(head));
            let graph = &instance.graph;
            let others = graph.weighted_edges().filter(is_other).map(|(one, other, w)| (one, other, graph.decimal(w)));
            let without = Graph::weighted_undirected(instance.n(), others).expect("a part of a graph");
            let without = Instance { graph: without, source: instance.source };
            literal::least_spanning_weight(&without) == literal::least_spanning_weight(instance)
        }
    }
}

/// What is known in closed form is met by steering alone, on graphs too large to be counted.
#[test]
fn one_demand_is_met_or_refuted_at_any_size() {
    for &algorithm in ALGORITHMS {
        let has_executor = Executor::built_in(algorithm).is_ok();
        (0..40u64).into_par_iter().for_each(|index| {
            let mut rng = Rng::stream(1, "large demands", index);
            let p = [0.01, 0.02, 0.05, 0.3][index as usize % 4];
            let instance = random_instance(algorithm, 80 + rng.below(120), p, Preset::Text, &mut rng);
            let prepared = algorithm.prepare(&instance).unwrap();
            let possible = prepared.space().possible(&Allowed::default()).unwrap();
            let edges: Vec<(usize, usize)> = instance.graph.arcs().filter(|(tail, head)| tail != head).collect();
            for _ in 0..10 {
                let (tail, head) = edges[rng.below(edges.len())];
                for require in [true, false] {
                    let demand = Demand { tail, head, either_way: either_way(algorithm, false) };
                    let demands = match require {
                        true => Demands { require: vec![demand], ..Demands::default() },
                        false => Demands { avoid: vec![demand], ..Demands::default() },
                    };
                    let can = can_be_met(&instance, &possible, &demand, require);
                    let request = Request { k: 2, effort: 100, demands: demands.clone(), ..Request::default() };
                    let solved = solve_prepared(algorithm, &*prepared, &request);
                    assert_eq!(!solved.solutions.is_empty(), can, "{algorithm:?} {tail} {head} {require}");
                    assert_eq!(matches!(solved.answer, Answer::Impossible(_)), !can);
                    for solution in &solved.solutions {
                        assert_eq!(prepared.space().verify(&solution.candidate), Ok(()));
                        assert!(meets(&solution.candidate, &demands));
                    }
                    if let Some(first) = solved.solutions.first() {
                        assert_eq!(
                            first.origin == Origin::Executor,
                            has_executor,
                            "{algorithm:?}: the model was steered"
                        );
                    }
                }
            }
        });
    }
}

/// The lower bound is one: on every small instance, from each of its solutions, and on larger ones that can be counted.
#[test]
fn there_are_never_fewer_solutions_than_proved() {
    for &algorithm in ALGORITHMS {
        let candidates = candidates(algorithm);
        every_small_instance(algorithm).par_iter().for_each(|instance| {
            let prepared = algorithm.prepare(instance).unwrap();
            let all = every_solution(algorithm, instance, &candidates[instance.n()]);
            let count = BigUint::from(all.len());
            assert!(all.iter().all(|solution| prepared.space().at_least(solution) <= count), "{instance:?}");
        });
        (0..200u64).into_par_iter().for_each(|index| {
            let mut rng = Rng::stream(2, "bound", index);
            let (n, p) = (5 + rng.below(10), [0.1, 0.2, 0.4][rng.below(3)]);
            let instance = random_instance(algorithm, n, p, Preset::Text, &mut rng);
            let prepared = algorithm.prepare(&instance).unwrap();
            let Ok(count) = prepared.space().count(100_000) else { return };
            let solutions = prepared.space().solutions().unwrap().take(10);
            solutions.for_each(|solution| assert!(prepared.space().at_least(&solution) <= count));
        });
    }
}

/// Dense graphs have too many forests to be counted, and it shows.
#[test]
fn many_solutions_are_known_to_be_many() {
    let mut rng = Rng::stream(7, "many", 0);
    let instance = random_instance(&dfs::ORDERED, 64, 0.5, Preset::Text, &mut rng);
    let solved = solve(&dfs::ORDERED, &instance, &Request { k: 3, effort: 100, ..Request::default() }).unwrap();
    assert!(
        matches!(&solved.count, Count::AtLeast(bound) if *bound > BigUint::from(1_000_000_000u64)),
        "{}",
        solved.count
    );
}

/// K3 from vertex 0: the edge between 1 and 2 is in both solutions, once in each direction.
#[test]
fn an_undirected_edge_may_be_in_every_solution_in_different_directions() {
    let triangle = Instance::new(graph(3, &pairs(3, false)));
    let demand = vec![Demand { tail: 1, head: 2, either_way: true }];
    let avoid = Demands { avoid: demand.clone(), ..Demands::default() };
    let refused = solve(&dfs::ORDERED, &triangle, &classical(3, avoid)).unwrap();
    assert_eq!(refused.answer, Answer::Impossible(Impossible::Together));
    let require = Demands { require: demand, ..Demands::default() };
    assert_eq!(solve(&dfs::ORDERED, &triangle, &classical(3, require)).unwrap().solutions.len(), 2);
}

#[test]
fn every_model_gives_the_same_set_where_all_solutions_are_wanted() {
    for &algorithm in ALGORITHMS {
        let candidates = every_candidate(algorithm.problem().form, 5);
        for index in 0..20 {
            let mut rng = Rng::stream(3, "all", index);
            let instance = random_instance(algorithm, 5, 0.5, Preset::Text, &mut rng);
            let set = |request: Request| {
                let solved = solve(algorithm, &instance, &Request { k: 100_000, ..request }).unwrap();
                solved.solutions.into_iter().map(|solution| solution.candidate).collect::<BTreeSet<_>>()
            };
            let all = every_solution(algorithm, &instance, &candidates);
            assert_eq!(set(Request::default()), all);
            assert_eq!(set(Request { exact: true, ..Request::default() }), all);
            assert_eq!(set(Request { diverse: true, ..Request::default() }), all);
        }
    }
}

#[test]
fn diverse_solutions_share_no_more_than_those_drawn_first() {
    let mut fewer = 0;
    for index in 0..20 {
        let mut rng = Rng::stream(4, "diverse", index);
        let instance = random_instance(&dfs::ORDERED, 12, 0.4, Preset::Text, &mut rng);
        let request = Request { k: 5, diverse: true, by: SolveBy::Classical, ..Request::default() };
        let solved = solve(&dfs::ORDERED, &instance, &request).unwrap();
        if let Some(diversity) = solved.diversity {
            assert!(diversity.shared <= diversity.as_drawn + 1e-12, "{diversity:?}");
            fewer += usize::from(diversity.shared < diversity.as_drawn - 0.05);
        }
    }
    assert!(fewer >= 10, "{fewer}");
}

#[test]
fn the_same_seed_gives_the_same_answer_and_another_seed_another() {
    let mut rng = Rng::stream(5, "seeds", 0);
    let instance = random_instance(&dfs::ORDERED, 20, 0.4, Preset::Text, &mut rng);
    let with =
        |seed| solve(&dfs::ORDERED, &instance, &Request { k: 5, seed, effort: 10, ..Request::default() }).unwrap();
    assert_eq!(with(1), with(1));
    assert_ne!(with(1).solutions, with(2).solutions);
}

/// A model that needs more memory than it may have is not started, and it is said why.
#[test]
fn a_model_that_does_not_fit_is_not_started() {
    let instance = Instance::with_source(weighted_graph(3, &[(0, 1, 1), (1, 2, 1), (0, 2, 2)]), 0);
    let algorithm = tiebreak::problems::by_name("bellman-ford").unwrap();
    let solved = solve(algorithm, &instance, &Request { memory: 10, ..Request::default() }).unwrap();
    assert_eq!(solved.solutions.len(), 2);
    assert!(solved.solutions.iter().all(|solution| solution.origin == Origin::Run));
    assert!(solved.notes[0].contains("the request allows 0.0 GB"), "{:?}", solved.notes);
    let only = Request { memory: 10, only_model: true, ..Request::default() };
    let solved = solve(algorithm, &instance, &only).unwrap();
    assert_eq!((solved.solutions.len(), solved.answer), (0, Answer::NotFound));
}

/// Every digraph with four vertices: a search that was steered is a search like any other.
#[test]
fn steered_runs_are_solutions() {
    every_digraph(4, false).collect::<Vec<_>>().par_iter().enumerate().for_each(|(index, edges)| {
        let instance = Instance::new(graph(4, edges));
        let mut rng = Rng::stream(6, "steered", index as u64);
        for algorithm in [&dfs::ORDERED, &dfs::ANY_RESTART] {
            let prepared = algorithm.prepare(&instance).unwrap();
            let possible = prepared.space().possible(&Allowed::default()).unwrap();
            let mut allowed = Allowed::default();
            allowed.forbid(rng.below(4), rng.below(4));
            allowed.require(rng.below(4), rng.below(4));
            let priorities = prepared.space().steer(&possible, &allowed, &mut rng).unwrap();
            let run = algorithm.steps().unwrap().solve_by(&instance, &priorities);
            assert_eq!(prepared.space().verify(&run), Ok(()), "{edges:?}");
        }
    });
}
