//! Two ways to the same numbers: from file to file (`generate`, `predict`, `extract`, `verify`) and in one process (`evaluate`).

use assert_cmd::Command;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tiebreak::answers::Candidate;
use tiebreak::instance::GraphSettings;
use tiebreak::pipeline::draw::UniformRows;
use tiebreak::pipeline::evaluate::{CandidateSource, EvaluateSettings, evaluate};
use tiebreak::pipeline::generate;
use tiebreak::pipeline::metrics::mean;
use tiebreak::problems::extract::Argmax;
use tiebreak::problems::ties::TiePolicy;
use tiebreak::problems::{ALGORITHMS, Algorithm};

const SIZES: [&str; 4] = ["-n", "5", "-n", "16"];
const GRAPHS: usize = 4;
const DRAWS: usize = 5;
const SEED: [&str; 2] = ["--seed", "3"];

/// Runs the tool; what it prints. Invalid candidates (exit code 1) are an answer, too.
fn tiebreak(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::cargo_bin("tiebreak").unwrap().args(arguments).current_dir(folder).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn parsed(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The share of valid candidates by size, extractor and where the marginals came from, as `evaluate` reports it.
fn evaluated(folder: &Path, algorithm: &dyn Algorithm, more: &[&str]) -> BTreeMap<(u64, String, String), f64> {
    let counts = ["--graphs", &GRAPHS.to_string(), "--draws", &DRAWS.to_string()];
    let evaluate = ["evaluate", "-a", algorithm.name(), "--json"];
    let rows = tiebreak(folder, &[&evaluate[..], &SIZES, &counts, &SEED, more].concat());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let share = |row: Value| {
        let key = (row["size"].as_u64().unwrap(), text(&row["extractor"]), text(&row["distribution"]));
        (key, row["valid"].as_f64().unwrap())
    };
    parsed(&rows).into_iter().map(share).collect()
}

/// The share of valid candidates by size, drawn from a file by one extractor and judged from the file that this makes: the mean over graphs, in
/// their order.
fn from_files(folder: &Path, algorithm: &dyn Algorithm, marginals: &str, extractor: &str) -> BTreeMap<u64, f64> {
    let extract = ["extract", "-a", algorithm.name(), marginals, "--extractor", extractor, "-o", "drawn.jsonl"];
    tiebreak(folder, &[&extract[..], &["--draws", &DRAWS.to_string()], &SEED].concat());
    let drawn = parsed(&fs::read_to_string(folder.join("drawn.jsonl")).unwrap());
    let verdicts = parsed(&tiebreak(folder, &["verify", "-a", algorithm.name(), "drawn.jsonl"]));
    assert_eq!((drawn.len(), verdicts.len()), (2 * GRAPHS * DRAWS, 2 * GRAPHS * DRAWS));
    let mut shares: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (candidates, verdicts) in drawn.chunks(DRAWS).zip(verdicts.chunks(DRAWS)) {
        assert!(candidates.iter().all(|candidate| candidate["sample"] == candidates[0]["sample"]));
        let valid = verdicts.iter().filter(|verdict| verdict["valid"] == true).count();
        assert_eq!(valid, candidates.iter().filter(|candidate| candidate["valid"] == true).count());
        let size = match algorithm.problem().items {
            Some(kind) => candidates[0][kind.many].as_array().unwrap().len() as u64,
            None => candidates[0]["n"].as_u64().unwrap(),
        };
        shares.entry(size).or_default().push(valid as f64 / DRAWS as f64);
    }
    shares.into_iter().map(|(size, shares)| (size, mean(shares).unwrap())).collect()
}

fn generate(folder: &Path, algorithm: &dyn Algorithm, file: &str) {
    let generate = ["generate", "-a", algorithm.name(), "--graphs", &GRAPHS.to_string(), "-o", file];
    tiebreak(folder, &[&generate[..], &SIZES, &SEED].concat());
}

/// Every extractor gives by files what it gives in one process, to the last digit.
fn assert_the_same(
    folder: &Path,
    algorithm: &dyn Algorithm,
    file: &str,
    rows: &BTreeMap<(u64, String, String), f64>,
    from: &str,
) {
    for extractor in algorithm.problem().extractors {
        let shares = from_files(folder, algorithm, file, extractor.name());
        assert_eq!(shares.keys().copied().collect::<Vec<_>>(), [5, 16]);
        for (size, share) in shares {
            let row = rows[&(size, extractor.name().to_owned(), from.to_owned())];
            assert_eq!(share, row, "{algorithm:?}, {extractor:?} on {from} marginals in {file}, n = {size}");
        }
    }
}

#[test]
fn draws_from_generated_files_are_those_of_evaluate() {
    for &algorithm in ALGORITHMS {
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        let rows = evaluated(folder, algorithm, &[]);
        let file = if algorithm.needs().source { "x.jsonl" } else { "x.safetensors" };
        generate(folder, algorithm, file);
        assert_the_same(folder, algorithm, file, &rows, "empirical");
    }
}

#[test]
fn draws_from_predicted_files_are_those_of_evaluate() {
    let mut networks = 0;
    for &algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.models().network.is_some()) {
        networks += 1;
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        let rows = evaluated(folder, algorithm, &["--model", "network"]);
        for ending in ["jsonl", "safetensors"] {
            let [made, predicted] = ["made", "predicted"].map(|name| format!("{name}.{ending}"));
            generate(folder, algorithm, &made);
            tiebreak(folder, &["predict", "-a", algorithm.name(), &made, "-o", &predicted]);
            assert_the_same(folder, algorithm, &predicted, &rows, "predicted");
        }
    }
    assert!(networks >= 3, "{networks}");
}

/// Of rows that know nothing, argmax always takes the first options, so its distance is what the law gives to all others.
#[test]
fn the_distance_from_the_law_is_noise_for_runs_and_what_a_fixed_answer_misses() {
    let (graph, ties) = (GraphSettings { n: 5, ..GraphSettings::default() }, TiePolicy::OneOrder);
    let settings = EvaluateSettings { graph, graphs: 3, draws: 5, seed: 0, law: Some(ties) };
    for &algorithm in ALGORITHMS {
        let distance = |source| evaluate(algorithm, &source, &settings, &|| {}).unwrap()[0].law_distance.unwrap();
        let missed = |index| {
            let instance = generate::instance(algorithm, &graph, 0, index);
            let prepared = generate::prepared(algorithm, &instance);
            let law = prepared.law(ties, algorithm.first_in_order(graph.preset)).unwrap();
            let fixed = Candidate::from_choices(law.form(), law.slots(), |_| 0);
            mean((0..law.slots()).map(|slot| 1.0 - law.row(slot)[fixed.choice(slot)])).unwrap()
        };
        let wanted = mean((0..3).map(missed)).unwrap();
        let argmax = distance(CandidateSource::Marginals(&UniformRows, &[&Argmax]));
        assert!((argmax - wanted).abs() < 1e-9, "{}: {argmax}, not {wanted}", algorithm.name());
        let runs = distance(CandidateSource::Runs(ties));
        assert!(runs < 0.1 && runs < argmax, "{}: {runs} of its own runs, {argmax}", algorithm.name());
    }
}
