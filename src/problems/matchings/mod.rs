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
mod mates;
mod quick;
mod sides;
mod structure;
mod table;
#[cfg(test)]
mod tests;

pub use extract::Pair;

use super::{Allowed, BadInstance, Intractable, Optimality, Possible, Problem, SolutionSet, Space, check_undirected};
use crate::answers::{Candidate, Form, IN, OUT};
use crate::instance::Instance;
use crate::problems::extract::{Argmax, Random};
use crate::problems::ties::Free;
use crate::problems::verify::{Rule, Violation, check_slots};
use crate::random::Rng;
use mates::Mates;
use num_bigint::BigUint;
use sides::Sides;
use std::borrow::Cow;
use std::sync::OnceLock;
use structure::{CAN_BE_IN, CAN_BE_OUT, Left, Structure};

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
    sides: Sides,
    structure: OnceLock<Structure>,
}

impl<'a> Matchings<'a> {
    /// Checks that edges have no direction and join two sides.
    pub fn new(algorithm: &'static str, instance: &'a Instance) -> Result<Self, BadInstance> {
        check_undirected(algorithm, &instance.graph)?;
        let sides = Sides::new(&instance.graph).map_err(|cycle| BadInstance::OddCycle { algorithm, cycle })?;
        Ok(Matchings { instance, sides, structure: OnceLock::new() })
    }

    /// The instance.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    fn structure(&self) -> &Structure {
        self.structure.get_or_init(|| Structure::new(&self.sides))
    }

    /// The number of edges of a maximum matching.
    fn size(&self) -> usize {
        self.structure().mates.size()
    }

    fn candidate(&self, chosen: impl IntoIterator<Item = usize>) -> Candidate {
        Candidate::from_set(Form::Edges, self.instance.graph.edge_count(), chosen)
            .expect("slots are edges of the graph")
    }

    /// What demands leave, before anything else is chosen; `None` where they contradict each other.
    fn left_by(&self, allowed: &Allowed) -> Option<Left> {
        let slots = allowed.slots();
        let with = |option| slots.iter().copied().filter(move |&slot| !allowed.permits(slot, option));
        let (required, forbidden): (Vec<usize>, Vec<usize>) = (with(OUT).collect(), with(IN).collect());
        Left::new(&self.sides, &required, &forbidden)
    }

    /// What is possible under demands; `None` where no maximum matching meets them.
    fn demanded(&self, allowed: &Allowed) -> Option<Cow<'_, Structure>> {
        if allowed.is_everything() {
            return Some(Cow::Borrowed(self.structure()));
        }
        let found = Structure::of(&self.sides, self.left_by(allowed)?);
        (found.mates.size() == self.size()).then_some(Cow::Owned(found))
    }
}

impl Space for Matchings<'_> {
    fn takes_tolerance(&self) -> Result<(), Intractable> {
        Err(Intractable("its right answers are all equally large, and a smaller one is not right".to_owned()))
    }

    /// O(n + m).
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation> {
        check_slots(self.instance, Form::Edges, candidate)?;
        if quick::is_maximum(&self.sides, candidate) {
            return Ok(());
        }
        let mut mates = Mates::none(self.sides.n());
        for [left, right] in candidate.chosen().map(|slot| self.sides.ends()[slot].map(|end| end as usize)) {
            if let Some((end, mate)) = [left, right].into_iter().find_map(|end| Some((end, mates.of(end)?))) {
                let edges = vec![self.sides.left_first((end, mate)), (left, right)];
                return Err(Violation::with_edges(end, Rule::OneChosenEdgeEach, edges));
            }
            mates.join(left, right);
        }
        let rights = |left: usize| self.instance.graph.out_neighbours(left).iter().map(|&right| right as usize);
        match mates.augmenting_path(&self.sides, rights) {
            None => Ok(()),
            Some(path) => Err(Violation { path, ..Violation::of(Rule::NoAugmentingPath) }),
        }
    }

    fn count(&self, effort: usize) -> Result<BigUint, Intractable> {
        table::count(&self.sides, self.structure(), effort)
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        let matchings = enumerate::Enumeration::new(&self.sides, self.structure().mates.clone());
        Ok(Box::new(matchings.map(|slots| self.candidate(slots))))
    }

    /// By alternating paths and cycles (Dulmage and Mendelsohn): linear after a maximum matching.
    fn possible(&self, allowed: &Allowed) -> Result<Possible, Intractable> {
        let found = self.demanded(allowed);
        let Some(found) = found else { return Ok(Possible::nothing(self.instance.graph.edge_count())) };
        let can_be = |&option: &u8| (option & CAN_BE_OUT != 0, option & CAN_BE_IN != 0);
        Ok(Possible::of_set(found.options(&self.sides).iter().map(can_be)))
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
        let mates = matching::take_turns(&self.sides, &left.graph, left.mates, &mut Free(rng));
        (mates.size() == self.size()).then(|| self.candidate(self.sides.slots(&mates, |_| true)))
    }

    /// The matchings of a component span a polytope; it has more corners than dimensions.
    fn at_least(&self, _solution: &Candidate) -> BigUint {
        let components = self.structure().components(&self.sides).iter();
        components.map(|component| BigUint::from(component.at_least())).product()
    }

    fn sides(&self) -> Option<&[bool]> {
        Some(&self.sides.is_left)
    }

    /// König: a vertex cover with as many vertices as a maximum matching has edges.
    fn optimality(&self) -> Option<Optimality> {
        let cover = self.structure().vertex_cover(&self.sides);
        let statement = format!(
            "no matching has more than {} edges: each edge has an end among as many vertices, and a matching has at most one edge at each",
            cover.len()
        );
        Some(Optimality { statement, vertices: cover })
    }
}
