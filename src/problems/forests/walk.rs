//! Accepts nearly every depth-first forest by an order of siblings, at one random access for each arc and round.
//!
//! If positions in some preorder walk of the forest are such that no arc leads behind the end of its tail's subtree, a depth-first run
//! walks just so: where it leaves a vertex, every head has been visited. Of siblings the largest mostly came first, because a run
//! visits all that it can; so that is tried. The arcs that lead behind say who has to come before whom, and the next round has it so.
//!
//! ```text
//!   tree 0 -> 1, 0 -> 2, arc 1 -> 2       positions 0, 1, 2: the arc leads behind the end of 1, so 2 has to come before 1
//!                                         positions 0, 2, 1: it does not
//! ```
//! What is not accepted after a few rounds may be right or wrong; that is for others to say, and to explain.

use super::Restarts;
use super::forest::{Forest, Position};
use crate::answers::Parents;
use crate::instance::Graph;
use crate::problems::grouped::Grouped;
use crate::problems::links::Links;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Random graphs take one or two.
const ROUNDS: usize = 4;

/// True only for a forest of edges that some run produces.
pub(super) fn is_walked(graph: &Graph, candidate: Parents<'_>, forest: &Forest, restarts: Restarts) -> bool {
    let has_right_roots = restarts == Restarts::Any || roots_are_least(forest);
    if !has_right_roots
        || Links::to_children(
            candidate.n(),
            |child| candidate.of(child),
            |parent, child| graph.has_edge(parent, child).then_some(()),
        )
        .is_none()
    {
        return false;
    }
    let mut siblings = Siblings::largest_first(forest, restarts);
    for _ in 0..ROUNDS {
        // Each demand takes a climb; more of them than vertices are not worth it.
        let Some(behind) = leading_behind(graph, &siblings.ends(), graph.n()) else { return false };
        if behind.is_empty() {
            return true;
        }
        if !siblings.obey(&behind, restarts) {
            return false;
        }
    }
    false
}

fn roots_are_least(forest: &Forest) -> bool {
    let mut root = 0;
    (1..forest.len() as Position).all(|place| {
        if forest.is_root(place) {
            root = forest.vertex(place);
        }
        root <= forest.vertex(place)
    })
}

/// The arcs that lead behind the end of their tail's subtree; `None` if there are more than so many.
fn leading_behind(graph: &Graph, ends: &[[Position; 2]], most: usize) -> Option<Vec<(u32, u32)>> {
    let mut behind = vec![];
    for tail in 0..graph.n() {
        let end = ends[tail][1];
        let heads = graph.out_neighbours(tail);
        if heads.iter().fold(true, |all, &head| all & (ends[head as usize][0] <= end)) {
            continue;
        }
        let wrong = heads.iter().filter(|&&head| ends[head as usize][0] > end);
        behind.extend(wrong.map(|&head| (tail as u32, head)));
        if behind.len() > most {
            return None;
        }
    }
    Some(behind)
}

/// An order of all siblings.
struct Siblings<'a> {
    forest: &'a Forest,
    /// How many positions after its parent each position stands.
    after_parent: Vec<Position>,
    /// Who has to come before whom, as (parent, earlier, later).
    demands: Vec<(Position, Position, Position)>,
}

impl<'a> Siblings<'a> {
    /// The largest sibling first, the others as they are; roots as they are, where their order is given.
    fn largest_first(forest: &'a Forest, restarts: Restarts) -> Self {
        let places = || 1..forest.len() as Position;
        let mut largest = vec![0; forest.len()];
        for place in places().filter(|&place| restarts == Restarts::Any || !forest.is_root(place)) {
            let known = &mut largest[forest.parent(place) as usize];
            if *known == 0 || size(forest, place) > size(forest, *known) {
                *known = place;
            }
        }
        let (mut after_parent, mut taken) = (vec![0; forest.len()], vec![0; forest.len()]);
        for place in places() {
            let parent = forest.parent(place) as usize;
            after_parent[place as usize] = match largest[parent] {
                first if first == place => 1,
                first => {
                    let before = if first == 0 { 0 } else { size(forest, first) };
                    let after = 1 + before + taken[parent];
                    taken[parent] += size(forest, place);
                    after
                }
            };
        }
        Siblings { forest, after_parent, demands: vec![] }
    }

    /// For each vertex its position, and the last one of its subtree.
    fn ends(&self) -> Vec<[Position; 2]> {
        let forest = self.forest;
        let mut position = self.after_parent.clone();
        let mut ends = vec![[0; 2]; forest.len() - 1];
        for place in 1..forest.len() as Position {
            position[place as usize] += position[forest.parent(place) as usize];
            let first = position[place as usize];
            ends[forest.vertex(place)] = [first, first + size(forest, place) - 1];
        }
        ends
    }

    /// Puts siblings in an order that these arcs want, and those before them; false where there is none.
    fn obey(&mut self, behind: &[(u32, u32)], restarts: Restarts) -> bool {
        for &(tail, head) in behind {
            let (from, to) = (self.forest.position(tail as usize), self.forest.position(head as usize));
            let later = self.forest.below_common_ancestor(from, to);
            let earlier = self.forest.below_common_ancestor(to, from);
            self.demands.push((self.forest.parent(later), earlier, later));
        }
        self.demands.sort_unstable();
        self.demands.dedup();
        let demands = std::mem::take(&mut self.demands);
        let is_possible = demands.chunk_by(|one, other| one.0 == other.0).all(|own| {
            // Restarts in order leave no choice between roots.
            (own[0].0 > 0 || restarts == Restarts::Any) && self.sort_children(own[0].0, own)
        });
        self.demands = demands;
        is_possible
    }

    /// The order of a parent's children that meets demands; of those that may come next, the one that stood first does.
    fn sort_children(&mut self, parent: Position, demands: &[(Position, Position, Position)]) -> bool {
        let forest = self.forest;
        let next = |&child: &Position| Some(forest.last(child) + 1).filter(|&next| next <= forest.last(parent));
        let children: Vec<Position> = std::iter::successors(Some(parent + 1), next).collect();
        let index = |child: Position| children.binary_search(&child).expect("demands are between children");
        let pairs = demands.iter().map(|&(_, earlier, later)| (index(earlier), index(later)));
        let followers = Grouped::new(children.len(), pairs.clone());
        let mut waits_for = vec![0u32; children.len()];
        pairs.for_each(|(_, later)| waits_for[later] += 1);
        let rank = |child: usize| Reverse((self.after_parent[children[child] as usize], child));
        let mut ready: BinaryHeap<_> = (0..children.len()).filter(|&child| waits_for[child] == 0).map(rank).collect();
        let mut order = Vec::with_capacity(children.len());
        while let Some(Reverse((_, child))) = ready.pop() {
            order.push(child);
            for &later in followers.of(child) {
                waits_for[later] -= 1;
                if waits_for[later] == 0 {
                    ready.push(rank(later));
                }
            }
        }
        let mut after = 1;
        for &child in &order {
            self.after_parent[children[child] as usize] = after;
            after += size(forest, children[child]);
        }
        order.len() == children.len()
    }
}

/// The number of vertices of a subtree.
fn size(forest: &Forest, place: Position) -> Position {
    forest.last(place) - place + 1
}
