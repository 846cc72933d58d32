//! The answer for people: a table, routes, edges, and where the solutions came from.

use super::presentation::{Presentation, route_to};
use crate::cli::output::table;
use std::collections::BTreeMap;
use std::fmt::Write;
use tiebreak::solve::Basis;

/// Vertices and columns of a table that a person still reads.
const MAX_ROWS: usize = 100;
const MAX_COLUMNS: usize = 12;
/// Edges that are listed by name.
const MAX_EDGES: usize = 30;
impl Presentation<'_> {
    /// For people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if let Some(refusal) = self.refusal() {
            let _ = writeln!(out, "{refusal}");
            self.add_notes(&mut out);
            return out;
        }
        let (n, m) = (self.instance.n(), self.instance.graph.edge_count());
        let from = self.instance.source.map_or(String::new(), |source| format!(" from {}", self.name(source)));
        let algorithm = self.algorithm.name();
        let _ = writeln!(
            out,
            "{} ({algorithm}{from}, {n} vertices, {m} edges), each accepted by the exact verifier",
            self.how_many()
        );
        self.add_table(&mut out);
        self.add_routes(&mut out);
        self.add_edges(&mut out);
        self.add_origins(&mut out);
        self.add_notes(&mut out);
        out
    }

    /// The parent of each vertex, a column for each solution; rows in which all are the same are left out.
    fn add_table(&self, out: &mut String) {
        let solutions = &self.solved.solutions;
        let parent = |vertex: usize, place: usize| self.name(solutions[place].candidate.choice(vertex));
        let differs = |&vertex: &usize| {
            let first = solutions[0].candidate.choice(vertex);
            solutions.iter().any(|solution| solution.candidate.choice(vertex) != first)
        };
        let all_rows = solutions.len() == 1;
        let rows: Vec<usize> = (0..self.instance.n()).filter(|vertex| all_rows || differs(vertex)).collect();
        if rows.is_empty() {
            return;
        }
        if rows.len() > MAX_ROWS {
            let _ = writeln!(out, "(too many vertices for a table: see --json, --jsonl, --dot)");
            return;
        }
        let distances = self.distances(0);
        let columns = solutions.len().min(MAX_COLUMNS);
        let mut header = vec!["vertex".to_owned()];
        header.extend(distances.iter().map(|_| "distance".to_owned()));
        header.extend((1..=columns).map(|place| if all_rows { "parent".to_owned() } else { place.to_string() }));
        let cells = rows.iter().map(|&vertex| {
            let mut cells = vec![self.name(vertex).to_owned()];
            cells.extend(distances.iter().map(|distances| distances[vertex].clone().unwrap_or_else(|| "–".to_owned())));
            cells.extend((0..columns).map(|place| parent(vertex, place).to_owned()));
            cells
        });
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let _ = writeln!(out, "\n{}", table(&header, cells));
        let left_out = self.instance.n() - rows.len();
        let same = if left_out > 0 {
            format!("; {left_out} of {} have the same in all", self.instance.n())
        } else {
            String::new()
        };
        let more = solutions.len() - columns;
        let more = if more > 0 { format!("; {more} more solutions with --json") } else { String::new() };
        let _ = writeln!(out, "(the parent of each vertex{same}; a root is its own{more})\n");
    }

    fn add_routes(&self, out: &mut String) {
        let Some(to) = self.to else { return };
        let mut routes: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for (place, solution) in self.solved.solutions.iter().enumerate() {
            routes.entry(route_to(solution.candidate.parents(), to)).or_default().push(place + 1);
        }
        let length = self.distances(0).and_then(|distances| distances[to].clone());
        let length = length.map_or(String::new(), |length| format!(" (length {length})"));
        let _ = writeln!(out, "routes to {}{length}:", self.name(to));
        for (route, places) in routes {
            let names: Vec<&str> = route.iter().map(|&vertex| self.name(vertex)).collect();
            let places: Vec<String> = places.iter().map(ToString::to_string).collect();
            let _ = writeln!(out, "  {}   (in {})", names.join(" -> "), places.join(", "));
        }
    }

    fn add_edges(&self, out: &mut String) {
        let edges = &self.solved.edges;
        let whose = match edges.basis {
            Basis::Every => "all solutions",
            Basis::Found => "the solutions found",
        };
        let _ = writeln!(out, "{whose} share {} tree edges; {} vary", edges.shared.len(), edges.varying.len());
        for (what, list) in [("shared", &edges.shared), ("vary", &edges.varying)] {
            if (1..=MAX_EDGES).contains(&list.len()) {
                let names: Vec<String> = list.iter().map(|&edge| self.edge(edge)).collect();
                let _ = writeln!(out, "  {what}: {}", names.join(", "));
            }
        }
        if let Some(diversity) = self.solved.diversity {
            let _ = writeln!(
                out,
                "two of them have {:.3} of their edges in common on average; chosen from {}, the first ones of which \
                 have {:.3}",
                diversity.shared, diversity.pool, diversity.as_drawn
            );
        }
    }

    fn add_origins(&self, out: &mut String) {
        for tally in &self.solved.tallies {
            let rejected: usize = tally.rejected.iter().map(|(_, times)| times).sum();
            let _ = writeln!(
                out,
                "{}: {} draws, {} new, {} repeated, {rejected} rejected",
                tally.origin, tally.draws, tally.kept, tally.repeated
            );
            for (reason, times) in &tally.rejected {
                let _ = writeln!(out, "  {times} broke the rule that {}", reason.words());
            }
        }
    }

    fn add_notes(&self, out: &mut String) {
        for note in &self.solved.notes {
            let _ = writeln!(out, "note: {note}");
        }
    }
}
