//! What the extractors draw: the shares of valid candidates that theory and the paper give, the outcome for imperfect
//! rows, and laws that hold for every extractor of every algorithm.

mod common;

use common::{array, empirical, graph, random_instance};
use rayon::prelude::*;
use tiebreak::answers::{Candidate, Form, Marginals};
use tiebreak::instance::{Instance, Preset};
use tiebreak::problems::extract::{Argmax, Extractor, Random};
use tiebreak::problems::forests::{AltUpwards, Restarts, Upwards, Walk, dfs};
use tiebreak::problems::paths::bellman_ford::BellmanFord;
use tiebreak::problems::paths::{Beam, Greedy};
use tiebreak::problems::verify::Rule;
use tiebreak::problems::{ALGORITHMS, Algorithm, Prepared};
use tiebreak::random::Rng;

const DRAWS: usize = 5;

/// The share of valid candidates among the draws from one empirical distribution: by the exact and the weak check.
fn valid_shares(
    algorithm: &dyn Algorithm,
    extractor: &dyn Extractor,
    n: usize,
    preset: Preset,
    index: u64,
) -> [f64; 2] {
    let mut rng = Rng::stream(0, "valid shares", index);
    let instance = random_instance(algorithm, n, 0.5, preset, &mut rng);
    let prepared = algorithm.prepare(&instance).unwrap();
    let parents = empirical(algorithm, &*prepared, preset, &mut rng);
    let mut valid = [0.0; 2];
    for _ in 0..DRAWS {
        let candidate = extractor.extract(&instance, &parents, &mut rng);
        let weak = prepared.space().verify_weakly(&candidate).expect("the paper had one");
        valid[0] += f64::from(u8::from(prepared.space().verify(&candidate).is_ok())) / DRAWS as f64;
        valid[1] += f64::from(u8::from(weak.is_ok())) / DRAWS as f64;
    }
    valid
}

