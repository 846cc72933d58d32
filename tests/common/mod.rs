//! What the tests of laws share: every small instance, every candidate, every run.

#![allow(dead_code)] // Each test uses its own part.

pub mod literal;
pub mod maps;
pub mod trees;

use std::collections::BTreeSet;
use tiebreak::answers::{Candidate, Form, Marginals};
use tiebreak::instance::{Decimal, Graph, GraphSettings, Instance, ItemKind, Items, Preset};
use tiebreak::problems::ties::{EveryTie, OneOrder, TieBreaker, TiePolicy, with_random_ties};
use tiebreak::problems::{Algorithm, Direction, Prepared, Weights};
use tiebreak::random::Rng;

pub fn array(parents: &[usize]) -> Candidate {
    Candidate::from_parents(parents.iter().copied()).expect("parents in range")
}

pub fn graph(n: usize, edges: &[(usize, usize)]) -> Graph {
    Graph::from_edges(n, edges.iter().copied()).expect("a graph")
}

/// A directed graph with small whole weights.
pub fn weighted_graph(n: usize, edges: &[(usize, usize, i64)]) -> Graph {
    Graph::weighted(n, edges.iter().map(|&(tail, head, weight)| (tail, head, Decimal::whole(weight)))).expect("a graph")
}

pub fn pairs(n: usize, self_loops: bool) -> Vec<(usize, usize)> {
    let all = (0..n).flat_map(|tail| (0..n).map(move |head| (tail, head)));
    all.filter(|(tail, head)| self_loops || tail != head).collect()
}

/// Every way to give each pair one of `labels`: lists of (tail, head, label), pairs labelled 0 left out.
fn every_labelling(n: usize, self_loops: bool, labels: usize) -> impl Iterator<Item = Vec<(usize, usize, i64)>> {
    labellings(pairs(n, self_loops), labels)
}

fn labellings(pairs: Vec<(usize, usize)>, labels: usize) -> impl Iterator<Item = Vec<(usize, usize, i64)>> {
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

/// The instances on which laws are tested without exception, as the algorithm needs them.
///
/// Without weights: every digraph with up to four vertices, self-loops included, or every undirected graph. With weights: every choice from
/// a few small ones, of every sign that the algorithm takes, up to three vertices (undirected: four), and at four vertices every digraph with
/// a few patterns that make ties frequent. What the algorithm refuses (a negative cycle, a cycle) is left out.
pub fn every_small_instance(algorithm: &dyn Algorithm) -> Vec<Instance> {
    if let Some(kind) = algorithm.problem().items {
        return every_small_table(kind);
    }
    let needs = algorithm.needs();
    let weights: &[i64] = match needs.weights {
        Weights::Ignored => &[1],
        Weights::NotNegative => &[0, 1, 2],
        Weights::AnySign => &[-1, 0, 1, 2],
    };
    let mut graphs: Vec<Graph> = vec![];
    if needs.direction != Direction::Directed {
        graphs.extend((0..=3).flat_map(|n| every_undirected(n, weights)));
        // At four vertices two weights at a time; an undirected edge of negative weight is a negative cycle to a path.
        let pairs: &[&[i64]] = match (needs.weights, algorithm.problem().measures_paths) {
            (Weights::Ignored, _) => &[&[1]],
            (_, true) => &[&[1, 2], &[0, 1]],
            (_, false) => &[&[1, 2], &[-1, 0]],
        };
        graphs.extend(pairs.iter().flat_map(|pair| every_undirected(4, pair)));
        // Few small graphs are bipartite.
        if needs.bipartite {
            graphs.extend((5..=6).flat_map(|n| every_undirected(n, &[1])));
        }
    }
    if needs.direction != Direction::Undirected {
        graphs.extend(every_directed(weights, needs.weights.are_used()));
    }
    let sources = |graph: Graph| -> Vec<Instance> {
        match needs.source {
            true => (0..graph.n()).map(|source| Instance::with_source(graph.clone(), source)).collect(),
            false => vec![Instance::new(graph)],
        }
    };
    graphs.into_iter().flat_map(sources).filter(|instance| algorithm.prepare(instance).is_ok()).collect()
}

/// Every table of up to four items, each one of six: tasks due by 1, 2 or 3 of two weights, activities between four points in time.
fn every_small_table(kind: &'static ItemKind) -> Vec<Instance> {
    let choices: [[i64; 2]; 6] = match kind.one {
        "task" => [[1, 1], [1, 2], [2, 1], [2, 2], [3, 1], [3, 2]],
        "activity" => [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]],
        other => panic!("nobody has said which small tables of {other} there are"),
    };
    let tables = (0..=4u32).flat_map(|n| (0..6usize.pow(n)).map(move |code| (n, code)));
    let instance = |(n, code): (u32, usize)| {
        let item = |place: u32| choices[code / 6usize.pow(place) % 6];
        let column = |column: usize| (0..n).map(|place| Decimal::whole(item(place)[column])).collect();
        Instance::of_items(Items::new(kind, vec![column(0), column(1)]).expect("small numbers"))
    };
    tables.map(instance).collect()
}

