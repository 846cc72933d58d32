//! A table in pieces: one thread reads blocks of the file and takes what others make of their pieces, in the order of the file.
//!
//! ```text
//! block 3   is read and cut where records end
//! block 2   its pieces are split on other threads
//! block 1   its pieces are taken: names are looked up
//! ```
//!
//! Where a block is cut does not depend on the number of threads, and nothing that comes out depends on where it is cut. A file of one block is not worth
//! waking other threads.

use super::super::lines::Blocks;
use super::super::options::Delimiter;
use super::super::{Place as Where, ReadError};
use super::layout::Layout;
use super::piece::{Piece, Place};
use super::split::{Kind, Record, Unsplit, line_end};
use super::{Table, Wrong};

/// As many pieces as a block is cut into, or one or two more.
const PIECES: usize = 4;

/// About how many bytes a block has after the first: with what is made of them, they stay in the cache until they are taken.
const BLOCK: usize = 1 << 18;

/// Whole records of a file, and where its pieces stand.
struct Block {
    text: String,
    places: Vec<Place>,
}

/// A block whose pieces have been read.
type Split = (Block, Vec<Piece>);

/// Has `table` take the whole file. The first block has been read already.
pub(super) fn take_all(blocks: &mut Blocks, layout: &Layout, table: &mut Table) -> Result<(), ReadError> {
    let wrong = |(line, problem): Wrong| ReadError::new(Where::Line(line), problem);
    if layout.header.is_some() {
        table.comments += drop_header(blocks, layout.delimiter);
    }
    if blocks.is_at_end() {
        let block = next_block(blocks, layout)?;
        return block.map_or(Ok(()), |block| take_alone(&block, layout, table).map_err(wrong));
    }
    blocks.set_size(blocks.size().min(BLOCK));
    let mut next = next_block(blocks, layout);
    let mut split: Option<Split> = None;
    let mut spare: Vec<Vec<Piece>> = vec![];
    loop {
        // What is wrong with a block counts once all before it was taken.
        let block = match (next, &split) {
            (Ok(block), _) => block,
            (Err(error), None) => return Err(error),
            (Err(error), Some(_)) => {
                take_split(split.take(), layout, table).map_err(wrong)?;
                return Err(error);
            }
        };
        if block.is_none() && split.is_none() {
            return Ok(());
        }
        let mut pieces = spare.pop().unwrap_or_default();
        pieces.resize_with(block.as_ref().map_or(0, |block| block.places.len()), Piece::default);
        let manner = table.manner(layout);
        let (read, taken) = rayon::in_place_scope(|scope| {
            if let Some(Block { text, places }) = &block {
                for (piece, place) in pieces.iter_mut().zip(places) {
                    let manner = &manner;
                    scope.spawn(move |_| piece.read(text, place, manner));
                }
            }
            let read = if block.is_some() { next_block(blocks, layout) } else { Ok(None) };
            (read, take_split(split.take(), layout, table))
        });
        if let Some((done, pieces)) = taken.map_err(wrong)? {
            blocks.give_back(done.text);
            spare.push(pieces);
        }
        next = read;
        split = block.map(|block| (block, pieces));
    }
}

/// Takes all pieces of a block, and gives what may be used again.
fn take_split(split: Option<Split>, layout: &Layout, table: &mut Table) -> Result<Option<Split>, Wrong> {
    let Some((block, mut pieces)) = split else { return Ok(None) };
    for (piece, place) in pieces.iter_mut().zip(&block.places) {
        table.take(&block.text, piece, place, layout)?;
    }
    Ok(Some((block, pieces)))
}

/// Reads and takes a block on this thread.
fn take_alone(block: &Block, layout: &Layout, table: &mut Table) -> Result<(), Wrong> {
    let mut piece = Piece::default();
    for place in &block.places {
        piece.read(&block.text, place, &table.manner(layout));
        table.take(&block.text, &mut piece, place, layout)?;
    }
    Ok(())
}

