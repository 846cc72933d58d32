//! Learnt maps checked entry by entry: what a model promises for every graph.
//!
//! An algorithm's folder says which classes can occur and what each entry has to be ([`super::Steps::certify`]); this
//! file collects what is not so. Two promises are kept apart: *valid* (every result is a solution) and *exact* (every
//! result is that of the classical algorithm with the same priorities, so draws follow its law). Entries for classes
//! that cannot occur are free.

use super::frame::{PairClass, Part, Status};
use super::tables::Tables;
use std::fmt;

/// What holds for a model, or the entries because of which it does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// Entries that break validity.
    pub invalid: Vec<String>,
    /// Entries that break nothing but the agreement with the classical algorithm.
    pub inexact: Vec<String>,
    /// How many entries were looked at.
    pub checked: usize,
}

impl Certificate {
    /// Every result on every graph is a solution. A certificate that looked at nothing promises nothing.
    pub fn is_valid(&self) -> bool {
        self.checked > 0 && self.invalid.is_empty()
    }

    /// And each is that of the classical algorithm with the same priorities.
    pub fn is_exact(&self) -> bool {
        self.is_valid() && self.inexact.is_empty()
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.invalid.first(), self.inexact.first()) {
            (None, _) if self.checked == 0 => write!(f, "not certified: no entry was checked"),
            (None, None) => write!(
                f,
                "valid for every graph, and equal to the algorithm with the same priorities ({} entries checked)",
                self.checked
            ),
            (None, Some(reason)) => write!(
                f,
                "valid for every graph ({} entries checked), but priorities are not followed everywhere: {reason}",
                self.checked
            ),
            (Some(reason), _) => {
                write!(f, "not certified: {reason} ({} of {} entries fail)", self.invalid.len(), self.checked)
            }
        }
    }
}

/// Looks at entries one by one.
pub struct Check<'a> {
    tables: &'a Tables,
    found: Certificate,
}

impl<'a> Check<'a> {
    /// Nothing looked at yet.
    pub fn new(tables: &'a Tables) -> Self {
        Check { tables, found: Certificate::default() }
    }

    /// What was found.
    pub fn finish(self) -> Certificate {
        self.found
    }

    /// One entry about a pair class, needed for validity.
    pub fn needs(&mut self, holds: bool, class: PairClass, rule: &str) {
        self.found.checked += 1;
        if !holds {
            let level = self.tables.level_of(class);
            self.found.invalid.push(format!("{} (level {level}): {rule}", self.tables.frame.describe(class)));
        }
    }

    /// One entry about a pair class, needed only for the agreement with the classical algorithm.
    pub fn needs_for_exactness(&mut self, holds: bool, class: PairClass, rule: &str) {
        self.found.checked += 1;
        if !holds {
            self.found.inexact.push(format!("{}: {rule}", self.tables.frame.describe(class)));
        }
    }

    /// A pair of this class is never selected.
    pub fn never_selected(&mut self, class: PairClass) {
        self.needs(self.tables.level_of(class) < 1, class, "it must never be selected");
    }

    /// An entry of the node map.
    pub fn next_state(&mut self, own: u8, part: Part, expected: u8) {
        self.found.checked += 1;
        let next = self.tables.next_state(own, part);
        if next != expected {
            let name = |state: u8| self.tables.frame.states[usize::from(state)];
            let reason =
                format!("a vertex that is {} ({part:?}) becomes {}, not {}", name(own), name(next), name(expected));
            self.found.invalid.push(reason);
        }
    }

    /// An entry of the pointer map.
    pub fn next_pointer(&mut self, class: PairClass, status: Status, expected: bool) {
        let next = self.tables.next_pointer(self.tables.frame.pair_index(class), status);
        let rule = format!("{status:?}, its pointer becomes {}, not {}", u8::from(next), u8::from(expected));
        self.needs(next == expected, class, &rule);
    }

    /// The map of registers.
    pub fn register(&mut self, expected: [i64; 3]) {
        self.found.checked += 1;
        if self.tables.register != expected {
            let reason = format!("the new register is {:?}, not {expected:?}", self.tables.register);
            self.found.invalid.push(reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_that_checked_nothing_is_none() {
        let nothing = Certificate::default();
        assert!(!nothing.is_valid() && !nothing.is_exact());
        assert_eq!(nothing.to_string(), "not certified: no entry was checked");
        let something = Certificate { checked: 1, ..Certificate::default() };
        assert!(something.is_exact());
    }
}
