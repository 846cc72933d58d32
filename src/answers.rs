//! What an answer looks like: a choice for each slot, and for many answers a row of probabilities for each slot.
//!
//! | form | slots | options of a slot |
//! |---|---|---|
//! | parents | one for each vertex | its parent: any vertex; a root is its own |
//! | edges | one for each edge, in the graph's order | out or in |
//! | items | one for each item | out or in |
//! | order | one for each vertex, and one for the head | the vertex that comes next (the last one's is itself); the first vertex |
//!
//! Metrics, losses and the extractors `argmax` and `random` see slots and options only. Whoever knows the form takes a
//! typed view: [`Candidate::parents`], [`Candidate::chosen`], [`Candidate::order`].

use crate::random::Rng;
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// What an answer looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// One parent for each vertex; a root is its own.
    Parents,
    /// A set of edges.
    Edges,
    /// A set of items.
    Items,
    /// An order of all vertices.
    Order,
}

/// The option of an edge or item that is not chosen.
pub const OUT: usize = 0;
/// The option of an edge or item that is chosen.
pub const IN: usize = 1;

impl Form {
    /// Every form.
    pub const ALL: [Form; 4] = [Form::Parents, Form::Edges, Form::Items, Form::Order];

    /// The number of options that each of so many slots has.
    pub fn options(self, slots: usize) -> usize {
        match self {
            Form::Parents => slots,
            Form::Edges | Form::Items => 2,
            Form::Order => slots.saturating_sub(1),
        }
    }

    /// An option of a slot in words, as it stands after "the probability that".
    pub fn describe(self, slot: usize, slots: usize, option: usize) -> String {
        match self {
            Form::Parents => format!("{option} is the parent of {slot}"),
            Form::Edges => format!("edge {slot} is {}", if option == IN { "chosen" } else { "left out" }),
            Form::Items => format!("item {slot} is {}", if option == IN { "chosen" } else { "left out" }),
            Form::Order if slot + 1 == slots => format!("{option} comes first"),
            Form::Order => format!("{option} comes after {slot}"),
        }
    }
}

/// One choice for each slot.
///
/// It promises nothing more: parents may run in a circle, a set of edges may close one, an order may leave vertices out.
/// That is for a verifier to say. Only the range of the choices is guarded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Candidate {
    form: Form,
    choices: Vec<u32>,
}

/// A choice that the slot does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NotACandidate {
    /// A parent that is not a vertex.
    #[error("the parent of vertex {vertex} is {parent}, but there are {n} vertices")]
    Parent {
        /// The child.
        vertex: usize,
        /// Its alleged parent.
        parent: usize,
        /// The number of vertices.
        n: usize,
    },
    /// Something chosen that is not there.
    #[error("number {chosen} is chosen, but there are {count} to choose from")]
    Chosen {
        /// What is chosen.
        chosen: usize,
        /// How many there are.
        count: usize,
    },
    /// A member of an order that is not a vertex.
    #[error("vertex {vertex} stands in the order, but there are {n} vertices")]
    Member {
        /// The alleged vertex.
        vertex: usize,
        /// The number of vertices.
        n: usize,
    },
    /// An order with more or fewer members than there are vertices.
    #[error("the order has {members} members, but there are {n} vertices")]
    Length {
        /// How many members it has.
        members: usize,
        /// The number of vertices.
        n: usize,
    },
}

impl Candidate {
    /// Parents, indexed by child.
    pub fn from_parents(parents: impl IntoIterator<Item = usize>) -> Result<Self, NotACandidate> {
        let parents: Vec<usize> = parents.into_iter().collect();
        let n = parents.len();
        match parents.iter().position(|&parent| parent >= n) {
            Some(vertex) => Err(NotACandidate::Parent { vertex, parent: parents[vertex], n }),
            None => Ok(Candidate { form: Form::Parents, choices: parents.into_iter().map(|p| p as u32).collect() }),
        }
    }

