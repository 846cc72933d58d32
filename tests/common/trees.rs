//! What is right, from the definitions, for the executors that grow trees: distances by Floyd and Warshall, spanning
//! trees by Kruskal, all solutions by trying every parent array; and the algorithms as they are told, run by an order of
//! the edges.

use super::{every_candidate, weighted_graph};
use std::collections::BTreeMap;
use tiebreak::answers::{Candidate, Form};
use tiebreak::instance::{Instance, Weight};
use tiebreak::neural::executor::Steps;
use tiebreak::problems::paths::bfs::Bfs;
use tiebreak::problems::paths::dag::DagShortestPaths;
use tiebreak::problems::paths::dijkstra::Dijkstra;
use tiebreak::problems::spanning::prim::Prim;
use tiebreak::random::Rng;

/// The graphs that an algorithm is tried on.
#[derive(Clone, Copy)]
pub struct Kind {
    pub steps: &'static dyn Steps,
    pub undirected: bool,
    pub acyclic: bool,
    pub weights: (i64, i64),
}

pub const fn kind(steps: &'static dyn Steps, weights: (i64, i64)) -> Kind {
    Kind { steps, undirected: false, acyclic: false, weights }
}

/// Weights of training and weights never seen there: ties are frequent with few of them, rare with many.
pub const KINDS: &[Kind] = &[
    kind(&Bfs, (1, 3)),
    Kind { undirected: true, ..kind(&Bfs, (-9, 20)) },
    kind(&Dijkstra, (1, 3)),
    kind(&Dijkstra, (0, 2)),
    kind(&Dijkstra, (1, 20)),
    Kind { undirected: true, ..kind(&Dijkstra, (0, 1)) },
    Kind { undirected: true, ..kind(&Dijkstra, (1, 20)) },
    Kind { undirected: true, ..kind(&Prim, (1, 3)) },
    Kind { undirected: true, ..kind(&Prim, (-20, 20)) },
    Kind { undirected: true, ..kind(&Prim, (-2, 0)) },
    Kind { undirected: true, ..kind(&Prim, (5, 5)) },
    Kind { acyclic: true, ..kind(&DagShortestPaths, (-2, 2)) },
    Kind { acyclic: true, ..kind(&DagShortestPaths, (1, 20)) },
    Kind { acyclic: true, ..kind(&DagShortestPaths, (-20, 20)) },
    Kind { acyclic: true, ..kind(&DagShortestPaths, (-1, 0)) },
];

impl Kind {
    pub fn random(&self, n: usize, p: f64, rng: &mut Rng) -> Instance {
        let mut place: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut place);
        let mut edges = vec![];
        for (tail, head) in (0..n).flat_map(|tail| (0..n).map(move |head| (tail, head))) {
            let excluded =
                tail == head || (self.undirected && tail > head) || (self.acyclic && place[tail] > place[head]);
            if excluded || !rng.chance(p) {
                continue;
            }
            let weight = self.weights.0 + rng.below((self.weights.1 - self.weights.0 + 1) as usize) as i64;
            edges.push((tail, head, weight));
            if self.undirected {
                edges.push((head, tail, weight));
            }
        }
        // A source late in the order of an acyclic graph would reach little.
        let source = match self.acyclic {
            true => {
                let early = rng.below(n.div_ceil(4));
                place.iter().position(|&rank| rank == early).expect("each rank is a vertex's")
            }
            false => rng.below(n),
        };
        Instance::with_source(weighted_graph(n, &edges), source)
    }

    pub fn is_solution(&self, instance: &Instance, candidate: &Candidate) -> bool {
        is_solution(self.steps, instance, candidate)
    }
}

pub fn is_solution(steps: &dyn Steps, instance: &Instance, candidate: &Candidate) -> bool {
    match steps.algorithm() {
        "prim" => is_lightest_tree(instance, candidate, kruskal(instance)),
        "bfs" => is_shortest_tree(instance, candidate, |_| 1),
        _ => is_shortest_tree(instance, candidate, |weight| weight),
    }
}

