//! Training as a person lives through it: killed, stopped, resumed, out of disk, and always to the same bits.
#![cfg(unix)]

use assert_cmd::cargo::cargo_bin;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tiebreak::problems::Algorithm;
use tiebreak::problems::paths::bellman_ford::BellmanFord;

/// Small enough for a test, long enough to be killed in the middle.
const SMALL: &[&str] = &[
    "steps=200",
    "batch=4",
    "sizes=[4, 7]",
    "validate_every=10",
    "validation_size=7",
    "validation_graphs=4",
    "runs=5",
    "model.hidden=16",
];

fn train(folder: &Path, out: &str, more: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("tiebreak"));
    command.current_dir(folder).args(["train", "--algorithm", "bellman-ford", "--out", out]);
    command.args(SMALL.iter().flat_map(|change| ["--set", change])).args(more);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn resume(folder: &Path, run: &str, more: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("tiebreak"));
    command.current_dir(folder).args(["train", "--resume", run]).args(more);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn parameters(folder: &Path, run: &str) -> (Vec<u8>, Vec<u8>) {
    let read = |file: &str| fs::read(folder.join(run).join(file)).unwrap();
    (read("best.safetensors"), read("last.safetensors"))
}

/// The log without the figures that depend on the machine.
fn curve(folder: &Path, run: &str) -> Vec<(u64, String, String)> {
    let text = fs::read_to_string(folder.join(run).join("log.jsonl")).unwrap();
    let line = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        (line["step"].as_u64().unwrap(), line["loss"].to_string(), line["validation"].to_string())
    };
    text.lines().map(line).collect()
}

fn wait_for_step(child: &mut Child, folder: &Path, run: &str, step: u64) {
    let log = folder.join(run).join("log.jsonl");
    loop {
        let steps = fs::read_to_string(&log).unwrap_or_default().lines().count() as u64 * 10;
        if steps >= step {
            return;
        }
        assert!(child.try_wait().unwrap().is_none(), "{run} ended before step {step}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn kill(child: &mut Child, signal: &str) {
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
}

#[test]
fn killed_and_resumed_equals_uninterrupted_to_the_bit_on_any_number_of_threads() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let whole = train(folder, "whole", &["--threads", "2"]).output().unwrap();
    assert!(whole.status.success(), "{}", message(&whole));
    for (run, threads, after) in [("one", ["1", "2"], 50), ("two", ["2", "1"], 110)] {
        let mut child = train(folder, run, &["--threads", threads[0]]).spawn().unwrap();
        wait_for_step(&mut child, folder, run, after);
        kill(&mut child, "-KILL");
        assert!(!child.wait().unwrap().success(), "it ended before it could be killed");
        let resumed = resume(folder, run, &["--threads", threads[1]]).output().unwrap();
        assert!(resumed.status.success(), "{}", message(&resumed));
        assert_eq!(parameters(folder, run), parameters(folder, "whole"), "{run}");
        assert_eq!(curve(folder, run), curve(folder, "whole"), "{run}");
    }
}

#[test]
fn a_request_to_stop_saves_and_ends_well() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let whole = train(folder, "whole", &["--set", "steps=120"]).output().unwrap();
    assert!(whole.status.success(), "{}", message(&whole));
    for signal in ["-INT", "-TERM"] {
        let run = &format!("stopped{signal}");
        let mut child = train(folder, run, &["--set", "steps=120"]).spawn().unwrap();
        wait_for_step(&mut child, folder, run, 20);
        kill(&mut child, signal);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", message(&output));
        let resumed = resume(folder, run, &[]).output().unwrap();
        assert!(resumed.status.success(), "{}", message(&resumed));
        assert_eq!(parameters(folder, run), parameters(folder, "whole"));
    }
}

fn refused(command: &mut Command, expected: &str) {
    let output = command.output().unwrap();
    let message = message(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains(expected) && !message.contains("panicked"), "{expected}: {message}");
}

#[test]
fn damage_is_named_and_nothing_is_overwritten() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    assert!(train(folder, "run", &["--set", "steps=20"]).output().unwrap().status.success());
    refused(&mut train(folder, "run", &[]), "already holds a run");
    let last = folder.join("run/last.safetensors");
    let whole = fs::read(&last).unwrap();
    for damaged in [&whole[..0], &whole[..100], &whole[..whole.len() - 1], b"not a checkpoint"] {
        fs::write(&last, damaged).unwrap();
        refused(&mut resume(folder, "run", &[]), "last.safetensors is damaged");
        assert_eq!(fs::read(&last).unwrap(), damaged);
    }
    fs::write(folder.join("run/settings.toml"), "steps = 'many'").unwrap();
    refused(&mut resume(folder, "run", &[]), "settings.toml is damaged");
    fs::write(folder.join("file"), "").unwrap();
    refused(&mut train(folder, "file/run", &[]), "file/run");
}

