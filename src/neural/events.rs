//! Training logs as event files of TensorBoard.
//!
//! A file is a sequence of records: the length of the content (8 bytes), its checksum, the content, its checksum. A content is a protocol
//! buffer `Event { wall_time: 1, step: 2, file_version: 3, summary: 5 { value: 1 { tag: 1, simple_value: 2 } } }`. Both are written here, because no
//! more than this is needed of either; `python/tests/beside_clrs.py` reads them with TensorBoard itself.

use crate::files::{WriteFileError, append, make_directory};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// An event file to which lines of a log are added.
#[derive(Debug)]
pub struct EventFile(PathBuf);

impl EventFile {
    /// A new file in a folder, which is made if need be. Times are seconds since 1970: the caller has a clock. A resumed training makes another
    /// file, and TensorBoard shows the later one's steps.
    pub fn create(folder: &Path, time: f64) -> Result<Self, WriteFileError> {
        make_directory(folder)?;
        let name = format!("events.out.tfevents.{:010}.tiebreak", time as u64);
        let file = EventFile(folder.join(name));
        file.write(&event(time, 0, &text(3, "brain.Event:2")))?;
        Ok(file)
    }

    /// Adds all numbers of a line of a log, under their names; its `step` says when.
    pub fn add(&self, line: &impl Serialize, time: f64) -> Result<(), WriteFileError> {
        let Ok(Value::Object(mut line)) = serde_json::to_value(line) else { return Ok(()) };
        let step = line.remove("step").and_then(|step| step.as_u64()).unwrap_or(0);
        let numbers = line.iter().filter_map(|(name, value)| Some((name, value.as_f64()?)));
        let values = numbers.flat_map(|(name, number)| {
            let mut value = text(1, name);
            value.push(field(2, FOUR_BYTES));
            value.extend((number as f32).to_le_bytes());
            bytes(1, &value)
        });
        let summary = bytes(5, &values.collect::<Vec<u8>>());
        self.write(&event(time, step, &summary))
    }

    fn write(&self, content: &[u8]) -> Result<(), WriteFileError> {
        let length = (content.len() as u64).to_le_bytes();
        let checked = |bytes: &[u8]| [bytes, &masked_checksum(bytes).to_le_bytes()].concat();
        append(&self.0, &[checked(&length), checked(content)].concat())
    }
}

const VARINT: u8 = 0;
const EIGHT_BYTES: u8 = 1;
const DELIMITED: u8 = 2;
const FOUR_BYTES: u8 = 5;

/// A field's number and wire type.
fn field(number: u8, wire: u8) -> u8 {
    number << 3 | wire
}

fn event(time: f64, step: u64, content: &[u8]) -> Vec<u8> {
    let mut event = vec![field(1, EIGHT_BYTES)];
    event.extend(time.to_le_bytes());
    event.push(field(2, VARINT));
    event.extend(varint(step));
    event.extend(content);
    event
}

fn text(number: u8, text: &str) -> Vec<u8> {
    bytes(number, text.as_bytes())
}

fn bytes(number: u8, content: &[u8]) -> Vec<u8> {
    [&[field(number, DELIMITED)][..], &varint(content.len() as u64), content].concat()
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
fn varint(mut number: u64) -> Vec<u8> {
    let mut digits = vec![];
    while number >= 0x80 {
        digits.push(number as u8 | 0x80);
        number >>= 7;
    }
    digits.push(number as u8);
    digits
}

/// CRC-32C, rotated and shifted as TensorFlow's records want it.
fn masked_checksum(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let bit = |rest: u32, _| if rest & 1 == 1 { rest >> 1 ^ POLYNOMIAL } else { rest >> 1 };
    let crc = !bytes.iter().fold(!0u32, |rest, &byte| (0..8).fold(rest ^ u32::from(byte), bit));
    crc.rotate_right(15).wrapping_add(0xa282_ead8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        // RFC 3720: the CRC-32C of "123456789" is e3069283.
        assert_eq!(masked_checksum(b"123456789"), 0xe306_9283u32.rotate_right(15).wrapping_add(0xa282_ead8));
    }

    #[test]
    fn numbers_are_written_in_groups_of_seven_bits() {
        assert_eq!(varint(0), [0]);
        assert_eq!(varint(300), [0xac, 0x02]);
    }

    #[test]
    fn a_record_is_length_content_and_checksums() {
        let folder = tempfile::TempDir::new().unwrap();
        let events = EventFile::create(folder.path(), 7.0).unwrap();
        events.add(&serde_json::json!({"step": 50, "loss": 0.5, "best": true}), 8.0).unwrap();
        let written = std::fs::read(folder.path().join("events.out.tfevents.0000000007.tiebreak")).unwrap();
        let mut rest = &written[..];
        let mut contents = vec![];
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
            assert_eq!(rest[8..12], masked_checksum(&rest[..8]).to_le_bytes());
            let content = &rest[12..12 + length];
            assert_eq!(rest[12 + length..16 + length], masked_checksum(content).to_le_bytes());
            contents.push(content.to_vec());
            rest = &rest[16 + length..];
        }
        assert_eq!(contents.len(), 2);
        assert!(contents[0].ends_with(b"brain.Event:2"));
        let value = [&[0x0a, 4][..], b"loss", &[0x15], &0.5f32.to_le_bytes()].concat();
        assert!(contents[1].ends_with(&value), "a flag is not a number");
    }
}
