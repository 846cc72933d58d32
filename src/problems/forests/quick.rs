//! Accepts depth-first forests by walking them: which child comes next is decided on the way, as a run could have decided it.
//!
//! A run leaves a vertex when all that it leads to has been visited. So a child may come next if its whole subtree can be left at once. If it cannot, some vertex in
//! it leads to one that is not visited: for that the child *waits*, the walk goes back, and tries another one. Trying is never wrong, because who has visited
//! more can leave more; so the walk gets stuck only where no order of children is right. The largest child is tried when no other one can be: mostly, the
//! others are dead ends in which the run was before, or what was left over.
//!
//! ```text
//!   tree 0 -> 1 -> 2, 0 -> 3, arc 2 -> 3     3 is tried before 1, which is larger, and can be left at once; then 2 and 1 can be left, too.
//!                                            Were there an arc 3 -> 1: 3 waits for 1, 1 for 3, and no order is right
//! ```
//! What has been visited is a bit for each vertex, which stays near the processor. The arcs do not: in the order of the walk they are all over the memory,
//! so they are asked for some vertices at a time, before they are needed.

use super::Restarts;
use super::preorder::Preorder;
use crate::answers::Parents;
use crate::instance::Graph;
use fixedbitset::FixedBitSet;

/// The place of a vertex in preorder; the virtual root stands at 0.
type Place = u32;

/// How often all vertices and arcs may be looked at: trees whose children wait for each other again and again are left to the check that explains.
const STEPS: usize = 32;
/// Places whose arcs are asked for at once.
const BLOCK: usize = 128;
/// Blocks whose arcs are taken to be near the processor.
const NEAR: usize = 32;

/// True only for a forest of edges that some run produces.
pub(super) fn is_walked(graph: &Graph, candidate: Parents<'_>, restarts: Restarts) -> bool {
    // Places in the list of arcs take four bytes.
    if u32::try_from(graph.arc_count()).is_err() {
        return false;
    }
    let Some(preorder) = Preorder::new(candidate) else { return false };
    let are_in_order = restarts == Restarts::Any || preorder.children(0).all(|root| is_least(preorder.below(root)));
    are_in_order && Walk::new(graph, &preorder, restarts).visits_all()
}

/// True of a tree whose root is the least in it. Where all are so, and come in order, each root is the least that was not visited.
fn is_least(tree: &[u32]) -> bool {
    tree.iter().all(|&vertex| vertex >= tree[0])
}

struct Walk<'a> {
    preorder: &'a Preorder,
    restarts: Restarts,
    heads: &'a [u32],
    /// For each place, where its vertex's arcs stand among the heads.
    arcs: Vec<[u32; 2]>,
    /// The blocks whose arcs were asked for last.
    near: [usize; NEAR],
    visited: FixedBitSet,
    /// The children at forks that the walk is below.
    children: Vec<Child>,
    /// Looks at vertices and arcs that are left.
    steps: usize,
    /// Vertices that may be looked through for one, before the places of all are noted.
    looks: usize,
    /// For each vertex its place, when this was needed.
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
struct Child {
    place: Place,
    /// It cannot be left before this vertex is visited.
    waits_for: Option<u32>,
}

/// Where several children are to be visited.
struct Fork {
    /// The first place of the path that ends here: each vertex on it but the last has one child.
    first: Place,
    last: Place,
    /// Its children are [`Walk::children`] from here to the end, the largest one last.
    from: usize,
    /// Where the next one to be tried is looked for.
    next: usize,
    /// The one that was tried last.
    tried: usize,
    /// Whether one was visited since they were gone through from the beginning.
    went_on: bool,
}

/// What comes of a path, with all that is below it.
enum Outcome {
    Visited,
    /// It cannot be left before this vertex, which is not below it, is visited.
    WaitsFor(u32),
    /// No order is right, or it takes too long to find one.
    Stuck,
}

