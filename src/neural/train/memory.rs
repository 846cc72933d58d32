//! How much memory a run takes, before it takes it.

use super::settings::TrainSettings;
use crate::instance::GraphSettings;
use crate::neural::model::learning_memory;
use crate::problems::{Algorithm, View, by_name};
use crate::random::Rng;

/// Sizes at which a graph is drawn to see how many rounds it takes; of larger ones a single round is enough to refuse them.
const MAX_DRAWN: usize = 2_000;

impl TrainSettings {
    /// Bytes that a step of training or a validation takes at the most, roughly.
    pub fn memory(&self) -> u64 {
        let algorithm = by_name(&self.algorithm).expect("settings are checked");
        let trained = self.sizes.iter().map(|&size| (size, self.batch));
        let batches = trained.chain([(self.validation_size, self.validation_graphs)]);
        let needs = batches.map(|(n, batch)| learning_memory(&self.model, n, rounds(algorithm, self, n), batch));
        needs.max().unwrap_or(0)
    }
}

/// The rounds of a graph of that size, the densest and the sparsest of the settings' taken.
fn rounds(algorithm: &dyn Algorithm, settings: &TrainSettings, n: usize) -> usize {
    if n > MAX_DRAWN {
        return 1;
    }
    let of_density = |&p: &f64| {
        let graph = GraphSettings { n, p, preset: settings.preset };
        let instance = algorithm.instance(&graph, &mut Rng::stream(settings.seed, "memory", n as u64));
        let prepared = crate::pipeline::generate::prepared(algorithm, &instance);
        prepared.features(&View::evenly_spaced(n, 1.0)).rounds()
    };
    let ends = [settings.p.iter().copied().reduce(f64::min), settings.p.iter().copied().reduce(f64::max)];
    ends.iter().flatten().map(of_density).max().unwrap_or(1)
}
