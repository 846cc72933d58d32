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

    pub fn largest(&self) -> Option<Weight> {
        match self {
            Weights::Narrow(weights) => weights.iter().max().map(|&weight| Weight::from(weight)),
            Weights::Wide(weights) => weights.iter().max().copied(),
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
}

/// As many parts of the vertices as can be written to at once without missing the cache each time.
const MAX_PARTS: usize = 1 << 12;
/// Fewer arcs are not worth waking other threads.
const MANY_ARCS: usize = 100_000;
/// As many parts are the least that a thread sorts.
const PARTS_AT_ONCE: usize = 16;

impl<T: Copy + Send + Sync> SortedArcs<T> {
    /// Few arcs go straight to their tails. Many are dealt to parts by the first bits of their tails, and then each part, which is
    /// small, is sorted by itself.
    pub fn new(n: usize, arcs: impl Iterator<Item = Arc<T>> + Clone) -> Self {
        let mut first = vec![0; n + 1];
        arcs.clone().for_each(|(tail, ..)| first[tail as usize + 1] += 1);
        (0..n).for_each(|vertex| first[vertex + 1] += first[vertex]);
        let Some((.., any)) = arcs.clone().next() else { return SortedArcs { first, heads: vec![], labels: vec![] } };
        if first[n] < MANY_ARCS {
            return SortedArcs::of_few(first, arcs, any);
        }
        let shift = (0..usize::BITS).find(|&shift| n >> shift < MAX_PARTS).unwrap_or(0);
        let mut next: Vec<usize> = first.iter().copied().step_by(1 << shift).collect();
        let mut dealt = vec![(0, 0, any); first[n]];
        arcs.for_each(|arc| {
            let place = &mut next[arc.0 as usize >> shift];
            dealt[*place] = arc;
            *place += 1;
        });
        let mut arcs = SortedArcs { first, heads: vec![0; dealt.len()], labels: vec![any; dealt.len()] };
        arcs.sort_parts(&dealt, 1 << shift);
        arcs
    }

    fn of_few(first: Vec<usize>, arcs: impl Iterator<Item = Arc<T>>, any: T) -> Self {
        let count = first.last().copied().unwrap_or(0);
        let (mut heads, mut labels, mut next) = (vec![0; count], vec![any; count], first.clone());
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
        SortedArcs { first, heads, labels }
    }

    /// Sorts arcs that have been dealt to parts of so many vertices.
    fn sort_parts(&mut self, dealt: &[Arc<T>], size: usize) {
        let n = self.first.len() - 1;
        let mut parts = Vec::with_capacity(n / size + 1);
        let mut rest = (dealt, &mut self.heads[..], &mut self.labels[..]);
        for low in (0..n).step_by(size) {
            let first = &self.first[low..=(low + size).min(n)];
            let length = first[first.len() - 1] - first[0];
            let (dealt, later) = rest.0.split_at(length);
            let (heads, later_heads) = rest.1.split_at_mut(length);
            let (labels, later_labels) = rest.2.split_at_mut(length);
            rest = (later, later_heads, later_labels);
            parts.push(Part { low, first, dealt, heads, labels });
        }
        parts.into_par_iter().with_min_len(PARTS_AT_ONCE).for_each(Part::sort);
    }

    /// Two arcs with the same ends: tail, head and both labels.
    pub fn first_duplicate(&self) -> Option<(usize, usize, T, T)> {
        (0..self.first.len() - 1).find_map(|tail| {
            let own = self.first[tail]..self.first[tail + 1];
            let twice = own.start + self.heads[own].windows(2).position(|pair| pair[0] == pair[1])?;
            Some((tail, self.heads[twice] as usize, self.labels[twice], self.labels[twice + 1]))
        })
    }

    /// All arcs, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, T)> + '_ {
        let tails = (0..self.first.len() - 1)
            .flat_map(|tail| (self.first[tail]..self.first[tail + 1]).map(move |arc| (tail, arc)));
        tails.map(|(tail, arc)| (tail, self.heads[arc] as usize, self.labels[arc]))
    }
}

/// The arcs of some vertices, which follow each other.
struct Part<'a, T> {
    /// The first of the vertices.
    low: usize,
    /// Where the arcs of each begin, and where the last ones end.
    first: &'a [usize],
    dealt: &'a [Arc<T>],
    heads: &'a mut [u32],
    labels: &'a mut [T],
}

impl<T: Copy> Part<'_, T> {
    /// Puts the arcs of each vertex together, in their order, and then sorts those, which are few, by their heads.
    fn sort(self) {
        let Some(&(.., any)) = self.dealt.first() else { return };
        let places: Vec<usize> = self.first.iter().map(|first| first - self.first[0]).collect();
        let (mut next, mut sorted) = (places.clone(), vec![(0, any); self.dealt.len()]);
        for &(tail, head, label) in self.dealt {
            let place = &mut next[tail as usize - self.low];
            sorted[*place] = (head, label);
            *place += 1;
        }
        places.windows(2).for_each(|own| sorted[own[0]..own[1]].sort_by_key(|&(head, _)| head));
        for (arc, (head, label)) in sorted.into_iter().enumerate() {
            (self.heads[arc], self.labels[arc]) = (head, label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn arcs_come_back_sorted_and_equal_ones_in_their_order() {
        let mut rng = Rng::stream(0, "sorted arcs", 0);
        for (n, count) in [(1, 5), (40, 300), (10_000, 20_000), (70_000, 2 * MANY_ARCS)] {
            let arcs: Vec<Arc<usize>> =
                (0..count).map(|label| (rng.below(n) as u32, rng.below(n.min(300)) as u32, label)).collect();
            let sorted = SortedArcs::new(n, arcs.iter().copied());
            let mut expected: Vec<(usize, usize, usize)> =
                arcs.into_iter().map(|(tail, head, label)| (tail as usize, head as usize, label)).collect();
            expected.sort_by_key(|&(tail, head, _)| (tail, head));
            assert_eq!(sorted.iter().collect::<Vec<_>>(), expected);
            let twice = expected.windows(2).find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
            assert_eq!(sorted.first_duplicate(), twice.map(|pair| (pair[0].0, pair[0].1, pair[0].2, pair[1].2)));
        }
    }
}
