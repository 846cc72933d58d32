//! How heavy the path between two vertices of a forest is, mostly from one number for each.
//!
//! Each tree is walked from one of its vertices on. The middle of the largest tree is where it falls into parts none of which has more than half of it. The number of a
//! vertex is the weight of the heaviest edge between it and the middle. The path between two vertices has no edge that is heavier than both of their numbers,
//! and if these differ, one as heavy as the larger; only where they are equal and an edge is lighter has the path to be walked.
//!
//! ```text
//! 0 -5- 1 -2- 2 -3- 3        middle 1; numbers 5, none, 2, 3. Between 0 and 3: 5. Between 2 and 3: 3.
//! ```
//!
//! Places on the walk are such that nothing comes before that from which it was found: sizes of subtrees are added up from the last place to the first, numbers are
//! handed down from the first to the last, and both are near each other. O(n). Numbers are kept in as few bytes as hold them.
//! Walks between vertices take so many steps at the most, as many for each vertex; longer ones are cut short by names ([`Names`]).

use super::names::Names;
use crate::problems::links::{Found, Links, Word};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// Steps that all walks together may take, for each vertex: about what names would take.
const STEPS: usize = 8;

/// Vertices whose edges are counted together.
pub(super) const BLOCK: usize = 4096;

/// A forest all of whose weights are less than [`Word::most`], which is the number of what the middle is not connected to.
pub(super) struct Middle<W> {
    /// The vertices in the order of the walk; values are the weights of the edges over which they were found.
    found: Vec<Found<W>>,
    /// The place of each vertex among them, when it was first needed.
    places: Vec<u32>,
    numbers: Vec<W>,
    /// For each block of vertices, how many edges of the forest are lighter than the number of their ends, by the lower end.
    lighter: Vec<u32>,
    steps: usize,
    /// Instead of all others, where walks were too long.
    names: Option<Names<W>>,
}

impl<W: Word> Middle<W> {
    /// Of links both ways; `None` where they form a cycle.
    pub fn of_forest(links: Links<W>) -> Option<Self> {
        let n = links.n();
        let (mut found, mut is_found, mut largest) = (Vec::with_capacity(n + 1), FixedBitSet::with_capacity(n), 0..0);
        for root in 0..n {
            if is_found[root] {
                continue;
            }
            let start = found.len();
            links.walk(&mut found, root as u32, W::default(), |_, weight| Some(weight))?;
            found[start..].iter().for_each(|at| is_found.insert(at.vertex as usize));
            if found.len() - start > largest.len() {
                largest = start..found.len();
            }
        }
        drop(links);
        // Who is found twice is so by two ways.
        (found.len() == n).then(|| Middle::new(n, found, largest))
    }

    /// Of the links from parents to children below a root, of which there are no others.
    pub fn of_tree(links: Links<W>, root: u32) -> Option<Self> {
        let mut found = Vec::with_capacity(links.count() + 1);
        links.walk(&mut found, root, W::default(), |_, weight| Some(weight))?;
        let (n, tree) = (links.n(), 0..found.len());
        if tree.len() != links.count() + 1 {
            return None;
        }
        drop(links);
        // The others are trees of their own.
        let is_found: FixedBitSet = found.iter().map(|at| at.vertex as usize).collect();
        let alone = (0..n).filter(|&vertex| !is_found.contains(vertex));
        found.extend(alone.zip(tree.len() as u32..).map(|(vertex, up)| Found {
            vertex: vertex as u32,
            up,
            value: W::default(),
        }));
        Some(Middle::new(n, found, tree))
    }

    fn new(n: usize, found: Vec<Found<W>>, largest: Range<usize>) -> Self {
        let (numbers, lighter) = (vec![W::most(); n], vec![0; n / BLOCK + 1]);
        let (places, steps, names) = (vec![], STEPS * n, None);
        let mut forest = Middle { found, places, numbers, lighter, steps, names };
        let heaviest = forest.heaviest_to_middle(largest.clone());
        forest.number(largest, &heaviest);
        forest
    }

    /// For each place of a tree the heaviest edge between it and the middle.
    fn heaviest_to_middle(&self, tree: Range<usize>) -> Vec<W> {
        let start = tree.start;
        let places = &self.found[tree];
        let up = |place: usize| places[place].up as usize - start;
        let mut sizes = vec![1u32; places.len()];
        for place in (1..places.len()).rev() {
            sizes[up(place)] += sizes[place];
        }
        // Those with half of the tree below them lead from the root to the middle.
        let is_above = |place: usize| sizes[place] as usize * 2 >= places.len();
        let mut heaviest = vec![W::default(); places.len()];
        if let Some(mut at) = (0..places.len()).rev().find(|&place| is_above(place)) {
            while at > 0 {
                heaviest[up(at)] = heaviest[at].max(places[at].value);
                at = up(at);
            }
        }
        for place in (1..places.len()).filter(|&place| !is_above(place)) {
            heaviest[place] = heaviest[up(place)].max(places[place].value);
        }
        heaviest
    }

    /// Writes numbers to the vertices of a tree, and counts which edges of the forest are lighter.
    fn number(&mut self, tree: Range<usize>, heaviest: &[W]) {
        let of = |place: usize| if tree.contains(&place) { heaviest[place - tree.start] } else { W::most() };
        for (place, &Found { vertex, up, value }) in self.found.iter().enumerate() {
            let number = of(place);
            self.numbers[vertex as usize] = number;
            let is_lighter = up as usize != place && value < number.max(of(up as usize));
            self.lighter[vertex.min(self.found[up as usize].vertex) as usize / BLOCK] += u32::from(is_lighter);
        }
    }

