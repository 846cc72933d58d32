//! Answers within a tolerance, by their definition: all parent arrays of small graphs, each path and each total added up.

mod common;

use common::{array, pairs};
use tiebreak::answers::Candidate;
use tiebreak::instance::{Decimal, Graph, Instance, Weight};
use tiebreak::problems::paths::bfs::Bfs;
use tiebreak::problems::paths::dijkstra::Dijkstra;
use tiebreak::problems::spanning::prim::Prim;
use tiebreak::problems::tolerance::Gap;
use tiebreak::problems::{ALGORITHMS, Algorithm};
use tiebreak::random::Rng;
use tiebreak::solve::{Request, SolveBy, Tolerance, solve};

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

/// Draws under raised weights are always within the tolerance, and on small graphs they find most of what is there.
#[test]
fn draws_are_within_the_tolerance_and_find_most_of_what_there_is() {
    let (mut found, mut there) = (0, 0);
    for index in 0..40 {
        for (algorithm, undirected) in [(&Dijkstra as &dyn Algorithm, index % 2 == 0), (&Prim, true)] {
            let instance = random_instance(index, undirected);
            let prepared = algorithm.prepare(&instance).unwrap();
            let within = tolerance("40%");
            let accepts = |candidate: &Candidate| prepared.space().verify_within(candidate, within).unwrap().is_ok();
            for draw in 0..30 {
                let drawn = prepared.space().draw_within(within, &mut Rng::stream(1, "draw", draw)).unwrap();
                assert!(accepts(&drawn), "{drawn:?} {instance:?}");
            }
            let request = Request { k: 1_000, within: Some(within), by: SolveBy::Classical, ..Request::default() };
            let solved = solve(algorithm, &instance, &request).unwrap();
            let distinct: std::collections::HashSet<&Candidate> =
                solved.solutions.iter().map(|solution| &solution.candidate).collect();
            assert_eq!(distinct.len(), solved.solutions.len());
            assert!(solved.solutions.iter().all(|solution| accepts(&solution.candidate)));
            let gaps: Vec<f64> = solved.solutions.iter().map(|one| one.gap.unwrap().relative().unwrap()).collect();
            assert!(gaps[0] == 0.0 && gaps.is_sorted(), "the best first: {gaps:?}");
            assert!(gaps.iter().all(|&gap| gap <= 0.4));
            found += distinct.len();
            there += every_array(instance.n()).filter(|parents| accepts(&array(parents))).count();
        }
    }
    // Not all: an answer at the edge of the tolerance may be best for no raised weights.
    assert!(4 * found >= 3 * there && found <= there, "{found} of {there}");
}

/// Nothing is nearly a depth-first forest, and that is said.
#[test]
fn what_has_no_measure_says_so() {
    let instance = Instance::new(Graph::from_edges(2, [(0, 1)]).unwrap());
    let prepared = ALGORITHMS[0].prepare(&instance).unwrap();
    let reason = prepared.space().verify_within(&array(&[0, 0]), tolerance("5%")).unwrap_err();
    assert!(reason.to_string().contains("nothing is nearly right"), "{reason}");
    let negative = Graph::weighted(2, [(0, 1, Decimal::whole(-1))]).unwrap();
    let instance = Instance::with_source(negative, 0);
    let bellman_ford = ALGORITHMS.iter().find(|algorithm| algorithm.name() == "bellman-ford").unwrap();
    let prepared = bellman_ford.prepare(&instance).unwrap();
    let reason = prepared.space().verify_within(&array(&[0, 0]), tolerance("5%")).unwrap_err();
    assert!(reason.to_string().contains("negative weights"), "{reason}");
}
