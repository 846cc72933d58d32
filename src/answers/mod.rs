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

mod candidate;
mod marginals;

pub use candidate::{Candidate, NotACandidate, Parents};
pub use marginals::{Counts, Marginals, NotMarginals, write_shares};

use serde::{Deserialize, Serialize};

/// What an answer looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// One parent for each vertex; a root is its own.
    #[default]
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

/// A part of an answer, as people count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Part {
    /// An edge: from a parent to its child, a chosen one, or the step from one vertex of an order to the next.
    Edge(usize, usize),
    /// A chosen item.
    Item(usize),
}

impl Part {
    /// The ends of an edge, or the item.
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        let (one, other) = match self {
            Part::Edge(tail, head) => (tail, Some(head)),
            Part::Item(item) => (item, None),
        };
        std::iter::once(one).chain(other)
    }

    /// The ends of an edge.
    pub fn edge(self) -> Option<(usize, usize)> {
        match self {
            Part::Edge(tail, head) => Some((tail, head)),
            Part::Item(_) => None,
        }
    }
}

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
        let mut shares = [0.0; 6];
        write_shares((Form::Edges, 3), 2, &mut shares, |slot, counts| match slot {
            2 => counts.set(1, 2),
            _ => counts.set_all(&[1, 1]),
        });
        assert_eq!(Marginals::from_runs(&sets).as_slice(), shares);
    }

    #[test]
    #[should_panic = "slot 1 has a choice in each run"]
    fn counts_are_as_many_as_the_runs() {
        write_shares((Form::Parents, 2), 3, &mut [0.0; 4], |slot, counts| counts.set(0, 3 - slot));
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
        let circle = Candidate::from_choices(Form::Order, 4, |slot| [1, 2, 0, 1][slot]);
        assert_eq!(circle, Candidate::from_order(&[1, 2, 0]).unwrap(), "the last one of a whole order ends it");
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
