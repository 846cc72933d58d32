//! How much worse than the best an answer may be: an exact fraction, so that nothing is let in or left out by rounding.

use super::Intractable;
use crate::instance::{Decimal, Weight};
use crate::random::Rng;
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A share such as 5 %: an exact decimal that is not negative.
///
/// ```
/// use tiebreak::solve::Tolerance;
/// let five: Tolerance = "5%".parse().unwrap();
/// assert_eq!(five, "0.05".parse().unwrap());
/// assert_eq!((five.most(200), five.most(-200), five.most(7)), (210, -190, 7));
/// assert_eq!(five.to_string(), "5 %");
/// assert!("-1%".parse::<Tolerance>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerance(Decimal);

/// A text that is no share.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{0}' is no share: it takes a percentage such as 5%, or a number from 0 on such as 0.05")]
pub struct BadTolerance(String);

impl Tolerance {
    /// The share itself; `None` when it is negative.
    pub fn new(share: Decimal) -> Option<Self> {
        (share.digits() >= 0).then_some(Tolerance(share))
    }

    /// The share as a number.
    pub fn share(self) -> Decimal {
        self.0
    }

    /// The most that an answer may measure where the best measures `best`: best + share * |best|, rounded down to a whole number.
    pub fn most(self, best: Weight) -> Weight {
        let more = self.of(best);
        best.saturating_add(more)
    }

    /// The least that an answer may measure where the best measures `best`, and much is good.
    pub fn least(self, best: Weight) -> Weight {
        best.saturating_sub(self.of(best))
    }

    /// This share of a length, rounded down.
    pub fn of(self, length: Weight) -> Weight {
        let part = BigInt::from(length.unsigned_abs()) * BigInt::from(self.0.digits())
            / BigInt::from(10).pow(self.0.decimals());
        Weight::try_from(part).unwrap_or(Weight::MAX)
    }
}

impl FromStr for Tolerance {
    type Err = BadTolerance;

    fn from_str(text: &str) -> Result<Self, BadTolerance> {
        let bad = || BadTolerance(text.to_owned());
        let (number, is_percent) = match text.trim().strip_suffix('%') {
            Some(number) => (number.trim_end(), true),
            None => (text.trim(), false),
        };
        let number: Decimal = number.parse().map_err(|_| bad())?;
        let decimals = number.decimals() + if is_percent { 2 } else { 0 };
        Tolerance::new(Decimal::scaled(number.digits(), decimals)).ok_or_else(bad)
    }
}

/// As a percentage: `5 %`.
impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = match self.0.decimals() {
            decimals @ 2.. => Decimal::scaled(self.0.digits(), decimals - 2),
            decimals => Decimal::scaled(self.0.digits().saturating_mul(10i128.pow(2 - decimals)), 0),
        };
        write!(f, "{percent} %")
    }
}

/// How much longer than the best an answer is: 0.05 for one that is 5 % longer. `None` where the best measures nothing, and this one
/// more.
pub fn relative_gap(length: Weight, best: Weight) -> Option<f64> {
    match (length - best, best) {
        (0, _) => Some(0.0),
        (_, 0) => None,
        (more, best) => Some(more as f64 / best.unsigned_abs() as f64),
    }
}

/// How far an answer is from the best, where it is farthest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What the answer measures.
    pub measure: Weight,
    /// What the best measures.
    pub best: Weight,
    /// The vertex whose path that is; `None` where an answer is measured as a whole.
    pub vertex: Option<usize>,
}

impl Gap {
    /// How much worse, in the units of both: more than the best where little is good, less where much is.
    fn size(&self) -> Weight {
        (self.measure - self.best).abs()
    }

    /// As a share of the best: 0.05 for one that is 5 % worse.
    pub fn relative(&self) -> Option<f64> {
        relative_gap(self.best.saturating_add(self.size()), self.best)
    }

    /// The order of relative gaps, exactly; the best of both must not be negative.
    pub fn compare(&self, other: &Gap) -> Ordering {
        let share = |one: &Gap, by: &Gap| BigInt::from(one.size()) * BigInt::from(by.best);
        match (self.best, other.best) {
            (0, 0) => self.size().cmp(&other.size()),
            (0, _) => {
                if self.size() == 0 {
                    0.cmp(&other.size())
                } else {
                    Ordering::Greater
                }
            }
            (_, 0) => other.compare(self).reverse(),
            _ => share(self, other).cmp(&share(other, self)),
        }
    }
}

/// What is said of weights that leave no room above them.
pub(crate) fn too_large() -> Intractable {
    Intractable("its weights are too large to be raised by a share".to_owned())
}

/// The unit in which weights are raised.
const FINE: Weight = 1 << 20;

/// Raises weights at random by up to the tolerance, in finer units: what is best for the raised weights is within the tolerance for the
/// given ones, unless some of them are negative (raised by so much of their size).
///
/// For weights w >= 0 each raised weight lies between w and (1 + x) w. So the best for them measures no more than (1 + x) times what
/// the best for the given ones does.
#[derive(Debug)]
pub struct Raising<'a> {
    most: Weight,
    rng: &'a mut Rng,
}

impl<'a> Raising<'a> {
    /// Draws from this stream.
    pub fn new(tolerance: Tolerance, rng: &'a mut Rng) -> Self {
        Raising { most: tolerance.of(FINE), rng }
    }

    /// A raised weight; `None` when it has no room.
    pub fn raise(&mut self, weight: Weight) -> Option<Weight> {
        let more = match usize::try_from(self.most) {
            Ok(most) if most < usize::MAX => self.rng.below(most + 1) as Weight,
            _ => return None,
        };
        weight.checked_mul(FINE)?.checked_add(weight.checked_abs()?.checked_mul(more)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_ordered_as_fractions() {
        let gap = |measure, best| Gap { measure, best, vertex: None };
        assert_eq!(gap(11, 10).compare(&gap(110, 100)), Ordering::Equal);
        assert_eq!(gap(11, 10).compare(&gap(111, 100)), Ordering::Less);
        assert_eq!(gap(0, 0).compare(&gap(5, 5)), Ordering::Equal);
        assert_eq!(gap(1, 0).compare(&gap(500, 5)), Ordering::Greater);
        assert_eq!(gap(500, 5).compare(&gap(1, 0)), Ordering::Less);
        assert_eq!(gap(0, 0).compare(&gap(6, 5)), Ordering::Less);
    }

    #[test]
    fn shares_are_read_and_written() {
        for (text, shown) in
            [("5%", "5 %"), ("0.05", "5 %"), ("0", "0 %"), ("12.5 %", "12.5 %"), ("2", "200 %"), ("0.001", "0.1 %")]
        {
            assert_eq!(text.parse::<Tolerance>().unwrap().to_string(), shown);
        }
        for text in ["", "%", "x", "-0.1", "5%%", "inf"] {
            assert!(text.parse::<Tolerance>().is_err(), "{text}");
        }
    }
}
