//! What is built in: an alphabet of states, one selection a step, and the finite domains of the learnt maps.
//!
//! A step looks at ordered pairs of vertices that share an edge, in whichever direction it runs, and at each vertex with
//! itself. Everything discrete about a pair is its [`PairClass`]; there are few of them, whatever the graph. A map over
//! classes is a table, and the whole model is a handful of tables ([`super::Tables`]).
//!
//! ```text
//! pair class     (state of sender, state of receiver, how they are joined, pointer bits)  -> level, scalars
//! node           (own state, part taken in the selection, state of the other end)         -> next state
//! pointer        (pair class, selected or not)                                            -> next bit
//! ```
//!
//! Numbers (priorities, positions, weights, registers) decide between pairs and never enter a state.

/// How an algorithm fits the executor: data that its folder gives.
#[derive(Debug)]
pub struct Frame {
    /// The names of the node states.
    pub states: &'static [&'static str],
    /// Who selects at each step.
    pub selection: Selection,
    /// Who has a random priority.
    pub priorities: PriorityOf,
    /// The numbers that may decide between pairs.
    pub scalars: &'static [PairScalar],
    /// True when each vertex carries a number (a distance, say) that a selection renews.
    pub register: bool,
    /// The most steps a right execution can take on n vertices.
    pub steps: fn(usize) -> usize,
}

/// Who selects at each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// One ordered pair for the whole graph.
    OnePair,
    /// One sender for each receiver.
    SenderForEachReceiver,
}

/// Who has a random priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriorityOf {
    /// Each vertex.
    Vertices,
    /// Each directed edge.
    Edges,
}

/// A whole number that belongs to an ordered pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairScalar {
    /// The sender's random priority.
    SenderPriority,
    /// The receiver's random priority.
    ReceiverPriority,
    /// The random priority of the edge.
    EdgePriority,
    /// The sender's index.
    SenderPosition,
    /// The receiver's index.
    ReceiverPosition,
    /// The weight of the edge.
    Weight,
    /// The number that the sender carries.
    SenderRegister,
    /// The number that the receiver carries.
    ReceiverRegister,
    /// The number that the receiver would carry if it selected the sender: the learnt linear map.
    Proposal,
}

impl PairScalar {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            PairScalar::SenderPriority => "sender's priority",
            PairScalar::ReceiverPriority => "receiver's priority",
            PairScalar::EdgePriority => "edge's priority",
            PairScalar::SenderPosition => "sender's position",
            PairScalar::ReceiverPosition => "receiver's position",
            PairScalar::Weight => "weight",
            PairScalar::SenderRegister => "sender's register",
            PairScalar::ReceiverRegister => "receiver's register",
            PairScalar::Proposal => "proposal",
        }
    }
}

/// How sender and receiver are joined. Self-loops of the graph are not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are one vertex.
    Itself,
    /// An edge from sender to receiver only.
    Forward,
    /// An edge from receiver to sender only.
    Backward,
    /// Edges both ways.
    Both,
}

impl Relation {
    /// Every relation, by its number.
    pub const ALL: [Relation; 4] = [Relation::Itself, Relation::Forward, Relation::Backward, Relation::Both];

    /// True when an edge runs from sender to receiver.
    pub fn is_forward(self) -> bool {
        matches!(self, Relation::Forward | Relation::Both)
    }

    /// The same seen from the other end.
    pub fn reversed(self) -> Self {
        match self {
            Relation::Forward => Relation::Backward,
            Relation::Backward => Relation::Forward,
            same => same,
        }
    }
}

/// Everything discrete about an ordered pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairClass {
    /// The sender's state.
    pub sender: u8,
    /// The receiver's state.
    pub receiver: u8,
    /// How they are joined.
    pub relation: Relation,
    /// The pointer bit from sender to receiver: the sender is the receiver's parent.
    pub pointer: bool,
    /// The pointer bit from receiver to sender.
    pub back: bool,
}

impl PairClass {
    /// The class of the same pair in the other order.
    pub fn reversed(self) -> Self {
        PairClass {
            sender: self.receiver,
            receiver: self.sender,
            relation: self.relation.reversed(),
            pointer: self.back,
            back: self.pointer,
        }
    }
}

/// What the selection of a step makes of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is selected.
    Selected,
    /// It is not, but the same pair in the other order is.
    Reverse,
    /// Neither is.
    Unselected,
}

impl Status {
    /// Every status, by its number.
    pub const ALL: [Status; 3] = [Status::Selected, Status::Reverse, Status::Unselected];
}

/// A vertex's part in the selection of a step, with the state of the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It has none.
    Nobody,
    /// It is selected with itself.
    Itself,
    /// It is the sender of the selected pair (where one pair is selected for the whole graph).
    Sender(u8),
    /// It is the receiver.
    Receiver(u8),
}

impl Frame {
    /// The number of pair classes.
    pub fn pair_classes(&self) -> usize {
        self.states.len().pow(2) * 16
    }

    /// The number of a pair class.
    pub fn pair_index(&self, class: PairClass) -> usize {
        let states = self.states.len();
        let ends = usize::from(class.sender) * states + usize::from(class.receiver);
        ((ends * 4 + class.relation as usize) * 2 + usize::from(class.pointer)) * 2 + usize::from(class.back)
    }

    /// The pair class of that number.
    pub fn pair_class(&self, index: usize) -> PairClass {
        let (ends, states) = (index / 16, self.states.len());
        PairClass {
            sender: (ends / states) as u8,
            receiver: (ends % states) as u8,
            relation: Relation::ALL[index / 4 % 4],
            pointer: index / 2 % 2 == 1,
            back: index % 2 == 1,
        }
    }

    /// The number of inputs of the node map.
    pub fn node_inputs(&self) -> usize {
        self.states.len() * (2 + 2 * self.states.len())
    }

    /// The number of an input of the node map.
    pub fn node_index(&self, own: u8, part: Part) -> usize {
        let states = self.states.len();
        let part = match part {
            Part::Nobody => 0,
            Part::Itself => 1,
            Part::Sender(other) => 2 + usize::from(other),
            Part::Receiver(other) => 2 + states + usize::from(other),
        };
        usize::from(own) * (2 + 2 * states) + part
    }

    /// The input of the node map of that number.
    pub fn node_input(&self, index: usize) -> (u8, Part) {
        let states = self.states.len();
        let part = match index % (2 + 2 * states) {
            0 => Part::Nobody,
            1 => Part::Itself,
            other if other < 2 + states => Part::Sender((other - 2) as u8),
            other => Part::Receiver((other - 2 - states) as u8),
        };
        ((index / (2 + 2 * states)) as u8, part)
    }

    /// The number of inputs of the pointer map.
    pub fn pointer_inputs(&self) -> usize {
        3 * self.pair_classes()
    }

    /// The number of an input of the pointer map; `class` is the number of a pair class.
    pub fn pointer_index(&self, class: usize, status: Status) -> usize {
        class * 3 + status as usize
    }

    /// A pair class in words.
    pub fn describe(&self, class: PairClass) -> String {
        let joined = match class.relation {
            Relation::Itself => "itself",
            Relation::Forward => "edge forward",
            Relation::Backward => "edge backward",
            Relation::Both => "edges both ways",
        };
        let pointers = match (class.pointer, class.back) {
            (false, false) => "no pointer",
            (true, false) => "sender is parent",
            (false, true) => "receiver is parent",
            (true, true) => "pointers both ways",
        };
        let name = |state: u8| self.states[usize::from(state)];
        format!("{} -> {}, {joined}, {pointers}", name(class.sender), name(class.receiver))
    }
}
