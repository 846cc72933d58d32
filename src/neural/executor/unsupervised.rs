//! For comparison: learning without recorded selections, from the states and pointers that follow from them alone.
//!
//! The selection is soft: pair i is selected with share a_i. What follows is a mixture, `Σ_part a_part · P(next | part)`
//! for a vertex and likewise for a pointer, and its likelihood is learnt, through the shares, down to levels and scalars.

use super::dense::Matrices;
use super::examples::{Group, Recorded};
use super::frame::{Part, Selection, Status};
use super::hints::Snapshot;
use super::loss::{Scale, SelectionGradient, Shares, logits, softmax};
use super::network::Selector;
use super::tables::Tables;

/// The model's outputs at a step of training.
pub(super) struct Outputs<'a> {
    pub tables: &'a Tables,
    pub select: &'a Selector,
    pub shares: &'a Shares,
    pub states: &'a [f32],
    pub pointers: &'a [f32],
    pub scale: Scale,
}

/// Gradients of the outputs.
pub(super) struct Gradients<'a> {
    pub select: &'a mut SelectionGradient,
    pub states: &'a mut [f32],
    pub pointers: &'a mut [f32],
}

/// The loss of one recorded step, with its gradient times `factor`.
pub(super) fn step_loss(model: &Outputs, recorded: &Recorded, step: usize, factor: f32, d: &mut Gradients) -> f32 {
    let frame = model.tables.frame;
    let matrices = Matrices::new(&recorded.instance, &recorded.priorities, frame.priorities);
    let (now, after) = (&recorded.run.snapshots[step], &recorded.run.snapshots[step + 1]);
    let n = matrices.n;
    let groups = matrices.groups(frame.selection);
    // Which classes are selected is not known here.
    let competes = vec![true; frame.pair_classes()];
    let group = |pairs: &Vec<usize>| Group::new(model.tables, &matrices, now, (pairs, &[]), &competes);
    let seen: Vec<Group> = groups.iter().map(group).collect();
    let mut selected = vec![0.0; n * n];
    for (pairs, group) in groups.iter().zip(&seen) {
        let shares = softmax(logits(model.select, model.shares, group, model.scale));
        pairs.iter().zip(shares).for_each(|(&pair, share)| selected[pair] = share);
    }
    let mut mixture = Mixture { model, now, n, selected, d_selected: vec![0.0; n * n], factor: factor / n as f32 };
    let mut loss = 0.0;
    for vertex in 0..n {
        loss += mixture.vertex(vertex, after.states[vertex], d);
    }
    for pair in (0..n * n).filter(|&pair| matrices.relation[pair].is_some()) {
        loss += mixture.pointer(&matrices, pair, after, d);
    }
    for (pairs, group) in groups.iter().zip(&seen) {
        let mean: f32 = pairs.iter().map(|&pair| mixture.selected[pair] * mixture.d_selected[pair]).sum();
        let d_logits: Vec<f32> =
            pairs.iter().map(|&pair| mixture.selected[pair] * (mixture.d_selected[pair] - mean)).collect();
        d.select.add(group, &d_logits, model.scale);
    }
    loss
}

struct Mixture<'a> {
    model: &'a Outputs<'a>,
    now: &'a Snapshot,
    n: usize,
    /// The share of each pair, and its gradient.
    selected: Vec<f32>,
    d_selected: Vec<f32>,
    factor: f32,
}

impl Mixture<'_> {
    /// The pairs that give a vertex a part, with the part.
    fn parts(&self, vertex: usize) -> Vec<(usize, Part)> {
        let (n, states) = (self.n, &self.now.states);
        let mut parts = vec![(vertex * n + vertex, Part::Itself)];
        for other in (0..n).filter(|&other| other != vertex) {
            parts.push((other * n + vertex, Part::Receiver(states[other])));
            if self.model.tables.frame.selection == Selection::OnePair {
                parts.push((vertex * n + other, Part::Sender(states[other])));
            }
        }
        parts.retain(|&(pair, _)| self.selected[pair] > 0.0);
        parts
    }

    fn vertex(&mut self, vertex: usize, next: u8, d: &mut Gradients) -> f32 {
        let (frame, own) = (self.model.tables.frame, self.now.states[vertex]);
        let states = frame.states.len();
        let parts = self.parts(vertex);
        let likely = |part: Part| {
            let entry = frame.node_index(own, part) * states;
            softmax(self.model.states[entry..entry + states].to_vec())
        };
        let none = (1.0 - parts.iter().map(|&(pair, _)| self.selected[pair]).sum::<f32>()).max(0.0);
        let base = likely(Part::Nobody);
        let next = usize::from(next);
        let mixed: f32 = parts.iter().map(|&(pair, part)| self.selected[pair] * likely(part)[next]).sum();
        let total = (mixed + none * base[next]).max(1e-6);
        let mut push = |part: Part, share: f32, likely: &[f32]| {
            let entry = frame.node_index(own, part) * states;
            for (state, &p) in likely.iter().enumerate() {
                let slope = likely[next] * (f32::from(u8::from(state == next)) - p);
                d.states[entry + state] -= self.factor * share * slope / total;
            }
        };
        push(Part::Nobody, none, &base);
        for &(pair, part) in &parts {
            let likely = likely(part);
            push(part, self.selected[pair], &likely);
            self.d_selected[pair] -= self.factor * (likely[next] - base[next]) / total;
        }
        -self.factor * total.ln()
    }

    fn pointer(&mut self, matrices: &Matrices, pair: usize, after: &Snapshot, d: &mut Gradients) -> f32 {
        let frame = self.model.tables.frame;
        let class = frame.pair_index(matrices.class(self.now, pair).expect("the pair is joined"));
        let mate = pair % self.n * self.n + pair / self.n;
        let reverse = if mate == pair { 0.0 } else { self.selected[mate] };
        let share = [self.selected[pair], reverse, (1.0 - self.selected[pair] - reverse).max(0.0)];
        let one = Status::ALL.map(|status| {
            let logit = self.model.pointers[frame.pointer_index(class, status)];
            1.0 / (1.0 + (-logit).exp())
        });
        let is_one = after.pointers[pair];
        let likely = one.map(|p| if is_one { p } else { 1.0 - p });
        let total = share.iter().zip(likely).map(|(share, p)| share * p).sum::<f32>().max(1e-6);
        for (place, status) in Status::ALL.into_iter().enumerate() {
            let slope = one[place] * (1.0 - one[place]) * if is_one { 1.0 } else { -1.0 };
            d.pointers[frame.pointer_index(class, status)] -= self.factor * share[place] * slope / total;
        }
        self.d_selected[pair] -= self.factor * (likely[0] - likely[2]) / total;
        if mate != pair {
            self.d_selected[mate] -= self.factor * (likely[1] - likely[2]) / total;
        }
        -self.factor * total.ln()
    }
}
