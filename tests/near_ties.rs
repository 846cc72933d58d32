//! Answers within a tolerance, by their definition: all parent arrays of small graphs, each path and each total added up.

mod common;

use common::{array, pairs};
use std::collections::HashSet;
use tiebreak::answers::{Candidate, Form};
use tiebreak::instance::{Decimal, Graph, GraphSettings, Instance, Items, Weight};
use tiebreak::pipeline::draw::Origin;
use tiebreak::problems::paths::bfs::Bfs;
use tiebreak::problems::paths::dijkstra::Dijkstra;
use tiebreak::problems::spanning::kruskal::Kruskal;
use tiebreak::problems::spanning::prim::Prim;
use tiebreak::problems::tasks::TASK;
use tiebreak::problems::tasks::scheduling::TaskScheduling;
use tiebreak::problems::ties::{TiePolicy, with_random_ties};
use tiebreak::problems::tolerance::Gap;
use tiebreak::problems::{ALGORITHMS, Algorithm};
use tiebreak::random::Rng;
use tiebreak::solve::{Count, Request, SolveBy, Tolerance, solve};

fn tolerance(text: &str) -> Tolerance {
    text.parse().unwrap()
}

/// Every array of n parents.
fn every_array(n: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..n.pow(n as u32)).map(move |code| {
        let digit = |rest: &mut usize, _| {
            let digit = *rest % n;
            *rest /= n;
            Some(digit)
        };
        (0..n).scan(code, digit).collect()
    })
}

/// The length of the path to each vertex by parents that are edges, and whether all of them lead to the source or are alone.
fn lengths(
    graph: &Graph,
    source: usize,
    parents: &[usize],
    weigh: impl Fn(Weight) -> Weight,
) -> Option<Vec<Option<Weight>>> {
    let n = graph.n();
    let walk = |start: usize| {
        let (mut vertex, mut length) = (start, 0);
        for _ in 0..n {
            if parents[vertex] == vertex {
                return if vertex == source {
                    Some(Some(length))
                } else if vertex == start {
                    Some(None)
                } else {
                    None
                };
            }
            length += weigh(graph.weight(parents[vertex], vertex)?);
            vertex = parents[vertex];
        }
        None
    };
    (0..n).map(walk).collect()
}

/// Shortest lengths, by relaxing n times.
fn distances(graph: &Graph, source: usize, weigh: impl Fn(Weight) -> Weight) -> Vec<Option<Weight>> {
    let mut found = vec![None; graph.n()];
    found[source] = Some(0);
    for _ in 0..graph.n() {
        for (tail, head, weight) in graph.weighted_arcs() {
            let through = found[tail].map(|before| before + weigh(weight));
            if through.is_some_and(|through| found[head].is_none_or(|known| through < known)) {
                found[head] = through;
            }
        }
    }
    found
}

/// The relative gaps of an array's paths, if all are within so many percent.
fn path_gaps(
    graph: &Graph,
    parents: &[usize],
    percent: Weight,
    weigh: impl Fn(Weight) -> Weight + Copy,
) -> Option<Vec<f64>> {
    let (own, best) = (lengths(graph, 0, parents, weigh)?, distances(graph, 0, weigh));
    let gap = |(own, best): (Option<Weight>, Option<Weight>)| match (own, best) {
        (None, None) => Some(0.0),
        (Some(own), Some(best)) if 100 * own <= (100 + percent) * best => {
            Some(if own == best { 0.0 } else { (own - best) as f64 / best as f64 })
        }
        _ => None,
    };
    own.into_iter().zip(best).map(gap).collect()
}

fn check(
    algorithm: &dyn Algorithm,
    instance: &Instance,
    percent: Weight,
    expected: impl Fn(&[usize]) -> Option<f64>,
) -> usize {
    let prepared = algorithm.prepare(instance).unwrap();
    let within = tolerance(&format!("{percent}%"));
    let mut accepted = 0;
    for parents in every_array(instance.n()) {
        let verdict = prepared.space().verify_within(&array(&parents), within).unwrap();
        let what = format!("{} {percent} % {parents:?} {instance:?} {verdict:?}", algorithm.name());
        match expected(&parents) {
            None => assert!(verdict.is_err(), "{what}"),
            Some(gap) => {
                let told: Gap = verdict.unwrap_or_else(|_| panic!("{what}"));
                assert_eq!(told.relative(), Some(gap), "{what}");
                accepted += 1;
            }
        }
    }
    accepted
}

