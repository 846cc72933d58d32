//! Spanning trees against brute force over every choice of parents and every set of edges.

mod directed;
mod minimum;
mod shapes;

use tiebreak::random::Rng;

/// True when draws of equally likely outcomes are spread as they should be: a chi-square test that a right program
/// fails once in a hundred thousand times, with seeds that are fixed.
fn is_uniform(counts: &[usize]) -> bool {
    let expected = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
    assert!(expected >= 20.0, "too few draws for the test to mean something");
    let chi: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    // Wilson and Hilferty's approximation of the quantile, 4.26 standard deviations up.
    let freedom = (counts.len() - 1).max(1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    chi <= freedom * (1.0 - spread + 4.26 * spread.sqrt()).powi(3)
}

/// How often each of `outcomes` is drawn; a draw that is none of them fails.
fn tally<T: Ord>(outcomes: &[T], draws: usize, mut draw: impl FnMut() -> T) -> Vec<usize> {
    assert!(outcomes.is_sorted());
    let mut counts = vec![0; outcomes.len()];
    for _ in 0..draws {
        let place = outcomes.binary_search(&draw());
        counts[place.unwrap_or_else(|_| panic!("a draw that is no tree"))] += 1;
    }
    counts
}

fn pick<T: Copy>(items: &[T], rng: &mut Rng) -> T {
    items[rng.below(items.len())]
}
