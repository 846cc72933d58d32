//! The laws of `solve`: what it finds, what it proves impossible and what it counts equal brute force on every small graph.

mod common;

use common::{
    every_candidate, every_digraph, every_small_candidate, every_small_instance, every_solution, graph, literal, pairs,
    random_instance, weighted_graph,
};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tiebreak::answers::{Candidate, Form, Part};
use tiebreak::instance::{Graph, Instance, Preset, Weight};
use tiebreak::neural::executor::Executor;
use tiebreak::pipeline::draw::Origin;
use tiebreak::problems::demands::{Allowed, Possible};
use tiebreak::problems::forests::dfs;
use tiebreak::problems::{ALGORITHMS, Algorithm, Direction};
use tiebreak::random::Rng;
use tiebreak::solve::{
    Answer, Basis, Count, Demand, Demands, Impossible, Request, SolveBy, Solved, solve, solve_prepared,
};

/// The parts of a solution as people count them, by slot.
fn parts(instance: &Instance, solution: &Candidate) -> Vec<Part> {
    match solution.form() {
        Form::Parents => solution.parents().edges().map(|(parent, child)| Part::Edge(parent, child)).collect(),
        Form::Edges => {
            literal::chosen_edges(instance, solution).into_iter().map(|(one, other)| Part::Edge(one, other)).collect()
        }
        Form::Items => solution.chosen().map(Part::Item).collect(),
        Form::Order => {
            let mut steps: Vec<(usize, usize)> =
                solution.order().windows(2).map(|neighbours| (neighbours[0], neighbours[1])).collect();
            steps.sort_unstable();
            steps.into_iter().map(|(one, next)| Part::Edge(one, next)).collect()
        }
    }
}

fn has(instance: &Instance, solution: &Candidate, demand: &Demand) -> bool {
    let has_part = |part: Part| parts(instance, solution).contains(&part);
    match *demand {
        Demand::Edge { tail, head, either_way } => {
            has_part(Part::Edge(tail, head)) || (either_way && has_part(Part::Edge(head, tail)))
        }
        Demand::Item(item) => has_part(Part::Item(item)),
    }
}

fn meets(instance: &Instance, solution: &Candidate, demands: &Demands) -> bool {
    let comes_before = |&(earlier, later): &(usize, usize)| {
        let order = solution.order();
        let place = |vertex: usize| order.iter().position(|&other| other == vertex);
        place(earlier) < place(later)
    };
    demands.require.iter().all(|demand| has(instance, solution, demand))
        && !demands.avoid.iter().any(|demand| has(instance, solution, demand))
        && demands.before.iter().all(comes_before)
}

/// Asks for or against one edge or item, or for one precedence in an order.
fn one_demand(algorithm: &dyn Algorithm, (tail, head): (usize, usize), either: bool, require: bool) -> Demands {
    let demand = match algorithm.problem().form {
        Form::Order => {
            let (earlier, later) = if require { (tail, head) } else { (head, tail) };
            return Demands { before: vec![(earlier, later)], ..Demands::default() };
        }
        Form::Items => Demand::Item(tail),
        Form::Parents | Form::Edges => Demand::Edge { tail, head, either_way: either_way(algorithm, either) },
    };
    match require {
        true => Demands { require: vec![demand], ..Demands::default() },
        false => Demands { avoid: vec![demand], ..Demands::default() },
    }
}

/// Whether a demand on an edge is for either direction: always where edges have none.
fn either_way(algorithm: &dyn Algorithm, otherwise: bool) -> bool {
    algorithm.needs().direction == Direction::Undirected || otherwise
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
    let expected: BTreeSet<&Candidate> = all.iter().filter(|solution| meets(instance, solution, demands)).collect();
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
        check_parts(instance, &solved, &expected);
    }
}

fn check_parts(instance: &Instance, solved: &Solved, all: &BTreeSet<&Candidate>) {
    assert_eq!(solved.parts.basis, Basis::Every);
    let mut times: BTreeMap<Part, usize> = BTreeMap::new();
    for part in all.iter().flat_map(|solution| parts(instance, solution)) {
        *times.entry(part).or_default() += 1;
    }
    let sorted = |is_wanted: &dyn Fn(usize) -> bool| {
        let mut wanted: Vec<Part> =
            times.iter().filter(|(_, times)| is_wanted(**times)).map(|(&part, _)| part).collect();
        // Tree edges stand by their child.
        wanted.sort_by_key(|part| match part {
            Part::Edge(parent, child) if all.iter().any(|tree| tree.form() == Form::Parents) => (*child, *parent),
            Part::Edge(one, other) => (*one, *other),
            Part::Item(item) => (*item, 0),
        });
        wanted
    };
    assert_eq!(solved.parts.shared, sorted(&|times| times == all.len()));
    assert_eq!(solved.parts.varying, sorted(&|times| times < all.len()));
}

