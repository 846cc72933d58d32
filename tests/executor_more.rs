//! Executors of breadth-first search, Dijkstra's and Prim's algorithm and of paths in acyclic graphs (and Bellman-Ford's
//! beyond positive weights), held against the definitions: distances by Floyd and Warshall, spanning trees by Kruskal
//! and by trying every parent array. Nothing here asks the crate which answers are right.

mod common;

use common::maps::{chi_square_holds, every_flip, spoilt};
use common::trees::{
    KINDS, Kind, every_solution, is_solution, kind, kruskal_by, law_over_orders, settle_one_by_one,
    without_short_cycles,
};
use common::weighted_graph;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tiebreak::answers::Candidate;
use tiebreak::instance::Instance;
use tiebreak::neural::executor::{Ending, Executor, ExecutorSettings, Pairs, Priorities, Steps};
use tiebreak::problems::by_name;
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::problems::paths::bfs::Bfs;
use tiebreak::problems::paths::dag::DagShortestPaths;
use tiebreak::problems::paths::dijkstra::Dijkstra;
use tiebreak::problems::spanning::prim::Prim;
use tiebreak::random::Rng;

/// The algorithms of these tests, as the executor sees them.
const STEPS: &[&dyn Steps] = &[&Bfs, &Dijkstra, &Prim, &DagShortestPaths];

fn built_in(steps: &'static dyn Steps) -> Executor {
    Executor::built_in(by_name(steps.algorithm()).expect("an entry of the slice")).expect("a trained model")
}

/// Instances of all kinds, with a stream each.
fn instances(purpose: &str, sizes: &[usize], densities: &[f64]) -> Vec<(Kind, Instance, Rng)> {
    let mut found = vec![];
    for (index, kind) in KINDS.iter().enumerate() {
        for (&n, &p) in sizes.iter().flat_map(|n| densities.iter().map(move |p| (n, p))) {
            let mut rng = Rng::stream(index as u64, &format!("{purpose} {n} {p}"), 0);
            let instance = kind.random(n, p, &mut rng);
            assert_eq!(kind.steps.accepts(&instance), Ok(()));
            found.push((*kind, instance, rng));
        }
    }
    found
}

#[test]
fn recorded_runs_are_runs_of_the_algorithm_with_the_same_priorities() {
    for (kind, instance, mut rng) in instances("recorded", &[1, 2, 5, 16, 30], &[0.03, 0.1, 0.3, 0.5, 0.9]) {
        let priorities = Priorities::draw(kind.steps.frame(), &instance, &mut rng);
        let run = kind.steps.record(&instance, &priorities);
        let (parents, clear) = run.last().parents();
        assert!(clear);
        assert_eq!(parents, kind.steps.solve_by(&instance, &priorities), "{}", kind.steps.algorithm());
        assert!(kind.is_solution(&instance, &parents), "{} {instance:?}", kind.steps.algorithm());
        assert!(run.selected.len() <= (kind.steps.frame().steps)(instance.n()));
    }
}

#[test]
fn the_models_that_come_with_the_crate_are_certified() {
    for &steps in STEPS {
        let executor = built_in(steps);
        let certificate = executor.certificate();
        assert!(certificate.is_exact() && certificate.checked > 20, "{}: {certificate}", steps.algorithm());
        assert!(executor.settings().sizes.iter().all(|&n| n <= 16));
    }
}

#[test]
fn training_from_scratch_is_certified() {
    STEPS.par_iter().for_each(|&steps| {
        let executor = Executor::train(steps, &ExecutorSettings::of(steps.algorithm(), 300), &mut |_| ());
        assert!(executor.certificate().is_exact(), "{}: {}", steps.algorithm(), executor.certificate());
    });
}

/// The table of `docs/executor.md`: five seeds, trained here.
#[test]
#[ignore = "trains twenty models: minutes"]
fn five_seeds_are_certified_and_valid_far_beyond_the_sizes_of_training() {
    for &steps in STEPS {
        let train = |seed| Executor::train(steps, &ExecutorSettings::of(steps.algorithm(), seed), &mut |_| ());
        let executors: Vec<Executor> = (1000..1005u64).into_par_iter().map(train).collect();
        assert!(executors.iter().all(|executor| executor.certificate().is_exact()));
        for kind in KINDS.iter().filter(|kind| kind.steps.algorithm() == steps.algorithm()) {
            for (n, p) in [(5, 0.5), (16, 0.5), (64, 0.5), (160, 0.5), (64, 0.03), (160, 0.01)] {
                print_row(kind, &executors, n, p);
            }
        }
    }
}

