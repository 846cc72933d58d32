//! Drawing spanning trees from marginals: grow one over crossing edges.

use crate::answers::{Candidate, Marginals};
use crate::extract::{Extractor, draw};
use crate::graph::Instance;
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
