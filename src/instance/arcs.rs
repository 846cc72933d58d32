//! What a graph is made of: its arcs in order, and their weights.

use rayon::prelude::*;

/// A weight or a path length: a whole number of units of `10^-decimals`.
pub type Weight = i128;

/// The weight of each arc, in 8 bytes where all of them fit: searches mostly wait for memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Weights {
    Narrow(Vec<i64>),
    Wide(Vec<Weight>),
}

impl Weights {
    pub fn new(weights: Vec<Weight>) -> Self {
        match weights.iter().map(|&weight| i64::try_from(weight)).collect() {
            Ok(narrow) => Weights::Narrow(narrow),
            Err(_) => Weights::Wide(weights),
        }
    }

    #[inline]
    pub fn of(&self, arc: usize) -> Weight {
        match self {
            Weights::Narrow(weights) => Weight::from(weights[arc]),
            Weights::Wide(weights) => weights[arc],
        }
    }

    pub fn has_negative(&self) -> bool {
        match self {
            Weights::Narrow(weights) => weights.iter().any(|&weight| weight < 0),
            Weights::Wide(weights) => weights.iter().any(|&weight| weight < 0),
        }
    }

    /// The bits that the largest one has; `None` where one is negative or takes more than 8 bytes.
    pub fn bits(&self) -> Option<u32> {
        match self {
            // All bits at once, which takes the processor fewer steps than the largest.
            Weights::Narrow(weights) => Some(weights.iter().fold(0, |all, &weight| all | weight)),
            Weights::Wide(_) => None,
        }
        .filter(|&all| all >= 0)
        .map(|all| i64::BITS - all.leading_zeros())
    }

    pub fn largest(&self) -> Option<Weight> {
        match self {
            Weights::Narrow(weights) => weights.iter().max().map(|&weight| Weight::from(weight)),
            Weights::Wide(weights) => weights.iter().max().copied(),
        }
    }

    pub fn smallest(&self) -> Option<Weight> {
        match self {
            Weights::Narrow(weights) => weights.iter().min().map(|&weight| Weight::from(weight)),
            Weights::Wide(weights) => weights.iter().min().copied(),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Weights::Narrow(weights) => weights.len(),
            Weights::Wide(weights) => weights.len(),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Weight> + '_ {
        (0..self.len()).map(|arc| self.of(arc))
    }
}

/// From, to, and what else belongs to it.
pub(super) type Arc<T> = (u32, u32, T);

/// Arcs sorted by tail and head; those that are equal keep their order.
pub(super) struct SortedArcs<T> {
    /// Where the arcs of each vertex begin, and where the last ones end.
    pub first: Vec<usize>,
    pub heads: Vec<u32>,
    pub labels: Vec<T>,
    /// True when no two arcs have the same ends.
    pub is_simple: bool,
}

/// As many parts of the vertices as can be written to at once without missing the cache each time.
const MAX_PARTS: usize = 1 << 12;
/// Fewer arcs are not worth waking other threads.
const MANY_ARCS: usize = 100_000;
/// As many parts are the least that a thread sorts.
const PARTS_AT_ONCE: usize = 16;
/// As many edges, and so many or twice as many arcs, are a slab.
pub(super) const SLAB: usize = 1 << 18;

impl<T: Copy + Default + Send + Sync> SortedArcs<T> {
    /// Few arcs go straight to their tails. Many, which come in slabs, are dealt to parts by the first bits of their tails, and then each part, which is
    /// small, is sorted by itself.
    pub fn new(n: usize, slabs: Vec<impl Iterator<Item = Arc<T>> + Clone + Send>) -> Self {
        let is_few = slabs.len() < 2 && slabs.iter().cloned().flatten().count() < MANY_ARCS;
        if is_few {
            return SortedArcs::of_few(n, slabs.into_iter().flatten());
        }
        let shift = (0..usize::BITS).find(|&shift| n >> shift < MAX_PARTS).unwrap_or(0);
        let parts = n.div_ceil(1 << shift);
        let slabs: Vec<Slab<T>> = slabs.into_par_iter().map(|arcs| Slab::deal(arcs, parts, shift)).collect();
        let count = slabs.iter().map(|slab| slab.arcs.len()).sum();
        let (first, heads, labels) = (vec![0; n + 1], vec![0; count], vec![T::default(); count]);
        let mut arcs = SortedArcs { first, heads, labels, is_simple: true };
        arcs.is_simple = arcs.sort_parts(&slabs, 1 << shift);
        arcs
    }

