//! The vertices of a forest in the order in which a walk comes to them: parents before children, a subtree in one piece.
//!
//! Who walks waits for memory at each step. So the walk is cut: pieces that begin below every so-many-th vertex are walked several at once, each leaving out what
//! is below another one's beginning, and then put together. That takes the same few nanoseconds a step for a path of a million vertices as for a star of them.
//!
//! ```text
//!     *            place   0  1  2  3       * is the virtual root, which has the first place
//!    / \           vertex  *  0  2  1
//!   0   1          size    4  2  1  1
//!   |
//!   2
//! ```

use crate::answers::Parents;

/// The virtual root is called 0, vertex v is v + 1.
type Name = u32;

/// How many vertices are in a piece, on the average.
const PIECE: usize = 128;
/// How many pieces are walked at once: more than memory answers at a time.
const LANES: usize = 64;

/// By place; children of one parent come in ascending order.
pub(super) struct Preorder {
    /// What stands at 0 has no meaning.
    pub vertices: Vec<u32>,
    /// How many places a subtree takes.
    pub sizes: Vec<u32>,
}

impl Preorder {
    /// `None` where parents run in a circle, and for more vertices than steps can name.
    pub fn new(candidate: Parents<'_>) -> Option<Preorder> {
        if candidate.n() >= Step::NAMES {
            return None;
        }
        let (vertices, parents) = Pieces::walked(&kin(candidate)).joined(candidate.n())?;
        let mut sizes = vec![1; vertices.len()];
        for place in (1..sizes.len()).rev() {
            sizes[parents[place] as usize] += sizes[place];
        }
        Some(Preorder { vertices, sizes })
    }

    /// The places of the children, in order.
    pub fn children(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        let end = place + self.sizes[place as usize];
        let first = Some(place + 1).filter(|&child| child < end);
        std::iter::successors(first, move |&child| Some(child + self.sizes[child as usize]).filter(|&next| next < end))
    }

    /// The last place of the path that goes on from a place while there is one child.
    pub fn end_of_path(&self, first: u32) -> u32 {
        let mut last = first as usize;
        while self.sizes[last] > 1 && self.sizes[last] == self.sizes[last + 1] + 1 {
            last += 1;
        }
        last as u32
    }

    /// The vertices of a subtree.
    pub fn below(&self, place: u32) -> &[u32] {
        &self.vertices[place as usize..(place + self.sizes[place as usize]) as usize]
    }
}

/// For each name its first child and its next sibling; 0 where there is none, since the virtual root is neither.
fn kin(candidate: Parents<'_>) -> Vec<[Name; 2]> {
    let mut kin = vec![[0, 0]; candidate.n() + 1];
    for child in (0..candidate.n()).rev() {
        let parent = if candidate.is_root(child) { 0 } else { candidate.of(child) + 1 };
        kin[child + 1][1] = std::mem::replace(&mut kin[parent][0], child as Name + 1);
    }
    kin
}

/// A vertex that a piece comes to, whether from its parent, and whether a sibling is to come.
#[derive(Clone, Copy)]
struct Step(u32);

impl Step {
    const NAMES: usize = 1 << 30;
    const HAS_SIBLING: u32 = 1 << 30;
    const FROM_PARENT: u32 = 1 << 31;

    fn name(self) -> usize {
        self.0 as usize % Step::NAMES
    }
}

/// Walks that begin below each [`PIECE`]-th name, and leave out what is below the others of these.
struct Pieces {
    /// The steps of the pieces, by lane.
    steps: Vec<Vec<Step>>,
    pieces: Vec<Piece>,
}

/// Where the steps of a piece stand.
#[derive(Clone, Copy, Default)]
struct Piece {
    lane: u32,
    from: u32,
    to: u32,
}

/// Who walks one piece after the other.
struct Lane {
    index: usize,
    piece: usize,
    /// The next step, of which it is not known yet whether a sibling is to come.
    step: Step,
    /// Siblings to come, the last one first.
    siblings: Vec<Name>,
}

impl Pieces {
    fn walked(kin: &[[Name; 2]]) -> Pieces {
        let count = kin.len().div_ceil(PIECE);
        let (lanes, room) = (LANES.min(count), kin.len() / LANES.min(count) + PIECE);
        let steps = (0..lanes).map(|_| Vec::with_capacity(room)).collect();
        let mut pieces = Pieces { steps, pieces: vec![Piece::default(); count] };
        let mut begun = 0;
        let idle = |index| Lane { index, piece: 0, step: Step(0), siblings: vec![] };
        let mut lanes: Vec<Lane> = (0..lanes).map(idle).collect();
        lanes.retain_mut(|lane| pieces.begin(lane, &mut begun, kin));
        let mut known = [[0, 0]; LANES];
        while !lanes.is_empty() {
            // A loop that does nothing else waits for all of these places at a time.
            known.iter_mut().zip(&lanes).for_each(|(known, lane)| *known = kin[lane.step.name()]);
            let mut known = known.iter();
            lanes.retain_mut(|lane| {
                let &[child, sibling] = known.next().expect("as many as lanes");
                pieces.go(lane, child, sibling) || pieces.begin(lane, &mut begun, kin)
            });
        }
        pieces
    }

    /// Has a lane take the next piece that is not empty; false where there is none.
    fn begin(&mut self, lane: &mut Lane, begun: &mut usize, kin: &[[Name; 2]]) -> bool {
        let Some(piece) = (*begun..self.pieces.len()).find(|piece| kin[piece * PIECE][0] != 0) else {
            *begun = self.pieces.len();
            return false;
        };
        *begun = piece + 1;
        let from = self.steps[lane.index].len() as u32;
        self.pieces[piece] = Piece { lane: lane.index as u32, from, to: from };
        (lane.piece, lane.step) = (piece, Step(kin[piece * PIECE][0] | Step::FROM_PARENT));
        true
    }

