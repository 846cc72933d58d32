//! Where candidates come from: extractors on marginals, an executor, the algorithm's own runs, uniform draws.
//!
//! All of them turn an instance and a random stream into candidates ([`Drawer`]), and each candidate knows its [`Origin`].

use crate::answers::{Candidate, Marginals};
use crate::instance::Instance;
use crate::neural::executor::{Executor, Pairs, Priorities};
use crate::problems::extract::Extractor;
use crate::problems::ties::{TiePolicy, with_random_ties};
use crate::problems::{Algorithm, Intractable, Prepared, SolutionSet, check_marginals_size};
use crate::random::Rng;
use std::fmt;

/// Whose marginals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarginalsOf {
    /// Those of repeated runs.
    Empirical,
    /// Those of infinitely many runs.
    Exact,
    /// A network's.
    Predicted,
    /// Nobody's: every option of a slot is as likely as the others.
    UniformRows,
    /// Somebody's own.
    Given,
}

impl MarginalsOf {
    /// The name used in rows and files.
    pub fn name(self) -> &'static str {
        match self {
            MarginalsOf::Empirical => "empirical",
            MarginalsOf::Exact => "exact",
            MarginalsOf::Predicted => "predicted",
            MarginalsOf::UniformRows => "uniform rows",
            MarginalsOf::Given => "given",
        }
    }
}

/// Whoever gives marginals for an instance: repeated runs, the exact computation, a network.
pub trait Predictor: Sync {
    /// Whose marginals they are.
    fn of(&self) -> MarginalsOf;

    /// The marginals, or why there are none.
    fn predict(
        &self,
        algorithm: &dyn Algorithm,
        prepared: &dyn Prepared,
        rng: &mut Rng,
    ) -> Result<Marginals, Intractable>;
}

/// Marginals that know nothing: what an extractor makes of them is its own doing, and the rest is what a model adds.
#[derive(Clone, Copy, Debug)]
pub struct UniformRows;

impl Predictor for UniformRows {
    fn of(&self) -> MarginalsOf {
        MarginalsOf::UniformRows
    }

    fn predict(
        &self,
        algorithm: &dyn Algorithm,
        prepared: &dyn Prepared,
        _: &mut Rng,
    ) -> Result<Marginals, Intractable> {
        let form = algorithm.problem().form;
        let slots = prepared.instance().slots(form);
        check_marginals_size(form, slots)?;
        // Rows of zeros say nothing, so all options become equally likely.
        let nothing = vec![0.0; slots * form.options(slots)];
        Ok(Marginals::from_weights(form, slots, nothing).expect("zeros are not negative"))
    }
}

/// Where a candidate came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Drawn from marginals.
    Extracted {
        /// Whose marginals.
        from: MarginalsOf,
        /// The extractor's name.
        extractor: &'static str,
    },
    /// Executed by a learnt executor.
    Executor,
    /// A randomised run of the algorithm.
    Run,
    /// Drawn uniformly from all solutions.
    UniformDraw,
    /// Listed.
    Enumeration,
    /// The best for weights that were raised at random, within a tolerance.
    RaisedWeights,
    /// An exchange away from another answer within a tolerance.
    Exchange,
}

impl Origin {
    /// What stands in the columns `distribution` and `extractor` of a row.
    pub fn columns(self) -> (&'static str, &'static str) {
        match self {
            Origin::Extracted { from, extractor } => (from.name(), extractor),
            Origin::Executor => ("executor", "priorities"),
            Origin::Run => ("algorithm", "runs"),
            Origin::UniformDraw => ("all solutions", "uniform"),
            Origin::Enumeration => ("all solutions", "enumeration"),
            Origin::RaisedWeights => ("raised weights", "best"),
            Origin::Exchange => ("all answers within a tolerance", "exchange"),
        }
    }

    /// The name of the random stream from which an evaluation draws.
    pub fn stream(self) -> String {
        match self {
            Origin::Run => "own runs".to_owned(),
            _ => format!("draws {}", self.columns().1),
        }
    }
}

/// As a person reads it: `network, beam`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Extracted { from: MarginalsOf::Predicted, extractor } => write!(f, "network, {extractor}"),
            Origin::Extracted { from, extractor } => write!(f, "{} marginals, {extractor}", from.name()),
            Origin::Executor => f.write_str("executor"),
            Origin::Run => f.write_str("randomised run"),
            Origin::UniformDraw => f.write_str("uniform draw"),
            Origin::Enumeration => f.write_str("enumeration"),
            Origin::RaisedWeights => f.write_str("best for weights raised at random"),
            Origin::Exchange => f.write_str("one exchange from another answer"),
        }
    }
}

/// Whoever draws candidates for one instance.
pub trait Drawer {
    /// Where its candidates come from.
    fn origin(&self) -> Origin;

    /// One candidate; it promises nothing.
    fn draw(&mut self, rng: &mut Rng) -> Result<Candidate, Intractable>;
}

/// An extractor on marginals.
pub struct Extraction<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// What is drawn from.
    pub marginals: &'a Marginals,
    /// Whose marginals they are.
    pub from: MarginalsOf,
    /// Who draws.
    pub extractor: &'a dyn Extractor,
}

impl Drawer for Extraction<'_> {
    fn origin(&self) -> Origin {
        Origin::Extracted { from: self.from, extractor: self.extractor.name() }
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Candidate, Intractable> {
        Ok(self.extractor.extract(self.instance, self.marginals, rng))
    }
}

/// Priorities that a draw is steered by, if any.
pub type Steering<'a> = Box<dyn Fn(&mut Rng) -> Option<Priorities> + 'a>;

/// An executor, with priorities of its own for each draw.
pub struct Execution<'a> {
    executor: &'a Executor,
    instance: &'a Instance,
    pairs: Pairs,
    steering: Steering<'a>,
}

impl<'a> Execution<'a> {
    /// Draws on one instance.
    pub fn new(executor: &'a Executor, instance: &'a Instance) -> Self {
        Execution { executor, instance, pairs: Pairs::new(instance), steering: Box::new(|_| None) }
    }

    /// The same with priorities that somebody else chooses.
    pub fn steered(self, steering: Steering<'a>) -> Self {
        Execution { steering, ..self }
    }
}

impl Drawer for Execution<'_> {
    fn origin(&self) -> Origin {
        Origin::Executor
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Candidate, Intractable> {
        let execution = match (self.steering)(rng) {
            Some(priorities) => self.executor.execute(self.instance, &self.pairs, &priorities, rng.next_u64()),
            None => self.executor.draw_on(self.instance, &self.pairs, rng),
        };
        Ok(execution.parents)
    }
}

/// The algorithm's own runs.
pub struct Runs<'a> {
    /// The instance.
    pub prepared: &'a dyn Prepared,
    /// How the ties of a run hang together.
    pub policy: TiePolicy,
    /// The vertex that stands first in every order.
    pub first: Option<usize>,
}

impl Drawer for Runs<'_> {
    fn origin(&self) -> Origin {
        Origin::Run
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Candidate, Intractable> {
        let n = self.prepared.instance().n();
        Ok(with_random_ties(self.policy, n, self.first, rng, |ties| self.prepared.run(ties)))
    }
}

/// Uniform draws from counted solutions.
pub struct UniformDraws<'a>(pub Box<dyn SolutionSet + 'a>);

impl Drawer for UniformDraws<'_> {
    fn origin(&self) -> Origin {
        Origin::UniformDraw
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<Candidate, Intractable> {
        self.0.draw(rng)?.ok_or_else(|| Intractable("there is no solution to draw".to_owned()))
    }
}
