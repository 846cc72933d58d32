//! Minimum spanning trees of the source's component, rooted at the source ([`RootedTrees`]), and minimum spanning forests of the whole graph, as
//! sets of edges ([`SpanningForests`]).
//!
//! A rooted tree is right: the parents of the vertices that the source is connected to form a tree rooted at the source whose total weight is the least; every
//! other vertex is its own parent. The theory is that of weight classes ([`crate::problems::trees::Classes`]): taken in ascending order, what lighter edges
//! connect being one vertex, a set of edges is minimum exactly when it spans every class's multigraph. Rooting a spanning tree at the source
//! is no choice, so counts and uniform draws are those of the sets of edges.

mod crossing;
mod extract;
pub mod forests;
pub mod kruskal;
mod live;
mod middle;
mod names;
mod near;
mod offers;
mod possible;
pub mod prim;
mod prim_steps;
pub(super) mod quick;
mod verify;

pub use extract::{Grow, Merge};
pub use forests::SpanningForests;

use super::{
    Allowed, BadInstance, Direction, Intractable, Needs, Possible, Problem, SolutionSet, Space, Weights, checked_source,
};
use crate::answers::{Candidate, Form, Parents};
use crate::instance::{Graph, Instance, Weight};
use crate::neural::executor::Priorities;
use crate::problems::extract::{Argmax, Random};
use crate::problems::tolerance::{Gap, Tolerance};
use crate::problems::trees::{ByWeight, Classes, EachEdge, Limits, TreeCount, exchanges, rooted};
use crate::problems::verify::Violation;
use crate::random::Rng;
use live::Live;
use num_bigint::BigUint;
use offers::Offers;
use std::collections::HashSet;
use std::sync::OnceLock;

/// Minimum spanning trees, each rooted at the source.
pub static ROOTED_SPANNING_TREES: Problem = Problem {
    name: "minimum spanning trees",
    form: Form::Parents,
    items: None,
    measures_paths: false,
    extractors: &[&Argmax, &Random, &Grow],
};

/// Minimum spanning forests as sets of edges.
pub static SPANNING_FORESTS: Problem = Problem {
    name: "minimum spanning forests",
    form: Form::Edges,
    items: None,
    measures_paths: false,
    extractors: &[&Argmax, &Random, &Merge],
};

/// What algorithms need for either form.
const SPANNING_NEEDS: Needs = Needs { weights: Weights::AnySign, direction: Direction::Undirected, ..Needs::ANY_GRAPH };

/// An undirected edge: its ends, the lower first, and its weight.
type Edge = (usize, usize, Weight);

/// The minimum spanning trees of the source's component.
pub struct RootedTrees<'a> {
    instance: &'a Instance,
    source: usize,
    /// Made when first asked for: a verifier mostly does without them.
    numbered: OnceLock<Numbered>,
    by_weight: OnceLock<ByWeight>,
    live: OnceLock<Live>,
    offers: OnceLock<Offers>,
    /// Of the live edges, and by their numbers.
    classes: OnceLock<Classes>,
    least: OnceLock<Weight>,
    possible: OnceLock<Vec<(usize, usize)>>,
}

/// The edges of a graph with their numbers.
struct Numbered {
    /// Every edge once, self-loops left out; edges go by their place in this list.
    edges: Vec<Edge>,
    /// The edge of each arc that leads to a higher vertex, by the arc's place in the graph.
    of_arc: Vec<u32>,
}

impl Numbered {
    fn new(graph: &Graph) -> Self {
        let mut of_arc = Vec::with_capacity(graph.arc_count());
        let mut edges = Vec::with_capacity(graph.arc_count() / 2);
        for tail in 0..graph.n() {
            graph.each_out_edge(tail, |head, weight| {
                of_arc.push(if tail < head { edges.len() as u32 } else { NO_EDGE });
                if tail < head {
                    edges.push((tail, head, weight));
                }
            });
        }
        Numbered { edges, of_arc }
    }
}