/// Eight graphs for each model, five draws a graph; none of them is wrong.
fn print_row(kind: &Kind, executors: &[Executor], n: usize, p: f64) {
    let of_graph = |(index, executor): (u64, &Executor)| {
        let mut rng = Rng::stream(index, &format!("table {n} {p}"), executor.settings().seed);
        let instance = kind.random(n, p, &mut rng);
        let drawn: Vec<Candidate> = (0..5).map(|_| executor.draw(&instance, &mut rng).parents).collect();
        assert!(drawn.iter().all(|parents| kind.is_solution(&instance, parents)), "{instance:?}");
        drawn.iter().collect::<BTreeSet<_>>().len()
    };
    let graphs: Vec<(u64, &Executor)> = (0..8).flat_map(|index| executors.iter().map(move |e| (index, e))).collect();
    let distinct: usize = graphs.par_iter().map(|&graph| of_graph(graph)).sum();
    let (name, joined) = (kind.steps.algorithm(), if kind.undirected { "undirected" } else { "directed" });
    let draws = 5 * graphs.len();
    println!(
        "{name} {joined} weights {:?} n {n} p {p}: {draws} draws valid, distinct {:.3}",
        kind.weights,
        distinct as f64 / draws as f64
    );
}

#[test]
fn every_draw_is_a_solution_and_the_classical_one_at_any_size() {
    let (mut isolated, mut ties) = (0, 0);
    for (sizes, p) in [(&[5, 16, 64, 160][..], 0.5), (&[1, 2, 16, 64][..], 0.03), (&[64, 160][..], 0.01)] {
        let checked = instances("agreement", sizes, &[p]).into_par_iter().map(|(kind, instance, mut rng)| {
            let (executor, pairs) = (built_in(kind.steps), Pairs::new(&instance));
            let draw = |_| {
                let priorities = Priorities::draw(kind.steps.frame(), &instance, &mut rng);
                let drawn = executor.execute(&instance, &pairs, &priorities, rng.next_u64());
                assert_eq!(drawn.ending, Ending::Settled);
                assert_eq!(drawn.parents, kind.steps.solve_by(&instance, &priorities), "{}", kind.steps.algorithm());
                assert!(kind.is_solution(&instance, &drawn.parents), "{} {instance:?}", kind.steps.algorithm());
                drawn.parents
            };
            let distinct: BTreeSet<Candidate> = (0..5).map(draw).collect();
            let joined: BTreeSet<usize> = instance.graph.arcs().flat_map(|(tail, head)| [tail, head]).collect();
            (usize::from(joined.len() < instance.n()), usize::from(distinct.len() > 1))
        });
        let sums = checked.reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
        (isolated, ties) = (isolated + sums.0, ties + sums.1);
    }
    assert!(isolated > 20 && ties > 20, "graphs with isolated vertices: {isolated}, with several draws: {ties}");
}

#[test]
fn looking_only_at_what_changed_is_looking_at_everything() {
    let instances = instances("dense", &[1, 4, 9, 17], &[0.1, 0.5, 0.9]);
    instances.into_par_iter().for_each(|(kind, instance, mut rng)| {
        let tables = built_in(kind.steps).tables().clone();
        for entries in [0, 1, 3, 10, 100, 1000] {
            let executor = built_in(kind.steps).with_tables(spoilt(&tables, entries, &mut rng));
            let (priorities, seed) = (Priorities::draw(kind.steps.frame(), &instance, &mut rng), rng.next_u64());
            let drawn = executor.execute(&instance, &Pairs::new(&instance), &priorities, seed);
            assert_eq!(
                drawn,
                executor.trace(&instance, &priorities, seed).1,
                "{} {instance:?}",
                kind.steps.algorithm()
            );
        }
    });
}

