//! haiku's default for the weights of a linear layer: normal with deviation `1 / sqrt(inputs)`, cut at two
//! deviations and not rescaled afterwards (so the deviation of what remains is .88 of that).

use super::Scalar;

/// Fills a weight of `inputs` rows; `random` gives uniform 64-bit numbers.
pub fn truncated_normal<S: Scalar>(weight: &mut [S], inputs: usize, random: &mut impl FnMut() -> u64) {
    let deviation = 1.0 / (inputs as f64).sqrt();
    for x in weight {
        *x = S::of(deviation * standard_within_two(random));
    }
}

/// A standard normal number, given that it lies in [-2, 2].
fn standard_within_two(random: &mut impl FnMut() -> u64) -> f64 {
    loop {
        let x = standard_normal(random);
        if x.abs() <= 2.0 {
            return x;
        }
    }
}

/// Marsaglia's polar method, one number of each pair.
fn standard_normal(random: &mut impl FnMut() -> u64) -> f64 {
    let mut uniform = || (random() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
    loop {
        let (x, y) = (uniform(), uniform());
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounded_centred_and_as_wide_as_haikus() {
        let mut state = 1_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut weight = vec![0_f64; 40_000];
        truncated_normal(&mut weight, 4, &mut random);
        let count = weight.len() as f64;
        let mean = weight.iter().sum::<f64>() / count;
        let deviation = (weight.iter().map(|x| x * x).sum::<f64>() / count - mean * mean).sqrt();
        assert!(weight.iter().all(|x| x.abs() <= 1.0));
        assert!(mean.abs() < 0.01, "{mean}");
        assert!((deviation - 0.5 * 0.879_6).abs() < 0.01, "{deviation}");
    }
}
