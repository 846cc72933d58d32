//! All maximum matchings, each once: an edge of the matching at hand is kept, and then, where an augmenting path makes up for it, left out.
//!
//! Decisions go from the first edge of the matching to the last; below each there is at least one matching, so there are no dead ends. O(n + m) a decision,
//! and a matching is at hand after at most n + m of them. Memory O(n + m).

use super::mates::Mates;
use super::sides::Sides;

pub(super) struct Enumeration<'a> {
    sides: &'a Sides,
    /// A maximum matching that meets all decisions.
    mates: Mates,
    /// The edges that were decided on, and whether each is kept.
    decisions: Vec<(usize, bool)>,
    is_out: Vec<bool>,
    /// Vertices whose edge is kept.
    is_kept: Vec<bool>,
    given: bool,
}

impl<'a> Enumeration<'a> {
    pub fn new(sides: &'a Sides, mates: Mates) -> Self {
        let (is_out, is_kept) = (vec![false; sides.ends().len()], vec![false; sides.n()]);
        Enumeration { sides, mates, decisions: vec![], is_out, is_kept, given: false }
    }

    /// The matching at hand.
    fn slots(&self) -> Vec<usize> {
        self.sides.slots(&self.mates, |_| true).collect()
    }

    fn keep(&mut self, slot: usize, kept: bool) {
        self.sides.ends()[slot].iter().for_each(|&end| self.is_kept[end as usize] = kept);
    }

    /// Keeps the rest of the matching, edge by edge.
    fn keep_all(&mut self) {
        for slot in self.slots() {
            if !self.is_kept[self.sides.ends()[slot][0] as usize] {
                self.keep(slot, true);
                self.decisions.push((slot, true));
            }
        }
    }

    /// A matching without this edge, which is in the one at hand; false when there is none.
    fn leave_out(&mut self, slot: usize) -> bool {
        self.is_out[slot] = true;
        let [left, right] = self.sides.ends()[slot].map(|end| end as usize);
        self.mates.part(left);
        let is_kept = |slot: usize| self.sides.ends()[slot].iter().any(|&end| self.is_kept[end as usize]);
        let is_there = |&(slot, _): &(usize, usize)| !self.is_out[slot] && !is_kept(slot);
        let rights = |left: usize| self.sides.around(left).filter(is_there).map(|(_, right)| right);
        match self.mates.augmenting_path(self.sides, rights) {
            Some(path) => self.mates.augment(&path),
            None => {
                self.mates.join(left, right);
                self.is_out[slot] = false;
                return false;
            }
        }
        self.decisions.push((slot, false));
        true
    }
}

impl Iterator for Enumeration<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        if std::mem::replace(&mut self.given, true) {
            loop {
                let (slot, kept) = self.decisions.pop()?;
                if !kept {
                    self.is_out[slot] = false;
                    continue;
                }
                self.keep(slot, false);
                if self.leave_out(slot) {
                    break;
                }
            }
        }
        self.keep_all();
        Some(self.slots())
    }
}