    /// The parents that `parent_of` gives.
    ///
    /// # Panics
    /// If a parent is not a vertex.
    pub fn from_each_vertex(n: usize, mut parent_of: impl FnMut(usize) -> usize) -> Self {
        let choice = |vertex| {
            let parent = parent_of(vertex);
            assert!(parent < n, "a parent is a vertex");
            parent as u32
        };
        Candidate { form: Form::Parents, choices: (0..n).map(choice).collect() }
    }

    /// Every vertex a root.
    pub fn all_roots(n: usize) -> Self {
        Candidate::from_each_vertex(n, |vertex| vertex)
    }

    /// A set of edges or items, by their numbers, of so many.
    ///
    /// # Panics
    /// If the form is no set.
    pub fn from_set(form: Form, count: usize, set: impl IntoIterator<Item = usize>) -> Result<Self, NotACandidate> {
        assert!(matches!(form, Form::Edges | Form::Items), "edges and items make sets");
        let mut choices = vec![OUT as u32; count];
        for chosen in set {
            *choices.get_mut(chosen).ok_or(NotACandidate::Chosen { chosen, count })? = IN as u32;
        }
        Ok(Candidate { form, choices })
    }

    /// An order, first to last, as a list that may leave vertices out and have others twice.
    ///
    /// Such a list is no order, and neither is its candidate: whatever is left out points to itself and is reached from nowhere.
    pub fn from_order(order: &[usize]) -> Result<Self, NotACandidate> {
        let n = order.len();
        if let Some(&vertex) = order.iter().find(|&&vertex| vertex >= n) {
            return Err(NotACandidate::Member { vertex, n });
        }
        let mut choices: Vec<u32> = (0..n as u32).collect();
        order.windows(2).for_each(|pair| choices[pair[0]] = pair[1] as u32);
        choices.extend(order.first().map(|&head| head as u32));
        Ok(Candidate { form: Form::Order, choices })
    }

    /// What the options of each slot say, `choice(slot)` for each.
    ///
    /// # Panics
    /// If a slot has no such option.
    pub fn from_choices(form: Form, slots: usize, mut choice: impl FnMut(usize) -> usize) -> Self {
        let options = form.options(slots);
        let checked = |slot| {
            let option = choice(slot);
            assert!(option < options, "slot {slot} has {options} options");
            option as u32
        };
        Candidate { form, choices: (0..slots).map(checked).collect() }
    }

    /// What it looks like.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.choices.len()
    }

    /// The option chosen in a slot.
    pub fn choice(&self, slot: usize) -> usize {
        self.choices[slot] as usize
    }

    /// The option chosen in each slot.
    pub fn choices(&self) -> &[u32] {
        &self.choices
    }

    /// Chooses an option.
    ///
    /// # Panics
    /// If the slot has no such option.
    pub fn set(&mut self, slot: usize, option: usize) {
        assert!(option < self.form.options(self.choices.len()), "slot {slot} has no option {option}");
        self.choices[slot] = option as u32;
    }

    /// The candidate as parents.
    ///
    /// # Panics
    /// If it has another form.
    pub fn parents(&self) -> Parents<'_> {
        assert_eq!(self.form, Form::Parents, "these are no parents");
        Parents(&self.choices)
    }

    /// The numbers of the chosen edges or items, ascending.
    ///
    /// # Panics
    /// If it is no set.
    pub fn chosen(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        assert!(matches!(self.form, Form::Edges | Form::Items), "this is no set");
        self.choices.iter().enumerate().filter(|&(_, &choice)| choice as usize == IN).map(|(slot, _)| slot)
    }

    /// The vertices from the first on, for as long as each is new; all of them exactly when it is an order.
    ///
    /// # Panics
    /// If it is no order.
    pub fn order(&self) -> Vec<usize> {
        assert_eq!(self.form, Form::Order, "this is no order");
        let n = self.choices.len().saturating_sub(1);
        let mut met = vec![false; n];
        let mut order = Vec::with_capacity(n);
        let mut next = self.choices.last().map(|&head| head as usize);
        while let Some(vertex) = next.filter(|&vertex| !met[vertex]) {
            met[vertex] = true;
            order.push(vertex);
            next = Some(self.choices[vertex] as usize);
        }
        order
    }

    /// The slots in which two candidates agree, and the parts of each that count: tree edges, chosen ones, or steps
    /// from one vertex to the next.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        let is_part = move |&(slot, &choice): &(usize, &u32)| match self.form {
            Form::Parents => choice as usize != slot,
            Form::Edges | Form::Items => choice as usize == IN,
            Form::Order => slot + 1 < self.choices.len() && choice as usize != slot,
        };
        self.choices.iter().enumerate().filter(is_part).map(|(slot, &choice)| (slot, choice as usize))
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form {
            Form::Parents => write!(f, "{:?}", self.choices),
            Form::Edges | Form::Items => write!(f, "{:?}", self.chosen().collect::<Vec<_>>()),
            Form::Order => write!(f, "{:?}", self.order()),
        }
    }
}

