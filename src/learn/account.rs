//! What a person should know of a learnt cost: what each column does, how well it explains observations that it did not see, and how far its
//! statements can be trusted.

use super::features::Encoding;
use super::fit::Recipe;
use super::model::{Design, Shape, softplus};
use super::score::{AMONG, FitScore, RouteScore};
use crate::instance::Weight;
use serde::{Deserialize, Serialize};

/// The share of observations that a calibrated statement is about.
pub const LEVEL: f64 = 0.9;

/// All there is to tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Observations that were learnt from.
    pub observations: usize,
    /// What was observed: `path`, `parents`, `chosen` or `selected`.
    #[serde(default = "path")]
    pub form: String,
    /// What was chosen.
    pub recipe: Recipe,
    /// What each column does.
    pub effects: Vec<Effect>,
    /// How well held-out observations are explained.
    pub held_out: Option<FitScore>,
    /// The same of single columns as costs.
    pub baselines: Vec<Baseline>,
    /// Gaps of held-out observations.
    pub calibration: Option<Calibration>,
    /// Some held-out routes beside what was answered in their place.
    #[serde(default)]
    pub examples: Vec<Example>,
    /// What else a person should know.
    pub notes: Vec<String>,
}

/// What an account's parts are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountWords {
    /// What is learnt.
    pub learnt: &'static str,
    /// What is answered.
    pub answer: &'static str,
    /// What answers have.
    pub parts: &'static str,
    /// What the best answer is.
    pub best: &'static str,
}

impl Account {
    /// The words that fit what was observed.
    pub fn words(&self) -> AccountWords {
        let of_edges = |answer| AccountWords { learnt: "cost", answer, parts: "edges", best: "cheapest" };
        match self.form.as_str() {
            "selected" => AccountWords { learnt: "weight", answer: "set", parts: "items", best: "heaviest" },
            "path" => of_edges("route"),
            _ => of_edges("tree"),
        }
    }

    /// Whether the observed answer was looked for among several, and not compared with the best alone.
    pub fn has_recall(&self) -> bool {
        ["path", "parents"].contains(&self.form.as_str())
    }
}

impl Account {
    /// What the figures of a fit are called, in the order of [`Account::fit_figures`].
    pub fn fit_columns(&self) -> Vec<String> {
        let AccountWords { parts, best, .. } = self.words();
        let among = self.has_recall().then(|| format!("observed among the {AMONG} {best}"));
        let mut fits = self.held_out.iter().chain(self.baselines.iter().map(|baseline| &baseline.fit));
        let regret = fits.any(|fit| fit.regret.is_some()).then(|| "regret".to_owned());
        let differ = format!("share of {parts} that differ");
        [Some(format!("{best} is the observed one")), among, Some(differ), regret].into_iter().flatten().collect()
    }

    /// A fit as a row of a table.
    pub fn fit_figures(&self, fit: &FitScore) -> Vec<f64> {
        let recall = self.has_recall().then_some(fit.recall);
        [Some(fit.exact), recall, Some(fit.distance), fit.regret].into_iter().flatten().collect()
    }
}

fn path() -> String {
    "path".to_owned()
}

/// What a column does to the cost of an edge, in percent of the mean cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The column: one standard deviation more of it, or this word in place of the most frequent one.
    pub name: String,
    /// The effect.
    pub percent: f64,
    /// The middle 90 % of it over bootstrap samples of the observations, where there are any.
    pub interval: Option<(f64, f64)>,
}

/// A single column as the cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// The column.
    pub column: String,
    /// How well it explains all observations.
    pub fit: FitScore,
}

/// How far observed answers are from the cheapest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// An observed answer is within this share of the cheapest with probability [`LEVEL`].
    pub tau: f64,
    /// The share of a fold's answers that are within the tau of the other folds, for each fold.
    pub fresh: Vec<f64>,
    /// For some probabilities, the share of answers that are within what the other folds say is as probable.
    #[serde(default)]
    pub curve: Vec<(f64, f64)>,
}

/// A held-out route, and what the cost that never saw it answers between its ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// The vertices that were visited.
    pub observed: Vec<String>,
    /// How much dearer than the cheapest route it is.
    pub gap: f64,
    /// The cheapest routes, each with its gap.
    pub answers: Vec<(Vec<String>, f64)>,
    /// The steps of all these routes with their costs, in whole-number units.
    pub steps: Vec<(String, String, Weight)>,
    /// Where the vertices of these routes lie, if the graph's file says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<(String, f64, f64)>,
}

