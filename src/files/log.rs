//! Logs: a JSON object a line, which is added and synced before whatever depends on it.

use super::read::read_text_if_there;
use super::{WriteFileError, append};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A log that cannot be used.
#[derive(Debug, Error)]
pub enum LogError {
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Some line is not one of a log.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which line, and what is wrong with it.
        reason: String,
    },
}

/// The lines of a log; none where there is no file. A last line that a kill cut off is left out: whoever goes on writes it again.
pub fn read_log<L: DeserializeOwned>(path: &Path) -> Result<Vec<L>, LogError> {
    let text = read_text_if_there(path).map_err(|source| LogError::File { path: path.to_owned(), source })?;
    let mut lines = vec![];
    for (place, line) in text.unwrap_or_default().split_inclusive('\n').enumerate() {
        match serde_json::from_str(line) {
            Ok(line) => lines.push(line),
            Err(_) if !line.ends_with('\n') => break,
            Err(error) => {
                let reason = format!("line {} is not a line of a log: {error}", place + 1);
                return Err(LogError::Damaged { path: path.to_owned(), reason });
            }
        }
    }
    Ok(lines)
}

/// Adds a line to a log.
pub fn append_to_log(path: &Path, line: &impl Serialize) -> Result<(), WriteFileError> {
    append(path, log_line(line).as_bytes())
}

/// A line as a log has it.
pub fn log_line(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("numbers and names are always JSON") + "\n"
}
