//! Files that are written whole or not at all, and directories that one process at a time may write to. Nothing else in the program reads or writes files.

mod faults;
mod lock;
mod log;
mod read;

pub use lock::{Lock, LockError};
pub use log::{LogError, append_to_log, log_line, read_log};
pub use read::{Input, next_line, open, read, read_text, read_text_if_there};

use faults::{Operation, point};
use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file that could not be written.
#[derive(Debug, Error)]
#[error("cannot write {}", path.display())]
pub struct WriteFileError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// Writes a file so that nobody ever sees half of it.
///
/// The bytes go to a temporary file in the same directory, which then takes the place of `path`; if anything fails
/// before that, a file that was there stays as it was. A file keeps its permissions, a symbolic link stays a link,
/// and what is not a plain file (a pipe, `/dev/stdout`) is written to directly, since it cannot be replaced.
///
/// ```
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("graph.csv");
/// tiebreak::files::write_atomically(&path, b"a,b\n").unwrap();
/// assert_eq!(std::fs::read(&path).unwrap(), b"a,b\n");
/// ```
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), WriteFileError> {
    replace(path, bytes).map_err(|source| WriteFileError { path: path.to_owned(), source })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let existing = match fs::metadata(path) {
        Ok(about) => Some(about),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if existing.as_ref().is_some_and(|about| about.is_dir()) {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    if existing.as_ref().is_some_and(|about| !about.is_file()) {
        return faults::write_all(&mut File::options().write(true).open(path)?, bytes);
    }
    let target = if existing.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    let directory = match target.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let permissions = existing.map_or_else(usual_permissions, |about| Some(about.permissions()));
    let prefix = temporary_prefix(&target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    if let Some(permissions) = &permissions {
        builder.permissions(permissions.clone());
    }
    point(Operation::Create)?;
    let mut file = builder.tempfile_in(directory)?;
    faults::write_all(file.as_file_mut(), bytes)?;
    point(Operation::Sync)?;
    file.as_file().sync_all()?;
    point(Operation::Rename)?;
    file.persist(&target)?;
    sync_directory(directory)
}

/// Adds bytes to the end of a file and makes sure that they stay; a kill may leave the first part of them.
pub fn append(path: &Path, bytes: &[u8]) -> Result<(), WriteFileError> {
    let append = || {
        point(Operation::Create)?;
        let mut file = File::options().create(true).append(true).open(path)?;
        faults::write_all(&mut file, bytes)?;
        point(Operation::Sync)?;
        file.sync_data()
    };
    append().map_err(|source| WriteFileError { path: path.to_owned(), source })
}

/// Makes a directory and those above it, where they are not there.
pub fn make_directory(path: &Path) -> Result<(), WriteFileError> {
    let make = || point(Operation::Create).and_then(|()| fs::create_dir_all(path));
    make().map_err(|source| WriteFileError { path: path.to_owned(), source })
}

/// The prefix of files that are being written.
const TEMPORARY: &str = ".tiebreak-";

/// How the names of half-written files begin that would become this one.
fn temporary_prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // The whole name has to fit into what file systems allow.
    format!("{TEMPORARY}{}-", name.chars().take(40).collect::<String>())
}

/// Removes what killed processes left half-written in a directory. Only for whoever knows that nobody writes there now.
pub fn remove_temporaries(directory: &Path) -> io::Result<()> {
    remove_starting_with(TEMPORARY, directory)
}

/// As [`remove_temporaries`], for one file of the directory.
pub fn remove_temporaries_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |directory| remove_starting_with(&temporary_prefix(path), directory))
}

fn remove_starting_with(prefix: &str, directory: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Removes a directory if there is nothing in it.
pub fn remove_if_empty(path: &Path) {
    // The system refuses to remove one that is not empty.
    let _ = fs::remove_dir(path);
}

/// Until its directory is synced too, a power cut may undo a rename.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    point(Operation::Sync)?;
    match File::open(directory)?.sync_all() {
        // Some file systems cannot sync directories.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other,
    }
}

#[cfg(not(unix))]
fn sync_directory(_directory: &Path) -> io::Result<()> {
    Ok(())
}

/// What a new file gets, less what the user's mask takes away; temporary files would be private otherwise.
#[cfg(unix)]
fn usual_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.txt");
        write_atomically(&path, b"first").unwrap();
        write_atomically(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names_in(directory.path()), ["out.txt"]);
    }

    #[test]
    fn errors_name_the_path_and_leave_everything_as_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("nowhere").join("out.txt");
        let error = write_atomically(&missing, b"text").unwrap_err();
        assert!(error.to_string().contains(&missing.display().to_string()), "{error}");
        let error = write_atomically(directory.path(), b"text").unwrap_err();
        assert!(error.source.to_string().contains("it is a directory"), "{error}");
        assert!(names_in(directory.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_links_and_devices_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let (path, link) = (directory.path().join("out.txt"), directory.path().join("link.txt"));
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let (ours, usual) = (directory.path().join("ours.txt"), directory.path().join("usual.txt"));
        write_atomically(&ours, b"").unwrap();
        fs::write(&usual, b"").unwrap();
        assert_eq!(mode(&ours), mode(&usual));
        write_atomically(Path::new("/dev/null"), b"text").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
