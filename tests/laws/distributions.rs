//! The exact law of the runs, beside all sequences of choices and beside many runs.

use crate::common::{empirical, has_bounded_runs, over_every_tie, random_instance, run_step_by_step};
use crate::{DENSITIES, on_every_small_instance, on_random_instances};
use rayon::prelude::*;
use tiebreak::answers::{Candidate, Form, Marginals};
use tiebreak::instance::{Decimal, Graph, Instance, Preset};
use tiebreak::pipeline::generate;
use tiebreak::problems::ties::{OneOrder, TiePolicy};
use tiebreak::problems::{ALGORITHMS, Algorithm, ManyRuns, Prepared};
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

/// Where runs can be had at once they are those one by one, from the same random numbers; where they cannot, no number is taken.
fn assert_runs_at_once(algorithm: &dyn Algorithm, prepared: &dyn Prepared, rng: &mut Rng) {
    let n = prepared.instance().n();
    for (policy, runs) in TiePolicy::ALL.into_iter().flat_map(|policy| [1, 20, 33].map(|runs| (policy, runs))) {
        let firsts = [None, Some(0), Some(n / 2), n.checked_sub(1)];
        for first in firsts.into_iter().filter(|first| first.is_none_or(|vertex| vertex < n)) {
            let mut other = rng.clone();
            let mut at_once = vec![0.0; n * n];
            if prepared.write_shares(&ManyRuns { policy, first, runs }, rng, &mut at_once) {
                let one_by_one = Marginals::from_runs(&generate::runs(prepared, policy, first, runs, &mut other));
                let what = (policy, first, runs, prepared.instance());
                assert!(at_once == one_by_one.as_slice(), "{algorithm:?} {what:?}");
            }
            assert_eq!(rng.next_u64(), other.next_u64(), "{algorithm:?} {policy:?} {n}");
        }
    }
}

#[test]
fn runs_at_once_are_those_one_by_one() {
    on_random_instances("at once", |algorithm, prepared, _, rng| assert_runs_at_once(algorithm, prepared, rng));
    on_every_small_instance(|algorithm, prepared| {
        // A thousandth of them has every kind of weight, and takes a moment; nothing is a graph, too.
        let n = prepared.instance().n();
        let mut rng = Rng::stream(n as u64, &format!("{:?}", prepared.instance()), 0);
        if n == 0 || rng.below(1000) == 0 {
            assert_runs_at_once(algorithm, prepared, &mut rng);
        }
    });
}

/// More vertices than bits in a word or values of a byte; edges of no length, and of such a length that no word holds a path's.
#[test]
fn runs_at_once_are_those_one_by_one_on_larger_graphs() {
    for (n, largest) in [(64, 1), (64, 3), (64, 1 << 50), (65, 1), (255, 3), (256, 3)] {
        let mut rng = Rng::stream(0, "larger", n as u64);
        for (p, algorithm) in
            [0.02, 0.3].into_iter().flat_map(|p| ALGORITHMS.iter().map(move |&algorithm| (p, algorithm)))
        {
            if algorithm.problem().form != Form::Parents || algorithm.needs().acyclic {
                continue;
            }
            let mut weight = |_: usize, _: usize| rng.chance(p).then(|| Decimal::whole(rng.below(largest + 1) as i64));
            let pairs = (0..n * n).map(|pair| (pair / n, pair % n)).filter(|(one, other)| one < other);
            let edges: Vec<_> = pairs.filter_map(|(one, other)| Some((one, other, weight(one, other)?))).collect();
            let instance = Instance::with_source(Graph::weighted_undirected(n, edges).unwrap(), n / 3);
            if let Ok(prepared) = algorithm.prepare(&instance) {
                assert_runs_at_once(algorithm, &*prepared, &mut rng);
            }
        }
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
