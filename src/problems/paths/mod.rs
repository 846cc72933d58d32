//! Shortest-path trees from a source.
//!
//! Right: the source and every vertex that it does not reach are their own parents; the parents of the others form a tree, rooted at the
//! source, in which each vertex's path is as long as its distance. So the edge from a parent is *tight*: distance(p) + length(p, v) =
//! distance(v). Where all lengths are positive, tight edges form no cycle and each vertex chooses alone:
//!
//! ```text
//!       1      1
//!    0 --- 1 --- 3       two tight edges lead to 3 (from 1 and from 2), so there are two solutions
//!     \         /
//!    1 `-- 2 --' 1
//! ```
//!
//! With other weights tight edges may form cycles of length zero. Then the solutions are the spanning arborescences of the tight edges:
//! counted by determinants, drawn by Wilson's algorithm ([`crate::problems::trees`]).
//!
//! The algorithms of this folder differ in what one order of the vertices does to a run; with free choices each of them draws from
//! all solutions uniformly.

pub mod bellman_ford;
mod bellman_ford_steps;
pub mod bfs;
mod bfs_steps;
pub mod dag;
mod dag_steps;
pub mod dijkstra;
mod dijkstra_steps;
mod distances;
mod extract;
mod near;
mod quick;
mod rounds;
mod shares;
mod verify;

pub use distances::{Distances, Length};
pub use extract::{Beam, Greedy};

use super::{
    Allowed, BadInstance, Grouped, Intractable, Possible, Problem, SolutionSet, Space, View, adjacency,
    check_marginals_size,
};
use crate::answers::{Candidate, Form, Marginals, Parents};
use crate::instance::{Decimal, Graph, Instance, Weight};
use crate::neural::executor::Priorities;
use crate::neural::model::Features;
use crate::problems::extract::{Argmax, Random};
use crate::problems::ties::{TieBreaker, TiePolicy, with_random_ties};
use crate::problems::tolerance::{Gap, Raising, Tolerance, too_large};
use crate::problems::trees::{Arborescences, Limits, TreeCount, Use};
use crate::problems::verify::Violation;
use crate::random::Rng;
use num_bigint::BigUint;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Trees of shortest paths from a source.
pub static SHORTEST_PATH_TREES: Problem = Problem {
    name: "shortest-path trees",
    form: Form::Parents,
    items: None,
    measures_paths: true,
    extractors: &[&Argmax, &Random, &Beam, &Greedy],
};

/// The shortest-path trees of an instance.
pub struct Paths<'a> {
    instance: &'a Instance,
    source: usize,
    length: Length,
    has_weak_check: bool,
    distances: OnceLock<Distances>,
    trees: OnceLock<Arborescences>,
}

impl<'a> Paths<'a> {
    /// Checks the source, and that no cycle of negative length can be reached.
    pub fn new(algorithm: &'static str, instance: &'a Instance, length: Length) -> Result<Self, BadInstance> {
        let source = super::checked_source(algorithm, instance)?;
        let paths = Paths {
            instance,
            source,
            length,
            has_weak_check: false,
            distances: OnceLock::new(),
            trees: OnceLock::new(),
        };
        // Without negative weights distances always exist, and a verifier does without them.
        if length == Length::Weights && instance.graph.has_negative_weight() {
            let found = Distances::new(&instance.graph, source, length).map_err(|cycle| paths.negative(cycle.0))?;
            let _ = paths.distances.set(found);
        }
        Ok(paths)
    }

    /// The same with the check that the paper used for Bellman-Ford.
    pub fn with_weak_check(self) -> Self {
        Paths { has_weak_check: true, ..self }
    }

    fn negative(&self, cycle: Vec<usize>) -> BadInstance {
        let graph = &self.instance.graph;
        let next = cycle.iter().cycle().skip(1);
        let length = cycle.iter().zip(next).filter_map(|(&tail, &head)| graph.weight(tail, head)).sum();
        BadInstance::NegativeCycle { length: graph.decimal(length), cycle }
    }

    /// The instance.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// What distances depend on.
    fn arguments(&self) -> (&Graph, usize, Length) {
        (&self.instance.graph, self.source, self.length)
    }

    /// Where paths start.
    pub fn source(&self) -> usize {
        self.source
    }

