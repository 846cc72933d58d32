//! In the style of SQLite: the first reading, writing, syncing or renaming of a file fails, then the second, and so on to the last; and the same
//! with a kill at each of them. `TIEBREAK_FAULT` and `src/files/faults.rs` make it so.

use super::jobs::{EXECUTOR, Job, LEARN, NETWORK, OLD, REPRODUCE, SOLVE, assert_same, made, message, succeeds};
use std::fs;
use std::path::Path;
use std::process::Output;

/// Every fault while the job begins; also while it goes on after a kill in the middle of it.
fn survives_every_fault(job: Job) {
    let expected = job.undisturbed();
    let begun = every_fault(job, &expected, None);
    assert!(begun > 10, "{}: only {begun} operations", job.name);
    let resumed = every_fault(job, &expected, Some(begun / 2));
    assert!(resumed > 5, "{}: only {resumed} operations when resumed", job.name);
}

/// How many operations there were.
fn every_fault(job: Job, expected: &std::collections::BTreeMap<String, Vec<u8>>, killed_at: Option<u64>) -> u64 {
    let fault = |number: u64, how: &str| format!("{number}{how}");
    let mut operations = 0;
    for how in ["", ":kill"] {
        for number in 1.. {
            let folder = job.folder();
            let folder = folder.path();
            if let Some(place) = killed_at {
                job.begin(folder).env("TIEBREAK_FAULT", fault(place, ":kill")).output().unwrap();
            }
            let output = job.go_on(folder).env("TIEBREAK_FAULT", fault(number, how)).output().unwrap();
            if !message(&output).contains(&format!("fault {number}:")) {
                succeeds(&output);
                operations = number - 1;
                break;
            }
            let when = format!("{}, fault {number}{how} after {killed_at:?}", job.name);
            ended_as_it_should(&output, how, folder, &when);
            // The kill before may have left one.
            assert!(!how.is_empty() || killed_at.is_some() || half_written(&folder.join("out")).is_empty(), "{when}");
            succeeds(&job.go_on(folder).output().unwrap());
            assert_same(&made(folder), expected, &when);
        }
    }
    operations
}

/// A failure has exit code 2 and a message with a file in it, or was no reason to stop. A file is whole, whichever it is.
fn ended_as_it_should(output: &Output, how: &str, folder: &Path, when: &str) {
    let message = message(output);
    assert!(!message.contains("panicked"), "{when}: {message}");
    match how {
        ":kill" => assert_eq!(output.status.code(), None, "{when}: {message}"),
        _ if output.status.success() => {}
        _ => {
            assert_eq!(output.status.code(), Some(2), "{when}: {message}");
            assert!(message.contains("a test has this fail"), "{when}: {message}");
            let names_a_file = ["out", "tiny.toml", "roads.csv", "trips.jsonl", "graph.csv"];
            assert!(names_a_file.iter().any(|name| message.contains(name)), "{when}: {message}");
        }
    }
    for file in ["lines.jsonl", "page.html"] {
        if let Ok(text) = fs::read_to_string(folder.join("out").join(file)) {
            assert!(
                text == OLD || text.trim_end().ends_with("</html>") || text.lines().all(is_json),
                "{when}: {file}: {text}"
            );
        }
    }
}

fn is_json(line: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(line).is_ok()
}

fn half_written(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".tiebreak-")).collect()
}

#[test]
fn the_training_of_a_network_survives_every_fault() {
    survives_every_fault(NETWORK);
}

#[test]
fn the_training_of_an_executor_survives_every_fault() {
    survives_every_fault(EXECUTOR);
}

#[test]
fn a_reproduction_survives_every_fault() {
    survives_every_fault(REPRODUCE);
}

#[test]
fn learning_costs_survives_every_fault() {
    survives_every_fault(LEARN);
}

/// Whole files or the old ones; what a kill left half-written stands beside them, because anybody may write to such a folder.
#[test]
fn outputs_of_solve_are_whole_after_every_fault() {
    let expected = SOLVE.undisturbed();
    for how in ["", ":kill"] {
        for number in 1.. {
            let folder = SOLVE.folder();
            let output = SOLVE.begin(folder.path()).env("TIEBREAK_FAULT", format!("{number}{how}")).output().unwrap();
            let when = format!("solve, fault {number}{how}");
            if !message(&output).contains(&format!("fault {number}:")) {
                succeeds(&output);
                assert!(number > 10, "{when}");
                break;
            }
            ended_as_it_should(&output, how, folder.path(), &when);
            for (name, bytes) in made(folder.path()).iter().filter(|(name, _)| !name.contains(".tiebreak-")) {
                assert!(bytes == OLD.as_bytes() || *bytes == expected[name], "{when}: {name}");
            }
        }
    }
}
