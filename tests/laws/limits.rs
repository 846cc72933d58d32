//! What is too much is refused with the reason, and what is large but simple is no work.

use crate::common::{pairs, random_instance, random_run};
use num_bigint::BigUint;
use tiebreak::answers::Form;
use tiebreak::instance::{Decimal, Graph, GraphSettings, Instance, Preset, random_directed};
use tiebreak::problems::forests::dfs;
use tiebreak::problems::ties::TiePolicy;
use tiebreak::problems::{ALGORITHMS, Algorithm, Allowed, COUNT_EFFORT};
use tiebreak::random::Rng;

#[test]
fn what_is_intractable_is_refused_with_the_reason() {
    let dense = Instance::new(Graph::from_edges(200, pairs(200, false)).unwrap());
    for algorithm in [dfs::ORDERED, dfs::ANY_RESTART] {
        let prepared = algorithm.prepare(&dense).unwrap();
        let reason = prepared.space().count(COUNT_EFFORT).unwrap_err().to_string();
        assert!(reason.contains("200") && reason.contains("64"), "{reason}");
        for policy in TiePolicy::ALL {
            let reason = prepared.law(policy, None).unwrap_err().to_string();
            assert!(reason.contains("200"), "{reason}");
        }
    }
    let settings = GraphSettings { n: 64, p: 0.5, preset: Preset::Text };
    let medium = Instance::new(random_directed(&settings, &mut Rng::stream(0, "medium", 0)));
    let prepared = dfs::ORDERED.prepare(&medium).unwrap();
    let reason = prepared.space().count(COUNT_EFFORT).unwrap_err().to_string();
    assert!(reason.contains("more than"), "{reason}");
    let reason = prepared.law(TiePolicy::Free, None).unwrap_err().to_string();
    assert!(reason.contains("more than"), "{reason}");
}

/// The centre first, so that all hang below it, and last, so that all are roots before it.
fn stars(leaves: usize, undirected: bool) -> [Graph; 2] {
    [0, leaves].map(|centre| {
        let others = (0..=leaves).filter(|&vertex| vertex != centre);
        let edges = others.map(|leaf| (centre, leaf, Decimal::whole(1)));
        if undirected { Graph::weighted_undirected(leaves + 1, edges) } else { Graph::weighted(leaves + 1, edges) }
            .unwrap()
    })
}

#[test]
fn a_star_with_a_hundred_thousand_leaves_is_no_work() {
    for &algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.problem().items.is_none()) {
        for star in stars(100_000, algorithm.needs().direction == tiebreak::problems::Direction::Undirected) {
            let instance = Instance::with_source(star, 0);
            let prepared = algorithm.prepare(&instance).unwrap();
            let run = random_run(&*prepared, TiePolicy::Free, &mut Rng::stream(0, "star", 0));
            assert_eq!(prepared.space().verify(&run), Ok(()), "{algorithm:?}");
            if let Ok(count) = prepared.space().count(COUNT_EFFORT) {
                // One leaf is matched, and it may be any.
                let expected = if algorithm.needs().bipartite { 100_000u32 } else { 1 };
                assert_eq!(count, BigUint::from(expected), "{algorithm:?}");
            }
            for policy in TiePolicy::ALL {
                // A set of edges has few options, and its law may be known.
                if let Err(reason) = prepared.law(policy, None) {
                    assert!(reason.to_string().contains("0000"), "{algorithm:?} {reason}");
                } else {
                    assert_eq!(algorithm.problem().form, Form::Edges, "{algorithm:?}");
                }
            }
        }
    }
}

#[test]
fn a_million_items_are_no_work() {
    for &algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.problem().items.is_some()) {
        let mut rng = Rng::stream(0, "many items", 0);
        let instance = random_instance(algorithm, 1_000_000, 0.5, Preset::Text, &mut rng);
        let prepared = algorithm.prepare(&instance).unwrap();
        for policy in TiePolicy::ALL {
            let mut run = random_run(&*prepared, policy, &mut rng);
            assert_eq!(prepared.space().verify(&run), Ok(()), "{algorithm:?}");
            let first = run.chosen().next().unwrap();
            run.set(first, 0);
            assert!(prepared.space().verify(&run).is_err(), "{algorithm:?}");
        }
        assert_eq!(prepared.space().possible(&Allowed::default()).unwrap().slots(), 1_000_000);
        let _ = prepared.space().count(1_000);
    }
}
