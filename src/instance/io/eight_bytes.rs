//! Eight bytes of a text at a time: where a field ends, and which number its digits are.
//!
//! A large table is mostly short fields. Going over them byte by byte costs a wrong guess of the processor at the end of each, which takes longer
//! than the bytes themselves; a word of eight bytes has an answer without a loop.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x80 * ONES;
const ZEROS: u64 = b'0' as u64 * ONES;

#[inline]
fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes)
}

/// The high bit of each byte that is zero, up to the first of them; what it says of later bytes may be wrong.
#[inline]
fn first_zero(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGH_BITS
}

/// The high bit of the first byte that is `delimiter` or a line break; what it says of later bytes may be wrong.
#[inline]
fn first_end(word: u64, delimiter: u8) -> u64 {
    first_zero(word ^ (u64::from(delimiter) * ONES)) | first_zero(word ^ (u64::from(b'\n') * ONES))
}

/// Where `delimiter` or a line break comes next; `None` if it does not come, or comes too near the end of the text for words.
#[inline]
pub(super) fn field_end(bytes: &[u8], mut at: usize, delimiter: u8) -> Option<usize> {
    loop {
        let word = word_at(bytes, at)?;
        let found = first_end(word, delimiter);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
}

/// A field that has neither quotes nor spaces around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlainField {
    pub start: usize,
    pub end: usize,
    /// The number that it is, if it has a few digits and nothing else.
    pub number: Option<u32>,
    /// Whether a line break follows.
    pub is_last: bool,
    /// Where the next field starts.
    pub next: usize,
}

/// The field that starts there, if it is a plain one and something stands in it (and not at the very end of the text).
// Called three times a line, and returned in registers only where it is inlined.
#[inline(always)]
pub(super) fn plain_field(bytes: &[u8], start: usize, delimiter: u8) -> Option<PlainField> {
    let word = word_at(bytes, start)?;
    let found = first_end(word, delimiter);
    let length = found.trailing_zeros() as usize / 8;
    if found != 0
        && length > 0
        && let Some(number) = number_in(word, length)
    {
        let end = start + length;
        return Some(PlainField { start, end, number: Some(number), is_last: bytes[end] == b'\n', next: end + 1 });
    }
    let next = if found != 0 { start + length } else { field_end(bytes, start + 8, delimiter)? };
    let is_last = bytes[next] == b'\n';
    let end = if is_last && next > start && bytes[next - 1] == b'\r' { next - 1 } else { next };
    let (first, last) = (bytes[start..end].first()?, bytes[start..end].last()?);
    // Other alphabets have spaces of their own.
    let is_plain = first.is_ascii_graphic() && last.is_ascii_graphic() && *first != b'"';
    is_plain.then(|| PlainField { start, end, number: short_number(bytes, start, end), is_last, next: next + 1 })
}

/// The whole number that stands in `bytes[start..end]`, if that is one to seven digits and nothing else (and not at the very end of the text).
#[inline]
pub(super) fn short_number(bytes: &[u8], start: usize, end: usize) -> Option<u32> {
    let length = end - start;
    if length == 0 || length > 7 { None } else { number_in(word_at(bytes, start)?, length) }
}

/// The whole number that the first one to seven bytes are, if they are digits.
///
/// ```text
/// 4 0 9 6 , 1 2 8     the eight bytes from the start
/// 0 0 0 0 4 0 9 6     its digits moved to the end; then pairs, fours and eights of digits are added up at once
/// ```
#[inline(always)]
fn number_in(word: u64, length: usize) -> Option<u32> {
    let unused = 64 - 8 * length as u32;
    let digits = (word << unused | ZEROS >> (64 - unused)) ^ ZEROS;
    // A byte above 9 reaches its high bit when 118 is added, or has it already.
    if (digits.wrapping_add(118 * ONES) | digits) & HIGH_BITS != 0 {
        return None;
    }
    const EVERY_FOURTH: u64 = 0xff | 0xff << 32;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let upper = (pairs & EVERY_FOURTH).wrapping_mul(100 + (1_000_000 << 32));
    let lower = (pairs >> 16 & EVERY_FOURTH).wrapping_mul(1 + (10_000 << 32));
    Some((upper.wrapping_add(lower) >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    /// Texts of bytes that matter here, long enough that words find room.
    fn texts() -> impl Iterator<Item = Vec<u8>> {
        (0..20_000).map(|index| {
            let mut rng = Rng::stream(0, "eight bytes", index);
            let signs = if rng.below(2) == 0 { &b"0123456789"[..] } else { &b"09,\n/:;\x0b\x80\xff a"[..] };
            (0..24).map(|_| signs[rng.below(signs.len())]).collect()
        })
    }

    #[test]
    fn a_field_ends_where_a_loop_finds_its_end() {
        for text in texts() {
            for at in 0..8 {
                let expected = (at..text.len()).find(|&place| [b',', b'\n'].contains(&text[place]));
                match field_end(&text, at, b',') {
                    Some(end) => assert_eq!(Some(end), expected, "{text:?} from {at}"),
                    None => assert!(expected.is_none_or(|end| end > text.len() - 8), "{text:?} from {at}"),
                }
            }
        }
    }

    #[test]
    fn plain_fields_are_fields_without_quotes_or_spaces() {
        for text in texts() {
            for start in 0..8 {
                let next = (start..text.len()).find(|&place| [b',', b'\n'].contains(&text[place]));
                let Some(found) = plain_field(&text, start, b',') else { continue };
                assert_eq!(Some(found.next - 1), next, "{text:?} from {start}");
                assert_eq!(found.is_last, text[found.next - 1] == b'\n');
                let field = &text[start..found.next - 1];
                assert_eq!(&text[found.start..found.end], field.strip_suffix(b"\r").unwrap_or(field));
                assert!(!field.is_empty() && field[0].is_ascii_graphic() && field[0] != b'"');
                assert_eq!(found.number, short_number(&text, start, found.end), "{text:?} from {start}");
            }
        }
        let field = |text: &[u8]| plain_field(text, 0, b',').map(|field| (field.end, field.number, field.next));
        assert_eq!(field(b"12,345,6"), Some((2, Some(12), 3)));
        assert_eq!(field(b"12\r\n345,6789"), Some((2, Some(12), 4)));
        assert_eq!(field(b"1234567,"), Some((7, Some(1_234_567), 8)));
        assert_eq!(field(b"12345678,2345678"), Some((8, None, 9)));
        assert_eq!((field(b",2345678"), field(b"\"a\",5678"), field(b" a,45678")), (None, None, None));
    }

    #[test]
    fn short_numbers_are_what_they_say() {
        for text in texts() {
            for length in 0..10 {
                let field = &text[..length];
                let is_short = (1..=7).contains(&length) && field.iter().all(u8::is_ascii_digit);
                let expected = is_short.then(|| std::str::from_utf8(field).unwrap().parse().unwrap());
                assert_eq!(short_number(&text, 0, length), expected, "{field:?}");
            }
        }
        assert_eq!(short_number(b"1234567", 0, 7), None, "no room for a word");
    }
}
