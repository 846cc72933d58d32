//! The two sides of a bipartite graph, and the numbers of its edges for whoever asks for them.
//!
//! Sides are found by few edges: the lowest neighbour of a vertex, if it is lower, is on the other side, which makes trees; a root's edges join its tree to
//! others. On most graphs one set holds nearly all vertices by then, and only the edges of the vertices outside of it are looked at. Then one pass over the
//! graph, in its order, sees whether every edge joins the two sides.

use super::mates::{Mates, NOBODY};
use crate::instance::Graph;
use crate::problems::grouped::Grouped;
use std::sync::{Arc, OnceLock};

/// A bipartite graph with its two sides.
pub(super) struct Sides {
    /// True for the vertices on the left; the lowest vertex of each component is.
    pub is_left: Arc<[bool]>,
    pub graph: Graph,
    /// How many neighbours of each vertex are lower.
    lower: OnceLock<Vec<u32>>,
    numbered: OnceLock<Numbered>,
}

/// Edges by their slots.
struct Numbered {
    /// The ends of each edge: left, right.
    ends: Vec<[u32; 2]>,
    /// The edges at each vertex, ascending, in the order of its neighbours.
    at: Grouped<u32>,
}

impl Sides {
    /// A cycle of odd length where there are no two sides.
    pub fn new(graph: &Graph) -> Result<Self, Vec<usize>> {
        let is_left = match by_few_edges(graph) {
            Some(is_left) => is_left,
            None => by_search(graph)?,
        };
        let (lower, numbered) = (OnceLock::new(), OnceLock::new());
        Ok(Sides { is_left: is_left.into(), graph: graph.clone(), lower, numbered })
    }

    pub fn n(&self) -> usize {
        self.is_left.len()
    }

    /// The vertices on the left that have an edge.
    pub fn lefts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.n()).filter(|&vertex| self.is_left[vertex] && !self.graph.out_neighbours(vertex).is_empty())
    }

    /// The higher neighbours of a vertex. Vertex by vertex they are the other ends of the edges in the order of their slots.
    pub fn higher(&self, vertex: usize) -> &[u32] {
        let lower = self.lower.get_or_init(|| {
            let lower_of = |vertex: usize| {
                let all = self.graph.out_neighbours(vertex);
                all.partition_point(|&other| (other as usize) < vertex) as u32
            };
            (0..self.n()).map(lower_of).collect()
        });
        &self.graph.out_neighbours(vertex)[lower[vertex] as usize..]
    }

    /// Two ends of an edge, the left one first.
    pub fn left_first(&self, (one, other): (usize, usize)) -> (usize, usize) {
        if self.is_left[one] { (one, other) } else { (other, one) }
    }

    /// The slots of those edges of a matching whose lower ends are wanted, ascending. O(n log n).
    pub fn slots<'a>(
        &'a self,
        mates: &'a Mates,
        is_wanted: impl Fn(usize) -> bool + 'a,
    ) -> impl Iterator<Item = usize> + 'a {
        let mut next = 0;
        (0..self.n()).filter_map(move |vertex| {
            let higher = self.higher(vertex);
            let first = next;
            next += higher.len();
            let mate = mates.of(vertex).filter(|&mate| vertex < mate && is_wanted(vertex))?;
            Some(first + higher.partition_point(|&other| (other as usize) < mate))
        })
    }

    /// The ends of each edge: left, right.
    pub fn ends(&self) -> &[[u32; 2]] {
        &self.numbered().ends
    }

    /// The edges at a vertex, each with its other end.
    pub fn around(&self, vertex: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = self.numbered().at.of(vertex).iter().zip(self.graph.out_neighbours(vertex));
        pairs.map(|(&slot, &other)| (slot as usize, other as usize))
    }

    fn numbered(&self) -> &Numbered {
        self.numbered.get_or_init(|| Numbered::new(self))
    }
}

