//! Matchings made larger, without recursion, O(m √n).
//!
//! First by searches that go deep (after Pothen and Fan, 1990): each phase starts from every free vertex on the left and meets a vertex once. A search knows
//! which vertices on the left may have a free neighbour, and goes to those first, so that most paths are found before much is met. As long as phases find a
//! share of what is missing, there are O(log n) of them, each O(m). What they leave is found in layers, by the distance from free vertices: √n phases along
//! paths through all layers, which find more at once, and then, if something is still missing, phases of shortest paths (Hopcroft and Karp, 1973), of which
//! there are O(√n). A phase that finds no path, of either kind, has met all that free vertices reach: the matching is a maximum one.

use super::mates::{Mates, NOBODY};
use super::sides::Sides;
use crate::cancel;
use crate::instance::Graph;
use crate::problems::grouped::Grouped;
use fixedbitset::FixedBitSet;

/// Neighbours of vertices on the left, in the order in which they are tried.
pub(super) trait Rows {
    fn of(&self, left: usize) -> &[u32];
}

impl Rows for Graph {
    #[inline]
    fn of(&self, left: usize) -> &[u32] {
        self.out_neighbours(left)
    }
}

impl Rows for Grouped<u32> {
    #[inline]
    fn of(&self, left: usize) -> &[u32] {
        Grouped::of(self, left)
    }
}

/// As many vertices have their neighbours fetched at once.
pub(super) const AT_ONCE: usize = 32;

/// Has the processor fetch the neighbours of a few vertices side by side: one after the other, each would wait for memory.
pub(super) fn fetch(rows: &impl Rows, vertices: &[usize]) {
    let ends = |&vertex: &usize| {
        let row = rows.of(vertex);
        row.first().unwrap_or(&0) ^ row.last().unwrap_or(&0)
    };
    std::hint::black_box(vertices.iter().map(ends).fold(0, |all, own| all ^ own));
}

/// Makes a matching a maximum one of the edges of `rows`, which are edges of the graph. `lefts` are tried in their order.
pub(super) fn complete(sides: &Sides, rows: &impl Rows, lefts: &[usize], mates: &mut Mates) {
    let mut free = still_free(rows, lefts, mates);
    if !free.is_empty() && Deep::new(sides, rows, mates).run(&mut free) {
        complete_by_layers(rows, &free, mates, sides.n().isqrt());
    }
}

/// As [`complete`], layer by layer from the start; after so many phases by shortest paths alone.
pub(super) fn complete_by_layers(rows: &impl Rows, lefts: &[usize], mates: &mut Mates, phases: usize) {
    let mut free = still_free(rows, lefts, mates);
    let mut layers = Layers::new(rows, mates);
    let mut phase = 0;
    while layers.run(&mut free, phase >= phases) {
        phase += 1;
    }
}

/// The free vertices that have a neighbour.
fn still_free(rows: &impl Rows, lefts: &[usize], mates: &Mates) -> Vec<usize> {
    lefts.iter().copied().filter(|&left| mates.is_free(left) && !rows.of(left).is_empty()).collect()
}

/// Phases that find less than one in so many of the missing paths are the last that go deep.
const SHARE: usize = 16;

/// Searches that go deep.
struct Deep<'a, R> {
    rows: &'a R,
    mates: &'a mut Mates,
    /// The vertices on the left that may have a free neighbour; the others have none.
    may_end: FixedBitSet,
    /// The free vertices on the right.
    is_open: FixedBitSet,
    /// The vertices on the left that the phase has met.
    is_met: FixedBitSet,
    /// How many neighbours each vertex that was met has tried, in two laps: first those whose mates may have a free neighbour.
    tried: Vec<u32>,
    /// Pairs (left, right) from the start on.
    path: Vec<(u32, u32)>,
}

impl<'a, R: Rows> Deep<'a, R> {
    fn new(sides: &Sides, rows: &'a R, mates: &'a mut Mates) -> Self {
        let n = sides.n();
        let (mut may_end, mut is_open) = (FixedBitSet::with_capacity(n), FixedBitSet::with_capacity(n));
        let rights: Vec<usize> = (0..n).filter(|&vertex| mates.is_free(vertex) && !sides.is_left[vertex]).collect();
        for some in rights.chunks(AT_ONCE) {
            fetch(&sides.graph, some);
            for &right in some {
                is_open.insert(right);
                sides.graph.out_neighbours(right).iter().for_each(|&left| may_end.insert(left as usize));
            }
        }
        Deep { rows, mates, may_end, is_open, is_met: FixedBitSet::with_capacity(n), tried: vec![0; n], path: vec![] }
    }

    /// Phases from the free vertices, of which those that stay free are left; false when there are no more paths to be found.
    fn run(&mut self, free: &mut Vec<usize>) -> bool {
        // Each second phase tries neighbours from the last on, so that none is always the last to be tried.
        for is_backwards in [false, true].into_iter().cycle() {
            let missing = free.len();
            self.is_met.clear();
            free.retain(|&start| !self.augment_from(start, is_backwards));
            let found = missing - free.len();
            if found == 0 || free.is_empty() {
                return false;
            }
            if found * SHARE < missing {
                break;
            }
        }
        true
    }

