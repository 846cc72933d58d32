//! The blocks of a multigraph: its largest parts that no single vertex separates.
//!
//! A spanning tree is a spanning tree of each block, chosen apart from the others. A block of one edge is a bridge, in
//! every tree; in a larger block each edge is in some trees and not in others. Hopcroft and Tarjan (1973), without
//! recursion: O(n + m).

use super::sets::Sets;
use crate::problems::grouped::Grouped;

/// An edge of a multigraph: its number outside, and its two different ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Link {
    pub id: u32,
    pub ends: [u32; 2],
}

/// A block with at least two edges. Vertices are numbered anew from 0, links ascend by id.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub size: usize,
    pub links: Vec<Link>,
}

impl Block {
    /// The links at each vertex, by index.
    pub fn at_vertices(&self) -> Grouped<u32> {
        at_vertices(self.size, &self.links)
    }

    /// True when links, each given once by its number outside, are a spanning tree.
    pub fn is_spanned_by(&self, mut ids: impl ExactSizeIterator<Item = u32>) -> bool {
        let mut sets = Sets::new(self.size);
        let mut joins = |id| match self.links.binary_search_by_key(&id, |link| link.id) {
            Ok(link) => sets.join(self.links[link].ends[0] as usize, self.links[link].ends[1] as usize),
            Err(_) => false,
        };
        ids.len() + 1 == self.size && ids.all(&mut joins)
    }

    /// For each link whether the spanning tree takes it that prefers earlier ones in `order`.
    pub fn greedy(&self, order: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut sets = Sets::new(self.size);
        let mut taken = vec![false; self.links.len()];
        for link in order {
            let [a, b] = self.links[link].ends;
            taken[link] = sets.join(a as usize, b as usize);
        }
        taken
    }
}

fn at_vertices(size: usize, links: &[Link]) -> Grouped<u32> {
    let ends = links.iter().enumerate();
    Grouped::new(size, ends.flat_map(|(index, link)| link.ends.map(|end| (end as usize, index as u32))))
}

/// Splits a multigraph without loops into bridges and larger blocks, which are added to the two lists.
pub(super) fn split(size: usize, links: &[Link], bridges: &mut Vec<u32>, blocks: &mut Vec<Block>) {
    let mut search = Search {
        links,
        at: at_vertices(size, links),
        entered: vec![0; size],
        clock: 0,
        open: vec![],
        local: vec![u32::MAX; size],
    };
    for start in 0..size {
        if search.entered[start] == 0 {
            search.explore(start, bridges, blocks);
        }
    }
}

struct Search<'a> {
    links: &'a [Link],
    at: Grouped<u32>,
    /// The time of entry, from 1 on.
    entered: Vec<u32>,
    clock: u32,
    /// Links of blocks that are not complete yet.
    open: Vec<u32>,
    local: Vec<u32>,
}

/// A vertex on the path of the search.
struct Visit {
    vertex: usize,
    /// The link that it was entered by.
    by: u32,
    /// How many links were open before that.
    open: usize,
    done: usize,
    /// The earliest entry that is reached from here or below.
    low: u32,
}

impl Search<'_> {
    fn explore(&mut self, start: usize, bridges: &mut Vec<u32>, blocks: &mut Vec<Block>) {
        let mut path = vec![self.enter(start, u32::MAX)];
        while let Some(visit) = path.last_mut() {
            let Some(&link) = self.at.of(visit.vertex).get(visit.done) else {
                let Some(Visit { low, open, .. }) = path.pop() else { return };
                let Some(above) = path.last_mut() else { return };
                above.low = above.low.min(low);
                if low >= self.entered[above.vertex] {
                    let links = self.open.split_off(open);
                    self.close(&links, bridges, blocks);
                }
                continue;
            };
            visit.done += 1;
            if link == visit.by {
                continue;
            }
            let [a, b] = self.links[link as usize].ends.map(|end| end as usize);
            let other = if a == visit.vertex { b } else { a };
            if self.entered[other] == 0 {
                let next = self.enter(other, link);
                self.open.push(link);
                path.push(next);
            } else if self.entered[other] < self.entered[visit.vertex] {
                visit.low = visit.low.min(self.entered[other]);
                self.open.push(link);
            }
        }
    }

    fn enter(&mut self, vertex: usize, by: u32) -> Visit {
        self.clock += 1;
        self.entered[vertex] = self.clock;
        Visit { vertex, by, open: self.open.len(), done: 0, low: self.clock }
    }

    fn close(&mut self, links: &[u32], bridges: &mut Vec<u32>, blocks: &mut Vec<Block>) {
        let mut links: Vec<Link> = links.iter().map(|&link| self.links[link as usize]).collect();
        if let [bridge] = links[..] {
            bridges.push(bridge.id);
            return;
        }
        links.sort_unstable_by_key(|link| link.id);
        let mut members = vec![];
        for end in links.iter_mut().flat_map(|link| &mut link.ends) {
            let local = &mut self.local[*end as usize];
            if *local == u32::MAX {
                *local = members.len() as u32;
                members.push(*end);
            }
            *end = *local;
        }
        members.iter().for_each(|&member| self.local[member as usize] = u32::MAX);
        blocks.push(Block { size: members.len(), links });
    }
}
