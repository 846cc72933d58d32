//! Uniform trees by loop-erased random walks (Wilson, 1996).
//!
//! From each vertex that has no parent yet walk along random parents until the tree, or the outside, is met; the last
//! way out of each vertex of the walk is its parent. The result is uniform (with weighted choices: as likely as its
//! weight says), whatever the order of the starts. The expected number of steps is of the order of the mean hitting
//! time of the outside. That is small on most graphs, but a directed graph can be made to take exponential time, so
//! steps are bounded.

use super::Refusal;

/// Where a walk goes from a vertex: by which choice, and to where; `None` is the outside.
pub(super) type Step = (u32, Option<u32>);

/// How many steps may still be made.
pub(super) struct RandomSteps {
    limit: u64,
    left: u64,
}

impl RandomSteps {
    pub fn new(limit: u64) -> Self {
        RandomSteps { limit, left: limit }
    }
}

/// Lets all members of a component choose their parents; `step` draws where to go from a vertex.
pub(super) fn wilson(
    members: &[u32],
    steps: &mut RandomSteps,
    state: &mut Walks,
    mut step: impl FnMut(usize) -> Step,
) -> Result<(), Refusal> {
    for &start in members {
        let mut at = Some(start);
        while let Some(vertex) = at.filter(|&vertex| !state.done[vertex as usize]) {
            if steps.left == 0 {
                return Err(Refusal::Walk { vertices: members.len(), limit: steps.limit });
            }
            steps.left -= 1;
            state.last[vertex as usize] = step(vertex as usize);
            at = state.last[vertex as usize].1;
        }
        let mut at = Some(start);
        while let Some(vertex) = at.filter(|&vertex| !std::mem::replace(&mut state.done[vertex as usize], true)) {
            at = state.last[vertex as usize].1;
        }
    }
    Ok(())
}

/// The last way out of each vertex, and which vertices are in the tree.
pub(super) struct Walks {
    last: Vec<Step>,
    done: Vec<bool>,
}

impl Walks {
    pub fn new(n: usize) -> Self {
        Walks { last: vec![(0, None); n], done: vec![false; n] }
    }

    /// The choice of a vertex in the tree.
    pub fn choice(&self, vertex: usize) -> usize {
        self.last[vertex].0 as usize
    }
}
