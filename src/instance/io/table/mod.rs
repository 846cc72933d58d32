//! Tables: one edge a line as `source,target`, perhaps with a weight and other attributes.
//!
//! Vertices are numbered in the order in which their names first appear. A line with a single name is a vertex
//! without edges (so far); the writer uses such lines wherever the order of vertices would not come out otherwise,
//! because ordered restarts depend on it. Lines that start with `#`, `%` or `//` are comments; below a header, one that
//! has all its columns is refused, because it may as well be an edge of a vertex `#c`.
//!
//! [`layout`] finds out what the columns are; then lines are split where they stand in a block of the file, several
//! [`pieces`] at once, and nothing is copied but new names.

mod dictionary;
mod layout;
mod piece;
mod pieces;
mod split;
mod words;
mod write;

pub(super) use layout::find_delimiter;
pub(super) use split::Record;
pub(super) use write::write;

use super::columns::{Cell, Columns, EdgeColumn};
use super::file::{EdgeLines, GraphFile, Places};
use super::lines::{Blocks, check_line_ends};
use super::names::Names;
use super::options::Delimiter;
use super::text::{counted, shortened};
use super::{Format, Place, Problem, ReadError, ReadOptions};
use layout::Layout;
use piece::{Manner, Piece};
use split::{Kind, Unsplit};
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, format: Format, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    if options.columns.len() > 2 && options.weight.is_some() {
        return Err(ReadError::new(Place::File, "--columns names the weight already: leave --weight out"));
    }
    let mut blocks = Blocks::new(reader, options);
    blocks.read_more()?;
    check_line_ends(blocks.text())?;
    let whole_file = |problem| ReadError::new(Place::File, problem);
    let layout = Layout::find(blocks.text(), format, options).map_err(whole_file)?;
    let mut table = Table::new(&layout, options);
    pieces::take_all(&mut blocks, &layout, &mut table)?;
    table.finish(layout, format)
}

/// What is wrong, and on which line.
pub(super) type Wrong = (u64, Problem);

/// Whoever takes the lines of a file.
pub(super) trait Rows {
    /// A line with fields, which stand in `text`.
    fn take(&mut self, line: u64, text: &str, record: &Record) -> Result<(), Wrong>;
    /// True for a comment that has so many fields, split as if it were none, and may be data.
    fn is_doubtful(&self, _record: &Record, _fields: usize) -> bool {
        false
    }
}

/// Lets `rows` take all lines but blank ones and comments.
pub(super) fn for_each_line(blocks: &mut Blocks, delimiter: Delimiter, rows: &mut impl Rows) -> Result<(), ReadError> {
    let mut record = Record::default();
    let wrong = |(line, problem): Wrong| ReadError::new(Place::Line(line), problem);
    loop {
        let text = blocks.text();
        let (mut at, mut line) = (0, blocks.line());
        while at < text.len() {
            let split = match record.split(text, at, delimiter) {
                Ok(split) => split,
                Err(Unsplit::OpenQuote) if !blocks.is_at_end() => break,
                Err(unsplit) => return Err(wrong(unsplit.on(line))),
            };
            match split.kind {
                Kind::Fields => rows.take(line, text, &record).map_err(wrong)?,
                Kind::Comment => {
                    let fields = record.split_comment(text, at, delimiter);
                    if fields.is_some_and(|fields| rows.is_doubtful(&record, fields)) {
                        return Err(wrong((line, piece::doubtful_comment(&text[at..split.next]))));
                    }
                }
                Kind::Blank => (),
            }
            at = split.next;
            line += split.lines;
        }
        if blocks.is_at_end() {
            return Ok(());
        }
        let lines = line - blocks.line();
        blocks.drop_first(at, lines);
        blocks.read_more()?;
    }
}

/// What was read so far.
struct Table {
    names: Names,
    edges: Vec<(u32, u32)>,
    /// The line of each edge.
    lines: EdgeLines,
    /// The vertices of the names of a piece.
    indices: Vec<u32>,
    /// The attributes, in the order of `layout.attributes`.
    columns: Vec<EdgeColumn>,
    /// Attributes that each line names itself.
    named: Columns,
    /// For each attribute, whether numbers with a decimal comma and with a decimal point occurred.
    marks: Vec<(bool, bool)>,
    comments: usize,
    /// Lines with a single name.
    single: Vec<(u32, u64)>,
}

impl Table {
    fn new(layout: &Layout, options: &ReadOptions) -> Self {
        let column = |&number: &usize| EdgeColumn::new(layout.name(number), Some(number + 1));
        let columns: Vec<EdgeColumn> = layout.attributes.iter().map(column).collect();
        Table {
            names: Names::new(options),
            edges: vec![],
            lines: EdgeLines::default(),
            indices: vec![],
            marks: vec![(false, false); columns.len()],
            columns,
            named: Columns::default(),
            comments: 0,
            single: vec![],
        }
    }

