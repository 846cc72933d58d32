//! Writes a synthetic city: `cargo run --release --example city -- FOLDER [COLUMNS ROWS TRIPS TEMPERATURE OWN SEED]`.
//!
//! `roads.csv` is the graph, `trips.jsonl` what people did, `fresh.jsonl` as many trips that nobody learns from, `queries.jsonl` their ends, and `hidden.csv` what
//! the turns cost those people.

use std::fs;
use std::path::PathBuf;
use tiebreak::learn::city::{City, CitySettings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let numbers: Vec<f64> = arguments.map(|text| text.parse()).collect::<Result<_, _>>()?;
    let number = |place: usize, usual: f64| numbers.get(place).copied().unwrap_or(usual);
    let usual = CitySettings::default();
    let settings = CitySettings {
        columns: number(0, usual.columns as f64) as usize,
        rows: number(1, usual.rows as f64) as usize,
        temperature: number(3, usual.temperature),
        own: number(4, usual.own),
        seed: number(5, usual.seed as f64) as u64,
        ..usual
    };
    let (city, count) = (City::new(&settings), number(2, 1000.0) as usize);
    let trips = city.trips(2 * count, settings.seed);
    let (observed, fresh) = trips.split_at(count);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("roads.csv"), city.table())?;
    let hidden = city.graph.arcs().zip(&city.hidden);
    let row =
        |((tail, head), cost): ((usize, usize), &f64)| format!("{},{},{cost:.6}\n", city.names[tail], city.names[head]);
    fs::write(folder.join("hidden.csv"), "from,to,cost\n".to_owned() + &hidden.map(row).collect::<String>())?;
    fs::write(folder.join("trips.jsonl"), city.lines(observed))?;
    fs::write(folder.join("fresh.jsonl"), city.lines(fresh))?;
    let query = |trip: &Vec<usize>| {
        format!("{}\n", serde_json::json!({"from": city.names[trip[0]], "to": city.names[trip[trip.len() - 1]]}))
    };
    fs::write(folder.join("queries.jsonl"), fresh.iter().map(query).collect::<String>())?;
    println!("{} links, {} turns, {count} trips", city.graph.n(), city.graph.arc_count());
    Ok(())
}
