//! Spanning forests that are nearly as light as the lightest.

use super::Edge;
use crate::problems::Intractable;
use crate::problems::tolerance::{Raising, Tolerance, too_large};
use crate::problems::trees::Sets;
use crate::random::Rng;

/// The lightest spanning forest when weights are raised at random by up to the tolerance, ties in random order. Within the tolerance where no
/// weight is negative. O(m log m).
pub(super) fn draw(n: usize, edges: &[Edge], tolerance: Tolerance, rng: &mut Rng) -> Result<Vec<usize>, Intractable> {
    let mut order: Vec<usize> = (0..edges.len()).collect();
    rng.shuffle(&mut order);
    let mut raising = Raising::new(tolerance, rng);
    let raised: Option<Vec<_>> = edges.iter().map(|&(.., weight)| raising.raise(weight)).collect();
    let raised = raised.ok_or_else(too_large)?;
    order.sort_by_key(|&edge| raised[edge]);
    let mut components = Sets::new(n);
    Ok(order.into_iter().filter(|&edge| components.join(edges[edge].0, edges[edge].1)).collect())
}
