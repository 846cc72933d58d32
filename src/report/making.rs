//! How an exhibit is filled: from an instance, its distributions, candidates that the exact verifier judges, executions.

use super::{Broken, Draw, Execution, Exhibit, ExhibitEdge, ShownDistribution, Step};
use crate::algorithms::Algorithm;
use crate::executor::{Executor, Priorities, PriorityOf, Trajectory};
use crate::graph::io::NamedGraph;
use crate::graph::{Instance, Weight};
use crate::metrics::count_in_words;
use crate::parents::{ParentArray, ParentDistribution};
use crate::random::Rng;
use crate::verify::{Rule, Violation};

impl Exhibit {
    /// A person's graph under its own names; nothing is shown of it yet but the graph.
    pub fn new(name: impl Into<String>, algorithm: &dyn Algorithm, graph: &NamedGraph, instance: &Instance) -> Self {
        Exhibit {
            name: name.into(),
            algorithm: algorithm.name().to_owned(),
            vertices: graph.names.clone(),
            directed: graph.directed,
            edges: edges(instance, graph.directed),
            source: instance.source,
            ..Exhibit::default()
        }
    }

    /// A graph whose vertices are numbered. Weighted edges that all go both ways are drawn as lines, others as arrows.
    pub fn of_instance(name: impl Into<String>, algorithm: &dyn Algorithm, instance: &Instance) -> Self {
        let directed = !(instance.graph.is_weighted() && instance.graph.is_symmetric());
        Exhibit::new(name, algorithm, &NamedGraph::numbered(instance.graph.clone(), directed), instance)
    }

    /// Says how many solutions there are, if they can be counted with this effort.
    pub fn count_solutions(&mut self, algorithm: &dyn Algorithm, instance: &Instance, effort: usize) {
        self.solutions = algorithm.count(instance, effort).ok().map(count_in_words);
    }

    /// Shows a distribution.
    pub fn show_distribution(&mut self, name: impl Into<String>, distribution: &ParentDistribution) {
        let rows = (0..distribution.len()).map(|vertex| distribution.of(vertex).to_vec()).collect();
        self.distributions.push(ShownDistribution { name: name.into(), rows });
    }

    /// Shows a candidate with the exact verifier's verdict and, where there is a source, the lengths of its paths.
    pub fn add_draw(
        &mut self,
        algorithm: &dyn Algorithm,
        instance: &Instance,
        from: impl Into<String>,
        extractor: Option<&str>,
        candidate: &ParentArray,
    ) {
        let exact = |length: Weight| instance.graph.decimal(length).to_string();
        let fits = candidate.len() == instance.n();
        let distances = instance.source.filter(|_| fits).map(|source| {
            path_lengths(instance, source, candidate).into_iter().map(|length| length.map(exact)).collect()
        });
        self.draws.push(Draw {
            from: from.into(),
            extractor: extractor.map(str::to_owned),
            parents: candidate.as_slice().to_vec(),
            broken: algorithm.verify(instance, candidate).err().map(|violation| broken(violation, candidate)),
            distances,
        });
    }

    /// Shows an execution step by step, and its result as a candidate from "executor". O(n²) time and memory a step.
    pub fn add_execution(
        &mut self,
        algorithm: &dyn Algorithm,
        executor: &Executor,
        instance: &Instance,
        rng: &mut Rng,
    ) {
        let frame = executor.steps().frame();
        let priorities = Priorities::draw(frame, instance, rng);
        let (run, execution) = executor.trace(instance, &priorities, rng.next_u64());
        self.executions.push(Execution {
            states: frame.states.iter().map(|&state| state.to_owned()).collect(),
            ranks: ranks(&priorities),
            ranks_are_of_edges: frame.priorities == PriorityOf::Edges,
            steps: steps(instance, &run, frame.register),
        });
        self.add_draw(algorithm, instance, "executor", None, &execution.parents);
    }
}

/// A verdict, and for a circle, which needs no edge to be named, the edges that a reader wants to see.
fn broken(violation: Violation, candidate: &ParentArray) -> Broken {
    let Violation { vertex, rule, mut edges } = violation;
    if rule == Rule::NoCycle && edges.is_empty() {
        edges = circle_above(candidate, vertex);
    }
    let name = serde_json::to_value(rule).ok().and_then(|name| name.as_str().map(str::to_owned));
    Broken { vertex, rule: name.unwrap_or_default(), words: rule.words().to_owned(), edges }
}

