//! How well costs explain observed routes: does the cheapest route equal the observed one, is it among the k cheapest, how far is it from the cheapest?

use super::data::Scale;
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
    /// What the best answer truly costs, and what the truly best one does, where that is known.
    pub truly: Option<[f64; 2]>,
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
    /// By how much the best answers are truly worse than the truly best ones, as a share, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regret: Option<f64>,
}

/// What arcs truly cost, and the truly best answer of every route or set that was observed.
pub struct TrueCosts {
    /// For each arc.
    pub costs: Vec<f64>,
    /// For each of the observed routes or sets.
    pub best: Vec<f64>,
}

impl TrueCosts {
    /// Of these routes or sets.
    pub fn new(
        graph: &Graph,
        question: Question,
        costs: Vec<f64>,
        observed: &[ObservedRoute],
    ) -> Result<Self, RouteError> {
        let best = if question.is_route() {
            let scale = Scale::of(&costs);
            let lengths = costs.iter().map(|&cost| scale.quantise(cost)).collect();
            let found = cheapest(graph, lengths, observed.iter(), 1)?;
            found.iter().map(|found| first_arcs(graph, found).iter().map(|&arc| costs[arc as usize]).sum()).collect()
        } else {
            let ends: Vec<(u32, u32)> = graph.arcs().map(|(tail, head)| (tail as u32, head as u32)).collect();
            let best = question.best_set(graph.n(), &ends, &costs).into_iter().map(|arc| costs[arc]).sum();
            vec![best; observed.len()]
        };
        Ok(TrueCosts { costs, best })
    }

    /// What an answer truly costs, and what the best one does in the place of that which was observed there.
    fn of(&self, place: usize, arcs: impl Iterator<Item = usize>) -> [f64; 2] {
        [arcs.map(|arc| self.costs[arc]).sum(), self.best[place]]
    }
}

fn cheapest<'r>(
    graph: &Graph,
    lengths: Vec<Weight>,
    routes: impl Iterator<Item = &'r ObservedRoute>,
    k: usize,
) -> Result<Vec<FoundRoutes>, RouteError> {
    let roads = RouteGraph::counting_edges(graph)?.with_lengths(lengths)?;
    let pairs: Vec<(usize, usize)> = routes.map(|route| (route.origin as usize, route.destination as usize)).collect();
    find_many(&roads, &pairs, &RouteRequest { k, ..RouteRequest::default() }, || ())
}

fn arcs_of(graph: &Graph, path: &[usize]) -> Vec<u32> {
    path.windows(2).filter_map(|step| graph.arc(step[0], step[1])).map(|arc| arc as u32).collect()
}

fn first_arcs(graph: &Graph, found: &FoundRoutes) -> Vec<u32> {
    found.routes.first().map_or(vec![], |first| arcs_of(graph, &first.path))
}

/// Observed routes or sets, each with its place among all.
pub type Placed<'a> = [(usize, &'a ObservedRoute)];

/// Scores of all routes under whole-number costs.
pub fn score_routes(
    graph: &Graph,
    lengths: Vec<Weight>,
    routes: &Placed,
    truth: Option<&TrueCosts>,
) -> Result<Vec<RouteScore>, RouteError> {
    let found = cheapest(graph, lengths.clone(), routes.iter().map(|&(_, route)| route), AMONG)?;
    let score = |(&(place, route), found): (&(usize, &ObservedRoute), &FoundRoutes)| {
        let truly = truth.map(|truth| truth.of(place, first_arcs(graph, found).into_iter().map(|arc| arc as usize)));
        RouteScore { truly, ..score(graph, &lengths, route, found) }
    };
    Ok(routes.iter().zip(&found).map(score).collect())
}

fn score(graph: &Graph, lengths: &[Weight], route: &ObservedRoute, found: &FoundRoutes) -> RouteScore {
    let rank = found.routes.iter().position(|other| arcs_of(graph, &other.path) == route.arcs);
    let own: Weight = route.arcs.iter().map(|&arc| lengths[arc as usize]).sum();
    let best = found.best.unwrap_or(own).max(1);
    let cheapest = first_arcs(graph, found);
    let shared = route.arcs.iter().filter(|arc| cheapest.contains(arc)).count() as f64;
    let all = (route.arcs.len() + cheapest.len()).max(1) as f64;
    RouteScore {
        rank: rank.map(|rank| rank as u32),
        gap: own as f64 / best as f64 - 1.0,
        distance: (all - 2.0 * shared) / all,
        truly: None,
    }
}

/// Scores of observed sets (forests, selected items) under whole-number costs: there is one best set to compare them with.
pub fn score_sets(
    question: Question,
    graph: &Graph,
    lengths: &[Weight],
    observed: &Placed,
    truth: Option<&TrueCosts>,
) -> Vec<RouteScore> {
    let ends: Vec<(u32, u32)> = graph.arcs().map(|(tail, head)| (tail as u32, head as u32)).collect();
    let costs: Vec<f64> = lengths.iter().map(|&length| length as f64).collect();
    let best_set = question.best_set(graph.n(), &ends, &costs);
    let best = best_set.iter().map(|&arc| lengths[arc]).sum::<Weight>().max(1);
    let score = |&(place, set): &(usize, &ObservedRoute)| {
        let own: Weight = set.arcs.iter().map(|&arc| lengths[arc as usize]).sum();
        let shared = set.arcs.iter().filter(|&&arc| best_set.contains(&(arc as usize))).count() as f64;
        let all = (set.arcs.len() + best_set.len()).max(1) as f64;
        let gap = (own - best).abs() as f64 / best as f64;
        let truly = truth.map(|truth| truth.of(place, best_set.iter().copied()));
        RouteScore { rank: (own == best).then_some(0), gap, distance: (all - 2.0 * shared) / all, truly }
    };
    observed.iter().map(score).collect()
}

impl FitScore {
    /// The means.
    pub fn of(scores: &[RouteScore]) -> Self {
        let mean =
            |value: &dyn Fn(&RouteScore) -> f64| scores.iter().map(value).sum::<f64>() / scores.len().max(1) as f64;
        let truly: Option<Vec<[f64; 2]>> = scores.iter().map(|score| score.truly).collect();
        let sum = |side: usize, truly: &[[f64; 2]]| truly.iter().map(|pair| pair[side]).sum::<f64>();
        FitScore {
            exact: mean(&|score| f64::from(score.rank == Some(0))),
            recall: mean(&|score| f64::from(score.rank.is_some())),
            distance: mean(&|score| score.distance),
            routes: scores.len(),
            // Much is good of what is selected, so the best may be more.
            regret: truly
                .filter(|truly| !truly.is_empty())
                .map(|truly| (sum(0, &truly) - sum(1, &truly)).abs() / sum(1, &truly)),
        }
    }
}
