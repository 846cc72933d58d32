//! Named tensors in one flat vector, so that Adam and norms are loops over a slice.
//!
//! Each tensor begins at a cache line; the gaps before them are zero, in gradients too, and stay so.
//!
//! A [`Layout`] says which tensor lies where. Files are safetensors with haiku's names, for instance
//! `net/mpnn_aggr_clrs_processor/linear_3/w`, so parameters of a dm-clrs model can be read as they are.

use std::ops::Range;
use std::sync::Arc;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::Serialize;

use super::Scalar;
use super::card::write_sealed;
use super::kernels::Buffer;

/// One named tensor of a [`Layout`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Its name in files.
    pub name: String,
    /// Its shape: `[inputs, outputs]` for a weight, `[outputs]` for a bias.
    pub shape: Vec<usize>,
    /// Where its numbers lie in the flat vector.
    pub range: Range<usize>,
}

/// Names, shapes and places of all tensors of a network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    tensors: Vec<Tensor>,
}

/// Numbers of a cache line.
const LINE: usize = 16;

/// Index of a tensor in its [`Layout`].
pub type TensorId = usize;

impl Layout {
    /// Adds a tensor after those already there.
    pub fn push(&mut self, name: String, shape: Vec<usize>) -> TensorId {
        let start = self.extent().next_multiple_of(LINE);
        let range = start..start + shape.iter().product::<usize>();
        self.tensors.push(Tensor { name, shape, range });
        self.tensors.len() - 1
    }

    /// How many numbers all tensors have together.
    pub fn size(&self) -> usize {
        self.tensors.iter().map(|tensor| tensor.range.len()).sum()
    }

    /// How many numbers the flat vector has, with the gaps between tensors.
    pub fn extent(&self) -> usize {
        self.tensors.last().map_or(0, |tensor| tensor.range.end)
    }

    /// The tensors of the flat vector whose bytes these are, as a file has them; `prefix` stands before every name.
    pub(crate) fn views<'a>(&self, bytes: &'a [u8], prefix: &str) -> Vec<(String, TensorView<'a>)> {
        let view = |tensor: &Tensor| {
            let data = &bytes[4 * tensor.range.start..4 * tensor.range.end];
            let view = TensorView::new(Dtype::F32, tensor.shape.clone(), data).expect("the layout fits");
            (format!("{prefix}{}", tensor.name), view)
        };
        self.tensors.iter().map(view).collect()
    }

    /// All tensors, in the order of the flat vector.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }
}

/// Why a file does not hold the parameters of a network.
#[derive(Debug, thiserror::Error)]
pub enum ParamsError {
    /// The bytes are not a safetensors file.
    #[error("not a readable safetensors file: {0}")]
    Unreadable(#[from] safetensors::SafeTensorError),
    /// A tensor is not in the file.
    #[error("tensor `{name}` of shape {shape:?} is missing")]
    Missing {
        /// Its name.
        name: String,
        /// The shape it should have.
        shape: Vec<usize>,
    },
    /// A tensor has another shape or number type than the network needs.
    #[error("tensor `{name}` is {found_type:?} {found:?}, but the network needs F32 {expected:?}")]
    Mismatch {
        /// Its name.
        name: String,
        /// The shape it should have.
        expected: Vec<usize>,
        /// The shape in the file.
        found: Vec<usize>,
        /// The number type in the file.
        found_type: Dtype,
    },
    /// A tensor holds an infinite value or a NaN.
    #[error("tensor `{name}` holds a value that is not finite")]
    NotFinite {
        /// Its name.
        name: String,
    },
}

/// Values for every tensor of a layout: parameters, or a gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Params<S> {
    layout: Arc<Layout>,
    values: Buffer<S>,
}

impl<S: Scalar> Params<S> {
    /// All zero.
    pub fn zeros(layout: Arc<Layout>) -> Self {
        Params { values: Buffer::zeros(layout.extent()), layout }
    }

    /// What lies where.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// All numbers, and the gaps between tensors.
    pub fn values(&self) -> &[S] {
        &self.values
    }

    /// All numbers, and the gaps between tensors, to change.
    pub fn values_mut(&mut self) -> &mut [S] {
        &mut self.values
    }

    /// One tensor.
    pub fn tensor(&self, id: TensorId) -> &[S] {
        &self.values[self.layout.tensors[id].range.clone()]
    }

    /// One tensor, to change.
    pub fn tensor_mut(&mut self, id: TensorId) -> &mut [S] {
        &mut self.values[self.layout.tensors[id].range.clone()]
    }

    /// Several tensors, to change.
    pub fn tensors_mut<const N: usize>(&mut self, ids: [TensorId; N]) -> [&mut [S]; N] {
        let ranges = ids.map(|id| self.layout.tensors[id].range.clone());
        self.values.get_disjoint_mut(ranges).expect("different tensors do not overlap")
    }