    fn of_few(n: usize, arcs: impl Iterator<Item = Arc<T>> + Clone) -> Self {
        let mut first = vec![0; n + 1];
        arcs.clone().for_each(|(tail, ..)| first[tail as usize + 1] += 1);
        (0..n).for_each(|vertex| first[vertex + 1] += first[vertex]);
        let (mut heads, mut labels, mut next) = (vec![0; first[n]], vec![T::default(); first[n]], first.clone());
        for (tail, head, label) in arcs {
            let place = &mut next[tail as usize];
            (heads[*place], labels[*place]) = (head, label);
            *place += 1;
        }
        for own in first.windows(2).map(|ends| ends[0]..ends[1]) {
            let (heads, labels) = (&mut heads[own.clone()], &mut labels[own]);
            if !heads.is_sorted() {
                let mut sorted: Vec<(u32, T)> = heads.iter().copied().zip(labels.iter().copied()).collect();
                sorted.sort_by_key(|&(head, _)| head);
                let places = heads.iter_mut().zip(labels);
                places.zip(sorted).for_each(|((head, label), sorted)| (*head, *label) = sorted);
            }
        }
        let mut arcs = SortedArcs { first, heads, labels, is_simple: true };
        arcs.is_simple = arcs.first_duplicate().is_none();
        arcs
    }

    /// Sorts arcs that have been dealt to parts of so many vertices; true when no two have the same ends.
    fn sort_parts(&mut self, slabs: &[Slab<T>], size: usize) -> bool {
        let n = self.first.len() - 1;
        self.first[n] = self.heads.len();
        let mut parts = Vec::with_capacity(n / size + 1);
        let (mut start, mut rest) = (0, (&mut self.heads[..], &mut self.labels[..]));
        for (place, first) in self.first[..n].chunks_mut(size).enumerate() {
            let length = slabs.iter().map(|slab| slab.of(place).len()).sum();
            let (heads, later_heads) = rest.0.split_at_mut(length);
            let (labels, later_labels) = rest.1.split_at_mut(length);
            rest = (later_heads, later_labels);
            parts.push(Part { place, low: place * size, start, first, heads, labels });
            start += length;
        }
        let parts = parts.into_par_iter().with_min_len(PARTS_AT_ONCE);
        parts
            .map_init(Scratch::default, |scratch, part| part.sort(slabs, scratch))
            .reduce(|| true, |one, two| one && two)
    }

    /// Two arcs with the same ends: tail, head and both labels.
    pub fn first_duplicate(&self) -> Option<(usize, usize, T, T)> {
        let twice = |tail: usize| {
            let own = self.first[tail]..self.first[tail + 1];
            let twice = own.start + self.heads[own].windows(2).position(|pair| pair[0] == pair[1])?;
            Some((tail, self.heads[twice] as usize, self.labels[twice], self.labels[twice + 1]))
        };
        (0..self.first.len() - 1).find_map(twice)
    }

    /// All arcs, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, T)> + '_ {
        let tails = (0..self.first.len() - 1)
            .flat_map(|tail| (self.first[tail]..self.first[tail + 1]).map(move |arc| (tail, arc)));
        tails.map(|(tail, arc)| (tail, self.heads[arc] as usize, self.labels[arc]))
    }
}

/// Some of the arcs, dealt to parts of the vertices.
struct Slab<T> {
    /// Where each part begins, and where the last one ends.
    starts: Vec<usize>,
    arcs: Vec<Arc<T>>,
}

