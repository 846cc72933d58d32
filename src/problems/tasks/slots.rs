//! The units of time, from 1 on: which are free, how many up to a point, the latest one up to a point.

/// Units 1, 2, …, n, all free at first.
pub(super) struct Slots {
    /// The latest free unit up to each, through links that grow shorter as they are followed; 0 where there is none.
    latest: Vec<u32>,
    /// Free units by powers of two (a Fenwick tree).
    free: Vec<u32>,
    /// Every unit up to here is taken.
    taken_up_to: usize,
}

impl Slots {
    pub fn new(n: usize) -> Self {
        let free = (0..=n as u32).map(|unit| unit & unit.wrapping_neg()).collect();
        Slots { latest: (0..=n as u32).collect(), free, taken_up_to: 0 }
    }

    /// The number of free units up to `unit`.
    pub fn free_up_to(&self, mut unit: usize) -> usize {
        let mut sum = 0;
        while unit > 0 {
            sum += self.free[unit] as usize;
            unit &= unit - 1;
        }
        sum
    }

    /// The latest free unit up to `unit`; 0 when there is none.
    pub fn latest(&mut self, unit: usize) -> usize {
        let mut root = unit;
        while self.latest[root] as usize != root {
            root = self.latest[root] as usize;
        }
        let mut at = unit;
        while at != root {
            at = std::mem::replace(&mut self.latest[at], root as u32) as usize;
        }
        root
    }

    /// Takes the latest free unit up to `unit`; false when there is none.
    pub fn take_latest(&mut self, unit: usize) -> bool {
        let found = self.latest(unit);
        if found > 0 {
            self.take(found);
        }
        found > 0
    }

    /// Takes the first so many free units.
    pub fn take_first(&mut self, count: usize) {
        let mut left = count;
        while left > 0 {
            self.taken_up_to += 1;
            if self.latest[self.taken_up_to] as usize == self.taken_up_to {
                self.take(self.taken_up_to);
                left -= 1;
            }
        }
    }

    fn take(&mut self, unit: usize) {
        self.latest[unit] = unit as u32 - 1;
        let mut at = unit;
        while at < self.free.len() {
            self.free[at] -= 1;
            at += at & at.wrapping_neg();
        }
    }
}
