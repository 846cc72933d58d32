//! What people and machines do to a tool: two of it in one directory, flipped bits, closed and full outputs, absurd numbers, too
//! little memory, names that speak to the terminal. Nothing is silently wrong, nothing is half-written, nothing panics.
#![cfg(target_os = "linux")]

use assert_cmd::cargo::cargo_bin;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const SMALL: &[&str] = &[
    "batch=2",
    "sizes=[4]",
    "validate_every=5",
    "validation_size=4",
    "validation_graphs=2",
    "runs=2",
    "model.hidden=8",
];

fn tool(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("tiebreak"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn train(folder: &Path, out: &str, steps: u64) -> Command {
    let mut command = tool(folder, &["train", "--algorithm", "bfs", "--out", out, "--set", &format!("steps={steps}")]);
    command.args(SMALL.iter().flat_map(|change| ["--set", change]));
    command
}

/// Exit code 2 and a message that says so much; no panic.
fn refused(output: &Output, words: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains(words), "{message}");
    assert!(!message.contains("panicked"), "{message}");
}

fn wait_for(path: &Path, child: &mut Child) {
    while !path.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before {} was there", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn of_two_trainings_in_one_directory_the_second_is_told_and_after_a_kill_the_next_goes_on() {
    let folder = TempDir::new().unwrap();
    let mut first = train(folder.path(), "run", 1_000_000).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(&folder.path().join("run/last.safetensors"), &mut first);
    let second = tool(folder.path(), &["train", "--resume", "run"]).output().unwrap();
    refused(&second, &format!("is in use by process {}", first.id()));
    let third = train(folder.path(), "run", 5).output().unwrap();
    refused(&third, "is in use by process");
    first.kill().unwrap();
    first.wait().unwrap();
    fs::write(folder.path().join("run/.tiebreak-half"), b"half a checkpoint").unwrap();
    // The killed run's settings ask for a million steps; a few more are proof enough.
    let mut next = tool(folder.path(), &["train", "--resume", "run"]);
    let mut next = next.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let log = || fs::read_to_string(folder.path().join("run/log.jsonl")).unwrap_or_default().lines().count();
    let before = log();
    while log() <= before {
        assert!(next.try_wait().unwrap().is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!folder.path().join("run/.tiebreak-half").exists());
    next.kill().unwrap();
    next.wait().unwrap();
}

#[test]
fn a_flipped_bit_of_a_model_or_checkpoint_is_noticed() {
    let folder = TempDir::new().unwrap();
    assert!(train(folder.path(), "run", 10).status().unwrap().success());
    let graph = folder.path().join("graph.csv");
    fs::write(&graph, "a,b\nb,c\n").unwrap();
    let predict = || {
        let command = ["predict", "-a", "bfs", "--model", "run", "--source", "a", "graph.csv"];
        tool(folder.path(), &command).output().unwrap()
    };
    assert!(predict().status.success());
    let resume = || tool(folder.path(), &["train", "--resume", "run"]).output().unwrap();
    for (file, run) in [("best.safetensors", &predict as &dyn Fn() -> Output), ("last.safetensors", &resume)] {
        let path = folder.path().join("run").join(file);
        let whole = fs::read(&path).unwrap();
        // In the header, in the settings, among the numbers, in the last byte.
        for place in [9, 200, whole.len() / 2, whole.len() - 1] {
            let mut flipped = whole.clone();
            flipped[place] ^= 4;
            fs::write(&path, &flipped).unwrap();
            refused(&run(), "safetensors");
        }
        fs::write(&path, &whole).unwrap();
    }
    assert!(predict().status.success() && resume().status.success());
}

#[test]
fn a_damaged_line_of_a_log_is_named_and_a_cut_off_one_is_written_again() {
    let folder = TempDir::new().unwrap();
    assert!(train(folder.path(), "run", 20).status().unwrap().success());
    let path = folder.path().join("run/log.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replacen("\"step\":10", "\"step\":1x", 1)).unwrap();
    let resume = || tool(folder.path(), &["train", "--resume", "run"]).output().unwrap();
    refused(&resume(), "log.jsonl is damaged: line 2");
    fs::write(&path, &whole[..whole.len() - 7]).unwrap();
    assert!(resume().status.success());
}

const ROADS: &str = "from,to,length,kind\na,b,1,road\nb,c,2,path\na,c,4,road\nc,a,1,road\n";

/// Commands that print something, each on files that are there.
fn commands(folder: &Path) -> Vec<Vec<&'static str>> {
    fs::write(folder.join("graph.csv"), "a,b\na,c\nb,c\nc,b\n").unwrap();
    fs::write(folder.join("cases.jsonl"), "{\"n\":2,\"edges\":[[0,1]],\"parents\":[0,0]}\n".repeat(9_000)).unwrap();
    fs::write(folder.join("roads.csv"), ROADS).unwrap();
    fs::write(folder.join("trips.jsonl"), "{\"path\":[\"a\",\"b\",\"c\"]}\n".repeat(9)).unwrap();
    fs::write(folder.join("questions.jsonl"), "{\"from\":\"a\",\"to\":\"c\"}\n".repeat(900)).unwrap();
    [
        "solve -a dfs graph.csv",
        "solve -a dijkstra --weight length --source a --to c roads.csv",
        "solve -a dijkstra --weight length --queries questions.jsonl roads.csv",
        "learn --columns from,to --observed trips.jsonl --bootstrap 2 --out cost --resume roads.csv",
        "learn --columns from,to --observed trips.jsonl --bootstrap 2 --out cost --resume --json roads.csv",
        "solve -a dfs --json graph.csv",
        "solve -a dfs --jsonl - graph.csv",
        "count -a dfs --list 5 graph.csv",
        "count -a dfs --json graph.csv",
        "count -a dfs --cases cases.jsonl",
        "verify -a dfs cases.jsonl",
        "generate -a dfs -n 5 --graphs 200",
        "extract -a dfs --extractor argmax samples.jsonl",
        "predict -a dfs graph.csv",
        "evaluate -a dfs -n 4 --graphs 2",
        "evaluate -a dfs -n 4 --graphs 2 --json",
        "convert graph.csv --to tsv -",
        "reproduce plan",
        "report run",
        "report run --json",
        "--help",
        "solve --help",
        "--version",
    ]
    .iter()
    .map(|line| line.split_whitespace().collect())
    .collect()
}

