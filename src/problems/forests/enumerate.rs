//! All depth-first forests, each once, with polynomial work between two of them.
//!
//! Many runs give the same forest: two children of r that reach nothing in common can be explored in either order. So
//! only one run of each forest is followed, the one that always takes the least child that could come first. Taking
//! child c therefore *bans* each lesser child c' whose reach does not touch c's: in what follows, c' may not turn out
//! to be a child that could have come first. A ban is lifted when a later sibling visits something that c' reaches
//! (c' then could not have come first after all).
//!
//! A choice is followed only if every ban it leaves can still be lifted: by a child that is not banned, or by one whose
//! own ban can be lifted first. That is enough, because the least child that is not banned always leaves such bans: it
//! adds none, a ban that it does not lift keeps all that its child reaches, and so do the children that could lift it.
//! So no branch ends without a forest.
//!
//! Parts of the unvisited vertices without an edge between them are explored one after the other, each on its own: in
//! a star no leaf has to know of the others.

use super::{Restarts, least_reaching};
use crate::answers::Candidate;
use crate::instance::Graph;
use fixedbitset::FixedBitSet;
use std::rc::Rc;

/// The forests of a graph, in a fixed order.
pub(super) struct Enumeration<'a> {
    graph: &'a Graph,
    parents: Candidate,
    /// Open choices, from the first to the latest.
    choices: Vec<Choice>,
    /// What is to be done when no choice is open yet.
    start: Option<Agenda>,
    /// The place of each vertex in the list at hand, [`ABSENT`] for all others.
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

/// "Explore `unvisited` from `vertex` (`None` is the virtual root), without the banned children coming first."
///
/// The vertex reaches all that is listed. Both lists are ascending.
struct Task {
    vertex: Option<usize>,
    unvisited: Vec<u32>,
    banned: Vec<u32>,
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

/// A possible child, and the places of what it would visit.
struct Child {
    vertex: u32,
    visits: FixedBitSet,
}

impl<'a> Enumeration<'a> {
    pub fn new(graph: &'a Graph, restarts: Restarts) -> Self {
        let n = graph.n();
        let mut start = Agenda(None);
        match restarts {
            Restarts::Any => {
                let unvisited = (0..n as u32).collect();
                start = start.with(Task { vertex: None, unvisited, banned: vec![] });
            }
            Restarts::Ordered => {
                let mut trees = vec![vec![]; n];
                for (vertex, &root) in
                    least_reaching(graph).iter().enumerate().filter(|&(vertex, &root)| vertex != root)
                {
                    trees[root].push(vertex as u32);
                }
                for (root, unvisited) in trees.into_iter().enumerate().rev().filter(|(_, tree)| !tree.is_empty()) {
                    start = start.with(Task { vertex: Some(root), unvisited, banned: vec![] });
                }
            }
        }
        let place = vec![ABSENT; n];
        Enumeration { graph, parents: Candidate::all_roots(n), choices: vec![], start: Some(start), place }
    }

    /// Works through the agenda up to the next choice; true when there is none, so that the forest is complete.
    fn open(&mut self, mut agenda: Agenda) -> bool {
        while let Some(first) = agenda.0.take() {
            let (task, rest) = &*first;
            agenda = rest.clone();
            let parts = self.parts(task);
            if parts.len() != 1 {
                agenda = parts.into_iter().rev().fold(agenda, Agenda::with);
                continue;
            }
            let mut options = self.options(task, &agenda);
            if options.len() > 1 {
                self.choices.push(Choice { vertex: task.vertex, options });
                return false;
            }
            let (child, after) = options.pop().expect("every ban could be lifted");
            self.take(task.vertex, child);
            agenda = after;
        }
        true
    }

    fn take(&mut self, parent: Option<usize>, child: usize) {
        self.parents.set(child, parent.unwrap_or(child));
    }

    /// Calls `work` while the vertices of the list have their places in it.
    fn with_places<T>(&mut self, list: &[u32], work: impl FnOnce(&Self) -> T) -> T {
        for (place, &vertex) in list.iter().enumerate() {
            self.place[vertex as usize] = place as u32;
        }
        let result = work(self);
        list.iter().for_each(|&vertex| self.place[vertex as usize] = ABSENT);
        result
    }

    /// The places of the out-neighbours of `vertex` that are on the list at hand.
    fn neighbours(&self, vertex: u32) -> impl Iterator<Item = usize> + '_ {
        let places = self.graph.out_neighbours(vertex as usize).iter().map(|&head| self.place[head as usize]);
        places.filter(|&place| place != ABSENT).map(|place| place as usize)
    }

    /// The task split into those that do not touch each other: no edge runs between their vertices, so no child of
    /// one reaches into another.
    fn parts(&mut self, task: &Task) -> Vec<Task> {
        let list = &task.unvisited;
        let leader = self.with_places(list, |forests| {
            let mut leader: Vec<usize> = (0..list.len()).collect();
            for (place, &vertex) in list.iter().enumerate() {
                for neighbour in forests.neighbours(vertex) {
                    let (one, other) = (find(&mut leader, place), find(&mut leader, neighbour));
                    leader[one.max(other)] = one.min(other);
                }
            }
            (0..list.len()).map(|place| find(&mut leader, place)).collect::<Vec<usize>>()
        });
        // The least vertex of a part leads it, so that each part is begun by its leader.
        let mut parts: Vec<Task> = vec![];
        let mut part_of = vec![0; list.len()];
        for (place, &vertex) in list.iter().enumerate() {
            if leader[place] == place {
                part_of[place] = parts.len();
                parts.push(Task { vertex: task.vertex, unvisited: vec![], banned: vec![] });
            }
            let part = &mut parts[part_of[leader[place]]];
            part.unvisited.push(vertex);
            if task.banned.binary_search(&vertex).is_ok() {
                part.banned.push(vertex);
            }
        }
        parts
    }

