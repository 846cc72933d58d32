//! How the verifiers grow, what they take beside what memory alone takes, and how far ahead of the literal ones they are.
//!
//! `cargo bench --bench verify`; `cargo bench --bench verify -- dfs` for one algorithm.
//!
//! Growth: random sparse graphs with ten arcs a vertex, up to 10^7 arcs; the candidate is a real run, so nothing is
//! rejected early. A table of nanoseconds an arc comes first (processor time of one thread, the best of several
//! passes), then criterion's own figures up to 10^6 arcs. Preparing is what a graph needs of which nothing is known
//! (that it has no cycle, or two sides); verifying is done after it. The bound is what memory alone takes: one number
//! of eight bytes read at the head of each arc, in the order in which the graph has them, and the arc's weight, where
//! weights count. The next figure has, beside that, each chosen edge (a parent's, or one of a set) looked up where the graph
//! has it, at its weight, where weights count, and at a number at its ends (at the parent), one after the other: all that such
//! an answer consists of, at random. That is no bound, because a verifier may look things up in a better order, and does.
//! Bytes an arc are the most that both hold at once, beyond the graph and the candidate.
//!
//! `-- large` adds 10^8 arcs, where no cache holds the numbers; it takes 12 GB and some minutes for each algorithm.
//!
//! Ratio: the literal verifier of `tests/common/literal.rs` on the same candidate, timed once where it is slow.

#[path = "../tests/common/literal.rs"]
mod literal;
#[path = "common/measure.rs"]
mod measure;

use criterion::{BenchmarkId, Criterion, Throughput};
use std::hint::black_box;
use std::time::{Duration, Instant};
use tiebreak::answers::{Candidate, Form, IN};
use tiebreak::instance::{Decimal, Graph, GraphSettings, Instance, Preset, random_directed};
use tiebreak::problems::forests::dfs;
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::problems::ties::Free;
use tiebreak::problems::{ALGORITHMS, Algorithm, Direction};
use tiebreak::random::Rng;

const EDGES_PER_VERTEX: usize = 10;

/// About `edges` different random arcs (repeated ones are dropped) as the algorithm needs them, with weights from {1, 2, 3}. Undirected edges
/// lead from a lower vertex to a higher one, those of a graph without cycles from an earlier vertex of a random order to a later one; those of a
/// bipartite graph join an even and an odd one.
fn sparse_graph(algorithm: &dyn Algorithm, edges: usize) -> Graph {
    let n = edges / EDGES_PER_VERTEX;
    let undirected = algorithm.needs().direction == Direction::Undirected;
    let (ascending, bipartite) = (undirected || algorithm.needs().acyclic, algorithm.needs().bipartite);
    let mut rng = Rng::stream(0, "sparse", edges as u64);
    let mut pair = |_| {
        let (one, other) = (rng.below(n) as u32, rng.below(n) as u32);
        if bipartite {
            return (one / 2 * 2, other / 2 * 2 + 1);
        }
        if ascending { (one.min(other), one.max(other)) } else { (one, other) }
    };
    let mut pairs: Vec<(u32, u32)> = (0..if undirected { edges / 2 } else { edges }).map(&mut pair).collect();
    pairs.retain(|(one, other)| !ascending || one != other);
    pairs.sort_unstable();
    pairs.dedup();
    if algorithm.needs().acyclic {
        let mut name: Vec<u32> = (0..n as u32).collect();
        rng.shuffle(&mut name);
        pairs.iter_mut().for_each(|(tail, head)| (*tail, *head) = (name[*tail as usize], name[*head as usize]));
    }
    let weight = |tail: u32, head: u32| Decimal::whole(1 + i64::from((tail ^ head) % 3));
    let weighted = pairs.into_iter().map(|(tail, head)| (tail as usize, head as usize, weight(tail, head)));
    if undirected { Graph::weighted_undirected(n, weighted) } else { Graph::weighted(n, weighted) }
        .expect("each pair once")
}

