//! Which tree edges all solutions share, and which vary.

use super::{Count, Solution};
use crate::problems::{Allowed, Space};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Tree edges as (parent, child), ascending by child.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeUse {
    /// The edges in every solution.
    pub shared: Vec<(usize, usize)>,
    /// The edges in some solutions but not in all.
    pub varying: Vec<(usize, usize)>,
    /// Which solutions are meant.
    pub basis: Basis,
}

/// Which solutions a statement is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// Every solution that meets the demands: an exact statement.
    #[default]
    Every,
    /// Only those that were found.
    Found,
}

/// In closed form where the problem has one, otherwise over the solutions found (which may be all there are).
pub(super) fn edge_use(space: &dyn Space, alternatives: &[Allowed], found: &[Solution], count: &Count) -> EdgeUse {
    if let [allowed] = alternatives
        && let Ok(possible) = space.possible(allowed)
    {
        let mut edges = EdgeUse::default();
        for child in 0..possible.slots() {
            let parents = possible.of(child);
            let list = if parents.len() == 1 { &mut edges.shared } else { &mut edges.varying };
            list.extend(parents.iter().filter(|&&parent| parent != child).map(|&parent| (parent, child)));
        }
        return edges;
    }
    let mut times: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (parent, child) in found.iter().flat_map(|solution| solution.candidate.parents().edges()) {
        *times.entry((child, parent)).or_default() += 1;
    }
    let (shared, varying) = times.into_iter().partition::<Vec<_>, _>(|&(_, times)| times == found.len());
    let plain =
        |list: Vec<((usize, usize), usize)>| list.into_iter().map(|((child, parent), _)| (parent, child)).collect();
    let is_every = count.exactly() == Some(&BigUint::from(found.len()));
    let basis = if is_every { Basis::Every } else { Basis::Found };
    EdgeUse { shared: plain(shared), varying: plain(varying), basis }
}
