//! A candidate without cycles as a forest: preorder positions, subtrees and lowest common ancestors.
//!
//! Vertices are renamed to their positions in a preorder walk that starts at a virtual root (position 0) above the
//! roots of the forest. A subtree is then a range of positions, "is an ancestor of" is two comparisons, and an
//! ancestor comes before its descendants.
//!
//! ```text
//!     *            position  0  1  2  3  4
//!    / \           vertex    *  0  2  3  1
//!   0   1          last      4  3  3  3  4
//!   |
//!   2 - 3 (below)
//! ```

use crate::answers::Parents;
use std::sync::OnceLock;

/// A vertex's place in the preorder walk; 0 is the virtual root.
pub(super) type Position = u32;

pub(super) struct Forest {
    /// The vertex at a position (what stands at 0 has no meaning).
    vertex: Vec<u32>,
    position: Vec<Position>,
    parent: Vec<Position>,
    /// The last position of the subtree.
    last: Vec<Position>,
    /// An ancestor far above, such that climbing by parents and jumps takes O(log n) steps (Myers' skew-binary
    /// pointers): one array instead of the logarithmic table of binary lifting. Only who climbs needs it.
    jump: OnceLock<Vec<Position>>,
}

impl Forest {
    /// The forest, or the least vertex that lies on a cycle.
    pub fn new(candidate: Parents<'_>) -> Result<Self, usize> {
        let (vertex, position, parent) = preorder(candidate);
        if vertex.len() <= candidate.n() {
            return Err(least_on_cycle(candidate, &position));
        }
        let last = last_of_subtrees(&parent);
        Ok(Forest { vertex, position, parent, last, jump: OnceLock::new() })
    }

    pub fn position(&self, vertex: usize) -> Position {
        self.position[vertex]
    }

    pub fn vertex(&self, position: Position) -> usize {
        self.vertex[position as usize] as usize
    }

    /// The number of positions, the virtual root included.
    pub fn len(&self) -> usize {
        self.vertex.len()
    }

    pub fn is_root(&self, position: Position) -> bool {
        self.parent[position as usize] == 0
    }

    /// True when `below` lies in the subtree of `above` (each vertex does in its own).
    pub fn contains(&self, above: Position, below: Position) -> bool {
        above <= below && below <= self.last[above as usize]
    }

    /// The highest vertex above `start` (or `start` itself) whose subtree does not contain `other`: a child of the
    /// lowest common ancestor. Neither of the two may be an ancestor of the other.
    pub fn below_common_ancestor(&self, start: Position, other: Position) -> Position {
        self.climb(start, |above| !self.contains(above, other))
    }

    /// The highest vertex above `start` (or `start` itself) up to which `goes_on` holds. It must not hold at the virtual root.
    pub fn climb(&self, start: Position, goes_on: impl Fn(Position) -> bool) -> Position {
        let jumps = self.jump.get_or_init(|| jumps(&self.parent));
        let mut climbed = start;
        loop {
            let (jump, parent) = (jumps[climbed as usize], self.parent[climbed as usize]);
            if goes_on(jump) {
                climbed = jump;
            } else if goes_on(parent) {
                climbed = parent;
            } else {
                return climbed;
            }
        }
    }

    /// The root of the tree that each vertex lies in.
    pub fn roots(&self) -> Vec<u32> {
        let mut roots = vec![0; self.position.len()];
        let mut root = 0;
        for place in 1..self.len() as Position {
            if self.is_root(place) {
                root = self.vertex[place as usize];
            }
            roots[self.vertex(place)] = root;
        }
        roots
    }
}

