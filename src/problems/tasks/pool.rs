//! A class of equal weights: tasks that are too late, tasks that every best set has, and a pool of which it takes some.
//!
//! Free units are numbered 1, 2, …, and each task is due by one of them. The greedy rule takes tasks by ascending deadline; whenever k tasks have
//! been taken and the next one is due by k, one is too many. Let k be the last such point. Every largest set fills the units 1 to k with tasks due
//! by k (the pool) and has all tasks that are due later.

use super::slots::Slots;

/// A class of tasks, split.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// No unit is free for them.
    pub late: Vec<usize>,
    /// Every largest set has them.
    pub forced: Vec<usize>,
    /// The others.
    pub pool: Pool,
}

/// Tasks of which every largest set has the same number, any as long as for each t at most t of them are due by t.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// (task, due), ascending by due.
    tasks: Vec<(usize, usize)>,
    size: usize,
}

impl Split {
    /// From pairs (task, due); due by 0 is too late.
    pub fn new(mut tasks: Vec<(usize, usize)>) -> Self {
        tasks.sort_unstable_by_key(|&(task, due)| (due, task));
        let (mut taken, mut full) = (0, 0);
        for &(_, due) in &tasks {
            match taken < due {
                true => taken += 1,
                false => full = due,
            }
        }
        let mut split = Split::default();
        for &(task, due) in &tasks {
            match due {
                0 => split.late.push(task),
                due if due > full => split.forced.push(task),
                due => split.pool.tasks.push((task, due)),
            }
        }
        split.pool.size = full;
        split
    }
}

impl Pool {
    /// How many tasks are taken.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The tasks.
    pub fn tasks(&self) -> impl Iterator<Item = usize> + '_ {
        self.tasks.iter().map(|&(task, _)| task)
    }

    /// How many tasks are due by each point that can be overfull, as (point, tasks due by it and after the point before).
    pub(super) fn groups(&self) -> Vec<(usize, usize)> {
        let mut groups = vec![];
        let (mut met, mut before) = (0, 0);
        for group in self.tasks.chunk_by(|one, other| one.1 == other.1) {
            met += group.len();
            if met > group[0].1 {
                groups.push((group[0].1, met - before));
                before = met;
            }
        }
        groups
    }

    /// The first so many tasks that the given order offers and that stay early together.
    pub fn greedy(&self, order: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut slots = Slots::new(self.size);
        let mut taken = Vec::with_capacity(self.size);
        for place in order {
            if taken.len() == self.size {
                break;
            }
            if slots.take_latest(self.tasks[place].1) {
                taken.push(self.tasks[place].0);
            }
        }
        taken
    }

    /// What is left to choose when some tasks are required and some forbidden; `None` when that cannot be. Required ones count as forced.
    pub(super) fn demanding(&self, required: &[bool], forbidden: &[bool]) -> Option<Split> {
        let mut slots = Slots::new(self.size);
        let mut chosen = vec![];
        for &(task, due) in self.tasks.iter().filter(|&&(task, _)| required[task]) {
            if !slots.take_latest(due) {
                return None;
            }
            chosen.push(task);
        }
        let open = self.tasks.iter().filter(|&&(task, _)| !required[task] && !forbidden[task]);
        let mut split = Split::new(open.map(|&(task, due)| (task, slots.free_up_to(due))).collect());
        split.forced.append(&mut chosen);
        (split.forced.len() + split.pool.size == self.size).then_some(split)
    }

    /// The first largest set, as flags in the order of the pool: every task for as long as that is early.
    pub(super) fn first(&self) -> Vec<bool> {
        let mut set = vec![false; self.tasks.len()];
        self.fill(&mut set, 0, 0);
        set
    }

    /// Takes every task from `place` on, for as long as that is early.
    fn fill(&self, set: &mut [bool], place: usize, mut taken: usize) {
        for (is_in, &(_, due)) in set.iter_mut().zip(&self.tasks).skip(place) {
            *is_in = taken < due;
            taken += usize::from(*is_in);
        }
    }

    /// Moves on to the next largest set; false at the last.
    pub(super) fn advance(&self, set: &mut [bool]) -> bool {
        // The last task that can be left out: those after it are enough to fill up, because the caps only grow.
        let mut taken = self.size;
        for place in (0..set.len()).rev() {
            taken -= usize::from(set[place]);
            if set[place] && taken + (set.len() - place - 1) >= self.size {
                set[place] = false;
                self.fill(set, place + 1, taken);
                return true;
            }
        }
        false
    }

    /// The tasks that flags speak of.
    pub(super) fn members<'s>(&'s self, set: &'s [bool]) -> impl Iterator<Item = usize> + 's {
        self.tasks.iter().zip(set).filter(|&(_, &is_in)| is_in).map(|(&(task, _), _)| task)
    }
}
