//! The exact law of the runs, beside all sequences of choices and beside many runs.

use crate::common::{empirical, has_bounded_runs, over_every_tie, random_instance, run_step_by_step};
use crate::{DENSITIES, on_every_small_instance};
use rayon::prelude::*;
use tiebreak::answers::{Candidate, Marginals};
use tiebreak::instance::Preset;
use tiebreak::problems::ties::{OneOrder, TiePolicy};
use tiebreak::problems::{ALGORITHMS, Algorithm, Prepared};
use tiebreak::random::Rng;

/// The marginals that all sequences of choices give, each with its chance.
fn by_enumeration(
    prepared: &dyn Prepared,
    run: impl FnMut(&mut tiebreak::problems::ties::EveryTie) -> Candidate,
) -> Marginals {
    let n = prepared.instance().n();
    let mut shares: Option<(Candidate, Vec<f64>)> = None;
    over_every_tie(run, |solution, chance| {
        let options = solution.form().options(solution.slots());
        let (_, shares) = shares.get_or_insert_with(|| (solution.clone(), vec![0.0; solution.slots() * options]));
        for (slot, &choice) in solution.choices().iter().enumerate() {
            shares[slot * options + choice as usize] += chance;
        }
    });
    let (like, shares) = shares.unwrap_or_else(|| panic!("no run on {n} vertices"));
    Marginals::from_weights(like.form(), like.slots(), shares).expect("chances")
}

pub fn assert_close(one: &Marginals, other: &Marginals, what: &str) {
    let apart = one.as_slice().iter().zip(other.as_slice()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(one.slots() == other.slots() && apart < 1e-9, "{what}: {apart} apart");
}

fn assert_laws(algorithm: &dyn Algorithm, prepared: &dyn Prepared) {
    let what = format!("{algorithm:?} on {:?}", prepared.instance());
    let n = prepared.instance().n();
    if has_bounded_runs(algorithm, prepared.instance()) {
        let free = by_enumeration(prepared, |ties| run_step_by_step(algorithm, prepared, ties));
        assert_close(&prepared.law(TiePolicy::Free, None).unwrap(), &free, &what);
    } else {
        // Then free runs are uniform draws.
        let listed: Vec<Candidate> = prepared.space().solutions().unwrap().collect();
        assert_close(&prepared.law(TiePolicy::Free, None).unwrap(), &Marginals::from_runs(&listed), &what);
    }
    let firsts = [None, Some(0), Some(n / 2)];
    for first in firsts.into_iter().filter(|first| first.is_none_or(|vertex| vertex < n)) {
        let one = by_enumeration(prepared, |ties| prepared.run(&mut OneOrder::draw(n, first, ties)));
        assert_close(&prepared.law(TiePolicy::OneOrder, first).unwrap(), &one, &what);
    }
}

#[test]
fn laws_are_those_of_all_runs() {
    on_every_small_instance(|algorithm, prepared| {
        let graph = &prepared.instance().graph;
        // Self-loops change nothing; leaving most of them out at four vertices saves nine tenths of the time. Six vertices have 720 orders.
        if graph.n() == 6 {
            return;
        }
        if graph.n() < 4 || !graph.has_edge(0, 0) && !graph.has_edge(1, 1) && !graph.has_edge(2, 2) {
            assert_laws(algorithm, prepared);
        }
    });
}

#[test]
fn laws_are_those_of_all_runs_on_random_instances() {
    (0..24u64).into_par_iter().for_each(|index| {
        let mut rng = Rng::stream(0, "exact distributions", index);
        for &algorithm in ALGORITHMS {
            let (n, p) = (5 + rng.below(3), DENSITIES[rng.below(4)]);
            let instance = random_instance(algorithm, n, p, Preset::ALL[rng.below(2)], &mut rng);
            assert_laws(algorithm, &*algorithm.prepare(&instance).unwrap());
        }
    });
}

#[test]
fn the_marginals_of_many_runs_approach_the_law() {
    for &algorithm in ALGORITHMS {
        for preset in Preset::ALL {
            let mut rng = Rng::stream(0, "many runs", 0);
            let instance = random_instance(algorithm, 7, 0.5, preset, &mut rng);
            let prepared = algorithm.prepare(&instance).unwrap();
            let exact = prepared.law(TiePolicy::OneOrder, algorithm.first_in_order(preset)).unwrap();
            let mut mean = vec![0.0; exact.as_slice().len()];
            for _ in 0..1000 {
                let twenty = empirical(algorithm, &*prepared, preset, &mut rng);
                mean.iter_mut().zip(twenty.as_slice()).for_each(|(sum, share)| *sum += share / 1000.0);
            }
            // 20,000 runs: the standard error of a share is at most .0036.
            let apart = mean.iter().zip(exact.as_slice()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 0.016, "{algorithm:?} {preset:?}: {apart}");
        }
    }
}