const NO_EDGE: u32 = u32::MAX;

impl<'a> RootedTrees<'a> {
    /// Checks the source, and that each edge goes both ways.
    pub fn new(algorithm: &'static str, instance: &'a Instance) -> Result<Self, BadInstance> {
        let source = checked_source(algorithm, instance)?;
        let graph = &instance.graph;
        let one_way = || graph.weighted_arcs().find(|&(tail, head, weight)| graph.weight(head, tail) != Some(weight));
        if let Some((tail, head, _)) = Some(()).filter(|()| !graph.is_undirected()).and_then(|()| one_way()) {
            return Err(BadInstance::NotUndirected { algorithm, tail, head });
        }
        let (numbered, by_weight, live, offers) = (OnceLock::new(), OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (classes, least, possible) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Ok(RootedTrees { instance, source, numbered, by_weight, live, offers, classes, least, possible })
    }

    /// The instance.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// The root.
    pub fn source(&self) -> usize {
        self.source
    }

    fn graph(&self) -> &Graph {
        &self.instance.graph
    }

    fn numbered(&self) -> &Numbered {
        self.numbered.get_or_init(|| Numbered::new(self.graph()))
    }

    /// Every edge once, self-loops left out.
    fn edges(&self) -> &[Edge] {
        &self.numbered().edges
    }

    /// The edge between two vertices.
    fn edge(&self, one: usize, other: usize) -> Option<usize> {
        let arc = self.graph().arc(one.min(other), one.max(other))?;
        Some(self.numbered().of_arc[arc] as usize).filter(|&edge| edge != NO_EDGE as usize)
    }

    fn classes(&self) -> &Classes {
        self.classes.get_or_init(|| Classes::of_sorted_within(&self.live().by_weight, &self.live().is_inside))
    }

    /// The edges that are in some minimum spanning forest of the whole graph.
    fn live(&self) -> &Live {
        self.live.get_or_init(|| Live::new(self.instance.n(), self.by_weight(), self.source))
    }

    /// Every edge once, self-loops left out, as [`RootedTrees::edges`] has them; but no memory is taken for them.
    fn each_edge(&self) -> Edges<'_> {
        Edges { graph: self.graph(), has_loops: false }
    }

    /// The edges, from the lightest on.
    fn by_weight(&self) -> &ByWeight {
        self.by_weight.get_or_init(|| ByWeight::new(&self.each_edge()))
    }

    /// What makes runs quick, where somebody needed the live edges before.
    fn offers(&self) -> Option<&Offers> {
        let live = self.live.get()?;
        Some(self.offers.get_or_init(|| Offers::new(self.graph(), self.source, self.by_weight(), live)))
    }

    /// Possible choices without demands, as (child, parent).
    fn possible_pairs(&self) -> &[(usize, usize)] {
        self.possible.get_or_init(|| possible::possible_parents(self.source, self.live()))
    }

    /// The total weight of the minimum spanning trees.
    fn least(&self) -> Weight {
        *self.least.get_or_init(|| least(self.classes(), &self.live().edges))
    }

    /// The live edges of a candidate; `None` where a parent has none to its child.
    fn live_edges_of(&self, candidate: Parents<'_>) -> Option<Vec<usize>> {
        candidate.edges().map(|(parent, child)| self.live().edge(parent, child)).collect()
    }

    /// The edges of a candidate; `None` where a parent has no edge to its child.
    fn edges_of(&self, candidate: Parents<'_>) -> Option<Vec<usize>> {
        candidate.edges().map(|(parent, child)| self.edge(parent, child)).collect()
    }

    /// The edges of a candidate whose parents all have one.
    fn chosen(&self, candidate: Parents<'_>) -> Vec<usize> {
        self.edges_of(candidate).expect("every parent has an edge to its child")
    }

    /// A minimum spanning tree by its live edges.
    fn rooted(&self, forest: &[usize]) -> Candidate {
        self.rooted_among(&self.live().edges, forest)
    }

