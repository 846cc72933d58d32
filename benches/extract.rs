//! One draw of each extractor, and one check, at n = 64 on the distribution of 20 runs.
//!
//! `cargo bench --bench extract`
//!
//! For comparison, the earlier Python code took 979 ms (Beam), 4.7 ms (Greedy) and 18 ms (Upwards) a draw, and 26 ms
//! for a check with the paper's verifier H.

use criterion::{BenchmarkId, Criterion};
use std::time::Duration;
use tiebreak::algorithms::{ALGORITHMS, Algorithm};
use tiebreak::graph::{GraphSettings, Instance, Preset};
use tiebreak::parents::{ParentArray, ParentDistribution};
use tiebreak::random::Rng;
use tiebreak::ties::{TiePolicy, with_random_ties};

const N: usize = 64;

fn twenty_runs(algorithm: &dyn Algorithm) -> (Instance, Vec<ParentArray>) {
    let mut rng = Rng::stream(0, "bench", 0);
    let instance = algorithm.instance(&GraphSettings { n: N, p: 0.5, preset: Preset::Text }, &mut rng);
    let run = |_| with_random_ties(TiePolicy::OneOrder, N, None, &mut rng, |ties| algorithm.solve(&instance, ties));
    let runs = (0..20).map(run).collect();
    (instance, runs)
}

fn draws_and_checks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("n = 64");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    for &algorithm in ALGORITHMS {
        let (instance, runs) = twenty_runs(algorithm);
        let parents = ParentDistribution::from_runs(&runs);
        for &extractor in algorithm.extractors() {
            let mut rng = Rng::stream(0, "draws", 0);
            group.bench_function(BenchmarkId::new(algorithm.name(), extractor.name()), |bench| {
                bench.iter(|| extractor.extract(&instance, &parents, &mut rng));
            });
        }
        group.bench_function(BenchmarkId::new(algorithm.name(), "verify"), |bench| {
            bench.iter(|| algorithm.verify(&instance, &runs[0]).is_ok());
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    draws_and_checks(&mut criterion);
    criterion.final_summary();
}