    /// How pieces are to be read that come after what was read so far.
    fn manner<'a>(&self, layout: &'a Layout) -> Manner<'a> {
        let has_words = self.columns.iter().map(EdgeColumn::has_words).collect();
        Manner { layout, spotter: self.names.spotter(), has_words }
    }

    /// Takes the next piece of the file, which stands there in its block. It may have been read before all pieces ahead of it were taken.
    fn take(&mut self, block: &str, piece: &mut Piece, place: &piece::Place, layout: &Layout) -> Result<(), Wrong> {
        if piece.was_read_without_words(&self.columns) {
            piece.read(block, place, &self.manner(layout));
        }
        let names = self.take_names(block, piece);
        let dictionaries = self.take_dictionaries(block, piece);
        // What is wrong further up comes first.
        if let Some(wrong) = [names, dictionaries].into_iter().filter_map(Result::err).min_by_key(|&(line, _)| line) {
            return Err(wrong);
        }
        self.lines.append(&piece.lines);
        self.columns.iter_mut().zip(&piece.columns).for_each(|(column, more)| column.append(more));
        for (marks, more) in self.marks.iter_mut().zip(&piece.marks) {
            *marks = (marks.0 || more.0, marks.1 || more.1);
        }
        self.comments += piece.comments;
        piece.wrong.take().map_or(Ok(()), Err)
    }

    /// Looks the names of a piece up, and makes edges of them.
    fn take_names(&mut self, block: &str, piece: &Piece) -> Result<(), Wrong> {
        self.indices.clear();
        let looked_up = self.names.look_up([block, &piece.quoted], &piece.names, &mut self.indices);
        looked_up.map_err(|problem| (piece.line_of_name(self.indices.len()), problem))?;
        let mut start = 0;
        let mut take_edges = |indices: &[u32]| {
            self.edges.extend(indices.chunks_exact(2).map(|ends| (ends[0], ends[1])));
        };
        for &(name, line) in &piece.single {
            take_edges(&self.indices[start..name]);
            self.single.push((self.indices[name], line));
            start = name + 1;
        }
        take_edges(&self.indices[start..]);
        Ok(())
    }

    /// The attributes of lines of networkx: `0 1 {'weight': 3}`.
    fn take_dictionaries(&mut self, block: &str, piece: &Piece) -> Result<(), Wrong> {
        let before = self.lines.len();
        for (edge, place) in &piece.dictionaries {
            let here = |problem| (piece.lines.of(*edge), problem);
            let text = block[place.clone()].trim();
            let items = dictionary::parse(text).ok_or_else(|| here(piece::no_dictionary(text)))?;
            let set = items.iter().try_for_each(|(key, value)| match value {
                dictionary::Value::Missing => Ok(()),
                dictionary::Value::Number(number) => self.named.set(before + edge, key, Cell::Number(*number)),
                dictionary::Value::Word(word) => self.named.set(before + edge, key, Cell::Word(word)),
            });
            set.map_err(here)?;
        }
        Ok(())
    }

    fn finish(self, mut layout: Layout, format: Format) -> Result<GraphFile, ReadError> {
        let whole_file = |problem: Problem| Err(ReadError::new(Place::File, problem));
        if self.names.is_empty() && layout.header.is_none() {
            return whole_file(match self.comments {
                0 => Problem::Empty,
                comments => {
                    format!("the file holds no graph: it is empty but for {}", counted(comments, "comment")).into()
                }
            });
        }
        let no_edges = layout.header.is_none() && self.edges.is_empty();
        if no_edges && self.names.iter().any(|name| name.contains(OTHER_SEPARATORS)) {
            let between = layout.delimiter;
            return whole_file(
                format!("no line has two columns; they must be separated by {between} (or see --delimiter)").into(),
            );
        }
        self.note_decimal_commas(&mut layout.notes)?;
        self.note_lines(format, &mut layout.notes);
        let columns = match layout.dictionaries {
            true => self.named.finish(self.edges.len()),
            false => self.columns,
        };
        let mut file = GraphFile::new(format, self.names.into_list(), self.edges, Places::Lines(self.lines));
        file.weight = layout.weight.and_then(|weight| layout.attributes.iter().position(|&column| column == weight));
        file.columns = columns;
        file.notes = layout.notes;
        Ok(file)
    }

    fn note_decimal_commas(&self, notes: &mut Vec<String>) -> Result<(), ReadError> {
        for (column, &(commas, points)) in self.columns.iter().zip(&self.marks) {
            let name = format!("`{}`", shortened(&column.name));
            match (column.numbers().is_some(), commas, points) {
                (true, true, true) => {
                    let why = format!("some numbers of {name} have a decimal comma and some a decimal point");
                    return Err(ReadError::new(Place::File, why));
                }
                (true, true, false) => notes.push(format!("the numbers of {name} have decimal commas")),
                _ => (),
            }
        }
        Ok(())
    }

    /// Comments where nobody expects them, and names that stand alone.
    fn note_lines(&self, format: Format, notes: &mut Vec<String>) {
        if self.comments > 0 && format != Format::Edges {
            let lines = counted(self.comments, "line");
            notes.push(format!("{lines} with # or % or // in front left out as comments"));
        }
        if self.single.is_empty() {
            return;
        }
        let mut joined = vec![false; self.names.len()];
        for &(tail, head) in &self.edges {
            (joined[tail as usize], joined[head as usize]) = (true, true);
        }
        let alone: Vec<&(u32, u64)> = self.single.iter().filter(|(vertex, _)| !joined[*vertex as usize]).collect();
        if let Some((vertex, line)) = alone.first() {
            let name = shortened(self.names.name(*vertex as usize));
            let vertices = counted(alone.len(), "vertex");
            notes.push(format!("{vertices} without edges: '{name}' (line {line}) stands alone on its line"));
        }
    }
}

/// What the columns of a file may be separated by that was taken for another format.
const OTHER_SEPARATORS: [char; 5] = [',', ';', '\t', ' ', '|'];
