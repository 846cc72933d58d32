//! Exact whole numbers: 128 bits where they suffice, as they nearly always do, and as many as it takes otherwise.

use super::reach::Set;
use foldhash::fast::RandomState;
use num_bigint::BigInt;
use std::collections::HashMap;

/// A whole number of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Exact {
    Small(i128),
    Large(Box<BigInt>),
}

impl Exact {
    pub const ZERO: Exact = Exact::Small(0);
    pub const ONE: Exact = Exact::Small(1);

    pub fn big(&self) -> BigInt {
        match self {
            Exact::Small(number) => BigInt::from(*number),
            Exact::Large(number) => (**number).clone(),
        }
    }

    /// The same value always has the same form.
    fn of(number: BigInt) -> Self {
        i128::try_from(&number).map_or_else(|_| Exact::Large(Box::new(number)), Exact::Small)
    }

    pub fn times(&self, other: &Exact) -> Exact {
        match (self, other) {
            (Exact::Small(one), Exact::Small(other)) => match one.checked_mul(*other) {
                Some(product) => Exact::Small(product),
                None => Exact::of(BigInt::from(*one) * *other),
            },
            _ => Exact::of(self.big() * other.big()),
        }
    }

    pub fn plus(&self, other: &Exact) -> Exact {
        match (self, other) {
            (Exact::Small(one), Exact::Small(other)) => match one.checked_add(*other) {
                Some(sum) => Exact::Small(sum),
                None => Exact::of(BigInt::from(*one) + *other),
            },
            _ => Exact::of(self.big() + other.big()),
        }
    }

    pub fn negated(&self) -> Exact {
        self.times(&Exact::Small(-1))
    }
}

/// Numbers by vertex and set, 24 bytes for each that fits 64 bits: most states are small ones.
#[derive(Default)]
pub(super) struct Known {
    small: HashMap<(Set, u8), i64, RandomState>,
    large: HashMap<(Set, u8), Exact, RandomState>,
}

/// In place of a number that stands among the large ones.
const LARGE: i64 = i64::MIN;

impl Known {
    pub fn len(&self) -> usize {
        self.small.len()
    }

    pub fn get(&self, vertex: usize, set: Set) -> Option<Exact> {
        match *self.small.get(&(set, vertex as u8))? {
            LARGE => self.large.get(&(set, vertex as u8)).cloned(),
            small => Some(Exact::Small(small.into())),
        }
    }

    pub fn insert(&mut self, vertex: usize, set: Set, number: &Exact) {
        let small = match number {
            Exact::Small(number) => i64::try_from(*number).ok().filter(|&small| small != LARGE),
            Exact::Large(_) => None,
        };
        if small.is_none() {
            self.large.insert((set, vertex as u8), number.clone());
        }
        self.small.insert((set, vertex as u8), small.unwrap_or(LARGE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_are_exact() {
        let power = |power: u32| Exact::of(BigInt::from(3).pow(power));
        let sizes = [0, 1, 39, 40, 79, 80, 81, 200];
        for one in sizes {
            for other in sizes {
                assert_eq!(power(one).times(&power(other)), power(one + other));
                let sum = power(one).plus(&power(other).negated());
                assert_eq!(sum.big(), power(one).big() - power(other).big());
                assert_eq!(sum.plus(&power(other)), power(one));
            }
        }
        assert_eq!(Exact::Small(i128::MIN).negated().negated(), Exact::Small(i128::MIN));
    }

    #[test]
    fn what_is_known_comes_back_whatever_its_size() {
        let mut known = Known::default();
        let numbers = [0, 1, -5, i128::from(i64::MAX), i128::from(i64::MIN), i128::MAX].map(Exact::Small);
        let huge = Exact::of(BigInt::from(7).pow(100));
        for (place, number) in numbers.iter().chain([&huge]).enumerate() {
            known.insert(place, 1 << 63 | 5, number);
            assert_eq!(known.get(place, 1 << 63 | 5).as_ref(), Some(number));
        }
        assert_eq!((known.len(), known.get(0, 5)), (7, None));
    }
}
