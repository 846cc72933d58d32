//! The command-line tool: reads arguments, calls the library, prints.

mod cli;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = cli::Arguments::parse();
    match cli::run(arguments) {
        Ok(outcome) => outcome.into(),
        Err(error) if cli::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            cli::screen::say!("tiebreak: {error:#}");
            ExitCode::from(2)
        }
    }
}
