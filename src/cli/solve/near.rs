//! Near ties: the gap of each answer, and what to ask where exactly one is right.

use super::presentation::Presentation;
use super::routes::percent;
use crate::cli::graph_input::uses_weights;
use crate::cli::output::{terminal_width, wrapped};
use serde_json::{Value, json};
use tiebreak::instance::{Decimal, Weight};
use tiebreak::problems::tolerance::Gap;
use tiebreak::solve::Count;

impl Presentation<'_> {
    /// The two numbers that prove a gap, and the vertex whose path they measure.
    pub fn gap_proof(&self, gap: &Gap) -> Value {
        let exact = |measure| self.exact(measure);
        json!({
            "measure": exact(gap.measure), "best": exact(gap.best),
            "vertex": gap.vertex.filter(|_| gap.measure > gap.best).map(|vertex| self.exact_name(vertex)),
        })
    }

    /// What a person reads about gaps, below everything else.
    pub fn near_ties(&self) -> String {
        let gaps: Vec<Gap> = self.solved.solutions.iter().filter_map(|solution| solution.gap).collect();
        if !gaps.is_empty() {
            return self.listed_gaps(&gaps);
        }
        let is_only = self.solved.count == Count::Exactly(1u32.into());
        let has_weights =
            self.instance.items.is_some() || uses_weights(self.algorithm) && self.instance.graph.is_weighted();
        let may_be_near = has_weights && self.prepared.space().takes_tolerance().is_ok();
        // With demands another one may be right as well, and a tolerance is not for them.
        match is_only && may_be_near && !self.has_demands {
            false => String::new(),
            true => {
                "exactly one answer is right: nothing ties.\nNear ties: --within 5% takes answers that are at most 5 % \
                     worse; --round 1 rounds weights first\n"
                    .to_owned()
            }
        }
    }

    /// A sum of weights as it was written.
    fn exact(&self, measure: Weight) -> String {
        match &self.instance.items {
            Some(items) => Decimal::scaled(measure, items.decimals()).to_string(),
            None => self.instance.graph.decimal(measure).to_string(),
        }
    }

    fn listed_gaps(&self, gaps: &[Gap]) -> String {
        let exact = |measure| self.exact(measure);
        let told = |(place, gap): (usize, &Gap)| match (gap.measure == gap.best, gap.vertex) {
            (true, _) => format!("{}: best", place + 1),
            (false, Some(vertex)) => format!(
                "{}: {} (at {}: {} for {})",
                place + 1,
                worse(gap),
                self.name(vertex),
                exact(gap.measure),
                exact(gap.best)
            ),
            (false, None) => {
                format!("{}: {} ({} for {})", place + 1, worse(gap), exact(gap.measure), exact(gap.best))
            }
        };
        let told: Vec<String> = gaps.iter().enumerate().map(told).collect();
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        wrapped("how much worse than the best each is: ", &told, ";", terminal_width()) + "\n"
    }
}

/// More than the best, or less, in percent.
fn worse(gap: &Gap) -> String {
    let words = percent(gap.relative());
    if gap.measure < gap.best { words.replacen('+', "−", 1) } else { words }
}
