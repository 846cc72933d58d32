//! Randomised Bellman-Ford: every shortest-path tree.
//!
//! Weights are positive and exact. A parent array is a solution exactly when the source and each vertex that it does
//! not reach are their own parents, and every other vertex v has a parent p with a *tight* edge:
//! distance(p) + weight(p, v) = distance(v).
//!
//! ```text
//!       1      1
//!    0 --- 1 --- 3       two tight edges lead to 3 (from 1 and from 2), so there are two solutions
//!     \         /
//!    1 `-- 2 --' 1
//! ```
//!
//! What a run does depends on the tie policy, and so does what it can reach:
//! - *one order* (the paper): rounds of relaxations, the senders of a round in one order for the whole run; a vertex
//!   keeps the first parent that gave it its final distance. That parent lies on a shortest path with the fewest edges,
//!   and the one order couples the choices, so not every solution occurs.
//! - *free*: each vertex chooses among all its tight edges, so each solution is equally likely.

mod distances;
mod extract;
mod steps;

pub use extract::{Beam, Greedy};

use super::{Algorithm, BadInstance, Intractable, SolutionSet, View, adjacency, check_distribution_size};
use crate::allowed::{Allowed, PossibleParents};
use crate::executor::{Priorities, Steps};
use crate::extract::{Argmax, Extractor, Random, from_each_vertex};
use crate::graph::{GraphSettings, Instance, Preset, Weight, random_undirected};
use crate::grouped::Grouped;
use crate::model::{Features, Spec};
use crate::parents::{ParentArray, ParentDistribution};
use crate::random::Rng;
use crate::ties::{TieBreaker, TiePolicy};
use crate::verify::{Rule, Violation, check_length};
use distances::Distances;
use num_bigint::BigUint;

/// Shortest-path trees from one source.
#[derive(Clone, Copy, Debug)]
pub struct BellmanFord;

