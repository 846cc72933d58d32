//! Vertices that a file declares one by one, with what they are called and where they lie, and edges between them.

use super::columns::{Cell, Columns};
use super::file::{GraphFile, Places, all_positions};
use super::names::{Names, prefer_labels};
use super::{Format, Problem, ReadError, ReadOptions};

/// What a file says of one vertex beside its id.
#[derive(Clone, Default)]
struct About {
    label: Option<String>,
    name: Option<String>,
    x: Option<f64>,
    y: Option<f64>,
}

/// One end of an edge; vertices may be declared after the edges that use them.
enum End {
    Known(u32),
    Later(String),
}

/// The vertices and edges of a file that declares both.
pub(super) struct Declared {
    names: Names,
    about: Vec<About>,
    edges: Vec<[End; 2]>,
    /// Where each edge stands in the text.
    offsets: Vec<u64>,
    columns: Columns,
    pub notes: Vec<String>,
}

impl Declared {
    pub fn new(options: &ReadOptions) -> Self {
        Declared {
            names: Names::new(options),
            about: vec![],
            edges: vec![],
            offsets: vec![],
            columns: Columns::default(),
            notes: vec![],
        }
    }

    /// A new vertex. What is said of a vertex belongs to the one declared last.
    pub fn vertex(&mut self, id: &str) -> Result<(), Problem> {
        self.names.declare(id)?;
        self.about.push(About::default());
        Ok(())
    }

    /// An attribute of the vertex declared last, kept if it says what it is called or where it lies.
    pub fn say(&mut self, key: &str, value: &str) {
        let Some(about) = self.about.last_mut() else { return };
        let value = value.trim();
        let number = || value.parse::<f64>().ok();
        match key.to_ascii_lowercase().as_str() {
            "label" => about.label = Some(value.to_owned()),
            "name" => about.name = Some(value.to_owned()),
            "x" | "lon" | "lng" | "long" | "longitude" => about.x = about.x.or_else(number),
            "y" | "lat" | "latitude" => about.y = about.y.or_else(number),
            "pos" | "position" => {
                let mut parts = value
                    .trim_matches(['(', ')', '[', ']', ' ', '"', '!'])
                    .split(',')
                    .map(|part| part.trim().parse().ok());
                if let (Some(Some(x)), Some(Some(y))) = (parts.next(), parts.next()) {
                    self.place(x, y);
                }
            }
            _ => (),
        }
    }

    /// The label of the vertex declared last, unless it has one: the first is its title.
    pub fn label(&mut self, text: &str) {
        if let Some(about) = self.about.last_mut().filter(|about| about.label.is_none() && !text.trim().is_empty()) {
            about.label = Some(text.trim().to_owned());
        }
    }

    /// Where the vertex declared last lies, unless that is known.
    pub fn place(&mut self, x: f64, y: f64) {
        if let Some(about) = self.about.last_mut().filter(|about| about.x.is_none() && about.y.is_none()) {
            (about.x, about.y) = (Some(x), Some(y));
        }
    }

    /// A new edge between vertices that are declared somewhere.
    pub fn edge(&mut self, source: String, target: String, offset: u64) {
        let end = |id: String| self.names.get(&id).map_or(End::Later(id), End::Known);
        let ends = [end(source), end(target)];
        self.edges.push(ends);
        self.offsets.push(offset);
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// An attribute of the edge that came last.
    pub fn attribute(&mut self, name: &str, cell: Cell) -> Result<(), Problem> {
        self.columns.set(self.edges.len().saturating_sub(1), name, cell)
    }

    /// True when the edge that came last has that attribute.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.columns.is_set(self.edges.len().saturating_sub(1), name)
    }

    pub fn finish(
        mut self,
        format: Format,
        directed: Option<bool>,
        places: impl FnOnce(&[u64]) -> Places,
    ) -> Result<GraphFile, ReadError> {
        let places = places(&self.offsets);
        let mut edges = Vec::with_capacity(self.edges.len());
        let mut unknown = None;
        for (row, ends) in std::mem::take(&mut self.edges).into_iter().enumerate() {
            let find = |end| match end {
                End::Known(vertex) => Ok(vertex),
                End::Later(id) => self.names.find(&id),
            };
            match ends.map(find) {
                [Ok(tail), Ok(head)] => edges.push((tail, head)),
                [Err(problem), _] | [_, Err(problem)] => {
                    unknown = Some((row, problem));
                    break;
                }
            }
        }
        let rows = edges.len();
        let mut file = GraphFile::new(format, vec![], edges, places);
        if let Some((row, problem)) = unknown {
            return Err(ReadError::new(file.place(row), problem));
        }
        file.positions = all_positions(self.about.iter().map(|about| about.x.zip(about.y)).collect(), &mut self.notes);
        let has_labels = self.about.iter().any(|about| about.label.is_some());
        let called = |about: About| if has_labels { about.label } else { about.name };
        let labels = self.about.into_iter().map(called).collect();
        let (names, ids, note) = prefer_labels(self.names.into_list(), labels);
        self.notes.extend(note);
        (file.names, file.ids, file.directed) = (names, ids, directed);
        file.columns = self.columns.finish(rows);
        file.notes = self.notes;
        Ok(file)
    }
}
