//! The edges that are in some minimum spanning forest, and what they connect, weight by weight.
//!
//! Taken from the lightest on, an edge is in some forest exactly when lighter edges do not connect its ends: it is *live*. Mostly few more than a forest has are,
//! so that whatever asks about all forests asks about these; and it is enough to go through all edges by weight once.

use super::Edge;
use crate::problems::grouped::Grouped;
use crate::problems::trees::ByWeight;

/// The live edges; they go by their place among them, which ascends with that among all edges.
pub(super) struct Live {
    /// Each once, ascending by its lower end, then by the higher.
    pub edges: Vec<Edge>,
    /// The same, from the lightest on.
    pub by_weight: ByWeight,
    /// What they connect.
    pub hierarchy: Hierarchy,
    /// Whether the source is connected to each vertex.
    pub is_inside: Vec<bool>,
    /// The first edge of each lower end.
    first: Vec<u32>,
}

/// What the edges connect, class by class: vertices are nodes, and so is each component of each class.
pub(super) struct Hierarchy {
    /// The node that each node is part of, itself at the top.
    pub parent: Vec<u32>,
    /// The edges that join the parts of each node.
    pub joins: Grouped<u32>,
    /// The part of its node that each end of an edge is in.
    pub parts: Vec<[u32; 2]>,
}

/// An edge on its way into [`Live`].
#[derive(Clone, Copy)]
struct Found {
    /// Its place among all edges.
    edge: u32,
    ends: [u32; 2],
    parts: [u32; 2],
    node: u32,
}

impl Live {
    /// Of the edges of a graph with vertices below `n`, numbered as they ascend by lower end and higher, and without self-loops.
    pub fn new(n: usize, order: &ByWeight, source: usize) -> Self {
        let mut merging = Merging::new(n);
        let (mut class_ends, mut weights) = (vec![], vec![]);
        for class in order.classes() {
            // All is one: no heavier edge joins anything.
            if merging.left <= 1 {
                break;
            }
            let before = merging.found.len();
            merging.add(class.edges, class.ends);
            if merging.found.len() > before {
                class_ends.push(merging.found.len());
                weights.push(class.weight);
            }
        }
        let Merging { parent, mut leader, found, .. } = merging;
        let top = find(&mut leader, source as u32);
        let is_inside = (0..n as u32).map(|vertex| find(&mut leader, vertex) == top).collect();
        Live::numbered(n, found, class_ends, weights, parent, is_inside)
    }

    fn numbered(
        n: usize,
        found: Vec<Found>,
        class_ends: Vec<usize>,
        weights: Vec<i128>,
        parent: Vec<u32>,
        is_inside: Vec<bool>,
    ) -> Self {
        let mut keys: Vec<u64> =
            found.iter().zip(0u64..).map(|(found, place)| u64::from(found.edge) << 32 | place).collect();
        keys.sort_unstable();
        let mut number = vec![0; found.len()];
        keys.iter().zip(0u32..).for_each(|(&key, edge)| number[key as u32 as usize] = edge);
        let (mut edges, mut parts) = (vec![(0, 0, 0); found.len()], vec![[0; 2]; found.len()]);
        let mut class = 0;
        for (place, (one, &edge)) in found.iter().zip(&number).enumerate() {
            class += usize::from(place == class_ends[class]);
            edges[edge as usize] = (one.ends[0] as usize, one.ends[1] as usize, weights[class]);
            parts[edge as usize] = one.parts;
        }
        let mut first = vec![0; n + 1];
        edges.iter().for_each(|&(lower, ..)| first[lower + 1] += 1);
        (0..n).for_each(|vertex| first[vertex + 1] += first[vertex]);
        let joined = found.iter().zip(&number).map(|(found, &edge)| (found.node as usize, edge));
        let joins = Grouped::new(parent.len(), joined);
        let sorted = number.iter().zip(&found).map(|(&edge, found)| (edge, found.ends));
        let by_weight = ByWeight::of_classes(sorted, class_ends, weights);
        Live { edges, by_weight, hierarchy: Hierarchy { parent, joins, parts }, is_inside, first }
    }

    /// The live edge between two vertices.
    pub fn edge(&self, one: usize, other: usize) -> Option<usize> {
        let (lower, higher) = (one.min(other), one.max(other));
        let own = self.first[lower] as usize..self.first[lower + 1] as usize;
        let place = self.edges[own.clone()].binary_search_by_key(&higher, |&(_, higher, _)| higher).ok()?;
        Some(own.start + place)
    }

    /// The weight of the heaviest live edge.
    pub fn heaviest(&self) -> Option<i128> {
        self.by_weight.classes().last().map(|class| class.weight)
    }
}

/// Components that become larger, class by class.
struct Merging {
    parent: Vec<u32>,
    /// Short cuts on the way to the top.
    leader: Vec<u32>,
    found: Vec<Found>,
    /// How many components there are.
    left: usize,
}

impl Merging {
    fn new(n: usize) -> Self {
        let parent: Vec<u32> = (0..n as u32).collect();
        Merging { leader: parent.clone(), parent, found: vec![], left: n }
    }

    /// Adds the edges of the next weight.
    fn add(&mut self, edges: &[u32], ends: &[[u32; 2]]) {
        let before = self.found.len();
        for (&edge, &ends) in edges.iter().zip(ends) {
            let parts = ends.map(|end| find(&mut self.leader, end));
            if parts[0] != parts[1] {
                self.found.push(Found { edge, ends, parts, node: 0 });
            }
        }
        let first_new = self.parent.len() as u32;
        for place in before..self.found.len() {
            self.join(self.found[place].parts, first_new);
        }
        for found in &mut self.found[before..] {
            found.node = find(&mut self.leader, found.parts[0]);
            found.parts.into_iter().for_each(|part| self.parent[part as usize] = found.node);
        }
        // New nodes that were joined to another new one in the same class are no components of their own.
        for node in first_new..self.parent.len() as u32 {
            self.parent[node as usize] = find(&mut self.leader, node);
        }
    }

    fn join(&mut self, parts: [u32; 2], first_new: u32) {
        let tops = parts.map(|part| find(&mut self.leader, part));
        let node = match tops {
            [one, other] if one == other => return,
            [one, _] if one >= first_new => one,
            [_, other] if other >= first_new => other,
            _ => {
                let node = self.parent.len() as u32;
                self.parent.push(node);
                self.leader.push(node);
                node
            }
        };
        tops.into_iter().for_each(|top| self.leader[top as usize] = node);
        self.left -= 1;
    }
}

fn find(leader: &mut [u32], mut node: u32) -> u32 {
    while leader[node as usize] != node {
        leader[node as usize] = leader[leader[node as usize] as usize];
        node = leader[node as usize];
    }
    node
}
