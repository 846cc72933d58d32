//! The learnt part: three small perceptrons over finite domains and one linear map.
//!
//! ```text
//! pair class          -> level, a weight for each (scalar, sign) as first and as second scalar
//! node input          -> a logit for each next state
//! pointer input       -> a logit for the bit
//! register            -> factors of the sender's register, the weight, the receiver's register
//! ```

use super::frame::{Frame, Part, Status};
use super::mlp::{Evaluated, Mlp};
use super::tables::{Choice, Tables};
use crate::neural::nn::params::TensorId;
use crate::neural::nn::{Layout, Params};
use crate::random::Rng;
use std::sync::Arc;

/// The perceptrons of a frame and where their parameters are.
#[derive(Clone, Debug)]
pub(super) struct ExecutorNetwork {
    pub frame: &'static Frame,
    pub layout: Arc<Layout>,
    pub select: Mlp,
    pub state: Mlp,
    pub pointer: Mlp,
    pub register: TensorId,
}

impl ExecutorNetwork {
    pub fn new(frame: &'static Frame, hidden: usize) -> Self {
        let mut layout = Layout::default();
        let states = frame.states.len();
        let pair_parts = [states, states, 4, 2, 2];
        let pair_row = |index: usize| {
            let class = frame.pair_class(index);
            let ends = [usize::from(class.sender), usize::from(class.receiver)];
            let bits = [class.relation as usize, usize::from(class.pointer), usize::from(class.back)];
            ends.into_iter().chain(bits).collect::<Vec<_>>()
        };
        let node_row = |index: usize| {
            let (own, part) = frame.node_input(index);
            // A vertex without another end has the extra state `states` there.
            let (kind, other) = match part {
                Part::Nobody => (0, states),
                Part::Itself => (1, states),
                Part::Sender(other) => (2, usize::from(other)),
                Part::Receiver(other) => (3, usize::from(other)),
            };
            vec![usize::from(own), kind, other]
        };
        let pointer_row = |index: usize| {
            let statuses = Status::ALL.len();
            let mut row = pair_row(index / statuses);
            row.push(index % statuses);
            row
        };
        let pairs: Vec<Vec<usize>> = (0..frame.pair_classes()).map(pair_row).collect();
        let nodes: Vec<Vec<usize>> = (0..frame.node_inputs()).map(node_row).collect();
        let pointers: Vec<Vec<usize>> = (0..frame.pointer_inputs()).map(pointer_row).collect();
        let outputs = 1 + 4 * frame.scalars.len();
        let select = Mlp::new(&mut layout, "select", &pair_parts, &pairs, (hidden, outputs));
        let state = Mlp::new(&mut layout, "state", &[states, 4, states + 1], &nodes, (hidden, states));
        let with_status: Vec<usize> = pair_parts.into_iter().chain([Status::ALL.len()]).collect();
        let pointer = Mlp::new(&mut layout, "pointer", &with_status, &pointers, (hidden, 1));
        let register = layout.push("register".to_owned(), vec![3]);
        ExecutorNetwork { frame, layout: Arc::new(layout), select, state, pointer, register }
    }

    pub fn initialise(&self, rng: &mut Rng) -> Params<f32> {
        let mut params = Params::zeros(self.layout.clone());
        for mlp in [&self.select, &self.state, &self.pointer] {
            mlp.initialise(&mut params, rng);
        }
        params
    }

    /// The learnt maps as tables: levels and factors rounded, everything else by its largest logit.
    pub fn tables(&self, params: &Params<f32>) -> Tables {
        let select = Selector::new(self, self.select.evaluate(params));
        let classes = 0..self.frame.pair_classes();
        let choice = |class: usize, second: bool| {
            let best = largest(select.options(class, second));
            Choice { scalar: (best / 2) as u8, largest: best % 2 == 1 }
        };
        let states = self.frame.states.len();
        let factors = params.tensor(self.register);
        Tables {
            frame: self.frame,
            level: classes.clone().map(|class| select.level(class).round() as i32).collect(),
            first: classes.clone().map(|class| choice(class, false)).collect(),
            second: classes.map(|class| choice(class, true)).collect(),
            next_state: self.state.evaluate(params).out.chunks(states).map(|row| largest(row) as u8).collect(),
            next_pointer: self.pointer.evaluate(params).out.iter().map(|&logit| logit > 0.0).collect(),
            register: [0, 1, 2].map(|place| factors[place].round() as i64),
        }
    }
}

fn largest(values: &[f32]) -> usize {
    let best = values.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
    best.map_or(0, |(place, _)| place)
}

/// The outputs of the selecting perceptron, by class. Option `2 k` is "the smallest of scalar k", `2 k + 1` "the largest".
pub(super) struct Selector {
    pub at: Evaluated,
    pub outputs: usize,
}

impl Selector {
    pub fn new(network: &ExecutorNetwork, at: Evaluated) -> Self {
        Selector { at, outputs: 1 + 4 * network.frame.scalars.len() }
    }

    /// Shifts each level at random by at most `most`: levels have to be apart by more than scalars could hide.
    pub fn shift_levels(&mut self, most: f64, rng: &mut Rng) {
        for class in self.at.out.chunks_mut(self.outputs) {
            class[0] += (most * (2.0 * rng.unit() - 1.0)) as f32;
        }
    }

    pub fn level(&self, class: usize) -> f32 {
        self.at.out[class * self.outputs]
    }

    pub fn options(&self, class: usize, second: bool) -> &[f32] {
        let count = (self.outputs - 1) / 2;
        &self.at.out[class * self.outputs + 1 + if second { count } else { 0 }..][..count]
    }
}