fn prepared_folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    assert!(train(folder.path(), "run", 10).status().unwrap().success());
    let samples = ["generate", "-a", "dfs", "-n", "4", "--graphs", "9", "--out", "samples.jsonl"];
    assert!(tool(folder.path(), &samples).status().unwrap().success());
    folder
}

#[test]
fn a_reader_who_goes_away_is_no_reason_to_complain() {
    let folder = prepared_folder();
    for command in commands(folder.path()) {
        let mut child = tool(folder.path(), &command).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!message.contains("panicked"), "{command:?}: {message}");
        assert_eq!(output.status.code(), Some(0), "{command:?}: {message}");
    }
}

#[test]
fn an_endless_list_ends_with_its_reader() {
    let folder = TempDir::new().unwrap();
    let heads = |tail: usize| (0..70).filter(move |&head| head != tail).map(move |head| format!("{tail},{head}\n"));
    fs::write(folder.path().join("complete.csv"), (0..70).flat_map(heads).collect::<String>()).unwrap();
    for format in [&[][..], &["--json"]] {
        let command = [&["count", "-a", "dfs", "--list", "18446744073709551615", "complete.csv"][..], format].concat();
        let mut child = tool(folder.path(), &command).spawn().unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0; 10_000]).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_full_output_is_an_error_and_a_full_standard_error_is_none() {
    let folder = prepared_folder();
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    for command in commands(folder.path()) {
        let output = tool(folder.path(), &command).stdout(full()).output().unwrap();
        refused(&output, "standard output: No space left");
        let code = tool(folder.path(), &command).stderr(full()).output().unwrap().status.code();
        assert_eq!(code, Some(0), "{command:?}");
    }
}

#[test]
fn no_output_ends_a_training() {
    let folder = TempDir::new().unwrap();
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    let is_complete = |run: &str| {
        let log = fs::read_to_string(folder.path().join(run).join("log.jsonl")).unwrap();
        log.lines().last().is_some_and(|line| line.contains("\"step\":20"))
    };
    let mut closed = train(folder.path(), "closed", 20).arg("--json").spawn().unwrap();
    drop(closed.stdout.take());
    assert_eq!(closed.wait_with_output().unwrap().status.code(), Some(0));
    assert!(is_complete("closed"));
    let output = train(folder.path(), "full", 20).arg("--json").stdout(full()).output().unwrap();
    refused(&output, "No space left");
    assert!(is_complete("full"));
    assert_eq!(train(folder.path(), "deaf", 20).stderr(full()).output().unwrap().status.code(), Some(0));
    assert!(is_complete("deaf"));
}

