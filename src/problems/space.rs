//! The right answers of an instance: which they are, how many, draws of them, and why such a figure may not be had.

use super::Prepared;
use super::demands::{Allowed, Possible};
use super::ties::{EveryTie, OneOrder};
use super::tolerance::{Gap, Tolerance};
use super::verify::Violation;
use crate::answers::{Candidate, Form, Marginals};
use crate::cancel;
use crate::neural::executor::Priorities;
use crate::random::Rng;
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The right answers of one instance: which they are, how many, and draws of them.
pub trait Space: Sync {
    /// Accepts a candidate exactly when it is right.
    fn verify(&self, candidate: &Candidate) -> Result<(), Violation>;

    /// Whether an answer can be nearly as good as the best; the error says why "nearly" has no meaning for this problem, or on this instance.
    fn takes_tolerance(&self) -> Result<(), Intractable> {
        Err(Intractable("its answers are right or wrong, and nothing is nearly right".to_owned()))
    }

    /// Accepts a candidate exactly when it is worse than the best by no more than the tolerance, and says by how much, where it is worst.
    /// The outer error is that of [`Space::takes_tolerance`].
    fn verify_within(
        &self,
        _candidate: &Candidate,
        _tolerance: Tolerance,
    ) -> Result<Result<Gap, Violation>, Intractable> {
        self.takes_tolerance().map(|()| unreachable!("who takes a tolerance verifies with it"))
    }

    /// A candidate that is best when weights are raised at random by up to the tolerance ([`super::tolerance::Raising`]).
    fn draw_within(&self, _tolerance: Tolerance, _rng: &mut Rng) -> Result<Candidate, Intractable> {
        self.takes_tolerance().map(|()| unreachable!("who takes a tolerance draws with it"))
    }

    /// Candidates that differ by one exchange from an answer within the tolerance, those that may be within it, too.
    ///
    /// From any right answer such steps lead to every answer within the tolerance, and never out of it: each of them can be made better
    /// exchange by exchange, until it is any right answer one likes.
    fn exchanges<'s>(
        &'s self,
        _candidate: &'s Candidate,
        _tolerance: Tolerance,
    ) -> Box<dyn Iterator<Item = Candidate> + 's> {
        Box::new(std::iter::empty())
    }

    /// The items of a best answer if item i weighed `weights[i]`, whatever the instance says: who learns weights from observed answers asks for it again
    /// and again.
    fn heaviest(&self, _weights: &[f64]) -> Result<Vec<usize>, Intractable> {
        Err(Intractable("its answers have no weight that could be learnt".to_owned()))
    }

    /// The weaker check behind the "valid" columns of the paper, where it had one: it accepts every solution and more.
    fn verify_weakly(&self, _candidate: &Candidate) -> Option<Result<(), Violation>> {
        None
    }

    /// The number of solutions. `effort` bounds the states that may be remembered where counting is hard;
    /// [`COUNT_EFFORT`] is what a patient person allows.
    fn count(&self, effort: usize) -> Result<BigUint, Intractable> {
        Ok(self.within(&Allowed::default(), effort)?.count().clone())
    }

    /// All solutions, each once, in an order fixed by the instance. Memory does not grow with their number.
    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Candidate> + '_>, Intractable> {
        Err(Intractable("there is no way to list its solutions".to_owned()))
    }

    /// Which options of which slots occur in some allowed solution.
    fn possible(&self, _allowed: &Allowed) -> Result<Possible, Intractable> {
        Err(Intractable("which choices are possible is not known".to_owned()))
    }

    /// The solutions all of whose choices are allowed: their exact number, and uniform draws. `effort` as for a count.
    fn within(&self, _allowed: &Allowed, _effort: usize) -> Result<Box<dyn SolutionSet + '_>, Intractable> {
        Err(Intractable("there is no way to count its solutions".to_owned()))
    }

    /// True when it is proved, without counting, that no solution is allowed. False says nothing.
    fn refutes(&self, _allowed: &Allowed) -> bool {
        false
    }

    /// True when [`Space::within`] takes demands for an edge in either direction ([`Allowed::require_either`]); otherwise whoever
    /// asks has to ask for each direction.
    fn counts_either(&self) -> bool {
        false
    }

    /// Random priorities of a run (`Steps::solve_by`, or an executor's) that is likely to have allowed choices; `possible` are
    /// the possible ones without demands. Where one choice is required or forbidden, and a solution has it so, some draw
    /// finds one. `None` when there are no priorities.
    fn steer(&self, _possible: &Possible, _allowed: &Allowed, _rng: &mut Rng) -> Option<Priorities> {
        None
    }

    /// A random solution all of whose choices are allowed, not each equally likely, where that takes no count; `None` where there is none or no
    /// way is known.
    fn find(&self, _allowed: &Allowed, _rng: &mut Rng) -> Option<Candidate> {
        None
    }

    /// Why nothing better than its solutions exists, where that can be shown by a few vertices.
    fn optimality(&self) -> Option<Optimality> {
        None
    }

    /// For each vertex whether it is on the left, where all edges join two sides and answers are best seen that way.
    fn sides(&self) -> Option<&[bool]> {
        None
    }

    /// A number that the solutions are not fewer than, given one of them, where they are too many to be counted.
    fn at_least(&self, _solution: &Candidate) -> BigUint {
        BigUint::from(1u32)
    }
}

