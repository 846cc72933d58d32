//! Adjacency lists as networkx' `write_adjlist` writes them: a vertex and its neighbours on each line.
//!
//! The format does not say whether edges have a direction; networkx lists an undirected edge once.

use super::file::{EdgeLines, GraphFile, Places};
use super::lines::{Blocks, check_line_ends};
use super::names::{Names, check_unquoted};
use super::options::Delimiter;
use super::table::{Record, Rows, Wrong, for_each_line};
use super::{Format, Place, Problem, ReadError, ReadOptions};
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    let mut lists = Lists { names: Names::new(options), edges: vec![], lines: EdgeLines::default() };
    let mut blocks = Blocks::new(reader, options);
    blocks.read_more()?;
    check_line_ends(blocks.text())?;
    for_each_line(&mut blocks, options.delimiter.unwrap_or(Delimiter::Space), &mut lists)?;
    let Lists { names, edges, lines } = lists;
    match names.is_empty() {
        true => Err(ReadError::new(Place::File, Problem::Empty)),
        false => Ok(GraphFile::new(Format::AdjacencyList, names.into_list(), edges, Places::Lines(lines))),
    }
}

struct Lists {
    names: Names,
    edges: Vec<(u32, u32)>,
    lines: EdgeLines,
}

impl Rows for Lists {
    fn take(&mut self, line: u64, text: &str, record: &Record) -> Result<(), Wrong> {
        let here = |problem| (line, problem);
        if (0..record.len()).any(|index| record.is_missing(index)) {
            return Err(here("the name of a vertex is missing".into()));
        }
        let mut vertex = |index| {
            let name = record.get(text, index);
            if record.start(index).is_some() {
                check_unquoted(name)?;
            }
            self.names.intern(name)
        };
        let first = vertex(0).map_err(here)?;
        for index in 1..record.len() {
            let neighbour = vertex(index).map_err(here)?;
            self.edges.push((first, neighbour));
            self.lines.push(line);
        }
        Ok(())
    }
}
