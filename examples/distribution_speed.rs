//! Milliseconds of processor time that the marginals of 20 runs take, for `benches/distribution_peers/run.py`: one line of JSON.
//!
//! `cargo run --release --example distribution_speed -- ALGORITHM VERTICES GRAPHS`

mod processor_time;

use processor_time::processor_seconds;
use tiebreak::answers::Marginals;
use tiebreak::instance::{GraphSettings, Preset};
use tiebreak::pipeline::generate::{instance, runs};
use tiebreak::problems::by_name;
use tiebreak::problems::ties::TiePolicy;
use tiebreak::random::Rng;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, n, graphs] = &arguments[..] else { panic!("three arguments: algorithm, vertices, graphs") };
    let algorithm = by_name(name).expect("the name of an algorithm");
    let (n, graphs): (usize, u64) = (n.parse().expect("a number"), graphs.parse().expect("a number"));
    let settings = GraphSettings { n, p: 0.5, preset: Preset::Text };
    let instances: Vec<_> = (0..graphs).map(|index| instance(algorithm, &settings, 0, index)).collect();
    let before = processor_seconds();
    let mut sum = 0.0;
    for (index, instance) in instances.iter().enumerate() {
        // Preparing an instance is part of the work.
        let prepared = algorithm.prepare(instance).expect("its own instance");
        let mut rng = Rng::stream(0, "speed", index as u64);
        sum += Marginals::from_runs(&runs(&*prepared, TiePolicy::OneOrder, None, 20, &mut rng)).row(0)[0];
    }
    let milliseconds = (processor_seconds() - before) * 1e3 / graphs as f64;
    println!("{{\"milliseconds\": {milliseconds}, \"check\": {sum}}}");
}