fn every_undirected(n: usize, weights: &[i64]) -> Vec<Graph> {
    let pairs: Vec<(usize, usize)> = pairs(n, false).into_iter().filter(|(one, other)| one < other).collect();
    let labelled = labellings(pairs, weights.len() + 1).map(|edges| {
        let weigh =
            |(one, other, label): (usize, usize, i64)| (one, other, Decimal::whole(weights[label as usize - 1]));
        Graph::weighted_undirected(n, edges.into_iter().map(weigh)).expect("each pair once")
    });
    labelled.collect()
}

fn every_directed(weights: &[i64], weighted: bool) -> Vec<Graph> {
    if !weighted {
        let edges = (0..=4).flat_map(|n| every_digraph(n, true).map(move |edges| (n, edges)));
        return edges.map(|(n, edges)| graph(n, &edges)).collect();
    }
    let relabel = |edges: Vec<(usize, usize, i64)>| -> Vec<(usize, usize, i64)> {
        edges.into_iter().map(|(tail, head, label)| (tail, head, weights[label as usize - 1])).collect()
    };
    let up_to_two = (1..=2).flat_map(|n| every_labelling(n, true, weights.len() + 1).map(move |edges| (n, edges)));
    let three = every_labelling(3, false, weights.len() + 1).map(|edges| (3, edges));
    let small = up_to_two.chain(three).map(|(n, edges)| weighted_graph(n, &relabel(edges)));
    let least = weights[0];
    let patterns: [fn(usize, usize, i64) -> i64; 3] = [
        |_, _, _| 1,
        |tail, head, _| 1 + (3 * tail + head) as i64 * 5 % 7 % 3,
        |tail, head, least| least + ((tail + 2 * head) % 3) as i64,
    ];
    let four = patterns.into_iter().flat_map(|weight| {
        every_digraph(4, false).map(move |edges| {
            let edges: Vec<_> = edges.iter().map(|&(tail, head)| (tail, head, weight(tail, head, least))).collect();
            weighted_graph(4, &edges)
        })
    });
    small.chain(four).collect()
}

/// Every candidate of the algorithm's form, by the number of slots, up to those of its small instances.
pub fn every_small_candidate(algorithm: &dyn Algorithm) -> Vec<Vec<Candidate>> {
    let form = algorithm.problem().form;
    let most = match form {
        Form::Parents | Form::Items => 4,
        Form::Edges => 9,
        Form::Order => 5,
    };
    // One slot, that of the head, is no order: nobody could stand there.
    let is_possible = |slots: usize| form != Form::Order || slots != 1;
    (0..=most).map(|slots| if is_possible(slots) { every_candidate(form, slots) } else { vec![] }).collect()
}

/// Every candidate of a form with so many slots.
pub fn every_candidate(form: Form, slots: usize) -> Vec<Candidate> {
    let options = form.options(slots);
    let choice = |code: usize, slot: usize| code / options.pow(slot as u32) % options;
    let count = if slots == 0 { 1 } else { options.pow(slots as u32) };
    (0..count).map(|code| Candidate::from_choices(form, slots, |slot| choice(code, slot))).collect()
}

