//! Numbers of trees: exact, or with a number of digits that are certain.

use super::elimination::{Arithmetic, Conductances, Elimination, Floats};
use super::modular::{FromResidues, Residues, primes};
use super::{Limits, Refusal};
use num_bigint::BigUint;
use std::fmt;

/// How many trees there are.
#[derive(Clone, Debug, PartialEq)]
pub enum TreeCount {
    /// So many.
    Exact(BigUint),
    /// Too many to be counted exactly within the limits.
    About {
        /// The decimal logarithm of their number.
        log10: f64,
        /// The relative error of their number is less than 10^-digits.
        digits: u32,
    },
}

impl TreeCount {
    /// The exact number, where it is known.
    pub fn exact(&self) -> Option<&BigUint> {
        match self {
            TreeCount::Exact(number) => Some(number),
            TreeCount::About { .. } => None,
        }
    }

    /// The decimal logarithm of the number; negative infinity for zero.
    pub fn log10(&self) -> f64 {
        match self {
            TreeCount::Exact(number) => log2(number) * std::f64::consts::LOG10_2,
            TreeCount::About { log10, .. } => *log10,
        }
    }
}

impl fmt::Display for TreeCount {
    /// All digits, or the certain ones: `about 6.02214e23`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeCount::Exact(number) => number.fmt(f),
            TreeCount::About { log10, digits } => {
                let mut exponent = log10.floor();
                let places = digits.saturating_sub(1) as usize;
                let mut leading = format!("{:.places$}", 10f64.powf(log10 - exponent));
                if leading.starts_with("10") {
                    exponent += 1.0;
                    leading = format!("{:.places$}", 1.0);
                }
                write!(f, "about {leading}e{exponent}")
            }
        }
    }
}

/// The weight of an arc or edge.
pub(super) enum Weight {
    Whole(u64),
    /// A part of the graph between two vertices: its trees, and its forests of two trees that part the two.
    Ratio(BigUint, BigUint),
}

impl Weight {
    /// Of a part's trees and forests.
    pub fn ratio((trees, forests): (BigUint, BigUint)) -> Self {
        match u64::try_from(&trees) {
            Ok(whole) if forests == BigUint::from(1u32) => Weight::Whole(whole),
            _ => Weight::Ratio(trees, forests),
        }
    }

    fn residue(&self, residues: &Residues) -> Option<u64> {
        match self {
            Weight::Whole(number) => Some(residues.of(*number)),
            Weight::Ratio(over, under) => {
                Some(residues.mul(residues.of_large(over), residues.invert(residues.of_large(under))?))
            }
        }
    }

    fn float(&self) -> f64 {
        match self {
            Weight::Whole(number) => *number as f64,
            Weight::Ratio(over, under) => ratio(over, under),
        }
    }
}

/// A product of numbers of trees, some of them perhaps rounded.
pub(super) struct Product {
    exact: Vec<BigUint>,
    rounded: Scaled,
    /// The relative error of the rounded factor, in units of 2^-53, at most.
    roundings: f64,
    /// The size of the largest component that was rounded.
    largest: Option<usize>,
}

impl Product {
    pub fn new() -> Self {
        Product { exact: vec![], rounded: Scaled { mantissa: 1.0, exponent: 0 }, roundings: 0.0, largest: None }
    }

    pub fn times(&mut self, factor: BigUint) {
        self.exact.push(factor);
    }

    /// Multiplies by positive numbers that have an error of so many roundings, all together.
    pub fn times_rounded(&mut self, factors: impl Iterator<Item = f64>, roundings: f64, vertices: usize) {
        for factor in factors {
            self.rounded.times(factor);
            self.roundings += 1.0;
        }
        self.roundings += roundings;
        self.largest = self.largest.max(Some(vertices));
    }

    /// Multiplies by the weight of all trees of a network (each the product of its arcs' weights), times the
    /// denominators of all weights; arcs have the index of their weight.
    pub fn times_trees(
        &mut self,
        network: &Conductances<u32>,
        weights: &[Weight],
        limits: &Limits,
    ) -> Result<(), Refusal> {
        let elimination = order(network, limits)?;
        let scale = product(weights.iter().filter_map(|weight| match weight {
            Weight::Whole(_) => None,
            Weight::Ratio(_, under) => Some(under.clone()),
        }));
        let floats: Vec<f64> = weights.iter().map(Weight::float).collect();
        let bits = log2(&scale) + bound(network, &floats);
        if exact_work(network, weights, &elimination, bits) <= limits.exact as f64 {
            self.times(exact(network, weights, &elimination, &scale, bits));
            return Ok(());
        }
        self.times(scale);
        self.times_pivots(network, &floats, &elimination)
    }

    /// The same for weights that are rounded already, up to four roundings; without denominators.
    pub fn times_rounded_trees(
        &mut self,
        network: &Conductances<u32>,
        weights: &[f64],
        limits: &Limits,
    ) -> Result<(), Refusal> {
        self.times_pivots(network, weights, &order(network, limits)?)
    }

