//! From recorded runs to examples: groups of pairs with the one that was selected, and counts of transitions.
//!
//! Transitions are maps over finite domains, so all that training needs of them is how often each entry was seen with
//! each result. Scalars enter by their rank within the group alone, which is all that selection uses of them.

use super::dense::{Matrices, part, statuses};
use super::frame::{Frame, Selection};
use super::hints::{Priorities, Snapshot, Steps, Trajectory};
use super::settings::ExecutorSettings;
use super::tables::Tables;
use crate::cancel;
use crate::instance::{GraphSettings, Instance};
use crate::random::Rng;

/// A recorded run with its instance.
pub(super) struct Recorded {
    pub instance: Instance,
    pub priorities: Priorities,
    pub run: Trajectory,
}

/// The runs to learn from: sizes in turn, each graph with a density and priorities of its own.
pub(super) fn record(steps: &dyn Steps, settings: &ExecutorSettings) -> Vec<Recorded> {
    let recorded = |index: usize| {
        cancel::point();
        let mut rng = Rng::stream(settings.seed, &format!("hints {}", steps.algorithm()), index as u64);
        let n = settings.sizes[index % settings.sizes.len()];
        let p = settings.p[rng.below(settings.p.len())];
        let instance = steps.training_instance(&GraphSettings { n, p, ..GraphSettings::default() }, &mut rng);
        let priorities = Priorities::draw(steps.frame(), &instance, &mut rng);
        let run = steps.record(&instance, &priorities);
        Recorded { instance, priorities, run }
    };
    (0..settings.graphs).map(recorded).collect()
}

/// The pairs that one selection chooses from, and what it chose.
pub(super) struct Group {
    /// The class of each pair.
    pub classes: Vec<u16>,
    /// For each pair the rank of each scalar, from the smallest, among the pairs that compete; equal values have equal
    /// ranks.
    pub ranks: Vec<u16>,
    /// The number of ranks of each scalar.
    pub distinct: Vec<u16>,
    /// The place of the selected pair; `None` when none was.
    pub target: Option<usize>,
}

/// What a run's registers were: sender's, weight, receiver's, and the receiver's next.
pub(super) type RegisterExample = ([f32; 3], f32);

/// Everything to learn from but the registers.
pub(super) struct Examples {
    pub groups: Vec<Group>,
    /// How often each node input was followed by each state.
    pub states: Vec<f32>,
    /// How often each pointer input was followed by 0 and by 1.
    pub pointers: Vec<[f32; 2]>,
    /// Pair classes that occur in groups.
    pub seen: Vec<bool>,
    /// Those of them that are never selected.
    pub unused: Vec<bool>,
    /// The groups by the class that was selected from them; those from which none was stand last.
    pub by_target: Vec<Vec<usize>>,
}

/// All renewals of registers.
pub(super) fn register_examples(frame: &Frame, recorded: &[Recorded]) -> Vec<RegisterExample> {
    let mut examples = vec![];
    for Recorded { instance, priorities, run } in recorded {
        cancel::point();
        let matrices = Matrices::new(instance, priorities, frame.priorities);
        for (step, selected) in run.selected.iter().enumerate() {
            let (now, after) = (&run.snapshots[step], &run.snapshots[step + 1]);
            for &(sender, receiver) in selected {
                let weight = matrices.weight(sender * matrices.n + receiver);
                let inputs = [now.registers[sender], weight, now.registers[receiver]].map(|value| value as f32);
                examples.push((inputs, after.registers[receiver] as f32));
            }
        }
    }
    examples
}

impl Examples {
    /// `tables` need only have the map of registers, for the scalar "proposal".
    pub fn new(recorded: &[Recorded], tables: &Tables, hide_priorities: bool) -> Self {
        let frame = tables.frame;
        let mut examples = Examples {
            groups: vec![],
            states: vec![0.0; frame.node_inputs() * frame.states.len()],
            pointers: vec![[0.0; 2]; frame.pointer_inputs()],
            seen: vec![false; frame.pair_classes()],
            unused: vec![],
            by_target: vec![vec![]; frame.pair_classes() + 1],
        };
        let competes = competing(frame, ever_selected(frame, recorded).into_iter());
        for Recorded { instance, priorities, run } in recorded {
            let shown = if hide_priorities { hidden(priorities) } else { priorities.clone() };
            let matrices = Matrices::new(instance, &shown, frame.priorities);
            let groups = matrices.groups(frame.selection);
            for (step, selected) in run.selected.iter().enumerate() {
                cancel::point();
                let (now, after) = (&run.snapshots[step], &run.snapshots[step + 1]);
                examples.count(tables, &matrices, now, after, selected);
                for group in &groups {
                    examples.groups.push(Group::new(tables, &matrices, now, (group, selected), &competes));
                }
            }
        }
        for (index, group) in examples.groups.iter().enumerate() {
            group.classes.iter().for_each(|&class| examples.seen[usize::from(class)] = true);
            let target = group.target.map_or(frame.pair_classes(), |place| usize::from(group.classes[place]));
            examples.by_target[target].push(index);
        }
        let unused = |class: usize| examples.seen[class] && examples.by_target[class].is_empty();
        examples.unused = (0..frame.pair_classes()).map(unused).collect();
        examples.by_target.retain(|groups| !groups.is_empty());
        examples
    }

