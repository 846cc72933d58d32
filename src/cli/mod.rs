//! One subcommand a file, and what they share.

mod answer_input;
mod choices;
mod convert;
mod count;
mod evaluate;
mod export;
mod extract;
mod generate;
mod graph_input;
mod inputs;
mod item_input;
mod learn;
mod output;
mod predict;
mod report;
mod reproduce;
mod reproduce_summary;
pub(crate) mod screen;
mod solve;
mod train;
mod verify;
mod what_was_read;

use anyhow::Result;
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tiebreak::cancel::{self, Cancelled};

/// Neural algorithmic reasoning with many correct answers.
///
/// Exit codes: 0 good, 1 the answer is no ("not valid", "no solution"), 2 bad input or usage.
#[derive(Parser)]
#[command(name = "tiebreak", version, propagate_version = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(Box<solve::Solve>),
    Learn(Box<learn::Learn>),
    Generate(generate::Generate),
    Extract(extract::Extract),
    Verify(verify::Verify),
    Train(train::Train),
    Predict(predict::Predict),
    Evaluate(evaluate::Evaluate),
    Export(export::Export),
    Reproduce(reproduce::Reproduce),
    Count(count::Count),
    Convert(convert::Convert),
    Report(report::Report),
}

/// What every command takes.
#[derive(Args)]
pub struct Common {
    /// Seed of everything random; the same seed gives the same result
    #[arg(long, default_value_t = 0, global = true)]
    seed: u64,
    /// Write results for machines: one JSON object a line
    #[arg(long, global = true)]
    json: bool,
    /// Number of threads (results do not depend on it) [default: all cores]
    #[arg(long, global = true, value_parser = threads)]
    threads: Option<usize>,
}

/// Threads that a machine can be asked for; many more than it has cores are of no use, and a hundred thousand bring it down.
const MAX_THREADS: usize = 1_024;

/// A number of threads that can be started.
pub fn threads(text: &str) -> Result<usize, String> {
    let count: usize = text.parse().map_err(|error| format!("{error}"))?;
    match (1..=MAX_THREADS).contains(&count) {
        true => Ok(count),
        false => Err(format!("from 1 to {MAX_THREADS}")),
    }
}

impl Common {
    /// Runs `work` on the wanted number of threads.
    fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0)).build()?;
        Ok(pool.install(work))
    }

    /// As [`Common::on_threads`], for work that is left in the middle once the flag is set.
    fn until_stopped<T: Send>(
        &self,
        stop: &Arc<AtomicBool>,
        work: impl FnOnce() -> T + Send,
    ) -> Result<Result<T, Cancelled>> {
        let pool = cancel::pool(self.threads.unwrap_or(0), stop)?;
        Ok(cancel::catch(|| pool.install(work)))
    }
}

/// What a command that did its work has to say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is as it should be.
    Good,
    /// The work was done, and the answer is no.
    NotValid,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        match outcome {
            Outcome::Good => ExitCode::SUCCESS,
            Outcome::NotValid => ExitCode::from(1),
        }
    }
}

/// Does what the arguments say.
pub fn run(arguments: Arguments) -> Result<Outcome> {
    tiebreak::neural::nn::Kernels::asked_for().map_err(anyhow::Error::msg)?;
    match arguments.command {
        Command::Solve(command) => command.run(),
        Command::Learn(command) => command.run(),
        Command::Generate(command) => command.run(),
        Command::Extract(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Train(command) => command.run(),
        Command::Predict(command) => command.run(),
        Command::Evaluate(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Reproduce(command) => command.run(),
        Command::Count(command) => command.run(),
        Command::Convert(command) => command.run(),
        Command::Report(command) => command.run(),
    }
}

/// A flag that Ctrl-C and SIGTERM set.
fn stop_on_request() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    ctrlc::set_handler(move || {
        // A second request does not wait for the step to end.
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

/// The arguments of the command line. What is wrong with them is told in words that a terminal does not obey.
pub fn arguments() -> Result<Arguments, clap::Error> {
    parsed(&std::env::args_os().collect::<Vec<_>>())
}

/// As [`arguments`]. The parser repeats what was typed as it was, so its complaint is taken from arguments that are escaped; its colours stay.
fn parsed(words: &[OsString]) -> Result<Arguments, clap::Error> {
    let is_plain = |word: &OsString| screen::in_line(&word.to_string_lossy()) == word.to_string_lossy();
    Arguments::try_parse_from(words).map_err(|message| {
        if words.iter().all(is_plain) {
            return message;
        }
        let escaped = words.iter().map(|word| screen::in_line(&word.to_string_lossy()).into_owned());
        match Arguments::try_parse_from(escaped) {
            Err(escaped) => escaped,
            // Wrong only by what was escaped: the kind of the mistake has no such words in it.
            Ok(_) => Arguments::command().error(message.kind(), message.kind()),
        }
    })
}

/// What the parser has to say: help and the version on standard output; a mistake on standard error, and the end, with exit code 2.
pub fn show_usage(message: clap::Error) -> Result<Outcome> {
    if message.use_stderr() {
        message.exit();
    }
    message.print().map_err(screen::of_standard_output)?;
    Ok(Outcome::Good)
}

/// True when whoever read our output has stopped reading (`tiebreak … | head`): no reason to complain.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref::<io::Error>() {
        Some(error) => Some(error.kind()),
        None => cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind),
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_about_arguments_hold_nothing_that_a_terminal_would_obey() {
        let typed = "d\u{1b}]0;PWN\u{7}\n\u{202e}e";
        let lines = [
            vec!["count", "-a", typed, "n.csv"],
            vec![typed],
            vec!["solve", "-a", "dfs", "x.csv", typed],
            vec!["solve", "-a", "dfs", "x.csv", "-k", typed],
            vec!["count", "-a", "dfs", "x.csv", "--delimiter", "\u{1b}\u{7}"],
        ];
        for line in lines {
            let words: Vec<OsString> = ["tiebreak"].iter().chain(&line).map(OsString::from).collect();
            let message = parsed(&words).err().unwrap_or_else(|| panic!("{line:?}"));
            let told = message.render().ansi().to_string();
            // What is left are the parser's own colours.
            let uncoloured = told.replace("\u{1b}[", "");
            assert_eq!(uncoloured.replace('\n', ""), screen::in_line(&uncoloured.replace('\n', "")), "{told:?}");
            assert!(told.contains("\\u001b"), "{told:?}");
            assert!(!told.contains("PWN") || told.contains("]0;PWN\\u0007\\n"), "{told:?}");
        }
    }
}
