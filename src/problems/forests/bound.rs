//! A number that the depth-first forests are proved to exceed or equal, for graphs whose forests cannot be counted.
//!
//! Every simple path from a root r to a vertex v is the way from r to v in some forest: the search goes straight down it.
//! A forest has one way to v. So there are at least as many forests as simple paths from r to v, whichever v is taken, and
//! trees multiply. Counting simple paths is hard, but paths that follow one order of the vertices are simple, and counted in
//! O(n + m). The order is that of a forest's preorder walk, in which long paths go forward.
//!
//! With restarts in any order a way to v may start anywhere.

use super::forest::Forest;
use super::{Restarts, least_reaching};
use crate::answers::Parents;
use crate::instance::Graph;
use num_bigint::BigUint;

/// The bound, given one forest.
pub(super) fn at_least(graph: &Graph, restarts: Restarts, forest: Parents<'_>) -> BigUint {
    let n = graph.n();
    let Ok(walk) = Forest::new(forest) else { return BigUint::from(1u32) };
    let tree_of = match restarts {
        Restarts::Ordered => least_reaching(graph),
        Restarts::Any => vec![0; n],
    };
    let starts_at = |vertex: usize| restarts == Restarts::Any || tree_of[vertex] == vertex;
    let mut ways: Vec<Rounded> = (0..n).map(|vertex| Rounded::new(u64::from(starts_at(vertex)))).collect();
    let mut most = vec![Rounded::new(1); n];
    for position in 1..walk.len() as u32 {
        let vertex = walk.vertex(position);
        let own = ways[vertex];
        let best = &mut most[tree_of[vertex]];
        *best = own.max(*best);
        for head in graph.out_neighbours(vertex).iter().map(|&head| head as usize) {
            if walk.position(head) > position && tree_of[head] == tree_of[vertex] {
                ways[head] = ways[head].plus(own);
            }
        }
    }
    most.iter().filter(|best| **best > Rounded::new(1)).map(|best| best.whole()).product()
}

/// A large number, rounded down: `digits` times two to the power of `shift`. With a shift the highest bit is set, so that the
/// order of the fields is that of the numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rounded {
    shift: u32,
    digits: u64,
}

impl Rounded {
    fn new(number: u64) -> Self {
        Rounded { shift: 0, digits: number }
    }

    /// The sum, rounded down.
    fn plus(self, other: Self) -> Self {
        let (less, more) = (self.min(other), self.max(other));
        let less = less.digits.checked_shr(more.shift - less.shift).unwrap_or(0);
        match more.digits.overflowing_add(less) {
            (digits, false) => Rounded { shift: more.shift, digits },
            (digits, true) => Rounded { shift: more.shift + 1, digits: digits >> 1 | 1 << 63 },
        }
    }

    fn whole(self) -> BigUint {
        BigUint::from(self.digits) << self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn rounded_sums_are_close_and_never_too_large() {
        let mut rng = Rng::stream(0, "rounded", 0);
        let mut sums: Vec<(Rounded, BigUint)> = vec![(Rounded::new(1), BigUint::from(1u32)); 5];
        for _ in 0..2_000 {
            let (one, two, to) = (rng.below(5), rng.below(5), rng.below(5));
            sums[to] = (sums[one].0.plus(sums[two].0), &sums[one].1 + &sums[two].1);
            let (rounded, exact) = (sums[to].0.whole(), &sums[to].1);
            assert!(rounded <= *exact && exact - &rounded <= exact >> 50, "{rounded} {exact}");
        }
    }
}
