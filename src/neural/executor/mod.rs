//! The executor: a learnt algorithm that is *given* its ties, and is valid at any size.
//!
//! A parent distribution keeps marginals only, and marginals cannot carry a depth-first forest. So the randomness comes
//! in at the front: each vertex (or edge) draws a priority, and the model executes, step by step and from discrete
//! states, the algorithm whose ties those priorities decide. Another draw is another solution.
//!
//! Built in: the alphabet of states, one selection a step ([`Frame`]), and that scalars decide only between pairs of
//! equal level. Learnt from recorded runs ([`Steps`]) on at most 16 vertices: which pair is selected and by which
//! scalars, how states, pointers and registers change. All of it are maps over finite domains ([`Tables`]), so what is
//! learnt can be checked without exception ([`Certificate`]).
//!
//! ```
//! use tiebreak::problems::Algorithm;
//! use tiebreak::problems::forests::dfs;
//! use tiebreak::neural::executor::Executor;
//! use tiebreak::instance::GraphSettings;
//! use tiebreak::random::Rng;
//!
//! let executor = Executor::built_in(&dfs::ORDERED).expect("there is a trained one");
//! println!("{}", executor.certificate()); // valid for every graph
//! let mut rng = Rng::stream(0, "example", 0);
//! let instance = dfs::ORDERED.instance(&GraphSettings { n: 64, ..GraphSettings::default() }, &mut rng);
//! let drawn = executor.draw(&instance, &mut rng);
//! assert_eq!(dfs::ORDERED.prepare(&instance).unwrap().space().verify(&drawn.parents), Ok(()));
//! ```

mod certificate;
mod dense;
mod examples;
mod file;
mod frame;
mod hints;
mod loss;
mod mlp;
mod network;
mod pairs;
mod resume;
mod run;
mod settings;
mod soft;
mod tables;
mod train;
mod unsupervised;

pub use certificate::{Certificate, Check};
pub use file::{ExecutorCard, ExecutorError};
pub use frame::{Frame, PairClass, PairScalar, Part, PriorityOf, Relation, Selection, Status};
pub use hints::{NotCovered, Priorities, Snapshot, Steps, Trajectory};
pub use pairs::Pairs;
pub use resume::ExecutorRun;
pub use settings::ExecutorSettings;
pub use soft::Softly;
pub use tables::{Choice, PairScore, Tables};
pub use train::ExecutorLogLine;

use crate::answers::Candidate;
use crate::instance::Instance;
use crate::neural::nn::Params;
use crate::random::Rng;
use network::ExecutorNetwork;

/// A trained executor of one algorithm.
pub struct Executor {
    steps: &'static dyn Steps,
    network: ExecutorNetwork,
    params: Params<f32>,
    settings: ExecutorSettings,
    log: Vec<ExecutorLogLine>,
    tables: Tables,
}

/// What one execution gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// The candidate.
    pub parents: Candidate,
    /// The steps it took.
    pub steps: usize,
    /// How it ended.
    pub ending: Ending,
}

/// How an execution ended. Only a model that was learnt wrongly ends other than settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A step changed nothing, so no later one would.
    Settled,
    /// It took as many steps as a right execution takes at the most, and was not settled.
    OutOfSteps,
    /// A vertex was left with several parents; the candidate has the first of them.
    SeveralParents,
}

impl Executor {
    /// Learns an algorithm from its recorded runs; `observe` sees the log grow.
    pub fn train(
        steps: &'static dyn Steps,
        settings: &ExecutorSettings,
        observe: &mut dyn FnMut(&ExecutorLogLine),
    ) -> Self {
        let network = ExecutorNetwork::new(steps.frame(), settings.hidden);
        let mut log = vec![];
        let mut keep = |line: &ExecutorLogLine| {
            log.push(line.clone());
            observe(line);
        };
        let params = train::train(steps, &network, settings, &mut keep);
        Executor::new(steps, network, params, settings.clone(), log)
    }

    fn new(
        steps: &'static dyn Steps,
        network: ExecutorNetwork,
        params: Params<f32>,
        settings: ExecutorSettings,
        log: Vec<ExecutorLogLine>,
    ) -> Self {
        let tables = network.tables(&params);
        Executor { steps, network, params, settings, log, tables }
    }

    /// The algorithm as the executor sees it.
    pub fn steps(&self) -> &'static dyn Steps {
        self.steps
    }

    /// The settings it was trained with.
    pub fn settings(&self) -> &ExecutorSettings {
        &self.settings
    }

    /// The log of its training.
    pub fn log(&self) -> &[ExecutorLogLine] {
        &self.log
    }

    /// The number of learnt numbers.
    pub fn parameters(&self) -> usize {
        self.params.layout().size()
    }

    /// The learnt maps.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The same executor with other maps, to see what depends on an entry.
    pub fn with_tables(mut self, tables: Tables) -> Self {
        self.tables = tables;
        self
    }

    /// What the learnt maps promise for every graph.
    pub fn certificate(&self) -> Certificate {
        self.steps.certify(&self.tables)
    }

    /// Refuses an instance that the certificate says nothing about, with the reason.
    pub fn accepts(&self, instance: &Instance) -> Result<(), NotCovered> {
        self.steps.accepts(instance)
    }

    /// Draws priorities and executes. The instance has passed the algorithm's check; the certificate's promise holds
    /// where [`Executor::accepts`] does not refuse it.
    pub fn draw(&self, instance: &Instance, rng: &mut Rng) -> Execution {
        self.draw_on(instance, &Pairs::new(instance), rng)
    }

    /// As [`Executor::draw`], for several draws on one instance.
    pub fn draw_on(&self, instance: &Instance, pairs: &Pairs, rng: &mut Rng) -> Execution {
        let priorities = Priorities::draw(self.steps.frame(), instance, rng);
        self.execute(instance, pairs, &priorities, rng.next_u64())
    }

    /// Executes with given priorities; `seed` decides between equal scores.
    pub fn execute(&self, instance: &Instance, pairs: &Pairs, priorities: &Priorities, seed: u64) -> Execution {
        run::run(&self.tables, pairs, self.steps.start(instance), priorities, seed)
    }

    /// As [`Executor::execute`], every step looking at every pair, with all that happened. O(n²) memory a step.
    pub fn trace(&self, instance: &Instance, priorities: &Priorities, seed: u64) -> (Trajectory, Execution) {
        dense::trace(&self.tables, instance, self.steps.start(instance), priorities, seed)
    }
}

impl std::fmt::Debug for Executor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Executor")
            .field("algorithm", &self.steps.algorithm())
            .field("settings", &self.settings)
            .finish()
    }
}
