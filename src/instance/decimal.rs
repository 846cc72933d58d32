//! Exact decimal numbers: weights as people write them.
//!
//! Two paths tie only when their lengths are equal, and float sums would break ties by rounding order. So `0.1`
//! is read as 1 with one decimal, never as the binary fraction next to it, and 0.1 + 0.2 is 0.3.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// `digits / 10^decimals`, without trailing zeros after the point; zero by default.
///
/// ```
/// use tiebreak::instance::Decimal;
/// let third: Decimal = "0.30".parse().unwrap();
/// assert_eq!(third.to_string(), "0.3");
/// assert_eq!("25e-2".parse::<Decimal>().unwrap().to_string(), "0.25");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decimal {
    digits: i128,
    decimals: u32,
}

/// Why a text is not an exact decimal.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DecimalError {
    /// Not a number at all, or one that is not finite.
    #[error("'{0}' is not a finite decimal number")]
    NotANumber(String),
    /// A number with more digits than can be held exactly.
    #[error("'{0}' has too many digits to be held exactly (at most {MAX_DIGITS} are possible)")]
    TooLong(String),
}

/// The most digits a weight may have: sums over millions of edges must still fit 127 bits.
const MAX_DIGITS: u32 = 30;

impl Decimal {
    /// A whole number.
    pub fn whole(value: i64) -> Self {
        Decimal::reduced(i128::from(value), 0)
    }

    /// `digits / 10^decimals`.
    pub fn scaled(digits: i128, decimals: u32) -> Self {
        Decimal::reduced(digits, decimals)
    }

    /// As [`Decimal::scaled`] for digits that are known to have no zeros to drop: division is what takes time there.
    pub(crate) fn from_shortest(digits: i128, decimals: u32) -> Self {
        debug_assert_eq!(Decimal { digits, decimals }, Decimal::reduced(digits, decimals));
        Decimal { digits, decimals }
    }

    /// The shortest decimal that reads back as this float: the number that somebody wrote. A whole number that fits 64 bits is itself,
    /// also where floats are further apart than whole numbers: there a shorter decimal would be another number.
    ///
    /// ```
    /// use tiebreak::instance::Decimal;
    /// assert_eq!(Decimal::from_f64(0.1).unwrap().to_string(), "0.1");
    /// assert_eq!(Decimal::from_f64((1u64 << 60) as f64).unwrap().to_string(), "1152921504606846976");
    /// ```
    pub fn from_f64(value: f64) -> Result<Self, DecimalError> {
        // Most weights are whole numbers, and need not become a text.
        match whole(value) {
            Some(number) => Ok(Decimal::whole(number)),
            None => format!("{value:e}").parse(),
        }
    }

    /// As [`Decimal::from_f64`] for single precision.
    pub fn from_f32(value: f32) -> Result<Self, DecimalError> {
        match whole(f64::from(value)) {
            Some(number) => Ok(Decimal::whole(number)),
            None => format!("{value:e}").parse(),
        }
    }

    /// The number of digits after the point.
    pub fn decimals(self) -> u32 {
        self.decimals
    }

    /// The whole number `self * 10^decimals`; `None` when it does not fit or is not whole.
    pub fn at_scale(self, decimals: u32) -> Option<i128> {
        let power = decimals.checked_sub(self.decimals)?;
        self.digits.checked_mul(10i128.checked_pow(power)?)
    }

    /// How many digits the number has, without zeros at either end: 0.0120 has 2.
    pub fn significant_digits(self) -> u32 {
        let mut rest = self.digits.unsigned_abs();
        while rest != 0 && rest.is_multiple_of(10) {
            rest /= 10;
        }
        if rest == 0 { 0 } else { rest.ilog10() + 1 }
    }