impl<'a> Walk<'a> {
    fn new(graph: &'a Graph, preorder: &'a Preorder, restarts: Restarts) -> Self {
        let arcs = |&vertex: &u32| [0, 1].map(|end| graph.first_arc(vertex as usize + end) as u32);
        // The virtual root has none.
        let arcs = std::iter::once([0, 0]).chain(preorder.vertices[1..].iter().map(arcs)).collect();
        let visited = FixedBitSet::with_capacity(graph.n());
        let (near, steps) = ([usize::MAX; NEAR], STEPS * (graph.n() + graph.arc_count() + 1));
        Walk {
            preorder,
            heads: graph.heads(),
            arcs,
            near,
            visited,
            children: vec![],
            restarts,
            steps,
            looks: graph.n() / 4,
            places: vec![],
        }
    }

    /// False where no run could do so, or it takes too long to find out.
    fn visits_all(&mut self) -> bool {
        let mut forks = vec![self.fork([0, 0])];
        while let Some(fork) = forks.last_mut() {
            let (first, outcome) = match self.next_child(fork) {
                Some(first) => {
                    let last = self.enter(first);
                    if self.preorder.sizes[last as usize] > 1 {
                        forks.push(self.fork([first, last]));
                        continue;
                    }
                    (first, self.leave(first, last))
                }
                None => {
                    let outcome = self.close(fork);
                    let first = fork.first;
                    forks.pop();
                    (first, outcome)
                }
            };
            match (outcome, forks.last_mut()) {
                (Outcome::Visited, Some(fork)) => fork.went_on = true,
                (Outcome::Visited, None) => {}
                // Restarts in order leave no choice between roots.
                (Outcome::WaitsFor(_), Some(Fork { last: 0, .. })) if self.restarts == Restarts::Ordered => {
                    return false;
                }
                (Outcome::WaitsFor(vertex), Some(fork)) => {
                    self.go_back(first);
                    self.children[fork.tried].waits_for = Some(vertex);
                }
                (Outcome::WaitsFor(_), None) | (Outcome::Stuck, _) => return false,
            }
        }
        true
    }

    /// At the end of a path, given by its first place and its last.
    fn fork(&mut self, [first, last]: [Place; 2]) -> Fork {
        let (preorder, from) = (self.preorder, self.children.len());
        self.children.extend(preorder.children(last).map(|place| Child { place, waits_for: None }));
        let size = |child: &Child| preorder.sizes[child.place as usize];
        let largest = (from..self.children.len()).max_by_key(|&index| size(&self.children[index]));
        if let Some(largest) = largest.filter(|_| last != 0 || self.restarts == Restarts::Any) {
            self.children[largest..].rotate_left(1);
        }
        Fork { first, last, from, next: from, tried: from, went_on: false }
    }

    /// The child that is tried next: the largest one if no other can go.
    fn next_child(&mut self, fork: &mut Fork) -> Option<Place> {
        let largest = self.children.len().checked_sub(1)?;
        loop {
            let mut others = fork.next..largest;
            if let Some(index) = others.find(|&index| self.can_go(self.children[index])) {
                (fork.next, fork.tried) = (index + 1, index);
                return Some(self.children[index].place);
            }
            fork.next = largest;
            if !std::mem::take(&mut fork.went_on) || !self.takes(largest - fork.from) {
                break;
            }
            fork.next = fork.from;
        }
        fork.tried = largest;
        Some(self.children[largest]).filter(|&child| self.can_go(child)).map(|child| child.place)
    }

    fn can_go(&self, child: Child) -> bool {
        !self.is_visited(child.place) && child.waits_for.is_none_or(|vertex| self.visited.contains(vertex as usize))
    }

    fn is_visited(&self, place: Place) -> bool {
        self.visited.contains(self.preorder.vertices[place as usize] as usize)
    }

    /// Visits a path from its first place; gives its last one.
    fn enter(&mut self, first: Place) -> Place {
        let last = self.preorder.end_of_path(first);
        self.path(first, last).iter().for_each(|&vertex| self.visited.insert(vertex as usize));
        last
    }

