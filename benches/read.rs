//! Reading a table of 100,000 vertices and 1,000,000 edges, named by numbers and by words.
//!
//! `cargo bench --bench read`; the file is in memory, so disks do not count. "file" is reading alone, "graph" also
//! makes the graph.

use criterion::Criterion;
use std::fmt::Write;
use tiebreak::instance::io::{Format, GraphFile, ReadOptions};
use tiebreak::random::Rng;

const VERTICES: usize = 100_000;
const EDGES: usize = 1_000_000;

fn table(name: impl Fn(usize) -> String) -> String {
    let names: Vec<String> = (0..VERTICES).map(name).collect();
    let mut rng = Rng::stream(0, "read", 0);
    let mut text = String::from("source,target,weight\n");
    for edge in 0..EDGES {
        // Ten heads for each tail, all different, in no order.
        let (tail, step) = (edge % VERTICES, 1 + edge / VERTICES);
        let (tail, head) = ((tail * 31_337) % VERTICES, (tail * 7_919 + step * 104_729) % VERTICES);
        let weight = 1 + rng.below(99_999);
        writeln!(text, "{},{},{}.{:02}", names[tail], names[head], weight / 100, weight % 100)
            .expect("strings take all");
    }
    text
}

fn read(criterion: &mut Criterion) {
    let words = ["ka", "lo", "mi", "ter", "van", "dor", "bel", "sun", "ri", "po"];
    let word = |number: usize| (0..6).map(|digit| words[number / 10usize.pow(digit) % 10]).collect::<String>();
    for (kind, text) in [("numbers", table(|number| number.to_string())), ("words", table(word))] {
        let options = ReadOptions::default();
        let file = || GraphFile::read(text.as_bytes(), Format::Csv, "table", &options).expect("a table");
        let mut group = criterion.benchmark_group(kind);
        group.sample_size(10);
        group.bench_function("file", |bencher| bencher.iter(file));
        group.bench_function("graph", |bencher| bencher.iter(|| file().choose(&options).expect("a graph")));
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    read(&mut criterion);
    criterion.final_summary();
}
