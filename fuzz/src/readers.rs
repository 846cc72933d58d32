//! What every reader must withstand: any bytes give what they should or an error, and what was read can be written and read again.

use std::sync::LazyLock;
use tiebreak::instance::Graph;
use tiebreak::instance::io::{
    Delimiter, Format, HeaderLine, NamedGraph, Parallel, ReadOptions, array_entries, array_names, read_array,
    read_from, read_item_lines, read_items, read_sparse_array, read_stream, write_graph,
};
use tiebreak::learn::{ObservationOptions, read_observations};
use tiebreak::pipeline::cases::Case;
use tiebreak::pipeline::generate::{samples_from_any_bytes, samples_to_bytes};
use tiebreak::problems::ALGORITHMS;

/// No more than a fuzzer's memory holds.
fn bounded() -> ReadOptions {
    ReadOptions { max_vertices: 10_000, max_bytes: 1 << 24, max_entries: 1 << 20, ..ReadOptions::default() }
}

pub fn graph(bytes: &[u8], format: Format) {
    // Any bit that differs between inputs will do.
    let undirected = bytes.last().is_some_and(|last| last & 1 == 1);
    let Ok(graph) = read_from(bytes, format, "fuzz", &ReadOptions { undirected, ..bounded() }) else { return };
    comes_back(&graph);
}

/// Through a table of edges, which can hold any graph.
fn comes_back(graph: &NamedGraph) {
    let csv = write_graph(graph, Format::Csv, None).expect("any graph can be a list of edges");
    let options = ReadOptions { undirected: !graph.directed, ..ReadOptions::default() };
    let again = read_from(&csv[..], Format::Csv, "again", &options).expect("what was written can be read");
    assert_eq!(&again, graph);
}

/// The first line is what a person says of the table that follows: words such as `undirected`, `columns=1,2`, `delimiter=;`.
pub fn table_with_options(bytes: &[u8]) {
    let Some((words, table)) = split_line(bytes) else { return };
    let mut options = bounded();
    let mut format = Format::Csv;
    for word in words.split(' ') {
        match word.split_once('=').unwrap_or((word, "")) {
            ("undirected", _) => options.undirected = true,
            ("unweighted", _) => options.unweighted = true,
            ("any-weights", _) => options.weights_matter = false,
            ("weight", name) => options.weight = Some(name.to_owned()),
            ("columns", names) => options.columns = names.split(',').map(str::to_owned).collect(),
            ("delimiter", text) => options.delimiter = text.parse::<Delimiter>().ok(),
            ("header", text) => options.header = text.parse::<HeaderLine>().unwrap_or_default(),
            ("parallel", text) => options.parallel = text.parse::<Parallel>().unwrap_or_default(),
            ("round", text) => options.round = text.parse().ok(),
            ("format", text) => format = text.parse().unwrap_or(format),
            _ => {}
        }
    }
    if let Ok(reading) = read_stream(table, format, "fuzz", &options) {
        assert!(!reading.summary().is_empty());
        comes_back(&reading.into_named());
    }
}

fn split_line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

pub fn array(bytes: &[u8]) {
    one_array(bytes, Format::Npy, &[]);
    for name in array_names(bytes, "fuzz", &bounded()).unwrap_or_default() {
        one_array(bytes, Format::Npz, &[&name]);
    }
}

/// With zeros and without them it is the same array.
fn one_array(bytes: &[u8], format: Format, names: &[&str]) {
    let sparse = read_sparse_array(bytes, format, names, "fuzz", &bounded());
    let (Ok(all), Ok(sparse)) = (read_array(bytes, format, names, "fuzz", &bounded()), sparse) else { return };
    assert_eq!(all.shape, sparse.shape);
    assert_eq!(all.values.iter().filter(|&&value| value != 0.0).count(), sparse.entries.len());
    assert!(sparse.entries.iter().all(|&(place, _)| all.values[place] != 0.0));
    assert_eq!(array_entries(bytes, format, names, "fuzz", &bounded()).ok(), Some(all.values.len()));
}

/// Tables and lines of every kind of items; the algorithm that they are for can be prepared and asked for an answer.
pub fn items(bytes: &[u8]) {
    for algorithm in ALGORITHMS {
        let Some(kind) = algorithm.problem().items else { continue };
        let tables =
            [Format::Csv, Format::Tsv].map(|format| read_items(&mut &bytes[..], kind, format, "fuzz", &bounded()).ok());
        let objects = read_item_lines(&mut &bytes[..], kind, "fuzz", &bounded()).ok().flatten();
        for read in tables.into_iter().chain([objects]).flatten() {
            assert_eq!((read.names.len(), read.lines.len()), (read.items.len(), read.items.len()));
        }
    }
}

/// Four streets around a block, one of them two ways.
static BLOCK: LazyLock<NamedGraph> = LazyLock::new(|| {
    let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0), (1, 0), (0, 2)]).expect("a graph");
    NamedGraph { graph, names, directed: true }
});

pub fn observations(bytes: &[u8]) {
    let contexts = ["rain".to_owned()];
    for (gaps, contexts) in [(false, &[][..]), (true, &contexts)] {
        let options = ObservationOptions { gaps, contexts, sets: None };
        if let Ok(read) = read_observations(bytes, "fuzz", &BLOCK.graph, &BLOCK.names, &options) {
            assert!(
                !read.answers.is_empty() && read.contexts.iter().all(|column| column.cells.len() == read.answers.len())
            );
        }
    }
}

/// A line of JSON is a case or an error, and a case comes back from its own line, unless its candidate is none: of that only the verdict is kept.
pub fn cases(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for problem in ALGORITHMS.iter().map(|algorithm| algorithm.problem()) {
        if let Ok(case) = Case::parse(text, problem) {
            let again = Case::parse(&case.to_line(), problem).expect("its own line");
            assert!(again == case || matches!(case.candidate, Some(Err(_))), "{case:?} came back as {again:?}");
        }
    }
}

/// What was read can be written, and comes back.
pub fn samples(bytes: &[u8]) {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let problem = ALGORITHMS[usize::from(which) % ALGORITHMS.len()].problem();
    let Ok(file) = samples_from_any_bytes(bytes, problem) else { return };
    let Ok(written) = samples_to_bytes(&file) else { return };
    let again = samples_from_any_bytes(&written, problem).expect("what was written can be read");
    assert_eq!(again.samples.len(), file.samples.len());
}
