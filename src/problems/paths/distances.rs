//! Exact distances from the source, and a cycle of negative length where there is one.

use crate::instance::{Graph, Weight};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What the length of a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The sum of its weights.
    Weights,
    /// The number of its edges, whatever their weights.
    Hops,
}

impl Length {
    /// What an edge of this weight adds.
    pub fn of(self, weight: Weight) -> Weight {
        match self {
            Length::Weights => weight,
            Length::Hops => 1,
        }
    }
}

/// How far each vertex is from the source.
#[derive(Clone, Debug)]
pub struct Distances {
    /// The length of the shortest paths to a vertex, [`UNREACHED`] where there is none.
    length: Vec<Weight>,
    /// The fewest edges of a shortest path.
    hops: Vec<u32>,
}

const UNREACHED: Weight = Weight::MAX;

/// A cycle of negative length that the source reaches, in the direction of its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NegativeCycle(pub Vec<usize>);

impl Distances {
    /// From the source: a search level by level for hops, Dijkstra's algorithm for weights of which none is negative, O(m log n), and
    /// Bellman-Ford's with a queue otherwise, O(n m).
    pub fn new(graph: &Graph, source: usize, length: Length) -> Result<Self, NegativeCycle> {
        match length {
            Length::Hops => Ok(level_by_level(graph, source)),
            Length::Weights if !graph.has_negative_weight() => Ok(match Packing::of(graph) {
                Some(packing) if graph.n() <= FEW => nearest_of_few(graph, source, packing),
                Some(packing) => nearest_first_packed(graph, source, packing),
                None => nearest_first(graph, source),
            }),
            Length::Weights => by_relaxation(graph, source),
        }
    }

    /// The length of the shortest paths to a vertex, where there is one.
    pub fn to(&self, vertex: usize) -> Option<Weight> {
        Some(self.length[vertex]).filter(|&length| length != UNREACHED)
    }

    /// The fewest edges that a shortest path to a vertex has.
    pub fn hops(&self, vertex: usize) -> Option<usize> {
        self.to(vertex).map(|_| self.hops[vertex] as usize)
    }

    /// True when an edge of this length ends a shortest path to `head`.
    pub fn is_tight(&self, tail: usize, head: usize, length: Weight) -> bool {
        self.length[tail] != UNREACHED && self.length[tail] + length == self.length[head]
    }

    /// True when, besides, no shortest path to `head` has fewer edges than one through `tail`.
    pub fn is_fewest_hops(&self, tail: usize, head: usize) -> bool {
        self.hops[tail] + 1 == self.hops[head]
    }
}

/// Relaxes with Dijkstra's order on (length, hops): each edge makes the pair larger, also where its weight is zero.
fn nearest_first(graph: &Graph, source: usize) -> Distances {
    let n = graph.n();
    let mut found = Distances { length: vec![UNREACHED; n], hops: vec![0; n] };
    found.length[source] = 0;
    let mut waiting = BinaryHeap::from([Reverse((0, 0, source as u32))]);
    while let Some(Reverse((length, hops, vertex))) = waiting.pop() {
        if (found.length[vertex as usize], found.hops[vertex as usize]) != (length, hops) {
            continue;
        }
        for (head, weight) in graph.out_edges(vertex as usize) {
            let through = (length + weight, hops + 1);
            if through < (found.length[head], found.hops[head]) {
                (found.length[head], found.hops[head]) = through;
                waiting.push(Reverse((through.0, through.1, head as u32)));
            }
        }
    }
    found
}

/// A length and a number of edges in one word, the length in its upper bits: sums and comparisons of both at once.
#[derive(Clone, Copy)]
struct Packing {
    hop_bits: u32,
}

impl Packing {
    /// `None` where the longest path's length does not fit.
    fn of(graph: &Graph) -> Option<Self> {
        let hop_bits = usize::BITS - graph.n().leading_zeros();
        let largest = graph.largest_weight().unwrap_or(0);
        let longest = largest.checked_mul(graph.n() as Weight)?;
        (longest < 1 << (63 - hop_bits)).then_some(Packing { hop_bits })
    }

