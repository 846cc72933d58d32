//! Zip archives of numpy arrays: a sparse matrix of scipy, or an adjacency matrix called `adjacency`, `adj` or `A`, or
//! the only array.

use super::file::GraphFile;
use super::lines::read_all;
use super::text::listed;
use super::{Format, NamedGraph, Place, ReadError, ReadOptions, WriteError, npy, sparse};
use std::io::{BufRead, Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const ADJACENCY: [&str; 3] = ["adjacency", "adj", "A"];

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    let mut archive = Archive::read(reader, options)?;
    if sparse::is_sparse(&archive) {
        return sparse::read(&mut archive, options);
    }
    let name = archive.choose(&ADJACENCY)?;
    archive.with_array(&name, |entry| npy::read_adjacency(entry, Format::Npz, options))
}

/// An archive of arrays.
pub(super) struct Archive {
    zip: ZipArchive<Cursor<Vec<u8>>>,
    pub arrays: Vec<String>,
    pub bytes: u64,
}

impl Archive {
    pub fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<Self, ReadError> {
        let bytes = read_all(reader, options)?;
        let length = bytes.len() as u64;
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
        let entries = zip.file_names().filter_map(Result::ok);
        let arrays = entries.filter_map(|name| name.strip_suffix(".npy").map(String::from)).collect();
        Ok(Archive { zip, arrays, bytes: length })
    }

    pub fn has(&self, name: &str) -> bool {
        self.arrays.iter().any(|array| array == name)
    }

    /// The first of `wanted` arrays that is in the archive, or the only one.
    pub fn choose(&self, wanted: &[&str]) -> Result<String, ReadError> {
        let why = match (wanted.iter().find(|wanted| self.has(wanted)), &self.arrays[..]) {
            (Some(name), _) => return Ok((*name).to_owned()),
            (None, [only]) => return Ok(only.clone()),
            (None, []) => "the archive has no arrays in it".to_owned(),
            (None, several) => {
                let there = listed(several.iter().map(String::as_str));
                format!("none of the arrays {there} is called {}", wanted.join(", "))
            }
        };
        Err(ReadError::new(Place::File, why))
    }

    /// Lets `read` have an array.
    ///
    /// It is unpacked as it is read, and the readers stop where its own header says that it ends, so an archive that
    /// unpacks to more than it says costs nothing.
    pub fn with_array<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn Read) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let mut entry = self.zip.by_name(&format!("{name}.npy")).map_err(broken)?;
        read(&mut entry)
    }
}

fn broken(error: zip::result::ZipError) -> ReadError {
    ReadError::new(Place::File, format!("a broken .npz archive: {error}"))
}

/// The names of the arrays in `.npz` data; errors call it `label`.
pub fn array_names(mut reader: impl BufRead, label: &str, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    let archive = Archive::read(&mut reader, options).map_err(|error| error.in_file(label))?;
    Ok(archive.arrays)
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
