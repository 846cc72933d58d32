//! One solution as an array of parents, and many as a distribution over parents.

use std::fmt;
use thiserror::Error;

/// One parent for each vertex; a root is its own parent.
///
/// It promises nothing more: a candidate may have cycles or use edges that do not exist, which is for a verifier
/// to say. Only the range of the parents is guarded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParentArray(Vec<usize>);

/// A parent that is not a vertex.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the parent of vertex {vertex} is {parent}, but there are {n} vertices")]
pub struct ParentOutOfRange {
    /// The child.
    pub vertex: usize,
    /// Its alleged parent.
    pub parent: usize,
    /// The number of vertices.
    pub n: usize,
}

impl ParentArray {
    /// Checks that each parent is one of the vertices.
    pub fn new(parents: Vec<usize>) -> Result<Self, ParentOutOfRange> {
        let n = parents.len();
        match parents.iter().position(|&parent| parent >= n) {
            Some(vertex) => Err(ParentOutOfRange { vertex, parent: parents[vertex], n }),
            None => Ok(ParentArray(parents)),
        }
    }

    /// Every vertex a root.
    pub fn all_roots(n: usize) -> Self {
        ParentArray((0..n).collect())
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The parent of `vertex`.
    pub fn parent_of(&self, vertex: usize) -> usize {
        self.0[vertex]
    }

    /// Makes `parent` the parent of `vertex`.
    ///
    /// # Panics
    /// If either is not a vertex.
    pub fn set(&mut self, vertex: usize, parent: usize) {
        assert!(parent < self.0.len());
        self.0[vertex] = parent;
    }

    /// True when `vertex` is its own parent.
    pub fn is_root(&self, vertex: usize) -> bool {
        self.0[vertex] == vertex
    }

    /// The same candidate under other labels: vertex v is called `label[v]`.
    ///
    /// # Panics
    /// If `label` is not a permutation of the vertices.
    pub fn relabelled(&self, label: &[usize]) -> Self {
        let mut renamed = ParentArray::all_roots(self.len());
        self.0.iter().enumerate().for_each(|(vertex, &parent)| renamed.set(label[vertex], label[parent]));
        renamed
    }

    /// The parents, indexed by child.
    pub fn as_slice(&self) -> &[usize] {
        &self.0
    }

    /// The tree edges, as (parent, child) in order of the child; roots have none.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        self.0.iter().enumerate().filter(|&(child, &parent)| child != parent).map(|(child, &parent)| (parent, child))
    }
}

impl fmt::Display for ParentArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// For each vertex (row) a probability for each possible parent (column); each row sums to one.
///
/// ```
/// use tiebreak::parents::{ParentArray, ParentDistribution};
/// let runs = [vec![0, 0, 0], vec![0, 0, 1]].map(|parents| ParentArray::new(parents).unwrap());
/// let distribution = ParentDistribution::from_runs(&runs);
/// assert_eq!(distribution.of(2), [0.5, 0.5, 0.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ParentDistribution {
    n: usize,
    rows: Vec<f64>,
}

/// A matrix that cannot be read as parent probabilities.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum NotADistribution {
    /// The number of values is not the square of the number of vertices.
    #[error("{values} values do not fill a {n} x {n} matrix of parent probabilities")]
    Shape {
        /// The number of vertices.
        n: usize,
        /// The number of values given.
        values: usize,
    },
    /// A value that is negative, infinite or not a number.
    #[error("the probability that {parent} is the parent of {vertex} is {value}")]
    Value {
        /// The row.
        vertex: usize,
        /// The column.
        parent: usize,
        /// What stands there.
        value: f64,
    },
    /// A logit that is not a number, or infinitely large.
    #[error("the logit of {parent} as the parent of {vertex} is {value}")]
    Logit {
        /// The row.
        vertex: usize,
        /// The column.
        parent: usize,
        /// What stands there.
        value: f64,
    },
    /// A row of logits that excludes every parent.
    #[error("every logit of vertex {vertex} is -inf, which leaves it no parent")]
    NoParent {
        /// The row.
        vertex: usize,
    },
}

impl ParentDistribution {
    /// The share of runs in which u is the parent of v, for all u and v.
    ///
    /// # Panics
    /// If there is no run, or the runs are of different sizes.
    pub fn from_runs(runs: &[ParentArray]) -> Self {
        let n = runs.first().expect("a distribution needs at least one run").len();
        // Counting first and dividing once keeps the result independent of the order of the runs.
        let mut rows = vec![0.0; n * n];
        for run in runs {
            assert_eq!(run.len(), n, "runs of different sizes");
            for (vertex, &parent) in run.as_slice().iter().enumerate() {
                rows[vertex * n + parent] += 1.0;
            }
        }
        rows.iter_mut().for_each(|count| *count /= runs.len() as f64);
        ParentDistribution { n, rows }
    }

