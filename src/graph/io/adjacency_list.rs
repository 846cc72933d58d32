//! Adjacency lists as networkx' `write_adjlist` writes them: a vertex and its neighbours on each line.
//!
//! The format does not say whether edges have a direction; networkx lists an undirected edge once.

use super::file::{GraphFile, Places};
use super::names::Names;
use super::options::Delimiter;
use super::table::for_each_line;
use super::{Format, Place, Problem, ReadError, ReadOptions};
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    let delimiter = options.delimiter.unwrap_or(Delimiter::Space);
    let mut names = Names::new(options);
    let (mut edges, mut lines) = (vec![], vec![]);
    for_each_line(reader, delimiter, options, |line, text, fields| {
        if (0..fields.len()).any(|index| fields.is_missing(index)) {
            return Err("the name of a vertex is missing".into());
        }
        let vertex = names.intern(fields.get(text, 0))?;
        for index in 1..fields.len() {
            edges.push((vertex, names.intern(fields.get(text, index))?));
            lines.push(line);
        }
        Ok(())
    })?;
    match names.is_empty() {
        true => Err(ReadError::new(Place::File, Problem::Empty)),
        false => Ok(GraphFile::new(Format::AdjacencyList, names.into_list(), edges, Places::Lines(lines))),
    }
}
