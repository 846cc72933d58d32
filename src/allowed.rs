//! Which parents vertices may have (a person's demands), and which they can have at all.
//!
//! Both speak of tree edges (parent, child). "The edge u -> v must be in the tree" leaves v one parent; "it must not" takes
//! one away.

use crate::grouped::Grouped;
use crate::parents::ParentArray;
use std::collections::{BTreeMap, BTreeSet};

/// Which parents vertices may have: any, except where something was required or forbidden.
///
/// ```
/// use tiebreak::allowed::Allowed;
/// let mut allowed = Allowed::default();
/// allowed.forbid(0, 2);
/// assert!(allowed.require(1, 3) && !allowed.require(0, 3), "3 has one parent");
/// assert!(!allowed.permits(0, 2) && allowed.permits(1, 2) && !allowed.permits(2, 3));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// The one parent of a child.
    only: BTreeMap<usize, usize>,
    /// Pairs (child, parent).
    never: BTreeSet<(usize, usize)>,
}

impl Allowed {
    /// Forbids a tree edge.
    pub fn forbid(&mut self, parent: usize, child: usize) {
        self.never.insert((child, parent));
    }

    /// Requires a tree edge; false when the child has to have another parent already.
    pub fn require(&mut self, parent: usize, child: usize) -> bool {
        *self.only.entry(child).or_insert(parent) == parent
    }

    /// True when `parent` may be the parent of `child`.
    pub fn permits(&self, parent: usize, child: usize) -> bool {
        self.only.get(&child).is_none_or(|&only| only == parent) && !self.never.contains(&(child, parent))
    }

    /// True when every parent of a candidate is permitted.
    pub fn permits_all(&self, candidate: &ParentArray) -> bool {
        self.children().iter().all(|&child| self.permits(candidate.parent_of(child), child))
    }

    /// The vertices whose parents are not free.
    pub fn children(&self) -> BTreeSet<usize> {
        self.only.keys().copied().chain(self.never.iter().map(|&(child, _)| child)).collect()
    }

    /// True when nothing is required or forbidden.
    pub fn is_everything(&self) -> bool {
        self.only.is_empty() && self.never.is_empty()
    }
}

/// For each vertex those that are its parent in some solution, itself where it can be a root.
pub struct PossibleParents(Grouped<usize>);

impl PossibleParents {
    /// From pairs (child, parent) in which each vertex stands at least once as a child.
    pub(crate) fn new(n: usize, pairs: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        PossibleParents(Grouped::new(n, pairs))
    }

    /// The possible parents of a vertex.
    pub fn of(&self, vertex: usize) -> &[usize] {
        self.0.of(vertex)
    }
}

impl std::fmt::Debug for PossibleParents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PossibleParents")
    }
}