/// The mean over graphs and its standard error. Draws from one graph hang together, so graphs are what is counted.
fn mean_and_error(shares: &[f64]) -> (f64, f64) {
    let count = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / count;
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// Four standard errors (at most .012), and half a unit of the last digit that theory gives.
fn assert_near(found: (f64, f64), expected: f64, what: &str) {
    let (mean, error) = found;
    println!("{what}: {mean:.4} +- {error:.4}, expected {expected}");
    assert!(error < 0.012, "{what}: too few graphs, the standard error is {error}");
    assert!((mean - expected).abs() < 4.0 * error + 0.005, "{what}: {mean} +- {error}, expected {expected}");
}

#[test]
fn alt_upwards_is_seldom_valid_and_the_weak_check_flatters_it() {
    for (n, graphs, exact, weak) in [(5, 4_000, 0.64, 0.80), (16, 4_000, 0.0, 0.17), (64, 1_500, 0.0, 0.04)] {
        let shares: Vec<[f64; 2]> = (0..graphs)
            .into_par_iter()
            .map(|index| valid_shares(&dfs::ORDERED, &AltUpwards, n, Preset::Text, index))
            .collect();
        let by_check = |check: usize| shares.iter().map(|share| share[check]).collect::<Vec<f64>>();
        assert_near(mean_and_error(&by_check(0)), exact, &format!("exact, n = {n}"));
        assert_near(mean_and_error(&by_check(1)), weak, &format!("weak, n = {n}"));
    }
}

#[test]
fn greedy_and_beam_draw_only_valid_trees_from_empirical_distributions() {
    for extractor in [&Greedy as &dyn Extractor, &Beam] {
        for preset in Preset::ALL {
            for (n, graphs) in [(5, 300), (16, 300), (64, 60)] {
                (0..graphs).into_par_iter().for_each(|index| {
                    let shares = valid_shares(&BellmanFord, extractor, n, preset, index);
                    // Fifths add up to one only up to rounding.
                    assert!(shares.iter().all(|share| (share - 1.0).abs() < 1e-9), "{extractor:?} {preset:?} {n}");
                });
            }
        }
    }
}

/// Marginals with rows of many kinds: full, sparse, certain, and empty (which becomes uniform).
fn random_marginals(form: Form, slots: usize, rng: &mut Rng) -> Marginals {
    let mut weights = vec![];
    let options = form.options(slots);
    for slot in 0..slots {
        let kind = rng.below(4);
        weights.extend((0..options).map(|option| match kind {
            0 => rng.unit(),
            1 if rng.chance(0.3) => rng.unit() * 1e6,
            2 if option == (slot * 7 + 1) % options => 1.0,
            _ => 0.0,
        }));
    }
    Marginals::from_weights(form, slots, weights).unwrap()
}

/// Calls `law` with every extractor of every algorithm on random distributions of sizes 0 (where permitted) to 24.
fn for_every_extractor(law: impl Fn(&dyn Algorithm, &dyn Extractor, &dyn Prepared, &Marginals)) {
    for &algorithm in ALGORITHMS {
        for n in 0..=24 {
            let mut rng = Rng::stream(0, "every extractor", n as u64);
            for p in [0.0, 0.2, 0.5, 1.0] {
                let instance = random_instance(algorithm, n, p, Preset::Text, &mut rng);
                let Ok(prepared) = algorithm.prepare(&instance) else {
                    assert_eq!(n, 0, "{algorithm:?} refuses its own instance");
                    continue;
                };
                let form = algorithm.problem().form;
                let distribution = random_marginals(form, instance.slots(form), &mut rng);
                for &extractor in algorithm.problem().extractors {
                    law(algorithm, extractor, &*prepared, &distribution);
                }
            }
        }
    }
}

#[test]
fn every_extractor_fills_each_slot_whatever_the_marginals() {
    for_every_extractor(|algorithm, extractor, prepared, parents| {
        for index in 0..3 {
            let candidate = extractor.extract(prepared.instance(), parents, &mut Rng::stream(0, "draw", index));
            let slots = prepared.instance().slots(algorithm.problem().form);
            assert_eq!(candidate.slots(), slots, "{algorithm:?} {extractor:?}");
            let _ = prepared.space().verify(&candidate);
            let _ = prepared.space().verify_weakly(&candidate);
        }
    });
}

#[test]
fn every_extractor_is_a_function_of_the_stream() {
    for_every_extractor(|_, extractor, prepared, parents| {
        let [once, again] = [0, 1].map(|_| {
            let mut rng = Rng::stream(5, "draw", 0);
            (extractor.extract(prepared.instance(), parents, &mut rng), rng.next_u64())
        });
        assert_eq!(once, again, "{extractor:?}");
    });
}

/// Extractors other than the baseline follow a distribution that leaves no choice: one certain solution comes back.
#[test]
fn a_certain_solution_is_drawn_by_all_but_random_upwards_and_walk() {
    for &algorithm in ALGORITHMS {
        for n in 1..=24 {
            let mut rng = Rng::stream(0, "certain", n);
            let instance = random_instance(algorithm, n as usize, 0.5, Preset::Text, &mut rng);
            let prepared = algorithm.prepare(&instance).unwrap();
            let run = common::random_run(&*prepared, tiebreak::problems::ties::TiePolicy::Free, &mut rng);
            let certain = Marginals::from_runs(std::slice::from_ref(&run));
            let extractors = algorithm.problem().extractors.iter();
            let faithful = extractors.filter(|extractor| !["random", "upwards", "walk"].contains(&extractor.name()));
            for extractor in faithful {
                assert_eq!(extractor.extract(&instance, &certain, &mut rng), run, "{algorithm:?} {extractor:?}");
            }
        }
    }
}

#[test]
fn names_are_unique_within_an_algorithm() {
    for &algorithm in ALGORITHMS {
        let extractors = algorithm.problem().extractors;
        let names: std::collections::BTreeSet<_> = extractors.iter().map(|extractor| extractor.name()).collect();
        assert_eq!(names.len(), extractors.len());
    }
}

#[test]
fn a_row_of_zeros_is_uniform_and_a_row_of_any_sum_is_scaled() {
    let instance = Instance::new(graph(4, &[(0, 1), (0, 2), (0, 3)]));
    let rows = [[7.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.1, 0.1, 0.0, 0.0], [30.0, 10.0, 0.0, 0.0]];
    let parents = Marginals::from_weights(Form::Parents, 4, rows.concat()).unwrap();
    assert_eq!(Argmax.extract(&instance, &parents, &mut Rng::stream(0, "rows", 0)), array(&[0, 0, 0, 0]));
    let draws = 40_000;
    let mut counts = [[0.0; 4]; 4];
    let mut rng = Rng::stream(0, "rows", 1);
    for _ in 0..draws {
        let candidate = AltUpwards.extract(&instance, &parents, &mut rng);
        candidate.choices().iter().enumerate().for_each(|(vertex, &parent)| counts[vertex][parent as usize] += 1.0);
    }
    let expected = [[1.0, 0.0, 0.0, 0.0], [0.25; 4], [0.5, 0.5, 0.0, 0.0], [0.75, 0.25, 0.0, 0.0]];
    for (found, share) in counts.concat().iter().zip(expected.concat()) {
        // The standard error is at most .0025.
        assert!((found / draws as f64 - share).abs() < 0.01, "{counts:?}");
        assert!(share > 0.0 || *found == 0.0, "an impossible parent was drawn: {counts:?}");
    }
}

#[test]
fn argmax_takes_the_lowest_of_equals_and_random_takes_all_alike() {
    let instance = Instance::new(graph(3, &[]));
    let parents = Marginals::from_weights(Form::Parents, 3, vec![0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.2, 0.3, 0.5]).unwrap();
    let mut rng = Rng::stream(0, "baselines", 0);
    assert_eq!(Argmax.extract(&instance, &parents, &mut rng), array(&[1, 0, 2]));
    let drawn: Vec<Candidate> = (0..9_000).map(|_| Random.extract(&instance, &parents, &mut rng)).collect();
    for vertex in 0..3 {
        for parent in 0..3 {
            let count = drawn.iter().filter(|candidate| candidate.choice(vertex) == parent).count();
            assert!((count as f64 - 3_000.0).abs() < 200.0, "{vertex} {parent} {count}");
        }
    }
}

/// With every parent possible in every row, an open vertex always has itself left, so the fallback is never needed.
#[test]
fn upwards_gives_no_vertex_two_children_without_its_fallback() {
    let mut rng = Rng::stream(0, "upwards", 0);
    for n in 1..=32 {
        let instance = Instance::new(graph(n, &[]));
        let weights = (0..n * n).map(|_| 0.01 + rng.unit()).collect();
        let parents = Marginals::from_weights(Form::Parents, n, weights).unwrap();
        for _ in 0..20 {
            let candidate = Upwards.extract(&instance, &parents, &mut rng);
            let mut children = vec![0; n];
            candidate.parents().edges().for_each(|(parent, _)| children[parent] += 1);
            assert!(children.iter().all(|&count| count <= 1), "{candidate}");
        }
    }
}

/// 1 and 2 hang below 0 for certain. Whoever comes second finds 0 taken and gets any parent.
#[test]
fn upwards_falls_back_to_a_uniform_parent() {
    let instance = Instance::new(graph(3, &[(0, 1), (0, 2)]));
    let parents = Marginals::from_runs(&[array(&[0, 0, 0])]);
    let mut rng = Rng::stream(0, "fallback", 0);
    let mut counts = [0; 3];
    for _ in 0..9_000 {
        let candidate = Upwards.extract(&instance, &parents, &mut rng);
        assert_eq!(candidate.choices()[..2], [0, 0]);
        counts[candidate.choice(2)] += 1;
    }
    assert!(counts.iter().all(|&count: &i32| (count - 3_000).abs() < 200), "{counts:?}");
}

/// Extractors that know the form and build what is right into every draw, whatever the marginals say.
#[test]
fn walk_and_place_draw_nothing_but_solutions() {
    for_every_extractor(|algorithm, extractor, prepared, marginals| {
        if ["walk", "place"].contains(&extractor.name()) {
            for index in 0..5 {
                let candidate = extractor.extract(prepared.instance(), marginals, &mut Rng::stream(1, "draw", index));
                assert_eq!(prepared.space().verify(&candidate), Ok(()), "{algorithm:?} {extractor:?}");
            }
        }
    });
}

/// What `merge` and `pair` promise: a spanning forest, and a matching that no edge can be added to. Which, is up to the marginals.
#[test]
fn merge_spans_and_pair_is_maximal() {
    for_every_extractor(|algorithm, extractor, prepared, marginals| {
        let allowed = match extractor.name() {
            "merge" => Rule::NoLighterEdge,
            "pair" => Rule::NoAugmentingPath,
            _ => return,
        };
        let candidate = extractor.extract(prepared.instance(), marginals, &mut Rng::stream(2, "draw", 0));
        if let Err(violation) = prepared.space().verify(&candidate) {
            assert_eq!(violation.rule, allowed, "{algorithm:?}: {violation}");
            // A path of one edge could be added.
            assert_ne!(violation.path.len(), 2, "{algorithm:?}: {violation}");
        }
    });
}

/// 0 leads to 1 and 2, and these to each other: whoever comes first is the other's parent, as often as the marginals say.
#[test]
fn walk_follows_the_marginals() {
    let instance = Instance::new(graph(3, &[(0, 1), (0, 2), (1, 2), (2, 1)]));
    let rows = [[1.0, 0.0, 0.0], [0.75, 0.0, 0.25], [0.25, 0.75, 0.0]];
    let parents = Marginals::from_weights(Form::Parents, 3, rows.concat()).unwrap();
    let mut rng = Rng::stream(0, "walk", 0);
    let draws = (0..8_000).map(|_| Walk(Restarts::Ordered).extract(&instance, &parents, &mut rng));
    let first = draws.filter(|forest| *forest == array(&[0, 0, 1])).count();
    assert!((first as f64 - 6_000.0).abs() < 160.0, "{first}");
}
