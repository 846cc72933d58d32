//! The laws of `solve`: what it finds, what it proves impossible and what it counts equal brute force on every small graph.

mod common;

use common::{every_digraph, every_small_instance, graph, pairs, random_instance, weighted};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::BTreeSet;
use tiebreak::algorithms::{ALGORITHMS, Algorithm, dfs};
use tiebreak::allowed::Allowed;
use tiebreak::graph::{Instance, Preset};
use tiebreak::parents::ParentArray;
use tiebreak::random::Rng;
use tiebreak::solve::{Answer, Basis, Count, Demand, Demands, Impossible, Request, Solved, Way, solve};

fn has(parents: &ParentArray, demand: &Demand) -> bool {
    let is_edge = |tail: usize, head: usize| tail != head && parents.parent_of(head) == tail;
    is_edge(demand.tail, demand.head) || (demand.either_way && is_edge(demand.head, demand.tail))
}

fn meets(parents: &ParentArray, demands: &Demands) -> bool {
    demands.require.iter().all(|demand| has(parents, demand))
        && !demands.avoid.iter().any(|demand| has(parents, demand))
}

/// All solutions of up to three vertices, two of larger ones (drawing all of them takes long).
fn classical<'a>(n: usize, demands: Demands) -> Request<'a> {
    Request { k: if n <= 3 { 1_000 } else { 2 }, way: Way::Classical, demands, ..Request::default() }
}

