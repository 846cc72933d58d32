//! Routes to one vertex: what was asked, what was found, in words and for programs.

use super::Solve;
use crate::cli::graph_input::{ByName, uses_weights};
use crate::cli::output::{counted, folded, terminal_width, wrapped};
use crate::cli::screen::in_line;
use anyhow::{Result, anyhow, bail, ensure};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt::Write;
use tiebreak::instance::io::NamedGraph;
use tiebreak::instance::{Graph, Instance, Weight};
use tiebreak::learn::ObservedPath;
use tiebreak::pipeline::metrics::count_in_words;
use tiebreak::problems::Algorithm;
use tiebreak::report::ShownRoute;
use tiebreak::solve::routes::{FoundRoutes, Route, RouteCount, RouteGraph, RouteRequest, usual_share};
use tiebreak::solve::{Demand, Demands, Tolerance};

/// Routes that are looked at for required edges.
const LOOKED_AT: usize = 10_000;

/// A graph with its names, ready for questions about routes, and how lengths are written.
pub struct RouteMap<'a> {
    pub named: &'a NamedGraph,
    pub graph: RouteGraph<'a>,
    counts_edges: bool,
}

impl<'a> RouteMap<'a> {
    /// Lengths are weights, or numbers of edges where the algorithm does not look at weights.
    pub fn new(algorithm: &dyn Algorithm, named: &'a NamedGraph, graph: &'a Graph) -> Result<Self> {
        let counts_edges = !uses_weights(algorithm);
        let prepared = if counts_edges { RouteGraph::counting_edges(graph) } else { RouteGraph::new(graph) };
        let name = |vertex: usize| in_line(&named.names[vertex]).into_owned();
        let graph = prepared.map_err(|error| anyhow!(error.describe(name)))?;
        Ok(RouteMap { named, graph, counts_edges })
    }

    fn length(&self, length: Weight) -> String {
        match self.counts_edges {
            true => length.to_string(),
            false => self.graph.graph().decimal(length).to_string(),
        }
    }

    fn names(&self, route: &Route) -> Vec<&'a str> {
        route.path.iter().map(|&vertex| self.named.names[vertex].as_str()).collect()
    }

    /// For programs: the path by names, its exact length, and how much longer than the shortest it is.
    pub fn json(&self, found: &FoundRoutes) -> Value {
        let one = |route: &Route| json!({"path": self.names(route), "length": self.length(route.length), "gap": found.gap(route)});
        found.routes.iter().map(one).collect()
    }

    /// The error in words that call vertices by name.
    pub fn in_words(&self, error: &tiebreak::solve::routes::RouteError) -> anyhow::Error {
        anyhow!(error.describe(|vertex| in_line(&self.named.names[vertex]).into_owned()))
    }
}

/// "Mill cannot be reached from Harbour".
pub fn unreachable(from: &str, to: &str) -> String {
    format!("{} cannot be reached from {}", in_line(to), in_line(from))
}

/// What was asked about one pair of vertices, and the answer.
pub struct RouteAnswer<'a> {
    map: RouteMap<'a>,
    algorithm: &'a dyn Algorithm,
    from: usize,
    to: usize,
    request: RouteRequest,
    demands: &'a Demands,
    pub found: FoundRoutes,
    /// Routes between the same ends that were observed, and how often.
    observed: Vec<(Route, usize)>,
}

impl Solve {
    /// What `-k`, `--within`, `--diverse` and `--share` ask of routes.
    pub(super) fn route_request(&self) -> RouteRequest {
        let share = self.diverse.then(|| self.share.unwrap_or_else(usual_share));
        RouteRequest {
            k: self.k,
            within: self.tolerance,
            share,
            memory: self.memory_bytes(),
            ..RouteRequest::default()
        }
    }
}

/// The graph in which an edge to be avoided is no edge.
pub fn without_avoided<'a>(graph: &'a Graph, demands: &Demands) -> Cow<'a, Graph> {
    match &demands.avoid[..] {
        [] => Cow::Borrowed(graph),
        avoid => {
            let is_avoided = |tail, head| avoid.iter().any(|demand| is_edge(demand, tail, head));
            Cow::Owned(graph.filtered(|tail, head| !is_avoided(tail, head)))
        }
    }
}

/// Finds routes in the graph that is left; required edges are looked for in a list.
pub fn find_routes<'a>(
    algorithm: &'a dyn Algorithm,
    named: &'a NamedGraph,
    instance: &'a Instance,
    graph: &'a Graph,
    to: usize,
    request: RouteRequest,
    demands: &'a Demands,
) -> Result<RouteAnswer<'a>> {
    let Some(from) = instance.source else { bail!("--to: {} has no source", algorithm.name()) };
    ensure!(
        demands.require.is_empty() || request.share.is_none(),
        "--diverse and --require cannot be used together with --to"
    );
    let map = RouteMap::new(algorithm, named, graph)?;
    let wanted = match demands.require.is_empty() {
        true => request,
        false => RouteRequest { k: LOOKED_AT, count_to: LOOKED_AT, ..request },
    };
    let mut found = map.graph.find(from, to, &wanted).map_err(|error| map.in_words(&error))?;
    if !demands.require.is_empty() {
        let has = |route: &Route, demand: &Demand| route.path.windows(2).any(|pair| is_edge(demand, pair[0], pair[1]));
        found.routes.retain(|route| demands.require.iter().all(|demand| has(route, demand)));
        found.count = match found.count {
            RouteCount::Exactly(all) if all <= LOOKED_AT => RouteCount::Exactly(found.routes.len()),
            _ => RouteCount::AtLeast(found.routes.len()),
        };
        found.routes.truncate(request.k);
    }
    Ok(RouteAnswer { map, algorithm, from, to, request, demands, found, observed: vec![] })
}