/// The circle that a vertex's parents lead into, as (parent, child).
fn circle_above(candidate: &ParentArray, vertex: usize) -> Vec<(usize, usize)> {
    let start = (0..candidate.len()).fold(vertex, |vertex, _| candidate.parent_of(vertex));
    let mut circle = vec![];
    let mut child = start;
    loop {
        let parent = candidate.parent_of(child);
        circle.push((parent, child));
        child = parent;
        if child == start {
            return circle;
        }
    }
}

fn edges(instance: &Instance, directed: bool) -> Vec<ExhibitEdge> {
    let graph = &instance.graph;
    let listed = graph.weighted_edges().filter(|&(tail, head, _)| directed || tail <= head);
    let weight = |weight| graph.is_weighted().then(|| graph.decimal(weight).to_string());
    listed.map(|(tail, head, length)| ExhibitEdge { tail, head, weight: weight(length) }).collect()
}

/// The length of each vertex's path from the source by its parents; `None` where they lead elsewhere, or not by edges.
fn path_lengths(instance: &Instance, source: usize, candidate: &ParentArray) -> Vec<Option<Weight>> {
    let mut lengths = vec![None; instance.n()];
    if candidate.is_root(source) {
        lengths[source] = Some(0);
    }
    let mut seen = vec![false; instance.n()];
    for start in 0..instance.n() {
        let (mut path, mut vertex) = (vec![], start);
        while !std::mem::replace(&mut seen[vertex], true) {
            path.push(vertex);
            vertex = candidate.parent_of(vertex);
        }
        // Downwards from what is known. A cycle has nothing known to start from, and stays unknown.
        for &child in path.iter().rev().filter(|&&vertex| !candidate.is_root(vertex)) {
            let parent = candidate.parent_of(child);
            let weight = instance.graph.weight(parent, child);
            lengths[child] = lengths[parent].zip(weight).map(|(length, weight): (Weight, Weight)| length + weight);
        }
    }
    lengths
}

fn ranks(priorities: &Priorities) -> Vec<usize> {
    let order = priorities.order();
    let mut ranks = vec![0; order.len()];
    order.into_iter().enumerate().for_each(|(rank, item)| ranks[item] = rank);
    ranks
}

