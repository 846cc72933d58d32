//! Whether "an observed route is within tau of the cheapest with probability 90 %" holds for fresh trips: `cargo run --release --example learn_calibration -- [PROBLEMS]`.
//!
//! Each problem is a small synthetic city with a hidden cost of its own. A cost is learnt from 150 trips; 150 more say how often tau holds.

use tiebreak::instance::Weight;
use tiebreak::instance::io::{Format, ReadOptions, read_stream};
use tiebreak::learn::city::{City, CitySettings};
use tiebreak::learn::{
    EdgeTable, Freedom, LearnRequest, Loss, ObservationOptions, Predictor, learn, read_observations,
};
use tiebreak::solve::routes::RouteGraph;

const TRIPS: usize = 150;

/// How many of the fresh trips of a city are within tau.
fn within_tau(seed: u64) -> Result<usize, Box<dyn std::error::Error>> {
    let city = City::new(&CitySettings { columns: 5, rows: 5, seed, ..CitySettings::default() });
    let options = ReadOptions { weights_matter: false, ..ReadOptions::default() };
    let roads = EdgeTable::of(&read_stream(city.table().as_bytes(), Format::Csv, "roads", &options)?);
    let trips = city.trips(2 * TRIPS, seed);
    let (lines, plain) = (city.lines(&trips[..TRIPS]), ObservationOptions::default());
    let observed = read_observations(lines.as_bytes(), "trips", &roads.graph, &roads.names, &plain)?;
    let freedom = Freedom { loss: Some(Loss::Likelihood), predictor: Some(Predictor::Linear), per_edge: Some(false) };
    let request = LearnRequest { freedom, ..LearnRequest::default() };
    let cost = learn(&roads, &observed, &request, vec![], &mut |_| ())?.cost;
    let tau = cost.card.tau.ok_or("too few trips for tau")?;
    let graph = RouteGraph::counting_edges(&roads.graph)?.with_lengths(cost.costs(&roads, &[])?.weights)?;
    let vertex =
        |link: usize| roads.names.iter().position(|name| *name == city.names[link]).expect("a link of the table");
    let mut within = 0;
    for trip in &trips[TRIPS..] {
        let trip: Vec<usize> = trip.iter().map(|&link| vertex(link)).collect();
        let own: Weight = trip.windows(2).filter_map(|step| graph.length(step[0], step[1])).sum();
        let best = graph.target(trip[trip.len() - 1])?.distance(trip[0]).ok_or("a trip is a way")?;
        within += usize::from(own as f64 / best as f64 - 1.0 <= tau);
    }
    Ok(within)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problems: usize = std::env::args().nth(1).map_or(Ok(200), |text| text.parse())?;
    let shares: Vec<f64> = (0..problems as u64)
        .map(|seed| Ok(within_tau(seed)? as f64 / TRIPS as f64))
        .collect::<Result<_, Box<dyn std::error::Error>>>()?;
    let mean = shares.iter().sum::<f64>() / problems as f64;
    let deviation = (shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / problems as f64).sqrt();
    println!("{problems} problems, {TRIPS} trips learnt from and {TRIPS} fresh ones each:");
    println!(
        "{:.1} % of fresh trips are within tau (standard deviation over problems {:.1})",
        100.0 * mean,
        100.0 * deviation
    );
    Ok(())
}
