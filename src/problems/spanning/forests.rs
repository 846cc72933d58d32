//! Minimum spanning forests of the whole graph, as sets of edges.
//!
//! Right: the chosen edges form no cycle, connect whatever the graph connects, and weigh as little as any such set. A self-loop is an edge that is never chosen.

use super::quick::is_minimum_forest;
use super::{Edges, near, weight_of};
use crate::answers::{Candidate, Form, IN, OUT, Part};
use crate::instance::{Graph, Instance, Weight};
use crate::problems::grouped::Grouped;
use crate::problems::tolerance::{Gap, Tolerance};
use crate::problems::trees::{ByWeight, Classes, ForestFault, Limits, Use, WeightClass, exchanges, verify_sorted};
use crate::problems::verify::{Rule, Violation, check_slots};
use crate::problems::{Allowed, BadInstance, Intractable, Possible, SolutionSet, Space, check_undirected};
use crate::random::Rng;
use num_bigint::BigUint;
use std::sync::{Arc, OnceLock};

/// The minimum spanning forests of a graph.
pub struct SpanningForests<'a> {
    instance: &'a Instance,
    /// Every edge, in the graph's order: an edge goes by its slot.
    edges: OnceLock<Vec<(usize, usize, Weight)>>,
    by_weight: OnceLock<ByWeight>,
    /// Shared with the sets of solutions that no demand makes smaller.
    classes: OnceLock<Arc<Classes>>,
    least: OnceLock<Weight>,
    varying: OnceLock<Grouped<u32>>,
}

impl<'a> SpanningForests<'a> {
    /// Checks that edges have no direction.
    pub fn new(algorithm: &'static str, instance: &'a Instance) -> Result<Self, BadInstance> {
        check_undirected(algorithm, &instance.graph)?;
        let (edges, by_weight, classes) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (least, varying) = (OnceLock::new(), OnceLock::new());
        Ok(SpanningForests { instance, edges, by_weight, classes, least, varying })
    }

    /// The instance.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// Every edge as (end, end, weight), in the graph's order.
    pub fn edges(&self) -> &[(usize, usize, Weight)] {
        self.edges.get_or_init(|| every_edge(&self.instance.graph))
    }

    /// The number of edges.
    pub(super) fn slots(&self) -> usize {
        self.instance.graph.edge_count()
    }

    /// The edges, from the lightest on.
    pub(super) fn by_weight(&self) -> &ByWeight {
        self.by_weight.get_or_init(|| ByWeight::new(&Edges { graph: &self.instance.graph, has_loops: true }))
    }

    /// The weight classes.
    pub(super) fn classes(&self) -> &Arc<Classes> {
        self.classes.get_or_init(|| Arc::new(Classes::of_sorted(self.instance.n(), self.by_weight())))
    }

    /// The weight classes, if somebody needed them before.
    pub(super) fn known_classes(&self) -> Option<&Classes> {
        self.classes.get().map(Arc::as_ref)
    }

    /// For each weight, from the least on, which of its edges some forests have and others have not, by their place among those of the weight.
    pub(super) fn varying(&self) -> &Grouped<u32> {
        self.varying.get_or_init(|| {
            let classes: Vec<WeightClass> = self.by_weight().classes().collect();
            Grouped::filled(classes.len(), self.classes().varying(), |class, places| {
                let varies = |&(edge, _): &(&u32, u32)| self.classes().varies(*edge as usize);
                places.extend(classes[class].edges.iter().zip(0..).filter(varies).map(|(_, place)| place));
            })
        })
    }

    /// The total weight of the minimum spanning forests.
    fn least(&self) -> Weight {
        *self.least.get_or_init(|| super::least(self.classes(), self.edges()))
    }

    /// A set of edges as a candidate.
    pub(super) fn candidate(&self, forest: impl IntoIterator<Item = usize>) -> Candidate {
        Candidate::from_set(Form::Edges, self.slots(), forest).expect("the edges are the graph's")
    }

    /// The forests that meet demands; `None` where there are none.
    fn demanded(&self, allowed: &Allowed) -> Option<Arc<Classes>> {
        if allowed.is_everything() {
            return Some(Arc::clone(self.classes()));
        }
        let is_demanded = |slot: &usize, option| !allowed.permits(*slot, option);
        let slots = allowed.slots();
        let required: Vec<usize> = slots.iter().copied().filter(|slot| is_demanded(slot, OUT)).collect();
        let forbidden: Vec<usize> = slots.iter().copied().filter(|slot| is_demanded(slot, IN)).collect();
        self.classes().demanding(&required, &forbidden).ok().map(Arc::new)
    }

    fn ends(&self, edge: usize) -> (usize, usize) {
        (self.edges()[edge].0, self.edges()[edge].1)
    }
}

