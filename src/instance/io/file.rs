//! What a graph file says: vertices with names, edges with all their attributes, in the order of the file.
//!
//! A reader makes a [`GraphFile`] and decides nothing; [`GraphFile::choose`] makes the graph of it.

use super::columns::EdgeColumn;
use super::text::{counted, listed};
use super::{Format, NamedGraph, Place};
use crate::instance::Graph;

/// A file as it is: nothing merged, nothing left out.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphFile {
    /// What messages call it.
    pub label: String,
    /// The format that it was read as.
    pub format: Format,
    /// The name of each vertex, in the order in which the file has them.
    pub names: Vec<String>,
    /// What the file calls the vertices, where their labels became their names.
    pub ids: Option<Vec<String>>,
    /// Whether edges have a direction; `None` where the format does not say.
    pub directed: Option<bool>,
    /// The edges as they are listed, perhaps several between the same vertices.
    pub edges: Vec<(u32, u32)>,
    /// Every attribute of the edges.
    pub columns: Vec<EdgeColumn>,
    /// Where the vertices lie, if the file says so of every one: x to the right, y up.
    pub positions: Option<Vec<(f64, f64)>>,
    /// What a person should know about how the file was read.
    pub notes: Vec<String>,
    /// The column that has the weights by the rules of the format.
    pub(super) weight: Option<usize>,
    pub(super) places: Places,
}

/// Where each edge stands in the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Places {
    Lines(EdgeLines),
    /// Line and character.
    Characters(Vec<(u32, u32)>),
    /// The entry of a matrix is the edge itself.
    Entries,
}

impl GraphFile {
    pub(super) fn new(format: Format, names: Vec<String>, edges: Vec<(u32, u32)>, places: Places) -> Self {
        GraphFile {
            label: String::new(),
            format,
            names,
            ids: None,
            directed: None,
            edges,
            columns: vec![],
            positions: None,
            notes: vec![],
            weight: None,
            places,
        }
    }

    /// With one column called `weight`, which has the weights.
    pub(super) fn with_weights(mut self, numbers: super::columns::Numbers) -> Self {
        let values = super::columns::Values::Numbers(numbers);
        self.columns = vec![EdgeColumn { name: "weight".to_owned(), values, number: None }];
        self.weight = Some(0);
        self
    }

    /// The number of vertices.
    pub fn n(&self) -> usize {
        self.names.len()
    }

    /// The column of that name, or with that number in a table.
    pub fn column(&self, name: &str) -> Option<usize> {
        let by_name = |wanted: &str| self.columns.iter().position(|column| column.name == wanted);
        let by_number = || {
            let number: usize = name.parse().ok()?;
            self.columns.iter().position(|column| column.number == Some(number))
        };
        by_name(name).or_else(by_number)
    }

    /// The place of an edge of the file.
    pub fn place(&self, row: usize) -> Place {
        match &self.places {
            Places::Lines(lines) => Place::Line(lines.of(row)),
            Places::Characters(places) => {
                let (line, column) = places[row];
                Place::Character { line: line.into(), column: column.into() }
            }
            Places::Entries => Place::Entry { row: self.edges[row].0 as usize, column: self.edges[row].1 as usize },
        }
    }
}

/// The line of each edge. Most edges stand on the line after the one before, so only the others are kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EdgeLines {
    /// Edges that do not, with their lines.
    breaks: Vec<(usize, u64)>,
    next_line: u64,
    len: usize,
}

impl EdgeLines {
    /// Adds the line of the next edge.
    #[inline]
    pub fn push(&mut self, line: u64) {
        if line != self.next_line {
            self.breaks.push((self.len, line));
        }
        self.next_line = line + 1;
        self.len += 1;
    }

