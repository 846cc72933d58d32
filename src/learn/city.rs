//! A city that nobody lives in: roads with attributes like OpenStreetMap's, a hidden cost, and trips chosen by it. For tests, benchmarks and tutorials.
//!
//! The recipe:
//! 1. Crossings stand on a grid, each moved by up to .3 of a block in both directions; neighbours are joined by a street. Every fifth row and column is
//!    `primary`, every other fifth `secondary`, the rest `residential`. One residential street in eight is missing, one in three runs one way.
//! 2. A vertex of the graph is a *link* (a street in one direction), and an arc a permitted turn from one link to the next: any but back. The arc has the `length`
//!    (metres), `class` and `oneway` of the link that it enters, and its `turn`: `straight` within 35 degrees, otherwise `left` or `right`.
//! 3. The hidden cost of an arc is length / speed(class) + penalty(turn) + the link's own term, a normal number; speeds are 15, 11 and 7 metres a second, penalties 1, 8 and
//!    4 seconds (straight, left, right), and the term has standard deviation `own`. It is at least 2, in seconds, then divided by `temperature`.
//! 4. A trip goes between two uniformly drawn links at least `span` blocks apart, by a recursive logit over the hidden cost; one that meets a vertex twice is
//!    drawn again.

use super::walks::{LANES, WalkOrder, WalkSums};
use crate::instance::Graph;
use crate::random::{Rng, draw};
use std::fmt::Write;

/// What a city is made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CitySettings {
    /// Crossings from west to east.
    pub columns: usize,
    /// Crossings from south to north.
    pub rows: usize,
    /// Seconds that one unit of the logit stands for.
    pub temperature: f64,
    /// Standard deviation, in seconds, of what a link costs beside its columns.
    pub own: f64,
    /// Blocks between the ends of a trip, at least.
    pub span: f64,
    /// Seed of everything.
    pub seed: u64,
}

impl Default for CitySettings {
    fn default() -> Self {
        CitySettings { columns: 15, rows: 15, temperature: 5.0, own: 6.0, span: 3.0, seed: 0 }
    }
}

/// A city.
#[derive(Clone, Debug)]
pub struct City {
    /// Vertices are links, arcs are turns.
    pub graph: Graph,
    /// The name of each link.
    pub names: Vec<String>,
    /// The attributes of each arc.
    pub turns: Vec<Turn>,
    /// The hidden cost of each arc, in units of the logit.
    pub hidden: Vec<f64>,
    middles: Vec<(f64, f64)>,
    span: f64,
}

/// What is known of a turn and the link that it enters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Metres.
    pub length: f64,
    /// The class of the road.
    pub class: &'static str,
    /// Whether it runs one way.
    pub oneway: bool,
    /// The kind of turn.
    pub turn: &'static str,
}

const BLOCK: f64 = 150.0;
const CLASSES: [(&str, f64); 3] = [("primary", 15.0), ("secondary", 11.0), ("residential", 7.0)];

struct Link {
    from: usize,
    to: usize,
    class: usize,
    oneway: bool,
}

