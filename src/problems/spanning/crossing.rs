//! The edges that lead out of a growing tree, by weight.
//!
//! A weight has a list of edges. Where a graph has few different weights, the lists stand side by side, and words of bits, 64 below each bit of the words
//! above, tell which is the first that is not empty; otherwise they stand in an ordered map.

use crate::instance::{Graph, Weight};
use std::collections::BTreeMap;

/// A list of edges (from, to) for each weight.
pub(super) struct Crossing {
    least: Weight,
    lists: Lists,
}

enum Lists {
    Side { lists: Vec<Vec<(u32, u32)>>, filled: Filled },
    Map(BTreeMap<Weight, Vec<(u32, u32)>>),
}

impl Crossing {
    /// No edges; of all that a graph has.
    pub fn new(graph: &Graph) -> Self {
        let (least, most) = (graph.smallest_weight().unwrap_or(0), graph.largest_weight().unwrap_or(0));
        let range = most.checked_sub(least).and_then(|range| usize::try_from(range).ok());
        let lists = match range.filter(|&range| range <= graph.arc_count() / EDGES_A_LIST) {
            Some(range) => Lists::Side { lists: vec![vec![]; range + 1], filled: Filled::new(range + 1) },
            None => Lists::Map(BTreeMap::new()),
        };
        Crossing { least, lists }
    }

    /// Adds an edge of a weight that the graph has.
    #[inline]
    pub fn push(&mut self, weight: Weight, edge: (u32, u32)) {
        match &mut self.lists {
            Lists::Map(map) => map.entry(weight).or_default().push(edge),
            Lists::Side { lists, filled } => {
                let place = (weight - self.least) as usize;
                if lists[place].is_empty() {
                    filled.insert(place);
                }
                lists[place].push(edge);
            }
        }
    }

    /// The edges of the least weight that has some.
    #[inline]
    pub fn lightest(&mut self) -> Option<&mut Vec<(u32, u32)>> {
        match &mut self.lists {
            Lists::Map(map) => map.values_mut().next(),
            Lists::Side { lists, filled } => filled.first().map(|place| &mut lists[place]),
        }
    }

    /// Forgets the edges of the least weight.
    pub fn drop_lightest(&mut self) {
        match &mut self.lists {
            Lists::Map(map) => drop(map.pop_first()),
            Lists::Side { lists, filled } => {
                if let Some(place) = filled.first() {
                    lists[place].clear();
                    filled.remove(place);
                }
            }
        }
    }
}

/// Lists that a graph has at the most, as a share of its arcs: empty ones take memory, too.
const EDGES_A_LIST: usize = 16;

/// A set of numbers whose least is found at once.
pub(super) struct Filled(Vec<Vec<u64>>);

impl Filled {
    /// None of the numbers below `size`.
    pub fn new(size: usize) -> Self {
        let mut levels = vec![vec![0; size.div_ceil(64)]];
        while levels[levels.len() - 1].len() > 1 {
            levels.push(vec![0; levels[levels.len() - 1].len().div_ceil(64)]);
        }
        Filled(levels)
    }

    pub fn insert(&mut self, mut number: usize) {
        for level in &mut self.0 {
            level[number / 64] |= 1 << (number % 64);
            number /= 64;
        }
    }

    pub fn remove(&mut self, mut number: usize) {
        for level in &mut self.0 {
            level[number / 64] &= !(1 << (number % 64));
            if level[number / 64] != 0 {
                return;
            }
            number /= 64;
        }
    }

    #[inline]
    pub fn first(&self) -> Option<usize> {
        let mut place = 0;
        for level in self.0.iter().rev() {
            let word = level.get(place).filter(|&&word| word != 0)?;
            place = 64 * place + word.trailing_zeros() as usize;
        }
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Decimal;
    use crate::random::Rng;

    #[test]
    fn the_least_number_of_a_set_is_found() {
        for size in [1, 2, 63, 64, 65, 4096, 4097, 300_000] {
            let mut rng = Rng::stream(0, "filled", size as u64);
            let (mut filled, mut expected) = (Filled::new(size), std::collections::BTreeSet::new());
            for _ in 0..2_000 {
                let number = rng.below(size);
                match rng.below(3) {
                    0 => (filled.remove(number), expected.remove(&number)).1,
                    1 => (filled.insert(number), expected.insert(number)).1,
                    _ => filled.first().is_none_or(|first| (filled.remove(first), expected.remove(&first)).1),
                };
                assert_eq!(filled.first(), expected.first().copied());
            }
        }
    }

    #[test]
    fn lists_side_by_side_are_the_lists_of_a_map() {
        let weights = [-3, -3, 5, 0, 5, 2];
        let edges = (0..200).map(|vertex| (vertex, vertex + 1, Decimal::whole(weights[vertex % 6])));
        let graph = Graph::weighted_undirected(201, edges).unwrap();
        let mut side = Crossing::new(&graph);
        assert!(matches!(side.lists, Lists::Side { .. }));
        let mut map = Crossing { least: side.least, lists: Lists::Map(BTreeMap::new()) };
        let mut rng = Rng::stream(0, "crossing", 0);
        for index in 0..3_000 {
            match rng.below(3) {
                0 => [&mut side, &mut map].into_iter().for_each(|lists| {
                    let left = lists.lightest().map_or(0, |edges| edges.len());
                    lists.lightest().into_iter().for_each(|edges| edges.truncate(left - 1));
                    if lists.lightest().is_some_and(|edges| edges.is_empty()) {
                        lists.drop_lightest();
                    }
                }),
                _ => {
                    let weight = Weight::from(weights[rng.below(6)]);
                    [&mut side, &mut map].into_iter().for_each(|lists| lists.push(weight, (index, index + 1)));
                }
            }
            assert_eq!(side.lightest(), map.lightest());
        }
    }
}
