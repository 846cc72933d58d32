//! The table of ARCHITECTURE.md says which module may know which; the `use` lines of every module are held to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each module may know; `None` is everything.
fn table() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with("| module |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 3, "a row has three cells: {line}");
        let known = match cells[2] {
            "everything" => None,
            list => Some(list.split(',').map(name).filter(|known| !known.is_empty()).collect()),
        };
        (name(cells[0]), known)
    };
    rows.map(row).collect()
}

fn name(cell: &str) -> String {
    cell.trim().trim_matches('`').to_owned()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The text without comments and without the tests at the end of the file.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The row of a path of modules: `a::b` where the table has one, otherwise `a`.
fn row_of(path: &[String], table: &BTreeMap<String, Option<BTreeSet<String>>>) -> Option<String> {
    let nested = path.get(..2).map(|two| two.join("::")).filter(|nested| table.contains_key(nested));
    nested.or_else(|| path.first().cloned())
}

/// The paths that a file names: `crate::a::b`, or `tiebreak::a::b` in the binary.
fn named(code: &str) -> BTreeSet<Vec<String>> {
    assert!(!code.contains("use crate::{") && !code.contains("use tiebreak::{"), "one module a `use` line");
    let after = |prefix: &'static str| code.match_indices(prefix).map(move |(place, _)| &code[place + prefix.len()..]);
    let word = |text: &str| text.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect::<String>();
    let path = |text: &str| text.split("::").take(2).map(word).filter(|word| !word.is_empty()).collect();
    after("crate::").chain(after("tiebreak::")).map(path).collect()
}

#[test]
fn modules_know_only_what_the_table_allows() {
    let table = table();
    assert!(table.len() > 20, "the table was not found");
    let source = root().join("src");
    let mut files = vec![];
    sources(&source, &mut files);
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files {
        let inside = path.strip_prefix(&source).unwrap();
        let modules: Vec<String> =
            inside.iter().map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
        let module = row_of(&modules, &table).unwrap();
        let is_room =
            modules.last().is_some_and(|name| name == "mod") && modules.len() == 2 && !table.contains_key(&module);
        if module == "lib" || module == "main" || is_room {
            continue;
        }
        let may_know = table.get(&module).unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {module}"));
        for other in named(&code(&path)).iter().filter_map(|named| row_of(named, &table)) {
            if other == module || !table.contains_key(&other) {
                continue;
            }
            let allowed = may_know.as_ref().is_none_or(|list| list.contains(&other));
            assert!(allowed, "{} knows {other}, which ARCHITECTURE.md does not allow {module}", inside.display());
            seen.entry(module.clone()).or_default().insert(other);
        }
    }
    // A permission that nobody uses is out of date.
    for (module, may_know) in &table {
        let used = seen.get(module).cloned().unwrap_or_default();
        let unused: Vec<&String> = may_know.iter().flatten().filter(|known| !used.contains(*known)).collect();
        assert!(unused.is_empty(), "{module} may know {unused:?}, but does not");
    }
}

/// `unsafe` stands in the kernels only; the compiler is told so, and this says that it still is.
#[test]
fn unsafe_code_is_denied_outside_the_kernels() {
    let library = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    assert!(library.contains("#![deny(unsafe_code)]"));
    let mut files = vec![];
    sources(&root().join("src"), &mut files);
    let allowing = files.iter().filter(|path| fs::read_to_string(path).unwrap().contains("allow(unsafe_code)"));
    let allowing: Vec<&PathBuf> = allowing.collect();
    assert!(allowing.len() == 1 && allowing[0].ends_with("src/neural/nn/mod.rs"), "{allowing:?}");
}

/// Stages take names of algorithms from the slice.
#[test]
fn no_stage_names_an_algorithm() {
    let mut files = vec![];
    sources(&root().join("src"), &mut files);
    let outside = files.iter().filter(|path| !path.starts_with(root().join("src/problems")));
    for path in outside {
        let code = code(path);
        for algorithm in tiebreak::problems::ALGORITHMS {
            let quoted = format!("\"{}\"", algorithm.name());
            // The default of a training's settings is the one exception: a file may leave the algorithm out.
            let allowed =
                path.ends_with("src/neural/train/settings.rs") || path.ends_with("src/neural/executor/settings.rs");
            assert!(allowed || !code.contains(&quoted), "{} names {quoted}", path.display());
        }
    }
}

/// So that a test can have any of them fail (`tests/interrupted/faults.rs`). What the system says of memory is no file of anybody's.
#[test]
fn only_one_module_reads_and_writes_files() {
    let source = root().join("src");
    let mut files = vec![];
    sources(&source, &mut files);
    let others = files.iter().filter(|path| !path.starts_with(source.join("files")) && !path.ends_with("memory.rs"));
    for path in others {
        let code = code(path);
        for direct in
            ["fs::read(", "fs::read_to_string", "fs::write", "fs::create_dir", "fs::rename", "File::", "OpenOptions"]
        {
            let own = ["EventFile::", "GraphFile::", "DataFile::", "SampleFile::"];
            let found = code
                .match_indices(direct)
                .any(|(place, _)| !own.iter().any(|own| code[..place + direct.len()].ends_with(own)));
            assert!(!found, "{}: {direct} outside of `files`", path.display());
        }
    }
}
