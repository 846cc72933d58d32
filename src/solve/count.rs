//! How many solutions there are: exactly, at least, or not known.

use super::Solution;
use crate::pipeline::metrics::count_in_words;
use crate::problems::{Allowed, SolutionSet, Space};
use num_bigint::BigUint;
use std::fmt;

/// A number of solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly so many.
    Exactly(BigUint),
    /// Proved to be at least so many.
    AtLeast(BigUint),
    /// Not known.
    Unknown,
}

impl Count {
    /// Exactly none.
    pub fn none() -> Self {
        Count::Exactly(BigUint::ZERO)
    }

    /// The exact number, where it is known.
    pub fn exactly(&self) -> Option<&BigUint> {
        match self {
            Count::Exactly(count) => Some(count),
            _ => None,
        }
    }

    /// What is wanted, but no more than there is.
    pub(super) fn limit(&self, wanted: usize) -> usize {
        match self {
            Count::Exactly(count) => usize::try_from(count).unwrap_or(usize::MAX).min(wanted),
            _ => wanted,
        }
    }
}

/// As it stands after "10 of": `58,212`, `more than 10^9`, `an unknown number`.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Exactly(count) => f.write_str(&count_in_words(count)),
            Count::AtLeast(count) => write!(f, "more than {}", rounded_down(&count.to_string())),
            Count::Unknown => f.write_str("an unknown number"),
        }
    }
}

/// A number less than the given one (which is at least 2) that is easy to read: a power of ten from a million on.
fn rounded_down(digits: &str) -> String {
    if digits.len() > 7 || (digits.len() == 7 && digits != "1000000") {
        let power =
            digits.len() - 1 - usize::from(digits[1..].bytes().all(|digit| digit == b'0') && digits.starts_with('1'));
        return format!("10^{power}");
    }
    let less = digits.parse::<u64>().map_or(0, |count| count.saturating_sub(1));
    count_in_words(less)
}

/// The allowed solutions of each alternative, where they can be counted.
pub(super) type Sets<'a> = Vec<Option<Box<dyn SolutionSet + 'a>>>;

/// The number of solutions that one of the alternatives allows; they have no solution in common.
pub(super) fn count<'a>(space: &'a dyn Space, alternatives: &[Allowed], effort: usize) -> (Count, Sets<'a>) {
    let sets: Sets = alternatives.iter().map(|allowed| space.within(allowed, effort).ok()).collect();
    let sum = sets.iter().map(|set| set.as_ref().map(|set| set.count().clone())).sum::<Option<BigUint>>();
    (sum.map_or(Count::Unknown, Count::Exactly), sets)
}

/// A proved lower bound, where no exact number is to be had: more than were found, or nothing is said.
pub(super) fn at_least(space: &dyn Space, found: &[Solution]) -> Count {
    let bound = found.first().map(|solution| space.at_least(&solution.candidate));
    bound.filter(|bound| *bound > BigUint::from(found.len())).map_or(Count::Unknown, Count::AtLeast)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_well() {
        let number = |text: &str| text.parse::<BigUint>().unwrap();
        assert_eq!(Count::Exactly(number("58212")).to_string(), "58,212");
        assert_eq!(Count::Exactly(number(&format!("1234{}", "0".repeat(30)))).to_string(), "about 1.234 × 10^33");
        assert_eq!(Count::AtLeast(number("1000000001")).to_string(), "more than 10^9");
        assert_eq!(Count::AtLeast(number("1000000000")).to_string(), "more than 10^8");
        assert_eq!(Count::AtLeast(number("1000")).to_string(), "more than 999");
        assert_eq!(Count::AtLeast(number("1000000")).to_string(), "more than 999,999");
        assert_eq!(Count::AtLeast(number("1000001")).to_string(), "more than 10^6");
    }
}