#[test]
fn whatever_entry_is_flipped_the_certificate_tells_the_truth() {
    let instances = instances("flipped", &[3, 5, 9, 14], &[0.1, 0.3, 0.6]);
    for &steps in STEPS {
        let own: Vec<_> = instances.iter().filter(|(kind, ..)| kind.steps.algorithm() == steps.algorithm()).collect();
        let judge = |(map, tables): (&'static str, _)| {
            let executor = built_in(steps).with_tables(tables);
            let certificate = executor.certificate();
            let mut harmful = false;
            for (kind, instance, rng) in &own {
                let mut rng = rng.clone();
                let priorities = Priorities::draw(steps.frame(), instance, &mut rng);
                let drawn = executor.execute(instance, &Pairs::new(instance), &priorities, rng.next_u64());
                let same = drawn.parents == steps.solve_by(instance, &priorities);
                let valid = same || kind.is_solution(instance, &drawn.parents);
                assert!(!certificate.is_exact() || same, "{} {map} {certificate}", steps.algorithm());
                assert!(!certificate.is_valid() || valid, "{} {map} {certificate}", steps.algorithm());
                harmful |= !same;
            }
            (usize::from(!certificate.is_exact()), usize::from(harmful))
        };
        let judged: Vec<_> = every_flip(built_in(steps).tables()).into_par_iter().map(judge).collect();
        let (refused, harmful) = judged.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        println!("{}: {refused} flips refused, {harmful} seen to harm", steps.algorithm());
        // It is not strict for the sake of it: most of what it refuses goes wrong on these few graphs already.
        assert!(refused > 20 && 2 * harmful > refused, "{}: {refused} {harmful}", steps.algorithm());
    }
}

#[test]
fn certificates_of_badly_spoilt_models_tell_the_truth() {
    let instances = instances("spoilt", &[4, 8], &[0.2, 0.6]);
    for &steps in STEPS {
        let right = built_in(steps).tables().clone();
        let own: Vec<_> = instances.iter().filter(|(kind, ..)| kind.steps.algorithm() == steps.algorithm()).collect();
        (0..400u64).into_par_iter().for_each(|index| {
            let tables = spoilt(&right, 2 + index as usize % 30, &mut Rng::stream(0, "spoilt", index));
            let executor = built_in(steps).with_tables(tables);
            let certificate = executor.certificate();
            for (kind, instance, rng) in own.iter().filter(|_| certificate.is_valid()) {
                let drawn = executor.draw(instance, &mut rng.clone());
                assert!(kind.is_solution(instance, &drawn.parents), "{} {certificate}", steps.algorithm());
            }
        });
    }
}

/// Priorities that put the edges of a tree before all others.
fn preferring(instance: &Instance, tree: &Candidate, rng: &mut Rng) -> Priorities {
    let of = |(tail, head)| rng.next_u64() >> 1 | u64::from(tail == head || tree.parents().of(head) != tail) << 63;
    Priorities(instance.graph.arcs().map(of).collect())
}

#[test]
fn every_solution_of_small_graphs_can_be_drawn_and_nothing_else() {
    let mut several = 0;
    for round in 0..12 {
        for (kind, instance, mut rng) in instances(&format!("covered {round}"), &[2, 3, 4, 5], &[0.4, 0.7]) {
            let executor = built_in(kind.steps);
            let solutions: BTreeSet<Candidate> = every_solution(kind.steps, &instance).into_iter().collect();
            several += usize::from(solutions.len() > 1);
            for tree in &solutions {
                let priorities = preferring(&instance, tree, &mut rng);
                let drawn = executor.execute(&instance, &Pairs::new(&instance), &priorities, 0);
                assert_eq!(&drawn.parents, tree, "{} {instance:?}", kind.steps.algorithm());
            }
            for _ in 0..20 {
                assert!(solutions.contains(&executor.draw(&instance, &mut rng).parents));
            }
        }
    }
    assert!(several > 100, "instances with several solutions: {several}");
}

fn uniform(solutions: Vec<Candidate>) -> BTreeMap<Candidate, f64> {
    let p = 1.0 / solutions.len() as f64;
    solutions.into_iter().map(|tree| (tree, p)).collect()
}

