//! Orders counted and drawn by their ideals.
//!
//! An ideal is a set of vertices that contains the predecessors of its members: what can stand before all others. The number of ways to go on after an
//! ideal is the sum, over the vertices that can come next, of the ways to go on after the ideal with them. Orders of parts that no edge connects are
//! mixed in any way, so each part has a table of its own. Where a demand says which vertices may be neighbours, a state also knows the last vertex, and
//! there is one table for all.
//!
//! ```text
//! 0 -> 1      ideals {}, {0}, {2}, {01}, {02}, {012} have 3, 2, 1, 1, 1, 1 ways to go on
//! 2
//! ```

use super::narrow::{self, MAX_NARROW, NarrowTable};
use crate::answers::Candidate;
use crate::instance::Graph;
use crate::problems::trees::Sets;
use crate::problems::{Allowed, Grouped, Intractable, SolutionSet};
use crate::random::Rng;
use num_bigint::BigUint;
use std::collections::HashMap;

/// A set of vertices, 64 a word.
pub(super) type Set = Box<[u64]>;

pub(super) fn contains(set: &Set, vertex: usize) -> bool {
    set[vertex / 64] >> (vertex % 64) & 1 == 1
}

pub(super) fn with(set: &Set, vertex: usize) -> Set {
    let mut larger = set.clone();
    larger[vertex / 64] |= 1 << (vertex % 64);
    larger
}

pub(super) fn empty(n: usize) -> Set {
    vec![0; n.div_ceil(64)].into_boxed_slice()
}

/// Who has to come before whom.
pub(super) struct Relation {
    before: Grouped<u32>,
}

impl Relation {
    pub fn new(n: usize, arcs: &[(usize, usize)]) -> Self {
        Relation { before: Grouped::new(n, arcs.iter().map(|&(tail, head)| (head, tail as u32))) }
    }

    /// The vertices that can come next after an ideal, ascending.
    pub fn next(&self, ideal: &Set) -> impl Iterator<Item = usize> {
        // Whoever is missing is mostly among the last ones.
        let is_missing = |&tail: &u32| !contains(ideal, tail as usize);
        let is_ready = move |vertex: &usize| !self.before.of(*vertex).iter().rev().any(is_missing);
        (0..self.before.groups()).filter(|&vertex| !contains(ideal, vertex)).filter(is_ready)
    }
}

/// The vertex before the next one; `START` before the first, `ANYBODY` where that does not matter.
type Last = u32;
const START: Last = u32::MAX;
const ANYBODY: Last = u32::MAX - 1;

/// For each ideal, by its size, and each last vertex: the number of ways to go on.
struct Table {
    n: usize,
    relation: Relation,
    /// Which vertices may be neighbours, where that matters.
    neighbours: Option<Allowed>,
    levels: Vec<HashMap<(Set, Last), BigUint>>,
}

/// How many states may still be remembered.
pub(super) struct Effort {
    pub left: usize,
    all: usize,
}

impl Effort {
    /// Refuses more states than are left, those of a part of n vertices.
    pub fn check(&self, n: usize, states: usize) -> Result<(), Intractable> {
        match states > self.left {
            false => Ok(()),
            true => Err(Intractable(format!(
                "a part of {n} vertices has more sets that can stand before all others than an effort of {} allows",
                self.all
            ))),
        }
    }
}

impl Table {
    fn new(
        n: usize,
        arcs: &[(usize, usize)],
        demands: Option<&Allowed>,
        effort: &mut Effort,
    ) -> Result<Self, Intractable> {
        let neighbours = demands.cloned();
        let start = (empty(n), if neighbours.is_some() { START } else { ANYBODY });
        let levels = vec![HashMap::from([(start, BigUint::ZERO)])];
        let mut table = Table { n, relation: Relation::new(n, arcs), neighbours, levels };
        let cost = cost_of_a_state(n);
        for size in 0..n {
            let mut larger: HashMap<(Set, Last), BigUint> = HashMap::new();
            for after in table.levels[size].keys().flat_map(|state| table.moves(state)) {
                larger.entry(after).or_insert(BigUint::ZERO);
                effort.check(n, larger.len() * cost)?;
            }
            effort.left -= larger.len() * cost;
            table.levels.push(larger);
        }
        table.fill();
        Ok(table)
    }

