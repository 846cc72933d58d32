//! What the tests of laws share: every small instance, every candidate, every run.

#![allow(dead_code)] // Each test uses its own part.

pub mod literal;

use std::collections::BTreeSet;
use tiebreak::algorithms::Algorithm;
use tiebreak::graph::{Decimal, Graph, GraphSettings, Instance, Preset};
use tiebreak::parents::{ParentArray, ParentDistribution};
use tiebreak::random::Rng;
use tiebreak::ties::{EveryTie, OneOrder, TieBreaker, TiePolicy, with_random_ties};

pub fn array(parents: &[usize]) -> ParentArray {
    ParentArray::new(parents.to_vec()).expect("parents in range")
}

pub fn graph(n: usize, edges: &[(usize, usize)]) -> Graph {
    Graph::from_edges(n, edges.iter().copied()).expect("a graph")
}

/// A graph with small whole weights.
pub fn weighted(n: usize, edges: &[(usize, usize, i64)]) -> Graph {
    Graph::weighted(n, edges.iter().map(|&(tail, head, weight)| (tail, head, Decimal::whole(weight)))).expect("a graph")
}

pub fn pairs(n: usize, self_loops: bool) -> Vec<(usize, usize)> {
    let all = (0..n).flat_map(|tail| (0..n).map(move |head| (tail, head)));
    all.filter(|(tail, head)| self_loops || tail != head).collect()
}

/// Every way to give each pair one of `labels`: lists of (tail, head, label), pairs labelled 0 left out.
fn every_labelling(n: usize, self_loops: bool, labels: usize) -> impl Iterator<Item = Vec<(usize, usize, i64)>> {
    let pairs = pairs(n, self_loops);
    (0..labels.pow(pairs.len() as u32)).map(move |code| {
        let labelled = pairs.iter().scan(code, |rest, &(tail, head)| {
            let label = *rest % labels;
            *rest /= labels;
            Some((tail, head, label as i64))
        });
        labelled.filter(|&(.., label)| label > 0).collect()
    })
}

/// Every digraph with n vertices, as its list of edges.
pub fn every_digraph(n: usize, self_loops: bool) -> impl Iterator<Item = Vec<(usize, usize)>> {
    let labelled = every_labelling(n, self_loops, 2);
    labelled.map(|edges| edges.into_iter().map(|(tail, head, _)| (tail, head)).collect())
}

/// The instances on which laws are tested without exception: every digraph with up to four vertices, self-loops
/// included. With a source, the weights are every choice from {1, 2} up to three vertices; with four vertices a few
/// patterns of {1, 2, 3} that make ties frequent, without self-loops.
pub fn every_small_instance(algorithm: &dyn Algorithm) -> Vec<Instance> {
    let instances = if algorithm.needs_source() { with_sources() } else { without_source() };
    assert!(instances.iter().all(|instance| algorithm.check(instance).is_ok()));
    instances
}

fn without_source() -> Vec<Instance> {
    let edges = (0..=4).flat_map(|n| every_digraph(n, true).map(move |edges| (n, edges)));
    edges.map(|(n, edges)| Instance::new(graph(n, &edges))).collect()
}

fn with_sources() -> Vec<Instance> {
    let patterns: [fn(usize, usize) -> i64; 3] =
        [|_, _| 1, |tail, head| 1 + ((tail + head) % 3) as i64, |tail, head| 1 + (3 * tail + head) as i64 * 5 % 7 % 3];
    let up_to_three = (1..=3).flat_map(|n| every_labelling(n, true, 3).map(move |edges| weighted(n, &edges)));
    let four = patterns.into_iter().flat_map(|weight| {
        every_digraph(4, false).map(move |edges| {
            let edges: Vec<_> = edges.iter().map(|&(tail, head)| (tail, head, weight(tail, head))).collect();
            weighted(4, &edges)
        })
    });
    let sources = |graph: Graph| (0..graph.n()).map(move |source| Instance::with_source(graph.clone(), source));
    up_to_three.chain(four).flat_map(sources).collect()
}

/// All n^n parent arrays.
pub fn every_parent_array(n: usize) -> Vec<ParentArray> {
    let code_to_array = |code: usize| (0..n).map(|vertex| code / n.pow(vertex as u32) % n).collect();
    (0..n.pow(n as u32)).map(|code| ParentArray::new(code_to_array(code)).expect("digits to base n")).collect()
}

/// What `run` gives for every sequence of choices, with the chance of each sequence.
pub fn over_every_tie(mut run: impl FnMut(&mut EveryTie) -> ParentArray, mut see: impl FnMut(ParentArray, f64)) {
    let mut ties = EveryTie::default();
    while ties.next_run() {
        let solution = run(&mut ties);
        see(solution, ties.probability());
    }
}

/// Everything that `run` gives for some sequence of choices.
pub fn everything(run: impl FnMut(&mut EveryTie) -> ParentArray) -> BTreeSet<ParentArray> {
    let mut produced = BTreeSet::new();
    over_every_tie(run, |solution, _| {
        produced.insert(solution);
    });
    produced
}

/// Everything that runs with free choices produce.
pub fn every_free_run(algorithm: &dyn Algorithm, instance: &Instance) -> BTreeSet<ParentArray> {
    everything(|ties| algorithm.solve(instance, ties))
}

/// Everything that runs with one order of the vertices produce.
pub fn every_one_order_run(algorithm: &dyn Algorithm, instance: &Instance) -> BTreeSet<ParentArray> {
    everything(|ties| algorithm.solve(instance, &mut OneOrder::draw(instance.n(), None, ties)))
}

/// One run that chooses at each step: literal for depth-first search, whose `solve` puts all options in order at once
/// and so has far more sequences of choices.
pub fn run_step_by_step(algorithm: &dyn Algorithm, instance: &Instance, ties: &mut dyn TieBreaker) -> ParentArray {
    match algorithm.name() {
        "dfs" => literal::depth_first_run(&instance.graph, true, ties),
        "dfs-any-restart" => literal::depth_first_run(&instance.graph, false, ties),
        _ => algorithm.solve(instance, ties),
    }
}

/// One random run.
pub fn random_run(algorithm: &dyn Algorithm, instance: &Instance, policy: TiePolicy, rng: &mut Rng) -> ParentArray {
    with_random_ties(policy, instance.n(), None, rng, |ties| algorithm.solve(instance, ties))
}

/// The distribution of 20 runs with one order each, as in the paper.
pub fn empirical(algorithm: &dyn Algorithm, instance: &Instance, preset: Preset, rng: &mut Rng) -> ParentDistribution {
    let first = algorithm.first_in_order(preset);
    let run =
        |_| with_random_ties(TiePolicy::OneOrder, instance.n(), first, rng, |ties| algorithm.solve(instance, ties));
    ParentDistribution::from_runs(&(0..20).map(run).collect::<Vec<_>>())
}

/// A random instance of the algorithm's own kind.
pub fn random_instance(algorithm: &dyn Algorithm, n: usize, p: f64, preset: Preset, rng: &mut Rng) -> Instance {
    algorithm.instance(&GraphSettings { n, p, preset }, rng)
}
