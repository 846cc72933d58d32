//! Edges from the lightest on, in classes of equal weight.

use crate::problems::grouped::Grouped;

/// The edges of a graph by their weight.
///
/// The ends of each edge stand beside it: whoever goes through a million edges by weight would otherwise wait for memory at each.
pub(crate) struct ByWeight {
    order: Vec<u32>,
    ends: Vec<[u32; 2]>,
    /// Where each class ends.
    class_ends: Vec<usize>,
}

/// Edges of one weight, in the graph's order.
#[derive(Clone, Copy)]
pub(crate) struct WeightClass<'a> {
    /// The edges, by id.
    pub edges: &'a [u32],
    /// The two ends of each.
    pub ends: &'a [[u32; 2]],
}

impl ByWeight {
    /// Of edges (end, end, weight), whose ends are vertices. O(m log m), or O(m) where there are few different weights.
    pub fn new(edges: &[(usize, usize, i128)]) -> Self {
        let (least, range) = least_and_range(edges);
        match range {
            Some(range) if range as usize <= edges.len() => ByWeight::counted(edges, least, range as usize + 1),
            _ => ByWeight::compared(edges),
        }
    }

    /// Few different weights are counted, and each edge goes straight to its place.
    fn counted(edges: &[(usize, usize, i128)], least: i128, weights: usize) -> Self {
        let mut next = vec![0; weights + 1];
        edges.iter().for_each(|&(.., weight)| next[(weight - least) as usize + 1] += 1);
        (0..weights).for_each(|weight| next[weight + 1] += next[weight]);
        let mut class_ends: Vec<usize> = next[1..].to_vec();
        class_ends.dedup();
        class_ends.retain(|&end| end > 0);
        let (mut order, mut ends) = (vec![0; edges.len()], vec![[0; 2]; edges.len()]);
        for (edge, &(one, other, weight)) in edges.iter().enumerate() {
            let place = &mut next[(weight - least) as usize];
            (order[*place], ends[*place]) = (edge as u32, [one as u32, other as u32]);
            *place += 1;
        }
        ByWeight { order, ends, class_ends }
    }

    fn compared(edges: &[(usize, usize, i128)]) -> Self {
        let order = by_weight(edges);
        let weight = |edge: &u32| edges[*edge as usize].2;
        let ends = order.iter().map(|&edge| [edges[edge as usize].0 as u32, edges[edge as usize].1 as u32]).collect();
        let classes = order.chunk_by(|one, other| weight(one) == weight(other));
        let class_ends = classes.scan(0, |end, class| {
            *end += class.len();
            Some(*end)
        });
        let class_ends = class_ends.collect();
        ByWeight { order, ends, class_ends }
    }

    /// All edges, by id; those of equal weight in the graph's order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The edges of each weight, from the lightest on.
    pub fn classes(&self) -> impl Iterator<Item = WeightClass<'_>> {
        let starts = std::iter::once(0).chain(self.class_ends.iter().copied());
        let ranges = starts.zip(&self.class_ends).map(|(start, &end)| start..end);
        ranges.map(|own| WeightClass { edges: &self.order[own.clone()], ends: &self.ends[own] })
    }
}

/// The edges from the lightest on; those of equal weight keep their order.
pub fn by_weight(edges: &[(usize, usize, i128)]) -> Vec<u32> {
    let weights = || edges.iter().map(|&(.., weight)| weight);
    let (least, range) = least_and_range(edges);
    match range {
        // Few different weights are counted.
        Some(range) if range as usize <= edges.len() => {
            let places = weights().enumerate().map(|(edge, weight)| ((weight - least) as usize, edge as u32));
            Grouped::new(range as usize + 1, places).into_items()
        }
        // Weight and edge fit one word.
        Some(_) => {
            let mut keys: Vec<u64> =
                weights().enumerate().map(|(edge, weight)| ((weight - least) as u64) << 32 | edge as u64).collect();
            keys.sort_unstable();
            keys.into_iter().map(|key| key as u32).collect()
        }
        None => {
            let mut order: Vec<u32> = (0..edges.len() as u32).collect();
            order.sort_by_key(|&edge| edges[edge as usize].2);
            order
        }
    }
}

/// The least weight, and by how much the greatest is more, if 32 bits hold that.
fn least_and_range(edges: &[(usize, usize, i128)]) -> (i128, Option<u32>) {
    let first = edges.first().map_or(0, |&(.., weight)| weight);
    let both =
        |(least, most): (i128, i128), &(.., weight): &(usize, usize, i128)| (least.min(weight), most.max(weight));
    let (least, most) = edges.iter().fold((first, first), both);
    (least, most.checked_sub(least).and_then(|range| u32::try_from(range).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn classes_have_the_edges_of_one_weight_in_their_order() {
        for index in 0..300 {
            let mut rng = Rng::stream(0, "by weight", index);
            let step = [1, 1, 1_000_000, i128::from(u64::MAX)][rng.below(4)];
            let edges: Vec<(usize, usize, i128)> =
                (0..rng.below(30)).map(|_| (rng.below(9), rng.below(9), (rng.below(8) as i128 - 3) * step)).collect();
            let sorted = ByWeight::new(&edges);
            let mut expected: Vec<u32> = (0..edges.len() as u32).collect();
            expected.sort_by_key(|&edge| edges[edge as usize].2);
            assert_eq!(sorted.order(), expected);
            let weight = |edge: &u32| edges[*edge as usize].2;
            let classes: Vec<&[u32]> = expected.chunk_by(|one, other| weight(one) == weight(other)).collect();
            assert_eq!(sorted.classes().map(|class| class.edges).collect::<Vec<_>>(), classes);
            let ends = |edge: &u32| [edges[*edge as usize].0 as u32, edges[*edge as usize].1 as u32];
            assert!(sorted.classes().all(|class| class.edges.iter().map(ends).eq(class.ends.iter().copied())));
        }
    }
}
