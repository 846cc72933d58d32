//! The empirical distribution of 20 runs at n = 64, one order a run, as in the paper.
//!
//! `cargo bench --bench distribution`
//!
//! For comparison, the Python code behind the paper's tables took 249 ms (depth-first search) and 149 ms (Bellman-Ford) a graph; `benches/distribution_peers`
//! has fairer peers.

use criterion::Criterion;
use std::time::Duration;
use tiebreak::answers::Marginals;
use tiebreak::instance::{GraphSettings, Preset};
use tiebreak::pipeline::generate::runs;
use tiebreak::problems::ALGORITHMS;
use tiebreak::problems::ties::TiePolicy;
use tiebreak::random::Rng;

fn twenty_runs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("20 runs, n = 64");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    for &algorithm in ALGORITHMS {
        let settings = GraphSettings { n: 64, p: 0.5, preset: Preset::Text };
        let mut rng = Rng::stream(0, "bench", 0);
        let instance = algorithm.instance(&settings, &mut rng);
        group.bench_function(algorithm.name(), |bench| {
            bench.iter(|| {
                // Preparing an instance is part of the work.
                let prepared = algorithm.prepare(&instance).expect("its own instance");
                Marginals::from_runs(&runs(&*prepared, TiePolicy::OneOrder, None, 20, &mut rng))
            });
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    twenty_runs(&mut criterion);
    criterion.final_summary();
}
