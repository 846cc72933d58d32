//! Adjacency matrices as numpy saves them: row = tail, column = head, zero = no edge.
//!
//! Boolean matrices have no weights; in all others an entry is the weight, the shortest decimal that reads back as
//! that float. Vertices are named "0", "1" and so on. A matrix is read as a stream, entry by entry, so that memory
//! grows with its edges and a header that promises what is not there costs nothing.

use super::columns::Numbers;
use super::file::{GraphFile, Places};
use super::names::numbers;
use super::npy_header::Header;
use super::{Format, NamedGraph, Place, Problem, ReadError, ReadOptions, WriteError, npz};
use crate::instance::{Decimal, Graph};
use std::io::{BufRead, Read};

pub(super) fn read(reader: &mut dyn BufRead, options: &ReadOptions) -> Result<GraphFile, ReadError> {
    if reader.fill_buf().map_err(|error| ReadError::new(Place::File, error))?.is_empty() {
        return Err(ReadError::new(Place::File, Problem::Empty));
    }
    read_adjacency(reader, Format::Npy, options)
}

pub(super) fn read_adjacency(
    mut reader: impl Read,
    format: Format,
    options: &ReadOptions,
) -> Result<GraphFile, ReadError> {
    let whole_file = |problem| ReadError::new(Place::File, problem);
    let header = Header::read(&mut reader, options).map_err(whole_file)?;
    let n = side(&header.shape, options).map_err(whole_file)?;
    let mut edges = vec![];
    let mut weights = Numbers::default();
    header.for_each(&mut reader, |index, number| {
        if number.is_zero() {
            return Ok(());
        }
        let (row, column) = if header.fortran { (index % n, index / n) } else { (index / n, index % n) };
        let weight = number.decimal().map_err(|error| ReadError::new(Place::Entry { row, column }, error))?;
        edges.push((row as u32, column as u32));
        weights.push(Some(weight));
        Ok(())
    })?;
    let file = GraphFile::new(format, numbers(0, n), edges, Places::Entries);
    Ok(if header.has_weights() { file.with_weights(weights) } else { file })
}

/// The number of vertices of an adjacency matrix of that shape.
pub(super) fn side(shape: &[usize], options: &ReadOptions) -> Result<usize, Problem> {
    let limit = options.vertex_limit();
    match *shape {
        [rows, columns] if rows != columns => {
            Err(format!("a matrix of {rows} x {columns} is not square, so it is not a graph").into())
        }
        [n, _] if n > limit => Err(Problem::TooManyVertices { vertices: n as u64, limit }),
        [n, _] => Ok(n),
        _ => Err(format!("an array of shape {shape:?} is not a matrix").into()),
    }
}

/// An array of numbers from a `.npy` or `.npz` file, such as the probabilities of somebody else's model.
#[derive(Clone, Debug, PartialEq)]
pub struct NumericArray {
    /// The length of each dimension.
    pub shape: Vec<usize>,
    /// The values, the last dimension running fastest.
    pub values: Vec<f64>,
}

/// What is not zero of an array of numbers, exactly: the edges of one or more adjacency matrices.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseArray {
    /// The length of each dimension.
    pub shape: Vec<usize>,
    /// Places, counted with the last dimension running fastest, and numbers, in the order of the file.
    pub entries: Vec<(usize, Decimal)>,
}

/// Reads an array of any shape from `.npy` or `.npz` data; errors call it `label`.
///
/// In an `.npz` file it is the first of `names` that is there, or else the only array of the file.
pub fn read_array(
    reader: impl BufRead,
    format: Format,
    names: &[&str],
    label: &str,
    options: &ReadOptions,
) -> Result<NumericArray, ReadError> {
    with_array(reader, format, names, label, options, |reader| read_values(reader, options))
}

/// As [`read_array`], without zeros, and each number as the decimal that its own type stands for.
pub fn read_sparse_array(
    reader: impl BufRead,
    format: Format,
    names: &[&str],
    label: &str,
    options: &ReadOptions,
) -> Result<SparseArray, ReadError> {
    with_array(reader, format, names, label, options, |reader| read_entries(reader, options))
}

/// How many numbers such an array has, as its header says: nothing else is read.
pub fn array_entries(
    reader: impl BufRead,
    format: Format,
    names: &[&str],
    label: &str,
    options: &ReadOptions,
) -> Result<usize, ReadError> {
    with_array(reader, format, names, label, options, |mut reader| Ok(read_header(&mut reader, options)?.entries()))
}

fn with_array<T>(
    mut reader: impl BufRead,
    format: Format,
    names: &[&str],
    label: &str,
    options: &ReadOptions,
    read: impl FnOnce(&mut dyn Read) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let array = match format {
        Format::Npy => read(&mut reader),
        Format::Npz => npz::Archive::read(&mut reader, options).and_then(|mut archive| {
            let name = archive.choose(names)?;
            archive.with_array(&name, |mut entry| read(&mut entry))
        }),
        _ => Err(ReadError::new(Place::File, format!("arrays are read from npy and npz files, not from {format}"))),
    };
    array.map_err(|error| error.in_file(label))
}

