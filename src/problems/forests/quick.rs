//! Accepts nearly every depth-first forest in one pass over the arcs, and passes over the vertices that wait for memory as little as may be.
//!
//! Vertices get positions in a walk that visits the largest child first. An arc that leads behind the end of its tail's subtree says that the sibling
//! above its head has to come before the one above its tail. Mostly the latter is the largest: the run was in a dead end before it went on. So the
//! small one is *moved* in front of the largest. Every other arc stays as right as it was, except those that leave what was moved: only those
//! are looked at again.
//!
//! ```text
//!   tree 0 -> 1 -> 2, 0 -> 3, arc 2 -> 3     positions 0, 1, 2, 3: the arc leads behind the end of 2, so 3 is moved in front of 1;
//!                                            were there an arc 3 -> 1, too, that would now be wrong, and no order right
//! ```
//! A demand between two that are not the largest *promotes* the one among its like. What cannot be settled so may still be right: that is for `walk`.
//!
//! A path is a vertex with its largest child, that one's largest child, and so on. Who climbs from path to path is above all
//! after at most log n steps, because each step at least doubles the subtree.

use super::Restarts;
use super::tour::Tour;
use crate::answers::Parents;
use crate::instance::Graph;

/// In a preorder walk; the virtual root stands at 0.
type Position = u32;

/// The most demands between siblings neither of which is the largest: more are rare, and each may change what others mean.
const MOST_PROMOTED: usize = 256;

/// True only for a forest of edges that some run produces.
pub(super) fn is_walked(graph: &Graph, candidate: Parents<'_>, restarts: Restarts) -> bool {
    // Events and marks take a bit each.
    if candidate.n() >= 1 << 30 {
        return false;
    }
    let (tour, at) = Tour::around(candidate);
    let Some(sizes) = sizes(&tour, candidate.n()) else { return false };
    let Some(walk) = Walk::new(&tour, sizes, at, restarts) else { return false };
    drop(tour);
    let roots = (0..candidate.n()).filter(|&vertex| candidate.is_root(vertex)).count();
    let Some(behind) = walk.leading_behind(graph, candidate.n() - roots) else { return false };
    behind.is_empty() || Order::wanted(&walk, &behind, restarts).is_some_and(|order| order.is_right(graph))
}

/// Marks the largest child where sizes are meant, and the first of a path where paths are.
const MARK: u32 = 1 << 31;

/// For each place on the tour the size of its subtree, marked where it is the largest child, and the size of its own largest child; `None` where a cycle of
/// parents leaves vertices out.
fn sizes(tour: &Tour, n: usize) -> Option<Vec<[u32; 2]>> {
    // Until the tour leaves a vertex: its largest child so far, and the size of that.
    let mut sizes = vec![[0; 2]; n + 2];
    // Above the virtual root is one more, which is left out in the end.
    let (mut above, mut at, mut places) = (vec![], n as u32 + 1, 0);
    tour.events().flatten().for_each(|&event| {
        if event % 2 == 0 {
            above.push(at);
            at = places;
            places += 1;
            return;
        }
        let ([largest, its_size], size) = (sizes[at as usize], places - at);
        // Who has no child marks the virtual root, which is nobody's child.
        sizes[(largest & !MARK) as usize][0] |= MARK;
        sizes[at as usize] = [size, its_size];
        let child = std::mem::replace(&mut at, above.pop().unwrap_or(0));
        let known = &mut sizes[at as usize];
        if size > known[1] {
            *known = [child, size];
        }
    });
    sizes.pop();
    (places as usize == n + 1).then_some(sizes)
}

/// Positions in a walk that visits the largest child first, the others as they are.
struct Walk {
    /// For the virtual root, and each vertex after it: the position of the parent, and its own.
    at: Vec<[Position; 2]>,
    /// The last position of the subtree of each of these.
    ends: Vec<Position>,
    /// For each position the first one of its path; for that itself, marked, the position of its parent.
    paths: Vec<u32>,
}