    fn count(
        &mut self,
        tables: &Tables,
        matrices: &Matrices,
        now: &Snapshot,
        after: &Snapshot,
        selected: &[(usize, usize)],
    ) {
        let frame = tables.frame;
        for vertex in 0..matrices.n {
            let input = frame.node_index(now.states[vertex], part(frame, now, selected, vertex));
            self.states[input * frame.states.len() + usize::from(after.states[vertex])] += 1.0;
        }
        for (pair, &status) in statuses(matrices.n, selected).iter().enumerate() {
            if let Some(class) = matrices.class(now, pair) {
                let input = frame.pointer_index(frame.pair_index(class), status);
                self.pointers[input][usize::from(after.pointers[pair])] += 1.0;
            }
        }
    }
}

/// The classes whose pairs count for the ranks, given those that can be selected. In a whole graph most pairs cannot;
/// ranks among all of them would make the steps between those that can too small to learn from.
pub(super) fn competing(frame: &Frame, selectable: impl Iterator<Item = bool>) -> Vec<bool> {
    let whole_graph = frame.selection == Selection::OnePair;
    selectable.map(|selectable| selectable || !whole_graph).collect()
}

/// The classes of which some pair is selected at some time.
fn ever_selected(frame: &Frame, recorded: &[Recorded]) -> Vec<bool> {
    let mut selected = vec![false; frame.pair_classes()];
    for Recorded { instance, priorities, run } in recorded {
        cancel::point();
        let matrices = Matrices::new(instance, priorities, frame.priorities);
        for (now, pairs) in run.snapshots.iter().zip(&run.selected) {
            for &(sender, receiver) in pairs {
                let class = matrices.class(now, sender * matrices.n + receiver).expect("selected pairs are joined");
                selected[frame.pair_index(class)] = true;
            }
        }
    }
    selected
}

/// Priorities that say nothing.
pub(super) fn hidden(priorities: &Priorities) -> Priorities {
    Priorities(vec![0; priorities.0.len()])
}

impl Group {
    /// `competes` says of each class whether its pairs count for the ranks.
    pub fn new(
        tables: &Tables,
        matrices: &Matrices,
        now: &Snapshot,
        (pairs, selected): (&[usize], &[(usize, usize)]),
        competes: &[bool],
    ) -> Self {
        let frame = tables.frame;
        let class = |&pair: &usize| {
            let class = matrices.class(now, pair).expect("groups hold joined pairs");
            frame.pair_index(class) as u16
        };
        let classes: Vec<u16> = pairs.iter().map(class).collect();
        let mut ranks = vec![0; pairs.len() * frame.scalars.len()];
        let mut distinct = vec![];
        for (place, &scalar) in frame.scalars.iter().enumerate() {
            let values: Vec<i128> = pairs.iter().map(|&pair| matrices.scalar(scalar, tables, now, pair)).collect();
            let competing = values.iter().zip(&classes).filter(|(_, class)| competes[usize::from(**class)]);
            let mut sorted: Vec<i128> = competing.map(|(&value, _)| value).collect();
            sorted.sort_unstable();
            sorted.dedup();
            let last = sorted.len().saturating_sub(1);
            for (pair, value) in values.iter().enumerate() {
                ranks[pair * frame.scalars.len() + place] =
                    sorted.partition_point(|other| other < value).min(last) as u16;
            }
            distinct.push(sorted.len().max(1) as u16);
        }
        let is_selected = |pair: &usize| selected.contains(&(pair / matrices.n, pair % matrices.n));
        Group { classes, ranks, distinct, target: pairs.iter().position(is_selected) }
    }
}
