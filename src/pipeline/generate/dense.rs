//! Marginals in the dense shapes that networks and people like to see.
//!
//! | form | shape | meaning |
//! |---|---|---|
//! | parents | [n, n] | row = child, column = parent |
//! | order | [n + 1, n] | row = vertex, column = the next one (the last one's is itself); the last row: who comes first |
//! | edges | [n, n] | the probability that an edge is chosen, both ways where the graph is undirected |
//! | items | `[n]` | the probability that an item is chosen |

use crate::answers::{Form, Marginals};
use crate::instance::Instance;

/// The shape for an instance of so many vertices or items.
pub fn marginals_shape(form: Form, n: usize) -> Vec<usize> {
    match form {
        Form::Parents | Form::Edges => vec![n, n],
        Form::Order => vec![n + 1, n],
        Form::Items => vec![n],
    }
}

/// Writes marginals to memory of that shape which is zero so far; of edges and items the probability of one option.
pub fn write_marginals(instance: &Instance, marginals: &Marginals, option: usize, out: &mut [f64]) {
    match marginals.form() {
        Form::Parents | Form::Order => out.copy_from_slice(marginals.as_slice()),
        Form::Edges | Form::Items => {
            on_places(instance, marginals.form(), |slot, place| out[place] = marginals.row(slot)[option]);
        }
    }
}

/// Calls `give(slot, place)` for each edge or item and each of its places.
pub fn on_places(instance: &Instance, form: Form, mut give: impl FnMut(usize, usize)) {
    let (graph, n) = (&instance.graph, instance.n());
    if form == Form::Items {
        return (0..n).for_each(|item| give(item, item));
    }
    for (slot, (tail, head)) in graph.edges().enumerate() {
        give(slot, tail * n + head);
        if graph.is_undirected() {
            give(slot, head * n + tail);
        }
    }
}
