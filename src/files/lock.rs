//! What one process at a time may write to: a directory, or a piece of work.
//!
//! The lock is an advisory one of the operating system on a file (`.lock` in a directory), which also names its owner for the message that a second
//! process gets. The system lets go of it when its owner ends, however it ends, so nobody has to clean up after a kill. Whoever takes
//! a directory's knows that half-written files in the directory belong to nobody any more, and removes them.

use super::remove_temporaries;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A lock, held for as long as this lives.
#[derive(Debug)]
pub struct Lock {
    /// The system's lock goes when the file is closed.
    #[allow(dead_code, reason = "it is held, not read")]
    file: File,
    path: PathBuf,
}

/// Why something could not be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process has it.
    #[error("{} is in use by {owner}; wait until it ends, or choose another directory", what.display())]
    InUse {
        /// What is locked.
        what: PathBuf,
        /// The process, as it named itself.
        owner: String,
    },
    /// The lock's file cannot be used.
    #[error("cannot lock {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Lock {
    /// Locks an existing directory and removes what killed processes left half-written in it.
    pub fn directory(directory: &Path) -> Result<Self, LockError> {
        let lock = Lock::file(&directory.join(".lock"), directory)?;
        remove_temporaries(directory).map_err(|source| LockError::File { path: directory.to_owned(), source })?;
        Ok(lock)
    }

    /// Locks a file that exists for that alone; messages speak of `what`.
    pub fn file(path: &Path, what: &Path) -> Result<Self, LockError> {
        let failed = |source| LockError::File { path: path.to_owned(), source };
        loop {
            let opened = File::options().read(true).write(true).create(true).truncate(false).open(path);
            let mut file = opened.map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut owner = String::new();
                    // Another system's lock may forbid reading; the message does without the name then.
                    let _ = file.read_to_string(&mut owner);
                    let owner = if owner.trim().is_empty() { "another process" } else { owner.trim() }.to_owned();
                    return Err(LockError::InUse { what: what.to_owned(), owner });
                }
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
            // The last owner may have removed the file between our opening and our locking it.
            if is_at(&file, path) {
                name_owner(&mut file).map_err(failed)?;
                return Ok(Lock { file, path: path.to_owned() });
            }
        }
    }
}

impl Drop for Lock {
    /// Removes the file while the lock still holds; that it stays, where it cannot be removed, does no harm.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether the open file is the one at the path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |about: fs::Metadata| (about.dev(), about.ino());
    file.metadata().is_ok_and(|open| fs::metadata(path).is_ok_and(|named| identity(open) == identity(named)))
}

#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

fn name_owner(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "process {} on {}", std::process::id(), host())
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    name.map_or_else(|| "this machine".to_owned(), |name| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_taker_is_told_who_has_it_and_the_next_may_have_it() {
        let directory = tempfile::tempdir().unwrap();
        let first = Lock::directory(directory.path()).unwrap();
        let error = Lock::directory(directory.path()).unwrap_err().to_string();
        assert!(error.contains(&format!("is in use by process {} on", std::process::id())), "{error}");
        drop(first);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "the lock's file goes with the lock");
        Lock::directory(directory.path()).unwrap();
    }

    #[test]
    fn what_a_killed_process_left_half_written_goes() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join(".tiebreak-x3f"), b"half").unwrap();
        fs::write(directory.path().join("log.jsonl"), b"{}\n").unwrap();
        let _lock = Lock::directory(directory.path()).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [".lock", "log.jsonl"]);
    }
}
