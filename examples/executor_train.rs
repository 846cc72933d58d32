//! Trains an executor for each algorithm that has steps, prints its certificate, and writes `models/executor-*`.
//!
//! `cargo run --release --example executor_train -- [first seed] [number of seeds] [directory] [algorithm]`
//!
//! The model written is that of the first seed whose certificate is exact; without a directory, or with `-`, nothing is
//! written. Without an algorithm each that has steps is trained.

use std::path::Path;
use std::time::Instant;

use tiebreak::files::write_atomically;
use tiebreak::neural::executor::{Executor, ExecutorSettings};
use tiebreak::problems::ALGORITHMS;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, usual: u64| arguments.get(place).map_or(usual, |text| text.parse().expect("a number"));
    let (first, count) = (number(0, 0), number(1, 1));
    let directory = arguments.get(2).filter(|&directory| directory != "-");
    let all = ALGORITHMS.iter().filter_map(|algorithm| algorithm.steps().ok());
    let wanted = |name: &str| arguments.get(3).is_none_or(|only| only == name);
    for steps in all.filter(|steps| wanted(steps.algorithm())) {
        let mut written = false;
        for seed in first..first + count {
            let started = Instant::now();
            let executor = Executor::train(steps, &ExecutorSettings::of(steps.algorithm(), seed), &mut |_| ());
            let certificate = executor.certificate();
            let seconds = started.elapsed().as_secs_f64();
            println!(
                "{} seed {seed}: {seconds:.1} s, {} parameters, {certificate}",
                steps.algorithm(),
                executor.parameters()
            );
            certificate.invalid.iter().chain(&certificate.inexact).for_each(|reason| println!("  {reason}"));
            if let (Some(directory), true, false) = (directory, certificate.is_exact(), written) {
                let path = Path::new(directory).join(format!("executor-{}.safetensors", steps.algorithm()));
                write_atomically(&path, &executor.to_bytes()).expect("the directory can be written to");
                written = true;
            }
        }
    }
}