    /// The nearest multiple of `step`, of two equally near ones the even multiple; `None` when it cannot be held
    /// exactly or `step` is not positive.
    ///
    /// ```
    /// use tiebreak::instance::Decimal;
    /// let decimal = |text: &str| text.parse::<Decimal>().unwrap();
    /// assert_eq!(decimal("0.30000000000000004").rounded_to(decimal("0.01")), Some(decimal("0.3")));
    /// assert_eq!(decimal("2.5").rounded_to(decimal("1")), Some(decimal("2")));
    /// ```
    pub fn rounded_to(self, step: Decimal) -> Option<Decimal> {
        if step.digits <= 0 {
            return None;
        }
        let scale = self.decimals.max(step.decimals);
        let (value, unit) = (self.at_scale(scale)?, step.at_scale(scale)?);
        let (below, rest) = (value.div_euclid(unit), value.rem_euclid(unit));
        let up = match rest.cmp(&(unit - rest)) {
            Ordering::Less => false,
            Ordering::Equal => below % 2 != 0,
            Ordering::Greater => true,
        };
        let multiple = below + i128::from(up);
        let rounded = Decimal::reduced(multiple.checked_mul(step.digits)?, step.decimals);
        // More digits could not be read again.
        (rounded.digits.unsigned_abs() < 10u128.pow(MAX_DIGITS)).then_some(rounded)
    }

    /// The value as a float, the nearest one.
    pub fn to_f64(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// The digits as a whole number, the point left out; with [`Decimal::decimals`] that is the number.
    pub fn digits(self) -> i128 {
        self.digits
    }

    fn reduced(mut digits: i128, mut decimals: u32) -> Self {
        if digits == 0 {
            return Decimal { digits, decimals: 0 };
        }
        while decimals > 0 && digits % 10 == 0 {
            digits /= 10;
            decimals -= 1;
        }
        Decimal { digits, decimals }
    }
}

/// The whole number that a float is, if it fits 64 bits.
fn whole(value: f64) -> Option<i64> {
    (value.trunc() == value && value.abs() < i64::MAX as f64).then_some(value as i64)
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        match plain_number(text.as_bytes()) {
            Some(number) => Ok(number),
            None => any_number(text),
        }
    }
}

/// A number of at most 18 digits without an exponent, as nearly all are: a large file is read mostly here.
fn plain_number(text: &[u8]) -> Option<Decimal> {
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let (mut digits, mut after_point) = (0u64, None);
    if unsigned.len() > 18 || unsigned.is_empty() {
        return None;
    }
    for &byte in unsigned {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                after_point = after_point.map(|count| count + 1);
            }
            b'.' if after_point.is_none() && unsigned.len() > 1 => after_point = Some(0u32),
            _ => return None,
        }
    }
    let mut decimals = after_point.unwrap_or(0);
    while decimals > 0 && digits % 10 == 0 {
        digits /= 10;
        decimals -= 1;
    }
    let digits = i128::from(digits);
    Some(Decimal { digits: if negative { -digits } else { digits }, decimals })
}

/// Signs, exponents and any number of digits.
fn any_number(text: &str) -> Result<Decimal, DecimalError> {
    let not_a_number = || DecimalError::NotANumber(shortened(text));
    let too_long = || DecimalError::TooLong(shortened(text));
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| not_a_number())?),
        None => (text, 0),
    };
    let (negative, unsigned) = match mantissa.as_bytes().first() {
        Some(b'-') => (true, &mantissa[1..]),
        Some(b'+') => (false, &mantissa[1..]),
        _ => (false, mantissa),
    };
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) {
        return Err(not_a_number());
    }
    let significant = format!("{whole}{fraction}");
    let trimmed = significant.trim_start_matches('0').trim_end_matches('0');
    if trimmed.is_empty() {
        return Ok(Decimal { digits: 0, decimals: 0 });
    }
    let dropped = significant.len() - significant.trim_end_matches('0').len();
    // The value is trimmed * 10^power.
    let power = i64::from(exponent) - fraction.len() as i64 + dropped as i64;
    let magnitude = trimmed.len() as i64 + power.max(0);
    if magnitude > i64::from(MAX_DIGITS) || -power > i64::from(MAX_DIGITS) {
        return Err(too_long());
    }
    let digits: i128 = trimmed.parse().map_err(|_| too_long())?;
    let digits = if negative { -digits } else { digits };
    Ok(if power >= 0 {
        Decimal { digits: digits * 10i128.pow(power as u32), decimals: 0 }
    } else {
        Decimal { digits, decimals: (-power) as u32 }
    })
}

