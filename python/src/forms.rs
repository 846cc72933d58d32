//! Answers of every form as numpy arrays, which networks and people like to see in dense shapes.
//!
//! | form | a candidate |
//! |---|---|
//! | parents | [n]: each vertex's parent, a root being its own |
//! | order | [n]: the vertices from first to last (-1 where a list breaks off) |
//! | edges | [n, n]: 1 for a chosen edge, both ways where the graph is undirected |
//! | items | [n]: 1 for a chosen item |
//!
//! Marginals have the shapes of [`dense`].

use numpy::ndarray::{ArrayD, ArrayViewD, Axis};
use numpy::{PyArrayDyn, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tiebreak::answers::{Candidate, Form, IN, Marginals};
use tiebreak::cancel;
use tiebreak::instance::Instance;
use tiebreak::pipeline::generate::dense;
pub use tiebreak::pipeline::generate::dense::marginals_shape;

/// The shape of a candidate.
pub fn candidate_shape(form: Form, n: usize) -> Vec<usize> {
    match form {
        Form::Parents | Form::Order | Form::Items => vec![n],
        Form::Edges => vec![n, n],
    }
}

/// The name that Python code sees.
pub fn name(form: Form) -> &'static str {
    match form {
        Form::Parents => "parents",
        Form::Edges => "edges",
        Form::Items => "items",
        Form::Order => "order",
    }
}

/// Marginals as an array that is zero so far.
pub fn write_marginals(instance: &Instance, marginals: &Marginals, out: &mut [f64]) {
    dense::write_marginals(instance, marginals, IN, out);
}

/// A candidate as an array that is zero so far.
pub fn write_candidate(instance: &Instance, candidate: &Candidate, out: &mut [i64]) {
    let choices = candidate.choices();
    match candidate.form() {
        Form::Parents | Form::Items => out.iter_mut().zip(choices).for_each(|(out, &choice)| *out = choice.into()),
        Form::Edges => dense::on_places(instance, Form::Edges, |slot, place| out[place] = choices[slot].into()),
        Form::Order => {
            out.fill(-1);
            out.iter_mut().zip(candidate.order()).for_each(|(out, vertex)| *out = vertex as i64);
        }
    }
}

/// How a model's numbers are to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Weights that are not negative: each row is divided by its sum. For edges and items probabilities.
    Probabilities,
    /// Any numbers: each row goes through a softmax. For edges and items each number through a sigmoid.
    Logits,
}

impl Scale {
    /// The scale that the caller names.
    pub fn new(logits: bool) -> Self {
        if logits { Scale::Logits } else { Scale::Probabilities }
    }

    fn has(self, form: Form, value: f64) -> bool {
        match (self, form) {
            (Scale::Logits, _) => !value.is_nan() && value < f64::INFINITY,
            (Scale::Probabilities, Form::Parents | Form::Order) => value.is_finite() && value >= 0.0,
            (Scale::Probabilities, Form::Edges | Form::Items) => (0.0..=1.0).contains(&value),
        }
    }

    /// The probability that a number stands for, where it stands for one.
    fn probability(self, value: f64) -> f64 {
        match self {
            Scale::Probabilities => value,
            Scale::Logits => 1.0 / (1.0 + (-value).exp()),
        }
    }
}

/// Reads a model's array for an instance.
pub fn read_marginals(
    array: &Bound<'_, PyUntypedArray>,
    scale: Scale,
    form: Form,
    instance: &Instance,
) -> Result<Marginals, String> {
    let (n, shape) = (instance.n(), array.shape());
    let expected = marginals_shape(form, n);
    if shape != expected {
        return Err(match form {
            Form::Parents => format!("the matrix has shape {shape:?}, but the graph has {n} vertices"),
            _ => format!("the array has shape {shape:?}, but {expected:?} is needed"),
        });
    }
    let values: Vec<f64> = if let Ok(array) = array.extract::<PyReadonlyArrayDyn<'_, f32>>() {
        array.as_array().iter().map(|&value| f64::from(value)).collect()
    } else if let Ok(array) = array.extract::<PyReadonlyArrayDyn<'_, f64>>() {
        array.as_array().iter().copied().collect()
    } else {
        return Err(format!("a matrix of {} is neither float32 nor float64", array.dtype()));
    };
    let columns = shape.last().copied().unwrap_or(1).max(1);
    let wrong = values.iter().position(|&value| !scale.has(form, value));
    let place = |at: usize| match shape.len() {
        1 => format!("entry [{at}] is {}", values[at]),
        _ => format!("entry [{}, {}] is {}", at / columns, at % columns, values[at]),
    };
    let place = wrong.map(place);
    let slots = instance.slots(form);
    let pair = |chosen: f64| [1.0 - chosen, chosen];
    let marginals = match (form, scale) {
        (Form::Parents | Form::Order, Scale::Probabilities) => Marginals::from_weights(form, slots, values),
        (Form::Parents | Form::Order, Scale::Logits) => Marginals::from_logits(form, slots, values),
        (Form::Edges | Form::Items, _) => {
            if let Some(place) = place {
                return Err(format!(
                    "{place}, which is no {}",
                    if scale == Scale::Logits { "logit" } else { "probability" }
                ));
            }
            let chosen: Vec<f64> = match form {
                Form::Items => values.into_iter().map(|value| scale.probability(value)).collect(),
                _ => of_edges(instance, &values, scale),
            };
            Marginals::from_weights(form, slots, chosen.into_iter().flat_map(pair).collect())
        }
    };
    marginals.map_err(|error| match place {
        Some(place) => format!("{place}: {error}"),
        None => error.to_string(),
    })
}

