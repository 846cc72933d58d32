//! The edges of a tree, or of a forest, at their ends: those of each vertex next to each other.
//!
//! Who asks for the edge from each vertex's parent in the order of the vertices asks all over the graph, and waits for memory each time. In the order of
//! the parents the answers stand one after the other, and who walks away from the root later finds all that a vertex leads to in one place.
//! Links are dealt to parts of neighbouring vertices first, so that sorting them does not wait either.

use std::ops::Not;

/// As many parts of the vertices as can be written to at once without missing the cache each time.
const MAX_PARTS: usize = 1 << 12;
/// The fewest vertices of a part: their counts stay in the nearest cache.
const PART_BITS: u32 = 10;
/// Vertices whose links are asked for at once: about as many questions as memory answers at a time.
const AT_ONCE: usize = 32;

/// A whole number in few bytes: what is smaller is nearer to the processor. The largest one stands for "more than any".
pub(super) trait Word: Copy + Default + Ord + Not<Output = Self> + Into<u64> + TryFrom<u64> {
    /// Larger than all that is meant.
    fn most() -> Self {
        !Self::default()
    }
}

impl<T: Copy + Default + Ord + Not<Output = Self> + Into<u64> + TryFrom<u64>> Word for T {}

/// For each vertex, where its links lead, with what is known of each.
pub(super) struct Links<L> {
    first: Vec<u32>,
    ends: Vec<(u32, L)>,
}

/// A vertex on a walk.
#[derive(Clone, Copy)]
pub(super) struct Found<V> {
    pub vertex: u32,
    /// The place of the vertex from which it was found; its own for the root.
    pub up: u32,
    pub value: V,
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

    /// From either end of each edge to the other; `None` where edges are too many for a forest.
    pub fn both_ways(n: usize, edges: Vec<(u32, u32, L)>) -> Option<Self>
    where
        L: Default,
    {
        if edges.len() >= n.max(1) || u32::try_from(2 * edges.len()).is_err() {
            return None;
        }
        let either = edges.iter().flat_map(|&(one, other, known)| [(one, (other, known)), (other, (one, known))]);
        let dealt = Dealt::new(n, either, |_| true);
        drop(edges);
        let (first, ends) = dealt.sorted(|(_, end)| end);
        Some(Links { first, ends })
    }

    /// The number of links.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The number of vertices.
    pub fn n(&self) -> usize {
        self.first.len() - 1
    }

    /// Appends the root and all that links lead to from it, nothing before that from which it was found, with the values that `step` makes of that one's value and the
    /// link. Nothing goes back where it came from. `None` where `step` says so, and where more is found than there are vertices: then there is a circle.
    pub fn walk<V: Copy>(
        &self,
        found: &mut Vec<Found<V>>,
        root: u32,
        value: V,
        step: impl Fn(V, L) -> Option<V>,
    ) -> Option<()> {
        /// No vertex.
        const NOBODY: u32 = u32::MAX;
        let mut next = found.len();
        found.push(Found { vertex: root, up: next as u32, value });
        while next < found.len() {
            let mut families = [(0, 0, NOBODY, value); AT_ONCE];
            let waiting = &found[next..found.len().min(next + AT_ONCE)];
            // A loop that does nothing else waits for all of these places at a time.
            for ((family, from), place) in families.iter_mut().zip(waiting).zip(next..) {
                let before = if from.up as usize == place { NOBODY } else { found[from.up as usize].vertex };
                let vertex = from.vertex as usize;
                *family = (self.first[vertex], self.first[vertex + 1], before, from.value);
            }
            let count = waiting.len();
            for (&(start, end, before, value), up) in families[..count].iter().zip(next as u32..) {
                for &(vertex, link) in &self.ends[start as usize..end as usize] {
                    found.push(Found { vertex, up, value: step(value, link)? });
                    // Not asked first: a processor would often guess wrong.
                    found.truncate(found.len() - usize::from(vertex == before));
                }
                if found.len() > self.n() {
                    return None;
                }
            }
            next += count;
        }
        Some(())
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

    /// Vertices with their places' vertices and values.
    fn walked(links: &Links<u32>, root: u32) -> Option<Vec<(u32, u32, u32)>> {
        let mut found = vec![];
        links.walk(&mut found, root, 0u32, |before, link| before.checked_add(link))?;
        Some(found.iter().map(|at| (at.vertex, found[at.up as usize].vertex, at.value)).collect())
    }

    #[test]
    fn a_walk_finds_each_vertex_once_and_circles_end() {
        let below = |parents: [usize; 5], root| {
            let links =
                Links::to_children(5, |child| parents[child], |parent, child| Some((10 * parent + child) as u32));
            walked(&links.unwrap(), root)
        };
        assert_eq!(below([0, 0, 1, 0, 3], 0).unwrap(), [(0, 0, 0), (1, 0, 1), (3, 0, 3), (2, 1, 13), (4, 3, 37)]);
        assert_eq!(below([0, 0, 1, 0, 3], 1).unwrap(), [(1, 1, 0), (2, 1, 12)]);
        assert_eq!(below([0, 0, 4, 2, 3], 3), None);

        let both_ways = |edges: &[(u32, u32, u32)]| Links::both_ways(4, edges.to_vec());
        let tree = both_ways(&[(0, 1, 1), (1, 2, 2), (1, 3, 3)]).unwrap();
        assert_eq!(walked(&tree, 2).unwrap(), [(2, 2, 0), (1, 2, 2), (0, 1, 3), (3, 1, 5)]);
        assert_eq!(walked(&both_ways(&[(0, 1, 1), (1, 2, 1), (2, 0, 1)]).unwrap(), 0), None);
        assert!(both_ways(&[(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1)]).is_none());
    }

    #[test]
    fn what_is_not_known_ends_it() {
        let known = |parent, child| (parent + child < 3).then_some(());
        assert!(Links::to_children(3, |child: usize| child.saturating_sub(1), known).is_none());
    }
}
