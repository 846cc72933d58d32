//! How heavy the path between two vertices of a forest is, mostly from one number for each.
//!
//! A forest is taken apart from its leaves: who has one edge left is cut off with it, until nothing is left or what hangs below a vertex is more than half of
//! everything, which makes that vertex the middle. The number of a vertex is the weight of the heaviest edge between it and the middle. The path between two
//! vertices has no edge that is heavier than both of their numbers, and if these differ, one as heavy as the larger; only where they are equal and an edge is
//! lighter has the path to be walked.
//!
//! ```text
//! 0 -5- 1 -2- 2 -3- 3        middle 1; numbers 5, none, 2, 3. Between 0 and 3: 5. Between 2 and 3: 3.
//! ```
//!
//! No lists of neighbours are made: who has one edge left finds its other end in the exclusive or of all ends, from which those that were cut off are taken out. Numbers
//! are handed down from what was cut off last to what was first. O(n), and nothing that a processor has to guess. Numbers are kept in as few bytes as hold them.
//! Walks between vertices take so many steps at the most, as many for each vertex; longer ones are cut short by names ([`Names`]).

use super::names::Names;
use crate::problems::links::Word;

/// Steps that all walks together may take, for each vertex: about what names would take.
const STEPS: usize = 8;

/// Vertices whose edges are counted together.
pub(super) const BLOCK: usize = 4096;

/// A vertex and its edges that are left.
#[derive(Clone, Copy)]
struct Node<W> {
    edges: u32,
    /// The exclusive or of the other ends of these.
    ends: u32,
    /// The exclusive or of their weights.
    weights: W,
    /// How many vertices have been cut off below it, and itself.
    size: u32,
}

impl<W: Word> Node<W> {
    /// Adds an edge, or takes it out; the caller counts.
    fn toggle(&mut self, end: u32, weight: W) {
        self.ends ^= end;
        self.weights = self.weights ^ weight;
    }
}

/// A vertex that was cut off, and the edge with which it was; its own for one that had none left.
#[derive(Clone, Copy)]
struct Cut<W> {
    vertex: u32,
    up: u32,
    weight: W,
}

/// A forest all of whose weights are less than [`Word::most`], which is the number of what the middle is not connected to.
pub(super) struct Middle<W> {
    /// In the order in which they were cut off: nobody comes after who it hangs below.
    cuts: Vec<Cut<W>>,
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
    /// Of edges (end, end, weight); `None` where they form a cycle.
    pub fn new(n: usize, edges: impl Iterator<Item = (u32, u32, W)>) -> Option<Self> {
        let mut nodes = vec![Node { edges: 0, ends: 0, weights: W::default(), size: 1 }; n];
        for (one, other, weight) in edges {
            for (end, its) in [(one, other), (other, one)] {
                nodes[end as usize].edges += 1;
                nodes[end as usize].toggle(its, weight);
            }
        }
        let cuts = cut_off(&mut nodes);
        // Nobody on a cycle has one edge left at any time.
        if cuts.len() < n {
            return None;
        }
        let middle = (0..n).max_by_key(|&vertex| nodes[vertex].size);
        drop(nodes);
        let (numbers, lighter) = (vec![W::most(); n], vec![0; n / BLOCK + 1]);
        let (places, steps, names) = (vec![], STEPS * n, None);
        let mut forest = Middle { cuts, places, numbers, lighter, steps, names };
        middle.into_iter().for_each(|middle| forest.number(middle));
        Some(forest)
    }

    /// Hands numbers down from the middle, and counts which edges of the forest are lighter.
    fn number(&mut self, middle: usize) {
        self.numbers[middle] = W::default();
        for &Cut { vertex, up, weight } in self.cuts.iter().rev() {
            let above = self.numbers[up as usize];
            self.numbers[vertex as usize] = above.max(weight);
            let is_lighter = (weight < above) & (up != vertex);
            self.lighter[vertex.min(up) as usize / BLOCK] += u32::from(is_lighter);
        }
    }

    /// True when the vertex is in the same tree as the middle.
    pub fn holds(&self, vertex: usize) -> bool {
        self.numbers[vertex] < W::most()
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
            // Who was cut off first is not on the way of the other.
            let next = if from < to { &mut from } else { &mut to };
            let Cut { vertex, up, weight: by } = self.cuts[*next as usize];
            // At its root a way ends: the other one is in another tree.
            if up == vertex || by > weight {
                return false;
            }
            *next = self.places[up as usize];
        }
        true
    }

    fn places(&mut self) -> &[u32] {
        if self.places.is_empty() {
            self.places = vec![0; self.numbers.len()];
            (0..).zip(&self.cuts).for_each(|(place, cut)| self.places[cut.vertex as usize] = place);
        }
        &self.places
    }

    fn names(&mut self) -> &Names<W> {
        self.places = vec![];
        let n = std::mem::take(&mut self.numbers).len();
        let cuts = std::mem::take(&mut self.cuts).into_iter().filter(|cut| cut.up != cut.vertex);
        self.names.insert(Names::new(n, cuts.map(|cut| (cut.weight, cut.vertex, cut.up)).collect()))
    }
}

/// Cuts off who has one edge left, the first ones first, but nobody who has more than half of all vertices below it; in the end, those that have none left.
fn cut_off<W: Word>(nodes: &mut [Node<W>]) -> Vec<Cut<W>> {
    let n = nodes.len();
    let can_be_cut = |node: Node<W>| (node.edges == 1) & (node.size as usize * 2 <= n);
    // Each is written, and the next one over it if it cannot be cut off yet: whether it can, a processor would often guess wrong.
    let (mut cuts, mut count) = (vec![Cut { vertex: 0, up: 0, weight: W::default() }; n + 1], 0);
    for (vertex, &node) in (0..).zip(&*nodes) {
        cuts[count].vertex = vertex;
        count += usize::from(can_be_cut(node));
    }
    let mut next = 0;
    while next < count {
        let vertex = cuts[next].vertex;
        let node = nodes[vertex as usize];
        // Where the other end of its last edge was cut off before it, it is a root.
        if node.edges == 0 {
            cuts[next].up = vertex;
            nodes[vertex as usize].edges = 1;
        } else {
            (cuts[next].up, cuts[next].weight) = (node.ends, node.weights);
            let above = &mut nodes[node.ends as usize];
            above.edges -= 1;
            above.size += node.size;
            above.toggle(vertex, node.weights);
            cuts[count].vertex = node.ends;
            count += usize::from(can_be_cut(*above));
        }
        next += 1;
    }
    cuts.truncate(count);
    let roots = (0..).zip(&*nodes).filter(|(_, node)| node.edges == 0);
    cuts.extend(roots.map(|(vertex, _)| Cut { vertex, up: vertex, weight: W::default() }));
    cuts
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
        let edges = edges.iter().map(|&(one, other, weight)| (one, other, word(weight)));
        Middle::new(n, edges)
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
        let path = (1..n as u32).map(|vertex| (vertex - 1, vertex, vertex));
        let mut forest = Middle::new(n, path).expect("no cycle");
        assert!((0..n - 1000).step_by(7).all(|vertex| forest.admits(vertex, vertex + 1000, vertex as u32 + 1000)));
        assert!((0..n - 1000).step_by(7).all(|vertex| !forest.admits(vertex, vertex + 1000, vertex as u32 + 999)));
        assert!(forest.names.is_some());
    }
}
