//! Weights of items, learnt from the sets that people selected.

use assert_cmd::Command;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tiebreak::instance::{Decimal, Instance, Items};
use tiebreak::problems::by_name;
use tiebreak::random::Rng;

const TASKS: usize = 14;

/// A task: its deadline, and two columns of which people care about the first.
struct Task {
    due: usize,
    gain: f64,
    noise: f64,
    urgent: bool,
}

fn tasks(rng: &mut Rng) -> Vec<Task> {
    let task =
        |_| Task { due: 1 + rng.below(6), gain: 10.0 * rng.unit(), noise: 10.0 * rng.unit(), urgent: rng.chance(0.3) };
    (0..TASKS).map(task).collect()
}

/// The heaviest set by the definition: every subset is tried.
fn heaviest_of_all(due: &[usize], weights: &[f64]) -> f64 {
    let is_early = |set: u32| {
        (1..=due.len()).all(|t| (0..due.len()).filter(|&task| set >> task & 1 == 1 && due[task] <= t).count() <= t)
    };
    let weight = |set: u32| (0..due.len()).filter(|task| set >> task & 1 == 1).map(|task| weights[task]).sum::<f64>();
    (0..1 << due.len()).filter(|&set| is_early(set)).map(weight).fold(0.0, f64::max)
}

#[test]
fn the_heaviest_set_for_any_weights_is_the_best_of_all_subsets() {
    let algorithm = by_name("task-scheduling").unwrap();
    let kind = algorithm.problem().items.unwrap();
    let mut rng = Rng::stream(0, "heaviest sets", 0);
    for _ in 0..200 {
        let n = 1 + rng.below(8);
        let due: Vec<usize> = (0..n).map(|_| 1 + rng.below(n)).collect();
        let weights: Vec<f64> = (0..n).map(|_| rng.unit()).collect();
        let whole = |numbers: &mut dyn Iterator<Item = usize>| numbers.map(|x| Decimal::whole(x as i64)).collect();
        let columns = vec![whole(&mut due.iter().copied()), whole(&mut (0..n).map(|_| 1))];
        let instance = Instance::of_items(Items::new(kind, columns).unwrap());
        let prepared = algorithm.prepare(&instance).unwrap();
        let set = prepared.space().heaviest(&weights).unwrap();
        let own: f64 = set.iter().map(|&task| weights[task]).sum();
        assert!((own - heaviest_of_all(&due, &weights)).abs() < 1e-12, "{due:?} {weights:?} {set:?}");
        assert_eq!(set.iter().collect::<std::collections::BTreeSet<_>>().len(), set.len());
    }
}

/// A folder with tasks whose weight nobody wrote down, and sixty selections by people who know it, each a little off.
fn folder() -> TempDir {
    let mut rng = Rng::stream(1, "tasks to learn from", 0);
    let tasks = tasks(&mut rng);
    let mut table = "task,deadline,gain,noise,kind\n".to_owned();
    for (place, Task { due, gain, noise, urgent }) in tasks.iter().enumerate() {
        let kind = if *urgent { "urgent" } else { "plain" };
        let _ = writeln!(table, "t{place},{due},{gain:.3},{noise:.3},{kind}");
    }
    let mut lines = String::new();
    for _ in 0..60 {
        let worth: Vec<f64> =
            tasks.iter().map(|task| task.gain + if task.urgent { 4.0 } else { 0.0 } + 2.0 * rng.unit()).collect();
        let mut order: Vec<usize> = (0..TASKS).collect();
        order.sort_by(|&one, &other| worth[other].total_cmp(&worth[one]));
        let mut taken: Vec<usize> = vec![];
        for task in order {
            let with = |t: usize| taken.iter().chain([&task]).filter(|&&taken| tasks[taken].due <= t).count();
            if (1..=TASKS).all(|t| with(t) <= t) {
                taken.push(task);
            }
        }
        let names: Vec<String> = taken.iter().map(|task| format!("\"t{task}\"")).collect();
        let _ = writeln!(lines, "{{\"selected\":[{}]}}", names.join(","));
    }
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("tasks.csv"), table).unwrap();
    fs::write(folder.path().join("selected.jsonl"), lines).unwrap();
    folder
}