#[test]
fn what_would_not_fit_into_memory_is_refused_before_anything_is_made() {
    let folder = TempDir::new().unwrap();
    let path: String = (1..20_000).map(|vertex| format!("{},{vertex}\n", vertex - 1)).collect();
    fs::write(folder.path().join("path.csv"), path).unwrap();
    for change in ["sizes=[1000000]", "model.hidden=20000", "batch=1000000000000", "validation_size=300000"] {
        let command = ["train", "-a", "dfs", "--out", "run", "--set", change];
        refused(&tool(folder.path(), &command).output().unwrap(), "make sizes, batch, model.hidden");
        assert!(!folder.path().join("run").exists(), "{change}");
    }
    for command in [
        &["predict", "-a", "dfs", "path.csv"][..],
        &["evaluate", "-a", "dfs", "--model", "network", "-n", "20000", "--p", "0.0001", "--graphs", "1"],
        &["evaluate", "-a", "dfs", "-n", "4", "--draws", "18446744073709551615"],
        &["evaluate", "-a", "dfs", "-n", "4", "--graphs", "18446744073709551615"],
        &["generate", "-a", "dfs", "-n", "4", "--graphs", "18446744073709551615"],
    ] {
        refused(&tool(folder.path(), command).output().unwrap(), "is free");
    }
}

#[test]
fn an_executor_that_would_not_fit_is_refused_too() {
    let folder = TempDir::new().unwrap();
    for change in ["graphs=1000000000000", "sizes=[1000000]", "batch=10000000000000"] {
        let command = ["train", "--model", "executor", "-a", "bfs", "--out", "run", "--set", change];
        refused(&tool(folder.path(), &command).output().unwrap(), "make sizes, graphs or batch smaller");
        assert!(!folder.path().join("run").exists(), "{change}");
    }
}

/// Graphs and arrays whose size is no secret, with little memory.
#[test]
fn large_graphs_and_arrays_are_refused_before_they_are_made() {
    let folder = TempDir::new().unwrap();
    let header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (10000, 10000), }";
    let start = [b"\x93NUMPY\x02\x00", &(header.len() as u32).to_le_bytes()[..], header].concat();
    for name in ["rows.npy", "edges.npy"] {
        fs::write(folder.path().join(name), &start).unwrap();
        // All zeros, which take no room.
        let file = File::options().write(true).open(folder.path().join(name)).unwrap();
        file.set_len(start.len() as u64 + 4 * 10_000 * 10_000).unwrap();
    }
    for command in [
        "extract -a dfs --adjacency edges.npy rows.npy --out candidates.jsonl",
        "evaluate -a dijkstra --size 8000 --graphs 10",
        "evaluate -a kruskal --size 8000 --graphs 1 --p 0.9",
        "generate -a kruskal --size 8000 --graphs 1 --out sample.safetensors",
        "export -a dfs --hf card --size 5 --draws 10000000000",
        "export -a dfs --hf card --size 20000 --graphs 1",
    ] {
        let script = format!("ulimit -v 1500000; exec '{}' {command} --threads 1", cargo_bin!("tiebreak").display());
        let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
        refused(&output, "is free");
        for made in ["candidates.jsonl", "sample.safetensors", "card"] {
            assert!(!folder.path().join(made).exists(), "{command}");
        }
    }
}

/// With little memory, so that the bound is soon met.
#[test]
fn what_has_no_end_meets_a_bound() {
    let folder = TempDir::new().unwrap();
    commands(folder.path());
    for command in [
        "verify -a dfs /dev/zero",
        "count -a dfs --cases /dev/zero",
        "extract -a dfs --extractor argmax /dev/zero",
        "solve -a dfs --format csv /dev/zero",
        "solve -a dijkstra --weight length --queries /dev/zero roads.csv",
        "learn --columns from,to --observed /dev/zero --out endless roads.csv",
        "train -a bfs --data /dev/zero --out endless",
        "train -a bfs --config /dev/zero --out endless",
        "predict -a dfs --model /dev/zero graph.csv",
    ] {
        let script = format!("ulimit -v 1500000; exec '{}' {command} --threads 1", cargo_bin!("tiebreak").display());
        let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
        refused(&output, "");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(
            message.contains(" MB,") || message.contains("MiB,") || message.contains("longer than"),
            "{command}: {message}"
        );
        assert!(!folder.path().join("endless").exists(), "{command}");
    }
}

