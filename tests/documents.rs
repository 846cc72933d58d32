//! Every command in README.md and docs/*.md is run, so that none can rot.
//!
//! A block of `sh` runs in a shell, in a temporary directory that has `docs/data` and is shared by the blocks of one
//! document, with the built `tiebreak` in the path; `cargo run --release --` runs it, too. A block of `text` right after it
//! is its output, where `…` stands for anything. A comment right before a block of `sh` may say
//! `<!-- exit code 1 -->`, or `<!-- not run: why -->`, which is for lines that no test can run: [`UNRUNNABLE`] lists them.
//! Commands within a sentence, as `tiebreak evaluate --graphs 320`, are checked to be understood.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// How a line that is not run may begin: tests within tests, long trainings, what needs a network.
const UNRUNNABLE: &[&str] = &[
    "#",
    "cargo test",
    "cargo bench",
    "cargo doc",
    "cargo fuzz",
    "cargo install",
    "cargo run --release --example",
    "cargo run --release -- train",
    "cargo run --release -- reproduce",
    "tiebreak train",
    "tiebreak reproduce",
    "tiebreak report",
    "maturin",
    "pip",
    "python",
    "xdg-open",
];

/// A fenced block of a document.
#[derive(Debug, Default)]
struct Block {
    line: usize,
    language: String,
    text: String,
    /// The comment on the line before it.
    comment: Option<String>,
    /// Whether only empty lines lie between it and the block before it.
    follows_directly: bool,
}

fn blocks(document: &str) -> Vec<Block> {
    let (mut blocks, mut open): (Vec<Block>, Option<Block>) = (vec![], None);
    let (mut comment, mut follows_directly) = (None, false);
    for (index, line) in document.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        match (open.as_mut(), fence) {
            (None, Some(language)) => {
                let (language, comment) = (language.trim().to_owned(), comment.take());
                open = Some(Block { line: index + 1, language, comment, follows_directly, text: String::new() });
            }
            (Some(_), Some(_)) => {
                blocks.extend(open.take());
                follows_directly = true;
            }
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {
                let inside = line.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
                comment = inside.map(|inside| inside.trim().to_owned());
                follows_directly = follows_directly && line.trim().is_empty();
            }
        }
    }
    assert!(open.is_none(), "a block does not end: {open:?}");
    blocks
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut documents: Vec<PathBuf> = [root.join("README.md")].into_iter().chain(pages).collect();
    documents.sort();
    documents
}

/// `cargo run --release --` runs the built tool. A function, because a program that was just written cannot always be started:
/// another test's child may still hold it open.
const CARGO: &str = "cargo() {
    case \"$1 $2 $3\" in
        'run --release --') shift 3; tiebreak \"$@\";;
        *) echo \"no test can run: cargo $*\" >&2; return 99;;
    esac
}";

/// A directory as a reader has it: the built tool in the path, the data of the documents.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        let desk = TempDir::new().unwrap();
        let (bin, data) = (desk.path().join("bin"), desk.path().join("docs/data"));
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir_all(&data).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tiebreak"), bin.join("tiebreak")).unwrap();
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/data")).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, data.join(path.file_name().unwrap())).unwrap();
        }
        Desk(desk)
    }

    /// Runs a script; its exit code, its output, and what it said besides.
    fn run(&self, script: &str) -> (i32, String, String) {
        let path = format!("{}:{}", self.0.path().join("bin").display(), std::env::var("PATH").unwrap());
        let script = format!("{CARGO}\n{script}");
        let output = Command::new("sh").args(["-c", &script]).current_dir(self.0.path()).env("PATH", path).output();
        let output = output.unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }
}

/// True when the text is the pattern, in which `…` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (index, part) in parts.iter().enumerate() {
        if index + 1 == parts.len() {
            return rest.len() >= part.len() && rest.ends_with(part);
        }
        match rest.find(part) {
            Some(place) => rest = &rest[place + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

#[test]
fn every_command_in_a_block_runs_and_says_what_the_document_says() {
    let mut run = 0;
    for path in documents() {
        let desk = Desk::new();
        let blocks = blocks(&fs::read_to_string(&path).unwrap());
        for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.language == "sh") {
            let place = format!("{}, line {}", path.display(), block.line);
            let comment = block.comment.as_deref().unwrap_or("exit code 0");
            if let Some(reason) = comment.strip_prefix("not run:") {
                assert!(!reason.trim().is_empty(), "{place}: why is it not run?");
                let runnable =
                    |line: &&str| !line.is_empty() && !UNRUNNABLE.iter().any(|start| line.starts_with(start));
                assert_eq!(block.text.lines().find(runnable), None, "{place}: this can be run");
                continue;
            }
            let expected = comment.strip_prefix("exit code ").and_then(|code| code.parse::<i32>().ok());
            let expected = expected.unwrap_or_else(|| panic!("{place}: '{comment}' is not a comment this test knows"));
            let (code, output, error) = desk.run(&block.text);
            assert_eq!(code, expected, "{place}: {}\n{output}{error}", block.text);
            run += 1;
            if let Some(shown) = blocks.get(index + 1).filter(|next| next.language == "text" && next.follows_directly) {
                let (shown, output) = (shown.text.trim_end(), output.trim_end());
                assert!(matches(shown, output), "{place} says\n{shown}\nbut it prints\n{output}\n{error}");
            }
        }
    }
    assert!(run >= 10, "{run}");
}

#[test]
fn every_command_in_a_sentence_is_understood() {
    let desk = Desk::new();
    for path in documents() {
        let document = fs::read_to_string(&path).unwrap();
        let mut in_block = false;
        for (index, line) in document.lines().enumerate() {
            in_block ^= line.trim_start().starts_with("```");
            let spans = line.split('`').skip(1).step_by(2);
            let commands = spans.filter_map(|span| span.strip_prefix("tiebreak ")).filter(|_| !in_block);
            for command in commands.filter(|command| !command.contains(['…', '<'])) {
                let (code, _, error) = desk.run(&format!("tiebreak {command} --help"));
                assert_eq!(code, 0, "{}, line {}: tiebreak {command}\n{error}", path.display(), index + 1);
            }
        }
    }
}

#[test]
fn what_an_ellipsis_stands_for() {
    assert!(matches("a … c\n…", "a b c\nd\ne") && matches("…", "") && matches("a", "a") && matches("a…", "a"));
    assert!(!matches("a … c", "a b d") && !matches("a", "ab") && !matches("…b", "bc") && !matches("ab…bc", "abc"));
}