    /// Matches a free vertex along an augmenting path through vertices that the phase has not met; false when there is none.
    fn augment_from(&mut self, start: usize, is_backwards: bool) -> bool {
        cancel::point();
        self.path.clear();
        let mut left = start;
        loop {
            self.is_met.insert(left);
            self.tried[left] = 0;
            if let Some(right) = self.free_neighbour(left) {
                self.is_open.remove(right);
                self.mates.join(left, right);
                self.path.iter().for_each(|&(left, right)| self.mates.join(left as usize, right as usize));
                return true;
            }
            // No neighbour is free here: each leads to its mate.
            left = loop {
                match self.next_right(left, is_backwards) {
                    Some(right) => {
                        self.path.push((left as u32, right));
                        break self.mates.all()[right as usize] as usize;
                    }
                    None => match self.path.pop() {
                        Some((above, _)) => left = above as usize,
                        None => return false,
                    },
                }
            };
        }
    }

    fn free_neighbour(&mut self, left: usize) -> Option<usize> {
        if !self.may_end[left] {
            return None;
        }
        let found = self.rows.of(left).iter().find(|&&right| self.is_open[right as usize]);
        // Nobody becomes free again.
        self.may_end.set(left, found.is_some());
        found.map(|&right| right as usize)
    }

    /// The next neighbour whose mate was not met.
    fn next_right(&mut self, left: usize, is_backwards: bool) -> Option<u32> {
        let row = self.rows.of(left);
        let mut tried = self.tried[left] as usize;
        let is_new = |right: u32| !self.is_met[self.mates.all()[right as usize] as usize];
        let may_end = |right: u32| self.may_end[self.mates.all()[right as usize] as usize];
        let first_lap = row.get(tried..).unwrap_or(&[]).iter();
        let mut found = first_lap.inspect(|_| tried += 1).find(|&&right| may_end(right) && is_new(right)).copied();
        while found.is_none() && tried < 2 * row.len() {
            let place = if is_backwards { 2 * row.len() - 1 - tried } else { tried - row.len() };
            tried += 1;
            found = Some(row[place]).filter(|&right| is_new(right));
        }
        self.tried[left] = tried as u32;
        found
    }
}

/// Phases along paths whose every step leads one layer on.
struct Layers<'a, R> {
    rows: &'a R,
    mates: &'a mut Mates,
    /// How many matched edges a shortest alternating path from a free vertex to each vertex on the left has; for those that the phase met.
    depth: Vec<u32>,
    /// How many neighbours each of them has tried.
    tried: Vec<u32>,
    /// The vertices on the left that the phase met.
    queue: Vec<usize>,
    /// Pairs (left, right) from the start on.
    path: Vec<(u32, u32)>,
}

/// Not met, or nothing found from there.
const NOWHERE: u32 = u32::MAX;

impl<'a, R: Rows> Layers<'a, R> {
    fn new(rows: &'a R, mates: &'a mut Mates) -> Self {
        let n = mates.all().len();
        Layers { rows, mates, depth: vec![NOWHERE; n], tried: vec![0; n], queue: vec![], path: vec![] }
    }

    /// Augments along paths through the layers until nobody's neighbours lead to another one, along shortest ones alone if so wanted (these have no vertex in
    /// common); `free` are the vertices that stay free. False when there was no path, or none is missing now.
    fn run(&mut self, free: &mut Vec<usize>, is_shortest: bool) -> bool {
        let Some(last) = self.find_layers(free, is_shortest) else { return false };
        free.retain(|&start| !self.augment_from(start, if is_shortest { last } else { NOWHERE }));
        !free.is_empty()
    }

    /// Finds the depths, and the first at which a vertex has a free neighbour; none beyond it where paths are to be shortest ones.
    fn find_layers(&mut self, free: &[usize], is_shortest: bool) -> Option<u32> {
        for &left in &self.queue {
            (self.depth[left], self.tried[left]) = (NOWHERE, 0);
        }
        self.queue.clear();
        self.queue.extend(free);
        self.queue.iter().for_each(|&left| self.depth[left] = 0);
        let (mut next, mut last) = (0, None);
        while let Some(&left) = self.queue.get(next) {
            if next % (1 << 16) == 0 {
                cancel::point();
            }
            next += 1;
            let own = self.depth[left];
            if is_shortest && last.is_some_and(|last| own > last) {
                break;
            }
            for &right in self.rows.of(left) {
                match self.mates.all()[right as usize] {
                    NOBODY => last = last.or(Some(own)),
                    beyond if self.depth[beyond as usize] == NOWHERE => {
                        self.depth[beyond as usize] = own + 1;
                        self.queue.push(beyond as usize);
                    }
                    _ => {}
                }
            }
        }
        last
    }

    /// One augmenting path from a free vertex through the layers up to the last, if there is one left.
    fn augment_from(&mut self, start: usize, last: u32) -> bool {
        self.path.clear();
        let mut left = start;
        loop {
            let Some(&right) = self.rows.of(left).get(self.tried[left] as usize) else {
                match self.path.pop() {
                    Some((above, _)) => left = above as usize,
                    None => return false,
                }
                continue;
            };
            self.tried[left] += 1;
            match self.mates.all()[right as usize] {
                NOBODY => {
                    self.path.push((left as u32, right));
                    self.path.iter().for_each(|&(left, right)| self.mates.join(left as usize, right as usize));
                    return true;
                }
                beyond if self.depth[left] < last && self.depth[beyond as usize] == self.depth[left] + 1 => {
                    self.path.push((left as u32, right));
                    left = beyond as usize;
                }
                _ => {}
            }
        }
    }
}
