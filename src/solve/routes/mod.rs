//! Routes between two vertices: the k shortest, all within a tolerance, or some that share little.
//!
//! A route is a simple path; its length is an exact sum of whole numbers. Routes come in order of length, then of the number of edges, then of
//! the vertices' numbers one by one, so that the same question has the same answer whatever the threads. Lengths may be zero or
//! negative, as long as no cycle of negative length leads to the target (then already the shortest route is NP-hard to find).
//!
//! ```text
//!        2         1
//!    0 ----- 1 --------- 3      from 0 to 3:  0 1 3 (3),  0 2 3 (4),  0 2 1 3 (4),  0 1 2 3 (5)
//!     \      | 1        /
//!      `---- 2 --------'        within 50 %:  the first three, and that is proved
//!        2         2
//! ```
//!
//! Each route is checked by [`verify_route`] from the graph alone, and each shortest length by lower bounds for all vertices whose
//! truth shows on every arc ([`RouteTarget::prove`]). That a list is *all* routes within a tolerance is the search's own proof: what it never looked at has a
//! lower bound beyond the tolerance. Tests hold that to all simple paths of all small graphs.
//!
//! ```
//! use tiebreak::instance::{Decimal, Graph};
//! use tiebreak::solve::routes::{RouteCount, RouteGraph, RouteRequest};
//!
//! let edges = [(0, 1, 2), (0, 2, 2), (1, 2, 1), (1, 3, 1), (2, 3, 2)];
//! let graph = Graph::weighted_undirected(4, edges.map(|(u, v, w)| (u, v, Decimal::whole(w))))?;
//! let graph = RouteGraph::new(&graph)?;
//! let two = graph.find(0, 3, &RouteRequest { k: 2, ..RouteRequest::default() })?;
//! assert_eq!(two.routes.iter().map(|route| route.path.clone()).collect::<Vec<_>>(), [vec![0, 1, 3], vec![0, 2, 3]]);
//! let within = RouteRequest { within: Some("50%".parse()?), ..RouteRequest::default() };
//! assert_eq!(graph.find(0, 3, &within)?.count, RouteCount::Exactly(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alternatives;
mod detour;
mod many;
mod meetings;
mod network;
mod order;
mod tree;
mod verify;

pub use many::find_many;
pub use network::RouteGraph;
pub use verify::{BadRoute, verify_route};

use crate::instance::Weight;
use crate::problems::tolerance::{Tolerance, relative_gap};
use order::InOrder;
use thiserror::Error;
use tree::{Towards, Tree};

/// No vertex.
const NOBODY: u32 = u32::MAX;

/// A simple path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Its vertices, from the first to the last.
    pub path: Vec<usize>,
    /// The sum of its lengths.
    pub length: Weight,
}

/// Why routes cannot be found.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RouteError {
    /// A cycle of negative length leads to the target, or from the source.
    #[error(
        "a cycle of negative length leads through vertex {through}, so there is no telling the shortest simple path"
    )]
    NegativeCycle {
        /// A vertex on it, or after it.
        through: usize,
    },
    /// A length beyond what sums can hold.
    #[error("edge {tail} -> {head} is too long for exact lengths of routes")]
    TooLong {
        /// Where the edge starts.
        tail: usize,
        /// Where it ends.
        head: usize,
    },
    /// A route that is none, or a bound that does not hold. Never seen; better said than trusted.
    #[error("a result failed its own check, which is a bug: {0}")]
    NotVerified(String),
}

impl RouteError {
    /// The same in words that call vertices by name.
    pub fn describe(&self, name: impl Fn(usize) -> String) -> String {
        match self {
            RouteError::NegativeCycle { through } => format!(
                "a cycle of negative length leads through '{}', so there is no telling the shortest simple path",
                name(*through)
            ),
            RouteError::TooLong { tail, head } => {
                format!("the edge '{}' -> '{}' is too long for exact lengths of routes", name(*tail), name(*head))
            }
            RouteError::NotVerified(_) => self.to_string(),
        }
    }
}

/// What is wanted between two vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteRequest {
    /// How many routes.
    pub k: usize,
    /// None that is longer than the shortest by more than this.
    pub within: Option<Tolerance>,
    /// Routes of which no two share more than this part of the shorter one's length.
    pub share: Option<Tolerance>,
    /// How far routes within a tolerance are counted, where more of them than `k` exist.
    pub count_to: usize,
    /// Bytes that all routes may take, by an estimate: where `k` is larger, the search stops there.
    pub memory: u64,
}

impl Default for RouteRequest {
    fn default() -> Self {
        RouteRequest { k: 10, within: None, share: None, count_to: COUNT_TO, memory: super::MEMORY }
    }
}

impl RouteRequest {
    /// The most routes that there is room for, where the shortest has so many vertices; some thousands in any case.
    fn room(&self, vertices: usize) -> usize {
        // A route holds its vertices twice, and at each of them other routes may branch off.
        let each = 72 * vertices as u64 + 200;
        usize::try_from(self.memory / each).unwrap_or(usize::MAX).max(10_001)
    }
}

