//! Which vertices can be the parent of which, over all depth-first forests, without going through any of them.
//!
//! Let r be the root of v's tree (the same in every forest). An edge u -> v is in some forest exactly when r reaches u
//! without passing v: the search then goes down such a path first, and from its end u to the unvisited v. Conversely the
//! path of a tree from r to u never passes a child of u. "Every path from r to u passes v" says that v *dominates* u, so one
//! dominator tree answers for all edges. With restarts in any order the virtual root has an edge to each vertex, none
//! dominates another, and every edge is in some forest.
//!
//! ```text
//! 0 -> 1 -> 2 -> 1      0 reaches 2 only through 1: the edge 2 -> 1 is in no forest
//! ```

use super::{Restarts, least_reaching};
use crate::instance::Graph;
use crate::problems::Possible;
use crate::problems::trees::Dominators;

/// The possible parents of each vertex.
pub(super) fn possible_parents(graph: &Graph, restarts: Restarts) -> Possible {
    let n = graph.n();
    let (roots, edges): (Vec<usize>, Vec<(usize, usize)>) = match restarts {
        Restarts::Any => ((0..n).collect(), graph.arcs().filter(|(tail, head)| tail != head).collect()),
        Restarts::Ordered => {
            let root_of = least_reaching(graph);
            let inside = |&(tail, head): &(usize, usize)| tail != head && root_of[tail] == root_of[head];
            // A virtual root above all roots: each tree is then below it as before.
            let below_virtual = (0..n).filter(|&vertex| root_of[vertex] == vertex).map(|root| (n, root));
            let arcs: Vec<(usize, usize)> = below_virtual.chain(graph.arcs().filter(inside)).collect();
            let dominators = Dominators::new(n + 1, n, arcs.iter().copied());
            let edges = graph.arcs().filter(inside).filter(|&(tail, head)| !dominators.dominates(head, tail));
            ((0..n).filter(|&vertex| root_of[vertex] == vertex).collect(), edges.collect())
        }
    };
    let pairs = edges.iter().map(|&(tail, head)| (head, tail));
    Possible::new(n, roots.iter().map(|&root| (root, root)).chain(pairs))
}
