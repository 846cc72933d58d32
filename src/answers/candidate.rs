//! One answer: a choice for each slot, and views of it for whoever knows the form.

use super::{Form, IN, OUT};
use std::fmt;
use thiserror::Error;

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
    /// A chosen edge with an end that is not a vertex.
    #[error("edge {one} - {other} is chosen, but there are {n} vertices")]
    End {
        /// One end.
        one: usize,
        /// The other.
        other: usize,
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

    /// What the options of each slot say, `choice(slot)` for each. Where they lead through all vertices of an order, it is one: the last vertex is
    /// followed by itself, whatever was chosen for it.
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
        let mut candidate = Candidate { form, choices: (0..slots).map(checked).collect() };
        if form == Form::Order {
            let order = candidate.order();
            if let Some(&last) = order.last().filter(|_| order.len() + 1 == slots) {
                candidate.choices[last] = last as u32;
            }
        }
        candidate
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

    /// The choices that count as parts, as (slot, option): tree edges, chosen ones, or steps from one vertex to the next.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        let choices = self.choices.iter().enumerate().map(|(slot, &choice)| (slot, choice as usize));
        choices.filter(|&(slot, option)| Candidate::counts(self.form, self.choices.len(), slot, option))
    }

    /// True when an option is a part of an answer: no root, nothing that is left out, no end of an order.
    pub(crate) fn counts(form: Form, slots: usize, slot: usize, option: usize) -> bool {
        match form {
            Form::Parents => option != slot,
            Form::Edges | Form::Items => option == IN,
            Form::Order => slot + 1 < slots && option != slot,
        }
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
