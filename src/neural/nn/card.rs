//! What a file of parameters says of itself, and how damage to it is noticed.
//!
//! The metadata of the safetensors file have one key, because several would stand in an order that changes from run to run, and
//! the same training has to give the same bytes. Under it stands one JSON object, `{"checksum":"…","card":{…}}`. The checksum is the
//! CRC-32 of the whole file with the checksum's own digits as zeros, so it covers names, shapes and the card as well as the
//! numbers; every single flipped bit changes it. Files from before there were checksums have the card alone, and are still read.

use safetensors::tensor::{SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

const KEY: &str = "tiebreak";
const NO_DIGITS: &str = "00000000";
/// What stands before the digits in the bytes of a file, where the object is a JSON text within JSON.
const BEFORE_DIGITS: &[u8] = br#"{\"checksum\":\""#;

/// Why a file's card cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum CardError {
    /// The file has none, as those of other programs.
    #[error("its metadata have no '{KEY}'")]
    None,
    /// Not a safetensors file, or not a card of this kind.
    #[error("{0}")]
    Unreadable(String),
    /// The bytes are not those that were written.
    #[error("its checksum is {found}, but it was written with {written}: some of its bytes have changed")]
    Changed {
        /// What the bytes give.
        found: String,
        /// What stands in the file.
        written: String,
    },
}

#[derive(Deserialize)]
struct Sealed<T> {
    checksum: String,
    card: T,
}

/// The bytes of a safetensors file with a card and a checksum.
pub(crate) fn write_sealed<'a>(
    tensors: impl IntoIterator<Item = (String, TensorView<'a>)>,
    card: &impl Serialize,
) -> Vec<u8> {
    let card = serde_json::to_string(card).expect("settings and numbers are always JSON");
    let text = format!(r#"{{"checksum":"{NO_DIGITS}","card":{card}}}"#);
    let metadata = HashMap::from([(KEY.to_owned(), text)]);
    let mut bytes = safetensors::serialize(tensors, Some(metadata)).expect("names and shapes are well-formed");
    let checksum = format!("{:08x}", crc32fast::hash(&bytes));
    let digits = digits_place(&bytes).expect("the card stands in the header");
    bytes[digits..digits + NO_DIGITS.len()].copy_from_slice(checksum.as_bytes());
    bytes
}

/// Reads the card of a safetensors file. A file with a checksum is refused unless its bytes still have it.
pub(crate) fn read_card<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<T, CardError> {
    let unreadable = |error: String| CardError::Unreadable(error);
    // Before anything is believed: a damaged header would be reported as something else.
    check(bytes)?;
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| unreadable(error.to_string()))?;
    let text = header.metadata().as_ref().and_then(|metadata| metadata.get(KEY)).ok_or(CardError::None)?;
    if !has_checksum(bytes) {
        return serde_json::from_str(text).map_err(|error| unreadable(error.to_string()));
    }
    let sealed: Sealed<T> = serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?;
    debug_assert_eq!(sealed.checksum.len(), NO_DIGITS.len());
    Ok(sealed.card)
}

/// Whether a file has a checksum; one that was written before there were any has none.
pub(crate) fn has_checksum(bytes: &[u8]) -> bool {
    digits_place(bytes).is_some()
}

fn check(bytes: &[u8]) -> Result<(), CardError> {
    let Some(digits) = digits_place(bytes) else { return Ok(()) };
    let end = digits + NO_DIGITS.len();
    let mut hasher = crc32fast::Hasher::new();
    [&bytes[..digits], NO_DIGITS.as_bytes(), &bytes[end..]].into_iter().for_each(|part| hasher.update(part));
    let (found, written) = (format!("{:08x}", hasher.finalize()), String::from_utf8_lossy(&bytes[digits..end]));
    match found == written {
        true => Ok(()),
        false => Err(CardError::Changed { found, written: written.into_owned() }),
    }
}

/// Where the digits of the checksum begin.
fn digits_place(bytes: &[u8]) -> Option<usize> {
    // The header of a model is a few kilobytes; numbers could look like anything.
    let length = u64::from_le_bytes(*bytes.first_chunk()?);
    let header = &bytes[..usize::try_from(length).ok()?.saturating_add(8).min(bytes.len())];
    let place = header.windows(BEFORE_DIGITS.len()).position(|window| window == BEFORE_DIGITS)?;
    let digits = place + BEFORE_DIGITS.len();
    (digits + NO_DIGITS.len() <= header.len()).then_some(digits)
}

/// The file of a model: the path itself, or in a directory that of a run's best parameters, or of an exported model.
pub fn model_file(path: &Path) -> PathBuf {
    let (of_run, exported) = (path.join("best.safetensors"), path.join("model.safetensors"));
    match path.is_dir() {
        false => path.to_owned(),
        true if exported.exists() && !of_run.exists() => exported,
        true => of_run,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::tensor::Dtype;

    fn file() -> Vec<u8> {
        let numbers: Vec<u8> = (0..48).collect();
        let view = TensorView::new(Dtype::F32, vec![3, 4], &numbers).unwrap();
        write_sealed([("net/w".to_owned(), view)], &("dfs", 7))
    }

    #[test]
    fn a_card_comes_back() {
        assert_eq!(read_card::<(String, u32)>(&file()), Ok(("dfs".to_owned(), 7)));
    }

    /// A flipped bit in the digits' own frame hides the checksum; then the card no longer reads.
    #[test]
    fn every_flipped_bit_is_noticed() {
        let whole = file();
        for bit in 0..8 * whole.len() {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(read_card::<(String, u32)>(&flipped).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_card_without_a_checksum_is_still_read() {
        let view = TensorView::new(Dtype::F32, vec![1], &[0; 4]).unwrap();
        let metadata = HashMap::from([(KEY.to_owned(), r#"["dfs",7]"#.to_owned())]);
        let bytes = safetensors::serialize([("net/w", view)], Some(metadata)).unwrap();
        assert!(!has_checksum(&bytes));
        assert_eq!(read_card::<(String, u32)>(&bytes), Ok(("dfs".to_owned(), 7)));
    }

    #[test]
    fn a_directory_without_a_run_has_the_file_of_an_exported_model() {
        let folder = tempfile::TempDir::new().unwrap();
        assert_eq!(model_file(folder.path()), folder.path().join("best.safetensors"));
        std::fs::write(folder.path().join("model.safetensors"), "").unwrap();
        assert_eq!(model_file(folder.path()), folder.path().join("model.safetensors"));
        assert_eq!(model_file(Path::new("some.safetensors")), Path::new("some.safetensors"));
    }
}