    /// The states that one more vertex leads to.
    fn moves<'s>(&'s self, (ideal, last): &'s (Set, Last)) -> impl Iterator<Item = (Set, Last)> + 's {
        let slot = if *last == START { self.n } else { *last as usize };
        let may_follow =
            move |next: &usize| self.neighbours.as_ref().is_none_or(|allowed| allowed.permits(slot, *next));
        let own = |next: usize| if self.neighbours.is_some() { next as Last } else { ANYBODY };
        self.relation.next(ideal).filter(may_follow).map(move |next| (with(ideal, next), own(next)))
    }

    fn fill(&mut self) {
        let may_end = |last: Last| match &self.neighbours {
            Some(allowed) if last != START => allowed.permits(last as usize, last as usize),
            _ => true,
        };
        self.levels[self.n].iter_mut().for_each(|((_, last), ways)| *ways = BigUint::from(u32::from(may_end(*last))));
        for size in (0..self.n).rev() {
            let ways = |state: &(Set, Last)| self.moves(state).map(|after| &self.levels[size + 1][&after]).sum();
            self.levels[size] = self.levels[size].keys().map(|state| (state.clone(), ways(state))).collect();
        }
    }

    fn count(&self) -> BigUint {
        self.levels[0].values().sum()
    }

    /// An order, each equally likely. Only where there is one.
    fn draw(&self, rng: &mut Rng) -> Vec<usize> {
        let mut state = self.levels[0].keys().next().expect("the empty set is an ideal").clone();
        let mut order = Vec::with_capacity(self.n);
        for level in &self.levels[1..] {
            let moves: Vec<(Set, Last)> = self.moves(&state).collect();
            let mut place = rng.below_large(&moves.iter().map(|after| &level[after]).sum());
            let is_it = |after: &(Set, Last)| {
                let ways = &level[after];
                let is_here = place < *ways;
                if !is_here {
                    place -= ways;
                }
                is_here
            };
            let next = moves.into_iter().find(is_it).expect("the place is below the sum");
            order.extend((0..self.n).find(|&vertex| contains(&next.0, vertex) && !contains(&state.0, vertex)));
            state = next;
        }
        order
    }
}

/// A part of the graph that no edge connects to the rest.
struct Part {
    vertices: Vec<usize>,
    orders: PartOrders,
}

enum PartOrders {
    /// There is only one, by places in `vertices`.
    Forced(Vec<usize>),
    Narrow(NarrowTable),
    Counted(Table),
}

impl Part {
    fn new(
        vertices: Vec<usize>,
        arcs: &[(usize, usize)],
        demands: Option<&Allowed>,
        effort: &mut Effort,
    ) -> Result<Self, Intractable> {
        let forced = demands.is_none().then(|| only_order(vertices.len(), arcs)).flatten();
        if let Some(order) = forced {
            return Ok(Part { vertices, orders: PartOrders::Forced(order) });
        }
        let before = effort.left;
        if demands.is_none() && vertices.len() <= MAX_NARROW {
            if let Some(table) = NarrowTable::new(vertices.len(), arcs, effort)? {
                return Ok(Part { vertices, orders: PartOrders::Narrow(table) });
            }
            effort.left = before;
        }
        let table = Table::new(vertices.len(), arcs, demands, effort)?;
        Ok(Part { vertices, orders: PartOrders::Counted(table) })
    }

    fn count(&self) -> BigUint {
        match &self.orders {
            PartOrders::Forced(_) => BigUint::from(1u32),
            PartOrders::Narrow(table) => table.count(),
            PartOrders::Counted(table) => table.count(),
        }
    }

    fn draw(&self, rng: &mut Rng) -> Vec<usize> {
        let order = match &self.orders {
            PartOrders::Forced(order) => order.clone(),
            PartOrders::Narrow(table) => table.draw(rng),
            PartOrders::Counted(table) => table.draw(rng),
        };
        order.into_iter().map(|place| self.vertices[place]).collect()
    }
}