/// The proof that solutions are the best there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Optimality {
    /// What the vertices prove, in words.
    pub statement: String,
    /// The vertices.
    pub vertices: Vec<usize>,
}

/// All solutions of some kind: how many there are, and draws of them.
pub trait SolutionSet {
    /// Their number.
    fn count(&self) -> &BigUint;

    /// One of them, each equally likely; `None` when there is none.
    fn draw(&mut self, rng: &mut Rng) -> Result<Option<Candidate>, Intractable>;
}

/// Why an exact figure is not to be had.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Intractable(pub String);

/// States that an exact count may look at: mostly some hundred megabytes, and a minute at the most.
pub const COUNT_EFFORT: usize = 6_000_000;

/// The most probabilities that are written out: two gigabytes of them.
const MAX_PROBABILITIES: usize = 16_384 * 16_384;

/// Refuses marginals that would not fit the memory, before anything is allocated for them.
pub(crate) fn check_marginals_size(form: Form, slots: usize) -> Result<(), Intractable> {
    let options = form.options(slots);
    if slots.checked_mul(options).is_some_and(|values| values <= MAX_PROBABILITIES) {
        return Ok(());
    }
    let reason = format!(
        "{slots} rows of {options} probabilities are more than {MAX_PROBABILITIES} (for parents that is n = 16384)"
    );
    Err(Intractable(reason))
}

/// 8! = 40,320 orders take a moment, 9! take ten of them.
const MAX_ORDERED: usize = 8;

/// The law of runs with one order each, where nothing better is known: all n! orders are gone through, for small n.
pub(crate) fn over_all_orders(prepared: &dyn Prepared, first: Option<usize>) -> Result<Marginals, Intractable> {
    let n = prepared.instance().n();
    if n > MAX_ORDERED {
        return Err(Intractable(format!(
            "with one order for a run, all n! orders have to be tried, which stops at n = {MAX_ORDERED} (here {n}); \
             with free choices there is a faster way"
        )));
    }
    let mut ties = EveryTie::default();
    let mut shares: Option<(Form, usize, Vec<f64>)> = None;
    while ties.next_run() {
        cancel::point();
        let run = prepared.run(&mut OneOrder::draw(n, first, &mut ties));
        let options = run.form().options(run.slots());
        let empty = || (run.form(), run.slots(), vec![0.0; run.slots() * options]);
        let (.., shares) = shares.get_or_insert_with(empty);
        for (slot, &choice) in run.choices().iter().enumerate() {
            shares[slot * options + choice as usize] += ties.probability();
        }
    }
    let (form, slots, shares) = shares.expect("there is at least one order");
    Ok(Marginals::from_weights(form, slots, shares).expect("probabilities are not negative"))
}