/// The walk from the virtual root: the vertex at each position, the position of each vertex, and that of each position's parent.
/// Vertices on or below a cycle are not reached, and stand at 0.
fn preorder(candidate: Parents<'_>) -> (Vec<u32>, Vec<Position>, Vec<Position>) {
    let n = candidate.n();
    // The first child of each vertex, and the next one of the same parent: side by side, because both are asked for at once.
    let mut links = vec![[NOBODY; 2]; n];
    for child in (0..n).rev().filter(|&child| !candidate.is_root(child)) {
        links[child][1] = std::mem::replace(&mut links[candidate.of(child)][0], child as u32);
    }
    let (mut vertex, mut position, mut parent) = (Vec::with_capacity(n + 1), vec![0; n], Vec::with_capacity(n + 1));
    vertex.push(0);
    parent.push(0);
    for root in (0..n).filter(|&v| candidate.is_root(v)) {
        let (mut at, mut above) = (root, 0);
        loop {
            position[at] = vertex.len() as Position;
            vertex.push(at as u32);
            parent.push(above);
            let [mut next, mut beside] = links[at];
            above = position[at];
            while next == NOBODY && at != root {
                next = beside;
                at = candidate.of(at);
                beside = links[at][1];
                above = position[at];
            }
            if next == NOBODY {
                break;
            }
            at = next as usize;
        }
    }
    (vertex, position, parent)
}

const NOBODY: u32 = u32::MAX;

fn last_of_subtrees(parent: &[Position]) -> Vec<Position> {
    let mut last: Vec<Position> = (0..parent.len() as Position).collect();
    for place in (1..parent.len()).rev() {
        let above = parent[place] as usize;
        last[above] = last[above].max(last[place]);
    }
    last
}

fn jumps(parent: &[Position]) -> Vec<Position> {
    let mut jump = vec![0; parent.len()];
    let mut depth = vec![0u32; parent.len()];
    for place in 1..parent.len() {
        let above = parent[place] as usize;
        let (once, twice) = (jump[above] as usize, jump[jump[above] as usize] as usize);
        depth[place] = depth[above] + 1;
        let equal_strides = depth[above] - depth[once] == depth[once] - depth[twice];
        jump[place] = if equal_strides { twice as Position } else { above as Position };
    }
    jump
}

fn least_on_cycle(candidate: Parents<'_>, position: &[Position]) -> usize {
    let n = candidate.n();
    let mut on_cycle = (0..n).find(|&v| position[v] == 0).expect("the walk missed a vertex");
    for _ in 0..n {
        on_cycle = candidate.of(on_cycle);
    }
    let mut least = on_cycle;
    let mut v = candidate.of(on_cycle);
    while v != on_cycle {
        least = least.min(v);
        v = candidate.of(v);
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Candidate;
    use crate::random::Rng;

    fn ancestors(candidate: Parents<'_>, v: usize) -> Vec<usize> {
        let mut path = vec![v];
        while !candidate.is_root(path[path.len() - 1]) {
            path.push(candidate.of(path[path.len() - 1]));
        }
        path
    }

    #[test]
    fn climbing_agrees_with_walking_up() {
        let mut rng = Rng::stream(0, "forest", 0);
        for n in 2..40 {
            // Each parent is lower, so there is no cycle; narrow choices make deep trees.
            let drawn = Candidate::from_each_vertex(n, |v| v - rng.below(v.min(3) + 1));
            let candidate = drawn.parents();
            let forest = Forest::new(candidate).unwrap();
            for u in 0..n {
                for v in 0..n {
                    let (above_u, above_v) = (ancestors(candidate, u), ancestors(candidate, v));
                    let (place_u, place_v) = (forest.position(u), forest.position(v));
                    assert_eq!(forest.contains(place_u, place_v), above_v.contains(&u));
                    if !above_v.contains(&u) && !above_u.contains(&v) {
                        let expected = above_u.iter().rev().find(|a| !above_v.contains(a)).unwrap();
                        assert_eq!(forest.vertex(forest.below_common_ancestor(place_u, place_v)), *expected);
                    }
                }
                assert_eq!(forest.roots()[u] as usize, *ancestors(candidate, u).last().unwrap());
            }
        }
    }

    #[test]
    fn a_cycle_is_found() {
        let candidate = Candidate::from_parents([0, 2, 3, 1, 1, 4]).unwrap();
        assert_eq!(Forest::new(candidate.parents()).err(), Some(1));
    }
}
