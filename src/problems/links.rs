//! The edges of a tree, or of a forest, at their ends: those of each vertex next to each other.
//!
//! Who asks for the edge from each vertex's parent in the order of the vertices asks all over the graph, and waits for memory each time. In the order of
//! the parents the answers stand one after the other, and who walks away from the root later finds all that a vertex leads to in one place.
//! Links are dealt to parts of neighbouring vertices first, so that sorting them does not wait either.

use std::ops::{BitXor, Not};

/// As many parts of the vertices as can be written to at once without missing the cache each time.
const MAX_PARTS: usize = 1 << 12;
/// The fewest vertices of a part: their counts stay in the nearest cache.
const PART_BITS: u32 = 10;
/// Vertices whose links are asked for at once: about as many questions as memory answers at a time.
const AT_ONCE: usize = 32;

/// A whole number in few bytes: what is smaller is nearer to the processor. The largest one stands for "more than any".
pub(super) trait Word:
    Copy + Default + Ord + Not<Output = Self> + BitXor<Output = Self> + Into<u64> + TryFrom<u64>
{
    /// Larger than all that is meant.
    fn most() -> Self {
        !Self::default()
    }
}

impl<T> Word for T where T: Copy + Default + Ord + Not<Output = Self> + BitXor<Output = Self> + Into<u64> + TryFrom<u64> {}

/// For each vertex, where its links lead, with what is known of each.
pub(super) struct Links<L> {
    first: Vec<u32>,
    ends: Vec<(u32, L)>,
}

impl<L: Copy> Links<L> {
    /// From parents to children, with what `known(parent, child)` says; `None` where it does. A root is its own parent.
    pub fn to_children(
        n: usize,
        parent_of: impl Fn(usize) -> usize,
        known: impl Fn(usize, usize) -> Option<L>,
    ) -> Option<Self> {
        let pairs = (0..n).map(|child| (parent_of(child) as u32, child as u32));
        let dealt = Dealt::new(n, pairs, |(parent, child)| parent != child);
        let (first, pairs) = dealt.sorted(|pair| pair);
        let end = |(parent, child): (u32, u32)| Some((child, known(parent as usize, child as usize)?));
        Some(Links { first, ends: pairs.into_iter().map(end).collect::<Option<_>>()? })
    }

    /// The number of links.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The number of vertices.
    pub fn n(&self) -> usize {
        self.first.len() - 1
    }

    /// The root and all that links lead to from it, with the values that `step` makes of the value before and the link.
    /// `None` where `step` says so, and where more is found than there are vertices: then there is a circle.
    pub fn walk<V: Copy>(&self, root: u32, value: V, step: impl Fn(V, L) -> Option<V>) -> Option<Vec<(u32, V)>> {
        let mut found = Vec::with_capacity(self.ends.len() + 1);
        found.push((root, value));
        let mut next = 0;
        while next < found.len() {
            let mut families = [(0, 0, value); AT_ONCE];
            let waiting = &found[next..found.len().min(next + AT_ONCE)];
            // A loop that does nothing else waits for all of these places at a time.
            for (family, &(vertex, before)) in families.iter_mut().zip(waiting) {
                *family = (self.first[vertex as usize], self.first[vertex as usize + 1], before);
            }
            let count = waiting.len();
            for &(start, end, before) in &families[..count] {
                for &(vertex, link) in &self.ends[start as usize..end as usize] {
                    found.push((vertex, step(before, link)?));
                }
                if found.len() > self.n() {
                    return None;
                }
            }
            next += count;
        }
        Some(found)
    }
}

/// Items with the vertex that each belongs to, dealt to parts of the vertices.
struct Dealt<T> {
    n: usize,
    /// As many bits number the vertices of a part.
    shift: u32,
    /// Where each part begins, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<(u32, T)>,
}