impl Walk {
    /// `None` where restarts are in order, and the roots are not.
    fn new(tour: &Tour, mut sizes: Vec<[u32; 2]>, at: Vec<[Position; 2]>, restarts: Restarts) -> Option<Walk> {
        let is_ordered = restarts == Restarts::Ordered;
        let (ends, paths) = (vec![0; sizes.len()], vec![MARK; sizes.len()]);
        let mut walk = Walk { at, ends, paths };
        // What was visited already has, in place of its sizes, its position and the one where its next child goes.
        sizes[0] = [0, if is_ordered { 1 } else { 1 + sizes[0][1] }];
        let (mut above, mut up, mut places) = (vec![], 0, 1);
        let (mut root, mut is_right) = (0, true);
        let mut found = Vec::with_capacity(FOUND);
        tour.events().flatten().skip(1).for_each(|&event| {
            if event % 2 == 1 {
                up = above.pop().unwrap_or(0);
                return;
            }
            let ([marked, largest], [parent, free]) = (sizes[places as usize], sizes[up as usize]);
            let (size, is_first) = (marked & !MARK, marked & MARK != 0 && !(is_ordered && up == 0));
            let position = if is_first { parent + 1 } else { free };
            sizes[up as usize][1] = if is_first { free } else { free + size };
            sizes[places as usize] = [position, position + 1 + largest];
            walk.paths[position as usize] = if is_first { walk.path(parent).0 } else { parent | MARK };
            root = if up == 0 { event } else { root };
            is_right &= root <= event || !is_ordered;
            found.push(Found { name: event / 2, at: [parent, position], end: position + size - 1 });
            if found.len() == FOUND {
                is_right &= walk.put(&mut found);
            }
            above.push(std::mem::replace(&mut up, places));
            places += 1;
        });
        is_right &= walk.put(&mut found);
        is_right.then_some(walk)
    }

    /// Writes what was found to where its vertex has it, many at once: a loop that does nothing else waits for all of these places at a time. False if a
    /// vertex was found twice, which is never so; but reads come before their turn, as writes do not, and what was read is near when it is written.
    fn put(&mut self, found: &mut Vec<Found>) -> bool {
        let last_event = 2 * self.at.len() as u32 - 1;
        found.drain(..).fold(true, |is_right, Found { name, at, end }| {
            let (own_at, own_end) = (&mut self.at[name as usize], &mut self.ends[name as usize]);
            let was_unknown = (*own_end == 0) & (own_at[0] <= last_event);
            (*own_at, *own_end) = (at, end);
            is_right & was_unknown
        })
    }

    /// The arcs that lead behind the end of their tail's subtree, as positions; `None` if there are more of them than vertices, or not so many edges from
    /// parents.
    fn leading_behind(&self, graph: &Graph, parents: usize) -> Option<Vec<[Position; 2]>> {
        let (mut behind, mut found) = (vec![], 0);
        let at = &self.at[1..];
        for (tail, (&[_, own], &end)) in at.iter().zip(&self.ends[1..]).enumerate() {
            let heads = graph.out_neighbours(tail);
            let (furthest, children) = heads.iter().fold((0, 0), |(furthest, children), &head| {
                let [parent, position] = at[head as usize];
                // One number for both is one access and one comparison.
                let both = u64::from(position) << 32 | u64::from(parent);
                (both.max(furthest), children + usize::from(parent == own))
            });
            found += children;
            if furthest >> 32 > u64::from(end) {
                let positions = heads.iter().map(|&head| at[head as usize][1]);
                behind.extend(positions.filter(|&position| position > end).map(|position| [own, position]));
                if behind.len() > graph.n() {
                    return None;
                }
            }
        }
        // No arc is there twice, so each parent has its edge when there are as many.
        (found == parents).then_some(behind)
    }

    /// The first position of a path, and that of its parent.
    fn path(&self, position: Position) -> (Position, Position) {
        let first = self.paths[position as usize];
        if first & MARK != 0 { (position, first & !MARK) } else { (first, self.paths[first as usize] & !MARK) }
    }
}

/// Where a vertex was found to stand.
struct Found {
    name: u32,
    at: [Position; 2],
    end: Position,
}

/// How many vertices are written at once.
const FOUND: usize = 1024;

/// Siblings that leave their places: those that are moved come first, then the largest, then the others. Among their like, those come first that are
/// promoted. Otherwise the order is as it was.
struct Order<'a> {
    walk: &'a Walk,
    /// By the position of a sibling that is not the largest.
    changes: Vec<u8>,
}

const MOVED: u8 = 1;
const PROMOTED: u8 = 2;

