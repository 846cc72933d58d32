//! What is measured, each metric defined once.
//!
//! For one graph let c_1 … c_k be the drawn candidates, V the valid ones among them (with repetitions), and N the
//! number of solutions of the graph. Over several graphs each figure is the mean over graphs.
//!
//! | metric | formula |
//! |---|---|
//! | accuracy | 1 if c_1 is valid, else 0: one draw a graph |
//! | accuracy (weak check) | as accuracy, with the check behind the paper's tables |
//! | valid | \|V\| / k |
//! | valid (weak check) | as valid, with the check behind the paper's tables |
//! | unique | distinct(c_1 … c_k) / k |
//! | unique and valid | distinct(V) / k |
//! | distinct among valid | distinct(V) / \|V\|, over the graphs with a valid draw (the paper's VD) |
//! | coverage | distinct(V) / N, where N could be counted |
//! | edge reuse | mean over pairs i < j of 2 \|E_i ∩ E_j\| / (\|E_i\| + \|E_j\|), E_i the tree edges of c_i |
//! | node accuracy | share of the vertices with the same parent as in one given solution |
//! | right choices | share of the vertices, over all draws, with a parent that some solution has |
//! | law distance | mean over slots of ½ Σ \|P − Q\|: P the marginals of the algorithm's runs, Q those of 100 draws, valid or not |
//! | KL | (1/n) Σ_v Σ_u P(u, v) ln(P(u, v) / (Q(u, v) + 10⁻⁸)) |
//!
//! Permutations. A network sees a graph G relabelled by π as π(G) and answers with P; mapped back that is π⁻¹(P). The paper
//! writes (A, S, P) for "P judged on π(G)", (ogA, ogS, ogP) for "π⁻¹(P) judged on G", and (ogA, S, P) for P judged on G
//! although its labels are those of π(G).

use crate::answers::{Candidate, Marginals};
use crate::cancel;
use num_bigint::BigUint;
use std::collections::HashSet;

/// What stands in tables under each name, in words.
pub const DEFINITIONS: &[(&str, &str)] = &[
    ("accuracy", "the share of graphs whose first draw is a solution by the exact verifier"),
    ("weak-accuracy", "the same by the weak check (edges, roots, reachability, no cycle; not the order of siblings)"),
    ("valid", "the share of draws that are solutions by the exact verifier"),
    (
        "weak-valid",
        "the share of draws that pass the weak check (edges, roots, reachability, no cycle; not the order of siblings)",
    ),
    ("unique", "distinct draws as a share of all draws of a graph, valid or not"),
    ("unique-valid", "distinct valid draws as a share of all draws of a graph"),
    ("distinct-valid", "the number of distinct solutions among the first k draws"),
    (
        "coverage",
        "distinct solutions among the first k draws as a share of all solutions of the graph, over the graphs whose solutions could be counted",
    ),
    ("edge-reuse", "the mean over pairs of draws of 2 |E ∩ F| / (|E| + |F|), E and F their tree edges"),
    ("right-choices", "the share of vertices, over all draws, whose parent is that of some solution"),
    ("milliseconds", "milliseconds of one draw on one thread, verification not included"),
    ("node-accuracy", "the share of vertices whose parent is that of the label solution"),
    (
        "graph-accuracy",
        "the share of graphs whose prediction (the likeliest parents) is a solution by the exact verifier",
    ),
    ("weak-graph-accuracy", "the same by the weak check"),
    ("label-accuracy", "the share of graphs whose prediction is the label solution itself"),
    (
        "law-distance",
        "how far the marginals of 100 draws are from those of infinitely many runs of the algorithm (of 1,000 where these cannot be computed): the mean over slots (parents of vertices, edges, items, steps of an order) of half the sum of absolute differences, 0 for the same and 1 for nothing in common",
    ),
    ("kl", "(1/n) Σ_v Σ_u P(u, v) ln(P(u, v) / (Q(u, v) + 10⁻⁸)), P the distribution named first"),
    (
        "valid-back",
        "the prediction on the relabelled graph, mapped back, is a solution of the original graph: (ogA, ogS, ogP)",
    ),
    ("valid-there", "the prediction is a solution of the relabelled graph itself: (A, S, P)"),
    ("valid-unmapped", "the prediction, its labels not mapped back, is a solution of the original graph: (ogA, S, P)"),
    ("relaxed-unmapped", "as valid-unmapped, by the laxer verifier"),
    ("relaxed-back", "as valid-back, by the laxer verifier"),
    (
        "diversity",
        "distinct predictions as a share of the permutations, labels as they are: equal solutions under two labellings count twice",
    ),
    ("distinctness", "distinct predictions, mapped back, as a share of the permutations"),
    (
        "distinct-among-valid",
        "distinct valid predictions, mapped back, as a share of the valid ones, over the graphs that have one (VD)",
    ),
    ("seconds", "seconds of 10,000 training steps at that speed, validation not included"),
    ("seconds-per-1000-steps", "seconds of 1,000 training steps at that speed, validation not included"),
    ("graphs-per-second", "training graphs a second, the median over the lines of the log"),
];

