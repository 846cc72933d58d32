//! Which vertices can be the parent of which, over all depth-first forests, without going through any of them.
//!
//! Let r be the root of v's tree (the same in every forest). An edge u -> v is in some forest exactly when r reaches u
//! without passing v: the search then goes down such a path first, and from its end u to the unvisited v. Conversely the
//! path of a tree from r to u never passes a child of u. "Every path from r to u passes v" says that v *dominates* u, so one
//! dominator tree answers for all edges. With restarts in any order the virtual root has an edge to each vertex, none
//! dominates another, and every edge is in some forest.
//!
//! ```text
//! 0 -> 1 -> 2 -> 1      0 reaches 2 only through 1: the edge 2 -> 1 is in no forest
//! ```
//! Dominators by Lengauer and Tarjan (1979), the simple version: O(m log n), no recursion.

use super::{Restarts, least_reaching};
use crate::allowed::PossibleParents;
use crate::graph::Graph;
use crate::grouped::Grouped;

/// The possible parents of each vertex.
pub(super) fn possible_parents(graph: &Graph, restarts: Restarts) -> PossibleParents {
    let n = graph.n();
    let (roots, edges): (Vec<usize>, Vec<(usize, usize)>) = match restarts {
        Restarts::Any => ((0..n).collect(), graph.edges().filter(|(tail, head)| tail != head).collect()),
        Restarts::Ordered => {
            let root_of = least_reaching(graph);
            let inside = |&(tail, head): &(usize, usize)| tail != head && root_of[tail] == root_of[head];
            let dominators = Dominators::new(graph, &root_of);
            let edges = graph.edges().filter(inside).filter(|&(tail, head)| !dominators.dominates(head, tail));
            ((0..n).filter(|&vertex| root_of[vertex] == vertex).collect(), edges.collect())
        }
    };
    let pairs = edges.iter().map(|&(tail, head)| (head, tail));
    PossibleParents::new(n, roots.iter().map(|&root| (root, root)).chain(pairs))
}

/// The dominator trees below all roots, as ranges of a preorder walk.
struct Dominators {
    enter: Vec<u32>,
    leave: Vec<u32>,
}

impl Dominators {
    fn new(graph: &Graph, root_of: &[usize]) -> Self {
        let parents = Walk::new(graph, root_of).immediate_dominators();
        let n = graph.n();
        let children =
            Grouped::new(n + 1, parents.iter().enumerate().map(|(vertex, &above)| (above as usize, vertex as u32)));
        let (mut enter, mut leave) = (vec![0; n], vec![0; n]);
        let mut clock = 0;
        // A vertex is put back with its mark set, to be met again when all below it have been.
        let mut waiting: Vec<(u32, bool)> = children.of(n).iter().map(|&root| (root, false)).collect();
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

    /// True when every path from the root to `below` passes `above`.
    fn dominates(&self, above: usize, below: usize) -> bool {
        self.enter[above] <= self.enter[below] && self.enter[below] < self.leave[above]
    }
}

const NONE: u32 = u32::MAX;

/// A depth-first walk of all trees, from a virtual root at number 0; all fields but `number` are by number.
struct Walk<'a> {
    graph: &'a Graph,
    root_of: &'a [usize],
    number: Vec<u32>,
    vertex: Vec<u32>,
    parent: Vec<u32>,
    /// The forest that grows while numbers are worked off from the last: the best number seen on the way up, and the way.
    best: Vec<u32>,
    ancestor: Vec<u32>,
    semi: Vec<u32>,
}

impl<'a> Walk<'a> {
    fn new(graph: &'a Graph, root_of: &'a [usize]) -> Self {
        let n = graph.n();
        let (mut number, mut vertex, mut parent) = (vec![NONE; n], vec![NONE], vec![NONE]);
        let roots = (0..n).rev().filter(|&vertex| root_of[vertex] == vertex);
        let mut waiting: Vec<(u32, u32)> = roots.map(|root| (root as u32, 0)).collect();
        while let Some((next, above)) = waiting.pop() {
            if number[next as usize] != NONE {
                continue;
            }
            let own = vertex.len() as u32;
            number[next as usize] = own;
            vertex.push(next);
            parent.push(above);
            let heads = graph.out_neighbours(next as usize).iter();
            let inside =
                |head: &&u32| root_of[**head as usize] == root_of[next as usize] && number[**head as usize] == NONE;
            waiting.extend(heads.filter(inside).map(|&head| (head, own)));
        }
        let numbers: Vec<u32> = (0..vertex.len() as u32).collect();
        let ancestor = vec![NONE; vertex.len()];
        Walk { graph, root_of, number, vertex, parent, best: numbers.clone(), ancestor, semi: numbers }
    }

    /// The immediate dominator of each vertex; n stands for the virtual root.
    fn immediate_dominators(mut self) -> Vec<u32> {
        let n = self.graph.n();
        let count = self.vertex.len();
        let into = self.predecessors();
        let mut bucket_first = vec![NONE; count];
        let mut bucket_next = vec![NONE; count];
        let mut dominator = vec![0u32; count];
        for own in (1..count).rev() {
            for &tail in into.of(own) {
                let through = self.evaluate(tail);
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
        let mut by_vertex = vec![n as u32; n];
        for own in 1..count {
            if dominator[own] != self.semi[own] {
                dominator[own] = dominator[dominator[own] as usize];
            }
            let above = dominator[own] as usize;
            by_vertex[self.vertex[own] as usize] = if above == 0 { n as u32 } else { self.vertex[above] };
        }
        by_vertex
    }

    /// The numbers of the tails of edges into each number, within its tree; the virtual root's into each root.
    fn predecessors(&self) -> Grouped<u32> {
        let number = |vertex: usize| self.number[vertex];
        let inside = self.graph.edges().filter(|&(tail, head)| self.root_of[tail] == self.root_of[head]);
        let inside = inside.map(|(tail, head)| (number(head) as usize, number(tail)));
        let roots = (1..self.vertex.len()).filter(|&own| self.parent[own] == 0).map(|own| (own, 0));
        let pairs: Vec<(usize, u32)> = inside.chain(roots).collect();
        Grouped::new(self.vertex.len(), pairs.iter().copied())
    }

    /// The number with the least semidominator on the way from `start` up to the root of its tree in the forest so far (the
    /// root itself not counted); the way is shortened for next time.
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