fn random_instance(index: u64, undirected: bool) -> Instance {
    let mut rng = Rng::stream(7, "near ties", index);
    let n = 2 + rng.below(3);
    let mut edges = vec![];
    for (tail, head) in pairs(n, false) {
        if (!undirected || tail < head) && rng.below(10) < 7 {
            edges.push((tail, head, Decimal::whole(rng.below(12) as i64)));
        }
    }
    let graph = if undirected { Graph::weighted_undirected(n, edges) } else { Graph::weighted(n, edges) };
    Instance::with_source(graph.unwrap(), 0)
}

#[test]
fn a_tree_is_accepted_exactly_when_each_path_is_within_the_tolerance() {
    let mut accepted = 0;
    for index in 0..150 {
        let instance = random_instance(index, index % 2 == 0);
        for percent in [0, 10, 50, 200] {
            let worst = |weigh: fn(Weight) -> Weight| {
                let graph = instance.graph.clone();
                move |parents: &[usize]| {
                    let gaps = path_gaps(&graph, parents, percent, weigh)?;
                    Some(gaps.into_iter().fold(0.0, f64::max))
                }
            };
            accepted += check(&Dijkstra, &instance, percent, worst(|weight| weight));
            let hops = Instance::with_source(instance.graph.clone().without_weights(), 0);
            accepted += check(&Bfs, &hops, percent, worst(|_| 1));
        }
    }
    assert!(accepted > 1_000, "{accepted}");
}

#[test]
fn a_spanning_tree_is_accepted_exactly_when_its_weight_is_within_the_tolerance() {
    let mut accepted = 0;
    for index in 0..150 {
        let instance = random_instance(index, true);
        let graph = &instance.graph;
        let reached: Vec<bool> = distances(graph, 0, |_| 1).iter().map(Option::is_some).collect();
        let total = |parents: &[usize]| {
            let spans = lengths(graph, 0, parents, |_| 1)?
                .iter()
                .zip(&reached)
                .all(|(path, &reached)| path.is_some() == reached);
            let edges = parents.iter().enumerate().filter(|&(child, &parent)| child != parent);
            spans.then(|| edges.map(|(child, &parent)| graph.weight(parent, child).unwrap()).sum::<Weight>())
        };
        let best = every_array(graph.n()).filter_map(|parents| total(&parents)).min().unwrap();
        for percent in [0, 10, 50, 200] {
            accepted += check(&Prim, &instance, percent, |parents| {
                let total = total(parents).filter(|total| 100 * total <= (100 + percent) * best)?;
                Some(if total == best { 0.0 } else { (total - best) as f64 / best as f64 })
            });
        }
    }
    assert!(accepted > 500, "{accepted}");
}

/// Every set of so many slots.
fn every_set(form: Form, slots: usize) -> impl Iterator<Item = Candidate> {
    (0..1usize << slots).map(move |set| {
        let chosen = (0..slots).filter(move |slot| set >> slot & 1 == 1);
        Candidate::from_set(form, slots, chosen).unwrap()
    })
}

/// Whether chosen edges form no cycle and join what all edges join, by colouring vertices again and again.
fn spans(graph: &Graph, chosen: &Candidate) -> bool {
    let edges: Vec<(usize, usize)> = graph.edges().collect();
    let components = |used: &[usize]| {
        let mut colour: Vec<usize> = (0..graph.n()).collect();
        for _ in 0..graph.n() {
            for &(one, other) in used.iter().map(|&edge| &edges[edge]) {
                let least = colour[one].min(colour[other]);
                (colour[one], colour[other]) = (least, least);
            }
        }
        colour
    };
    let chosen: Vec<usize> = chosen.chosen().collect();
    let every: Vec<usize> = (0..edges.len()).collect();
    let colours = components(&chosen);
    let trees = colours.iter().enumerate().filter(|&(vertex, &colour)| vertex == colour).count();
    colours == components(&every) && chosen.len() == graph.n() - trees
}

#[test]
fn a_spanning_forest_is_accepted_exactly_when_its_weight_is_within_the_tolerance() {
    let mut accepted = 0;
    for index in 0..150 {
        let instance = Instance::new(random_instance(index, true).graph);
        let weights: Vec<Weight> = instance.graph.weighted_edges().map(|(.., weight)| weight).collect();
        let total = |chosen: &Candidate| -> Option<Weight> {
            spans(&instance.graph, chosen).then(|| chosen.chosen().map(|edge| weights[edge]).sum())
        };
        accepted += check_sets(&Kruskal, &instance, weights.len(), total, |total, best, percent| {
            100 * total <= (100 + percent) * best
        });
    }
    assert!(accepted > 500, "{accepted}");
}