/// Leaves out the line that names the columns, and all before it; how many of those were comments.
fn drop_header(blocks: &mut Blocks, delimiter: Delimiter) -> usize {
    let (text, mut record) = (blocks.text(), Record::default());
    let (mut at, mut lines, mut comments) = (0, 0, 0);
    while at < text.len() {
        // The layout was found from it, so it can be split.
        let Ok(line) = record.split(text, at, delimiter) else { break };
        (at, lines) = (line.next, lines + line.lines);
        comments += usize::from(line.kind == Kind::Comment);
        if line.kind == Kind::Fields {
            break;
        }
    }
    blocks.drop_first(at, lines);
    comments
}

/// The next whole records; `None` at the end of the file.
fn next_block(blocks: &mut Blocks, layout: &Layout) -> Result<Option<Block>, ReadError> {
    loop {
        let text = blocks.text();
        let ends = ends_of_pieces(text, layout.delimiter, (blocks.size() / PIECES).max(1), blocks.is_at_end());
        if let Some(&end) = ends.last() {
            let (places, lines) = places(text, &ends, blocks.line());
            return Ok(Some(Block { text: blocks.take_first(end, lines), places }));
        }
        if blocks.is_at_end() {
            return Ok(None);
        }
        blocks.read_more()?;
    }
}

/// Where pieces of at least `size` bytes end, all of them where a record does; the last one where the last whole record does.
fn ends_of_pieces(text: &str, delimiter: Delimiter, size: usize, is_at_end: bool) -> Vec<usize> {
    let bytes = text.as_bytes();
    let (mut ends, mut at, mut start, mut record) = (vec![], 0, 0, Record::default());
    // Without quotes a record is a line.
    let has_quotes = delimiter != Delimiter::Space && bytes.contains(&b'"');
    while at < bytes.len() {
        at = match has_quotes {
            false => line_end(bytes, (start + size).min(bytes.len()) - 1),
            true => match record.split(text, at, delimiter) {
                Ok(line) => line.next,
                Err(Unsplit::OpenQuote) if !is_at_end => break,
                // Whoever splits the piece says so.
                Err(_) => bytes.len(),
            },
        };
        if at - start >= size {
            ends.push(at);
            start = at;
        }
    }
    if at > start {
        ends.push(at);
    }
    ends
}

/// Pieces that end there, with the line on which each starts, and the number of all their lines.
fn places(text: &str, ends: &[usize], first_line: u64) -> (Vec<Place>, u64) {
    let (mut start, mut line) = (0, first_line);
    let place = |&end: &usize| {
        let place = Place { bytes: start..end, line };
        line += text.as_bytes()[start..end].iter().filter(|&&byte| byte == b'\n').count() as u64;
        start = end;
        place
    };
    let places = ends.iter().map(place).collect();
    (places, line - first_line)
}

#[cfg(test)]
mod tests {
    use super::super::super::file::GraphFile;
    use super::super::super::{Format, HeaderLine, ReadOptions};
    use super::*;
    use crate::random::Rng;

    /// What a file says, or what is wrong with it, read in blocks of about so many bytes. The layout is that of the whole text.
    fn read(bytes: &[u8], size: usize, options: &ReadOptions) -> Result<GraphFile, String> {
        let whole = String::from_utf8_lossy(bytes);
        let layout = Layout::find(&whole, Format::Csv, options).expect("a layout");
        let mut table = Table::new(&layout, options);
        let mut reader = bytes;
        let mut blocks = Blocks::of_size(&mut reader, options, size);
        let mut all = || {
            blocks.read_more()?;
            take_all(&mut blocks, &layout, &mut table)
        };
        all().and_then(|()| table.finish(layout, Format::Csv)).map_err(|error| error.to_string())
    }

