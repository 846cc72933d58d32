//! Maximum matchings of bipartite graphs, as sets of edges.
//!
//! Right: no two chosen edges share an end, and no such set has more edges. Given one maximum matching, alternating paths and cycles show which edges are in
//! some and which in all (`structure`); the components of the edges that are in some choose apart from each other, so the number of maximum matchings is
//! a product over them. Within a component it is hard to count (#P), so effort is bounded (`table`).

mod augment;
mod enumerate;
mod extract;
mod law;
pub mod matching;
mod quick;
mod structure;
mod table;

pub use extract::Pair;

use super::{Allowed, BadInstance, Intractable, Optimality, Possible, Problem, SolutionSet, Space, check_undirected};
use crate::answers::{Candidate, Form, IN, OUT};
use crate::instance::{Graph, Instance};
use crate::problems::extract::{Argmax, Random};
use crate::problems::grouped::Grouped;
use crate::problems::ties::Free;
use crate::problems::verify::{Rule, Violation, check_slots};
use crate::random::Rng;
use augment::{Mates, NOBODY};
use num_bigint::BigUint;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use structure::{Left, Structure};

/// Maximum matchings of bipartite graphs.
pub static MAXIMUM_MATCHINGS: Problem = Problem {
    name: "maximum matchings",
    form: Form::Edges,
    items: None,
    measures_paths: false,
    extractors: &[&Argmax, &Random, &Pair],
};

/// The maximum matchings of a bipartite graph.
pub struct Matchings<'a> {
    instance: &'a Instance,
    /// True for the vertices on the left.
    is_left: Arc<[bool]>,
    /// Made when first asked for: a verifier mostly does without them.
    sides: OnceLock<Sides>,
    structure: OnceLock<Structure>,
}

/// A bipartite graph with its two sides. An edge goes by its slot.
pub(super) struct Sides {
    /// True for the vertices on the left; the lowest vertex of each component is.
    pub is_left: Arc<[bool]>,
    /// The ends of each edge: left, right.
    pub ends: Vec<[u32; 2]>,
    /// The edges at each vertex, ascending.
    pub at: Grouped<u32>,
    /// The graph. Its neighbours of a vertex are the other ends of the edges at it, in the same order.
    graph: Graph,
}

/// Edges at vertices on the left, with the right end of each beside it.
pub(super) struct Offers<'a> {
    pub slots: &'a Grouped<u32>,
    pub rights: Cow<'a, [u32]>,
}

impl<'a> Offers<'a> {
    /// Some of the edges.
    pub fn new(sides: &Sides, slots: &'a Grouped<u32>) -> Self {
        Offers { slots, rights: slots.items().iter().map(|&slot| sides.ends[slot as usize][1]).collect() }
    }

    /// The edges at a vertex on the left, each with its right end.
    pub fn of(&self, left: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let own = self.slots.start(left)..self.slots.start(left + 1);
        let pairs = self.slots.items()[own.clone()].iter().zip(&self.rights[own]);
        pairs.map(|(&slot, &right)| (slot as usize, right as usize))
    }
}

impl Sides {
    fn new(graph: &Graph, is_left: Arc<[bool]>) -> Self {
        let left_first = |(one, other): (usize, usize)| {
            if is_left[one] { [one as u32, other as u32] } else { [other as u32, one as u32] }
        };
        let mut ends: Vec<[u32; 2]> = Vec::with_capacity(graph.edge_count());
        ends.extend(graph.edges().map(left_first));
        // The edges to lower vertices come first, and one after the other.
        let mut lower: Vec<usize> = (0..graph.n()).map(|vertex| graph.first_arc(vertex)).collect();
        let (mut slots, mut next) = (vec![0; graph.arc_count()], 0);
        for vertex in 0..graph.n() {
            let first = graph.first_arc(vertex);
            for (place, &other) in graph.out_neighbours(vertex).iter().enumerate() {
                if vertex < other as usize {
                    slots[first + place] = next;
                    slots[lower[other as usize]] = next;
                    lower[other as usize] += 1;
                    next += 1;
                }
            }
        }
        let at = Grouped::sized((0..graph.n()).map(|vertex| graph.out_neighbours(vertex).len()), slots);
        Sides { is_left, ends, at, graph: graph.clone() }
    }