    /// Takes a step; false where the piece ends with it.
    fn go(&mut self, lane: &mut Lane, child: Name, sibling: Name) -> bool {
        let steps = &mut self.steps[lane.index];
        if sibling != 0 {
            lane.step.0 |= Step::HAS_SIBLING;
            lane.siblings.push(sibling);
        }
        steps.push(lane.step);
        let next = match child {
            child if child != 0 && !lane.step.name().is_multiple_of(PIECE) => Some(child | Step::FROM_PARENT),
            _ => lane.siblings.pop(),
        };
        lane.step = Step(next.unwrap_or(0));
        self.pieces[lane.piece].to = steps.len() as u32;
        next.is_some()
    }

    fn of(&self, piece: usize) -> std::slice::Iter<'_, Step> {
        let Piece { lane, from, to } = self.pieces[piece];
        self.steps[lane as usize][from as usize..to as usize].iter()
    }

    /// By place the vertex, and the place of its parent; `None` where a circle keeps the walk from some.
    fn joined(&self, n: usize) -> Option<(Vec<u32>, Vec<u32>)> {
        let (mut vertices, mut parents, mut place) = (vec![0; n + 1], vec![0; n + 1], 1);
        // The parents of siblings to come; above them is room for one more.
        let (mut above, mut height) = (vec![0; n + 2], 0);
        let mut open = vec![self.of(0)];
        while let Some(piece) = open.last_mut() {
            let mut inner = None;
            for &step in piece.by_ref() {
                // Nothing here is asked that a processor could guess wrong.
                let comes_back = step.0 & Step::FROM_PARENT == 0;
                height -= usize::from(comes_back);
                let parent = if comes_back { above[height] } else { place as u32 - 1 };
                above[height] = parent;
                height += usize::from(step.0 & Step::HAS_SIBLING != 0);
                (vertices[place], parents[place]) = (step.name() as u32 - 1, parent);
                place += 1;
                if step.name().is_multiple_of(PIECE) {
                    inner = Some(self.of(step.name() / PIECE));
                    break;
                }
            }
            match inner {
                Some(piece) => open.push(piece),
                None => _ = open.pop(),
            }
        }
        (place == n + 1).then_some((vertices, parents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Candidate;
    use crate::random::Rng;

    /// Vertices and sizes by their definition.
    fn literal(parents: &[usize]) -> (Vec<u32>, Vec<u32>) {
        let children = |parent: Option<usize>| {
            let is_child =
                move |&v: &usize| parent.map_or(parents[v] == v, |parent| parents[v] == parent && parent != v);
            (0..parents.len()).rev().filter(is_child).collect::<Vec<_>>()
        };
        let (mut vertices, mut waiting) = (vec![0], children(None));
        while let Some(vertex) = waiting.pop() {
            vertices.push(vertex as u32);
            waiting.extend(children(Some(vertex)));
        }
        let mut below = vec![1; parents.len()];
        for &vertex in vertices[1..].iter().rev() {
            let parent = parents[vertex as usize];
            below[parent] += if parent == vertex as usize { 0 } else { below[vertex as usize] };
        }
        let sizes = std::iter::once(parents.len() as u32 + 1).chain(vertices[1..].iter().map(|&v| below[v as usize]));
        (vertices.clone(), sizes.collect())
    }

    #[test]
    fn a_walk_comes_to_each_vertex_once_whatever_the_shape() {
        let mut rng = Rng::stream(0, "preorder", 0);
        for n in [0, 1, 2, 5, 126, 127, 128, 129, 300, 2000] {
            let shuffled: [Vec<usize>; 2] = std::array::from_fn(|_| {
                let mut names: Vec<usize> = (0..n).collect();
                rng.shuffle(&mut names);
                names
            });
            let random = (0..n).map(|v| if v == 0 { 0 } else { rng.below(v + 1) }).collect::<Vec<_>>();
            let path: Vec<usize> = (0..n).map(|v: usize| v.saturating_sub(1)).collect();
            let comb: Vec<usize> = (0..n).map(|v: usize| v.saturating_sub(1 + v % 2)).collect();
            let shapes = [random, path, comb, vec![0; n], (0..n).collect()];
            for (shape, names) in shapes.into_iter().zip(shuffled.iter().cycle()) {
                let mut parents = vec![0; n];
                (0..n).for_each(|v| parents[names[v]] = names[shape[v]]);
                let candidate = Candidate::from_parents(parents.clone()).unwrap();
                let Preorder { vertices, sizes } = Preorder::new(candidate.parents()).unwrap();
                assert_eq!((vertices, sizes), literal(&parents));
            }
        }
    }

    #[test]
    fn children_are_found_by_their_sizes() {
        let candidate = Candidate::from_parents([0, 1, 0, 2, 0]).unwrap();
        let preorder = Preorder::new(candidate.parents()).unwrap();
        assert_eq!(preorder.vertices, [0, 0, 2, 3, 4, 1]);
        let children = |place| preorder.children(place).collect::<Vec<_>>();
        assert_eq!([children(0), children(1), children(2), children(3)], [vec![1, 5], vec![2, 4], vec![3], vec![]]);
        assert_eq!(preorder.below(2), [2, 3]);
    }

    #[test]
    fn circles_are_no_forest() {
        for (of, parent) in [(500, 700), (127, 127 * 3), (1, 2)] {
            let mut parents: Vec<usize> = (0..1000).map(|v: usize| v.saturating_sub(1)).collect();
            parents[of] = parent;
            let candidate = Candidate::from_parents(parents).unwrap();
            assert!(Preorder::new(candidate.parents()).is_none());
        }
    }
}