    fn edge(self, weight: Weight) -> u64 {
        ((weight as u64) << self.hop_bits) + 1
    }

    fn unpack(self, packed: &[u64]) -> Distances {
        let length = |&packed: &u64| if packed == u64::MAX { UNREACHED } else { Weight::from(packed >> self.hop_bits) };
        let hops = |&packed: &u64| if packed == u64::MAX { 0 } else { packed as u32 & ((1 << self.hop_bits) - 1) };
        Distances { length: packed.iter().map(length).collect(), hops: packed.iter().map(hops).collect() }
    }
}

/// As [`nearest_first`] where length and hops fit one word, as they nearly always do.
fn nearest_first_packed(graph: &Graph, source: usize, packing: Packing) -> Distances {
    let mut found = vec![u64::MAX; graph.n()];
    found[source] = 0;
    let mut waiting = RadixHeap::default();
    waiting.push(0, source as u32);
    while let Some((known, vertex)) = waiting.pop() {
        if found[vertex as usize] != known {
            continue;
        }
        graph.each_out_edge(vertex as usize, |head, weight| {
            let through = known + packing.edge(weight);
            if through < found[head] {
                found[head] = through;
                waiting.push(through, head as u32);
            }
        });
    }
    packing.unpack(&found)
}

/// Up to so many vertices, looking at all of them for the nearest one is quicker than a queue.
const FEW: usize = 128;

/// As [`nearest_first_packed`], without a queue.
fn nearest_of_few(graph: &Graph, source: usize, packing: Packing) -> Distances {
    let mut found = vec![u64::MAX; graph.n()];
    found[source] = 0;
    // As `found` for those whose edges were not yet looked at.
    let mut open = found.clone();
    while let Some(&known) = open.iter().min()
        && known != u64::MAX
    {
        let vertex = open.iter().position(|&other| other == known).expect("the least is one of them");
        open[vertex] = u64::MAX;
        graph.each_out_edge(vertex, |head, weight| {
            let through = known + packing.edge(weight);
            // Without branches, which no processor could guess here.
            open[head] = if through < found[head] { through } else { open[head] };
            found[head] = found[head].min(through);
        });
    }
    packing.unpack(&found)
}

/// A queue for keys that never fall below the last one that was taken (Ahuja, Mehlhorn, Orlin and Tarjan 1990).
struct RadixHeap {
    last: u64,
    /// Entry i has the keys that first differ from `last` in bit i - 1, entry 0 those that are equal.
    buckets: [Vec<(u64, u32)>; 65],
}

impl Default for RadixHeap {
    fn default() -> Self {
        RadixHeap { last: 0, buckets: [const { vec![] }; 65] }
    }
}

impl RadixHeap {
    fn push(&mut self, key: u64, vertex: u32) {
        self.buckets[(u64::BITS - (key ^ self.last).leading_zeros()) as usize].push((key, vertex));
    }

    /// An entry with the least key.
    fn pop(&mut self) -> Option<(u64, u32)> {
        if self.buckets[0].is_empty() {
            let lowest = self.buckets.iter().position(|bucket| !bucket.is_empty())?;
            let mut entries = std::mem::take(&mut self.buckets[lowest]);
            self.last = entries.iter().map(|&(key, _)| key).min()?;
            entries.drain(..).for_each(|(key, vertex)| self.push(key, vertex));
            // Its memory serves again.
            self.buckets[lowest] = entries;
        }
        self.buckets[0].pop()
    }
}

fn level_by_level(graph: &Graph, source: usize) -> Distances {
    let n = graph.n();
    let mut found = Distances { length: vec![UNREACHED; n], hops: vec![0; n] };
    found.length[source] = 0;
    let mut queue = vec![source as u32];
    let mut next = 0;
    while let Some(&vertex) = queue.get(next) {
        next += 1;
        let hops = found.hops[vertex as usize] + 1;
        for &head in graph.out_neighbours(vertex as usize) {
            if found.length[head as usize] == UNREACHED {
                found.length[head as usize] = Weight::from(hops);
                found.hops[head as usize] = hops;
                queue.push(head);
            }
        }
    }
    found
}

