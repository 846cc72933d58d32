//! Shortest-path trees verified while edges go by, at 10^6, 10^7 and 10^8 edges.
//!
//! `cargo bench --bench stream`
//!
//! The edges are made as they go by, ten for each head: one from its parent in a random tree, nine from vertices anywhere, too long to be a shortcut. Making
//! them is measured alone; the bound is making them and reading one number of eight bytes at both ends, once for each pass.

#[path = "common/measure.rs"]
mod measure;

use std::hint::black_box;
use tiebreak::answers::Candidate;
use tiebreak::problems::stream::is_shortest_path_tree;

const EDGES_PER_VERTEX: usize = 10;
const PASSES: f64 = 2.0;

/// Bits that look random, of a number and its kind.
fn mixed(number: u64, kind: u64) -> u64 {
    let once = (number ^ kind << 56).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (once ^ once >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 7
}

fn parent(vertex: u32) -> u32 {
    if vertex == 0 { 0 } else { (mixed(vertex.into(), 0) % u64::from(vertex)) as u32 }
}

/// All edges; those that are in no tree have this weight and more.
fn edges(n: usize, long: i64) -> impl Iterator<Item = (u32, u32, i64)> {
    (0..n as u32).flat_map(move |head| {
        let others = (1..EDGES_PER_VERTEX as u64).map(move |kind| {
            let random = mixed(head.into(), kind);
            ((random % n as u64) as u32, head, long + (random >> 50) as i64 % 3)
        });
        std::iter::once((parent(head), head, 1 + i64::from(head % 3))).chain(others)
    })
}

/// A pass in which little is done with each edge.
fn go_by(n: usize, long: i64, each: impl Fn((u32, u32, i64)) -> u64) {
    black_box(edges(n, long).map(each).fold(0, u64::wrapping_add));
}

fn print_row(count: usize) {
    let n = count / EDGES_PER_VERTEX;
    let candidate = Candidate::from_each_vertex(n, |vertex| parent(vertex as u32) as usize);
    // No path of a tree is longer.
    let long = 3 * n as i64;
    let numbers: Vec<u64> = (0..n as u64).collect();
    let mut best = [f64::INFINITY; 3];
    for _ in 0..3 {
        let times = [
            measure::seconds(|| go_by(n, long, |(tail, head, weight)| u64::from(tail ^ head) ^ weight as u64)),
            measure::seconds(|| go_by(n, long, |(tail, head, _)| numbers[tail as usize] ^ numbers[head as usize])),
            measure::seconds(|| {
                let is_right = is_shortest_path_tree(0, candidate.parents(), || edges(n, long));
                assert!(is_right.expect("weights are small"), "it is one");
            }),
        ];
        best.iter_mut().zip(times).for_each(|(best, time)| *best = best.min(time));
    }
    let (_, bytes) = measure::peak(|| is_shortest_path_tree(0, candidate.parents(), || edges(n, long)));
    let [making, reading, verifying] = best.map(|seconds| seconds * 1e9 / count as f64);
    println!(
        "{n:>10} {count:>10} {making:>11.2} {:>11.2} {verifying:>11.2} {:>7.2} {:>13.2} {:>11.1}",
        PASSES * reading,
        verifying / (PASSES * reading),
        bytes as f64 / count as f64,
        best[2]
    );
}

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!(
        "{:>10} {:>10} {:>11} {:>11} {:>11} {:>7} {:>13} {:>11}",
        "vertices", "edges", "making, ns", "bound, ns", "verify, ns", "ratio", "bytes an edge", "seconds"
    );
    [1_000_000, 10_000_000, 100_000_000].into_iter().for_each(print_row);
}
