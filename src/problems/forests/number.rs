//! Exact whole numbers: 128 bits where they suffice, as they nearly always do, and as many as it takes otherwise.

use num_bigint::BigInt;

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
    pub fn of(number: BigInt) -> Self {
        i128::try_from(&number).map_or_else(|_| Exact::Large(Box::new(number)), Exact::Small)
    }

    #[inline]
    pub fn times(&self, other: &Exact) -> Exact {
        match (self, other) {
            // Nearly always, and much sooner than what is checked.
            (&Exact::Small(one), &Exact::Small(other)) if is_short(one) && is_short(other) => Exact::Small(one * other),
            (Exact::Small(one), Exact::Small(other)) => match one.checked_mul(*other) {
                Some(product) => Exact::Small(product),
                None => Exact::of(BigInt::from(*one) * *other),
            },
            _ => Exact::of(self.big() * other.big()),
        }
    }

    #[inline]
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

/// Whether a number fits 64 bits: a product of two such ones fits 128.
fn is_short(number: i128) -> bool {
    number == i128::from(number as i64)
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
}