/// The order, where each vertex leaves one that can come next.
fn only_order(n: usize, arcs: &[(usize, usize)]) -> Option<Vec<usize>> {
    let after: Grouped<u32> = Grouped::new(n, arcs.iter().map(|&(tail, head)| (tail, head as u32)));
    let mut open = vec![0u32; n];
    arcs.iter().for_each(|&(_, head)| open[head] += 1);
    let mut ready: Vec<usize> = (0..n).filter(|&vertex| open[vertex] == 0).collect();
    let mut order = Vec::with_capacity(n);
    while let [next] = ready[..] {
        order.push(next);
        ready.clear();
        for &head in after.of(next) {
            open[head as usize] -= 1;
            if open[head as usize] == 0 {
                ready.push(head as usize);
            }
        }
    }
    (order.len() == n).then_some(order)
}

/// The allowed orders: each part's own, mixed in any way.
struct AllowedOrders {
    n: usize,
    parts: Vec<Part>,
    count: BigUint,
}

/// The most vertices of several parts: the number of their orders would have too many digits.
const MAX_MIXED: usize = 20_000;

/// The orders that demands allow, or why they cannot be counted.
pub(super) fn allowed_orders(
    graph: &Graph,
    allowed: &Allowed,
    effort: usize,
) -> Result<Box<dyn SolutionSet>, Intractable> {
    if !allowed.either().is_empty() {
        return Err(Intractable("an order has no edges of which either direction would do".to_owned()));
    }
    let n = graph.n();
    let mut arcs: Vec<(usize, usize)> = graph.arcs().chain(allowed.precedences()).collect();
    arcs.sort_unstable();
    arcs.dedup();
    let mut effort = Effort { left: effort, all: effort };
    let parts = match allowed.slots().is_empty() {
        false => vec![Part::new((0..n).collect(), &arcs, Some(allowed), &mut effort)?],
        true => {
            let parts = connected_parts(n, arcs.iter().copied());
            if parts.len() > 1 && n > MAX_MIXED {
                return Err(too_many_digits(n));
            }
            parts
                .into_iter()
                .map(|(vertices, arcs)| Part::new(vertices, &arcs, None, &mut effort))
                .collect::<Result<_, _>>()?
        }
    };
    let mixtures = mixtures(parts.iter().map(|part| part.vertices.len()));
    let count = parts.iter().map(Part::count).fold(mixtures, |product, count| product * count);
    Ok(Box::new(AllowedOrders { n, parts, count }))
}

/// The number of all orders, or why it cannot be had: as [`allowed_orders`] counts them, without keeping what draws need.
pub(super) fn count(graph: &Graph, effort: usize) -> Result<BigUint, Intractable> {
    let n = graph.n();
    let parts = connected_parts(n, graph.arcs());
    if parts.len() > 1 && n > MAX_MIXED {
        return Err(too_many_digits(n));
    }
    let mut effort = Effort { left: effort, all: effort };
    let mut count = BigUint::from(1u32);
    for (vertices, arcs) in &parts {
        let (n, before) = (vertices.len(), effort.left);
        if only_order(n, arcs).is_some() {
            continue;
        }
        let narrow = if n <= MAX_NARROW { narrow::count(n, arcs, &mut effort)? } else { None };
        count *= match narrow {
            Some(orders) => BigUint::from(orders),
            None => {
                effort.left = before;
                wide_count(n, arcs, &mut effort)?
            }
        };
    }
    Ok(count * mixtures(parts.iter().map(|(vertices, _)| vertices.len())))
}

/// As [`narrow::count`], whatever the number of vertices and of orders.
fn wide_count(n: usize, arcs: &[(usize, usize)], effort: &mut Effort) -> Result<BigUint, Intractable> {
    let relation = Relation::new(n, arcs);
    let cost = cost_of_a_state(n);
    let mut level: HashMap<Set, BigUint> = HashMap::from([(empty(n), BigUint::from(1u32))]);
    for _ in 0..n {
        let mut larger: HashMap<Set, BigUint> = HashMap::new();
        for (ideal, ways) in &level {
            for next in relation.next(ideal) {
                *larger.entry(with(ideal, next)).or_default() += ways;
                effort.check(n, larger.len() * cost)?;
            }
        }
        effort.left -= larger.len() * cost;
        level = larger;
    }
    Ok(level.into_values().sum())
}