    /// Every tensor, to change, in the order of ids.
    pub fn all_tensors_mut(&mut self) -> Vec<&mut [S]> {
        let (mut rest, mut end) = (&mut self.values[..], 0);
        let mut all = Vec::with_capacity(self.layout.tensors.len());
        for Tensor { range, .. } in &self.layout.tensors {
            let (tensor, after) = rest[range.start - end..].split_at_mut(range.len());
            all.push(tensor);
            (rest, end) = (after, range.end);
        }
        all
    }

    /// The same values in another precision.
    pub fn convert<T: Scalar>(&self) -> Params<T> {
        Params { layout: self.layout.clone(), values: self.values.iter().map(|x| T::of(x.as_f64())).collect() }
    }
}

impl Params<f32> {
    /// Reads a safetensors file; `prefix` stands before every name, and may be missing there.
    pub fn from_safetensors(layout: Arc<Layout>, bytes: &[u8], prefix: &str) -> Result<Self, ParamsError> {
        let file = SafeTensors::deserialize(bytes)?;
        Self::from_tensors(layout, &file, prefix)
    }

    /// As [`Params::from_safetensors`], from an opened file.
    pub fn from_tensors(layout: Arc<Layout>, file: &SafeTensors<'_>, prefix: &str) -> Result<Self, ParamsError> {
        // Everything is there before anything is allocated: settings may promise more than the file has.
        let view = |tensor: &Tensor| {
            let view = file.tensor(&format!("{prefix}{}", tensor.name)).or_else(|_| file.tensor(&tensor.name));
            let view =
                view.map_err(|_| ParamsError::Missing { name: tensor.name.clone(), shape: tensor.shape.clone() })?;
            check_shape(tensor, &view).map(|()| view)
        };
        let views: Vec<TensorView> = layout.tensors.iter().map(view).collect::<Result<_, _>>()?;
        let mut params = Params::zeros(layout.clone());
        for (id, (tensor, view)) in layout.tensors.iter().zip(views).enumerate() {
            read_into(params.tensor_mut(id), tensor, &view)?;
        }
        Ok(params)
    }

    /// The bytes of a safetensors file that [`Params::from_safetensors`] reads back, to the bit, with what it says of itself.
    pub fn to_safetensors(&self, card: &impl Serialize) -> Vec<u8> {
        let bytes: Vec<u8> = self.values.iter().flat_map(|x| x.to_le_bytes()).collect();
        write_sealed(self.layout.views(&bytes, ""), card)
    }
}

fn check_shape(tensor: &Tensor, view: &TensorView<'_>) -> Result<(), ParamsError> {
    if view.dtype() != Dtype::F32 || view.shape() != tensor.shape {
        return Err(ParamsError::Mismatch {
            name: tensor.name.clone(),
            expected: tensor.shape.clone(),
            found: view.shape().to_vec(),
            found_type: view.dtype(),
        });
    }
    Ok(())
}

fn read_into(out: &mut [f32], tensor: &Tensor, view: &TensorView<'_>) -> Result<(), ParamsError> {
    let (numbers, _) = view.data().as_chunks::<4>();
    for (out, bytes) in out.iter_mut().zip(numbers) {
        *out = f32::from_le_bytes(*bytes);
    }
    match out.iter().all(|x| x.is_finite()) {
        true => Ok(()),
        false => Err(ParamsError::NotFinite { name: tensor.name.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(columns: usize) -> Arc<Layout> {
        let mut layout = Layout::default();
        layout.push("net/linear/w".into(), vec![2, columns]);
        layout.push("net/linear/b".into(), vec![columns]);
        Arc::new(layout)
    }

    #[test]
    fn written_parameters_read_back_to_the_bit() {
        let mut params = Params::<f32>::zeros(layout(3));
        for tensor in params.all_tensors_mut() {
            tensor.iter_mut().zip(1..).for_each(|(x, i)| *x = (i as f32).sin());
        }
        let bytes = params.to_safetensors(&());
        assert_eq!(Params::from_safetensors(layout(3), &bytes, "param/").unwrap(), params);
    }

    #[test]
    fn errors_name_the_tensor_and_the_shapes() {
        let bytes = Params::<f32>::zeros(layout(3)).to_safetensors(&());
        let error = Params::from_safetensors(layout(4), &bytes, "").unwrap_err().to_string();
        assert_eq!(error, "tensor `net/linear/w` is F32 [2, 3], but the network needs F32 [2, 4]");
        assert!(Params::from_safetensors(layout(3), &bytes[..40], "").is_err());
    }
}