#[test]
fn possible_choices_are_those_of_some_solution() {
    for &algorithm in ALGORITHMS {
        let candidates = every_small_candidate(algorithm);
        every_small_instance(algorithm).par_iter().for_each(|instance| {
            let prepared = algorithm.prepare(instance).unwrap();
            let possible = prepared.space().possible(&Allowed::default()).unwrap();
            let slots = instance.slots(algorithm.problem().form);
            let mut expected = vec![BTreeSet::new(); slots];
            for solution in every_solution(algorithm, instance, &candidates[slots]) {
                expected.iter_mut().enumerate().for_each(|(slot, set)| {
                    set.insert(solution.choice(slot));
                });
            }
            for (slot, expected) in expected.iter().enumerate() {
                let known: BTreeSet<usize> = possible.of(slot).iter().copied().collect();
                assert_eq!(known, *expected, "{algorithm:?} {instance:?}: slot {slot}");
                assert_eq!(known.len(), possible.of(slot).len());
            }
        });
    }
}

/// Instances of up to five vertices without self-loops (which change nothing); with four vertices one source for each.
fn small(algorithm: &dyn Algorithm) -> Vec<Instance> {
    let has_loop = |instance: &Instance| (0..instance.n()).any(|vertex| instance.graph.has_edge(vertex, vertex));
    let is_wanted = |instance: &Instance| {
        let one_source = (instance.graph.arc_count() + instance.n()) % 4;
        !has_loop(instance)
            && instance.n() <= 5
            && (instance.n() < 4 || instance.source.is_none_or(|source| source == one_source))
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
        let candidates = every_small_candidate(algorithm);
        small(algorithm).par_iter().for_each(|instance| {
            let all = every_solution(algorithm, instance, &candidates[instance.slots(algorithm.problem().form)]);
            check_against_brute_force(algorithm, instance, &all, &Demands::default());
            for (tail, head) in pairs(instance.n(), false) {
                for require in [false, true] {
                    let demands = one_demand(algorithm, (tail, head), false, require);
                    check_against_brute_force(algorithm, instance, &all, &demands);
                }
            }
        });
    }
}

#[test]
fn several_demands_at_once_are_answered_as_by_brute_force() {
    for &algorithm in ALGORITHMS {
        let candidates = every_small_candidate(algorithm);
        small(algorithm).par_iter().enumerate().for_each(|(index, instance)| {
            if instance.n() < 2 {
                return;
            }
            let mut rng = Rng::stream(0, "demands", index as u64);
            let all = every_solution(algorithm, instance, &candidates[instance.slots(algorithm.problem().form)]);
            for _ in 0..3 {
                let mut demands = Demands::default();
                for _ in 0..1 + rng.below(4) {
                    let (tail, head) = (rng.below(instance.n()), rng.below(instance.n()));
                    let one = one_demand(algorithm, (tail, head), rng.chance(0.5), rng.chance(0.5));
                    if tail != head {
                        demands.avoid.extend(one.avoid);
                        demands.require.extend(one.require);
                        demands.before.extend(one.before);
                    }
                }
                check_against_brute_force(algorithm, instance, &all, &demands);
            }
        });
    }
}

/// Whether some solution has, or has not, the edge or item of a demand, or the vertices of an order in this order.
fn can_be_met(algorithm: &dyn Algorithm, instance: &Instance, possible: &Possible, demands: &Demands) -> bool {
    if let [(earlier, later)] = demands.before[..] {
        return !reaches(&instance.graph, later, earlier);
    }
    let (demand, require) = match (&demands.require[..], &demands.avoid[..]) {
        ([demand], []) => (demand, true),
        ([], [demand]) => (demand, false),
        _ => panic!("{demands:?} is not one demand"),
    };
    let (tail, head, either_way) = match (*demand, algorithm.problem().form) {
        (Demand::Item(item), _) => return possible.of(item).contains(&usize::from(require)),
        (Demand::Edge { tail, head, .. }, Form::Edges) => {
            let slot = instance.graph.edges().position(|edge| edge == (tail.min(head), tail.max(head))).unwrap();
            return possible.of(slot).contains(&usize::from(require));
        }
        (Demand::Edge { tail, head, either_way }, _) => (tail, head, either_way),
    };
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
            let without = Instance::of_graph(without, instance.source);
            literal::least_spanning_weight(&without) == literal::least_spanning_weight(instance)
        }
    }
}

