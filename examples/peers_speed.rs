//! Seconds (wall clock, processor) from a graph in memory to one answer, for `benches/peers/run.py`: one line of JSON.
//!
//! `cargo run --release --example peers_speed -- ALGORITHM FILE`, where ALGORITHM may also be `read` (the file itself) or `routes` (ten of them).

mod processor_time;

use processor_time::processor_seconds;
use std::time::Instant;
use tiebreak::instance::Instance;
use tiebreak::instance::io::{ReadOptions, read_graph};
use tiebreak::problems::ties::{TiePolicy, with_random_ties};
use tiebreak::problems::{Direction, by_name};
use tiebreak::random::Rng;
use tiebreak::solve::routes::{RouteGraph, RouteRequest};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, path] = &arguments[..] else { panic!("two arguments: algorithm, file") };
    let algorithm = by_name(name);
    let undirected = algorithm.is_some_and(|known| known.needs().direction == Direction::Undirected);
    let options = ReadOptions { undirected, ..ReadOptions::default() };
    let (mut started, mut before) = (Instant::now(), processor_seconds());
    let graph = read_graph(path.as_ref(), None, &options).expect("a graph").graph;
    if name != "read" {
        (started, before) = (Instant::now(), processor_seconds());
    }
    if let Some(algorithm) = algorithm {
        let source = algorithm.needs().source.then_some(0);
        let instance = Instance::of_graph(graph, source);
        let prepared = algorithm.prepare(&instance).expect("an instance of the algorithm");
        let mut rng = Rng::stream(0, "speed", 0);
        with_random_ties(TiePolicy::Free, instance.n(), None, &mut rng, |ties| prepared.run(ties));
    } else if name == "routes" {
        let graph = RouteGraph::new(&graph).expect("lengths that can be added");
        // The ends of the first edge of the file.
        graph.find(0, 1, &RouteRequest { k: 10, ..RouteRequest::default() }).expect("routes");
    }
    println!("[{}, {}]", started.elapsed().as_secs_f64(), processor_seconds() - before);
}