/// What stands in tables under a name, in words.
pub fn definition(name: &str) -> Option<&'static str> {
    DEFINITIONS.iter().find(|(known, _)| *known == name).map(|(_, words)| *words)
}

/// One verified draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// What was drawn.
    pub candidate: Candidate,
    /// The verdict of the exact verifier.
    pub valid: bool,
    /// The verdict of the weak check, where there is one.
    pub weakly_valid: Option<bool>,
}

/// Accuracy of one graph's draws: is the first one valid?
pub fn accuracy(trials: &[Trial]) -> f64 {
    trials.first().map_or(0.0, |trial| f64::from(trial.valid))
}

/// The same by the weak check, where there is one.
pub fn weak_accuracy(trials: &[Trial]) -> Option<f64> {
    trials.first().and_then(|trial| trial.weakly_valid).map(f64::from)
}

/// The share of draws that are valid.
pub fn valid(trials: &[Trial]) -> f64 {
    share(trials.iter().filter(|trial| trial.valid).count(), trials.len())
}

/// The share of draws that pass the weak check, where there is one.
pub fn weakly_valid(trials: &[Trial]) -> Option<f64> {
    let verdicts: Option<Vec<bool>> = trials.iter().map(|trial| trial.weakly_valid).collect();
    verdicts.filter(|_| !trials.is_empty()).map(|verdicts| share(verdicts.iter().filter(|&&v| v).count(), trials.len()))
}

/// The number of distinct draws, as a share of all draws.
pub fn unique(trials: &[Trial]) -> f64 {
    share(distinct(trials.iter()), trials.len())
}

/// The number of distinct valid draws, as a share of all draws.
pub fn unique_and_valid(trials: &[Trial]) -> f64 {
    share(distinct_valid(trials), trials.len())
}

/// The number of distinct valid draws.
pub fn distinct_valid(trials: &[Trial]) -> usize {
    distinct(trials.iter().filter(|trial| trial.valid))
}

/// The number of distinct valid draws, as a share of the valid ones; `None` where there is none.
pub fn distinct_among_valid(trials: &[Trial]) -> Option<f64> {
    let valid = trials.iter().filter(|trial| trial.valid).count();
    (valid > 0).then(|| share(distinct_valid(trials), valid))
}

/// The number of distinct valid draws, as a share of all solutions.
pub fn coverage(trials: &[Trial], solutions: &BigUint) -> f64 {
    distinct_valid(trials) as f64 / approximately(solutions)
}

/// The mean share of parts that two draws have in common; `None` for fewer than two draws.
pub fn edge_reuse(trials: &[Trial]) -> Option<f64> {
    let (mut count, mut sum) = (0usize, 0.0);
    for (i, one) in trials.iter().enumerate() {
        // Thousands of draws are millions of pairs.
        cancel::point();
        sum = trials[..i].iter().fold(sum, |sum, other| sum + shared_parts(&one.candidate, &other.candidate));
        count += i;
    }
    (count > 0).then(|| sum / count as f64)
}

/// 2 |E ∩ F| / (|E| + |F|) for the parts of two candidates (tree edges, chosen edges or items, steps of an order); 1 when neither has
/// any.
pub fn shared_parts(one: &Candidate, other: &Candidate) -> f64 {
    let shared = one.parts().filter(|&(slot, option)| other.choice(slot) == option).count();
    let total = one.parts().count() + other.parts().count();
    if total == 0 { 1.0 } else { 2.0 * shared as f64 / total as f64 }
}

/// The share of slots whose choice is that of `solution`.
pub fn node_accuracy(candidate: &Candidate, solution: &Candidate) -> f64 {
    let pairs = candidate.choices().iter().zip(solution.choices());
    share(pairs.filter(|(one, other)| one == other).count(), solution.slots())
}

/// The mean over slots of the total variation distance of two rows: half the sum of absolute differences.
///
/// # Panics
/// If the two are of different sizes.
pub fn total_variation(p: &Marginals, q: &Marginals) -> f64 {
    assert!(p.form() == q.form() && p.slots() == q.slots(), "marginals of different sizes");
    let sum: f64 = p.as_slice().iter().zip(q.as_slice()).map(|(p, q)| (p - q).abs()).sum();
    sum / 2.0 / p.slots().max(1) as f64
}

