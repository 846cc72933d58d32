//! Exact counts: states a second, bytes a state, and how far that reaches.
//!
//! `cargo bench --bench count`; `cargo bench --bench count -- dfs` for one algorithm.
//!
//! The states of a count are the least effort with which it succeeds (to a hundredth), on the largest graph of a
//! stream that an effort of a million suffices for. A graph is reached when all of five seeded ones of its size are
//! counted within 10 seconds of processor time and 10^9 bytes.

#[path = "common/measure.rs"]
mod measure;

use tiebreak::instance::{Graph, Instance};
use tiebreak::problems::{Algorithm, Direction, by_name};
use tiebreak::random::Rng;

const EFFORT: usize = 1_000_000;
const SECONDS: f64 = 10.0;
const BYTES: usize = 1_000_000_000;
const SEEDS: u64 = 5;
/// Beyond, nobody would ask.
const MAX_VERTICES: usize = 400;

/// Each pair is an edge with probability p: directed; from lower to higher, where there may be no cycle; between two halves, where there are two sides.
fn random(algorithm: &dyn Algorithm, n: usize, p: f64, seed: u64) -> Instance {
    let needs = algorithm.needs();
    let mut rng = Rng::stream(seed, "counted", n as u64);
    let pairs = (0..n * n).map(|pair| (pair / n, pair % n));
    let is_pair = |&(tail, head): &(usize, usize)| match (needs.bipartite, needs.acyclic) {
        (true, _) => tail < n / 2 && head >= n / 2,
        (_, true) => tail < head,
        _ => tail != head,
    };
    let edges: Vec<(usize, usize)> = pairs.filter(is_pair).filter(|_| rng.chance(p)).collect();
    let graph = match needs.direction {
        Direction::Undirected => Graph::undirected(n, edges),
        _ => Graph::from_edges(n, edges),
    };
    Instance::new(graph.expect("each pair once"))
}

/// Whether a count succeeds, its processor seconds, and its bytes at the peak.
fn count(algorithm: &dyn Algorithm, instance: &Instance, effort: usize) -> (bool, f64, usize) {
    let prepared = algorithm.prepare(instance).expect("a graph as the algorithm needs it");
    let start = measure::time();
    let (counted, bytes) = measure::peak(|| prepared.space().count(effort).is_ok());
    (counted, (measure::time() - start).as_secs_f64(), bytes)
}

/// The least effort that suffices, to a hundredth.
fn states(algorithm: &dyn Algorithm, instance: &Instance) -> usize {
    let (mut too_few, mut enough) = (0, EFFORT);
    while enough - too_few > 1 + enough / 100 {
        let middle = too_few.midpoint(enough);
        match count(algorithm, instance, middle).0 {
            true => enough = middle,
            false => too_few = middle,
        }
    }
    enough
}

/// The largest size of which all graphs are counted within these bounds.
fn reached(algorithm: &dyn Algorithm, p: f64, from: usize, effort: usize, seeds: u64) -> usize {
    let is_reached = |n: &usize| {
        (0..seeds).all(|seed| {
            let (counted, seconds, bytes) = count(algorithm, &random(algorithm, *n, p, seed), effort);
            counted && seconds <= SECONDS && bytes <= BYTES
        })
    };
    let step = if algorithm.needs().bipartite { 2 } else { 1 };
    (from..MAX_VERTICES).step_by(step).take_while(is_reached).last().unwrap_or(from)
}

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!(
        "{:>18} {:>4} {:>5} {:>9} {:>9} {:>11} {:>14} {:>14}",
        "algorithm", "p", "n", "states", "seconds", "states a s", "bytes a state", "n in 10 s, 1 GB"
    );
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let names = ["dfs", "dfs-any-restart", "topological-sort", "matching"];
    for name in names.into_iter().filter(|name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name)) {
        let algorithm = by_name(name).expect("an algorithm of the crate");
        for p in [0.5, 0.1] {
            let n = reached(algorithm, p, 4, EFFORT, 1);
            let instance = random(algorithm, n, p, 0);
            let states = states(algorithm, &instance);
            let (_, _, bytes) = count(algorithm, &instance, EFFORT);
            let seconds_of_one = || measure::seconds(|| assert!(count(algorithm, &instance, EFFORT).0));
            let seconds = (0..3).map(|_| seconds_of_one()).fold(f64::INFINITY, f64::min);
            let (speed, size) = (states as f64 / seconds, bytes as f64 / states as f64);
            let effort = (SECONDS * speed).min(BYTES as f64 / size) as usize;
            let far = reached(algorithm, p, n.saturating_sub(8).max(4), effort, SEEDS);
            println!("{name:>18} {p:>4} {n:>5} {states:>9} {seconds:>9.4} {speed:>11.0} {size:>14.1} {far:>14}");
        }
    }
}
