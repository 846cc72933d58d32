//! Learnt maps with changed entries, and draws held against exact probabilities: what the executor's tests share.

use std::collections::{BTreeMap, HashMap};
use tiebreak::answers::Candidate;
use tiebreak::instance::Instance;
use tiebreak::neural::executor::{Choice, Executor, Pairs, Tables};
use tiebreak::random::Rng;

/// Tables with some entries replaced at random.
pub fn spoilt(tables: &Tables, entries: usize, rng: &mut Rng) -> Tables {
    let mut spoilt = tables.clone();
    let frame = tables.frame;
    let choice = |rng: &mut Rng| Choice { scalar: rng.below(frame.scalars.len()) as u8, largest: rng.chance(0.5) };
    for _ in 0..entries {
        let class = rng.below(frame.pair_classes());
        match rng.below(6) {
            0 => spoilt.level[class] = rng.below(6) as i32 - 2,
            1 => spoilt.first[class] = choice(rng),
            2 => spoilt.second[class] = choice(rng),
            3 => spoilt.next_state[rng.below(frame.node_inputs())] = rng.below(frame.states.len()) as u8,
            4 => spoilt.next_pointer[rng.below(frame.pointer_inputs())] ^= true,
            _ => spoilt.register[rng.below(3)] = rng.below(4) as i64 - 1,
        }
    }
    spoilt
}

/// Every single change of one learnt map.
pub fn every_flip(tables: &Tables) -> Vec<(&'static str, Tables)> {
    let frame = tables.frame;
    let mut flips = vec![];
    let mut flip = |map: &'static str, change: &dyn Fn(&mut Tables)| {
        let mut flipped = tables.clone();
        change(&mut flipped);
        flips.push((map, flipped));
    };
    for class in 0..frame.pair_classes() {
        for level in [-1, 1, 2, 3, 9] {
            flip("level", &|tables| tables.level[class] = level);
        }
        for scalar in 0..frame.scalars.len() as u8 {
            flip("first scalar", &|tables| tables.first[class].scalar = scalar);
            flip("second scalar", &|tables| tables.second[class].scalar = scalar);
        }
        flip("first scalar", &|tables| tables.first[class].largest ^= true);
        flip("second scalar", &|tables| tables.second[class].largest ^= true);
    }
    for (input, next) in
        (0..frame.node_inputs()).flat_map(|input| (0..frame.states.len()).map(move |next| (input, next)))
    {
        flip("next state", &|tables| tables.next_state[input] = next as u8);
    }
    for input in 0..frame.pointer_inputs() {
        flip("next pointer", &|tables| tables.next_pointer[input] ^= true);
    }
    for factor in 0..3 {
        flip("register", &|tables| tables.register[factor] += 1);
    }
    flips
}

/// The largest chi-square that chance exceeds once in a thousand (Wilson and Hilferty).
fn critical(freedom: f64) -> f64 {
    freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.09 * (2.0 / (9.0 * freedom)).sqrt()).powi(3)
}

/// Draws of the executor follow the given law, as far as chi-square can tell.
pub fn chi_square_holds(executor: &Executor, instance: &Instance, exact: &BTreeMap<Candidate, f64>, draws: usize) {
    let pairs = Pairs::new(instance);
    let mut rng = Rng::stream(0, "chi-square", 0);
    let mut counts: HashMap<Candidate, usize> = HashMap::new();
    for _ in 0..draws {
        *counts.entry(executor.draw_on(instance, &pairs, &mut rng).parents).or_default() += 1;
    }
    assert!(counts.keys().all(|parents| exact.contains_key(parents)));
    let of = |(parents, &p): (&Candidate, &f64)| {
        let expected = p * draws as f64;
        (counts.get(parents).copied().unwrap_or(0) as f64 - expected).powi(2) / expected
    };
    let chi: f64 = exact.iter().map(of).sum();
    let most = critical((exact.len() - 1) as f64);
    assert!(exact.len() > 3 && chi < most, "chi-square {chi} > {most}, {} solutions", exact.len());
}
