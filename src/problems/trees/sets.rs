//! Disjoint sets that grow together (union-find).

/// Sets of the numbers below n.
pub(crate) struct Sets(Vec<u32>);

impl Sets {
    /// Each number alone.
    pub fn new(n: usize) -> Self {
        Sets((0..n as u32).collect())
    }

    /// The set that a number is in, as one of its members.
    pub fn find(&mut self, number: usize) -> usize {
        let mut at = number;
        while self.0[at] as usize != at {
            // Path halving: each second number is lifted to its grandparent.
            self.0[at] = self.0[self.0[at] as usize];
            at = self.0[at] as usize;
        }
        at
    }

    /// Joins the sets of two numbers; false when they are one already.
    pub fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        // The larger name survives, so that names do not depend on the order of the two.
        self.0[a.min(b)] = a.max(b) as u32;
        a != b
    }

    /// The set of every number, as one of its members.
    pub fn names(mut self) -> Vec<u32> {
        (0..self.0.len()).for_each(|number| self.0[number] = self.find(number) as u32);
        self.0
    }

    /// True when two numbers are in one set.
    pub fn joined(&mut self, a: usize, b: usize) -> bool {
        self.find(a) == self.find(b)
    }
}
