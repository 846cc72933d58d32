//! Bytes are the log of a run or an error that names the line; a run's directory is all that is needed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tiebreak::neural::train::{RunDirectory, TrainSettings};

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let run = RunDirectory::create(folder.path(), &TrainSettings::default()).expect("an empty directory");
    std::fs::write(folder.path().join("log.jsonl"), bytes).expect("a writable directory");
    let _ = run.log();
});
