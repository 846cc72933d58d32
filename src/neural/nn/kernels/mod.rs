//! Fast kernels on row-major slices, generic over [`Scalar`](crate::neural::nn::Scalar), equal to the bit on every processor.
//!
//! The matrix product is our own rather than the `gemm` crate's: it is as fast (the bench prints both), a bias and a ReLU ride
//! along for free, and its portable version gives the same bits, which a library that picks its
//! own instruction set cannot promise.

pub mod buffer;
pub mod dispatch;
pub mod matrix;
pub mod product;
pub mod rows;

pub use buffer::Buffer;
pub use dispatch::Kernels;
pub use matrix::{Matrix, Packed, Right};
pub use product::{Start, multiply};
