//! Strongly connected components, by Tarjan's algorithm (1972) without recursion: O(n + m).

use crate::problems::grouped::Grouped;

/// The component of each vertex; components are numbered so that no arc goes from a lower number to a higher one.
pub(crate) fn strong_components(out: &Grouped<u32>, n: usize) -> (usize, Vec<u32>) {
    strong_components_by(n, |tail, place| out.of(tail).get(place).copied())
}

/// As [`strong_components`] of arcs that are made as they are asked for: `head(tail, place)` for place 0, 1, … until there is none.
pub(crate) fn strong_components_by(n: usize, head: impl Fn(usize, usize) -> Option<u32>) -> (usize, Vec<u32>) {
    let mut search =
        Search { head, clock: 0, low: vec![0; n], component: vec![0; n], open: vec![], path: vec![], count: 0 };
    for start in 0..n {
        if search.low[start] == 0 {
            search.explore(start);
        }
    }
    (search.count as usize, search.component)
}

/// What `low` is for a vertex whose component is known: later than any time, so that arcs to it change nothing.
const CLOSED: u32 = u32::MAX;

struct Search<H> {
    head: H,
    clock: u32,
    /// The earliest vertex on the stack that is known to be reached, by time of entry; 0 for a vertex not yet met.
    low: Vec<u32>,
    component: Vec<u32>,
    /// Vertices whose component is not known yet, in order of entry.
    open: Vec<u32>,
    /// The path to the vertex at hand: (vertex, its time of entry, how many of its arcs are done).
    path: Vec<(u32, u32, u32)>,
    count: u32,
}

impl<H: Fn(usize, usize) -> Option<u32>> Search<H> {
    fn explore(&mut self, start: usize) {
        self.enter(start);
        while let Some((vertex, time, done)) = self.path.pop() {
            let at = vertex as usize;
            if let Some(new) = self.go_on(at, time, done) {
                self.enter(new);
                continue;
            }
            if self.low[at] == time {
                self.close(at);
            } else if let Some(&(above, ..)) = self.path.last() {
                self.low[above as usize] = self.low[above as usize].min(self.low[at]);
            }
        }
    }

    /// Follows arcs up to the first to a vertex not yet met.
    fn go_on(&mut self, at: usize, time: u32, mut done: u32) -> Option<usize> {
        let mut low = self.low[at];
        let mut new = None;
        while let Some(head) = (self.head)(at, done as usize) {
            done += 1;
            match self.low[head as usize] {
                0 => {
                    new = Some(head as usize);
                    self.path.push((at as u32, time, done));
                    break;
                }
                of_head => low = low.min(of_head),
            }
        }
        self.low[at] = low;
        new
    }

    fn enter(&mut self, vertex: usize) {
        self.clock += 1;
        self.low[vertex] = self.clock;
        self.open.push(vertex as u32);
        self.path.push((vertex as u32, self.clock, 0));
    }

    fn close(&mut self, first: usize) {
        while let Some(member) = self.open.pop() {
            self.component[member as usize] = self.count;
            self.low[member as usize] = CLOSED;
            if member as usize == first {
                break;
            }
        }
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cycles_and_a_bridge() {
        let arcs = [(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2)];
        let (count, component) = strong_components(&Grouped::new(6, arcs.into_iter()), 6);
        assert_eq!(count, 3);
        assert_eq!(component, [1, 1, 0, 0, 0, 2]);
    }

    #[test]
    fn a_long_path_needs_no_stack() {
        let n = 300_000;
        let out = Grouped::new(n, (1..n).map(|head| (head - 1, head as u32)));
        assert_eq!(strong_components(&out, n).0, n);
    }
}
