//! Randomised matching: vertices on the left take free neighbours in turn, then augmenting paths (Hopcroft and Karp's) make it a maximum one.
//!
//! - *free*: the turns come in random order, and each vertex takes one of its free neighbours, each equally likely. This reaches every maximum matching, not
//!   all equally often: those whose vertices come first, each taking its own, need no path.
//! - *one order*: turns, neighbours and paths go by the order of the run. This reaches every maximum matching, too.

use super::augment::Mates;
use super::{MAXIMUM_MATCHINGS, Matchings, Offers, Sides, law};
use crate::answers::{Candidate, Marginals};
use crate::instance::{GraphSettings, Instance, random_bipartite};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::grouped::Grouped;
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Direction, Intractable, Missing, Needs, NetworkSpec, Prepared, Problem, Space,
    View, over_all_orders,
};
use crate::random::Rng;

/// Maximum matchings of bipartite graphs.
#[derive(Clone, Copy, Debug)]
pub struct Matching;

impl Algorithm for Matching {
    fn name(&self) -> &'static str {
        "matching"
    }

    fn clrs_name(&self) -> Option<&'static str> {
        Some("bipartite_matching")
    }

    fn problem(&self) -> &'static Problem {
        &MAXIMUM_MATCHINGS
    }

    fn needs(&self) -> Needs {
        Needs { direction: Direction::Undirected, bipartite: true, ..Needs::ANY_GRAPH }
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        Instance::new(random_bipartite(settings, rng))
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        Ok(Box::new(Turns(Matchings::new(self.name(), instance)?)))
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        let spec = Spec::new(&["pos", "s", "t"], &["A", "adj"], &[("in_matching", OutputKind::EdgeFlag)]);
        Ok(NetworkSpec { name: self.name(), spec })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Err(Missing(
            "an augmenting path changes edges all along it at once, and an executor's step changes what two vertices know",
        ))
    }

    fn models(&self) -> BuiltIn {
        BuiltIn { network: Some(include_bytes!("../../../models/network-matching.safetensors")), executor: None }
    }
}

struct Turns<'a>(Matchings<'a>);

impl Prepared for Turns<'_> {
    fn instance(&self) -> &Instance {
        self.0.instance()
    }

    fn space(&self) -> &dyn Space {
        &self.0
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        let sides = self.0.two_sides();
        let mates = take_turns(sides, &sides.offers(), Mates::none(sides.n()), ties);
        self.0.candidate(mates.slots(sides))
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        match policy {
            TiePolicy::Free => law::of_free_runs(self.0.two_sides()),
            TiePolicy::OneOrder => over_all_orders(self, first),
        }
    }

    /// CLRS' flow network: after the vertices a source with an edge to each on the left, and a sink with an edge from each on the right. Positions are dealt
    /// as there: the source, the left, the right, the sink. Rounds: seven for each edge of a matching, as many as CLRS takes where each
    /// augmenting path is one edge long; longer ones would take more.
    fn features(&self, view: &View) -> Features {
        let (sides, n) = (self.0.two_sides(), self.instance().n());
        let (nodes, source, sink) = (n + 2, n, n + 1);
        let mut capacity = vec![0.0; nodes * nodes];
        sides.ends.iter().for_each(|&[left, right]| capacity[left as usize * nodes + right as usize] = 1.0);
        for vertex in 0..n {
            let (tail, head) = if sides.is_left[vertex] { (source, vertex) } else { (vertex, sink) };
            capacity[tail * nodes + head] = 1.0;
        }
        let mut adjacent = capacity.clone();
        (0..nodes).for_each(|vertex| adjacent[vertex * nodes + vertex] = 1.0);
        let one_hot = |only: usize| (0..nodes).map(|vertex| f32::from(u8::from(vertex == only))).collect();
        let node = vec![positions(sides, view), one_hot(source), one_hot(sink)];
        let seen = Features::new(nodes, node, vec![capacity, adjacent], (7 * self.0.size()).max(1));
        seen.expect("each vertex has a position")
    }
}

/// The positions of the view between those of the source, 0, and of the sink; the left first.
fn positions(sides: &Sides, view: &View) -> Vec<f32> {
    let n = sides.n();
    let mut given = view.pos.clone();
    given.sort_by(f32::total_cmp);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&one, &other| {
        sides.is_left[other].cmp(&sides.is_left[one]).then(view.pos[one].total_cmp(&view.pos[other]))
    });
    let mut pos = vec![0.0; n + 2];
    for (&vertex, own) in order.iter().zip(given) {
        pos[vertex] = (1.0 + own * n as f32) / (n + 2) as f32;
    }
    pos[n + 1] = (n + 1) as f32 / (n + 2) as f32;
    pos
}

/// A matching made a maximum one of the given edges at vertices on the left: by turns, then by augmenting paths. O(m √n).
pub(super) fn take_turns(sides: &Sides, offers: &Offers, mut mates: Mates, ties: &mut dyn TieBreaker) -> Mates {
    let mut lefts: Vec<usize> = sides.lefts().filter(|&left| mates.is_free(left)).collect();
    ties.arrange(&mut lefts);
    let (mut free, mut slots) = (vec![], vec![]);
    for &left in &lefts {
        free.clear();
        slots.clear();
        for (slot, right) in offers.of(left) {
            if mates.is_free(right) {
                free.push(right);
                slots.push(slot);
            }
        }
        if !free.is_empty() {
            mates.join(sides, slots[ties.pick(&free)]);
        }
    }
    let Some(rank) = ties.ranks() else { return completed(sides, offers, mates) };
    let mut ranked: Vec<u32> = lefts.iter().flat_map(|&left| offers.slots.of(left)).copied().collect();
    ranked.sort_by_key(|&slot| rank[sides.ends[slot as usize][1] as usize]);
    let by_left = ranked.iter().map(|&slot| (sides.ends[slot as usize][0] as usize, slot));
    mates.complete(sides, &lefts, &Offers::new(sides, &Grouped::new(sides.n(), by_left)));
    mates
}

/// The same matching made a maximum one, vertices and edges tried in the graph's order.
pub(super) fn completed(sides: &Sides, offers: &Offers, mut mates: Mates) -> Mates {
    let lefts: Vec<usize> = sides.lefts().collect();
    mates.complete(sides, &lefts, offers);
    mates
}