/// Instances with several solutions, but not too many for a chi-square.
fn with_several_solutions(kind: Kind, n: usize, p: f64, index: u64) -> (Instance, Vec<Candidate>) {
    let mut rng = Rng::stream(index, "law", 0);
    loop {
        let instance = kind.random(n, p, &mut rng);
        let solutions = every_solution(kind.steps, &instance);
        if (5..100).contains(&solutions.len()) {
            return (instance, solutions);
        }
    }
}

#[test]
fn hop_trees_path_trees_and_acyclic_path_trees_are_drawn_uniformly() {
    let kinds = [
        kind(&Bfs, (1, 3)),
        Kind { undirected: true, ..kind(&Bfs, (1, 3)) },
        kind(&Dijkstra, (1, 2)),
        Kind { undirected: true, ..kind(&Dijkstra, (1, 2)) },
        Kind { acyclic: true, ..kind(&DagShortestPaths, (-1, 1)) },
    ];
    for (index, kind) in kinds.into_iter().enumerate() {
        let (instance, solutions) = with_several_solutions(kind, 6, 0.7, index as u64);
        chi_square_holds(&built_in(kind.steps), &instance, &uniform(solutions), 12_000);
    }
}

#[test]
fn with_zero_weights_dijkstra_draws_by_the_law_of_random_edge_orders() {
    // 1, 2 and 3 are equally far from the source, and joined by edges of weight zero.
    let instance = Instance::with_source(
        weighted_graph(4, &[(0, 1, 1), (0, 2, 1), (1, 2, 0), (2, 1, 0), (1, 3, 0), (2, 3, 0), (3, 1, 0)]),
        0,
    );
    let law = law_over_orders(7, |order| settle_one_by_one(&instance, order));
    let solutions: BTreeSet<Candidate> = every_solution(&Dijkstra, &instance).into_iter().collect();
    assert_eq!(law.keys().cloned().collect::<BTreeSet<_>>(), solutions);
    let mean = 1.0 / law.len() as f64;
    assert!(law.values().any(|p| (p - mean).abs() > 0.03), "not uniform: {law:?}");
    chi_square_holds(&built_in(&Dijkstra), &instance, &law, 12_000);
}

#[test]
fn prim_draws_by_the_law_of_one_random_order_of_the_edges() {
    for (index, weights) in [(0, 0), (-1, 0), (1, 2)].into_iter().enumerate() {
        let kind = Kind { undirected: true, ..kind(&Prim, weights) };
        let mut rng = Rng::stream(index as u64, "spanning law", 0);
        let (instance, edges) = loop {
            let instance = kind.random(5, 0.7, &mut rng);
            let edges: Vec<_> = instance.graph.weighted_arcs().filter(|&(tail, head, _)| tail < head).collect();
            if edges.len() == 7 && every_solution(&Prim, &instance).len() > 4 {
                break (instance, edges);
            }
        };
        let law = law_over_orders(7, |order| kruskal_by(&instance, &edges, order));
        assert_eq!(law.len(), every_solution(&Prim, &instance).len());
        chi_square_holds(&built_in(&Prim), &instance, &law, 12_000);
    }
}

#[test]
fn bellman_ford_is_valid_for_any_sign_without_cycles_of_length_zero() {
    let executor = built_in(&BellmanFord);
    let mut negative = 0;
    for (index, (n, p)) in [(5, 0.5), (16, 0.5), (64, 0.5), (64, 0.03), (160, 0.1)].into_iter().enumerate() {
        let mut rng = Rng::stream(index as u64, "any sign", 0);
        for _ in 0..6 {
            let instance = without_short_cycles(n, p, &mut rng);
            assert_eq!(executor.accepts(&instance), Ok(()));
            negative += usize::from(instance.graph.weighted_arcs().any(|(.., weight)| weight < 0));
            let priorities = Priorities::draw(executor.steps().frame(), &instance, &mut rng);
            let drawn = executor.execute(&instance, &Pairs::new(&instance), &priorities, rng.next_u64());
            assert_eq!(drawn.parents, BellmanFord.solve_by(&instance, &priorities));
            assert!(is_solution(&BellmanFord, &instance, &drawn.parents), "{instance:?}");
        }
    }
    assert!(negative > 20);
    let mut rng = Rng::stream(0, "any sign, law", 0);
    let (instance, solutions) = loop {
        let instance = without_short_cycles(6, 0.7, &mut rng);
        let solutions = every_solution(&BellmanFord, &instance);
        if solutions.len() > 4 {
            break (instance, solutions);
        }
    };
    chi_square_holds(&executor, &instance, &uniform(solutions), 12_000);
}

