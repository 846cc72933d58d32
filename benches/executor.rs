//! One draw of the executor against the number of vertices, and the classical algorithm beside it.
//!
//! `cargo bench --bench executor`

use criterion::{BenchmarkId, Criterion};
use std::time::Duration;
use tiebreak::instance::GraphSettings;
use tiebreak::neural::executor::{Executor, Pairs, Priorities};
use tiebreak::problems::Algorithm;
use tiebreak::problems::forests::dfs;
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::random::Rng;

fn draws(criterion: &mut Criterion) {
    for algorithm in [&dfs::ORDERED as &dyn Algorithm, &BellmanFord] {
        let steps = algorithm.steps().expect("it has steps");
        let executor = Executor::built_in(algorithm).expect("there is a trained one");
        let mut group = criterion.benchmark_group(algorithm.name());
        group.sample_size(10).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
        for (n, p) in [(16, 0.5), (64, 0.5), (160, 0.5), (400, 0.5), (1_000, 0.5), (1_000, 0.01)] {
            let mut rng = Rng::stream(0, "bench", n as u64);
            let instance = algorithm.instance(&GraphSettings { n, p, ..GraphSettings::default() }, &mut rng);
            let id = |what: &str| BenchmarkId::new(what, format!("n={n} p={p}"));
            group.bench_function(id("draw"), |bench| bench.iter(|| executor.draw(&instance, &mut rng)));
            let pairs = Pairs::new(&instance);
            group.bench_function(id("draw, pairs at hand"), |bench| {
                bench.iter(|| executor.draw_on(&instance, &pairs, &mut rng));
            });
            let priorities = Priorities::draw(steps.frame(), &instance, &mut rng);
            group.bench_function(id("classical"), |bench| bench.iter(|| steps.solve_by(&instance, &priorities)));
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    draws(&mut criterion);
    criterion.final_summary();
}