    /// The children that `task` may go to, with the agenda that each leaves.
    fn options(&mut self, task: &Task, rest: &Agenda) -> Vec<(usize, Agenda)> {
        let children = self.with_places(&task.unvisited, |forests| forests.children(task));
        let is_banned = |child: &Child| task.banned.binary_search(&child.vertex).is_ok();
        let mut options = vec![];
        for child in children.iter().rev().filter(|child| !is_banned(child)) {
            let stays_banned = |other: &Child| {
                (other.vertex < child.vertex || is_banned(other)) && other.visits.is_disjoint(&child.visits)
            };
            let (banned, free): (Vec<&Child>, Vec<&Child>) = children.iter().partition(|&other| stays_banned(other));
            if !every_ban_can_be_lifted(&banned, &free) {
                continue;
            }
            let is_visited = |place: &usize| child.visits.contains(*place);
            let listed = |place: usize| task.unvisited[place];
            let (below, after): (Vec<usize>, Vec<usize>) = (0..task.unvisited.len()).partition(is_visited);
            let below = below.into_iter().map(listed).filter(|&vertex| vertex != child.vertex).collect();
            let after = after.into_iter().map(listed).collect();
            let banned = banned.iter().map(|other| other.vertex).collect();
            let agenda = rest.clone().with(Task { vertex: task.vertex, unvisited: after, banned });
            let vertex = child.vertex as usize;
            let agenda = agenda.with(Task { vertex: Some(vertex), unvisited: below, banned: vec![] });
            options.push((vertex, agenda));
        }
        options
    }

    fn children(&self, task: &Task) -> Vec<Child> {
        let listed = 0..task.unvisited.len();
        let places: Vec<usize> = match task.vertex {
            // The centre of a star has one part for each leaf, and must not go through all leaves for each.
            Some(vertex) if listed.len() < self.graph.out_neighbours(vertex).len() => {
                listed.filter(|&place| self.graph.has_edge(vertex, task.unvisited[place] as usize)).collect()
            }
            Some(vertex) => self.neighbours(vertex as u32).collect(),
            None => listed.collect(),
        };
        let child =
            |place: usize| Child { vertex: task.unvisited[place], visits: self.reached(place, &task.unvisited) };
        places.into_iter().map(child).collect()
    }

    fn reached(&self, start: usize, within: &[u32]) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(within.len());
        reached.insert(start);
        let mut waiting = vec![start];
        while let Some(place) = waiting.pop() {
            waiting.extend(self.neighbours(within[place]).filter(|&neighbour| !reached.put(neighbour)));
        }
        reached
    }
}

/// The representative of a place, with the way to it halved for next time.
fn find(leader: &mut [usize], mut place: usize) -> usize {
    while leader[place] != place {
        leader[place] = leader[leader[place]];
        place = leader[place];
    }
    place
}

/// Each banned child shares something that it reaches with a free one, or with one whose own ban is lifted before.
fn every_ban_can_be_lifted(banned: &[&Child], free: &[&Child]) -> bool {
    let Some(first) = banned.first() else { return true };
    let mut lifting = FixedBitSet::with_capacity(first.visits.len());
    free.iter().for_each(|child| lifting.union_with(&child.visits));
    let mut waiting = banned.to_vec();
    loop {
        let before = waiting.len();
        waiting.retain(|child| {
            let stays = child.visits.is_disjoint(&lifting);
            if !stays {
                lifting.union_with(&child.visits);
            }
            stays
        });
        if waiting.is_empty() || waiting.len() == before {
            return waiting.is_empty();
        }
    }
}

impl Iterator for Enumeration<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
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
            let parent = choice.vertex;
            self.take(parent, child);
            if self.open(agenda) {
                return Some(self.parents.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_listed(n: usize, edges: &[(usize, usize)], restarts: Restarts, parents: &[usize]) -> bool {
        let graph = Graph::from_edges(n, edges.iter().copied()).unwrap();
        Enumeration::new(&graph, restarts)
            .any(|forest| forest.choices().iter().map(|&parent| parent as usize).eq(parents.iter().copied()))
    }

    /// The forest in which 0 keeps 1 but not 3: when 2 comes first, both 0 and 1 are banned, and only 3 can free 0,
    /// which then frees 1. The second graph has the same below a vertex of its own, so that restarts play no part.
    #[test]
    fn a_ban_may_be_lifted_by_a_child_that_was_banned_itself() {
        assert!(is_listed(4, &[(0, 1), (0, 3)], Restarts::Any, &[0, 0, 2, 3]));
        let below_zero = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 4)];
        assert!(is_listed(5, &below_zero, Restarts::Ordered, &[0, 0, 1, 0, 0]));
    }

    #[test]
    fn a_star_with_a_hundred_thousand_leaves_has_one_forest() {
        let leaves = 100_000;
        let star = Graph::from_edges(leaves + 1, (1..=leaves).map(|leaf| (0, leaf))).unwrap();
        let mut forests = Enumeration::new(&star, Restarts::Ordered);
        assert_eq!(forests.next(), Some(Candidate::from_parents(vec![0; leaves + 1]).unwrap()));
        assert_eq!(forests.next(), None);
    }
}