    /// How far each vertex is.
    pub fn distances(&self) -> &Distances {
        self.distances.get_or_init(|| {
            Distances::new(&self.instance.graph, self.source, self.length).expect("no weight is negative")
        })
    }

    /// All arcs with their lengths.
    fn arcs(&self) -> impl Iterator<Item = (usize, usize, Weight)> + '_ {
        self.instance.graph.weighted_arcs().map(|(tail, head, weight)| (tail, head, self.length.of(weight)))
    }

    /// Whether an arc is on a shortest path; none into the source is. Without a branch: no processor could guess it.
    fn is_tight(&self, distances: &Distances, tail: usize, head: usize, length: Weight) -> bool {
        distances.is_tight(tail, head, length) & (tail != head) & (head != self.source)
    }

    /// The tight arcs (tail, head), those into the source left out.
    fn tight_arcs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let distances = self.distances();
        let is_tight =
            move |&(tail, head, length): &(usize, usize, Weight)| self.is_tight(distances, tail, head, length);
        self.arcs().filter(is_tight).map(|(tail, head, _)| (tail, head))
    }

    /// All solutions.
    pub fn trees(&self) -> &Arborescences {
        self.trees.get_or_init(|| {
            let reached: Vec<bool> = (0..self.instance.n()).map(|v| self.distances().to(v).is_some()).collect();
            let arcs: Vec<(usize, usize)> = self.tight_arcs().collect();
            Arborescences::new(&reached, self.source, &arcs).expect("tight edges join vertices that are reached")
        })
    }

    /// For each vertex the tight parents that `wanted(parent, child)` keeps, ascending.
    fn tight_parents(&self, wanted: impl Fn(usize, usize) -> bool) -> Grouped<usize> {
        let distances = self.distances();
        // Every arc is written, and the next one over it where it is not tight.
        let (mut tight, mut count) = (vec![(0, 0); self.instance.graph.arc_count() + 1], 0);
        for tail in 0..self.instance.n() {
            self.instance.graph.each_out_edge(tail, |head, weight| {
                tight[count] = (head, tail);
                let is_tight = self.is_tight(distances, tail, head, self.length.of(weight));
                count += usize::from(is_tight & wanted(tail, head));
            });
        }
        tight.truncate(count);
        Grouped::new(self.instance.n(), tight.iter().copied())
    }

    /// A run with free choices: one of all solutions, each equally likely.
    ///
    /// Where tight edges form cycles it walks at random until it leaves them (Wilson), so the sequences of choices have no end there.
    pub fn free_run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        let trees = self.trees();
        let mut options = vec![];
        let mut pick = |parents: &[u32]| {
            options.clear();
            options.extend(parents.iter().map(|&parent| parent as usize));
            ties.pick(&options)
        };
        if trees.is_acyclic() {
            return Candidate::from_each_vertex(trees.n(), |vertex| match trees.parents_of(vertex) {
                [] => vertex,
                parents => parents[pick(parents)] as usize,
            });
        }
        let drawn = trees.draw_by(&mut pick, &Limits { steps: u64::MAX, ..Limits::default() });
        let parents = drawn.expect("steps are not bounded").expect("the reached vertices have a tree");
        Candidate::from_each_vertex(trees.n(), |vertex| parents[vertex])
    }

    /// The law of free runs: that of uniform draws.
    pub fn free_law(&self) -> Result<Marginals, Intractable> {
        let n = self.instance.n();
        check_marginals_size(Form::Parents, n)?;
        let mut weights = vec![0.0; n * n];
        let shares = self.trees().marginals(&Limits::default()).map_err(|refusal| Intractable(refusal.to_string()))?;
        for ((parent, child), share) in self.trees().arcs().zip(shares) {
            weights[child * n + parent] = share;
        }
        (0..n).filter(|&v| self.trees().parents_of(v).is_empty()).for_each(|root| weights[root * n + root] = 1.0);
        Ok(Marginals::from_weights(Form::Parents, n, weights).expect("probabilities are not negative"))
    }

    /// The law of runs in which each vertex takes the first of its `options` in one order of all vertices.
    fn first_of(&self, options: &Grouped<usize>, first: Option<usize>) -> Result<Marginals, Intractable> {
        let n = self.instance.n();
        check_marginals_size(Form::Parents, n)?;
        let mut weights = vec![0.0; n * n];
        for vertex in 0..n {
            match (options.of(vertex), first) {
                ([], _) => weights[vertex * n + vertex] = 1.0,
                // A uniformly random order puts each of them first equally often, unless one always is.
                (options, Some(first)) if options.contains(&first) => weights[vertex * n + first] = 1.0,
                (options, _) => options.iter().for_each(|&parent| weights[vertex * n + parent] = 1.0),
            }
        }
        Ok(Marginals::from_weights(Form::Parents, n, weights).expect("probabilities are not negative"))
    }

    /// What a network sees: positions, the source, weights (or edges, where weights do not count) and edges.
    pub fn features(&self, view: &View, rounds: usize) -> Features {
        let (n, graph) = (self.instance.n(), &self.instance.graph);
        let one_hot = (0..n).map(|vertex| f32::from(u8::from(vertex == self.source))).collect();
        let mut weights = vec![0.0; n * n];
        let unit = match self.length {
            Length::Weights => 10f64.powi(graph.decimals() as i32) * view.weight_unit,
            Length::Hops => 1.0,
        };
        self.arcs().for_each(|(tail, head, length)| weights[tail * n + head] = (length as f64 / unit) as f32);
        let node = vec![view.pos.clone(), one_hot];
        let seen = Features::new(n, node, vec![weights, adjacency(graph)], rounds.max(1));
        seen.expect("an instance has vertices, and a position for each")
    }

    /// The number of vertices that are reached, the source included.
    pub fn reached(&self) -> usize {
        (0..self.instance.n()).filter(|&vertex| self.distances().to(vertex).is_some()).count()
    }
}

