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
    n: usize,
    sorted: Vec<Arc<T>>,
}

/// As many parts of the vertices as can be written to at once without missing the cache each time.
const MAX_PARTS: usize = 1 << 12;
/// Fewer arcs are not worth waking other threads.
const MANY_ARCS: usize = 100_000;

impl<T: Copy + Send> SortedArcs<T> {
    /// Deals the arcs to parts by the first bits of their tails, then sorts each part, which is small, by itself.
    pub fn new(n: usize, arcs: impl Iterator<Item = Arc<T>> + Clone) -> Self {
        let Some(any) = arcs.clone().next() else { return SortedArcs { n, sorted: vec![] } };
        let shift = (0..usize::BITS).find(|&shift| n >> shift < MAX_PARTS).unwrap_or(0);
        let mut next = vec![0; (n >> shift) + 2];
        arcs.clone().for_each(|(tail, ..)| next[(tail as usize >> shift) + 1] += 1);
        (1..next.len()).for_each(|part| next[part] += next[part - 1]);
        let mut sorted = vec![any; next[next.len() - 1]];
        for arc in arcs {
            let place = &mut next[arc.0 as usize >> shift];
            sorted[*place] = arc;
            *place += 1;
        }
        // By now `next` says where each part ends.
        let mut rest = &mut sorted[..];
        let mut parts = Vec::with_capacity(next.len());
        let mut begin = 0;
        for &end in &next[..next.len() - 1] {
            let (part, after) = rest.split_at_mut(end - begin);
            (rest, begin) = (after, end);
            parts.push(part);
        }
        let sort = |part: &mut [Arc<T>]| part.sort_by_key(|&(tail, head, _)| u64::from(tail) << 32 | u64::from(head));
        match begin < MANY_ARCS {
            true => parts.into_iter().for_each(sort),
            false => parts.into_par_iter().for_each(sort),
        }
        SortedArcs { n, sorted }
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Arc<T>> {
        self.sorted.iter()
    }

    /// Two arcs with the same ends.
    pub fn first_duplicate(&self) -> Option<(Arc<T>, Arc<T>)> {
        let twice = |pair: &&[Arc<T>]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
        self.sorted.windows(2).find(twice).map(|pair| (pair[0], pair[1]))
    }

    /// Where the arcs of each vertex begin, and where the last ones end.
    pub fn first_arcs(&self) -> Vec<usize> {
        let mut first = vec![0; self.n + 1];
        self.sorted.iter().for_each(|&(tail, ..)| first[tail as usize + 1] += 1);
        (0..self.n).for_each(|vertex| first[vertex + 1] += first[vertex]);
        first
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
            let mut expected = arcs;
            expected.sort_by_key(|&(tail, head, _)| (tail, head));
            assert_eq!(sorted.sorted, expected);
            let first = sorted.first_arcs();
            assert!((0..n).all(|tail| expected[first[tail]..first[tail + 1]].iter().all(|arc| arc.0 as usize == tail)));
            assert_eq!(first[n], count);
        }
    }
}
