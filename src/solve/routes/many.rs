//! Many questions on one graph: each target is prepared once, and all cores work.

use super::{FoundRoutes, RouteError, RouteGraph, RouteRequest, RouteTarget};
use crate::cancel;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Routes for each pair of vertices, as (from, to), in their order; on as many threads as the caller's pool has. `tick` is called
/// after each answer.
pub fn find_many(
    graph: &RouteGraph,
    pairs: &[(usize, usize)],
    request: &RouteRequest,
    tick: impl Fn() + Sync,
) -> Result<Vec<FoundRoutes>, RouteError> {
    let mut by_target: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, &(_, to)) in pairs.iter().enumerate() {
        by_target.entry(to).or_default().push(place);
    }
    let answer = |(to, places): (usize, Vec<usize>)| -> Result<Vec<(usize, FoundRoutes)>, RouteError> {
        cancel::point();
        let sources: Vec<usize> = places.iter().map(|&place| pairs[place].0).collect();
        let wanted = if request.share.is_some() { None } else { Some(&sources[..]) };
        let target = RouteTarget::grow(graph, to, wanted)?;
        target.prove()?;
        let one = |place: usize| {
            let found = target.find(pairs[place].0, request)?;
            tick();
            Ok((place, found))
        };
        places.into_par_iter().map(one).collect()
    };
    let groups: Result<Vec<_>, RouteError> = by_target.into_par_iter().map(answer).collect();
    let mut answers: Vec<(usize, FoundRoutes)> = groups?.into_iter().flatten().collect();
    answers.sort_unstable_by_key(|&(place, _)| place);
    Ok(answers.into_iter().map(|(_, found)| found).collect())
}