/// Each vertex takes the first of its options in the run's order.
fn first_in_order(options: &Grouped<usize>, ties: &mut dyn TieBreaker) -> Candidate {
    Candidate::from_each_vertex(options.groups(), |vertex| match options.of(vertex) {
        [] => vertex,
        options => options[ties.pick(options)],
    })
}

/// The length of each vertex's path from the source by its parents; `None` where they lead elsewhere, or not by edges.
pub fn path_lengths(instance: &Instance, source: usize, candidate: Parents<'_>) -> Vec<Option<Weight>> {
    let mut lengths = vec![None; instance.n()];
    if candidate.is_root(source) {
        lengths[source] = Some(0);
    }
    let mut seen = vec![false; instance.n()];
    for start in 0..instance.n() {
        let (mut path, mut vertex) = (vec![], start);
        while !std::mem::replace(&mut seen[vertex], true) {
            path.push(vertex);
            vertex = candidate.of(vertex);
        }
        // Downwards from what is known. A cycle has nothing known to start from, and stays unknown.
        for &child in path.iter().rev().filter(|&&vertex| !candidate.is_root(vertex)) {
            let parent = candidate.of(child);
            let weight = instance.graph.weight(parent, child);
            lengths[child] = lengths[parent].zip(weight).map(|(length, weight): (Weight, Weight)| length + weight);
        }
    }
    lengths
}

