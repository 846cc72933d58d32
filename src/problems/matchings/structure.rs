//! Which edges are in some maximum matching, in all, or in none (Dulmage and Mendelsohn).
//!
//! Given one maximum matching, another one differs from it by alternating cycles and by alternating paths of even length that end at a free vertex. So an edge
//! is in some maximum matching exactly when it is in this one, or such a path comes to it from the left or from the right, or it lies on an alternating
//! cycle: both ends are in one strong component, where matched edges lead from right to left and the others from left to right.

use super::augment::{Mates, NOBODY};
use super::{Offers, Sides};
use crate::problems::grouped::Grouped;
use crate::problems::trees::strong_components;
use std::sync::OnceLock;

/// What is possible among the edges that are left by demands.
#[derive(Clone)]
pub(super) struct Structure {
    /// A maximum matching of them.
    pub mates: Mates,
    /// The edges that are in some.
    pub is_possible: Vec<bool>,
    /// The edges that are in all.
    pub is_fixed: Vec<bool>,
    components: OnceLock<Vec<Component>>,
}

/// A connected part of the possible edges. Each chooses its matching apart from the others.
#[derive(Clone)]
pub(super) struct Component {
    pub slots: Vec<usize>,
    /// The side that every maximum matching covers.
    pub covered: Vec<usize>,
    /// The other side, in the order of a search from vertex to vertex.
    pub others: Vec<usize>,
}

/// What demands leave: the required edges are chosen, and these are the others that go with them.
pub(super) struct Left {
    pub mates: Mates,
    is_there: Vec<bool>,
    /// The edges that are there, at each vertex on the left.
    pub edges: Grouped<u32>,
}

impl Left {
    /// `None` where required edges share an end or are forbidden.
    pub fn new(sides: &Sides, required: &[usize], forbidden: &[usize]) -> Option<Self> {
        let mut mates = Mates::none(sides.n());
        for &slot in required {
            if sides.ends[slot].iter().any(|&end| !mates.is_free(end as usize)) {
                return None;
            }
            mates.join(sides, slot);
        }
        let goes_along = |slot: usize| {
            let own = sides.ends[slot].map(|end| mates.edge(end as usize));
            own == [NOBODY; 2] || own == [slot; 2]
        };
        let mut is_there: Vec<bool> = (0..sides.ends.len()).map(goes_along).collect();
        for &slot in forbidden {
            if mates.has(sides, slot) {
                return None;
            }
            is_there[slot] = false;
        }
        let there = (0..sides.ends.len()).filter(|&slot| is_there[slot]);
        let edges = Grouped::new(sides.n(), there.map(|slot| (sides.ends[slot][0] as usize, slot as u32)));
        Some(Left { mates, is_there, edges })
    }
}

impl Structure {
    /// Of all edges.
    pub fn new(sides: &Sides) -> Self {
        let mut mates = Mates::none(sides.n());
        mates.complete(sides, &sides.lefts().collect::<Vec<_>>(), &sides.offers());
        Structure::around(sides, mates, |_| true)
    }

    /// Of the edges that demands leave.
    pub fn of(sides: &Sides, left: Left) -> Self {
        let Left { mut mates, is_there, edges } = left;
        mates.complete(sides, &sides.lefts().collect::<Vec<_>>(), &Offers::new(sides, &edges));
        Structure::around(sides, mates, |slot| is_there[slot])
    }

    fn around(sides: &Sides, mates: Mates, is_there: impl Fn(usize) -> bool) -> Self {
        let slots = 0..sides.ends.len();
        let [from_left, from_right] = [true, false].map(|side| mates.reached(sides, side, &is_there));
        // A matched pair is one vertex, called by its left end.
        let pair_of = mates.lefts(sides);
        let beyond = Grouped::filled(sides.n(), sides.ends.len(), |left, pairs| {
            if sides.is_left[left] {
                let others = sides.around(left).filter(|&(slot, _)| is_there(slot) && mates.edge(left) != slot);
                pairs.extend(others.map(|(_, right)| pair_of[right]).filter(|&pair| pair != NOBODY as u32));
            }
        });
        let (count, component) = strong_components(&beyond, sides.n());
        let mut members = vec![0u32; count];
        sides.lefts().for_each(|left| members[component[left] as usize] += 1);
        let is_moved = |slot: usize| {
            let [left, right] = sides.ends[slot].map(|end| end as usize);
            from_left[left] || from_right[right]
        };
        let on_cycle = |slot: usize| {
            let [left, right] = sides.ends[slot].map(|end| end as usize);
            component.get(pair_of[right] as usize).is_some_and(|&pair| component[left] == pair)
        };
        let is_fixed = |slot: usize| {
            let left = sides.ends[slot][0] as usize;
            mates.has(sides, slot) && !is_moved(slot) && members[component[left] as usize] == 1
        };
        let is_possible = slots.clone().map(|slot| is_there(slot) && (is_moved(slot) || on_cycle(slot))).collect();
        let is_fixed = slots.map(is_fixed).collect();
        Structure { is_possible, is_fixed, mates, components: OnceLock::new() }
    }

    /// The vertices that possible edges join to one.
    pub fn possible_neighbours<'a>(&'a self, sides: &'a Sides, vertex: usize) -> impl Iterator<Item = usize> + 'a {
        sides.around(vertex).filter(|&(slot, _)| self.is_possible[slot]).map(|(_, other)| other)
    }

    /// The components of the possible edges, by their lowest vertex.
    pub fn components(&self, sides: &Sides) -> &[Component] {
        self.components.get_or_init(|| self.find_components(sides))
    }

    fn find_components(&self, sides: &Sides) -> Vec<Component> {
        let mut number = vec![u32::MAX; sides.n()];
        let possible = || (0..sides.ends.len()).filter(|&slot| self.is_possible[slot]);
        let left = |slot: usize| sides.ends[slot][0] as usize;
        let mut orders: Vec<Vec<usize>> = vec![];
        for slot in possible() {
            if number[left(slot)] == u32::MAX {
                orders.push(self.order_from(sides, left(slot), orders.len() as u32, &mut number));
            }
        }
        let mut slots: Vec<Vec<usize>> = vec![vec![]; orders.len()];
        possible().for_each(|slot| slots[number[left(slot)] as usize].push(slot));
        orders.into_iter().zip(slots).map(|(order, slots)| component(sides, order, slots)).collect()
    }

    /// The vertices of a component, from one on, which get its number.
    fn order_from(&self, sides: &Sides, start: usize, name: u32, number: &mut [u32]) -> Vec<usize> {
        number[start] = name;
        let mut order = vec![start];
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            for other in self.possible_neighbours(sides, vertex) {
                if number[other] == u32::MAX {
                    number[other] = name;
                    order.push(other);
                }
            }
        }
        order
    }
}

fn component(sides: &Sides, order: Vec<usize>, slots: Vec<usize>) -> Component {
    let (lefts, rights): (Vec<usize>, Vec<usize>) = order.into_iter().partition(|&vertex| sides.is_left[vertex]);
    let (covered, others) = if lefts.len() <= rights.len() { (lefts, rights) } else { (rights, lefts) };
    Component { slots, covered, others }
}

impl Component {
    /// A number of matchings that there are at least. They are the corners of a polytope in which each vertex of the covered side has edges that sum to
    /// one, and the others as well where both sides are equally large (one of these equations follows from the rest); it has more corners than
    /// dimensions.
    pub fn at_least(&self) -> usize {
        let equations = match self.covered.len() == self.others.len() {
            true => 2 * self.covered.len() - 1,
            false => self.covered.len(),
        };
        self.slots.len() - equations + 1
    }
}
