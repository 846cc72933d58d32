//! The cheapest way on from a vertex of a path without touching the path again.
//!
//! A* with the tree's costs as bounds. Whole branches are settled at once: a vertex whose way in the tree keeps clear of the path is *clear*,
//! and what is left of its way is known. So the search runs only through the part of the graph whose ways lead back into the path, and
//! most often that is a handful of vertices.

use super::NOBODY;
use super::network::{Cost, RouteGraph};
use super::tree::Tree;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Memory for searches in one graph. An entry is valid where its stamp is that of the search.
#[derive(Debug)]
pub(super) struct DetourSearch {
    search: u32,
    vertices: Vec<Vertex>,
}

#[derive(Clone, Copy, Debug)]
struct Vertex {
    /// The search that reached it, with what it cost from the start and from where.
    reached_in: u32,
    cost: Cost,
    from: u32,
    done: bool,
    /// The search that classified it.
    classified_in: u32,
    class: Class,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// It is on the path.
    Path,
    /// Its way in the tree keeps clear of the path.
    Clear,
    /// Its way in the tree meets the path, or is not known.
    Entangled,
}

/// What a detour must keep to.
pub(super) struct Terms<'a> {
    /// The path from its start to the vertex where the detour begins, which is its last.
    pub prefix: &'a [u32],
    /// Where the first step must not lead.
    pub excluded: &'a [u32],
    /// The cost of the prefix.
    pub cost: Cost,
    /// The highest cost of the whole that is still of interest.
    pub limit: Cost,
}

impl DetourSearch {
    pub fn new(n: usize) -> Self {
        let never = Vertex {
            reached_in: 0,
            cost: Cost::INFINITE,
            from: NOBODY,
            done: false,
            classified_in: 0,
            class: Class::Entangled,
        };
        DetourSearch { search: 0, vertices: vec![never; n] }
    }

    /// The cost of the whole route, and its vertices after the prefix; of several cheapest ones the first in order of vertices.
    pub fn find(&mut self, graph: &RouteGraph, tree: &Tree, terms: &Terms) -> Option<(Cost, Vec<u32>)> {
        self.search += 1;
        terms.prefix.iter().for_each(|&vertex| self.classify_as(vertex, Class::Path));
        let start = *terms.prefix.last()?;
        self.reach(start, terms.cost, NOBODY);
        let mut waiting = BinaryHeap::new();
        self.relax(graph, tree, terms, start, &mut waiting);
        let mut best: Option<(Cost, Vec<u32>)> = None;
        // Ascending by the cost of the whole, then by edges so far: a vertex is final when its turn comes, order of vertices included.
        while let Some(Reverse((whole, _, vertex))) = waiting.pop() {
            if best.as_ref().is_some_and(|(cost, _)| whole > *cost) {
                break;
            }
            if std::mem::replace(&mut self.vertices[vertex as usize].done, true) {
                continue;
            }
            if self.class(tree, vertex) == Class::Clear {
                let way = self.way_from(start, vertex, tree);
                if best.as_ref().is_none_or(|(_, known)| way < *known) {
                    best = Some((whole, way));
                }
                continue;
            }
            self.relax(graph, tree, terms, vertex, &mut waiting);
        }
        best
    }

    fn relax(
        &mut self,
        graph: &RouteGraph,
        tree: &Tree,
        terms: &Terms,
        vertex: u32,
        waiting: &mut BinaryHeap<Reverse<(Cost, u32, u32)>>,
    ) {
        let is_start = terms.prefix.last() == Some(&vertex);
        let cost = self.vertices[vertex as usize].cost;
        for (head, length) in graph.leaving(vertex) {
            let bound = tree.bound(head);
            let is_forbidden = is_start && terms.excluded.contains(&head);
            if is_forbidden || bound == Cost::INFINITE || self.class_if_known(head) == Some(Class::Path) {
                continue;
            }
            let through = cost.and_edge(length);
            let whole = through.and(bound);
            if whole > terms.limit {
                continue;
            }
            let known = &self.vertices[head as usize];
            let order = if known.reached_in == self.search { through.cmp(&known.cost) } else { Ordering::Less };
            match order {
                Ordering::Less => {
                    self.reach(head, through, vertex);
                    waiting.push(Reverse((whole, through.edges, head)));
                }
                Ordering::Equal if !known.done && self.comes_before(vertex, known.from) => {
                    self.reach(head, through, vertex)
                }
                _ => (),
            }
        }
    }

    fn reach(&mut self, vertex: u32, cost: Cost, from: u32) {
        let entry = &mut self.vertices[vertex as usize];
        (entry.reached_in, entry.cost, entry.from, entry.done) = (self.search, cost, from, false);
    }

    /// Whether the way from the start to one vertex is before that to another in order of vertices; both have as many edges.
    fn comes_before(&self, one: u32, other: u32) -> bool {
        let (mut one, mut other) = (one, other);
        let mut before = false;
        while one != other {
            before = one < other;
            (one, other) = (self.vertices[one as usize].from, self.vertices[other as usize].from);
        }
        before
    }

    fn way_from(&self, start: u32, vertex: u32, tree: &Tree) -> Vec<u32> {
        let back = |&vertex: &u32| Some(self.vertices[vertex as usize].from).filter(|&from| from != start);
        let mut way: Vec<u32> = std::iter::successors(Some(vertex), back).collect();
        way.reverse();
        way.extend(tree.way(vertex).skip(1));
        way
    }

    fn classify_as(&mut self, vertex: u32, class: Class) {
        let entry = &mut self.vertices[vertex as usize];
        (entry.classified_in, entry.class) = (self.search, class);
    }

    fn class_if_known(&self, vertex: u32) -> Option<Class> {
        let entry = &self.vertices[vertex as usize];
        (entry.classified_in == self.search).then_some(entry.class)
    }

    /// Follows the tree until something is known, and remembers it for all vertices passed.
    fn class(&mut self, tree: &Tree, vertex: u32) -> Class {
        let mut end = vertex;
        let class = loop {
            match self.class_if_known(end) {
                Some(Class::Path) => break Class::Entangled,
                Some(known) => break known,
                None if end == tree.root => break Class::Clear,
                None if !tree.has(end) => break Class::Entangled,
                None => end = tree.next(end),
            }
        };
        let mut passed = vertex;
        while self.class_if_known(passed).is_none() {
            self.classify_as(passed, class);
            if passed == tree.root || !tree.has(passed) {
                break;
            }
            passed = tree.next(passed);
        }
        class
    }
}
