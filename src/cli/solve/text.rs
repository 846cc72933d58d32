//! The answer for people: a table, routes, edges, and where the solutions came from.

use super::presentation::{Presentation, route_to};
use crate::cli::output::{counted, table_in_blocks, terminal_width};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use tiebreak::answers::{Candidate, Form, IN, Part};
use tiebreak::problems::Problem;
use tiebreak::solve::Basis;

/// Vertices and columns of a table that a person still reads.
const MAX_ROWS: usize = 100;
const MAX_COLUMNS: usize = 12;
/// Edges that are listed by name.
const MAX_EDGES: usize = 30;

/// The words of a table.
struct TableWords {
    row: &'static str,
    rows: &'static str,
    cell: &'static str,
    what: &'static str,
    remark: &'static str,
}

impl TableWords {
    fn of(problem: &Problem) -> Self {
        let [row, rows, cell, what, remark] = match (problem.form, problem.items) {
            (Form::Parents, _) => ["vertex", "vertices", "parent", "the parent of each vertex", "; a root is its own"],
            (Form::Order, _) => ["place", "places", "vertex", "the vertex at each place", ""],
            (_, Some(kind)) => [kind.one, kind.many, "chosen", "x: chosen", ""],
            (_, None) => ["edge", "edges", "chosen", "x: chosen", ""],
        };
        TableWords { row, rows, cell, what, remark }
    }
}

/// What stands in the rows of a solution's column: its choices, or the vertices of an order.
fn column(candidate: &Candidate) -> Cow<'_, [u32]> {
    match candidate.form() {
        Form::Order => candidate.order().into_iter().map(|vertex| vertex as u32).collect(),
        _ => Cow::Borrowed(candidate.choices()),
    }
}

