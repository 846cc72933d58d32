//! Which parts all solutions share, and which vary: tree edges, chosen edges or items, steps of an order.

use super::{Count, Solution};
use crate::answers::{Candidate, Form, Part};
use crate::instance::Instance;
use crate::problems::Possible;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Parts of solutions, ascending by slot; a tree edge is (parent, child).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartUse {
    /// What every solution has.
    pub shared: Vec<Part>,
    /// What some solutions have, but not all.
    pub varying: Vec<Part>,
    /// Which solutions are meant.
    pub basis: Basis,
}

/// Which solutions a statement is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// Every solution that meets the demands: an exact statement.
    #[default]
    Every,
    /// Only those that were found.
    Found,
}

/// In closed form where the problem has one (`possible`), otherwise over the solutions found (which may be all there are).
pub(super) fn part_use(
    instance: &Instance,
    form: Form,
    possible: Option<&Possible>,
    found: &[Solution],
    count: &Count,
) -> PartUse {
    if let Some(possible) = possible {
        return of_possible(instance, form, possible);
    }
    let edges = Edges::of(instance, form);
    let mut times: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for part in found.iter().flat_map(|solution| solution.candidate.parts()) {
        *times.entry(part).or_default() += 1;
    }
    let (shared, varying) = times.into_iter().partition::<Vec<_>, _>(|&(_, times)| times == found.len());
    let parts = |list: Vec<((usize, usize), usize)>| list.into_iter().map(|(part, _)| edges.part(form, part)).collect();
    let is_every = count.exactly() == Some(&BigUint::from(found.len()));
    let basis = if is_every { Basis::Every } else { Basis::Found };
    PartUse { shared: parts(shared), varying: parts(varying), basis }
}

fn of_possible(instance: &Instance, form: Form, possible: &Possible) -> PartUse {
    let mut parts = PartUse::default();
    // Edges come in the order of their slots.
    let mut edges = (form == Form::Edges).then(|| instance.graph.edges());
    for slot in 0..possible.slots() {
        let ends = edges.as_mut().and_then(Iterator::next);
        let options = possible.of(slot);
        let list = if options.len() == 1 { &mut parts.shared } else { &mut parts.varying };
        let counts = |&&option: &&usize| Candidate::counts(form, possible.slots(), slot, option);
        list.extend(options.iter().filter(counts).map(|&option| part(form, (slot, option), ends)));
    }
    parts
}

/// The ends of each edge, where the slots are edges.
struct Edges(Vec<(usize, usize)>);

impl Edges {
    fn of(instance: &Instance, form: Form) -> Self {
        Edges(if form == Form::Edges { instance.graph.edges().collect() } else { vec![] })
    }

    /// What a choice is called.
    fn part(&self, form: Form, (slot, option): (usize, usize)) -> Part {
        part(form, (slot, option), self.0.get(slot).copied())
    }
}

/// What a choice is called; `ends` are those of the edge, where the slot is one.
fn part(form: Form, (slot, option): (usize, usize), ends: Option<(usize, usize)>) -> Part {
    match (form, ends) {
        (Form::Parents, _) => Part::Edge(option, slot),
        (Form::Edges, Some((one, other))) => Part::Edge(one, other),
        (Form::Order | Form::Edges, _) => Part::Edge(slot, option),
        (Form::Items, _) => Part::Item(slot),
    }
}
