//! No bytes cause a panic, a hang or a large allocation; what is read all the same can be written and read again.

use super::*;
use tiebreak::instance::io::write_graph;

const CASES: u64 = 3000;

/// Small limits: a mutated header must not slow the test down by asking for what is allowed.
fn options(rng: &mut Rng) -> ReadOptions {
    ReadOptions { undirected: rng.chance(0.3), max_vertices: 2000, max_bytes: 1 << 20, ..ReadOptions::default() }
}

/// Pieces that mean something to some reader.
const PIECES: [&str; 24] = [
    "9223372036854775807",
    "18446744073709551616",
    "-1",
    "0",
    "1e400",
    "nan",
    "\"",
    "\n",
    ",",
    "\t",
    "<graph>",
    "</",
    "&#0;",
    "&x;",
    "<!DOCTYPE a>",
    "{",
    "[[[[",
    "\\u",
    "null",
    "p sp 7 7\n",
    "%%",
    "(99999, 99999)",
    "'<c16'",
    "\u{0}",
];

fn mutated(valid: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = valid.to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let end = (at + rng.below(9)).min(bytes.len());
        match rng.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..end, PIECES[rng.below(PIECES.len())].bytes())),
            3 => drop(bytes.splice(at..at, (0..rng.below(6)).map(|_| rng.next_u64() as u8).collect::<Vec<_>>())),
            4 => drop(
                bytes
                    .splice(at..at, valid[at.min(valid.len())..end.min(valid.len()).max(at.min(valid.len()))].to_vec()),
            ),
            _ => bytes.truncate(bytes.len() - rng.below(bytes.len() / 4 + 1)),
        }
    }
    bytes
}

fn noise(rng: &mut Rng) -> Vec<u8> {
    (0..rng.below(200)).map(|_| rng.next_u64() as u8).collect()
}

fn must_survive(bytes: &[u8], format: Format, options: &ReadOptions) -> bool {
    let Ok(graph) = read_from(bytes, format, "noise", options) else { return false };
    assert_eq!(graph.names.len(), graph.graph.n());
    let csv = write_graph(&graph, Format::Csv, None).expect("any graph can be a list of edges");
    let options = ReadOptions { undirected: !graph.directed, ..options.clone() };
    assert_eq!(read_from(&csv[..], Format::Csv, "again", &options).unwrap(), graph);
    true
}

fn bombard(format: Format) {
    let mut survivors = 0;
    for index in 0..CASES {
        let mut rng = Rng::stream(1, format.name(), index);
        let options = options(&mut rng);
        let valid = loop {
            if let Ok(valid) = write_graph(&random_graph(&mut rng), format, None) {
                break valid;
            }
        };
        survivors += usize::from(must_survive(&mutated(&valid, &mut rng), format, &options));
        must_survive(&noise(&mut rng), format, &options);
    }
    assert!(survivors > 0, "mutations of {format} never left a graph: they are too wild to test much");
}

macro_rules! bombard_each {
    ($($name:ident: $format:expr,)*) => {
        $(#[test] fn $name() { bombard($format); })*

        #[test]
        fn no_reader_is_left_out() {
            assert_eq!([$($format),*].as_slice(), written().collect::<Vec<_>>());
        }
    };
}

bombard_each! {
    csv: Format::Csv,
    tsv: Format::Tsv,
    edges: Format::Edges,
    node_link: Format::NodeLink,
    npy: Format::Npy,
    npz: Format::Npz,
    dimacs: Format::Dimacs,
    matrix_market: Format::MatrixMarket,
    graphml: Format::GraphMl,
}

/// Formats that are only read, and sparse matrices, from files that other programs wrote.
#[test]
fn real_files() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/real");
    let mut survivors = [0; Format::ALL.len()];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(format) = Format::of_path(&path) else { continue };
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name == "truth.json" || (format.can_be_written() && format != Format::Npz && format != Format::Edges) {
            continue;
        }
        let valid = std::fs::read(&path).unwrap();
        for index in 0..300 {
            let mut rng = Rng::stream(2, &name, index);
            let options = ReadOptions { weights_matter: rng.chance(0.5), ..options(&mut rng) };
            survivors[format as usize] += usize::from(must_survive(&mutated(&valid, &mut rng), format, &options));
        }
    }
    for format in [Format::Gml, Format::Gexf, Format::Pajek, Format::AdjacencyList, Format::Npz, Format::Edges] {
        assert!(survivors[format as usize] > 0, "mutations of {format} never left a graph");
    }
}
