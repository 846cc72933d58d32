//! Stage 3: drawing candidates from marginals.
//!
//! An extractor sees the instance and [`Marginals`], whose rows always sum to one: a row of zeros, or one that does not sum to one, was
//! given its meaning when the marginals were made ([`Marginals::from_weights`]). It promises nothing about what it draws; that is for the verifier.

use crate::answers::{Candidate, IN, Marginals, OUT};
use crate::instance::Instance;
pub use crate::random::draw;

use crate::random::Rng;
use std::fmt;

/// A way to draw a candidate from marginals.
pub trait Extractor: Sync {
    /// The name used on the command line and in files.
    fn name(&self) -> &'static str;

    /// Draws one candidate.
    fn extract(&self, instance: &Instance, marginals: &Marginals, rng: &mut Rng) -> Candidate;
}

impl fmt::Debug for dyn Extractor + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The slots of a set, likely members first: by descending log-odds, each with Gumbel noise, so that members of equal chance come in
/// random order and a likelier one comes before another as often as their odds say.
pub fn perturbed_order(marginals: &Marginals, rng: &mut Rng) -> Vec<usize> {
    let noisy = |slot: usize, rng: &mut Rng| {
        let [out, chosen] = [OUT, IN].map(|option| marginals.row(slot)[option].max(f64::MIN_POSITIVE).ln());
        chosen - out - (-(1.0 - rng.unit()).ln()).ln()
    };
    let mut keyed: Vec<(f64, usize)> = (0..marginals.slots()).map(|slot| (noisy(slot, rng), slot)).collect();
    keyed.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    keyed.into_iter().map(|(_, slot)| slot).collect()
}

/// The likeliest option of each slot, the lowest among equals. Always the same candidate.
#[derive(Clone, Copy, Debug)]
pub struct Argmax;

impl Extractor for Argmax {
    fn name(&self) -> &'static str {
        "argmax"
    }

    fn extract(&self, _instance: &Instance, marginals: &Marginals, _rng: &mut Rng) -> Candidate {
        Candidate::from_choices(marginals.form(), marginals.slots(), |slot| {
            let row = marginals.row(slot);
            (1..row.len()).fold(0, |best, option| if row[option] > row[best] { option } else { best })
        })
    }
}

/// A uniformly random option for each slot, whatever the marginals say: the baseline.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl Extractor for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn extract(&self, _instance: &Instance, marginals: &Marginals, rng: &mut Rng) -> Candidate {
        let options = marginals.options();
        Candidate::from_choices(marginals.form(), marginals.slots(), |_| rng.below(options))
    }
}
