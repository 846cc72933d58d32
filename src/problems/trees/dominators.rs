//! Which vertices lie on every path from a root to which others: dominators.
//!
//! By Lengauer and Tarjan (1979), the simple version: O(m log n), no recursion.

use crate::problems::grouped::Grouped;

/// The dominator tree below a root, as ranges of a preorder walk.
pub(crate) struct Dominators {
    enter: Vec<u32>,
    leave: Vec<u32>,
}

impl Dominators {
    /// Of the vertices that `root` reaches along the arcs (tail, head).
    pub fn new(n: usize, root: usize, arcs: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let above = Walk::new(n, root, arcs).immediate_dominators();
        let below = above.iter().enumerate().filter(|&(_, &above)| above != NONE);
        let children = Grouped::new(n, below.map(|(vertex, &above)| (above as usize, vertex as u32)));
        let (mut enter, mut leave) = (vec![NONE; n], vec![0; n]);
        let mut clock = 0;
        // A vertex is put back with its mark set, to be met again when all below it have been.
        let mut waiting: Vec<(u32, bool)> = vec![(root as u32, false)];
        while let Some((vertex, done)) = waiting.pop() {
            if done {
                leave[vertex as usize] = clock;
                continue;
            }
            enter[vertex as usize] = clock;
            clock += 1;
            waiting.push((vertex, true));
            waiting.extend(children.of(vertex as usize).iter().map(|&child| (child, false)));
        }
        Dominators { enter, leave }
    }

    /// True when the root reaches `below` and every path there passes `above`.
    pub fn dominates(&self, above: usize, below: usize) -> bool {
        self.enter[above] <= self.enter[below] && self.enter[below] < self.leave[above]
    }
}

const NONE: u32 = u32::MAX;

/// A depth-first walk from the root; all fields but `number` are by number, the root's is 0.
struct Walk {
    number: Vec<u32>,
    vertex: Vec<u32>,
    parent: Vec<u32>,
    /// The numbers of the tails of arcs into each number.
    into: Grouped<u32>,
    /// The forest that grows while numbers are worked off from the last: the best number seen on the way up, and the
    /// way.
    best: Vec<u32>,
    ancestor: Vec<u32>,
    semi: Vec<u32>,
}

impl Walk {
    fn new(n: usize, root: usize, arcs: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let out = Grouped::new(n, arcs.clone().map(|(tail, head)| (tail, head as u32)));
        let (mut number, mut vertex, mut parent) = (vec![NONE; n], vec![], vec![]);
        let mut waiting: Vec<(u32, u32)> = vec![(root as u32, NONE)];
        while let Some((next, above)) = waiting.pop() {
            if number[next as usize] != NONE {
                continue;
            }
            let own = vertex.len() as u32;
            number[next as usize] = own;
            vertex.push(next);
            parent.push(above);
            let fresh = out.of(next as usize).iter().filter(|&&head| number[head as usize] == NONE);
            waiting.extend(fresh.map(|&head| (head, own)));
        }
        let inside = arcs.filter(|&(tail, _)| number[tail] != NONE);
        let into = Grouped::new(vertex.len(), inside.map(|(tail, head)| (number[head] as usize, number[tail])));
        let numbers: Vec<u32> = (0..vertex.len() as u32).collect();
        let ancestor = vec![NONE; vertex.len()];
        Walk { number, vertex, parent, into, best: numbers.clone(), ancestor, semi: numbers }
    }

    /// The immediate dominator of each vertex; none for the root and for what it does not reach.
    fn immediate_dominators(mut self) -> Vec<u32> {
        let count = self.vertex.len();
        let mut bucket_first = vec![NONE; count];
        let mut bucket_next = vec![NONE; count];
        let mut dominator = vec![0u32; count];
        for own in (1..count).rev() {
            for at in 0..self.into.of(own).len() {
                let through = self.evaluate(self.into.of(own)[at]);
                self.semi[own] = self.semi[own].min(self.semi[through as usize]);
            }
            let semi = self.semi[own] as usize;
            bucket_next[own] = bucket_first[semi];
            bucket_first[semi] = own as u32;
            let above = self.parent[own];
            self.ancestor[own] = above;
            let mut waiting = std::mem::replace(&mut bucket_first[above as usize], NONE);
            while waiting != NONE {
                let through = self.evaluate(waiting);
                let is_less = self.semi[through as usize] < self.semi[waiting as usize];
                dominator[waiting as usize] = if is_less { through } else { above };
                waiting = bucket_next[waiting as usize];
            }
        }
        let mut by_vertex = vec![NONE; self.number.len()];
        for own in 1..count {
            if dominator[own] != self.semi[own] {
                dominator[own] = dominator[dominator[own] as usize];
            }
            by_vertex[self.vertex[own] as usize] = self.vertex[dominator[own] as usize];
        }
        by_vertex
    }

    /// The number with the least semidominator on the way from `start` up to the root of its tree in the forest so far
    /// (the root itself not counted); the way is shortened for next time.
    fn evaluate(&mut self, start: u32) -> u32 {
        let mut way = vec![];
        let mut at = start;
        while self.ancestor[at as usize] != NONE {
            way.push(at as usize);
            at = self.ancestor[at as usize];
        }
        // The last on the way hangs below the root itself: nothing to shorten.
        way.pop();
        for &place in way.iter().rev() {
            let above = self.ancestor[place] as usize;
            if self.semi[self.best[above] as usize] < self.semi[self.best[place] as usize] {
                self.best[place] = self.best[above];
            }
            self.ancestor[place] = self.ancestor[above];
        }
        self.best[start as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    /// By definition: take `above` out, and see what the root still reaches.
    fn dominates_by_definition(n: usize, arcs: &[(usize, usize)], above: usize, below: usize) -> bool {
        let reaches = |without: Option<usize>| {
            let mut reached = vec![false; n];
            reached[0] = without != Some(0);
            for _ in 0..n {
                for &(tail, head) in arcs {
                    reached[head] |= reached[tail] && without != Some(head);
                }
            }
            reached[below]
        };
        reaches(None) && !reaches(Some(above))
    }

    #[test]
    fn dominators_are_what_paths_cannot_avoid() {
        for index in 0..400 {
            let mut rng = Rng::stream(0, "dominators", index);
            let n = 2 + rng.below(7);
            let arcs: Vec<(usize, usize)> = (0..rng.below(3 * n)).map(|_| (rng.below(n), rng.below(n))).collect();
            let dominators = Dominators::new(n, 0, arcs.iter().copied());
            for (above, below) in (0..n * n).map(|pair| (pair / n, pair % n)) {
                let expected = dominates_by_definition(n, &arcs, above, below);
                assert_eq!(dominators.dominates(above, below), expected, "{arcs:?}: {above} over {below}");
            }
        }
    }
}
