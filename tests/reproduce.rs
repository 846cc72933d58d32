//! Reproducing as a person lives through it: in one go, piece by piece, killed in the middle; always to the same bits.
#![cfg(unix)]

use assert_cmd::cargo::cargo_bin;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tiebreak::answers::Candidate;
use tiebreak::instance::{GraphSettings, Instance};
use tiebreak::pipeline::written::Written;
use tiebreak::problems::forests::dfs;
use tiebreak::problems::verify::Violation;
use tiebreak::problems::{ALGORITHMS, Algorithm};
use tiebreak::random::Rng;

/// Every way to measure, on graphs and networks small enough for a test.
const TINY: &[(&str, &str)] = &[
    (
        "draws",
        "measure = 'draws'\ndraws = 3\nexhibits = [4]\nmodel = 'kl'\nextractors = ['argmax', 'beam']\nexecutor = true",
    ),
    ("curve", "measure = 'curve'\ndraws = 4\nmodel = 'kl'\nextractors = ['greedy']\nexecutor = true"),
    ("labels", "measure = 'labels'\nmodel = 'index'"),
    ("relabelled", "measure = 'permute-all'\ndraws = 4\nmodel = 'index'"),
    ("reruns", "measure = 'reruns'\nruns = [2, 5]\nseeds = 1"),
];

fn file(name: &str, what: &str) -> String {
    let of_entry = |line: &&str| ["model", "extractors", "executor"].iter().any(|key| line.starts_with(key));
    let (entry, experiment): (Vec<&str>, Vec<&str>) = what.lines().partition(of_entry);
    let metric = match name {
        "draws" => "valid",
        "curve" => "distinct-valid",
        "labels" => "node-accuracy",
        "relabelled" => "distinctness",
        _ => "kl",
    };
    format!(
        "about = 'a test'\nsizes = [4, 6]\ngraphs = 3\n{}\n\
         [training]\nsteps = 60\nbatch = 4\nsizes = [4]\nvalidate_every = 10\nvalidation_size = 4\nvalidation_graphs = 2\nruns = 3\n\
         model.hidden = 8\n\
         [[entries]]\nalgorithm = 'bellman-ford'\n{}\n\
         [[tables]]\nname = 'table-{name}'\ntitle = 'a table'\nrows = ['size', 'source', 'method']\n\
         columns = [{{ head = 'figure', of = {{ metric = '{metric}' }} }}]\n\
         [[figures]]\nname = 'figure'\ntitle = 'a figure'\nbars = ['size']\nseries = ['source', 'method']\n\
         panels = [{{ title = 'a panel', y = 'figure', of = {{ metric = '{metric}' }} }}]\n",
        experiment.join("\n"),
        entry.join("\n")
    )
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, what) in TINY {
        fs::write(folder.path().join(format!("{name}.toml")), file(name, what)).unwrap();
    }
    folder
}