fn refusal(steps: &dyn Steps, n: usize, edges: &[(usize, usize, i64)]) -> String {
    match steps.accepts(&Instance::with_source(weighted_graph(n, edges), 0)) {
        Ok(()) => "accepted".to_owned(),
        Err(reason) => reason.to_string(),
    }
}

#[test]
fn what_a_theorem_does_not_cover_is_refused_with_the_reason() {
    let circle = [(0, 1, 1), (0, 2, 1), (1, 2, 0), (2, 1, 0)];
    let zero =
        "a cycle of length zero lies on shortest paths, and parents that are chosen one by one could run around it";
    assert_eq!(refusal(&BellmanFord, 3, &circle), zero);
    assert_eq!(refusal(&BellmanFord, 3, &[(0, 1, 1), (1, 2, 1), (2, 1, -1)]), zero);
    let reason = refusal(&BellmanFord, 3, &[(0, 1, 1), (1, 2, 1), (2, 1, -3)]);
    assert!(reason.starts_with("the cycle 1 -> 2 -> 1 has length -2"), "{reason}");
    // What the source does not reach, and loops of length zero, make no difference.
    assert_eq!(refusal(&BellmanFord, 4, &[(0, 1, 1), (2, 3, -1), (3, 2, 1), (1, 1, 0)]), "accepted");
    assert_eq!(refusal(&Dijkstra, 3, &circle), "accepted");
    assert_eq!(
        refusal(&Dijkstra, 2, &[(0, 1, -4)]),
        "edge 0 -> 1 has weight -4, but a vertex is settled for good only where no weight is negative"
    );
    let lopsided = "edge 0 -> 1 has no reverse of the same weight, but a spanning tree needs an undirected graph";
    assert_eq!(refusal(&Prim, 2, &[(0, 1, 1)]), lopsided);
    assert_eq!(refusal(&Prim, 2, &[(0, 1, 1), (1, 0, 2)]), lopsided);
    assert_eq!(refusal(&DagShortestPaths, 3, &circle), "the graph has a cycle of 2 edges");
    assert_eq!(refusal(&DagShortestPaths, 2, &[(1, 1, 1)]), "the graph has a cycle of 1 edge");
    assert_eq!(refusal(&Bfs, 3, &circle), "accepted");
    for &steps in STEPS.iter().chain([&(&BellmanFord as &dyn Steps)]) {
        let missing = steps.accepts(&Instance::new(weighted_graph(2, &[]))).unwrap_err().to_string();
        assert!(missing.ends_with(&format!("{} needs a source", steps.algorithm())), "{missing}");
        let outside = steps.accepts(&Instance::with_source(weighted_graph(2, &[]), 2)).unwrap_err().to_string();
        assert_eq!(outside, "the source is 2, but there are 2 vertices");
    }
}

#[test]
fn the_refusal_of_cycles_of_length_zero_is_needed() {
    let edges = [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 2, 0), (2, 3, 0), (3, 1, 0)];
    let instance = Instance::with_source(weighted_graph(4, &edges), 0);
    // The edges of the cycle come first: Bellman-Ford's vertices choose it, one by one; Dijkstra's cannot.
    let priorities = Priorities(vec![3, 4, 5, 0, 1, 2]);
    let drawn = |steps| built_in(steps).execute(&instance, &Pairs::new(&instance), &priorities, 0).parents;
    assert_eq!(drawn(&BellmanFord).choices(), [0, 3, 1, 2]);
    assert_eq!(drawn(&Dijkstra).choices(), [0, 0, 1, 2]);
    assert!(is_solution(&Dijkstra, &instance, &drawn(&Dijkstra)));
}
