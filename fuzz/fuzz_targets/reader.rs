//! What every reader must withstand: any bytes give a graph or an error, and a graph can be written and read again.

use tiebreak::instance::io::{Format, ReadOptions, read_from, write_graph};

pub fn read_and_write_again(bytes: &[u8], format: Format) {
    // Any bit that differs between inputs will do.
    let undirected = bytes.last().is_some_and(|last| last & 1 == 1);
    let options = ReadOptions { undirected, max_vertices: 10_000, max_bytes: 1 << 24, ..ReadOptions::default() };
    let Ok(graph) = read_from(bytes, format, "fuzz", &options) else { return };
    let csv = write_graph(&graph, Format::Csv, None).expect("any graph can be a list of edges");
    let options = ReadOptions { undirected: !graph.directed, ..ReadOptions::default() };
    let again = read_from(&csv[..], Format::Csv, "again", &options).expect("what was written can be read");
    assert_eq!(again, graph);
}
