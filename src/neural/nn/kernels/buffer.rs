//! Memory of kernels.

use std::ops::{Deref, DerefMut};

use aligned_vec::{AVec, ConstAlign};

use crate::cancel;
use crate::neural::nn::Scalar;

/// Bytes of a cache line, which is also the widest load.
const LINE: usize = 64;

/// Numbers that are filled in some milliseconds.
const PIECE: usize = 1 << 22;

/// Numbers that begin at a cache line. Where they do not, every wide load and store touches two lines, which costs a training step
/// a tenth of its speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer<S>(AVec<S, ConstAlign<LINE>>);

impl<S: Scalar> Buffer<S> {
    /// So many zeros.
    pub fn zeros(size: usize) -> Self {
        let mut buffer = Self::default();
        buffer.at_least(size);
        buffer
    }

    /// The first `size` numbers, more of them if there were too few. What they hold is unspecified.
    pub fn at_least(&mut self, size: usize) -> &mut [S] {
        if self.len() < size {
            self.0.resize(size, S::ZERO);
        }
        &mut self[..size]
    }

    /// As [`Buffer::at_least`], for gigabytes, which take seconds: the work may be cancelled meanwhile.
    pub fn at_least_or_cancelled(&mut self, size: usize) -> &mut [S] {
        self.0.reserve_exact(size.saturating_sub(self.len()));
        while self.len() < size {
            cancel::point();
            self.0.resize(size.min(self.len() + PIECE), S::ZERO);
        }
        &mut self[..size]
    }
}

impl<S> Default for Buffer<S> {
    fn default() -> Self {
        Buffer(AVec::new(LINE))
    }
}

impl<S> FromIterator<S> for Buffer<S> {
    fn from_iter<I: IntoIterator<Item = S>>(numbers: I) -> Self {
        Buffer(AVec::from_iter(LINE, numbers))
    }
}

impl<S> Deref for Buffer<S> {
    type Target = [S];

    fn deref(&self) -> &[S] {
        &self.0
    }
}

impl<S> DerefMut for Buffer<S> {
    fn deref_mut(&mut self) -> &mut [S] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_at_a_cache_line_whatever_its_history() {
        let mut buffer: Buffer<f32> = (0..3).map(|i| i as f32).collect();
        for size in [1, 5, 70, 1000, 100_000] {
            assert_eq!(buffer.at_least(size).as_ptr() as usize % LINE, 0);
            assert_eq!(buffer.clone().as_ptr() as usize % LINE, 0);
        }
        assert_eq!(buffer[..4], [0.0, 1.0, 2.0, 0.0]);
        assert_eq!(Buffer::<f64>::zeros(9)[..], [0.0; 9]);
    }
}
