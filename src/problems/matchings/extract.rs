//! Drawing matchings from marginals.

use crate::answers::{Candidate, Form, Marginals};
use crate::instance::Instance;
use crate::problems::extract::{Extractor, perturbed_order};
use crate::random::Rng;

/// Takes edges in the order of perturbed log-odds ([`perturbed_order`]), each whose ends are both free.
///
/// What comes out is a matching that no edge can be added to, by construction and whatever the marginals; whether it is a maximum one is up to them.
#[derive(Clone, Copy, Debug)]
pub struct Pair;

impl Extractor for Pair {
    fn name(&self) -> &'static str {
        "pair"
    }

    fn extract(&self, instance: &Instance, chosen: &Marginals, rng: &mut Rng) -> Candidate {
        let ends: Vec<(usize, usize)> = instance.graph.edges().collect();
        let mut is_taken = vec![false; instance.n()];
        let mut take = |edge: &usize| {
            let (one, other) = ends[*edge];
            let is_free = !is_taken[one] && !is_taken[other];
            if is_free {
                (is_taken[one], is_taken[other]) = (true, true);
            }
            is_free
        };
        let order = perturbed_order(chosen, rng);
        let matching: Vec<usize> = order.into_iter().filter(&mut take).collect();
        Candidate::from_set(Form::Edges, chosen.slots(), matching).expect("slots are edges")
    }
}
