//! How heavy the path between two vertices of a forest is, mostly from one number for each.
//!
//! Leaves are taken off the forest until nothing is left; what is taken off last is the middle of the deepest tree. The number of a vertex is the weight of the
//! heaviest edge between it and the middle. The path between two vertices has no edge that is heavier than both of their numbers, and if these
//! differ, one as heavy as the larger; only where they are equal and an edge is lighter has the path to be walked.
//!
//! ```text
//! 0 -5- 1 -2- 2 -3- 3        middle 1; numbers 5, none, 2, 3. Between 0 and 3: 5. Between 2 and 3: 3.
//! ```
//!
//! To take leaves off, a vertex has the number of its edges and the exclusive or of what they lead to: when one is left, that is its other end. O(n).
//! Walks take so many steps at the most, as many for each vertex; longer ones are cut short by names ([`Names`]).

use super::names::Names;

/// The number of what the middle is not connected to; no weight of an edge is as large.
pub(super) const TOP: i64 = i64::MAX;

/// Steps that all walks together may take, for each vertex: about what names would take.
const STEPS: usize = 8;

/// Vertices whose edges are counted together.
pub(super) const BLOCK: usize = 4096;

/// A forest whose trees hang below the vertices that were left last.
pub(super) struct Middle {
    nodes: Vec<Node>,
    numbers: Vec<i64>,
    /// For each block of vertices, how many edges of the forest are lighter than the number of their ends, by the lower end.
    lighter: Vec<u32>,
    steps: usize,
    /// Instead of all others, where walks were too long.
    names: Option<Names>,
}

#[derive(Clone, Copy, Default)]
struct Node {
    /// How many edges are left; in the end, when the vertex was taken off, [`LAST`] for what was left.
    links: u32,
    /// The vertices that they lead to, in one; in the end, the next one on the way to the middle.
    toward: u32,
    /// Their weights in one; in the end, that of the edge to the next vertex, or [`TOP`].
    weight: i64,
}

const LAST: u32 = u32::MAX;

impl Middle {
    /// Of edges (end, end, weight), all lighter than [`TOP`]; `None` where they form a cycle.
    pub fn new(n: usize, edges: impl Iterator<Item = (u32, u32, i64)>) -> Option<Self> {
        let mut nodes = vec![Node::default(); n];
        let mut count = 0;
        for (one, other, weight) in edges {
            for (from, to) in [(one, other), (other, one)] {
                let node = &mut nodes[from as usize];
                node.links = node.links.wrapping_add(1);
                node.toward ^= to;
                node.weight ^= weight;
            }
            count += 1;
        }
        let order = take_leaves_off(&mut nodes, count)?;
        let mut forest =
            Middle { nodes, numbers: vec![TOP; n], lighter: vec![0; n / BLOCK + 1], steps: STEPS * n, names: None };
        forest.number(&order);
        Some(forest)
    }

    /// What was taken off last comes first: the number of the next vertex on the way to the middle is known then.
    fn number(&mut self, order: &[u32]) {
        if let Some(&middle) = order.last() {
            self.numbers[middle as usize] = i64::MIN;
        }
        for (place, &vertex) in order.iter().enumerate().rev() {
            let node = &mut self.nodes[vertex as usize];
            if node.weight == TOP {
                continue;
            }
            node.links = place as u32;
            let above = self.numbers[node.toward as usize];
            self.numbers[vertex as usize] = above.max(node.weight);
            self.lighter[vertex.min(node.toward) as usize / BLOCK] += u32::from(node.weight < above);
        }
    }

    /// True when the deepest tree has a vertex.
    pub fn holds(&self, vertex: usize) -> bool {
        self.numbers[vertex] != TOP
    }

    /// The weight of the heaviest edge between each vertex and the middle, or [`TOP`]; empty where there are names instead.
    pub fn numbers(&self) -> &[i64] {
        &self.numbers
    }

    /// How many edges of the forest whose lower end is in a block are lighter than the numbers of their ends.
    pub fn lighter_in(&self, block: usize) -> usize {
        self.lighter[block] as usize
    }