    fn rooted_among(&self, edges: &[Edge], forest: &[usize]) -> Candidate {
        let parents = rooted(self.instance.n(), edges, forest, self.source).expect("the edges are the graph's");
        Candidate::from_parents(parents).expect("parents are vertices")
    }

    /// Demands as required and forbidden live edges; no edges where one is required that is not live. A demand on one direction only cannot be put so: `None`.
    fn on_edges(&self, allowed: &Allowed) -> Option<Option<(Vec<usize>, Vec<usize>)>> {
        let (mut required, mut forbidden, mut is_met) = (vec![], vec![], true);
        for &[(slot, option), back] in allowed.either() {
            debug_assert_eq!(back, (option, slot), "an edge has two directions");
            self.edge(slot, option)?;
            match self.live().edge(slot, option) {
                Some(edge) => required.push(edge),
                None => is_met = false,
            }
        }
        for (slot, option) in allowed.forbidden() {
            // A direction that no solution has may be forbidden without any effect.
            let is_possible = |pair: (usize, usize)| self.possible_pairs().binary_search(&pair).is_ok();
            match (is_possible((slot, option)), is_possible((option, slot)) && allowed.permits(option, slot)) {
                (false, _) => {}
                (true, true) => return None,
                (true, false) => forbidden.push(self.live().edge(slot, option)?),
            }
        }
        allowed.required().next().is_none().then_some(is_met.then_some((required, forbidden)))
    }
}

impl Space for RootedTrees<'_> {
    /// O(m log n) for a solution, O(m log m) to say what is wrong.
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation> {
        verify::verify(self, candidate.parents())
    }

    fn takes_tolerance(&self) -> Result<(), Intractable> {
        Ok(())
    }

    /// O(m log m).
    fn verify_within(
        &self,
        candidate: &Candidate,
        tolerance: Tolerance,
    ) -> Result<Result<Gap, Violation>, Intractable> {
        Ok(verify::verify_within(self, candidate.parents(), tolerance))
    }

    /// Within the tolerance where no weight is negative.
    fn draw_within(&self, tolerance: Tolerance, rng: &mut Rng) -> Result<Candidate, Intractable> {
        let forest = near::draw(self.instance.n(), self.edges(), tolerance, rng)?;
        Ok(self.rooted_among(self.edges(), &forest))
    }

    /// One edge for another: any tree becomes any lightest one by exchanges none of which makes it heavier (a matroid's).
    fn exchanges<'s>(
        &'s self,
        candidate: &'s Candidate,
        tolerance: Tolerance,
    ) -> Box<dyn Iterator<Item = Candidate> + 's> {
        let tree = self.chosen(candidate.parents());
        let room = tolerance.most(self.least()) - weight_of(self.edges(), &tree);
        let pairs = exchanges(self.instance.n(), self.edges(), &tree, room);
        Box::new(pairs.map(move |(put_in, out)| {
            let other: Vec<usize> = tree.iter().map(|&edge| if edge == out { put_in } else { edge }).collect();
            self.rooted_among(self.edges(), &other)
        }))
    }

    fn count(&self, effort: usize) -> Result<BigUint, Intractable> {
        count(self.classes(), effort)
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        Ok(Box::new(self.classes().iter().map(|forest| self.rooted(&forest))))
    }

    /// Near-linear without demands.
    fn possible(&self, allowed: &Allowed) -> Result<Possible, Intractable> {
        let n = self.instance.n();
        if !allowed.is_everything() {
            return Err(Intractable("which end is the parent is known in closed form only without demands".to_owned()));
        }
        Ok(Possible::new(n, self.possible_pairs().iter().copied()))
    }

    fn steer(&self, _possible: &Possible, allowed: &Allowed, rng: &mut Rng) -> Option<Priorities> {
        Some(self.steer_edges(allowed, rng))
    }

    fn counts_either(&self) -> bool {
        true
    }

    fn within(&self, allowed: &Allowed, effort: usize) -> Result<Box<dyn SolutionSet + '_>, Intractable> {
        let demands = self.on_edges(allowed).ok_or_else(|| {
            Intractable("trees are counted by their edges, and a demand says which end is the parent".to_owned())
        })?;
        let Some((required, forbidden)) = demands else {
            return Ok(Box::new(AllowedTrees { trees: self, classes: None, count: BigUint::ZERO }));
        };
        if required.is_empty() && forbidden.is_empty() {
            let count = count(self.classes(), effort)?;
            return Ok(Box::new(AllowedTrees { trees: self, classes: None, count }));
        }
        let (classes, count) = match self.classes().demanding(&required, &forbidden) {
            Ok(classes) => {
                let count = count(&classes, effort)?;
                (Some(classes), count)
            }
            Err(_) => (None, BigUint::ZERO),
        };
        Ok(Box::new(AllowedTrees { trees: self, classes, count }))
    }
}

