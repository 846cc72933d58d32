//! A third algorithm, known to this file alone, is learnt and executed by the same code: breadth-first search.
//!
//! Each round, a vertex that is not reached and has an in-neighbour that is takes the one whose edge has the smallest
//! priority, and keeps it. Unlike shortest paths it has no registers, and a pointer stays when nothing is selected.

use tiebreak::answers::Candidate;
use tiebreak::instance::{GraphSettings, Instance, random_directed};
use tiebreak::neural::executor::{
    Certificate, Executor, ExecutorSettings, Frame, PairScalar, Pairs, Priorities, PriorityOf, Selection, Snapshot,
    Steps, Tables, Trajectory,
};
use tiebreak::random::Rng;

struct BreadthFirst;

static FRAME: Frame = Frame {
    states: &["unreached", "reached"],
    selection: Selection::SenderForEachReceiver,
    priorities: PriorityOf::Edges,
    scalars: &[PairScalar::SenderPosition, PairScalar::EdgePriority, PairScalar::ReceiverPosition],
    register: false,
    steps: |n| n + 1,
};

impl Steps for BreadthFirst {
    fn algorithm(&self) -> &'static str {
        "breadth-first"
    }

    fn frame(&self) -> &'static Frame {
        &FRAME
    }

    fn training_instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let source = rng.below(settings.n);
        Instance::with_source(random_directed(settings, rng), source)
    }

    fn start(&self, instance: &Instance) -> Vec<u8> {
        (0..instance.n()).map(|vertex| u8::from(Some(vertex) == instance.source)).collect()
    }

    fn record(&self, instance: &Instance, priorities: &Priorities) -> Trajectory {
        let mut run = Trajectory::start(self.start(instance));
        loop {
            let (selected, after) = round(instance, priorities, run.last());
            if !run.push(selected, after) {
                return run;
            }
        }
    }

    fn solve_by(&self, instance: &Instance, priorities: &Priorities) -> Candidate {
        self.record(instance, priorities).last().parents().0
    }

    fn certify(&self, _tables: &Tables) -> Certificate {
        Certificate::default()
    }
}

fn round(instance: &Instance, priorities: &Priorities, now: &Snapshot) -> (Vec<(usize, usize)>, Snapshot) {
    let n = instance.n();
    let mut best = vec![None; n];
    for ((tail, head), &priority) in instance.graph.arcs().zip(&priorities.0) {
        if now.states[tail] == 1 && now.states[head] == 0 && best[head].is_none_or(|known| (priority, tail) < known) {
            best[head] = Some((priority, tail));
        }
    }
    let mut after = now.clone();
    let mut selected = vec![];
    for (head, (_, tail)) in best.into_iter().enumerate().filter_map(|(head, best)| Some((head, best?))) {
        selected.push((tail, head));
        after.states[head] = 1;
        after.pointers[tail * n + head] = true;
    }
    (selected, after)
}

#[test]
fn an_algorithm_that_the_model_has_never_heard_of_is_learnt() {
    let settings = ExecutorSettings { graphs: 400, steps: 2_000, ..ExecutorSettings::of("breadth-first", 0) };
    let executor = Executor::train(&BreadthFirst, &settings, &mut |_| ());
    for (index, (n, p)) in [(5, 0.5), (40, 0.05), (40, 0.5), (100, 0.02)].into_iter().enumerate() {
        let mut rng = Rng::stream(0, "third", index as u64);
        for _ in 0..10 {
            let graph = GraphSettings { n, p, ..GraphSettings::default() };
            let instance = BreadthFirst.training_instance(&graph, &mut rng);
            let priorities = Priorities::draw(&FRAME, &instance, &mut rng);
            let drawn = executor.execute(&instance, &Pairs::new(&instance), &priorities, rng.next_u64());
            assert_eq!(drawn.parents, BreadthFirst.solve_by(&instance, &priorities), "n = {n}, p = {p}");
        }
    }
}
