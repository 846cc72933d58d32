//! One draw of each extractor, and one check, at n = 64 on the distribution of 20 runs.
//!
//! `cargo bench --bench extract`
//!
//! For comparison, the earlier Python code took 979 ms (Beam), 4.7 ms (Greedy) and 18 ms (Upwards) a draw, and 26 ms
//! for a check with the paper's verifier H.

use criterion::{BenchmarkId, Criterion};
use std::time::Duration;
use tiebreak::answers::{Candidate, Marginals};
use tiebreak::instance::{GraphSettings, Instance, Preset};
use tiebreak::pipeline::generate::runs;
use tiebreak::problems::ties::TiePolicy;
use tiebreak::problems::{ALGORITHMS, Algorithm};
use tiebreak::random::Rng;

const N: usize = 64;

fn twenty_runs(algorithm: &dyn Algorithm) -> (Instance, Vec<Candidate>) {
    let mut rng = Rng::stream(0, "bench", 0);
    let instance = algorithm.instance(&GraphSettings { n: N, p: 0.5, preset: Preset::Text }, &mut rng);
    let prepared = algorithm.prepare(&instance).expect("its own instance");
    let runs = runs(&*prepared, TiePolicy::OneOrder, None, 20, &mut rng);
    drop(prepared);
    (instance, runs)
}

fn draws_and_checks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("n = 64");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    for &algorithm in ALGORITHMS {
        let (instance, runs) = twenty_runs(algorithm);
        let parents = Marginals::from_runs(&runs);
        for &extractor in algorithm.problem().extractors {
            let mut rng = Rng::stream(0, "draws", 0);
            group.bench_function(BenchmarkId::new(algorithm.name(), extractor.name()), |bench| {
                bench.iter(|| extractor.extract(&instance, &parents, &mut rng));
            });
        }
        group.bench_function(BenchmarkId::new(algorithm.name(), "verify"), |bench| {
            // With the preparation: what one check takes where nothing is known of the graph.
            bench.iter(|| algorithm.prepare(&instance).expect("its own instance").space().verify(&runs[0]).is_ok());
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    draws_and_checks(&mut criterion);
    criterion.final_summary();
}
