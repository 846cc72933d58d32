//! Many answers: a row of probabilities for each slot.

use super::{Candidate, Form};
use crate::random::Rng;
use thiserror::Error;

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

/// Writes the shares of runs that were counted, a row for each slot, to memory that is zero so far, wherever it is: `count` is called for each slot and says how many
/// of the runs chose which option.
///
/// # Panics
/// If there is no run, or the counts of a slot are not as many as the runs.
pub fn write_shares(
    (form, slots): (Form, usize),
    runs: usize,
    rows: &mut [f64],
    mut count: impl FnMut(usize, &mut Counts<'_>),
) {
    assert!(runs > 0, "marginals need at least one run");
    let options = form.options(slots);
    assert_eq!(rows.len(), slots * options, "a row for each slot");
    for (slot, row) in rows.chunks_exact_mut(options.max(1)).enumerate() {
        let mut counts = Counts { row, runs: runs as f64, counted: 0 };
        count(slot, &mut counts);
        assert_eq!(counts.counted, runs, "slot {slot} has a choice in each run");
    }
}

/// The options of one slot while they are counted.
#[derive(Debug)]
pub struct Counts<'a> {
    row: &'a mut [f64],
    runs: f64,
    counted: usize,
}

impl Counts<'_> {
    /// So many runs chose this option. To be said once of an option.
    #[inline]
    pub fn set(&mut self, option: usize, times: usize) {
        debug_assert_eq!(self.row[option], 0.0, "an option is counted once");
        self.row[option] = times as f64 / self.runs;
        self.counted += times;
    }

    /// How many runs chose each of the options, from the first on.
    pub fn set_all(&mut self, times: &[u32]) {
        self.row.iter_mut().zip(times).for_each(|(share, &times)| *share = f64::from(times) / self.runs);
        self.counted = times.iter().map(|&times| times as usize).sum();
    }
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
        let (form, slots) = (first.form(), first.slots());
        let options = form.options(slots);
        // Counting first and dividing once keeps the result independent of the order of the runs.
        let mut rows = vec![0.0; slots * options];
        for run in runs {
            assert!(run.form() == form && run.slots() == slots, "runs of different sizes");
            let cells = run.choices().iter().zip(rows.chunks_exact_mut(options.max(1)));
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