/// A candidate seen as parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parents<'a>(&'a [u32]);

impl<'a> Parents<'a> {
    /// The number of vertices.
    pub fn n(self) -> usize {
        self.0.len()
    }

    /// The parent of `vertex`.
    pub fn of(self, vertex: usize) -> usize {
        self.0[vertex] as usize
    }

    /// True when `vertex` is its own parent.
    pub fn is_root(self, vertex: usize) -> bool {
        self.of(vertex) == vertex
    }

    /// The tree edges, as (parent, child) in order of the child; roots have none.
    pub fn edges(self) -> impl Iterator<Item = (usize, usize)> + Clone + 'a {
        let child_first = self.0.iter().enumerate().filter(|&(child, &parent)| child != parent as usize);
        child_first.map(|(child, &parent)| (parent as usize, child))
    }

    /// The same parents under other labels: vertex v is called `label[v]`.
    ///
    /// # Panics
    /// If `label` is not a permutation of the vertices.
    pub fn relabelled(self, label: &[usize]) -> Candidate {
        let mut renamed = Candidate::all_roots(self.n());
        (0..self.n()).for_each(|vertex| renamed.set(label[vertex], label[self.of(vertex)]));
        renamed
    }
}

/// For each slot (row) a probability for each of its options (column); each row sums to one.
///
/// ```
/// use tiebreak::answers::{Candidate, Marginals};
/// let runs = [[0, 0, 0], [0, 0, 1]].map(|parents| Candidate::from_parents(parents).unwrap());
/// let marginals = Marginals::from_runs(&runs);
/// assert_eq!(marginals.row(2), [0.5, 0.5, 0.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Marginals {
    form: Form,
    slots: usize,
    rows: Vec<f64>,
}

/// Numbers that cannot be read as probabilities.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum NotMarginals {
    /// The number of values does not fill the rows.
    #[error("{values} values do not fill {slots} rows of {options} probabilities")]
    Shape {
        /// The number of rows.
        slots: usize,
        /// The number of columns.
        options: usize,
        /// The number of values given.
        values: usize,
    },
    /// A value that is negative, infinite or not a number.
    #[error("the probability that {what} is {value}")]
    Value {
        /// Row and column in words.
        what: String,
        /// What stands there.
        value: f64,
    },
    /// A logit that is not a number, or infinitely large.
    #[error("the logit that {what} is {value}")]
    Logit {
        /// Row and column in words.
        what: String,
        /// What stands there.
        value: f64,
    },
    /// A row of logits that excludes every option.
    #[error("every logit of row {slot} is -inf, which leaves it no option")]
    NoOption {
        /// The row.
        slot: usize,
    },
}

impl Marginals {
    /// The share of runs that choose each option, slot by slot.
    ///
    /// # Panics
    /// If there is no run, or the runs are not of one size and form.
    pub fn from_runs(runs: &[Candidate]) -> Self {
        let first = runs.first().expect("marginals need at least one run");
        let (form, slots) = (first.form, first.slots());
        let options = form.options(slots);
        // Counting first and dividing once keeps the result independent of the order of the runs.
        let mut rows = vec![0.0; slots * options];
        for run in runs {
            assert!(run.form == form && run.slots() == slots, "runs of different sizes");
            let cells = run.choices.iter().zip(rows.chunks_exact_mut(options.max(1)));
            cells.for_each(|(&choice, row)| row[choice as usize] += 1.0);
        }
        rows.iter_mut().for_each(|count| *count /= runs.len() as f64);
        Marginals { form, slots, rows }
    }

