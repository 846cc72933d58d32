//! Which edges are in some maximum matching, in all, or in none (Dulmage and Mendelsohn).
//!
//! Given one maximum matching, another one differs from it by alternating cycles and by alternating paths of even length that end at a free vertex. So an edge
//! is in some maximum matching exactly when it is in this one, or such a path comes to it from the left or from the right, or it lies on an alternating
//! cycle: both ends are in one strong component, where matched edges lead from right to left and the others from left to right. All of this is a number for
//! each vertex (its class), so that the ends of an edge say whether it is possible; nothing but a table of options asks for the numbers of edges.

use super::matching::any_maximum;
use super::mates::{Mates, NOBODY};
use super::sides::Sides;
use crate::instance::Graph;
use crate::problems::trees::{Sets, strong_components_by};
use fixedbitset::FixedBitSet;
use std::collections::HashSet;
use std::sync::OnceLock;

/// What is possible among the edges that are left by demands.
#[derive(Clone)]
pub(super) struct Structure {
    /// A maximum matching of them.
    pub mates: Mates,
    graph: Graph,
    /// True where these are all edges.
    is_whole: bool,
    /// The vertices on alternating paths from free vertices on the left.
    from_left: Vec<bool>,
    /// [`MOVED`] for a vertex on the left that a path comes to from a free one on the left, and likewise on the right; otherwise the strong component of
    /// the vertex and its mate. An edge is possible where the classes of its ends are the same or one of them is [`MOVED`].
    class: Vec<u32>,
    /// The vertices whose edge is in all.
    is_fixed: FixedBitSet,
    options: OnceLock<Vec<u8>>,
    components: OnceLock<Vec<Component>>,
}

/// The class of vertices all of whose edges are possible.
const MOVED: u32 = u32::MAX;

/// What an option of [`Structure::options`] says.
pub(super) const CAN_BE_OUT: u8 = 1;
pub(super) const CAN_BE_IN: u8 = 2;

/// A connected part of the possible edges. Each chooses its matching apart from the others.
#[derive(Clone)]
pub(super) struct Component {
    /// The left end of its first edge.
    start: usize,
    pub edges: usize,
    lefts: usize,
    rights: usize,
}

/// The vertices of a component.
pub(super) struct Ordered {
    /// The side that every maximum matching covers.
    pub covered: Vec<usize>,
    /// The other side, in the order of a search from vertex to vertex.
    pub others: Vec<usize>,
}

/// What demands leave: the required edges are chosen, and the graph has those and the others that go with them.
pub(super) struct Left {
    pub mates: Mates,
    pub graph: Graph,
}

impl Left {
    /// `None` where required edges share an end or are forbidden.
    pub fn new(sides: &Sides, required: &[usize], forbidden: &[usize]) -> Option<Self> {
        let ends = |slot: &usize| sides.ends()[*slot].map(|end| end as usize);
        let mut mates = Mates::none(sides.n());
        for [left, right] in required.iter().map(ends) {
            if !mates.is_free(left) || !mates.is_free(right) {
                return None;
            }
            mates.join(left, right);
        }
        let forbidden: HashSet<[usize; 2]> = forbidden.iter().map(ends).collect();
        if forbidden.iter().any(|&[left, right]| mates.of(left) == Some(right)) {
            return None;
        }
        let is_there = |one: usize, other: usize| {
            let (left, right) = sides.left_first((one, other));
            let goes_along = mates.of(left).map_or(mates.is_free(right), |mate| mate == right);
            goes_along && !forbidden.contains(&[left, right])
        };
        let graph = sides.graph.clone().without_weights().filtered(is_there);
        Some(Left { mates, graph })
    }
}

impl Structure {
    /// Of all edges.
    pub fn new(sides: &Sides) -> Self {
        let mates = any_maximum(sides, &sides.graph, Mates::none(sides.n()));
        Structure::around(sides, mates, sides.graph.clone(), true)
    }

    /// Of the edges that demands leave.
    pub fn of(sides: &Sides, left: Left) -> Self {
        let mates = any_maximum(sides, &left.graph, left.mates);
        Structure::around(sides, mates, left.graph, false)
    }

