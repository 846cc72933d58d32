//! Strongly connected components, by Tarjan's algorithm (1972) without recursion: O(n + m).

use crate::problems::grouped::Grouped;

/// The component of each vertex; components are numbered so that no arc goes from a lower number to a higher one.
pub(crate) fn strong_components(out: &Grouped<u32>, n: usize) -> (usize, Vec<u32>) {
    Search { out, clock: 0, low: vec![0; n], component: vec![UNKNOWN; n], open: vec![], count: 0 }.run(n)
}

const UNKNOWN: u32 = u32::MAX;

struct Search<'a> {
    out: &'a Grouped<u32>,
    clock: u32,
    /// The earliest vertex on the stack that is known to be reached, by time of entry; 0 for a vertex not yet met.
    low: Vec<u32>,
    component: Vec<u32>,
    /// Vertices whose component is not known yet, in order of entry.
    open: Vec<u32>,
    count: u32,
}

impl Search<'_> {
    fn run(mut self, n: usize) -> (usize, Vec<u32>) {
        for start in 0..n {
            if self.low[start] == 0 {
                self.explore(start);
            }
        }
        (self.count as usize, self.component)
    }

    fn explore(&mut self, start: usize) {
        // (vertex, its time of entry, how many of its arcs are done)
        let mut path = vec![self.enter(start)];
        while let Some((vertex, entered, done)) = path.last_mut() {
            let (at, time) = (*vertex, *entered);
            if let Some(&head) = self.out.of(at).get(*done) {
                let head = head as usize;
                *done += 1;
                if self.low[head] == 0 {
                    path.push(self.enter(head));
                } else if self.component[head] == UNKNOWN {
                    self.low[at] = self.low[at].min(self.low[head]);
                }
                continue;
            }
            path.pop();
            if self.low[at] == time {
                self.close(at);
            } else if let Some(&(above, ..)) = path.last() {
                self.low[above] = self.low[above].min(self.low[at]);
            }
        }
    }

    fn enter(&mut self, vertex: usize) -> (usize, u32, usize) {
        self.clock += 1;
        self.low[vertex] = self.clock;
        self.open.push(vertex as u32);
        (vertex, self.clock, 0)
    }

    fn close(&mut self, first: usize) {
        while let Some(member) = self.open.pop() {
            self.component[member as usize] = self.count;
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
