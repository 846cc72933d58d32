//! Several verified solutions of a graph of one's own, in a few lines: `cargo run --release --example solve`.

use tiebreak::instance::Instance;
use tiebreak::instance::io::{ReadOptions, read_graph};
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::solve::{Demand, Demands, Request, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = ReadOptions { undirected: true, ..ReadOptions::default() };
    let roads = read_graph("docs/data/roads.csv".as_ref(), None, &options)?;
    let vertex = |name: &str| roads.index_of(name).ok_or_else(|| format!("there is no {name}"));
    let instance = Instance::with_source(roads.graph.clone(), vertex("Harbour")?);

    let closed = Demand::Edge { tail: vertex("Ropewalk")?, head: vertex("Customs")?, either_way: true };
    let demands = Demands { avoid: vec![closed], ..Demands::default() };
    let solved = solve(&BellmanFord, &instance, &Request { k: 3, demands, diverse: true, ..Request::default() })?;

    println!("{} of {} shortest-path trees without the closed road", solved.solutions.len(), solved.count);
    for solution in &solved.solutions {
        let parent = solution.candidate.parents().of(vertex("Summit")?);
        println!("by the {}: to Summit through {}", solution.origin, roads.names[parent]);
    }
    Ok(())
}
