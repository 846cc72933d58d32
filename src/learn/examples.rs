//! Observed routes beside what is answered in their place, for people to look at.

use super::account::Example;
use super::cost::EdgeTable;
use super::likelihood::ObservedRoute;
use super::score::AMONG;
use crate::instance::Weight;
use crate::solve::routes::{FoundRoutes, RouteError, RouteGraph, RouteRequest, find_many};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Routes that are shown, at the most.
pub const SHOWN: usize = 8;

/// Different routes that are kept beside a cost, at the most.
const KEPT: usize = 5000;

/// A route that was observed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedPath {
    /// The vertices that were visited.
    pub path: Vec<String>,
    /// How often.
    pub times: usize,
}

/// The different routes, the most frequent first.
pub fn frequent_routes(table: &EdgeTable, routes: &[ObservedRoute]) -> Vec<ObservedPath> {
    let mut times: BTreeMap<&[u32], (u32, usize)> = BTreeMap::new();
    for route in routes.iter().filter(|route| !route.arcs.is_empty()) {
        times.entry(&route.arcs).or_insert((route.origin, 0)).1 += 1;
    }
    let ends: Vec<(usize, usize)> = table.graph.arcs().collect();
    let name = |vertex: usize| table.names[vertex].clone();
    let path = |(arcs, (origin, times)): (&[u32], (u32, usize))| {
        let heads = arcs.iter().map(|&arc| name(ends[arc as usize].1));
        ObservedPath { path: [name(origin as usize)].into_iter().chain(heads).collect(), times }
    };
    let mut paths: Vec<ObservedPath> = times.into_iter().map(path).collect();
    // By name where they are as frequent: the order of a file says nothing.
    paths.sort_by(|one, other| other.times.cmp(&one.times).then_with(|| one.path.cmp(&other.path)));
    paths.truncate(KEPT);
    paths
}

/// Each route beside the cheapest ones between its ends.
pub fn examples(table: &EdgeTable, lengths: &[Weight], routes: &[&ObservedRoute]) -> Result<Vec<Example>, RouteError> {
    let roads = RouteGraph::counting_edges(&table.graph)?.with_lengths(lengths.to_vec())?;
    let pairs: Vec<(usize, usize)> =
        routes.iter().map(|route| (route.origin as usize, route.destination as usize)).collect();
    let found = find_many(&roads, &pairs, &RouteRequest { k: AMONG, ..RouteRequest::default() }, || ())?;
    Ok(routes.iter().zip(&found).map(|(route, found)| example(table, lengths, route, found)).collect())
}

fn example(table: &EdgeTable, lengths: &[Weight], route: &ObservedRoute, found: &FoundRoutes) -> Example {
    let ends: Vec<(usize, usize)> = table.graph.arcs().collect();
    let names = |path: &[usize]| -> Vec<String> { path.iter().map(|&vertex| table.names[vertex].clone()).collect() };
    let mut path = vec![route.origin as usize];
    path.extend(route.arcs.iter().map(|&arc| ends[arc as usize].1));
    let own: Weight = route.arcs.iter().map(|&arc| lengths[arc as usize]).sum();
    let best = found.best.unwrap_or(own).max(1);
    let paths = found.routes.iter().map(|route| &route.path).chain([&path]);
    let arcs: BTreeSet<usize> =
        paths.flat_map(|path| path.windows(2)).filter_map(|step| table.graph.arc(step[0], step[1])).collect();
    let step = |&arc: &usize| {
        let (tail, head) = ends[arc];
        (table.names[tail].clone(), table.names[head].clone(), lengths[arc])
    };
    let vertices: BTreeSet<usize> = arcs.iter().flat_map(|&arc| [ends[arc].0, ends[arc].1]).collect();
    let place = |all: &[(f64, f64)], vertex: usize| (table.names[vertex].clone(), all[vertex].0, all[vertex].1);
    Example {
        observed: names(&path),
        gap: own as f64 / best as f64 - 1.0,
        answers: found.routes.iter().map(|route| (names(&route.path), found.gap(route).unwrap_or(0.0))).collect(),
        steps: arcs.iter().map(step).collect(),
        positions: table.positions.iter().flat_map(|all| vertices.iter().map(|&vertex| place(all, vertex))).collect(),
    }
}
