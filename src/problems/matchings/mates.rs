//! A matching as whom each vertex is matched to, and the alternating paths that start at its free vertices.

use super::sides::Sides;
use crate::instance::Graph;

/// No vertex.
pub(super) const NOBODY: u32 = u32::MAX;

/// The vertex that each vertex is matched to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mates(Vec<u32>);

impl Mates {
    /// Nobody matched.
    pub fn none(n: usize) -> Self {
        Mates(vec![NOBODY; n])
    }

    /// Whom a vertex is matched to.
    #[inline]
    pub fn of(&self, vertex: usize) -> Option<usize> {
        Some(self.0[vertex]).filter(|&mate| mate != NOBODY).map(|mate| mate as usize)
    }

    /// For each vertex whom it is matched to, or [`NOBODY`].
    pub fn all(&self) -> &[u32] {
        &self.0
    }

    #[inline]
    pub fn is_free(&self, vertex: usize) -> bool {
        self.0[vertex] == NOBODY
    }

    /// Matches two vertices, whoever had them; that one has to be matched anew.
    #[inline]
    pub fn join(&mut self, one: usize, other: usize) {
        (self.0[one], self.0[other]) = (other as u32, one as u32);
    }

    /// Leaves a vertex and whom it is matched to free.
    pub fn part(&mut self, vertex: usize) {
        if let Some(mate) = self.of(vertex) {
            (self.0[vertex], self.0[mate]) = (NOBODY, NOBODY);
        }
    }

    /// The number of edges.
    pub fn size(&self) -> usize {
        self.0.iter().filter(|&&mate| mate != NOBODY).count() / 2
    }

    /// Matches the vertices of a path from a free vertex to another in pairs, from the first on.
    pub fn augment(&mut self, path: &[usize]) {
        path.chunks_exact(2).for_each(|pair| self.join(pair[0], pair[1]));
    }

    /// The vertices of a shortest augmenting path, from the left, where `rights` are the neighbours of a vertex on the left that count; `None` when there is
    /// none. O(n + m).
    pub fn augmenting_path<I: Iterator<Item = usize>>(
        &self,
        sides: &Sides,
        rights: impl Fn(usize) -> I,
    ) -> Option<Vec<usize>> {
        // From whom each vertex on the right was reached.
        let mut from = vec![NOBODY; sides.n()];
        let mut queue: Vec<usize> = sides.lefts().filter(|&left| self.is_free(left)).collect();
        let mut next = 0;
        while let Some(&left) = queue.get(next) {
            next += 1;
            for right in rights(left) {
                if from[right] != NOBODY || self.of(left) == Some(right) {
                    continue;
                }
                from[right] = left as u32;
                match self.of(right) {
                    None => return Some(self.path_back(&from, right)),
                    Some(beyond) => queue.push(beyond),
                }
            }
        }
        None
    }

    fn path_back(&self, from: &[u32], end: usize) -> Vec<usize> {
        let mut path = vec![];
        let mut right = Some(end);
        while let Some(at) = right {
            let left = from[at] as usize;
            path.extend([at, left]);
            right = self.of(left);
        }
        path.reverse();
        path
    }

    /// The vertices on alternating paths along a graph's edges from free vertices on one side.
    pub fn reached(&self, sides: &Sides, graph: &Graph, from_left: bool) -> Vec<bool> {
        let mut reached = vec![false; sides.n()];
        let is_start = |&vertex: &usize| self.is_free(vertex) && sides.is_left[vertex] == from_left;
        let mut waiting: Vec<usize> = (0..sides.n()).filter(is_start).collect();
        waiting.iter().for_each(|&vertex| reached[vertex] = true);
        while let Some(vertex) = waiting.pop() {
            for other in graph.out_neighbours(vertex).iter().map(|&other| other as usize) {
                if self.of(vertex) == Some(other) || std::mem::replace(&mut reached[other], true) {
                    continue;
                }
                if let Some(beyond) = self.of(other).filter(|&beyond| !std::mem::replace(&mut reached[beyond], true)) {
                    waiting.push(beyond);
                }
            }
        }
        reached
    }
}