/// KL divergence of `q` from `p`, the mean over rows, with 10⁻⁸ added to `q` so that it stays finite.
///
/// # Panics
/// If the two are of different sizes.
pub fn kl_divergence(p: &Marginals, q: &Marginals) -> f64 {
    assert!(p.form() == q.form() && p.slots() == q.slots(), "marginals of different sizes");
    let terms = p.as_slice().iter().zip(q.as_slice()).filter(|(p, _)| **p > 0.0);
    let sum: f64 = terms.map(|(p, q)| p * (p / (q + 1e-8)).ln()).sum();
    sum / p.slots().max(1) as f64
}

/// The mean; `None` of nothing.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    // Compensated summation (Kahan), so that the mean of equal shares is that share.
    let (mut count, mut sum, mut lost) = (0usize, 0.0, 0.0);
    for value in values {
        let (term, before) = (value - lost, sum);
        sum += term;
        lost = (sum - before) - term;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}

/// A large number as the nearest float (infinite beyond 10^308).
pub fn approximately(number: &BigUint) -> f64 {
    number.to_string().parse().unwrap_or(f64::INFINITY)
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn distinct<'a>(trials: impl Iterator<Item = &'a Trial>) -> usize {
    trials.map(|trial| &trial.candidate).collect::<HashSet<_>>().len()
}

/// A count with its digits in groups of three; beyond thirty digits the first ones and the power of ten.
pub fn count_in_words(count: impl std::fmt::Display) -> String {
    let digits = count.to_string();
    if digits.len() > 30 {
        return format!("about {}.{} × 10^{}", &digits[..1], &digits[1..4], digits.len() - 1);
    }
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Form;

    fn trial(parents: &[usize], valid: bool, weakly_valid: bool) -> Trial {
        Trial { candidate: Candidate::from_parents(parents.to_vec()).unwrap(), valid, weakly_valid: Some(weakly_valid) }
    }

    #[test]
    fn the_metrics_of_a_small_case() {
        let trials = [
            trial(&[0, 0, 0], false, true),
            trial(&[0, 0, 1], true, true),
            trial(&[0, 0, 1], true, true),
            trial(&[0, 2, 1], false, false),
        ];
        assert_eq!(accuracy(&trials), 0.0);
        assert_eq!(valid(&trials), 0.5);
        assert_eq!(weakly_valid(&trials), Some(0.75));
        assert_eq!(unique(&trials), 0.75);
        assert_eq!(unique_and_valid(&trials), 0.25);
        assert_eq!(distinct_among_valid(&trials), Some(0.5));
        assert_eq!(distinct_among_valid(&trials[..1]), None);
        assert_eq!(weak_accuracy(&trials), Some(1.0));
        assert_eq!(coverage(&trials, &BigUint::from(2u32)), 0.5);
        // Pairs share 1, 1, 0, 2, 1, 1 of two edges.
        assert_eq!(edge_reuse(&trials), Some(6.0 / 2.0 / 6.0));
        assert_eq!(edge_reuse(&trials[..1]), None);
        assert_eq!(node_accuracy(&trials[0].candidate, &trials[1].candidate), 2.0 / 3.0);
    }

    #[test]
    fn the_mean_of_equal_shares_is_that_share() {
        assert_eq!(mean(vec![0.2; 32]), Some(0.2));
        assert_eq!(mean([]), None);
    }

    #[test]
    fn kl_is_zero_for_equals_and_large_for_the_impossible() {
        let p = Marginals::from_weights(Form::Parents, 2, vec![1.0, 0.0, 0.5, 0.5]).unwrap();
        let q = Marginals::from_weights(Form::Parents, 2, vec![0.0, 1.0, 0.5, 0.5]).unwrap();
        assert!(kl_divergence(&p, &p).abs() < 1e-7);
        assert!((kl_divergence(&p, &q) - 1e8f64.ln() / 2.0).abs() < 1e-6);
    }

    #[test]
    fn the_distance_of_marginals_runs_from_equal_to_nothing_in_common() {
        let p = Marginals::from_weights(Form::Items, 2, vec![1.0, 0.0, 0.5, 0.5]).unwrap();
        let q = Marginals::from_weights(Form::Items, 2, vec![0.0, 1.0, 0.25, 0.75]).unwrap();
        assert_eq!(total_variation(&p, &p), 0.0);
        assert_eq!(total_variation(&p, &q), (1.0 + 0.25) / 2.0);
    }

    #[test]
    fn large_numbers_are_readable() {
        let words = |digits: &str| count_in_words(digits);
        assert_eq!(words("7"), "7");
        assert_eq!(words("58212"), "58,212");
        assert_eq!(words(&format!("1234{}", "0".repeat(30))), "about 1.234 × 10^33");
    }
}
