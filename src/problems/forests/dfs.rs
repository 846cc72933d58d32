//! Randomised depth-first search.
//!
//! A run starts at the lowest unvisited vertex (ordered restarts) or at any, goes from a vertex to an unvisited out-neighbour of
//! the tie breaker's choice, and returns when there is none. With free choices and with one order for a run it reaches every
//! forest, with different probabilities from four vertices on.

use super::{ANY_FORESTS, Forests, ORDERED_FORESTS, Restarts, distribution};
use crate::answers::{Candidate, Form, Marginals, write_shares};
use crate::cancel;
use crate::instance::{Graph, GraphSettings, Instance, random_directed};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::ties::{LANES, ManyOrders, TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Intractable, ManyRuns, Missing, Needs, NetworkSpec, Prepared, Problem, Space,
    View, adjacency, edge_matrix, over_all_orders,
};
use crate::random::Rng;
use std::sync::OnceLock;

/// Depth-first search with a rule for its restarts.
#[derive(Clone, Copy, Debug)]
pub struct Dfs {
    pub(super) restarts: Restarts,
}

/// Depth-first search with ordered restarts (the paper's RDFSO, verifier H).
pub const ORDERED: Dfs = Dfs { restarts: Restarts::Ordered };

/// Depth-first search with restarts in any order (the paper's verifier J).
pub const ANY_RESTART: Dfs = Dfs { restarts: Restarts::Any };

impl Algorithm for Dfs {
    fn name(&self) -> &'static str {
        match self.restarts {
            Restarts::Ordered => "dfs",
            Restarts::Any => "dfs-any-restart",
        }
    }

    fn problem(&self) -> &'static Problem {
        match self.restarts {
            Restarts::Ordered => &ORDERED_FORESTS,
            Restarts::Any => &ANY_FORESTS,
        }
    }

    fn needs(&self) -> Needs {
        Needs::ANY_GRAPH
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        Instance::new(random_directed(settings, rng))
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        let space = Forests::new(&instance.graph, self.restarts);
        Ok(Box::new(Search { instance, restarts: self.restarts, space, into: OnceLock::new() }))
    }

    fn with_any_restart(&self) -> Option<&'static dyn Algorithm> {
        Some(&ANY_RESTART)
    }

    /// One network, whatever the restarts.
    fn network(&self) -> Result<NetworkSpec, Missing> {
        Ok(NetworkSpec { name: "dfs", spec: Spec::new(&["pos"], &["A", "adj"], &[("pi", OutputKind::Pointer)]) })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        match self.restarts {
            Restarts::Ordered => Ok(&ORDERED),
            Restarts::Any => Ok(&ANY_RESTART),
        }
    }

    fn models(&self) -> BuiltIn {
        let executor: &[u8] = match self.restarts {
            Restarts::Ordered => include_bytes!("../../../models/executor-dfs.safetensors"),
            Restarts::Any => include_bytes!("../../../models/executor-dfs-any-restart.safetensors"),
        };
        BuiltIn { network: Some(include_bytes!("../../../models/network-dfs.safetensors")), executor: Some(executor) }
    }
}

/// Depth-first search of one graph.
struct Search<'a> {
    instance: &'a Instance,
    restarts: Restarts,
    space: Forests<'a>,
    /// The tails of the edges into each vertex, as bits; only for graphs that fit.
    into: OnceLock<[u64; WORD]>,
}

