//! Routes one after the other, the best first.
//!
//! Lawler's partition of Yen's: the routes that are left, after some were found, fall into classes "as that route up to here, and then by
//! another edge than these". The best of each class waits in a queue. Three things make it fast on large graphs:
//!
//! - Costs to the target are known for every vertex ([`Tree`]), so each class has a lower bound at once, and mostly its best route as well: the
//!   best edge, and from there the way in the tree, unless that runs into the part of the route that is kept. Only a class where it
//!   does is searched ([`DetourSearch`]), and only when its turn comes.
//! - How low on a route the ways of its neighbours in the tree end is found once for a route, not once for each of its vertices.
//! - Once k routes are known, found or waiting, a class whose bound is beyond the worst of them is dropped.
//!
//! Memory: the routes found, and for each of their vertices one class of a few dozen bytes.

use super::detour::{DetourSearch, Terms};
use super::meetings::Meetings;
use super::network::{Cost, RouteGraph};
use super::tree::Tree;
use super::{NOBODY, Route};
use crate::cancel;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// All routes from a source to the root of a tree in order of length, then of the number of edges, then of vertices.
pub(super) struct InOrder<'a> {
    graph: &'a RouteGraph<'a>,
    tree: &'a Tree,
    wanted: usize,
    limit: Cost,
    found: Vec<Found>,
    /// How many of them were given out, and how many were looked at for classes.
    given: usize,
    branched: usize,
    waiting: BinaryHeap<Class>,
    /// Routes of the same cost, the first in order of vertices last.
    tied: Vec<Class>,
    is_sorted: bool,
    /// The lowest costs of routes, found or waiting; no more of them than are wanted.
    known: BinaryHeap<Cost>,
    meetings: Meetings,
    detours: Option<DetourSearch>,
}

/// A route that was found.
struct Found {
    path: Vec<u32>,
    parent: u32,
    /// The last place that it has in common with its parent, and where a route of its class may not go on from there.
    branch: u32,
    excluded: Vec<u32>,
}

/// The routes that are like a found one up to a place, and then go on by another edge than those excluded.
struct Class {
    /// Of its best route; a lower bound while that is not known.
    cost: Cost,
    is_known: bool,
    found: u32,
    place: u32,
    /// Where its best route goes on.
    head: u32,
    /// The vertices after the place, where they are not the head's way in the tree.
    detour: Option<Box<[u32]>>,
}

impl<'a> InOrder<'a> {
    /// No more than `wanted` routes of at most this length.
    pub fn new(graph: &'a RouteGraph<'a>, tree: &'a Tree, source: usize, wanted: usize, limit: Option<i128>) -> Self {
        let limit = limit.map_or(Cost::INFINITE, |length| Cost { length, edges: u32::MAX });
        let mut routes = InOrder {
            graph,
            tree,
            wanted,
            limit,
            found: vec![],
            given: 0,
            branched: 0,
            waiting: BinaryHeap::new(),
            tied: vec![],
            is_sorted: true,
            known: BinaryHeap::new(),
            meetings: Meetings::default(),
            detours: None,
        };
        if tree.has(source as u32) && tree.bound(source as u32) <= limit && wanted > 0 {
            let path: Vec<u32> = tree.way(source as u32).collect();
            let excluded = path.get(1).copied().into_iter().collect();
            routes.known.push(tree.bound(source as u32));
            routes.found.push(Found { path, parent: NOBODY, branch: 0, excluded });
        }
        routes
    }

    /// The cost beyond which a route is of no interest any more.
    fn most(&self) -> Cost {
        let kth = self.known.peek().filter(|_| self.known.len() >= self.wanted);
        kth.map_or(self.limit, |&kth| kth.min(self.limit))
    }

    /// Puts a class into the queue, if it may hold one of the routes wanted.
    fn offer(&mut self, class: Class) {
        if class.cost > self.most() {
            return;
        }
        if class.is_known {
            self.known.push(class.cost);
            if self.known.len() > self.wanted {
                self.known.pop();
            }
        }
        self.waiting.push(class);
    }

    fn excluded(&self, found: u32, place: u32) -> &[u32] {
        let route = &self.found[found as usize];
        match route.branch == place {
            true => &route.excluded,
            false => &route.path[place as usize + 1..place as usize + 2],
        }
    }

    /// The classes that a route leaves of its own class: one for each of its vertices from its branch on.
    fn branch_out(&mut self, number: u32) {
        let path = std::mem::take(&mut self.found[number as usize].path);
        self.meetings.begin(&path, self.graph.n());
        let mut cost = Cost::ZERO;
        let branch = self.found[number as usize].branch;
        for place in 0..path.len().saturating_sub(1) as u32 {
            let here = place as usize;
            if place >= branch {
                let class = match place == branch {
                    true => self.class_at(&path, number, place, cost, &self.found[number as usize].excluded.clone()),
                    false => self.class_at(&path, number, place, cost, &path[here + 1..here + 2]),
                };
                class.into_iter().for_each(|class| self.offer(class));
            }
            let length = self.graph.length(path[here] as usize, path[here + 1] as usize);
            cost = cost.and_edge(length.expect("a route follows edges"));
        }
        self.found[number as usize].path = path;
    }

