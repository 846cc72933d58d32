//! The long jobs, small enough for a test.

use assert_cmd::cargo::cargo_bin;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;
use tiebreak::learn::city::{City, CitySettings};

/// A command that writes to `out`, and the one that goes on with what it left there.
#[derive(Clone, Copy)]
pub struct Job {
    pub name: &'static str,
    begin: &'static str,
    again: Again,
}

/// The command that goes on once the settings are there.
#[derive(Clone, Copy)]
enum Again {
    TheSame,
    With(&'static str),
    Command(&'static str),
}

pub const NETWORK: Job = Job {
    name: "network",
    begin: "train -a bellman-ford --out out --set steps=6 --set batch=2 --set sizes=[4,5] --set validate_every=3 --set \
        validation_size=4 --set validation_graphs=2 --set runs=2 --set model.hidden=8",
    again: Again::Command("train --resume out"),
};

pub const EXECUTOR: Job = Job {
    name: "executor",
    begin: "train --model executor -a bfs --out out --set graphs=4 --set batch=20 --set steps=260 --set hidden=8",
    again: Again::Command("train --resume out"),
};

pub const REPRODUCE: Job =
    Job { name: "reproduce", begin: "reproduce tiny.toml --seeds 1 --out out --threads 1", again: Again::TheSame };

pub const LEARN: Job = Job {
    name: "learn",
    begin: "learn roads.csv --columns from,to --features length,class --observed trips.jsonl --loss likelihood --model \
        linear --per-edge no --bootstrap 2 --out out",
    again: Again::With(" --resume"),
};

/// Several outputs at once; the same command writes them again.
pub const SOLVE: Job = Job {
    name: "solve",
    begin: "solve -a dfs graph.csv --jsonl out/lines.jsonl --dot out/drawings --html out/page.html",
    again: Again::TheSame,
};

const EXPERIMENT: &str = "about = 'a test'\nmeasure = 'draws'\ndraws = 2\nsizes = [4]\ngraphs = 2\n\
    [training]\nsteps = 4\nbatch = 2\nsizes = [4]\nvalidate_every = 2\nvalidation_size = 4\nvalidation_graphs = 2\nruns = 2\n\
    model.hidden = 8\n\
    [[entries]]\nalgorithm = 'bellman-ford'\nmodel = 'kl'\nextractors = ['argmax']\n\
    [[tables]]\nname = 'table'\ntitle = 'a table'\nrows = ['size', 'source', 'method']\n\
    columns = [{ head = 'valid', of = { metric = 'valid' } }]\n";

impl Job {
    /// A folder with everything that the job reads.
    pub fn folder(self) -> TempDir {
        let folder = TempDir::new().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        match self.name {
            "reproduce" => write("tiny.toml", EXPERIMENT),
            "learn" => {
                let city = City::new(&CitySettings { columns: 4, rows: 4, ..CitySettings::default() });
                write("roads.csv", &city.table());
                write("trips.jsonl", &city.lines(&city.trips(20, 0)));
            }
            "solve" => {
                write("graph.csv", "a,b\na,c\nb,c\nc,b\nc,d\n");
                fs::create_dir(folder.path().join("out")).unwrap();
                write("out/lines.jsonl", OLD);
                write("out/page.html", OLD);
            }
            _ => {}
        }
        folder
    }

    pub fn begin(self, folder: &Path) -> Command {
        command(folder, self.begin)
    }

    /// From whatever there is.
    pub fn go_on(self, folder: &Path) -> Command {
        if !folder.join("out/settings.toml").exists() {
            return self.begin(folder);
        }
        match self.again {
            Again::TheSame => self.begin(folder),
            Again::With(more) => command(folder, &format!("{}{more}", self.begin)),
            Again::Command(line) => command(folder, line),
        }
    }

    /// What it makes when nothing interrupts it.
    pub fn undisturbed(self) -> BTreeMap<String, Vec<u8>> {
        let folder = self.folder();
        succeeds(&self.begin(folder.path()).output().unwrap());
        made(folder.path())
    }
}

/// What stood in files before.
pub const OLD: &str = "what was there before";

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(cargo_bin!("tiebreak"));
    command
        .current_dir(folder)
        .args(line.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

pub fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn succeeds(output: &Output) {
    assert!(output.status.success(), "{:?}: {}", output.status, message(output));
}

/// Everything in `out`, but for what tells how fast the machine was.
pub fn made(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let out = folder.join("out");
    let (mut files, mut folders) = (BTreeMap::new(), vec![out.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&out).unwrap().to_str().unwrap().to_owned();
            match path.is_dir() {
                true => folders.push(path),
                // The page has the logs in it; the lock of a killed process is nobody's; once the model of a reproduction is complete, nobody reads the
                // checkpoint that it came from, and it is not brought up to date.
                false
                    if name == "report.html"
                        || name.ends_with(".lock")
                        || name.starts_with("runs/") && name.ends_with("last.safetensors") => {}
                false if name.ends_with("log.jsonl") => drop(files.insert(name, without_speed(&path))),
                false => drop(files.insert(name, fs::read(path).unwrap())),
            }
        }
    }
    files
}

fn without_speed(log: &Path) -> Vec<u8> {
    let text = fs::read_to_string(log).unwrap();
    let line = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("graphs_per_second");
        line.to_string()
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n").into_bytes()
}

pub fn assert_same(made: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>, when: &str) {
    assert_eq!(made.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{when}");
    for (name, bytes) in made {
        assert!(*bytes == expected[name], "{when}: {name} differs");
    }
}