impl Numbered {
    fn new(sides: &Sides) -> Self {
        let graph = &sides.graph;
        let mut ends: Vec<[u32; 2]> = Vec::with_capacity(graph.edge_count());
        ends.extend(graph.edges().map(|edge| sides.left_first(edge)).map(|(left, right)| [left as u32, right as u32]));
        // The edges to lower vertices come first, and one after the other.
        let mut lower: Vec<usize> = (0..graph.n()).map(|vertex| graph.first_arc(vertex)).collect();
        let (mut slots, mut next) = (vec![0; graph.arc_count()], 0);
        for vertex in 0..graph.n() {
            let first = graph.first_arc(vertex);
            for arc in first..first + graph.out_neighbours(vertex).len() {
                let other = graph.heads()[arc] as usize;
                if vertex < other {
                    slots[arc] = next;
                    slots[lower[other]] = next;
                    lower[other] += 1;
                    next += 1;
                }
            }
        }
        let at = Grouped::sized((0..graph.n()).map(|vertex| graph.out_neighbours(vertex).len()), slots);
        Numbered { ends, at }
    }
}

/// Sets of vertices that are known to be connected; a set goes by its lowest vertex.
struct Connected {
    /// A vertex of the same set, not higher; the lowest has itself.
    up: Vec<u32>,
    /// True where that vertex is on the other side.
    is_odd: Vec<bool>,
}

impl Connected {
    /// The lowest vertex of the set, and whether it is on the other side.
    fn find(&mut self, vertex: usize) -> (usize, bool) {
        let (mut at, mut is_odd) = (vertex, false);
        loop {
            let above = self.up[at] as usize;
            if above == at {
                return (at, is_odd);
            }
            // Path halving, as in `trees::Sets`.
            let step = self.is_odd[at] ^ self.is_odd[above];
            self.up[at] = self.up[above];
            self.is_odd[at] = step;
            is_odd ^= step;
            at = self.up[at] as usize;
        }
    }

    /// Joins the sets of two ends of an edge, if they are two.
    fn join(&mut self, one: usize, other: usize) {
        let ((one, one_odd), (other, other_odd)) = (self.find(one), self.find(other));
        if one != other {
            let (low, high) = (one.min(other), one.max(other));
            self.up[high] = low as u32;
            self.is_odd[high] = one_odd == other_odd;
        }
    }
}

/// Sides such that every edge joins the two, the lowest vertex of each component on the left; `None` where there are none.
fn by_few_edges(graph: &Graph) -> Option<Vec<bool>> {
    let n = graph.n();
    let mut sets = Connected { up: Vec::with_capacity(n), is_odd: Vec::with_capacity(n) };
    let mut roots = vec![];
    for vertex in 0..n {
        match graph.out_neighbours(vertex).first().map(|&lowest| lowest as usize) {
            Some(lowest) if lowest < vertex => {
                sets.up.push(sets.up[lowest]);
                sets.is_odd.push(!sets.is_odd[lowest]);
            }
            _ => {
                sets.up.push(vertex as u32);
                sets.is_odd.push(false);
                roots.push(vertex);
            }
        }
    }
    let join_all = |sets: &mut Connected, vertex: usize| {
        graph.out_neighbours(vertex).iter().for_each(|&other| sets.join(vertex, other as usize));
    };
    roots.iter().for_each(|&root| join_all(&mut sets, root));
    // Edges within one set are not needed. The larger it is the better; this is the one that most vertices are in, if there is one.
    let (mut large, mut votes) = (0, 0usize);
    for vertex in 0..n {
        let own = sets.find(vertex).0;
        match (own == large, votes) {
            (true, _) => votes += 1,
            (false, 0) => (large, votes) = (own, 1),
            (false, _) => votes -= 1,
        }
    }
    for vertex in 0..n {
        if sets.find(vertex).0 != large {
            join_all(&mut sets, vertex);
        }
    }
    let is_left: Vec<bool> = (0..n).map(|vertex| !sets.find(vertex).1).collect();
    joins_two_sides(graph, &is_left).then_some(is_left)
}

/// True when every edge joins the two sides. Only the edges on the left are looked at: there are as many arcs from left to right as back, so if all from
/// the left go to the right and they are half of all arcs, those from the right go to the left.
fn joins_two_sides(graph: &Graph, is_left: &[bool]) -> bool {
    let (mut arcs, mut is_wrong) = (0, false);
    for vertex in (0..graph.n()).filter(|&vertex| is_left[vertex]) {
        let heads = graph.out_neighbours(vertex);
        arcs += heads.len();
        is_wrong |= heads.iter().fold(false, |is_wrong, &head| is_wrong | is_left[head as usize]);
    }
    !is_wrong && 2 * arcs == graph.arc_count()
}

