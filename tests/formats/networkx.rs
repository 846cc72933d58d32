//! Files as other programs write them, to the letter.

use super::*;

const DIRECTED: &str = r#"{"directed": true, "multigraph": false, "graph": {}, "nodes": [{"id": "a"}, {"id": "b"}, {"id": 3}], "edges": [{"weight": 0.1, "source": "a", "target": "b"}, {"weight": 2, "source": "b", "target": 3}]}"#;

const UNDIRECTED: &str = r#"{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c <&>,\""}, {"id": "d"}], "edges": [{"weight": 0.1, "source": "a", "target": "b"}, {"weight": 2, "source": "b", "target": "c <&>,\""}]}"#;

const MULTIGRAPH: &str = r#"{"directed": false, "multigraph": true, "graph": {}, "nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 0, "target": 1, "key": 0}]}"#;

const GRAPHML: &str = r#"<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="d1" for="edge" attr.name="weight" attr.type="long" />
  <key id="d0" for="edge" attr.name="weight" attr.type="double" />
  <graph edgedefault="undirected">
    <node id="a" />
    <node id="b" />
    <node id="c &lt;&amp;&gt;,&quot;" />
    <node id="d" />
    <edge source="a" target="b">
      <data key="d0">0.1</data>
    </edge>
    <edge source="b" target="c &lt;&amp;&gt;,&quot;">
      <data key="d1">2</data>
    </edge>
  </graph>
</graphml>
"#;

/// What yEd and others add: a label, a description, drawing data of another namespace, a default weight.
const GRAPHML_WITH_EXTRAS: &str = r#"<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://example.org/y">
  <!-- drawn by hand -->
  <g:key id="w" for="edge" attr.name="weight" attr.type="double"><g:default>1&#46;5</g:default></g:key>
  <g:key id="shape" for="node"/>
  <g:graph id="G" edgedefault="directed">
    <g:desc>two nodes</g:desc>
    <g:edge source="x" target="y"/>
    <g:node id="x"><g:data key="shape"><y:Shape><y:node id="no node"/></y:Shape></g:data></g:node>
    <g:node id="y"/>
    <g:edge source="y" target="x"><g:data key="w"><![CDATA[2.5]]></g:data></g:edge>
  </g:graph>
</g:graphml>"#;

/// `numpy.save` of [[0, 1.5], [0, 0]] as '<f8', and of its transpose in Fortran order.
fn numpy(fortran: &str, entries: [f64; 4]) -> Vec<u8> {
    let dictionary = format!("{{'descr': '<f8', 'fortran_order': {fortran}, 'shape': (2, 2), }}");
    let mut file = format!("{dictionary:<117}\n").into_bytes();
    drop(file.splice(0..0, *b"\x93NUMPY\x01\x00\x76\x00"));
    assert_eq!(file.len(), 128);
    file.extend(entries.iter().flat_map(|entry| entry.to_le_bytes()));
    file
}

fn weights(graph: &NamedGraph) -> Vec<(usize, usize, String)> {
    let edges = graph.graph.weighted_arcs();
    edges.map(|(tail, head, weight)| (tail, head, graph.graph.decimal(weight).to_string())).collect()
}

#[test]
fn node_link_data_in_both_spellings() {
    let edges = read(DIRECTED.as_bytes(), Format::NodeLink).unwrap();
    assert_eq!(edges.names, ["a", "b", "3"]);
    assert_eq!(weights(&edges), [(0, 1, "0.1".to_owned()), (1, 2, "2".to_owned())]);
    assert!(edges.directed);
    let links = DIRECTED.replace("\"edges\"", "\"links\"");
    assert_eq!(read(links.as_bytes(), Format::NodeLink).unwrap(), edges);
}

#[test]
fn undirected_edges_stand_in_both_directions() {
    let json = read(UNDIRECTED.as_bytes(), Format::NodeLink).unwrap();
    assert!(!json.directed && json.graph.is_symmetric());
    assert_eq!(json.names, ["a", "b", "c <&>,\"", "d"]);
    assert_eq!(json.graph.arc_count(), 4);
    assert_eq!(read(GRAPHML.as_bytes(), Format::GraphMl).unwrap(), json);
}

#[test]
fn a_multigraph_without_parallel_edges_is_a_graph() {
    assert_eq!(read(MULTIGRAPH.as_bytes(), Format::NodeLink).unwrap().graph.arc_count(), 2);
    let twice = MULTIGRAPH.replace("\"key\": 0}", "\"key\": 0}, {\"source\": 1, \"target\": 0, \"key\": 1}");
    let error = read(twice.as_bytes(), Format::NodeLink).unwrap_err().to_string();
    assert!(error.contains("edge '0' -- '1' is given twice") && error.contains("--parallel min"), "{error}");
}

#[test]
fn graphml_passes_over_what_it_does_not_need() {
    let graph = read(GRAPHML_WITH_EXTRAS.as_bytes(), Format::GraphMl).unwrap();
    assert_eq!(graph.names, ["x", "y"]);
    assert_eq!(weights(&graph), [(0, 1, "1.5".to_owned()), (1, 0, "2.5".to_owned())]);
}

#[test]
fn numpy_in_both_orders() {
    let plain = read(&numpy("False", [0.0, 1.5, 0.0, 0.0]), Format::Npy).unwrap();
    assert_eq!(weights(&plain), [(0, 1, "1.5".to_owned())]);
    assert_eq!(read(&numpy("True", [0.0, 0.0, 1.5, 0.0]), Format::Npy).unwrap(), plain);
}

#[test]
fn edge_lists_as_people_write_them() {
    let expected = read(b"a,b,1\nb,c,0.5\n", Format::Csv).unwrap();
    for (text, format) in [
        ("source,target,weight\na,b,1\nb,c,0.5", Format::Csv),
        ("\u{feff}From, To, length\r\na, b, 1\r\nb , c,.5\r\n\r\n", Format::Csv),
        ("\"u\",\"v\",\"w\"\n\"a\",\"b\",\"1.0\"\n\"b\",\"c\",5e-1\n", Format::Csv),
        ("a,b,1\n,,\nb,c,0.50\na,,\n", Format::Csv),
        ("a\tb\t1\nb\tc\t0.5\n", Format::Tsv),
        ("# networkx\n% konect\n\n  a  b\t1\nb c 0.5", Format::Edges),
    ] {
        assert_eq!(read(text.as_bytes(), format).unwrap(), expected, "{text}");
    }
    assert_eq!(read(b"alone\n", Format::Csv).unwrap().names, ["alone"]);
}

#[test]
fn dimacs_and_matrix_market_as_their_archives_have_them() {
    let dimacs = b"c 9th DIMACS\nc\np sp 3 2\nc arcs\na 1 2 803\na 3 1 158\n";
    let graph = read(dimacs, Format::Dimacs).unwrap();
    assert_eq!(weights(&graph), [(0, 1, "803".to_owned()), (2, 0, "158".to_owned())]);
    let market = b"%%MatrixMarket matrix coordinate real general\n% comment\n 3 3 2\n1 2  8.03e+02\n3 1 158.0\n";
    assert_eq!(read(market, Format::MatrixMarket).unwrap(), graph);
    let pattern = b"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n";
    let graph = read(pattern, Format::MatrixMarket).unwrap();
    assert!(!graph.directed && !graph.graph.is_weighted() && graph.graph.arc_count() == 3);
}