#[test]
fn a_loss_that_is_not_finite_stops_the_run_and_names_the_last_good_checkpoint() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    refused(&mut train(folder, "run", &["--set", "learning_rate=1e38"]), "last good checkpoint is that of step 0");
    assert!(folder.join("run/last.safetensors").exists());
}

/// A limit on the size of files stands in for a full disk: the write fails in the middle.
#[test]
fn a_full_disk_leaves_the_earlier_checkpoint_untouched() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    assert!(train(folder, "run", &["--set", "steps=20"]).output().unwrap().status.success());
    let settings = fs::read_to_string(folder.join("run/settings.toml")).unwrap();
    fs::write(folder.join("run/settings.toml"), settings.replace("steps = 20", "steps = 200")).unwrap();
    let before = parameters(folder, "run").1;
    let binary = cargo_bin!("tiebreak");
    let script = format!("trap '' XFSZ; ulimit -f 8; exec '{}' train --resume run", binary.display());
    let mut limited = Command::new("sh");
    refused(limited.args(["-c", &script]).current_dir(folder), "cannot write");
    assert_eq!(parameters(folder, "run").1, before);
    let names: Vec<_> = fs::read_dir(folder.join("run")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "something was left behind: {names:?}");
}

#[test]
fn a_trained_model_predicts_and_is_evaluated() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    assert!(train(folder, "run", &["--set", "steps=20"]).output().unwrap().status.success());
    fs::write(folder.join("roads.csv"), "a,b,0.5\nb,c,0.5\na,c,1\n").unwrap();
    let tiebreak = |arguments: &[&str]| {
        let output = Command::new(cargo_bin!("tiebreak")).current_dir(folder).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", message(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let line = tiebreak(&["predict", "-a", "bellman-ford", "--model", "run", "--source", "a", "roads.csv"]);
    let case = tiebreak::pipeline::cases::Case::parse(line.trim(), BellmanFord.problem()).unwrap();
    assert_eq!(case.marginals.unwrap().slots(), 3);
    // Without an algorithm the model speaks for its own, beside the empirical distribution.
    let rows =
        tiebreak(&["evaluate", "--model", "run/best.safetensors", "--json", "-n", "5", "-n", "7", "--graphs", "4"]);
    let predicted = rows.lines().filter(|row| row.contains(r#""distribution":"predicted""#)).count();
    assert_eq!((rows.lines().count(), predicted), (16, 8), "{rows}");
    let again = tiebreak(&["evaluate", "--model", "run", "--json", "-n", "5", "--graphs", "4", "--threads", "1"]);
    let once = tiebreak(&["evaluate", "--model", "run", "--json", "-n", "5", "--graphs", "4", "--threads", "2"]);
    assert_eq!(again, once);
}

#[test]
fn an_executor_killed_and_resumed_equals_one_trained_without_a_directory() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let tiebreak = |arguments: &[&str]| {
        let mut command = Command::new(cargo_bin!("tiebreak"));
        command.current_dir(folder).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let new = ["train", "--model", "executor", "-a", "dfs", "--out", "run", "--set", "graphs=50", "--set", "batch=300"];
    let mut child = tiebreak(&new).spawn().unwrap();
    // A line of the log stands for 250 steps, `wait_for_step` counts ten for each.
    wait_for_step(&mut child, folder, "run", 40);
    kill(&mut child, "-KILL");
    assert!(!child.wait().unwrap().success(), "it ended before it could be killed");
    let resumed = resume(folder, "run", &["--threads", "1"]).output().unwrap();
    assert!(resumed.status.success() && message(&resumed).contains("complete"), "{}", message(&resumed));

    let settings = tiebreak::neural::executor::ExecutorSettings { graphs: 50, batch: 300, ..Default::default() };
    let mut left = vec![];
    let whole = tiebreak::neural::executor::Executor::train(
        &tiebreak::problems::forests::dfs::ORDERED,
        &settings,
        &mut |line| {
            left.push(line.refused);
        },
    );
    assert_eq!(left.iter().min(), left.last(), "else the best parameters are not the last: choose other settings");
    assert_eq!(fs::read(folder.join("run/best.safetensors")).unwrap(), whole.to_bytes());

    let rows = tiebreak(&["evaluate", "--model", "run", "-n", "5", "--graphs", "4", "--json"]).output().unwrap();
    let rows = String::from_utf8(rows.stdout).unwrap();
    assert!(rows.contains(r#""distribution":"executor","extractor":"priorities""#), "{rows}");
    refused(&mut tiebreak(&["evaluate", "--model", "run", "-a", "bellman-ford"]), "it was trained for dfs");
    refused(&mut tiebreak(&["train", "--model", "executor", "-a", "dfs", "--set", "hidden=0"]), "hidden = 0");
}
