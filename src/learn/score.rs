//! How well costs explain observed routes: does the cheapest route equal the observed one, is it among the k cheapest, how far is it from the cheapest?

use super::likelihood::ObservedRoute;
use super::perturbed::Question;
use crate::instance::{Graph, Weight};
use crate::solve::routes::{FoundRoutes, RouteError, RouteGraph, RouteRequest, find_many};
use serde::{Deserialize, Serialize};

/// Routes among which an observed one is looked for.
pub const AMONG: usize = 5;

/// What became of one observed route.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteScore {
    /// Its place among the cheapest [`AMONG`], from 0.
    pub rank: Option<u32>,
    /// Its cost over that of the cheapest, less one.
    pub gap: f64,
    /// Edges to leave out and to put in to make the cheapest route the observed one, over the edges of both.
    pub distance: f64,
}

/// Means over routes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FitScore {
    /// Share of routes that are the cheapest.
    pub exact: f64,
    /// Share of routes that are among the cheapest [`AMONG`].
    pub recall: f64,
    /// Mean share of edges that differ from the cheapest route's.
    pub distance: f64,
    /// Routes.
    pub routes: usize,
}

/// Scores of all routes under whole-number costs.
pub fn score_routes(
    graph: &Graph,
    lengths: Vec<Weight>,
    routes: &[&ObservedRoute],
) -> Result<Vec<RouteScore>, RouteError> {
    let roads = RouteGraph::counting_edges(graph)?.with_lengths(lengths.clone())?;
    let pairs: Vec<(usize, usize)> =
        routes.iter().map(|route| (route.origin as usize, route.destination as usize)).collect();
    let request = RouteRequest { k: AMONG, ..RouteRequest::default() };
    let found = find_many(&roads, &pairs, &request, || ())?;
    Ok(routes.iter().zip(&found).map(|(route, found)| score(graph, &lengths, route, found)).collect())
}

fn score(graph: &Graph, lengths: &[Weight], route: &ObservedRoute, found: &FoundRoutes) -> RouteScore {
    let arcs_of = |path: &[usize]| -> Vec<u32> {
        path.windows(2).filter_map(|step| graph.arc(step[0], step[1])).map(|arc| arc as u32).collect()
    };
    let rank = found.routes.iter().position(|other| arcs_of(&other.path) == route.arcs);
    let own: Weight = route.arcs.iter().map(|&arc| lengths[arc as usize]).sum();
    let best = found.best.unwrap_or(own).max(1);
    let cheapest = found.routes.first().map_or(vec![], |first| arcs_of(&first.path));
    let shared = route.arcs.iter().filter(|arc| cheapest.contains(arc)).count() as f64;
    let all = (route.arcs.len() + cheapest.len()).max(1) as f64;
    RouteScore {
        rank: rank.map(|rank| rank as u32),
        gap: own as f64 / best as f64 - 1.0,
        distance: (all - 2.0 * shared) / all,
    }
}

/// Scores of observed sets (forests, selected items) under whole-number costs: there is one best set to compare them with.
pub fn score_sets(
    question: Question,
    graph: &Graph,
    lengths: &[Weight],
    observed: &[&ObservedRoute],
) -> Vec<RouteScore> {
    let ends: Vec<(u32, u32)> = graph.arcs().map(|(tail, head)| (tail as u32, head as u32)).collect();
    let costs: Vec<f64> = lengths.iter().map(|&length| length as f64).collect();
    let best_set = question.best_set(graph.n(), &ends, &costs);
    let best = best_set.iter().map(|&arc| lengths[arc]).sum::<Weight>().max(1);
    let score = |set: &&ObservedRoute| {
        let own: Weight = set.arcs.iter().map(|&arc| lengths[arc as usize]).sum();
        let shared = set.arcs.iter().filter(|&&arc| best_set.contains(&(arc as usize))).count() as f64;
        let all = (set.arcs.len() + best_set.len()).max(1) as f64;
        let gap = (own - best).abs() as f64 / best as f64;
        RouteScore { rank: (own == best).then_some(0), gap, distance: (all - 2.0 * shared) / all }
    };
    observed.iter().map(score).collect()
}

impl FitScore {
    /// The means.
    pub fn of(scores: &[RouteScore]) -> Self {
        let mean =
            |value: &dyn Fn(&RouteScore) -> f64| scores.iter().map(value).sum::<f64>() / scores.len().max(1) as f64;
        FitScore {
            exact: mean(&|score| f64::from(score.rank == Some(0))),
            recall: mean(&|score| f64::from(score.rank.is_some())),
            distance: mean(&|score| score.distance),
            routes: scores.len(),
        }
    }
}
