//! Exact decimal numbers: weights as people write them.
//!
//! Two paths tie only when their lengths are equal, and float sums would break ties by rounding order. So `0.1`
//! is read as 1 with one decimal, never as the binary fraction next to it, and 0.1 + 0.2 is 0.3.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// `digits / 10^decimals`, without trailing zeros after the point.
///
/// ```
/// use tiebreak::graph::Decimal;
/// let third: Decimal = "0.30".parse().unwrap();
/// assert_eq!(third.to_string(), "0.3");
/// assert_eq!("25e-2".parse::<Decimal>().unwrap().to_string(), "0.25");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    /// The shortest decimal that reads back as this float: the number that somebody wrote.
    pub fn from_f64(value: f64) -> Result<Self, DecimalError> {
        format!("{value:e}").parse()
    }

    /// As [`Decimal::from_f64`] for single precision.
    pub fn from_f32(value: f32) -> Result<Self, DecimalError> {
        format!("{value:e}").parse()
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

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
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
    fn what_is_not_a_number_is_refused() {
        for text in ["", ".", "-", "nan", "inf", "1e", "0x10", "1_000", "1,5", "--1", "1e1.5", "é", "1e99999999999"] {
            assert!(matches!(text.parse::<Decimal>(), Err(DecimalError::NotANumber(_))), "{text}");
        }
        assert!(matches!("1e31".parse::<Decimal>(), Err(DecimalError::TooLong(_))));
        assert!(matches!("1e-2000000000".parse::<Decimal>(), Err(DecimalError::TooLong(_))));
        assert!(Decimal::from_f64(f64::INFINITY).is_err());
    }
}
