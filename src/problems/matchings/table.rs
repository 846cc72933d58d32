//! Maximum matchings counted and drawn: component by component, by a table over subsets of the side that is always covered.
//!
//! The vertices of the other side are gone through in turn; each takes one of its possible edges or none. A state is the set of covered vertices that are taken
//! and still have edges ahead: a vertex without any has to be taken by then. So the states are few where the component is small or narrow (a path, a
//! tree, a ladder), and exponential where it is neither.

use super::Matchings;
use super::sides::Sides;
use super::structure::{Component, Ordered, Orders, Structure};
use crate::answers::Candidate;
use crate::problems::{Intractable, SolutionSet};
use crate::random::Rng;
use foldhash::fast::RandomState;
use num_bigint::BigUint;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The vertices that are taken and still have edges ahead, ascending.
type Taken = Box<[u32]>;

/// The matchings of one component.
struct Table {
    /// For each vertex of the other side its possible edges, each with the covered end.
    edges: Vec<Vec<(usize, u32)>>,
    /// For each vertex of the other side the covered vertices that have no edges after it.
    closed: Vec<Vec<u32>>,
    /// For each number of vertices gone through, and each state: the number of ways to go on.
    levels: Vec<HashMap<Taken, BigUint>>,
}

impl Table {
    /// `left` is what may still be remembered.
    fn new(orders: &mut Orders, component: &Component, left: &mut usize) -> Result<Self, Intractable> {
        // Seen before anything is made for it.
        if 1usize.checked_shl(free_choices(orders, component)).is_none_or(|states| states > *left) {
            return Err(refusal(component));
        }
        let ordered = orders.of(component, usize::MAX);
        let (edges, closed) = choices(orders, &ordered);
        let mut table = Table { edges, closed, levels: vec![HashMap::from([(Taken::default(), BigUint::ZERO)])] };
        for place in 0..table.edges.len() {
            let mut after: HashMap<Taken, BigUint> = HashMap::new();
            for (_, state) in table.levels[place].keys().flat_map(|state| table.moves(place, state)) {
                let cost = 1 + state.len() / 32;
                if let Entry::Vacant(new) = after.entry(state) {
                    *left = left.checked_sub(cost).ok_or_else(|| refusal(component))?;
                    new.insert(BigUint::ZERO);
                }
            }
            table.levels.push(after);
        }
        table.fill();
        Ok(table)
    }

    /// What the vertex at a place can do: take an edge or none, and the state after it.
    fn moves<'t>(&'t self, place: usize, taken: &'t Taken) -> impl Iterator<Item = (Option<usize>, Taken)> + 't {
        let choices = self.edges[place].iter().filter(|(_, covered)| taken.binary_search(covered).is_err());
        let choices = std::iter::once(None).chain(choices.map(|&(slot, covered)| Some((slot, covered))));
        choices.filter_map(move |choice| {
            let mut after = taken.to_vec();
            if let Some((_, covered)) = choice {
                after.insert(after.partition_point(|&other| other < covered), covered);
            }
            for covered in &self.closed[place] {
                after.remove(after.binary_search(covered).ok()?);
            }
            Some((choice.map(|(slot, _)| slot), after.into()))
        })
    }

    fn fill(&mut self) {
        let end = self.edges.len();
        self.levels[end].values_mut().for_each(|ways| *ways = BigUint::from(1u32));
        for place in (0..end).rev() {
            let ways = |state: &Taken| self.moves(place, state).map(|(_, after)| &self.levels[place + 1][&after]).sum();
            self.levels[place] = self.levels[place].keys().map(|state| (state.clone(), ways(state))).collect();
        }
    }

    fn count(&self) -> &BigUint {
        &self.levels[0][&Taken::default()]
    }

    /// The edges of a matching, each equally likely.
    fn draw(&self, rng: &mut Rng, chosen: &mut Vec<usize>) {
        let mut state = Taken::default();
        for place in 0..self.edges.len() {
            let mut ticket = rng.below_large(&self.levels[place][&state]);
            for (slot, after) in self.moves(place, &state).collect::<Vec<_>>() {
                let ways = &self.levels[place + 1][&after];
                if ticket < *ways {
                    chosen.extend(slot);
                    state = after;
                    break;
                }
                ticket -= ways;
            }
        }
    }
}

/// The possible edges of each vertex of the other side, with their covered ends, and the covered vertices that have none after it.
#[allow(clippy::type_complexity)]
fn choices(orders: &Orders, ordered: &Ordered) -> (Vec<Vec<(usize, u32)>>, Vec<Vec<u32>>) {
    let edges_of = |&vertex: &usize| -> Vec<(usize, u32)> {
        let possible = orders.sides.around(vertex).filter(|&(_, covered)| orders.found.is_possible(vertex, covered));
        possible.map(|(slot, covered)| (slot, covered as u32)).collect()
    };
    let edges: Vec<Vec<(usize, u32)>> = ordered.others.iter().map(edges_of).collect();
    let mut last: BTreeMap<u32, usize> = BTreeMap::new();
    for (place, edges) in edges.iter().enumerate() {
        last.extend(edges.iter().map(|&(_, covered)| (covered, place)));
    }
    let mut closed = vec![vec![]; edges.len()];
    last.into_iter().for_each(|(covered, place)| closed[place].push(covered));
    (edges, closed)
}

