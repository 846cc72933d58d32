//! Spanning trees: counts, draws and marginals of dense and of large graphs.
//!
//! `cargo bench --bench trees`

use criterion::Criterion;
use std::hint::black_box;
use std::time::Duration;
use tiebreak::problems::trees::{Arborescences, Classes, Limits, verify_forest};
use tiebreak::random::Rng;

/// A random graph whose edges have one of so many weights.
fn random(n: usize, m: usize, weights: usize) -> Vec<(usize, usize, i128)> {
    let mut rng = Rng::stream(0, "bench", n as u64);
    (0..m).map(|_| (rng.below(n), rng.below(n), rng.below(weights) as i128)).collect()
}

fn dense(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one weight");
    group.sample_size(10).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(300));
    for (n, m) in [(64, 504), (64, 2016), (300, 44_850), (1000, 125_000)] {
        let forests = Classes::new(n, &random(n, m, 1)).expect("ends are vertices");
        let limits = Limits::default();
        let mut rng = Rng::stream(0, "draws", 0);
        group.bench_function(format!("count, n={n} m={m}"), |bench| bench.iter(|| forests.count(&limits)));
        group.bench_function(format!("draw, n={n} m={m}"), |bench| bench.iter(|| forests.draw(&mut rng, &limits)));
        group.bench_function(format!("marginals, n={n} m={m}"), |bench| bench.iter(|| forests.marginals(&limits)));
    }
    group.finish();
}

fn knot(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("directed, one component");
    group.sample_size(10).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(300));
    for n in [64, 300] {
        let arcs: Vec<(usize, usize)> =
            random(n, n * n / 2, 1).into_iter().map(|(tail, head, _)| (tail, head)).collect();
        let trees = Arborescences::new(&vec![true; n], 0, &arcs).expect("ends are vertices");
        let limits = Limits::default();
        let mut rng = Rng::stream(0, "draws", 0);
        group.bench_function(format!("count, n={n}"), |bench| bench.iter(|| trees.count(&limits)));
        group.bench_function(format!("draw, n={n}"), |bench| bench.iter(|| trees.draw(&mut rng, &limits)));
        group.bench_function(format!("marginals, n={n}"), |bench| bench.iter(|| trees.marginals(&limits)));
        group.bench_function(format!("uses, n={n}"), |bench| bench.iter(|| trees.uses()));
    }
    group.finish();
}

fn large(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("10^6 edges");
    group.sample_size(10).measurement_time(Duration::from_secs(5)).warm_up_time(Duration::from_millis(300));
    for (n, weights) in [(200_000, 1_000_000), (200_000, 1000), (200_000, 1)] {
        let edges = random(n, 1_000_000, weights);
        let limits = Limits::default();
        let mut rng = Rng::stream(0, "draws", 0);
        let name = |what: &str| format!("{what}, {weights} weights");
        group.bench_function(name("classes"), |bench| bench.iter(|| Classes::new(n, black_box(&edges))));
        let forests = Classes::new(n, &edges).expect("ends are vertices");
        group.bench_function(name("draw"), |bench| bench.iter(|| forests.draw(&mut rng, &limits)));
        let drawn = forests.draw(&mut rng, &limits).expect("walks are short");
        group.bench_function(name("verify"), |bench| bench.iter(|| verify_forest(n, &edges, &drawn)));
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    dense(&mut criterion);
    knot(&mut criterion);
    large(&mut criterion);
    criterion.final_summary();
}