    fn class_at(&mut self, path: &[u32], found: u32, place: u32, cost: Cost, excluded: &[u32]) -> Option<Class> {
        let (mut clear, mut entangled) = (None::<(Cost, u32)>, None::<(Cost, u32)>);
        let (graph, tree) = (self.graph, self.tree);
        for (head, length) in graph.leaving(path[place as usize]) {
            let bound = tree.bound(head);
            if bound == Cost::INFINITE || self.meetings.is_kept(head, place) || excluded.contains(&head) {
                continue;
            }
            let whole = (cost.and_edge(length).and(bound), head);
            let best = if self.meetings.lowest(tree, head) > place { &mut clear } else { &mut entangled };
            if best.is_none_or(|known| whole < known) {
                *best = Some(whole);
            }
        }
        let is_known = clear.is_some_and(|clear| entangled.is_none_or(|entangled| clear < entangled));
        let (cost, head) = if is_known { clear? } else { entangled? };
        Some(Class { cost, is_known, found, place, head, detour: None })
    }

    /// The class with its best route, if it has one of interest.
    fn search(&mut self, class: Class) -> Option<Class> {
        let mut detours = self.detours.take().unwrap_or_else(|| DetourSearch::new(self.graph.n()));
        let prefix = &self.found[class.found as usize].path[..=class.place as usize];
        let terms = Terms {
            prefix,
            excluded: self.excluded(class.found, class.place),
            cost: self.cost_of(prefix),
            limit: self.most(),
        };
        let found = detours.find(self.graph, self.tree, &terms);
        self.detours = Some(detours);
        let (cost, way) = found?;
        Some(Class { cost, is_known: true, head: way[0], detour: Some(way.into()), ..class })
    }

    fn cost_of(&self, path: &[u32]) -> Cost {
        let length = |pair: &[u32]| self.graph.length(pair[0] as usize, pair[1] as usize);
        let add = |cost: Cost, pair: &[u32]| cost.and_edge(length(pair).expect("a route follows edges"));
        path.windows(2).fold(Cost::ZERO, add)
    }

    /// How many vertices two found routes have in common from the start.
    fn common(&self, mut one: u32, mut other: u32) -> u32 {
        let mut common = u32::MAX;
        while one != other {
            // A parent is found before its child.
            let later = if one > other { &mut one } else { &mut other };
            let route = &self.found[*later as usize];
            common = common.min(route.branch + 1);
            *later = route.parent;
        }
        common
    }

    /// The order of vertices of the best routes of two classes.
    fn compare(&self, one: &Class, other: &Class) -> Ordering {
        let at = |class: &Class, place: u32| match place == class.place + 1 {
            true => class.head,
            false => self.found[class.found as usize].path[place as usize],
        };
        let common = self.common(one.found, other.found);
        let place = common.min(one.place + 1).min(other.place + 1);
        at(one, place).cmp(&at(other, place))
    }

    /// The next class by cost and order of vertices, its best route known.
    fn next_class(&mut self) -> Option<Class> {
        loop {
            cancel::point();
            let due = self.tied.first().map(|tied| tied.cost);
            // A lower bound may be below what was given out already.
            let is_due = self.waiting.peek().is_some_and(|class| due.is_none_or(|due| class.cost <= due));
            let Some(class) = is_due.then(|| self.waiting.pop()).flatten() else {
                self.sort_ties();
                return self.tied.pop();
            };
            if class.is_known {
                self.tied.push(class);
                self.is_sorted = false;
            } else if let Some(class) = self.search(class) {
                self.offer(class);
            }
        }
    }

    fn sort_ties(&mut self) {
        if std::mem::replace(&mut self.is_sorted, true) {
            return;
        }
        let mut tied = std::mem::take(&mut self.tied);
        tied.sort_by(|one, other| self.compare(other, one));
        let left = self.wanted - self.found.len();
        tied.drain(..tied.len().saturating_sub(left));
        self.tied = tied;
    }

    fn take(&mut self, class: Class) {
        let kept = &self.found[class.found as usize].path[..=class.place as usize];
        let mut path = kept.to_vec();
        match &class.detour {
            Some(detour) => path.extend(detour),
            None => path.extend(self.tree.way(class.head)),
        }
        let mut excluded = self.excluded(class.found, class.place).to_vec();
        excluded.push(class.head);
        self.found.push(Found { path, parent: class.found, branch: class.place, excluded });
    }
}

impl Iterator for InOrder<'_> {
    type Item = Route;

    fn next(&mut self) -> Option<Route> {
        if self.given == self.found.len() {
            if self.found.len() >= self.wanted || self.found.is_empty() {
                return None;
            }
            if self.branched < self.found.len() {
                self.branch_out(self.branched as u32);
                self.branched += 1;
            }
            let class = self.next_class()?;
            self.take(class);
        }
        let path = &self.found[self.given].path;
        self.given += 1;
        let length = self.cost_of(path).length;
        Some(Route { path: path.iter().map(|&vertex| vertex as usize).collect(), length })
    }
}

/// The best first; of the same cost, those that have to be searched first.
impl Ord for Class {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.cost, other.is_known).cmp(&(self.cost, self.is_known))
    }
}

impl PartialOrd for Class {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Class {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Class {}
