//! Greedy scheduling of unit-time tasks: by descending weight, each task that can still be done in time with those taken before.
//!
//! Equal weights are ties. With one order for a run and with free choices alike, each class of equal weights comes in a uniformly random order, so
//! both have the same law, and both reach every best set; not all are equally likely.
//!
//! The best set, as CLRS' book has it. dm-clrs' `task_scheduling` is another rule: it takes a task only while the number of tasks taken is below
//! its deadline, which loses a fifth to a quarter of the weight at 16 and 64 tasks. The network reads and answers what dm-clrs' does.

use super::{BEST_EARLY_SETS, TASK, Tasks, law};
use crate::answers::{Candidate, Form, Marginals};
use crate::instance::{Decimal, GraphSettings, Instance, Items};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Intractable, Missing, Needs, NetworkSpec, Prepared, Problem, Space, View,
    check_marginals_size, over_all_orders,
};
use crate::random::Rng;

/// Greedy scheduling.
#[derive(Clone, Copy, Debug)]
pub struct TaskScheduling;

impl Algorithm for TaskScheduling {
    fn name(&self) -> &'static str {
        "task-scheduling"
    }

    fn clrs_name(&self) -> Option<&'static str> {
        Some("task_scheduling")
    }

    fn problem(&self) -> &'static Problem {
        &BEST_EARLY_SETS
    }

    fn needs(&self) -> Needs {
        Needs::ANY_GRAPH
    }

    /// As in CLRS, deadlines uniform from 1 to the number of tasks; but with few weights, so that there are ties.
    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let task = |_| (Decimal::whole(1 + rng.below(settings.n) as i64), settings.preset.weight(rng));
        let (deadlines, weights) = (0..settings.n).map(task).unzip();
        Instance::of_items(Items::new(&TASK, vec![deadlines, weights]).expect("small numbers"))
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        Ok(Box::new(HeaviestFirst(Tasks::new(self.name(), instance)?)))
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        let spec = Spec::new(&["pos", "d", "w"], &[], &[("selected", OutputKind::NodeFlag)]);
        Ok(NetworkSpec { name: self.name(), spec })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Err(Missing("whether a task can still be done depends on all tasks taken so far, which is no state of its own"))
    }

    fn models(&self) -> BuiltIn {
        BuiltIn { network: Some(include_bytes!("../../../models/network-task-scheduling.safetensors")), executor: None }
    }
}

struct HeaviestFirst<'a>(Tasks<'a>);

impl Prepared for HeaviestFirst<'_> {
    fn instance(&self) -> &Instance {
        self.0.instance()
    }

    fn space(&self) -> &dyn Space {
        &self.0
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        let mut set: Vec<usize> = vec![];
        // Where each task stands in its pool.
        let mut place_of = vec![0u32; self.instance().n()];
        for class in self.0.classes() {
            set.extend(&class.forced);
            if class.pool.size() == 0 {
                continue;
            }
            class.pool.tasks().enumerate().for_each(|(place, task)| place_of[task] = place as u32);
            let mut order: Vec<usize> = class.pool.tasks().collect();
            ties.arrange(&mut order);
            set.extend(class.pool.greedy(order.into_iter().map(|task| place_of[task] as usize)));
        }
        Candidate::from_set(Form::Items, self.instance().n(), set).expect("tasks are numbered")
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        if policy == TiePolicy::OneOrder && first.is_some() {
            return over_all_orders(self, first);
        }
        let n = self.instance().n();
        check_marginals_size(Form::Items, n)?;
        let mut chances = vec![0.0; n];
        for class in self.0.classes() {
            class.forced.iter().for_each(|&task| chances[task] = 1.0);
            if class.pool.size() > 0 {
                class.pool.tasks().zip(law::chances(&class.pool)?).for_each(|(task, chance)| chances[task] = chance);
            }
        }
        let rows = chances.into_iter().flat_map(|chance| [1.0 - chance, chance]).collect();
        Ok(Marginals::from_weights(Form::Items, n, rows).expect("chances are not negative"))
    }

    /// As in dm-clrs: deadlines as they are, a round for each task.
    fn features(&self, view: &View) -> Features {
        let (n, items) = (self.instance().n(), self.instance().items.as_ref().expect("tasks are items"));
        let shown = |column: usize, unit: f64| {
            let unit = 10f64.powi(items.decimals() as i32) * unit;
            items.column(column).iter().map(|&number| (number as f64 / unit) as f32).collect()
        };
        let inputs = vec![view.pos.clone(), shown(0, 1.0), shown(1, view.weight_unit)];
        Features::new(n, inputs, vec![], n).expect("each input has a number for each task")
    }
}
