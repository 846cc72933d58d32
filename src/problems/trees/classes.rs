//! Minimum spanning forests by classes of equal weight.
//!
//! Take weights in ascending order and contract what lighter edges connect: edges of one weight form a multigraph, and
//! a set of edges is a minimum spanning forest exactly when, for every weight, it has a spanning forest of that
//! multigraph. Each block of each multigraph chooses its spanning tree apart from all others.
//!
//! ```text
//! 0 -1- 1        weight 1: the bridge 0-1 is in every forest
//!  2\  /2        weight 2: 0 and 1 are one vertex, and the two edges to 2 are a block: either may be taken
//!     2
//! ```

use super::BadVertex;
use super::blocks::{Block, Link, split};
use super::by_weight::{ByWeight, WeightClass};
use super::minimum::Reduced;
use super::sets::Sets;
use std::sync::OnceLock;

/// The minimum spanning forests of a graph with weights, all or those that meet demands. Edges go by id, their index.
///
/// ```
/// use tiebreak::problems::trees::{Classes, Limits, Use};
/// let edges = [(0, 1, 1), (0, 2, 2), (1, 2, 2), (0, 1, 3)];
/// let forests = Classes::new(3, &edges)?;
/// assert_eq!(forests.iter().collect::<Vec<_>>(), [[0usize, 1], [0, 2]]);
/// assert_eq!(forests.uses(), [Use::Always, Use::Sometimes, Use::Sometimes, Use::Never]);
/// let without = forests.demanding(&[], &[1])?;
/// assert_eq!(without.count(&Limits::default())?.to_string(), "1");
/// assert!(forests.demanding(&[3], &[]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Classes {
    /// What is known of each edge.
    pub(super) place: Vec<Place>,
    /// The edges that are in every forest.
    pub(super) fixed: Vec<u32>,
    pub(super) blocks: Vec<Block>,
    /// Each block without its series and parallel parts, computed when first needed.
    pub(super) reduced: OnceLock<Vec<Reduced>>,
}

/// Where an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In no forest.
    Nowhere,
    /// In every forest.
    Everywhere,
    /// In this block, and so in some forests and not in others.
    Block(u32),
}

/// Why no minimum spanning forest meets the demands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Infeasible {
    /// There is no such edge.
    #[error("edge {edge}, but there are {edges}")]
    NoSuchEdge {
        /// The edge.
        edge: usize,
        /// The number of edges.
        edges: usize,
    },
    /// The edge is both required and forbidden.
    #[error("edge {edge} is both required and forbidden")]
    Contradiction {
        /// The edge.
        edge: usize,
    },
    /// Lighter edges connect the ends of the required edge.
    #[error("edge {edge} is required, but lighter edges connect its ends")]
    TooHeavy {
        /// The edge.
        edge: usize,
    },
    /// The required edge closes a cycle with other required edges and lighter ones.
    #[error("edge {edge} closes a cycle with other required edges")]
    RequiredCycle {
        /// The edge.
        edge: usize,
    },
    /// Without the forbidden edges a heavier one would be needed, or there is no other.
    #[error("edge {edge} is forbidden, but without the forbidden edges none of its weight or less connects its ends")]
    Needed {
        /// One of the forbidden edges.
        edge: usize,
    },
}

impl Classes {
    /// All minimum spanning forests of the graph with vertices below `n` and `edges` (end, end, weight); parallel edges
    /// and loops are allowed. Time O(m log m), memory O(n + m).
    pub fn new(n: usize, edges: &[(usize, usize, i128)]) -> Result<Self, BadVertex> {
        check_ends(n, edges)?;
        Ok(Self::of_sorted(n, &ByWeight::new(edges)))
    }

    /// As [`Classes::new`], of edges that are sorted already.
    pub(crate) fn of_sorted(n: usize, edges: &ByWeight) -> Self {
        Self::of_sorted_within(edges, &vec![true; n])
    }

    /// The minimum spanning trees of the component that `vertex` is in.
    pub fn of_component(n: usize, edges: &[(usize, usize, i128)], vertex: usize) -> Result<Self, BadVertex> {
        check_ends(n, edges)?;
        check_vertex(n, vertex)?;
        let mut sets = Sets::new(n);
        edges.iter().for_each(|&(a, b, _)| {
            sets.join(a, b);
        });
        let is_inside: Vec<bool> = (0..n).map(|other| sets.joined(other, vertex)).collect();
        Ok(Self::of_sorted_within(&ByWeight::new(edges), &is_inside))
    }

