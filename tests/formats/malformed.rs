//! Each malformed file is refused with a message that names the place and the value.

use super::*;
use tiebreak::instance::io::{Place, Problem, read_graph};

/// Format, text, and what the message must contain.
const TEXTS: &[(Format, &str, &str)] = &[
    (Format::Csv, "", "the file holds no graph: it is empty"),
    (Format::Csv, "\n\n,,\n", "it is empty"),
    (Format::Csv, "a,b,1\nb,c,x\n", "file, line 2: the weight 'x' is not a finite decimal number"),
    (Format::Csv, "a,b,NaN\n", "line 1: the weight 'NaN' is not a finite"),
    (Format::Csv, "a,b,inf\n", "line 1: the weight 'inf' is not a finite"),
    (Format::Csv, "a,b,1e400\n", "line 1: the weight '1e400' has too many digits"),
    (Format::Csv, "a,b,1\nb,c\n", "line 2: edge 'b' -> 'c' has no weight: its `column 3` is missing"),
    (Format::Csv, "a,b\nb,c,1\n", "line 2: 3 columns, but the first edge has 2"),
    (Format::Csv, "source,target\na,b,1\n", "line 2: 3 columns, but the header has 2"),
    (Format::Csv, "a,b,1,2\n", "The edges have `column 3`, `column 4` and none is called `weight`"),
    (Format::Csv, ",b\n", "line 1: the name of a vertex is missing"),
    (Format::Csv, "a,b\nc,d\n\na,b\n", "line 4: edge 'a' -> 'b' is given twice (first, line 1)"),
    (Format::Csv, "a,b,1\na,b,1.5\n", "line 2: edge 'a' -> 'b' is given twice, with weights 1 (first, line 1) and 1.5"),
    (Format::Csv, "a,\"b\nc\n", "the quote opened in the record of line 1 is never closed"),
    (Format::Csv, "a,b\n\"a\" x,b\n", "line 2: 'x' follows a closing quote"),
    (Format::Csv, "a b 1\nb c 2\n", "no line has two columns; they must be separated by commas"),
    (
        Format::Csv,
        "a,b,1e-30\nc,d,1e29\n",
        "line 2: edge 'c' -> 'd': with 30 decimals (needed elsewhere) the weight 1000",
    ),
    (Format::Tsv, "a b\nb c\n", "separated by tabs"),
    (Format::Edges, "1,2\n2,3,4\n", "separated by white space"),
    (Format::Edges, "# only a comment\n", "it is empty"),
    (Format::Edges, "0 1 {'weight': 3\n", "line 1: '{'weight': 3' is not a dictionary of attributes"),
    (Format::NodeLink, "", "it is empty"),
    (Format::NodeLink, "hello", "line 1, column 1: expected value, at 'hello'"),
    (Format::NodeLink, "[]", "expected an object with 'nodes' and 'edges'"),
    (Format::NodeLink, r#"{"nodes": [], "adjacency": []}"#, "neither a list of 'edges' nor of 'links'"),
    (Format::NodeLink, r#"{"nodes": [], "edges": [], "links": []}"#, "both 'edges' and 'links'"),
    (Format::NodeLink, r#"{"edges": []}"#, "there is no list of 'nodes'"),
    (Format::NodeLink, r#"{"nodes": {"a": 1}, "edges": []}"#, "invalid type: map, expected a sequence"),
    (Format::NodeLink, r#"{"nodes": [{"id": 1}], "edges": ["#, "the file seems to be cut off"),
    (
        Format::NodeLink,
        "{\"nodes\": [\n{\"id\": 1},\n{\"id\": \"1\"}], \"edges\": []}",
        "line 3, column 1: the vertex '1' is declared twice",
    ),
    (Format::NodeLink, r#"{"nodes": [{"name": 1}], "edges": []}"#, "line 1, column 12: missing field `id`"),
    (Format::NodeLink, r#"{"nodes": [{"id": [0, 1]}], "edges": []}"#, "the id [0, 1] is neither a string nor a number"),
    (Format::NodeLink, r#"{"nodes": [3], "edges": []}"#, "expected a node such as"),
    (
        Format::NodeLink,
        r#"{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]}"#,
        "column 34: there is no vertex '2'",
    ),
    (
        Format::NodeLink,
        r#"{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 1, "weight": NaN}]}"#,
        "column 71: expected value, at 'NaN}]}'",
    ),
    (
        Format::NodeLink,
        r#"{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 1, "weight": "2"}]}"#,
        "the weight \"2\" is not a number",
    ),
    (
        Format::NodeLink,
        r#"{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 1, "weight": 2}, {"source": 1, "target": 2}]}"#,
        "column 86: edge '1' -- '2' has no weight: its `weight` is missing",
    ),
    (
        Format::NodeLink,
        r#"{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 2}, {"source": 2, "target": 1}]}"#,
        "edge '1' -- '2' is given twice (first, line 1, column 45)",
    ),
    (
        Format::NodeLink,
        r#"{"nodes": [{"id": "\ud800"}], "edges": []}"#,
        "line 1, column 12: unexpected end of hex escape",
    ),
    (Format::Npy, "", "it is empty"),
    (Format::Npy, "PK\u{3}\u{4} an archive", "does not start with \\x93NUMPY"),
    (Format::Npz, "not an archive at all", "a broken .npz archive"),
    (Format::Dimacs, "", "it is empty"),
    (Format::Dimacs, "c nothing\n", "there is no line 'p sp vertices arcs'"),
    (Format::Dimacs, "a 1 2 3\n", "line 1: an arc before the line 'p sp"),
    (Format::Dimacs, "p edge 2 1\ne 1 2\n", "the problem is 'edge', not the shortest-path problem"),
    (Format::Dimacs, "p sp 2\n", "line 1: the header must be 'p sp vertices arcs'"),
    (Format::Dimacs, "p sp two 1\n", "'two' is not a whole number"),
    (Format::Dimacs, "p sp -2 1\n", "'-2' is not a whole number"),
    (Format::Dimacs, "p sp 2 1\np sp 2 1\n", "line 2: a second line 'p'"),
    (Format::Dimacs, "p sp 5 1\na 1 12 3\n", "line 2: vertex 12, but the vertices are 1 to 5"),
    (Format::Dimacs, "p sp 5 1\na 0 1 3\n", "line 2: vertex 0, but the vertices are 1 to 5"),
    (Format::Dimacs, "p sp 2 2\na 1 2 3\n", "the header promises 2 edges, but there is 1"),
    (Format::Dimacs, "p sp 2 1\na 1 2 3\na 2 1 3\n", "line 3: the header promises 1 edge, but there are 2"),
    (Format::Dimacs, "p sp 2 1\na 1 2\n", "line 2: an arc must be 'a tail head weight'"),
    (Format::Dimacs, "p sp 2 1\nx 1 2 3\n", "line 2: a line starts with 'c', 'p' or 'a', not with 'x'"),
    (Format::Dimacs, "p sp 9223372036854775807 1\na 1 2 3\n", "9223372036854775807 vertices are more than the limit"),
    (
        Format::Dimacs,
        "p sp 90000000 0\n",
        "the header claims 90000000 vertices, which is not believable in a file of 16 bytes",
    ),
    (Format::MatrixMarket, "", "it is empty"),
    (Format::MatrixMarket, "1 1 0\n", "line 1: the first line must be '%%MatrixMarket"),
    (Format::MatrixMarket, "%%MatrixMarket matrix array real general\n1 1\n0\n", "the layout 'array' cannot be read"),
    (Format::MatrixMarket, "%%MatrixMarket matrix coordinate complex general\n", "the field 'complex' cannot be read"),
    (
        Format::MatrixMarket,
        "%%MatrixMarket matrix coordinate real hermitian\n",
        "the symmetry 'hermitian' cannot be read",
    ),
    (Format::MatrixMarket, "%%MatrixMarket matrix coordinate real general\n% no size\n", "no line with the size"),
    (
        Format::MatrixMarket,
        "%%MatrixMarket matrix coordinate real general\n2 3 0\n",
        "line 2: a matrix of 2 x 3 is not square",
    ),
    (
        Format::MatrixMarket,
        "%%MatrixMarket matrix coordinate real general\n9223372036854775808 9223372036854775808 1\n",
        "line 2: 9223372036854775808 vertices are more than the limit",
    ),
    (
        Format::MatrixMarket,
        "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2 7\n",
        "line 3: 3 columns, but an entry of a pattern has 2",
    ),
    (
        Format::MatrixMarket,
        "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 0.5\n",
        "line 3: the weight 0.5 is not whole",
    ),
    (
        Format::MatrixMarket,
        "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 2\n2 1\n",
        "line 4: edge '1' -- '2' is given twice (first, line 3)",
    ),
    (
        Format::MatrixMarket,
        "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n",
        "promises 3 edges, but there is 1",
    ),
    (Format::GraphMl, "", "it is empty"),
    (Format::GraphMl, "plain text", "there is no <graph>"),
    (Format::GraphMl, "<gexf></gexf>", "the file starts with <gexf>, not with <graphml>"),
    (Format::GraphMl, "<graphml></graph>", "not well-formed XML"),
    (Format::GraphMl, "<graphml>\n<graph edgedefault=\"directed\">", "line 2, column 31: the XML ends too early"),
    (
        Format::GraphMl,
        "<!DOCTYPE g [<!ENTITY x SYSTEM \"/etc/passwd\">]><graphml/>",
        "line 1, column 1: a document type (DTD) is refused",
    ),
    (Format::GraphMl, "<graphml><graph/></graphml>", "<graph> has no attribute 'edgedefault'"),
    (Format::GraphMl, "<graphml><graph edgedefault='both'/></graphml>", "edgedefault is 'both'"),
    (
        Format::GraphMl,
        "<graphml><graph edgedefault='directed'/><graph edgedefault='directed'/></graphml>",
        "a second graph",
    ),
    (
        Format::GraphMl,
        "<graphml><graph edgedefault='directed'><node/></graph></graphml>",
        "<node> has no attribute 'id'",
    ),
    (
        Format::GraphMl,
        "<graphml><graph edgedefault='directed'><node id='a'/><node id='a'/></graph></graphml>",
        "the vertex 'a' is declared twice",
    ),
    (
        Format::GraphMl,
        "<graphml><graph edgedefault='directed'><node id='a'><graph edgedefault='directed'/></node></graph></graphml>",
        "a graph within a graph",
    ),
    (Format::GraphMl, "<graphml><graph edgedefault='directed'><hyperedge/></graph></graphml>", "<hyperedge>"),
    (
        Format::GraphMl,
        "<graphml><graph edgedefault='directed'><node id='a'><port name='p'/></node></graph></graphml>",
        "<port>",
    ),
    (
        Format::GraphMl,
        "<graphml><graph edgedefault='directed'>\n<edge source='a' target='b'/></graph></graphml>",
        "line 2, column 1: there is no vertex 'a'",
    ),
    (
        Format::GraphMl,
        "<graphml><graph edgedefault='directed'><node id='a'/><edge source='a' target='a' directed='false'/></graph></graphml>",
        "mixed graphs",
    ),
    (
        Format::GraphMl,
        "<graphml><graph edgedefault='directed'><node id='a'/><edge source='a' target='a'><data key='d'>1</data></edge></graph></graphml>",
        "the key 'd' is not declared",
    ),
    (
        Format::GraphMl,
        "<graphml><key id='d' for='edge' attr.name='weight'/><graph edgedefault='directed'><node id='a'/><edge source='a' target='a'><data key='d'>&x;</data></edge></graph></graphml>",
        "the entity '&x;' is not known",
    ),
    (
        Format::GraphMl,
        "<graphml><key id='d' for='edge' attr.name='weight'/><graph edgedefault='directed'><node id='a'/><edge source='a' target='a'><data key='d'>heavy</data></edge></graph></graphml>",
        "the weight 'heavy' is not a finite decimal",
    ),
    (Format::GraphMl, "<graphml><node id='a'/></graphml>", "<node> stands outside of the graph"),
    (Format::Dot, "digraph { a -> b }", "dot files are only written, never read"),
];

#[test]
fn malformed_texts_are_named() {
    for &(format, text, fragment) in TEXTS {
        match read(text.as_bytes(), format) {
            Ok(graph) => panic!("{format} reads {text:?} as {graph:?}"),
            Err(error) => {
                assert!(error.to_string().contains(fragment), "{format} {text:?}\n  gives {error}\n  not {fragment}")
            }
        }
    }
}

#[test]
fn text_that_is_not_utf8_is_named() {
    let error = |bytes: &[u8], format| read(bytes, format).unwrap_err().to_string();
    assert_eq!(error(b"a,b\n\xff,c\n", Format::Csv), "file, line 2: this is not UTF-8 text");
    assert_eq!(error(b"{\n \"\xe9\"", Format::NodeLink), "file, line 2, column 3: this is not UTF-8 text");
    assert!(error(b"<graphml \xff>", Format::GraphMl).contains("not UTF-8"));
}

#[test]
fn limits_hold_for_every_format() {
    let options = ReadOptions { max_vertices: 3, max_bytes: 400, ..ReadOptions::default() };
    let graph = NamedGraph::numbered(Graph::from_edges(4, [(0, 1), (1, 2), (2, 3)]).unwrap(), true);
    let larger = NamedGraph::numbered(Graph::from_edges(500, (1..500).map(|v| (v - 1, v))).unwrap(), true);
    for format in written() {
        let file = tiebreak::instance::io::write_graph(&graph, format, None).unwrap();
        let error = read_from(&file[..], format, "file", &options).unwrap_err();
        assert!(matches!(*error.problem, Problem::TooManyVertices { limit: 3, .. }), "{format}: {error}");
        let file = tiebreak::instance::io::write_graph(&larger, format, None).unwrap();
        let options = ReadOptions { max_vertices: 1000, ..options.clone() };
        let error = read_from(&file[..], format, "file", &options).unwrap_err().to_string();
        assert!(error.contains("more than 400 bytes"), "{format}: {error}");
    }
}

#[test]
fn paths_that_cannot_be_read_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let error = |name: &str, format| {
        let error = read_graph(&directory.path().join(name), format, &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().contains(name) && error.place == Place::File, "{error}");
        error.problem
    };
    assert!(matches!(*error("missing.csv", None), Problem::Io(_)));
    std::fs::create_dir(directory.path().join("folder.csv")).unwrap();
    assert!(matches!(*error("folder.csv", None), Problem::Directory));
    std::fs::write(directory.path().join("graph.xlsx"), "a,b\n").unwrap();
    let unknown = error("graph.xlsx", None).to_string();
    assert!(unknown.contains("'.xlsx'") && unknown.contains(".graphml"), "{unknown}");
    let path = directory.path().join("graph.xlsx");
    assert_eq!(read_graph(&path, Some(Format::Csv), &ReadOptions::default()).unwrap().names, ["a", "b"]);
}