impl<T: Copy + Default> Dealt<T> {
    /// Those of them that are wanted, at most 2^32 - 1.
    fn new(n: usize, items: impl Iterator<Item = (u32, T)> + Clone, is_wanted: impl Fn((u32, T)) -> bool) -> Self {
        let shift = (PART_BITS..usize::BITS).find(|&shift| n >> shift < MAX_PARTS).unwrap_or(PART_BITS);
        let part = |vertex: u32| vertex as usize >> shift;
        let mut starts = vec![0; n.div_ceil(1 << shift) + 1];
        items.clone().for_each(|item| starts[part(item.0) + 1] += u32::from(is_wanted(item)));
        (1..starts.len()).for_each(|part| starts[part] += starts[part - 1]);
        let count = starts[starts.len() - 1] as usize;
        // All are written, the others to one place more than there are: which ones they are, a processor would often guess wrong.
        let (mut next, mut dealt) = (starts.clone(), vec![(0, T::default()); count + 1]);
        items.for_each(|item| {
            let (place, is_wanted) = (&mut next[part(item.0)], is_wanted(item));
            dealt[if is_wanted { *place as usize } else { count }] = item;
            *place += u32::from(is_wanted);
        });
        Dealt { n, shift, starts, items: dealt }
    }

    /// Where the items of each vertex begin, and what `kept` leaves of them, vertex by vertex.
    fn sorted<U: Copy + Default>(self, kept: impl Fn((u32, T)) -> U) -> (Vec<u32>, Vec<U>) {
        let count = self.items.len() - 1;
        let (mut first, mut sorted) = (Vec::with_capacity(self.n + 1), vec![U::default(); count]);
        let mut next = vec![0; 1 << self.shift];
        for (part, ends) in self.starts.windows(2).enumerate() {
            let (low, own) = (part << self.shift, &self.items[ends[0] as usize..ends[1] as usize]);
            let next = &mut next[..(self.n - low).min(1 << self.shift)];
            next.fill(0);
            own.iter().for_each(|&(vertex, _)| next[vertex as usize - low] += 1);
            let mut start = ends[0];
            for count in &mut *next {
                first.push(start);
                start += std::mem::replace(count, start);
            }
            for &item in own {
                let place = &mut next[item.0 as usize - low];
                sorted[*place as usize] = kept(item);
                *place += 1;
            }
        }
        first.push(count as u32);
        (first, sorted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn links_stand_by_their_vertices() {
        let mut rng = Rng::stream(0, "links", 0);
        for n in [0, 1, 2, 7, 1023, 1024, 1025, 5000] {
            for most in [1, 3, n.max(1)] {
                let items: Vec<(u32, usize)> = (0..n).map(|item| (rng.below(most.min(n)) as u32, item)).collect();
                let is_wanted = |(vertex, item): (u32, usize)| vertex as usize != item % 7;
                let (first, sorted) = Dealt::new(n, items.iter().copied(), is_wanted).sorted(|(_, item)| item);
                let mut expected: Vec<(u32, usize)> = items.into_iter().filter(|&item| is_wanted(item)).collect();
                expected.sort_unstable();
                assert_eq!(sorted, expected.iter().map(|&(_, item)| item).collect::<Vec<_>>());
                let before = |vertex| expected.iter().filter(|&&(owner, _)| owner < vertex).count() as u32;
                assert_eq!(first, (0..=n as u32).map(before).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_walk_finds_each_vertex_once_and_circles_end() {
        let below = |parents: [usize; 5], root| {
            let links =
                Links::to_children(5, |child| parents[child], |parent, child| Some((10 * parent + child) as u32));
            links.unwrap().walk(root, 0, |before: u32, link| before.checked_add(link))
        };
        assert_eq!(below([0, 0, 1, 0, 3], 0).unwrap(), [(0, 0), (1, 1), (3, 3), (2, 13), (4, 37)]);
        assert_eq!(below([0, 0, 1, 0, 3], 1).unwrap(), [(1, 0), (2, 12)]);
        assert_eq!(below([0, 0, 4, 2, 3], 3), None);
    }

    #[test]
    fn what_is_not_known_ends_it() {
        let known = |parent, child| (parent + child < 3).then_some(());
        assert!(Links::to_children(3, |child: usize| child.saturating_sub(1), known).is_none());
    }
}