/// As [`by_few_edges`] by a search along all edges, which finds a cycle of odd length where there is one.
fn by_search(graph: &Graph) -> Result<Vec<bool>, Vec<usize>> {
    let n = graph.n();
    let (mut colour, mut from) = (vec![None; n], vec![NOBODY; n]);
    let mut queue: Vec<u32> = vec![];
    for start in 0..n {
        if colour[start].is_some() {
            continue;
        }
        colour[start] = Some(true);
        queue.push(start as u32);
        let mut next = queue.len() - 1;
        while next < queue.len() {
            let vertex = queue[next] as usize;
            next += 1;
            for head in graph.out_neighbours(vertex).iter().map(|&head| head as usize) {
                match colour[head] {
                    None => {
                        colour[head] = colour[vertex].map(|left: bool| !left);
                        from[head] = vertex as u32;
                        queue.push(head as u32);
                    }
                    known if known == colour[vertex] => return Err(odd_cycle(&from, vertex, head)),
                    Some(_) => {}
                }
            }
        }
    }
    Ok(colour.into_iter().map(|left| left == Some(true)).collect())
}

/// The cycle that an edge between two vertices of one colour closes with the paths to them.
fn odd_cycle(from: &[u32], one: usize, other: usize) -> Vec<usize> {
    let path_to = |vertex: usize| -> Vec<usize> {
        let above = |&at: &usize| Some(from[at]).filter(|&above| above != NOBODY).map(|above| above as usize);
        let mut path: Vec<usize> = std::iter::successors(Some(vertex), above).collect();
        path.reverse();
        path
    };
    let (one, other) = (path_to(one), path_to(other));
    let common = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let mut cycle = one[common - 1..].to_vec();
    cycle.extend(other[common..].iter().rev());
    let least = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
    cycle.rotate_left(least);
    cycle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    /// The graph of some of the pairs one <= other.
    fn graph_of(n: usize, mut is_there: impl FnMut(usize, usize) -> bool) -> Graph {
        let pairs = (0..n).flat_map(|one| (one..n).map(move |other| (one, other)));
        Graph::undirected(n, pairs.filter(|&(one, other)| is_there(one, other)).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn few_edges_find_the_sides_that_a_search_along_all_finds() {
        for n in 0..=5 {
            let pairs = n * (n + 1) / 2;
            for set in 0..1u32 << pairs {
                let mut bits = (0..pairs).map(|bit| set >> bit & 1 == 1);
                let graph = graph_of(n, |_, _| bits.next().unwrap_or(false));
                assert_eq!(by_few_edges(&graph), by_search(&graph).ok(), "{graph:?}");
            }
        }
    }

    #[test]
    fn few_edges_find_the_sides_of_larger_graphs() {
        let mut of_two_sides = 0;
        for index in 0..300 {
            let mut rng = Rng::stream(0, "two sides", index);
            let (n, wanted) = (1 + rng.below(80), 1 + rng.below(120));
            let is_left: Vec<bool> = (0..n).map(|_| rng.below(2) == 0).collect();
            let odd = if rng.below(3) == 0 { rng.below(n * n) } else { n * n };
            let graph = graph_of(n, |one, other| {
                one * n + other == odd || (is_left[one] != is_left[other] && rng.below(n * n / 2 + 1) < wanted)
            });
            assert_eq!(by_few_edges(&graph), by_search(&graph).ok(), "{graph:?}");
            of_two_sides += usize::from(by_few_edges(&graph).is_some());
        }
        assert!((100..300).contains(&of_two_sides), "{of_two_sides} of 300 have two sides");
    }

    #[test]
    fn numbers_of_edges_are_their_places() {
        let graph = Graph::undirected(5, [(0, 3), (1, 3), (1, 4), (2, 3)]).unwrap();
        let sides = Sides::new(&graph).unwrap();
        assert_eq!(sides.ends(), [[0, 3], [1, 3], [1, 4], [2, 3]]);
        assert!(sides.around(3).eq([(0, 0), (1, 1), (3, 2)]));
        let mut mates = Mates::none(5);
        mates.join(1, 4);
        mates.join(2, 3);
        assert!(sides.slots(&mates, |_| true).eq([2, 3]));
        assert!(sides.slots(&mates, |vertex| vertex == 2).eq([3]));
    }
}