impl<'a> Order<'a> {
    /// An order that arcs which lead behind want; `None` where there is none, or none so simple.
    fn wanted(walk: &'a Walk, behind: &[[Position; 2]], restarts: Restarts) -> Option<Self> {
        let mut order = Order { walk, changes: vec![0; walk.paths.len()] };
        let mut pairs = vec![];
        for &[from, to] in behind {
            let (parent, earlier) = order.branch(from, to);
            match order.child(parent, from) {
                // Restarts in order leave no choice between roots.
                _ if parent == 0 && restarts == Restarts::Ordered => return None,
                later if later == parent + 1 => order.changes[earlier as usize] |= MOVED,
                later => pairs.push([earlier, later].map(|sibling| sibling as usize)),
            }
            if pairs.len() > MOST_PROMOTED {
                return None;
            }
        }
        order.promote(&pairs).then_some(order)
    }

    /// The lowest common ancestor of two positions, the second of which comes after all below the first, and its child above the second: never the largest.
    fn branch(&self, from: Position, to: Position) -> (Position, Position) {
        let (mut child, mut parent) = self.walk.path(to);
        while parent > from {
            (child, parent) = self.walk.path(parent);
        }
        (parent, child)
    }

    /// The child of a position that stands above another one, which is below it. The largest stands at the next position.
    fn child(&self, parent: Position, mut below: Position) -> Position {
        loop {
            let (first, above) = self.walk.path(below);
            if first <= parent {
                return parent + 1;
            }
            if above == parent {
                return first;
            }
            below = above;
        }
    }

    /// Has siblings come before others, neither of them the largest; false where that takes more than one step.
    fn promote(&mut self, pairs: &[[usize; 2]]) -> bool {
        // Who comes before one that is moved is moved.
        let changes = &mut self.changes;
        for _ in 0..pairs.len() {
            pairs.iter().for_each(|&[earlier, later]| changes[earlier] |= changes[later] & MOVED);
        }
        let is_between_likes =
            |changes: &[u8], &[one, other]: &[usize; 2]| (changes[one] ^ changes[other]) & MOVED == 0;
        for pair in pairs {
            changes[pair[0]] |= if is_between_likes(changes, pair) { PROMOTED } else { 0 };
        }
        pairs.iter().all(|pair| !is_between_likes(changes, pair) || changes[pair[1]] & PROMOTED == 0)
    }

    /// When a child of a position comes, compared with its siblings.
    fn rank(&self, parent: Position, child: Position) -> (u8, bool, Position) {
        let changes = self.changes[child as usize];
        match child == parent + 1 && self.walk.paths[child as usize] & MARK == 0 {
            true => (1, false, child),
            false => (if changes & MOVED != 0 { 0 } else { 2 }, changes & PROMOTED == 0, child),
        }
    }

    /// True when no arc leads from what is moved or promoted to a sibling that now comes later. An arc between other siblings was right, or is now.
    fn is_right(&self, graph: &Graph) -> bool {
        let nearest = self.nearest_changed();
        let mut changed = vec![];
        self.walk.at[1..].iter().enumerate().filter(|(_, at)| nearest[at[1] as usize] != 0).all(|(tail, at)| {
            changed.clear();
            let mut child = nearest[at[1] as usize];
            while child != 0 {
                let parent = self.walk.paths[child as usize] & !MARK;
                changed.push((parent, child));
                child = nearest[parent as usize];
            }
            graph.out_neighbours(tail).iter().all(|&head| {
                let to = self.walk.at[head as usize + 1][1];
                changed.iter().all(|&(parent, child)| {
                    let is_before = parent < to && to < child;
                    !is_before || self.rank(parent, self.child(parent, to)) < self.rank(parent, child)
                })
            })
        })
    }

    /// For each position the lowest above it, or itself, that is moved or promoted; 0 where none is.
    fn nearest_changed(&self) -> Vec<Position> {
        let mut nearest = vec![0; self.changes.len()];
        for position in 1..nearest.len() {
            let (first, parent) = self.walk.path(position as Position);
            nearest[position] = match self.changes[position] {
                0 if first as usize != position => nearest[first as usize],
                0 => nearest[parent as usize],
                _ => position as Position,
            };
        }
        nearest
    }
}