impl Space for Paths<'_> {
    /// O(n + m) for a solution, O(n log m) where distances are known already; naming what is wrong with another candidate may take
    /// as long as finding the distances.
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation> {
        verify::verify(self, candidate.parents())
    }

    fn takes_tolerance(&self) -> Result<(), Intractable> {
        match self.length == Length::Weights && self.instance.graph.has_negative_weight() {
            true => Err(Intractable("with negative weights a share of a path's length says nothing".to_owned())),
            false => Ok(()),
        }
    }

    fn verify_within(
        &self,
        candidate: &Candidate,
        tolerance: Tolerance,
    ) -> Result<Result<Gap, Violation>, Intractable> {
        self.takes_tolerance()?;
        Ok(near::verify_within(self, candidate.parents(), tolerance))
    }

    /// One vertex has another parent. In the order of a right tree, each vertex can be given its parent there, which makes no path longer.
    fn exchanges<'s>(
        &'s self,
        candidate: &'s Candidate,
        tolerance: Tolerance,
    ) -> Box<dyn Iterator<Item = Candidate> + 's> {
        Box::new(near::exchanges(self, candidate, tolerance))
    }

    /// Always within the tolerance, and every tree whose paths are shortest for some raised weights is drawn.
    fn draw_within(&self, tolerance: Tolerance, rng: &mut Rng) -> Result<Candidate, Intractable> {
        self.takes_tolerance()?;
        let mut raising = Raising::new(tolerance, rng);
        let raised = self
            .arcs()
            .map(|(tail, head, length)| raising.raise(length).map(|raised| (tail, head, Decimal::scaled(raised, 0))));
        let raised = raised.collect::<Option<Vec<_>>>().ok_or_else(too_large)?;
        let graph = Graph::weighted(self.instance.n(), raised).map_err(|_| too_large())?;
        let instance = Instance::with_source(graph, self.source);
        let paths = Paths::new("", &instance, Length::Weights).expect("the source is the same, no weight negative");
        Ok(with_random_ties(TiePolicy::Free, instance.n(), None, rng, |ties| paths.free_run(ties)))
    }

    fn verify_weakly(&self, candidate: &Candidate) -> Option<Result<(), Violation>> {
        self.has_weak_check.then(|| verify::verify_weakly(self, candidate.parents()))
    }

    fn count(&self, _effort: usize) -> Result<BigUint, Intractable> {
        count(self.trees())
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        Ok(Box::new(self.trees().iter().map(from_array)))
    }

    fn possible(&self, allowed: &Allowed) -> Result<Possible, Intractable> {
        let trees = self.allowed_trees(allowed);
        let uses = trees.uses();
        let roots = (0..self.instance.n()).filter(|&v| self.trees().parents_of(v).is_empty() && allowed.permits(v, v));
        let used = trees.arcs().zip(uses).filter(|(_, usage)| *usage != Use::Never);
        let pairs: Vec<(usize, usize)> =
            roots.map(|root| (root, root)).chain(used.map(|((parent, child), _)| (child, parent))).collect();
        Ok(Possible::new(self.instance.n(), pairs.iter().copied()))
    }

    fn within(&self, allowed: &Allowed, _effort: usize) -> Result<Box<dyn SolutionSet + '_>, Intractable> {
        let trees = self.allowed_trees(allowed);
        let may_be_root =
            |vertex: usize| allowed.permits(vertex, vertex) || !self.trees().parents_of(vertex).is_empty();
        let count = match (0..self.instance.n()).all(may_be_root) {
            true => count(&trees)?,
            false => BigUint::ZERO,
        };
        Ok(Box::new(AllowedTrees { trees, count }))
    }

    /// Edges that are not allowed come after all others.
    fn steer(&self, _possible: &Possible, allowed: &Allowed, rng: &mut Rng) -> Option<Priorities> {
        let late = |(tail, head)| if allowed.permits(head, tail) { 0 } else { 1 << 63 };
        Some(Priorities(self.instance.graph.arcs().map(|arc| rng.next_u64() >> 1 | late(arc)).collect()))
    }
}

impl Paths<'_> {
    fn allowed_trees(&self, allowed: &Allowed) -> Cow<'_, Arborescences> {
        match allowed.is_everything() {
            true => Cow::Borrowed(self.trees()),
            false => Cow::Owned(self.trees().filtered(|parent, child| allowed.permits(child, parent))),
        }
    }
}

fn count(trees: &Arborescences) -> Result<BigUint, Intractable> {
    match trees.count(&Limits::default()).map_err(|refusal| Intractable(refusal.to_string()))? {
        TreeCount::Exact(count) => Ok(count),
        about => Err(Intractable(format!("the exact number takes too long; it is {about}"))),
    }
}

fn from_array(parents: Vec<usize>) -> Candidate {
    Candidate::from_parents(parents).expect("parents are vertices")
}

/// The trees whose parents are all allowed.
struct AllowedTrees<'a> {
    trees: Cow<'a, Arborescences>,
    count: BigUint,
}

impl SolutionSet for AllowedTrees<'_> {
    fn count(&self) -> &BigUint {
        &self.count
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Option<Candidate>, Intractable> {
        if self.count == BigUint::ZERO {
            return Ok(None);
        }
        let drawn = self.trees.draw(rng, &Limits::default()).map_err(|refusal| Intractable(refusal.to_string()))?;
        Ok(drawn.map(from_array))
    }
}