    /// Reads non-negative numbers, row by row, as weights: each row is divided by its sum, unless that is one already (to
    /// 10⁻⁹), so that stored marginals are read back to the bit.
    ///
    /// A row of zeros says nothing about its slot, so all its options become equally likely. These two rules are the whole
    /// treatment of imperfect rows: an extractor only ever sees rows that sum to one.
    pub fn from_weights(form: Form, slots: usize, mut values: Vec<f64>) -> Result<Self, NotMarginals> {
        let options = checked_shape(form, slots, values.len())?;
        if let Some(at) = values.iter().position(|value| !value.is_finite() || *value < 0.0) {
            let what = form.describe(at / options, slots, at % options);
            return Err(NotMarginals::Value { what, value: values[at] });
        }
        if options > 0 {
            values.chunks_mut(options).for_each(normalise);
        }
        Ok(Marginals { form, slots, rows: values })
    }

    /// Reads logits, row by row: the softmax of each row. A logit of -inf excludes that option.
    pub fn from_logits(form: Form, slots: usize, mut values: Vec<f64>) -> Result<Self, NotMarginals> {
        let options = checked_shape(form, slots, values.len())?;
        if let Some(at) = values.iter().position(|value| value.is_nan() || *value == f64::INFINITY) {
            let what = form.describe(at / options, slots, at % options);
            return Err(NotMarginals::Logit { what, value: values[at] });
        }
        for (slot, row) in values.chunks_mut(options.max(1)).enumerate() {
            let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if largest == f64::NEG_INFINITY {
                return Err(NotMarginals::NoOption { slot });
            }
            // The largest becomes 1 before anything is summed: no overflow, and never a row of zeros.
            row.iter_mut().for_each(|value| *value = (*value - largest).exp());
            normalise(row);
        }
        Ok(Marginals { form, slots, rows: values })
    }

    /// What the answers look like.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The number of rows.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The number of columns.
    pub fn options(&self) -> usize {
        self.form.options(self.slots)
    }

    /// The probabilities of a slot's options.
    pub fn row(&self, slot: usize) -> &[f64] {
        let options = self.options();
        &self.rows[slot * options..(slot + 1) * options]
    }

    /// An option of a slot, drawn from its row.
    pub fn draw(&self, slot: usize, rng: &mut Rng) -> usize {
        crate::random::draw(self.row(slot).iter().copied(), rng).expect("rows sum to one")
    }

    /// All rows, one after the other.
    pub fn as_slice(&self) -> &[f64] {
        &self.rows
    }

    /// All rows, one after the other, given away without a copy.
    pub fn into_vec(self) -> Vec<f64> {
        self.rows
    }
}

/// The number of options, when so many values fill the rows.
fn checked_shape(form: Form, slots: usize, values: usize) -> Result<usize, NotMarginals> {
    let options = form.options(slots);
    match slots.checked_mul(options) == Some(values) {
        true => Ok(options),
        false => Err(NotMarginals::Shape { slots, options, values }),
    }
}

