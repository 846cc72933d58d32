//! Randomised Prim: a minimum spanning tree grown from the source.
//!
//! - *free*: one of all lightest edges that lead out of the tree is taken, each equally likely. This reaches every minimum spanning tree, not all
//!   equally often.
//! - *one order* (CLRS): each open vertex keeps the first of its lightest offers; the vertex with the lightest offer joins the tree, among equals
//!   the one that stands first in the order. Keeping the first of equal offers loses trees: on small tied graphs it reaches fewer
//!   than half of them.

use super::crossing::Crossing;
use super::{ROOTED_SPANNING_TREES, RootedTrees, SPANNING_NEEDS};
use crate::answers::{Candidate, Form, Marginals};
use crate::instance::{GraphSettings, Instance, Weight, random_undirected};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Intractable, Missing, Needs, NetworkSpec, Prepared, Problem, Space, View,
    adjacency, check_marginals_size, over_all_orders, weight_matrix,
};
use crate::random::Rng;
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Minimum spanning trees from a source.
#[derive(Clone, Copy, Debug)]
pub struct Prim;

impl Algorithm for Prim {
    fn name(&self) -> &'static str {
        "prim"
    }

    fn clrs_name(&self) -> Option<&'static str> {
        Some("mst_prim")
    }

    fn problem(&self) -> &'static Problem {
        &ROOTED_SPANNING_TREES
    }

    fn needs(&self) -> Needs {
        Needs { source: true, ..SPANNING_NEEDS }
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let graph = random_undirected(settings, rng);
        let source = rng.below(settings.n.max(1));
        Instance::with_source(graph, source)
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        Ok(Box::new(Growth(RootedTrees::new(self.name(), instance)?)))
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        Ok(NetworkSpec {
            name: self.name(),
            spec: Spec::new(&["pos", "s"], &["A", "adj"], &[("pi", OutputKind::Pointer)]),
        })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Ok(&Prim)
    }

    fn models(&self) -> BuiltIn {
        BuiltIn {
            network: Some(include_bytes!("../../../models/network-prim.safetensors")),
            executor: Some(include_bytes!("../../../models/executor-prim.safetensors")),
        }
    }
}

struct Growth<'a>(RootedTrees<'a>);

impl Prepared for Growth<'_> {
    fn instance(&self) -> &Instance {
        self.0.instance()
    }

    fn space(&self) -> &dyn Space {
        &self.0
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        match ties.ranks() {
            Some(rank) => keep_first_offers(self.instance(), self.0.source(), rank),
            None => match self.0.offers().filter(|_| asks_again(ties)) {
                Some(offers) => offers.grow(ties),
                None => lightest_crossing_edges(self.instance(), self.0.source(), ties),
            },
        }
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        match policy {
            TiePolicy::Free => free_law(self.instance(), self.0.source()),
            TiePolicy::OneOrder => over_all_orders(self, first),
        }
    }

    /// As in CLRS: one round for each vertex that joins the tree.
    fn features(&self, view: &View) -> Features {
        let (instance, source) = (self.instance(), self.0.source());
        let (n, graph) = (instance.n(), &instance.graph);
        let one_hot = (0..n).map(|vertex| f32::from(u8::from(vertex == source))).collect();
        let reached = keep_first_offers(instance, source, &(0..n).collect::<Vec<_>>()).parents().edges().count() + 1;
        let edge = vec![weight_matrix(graph, view.weight_unit), adjacency(graph)];
        let seen = Features::new(n, vec![view.pos.clone(), one_hot], edge, reached);
        seen.expect("an instance has vertices, and a position for each")
    }
}

/// CLRS' Prim, ties between open vertices broken by rank.
fn keep_first_offers(instance: &Instance, source: usize, rank: &[usize]) -> Candidate {
    let graph = &instance.graph;
    let mut parents = Candidate::all_roots(graph.n());
    let (mut key, mut inside) = (vec![None; graph.n()], vec![false; graph.n()]);
    let mut open = BinaryHeap::from([Reverse((Weight::MIN, rank[source], source))]);
    while let Some(Reverse((_, _, vertex))) = open.pop() {
        if std::mem::replace(&mut inside[vertex], true) {
            continue;
        }
        for (head, weight) in graph.out_edges(vertex) {
            if !inside[head] && key[head].is_none_or(|known| weight < known) {
                key[head] = Some(weight);
                parents.set(head, vertex);
                open.push(Reverse((weight, rank[head], head)));
            }
        }
    }
    parents
}