    fn path(&self, first: Place, last: Place) -> &'a [u32] {
        &self.preorder.vertices[first as usize..=last as usize]
    }

    /// Leaves the vertices of a path, all that is below it being visited.
    fn leave(&mut self, first: Place, last: Place) -> Outcome {
        let (mut can_leave, mut edges, mut steps) = (true, 0, 1 + last as usize - first as usize);
        let (from, to) = (first as usize, last as usize);
        for block in from / BLOCK..=to / BLOCK {
            self.bring_near(block);
            for place in from.max(block * BLOCK)..=to.min(block * BLOCK + BLOCK - 1) {
                let child = if place < to { self.preorder.vertices[place + 1] } else { u32::MAX };
                let heads = self.heads(place);
                steps += heads.len();
                for &head in heads {
                    can_leave &= self.visited.contains(head as usize);
                    edges += usize::from(head == child);
                }
            }
        }
        let heads = self.heads(to);
        let is_led_to = |child: Place| heads.binary_search(&self.preorder.vertices[child as usize]).is_ok();
        // A path's own edges have been counted; at a fork there are more.
        let has_edges = edges == to - from && self.preorder.children(last).all(is_led_to);
        if !has_edges || !self.takes(steps) {
            return Outcome::Stuck;
        }
        if can_leave {
            return Outcome::Visited;
        }
        let mut heads = (from..=to).flat_map(|place| self.heads(place));
        let unvisited = heads.find(|&&head| !self.visited.contains(head as usize));
        unvisited.map_or(Outcome::Visited, |&head| Outcome::WaitsFor(head))
    }

    fn heads(&self, place: usize) -> &'a [u32] {
        let [from, to] = self.arcs[place];
        &self.heads[from as usize..to as usize]
    }

    /// Reads an end of each list of arcs, for nothing but that all of them are on their way from memory at a time.
    fn bring_near(&mut self, block: usize) {
        if std::mem::replace(&mut self.near[block % NEAR], block) != block && !self.heads.is_empty() {
            let arcs = &self.arcs[block * BLOCK..self.arcs.len().min((block + 1) * BLOCK)];
            self.steps = self.steps.saturating_sub(arcs.len());
            let last = self.heads.len() - 1;
            let ends = |&[from, to]: &[u32; 2]| {
                self.heads[last.min(from as usize)] ^ self.heads[to.saturating_sub(1) as usize]
            };
            std::hint::black_box(arcs.iter().map(ends).fold(0, |all, ends| all ^ ends));
        }
    }

    /// Leaves a fork's path, too, where all children are visited.
    fn close(&mut self, fork: &Fork) -> Outcome {
        let is_done = self.children[fork.from..].iter().all(|child| self.is_visited(child.place));
        let outcome = match is_done {
            true if fork.last == 0 => Outcome::Visited,
            true => self.leave(fork.first, fork.last),
            false => self.awaited(fork).map_or(Outcome::Stuck, Outcome::WaitsFor),
        };
        self.children.truncate(fork.from);
        outcome
    }

    /// What the children that are left wait for, directly or by each other, outside of them; `None` where they wait for each other only.
    fn awaited(&mut self, fork: &Fork) -> Option<u32> {
        let left: Vec<Child> =
            self.children[fork.from..].iter().copied().filter(|child| !self.is_visited(child.place)).collect();
        let mut vertex = left.first()?.waits_for?;
        for _ in &left {
            match left.iter().find(|child| self.is_below(vertex, child.place)) {
                Some(child) if self.takes(left.len()) => vertex = child.waits_for?,
                Some(_) => return None,
                None => return Some(vertex),
            }
        }
        None
    }

    fn is_below(&mut self, vertex: u32, place: Place) -> bool {
        let below = self.preorder.below(place);
        if self.places.is_empty() {
            if let Some(looks) = self.looks.checked_sub(below.len()) {
                self.looks = looks;
                return below.contains(&vertex);
            }
            self.places = vec![0; self.preorder.vertices.len()];
            (1..).zip(&self.preorder.vertices[1..]).for_each(|(place, &vertex)| self.places[vertex as usize] = place);
        }
        let found = self.places[vertex as usize];
        place <= found && found - place < below.len() as Place
    }

    /// Has not visited a path, and what is below it.
    fn go_back(&mut self, first: Place) {
        let last = self.preorder.end_of_path(first);
        self.path(first, last).iter().for_each(|&vertex| self.visited.remove(vertex as usize));
        for child in self.preorder.children(last) {
            // Who waits has gone back already.
            if self.is_visited(child) {
                let below = self.preorder.below(child);
                self.steps = self.steps.saturating_sub(below.len());
                below.iter().for_each(|&vertex| self.visited.remove(vertex as usize));
            }
        }
    }

    /// True while the walk has not taken too many steps.
    fn takes(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }
}