    /// All edges at vertices on the left.
    pub fn offers(&self) -> Offers<'_> {
        Offers { slots: &self.at, rights: Cow::Borrowed(self.graph.heads()) }
    }

    /// The edges at a vertex, each with its other end.
    pub fn around(&self, vertex: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = self.at.of(vertex).iter().zip(self.graph.out_neighbours(vertex));
        pairs.map(|(&slot, &other)| (slot as usize, other as usize))
    }

    pub fn n(&self) -> usize {
        self.is_left.len()
    }

    /// The vertices on the left that have an edge.
    pub fn lefts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.n()).filter(|&vertex| self.is_left[vertex] && !self.at.of(vertex).is_empty())
    }

    /// The other end of an edge.
    pub fn across(&self, slot: usize, vertex: usize) -> usize {
        let [left, right] = self.ends[slot].map(|end| end as usize);
        if vertex == left { right } else { left }
    }
}

/// Sides such that every edge joins the two, or a cycle of odd length.
fn two_colours(graph: &Graph) -> Result<Vec<bool>, Vec<usize>> {
    let n = graph.n();
    let (mut colour, mut from) = (vec![None; n], vec![NOBODY as u32; n]);
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
        let up = std::iter::successors(Some(vertex), |&at| Some(from[at] as usize).filter(|&above| above != NOBODY));
        let mut path: Vec<usize> = up.collect();
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

impl<'a> Matchings<'a> {
    /// Checks that edges have no direction and join two sides.
    pub fn new(algorithm: &'static str, instance: &'a Instance) -> Result<Self, BadInstance> {
        check_undirected(algorithm, &instance.graph)?;
        let is_left = two_colours(&instance.graph).map_err(|cycle| BadInstance::OddCycle { algorithm, cycle })?;
        Ok(Matchings { instance, is_left: is_left.into(), sides: OnceLock::new(), structure: OnceLock::new() })
    }

    /// The instance.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    fn two_sides(&self) -> &Sides {
        self.sides.get_or_init(|| Sides::new(&self.instance.graph, Arc::clone(&self.is_left)))
    }

    fn structure(&self) -> &Structure {
        self.structure.get_or_init(|| Structure::new(self.two_sides()))
    }

    /// The number of edges of a maximum matching.
    fn size(&self) -> usize {
        self.structure().mates.size(self.two_sides())
    }

    fn candidate(&self, chosen: impl IntoIterator<Item = usize>) -> Candidate {
        Candidate::from_set(Form::Edges, self.two_sides().ends.len(), chosen).expect("slots are edges of the graph")
    }

    /// What demands leave, before anything else is chosen; `None` where they contradict each other.
    fn left_by(&self, allowed: &Allowed) -> Option<Left> {
        let slots = allowed.slots();
        let with = |option| slots.iter().copied().filter(move |&slot| !allowed.permits(slot, option));
        let (required, forbidden): (Vec<usize>, Vec<usize>) = (with(OUT).collect(), with(IN).collect());
        Left::new(self.two_sides(), &required, &forbidden)
    }

    /// What is possible under demands; `None` where no maximum matching meets them.
    fn demanded(&self, allowed: &Allowed) -> Option<Cow<'_, Structure>> {
        if allowed.is_everything() {
            return Some(Cow::Borrowed(self.structure()));
        }
        let found = Structure::of(self.two_sides(), self.left_by(allowed)?);
        (found.mates.size(self.two_sides()) == self.size()).then_some(Cow::Owned(found))
    }
}