fn reproduce(folder: &Path, part: &[&str], out: &str) -> Command {
    let mut command = Command::new(cargo_bin!("tiebreak"));
    let files = TINY.iter().map(|(name, _)| format!("{name}.toml"));
    command.current_dir(folder).arg("reproduce").args(part).args(files).args(["--seeds", "2", "--out", out]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn succeeds(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", message(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Everything that was made, but for what tells how fast the machine was.
fn made(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![out.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(out).unwrap().to_str().unwrap().to_owned();
            match path.is_dir() {
                true => folders.push(path),
                false if name.ends_with("log.jsonl") || name == "report.html" => {}
                // What a kill in the middle of writing leaves behind; no file of ours has such a name.
                false if name.contains("/.tiebreak-") => {}
                false => {
                    files.insert(name, fs::read(path).unwrap());
                }
            }
        }
    }
    files
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn assert_same(folder: &Path, one: &str, other: &str) {
    let (one, other) = (made(&folder.join(one)), made(&folder.join(other)));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{name} differs");
    }
}

#[test]
fn piece_by_piece_in_any_order_equals_one_go_to_the_bit() {
    let folder = folder();
    let folder = folder.path();
    succeeds(reproduce(folder, &["--threads", "2"], "whole"));
    let plan: Vec<serde_json::Value> = succeeds(reproduce(folder, &["plan"], "pieces"))
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // Two seeds of a model that two experiments share, two of another that two share, and the runs alone.
    assert_eq!(plan.len(), 5, "{plan:?}");
    for (index, piece) in plan.iter().enumerate().rev() {
        assert_eq!((piece["index"].as_u64(), piece["complete"].as_bool()), (Some(index as u64), Some(false)));
        let mut command = reproduce(folder, &["run", "--threads", "1"], "pieces");
        let variable = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"][index % 2];
        succeeds({
            command.env(variable, index.to_string());
            command
        });
    }
    succeeds(reproduce(folder, &["collect"], "pieces"));
    assert_same(folder, "whole", "pieces");
    // Everything is complete, so nothing is trained again: the parameters are not even needed any more.
    fs::remove_dir_all(folder.join("pieces/runs")).unwrap();
    succeeds(reproduce(folder, &[], "pieces"));
    assert!(!folder.join("pieces/runs").exists());
}

#[test]
fn killed_in_the_middle_it_goes_on_to_the_same_bits() {
    let folder = folder();
    let folder = folder.path();
    succeeds(reproduce(folder, &[], "whole"));
    let mut child = reproduce(folder, &["--threads", "1"], "killed").spawn().unwrap();
    let runs = || names_in(&folder.join("killed/runs"));
    let lines =
        |run: &String| fs::read_to_string(folder.join("killed/runs").join(run).join("log.jsonl")).unwrap_or_default();
    while runs().iter().all(|run| lines(run).lines().count() < 2) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "it ended before it could be killed");
    // What there is can be collected; what is missing is named, and the answer is no.
    let collected = reproduce(folder, &["collect"], "killed").output().unwrap();
    assert_eq!(collected.status.code(), Some(1), "{}", message(&collected));
    assert!(message(&collected).contains("missing: draws/bellman-ford-text-0"), "{}", message(&collected));
    // Nothing is trained where that was asked for.
    let before = runs();
    let measured = reproduce(folder, &["--trained-only"], "killed").output().unwrap();
    assert_eq!(measured.status.code(), Some(1), "{}", message(&measured));
    assert_eq!(runs(), before);
    succeeds(reproduce(folder, &["--threads", "2"], "killed"));
    assert_same(folder, "whole", "killed");
}

#[test]
fn a_network_that_sees_everything_relabelled_gives_the_same_answer_relabelled() {
    let folder = folder();
    let folder = folder.path();
    succeeds(reproduce(folder, &[], "out"));
    let rows = fs::read_to_string(folder.join("out/relabelled/rows.csv")).unwrap();
    let values = |metric: &str| -> Vec<String> {
        let of_metric = rows.lines().filter(|row| row.contains(&format!(",{metric},")));
        of_metric.map(|row| row.split(',').nth(8).unwrap().to_owned()).collect()
    };
    assert_eq!(values("distinctness"), ["0.25"; 4]);
    assert_eq!(values("valid-back"), values("valid-there"));
}

#[test]
fn bad_input_is_named_and_nothing_is_overwritten() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("typo.toml"), "about = ''\nmeasure = 'draws'\ngrahps = 3\n").unwrap();
    let refused = |arguments: &[&str], expected: &str| {
        let mut command = Command::new(cargo_bin!("tiebreak"));
        command.current_dir(folder).arg("reproduce").args(arguments).env_remove("SLURM_ARRAY_TASK_ID");
        let output = command.env("JOB_COMPLETION_INDEX", "seven").output().unwrap();
        let message = message(&output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(expected) && !message.contains("panicked"), "{expected}: {message}");
    };
    refused(&["uniqe"], "there is no experiment 'uniqe'; there are unique, accuracy");
    refused(&["nowhere.toml"], "nowhere.toml");
    refused(&["typo.toml"], "typo.toml: TOML parse error at line 3");
    refused(&["run", "labels.toml", "--seeds", "2", "--index", "2"], "there is no piece 2: there are 2, from 0");
    refused(&["run", "labels.toml"], "JOB_COMPLETION_INDEX is 'seven'");
    refused(&["unique", "--seeds", "0"], "--seeds");
    let run = folder.join("out/runs/bellman-ford-text-index-0");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("settings.toml"), "steps = 7").unwrap();
    refused(&["labels.toml", "--out", "out", "--seeds", "1"], "was trained with other settings");
    assert_eq!(fs::read_to_string(run.join("settings.toml")).unwrap(), "steps = 7");
}

/// The same answer, read with every vertex called by its label.
fn relabelled(
    candidate: &Candidate,
    here: &Instance,
    there: &Instance,
    label: &[usize],
) -> Result<Candidate, Violation> {
    let each = |list: Vec<usize>| list.into_iter().map(|vertex| label[vertex]).collect();
    let written = match Written::of(here, candidate) {
        Written::Parents(_) => return Ok(candidate.parents().relabelled(label)),
        Written::Chosen(edges) => {
            Written::Chosen(edges.iter().map(|&(one, other)| (label[one], label[other])).collect())
        }
        Written::Order(order) => Written::Order(each(order)),
        Written::Selected(items) => Written::Selected(each(items)),
    };
    written.candidate(there).unwrap()
}

/// Shortest paths, spanning trees, orders, matchings, and depth-first search with restarts in any order do not know labels: what was a solution stays one.
#[test]
fn relabelling_keeps_solutions_and_nothing_else() {
    let no_labels = |algorithm: &&&dyn Algorithm| algorithm.name() != dfs::ORDERED.name();
    for &algorithm in ALGORITHMS.iter().filter(no_labels) {
        for index in 0..200 {
            let mut rng = Rng::stream(0, "relabelling", index);
            let n = 2 + rng.below(6);
            let instance = algorithm.instance(&GraphSettings { n, ..GraphSettings::default() }, &mut rng);
            let mut label: Vec<usize> = (0..n).collect();
            rng.shuffle(&mut label);
            let there = instance.relabelled(&label);
            let [here, there] = [&instance, &there].map(|instance| algorithm.prepare(instance).unwrap());
            let form = algorithm.problem().form;
            let options = form.options(instance.slots(form));
            let random = Candidate::from_choices(form, instance.slots(form), |_| rng.below(options));
            let some = here.space().solutions().unwrap().take(20);
            for candidate in some.chain([random]) {
                let moved = relabelled(&candidate, here.instance(), there.instance(), &label);
                let verdicts = [here.space().verify(&candidate), moved.and_then(|moved| there.space().verify(&moved))];
                assert_eq!(verdicts[0].is_ok(), verdicts[1].is_ok(), "{} {candidate}", algorithm.name());
            }
        }
    }
}