fn normalise(row: &mut [f64]) {
    let largest = row.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        let share = 1.0 / row.len() as f64;
        row.fill(share);
        return;
    }
    if (row.iter().sum::<f64>() - 1.0).abs() <= 1e-9 {
        return;
    }
    // Dividing by the largest value first: the sum of finite weights may itself be infinite.
    row.iter_mut().for_each(|value| *value /= largest);
    let sum: f64 = row.iter().sum();
    row.iter_mut().for_each(|value| *value /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_probabilities() {
        let marginals = Marginals::from_weights(Form::Parents, 2, vec![0.0, 0.0, 3.0, 1.0]).unwrap();
        assert_eq!(marginals.as_slice(), [0.5, 0.5, 0.75, 0.25]);
        let huge = Marginals::from_weights(Form::Items, 2, vec![f64::MAX, f64::MAX, 1e-300, 0.0]).unwrap();
        assert_eq!(huge.as_slice(), [0.5, 0.5, 1.0, 0.0]);
    }

    #[test]
    fn logits_become_their_softmax() {
        let third = 3f64.ln();
        let values = vec![third + 800.0, 800.0, -5.0, f64::NEG_INFINITY];
        let softmax = Marginals::from_logits(Form::Parents, 2, values).unwrap();
        let expected = [0.75, 0.25, 1.0, 0.0];
        assert!(softmax.as_slice().iter().zip(expected).all(|(value, wanted)| (value - wanted).abs() < 1e-12));
        let error = Marginals::from_logits(Form::Parents, 2, vec![0.0, f64::INFINITY, 0.0, 0.0]).unwrap_err();
        assert_eq!(error.to_string(), "the logit that 1 is the parent of 0 is inf");
        let excluded = Marginals::from_logits(Form::Parents, 1, vec![f64::NEG_INFINITY]).unwrap_err();
        assert_eq!(excluded, NotMarginals::NoOption { slot: 0 });
        assert_eq!(Marginals::from_logits(Form::Parents, 0, vec![]).unwrap().slots(), 0);
    }

    #[test]
    fn what_is_not_a_probability_is_named() {
        let error = Marginals::from_weights(Form::Parents, 2, vec![1.0, 0.0, f64::NAN, 1.0]).unwrap_err();
        assert_eq!(error.to_string(), "the probability that 0 is the parent of 1 is NaN");
        assert!(Marginals::from_weights(Form::Parents, 2, vec![1.0, -0.5, 1.0, 1.0]).is_err());
        assert!(Marginals::from_weights(Form::Parents, 2, vec![1.0; 3]).is_err());
        let error = Marginals::from_weights(Form::Order, 3, vec![1.0, 0.0, 1.0, 0.0, 1.0, -1.0]).unwrap_err();
        assert_eq!(error.to_string(), "the probability that 1 comes first is -1");
        assert!(Candidate::from_parents([0, 2]).is_err());
    }

    #[test]
    fn every_form_counts_its_runs() {
        let sets = [[0, 2], [1, 2]].map(|set| Candidate::from_set(Form::Edges, 3, set).unwrap());
        assert_eq!(Marginals::from_runs(&sets).as_slice(), [0.5, 0.5, 0.5, 0.5, 0.0, 1.0]);
        let orders = [[0, 1], [1, 0]].map(|order| Candidate::from_order(&order).unwrap());
        assert_eq!(Marginals::from_runs(&orders).as_slice(), [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    }

    /// The same list comes back from each order, and nothing else is taken for one.
    #[test]
    fn orders_are_told_from_lists_that_are_none() {
        let lists = (0..27).map(|code: usize| [code / 9, code / 3 % 3, code % 3]);
        for list in lists {
            let order = Candidate::from_order(&list).unwrap().order();
            let mut sorted = list;
            sorted.sort_unstable();
            match sorted == [0, 1, 2] {
                true => assert_eq!(order, list),
                false => assert!(order.len() < 3, "{list:?} gives {order:?}"),
            }
        }
        assert_eq!(Candidate::from_order(&[]).unwrap().order(), [0; 0]);
        assert!(Candidate::from_order(&[1]).is_err());
        assert!(Candidate::from_set(Form::Items, 2, [2]).is_err());
    }

    #[test]
    fn a_candidate_has_the_parts_that_people_would_count() {
        let parts = |candidate: Candidate| candidate.parts().collect::<Vec<_>>();
        assert_eq!(parts(Candidate::from_parents([0, 0, 1]).unwrap()), [(1, 0), (2, 1)]);
        assert_eq!(parts(Candidate::from_set(Form::Items, 3, [1]).unwrap()), [(1, 1)]);
        assert_eq!(parts(Candidate::from_order(&[2, 0, 1]).unwrap()), [(0, 1), (2, 0)]);
    }
}