impl City {
    /// The city of a recipe.
    pub fn new(settings: &CitySettings) -> Self {
        let mut rng = Rng::stream(settings.seed, "city", 0);
        let places = crossings(settings, &mut rng);
        let links = links(settings, &mut rng);
        let own: Vec<f64> = links.iter().map(|_| settings.own * normal(&mut rng)).collect();
        let mut pairs = vec![];
        for (one, before) in links.iter().enumerate() {
            let next = links.iter().enumerate().filter(|(_, after)| after.from == before.to && after.to != before.from);
            pairs.extend(next.map(|(other, _)| (one, other)));
        }
        let graph = Graph::from_edges(links.len(), pairs).expect("turns are told apart");
        let turn = |(one, other): (usize, usize)| turn(&places, &links[one], &links[other]);
        let turns: Vec<Turn> = graph.arcs().map(turn).collect();
        let cost = |(turn, (_, head)): (&Turn, (usize, usize))| {
            let speed = CLASSES.iter().find(|(class, _)| *class == turn.class).map_or(7.0, |&(_, speed)| speed);
            let penalty = match turn.turn {
                "left" => 8.0,
                "right" => 4.0,
                _ => 1.0,
            };
            (turn.length / speed + penalty + own[head]).max(2.0) / settings.temperature
        };
        let hidden = turns.iter().zip(graph.arcs()).map(cost).collect();
        let middle = |link: &Link| {
            let (one, other) = (places[link.from], places[link.to]);
            ((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0)
        };
        let names = (0..links.len()).map(|link| format!("L{link}")).collect();
        City { graph, names, turns, hidden, middles: links.iter().map(middle).collect(), span: settings.span * BLOCK }
    }

    /// Trips by a logit over the hidden cost, as the vertices that they visit. Trip i of a seed is the same whatever the number.
    ///
    /// # Panics
    /// If the sum over all walks diverges under the hidden cost: the temperature is too high.
    pub fn trips(&self, count: usize, seed: u64) -> Vec<Vec<usize>> {
        let order = WalkOrder::new(&self.graph, u64::MAX).expect("no limit");
        let weights: Vec<f64> = self.hidden.iter().map(|cost| (-cost).exp()).collect();
        let sums = order.sums(&weights).expect("walks converge at this temperature");
        (0..count).map(|trip| self.trip(&order, &sums, &weights, seed, trip as u64)).collect()
    }

    fn trip(&self, order: &WalkOrder, sums: &WalkSums, weights: &[f64], seed: u64, trip: u64) -> Vec<usize> {
        let mut rng = Rng::stream(seed, "city trip", trip);
        loop {
            let (from, to) = (rng.below(self.graph.n()), rng.below(self.graph.n()));
            let (a, b) = (self.middles[from], self.middles[to]);
            if (a.0 - b.0).hypot(a.1 - b.1) < self.span {
                continue;
            }
            let mut reach = vec![[0.0; LANES]; self.graph.n()];
            reach[order.place(to)][0] = 1.0;
            sums.solve(&mut reach);
            if !reach[order.place(from)][0].is_normal() {
                continue;
            }
            let walk = |vertex: usize| {
                let first = self.graph.first_arc(vertex);
                let heads = self.graph.out_neighbours(vertex).iter().enumerate();
                heads.map(move |(place, &head)| (weights[first + place], head as usize))
            };
            let mut path = vec![from];
            while let Some(&last) = path.last().filter(|&&last| last != to) {
                let options: Vec<(f64, usize)> = walk(last).collect();
                let chances = options.iter().map(|&(weight, head)| weight * reach[order.place(head)][0]);
                let Some(choice) = draw(chances, &mut rng) else { break };
                let next = options[choice].1;
                if path.contains(&next) {
                    break;
                }
                path.push(next);
            }
            if path.last() == Some(&to) {
                return path;
            }
        }
    }

    /// The graph as a table: `from,to,length,class,oneway,turn`.
    pub fn table(&self) -> String {
        let mut text = "from,to,length,class,oneway,turn\n".to_owned();
        for ((tail, head), turn) in self.graph.arcs().zip(&self.turns) {
            let oneway = if turn.oneway { "yes" } else { "no" };
            let (from, to) = (&self.names[tail], &self.names[head]);
            let _ = writeln!(text, "{from},{to},{:.1},{},{oneway},{}", turn.length, turn.class, turn.turn);
        }
        text
    }

    /// Trips as JSON Lines.
    pub fn lines(&self, trips: &[Vec<usize>]) -> String {
        let line = |trip: &Vec<usize>| {
            let names: Vec<&str> = trip.iter().map(|&vertex| self.names[vertex].as_str()).collect();
            format!("{}\n", serde_json::json!({"path": names}))
        };
        trips.iter().map(line).collect()
    }
}

fn crossings(settings: &CitySettings, rng: &mut Rng) -> Vec<(f64, f64)> {
    let mut moved = |cell: usize| BLOCK * (cell as f64 + 0.6 * rng.unit() - 0.3);
    let cells = (0..settings.rows).flat_map(|y| (0..settings.columns).map(move |x| (x, y)));
    cells.map(|(x, y)| (moved(x), moved(y))).collect()
}

fn links(settings: &CitySettings, rng: &mut Rng) -> Vec<Link> {
    let crossing = |x: usize, y: usize| y * settings.columns + x;
    let class = |line: usize| match line % 5 {
        2 => 0,
        0 => 1,
        _ => 2,
    };
    let mut streets = vec![];
    for y in 0..settings.rows {
        for x in 0..settings.columns {
            if x + 1 < settings.columns {
                streets.push((crossing(x, y), crossing(x + 1, y), class(y)));
            }
            if y + 1 < settings.rows {
                streets.push((crossing(x, y), crossing(x, y + 1), class(x)));
            }
        }
    }
    let mut links = vec![];
    for (from, to, class) in streets {
        if class == 2 && rng.chance(1.0 / 8.0) {
            continue;
        }
        let oneway = class == 2 && rng.chance(1.0 / 3.0);
        let forward = !oneway || rng.chance(0.5);
        if forward {
            links.push(Link { from, to, class, oneway });
        }
        if !oneway || !forward {
            links.push(Link { from: to, to: from, class, oneway });
        }
    }
    links
}

fn turn(places: &[(f64, f64)], before: &Link, after: &Link) -> Turn {
    let vector = |link: &Link| (places[link.to].0 - places[link.from].0, places[link.to].1 - places[link.from].1);
    let (one, other) = (vector(before), vector(after));
    let angle = (one.0 * other.1 - one.1 * other.0).atan2(one.0 * other.0 + one.1 * other.1).to_degrees();
    let turn = match angle {
        35.0.. => "left",
        ..-35.0 => "right",
        _ => "straight",
    };
    Turn { length: other.0.hypot(other.1), class: CLASSES[after.class].0, oneway: after.oneway, turn }
}

/// A normal number (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    let mut number = [0.0];
    normals(rng, &mut number);
    number[0]
}

/// Normal numbers, two from a pair of uniform ones.
pub(super) fn normals(rng: &mut Rng, numbers: &mut [f64]) {
    for pair in numbers.chunks_mut(2) {
        let (one, other) = (1.0 - rng.unit(), rng.unit());
        let (sine, cosine) = (std::f64::consts::TAU * other).sin_cos();
        let radius = (-2.0 * one.ln()).sqrt();
        pair.iter_mut().zip([cosine, sine]).for_each(|(number, side)| *number = radius * side);
    }
}