/// How far routes are counted where nobody says otherwise.
pub const COUNT_TO: usize = 1_000;

/// What two routes may share where nobody says otherwise: half.
pub fn usual_share() -> Tolerance {
    "50%".parse().expect("a percentage")
}

/// The routes between two vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundRoutes {
    /// The best first; none where the target cannot be reached.
    pub routes: Vec<Route>,
    /// How many there are in all, of those within the tolerance if there is one, whatever they share.
    pub count: RouteCount,
    /// The length of the shortest one.
    pub best: Option<Weight>,
}

impl FoundRoutes {
    /// How much longer than the shortest a route is: 0.05 for 5 %.
    pub fn gap(&self, route: &Route) -> Option<f64> {
        relative_gap(route.length, self.best?)
    }
}

/// A number of routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteCount {
    /// Exactly so many: the search ran out of them.
    Exactly(usize),
    /// So many were seen, and then it stopped.
    AtLeast(usize),
}

impl RouteGraph<'_> {
    /// Routes from one vertex to another.
    pub fn find(&self, from: usize, to: usize, request: &RouteRequest) -> Result<FoundRoutes, RouteError> {
        let sources = [from];
        let wanted = if request.share.is_some() { None } else { Some(&sources[..]) };
        let target = RouteTarget::grow(self, to, wanted)?;
        target.prove()?;
        target.find(from, request)
    }

    /// Everything about ways to one target, for questions from several sources.
    pub fn target(&self, to: usize) -> Result<RouteTarget<'_>, RouteError> {
        RouteTarget::grow(self, to, None)
    }
}

/// A target, with the shortest ways to it.
#[derive(Debug)]
pub struct RouteTarget<'a> {
    graph: &'a RouteGraph<'a>,
    tree: Tree,
}

impl<'a> RouteTarget<'a> {
    /// Only as far as `sources`, if they are given: from others nothing may be asked then.
    fn grow(graph: &'a RouteGraph<'a>, to: usize, sources: Option<&[usize]>) -> Result<Self, RouteError> {
        Ok(RouteTarget { graph, tree: Tree::grow(graph, to, Towards::Root, sources)? })
    }

    /// Checks on every arc that the lengths found are lower bounds indeed. O(m).
    pub fn prove(&self) -> Result<(), RouteError> {
        match self.tree.bounds_hold(self.graph) {
            true => Ok(()),
            false => Err(RouteError::NotVerified("a length to the target is no lower bound".to_owned())),
        }
    }

    /// The length of the shortest route, where there is one.
    pub fn distance(&self, from: usize) -> Option<Weight> {
        self.tree.has(from as u32).then(|| self.tree.bound(from as u32).length)
    }

    /// The first route in order, in time of its length.
    pub fn shortest(&self, from: usize) -> Option<Route> {
        let length = self.distance(from)?;
        Some(Route { path: self.tree.way(from as u32).map(|vertex| vertex as usize).collect(), length })
    }

    /// Routes in order, as many as wanted, of at most this length if there is one. It is faster for knowing both.
    pub fn in_order(
        &self,
        from: usize,
        wanted: usize,
        most: Option<Weight>,
    ) -> impl Iterator<Item = Route> + use<'_, 'a> {
        InOrder::new(self.graph, &self.tree, from, wanted, most)
    }

    /// What is asked for, each route verified.
    pub fn find(&self, from: usize, request: &RouteRequest) -> Result<FoundRoutes, RouteError> {
        let Some(best) = self.distance(from) else {
            return Ok(FoundRoutes { routes: vec![], count: RouteCount::Exactly(0), best: None });
        };
        let most = request.within.map(|within| within.most(best));
        let wanted = match (request.within, request.share) {
            (None, None) => request.k,
            _ => request.k.max(request.count_to).saturating_add(1),
        };
        let wanted = wanted.min(request.room(self.tree.way(from as u32).count()));
        let mut routes: Vec<Route> = self.in_order(from, wanted, most).collect();
        let is_all = routes.len() < wanted;
        let count = if is_all { RouteCount::Exactly(routes.len()) } else { RouteCount::AtLeast(routes.len()) };
        match request.share {
            None => routes.truncate(request.k),
            Some(share) => {
                routes = alternatives::choose(self.graph, &self.tree, routes, is_all, request.k, share, most)?;
            }
        }
        self.check(from, &routes)?;
        Ok(FoundRoutes { routes, count, best: Some(best) })
    }

    fn check(&self, from: usize, routes: &[Route]) -> Result<(), RouteError> {
        for route in routes {
            let verdict = verify_route(self.graph, from, self.tree.root as usize, &route.path);
            match verdict {
                Ok(length) if length == route.length => (),
                Ok(length) => return Err(RouteError::NotVerified(format!("a length is {length}"))),
                Err(reason) => return Err(RouteError::NotVerified(reason.to_string())),
            }
        }
        Ok(())
    }
}