fn random_tasks(index: u64) -> Instance {
    let mut rng = Rng::stream(8, "near ties of tasks", index);
    let n = 1 + rng.below(6);
    let deadlines = (0..n).map(|_| Decimal::whole(1 + rng.below(n) as i64)).collect();
    let weights = (0..n).map(|_| Decimal::whole(1 + rng.below(12) as i64)).collect();
    Instance::of_items(Items::new(&TASK, vec![deadlines, weights]).unwrap())
}

#[test]
fn a_set_of_tasks_is_accepted_exactly_when_its_weight_is_within_the_tolerance() {
    let mut accepted = 0;
    for index in 0..150 {
        let instance = random_tasks(index);
        let items = instance.items.as_ref().unwrap();
        let (deadlines, weights) = (items.column(0), items.column(1));
        let total = |chosen: &Candidate| -> Option<Weight> {
            let due_by = |t: Weight| chosen.chosen().filter(|&task| deadlines[task] <= t).count() as Weight;
            let is_early = (1..=deadlines.len() as Weight).all(|t| due_by(t) <= t);
            // Much is good here, so the least of the negated weights is the best.
            is_early.then(|| -chosen.chosen().map(|task| weights[task]).sum::<Weight>())
        };
        accepted += check_sets(&TaskScheduling, &instance, deadlines.len(), total, |total, best, percent| {
            100 * (total - best) <= percent * -best
        });
    }
    assert!(accepted > 1_000, "{accepted}");
}

/// Holds the verifier to all sets: accepted exactly when there is a total and it is near enough to the least, with its gap.
fn check_sets(
    algorithm: &dyn Algorithm,
    instance: &Instance,
    slots: usize,
    total: impl Fn(&Candidate) -> Option<Weight>,
    is_near: impl Fn(Weight, Weight, Weight) -> bool,
) -> usize {
    let prepared = algorithm.prepare(instance).unwrap();
    let form = algorithm.problem().form;
    let best = every_set(form, slots).filter_map(|set| total(&set)).min().unwrap();
    let mut accepted = 0;
    for percent in [0, 10, 50, 200] {
        for set in every_set(form, slots) {
            let verdict = prepared.space().verify_within(&set, tolerance(&format!("{percent}%"))).unwrap();
            let expected = total(&set).filter(|&total| is_near(total, best, percent));
            let told = verdict.as_ref().ok().map(|gap| (gap.measure.abs(), gap.best.abs()));
            assert_eq!(told, expected.map(|total| (total.abs(), best.abs())), "{percent} % {set:?} {instance:?}");
            if let (Ok(gap), Some(total)) = (&verdict, expected) {
                let share = (total != best).then(|| (total - best) as f64 / best.abs() as f64);
                assert_eq!(
                    gap.relative(),
                    share.map_or(Some(0.0), |share| Some(share).filter(|share| share.is_finite()))
                );
            }
            accepted += usize::from(expected.is_some());
        }
    }
    accepted
}

fn every_candidate(algorithm: &dyn Algorithm, instance: &Instance) -> Vec<Candidate> {
    let form = algorithm.problem().form;
    match form {
        Form::Parents => every_array(instance.n()).map(|parents| array(&parents)).collect(),
        _ => every_set(form, instance.slots(form)).collect(),
    }
}