impl Prepared for Search<'_> {
    fn instance(&self) -> &Instance {
        self.instance
    }

    fn space(&self) -> &dyn Space {
        &self.space
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        let graph = &self.instance.graph;
        match ties.ranks().filter(|_| graph.n() <= WORD) {
            Some(rank) => candidate_by_rank(self.into.get_or_init(|| tails_into(graph)), self.restarts, rank),
            None => run(graph, self.restarts, ties),
        }
    }

    fn write_shares(&self, runs: &ManyRuns, rng: &mut Rng, rows: &mut [f64]) -> bool {
        let n = self.instance.n();
        let &ManyRuns { policy, first, runs } = runs;
        if policy != TiePolicy::OneOrder || !(1..=WORD).contains(&n) {
            return false;
        }
        let into = self.into.get_or_init(|| tails_into(&self.instance.graph));
        let (mut counts, mut orders) = (vec![0; n * n], ManyOrders::new(n));
        for done in (0..runs).step_by(LANES) {
            cancel::point();
            let together = (runs - done).min(LANES);
            orders.draw(together, first, rng);
            for order in 0..together {
                let parent_of = run_by_rank(into, self.restarts, &OrderOfFew::new(n, orders.ranks(order)));
                let chosen = parent_of.iter().zip(counts.chunks_exact_mut(n));
                chosen.for_each(|(&parent, counts)| counts[usize::from(parent)] += 1);
            }
        }
        write_shares((Form::Parents, n), runs, rows, |vertex, shares| {
            shares.set_all(&counts[vertex * n..(vertex + 1) * n]);
        });
        true
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        match policy {
            TiePolicy::Free => distribution::with_free_choices(&self.instance.graph, self.restarts),
            TiePolicy::OneOrder => over_all_orders(self, first),
        }
    }

    /// CLRS' depth-first search takes 3n probes: each vertex is met, entered and left.
    fn features(&self, view: &View) -> Features {
        let n = self.instance.n();
        let edge = vec![edge_matrix(&self.instance.graph), adjacency(&self.instance.graph)];
        let seen = Features::new(n, vec![view.pos.clone()], edge, 3 * n - 1);
        seen.expect("an instance has vertices, and a position for each")
    }
}

/// The most vertices whose sets fit a machine word.
const WORD: usize = 64;

/// One run. O(n + m), or O(n + m log n) with one order; no recursion.
pub(super) fn run(graph: &Graph, restarts: Restarts, ties: &mut dyn TieBreaker) -> Candidate {
    if let Some(rank) = ties.ranks().filter(|_| graph.n() <= WORD) {
        return candidate_by_rank(&tails_into(graph), restarts, rank);
    }
    let n = graph.n();
    let mut parents = Candidate::all_roots(n);
    let mut visited = vec![false; n];
    // The vertices still to be tried, those of the vertex on top of the path last and its next one at the end.
    let mut untried: Vec<usize> = (0..n).collect();
    if restarts == Restarts::Any {
        ties.arrange(&mut untried);
    }
    untried.reverse();
    // The path from the root: each vertex with the place in `untried` where its own options start.
    let mut path: Vec<(usize, usize)> = vec![];
    loop {
        let own = path.last().map_or(0, |&(_, own)| own);
        if untried.len() == own {
            if path.pop().is_none() {
                return parents;
            }
            continue;
        }
        let next = untried.pop().expect("it is longer than where the vertex's own options start");
        if std::mem::replace(&mut visited[next], true) {
            continue;
        }
        if let Some(&(current, _)) = path.last() {
            parents.set(next, current);
        }
        path.push((next, untried.len()));
        let neighbours = graph.out_neighbours(next).iter().map(|&head| head as usize);
        untried.extend(neighbours.filter(|&head| !visited[head]));
        let own = path.last().map_or(0, |&(_, own)| own);
        // Options that are visited in the meantime are skipped, so arranging once equals choosing at each step.
        ties.arrange(&mut untried[own..]);
        untried[own..].reverse();
    }
}

/// The tails of the edges into each vertex, as bits.
fn tails_into(graph: &Graph) -> [u64; WORD] {
    let mut into = [0; WORD];
    graph.arcs().for_each(|(tail, head)| into[head] |= 1 << tail);
    into
}

/// An order of at most 64 vertices. Bytes, because clearing arrays of words takes longer than a run on a few vertices.
struct OrderOfFew {
    n: usize,
    rank: [u8; WORD],
    vertex_at: [u8; WORD],
}

