//! Drawing spanning trees and forests from marginals: grow a tree over crossing edges, or merge components.

use crate::answers::{Candidate, Form, Marginals};
use crate::instance::Instance;
use crate::problems::extract::{Extractor, draw, perturbed_order};
use crate::problems::trees::Sets;
use crate::random::Rng;

/// Grows a tree from the source: of all edges that lead out of it one is drawn, (u, v) as likely as the marginals say that u is the parent
/// of v; uniformly where they rule all of them out.
///
/// What comes out spans the source's component by construction; whether it is of least weight is up to the marginals.
#[derive(Clone, Copy, Debug)]
pub struct Grow;

impl Extractor for Grow {
    fn name(&self) -> &'static str {
        "grow"
    }

    fn extract(&self, instance: &Instance, parents: &Marginals, rng: &mut Rng) -> Candidate {
        let mut tree = Candidate::all_roots(parents.slots());
        let Some(source) = instance.source else { return tree };
        let mut inside = vec![false; parents.slots()];
        let mut crossing: Vec<(usize, usize, f64)> = vec![];
        let mut next = source;
        loop {
            inside[next] = true;
            let heads = instance.graph.out_neighbours(next).iter().map(|&head| head as usize);
            crossing.extend(heads.map(|head| (next, head, parents.row(head)[next])));
            crossing.retain(|&(_, head, _)| !inside[head]);
            if crossing.is_empty() {
                return tree;
            }
            let drawn = draw(crossing.iter().map(|&(.., share)| share), rng);
            let (parent, child, _) = crossing[drawn.unwrap_or_else(|| rng.below(crossing.len()))];
            tree.set(child, parent);
            next = child;
        }
    }
}

/// Takes edges in the order of perturbed log-odds ([`perturbed_order`]), each unless those before connect its ends.
///
/// What comes out is a spanning forest by construction, whatever the marginals; whether it is of least weight is up to them.
#[derive(Clone, Copy, Debug)]
pub struct Merge;

impl Extractor for Merge {
    fn name(&self) -> &'static str {
        "merge"
    }

    fn extract(&self, instance: &Instance, chosen: &Marginals, rng: &mut Rng) -> Candidate {
        let ends: Vec<(usize, usize)> = instance.graph.edges().collect();
        let mut components = Sets::new(instance.n());
        let order = perturbed_order(chosen, rng);
        let forest = order.into_iter().filter(|&edge| components.join(ends[edge].0, ends[edge].1));
        Candidate::from_set(Form::Edges, chosen.slots(), forest).expect("slots are edges")
    }
}
