//! Stage 3: drawing candidates from marginals.
//!
//! An extractor sees the instance and [`Marginals`], whose rows always sum to one: a row of zeros, or one that does not sum to one, was
//! given its meaning when the marginals were made ([`Marginals::from_weights`]). It promises nothing about what it draws; that is for the verifier.

use crate::answers::{Candidate, Marginals};
use crate::graph::Instance;
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