const NOBODY: u32 = u32::MAX;

/// Bellman-Ford with a queue of vertices whose distance fell. Every n improvements the parents are searched for a cycle, which
/// is negative: with one reachable they come to have one.
fn by_relaxation(graph: &Graph, source: usize) -> Result<Distances, NegativeCycle> {
    let n = graph.n();
    let mut found = Distances { length: vec![UNREACHED; n], hops: vec![0; n] };
    let (mut parent, mut waits) = (vec![NOBODY; n], vec![false; n]);
    found.length[source] = 0;
    let mut queue = VecDeque::from([source]);
    let mut improvements = 0;
    while let Some(vertex) = queue.pop_front() {
        waits[vertex] = false;
        for (head, weight) in graph.out_edges(vertex) {
            let through = found.length[vertex] + weight;
            if through >= found.length[head] {
                continue;
            }
            found.length[head] = through;
            parent[head] = vertex as u32;
            improvements += 1;
            if improvements % n == 0
                && let Some(cycle) = cycle_of(&parent)
            {
                return Err(NegativeCycle(cycle));
            }
            if !std::mem::replace(&mut waits[head], true) {
                queue.push_back(head);
            }
        }
    }
    count_hops(graph, source, &mut found);
    Ok(found)
}

/// The fewest edges of shortest paths: a search level by level along tight edges.
fn count_hops(graph: &Graph, source: usize, found: &mut Distances) {
    let mut met = vec![false; graph.n()];
    met[source] = true;
    let mut queue = vec![source];
    let mut next = 0;
    while let Some(&vertex) = queue.get(next) {
        next += 1;
        for (head, weight) in graph.out_edges(vertex) {
            if found.is_tight(vertex, head, weight) && !std::mem::replace(&mut met[head], true) {
                found.hops[head] = found.hops[vertex] + 1;
                queue.push(head);
            }
        }
    }
}

/// A cycle of parents, in the direction from parent to child.
fn cycle_of(parent: &[u32]) -> Option<Vec<usize>> {
    // The walk on which each vertex was first met.
    let mut walk_of = vec![NOBODY; parent.len()];
    for start in 0..parent.len() {
        let mut vertex = start;
        while parent[vertex] != NOBODY && walk_of[vertex] == NOBODY {
            walk_of[vertex] = start as u32;
            vertex = parent[vertex] as usize;
        }
        if parent[vertex] != NOBODY && walk_of[vertex] == start as u32 {
            let mut cycle = vec![vertex];
            let mut above = parent[vertex] as usize;
            while above != vertex {
                cycle.push(above);
                above = parent[above] as usize;
            }
            cycle.reverse();
            let least = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
            cycle.rotate_left(least);
            return Some(cycle);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Decimal;
    use crate::random::Rng;

    #[test]
    fn packed_distances_are_those_of_pairs() {
        for index in 0..200 {
            let mut rng = Rng::stream(0, "packed distances", index);
            let n = 1 + rng.below(30);
            let edges: Vec<(usize, usize)> =
                (0..n * n).map(|pair| (pair / n, pair % n)).filter(|_| rng.below(4) == 0).collect();
            let largest = [3, 1000, 1 << 50][rng.below(3)];
            let weighted: Vec<_> =
                edges.iter().map(|&(tail, head)| (tail, head, Decimal::whole(rng.below(largest) as i64))).collect();
            let graph = Graph::weighted(n, weighted).unwrap();
            let expected = nearest_first(&graph, 0);
            let packing = Packing::of(&graph).expect("lengths below 2^56");
            for way in [nearest_first_packed, nearest_of_few] {
                let packed = way(&graph, 0, packing);
                assert_eq!((&packed.length, &packed.hops), (&expected.length, &expected.hops));
            }
        }
        let wide = Graph::weighted(2, [(0, 1, Decimal::whole(i64::MAX))]).unwrap();
        assert!(Packing::of(&wide).is_none());
    }
}
