//! Zip archives of numpy arrays: the adjacency matrix is called `adjacency`, `adj` or `A`, or is the only array.

use super::lines::read_all;
use super::npy::{self, listed};
use super::{NamedGraph, Place, ReadError, ReadOptions, WriteError};
use std::io::{BufRead, Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const ADJACENCY: [&str; 3] = ["adjacency", "adj", "A"];

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<NamedGraph, ReadError> {
    with_array(reader, &ADJACENCY, options, |entry| npy::read_adjacency(entry, options))
}

/// Lets `read` have the first of `wanted` arrays that is in the archive, or the only one.
///
/// It is unpacked as it is read, and the readers stop where its own header says that it ends, so an archive that
/// unpacks to more than it says costs nothing.
pub(super) fn with_array<T>(
    reader: &mut dyn BufRead,
    wanted: &[&str],
    options: &ReadOptions,
    read: impl FnOnce(&mut dyn Read) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let bytes = read_all(reader, options)?;
    let broken = |error: zip::result::ZipError| ReadError::new(Place::File, format!("a broken .npz archive: {error}"));
    let mut archive = ZipArchive::new(Cursor::new(&bytes[..])).map_err(broken)?;
    let entries = archive.file_names().filter_map(Result::ok);
    let arrays: Vec<String> = entries.filter_map(|name| name.strip_suffix(".npy").map(String::from)).collect();
    let chosen = match (wanted.iter().find(|wanted| arrays.iter().any(|name| name == *wanted)), &arrays[..]) {
        (Some(name), _) => (*name).to_owned(),
        (None, [only]) => only.clone(),
        (None, []) => return Err(ReadError::new(Place::File, "the archive has no arrays in it")),
        (None, several) => {
            let why = format!("none of the arrays {} is called {}", listed(several), wanted.join(", "));
            return Err(ReadError::new(Place::File, why));
        }
    };
    let mut entry = archive.by_name(&format!("{chosen}.npy")).map_err(broken)?;
    read(&mut entry)
}

pub(super) fn write(graph: &NamedGraph) -> Result<Vec<u8>, WriteError> {
    let array = npy::write(graph)?;
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut archive = ZipWriter::new(Cursor::new(vec![]));
    // Nothing can fail in memory: the name is short and there is one entry of less than four gigabytes.
    archive.start_file("adjacency.npy", options).expect("a fresh archive");
    archive.write_all(&array).expect("memory takes everything");
    Ok(archive.finish().expect("memory takes everything").into_inner())
}
