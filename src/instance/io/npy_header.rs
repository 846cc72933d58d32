//! The header of an `.npy` file and the numbers after it.
//!
//! A header is a Python dictionary, but only ever with three keys and plain values, so it is read by hand: the
//! general reader of Python literals takes exponential time on a few dozen nested brackets.

use super::text::shortened;
use super::{Place, Problem, ReadError, ReadOptions};
use crate::instance::{Decimal, DecimalError};
use std::io::Read;

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// numpy itself refuses headers of more than ten thousand bytes.
const LONGEST_HEADER: u64 = 10_000;

pub(super) struct Header {
    element: Element,
    big_endian: bool,
    pub fortran: bool,
    pub shape: Vec<usize>,
    entries: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Bool,
    Signed(usize),
    Unsigned(usize),
    Float(usize),
}

impl Header {
    /// Reads a header whose array is within the limits.
    pub fn read(reader: &mut impl Read, options: &ReadOptions) -> Result<Self, Problem> {
        let text = read_text(reader)?;
        let [mut descr, mut fortran_order, mut shape] = [None; 3];
        let mut rest = text.trim().strip_prefix('{').and_then(|text| text.strip_suffix('}')).ok_or_else(no_header)?;
        while !rest.trim().is_empty() {
            let (key, value, after) = next_item(rest).ok_or_else(no_header)?;
            match key {
                "descr" => descr = Some(value),
                "fortran_order" => fortran_order = Some(value),
                "shape" => shape = Some(value),
                _ => return Err(format!("the header has an unknown key '{}'", shortened(key)).into()),
            }
            rest = after;
        }
        let (Some(descr), Some(fortran_order), Some(shape)) = (descr, fortran_order, shape) else {
            return Err("the header lacks 'descr', 'fortran_order' or 'shape'".into());
        };
        let (element, big_endian) = parse_element(descr)?;
        let fortran = parse_bool(fortran_order)?;
        let shape = parse_shape(shape)?;
        let entries = count_entries(&shape, element, options)?;
        Ok(Header { element, big_endian, fortran, shape, entries })
    }

    /// The header of an n x n matrix of elements with that code.
    pub fn write(code: &str, n: usize) -> Vec<u8> {
        let mut text = format!("{{'descr': '{code}', 'fortran_order': False, 'shape': ({n}, {n}), }}");
        let unpadded = MAGIC.len() + 4 + text.len() + 1;
        text.push_str(&" ".repeat(unpadded.next_multiple_of(64) - unpadded));
        text.push('\n');
        let length = u16::try_from(text.len()).expect("a short text");
        [&MAGIC[..], &[1, 0], &length.to_le_bytes(), text.as_bytes()].concat()
    }

    /// False for booleans, which only say whether there is an edge.
    pub fn has_weights(&self) -> bool {
        self.element != Element::Bool
    }

    /// How many entries the array has.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Calls `visit` with the position and the value of each entry, in the order of the file.
    pub fn for_each(
        &self,
        reader: &mut impl Read,
        mut visit: impl FnMut(usize, Number) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let size = self.element.size();
        let mut buffer = vec![0u8; 1 << 16];
        let mut done = 0;
        while done < self.entries {
            let wanted = (self.entries - done).min(buffer.len() / size);
            let read = fill(reader, &mut buffer[..wanted * size])?;
            for bytes in buffer[..read].chunks_exact(size) {
                visit(done, self.number(bytes))?;
                done += 1;
            }
            if read < wanted * size {
                let why = format!("the data end after {done} of the {} entries that the header promises", self.entries);
                return Err(ReadError::new(Place::File, why));
            }
        }
        match fill(reader, &mut buffer[..1])? {
            0 => Ok(()),
            _ => Err(ReadError::new(Place::File, "there are more data than the header says")),
        }
    }

