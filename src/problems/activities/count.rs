//! How many best sets there are, and uniform draws of them: from the last layer back, the number of chains from each activity on.

use super::{Activities, Layers};
use crate::answers::Candidate;
use crate::instance::Weight;
use crate::problems::{Intractable, SolutionSet};
use crate::random::Rng;
use num_bigint::BigUint;

/// The best sets that run through some layers.
pub(super) struct Chains<'a> {
    activities: &'a Activities<'a>,
    layers: Layers,
    /// For each layer and each place in it the number of chains that start there or at a later place; and 0.
    from: Vec<Vec<BigUint>>,
    count: BigUint,
}

impl<'a> Chains<'a> {
    /// No set at all.
    pub fn none(activities: &'a Activities<'a>) -> Self {
        Chains { activities, layers: Layers::default(), from: vec![], count: BigUint::ZERO }
    }

    /// Counts; `effort` bounds what has to be remembered.
    pub fn new(activities: &'a Activities<'a>, layers: Layers, effort: usize) -> Result<Self, Intractable> {
        let Activities { starts, finishes, .. } = *activities;
        let mut from: Vec<Vec<BigUint>> = vec![];
        let mut words = 0;
        for (place, layer) in layers.iter().enumerate().rev() {
            let mut sums = vec![BigUint::ZERO];
            for &activity in layer.iter().rev() {
                let onwards = match from.last() {
                    None => BigUint::from(1u32),
                    Some(next) => {
                        let follow = layers.from(place + 1, finishes[activity], starts).len();
                        next[next.len() - 1 - follow].clone()
                    }
                };
                let sum = &sums[sums.len() - 1] + onwards;
                words += 1 + sum.bits() as usize / 64;
                if words > 8 * effort {
                    let (n, size) = (activities.instance.n(), layers.len());
                    return Err(Intractable(format!("{n} activities have too many sets of {size} to be counted")));
                }
                sums.push(sum);
            }
            sums.reverse();
            from.push(sums);
        }
        from.reverse();
        let count = from.first().map_or(BigUint::from(1u32), |sums| sums[0].clone());
        Ok(Chains { activities, layers, from, count })
    }
}

impl SolutionSet for Chains<'_> {
    fn count(&self) -> &BigUint {
        &self.count
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Option<Candidate>, Intractable> {
        if self.count == BigUint::ZERO {
            return Ok(None);
        }
        let Activities { starts, finishes, .. } = *self.activities;
        let (mut time, mut chain) = (Weight::MIN, vec![]);
        for (place, sums) in self.from.iter().enumerate() {
            let options = self.layers.from(place, time, starts);
            // The sums descend along the layer; the chains of an activity are those above the next sum.
            let sums = &sums[sums.len() - 1 - options.len()..];
            let drawn = rng.below_large(&sums[0]);
            let option = sums.partition_point(|sum| *sum > drawn) - 1;
            chain.push(options[option]);
            time = finishes[options[option]];
        }
        Ok(Some(self.activities.candidate(chain)))
    }
}
