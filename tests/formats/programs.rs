//! Files in the manner of programs that cannot be run here (yEd, Gephi, Pajek itself), and formats that are only read.

use super::*;
use tiebreak::instance::io::{Reading, read_stream};

fn reading(text: &str, format: Format) -> Reading {
    read_stream(text.as_bytes(), format, "file", &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn weights(reading: &Reading) -> Vec<(usize, usize, String)> {
    let edges = reading.graph.weighted_arcs();
    edges.map(|(tail, head, weight)| (tail, head, reading.graph.decimal(weight).to_string())).collect()
}

const YED: &str = r##"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <key for="port" id="d0" yfiles.type="portgraphics"/>
  <key attr.name="url" attr.type="string" for="node" id="d4"/>
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key attr.name="description" attr.type="string" for="edge" id="d9"/>
  <key for="edge" id="d10" yfiles.type="edgegraphics"/>
  <graph edgedefault="directed" id="G">
    <node id="n0"><data key="d6"><y:ShapeNode><y:Geometry height="30.0" width="30.0" x="100.0" y="50.0"/>
      <y:NodeLabel visible="true">Harbour<y:LabelModel/></y:NodeLabel><y:NodeLabel>second</y:NodeLabel></y:ShapeNode></data></node>
    <node id="n1"><data key="d4"/><data key="d6"><y:ShapeNode><y:Geometry x="200.0" y="80.5"/>
      <y:NodeLabel>Mill &amp; Co</y:NodeLabel></y:ShapeNode></data></node>
    <edge id="e0" source="n0" target="n1"><data key="d9"/><data key="d10"><y:PolyLineEdge>
      <y:Arrows source="none" target="ARROWS"/><y:EdgeLabel>2.5</y:EdgeLabel></y:PolyLineEdge></data></edge>
  </graph>
</graphml>"##;

#[test]
fn yed_hides_labels_and_positions_in_its_drawings() {
    let error = read(YED.as_bytes(), Format::GraphMl).unwrap_err().to_string();
    assert!(error.contains("The edges have `label` and none is called `weight`"), "{error}");
    let options = ReadOptions { weight: Some("label".to_owned()), ..ReadOptions::default() };
    let reading = read_stream(YED.as_bytes(), Format::GraphMl, "file", &options).unwrap();
    assert_eq!(reading.file.names, ["Harbour", "Mill & Co"]);
    assert_eq!(reading.file.ids.as_deref(), Some(&["n0".to_owned(), "n1".to_owned()][..]));
    assert_eq!(reading.file.positions, Some(vec![(100.0, -50.0), (200.0, -80.5)]));
    assert_eq!(weights(&reading), [(0, 1, "2.5".to_owned())]);
    assert_eq!(reading.file.notes, [""; 0]);
    let plain = YED.replace("ARROWS", "none");
    let reading = read_stream(plain.as_bytes(), Format::GraphMl, "file", &options).unwrap();
    assert!(reading.file.notes[0].starts_with("the edges are drawn without arrows"), "{:?}", reading.file.notes);
    let same = YED.replace("Mill &amp; Co", "Harbour");
    let reading = read_stream(same.as_bytes(), Format::GraphMl, "file", &options).unwrap();
    assert_eq!(reading.file.names, ["n0", "n1"]);
    assert!(reading.file.notes[0].contains("'Harbour' is the label of several"));
}

const GEPHI: &str = r#"<?xml version='1.0' encoding='UTF-8'?>
<gexf xmlns="http://gexf.net/1.3" version="1.3" xmlns:viz="http://gexf.net/1.3/viz">
  <meta lastmodifieddate="2024-01-01"><creator>Gephi 0.10.1</creator></meta>
  <graph defaultedgetype="undirected" idtype="string" mode="static">
    <attributes class="edge" mode="static">
      <attribute id="length" title="Length" type="double"><default>7.5</default></attribute>
    </attributes>
    <nodes count="3">
      <node id="0" label="Myriel"><attvalues></attvalues><viz:size value="4.0"></viz:size><viz:position x="-266.8" y="299.6"></viz:position></node>
      <node id="1" label="Valjean"><viz:position x="-87.9" y="-6.1" z="0.0"/></node>
      <node id="2" label="Javert"><viz:position x="1" y="2"/></node>
    </nodes>
    <edges count="2">
      <edge id="0" source="1" target="0" weight="5.0"><attvalues><attvalue for="length" value="3.25"/></attvalues></edge>
      <edge id="1" source="2" target="1"/>
    </edges>
  </graph>
</gexf>"#;

#[test]
fn gephi_leaves_out_weights_of_one() {
    let named = reading(GEPHI, Format::Gexf);
    assert_eq!(named.file.names, ["Myriel", "Valjean", "Javert"]);
    assert_eq!(named.file.positions, Some(vec![(-266.8, 299.6), (-87.9, -6.1), (1.0, 2.0)]));
    assert!(!named.directed);
    let one_way: Vec<_> = weights(&named).into_iter().filter(|&(tail, head, _)| tail < head).collect();
    assert_eq!(one_way, [(0, 1, "5".to_owned()), (1, 2, "1".to_owned())]);
    let options = ReadOptions { weight: Some("Length".to_owned()), ..ReadOptions::default() };
    let lengths = read_stream(GEPHI.as_bytes(), Format::Gexf, "file", &options).unwrap();
    let one_way: Vec<_> = weights(&lengths).into_iter().filter(|&(tail, head, _)| tail < head).collect();
    assert_eq!(one_way, [(0, 1, "3.25".to_owned()), (1, 2, "7.5".to_owned())]);
}

#[test]
fn gephi_graphml_has_labels_and_coordinates_in_keys() {
    let text = r#"<graphml><key attr.name="label" attr.type="string" for="node" id="label"/>
        <key attr.name="x" attr.type="float" for="node" id="x"/><key attr.name="y" attr.type="float" for="node" id="y"/>
        <key attr.name="weight" attr.type="double" for="edge" id="weight"/>
        <graph edgedefault="undirected"><node id="0"><data key="label">Anna</data><data key="x">1.5</data><data key="y">2</data></node>
        <node id="1"><data key="label">Bert</data><data key="x">3</data><data key="y">4</data></node>
        <edge id="0" source="0" target="1"><data key="weight">1.0</data></edge></graph></graphml>"#;
    let reading = reading(text, Format::GraphMl);
    assert_eq!(reading.file.names, ["Anna", "Bert"]);
    assert_eq!(reading.file.positions, Some(vec![(1.5, 2.0), (3.0, 4.0)]));
    assert_eq!(reading.summary(), "2 vertices, 1 undirected edge, weights from `weight`");
}

#[test]
fn pajek_networks_with_all_their_sections() {
    let text = "% made by hand\n*Vertices 3\n1 \"New York\" 0.1 0.5 0.0 ic Red\n2 Boston 0.2 0.25\n3 \"LA\" 0.0 1\n*Arcs\n1 2 3.5 c Blue\n2 3\n*Partition x\n1\n2\n";
    let weighted = reading(text, Format::Pajek);
    assert_eq!(weighted.file.names, ["New York", "Boston", "LA"]);
    assert_eq!(weighted.file.positions, Some(vec![(0.1, -0.5), (0.2, -0.25), (0.0, -1.0)]));
    assert_eq!(weights(&weighted), [(0, 1, "3.5".to_owned()), (1, 2, "1".to_owned())]);
    let lists = reading("*vertices 4\n*edgeslist\n1 2 3\n3 4\n", Format::Pajek);
    assert_eq!(lists.summary(), "4 vertices, 3 undirected edges, no weights: every edge counts 1");
}

#[test]
fn gml_with_comments_lists_and_graphics() {
    let text = "# comment\nCreator \"x [ y\"\ngraph [\n directed 1\n node [ id 1 label \"caf&#233;\" graphics [ x 1.5 y -2 w 9 ] ]\n node [ id 2 label \"B\" graphics [ x 3 y 4 ] list [ a 1 a 2 ] ]\n edge [ source 1 target 2 value 2.5 tags \"a\" tags \"b\" ]\n]\n";
    let error = read(text.as_bytes(), Format::Gml).unwrap_err().to_string();
    assert!(error.contains("`value`"), "{error}");
    let options = ReadOptions { weight: Some("value".to_owned()), ..ReadOptions::default() };
    let reading = read_stream(text.as_bytes(), Format::Gml, "file", &options).unwrap();
    assert_eq!(reading.file.names, ["café", "B"]);
    assert_eq!(reading.file.positions, Some(vec![(1.5, -2.0), (3.0, 4.0)]));
    assert!(reading.directed);
    assert_eq!(weights(&reading), [(0, 1, "2.5".to_owned())]);
}

/// Format, text, and what the message must contain.
const BROKEN: &[(Format, &str, &str)] = &[
    (Format::Gml, "", "it is empty"),
    (Format::Gml, "Creator \"x\"", "there is no 'graph ['"),
    (Format::Gml, "graph [ node [ id 1 ]", "line 1, column 22: the file ends within a bracket"),
    (Format::Gml, "graph [ ] ]", "line 1, column 11: a bracket closes that was never opened"),
    (Format::Gml, "graph [ node [ label \"x\" ] ]", "a node has no 'id'"),
    (Format::Gml, "graph [\nedge [ source 1 ] ]", "line 2, column 17: an edge has no 'target'"),
    (Format::Gml, "graph [\nedge [ source 1 target 2 ] ]", "line 2, column 1: there is no vertex '1'"),
    (Format::Gml, "graph [ node [ id 1 ] node [ id 1 ] ]", "the vertex '1' is declared twice"),
    (Format::Gml, "graph [ directed 2 ]", "directed is '2'"),
    (Format::Gml, "graph [ ] graph [ ]", "a second graph"),
    (Format::Gml, "graph [ label \"x", "column 15: this quote is never closed"),
    (Format::Gml, "graph [ [ ] ]", "a value without a key"),
    (Format::Gml, "graph [ label ]", "'label' has no value"),
    (Format::Gml, "graph", "the file ends after 'graph'"),
    (Format::Gexf, "", "it is empty"),
    (Format::Gexf, "<graphml/>", "the file starts with <graphml>, not with <gexf>"),
    (Format::Gexf, "<gexf/>", "there is no <graph>"),
    (Format::Gexf, "<gexf><graph defaultedgetype='mutual'/></gexf>", "defaultedgetype is 'mutual'"),
    (Format::Gexf, "<gexf><graph><nodes><node/></nodes></graph></gexf>", "<node> has no attribute 'id'"),
    (Format::Gexf, "<gexf><graph><nodes><node id='a'><nodes/></node></nodes></graph></gexf>", "nodes within a node"),
    (
        Format::Gexf,
        "<gexf><graph>\n<edges><edge source='a' target='b'/></edges></graph></gexf>",
        "line 2, column 8: there is no vertex 'a'",
    ),
    (
        Format::Gexf,
        "<gexf><graph><nodes><node id='a'/></nodes><edges><edge source='a' target='a' type='directed'/></edges></graph></gexf>",
        "mixed graphs",
    ),
    (
        Format::Gexf,
        "<gexf><graph><nodes><node id='a'><attvalues><attvalue for='7' value='1'/></attvalues></node></nodes></graph></gexf>",
        "the attribute '7' is not declared",
    ),
    (Format::Gexf, "<gexf><graph>", "the XML ends too early"),
    (Format::Pajek, "", "it is empty"),
    (Format::Pajek, "1 2\n", "line 1: the file must start with '*Vertices'"),
    (Format::Pajek, "% only this\n", "there is no line '*Vertices'"),
    (Format::Pajek, "*Vertices\n", "line 1: the number of vertices is missing"),
    (Format::Pajek, "*Vertices 2\n*Edges\n1 3\n", "line 3: vertex 3, but the vertices are 1 to 2"),
    (Format::Pajek, "*Vertices 2\n*Edges\n1\n", "line 3: an edge needs two vertices"),
    (Format::Pajek, "*Vertices 2\n*Edges\n1 2 x\n", "line 3: the weight 'x' is not a finite"),
    (Format::Pajek, "*Vertices 2\n1 \"a\n", "line 2: the quote before 'a' is never closed"),
    (Format::Pajek, "*Vertices 2\n*Edges\n1 2\n*Arcs\n2 1\n", "line 4: both arcs and edges"),
    (Format::Pajek, "*Vertices 2\n*Matrix\n0 1\n", "line 2: a network given as a matrix"),
    (Format::Pajek, "*Vertices 90000000\n", "not believable in a file of 19 bytes"),
    (Format::Pajek, "*Vertices 2\n*Vertices 2\n", "line 2: a second network"),
    (Format::AdjacencyList, "", "it is empty"),
    (Format::AdjacencyList, "a b\nc a\na b\n", "line 3: edge 'a' -> 'b' is given twice (first, line 1)"),
];

#[test]
fn malformed_files_are_named() {
    for &(format, text, fragment) in BROKEN {
        match read(text.as_bytes(), format) {
            Ok(graph) => panic!("{format} reads {text:?} as {graph:?}"),
            Err(error) => {
                assert!(error.to_string().contains(fragment), "{format} {text:?}\n  gives {error}\n  not {fragment}")
            }
        }
    }
}

#[test]
fn formats_that_are_only_read_say_so() {
    let graph = NamedGraph::numbered(Graph::from_edges(2, [(0, 1)]).unwrap(), true);
    for format in Format::ALL.into_iter().filter(|format| !format.can_be_written()) {
        let error = tiebreak::instance::io::write_graph(&graph, format, None).unwrap_err().to_string();
        assert_eq!(error, format!("{format} files are only read, never written"));
    }
}
