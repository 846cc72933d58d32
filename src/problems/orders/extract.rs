//! Drawing orders from marginals: place available vertices one by one.

use super::{open_predecessors, place};
use crate::answers::{Candidate, Marginals};
use crate::instance::Instance;
use crate::problems::extract::{Extractor, draw};
use crate::random::Rng;

/// Places one vertex after the other, each drawn from those whose predecessors are all placed: as likely as the marginals say that it
/// follows the one before (the first: that it comes first), uniformly where they rule all of them out.
///
/// What comes out is a topological order by construction, whatever the marginals; they decide which.
#[derive(Clone, Copy, Debug)]
pub struct Place;

impl Extractor for Place {
    fn name(&self) -> &'static str {
        "place"
    }

    fn extract(&self, instance: &Instance, marginals: &Marginals, rng: &mut Rng) -> Candidate {
        let (graph, n) = (&instance.graph, instance.n());
        let mut open = open_predecessors(graph);
        let mut ready: Vec<usize> = (0..n).filter(|&vertex| open[vertex] == 0).collect();
        let mut order = Vec::with_capacity(n);
        while !ready.is_empty() {
            let row = marginals.row(order.last().copied().unwrap_or(n));
            let drawn = draw(ready.iter().map(|&vertex| row[vertex]), rng).unwrap_or_else(|| rng.below(ready.len()));
            let next = ready.swap_remove(drawn);
            order.push(next);
            place(graph, next, &mut open, |head| ready.push(head));
        }
        Candidate::from_order(&order).expect("vertices of the graph")
    }
}
