//! Files that the tool itself writes, after anything may have happened to them.
//!
//! A checksum would refuse nearly every input before the code behind it is reached; files from before there were checksums are read without
//! one, and the seeds are such files.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;
use tiebreak::instance::io::{Format, ReadOptions, read_stream};
use tiebreak::instance::{Graph, Instance};
use tiebreak::learn::{EdgeTable, LearntCost};
use tiebreak::neural::executor::{Executor, ExecutorSettings};
use tiebreak::neural::predict::Model;
use tiebreak::neural::train::{RunDirectory, TrainSettings, train};
use tiebreak::problems::ALGORITHMS;
use tiebreak::report;
use tiebreak::reproduce::Experiment;

/// Settings are read back from what they are written as. What follows a zero byte are changes, as `--set` gives them.
pub fn settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (text, changes) = text.split_once('\0').unwrap_or((text, ""));
    let changes: Vec<String> = changes.lines().map(str::to_owned).collect();
    if let Ok(settings) = TrainSettings::from_toml(text, &changes) {
        assert_eq!(TrainSettings::from_toml(&settings.to_toml(), &[]).expect("its own text"), settings);
    }
    if let Ok(settings) = ExecutorSettings::from_toml(text, &changes) {
        assert_eq!(ExecutorSettings::from_toml(&settings.to_toml(), &[]).expect("its own text"), settings);
    }
}

pub fn experiment(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for quick in [false, true] {
        if let Ok(experiment) = Experiment::parse("fuzz", text, quick) {
            experiment.paper_values();
        }
    }
}

/// The first byte says for which algorithm a person asks; by most values for none, and the file's card decides.
pub fn network(bytes: &[u8]) {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let wanted = ALGORITHMS.get(usize::from(which)).copied();
    let Ok(model) = Model::from_bytes(bytes, Path::new("fuzz"), wanted) else { return };
    let graph = Graph::from_edges(3, [(0, 1), (1, 2)]).expect("a path");
    let instance = Instance::with_source(graph, 0);
    if let Ok(prepared) = model.algorithm().prepare(&instance) {
        let _ = model.marginals(&*prepared, None);
    }
}

/// The certificate of what loads can be asked for.
pub fn executor(bytes: &[u8]) {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let algorithm = ALGORITHMS[usize::from(which) % ALGORITHMS.len()];
    let Ok(steps) = algorithm.steps() else { return };
    if let Ok(executor) = Executor::from_bytes(steps, bytes) {
        executor.certificate();
    }
}

/// A learnt cost gives whole positive costs to any roads, or says why not.
pub fn cost(bytes: &[u8]) {
    static ROADS: LazyLock<EdgeTable> = LazyLock::new(|| {
        let text = "from,to,length,kind\na,b,1,road\nb,c,2,path\nc,a,1.5,road\na,c,,path\n";
        let options = ReadOptions { weights_matter: false, ..ReadOptions::default() };
        EdgeTable::of(&read_stream(text.as_bytes(), Format::Csv, "roads", &options).expect("a table"))
    });
    let Ok(cost) = LearntCost::from_bytes(bytes) else { return };
    if let Ok(costs) = cost.costs(&ROADS, &[]) {
        assert!(costs.weights.iter().all(|&weight| weight > 0));
    }
}

/// A run that takes as little work as a run can.
fn least_settings() -> TrainSettings {
    let text = "algorithm = 'bfs'\nsteps = 1\nbatch = 1\nsizes = [2]\nvalidate_every = 1\nvalidation_size = 2\n\
                validation_graphs = 1\nruns = 1\nmodel.hidden = 1\n";
    TrainSettings::from_toml(text, &[]).expect("settings of a training")
}

/// A directory for files that are only read from one; the fuzzer has one thread.
static RUN: LazyLock<(TempDir, RunDirectory)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let run = RunDirectory::create(&folder.path().join("run"), &least_settings()).expect("an empty directory");
    (folder, run)
});

fn write(name: &str, bytes: &[u8]) {
    fs::write(RUN.0.path().join(name), bytes).expect("a writable directory");
}

/// The log of a run, or an error that names the line.
pub fn log(bytes: &[u8]) {
    LazyLock::force(&RUN);
    write("run/log.jsonl", bytes);
    let _ = RUN.1.log();
}

/// A run goes on from a checkpoint to its end, or says what is wrong with it.
pub fn checkpoint(bytes: &[u8]) {
    LazyLock::force(&RUN);
    write("run/log.jsonl", b"");
    write("run/last.safetensors", bytes);
    let _ = train(&RUN.1, &least_settings(), &AtomicBool::new(false), &mut |_| {});
}

/// What a page shows of a reproduction.
pub fn results(bytes: &[u8]) {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary directory"));
    fs::write(FOLDER.path().join("results.json"), bytes).expect("a writable directory");
    if let Ok(page) = report::page_of(&[FOLDER.path().to_owned()], 0) {
        report::html(&page);
    }
}