fn tiebreak(arguments: &str, folder: &Path) -> (i32, String, String) {
    let words = arguments.split(' ');
    let output = Command::cargo_bin("tiebreak").unwrap().args(words).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

const LEARN: &str = "learn tasks.csv --algorithm task-scheduling --bootstrap 10 --observed";

#[test]
fn weights_are_learnt_from_selections_and_used() {
    let folder = folder();
    let (code, output, error) = tiebreak(&format!("{LEARN} selected.jsonl --out worth"), folder.path());
    assert_eq!(code, 0, "{error}");
    assert!(
        output.starts_with("A weight learnt from 60 observations") && output.contains("an observed set is within"),
        "{output}"
    );
    let account: Value = serde_json::from_slice(&fs::read(folder.path().join("worth/account.json")).unwrap()).unwrap();
    let effect = |name: &str| {
        let effects = account["effects"].as_array().unwrap();
        let found = effects.iter().find(|effect| effect["name"].as_str().unwrap().starts_with(name));
        found.unwrap_or_else(|| panic!("{name}: {effects:?}"))["percent"].as_f64().unwrap()
    };
    assert!(effect("gain") > 3.0 * effect("noise").abs() && effect("kind = urgent") > 0.0, "{output}");
    let alone = |column: &str| {
        let found = account["baselines"].as_array().unwrap().iter().find(|one| one["column"] == column);
        found.unwrap()["fit"]["distance"].as_f64().unwrap()
    };
    let learnt = account["held_out"]["distance"].as_f64().unwrap();
    assert!(learnt <= alone("gain") && learnt < alone("noise"), "{output}");
    let solve = "solve tasks.csv --algorithm task-scheduling --cost worth --json";
    let (code, output, error) = tiebreak(solve, folder.path());
    assert!(code == 0 && error.contains("weights are learnt"), "{error}");
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert!(!answer["solutions"].as_array().unwrap().is_empty(), "{output}");
    let (code, _, error) = tiebreak(&format!("{solve} --within auto"), folder.path());
    assert_eq!(code, 0, "{error}");
    let (code, page, error) = tiebreak("report worth", folder.path());
    assert!(code == 0 && page.starts_with("worth/report.html"), "{error}");
}

#[test]
fn selections_that_cannot_be_are_named() {
    let folder = folder();
    let cases = [
        ("{\"selected\":[\"t0\",\"t99\"]}", "line 1: there is no item 't99'"),
        ("{\"selected\":[\"t0\",\"t0\"]}", "line 1: 't0' is selected twice"),
        ("{\"path\":[\"t0\",\"t1\"]}", "these are items"),
        ("{\"way\":[]}", "it has no `selected`"),
    ];
    for (line, fragment) in cases {
        fs::write(folder.path().join("bad.jsonl"), line).unwrap();
        let (code, _, error) = tiebreak(&format!("{LEARN} bad.jsonl --out bad"), folder.path());
        assert!(code == 2 && error.contains(fragment) && !folder.path().join("bad").exists(), "{fragment}: {error}");
    }
    let all: Vec<String> = (0..TASKS).map(|task| format!("\"t{task}\"")).collect();
    fs::write(folder.path().join("bad.jsonl"), format!("{{\"selected\":[{}]}}", all.join(","))).unwrap();
    let (code, _, error) = tiebreak(&format!("{LEARN} bad.jsonl --out bad"), folder.path());
    assert!(code == 2 && error.contains("does not go with the items before it"), "{error}");
    let (code, _, error) = tiebreak(&format!("{LEARN} selected.jsonl --loss likelihood --out bad"), folder.path());
    assert!(code == 2 && error.contains("the likelihood is that of routes"), "{error}");
    let activities = LEARN.replace("task-scheduling", "activity-selection");
    fs::write(folder.path().join("tasks.csv"), "name,start,end\na,1,2\nb,2,3\n").unwrap();
    let (code, _, error) = tiebreak(&format!("{activities} selected.jsonl --out bad"), folder.path());
    assert!(code == 2 && error.contains("no weight that could be learnt"), "{error}");
}
