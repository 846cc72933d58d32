//! All arborescences, each once, in lexicographic order of their parent arrays.

use super::arborescences::{Arborescences, NONE};
use crate::problems::grouped::Grouped;

impl<'a> IntoIterator for &'a Arborescences {
    type Item = Vec<usize>;
    type IntoIter = ParentArrays<'a>;
    fn into_iter(self) -> ParentArrays<'a> {
        self.iter()
    }
}

/// All trees, each once: see [`Arborescences::iter`].
///
/// Vertices choose in ascending order, each among the parents that it can still have: those outside its component, and
/// those that are reached from outside without passing it, earlier choices being fixed. So each choice leaves a tree.
pub struct ParentArrays<'a> {
    trees: &'a Arborescences,
    chosen: Vec<usize>,
    /// The vertices that choose, and what each can still choose after its present choice, the least last.
    open: Vec<(usize, Vec<u32>)>,
    wanted: Vec<usize>,
    children: Grouped<u32>,
    started: bool,
    over: bool,
}

impl<'a> ParentArrays<'a> {
    pub(super) fn new(trees: &'a Arborescences) -> Self {
        let wanted = (0..trees.n()).filter(|&vertex| trees.component[vertex] != NONE).collect();
        let inside = trees.arcs().filter(|&(parent, child)| trees.component[parent] == trees.component[child]);
        let pairs: Vec<(usize, u32)> = inside.map(|(parent, child)| (parent, child as u32)).collect();
        let children = Grouped::new(trees.n(), pairs.iter().copied());
        let chosen = (0..trees.n()).collect();
        ParentArrays { trees, chosen, open: vec![], wanted, children, started: false, over: !trees.any() }
    }

    /// Every vertex that has not chosen takes the least parent that it can have.
    fn complete(&mut self) {
        while let Some(&vertex) = self.wanted.get(self.open.len()) {
            let mut options = self.options(vertex);
            options.reverse();
            self.chosen[vertex] = options.pop().expect("each choice leaves a tree") as usize;
            self.open.push((vertex, options));
        }
    }

    /// The parents that a vertex can have, ascending, when lesser vertices of its component have chosen.
    fn options(&self, vertex: usize) -> Vec<u32> {
        let parents = self.trees.parents_of(vertex);
        if self.trees.is_free(vertex) {
            return parents.to_vec();
        }
        let component = self.trees.component[vertex];
        let reached = self.reached_without(vertex, self.trees.members.of(component as usize));
        let possible = |&&parent: &&u32| {
            self.trees.component[parent as usize] != component || reached.binary_search(&parent).is_ok()
        };
        parents.iter().filter(possible).copied().collect()
    }

    /// The vertices of a component that are reached from outside without passing `vertex`, ascending.
    fn reached_without(&self, vertex: usize, members: &[u32]) -> Vec<u32> {
        let component = self.trees.component[vertex];
        let is_fixed = |member: usize| member < vertex;
        let is_outside = |parent: usize| self.trees.component[parent] != component;
        let enters = |&member: &u32| {
            let member = member as usize;
            match is_fixed(member) {
                true => is_outside(self.chosen[member]),
                false => self.trees.parents_of(member).iter().any(|&parent| is_outside(parent as usize)),
            }
        };
        let mut seen = vec![false; members.len()];
        let place = |member: u32| members.binary_search(&member).expect("a member");
        let mut waiting: Vec<u32> =
            members.iter().copied().filter(|&member| member as usize != vertex).filter(enters).collect();
        waiting.iter().for_each(|&member| seen[place(member)] = true);
        while let Some(member) = waiting.pop() {
            for &child in self.children.of(member as usize) {
                let taken = is_fixed(child as usize) && self.chosen[child as usize] != member as usize;
                if child as usize != vertex && !taken && !std::mem::replace(&mut seen[place(child)], true) {
                    waiting.push(child);
                }
            }
        }
        members.iter().zip(seen).filter(|(_, seen)| *seen).map(|(&member, _)| member).collect()
    }
}

impl Iterator for ParentArrays<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        if self.over {
            return None;
        }
        if self.started {
            while let Some((vertex, options)) = self.open.last_mut() {
                if let Some(next) = options.pop() {
                    self.chosen[*vertex] = next as usize;
                    break;
                }
                self.open.pop();
            }
            self.over = self.open.is_empty();
            if self.over {
                return None;
            }
        }
        self.started = true;
        self.complete();
        Some(self.chosen.clone())
    }
}