    /// Reads any non-negative matrix, row by row, as weights: each row is divided by its sum, unless that is one
    /// already (to 10⁻⁹), so that a stored distribution is read back to the bit.
    ///
    /// A row of zeros says nothing about its vertex, so all n vertices become equally likely parents. These two
    /// rules are the whole treatment of imperfect rows: an extractor only ever sees rows that sum to one.
    pub fn from_weights(n: usize, mut values: Vec<f64>) -> Result<Self, NotADistribution> {
        if n.checked_mul(n) != Some(values.len()) {
            return Err(NotADistribution::Shape { n, values: values.len() });
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite() || *value < 0.0) {
            return Err(NotADistribution::Value { vertex: at / n, parent: at % n, value: values[at] });
        }
        if n > 0 {
            values.chunks_mut(n).for_each(normalise);
        }
        Ok(ParentDistribution { n, rows: values })
    }

    /// Reads any matrix of logits, row by row: the softmax of each row. A logit of -inf excludes that parent.
    pub fn from_logits(n: usize, mut values: Vec<f64>) -> Result<Self, NotADistribution> {
        if n.checked_mul(n) != Some(values.len()) {
            return Err(NotADistribution::Shape { n, values: values.len() });
        }
        if let Some(at) = values.iter().position(|value| value.is_nan() || *value == f64::INFINITY) {
            return Err(NotADistribution::Logit { vertex: at / n, parent: at % n, value: values[at] });
        }
        for (vertex, row) in values.chunks_mut(n.max(1)).enumerate() {
            let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if largest == f64::NEG_INFINITY {
                return Err(NotADistribution::NoParent { vertex });
            }
            // The largest becomes 1 before anything is summed: no overflow, and never a row of zeros.
            row.iter_mut().for_each(|value| *value = (*value - largest).exp());
            normalise(row);
        }
        Ok(ParentDistribution { n, rows: values })
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True when there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The probabilities of each possible parent of `vertex`.
    pub fn of(&self, vertex: usize) -> &[f64] {
        &self.rows[vertex * self.n..(vertex + 1) * self.n]
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
        let distribution = ParentDistribution::from_weights(2, vec![0.0, 0.0, 3.0, 1.0]).unwrap();
        assert_eq!(distribution.as_slice(), [0.5, 0.5, 0.75, 0.25]);
        let huge = ParentDistribution::from_weights(2, vec![f64::MAX, f64::MAX, 1e-300, 0.0]).unwrap();
        assert_eq!(huge.as_slice(), [0.5, 0.5, 1.0, 0.0]);
    }

    #[test]
    fn logits_become_their_softmax() {
        let third = 3f64.ln();
        let softmax = ParentDistribution::from_logits(2, vec![third + 800.0, 800.0, -5.0, f64::NEG_INFINITY]).unwrap();
        let expected = [0.75, 0.25, 1.0, 0.0];
        assert!(softmax.as_slice().iter().zip(expected).all(|(value, wanted)| (value - wanted).abs() < 1e-12));
        let error = ParentDistribution::from_logits(2, vec![0.0, f64::INFINITY, 0.0, 0.0]).unwrap_err();
        assert_eq!(error.to_string(), "the logit of 1 as the parent of 0 is inf");
        let excluded = ParentDistribution::from_logits(1, vec![f64::NEG_INFINITY]).unwrap_err();
        assert_eq!(excluded, NotADistribution::NoParent { vertex: 0 });
        assert!(ParentDistribution::from_logits(0, vec![]).unwrap().is_empty());
    }

    #[test]
    fn what_is_not_a_probability_is_named() {
        let error = ParentDistribution::from_weights(2, vec![1.0, 0.0, f64::NAN, 1.0]).unwrap_err();
        assert_eq!(error.to_string(), "the probability that 0 is the parent of 1 is NaN");
        assert!(ParentDistribution::from_weights(2, vec![1.0, -0.5, 1.0, 1.0]).is_err());
        assert!(ParentDistribution::from_weights(2, vec![1.0; 3]).is_err());
        assert!(ParentArray::new(vec![0, 2]).is_err());
    }
}