fn solved(algorithm: &dyn Algorithm, graph: Graph) -> (Instance, Candidate) {
    let instance = Instance::of_graph(graph, algorithm.needs().source.then_some(0));
    let prepared = algorithm.prepare(&instance).expect("a graph as the algorithm needs it");
    let run = prepared.run(&mut Free(&mut Rng::stream(0, "run", 0)));
    drop(prepared);
    (instance, run)
}

/// One check, with the preparation that a graph needs of which nothing is known.
fn accepts(algorithm: &dyn Algorithm, instance: &Instance, candidate: &Candidate) -> bool {
    algorithm.prepare(instance).expect("a graph as the algorithm needs it").space().verify(candidate).is_ok()
}

fn time_once(work: impl FnOnce() -> bool) -> Duration {
    let start = Instant::now();
    assert!(black_box(work()), "a run is valid");
    start.elapsed()
}

fn best_of(passes: usize, mut work: impl FnMut() -> bool) -> Duration {
    (0..passes).map(|_| time_once(&mut work)).min().expect("at least one pass")
}

fn print_growth() {
    println!(
        "{:>18} {:>9} {:>9} {:>12} {:>12} {:>8} {:>7} {:>12} {:>7} {:>13}",
        "algorithm",
        "vertices",
        "arcs",
        "prepare, ns",
        "verify, ns",
        "bound",
        "ratio",
        "and look-ups",
        "ratio",
        "bytes an arc"
    );
    let (mut wanted, mut sizes) = (vec![], vec![100_000, 1_000_000, 10_000_000]);
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with('-')) {
        match argument.as_str() {
            "large" => sizes.push(100_000_000),
            _ => wanted.push(argument),
        }
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    for &algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.problem().items.is_none()) {
        if is_wanted(algorithm.name()) {
            sizes.iter().for_each(|&edges| print_row(algorithm, edges));
        }
    }
}

fn print_row(algorithm: &dyn Algorithm, edges: usize) {
    let (instance, run) = solved(algorithm, sparse_graph(algorithm, edges));
    let prepare = || algorithm.prepare(&instance).expect("a graph as the algorithm needs it");
    let mut numbers: Vec<u64> = (1..=instance.n() as u64).collect();
    let chosen = chosen_edges(&instance.graph, &run);
    let passes = (20_000_000 / edges).clamp(3, 20);
    // In turns, so that whoever else uses the machine slows all of them down.
    let mut best = [f64::INFINITY; 4];
    for _ in 0..passes {
        let times = [
            measure::seconds(|| drop(black_box(prepare()))),
            // Prepared anew, so that nothing is known from the pass before.
            {
                let prepared = prepare();
                measure::seconds(|| assert!(prepared.space().verify(&run).is_ok(), "a run is right"))
            },
            measure::seconds(|| assert!(reads_every_arc(algorithm, &instance.graph, &numbers))),
            measure::seconds(|| looks_up(algorithm, &instance.graph, &chosen, &mut numbers)),
        ];
        best.iter_mut().zip(times).for_each(|(best, time)| *best = best.min(time));
    }
    let (_, bytes) = measure::peak(|| accepts(algorithm, &instance, &run));
    let arcs = instance.graph.arc_count();
    let [prepared, verified, bound, looked_up] = best.map(|seconds| seconds * 1e9 / arcs as f64);
    let at_random = bound + looked_up;
    println!(
        "{:>18} {:>9} {arcs:>9} {prepared:>12.1} {verified:>12.1} {bound:>8.2} {:>7.1} {at_random:>12.2} {:>7.1} {:>13.1}",
        algorithm.name(),
        instance.n(),
        verified / bound,
        verified / at_random,
        bytes as f64 / arcs as f64
    );
}

/// What any check that looks at both ends of every arc has to do, and at its weight, where weights count.
fn reads_every_arc(algorithm: &dyn Algorithm, graph: &Graph, numbers: &[u64]) -> bool {
    let mut sum = 0u64;
    for tail in 0..graph.n() {
        match algorithm.needs().weights.are_used() {
            true => graph.each_out_edge(tail, |head, weight| sum += numbers[head] + weight as u64),
            false => sum += graph.out_neighbours(tail).iter().map(|&head| numbers[head as usize]).sum::<u64>(),
        }
    }
    black_box(sum) > 0
}