    /// The weight of the heaviest edge between each vertex and the middle, or [`Word::most`]; empty where there are names instead.
    pub fn numbers(&self) -> &[W] {
        &self.numbers
    }

    /// How many edges of the forest whose lower end is in a block are lighter than the numbers of their ends.
    pub fn lighter_in(&self, block: usize) -> usize {
        self.lighter[block] as usize
    }

    /// True when the path between two vertices is there and has no edge that is heavier than a weight, which is less than [`Word::most`].
    #[inline]
    pub fn admits(&mut self, one: usize, other: usize, weight: W) -> bool {
        if let Some(names) = &self.names {
            return names.join(one, other, weight);
        }
        let (number, its) = (self.numbers[one], self.numbers[other]);
        weight >= number.max(its) || number == its && self.path_admits(one, other, weight)
    }

    fn path_admits(&mut self, one: usize, other: usize, weight: W) -> bool {
        let [mut from, mut to] = [one, other].map(|vertex| self.places()[vertex]);
        while from != to {
            if self.steps == 0 {
                return self.names().join(one, other, weight);
            }
            self.steps -= 1;
            // The one that was found last is not on the way of the other.
            let next = if from > to { &mut from } else { &mut to };
            let Found { up, value, .. } = self.found[*next as usize];
            // At its root a way ends: the other one is in another tree.
            if up == *next || value > weight {
                return false;
            }
            *next = up;
        }
        true
    }

    fn places(&mut self) -> &[u32] {
        if self.places.is_empty() {
            self.places = vec![0; self.found.len()];
            (0..).zip(&self.found).for_each(|(place, at)| self.places[at.vertex as usize] = place);
        }
        &self.places
    }

    fn names(&mut self) -> &Names<W> {
        self.places = vec![];
        let n = std::mem::take(&mut self.numbers).len();
        let found = std::mem::take(&mut self.found);
        let edges = found.iter().enumerate().filter(|&(place, at)| at.up as usize != place);
        let edges = edges.map(|(_, at)| (at.value, at.vertex, found[at.up as usize].vertex)).collect();
        self.names.insert(Names::new(n, edges))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    /// Words in the order of these weights.
    fn word(weight: i64) -> u64 {
        (weight as u64) ^ (1 << 63)
    }

    fn middle(n: usize, edges: &[(u32, u32, i64)]) -> Option<Middle<u64>> {
        let edges = edges.iter().map(|&(one, other, weight)| (one, other, word(weight))).collect();
        Middle::of_forest(Links::both_ways(n, edges)?)
    }

    /// Whether edges up to a weight lead from one vertex to another, by going along them until nothing is new.
    fn leads(n: usize, edges: &[(u32, u32, i64)], one: usize, other: usize, weight: i64) -> bool {
        let mut reached = vec![false; n];
        reached[one] = true;
        for _ in 0..n {
            for &(a, b, _) in edges.iter().filter(|edge| edge.2 <= weight) {
                let either = reached[a as usize] || reached[b as usize];
                (reached[a as usize], reached[b as usize]) = (either, either);
            }
        }
        reached[other]
    }

    #[test]
    fn paths_are_as_heavy_as_their_edges_say() {
        for index in 0..600 {
            let mut rng = Rng::stream(0, "middle", index);
            let (n, weights) = (1 + rng.below(12), 1 + rng.below(5));
            let weight = |rng: &mut Rng| if rng.chance(0.1) { i64::MIN } else { rng.below(weights) as i64 - 2 };
            let mut edges: Vec<(u32, u32, i64)> =
                (1..n as u32).map(|vertex| (rng.below(vertex as usize) as u32, vertex, weight(&mut rng))).collect();
            edges.retain(|_| rng.chance(0.9));
            let mut forest = middle(n, &edges).expect("no cycle");
            // Names take over in the middle of it.
            forest.steps = rng.below(60);
            for (one, other) in (0..n * n).map(|pair| (pair / n, pair % n)) {
                for weight in [i64::MIN, -2, -1, 0, 1, 2, i64::MAX - 1] {
                    let expected = leads(n, &edges, one, other, weight);
                    assert_eq!(
                        forest.admits(one, other, word(weight)),
                        expected,
                        "{edges:?}: {one} to {other}, {weight}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_cycle_is_no_forest() {
        let is_forest = |edges: &[(u32, u32, i64)]| middle(4, edges).is_some();
        assert!(is_forest(&[(0, 1, 1), (1, 2, 1), (1, 3, 1)]));
        assert!(!is_forest(&[(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1)]));
        assert!(!is_forest(&[(0, 1, 1), (1, 0, 1)]));
        assert!(!is_forest(&[(0, 1, 1), (2, 2, 1)]));
    }

    #[test]
    fn a_long_path_is_left_to_names() {
        let n = 100_000;
        let path = (1..n as u32).map(|vertex| (vertex - 1, vertex, vertex)).collect();
        let mut forest = Middle::of_forest(Links::both_ways(n, path).unwrap()).expect("no cycle");
        assert!((0..n - 1000).step_by(7).all(|vertex| forest.admits(vertex, vertex + 1000, vertex as u32 + 1000)));
        assert!((0..n - 1000).step_by(7).all(|vertex| !forest.admits(vertex, vertex + 1000, vertex as u32 + 999)));
        assert!(forest.names.is_some());
    }
}