impl Algorithm for BellmanFord {
    fn name(&self) -> &'static str {
        "bellman-ford"
    }

    fn needs_source(&self) -> bool {
        true
    }

    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let graph = random_undirected(settings, rng);
        let source = rng.below(settings.n.max(1));
        Instance::with_source(graph, source)
    }

    fn check(&self, instance: &Instance) -> Result<(), BadInstance> {
        let source_vertex = instance.source.ok_or(BadInstance::NoSource(self.name()))?;
        if source_vertex >= instance.n() {
            return Err(BadInstance::SourceOutOfRange { source_vertex, n: instance.n() });
        }
        match instance.graph.weighted_edges().find(|&(.., weight)| weight <= 0) {
            Some((tail, head, weight)) => {
                Err(BadInstance::NotPositive { tail, head, weight: instance.graph.decimal(weight) })
            }
            None => Ok(()),
        }
    }

    /// O(m log n).
    fn solve(&self, instance: &Instance, ties: &mut dyn TieBreaker) -> ParentArray {
        let tight = tight_parents(instance, ties.policy());
        from_each_vertex(instance.n(), |vertex| match tight.of(vertex) {
            [] => vertex,
            options => options[ties.pick(options)],
        })
    }

    fn first_in_order(&self, preset: Preset) -> Option<usize> {
        match preset {
            Preset::Text => None,
            Preset::Authors => Some(0),
        }
    }

    /// O(n + m) for a solution; naming what is wrong with another candidate takes O(m log n).
    fn verify(&self, instance: &Instance, candidate: &ParentArray) -> Result<(), Violation> {
        check_length(&instance.graph, candidate)?;
        if is_shortest(instance, candidate) {
            return Ok(());
        }
        let distances = Distances::from(&instance.graph, source(instance));
        (0..instance.n()).try_for_each(|vertex| check_vertex(instance, &distances, candidate, vertex))
    }

    /// The check behind the paper's "valid" column for shortest paths: it compares path lengths, and so looks neither
    /// at the parent of the source nor at a parent that is itself unreachable.
    fn verify_weakly(&self, instance: &Instance, candidate: &ParentArray) -> Result<(), Violation> {
        check_length(&instance.graph, candidate)?;
        let distances = Distances::from(&instance.graph, source(instance));
        let unexamined = |vertex: usize| {
            vertex == source(instance)
                || (distances.to(vertex).is_none() && distances.to(candidate.parent_of(vertex)).is_none())
        };
        let mut examined = (0..instance.n()).filter(|&vertex| !unexamined(vertex));
        examined.try_for_each(|vertex| check_vertex(instance, &distances, candidate, vertex))
    }

    fn extractors(&self) -> &'static [&'static dyn Extractor] {
        &[&Argmax, &Random, &Beam, &Greedy]
    }

    fn spec(&self) -> Spec {
        Spec::new(&["pos", "s"], &["A", "adj"])
    }

    /// The rounds until nothing changes are those of the instance's own run, as in CLRS: the network is told how far
    /// the farthest vertex is.
    fn features(&self, instance: &Instance, view: &View) -> Features {
        let (n, graph) = (instance.n(), &instance.graph);
        let one_hot = (0..n).map(|vertex| f32::from(u8::from(vertex == source(instance)))).collect();
        let mut weights = vec![0.0; n * n];
        let unit = 10f64.powi(graph.decimals() as i32) * view.weight_unit;
        for (tail, head, weight) in graph.weighted_edges() {
            weights[tail * n + head] = (weight as f64 / unit) as f32;
        }
        let distances = Distances::from(graph, source(instance));
        let farthest = (0..n).filter_map(|vertex| Some(distances.to(vertex)?.hops)).max().unwrap_or(0);
        let node = vec![view.pos.clone(), one_hot];
        let shown = Features::new(n, node, vec![weights, adjacency(graph)], farthest.max(1));
        shown.expect("an instance has vertices, and a position for each")
    }

    fn steps(&self) -> Option<&'static dyn Steps> {
        Some(&BellmanFord)
    }

    /// The product of the numbers of tight edges.
    fn count(&self, instance: &Instance, _effort: usize) -> Result<BigUint, Intractable> {
        let tight = tight_parents(instance, TiePolicy::Free);
        Ok((0..instance.n()).map(|vertex| tight.of(vertex).len().max(1)).product())
    }

    fn solutions<'a>(&self, instance: &'a Instance) -> Box<dyn Iterator<Item = ParentArray> + 'a> {
        Box::new(Trees::new(tight_parents(instance, TiePolicy::Free), instance.n()))
    }

    /// The tight edges; each vertex chooses on its own, so demands on one do not touch another.
    fn possible_parents(&self, instance: &Instance, allowed: &Allowed) -> Result<PossibleParents, Intractable> {
        Ok(allowed_parents(instance, allowed))
    }

    fn allowed_solutions(
        &self,
        instance: &Instance,
        allowed: &Allowed,
        _effort: usize,
    ) -> Result<Box<dyn SolutionSet>, Intractable> {
        let parents = allowed_parents(instance, allowed);
        let count = (0..instance.n()).map(|vertex| parents.of(vertex).len()).product();
        Ok(Box::new(AllowedTrees { n: instance.n(), parents, count }))
    }

    /// Edges that are not allowed come after all others.
    fn steer(
        &self,
        instance: &Instance,
        _possible: &PossibleParents,
        allowed: &Allowed,
        rng: &mut Rng,
    ) -> Option<Priorities> {
        let late = |(tail, head)| if allowed.permits(tail, head) { 0 } else { 1 << 63 };
        Some(Priorities(instance.graph.edges().map(|edge| rng.next_u64() >> 1 | late(edge)).collect()))
    }

    /// Each possible parent is equally likely under both policies: a uniformly random order puts each of them first
    /// equally often. Only a vertex that stands first in every order is always taken.
    fn exact_distribution(
        &self,
        instance: &Instance,
        policy: TiePolicy,
        first: Option<usize>,
    ) -> Result<ParentDistribution, Intractable> {
        let n = instance.n();
        check_distribution_size(n)?;
        let tight = tight_parents(instance, policy);
        let mut weights = vec![0.0; n * n];
        for vertex in 0..n {
            match (tight.of(vertex), first) {
                ([], _) => weights[vertex * n + vertex] = 1.0,
                (options, Some(first)) if policy == TiePolicy::OneOrder && options.contains(&first) => {
                    weights[vertex * n + first] = 1.0;
                }
                (options, _) => options.iter().for_each(|&parent| weights[vertex * n + parent] = 1.0),
            }
        }
        Ok(ParentDistribution::from_weights(n, weights).expect("probabilities are not negative"))
    }
}

fn source(instance: &Instance) -> usize {
    instance.source.expect("the instance was checked")
}

fn tight_parents(instance: &Instance, policy: TiePolicy) -> Grouped<usize> {
    let distances = Distances::from(&instance.graph, source(instance));
    distances::tight_parents(&instance.graph, &distances, policy == TiePolicy::OneOrder)
}

/// The tight parents of each vertex that are allowed, or the vertex itself where it has none and may have none.
fn allowed_parents(instance: &Instance, allowed: &Allowed) -> PossibleParents {
    let tight = tight_parents(instance, TiePolicy::Free);
    let root = |vertex: usize| tight.of(vertex).is_empty().then_some(vertex);
    let pairs = (0..instance.n()).flat_map(|vertex| {
        let parents = tight.of(vertex).iter().copied().chain(root(vertex));
        parents.map(move |parent| (vertex, parent))
    });
    let pairs: Vec<(usize, usize)> = pairs.filter(|&(child, parent)| allowed.permits(parent, child)).collect();
    PossibleParents::new(instance.n(), pairs.iter().copied())
}

