//! Arithmetic modulo primes just below 2^62, in Montgomery's form, and whole numbers from their residues.

use super::elimination::Arithmetic;
use num_bigint::BigUint;

/// Residues modulo an odd prime below 2^62, as Montgomery's products with 2^64.
pub(super) struct Residues {
    pub prime: u64,
    /// -1 / prime modulo 2^64.
    negative_inverse: u64,
    /// 2^128 modulo the prime.
    square: u64,
}

impl Residues {
    pub fn new(prime: u64) -> Self {
        // Newton: each round doubles the number of right bits, and an odd number is its own inverse modulo 8.
        let inverse = (0..5).fold(prime, |x, _| x.wrapping_mul(2u64.wrapping_sub(prime.wrapping_mul(x))));
        let word = u64::MAX % prime + 1;
        let square = (u128::from(word) * u128::from(word) % u128::from(prime)) as u64;
        Residues { prime, negative_inverse: inverse.wrapping_neg(), square }
    }

    /// The residue of a number.
    pub fn of(&self, number: u64) -> u64 {
        self.mul(number % self.prime, self.square)
    }

    /// The residue of a large number.
    pub fn of_large(&self, number: &BigUint) -> u64 {
        // The product with 2^128 / 2^64 moves what is known up by one digit.
        let next = |rest, digit: u64| self.add(self.mul(rest, self.square), digit % self.prime);
        self.of(number.iter_u64_digits().rev().fold(0, next))
    }

    /// The number, below the prime, of a residue.
    pub fn number(&self, residue: u64) -> u64 {
        self.mul(residue, 1)
    }

    fn power(&self, base: u64, mut exponent: u64) -> u64 {
        let (mut power, mut base) = (self.of(1), base);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.mul(power, base);
            }
            base = self.mul(base, base);
            exponent >>= 1;
        }
        power
    }
}

impl Arithmetic for Residues {
    type Value = u64;

    fn zero(&self) -> u64 {
        0
    }

    #[inline]
    fn add(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        sum.min(sum.wrapping_sub(self.prime))
    }

    #[inline]
    fn mul(&self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let factor = (product as u64).wrapping_mul(self.negative_inverse);
        let sum = ((product + u128::from(factor) * u128::from(self.prime)) >> 64) as u64;
        sum.min(sum.wrapping_sub(self.prime))
    }

    fn invert(&self, a: u64) -> Option<u64> {
        (a != 0).then(|| self.power(a, self.prime - 2))
    }
}

/// The primes below 2^62, from the largest on.
pub(super) fn primes() -> impl Iterator<Item = u64> {
    (0..1u64 << 61).map(|step| (1 << 62) - 1 - 2 * step).filter(|&number| is_prime(number))
}

/// Miller and Rabin's test, with bases that are enough for every number below 2^64.
fn is_prime(odd: u64) -> bool {
    let residues = Residues::new(odd);
    let (one, minus_one) = (residues.of(1), residues.of(odd - 1));
    let twos = (odd - 1).trailing_zeros();
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].iter().all(|&base| {
        let mut power = residues.power(residues.of(base), (odd - 1) >> twos);
        if power == one || power == minus_one {
            return true;
        }
        (1..twos).any(|_| {
            power = residues.mul(power, power);
            power == minus_one
        })
    })
}

/// The number of which residues come in, one prime after the other.
pub(super) struct FromResidues {
    number: BigUint,
    modulus: BigUint,
}

impl FromResidues {
    pub fn new() -> Self {
        FromResidues { number: BigUint::ZERO, modulus: BigUint::from(1u32) }
    }

    /// `residue` is in Montgomery's form.
    pub fn push(&mut self, residues: &Residues, residue: u64) {
        let known = residues.of_large(&self.number);
        let difference = residues.add(residue, residues.prime - known);
        let inverse = residues.invert(residues.of_large(&self.modulus)).expect("the primes are different");
        self.number += &self.modulus * residues.number(residues.mul(difference, inverse));
        self.modulus *= residues.prime;
    }

    /// How many bits a number may have to be known for certain.
    pub fn bits(&self) -> u64 {
        self.modulus.bits() - 1
    }

    pub fn number(self) -> BigUint {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_primes_are_right() {
        // 2^62 - 57 is the largest prime below 2^62.
        let first: Vec<u64> = primes().take(2).collect();
        assert_eq!(first[0], (1 << 62) - 57);
        assert!(!is_prime(first[0] + 2) && !is_prime(1_000_003 * 1_000_033) && is_prime(1_000_003));
    }

    #[test]
    fn residues_calculate_as_wide_integers_do() {
        let prime = primes().nth(3).unwrap();
        let residues = Residues::new(prime);
        for (a, b) in [(3, 5), (prime - 1, prime - 1), (1 << 61, prime - 2), (0, 7)] {
            let (x, y) = (residues.of(a), residues.of(b));
            assert_eq!(residues.number(residues.mul(x, y)), (u128::from(a) * u128::from(b) % u128::from(prime)) as u64);
            assert_eq!(
                residues.number(residues.add(x, y)),
                ((u128::from(a) + u128::from(b)) % u128::from(prime)) as u64
            );
            if let Some(inverse) = residues.invert(x) {
                assert_eq!(residues.number(residues.mul(x, inverse)), 1);
            }
        }
        assert_eq!(residues.number(residues.of_large(&(BigUint::from(prime) * 12u32 + 7u32))), 7);
    }

    #[test]
    fn a_number_comes_back_from_its_residues() {
        let number = BigUint::from(7u32).pow(100);
        let mut from = FromResidues::new();
        for prime in primes() {
            let residues = Residues::new(prime);
            from.push(&residues, residues.of_large(&number));
            if from.bits() > number.bits() {
                break;
            }
        }
        assert_eq!(from.number(), number);
    }
}