    fn number(&self, bytes: &[u8]) -> Number {
        let mut wide = [0u8; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        if self.big_endian {
            wide[..bytes.len()].reverse();
        }
        let bits = u64::from_le_bytes(wide);
        match self.element {
            Element::Bool => Number::Whole(i128::from(bits != 0)),
            Element::Unsigned(_) => Number::Whole(i128::from(bits)),
            Element::Signed(size) => {
                let unused = 64 - 8 * size as u32;
                Number::Whole(i128::from((bits << unused) as i64 >> unused))
            }
            Element::Float(2) => Number::Half(bits as u16),
            Element::Float(4) => Number::Single(f32::from_bits(bits as u32)),
            Element::Float(_) => Number::Double(f64::from_bits(bits)),
        }
    }
}

fn no_header() -> Problem {
    "the header is not the dictionary that numpy writes".into()
}

fn read_text(reader: &mut impl Read) -> Result<String, Problem> {
    let mut start = [0u8; 8];
    reader.read_exact(&mut start).map_err(cut_off)?;
    if &start[..6] != MAGIC {
        return Err("this is not an .npy file: it does not start with \\x93NUMPY".into());
    }
    let mut length = [0u8; 4];
    match start[6] {
        1 => reader.read_exact(&mut length[..2]).map_err(cut_off)?,
        2 | 3 => reader.read_exact(&mut length).map_err(cut_off)?,
        version => return Err(format!("version {version} of the .npy format is not known").into()),
    }
    let length = u64::from(u32::from_le_bytes(length));
    if length > LONGEST_HEADER {
        return Err(format!("a header of {length} bytes; at most {LONGEST_HEADER} are believable").into());
    }
    let mut text = vec![0u8; length as usize];
    reader.read_exact(&mut text).map_err(cut_off)?;
    String::from_utf8(text).map_err(|_| Problem::NotText)
}

fn cut_off(error: std::io::Error) -> Problem {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => "the file ends within its header".into(),
        _ => Problem::Io(error),
    }
}

/// Reads until the buffer is full or the data end.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> Result<usize, ReadError> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => (),
            Err(error) => return Err(ReadError::new(Place::File, error)),
        }
    }
    Ok(filled)
}

/// `'key': value, rest`, where a value is a string, a tuple or a word.
fn next_item(text: &str) -> Option<(&str, &str, &str)> {
    let (key, text) = quoted(text.trim_start())?;
    let text = text.trim_start().strip_prefix(':')?.trim_start();
    let (value, text) = match text.chars().next()? {
        '\'' | '"' => quoted(text)?,
        '(' => text[1..].split_once(')')?,
        _ => text.split_at(text.find(',').unwrap_or(text.len())),
    };
    let text = text.trim_start();
    match text.strip_prefix(',') {
        Some(rest) => Some((key, value.trim(), rest)),
        None if text.is_empty() => Some((key, value.trim(), text)),
        None => None,
    }
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|first| ['\'', '"'].contains(first))?;
    text[1..].split_once(quote)
}

