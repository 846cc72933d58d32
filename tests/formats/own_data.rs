//! A person's own files: tables as spreadsheets and scripts leave them, and what is said about how they were read.

use super::*;
use tiebreak::instance::io::{Delimiter, HeaderLine, Parallel, Reading, Values, read_stream};

fn table(text: &str, options: &ReadOptions) -> Result<Reading, ReadError> {
    read_stream(text.as_bytes(), Format::Csv, "file", options)
}

fn plain(text: &str) -> Reading {
    table(text, &ReadOptions::default()).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn refused(text: &str, options: &ReadOptions) -> String {
    table(text, options).map(|reading| reading.summary()).unwrap_err().to_string()
}

/// Edges as `a-b:1.5`, in the order of the file.
fn edges(reading: &Reading) -> String {
    let edge = |&row: &u32| {
        let (tail, head) = reading.file.edges[row as usize];
        let (tail, head) = (tail as usize, head as usize);
        let names = &reading.file.names;
        let weight = reading.graph.weight(tail, head).unwrap();
        let weight = reading.graph.is_weighted().then(|| format!(":{}", reading.graph.decimal(weight)));
        format!("{}-{}{}", names[tail], names[head], weight.unwrap_or_default())
    };
    reading.rows.iter().map(edge).collect::<Vec<_>>().join(" ")
}

fn has_note(reading: &Reading, note: &str) -> bool {
    reading.file.notes.iter().any(|known| known.contains(note))
}

#[test]
fn headers_are_recognised_by_their_words() {
    for text in [
        "a_node,b_node\nx,y\ny,z\n",
        "# my roads\nnode1,node2\nx,y\ny,z\n",
        "From Node,To Node\nx,y\ny,z\n",
        "start_station,end_station\nx,y\ny,z\n",
        "origin;destination\nx;y\ny;z\n",
        "// made by hand\n% twice\nu,v\n\nx,y\r\ny,z,,\n",
        ",source,target\n0,x,y\n1,y,z\n",
        "Unnamed: 0,source,target\n0,x,y\n1,y,z\n",
        "\"source\",\"target\"\n\"1\",\"x\",\"y\"\n\"2\",\"y\",\"z\"\n",
        "id,source,target\n7,x,y\n8,y,z\n",
    ] {
        let options = ReadOptions { weights_matter: false, ..ReadOptions::default() };
        assert_eq!(edges(&table(text, &options).unwrap()), "x-y y-z", "{text}");
    }
}

#[test]
fn headers_are_recognised_by_the_numbers_below_them() {
    let reading = plain("stop,next stop,metres\nx,y,3\ny,z,4.5\n");
    assert_eq!(edges(&reading), "x-y:3 y-z:4.5");
    assert_eq!(reading.summary(), "3 vertices, 2 directed edges, weights from `metres`");
    assert!(has_note(&reading, "line 1 names the columns: `stop`, `next stop` and `metres` (--header no reads it"));
    assert_eq!(edges(&plain("left,right\n1,2\n2,3\n")), "1-2 2-3");
    assert_eq!(edges(&plain("left,1\n1,2\n2,3\n")), "left-1 1-2 2-3");
}

#[test]
fn a_first_line_that_recurs_is_an_edge() {
    assert_eq!(edges(&plain("node1,node2\nnode2,node3\n")), "node1-node2 node2-node3");
    assert_eq!(plain("a,b\nb,c\n").file.notes, [""; 0]);
}

#[test]
fn what_cannot_be_decided_is_said() {
    let reading = plain("Anna,Bert\nChloe,Dan\n");
    assert_eq!(edges(&reading), "Anna-Bert Chloe-Dan");
    assert!(has_note(&reading, "the first line is read as an edge from 'Anna' to 'Bert' (--header yes if it names"));
    let yes = ReadOptions { header: HeaderLine::Yes, ..ReadOptions::default() };
    assert_eq!(edges(&table("Anna,Bert\nChloe,Dan\n", &yes).unwrap()), "Chloe-Dan");
    let no = ReadOptions { header: HeaderLine::No, ..ReadOptions::default() };
    assert_eq!(edges(&table("source,target\nx,y\n", &no).unwrap()), "source-target x-y");
}

#[test]
fn comments_are_left_out_and_counted() {
    let reading = plain("# my roads\nx,y\n# the end\ny,x\n");
    assert_eq!(edges(&reading), "x-y y-x");
    assert!(has_note(&reading, "2 lines with # or % or // in front left out as comments"));
    assert!(refused("# my roads\n#x,y\n", &ReadOptions::default()).contains("it is empty but for 2 comments"));
    assert_eq!(edges(&plain("\"#1\",\"%2\"\n")), "#1-%2");
}

#[test]
fn spreadsheets_in_other_countries() {
    let expected = "Köln-Bonn:1.5 Bonn-Köln:2";
    for text in [
        "\u{feff}von;nach;km\r\nKöln;Bonn;1,5\r\nBonn;Köln;2\r\n",
        "Köln;Bonn;1,5;;\r\nBonn;Köln;2,0;;\r\n\r\n;;;\r\n",
        "\"Köln\";\"Bonn\";\"1,5\"\n\"Bonn\";\"Köln\";\"2\"\n",
        "Köln;Bonn;1.5\nBonn;Köln;2\n",
        "Köln|Bonn|1.5\nBonn|Köln|2\n",
        "Köln\tBonn\t1,5\nBonn\tKöln\t2\n",
    ] {
        let reading = plain(text);
        assert_eq!(edges(&reading), expected, "{text}");
        assert!(has_note(&reading, "columns are separated by"), "{:?}", reading.file.notes);
        assert_eq!(has_note(&reading, "have decimal commas"), text.contains("1,5"), "{:?}", reading.file.notes);
    }
    let error = refused("a;b;1,5\nb;c;1.234\n", &ReadOptions::default());
    assert!(error.contains("some numbers of `column 3` have a decimal comma and some a decimal point"), "{error}");
    assert!(refused("a;b;1.234,5\nb;c;2,0\n", &ReadOptions::default()).contains("line 1: the weight '1.234,5' is not"));
    // A semicolon within a name does not separate, and a comma between names is no decimal comma.
    assert_eq!(edges(&plain("x;1,y;2\ny;2,z;3\n")), "x;1-y;2 y;2-z;3");
}

#[test]
fn a_delimiter_can_be_given() {
    for (text, delimiter) in [("x:y:3\n", ":"), ("x;y;3\n", ";"), ("x y 3\n", "space"), ("x\ty\t3\n", "tab")] {
        let options = ReadOptions { delimiter: Some(delimiter.parse().unwrap()), ..ReadOptions::default() };
        assert_eq!(edges(&table(text, &options).unwrap()), "x-y:3", "{text}");
    }
    for wrong in ["", "ab", "x", "\"", "1", "é"] {
        assert!(wrong.parse::<Delimiter>().is_err(), "{wrong}");
    }
}

#[test]
fn edge_lists_with_other_separators_are_read_as_they_are() {
    for text in ["1,2,5\n2,3,6\n", "1, 2, 5\n2, 3, 6\n", "1;2;5\n2;3;6\n", "1 2 5\n2 3 6\n"] {
        let reading = read_stream(text.as_bytes(), Format::Edges, "file", &ReadOptions::default()).unwrap();
        assert_eq!(edges(&reading), "1-2:5 2-3:6", "{text}");
    }
}

const WIDE: &str = "id,a,b,name,length,minutes\n1,x,y,Low Road,3,5\n2,y,z,\"High, Road\",4,6\n";

#[test]
fn columns_are_chosen_by_name_or_number() {
    let columns =
        |text: &str| ReadOptions { columns: text.split(',').map(str::to_owned).collect(), ..ReadOptions::default() };
    for choice in ["a,b,length", "2,3,5", "A,B,Length", "a,3,length"] {
        let reading = table(WIDE, &columns(choice)).unwrap();
        assert_eq!(edges(&reading), "x-y:3 y-z:4", "{choice}");
        assert_eq!(reading.summary(), "3 vertices, 2 directed edges, weights from `length`");
        assert!(has_note(&reading, "other attributes of the edges: `id`, `name` and `minutes`"));
    }
    let unchosen = refused(WIDE, &columns("a,b"));
    assert!(unchosen.contains("The edges have `length`, `minutes` and none is called `weight`"), "{unchosen}");
    let minutes = ReadOptions { weight: Some("minutes".to_owned()), ..columns("a,b") };
    assert_eq!(edges(&table(WIDE, &minutes).unwrap()), "x-y:5 y-z:6");
    let sixth = ReadOptions { weight: Some("6".to_owned()), ..columns("a,b") };
    assert_eq!(edges(&table(WIDE, &sixth).unwrap()), "x-y:5 y-z:6");
    for (choice, why) in [
        ("a,c", "there is no `c`; the file has `id`, `a`, `b`, `name`, `length` and `minutes`"),
        ("a,b,lenth", "there is no `lenth` (did you mean `length`?)"),
        ("a,7", "there is no `7`"),
        ("a,0", "there is no `0`"),
        ("a,a", "--columns names `a` twice"),
        ("a", "--columns takes 2 or 3 columns"),
    ] {
        assert!(refused(WIDE, &columns(choice)).contains(why), "{choice}: {}", refused(WIDE, &columns(choice)));
    }
    let both = ReadOptions { weight: Some("minutes".to_owned()), ..columns("a,b,length") };
    assert!(refused(WIDE, &both).contains("--columns names the weight already"));
}

#[test]
fn every_column_is_kept() {
    let options = ReadOptions { columns: vec!["a".into(), "b".into(), "length".into()], ..ReadOptions::default() };
    let file = table(WIDE, &options).unwrap().file;
    let name = file.column("name").unwrap();
    let Values::Words(words) = &file.columns[name].values else { panic!("{file:?}") };
    assert_eq!(words.iter().collect::<Vec<_>>(), [Some("Low Road"), Some("High, Road")]);
    let minutes = file.columns[file.column("minutes").unwrap()].numbers().unwrap();
    assert_eq!(minutes.iter().flatten().collect::<Vec<_>>(), [Decimal::whole(5), Decimal::whole(6)]);
}

#[test]
fn the_third_of_three_columns_is_the_weight_if_it_may_be() {
    assert_eq!(edges(&plain("from,to,km\nx,y,3\n")), "x-y:3");
    assert_eq!(edges(&plain("from,to,road\nx,y,B1\n")), "x-y");
    for (text, why) in [
        ("from,to,km\nx,y,3 km\n", "line 2: the weight '3 km' is not a finite decimal number"),
        ("from,to,weight\nx,y,heavy\n", "line 2: the weight 'heavy' is not a finite decimal number"),
        ("x,y,far\n", "line 1: the weight 'far' is not a finite decimal number"),
        ("from,to,km\nx,y,3\ny,z,\n", "line 3: edge 'y' -> 'z' has no weight: its `km` is missing"),
    ] {
        assert!(refused(text, &ReadOptions::default()).contains(why), "{}", refused(text, &ReadOptions::default()));
    }
    let hops = ReadOptions { unweighted: true, ..ReadOptions::default() };
    assert_eq!(edges(&table("x,y,far\n", &hops).unwrap()), "x-y");
    // Whoever needs no weights is not stopped by broken ones.
    let forest = ReadOptions { weights_matter: false, ..ReadOptions::default() };
    assert_eq!(edges(&table("x,y,far\n", &forest).unwrap()), "x-y");
    assert_eq!(edges(&table("x,y,3\ny,z\n", &forest).unwrap()), "x-y y-z");
    assert_eq!(edges(&table("x,y,3\n", &forest).unwrap()), "x-y:3");
}

#[test]
fn parallel_edges_are_an_error_or_merged() {
    let text = "x,y,3\ny,z,1\nx,y,2\nx,y,2.5\n";
    let error = refused(text, &ReadOptions::default());
    assert!(
        error.contains("line 3: edge 'x' -> 'y' is given twice, with weights 3 (first, line 1) and 2; --parallel min")
    );
    let min = ReadOptions { parallel: Parallel::Min, ..ReadOptions::default() };
    let reading = table(text, &min).unwrap();
    assert_eq!(edges(&reading), "y-z:1 x-y:2");
    assert!(has_note(&reading, "2 parallel edges left out (--parallel min)"));
    assert_eq!(edges(&table("x,y\nx,y\n", &min).unwrap()), "x-y");
    assert!("max".parse::<Parallel>().unwrap_err().to_string().contains("'max' is not one of min, error"));
}

#[test]
fn edges_in_both_directions_count_once_if_they_agree() {
    let undirected = ReadOptions { undirected: true, ..ReadOptions::default() };
    let reading = table("x,y,3\ny,x,3.0\ny,z,1\nz,z,1\n", &undirected).unwrap();
    assert_eq!(edges(&reading), "x-y:3 y-z:1 z-z:1");
    assert!(has_note(&reading, "1 edge listed in both directions counted once"));
    assert_eq!(reading.summary(), "3 vertices, 3 undirected edges, weights from column 3");
    assert_eq!(edges(&table("x,y\ny,x\n", &undirected).unwrap()), "x-y");
    let error = refused("x,y,3\ny,x,4\n", &undirected);
    assert!(
        error.contains("line 2: edge 'x' -- 'y' is listed in both directions, with weights 3 (first, line 1) and 4")
    );
    assert!(error.contains("leave --undirected out"));
    assert!(refused("x,y,3\nx,y,3\n", &undirected).contains("line 2: edge 'x' -- 'y' is given twice (first, line 1)"));
    let min = ReadOptions { parallel: Parallel::Min, ..undirected };
    assert_eq!(edges(&table("x,y,3\ny,x,4\nx,y,3\n", &min).unwrap()), "x-y:3");
}

#[test]
fn a_flag_may_repeat_the_file_and_where_it_contradicts_that_is_said() {
    let undirected = ReadOptions { undirected: true, ..ReadOptions::default() };
    let graphml = |direction: &str| {
        format!(
            "<graphml><graph edgedefault='{direction}'><node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>"
        )
    };
    let read = |direction| read_stream(graphml(direction).as_bytes(), Format::GraphMl, "file", &undirected).unwrap();
    assert!(!read("undirected").directed && read("undirected").file.notes.is_empty());
    assert!(!read("directed").directed);
    assert!(has_note(
        &read("directed"),
        "the file says that its edges are directed; --undirected takes them both ways"
    ));
}

#[test]
fn digits_of_floats_are_reported_and_rounded_away() {
    let text = "x,y,0.30000000000000004\ny,z,0.1\nx,w,0.2\n";
    let reading = plain(text);
    assert!(has_note(&reading, "1 of 3 weights has more than 12 digits, as floats have (0.30000000000000004, line 1)"));
    assert!(has_note(&reading, "--round 0.01"));
    assert!(!has_note(&plain("x,y,123456789012\n"), "digits"));
    let rounded = ReadOptions { round: Some(decimal("0.01")), ..ReadOptions::default() };
    let reading = table(text, &rounded).unwrap();
    assert_eq!(edges(&reading), "x-y:0.3 y-z:0.1 x-w:0.2");
    assert_eq!(reading.file.notes, ["weights rounded to multiples of 0.01: 1 of 3 weights changed"]);
    let whole = ReadOptions { round: Some(decimal("1")), ..ReadOptions::default() };
    let reading = table(text, &whole).unwrap();
    assert!(has_note(&reading, "weights rounded to multiples of 1: 3 of 3 weights changed, 3 of them to 0"));
    let even = table("x,y,0.5\ny,z,1.5\nz,x,2.5\n", &whole).unwrap();
    assert_eq!(edges(&even), "x-y:0 y-z:2 z-x:2");
    let impossible = ReadOptions { round: Some(decimal("0")), ..ReadOptions::default() };
    assert!(refused(text, &impossible).contains("line 1: the weight 0.30000000000000004 cannot be rounded"));
}

#[test]
fn a_title_is_not_swallowed() {
    let reading = plain("My roads\nx,y\ny,z\n");
    assert_eq!(reading.file.n(), 4);
    assert!(has_note(&reading, "1 vertex without edges: 'My roads' (line 1) stands alone on its line"));
    assert_eq!(plain("x\nx,y\n").file.notes, [""; 0]);
}

#[test]
fn quotes_and_blocks_go_over_line_breaks() {
    let long = "é".repeat(700_000);
    let text = format!(
        "source,target,weight\n\"two\nlines\",b,1\n\"{long}\n{long}\",\"say \"\"x\"\"\",2\nb,\"two\nlines\",3\nb,x\n"
    );
    let error = refused(&text, &ReadOptions::default());
    assert!(error.contains("file, line 8: edge 'b' -> 'x' has no weight"), "{error}");
    let reading = plain(text.strip_suffix("b,x\n").unwrap());
    assert_eq!((reading.file.n(), reading.rows.len()), (4, 3));
    assert_eq!(reading.file.names[2].len(), 4 * 700_000 + 1);
    assert_eq!(reading.file.names[3], "say \"x\"");
}

#[test]
fn options_for_tables_are_refused_elsewhere() {
    let columns = ReadOptions { columns: vec!["a".into(), "b".into()], ..ReadOptions::default() };
    let delimiter = ReadOptions { delimiter: Some(Delimiter::Space), ..ReadOptions::default() };
    let header = ReadOptions { header: HeaderLine::Yes, ..ReadOptions::default() };
    for (options, name) in [(columns, "--columns"), (delimiter, "--delimiter"), (header, "--header")] {
        let error = read_stream(&b"{}"[..], Format::NodeLink, "file", &options).unwrap_err().to_string();
        assert!(
            error.contains(&format!("{name} is for tables (csv, tsv, edges), and this is a node-link file")),
            "{error}"
        );
    }
}

#[test]
fn summaries_count_in_words_that_agree() {
    assert_eq!(plain("x,y,3\n").summary(), "2 vertices, 1 directed edge, weights from column 3");
    assert_eq!(plain("x,x\n").summary(), "1 vertex, 1 directed edge, no weights: every edge counts 1");
    assert_eq!(plain("x\ny\n").summary(), "2 vertices, 0 directed edges, no weights: every edge counts 1");
}

#[test]
fn a_comment_below_a_header_that_may_be_an_edge_is_refused() {
    for (text, place) in [
        ("from,to\na,b\n#c,b\n", "file, line 3: '#c,b' starts like a comment but has every column of the header"),
        ("# before\nfrom;to;weight\n%a;b;1\n", "line 3: '%a;b;1' starts"),
        ("from,to,weight\na,b,1\n//c, b,\n", "line 3: '//c, b,' starts"),
        ("weight,from,to\n#1,a,b\n", "line 2: '#1,a,b' starts"),
        ("from,to\na,b\n# made by x, y\n", "line 3: '# made by x, y' starts"),
    ] {
        let error = refused(text, &ReadOptions::default());
        assert!(error.contains(place) && error.contains("in quotes") && error.contains("remove the line"), "{error}");
    }
    assert_eq!(edges(&plain("from,to\n\"#c\",b\nb,\"#c\"\n")), "#c-b b-#c");
    for comment in ["# made by x", "# a, b, c", "#", "#,", "# from,,", "#,\"b", "# said,"] {
        let reading = plain(&format!("# before, it\nfrom,to\n{comment}\na,b\n"));
        assert_eq!(edges(&reading), "a-b", "{comment}");
        assert!(has_note(&reading, "2 lines with # or % or // in front left out as comments"), "{comment}");
    }
    // Any sentence has as many words as there are columns.
    let words = "from to weight\n# by hand\n# made by hand\na b 1\n";
    let reading = read_stream(words.as_bytes(), Format::Edges, "file", &ReadOptions::default()).unwrap();
    assert_eq!(edges(&reading), "a-b:1");
}

#[test]
fn lines_that_end_in_carriage_returns_alone_are_refused() {
    for (format, text) in [
        (Format::Csv, "from,to\ra,b\rb,c\r"),
        (Format::Csv, "from,to\ra,b\r\n"),
        (Format::Edges, "a b\rb c\r"),
        (Format::AdjacencyList, "a b\rb c\r"),
        (Format::Dimacs, "c roads\rp sp 2 1\ra 1 2 3\r"),
    ] {
        let error = read(text.as_bytes(), format).unwrap_err().to_string();
        assert!(error.contains("line 1: lines end in carriage returns alone: save the file"), "{format}: {error}");
    }
    assert_eq!(edges(&plain("a,b\r\r\nb,c\r\n")), "a-b b-c");
    assert_eq!(edges(&plain("\"a\rx\",b\n")), "a\rx-b");
}

#[test]
fn names_that_hold_accidents_of_a_file_are_refused_unless_they_are_quoted() {
    for (text, what) in [
        ("from,to\na,b\n\u{feff}from,to\n", "line 3: the name '\\u{feff}from' starts with a byte order mark"),
        ("from,to\na,b\0\n", "line 2: the name 'b\\0' has a zero byte in it"),
        ("from,to\na,b\nb\rc,d\n", "line 3: the name 'b\\rc' has a carriage return in it"),
        ("from,to\n1,2\n2,\u{1}3\n", "line 3: the name '\\u{1}3' has a control character in it"),
    ] {
        let error = refused(text, &ReadOptions::default());
        assert!(error.contains(what) && error.contains("remove it, or, in a .csv"), "{error}");
    }
    assert_eq!(
        edges(&plain("\u{feff}a\u{1b}[31m,\"b\0\"\n\"\u{feff}\u{1}\",a\tb\n")),
        "a\u{1b}[31m-b\0 \u{feff}\u{1}-a\tb"
    );
    let error = read(b"a b\0\n", Format::AdjacencyList).unwrap_err().to_string();
    assert!(error.contains("line 1: the name 'b\\0' has a zero byte in it"), "{error}");
}

#[test]
fn a_name_that_several_columns_have_chooses_none() {
    let twice = "from,to,weight,weight\na,b,1,2\n";
    let weight = |name: &str| ReadOptions { weight: Some(name.to_owned()), ..ReadOptions::default() };
    let said = "2 columns are called `weight` (3, 4): choose one by its number, such as --weight 3";
    for options in [ReadOptions::default(), weight("weight")] {
        assert!(refused(twice, &options).contains(said), "{}", refused(twice, &options));
    }
    assert_eq!(edges(&table(twice, &weight("4")).unwrap()), "a-b:2");
    let unweighted = ReadOptions { unweighted: true, ..ReadOptions::default() };
    assert_eq!(edges(&table(twice, &unweighted).unwrap()), "a-b");
    let columns = |list: &[&str]| ReadOptions {
        columns: list.iter().map(|&name| name.to_owned()).collect(),
        ..ReadOptions::default()
    };
    assert!(refused(twice, &columns(&["from", "to", "weight"])).contains("(3, 4): choose one by its number"));
    assert_eq!(edges(&table(twice, &columns(&["from", "to", "4"])).unwrap()), "a-b:2");
    let ends = "from,from,to\na,b,c\n";
    assert!(refused(ends, &ReadOptions::default()).contains("2 columns are called `from` (1, 2)"));
    assert_eq!(edges(&table(ends, &ReadOptions { unweighted: true, ..columns(&["2", "3"]) }).unwrap()), "b-c");
    // Nobody asks for these.
    assert_eq!(edges(&plain("from,to,weight,note,note\na,b,1,x,y\n")), "a-b:1");
}

#[test]
fn compressed_files_say_how_they_are_read() {
    let gzip = b"\x1f\x8b\x08\0\0\0\0\0";
    for format in Format::ALL.into_iter().filter(|format| format.can_be_read()) {
        let error = read(gzip, format).unwrap_err().to_string();
        assert!(error.contains("gunzip -k FILE") && error.contains("gunzip -c FILE | tiebreak"), "{format}: {error}");
    }
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("roads.csv.gz");
    std::fs::write(&path, gzip).unwrap();
    let error = tiebreak::instance::io::read_graph(&path, None, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("roads.csv.gz: this is a compressed file: unpack it first (gunzip -k FILE)"), "{error}");
}
