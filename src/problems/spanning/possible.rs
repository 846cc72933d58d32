//! Which vertices can be the parent of which, over all minimum spanning trees rooted at the source.
//!
//! Go through the weight classes from the heaviest to the lightest. A component of a class is a multigraph over what lighter edges connect;
//! its spanning trees are rooted where the path from the source *enters*: at the source itself, or at an end of a heavier edge. An edge from
//! U to Y is in some tree so rooted, U above Y, exactly when an entry reaches U without passing Y: when Y does not dominate U from a virtual
//! root above all entries. Then the edge's end in Y is an entry of Y's own, lighter, components. Classes choose independently, so every
//! such edge is in some minimum spanning tree.

use super::Edge;
use super::live::{Hierarchy, Live};
use crate::problems::trees::Dominators;

/// The possible pairs (child, parent), ascending; roots are their own parents.
pub(super) fn possible_parents(source: usize, live: &Live) -> Vec<(usize, usize)> {
    let Live { edges, hierarchy, is_inside, .. } = live;
    let n = is_inside.len();
    let outside = (0..n).filter(|&vertex| vertex == source || !is_inside[vertex]);
    // Child and parent as one number: many of them are sorted.
    let pair = |child: usize, parent: usize| (child as u64) << 32 | parent as u64;
    let mut pairs: Vec<u64> = outside.map(|vertex| pair(vertex, vertex)).collect();
    let mut entries = Entries { last: vec![NONE; hierarchy.parent.len() - n], list: vec![] };
    if let Some(top) = hierarchy.top_of(source).checked_sub(n) {
        entries.push(top, source as u32);
    }
    let mut entered = vec![];
    // A node stands after all nodes that it was made of.
    for node in (n..hierarchy.parent.len()).rev() {
        entries.read(node - n, &mut entered);
        if entered.is_empty() {
            continue;
        }
        hierarchy.enter(node, &entered, edges, |child, entry, parent| {
            if let Some(parent) = parent {
                pairs.push(pair(entry as usize, parent as usize));
            }
            // A vertex has nothing below it.
            if let Some(below) = child.checked_sub(n) {
                entries.push(below, entry);
            }
        });
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs.into_iter().map(|pair| ((pair >> 32) as usize, pair as u32 as usize)).collect()
}

/// Where nodes are entered: a list for each, all in one place, as most have one entry.
struct Entries {
    /// The last entry of each node.
    last: Vec<u32>,
    /// A vertex, and the entry before it.
    list: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl Entries {
    fn push(&mut self, node: usize, vertex: u32) {
        let before = std::mem::replace(&mut self.last[node], self.list.len() as u32);
        self.list.push((vertex, before));
    }

    /// The entries of a node, ascending, each once.
    fn read(&self, node: usize, entered: &mut Vec<u32>) {
        entered.clear();
        let mut at = self.last[node];
        while at != NONE {
            let (vertex, before) = self.list[at as usize];
            entered.push(vertex);
            at = before;
        }
        entered.sort_unstable();
        entered.dedup();
    }
}

impl Hierarchy {
    fn top_of(&self, vertex: usize) -> usize {
        let mut node = vertex;
        while self.parent[node] as usize != node {
            node = self.parent[node] as usize;
        }
        node
    }

    /// Calls `enter` with each part of a node that is entered, where, and from where if by one of the node's own edges.
    fn enter(&self, node: usize, entered: &[u32], edges: &[Edge], mut enter: impl FnMut(usize, u32, Option<u32>)) {
        if let &[edge] = self.joins.of(node) {
            return self.enter_pair(node, entered, edge, edges, enter);
        }
        let mut parts: Vec<u32> = self.joins.of(node).iter().flat_map(|&edge| self.parts[edge as usize]).collect();
        parts.sort_unstable();
        parts.dedup();
        let local = |part: u32| parts.binary_search(&part).expect("an edge joins parts of its node") + 1;
        let mut arcs: Vec<(usize, usize)> = vec![];
        for &entry in entered {
            let part = self.part_below(entry, node);
            arcs.push((0, local(part)));
            enter(part as usize, entry, None);
        }
        for &edge in self.joins.of(node) {
            let [one, other] = self.parts[edge as usize].map(local);
            arcs.extend([(one, other), (other, one)]);
        }
        let dominators = Dominators::new(parts.len() + 1, 0, arcs.iter().copied());
        for &edge in self.joins.of(node) {
            let (one, other, _) = edges[edge as usize];
            let [below_one, below_other] = self.parts[edge as usize];
            for (from, to, above, below) in [(one, other, below_one, below_other), (other, one, below_other, below_one)]
            {
                if !dominators.dominates(local(below), local(above)) {
                    enter(below as usize, to as u32, Some(from as u32));
                }
            }
        }
    }

    /// As [`Hierarchy::enter`] for a node of two parts and one edge, as most are: the edge leads out of a part that is entered, and not back.
    fn enter_pair(
        &self,
        node: usize,
        entered: &[u32],
        edge: u32,
        edges: &[Edge],
        mut enter: impl FnMut(usize, u32, Option<u32>),
    ) {
        let parts = self.parts[edge as usize];
        let mut is_entered = [false; 2];
        for &entry in entered {
            let part = self.part_below(entry, node);
            is_entered[usize::from(part == parts[1])] = true;
            enter(part as usize, entry, None);
        }
        let (one, other, _) = edges[edge as usize];
        let ends = [one as u32, other as u32];
        for from in (0..2).filter(|&from| is_entered[from]) {
            enter(parts[1 - from] as usize, ends[1 - from], Some(ends[from]));
        }
    }

    /// The part of `node` that a vertex is in.
    fn part_below(&self, vertex: u32, node: usize) -> u32 {
        let mut part = vertex;
        while self.parent[part as usize] as usize != node {
            part = self.parent[part as usize];
        }
        part
    }
}
