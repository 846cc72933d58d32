//! Kills at random moments, again and again, until the job is done: `TIEBREAK_KILLS` of them in all (100).

use super::jobs::{EXECUTOR, Job, LEARN, NETWORK, REPRODUCE, assert_same, made, message, succeeds};
use std::time::{Duration, Instant};
use tiebreak::random::Rng;

fn kills_in_all() -> u64 {
    std::env::var("TIEBREAK_KILLS").map_or(100, |text| text.parse().expect("a number of kills"))
}

/// Kills a job at moments between its begin and its end, and goes on with it until it ends.
fn survives_kills(job: Job) {
    let begin = Instant::now();
    let expected = job.undisturbed();
    let whole = begin.elapsed();
    let mut rng = Rng::stream(0, job.name, 0);
    let (mut killed, mut ended) = (0, 0);
    while killed < kills_in_all() / 4 {
        let folder = job.folder();
        loop {
            let mut child = job.go_on(folder.path()).spawn().unwrap();
            std::thread::sleep(whole.mul_f64(rng.unit()).min(Duration::from_secs(60)));
            // One that has ended by now was not killed.
            let was_running = child.try_wait().unwrap().is_none();
            child.kill().unwrap();
            let output = child.wait_with_output().unwrap();
            assert!(!message(&output).contains("panicked"), "{}: {}", job.name, message(&output));
            if was_running && output.status.code().is_none() {
                killed += 1;
                continue;
            }
            succeeds(&output);
            ended += 1;
            break;
        }
        assert_same(&made(folder.path()), &expected, &format!("{} after {killed} kills", job.name));
    }
    assert!(ended > 0 && killed >= kills_in_all() / 4);
    // Shown by `cargo test -- --nocapture`, for whoever wants more kills than the usual.
    eprintln!("{}: killed {killed} times, {ended} times to the end, always the same bits", job.name);
}

#[test]
fn the_training_of_a_network_survives_kills_at_any_moment() {
    survives_kills(NETWORK);
}

#[test]
fn the_training_of_an_executor_survives_kills_at_any_moment() {
    survives_kills(EXECUTOR);
}

#[test]
fn a_reproduction_survives_kills_at_any_moment() {
    survives_kills(REPRODUCE);
}

#[test]
fn learning_costs_survives_kills_at_any_moment() {
    survives_kills(LEARN);
}
