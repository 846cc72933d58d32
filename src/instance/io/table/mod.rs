//! Tables: one edge a line as `source,target`, perhaps with a weight and other attributes.
//!
//! Vertices are numbered in the order in which their names first appear. A line with a single name is a vertex
//! without edges (so far); the writer uses such lines wherever the order of vertices would not come out otherwise,
//! because ordered restarts depend on it. Lines that start with `#`, `%` or `//` are comments.
//!
//! [`layout`] finds out what the columns are; then lines are split where they stand in a block of the file, and
//! nothing is copied but new names.

mod dictionary;
mod layout;
mod split;
mod words;
mod write;

pub(super) use layout::find_delimiter;
pub(super) use split::Record;
pub(super) use write::write;

use super::columns::{Cell, Columns, EdgeColumn};
use super::file::{EdgeLines, GraphFile, Places};
use super::lines::Blocks;
use super::names::Names;
use super::options::Delimiter;
use super::text::{counted, shortened};
use super::{Format, Place, Problem, ReadError, ReadOptions};
use layout::Layout;
use split::{Kind, Unsplit};
use std::io::BufRead;

pub(super) fn read(reader: &mut dyn BufRead, format: Format, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    if options.columns.len() > 2 && options.weight.is_some() {
        return Err(ReadError::new(Place::File, "--columns names the weight already: leave --weight out"));
    }
    let mut blocks = Blocks::new(reader, options);
    blocks.read_more()?;
    let whole_file = |problem| ReadError::new(Place::File, problem);
    let layout = Layout::find(blocks.text(), format, options).map_err(whole_file)?;
    let mut table = Table::new(layout, options);
    let delimiter = table.layout.delimiter;
    for_each_line(&mut blocks, delimiter, &mut table)?;
    table.finish(format)
}

/// What is wrong, and on which line.
pub(super) type Wrong = (u64, Problem);

/// Whoever takes the lines of a file.
pub(super) trait Rows {
    /// A line with fields, which stand in `text`.
    fn take(&mut self, line: u64, text: &str, record: &Record) -> Result<(), Wrong>;

    /// A line that is a comment.
    fn comment(&mut self) {}

    /// The text of the lines so far is about to go.
    fn end_of_text(&mut self, _text: &str) -> Result<(), Wrong> {
        Ok(())
    }
}

/// Lets `rows` take all lines but blank ones.
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
                Err(Unsplit::OpenQuote) => {
                    let why = format!("the quote opened in the record of line {line} is never closed");
                    return Err(wrong((line, why.into())));
                }
                Err(Unsplit::Wrong(later, why)) => return Err(wrong((line + later, why.into()))),
            };
            match split.kind {
                Kind::Blank => (),
                Kind::Comment => rows.comment(),
                Kind::Fields => rows.take(line, text, &record).map_err(wrong)?,
            }
            at = split.next;
            line += split.lines;
        }
        rows.end_of_text(text).map_err(wrong)?;
        if blocks.is_at_end() {
            return Ok(());
        }
        let lines = line - blocks.line();
        blocks.drop_first(at, lines);
        blocks.read_more()?;
    }
}

/// How many edges wait for their names to be looked up together.
const WAITING: usize = 256;

/// What was read so far.
struct Table {
    layout: Layout,
    names: Names,
    edges: Vec<(u32, u32)>,
    /// The line of each edge, also of those that wait.
    lines: EdgeLines,
    /// The names of the edges that wait, two for each, as places in the text.
    waiting: Vec<(u32, u32)>,
    indices: Vec<u32>,
    /// The attributes, in the order of `layout.attributes`.
    columns: Vec<EdgeColumn>,
    /// Attributes that each line names itself.
    named: Columns,
    /// For each attribute, whether numbers with a decimal comma and with a decimal point occurred.
    marks: Vec<(bool, bool)>,
    header_seen: bool,
    comments: usize,
    /// Lines with a single name.
    single: Vec<(u32, u64)>,
}

impl Rows for Table {
    #[inline]
    fn take(&mut self, line: u64, text: &str, record: &Record) -> Result<(), Wrong> {
        self.take_line(line, text, record)
    }

    fn comment(&mut self) {
        self.comments += 1;
    }

    fn end_of_text(&mut self, text: &str) -> Result<(), Wrong> {
        self.look_up(text)
    }
}

impl Table {
    fn new(layout: Layout, options: &ReadOptions) -> Self {
        let column = |&number: &usize| EdgeColumn::new(layout.name(number), Some(number + 1));
        let columns: Vec<EdgeColumn> = layout.attributes.iter().map(column).collect();
        Table {
            names: Names::new(options),
            edges: vec![],
            lines: EdgeLines::default(),
            waiting: vec![],
            indices: vec![],
            marks: vec![(false, false); columns.len()],
            columns,
            named: Columns::default(),
            header_seen: layout.header.is_none(),
            comments: 0,
            single: vec![],
            layout,
        }
    }

    #[inline]
    fn take_line(&mut self, line: u64, text: &str, record: &Record) -> Result<(), Wrong> {
        if !self.header_seen {
            self.header_seen = true;
            return Ok(());
        }
        let here = |problem| (line, problem);
        let Layout { tail, head, .. } = self.layout;
        if record.is_missing(tail) || record.is_missing(head) {
            self.look_up(text)?;
            return self.take_single(line, text, record).map_err(here);
        }
        if record.len() > self.layout.width && !self.layout.dictionaries {
            return Err(here(self.too_wide(record.len())));
        }
        match self.layout.dictionaries {
            true => self.take_dictionary(text, record).map_err(here)?,
            false => self.take_attributes(text, record),
        }
        match (record.part(tail), record.part(head)) {
            (Some(tail), Some(head)) => self.waiting.extend([tail, head]),
            _ => {
                self.look_up(text)?;
                let tail = self.names.intern(record.get(text, tail)).map_err(here)?;
                let head = self.names.intern(record.get(text, head)).map_err(here)?;
                self.edges.push((tail, head));
            }
        }
        self.lines.push(line);
        if self.waiting.len() >= 2 * WAITING { self.look_up(text) } else { Ok(()) }
    }

