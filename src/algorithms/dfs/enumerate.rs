//! All depth-first forests, each once, with polynomial work between two of them.
//!
//! Many runs give the same forest: two children of r that reach nothing in common can be explored in either order. So
//! only one run of each forest is followed, the one that always takes the least child that could come first. Taking
//! child c therefore *bans* each lesser child c' whose reach does not touch c's: in what follows, c' may not turn out
//! to be a child that could have come first. A ban is lifted when a later sibling visits something that c' reaches
//! (c' then could not have come first after all).
//!
//! A choice is followed only if every ban it leaves can still be lifted, by some child that is not banned. That is
//! enough: if x reaches something that the banned c' reaches, then after any other child y was taken either y has
//! lifted the ban, or x is still there and still reaches it (what y reaches, it reaches whole). So no branch ends
//! without a forest.

use super::{Restarts, least_reaching};
use crate::graph::Graph;
use crate::parents::ParentArray;
use fixedbitset::FixedBitSet;
use std::rc::Rc;

/// The forests of a graph, in a fixed order.
pub(super) struct Forests<'a> {
    graph: &'a Graph,
    parents: ParentArray,
    /// Open choices, from the first to the latest.
    choices: Vec<Choice>,
    /// What is to be done when no choice is open yet.
    start: Option<Agenda>,
}

/// "Explore `unvisited` from `vertex` (`None` is the virtual root), without the banned children coming first."
struct Task {
    vertex: Option<usize>,
    unvisited: FixedBitSet,
    banned: Vec<usize>,
}

/// A list of tasks that shares its tail with others.
#[derive(Clone)]
struct Agenda(Option<Rc<(Task, Agenda)>>);

impl Agenda {
    fn with(self, task: Task) -> Self {
        Agenda(Some(Rc::new((task, self))))
    }
}

impl Drop for Agenda {
    /// One task after the other: a list of a million tasks, dropped by recursion, would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some((_, mut rest)) = next.and_then(Rc::into_inner) {
            next = rest.0.take();
        }
    }
}

/// The children that can be taken next, last one first, and what is to be done after each.
struct Choice {
    vertex: Option<usize>,
    options: Vec<(usize, Agenda)>,
}

impl<'a> Forests<'a> {
    pub fn new(graph: &'a Graph, restarts: Restarts) -> Self {
        let n = graph.n();
        let mut start = Agenda(None);
        match restarts {
            Restarts::Any => {
                let mut unvisited = FixedBitSet::with_capacity(n);
                unvisited.insert_range(..);
                start = start.with(Task { vertex: None, unvisited, banned: vec![] });
            }
            Restarts::Ordered => {
                let roots = least_reaching(graph);
                for root in (0..n).rev().filter(|&vertex| roots[vertex] == vertex) {
                    let tree = (0..n).filter(|&vertex| vertex != root && roots[vertex] == root);
                    let mut unvisited = FixedBitSet::with_capacity(n);
                    tree.for_each(|vertex| unvisited.insert(vertex));
                    start = start.with(Task { vertex: Some(root), unvisited, banned: vec![] });
                }
            }
        }
        Forests { graph, parents: ParentArray::all_roots(n), choices: vec![], start: Some(start) }
    }

    /// Opens the next choice on the agenda; true when there is none, so that the forest is complete.
    fn open(&mut self, mut agenda: Agenda) -> bool {
        while let Some(first) = agenda.0.take() {
            let (task, rest) = &*first;
            let options = self.options(task, rest);
            if !options.is_empty() {
                self.choices.push(Choice { vertex: task.vertex, options });
                return false;
            }
            agenda = rest.clone();
        }
        true
    }

    /// The children that `task` may go to, with the agenda that each leaves.
    fn options(&self, task: &Task, rest: &Agenda) -> Vec<(usize, Agenda)> {
        let children: Vec<usize> = match task.vertex {
            Some(vertex) => self.graph.out_neighbours(vertex).iter().map(|&head| head as usize).collect(),
            None => (0..self.graph.n()).collect(),
        };
        let reach: Vec<(usize, FixedBitSet)> = children
            .into_iter()
            .filter(|&child| task.unvisited.contains(child))
            .map(|child| (child, self.reached(child, &task.unvisited)))
            .collect();
        let mut options = vec![];
        for (child, visits) in reach.iter().rev().filter(|(child, _)| !task.banned.contains(child)) {
            let banned: Vec<usize> = reach
                .iter()
                .filter(|(other, reached)| {
                    (other < child || task.banned.contains(other)) && reached.is_disjoint(visits)
                })
                .map(|&(other, _)| other)
                .collect();
            if every_ban_can_be_lifted(&reach, visits, &banned) {
                let mut below = visits.clone();
                below.remove(*child);
                let mut after = task.unvisited.clone();
                after.difference_with(visits);
                let agenda = rest.clone().with(Task { vertex: task.vertex, unvisited: after, banned });
                let agenda = agenda.with(Task { vertex: Some(*child), unvisited: below, banned: vec![] });
                options.push((*child, agenda));
            }
        }
        options
    }

    fn reached(&self, start: usize, within: &FixedBitSet) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.graph.n());
        reached.insert(start);
        let mut waiting = vec![start];
        while let Some(vertex) = waiting.pop() {
            for &head in self.graph.out_neighbours(vertex) {
                if within.contains(head as usize) && !reached.put(head as usize) {
                    waiting.push(head as usize);
                }
            }
        }
        reached
    }
}

/// After `visits` is gone: each banned child shares something that it reaches with a child that is not banned.
fn every_ban_can_be_lifted(reach: &[(usize, FixedBitSet)], visits: &FixedBitSet, banned: &[usize]) -> bool {
    let is_free = |child: &usize| !banned.contains(child) && !visits.contains(*child);
    reach.iter().filter(|(child, _)| banned.contains(child)).all(|(_, wanted)| {
        // What a banned child reaches is disjoint from `visits`, so the rest of another's reach is all that counts.
        reach.iter().any(|(child, reached)| is_free(child) && !reached.is_disjoint(wanted))
    })
}

impl Iterator for Forests<'_> {
    type Item = ParentArray;

    fn next(&mut self) -> Option<ParentArray> {
        if let Some(start) = self.start.take()
            && self.open(start)
        {
            return Some(self.parents.clone());
        }
        loop {
            let choice = self.choices.last_mut()?;
            let Some((child, agenda)) = choice.options.pop() else {
                self.choices.pop();
                continue;
            };
            let parent = choice.vertex.unwrap_or(child);
            self.parents.set(child, parent);
            if self.open(agenda) {
                return Some(self.parents.clone());
            }
        }
    }
}