/// The number of matchings alone, where a word holds a set of covered vertices: by the ways that lead to each state, so that only two levels are held. `None`
/// where a word does not hold it, or 128 bits not a number on the way.
fn narrow_count(orders: &mut Orders, component: &Component, effort: usize) -> Result<Option<u128>, Intractable> {
    if component.covered() > u64::BITS as usize {
        return Ok(None);
    }
    let mut left = effort;
    if 1usize.checked_shl(free_choices(orders, component)).is_none_or(|states| states > left) {
        return Err(refusal(component));
    }
    let ordered = orders.of(component, usize::MAX);
    let (edges, closed) = choices(orders, &ordered);
    let bit = |covered: &u32| {
        let place = ordered.covered.iter().position(|&vertex| vertex == *covered as usize);
        1u64 << place.expect("an edge has a covered end")
    };
    let mut level: HashMap<u64, u128, RandomState> = HashMap::from_iter([(0, 1)]);
    for (edges, closed) in edges.iter().zip(&closed) {
        let bits: Vec<u64> = std::iter::once(0).chain(edges.iter().map(|(_, covered)| bit(covered))).collect();
        let closed = closed.iter().map(bit).fold(0, |set, bit| set | bit);
        let mut after: HashMap<u64, u128, RandomState> = HashMap::default();
        for (&taken, &ways) in &level {
            let moves = bits.iter().filter(|&&bit| taken & bit == 0).map(|bit| taken | bit);
            for state in moves.filter(|state| state & closed == closed).map(|state| state & !closed) {
                let sum = match after.entry(state) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => {
                        let cost = 1 + state.count_ones() as usize / 32;
                        left = left.checked_sub(cost).ok_or_else(|| refusal(component))?;
                        new.insert(0)
                    }
                };
                match sum.checked_add(ways) {
                    Some(more) => *sum = more,
                    None => return Ok(None),
                }
            }
        }
        level = after;
    }
    Ok(level.get(&0).copied())
}

/// How many of the first vertices of the other side can be given a covered vertex of their own. As long as no covered vertex is closed, each may take its
/// own or not, and every set of those that do is a state: two to the power of this are the least that a table has.
fn free_choices(orders: &mut Orders, component: &Component) -> u32 {
    // More than the bits of a number would be too many for any effort.
    let first = orders.of(component, usize::BITS as usize).others;
    let found = orders.found;
    let place_of = |other: usize| first.iter().position(|&vertex| vertex == other);
    let last_place =
        |covered: usize| found.possible_neighbours(covered).try_fold(0, |last, other| Some(place_of(other)?.max(last)));
    let closes = |place: usize, vertex: usize| {
        found.possible_neighbours(vertex).any(|covered| last_place(covered) == Some(place))
    };
    let mut own = HashSet::new();
    let open = first.iter().enumerate().take_while(|&(place, &vertex)| !closes(place, vertex));
    let mut chooses = |vertex: usize| found.possible_neighbours(vertex).any(|covered| own.insert(covered));
    open.filter(|&(_, &vertex)| chooses(vertex)).count() as u32
}

fn refusal(component: &Component) -> Intractable {
    Intractable(format!(
        "a component of {} possible edges between {} and {} vertices needs more states than the effort allows",
        component.edges,
        component.covered(),
        component.others()
    ))
}

/// The number of all maximum matchings. Nothing is remembered from component to component.
pub(super) fn count(sides: &Sides, found: &Structure, effort: usize) -> Result<BigUint, Intractable> {
    let mut product = BigUint::from(1u32);
    let mut orders = Orders::new(sides, found);
    for component in found.components(sides).iter().filter(|component| component.edges > 1) {
        product *= match narrow_count(&mut orders, component, effort)? {
            Some(matchings) => BigUint::from(matchings),
            None => Table::new(&mut orders, component, &mut effort.clone())?.count().clone(),
        };
    }
    Ok(product)
}

/// The maximum matchings that meet demands.
pub(super) struct AllowedMatchings<'a> {
    matchings: &'a Matchings<'a>,
    /// The edges that are in all of them, and a table for each component of more; `None` where nothing meets the demands.
    parts: Option<(Vec<usize>, Vec<Table>)>,
    count: BigUint,
}

impl<'a> AllowedMatchings<'a> {
    pub fn new(matchings: &'a Matchings<'a>, found: Option<&Structure>, effort: usize) -> Result<Self, Intractable> {
        let Some(found) = found else { return Ok(AllowedMatchings { matchings, parts: None, count: BigUint::ZERO }) };
        let sides = &matchings.sides;
        let (mut orders, mut left) = (Orders::new(sides, found), effort);
        let several = found.components(sides).iter().filter(|component| component.edges > 1);
        let tables = several.map(|component| Table::new(&mut orders, component, &mut left));
        let tables = tables.collect::<Result<Vec<Table>, _>>()?;
        let fixed = found.fixed(sides).collect();
        let count = tables.iter().map(Table::count).product();
        Ok(AllowedMatchings { matchings, parts: Some((fixed, tables)), count })
    }
}

impl SolutionSet for AllowedMatchings<'_> {
    fn count(&self) -> &BigUint {
        &self.count
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Option<Candidate>, Intractable> {
        let Some((fixed, tables)) = &self.parts else { return Ok(None) };
        let mut chosen = fixed.clone();
        tables.iter().for_each(|table| table.draw(rng, &mut chosen));
        Ok(Some(self.matchings.candidate(chosen)))
    }
}
