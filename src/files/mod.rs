//! Files that are written whole or not at all, and directories that one process at a time may write to.

mod lock;

pub use lock::{Lock, LockError};

use std::fs::{self, Permissions};
use std::io::{self, Write};
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
        return fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let target = if existing.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    let directory = match target.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let permissions = existing.map_or_else(usual_permissions, |about| Some(about.permissions()));
    let mut builder = tempfile::Builder::new();
    builder.prefix(lock::TEMPORARY);
    if let Some(permissions) = &permissions {
        builder.permissions(permissions.clone());
    }
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&target)?;
    sync_directory(directory)
}

/// Until its directory is synced too, a power cut may undo a rename.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    match fs::File::open(directory)?.sync_all() {
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
