//! The place of each vertex in an order that is given as a list of who comes next.
//!
//! Whoever walks along such a list waits for memory at each step, because only the answer says where the next question goes. So several walks begin at once,
//! at vertices anywhere in the list, and each ends where another began; then they are put together.

use crate::answers::Candidate;

/// Walks at once: about as many questions as memory answers at a time.
const WALKS: usize = 16;
/// Vertices for each walk; the memory of fewer answers at once.
const WORTH_A_WALK: usize = 32;
/// No place yet. Below it are the names of the walks, at the vertices where they begin.
const NOWHERE: u32 = u32::MAX;
const FIRST_NAME: u32 = NOWHERE - WALKS as u32;

/// The place of each of n vertices; `None` where the candidate is no order of all of them.
pub(in crate::problems) fn places(candidate: &Candidate, n: usize) -> Option<Vec<u32>> {
    let (next, head) = candidate.choices().split_at(n);
    let Some(&head) = head.first() else { return Some(vec![]) };
    if n >= FIRST_NAME as usize {
        return None;
    }
    let count = (n / WORTH_A_WALK).min(WALKS - 1);
    let others = (0..count).map(|walk| (walk * n / count) as u32).filter(|&start| start != head);
    let starts: Vec<u32> = std::iter::once(head).chain(others).collect();
    let mut place = vec![NOWHERE; n];
    (0..).zip(&starts).for_each(|(walk, &start)| place[start as usize] = FIRST_NAME + walk);
    let walks = walk_all(next, &starts, &mut place);
    // From the walk that begins at the head on, each is followed by the one that begins where it ends.
    let (mut at, mut count) = (0, 0);
    for _ in 0..walks.len() {
        let Walk { met, end } = &walks[at];
        for &vertex in met {
            place[vertex as usize] = count;
            count += 1;
        }
        match end {
            End::At(walk) => at = *walk,
            End::Last => return (count as usize == n).then_some(place),
            End::Astray => return None,
        }
    }
    None
}

struct Walk {
    met: Vec<u32>,
    end: End,
}

enum End {
    /// Where another walk begins.
    At(usize),
    /// At a vertex that is followed by itself.
    Last,
    /// At a vertex that was met before.
    Astray,
}

/// Takes a step of each walk in turn, until all have ended.
fn walk_all(next: &[u32], starts: &[u32], place: &mut [u32]) -> Vec<Walk> {
    let mut walks: Vec<Walk> = starts.iter().map(|&start| Walk { met: vec![start], end: End::Astray }).collect();
    let mut going: Vec<(usize, u32)> = starts.iter().copied().enumerate().collect();
    while !going.is_empty() {
        going.retain_mut(|(walk, at)| {
            let to = next[*at as usize];
            let known = &mut place[to as usize];
            let is_new = *known == NOWHERE;
            if is_new {
                *known = 0;
                walks[*walk].met.push(to);
            } else if to == *at {
                walks[*walk].end = End::Last;
            } else if *known >= FIRST_NAME {
                walks[*walk].end = End::At((*known - FIRST_NAME) as usize);
            }
            *at = to;
            is_new
        });
    }
    walks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Form;
    use crate::random::Rng;

    #[test]
    fn several_walks_find_what_one_finds() {
        for index in 0..2000 {
            let mut rng = Rng::stream(0, "places", index);
            let n = rng.below(if index % 10 == 0 { 1000 } else { 7 });
            let mut order: Vec<usize> = (0..n).collect();
            rng.shuffle(&mut order);
            let mut candidate = Candidate::from_order(&order).unwrap();
            if index % 3 == 1 && n > 0 {
                candidate.set(rng.below(n + 1), rng.below(n));
            } else if index % 3 == 2 && n > 0 {
                candidate = Candidate::from_choices(Form::Order, n + 1, |_| rng.below(n));
            }
            let order = candidate.order();
            let is_order = order.len() == n && order.last().is_none_or(|&last| candidate.choice(last) == last);
            let mut expected = vec![0; n];
            order.iter().enumerate().for_each(|(at, &vertex)| expected[vertex] = at as u32);
            assert_eq!(places(&candidate, n), is_order.then_some(expected), "{candidate:?}");
        }
    }
}