/// The probability of each edge; of an undirected one the mean of its two entries.
fn of_edges(instance: &Instance, values: &[f64], scale: Scale) -> Vec<f64> {
    let n = instance.n();
    let at = |tail: usize, head: usize| scale.probability(values[tail * n + head]);
    let of_edge = |(tail, head)| match instance.graph.is_undirected() {
        true => (at(tail, head) + at(head, tail)) / 2.0,
        false => at(tail, head),
    };
    instance.graph.edges().map(of_edge).collect()
}

/// Reads candidates, one for each entry of the first axis, and gives each to `judge`; or says what is wrong with one. Arrays may be huge: only one candidate
/// is held at a time.
pub fn read_candidates<T>(
    array: &ArrayViewD<'_, i64>,
    form: Form,
    instance: &Instance,
    judge: impl Fn(&Candidate) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let (n, expected) = (instance.n(), candidate_shape(form, instance.n()));
    if array.ndim() != expected.len() + 1 || array.shape()[1..] != expected {
        return Err(match form {
            Form::Parents => format!("there are {:?} parents, but the graph has {n} vertices", &array.shape()[1..]),
            _ => format!("candidates of shape {:?} do not fit: [k, …] with {expected:?} is needed", array.shape()),
        });
    }
    let read = |(row, values): (usize, ArrayViewD<'_, i64>)| {
        cancel::point();
        let values: Vec<i64> = values.iter().copied().collect();
        let of = if row == 0 { String::new() } else { format!("candidate {row}: ") };
        judge(&read_candidate(&values, form, instance).map_err(|words| format!("{of}{words}"))?)
    };
    array.axis_iter(Axis(0)).enumerate().map(read).collect()
}

fn read_candidate(values: &[i64], form: Form, instance: &Instance) -> Result<Candidate, String> {
    let n = instance.n();
    let in_range = |value: i64| usize::try_from(value).ok().filter(|&value| value < n);
    match form {
        Form::Parents => {
            let parent = |(vertex, &parent): (usize, &i64)| {
                in_range(parent).ok_or_else(|| {
                    format!("the parent of vertex {vertex} is {parent}, but there are {n} vertices (a root is its own parent)")
                })
            };
            let parents: Vec<usize> = values.iter().enumerate().map(parent).collect::<Result<_, _>>()?;
            Candidate::from_parents(parents).map_err(|error| error.to_string())
        }
        Form::Order => {
            let member = |&vertex: &i64| in_range(vertex).ok_or_else(|| format!("{vertex} is not one of {n} vertices"));
            let order: Vec<usize> = values.iter().map(member).collect::<Result<_, _>>()?;
            Candidate::from_order(&order).map_err(|error| error.to_string())
        }
        Form::Items | Form::Edges => {
            if let Some(value) = values.iter().find(|value| !(0..=1).contains(*value)) {
                return Err(format!("an entry is {value}, but 1 means chosen and 0 left out"));
            }
            let mut set = vec![];
            match form {
                Form::Items => set.extend((0..n).filter(|&item| values[item] == 1)),
                _ => set.extend(chosen_edges(values, instance)?),
            }
            Candidate::from_set(form, instance.slots(form), set).map_err(|error| error.to_string())
        }
    }
}

fn chosen_edges(values: &[i64], instance: &Instance) -> Result<Vec<usize>, String> {
    let (graph, n) = (&instance.graph, instance.n());
    let chosen = |tail: usize, head: usize| values[tail * n + head] == 1;
    let stray = (0..n * n).map(|place| (place / n, place % n));
    let stray = stray.into_iter().find(|&(tail, head)| chosen(tail, head) && !graph.has_edge(tail, head));
    if let Some((tail, head)) = stray {
        return Err(format!("{tail} -> {head} is chosen, but is not an edge"));
    }
    let is_chosen = |&(_, (tail, head)): &(usize, (usize, usize))| {
        chosen(tail, head) || graph.is_undirected() && chosen(head, tail)
    };
    Ok(graph.edges().enumerate().filter(is_chosen).map(|(slot, _)| slot).collect())
}

/// Numbers as an array of some shape, without a copy.
pub fn shaped<'py, T: numpy::Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: Vec<usize>,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let shaped = ArrayD::from_shape_vec(shape, values);
    Ok(PyArrayDyn::from_owned_array(py, shaped.map_err(|error| PyValueError::new_err(error.to_string()))?))
}

/// Arrays of one shape as one with a further first axis, without a copy of a single one; as a list where shapes differ.
pub fn stacked<'py, T: numpy::Element + Copy>(
    py: Python<'py>,
    mut arrays: Vec<(Vec<usize>, Vec<T>)>,
) -> PyResult<Bound<'py, PyAny>> {
    let first = arrays.first().map(|(shape, _)| shape.clone()).unwrap_or_default();
    if arrays.iter().any(|(shape, _)| *shape != first) {
        let each = arrays.into_iter().map(|(shape, values)| shaped(py, values, shape)).collect::<PyResult<Vec<_>>>()?;
        return Ok(pyo3::types::PyList::new(py, each)?.into_any());
    }
    let shape = [vec![arrays.len()], first].concat();
    let values = match arrays.len() {
        1 => arrays.remove(0).1,
        _ => arrays.into_iter().flat_map(|(_, values)| values).collect(),
    };
    Ok(shaped(py, values, shape)?.into_any())
}
