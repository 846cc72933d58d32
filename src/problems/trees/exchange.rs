//! Spanning forests that differ from a given one by one edge.

use super::forest::{at_vertices, other_end};

/// All pairs (edge put in, edge taken out) after which a spanning forest is one still, and weighs at most `room` more. Edges go by id, their index.
///
/// Time O(n + m), and for each edge outside what the cycle that it closes takes.
pub fn exchanges<'a>(
    n: usize,
    edges: &'a [(usize, usize, i128)],
    forest: &[usize],
    room: i128,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let hanging = Hanging::new(n, edges, forest);
    let mut is_inside = vec![false; edges.len()];
    forest.iter().for_each(|&edge| is_inside[edge] = true);
    let outside = (0..edges.len()).filter(move |&edge| !is_inside[edge]);
    outside.flat_map(move |put_in| {
        let (one, other, weight) = edges[put_in];
        let cycle = hanging.path(one, other).into_iter();
        cycle.filter(move |&out| weight - edges[out].2 <= room).map(move |out| (put_in, out))
    })
}

/// A forest, each tree hung up at one of its vertices.
struct Hanging {
    /// The edge that leads up, and where to; none at the top.
    above: Vec<Option<(usize, usize)>>,
    depth: Vec<usize>,
}

impl Hanging {
    fn new(n: usize, edges: &[(usize, usize, i128)], forest: &[usize]) -> Self {
        let at = at_vertices(n, edges, forest);
        let mut hanging = Hanging { above: vec![None; n], depth: vec![usize::MAX; n] };
        for top in 0..n {
            if hanging.depth[top] != usize::MAX {
                continue;
            }
            hanging.depth[top] = 0;
            let mut waiting = vec![top];
            while let Some(vertex) = waiting.pop() {
                for edge in at.of(vertex).iter().map(|&edge| edge as usize) {
                    let below = other_end(edges, edge, vertex);
                    if hanging.depth[below] == usize::MAX {
                        hanging.depth[below] = hanging.depth[vertex] + 1;
                        hanging.above[below] = Some((edge, vertex));
                        waiting.push(below);
                    }
                }
            }
        }
        hanging
    }

    /// The edges between two vertices; none where they are in different trees.
    fn path(&self, mut one: usize, mut other: usize) -> Vec<usize> {
        let mut path = vec![];
        while one != other {
            if self.depth[one] < self.depth[other] {
                std::mem::swap(&mut one, &mut other);
            }
            let Some((edge, above)) = self.above[one] else { return vec![] };
            path.push(edge);
            one = above;
        }
        path
    }
}
