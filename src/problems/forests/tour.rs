//! The tour around a forest: into each vertex, through its children, and out again.
//!
//! The tour is one long list, and who follows a list waits for memory at each step. So it is cut: pieces that begin at every so-many-th vertex are followed
//! several at once, and then laid end to end. That takes the same few nanoseconds a step for a path of a million vertices as for a star of them.
//!
//! ```text
//!     *            vertex  *  0  1  2       the virtual root is called 0, vertex v is v + 1
//!    / \
//!   0   1          tour    into *, into 0, into 2, out of 2, out of 0, into 1, out of 1, out of *
//!   |
//!   2
//! ```
//! Vertices on or below a cycle are on no tour that begins at the virtual root.

use crate::answers::Parents;

/// Into the vertex called v is 2v, out of it is 2v + 1.
pub(super) type Event = u32;

/// How many events are, on the average, in a piece.
const PIECE: usize = 128;
/// How many pieces are followed at once.
const LANES: usize = 8;

pub(super) struct Tour {
    /// The events that were met, by lane.
    met: [Vec<Event>; LANES],
    /// Where in them the piece stands that begins with each [`PIECE`]-th event.
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Default)]
struct Piece {
    lane: u32,
    from: u32,
    to: u32,
    /// The piece that follows it.
    next: u32,
}

impl Tour {
    /// The tour, and memory that is no longer needed: two numbers for the virtual root, and for each vertex after it.
    pub fn around(candidate: Parents<'_>) -> (Tour, Vec<[u32; 2]>) {
        let next = next_events(candidate);
        (Tour::along(next.as_flattened()), next)
    }

    /// The events from "into the virtual root" to "out of the virtual root", in slices.
    pub fn events(&self) -> impl Iterator<Item = &[Event]> {
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let piece = self.pieces[next? as usize];
            next = Some(piece.next).filter(|&next| next != 0);
            Some(&self.met[piece.lane as usize][piece.from as usize..piece.to as usize])
        })
    }

    fn along(next: &[Event]) -> Tour {
        let room = next.len() / LANES + PIECE;
        let mut tour = Tour {
            met: std::array::from_fn(|_| Vec::with_capacity(room)),
            pieces: vec![Piece::default(); next.len().div_ceil(PIECE)],
        };
        let mut lanes: Vec<Lane> = (0..LANES.min(tour.pieces.len())).map(|piece| tour.begin(piece, piece)).collect();
        let mut begun = lanes.len();
        while !lanes.is_empty() {
            lanes.retain_mut(|lane| {
                tour.met[lane.index].push(lane.at);
                lane.at = next[lane.at as usize];
                if !(lane.at as usize).is_multiple_of(PIECE) {
                    return true;
                }
                tour.end(lane);
                begun += 1;
                if begun <= tour.pieces.len() {
                    *lane = tour.begin(lane.index, begun - 1);
                }
                begun <= tour.pieces.len()
            });
        }
        tour
    }

    fn begin(&mut self, index: usize, piece: usize) -> Lane {
        self.pieces[piece].from = self.met[index].len() as u32;
        Lane { index, piece, at: (piece * PIECE) as Event }
    }

    fn end(&mut self, lane: &Lane) {
        let piece = &mut self.pieces[lane.piece];
        piece.lane = lane.index as u32;
        piece.to = self.met[lane.index].len() as u32;
        piece.next = lane.at / PIECE as u32;
    }
}

/// Who follows a piece.
struct Lane {
    index: usize,
    piece: usize,
    at: Event,
}

/// What comes after "into" each vertex, and after "out of" it; what comes after the last event is the first.
fn next_events(candidate: Parents<'_>) -> Vec<[Event; 2]> {
    let mut next: Vec<[Event; 2]> = (0..=candidate.n() as Event).map(|name| [2 * name + 1, 0]).collect();
    for child in (0..candidate.n()).rev() {
        let parent = if candidate.is_root(child) { 0 } else { candidate.of(child) + 1 };
        // Before there was a child, what comes after "into" was "out of".
        next[child + 1][1] = std::mem::replace(&mut next[parent][0], 2 * (child as Event + 1));
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Candidate;
    use crate::random::Rng;

    /// The tour by its definition, with an explicit stack of "into" and "out of".
    fn literal(parents: &[usize]) -> Vec<Event> {
        let children = |name: usize| {
            let is_child =
                move |v: usize| if name == 0 { parents[v] == v } else { parents[v] == name - 1 && parents[v] != v };
            (0..parents.len()).filter(move |&v| is_child(v)).map(|v| v + 1)
        };
        let (mut events, mut waiting) = (vec![], vec![0]);
        while let Some(event) = waiting.pop() {
            events.push(event as Event);
            if event % 2 == 0 {
                waiting.push(event + 1);
                waiting.extend(children(event / 2).collect::<Vec<_>>().into_iter().rev().map(|child| 2 * child));
            }
        }
        events
    }

    #[test]
    fn a_tour_goes_into_each_vertex_and_out_again_whatever_the_shape() {
        let mut rng = Rng::stream(0, "tours", 0);
        for n in [0, 1, 2, 5, 63, 64, 65, 300, 2000] {
            let shuffled: [Vec<usize>; 2] = std::array::from_fn(|_| {
                let mut names: Vec<usize> = (0..n).collect();
                rng.shuffle(&mut names);
                names
            });
            let random = (0..n).map(|v| if v == 0 { 0 } else { rng.below(v + 1) }).collect::<Vec<_>>();
            let path: Vec<usize> = (0..n).map(|v: usize| v.saturating_sub(1)).collect();
            for (shape, names) in [random, path, vec![0; n], (0..n).collect()].into_iter().zip(shuffled.iter().cycle())
            {
                let mut parents = vec![0; n];
                (0..n).for_each(|v| parents[names[v]] = names[shape[v]]);
                let candidate = Candidate::from_parents(parents.clone()).unwrap();
                let (tour, _) = Tour::around(candidate.parents());
                assert_eq!(tour.events().flatten().copied().collect::<Vec<_>>(), literal(&parents));
            }
        }
    }

    #[test]
    fn what_is_on_or_below_a_cycle_is_left_out() {
        let mut parents: Vec<usize> = (0..1000).map(|v: usize| v.saturating_sub(1)).collect();
        parents[500] = 700;
        let candidate = Candidate::from_parents(parents).unwrap();
        let (tour, _) = Tour::around(candidate.parents());
        assert_eq!(tour.events().flatten().count(), 2 * 501);
    }
}
