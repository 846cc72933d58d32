//! What was observed, as arcs of the graph: gaps are filled with the cheapest way, and loops are cut.

use super::cost::EdgeTable;
use super::learner::LearnError;
use super::likelihood::ObservedRoute;
use super::observations::{Observations, ObservedAnswer};
use super::perturbed::Question;
use crate::instance::{Graph, Weight};
use crate::problems::Space;
use crate::solve::routes::RouteGraph;

/// What was observed, as arcs of the graph.
pub struct Answers<'a> {
    /// What they answer.
    pub question: Question<'a>,
    /// Routes, forests, or sets of items.
    pub routes: Vec<ObservedRoute>,
    /// The observation that each of them is of.
    pub observation: Vec<u32>,
    /// Gaps that were filled.
    pub gaps: usize,
    loops: usize,
}

impl<'a> Answers<'a> {
    /// With gaps filled by these weights of arcs, or by the fewest edges. `sets` are those of which items are selected.
    pub fn new(
        table: &EdgeTable,
        observations: &Observations,
        weights: Option<Vec<Weight>>,
        sets: Option<&'a dyn Space>,
    ) -> Result<Self, LearnError> {
        let roads = RouteGraph::counting_edges(&table.graph)?;
        let roads = match weights {
            Some(weights) => roads.with_lengths(weights)?,
            None => roads,
        };
        let question = sets.map_or(Question::Route, Question::Selection);
        let mut answers = Answers { question, routes: vec![], observation: vec![], gaps: 0, loops: 0 };
        for (place, answer) in observations.answers.iter().enumerate() {
            match answer {
                ObservedAnswer::Path(stretches) => answers.add_path(table, &roads, place, stretches)?,
                ObservedAnswer::Parents(parents) => answers.add_tree(&table.graph, place, parents),
                ObservedAnswer::Chosen(arcs) => answers.add_forest(&table.graph, place, arcs)?,
                ObservedAnswer::Selected(items) => answers.add_set(place, items.clone()),
            }
        }
        Ok(answers)
    }

    fn add(&mut self, place: usize, route: ObservedRoute) {
        self.routes.push(route);
        self.observation.push(place as u32);
    }

    fn add_path(
        &mut self,
        table: &EdgeTable,
        roads: &RouteGraph,
        place: usize,
        stretches: &[Vec<u32>],
    ) -> Result<(), LearnError> {
        let mut path: Vec<usize> = stretches[0].iter().map(|&vertex| vertex as usize).collect();
        for stretch in &stretches[1..] {
            let (from, to) = (path[path.len() - 1], stretch[0] as usize);
            let way = roads.target(to)?.shortest(from).ok_or_else(|| LearnError::NoWay {
                place: place + 1,
                from: table.names[from].clone(),
                to: table.names[to].clone(),
            })?;
            path.extend(&way.path[1..]);
            path.extend(stretch[1..].iter().map(|&vertex| vertex as usize));
            self.gaps += 1;
        }
        let simple = without_loops(&path);
        self.loops += usize::from(simple.len() < path.len());
        self.add(place, route_of(&table.graph, &simple));
        Ok(())
    }

    /// A tree is a route from its root to each of its vertices; together they count as one observation.
    fn add_tree(&mut self, graph: &Graph, place: usize, parents: &[u32]) {
        let way = |vertex: usize| {
            let mut way = vec![vertex];
            while let Some(&at) = way.last().filter(|&&at| parents[at] as usize != at) {
                way.push(parents[at] as usize);
            }
            way.reverse();
            way
        };
        let reached: Vec<usize> = (0..parents.len()).filter(|&vertex| parents[vertex] as usize != vertex).collect();
        for &vertex in &reached {
            let weight = 1.0 / reached.len() as f64;
            self.add(place, ObservedRoute { weight, ..route_of(graph, &way(vertex)) });
        }
    }

    fn add_forest(&mut self, graph: &Graph, place: usize, arcs: &[u32]) -> Result<(), LearnError> {
        if !graph.is_undirected() {
            return Err(LearnError::Unsupported(
                "`chosen` edges are a spanning tree of an undirected graph: --undirected".to_owned(),
            ));
        }
        let ends: Vec<(usize, usize)> = graph.arcs().collect();
        let lower = |&arc: &u32| {
            let (tail, head) = ends[arc as usize];
            graph.arc(tail.min(head), tail.max(head)).expect("an edge has both arcs") as u32
        };
        self.question = Question::Spanning;
        self.add_set(place, arcs.iter().map(lower).collect());
        Ok(())
    }

    fn add_set(&mut self, place: usize, mut arcs: Vec<u32>) {
        arcs.sort_unstable();
        self.add(place, ObservedRoute { origin: 0, destination: 0, arcs, weight: 1.0 });
    }

    /// What a person should know.
    pub fn notes(&self) -> Vec<String> {
        let gaps =
            (self.gaps > 0).then(|| format!("{} gaps in observed paths were filled with the cheapest way", self.gaps));
        let loops = (self.loops > 0)
            .then(|| format!("{} observed paths visit a vertex twice; the loops were cut out", self.loops));
        gaps.into_iter().chain(loops).collect()
    }
}

/// The path without what lies between two visits to the same vertex.
fn without_loops(path: &[usize]) -> Vec<usize> {
    let mut simple: Vec<usize> = vec![];
    for &vertex in path {
        match simple.iter().position(|&earlier| earlier == vertex) {
            Some(place) => simple.truncate(place + 1),
            None => simple.push(vertex),
        }
    }
    simple
}

fn route_of(graph: &Graph, path: &[usize]) -> ObservedRoute {
    let arcs = path.windows(2).map(|step| graph.arc(step[0], step[1]).expect("steps are edges") as u32).collect();
    ObservedRoute { origin: path[0] as u32, destination: path[path.len() - 1] as u32, arcs, weight: 1.0 }
}
