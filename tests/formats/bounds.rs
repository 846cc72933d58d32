//! Files without end, archives that unpack to more than fits, and headers that lie: refused, and early.

use super::*;
use std::io::{BufRead, Read};
use tiebreak::instance::io::{Problem, array_names, read_array};

/// The same bytes for ever.
struct Endless {
    block: Vec<u8>,
    at: usize,
    given: u64,
}

impl Endless {
    fn of(pattern: &[u8]) -> Self {
        Endless { block: pattern.repeat(65536 / pattern.len()), at: 0, given: 0 }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.fill_buf()?.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.block[self.at..self.at + length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Endless {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        Ok(&self.block[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.given += amount as u64;
        self.at = (self.at + amount) % self.block.len();
    }
}

#[test]
fn files_without_end_are_refused_after_one_long_line() {
    for format in Format::ALL.into_iter().filter(|format| format.can_be_read()) {
        let mut zeros = Endless::of(&[0]);
        let error = read_from(&mut zeros, format, "file", &ReadOptions::default()).unwrap_err();
        assert!(zeros.given < 300 << 20, "{format} took {} bytes: {error}", zeros.given);
        let lines = [Format::Csv, Format::Tsv, Format::Edges, Format::Dimacs, Format::Pajek, Format::AdjacencyList];
        if lines.contains(&format) {
            assert!(error.to_string().contains("line 1: this line is longer than 67108864 bytes"), "{format}: {error}");
        }
    }
    let mut quoted = Endless::of(b"x\n");
    let text = std::io::BufReader::new((&b"a,\""[..]).chain(&mut quoted));
    let error = read_from(text, Format::Csv, "file", &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("line 1: this line is longer than 67108864 bytes"), "{error}");
}

#[test]
fn files_with_endless_lines_meet_the_limit_of_bytes() {
    let options = ReadOptions { max_bytes: 1 << 20, ..ReadOptions::default() };
    for (format, pattern) in
        [(Format::Csv, &b"a,b,1\n"[..]), (Format::Edges, b"1 2\n"), (Format::Gml, b"x 1 "), (Format::NodeLink, b"[[")]
    {
        let error = read_from(Endless::of(pattern), format, "file", &options).unwrap_err();
        assert!(matches!(*error.problem, Problem::TooManyBytes { limit: 0x100000 }), "{format}: {error}");
    }
}

#[test]
fn sixteen_bit_text_is_named() {
    let text: Vec<u8> = "a;b;1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bytes = [&b"\xff\xfe"[..], &text].concat();
    for format in [Format::Csv, Format::Dimacs, Format::GraphMl] {
        let error = read(&bytes, format).unwrap_err().to_string();
        assert!(error.contains("this is UTF-16 text: save it as UTF-8"), "{error}");
    }
}

fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    [b"\x93NUMPY\x02\x00", &(header.len() as u32).to_le_bytes()[..], header.as_bytes(), data].concat()
}

fn archive(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(vec![]));
    for (name, bytes) in entries {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The header alone is enough: the zeros behind it are never unpacked.
#[test]
fn a_dense_matrix_of_zeros_is_refused_before_it_is_unpacked() {
    let lie = archive(&[("A.npy", npy("|b1", "(60000, 60000)", &vec![0; 1 << 20]))]);
    let wanted = "an array of shape [60000, 60000] has more than 100000000 entries";
    let error = read(&lie, Format::Npz).unwrap_err().to_string();
    assert!(error.contains(wanted) && error.contains("scipy.sparse.save_npz"), "{error}");
    let error = read_array(&lie[..], Format::Npz, &["A"], "file", &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains(wanted), "{error}");
    assert_eq!(array_names(&lie[..], "file", &ReadOptions::default()).unwrap(), ["A"]);
}

fn sparse(format: &str, shape: &str, indptr: &[i32], indices: &[i32], data: usize) -> Vec<u8> {
    let integers = |list: &[i32]| {
        let bytes: Vec<u8> = list.iter().flat_map(|value| value.to_le_bytes()).collect();
        npy("<i4", &format!("({},)", list.len()), &bytes)
    };
    let sides: Vec<u8> = shape.split(',').flat_map(|side| side.parse::<i64>().unwrap().to_le_bytes()).collect();
    archive(&[
        ("format.npy", npy("|S3", "()", format.as_bytes())),
        ("shape.npy", npy("<i8", "(2,)", &sides)),
        ("data.npy", npy("<f8", &format!("({data},)"), &1.5f64.to_le_bytes().repeat(data))),
        ("indptr.npy", integers(indptr)),
        ("indices.npy", integers(indices)),
    ])
}

#[test]
fn sparse_matrices_that_contradict_themselves_are_named() {
    let fine = read(&sparse("csr", "2,2", &[0, 1, 1], &[1], 1), Format::Npz).unwrap();
    assert_eq!(fine.graph.weighted_edges().collect::<Vec<_>>(), [(0, 1, 15)]);
    for (bytes, fragment) in [
        (sparse("bsr", "2,2", &[0, 1, 1], &[1], 1), "a sparse matrix of the format 'bsr'; save it as csr, csc or coo"),
        (sparse("csr", "2,3", &[0, 1, 1], &[1], 1), "a matrix of 2 x 3 is not square"),
        (sparse("csr", "2,2", &[0, 1], &[1], 1), "'indptr' does not divide 1 entries among 2 rows"),
        (sparse("csr", "2,2", &[0, 2, 1], &[1], 1), "'indptr' does not divide"),
        (sparse("csr", "2,2", &[0, 1, 1], &[2], 1), "an entry in row 0, column 2 of a matrix of 2 x 2"),
        (sparse("csr", "2,2", &[0, 1, 1], &[-1], 1), "'indices' has the value -1 at place 0, which is no index"),
        (sparse("csr", "2,2", &[0, 1, 1], &[1], 2), "2 values for 1 entries"),
        (sparse("csr", "2,2", &[0, 2, 2], &[1, 1], 2), "row 0, column 1: edge '0' -> '1' is given twice"),
        (sparse("coo", "2,2", &[0, 1, 1], &[1], 1), "a broken .npz archive"),
        (sparse("csr", "90000000,90000000", &[0, 1, 1], &[1], 1), "not believable in a file of"),
        (sparse("csr", "-1,-1", &[0, 1, 1], &[1], 1), "'shape' has the value -1"),
    ] {
        let error = read(&bytes, Format::Npz).unwrap_err().to_string();
        assert!(error.contains(fragment), "{error}\n  not {fragment}");
    }
}
