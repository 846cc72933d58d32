//! Counts are those of free runs, and uniform draws are uniform.

use crate::DENSITIES;
use crate::common::{
    every_candidate, every_solution, everything, literal, random_instance, random_run, run_step_by_step, weighted_graph,
};
use crate::{assert_possible, assert_solutions};
use rayon::prelude::*;
use std::collections::BTreeMap;
use tiebreak::answers::{Candidate, Form};
use tiebreak::instance::{Instance, Preset};
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::problems::ties::TiePolicy;
use tiebreak::problems::{ALGORITHMS, Algorithm, Allowed, COUNT_EFFORT};
use tiebreak::random::Rng;

#[test]
fn counts_and_solutions_are_what_free_runs_produce_on_random_instances() {
    (0..120u64).into_par_iter().for_each(|index| {
        let mut rng = Rng::stream(0, "solutions", index);
        for &algorithm in ALGORITHMS {
            let (n, p) = (5 + rng.below(3), DENSITIES[rng.below(4)]);
            let instance = random_instance(algorithm, n, p, Preset::Text, &mut rng);
            let prepared = algorithm.prepare(&instance).unwrap();
            let produced = everything(|ties| run_step_by_step(algorithm, &*prepared, ties));
            assert!(produced.iter().all(|solution| literal::accepts(algorithm, &instance, solution)));
            assert_solutions(algorithm, &*prepared, &produced);
            assert_possible(algorithm, &*prepared, &produced);
        }
    });
}

/// What equally likely outcomes exceed once in a hundred thousand times (Wilson and Hilferty's approximation); seeds are fixed.
fn chi_square_limit(degrees: usize) -> f64 {
    let (degrees, part) = (degrees as f64, 2.0 / (9.0 * degrees as f64));
    degrees * (1.0 - part + 4.26 * part.sqrt()).powi(3)
}

#[test]
fn uniform_draws_are_uniform() {
    for &algorithm in ALGORITHMS {
        let mut tested = 0;
        for index in 0..400 {
            if tested == 12 {
                break;
            }
            let mut rng = Rng::stream(0, "uniform draws", index);
            let instance = random_instance(algorithm, 5 + rng.below(2), 0.6, Preset::Text, &mut rng);
            let prepared = algorithm.prepare(&instance).unwrap();
            let solutions: Vec<Candidate> = prepared.space().solutions().unwrap().take(61).collect();
            if !(2..=60).contains(&solutions.len()) {
                continue;
            }
            tested += 1;
            let draws = 200 * solutions.len();
            let mut set = prepared.space().within(&Allowed::default(), COUNT_EFFORT).unwrap();
            let mut times: BTreeMap<Candidate, usize> = BTreeMap::new();
            for _ in 0..draws {
                *times.entry(set.draw(&mut rng).unwrap().unwrap()).or_default() += 1;
            }
            assert!(times.keys().all(|drawn| solutions.contains(drawn)), "{algorithm:?}");
            let expected = draws as f64 / solutions.len() as f64;
            let apart = |solution| (times.get(solution).copied().unwrap_or(0) as f64 - expected).powi(2) / expected;
            let chi: f64 = solutions.iter().map(apart).sum();
            assert!(chi < chi_square_limit(solutions.len() - 1), "{algorithm:?} {index}: chi-square {chi}");
        }
        assert_eq!(tested, 12, "{algorithm:?} has too few instances with several solutions");
    }
}

/// Draws where tight edges form cycles of length zero, which no run of random instances has.
#[test]
fn shortest_path_trees_with_zero_cycles_are_drawn_uniformly() {
    let edges = [(0, 1, 0), (1, 0, 0), (1, 2, 0), (2, 1, 0), (0, 2, 0), (2, 0, 0), (2, 3, 1), (1, 3, 1)];
    let instance = Instance::with_source(weighted_graph(4, &edges), 0);
    let prepared = BellmanFord.prepare(&instance).unwrap();
    let right = every_solution(&BellmanFord, &instance, &every_candidate(Form::Parents, 4));
    assert_eq!(right.len(), 6);
    let mut times: BTreeMap<Candidate, usize> = BTreeMap::new();
    let mut rng = Rng::stream(0, "zero cycles", 0);
    for _ in 0..6_000 {
        *times.entry(random_run(&*prepared, TiePolicy::Free, &mut rng)).or_default() += 1;
    }
    let chi: f64 = right.iter().map(|tree| (times[tree] as f64 - 1_000.0).powi(2) / 1_000.0).sum();
    assert!(chi < chi_square_limit(5), "{times:?}");
}