    /// As [`Classes::of_sorted`], of those edges only whose ends are inside: each has both there or none.
    pub(crate) fn of_sorted_within(edges: &ByWeight, is_inside: &[bool]) -> Self {
        let mut contraction = Contraction::new(is_inside.len());
        let vertices = is_inside.iter().filter(|&&is_inside| is_inside).count();
        for class in edges.classes() {
            // All is one: no heavier edge is in any forest.
            if contraction.joins + 1 >= vertices {
                break;
            }
            contraction.add_class(class, is_inside);
        }
        Self::placed(edges.order().len(), contraction.fixed, contraction.blocks)
    }

    fn placed(edges: usize, fixed: Vec<u32>, blocks: Vec<Block>) -> Self {
        let mut place = vec![Place::Nowhere; edges];
        fixed.iter().for_each(|&edge| place[edge as usize] = Place::Everywhere);
        for (index, block) in blocks.iter().enumerate() {
            block.links.iter().for_each(|link| place[link.id as usize] = Place::Block(index as u32));
        }
        Classes { place, fixed, blocks, reduced: OnceLock::new() }
    }

    /// True for an edge that is in some forests and not in others.
    pub(crate) fn varies(&self, edge: usize) -> bool {
        matches!(self.place[edge], Place::Block(_))
    }

    /// How many edges are in some forests and not in others.
    pub(crate) fn varying(&self) -> usize {
        self.blocks.iter().map(|block| block.links.len()).sum()
    }

    /// True when edges, each given once and without a cycle, are one of the forests. O(n), where the blocks are few.
    ///
    /// Those of a weight and all lighter ones can be no more than a forest of them has. So if each block has as many as its rank, none is missing.
    pub fn includes(&self, acyclic: &[usize]) -> bool {
        let mut fixed = self.fixed.len();
        let mut left: Vec<usize> = self.ranks().map(|(rank, _)| rank).collect();
        for &edge in acyclic {
            let room = match self.place[edge] {
                Place::Nowhere => return false,
                Place::Everywhere => &mut fixed,
                Place::Block(block) => &mut left[block as usize],
            };
            match room.checked_sub(1) {
                Some(less) => *room = less,
                None => return false,
            }
        }
        fixed == 0 && left.iter().all(|&left| left == 0)
    }

    /// True when edges, each given once, are one of the forests: all fixed ones, and a spanning tree of each block. O(n), where the blocks are few.
    pub(crate) fn has(&self, chosen: impl Iterator<Item = usize>) -> bool {
        let (mut fixed, mut varying) = (0, vec![]);
        for edge in chosen {
            match self.place[edge] {
                Place::Nowhere => return false,
                Place::Everywhere => fixed += 1,
                Place::Block(block) => varying.push((block, edge as u32)),
            }
        }
        varying.sort_unstable();
        let of_blocks = || varying.chunk_by(|(one, _), (other, _)| one == other);
        let spans = |own: &[(u32, u32)]| self.blocks[own[0].0 as usize].is_spanned_by(own.iter().map(|&(_, id)| id));
        fixed == self.fixed.len() && of_blocks().count() == self.blocks.len() && of_blocks().all(spans)
    }

    /// Those of the forests that have all `required` edges and none of the `forbidden` ones, or why there are none.
    pub fn demanding(&self, required: &[usize], forbidden: &[usize]) -> Result<Self, Infeasible> {
        let edges = self.place.len();
        if let Some(&edge) = required.iter().chain(forbidden).find(|&&edge| edge >= edges) {
            return Err(Infeasible::NoSuchEdge { edge, edges });
        }
        let mut demands = vec![Demand::None; edges];
        required.iter().for_each(|&edge| demands[edge] = Demand::Required);
        for &edge in forbidden {
            if demands[edge] == Demand::Required {
                return Err(Infeasible::Contradiction { edge });
            }
            demands[edge] = Demand::Forbidden;
        }
        let mut touched = vec![false; self.blocks.len()];
        for &edge in required.iter().chain(forbidden) {
            match (self.place[edge], demands[edge]) {
                (Place::Block(block), _) => touched[block as usize] = true,
                (Place::Nowhere, Demand::Required) => return Err(Infeasible::TooHeavy { edge }),
                (Place::Everywhere, Demand::Forbidden) => return Err(Infeasible::Needed { edge }),
                _ => {}
            }
        }
        let (mut fixed, mut blocks) = (self.fixed.clone(), vec![]);
        for (block, touched) in self.blocks.iter().zip(touched) {
            if touched {
                restrict(block, &demands, &mut fixed, &mut blocks)?;
            } else {
                blocks.push(block.clone());
            }
        }
        Ok(Self::placed(edges, fixed, blocks))
    }
}

impl Classes {
    /// The rank and the corank of each block: what a tree has of its edges, and what it leaves.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.blocks.iter().map(|block| (block.size - 1, block.links.len() + 1 - block.size))
    }
}

impl std::fmt::Debug for Classes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Classes with {} fixed edges and {} blocks", self.fixed.len(), self.blocks.len())
    }
}