/// Every right answer, by the definition: what some literal depth-first run produces, or all candidates of the form that keep the
/// definition.
pub fn every_solution(algorithm: &dyn Algorithm, instance: &Instance, candidates: &[Candidate]) -> BTreeSet<Candidate> {
    match algorithm.problem().name {
        "depth-first forests" => everything(|ties| literal::depth_first_run(&instance.graph, true, ties)),
        "depth-first forests with any restarts" => {
            everything(|ties| literal::depth_first_run(&instance.graph, false, ties))
        }
        _ => {
            let is_right = literal::judge(algorithm, instance);
            candidates.iter().filter(|candidate| is_right(candidate)).cloned().collect()
        }
    }
}

/// What `run` gives for every sequence of choices, with the chance of each sequence.
pub fn over_every_tie(mut run: impl FnMut(&mut EveryTie) -> Candidate, mut see: impl FnMut(Candidate, f64)) {
    let mut ties = EveryTie::default();
    while ties.next_run() {
        let solution = run(&mut ties);
        see(solution, ties.probability());
    }
}

/// Everything that `run` gives for some sequence of choices.
pub fn everything(run: impl FnMut(&mut EveryTie) -> Candidate) -> BTreeSet<Candidate> {
    let mut produced = BTreeSet::new();
    over_every_tie(run, |solution, _| {
        produced.insert(solution);
    });
    produced
}

/// True when a run with free choices makes a bounded number of them. Where edges that end shortest paths form a cycle it walks at random
/// until it leaves it; that needs an edge that is not positive.
pub fn has_bounded_runs(algorithm: &dyn Algorithm, instance: &Instance) -> bool {
    let positive = instance.graph.weighted_arcs().all(|(.., weight)| weight > 0);
    !algorithm.problem().measures_paths
        || !algorithm.needs().weights.are_used()
        || algorithm.needs().acyclic
        || positive
}

/// Everything that runs with free choices produce.
pub fn every_free_run(prepared: &dyn Prepared) -> BTreeSet<Candidate> {
    everything(|ties| prepared.run(ties))
}

/// Everything that runs with one order of the vertices produce.
pub fn every_one_order_run(prepared: &dyn Prepared) -> BTreeSet<Candidate> {
    everything(|ties| prepared.run(&mut OneOrder::draw(prepared.instance().n(), None, ties)))
}

/// One run that chooses at each step: literal for depth-first search, whose runs put all options in order at once
/// and so have far more sequences of choices.
pub fn run_step_by_step(algorithm: &dyn Algorithm, prepared: &dyn Prepared, ties: &mut dyn TieBreaker) -> Candidate {
    let graph = &prepared.instance().graph;
    match algorithm.problem().name {
        "depth-first forests" => literal::depth_first_run(graph, true, ties),
        "depth-first forests with any restarts" => literal::depth_first_run(graph, false, ties),
        _ => prepared.run(ties),
    }
}

/// One random run.
pub fn random_run(prepared: &dyn Prepared, policy: TiePolicy, rng: &mut Rng) -> Candidate {
    with_random_ties(policy, prepared.instance().n(), None, rng, |ties| prepared.run(ties))
}

/// The marginals of 20 runs with one order each, as in the paper.
pub fn empirical(algorithm: &dyn Algorithm, prepared: &dyn Prepared, preset: Preset, rng: &mut Rng) -> Marginals {
    let first = algorithm.first_in_order(preset);
    Marginals::from_runs(&tiebreak::pipeline::generate::runs(prepared, TiePolicy::OneOrder, first, 20, rng))
}

/// A random instance of the algorithm's own kind.
pub fn random_instance(algorithm: &dyn Algorithm, n: usize, p: f64, preset: Preset, rng: &mut Rng) -> Instance {
    algorithm.instance(&GraphSettings { n, p, preset }, rng)
}