impl OrderOfFew {
    fn new(n: usize, ranks: impl Iterator<Item = usize>) -> Self {
        let mut order = OrderOfFew { n, rank: [0; WORD], vertex_at: [0; WORD] };
        for (vertex, rank) in ranks.enumerate() {
            order.rank[vertex] = rank as u8;
            order.vertex_at[rank] = vertex as u8;
        }
        order
    }
}

/// The parents of a run of one order on at most 64 vertices: the out-neighbours of a vertex are bits in the order of the run, so that the first of those
/// that are open is the lowest bit.
fn run_by_rank(into: &[u64; WORD], restarts: Restarts, order: &OrderOfFew) -> [u8; WORD] {
    let OrderOfFew { n, rank, vertex_at } = order;
    let mut out = [0; WORD];
    out.iter_mut().zip(&vertex_at[..*n]).for_each(|(tails, &vertex)| *tails = into[usize::from(vertex)]);
    transpose(&mut out, *n);
    let (mut parent_of, mut path) = ([0u8; WORD], [0u8; WORD]);
    let mut unvisited = u64::MAX >> (WORD - n.max(&1));
    for turn in 0..*n {
        let root = match restarts {
            Restarts::Ordered => turn,
            Restarts::Any => usize::from(vertex_at[turn]),
        };
        if unvisited & 1 << rank[root] == 0 {
            continue;
        }
        unvisited &= !(1 << rank[root]);
        parent_of[root] = root as u8;
        path[0] = root as u8;
        let mut depth = 1;
        // When all have been visited there is no need to go back.
        while depth > 0 && unvisited != 0 {
            let top = path[depth - 1];
            match out[usize::from(top)] & unvisited {
                0 => depth -= 1,
                open => {
                    let child = vertex_at[open.trailing_zeros() as usize];
                    // The lowest bit of `open`.
                    unvisited ^= open & open.wrapping_neg();
                    parent_of[usize::from(child)] = top;
                    path[depth] = child;
                    depth += 1;
                }
            }
        }
    }
    parent_of
}

/// As [`run_by_rank`], as a candidate.
fn candidate_by_rank(into: &[u64; WORD], restarts: Restarts, rank: &[usize]) -> Candidate {
    let parent_of = run_by_rank(into, restarts, &OrderOfFew::new(rank.len(), rank.iter().copied()));
    Candidate::from_each_vertex(rank.len(), |vertex| usize::from(parent_of[vertex]))
}

/// Swaps rows and bits, of which the first `size` are used: ever smaller squares change places (Hacker's Delight, 7-3).
fn transpose(rows: &mut [u64; WORD], size: usize) {
    // With the size known the compiler unrolls the loops.
    match size {
        0..=16 => transpose_square::<16>(rows),
        17..=32 => transpose_square::<32>(rows),
        _ => transpose_square::<WORD>(rows),
    }
}

#[inline]
fn transpose_square<const SIZE: usize>(rows: &mut [u64; WORD]) {
    let mut width = SIZE / 2;
    let mut low = (1 << width) - 1;
    while width > 0 {
        for pair in rows[..SIZE].chunks_exact_mut(2 * width) {
            let (upper, lower) = pair.split_at_mut(width);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let swapped = (*upper >> width ^ *lower) & low;
                *upper ^= swapped << width;
                *lower ^= swapped;
            }
        }
        width /= 2;
        low ^= low << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposed_bits_change_places() {
        let mut rng = Rng::stream(0, "transpose", 0);
        for size in (0..7).map(|power| 1 << power) {
            let used = u64::MAX >> (WORD - size);
            let before: [u64; WORD] = std::array::from_fn(|row| if row < size { rng.next_u64() & used } else { 0 });
            let mut after = before;
            transpose(&mut after, size);
            let bit = |rows: &[u64; WORD], row: usize, bit: usize| rows[row] >> bit & 1;
            assert!((0..WORD * WORD).all(|at| bit(&before, at / WORD, at % WORD) == bit(&after, at % WORD, at / WORD)));
        }
    }
}