    fn times_pivots(
        &mut self,
        network: &Conductances<u32>,
        weights: &[f64],
        elimination: &Elimination,
    ) -> Result<(), Refusal> {
        let vertices = network.size();
        let pivots = elimination.pivots(&Floats, &network.map(|weight| weights[weight as usize]));
        let pivots = pivots.ok_or(Refusal::Underflow { vertices })?;
        self.times_rounded(pivots.into_iter(), elimination.roundings() + 4.0 * vertices as f64, vertices);
        Ok(())
    }

    pub fn finish(self) -> Result<TreeCount, Refusal> {
        let exact = product(self.exact.into_iter());
        let Some(vertices) = self.largest else { return Ok(TreeCount::Exact(exact)) };
        let log2 = log2(&exact) + self.rounded.log2();
        // The logarithms, their sum and the change of base are right to a few roundings of their own.
        let roundings = self.roundings + 8.0 * (log2.abs() + 1.0);
        let digits = (-(roundings * f64::EPSILON).log10()).floor();
        if digits < 1.0 {
            return Err(Refusal::Digits { vertices });
        }
        Ok(TreeCount::About { log10: log2 * std::f64::consts::LOG10_2, digits: digits as u32 })
    }
}

fn order(network: &Conductances<u32>, limits: &Limits) -> Result<Elimination, Refusal> {
    let refusal = Refusal::Count { vertices: network.size(), limit: limits.rounded };
    Elimination::new(network, limits.rounded).ok_or(refusal)
}

/// A positive number of any size: `mantissa`, in [1, 2), times two to the power of `exponent`.
struct Scaled {
    mantissa: f64,
    exponent: i64,
}

impl Scaled {
    /// By a positive number that is not subnormal.
    fn times(&mut self, factor: f64) {
        // A product of two mantissas is below 4, so nothing overflows.
        let (first, power) = split(factor);
        let (mantissa, carry) = split(self.mantissa * first);
        self.mantissa = mantissa;
        self.exponent += power + carry;
    }

    fn log2(&self) -> f64 {
        self.mantissa.log2() + self.exponent as f64
    }
}

/// A positive number that is not subnormal as a number in [1, 2) times a power of two.
fn split(number: f64) -> (f64, i64) {
    const EXPONENT: u64 = 0x7ff << 52;
    let bits = number.to_bits();
    (f64::from_bits(bits & !EXPONENT | 1023 << 52), ((bits & EXPONENT) >> 52) as i64 - 1023)
}

/// The product, by halves: then the factors of a multiplication are of like size.
pub(super) fn product(factors: impl Iterator<Item = BigUint>) -> BigUint {
    let mut factors: Vec<BigUint> = factors.filter(|factor| *factor != BigUint::from(1u32)).collect();
    while factors.len() > 1 {
        factors = factors.chunks(2).map(|pair| pair.iter().product()).collect();
    }
    factors.pop().unwrap_or_else(|| BigUint::from(1u32))
}

/// The binary logarithm of a number that no tree can exceed: each vertex chooses a parent.
fn bound(network: &Conductances<u32>, weights: &[f64]) -> f64 {
    let all = |vertex: usize| {
        network.row(vertex).map(|(_, weight)| weights[weight as usize]).sum::<f64>()
            + weights[network.outside(vertex) as usize]
    };
    (0..network.size()).map(|vertex| all(vertex).log2()).sum::<f64>() * (1.0 + 1e-9) + 2.0
}

/// About how many multiplications an exact count takes: for each prime elimination, reading the weights, and adding the
/// prime to those before it.
fn exact_work(network: &Conductances<u32>, weights: &[Weight], elimination: &Elimination, bits: f64) -> f64 {
    let words = |weight: &Weight| match weight {
        Weight::Whole(_) => 1.0,
        // An inverse takes some hundred multiplications.
        Weight::Ratio(over, under) => (over.bits() + under.bits()) as f64 / 64.0 + 100.0,
    };
    let read = weights.iter().map(words).sum::<f64>() + (network.arcs() + network.size()) as f64;
    let primes = (bits / 61.0).ceil();
    primes * (elimination.work as f64 + 2.0 * read + 4.0 * primes)
}

fn exact(
    network: &Conductances<u32>,
    weights: &[Weight],
    elimination: &Elimination,
    scale: &BigUint,
    bits: f64,
) -> BigUint {
    let mut number = FromResidues::new();
    let mut primes = primes();
    while (number.bits() as f64) < bits {
        let residues = Residues::new(primes.next().expect("there are more primes than could ever be used"));
        // A prime that divides a denominator or a pivot is passed over.
        let known: Option<Vec<u64>> = weights.iter().map(|weight| weight.residue(&residues)).collect();
        let Some(known) = known else { continue };
        let Some(pivots) = elimination.pivots(&residues, &network.map(|weight| known[weight as usize])) else {
            continue;
        };
        let trees = pivots.iter().fold(residues.of_large(scale), |product, &pivot| residues.mul(product, pivot));
        number.push(&residues, trees);
    }
    number.number()
}

