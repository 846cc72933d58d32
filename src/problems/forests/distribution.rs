//! The exact law of depth-first search with free choices.
//!
//! A unit of probability flows through the states (r, Y) of `reach`. Mass m at (r, Y) splits evenly
//! over the k possible children; a child c with share m/k gets r as its parent with that probability, and the share
//! goes on both to (c, R_Y(c) - c), the search below c, and to (r, Y - R_Y(c)), the search after it. Y only shrinks,
//! so the states are taken by descending size of Y.

use super::Restarts;
use super::reach::{Set, Tree, trees};
use crate::answers::{Form, Marginals};
use crate::cancel;
use crate::instance::Graph;
use crate::problems::demands::Allowed;
use crate::problems::{Intractable, check_marginals_size};
use std::collections::BTreeMap;

/// States of one size held at once; about half a gigabyte.
const MAX_STATES: usize = 8_000_000;

/// The law of free choices.
pub(super) fn with_free_choices(graph: &Graph, restarts: Restarts) -> Result<Marginals, Intractable> {
    check_marginals_size(Form::Parents, graph.n())?;
    let probabilities = flows(graph, restarts)?;
    Ok(Marginals::from_weights(Form::Parents, graph.n(), probabilities).expect("probabilities are not negative"))
}

fn flows(graph: &Graph, restarts: Restarts) -> Result<Vec<f64>, Intractable> {
    let trees = trees(graph, restarts, &Allowed::default())?;
    let mut probabilities = vec![0.0; graph.n() * graph.n()];
    for tree in trees {
        flow(&tree, |child, parent, share| {
            let vertex = tree.vertices[child];
            let parent = if tree.root_is_virtual() && parent == tree.root { vertex } else { tree.vertices[parent] };
            probabilities[vertex * graph.n() + parent] += share;
        })?;
        if !tree.root_is_virtual() {
            let root = tree.vertices[tree.root];
            probabilities[root * graph.n() + root] = 1.0;
        }
    }
    Ok(probabilities)
}

/// Lets one unit of probability flow down from the root; `give(child, parent, share)` sees each share.
fn flow(tree: &Tree, mut give: impl FnMut(usize, usize, f64)) -> Result<(), Intractable> {
    // Ordered maps: sums of floats must not depend on the order of a hash table.
    let mut by_size: Vec<BTreeMap<(usize, Set), f64>> = vec![BTreeMap::new(); tree.vertices.len() + 1];
    let all = tree.all();
    by_size[all.count_ones() as usize].insert((tree.root, all), 1.0);
    let mut states = 1;
    for size in (1..by_size.len()).rev() {
        let level = std::mem::take(&mut by_size[size]);
        states -= level.len();
        for ((vertex, unvisited), mass) in level {
            cancel::point();
            // Not once a level: each of its states may open a hundred new ones.
            if states > MAX_STATES {
                return Err(Intractable(format!("the exact distribution needs more than {MAX_STATES} states at once")));
            }
            for group in tree.independent_groups(vertex, unvisited) {
                let within = group.iter().fold(0, |union, &(_, visits)| union | visits);
                let share = mass / group.len() as f64;
                for &(child, visits) in &group {
                    give(child, vertex, share);
                    let after = tree.reached(vertex, within & !visits);
                    for (place, left) in [(child, visits & !(1 << child)), (vertex, after)] {
                        let level = &mut by_size[left.count_ones() as usize];
                        let before = level.len();
                        *level.entry((place, left)).or_insert(0.0) += share;
                        states += level.len() - before;
                    }
                }
            }
        }
    }
    Ok(())
}
