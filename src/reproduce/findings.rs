//! What an experiment found, in sentences with measured numbers in them.

use super::rows::{Measured, Pick, Summary};
use serde::{Deserialize, Serialize};

/// A sentence to be filled in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The sentence, with a place `{}` for each number. It has to be true whatever the numbers are.
    pub says: String,
    /// The numbers, in the order of their places: means over seeds.
    pub of: Vec<Pick>,
    /// Decimals to show.
    #[serde(default = "two")]
    pub decimals: usize,
}

fn two() -> usize {
    2
}

const PLACE: &str = "{}";

impl Finding {
    /// Refuses a sentence that has more or fewer places than numbers.
    pub(super) fn check(&self) -> Result<(), String> {
        let (places, numbers) = (self.says.matches(PLACE).count(), self.of.len());
        match places == numbers {
            true => Ok(()),
            false => Err(format!("'{}' has {places} places for {numbers} numbers", self.says)),
        }
    }

    /// The sentence with its numbers; none where one of them was not measured.
    pub fn sentence(&self, rows: &[Measured]) -> Option<String> {
        let mut parts = self.says.split(PLACE);
        let mut sentence = parts.next()?.to_owned();
        for (pick, part) in self.of.iter().zip(parts) {
            let summary = Summary::of(rows.iter().filter(|row| pick.matches(row)))?;
            sentence += &format!("{:.*}{part}", self.decimals, summary.mean);
        }
        Some(sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_the_means_over_seeds_or_is_not_said() {
        let row = |size, value| Measured { size, value, metric: "valid".to_owned(), ..Measured::default() };
        let pick = |size| Pick { size: vec![size], ..Pick::default() };
        let finding = Finding { says: "At 5 {}, at 16 {}.".to_owned(), of: vec![pick(5), pick(16)], decimals: 2 };
        let rows = [row(5, 1.0), row(5, 0.5), row(16, 0.25)];
        assert_eq!(finding.sentence(&rows).as_deref(), Some("At 5 0.75, at 16 0.25."));
        assert_eq!(finding.sentence(&rows[..2]), None);
        assert!(Finding { of: vec![], ..finding }.check().unwrap_err().contains("2 places for 0 numbers"));
    }
}