/// The edges from the source to a vertex in a candidate's tree; `None` when its parents do not lead to the source by
/// edges of the graph.
fn path(instance: &Instance, candidate: &Candidate, vertex: usize) -> Option<Vec<(usize, usize, Weight)>> {
    let mut edges = vec![];
    let mut at = vertex;
    while at != instance.source.unwrap() {
        let parent = candidate.parents().of(at);
        let weight = instance.graph.weight(parent, at).filter(|_| parent != at && edges.len() < instance.n())?;
        edges.push((parent, at, weight));
        at = parent;
    }
    Some(edges)
}

/// Floyd and Warshall: the length of the shortest paths between any two vertices.
fn all_distances(instance: &Instance, length: impl Fn(Weight) -> Weight) -> Vec<Vec<Option<Weight>>> {
    let n = instance.n();
    let mut distance = vec![vec![None; n]; n];
    for (tail, head, weight) in instance.graph.weighted_arcs() {
        distance[tail][head] = Some(length(weight));
    }
    (0..n).for_each(|vertex| distance[vertex][vertex] = Some(0));
    for via in 0..n {
        let onward = distance[via].clone();
        for from in distance.iter_mut() {
            let Some(before) = from[via] else { continue };
            for (to, after) in from.iter_mut().zip(&onward) {
                if let Some(after) = after.filter(|&after| to.is_none_or(|known| before + after < known)) {
                    *to = Some(before + after);
                }
            }
        }
    }
    distance
}

fn is_shortest_tree(instance: &Instance, candidate: &Candidate, length: impl Fn(Weight) -> Weight) -> bool {
    let source = instance.source.unwrap();
    let distance = &all_distances(instance, &length)[source];
    candidate.parents().is_root(source)
        && (0..instance.n()).all(|vertex| match distance[vertex] {
            None => candidate.parents().is_root(vertex),
            Some(distance) => path(instance, candidate, vertex)
                .is_some_and(|edges| edges.iter().map(|&(.., weight)| length(weight)).sum::<Weight>() == distance),
        })
}

/// The weight of the minimum spanning tree of the source's component, and which vertices that component has.
fn kruskal(instance: &Instance) -> (Weight, Vec<bool>) {
    let mut component: Vec<usize> = (0..instance.n()).collect();
    let mut edges: Vec<_> = instance.graph.weighted_arcs().map(|(tail, head, weight)| (weight, tail, head)).collect();
    edges.sort_unstable();
    let mut taken = vec![];
    for (weight, tail, head) in edges {
        let (old, new) = (component[tail], component[head]);
        if old != new {
            component.iter_mut().filter(|name| **name == old).for_each(|name| *name = new);
            taken.push((tail, weight));
        }
    }
    let inside: Vec<bool> = component.iter().map(|&name| name == component[instance.source.unwrap()]).collect();
    (taken.iter().filter(|&&(tail, _)| inside[tail]).map(|&(_, weight)| weight).sum(), inside)
}

fn is_lightest_tree(instance: &Instance, candidate: &Candidate, (least, inside): (Weight, Vec<bool>)) -> bool {
    tree_weight(instance, candidate, &inside) == Some(least)
}

/// The weight of a tree rooted at the source that spans the vertices inside and no others.
fn tree_weight(instance: &Instance, candidate: &Candidate, inside: &[bool]) -> Option<Weight> {
    let source = instance.source.unwrap();
    let spans = |vertex: usize| match inside[vertex] {
        true => path(instance, candidate, vertex).is_some(),
        false => candidate.parents().is_root(vertex),
    };
    (candidate.parents().is_root(source) && (0..instance.n()).all(spans))
        .then(|| candidate.parents().edges().map(|(parent, child)| instance.graph.weight(parent, child).unwrap()).sum())
}

