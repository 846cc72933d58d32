//! The empirical distribution of 20 runs at n = 64, one order a run, as in the paper.
//!
//! `cargo bench --bench distribution`
//!
//! For comparison, the earlier Python code took 249 ms (depth-first search) and 149 ms (Bellman-Ford) a graph.

use criterion::Criterion;
use std::time::Duration;
use tiebreak::algorithms::ALGORITHMS;
use tiebreak::graph::{GraphSettings, Preset};
use tiebreak::parents::ParentDistribution;
use tiebreak::random::Rng;
use tiebreak::ties::{TiePolicy, with_random_ties};

fn twenty_runs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("20 runs, n = 64");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    for &algorithm in ALGORITHMS {
        let settings = GraphSettings { n: 64, p: 0.5, preset: Preset::Text };
        let mut rng = Rng::stream(0, "bench", 0);
        let instance = algorithm.instance(&settings, &mut rng);
        group.bench_function(algorithm.name(), |bench| {
            bench.iter(|| {
                let run = |_| {
                    with_random_ties(TiePolicy::OneOrder, 64, None, &mut rng, |ties| algorithm.solve(&instance, ties))
                };
                ParentDistribution::from_runs(&(0..20).map(run).collect::<Vec<_>>())
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