impl Space for Matchings<'_> {
    fn takes_tolerance(&self) -> Result<(), Intractable> {
        Err(Intractable("its right answers are all equally large, and a smaller one is not right".to_owned()))
    }

    /// O(n + m).
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation> {
        check_slots(self.instance, Form::Edges, candidate)?;
        if quick::is_maximum(&self.instance.graph, &self.is_left, candidate) {
            return Ok(());
        }
        let mut mates = Mates::none(self.two_sides().n());
        for slot in candidate.chosen() {
            for end in self.two_sides().ends[slot].map(|end| end as usize) {
                if mates.edge(end) != NOBODY {
                    let ends = |slot: usize| {
                        (self.two_sides().ends[slot][0] as usize, self.two_sides().ends[slot][1] as usize)
                    };
                    let edges = vec![ends(mates.edge(end)), ends(slot)];
                    return Err(Violation::with_edges(end, Rule::OneChosenEdgeEach, edges));
                }
            }
            mates.join(self.two_sides(), slot);
        }
        match mates.augmenting_path(self.two_sides(), |_| true) {
            None => Ok(()),
            Some(slots) => {
                let path = path_of(self.two_sides(), &mates, &slots);
                Err(Violation { path, ..Violation::of(Rule::NoAugmentingPath) })
            }
        }
    }

    fn count(&self, effort: usize) -> Result<BigUint, Intractable> {
        table::count(self.two_sides(), self.structure(), effort)
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        let matchings = enumerate::Enumeration::new(self.two_sides(), self.structure().mates.clone());
        Ok(Box::new(matchings.map(|slots| self.candidate(slots))))
    }

    /// By alternating paths and cycles (Dulmage and Mendelsohn): linear after a maximum matching.
    fn possible(&self, allowed: &Allowed) -> Result<Possible, Intractable> {
        let found = self.demanded(allowed);
        let Some(found) = found else { return Ok(Possible::nothing(self.two_sides().ends.len())) };
        let can_be = |slot: usize| (!found.is_fixed[slot], found.is_possible[slot]);
        Ok(Possible::of_set((0..self.two_sides().ends.len()).map(can_be)))
    }

    fn within(&self, allowed: &Allowed, effort: usize) -> Result<Box<dyn SolutionSet + '_>, Intractable> {
        let found = self.demanded(allowed);
        Ok(Box::new(table::AllowedMatchings::new(self, found.as_deref(), effort)?))
    }

    fn refutes(&self, allowed: &Allowed) -> bool {
        !allowed.is_everything() && self.demanded(allowed).is_none()
    }

    /// Turns in random order over the edges that demands leave.
    fn find(&self, allowed: &Allowed, rng: &mut Rng) -> Option<Candidate> {
        let left = self.left_by(allowed)?;
        let mates = matching::take_turns(
            self.two_sides(),
            &Offers::new(self.two_sides(), &left.edges),
            left.mates,
            &mut Free(rng),
        );
        (mates.size(self.two_sides()) == self.size()).then(|| self.candidate(mates.slots(self.two_sides())))
    }

    /// The matchings of a component span a polytope; it has more corners than dimensions.
    fn at_least(&self, _solution: &Candidate) -> BigUint {
        self.structure()
            .components(self.two_sides())
            .iter()
            .map(|component| BigUint::from(component.at_least()))
            .product()
    }

    fn sides(&self) -> Option<&[bool]> {
        Some(&self.is_left)
    }

    /// König: a vertex cover with as many vertices as a maximum matching has edges.
    fn optimality(&self) -> Option<Optimality> {
        let cover = self.structure().mates.vertex_cover(self.two_sides());
        let statement = format!(
            "no matching has more than {} edges: each edge has an end among as many vertices, and a matching has at most one edge at each",
            cover.len()
        );
        Some(Optimality { statement, vertices: cover })
    }
}

/// The vertices of an augmenting path, its edges given from the first on.
fn path_of(sides: &Sides, mates: &Mates, slots: &[usize]) -> Vec<usize> {
    let start = sides.ends[slots[0]]
        .map(|end| end as usize)
        .into_iter()
        .find(|&end| mates.edge(end) == NOBODY && (slots.len() == 1 || !sides.ends[slots[1]].contains(&(end as u32))));
    let start = start.expect("an augmenting path starts at a free vertex");
    let mut path = vec![start];
    for &slot in slots {
        path.push(sides.across(slot, path[path.len() - 1]));
    }
    path
}