/// What an error shows of a text that may be very long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let digits = self.digits.unsigned_abs().to_string();
        let decimals = self.decimals as usize;
        if decimals == 0 {
            return write!(f, "{sign}{digits}");
        }
        let padded = format!("{digits:0>width$}", width = decimals + 1);
        let (whole, fraction) = padded.split_at(padded.len() - decimals);
        write!(f, "{sign}{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly() {
        for (text, shown) in [
            ("1", "1"),
            ("0.10", "0.1"),
            (".5", "0.5"),
            ("3.", "3"),
            ("-2.50", "-2.5"),
            ("+7e2", "700"),
            ("1.25e-3", "0.00125"),
            ("0000", "0"),
            ("1000e-3", "1"),
            ("0e999999999", "0"),
        ] {
            assert_eq!(text.parse::<Decimal>().unwrap().to_string(), shown, "{text}");
        }
        assert_eq!(Decimal::from_f64(0.1).unwrap(), "0.1".parse().unwrap());
        assert_eq!(Decimal::from_f32(0.1).unwrap(), "0.1".parse().unwrap());
    }

    #[test]
    fn whole_floats_are_read_like_any_others() {
        for value in [0.0, -0.0, 1.0, -1.0, 10.0, 3e5, 1e15 - 1.0, 1e15, -1e16, 12.5, 1e22, 1e-3, 123_456_789.0] {
            assert_eq!(Decimal::from_f64(value), format!("{value:e}").parse(), "{value}");
        }
    }

    #[test]
    fn short_numbers_are_read_like_any_others() {
        let parts = ["", "-", "+", "0", "7", "10", "00", ".", "5", "e1", "123456789", "E-2", " "];
        for first in parts {
            for second in parts {
                for third in parts {
                    let text = [first, second, third].concat();
                    assert_eq!(text.parse::<Decimal>(), any_number(&text), "{text}");
                }
            }
        }
    }

    #[test]
    fn rounding_goes_to_the_nearest_multiple_and_ties_to_the_even_one() {
        let decimal = |text: &str| text.parse::<Decimal>().unwrap();
        for (value, step, expected) in [
            ("0.30000000000000004", "0.01", "0.3"),
            ("0.5", "1", "0"),
            ("1.5", "1", "2"),
            ("2.5", "1", "2"),
            ("-0.5", "1", "0"),
            ("-1.5", "1", "-2"),
            ("-2.51", "1", "-3"),
            ("7", "5", "5"),
            ("7.5", "5", "10"),
            ("0.125", "0.05", "0.1"),
            ("12", "0.25", "12"),
            ("0", "3", "0"),
        ] {
            assert_eq!(decimal(value).rounded_to(decimal(step)), Some(decimal(expected)), "{value} to {step}");
        }
        assert_eq!(decimal("1").rounded_to(decimal("0")), None);
        assert_eq!(decimal("1").rounded_to(decimal("-1")), None);
        assert_eq!(decimal("1e29").rounded_to(decimal("1e-30")), None);
        // The nearest multiple has 31 digits, which no reader would take.
        assert_eq!(decimal("1e12").rounded_to(decimal("0.00000000000030000325")), None);
    }

    #[test]
    fn significant_digits_leave_out_zeros_at_both_ends() {
        for (text, digits) in [("0", 0), ("0.0120", 2), ("-1200", 2), ("0.30000000000000004", 17), ("105", 3)] {
            assert_eq!(text.parse::<Decimal>().unwrap().significant_digits(), digits, "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in ["", ".", "-", "nan", "inf", "1e", "0x10", "1_000", "1,5", "--1", "1e1.5", "é", "1e99999999999"] {
            assert!(matches!(text.parse::<Decimal>(), Err(DecimalError::NotANumber(_))), "{text}");
        }
        assert!(matches!("1e31".parse::<Decimal>(), Err(DecimalError::TooLong(_))));
        assert!(matches!("1e-2000000000".parse::<Decimal>(), Err(DecimalError::TooLong(_))));
        assert!(Decimal::from_f64(f64::INFINITY).is_err());
    }
}
