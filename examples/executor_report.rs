//! The executor's figures: trains five seeds of each algorithm on at most 16 vertices and executes far beyond.
//!
//! `cargo run --release --example executor_report -- [seeds] [graphs] [draws] [figures|ablations]` (5, 32, 5 and both if
//! left out)
//!
//! `valid` is the exact verifier's verdict, `same` the share of draws equal to the classical algorithm with the same
//! priorities, `distinct` that of distinct draws of a graph. Equal scores are decided at random.

use rayon::prelude::*;
use std::collections::HashSet;
use std::time::Instant;
use tiebreak::instance::{Decimal, Graph, GraphSettings, Instance};
use tiebreak::neural::executor::{Execution, Executor, ExecutorSettings, Pairs, Priorities, Softly};
use tiebreak::problems::Algorithm;
use tiebreak::problems::forests::dfs;
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::random::Rng;

/// Sizes, densities and largest weights (0: the algorithm's own graphs).
const CASES: &[(usize, f64, i64)] = &[
    (5, 0.5, 0),
    (16, 0.5, 0),
    (64, 0.5, 0),
    (160, 0.5, 0),
    (64, 0.03, 0),
    (160, 0.01, 0),
    (16, 0.5, 20),
    (64, 0.5, 20),
    (160, 0.01, 20),
    (1_000, 0.5, 0),
    (1_000, 0.002, 0),
];

struct Counts {
    seeds: u64,
    graphs: u64,
    draws: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, usual: u64| arguments.get(place).map_or(usual, |text| text.parse().expect("a number"));
    let wanted = |part: &str| arguments.get(3).is_none_or(|only| only == part);
    let counts = Counts { seeds: number(0, 5), graphs: number(1, 32), draws: number(2, 5) as usize };
    println!("{} training seeds, {} graphs, {} draws a graph", counts.seeds, counts.graphs, counts.draws);
    let algorithms = [&dfs::ORDERED as &dyn Algorithm, &dfs::ANY_RESTART, &BellmanFord];
    for algorithm in algorithms.into_iter().filter(|_| wanted("figures")) {
        let executors = trained(algorithm, &counts, |_| ());
        for &(n, p, weights) in CASES.iter().filter(|&&(.., weights)| weights == 0 || algorithm.needs().source) {
            let graphs = if n >= 1_000 { counts.graphs.min(4) } else { counts.graphs };
            let case = Case { n, p, weights, graphs, draws: counts.draws };
            print_case(algorithm, &executors, &case);
        }
    }
    println!("\nwithout one of its parts");
    for algorithm in [algorithms[0], algorithms[2]].into_iter().filter(|_| wanted("ablations")) {
        ablations(algorithm, &counts);
    }
}

fn trained(algorithm: &dyn Algorithm, counts: &Counts, change: impl Fn(&mut ExecutorSettings) + Sync) -> Vec<Executor> {
    let steps = algorithm.steps().expect("it has steps");
    let train = |seed| {
        let mut settings = ExecutorSettings::of(algorithm.name(), seed);
        change(&mut settings);
        let started = Instant::now();
        let executor = Executor::train(steps, &settings, &mut |_| ());
        println!(
            "{} seed {seed}: trained in {:.1} s; {}",
            algorithm.name(),
            started.elapsed().as_secs_f64(),
            executor.certificate()
        );
        executor
    };
    (0..counts.seeds).into_par_iter().map(train).collect()
}

struct Case {
    n: usize,
    p: f64,
    weights: i64,
    graphs: u64,
    draws: usize,
}

/// Sums over draws and graphs.
#[derive(Default)]
struct Sums {
    valid: usize,
    same: usize,
    distinct: usize,
    draws: usize,
}

fn print_case(algorithm: &dyn Algorithm, executors: &[Executor], case: &Case) {
    let steps = algorithm.steps().expect("it has steps");
    let started = Instant::now();
    let execute = |executor: &Executor, instance: &Instance, rng: &mut Rng| {
        let pairs = Pairs::new(instance);
        let mut same = 0;
        let draws = (0..case.draws).map(|_| {
            let priorities = Priorities::draw(steps.frame(), instance, rng);
            let drawn = executor.execute(instance, &pairs, &priorities, rng.next_u64());
            same += usize::from(drawn.parents == steps.solve_by(instance, &priorities));
            drawn
        });
        (draws.collect::<Vec<_>>(), same)
    };
    let sums = over_graphs(algorithm, executors, case, execute);
    let Case { n, p, weights, .. } = case;
    let weights = if *weights > 0 { format!(" weights 1-{weights}") } else { String::new() };
    print!("{:16} n {n:4} p {p:<5}{weights:13}", algorithm.name());
    print_sums(&sums);
    println!(" ({} draws, {:.1} s)", sums.draws, started.elapsed().as_secs_f64());
}