    /// True when the path between two vertices is there and has no edge that is heavier than a weight, which is less than [`TOP`].
    #[inline]
    pub fn admits(&mut self, one: usize, other: usize, weight: i64) -> bool {
        if let Some(names) = &self.names {
            return names.join(one, other, weight);
        }
        let (number, its) = (self.numbers[one], self.numbers[other]);
        weight >= number.max(its) || number == its && self.path_admits(one, other, weight)
    }

    fn path_admits(&mut self, one: usize, other: usize, weight: i64) -> bool {
        let (mut from, mut to) = (one, other);
        while from != to {
            if self.steps == 0 {
                return self.names().join(one, other, weight);
            }
            self.steps -= 1;
            // The one that was taken off first is not on the way of the other.
            let (node, its) = (self.nodes[from], self.nodes[to]);
            let next = if node.links < its.links { &mut from } else { &mut to };
            let step = self.nodes[*next];
            if step.weight > weight {
                return false;
            }
            *next = step.toward as usize;
        }
        true
    }

    fn names(&mut self) -> &Names {
        self.numbers = vec![];
        let nodes = std::mem::take(&mut self.nodes);
        let n = nodes.len();
        let edges = nodes.into_iter().zip(0u32..).filter(|(node, _)| node.weight != TOP);
        let edges = edges.map(|(node, vertex)| (node.weight, vertex, node.toward)).collect();
        self.names.insert(Names::new(n, edges))
    }
}

/// The order in which all vertices with edges are taken off, those that are left last included; `None` where `edges` are not a forest's.
fn take_leaves_off(nodes: &mut [Node], edges: usize) -> Option<Vec<u32>> {
    let mut order = Vec::with_capacity(nodes.len());
    for (node, vertex) in nodes.iter_mut().zip(0u32..) {
        match node.links {
            0 => *node = Node { links: LAST, toward: vertex, weight: TOP },
            1 => order.push(vertex),
            _ => {}
        }
    }
    let (mut next, mut left) = (0, edges);
    while let Some(&vertex) = order.get(next) {
        next += 1;
        let Node { links, toward, weight } = nodes[vertex as usize];
        // All that it led to is gone.
        if links != 1 {
            continue;
        }
        left -= 1;
        nodes[vertex as usize].links = 0;
        let other = &mut nodes[toward as usize];
        *other = Node { links: other.links - 1, toward: other.toward ^ vertex, weight: other.weight ^ weight };
        match other.links {
            0 => *other = Node { links: LAST, toward, weight: TOP },
            1 => order.push(toward),
            _ => {}
        }
    }
    (left == 0).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

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
            let mut forest = Middle::new(n, edges.iter().copied()).expect("no cycle");
            // Names take over in the middle of it.
            forest.steps = rng.below(60);
            for (one, other) in (0..n * n).map(|pair| (pair / n, pair % n)) {
                for weight in [i64::MIN, -2, -1, 0, 1, 2, TOP - 1] {
                    let expected = leads(n, &edges, one, other, weight);
                    assert_eq!(forest.admits(one, other, weight), expected, "{edges:?}: {one} to {other}, {weight}");
                }
            }
        }
    }

    #[test]
    fn a_cycle_is_no_forest() {
        let is_forest = |edges: &[(u32, u32, i64)]| Middle::new(4, edges.iter().copied()).is_some();
        assert!(is_forest(&[(0, 1, 1), (1, 2, 1), (1, 3, 1)]));
        assert!(!is_forest(&[(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1)]));
        assert!(!is_forest(&[(0, 1, 1), (1, 0, 1)]));
        assert!(!is_forest(&[(0, 1, 1), (2, 2, 1)]));
    }

    #[test]
    fn a_long_path_is_left_to_names() {
        let n = 100_000;
        let path = (1..n as u32).map(|vertex| (vertex - 1, vertex, i64::from(vertex)));
        let mut forest = Middle::new(n, path).expect("no cycle");
        assert!((0..n - 1000).step_by(7).all(|vertex| forest.admits(vertex, vertex + 1000, vertex as i64 + 1000)));
        assert!((0..n - 1000).step_by(7).all(|vertex| !forest.admits(vertex, vertex + 1000, vertex as i64 + 999)));
        assert!(forest.names.is_some());
    }
}
