//! The command-line tool: reads arguments, calls the library, prints.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let done = cli::arguments().map_or_else(cli::show_usage, cli::run);
    match done {
        Ok(outcome) => outcome.into(),
        Err(error) if cli::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            cli::screen::say!("tiebreak: {error:#}");
            ExitCode::from(2)
        }
    }
}
