//! Cheapest ways between one vertex and all others, grown only as far as needed.
//!
//! Where no length is negative, the tree grows from its root by ascending cost and may stop early: of a vertex that it did not reach, it
//! is then known that the cost is at least that of the last one that it did. That bound is as good for a search as a distance: along
//! every arc it changes by no more than the arc's cost.

use super::network::{Cost, RouteGraph};
use super::{NOBODY, RouteError};
use crate::instance::Weight;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Which way arcs lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Towards {
    /// From each vertex to the root.
    Root,
    /// From the root to each vertex.
    Others,
}

/// The cheapest ways between a root and the other vertices.
#[derive(Debug)]
pub(super) struct Tree {
    pub root: u32,
    /// Exact for vertices of the tree, otherwise a lower bound, or infinite where there is no way.
    cost: Vec<Cost>,
    /// The neighbour on the way to the root; of several cheapest ones the lowest. [`NOBODY`] for the root and outside the tree.
    next: Vec<u32>,
    /// The vertices of the tree, each after the next one on its way to the root.
    pub order: Vec<u32>,
}

impl Tree {
    /// Grows until it has all of `wanted` (or all vertices there are, where that is `None` or a length is negative).
    pub fn grow(
        graph: &RouteGraph,
        root: usize,
        towards: Towards,
        wanted: Option<&[usize]>,
    ) -> Result<Self, RouteError> {
        match (graph.has_negative(), towards) {
            (true, _) => by_relaxation(graph, root as u32, towards),
            (false, Towards::Root) => {
                Ok(nearest_first(graph.n(), root as u32, wanted, |vertex| graph.entering(vertex)))
            }
            (false, Towards::Others) => {
                Ok(nearest_first(graph.n(), root as u32, wanted, |vertex| graph.leaving(vertex)))
            }
        }
    }

    /// A cost that no way of this vertex falls short of; exact for vertices of the tree.
    #[inline]
    pub fn bound(&self, vertex: u32) -> Cost {
        self.cost[vertex as usize]
    }

    /// True when the cost of a vertex is exact and [`Tree::next`] leads to the root.
    #[inline]
    pub fn has(&self, vertex: u32) -> bool {
        vertex == self.root || self.next[vertex as usize] != NOBODY
    }

    /// The next vertex on the way to the root.
    #[inline]
    pub fn next(&self, vertex: u32) -> u32 {
        self.next[vertex as usize]
    }

    /// The vertices from one of the tree to the root, both included.
    pub fn way(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(vertex), |&vertex| Some(self.next(vertex)).filter(|&next| next != NOBODY))
    }

    /// Whether costs are lower bounds indeed: the root costs nothing, and no arc saves more than its own cost. With a path of that
    /// cost this proves a distance, without trust in how it was found. O(m).
    pub fn bounds_hold(&self, graph: &RouteGraph) -> bool {
        let finite = |tail: u32| self.bound(tail) != Cost::INFINITE;
        let holds = |tail: u32, head: u32, length: Weight| {
            !finite(head) || (finite(tail) && self.bound(tail) <= self.bound(head).and_edge(length))
        };
        self.bound(self.root) == Cost::ZERO
            && (0..graph.n() as u32).all(|tail| graph.leaving(tail).all(|(head, length)| holds(tail, head, length)))
    }
}

/// Dijkstra's order on costs. `neighbours` are at the other end of arcs from a vertex of the tree.
fn nearest_first<I: Iterator<Item = (u32, Weight)>>(
    n: usize,
    root: u32,
    wanted: Option<&[usize]>,
    neighbours: impl Fn(u32) -> I,
) -> Tree {
    let mut tree = Tree { root, cost: vec![Cost::INFINITE; n], next: vec![NOBODY; n], order: vec![] };
    let mut is_done = vec![false; n];
    let mut is_wanted = wanted.map(|wanted| {
        let mut is_wanted = vec![false; n];
        wanted.iter().for_each(|&vertex| is_wanted[vertex] = true);
        let count = is_wanted.iter().filter(|&&wanted| wanted).count();
        (is_wanted, count)
    });
    tree.cost[root as usize] = Cost::ZERO;
    let mut waiting = BinaryHeap::from([Reverse((Cost::ZERO, root))]);
    let mut horizon = Cost::INFINITE;
    while let Some(Reverse((cost, vertex))) = waiting.pop() {
        if std::mem::replace(&mut is_done[vertex as usize], true) {
            continue;
        }
        tree.order.push(vertex);
        if let Some((is_wanted, left)) = &mut is_wanted
            && is_wanted[vertex as usize]
        {
            *left -= 1;
            if *left == 0 {
                horizon = cost;
                break;
            }
        }
        for (other, length) in neighbours(vertex) {
            let through = cost.and_edge(length);
            let (known, next) = (&mut tree.cost[other as usize], &mut tree.next[other as usize]);
            if through < *known {
                (*known, *next) = (through, vertex);
                waiting.push(Reverse((through, other)));
            } else if through == *known && vertex < *next && other != root {
                *next = vertex;
            }
        }
    }
    for vertex in (0..n).filter(|&vertex| !is_done[vertex]) {
        (tree.cost[vertex], tree.next[vertex]) = (horizon, NOBODY);
    }
    tree
}

/// Bellman-Ford with a queue. A cheapest way has fewer than n edges; one with n that is cheaper still runs around a negative cycle.
fn by_relaxation(graph: &RouteGraph, root: u32, towards: Towards) -> Result<Tree, RouteError> {
    let n = graph.n();
    let mut tree = Tree { root, cost: vec![Cost::INFINITE; n], next: vec![NOBODY; n], order: vec![] };
    let neighbours = |vertex: u32| -> Vec<(u32, Weight)> {
        match towards {
            Towards::Root => graph.entering(vertex).collect(),
            Towards::Others => graph.leaving(vertex).collect(),
        }
    };
    tree.cost[root as usize] = Cost::ZERO;
    let (mut queue, mut waits) = (VecDeque::from([root]), vec![false; n]);
    while let Some(vertex) = queue.pop_front() {
        waits[vertex as usize] = false;
        for (other, length) in neighbours(vertex) {
            let through = tree.cost[vertex as usize].and_edge(length);
            if through >= tree.cost[other as usize] {
                continue;
            }
            if other == root || through.edges as usize >= n {
                return Err(RouteError::NegativeCycle { through: other as usize });
            }
            tree.cost[other as usize] = through;
            if !std::mem::replace(&mut waits[other as usize], true) {
                queue.push_back(other);
            }
        }
    }
    let reached: Vec<u32> = (0..n as u32).filter(|&vertex| tree.cost[vertex as usize] != Cost::INFINITE).collect();
    for &vertex in &reached {
        for (other, length) in neighbours(vertex) {
            let is_cheapest = tree.cost[vertex as usize].and_edge(length) == tree.cost[other as usize];
            if is_cheapest && other != root && vertex < tree.next[other as usize] {
                tree.next[other as usize] = vertex;
            }
        }
    }
    tree.order = reached;
    tree.order.sort_by_key(|&vertex| (tree.cost[vertex as usize].edges, vertex));
    Ok(tree)
}
