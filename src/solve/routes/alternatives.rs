//! Routes that share little, as alternatives in routing engines do.
//!
//! The first thousand routes of a road network differ by a few side streets. So candidates come from two sides: routes in order, and, where
//! those are not all, the shortest routes *via* each vertex, which a tree from the source and one to the target give at once. Of all
//! candidates, the best first, each is taken whose length in common with every route already taken is at most a given share of the
//! shorter of the two. What a route via a vertex has in common with one that was taken is a sum along the two trees: O(n) for all vertices.

use super::network::{Cost, RouteGraph};
use super::tree::{Towards, Tree};
use super::{NOBODY, Route, RouteError, Tolerance};
use crate::instance::Weight;
use std::collections::HashSet;

/// Takes up to `k` of `routes` (the best first), and of routes via each vertex as well unless `routes` are all there are.
pub(super) fn choose(
    graph: &RouteGraph,
    to_target: &Tree,
    routes: Vec<Route>,
    are_all: bool,
    k: usize,
    share: Tolerance,
    limit: Option<Weight>,
) -> Result<Vec<Route>, RouteError> {
    let mut chosen: Vec<Taken> = vec![];
    let mut via = match routes.first().filter(|_| !are_all) {
        Some(first) => Some(Via::new(graph, to_target, first.path[0], limit)?),
        None => None,
    };
    let mut listed = routes.into_iter().peekable();
    while chosen.len() < k {
        let next_via = via.as_mut().and_then(|via| via.peek(to_target)).map(|route| route.length);
        let is_first = |route: &Route| next_via.is_none_or(|via| route.length <= via);
        let Some(route) = listed.next_if(is_first).or_else(|| via.as_mut().and_then(Via::take)) else { break };
        if chosen.iter().all(|taken| taken.permits(&route, graph, share)) {
            let taken = Taken::new(route, graph);
            via.iter_mut().for_each(|via| via.exclude(graph, to_target, &taken, share));
            chosen.push(taken);
        }
    }
    Ok(chosen.into_iter().map(|taken| taken.route).collect())
}

/// A route that was taken, and where it goes on from each vertex.
struct Taken {
    route: Route,
    next: Vec<u32>,
}

impl Taken {
    fn new(route: Route, graph: &RouteGraph) -> Self {
        let mut next = vec![NOBODY; graph.n()];
        route.path.windows(2).for_each(|pair| next[pair[0]] = pair[1] as u32);
        Taken { route, next }
    }

    /// The length that an edge adds to what is shared.
    fn shared(&self, graph: &RouteGraph, tail: usize, head: usize) -> Weight {
        let has = self.next[tail] == head as u32 || (graph.graph().is_undirected() && self.next[head] == tail as u32);
        if has { graph.length(tail, head).unwrap_or(0) } else { 0 }
    }

    fn permits(&self, route: &Route, graph: &RouteGraph, share: Tolerance) -> bool {
        let shared = route.path.windows(2).map(|pair| self.shared(graph, pair[0], pair[1])).sum();
        self.allows(shared, route.length, share) && self.route != *route
    }

    fn allows(&self, shared: Weight, length: Weight, share: Tolerance) -> bool {
        shared <= share.of(self.route.length.min(length))
    }
}

/// The shortest routes via each vertex.
struct Via {
    from_source: Tree,
    /// By ascending cost.
    vertices: Vec<(Cost, u32)>,
    next: usize,
    /// The best one that was not taken yet, with its vertex.
    best: Option<(u32, Route)>,
    is_out: Vec<bool>,
}

impl Via {
    fn new(graph: &RouteGraph, to_target: &Tree, source: usize, limit: Option<Weight>) -> Result<Self, RouteError> {
        let from_source = Tree::grow(graph, source, Towards::Others, None)?;
        let both = |vertex: &u32| from_source.has(*vertex) && to_target.has(*vertex);
        let cost = |vertex: u32| (from_source.bound(vertex).and(to_target.bound(vertex)), vertex);
        let mut vertices: Vec<(Cost, u32)> = (0..graph.n() as u32).filter(both).map(cost).collect();
        vertices.retain(|(cost, _)| limit.is_none_or(|limit| cost.length <= limit));
        vertices.sort_unstable();
        Ok(Via { from_source, vertices, next: 0, best: None, is_out: vec![false; graph.n()] })
    }

    /// The best route via a vertex that is not out; walks that pass a vertex twice are no routes.
    fn peek(&mut self, to_target: &Tree) -> Option<&Route> {
        self.best.take_if(|(vertex, _)| self.is_out[*vertex as usize]);
        while self.best.is_none() {
            let &(cost, vertex) = self.vertices.get(self.next)?;
            self.next += 1;
            if self.is_out[vertex as usize] {
                continue;
            }
            let mut path: Vec<usize> = self.from_source.way(vertex).map(|vertex| vertex as usize).collect();
            path.reverse();
            path.extend(to_target.way(vertex).skip(1).map(|vertex| vertex as usize));
            let mut passed = HashSet::with_capacity(path.len());
            if path.iter().all(|&vertex| passed.insert(vertex)) {
                self.best = Some((vertex, Route { path, length: cost.length }));
            }
        }
        self.best.as_ref().map(|(_, route)| route)
    }

    fn take(&mut self) -> Option<Route> {
        self.best.take().map(|(_, route)| route)
    }

    /// Leaves out the vertices whose routes share too much with one that was taken.
    fn exclude(&mut self, graph: &RouteGraph, to_target: &Tree, taken: &Taken, share: Tolerance) {
        let sums = |tree: &Tree, towards: Towards| {
            let mut shared = vec![0; graph.n()];
            for &vertex in tree.order.iter().filter(|&&vertex| vertex != tree.root) {
                let next = tree.next(vertex);
                let edge = match towards {
                    Towards::Root => taken.shared(graph, vertex as usize, next as usize),
                    Towards::Others => taken.shared(graph, next as usize, vertex as usize),
                };
                shared[vertex as usize] = shared[next as usize] + edge;
            }
            shared
        };
        let (before, after) = (sums(&self.from_source, Towards::Others), sums(to_target, Towards::Root));
        for &(cost, vertex) in &self.vertices[self.next.saturating_sub(1)..] {
            let shared = before[vertex as usize] + after[vertex as usize];
            if !taken.allows(shared, cost.length, share) {
                self.is_out[vertex as usize] = true;
            }
        }
    }
}
