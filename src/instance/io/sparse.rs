//! Sparse matrices as `scipy.sparse.save_npz` writes them: compressed rows (csr) or columns (csc), or coordinates (coo).
//!
//! Row = tail, column = head. An entry that is stored is an edge, even if its value is zero; booleans have no weight.
//! Nothing is made dense, and the shape alone never allocates more than [`believable`] allows.

use super::columns::Numbers;
use super::file::{GraphFile, Places};
use super::names::{believable, numbers};
use super::npy::side;
use super::npy_header::{Header, Number, read_word};
use super::npz::Archive;
use super::text::shortened;
use super::{Format, Place, Problem, ReadError, ReadOptions};

/// True when the arrays are those of a sparse matrix.
pub(super) fn is_sparse(archive: &Archive) -> bool {
    ["format", "shape", "data"].iter().all(|name| archive.has(name))
}

pub(super) fn read(archive: &mut Archive, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    let whole_file = |problem: Problem| ReadError::new(Place::File, problem);
    let layout = archive.with_array("format", |mut entry| read_word(&mut entry).map_err(whole_file))?;
    let shape = indices(archive, "shape", options)?;
    let n = side(&shape, options).map_err(whole_file)?;
    let n = believable(n as u64, archive.bytes, options).map_err(whole_file)?;
    let (edges, flip) = match layout.as_str() {
        "csr" => (compressed(archive, n, options)?, false),
        "csc" => (compressed(archive, n, options)?, true),
        "coo" => (coordinates(archive, options)?, false),
        other => {
            let why = format!("a sparse matrix of the format '{}'; save it as csr, csc or coo", shortened(other));
            return Err(whole_file(why.into()));
        }
    };
    let beyond = |&&(tail, head): &&(usize, usize)| tail >= n || head >= n;
    if let Some(&(tail, head)) = edges.iter().find(beyond) {
        return Err(whole_file(format!("an entry in row {tail}, column {head} of a matrix of {n} x {n}").into()));
    }
    let turn =
        |(tail, head): (usize, usize)| if flip { (head as u32, tail as u32) } else { (tail as u32, head as u32) };
    let edges: Vec<(u32, u32)> = edges.into_iter().map(turn).collect();
    let weights = weights(archive, &edges, options)?;
    let file = GraphFile::new(Format::Npz, numbers(0, n), edges, Places::Entries);
    Ok(match weights {
        Some(weights) => file.with_weights(weights),
        None => file,
    })
}

/// The entries of a matrix whose rows (or columns) stand one after the other.
fn compressed(archive: &mut Archive, n: usize, options: &ReadOptions) -> Result<Vec<(usize, usize)>, ReadError> {
    let heads = indices(archive, "indices", options)?;
    let starts = indices(archive, "indptr", options)?;
    let ascending = starts.windows(2).all(|pair| pair[0] <= pair[1]);
    if starts.len() != n + 1 || starts.first() != Some(&0) || starts.last() != Some(&heads.len()) || !ascending {
        let why = format!("'indptr' does not divide {} entries among {n} rows", heads.len());
        return Err(ReadError::new(Place::File, why));
    }
    let mut edges = Vec::with_capacity(heads.len());
    for (row, bounds) in starts.windows(2).enumerate() {
        edges.extend(heads[bounds[0]..bounds[1]].iter().map(|&head| (row, head)));
    }
    Ok(edges)
}

fn coordinates(archive: &mut Archive, options: &ReadOptions) -> Result<Vec<(usize, usize)>, ReadError> {
    // scipy has both in one array where matrices may have more dimensions.
    if archive.has("coords") && !archive.has("row") {
        let both = indices(archive, "coords", options)?;
        let (rows, columns) = both.split_at(both.len() / 2);
        return Ok(rows.iter().copied().zip(columns.iter().copied()).collect());
    }
    let rows = indices(archive, "row", options)?;
    let columns = indices(archive, "col", options)?;
    if rows.len() != columns.len() {
        let why = format!("{} rows for {} columns of entries", rows.len(), columns.len());
        return Err(ReadError::new(Place::File, why));
    }
    Ok(rows.into_iter().zip(columns).collect())
}

/// An array of whole numbers from 0.
fn indices(archive: &mut Archive, name: &str, options: &ReadOptions) -> Result<Vec<usize>, ReadError> {
    archive.with_array(name, |mut entry| {
        let mut values = vec![];
        let header = Header::read(&mut entry, options).map_err(|problem| ReadError::new(Place::File, problem))?;
        header.for_each(&mut entry, |place, number| {
            let whole = match number {
                Number::Whole(value) => usize::try_from(value).ok(),
                _ => None,
            };
            let no_index = || format!("'{name}' has the value {} at place {place}, which is no index", number.float());
            values.push(whole.ok_or_else(|| ReadError::new(Place::File, no_index()))?);
            Ok(())
        })?;
        Ok(values)
    })
}

/// The values of the entries, unless they are booleans.
fn weights(archive: &mut Archive, edges: &[(u32, u32)], options: &ReadOptions) -> Result<Option<Numbers>, ReadError> {
    archive.with_array("data", |mut entry| {
        let header = Header::read(&mut entry, options).map_err(|problem| ReadError::new(Place::File, problem))?;
        let mut weights = Numbers::default();
        header.for_each(&mut entry, |index, number| {
            let Some(&(row, column)) = edges.get(index) else { return Ok(()) };
            let place = Place::Entry { row: row as usize, column: column as usize };
            weights.push(Some(number.decimal().map_err(|error| ReadError::new(place, error))?));
            Ok(())
        })?;
        let found: usize = header.shape.iter().product();
        if found != edges.len() {
            return Err(ReadError::new(Place::File, format!("{found} values for {} entries", edges.len())));
        }
        Ok(header.has_weights().then_some(weights))
    })
}