impl<T: Copy + Default> Slab<T> {
    fn deal(arcs: impl Iterator<Item = Arc<T>> + Clone, parts: usize, shift: u32) -> Self {
        let mut starts = vec![0; parts + 1];
        arcs.clone().for_each(|(tail, ..)| starts[(tail as usize >> shift) + 1] += 1);
        (0..parts).for_each(|part| starts[part + 1] += starts[part]);
        let (mut next, mut dealt) = (starts.clone(), vec![(0, 0, T::default()); starts[parts]]);
        arcs.for_each(|arc| {
            let place = &mut next[arc.0 as usize >> shift];
            dealt[*place] = arc;
            *place += 1;
        });
        Slab { starts, arcs: dealt }
    }

    fn of(&self, part: usize) -> &[Arc<T>] {
        &self.arcs[self.starts[part]..self.starts[part + 1]]
    }
}

/// The arcs of some vertices, which follow each other.
struct Part<'a, T> {
    /// Which part it is, and the first of its vertices.
    place: usize,
    low: usize,
    /// Where its arcs begin among all, and where those of each vertex do.
    start: usize,
    first: &'a mut [usize],
    heads: &'a mut [u32],
    labels: &'a mut [T],
}

/// Memory that is used again for each part.
#[derive(Default)]
struct Scratch<T> {
    next: Vec<usize>,
    /// A head, and the place of its label among `labels`: sorted as one number.
    keys: Vec<u64>,
    labels: Vec<T>,
}

impl<T: Copy + Default> Part<'_, T> {
    /// Puts the arcs of each vertex together and then sorts those, which are few, by their heads; true when none has the same as another.
    fn sort(self, slabs: &[Slab<T>], Scratch { next, keys, labels }: &mut Scratch<T>) -> bool {
        let arcs = || slabs.iter().flat_map(|slab| slab.of(self.place));
        next.clear();
        next.resize(self.first.len() + 1, 0);
        arcs().for_each(|&(tail, ..)| next[tail as usize - self.low + 1] += 1);
        (0..self.first.len()).for_each(|vertex| next[vertex + 1] += next[vertex]);
        self.first.iter_mut().zip(&*next).for_each(|(first, own)| *first = self.start + own);
        keys.clear();
        keys.resize(self.heads.len(), 0);
        labels.clear();
        for &(tail, head, label) in arcs() {
            let place = &mut next[tail as usize - self.low];
            keys[*place] = u64::from(head) << 32 | labels.len() as u64;
            labels.push(label);
            *place += 1;
        }
        let (mut is_simple, mut start) = (true, 0);
        // Now the arcs of each vertex end where the next one's began.
        for &end in &next[..self.first.len()] {
            let own = &mut keys[start..end];
            own.sort_unstable();
            is_simple &= own.windows(2).all(|pair| pair[0] >> 32 != pair[1] >> 32);
            start = end;
        }
        for ((&key, head), label) in keys.iter().zip(self.heads).zip(self.labels) {
            (*head, *label) = ((key >> 32) as u32, labels[key as u32 as usize]);
        }
        is_simple
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn arcs_come_back_sorted_and_equal_ones_in_their_order() {
        let mut rng = Rng::stream(0, "sorted arcs", 0);
        for (n, count) in [(1, 5), (2, 1), (40, 300), (10_000, 20_000), (4096, 10), (70_000, 2 * MANY_ARCS)] {
            let arcs: Vec<Arc<usize>> =
                (0..count).map(|label| (rng.below(n) as u32, rng.below(n.min(300)) as u32, label)).collect();
            let sorted = SortedArcs::new(n, arcs.chunks(count.div_ceil(3)).map(|slab| slab.iter().copied()).collect());
            let one = SortedArcs::new(n, vec![arcs.iter().copied()]);
            assert!(
                (one.first, one.heads, one.labels)
                    == (sorted.first.clone(), sorted.heads.clone(), sorted.labels.clone())
            );
            let mut expected: Vec<(usize, usize, usize)> =
                arcs.into_iter().map(|(tail, head, label)| (tail as usize, head as usize, label)).collect();
            expected.sort_by_key(|&(tail, head, _)| (tail, head));
            assert_eq!(sorted.iter().collect::<Vec<_>>(), expected);
            let twice = expected.windows(2).find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
            assert_eq!(sorted.is_simple, twice.is_none());
            assert_eq!(sorted.first_duplicate(), twice.map(|pair| (pair[0].0, pair[0].1, pair[0].2, pair[1].2)));
        }
    }
}
