//! Where the ways of a tree meet a route: the lowest place of the route on the way from a vertex to the root.
//!
//! Found once for each vertex and route, however many vertices of the route ask: O(n) for a route at the most, and mostly a few steps.

use super::tree::Tree;

/// The places of one route, and the lowest that each vertex's way meets.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    route: u32,
    vertices: Vec<Vertex>,
    passed: Vec<u32>,
}

/// An entry is valid where its stamp is the number of the route.
#[derive(Clone, Copy, Debug, Default)]
struct Vertex {
    on_route: u32,
    place: u32,
    followed: u32,
    lowest: u32,
}

impl Meetings {
    /// Turns to another route.
    pub fn begin(&mut self, path: &[u32], n: usize) {
        self.vertices.resize(n, Vertex::default());
        self.route += 1;
        for (place, &vertex) in path.iter().enumerate() {
            let entry = &mut self.vertices[vertex as usize];
            (entry.on_route, entry.place) = (self.route, place as u32);
        }
    }

    /// True when a vertex is on the route, at this place or before.
    pub fn is_kept(&self, vertex: u32, place: u32) -> bool {
        let entry = &self.vertices[vertex as usize];
        entry.on_route == self.route && entry.place <= place
    }

    /// The lowest place of the route that the way of a vertex meets, itself included; 0 where the tree has no way for it.
    pub fn lowest(&mut self, tree: &Tree, vertex: u32) -> u32 {
        self.passed.clear();
        let mut end = vertex;
        let mut lowest = loop {
            let entry = &self.vertices[end as usize];
            if entry.followed == self.route {
                break entry.lowest;
            }
            if !tree.has(end) {
                break 0;
            }
            self.passed.push(end);
            if end == tree.root {
                break u32::MAX;
            }
            end = tree.next(end);
        };
        for &vertex in self.passed.iter().rev() {
            let entry = &mut self.vertices[vertex as usize];
            if entry.on_route == self.route {
                lowest = lowest.min(entry.place);
            }
            (entry.followed, entry.lowest) = (self.route, lowest);
        }
        lowest
    }
}
