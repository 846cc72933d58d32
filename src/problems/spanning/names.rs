//! Which edges of a forest lead two vertices together, up to a weight, however long the way between them is.
//!
//! The edges of the forest are sorted, and join sets of vertices one by one; the name of the smaller set is hung below that of the larger, with the weight of
//! the edge that joined them. So names hang no deeper than log n, or than there are weights (what hangs by equal weights is hung below the same
//! name in the end), and weights do not fall on the way up.

use crate::problems::links::Word;
use crate::problems::trees::Sets;

/// Names of sets, each hung below another, and the weight of the edge that did it; [`Word::most`] for what hangs below nothing.
pub(super) struct Names<W>(Vec<(u32, W)>);

impl<W: Word> Names<W> {
    /// Of the edges (weight, end, end) of a forest, all lighter than [`Word::most`].
    pub fn new(n: usize, mut forest: Vec<(W, u32, u32)>) -> Self {
        forest.sort_unstable();
        let mut names: Vec<(u32, W)> = (0..n as u32).map(|vertex| (vertex, W::most())).collect();
        let (mut sets, mut size, mut name) = (Sets::new(n), vec![1u32; n], (0..n as u32).collect::<Vec<_>>());
        let mut hung = Vec::with_capacity(forest.len());
        for (weight, one, other) in forest {
            let (one, other) = (sets.find(one as usize), sets.find(other as usize));
            let (small, large) = if size[one] < size[other] { (one, other) } else { (other, one) };
            names[name[small] as usize] = (name[large], weight);
            hung.push(name[small]);
            let (both, kept) = (size[one] + size[other], name[large]);
            sets.join(one, other);
            let joined = sets.find(one);
            (size[joined], name[joined]) = (both, kept);
        }
        // Whatever a name hangs below was hung later, so that it is done already.
        for name in hung.into_iter().rev() {
            let (above, weight) = names[name as usize];
            if names[above as usize].1 == weight {
                names[name as usize].0 = names[above as usize].0;
            }
        }
        Names(names)
    }

    /// True when edges up to a weight lead from one vertex to the other.
    pub fn join(&self, one: usize, other: usize, weight: W) -> bool {
        self.of(one, weight) == self.of(other, weight)
    }

    /// The name that edges up to a weight lead to.
    fn of(&self, vertex: usize, weight: W) -> usize {
        let mut at = vertex;
        loop {
            let (above, by) = self.0[at];
            if by > weight || by == W::most() {
                return at;
            }
            at = above as usize;
        }
    }
}
