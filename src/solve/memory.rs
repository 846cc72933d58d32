//! What a model and what is found would take, before it takes it.

use super::Request;
use crate::instance::Instance;

/// Solutions that there is always room for: a request without memory for a model still wants answers.
const ALWAYS: usize = 1_000;

/// The most solutions of so many slots that a request has room for.
pub(super) fn room(request: &Request, slots: usize) -> usize {
    usize::try_from(request.memory / of_solution(slots)).unwrap_or(usize::MAX).max(ALWAYS)
}

/// Bytes that one takes: four for each slot, and what a list, a hash and an origin take.
pub(super) fn of_solution(slots: usize) -> u64 {
    4 * slots as u64 + 200
}

/// What a person reads where there was no room for more.
pub(super) fn no_more_room(solutions: usize, bytes: u64) -> String {
    format!("stopped at {solutions} solutions: more may take over {:.1} GB, which the request allows", gigabytes(bytes))
}

/// A number of bytes in the unit of `--memory`.
pub(super) fn gigabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// What one execution of the executor looks at: ordered pairs, and entries of its queue at the most.
///
/// A vertex puts its unvisited out-neighbours into the queue when it is entered and whenever a child is done. All vertices
/// together have fewer than n children, none more than its out-neighbours: the worst case is that those with the most have
/// them all.
pub fn executor_work(instance: &Instance) -> (u64, u64) {
    let (n, edges) = (instance.n() as u64, instance.graph.arc_count() as u64);
    let mut degrees: Vec<u64> = (0..instance.n()).map(|v| instance.graph.out_neighbours(v).len() as u64).collect();
    degrees.sort_unstable_by(|one, two| two.cmp(one));
    let (mut left, mut again) = (n, 0u64);
    for degree in degrees {
        let children = degree.min(left);
        again = again.saturating_add(children * degree);
        left -= children;
    }
    (n + 2 * edges, edges.saturating_add(again))
}

/// Bytes that one execution of the executor takes at the most, with the pairs it works on.
pub fn executor_memory(instance: &Instance) -> u64 {
    let (n, edges) = (instance.n() as u64, instance.graph.arc_count() as u64);
    let (pairs, entries) = executor_work(instance);
    // An entry has 64 bytes, in a list that may have grown to twice what is needed.
    (n * 128 + edges * 48 + pairs * 64).saturating_add(entries.saturating_mul(128))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Graph;

    /// A centre that sees all its leaves again whenever one is done, against a path, where nobody sees anything twice.
    #[test]
    fn a_star_takes_quadratically_many_entries_and_a_path_linearly_many() {
        let instance = |edges: Vec<(usize, usize)>| Instance::new(Graph::from_edges(1_001, edges).unwrap());
        let star = instance((1..=1_000).map(|leaf| (0, leaf)).collect());
        let path = instance((1..=1_000).map(|vertex| (vertex - 1, vertex)).collect());
        assert_eq!(executor_work(&star), (3_001, 1_001_000));
        assert_eq!(executor_work(&path), (3_001, 2_000));
        assert!(executor_memory(&star) > 100 * executor_memory(&path));
    }
}
