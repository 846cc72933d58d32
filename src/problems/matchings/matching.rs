//! Randomised matching: vertices on the left take free neighbours in turn, then augmenting paths make it a maximum one (`augment`).
//!
//! - *free*: the turns come in random order, and each vertex takes one of its free neighbours, each equally likely. This reaches every maximum matching, not
//!   all equally often: those whose vertices come first, each taking its own, need no path.
//! - *one order*: turns, neighbours and paths go by the order of the run. This reaches every maximum matching, too.

use super::augment::{AT_ONCE, Rows, complete, fetch};
use super::mates::Mates;
use super::sides::Sides;
use super::{MAXIMUM_MATCHINGS, Matchings, law};
use crate::answers::{Candidate, Marginals};
use crate::cancel;
use crate::instance::{Graph, GraphSettings, Instance, random_bipartite};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::grouped::Grouped;
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Direction, Intractable, Missing, Needs, NetworkSpec, Prepared, Problem, Space,
    View, over_all_orders,
};
use crate::random::Rng;
use fixedbitset::FixedBitSet;

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
        let sides = &self.0.sides;
        let mates = take_turns(sides, &sides.graph, Mates::none(sides.n()), ties);
        self.0.candidate(sides.slots(&mates, |_| true))
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        match policy {
            TiePolicy::Free => law::of_free_runs(&self.0.sides),
            TiePolicy::OneOrder => over_all_orders(self, first),
        }
    }

    /// CLRS' flow network: after the vertices a source with an edge to each on the left, and a sink with an edge from each on the right. Positions are dealt
    /// as there: the source, the left, the right, the sink. Rounds: seven for each edge of a matching, as many as CLRS takes where each
    /// augmenting path is one edge long; longer ones would take more.
    fn features(&self, view: &View) -> Features {
        let (sides, n) = (&self.0.sides, self.instance().n());
        let (nodes, source, sink) = (n + 2, n, n + 1);
        let mut capacity = vec![0.0; nodes * nodes];
        let pairs = sides.graph.edges().map(|edge| sides.left_first(edge));
        pairs.for_each(|(left, right)| capacity[left * nodes + right] = 1.0);
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

/// A matching made a maximum one of the edges of `graph`, which may be fewer than there are: by turns, then by augmenting paths. O(m √n).
pub(super) fn take_turns(sides: &Sides, graph: &Graph, mut mates: Mates, ties: &mut dyn TieBreaker) -> Mates {
    let mut lefts: Vec<usize> = sides.lefts().filter(|&left| mates.is_free(left)).collect();
    ties.arrange(&mut lefts);
    let Some(rank) = ties.ranks() else {
        take_any(graph, &lefts, &mut mates, ties);
        return completed(sides, graph, mates);
    };
    let rows = by_rank(sides, graph, rank);
    take_first(&rows, &lefts, &mut mates);
    complete(sides, &rows, &lefts, &mut mates);
    mates
}

/// Each vertex takes one of its free neighbours, as ties are broken.
fn take_any(graph: &Graph, lefts: &[usize], mates: &mut Mates, ties: &mut dyn TieBreaker) {
    let most = lefts.iter().map(|&left| graph.out_neighbours(left).len()).max().unwrap_or(0);
    let mut free = vec![0; most];
    // One bit for each vertex stays near the processor.
    let mut is_free = FixedBitSet::with_capacity(graph.n());
    is_free.extend((0..graph.n()).filter(|&vertex| mates.is_free(vertex)));
    for some in lefts.chunks(AT_ONCE) {
        cancel::point();
        fetch(graph, some);
        for &left in some {
            let mut count = 0;
            for right in graph.out_neighbours(left).iter().map(|&right| right as usize) {
                free[count] = right;
                // Without a branch, which nobody could foresee.
                count += usize::from(is_free[right]);
            }
            if count > 0 {
                let right = free[ties.pick(&free[..count])];
                is_free.remove(right);
                mates.join(left, right);
            }
        }
    }
}

/// Each vertex takes the first of its free neighbours.
fn take_first(rows: &impl Rows, lefts: &[usize], mates: &mut Mates) {
    for &left in lefts {
        if let Some(&right) = rows.of(left).iter().find(|&&right| mates.is_free(right as usize)) {
            mates.join(left, right as usize);
        }
    }
}

/// The neighbours of the vertices on the left, by their rank.
fn by_rank(sides: &Sides, graph: &Graph, rank: &[usize]) -> Grouped<u32> {
    let mut rights: Vec<usize> = (0..sides.n()).filter(|&vertex| !sides.is_left[vertex]).collect();
    rights.sort_unstable_by_key(|&right| rank[right]);
    let lefts_of = |&right: &usize| graph.out_neighbours(right).iter().map(move |&left| (left as usize, right as u32));
    Grouped::new(sides.n(), rights.iter().flat_map(lefts_of))
}

/// The same matching made a maximum one, vertices and neighbours tried in the graph's order.
pub(super) fn completed(sides: &Sides, graph: &Graph, mut mates: Mates) -> Mates {
    let lefts: Vec<usize> = sides.lefts().collect();
    complete(sides, graph, &lefts, &mut mates);
    mates
}

/// A maximum matching that contains the given one: the same whoever asks.
pub(super) fn any_maximum(sides: &Sides, graph: &Graph, mut mates: Mates) -> Mates {
    let lefts: Vec<usize> = sides.lefts().filter(|&left| mates.is_free(left)).collect();
    take_first(graph, &lefts, &mut mates);
    complete(sides, graph, &lefts, &mut mates);
    mates
}