/// What `solve` gives is what brute force gives: solutions, their number, and "impossible" where there is none.
fn check_against_brute_force(algorithm: &dyn Algorithm, instance: &Instance, all: &[ParentArray], demands: &Demands) {
    let expected: BTreeSet<&ParentArray> = all.iter().filter(|solution| meets(solution, demands)).collect();
    let request = classical(instance.n(), demands.clone());
    let solved = solve(algorithm, instance, &request).unwrap();
    let found: BTreeSet<&ParentArray> = solved.solutions.iter().map(|solution| &solution.parents).collect();
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

fn check_edges(solved: &Solved, all: &BTreeSet<&ParentArray>) {
    assert_eq!(solved.edges.basis, Basis::Every);
    let uses = |edge: &(usize, usize)| all.iter().filter(|tree| tree.edges().any(|own| own == *edge)).count();
    let used: BTreeSet<(usize, usize)> = all.iter().flat_map(|tree| tree.edges()).collect();
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
        every_small_instance(algorithm).par_iter().for_each(|instance| {
            let possible = algorithm.possible_parents(instance, &Allowed::default()).unwrap();
            let mut expected = vec![BTreeSet::new(); instance.n()];
            for solution in algorithm.solutions(instance) {
                expected.iter_mut().enumerate().for_each(|(child, set)| {
                    set.insert(solution.parent_of(child));
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
        let one_source = (instance.graph.edge_count() + instance.n()) % 4;
        !has_loop(instance) && (instance.n() < 4 || instance.source.is_none_or(|source| source == one_source))
    };
    every_small_instance(algorithm).into_iter().filter(is_wanted).collect()
}

#[test]
fn every_avoided_and_every_required_edge_is_answered_as_by_brute_force() {
    for &algorithm in ALGORITHMS {
        small(algorithm).par_iter().for_each(|instance| {
            let all: Vec<ParentArray> = algorithm.solutions(instance).collect();
            check_against_brute_force(algorithm, instance, &all, &Demands::default());
            for (tail, head) in pairs(instance.n(), false) {
                let demand = vec![Demand { tail, head, either_way: false }];
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
        small(algorithm).par_iter().enumerate().for_each(|(index, instance)| {
            if instance.n() < 2 {
                return;
            }
            let mut rng = Rng::stream(0, "demands", index as u64);
            let all: Vec<ParentArray> = algorithm.solutions(instance).collect();
            for _ in 0..3 {
                let mut demands = Demands::default();
                for _ in 0..1 + rng.below(4) {
                    let (tail, head) = (rng.below(instance.n()), rng.below(instance.n()));
                    let demand = Demand { tail, head, either_way: rng.chance(0.5) };
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

/// What is known in closed form is met by steering alone, on graphs too large to be counted.
#[test]
fn one_demand_is_met_or_refuted_at_any_size() {
    for &algorithm in ALGORITHMS {
        (0..40u64).into_par_iter().for_each(|index| {
            let mut rng = Rng::stream(1, "large demands", index);
            let p = [0.01, 0.02, 0.05, 0.3][index as usize % 4];
            let instance = random_instance(algorithm, 80 + rng.below(120), p, Preset::Text, &mut rng);
            let possible = algorithm.possible_parents(&instance, &Allowed::default()).unwrap();
            let edges: Vec<(usize, usize)> = instance.graph.edges().filter(|(tail, head)| tail != head).collect();
            for _ in 0..10 {
                let (tail, head) = edges[rng.below(edges.len())];
                for require in [true, false] {
                    let demand = vec![Demand { tail, head, either_way: false }];
                    let demands = match require {
                        true => Demands { require: demand, ..Demands::default() },
                        false => Demands { avoid: demand, ..Demands::default() },
                    };
                    let can = match require {
                        true => possible.of(head).contains(&tail),
                        false => possible.of(head) != [tail],
                    };
                    let request = Request { k: 2, effort: 100, demands: demands.clone(), ..Request::default() };
                    let solved = solve(algorithm, &instance, &request).unwrap();
                    assert_eq!(!solved.solutions.is_empty(), can, "{algorithm:?} {tail} {head} {require}");
                    assert_eq!(matches!(solved.answer, Answer::Impossible(_)), !can);
                    for solution in &solved.solutions {
                        assert_eq!(algorithm.verify(&instance, &solution.parents), Ok(()));
                        assert!(meets(&solution.parents, &demands));
                    }
                    if let Some(first) = solved.solutions.first() {
                        assert_eq!(first.source, "executor", "the model was steered");
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
        let bound = |instance: &Instance, solution: &ParentArray| algorithm.at_least(instance, solution);
        every_small_instance(algorithm).par_iter().for_each(|instance| {
            let all: Vec<ParentArray> = algorithm.solutions(instance).collect();
            assert!(all.iter().all(|solution| bound(instance, solution) <= BigUint::from(all.len())), "{instance:?}");
        });
        (0..200u64).into_par_iter().for_each(|index| {
            let mut rng = Rng::stream(2, "bound", index);
            let (n, p) = (5 + rng.below(10), [0.1, 0.2, 0.4][rng.below(3)]);
            let instance = random_instance(algorithm, n, p, Preset::Text, &mut rng);
            let Ok(count) = algorithm.count(&instance, 100_000) else { return };
            algorithm.solutions(&instance).take(10).for_each(|solution| assert!(bound(&instance, &solution) <= count));
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
        for index in 0..20 {
            let mut rng = Rng::stream(3, "all", index);
            let instance = random_instance(algorithm, 5, 0.5, Preset::Text, &mut rng);
            let set = |request: Request| {
                let solved = solve(algorithm, &instance, &Request { k: 100_000, ..request }).unwrap();
                solved.solutions.into_iter().map(|solution| solution.parents).collect::<BTreeSet<_>>()
            };
            let all: BTreeSet<ParentArray> = algorithm.solutions(&instance).collect();
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
        let request = Request { k: 5, diverse: true, way: Way::Classical, ..Request::default() };
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
    let instance = Instance::with_source(weighted(3, &[(0, 1, 1), (1, 2, 1), (0, 2, 2)]), 0);
    let algorithm = tiebreak::algorithms::by_name("bellman-ford").unwrap();
    let solved = solve(algorithm, &instance, &Request { memory: 10, ..Request::default() }).unwrap();
    assert_eq!(solved.solutions.len(), 2);
    assert!(solved.solutions.iter().all(|solution| solution.source == "randomised run"));
    assert!(solved.notes[0].contains("may be used"), "{:?}", solved.notes);
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
            let possible = algorithm.possible_parents(&instance, &Allowed::default()).unwrap();
            let mut allowed = Allowed::default();
            allowed.forbid(rng.below(4), rng.below(4));
            allowed.require(rng.below(4), rng.below(4));
            let priorities = algorithm.steer(&instance, &possible, &allowed, &mut rng).unwrap();
            let run = algorithm.steps().unwrap().solve_by(&instance, &priorities);
            assert_eq!(algorithm.verify(&instance, &run), Ok(()), "{edges:?}");
        }
    });
}