    /// Adds the lines of edges that come after these.
    pub fn append(&mut self, more: &EdgeLines) {
        let goes_on = |&&(first, line): &&(usize, u64)| !(first == 0 && line == self.next_line);
        let breaks: Vec<(usize, u64)> =
            more.breaks.iter().filter(goes_on).map(|&(first, line)| (self.len + first, line)).collect();
        self.breaks.extend(breaks);
        self.len += more.len;
        if more.len > 0 {
            self.next_line = more.next_line;
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The line of an edge.
    pub fn of(&self, edge: usize) -> u64 {
        let after = self.breaks.partition_point(|&(first, _)| first <= edge);
        let (first, line) = after.checked_sub(1).map_or((0, 0), |last| self.breaks[last]);
        line + (edge - first) as u64
    }
}

/// The places of edges, from the ascending offsets at which they stand in a text.
pub(super) fn places_in(text: &str, offsets: &[u64]) -> Places {
    let (mut line, mut column, mut at) = (1u32, 1u32, 0);
    let mut places = Vec::with_capacity(offsets.len());
    for &offset in offsets {
        let offset = (offset as usize).clamp(at, text.len());
        for byte in &text.as_bytes()[at..offset] {
            match byte {
                b'\n' => (line, column) = (line.saturating_add(1), 1),
                // The later bytes of a character in UTF-8.
                0x80..0xc0 => (),
                _ => column = column.saturating_add(1),
            }
        }
        at = offset;
        places.push((line, column));
    }
    Places::Characters(places)
}

/// Positions, if every vertex has one and they are not all the same (some programs write zeros for "nowhere").
pub(super) fn all_positions(positions: Vec<Option<(f64, f64)>>, notes: &mut Vec<String>) -> Option<Vec<(f64, f64)>> {
    let finite = |position: &(f64, f64)| position.0.is_finite() && position.1.is_finite();
    let known: Vec<(f64, f64)> = positions.iter().flatten().copied().filter(finite).collect();
    if !known.is_empty() && known.len() < positions.len() {
        let some = format!("{} of {}", known.len(), counted(positions.len(), "vertex"));
        notes.push(format!("only {some} have a position, so none is used"));
        return None;
    }
    let differ = known.windows(2).any(|pair| pair[0] != pair[1]);
    (known.len() == 1 || differ).then_some(known)
}

/// The graph of a file, with what was chosen to make it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The graph.
    pub graph: Graph,
    /// Whether its edges have a direction.
    pub directed: bool,
    /// The column of the file that has the weights.
    pub weight: Option<usize>,
    /// The edges of the file that are edges of the graph, by their place in its list; the others were merged into them.
    pub rows: Vec<u32>,
    /// The file, with what a person should know about how it was read in its notes.
    pub file: GraphFile,
}

impl Reading {
    /// The graph with its names, without the other attributes.
    pub fn into_named(self) -> NamedGraph {
        NamedGraph { graph: self.graph, names: self.file.names, directed: self.directed }
    }

    /// How much was read: "46 vertices, 73 undirected edges".
    pub fn size(&self) -> String {
        let direction = if self.directed { "directed" } else { "undirected" };
        let edges = counted(self.rows.len(), &format!("{direction} edge"));
        format!("{}, {edges}", counted(self.file.n(), "vertex"))
    }

    /// One line that says what was read: "46 vertices, 73 undirected edges, weights from `length`".
    pub fn summary(&self) -> String {
        let weights = match self.weight {
            Some(column) if self.file.columns[column].number.is_some_and(|_| self.is_numbered(column)) => {
                format!("weights from {}", self.file.columns[column].name)
            }
            Some(column) => format!("weights from {}", listed([self.file.columns[column].name.as_str()])),
            None => "no weights: every edge counts 1".to_owned(),
        };
        format!("{}, {weights}", self.size())
    }

    /// True for a column of a table without a header: its name is only "column 3".
    fn is_numbered(&self, column: usize) -> bool {
        let column = &self.file.columns[column];
        column.number.is_some_and(|number| column.name == format!("column {number}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_a_person_counting() {
        let text = "ä\nböc\nd";
        let offsets = [0, 2, 3, 6, 7, 99];
        let expected = offsets.map(|offset| match Place::at(text, offset as usize) {
            Place::Character { line, column } => (line as u32, column as u32),
            other => panic!("{other:?}"),
        });
        assert_eq!(places_in(text, &offsets), Places::Characters(expected.to_vec()));
    }

    #[test]
    fn lines_come_back_wherever_edges_stand() {
        for expected in [&[2, 3, 4][..], &[0, 1, 5, 5, 5, 6, 9], &[7, 3, 4], &[]] {
            let mut lines = EdgeLines::default();
            expected.iter().for_each(|&line| lines.push(line));
            assert_eq!((0..lines.len()).map(|edge| lines.of(edge)).collect::<Vec<_>>(), expected);
            for cut in 0..=expected.len() {
                let mut parts = [EdgeLines::default(), EdgeLines::default(), EdgeLines::default()];
                expected[..cut].iter().for_each(|&line| parts[0].push(line));
                expected[cut..].iter().for_each(|&line| parts[2].push(line));
                let mut joined = EdgeLines::default();
                parts.iter().for_each(|part| joined.append(part));
                assert_eq!(joined, lines, "cut at {cut}");
            }
        }
    }

    #[test]
    fn positions_are_used_only_if_they_place_every_vertex() {
        let mut notes = vec![];
        assert_eq!(all_positions(vec![Some((0.0, 1.0)), Some((2.0, 1.0))], &mut notes).unwrap().len(), 2);
        assert_eq!(all_positions(vec![Some((0.0, 0.0)), Some((0.0, 0.0))], &mut notes), None);
        assert_eq!(all_positions(vec![None, None], &mut notes), None);
        assert!(notes.is_empty());
        assert_eq!(all_positions(vec![Some((0.0, 0.0)), None], &mut notes), None);
        assert_eq!(notes, ["only 1 of 2 vertices have a position, so none is used"]);
    }
}
