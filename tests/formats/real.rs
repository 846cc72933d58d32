//! Files that other programs wrote (`tests/data/real/make.py`), compared with what those programs had in memory.

use super::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tiebreak::instance::io::{Parallel, Reading, read_file};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/real")
}

fn truth() -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join("truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&text).unwrap();
    truth["files"].as_array().unwrap().clone()
}

fn options(entry: &Value) -> ReadOptions {
    let options = &entry["options"];
    ReadOptions {
        undirected: options["undirected"].as_bool().unwrap_or(false),
        weight: options["weight"].as_str().map(str::to_owned),
        parallel: if options["parallel"] == "min" { Parallel::Min } else { Parallel::Error },
        ..ReadOptions::default()
    }
}

fn read(entry: &Value) -> Reading {
    let path = folder().join(entry["file"].as_str().unwrap());
    read_file(&path, None, &options(entry)).unwrap_or_else(|error| panic!("{error}"))
}

/// The edges by name; an undirected one from the smaller name.
type Edges = BTreeSet<(String, String, Option<String>)>;

fn ordered(tail: &str, head: &str, directed: bool) -> (String, String) {
    let (tail, head) = if directed || tail <= head { (tail, head) } else { (head, tail) };
    (tail.to_owned(), head.to_owned())
}

fn expected_edges(entry: &Value) -> Edges {
    let directed = entry["directed"].as_bool().unwrap();
    let edges = entry["edges"].as_array().unwrap().iter();
    edges
        .map(|edge| {
            let (tail, head) = ordered(edge[0].as_str().unwrap(), edge[1].as_str().unwrap(), directed);
            (tail, head, edge[2].as_str().map(|weight| decimal(weight).to_string()))
        })
        .collect()
}

fn found_edges(reading: &Reading) -> Edges {
    let names = &reading.file.names;
    let graph = &reading.graph;
    let weight = |weight| graph.is_weighted().then(|| graph.decimal(weight).to_string());
    let edges = graph.weighted_arcs();
    edges
        .map(|(tail, head, length)| {
            let (tail, head) = ordered(&names[tail], &names[head], reading.directed);
            (tail, head, weight(length))
        })
        .collect()
}

fn strings(list: &Value) -> BTreeSet<&str> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn every_file_has_the_names_and_edges_that_its_program_had() {
    for entry in truth() {
        let (file, reading) = (&entry["file"], read(&entry));
        let names: BTreeSet<&str> = reading.file.names.iter().map(String::as_str).collect();
        assert_eq!(names, strings(&entry["names"]), "{file}");
        assert_eq!(reading.directed, entry["directed"].as_bool().unwrap(), "{file}");
        assert_eq!(found_edges(&reading), expected_edges(&entry), "{file}");
        let edges = counted(
            entry["edges"].as_array().unwrap().len(),
            if reading.directed { "directed edge" } else { "undirected edge" },
        );
        assert!(reading.summary().contains(&edges), "{file}: {}", reading.summary());
    }
}

fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

#[test]
fn all_attributes_of_edges_are_kept() {
    let mut checked = 0;
    for entry in truth() {
        let reading = read(&entry);
        let columns: BTreeSet<&str> = reading.file.columns.iter().map(|column| column.name.as_str()).collect();
        let wanted = strings(&entry["columns"]);
        assert!(wanted.is_subset(&columns), "{}: {columns:?} lack some of {wanted:?}", entry["file"]);
        checked += wanted.len();
    }
    assert!(checked > 15);
}

#[test]
fn positions_are_kept() {
    let mut checked = 0;
    for entry in truth() {
        let Some(expected) = entry["positions"].as_object() else { continue };
        let reading = read(&entry);
        let positions = reading.file.positions.unwrap_or_else(|| panic!("{} has no positions", entry["file"]));
        let found: BTreeMap<&str, (f64, f64)> = reading.file.names.iter().map(String::as_str).zip(positions).collect();
        for (name, position) in expected {
            let position = (position[0].as_f64().unwrap(), position[1].as_f64().unwrap());
            assert_eq!(found[name.as_str()], position, "{}: {name}", entry["file"]);
            checked += 1;
        }
    }
    assert!(checked > 10);
}

/// OSMnx calls all its attributes strings; which of them are numbers shows in their values.
#[test]
fn a_file_with_numbers_but_no_weight_asks_which() {
    for (file, candidates) in [
        ("osmnx.graphml", "The edges have `length` and none is called `weight`: choose with --weight NAME"),
        ("osmnx_edges.csv", "The edges have `length` and none is called `weight`"),
        ("nx_length.graphml", "The edges have `length`, `minutes` and none is called `weight`"),
        ("pandas_wide.csv", "`minutes`, `length` and none is called `weight`"),
    ] {
        let error = read_file(&folder().join(file), None, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains(candidates) && error.contains("--unweighted"), "{error}");
        let hops = ReadOptions { unweighted: true, parallel: Parallel::Min, ..ReadOptions::default() };
        let reading = read_file(&folder().join(file), None, &hops).unwrap();
        assert!(!reading.graph.is_weighted() && reading.summary().ends_with("no weights: every edge counts 1"));
        let forest = ReadOptions { weights_matter: false, parallel: Parallel::Min, ..ReadOptions::default() };
        assert!(!read_file(&folder().join(file), None, &forest).unwrap().graph.is_weighted());
    }
}

#[test]
fn a_name_that_is_not_there_lists_what_is() {
    let options = ReadOptions { weight: Some("lenght".to_owned()), ..ReadOptions::default() };
    let error = read_file(&folder().join("osmnx.graphml"), None, &options).unwrap_err().to_string();
    assert!(error.contains("there is no `lenght` (did you mean `length`?); the file has"), "{error}");
    assert!(error.contains("`highway`") && error.contains("`osmid`"), "{error}");
    let words = ReadOptions { weight: Some("highway".to_owned()), ..ReadOptions::default() };
    let error = read_file(&folder().join("osmnx.graphml"), None, &words).unwrap_err().to_string();
    assert!(error.contains("the weight 'residential' is not a finite decimal number"), "{error}");
}

#[test]
fn parallel_streets_name_the_option_that_merges_them() {
    let options = ReadOptions { weight: Some("length".to_owned()), ..ReadOptions::default() };
    let error = read_file(&folder().join("osmnx_parallel.graphml"), None, &options).unwrap_err().to_string();
    let expected = "edge '101' -> '102' is given twice, with weights 112.35 (first, line ";
    assert!(error.contains(expected) && error.ends_with("and 99.9; --parallel min keeps the smaller"), "{error}");
    let options = ReadOptions { parallel: Parallel::Min, ..options };
    let reading = read_file(&folder().join("osmnx_parallel.graphml"), None, &options).unwrap();
    assert!(reading.file.notes.iter().any(|note| note == "1 parallel edge left out (--parallel min)"));
    assert_eq!((reading.rows.len(), reading.file.edges.len()), (4, 5));
}
