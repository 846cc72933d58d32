//! Priorities under which a depth-first search has the parents that a person demands.
//!
//! A search is walked through that looks ahead: each child with a demand on it is given one of its possible parents as a
//! target; from a vertex that reaches a target w, it goes straight to w, past the child, and from there to the child. The
//! order in which vertices are met, taken as priorities, makes every run go the same way: the classical one and a
//! learnt one. One demand is always met, because the path exists (`possible`); several may be in each other's way,
//! and then the result does not meet them all.
//!
//! Half of the walks are noisy: now and then they take any child, so that no forest is out of reach.

use super::{Restarts, least_reaching};
use crate::instance::Graph;
use crate::neural::executor::Priorities;
use crate::problems::demands::{Allowed, Possible};
use crate::random::Rng;
use std::collections::BTreeMap;

/// Searches for a path that may fail in one walk: they are what makes it slow.
const FAILED_SEARCHES: usize = 50;

pub(super) fn steer(
    graph: &Graph,
    restarts: Restarts,
    possible: &Possible,
    allowed: &Allowed,
    rng: &mut Rng,
) -> Priorities {
    let mut targets = BTreeMap::new();
    for child in allowed.slots() {
        let options = possible.of(child).iter().filter(|&&parent| allowed.permits(child, parent));
        let options: Vec<usize> = options.copied().collect();
        if !options.is_empty() {
            targets.insert(child, options[rng.below(options.len())]);
        }
    }
    let noise = if rng.chance(0.5) { 0.0 } else { 0.5 * rng.unit() };
    let tree_of = match restarts {
        Restarts::Ordered => least_reaching(graph),
        Restarts::Any => vec![0; graph.n()],
    };
    let search = Search { stamp: 0, stamps: vec![0; graph.n()], before: vec![0; graph.n()] };
    let visited = vec![false; graph.n()];
    let mut walk = Walk { graph, targets, tree_of, noise, visited, plan: vec![], failed: 0, search, rng };
    let mut rank = vec![0; graph.n()];
    for (place, vertex) in walk.order(restarts).into_iter().enumerate() {
        rank[vertex] = place as u64;
    }
    Priorities(rank)
}

struct Walk<'a> {
    graph: &'a Graph,
    /// The parent that a child should get; itself for a root.
    targets: BTreeMap<usize, usize>,
    /// What lies in different trees does not reach each other when it matters.
    tree_of: Vec<usize>,
    noise: f64,
    visited: Vec<bool>,
    /// The vertices to go to next, the last one first.
    plan: Vec<usize>,
    failed: usize,
    search: Search,
    rng: &'a mut Rng,
}

/// Memory of searches for paths.
struct Search {
    stamp: u32,
    stamps: Vec<u32>,
    before: Vec<u32>,
}