    fn around(sides: &Sides, mates: Mates, graph: Graph, is_whole: bool) -> Self {
        let [from_left, from_right] = [true, false].map(|side| mates.reached(sides, &graph, side));
        let (count, component) = components_of_pairs(sides, &mates, &graph);
        let class_of = |vertex: usize| match (sides.is_left[vertex], mates.of(vertex)) {
            (true, _) if from_left[vertex] => MOVED,
            (false, _) if from_right[vertex] => MOVED,
            (false, Some(left)) => component[left],
            _ => component[vertex],
        };
        let class: Vec<u32> = (0..sides.n()).map(class_of).collect();
        let mut members = vec![0u32; count];
        sides.lefts().for_each(|left| members[component[left] as usize] += 1);
        let mut is_fixed = FixedBitSet::with_capacity(sides.n());
        for (left, right) in sides.lefts().filter_map(|left| Some((left, mates.of(left)?))) {
            if class[left] != MOVED && class[right] != MOVED && members[class[left] as usize] == 1 {
                is_fixed.extend([left, right]);
            }
        }
        let (options, components) = (OnceLock::new(), OnceLock::new());
        Structure { mates, graph, is_whole, from_left, class, is_fixed, options, components }
    }

    /// Whether an edge that is left is in some.
    #[inline]
    fn joins(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.class[one], self.class[other]);
        one == other || one == MOVED || other == MOVED
    }

    /// Whether an edge is in some.
    pub fn is_possible(&self, one: usize, other: usize) -> bool {
        self.joins(one, other) && (self.is_whole || self.graph.has_edge(one, other))
    }

    /// For each edge whether it [`CAN_BE_OUT`] and whether it [`CAN_BE_IN`].
    pub fn options(&self, sides: &Sides) -> &[u8] {
        self.options.get_or_init(|| {
            let mut options = Vec::with_capacity(sides.graph.edge_count());
            for vertex in 0..sides.n() {
                let fixed = if self.is_fixed[vertex] { self.mates.all()[vertex] } else { NOBODY };
                let option = |&other: &u32| {
                    let can_be_in = self.is_possible(vertex, other as usize);
                    (u8::from(other != fixed) * CAN_BE_OUT) | (u8::from(can_be_in) * CAN_BE_IN)
                };
                options.extend(sides.higher(vertex).iter().map(option));
            }
            options
        })
    }

    /// The edges that are in all.
    pub fn fixed<'a>(&'a self, sides: &'a Sides) -> impl Iterator<Item = usize> + 'a {
        sides.slots(&self.mates, |vertex| self.is_fixed[vertex])
    }

    /// The vertices that possible edges join to one.
    pub fn possible_neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        let neighbours = self.graph.out_neighbours(vertex).iter().map(|&other| other as usize);
        neighbours.filter(move |&other| self.joins(vertex, other))
    }

    /// A vertex cover with as many vertices as a maximum matching of all edges has edges (König).
    pub fn vertex_cover(&self, sides: &Sides) -> Vec<usize> {
        let has_edge = |vertex: &usize| !self.graph.out_neighbours(*vertex).is_empty();
        (0..sides.n()).filter(has_edge).filter(|&vertex| self.from_left[vertex] != sides.is_left[vertex]).collect()
    }

    /// The components of the possible edges, by their first edge.
    pub fn components(&self, sides: &Sides) -> &[Component] {
        self.components.get_or_init(|| self.find_components(sides))
    }

    fn find_components(&self, sides: &Sides) -> Vec<Component> {
        let names = self.connected();
        let mut number = vec![u32::MAX; sides.n()];
        let mut components: Vec<Component> = vec![];
        let mut options = self.options(sides);
        for vertex in 0..sides.n() {
            let others = sides.higher(vertex);
            let (own, rest) = options.split_at(others.len());
            options = rest;
            let Some(first) = own.iter().position(|option| option & CAN_BE_IN != 0) else { continue };
            let number = &mut number[names[vertex] as usize];
            if *number == u32::MAX {
                *number = components.len() as u32;
                let (start, _) = sides.left_first((vertex, others[first] as usize));
                components.push(Component { start, edges: 0, lefts: 0, rights: 0 });
            }
            let possible: usize = own.iter().map(|option| usize::from(option & CAN_BE_IN != 0)).sum();
            components[*number as usize].edges += possible;
        }
        for (&name, &is_left) in names.iter().zip(&*sides.is_left) {
            if let Some(component) = components.get_mut(number[name as usize] as usize) {
                *(if is_left { &mut component.lefts } else { &mut component.rights }) += 1;
            }
        }
        components
    }

    /// The set that each vertex is in, as one of its members, where possible edges join vertices: a class is connected by them, a matched edge is one, and so
    /// is every edge at a vertex that was moved.
    fn connected(&self) -> Vec<u32> {
        let n = self.class.len();
        let (mut sets, mut first) = (Sets::new(n), vec![NOBODY; n + 1]);
        for vertex in 0..n {
            if let Some(mate) = self.mates.of(vertex) {
                sets.join(vertex, mate);
            }
            if self.class[vertex] == MOVED {
                self.graph.out_neighbours(vertex).iter().for_each(|&other| _ = sets.join(vertex, other as usize));
                continue;
            }
            match &mut first[self.class[vertex] as usize] {
                none if *none == NOBODY => *none = vertex as u32,
                first => _ = sets.join(vertex, *first as usize),
            }
        }
        sets.names()
    }
}