/// True for a solution: no edge is a shortcut past the paths that the candidate itself gives.
///
/// If each vertex's path in the tree is no longer than any of its neighbours' paths plus the edge between them, then by
/// induction along a shortest path none of them is longer than the shortest. This needs no search of its own.
fn is_shortest(instance: &Instance, candidate: &ParentArray) -> bool {
    let Some(lengths) = tree_lengths(instance, candidate) else {
        return false;
    };
    instance.graph.weighted_edges().all(|(tail, head, weight)| match (lengths[tail], lengths[head]) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(before), Some(after)) => after <= before + weight,
    })
}

/// The length of the candidate's own path from the source to each vertex, none for a root of its own; `None` when
/// parents run in a circle, use what is no edge, or end at a root that is not the source.
fn tree_lengths(instance: &Instance, candidate: &ParentArray) -> Option<Vec<Option<Weight>>> {
    let mut lengths: Vec<Option<Weight>> = vec![None; instance.n()];
    lengths[source(instance)] = candidate.is_root(source(instance)).then_some(0);
    lengths[source(instance)]?;
    let mut path = vec![];
    for start in 0..instance.n() {
        let mut vertex = start;
        while lengths[vertex].is_none() && !candidate.is_root(vertex) {
            path.push(vertex);
            if path.len() > instance.n() {
                return None;
            }
            vertex = candidate.parent_of(vertex);
        }
        let mut length = lengths[vertex];
        while let Some(below) = path.pop() {
            length = Some(length? + instance.graph.weight(candidate.parent_of(below), below)?);
            lengths[below] = length;
        }
    }
    Some(lengths)
}

fn check_vertex(
    instance: &Instance,
    distances: &Distances,
    candidate: &ParentArray,
    vertex: usize,
) -> Result<(), Violation> {
    let parent = candidate.parent_of(vertex);
    let broken = |rule| Err(Violation::with_edges(vertex, rule, vec![(parent, vertex)]));
    if vertex == source(instance) {
        return if parent == vertex { Ok(()) } else { broken(Rule::SourceIsRoot) };
    }
    if distances.to(vertex).is_none() {
        return if parent == vertex { Ok(()) } else { broken(Rule::UnreachableIsRoot) };
    }
    if parent == vertex {
        return Err(Violation::at(vertex, Rule::ReachableHasParent));
    }
    match instance.graph.weight(parent, vertex) {
        None => broken(Rule::ParentIsNeighbour),
        Some(weight) if !distances.is_tight(parent, vertex, weight) => broken(Rule::EdgeIsTight),
        Some(_) => Ok(()),
    }
}

/// The trees whose parents are all allowed.
struct AllowedTrees {
    n: usize,
    parents: PossibleParents,
    count: BigUint,
}

impl SolutionSet for AllowedTrees {
    fn count(&self) -> &BigUint {
        &self.count
    }

    /// Each equally likely.
    fn draw(&mut self, rng: &mut Rng) -> Result<Option<ParentArray>, Intractable> {
        if self.count == BigUint::ZERO {
            return Ok(None);
        }
        let parents = &self.parents;
        Ok(Some(from_each_vertex(self.n, |vertex| parents.of(vertex)[rng.below(parents.of(vertex).len())])))
    }
}

/// All trees, as an odometer over the tight parents of each vertex; the last vertex moves fastest.
struct Trees {
    tight: Grouped<usize>,
    /// The place of each vertex's parent among its tight parents; `None` when all trees have been given.
    chosen: Option<Vec<usize>>,
}

impl Trees {
    fn new(tight: Grouped<usize>, n: usize) -> Self {
        Trees { tight, chosen: Some(vec![0; n]) }
    }
}

impl Iterator for Trees {
    type Item = ParentArray;

    fn next(&mut self) -> Option<ParentArray> {
        let mut chosen = self.chosen.take()?;
        let tree = from_each_vertex(chosen.len(), |vertex| match self.tight.of(vertex) {
            [] => vertex,
            options => options[chosen[vertex]],
        });
        let turns = (0..chosen.len()).rev().find(|&vertex| chosen[vertex] + 1 < self.tight.of(vertex).len());
        if let Some(vertex) = turns {
            chosen[vertex] += 1;
            chosen[vertex + 1..].fill(0);
            self.chosen = Some(chosen);
        }
        Some(tree)
    }
}
