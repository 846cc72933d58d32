//! What is written and read again is the same graph, or the writer said why it could not be.

use super::*;
use tiebreak::instance::io::{WriteError, write_graph};

/// What a format makes of a graph, by the table in the documentation of `graph::io`.
fn expected(graph: &NamedGraph, format: Format) -> NamedGraph {
    let mut expected = graph.clone();
    let n = graph.graph.n();
    match format {
        Format::Npy | Format::Npz => expected.names = (0..n).map(|number| number.to_string()).collect(),
        Format::Dimacs | Format::MatrixMarket => expected.names = (1..=n).map(|number| number.to_string()).collect(),
        _ => (),
    }
    if format == Format::Dimacs {
        let edges = graph.graph.weighted_edges().map(|(tail, head, weight)| (tail, head, graph.graph.decimal(weight)));
        let made = if graph.directed { Graph::weighted(n, edges) } else { Graph::weighted_undirected(n, edges) };
        expected.graph = made.unwrap();
    }
    if matches!(format, Format::NodeLink | Format::GraphMl) && graph.graph.arc_count() == 0 {
        expected.graph = if graph.directed { Graph::from_edges(n, []) } else { Graph::undirected(n, []) }.unwrap();
    }
    expected
}

/// True when the documentation says that the format cannot hold this graph.
fn may_refuse(graph: &NamedGraph, format: Format, error: &WriteError) -> bool {
    let odd_name =
        |name: &String| name.contains(char::is_whitespace) || name.is_empty() || name.starts_with(['#', '%', '/']);
    match error {
        WriteError::Name { .. } => format == Format::Edges && graph.names.iter().any(odd_name),
        WriteError::Weight { .. } => match format {
            Format::Npy | Format::Npz => graph.graph.is_weighted(),
            _ => format == Format::Dimacs && graph.graph.decimals() > 0,
        },
        _ => false,
    }
}

fn check(graph: &NamedGraph, format: Format) -> bool {
    let bytes = match write_graph(graph, format, None) {
        Ok(bytes) => bytes,
        Err(error) => {
            assert!(may_refuse(graph, format, &error), "{format} refuses {graph:?}: {error}");
            return false;
        }
    };
    let options = ReadOptions { undirected: !graph.directed, ..ReadOptions::default() };
    let shown = || String::from_utf8_lossy(&bytes).into_owned();
    let read = read_from(&bytes[..], format, "file", &options).unwrap_or_else(|error| panic!("{error}\n{}", shown()));
    assert_eq!(read, expected(graph, format), "{format}:\n{}", shown());
    true
}

#[test]
fn random_graphs_come_back_as_they_were() {
    let mut survived = [0; Format::ALL.len()];
    for index in 0..600 {
        let graph = random_graph(&mut Rng::stream(0, "round-trip", index));
        for format in written() {
            survived[format as usize] += usize::from(check(&graph, format));
        }
    }
    for format in written() {
        assert!(survived[format as usize] > 150, "{format} held only {} graphs", survived[format as usize]);
    }
}

#[test]
fn odd_names_come_back_as_they_were() {
    let names: Vec<String> = NAMES.iter().map(|&name| name.to_owned()).collect();
    let n = names.len();
    let path = Graph::from_edges(n, (1..n).map(|vertex| (vertex, vertex - 1))).unwrap();
    let graph = NamedGraph { graph: path, names, directed: true };
    for format in [Format::Csv, Format::Tsv, Format::NodeLink, Format::GraphMl] {
        assert!(check(&graph, format), "{format} does not hold every name");
    }
}

