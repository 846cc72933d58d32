//! The shares of many runs in which each vertex takes the first of its options in the run's order, all runs at once.
//!
//! It makes the runs of [`super::first_in_order`] from the same random numbers. Batches of training data are mostly graphs of at most 64 vertices, and thousands
//! of them: there the options are bits of a machine word, found by relaxing without memory on the heap.

use super::Length;
use crate::answers::{Form, write_shares};
use crate::cancel;
use crate::instance::{Graph, Weight};
use crate::problems::ties::{LANES, ManyOrders};
use crate::problems::{Grouped, ManyRuns};
use crate::random::Rng;

/// Writes the shares for options by vertex; false for more vertices than can be had at once.
pub fn of_first(options: &Grouped<usize>, runs: &ManyRuns, rng: &mut Rng, rows: &mut [f64]) -> bool {
    let n = options.groups();
    if n <= ManyOrders::MOST {
        count(n, |vertex| options.of(vertex).iter().copied(), runs, rng, rows);
    }
    n <= ManyOrders::MOST
}

/// Writes the shares for the tight parents on shortest paths with the fewest edges, from a source; false where the graph has more than 64 vertices, or weights that
/// are negative or huge.
pub fn of_earliest(
    (graph, source, length): (&Graph, usize, Length),
    runs: &ManyRuns,
    rng: &mut Rng,
    rows: &mut [f64],
) -> bool {
    let Some(parents) = earliest_parents(graph, source, length) else { return false };
    count(graph.n(), |vertex| Members(parents[vertex]), runs, rng, rows);
    true
}

fn count<I: Iterator<Item = usize> + Clone>(
    n: usize,
    options: impl Fn(usize) -> I,
    &ManyRuns { first, runs, .. }: &ManyRuns,
    rng: &mut Rng,
    rows: &mut [f64],
) {
    let mut counts = vec![0; (0..n).map(|vertex| options(vertex).count()).sum()];
    let mut orders = ManyOrders::new(n);
    for done in (0..runs).step_by(LANES) {
        cancel::point();
        orders.draw((runs - done).min(LANES), first, rng);
        let mut rest = &mut counts[..];
        for of_vertex in (0..n).map(&options) {
            let (own, later) = rest.split_at_mut(of_vertex.clone().count());
            if own.len() > 1 {
                orders.count_first(of_vertex, own);
            }
            rest = later;
        }
    }
    let mut rest = &counts[..];
    write_shares((Form::Parents, n), runs, rows, |vertex, shares| {
        let (own, later) = rest.split_at(options(vertex).count());
        match own.len() {
            0 => shares.set(vertex, runs),
            1 => options(vertex).for_each(|only| shares.set(only, runs)),
            _ => options(vertex).zip(own).for_each(|(option, &times)| shares.set(option, times as usize)),
        }
        rest = later;
    });
}

/// The most vertices whose sets fit a machine word.
const WORD: usize = 64;
/// A length and a number of edges stand in one word, the number in so many bits: sums and comparisons of both at once.
const HOP_BITS: u32 = 7;
/// Weights of as many bits: with them the length of a path fits the rest of a word.
const WEIGHT_BITS: u32 = 48;

/// The parents of each vertex on shortest paths with the fewest edges, as bits.
fn earliest_parents(graph: &Graph, source: usize, length: Length) -> Option<[u64; WORD]> {
    let n = graph.n();
    let fits = n <= WORD && (length == Length::Hops || graph.bits_of_weights()? <= WEIGHT_BITS);
    if !fits {
        return None;
    }
    let step = |weight: Weight| ((length.of(weight) as u64) << HOP_BITS) + 1;
    let mut found = [u64::MAX; WORD];
    found[source] = 0;
    // Rounds of relaxations from those vertices whose distance fell.
    let mut fell: u64 = 1 << source;
    while fell != 0 {
        for tail in Members(std::mem::take(&mut fell)) {
            let known = found[tail];
            graph.each_out_edge(tail, |head, weight| {
                let through = known + step(weight);
                // Without branches, which no processor could guess here.
                fell |= u64::from(through < found[head]) << head;
                found[head] = found[head].min(through);
            });
        }
    }
    let mut parents = [0; WORD];
    for tail in (0..n).filter(|&tail| found[tail] != u64::MAX) {
        let known = found[tail];
        graph.each_out_edge(tail, |head, weight| {
            parents[head] |= u64::from(known + step(weight) == found[head]) << tail;
        });
    }
    Some(parents)
}

/// The members of a set of at most 64, ascending.
#[derive(Clone, Copy)]
struct Members(u64);

impl Iterator for Members {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let lowest = (self.0 != 0).then(|| self.0.trailing_zeros() as usize);
        self.0 &= self.0.wrapping_sub(1);
        lowest
    }

    #[inline]
    fn count(self) -> usize {
        self.0.count_ones() as usize
    }
}
