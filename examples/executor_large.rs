//! What an execution costs on a large sparse graph, beside the classical run with the same priorities.
//!
//! `cargo run --release --example executor_large -- [vertices] [undirected edges]` (100,000 and 300,000 if left out)

use std::time::Instant;
use tiebreak::instance::{Decimal, Graph, Instance};
use tiebreak::neural::executor::{Executor, Pairs, Priorities};
use tiebreak::problems::{ALGORITHMS, Algorithm};
use tiebreak::random::Rng;

fn main() {
    let number =
        |place: usize, usual: usize| std::env::args().nth(place).map_or(usual, |text| text.parse().expect("a number"));
    let (n, m) = (number(1, 100_000), number(2, 300_000));
    let instance = random_sparse(n, m, &mut Rng::stream(0, "large", 0));
    let started = Instant::now();
    let pairs = Pairs::new(&instance);
    println!("{n} vertices, {m} undirected edges, weights 1 to 20; pairs in {:.2} s", started.elapsed().as_secs_f64());
    let covered = |algorithm: &&&'static dyn Algorithm| algorithm.needs().source && !algorithm.needs().acyclic;
    for &algorithm in ALGORITHMS.iter().filter(covered) {
        let (Ok(executor), Ok(steps)) = (Executor::built_in(algorithm), algorithm.steps()) else { continue };
        let mut rng = Rng::stream(0, "large draws", 0);
        let priorities = Priorities::draw(steps.frame(), &instance, &mut rng);
        let started = Instant::now();
        let execution = executor.execute(&instance, &pairs, &priorities, rng.next_u64());
        let executed = started.elapsed().as_secs_f64();
        let started = Instant::now();
        let classical = steps.solve_by(&instance, &priorities);
        let solved = started.elapsed().as_secs_f64();
        println!(
            "{:12} executor {executed:.2} s in {} steps, classical {solved:.3} s ({:.0} times), same: {}",
            steps.algorithm(),
            execution.steps,
            executed / solved,
            execution.parents == classical
        );
    }
}

/// Edges between random vertices, each once.
fn random_sparse(n: usize, m: usize, rng: &mut Rng) -> Instance {
    let mut ends = std::collections::BTreeSet::new();
    while ends.len() < m {
        let (one, other) = (rng.below(n), rng.below(n));
        if one != other {
            ends.insert((one.min(other), one.max(other)));
        }
    }
    let edges = ends.into_iter().map(|(one, other)| (one, other, Decimal::whole(1 + rng.below(20) as i64)));
    let graph = Graph::weighted_undirected(n, edges.collect::<Vec<_>>());
    Instance::with_source(graph.expect("each edge is drawn once"), 0)
}