#[test]
fn small_cases_come_back_as_they_were() {
    let weighed = |edges: &[(usize, usize, &str)]| -> Vec<(usize, usize, Decimal)> {
        edges.iter().map(|&(tail, head, weight)| (tail, head, decimal(weight))).collect()
    };
    let weighted = |n, edges: &[(usize, usize, &str)]| Graph::weighted(n, weighed(edges)).unwrap();
    let both_ways = Graph::weighted_undirected(3, weighed(&[(0, 2, "5"), (1, 1, "-2")])).unwrap();
    let graphs = [
        NamedGraph::numbered(Graph::from_edges(0, []).unwrap(), true),
        NamedGraph::numbered(Graph::undirected(1, []).unwrap(), false),
        NamedGraph::numbered(Graph::undirected(1, [(0, 0)]).unwrap(), false),
        NamedGraph::numbered(weighted(3, &[]), true),
        NamedGraph::numbered(weighted(4, &[(3, 0, "0.1"), (0, 3, "0.30000000000000000001")]), true),
        NamedGraph::numbered(both_ways, false),
    ];
    for graph in &graphs {
        for format in written() {
            check(graph, format);
        }
    }
}

#[test]
fn single_names_stand_only_where_the_order_needs_them() {
    let star = NamedGraph::numbered(Graph::from_edges(4, [(0, 3), (0, 2), (0, 1)]).unwrap(), true);
    assert_eq!(write_graph(&star, Format::Edges, None).unwrap(), b"0 1\n0 2\n0 3\n");
    let late = NamedGraph::numbered(Graph::from_edges(4, [(3, 0), (1, 0)]).unwrap(), true);
    assert_eq!(write_graph(&late, Format::Csv, None).unwrap(), b"source,target\n0\n1,0\n2\n3,0\n");
}

#[test]
fn a_matrix_mirrors_only_what_is_missing() {
    let undirected = ReadOptions { undirected: true, ..ReadOptions::default() };
    let matrix = |edges: &[(usize, usize, i64)]| {
        let edges = edges.iter().map(|&(tail, head, weight)| (tail, head, Decimal::whole(weight)));
        write_graph(&NamedGraph::numbered(Graph::weighted(3, edges).unwrap(), true), Format::Npy, None).unwrap()
    };
    let half = read_from(&matrix(&[(0, 1, 5), (2, 1, 4)])[..], Format::Npy, "file", &undirected).unwrap();
    let full = matrix(&[(0, 1, 5), (1, 0, 5), (2, 1, 4), (1, 2, 4)]);
    assert_eq!(half, read_from(&full[..], Format::Npy, "file", &undirected).unwrap());
    assert!(!half.directed && half.graph.is_symmetric());
    let error = read_from(&matrix(&[(0, 1, 5), (1, 0, 6)])[..], Format::Npy, "file", &undirected).unwrap_err();
    assert_eq!(
        error.to_string(),
        "file, row 1, column 0: edge '0' -- '1' is listed in both directions, with weights 5 (first, row 0, column 1) and 6: \
         leave --undirected out, or keep the smaller with --parallel min"
    );
}

#[test]
fn graphs_that_do_not_fit_together_are_not_written() {
    let graph = |names: &[&str], directed| NamedGraph {
        graph: Graph::from_edges(2, [(0, 1)]).unwrap(),
        names: names.iter().map(|&name| name.to_owned()).collect(),
        directed,
    };
    for (graph, fragment) in [
        (graph(&["a"], true), "1 name for 2 vertices"),
        (graph(&["a", "a"], true), "two vertices are named 'a'"),
        (graph(&["a", "b"], false), "edge 'a' -- 'b' has no reverse"),
        (graph(&["a", "b\0"], true), "graphml cannot hold the name"),
    ] {
        let error = write_graph(&graph, Format::GraphMl, None).unwrap_err().to_string();
        assert!(error.contains(fragment), "{error}");
    }
    let fine = graph(&["a", "b"], true);
    let solution = tiebreak::answers::Candidate::all_roots(2);
    assert!(write_graph(&fine, Format::Dot, Some(&solution)).is_ok());
    assert!(write_graph(&fine, Format::Csv, Some(&solution)).unwrap_err().to_string().contains("dot files only"));
    let longer = tiebreak::answers::Candidate::all_roots(3);
    let error = write_graph(&fine, Format::Dot, Some(&longer)).unwrap_err().to_string();
    assert!(error.contains("3 choices, but for this graph it needs 2"), "{error}");
}
