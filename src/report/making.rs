//! How an exhibit is filled: from an instance, its distributions, candidates that the exact verifier judges, executions.

use super::{Broken, Draw, Execution, Exhibit, ExhibitEdge, ShownDistribution, ShownItems, Step};
use crate::answers::{Candidate, Form, Marginals, Parents};
use crate::instance::io::NamedGraph;
use crate::instance::{Instance, Items, Weight};
use crate::neural::executor::{Executor, Priorities, PriorityOf, Trajectory};
use crate::pipeline::metrics::count_in_words;
use crate::problems::paths::path_lengths;
use crate::problems::verify::{Rule, Violation};
use crate::problems::{Algorithm, Prepared, Space};
use crate::random::Rng;

impl Exhibit {
    /// A person's graph under its own names; nothing is shown of it yet but the graph.
    pub fn new(name: impl Into<String>, algorithm: &dyn Algorithm, graph: &NamedGraph, instance: &Instance) -> Self {
        Exhibit {
            name: name.into(),
            algorithm: algorithm.name().to_owned(),
            form: algorithm.problem().form,
            vertices: graph.names.clone(),
            items: instance.items.as_ref().map(shown_items),
            directed: graph.directed,
            edges: edges(instance, graph.directed),
            source: instance.source,
            measures_paths: algorithm.problem().measures_paths,
            ..Exhibit::default()
        }
    }

    /// A graph whose vertices are numbered.
    pub fn of_instance(name: impl Into<String>, algorithm: &dyn Algorithm, instance: &Instance) -> Self {
        let directed = !instance.graph.is_undirected();
        Exhibit::new(name, algorithm, &NamedGraph::numbered(instance.graph.clone(), directed), instance)
    }

    /// Says how many solutions there are, if they can be counted with this effort.
    pub fn count_solutions(&mut self, space: &dyn Space, effort: usize) {
        self.solutions = space.count(effort).ok().map(count_in_words);
    }

    /// Shows what all solutions have in common: the two sides of the graph, and the proof that they are the best.
    pub fn show_structure(&mut self, space: &dyn Space) {
        self.is_left = space.sides().map(<[bool]>::to_vec);
        self.optimality = space.optimality();
    }

    /// Shows marginals.
    pub fn show_marginals(&mut self, name: impl Into<String>, marginals: &Marginals) {
        let rows = (0..marginals.slots()).map(|slot| marginals.row(slot).to_vec()).collect();
        self.distributions.push(ShownDistribution { name: name.into(), rows });
    }

    /// Shows a candidate with the exact verifier's verdict and, where there is a source, the lengths of its paths.
    pub fn add_draw(
        &mut self,
        prepared: &dyn Prepared,
        from: impl Into<String>,
        extractor: Option<&str>,
        candidate: &Candidate,
    ) {
        let instance = prepared.instance();
        let mut draw = Draw {
            from: from.into(),
            extractor: extractor.map(str::to_owned),
            broken: prepared.space().verify(candidate).err().map(|violation| broken(violation, candidate)),
            distances: self.measures_paths.then(|| path_lengths_in_words(instance, candidate)).flatten(),
            ..Draw::default()
        };
        match candidate.form() {
            Form::Parents => draw.parents = candidate.choices().iter().map(|&choice| choice as usize).collect(),
            Form::Edges | Form::Items => draw.chosen = candidate.chosen().collect(),
            Form::Order => draw.order = candidate.order(),
        }
        self.draws.push(draw);
    }

    /// Shows an execution step by step, and its result as a candidate from "executor". O(n²) time and memory a step.
    pub fn add_execution(&mut self, prepared: &dyn Prepared, executor: &Executor, rng: &mut Rng) {
        let instance = prepared.instance();
        let frame = executor.steps().frame();
        let priorities = Priorities::draw(frame, instance, rng);
        let (run, execution) = executor.trace(instance, &priorities, rng.next_u64());
        self.executions.push(Execution {
            states: frame.states.iter().map(|&state| state.to_owned()).collect(),
            ranks: ranks(&priorities),
            ranks_are_of_edges: frame.priorities == PriorityOf::Edges,
            steps: steps(instance, &run, frame.register),
        });
        self.add_draw(prepared, "executor", None, &execution.parents);
    }
}

/// The lengths of a candidate's own paths from the source, as exact decimals.
pub fn path_lengths_in_words(instance: &Instance, candidate: &Candidate) -> Option<Vec<Option<String>>> {
    let source = instance.source.filter(|_| candidate.slots() == instance.n())?;
    let exact = |length: Weight| instance.graph.decimal(length).to_string();
    Some(path_lengths(instance, source, candidate.parents()).into_iter().map(|length| length.map(exact)).collect())
}