pub(super) fn check_ends(n: usize, edges: &[(usize, usize, i128)]) -> Result<(), BadVertex> {
    let bad = edges.iter().flat_map(|&(a, b, _)| [a, b]).find(|&vertex| vertex >= n);
    bad.map_or(Ok(()), |vertex| Err(BadVertex { vertex, n }))
}

pub(super) fn check_vertex(n: usize, vertex: usize) -> Result<(), BadVertex> {
    if vertex < n { Ok(()) } else { Err(BadVertex { vertex, n }) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Demand {
    None,
    Required,
    Forbidden,
}

/// Contracts the required edges of a block, deletes the forbidden ones, and splits what is left.
fn restrict(
    block: &Block,
    demands: &[Demand],
    fixed: &mut Vec<u32>,
    blocks: &mut Vec<Block>,
) -> Result<(), Infeasible> {
    let mut contracted = Sets::new(block.size);
    let ends = |link: &Link| link.ends.map(|end| end as usize);
    for link in block.links.iter().filter(|link| demands[link.id as usize] == Demand::Required) {
        let [a, b] = ends(link);
        if !contracted.join(a, b) {
            return Err(Infeasible::RequiredCycle { edge: link.id as usize });
        }
        fixed.push(link.id);
    }
    let mut free = vec![];
    let mut connected = Sets::new(block.size);
    for link in block.links.iter().filter(|link| demands[link.id as usize] == Demand::None) {
        let ends = ends(link).map(|end| contracted.find(end));
        if ends[0] != ends[1] {
            connected.join(ends[0], ends[1]);
            free.push(Link { id: link.id, ends: ends.map(|end| end as u32) });
        }
    }
    // The block was connected, so what falls apart falls apart along a forbidden edge.
    for link in block.links.iter().filter(|link| demands[link.id as usize] == Demand::Forbidden) {
        let [a, b] = ends(link).map(|end| contracted.find(end));
        if !connected.joined(a, b) {
            return Err(Infeasible::Needed { edge: link.id as usize });
        }
    }
    split(block.size, &free, fixed, blocks);
    Ok(())
}

/// What the classes so far have connected, and what they gave.
struct Contraction {
    sets: Sets,
    /// How often two sets became one.
    joins: usize,
    /// The number of a set within the present class; `u32::MAX` between classes.
    local: Vec<u32>,
    fixed: Vec<u32>,
    blocks: Vec<Block>,
}

impl Contraction {
    fn new(n: usize) -> Self {
        Contraction { sets: Sets::new(n), joins: 0, local: vec![u32::MAX; n], fixed: vec![], blocks: vec![] }
    }

    fn add_class(&mut self, class: WeightClass, is_inside: &[bool]) {
        let mut links = vec![];
        let mut members = vec![];
        for (&id, ends) in class.edges.iter().zip(class.ends) {
            if !is_inside[ends[0] as usize] {
                continue;
            }
            let ends = ends.map(|end| self.sets.find(end as usize));
            if ends[0] == ends[1] {
                continue;
            }
            if class.edges.len() == 1 {
                self.join(ends);
                self.fixed.push(id);
                return;
            }
            let ends = ends.map(|end| {
                if self.local[end] == u32::MAX {
                    self.local[end] = members.len() as u32;
                    members.push(end);
                }
                self.local[end]
            });
            links.push(Link { id, ends });
        }
        split(members.len(), &links, &mut self.fixed, &mut self.blocks);
        for link in &links {
            self.join(link.ends.map(|end| members[end as usize]));
        }
        members.iter().for_each(|&member| self.local[member] = u32::MAX);
    }

    fn join(&mut self, [one, other]: [usize; 2]) {
        self.joins += usize::from(self.sets.join(one, other));
    }
}

#[cfg(test)]
mod tests {
    use super::super::verify_forest;
    use super::*;
    use crate::random::Rng;

    #[test]
    fn classes_have_exactly_the_minimum_spanning_forests() {
        for index in 0..400 {
            let mut rng = Rng::stream(0, "classes have", index);
            let (n, weights) = (1 + rng.below(5), 1 + rng.below(3));
            let edges: Vec<(usize, usize, i128)> =
                (0..rng.below(9)).map(|_| (rng.below(n), rng.below(n), rng.below(weights) as i128)).collect();
            let classes = Classes::new(n, &edges).unwrap();
            for set in 0..1usize << edges.len() {
                let chosen: Vec<usize> = (0..edges.len()).filter(|edge| set >> edge & 1 == 1).collect();
                let expected = verify_forest(n, &edges, &chosen).is_ok();
                assert_eq!(classes.has(chosen.iter().copied()), expected, "{edges:?}: {chosen:?}");
            }
        }
    }
}
