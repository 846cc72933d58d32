//! A request to stop (Ctrl-C, SIGTERM) in the middle of a step that takes minutes: the work ends before the step does.

use super::jobs::{message, succeeds};
use assert_cmd::cargo::cargo_bin;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(cargo_bin!("tiebreak"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Asks it to stop once a file is there, which is a while before the first step ends.
fn stopped(mut child: Child, once: &Path) -> Output {
    while !once.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before {} was there", once.display());
        std::thread::sleep(Duration::from_millis(5));
    }
    // Long enough to be in the middle of the step.
    std::thread::sleep(Duration::from_millis(500));
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    child.wait_with_output().unwrap()
}

/// A step of several seconds on a quick processor: depth-first search takes a round or two for each of 64 vertices.
const LONG_STEP: &[&str] = &[
    "steps=1000",
    "batch=8",
    "sizes=[64]",
    "validate_every=1000",
    "validation_size=4",
    "validation_graphs=1",
    "runs=1",
    "model.hidden=128",
];

fn settings() -> Vec<&'static str> {
    LONG_STEP.iter().flat_map(|change| ["--set", change]).collect()
}

#[test]
fn a_network_stops_in_the_middle_of_a_step() {
    let folder = TempDir::new().unwrap();
    let arguments = [&["train", "-a", "dfs", "--out", "run"][..], &settings()].concat();
    let output = stopped(start(folder.path(), &arguments), &folder.path().join("run/last.safetensors"));
    succeeds(&output);
    assert!(message(&output).contains("step 0 of 1000: stopped, can be resumed"), "{}", message(&output));
}

#[test]
fn an_executor_stops_in_the_middle_of_a_step() {
    let folder = TempDir::new().unwrap();
    let arguments =
        ["train", "--model", "executor", "-a", "bfs", "--out", "run", "--set", "graphs=8", "--set", "batch=200000000"];
    let output = stopped(start(folder.path(), &arguments), &folder.path().join("run/settings.toml"));
    succeeds(&output);
    assert!(message(&output).contains("stopped, can be resumed"), "{}", message(&output));
    assert!(
        !folder.path().join("run/log.jsonl").exists()
            || fs::read(folder.path().join("run/log.jsonl")).unwrap().is_empty()
    );
}

#[test]
fn a_reproduction_stops_in_the_middle_of_a_step_and_of_a_measurement() {
    let folder = TempDir::new().unwrap();
    let training = LONG_STEP.join("\n");
    let experiment = |sizes: &str, entry: &str| {
        format!(
            "about = 'a test'\nmeasure = 'draws'\ndraws = 100\nsizes = [{sizes}]\ngraphs = 1000\n[training]\n{training}\n\
             [[entries]]\nalgorithm = 'dfs'\n{entry}\n"
        )
    };
    fs::write(folder.path().join("step.toml"), experiment("4", "model = 'kl'\nextractors = ['argmax']")).unwrap();
    fs::write(folder.path().join("measured.toml"), experiment("64", "executor = true")).unwrap();
    for (name, once) in [("step", "out/runs/dfs-text-0/last.safetensors"), ("measured", "out/pieces")] {
        let arguments = ["reproduce", &format!("{name}.toml"), "--seeds", "1", "--out", "out"];
        let output = stopped(start(folder.path(), &arguments), &folder.path().join(once));
        assert_eq!(output.status.code(), Some(1), "{name}: {}", message(&output));
        assert!(message(&output).contains("stopped; the same command goes on"), "{name}: {}", message(&output));
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}