fn reaches(graph: &Graph, from: usize, to: usize) -> bool {
    let mut reached = vec![false; graph.n()];
    reached[from] = true;
    for _ in 0..graph.n() {
        graph.arcs().for_each(|(tail, head)| reached[head] |= reached[tail]);
    }
    reached[to]
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
            let edges: Vec<(usize, usize)> = match algorithm.problem().items {
                None => instance.graph.arcs().filter(|(tail, head)| tail != head).collect(),
                Some(_) => (0..instance.n()).map(|item| (item, 0)).collect(),
            };
            for _ in 0..10 {
                let (tail, head) = edges[rng.below(edges.len())];
                for require in [true, false] {
                    let demands = one_demand(algorithm, (tail, head), false, require);
                    let can = can_be_met(algorithm, &instance, &possible, &demands);
                    let request = Request { k: 2, effort: 100, demands: demands.clone(), ..Request::default() };
                    let solved = solve_prepared(algorithm, &*prepared, &request);
                    assert_eq!(!solved.solutions.is_empty(), can, "{algorithm:?} {tail} {head} {require}");
                    assert_eq!(matches!(solved.answer, Answer::Impossible(_)), !can);
                    for solution in &solved.solutions {
                        assert_eq!(prepared.space().verify(&solution.candidate), Ok(()));
                        assert!(meets(&instance, &solution.candidate, &demands));
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
        let candidates = every_small_candidate(algorithm);
        every_small_instance(algorithm).par_iter().for_each(|instance| {
            let prepared = algorithm.prepare(instance).unwrap();
            let all = every_solution(algorithm, instance, &candidates[instance.slots(algorithm.problem().form)]);
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
    let demand = vec![Demand::Edge { tail: 1, head: 2, either_way: true }];
    let avoid = Demands { avoid: demand.clone(), ..Demands::default() };
    let refused = solve(&dfs::ORDERED, &triangle, &classical(3, avoid)).unwrap();
    assert_eq!(refused.answer, Answer::Impossible(Impossible::Together));
    let require = Demands { require: demand, ..Demands::default() };
    assert_eq!(solve(&dfs::ORDERED, &triangle, &classical(3, require)).unwrap().solutions.len(), 2);
}

#[test]
fn every_model_gives_the_same_set_where_all_solutions_are_wanted() {
    for &algorithm in ALGORITHMS {
        let form = algorithm.problem().form;
        for index in 0..20 {
            let mut rng = Rng::stream(3, "all", index);
            let instance = random_instance(algorithm, 5, 0.5, Preset::Text, &mut rng);
            let set = |request: Request| {
                let solved = solve(algorithm, &instance, &Request { k: 100_000, ..request }).unwrap();
                solved.solutions.into_iter().map(|solution| solution.candidate).collect::<BTreeSet<_>>()
            };
            let candidates = every_candidate(form, instance.slots(form));
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
fn as_many_solutions_as_there_are_numbers_stop_at_what_the_request_has_room_for() {
    // All equally far, by so many paths: 5,040 depth-first trees, and more trees of shortest paths within twice the best.
    let edges: Vec<_> = pairs(8, false).into_iter().map(|(tail, head)| (tail, head, 1)).collect();
    let complete = weighted_graph(8, &edges);
    let instance = Instance::of_graph(complete, Some(0));
    let everything = Request { k: usize::MAX, memory: 10_000, ..Request::default() };
    let within = Some("100%".parse().unwrap());
    for (name, request) in [
        ("dfs", everything.clone()),
        ("dfs", Request { exact: true, ..everything.clone() }),
        ("dfs", Request { diverse: true, ..everything.clone() }),
        ("dijkstra", Request { within, ..everything.clone() }),
    ] {
        let algorithm = tiebreak::problems::by_name(name).unwrap();
        let solved = solve(algorithm, &instance, &request).unwrap();
        assert_eq!(solved.solutions.len(), 1_000, "{name}");
        assert!(solved.notes.iter().any(|note| note.starts_with("stopped at")), "{name}: {:?}", solved.notes);
        let more = solve(algorithm, &instance, &Request { memory: 1 << 20, k: 1_050, ..request }).unwrap();
        assert!(more.solutions.len() > solved.solutions.len());
    }
}

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
