//! All minimum spanning forests, each once: all spanning trees of every block, like the wheels of a counter.
//!
//! Within a block links are taken or left in order, taken wherever that closes no cycle. The next tree leaves the last
//! taken link that can be left, keeps what was decided before it, and starts over after it. A link can be left exactly
//! when a later link that is not taken closes a cycle through it.

use super::blocks::Block;
use super::classes::Classes;
use super::sets::Sets;
use crate::problems::grouped::Grouped;

/// All forests, each once: see [`Classes::iter`].
pub struct Forests<'a> {
    classes: &'a Classes,
    wheels: Vec<Wheel<'a>>,
    /// The tree of each wheel.
    taken: Vec<Vec<bool>>,
    started: bool,
    over: bool,
}

impl<'a> Forests<'a> {
    pub(super) fn new(classes: &'a Classes) -> Self {
        let wheels = classes.blocks.iter().map(|block| Wheel { block, at: block.at_vertices() }).collect();
        let taken = classes.blocks.iter().map(first_tree).collect();
        Forests { classes, wheels, taken, started: false, over: false }
    }

    /// Turns the last wheel; one that is at its end starts over and turns the one before it.
    fn turn(&mut self) -> bool {
        for (wheel, taken) in self.wheels.iter().zip(&mut self.taken).rev() {
            if wheel.turn(taken) {
                return true;
            }
            *taken = first_tree(wheel.block);
        }
        false
    }
}

impl Iterator for Forests<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        self.over = self.over || self.started && !self.turn();
        self.started = true;
        (!self.over).then(|| self.classes.forest(self.taken.iter()))
    }
}

fn first_tree(block: &Block) -> Vec<bool> {
    block.greedy(0..block.links.len())
}

/// The spanning trees of a block.
struct Wheel<'a> {
    block: &'a Block,
    at: Grouped<u32>,
}

const NONE: u32 = u32::MAX;

impl Wheel<'_> {
    /// Goes on to the next tree; false after the last one.
    fn turn(&self, taken: &mut [bool]) -> bool {
        let Some(left) = self.last_to_leave(taken) else { return false };
        taken[left] = false;
        let mut sets = Sets::new(self.block.size);
        for (link, taken) in taken.iter_mut().enumerate() {
            let [a, b] = self.block.links[link].ends.map(|end| end as usize);
            match link > left {
                true => *taken = sets.join(a, b),
                false => *taken = *taken && sets.join(a, b),
            }
        }
        true
    }

    /// The last taken link on a cycle that a later link would close.
    fn last_to_leave(&self, taken: &[bool]) -> Option<usize> {
        let (parent, by, depth) = self.rooted(taken);
        // Vertices whose link upwards has been seen are joined with their parent, so that each is passed once.
        let mut highest: Vec<u32> = (0..self.block.size as u32).collect();
        let top = |vertex: u32, highest: &mut Vec<u32>| {
            let mut at = vertex as usize;
            while highest[at] as usize != at {
                highest[at] = highest[highest[at] as usize];
                at = highest[at] as usize;
            }
            at
        };
        let mut best = None;
        for closing in (0..taken.len()).rev().filter(|&link| !taken[link]) {
            let [mut a, mut b] = self.block.links[closing].ends.map(|end| top(end, &mut highest));
            while a != b {
                let lower = if depth[a] >= depth[b] { &mut a } else { &mut b };
                let link = by[*lower] as usize;
                if link < closing {
                    best = best.max(Some(link));
                }
                highest[*lower] = parent[*lower];
                *lower = top(parent[*lower], &mut highest);
            }
        }
        best
    }

    /// The tree from vertex 0: each vertex's parent, the link to it, and its depth.
    fn rooted(&self, taken: &[bool]) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
        let size = self.block.size;
        let (mut parent, mut by, mut depth) = (vec![NONE; size], vec![NONE; size], vec![0; size]);
        let mut waiting = vec![0];
        while let Some(vertex) = waiting.pop() {
            let from = by[vertex];
            for &link in self.at.of(vertex).iter().filter(|&&link| taken[link as usize] && link != from) {
                let [a, b] = self.block.links[link as usize].ends;
                let other = if a as usize == vertex { b } else { a } as usize;
                (parent[other], by[other], depth[other]) = (vertex as u32, link, depth[vertex] + 1);
                waiting.push(other);
            }
        }
        (parent, by, depth)
    }
}