/// A verdict, and for a circle, which needs no edge to be named, the edges that a reader wants to see.
fn broken(violation: Violation, candidate: &Candidate) -> Broken {
    let Violation { vertex, rule, mut edges, path, items, exchange, better } = violation;
    if let (Rule::NoCycle, Some(vertex), true) = (rule, vertex, edges.is_empty()) {
        edges = circle_above(candidate.parents(), vertex);
    }
    let name = serde_json::to_value(rule).ok().and_then(|name| name.as_str().map(str::to_owned));
    let (rule, words) = (name.unwrap_or_default(), rule.words().to_owned());
    let exchange = exchange.map(|exchange| *exchange);
    Broken { vertex, rule, words, edges, path, items, exchange, better: better.into_vec() }
}

/// The circle that a vertex's parents lead into, as (parent, child).
fn circle_above(candidate: Parents<'_>, vertex: usize) -> Vec<(usize, usize)> {
    let start = (0..candidate.n()).fold(vertex, |vertex, _| candidate.of(vertex));
    let mut circle = vec![];
    let mut child = start;
    loop {
        let parent = candidate.of(child);
        circle.push((parent, child));
        child = parent;
        if child == start {
            return circle;
        }
    }
}

fn shown_items(items: &Items) -> ShownItems {
    let kind = items.kind();
    let numbers = |column| (0..items.len()).map(|item| items.decimal(column, item).to_string()).collect();
    ShownItems {
        name: kind.many.to_owned(),
        columns: kind.columns.iter().map(|column| column.name.to_owned()).collect(),
        numbers: (0..kind.columns.len()).map(numbers).collect(),
        are_spans: kind.times,
        seconds_of: None,
    }
}

fn edges(instance: &Instance, directed: bool) -> Vec<ExhibitEdge> {
    let graph = &instance.graph;
    let listed = graph.weighted_arcs().filter(|&(tail, head, _)| directed || tail <= head);
    let weight = |weight| graph.is_weighted().then(|| graph.decimal(weight).to_string());
    listed.map(|(tail, head, length)| ExhibitEdge { tail, head, weight: weight(length) }).collect()
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
        let (tree, _) = now.parents();
        let parents = tree.parents();
        let parent = |vertex| (!parents.is_root(vertex)).then(|| parents.of(vertex));
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
    use crate::instance::{Decimal, Graph, GraphSettings};
    use crate::pipeline::generate::{self, Recipe};
    use crate::problems::ALGORITHMS;
    use crate::problems::forests::dfs;
    use crate::problems::paths::bellman_ford::BellmanFord;

    fn parents(of: &[usize]) -> Candidate {
        Candidate::from_parents(of.to_vec()).unwrap()
    }

    #[test]
    fn what_is_shown_is_the_instance_and_comes_back_from_json() {
        for &algorithm in ALGORITHMS {
            let recipe = Recipe { graph: GraphSettings { n: 9, ..GraphSettings::default() }, ..Recipe::default() };
            let sample = generate::sample(algorithm, &recipe, 0, 0).unwrap();
            let mut exhibit = Exhibit::of_instance("nine", algorithm, &sample.instance);
            exhibit.show_marginals("empirical", &sample.marginals);
            assert_eq!(exhibit.edges.len(), sample.instance.graph.edge_count(), "{}", algorithm.name());
            assert_eq!(exhibit.directed, !sample.instance.graph.is_undirected());
            assert_eq!(exhibit.distributions[0].rows.concat(), sample.marginals.as_slice());
            let text = serde_json::to_string(&exhibit).unwrap();
            assert_eq!(serde_json::from_str::<Exhibit>(&text).unwrap(), exhibit);
        }
    }

    #[test]
    fn a_draw_is_broken_exactly_when_the_verifier_says_so() {
        let chain = Instance::new(Graph::from_edges(3, [(0, 1), (0, 2), (1, 2), (2, 1)]).unwrap());
        let prepared = dfs::ORDERED.prepare(&chain).unwrap();
        let mut exhibit = Exhibit::of_instance("siblings", &dfs::ORDERED, &chain);
        exhibit.add_draw(&*prepared, "empirical", Some("argmax"), &parents(&[0, 0, 0]));
        exhibit.add_draw(&*prepared, "empirical", None, &parents(&[0, 0, 1]));
        let broken = exhibit.draws[0].broken.as_ref().unwrap();
        assert_eq!((broken.rule.as_str(), broken.vertex), ("sibling-order", Some(1)));
        assert_eq!(broken.edges, [(1, 2), (2, 1)]);
        assert!(broken.words.contains("siblings"));
        exhibit.add_draw(&*prepared, "empirical", None, &parents(&[0, 2, 1]));
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
            exhibit.add_draw(&*BellmanFord.prepare(&instance).unwrap(), "predicted", None, &parents(of));
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
            let Ok(executor) = Executor::built_in(algorithm) else { continue };
            for index in 0..5 {
                let settings = GraphSettings { n: 8, ..GraphSettings::default() };
                let instance = generate::instance(algorithm, &settings, 0, index);
                let mut exhibit = Exhibit::of_instance("run", algorithm, &instance);
                let prepared = algorithm.prepare(&instance).unwrap();
                exhibit.add_execution(&*prepared, &executor, &mut Rng::stream(index, "execution", 0));
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