fn read_header(reader: &mut impl Read, options: &ReadOptions) -> Result<Header, ReadError> {
    Header::read(reader, options).map_err(|problem| ReadError::new(Place::File, problem))
}

fn read_entries(mut reader: impl Read, options: &ReadOptions) -> Result<SparseArray, ReadError> {
    let header = read_header(&mut reader, options)?;
    let mut entries = vec![];
    header.for_each(&mut reader, |index, number| {
        if number.is_zero() {
            return Ok(());
        }
        let place = if header.fortran { last_fastest(index, &header.shape) } else { index };
        let number =
            number.decimal().map_err(|error| ReadError::new(Place::File, format!("entry {place}: {error}")))?;
        entries.push((place, number));
        Ok(())
    })?;
    Ok(SparseArray { shape: header.shape, entries })
}

fn read_values(mut reader: impl Read, options: &ReadOptions) -> Result<NumericArray, ReadError> {
    let header = read_header(&mut reader, options)?;
    let mut values = vec![];
    header.for_each(&mut reader, |_, number| {
        values.push(number.float());
        Ok(())
    })?;
    if header.fortran {
        values = last_dimension_fastest(&values, &header.shape);
    }
    Ok(NumericArray { shape: header.shape, values })
}

/// Reorders values whose first dimension runs fastest.
fn last_dimension_fastest(values: &[f64], shape: &[usize]) -> Vec<f64> {
    let mut ordered = vec![0.0; values.len()];
    values.iter().enumerate().for_each(|(index, &value)| ordered[last_fastest(index, shape)] = value);
    ordered
}

/// Where an entry stands if the last dimension runs fastest, from where it stands if the first does.
fn last_fastest(mut index: usize, shape: &[usize]) -> usize {
    let mut stride: usize = shape.iter().product();
    shape.iter().fold(0, |position, &length| {
        stride /= length;
        let along = index % length;
        index /= length;
        position + along * stride
    })
}

/// The largest matrix that is written: with its header still within what a zip archive takes without extensions.
const MAX_MATRIX_BYTES: usize = u32::MAX as usize - (1 << 16);

pub(super) fn write(graph: &NamedGraph) -> Result<Vec<u8>, WriteError> {
    let plain = &graph.graph;
    let n = plain.n();
    let whole = plain.decimals() == 0 && plain.weighted_arcs().all(|(.., weight)| i64::try_from(weight).is_ok());
    let (code, size) = match (plain.is_weighted(), whole) {
        (false, _) => ("|b1", 1),
        (true, true) => ("<i8", 8),
        (true, false) => ("<f8", 8),
    };
    let length = n.checked_mul(n).and_then(|entries| entries.checked_mul(size)).filter(|&l| l <= MAX_MATRIX_BYTES);
    let length = length.ok_or(WriteError::MatrixTooLarge(n))?;
    let mut out = Header::write(code, n);
    let start = out.len();
    out.resize(start + length, 0);
    for (tail, head, weight) in plain.weighted_arcs() {
        let entry = match code {
            "|b1" => 1u64,
            _ => entry_bits(plain, weight, whole).map_err(|why| {
                let (edge, weight) = (graph.edge_name(tail, head), plain.decimal(weight));
                WriteError::Weight { format: Format::Npy, edge, weight, why }
            })?,
        };
        let at = start + (tail * n + head) * size;
        out[at..at + size].copy_from_slice(&entry.to_le_bytes()[..size]);
    }
    Ok(out)
}

/// The bits of a weight as an integer or a float, if it stays exactly what it is.
fn entry_bits(graph: &Graph, weight: i128, whole: bool) -> Result<u64, &'static str> {
    if weight == 0 {
        return Err("zero means that there is no edge");
    }
    if whole {
        return Ok(weight as i64 as u64);
    }
    let decimal = graph.decimal(weight);
    let float: f64 = decimal.to_string().parse().map_err(|_| "it is not a number")?;
    match Decimal::from_f64(float) == Ok(decimal) {
        true => Ok(float.to_bits()),
        false => Err("a float would not hold it exactly"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_of_an_array_are_the_same_array() {
        // Shape (2, 3): rows 1 2 3 and 4 5 6.
        assert_eq!(last_dimension_fastest(&[1., 4., 2., 5., 3., 6.], &[2, 3]), [1., 2., 3., 4., 5., 6.]);
        let c: Vec<f64> = (0..24).map(f64::from).collect();
        let f: Vec<f64> = (0..24).map(|i| f64::from((i % 2) * 12 + (i / 2 % 3) * 4 + i / 6)).collect();
        assert_eq!(last_dimension_fastest(&f, &[2, 3, 4]), c);
        assert_eq!(last_dimension_fastest(&[], &[0, 3]), [0.0; 0]);
    }
}
