//! Matchings made larger: Hopcroft and Karp's phases of shortest augmenting paths, O(m √n), without recursion.

use super::{Offers, Sides};
use crate::problems::grouped::Grouped;

/// No edge.
pub(super) const NOBODY: usize = u32::MAX as usize;

/// The chosen edge at each vertex.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mates(Vec<u32>);

impl Mates {
    /// Nothing chosen.
    pub fn none(n: usize) -> Self {
        Mates(vec![NOBODY as u32; n])
    }

    /// The chosen edge at a vertex, or [`NOBODY`].
    pub fn edge(&self, vertex: usize) -> usize {
        self.0[vertex] as usize
    }

    pub fn is_free(&self, vertex: usize) -> bool {
        self.edge(vertex) == NOBODY
    }

    pub fn has(&self, sides: &Sides, slot: usize) -> bool {
        self.edge(sides.ends[slot][0] as usize) == slot
    }

    /// Chooses an edge between two free vertices, or makes up for one of them by a later call.
    pub fn join(&mut self, sides: &Sides, slot: usize) {
        sides.ends[slot].iter().for_each(|&end| self.0[end as usize] = slot as u32);
    }

    /// Leaves an edge out.
    pub fn part(&mut self, sides: &Sides, slot: usize) {
        sides.ends[slot].iter().for_each(|&end| self.0[end as usize] = NOBODY as u32);
    }

    /// The chosen edges, ascending.
    pub fn slots(&self, sides: &Sides) -> Vec<usize> {
        let mut slots: Vec<usize> = sides.lefts().map(|left| self.edge(left)).filter(|&slot| slot != NOBODY).collect();
        slots.sort_unstable();
        slots
    }

    /// The left end of the chosen edge at each vertex, or [`NOBODY`].
    pub fn lefts(&self, sides: &Sides) -> Vec<u32> {
        let left_of = |&slot: &u32| sides.ends.get(slot as usize).map_or(NOBODY as u32, |ends| ends[0]);
        self.0.iter().map(left_of).collect()
    }

    pub fn size(&self, sides: &Sides) -> usize {
        sides.lefts().filter(|&left| !self.is_free(left)).count()
    }

    /// Chooses every second edge of a path from a free vertex on the left to one on the right, from the first on, in place of the others.
    pub fn augment(&mut self, sides: &Sides, path: &[usize]) {
        path.iter().step_by(2).for_each(|&slot| self.join(sides, slot));
    }

    /// The edges of a shortest augmenting path, from the left, along edges that are there; `None` when there is none. O(n + m).
    pub fn augmenting_path(&self, sides: &Sides, is_there: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        // The edge by which each vertex on the right was reached.
        let mut by = vec![NOBODY as u32; sides.n()];
        let mut queue: Vec<usize> = sides.lefts().filter(|&left| self.is_free(left)).collect();
        let mut next = 0;
        while let Some(&left) = queue.get(next) {
            next += 1;
            for (slot, right) in sides.around(left).filter(|&(slot, _)| is_there(slot)) {
                if by[right] != NOBODY as u32 || self.edge(left) == slot {
                    continue;
                }
                by[right] = slot as u32;
                match self.edge(right) {
                    NOBODY => return Some(self.path_back(sides, &by, right)),
                    matched => queue.push(sides.ends[matched][0] as usize),
                }
            }
        }
        None
    }

    fn path_back(&self, sides: &Sides, by: &[u32], end: usize) -> Vec<usize> {
        let mut path = vec![by[end] as usize];
        loop {
            let left = sides.ends[path[path.len() - 1]][0] as usize;
            match self.edge(left) {
                NOBODY => break,
                matched => {
                    path.push(matched);
                    path.push(by[sides.ends[matched][1] as usize] as usize);
                }
            }
        }
        path.reverse();
        path
    }

    /// Makes it a maximum matching. `lefts` are tried in their order, and the edges of each as `offers` has them.
    pub fn complete(&mut self, sides: &Sides, lefts: &[usize], offers: &Offers) {
        let is_open = |left: &&usize| self.is_free(**left) && !offers.slots.of(**left).is_empty();
        if lefts.iter().any(|left| is_open(&left)) {
            let mut phases = Phases::new(self, sides, offers);
            while phases.run(lefts) {}
        }
    }

    /// A vertex cover with as many vertices as the matching, which is a maximum one, has edges (König).
    pub fn vertex_cover(&self, sides: &Sides) -> Vec<usize> {
        let reached = self.reached(sides, true, |_| true);
        let has_edge = |vertex: &usize| !sides.at.of(*vertex).is_empty();
        (0..sides.n()).filter(has_edge).filter(|&vertex| reached[vertex] != sides.is_left[vertex]).collect()
    }

