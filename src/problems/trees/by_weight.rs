//! Edges from the lightest on, in classes of equal weight.

use crate::problems::grouped::Grouped;

/// Edges that can be gone through, always in the same order, which numbers them.
pub(crate) trait EachEdge {
    /// Calls `visit(end, end, weight)` for each; ends are less than 2^32.
    fn each_edge(&self, visit: impl FnMut(usize, usize, i128));
}

impl EachEdge for [(usize, usize, i128)] {
    fn each_edge(&self, mut visit: impl FnMut(usize, usize, i128)) {
        self.iter().for_each(|&(one, other, weight)| visit(one, other, weight));
    }
}

/// The edges of a graph by their weight.
///
/// The ends of each edge stand beside it: whoever goes through a million edges by weight would otherwise wait for memory at each.
pub(crate) struct ByWeight {
    order: Vec<u32>,
    ends: Vec<[u32; 2]>,
    /// Where each class ends.
    class_ends: Vec<usize>,
    /// The weight of each class.
    weights: Vec<i128>,
}

/// Edges of one weight, in the graph's order.
#[derive(Clone, Copy)]
pub(crate) struct WeightClass<'a> {
    /// The edges, by id.
    pub edges: &'a [u32],
    /// The two ends of each.
    pub ends: &'a [[u32; 2]],
    /// Their weight.
    pub weight: i128,
}

impl ByWeight {
    /// Of edges (end, end, weight), whose ends are vertices. O(m log m), or O(m) where there are few different weights.
    pub fn new(edges: &(impl EachEdge + ?Sized)) -> Self {
        let (mut count, mut least, mut most) = (0, i128::MAX, i128::MIN);
        edges.each_edge(|_, _, weight| (count, least, most) = (count + 1, least.min(weight), most.max(weight)));
        match most.checked_sub(least).and_then(|range| usize::try_from(range).ok()) {
            Some(range) if range < count => ByWeight::counted(edges, count, least, range + 1),
            _ => ByWeight::compared(edges, count),
        }
    }

    /// Few different weights are counted, and each edge goes straight to its place.
    fn counted(edges: &(impl EachEdge + ?Sized), count: usize, least: i128, weights: usize) -> Self {
        let mut next = vec![0; weights + 1];
        edges.each_edge(|_, _, weight| next[(weight - least) as usize + 1] += 1);
        (0..weights).for_each(|weight| next[weight + 1] += next[weight]);
        let is_class = |weight: &usize| next[*weight] < next[weight + 1];
        let classes: Vec<usize> = (0..weights).filter(is_class).collect();
        let class_ends = classes.iter().map(|&weight| next[weight + 1]).collect();
        let weights = classes.into_iter().map(|weight| least + weight as i128).collect();
        let (mut order, mut ends, mut edge) = (vec![0; count], vec![[0; 2]; count], 0);
        edges.each_edge(|one, other, weight| {
            let place = &mut next[(weight - least) as usize];
            (order[*place], ends[*place]) = (edge, [one as u32, other as u32]);
            *place += 1;
            edge += 1;
        });
        ByWeight { order, ends, class_ends, weights }
    }

    fn compared(edges: &(impl EachEdge + ?Sized), count: usize) -> Self {
        let mut all: Vec<(usize, usize, i128)> = Vec::with_capacity(count);
        edges.each_edge(|one, other, weight| all.push((one, other, weight)));
        let order = by_weight(&all);
        let weight = |edge: &u32| all[*edge as usize].2;
        let ends = order.iter().map(|&edge| [all[edge as usize].0 as u32, all[edge as usize].1 as u32]).collect();
        let (mut class_ends, mut weights, mut end) = (vec![], vec![], 0);
        for class in order.chunk_by(|one, other| weight(one) == weight(other)) {
            end += class.len();
            class_ends.push(end);
            weights.push(weight(&class[0]));
        }
        ByWeight { order, ends, class_ends, weights }
    }

    /// Some of the classes' edges under other ids, which must ascend within a class; (id, ends) of the edges class by class, and where each class ends.
    pub fn of_classes(
        edges: impl Iterator<Item = (u32, [u32; 2])>,
        class_ends: Vec<usize>,
        weights: Vec<i128>,
    ) -> Self {
        let (order, ends) = edges.unzip();
        ByWeight { order, ends, class_ends, weights }
    }

    /// All edges, by id; those of equal weight in the graph's order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The edges of each weight, from the lightest on.
    pub fn classes(&self) -> impl Iterator<Item = WeightClass<'_>> {
        let starts = std::iter::once(0).chain(self.class_ends.iter().copied());
        let ranges = starts.zip(&self.class_ends).map(|(start, &end)| start..end);
        let of = |(own, &weight): (std::ops::Range<usize>, &i128)| WeightClass {
            edges: &self.order[own.clone()],
            ends: &self.ends[own],
            weight,
        };
        ranges.zip(&self.weights).map(of)
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
            let sorted = ByWeight::new(&edges[..]);
            let mut expected: Vec<u32> = (0..edges.len() as u32).collect();
            expected.sort_by_key(|&edge| edges[edge as usize].2);
            assert_eq!(sorted.order(), expected);
            let weight = |edge: &u32| edges[*edge as usize].2;
            let classes: Vec<&[u32]> = expected.chunk_by(|one, other| weight(one) == weight(other)).collect();
            assert_eq!(sorted.classes().map(|class| class.edges).collect::<Vec<_>>(), classes);
            assert!(sorted.classes().zip(&classes).all(|(class, edges)| class.weight == weight(&edges[0])));
            let ends = |edge: &u32| [edges[*edge as usize].0 as u32, edges[*edge as usize].1 as u32];
            assert!(sorted.classes().all(|class| class.edges.iter().map(ends).eq(class.ends.iter().copied())));
        }
    }
}
