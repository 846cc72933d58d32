//! Dense building blocks: kernels, parameters, initialisation, Adam. Knows no graphs.
//!
//! Matrices are row-major slices. A weight of a linear layer is `[inputs, outputs]`, so that
//! `y = x · W + b` with `x` as rows, which is also how haiku stores it.
//!
//! | module | what |
//! |---|---|
//! | [`scalar`] | `f32` for work, `f64` for checking gradients: the same code runs on both |
//! | [`kernels`] | products and row operations, compiled for several instruction sets, equal to the bit |
//! | [`params`] | named tensors in one flat vector, read from and written to safetensors |
//! | [`init`] | haiku's default initialisation |
//! | [`adam`] | clipping by the global norm, then Adam |

pub mod adam;
pub(crate) mod card;
pub mod init;
#[allow(unsafe_code)] // Its reasons are there.
pub mod kernels;
pub mod params;
pub mod scalar;

pub use adam::Adam;
pub use card::model_file;
pub use kernels::Kernels;
pub use params::{Layout, Params};
pub use scalar::Scalar;
