//! Pajek `.net` files: `*Vertices n`, perhaps a line for each with a label and a position, then `*Arcs` or `*Edges`.
//!
//! Vertices are counted from 1 and called by their labels where those differ. Pajek counts an edge without a weight
//! as 1, so where some edges have one, the others have weight 1. A file with arcs and edges is refused.

use super::columns::Numbers;
use super::dimacs::{count, vertex};
use super::file::{EdgeLines, GraphFile, Places, all_positions};
use super::lines::Lines;
use super::names::{believable, numbers, prefer_labels};
use super::text::shortened;
use super::{Format, Place, Problem, ReadError, ReadOptions};
use crate::instance::Decimal;
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    let mut lines = Lines::new(reader, options);
    let mut net = Net::default();
    while let Some(line) = lines.next()? {
        let line = line.trim();
        if line.is_empty() || line.starts_with('%') {
            continue;
        }
        let taken = match line.strip_prefix('*') {
            Some(heading) => net.open(heading, options),
            None => net.take(line),
        };
        taken.map_err(|problem| lines.error(problem))?;
        (net.lines.len()..net.edges.len()).for_each(|_| net.lines.push(lines.number()));
    }
    net.finish(lines.bytes(), options)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Vertices,
    /// Lines of two vertices and perhaps a weight.
    Pairs,
    /// Lines of a vertex and those that it is joined to.
    Lists,
    /// A network may have a partition or a vector behind it.
    Other,
}

/// The label and the place of a vertex, where the file has them.
type About = (Option<String>, Option<(f64, f64)>);

#[derive(Default)]
struct Net {
    section: Option<Section>,
    vertices: Option<u64>,
    /// Labels and positions, as far as there are lines of vertices.
    about: Vec<About>,
    directed: Option<bool>,
    edges: Vec<(u32, u32)>,
    weights: Vec<Option<Decimal>>,
    lines: EdgeLines,
}

impl Net {
    fn open(&mut self, heading: &str, options: &ReadOptions) -> Result<(), Problem> {
        let mut words = heading.split_ascii_whitespace();
        let name = words.next().unwrap_or("").to_ascii_lowercase();
        let (section, directed) = match name.as_str() {
            "vertices" if self.vertices.is_some() => {
                return Err("a second network: only files with one can be read".into());
            }
            "vertices" => {
                let vertices = count(words.next().ok_or("the number of vertices is missing")?)?;
                believable(vertices, u64::MAX, options)?;
                self.vertices = Some(vertices);
                (Section::Vertices, None)
            }
            "arcs" => (Section::Pairs, Some(true)),
            "edges" => (Section::Pairs, Some(false)),
            "arcslist" => (Section::Lists, Some(true)),
            "edgeslist" => (Section::Lists, Some(false)),
            "matrix" => return Err("a network given as a matrix (*Matrix) cannot be read".into()),
            _ => (Section::Other, None),
        };
        if directed.is_some() && self.directed.is_some() && directed != self.directed && !self.edges.is_empty() {
            return Err("both arcs and edges: mixed graphs cannot be read".into());
        }
        (self.section, self.directed) = (Some(section), directed.or(self.directed));
        Ok(())
    }

    fn take(&mut self, line: &str) -> Result<(), Problem> {
        let vertices = self.vertices.ok_or("the file must start with '*Vertices' and their number")?;
        match self.section {
            Some(Section::Vertices) => self.take_vertex(line, vertices),
            Some(Section::Pairs) => self.take_pair(line, vertices),
            Some(Section::Lists) => self.take_list(line, vertices),
            Some(Section::Other) | None => Ok(()),
        }
    }

    fn take_vertex(&mut self, line: &str, vertices: u64) -> Result<(), Problem> {
        let (number, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let index = vertex(number, vertices)? as usize;
        let (label, rest) = word(rest.trim_start())?;
        // As many as lines so far, unless the numbers leave some out: bounded by what the file holds.
        if index > self.about.len() {
            return Err(format!("vertex {} follows vertex {}", index + 1, self.about.len()).into());
        }
        self.about.resize(self.about.len().max(index + 1), (None, None));
        let mut coordinates = rest.split_ascii_whitespace().map_while(|word| word.parse::<f64>().ok());
        // On paper, y grows downwards.
        let position = coordinates.next().zip(coordinates.next()).map(|(x, y)| (x, -y));
        self.about[index] = (label.filter(|label| !label.is_empty()), position);
        Ok(())
    }

    fn take_pair(&mut self, line: &str, vertices: u64) -> Result<(), Problem> {
        let mut words = line.split_ascii_whitespace();
        let (Some(tail), Some(head)) = (words.next(), words.next()) else {
            return Err("an edge needs two vertices".into());
        };
        self.edges.push((vertex(tail, vertices)?, vertex(head, vertices)?));
        self.weights.push(words.next().map(str::parse).transpose()?);
        Ok(())
    }

    fn take_list(&mut self, line: &str, vertices: u64) -> Result<(), Problem> {
        let mut words = line.split_ascii_whitespace();
        let tail = vertex(words.next().unwrap_or(""), vertices)?;
        for head in words {
            self.edges.push((tail, vertex(head, vertices)?));
            self.weights.push(None);
        }
        Ok(())
    }

    fn finish(mut self, bytes: u64, options: &ReadOptions) -> Result<GraphFile, ReadError> {
        let whole_file = |problem| ReadError::new(Place::File, problem);
        let vertices = match self.vertices {
            Some(vertices) => vertices,
            None if bytes == 0 => return Err(whole_file(Problem::Empty)),
            None => return Err(whole_file("there is no line '*Vertices' in the file".into())),
        };
        let n = believable(vertices, bytes, options).map_err(whole_file)?;
        let mut notes = vec![];
        self.about.resize(n, (None, None));
        let (labels, positions) = self.about.into_iter().unzip();
        let (names, ids, note) = prefer_labels(numbers(1, n), labels);
        notes.extend(note);
        let mut file = GraphFile::new(Format::Pajek, names, self.edges, Places::Lines(self.lines));
        file.positions = all_positions(positions, &mut notes);
        if self.weights.iter().any(Option::is_some) {
            let mut numbers = Numbers::default();
            self.weights.iter().for_each(|weight| numbers.push(Some(weight.unwrap_or(Decimal::whole(1)))));
            file = file.with_weights(numbers);
        }
        file.directed = Some(self.directed.unwrap_or(true));
        Ok(GraphFile { ids, notes, ..file })
    }
}

/// The first word of a line, in quotes or not, and the rest.
fn word(line: &str) -> Result<(Option<String>, &str), Problem> {
    if let Some(quoted) = line.strip_prefix('"') {
        let (label, rest) = quoted
            .split_once('"')
            .ok_or_else(|| format!("the quote before '{}' is never closed", shortened(quoted)))?;
        return Ok((Some(label.to_owned()), rest));
    }
    let (label, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Ok(((!label.is_empty()).then(|| label.to_owned()), rest))
}