fn is_edge(demand: &Demand, tail: usize, head: usize) -> bool {
    match *demand {
        Demand::Edge { tail: one, head: other, either_way } => {
            (one, other) == (tail, head) || (either_way && (one, other) == (head, tail))
        }
        Demand::Item(_) => false,
    }
}

impl RouteAnswer<'_> {
    /// As people read it, within a line.
    fn name(&self, vertex: usize) -> Cow<'_, str> {
        in_line(self.exact_name(vertex))
    }

    /// For programs.
    fn exact_name(&self, vertex: usize) -> &str {
        &self.map.named.names[vertex]
    }

    fn ends(&self) -> String {
        format!("from {} to {}", self.name(self.from), self.name(self.to))
    }

    /// Why there is no route, in a sentence.
    pub fn refusal(&self) -> Option<String> {
        if !self.found.routes.is_empty() {
            return None;
        }
        let edges = |demands: &[Demand]| {
            let name = |demand: &Demand| match *demand {
                Demand::Edge { tail, head, .. } => format!("{} - {}", self.name(tail), self.name(head)),
                Demand::Item(item) => self.name(item).into_owned(),
            };
            demands.iter().map(name).collect::<Vec<_>>().join(", ")
        };
        let Demands { avoid, require, .. } = self.demands;
        Some(match (self.found.count, self.found.best) {
            (_, None) if avoid.is_empty() => unreachable(self.exact_name(self.from), self.exact_name(self.to)),
            (_, None) => format!("no route {} avoids {}", self.ends(), edges(avoid)),
            (RouteCount::Exactly(_), _) => format!("no route {} has {}", self.ends(), edges(require)),
            (RouteCount::AtLeast(_), _) => format!(
                "none of the {LOOKED_AT} shortest routes {} has {}; whether a longer one does is not known",
                self.ends(),
                edges(require)
            ),
        })
    }

    fn heading(&self) -> String {
        let verified = if self.found.routes.len() == 1 { "verified" } else { "each verified" };
        format!("{}, {verified}", self.which())
    }

    fn which(&self) -> String {
        let (shown, within) = (self.found.routes.len(), self.request.within);
        let within = within.map_or(String::new(), |within| format!(" within {within} of the shortest"));
        let ends = self.ends();
        let shortest = |count: usize| if count == 1 { "route".to_owned() } else { format!("{count} routes") };
        match (self.found.count, self.request.share) {
            (count, Some(share)) => {
                let of = match count {
                    RouteCount::Exactly(all) => format!("all {all}"),
                    RouteCount::AtLeast(_) => "the shortest ones and those by way of each vertex".to_owned(),
                };
                format!(
                    "{}{within} {ends} that share at most {share} of their length, chosen from {of}",
                    counted(shown, "route")
                )
            }
            (RouteCount::Exactly(1), _) => format!("the only route{within} {ends}"),
            (RouteCount::Exactly(2), _) if shown == 2 => format!("both routes{within} {ends}"),
            (RouteCount::Exactly(all), _) if all == shown => format!("all {all} routes{within} {ends}"),
            (RouteCount::Exactly(all), _) => format!("the shortest {} of all {all}{within} {ends}", shortest(shown)),
            (RouteCount::AtLeast(seen), _) if self.request.within.is_some() && seen > shown => {
                let more = count_in_words(seen - 1);
                format!("the shortest {} of more than {more}{within} {ends}", shortest(shown))
            }
            _ => format!("the shortest {} {ends}", shortest(shown)),
        }
    }

    /// What was found, in a sentence.
    pub fn about(&self) -> String {
        self.refusal().unwrap_or_else(|| self.heading())
    }

    /// Keeps those observed routes that answer the same question in the same graph.
    pub fn add_observed(&mut self, observed: &[ObservedPath]) {
        let ends = [self.from, self.to].map(|end| self.map.named.names[end].as_str());
        let is_between = |seen: &&ObservedPath| {
            [seen.path.first(), seen.path.last()].map(|end| end.map(String::as_str)) == ends.map(Some)
        };
        for seen in observed.iter().filter(is_between) {
            let path: Option<Vec<usize>> = seen.path.iter().map(|name| self.map.named.existing(name).ok()).collect();
            let Some(path) = path else { continue };
            let lengths: Option<Vec<Weight>> =
                path.windows(2).map(|step| self.map.graph.length(step[0], step[1])).collect();
            let Some(lengths) = lengths else { continue };
            self.observed.push((Route { path, length: lengths.iter().sum() }, seen.times));
        }
    }

    /// The routes as a page shows them: those that were found, then those that were only observed.
    pub fn shown(&self) -> Vec<ShownRoute> {
        let times =
            |route: &Route| self.observed.iter().find(|(seen, _)| seen.path == route.path).map(|(_, times)| *times);
        let one = |route: &Route, is_found: bool| ShownRoute {
            path: route.path.clone(),
            length: self.map.length(route.length),
            gap: self.found.gap(route),
            label: match (times(route), is_found) {
                (None, _) => String::new(),
                (Some(times), true) => format!("Found, and observed {}", counted(times, "time")),
                (Some(times), false) => format!("Observed {}, not among those found", counted(times, "time")),
            },
            observed: times(route).is_some(),
        };
        let is_found = |route: &Route| self.found.routes.iter().any(|found| found.path == route.path);
        let only_observed = self.observed.iter().map(|(route, _)| route).filter(|route| !is_found(route));
        let found = self.found.routes.iter().map(|route| one(route, true));
        found.chain(only_observed.map(|route| one(route, false))).collect()
    }

    /// For people: a route a paragraph, with its length and how much longer than the shortest it is.
    pub fn text(&self) -> String {
        if let Some(refusal) = self.refusal() {
            return refusal + "\n";
        }
        let mut out = folded(&format!("{}:", self.heading()), terminal_width());
        let lengths: Vec<String> = self.found.routes.iter().map(|route| self.map.length(route.length)).collect();
        let gaps: Vec<String> = self.found.routes.iter().map(|route| percent(self.found.gap(route))).collect();
        let widest = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let (length_width, gap_width) = (widest(&lengths), widest(&gaps));
        let number_width = lengths.len().to_string().len();
        let names = |route: &Route| route.path.iter().map(|&vertex| self.name(vertex)).collect::<Vec<_>>();
        for (place, route) in self.found.routes.iter().enumerate() {
            let (length, gap) = (&lengths[place], &gaps[place]);
            let start = format!("{:>number_width$}. length {length:>length_width$}  {gap:>gap_width$}", place + 1);
            let start = if gap_width == 0 { start.trim_end().to_owned() } else { start };
            let _ = writeln!(out, "{}", wrapped(&(start + "  "), &names(route), " ->", terminal_width()));
        }
        if let RouteCount::AtLeast(seen) = self.found.count
            && seen < self.request.k
            && self.demands.require.is_empty()
        {
            let _ = writeln!(out, "stopped at {seen} routes: more may take more than --memory allows");
        }
        if self.found.count == RouteCount::Exactly(1) && self.demands == &Demands::default() {
            out.push_str(&self.ways_out());
        }
        out
    }

    /// When nothing else is right, what else can be asked.
    fn ways_out(&self) -> String {
        let Some(within) = self.request.within else {
            return "there is no other simple path\n".to_owned();
        };
        format!(
            "no other route is within {within}.\nTo see more: a larger --within, or -k 5 without --within for the next \
             ones whatever their length;\n--round STEP rounds the weights first, which makes near ties equal\n"
        )
    }

    /// One line of JSON Lines.
    pub fn line(&self) -> Value {
        let mut line = json!({
            "from": self.exact_name(self.from), "to": self.exact_name(self.to), "routes": self.map.json(&self.found),
        });
        if let Some(reason) = self.refusal() {
            line["reason"] = json!(reason);
        }
        line
    }

    /// For programs.
    pub fn json(&self, graph: &str, read: &str) -> Value {
        let (count, at_least) = match self.found.count {
            RouteCount::Exactly(count) => (Some(count.to_string()), None),
            RouteCount::AtLeast(count) => (None, Some(count.to_string())),
        };
        let mut answer = json!({
            "algorithm": self.algorithm.name(), "graph": graph, "read": read,
            "from": self.exact_name(self.from), "to": self.exact_name(self.to),
            "answer": if self.found.routes.is_empty() { "impossible" } else { "found" },
            "distance": self.found.best.map(|best| self.map.length(best)),
            "count": count, "count_at_least": at_least,
            "within": self.request.within.map(|within| within.share().to_f64()),
            "share": self.request.share.map(|share| share.share().to_f64()),
            "routes": self.map.json(&self.found),
        });
        if let Some(reason) = self.refusal() {
            answer["reason"] = json!(reason);
        }
        answer
    }
}

/// `+7.69 %`; nothing for the shortest.
pub fn percent(gap: Option<f64>) -> String {
    match gap {
        Some(0.0) => String::new(),
        Some(gap) if gap < 0.0001 => format!("+{:.1e} %", 100.0 * gap),
        Some(gap) => format!("+{:.2} %", 100.0 * gap),
        None => "longer than 0".to_owned(),
    }
}

/// A tolerance on the command line.
pub fn tolerance(text: &str) -> Result<Tolerance, String> {
    text.parse().map_err(|error: tiebreak::solve::BadTolerance| error.to_string())
}