/// The binary logarithm.
pub(super) fn log2(number: &BigUint) -> f64 {
    let (leading, shift) = leading(number);
    leading.log2() + shift as f64
}

/// The quotient of two positive numbers.
pub(super) fn ratio(over: &BigUint, under: &BigUint) -> f64 {
    let ((a, x), (b, y)) = (leading(over), leading(under));
    a / b * 2f64.powi(x as i32 - y as i32)
}

/// A number as a float times a power of two.
fn leading(number: &BigUint) -> (f64, i64) {
    let shift = number.bits().saturating_sub(64);
    let top = (number >> shift).iter_u64_digits().next().unwrap_or(0);
    (top as f64, shift as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use num_bigint::BigInt;

    /// A random network: the possible parents of each vertex with small weights, some of them outside.
    fn random(size: usize, rng: &mut Rng) -> (Conductances<u32>, Vec<Weight>) {
        let weights = [1, 1, 2, 7, 1_000_000_007, 0].map(Weight::Whole);
        let rows: Vec<(Vec<(u32, u32)>, u32)> = (0..size)
            .map(|vertex| {
                let others = (0..size).filter(|&other| other != vertex && rng.chance(0.4)).collect::<Vec<_>>();
                let row = others.into_iter().map(|other| (other as u32, rng.below(5) as u32)).collect();
                (row, rng.below(5) as u32)
            })
            .collect();
        (Conductances::new(rows.into_iter()), weights.into())
    }

    /// The determinant of the Laplacian by the rule of Laplace: expansion along the first row.
    fn determinant(matrix: &[Vec<BigInt>]) -> BigInt {
        let Some(first) = matrix.first() else { return BigInt::from(1) };
        let mut sum = BigInt::ZERO;
        for (column, cell) in first.iter().enumerate() {
            let without = |row: &Vec<BigInt>| [&row[..column], &row[column + 1..]].concat();
            let minor: Vec<Vec<BigInt>> = matrix[1..].iter().map(without).collect();
            let term = cell * determinant(&minor);
            sum += if column % 2 == 0 { term } else { -term };
        }
        sum
    }

    fn laplacian(network: &Conductances<u32>, weights: &[Weight]) -> Vec<Vec<BigInt>> {
        let whole = |index: u32| match &weights[index as usize] {
            Weight::Whole(number) => BigInt::from(*number),
            Weight::Ratio(..) => unreachable!("all weights are whole"),
        };
        let row = |vertex: usize| {
            let mut row = vec![BigInt::ZERO; network.size()];
            row[vertex] = whole(network.outside(vertex));
            for (parent, weight) in network.row(vertex) {
                row[parent] -= whole(weight);
                row[vertex] += whole(weight);
            }
            row
        };
        (0..network.size()).map(row).collect()
    }

    #[test]
    fn residues_give_the_determinant() {
        for index in 0..60 {
            let mut rng = Rng::stream(0, "determinant", index);
            let (network, weights) = random(1 + rng.below(7), &mut rng);
            let expected = determinant(&laplacian(&network, &weights)).to_biguint().expect("a number of trees");
            let mut product = Product::new();
            product.times_trees(&network, &weights, &Limits::default()).unwrap();
            assert_eq!(product.finish().unwrap(), TreeCount::Exact(expected.clone()));
            let mut product = Product::new();
            product.times_trees(&network, &weights, &Limits { exact: 0, ..Limits::default() }).unwrap();
            let TreeCount::About { log10, digits } = product.finish().unwrap() else { panic!("it was to be rounded") };
            let error = (log10 - TreeCount::Exact(expected).log10()).abs() * std::f64::consts::LN_10;
            assert!(digits >= 11 && error < 10f64.powi(-(digits as i32)), "{digits} digits, error {error}");
        }
    }

    #[test]
    fn weights_may_be_fractions() {
        // Two vertices with weights 2/3 to each other, and 1 and 5/2 outside: 2/3 + 5/3 + 5/2 = 29/6, scaled by 3 * 3 *
        // 2 * 1.
        let fraction = |over: u32, under: u32| Weight::ratio((BigUint::from(over), BigUint::from(under)));
        let weights = [fraction(2, 3), fraction(2, 3), fraction(1, 1), fraction(5, 2)];
        let network = Conductances::new([(vec![(1, 0)], 2), (vec![(0, 1)], 3)].into_iter());
        let mut product = Product::new();
        product.times_trees(&network, &weights, &Limits::default()).unwrap();
        assert_eq!(product.finish().unwrap().to_string(), "87");
    }

    #[test]
    fn rounded_counts_show_their_digits() {
        let shown = |log10, digits| TreeCount::About { log10, digits }.to_string();
        assert_eq!(shown(23.0 + 6.02214f64.log10(), 6), "about 6.02214e23");
        assert_eq!(shown(99.999_999_999, 3), "about 1.00e100");
        assert_eq!(shown(5.0, 1), "about 1e5");
    }
}
