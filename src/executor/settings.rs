//! Everything that can be set about the training of an executor.

use serde::{Deserialize, Serialize};

/// The settings of a training; a key that does not exist is refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The algorithm's name.
    pub algorithm: String,
    /// The seed of parameters, graphs, priorities and batches.
    pub seed: u64,
    /// Training steps.
    pub steps: u64,
    /// Recorded runs to learn from.
    pub graphs: usize,
    /// Their sizes, in turn.
    pub sizes: Vec<usize>,
    /// Their edge probabilities; each graph draws one of them.
    pub p: Vec<f64>,
    /// Pairs in the selections of a step, about.
    pub batch: usize,
    /// Hidden units of each perceptron.
    pub hidden: usize,
    /// The step size of Adam at the start; it falls to zero along a cosine.
    pub learning_rate: f64,
    /// Levels are kept apart and drawn towards whole numbers: noise, the penalty, and what is never selected drawn down.
    pub quantise: bool,
    /// The recorded selections are learnt; otherwise only the states and pointers that follow from them.
    pub supervise_selection: bool,
    /// The priorities that decided the recorded ties are shown; otherwise selections look random.
    pub show_priorities: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            algorithm: "dfs".to_owned(),
            seed: 0,
            steps: 3_000,
            graphs: 1_000,
            sizes: vec![4, 7, 11, 13, 16],
            p: vec![0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
            batch: 6_000,
            hidden: 32,
            learning_rate: 3e-3,
            quantise: true,
            supervise_selection: true,
            show_priorities: true,
        }
    }
}

impl Settings {
    /// The defaults for an algorithm and a seed.
    pub fn of(algorithm: &str, seed: u64) -> Self {
        Settings { algorithm: algorithm.to_owned(), seed, ..Settings::default() }
    }
}