fn steps(instance: &Instance, run: &Trajectory, has_register: bool) -> Vec<Step> {
    // A register says nothing before it was first written; the source starts with its own.
    let mut written: Vec<bool> = (0..instance.n()).map(|vertex| instance.source == Some(vertex)).collect();
    let mut steps = vec![];
    for (index, now) in run.snapshots.iter().enumerate() {
        let (parents, _) = now.parents();
        let parent = |vertex| (!parents.is_root(vertex)).then(|| parents.parent_of(vertex));
        let register = |vertex: usize| match written[vertex] {
            true => instance.graph.decimal(now.registers[vertex]).to_string(),
            false => String::new(),
        };
        let selected = run.selected.get(index).cloned().unwrap_or_default();
        steps.push(Step {
            states: now.states.clone(),
            parents: (0..instance.n()).map(parent).collect(),
            registers: has_register.then(|| (0..instance.n()).map(register).collect()),
            selected: selected.clone(),
        });
        selected.iter().for_each(|&(_, receiver)| written[receiver] = true);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::ALGORITHMS;
    use crate::algorithms::bellman_ford::BellmanFord;
    use crate::algorithms::dfs;
    use crate::generate::{self, Recipe};
    use crate::graph::{Decimal, Graph, GraphSettings};

    fn parents(of: &[usize]) -> ParentArray {
        ParentArray::new(of.to_vec()).unwrap()
    }

    #[test]
    fn what_is_shown_is_the_instance_and_comes_back_from_json() {
        for &algorithm in ALGORITHMS {
            let recipe = Recipe { graph: GraphSettings { n: 9, ..GraphSettings::default() }, ..Recipe::default() };
            let sample = generate::sample(algorithm, &recipe, 0, 0).unwrap();
            let mut exhibit = Exhibit::of_instance("nine", algorithm, &sample.instance);
            exhibit.show_distribution("empirical", &sample.distribution);
            let ways = if exhibit.directed { 1 } else { 2 };
            assert_eq!(exhibit.edges.len() * ways, sample.instance.graph.edge_count(), "{}", algorithm.name());
            assert_eq!(exhibit.directed, !algorithm.needs_source());
            assert_eq!(exhibit.distributions[0].rows.concat(), sample.distribution.as_slice());
            let text = serde_json::to_string(&exhibit).unwrap();
            assert_eq!(serde_json::from_str::<Exhibit>(&text).unwrap(), exhibit);
        }
    }

    #[test]
    fn a_draw_is_broken_exactly_when_the_verifier_says_so() {
        let chain = Instance::new(Graph::from_edges(3, [(0, 1), (0, 2), (1, 2), (2, 1)]).unwrap());
        let mut exhibit = Exhibit::of_instance("siblings", &dfs::ORDERED, &chain);
        exhibit.add_draw(&dfs::ORDERED, &chain, "empirical", Some("argmax"), &parents(&[0, 0, 0]));
        exhibit.add_draw(&dfs::ORDERED, &chain, "empirical", None, &parents(&[0, 0, 1]));
        let broken = exhibit.draws[0].broken.as_ref().unwrap();
        assert_eq!((broken.rule.as_str(), broken.vertex), ("sibling-order", 1));
        assert_eq!(broken.edges, [(1, 2), (2, 1)]);
        assert!(broken.words.contains("siblings"));
        exhibit.add_draw(&dfs::ORDERED, &chain, "empirical", None, &parents(&[0, 2, 1]));
        let circle = exhibit.draws[2].broken.as_ref().unwrap();
        assert_eq!(circle.rule, "no-cycle");
        assert!([[(1, 2), (2, 1)], [(2, 1), (1, 2)]].iter().any(|round| circle.edges == round));
        assert_eq!((&exhibit.draws[1].broken, &exhibit.draws[1].distances), (&None, &None));
    }

    #[test]
    fn distances_follow_the_candidates_parents_exactly() {
        let tenth = |digits| Decimal::scaled(digits, 1);
        let edges = [(0, 1, tenth(1)), (1, 2, tenth(2)), (0, 2, tenth(9)), (3, 4, tenth(1)), (4, 3, tenth(1))];
        let instance = Instance::with_source(Graph::weighted(6, edges).unwrap(), 0);
        let distances = |of: &[usize]| {
            let mut exhibit = Exhibit::of_instance("paths", &BellmanFord, &instance);
            exhibit.add_draw(&BellmanFord, &instance, "predicted", None, &parents(of));
            let shown = exhibit.draws.remove(0).distances.unwrap();
            shown.into_iter().map(|length| length.unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(distances(&[0, 0, 1, 3, 4, 5]), ["0", "0.1", "0.3", "", "", ""]);
        assert_eq!(distances(&[0, 0, 0, 4, 3, 5]), ["0", "0.1", "0.9", "", "", ""], "a circle leads nowhere");
        assert_eq!(distances(&[0, 2, 0, 3, 4, 1]), ["0", "", "0.9", "", "", ""], "2 -> 1 and 1 -> 5 are no edges");
        assert_eq!(distances(&[1, 0, 1, 3, 4, 5]), [""; 6], "nothing leads to the source");
    }

    #[test]
    fn an_execution_grows_into_its_candidate_which_is_a_solution() {
        for &algorithm in ALGORITHMS {
            let executor = algorithm.steps().and_then(Executor::built_in).unwrap();
            for index in 0..5 {
                let settings = GraphSettings { n: 8, ..GraphSettings::default() };
                let instance = generate::instance(algorithm, &settings, 0, index);
                let mut exhibit = Exhibit::of_instance("run", algorithm, &instance);
                exhibit.add_execution(algorithm, &executor, &instance, &mut Rng::stream(index, "execution", 0));
                let (draw, shown) = (&exhibit.draws[0], &exhibit.executions[0]);
                assert_eq!((draw.from.as_str(), &draw.broken), ("executor", &None));
                let last = shown.steps.last().unwrap();
                let grown: Vec<usize> = (0..8).map(|vertex| last.parents[vertex].unwrap_or(vertex)).collect();
                assert_eq!(grown, draw.parents);
                assert!(shown.steps[0].parents.iter().all(Option::is_none) && last.selected.is_empty());
                if let (Some(registers), Some(distances)) = (&last.registers, &draw.distances) {
                    let known: Vec<String> = distances.iter().map(|at| at.clone().unwrap_or_default()).collect();
                    assert_eq!(registers, &known);
                }
                let mut sorted = shown.ranks.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..shown.ranks.len()));
            }
        }
    }
}
