//! The laws of the graph files: what is written reads back, what is malformed is named, and no bytes cause a panic.

mod arrays;
mod bounds;
mod malformed;
mod networkx;
mod noise;
mod own_data;
mod programs;
mod real;
mod round_trips;

use tiebreak::instance::io::{Format, NamedGraph, ReadError, ReadOptions, read_from};
use tiebreak::instance::{Decimal, Graph, MAX_VERTICES};
use tiebreak::random::Rng;

/// Every format that can be read and written.
fn written() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|&format| format.can_be_read() && format.can_be_written())
}

fn read(bytes: &[u8], format: Format) -> Result<NamedGraph, ReadError> {
    read_from(bytes, format, "file", &ReadOptions::default())
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// Names that trip over one format or another.
const NAMES: [&str; 26] = [
    "a,b",
    "say \"x\"",
    "two\nlines",
    "dos\r\nlines",
    "ü🙂",
    "<&>'",
    " space before",
    "and after ",
    "",
    "tab\there",
    "#no",
    "% comment",
    "u",
    "v",
    "source",
    "target",
    "-1",
    "007",
    "back\\slash",
    "{}",
    "nan",
    "]]>",
    "&amp;",
    "\"",
    "\u{85}x",
    "1e3",
];

/// The weights of a random graph.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Weights {
    None,
    Whole,
    Decimals,
    /// Signs, zeros, and more digits than a float has.
    Any,
}

fn random_graph(rng: &mut Rng) -> NamedGraph {
    let n = rng.below(11);
    let weights = [Weights::None, Weights::Whole, Weights::Decimals, Weights::Any][rng.below(4)];
    let (directed, p) = (rng.chance(0.5), rng.unit());
    let mut edges = vec![];
    for one in 0..n {
        for other in if directed { 0 } else { one }..n {
            if rng.chance(p) {
                let weight = random_weight(weights, rng);
                edges.push((one, other, weight));
            }
        }
    }
    let ends = edges.iter().map(|&(tail, head, _)| (tail, head));
    let graph = match (weights, directed) {
        (Weights::None, true) => Graph::from_edges(n, ends),
        (Weights::None, false) => Graph::undirected(n, ends),
        (_, true) => Graph::weighted(n, edges),
        (_, false) => Graph::weighted_undirected(n, edges),
    };
    NamedGraph { graph: graph.unwrap(), names: random_names(n, rng), directed }
}

fn random_weight(weights: Weights, rng: &mut Rng) -> Decimal {
    match weights {
        Weights::None | Weights::Whole => Decimal::whole(1 + rng.below(9) as i64),
        Weights::Decimals => Decimal::scaled(1 + rng.below(999) as i128, 3),
        Weights::Any => {
            let digits = decimal(["0", "-7", "0.1", "123456789012345678901.5", "1e20"][rng.below(5)]);
            Decimal::scaled(digits.at_scale(1).unwrap(), 1 + rng.below(3) as u32)
        }
    }
}

fn random_names(n: usize, rng: &mut Rng) -> Vec<String> {
    let numbered = rng.chance(0.4);
    let mut names: Vec<String> = match numbered {
        true => (0..n).map(|number| number.to_string()).collect(),
        false => NAMES.iter().map(|&name| name.to_owned()).collect(),
    };
    rng.shuffle(&mut names);
    names.truncate(n);
    names
}

/// Not a test of numbers: the largest graph must stay within what the readers store in 32 bits.
#[test]
fn the_default_limit_fits_the_indices() {
    assert!(ReadOptions::default().max_vertices <= MAX_VERTICES);
}