fn measured(index: u64) -> [(&'static dyn Algorithm, Instance); 5] {
    let undirected = random_instance(index, true);
    [
        (&Dijkstra, random_instance(index, index.is_multiple_of(2))),
        (&Bfs, Instance::with_source(random_instance(index, index.is_multiple_of(2)).graph.without_weights(), 0)),
        (&Kruskal, Instance::new(undirected.graph.clone())),
        (&Prim, undirected),
        (&TaskScheduling, random_tasks(index)),
    ]
}

/// Where answers within the tolerance are few, all of them are found, and the number is said.
#[test]
fn all_answers_within_the_tolerance_are_found_where_they_are_few() {
    let mut found = 0;
    for index in 0..40 {
        for (algorithm, instance) in measured(index) {
            let prepared = algorithm.prepare(&instance).unwrap();
            let within = tolerance("40%");
            let accepts = |candidate: &Candidate| prepared.space().verify_within(candidate, within).unwrap().is_ok();
            let there: HashSet<Candidate> = every_candidate(algorithm, &instance).into_iter().filter(accepts).collect();
            let request = Request { k: 1_000, within: Some(within), by: SolveBy::Classical, ..Request::default() };
            let solved = solve(algorithm, &instance, &request).unwrap();
            let all: HashSet<Candidate> = solved.solutions.iter().map(|one| one.candidate.clone()).collect();
            assert_eq!(all, there, "{} {instance:?}", algorithm.name());
            assert_eq!((solved.solutions.len(), solved.count), (there.len(), Count::Exactly(there.len().into())));
            let gaps: Vec<f64> = solved.solutions.iter().map(|one| one.gap.unwrap().relative().unwrap()).collect();
            assert!(gaps[0] == 0.0 && gaps.is_sorted() && gaps.iter().all(|&gap| gap <= 0.4), "best first: {gaps:?}");
            let one = solve(algorithm, &instance, &Request { k: 1, ..request }).unwrap();
            assert_eq!((one.solutions.len(), one.solutions[0].gap.unwrap().relative()), (1, Some(0.0)));
            found += there.len();
        }
    }
    assert!(found > 400, "{found}");
}

/// Where they are many, draws under raised weights find different ones.
#[test]
fn draws_are_within_the_tolerance_and_differ() {
    for index in 0..20 {
        for (algorithm, instance) in measured(index) {
            let prepared = algorithm.prepare(&instance).unwrap();
            let within = tolerance("40%");
            for draw in 0..30 {
                let drawn = prepared.space().draw_within(within, &mut Rng::stream(1, "draw", draw)).unwrap();
                let verdict = prepared.space().verify_within(&drawn, within).unwrap();
                assert!(verdict.is_ok(), "{} {drawn:?} {instance:?}", algorithm.name());
            }
        }
    }
    let n = 40;
    let weight = |one: usize, other: usize| Decimal::whole((1_000 + (one * 37 + other * 101) % 97) as i64);
    let edges = pairs(n, false).into_iter().filter(|(one, other)| one < other);
    let complete = Graph::weighted_undirected(n, edges.map(|(one, other)| (one, other, weight(one, other)))).unwrap();
    let graph = Instance::new(complete.clone());
    for (algorithm, instance) in [(&Kruskal as &dyn Algorithm, graph), (&Prim, Instance::with_source(complete, 0))] {
        let request = Request { k: 30, within: Some(tolerance("5%")), ..Request::default() };
        let solved = solve(algorithm, &instance, &request).unwrap();
        assert_eq!((solved.solutions.len(), solved.count.to_string().as_str()), (30, "more than 1,000"));
        let drawn = solved.solutions.iter().filter(|one| one.origin == Origin::RaisedWeights).count();
        assert_eq!(drawn, 29);
    }
}

/// Nothing is nearly a depth-first forest, an order or a matching, and that is said.
#[test]
fn what_has_no_measure_says_so() {
    for algorithm in ALGORITHMS {
        let mut rng = Rng::stream(3, "no measure", 0);
        let settings = GraphSettings { n: 4, ..GraphSettings::default() };
        let instance = algorithm.instance(&settings, &mut rng);
        let prepared = algorithm.prepare(&instance).unwrap();
        let run = with_random_ties(TiePolicy::Free, 4, None, &mut rng, |ties| prepared.run(ties));
        let verdict = prepared.space().verify_within(&run, tolerance("5%"));
        let draw = prepared.space().draw_within(tolerance("5%"), &mut rng);
        match prepared.space().takes_tolerance() {
            Ok(()) => assert!(verdict.unwrap().is_ok() && draw.is_ok(), "{}", algorithm.name()),
            Err(reason) => assert_eq!((verdict, draw), (Err(reason.clone()), Err(reason)), "{}", algorithm.name()),
        }
    }
    let negative = Graph::weighted(2, [(0, 1, Decimal::whole(-1))]).unwrap();
    let instance = Instance::with_source(negative, 0);
    let bellman_ford = ALGORITHMS.iter().find(|algorithm| algorithm.name() == "bellman-ford").unwrap();
    let prepared = bellman_ford.prepare(&instance).unwrap();
    let reason = prepared.space().verify_within(&array(&[0, 0]), tolerance("5%")).unwrap_err();
    assert!(reason.to_string().contains("negative weights"), "{reason}");
}