/// The chosen edges of a tree, from parents to children, or of a set; none of an order.
fn chosen_edges(graph: &Graph, candidate: &Candidate) -> Vec<(u32, u32)> {
    let short = |(one, other): (usize, usize)| (one as u32, other as u32);
    let is_chosen = |&(_, &choice): &(_, &u32)| choice as usize == IN;
    match candidate.form() {
        Form::Parents => candidate.parents().edges().map(short).collect(),
        Form::Edges => graph.edges().zip(candidate.choices()).filter(is_chosen).map(|(edge, _)| short(edge)).collect(),
        _ => vec![],
    }
}

/// Looks each chosen edge up in the graph, and changes a number at its ends.
fn looks_up(algorithm: &dyn Algorithm, graph: &Graph, chosen: &[(u32, u32)], numbers: &mut [u64]) {
    let weights = algorithm.needs().weights.are_used();
    for &(one, other) in chosen {
        let arc = graph.arc(one as usize, other as usize).expect("a run takes edges");
        numbers[one as usize] += if weights { graph.weight_of(arc) as u64 } else { 1 };
        if algorithm.problem().form == Form::Edges {
            numbers[other as usize] += 1;
        }
    }
    black_box(numbers);
}

/// Vertex 0 leads to all, and each other vertex to all that come after it. The candidate is the star: the literal
/// verifier tries every child before it finds that the last one has to come first.
fn star_over_tournament(n: usize) -> (Instance, Candidate) {
    let pairs = (0..n).flat_map(|tail| (tail + 1..n).map(move |head| (tail, head)));
    let star = Candidate::from_parents(vec![0; n]).expect("0 is a vertex");
    (Instance::new(Graph::from_edges(n, pairs).expect("each pair once")), star)
}

fn dense(n: usize) -> (Instance, Candidate) {
    let settings = GraphSettings { n, p: 0.5, preset: Preset::Text };
    solved(&dfs::ORDERED, random_directed(&settings, &mut Rng::stream(0, "dense", n as u64)))
}

fn print_ratios() {
    println!("\n{:>22} {:>5} {:>12} {:>12} {:>10}", "depth-first search on", "n", "exact", "literal", "ratio");
    for n in [128, 256, 512] {
        for (name, (instance, run)) in [("G(n, 1/2)", dense(n)), ("star over tournament", star_over_tournament(n))] {
            let exact = best_of(20, || accepts(&dfs::ORDERED, &instance, &run));
            let literal = time_once(|| literal::ordered_restarts(&instance.graph, run.parents()));
            let ratio = literal.as_secs_f64() / exact.as_secs_f64();
            println!("{name:>22} {n:>5} {exact:>12.2?} {literal:>12.2?} {ratio:>10.0}");
        }
    }
    println!();
}

fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("verify");
    group.sample_size(10).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    let algorithms: [&dyn Algorithm; 2] = [&dfs::ORDERED, &BellmanFord];
    for algorithm in algorithms {
        for edges in [10_000, 100_000, 1_000_000] {
            let (instance, run) = solved(algorithm, sparse_graph(algorithm, edges));
            group.throughput(Throughput::Elements(instance.graph.arc_count() as u64));
            group.bench_function(BenchmarkId::new(algorithm.name(), edges), |bench| {
                bench.iter(|| accepts(algorithm, &instance, &run));
            });
        }
    }
    group.finish();
}

fn main() {
    // Only for `cargo bench`: where benches are merely tried out, as by `cargo test --benches`, tables take too long.
    if std::env::args().any(|argument| argument == "--bench") {
        print_growth();
        print_ratios();
    }
    let mut criterion = Criterion::default().configure_from_args();
    growth(&mut criterion);
    criterion.final_summary();
}