/// The text of an array that holds one, such as the format of a sparse matrix.
pub(super) fn read_word(reader: &mut impl Read) -> Result<String, Problem> {
    // After the header; no word that matters here is longer.
    read_text(reader)?;
    let mut word = [0u8; 64];
    let read = fill(reader, &mut word).map_err(|error| *error.problem)?;
    // numpy pads with zeros, and keeps four bytes for each letter of some strings.
    Ok(word[..read].iter().filter(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect())
}

fn parse_element(descr: &str) -> Result<(Element, bool), Problem> {
    let unknown = || format!("elements of type '{}' are not plain numbers", shortened(descr)).into();
    let (order, code) = match descr.strip_prefix(['<', '>', '|', '=']) {
        Some(code) => (&descr[..1], code),
        None => ("<", descr),
    };
    let element = match code {
        "b1" | "?" => Element::Bool,
        "i1" | "i2" | "i4" | "i8" => Element::Signed(usize::from(code.as_bytes()[1] - b'0')),
        "u1" | "u2" | "u4" | "u8" => Element::Unsigned(usize::from(code.as_bytes()[1] - b'0')),
        "f2" | "f4" | "f8" => Element::Float(usize::from(code.as_bytes()[1] - b'0')),
        _ => return Err(unknown()),
    };
    Ok((element, order == ">"))
}

fn parse_bool(word: &str) -> Result<bool, Problem> {
    match word {
        "True" => Ok(true),
        "False" => Ok(false),
        _ => Err(format!("'fortran_order' is '{}', neither True nor False", shortened(word)).into()),
    }
}

fn parse_shape(tuple: &str) -> Result<Vec<usize>, Problem> {
    let tuple = tuple.trim_end().strip_suffix(',').unwrap_or(tuple).trim();
    if tuple.is_empty() {
        return Ok(vec![]);
    }
    let lengths = tuple.split(',').map(|length| length.trim().parse());
    lengths.collect::<Result<_, _>>().map_err(|_| format!("'({})' is not a shape", shortened(tuple)).into())
}

fn count_entries(shape: &[usize], element: Element, options: &ReadOptions) -> Result<usize, Problem> {
    let entries = shape.iter().try_fold(1usize, |product, &length| product.checked_mul(length));
    let bytes = entries.and_then(|entries| entries.checked_mul(element.size()));
    match (entries, bytes) {
        (Some(entries), Some(_)) if entries > options.max_entries => {
            Err(Problem::ArrayTooLarge { shape: shape.to_vec(), limit: options.max_entries })
        }
        (Some(entries), Some(bytes)) if bytes as u64 <= options.max_bytes => Ok(entries),
        _ => {
            let limit = options.max_bytes;
            Err(format!("the header claims an array of shape {shape:?}: more than {limit} bytes, the limit set").into())
        }
    }
}

impl Element {
    fn size(self) -> usize {
        match self {
            Element::Bool => 1,
            Element::Signed(size) | Element::Unsigned(size) | Element::Float(size) => size,
        }
    }
}

/// One entry of an array.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Whole(i128),
    Half(u16),
    Single(f32),
    Double(f64),
}

impl Number {
    pub fn is_zero(self) -> bool {
        self.float() == 0.0
    }

    pub fn float(self) -> f64 {
        match self {
            Number::Whole(value) => value as f64,
            Number::Half(bits) => half(bits),
            Number::Single(value) => f64::from(value),
            Number::Double(value) => value,
        }
    }

    /// The shortest decimal that reads back as this number; a whole number is itself.
    pub fn decimal(self) -> Result<Decimal, DecimalError> {
        match self {
            Number::Whole(value) => Ok(Decimal::scaled(value, 0)),
            Number::Half(bits) => shortest_half(bits),
            Number::Single(value) => Decimal::from_f32(value),
            Number::Double(value) => Decimal::from_f64(value),
        }
    }
}

/// The value of a number in half precision.
fn half(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match bits >> 10 & 0x1f {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

fn shortest_half(bits: u16) -> Result<Decimal, DecimalError> {
    let value = half(bits);
    let magnitude = bits & 0x7fff;
    if value.is_finite() && value.fract() != 0.0 {
        let [below, here, above] = [magnitude - 1, magnitude, magnitude + 1].map(half);
        // Beyond the largest one, rounding acts as if the steps went on.
        let above = if above.is_finite() { above } else { 2.0 * here - below };
        for digits in 0..5 {
            let text = format!("{value:.digits$e}");
            let read: f64 = text.parse().unwrap_or(f64::NAN);
            if read.abs() > (below + here) / 2.0 && read.abs() < (here + above) / 2.0 {
                return text.parse();
            }
        }
    }
    Decimal::from_f64(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_reads_as_it_was_written() {
        for (bits, shown) in
            [(0x2e66, "0.1"), (0x3c00, "1"), (0xc100, "-2.5"), (0x7bff, "65504"), (0x0001, "0.00000006")]
        {
            assert_eq!(shortest_half(bits).unwrap().to_string(), shown);
        }
        assert!(shortest_half(0x7c00).is_err() && shortest_half(0x7e01).is_err());
    }
}