    /// Looks up the names of the edges that wait.
    fn look_up(&mut self, text: &str) -> Result<(), Wrong> {
        self.indices.clear();
        let looked_up = self.names.intern_all(text, &self.waiting, &mut self.indices);
        let row = self.edges.len() + self.indices.len() / 2;
        looked_up.map_err(|problem| (self.lines.of(row), problem))?;
        self.edges.extend(self.indices.chunks_exact(2).map(|ends| (ends[0], ends[1])));
        self.waiting.clear();
        Ok(())
    }

    #[inline]
    fn take_attributes(&mut self, text: &str, record: &Record) {
        let row = self.lines.len();
        for (index, &column) in self.layout.attributes.iter().enumerate() {
            if record.is_missing(column) {
                self.columns[index].pad(row + 1);
                continue;
            }
            if let Some(number) = record.short_number(text, column)
                && self.columns[index].push_whole(number)
            {
                continue;
            }
            let field = record.get(text, column);
            if self.layout.delimiter == Delimiter::Byte(b',') {
                self.columns[index].push(Cell::Text(field));
            } else {
                let marks = &mut self.marks[index];
                *marks = (marks.0 || field.contains(','), marks.1 || field.contains('.'));
                self.columns[index].push(Cell::CommaText(field));
            }
        }
    }

    /// The attributes of a line of networkx: `0 1 {'weight': 3}`.
    fn take_dictionary(&mut self, text: &str, record: &Record) -> Result<(), Problem> {
        let third = self.layout.tail.max(self.layout.head) + 1;
        if record.len() <= third {
            return Ok(());
        }
        let row = self.lines.len();
        let rest = &text[record.start(third)..];
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let items = dictionary::parse(rest.trim())
            .ok_or_else(|| format!("'{}' is not a dictionary of attributes", shortened(rest.trim())))?;
        items.iter().try_for_each(|(key, value)| match value {
            dictionary::Value::Missing => Ok(()),
            dictionary::Value::Number(number) => self.named.set(row, key, Cell::Number(*number)),
            dictionary::Value::Word(word) => self.named.set(row, key, Cell::Word(word)),
        })
    }

    /// A line without one of the ends of an edge: a vertex, if nothing else stands there.
    fn take_single(&mut self, line: u64, text: &str, record: &Record) -> Result<(), Problem> {
        let tail = self.layout.tail;
        let others = self.layout.attributes.iter().any(|&column| !record.is_missing(column));
        if record.is_missing(tail) || others {
            return Err("the name of a vertex is missing".into());
        }
        let vertex = self.names.intern(record.get(text, tail))?;
        self.single.push((vertex, line));
        Ok(())
    }

    fn too_wide(&self, found: usize) -> Problem {
        let before = if self.layout.header.is_some() { "the header has" } else { "the first edge has" };
        Problem::Columns { found, expected: format!("{before} {}", self.layout.width) }
    }

    fn finish(mut self, format: Format) -> Result<GraphFile, ReadError> {
        let whole_file = |problem: Problem| Err(ReadError::new(Place::File, problem));
        if self.names.is_empty() && self.layout.header.is_none() {
            return whole_file(match self.comments {
                0 => Problem::Empty,
                comments => {
                    format!("the file holds no graph: it is empty but for {}", counted(comments, "comment")).into()
                }
            });
        }
        let no_edges = self.layout.header.is_none() && self.edges.is_empty();
        if no_edges && self.names.iter().any(|name| name.contains(OTHER_SEPARATORS)) {
            let between = self.layout.delimiter;
            return whole_file(
                format!("no line has two columns; they must be separated by {between} (or see --delimiter)").into(),
            );
        }
        self.note_decimal_commas()?;
        self.note_lines(format);
        let columns = match self.layout.dictionaries {
            true => self.named.finish(self.edges.len()),
            false => self.columns,
        };
        let mut file = GraphFile::new(format, self.names.into_list(), self.edges, Places::Lines(self.lines));
        file.weight =
            self.layout.weight.and_then(|weight| self.layout.attributes.iter().position(|&column| column == weight));
        file.columns = columns;
        file.notes = self.layout.notes;
        Ok(file)
    }

    fn note_decimal_commas(&mut self) -> Result<(), ReadError> {
        for (column, &(commas, points)) in self.columns.iter().zip(&self.marks) {
            let name = format!("`{}`", shortened(&column.name));
            match (column.numbers().is_some(), commas, points) {
                (true, true, true) => {
                    let why = format!("some numbers of {name} have a decimal comma and some a decimal point");
                    return Err(ReadError::new(Place::File, why));
                }
                (true, true, false) => self.layout.notes.push(format!("the numbers of {name} have decimal commas")),
                _ => (),
            }
        }
        Ok(())
    }

    /// Comments where nobody expects them, and names that stand alone.
    fn note_lines(&mut self, format: Format) {
        if self.comments > 0 && format != Format::Edges {
            let lines = counted(self.comments, "line");
            self.layout.notes.push(format!("{lines} with # or % or // in front left out as comments"));
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
            self.layout
                .notes
                .push(format!("{vertices} without edges: '{name}' (line {line}) stands alone on its line"));
        }
    }
}

/// What the columns of a file may be separated by that was taken for another format.
const OTHER_SEPARATORS: [char; 5] = [',', ';', '\t', ' ', '|'];
