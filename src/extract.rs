//! Stage 3: drawing candidates from a parent distribution.
//!
//! An extractor sees the instance and a [`ParentDistribution`], whose rows always sum to one: a row of zeros, or one
//! that does not sum to one, was given its meaning when the distribution was made
//! ([`ParentDistribution::from_weights`]). It promises nothing about what it draws; that is for the verifier.

use crate::graph::Instance;
use crate::parents::{ParentArray, ParentDistribution};
use crate::random::Rng;
use std::fmt;

/// A way to draw a candidate from a parent distribution.
pub trait Extractor: Sync {
    /// The name used on the command line and in files.
    fn name(&self) -> &'static str;

    /// Draws one candidate.
    fn extract(&self, instance: &Instance, parents: &ParentDistribution, rng: &mut Rng) -> ParentArray;
}

impl fmt::Debug for dyn Extractor + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The likeliest parent of each vertex, the lowest index among equals. Always the same candidate.
#[derive(Clone, Copy, Debug)]
pub struct Argmax;

impl Extractor for Argmax {
    fn name(&self) -> &'static str {
        "argmax"
    }

    fn extract(&self, _instance: &Instance, parents: &ParentDistribution, _rng: &mut Rng) -> ParentArray {
        from_each_vertex(parents.len(), |vertex| {
            let row = parents.of(vertex);
            (1..row.len()).fold(0, |best, parent| if row[parent] > row[best] { parent } else { best })
        })
    }
}

/// A uniformly random parent for each vertex, whatever the distribution says: the baseline.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl Extractor for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn extract(&self, _instance: &Instance, parents: &ParentDistribution, rng: &mut Rng) -> ParentArray {
        from_each_vertex(parents.len(), |_| rng.below(parents.len()))
    }
}

/// The candidate in which each vertex has the parent that `parent_of` gives it.
pub fn from_each_vertex(n: usize, parent_of: impl FnMut(usize) -> usize) -> ParentArray {
    ParentArray::new((0..n).map(parent_of).collect()).expect("extractors choose among the vertices")
}

/// An index drawn with the given weights; `None` when all of them are zero.
pub fn draw(weights: impl Iterator<Item = f64> + Clone, rng: &mut Rng) -> Option<usize> {
    let total: f64 = weights.clone().sum();
    let mut left = rng.unit() * total;
    let mut last_possible = None;
    for (index, weight) in weights.enumerate() {
        if weight > 0.0 {
            if left < weight {
                return Some(index);
            }
            last_possible = Some(index);
        }
        left -= weight;
    }
    // Rounding may leave a crumb behind the last weight.
    last_possible
}

/// A parent of `vertex`, drawn from its row.
pub fn draw_parent(parents: &ParentDistribution, vertex: usize, rng: &mut Rng) -> usize {
    draw(parents.of(vertex).iter().copied(), rng).expect("rows sum to one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_the_weights_and_never_take_a_zero() {
        let mut rng = Rng::stream(0, "draws", 0);
        let weights = [0.0, 1.0, 0.0, 3.0, 0.0];
        let mut counts = [0; 5];
        for _ in 0..40_000 {
            counts[draw(weights.iter().copied(), &mut rng).unwrap()] += 1;
        }
        assert_eq!((counts[0], counts[2], counts[4]), (0, 0, 0));
        assert!((counts[1] as f64 - 10_000.0).abs() < 400.0, "{counts:?}");
        assert_eq!(draw([0.0, 0.0].into_iter(), &mut rng), None);
    }
}