impl Walk<'_> {
    /// The vertices in the order in which the search meets them.
    fn order(&mut self, restarts: Restarts) -> Vec<usize> {
        let n = self.graph.n();
        let mut order = Vec::with_capacity(n);
        // As in the search itself: the untried options of all vertices of the path, and where each vertex's own begin.
        let mut untried: Vec<usize> = (0..n).rev().collect();
        if restarts == Restarts::Any {
            self.arrange(None, &mut untried);
        }
        let mut path: Vec<(usize, usize)> = vec![];
        loop {
            let top = path.last().copied();
            let own = top.map_or(0, |(_, own)| own);
            if top.is_none() && restarts == Restarts::Any && self.plan.is_empty() {
                self.plan_root();
            }
            let next = match self.planned(top.map(|(vertex, _)| vertex), restarts) {
                Some(next) => next,
                None if untried.len() > own => untried.pop().expect("there are options"),
                None if path.pop().is_none() => return order,
                None => continue,
            };
            if std::mem::replace(&mut self.visited[next], true) {
                continue;
            }
            order.push(next);
            path.push((next, untried.len()));
            let own = untried.len();
            let heads = self.graph.out_neighbours(next).iter().map(|&head| head as usize);
            untried.extend(heads.filter(|&head| !self.visited[head]));
            self.arrange(Some(next), &mut untried[own..]);
            if self.plan.is_empty() {
                self.make_plan(next);
            }
        }
    }

    /// The next vertex of the plan, if one can go there.
    fn planned(&mut self, top: Option<usize>, restarts: Restarts) -> Option<usize> {
        let next = self.plan.pop()?;
        let joined = match top {
            Some(top) => self.graph.has_edge(top, next),
            None => restarts == Restarts::Any,
        };
        if joined && !self.visited[next] {
            return Some(next);
        }
        self.plan.clear();
        None
    }

    /// Puts the options of a vertex (`None` is the virtual root) in a random order, to be taken from the end: children
    /// that should be its own come first, those that should be another's last.
    fn arrange(&mut self, vertex: Option<usize>, options: &mut [usize]) {
        self.rng.shuffle(options);
        if self.targets.is_empty() || self.rng.chance(self.noise) {
            return;
        }
        options.sort_by_key(|&option| match self.targets.get(&option) {
            None => 1,
            Some(&target) if target == vertex.unwrap_or(option) => 2,
            Some(_) => 0,
        });
    }

    /// The children, with their targets, that can still be met, in a random order.
    fn pending(&mut self) -> Vec<(usize, usize)> {
        let can_be_met = |(child, parent): &(usize, usize)| !self.visited[*child] && !self.visited[*parent];
        let targets = self.targets.iter().map(|(&child, &parent)| (child, parent));
        let mut pending: Vec<(usize, usize)> = targets.filter(can_be_met).collect();
        self.rng.shuffle(&mut pending);
        pending
    }

    /// Where any vertex may be a root, a target itself can be one. (A child that should be a root comes first anyway.)
    fn plan_root(&mut self) {
        if !self.targets.is_empty() && !self.rng.chance(self.noise) {
            let next = self.pending().into_iter().next().filter(|(child, parent)| child != parent);
            self.plan = next.map_or(vec![], |(child, parent)| vec![child, parent]);
        }
    }

    /// A way from `start` to a target, and on to the child.
    fn make_plan(&mut self, start: usize) {
        let mut pending = self.pending();
        pending.retain(|&(child, parent)| child != parent && self.tree_of[parent] == self.tree_of[start]);
        for (child, parent) in pending {
            if self.failed >= FAILED_SEARCHES {
                return;
            }
            match self.path(start, parent, child) {
                Some(path) => {
                    self.plan = path;
                    self.plan.insert(0, child);
                    return;
                }
                None => self.failed += 1,
            }
        }
    }

    /// A path through unvisited vertices from `start` to `goal`, last vertex first and without `start`. It passes a
    /// child that has a target from that target only, and never `past`.
    fn path(&mut self, start: usize, goal: usize, past: usize) -> Option<Vec<usize>> {
        self.search.stamp += 1;
        let stamp = self.search.stamp;
        let mut waiting = vec![start];
        while !waiting.is_empty() {
            let vertex = waiting.swap_remove(self.rng.below(waiting.len()));
            if vertex == goal {
                return Some(self.search.way_back(start, goal));
            }
            for head in self.graph.out_neighbours(vertex).iter().map(|&head| head as usize) {
                let fits = self.targets.get(&head).is_none_or(|&target| target == vertex);
                if fits && head != past && !self.visited[head] && self.search.stamps[head] != stamp {
                    self.search.stamps[head] = stamp;
                    self.search.before[head] = vertex as u32;
                    waiting.push(head);
                }
            }
        }
        None
    }
}

impl Search {
    fn way_back(&self, start: usize, goal: usize) -> Vec<usize> {
        let mut path = vec![];
        let mut vertex = goal;
        while vertex != start {
            path.push(vertex);
            vertex = self.before[vertex] as usize;
        }
        path
    }
}