/// A state of many vertices takes the memory of several small ones.
fn cost_of_a_state(n: usize) -> usize {
    1 + n / 256
}

fn too_many_digits(n: usize) -> Intractable {
    Intractable(format!("the number of orders of {n} vertices has too many digits"))
}

/// The number of ways to mix lists of these lengths, each staying in its order.
fn mixtures(lengths: impl Iterator<Item = usize>) -> BigUint {
    let (mut ways, mut total) = (BigUint::from(1u32), 0);
    for length in lengths {
        for place in 1..=length {
            ways = ways * (total + place) / place;
        }
        total += length;
    }
    ways
}

type Arcs = Vec<(usize, usize)>;

/// The vertices of each connected part, and its arcs by the vertices' places.
fn connected_parts(n: usize, arcs: impl Iterator<Item = (usize, usize)> + Clone) -> Vec<(Vec<usize>, Arcs)> {
    let mut sets = Sets::new(n);
    arcs.clone().for_each(|(tail, head)| {
        sets.join(tail, head);
    });
    let (mut part_of, mut place_of) = (vec![usize::MAX; n], vec![0; n]);
    let mut parts: Vec<(Vec<usize>, Arcs)> = vec![];
    for (vertex, place) in place_of.iter_mut().enumerate() {
        let name = sets.find(vertex);
        if part_of[name] == usize::MAX {
            part_of[name] = parts.len();
            parts.push((vec![], vec![]));
        }
        let members = &mut parts[part_of[name]].0;
        *place = members.len();
        members.push(vertex);
    }
    for (tail, head) in arcs {
        parts[part_of[sets.find(tail)]].1.push((place_of[tail], place_of[head]));
    }
    parts
}

impl SolutionSet for AllowedOrders {
    fn count(&self) -> &BigUint {
        &self.count
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Option<Candidate>, Intractable> {
        if self.count == BigUint::ZERO {
            return Ok(None);
        }
        let mut orders: Vec<_> = self.parts.iter().map(|part| part.draw(rng).into_iter()).collect();
        let of_part = |(place, part): (usize, &Part)| std::iter::repeat_n(place, part.vertices.len());
        let mut turns: Vec<usize> = self.parts.iter().enumerate().flat_map(of_part).collect();
        rng.shuffle(&mut turns);
        let order: Vec<usize> = turns.into_iter().filter_map(|part| orders[part].next()).collect();
        debug_assert_eq!(order.len(), self.n);
        Ok(Some(Candidate::from_order(&order).expect("vertices of the graph")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_lists_of_words_make_the_same_table() {
        let mut rng = Rng::stream(0, "narrow", 0);
        for n in 1..9 {
            let arcs: Vec<(usize, usize)> =
                (0..n).flat_map(|head| (0..head).map(move |tail| (tail, head))).filter(|_| rng.below(3) == 0).collect();
            let effort = || Effort { left: 1000, all: 1000 };
            let narrow = NarrowTable::new(n, &arcs, &mut effort()).unwrap().unwrap();
            let wide = Table::new(n, &arcs, None, &mut effort()).unwrap();
            assert_eq!(narrow.count(), wide.count());
            assert_eq!(narrow::count(n, &arcs, &mut effort()), Ok(u128::try_from(wide.count()).ok()));
            assert_eq!(wide_count(n, &arcs, &mut effort()), Ok(wide.count()));
            for index in 0..20 {
                let stream = || Rng::stream(1, "narrow draws", index);
                assert_eq!(narrow.draw(&mut stream()), wide.draw(&mut stream()));
            }
        }
        assert!(NarrowTable::new(40, &[], &mut Effort { left: 10, all: 10 }).is_err());
    }

    #[test]
    fn more_orders_than_128_bits_hold_are_noticed() {
        // Five chains: 64! / (13!^4 12!) orders, 1.7e41.
        let arcs: Vec<(usize, usize)> = (1..64).filter(|head| head % 13 != 0).map(|head| (head - 1, head)).collect();
        let mut effort = Effort { left: 1_000_000, all: 1_000_000 };
        assert!(NarrowTable::new(64, &arcs, &mut effort).unwrap().is_none());
        effort.left = 1_000_000;
        assert_eq!(narrow::count(64, &arcs, &mut effort), Ok(None));
    }
}