    /// The vertices on alternating paths from free vertices on one side, along edges that are there.
    pub fn reached(&self, sides: &Sides, from_left: bool, is_there: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; sides.n()];
        let is_start = |&vertex: &usize| sides.is_left[vertex] == from_left && self.is_free(vertex);
        let mut waiting: Vec<usize> = (0..sides.n()).filter(is_start).collect();
        waiting.iter().for_each(|&vertex| reached[vertex] = true);
        while let Some(vertex) = waiting.pop() {
            for (slot, other) in sides.around(vertex).filter(|&(slot, _)| is_there(slot)) {
                if slot == self.edge(vertex) || std::mem::replace(&mut reached[other], true) {
                    continue;
                }
                if !self.is_free(other) {
                    let beyond = sides.across(self.edge(other), other);
                    if !std::mem::replace(&mut reached[beyond], true) {
                        waiting.push(beyond);
                    }
                }
            }
        }
        reached
    }
}

/// A matching on its way to a maximum one. Each step of a search is two accesses to memory: who has a vertex on the right, and how deep that one is.
struct Phases<'a> {
    mates: &'a mut Mates,
    sides: &'a Sides,
    edges: &'a Grouped<u32>,
    /// The right end of each of `edges`.
    rights: &'a [u32],
    /// The vertex on the left that each vertex is matched to, or [`NOBODY`].
    partner: Vec<u32>,
    /// How many matched edges a shortest alternating path from a free vertex to each vertex on the left has.
    depth: Vec<u32>,
    /// How many of its edges each vertex on the left has tried.
    tried: Vec<u32>,
    queue: Vec<u32>,
}

impl<'a> Phases<'a> {
    fn new(mates: &'a mut Mates, sides: &'a Sides, offers: &'a Offers) -> Self {
        let n = sides.n();
        Phases {
            rights: &offers.rights,
            partner: mates.lefts(sides),
            depth: vec![],
            tried: vec![0; n],
            queue: vec![],
            mates,
            sides,
            edges: offers.slots,
        }
    }

    /// Augments along paths that have no vertex in common; false when there was none.
    fn run(&mut self, lefts: &[usize]) -> bool {
        if !self.find_layers(lefts) {
            return false;
        }
        self.tried.fill(0);
        for &start in lefts.iter().filter(|&&left| self.mates.is_free(left)).collect::<Vec<_>>() {
            self.augment_from(start);
        }
        true
    }

    /// Finds the depths; true when a path reaches a free vertex on the right.
    fn find_layers(&mut self, lefts: &[usize]) -> bool {
        self.depth.clear();
        self.depth.resize(self.sides.n(), u32::MAX);
        self.queue.clear();
        self.queue.extend(lefts.iter().filter(|&&left| self.mates.is_free(left)).map(|&left| left as u32));
        self.queue.iter().for_each(|&left| self.depth[left as usize] = 0);
        let (mut next, mut found) = (0, false);
        while let Some(&left) = self.queue.get(next) {
            next += 1;
            let deeper = self.depth[left as usize] + 1;
            let (start, end) = (self.edges.start(left as usize), self.edges.start(left as usize + 1));
            for &right in &self.rights[start..end] {
                match self.partner[right as usize] {
                    NO_PARTNER => found = true,
                    beyond if self.depth[beyond as usize] == u32::MAX => {
                        self.depth[beyond as usize] = deeper;
                        self.queue.push(beyond);
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// One augmenting path from a free vertex through the layers, if there is one left.
    fn augment_from(&mut self, start: usize) {
        let (mut lefts, mut path) = (vec![start], vec![]);
        while let Some(&left) = lefts.last() {
            let place = self.edges.start(left) + self.tried[left] as usize;
            if place == self.edges.start(left + 1) {
                self.depth[left] = u32::MAX;
                lefts.pop();
                path.pop();
                continue;
            }
            self.tried[left] += 1;
            match self.partner[self.rights[place] as usize] {
                NO_PARTNER => {
                    path.push(place);
                    path.into_iter().zip(lefts).for_each(|(place, left)| self.join(left, place));
                    return;
                }
                beyond if self.depth[left].checked_add(1) == Some(self.depth[beyond as usize]) => {
                    path.push(place);
                    lefts.push(beyond as usize);
                }
                _ => {}
            }
        }
    }

    fn join(&mut self, left: usize, place: usize) {
        self.mates.join(self.sides, self.edges.items()[place] as usize);
        self.partner[self.rights[place] as usize] = left as u32;
    }
}

const NO_PARTNER: u32 = NOBODY as u32;
