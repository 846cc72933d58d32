//! Where the file system may fail, and how tests make it: every reading, writing, syncing and renaming of the program passes [`point`].
//!
//! In a debug build, `TIEBREAK_FAULT=7` makes the seventh of them fail, and `TIEBREAK_FAULT=7:kill` ends the process there as a kill would; a write
//! first writes half of its bytes. A test that counts up from 1 sees every moment at which a file can be left in another state
//! (`tests/faults.rs`). A release build has none of this.

use std::fs::File;
use std::io::{self, Write};

/// What is about to happen to a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Open,
    Read,
    Create,
    Write,
    Sync,
    Rename,
}

/// Passes, unless it is the operation that a test wants to fail.
pub(super) fn point(operation: Operation) -> io::Result<()> {
    match injected::is_due(operation) {
        true => injected::fail(operation),
        false => Ok(()),
    }
}

/// Writes all bytes; where it fails, half of them were written.
pub(super) fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    if injected::is_due(Operation::Write) {
        file.write_all(&bytes[..bytes.len() / 2])?;
        return injected::fail(Operation::Write);
    }
    file.write_all(bytes)
}

#[cfg(debug_assertions)]
mod injected {
    use super::Operation;
    use std::io::{self, Write};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Fault {
        /// Which operation, from 1.
        number: u64,
        kills: bool,
    }

    static WANTED: LazyLock<Option<Fault>> = LazyLock::new(|| {
        let text = std::env::var("TIEBREAK_FAULT").ok()?;
        let (number, how) = text.split_once(':').unwrap_or((&text, ""));
        Some(Fault { number: number.parse().ok()?, kills: how == "kill" })
    });
    static DONE: AtomicU64 = AtomicU64::new(0);

    pub fn is_due(operation: Operation) -> bool {
        let Some(fault) = &*WANTED else { return false };
        let due = DONE.fetch_add(1, Ordering::Relaxed) + 1 == fault.number;
        if due {
            // Somewhere a failure may be no reason to stop; the test still knows that there was one.
            let _ = writeln!(io::stderr(), "fault {}: {operation:?}", fault.number);
        }
        due
    }

    pub fn fail(operation: Operation) -> io::Result<()> {
        if WANTED.as_ref().is_some_and(|fault| fault.kills) {
            std::process::abort();
        }
        Err(io::Error::other(format!("a test has this fail: {operation:?}")))
    }
}

#[cfg(not(debug_assertions))]
mod injected {
    use super::Operation;
    use std::io;

    pub fn is_due(_: Operation) -> bool {
        false
    }

    pub fn fail(_: Operation) -> io::Result<()> {
        Ok(())
    }
}