impl Presentation<'_> {
    /// For people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if let Some(refusal) = self.refusal() {
            let _ = writeln!(out, "{refusal}");
            self.add_notes(&mut out);
            return out;
        }
        let size = self.size_in_words();
        let from = self.instance.source.map_or(String::new(), |source| format!(" from {}", self.name(source)));
        let algorithm = self.algorithm.name();
        let _ = writeln!(out, "{} ({algorithm}{from}, {size}), {}", self.how_many(), self.verified());
        self.add_table(&mut out);
        self.add_routes(&mut out);
        self.add_edges(&mut out);
        self.add_optimality(&mut out);
        self.add_origins(&mut out);
        self.add_notes(&mut out);
        out
    }

    /// A column for each solution; rows in which all are the same are left out.
    fn add_table(&self, out: &mut String) {
        let solutions = &self.solved.solutions;
        let columns: Vec<Cow<[u32]>> = solutions.iter().map(|solution| column(&solution.candidate)).collect();
        let count = columns[0].len();
        let differs = |row: &usize| columns.iter().any(|column| column[*row] != columns[0][*row]);
        let all_rows = solutions.len() == 1;
        // One row too many is as good as a million.
        let rows: Vec<usize> = (0..count).filter(|row| all_rows || differs(row)).take(MAX_ROWS + 1).collect();
        if rows.is_empty() {
            return;
        }
        let words = TableWords::of(self.algorithm.problem());
        if rows.len() > MAX_ROWS {
            let _ = writeln!(out, "(too many {} for a table: see --json, --jsonl, --dot)", words.rows);
            return;
        }
        let distances = self.distances(0);
        let shown = solutions.len().min(MAX_COLUMNS);
        let mut header = vec![words.row.to_owned()];
        header.extend(distances.iter().map(|_| "distance".to_owned()));
        header.extend((1..=shown).map(|place| if all_rows { words.cell.to_owned() } else { place.to_string() }));
        let names = self.row_names(&rows);
        let cells = rows.iter().zip(names).map(|(&row, name)| {
            let mut cells = vec![name];
            cells.extend(distances.iter().map(|distances| distances[row].clone().unwrap_or_else(|| "–".to_owned())));
            cells.extend(columns[..shown].iter().map(|column| self.cell(column[row])));
            cells
        });
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let (cells, fixed) = (cells.collect::<Vec<_>>(), 1 + usize::from(distances.is_some()));
        let _ = writeln!(out, "\n{}", table_in_blocks(&header, &cells, fixed, terminal_width()));
        let left_out = count - rows.len();
        let same = if left_out > 0 { format!("; {left_out} of {count} have the same in all") } else { String::new() };
        let more = solutions.len() - shown;
        let more = if more > 0 { format!("; {more} more solutions with --json") } else { String::new() };
        let _ = writeln!(out, "({}{same}{}{more})\n", words.what, words.remark);
    }

    /// What the rows of a table are called.
    fn row_names(&self, rows: &[usize]) -> Vec<String> {
        match self.algorithm.problem().form {
            Form::Parents | Form::Items => rows.iter().map(|&vertex| self.name(vertex).into_owned()).collect(),
            Form::Order => rows.iter().map(|place| (place + 1).to_string()).collect(),
            Form::Edges => {
                let edges: Vec<(usize, usize)> = self.instance.graph.edges().collect();
                rows.iter().map(|&slot| self.part(Part::Edge(edges[slot].0, edges[slot].1))).collect()
            }
        }
    }

    fn cell(&self, value: u32) -> String {
        match self.algorithm.problem().form {
            Form::Parents | Form::Order => self.name(value as usize).into_owned(),
            Form::Edges | Form::Items => if value as usize == IN { "x" } else { "" }.to_owned(),
        }
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
            let names: Vec<Cow<str>> = route.iter().map(|&vertex| self.name(vertex)).collect();
            let places: Vec<String> = places.iter().map(ToString::to_string).collect();
            let _ = writeln!(out, "  {}   (in {})", names.join(" -> "), places.join(", "));
        }
    }

    fn add_edges(&self, out: &mut String) {
        let parts = &self.solved.parts;
        let whose = match parts.basis {
            Basis::Every => "all solutions",
            Basis::Found => "the solutions found",
        };
        let (shared, varying) = (parts.shared.len(), parts.varying.len());
        let vary = if varying == 1 { "varies" } else { "vary" };
        let _ = writeln!(out, "{whose} share {shared} {}; {varying} {vary}", self.parts_words(shared));
        for (what, list) in [("shared", &parts.shared), ("vary", &parts.varying)] {
            if (1..=MAX_EDGES).contains(&list.len()) {
                let names: Vec<String> = list.iter().map(|&part| self.part(part)).collect();
                let _ = writeln!(out, "  {what}: {}", names.join(", "));
            }
        }
        if let Some(diversity) = self.solved.diversity {
            let _ = writeln!(
                out,
                "two of them have {:.3} of their {} in common on average; chosen from {}, the first ones of which \
                 have {:.3}",
                diversity.shared,
                self.algorithm.problem().items.map_or("edges", |kind| kind.many),
                diversity.pool,
                diversity.as_drawn
            );
        }
    }

    fn add_optimality(&self, out: &mut String) {
        let Some(proof) = &self.solved.optimality else { return };
        let _ = writeln!(out, "{}", proof.statement);
        if (1..=MAX_EDGES).contains(&proof.vertices.len()) {
            let names: Vec<Cow<str>> = proof.vertices.iter().map(|&vertex| self.name(vertex)).collect();
            let _ = writeln!(out, "  these vertices: {}", names.join(", "));
        }
    }

    fn add_origins(&self, out: &mut String) {
        for tally in &self.solved.tallies {
            let rejected: usize = tally.rejected.iter().map(|(_, times)| times).sum();
            let _ = writeln!(
                out,
                "{}: {}, {} new, {} repeated, {rejected} rejected",
                tally.origin,
                counted(tally.draws, "draw"),
                tally.kept,
                tally.repeated
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
