//! The numbers a network is made of: `f32` for work, `f64` for checking gradients.
//!
//! Everything in [`nn`](crate::neural::nn) and [`model`](crate::neural::model) is generic over [`Scalar`], so the finite-difference tests
//! run the code that ships. Operations that processors do differently are pinned down here: a fused
//! multiply-add rounds once on every machine, and `exp` is a fixed polynomial for `f32`, so that a
//! result does not depend on the instruction set.

use std::fmt::{Debug, Display};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// A real number of some precision.
pub trait Scalar:
    Copy
    + Default
    + Debug
    + Display
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + Sum
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// The nearest value to `x`.
    fn of(x: f64) -> Self;
    /// The value as `f64`.
    fn as_f64(self) -> f64;
    /// `self * b + c`, rounded once. `HARDWARE` says whether the surrounding code was compiled for a
    /// processor that has the instruction; the result is the same.
    fn fma<const HARDWARE: bool>(self, b: Self, c: Self) -> Self;
    /// `e^self`, relative error below 2e-7; branch-free for `f32`, so loops over it vectorise.
    fn exp<const HARDWARE: bool>(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;

    /// The larger of two numbers, `other` if they do not compare.
    #[inline(always)]
    fn or_larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// `max(self, 0)`; a NaN stays one, so that it reaches the loss.
    #[inline(always)]
    fn relu(self) -> Self {
        if self < Self::ZERO { Self::ZERO } else { self }
    }

    /// Itself, with tiny values flushed to zero: those smaller than any gradient, gate or state that matters.
    ///
    /// Where a network is sure of itself gates close and gradients vanish, and their products become subnormal numbers, with which a
    /// processor multiplies many times slower than with others: training would lose much of its speed as it converges. The product of
    /// two numbers that are not tiny is not subnormal.
    #[inline(always)]
    fn flushed(self) -> Self {
        let tiny = Self::of(1e-18);
        if self < tiny && -self < tiny { Self::ZERO } else { self }
    }

    /// `1 / (1 + e^-self)`.
    #[inline(always)]
    fn sigmoid<const HARDWARE: bool>(self) -> Self {
        Self::ONE / (Self::ONE + (-self).exp::<HARDWARE>())
    }
}

impl Scalar for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline(always)]
    fn of(x: f64) -> Self {
        x as f32
    }
    #[inline(always)]
    fn as_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn fma<const HARDWARE: bool>(self, b: Self, c: Self) -> Self {
        if HARDWARE || BASELINE_HAS_FMA { self.mul_add(b, c) } else { emulated_fma(self, b, c) }
    }
    #[inline(always)]
    fn exp<const HARDWARE: bool>(self) -> Self {
        exp_f32::<HARDWARE>(self)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        f32::ln(self)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }
}

impl Scalar for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn fma<const HARDWARE: bool>(self, b: Self, c: Self) -> Self {
        self.mul_add(b, c)
    }
    #[inline(always)]
    fn exp<const HARDWARE: bool>(self) -> Self {
        f64::exp(self)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        f64::ln(self)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
}

/// Whether every processor of this target fuses, as all 64-bit ARM ones do.
const BASELINE_HAS_FMA: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

/// A fused multiply-add without the instruction, correct to the last bit.
///
/// The product of two `f32` is exact in `f64`. The sum is rounded to odd there (an inexact result
/// takes the neighbour whose last bit is one), which makes the second rounding, to `f32`, harmless.
#[inline(always)]
fn emulated_fma(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    let c_part = sum - product;
    let error = (product - (sum - c_part)) + (c - c_part);
    let inexact = error.abs() > 0.0; // false for NaN, so infinities stay as they are
    let bits = sum.to_bits();
    let outwards = (error > 0.0) == (sum > 0.0);
    let odd = if outwards { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    f64::from_bits(if inexact && bits & 1 == 0 { odd } else { bits }) as f32
}

/// `e^x = 2^k · e^r` with `k` the nearest integer to `x / ln 2` and a polynomial for `|r| <= ln 2 / 2`
/// (coefficients of Cephes' `expf`).
#[inline(always)]
fn exp_f32<const HARDWARE: bool>(x: f32) -> f32 {
    // Adding and subtracting 1.5 · 2^23 rounds to the nearest integer without a library call.
    const TO_INTEGER: f32 = 12_582_912.0;
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let x = if x > 88.0 { 88.0 } else { x };
    let x = if x < -87.0 { -87.0 } else { x };
    let k = x.fma::<HARDWARE>(std::f32::consts::LOG2_E, TO_INTEGER) - TO_INTEGER;
    let r = k.fma::<HARDWARE>(-LN2_HIGH, x);
    let r = k.fma::<HARDWARE>(-LN2_LOW, r);
    let mut p = 1.987_569_1e-4;
    for coefficient in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        p = r.fma::<HARDWARE>(p, coefficient);
    }
    let p = (r * r).fma::<HARDWARE>(p, r) + 1.0;
    // SAFE to convert: |k| <= 127.
    p * f32::from_bits(((k as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cheap stream of varied bit patterns.
    fn patterns(count: usize) -> impl Iterator<Item = f32> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f32::from_bits((state >> 32) as u32)
        })
        .filter(|x| x.is_finite())
        .take(count)
    }

    #[test]
    fn emulated_fma_equals_the_library_one_to_the_bit() {
        let values: Vec<f32> = patterns(30_000).collect();
        for triple in values.windows(3) {
            let (a, b, c) = (triple[0], triple[1], triple[2]);
            for c in [c, -(a * b), a * b * 0.5, a * b * 1e-7, 0.0] {
                let (ours, exact) = (emulated_fma(a, b, c), a.mul_add(b, c));
                assert!(
                    ours.to_bits() == exact.to_bits() || (ours.is_nan() && exact.is_nan()),
                    "{a} {b} {c}: {ours} {exact}"
                );
            }
        }
    }

    #[test]
    fn exp_is_close_and_independent_of_hardware() {
        for i in -86_999..88_000 {
            let x = i as f32 * 1e-3;
            let (ours, exact) = (Scalar::exp::<false>(x), f64::from(x).exp());
            assert!((f64::from(ours) / exact - 1.0).abs() < 2e-7, "e^{x} = {ours}");
            assert_eq!(ours.to_bits(), Scalar::exp::<true>(x).to_bits());
        }
    }
}