    /// A table with whatever a table may have, and perhaps one thing that it may not.
    fn random_table(rng: &mut Rng) -> Vec<u8> {
        let names = [
            "a",
            "b7",
            "12",
            "012",
            "7",
            "\"q, \"\"r\"",
            "\" s\"",
            "\"two\nlines\"",
            " d ",
            "é",
            "\u{a0}e",
            "4194304",
            "\"\"",
        ];
        let values = ["3", "0.50", "007", "word", "", "1e2", "123456789012345678901", "\"8\""];
        let others = ["", "   ", "# \"comment", "  // another", ",,", "alone", "\"alone, too\""];
        let wrong = ["a,\"b\"c,1", "a,\"open", ",b,1", "a,b,1,2", "\"x\ny\"z,b,1"];
        let kinds = 1 + rng.below(names.len());
        let end = if rng.below(3) == 0 { "\r\n" } else { "\n" };
        let numbers_only = rng.below(2) == 0;
        let mut lines: Vec<String> = (0..rng.below(14))
            .map(|_| match rng.below(8) {
                0 => others[rng.below(others.len())].to_owned(),
                _ => {
                    let value = values[rng.below(if numbers_only { 3 } else { values.len() })];
                    format!("{},{},{value}", names[rng.below(kinds)], names[rng.below(kinds)])
                }
            })
            .collect();
        lines.insert(0, "12,7,3".to_owned());
        if rng.below(3) == 0 {
            lines.insert(1 + rng.below(lines.len()), wrong[rng.below(wrong.len())].to_owned());
        }
        let mut bytes = lines.join(end).into_bytes();
        if rng.below(3) > 0 {
            bytes.extend(end.bytes());
        }
        bytes
    }

    #[test]
    fn where_a_file_is_cut_does_not_matter() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        for index in 0..400 {
            let mut rng = Rng::stream(0, "pieces", index);
            let bytes = random_table(&mut rng);
            let header = if rng.below(2) == 0 { HeaderLine::No } else { HeaderLine::Yes };
            let max_vertices = if rng.below(5) == 0 { 3 } else { 1000 };
            let options = ReadOptions { header, max_vertices, ..ReadOptions::default() };
            let expected = read(&bytes, 1 << 20, &options);
            // The first block has the header.
            for size in bytes.len().min(8)..bytes.len() + 2 {
                let found = if size % 2 == 0 {
                    read(&bytes, size, &options)
                } else {
                    pool.install(|| read(&bytes, size, &options))
                };
                assert_eq!(found, expected, "blocks of {size}: {:?}", String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[test]
    fn the_first_thing_that_is_wrong_is_said_with_its_line() {
        let row = "12,7,3\nx,\"y\nz\",4\n";
        let options = ReadOptions { header: HeaderLine::No, ..ReadOptions::default() };
        for before in 0..9 {
            for (wrong, why) in [
                ("a,\"b\"c,1\n", "'c' follows a closing quote"),
                (",b,1\n", "the name of a vertex is missing"),
                ("a,b,1,2\n", "4 columns, but the first edge has 3"),
            ] {
                let text = [&row.repeat(before + 1), wrong, &row.repeat(5), "\"open"].concat();
                let expected = format!(", line {}: {why}", 3 * before + 4);
                for size in [7, 20, 33, 50, 100, 1000] {
                    assert_eq!(read(text.as_bytes(), size, &options).expect_err("something is wrong"), expected);
                }
            }
            let mut bytes = row.repeat(before + 1).into_bytes();
            bytes.extend(b"12,\xff,3\n12,7,3\n");
            let expected = format!(", line {}: this is not UTF-8 text", 3 * before + 4);
            for size in [7, 20, 33, 50, 100, 1000] {
                assert_eq!(read(&bytes, size, &options).expect_err("something is wrong"), expected);
            }
        }
    }

    #[test]
    fn pieces_end_where_records_do() {
        let text = "a,b\n\"c\nd\",e\n\nf,g\n\"h";
        let comma = Delimiter::Byte(b',');
        assert_eq!(ends_of_pieces(text, comma, 1, false), [4, 12, 13, 17]);
        assert_eq!(ends_of_pieces(text, comma, 1, true), [4, 12, 13, 17, 19]);
        assert_eq!(ends_of_pieces(text, comma, 5, false), [12, 17]);
        assert_eq!(ends_of_pieces(text, Delimiter::Space, 1, false), [4, 7, 12, 13, 17, 19]);
        assert_eq!(ends_of_pieces("\"a\n", comma, 1, false), [0usize; 0]);
        let (places, lines) = places(text, &[12, 17], 8);
        assert_eq!(lines, 5);
        assert_eq!(places, [Place { bytes: 0..12, line: 8 }, Place { bytes: 12..17, line: 11 }]);
    }
}