/// Every solution, by trying all parent arrays; for spanning trees even the least weight is found by trying.
pub fn every_solution(steps: &dyn Steps, instance: &Instance) -> Vec<Candidate> {
    let all = every_candidate(Form::Parents, instance.n());
    if steps.algorithm() != "prim" {
        return all.into_iter().filter(|candidate| is_solution(steps, instance, candidate)).collect();
    }
    let reached = &all_distances(instance, |_| 1)[instance.source.unwrap()];
    let inside: Vec<bool> = reached.iter().map(Option::is_some).collect();
    let weight = |candidate: &Candidate| tree_weight(instance, candidate, &inside);
    let least = all.iter().filter_map(weight).min();
    all.into_iter().filter(|candidate| weight(candidate).is_some() && weight(candidate) == least).collect()
}

/// Every order of so many things.
fn every_order(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![vec![]];
    for item in 0..count {
        let insert = |order: &Vec<usize>, place: usize| {
            let mut order = order.clone();
            order.insert(place, item);
            order
        };
        orders = orders.iter().flat_map(|order| (0..=item).map(move |place| insert(order, place))).collect();
    }
    orders
}

/// The chance of each result when each of `count!` orders is equally likely.
pub fn law_over_orders(count: usize, result: impl Fn(&[usize]) -> Candidate) -> BTreeMap<Candidate, f64> {
    let orders = every_order(count);
    let mut law = BTreeMap::new();
    for order in &orders {
        *law.entry(result(order)).or_default() += 1.0 / orders.len() as f64;
    }
    law
}

/// Dijkstra's algorithm as it is told: settle the nearest vertex; of equal offers the one whose edge is first in order.
pub fn settle_one_by_one(instance: &Instance, order: &[usize]) -> Candidate {
    let edges: Vec<_> = instance.graph.weighted_arcs().collect();
    let mut length = BTreeMap::from([(instance.source.unwrap(), 0)]);
    let mut parents = Candidate::all_roots(instance.n());
    loop {
        let offers = order.iter().enumerate().filter_map(|(place, &edge)| {
            let (tail, head, weight) = edges[edge];
            let through = length.get(&tail)? + weight;
            (!length.contains_key(&head)).then_some((through, place, tail, head))
        });
        let Some((through, _, tail, head)) = offers.min() else { return parents };
        parents.set(head, tail);
        length.insert(head, through);
    }
}

/// Kruskal's algorithm with ties by an order of the undirected edges, rooted at the source.
pub fn kruskal_by(instance: &Instance, edges: &[(usize, usize, Weight)], order: &[usize]) -> Candidate {
    let mut sorted: Vec<_> = order.iter().map(|&edge| edges[edge]).collect();
    sorted.sort_by_key(|&(.., weight)| weight);
    let mut component: Vec<usize> = (0..instance.n()).collect();
    let mut tree = vec![];
    for (one, other, _) in sorted {
        let (old, new) = (component[one], component[other]);
        if old != new {
            component.iter_mut().filter(|name| **name == old).for_each(|name| *name = new);
            tree.push((one, other));
        }
    }
    let mut parents = Candidate::all_roots(instance.n());
    let mut rooted = vec![instance.source.unwrap()];
    while let Some(parent) = rooted.pop() {
        let children: Vec<usize> = tree.iter().filter_map(|&(one, other)| other_end(one, other, parent)).collect();
        tree.retain(|&(one, other)| other_end(one, other, parent).is_none());
        children.iter().for_each(|&child| parents.set(child, parent));
        rooted.extend(children);
    }
    parents
}

fn other_end(one: usize, other: usize, end: usize) -> Option<usize> {
    [(one, other), (other, one)].into_iter().find(|&(this, _)| this == end).map(|(_, other)| other)
}

/// A graph with negative weights whose cycles are all longer than zero: positive lengths, seen from potentials.
pub fn without_short_cycles(n: usize, p: f64, rng: &mut Rng) -> Instance {
    let potentials: Vec<i64> = (0..n).map(|_| rng.below(9) as i64).collect();
    let mut edges = vec![];
    for (tail, head) in (0..n).flat_map(|tail| (0..n).map(move |head| (tail, head))) {
        if tail != head && rng.chance(p) {
            edges.push((tail, head, 1 + rng.below(3) as i64 + potentials[head] - potentials[tail]));
        }
    }
    Instance::with_source(weighted_graph(n, &edges), rng.below(n))
}
