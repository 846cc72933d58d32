//! How much memory a network takes, before it takes it: bounds from the sizes of its buffers.

use super::settings::NetworkSettings;

/// Bytes that a network with states of size `hidden` takes to predict for one graph: every vertex sends to every other.
///
/// Measured at n = 200 and 400 with states of 128: 210 to 240 bytes for a pair of vertices, marginals included.
pub fn prediction_memory(n: usize, hidden: usize) -> u64 {
    let (n, hidden) = (n as u64, hidden as u64);
    n.saturating_mul(n).saturating_mul(400).saturating_add(product([n, hidden, 64]))
}

/// Bytes that learning from a batch of graphs takes, each with n vertices and run for so many rounds.
///
/// The backward pass needs a state of each pair of vertices and some of each vertex at every step, of every graph that is being
/// worked on; a batch is cut into groups that may all be worked on at once.
pub fn learning_memory(settings: &NetworkSettings, n: usize, rounds: usize, batch: usize) -> u64 {
    let (n, hidden, batch) = (n as u64, settings.hidden as u64, batch as u64);
    let steps = (rounds as u64).saturating_mul(settings.steps_per_round as u64);
    let of_pairs = product([n, n, hidden, steps, 4]);
    let of_vertices = product([n, hidden, steps, 64]);
    let of_graph = of_pairs.saturating_add(of_vertices).saturating_add(prediction_memory(n as usize, hidden as usize));
    of_graph.saturating_mul(batch).saturating_add(parameters_memory(settings))
}

/// Bytes of parameters, optimiser, packed weights, and a gradient for each of sixteen groups.
fn parameters_memory(settings: &NetworkSettings) -> u64 {
    let (hidden, triplet) = (settings.hidden as u64, settings.triplet_features as u64);
    let count = product([hidden, hidden, 16]).saturating_add(product([hidden, triplet, 16]));
    count.saturating_mul(4 * (6 + 16))
}

fn product<const N: usize>(factors: [u64; N]) -> u64 {
    factors.into_iter().fold(1, u64::saturating_mul)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_usual_fits_and_what_is_absurd_does_not() {
        let usual = NetworkSettings::default();
        assert!(learning_memory(&usual, 16, 16, 32) < 1 << 30);
        assert!(learning_memory(&usual, 1_000_000, 1, 1) > 1 << 40);
        assert!(learning_memory(&usual, 16, 16, 1_000_000_000_000) > 1 << 40);
        assert!(learning_memory(&NetworkSettings { hidden: 20_000, ..usual }, 4, 4, 1) > 100 << 30);
        assert!(prediction_memory(100_000, 128) > 1 << 40);
        assert_eq!(prediction_memory(usize::MAX, 128), u64::MAX);
    }
}