impl Space for SpanningForests<'_> {
    /// O(m log n) for a solution, in n alone where the weight classes are known; O(m log m) to say what is wrong, the first time.
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation> {
        check_slots(self.instance, Form::Edges, candidate)?;
        let is_right = match self.classes.get() {
            Some(classes) => classes.has(candidate.chosen()),
            None => is_minimum_forest(&self.instance.graph, candidate),
        };
        if is_right {
            return Ok(());
        }
        let chosen: Vec<usize> = candidate.chosen().collect();
        let broken = |rule, edges: Vec<(usize, usize)>| Err(Violation { edges, ..Violation::of(rule) });
        match verify_sorted(self.instance.n(), self.edges(), self.by_weight().order(), &chosen) {
            Ok(()) => Ok(()),
            Err(ForestFault::Cycle { edges, .. }) => {
                broken(Rule::ChosenFormNoCycle, edges.into_iter().map(|edge| self.ends(edge)).collect())
            }
            Err(ForestFault::Apart { ends, .. }) => broken(Rule::ChosenConnect, vec![ends]),
            Err(ForestFault::Exchange { lighter, heavier }) => {
                let [put_in, take_out] =
                    [lighter, heavier].map(|edge| Part::Edge(self.edges()[edge].0, self.edges()[edge].1));
                Err(Violation::with_exchange(Rule::NoLighterEdge, put_in, Some(take_out)))
            }
            Err(fault) => unreachable!("each chosen edge is one of the graph's, and chosen once: {fault}"),
        }
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
        match self.verify(candidate) {
            // An exchange is what only minimum ones have not.
            Ok(()) | Err(Violation { rule: Rule::NoLighterEdge, .. }) => (),
            Err(violation) => return Ok(Err(violation)),
        }
        let (measure, best) = (candidate.chosen().map(|edge| self.edges()[edge].2).sum(), self.least());
        Ok(match measure <= tolerance.most(best) {
            true => Ok(Gap { measure, best, vertex: None }),
            false => Err(Violation::of(Rule::WithinTolerance)),
        })
    }

    /// Within the tolerance where no weight is negative.
    fn draw_within(&self, tolerance: Tolerance, rng: &mut Rng) -> Result<Candidate, Intractable> {
        near::draw(self.instance.n(), self.edges(), tolerance, rng).map(|forest| self.candidate(forest))
    }

    /// One edge for another: any forest becomes any lightest one by exchanges none of which makes it heavier (a matroid's).
    fn exchanges<'s>(
        &'s self,
        candidate: &'s Candidate,
        tolerance: Tolerance,
    ) -> Box<dyn Iterator<Item = Candidate> + 's> {
        let forest: Vec<usize> = candidate.chosen().collect();
        let room = tolerance.most(self.least()) - weight_of(self.edges(), &forest);
        let pairs = exchanges(self.instance.n(), self.edges(), &forest, room);
        Box::new(pairs.map(|(put_in, out)| {
            let mut other = candidate.clone();
            other.set(put_in, IN);
            other.set(out, OUT);
            other
        }))
    }

    fn count(&self, effort: usize) -> Result<BigUint, Intractable> {
        super::count(self.classes(), effort)
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        Ok(Box::new(self.classes().iter().map(|forest| self.candidate(forest))))
    }

    /// Bridges and blocks of the weight classes: O(m log m).
    fn possible(&self, allowed: &Allowed) -> Result<Possible, Intractable> {
        let Some(classes) = self.demanded(allowed) else { return Ok(Possible::nothing(self.slots())) };
        let can_be = |used: Use| (used != Use::Always, used != Use::Never);
        Ok(Possible::of_set(classes.uses().into_iter().map(can_be)))
    }

    fn within(&self, allowed: &Allowed, effort: usize) -> Result<Box<dyn SolutionSet + '_>, Intractable> {
        let classes = self.demanded(allowed);
        let count = classes.as_ref().map_or(Ok(BigUint::ZERO), |classes| super::count(classes, effort))?;
        Ok(Box::new(AllowedForests { forests: self, classes, count }))
    }

    fn refutes(&self, allowed: &Allowed) -> bool {
        !allowed.is_everything() && self.demanded(allowed).is_none()
    }

    /// Kruskal's algorithm with random ties, over what demands leave.
    fn find(&self, allowed: &Allowed, rng: &mut Rng) -> Option<Candidate> {
        let ranks: Vec<u64> = self.edges().iter().map(|_| rng.next_u64()).collect();
        self.demanded(allowed).map(|classes| self.candidate(classes.by_order(|edge| ranks[edge])))
    }

    /// Each block is a connected matroid, which has at least rank times corank and one bases (Dinolt 1971, Murty 1974).
    fn at_least(&self, _solution: &Candidate) -> BigUint {
        let of_block = |(rank, corank): (usize, usize)| BigUint::from(rank) * corank + 1u32;
        self.classes().ranks().map(of_block).product()
    }
}

/// All edges of an undirected graph, in its order.
fn every_edge(graph: &Graph) -> Vec<(usize, usize, Weight)> {
    let mut edges = Vec::with_capacity(graph.edge_count());
    for tail in 0..graph.n() {
        graph.each_out_edge(tail, |head, weight| {
            if tail <= head {
                edges.push((tail, head, weight));
            }
        });
    }
    edges
}

/// The forests that meet demands.
struct AllowedForests<'a> {
    forests: &'a SpanningForests<'a>,
    /// `None` where nothing meets them.
    classes: Option<Arc<Classes>>,
    count: BigUint,
}

impl SolutionSet for AllowedForests<'_> {
    fn count(&self) -> &BigUint {
        &self.count
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Option<Candidate>, Intractable> {
        let Some(classes) = &self.classes else { return Ok(None) };
        let forest = classes.draw(rng, &Limits::default()).map_err(|refusal| Intractable(refusal.to_string()))?;
        Ok(Some(self.forests.candidate(forest)))
    }
}