#[test]
fn of_two_that_learn_in_one_directory_the_second_is_told() {
    let folder = TempDir::new().unwrap();
    commands(folder.path());
    fs::create_dir(folder.path().join("cost")).unwrap();
    let learn = [
        "learn",
        "--columns",
        "from,to",
        "--observed",
        "trips.jsonl",
        "--bootstrap",
        "2",
        "--out",
        "cost",
        "roads.csv",
    ];
    let lock = tiebreak::files::Lock::directory(&folder.path().join("cost")).unwrap();
    refused(&tool(folder.path(), &learn).output().unwrap(), &format!("is in use by process {}", std::process::id()));
    drop(lock);
    assert!(tool(folder.path(), &learn).output().unwrap().status.success());
    // A line of its log that is none is named, and nothing is lost in silence.
    fs::write(folder.path().join("cost/log.jsonl"), "{}\n").unwrap();
    let resumed = tool(folder.path(), &[&learn[..], &["--resume"]].concat()).output().unwrap();
    refused(&resumed, "log.jsonl is damaged: line 1");
}

#[test]
fn absurd_numbers_are_refused() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("graph.csv"), "a,b\na,c\nb,c\nc,b\n").unwrap();
    for command in [
        &["count", "-a", "dfs", "graph.csv", "--threads", "100000"][..],
        &["reproduce", "plan", "--threads", "0"],
        &["evaluate", "-a", "dfs", "--threads", "18446744073709551615"],
    ] {
        refused(&tool(folder.path(), command).output().unwrap(), "from 1 to 1024");
    }
    for (value, words) in [("18446744073709551615", "too large"), ("10001", "0..=10000")] {
        let learn = ["learn", "graph.csv", "--observed", "trips.jsonl", "--out", "cost", "--bootstrap", value];
        refused(&tool(folder.path(), &learn).output().unwrap(), words);
    }
    let output = tool(folder.path(), &["count", "-a", "dfs", "graph.csv"]).env("TIEBREAK_KERNELS", "bogus").output();
    refused(&output.unwrap(), "TIEBREAK_KERNELS=bogus: this processor has portable");
}

#[test]
fn names_never_speak_to_the_terminal() {
    let folder = TempDir::new().unwrap();
    let name = "a\u{1b}[31m\u{202e}";
    fs::write(folder.path().join("graph.csv"), format!("{name},b\n{name},c\nb,c\nc,b\n")).unwrap();
    fs::write(folder.path().join("roads.csv"), ROADS.replace("kind", name)).unwrap();
    fs::write(folder.path().join("trips.jsonl"), "{\"path\":[\"a\",\"b\",\"c\"]}\n".repeat(9)).unwrap();
    fs::write(folder.path().join("lost.jsonl"), serde_json::json!({ "path": ["a", name] }).to_string()).unwrap();
    for command in [
        &["solve", "-a", "dfs", "graph.csv"][..],
        &["solve", "-a", "dfs", "--json", "graph.csv"],
        &["solve", "-a", "dfs", "graph.csv", "--require", &format!("b,{name}")],
        &["count", "-a", "dfs", "--list", "3", "graph.csv"],
        &["solve", "-a", "bfs", "graph.csv", "--source", &format!("{name}x")],
        &[
            "learn",
            "roads.csv",
            "--columns",
            "from,to",
            "--observed",
            "trips.jsonl",
            "--bootstrap",
            "2",
            "--out",
            "cost",
        ],
        &[
            "learn",
            "roads.csv",
            "--columns",
            "from,to",
            "--observed",
            "lost.jsonl",
            "--bootstrap",
            "2",
            "--out",
            "lost",
        ],
    ] {
        let output = tool(folder.path(), command).output().unwrap();
        let shown = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{command:?}: {shown:?}");
        assert!(shown.contains("\\u001b[31m\\u202e"), "{command:?}: {shown}");
    }
}

/// Processes that take a lock and let go of it, many times at once: never two of them hold it.
#[test]
fn a_lock_is_held_by_one_at_a_time() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tiebreak::files::Lock;
    let folder = TempDir::new().unwrap();
    let (inside, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let contend = || {
        while taken.load(Ordering::SeqCst) < 2_000 {
            if let Ok(_lock) = Lock::directory(folder.path()) {
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                taken.fetch_add(1, Ordering::SeqCst);
                inside.fetch_sub(1, Ordering::SeqCst);
            }
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(contend))));
}