fn print_sums(sums: &Sums) {
    let share = |count: usize| count as f64 / sums.draws as f64;
    print!(" valid {:.4} same {:.4} distinct {:.3}", share(sums.valid), share(sums.same), share(sums.distinct));
}

fn over_graphs(
    algorithm: &dyn Algorithm,
    executors: &[Executor],
    case: &Case,
    execute: impl Fn(&Executor, &Instance, &mut Rng) -> (Vec<Execution>, usize) + Sync,
) -> Sums {
    let of_graph = |index: u64| {
        let (executor, graph) = (&executors[(index / case.graphs) as usize], index % case.graphs);
        let purpose = format!("executor {} n={} p={} w={}", algorithm.name(), case.n, case.p, case.weights);
        let instance = instance(algorithm, case, &mut Rng::stream(1_000, &purpose, graph));
        let mut rng = Rng::stream(2_000 + executor.settings().seed, &purpose, graph);
        let (drawn, same) = execute(executor, &instance, &mut rng);
        let prepared = algorithm.prepare(&instance).expect("its own kind of instance");
        let valid = drawn.iter().filter(|drawn| prepared.space().verify(&drawn.parents).is_ok()).count();
        let distinct: HashSet<_> = drawn.iter().map(|drawn| &drawn.parents).collect();
        Sums { valid, same, distinct: distinct.len(), draws: drawn.len() }
    };
    let all = (0..case.graphs * executors.len() as u64).into_par_iter().map(of_graph);
    all.reduce(Sums::default, |one, other| Sums {
        valid: one.valid + other.valid,
        same: one.same + other.same,
        distinct: one.distinct + other.distinct,
        draws: one.draws + other.draws,
    })
}

fn instance(algorithm: &dyn Algorithm, case: &Case, rng: &mut Rng) -> Instance {
    let instance = algorithm.instance(&GraphSettings { n: case.n, p: case.p, ..GraphSettings::default() }, rng);
    if case.weights == 0 {
        return instance;
    }
    // Other weights on the same edges; both directions of an edge have the same.
    let mut edges = vec![];
    for (one, other) in instance.graph.edges() {
        edges.push((one, other, Decimal::whole(1 + rng.below(case.weights as usize) as i64)));
    }
    let graph = Graph::weighted_undirected(case.n, edges).expect("the edges are those of a graph");
    Instance::with_source(graph, instance.source.expect("the algorithm has a source"))
}

/// Without quantisation, without supervised selections, and with softmax sampling instead of priorities.
fn ablations(algorithm: &dyn Algorithm, counts: &Counts) {
    type Change = fn(&mut ExecutorSettings);
    let variants: [(&str, Option<Softly>, Change); 3] = [
        ("no quantisation", Some(Softly::Largest), |settings| settings.quantise = false),
        ("selection not supervised", None, |settings| settings.supervise_selection = false),
        ("softmax, no priorities", Some(Softly::Sampled), |settings| settings.show_priorities = false),
    ];
    for (name, softly, change) in variants {
        let executors = trained(algorithm, counts, change);
        for (n, p) in [(5, 0.5), (16, 0.5), (64, 0.5), (64, 0.03)] {
            let case = Case { n, p, weights: 0, graphs: counts.graphs.min(16), draws: counts.draws };
            let execute = |executor: &Executor, instance: &Instance, rng: &mut Rng| {
                let draw = |_| match softly {
                    Some(how) => executor.draw_softly(instance, how, rng),
                    None => executor.draw(instance, rng),
                };
                ((0..case.draws).map(draw).collect(), 0)
            };
            let sums = over_graphs(algorithm, &executors, &case, execute);
            let share = |count: usize| count as f64 / sums.draws as f64;
            println!(
                "{:13} {name:25} n {n:3} p {p:<4} valid {:.3} distinct {:.3} ({} draws)",
                algorithm.name(),
                share(sums.valid),
                share(sums.distinct),
                sums.draws
            );
        }
    }
}