/// Probabilities at which the calibration is looked at.
const LEVELS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The least tau that holds for so many of the gaps that one more exchangeable gap is within it with probability `level`; `None` when there are too
/// few gaps for that.
pub fn conformal_quantile(gaps: &[f64], level: f64) -> Option<f64> {
    let mut sorted = gaps.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = ((sorted.len() + 1) as f64 * level).ceil() as usize;
    sorted.get(rank.checked_sub(1)?).copied()
}

impl Calibration {
    /// From scores of held-out routes and their folds.
    pub fn of(scores: &[RouteScore], folds: &[u8]) -> Option<Self> {
        let gaps = |keep: &dyn Fn(u8) -> bool| -> Vec<f64> {
            scores.iter().zip(folds).filter(|(_, fold)| keep(**fold)).map(|(score, _)| score.gap).collect()
        };
        let tau = conformal_quantile(&gaps(&|_| true), LEVEL)?;
        let last = folds.iter().copied().max().unwrap_or(0);
        let coverage = |fold: u8, level: f64| {
            let others = conformal_quantile(&gaps(&|of| of != fold), level)?;
            let own = gaps(&|of| of == fold);
            Some(own.iter().filter(|&&gap| gap <= others).count() as f64 / own.len().max(1) as f64)
        };
        let fresh = |level: f64| -> Vec<f64> { (0..=last).filter_map(|fold| coverage(fold, level)).collect() };
        let curve = LEVELS.into_iter().filter_map(|level| Some((level, mean(&fresh(level))?))).collect();
        Some(Calibration { tau, fresh: fresh(LEVEL), curve })
    }

    /// The mean coverage of fresh folds.
    pub fn fresh_coverage(&self) -> Option<f64> {
        mean(&self.fresh)
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// What each column of an encoding does to the mean cost, in percent: for all arcs one standard deviation is added, or the word put in place of the
/// most frequent one.
pub fn effects(encoding: &Encoding, design: &Design, shape: &Shape, params: &[f64]) -> Vec<f64> {
    let context = vec![0.0; shape.contexts];
    let mean_cost = |design: &Design| {
        let scores = design.scores(shape, params, &context);
        scores.iter().map(|&score| softplus(score)).sum::<f64>() / scores.len().max(1) as f64
    };
    let usual = mean_cost(design);
    let groups = encoding.groups();
    let effect = |place: usize| {
        let group = &groups[place];
        let set = |value: Option<f64>| {
            let rows = design.rows.changed(|row| match value {
                // A quantity moves; of a group of words one is chosen, and the others are not.
                None => row[place] += 1.0,
                Some(value) => {
                    row[group.clone()].fill(0.0);
                    row[place] = value;
                }
            });
            mean_cost(&Design { rows, ..design.clone() })
        };
        let is_quantity = encoding.is_quantity(place);
        let (with, without) = if is_quantity { (set(None), usual) } else { (set(Some(1.0)), set(Some(0.0))) };
        100.0 * (with - without) / usual
    };
    (0..design.rows.width).map(effect).collect()
}

/// The middle 90 % of each column over samples.
pub fn intervals(samples: &[Vec<f64>], place: usize) -> Option<(f64, f64)> {
    let mut values: Vec<f64> = samples.iter().map(|sample| sample[place]).collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get((share * (values.len() - 1) as f64).round() as usize).copied();
    if values.len() < 10 { None } else { at(0.05).zip(at(0.95)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn one_more_gap_is_within_the_quantile_nine_times_in_ten() {
        let mut rng = Rng::stream(0, "conformal", 0);
        for known in [9, 20, 99] {
            let trials = 4000;
            let within = (0..trials).filter(|_| {
                let gaps: Vec<f64> = (0..known).map(|_| rng.unit()).collect();
                rng.unit() <= conformal_quantile(&gaps, LEVEL).unwrap()
            });
            let share = within.count() as f64 / f64::from(trials);
            let promised = ((known + 1) as f64 * LEVEL).ceil() / (known + 1) as f64;
            assert!((share - promised).abs() < 0.02, "{known}: {share} for {promised}");
        }
        assert_eq!(conformal_quantile(&[0.0; 8], LEVEL), None);
    }
}