/// Takes one of all lightest crossing edges at a time. O(m log m) and what the choices cost.
fn lightest_crossing_edges(instance: &Instance, source: usize, ties: &mut dyn TieBreaker) -> Candidate {
    let graph = &instance.graph;
    let mut parents = Candidate::all_roots(graph.n());
    let mut inside = vec![false; graph.n()];
    // Those whose head has joined since are thrown out when they come up.
    let mut crossing = Crossing::new(graph);
    let (mut next, mut left) = (source, graph.n());
    loop {
        inside[next] = true;
        left -= 1;
        if left == 0 {
            pass_over(&mut crossing, ties);
            return parents;
        }
        graph.each_out_edge(next, |head, weight| {
            if !inside[head] {
                crossing.push(weight, (next as u32, head as u32));
            }
        });
        let Some((parent, child)) = take_one(&mut crossing, &inside, ties) else { return parents };
        parents.set(child, parent);
        next = child;
    }
}

/// A uniformly random tie breaker may be asked again when it chose an edge that crosses no more: what it chooses in the end is uniform among those that do. An
/// odometer over all ties must see only real choices.
fn asks_again(ties: &dyn TieBreaker) -> bool {
    ties.policy() == TiePolicy::Free && ties.is_random()
}

/// Draws the random numbers that edges take which cross no more, until none is left.
fn pass_over(crossing: &mut Crossing, ties: &mut dyn TieBreaker) {
    if !asks_again(ties) {
        return;
    }
    while let Some(edges) = crossing.lightest() {
        ties.pass_over(edges.len());
        ties.pick_of(1);
        crossing.drop_lightest();
    }
}

fn take_one(crossing: &mut Crossing, inside: &[bool], ties: &mut dyn TieBreaker) -> Option<(usize, usize)> {
    let asks_again = asks_again(ties);
    loop {
        let edges = crossing.lightest()?;
        let edge = if asks_again {
            let place = ties.pick_of(edges.len());
            let (tail, head) = edges.swap_remove(place);
            (!inside[head as usize]).then_some((tail, head))
        } else {
            edges.retain(|&(_, head)| !inside[head as usize]);
            (!edges.is_empty()).then(|| edges[ties.pick_of(edges.len())])
        };
        if edges.is_empty() {
            crossing.drop_lightest();
        }
        if let Some((tail, head)) = edge {
            return Some((tail as usize, head as usize));
        }
    }
}

/// States that the law may remember at once.
const MAX_STATES: usize = 200_000;

/// A unit of probability flows through the sets of vertices that are inside: what happens next depends on nothing else.
fn free_law(instance: &Instance, source: usize) -> Result<Marginals, Intractable> {
    let n = instance.n();
    check_marginals_size(Form::Parents, n)?;
    let graph = &instance.graph;
    let mut shares = vec![0.0; n * n];
    let mut start = FixedBitSet::with_capacity(n);
    start.insert(source);
    // Ordered maps: sums of floats must not depend on the order of a hash table.
    let mut level: BTreeMap<FixedBitSet, f64> = BTreeMap::from([(start, 1.0)]);
    let mut last = FixedBitSet::with_capacity(n);
    while !level.is_empty() {
        let mut after: BTreeMap<FixedBitSet, f64> = BTreeMap::new();
        for (inside, mass) in level {
            let arcs =
                inside.ones().flat_map(|tail| graph.out_edges(tail).map(move |(head, weight)| (weight, tail, head)));
            let crossing: Vec<(Weight, usize, usize)> = arcs.filter(|&(.., head)| !inside.contains(head)).collect();
            let Some(&(least, ..)) = crossing.iter().min() else {
                last = inside;
                continue;
            };
            let lightest: Vec<_> = crossing.into_iter().filter(|&(weight, ..)| weight == least).collect();
            let share = mass / lightest.len() as f64;
            for (_, tail, head) in lightest {
                shares[head * n + tail] += share;
                let mut grown = inside.clone();
                grown.insert(head);
                *after.entry(grown).or_insert(0.0) += share;
            }
            if after.len() > MAX_STATES {
                return Err(Intractable(format!("the law of free runs needs more than {MAX_STATES} states at once")));
            }
        }
        level = after;
    }
    let roots = (0..n).filter(|&vertex| vertex == source || !last.contains(vertex));
    roots.for_each(|root| shares[root * n + root] = 1.0);
    Ok(Marginals::from_weights(Form::Parents, n, shares).expect("probabilities are not negative"))
}