impl RootedTrees<'_> {
    /// Late priorities for edges that are not allowed, early ones for those that are required.
    fn steer_edges(&self, allowed: &Allowed, rng: &mut Rng) -> Priorities {
        let required: HashSet<(usize, usize)> =
            allowed.either().iter().flatten().copied().chain(allowed.required()).collect();
        let priority = |(tail, head): (usize, usize)| {
            let random = rng.next_u64() >> 2;
            match (required.contains(&(head, tail)), allowed.permits(head, tail)) {
                (true, _) => random,
                (false, true) => random | 1 << 62,
                (false, false) => random | 1 << 63,
            }
        };
        Priorities(self.graph().arcs().map(priority).collect())
    }
}

/// The edges of a graph that go both ways, each once, with or without self-loops.
struct Edges<'a> {
    graph: &'a Graph,
    has_loops: bool,
}

impl EachEdge for Edges<'_> {
    fn each_edge(&self, mut visit: impl FnMut(usize, usize, Weight)) {
        for tail in 0..self.graph.n() {
            self.graph.each_out_edge(tail, |head, weight| {
                if tail < head || self.has_loops && tail == head {
                    visit(tail, head, weight);
                }
            });
        }
    }
}

/// The total weight of some edges.
fn weight_of(edges: &[Edge], chosen: &[usize]) -> Weight {
    chosen.iter().map(|&edge| edges[edge].2).sum()
}

/// The total weight of the lightest spanning forests.
fn least(classes: &Classes, edges: &[Edge]) -> Weight {
    weight_of(edges, &classes.by_order(|edge| edge))
}

/// The number of trees or forests; `effort` as for [`Space::count`].
fn count(classes: &Classes, effort: usize) -> Result<BigUint, Intractable> {
    // Multiplications for each state that could be remembered instead; a component of 300 vertices takes ten million.
    let rounded = (500 * effort as u64).clamp(20_000_000, Limits::default().rounded);
    match classes.count(&Limits { rounded, ..Limits::default() }).map_err(|refusal| Intractable(refusal.to_string()))? {
        TreeCount::Exact(count) => Ok(count),
        about => Err(Intractable(format!("the exact number takes too long; it is {about}"))),
    }
}

/// The trees that meet demands.
struct AllowedTrees<'a> {
    trees: &'a RootedTrees<'a>,
    /// `None` without demands, or where nothing meets them.
    classes: Option<Classes>,
    count: BigUint,
}

impl SolutionSet for AllowedTrees<'_> {
    fn count(&self) -> &BigUint {
        &self.count
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Option<Candidate>, Intractable> {
        if self.count == BigUint::ZERO {
            return Ok(None);
        }
        let classes = self.classes.as_ref().unwrap_or(self.trees.classes());
        let forest = classes.draw(rng, &Limits::default()).map_err(|refusal| Intractable(refusal.to_string()))?;
        Ok(Some(self.trees.rooted(&forest)))
    }
}