/// The strong component of each matched pair, called by its left end, where arcs lead along an edge from left to right and on to whom that one is matched
/// to; how many numbers there are, and the numbers.
fn components_of_pairs(sides: &Sides, mates: &Mates, graph: &Graph) -> (usize, Vec<u32>) {
    let core = core_of_pairs(sides, mates, graph);
    let (count, mut component) = strong_components_by(sides.n(), |left, place| {
        let own = if sides.is_left[left] && !core[left] { graph.out_neighbours(left) } else { &[] };
        // A free vertex on the right leads nowhere.
        own.get(place).map(|&right| mates.of(right as usize).unwrap_or(left) as u32)
    });
    core.ones().for_each(|left| component[left] = count as u32);
    (count + 1, component)
}

/// One of the strong components, on many graphs the one that has nearly all pairs: those that a pair with many edges leads to and that lead to it. Two searches
/// that end when all are found ask memory for less than one that tells all components apart.
fn core_of_pairs(sides: &Sides, mates: &Mates, graph: &Graph) -> FixedBitSet {
    let is_matched = |left: &usize| !mates.is_free(*left);
    let Some(start) = sides.lefts().filter(is_matched).max_by_key(|&left| graph.out_neighbours(left).len()) else {
        return FixedBitSet::with_capacity(sides.n());
    };
    let beyond = |left: usize| graph.out_neighbours(left).iter().filter_map(|&right| mates.of(right as usize));
    let before = |left: usize| {
        let right = mates.of(left).expect("only pairs are met");
        graph.out_neighbours(right).iter().map(|&left| left as usize).filter(is_matched)
    };
    let mut core = spread(sides.n(), mates.size(), start, beyond);
    core.intersect_with(&spread(sides.n(), mates.size(), start, before));
    core
}

/// What is met by going on from a start, at most so many.
fn spread<I: Iterator<Item = usize>>(n: usize, most: usize, start: usize, beyond: impl Fn(usize) -> I) -> FixedBitSet {
    let mut is_met = FixedBitSet::with_capacity(n);
    is_met.insert(start);
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(&at) = queue.get(next).filter(|_| queue.len() < most) {
        next += 1;
        queue.extend(beyond(at).filter(|&other| !is_met.put(other)));
    }
    is_met
}

impl Component {
    pub fn covered(&self) -> usize {
        self.lefts.min(self.rights)
    }

    pub fn others(&self) -> usize {
        self.lefts.max(self.rights)
    }

    /// A number of matchings that there are at least. They are the corners of a polytope in which each vertex of the covered side has edges that sum to
    /// one, and the others as well where both sides are equally large (one of these equations follows from the rest); it has more corners than
    /// dimensions.
    pub fn at_least(&self) -> usize {
        let equations = match self.covered() == self.others() {
            true => 2 * self.covered() - 1,
            false => self.covered(),
        };
        self.edges - equations + 1
    }
}

/// Finds the vertices of components, one component after the other.
pub(super) struct Orders<'a> {
    pub sides: &'a Sides,
    pub found: &'a Structure,
    is_met: FixedBitSet,
}

impl<'a> Orders<'a> {
    pub fn new(sides: &'a Sides, found: &'a Structure) -> Self {
        Orders { sides, found, is_met: FixedBitSet::with_capacity(sides.n()) }
    }

    /// The vertices of a component in the order of a search, until so many of the other side are found.
    pub fn of(&mut self, component: &Component, most: usize) -> Ordered {
        let others_are_left = component.lefts > component.rights;
        let mut order = vec![component.start];
        self.is_met.insert(component.start);
        let (mut next, mut others) = (0, usize::from(others_are_left));
        while let Some(&vertex) = order.get(next).filter(|_| others < most) {
            next += 1;
            for other in self.found.possible_neighbours(vertex) {
                if !self.is_met.put(other) {
                    others += usize::from(self.sides.is_left[other] == others_are_left);
                    order.push(other);
                }
            }
        }
        // Not the whole set: there may be many small components.
        order.iter().for_each(|&vertex| self.is_met.remove(vertex));
        let is_other = |&vertex: &usize| self.sides.is_left[vertex] == others_are_left;
        let (mut others, covered): (Vec<usize>, Vec<usize>) = order.into_iter().partition(is_other);
        others.truncate(most);
        Ordered { covered, others }
    }
}
