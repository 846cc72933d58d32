//! Directed spanning trees: every vertex but the root takes one of its possible parents, and no cycle arises.
//!
//! Cycles stay inside strongly connected components, so choices in different components do not touch each other, and a
//! vertex that is alone in its component chooses freely. Within a component all that matters of the rest is which
//! parents lie outside: they are one absorbing place.
//!
//! ```text
//! 0 -> 1 <=> 2      root 0, parents of 1: 0 and 2, parents of 2: 1.     One tree: 2 -> 1 would close a cycle.
//! ```

use super::BadVertex;
use super::components::strong_components;
use crate::problems::grouped::Grouped;

/// The arborescences of a digraph: trees directed away from the root that span the wanted vertices.
///
/// ```
/// use tiebreak::problems::trees::{Arborescences, Limits};
/// // 1 and 2 can each be reached from the root 0, or from each other.
/// let arcs = [(0, 1), (0, 2), (1, 2), (2, 1)];
/// let trees = Arborescences::new(&[true; 3], 0, &arcs)?;
/// assert_eq!(trees.count(&Limits::default())?.to_string(), "3");
/// assert_eq!(trees.iter().collect::<Vec<_>>(), [[0usize, 0, 0], [0, 0, 1], [0, 2, 0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Arborescences {
    pub(super) root: usize,
    /// The possible parents of each vertex, ascending.
    pub(super) first: Vec<usize>,
    pub(super) parents: Vec<u32>,
    /// The component of each wanted vertex, [`NONE`] for the root and the others.
    pub(super) component: Vec<u32>,
    /// The vertices of each component, ascending.
    pub(super) members: Grouped<u32>,
    pub(super) components: usize,
    /// True when the root reaches every wanted vertex.
    pub(super) feasible: bool,
}

/// No component.
pub(super) const NONE: u32 = u32::MAX;

impl Arborescences {
    /// The trees below `root` that span all `wanted` vertices, along `arcs` (parent, child), in time O(n + m log m).
    ///
    /// An arc given twice counts once. Arcs into the root, of a vertex to itself, and of vertices that are not wanted
    /// are in no tree and dropped.
    pub fn new(wanted: &[bool], root: usize, arcs: &[(usize, usize)]) -> Result<Self, BadVertex> {
        let n = wanted.len();
        let ends = arcs.iter().flat_map(|&(parent, child)| [parent, child]).chain([root]);
        if let Some(vertex) = ends.into_iter().find(|&vertex| vertex >= n) {
            return Err(BadVertex { vertex, n });
        }
        let inside = |vertex: usize| vertex == root || wanted[vertex];
        let useful =
            |&&(parent, child): &&(usize, usize)| parent != child && child != root && inside(parent) && inside(child);
        let by_child = Grouped::new(n, arcs.iter().filter(useful).map(|&(parent, child)| (child, parent as u32)));
        let (mut first, mut parents) = (Vec::with_capacity(n + 1), vec![]);
        for child in 0..n {
            first.push(parents.len());
            let mut own = by_child.of(child).to_vec();
            own.sort_unstable();
            own.dedup();
            parents.extend(own);
        }
        first.push(parents.len());
        Ok(Self::prepare(wanted, root, first, parents))
    }

    /// The same, without the arcs (parent, child) that `keep` refuses: how demands are met.
    ///
    /// A required arc is the same as all its rivals being refused.
    pub fn filtered(&self, keep: impl Fn(usize, usize) -> bool) -> Self {
        let wanted: Vec<bool> = self.component.iter().map(|&component| component != NONE).collect();
        let (mut first, mut parents) = (Vec::with_capacity(self.n() + 1), vec![]);
        for child in 0..self.n() {
            first.push(parents.len());
            parents.extend(self.parents_of(child).iter().copied().filter(|&parent| keep(parent as usize, child)));
        }
        first.push(parents.len());
        Self::prepare(&wanted, self.root, first, parents)
    }

    fn prepare(wanted: &[bool], root: usize, first: Vec<usize>, parents: Vec<u32>) -> Self {
        let n = wanted.len();
        let heads = (0..n).flat_map(|child| parents[first[child]..first[child + 1]].iter().map(move |&p| (p, child)));
        let out = Grouped::new(n, heads.map(|(parent, child)| (parent as usize, child as u32)));
        let reached = reachable(&out, n, root);
        let feasible = (0..n).all(|vertex| reached[vertex] || vertex == root || !wanted[vertex]);
        let (components, mut component) = strong_components(&out, n);
        for vertex in 0..n {
            if vertex == root || !wanted[vertex] {
                component[vertex] = NONE;
            }
        }
        let pairs = (0..n).filter(|&vertex| component[vertex] != NONE);
        let members = Grouped::new(components, pairs.map(|vertex| (component[vertex] as usize, vertex as u32)));
        Arborescences { root, first, parents, component, members, components, feasible }
    }

    /// The number of vertices, wanted or not.
    pub fn n(&self) -> usize {
        self.component.len()
    }

    /// The possible parents of a vertex, ascending; none for the root and for vertices that are not wanted.
    pub fn parents_of(&self, vertex: usize) -> &[u32] {
        &self.parents[self.first[vertex]..self.first[vertex + 1]]
    }

    /// The arcs (parent, child) by child and then by parent: the order of [`Self::uses`] and [`Self::marginals`].
    pub fn arcs(&self) -> impl Iterator<Item = (usize, usize)> + Clone {
        (0..self.n()).flat_map(|child| self.parents_of(child).iter().map(move |&parent| (parent as usize, child)))
    }

    /// True when there is a tree: when the root reaches every wanted vertex.
    pub fn any(&self) -> bool {
        self.feasible
    }

    /// True when every vertex chooses its parent without regard to the others.
    pub fn is_acyclic(&self) -> bool {
        self.knots().next().is_none()
    }

    /// The components with several vertices; all other vertices choose freely.
    pub(super) fn knots(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.components).map(|component| self.members.of(component)).filter(|members| members.len() > 1)
    }

    /// True when a vertex is alone in its component.
    pub(super) fn is_free(&self, vertex: usize) -> bool {
        let component = self.component[vertex];
        component != NONE && self.members.of(component as usize).len() == 1
    }
}

impl std::fmt::Debug for Arborescences {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Arborescences of {} vertices and {} arcs below {}", self.n(), self.parents.len(), self.root)
    }
}

/// Which vertices the root reaches.
fn reachable(out: &Grouped<u32>, n: usize, root: usize) -> Vec<bool> {
    let mut reached = vec![false; n];
    reached[root] = true;
    let mut waiting = vec![root];
    while let Some(vertex) = waiting.pop() {
        for &head in out.of(vertex) {
            if !std::mem::replace(&mut reached[head as usize], true) {
                waiting.push(head as usize);
            }
        }
    }
    reached
}
