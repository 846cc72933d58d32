//! How many floating-point operations a stack takes: twice the multiply-adds of matrix products and their sparse counterparts,
//! as executed. Elementwise work counts as nothing.

use crate::neural::nn::Scalar;

use super::process::Process;

impl<S: Scalar> Process<'_, S> {
    /// Operations of the forward pass, decoder included.
    pub fn forward_flops(&self) -> u64 {
        let (h, t) = (self.columns.hidden, self.columns.triplet);
        let mut multiply_adds = 0;
        for (step, place) in self.places(false).iter().enumerate() {
            multiply_adds += place.pairs * 2 * h * h + place.nodes * h * self.node_columns(step);
        }
        multiply_adds += self.pairs_decoded() * h * (t + self.feature_columns());
        multiply_adds += self.stack.nodes() * h * (2 * self.columns.ends + 3 * t);
        2 * multiply_adds as u64
    }

    /// Operations of the backward pass, when `rows_won` pairs won a channel in all steps together.
    pub fn backward_flops(&self, rows_won: usize) -> u64 {
        let (h, t) = (self.columns.hidden, self.columns.triplet);
        let mut multiply_adds = rows_won * 2 * h * h;
        for (step, place) in self.places(false).iter().enumerate() {
            let sparse = 2 * h;
            multiply_adds += place.nodes * h * (sparse + 2 * self.node_columns(step));
        }
        multiply_adds += 2 * self.pairs_decoded() * h * (t + self.feature_columns());
        multiply_adds += 2 * self.stack.nodes() * h * (2 * self.columns.ends + 3 * t);
        2 * multiply_adds as u64
    }

    /// Columns of all products that have a row for each vertex. Before the first step states are zero and not multiplied.
    fn node_columns(&self, step: usize) -> usize {
        let h = self.columns.hidden;
        let gated = usize::from(self.tensors.gate.is_some());
        let of_states = if step > 0 { self.columns.step } else { 0 };
        of_states + (1 + gated) * h + gated * h
    }

    fn pairs_decoded(&self) -> usize {
        self.stack.graphs.iter().map(|graph| graph.nodes.len().pow(2)).sum()
    }

    /// Columns of all layers that read triplet features.
    fn feature_columns(&self) -> usize {
        let layers = self.tensors.outputs.iter().filter_map(|output| output.of_edges());
        self.tensors.triplets.map_or(0, |_| layers.map(|layer| layer.outputs).sum())
    }
}
